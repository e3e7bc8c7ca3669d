/*
 * test_export_tracker.c - what a tracker gets of a room.
 */
#include "tests/unit/client/export_desk.h"

#include "client/formats/import/stories_import.h"

TEST(test_jira_gets_its_columns_and_links_of_keys)
{
	struct desk d;
	struct arena arena = {0};
	struct stories_import got;
	struct slice cards[] = {SLICE("\xc2\xbd"), SLICE("5")};
	desk_open(&d);
	desk_keep(&d, 4, 0);
	put_story(&d, 0, "PAY-1", "Pay, by card", "5", NULL);
	put_story(&d, 1, "#12", "Refund", "\xc2\xbd", "https://x.example/own");
	put_story(&d, 2, NULL, "Sign in", "XL", NULL);
	put_story(&d, 3, "PAY-4", "=1+1", NULL, NULL);
	d.room.room.link_template = SLICE("https://x.example/browse/{key}");
	const char *text = desk_write(&d, EXPORT_JIRA);
	assert_string_equal(text, "Issue key,Summary,Story Points,Link,Description\r\n"
				  "PAY-1,\"Pay, by card\",5,https://x.example/browse/PAY-1,\r\n"
				  "#12,Refund,0.5,https://x.example/own,\r\n"
				  ",Sign in,,,\r\n"
				  "PAY-4,'=1+1,,https://x.example/browse/PAY-4,\r\n");
	stories_import_read(slice_str(text), IMPORT_GUESS, (struct slices){cards, 2}, &arena, &got);
	assert_int_equal(got.stories_n, 4);
	assert_string_equal(got.stories[0].key.data, "PAY-1");
	assert_int_equal(got.stories[0].status, STORY_DONE);
	assert_string_equal(got.stories[1].estimate.data, "\xc2\xbd");
	assert_string_equal(got.stories[3].title.data, "=1+1");
	arena_finish(&arena);
	desk_close(&d);
}

/* PAY-1 settled here; #12 and a story without a key as well; PAY-4 imported with its estimate; PAY-5 voted on, not settled. */
static void desk_of_a_sprint(struct desk *d, const char *estimate)
{
	struct round_view rounds[4];
	desk_open(d);
	desk_keep(d, 5, 0);
	d->x.is_all = false;
	put_story(d, 0, "PAY-1", "Pay, by card", "5", "https://x.example/own");
	put_story(d, 1, "#12", "Refund", estimate, "https://github.com/o/r/issues/12");
	put_story(d, 2, NULL, "Sign in", "3", NULL);
	put_story(d, 3, "PAY-4", "=1+1", "8", NULL);
	put_story(d, 4, "PAY-5", "Receipts", "2", NULL);
	for (size_t i = 0; i < 4; i++) {
		bool is_settled = i < 3;
		rounds[i] = (struct round_view){
			.n = (int64_t)(4 - i),
			.story_id = replica_story_at(&d->room, is_settled ? i : 4)->story_id,
			.outcome = is_settled ? SLICE("5") : (struct slice){0},
			.with_outcome = is_settled,
			.result = {.votes = 7,
				   .average = 9.142857143,
				   .with_average = true,
				   .median = 5,
				   .agreement_percent = 43,
				   .mode = SLICE("5"),
				   .lowest = SLICE("3"),
				   .highest = SLICE("20")},
		};
	}
	take_rounds(&d->x, rounds, 4);
}

static void leaves_out(const struct desk *d, enum export_format format, size_t written,
		       size_t without_key, size_t without_number)
{
	struct buf out;
	buf_init(&out, 1u << 20);
	struct export_left left = export_write(&d->x, format, &out);
	buf_finish(&out);
	assert_int_equal(left.written, written);
	assert_int_equal(left.without_key, without_key);
	assert_int_equal(left.without_number, without_number);
}

TEST(test_a_tracker_gets_what_was_settled_here_and_nothing_that_clears_a_field)
{
	struct desk d;
	desk_of_a_sprint(&d, "\xc2\xbd");
	assert_string_equal(desk_write(&d, EXPORT_JIRA), "Issue key,Story Points,Summary\r\n"
							 "PAY-1,5,\"Pay, by card\"\r\n"
							 "#12,0.5,Refund\r\n");
	leaves_out(&d, EXPORT_JIRA, 2, 1, 0);
	assert_string_equal(desk_write(&d, EXPORT_GITHUB),
			    "https://github.com/o/r/issues/12\t\xc2\xbd\tRefund\n");
	leaves_out(&d, EXPORT_GITHUB, 1, 2, 0);
	assert_string_equal(desk_write(&d, EXPORT_GITLAB), "");
	leaves_out(&d, EXPORT_GITLAB, 0, 2, 1);
	d.x.is_all = true;
	leaves_out(&d, EXPORT_GITHUB, 1, 4, 0);
	put_story(&d, 0, "#11", "Pay, by card", "",
		  NULL); /* not settled: nothing to tell, and nothing amiss */
	leaves_out(&d, EXPORT_GITHUB, 1, 3, 0);
	desk_close(&d);
	desk_of_a_sprint(&d, "XL");
	leaves_out(&d, EXPORT_JIRA, 1, 1, 1);
	desk_close(&d);
	desk_of_a_sprint(&d, "8");
	assert_string_equal(desk_write(&d, EXPORT_GITLAB), "12\t8\tRefund\n");
	desk_close(&d);
}

/* A link may lead to what was decided before, and the estimate is not for that one. */
TEST(test_an_estimate_goes_to_the_issue_of_its_key_wherever_its_link_leads)
{
	struct desk d;
	desk_of_a_sprint(&d, "8");
	put_story(&d, 1, "#12", "Refund", "8", "https://github.com/o/r/issues/7");
	assert_string_equal(desk_write(&d, EXPORT_GITHUB), "12\t8\tRefund\n");
	desk_close(&d);
}

TEST(test_csv_has_what_was_settled_here_with_its_result)
{
	struct desk d;
	desk_of_a_sprint(&d, "8");
	assert_string_equal(desk_write(&d, EXPORT_CSV),
			    "key,title,estimate,rounds,votes,average,median,mode,"
			    "agreement_percent,lowest,highest\r\n"
			    "PAY-1,\"Pay, by card\",5,1,7,9.14,5,5,43,3,20\r\n"
			    "#12,Refund,8,1,7,9.14,5,5,43,3,20\r\n"
			    ",Sign in,3,1,7,9.14,5,5,43,3,20\r\n");
	desk_close(&d);
}

TEST(test_what_a_tracker_gets_is_read_back)
{
	struct desk d;
	struct arena arena = {0};
	struct stories_import got;
	desk_of_a_sprint(&d, "8");
	put_story(&d, 0, "PAY-1", "=1+1", "5", NULL);
	const char *text = desk_write(&d, EXPORT_JIRA);
	stories_import_read(slice_str(text), IMPORT_GUESS, (struct slices){0}, &arena, &got);
	assert_int_equal(got.stories_n, 2);
	assert_string_equal(got.stories[0].title.data, "=1+1");
	assert_string_equal(got.stories[0].estimate.data, "5");
	arena_finish(&arena);
	desk_close(&d);
}
