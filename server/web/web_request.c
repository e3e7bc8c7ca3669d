/*
 * web_request.c - the checks in the order in which they protect: host, method, path, then what a
 * WebSocket needs.
 */
#include "server/web/web_request.h"

#include <string.h>

#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"
#include "proto/text/host_port.h"

#define WEBSOCKET_VERSION   "13"
#define WEBSOCKET_KEY_CHARS 24 /* 16 bytes in base64, with its padding */
#define PORT_MAX	    65535

/* ---- hosts and origins ---- */

/* HOST[:PORT], where an IPv6 address has brackets. */
struct web_host {
	struct slice name; /* without brackets */
	struct slice port; /* empty: none */
	bool is_v6;
};

static bool is_hex(char c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool has_only(struct slice text, bool (*may)(char c))
{
	for (size_t i = 0; i < text.len; i++) {
		if (!may(text.data[i])) {
			return false;
		}
	}
	return text.len > 0;
}

static bool may_be_in_name(char c)
{
	return ascii_is_alnum(c) || c == '-' || c == '.' || c == '_';
}

static bool may_be_in_v6(char c)
{
	return is_hex(c) || c == ':' || c == '.';
}

static bool web_host_parse(struct slice text, struct web_host *out)
{
	int64_t port;
	*out = (struct web_host){.is_v6 = text.len > 0 && text.data[0] == '['};
	return host_port_split(text, &out->name, &out->port) &&
	       (out->port.data == NULL || decimal_read(out->port, 0, PORT_MAX, &port)) &&
	       has_only(out->name, out->is_v6 ? may_be_in_v6 : may_be_in_name);
}

/* A number names this machine whoever asks; that a name does, only its owner can say. */
static bool web_host_is_number(const struct web_host *host)
{
	size_t dots = 0;
	for (size_t i = 0; i < host->name.len && !host->is_v6; i++) {
		if (host->name.data[i] == '.') {
			dots++;
		} else if (!ascii_is_digit(host->name.data[i])) {
			return false;
		}
	}
	return host->is_v6 || dots == 3;
}

static struct slice web_origin_host(struct slice origin)
{
	size_t skip = slice_starts(origin, SLICE("https://")) ? 8 : 7;
	return slice_of(origin.data + skip, origin.len - skip);
}

static bool web_host_is_known(const struct web_host *host, const struct web_origins *origins)
{
	for (size_t i = 0; i < origins->n; i++) {
		struct web_host known;
		if (web_host_parse(web_origin_host(slice_str(origins->items[i].text)), &known) &&
		    ascii_is_alike(known.name, host->name)) {
			return true;
		}
	}
	return ascii_is_alike(host->name, SLICE("localhost")) || web_host_is_number(host);
}

enum err web_origin_parse(const char *url, struct web_origin *out, struct errmsg *why)
{
	struct slice text = slice_str(url);
	bool is_https = slice_starts(text, SLICE("https://"));
	struct web_host host = {.is_v6 = false};
	if (text.len > 0 && text.data[text.len - 1] == '/') {
		text.len--;
	}
	if ((!is_https && !slice_starts(text, SLICE("http://"))) ||
	    !web_host_parse(web_origin_host(text), &host) || text.len > WEB_ORIGIN_BYTES_MAX) {
		errmsg_set(why, "it is the address of a page without a path, such as "
				"https://poker.example or http://poker.example:8080");
		return ERR_INVALID;
	}
	struct slice usual = is_https ? SLICE("443") : SLICE("80");
	if (slice_eq(host.port, usual)) {
		text.len -= usual.len + 1;
	}
	(void)format_to(out->text, sizeof(out->text), "%.*s", (int)text.len, text.data);
	return OK;
}

/* The Origin of a page that this server sent names the host to which its request went. */
static bool web_origin_may(struct slice origin, struct slice host,
			   const struct web_origins *origins)
{
	for (size_t i = 0; i < origins->n; i++) {
		if (ascii_is_alike(slice_str(origins->items[i].text), origin)) {
			return true;
		}
	}
	return (slice_starts(origin, SLICE("https://")) ||
		slice_starts(origin, SLICE("http://"))) &&
	       ascii_is_alike(web_origin_host(origin), host);
}

/* ---- what is wanted ---- */

static struct web_want web_refuse(int status, const char *why)
{
	return (struct web_want){.kind = WEB_WANT_NOTHING, .status = status, .why = why};
}

static bool is_in_base64(char c)
{
	return ascii_is_alnum(c) || c == '+' || c == '/';
}

static bool websocket_key_is_good(struct slice key)
{
	return key.len == WEBSOCKET_KEY_CHARS &&
	       slice_eq(slice_of(key.data + key.len - 2, 2), SLICE("==")) &&
	       has_only(slice_of(key.data, key.len - 2), is_in_base64);
}

/* The proxy appends who it was that asked, so only the last address is not the client's own claim. */
static struct slice forwarded_last(struct slice value)
{
	size_t from = value.len;
	if (from == 0) {
		return value; /* nothing was sent, and nothing is added to a pointer to nothing */
	}
	while (from > 0 && value.data[from - 1] != ',' && value.data[from - 1] != ' ' &&
	       value.data[from - 1] != '\t') {
		from--;
	}
	return slice_of(value.data + from, value.len - from);
}

static struct web_want web_want_socket(const struct http_head *head, const struct web_way *way)
{
	struct slice origin = http_head_field(head, HTTP_ORIGIN);
	struct slice protocols = http_head_field(head, HTTP_WEBSOCKET_PROTOCOL);
	struct web_want want = {
		.kind = WEB_WANT_SOCKET,
		.key = http_head_field(head, HTTP_WEBSOCKET_KEY),
		.names_protocol = http_has_token(protocols, SLICE(WEB_SUBPROTOCOL)),
	};
	if (!head->is_upgrade ||
	    !http_has_token(http_head_field(head, HTTP_UPGRADE), SLICE("websocket"))) {
		return web_refuse(426, "connect here with a WebSocket");
	}
	if (!slice_eq(http_head_field(head, HTTP_WEBSOCKET_VERSION), SLICE(WEBSOCKET_VERSION))) {
		return web_refuse(426,
				  "use version " WEBSOCKET_VERSION " of the WebSocket protocol");
	}
	if (!websocket_key_is_good(want.key)) {
		return web_refuse(400, "Sec-WebSocket-Key must be 16 bytes in base64");
	}
	if (protocols.len > 0 && !want.names_protocol) {
		return web_refuse(400, "this server speaks the subprotocol " WEB_SUBPROTOCOL);
	}
	if (origin.data != NULL &&
	    !web_origin_may(origin, http_head_field(head, HTTP_HOST), way->origins)) {
		return web_refuse(403, "pages of that origin may not connect here; the server's "
				       "administrator can add it with --web-origin");
	}
	if (way->is_proxied) {
		want.forwarded = forwarded_last(http_head_field(head, HTTP_FORWARDED_FOR));
		if (want.forwarded.len == 0) {
			return web_refuse(400, "the proxy sent no X-Forwarded-For");
		}
	}
	if (http_head_method(head) != HTTP_GET) {
		return web_refuse(405, "a WebSocket needs GET");
	}
	return want;
}

static const struct web_file *web_file_find(struct slice path, const struct web_file *files)
{
	for (size_t i = 0; i < WEB_FILE_COUNT; i++) {
		if (slice_eq(files[i].path, path)) {
			return &files[i];
		}
	}
	return NULL;
}

/* A tag may have been marked as weak by a proxy that compressed the file. */
static bool has_same(struct slice tags, const struct web_file *file)
{
	struct slice tag = slice_str(file->etag);
	char weak[2 + WEB_ETAG_CHARS + 1];
	size_t len = format_to(weak, sizeof(weak), "W/%s", file->etag);
	return http_has_token(tags, tag) || http_has_token(tags, slice_of(weak, len)) ||
	       slice_eq(tags, SLICE("*"));
}

static struct web_want web_want_of_path(const struct http_head *head, const struct web_way *way)
{
	struct slice path = http_head_path(head);
	if (slice_eq(path, SLICE(WEB_SOCKET_PATH))) {
		return web_want_socket(head, way);
	}
	if (slice_eq(path, SLICE(WEB_HEALTH_PATH))) {
		return (struct web_want){.kind = WEB_WANT_HEALTH};
	}
	const struct web_file *file = web_file_find(path, way->files);
	if (file == NULL) {
		return web_refuse(404, "there is nothing at this address");
	}
	bool is_same = has_same(http_head_field(head, HTTP_IF_NONE_MATCH), file);
	return (struct web_want){.kind = is_same ? WEB_WANT_SAME : WEB_WANT_FILE, .file = file};
}

static struct web_want web_want_of_head(const struct http_head *head, const struct web_way *way)
{
	struct slice host_text = http_head_field(head, HTTP_HOST);
	struct web_host host;
	enum http_method method = http_head_method(head);
	bool is_old = head->parser.http_major == 1 && head->parser.http_minor == 0;
	bool has_host = host_text.len > 0;
	if (head->parser.http_major != 1) {
		return web_refuse(505, "use HTTP/1.1");
	}
	if ((!has_host && !is_old) || (has_host && !web_host_parse(host_text, &host))) {
		return web_refuse(400, "the request needs one Host");
	}
	if (has_host && !way->is_tls && !way->is_proxied &&
	    !web_host_is_known(&host, way->origins)) {
		return web_refuse(421, "this server does not answer for that host; its "
				       "administrator can add it with --web-origin");
	}
	if (method != HTTP_GET && method != HTTP_HEAD) {
		return web_refuse(405, "only GET and HEAD are supported");
	}
	return web_want_of_path(head, way);
}

struct web_want web_request_want(const struct http_head *head, const struct web_way *way)
{
	struct web_want want = web_want_of_head(head, way);
	want.without_body = http_head_method(head) == HTTP_HEAD;
	return want;
}
