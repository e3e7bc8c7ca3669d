/*
 * board.c - leaderboard.get, and the boards that it shows.
 *
 * Whoever saw one person's points rise with each answer could tie their answers
 * together, and learn who gave them all when that person goes. So a board is stored as it
 * is shown, and nobody stands alone there: BOARD_PEOPLE or more share a place, of
 * which are known their number and the points that each of them has at least, in steps of
 * BOARD_STEP, which is more than an answer earns. Who has less than the last place, being fewer
 * than that, is on none. It is made at most each BOARD_EVERY_MS, at no time of anybody's choosing,
 * and only if so many people have answered since the one before. Nothing in it
 * is about one person, so nothing of it goes with one who is deleted.
 *
 * What the caller has is theirs to know at once; their rank is that of the place
 * for which it is enough.
 */
#include "server/domain/question/question.h"

#include <stdlib.h>

#include "server/domain/directory.h"
#include "server/domain/question/points.h"

#define BOARD_LINE SLICE("boards")

/* A board: its index, and the members of an item that it goes by. */
static const struct board {
	enum index_id index;
	size_t partition, points; /* struct slice, int64_t */
} boards[] = {
#define BOARD_OF(index, partition, points)                                                         \
	{                                                                                          \
		index, offsetof(struct stats_item, partition), offsetof(struct stats_item, points) \
	}
	[BOARD_DAILY] = BOARD_OF(INDEX_BY_DAY_POINTS, day, day_points),
	[BOARD_WEEKLY] = BOARD_OF(INDEX_BY_WEEK_POINTS, week, week_points),
	[BOARD_ALL_TIME] = BOARD_OF(INDEX_BY_TOTAL_POINTS, leaderboard, total_points),
#undef BOARD_OF
};

static int64_t points_of(const struct board *board, const struct stats_item *stats)
{
	int64_t points;
	memcpy(&points, (const char *)stats + board->points, sizeof(points));
	return points;
}

/* The partition of the index that the board of now is made from. */
static struct slice partition_of(struct txn *t, enum board_period period)
{
	struct points_date date =
		period == BOARD_DAILY ? points_day(t->wall_ms) : points_week(t->wall_ms);
	return period == BOARD_ALL_TIME ? POINTS_LEADERBOARD : txn_copy(t, slice_str(date.text));
}

/* Whether the item is in that partition of the board, whatever the index says. */
static bool is_listed(const struct board *board, const struct stats_item *stats,
		      struct slice partition)
{
	struct slice in = {0};
	if (stats != NULL) {
		memcpy(&in, (const char *)stats + board->partition, sizeof(in));
	}
	return stats != NULL && slice_eq(in, partition);
}

/* ---- making one ---- */

/* The most first. */
static int by_points(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left < *right) - (*left > *right);
}

/* Points of those who have most, in order, and how many of them have answered since then. False where memory is out. */
static bool points_list(struct txn *t, const struct board *board, struct slice partition,
			const struct txn_items *page, int64_t since, int64_t **out, size_t *n,
			size_t *answered)
{
	*out = arena_alloc(t->arena, (page->n + 1) * sizeof(**out));
	*n = 0;
	*answered = 0;
	for (size_t i = 0; *out != NULL && i < page->n; i++) {
		const struct stats_item *stats = txn_decode(t, &page->items[i]);
		if (is_listed(board, stats, partition)) {
			(*out)[(*n)++] = points_of(board, stats);
			*answered += stats->updated_on > since;
		}
	}
	/* An index may be behind its items. */
	if (*n > 1) {
		qsort(*out, *n, sizeof(**out), by_points);
	}
	return *out != NULL;
}

/* Places of so many people each, and of those who have as much as the last of them. */
static size_t places_make(const struct txn *t, const int64_t *points, size_t n,
			  struct place_item *places)
{
	size_t people = (size_t)t->limits[LIMIT_BOARD_PEOPLE];
	size_t made = 0;
	for (size_t i = 0; n - i >= people;) {
		size_t end = i + people;
		int64_t least = points[end - 1] - points[end - 1] % t->limits[LIMIT_BOARD_STEP];
		while (end < n && points[end] >= least) {
			end++;
		}
		places[made++] = (struct place_item){.people = (int64_t)(end - i), .points = least};
		i = end;
	}
	return made;
}

/* On the last place there are also those with as much who are behind the page. */
static void last_count(struct txn *t, const struct board *board, struct slice partition,
		       struct board_item *now)
{
	struct place_item *last = &now->places[now->places_n - 1];
	int64_t people =
		(int64_t)txn_count(t, board->index, partition, last->points, STORE_COUNT_MAX);
	for (size_t i = 0; i + 1 < now->places_n; i++) {
		people -= now->places[i].people;
	}
	last->people = people > last->people ? people : last->people;
}

/* Make the board if its time has come and there is enough for one, and say when it is looked for the next. */
static enum txn_step board_make(struct txn *t, enum board_period period)
{
	const struct board *board = &boards[period];
	struct slice key = slice_str(words_text(&words_board_period, (int)period));
	struct slice partition = partition_of(t, period);
	const struct board_item *shown = txn_get(t, ITEM_BOARD, key, NO_SK);
	if (txn_is_loading(t) || (shown != NULL && shown->expires_at > t->wall_ms)) {
		return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
	}
	struct txn_items page =
		txn_query(t, board->index, partition,
			  &(struct txn_range){.is_descending = true,
					      .limit = (size_t)t->limits[LIMIT_BOARD_RANKS]});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct board_item now = {.partition = partition};
	if (shown != NULL) {
		now = *shown;
	}
	int64_t *points;
	size_t n, answered;
	struct place_item *places = arena_alloc(t->arena, (page.n + 1) * sizeof(*places));
	if (places == NULL ||
	    !points_list(t, board, partition, &page, now.made_at, &points, &n, &answered)) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	if (answered >= (size_t)t->limits[LIMIT_BOARD_PEOPLE]) {
		now.partition = partition;
		now.made_at = t->wall_ms;
		now.places = places;
		now.places_n = places_make(t, points, n, places);
		if (page.has_more && now.places_n > 0) {
			last_count(t, board, partition, &now);
		}
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	now.expires_at = t->wall_ms + t->limits[LIMIT_BOARD_EVERY_MS];
	txn_put(t, ITEM_BOARD, key, NO_SK, &now);
	return TXN_DONE;
}

/* @params struct txn_next: the word of a period of which nobody has asked for the board before. */
static enum txn_step board_begin(struct txn *t)
{
	const struct txn_next *p = t->params;
	return board_make(t, (enum board_period)words_find(&words_board_period, p->key));
}

enum txn_step board_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	int period = words_find(&words_board_period, item_pk_rest(found, ITEM_BOARD));
	return period < 0 ? TXN_DONE : board_make(t, (enum board_period)period);
}

/* ---- showing it ---- */

const struct board_item *board_shown(struct txn *t, enum board_period period)
{
	struct slice key = slice_str(words_text(&words_board_period, (int)period));
	const struct board_item *board = txn_get(t, ITEM_BOARD, key, NO_SK);
	if (board == NULL && !txn_is_loading(t)) {
		txn_then(t, BOARD_LINE, board_begin, key);
	}
	bool is_of_now = board != NULL && slice_eq(board->partition, partition_of(t, period));
	return is_of_now && board->places_n > 0 ? board : NULL;
}

int64_t board_rank(const struct board_item *board, int64_t points)
{
	int64_t before = 0;
	for (size_t i = 0; board != NULL && i < board->places_n; i++) {
		if (points >= board->places[i].points) {
			return before + 1;
		}
		before += board->places[i].people;
	}
	return 0;
}

enum txn_step on_LEADERBOARD_GET(struct txn *t)
{
	const struct leaderboard_get_params *p = t->params;
	struct leaderboard_get_result *result = t->result;
	const enum board_period period =
		p->with_period ? (enum board_period)p->period : BOARD_ALL_TIME;
	struct key_text fingerprint = question_fingerprint(t);
	size_t limit = p->with_limit ? (size_t)p->limit : MAX_BOARD_PAGE_USUAL;
	if (!txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists")) {
		return TXN_REFUSED;
	}
	const struct stats_item *own = txn_get(t, ITEM_STATS, slice_str(fingerprint.text), NO_SK);
	const struct board_item *board = board_shown(t, period);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (is_listed(&boards[period], own, partition_of(t, period))) {
		result->your_points = points_of(&boards[period], own);
		result->your_rank = board_rank(board, result->your_points);
	}
	size_t n = board == NULL ? 0 : board->places_n < limit ? board->places_n : limit;
	struct board_entry *entries = arena_alloc(t->arena, (n + 1) * sizeof(*entries));
	if (entries == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	int64_t rank = 1;
	for (size_t i = 0; i < n; i++) {
		const struct place_item *place = &board->places[i];
		entries[i] = (struct board_entry){
			.rank = rank,
			.people = place->people,
			.points = place->points,
			.is_me = rank == result->your_rank,
		};
		rank += place->people;
	}
	result->entries = entries;
	result->entries_n = n;
	result->made_at = board == NULL ? 0 : board->made_at;
	return TXN_DONE;
}
