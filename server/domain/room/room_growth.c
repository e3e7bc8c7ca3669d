/*
 * room_growth.c - by how much a room lets the table grow.
 *
 * What counts is what the room holds beyond the most it has held since it was
 * loaded: what replaces something, or comes where something was removed, is no
 * growth. Presences are counted as DATA_BYTES counts them, though they are not stored.
 *
 * Votes, reveals and seats are charged to whoever asks next, and never refused;
 * what would begin another round is refused.
 */
#include "server/domain/room/room_state.h"

/* About what an item takes beside its texts: its key, its times, the names of its fields. */
#define ITEM_BYTES 128

static int64_t room_bytes(const struct room *r)
{
	return (int64_t)(r->stories_bytes + r->story_votes_bytes + r->data.bytes +
			 r->rounds_bytes) +
	       ITEM_BYTES * (room_count_items(r) + (int64_t)r->story_votes_n);
}

int64_t room_take_growth(struct room *r)
{
	int64_t growth = room_bytes(r) - r->most_bytes;
	if (growth <= 0) {
		return 0;
	}
	r->most_bytes += growth;
	return growth;
}

enum fault_code room_check_growth(const struct room *r, struct room_call *c, size_t bytes)
{
	int64_t growth = room_bytes(r) + (int64_t)bytes - r->most_bytes;
	int64_t wait_ms =
		c->growth_wait_ms == NULL || growth <= 0 ? 0 : c->growth_wait_ms(c, growth);
	if (wait_ms == 0) {
		return FAULT_NONE;
	}
	fault_set(c->fault, FAULT_RATE_LIMITED, "more than %lld new bytes in rooms an hour",
		  (long long)c->limits[LIMIT_ROOM_BYTES_PER_HOUR]);
	c->fault->retry_after_ms = wait_ms;
	return c->fault->code;
}
