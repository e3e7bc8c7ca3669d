/*
 * test_screens_inbox.c - the questions that wait for an answer: keys in, requests and screens
 * out. The screens are compared with tests/tui/screens/, as in test_screens.c.
 */
#include "tests/unit/client/a_question.h"
#include "tests/unit/client/act_kit.h"
#include "tests/unit/client/screen_files.h"

enum { CTRL_S = 19 };

struct an_inbox {
	struct recent_rooms recent;
	struct inbox inbox;
	struct home home;
	struct tui *tui;
	const struct replica *none;
};

static void inbox_test_open(struct an_inbox *h, bool ascii)
{
	*h = (struct an_inbox){.home = {.name = "Ada", .server = "your own server"}};
	inbox_init(&h->inbox);
	h->home.recent = &h->recent;
	h->home.is_signed_in = true;
	h->tui = tui_create(
		&(struct tui_options){.home = &h->home, .inbox = &h->inbox, .ascii = ascii});
	tui_set_link(h->tui, LINK_LIVE);
	tui_set_now(h->tui, A_NOW);
}

static void inbox_test_close(struct an_inbox *h)
{
	tui_destroy(h->tui);
	inbox_finish(&h->inbox);
}

static void take(struct an_inbox *h, enum inbox_which which, struct question_view *views, size_t n)
{
	struct question_list_result page = {.questions = views, .questions_n = n};
	struct feed *list = &h->inbox.lists[which];
	feed_lost(list);
	struct request *r = feed_ask(list);
	feed_sent(list, r);
	feed_take(list, r, &page);
	request_free(r);
}

/* Three, of each kind, as people ask. */
static void three_wait(struct an_inbox *h)
{
	struct slice long_options[] = {
		SLICE("Release today, and tell everybody at noon"),
		SLICE("Wait for Monday: the last change of the payments has been in the tests for "
		      "only a day, and Grace is away"),
		SLICE("Release to one customer"),
		SLICE("Neither"),
	};
	struct question_view views[3];
	inbox_test_open(h, false);
	views[0] = a_choice("q_AAAAAAAAAA", "Ship the release today?");
	views[1] = a_question("q_BBBBBBBBBB",
			      "What would you change about how we plan?\n\n"
			      "Think of the last three sprints: what was planned, what came in "
			      "between, and what nobody asked for.\n見積もり counts too.");
	views[1].expires_at = A_NOW + 23 * 60 * A_MINUTE_MS;
	views[1].with_asked_by = false;
	views[1].asked_by = (struct slice){0};
	views[2] = a_choice("q_CCCCCCCCCC", "When do we release, given what is left to do?");
	views[2].options = (struct slices){long_options, 4};
	views[2].expires_at = A_NOW + 40 * 1000;
	take(h, INBOX_WAITING, views, 3);
}

static struct act key(struct an_inbox *h, int32_t k)
{
	return tui_take_key(h->tui, h->none, k);
}

static struct act type(struct an_inbox *h, const char *keys)
{
	struct act act = {0};
	for (; *keys != '\0'; keys++) {
		act = key(h, *keys == '\n' ? TUI_KEY_ENTER : *keys);
	}
	return act;
}

static void assert_pages(struct an_inbox *h, const char *name)
{
	assert_sizes(h->tui, h->none, name, SIZES({80, 24}, {40, 12}, {200, 60}));
}

static void assert_says(struct an_inbox *h, const char *words)
{
	char *text = screen_text(h->tui, h->none, 120, 24);
	if (strstr(text, words) == NULL) {
		fail_msg("\"%s\" is not on the screen:\n%s", words, text);
	}
	free(text);
}

static void assert_says_not(struct an_inbox *h, const char *words)
{
	char *text = screen_text(h->tui, h->none, 120, 24);
	assert_null(strstr(text, words));
	free(text);
}

/* What the screen wants to read now. */
static struct act wants(struct an_inbox *h)
{
	assert_says(h, "");
	return tui_wants(h->tui, h->none);
}

#define EMPTY_TEST(name, h) \
	TEST_OF(name, struct an_inbox, h, inbox_test_open(h, false), inbox_test_close(h))
#define INBOX_TEST(name, h) TEST_OF(name, struct an_inbox, h, three_wait(h), inbox_test_close(h))

/* ---- home and the lists ---- */

INBOX_TEST(test_home_says_how_many_wait, h)
{
	assert_pages(h, "inbox-home");
	char *least = screen_text(h->tui, h->none, 12, 3);
	assert_non_null(strstr(least, "\n ? help\n"));
	free(least);
	h->inbox.lists[INBOX_WAITING].has_more = true;
	assert_says(h, "3 and more questions for you: press i");
	take(h, INBOX_WAITING, &(struct question_view){0}, 0);
	assert_says(h, "All in favour");
}

INBOX_TEST(test_the_inbox_lists_them, h)
{
	(void)type(h, "i");
	assert_pages(h, "inbox");
	(void)type(h, "/plan\n");
	assert_says(h, "Filter: plan");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "aye · Home");
}

EMPTY_TEST(test_an_empty_inbox_says_so, h)
{
	(void)type(h, "i");
	assert_says(h, "Loading");
	take(h, INBOX_WAITING, NULL, 0);
	assert_pages(h, "inbox-empty");
	assert_nothing(key(h, TUI_KEY_ENTER));
	assert_says(h, "No question to open");
	(void)key(h, TUI_KEY_TAB);
	take(h, INBOX_MINE, NULL, 0);
	assert_says(h, "No questions of yours. Press a to ask one.");
}

EMPTY_TEST(test_a_stranger_is_told_to_log_in, h)
{
	h->home.is_signed_in = false;
	assert_nothing(type(h, "i"));
	assert_says(h, "Log in to see questions: aye login NAME");
	assert_nothing(wants(h));
	tui_destroy(h->tui);
	h->tui = tui_create(
		&(struct tui_options){.home = &h->home, .inbox = &h->inbox, .opens_inbox = true});
	assert_says(h, "Looking for the server");
	tui_set_link(h->tui, LINK_LIVE);
	assert_says(h, "Log in to see questions: aye login NAME");
	h->home.is_signed_in = true;
	assert_says(h, "Loading");
}

/* ---- reading ---- */

EMPTY_TEST(test_lists_are_read_where_they_are_shown, h)
{
	assert_request(wants(h), METHOD_QUESTION_LIST, "limit", "50", "cursor", "(absent)", NULL);
	h->inbox.lists[INBOX_WAITING].read = FEED_ASKED;
	assert_nothing(wants(h));
	(void)type(h, "i");
	assert_nothing(wants(h));
	(void)key(h, TUI_KEY_TAB);
	assert_request(wants(h), METHOD_QUESTION_MINE, "limit", "50", NULL);
	tui_set_link(h->tui, LINK_LOST);
	assert_nothing(wants(h));
}

INBOX_TEST(test_ones_own_are_read_again_each_time_they_are_opened, h)
{
	(void)type(h, "i");
	h->inbox.lists[INBOX_WAITING].read = FEED_ASKED;
	for (int i = 0; i < 3; i++) {
		(void)key(h, TUI_KEY_TAB);
		assert_request(wants(h), METHOD_QUESTION_MINE, "cursor", "(absent)", NULL);
		h->inbox.lists[INBOX_MINE].read = FEED_ASKED;
		take(h, INBOX_MINE, NULL, 0);
		assert_nothing(wants(h));
		(void)key(h, TUI_KEY_TAB);
		assert_nothing(wants(h));
	}
}

INBOX_TEST(test_a_question_is_read_when_it_is_opened_and_responses_page_by_page, h)
{
	struct question_get_result r = {.question = a_choice("q_AAAAAAAAAA", "Ship it today?"),
					.cursor = SLICE("next")};
	(void)type(h, "i\n");
	assert_request(wants(h), METHOD_QUESTION_GET, "question_id", "q_AAAAAAAAAA", "cursor",
		       "(absent)", NULL);
	h->inbox.read = FEED_ASKED;
	h->inbox.lists[INBOX_WAITING].read = FEED_ASKED;
	assert_nothing(wants(h));
	inbox_take_question(&h->inbox, &r);
	assert_request(wants(h), METHOD_QUESTION_GET, "cursor", "next", NULL);
}

/* ---- options ---- */

INBOX_TEST(test_options_are_a_hand_digits_choose_and_enter_sends, h)
{
	(void)type(h, "i\n");
	assert_pages(h, "question");
	assert_nothing(key(h, TUI_KEY_ENTER));
	assert_says(h, "Choose first: a digit, or the arrows");
	assert_nothing(type(h, "9"));
	assert_says(h, "No option for key 9");
	(void)type(h, "3");
	assert_pages(h, "question-chosen");
	(void)key(h, TUI_KEY_RIGHT);
	(void)key(h, TUI_KEY_DOWN);
	assert_request(key(h, TUI_KEY_ENTER), METHOD_QUESTION_ANSWER, "question_id", "q_AAAAAAAAAA",
		       "selected_option", "1", "answer", "(absent)", "confidence", "(absent)",
		       "comment", "(absent)", NULL);
	(void)key(h, TUI_KEY_LEFT);
	(void)key(h, TUI_KEY_UP);
	assert_request(key(h, TUI_KEY_ENTER), METHOD_QUESTION_ANSWER, "selected_option", "2", NULL);
}

INBOX_TEST(test_what_is_said_beside_the_answer_goes_with_it, h)
{
	(void)type(h, "i\n1f9\n");
	assert_says(h, "confidence: must be");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)type(h, "f4\nxit has been tested\n");
	assert_pages(h, "question-beside");
	assert_request(key(h, TUI_KEY_ENTER), METHOD_QUESTION_ANSWER, "selected_option", "0",
		       "confidence", "4", "comment", "it has been tested", NULL);
	(void)type(h, "x");
	for (int i = 0; i < 20; i++) {
		(void)key(h, TUI_KEY_BACKSPACE);
	}
	(void)type(h, "\nf\n");
	assert_request(key(h, TUI_KEY_ENTER), METHOD_QUESTION_ANSWER, "confidence", "(absent)",
		       "comment", "(absent)", NULL);
}

INBOX_TEST(test_long_options_are_lines, h)
{
	(void)type(h, "i");
	(void)key(h, TUI_KEY_END);
	(void)type(h, "\n2");
	assert_pages(h, "question-lines");
	assert_request(key(h, TUI_KEY_ENTER), METHOD_QUESTION_ANSWER, "selected_option", "1", NULL);
}

TEST(test_in_ascii_a_question_needs_no_more)
{
	struct an_inbox h;
	struct question_view q = a_choice("q_AAAAAAAAAA", "Ship the release today?");
	inbox_test_open(&h, true);
	take(&h, INBOX_WAITING, &q, 1);
	(void)type(&h, "i\n2f5\n");
	assert_sizes(h.tui, h.none, "question-ascii", SIZES({80, 24}, {40, 12}));
	inbox_test_close(&h);
}

INBOX_TEST(test_a_click_chooses_an_option, h)
{
	struct grid g = {0};
	(void)type(h, "i\n");
	grid_resize(&g, 80, 24);
	tui_follow(h->tui, h->none);
	tui_draw(h->tui, h->none, &g);
	const struct tui_mouse m = {TUI_MOUSE_PRESS, 14, 5};
	assert_nothing(tui_take_mouse(h->tui, h->none, &g, &m));
	assert_request(key(h, TUI_KEY_ENTER), METHOD_QUESTION_ANSWER, "selected_option", "1", NULL);
	grid_finish(&g);
}

/* ---- words ---- */

INBOX_TEST(test_an_answer_in_words_is_written_on_a_page_and_kept, h)
{
	(void)type(h, "i");
	(void)key(h, TUI_KEY_DOWN);
	(void)type(h, "\n");
	assert_pages(h, "question-text");
	assert_nothing(key(h, CTRL_S));
	assert_says(h, "Write your answer first: w");
	(void)type(h, "\nPlan less,\nand leave room");
	assert_pages(h, "question-writing");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_pages(h, "question-written");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)type(h, "\nw");
	(void)tui_take_paste(h->tui, h->none, SLICE(".\r\nThat is all."));
	assert_request(key(h, CTRL_S), METHOD_QUESTION_ANSWER, "answer",
		       "Plan less,\nand leave room.\nThat is all.", "selected_option", "(absent)",
		       NULL);
}

/* ---- what becomes of an answer ---- */

static struct point_view points[] = {
	{.reason = POINTS_CHOICE, .points = 5},
	{.reason = POINTS_CONFIDENCE, .points = 2},
	{.reason = POINTS_QUICK, .points = 3},
	{.reason = POINTS_EARLY, .points = 5},
};
static struct badge_view badges[] = {{.id = {"first_steps", 11}, .name = {"First steps", 11}}};
static const struct question_answer_result earned = {
	.response_id = {"r_A", 3},
	.points_earned = 15,
	.points = points,
	.points_n = 4,
	.new_badges = badges,
	.new_badges_n = 1,
	.total_points = 134,
	.streak_days = 3,
	.next_badge = {.id = {"getting_started", 15},
		       .name = {"Getting started", 15},
		       .have = 4,
		       .need = 10},
	.with_next_badge = true,
};

INBOX_TEST(test_an_answer_without_points_says_why, h)
{
	struct question_answer_result r = earned;
	(void)type(h, ":set points on\n");
	(void)type(h, "i\n2\n");
	r.points_earned = 0;
	r.points_n = 0;
	r.new_badges_n = 0;
	r.with_next_badge = false;
	inbox_take_answer(&h->inbox, SLICE("q_AAAAAAAAAA"));
	tui_take_answered(h->tui, &r);
	assert_says(h, "without points: it was too fast to be considered");
}

/* In the line that says that it was sent; the next question is there at once. */
INBOX_TEST(test_points_are_shown_to_those_who_want_them, h)
{
	(void)type(h, "i\n2\n");
	inbox_take_answer(&h->inbox, SLICE("q_AAAAAAAAAA"));
	tui_take_answered(h->tui, &earned);
	assert_says(h, "What would you change");
	assert_says(h, "Your answer was sent");
	assert_says_not(h, "points");
	(void)type(h, ":set points on\n");
	inbox_take_answer(&h->inbox, SLICE("q_BBBBBBBBBB"));
	tui_take_answered(h->tui, &earned);
	assert_says(h, "When do we release");
	assert_says(h, "Your answer was sent: +15 points, 134 in all, 3 days in a row; new: First "
		       "steps");
}

INBOX_TEST(test_while_an_answer_is_on_its_way_nothing_is_sent_again, h)
{
	(void)type(h, "i\n2\n");
	inbox_send(&h->inbox, "q_AAAAAAAAAA");
	assert_sizes(h->tui, h->none, "question-sending", SIZES({80, 24}, {40, 12}));
	assert_nothing(type(h, "1\n"));
	assert_says(h, "Your answer is being sent");
	assert_says(h, "(no)");
}

INBOX_TEST(test_an_answer_that_comes_too_late_says_so_in_place, h)
{
	(void)type(h, "i\n2\n");
	inbox_bar(&h->inbox, SLICE("q_AAAAAAAAAA"));
	tui_tell(h->tui, "The question has all its answers");
	assert_sizes(h->tui, h->none, "question-closed", SIZES({80, 24}, {40, 12}));
	assert_nothing(type(h, "\n"));
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "Inbox");
}

INBOX_TEST(test_behind_an_answer_comes_the_next_question, h)
{
	(void)type(h, "i\n2\n");
	inbox_take_answer(&h->inbox, SLICE("q_AAAAAAAAAA"));
	tui_take_answered(h->tui, &earned);
	assert_says(h, "What would you change");
	(void)type(h, ">");
	assert_says(h, "When do we release");
	assert_says(h, "Skipped");
	assert_request(type(h, ">"), METHOD_QUESTION_SKIP, "question_id", "q_CCCCCCCCCC", NULL);
	assert_says(h, "No questions for you.");
}

/* Nothing tells what came since to whoever asked for no notices. */
INBOX_TEST(test_the_list_is_read_again_when_it_is_opened, h)
{
	assert_int_equal(h->inbox.lists[INBOX_WAITING].read, FEED_IDLE);
	(void)type(h, "i");
	assert_int_equal(h->inbox.lists[INBOX_WAITING].read, FEED_WANTED);
	assert_request(tui_wants(h->tui, h->none), METHOD_QUESTION_LIST, NULL);
}

/* With what was sent before, which an other answer replaces. */
INBOX_TEST(test_the_last_answer_is_changed_from_the_list, h)
{
	(void)type(h, "ie");
	assert_says(h, "No answer sent from here yet. To change one: aye answer ID");
	(void)type(h, "\n2\n");
	inbox_send(&h->inbox, "q_AAAAAAAAAA");
	inbox_take_answer(&h->inbox, SLICE("q_AAAAAAAAAA"));
	tui_take_answered(h->tui, &earned);
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "e change answer");
	(void)type(h, "e");
	assert_says(h, "Ship the release today?");
	assert_request(type(h, "\n"), METHOD_QUESTION_ANSWER, "question_id", "q_AAAAAAAAAA",
		       "selected_option", "1", NULL);
	assert_request(type(h, "1\n"), METHOD_QUESTION_ANSWER, "question_id", "q_AAAAAAAAAA",
		       "selected_option", "0", NULL);
}

TEST(test_a_question_that_takes_no_answer_says_why)
{
	static const struct {
		enum question_bar why;
		const char *says;
	} rows[] = {
		{BAR_MINE, "It is your own"},
		{BAR_ENDED, "This question is closed"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct an_inbox h;
		struct question_view q = a_choice("q_AAAAAAAAAA", "Ship the release today?");
		inbox_test_open(&h, false);
		q.can_answer = false;
		q.why_not = rows[i].why;
		q.with_why_not = true;
		take(&h, INBOX_WAITING, &q, 1);
		(void)type(&h, "i\n");
		assert_nothing(type(&h, "1"));
		assert_says(&h, rows[i].says);
		assert_nothing(type(&h, "\n"));
		assert_says(&h, rows[i].says);
		inbox_test_close(&h);
	}
}

/* ---- one's own ---- */

static void my_questions(struct an_inbox *h)
{
	struct option_votes summary[] = {{.option = SLICE("yes"), .votes = 3},
					 {.option = SLICE("no"), .votes = 1},
					 {.option = SLICE("later"), .votes = 0}};
	struct response_view chosen[] = {
		{.selected_option = 0,
		 .with_selected_option = true,
		 .confidence = 4,
		 .with_confidence = true,
		 .comment = SLICE("it has been tested"),
		 .with_comment = true},
		{.selected_option = 1, .with_selected_option = true, .is_fast = true},
		{.selected_option = 0, .with_selected_option = true},
		{.selected_option = 0,
		 .with_selected_option = true,
		 .confidence = 5,
		 .with_confidence = true},
	};
	struct response_view written[] = {
		{.answer = SLICE("Plan less,\nand leave room."), .with_answer = true},
		{.answer = SLICE("Nothing."),
		 .with_answer = true,
		 .confidence = 2,
		 .with_confidence = true,
		 .comment = SLICE("ask again after the summer"),
		 .with_comment = true},
	};
	struct question_get_result r[2] = {
		{.question = a_choice("q_DDDDDDDDDD", "Ship the release today?")},
		{.question = a_question("q_EEEEEEEEEE", "What would you change?")},
	};
	struct question_view views[3];
	inbox_test_open(h, false);
	for (size_t i = 0; i < 2; i++) {
		r[i].question.is_mine = true;
		r[i].question.can_answer = false;
		views[i] = r[i].question;
	}
	views[1].status = QUESTION_EXPIRED;
	views[1].closed_at = A_NOW - 3 * 60 * A_MINUTE_MS;
	views[1].with_closed_at = true;
	views[2] = views[1];
	views[2].question_id = SLICE("q_FFFFFFFFFF");
	views[2].status = QUESTION_CANCELLED;
	take(h, INBOX_MINE, views, 3);
	(void)type(h, "i");
	(void)key(h, TUI_KEY_TAB);
	take(h, INBOX_MINE, views, 3);
	assert_pages(h, "asked");

	(void)type(h, "\n");
	assert_says(h, "Loading the answers");
	r[0].question.current_responses = 4;
	r[0].question.summary = summary;
	r[0].question.summary_n = 3;
	r[0].question.responses = chosen;
	r[0].question.responses_n = 4;
	inbox_take_question(&h->inbox, &r[0]);
	assert_pages(h, "outcome");
	assert_nothing(type(h, "dn"));
	(void)key(h, TUI_KEY_ESCAPE);
	assert_nothing(type(h, "d"));
	assert_says(h, "Cancel this question? Nobody can answer it then. y / n");
	assert_request(type(h, "y"), METHOD_QUESTION_CANCEL, "question_id", "q_DDDDDDDDDD", NULL);
	(void)key(h, TUI_KEY_DOWN);
	(void)type(h, "\n");
	r[1].question.status = QUESTION_EXPIRED;
	r[1].question.closed_at = views[1].closed_at;
	r[1].question.responses = written;
	r[1].question.responses_n = 2;
	inbox_take_question(&h->inbox, &r[1]);
	assert_pages(h, "outcome-text");
	assert_nothing(type(h, "d"));
	assert_says(h, "This question has ended");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "cancelled");
	(void)key(h, TUI_KEY_TAB);
	assert_says(h, "Loading");
}

TEST_OF(test_ones_own_questions_show_their_answers, struct an_inbox, h, my_questions(h),
	inbox_test_close(h))
{
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "aye · Home");
}

/* ---- asking ---- */

/* What was typed is kept as it is valid, and goes with one key. */
EMPTY_TEST(test_a_question_is_asked_part_by_part, h)
{
	struct question_ask_params *p;
	(void)type(h, "ia");
	assert_says(h, "\n Question:\n");
	(void)type(h, "Ship it?\n");
	(void)type(h, "\nyes, no ,  later,\n");
	(void)type(h, "\n\n"); /* everyone */
	(void)type(h, "\n2x\n");
	assert_says(h, "2x is not a time");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)type(h, "\n3d\n");
	(void)type(h, "\n51\n");
	assert_says(h, "51 is not a number of answers from 1 to 50");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)type(h, "\n2\n");
	assert_pages(h, "asking");
	struct act act = key(h, CTRL_S);
	assert_non_null(act.request);
	assert_int_equal(act.request->method, METHOD_QUESTION_ASK);
	p = act.request->params;
	assert_string_equal(p->prompt.data, "Ship it?");
	assert_int_equal(p->type, QUESTION_CHOICE);
	assert_int_equal(p->options.n, 3);
	assert_string_equal(p->options.items[2].data, "later");
	assert_int_equal(p->timeout_seconds, 3 * 24 * 3600);
	assert_int_equal(p->min_responses, 2);
	assert_false(p->with_room_id || p->with_group_id || p->with_user_id);
	tui_take_asked(h->tui, &(struct question_ask_result){.required_responses = 2, .people = 3});
	assert_says(h, "Your questions");
	assert_says(h, "Asked: 2 answers needed; 3 people can answer");
}

EMPTY_TEST(test_a_question_without_a_text_is_not_sent, h)
{
	(void)type(h, "ia");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_nothing(key(h, CTRL_S));
	assert_says(h, "question: must be 2 to 2000 characters long");
}

/* Without options people answer in words. */
EMPTY_TEST(test_what_was_typed_stays_until_it_is_asked, h)
{
	(void)type(h, "iaWhat would you call it?\n");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)type(h, "a");
	assert_says(h, "What would you call it?");
	struct act act = key(h, CTRL_S);
	assert_non_null(act.request);
	const struct question_ask_params *p = act.request->params;
	assert_int_equal(p->type, QUESTION_TEXT);
	assert_false(p->with_timeout_seconds || p->with_min_responses);
}

EMPTY_TEST(test_a_question_may_be_for_a_room_and_for_no_unknown_team, h)
{
	(void)type(h, "iaShip it?\n");
	(void)type(h, ":ask-to k7qx3m\n");
	assert_says(h, "room K7QX3M");
	struct act act = key(h, CTRL_S);
	assert_non_null(act.request);
	assert_string_equal(((const struct question_ask_params *)act.request->params)->room_id.data,
			    "K7QX3M");
	(void)type(h, ":ask-to The others\n");
	assert_says(h,
		    "No such team, member or room. Members are those of the team you opened last");
}

/* ---- notices ---- */

static const struct question_ended ended = {
	.question_id = {"q_GGGGGGGGGG", 12},
	.prompt = {"Ship the release today?\n\nIt has been tested.", 44},
	.status = QUESTION_CLOSED,
	.required_responses = 3,
	.current_responses = 3,
};

INBOX_TEST(test_the_end_of_ones_own_question_is_called_out, h)
{
	const struct replica nowhere = {.is_nowhere = true};
	const char *text = "Your question has closed, 3 of 3 answered: Ship the release today? It "
			   "has been tested.";
	tui_take_question_ended(h->tui, &ended);
	assert_says(h, text);
	assert_string_equal(tui_take_notice(h->tui, &nowhere, 1).text, text);
}

static const struct question_notice notice = {
	.question_id = {"q_GGGGGGGGGG", 12},
	.prompt = {"Ship the release today?\n\nIt has been tested.", 44},
};

INBOX_TEST(test_a_new_question_is_called_out_at_home, h)
{
	const struct replica nowhere = {.is_nowhere = true};
	tui_take_question_notice(h->tui, h->none, &notice);
	assert_says(h, "New question: Ship the release today? It has been tested.");
	assert_string_equal(tui_take_notice(h->tui, &nowhere, 1).text,
			    "New question: Ship the release today? It has been tested.");
	(void)type(h, ":set notify off\n");
	tui_take_question_notice(h->tui, h->none, &notice);
	assert_null(tui_take_notice(h->tui, &nowhere, 100000).text);
}

INBOX_TEST(test_a_new_question_is_called_out_in_the_inbox, h)
{
	(void)key(h, 'i');
	tui_take_question_notice(h->tui, h->none, &notice);
	assert_says(h, "New question: Ship the release today? It has been tested.");
	(void)key(h, TUI_KEY_ENTER);
	tui_take_question_notice(h->tui, h->none, &notice);
	assert_says(h, "New question: Ship the release today? It has been tested.");
}

static void take_notice(struct tui *t)
{
	static const struct replica room = {.is_nowhere = false};
	tui_take_question_notice(t, &room, &notice);
}

TEST(test_a_new_question_is_a_quiet_line_in_a_room)
{
	struct a_room a;
	a_room_init(&a, "Sprint 42");
	a_room_seat(&a, "Ada", IS_HOST, "5");
	a_room_seat(&a, "me", IS_ME, NULL);
	assert_screen(&a, "question-notice", .prepare = take_notice,
		      .sizes = SIZES({80, 24}, {40, 12}));
}

/* ---- time ---- */

INBOX_TEST(test_it_changes_by_time_alone_when_a_span_does, h)
{
	assert_int_equal(tui_changes_in_ms(h->tui, h->none), -1);
	(void)type(h, "i");
	assert_int_equal(tui_changes_in_ms(h->tui, h->none), 1);
	tui_set_now(h->tui, A_NOW + 1);
	assert_int_equal(tui_changes_in_ms(h->tui, h->none), 1000);
	tui_set_now(h->tui, A_NOW + 41 * 1000);
	assert_says(h, "over");
}

/* ---- in a room ---- */

/* The same inbox from a seat in a room: the cards stay, and Escape comes back to them. */
struct from_room {
	struct an_inbox inbox;
	struct a_room room;
	struct teams teams;
};

static void from_room_open(struct from_room *x)
{
	struct tui_options o = {.inbox = &x->inbox.inbox, .teams = &x->teams};
	three_wait(&x->inbox);
	tui_destroy(x->inbox.tui);
	teams_init(&x->teams);
	x->teams.is_open = true;
	a_room_init(&x->room, "Sprint 42");
	a_room_seat(&x->room, "Ada", IS_HOST, "5");
	a_room_seat(&x->room, "me", IS_ME, NULL);
	x->inbox.none = &x->room.r;
	x->inbox.tui = tui_create(&o);
	tui_set_link(x->inbox.tui, LINK_LIVE);
	tui_set_now(x->inbox.tui, A_NOW);
}

static void from_room_close(struct from_room *x)
{
	inbox_test_close(&x->inbox);
	teams_finish(&x->teams);
}

#define FROM_ROOM_TEST(name, x) \
	TEST_OF(name, struct from_room, x, from_room_open(x), from_room_close(x))

FROM_ROOM_TEST(test_the_inbox_is_a_key_away_from_a_room, x)
{
	struct an_inbox *h = &x->inbox;
	feed_refresh(&h->inbox.lists[INBOX_WAITING]);
	(void)wants(h); /* the history beside the table, which does not count questions */
	assert_nothing(type(h, "i"));
	assert_says(h, "Inbox");
	assert_says(h, "1 of 2 voted");
	assert_request(wants(h), METHOD_QUESTION_LIST, NULL);
	(void)type(h, "\n");
	assert_says(h, "Ship the release today?");
	assert_nothing(type(h, "2"));
	assert_request(type(h, "\n"), METHOD_QUESTION_ANSWER, "question_id", "q_AAAAAAAAAA",
		       "selected_option", "1", NULL);
	(void)key(h, TUI_KEY_ESCAPE);
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "your card");
	assert_request(type(h, "2"), METHOD_ROOM_VOTE, "vote", "2", NULL);
}

FROM_ROOM_TEST(test_a_room_says_which_key_shows_a_new_question, x)
{
	struct an_inbox *h = &x->inbox;
	tui_take_question_notice(h->tui, h->none, &notice);
	assert_says(h, "It has been tested. (press i)");
	a_room_deck(&x->room, "I II III");
	tui_set_now(h->tui, A_NOW + 5000);
	tui_take_question_notice(h->tui, h->none, &notice);
	assert_says(h, "It has been tested. (type :inbox)");
}

FROM_ROOM_TEST(test_the_teams_are_a_key_away_from_a_room, x)
{
	struct an_inbox *h = &x->inbox;
	assert_nothing(type(h, "ST"));
	assert_says(h, "Teams");
	assert_request(wants(h), METHOD_GROUP_LIST, NULL);
	assert_nothing(type(h, ":create Retro\n"));
	assert_says(h, "Only at home: leave this room first");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "No stories yet");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "your card");
}

FROM_ROOM_TEST(test_a_stranger_in_a_room_is_told_to_log_in, x)
{
	x->teams.is_open = false;
	assert_nothing(type(&x->inbox, "i"));
	assert_says(&x->inbox, "Log in to see questions: aye login NAME");
	assert_nothing(type(&x->inbox, "T"));
	assert_says(&x->inbox, "Log in to use teams: aye login NAME");
}

/* The server's answer to what the screen wants to read of teams now. */
static void answer_list(struct an_inbox *h, const void *result)
{
	struct act act = wants(h);
	struct request *r = request_ref(act.request);
	feed_sent(act.feed, r);
	feed_take(act.feed, r, result);
	request_free(r);
}

/* Whoever is in one team need not open it first, and the room's people need no team. */
FROM_ROOM_TEST(test_one_member_of_the_only_team_or_of_the_room_is_asked_by_name, x)
{
	struct an_inbox *h = &x->inbox;
	struct group_entry only = {.group_id = SLICE("g_AAAAAAAAAA"),
				   .group_name = SLICE("Platform"),
				   .role = GROUP_MEMBER};
	struct group_user grace = {.user_id = SLICE("u_2"), .user_name = SLICE("Grace")};
	(void)wants(h);
	(void)type(h, "ia");
	answer_list(h, &(struct group_list_result){.groups = &only, .groups_n = 1});
	answer_list(h, &(struct group_users_result){.users = &grace, .users_n = 1, .version = 1});
	(void)type(h, "Ship it?\n:ask-to grace\n");
	assert_request(key(h, CTRL_S), METHOD_QUESTION_ASK, "group_id", "g_AAAAAAAAAA", "user_id",
		       "u_2", "room_id", "(absent)", NULL);
	(void)type(h, ":ask-to ada\n");
	assert_request(key(h, CTRL_S), METHOD_QUESTION_ASK, "room_id", x->room.r.room_id, "user_id",
		       "u00", "group_id", "(absent)", NULL);
	(void)type(h, ":ask-to me\n");
	assert_says(h, "No such team, member or room");
}

/* What is opened over the list of stories leads back to the story that was in focus there. */
FROM_ROOM_TEST(test_the_inbox_and_the_teams_lead_back_to_the_stories, x)
{
	struct an_inbox *h = &x->inbox;
	a_room_story(&x->room, "Refund", STORY_TODO, NULL);
	a_room_story(&x->room, "Login", STORY_TODO, NULL);
	(void)type(h, "S");
	(void)key(h, TUI_KEY_DOWN);
	(void)type(h, "i");
	assert_says(h, "Inbox");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "Stories");
	assert_says(h, ">  2  Login");
	(void)type(h, "i");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "your card");
	(void)type(h, "i");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "your card");
}

FROM_ROOM_TEST(test_from_every_page_the_inbox_and_the_teams_lead_back_to_it, x)
{
	static const struct {
		const char *keys, *says;
	} pages[] = {{"", "your card"}, {"S", "Stories"},	 {"Z", "Summary"},
		     {"SZ", "Summary"}, {"P", "Rules"},		 {"h", "History"},
		     {"o", "Settings"}, {"O", "Share your own"}, {"v", "Refund"},
		     {"?", " Keys"}};
	struct an_inbox *h = &x->inbox;
	x->room.r.room.story_id = a_room_story(&x->room, "Refund", STORY_VOTING, NULL)->story_id;
	tui_set_place(h->tui, &(struct invite_place){.is_own = true});
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		(void)type(h, pages[i].keys);
		assert_says(h, pages[i].says);
		(void)type(h, "i");
		assert_says(h, "Inbox");
		(void)key(h, TUI_KEY_ESCAPE);
		assert_says(h, pages[i].says);
		(void)type(h, "T");
		assert_says(h, " Teams\n");
		(void)key(h, TUI_KEY_ESCAPE);
		assert_says(h, pages[i].says);
		(void)key(h, TUI_KEY_ESCAPE);
		(void)key(h, TUI_KEY_ESCAPE);
	}
}

/* Whoever goes to and fro comes back by as many steps as there are pages. */
FROM_ROOM_TEST(test_no_page_lies_below_itself, x)
{
	struct an_inbox *h = &x->inbox;
	(void)type(h, "iTiTi");
	(void)key(h, TUI_KEY_TAB);
	(void)type(h, "TiTi");
	(void)key(h, TUI_KEY_TAB);
	(void)type(h, "T");
	assert_says(h, " Teams\n");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "Your questions");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "Inbox");
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "your card");
}
