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
	char new_key[KEY_CHARS + 1]; /* for a new seat that is joined early, see above */
	/* set by the owner before membership_up(): a fresh connection without a login */
	bool is_stranger;
	struct random random;

	bool is_entering_sent;
	bool has_you;       /* room.you has come in this subscription */
	/* The replica must reach this before decisions rest on it; all versions here are of it. */
	int64_t entered_epoch;
	int64_t entered_version;
	unsigned conflicts; /* consecutive updates that did not follow */

	char *name; /* the wanted name; NULL: subscribe without joining */
	/*
	 * The name that the last join gave instead, if another member has that one; softened; "":
	 * none.
	 */
	char called[3 * MAX_NAME_BYTES + 1];
	bool is_spectator;
	bool is_bot;
	bool is_joined; /* in this subscription; also if the seat had its name */
	int64_t joined_version;
	int64_t done_version; /* the replica must reach this to show everything that was done */
	struct membership_once join;
	/* the pending subscription is for a new seat, and the join is to follow */
	bool is_seat_new;
	bool is_join_early; /* the pending join was sent before the subscription's answer */

	char passcode[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]; /* for a new seat; "": none */

	char *card; /* the waiting vote; NULL: a retraction */
	char *comment; /* of the vote; NULL: unchanged, "": none */
	int confidence; /* of the vote, 1 to 3; 0: unchanged */
	int64_t keep_seconds; /* set by the owner, for all votes: as in room_vote_params; 0: absent */
	int64_t card_round; /* the round it was chosen in; 0: before the room was known */
	unsigned card_serial; /* counts the choices */
	unsigned sent_serial; /* the card_serial of the pending request */
	struct membership_once vote;
	int64_t voted_version; /* the replica must reach this to show the last confirmed vote */

	char host_key[KEY_CHARS + 1]; /* "": none */
	bool shows_host_key; /* send it with the subscription */
	struct membership_once claim;

	/* a name, softened like the two below; "": a member without one */
	char nudged_by[3 * MAX_NAME_BYTES + 1];
	char reaction_user_id[65];
	char reaction_word[257];

	/* set by the owner before membership_notice(): the server's time; 0: not known */
	int64_t server_ms;
	int64_t expires_in_ms; /* at the last warning; below 0: not known */

	bool is_gone; /* it ended because the room was deleted or has expired */
	struct fault fault;
	char reason[256];
	/* above 0: nothing is sent until membership_retry(), which is due after this time */
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
 * Returns bits of enum membership_news; 0 for notifications of other rooms. @update  of the
 * notification's record.
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
 * Write "Grace is taken; you are Grace 2" if the last join gave another name; otherwise return
 * false.
 */
bool membership_tell_called(const struct membership *a, char *out, size_t cap);
/* Name the seat, now and whenever the name is lost. */
void membership_want_name(struct membership *a, const char *name, bool is_spectator, bool is_bot);
/* Vote in the round that the replica shows; replaces a waiting vote. NULL retracts. */
void membership_want_vote(struct membership *a, const char *card);
/* The same with a comment and a confidence; NULL and 0 leave them unchanged. */
void membership_want_vote_with(struct membership *a, const char *card, const char *comment, int confidence);
/* Send this passcode with subscriptions. It is cut at MEMBERSHIP_PASSCODE_BYTES_MAX. */
void membership_want_passcode(struct membership *a, const char *passcode);
/* Whether the subscription was refused because the passcode was missing or wrong. */
bool membership_needs_passcode(const struct membership *a);
/* After that: subscribe again with this passcode. */
void membership_try_passcode(struct membership *a, const char *passcode);
/*
 * Subscribe with this key, and once the seat has its name, claim host with it if the room has no
 * host.
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
 * Whether everything wanted was done or refused, and the replica shows it, up to the version of
 * membership_must_show(). In the lobby the replica is not waited for, since it has no state there.
 */
bool membership_is_settled(struct membership *a);

/*
 * The next request to send, with its params appended to *params; METHOD_COUNT: none. It is
 * pending until membership_answer() or membership_down(). After every other call here, call
 * this until it returns METHOD_COUNT. Bits may be added to *news.
 */
enum method membership_next(struct membership *a, struct buf *params, unsigned *news);

#endif
