/*
 * records_question.h - the records of questions to people and of their answers.
 *
 * A part of records.h. Uses its rows for shared fields.
 */
#ifndef PROTO_RECORDS_RECORDS_QUESTION_H
#define PROTO_RECORDS_RECORDS_QUESTION_H

/* A text written by people, limited in characters; in bytes it may have four times as many. */
#define F_CHARS(F, name, flags, min, max, help) \
	F(TEXT, name, max, (flags) | FIELD_CHARS, min, FIELD_CHAR_BYTES * (max), help)
/* The same text as stored and shown. */
#define F_WRITTEN(F, name, flags, max, help) F(STR, name, _, flags, 1, FIELD_CHAR_BYTES * (max), help)

#define F_QUESTION_ID(F) F(STR, question_id, _, FIELD_REQ, 1, 64, "The question; lower case is accepted")
#define F_OF_QUESTION(F) F(STR, question_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The question")
#define F_QUESTION_CURSOR(F, help) F(STR, cursor, _, FIELD_OPT | FIELD_ID, 1, 128, help)
#define F_QUESTION_PAGE(F)                                                                         \
	F(INT, limit, _, FIELD_OPT, 1, MAX_QUESTION_PAGE, "Most entries of the page; default 20. A page may have fewer and not be the last") \
	F_QUESTION_CURSOR(F, "The cursor of the previous page of the same list; absent for the first")
#define F_UNREADABLE(F) F(BOOL, unreadable, _, FIELD_OPT, 0, 0, "Damaged entries could not be read and are missing; absent: the page is complete")
#define F_QUESTION_NEXT(F)                                                                         \
	F_QUESTION_CURSOR(F, "For the next page; absent at the end")                               \
	F_UNREADABLE(F)

/* Who asks or answers may be asleep for longer than a day. */
#define F_ONCE_OF_OPEN(F) F_ONCE_FOR(F, "within 24 h, or within 7 days while the question is open,")
#define RECORD_question_ask_params(F)                                                              \
	F_CHARS(F, prompt, FIELD_REQ | FIELD_LINES, MAX_QUESTION_PROMPT_CHARS_MIN, MAX_QUESTION_PROMPT_CHARS, "What is asked") \
	F(ENUM, type, question_type, FIELD_REQ, 0, WORDS_LAST(question_type), "How it is answered") \
	F(TEXTS, options, MAX_QUESTION_OPTION_CHARS, FIELD_OPT, MAX_QUESTION_OPTIONS_MIN, MAX_QUESTION_OPTIONS, "Of multiple_choice, all different; text has none") \
	F(STRS, audience, _, FIELD_OPT, 1, MAX_QUESTION_AUDIENCES, "Of `technical`, `product`, `ethics`, `creative`, `general`; the first is the question's category; default general") \
	F(INT, min_responses, _, FIELD_OPT, 1, MAX_QUESTION_RESPONSES, "The question closes after so many answers; default as many as the people it concerns, 1 to 5") \
	F(INT, timeout_seconds, _, FIELD_OPT, MAX_QUESTION_SECONDS_MIN, MAX_QUESTION_SECONDS, "How many seconds it is open; default 3600") \
	F(STR, room_id, _, FIELD_OPT, 6, 16, "Only for members of this room, of which the asker is one") \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "Only for members of this team, of which the asker is one; lower case is accepted") \
	F(STR, user_id, _, FIELD_OPT, 1, 64, "Only for this member of that room or team") \
	F(BOOL, anonymous, _, FIELD_OPT, 0, 0, "The asker's name is hidden")                       \
	F_ONCE_OF_OPEN(F)
#define F_QUESTION_TIMES(F)                                                                        \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was asked")                        \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it expires")
#define RECORD_question_ask_result(F)                                                              \
	F_OF_QUESTION(F)                                                                           \
	F(ENUM, status, question_status, FIELD_REQ, 0, WORDS_LAST(question_status), "Its status")  \
	F_QUESTION_TIMES(F)                                                                        \
	F(INT, required_responses, _, FIELD_REQ, 1, MAX_QUESTION_RESPONSES, "Answers requested")   \
	F(INT, people, _, FIELD_REQ, 0, MAX_GROUP_USERS, "How many people it concerns: members of the team, or of the room with a login; of a question to everyone, users who are logged in, at most 50. The caller is not counted")

#define RECORD_option_votes(F)                                                                     \
	F_WRITTEN(F, option, FIELD_REQ | FIELD_LINE, MAX_QUESTION_OPTION_CHARS, "The option") \
	F(INT, votes, _, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "Number of answers that chose it")
#define F_RESPONSE(F)                                                                              \
	F_WRITTEN(F, answer, FIELD_OPT | FIELD_LINES, MAX_QUESTION_ANSWER_CHARS, "Of a text question") \
	F(INT, selected_option, _, FIELD_OPT, 0, MAX_QUESTION_OPTIONS - 1, "The option, counted from 0") \
	F(INT, confidence, _, FIELD_OPT, 1, MAX_QUESTION_CONFIDENCE, "Confidence")                 \
	F_WRITTEN(F, comment, FIELD_OPT | FIELD_LINE, MAX_QUESTION_COMMENT_CHARS, "A comment")
#define RECORD_response_view(F)                                                                    \
	F_RESPONSE(F)                                                                              \
	F(BOOL, is_fast, _, FIELD_OPT, 0, 0, "To the asker: given too soon after the question was first read to be considered")
#define RECORD_question_view(F)                                                                    \
	F_OF_QUESTION(F)                                                                           \
	F(ENUM, status, question_status, FIELD_REQ, 0, WORDS_LAST(question_status), "Its status: OPEN has no answer yet, PARTIAL too few, CLOSED enough") \
	F_WRITTEN(F, prompt, FIELD_REQ | FIELD_LINES, MAX_QUESTION_PROMPT_CHARS, "What is asked")  \
	F(ENUM, type, question_type, FIELD_REQ, 0, WORDS_LAST(question_type), "How it is answered") \
	F(TEXTS, options, MAX_QUESTION_OPTION_CHARS, FIELD_OPT, MAX_QUESTION_OPTIONS_MIN, MAX_QUESTION_OPTIONS, "Of multiple_choice") \
	F(STRS, audience, _, FIELD_REQ | FIELD_LINE, 1, MAX_QUESTION_AUDIENCES, "Its audiences; the first is its category") \
	F(INT, required_responses, _, FIELD_REQ, 1, MAX_QUESTION_RESPONSES, "Answers requested")   \
	F(INT, current_responses, _, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "Answers given")        \
	F(INT, responses_needed, _, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "Answers still needed; of one that has ended, those it did not get") \
	F_QUESTION_TIMES(F)                                                                        \
	F(INT, closed_at, _, FIELD_OPT, 0, INT64_MAX, "When it ended, for any reason; absent while it is open") \
	F(STR, asked_by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Name of the asker; absent if they asked anonymously") \
	F(STR, room_id, _, FIELD_OPT | FIELD_CODE, 6, 16, "The room whose members alone see it")  \
	F(STR, group_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The team whose members alone see it")    \
	F(STR, user_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The one member of them who may answer it, and sees it besides its asker") \
	F(BOOL, is_mine, _, FIELD_OPT, 0, 0, "Whether the caller asked it; absent in question.update") \
	F(BOOL, can_answer, _, FIELD_OPT, 0, 0, "Whether the caller may answer it, or change their answer; absent in question.update") \
	F(BOOL, is_answered, _, FIELD_OPT, 0, 0, "The caller has answered it; question.answer replaces the answer") \
	F(ENUM, why_not, question_bar, FIELD_OPT, 0, WORDS_LAST(question_bar), "Why the caller may not") \
	F(INT, people, _, FIELD_OPT, 0, MAX_GROUP_USERS, "To its asker in question.get, while it is open: how many people of its room or team it concerns now, whether they have answered or not. Absent of a question to everyone") \
	F(RECS, summary, option_votes, FIELD_OPT, 0, MAX_QUESTION_OPTIONS, "Of multiple_choice, in the order of the options, if the caller may see others' answers") \
	F(RECS, responses, response_view, FIELD_OPT, 0, MAX_QUESTION_RESPONSES, "If the caller may see others' answers: a page of them, empty if there is none, in no particular order") \
	F(REC, own_response, response_view, FIELD_OPT, 0, 0, "The caller's answer, in question.get")

#define RECORD_question_get_params(F)                                                              \
	F_QUESTION_ID(F)                                                                           \
	F(INT, limit, _, FIELD_OPT, 1, MAX_QUESTION_RESPONSES, "Most answers of the page; default as many as fit") \
	F_QUESTION_CURSOR(F, "The cursor of the previous page; absent for the first")
#define RECORD_question_get_result(F)                                                              \
	F(REC, question, question_view, FIELD_REQ, 0, 0, "The question, with a page of its answers") \
	F_QUESTION_NEXT(F)
#define RECORD_question_params(F) F_QUESTION_ID(F)
#define RECORD_question_change_params(F) F_QUESTION_ID(F) F_ONCE(F)
#define RECORD_question_cancel_result(F)                                                           \
	F(ENUM, status, question_status, FIELD_REQ, 0, WORDS_LAST(question_status), "Its status now")

#define RECORD_question_answer_params(F)                                                           \
	F_QUESTION_ID(F)                                                                           \
	F_CHARS(F, answer, FIELD_OPT | FIELD_LINES, 1, MAX_QUESTION_ANSWER_CHARS, "To a question of type text") \
	F(INT, selected_option, _, FIELD_OPT, 0, MAX_QUESTION_OPTIONS - 1, "To one of multiple_choice: the option, counted from 0") \
	F(INT, confidence, _, FIELD_OPT, 1, MAX_QUESTION_CONFIDENCE, "Confidence")                 \
	F_CHARS(F, comment, FIELD_OPT, 1, MAX_QUESTION_COMMENT_CHARS, "A comment")                 \
	F_ONCE_OF_OPEN(F)
/* One row for each word of `audience`. */
#define F_CATEGORY_COUNT(F, name) F(INT, name, _, FIELD_OPT, 0, INT64_MAX, "Answers to questions of this category")
#define RECORD_category_counts(F)                                                                  \
	F_CATEGORY_COUNT(F, technical)                                                             \
	F_CATEGORY_COUNT(F, product)                                                               \
	F_CATEGORY_COUNT(F, ethics)                                                                \
	F_CATEGORY_COUNT(F, creative)                                                              \
	F_CATEGORY_COUNT(F, general)
#define RECORD_point_view(F)                                                                       \
	F(ENUM, reason, point_reason, FIELD_REQ, 0, WORDS_LAST(point_reason), "The reason")        \
	F(INT, points, _, FIELD_REQ, 1, INT64_MAX, "How many")
#define BADGES_MAX 32 /* more than there will ever be */
#define F_BADGE(F)                                                                                 \
	F(STR, id, _, FIELD_REQ | FIELD_ID, 1, 32, "The badge")                                    \
	F(STR, name, _, FIELD_REQ | FIELD_LINE, 1, 64, "Its display name")
#define RECORD_badge_view(F)                                                                       \
	F_BADGE(F)                                                                                 \
	F(INT, earned_at, _, FIELD_REQ, 0, INT64_MAX, "When it was earned")
#define RECORD_badge_progress(F)                                                                   \
	F_BADGE(F)                                                                                 \
	F(INT, have, _, FIELD_REQ, 0, INT64_MAX, "Progress so far")                                \
	F(INT, need, _, FIELD_REQ, 1, INT64_MAX, "Progress needed")
#define F_TOTAL_POINTS(F) F(INT, total_points, _, FIELD_REQ, 0, INT64_MAX, "All points that the user has earned")
#define F_STREAK_DAYS(F) F(INT, streak_days, _, FIELD_REQ, 0, INT64_MAX, "Days of the user's clock in a row with an answer, up to today or yesterday")
#define RECORD_question_answer_result(F)                                                           \
	F(STR, response_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The answer")                          \
	F(BOOL, is_changed, _, FIELD_OPT, 0, 0, "It replaces the caller's earlier answer, and earns nothing") \
	F(INT, points_earned, _, FIELD_REQ, 0, INT64_MAX, "Less than the sum of points if the day's limit was nearly reached") \
	F(RECS, points, point_view, FIELD_REQ, 0, WORDS_COUNT(point_reason), "Reasons, each once; an answer that is_fast has none") \
	F(RECS, new_badges, badge_view, FIELD_REQ, 0, BADGES_MAX, "Badges earned with this answer") \
	F_TOTAL_POINTS(F)                                                                          \
	F_STREAK_DAYS(F)                                                                           \
	F(REC, next_badge, badge_progress, FIELD_OPT, 0, 0, "The badge closest to being earned; absent if the user has all, and for an answer that is_fast")

#define RECORD_question_list_params(F)                                                             \
	F(ENUM, status, question_status, FIELD_OPT, QUESTION_OPEN, QUESTION_PARTIAL, "Only those; default both") \
	F(STRS, audience, _, FIELD_OPT, 1, MAX_QUESTION_AUDIENCES, "Only those for one of these; default all") \
	F_QUESTION_PAGE(F)
#define RECORD_question_mine_params(F)                                                             \
	F(ENUM, status, question_status, FIELD_OPT, 0, WORDS_LAST(question_status), "Only those; default all") \
	F_QUESTION_PAGE(F)
#define RECORD_question_list_result(F)                                                             \
	F(RECS, questions, question_view, FIELD_REQ, 0, MAX_QUESTION_PAGE, "The newest first, without summary and responses") \
	F_QUESTION_NEXT(F)
#define RECORD_answer_mine_params(F) F_QUESTION_PAGE(F)
#define RECORD_answer_view(F)                                                                      \
	F_OF_QUESTION(F)                                                                           \
	F(STR, response_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The answer")                          \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was given")                        \
	F_RESPONSE(F)                                                                              \
	F_WRITTEN(F, prompt, FIELD_OPT | FIELD_LINES, MAX_QUESTION_PROMPT_CHARS, "What was asked; absent if the question was deleted, or is of a room that the caller has left") \
	F(ENUM, status, question_status, FIELD_OPT, 0, WORDS_LAST(question_status), "The question's status; likewise") \
	F_WRITTEN(F, option, FIELD_OPT | FIELD_LINE, MAX_QUESTION_OPTION_CHARS, "What was chosen; likewise")
#define RECORD_answer_mine_result(F)                                                               \
	F(RECS, answers, answer_view, FIELD_REQ, 0, MAX_QUESTION_PAGE, "The newest first")         \
	F_QUESTION_NEXT(F)

#define RECORD_stats_get_result(F)                                                                 \
	F_TOTAL_POINTS(F)                                                                          \
	F(INT, total_answers, _, FIELD_REQ, 0, INT64_MAX, "All answers that the user has given")   \
	F_STREAK_DAYS(F)                                                                           \
	F(RECS, badges, badge_view, FIELD_REQ, 0, BADGES_MAX, "In the order in which they were earned") \
	F(REC, answers_by_category, category_counts, FIELD_REQ, 0, 0, "total_answers by the category of the question") \
	F(INT, rank, _, FIELD_OPT, 1, MAX_BOARD_RANKS, "Of the all-time place for total_points; absent without one")
#define RECORD_leaderboard_get_params(F)                                                           \
	F(ENUM, period, board_period, FIELD_OPT, 0, WORDS_LAST(board_period), "Which time: a UTC day, a UTC week from Monday, or all; default all_time") \
	F(INT, limit, _, FIELD_OPT, 1, MAX_BOARD_PAGE, "Most places; default 10")
#define RECORD_board_entry(F)                                                                      \
	F(INT, rank, _, FIELD_REQ, 1, MAX_BOARD_RANKS, "1 plus the number of users on earlier places") \
	F(INT, people, _, FIELD_REQ, 1, INT64_MAX, "How many share the place, board_people at least") \
	F(INT, points, _, FIELD_REQ, 0, INT64_MAX, "What each of them had earned in that time when the board was created, or more: a multiple of board_step") \
	F(BOOL, is_me, _, FIELD_REQ, 0, 0, "Whether your_rank is this place; places have no names")
#define RECORD_leaderboard_get_result(F)                                                           \
	F(RECS, entries, board_entry, FIELD_REQ, 0, MAX_BOARD_PAGE, "Places, those with the most points first; empty until a board is created for that time") \
	F(INT, made_at, _, FIELD_OPT, 1, INT64_MAX, "When the board was created; absent if there is none") \
	F(INT, your_rank, _, FIELD_OPT, 1, MAX_BOARD_RANKS, "Of the place for your_points; absent without one") \
	F(INT, your_points, _, FIELD_REQ, 0, INT64_MAX, "The caller's points in that time so far")

#define RECORD_question_watch_result(F)                                                            \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "Version of the topic; question.update continues from it") \
	F(REC, question, question_view, FIELD_REQ, 0, 0, "The question, without summary and responses")

#define RECORD_question_update(F)                                                                  \
	F_TOPIC(F)                                                                                 \
	F(STR, question_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The question")     \
	F(REC, question, question_view, FIELD_OPT, 0, 0, "The question as it is now, without summary and responses; absent in a reset. The last update has its final status")

/* ---- for the owner of the server ---- */
#define F_FLAGGED(F) F(INT, flagged_responses, _, FIELD_OPT, 1, MAX_QUESTION_RESPONSES, "Its flagged answers: given too soon to be considered; absent: none")
#define RECORD_server_questions_params(F)                                                          \
	F(BOOL, flagged, _, FIELD_OPT, 0, 0, "Only those with flagged answers")                    \
	F_QUESTION_PAGE(F)
#define RECORD_server_question(F)                                                                  \
	F_OF_QUESTION(F)                                                                           \
	F(ENUM, status, question_status, FIELD_REQ, 0, WORDS_LAST(question_status), "Its status")  \
	F_WRITTEN(F, prompt, FIELD_REQ | FIELD_LINES, MAX_QUESTION_PROMPT_CHARS, "What is asked")  \
	F(STR, user_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The asker; absent: deleted")              \
	F(STR, asked_by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Name of the asker; absent if they asked anonymously") \
	F(STR, room_id, _, FIELD_OPT | FIELD_CODE, 6, 16, "The room whose members alone see it")   \
	F(STR, group_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The team whose members alone see it")    \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was asked")                        \
	F(INT, current_responses, _, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "Answers given")        \
	F_FLAGGED(F)
#define RECORD_server_questions_result(F)                                                          \
	F(RECS, questions, server_question, FIELD_REQ, 0, MAX_QUESTION_PAGE, "The newest first, whatever their status") \
	F_QUESTION_NEXT(F)
#define RECORD_server_answers_params(F)                                                            \
	F_QUESTION_ID(F)                                                                           \
	F(INT, limit, _, FIELD_OPT, 1, MAX_QUESTION_RESPONSES, "Most answers of the page; default as many as fit") \
	F_QUESTION_CURSOR(F, "The cursor of the previous page; absent for the first")
#define F_RESPONSE_ID(F, flags) F(STR, response_id, _, flags, 1, 64, "The answer")
#define RECORD_server_answer(F)                                                                    \
	F_RESPONSE_ID(F, FIELD_REQ | FIELD_ID)                                                     \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was given")                        \
	F_RESPONSE(F)                                                                              \
	F_WRITTEN(F, option, FIELD_OPT | FIELD_LINE, MAX_QUESTION_OPTION_CHARS, "What was chosen") \
	F(BOOL, flagged, _, FIELD_OPT, 0, 0, "Given too soon to be considered")
#define RECORD_server_answers_result(F)                                                            \
	F(RECS, answers, server_answer, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "In no particular order") \
	F_QUESTION_NEXT(F)
#define RECORD_server_remove_params(F)                                                             \
	F_QUESTION_ID(F)                                                                           \
	F(STR, response_id, _, FIELD_OPT, 1, 64, "This answer alone; absent: the question with all its answers") \
	F_ONCE(F)

#define F_BAR_ID(F) F(STR, bar_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Identifies the bar without revealing the user")
#define RECORD_server_bar_params(F)                                                                \
	F(STR, user_id, _, FIELD_OPT, 1, 64, "The user; or, without it, the author of an answer:") \
	F(STR, question_id, _, FIELD_OPT, 1, 64, "the question, lower case is accepted,")          \
	F(STR, response_id, _, FIELD_OPT, 1, 64, "and the answer, of server.answers")              \
	F_ONCE(F)
#define RECORD_server_bar_result(F) F_BAR_ID(F)
#define RECORD_server_unbar_params(F)                                                              \
	F(STR, bar_id, _, FIELD_REQ, 1, 64, "The bar_id, from server.bar or server.barred")        \
	F_ONCE(F)
#define RECORD_server_barred_params(F) F_QUESTION_PAGE(F)
#define RECORD_server_barred_user(F)                                                               \
	F_BAR_ID(F)                                                                                \
	F(INT, barred_at, _, FIELD_REQ, 0, INT64_MAX, "When they joined")                          \
	F(STR, user_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The user; absent if barred by an answer") \
	F(STR, user_name, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Their name then, if it was known") \
	F_RESPONSE_ID(F, FIELD_OPT | FIELD_ID)
#define RECORD_server_barred_result(F)                                                             \
	F(RECS, barred, server_barred_user, FIELD_REQ, 0, MAX_QUESTION_PAGE, "In no particular order") \
	F_QUESTION_NEXT(F)

/* Inner records first. */
#define QUESTION_RECORDS(X)                                                                        \
	X(question_ask_params)                                                                     \
	X(question_ask_result)                                                                     \
	X(option_votes)                                                                            \
	X(response_view)                                                                           \
	X(question_view)                                                                           \
	X(question_get_params)                                                                     \
	X(question_get_result)                                                                     \
	X(question_params)                                                                         \
	X(question_change_params)                                                                  \
	X(question_cancel_result)                                                                  \
	X(question_answer_params)                                                                  \
	X(category_counts)                                                                         \
	X(point_view)                                                                              \
	X(badge_view)                                                                              \
	X(badge_progress)                                                                          \
	X(question_answer_result)                                                                  \
	X(question_list_params)                                                                    \
	X(question_mine_params)                                                                    \
	X(question_list_result)                                                                    \
	X(answer_mine_params)                                                                      \
	X(answer_view)                                                                             \
	X(answer_mine_result)                                                                      \
	X(stats_get_result)                                                                        \
	X(leaderboard_get_params)                                                                  \
	X(board_entry)                                                                             \
	X(leaderboard_get_result)                                                                  \
	X(question_watch_result)                                                                   \
	X(question_update)                                                                         \
	X(server_questions_params)                                                                 \
	X(server_question)                                                                         \
	X(server_questions_result)                                                                 \
	X(server_answers_params)                                                                   \
	X(server_answer)                                                                           \
	X(server_answers_result)                                                                   \
	X(server_remove_params)                                                                    \
	X(server_bar_params)                                                                       \
	X(server_bar_result)                                                                       \
	X(server_unbar_params)                                                                     \
	X(server_barred_params)                                                                    \
	X(server_barred_user)                                                                      \
	X(server_barred_result)

#endif
