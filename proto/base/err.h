/*
 * err.h - the errors of calls inside the program.
 *
 * Code branches on them. The errors of the protocol are a separate, stable list (fault.h); people
 * read the message of a fault, or a text of the program. Error codes of libraries are translated
 * once, where the library is called.
 */
#ifndef PROTO_BASE_ERR_H
#define PROTO_BASE_ERR_H

/*        symbol         text */
#define ERRS(X)                                                              \
	X(OK,            "ok")                                               \
	X(ERR_NOMEM,     "out of memory")                                    \
	X(ERR_MORE,      "more input is needed")                             \
	X(ERR_PROTO,     "not the protocol")                                 \
	X(ERR_INVALID,   "not valid")                                        \
	X(ERR_TOO_LARGE, "too large")                                        \
	X(ERR_NOT_FOUND, "not found")                                        \
	X(ERR_CONFLICT,  "changed by another commit")                        \
	X(ERR_FENCED,    "taken by another process")                         \
	X(ERR_BUSY,      "too many waiting already")                                               \
	X(ERR_FULL,      "no space is left")                                 \
	X(ERR_IO,        "reading or writing failed")                        \
	X(ERR_CORRUPT,   "the data is damaged")                              \
	X(ERR_VERSION,   "written by a newer version")                       \
	X(ERR_UNKNOWN,   "the result is unknown")                                                  \
	X(ERR_CLOSED,    "closed")

enum err {
#define ERR_ENUM(symbol, text) symbol,
	ERRS(ERR_ENUM)
#undef ERR_ENUM
};

/* The caller must check the result. */
#define NODISCARD __attribute__((warn_unused_result))

/* Return the text of an error, from its row; static. */
const char *err_text(enum err e);

/* The description of a failure for people; fixed size, so that describing a failure cannot fail. */
struct errmsg {
	char text[256];
};

/*
 * Set the description, or put "prefix: " in front of the existing one. Text that is too long is
 * truncated.
 */
void errmsg_set(struct errmsg *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void errmsg_prefix(struct errmsg *m, const char *prefix);

#endif
