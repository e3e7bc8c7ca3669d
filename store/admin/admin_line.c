/*
 * admin_line.c - see admin_line.h.
 */
#include "store/admin/admin_line.h"

#include "proto/json.h"

RECORD_DEFINE(admin_line)

enum err admin_line_write(struct slice pk, struct slice sk, struct slice value, struct buf *out)
{
	(void)buf_append_slice(out, SLICE("{\"pk\":"));
	enum err e = json_from_text(pk, out);
	if (e == OK) {
		(void)buf_append_slice(out, SLICE(",\"sk\":"));
		e = json_from_text(sk, out);
	}
	if (e == OK) {
		(void)buf_append_slice(out, SLICE(",\"value\":"));
		e = json_from_bytes(value, out);
	}
	(void)buf_append_slice(out, SLICE("}"));
	return e == OK ? out->error : e;
}
