/*
 * json.h - MessagePack values as JSON, and back.
 *
 * One to one for what we send: nil, booleans, integers, floats, UTF-8 strings,
 * arrays, maps with string keys (order kept). Binary has no JSON form here and
 * is refused. JSON text is read by jansson.
 */
#ifndef PROTO_JSON_H
#define PROTO_JSON_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

struct msgpack_object;

/*
 * Append one line of JSON (no newline, no spaces) for a MessagePack value.
 * Control and invisible characters are escaped, so a line is a line and safe to print.
 * On failure nothing is appended.
 *
 * ERR_PROTO    bytes that are no single value.
 * ERR_INVALID  binary, ext, floats that are no number, keys that are no strings, deeper than FRAME_DEPTH.
 * ERR_NOMEM, ERR_TOO_LARGE  also kept in the buffer.
 */
NODISCARD enum err json_from_bytes(struct slice msgpack, struct buf *out);
NODISCARD enum err json_from_object(const struct msgpack_object *value, struct buf *out);
/* The same of a string alone, with its quotes. ERR_INVALID: it is not UTF-8. */
NODISCARD enum err json_from_text(struct slice text, struct buf *out);

/*
 * Append the MessagePack form of JSON text; nothing on failure.
 * ERR_INVALID  not JSON, repeated keys, deeper than FRAME_DEPTH, an integer beyond signed 64 bits; *why says
 *              where, and never repeats the text, which may hold a key.
 * ERR_NOMEM, ERR_TOO_LARGE
 */
NODISCARD enum err json_to_bytes(struct slice json, struct buf *out, struct errmsg *why);

#endif
