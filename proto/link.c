/*
 * link.c - see link.h.
 */
#include "proto/base/ascii.h"
#include "proto/link.h"

#include <string.h>

#include "proto/base/format.h"

static const struct slice link_place = {"{key}", 5};

bool link_is_web(struct slice link)
{
	return slice_starts(link, SLICE("https://")) || slice_starts(link, SLICE("http://"));
}

struct slice link_below(struct slice note)
{
	size_t from = note.len;
	while (from > 0 && note.data[from - 1] != '\n') {
		from--;
	}
	struct slice line = note.len == 0 ? note : slice_of(note.data + from, note.len - from);
	return link_is_web(line) ? line : (struct slice){0};
}

bool link_is_template(struct slice text)
{
	bool has_place = false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == ' ') {
			return false;
		}
		has_place = has_place ||
			    slice_starts(slice_of(text.data + i, text.len - i), link_place);
	}
	return has_place && link_is_web(text);
}

static bool link_is_plain(char c)
{
	return ascii_is_alnum(c) || (c != '\0' && strchr("-._~", c) != NULL);
}

/* Three bytes of each at most; out has room for them. */
static size_t link_encode(struct slice key, char *out)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t n = 0;
	for (size_t i = 0; i < key.len; i++) {
		unsigned char c = (unsigned char)key.data[i];
		if (link_is_plain((char)c)) {
			out[n++] = (char)c;
		} else {
			out[n++] = '%';
			out[n++] = digits[c >> 4];
			out[n++] = digits[c & 15];
		}
	}
	return n;
}

enum fault_code link_check_template(struct slice text, struct fault *fault)
{
	if (text.len > 0 && !link_is_template(text)) {
		return fault_field(fault, "link_template",
				   "must be an http or https address with {key} in it");
	}
	return FAULT_NONE;
}

size_t link_of_key(struct slice link_template, struct slice key, char *out, size_t cap)
{
	size_t n = 0;
	bool is_number = key.len > 1 && key.data[0] == '#';
	for (size_t i = 1; i < key.len && is_number; i++) {
		is_number = key.data[i] >= '0' && key.data[i] <= '9';
	}
	key = is_number ? slice_of(key.data + 1, key.len - 1) : key;
	for (size_t i = 0; i < link_template.len;) {
		struct slice rest = slice_of(link_template.data + i, link_template.len - i);
		bool is_place = slice_starts(rest, link_place);
		size_t most = is_place ? 3 * key.len : 1;
		if (key.len == 0 || n + most + 1 > cap) {
			out[0] = '\0';
			return 0;
		}
		if (is_place) {
			n += link_encode(key, out + n);
		} else {
			out[n++] = rest.data[0];
		}
		i += is_place ? link_place.len : 1;
	}
	out[n] = '\0';
	return n;
}

bool link_is_page(struct slice text)
{
	size_t scheme = slice_starts(text, SLICE("https://")) ? 8 : 7;
	if (!link_is_web(text) || text.len > MAX_WEB_BYTES || text.len < scheme + 2 ||
	    text.data[scheme] == '/' || text.data[text.len - 1] != '/') {
		return false;
	}
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];
		if (c <= ' ' || c >= 0x7f || strchr("\"'<>\\^`{|}?#", c) != NULL) {
			return false;
		}
	}
	return true;
}

size_t link_of_page(struct slice page, struct slice id, char *out, size_t cap)
{
	out[0] = '\0';
	if (page.len == 0 || page.len + 1 + id.len >= cap) {
		return 0;
	}
	return format_to(out, cap, "%.*s#%.*s", (int)page.len, page.data, (int)id.len, id.data);
}
