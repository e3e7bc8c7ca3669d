/*
 * test_question_bounds.c - every bound of a question and an answer, and forms that are none.
 */
#include "tests/unit/server/panel.h"

#define WRITTEN_BYTES ((size_t)24 << 10)

/* n characters that need `bytes` bytes each. */
static const char *chars(size_t n, size_t bytes)
{
	static char text[WRITTEN_BYTES];
	static const char *const one[] = {"", "x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\xb2"};
	size_t len = 0;
	for (size_t i = 0; i < n; i++) {
		memcpy(text + len, one[bytes], bytes);
		len += bytes;
	}
	text[len] = '\0';
	return text;
}

/* A text that must have so many characters: one less and one more are refused, in characters of one byte and of four. */
static const struct text_bound {
	const char *method, *params, *field;
	size_t min, max;
} texts[] = {
	{"question.ask", "'type':'text'", "prompt", MAX_QUESTION_PROMPT_CHARS_MIN,
	 MAX_QUESTION_PROMPT_CHARS},
	{"question.answer", "", "answer", 1, MAX_QUESTION_ANSWER_CHARS},
	{"question.answer", "'answer':'x'", "comment", 1, MAX_QUESTION_COMMENT_CHARS},
};

static const char *with_text(struct panel *d, const struct text_bound *b, size_t n, size_t bytes)
{
	struct rig_peer *p = strcmp(b->method, "question.ask") == 0 ? d->ada : d->bob;
	ask(d, TEXT);
	return rig_code(p, b->method, "%s%s%s%s%s%s'%s':'%s'", p == d->bob ? "'question_id':'" : "",
			p == d->bob ? d->id : "", p == d->bob ? "'," : "", b->params,
			b->params[0] == '\0' ? "" : ",", "", b->field, chars(n, bytes));
}

PANEL_TEST(test_texts_are_counted_in_characters, d)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct text_bound *b = &texts[i];
		char refusal[64];
		(void)snprintf(refusal, sizeof(refusal), "VALIDATION_ERROR %s", b->field);
		for (size_t bytes = 1; bytes <= 4; bytes += 3) {
			assert_string_equal(with_text(d, b, b->min - 1, bytes), refusal);
			assert_string_equal(with_text(d, b, b->max + 1, bytes), refusal);
		}
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct text_bound *b = &texts[i];
		assert_string_equal(with_text(d, b, b->min, 4), "ok");
		rig_advance(&d->r, MINUTE_MS);
		assert_string_equal(with_text(d, b, b->max, 1), "ok");
		rig_advance(&d->r, MINUTE_MS);
		assert_string_equal(with_text(d, b, b->max, 4), "ok");
		rig_advance(&d->r, MINUTE_MS);
	}
}

/* Each row: the params of question.ask behind a prompt, and what is wrong with them. */
PANEL_TEST(test_numbers_and_lists_of_a_question_have_bounds, d)
{
	static const struct {
		const char *params, *field;
	} rows[] = {
		{"'type':'text','min_responses':0", "min_responses"},
		{"'type':'text','min_responses':1", NULL},
		{"'type':'text','min_responses':50", NULL},
		{"'type':'text','min_responses':51", "min_responses"},
		{"'type':'text','timeout_seconds':59", "timeout_seconds"},
		{"'type':'text','timeout_seconds':60", NULL},
		{"'type':'text','timeout_seconds':2592000", NULL},
		{"'type':'text','timeout_seconds':2592001", "timeout_seconds"},
		{"'type':'essay'", "type"},
		{"'type':'text','options':['a','b']", "options"},
		{"'type':'multiple_choice'", "options"},
		{"'type':'multiple_choice','options':['a']", "options"},
		{"'type':'multiple_choice','options':['a','b']", NULL},
		{"'type':'multiple_choice','options':['a','a ']", "options[1]"},
		{"'type':'multiple_choice','options':['a',' ']", "options[1]"},
		{"'type':'multiple_choice','options':['1','2','3','4','5','6','7','8','9','10']",
		 NULL},
		{"'type':'multiple_choice','options':['1','2','3','4','5','6','7','8','9','10','11'"
		 "]",
		 "options"},
		{"'type':'text','audience':[]", "audience"},
		{"'type':'text','audience':['nobody']", "audience"},
		{"'type':'text','audience':['ethics','ethics']", "audience"},
		{"'type':'text','audience':['technical','product','ethics','creative','general']",
		 NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char expected[64] = "ok";
		if (rows[i].field != NULL) {
			(void)snprintf(expected, sizeof(expected), "VALIDATION_ERROR %s",
				       rows[i].field);
		}
		assert_string_equal(rig_code(d->ada, "question.ask",
					     "'prompt':'Is it so, or not?',%s", rows[i].params),
				    expected);
	}
	assert_string_equal(rig_code(d->ada, "question.ask",
				     "'prompt':'Is it so, or not?','type':'multiple_choice',"
				     "'options':['a','%s']",
				     chars(MAX_QUESTION_OPTION_CHARS, 4)),
			    "ok");
	assert_string_equal(rig_code(d->ada, "question.ask",
				     "'prompt':'Is it so, or not?','type':'multiple_choice',"
				     "'options':['a','%s']",
				     chars(MAX_QUESTION_OPTION_CHARS + 1, 1)),
			    "VALIDATION_ERROR options[1]");
}

PANEL_TEST(test_numbers_of_an_answer_have_bounds, d)
{
	ask(d, CHOICE);
	assert_string_equal(answer(d, d->bob, "'selected_option':-1"),
			    "VALIDATION_ERROR selected_option");
	assert_string_equal(answer(d, d->bob, "'selected_option':0,'confidence':0"),
			    "VALIDATION_ERROR confidence");
	assert_string_equal(answer(d, d->bob, "'selected_option':0,'confidence':6"),
			    "VALIDATION_ERROR confidence");
	assert_string_equal(answer(d, d->bob, "'selected_option':0,'confidence':5"), "ok");
}

PANEL_TEST(test_lines_stay_and_what_may_not_be_shown_is_refused, d)
{
	ask(d, "'type':'text','prompt':'\\n\\n  One   line.  \\nAnother one.\\n\\n'");
	assert_true(says(get(d, d->bob), "'prompt':'  One   line.  \\nAnother one.'"));
	assert_string_equal(rig_code(d->ada, "question.ask",
				     "'type':'text','prompt':'\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n'"),
			    "VALIDATION_ERROR prompt");
	assert_string_equal(answer(d, d->bob, "'answer':'a\\u0007'"), "VALIDATION_ERROR answer");
	assert_string_equal(answer(d, d->bob, "'answer':'a\\u202eb'"), "VALIDATION_ERROR answer");
	assert_string_equal(answer(d, d->bob, "'answer':'a','comment':'b\\nc'"),
			    "VALIDATION_ERROR comment");
	assert_string_equal(answer(d, d->bob, "'answer':' a  b \\r\\n c'"), "ok");
	assert_true(says(get(d, d->bob), "'responses':[{'answer':' a  b \\n c'}]"));
}

/* One error, after the same reads, for an id of another form, of no question, and of one for others. */
/* promise: no-such-question */
PANEL_TEST(test_a_question_that_is_not_for_the_caller_is_not_there, d)
{
	static const char *const methods[] = {"question.get", "question.skip", "question.cancel",
					      "question.watch"};
	char ids[4][64] = {"q_2222222222", "nonsense", "q_222222222O", ""};
	const char *first = NULL;
	rig_found(&d->r, d->ada, "");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", "'username':'ada'");
	(void)snprintf(ids[3], sizeof(ids[3]), "%s", d->r.room_id);
	char params[160];
	(void)snprintf(params, sizeof(params), TEXT ",'room_id':'%s'", ids[3]);
	ask(d, params);
	(void)snprintf(ids[3], sizeof(ids[3]), "%s", d->id);
	for (size_t m = 0; m < 4; m++) {
		for (size_t i = 0; i < 4; i++) {
			size_t loads = d->r.loads;
			char *error = strdup(
				rig_refused(d->bob, methods[m], "'question_id':'%s'", ids[i]));
			assert_true(says(error, "QUESTION_NOT_FOUND"));
			assert_int_equal(d->r.loads, loads + 4);
			if (first != NULL) {
				assert_string_equal(error, first);
				free(error);
			} else {
				first = error;
			}
		}
	}
	free((char *)(uintptr_t)first);
	assert_string_equal(rig_code(d->bob, "question.answer", "'question_id':'%s','answer':'x'",
				     d->id),
			    "QUESTION_NOT_FOUND");
	assert_string_equal(rig_code(d->bob, "question.ask", "%s", params), "ROOM_NOT_FOUND");
	strcpy(d->bob->room_id, d->r.room_id);
	rig_follow(d->bob, "");
	rig_must(d->bob, "join", "'username':'bob'");
	assert_true(says(get(d, d->bob), "'can_answer':true"));
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "ok");
	assert_false(says(rig_must(d->cy, "question.list", RIG_NONE), "QUESTION"));
}

PANEL_TEST(test_an_id_is_read_in_lower_case_too, d)
{
	ask(d, TEXT);
	for (size_t i = 0; d->id[i] != '\0'; i++) {
		d->id[i] = (char)(d->id[i] >= 'A' && d->id[i] <= 'Z' ? d->id[i] + 32 : d->id[i]);
	}
	assert_true(says(get(d, d->bob), "QUESTION"));
}

PANEL_TEST(test_without_a_login_nobody_asks_or_answers, d)
{
	struct rig_peer *p = rig_guest(&d->r, "p");
	ask(d, TEXT);
	assert_string_equal(rig_code(p, "question.ask", TEXT), "UNAUTHENTICATED");
	assert_string_equal(rig_code(p, "question.get", "'question_id':'%s'", d->id),
			    "UNAUTHENTICATED");
	assert_string_equal(answer(d, p, "'answer':'x'"), "UNAUTHENTICATED");
}

/* What a user does in an hour has a bound, and so has what guests of one address do. */
PANEL_TEST(test_rates_are_of_the_user_and_of_guests_by_address, d)
{
	struct rig_peer *a = rig_connect_as(&d->r, "a", PEER_NETWORK, 7, false);
	struct rig_peer *b = rig_connect_as(&d->r, "b", PEER_NETWORK, 7, false);
	struct rig_peer *c = rig_connect_as(&d->r, "c", PEER_NETWORK, 8, false);
	struct rig_peer *peers[] = {a, b, c};
	for (int i = 0; i < 3; i++) {
		char name[8] = {(char)('a' + i), 'x', '\0'};
		rig_hello(peers[i]);
		rig_must(peers[i], "session.login", "'user_name':'%s'", name);
	}
	for (int i = 0; i < MAX_QUESTIONS_PER_HOUR; i++) {
		assert_string_equal(rig_code(a, "question.ask", TEXT), "ok");
	}
	const char *refusal = rig_refused(a, "question.ask", TEXT);
	assert_true(says(refusal, "RATE_LIMITED"));
	assert_in_range(rig_field_number(refusal, "retry_after_ms"), 59000, 61000);
	assert_string_equal(rig_code(b, "question.ask", TEXT), "RATE_LIMITED");
	assert_string_equal(rig_code(c, "question.ask", TEXT), "ok");
	rig_advance(&d->r, MINUTE_MS);
	assert_string_equal(rig_code(a, "question.ask", TEXT), "ok");
}

PANEL_TEST(test_answers_of_a_user_in_an_hour_have_a_bound, d)
{
	int n = 0;
	for (; n < 100; n++) {
		if (n % 5 == 0) { /* as many as a minute allows */
			rig_advance(&d->r, MINUTE_MS);
		}
		ask(d, TEXT);
		if (strcmp(answer(d, d->bob, "'answer':'x'"), "ok") != 0) {
			break;
		}
	}
	/* Those of the minutes that went by come on top. */
	assert_in_range(n, MAX_ANSWERS_PER_HOUR, MAX_ANSWERS_PER_HOUR + 10);
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "RATE_LIMITED");
	assert_string_equal(answer(d, d->cy, "'answer':'x'"), "ok");
}

PANEL_TEST(test_five_answers_a_minute_are_enough, d)
{
	for (int i = 0; i < 6; i++) {
		ask(d, TEXT);
		assert_string_equal(answer(d, d->bob, "'answer':'x'"),
				    i < 5 ? "ok" : "RATE_LIMITED");
	}
	assert_true(says(get(d, d->ada), "'current_responses':0"));
	assert_string_equal(answer(d, d->cy, "'answer':'x'"), "ok");
	rig_advance(&d->r, MINUTE_MS);
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "ok");
}
