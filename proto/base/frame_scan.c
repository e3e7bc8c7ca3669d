/*
 * frame_scan.c - one pass over headers, with a count of what is missing per level.
 */
#include "proto/base/frame_scan.h"

#include <string.h>

/* What one header says. */
struct scan_head {
	size_t header_bytes;
	size_t body_bytes;
	uint64_t children;
	bool is_container;
};

void frame_scan_init(struct frame_scan *s)
{
	memset(s, 0, sizeof(*s));
}

static uint32_t scan_uint(const unsigned char *p, size_t n)
{
	uint32_t value = 0;
	for (size_t i = 0; i < n; i++) {
		value = value << 8 | p[i];
	}
	return value;
}

/* The types from c0 to df: how many bytes of length follow, and how many of body beside that length
 * (of an extension, its type). */
static const struct scan_type {
	unsigned char length_bytes;
	unsigned char body_bytes;
	enum { SCAN_REFUSED, SCAN_PLAIN, SCAN_BIN, SCAN_EXT, SCAN_STR, SCAN_ARRAY, SCAN_MAP } what;
} scan_types[32] =
	{
		[0x00] = {0, 0, SCAN_PLAIN},				   /* nil */
		[0x02] = {0, 0, SCAN_PLAIN},  [0x03] = {0, 0, SCAN_PLAIN}, /* false, true */
		[0x04] = {1, 0, SCAN_BIN},    [0x05] = {2, 0, SCAN_BIN},
		[0x06] = {4, 0, SCAN_BIN},    [0x07] = {1, 1, SCAN_EXT},
		[0x08] = {2, 1, SCAN_EXT},    [0x09] = {4, 1, SCAN_EXT},
		[0x0a] = {0, 4, SCAN_PLAIN},  [0x0b] = {0, 8, SCAN_PLAIN}, /* floats */
		[0x0c] = {0, 1, SCAN_PLAIN},  [0x0d] = {0, 2, SCAN_PLAIN},
		[0x0e] = {0, 4, SCAN_PLAIN},  [0x0f] = {0, 8, SCAN_PLAIN},
		[0x10] = {0, 1, SCAN_PLAIN},  [0x11] = {0, 2, SCAN_PLAIN},
		[0x12] = {0, 4, SCAN_PLAIN},  [0x13] = {0, 8, SCAN_PLAIN}, /* integers */
		[0x14] = {0, 2, SCAN_PLAIN},  [0x15] = {0, 3, SCAN_PLAIN},
		[0x16] = {0, 5, SCAN_PLAIN},  [0x17] = {0, 9, SCAN_PLAIN},
		[0x18] = {0, 17, SCAN_PLAIN}, /* extensions of a fixed length */
		[0x19] = {1, 0, SCAN_STR},    [0x1a] = {2, 0, SCAN_STR},
		[0x1b] = {4, 0, SCAN_STR},    [0x1c] = {2, 0, SCAN_ARRAY},
		[0x1d] = {4, 0, SCAN_ARRAY},  [0x1e] = {2, 0, SCAN_MAP},
		[0x1f] = {4, 0, SCAN_MAP},
};

/* OK, ERR_MORE where the header is not all there, ERR_PROTO for a type that is refused. Inline, or every
 * value of every message pays for a call. */
static inline enum err scan_head_read(const unsigned char *p, size_t left, struct scan_head *h)
{
	unsigned char lead = p[0];
	*h = (struct scan_head){.header_bytes = 1};
	if (lead < 0x80 || lead >= 0xe0) {
		return OK;
	}
	if (lead < 0xa0) {
		h->is_container = true;
		h->children = (uint64_t)(lead & 0x0f) * (lead < 0x90 ? 2 : 1);
		return OK;
	}
	if (lead < 0xc0) {
		h->body_bytes = lead & 0x1f;
		return OK;
	}
	const struct scan_type *type = &scan_types[lead - 0xc0];
	if (type->what == SCAN_REFUSED) {
		return ERR_PROTO;
	}
	h->header_bytes = 1 + (size_t)type->length_bytes;
	h->body_bytes = type->body_bytes;
	if (left < h->header_bytes) {
		return ERR_MORE;
	}
	uint32_t length = scan_uint(p + 1, type->length_bytes);
	h->is_container = type->what == SCAN_ARRAY || type->what == SCAN_MAP;
	if (h->is_container) {
		h->children = (uint64_t)length * (type->what == SCAN_MAP ? 2 : 1);
	} else if (type->what != SCAN_PLAIN) {
		h->body_bytes += length;
	}
	return OK;
}

static enum err scan_open(struct frame_scan *s, const struct scan_head *h, size_t max_bytes)
{
	/* A peer that may send more bytes than a client's message may send more values too, in
	 * proportion. */
	size_t nodes_max = max_bytes <= MAX_FRAME_BYTES
				   ? MAX_FRAME_NODES
				   : max_bytes / (MAX_FRAME_BYTES / MAX_FRAME_NODES);
	size_t nodes_left = nodes_max > s->nodes ? nodes_max - s->nodes : 0;
	/* Every value takes at least one byte. */
	if (s->depth == MAX_FRAME_DEPTH || h->children > nodes_left ||
	    h->children > max_bytes - s->at - h->header_bytes) {
		return ERR_TOO_LARGE;
	}
	s->nodes += (size_t)h->children;
	s->deepest = s->depth + 1 > s->deepest ? s->depth + 1 : s->deepest;
	if (h->children > 0) {
		s->left[s->depth++] = (uint32_t)h->children;
	}
	return OK;
}

/* Part of the loop over every message that comes in: a call for each of its values would be a tenth of it. */
__attribute__((always_inline)) static inline enum err scan_step(struct frame_scan *s,
								struct slice in, size_t max_bytes)
{
	if (s->at >= max_bytes) {
		return ERR_TOO_LARGE;
	}
	if (s->at >= in.len) {
		return ERR_MORE;
	}
	const unsigned char *p = (const unsigned char *)in.data + s->at;
	struct scan_head h;
	enum err e = scan_head_read(p, in.len - s->at, &h);
	size_t room = max_bytes - s->at;
	if (e == ERR_PROTO) {
		return e;
	}
	if (h.header_bytes > room || h.body_bytes > room - h.header_bytes) {
		return ERR_TOO_LARGE;
	}
	if (e != OK) {
		return e;
	}
	if (in.len - s->at - h.header_bytes < h.body_bytes) {
		return ERR_MORE;
	}
	if (h.is_container) {
		e = scan_open(s, &h, max_bytes);
		if (e != OK) {
			return e;
		}
	}
	s->at += h.header_bytes + h.body_bytes;
	if (!h.is_container || h.children == 0) {
		/* A value has ended: so has each container that it was the last of. */
		while (s->depth > 0 && --s->left[s->depth - 1] == 0) {
			s->depth--;
		}
	}
	return OK;
}

enum err frame_scan_value(struct frame_scan *s, struct slice in, size_t max_bytes)
{
	if (s->at == 0 && s->nodes == 0) {
		s->nodes = 1;
	}
	while (s->at == 0 || s->depth > 0) {
		enum err e = scan_step(s, in, max_bytes);
		if (e != OK) {
			return e;
		}
	}
	return OK;
}

/* The value at `from` ends there; 0 where none is whole. */
static size_t scan_end(struct slice in, size_t from)
{
	struct frame_scan s;
	frame_scan_init(&s);
	struct slice rest = slice_of(in.data + from, in.len - from);
	return frame_scan_value(&s, rest, rest.len) == OK ? from + s.at : 0;
}

static bool scan_holds(struct slice in, struct slice bytes)
{
	if (bytes.len == 0 || in.len < bytes.len) {
		return bytes.len == 0;
	}
	const char *at = in.data, *last = in.data + (in.len - bytes.len);
	while (at <= last && (at = memchr(at, bytes.data[0], (size_t)(last - at) + 1)) != NULL) {
		if (memcmp(at, bytes.data, bytes.len) == 0) {
			return true;
		}
		at++;
	}
	return false;
}

/* Most are asked for what is nowhere in them: only where the key's bytes are, one has to see what
 * they are. */
bool frame_scan_map_has(struct slice map, struct slice key)
{
	struct scan_head h;
	const unsigned char *p = (const unsigned char *)map.data;
	if (map.len == 0 || !scan_holds(map, key) || scan_head_read(p, map.len, &h) != OK ||
	    !h.is_container) {
		return false;
	}
	size_t at = h.header_bytes;
	uint64_t children = h.children;
	for (uint64_t i = 0; i + 1 < children; i += 2) {
		size_t value = at < map.len ? scan_end(map, at) : 0;
		if (value == 0 || value >= map.len) {
			return false;
		}
		if (value - at > key.len &&
		    memcmp(map.data + value - key.len, key.data, key.len) == 0 &&
		    scan_head_read(p + at, value - at, &h) == OK && h.body_bytes == key.len) {
			return true;
		}
		at = scan_end(map, value);
		if (at == 0) {
			return false;
		}
	}
	return false;
}

/* Where a walk over keys is: the map that each level is, 0 for a list. */
struct scan_walk {
	struct frame_scan scan;
	size_t map_of[MAX_FRAME_DEPTH];
	size_t maps;
};

/* One value further. Whether it is a key, and which. */
static bool scan_walk_step(struct scan_walk *w, struct slice in, struct frame_scan_key *key)
{
	struct frame_scan *s = &w->scan;
	const unsigned char *p = (const unsigned char *)in.data + s->at;
	size_t depth = s->depth;
	size_t map = depth == 0 ? 0 : w->map_of[depth - 1];
	bool is_key = map != 0 && s->left[depth - 1] % 2 == 0;
	struct scan_head h;
	if (s->at >= in.len || scan_head_read(p, in.len - s->at, &h) != OK ||
	    scan_step(s, in, in.len) != OK) {
		s->depth = 0; /* the end of it */
		return false;
	}
	if (h.is_container && h.children > 0) {
		bool is_map = p[0] < 0x90 || p[0] >= 0xde;
		w->map_of[s->depth - 1] = is_map ? ++w->maps : 0;
	}
	*key = (struct frame_scan_key){map,
				       slice_of((const char *)p + h.header_bytes, h.body_bytes)};
	return is_key;
}

size_t frame_scan_keys(struct slice value, struct frame_scan_key *keys, size_t cap)
{
	struct scan_walk w = {.maps = 0};
	size_t n = 0;
	frame_scan_init(&w.scan);
	w.scan.nodes = 1;
	do {
		struct frame_scan_key key;
		if (scan_walk_step(&w, value, &key)) {
			if (n < cap) {
				keys[n] = key;
			}
			n++;
		}
	} while (w.scan.depth > 0);
	return n;
}
