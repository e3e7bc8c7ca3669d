/*
 * session_uv.h - a connection for a program that goes from top to bottom.
 *
 * A verb asks, waits for what happens next, and goes on: no loop, no callbacks
 * in sight. What happened while it looked elsewhere is kept in order. For
 * following a room through losses there is follow_uv.h.
 *
 * Life:    session_open() .. session_close().
 * Threads: one thread per session.
 */
#ifndef CLIENT_NET_SESSION_UV_H
#define CLIENT_NET_SESSION_UV_H

#include <stdbool.h>
#include <stdint.h>

#include "client/model/sign_in.h"
#include "client/net/address.h"
#include "proto/arena.h"
#include "proto/err.h"
#include "proto/methods.h"
#include "proto/slice.h"
#include "proto/wire_error.h"

struct session;

/*
 * Connect, say hello, and sign in where sign_in says how; it is borrowed until
 * session_close(). NULL: a stranger.
 *
 * ERR_CLOSED   nobody there, or not our protocol; *why.
 * ERR_UNKNOWN  no answer within timeout_ms; *why.
 * ERR_NOMEM
 */
NODISCARD enum err session_open(const struct address *address, struct sign_in *sign_in, int64_t timeout_ms,
				struct session **out, struct errmsg *why);
/*
 * Likewise, for who goes on with session_call(): hello's answer is not waited
 * for, so the first call leaves right behind it. What the others fail for then
 * fails that call: with ERR_CLOSED, session_why() naming the address.
 */
NODISCARD enum err session_open_early(const struct address *address, struct sign_in *sign_in,
				      int64_t timeout_ms, struct session **out, struct errmsg *why);
/* NULL is fine. */
void session_close(struct session *s);

/* Send a request; its answer comes as an event with the id. ERR_CLOSED, ERR_BUSY, ERR_NOMEM. */
NODISCARD enum err session_send(struct session *s, struct slice method, struct slice params, uint32_t *id);

enum session_event_kind {
	SESSION_ANSWER,    /* id, is_refused, value: the result or the error map */
	SESSION_NOTICE,    /* method, value: its params */
	SESSION_LINE,      /* value: a line of standard input */
	SESSION_INPUT_END, /* error: OK, or why no more lines come */
	SESSION_TIMEOUT,
	SESSION_LOST       /* the connection has ended; text says why. Nothing follows but lines. */
};

/* value is MessagePack except for a line; "nil" is one byte. All valid until the next call with the session. */
struct session_event {
	enum session_event_kind kind;
	uint32_t id;
	bool is_refused;
	enum err error;
	struct slice method;
	struct slice value;
	const char *text;
};

/* The next thing that happens, or SESSION_TIMEOUT after timeout_ms (negative: never). */
struct session_event session_next(struct session *s, int64_t timeout_ms);

/* Begin to read standard input. ERR_IO, ERR_NOMEM. */
NODISCARD enum err session_read_input(struct session *s, int fd);
/* Hold lines back, and let them come again. */
void session_pause_input(struct session *s, bool is_paused);

/*
 * One request and its answer; notices that come meanwhile are dropped.
 *
 * @method  its row says which records these are.
 * @params  of the row's params record.
 * @result  of the row's result record; written where it was not refused. Strings live in arena.
 *
 * ERR_UNKNOWN  no answer within timeout_ms.
 * ERR_CLOSED   the connection ended first.
 * ERR_PROTO    the answer is none of the method's.
 * ERR_NOMEM, ERR_BUSY, ERR_TOO_LARGE.
 * All but ERR_NOMEM are described in session_why().
 */
NODISCARD enum err session_call(struct session *s, enum method method, const void *params,
				int64_t timeout_ms, struct arena *arena, void *result, bool *is_refused,
				struct fault *fault);

/* The error map of a refused answer; always fills *out. */
void session_read_fault(struct slice value, struct fault *out);

/* What went wrong last; valid until the next call with the session. */
const char *session_why(const struct session *s);

/* Milliseconds on a clock that never goes back. */
int64_t session_now_ms(void);

/* Fill len bytes from the system's generator: for idempotency keys and seeds. */
void session_random(void *out, size_t len);

#endif
