/*
 * follow_uv.h - one room, followed over a connection that may come and go.
 *
 * Puts model/membership.h on a link: carries its requests out, its answers and
 * the notifications in, and runs its pauses. Other acts on the room are sent
 * at once or refused at once.
 *
 * Life:    follow_open() .. follow_close(); the loop gives the memory back.
 *          Callbacks may call follow_close().
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_FOLLOW_UV_H
#define CLIENT_NET_FOLLOW_UV_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "client/model/membership.h"
#include "client/model/sign_in.h"
#include "client/net/address.h"
#include "proto/err.h"

struct follow;

struct follow_handler {
	/* news: bits of enum membership_news, never 0. */
	void (*on_news)(void *owner, unsigned news);
	/* why and retry_ms as connection_uv.h has them; NULL and 0 when it is up. */
	void (*on_link)(void *owner, bool is_up, const char *why, int64_t retry_ms);
	/* Every notification as it came, before it is taken. May be NULL. */
	void (*on_raw)(void *owner, struct slice method, const struct msgpack_object *params);
	/* An act of follow_ask() was refused, or its connection ended; f->current is valid for the call. */
	void (*on_refusal)(void *owner, enum method method, const struct fault *f);
	/* An act of follow_ask() was done. May be NULL. */
	void (*on_done)(void *owner, enum method method);
	/* The same with what it brought, valid for the call; comes first. May be NULL. */
	void (*on_result)(void *owner, enum method method, const struct msgpack_object *result);
};

/* @room_id  upper case. @user_key  "" for a new seat. ERR_NOMEM. */
NODISCARD enum err follow_open(uv_loop_t *loop, const struct address *address, const char *room_id,
			       const char *user_key, const struct follow_handler *on, void *owner,
			       struct follow **out);
/* Be this user; called right after follow_open(). Borrowed until follow_close(); NULL: a stranger. */
void follow_sign_in(struct follow *f, struct sign_in *s);
void follow_close(struct follow *f);

struct connection; /* connection_uv.h */
/*
 * The same on a connection that is there already: it becomes the follow's, and
 * *link NULL. Call follow_go() when what is wanted has been said. on_link is not
 * called for a connection that is up by now: follow_is_up() says so.
 * ERR_NOMEM: the link is still the caller's.
 */
NODISCARD enum err follow_take(uv_loop_t *loop, struct connection **link, const char *room_id,
			       const char *user_key, const struct follow_handler *on, void *owner,
			       struct follow **out);
/*
 * As follow_close(), but the connection stays. The caller calls connection_hand_over()
 * at once; the server still thinks that the room is followed.
 */
struct connection *follow_release(struct follow *f);

/* What is known and wanted. Change it only through attend_want_*(), then call follow_go(). */
struct membership *follow_attend(struct follow *f);
/* Send what is to be sent now. */
void follow_go(struct follow *f);

bool follow_is_up(const struct follow *f);

/* The server's time now, in ms since the epoch, as near as its last hello tells; 0: not known yet. */
int64_t follow_server_ms(const struct follow *f);

/*
 * Any other act on the room. @params  of the method's params record.
 * ERR_CLOSED  no connection now; nothing was sent. ERR_BUSY, ERR_NOMEM, ERR_TOO_LARGE.
 */
NODISCARD enum err follow_ask(struct follow *f, enum method method, const void *params);

#endif
