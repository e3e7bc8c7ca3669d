/*
 * expiry.c - what has expired, found by the ByExpiry index a portion at a time.
 *
 * The index is only a hint. A partition that is checked decides by
 * its own state what is over, so an entry that is out of date does no harm.
 *
 * The next portion follows when the store has nearly nothing left to do: what is
 * due at once goes as fast as the store lets it, in portions that block the loop
 * for a few milliseconds at most. While people vote, a portion is small enough
 * that the commit they share is hardly longer, and while they keep the store
 * busy, the sweeper has its turn only now and then. So it does where the last
 * portion has changed nothing: what could not be written is found again. A portion of
 * which nothing goes for a while is left for the next time, and the sweeper goes on behind it: what
 * is damaged would else keep all others.
 */
#include "server/core/expiry.h"

#include <string.h>

#include "server/core/room_partition.h"
#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/txn.h"

#define EXPIRY_EVERY_MS 5000
#define EXPIRY_SOON_MS	50   /* when there was more than one portion, and the store is busy */
#define EXPIRY_TRIES	20   /* looks at one portion, of which nothing goes */
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

/*
 * Whether something of the portion has gone since the last one, which may have been a larger or a smaller
 * one: so of its first items. Where nothing goes, the next is the one behind it.
 */
static bool expiry_moves(struct server *s, const struct event *e)
{
	uint64_t seen = 0;
	for (size_t i = 0; i < EXPIRY_BESIDE; i++) {
		seen = seen * 31 + e->items[i].version;
	}
	s->expiry_same = seen == s->expiry_seen ? s->expiry_same + 1 : 0;
	s->expiry_seen = seen;
	if (s->expiry_same == EXPIRY_TRIES) {
		s->expiry_same = 0;
		s->expiry_after_len = e->next.len;
		memcpy(s->expiry_after, e->next.data, e->next.len);
		return true;
	}
	return s->expiry_same == 0;
}

void expiry_due(struct server *s, const struct event *e)
{
	bool is_full = e->result == OK && e->n == s->expiry_limit && e->next.len > 0;
	s->expiry_goes_on = is_full && expiry_moves(s, e);
	s->expiry_after_len = is_full ? s->expiry_after_len : 0;
	s->expiry_mono = s->now.mono_ms + (is_full ? EXPIRY_SOON_MS : EXPIRY_EVERY_MS);
	if (e->result != OK) {
		server_log(s, LOG_WARN, "event=expiry_failed reason=\"%s\"", err_text(e->result));
		return;
	}
	for (size_t i = 0; i < e->n; i++) {
		expiry_item(s, &e->items[i]);
	}
}
