/*
 * items.h - every kind of item in the table, as rows.
 *
 * A row defines the key of an item (PK and SK pattern), its record, the indexes that list it and
 * when it expires. The codec, index maintenance, the sweeper, dump, check and store/README.md
 * follow from the rows. record.h explains the fields.
 *
 * Not here: how items are stored on disk (store.h and its engines).
 */
#ifndef STORE_ITEMS_H
#define STORE_ITEMS_H

#include "proto/keys/seal.h"
#include "proto/records/record.h"
#include "proto/records/records.h"

/* Attributes that every item has. Times are ms since the epoch. */
#define F_ITEM_TIMES(F)                                                                            \
	F(INT, created_on, _, FIELD_REQ, 0, INT64_MAX, "When the item was first written")          \
	F(INT, updated_on, _, FIELD_REQ, 0, INT64_MAX, "When the item was last written")
/* The attribute that ByExpiry lists. */
#define F_EXPIRES_AT(F) F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it may be removed")

#define POLICY_ITEM(F, field, member, ...) F(BOOL, member, _, FIELD_OPT, 0, 0, #field " of room.set_policy; absent: its default")
#define RECORD_policy_item(F)                                                                      \
	POLICY_FLAGS(POLICY_ITEM, F)                                                               \
	F(ENUM, who_edits_data, data_editors, FIELD_OPT, 0, WORDS_LAST(data_editors), "As in room.set_policy; absent: members")      \
	F(INT, quorum, _, FIELD_OPT, 0, MAX_ROOM_SEATS, "As in room.set_policy; absent: 0")         \
	F(STR, passcode, _, FIELD_OPT_SECRET, 43, 43, "Keyed hash of the passcode; absent: none")
#define RECORD_undo_item(F)                                                                        \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of the round that was ended")            \
	F(BOOL, was_revealed, _, FIELD_REQ, 0, 0, "Whether its cards were revealed")               \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When it started")                          \
	F(INT, revealed_at, _, FIELD_REQ, 0, INT64_MAX, "When its cards were revealed; 0: never")  \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "What was voted on")                                 \
	F(STR, outcome, _, FIELD_OPT, 1, MAX_CARD_BYTES, "Its estimate")                           \
	F(ANY, result, _, FIELD_OPT, 1, 16384, "As in the ROOM item")
#define RECORD_round_mark(F)                                                                       \
	F(INT, n, _, FIELD_REQ, 1, INT64_MAX, "Number of the round")                               \
	F(INT, bytes, _, FIELD_REQ, 0, MAX_ROUNDS_BYTES, "Length of its item's round")                      \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "What was voted on")
#define RECORD_room_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, host_key, _, FIELD_REQ_SECRET, 43, 43, "Keyed hash of the host_key")                \
	F(STR, host_user_id, _, FIELD_NIL, 1, 64, "Who is host")                                   \
	F(BOOL, had_host, _, FIELD_OPT, 0, 0, "Whether the host_key was ever presented; until then the host leads in place of its owner") \
	F(STR, host_kept_for, _, FIELD_OPT, 1, 64, "The host who went away, and is host again when back") \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "Whose room it is; absent: nobody's")                \
	F(STR, title, _, FIELD_NIL, 1, MAX_TITLE_BYTES, "Title")                                               \
	F(STR, link_template, _, FIELD_OPT, 1, MAX_LINK_TEMPLATE_BYTES, "How a story's link follows from its key")     \
	F(STRS, valid_sizes, _, FIELD_REQ, MAX_CARDS_MIN, MAX_CARDS_MAX, "The cards")                                     \
	F(BOOL, is_revealed, _, FIELD_REQ, 0, 0, "Whether the cards are revealed")                 \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "Version when the item was written")           \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Epoch when the item was written; every load starts another") \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of the round")                           \
	F(INT, started_at, _, FIELD_OPT, 0, INT64_MAX, "When the round started")                   \
	F(INT, revealed_at, _, FIELD_OPT, 0, INT64_MAX, "When its cards were revealed")            \
	F(STR, story_id, _, FIELD_NIL, 1, 64, "What is voted on; absent: no story")                \
	F(STR, outcome, _, FIELD_NIL, 1, MAX_CARD_BYTES, "The estimate of the round")              \
	F(ANY, result, _, FIELD_OPT, 1, 16384, "While a round without names is revealed: its room_result") \
	F(BOOL, is_armed, _, FIELD_OPT, 0, 0, "The last missing vote reveals at once")             \
	F(BOOL, is_held, _, FIELD_OPT, 0, 0, "The countdown was stopped by hand: none until the next vote") \
	F(INT, timer_ends_at, _, FIELD_OPT, 0, INT64_MAX, "When the timer ends; absent: no timer") \
	F(BOOL, timer_reveals, _, FIELD_OPT, 0, 0, "Whether the cards are revealed then")          \
	F(INT, timer_seconds, _, FIELD_OPT, 1, MAX_TIMER_SECONDS, "How long a timer without a time runs; absent: it needs one") \
	F(TEXTS, reactions, MAX_REACTION_CELLS, FIELD_OPT, 1, MAX_REACTIONS, "What it offers as reactions; absent: the usual six") \
	F(INT, pause_ends_at, _, FIELD_OPT, 0, INT64_MAX, "When the break ends; absent: no break") \
	F(REC, undo, undo_item, FIELD_OPT, 0, 0, "What the last reset ended; the votes are the seats' last_vote") \
	F(REC, policy, policy_item, FIELD_OPT, 0, 0, "Who may do what; absent: the defaults")      \
	F(INT, items, _, FIELD_OPT, 1, INT64_MAX, "How many items the partition has, this one included, rounds and results of calls not: a partition with fewer or more is damaged") \
	F(RECS, rounds, round_mark, FIELD_REQ, 0, MAX_ROUNDS_KEPT, "The ROUND items there are, the oldest first") \
	F(BOOL, is_round_late, _, FIELD_OPT, 0, 0, "The open round's item lacks votes that the seats have") \
	F(INT, stories_open, _, FIELD_OPT, 1, INT64_MAX, "How many stories are open together; absent: none") \
	F_EXPIRES_AT(F)

/* Votes on other stories than the table's: none of them is shown by a reveal of the table. */
#define RECORD_story_vote_item(F)                                                                  \
	F(STR, story_id, _, FIELD_REQ, 1, 64, "The story")                                         \
	F(STR, vote, _, FIELD_REQ, 1, MAX_CARD_BYTES, "The card; it may be of an earlier deck")    \
	F(STR, comment, _, FIELD_OPT, 1, MAX_COMMENT_BYTES, "The comment on it")                   \
	F(INT, confidence, _, FIELD_OPT, 1, 3, "The confidence in it")                             \
	F(BOOL, is_changed, _, FIELD_OPT, 0, 0, "It was cast or changed after the story's reveal")
#define RECORD_seat_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "The seat's public name")                             \
	F(STR, username, _, FIELD_NIL, 1, MAX_NAME_BYTES, "Absent while the seat is a spectator")  \
	F(STR, vote, _, FIELD_NIL_HIDDEN, 1, MAX_CARD_BYTES, "The card on the table; it may be of an earlier deck")   \
	F_ROLE(F, FIELD_REQ, "Whether the seat votes")                                    \
	F(BOOL, is_bot, _, FIELD_REQ, 0, 0, "Whether the seat is a program's")                     \
	F(STR, account, _, FIELD_OPT, 1, 64, "user_id of the login that sat down; it is the seat's user_id, too") \
	F(INT, joined_at, _, FIELD_OPT, 0, INT64_MAX, "When the name was put on; the earliest voter inherits the host's place") \
	F(STR, comment, _, FIELD_OPT_HIDDEN, 1, MAX_COMMENT_BYTES, "The comment on the vote")                                 \
	F(INT, confidence, _, FIELD_OPT_HIDDEN, 1, 3, "The confidence in the vote")                       \
	F(BOOL, is_changed, _, FIELD_OPT, 0, 0, "The vote was changed after the reveal")           \
	F(INT, keep_seconds, _, FIELD_OPT, 1, MAX_VOTE_KEEP_SECONDS, "How long the vote is kept without a connection; absent: vote_grace_ms") \
	F(STR, last_vote, _, FIELD_OPT_TAKEN, 1, MAX_CARD_BYTES, "The card that the last reset took, for round.undo_reset; or see is_vote_aside") \
	F(STR, last_comment, _, FIELD_OPT_TAKEN, 1, MAX_COMMENT_BYTES, "The comment on it")                                  \
	F(INT, last_confidence, _, FIELD_OPT_TAKEN, 1, 3, "The confidence in it")                        \
	F(BOOL, last_is_changed, _, FIELD_OPT, 0, 0, "It was changed after the reveal")            \
	F(BOOL, is_vote_aside, _, FIELD_OPT_TAKEN, 0, 0, "last_vote is of this round: the seat is a spectator, and votes with it again as a voter") \
	F(RECS, story_votes, story_vote_item, FIELD_OPT_TAKEN, 0, MAX_STORY_VOTES, "Votes on open stories that are not at the table") \
	F(BOOL, is_cohost, _, FIELD_OPT, 0, 0, "Has a host's rights without being the host")       \
	F(BOOL, is_creator, _, FIELD_OPT, 0, 0, "Has sent the host_key: the creator, protected from removal by co-hosts") \
	F(BOOL, is_waiting, _, FIELD_OPT, 0, 0, "Waits in the lobby")
#define RECORD_barred_item(F)                                                                      \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "The seat's public name, for room.unkick")            \
	F(STR, username, _, FIELD_OPT, 1, MAX_NAME_BYTES, "The name at the kick")
#define RECORD_round_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(ANY, round, _, FIELD_REQ, 1, MAX_ROUNDS_BYTES, "The round as round.list shows it; nothing in it is secret now")
#define RECORD_story_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, story_id, _, FIELD_REQ, 1, 64, "The story; stays when it moves")                    \
	F(STR, title, _, FIELD_REQ, 1, MAX_STORY_TITLE_BYTES, "Title")                                              \
	F(STR, key, _, FIELD_OPT, 1, MAX_STORY_KEY_BYTES, "What a tracker calls it")                               \
	F(STR, link, _, FIELD_OPT, 1, MAX_STORY_LINK_BYTES, "Where it is described")                               \
	F(STR, description, _, FIELD_OPT, 1, MAX_STORY_DESCRIPTION_BYTES, "Its description")                              \
	F(ENUM, status, story_status, FIELD_REQ, 0, WORDS_LAST(story_status), "Its status")        \
	F(STR, estimate, _, FIELD_OPT, 1, MAX_CARD_BYTES, "The estimate")                                      \
	F(BOOL, is_removed, _, FIELD_OPT, 0, 0, "Removed")                                         \
	F(REC, item, item_ref, FIELD_OPT, 0, 0, "The item of a container from which it was created") \
	F(ENUM, unsaved_reason, unsaved_reason, FIELD_OPT, 0, WORDS_LAST(unsaved_reason), "Why its estimate was not written to the item") \
	F(INT, ends_at, _, FIELD_OPT, 1, INT64_MAX, "When its votes are revealed; absent: it has no deadline of its own") \
	F(BOOL, is_held, _, FIELD_OPT, 0, 0, "Its votes were hidden by hand: not revealed by themselves before the next one")
#define RECORD_story_votes_item(F)                                                                 \
	F_ITEM_TIMES(F)                                                                            \
	F(ANY, votes, _, FIELD_REQ, 1, MAX_ROUNDS_BYTES, "The story_votes of a room.update; nothing in it is secret now")
#define RECORD_unsaved_item(F)                                                                     \
	F_ITEM_TIMES(F)                                                                            \
	F(REC, item, item_ref, FIELD_REQ, 0, 0, "The item that its estimate is to be written to")  \
	F(STR, estimate, _, FIELD_REQ, 1, MAX_CARD_BYTES, "Its estimate")                          \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Who settled it, in the item's group or not")         \
	F(STR, mark, _, FIELD_REQ, 1, 64, "Names the settlement, so that it is written once")      \
	F_EXPIRES_AT(F)

/*
 * A presence, map or list has one item under its name, and one item for each entry; the entries
 * of a presence are not stored.
 */
#define RECORD_data_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, entry_id, _, FIELD_OPT, 1, 64, "In a list: the entry; stays when it moves")         \
	F(ANY, value, _, FIELD_OPT, 1, MAX_DATA_VALUE_BYTES, "The value; absent in the item of the whole")        \
	F(INT, revision, _, FIELD_OPT, 1, INT64_MAX, "Counts the changes of this entry")           \
	F(STR, by, _, FIELD_OPT, 1, 64, "user_id of the user who changed the entry last; of the whole, who created it")
#define RECORD_token_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Whose session")                                      \
	F(STR, user_name, _, FIELD_REQ, 1, MAX_NAME_BYTES, "The name as it is shown")                         \
	F(STR, name_key, _, FIELD_REQ, 1, 384, "The name in the form in which names are compared: USER_NAME's key")       \
	F(BOOL, is_keyed, _, FIELD_OPT, 0, 0, "A key signed the login; absent: a guest") \
	F(INT, utc_offset_minutes, _, FIELD_OPT, -720, 840, "Of the user's clock; absent: UTC") \
	F_EXPIRES_AT(F)
#define RECORD_user_name_item(F)                                                                   \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "The user who has the name")                               \
	F(STR, token_hash, _, FIELD_REQ_SECRET, 43, 43, "Keyed hash of the session's token")       \
	F_EXPIRES_AT(F)
#define RECORD_user_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_name, _, FIELD_REQ, 1, MAX_NAME_BYTES, "The name of the last login, or a later one")                     \
	F(STR, public_key, _, FIELD_OPT, 43, 43, "Ed25519 public key, base64url; absent: the user of an ssh key") \
	F(STR, ssh_key, _, FIELD_OPT, FINGERPRINT_CHARS, FINGERPRINT_CHARS, "Fingerprint of the ssh key that the kiosk asserted; absent: the user of a public_key") \
	F(STR, email_address, _, FIELD_OPT, 1, MAX_EMAIL_BYTES, "As it is shown; absent: none")    \
	F(INT, groups, _, FIELD_OPT, 1, MAX_GROUPS_OF_USER, "MEMBERSHIP items of the user; absent: none") \
	F(BOOL, had_group, _, FIELD_OPT, 0, 0, "Whether the user has been in a group: then no login creates one") \
	F(STR, first_group_id, _, FIELD_OPT, 1, 64, "The group that a login created, until the user creates or joins another") \
	F(INT, deleted_on, _, FIELD_OPT, 1, INT64_MAX, "Since when the user is deleted: what is left of them goes step by step, this item last") \
	F(INT, expires_at, _, FIELD_OPT, 0, INT64_MAX, "Of a deleted one: when the sweeper takes the next step, unless one was taken before")
#define RECORD_once_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, method, _, FIELD_REQ, 1, 64, "The method that was called")                          \
	F(ANY, result, _, FIELD_REQ, 1, MAX_FRAME_BYTES, "The result it had, as it travelled; nil where that has a secret, or is sealed") \
	F(STR, sealed, _, FIELD_OPT, 1, SEALED_CHARS(MAX_FRAME_BYTES), "The result, encrypted: who repeats the call has the key of it") \
	F(ENUM, unsaved_reason, unsaved_reason, FIELD_OPT, 0, WORDS_LAST(unsaved_reason), "Of round.settle: why the estimate was not written to the item; absent: it was") \
	F_EXPIRES_AT(F)

/* ---- questions to people ---- */
#define RECORD_question_item(F)                                                                    \
	F_ITEM_TIMES(F)                                                                            \
	F(ENUM, status, question_status, FIELD_REQ, 0, WORDS_LAST(question_status), "Its status; one whose time is up may still be open here") \
	F_WRITTEN(F, prompt, FIELD_REQ, MAX_QUESTION_PROMPT_CHARS, "What is asked")                \
	F(ENUM, type, question_type, FIELD_REQ, 0, WORDS_LAST(question_type), "How it is answered") \
	F(TEXTS, options, MAX_QUESTION_OPTION_CHARS, FIELD_OPT, 0, MAX_QUESTION_OPTIONS, "What may be chosen") \
	F(STRS, audience, _, FIELD_REQ, 1, MAX_QUESTION_AUDIENCES, "Its audiences; the first is its category") \
	F(INT, required_responses, _, FIELD_REQ, 1, MAX_QUESTION_RESPONSES, "The answer that reaches it closes the question") \
	F(INT, current_responses, _, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "RESPONSE items that were written with it") \
	F(INT, flagged_responses, _, FIELD_OPT, 0, MAX_QUESTION_RESPONSES, "Those of them that have is_fast; absent: none") \
	F(STR, agent_id, _, FIELD_OPT, 1, 64, "user_id of the asker; absent: they are deleted")    \
	F(STR, asked_by, _, FIELD_OPT, 1, MAX_NAME_BYTES, "Their name; absent: anonymous")         \
	F(STR, room_id, _, FIELD_OPT, 6, 16, "The room whose members alone see it")                \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "The group whose members alone see it")              \
	F(STR, user_id, _, FIELD_OPT, 1, 64, "The one of them who sees it, besides its asker")  \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When it expires")                             \
	F(INT, closed_at, _, FIELD_OPT, 0, INT64_MAX, "When it ended")                             \
	F(INT, notices, _, FIELD_OPT, 0, 2, "Rounds of notifications that were decided on")        \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When the sweeper has something to do: send notices, end it, later remove it")
#define RECORD_response_item(F)                                                                    \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, response_id, _, FIELD_REQ, 1, 64, "Names the answer, and orders it among the others; nothing follows from it") \
	F(STR, fingerprint_hash, _, FIELD_REQ_SECRET, 43, 43, "Keyed hash of the user_id")         \
	F_WRITTEN(F, answer, FIELD_OPT_HIDDEN, MAX_QUESTION_ANSWER_CHARS, "Of a text question")    \
	F(INT, selected_option, _, FIELD_OPT_HIDDEN, 0, MAX_QUESTION_OPTIONS - 1, "The option, counted from 0") \
	F(INT, confidence, _, FIELD_OPT_HIDDEN, 1, MAX_QUESTION_CONFIDENCE, "Confidence")          \
	F_WRITTEN(F, comment, FIELD_OPT_HIDDEN, MAX_QUESTION_COMMENT_CHARS, "A comment")           \
	F(INT, response_time_ms, _, FIELD_OPT_HIDDEN, 0, INT64_MAX, "From the person's first question.get; absent where the server was started since") \
	F(BOOL, is_fast, _, FIELD_OPT_HIDDEN, 0, 0, "That was too soon")                           \
	F_EXPIRES_AT(F)
#define RECORD_skip_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, fingerprint_hash, _, FIELD_OPT_SECRET, 43, 43, "Keyed hash of the user_id")         \
	F_EXPIRES_AT(F)
#define RECORD_notified_item(F) F_ITEM_TIMES(F) F_EXPIRES_AT(F)
#define RECORD_subscription_item(F)                                                                \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Whose it is")                                        \
	F(ENUM, channel, subscription_channel, FIELD_REQ, 0, WORDS_LAST(subscription_channel), "The channel") \
	F_WRITTEN(F, address, FIELD_OPT_SECRET, MAX_SUBSCRIPTION_ADDRESS_CHARS, "What the command is given") \
	F(INT, min_interval_minutes, _, FIELD_REQ, MAX_SUBSCRIPTION_MINUTES_MIN, MAX_SUBSCRIPTION_MINUTES, "Shortest interval between two notifications") \
	F(STRS, audience, _, FIELD_REQ, 1, MAX_QUESTION_AUDIENCES, "Of questions that it is sent")  \
	F(ENUM, active, subscription_status, FIELD_OPT, SUBSCRIPTION_ACTIVE, SUBSCRIPTION_ACTIVE, "Absent where it is not: then ByLastNotified does not list it") \
	F(INT, failures, _, FIELD_OPT, 0, MAX_NOTICE_FAILURES, "Notifications in a row whose command failed") \
	F(INT, last_notified_at, _, FIELD_REQ, 0, INT64_MAX, "When the last notification was decided on, 0: never; or when it was passed over since, which moved it back in the order") \
	F(INT, notified_at, _, FIELD_OPT, 0, INT64_MAX, "If it was passed over: when the last notification was decided on, 0: never") \
	F(INT, expires_at, _, FIELD_OPT, 0, INT64_MAX, "Of a guest: when the sweeper looks whether the guest still exists")
#define RECORD_subscriber_item(F)                                                                  \
	F_ITEM_TIMES(F)                                                                            \
	F(INT, subscriptions, _, FIELD_REQ, 1, MAX_SUBSCRIPTIONS, "How many subscriptions the user has; no item means none")
#define RECORD_asker_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(INT, open_questions, _, FIELD_REQ, 1, MAX_QUESTIONS_OPEN, "How many of the user's questions have not ended; no item means none")
#define RECORD_user_barred_item(F)                                                                 \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_OPT, 1, 64, "Who it is; absent where an answer stood for them")   \
	F(STR, user_name, _, FIELD_OPT, 1, MAX_NAME_BYTES, "The name of their latest login then; likewise")   \
	F(STR, response_id, _, FIELD_OPT, 1, 64, "The answer that stood for them")
#define RECORD_badge_item(F)                                                                       \
	F(STR, id, _, FIELD_REQ, 1, 32, "The badge")                                               \
	F(INT, earned_at, _, FIELD_REQ, 0, INT64_MAX, "When it was earned")
#define RECORD_stats_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, leaderboard, _, FIELD_REQ, 1, 32, "`_leaderboard`: all have one partition of ByTotalPoints") \
	F(INT, total_points, _, FIELD_REQ, 0, INT64_MAX, "All that were earned")                   \
	F(INT, total_answers, _, FIELD_REQ, 0, INT64_MAX, "All that were given")                   \
	F(STR, week, _, FIELD_REQ, 1, 32, "Monday of the last answer's UTC week, as 2026-11-23")   \
	F(INT, week_points, _, FIELD_REQ, 0, INT64_MAX, "Points of that week")                     \
	F(INT, week_answers, _, FIELD_REQ, 0, INT64_MAX, "Answers of that week")                   \
	F(STR, day, _, FIELD_REQ, 1, 32, "UTC day of the last answer, likewise")                   \
	F(INT, day_points, _, FIELD_REQ, 0, INT64_MAX, "Points of that day")                       \
	F(INT, day_answers, _, FIELD_REQ, 0, INT64_MAX, "Answers of that day")                     \
	F(INT, day_capped, _, FIELD_OPT, 0, MAX_POINTS_PER_DAY, "day_points without those for streaks, of which so many may be earned") \
	F(INT, streak_days, _, FIELD_REQ, 0, INT64_MAX, "Days of the person's clock in a row that have an answer") \
	F(STR, streak_last_date, _, FIELD_OPT, 1, 32, "The last of those days, likewise; absent: none yet") \
	F(RECS, badges, badge_item, FIELD_OPT, 0, BADGES_MAX, "In the order in which they were earned") \
	F(REC, answers_by_category, category_counts, FIELD_REQ, 0, 0, "total_answers by the category of the question") \
	F(INT, early_answers, _, FIELD_OPT, 0, INT64_MAX, "For early_bird: soon after the question was asked") \
	F(INT, night_answers, _, FIELD_OPT, 0, INT64_MAX, "For night_owl: at night by the person's clock") \
	F(INT, speedy_answers, _, FIELD_OPT, 0, INT64_MAX, "For speed_demon: soon after the person first read the question") \
	F(INT, confident_answers, _, FIELD_OPT, 0, INT64_MAX, "For confident: quite sure")
#define RECORD_place_item(F)                                                                       \
	F(INT, people, _, FIELD_REQ, 1, INT64_MAX, "How many share it, board_people at least")    \
	F(INT, points, _, FIELD_REQ, 0, INT64_MAX, "What each of them has, or more: a multiple of board_step")
#define RECORD_board_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, partition, _, FIELD_REQ, 1, 32, "Of the index that it was made from: a day, a week or `_leaderboard`") \
	F(INT, made_at, _, FIELD_REQ, 0, INT64_MAX, "When it was made; 0: there were too few for one yet") \
	F(RECS, places, place_item, FIELD_OPT, 0, MAX_BOARD_RANKS, "The most points first") \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it is looked whether there is enough for another")

/* ---- users and groups ---- */
#define RECORD_membership_item(F)                                                                  \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, group_id, _, FIELD_REQ, 1, 64, "The group")                                         \
	F(ENUM, role, group_role, FIELD_REQ, 0, WORDS_LAST(group_role), "What the user may there") \
	F(INT, joined_on, _, FIELD_REQ, 0, INT64_MAX, "Since when they are in it")
#define RECORD_waiting_item(F)                                                                     \
	F_ITEM_TIMES(F)                                                                            \
	F(INT, told_on, _, FIELD_REQ, 0, INT64_MAX, "When session.waiting was sent last")          \
	F_EXPIRES_AT(F)
#define RECORD_email_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Whose address it is")
#define RECORD_group_defaults_item(F)                                                              \
	F(STR, deck, _, FIELD_OPT, 1, 32, "Name of a preset deck")                                 \
	F(STRS, valid_sizes, _, FIELD_OPT, 0, MAX_CARDS_MAX, "The cards; absent, and without a deck: as without a group") \
	F(REC, policy, policy_item, FIELD_OPT, 0, 0, "Who may do what; absent: as without a group") \
	F(STR, link_template, _, FIELD_OPT, 1, MAX_LINK_TEMPLATE_BYTES, "How a story's link follows from its key; absent: not at all") \
	F(INT, timer_seconds, _, FIELD_OPT, 1, MAX_TIMER_SECONDS, "How long a timer without a time runs; absent: it needs one") \
	F(INT, reveal_in_seconds, _, FIELD_OPT, 1, MAX_TIMER_SECONDS, "How long after its creation a room reveals; absent: no timer starts") \
	F(TEXTS, reactions, MAX_REACTION_CELLS, FIELD_OPT, 1, MAX_REACTIONS, "What a room offers as reactions; absent: the usual six")
#define RECORD_group_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F_WRITTEN(F, group_name, FIELD_REQ, MAX_TEAM_NAME_CHARS, "Its name")                       \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "Counts the changes of what its members see")  \
	F(INT, users, _, FIELD_REQ, 0, MAX_GROUP_USERS, "MEMBERSHIP items of the group; none only while it ends") \
	F(INT, owners, _, FIELD_REQ, 0, MAX_GROUP_USERS, "Those of them that are owners'; likewise") \
	F(INT, containers, _, FIELD_OPT, 1, MAX_GROUP_CONTAINERS, "CONTAINER items of the group; absent: none") \
	F(INT, blocks, _, FIELD_OPT, 1, INT64_MAX, "MiB that its containers' items take, each container's bytes rounded up; absent: none") \
	F(INT, invitations, _, FIELD_OPT, 1, MAX_GROUP_INVITATIONS, "INVITATION items of the group; absent: none") \
	F(REC, defaults, group_defaults_item, FIELD_OPT, 0, 0, "Defaults of its new rooms")        \
	F(BOOL, is_deleted, _, FIELD_OPT, 0, 0, "Deleted: its contents are removed in steps, this item last") \
	F(INT, expires_at, _, FIELD_OPT, 0, INT64_MAX, "Of a deleted one: when the sweeper takes the next step, unless one was taken before")
#define RECORD_group_container_item(F)                                                             \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, container_id, _, FIELD_REQ, 1, 64, "The container")
#define RECORD_invitation_item(F)                                                                  \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, hash, _, FIELD_REQ_SECRET, 43, 43, "Keyed hash of the code")                        \
	F(STR, invitation_id, _, FIELD_REQ, 1, 64, "Names it, and lets nobody in")                 \
	F(INT, link_expiry_datetime, _, FIELD_REQ, 0, INT64_MAX, "When it expires")                \
	F(INT, uses_left, _, FIELD_OPT, 1, MAX_INVITATION_USES, "How many uses are left; absent: unlimited") \
	F(STR, created_by, _, FIELD_REQ, 1, 64, "user_id of its creator")                          \
	F_EXPIRES_AT(F)
#define RECORD_removed_item(F) F_ITEM_TIMES(F)
#define RECORD_container_item(F)                                                                   \
	F_ITEM_TIMES(F)                                                                            \
	F_WRITTEN(F, container_name, FIELD_REQ, MAX_TEAM_NAME_CHARS, "Its name")                   \
	F(STR, group_id, _, FIELD_REQ, 1, 64, "Whose it is")                                       \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "Counts the changes of what its readers see")   \
	F(INT, items, _, FIELD_OPT, 1, INT64_MAX, "ITEM items of the container; absent: none")     \
	F(INT, unestimated, _, FIELD_OPT, 0, INT64_MAX, "Those of them without a quantity and a unit; absent: none where it has no items, else not known") \
	F(INT, bytes, _, FIELD_OPT, 1, INT64_MAX, "What those take, their texts and ITEM_BYTES_FIXED each; absent: nothing") \
	F(INT, last_item, _, FIELD_OPT, 1, INT64_MAX, "The number of the last item_id: the next is greater") \
	F(BOOL, is_deleted, _, FIELD_OPT, 0, 0, "Deleted: its items are removed in steps, and it last") \
	F(INT, expires_at, _, FIELD_OPT, 0, INT64_MAX, "Of one that is_deleted: when the sweeper checks whether its removal continues")
#define RECORD_item_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, group_id, _, FIELD_REQ, 1, 64, "The group of its container")                        \
	F_WRITTEN(F, name, FIELD_REQ, MAX_ITEM_NAME_CHARS, "Its name")                             \
	F_WRITTEN(F, unit, FIELD_OPT, MAX_ITEM_UNIT_CHARS, "The unit of its quantity")             \
	F(INT, quantity, _, FIELD_OPT, 0, QUANTITY_MAX, "How much there is, in hundredths; absent: that is not known") \
	F_WRITTEN(F, category, FIELD_REQ, MAX_ITEM_CATEGORY_CHARS, "Its category")                 \
	F(INT, expiry, _, FIELD_OPT, 1, ITEM_EXPIRY_MAX, "When it expires; absent: never")         \
	F(STR, note, _, FIELD_OPT | FIELD_LINES, 1, MAX_ITEM_NOTE_BYTES, "A note")                 \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was added to the container where it first was") \
	F(INT, revision, _, FIELD_REQ, 1, INT64_MAX, "Counts its changes, from 1")
#define RECORD_item_key_item(F)                                                                    \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, item_id, _, FIELD_REQ, 1, 64, "The item whose name starts with the key")

#define ITEM_RECORDS(X)                                                                            \
	X(policy_item) X(undo_item) X(round_mark) X(room_item)                                     \
	X(story_vote_item) X(seat_item) X(barred_item) X(round_item) X(story_item) X(story_votes_item) X(unsaved_item) X(data_item)                       \
	X(token_item) X(user_name_item) X(user_item) X(once_item)                                  \
	X(question_item) X(response_item) X(skip_item) X(notified_item) X(asker_item)              \
	X(user_barred_item) X(badge_item) X(stats_item) X(place_item) X(board_item)                                                                \
	X(subscription_item) X(subscriber_item) \
	X(membership_item) X(waiting_item) X(email_item) X(group_defaults_item) X(group_item) X(group_container_item) \
	X(invitation_item) X(removed_item) X(container_item) X(item_item) X(item_key_item)
ITEM_RECORDS(RECORD_DECLARE)

/*
 * SK patterns: EXACT is a complete SK; PREFIX is followed by the part that differs between items
 * of the kind. The longest matching prefix wins.
 */
enum item_sk { ITEM_SK_EXACT, ITEM_SK_PREFIX };

/*        SYMBOL  PK prefix   SK         match           record     expires_at  rest of the SK      help */
#define ITEM_KINDS(X)                                                                              \
	X(ROOM,   "ROOM:",    "ROOM",    ITEM_SK_EXACT,  room_item, true,       "",                 "A room")                                             \
	X(SEAT,   "ROOM:",    "USER:",   ITEM_SK_PREFIX, seat_item, false,      "{user_key hash}",  "A seat and the vote on it")                          \
	X(BARRED, "ROOM:",    "BARRED:", ITEM_SK_PREFIX, barred_item, false,    "{user_key hash}",  "A banned user_key") \
	X(ROUND,  "ROOM:",    "ROUND#",  ITEM_SK_PREFIX, round_item, false,     "{n, 10 digits}",   "A revealed round") \
	X(STORY,  "ROOM:",    "STORY#",  ITEM_SK_PREFIX, story_item, false,     "{rank}",           "A story; the key says where it stands")               \
	X(STORY_VOTES, "ROOM:", "VOTES#", ITEM_SK_PREFIX, story_votes_item, false, "{story_id}",    "The revealed votes of an open story that is not at the table, until it is settled") \
	X(UNSAVED, "ROOM:",   "UNSAVED#", ITEM_SK_PREFIX, unsaved_item, true,   "{story_id}",       "An estimate to be written to the story's item; the sweeper retries it") \
	X(PRESENCE, "ROOM:",  "PRESENCE#", ITEM_SK_PREFIX, data_item, false,    "{name}",           "A presence exists; its entries are live and never on disk") \
	X(MAP,    "ROOM:",    "MAP#",    ITEM_SK_PREFIX, data_item, false,      "{name} or {name}#{key}", "A map, or the value of a key")               \
	X(LIST,   "ROOM:",    "LIST#",   ITEM_SK_PREFIX, data_item, false,      "{name} or {name}#{rank}", "A list, or one of its entries")             \
	X(TOKEN,  "TOKEN:",   "SESSION", ITEM_SK_EXACT,  token_item, true,      "",                 "A session, under the keyed hash of its token")        \
	X(USER_NAME, "USER_NAME:", "SESSION", ITEM_SK_EXACT, user_name_item, true, "",             "The one live session of a name")                      \
	X(USER,   "USER:",    "USER",    ITEM_SK_EXACT,  user_item, true,      "",                 "A user who has a key")                                \
	X(ONCE,   "ROOM:",      "ONCE#",   ITEM_SK_PREFIX, once_item, true,       "{caller}#{key}",   "The result of a call with an idempotency_key") \
	X(DIRECTORY_ONCE, "ONCE:", "ONCE#", ITEM_SK_PREFIX, once_item, true,    "{hash}",           "The same on the directory; caller, and caller with key, as keyed hashes") \
	X(QUESTION, "QUESTION:", "QUESTION", ITEM_SK_EXACT, question_item, true, "",             "A question to people") \
	X(RESPONSE, "QUESTION:", "RESPONSE:", ITEM_SK_PREFIX, response_item, true, "{fingerprint_hash}", "A person's answer, as changed last; the key prevents a second one") \
	X(SKIP,     "QUESTION:", "SKIP:",   ITEM_SK_PREFIX, skip_item, true,    "{fingerprint_hash}", "A person who does not want to answer it") \
	X(NOTIFIED, "QUESTION:", "NOTIFIED:", ITEM_SK_PREFIX, notified_item, true, "{fingerprint_hash}", "A person who was notified of it, and when") \
	X(ASKER,    "ASKER:",    "ASKER",   ITEM_SK_EXACT,  asker_item, false,  "",                 "How many questions a user has open") \
	X(STATS,    "STATS:",    "STATS",   ITEM_SK_EXACT,  stats_item, false,  "",                 "What a person has answered and earned, under the keyed hash of their user_id") \
	X(USER_BARRED, "SERVER:", "BARRED#", ITEM_SK_PREFIX, user_barred_item, false, "{bar_id}",   "A barred user, under `SERVER:users`: the bar_id is a keyed hash of their user_id") \
	X(BOARD,    "BOARD:",    "BOARD",   ITEM_SK_EXACT,  board_item, true,   "",                 "The board of all time, a week or a day as it is shown: how many people have how many points") \
	X(SUBSCRIPTION, "SUBSCRIPTION:", "SUBSCRIPTION", ITEM_SK_EXACT, subscription_item, true, "", "A subscription of a user to questions") \
	X(SUBSCRIBER, "SUBSCRIBER:", "SUBSCRIBER", ITEM_SK_EXACT, subscriber_item, false, "",       "How many subscriptions a user has") \
	X(MEMBERSHIP, "USER:",    "GROUP#",  ITEM_SK_PREFIX, membership_item, false, "{group_id}",  "A user is in a group") \
	X(WAITING,  "USER:",      "WAITS#", ITEM_SK_PREFIX, waiting_item, true, "{room_id}",        "The user was notified that a room waits for their votes; looked at again a day before the next deadline") \
	X(EMAIL,    "EMAIL:",    "USER",     ITEM_SK_EXACT,  email_item, false,  "",                 "Whose address it is, under the form in which addresses are compared") \
	X(GROUP,    "GROUP:",    "GROUP",    ITEM_SK_EXACT,  group_item, true,  "",                 "A group of users") \
	X(GROUP_CONTAINER, "GROUP:", "CONTAINER#", ITEM_SK_PREFIX, group_container_item, false, "{container_id}", "A container is the group's") \
	X(INVITATION, "GROUP:",   "INVITATION#", ITEM_SK_PREFIX, invitation_item, true, "{hash}",   "An invitation to the group, under the keyed hash of its code") \
	X(REMOVED,   "GROUP:",    "REMOVED#", ITEM_SK_PREFIX, removed_item, false, "{hash}",          "A user removed by an owner, under the keyed hash of their user_id: earlier invitations do not admit them again") \
	X(CONTAINER, "CONTAINER:", "CONTAINER", ITEM_SK_EXACT, container_item, true, "",            "A container of items, as a backlog") \
	X(ITEM,      "CONTAINER:", "ITEM#",   ITEM_SK_PREFIX, item_item, false, "{item_id}",         "An item of a container; the key says when it was added") \
	X(ITEM_KEY,  "CONTAINER:", "KEY#",    ITEM_SK_PREFIX, item_key_item, false, "{key}",         "Which item has a key of a tracker, in lower case; #12 also with the hash of its address. Absent for items not written since keys are kept")

enum item_kind {
#define ITEM_ENUM(symbol, pk, sk, match, record, expires, rest, help) ITEM_##symbol,
	ITEM_KINDS(ITEM_ENUM)
#undef ITEM_ENUM
	ITEM_COUNT
};

struct item_row {
	const char *symbol;
	const char *pk_prefix;
	const char *sk;
	size_t pk_prefix_len; /* lengths of these two texts */
	size_t sk_len;
	enum item_sk match;
	const struct record *record;
	bool expires; /* has expires_at and is listed in ByExpiry */
	const char *sk_rest;
	const char *help;
};
extern const struct item_row item_rows[ITEM_COUNT];

/*
 * Indexes. Each is a separate database, updated in the same transaction as the item: an entry is
 * (partition attribute, sort attribute) -> (PK, SK). An item without one of the two attributes is
 * not listed (a sparse index). If the partition attribute is a list of strings, the item has one
 * entry in the partition of each element.
 */
/*        SYMBOL     name        kind  partition attribute ("" = one partition)  sort attribute  help */
#define INDEX_ROWS(X)                                                                              \
	X(BY_USER_ID, "ByUserId", TOKEN, "user_id", "expires_at", "Sessions of a user")             \
	X(USERS_LOGGED_IN, "UsersLoggedIn", USER_NAME, "", "expires_at", "Names in use, and whose they are") \
	X(BY_ACCOUNT, "SeatsOfUser", SEAT, "account", "created_on", "Seats of a user who logged in") \
	X(BY_STATUS, "ByStatus", QUESTION, "status", "created_on", "Questions that may be answered")    \
	X(BY_AGENT_ID, "ByAgentId", QUESTION, "agent_id", "created_on", "Questions of an asker")          \
	X(BY_FINGERPRINT, "ByFingerprint", RESPONSE, "fingerprint_hash", "created_on", "Answers of a person") \
	X(BY_SKIPPER, "BySkipper", SKIP, "fingerprint_hash", "created_on", "What a person does not want to answer") \
	X(BY_TOTAL_POINTS, "ByTotalPoints", STATS, "leaderboard", "total_points", "The users with the most points of all time") \
	X(BY_WEEK_POINTS, "ByWeekPoints", STATS, "week", "week_points", "The same of a week: who has not answered in it is in another partition") \
	X(BY_DAY_POINTS, "ByDayPoints", STATS, "day", "day_points", "The same of a day") \
	X(BY_LAST_NOTIFIED, "ByLastNotified", SUBSCRIPTION, "active", "last_notified_at", "Active subscriptions, the longest waiting first") \
	X(BY_USER, "ByUser", SUBSCRIPTION, "user_id", "created_on", "Subscriptions of a user") \
	X(USERS_BY_EMAIL, "EMailAndUserIdRelationship", USER, "email_address", "created_on", "The user who has an address, in the letters in which they gave it") \
	X(USERS_OF_GROUP, "UserAndGroupRelationship", MEMBERSHIP, "group_id", "joined_on", "Users of a group") \
	X(ROOMS_OF_GROUP, "RoomsOfGroup", ROOM, "group_id", "created_on", "Rooms of a group")       \
	X(GROUP_OF_CONTAINER, "GroupAndContainerRelationship", GROUP_CONTAINER, "container_id", "created_on", "The group of a container") \
	X(INVITATION_BY_HASH, "InvitationHash", INVITATION, "hash", "created_on", "The invitation of a code") \
	X(INVITATIONS_OF_USER, "InvitationsOfUser", INVITATION, "created_by", "created_on", "Invitations that a user has made") \
	X(ITEMS_BY_EXPIRY, "ItemsByExpiry", ITEM, "group_id", "expiry", "Items of a group that expire")
/* ByExpiry has no rows: it lists every kind of ITEM_KINDS that has expires_at. */

/* Each index once; INDEX_ROWS may list it for several kinds. */
#define INDEXES(X)                                                                                 \
	X(BY_EXPIRY, "ByExpiry")                                                                   \
	X(BY_USER_ID, "ByUserId")                                                                  \
	X(USERS_LOGGED_IN, "UsersLoggedIn")                                                        \
	X(BY_ACCOUNT, "SeatsOfUser")                                                               \
	X(BY_STATUS, "ByStatus")                                                                   \
	X(BY_AGENT_ID, "ByAgentId")                                                                \
	X(BY_FINGERPRINT, "ByFingerprint")                                                         \
	X(BY_SKIPPER, "BySkipper")                                                                 \
	X(BY_TOTAL_POINTS, "ByTotalPoints")                                                        \
	X(BY_WEEK_POINTS, "ByWeekPoints")                                                          \
	X(BY_DAY_POINTS, "ByDayPoints")                                                            \
	X(BY_LAST_NOTIFIED, "ByLastNotified")                                                      \
	X(BY_USER, "ByUser") \
	X(USERS_BY_EMAIL, "EMailAndUserIdRelationship") \
	X(USERS_OF_GROUP, "UserAndGroupRelationship") \
	X(ROOMS_OF_GROUP, "RoomsOfGroup")                                                          \
	X(GROUP_OF_CONTAINER, "GroupAndContainerRelationship") \
	X(INVITATION_BY_HASH, "InvitationHash") \
	X(INVITATIONS_OF_USER, "InvitationsOfUser")                                                \
	X(ITEMS_BY_EXPIRY, "ItemsByExpiry")

enum index_id {
#define INDEX_ENUM(symbol, name) INDEX_##symbol,
	INDEXES(INDEX_ENUM)
#undef INDEX_ENUM
	INDEX_COUNT
};

struct index_row {
	enum index_id index;
	const char *name;
	enum item_kind kind;
	const char *partition;
	const char *sort;
	const char *help;
};
/* In index_rows.c. */
extern const struct index_row index_rows[]; /* ends with a NULL name */
extern const char *const index_names[INDEX_COUNT];

/*
 * Return the kind of the item at (pk, sk), or ITEM_COUNT if no row matches. The rest of a PK, and
 * of an SK with a prefix, must not be empty.
 */
enum item_kind item_kind_of(struct slice pk, struct slice sk);

/*
 * Scopes: what one commit can reach. A room's partition lies in one of ITEM_BUCKETS buckets,
 * together with other rooms; all other partitions are one scope, the directory. A key's scope
 * never changes.
 */
#define ITEM_BUCKETS         4096
#define ITEM_SCOPE_DIRECTORY ITEM_BUCKETS

/* Return the scope of a partition: the bucket of a room, or ITEM_SCOPE_DIRECTORY. */
unsigned item_scope_of(struct slice pk);

/*
 * Return whether the last tenth of the space for new items is reserved for this kind: rooms,
 * sessions, and the results of calls, without which nothing could be deleted with an
 * idempotency_key. All other kinds are refused first, so that filling the table with them
 * prevents neither reveals nor logins.
 */
bool item_is_reserved(enum item_kind kind);

/*
 * Decode the value of an item of this kind into the struct of its record, in the arena.
 * ERR_NOMEM, or an error of record_from_bytes().
 */
NODISCARD enum err item_decode(enum item_kind kind, struct slice value, enum record_mode mode, struct arena *arena,
			       void **item, struct fault *fault);

/*
 * Most bytes of PK and SK together: LMDB keys have at most 511 bytes, and one separates PK and
 * SK.
 */
#define ITEM_KEY_BYTES_MAX 510

/* Room for the PK of any item, with its NUL. */
struct item_pk {
	char text[ITEM_KEY_BYTES_MAX + 1];
};
/* Write the PK of items of this kind with this rest to *pk; returns it, which points into *pk. */
struct slice item_pk_of(struct item_pk *pk, enum item_kind kind, struct slice rest);

#endif
