/*
 * conn.h - a connection: its bytes in, its answers out, its end.
 */
#ifndef SERVER_CORE_CONNS_CONN_H
#define SERVER_CORE_CONNS_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/base/frame_scan.h"
#include "proto/keys/key_hash.h"
#include "proto/records/record.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/send_queue.h"
#include "server/core/server.h"
#include "server/core/timers.h"

struct live_session;
struct pass;
struct server;
struct topic_subscription;

/* A message of which only a part is here, or messages that wait because too much is unanswered. */
struct unread {
	struct buf bytes;
	struct frame_scan scan;
	int64_t since_mono; /* when the oldest of it came */
};

/* There is one for each of thousands of peers: what a delivery touches stands first and together: about one cache line. */
struct conn {
	struct conn_id id;
	bool is_greeted;
	bool is_eof;     /* the peer sends no more: close when it has what it is owed */
	bool is_closing; /* FX_CLOSE is wanted; nothing more is read */
	bool close_sent;
	bool is_paused;
	bool is_blocked; /* the socket takes no more for now */
	unsigned char parked_alone; /* requests that wait, for their rooms or for facts, behind which nothing more is read */
	bool is_ready;   /* in server->ready */
	bool to_resume;  /* in server->resuming */
	bool is_owner;   /* as struct peer has it */
	unsigned char peer_kind; /* enum peer_kind */
	unsigned char passes_n;
	uint32_t uid; /* of a unix peer */
	unsigned short hosts_n;
	unsigned short hosts_next; /* where the next is written, once there are CONNECTION_HOSTS */
	unsigned pending; /* requests read and not answered */
	struct pass *passes;
	struct key_text *hosts; /* hashes of the host_keys it has shown; the oldest is overwritten where there are too many */
	struct send_queue *send_queue; /* NULL: nothing is in it */
	int64_t progress_mono; /* when the peer last took a byte, while blocked */
	struct conn *ready_next, *ready_prev;

	struct live_session *session; /* NULL: nobody is logged in */
	struct user_conns *user; /* of that session; NULL: nobody */
	struct conn *user_next, *user_prev;
	struct topic_subscription *topics; /* it subscribes to, by conn_next */
	struct address *address; /* NULL for unix peers */
	struct address *guesser; /* whose guesses its guesses are: its address, or on a unix socket its user; NULL for the server's own and root */
	struct bucket requests;
	struct bucket answers; /* of their bytes */
	size_t owed;      /* bytes of answers that wait in units of work */
	struct unread *unread; /* NULL: nothing */
	union {
		int64_t opened_mono; /* until it is greeted */
		uint64_t hello; /* from then on: sequence number of this connection's latest session.hello; the nonce derives from it */
	};
	struct timer timer;
	struct conn *resume_next, *resume_prev;
};

/* The user that is logged in on a connection; both empty: none. */
struct conn_user {
	struct slice id, name;
	bool is_keyed;
};
/* Of a call: it prolongs the session. Valid until the session ends. */
struct conn_user conn_user(struct server *s, struct conn *c);

/* No connection has this id. */
#define CONN_NOBODY ((struct conn_id){UINT32_MAX, 0})
/* A connection as one number, never 0. */
uint64_t conn_number(const struct conn *c);
bool conn_id_eq(struct conn_id a, struct conn_id b);
struct conn *conn_find(struct server *s, struct conn_id id);
void conn_open(struct server *s, struct conn_id id, const struct peer *peer);
void conn_bytes(struct server *s, struct conn *c, struct slice bytes);
/* Nothing more comes from the peer; its answers still go out, then the connection ends. */
void conn_eof(struct server *s, struct conn *c);
/* Send server.closing with the reason, then close. */
void conn_end(struct server *s, struct conn *c, const char *reason);
/* The same without a reason: memory is out, or what it was sent is cut. */
void conn_lose(struct server *s, struct conn *c);
/* conn_end() where what the peer sent cannot be taken: counted and logged. */
void conn_break(struct server *s, struct conn *c, const char *reason);
#define CONN_NO_MESSAGE "the data received is not MessagePack-RPC"
void conn_destroy(struct server *s, struct conn *c);
void conn_timer(struct server *s, struct conn *c);
/* Whether its peer is the host's ssh kiosk, by its uid. */
bool conn_is_kiosk(const struct server *s, const struct conn *c);
/* The nonce of its last session.hello. */
struct key_text conn_nonce(const struct server *s, const struct conn *c);
/* Append to its send queue, and make it output. Where memory is out, or the queue is full, the connection ends. */
void conn_send(struct server *s, struct conn *c, struct slice bytes);
/* The same, and behind it the frame's bytes from its body on. */
void conn_send_full(struct server *s, struct conn *c, struct slice bytes, struct frame *f);
/* It has asked for so many bytes: when they are too many a second, the next request is read later. */
void conn_charge(struct server *s, struct conn *c, size_t bytes);
void conn_answered(struct server *s, struct conn *c);
/* Go on with what waits in c->unread, if what made it wait is over. */
void conn_resume_soon(struct server *s, struct conn *c);
void conn_resume_all(struct server *s);
struct pass *conn_pass(struct conn *c, const char *room_id);
/* Whether it may have a pass of the room: it has one, or not too many that are in use. */
bool conn_may_pass(struct conn *c, const char *room_id);
/* The pass, made where there is none; NULL where it may not, or memory is out. */
struct pass *conn_pass_make(struct conn *c, const char *room_id);
/* Remember that the connection has sent a room's host_key. Where memory is out it has to be sent again, no more. */
void conn_keep_host(struct conn *c, const struct key_text *host_hash);
/* Whether the connection has sent that room's host_key. */
bool conn_is_host(const struct conn *c, const struct key_text *host_hash);
/* Answer now, outside any unit of work. */
void conn_refuse(struct server *s, struct conn *c, enum method method, uint32_t msgid, const struct fault *fault);
void conn_result(struct server *s, struct conn *c, enum method method, uint32_t msgid, const struct record *rec, const void *result);

#endif
