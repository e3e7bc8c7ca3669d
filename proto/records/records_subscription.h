/*
 * records_subscription.h - the records of subscriptions to new questions, and of their
 * notifications.
 *
 * A part of records.h. Uses rows for fields of records_question.h.
 */
#ifndef PROTO_RECORDS_RECORDS_SUBSCRIPTION_H
#define PROTO_RECORDS_RECORDS_SUBSCRIPTION_H

#define F_SUBSCRIPTION_ID(F) F(STR, subscription_id, _, FIELD_REQ, 1, 64, "One of the caller's own")
#define F_OF_SUBSCRIPTION(F) F(STR, subscription_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The subscription")
#define F_SUBSCRIPTION_ADDRESS(F) F_CHARS(F, address, FIELD_OPT, 1, MAX_SUBSCRIPTION_ADDRESS_CHARS, "For channel command, required: passed to the server's command, such as an e-mail address")
#define F_SUBSCRIPTION_CHOICES(F)                                                                  \
	F_SUBSCRIPTION_ADDRESS(F)                                                                  \
	F(INT, min_interval_minutes, _, FIELD_OPT, MAX_SUBSCRIPTION_MINUTES_MIN, MAX_SUBSCRIPTION_MINUTES, "Shortest interval between two notifications; default 30") \
	F(STRS, audience, _, FIELD_OPT, 1, MAX_QUESTION_AUDIENCES, "Only questions for one of these; default all")

#define RECORD_subscription_create_params(F)                                                       \
	F(ENUM, channel, subscription_channel, FIELD_REQ, 0, WORDS_LAST(subscription_channel), "live: question.notice on the connections of the user; command: a command of the server's administrator") \
	F_SUBSCRIPTION_CHOICES(F)                                                                  \
	F_ONCE(F)
#define RECORD_subscription_create_result(F)                                                       \
	F_OF_SUBSCRIPTION(F)                                                                       \
	F(ENUM, status, subscription_status, FIELD_REQ, 0, WORDS_LAST(subscription_status), "Whether it is active")
#define RECORD_subscription_update_params(F)                                                       \
	F_SUBSCRIPTION_ID(F)                                                                       \
	F_SUBSCRIPTION_CHOICES(F)                                                                  \
	F(BOOL, active, _, FIELD_OPT, 0, 0, "false: no notifications until it is true again, which resets the failures") \
	F_ONCE(F)
#define RECORD_subscription_params(F) F_SUBSCRIPTION_ID(F) F_ONCE(F)
#define RECORD_subscription_view(F)                                                                \
	F_OF_SUBSCRIPTION(F)                                                                       \
	F(ENUM, channel, subscription_channel, FIELD_REQ, 0, WORDS_LAST(subscription_channel), "The channel") \
	F_WRITTEN(F, address, FIELD_OPT | FIELD_LINE, MAX_SUBSCRIPTION_ADDRESS_CHARS, "Of command") \
	F(INT, min_interval_minutes, _, FIELD_REQ, MAX_SUBSCRIPTION_MINUTES_MIN, MAX_SUBSCRIPTION_MINUTES, "Shortest interval between two notifications") \
	F(STRS, audience, _, FIELD_REQ | FIELD_LINE, 1, MAX_QUESTION_AUDIENCES, "Questions for one of these") \
	F(BOOL, active, _, FIELD_REQ, 0, 0, "Whether it is active; `notice_failures` notifications in a row whose command failed deactivate it") \
	F(INT, failures, _, FIELD_REQ, 0, MAX_NOTICE_FAILURES, "Notifications in a row, including the last, whose command failed") \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was created")                      \
	F(INT, last_notified_at, _, FIELD_OPT, 1, INT64_MAX, "When the last notification was sent; absent: none yet")
#define RECORD_subscription_list_result(F)                                                         \
	F(RECS, subscriptions, subscription_view, FIELD_REQ, 0, MAX_SUBSCRIPTIONS, "The oldest first") \
	F_UNREADABLE(F)

#define RECORD_question_ended(F)                                                                   \
	F_OF_QUESTION(F)                                                                           \
	F_WRITTEN(F, prompt, FIELD_REQ | FIELD_LINES, MAX_QUESTION_PROMPT_CHARS, "What was asked") \
	F(ENUM, status, question_status, FIELD_REQ, QUESTION_CLOSED, QUESTION_EXPIRED, "How it ended") \
	F(INT, required_responses, _, FIELD_REQ, 1, MAX_QUESTION_RESPONSES, "Answers requested")   \
	F(INT, current_responses, _, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "Answers given")
#define RECORD_question_notice(F)                                                                  \
	F_OF_QUESTION(F)                                                                           \
	F(ENUM, type, question_type, FIELD_REQ, 0, WORDS_LAST(question_type), "How it is answered") \
	F_WRITTEN(F, prompt, FIELD_REQ | FIELD_LINES, MAX_QUESTION_PROMPT_CHARS, "What is asked")  \
	F(STRS, audience, _, FIELD_REQ | FIELD_LINE, 1, MAX_QUESTION_AUDIENCES, "Its audiences; the first is its category") \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it expires")                          \
	F_OF_SUBSCRIPTION(F)

/* Inner records first. */
#define SUBSCRIPTION_RECORDS(X)                                                                    \
	X(subscription_create_params)                                                              \
	X(subscription_create_result)                                                              \
	X(subscription_update_params)                                                              \
	X(subscription_params)                                                                     \
	X(subscription_view)                                                                       \
	X(subscription_list_result)                                                                \
	X(question_notice) \
	X(question_ended)

#endif
