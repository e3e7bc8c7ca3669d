/*
 * request.h - a request that is being put together: a method, and its params by name.
 *
 * Keys, typed lines and verbs fill it field by field; a name is one of the rows of
 * the method's params, or a path such as policy.lobby. Each value is checked by its row
 * (record.h), so what the server would refuse is known before it is asked. The first
 * value that is none is remembered with its reason, and the request is not to be sent:
 * one check at the end is enough.
 *
 * What every request has (the room's code, keys) is filled in just before it is sent.
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
	void *params; /* of method_rows[method].params; its texts end with NUL */
	const char *name; /* what people call the act: the command it came from; static, NULL: none */
	struct fault fault; /* code FAULT_NONE: it may be sent; else the field, and why it may not be that */
	struct arena texts;
	unsigned refs;
};

struct request *request_make(enum method method);
/* One more owner. */
struct request *request_ref(struct request *r);
/* NULL is fine. */
void request_free(struct request *r);

/* Texts are copied and, where people write them, cleaned as the server would. */
void request_text(struct request *r, const char *name, const char *text);
void request_int(struct request *r, const char *name, int64_t value);
void request_bool(struct request *r, const char *name, bool value);
void request_nil(struct request *r, const char *name);
/* A list of strings. */
void request_texts(struct request *r, const char *name, const struct slices *texts);
/* One MessagePack value. */
void request_bytes(struct request *r, const char *name, struct slice bytes);
/* Whatever the row takes, as a person types it: text, a word, a number, on or off; "" and NULL are nil where it may be nil. */
void request_value(struct request *r, const char *name, const char *typed);

/* Whether that was filled in. */
bool request_has(const struct request *r, const char *name);
/* The row of that name, and the record that it is in at *in; NULL: there is none. */
const struct field *request_field(const struct request *r, const char *name, const void **in);
/* Whether something in it is secret; asked before request_fill_common(). */
bool request_is_secret(const struct request *r);

/* What each request has where its params have such a field; "" and NULL: not known. */
struct request_common {
	const char *room_id;
	const char *user_key;
	const char *host_key;
	const char *idempotency_key;
};
/* Fill in what is not there yet. */
void request_fill_common(struct request *r, const struct request_common *common);

/* Whether the result is a page of which the server could not read all; and what to say then. */
bool request_is_partial(enum method method, const void *result);
#define PARTIAL_RESULT "some entries are damaged on the server and are missing here"

#endif
