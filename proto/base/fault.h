/*
 * fault.h - the error of a response: `struct fault`, and its codes.
 *
 * The codes are stable: a client may branch on them. The message is
 * for people, says what happened and what to do, and never holds a secret or
 * another member's data. Errors between functions are in err.h.
 */
#ifndef PROTO_BASE_FAULT_H
#define PROTO_BASE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/words.h"

/*        code                 meaning */
#define FAULT_CODES(X)                                                                             \
	X(VALIDATION_ERROR,    "A field is missing, unknown, repeated, of the wrong type or out of range; `field` names it") \
	X(UNKNOWN_METHOD,      "No method has that name")                                          \
	X(UNAUTHENTICATED,     "session.hello, a user_key or a host_key must come first")          \
	X(FORBIDDEN,           "The caller may not do this")                                       \
	X(ROOM_NOT_FOUND,      "No such room, for this caller")                                    \
	X(QUESTION_NOT_FOUND,  "No such question, for this caller")                                \
	X(NOT_FOUND,           "The request names something that does not exist")                              \
	X(NAME_TAKEN,          "Another user has that name")                                       \
	X(CONFLICT,            "The state does not allow this now")                                \
	X(ALREADY_ANSWERED,    "The caller has already answered")                                  \
	X(QUESTION_CLOSED,     "The question is closed")                                           \
	X(EXPIRED,             "It has expired")                                                 \
	X(QUOTA_EXCEEDED,      "The caller has too many of these; end one first")                  \
	X(ROOM_FULL,           "No seat is free")                                                  \
	X(ROOM_LOCKED,         "The room is locked")                                               \
	X(PASSCODE_REQUIRED,   "The room has a passcode, and none or a wrong one was sent")        \
	X(TOO_LARGE,           "A size limit was exceeded; `field` names the field, if there is one") \
	X(RATE_LIMITED,        "Too often; `retry_after_ms` says when to try again")               \
	X(UNAVAILABLE,         "The server cannot do this now; nothing was changed; try again")    \
	X(SERVER_ERROR,        "An internal error; the server's log has it")

enum fault_code {
	FAULT_NONE,
#define FAULT_ENUM(code, meaning) FAULT_##code,
	FAULT_CODES(FAULT_ENUM)
#undef FAULT_ENUM
	FAULT_COUNT
};

struct fault {
	enum fault_code code;
	char field[64]; /* a path such as since.epoch or valid_sizes[3]; "" where no field is at fault */
	char message[200];
	/* What the message says of bounds, for who words it anew; FAULT_RULE_NONE: the rest says nothing. */
	enum fault_rule rule;
	int64_t least, most; /* INT64_MAX: there is no most */
	char unit[32];	     /* "bytes", "cells", "items" ...; "": a number */
	struct slice current;	/* MessagePack of the present value, for CONFLICT on shared data; borrowed; else empty */
	int64_t retry_after_ms; /* 0 where waiting does not help */
};

/* "VALIDATION_ERROR"; static. fault_code_of() is FAULT_NONE for a name that is no code. */
const char *fault_code_name(enum fault_code code);
enum fault_code fault_code_of(struct slice name);

/*
 * Fill *f, naming the field at fault ("" where none is); returns the code so that a handler can
 * `return fault_set_field(...)`. Field and message are cut where they are too long.
 */
enum fault_code fault_set_field(struct fault *f, enum fault_code code, const char *field, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* fault_set(f, code, format, ...): the same, without a field. */
#define fault_set(f, code, ...) fault_set_field((f), (code), "", __VA_ARGS__)

/* fault_field(f, field, format, ...): VALIDATION_ERROR naming a field. The message is what is wrong with it, to be read after its name: "must be a string". */
#define fault_field(f, field, ...) fault_set_field((f), FAULT_VALIDATION_ERROR, (field), __VA_ARGS__)

/* Say in figures what the message, which is there already, says of bounds. Returns the code. */
enum fault_code fault_bounds(struct fault *f, enum fault_rule rule, int64_t least, int64_t most, const char *unit);

/* Whether the fault is about a name: another one may be allowed. */
bool fault_is_of_name(const struct fault *f);

/* For people: "username: is wider than 32 cells", or the message alone. */
enum { FAULT_LINE_BYTES_MAX = 268 };
void fault_line(const struct fault *f, char *out, size_t cap);

#endif
