/*
 * field_rules.h - which calls may change which field of what is shown of a room, a user's sessions, a group, a container
 * or a question. A field of those records that has no row here fails (fields.c).
 *
 * Rows:
 *   FRAME   of the update, or of whoever is sent it, and not of what it shows
 *   PARTS   its records have rows of their own, or what is in it comes and goes by the rules of its feature
 *   FIXED   as it was made
 *   ASKED   changes by a call of the methods that are named
 *   ITSELF  changes without any call as well: why
 */
#ifndef TESTS_SIM_FIELD_RULES_H
#define TESTS_SIM_FIELD_RULES_H

#include "tests/sim/oracle/rules.h"

#define ROUND_ENDS "a countdown or timer runs out, or the last who was waited for goes"
#define SEAT_GRACE "a seat that is away loses it after a grace, or by what its login does"
#define HOST_GONE  "another member stands in for a host who has gone, until they are back"
#define USER_STEPS "what is left of a deleted user or group goes step by step"
#define ITEM_SAVES "an estimate comes to its item after the answer"
#define TIME_OVER  "its time is over"

#define TOPIC_RULES(FRAME, record) \
	FRAME(record, since)       \
	FRAME(record, version)     \
	FRAME(record, reset)

#define FIELD_RULES(FRAME, PARTS, FIXED, ASKED, ITSELF) \
	FRAME(room_update, room_id) \
	FRAME(room_update, epoch) \
	FRAME(room_update, since) \
	FRAME(room_update, version) \
	FRAME(room_update, full) \
	PARTS(room_update, room) \
	FRAME(room_update, votes_cleared) \
	ITSELF(room_update, votes_n, SEAT_GRACE) \
	PARTS(room_update, left_votes) \
	FRAME(room_update, left_cleared) \
	PARTS(room_update, users) \
	PARTS(room_update, gone) \
	PARTS(room_update, stories) \
	PARTS(room_update, story_votes) \
	PARTS(room_update, data) \
	FRAME(room_update, by) \
	ASKED(room_view, title, METHOD_ROOM_SET_TITLE) \
	FIXED(room_view, group_id) \
	ASKED(room_view, link_template, METHOD_ROOM_SET_LINK_TEMPLATE) \
	ASKED(room_view, valid_sizes, METHOD_ROOM_SET_VALID_SIZES) \
	ITSELF(room_view, is_revealed, ROUND_ENDS) \
	ASKED(room_view, round, RULES_BEGIN, METHOD_ROUND_SETTLE, METHOD_ROUND_SETTLE_AGREED) \
	ITSELF(room_view, host_user_id, HOST_GONE) \
	ITSELF(room_view, host_kept_for, HOST_GONE) \
	ITSELF(room_view, next_host_user_id, HOST_GONE) \
	ITSELF(room_view, next_host_at, HOST_GONE) \
	ITSELF(room_view, phase, ROUND_ENDS) \
	ASKED(room_view, story_id, METHOD_STORY_SELECT, METHOD_STORY_NEXT, METHOD_ROUND_UNDO_RESET) \
	ASKED(room_view, story_round, RULES_BEGIN) \
	ASKED(room_view, started_at, RULES_BEGIN) \
	ASKED(room_view, policy, METHOD_ROOM_SET_POLICY) \
	ITSELF(room_view, countdown, ROUND_ENDS) \
	ITSELF(room_view, timer, ROUND_ENDS) \
	FIXED(room_view, timer_seconds) \
	FIXED(room_view, reactions) \
	ITSELF(room_view, pause_ends_at, "a break is over") \
	ITSELF(room_view, is_armed, ROUND_ENDS) \
	ASKED(room_view, can_undo, RULES_BEGIN, METHOD_STORY_REMOVE, METHOD_ROOM_VOTE, METHOD_ROOM_SET_REVEALED, METHOD_ROUND_SETTLE, METHOD_ROUND_SETTLE_AGREED, METHOD_ROOM_SET_VALID_SIZES) \
	ASKED(room_view, outcome, RULES_BEGIN, METHOD_ROUND_SETTLE, METHOD_ROUND_SETTLE_AGREED, METHOD_ROOM_SET_REVEALED) \
	ITSELF(room_view, result, ROUND_ENDS) \
	FIXED(user_view, user_id) \
	ITSELF(user_view, username, SEAT_GRACE) \
	ITSELF(user_view, role, SEAT_GRACE) \
	ITSELF(user_view, is_bot, SEAT_GRACE) \
	ITSELF(user_view, is_connected, "connections come and go") \
	ITSELF(user_view, away_since, "connections come and go") \
	ITSELF(user_view, is_host, HOST_GONE) \
	ITSELF(user_view, has_vote, SEAT_GRACE) \
	ITSELF(user_view, vote, ROUND_ENDS) \
	ITSELF(user_view, comment, ROUND_ENDS) \
	ITSELF(user_view, confidence, ROUND_ENDS) \
	ITSELF(user_view, is_changed, ROUND_ENDS) \
	ASKED(user_view, is_waiting, METHOD_ROOM_ADMIT, METHOD_ROOM_REJECT, METHOD_ROOM_KICK, METHOD_ROOM_SET_POLICY, METHOD_ROOM_CLAIM_HOST, METHOD_ROOM_SUBSCRIBE, METHOD_ROOM_SET_HOST, METHOD_ROOM_JOIN, METHOD_ROOM_DELETE_USER) \
	ITSELF(user_view, stories_voted, SEAT_GRACE) \
	FIXED(story_view, story_id) \
	ASKED(story_view, rank, METHOD_STORY_MOVE, METHOD_STORY_ADD, METHOD_STORY_RESTORE) \
	ASKED(story_view, title, METHOD_STORY_UPDATE) \
	ASKED(story_view, key, METHOD_STORY_UPDATE) \
	ASKED(story_view, link, METHOD_STORY_UPDATE) \
	ASKED(story_view, description, METHOD_STORY_UPDATE) \
	ASKED(story_view, status, RULES_BEGIN, METHOD_ROUND_SETTLE, METHOD_ROUND_SETTLE_AGREED, METHOD_STORY_UPDATE, METHOD_ROOM_SET_REVEALED) \
	ASKED(story_view, estimate, RULES_BEGIN, METHOD_ROUND_SETTLE, METHOD_ROUND_SETTLE_AGREED, METHOD_STORY_UPDATE) \
	ASKED(story_view, is_removed, METHOD_STORY_REMOVE, METHOD_STORY_RESTORE) \
	FIXED(story_view, item) \
	ITSELF(story_view, is_unsaved, ITEM_SAVES) \
	ITSELF(story_view, unsaved_reason, ITEM_SAVES) \
	ITSELF(story_view, ends_at, ROUND_ENDS) \
	TOPIC_RULES(FRAME, session_update) \
	PARTS(session_update, started) \
	PARTS(session_update, ended) \
	PARTS(session_update, renamed) \
	PARTS(session_update, joined) \
	PARTS(session_update, left) \
	TOPIC_RULES(FRAME, group_update) \
	FRAME(group_update, epoch) \
	FRAME(group_update, full) \
	FRAME(group_update, is_deleted) \
	FRAME(group_update, group_id) \
	PARTS(group_update, group) \
	PARTS(group_update, users) \
	PARTS(group_update, gone) \
	PARTS(group_update, rooms) \
	PARTS(group_update, containers) \
	ASKED(group_view, group_name, METHOD_GROUP_RENAME) \
	ITSELF(group_view, users, USER_STEPS) \
	ASKED(group_view, defaults, METHOD_GROUP_SET_DEFAULTS) \
	TOPIC_RULES(FRAME, container_update) \
	FRAME(container_update, epoch) \
	FRAME(container_update, full) \
	FRAME(container_update, is_deleted) \
	FRAME(container_update, container_id) \
	PARTS(container_update, container) \
	PARTS(container_update, items) \
	PARTS(container_update, gone) \
	FIXED(container_entry, container_id) \
	ASKED(container_entry, container_name, METHOD_CONTAINER_RENAME) \
	FIXED(container_entry, group_id) \
	ASKED(container_entry, items, METHOD_ITEM_ADD, METHOD_ITEM_REMOVE, METHOD_ITEM_MOVE) \
	ITSELF(container_entry, unestimated, ITEM_SAVES) \
	FRAME(container_entry, version) \
	FIXED(item_view, item_id) \
	ASKED(item_view, name, METHOD_ITEM_UPDATE) \
	ITSELF(item_view, unit, ITEM_SAVES) \
	ITSELF(item_view, quantity, ITEM_SAVES) \
	ASKED(item_view, category, METHOD_ITEM_UPDATE) \
	ASKED(item_view, expiry, METHOD_ITEM_UPDATE) \
	ASKED(item_view, note, METHOD_ITEM_UPDATE) \
	FIXED(item_view, created_at) \
	ITSELF(item_view, updated_at, ITEM_SAVES) \
	ITSELF(item_view, revision, ITEM_SAVES) \
	TOPIC_RULES(FRAME, question_update) \
	FRAME(question_update, question_id) \
	PARTS(question_update, question) \
	FIXED(question_view, question_id) \
	ITSELF(question_view, status, TIME_OVER) \
	FIXED(question_view, prompt) \
	FIXED(question_view, type) \
	FIXED(question_view, options) \
	FIXED(question_view, audience) \
	FIXED(question_view, required_responses) \
	ASKED(question_view, current_responses, METHOD_QUESTION_ANSWER) \
	ASKED(question_view, responses_needed, METHOD_QUESTION_ANSWER) \
	FIXED(question_view, created_at) \
	FIXED(question_view, expires_at) \
	ITSELF(question_view, closed_at, TIME_OVER) \
	ASKED(question_view, asked_by, METHOD_USER_DELETE) \
	FIXED(question_view, room_id) \
	FIXED(question_view, group_id) \
	FIXED(question_view, user_id) \
	FRAME(question_view, is_mine) \
	FRAME(question_view, can_answer) \
	FRAME(question_view, is_answered) \
	FRAME(question_view, own_response) \
	FRAME(question_view, why_not) \
	FRAME(question_view, people) \
	ITSELF(question_view, summary, TIME_OVER) \
	ITSELF(question_view, responses, TIME_OVER)

#endif
