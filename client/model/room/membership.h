/*
 * membership.h - a membership of one room that outlasts the connection.
 *
 * Decides which request comes next: subscribe, resubscribe with `since`, restore
 * the name of a seat that lost it, send the vote chosen while offline. Pure: the
 * owner reports what happened and asks what to send; the connection, the clock
 * and the randomness are the owner's.
 *
 *            up                 answer              kicked, deleted, refused
 *   AWAY ---------> ENTERING ---------> FOLLOWING ----------> ENDED
 *     ^                ^  gap, other epoch |                    ^
 *     |                +-------------------+                    |
 *     +---- down, from everywhere but ENDED      refused -------+
 *
 * At most one request of each kind is pending, and at most one vote waits: the
 * latest. A request that was not answered is sent again with the same idempotency
 * key.
 *
 * A new seat of a connection without a login always needs a name, so the join is
 * sent right after the subscription, without waiting for its answer. A refusal of
 * such an early join is ignored (the subscription may have caused it): the join is
 * repeated once the room is known, and that answer counts. The seat's key is then
 * generated here, so that a loss before the answer does not leave a second seat.
 *
 * Life: a zeroed struct, membership_start() .. membership_finish().
 */
#ifndef CLIENT_MODEL_ROOM_MEMBERSHIP_H
#define CLIENT_MODEL_ROOM_MEMBERSHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "client/model/room/replica.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"
#include "proto/keys/room_code.h"
#include "proto/methods.h"

enum membership_phase { MEMBERSHIP_AWAY, MEMBERSHIP_ENTERING, MEMBERSHIP_FOLLOWING, MEMBERSHIP_ENDED };

#define MEMBERSHIP_PASSCODE_BYTES_MAX 256

/* Kinds of news, as bits. */
enum membership_news {
	MEMBERSHIP_NEWS_ROOM = 1,    /* the replica has changed */
	MEMBERSHIP_NEWS_SEAT = 2,    /* user_key has changed: store it */
	MEMBERSHIP_NEWS_JOINED = 4,  /* the seat has its name, or the one in `called` */
	MEMBERSHIP_NEWS_REFUSED = 8, /* a request was refused: `fault` */
	MEMBERSHIP_NEWS_STALE = 16,  /* the waiting vote was of an earlier round and was dropped */
	MEMBERSHIP_NEWS_CLOSING = 32, /* the server is about to close the connection: `reason` */
	MEMBERSHIP_NEWS_ENDED = 64,  /* the membership has ended: `reason` */
	MEMBERSHIP_NEWS_PENDING = 128, /* the pending vote was confirmed or dropped */
	MEMBERSHIP_NEWS_NUDGED = 256, /* a member asks for the own vote: `nudged_by` */
	/* a member sent a reaction: `reaction_user_id`, `reaction_word` */
	MEMBERSHIP_NEWS_REACTION = 512,
	MEMBERSHIP_NEWS_EXPIRING = 1024 /* the room is deleted soon if unused: `expires_in_ms` */
};

/* A request to be made once. */
struct membership_once {
	bool is_wanted;
	bool is_sent; /* and not answered */
	char key[KEY_CHARS + 1];
};

struct membership {
	struct replica room;
	enum membership_phase phase;
	char room_id[CODE_CHARS_MAX + 1];
	char user_key[KEY_CHARS + 1]; /* "": none yet */
	/* of a seat that is joined early: after a loss on the way, it is found again */
	char new_key[KEY_CHARS + 1];
	/* set by the owner before membership_up(): a new connection, and nobody is logged in */
	bool is_stranger;
	struct random random;

	bool is_entering_sent;
	bool has_you;       /* since this subscription began */
	/*
	 * what the replica must reach before anything is asked of it; all versions here are of this
	 * epoch
	 */
	int64_t entered_epoch;
	int64_t entered_version;
	unsigned conflicts; /* updates in a row that did not follow */

	char *name; /* what the seat should be called; NULL: only watch */
	/* by the last join, where another has the name; softened; "": as it was asked for */
	char called[3 * MAX_NAME_BYTES + 1];
	bool is_spectator;
	bool is_bot;
	bool is_joined; /* in this subscription */
	int64_t joined_version;
	int64_t done_version; /* what the replica must reach before it shows all that was done */
	struct membership_once join;
	/*
	 * the subscription on its way is for a seat that nobody has had, and the join is to follow
	 */
	bool is_seat_new;
	bool is_join_early; /* the join on its way went out behind it, before its answer */

	char passcode[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]; /* for a new seat; "": none */

	char *card; /* the vote that waits; NULL: retract */
	char *comment; /* goes with it; NULL: what was there stays, "": none */
	int confidence; /* likewise, 1 to 3; 0: as it was */
	int64_t card_round; /* the round it was chosen in; 0: before any was seen */
	unsigned card_serial; /* which choice it is */
	unsigned sent_serial; /* which choice is on its way */
	struct membership_once vote;
	/* what the replica must reach to show the vote that was confirmed last */
	int64_t voted_version;

	char host_key[KEY_CHARS + 1]; /* "": none */
	bool shows_host_key; /* send it with the subscription */
	struct membership_once claim;

	/* softened, as those below; "": nobody with a name */
	char nudged_by[3 * MAX_NAME_BYTES + 1];
	char reaction_user_id[65];
	char reaction_word[257];

	/* the server's time at this notice, set by the owner before it; 0: not known */
	int64_t server_ms;
	int64_t expires_in_ms; /* at the last warning; below 0: nobody knows */

	bool is_gone; /* where it has ended: the room is no more */
	struct fault fault;
	char reason[256];
	/* where above 0: nothing is asked until membership_retry(), which is due after this long */
	int64_t retry_ms;
};

/* @user_key  "" for a new seat. @seed  fresh random bytes. */
void membership_start(struct membership *a, const char *room_id, const char *user_key,
		  const unsigned char seed[SEED_BYTES]);
void membership_finish(struct membership *a);

/* ---- what happened ---- */

void membership_up(struct membership *a);
void membership_down(struct membership *a);
void membership_retry(struct membership *a);
/*
 * Bits of enum membership_news. @update  of its record. Notices that are none of the room's give 0.
 */
unsigned membership_notice(struct membership *a, enum notice notice, const void *update);
/*
 * The answer to a request of membership_next(). Returns bits of enum membership_news.
 *
 * @e        OK: answered; ERR_CLOSED: not answered; ERR_PROTO: the answer cannot be read.
 * @refusal  why there is no result; NULL: there is one.
 * @result   of the method's result record, if refusal is NULL.
 */
unsigned membership_answer(struct membership *a, enum method method, enum err e, const struct fault *refusal,
		       const void *result);

/* ---- what is wanted ---- */

/*
 * "Grace is taken; you are Grace 2", where the last join said so; false where there is nothing to
 * tell.
 */
bool membership_tell_called(const struct membership *a, char *out, size_t cap);
/* Name the seat, now and whenever the name is lost. */
void membership_want_name(struct membership *a, const char *name, bool is_spectator, bool is_bot);
/* Vote in the round that the replica shows; replaces a waiting vote. NULL retracts. */
void membership_want_vote(struct membership *a, const char *card);
/* The same with a comment and a confidence; NULL and 0 leave them unchanged. */
void membership_want_vote_with(struct membership *a, const char *card, const char *comment, int confidence);
/*
 * Show this passcode where a new seat has to be taken. Longer ones than
 * MEMBERSHIP_PASSCODE_BYTES_MAX are cut.
 */
void membership_want_passcode(struct membership *a, const char *passcode);
/* Whether the subscription was refused because the passcode was missing or wrong. */
bool membership_needs_passcode(const struct membership *a);
/* After that: subscribe again with this passcode. */
void membership_try_passcode(struct membership *a, const char *passcode);
/*
 * Come in with this key, and become host with it once the seat has its name, where the room then
 * has no host.
 */
void membership_want_host(struct membership *a, const char *host_key);

/*
 * Subscribe with this key, without claiming host. @at_once  false: send it only after a
 * refusal without it, since the first member to show the key becomes host.
 */
void membership_may_show_host(struct membership *a, const char *host_key, bool at_once);

/* Another request changed the room, and this version shows the change. */
void membership_must_show(struct membership *a, int64_t version);
/*
 * Whether all that was wanted is done or refused, and the replica shows that, and all that
 * membership_must_show() says.
 */
bool membership_is_settled(struct membership *a);

/*
 * The next request to send, with its params appended to *params; METHOD_COUNT: none. It is
 * pending until membership_answer() or membership_down(). After every other call here, call
 * this until it returns METHOD_COUNT. Bits may be added to *news.
 */
enum method membership_next(struct membership *a, struct buf *params, unsigned *news);

#endif
