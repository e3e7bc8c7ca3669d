/*
 * membership.h - staying in one room whatever the connection does.
 *
 * Decides what to ask next: subscribe, come back with `since`, put the name
 * back on a seat that lost it, send the vote that was chosen while away. Pure:
 * it is told what happened and asked what to send; the connection, the clock
 * and the randomness belong to its owner.
 *
 *            up                 answer              kicked, deleted, refused
 *   AWAY ---------> ENTERING ---------> FOLLOWING ----------> ENDED
 *     ^                ^  gap, other epoch |                    ^
 *     |                +-------------------+                    |
 *     +---- down, from everywhere but ENDED      refused -------+
 *
 * At most one act of each kind is on its way, and one vote waits: the latest.
 * What was sent and not answered is sent again with the same idempotency key.
 *
 * A stranger's new seat certainly needs its name, so that is asked for right
 * behind the subscription, without waiting for its answer. A refusal of such an
 * early join says nothing (it may only follow from the subscription's): it is
 * asked again when the room is there, and that answer counts. The seat's key is
 * made here then, so that a loss before the answer leaves no second seat behind.
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

/* What news there is, as bits. */
enum membership_news {
	MEMBERSHIP_NEWS_ROOM = 1,    /* the replica shows something new */
	MEMBERSHIP_NEWS_SEAT = 2,    /* user_key is another one: keep it */
	MEMBERSHIP_NEWS_JOINED = 4,  /* the seat has our name now, or where `called` is not "" that one */
	MEMBERSHIP_NEWS_REFUSED = 8, /* an act was refused: `fault` */
	MEMBERSHIP_NEWS_STALE = 16,  /* the vote that waited belonged to an earlier round and was dropped */
	MEMBERSHIP_NEWS_CLOSING = 32, /* the server says why it will close: `reason` */
	MEMBERSHIP_NEWS_ENDED = 64,  /* it is over: `reason` */
	MEMBERSHIP_NEWS_PENDING = 128, /* what waits for an answer has changed */
	MEMBERSHIP_NEWS_NUDGED = 256, /* others wait for our vote: `nudged_by` */
	MEMBERSHIP_NEWS_REACTION = 512, /* a member shows a word: `reaction_user_id`, `reaction_word` */
	MEMBERSHIP_NEWS_EXPIRING = 1024 /* the room will end if nothing happens: `expires_in_ms` */
};

/* One act that is to be done once. */
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
	char new_key[KEY_CHARS + 1]; /* of a seat that is joined early: after a loss on the way, it is found again */
	bool is_stranger; /* set by the owner before membership_up(): a new connection, and nobody is logged in */
	struct random random;

	bool is_entering_sent;
	bool has_you;       /* since this subscription began */
	int64_t entered_epoch; /* what the replica must reach before anything is asked of it; all versions here are of this epoch */
	int64_t entered_version;
	unsigned conflicts; /* updates in a row that did not follow */

	char *name; /* what the seat should be called; NULL: only watch */
	char called[3 * MAX_NAME_BYTES + 1]; /* by the last join, where another has the name; softened; "": as it was asked for */
	bool is_spectator;
	bool is_bot;
	bool is_joined; /* in this subscription */
	int64_t joined_version;
	int64_t done_version; /* what the replica must reach before it shows all that was done */
	struct membership_once join;
	bool is_seat_new;   /* the subscription on its way is for a seat that nobody has had, and the join is to follow */
	bool is_join_early; /* the join on its way went out behind it, before its answer */

	char passcode[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]; /* for a new seat; "": none */

	char *card; /* the vote that waits; NULL: retract */
	char *comment; /* goes with it; NULL: what was there stays, "": none */
	int confidence; /* likewise, 1 to 3; 0: as it was */
	int64_t card_round; /* the round it was chosen in; 0: before any was seen */
	unsigned card_serial; /* which choice it is */
	unsigned sent_serial; /* which choice is on its way */
	struct membership_once vote;
	int64_t voted_version; /* what the replica must reach to show the vote that was confirmed last */

	char host_key[KEY_CHARS + 1]; /* "": none */
	bool shows_host_key; /* with the subscription */
	struct membership_once claim;

	char nudged_by[3 * MAX_NAME_BYTES + 1]; /* softened, as those below; "": nobody with a name */
	char reaction_user_id[65];
	char reaction_word[257];

	int64_t server_ms;     /* the server's time at this notice, set by the owner before it; 0: not known */
	int64_t expires_in_ms; /* at the last warning; below 0: nobody knows */

	bool is_gone; /* where it has ended: the room is no more */
	struct fault fault;
	char reason[256];
	int64_t retry_ms; /* where above 0: nothing is asked until membership_retry(), which is due after this long */
};

/* @user_key  "" for a new seat. @seed  fresh random bytes. */
void membership_start(struct membership *a, const char *room_id, const char *user_key,
		  const unsigned char seed[SEED_BYTES]);
void membership_finish(struct membership *a);

/* ---- what happened ---- */

void membership_up(struct membership *a);
void membership_down(struct membership *a);
void membership_retry(struct membership *a);
/* Bits of enum membership_news. @update  of its record. Notices that are none of the room's give 0. */
unsigned membership_notice(struct membership *a, enum notice notice, const void *update);
/*
 * The end of a request that membership_next() gave. @e  OK: answered; ERR_CLOSED: not; ERR_PROTO: the
 * answer could not be read. @refusal  why there is no result, where it was answered. @result  else, of its record.
 */
unsigned membership_answer(struct membership *a, enum method method, enum err e, const struct fault *refusal,
		       const void *result);

/* ---- what is wanted ---- */

/* "Grace is taken; you are Grace 2", where the last join said so; false where there is nothing to tell. */
bool membership_tell_called(const struct membership *a, char *out, size_t cap);
/* A name on the seat, now and whenever it is lost. */
void membership_want_name(struct membership *a, const char *name, bool is_spectator, bool is_bot);
/* A vote in the round that the replica shows, in place of one that waits; NULL retracts. */
void membership_want_vote(struct membership *a, const char *card);
/* As above with what goes with the card: comment NULL and confidence 0 leave what was there. */
void membership_want_vote_with(struct membership *a, const char *card, const char *comment, int confidence);
/* Show this passcode where a new seat has to be taken. Longer ones than MEMBERSHIP_PASSCODE_BYTES_MAX are cut. */
void membership_want_passcode(struct membership *a, const char *passcode);
/* Whether entering was refused for want of a passcode, or because it was another. */
bool membership_needs_passcode(const struct membership *a);
/* After that: enter with this one. */
void membership_try_passcode(struct membership *a, const char *passcode);
/* Come in with this key, and become host with it once the seat has its name, where the room then has no host. */
void membership_want_host(struct membership *a, const char *host_key);

/*
 * Come in with this key, without more. @at_once  false: only where the room
 * refuses a stranger, since the first who shows it leads.
 */
void membership_may_show_host(struct membership *a, const char *host_key, bool at_once);

/* Something else was done in the room, and this version shows it. */
void membership_must_show(struct membership *a, int64_t version);
/* Whether all that was wanted is done or refused, and the replica shows that, and all that membership_must_show() says. */
bool membership_is_settled(struct membership *a);

/*
 * The next request to make now, its params appended to *params; METHOD_COUNT
 * where there is none. Until its answer comes, it is on its way. Ask until
 * there is none, after everything that happened. *news may gain bits.
 */
enum method membership_next(struct membership *a, struct buf *params, unsigned *news);

#endif
