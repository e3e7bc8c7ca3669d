/*
 * question_stats.c - stats.get: what a person has earned.
 */
#include "server/domain/question/question.h"

#include "server/domain/base/user_barred.h"
#include "server/domain/directory.h"
#include "server/domain/question/points.h"

enum txn_step on_STATS_GET(struct txn *t)
{
	struct stats_get_result *result = t->result;
	struct key_text fingerprint = question_fingerprint(t);
	if (!txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists")) {
		return TXN_REFUSED;
	}
	const struct stats_item *stats = txn_get(t, ITEM_STATS, slice_str(fingerprint.text), NO_SK);
	const struct board_item *board = board_shown(t, BOARD_ALL_TIME);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (stats == NULL) {
		return TXN_DONE;
	}
	struct badge_view *badges = arena_alloc(t->arena, (stats->badges_n + 1) * sizeof(*badges));
	if (badges == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	result->total_points = stats->total_points;
	result->total_answers = stats->total_answers;
	result->rank = board_rank(board, stats->total_points);
	result->streak_days = points_streak(stats, t->wall_ms, t->session->utc_offset_minutes);
	result->badges = badges;
	result->badges_n = points_badges(stats, badges);
	result->answers_by_category = stats->answers_by_category;
	return TXN_DONE;
}

/* ---- a user who is deleted ---- */

enum user_left stats_end(struct txn *t, struct slice user_id)
{
	struct key_text fingerprint = user_fingerprint(t, user_id);
	const struct stats_item *stats = txn_get(t, ITEM_STATS, slice_str(fingerprint.text), NO_SK);
	if (stats == NULL || txn_is_loading(t)) {
		return USER_LEFT_NOTHING;
	}
	txn_delete(t, ITEM_STATS, slice_str(fingerprint.text), NO_SK);
	return USER_LEFT_MORE;
}
