/*
 * wire_error.h - the error of a response: `struct fault`, and its codes.
 *
 * The codes are stable: a client may branch on them. The message is
 * for people, says what happened and what to do, and never holds a secret or
 * another member's data. Errors between functions are in err.h.
 */
#ifndef PROTO_WIRE_ERROR_H
#define PROTO_WIRE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buf.h"
#include "proto/err.h"

/*        code                 meaning */
#define FAULT_CODES(X)                                                                             \
	X(VALIDATION_ERROR,    "A field is missing, unknown, repeated, of the wrong type or out of range; `field` names it") \
	X(UNKNOWN_METHOD,      "There is no method of that name")                                  \
	X(UNAUTHENTICATED,     "session.hello, a user_key or a host_key must come first")          \
	X(FORBIDDEN,           "The caller may not do this")                                       \
	X(ROOM_NOT_FOUND,      "No such room, for this caller")                                    \
	X(QUESTION_NOT_FOUND,  "No such question, for this caller")                                \
	X(NOT_FOUND,           "The request names something that does not exist")                              \
	X(NAME_TAKEN,          "The name is in use by another user")                              \
	X(CONFLICT,            "The state does not allow this now")                                \
	X(ALREADY_ANSWERED,    "This caller has answered before")                                  \
	X(QUESTION_CLOSED,     "The question takes no more answers")                               \
	X(EXPIRED,             "It has expired")                                                 \
	X(QUOTA_EXCEEDED,      "The caller has as many of these as one may have; end one first")    \
	X(ROOM_FULL,           "No seat is left")                                                  \
	X(ROOM_LOCKED,         "The room takes no new members")                                    \
	X(PASSCODE_REQUIRED,   "The room has a passcode, and none was sent, or another")           \
	X(TOO_LARGE,           "A size limit was crossed; `field` names what crossed it, where one thing did")                                         \
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

/* Whether the fault is about a name: another one may be allowed. */
bool fault_is_of_name(const struct fault *f);

/* For people: "username: is wider than 32 cells", or the message alone. */
enum { FAULT_LINE_BYTES_MAX = 268 };
void fault_line(const struct fault *f, char *out, size_t cap);

#endif
