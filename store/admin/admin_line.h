/*
 * admin_line.h - one line of a dump.
 */
#ifndef STORE_ADMIN_ADMIN_LINE_H
#define STORE_ADMIN_ADMIN_LINE_H

#include "proto/base/buf.h"
#include "proto/records/record.h"
#include "store/items.h"

#define RECORD_admin_line(F)                                                                       \
	F(STR, pk, _, FIELD_REQ, 1, ITEM_KEY_BYTES_MAX, "Partition key")                           \
	F(STR, sk, _, FIELD_REQ, 0, ITEM_KEY_BYTES_MAX, "Sort key")                                \
	F(ANY, value, _, FIELD_REQ, 1, 1 << 20, "The item, as its kind's record")
RECORD_DECLARE(admin_line)

/*
 * Append the line as JSON. ERR_INVALID, ERR_PROTO: the bytes have no JSON form. ERR_NOMEM,
 * ERR_TOO_LARGE.
 */
NODISCARD enum err admin_line_write(struct slice pk, struct slice sk, struct slice value, struct buf *out);

#endif
