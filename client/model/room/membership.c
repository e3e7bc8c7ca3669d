/*
 * membership.c - what to ask next, for one room; see membership.h for the phases.
 */
#include "client/model/room/membership.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

/* After this many updates in a row that do not follow, `since` is left out, which gives a full one.
 */
#define MEMBERSHIP_CONFLICTS_MAX 2
/* The pause after a refusal that says "not now" without saying how long. */
#define MEMBERSHIP_RETRY_MS 1000

void membership_start(struct membership *a, const char *room_id, const char *user_key,
		      const unsigned char seed[SEED_BYTES])
{
	*a = (struct membership){0};
	random_seed(&a->random, seed);
	format_to(a->room_id, sizeof(a->room_id), "%s", room_id);
	format_to(a->user_key, sizeof(a->user_key), "%s", user_key);
	memcpy(a->new_key, key_make(&a->random).text, sizeof(a->new_key));
}

void membership_finish(struct membership *a)
{
	replica_finish(&a->room);
	free(a->name);
	free(a->card);
	free(a->comment);
	*a = (struct membership){0};
}

/* ---- phases ---- */

static void membership_enter(struct membership *a)
{
	a->phase = MEMBERSHIP_ENTERING;
	a->is_entering_sent = false;
	a->has_you = false;
	a->is_joined = false;
}

static void membership_soften(struct slice text, char *out, size_t cap)
{
	out[text_soften(text, out, cap - 1)] = '\0';
}

static unsigned membership_end(struct membership *a, const char *reason)
{
	if (a->phase == MEMBERSHIP_ENDED) {
		return 0;
	}
	a->phase = MEMBERSHIP_ENDED;
	format_to(a->reason, sizeof(a->reason), "%s", reason);
	return MEMBERSHIP_NEWS_ENDED;
}

/* By whom, and how it goes on; who gives up the seat, or lost it, is told neither. */
static unsigned membership_kicked(struct membership *a, const struct kicked_notice *n)
{
	char by[3 * MAX_NAME_BYTES + 1];
	char reason[sizeof(a->reason)];
	membership_soften(n->by, by, sizeof(by));
	size_t len = format_to(reason, sizeof(reason), "%s%s removed%s from the room",
			       by[0] == '\0' ? "you" : by, by[0] == '\0' ? " were" : "",
			       by[0] == '\0' ? "" : " you");
	if (n->is_barred) {
		(void)format_to(
			reason + len, sizeof(reason) - len,
			"; you are banned until a host unbans you (:unkick, or aye room unkick)");
	} else if (by[0] != '\0') {
		(void)format_to(reason + len, sizeof(reason) - len, "; to rejoin: aye join %s",
				a->room_id);
	}
	return membership_end(a, reason);
}

static unsigned membership_lose(struct membership *a, const char *reason)
{
	a->is_gone = true;
	return membership_end(a, reason);
}

void membership_up(struct membership *a)
{
	if (a->phase == MEMBERSHIP_AWAY) {
		membership_enter(a);
	}
}

void membership_down(struct membership *a)
{
	if (a->phase != MEMBERSHIP_ENDED) {
		a->phase = MEMBERSHIP_AWAY;
	}
	a->is_entering_sent = false;
	a->is_seat_new = false;
	a->join.is_sent = false;
	a->is_join_early = false;
	a->vote.is_sent = false;
	a->claim.is_sent = false;
	a->retry_ms = 0;
}

void membership_retry(struct membership *a)
{
	a->retry_ms = 0;
}

/* ---- notices ---- */

static void membership_drop_vote(struct membership *a)
{
	free(a->card);
	free(a->comment);
	a->card = NULL;
	a->comment = NULL;
	a->confidence = 0;
	a->vote.is_wanted = false;
	a->room.pending_vote = NULL;
}

/* It is kept until the replica has it: keys that are typed meanwhile are about that card. */
static void membership_show_vote(struct membership *a)
{
	if (!a->vote.is_wanted && a->room.pending_vote != NULL &&
	    a->room.version >= a->voted_version) {
		membership_drop_vote(a);
	}
}

/* Versions count within one epoch: what was to be shown in another is not waited for. */
static void membership_must_reach(struct membership *a, int64_t epoch, int64_t version)
{
	if (epoch != a->entered_epoch) {
		a->joined_version = 0;
		a->voted_version = 0;
		a->done_version = 0;
	}
	a->entered_epoch = epoch;
	a->entered_version = version;
}

static unsigned membership_take_update(struct membership *a, const struct room_update *u)
{
	int64_t version = a->room.version;
	int64_t epoch = a->room.epoch;
	bool had_state = a->room.has_state;
	enum err e = replica_update(&a->room, u);
	if (e == OK) {
		if (u->full && u->epoch != a->entered_epoch) {
			/* The server has read the room again; the subscription goes on. */
			membership_must_reach(a, u->epoch, u->version);
		}
		membership_show_vote(a);
		a->conflicts = 0;
		return !had_state || a->room.version != version || a->room.epoch != epoch
			       ? MEMBERSHIP_NEWS_ROOM
			       : 0;
	}
	if (a->phase == MEMBERSHIP_FOLLOWING) {
		a->conflicts++;
		membership_enter(a);
	}
	return 0;
}

/* Whether it is of this room, or of none. */
static bool membership_is_ours(const struct membership *a, const struct record *rec, const void *p)
{
	const struct field *f = record_field(rec, SLICE("room_id"));
	if (f == NULL) {
		return true;
	}
	const struct slice *room_id = field_member(f, p);
	return slice_eq(*room_id, slice_str(a->room_id));
}

unsigned membership_notice(struct membership *a, enum notice notice, const void *update)
{
	const struct closing_notice *closing = update;
	const struct nudged_notice *nudged = update;
	const struct reaction_notice *reaction = update;
	const struct expiring_notice *expiring = update;
	if (a->phase == MEMBERSHIP_ENDED ||
	    !membership_is_ours(a, notice_rows[notice].record, update)) {
		return 0;
	}
	switch (notice) {
	case NOTICE_ROOM_UPDATE:
		return membership_take_update(a, update);
	case NOTICE_ROOM_YOU:
		replica_you(&a->room, update);
		a->has_you = true;
		return MEMBERSHIP_NEWS_ROOM;
	case NOTICE_ROOM_KICKED:
		return membership_kicked(a, update);
	case NOTICE_ROOM_DELETED:
		return membership_lose(a, "the room was deleted");
	case NOTICE_ROOM_EXPIRED:
		return membership_lose(a, "the room has expired");
	case NOTICE_SERVER_CLOSING:
		format_to(a->reason, sizeof(a->reason), "%.*s", (int)closing->reason.len,
			  closing->reason.data);
		return MEMBERSHIP_NEWS_CLOSING;
	case NOTICE_ROOM_NUDGED:
		membership_soften(nudged->by, a->nudged_by, sizeof(a->nudged_by));
		return MEMBERSHIP_NEWS_NUDGED;
	case NOTICE_ROOM_REACTION:
		membership_soften(reaction->user_id, a->reaction_user_id,
				  sizeof(a->reaction_user_id));
		membership_soften(reaction->word, a->reaction_word, sizeof(a->reaction_word));
		return MEMBERSHIP_NEWS_REACTION;
	case NOTICE_ROOM_EXPIRING:
		a->expires_in_ms = a->server_ms == 0 ? -1 : expiring->expires_at - a->server_ms;
		return MEMBERSHIP_NEWS_EXPIRING;
	default: /* of no room, or of another */
		return 0;
	}
}

/* ---- wishes ---- */

static void membership_want(struct membership *a, struct membership_once *once)
{
	once->is_wanted = true;
	memcpy(once->key, key_make(&a->random).text, sizeof(once->key));
}

bool membership_tell_called(const struct membership *a, char *out, size_t cap)
{
	bool is_other = a->called[0] != '\0' && a->name != NULL;
	if (is_other) {
		(void)format_to(out, cap, "%s is taken; you are %s", a->name, a->called);
	}
	return is_other;
}

void membership_want_name(struct membership *a, const char *name, bool is_spectator, bool is_bot)
{
	char clean[MAX_NAME_BYTES + 1];
	size_t len;
	int32_t bad;
	/* As the server will write it, to know it again. What is no name goes out as it is and is
	 * refused with a reason. */
	bool is_clean = text_clean(slice_str(name), clean, sizeof(clean) - 1, &len, &bad) == OK;
	clean[is_clean ? len : 0] = '\0';
	char *copy = memory_text(is_clean ? clean : name);
	free(a->name);
	a->name = copy;
	a->is_spectator = is_spectator;
	a->is_bot = is_bot;
	a->is_joined = false;
	membership_want(a, &a->join);
}

void membership_want_vote(struct membership *a, const char *card)
{
	membership_want_vote_with(a, card, NULL, 0);
}

void membership_want_vote_with(struct membership *a, const char *card, const char *comment,
			       int confidence)
{
	char *copy = card == NULL ? NULL : memory_text(card);
	char *comment_copy = comment == NULL ? NULL : memory_text(comment);
	free(a->card);
	free(a->comment);
	a->card = copy;
	a->comment = comment_copy;
	a->confidence = confidence;
	a->card_round = a->room.has_state ? a->room.room.round : 0;
	a->card_serial++;
	a->room.pending_vote = copy == NULL ? "" : copy;
	membership_want(a, &a->vote);
}

void membership_want_passcode(struct membership *a, const char *passcode)
{
	format_to(a->passcode, sizeof(a->passcode), "%s", passcode);
}

bool membership_needs_passcode(const struct membership *a)
{
	return a->phase == MEMBERSHIP_ENDED && a->fault.code == FAULT_PASSCODE_REQUIRED;
}

void membership_try_passcode(struct membership *a, const char *passcode)
{
	membership_want_passcode(a, passcode);
	a->fault = (struct fault){0};
	membership_enter(a);
}

void membership_want_host(struct membership *a, const char *host_key)
{
	format_to(a->host_key, sizeof(a->host_key), "%s", host_key);
	a->shows_host_key = true;
	a->room.i_have_host_key = true;
	membership_want(a, &a->claim);
}

void membership_may_show_host(struct membership *a, const char *host_key, bool at_once)
{
	a->shows_host_key = at_once;
	format_to(a->host_key, sizeof(a->host_key), "%s", host_key);
}

/* ---- answers ---- */

/* A refusal that time may change. */
static bool membership_is_passing(enum fault_code code)
{
	return code == FAULT_UNAVAILABLE || code == FAULT_RATE_LIMITED ||
	       code == FAULT_SERVER_ERROR;
}

static void membership_pause(struct membership *a)
{
	a->retry_ms = a->fault.retry_after_ms > 0 ? a->fault.retry_after_ms : MEMBERSHIP_RETRY_MS;
}

static unsigned membership_entered(struct membership *a, const struct room_subscribe_result *r)
{
	bool is_same = slice_eq(slice_str(a->user_key), r->user_key);
	a->phase = MEMBERSHIP_FOLLOWING;
	membership_must_reach(a, r->epoch, r->version);
	format_to(a->user_key, sizeof(a->user_key), "%.*s", (int)r->user_key.len, r->user_key.data);
	return is_same ? 0 : MEMBERSHIP_NEWS_SEAT;
}

static unsigned membership_refused(struct membership *a, enum method method)
{
	if (membership_is_passing(a->fault.code)) {
		membership_pause(a);
		return 0;
	}
	switch (method) {
	case METHOD_ROOM_SUBSCRIBE:
		if (a->host_key[0] != '\0' && !a->shows_host_key) {
			a->shows_host_key = true; /* and ask again */
			return 0;
		}
		return membership_end(a, a->fault.message) | MEMBERSHIP_NEWS_REFUSED;
	case METHOD_ROOM_JOIN:
		free(a->name);
		a->name = NULL;
		a->join.is_wanted = false;
		return MEMBERSHIP_NEWS_REFUSED;
	case METHOD_ROOM_VOTE:
		if (a->sent_serial == a->card_serial) {
			membership_drop_vote(a);
		}
		return MEMBERSHIP_NEWS_REFUSED | MEMBERSHIP_NEWS_PENDING;
	default: /* membership_next() gives no others but claim_host */
		a->claim.is_wanted = false;
		return MEMBERSHIP_NEWS_REFUSED;
	}
}

static unsigned membership_joined(struct membership *a, const struct room_join_result *r)
{
	a->join.is_wanted = false;
	a->is_joined = true;
	a->joined_version = r->version;
	a->called[0] = '\0';
	if (r->username.data != NULL && a->name != NULL &&
	    !slice_eq(r->username, slice_str(a->name))) {
		membership_soften(r->username, a->called, sizeof(a->called));
	}
	membership_must_show(a, r->version);
	return MEMBERSHIP_NEWS_JOINED;
}

static unsigned membership_voted(struct membership *a, const struct room_vote_result *r)
{
	if (a->sent_serial == a->card_serial) {
		a->vote.is_wanted = false;
		a->voted_version = r->version;
		membership_show_vote(a);
	}
	membership_must_show(a, r->version);
	return MEMBERSHIP_NEWS_PENDING;
}

static unsigned membership_done(struct membership *a, enum method method, const void *result)
{
	const struct version_result *claimed = result;
	switch (method) {
	case METHOD_ROOM_SUBSCRIBE:
		return membership_entered(a, result);
	case METHOD_ROOM_JOIN:
		return membership_joined(a, result);
	case METHOD_ROOM_VOTE:
		return membership_voted(a, result);
	default:
		a->claim.is_wanted = false;
		membership_must_show(a, claimed->version);
		return 0;
	}
}

static void membership_is_back(struct membership *a, enum method method)
{
	switch (method) {
	case METHOD_ROOM_SUBSCRIBE:
		a->is_entering_sent = false;
		a->is_seat_new = false;
		break;
	case METHOD_ROOM_JOIN:
		a->join.is_sent = false;
		a->is_join_early = false;
		break;
	case METHOD_ROOM_VOTE:
		a->vote.is_sent = false;
		break;
	default:
		a->claim.is_sent = false;
		break;
	}
}

unsigned membership_answer(struct membership *a, enum method method, enum err e,
			   const struct fault *refusal, const void *result)
{
	bool is_early = method == METHOD_ROOM_JOIN && a->is_join_early;
	membership_is_back(a, method);
	if (e == ERR_CLOSED || a->phase == MEMBERSHIP_ENDED) {
		return 0; /* membership_down() follows a connection's end */
	}
	if (refusal == NULL) {
		return membership_done(a, method, result);
	}
	if (is_early && e == OK) {
		return 0; /* it is asked again when the room is there */
	}
	a->fault = *refusal;
	fault_let_go(&a->fault);
	if (e != OK) {
		membership_pause(a);
		return 0;
	}
	return membership_refused(a, method);
}

/* ---- what to ask ---- */

static enum method membership_ask_enter(struct membership *a, struct buf *params)
{
	bool has_key = a->user_key[0] != '\0';
	bool is_new = !has_key && a->is_stranger && a->name != NULL;
	struct room_subscribe_params p = {
		.room_id = slice_str(a->room_id),
		.user_key = slice_str(is_new ? a->new_key : a->user_key),
		.since = {.epoch = a->room.epoch, .version = a->room.version},
		.with_since = a->room.has_state && a->conflicts < MEMBERSHIP_CONFLICTS_MAX,
		.passcode = slice_str(a->passcode),
		.host_key = slice_str(a->shows_host_key ? a->host_key : ""),
	};
	if (a->conflicts >= MEMBERSHIP_CONFLICTS_MAX) {
		/* A full update of the version we have would be taken for a repeat. */
		a->room.has_state = false;
	}
	a->is_entering_sent = true;
	a->is_seat_new = is_new;
	record_write(&record_room_subscribe_params, &p, params);
	return METHOD_ROOM_SUBSCRIBE;
}

/* The name goes on a seat that has none, and on one that we wish to rename. */
static bool membership_needs_join(const struct membership *a)
{
	if (a->name == NULL || a->is_joined || a->join.is_sent) {
		return false;
	}
	return a->room.you.username.data == NULL ||
	       strcmp(a->room.you.username.data, a->name) != 0 ||
	       (a->room.you.role == ROLE_SPECTATOR) != a->is_spectator;
}

static enum method membership_ask_join(struct membership *a, struct buf *params)
{
	if (!a->join.is_wanted) {
		membership_want(
			a, &a->join); /* the seat lost its name while we were away: a new act */
	}
	struct room_join_params p = {
		.room_id = slice_str(a->room_id),
		.username = slice_str(a->name),
		.role = a->is_spectator ? ROLE_SPECTATOR : ROLE_VOTER,
		.with_role = true,
		.is_bot = a->is_bot,
		.with_is_bot = true,
		.idempotency_key = slice_str(a->join.key),
	};
	a->join.is_sent = true;
	record_write(&record_room_join_params, &p, params);
	return METHOD_ROOM_JOIN;
}

/* Whatever takes the name from it now is meant: somebody leaves, or changes it in another window. */
static void membership_found_name(struct membership *a)
{
	if (a->name != NULL && !a->join.is_sent) {
		a->join.is_wanted = false;
		a->is_joined = true;
	}
}

/* Once behind each subscription, and not again while that is on its way. */
static enum method membership_ask_join_early(struct membership *a, struct buf *params)
{
	a->is_seat_new = false;
	a->is_join_early = true;
	return membership_ask_join(a, params);
}

static enum method membership_ask_vote(struct membership *a, struct buf *params)
{
	struct room_vote_params p = {
		.room_id = slice_str(a->room_id),
		.vote = slice_str(a->card),
		.comment = a->comment == NULL || a->comment[0] == '\0' ? (struct slice){0}
								       : slice_str(a->comment),
		.with_comment = a->comment != NULL,
		.confidence = a->confidence,
		.keep_seconds = a->keep_seconds,
		.idempotency_key = slice_str(a->vote.key),
	};
	a->vote.is_sent = true;
	a->sent_serial = a->card_serial;
	record_write(&record_room_vote_params, &p, params);
	return METHOD_ROOM_VOTE;
}

static enum method membership_ask_claim(struct membership *a, struct buf *params)
{
	struct room_claim_host_params p = {
		.room_id = slice_str(a->room_id),
		.host_key = slice_str(a->host_key),
		.idempotency_key = slice_str(a->claim.key),
	};
	a->claim.is_sent = true;
	record_write(&record_room_claim_host_params, &p, params);
	return METHOD_ROOM_CLAIM_HOST;
}

/* Whether the room that the replica shows has us in it and nobody as host. */
static bool membership_needs_claim(struct membership *a)
{
	if (!a->claim.is_wanted || a->claim.is_sent || a->room.you.username.data == NULL ||
	    a->room.version < a->joined_version) {
		return false;
	}
	if (a->room.room.host_user_id.data != NULL) {
		a->claim.is_wanted = false;
	}
	return a->claim.is_wanted;
}

/* A choice belongs to the round it was made in. */
static void membership_check_round(struct membership *a, unsigned *news)
{
	bool is_bound = a->card_round != 0; /* else it was chosen before the room was seen */
	if (a->vote.is_wanted && !a->vote.is_sent && is_bound &&
	    a->card_round != a->room.room.round) {
		membership_drop_vote(a);
		*news |= MEMBERSHIP_NEWS_STALE | MEMBERSHIP_NEWS_PENDING;
	}
}

/* Whether the replica shows the room as it was when we came in, or later: older news must not
 * decide what is asked. */
static bool membership_is_caught_up(const struct membership *a)
{
	return a->phase == MEMBERSHIP_FOLLOWING && a->has_you && a->room.has_state &&
	       a->room.epoch == a->entered_epoch && a->room.version >= a->entered_version;
}

void membership_must_show(struct membership *a, int64_t version)
{
	a->done_version = version > a->done_version ? version : a->done_version;
}

bool membership_is_settled(struct membership *a)
{
	if (a->join.is_sent || a->vote.is_wanted || a->claim.is_sent || membership_needs_join(a)) {
		return false;
	}
	if (a->phase == MEMBERSHIP_FOLLOWING && a->has_you && a->room.you.is_waiting) {
		return true;
	}
	return membership_is_caught_up(a) && a->room.version >= a->done_version &&
	       !membership_needs_claim(a);
}

enum method membership_next(struct membership *a, struct buf *params, unsigned *news)
{
	if (a->retry_ms > 0) {
		return METHOD_COUNT;
	}
	if (a->phase == MEMBERSHIP_ENTERING && !a->is_entering_sent) {
		return membership_ask_enter(a, params);
	}
	if (a->phase == MEMBERSHIP_ENTERING && a->is_seat_new && membership_needs_join(a)) {
		return membership_ask_join_early(a, params);
	}
	bool is_waiting = a->phase == MEMBERSHIP_FOLLOWING && a->has_you && a->room.you.is_waiting;
	if (!is_waiting && !membership_is_caught_up(a)) {
		return METHOD_COUNT;
	}
	if (membership_needs_join(a)) {
		return membership_ask_join(a, params);
	}
	membership_found_name(a);
	if (a->join.is_sent || is_waiting) {
		return METHOD_COUNT; /* in the lobby a name is all that one may have */
	}
	membership_check_round(a, news);
	if (a->vote.is_wanted && !a->vote.is_sent) {
		return membership_ask_vote(a, params);
	}
	if (membership_needs_claim(a)) {
		return membership_ask_claim(a, params);
	}
	return METHOD_COUNT;
}
