/*
 * request.h - build a request: a method and its params, set by name.
 *
 * Keys, typed lines and verbs fill it field by field; a name is a field of the
 * method's params record, or a path such as policy.lobby. Each value is checked
 * against its field (record.h), so most refusals are known before sending. The first
 * invalid value is remembered in `fault`, and the request must not be sent then: one
 * check at the end is enough.
 *
 * The params common to all requests (room_id and keys) are filled in before sending.
 *
 * Life: request_make() .. request_free(), once for each request_ref().
 */
#ifndef CLIENT_MODEL_REQUEST_H
#define CLIENT_MODEL_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/methods.h"

struct request {
	enum method method;
	void *params; /* of method_rows[method].params; its texts are NUL-terminated */
	const char *name; /* the command that made it, for people; static; NULL: none */
	/* FAULT_NONE: it may be sent; otherwise which field is invalid, and why */
	struct fault fault;
	struct arena texts;
	unsigned refs;
};

struct request *request_make(enum method method);
/* Add an owner. */
struct request *request_ref(struct request *r);
/* Drop an owner; the last one frees it. NULL is allowed. */
void request_free(struct request *r);

/* Texts are copied; those that people write are cleaned as the server does it. */
void request_text(struct request *r, const char *name, const char *text);
void request_int(struct request *r, const char *name, int64_t value);
void request_bool(struct request *r, const char *name, bool value);
void request_nil(struct request *r, const char *name);
/* A list of strings. */
void request_texts(struct request *r, const char *name, const struct slices *texts);
/* One MessagePack value. */
void request_bytes(struct request *r, const char *name, struct slice bytes);
/*
 * Set a field from what a person typed: text, a word, a number, on or off. "" and NULL set it to
 * nil if the field is nullable.
 */
void request_value(struct request *r, const char *name, const char *typed);

/* Whether the field is set. */
bool request_has(const struct request *r, const char *name);
/*
 * The field of that name, with *in set to the record value that contains it; NULL: there is none.
 */
const struct field *request_field(const struct request *r, const char *name, const void **in);
/* Whether a field that is set is secret; call it before request_fill_common(). */
bool request_is_secret(const struct request *r);

/* The params common to all requests that have such fields; "" and NULL: not known. */
struct request_common {
	const char *room_id;
	const char *user_key;
	const char *host_key;
	const char *idempotency_key;
};
/* Fill in those that are not set yet; the room only where the method requires one. */
void request_fill_common(struct request *r, const struct request_common *common);

/*
 * Write the params of a method, a record, as MessagePack. *out is initialised, and the caller's to
 * finish. ERR_TOO_LARGE: they do not fit in MAX_FRAME_BYTES.
 */
NODISCARD enum err request_write(enum method method, const void *params, struct buf *out);

/*
 * Whether the result is a page with entries missing that the server could not read; the message
 * then.
 */
bool request_is_partial(enum method method, const void *result);
#define PARTIAL_RESULT "some entries are damaged on the server and are missing here"

#endif
