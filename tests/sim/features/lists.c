/*
 * lists.c - what people read of a room beside its updates: its stories and rounds page by page, a map, a list, and
 * who was kicked for good. An answer is what the room was at some moment while the call was with the server.
 */
#include "tests/sim/features/data.h"

#include <string.h>

#include "tests/sim/features/feature.h"

/* ---- acts ---- */

static void act_read(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	struct page_params p = {0};
	struct room_barred_params barred = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ROOM_ID(barred, w, room);
	switch (dice_below(&w->dice, 5)) {
	case 0:
		send_op(w, c, METHOD_STORY_LIST, room, &p, &about);
		break;
	case 1:
		send_op(w, c, METHOD_ROUND_LIST, room, &p, &about);
		break;
	case 2:
		send_get(w, c, METHOD_MAP_GET, room, "m");
		break;
	case 3:
		send_get(w, c, METHOD_LIST_GET, room, "l");
		break;
	default:
		SEND_HOST_KEY(barred, about, w, room, act_shows(w, c, room));
		send_op(w, c, METHOD_ROOM_BARRED, room, &barred, &about);
		break;
	}
}

/* ---- answers ---- */

/* Whether the answer may be of the state. */
typedef bool page_test(const struct world *w, const union method_result *result,
		       const struct view *v);

/* Of a state that is not known, as of any of those that were missed, it may be. */
static bool page_may_be(const struct world *w, const struct op *op,
			const union method_result *result, page_test *test)
{
	const struct sim_room *room = &w->rooms[op->room];
	if (!room->mem->in_memory || op->from_version < 0 ||
	    op->from_epoch != room->mem->now.epoch) {
		return true;
	}
	for (int64_t version = op->from_version; version <= room->mem->now.version; version++) {
		const struct view *v = room_at(room, room->mem->now.epoch, version);
		if (v == NULL || test(w, result, v)) {
			return true;
		}
	}
	return false;
}

/* Those to come in their order, and behind them those that were removed. */
static bool stories_are(const struct world *w, const union method_result *result,
			const struct view *v)
{
	const struct story_list_result *r = &result->STORY_LIST;
	const struct view_story *last = NULL;
	bool are = r->stories_n == v->stories_n;
	(void)w;
	for (size_t i = 0; i < r->stories_n && are; i++) {
		char id[20];
		view_text(id, sizeof(id), r->stories[i].story_id);
		const struct view_story *s = view_story(v, id);
		are = s != NULL && slice_eq(r->stories[i].title, slice_str(s->title)) &&
		      (last == NULL || last->is_removed < s->is_removed ||
		       (last->is_removed == s->is_removed && strcmp(last->rank, s->rank) < 0));
		last = s;
	}
	return are;
}

/* The newest first, none twice, and none that is still to come or has not been turned over. */
static bool rounds_are(const struct world *w, const union method_result *result,
		       const struct view *v)
{
	const struct round_list_result *r = &result->ROUND_LIST;
	int64_t least = v->round + 1;
	for (size_t i = 0; i < r->rounds_n; i++) {
		const struct round_view *round = &r->rounds[i];
		if (round->n >= least ||
		    (w->jumps == 0 && round->revealed_at < round->started_at)) {
			return false;
		}
		least = round->n;
	}
	return true;
}

static size_t entries_of(const struct view *v, const char *kind)
{
	size_t n = 0;
	for (size_t i = 0; i < v->data_n; i++) {
		n += strcmp(v->data[i].kind, kind) == 0 && v->data[i].id[0] != '\0';
	}
	return n;
}

/* A map of few keys begins with how many they are. */
static bool map_is(const struct map_get_result *r, const struct view *v)
{
	return r->entries.len > 0 &&
	       (unsigned char)r->entries.data[0] == (0x80 | entries_of(v, "map"));
}

static bool list_is(const struct list_get_result *r, const struct view *v)
{
	bool is = r->entries_n == entries_of(v, "list");
	for (size_t i = 0; i < r->entries_n && is; i++) {
		char id[20];
		view_text(id, sizeof(id), r->entries[i].entry_id);
		const struct view_entry *e = view_entry(v, "list", id);
		is = e != NULL && e->revision == r->entries[i].revision &&
		     slice_eq(r->entries[i].rank, slice_str(e->rank)) &&
		     (i == 0 || slice_cmp(r->entries[i - 1].rank, r->entries[i].rank) < 0);
	}
	return is;
}

/* By a call that came at any time. */
static bool was_kicked(const struct world *w, int room, struct slice user_id)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->room == room && op->is_delivered &&
		    (op->method == METHOD_ROOM_KICK || op->method == METHOD_ROOM_REJECT) &&
		    slice_eq(slice_str(op->target), user_id)) {
			return true;
		}
	}
	return false;
}

static bool barred_may_be(const struct world *w, int room, const struct room_barred_result *r)
{
	for (size_t i = 0; i < r->barred_n; i++) {
		if (!was_kicked(w, room, r->barred[i].user_id)) {
			return false;
		}
	}
	return true;
}

static void lists_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	const struct map_get_result *map = &result->MAP_GET;
	const struct list_get_result *list = &result->LIST_GET;
	const struct sim_room *room = op->room < 0 ? NULL : &w->rooms[op->room];
	const struct view *v = NULL;
	bool is_right = true;
	(void)c;
	switch (op->method) {
	case METHOD_STORY_LIST:
		is_right = page_may_be(w, op, result, stories_are);
		break;
	case METHOD_ROUND_LIST:
		is_right = page_may_be(w, op, result, rounds_are);
		break;
	case METHOD_MAP_GET:
		v = room_at(room, map->epoch, map->version);
		is_right = v == NULL || map_is(map, v);
		break;
	case METHOD_LIST_GET:
		v = room_at(room, list->epoch, list->version);
		is_right = v == NULL || list_is(list, v);
		break;
	case METHOD_ROOM_BARRED:
		is_right = barred_may_be(w, op->room, &result->ROOM_BARRED);
		break;
	default:
		break;
	}
	w->figures.comparisons += v != NULL;
	if (!is_right || (op->method == METHOD_STORY_LIST && result->STORY_LIST.stories_n > 0 &&
			  planted(w, BREAK_BEND_PAGE, 1))) {
		broken(w, CLAIM_CONVERGE, "%s of %s answers what %s never was",
		       method_rows[op->method].name, member_name(w, op->member), room->id);
	}
}

static bool refused_no_map(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return view_entry(v, "map", "") == NULL;
}

static bool refused_no_list(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return view_entry(v, "list", "") == NULL;
}

static const struct request lists_requests[] = {
	{.method = METHOD_STORY_LIST, DATA_READERS_ROW},
	{.method = METHOD_ROUND_LIST, DATA_READERS_ROW},
	{.method = METHOD_MAP_GET, DATA_READERS_ROW, .not_found = refused_no_map},
	{.method = METHOD_LIST_GET, DATA_READERS_ROW, .not_found = refused_no_list},
	{.method = METHOD_ROOM_BARRED},
};

static const struct act lists_acts[] = {
	{20, act_read, false},
};

const struct feature feature_lists = {
	.name = "lists",
	FEATURE_ROWS(acts, lists_acts),
	FEATURE_ROWS(requests, lists_requests),
	.granted = lists_granted,
};
