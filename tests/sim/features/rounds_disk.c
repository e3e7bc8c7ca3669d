/*
 * rounds_disk.c - what the disk must say of a room's rounds whenever it is looked at.
 *
 * The room's item lists the rounds there are. While the cards of a round lie
 * open, every vote that a seat has is in the round, or the room's item says that
 * the round is late; when all is calm none is late any more.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

#include "server/domain/room/rounds/round.h"

struct history {
	struct world *w;
	const struct table *found;
	const char *room_id;
	struct room_item room;
};

static bool read_row(struct world *w, const struct record *rec, const struct table_row *row,
		     void *out)
{
	struct fault fault;
	return record_from_bytes(rec, slice_of(row->value, row->value_len), RECORD_STRICT,
				 &w->arena, out, &fault) == OK;
}

static struct slice row_sk(const struct table_row *row)
{
	return slice_of(row->sk, row->sk_len);
}

static const struct table_row *find_row(const struct table *t, struct slice sk)
{
	for (size_t i = 0; i < t->n; i++) {
		if (slice_eq(row_sk(&t->rows[i]), sk)) {
			return &t->rows[i];
		}
	}
	return NULL;
}

static bool read_round(const struct history *h, int64_t n, struct round_item *item)
{
	char sk[32];
	int len = snprintf(sk, sizeof(sk), "ROUND#%010lld", (long long)n);
	const struct table_row *row = find_row(h->found, slice_of(sk, (size_t)len));
	return row != NULL && read_row(h->w, &record_round_item, row, item);
}

static void check_list(const struct history *h)
{
	size_t stored = 0;
	struct round_item item;
	for (size_t i = 0; i < h->found->n; i++) {
		stored += slice_starts(row_sk(&h->found->rows[i]), SLICE("ROUND#"));
	}
	bool fits = stored == h->room.rounds_n;
	for (size_t i = 0; i < h->room.rounds_n; i++) {
		fits = fits && read_round(h, h->room.rounds[i].n, &item) &&
		       (int64_t)item.round.len == h->room.rounds[i].bytes;
	}
	if (!fits) {
		broken(h->w, CLAIM_DURABLE, "%s does not list the rounds there are", h->room_id);
	}
}

static bool has_vote(const struct round_view *round, const struct seat_item *seat)
{
	for (size_t i = 0; i < round->votes_n; i++) {
		if (slice_eq(round->votes[i].user_id, seat->user_id)) {
			return slice_eq(round->votes[i].vote, seat->vote);
		}
	}
	return false;
}

/* What the deck no longer has is withdrawn: the seat keeps it, the round does not. */
static bool deck_has(const struct room_item *room, struct slice vote)
{
	for (size_t i = 0; i < room->valid_sizes.n; i++) {
		if (slice_eq(room->valid_sizes.items[i], vote)) {
			return true;
		}
	}
	return false;
}

static void check_open_round(const struct history *h)
{
	struct round_item item;
	struct round_view round;
	struct fault fault;
	if (!read_round(h, h->room.round, &item) ||
	    record_from_bytes(&record_round_view, item.round, RECORD_STRICT, &h->w->arena, &round,
			      &fault) != OK) {
		broken(h->w, CLAIM_DURABLE, "the open round of %s is not in its history",
		       h->room_id);
		return;
	}
	for (size_t i = 0; i < h->found->n; i++) {
		struct seat_item seat;
		const struct table_row *row = &h->found->rows[i];
		if (slice_starts(row_sk(row), SLICE("USER:")) &&
		    read_row(h->w, &record_seat_item, row, &seat) && seat.with_vote &&
		    deck_has(&h->room, seat.vote) && !has_vote(&round, &seat)) {
			broken(h->w, CLAIM_DURABLE, "the open round of %s lacks the vote of %.*s",
			       h->room_id, (int)seat.user_id.len, seat.user_id.data);
		}
	}
}

static void rounds_found(struct world *w, const char *room_id, const struct table *found)
{
	struct history h = {.w = w, .found = found, .room_id = room_id};
	const struct table_row *row = find_row(found, SLICE("ROOM"));
	if (row == NULL || !read_row(w, &record_room_item, row, &h.room)) {
		return;
	}
	check_list(&h);
	int room_index = room_of_id(w, slice_str(room_id));
	const struct sim_room *r = room_index < 0 ? NULL : &w->rooms[room_index];
	/* Who comes back may take another name, which the round has within a second. */
	bool is_settled = w->is_calm && r != NULL && r->mem->in_memory &&
			  w->mono_ms - r->mem->version_mono[r->mem->now.version % SIM_HISTORY] >
				  ROUND_LATE_MS + 1100;
	if (is_settled && h.room.is_round_late) {
		broken(w, CLAIM_DURABLE, "a round of %s is late although all is calm", room_id);
	}
	if (h.room.is_revealed && !h.room.is_round_late && !h.room.policy.anonymous) {
		check_open_round(&h);
	}
}

const struct feature feature_rounds_disk = {
	.name = "rounds-on-disk",
	.found = rounds_found,
};
