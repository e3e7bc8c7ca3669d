/*
 * words.h - what travels as one of a few words, and is an enum in the program.
 *
 * An enum's words stand once, as rows: W(VALUE, "word"). From them follow the
 * enum of both sides, what an ENUM field of a record may hold (record.h), the
 * reference and the fuzzer's dictionary. Add words at the end of the list or
 * in the middle; the numbers are nowhere stored or sent.
 */
#ifndef PROTO_BASE_WORDS_H
#define PROTO_BASE_WORDS_H

#include "proto/base/slice.h"

struct words {
	const char *name;
	const struct slice *list; /* by value; each is NUL-terminated */
	int n;
	int otherwise; /* the value of a word that a newer peer or a later version wrote */
};

#define WORDS_seat_role(W)                                                                         \
	W(ROLE_VOTER, "voter")                                                                     \
	W(ROLE_SPECTATOR, "spectator")

/* policy.who_reveals, who_resets and who_edits_stories. */
#define WORDS_who_may(W)                                                                           \
	W(WHO_MAY_HOST, "host")                                                                    \
	W(WHO_MAY_EVERYONE, "everyone")

/* policy.who_edits_data; MEMBERS are those with a name, and the default. */
#define WORDS_data_editors(W)                                                                      \
	W(DATA_EDITORS_MEMBERS, "members")                                                         \
	W(DATA_EDITORS_EVERYONE, "everyone")                                                       \
	W(DATA_EDITORS_HOST, "host")

/* The last is set by story.select alone. */
#define WORDS_story_status(W)                                                                      \
	W(STORY_TODO, "todo")                                                                      \
	W(STORY_DONE, "done")                                                                      \
	W(STORY_SKIPPED, "skipped")                                                                \
	W(STORY_VOTING, "voting")

/* Why the estimate of a story is not written to its item. */
#define WORDS_unsaved_reason(W)                                                                    \
	W(UNSAVED_ITEM_GONE, "item_gone")                                                          \
	W(UNSAVED_NOT_A_MEMBER, "not_a_member")                                                    \
	W(UNSAVED_OTHER_UNIT, "other_unit")

/* Which bound a refused request crossed. */
#define WORDS_fault_rule(W)                                                                        \
	W(FAULT_RULE_NONE, "none")                                                                 \
	W(FAULT_RULE_RANGE, "range")                                                               \
	W(FAULT_RULE_LENGTH, "length")                                                             \
	W(FAULT_RULE_COUNT, "count")                                                               \
	W(FAULT_RULE_CHOICE, "choice")

#define WORDS_room_phase(W)                                                                        \
	W(PHASE_VOTING, "voting")                                                                  \
	W(PHASE_COUNTDOWN, "countdown")                                                            \
	W(PHASE_REVEALED, "revealed")

#define WORDS_data_kind(W)                                                                         \
	W(DATA_PRESENCE, "presence")                                                               \
	W(DATA_MAP, "map")                                                                         \
	W(DATA_LIST, "list")

#define WORDS_question_status(W)                                                                   \
	W(QUESTION_OPEN, "OPEN")                                                                   \
	W(QUESTION_PARTIAL, "PARTIAL")                                                             \
	W(QUESTION_CLOSED, "CLOSED")                                                               \
	W(QUESTION_EXPIRED, "EXPIRED")                                                             \
	W(QUESTION_CANCELLED, "CANCELLED")

#define WORDS_question_type(W)                                                                     \
	W(QUESTION_TEXT, "text")                                                                   \
	W(QUESTION_CHOICE, "multiple_choice")

/* The elements of `audience`, which travels as a list of strings. */
#define WORDS_audience(W)                                                                          \
	W(AUDIENCE_TECHNICAL, "technical")                                                         \
	W(AUDIENCE_PRODUCT, "product")                                                             \
	W(AUDIENCE_ETHICS, "ethics")                                                               \
	W(AUDIENCE_CREATIVE, "creative")                                                           \
	W(AUDIENCE_GENERAL, "general")

/* Why the caller may not answer a question. */
#define WORDS_question_bar(W)                                                                      \
	W(BAR_MINE, "mine")                                                                        \
	W(BAR_ANSWERED, "answered")                                                                \
	W(BAR_ENDED, "ended")

/* What an answer has earned points for. */
#define WORDS_point_reason(W)                                                                      \
	W(POINTS_TEXT, "text")                                                                     \
	W(POINTS_CHOICE, "choice")                                                                 \
	W(POINTS_CONFIDENCE, "confidence")                                                         \
	W(POINTS_LONG_TEXT, "long_text")                                                           \
	W(POINTS_QUICK, "quick")                                                                   \
	W(POINTS_EARLY, "early")                                                                   \
	W(POINTS_STREAK, "streak")

/* What a board counts the points of. */
#define WORDS_board_period(W)                                                                      \
	W(BOARD_DAILY, "daily")                                                                    \
	W(BOARD_WEEKLY, "weekly")                                                                  \
	W(BOARD_ALL_TIME, "all_time")

#define WORDS_subscription_channel(W)                                                              \
	W(CHANNEL_LIVE, "live")                                                                    \
	W(CHANNEL_COMMAND, "command")

#define WORDS_subscription_status(W)                                                               \
	W(SUBSCRIPTION_ACTIVE, "active")                                                           \
	W(SUBSCRIPTION_INACTIVE, "inactive")

/* What a user may in a group. */
#define WORDS_group_role(W)                                                                        \
	W(GROUP_OWNER, "owner")                                                                    \
	W(GROUP_MEMBER, "member")

/* Every enum above, and the value of a word that is none of its own. */
#define WORD_ENUMS(X)                                                                              \
	X(seat_role, ROLE_SPECTATOR)                                                                   \
	X(who_may, WHO_MAY_HOST)                                                                   \
	X(data_editors, DATA_EDITORS_HOST)                                                         \
	X(story_status, STORY_TODO)                                                                \
	X(unsaved_reason, UNSAVED_ITEM_GONE)                                                       \
	X(room_phase, PHASE_VOTING)                                                                \
	X(data_kind, DATA_LIST)                                                                    \
	X(question_status, QUESTION_CANCELLED)                                                     \
	X(question_type, QUESTION_TEXT)                                                            \
	X(audience, AUDIENCE_GENERAL)                                                              \
	X(question_bar, BAR_ENDED)                                                                 \
	X(point_reason, POINTS_STREAK)                                                             \
	X(board_period, BOARD_ALL_TIME)                                                            \
	X(subscription_channel, CHANNEL_LIVE)                                                      \
	X(subscription_status, SUBSCRIPTION_INACTIVE) \
	X(group_role, GROUP_MEMBER) \
	X(fault_rule, FAULT_RULE_NONE)

/* ---- from rows to enums and tables ---- */
#define WORDS_VALUE(value, word) value,
#define WORDS_SLICE(value, word) SLICE_INIT(word),
#define WORDS_ONE(value, word)	 +1

/* How many there are, and the last value, as constants. */
#define WORDS_COUNT(name) (0 WORDS_##name(WORDS_ONE))
#define WORDS_LAST(name)  (WORDS_COUNT(name) - 1)

/* enum name and its words_name; for enums of one side alone, too. */
#define WORDS_DECLARE(name, otherwise)                                                             \
	enum name { WORDS_##name(WORDS_VALUE) };                                                   \
	extern const struct words words_##name;

#define WORDS_DEFINE(name_, otherwise_)                                                            \
	static const struct slice words_of_##name_[] = {WORDS_##name_(WORDS_SLICE)};               \
	const struct words words_##name_ = {                                                       \
		.name = #name_,                                                                    \
		.list = words_of_##name_,                                                          \
		.n = WORDS_COUNT(name_),                                                           \
		.otherwise = (int)(otherwise_),                                                    \
	};

WORD_ENUMS(WORDS_DECLARE)

/* All of them, for the reference tables and the tests; ends with NULL. */
extern const struct words *const word_enums[];

/* The word of a value, which must be one (asserted); NUL-terminated and static. */
const char *words_text(const struct words *words, int value);

/* The value of a word; -1 where there is none. */
int words_find(const struct words *words, struct slice word);

#endif
