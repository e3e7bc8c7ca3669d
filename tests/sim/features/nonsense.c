/*
 * nonsense.c - requests that are none (unknown fields, methods, rooms), and
 * connections that are closed for what they do not do: greet, end a message, read.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/net/send.h"

static void act_bad_field(struct world *w, struct conn *c, int room)
{
	static const struct {
		enum method method;
		struct slice params;
		enum fault_code expect;
	} bad[] = {
		{METHOD_ROOM_VOTE, {"\x81\xa4oops\x01", 7}, FAULT_VALIDATION_ERROR},
		{METHOD_ROOM_VOTE, {"\x81\xa7room_id\x01", 10}, FAULT_VALIDATION_ERROR},
		{METHOD_ROOM_GET,
		 {"\x82\xa7room_id\xa6"
		  "AAAAAA\xa7room_id\xa6"
		  "AAAAAA",
		  31},
		 FAULT_VALIDATION_ERROR},
		{METHOD_ROOM_GET, {"\x80", 1}, FAULT_VALIDATION_ERROR},
		{METHOD_COUNT, {"\x80", 1}, FAULT_UNKNOWN_METHOD},
		{METHOD_ROOM_GET, {"\x81\xa7room_id\xa6!!!!!!", 16}, FAULT_NONE},
		{METHOD_ROOM_GET,
		 {"\x81\xa7room_id\xa6"
		  "ZZZZ99",
		  16},
		 FAULT_ROOM_NOT_FOUND},
	};
	(void)room;
	size_t which = dice_below(&w->dice, sizeof(bad) / sizeof(bad[0]));
	send_raw(w, c, bad[which].method, -1, bad[which].params, bad[which].expect);
}

/* Each of these ends by itself, however quiet it is. */
static void connections_settled(struct world *w)
{
	const int64_t *limits = w->config.limits;
	for (size_t i = 0; i < w->conns_n; i++) {
		const struct conn *c = w->conns[i];
		const char *name = member_name(w, c->member);
		if (!c->server_has || c->is_closing) {
			continue;
		}
		if (!c->left_greeted &&
		    w->mono_ms - c->opened_mono > limits[LIMIT_HELLO_MS] + 1100) {
			broken(w, CLAIM_BOUNDS, "%s never said hello and is connected still", name);
		}
		/* What waits because answers are owed is not the peer's delay. */
		int64_t part = c->part_mono > c->busy_mono ? c->part_mono : c->busy_mono;
		if (c->part_mono != 0 && !c->is_paused &&
		    w->mono_ms - part > limits[LIMIT_FRAME_MS] + 1100) {
			broken(w, CLAIM_BOUNDS, "%s never ends a message and is connected still",
			       name);
		}
		if (c->full_mono != 0 &&
		    w->mono_ms - c->full_mono > limits[LIMIT_STALL_MS] + 1100) {
			broken(w, CLAIM_BOUNDS, "%s reads nothing and is connected still", name);
		}
	}
}

static const struct act nonsense_acts[] = {
	{25, act_bad_field, false},
};

const struct feature feature_nonsense = {
	.name = "nonsense",
	.settled = connections_settled,
	FEATURE_ROWS(acts, nonsense_acts),
};
