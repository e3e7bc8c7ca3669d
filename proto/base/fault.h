/*
 * fault.h - the error of a response: `struct fault`, and its codes.
 *
 * The codes are stable: a client may depend on them. The message is for people: it says what
 * happened and what to do, and never contains a secret or another member's data. Errors inside
 * the program are in err.h.
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
	X(ALREADY_ANSWERED,    "The caller has answered the question; an answered question cannot be skipped")                            \
	X(QUESTION_CLOSED,     "The question is closed")                                           \
	X(EXPIRED,             "It has expired")                                                 \
	X(QUOTA_EXCEEDED,      "The caller has too many of these; end one first")                  \
	X(ROOM_FULL,           "No seat is free")                                                  \
	X(ROOM_LOCKED,         "The room is locked")                                               \
	X(PASSCODE_REQUIRED,   "The room has a passcode, and none or a wrong one was sent")        \
	X(TOO_LARGE,           "A size limit was exceeded; `field` names the field, if there is one") \
	X(RATE_LIMITED,        "Too often; `retry_after_ms` says when to try again")               \
	X(ELSEWHERE,           "Another server has the room: connect again with `room_id` in session.hello, to the address in `home` if there is one") \
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
	/* a path such as since.epoch or valid_sizes[3]; "" if the fault is not about a field */
	char field[64];
	char message[200];
	/*
	 * The bounds in the message as numbers, for a client with its own wording.
	 * FAULT_RULE_NONE: the next three members are not set.
	 */
	enum fault_rule rule;
	int64_t least, most; /* most INT64_MAX: no upper bound */
	char unit[32];	     /* "bytes", "cells", "items" ...; "": a plain number */
	/* current value as MessagePack, for CONFLICT on shared data; borrowed; otherwise empty */
	struct slice current;
	int64_t retry_after_ms; /* 0 if waiting does not help */
	/*
	 * of ELSEWHERE: the room, and the address of the server that has it if clients can connect
	 * to that one; borrowed, otherwise empty
	 */
	struct slice room_id, home;
};

/*
 * Return the name of a code, such as "VALIDATION_ERROR" (static), and the code of a name;
 * FAULT_NONE for an unknown name.
 */
const char *fault_code_name(enum fault_code code);
enum fault_code fault_code_of(struct slice name);

/*
 * Fill in *f with a code, the path of the field ("" for none) and a message. Returns the code, so
 * that a handler can `return fault_set_field(...)`. Field and message are truncated if too long.
 */
enum fault_code fault_set_field(struct fault *f, enum fault_code code, const char *field, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* fault_set(f, code, format, ...): the same, without a field. */
#define fault_set(f, code, ...) fault_set_field((f), (code), "", __VA_ARGS__)

/*
 * fault_field(f, field, format, ...): VALIDATION_ERROR for a field. The message says what is
 * wrong with it, and is read after the field's name: "must be a string".
 */
#define fault_field(f, field, ...) fault_set_field((f), FAULT_VALIDATION_ERROR, (field), __VA_ARGS__)

/* Add the bounds that the message of *f mentions, as numbers. Returns the code. */
enum fault_code fault_bounds(struct fault *f, enum fault_rule rule, int64_t least, int64_t most, const char *unit);

/* Empty what the fault borrows, so that it can be kept. */
void fault_let_go(struct fault *f);

/* Return whether the fault is about a name, so that another name may be accepted. */
bool fault_is_of_name(const struct fault *f);

/* Write the fault for people: "username: is wider than 32 cells", or only the message. */
enum { FAULT_LINE_BYTES_MAX = 268 };
void fault_line(const struct fault *f, char *out, size_t cap);

#endif
