/*
 * a_question.h - questions as the server lists them, for tests of the inbox and its screens.
 */
#ifndef TESTS_UNIT_CLIENT_A_QUESTION_H
#define TESTS_UNIT_CLIENT_A_QUESTION_H

#include "proto/records/records.h"
#include "tests/unit/client/a_room.h"

enum { A_MINUTE_MS = 60 * 1000 };

static struct slice a_question_technical[] = {{"technical", 9}};
static struct slice a_question_general[] = {{"general", 7}};
static struct slice a_question_options[] = {{"yes", 3}, {"no", 2}, {"later", 5}};

/* One of text that may be answered for an hour, and has 3 of 5 answers. */
static inline struct question_view a_question(const char *id, const char *prompt)
{
	return (struct question_view){
		.question_id = {id, strlen(id)},
		.status = QUESTION_PARTIAL,
		.prompt = {prompt, strlen(prompt)},
		.type = QUESTION_TEXT,
		.audience = {a_question_general, 1},
		.required_responses = 5,
		.current_responses = 3,
		.responses_needed = 2,
		.created_at = A_NOW - 5 * A_MINUTE_MS,
		.expires_at = A_NOW + 54 * A_MINUTE_MS + 1000,
		.asked_by = SLICE("Grace"),
		.with_asked_by = true,
		.can_answer = true,
	};
}

/* The same with options. */
static inline struct question_view a_choice(const char *id, const char *prompt)
{
	struct question_view q = a_question(id, prompt);
	q.type = QUESTION_CHOICE;
	q.audience.items = a_question_technical;
	q.options = (struct slices){a_question_options, 3};
	q.with_options = true;
	return q;
}

#endif
