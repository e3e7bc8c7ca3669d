/*
 * conn.h - a connection: receiving requests, sending answers, and closing.
 */
#ifndef SERVER_CORE_CONNS_CONN_H
#define SERVER_CORE_CONNS_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/base/frame_scan.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"
#include "proto/records/record.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/send_queue.h"
#include "server/core/server.h"
#include "server/core/timers.h"
#include "server/domain/base/uthash_config.h"

struct live_session;
struct pass;
struct server;
struct topic_subscription;

/* An incomplete message, or messages that wait because too many requests are unanswered. */
struct unread {
	struct buf bytes;
	struct frame_scan scan;
	int64_t since_mono; /* when its oldest byte arrived */
};

/*
 * There may be thousands of them. The members used for a delivery come first: about one cache
 * line.
 */
struct conn {
	struct conn_id id;
	bool is_greeted;
	bool is_eof;     /* the peer sends no more: close when all output is sent */
	bool is_closing; /* to be closed by FX_CLOSE; nothing more is read */
	bool close_sent;
	bool is_paused;
	bool is_blocked; /* the socket accepts no more output at present */
	/* requests that wait for rooms or facts, and block reading of later ones */
	unsigned char parked_alone;
	bool is_ready;   /* in server->ready */
	bool to_resume;  /* in server->resuming */
	bool is_owner;   /* as in struct peer */
	/* the server is frozen, and nothing but refusals was queued since: they may leave */
	bool is_refused;
	bool is_away; /* forwarded to its room's home (forward.h) */
	bool is_forwarded; /* as in struct peer, and so is is_kiosk */
	bool is_kiosk;
	unsigned char peer_kind; /* enum peer_kind */
	unsigned char passes_n;
	uint32_t uid; /* of a unix peer */
	unsigned short hosts_n;
	/* index of the next entry to overwrite, once there are CONNECTION_HOSTS */
	unsigned short hosts_next;
	unsigned pending; /* requests read and not answered */
	uint32_t away_msgid; /* away: of its session.hello */
	struct pass *passes;
	/* hashes of the host_keys it has sent; if there are too many, the oldest is overwritten */
	struct key_text *hosts;
	struct send_queue *send_queue; /* NULL: empty */
	int64_t progress_mono; /* when the peer last accepted a byte, while blocked */
	struct conn *ready_next, *ready_prev;

	struct live_session *session; /* NULL: not logged in */
	struct user_conns *user; /* the user of the session; NULL: none */
	struct conn *user_next, *user_prev;
	struct topic_subscription *topics; /* its subscriptions to topics, by conn_next */
	/*
	 * The address charged for its guesses: its own, or for a unix socket its user; NULL for
	 * the server's own user and root.
	 */
	struct address *guesser;
	struct bucket requests;
	struct bucket answers; /* the rate of bytes of answers */
	size_t owed;      /* bytes of answers in units of work that are not durable yet */
	struct unread *unread; /* NULL: nothing */
	union {
		int64_t opened_mono; /* until it is greeted */
		/*
		 * after that: sequence number of its latest session.hello, from which the nonce
		 * is derived
		 */
		uint64_t hello;
		uint64_t away_at; /* while it is away: number of the node */
	};
	struct timer timer;
	struct conn *resume_next, *resume_prev;
};

/* Return the address of its host; NULL for unix peers. */
static inline struct address *conn_address(const struct conn *c)
{
	return c->peer_kind == PEER_UNIX ? NULL : c->guesser;
}

/* The user that is logged in on a connection; both empty: none. */
struct conn_user {
	struct slice id, name;
	bool is_keyed;
};
/* Return the user; does not extend the session. Valid until the session ends. */
struct conn_user conn_user(struct server *s, struct conn *c);

/* No connection has this id. */
#define CONN_NOBODY ((struct conn_id){UINT32_MAX, 0})
/* Return the connection's id as one number, never 0. */
uint64_t conn_number(const struct conn *c);
bool conn_id_eq(struct conn_id a, struct conn_id b);
struct conn *conn_find(struct server *s, struct conn_id id);
void conn_open(struct server *s, struct conn_id id, const struct peer *peer);
void conn_bytes(struct server *s, struct conn *c, struct slice bytes);
/* The peer sends nothing more: send its answers, then close. */
void conn_eof(struct server *s, struct conn *c);
/* Send server.closing with the reason, then close. */
void conn_end(struct server *s, struct conn *c, const char *reason);
/* The reason where an answer would have to say whether a change was made. */
#define CONN_UNKNOWN                                                                               \
	"it is not known whether a change was saved; connect again and repeat what had no answer"
/* Close without a reason: memory is out, or the output is incomplete. */
void conn_lose(struct server *s, struct conn *c);
/* The same, and send nothing more, not even what waits. */
void conn_cut(struct server *s, struct conn *c);
/* The server is frozen no more: go on, and do not blame the peer for the time. */
void conn_thaw(struct server *s, struct conn *c);
/* conn_end() because of invalid input; counted and logged. */
void conn_break(struct server *s, struct conn *c, const char *reason);
/* The same for a reason of any length, which may repeat what the peer sent. */
void conn_break_for(struct server *s, struct conn *c, struct slice reason);
#define CONN_NO_MESSAGE "the data received is not MessagePack-RPC"
void conn_destroy(struct server *s, struct conn *c);
void conn_timer(struct server *s, struct conn *c);
/* Return whether its peer is the host's ssh kiosk, by its uid. */
bool conn_is_kiosk(const struct server *s, const struct conn *c);
/* Return the nonce of its last session.hello. */
struct key_text conn_nonce(const struct server *s, const struct conn *c);
/*
 * Append to its send queue and mark it as having output. If memory is out, or the queue is full,
 * the connection is closed.
 */
void conn_send(struct server *s, struct conn *c, struct slice bytes);
/* The same, followed by the frame's bytes from `body` on. */
void conn_send_full(struct server *s, struct conn *c, struct slice bytes, struct frame *f);
/*
 * Charge the connection for so many bytes of answers: if it requests too many per second, its
 * next request is read later.
 */
void conn_charge(struct server *s, struct conn *c, size_t bytes);
void conn_answered(struct server *s, struct conn *c);
/* Continue with c->unread, if the reason for waiting is gone. */
void conn_resume_soon(struct server *s, struct conn *c);
void conn_resume_all(struct server *s);
struct pass *conn_pass(struct conn *c, const char *room_id);
/*
 * Return whether the connection may have a pass for the room: it has one, or not too many are in
 * use.
 */
bool conn_may_pass(struct conn *c, const char *room_id);
/* Return the pass, creating it if there is none; NULL if there are too many or memory is out. */
struct pass *conn_pass_make(struct conn *c, const char *room_id);
/*
 * Record that the connection has sent a room's host_key. If memory is out, it only has to be sent
 * again.
 */
void conn_keep_host(struct conn *c, const struct key_text *host_hash);
/* Return whether the connection has sent this host_key. */
bool conn_is_host(const struct conn *c, const struct key_text *host_hash);
/* Answer immediately, outside any unit of work. */
void conn_refuse(struct server *s, struct conn *c, enum method method, uint32_t msgid, const struct fault *fault);
void conn_result(struct server *s, struct conn *c, enum method method, uint32_t msgid, const struct record *rec, const void *result);

/* ---- user_conns.c: the connections on which a user is logged in now, with any session ---- */

/* A user with connections. Life: the first user_conns_join() .. the last user_conns_leave(). */
struct user_conns {
	struct conn *conns; /* utlist by user_next */
	UT_hash_handle hh;  /* by user_id */
	size_t len;
	char user_id[];
};

/*
 * Make the connection this user's, and no other's any more. Returns false if memory is out:
 * nothing changed.
 */
bool user_conns_join(struct server *s, struct conn *c, struct slice user_id);
/* Remove the connection from its user's; it need not belong to any. */
void user_conns_leave(struct server *s, struct conn *c);

/* Let them go on with what they have sent, if nothing else holds it. */
void user_conns_resume(struct server *s, struct slice user_id);
/* Return whether the user is logged in on any connection. */
bool user_is_connected(const struct server *s, struct slice user_id);
/*
 * Send an encoded transient notification to these connections, except those whose send queue is
 * too long.
 */
void user_notify(struct server *s, struct slice user_id, struct slice notification);

#endif
