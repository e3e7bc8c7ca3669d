/*
 * crowd_rooms.c - holds what clients of several servers are shown of a room against what others were shown.
 */
#include <string.h>

#include "tests/support/crowd_client.h"
#include "tests/support/test.h"

long long crowd_room_settled(struct room *r)
{
	if (crowd_now_us() / 1000 - r->marked_ms >= CROWD_LEASE_MS) {
		r->settled = r->marked;
		r->marked = r->newest;
		r->marked_ms = crowd_now_us() / 1000;
	}
	return r->settled;
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u;
	for (; *text != '\0'; text++) {
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	}
	return hash;
}

/* Whether somebody was shown a later epoch at least CROWD_LEASE_MS before then; a new epoch becomes the room's. */
static bool room_is_old(struct room *r, long long epoch, int64_t then_ms)
{
	for (size_t i = r->past_n < EPOCHS ? 0 : r->past_n - EPOCHS; i < r->past_n; i++) {
		if (r->past[i % EPOCHS].epoch == epoch) {
			return then_ms - r->past[i % EPOCHS].over_ms >= CROWD_LEASE_MS;
		}
	}
	if (r->epoch != epoch) {
		r->past[r->past_n % EPOCHS].epoch = r->epoch;
		r->past[r->past_n++ % EPOCHS].over_ms = crowd_now_us() / 1000;
		r->epoch = epoch;
		r->newest = r->marked = r->settled = 0;
		r->marked_ms = crowd_now_us() / 1000;
	}
	return false;
}

void crowd_room_check(const struct client *c, long long epoch, long long from, long long to,
		      const char *json)
{
	struct room *r = c->room;
	struct step *step = &r->steps[(unsigned long long)to % STEPS];
	bool is_full = strstr(json, "\"full\":true") != NULL;
	uint64_t what = is_full ? 0 : hash_of(json);
	if (c->kind == &crowd_member && (strstr(json, "\"vote\":\"c") != NULL ||
					 strstr(json, "\"is_revealed\":true") != NULL)) {
		fail_msg("client %u sees cards: %s", c->at, json);
	}
	if (room_is_old(r, epoch, c->greeted_us / 1000) ||
	    (is_full && epoch == c->epoch && to < c->least)) {
		fail_msg("client %u is shown what is older than what others were, long before: %s",
			 c->at, json);
	}
	if (step->epoch == epoch && step->from == from && step->to == to && step->what != what &&
	    what != 0 && step->what != 0) {
		fail_msg("client %u is shown something else from %lld to %lld than others: %s",
			 c->at, from, to, json);
	}
	*step = (struct step){epoch, from, to, what};
	if (epoch == r->epoch) {
		r->newest = to > r->newest ? to : r->newest;
		(void)crowd_room_settled(r);
	}
}
