/*
 * connection_priv_uv.h - what the files of connection_uv.h share.
 */
#ifndef CLIENT_NET_CONNECTION_PRIV_UV_H
#define CLIENT_NET_CONNECTION_PRIV_UV_H

#include "client/model/memory.h"

#define uthash_malloc(size) memory_new(1, size)
/* The default one's unmarked fall-throughs are warnings for clang; msgids are small numbers and
 * need no better. */
#define HASH_FUNCTION HASH_SAX
#include <uthash.h>

#include "client/net/connection_uv.h"
#include "client/net/transport/transport_uv.h"
#include "proto/keys/room_code.h"
#include "proto/rpc.h"

/* A request without an answer. It is kept whole, as it may have to be made again at another node. */
struct connection_pending {
	uint32_t msgid;
	enum method method;
	uint64_t sent_ms; /* of the loop's clock */
	connection_answer_cb cb;
	void *arg;
	UT_hash_handle hh;
	struct connection_pending *next; /* in connection->moving */
	size_t name_len, params_len;
	char bytes[]; /* the method's name, then the params */
};

/*
 *   heard --nothing for ping_ms--> asked --nor for a fifth of it--> silent --nor for the rest--> a last look, and lost
 *     ^------------------------------+--------- any frame ------------+
 */
enum connection_watch { WATCH_HEARD, WATCH_ASKED, WATCH_SILENT };

struct connection {
	uv_loop_t *loop;
	struct address address;
	struct connection_timing timing;
	struct connection_handler on;
	void *owner;
	bool keeps_trying;
	bool has_tried;
	bool may_ask;	 /* the first try's ssh may ask a person for what it needs */
	bool is_greeted; /* hello was answered */
	bool is_signing; /* a way to sign in has been asked for, and not answered */
	bool is_open;	 /* nothing of that is left to do: requests may be made */
	bool is_up;	 /* both */
	bool is_used;	 /* the owner has made a request */
	bool is_closing;
	enum connection_watch watch;
	uint64_t heard_ms; /* when the last frame came, of the loop's clock */
	unsigned tries;
	struct sign_in *sign_in; /* NULL: a stranger */
	char nonce[KEY_CHARS + 1];
	int64_t epoch_ms; /* the server's time when the loop's clock stood at 0; 0: not known */
	char web[MAX_WEB_BYTES + 1];
	/* what it said when it closed; "" once it is reached again */
	char closing[MAX_CLOSING_REASON_BYTES + 1];
	char server[48]; /* its name and version, as much of it as is shown */

	/* which hello names, so that its home is reached; "": none */
	char room_id[CODE_CHARS_MAX + 1];
	/*
	 * A request was answered ELSEWHERE: those made from then on wait with it in `moving`, and
	 * once the others are answered, all go to the room's home on another connection.
	 */
	bool is_moving;
	bool stays;	/* ELSEWHERE is an answer like any other */
	bool is_of_one; /* the server does not know that hello may name a room */
	struct connection_pending *moving;
	unsigned moving_n;
	unsigned moves; /* since a request of the owner's was answered */
	struct address home; /* of the node that has the room; text "": use the server's own */
	bool is_at_home; /* this try is made there */

	struct transport *transport; /* NULL between tries */
	uv_timer_t timer;	     /* hello, ping or retry, whichever the state needs */
	uint32_t next_msgid;
	struct connection_pending *pending;
	struct decoder decoder;
};

/* Nothing of the connection holds any more, or yet. */
void connection_reset(struct connection *c);
/* Send a request that is in neither list. The connection is open. */
void connection_write(struct connection *c, struct connection_pending *p);
void connection_try(struct connection *c);
void connection_on_retry_timer(uv_timer_t *timer);
void connection_lost(struct connection *c, const char *why);

/* ---- to the home of a room (connection_move_uv.c) ---- */

/* Make the next connection after this pause; what has no answer is asked again on it. */
void connection_leave(struct connection *c, int64_t pause_ms);
void connection_add_moving(struct connection *c, struct connection_pending *p);
void connection_take_moving(struct connection *c, struct connection_pending *p);
/* Return the pause before this try, of which the first is 0. */
int64_t connection_pause_ms(const struct connection_timing *t, unsigned tries);
/*
 * Go to the home of the room, with all that has no answer. Where two nodes send a client to each
 * other, until both have read of a change, it waits before it goes; in the end the connection is lost.
 */
void connection_move(struct connection *c);
/* It is there: make the requests that have come along. */
void connection_make_moved(struct connection *c);
/* Keep a request that was answered ELSEWHERE, to make it again. Returns false for any other answer. */
bool connection_keep(struct connection *c, struct connection_pending *p,
		     const struct msgpack_object *refusal);
/*
 * A try was in vain. Returns whether it was made at the home's own address: then another one follows,
 * at the server's, which is no loss for the owner.
 */
bool connection_gives_home_up(struct connection *c);

#endif
