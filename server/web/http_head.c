/*
 * http_head.c - http-parser finds the parts of the head; here they are kept and bounded.
 *
 * The parser reports a part in as many pieces as it was received in. All bytes are kept in order,
 * so a part is where its first piece begins, and as long as its pieces together.
 */
#include "server/web/http_head.h"

#include <limits.h>

#include "proto/base/ascii.h"
#include "proto/base/limits.h"

static const struct http_field_row {
	struct slice name;
	bool is_one;
} http_field_rows[HTTP_FIELD_COUNT] = {
#define HTTP_REPEATED_ONE  true
#define HTTP_REPEATED_LAST false
#define HTTP_FIELD_ROW(symbol, name, repeated) \
	[HTTP_##symbol] = {SLICE_INIT(name), HTTP_REPEATED_##repeated},
	HTTP_FIELDS(HTTP_FIELD_ROW)
#undef HTTP_FIELD_ROW
};

static bool http_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool http_has_token(struct slice value, struct slice token)
{
	size_t at = 0;
	while (at < value.len) {
		size_t end = at;
		while (end < value.len && value.data[end] != ',') {
			end++;
		}
		size_t from = at;
		size_t to = end;
		while (from < to && http_is_blank(value.data[from])) {
			from++;
		}
		while (to > from && http_is_blank(value.data[to - 1])) {
			to--;
		}
		if (ascii_is_alike(slice_of(value.data + from, to - from), token)) {
			return true;
		}
		at = end + 1;
	}
	return false;
}

/* ---- what the parser reports ---- */

static int http_refuse(struct http_head *h, int status, const char *why)
{
	h->state = HTTP_HEAD_REFUSED;
	h->status = status;
	h->why = why;
	return -1;
}

/* One more piece of a text; false where something lies between it and the one before. */
static bool http_text_add(const struct http_head *h, struct http_text *text, const char *at,
			  size_t len)
{
	size_t offset = (size_t)(at - h->raw.data);
	if (text->len == 0) {
		*text = (struct http_text){.at = offset, .len = len, .is_there = true};
		return true;
	}
	if (len > 0 && offset != text->at + text->len) {
		return false;
	}
	text->len += len;
	return true;
}

static int http_on_target(http_parser *parser, const char *at, size_t len)
{
	struct http_head *h = parser->data;
	return http_text_add(h, &h->target, at, len)
		       ? 0
		       : http_refuse(h, 400, "the request line is broken");
}

static int http_on_name(http_parser *parser, const char *at, size_t len)
{
	struct http_head *h = parser->data;
	if (h->in_value) {
		h->in_value = false;
		h->name = (struct http_text){0};
	}
	return http_text_add(h, &h->name, at, len) ? 0
						   : http_refuse(h, 400, "a field name is broken");
}

static enum http_field http_field_find(struct slice name)
{
	enum http_field which = (enum http_field)0;
	while (which < HTTP_FIELD_COUNT && !ascii_is_alike(http_field_rows[which].name, name)) {
		which++;
	}
	return which;
}

/* The name before a value is whole. */
static int http_begin_value(struct http_head *h)
{
	struct slice name = slice_of(h->raw.data + h->name.at, h->name.len);
	h->in_value = true;
	h->field = http_field_find(name);
	if (name.len > 0 && http_is_blank(name.data[name.len - 1])) {
		return http_refuse(h, 400,
				   "a field name is broken"); /* readers disagree about it */
	}
	if (h->field == HTTP_FIELD_OTHER || !h->fields[h->field].is_there) {
		return 0;
	}
	h->fields[h->field] = (struct http_text){0};
	return http_field_rows[h->field].is_one
		       ? http_refuse(h, 400, "a field is repeated that must be the only one")
		       : 0;
}

static int http_on_value(http_parser *parser, const char *at, size_t len)
{
	struct http_head *h = parser->data;
	if (!h->in_value && http_begin_value(h) != 0) {
		return -1;
	}
	if (h->field == HTTP_FIELD_OTHER || http_text_add(h, &h->fields[h->field], at, len)) {
		return 0;
	}
	return http_refuse(h, 400, "a field continues on another line");
}

static int http_on_fields(http_parser *parser)
{
	struct http_head *h = parser->data;
	bool has_length = parser->content_length != 0 && parser->content_length != ULLONG_MAX;
	if (has_length || h->fields[HTTP_TRANSFER_ENCODING].is_there) {
		return http_refuse(h, 501, "requests with a body are not supported");
	}
	return 0;
}

/* Stops the parser here: what follows is not this head's. */
static int http_on_whole(http_parser *parser)
{
	struct http_head *h = parser->data;
	h->state = HTTP_HEAD_WHOLE;
	h->keeps_alive = http_should_keep_alive(parser) != 0;
	h->is_upgrade = parser->upgrade != 0;
	http_parser_pause(parser, 1);
	return 0;
}

static const http_parser_settings http_settings = {
	.on_url = http_on_target,
	.on_header_field = http_on_name,
	.on_header_value = http_on_value,
	.on_headers_complete = http_on_fields,
	.on_message_complete = http_on_whole,
};

/* ---- life ---- */

void http_head_init(struct http_head *h)
{
	*h = (struct http_head){0};
	buf_init(&h->raw, MAX_WEB_HEAD_BYTES);
	http_parser_init(&h->parser, HTTP_REQUEST);
	h->parser.data = h;
}

void http_head_finish(struct http_head *h)
{
	buf_finish(&h->raw);
}

/* A request may follow empty lines, which the parser skips, but not without end. */
size_t http_head_take(struct http_head *h, struct slice in)
{
	size_t before = h->raw.len;
	size_t space = MAX_WEB_HEAD_BYTES - before;
	size_t len = in.len < space ? in.len : space;
	if (buf_append(&h->raw, in.data, len) != OK) {
		(void)http_refuse(h, 503, "the server is out of memory; try again later");
		return 0;
	}
	size_t used = http_parser_execute(&h->parser, &http_settings, h->raw.data + before, len);
	enum http_errno e = HTTP_PARSER_ERRNO(&h->parser);
	if (h->state == HTTP_HEAD_MORE && e != HPE_OK) {
		(void)http_refuse(h, 400, "this is not an HTTP request");
	} else if (h->state == HTTP_HEAD_MORE && h->raw.len == MAX_WEB_HEAD_BYTES) {
		(void)http_refuse(h, 431, "the head of the request is too long");
	}
	return used < len ? used : len;
}

/* ---- what it says ---- */

enum http_method http_head_method(const struct http_head *h)
{
	return (enum http_method)h->parser.method;
}

struct slice http_head_path(const struct http_head *h)
{
	struct slice target = slice_of(h->raw.data + h->target.at, h->target.len);
	const char *query = memchr(target.data, '?', target.len);
	return slice_of(target.data, query == NULL ? target.len : (size_t)(query - target.data));
}

struct slice http_head_field(const struct http_head *h, enum http_field which)
{
	const struct http_text *text = &h->fields[which];
	struct slice value = {0};
	if (text->is_there) {
		value = slice_of(h->raw.data + text->at, text->len);
	}
	while (value.len > 0 && http_is_blank(value.data[value.len - 1])) {
		value.len--;
	}
	return value;
}
