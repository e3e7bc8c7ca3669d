/*
 * test_question_outcome.c - what came of a question, which option was meant, and how it is told in lines.
 */
#include "client/model/questions/question_outcome.h"
#include "client/model/questions/question_text.h"
#include "client/model/questions/question_whole.h"
#include "tests/support/test.h"

#define MINUTE_MS INT64_C(60000)

static struct slice options_all[] = {{"yes", 3},
				     {"No, never", 9},
				     {"2", 1},
				     {"\xc3\x89t\xc3\xa9", 5}};
static const struct slices options = {options_all, 4};

TEST(test_an_option_is_meant_by_its_words_or_by_its_number)
{
	static const struct {
		const char *typed;
		int option;
	} rows[] = {
		{"yes", 0}, {"YES", 0},	      {" Yes ", 0},
		{"1", 0},   {"no, NEVER", 1}, {"no", 1},
		{"2", 2}, /* its words come before its number */
		{"3", 2},   {"4", 3},	      {"\xc3\xa9T\xc3\x89", 3},
		{"0", -1},  {"5", -1},	      {"01", 0},
		{"", -1},   {" ", -1},	      {"\xff", -1},
		{"1 ", -1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int option = question_option(&options, slice_str(rows[i].typed));
		if (option != rows[i].option) {
			fail_msg("\"%s\" means %d, not %d", rows[i].typed, option, rows[i].option);
		}
	}
}

static struct question_view question_of(enum question_status status, const int votes[4],
					struct option_votes summary[4])
{
	struct question_view q = {
		.question_id = SLICE("q_K7QX3M7HQ2"),
		.status = status,
		.prompt = SLICE("Ship it today?"),
		.type = QUESTION_CHOICE,
		.options = options,
		.required_responses = 3,
		.expires_at = 43 * MINUTE_MS + 1,
		.summary = summary,
		.summary_n = 4,
	};
	for (size_t i = 0; i < 4; i++) {
		summary[i] = (struct option_votes){.option = options.items[i], .votes = votes[i]};
		q.current_responses += votes[i];
	}
	return q;
}

TEST(test_the_outcome_is_what_the_table_says)
{
	static const struct {
		enum question_status status;
		int votes[4];
		int expected;
		int most;
		enum question_outcome outcome;
	} rows[] = {
		{QUESTION_OPEN, {0, 0, 0, 0}, -1, -1, OUTCOME_NONE_YET},
		{QUESTION_PARTIAL, {2, 0, 0, 0}, 0, 0, OUTCOME_NONE_YET},
		{QUESTION_CLOSED, {2, 1, 0, 0}, -1, 0, OUTCOME_ENOUGH},
		{QUESTION_CLOSED, {2, 1, 0, 0}, 0, 0, OUTCOME_ENOUGH},
		{QUESTION_CLOSED, {2, 1, 0, 0}, 1, 0, OUTCOME_UNEXPECTED},
		{QUESTION_CLOSED, {1, 2, 0, 0}, 0, 1, OUTCOME_UNEXPECTED},
		/* A tie is not most, wherever it stands; and one that is beaten is none. */
		{QUESTION_CLOSED, {2, 2, 0, 0}, 0, -1, OUTCOME_UNEXPECTED},
		{QUESTION_CLOSED, {0, 2, 1, 2}, 3, -1, OUTCOME_UNEXPECTED},
		{QUESTION_CLOSED, {1, 1, 1, 2}, 3, 3, OUTCOME_ENOUGH},
		{QUESTION_CLOSED, {1, 1, 1, 0}, -1, -1, OUTCOME_ENOUGH},
		/* Too few are no answer, also where all of them said what was expected. */
		{QUESTION_EXPIRED, {2, 0, 0, 0}, 0, 0, OUTCOME_EXPIRED},
		{QUESTION_EXPIRED, {0, 0, 0, 0}, 1, -1, OUTCOME_EXPIRED},
		{QUESTION_CANCELLED, {2, 0, 0, 0}, 0, 0, OUTCOME_CANCELLED},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct option_votes summary[4];
		struct question_view q = question_of(rows[i].status, rows[i].votes, summary);
		assert_int_equal(question_most(&q), rows[i].most);
		assert_int_equal(question_outcome(&q, rows[i].expected), rows[i].outcome);
	}
}

TEST(test_no_answer_is_never_told_as_one)
{
	static const struct {
		enum question_status status;
		int votes[4];
		const char *state;
	} rows[] = {
		{QUESTION_OPEN, {0, 0, 0, 0}, "0 of 3 answered, 43 min left"},
		{QUESTION_PARTIAL, {1, 1, 0, 0}, "2 of 3 answered, 43 min left"},
		{QUESTION_CLOSED, {1, 2, 0, 0}, "closed: 3 of 3 answered"},
		{QUESTION_EXPIRED, {1, 0, 0, 0}, "expired: 1 of 3 answered"},
		{QUESTION_EXPIRED, {0, 0, 0, 0}, "expired: nobody answered, 3 were needed"},
		{QUESTION_CANCELLED, {0, 0, 0, 0}, "cancelled: nobody answered, 3 were needed"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct option_votes summary[4];
		char state[QUESTION_STATE_BYTES];
		struct question_view q = question_of(rows[i].status, rows[i].votes, summary);
		question_state(&q, 1, state, sizeof(state));
		assert_string_equal(state, rows[i].state);
	}
}

TEST(test_it_is_told_when_too_few_are_left_to_answer)
{
	static const struct {
		int64_t people;
		const char *group_id, *state;
	} rows[] = {
		{3, "g_1", "1 of 3 answered, 43 min left"},
		{2, "g_1", "1 of 3 answered, only 2 people left in the team, 43 min left"},
		{1, "", "1 of 3 answered, only 1 person left in the room, 43 min left"},
		{0, "", "1 of 3 answered, nobody left who can answer, 43 min left"},
	};
	const int votes[4] = {1};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct option_votes summary[4];
		char state[QUESTION_STATE_BYTES];
		struct question_view q = question_of(QUESTION_PARTIAL, votes, summary);
		q.people = rows[i].people;
		q.with_people = true;
		q.group_id = slice_str(rows[i].group_id);
		question_state(&q, 1, state, sizeof(state));
		assert_string_equal(state, rows[i].state);
	}
}

static void assert_written(struct buf *out, const char *text)
{
	assert_int_equal(buf_append(out, "", 1), OK);
	assert_string_equal(out->data, text);
	buf_finish(out);
}

TEST(test_a_question_is_told_in_lines)
{
	const int votes[4] = {2, 1, 0, 0};
	struct option_votes summary[4];
	struct slice audience[] = {{"technical", 9}, {"product", 7}};
	struct response_view responses[] = {
		{.with_selected_option = true,
		 .selected_option = 1,
		 .comment = SLICE("too late"),
		 .confidence = 4,
		 .with_confidence = true,
		 .is_fast = true},
		{.with_selected_option = true, .selected_option = 0, .confidence = 5},
		{.with_selected_option = true,
		 .selected_option = 9,
		 .answer = SLICE("because\nof that")},
	};
	struct question_view q = question_of(QUESTION_CLOSED, votes, summary);
	struct buf out = {.max = 4096};
	q.prompt = SLICE("Ship it today?\nIt is Friday.");
	q.audience = (struct slices){audience, 2};
	q.asked_by = SLICE("Ada");
	q.room_id = SLICE("K7QX3M");
	q.responses = responses;
	q.responses_n = 3;
	question_write_head(&q, 0, &out);
	question_write_answers(&q, &out);
	assert_written(&out, "q_K7QX3M7HQ2  closed: 3 of 3 answered\n"
			     "asked by Ada, for technical, product, in room K7QX3M\n"
			     "\n"
			     "Ship it today?\n"
			     "It is Friday.\n"
			     "\n"
			     "  2  yes\n"
			     "  1  No, never\n"
			     "  0  2\n"
			     "  0  \xc3\x89t\xc3\xa9\n"
			     "No, never, confidence 4 of 5, fast: too late\n"
			     "\n"
			     "because\n"
			     "of that\n");
	out = (struct buf){.max = 4096};
	question_write_row(&q, 0, &out);
	assert_written(&out, "q_K7QX3M7HQ2  closed: 3 of 3 answered        technical  Ship it "
			     "today? It is Friday.\n");
}

/* "2  no" would be two votes. */
TEST(test_options_without_votes_are_numbered)
{
	struct option_votes summary[4];
	struct question_view q = question_of(QUESTION_OPEN, (const int[4]){0}, summary);
	struct buf out = {.max = 4096};
	q.summary_n = 0;
	question_write_head(&q, 0, &out);
	assert_written(&out, "q_K7QX3M7HQ2  0 of 3 answered\n"
			     "asked by someone, for\n"
			     "\n"
			     "Ship it today?\n"
			     "\n"
			     "  1) yes\n"
			     "  2) No, never\n"
			     "  3) 2\n"
			     "  4) \xc3\x89t\xc3\xa9\n");
}

/* A server that gives page after page, or the same for ever, is believed no more answers than a question has. */
TEST(test_pages_are_put_together_and_bounded)
{
	struct question_whole w = {.pages_n = 0};
	struct response_view many[20];
	struct question_get_result page = {
		.question = {.question_id = SLICE("q_K7QX3M7HQ2"),
			     .responses = many,
			     .responses_n = 20,
			     .with_responses = true},
		.cursor = SLICE("more"),
	};
	for (size_t i = 0; i < 20; i++) {
		many[i] = (struct response_view){.answer = SLICE("so")};
	}
	question_whole_add(&w, &page);
	assert_int_equal(w.view.responses_n, 20);
	assert_true(slice_eq(w.cursor, SLICE("more")));
	question_whole_add(&w, &page);
	question_whole_add(&w, &page);
	assert_int_equal(w.view.responses_n, MAX_QUESTION_RESPONSES);
	assert_int_equal(w.cursor.len, 0);
	question_whole_finish(&w);
	page.question.responses_n = 0;
	question_whole_add(&w, &page);
	assert_int_equal(w.cursor.len, 0);
	assert_int_equal(w.view.responses_n, 0);
	question_whole_finish(&w);
}
