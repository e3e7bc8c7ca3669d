/*
 * expiry.c - what has expired, found by the ByExpiry index a portion at a time.
 *
 * The index is only a hint. A partition that is checked decides by
 * its own state what is over, so an entry that is out of date does no harm.
 *
 * A pass goes from the first item that is due to the last. The next portion follows when the
 * store has nearly nothing left to do, and begins behind the one before: what that began is still
 * on its way. So what is due at once goes as fast as the store lets it, in portions that block
 * the loop for a few milliseconds at most. While people vote, a portion is small enough
 * that the commit they share is hardly longer, and while they keep the store
 * busy, or commits fail, the sweeper has its turn only now and then. What is left behind,
 * damaged or not written, is found again by the next pass, and keeps no others.
 */
#include "server/core/expiry.h"

#include <string.h>

#include "server/core/rooms/partition.h"
#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/txn/txn.h"

#define EXPIRY_EVERY_MS 5000
#define EXPIRY_SOON_MS	50   /* when there was more than one portion, and the store is busy */
#define EXPIRY_QUIET	16   /* loads and commits on their way that do not make it busy */
#define EXPIRY_BESIDE	8    /* items of a portion while others ask for something, too */
#define EXPIRY_ALONE_MS 100  /* without a request for so long, it is alone */
#define EXPIRY_LOG_MS	1000 /* from the first room that has expired to a line that counts them */

/* Portions follow one another faster than people vote: that none came since the last proves nothing. */
static bool expiry_is_alone(struct server *s)
{
	if (s->counters.requests_total != s->expiry_requests) {
		s->expiry_requests = s->counters.requests_total;
		s->expiry_asked_mono = s->now.mono_ms;
	}
	return s->now.mono_ms - s->expiry_asked_mono >= EXPIRY_ALONE_MS;
}

static void expiry_begin(struct server *s)
{
	struct effect fx = {
		.kind = FX_QUERY,
		.query = {.index = INDEX_BY_EXPIRY,
			  .to = s->now.wall_ms,
			  .limit = expiry_is_alone(s) ? MAX_SWEEP_ITEMS : EXPIRY_BESIDE,
			  .cursor = slice_of(s->expiry_after, s->expiry_after_len)},
	};
	s->expiry_mono = s->now.mono_ms + EXPIRY_SOON_MS; /* where it cannot begin now */
	s->expiry_limit = fx.query.limit;
	(void)ticket_send(s, &s->expiry_ticket, TICKET_SWEEP, &fx);
}

void expiry_tick(struct server *s)
{
	if (s->expiry_ticket.number == 0 && s->now.mono_ms >= s->expiry_mono && !s->is_stopping) {
		expiry_begin(s);
	}
}

int64_t expiry_deadline(const struct server *s)
{
	return s->expiry_ticket.number == 0 && !s->is_stopping ? s->expiry_mono : INT64_MAX;
}

void expiry_count(struct server *s)
{
	if (s->expiry_rooms_ended == 0) {
		s->expiry_log_mono = s->now.mono_ms + EXPIRY_LOG_MS;
	}
	s->expiry_rooms_ended++;
}

void expiry_turn(struct server *s)
{
	/* The server has a tick a second at least, so the line is not late by more than that. */
	if (s->expiry_rooms_ended > 0 && (s->now.mono_ms >= s->expiry_log_mono || s->is_stopping)) {
		server_log(s, LOG_INFO, "event=rooms_expired n=%llu",
			   (unsigned long long)s->expiry_rooms_ended);
		s->expiry_rooms_ended = 0;
	}
	if (s->is_frozen) {
		return;
	}
	bool is_quiet = HASH_COUNT(s->tickets) <= EXPIRY_QUIET;
	if (s->expiry_ticket.number == 0 && s->expiry_goes_on && is_quiet && !s->is_stopping) {
		expiry_begin(s);
	}
}

static void expiry_item(struct server *s, const struct store_item *item)
{
	char room_id[CODE_CHARS_MAX + 1];
	enum item_kind kind = item_kind_of(item->pk, item->sk);
	if (kind != ITEM_COUNT && directory_sweepers[kind] != NULL) {
		txn_sweep(s, directory_sweepers[kind], item);
		return;
	}
	if (!slice_starts(item->pk, slice_str(item_rows[ITEM_ROOM].pk_prefix)) ||
	    !code_normalise(item_pk_rest(item, ITEM_ROOM), room_id)) {
		return;
	}
	struct partition *p =
		partition_get(s, room_id); /* where it has to be loaded first, it is checked then */
	if (p != NULL) {
		partition_look(s, p);
	}
}

void expiry_due(struct server *s, const struct event *e)
{
	bool is_full = e->result == OK && e->n == s->expiry_limit && e->next.len > 0;
	const uint64_t failed = s->counters.commits_failed + s->counters.commits_unknown;
	s->expiry_goes_on = is_full && failed == s->expiry_failed;
	s->expiry_failed = failed;
	s->expiry_after_len = is_full ? e->next.len : 0;
	memcpy(s->expiry_after, is_full ? e->next.data : "", s->expiry_after_len);
	s->expiry_mono = s->now.mono_ms + (is_full ? EXPIRY_SOON_MS : EXPIRY_EVERY_MS);
	if (e->result != OK) {
		server_log(s, LOG_WARN, "event=expiry_failed reason=\"%s\"", err_text(e->result));
		return;
	}
	for (size_t i = 0; i < e->n; i++) {
		expiry_item(s, &e->items[i]);
	}
}
