/*
 * words.h - values that are sent as one of a few words, and are an enum in the program.
 *
 * The words of an enum are listed once, as rows: W(VALUE, "word"). The rows define the enum in
 * server and client, the values of an ENUM field of a record (record.h), the reference tables and
 * the fuzzer's dictionary. Add words anywhere in the list: the numbers are neither stored nor
 * sent.
 */
#ifndef PROTO_BASE_WORDS_H
#define PROTO_BASE_WORDS_H

#include "proto/base/slice.h"

struct words {
	const char *name;
	const struct slice *list; /* indexed by value; each is NUL-terminated */
	int n;
	int otherwise; /* the value for an unknown word, which a newer program wrote */
};

#define WORDS_seat_role(W)                                                                         \
	W(ROLE_VOTER, "voter")                                                                     \
	W(ROLE_SPECTATOR, "spectator")

/* policy.who_reveals, who_resets and who_edits_stories. */
#define WORDS_who_may(W)                                                                           \
	W(WHO_MAY_HOST, "host")                                                                    \
	W(WHO_MAY_EVERYONE, "everyone")

/* policy.who_edits_data; MEMBERS, the default, are those with a name. */
#define WORDS_data_editors(W)                                                                      \
	W(DATA_EDITORS_MEMBERS, "members")                                                         \
	W(DATA_EDITORS_EVERYONE, "everyone")                                                       \
	W(DATA_EDITORS_HOST, "host")

/* STORY_VOTING is set only by story.select. */
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

/* Which kind of bound a refused request exceeded. */
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

/* The elements of `audience`, which is sent as a list of strings. */
#define WORDS_audience(W)                                                                          \
	W(AUDIENCE_TECHNICAL, "technical")                                                         \
	W(AUDIENCE_PRODUCT, "product")                                                             \
	W(AUDIENCE_ETHICS, "ethics")                                                               \
	W(AUDIENCE_CREATIVE, "creative")                                                           \
	W(AUDIENCE_GENERAL, "general")

/* Why the caller may not answer a question. */
#define WORDS_question_bar(W)                                                                      \
	W(BAR_MINE, "mine")                                                                        \
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

/* The period for which a board counts points. */
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

/* The role of a user in a group. */
#define WORDS_group_role(W)                                                                        \
	W(GROUP_OWNER, "owner")                                                                    \
	W(GROUP_MEMBER, "member")

/* How server.share lets browsers in; https with the server's certificate. */
#define WORDS_share_web(W)                                                                         \
	W(SHARE_WEB_NONE, "none")                                                                  \
	W(SHARE_WEB_HTTPS, "https")                                                                \
	W(SHARE_WEB_HTTP, "http")

/* Every enum above, and its value for an unknown word. */
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
	X(share_web, SHARE_WEB_NONE) \
	X(fault_rule, FAULT_RULE_NONE)

/* ---- from rows to enums and tables ---- */
#define WORDS_VALUE(value, word) value,
#define WORDS_SLICE(value, word) SLICE_INIT(word),
#define WORDS_ONE(value, word)	 +1

/* The number of words of an enum, and its last value, as constants. */
#define WORDS_COUNT(name) (0 WORDS_##name(WORDS_ONE))
#define WORDS_LAST(name)  (WORDS_COUNT(name) - 1)

/*
 * Declare enum `name` and its words_`name`; also for an enum that only the server or only the
 * client has.
 */
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

/* All enums, for the reference tables and the tests; ends with NULL. */
extern const struct words *const word_enums[];

/* Return the word of a value, which must be valid (asserted); NUL-terminated and static. */
const char *words_text(const struct words *words, int value);

/* Return the value of a word; -1 if it is not one of the words. */
int words_find(const struct words *words, struct slice word);

#endif
