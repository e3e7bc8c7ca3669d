/*
 * admin_line.c - see admin_line.h.
 */
#include "store/admin/admin_line.h"

#include "proto/json.h"

RECORD_DEFINE(admin_line)

/* A key as a JSON string. It is read from the file, so the JSON writer decides whether it has that form. */
static enum err admin_line_key(struct slice key, struct buf *out)
{
	char text[3 + ITEM_KEY_BYTES_MAX];
	if (key.len > ITEM_KEY_BYTES_MAX) {
		return ERR_TOO_LARGE;
	}
	text[0] = (char)0xda; /* MessagePack's str 16 */
	text[1] = (char)(key.len >> 8);
	text[2] = (char)(key.len & 0xff);
	if (key.len > 0) {
		memcpy(text + 3, key.data, key.len);
	}
	return json_from_bytes(slice_of(text, 3 + key.len), out);
}

enum err admin_line_write(struct slice pk, struct slice sk, struct slice value, struct buf *out)
{
	(void)buf_append_slice(out, SLICE("{\"pk\":"));
	enum err e = admin_line_key(pk, out);
	if (e == OK) {
		(void)buf_append_slice(out, SLICE(",\"sk\":"));
		e = admin_line_key(sk, out);
	}
	if (e == OK) {
		(void)buf_append_slice(out, SLICE(",\"value\":"));
		e = json_from_bytes(value, out);
	}
	(void)buf_append_slice(out, SLICE("}"));
	return e == OK ? out->error : e;
}
