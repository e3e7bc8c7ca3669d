/*
 * nonsense.c - requests that are none: unknown fields, methods, rooms.
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

static const struct act nonsense_acts[] = {
	{25, act_bad_field, false},
};

const struct feature feature_nonsense = {
	.name = "nonsense",
	FEATURE_ROWS(acts, nonsense_acts),
};
