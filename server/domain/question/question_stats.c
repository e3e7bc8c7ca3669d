/*
 * question_stats.c - stats.get, leaderboard.get: what a person has earned, and how that
 * compares. Nobody is named: an entry of a board is a number.
 */
#include "server/domain/question/question.h"

#include <stdlib.h>

#include "server/domain/directory.h"
#include "server/domain/question/points.h"

/* A board: its index, and the members of an item that it goes by. */
static const struct board {
	enum index_id index;
	size_t partition, points, answers; /* struct slice, int64_t, int64_t */
} boards[] = {
#define BOARD_OF(index, partition, points, answers)                                               \
	{                                                                                         \
		index, offsetof(struct stats_item, partition),                                    \
			offsetof(struct stats_item, points), offsetof(struct stats_item, answers) \
	}
	[BOARD_DAILY] = BOARD_OF(INDEX_BY_DAY_POINTS, day, day_points, day_answers),
	[BOARD_WEEKLY] = BOARD_OF(INDEX_BY_WEEK_POINTS, week, week_points, week_answers),
	[BOARD_ALL_TIME] =
		BOARD_OF(INDEX_BY_TOTAL_POINTS, leaderboard, total_points, total_answers),
#undef BOARD_OF
};

static int64_t number_at(const struct stats_item *stats, size_t offset)
{
	int64_t number;
	memcpy(&number, (const char *)stats + offset, sizeof(number));
	return number;
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

/* 1 and how many have more points; 0 where that are too many to be counted. */
static int64_t rank_of(struct txn *t, const struct board *board, struct slice partition,
		       int64_t points)
{
	size_t ranks = (size_t)t->limits[LIMIT_BOARD_RANKS];
	size_t ahead = txn_count(t, board->index, partition, points + 1, ranks);
	return ahead < ranks ? (int64_t)ahead + 1 : 0;
}

enum txn_step on_STATS_GET(struct txn *t)
{
	struct stats_get_result *result = t->result;
	struct key_text fingerprint = question_fingerprint(t);
	if (!txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists")) {
		return TXN_REFUSED;
	}
	const struct stats_item *stats = txn_get(t, ITEM_STATS, slice_str(fingerprint.text), NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (stats == NULL) {
		return TXN_DONE;
	}
	result->rank = rank_of(t, &boards[BOARD_ALL_TIME], stats->leaderboard, stats->total_points);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct badge_view *badges = arena_alloc(t->arena, (stats->badges_n + 1) * sizeof(*badges));
	if (badges == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	result->total_points = stats->total_points;
	result->total_answers = stats->total_answers;
	result->streak_days = points_streak(stats, t->wall_ms, t->session->utc_offset_minutes);
	result->badges = badges;
	result->badges_n = points_badges(stats, badges);
	result->answers_by_category = stats->answers_by_category;
	return TXN_DONE;
}

/* The most points first. */
static int entry_by_points(const void *a, const void *b)
{
	const struct board_entry *left = a, *right = b;
	return (left->points < right->points) - (left->points > right->points);
}

enum txn_step on_LEADERBOARD_GET(struct txn *t)
{
	const struct leaderboard_get_params *p = t->params;
	struct leaderboard_get_result *result = t->result;
	const struct board *board = &boards[p->period];
	struct key_text mine = question_fingerprint(t);
	struct slice fingerprint = slice_str(mine.text);
	struct points_date date =
		p->period == BOARD_DAILY ? points_day(t->wall_ms) : points_week(t->wall_ms);
	struct slice partition =
		p->period == BOARD_ALL_TIME ? POINTS_LEADERBOARD : slice_str(date.text);
	size_t limit = p->with_limit ? (size_t)p->limit : MAX_BOARD_PAGE_USUAL;
	if (!txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists")) {
		return TXN_REFUSED;
	}
	const struct stats_item *own = txn_get(t, ITEM_STATS, fingerprint, NO_SK);
	struct txn_items page =
		txn_query(t, board->index, partition,
			  &(struct txn_range){.is_descending = true, .limit = limit});
	if (!txn_is_loading(t) && is_listed(board, own, partition)) {
		result->your_points = number_at(own, board->points);
		result->your_rank = rank_of(t, board, partition, result->your_points);
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct board_entry *entries = arena_alloc(t->arena, (page.n + 1) * sizeof(*entries));
	if (entries == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	result->entries = entries;
	for (size_t i = 0; i < page.n; i++) {
		const struct stats_item *stats = txn_decode(t, &page.items[i]);
		if (is_listed(board, stats, partition)) {
			entries[result->entries_n++] = (struct board_entry){
				.points = number_at(stats, board->points),
				.answers = number_at(stats, board->answers),
				.is_me = slice_eq(item_pk_rest(&page.items[i], ITEM_STATS),
						  fingerprint),
			};
		}
	}
	/* An index may be behind its items. */
	qsort(entries, result->entries_n, sizeof(*entries), entry_by_points);
	for (size_t i = 0; i < result->entries_n; i++) {
		struct board_entry *entry = &entries[i];
		bool is_tie = i > 0 && entry[-1].points == entry->points;
		entry->rank = is_tie ? entry[-1].rank : (int64_t)i + 1;
		if (entry->is_me) { /* as the page has it, which may be newer or older than the item */
			result->your_rank = entry->rank;
			result->your_points = entry->points;
		}
	}
	return TXN_DONE;
}

/* ---- a user who is deleted ---- */

enum user_left stats_end(struct txn *t, struct slice user_id)
{
	struct key_text fingerprint = question_fingerprint_of(t, user_id);
	const struct stats_item *stats = txn_get(t, ITEM_STATS, slice_str(fingerprint.text), NO_SK);
	if (stats == NULL || txn_is_loading(t)) {
		return USER_LEFT_NOTHING;
	}
	txn_delete(t, ITEM_STATS, slice_str(fingerprint.text), NO_SK);
	return USER_LEFT_MORE;
}
