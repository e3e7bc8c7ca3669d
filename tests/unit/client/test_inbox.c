/*
 * test_inbox.c - the questions that wait: lists from pages, one that is open, and the answer to
 * it, which is a draft until the server has taken it.
 */
#include "client/model/questions/inbox.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_question.h"

#define INBOX_TEST(name, in) TEST_OF(name, struct inbox, in, inbox_init(in), inbox_finish(in))

static void take(struct inbox *in, enum inbox_which which, const char *ids, const char *cursor)
{
	struct question_view views[8];
	char names[8][2] = {""};
	size_t n = 0;
	for (; ids[n] != '\0'; n++) {
		names[n][0] = ids[n];
		views[n] = a_choice(names[n], "Ship the release today?");
	}
	struct question_list_result page = {.questions = views,
					    .questions_n = n,
					    .cursor = slice_str(cursor)};
	struct feed *list = &in->lists[which];
	if (list->read == FEED_IDLE) {
		feed_refresh(list);
	}
	list->read = FEED_WANTED; /* also where it is on its way: this is its answer */
	struct request *r = feed_ask(list);
	feed_sent(list, r);
	feed_take(list, r, &page);
	request_free(r);
}

static void assert_waits(const struct inbox *in, const char *ids)
{
	assert_int_equal(inbox_waiting(in), strlen(ids));
	for (size_t i = 0; ids[i] != '\0'; i++) {
		const struct question_view *q = in->lists[INBOX_WAITING].rows.items[i];
		assert_int_equal(q->question_id.data[0], ids[i]);
	}
}

static void open_row(struct inbox *in, size_t at)
{
	inbox_open(in, in->lists[INBOX_WAITING].rows.items[at]);
}

static void assert_next(const struct inbox *in, const char *id)
{
	assert_string_equal(inbox_next(in)->question_id.data, id);
}

/* ---- lists ---- */

INBOX_TEST(test_a_list_is_wanted_read_and_wanted_again, in)
{
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_WANTED);
	assert_false(in->lists[INBOX_WAITING].is_known);
	take(in, INBOX_WAITING, "ab", "");
	assert_waits(in, "ab");
	assert_true(in->lists[INBOX_WAITING].is_known);
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_IDLE);
	feed_refresh(&in->lists[INBOX_WAITING]);
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_WANTED);
	take(in, INBOX_WAITING, "c", "");
	assert_waits(in, "c");
	assert_int_equal(in->lists[INBOX_MINE].rows.n, 0);
}

INBOX_TEST(test_short_pages_are_put_together_before_any_of_them_is_shown, in)
{
	take(in, INBOX_WAITING, "xyz", "");
	take(in, INBOX_WAITING, "ab", "next");
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_WANTED);
	assert_string_equal(in->lists[INBOX_WAITING].cursor, "next");
	assert_waits(in, "xyz");
	take(in, INBOX_WAITING, "bc", ""); /* one is on both, as a question was asked meanwhile */
	assert_waits(in, "abc");
	assert_null(in->lists[INBOX_WAITING].cursor);
	assert_false(in->lists[INBOX_WAITING].has_more);
}

INBOX_TEST(test_pages_without_an_end_are_read_up_to_a_number, in)
{
	for (int i = 1; i < INBOX_PAGES_MAX; i++) {
		take(in, INBOX_WAITING, "a", "next");
		assert_int_equal(in->lists[INBOX_WAITING].read, FEED_WANTED);
	}
	take(in, INBOX_WAITING, "b", "next");
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_IDLE);
	assert_true(in->lists[INBOX_WAITING].has_more);
	assert_waits(in, "ab");
}

INBOX_TEST(test_a_list_that_changes_while_it_is_read_is_read_again_before_it_is_shown, in)
{
	take(in, INBOX_WAITING, "ab", "");
	open_row(in, 0);
	in->lists[INBOX_WAITING].read = FEED_ASKED;
	inbox_drop(in, in->question->question_id);
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_ASKED);
	take(in, INBOX_WAITING, "ab", "");
	assert_waits(in, "b");
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_WANTED);
	take(in, INBOX_WAITING, "bc", "");
	assert_waits(in, "bc");
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_IDLE);
}

INBOX_TEST(test_what_is_lost_on_the_way_is_wanted_from_the_first_page_on, in)
{
	take(in, INBOX_WAITING, "a", "");
	take(in, INBOX_WAITING, "b", "next");
	inbox_lost(in);
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_WANTED);
	assert_null(in->lists[INBOX_WAITING].cursor);
	assert_waits(in, "a");
	take(in, INBOX_WAITING, "c", "");
	assert_waits(in, "c");
}

/* ---- the open question and its answer ---- */

INBOX_TEST(test_an_answer_takes_its_question_off_the_list_and_the_next_one_follows, in)
{
	take(in, INBOX_WAITING, "abc", "");
	open_row(in, 1);
	assert_true(inbox_is_answerable(in));
	assert_next(in, "c");
	inbox_take_answer(in, SLICE("b"));
	assert_waits(in, "ac");
	assert_false(inbox_is_answerable(in));
	assert_next(in, "c");
	assert_string_equal(in->answered->question_id.data, "b");
	inbox_open(in, inbox_next(in));
	assert_next(in, "a");
	inbox_drop(in, SLICE("c"));
	inbox_drop(in, SLICE("a"));
	assert_null(inbox_next(in));
}

INBOX_TEST(test_a_draft_outlives_the_page_it_is_written_on, in)
{
	take(in, INBOX_WAITING, "ab", "");
	open_row(in, 0);
	struct question_answer_params draft = inbox_draft(in);
	assert_string_equal(draft.question_id.data, "a");
	assert_false(draft.with_selected_option);
	draft.selected_option = 2;
	draft.with_selected_option = true;
	inbox_keep(in, &draft);
	draft = inbox_draft(in);
	draft.comment = SLICE("tested");
	draft.with_comment = true;
	inbox_keep(in, &draft);
	open_row(in, 1);
	assert_false(inbox_draft(in).with_selected_option);
	inbox_close(in);
	open_row(in, 0);
	assert_int_equal(inbox_draft(in).selected_option, 2);
	assert_string_equal(inbox_draft(in).comment.data, "tested");
	inbox_drop(in, SLICE("a"));
	assert_false(inbox_draft(in).with_selected_option);
}

INBOX_TEST(test_while_an_answer_is_on_its_way_its_question_takes_no_other, in)
{
	take(in, INBOX_WAITING, "ab", "");
	open_row(in, 0);
	inbox_send(in, "a");
	assert_true(inbox_is_sending(in));
	assert_false(inbox_is_answerable(in));
	inbox_lost(in);
	assert_true(inbox_is_sending(in));
	open_row(in, 1);
	assert_false(inbox_is_sending(in));
	open_row(in, 0);
	inbox_send(in, NULL);
	assert_true(inbox_is_answerable(in));
}

INBOX_TEST(test_what_was_written_for_a_question_that_has_ended_stays_to_be_read, in)
{
	take(in, INBOX_WAITING, "ab", "");
	open_row(in, 0);
	struct question_answer_params draft = inbox_draft(in);
	draft.answer = SLICE("in vain");
	draft.with_answer = true;
	inbox_keep(in, &draft);
	inbox_bar(in, SLICE("a"));
	assert_waits(in, "b");
	assert_false(inbox_is_answerable(in));
	assert_string_equal(inbox_draft(in).answer.data, "in vain");
	assert_int_equal(in->lists[INBOX_WAITING].read, FEED_WANTED);
}

/* ---- its responses ---- */

INBOX_TEST(test_pages_of_responses_are_one_behind_the_other, in)
{
	struct response_view first[] = {{.answer = SLICE("one"), .with_answer = true}};
	struct response_view second[] = {{.answer = SLICE("two"), .with_answer = true},
					 {.answer = SLICE("three"), .with_answer = true}};
	struct question_get_result r = {.question = a_question("a", "What would you change?"),
					.cursor = SLICE("next")};
	inbox_open(in, &r.question);
	r.question.responses = first;
	r.question.responses_n = 1;
	inbox_take_question(in, &r);
	assert_int_equal(in->read, FEED_WANTED);
	assert_string_equal(in->cursor, "next");
	r.question.responses = second;
	r.question.responses_n = 2;
	r.cursor = SLICE("");
	inbox_take_question(in, &r);
	assert_int_equal(in->read, FEED_IDLE);
	assert_int_equal(in->question->responses_n, 3);
	assert_string_equal(in->question->responses[2].answer.data, "three");
	inbox_take_question(in, &r); /* read anew */
	assert_int_equal(in->question->responses_n, 2);
	r.question.question_id = SLICE("b");
	inbox_take_question(in, &r); /* another one is open by now */
	assert_string_equal(in->question->question_id.data, "a");
}

INBOX_TEST(test_a_page_that_says_that_it_is_not_the_last_ends_all_the_same, in)
{
	static struct response_view full[MAX_QUESTION_RESPONSES];
	struct question_get_result r = {.question = a_question("a", "What would you change?"),
					.cursor = SLICE("next")};
	inbox_open(in, &r.question);
	r.question.responses = full;
	r.question.responses_n = MAX_QUESTION_RESPONSES;
	inbox_take_question(in, &r);
	assert_int_equal(in->read, FEED_IDLE);
	assert_null(in->cursor);
}
