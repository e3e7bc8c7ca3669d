/*
 * test_question_lists.c - question.list, question.mine, answer.mine, pages of answers, cursors, skip.
 */
#include "tests/unit/server/panel.h"

/* Questions without a bound of the hour. */
static int panel_busy(void **state)
{
	struct panel *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_QUESTIONS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_ANSWERS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_ANSWERS_PER_MINUTE] = 100000;
	d->r.config.limits[LIMIT_QUESTION_LISTS_PER_HOUR] = 100000;
	return panel_begin(d);
}

#define LIST_TEST(name, d) TEST_IN(name, struct panel, d, panel_busy, scene_finish)

/* The number at the end of each prompt of a page, in their order. */
static const char *numbers(const char *page)
{
	static char out[1024];
	size_t len = 0;
	out[0] = '\0';
	for (const char *at = page; (at = strstr(at, "Number ")) != NULL; at++) {
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%d", len == 0 ? "" : " ",
					atoi(at + 7));
	}
	return out;
}

static void ask_number(struct panel *d, int n, const char *more)
{
	char params[256];
	(void)snprintf(params, sizeof(params), "'type':'text','prompt':'Is this Number %d?'%s", n,
		       more);
	ask_unnamed(d, params);
}

/* All pages of a list, as one text. */
static const char *all(struct rig_peer *p, const char *method, const char *params)
{
	static char out[1024];
	char cursor[200] = "";
	out[0] = '\0';
	for (int pages = 0; pages < 300; pages++) {
		const char *page = rig_must(p, method, "%s%s%s%s%s", params,
					    params[0] != '\0' && cursor[0] != '\0' ? "," : "",
					    cursor[0] == '\0' ? "" : "'cursor':'", cursor,
					    cursor[0] == '\0' ? "" : "'");
		const char *found = numbers(page);
		if (found[0] != '\0') {
			strcat(strcat(out, out[0] == '\0' ? "" : " "), found);
		}
		if (!says(page, "'cursor':")) {
			return out;
		}
		rig_field(page, "cursor", cursor, sizeof(cursor));
	}
	fail_msg("%s does not end", method);
	return NULL;
}

LIST_TEST(test_the_newest_come_first_and_what_is_done_with_is_left_out, d)
{
	for (int n = 1; n <= 6; n++) {
		ask_number(d, n, "");
		rig_advance(&d->r, SECOND_MS);
		if (n == 2) {
			assert_string_equal(answer(d, d->bob, "'answer':'yes'"), "ok");
		} else if (n == 3) {
			assert_string_equal(answer(d, d->cy, "'answer':'yes'"), "ok");
		} else if (n == 4) {
			rig_must(d->bob, "question.skip", "'question_id':'%s'", d->id);
		} else if (n == 5) {
			rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
		}
	}
	assert_string_equal(all(d->bob, "question.list", ""), "6 3 1");
	assert_string_equal(all(d->cy, "question.list", ""), "6 4 2 1");
	assert_string_equal(all(d->cy, "question.list", "'limit':1"), "6 4 2 1");
	assert_string_equal(all(d->cy, "question.list", "'status':'OPEN'"), "6 4 1");
	assert_string_equal(all(d->cy, "question.list", "'status':'PARTIAL'"), "2");
	assert_string_equal(all(d->ada, "question.list", ""), "");
	assert_string_equal(all(d->ada, "question.mine", ""), "6 5 4 3 2 1");
	assert_string_equal(all(d->ada, "question.mine", "'limit':2"), "6 5 4 3 2 1");
	assert_string_equal(all(d->ada, "question.mine", "'status':'CANCELLED'"), "5");
	assert_string_equal(all(d->bob, "question.mine", ""), "");
	assert_string_equal(all(d->bob, "answer.mine", ""), "2");
	assert_string_equal(rig_code(d->bob, "question.list", "'status':'CLOSED'"),
			    "VALIDATION_ERROR status");
}

/* More of both than a list looks at by itself. */
LIST_TEST(test_what_was_done_with_long_ago_is_left_out_too, d)
{
	for (int n = 1; n <= 90; n++) {
		ask_number(d, n, "");
		rig_advance(&d->r, 1);
		if (n == 45) {
			continue;
		}
		if (n % 2 == 0) {
			assert_string_equal(answer(d, d->bob, "'answer':'yes'"), "ok");
		} else {
			rig_must(d->bob, "question.skip", "'question_id':'%s'", d->id);
		}
	}
	assert_string_equal(all(d->bob, "question.list", ""), "45");
}

/* More in front than a page looks at, of each kind that is not for the caller. */
LIST_TEST(test_a_page_goes_on_behind_questions_that_are_not_for_the_caller, d)
{
	enum { MANY = 65 };
	char cursor[200];
	ask_number(d, 1, "");
	ask_number(d, 2, ",'audience':['ethics']");
	rig_advance(&d->r, 1);
	for (int n = 3; n < 3 + MANY; n++) { /* one half OPEN, the other PARTIAL */
		rig_field(rig_must(d->bob, "question.ask",
				   "'type':'text','prompt':'Is this Number %d?'", n),
			  "question_id", d->id, sizeof(d->id));
		if (n % 2 == 0) {
			assert_string_equal(answer(d, d->cy, "'answer':'yes'"), "ok");
		}
	}
	const char *page = rig_must(d->bob, "question.list", RIG_NONE);
	assert_string_equal(numbers(page), "");
	rig_field(page, "cursor", cursor, sizeof(cursor));
	page = rig_must(d->bob, "question.list", "'cursor':'%s'", cursor);
	assert_int_equal(strlen(numbers(page)), 3); /* of one moment: in any order */
	assert_false(says(page, "'cursor':"));
	assert_string_equal(all(d->bob, "question.list", "'audience':['ethics']"), "2");
	assert_int_equal(strlen(all(d->bob, "question.list", "'limit':1")), 3);
}

/* Time is up when it is up, not when the sweeper has been. */
LIST_TEST(test_the_own_questions_are_listed_by_what_they_are_now, d)
{
	ask_number(d, 1, ",'timeout_seconds':60");
	ask_number(d, 2, ",'timeout_seconds':60");
	assert_string_equal(answer(d, d->bob, "'answer':'yes'"), "ok");
	ask_number(d, 3, ",'timeout_seconds':3600");
	d->r.wall_ms += 60 * SECOND_MS;
	assert_int_equal(strlen(all(d->ada, "question.mine", "'status':'EXPIRED'")), 3);
	assert_string_equal(all(d->ada, "question.mine", "'status':'OPEN'"), "3");
	assert_string_equal(all(d->ada, "question.mine", "'status':'PARTIAL'"), "");
	assert_string_equal(all(d->bob, "question.list", ""), "3");
	assert_true(says(rig_must(d->bob, "answer.mine", RIG_NONE), "'status':'EXPIRED'"));
}

LIST_TEST(test_a_skipped_question_may_still_be_answered, d)
{
	ask_number(d, 1, "");
	rig_must(d->bob, "question.skip", "'question_id':'%s'", d->id);
	rig_must(d->bob, "question.skip", "'question_id':'%s'", d->id);
	assert_int_equal(panel_stored(d, "SKIP:"), 1);
	assert_true(says(get(d, d->bob), "'current_responses':0,'responses_needed':5"));
	assert_string_equal(answer(d, d->bob, "'answer':'yes'"), "ok");
	assert_int_equal(panel_stored(d, "SKIP:"), 0);
	assert_string_equal(rig_code(d->bob, "question.skip", "'question_id':'%s'", d->id),
			    "ALREADY_ANSWERED");
}

LIST_TEST(test_a_list_is_for_an_audience, d)
{
	ask_number(d, 1, ",'audience':['technical']");
	ask_number(d, 2, ",'audience':['ethics','technical']");
	ask_number(d, 3, "");
	assert_string_equal(rig_code(d->bob, "question.list", "'audience':['all']"),
			    "VALIDATION_ERROR audience");
	assert_int_equal(strlen(all(d->bob, "question.list", "'audience':['technical']")), 3);
	assert_string_equal(all(d->bob, "question.list", "'audience':['ethics']"), "2");
	assert_string_equal(all(d->bob, "question.list", "'audience':['creative','general']"), "3");
}

/* Many questions of one millisecond, in two statuses: each is on one page, however long the pages are. */
LIST_TEST(test_pages_have_each_question_once, d)
{
	for (int n = 1; n <= 90; n++) {
		ask_number(d, n, "");
		if (n % 3 == 0) {
			assert_string_equal(answer(d, d->cy, "'answer':'yes'"), "ok");
		}
	}
	for (int limit = 1; limit <= 50; limit += 7) {
		char params[32];
		bool seen[91] = {false};
		size_t n = 0;
		(void)snprintf(params, sizeof(params), "'limit':%d", limit);
		for (char *at =
			     strtok((char *)(uintptr_t)all(d->bob, "question.list", params), " ");
		     at != NULL; at = strtok(NULL, " ")) {
			assert_false(seen[atoi(at)]);
			seen[atoi(at)] = true;
			n++;
		}
		assert_int_equal(n, 90);
	}
}

/* Those that are damaged are left out, also where a page has no others; the first and the last are sound. */
LIST_TEST(test_pages_go_on_behind_damaged_questions, d)
{
	enum { ASKED = 70 };
	char pk[ASKED + 1][96], sk[96], cy_id[65];
	rig_field(rig_must(d->cy, "session.whoami", RIG_NONE), "user_id", cy_id, sizeof(cy_id));
	struct key_text cy = key_hash(d->r.config.server_key, "fingerprint", slice_str(cy_id));
	(void)snprintf(sk, sizeof(sk), "RESPONSE:%s", cy.text);
	for (int n = 1; n <= ASKED; n++) {
		rig_advance(&d->r, 1000);
		ask_number(d, n, "");
		(void)snprintf(pk[n], sizeof(pk[n]), "QUESTION:%s", d->id);
		if (n % 3 == 1) {
			assert_string_equal(answer(d, d->cy, "'answer':'yes'"), "ok");
		}
	}
	for (int n = 4; n < ASKED; n += 3) {
		store_mem_damage(d->r.store, slice_str(pk[n]), slice_str(sk));
	}
	assert_true(says(rig_must(d->cy, "answer.mine", "'limit':50"), "'unreadable':true"));
	assert_false(says(rig_must(d->bob, "question.list", "'limit':50"), "unreadable"));
	assert_string_equal(all(d->cy, "answer.mine", "'limit':1"), "70 1");
	assert_string_equal(all(d->cy, "answer.mine", "'limit':50"), "70 1");
	for (int n = 2; n < ASKED; n++) {
		store_mem_damage(d->r.store, slice_str(pk[n]), SLICE("QUESTION"));
	}
	for (int limit = 1; limit <= 50; limit += 7) {
		char params[32];
		(void)snprintf(params, sizeof(params), "'limit':%d", limit);
		assert_string_equal(all(d->ada, "question.mine", params), "70 1");
		assert_string_equal(all(d->bob, "question.list", params), "70 1");
	}
	assert_true(says(rig_must(d->bob, "question.list", "'limit':50"), "'unreadable':true"));
}

/* Long prompts fill a page before its entries do. */
LIST_TEST(test_a_page_fits_a_frame, d)
{
	static char prompt[4 * MAX_QUESTION_PROMPT_CHARS + 32];
	static char params[sizeof(prompt) + 64];
	for (int n = 1; n <= 20; n++) {
		size_t len = (size_t)snprintf(prompt, sizeof(prompt), "Is this Number %d?", n);
		for (size_t i = len; i < MAX_QUESTION_PROMPT_CHARS; i++) {
			memcpy(prompt + len, "\xf0\x9f\x8e\xb2", 5);
			len += 4;
		}
		(void)snprintf(params, sizeof(params), "'type':'text','prompt':'%s'", prompt);
		ask_unnamed(d, params);
		rig_advance(&d->r, SECOND_MS);
	}
	const char *expected = "20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1";
	assert_string_equal(all(d->bob, "question.list", "'limit':50"), expected);
	assert_string_equal(all(d->ada, "question.mine", "'limit':50"), expected);
}

/* So do long options. */
LIST_TEST(test_a_page_of_long_options_fits_a_frame, d)
{
	static char options[MAX_QUESTION_OPTIONS * (4 * MAX_QUESTION_OPTION_CHARS + 16)];
	static char params[sizeof(options) + 128];
	size_t len = 0;
	for (int k = 0; k < MAX_QUESTION_OPTIONS; k++) {
		len += (size_t)snprintf(options + len, sizeof(options) - len, "%s'%d",
					k == 0 ? "" : ",", k);
		for (int i = 1; i < MAX_QUESTION_OPTION_CHARS; i++) {
			memcpy(options + len, "\xf0\x9f\x8e\xb2", 4);
			len += 4;
		}
		options[len++] = '\'';
	}
	for (int n = 1; n <= 20; n++) {
		(void)snprintf(
			params, sizeof(params),
			"'type':'multiple_choice','prompt':'Is this Number %d?','options':[%s]", n,
			options);
		ask_unnamed(d, params);
		rig_advance(&d->r, SECOND_MS);
	}
	const char *expected = "20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1";
	assert_string_equal(all(d->bob, "question.list", "'limit':50"), expected);
	assert_string_equal(all(d->ada, "question.mine", "'limit':50"), expected);
}

/* Fifty answers of five thousand characters are several pages of whole ones, each answer on one of them. */
LIST_TEST(test_long_answers_come_in_pages, d)
{
	static char text[MAX_QUESTION_ANSWER_CHARS + 1];
	static char params[sizeof(text) + 64];
	char cursor[200] = "";
	size_t seen = 0;
	size_t pages = 0;
	ask_number(d, 1, ",'min_responses':50");
	for (int i = 0; i < 50; i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "p%d", i);
		memset(text, 'x', sizeof(text) - 1);
		(void)snprintf(params, sizeof(params), "'answer':'%s'", text);
		assert_string_equal(answer(d, scene_person(&d->r, name), params), "ok");
	}
	do {
		const char *page = rig_must(d->cy, "question.get", "'question_id':'%s'%s%s%s",
					    d->id, cursor[0] == '\0' ? "" : ",'cursor':'", cursor,
					    cursor[0] == '\0' ? "" : "'");
		for (const char *at = page; (at = strstr(at, "'answer':'")) != NULL; at++) {
			seen++;
		}
		pages++;
		if (says(page, "'cursor':")) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
		} else {
			cursor[0] = '\0';
		}
	} while (cursor[0] != '\0');
	assert_int_equal(seen, 50);
	assert_in_range(pages, 4, 8);
	const char *first = rig_must(d->cy, "question.get", "'question_id':'%s','limit':1", d->id);
	assert_true(says(first, "'cursor':"));
	assert_false(says(strstr(first, "'answer':'") + 1, "'answer':'"));
}

static void refuses_cursor(struct rig_peer *p, const char *method, const char *params,
			   const char *cursor)
{
	assert_string_equal(rig_code(p, method, "%s%s'cursor':'%s'", params,
				     params[0] == '\0' ? "" : ",", cursor),
			    "VALIDATION_ERROR cursor");
}

LIST_TEST(test_a_cursor_is_of_one_list_and_one_user, d)
{
	char cursor[200];
	for (int n = 1; n <= 3; n++) {
		ask_number(d, n, "");
	}
	rig_field(rig_must(d->bob, "question.list", "'limit':1"), "cursor", cursor, sizeof(cursor));
	assert_string_equal(rig_code(d->bob, "question.list", "'cursor':'%s'", cursor), "ok");
	refuses_cursor(d->cy, "question.list", "", cursor);
	refuses_cursor(d->bob, "question.list", "'status':'OPEN'", cursor);
	refuses_cursor(d->bob, "question.list", "'audience':['general']", cursor);
	refuses_cursor(d->bob, "question.mine", "", cursor);
	refuses_cursor(d->bob, "answer.mine", "", cursor);
	char get[64];
	(void)snprintf(get, sizeof(get), "'question_id':'%s'", d->id);
	refuses_cursor(d->bob, "question.get", get, cursor);
	for (size_t i = 0; cursor[i] != '\0'; i++) {
		char kept = cursor[i];
		cursor[i] = kept == '1' ? '2' : '1';
		refuses_cursor(d->bob, "question.list", "", cursor);
		cursor[i] = kept;
	}
	refuses_cursor(d->bob, "question.list", "", "1");
	refuses_cursor(d->bob, "question.list", "", "-");
}

LIST_TEST(test_the_own_answers_tell_what_was_asked, d)
{
	ask(d, CHOICE);
	assert_string_equal(answer(d, d->bob, "'selected_option':1,'confidence':2,'comment':'hm'"),
			    "ok");
	const char *page = rig_must(d->bob, "answer.mine", RIG_NONE);
	assert_true(says(page, "'selected_option':1,'confidence':2,'comment':'hm',"
			       "'prompt':'Shall we ship it?','status':'PARTIAL','option':'no'}]}"));
	assert_true(says(rig_must(d->cy, "answer.mine", RIG_NONE), "{'answers':[]}"));
}
