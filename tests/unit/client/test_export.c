/*
 * test_export.c - CSV, JSON and statistics of a room, whatever its members call themselves.
 */
#include "tests/unit/client/export_desk.h"

#include "client/formats/import/stories_import.h"
#include "proto/link.h"
#include "proto/text/utc_time.h"

static bool same_text(struct slice got, const char *sent)
{
	return slice_eq(got, slice_str(sent));
}

/* But for links that are no web addresses, of which the remarks are. */
static void comes_back(struct desk *d, enum export_format format)
{
	struct arena arena = {0};
	struct stories_import got;
	struct slice text = slice_str(desk_write(d, format));
	stories_import_read(text, IMPORT_GUESS, (struct slices){0}, &arena, &got);
	size_t left_out = 0;
	assert_int_equal(got.stories_n, d->room.stories.n);
	for (size_t i = 0; i < got.stories_n; i++) {
		const struct story_view *s = replica_story_at(&d->room, i);
		assert_true(slice_eq(got.stories[i].key, s->key));
		assert_true(same_text(got.stories[i].title, s->title.data));
		bool is_web = s->link.len == 0 || link_is_web(s->link);
		left_out += !is_web;
		assert_true(same_text(got.stories[i].link, is_web ? s->link.data : ""));
		assert_true(same_text(got.stories[i].description, s->description.data));
		assert_true(same_text(got.stories[i].estimate, s->estimate.data));
		assert_int_equal(got.stories[i].status, s->status);
	}
	assert_int_equal(got.remarks_n, left_out);
	arena_finish(&arena);
}

TEST(test_csv_and_json_come_back_as_they_were)
{
	struct desk d;
	desk_open(&d);
	comes_back(&d, EXPORT_CSV);
	comes_back(&d, EXPORT_JSON);
	desk_close(&d);
}

/* As its rows have it: what is nil or none is left out, and what nobody may know is not said. */
TEST(test_json_has_what_the_records_have)
{
	struct desk d;
	desk_open(&d);
	d.room.room.policy.hide_who_voted = true;
	((struct user_view *)d.room.users.items[1])->has_vote = true;
	const char *text = desk_write(&d, EXPORT_JSON);
	assert_non_null(strstr(text, "\"title\": \"<b>Sprint</b>\""));
	assert_non_null(strstr(text, "\"valid_sizes\": [\n    \"5\",\n    \"8\"\n  ]"));
	assert_non_null(strstr(text, "\"who_edits_data\": \"members\""));
	assert_non_null(strstr(text, "\"estimated_at_once\": 0"));
	assert_null(strstr(text, "null"));
	assert_null(strstr(text, "has_vote"));
	assert_null(strstr(text, "confidence\": 0"));
	d.room.room.policy.hide_who_voted = false;
	assert_non_null(strstr(desk_write(&d, EXPORT_JSON), "\"has_vote\": true"));
	desk_close(&d);
}

TEST(test_no_cell_of_the_csv_is_a_formula)
{
	struct desk d;
	desk_open(&d);
	const char *text = desk_write(&d, EXPORT_CSV);
	for (const char *at = text; *at != '\0'; at++) {
		bool begins = at == text || strchr(",\"\n", at[-1]) != NULL;
		bool may_be = begins && strchr("=+@\t", *at) != NULL;
		/* Inside quotes a line or a quoted quote may have it: then it is no cell's begin.
		 */
		assert_false(may_be && (at == text || at[-1] == ','));
	}
	assert_non_null(strstr(text, ",'=1+1,"));
	assert_non_null(strstr(text, ",''=1,"));
	desk_close(&d);
}

/* The first line of a text, without its end. */
static void assert_first_line(const char *text, const char *line)
{
	assert_int_equal(strcspn(text, "\r"), strlen(line));
	assert_memory_equal(text, line, strlen(line));
}

static size_t count_lines(const char *text)
{
	size_t n = 0;
	for (; *text != '\0'; text++) {
		n += text[0] == '\r' && text[1] == '\n';
	}
	return n;
}

TEST(test_each_csv_has_one_kind_of_row)
{
	struct desk d;
	desk_open(&d);
	desk_keep(&d, 2, 2);
	const char *text = desk_write(&d, EXPORT_CSV);
	assert_first_line(text,
			  "key,title,estimate,status,link,description,rounds,votes,average,median,"
			  "mode,agreement_percent,lowest,highest");
	assert_int_equal(count_lines(text), 3);
	d.x.is_votes = true;
	text = desk_write(&d, EXPORT_CSV);
	assert_first_line(text,
			  "round,story_key,story_title,started_at,revealed_at,username,role,"
			  "is_bot,vote,comment,confidence,is_changed,votes,average,median,mode,"
			  "agreement_percent,lowest,highest,outcome");
	assert_int_equal(count_lines(text), 3);
	assert_non_null(strstr(text, ",voter,no,5,"));
	desk_rounds(&d);
	assert_non_null(strstr(desk_write(&d, EXPORT_CSV), ",2000-02-29T00:00:30Z,"));
	desk_close(&d);
}

TEST(test_every_value_of_a_round_is_in_its_own_column)
{
	struct desk d;
	desk_open(&d);
	desk_take_distinct(&d);
	assert_string_equal(desk_write(&d, EXPORT_CSV),
			    "key,title,estimate,status,link,description,rounds,votes,average,"
			    "median,mode,agreement_percent,lowest,highest\r\n"
			    "PAY-1,Pay,8,skipped,https://x.example/1,by card,2,6,7.5,5.5,5,67,2,"
			    "20\r\n");
	d.x.is_votes = true;
	const char *text = desk_write(&d, EXPORT_CSV);
	assert_non_null(strstr(text,
			       "\r\n7,PAY-1,Pay,2000-02-28T01:06:40Z,2000-02-28T01:06:41Z,,,,,"
			       ",,,1,1,1,,100,,,\r\n"
			       "9,PAY-1,Pay,2000-02-29T00:00:00Z,2000-02-29T00:00:30Z,Ada,"
			       "voter,yes,13,cards,,no,6,7.5,5.5,5,67,2,20,8\r\n"
			       "9,PAY-1,Pay,2000-02-29T00:00:00Z,2000-02-29T00:00:30Z,Grace,"
			       "spectator,no,3,,4,yes,6,7.5,5.5,5,67,2,20,8\r\n"));
	desk_close(&d);
}

TEST(test_times_are_of_the_gregorian_calendar)
{
	static const struct {
		int64_t at_ms;
		const char *text;
	} vectors[] = {
		{0, ""},
		{-5, ""},
		{1000, "1970-01-01T00:00:01Z"},
		{951782400000, "2000-02-29T00:00:00Z"},
		{951868799999, "2000-02-29T23:59:59Z"},
		{951868800000, "2000-03-01T00:00:00Z"},
		{1709164800000, "2024-02-29T00:00:00Z"},
		{1735689599000, "2024-12-31T23:59:59Z"},
		{4107542400000, "2100-03-01T00:00:00Z"},
		{253402300799000, "9999-12-31T23:59:59Z"},
		{253402300800000, ""},
	};
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		char out[UTC_TIME_CHARS + 1];
		assert_string_equal(utc_time(vectors[i].at_ms, out), vectors[i].text);
	}
}

TEST(test_statistics_count_what_happened)
{
	struct desk d;
	struct export_stats s;
	desk_open(&d);
	for (size_t i = 0; i < HOSTILE_N; i++) {
		((struct story_view *)d.room.stories.items[i])->status = i < 2	 ? STORY_DONE
									 : i < 7 ? STORY_SKIPPED
									 : i < 8 ? STORY_VOTING
										 : STORY_TODO;
	}
	((struct round_view *)d.x.rounds.items[0])->result.agreement_percent = 43;
	((struct round_view *)d.x.rounds.items[1])->result.votes = 0;
	((struct round_view *)d.x.rounds.items[2])->votes_n = 0;
	export_count(&d.x, &s);
	assert_int_equal(s.stories, HOSTILE_N);
	assert_int_equal(s.done, 2);
	assert_int_equal(s.skipped, 5);
	assert_int_equal(s.todo, HOSTILE_N - 7);
	assert_int_equal(s.estimated_at_once, 0);
	assert_int_equal(s.rounds, HOSTILE_N);
	assert_int_equal(s.votes, HOSTILE_N - 1);
	assert_int_equal(s.agreement_percent, 97); /* of eighteen rounds, one of 43 % */
	assert_int_equal(s.voting_ms, 30000 * (int64_t)HOSTILE_N);
	assert_non_null(strstr(desk_write(&d, EXPORT_TEXT),
			       "\nStories: 19 (2 done, 12 to do, 5 skipped), "));
	assert_true(s.with_points);
	desk_close(&d);
}

/* As where stories are open together. */
TEST(test_the_time_of_rounds_that_overlap_counts_once)
{
	static const struct {
		int64_t from, to;
	} rounds[] = {{500, 600}, {100, 300}, {700, 0},	 {200, 250},
		      {250, 400}, {100, 150}, {600, 610}};
	enum { ROUNDS_N = sizeof(rounds) / sizeof(rounds[0]) };
	struct desk d;
	struct export_stats s;
	desk_open(&d);
	size_t all = d.x.rounds.n;
	d.x.rounds.n = ROUNDS_N;
	for (size_t i = 0; i < ROUNDS_N; i++) {
		struct round_view *r = d.x.rounds.items[i];
		r->started_at = rounds[i].from;
		r->revealed_at = rounds[i].to;
	}
	export_count(&d.x, &s);
	assert_int_equal(s.voting_ms, 300 + 110);
	d.x.rounds.n = 0;
	export_count(&d.x, &s);
	assert_int_equal(s.voting_ms, 0);
	d.x.rounds.n = all;
	desk_close(&d);
}

TEST(test_softened_rounds_have_nothing_that_moves_a_terminal)
{
	struct round_vote vote = {.vote = SLICE("5"),
				  .username = SLICE("A\033[2Jda"),
				  .comment = SLICE("x\007\xe2\x80\xaey"),
				  .with_comment = true};
	struct round_view round = {.n = 1,
				   .story = SLICE("\033]0;t\007"),
				   .votes = &vote,
				   .votes_n = 1};
	struct desk d;
	desk_open(&d);
	take_rounds(&d.x, &round, 1);
	const char *text = desk_write(&d, EXPORT_TEXT);
	assert_null(strpbrk(text, "\033\007"));
	assert_null(strstr(text, "\xe2\x80\xae"));
	desk_close(&d);
}
