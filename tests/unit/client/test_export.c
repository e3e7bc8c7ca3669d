/*
 * test_export.c - what is written of a room, whatever its members call themselves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/formats/export.h"
#include "client/formats/stories_import.h"
#include "proto/link.h"
#include "proto/text/utc_time.h"
#include "tests/support/test.h"

/* Names, titles, notes and links that would be something else where they are written. */
static const char *const hostile[] = {
	"<script>alert(1)</script>",
	"\"><img src=x onerror=alert(1)>",
	"' onmouseover='alert(1)",
	"</td></tr></table><h1>",
	"</title><style>*{display:none}</style>",
	"<!-- -->",
	"&lt;b&gt; & &#60;",
	"a | b | c",
	"`code` *bold* _it_ [x](y) ![z](w) #1 ~s~ $m$",
	"@everyone",
	"=1+1",
	"+1",
	"-1",
	"@SUM(A1)",
	"'=1",
	"''@x",
	"\"quoted\", with comma; and semicolon",
	"\\",
	"|",
};
#define HOSTILE_N (sizeof(hostile) / sizeof(hostile[0]))

struct desk {
	struct replica room;
	struct round_vote votes[HOSTILE_N];
	struct export_room x;
	struct buf out;
};

static struct story_view desk_story(size_t i, char ids[][4])
{
	static const enum story_status statuses[] = {STORY_TODO, STORY_DONE, STORY_SKIPPED};
	ids[i][0] = 'S';
	ids[i][1] = (char)('a' + i);
	return (struct story_view){
		.story_id = slice_of(ids[i], 2),
		.rank = slice_of(ids[i] + 1, 1),
		.title = slice_str(hostile[i]),
		.link = slice_str(i % 2 == 0 ? hostile[i] : "https://x.example/?a=<b>&c='\"|d"),
		.with_link = i % 3 != 0,
		.description = slice_str(i % 2 == 0 ? "- one\n= two\n" : hostile[i]),
		.with_description = i % 4 != 0,
		.status = statuses[i % 3],
		.estimate = slice_str(i % 2 == 0 ? "5" : "-1"),
		.with_estimate = i % 5 != 0,
	};
}

/* The newest first. */
static void take_rounds(struct export_room *x, struct round_view *rounds, size_t n)
{
	struct round_list_result page = {.rounds = rounds, .rounds_n = n};
	round_history_finish(&x->rounds);
	round_history_take(&x->rounds, &page, true);
}

static void desk_rounds(struct desk *d)
{
	struct round_view rounds[HOSTILE_N];
	for (size_t i = 0; i < HOSTILE_N; i++) {
		d->votes[i] = (struct round_vote){
			.vote = SLICE("5"),
			.username = slice_str(hostile[i]),
			.with_username = true,
			.role = ROLE_VOTER,
			.comment = slice_str(hostile[HOSTILE_N - 1 - i]),
			.with_comment = true,
		};
		rounds[HOSTILE_N - 1 - i] = (struct round_view){
			.n = (int64_t)i + 1,
			.story = slice_str(hostile[i]),
			.started_at = 951782400000 + (int64_t)i * 60000,
			.revealed_at = 951782400000 + (int64_t)i * 60000 + 30000,
			.votes = &d->votes[i],
			.votes_n = 1,
			.result = {.votes = 1,
				   .average = 5,
				   .with_average = true,
				   .median = 5,
				   .with_median = true,
				   .agreement_percent = 100},
		};
	}
	d->x.room = &d->room;
	d->x.is_all = true;
	take_rounds(&d->x, rounds, HOSTILE_N);
}

static void desk_open(struct desk *d)
{
	static struct slice cards[] = {{"5", 1}, {"8", 1}};
	static char ids[HOSTILE_N][4];
	struct story_view stories[HOSTILE_N];
	struct user_view users[HOSTILE_N];
	char names[HOSTILE_N][4];
	*d = (struct desk){0};
	buf_init(&d->out, 4u << 20);
	for (size_t i = 0; i < HOSTILE_N; i++) {
		stories[i] = desk_story(i, ids);
		names[i][0] = 'U';
		names[i][1] = (char)('a' + i);
		users[i] = (struct user_view){.user_id = slice_of(names[i], 2),
					      .username = slice_str(hostile[i]),
					      .role = ROLE_VOTER};
	}
	struct room_update u = {
		.room_id = SLICE("K7QX3M"),
		.epoch = 1,
		.since = 1,
		.version = 1,
		.full = true,
		.room = {.title = SLICE("<b>Sprint</b>"),
			 .valid_sizes = {cards, 2},
			 .round = 1,
			 .story_round = 1},
		.with_room = true,
		.users = users,
		.users_n = HOSTILE_N,
		.with_users = true,
		.stories = stories,
		.stories_n = HOSTILE_N,
		.with_stories = true,
	};
	assert_int_equal(replica_update(&d->room, &u), OK);
	desk_rounds(d);
}

static void desk_close(struct desk *d)
{
	round_history_finish(&d->x.rounds);
	replica_finish(&d->room);
	buf_finish(&d->out);
}

static const char *desk_write(struct desk *d, enum export_format format)
{
	buf_clear(&d->out);
	export_write(&d->x, format, &d->out);
	assert_int_equal(buf_append(&d->out, "", 1), OK);
	return d->out.data;
}

static void desk_keep(struct desk *d, size_t stories, size_t rounds)
{
	while (d->room.stories.n > stories) {
		(void)rows_drop(&d->room.stories,
				((struct story_view *)d->room.stories.items[0])->story_id);
	}
	while (d->x.rounds.n > rounds) {
		free(d->x.rounds.items[--d->x.rounds.n]);
	}
}

static void put_story(struct desk *d, size_t i, const char *key, const char *title,
		      const char *estimate, const char *link)
{
	struct story_view s = *replica_story_at(&d->room, i);
	s.key = slice_str(key);
	s.title = slice_str(title);
	s.estimate = slice_str(estimate);
	s.link = slice_str(link);
	s.description = (struct slice){0};
	rows_put(&d->room.stories, &s);
}

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

/* Every tag of a page, in order, must be one of ours: nothing that a member wrote opens one. */
static bool is_our_tag(const char *tag, size_t len)
{
	static const char *const ours[] = {"!DOCTYPE html",
					   "html",
					   "th",
					   "html lang=\"en\"",
					   "head",
					   "title",
					   "style",
					   "body",
					   "h1",
					   "p",
					   "h2",
					   "table",
					   "thead",
					   "tbody",
					   "tr",
					   "td",
					   "a",
					   "div",
					   "div class=\"table\"",
					   "div class=\"bar\"",
					   "b",
					   "i",
					   "th scope=\"col\""};
	tag += tag[0] == '/';
	len -= tag[-1] == '/';
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (len == strlen(ours[i]) && memcmp(tag, ours[i], len) == 0) {
			return true;
		}
	}
	if (len > 5 && memcmp(tag, "meta ", 5) == 0) {
		return true;
	}
	/* A cell: the name of its column, in letters. */
	static const char cell[] = "td data-label=\"";
	if (len > sizeof(cell) && memcmp(tag, cell, sizeof(cell) - 1) == 0) {
		size_t name = strcspn(tag + sizeof(cell) - 1, "\"<>&");
		return name > 0 && len == sizeof(cell) - 1 + name + 1;
	}
	/* A bar: a number of percent. */
	static const char bar[] = "i style=\"width:";
	if (len > sizeof(bar) && memcmp(tag, bar, sizeof(bar) - 1) == 0) {
		size_t digits = strspn(tag + sizeof(bar) - 1, "0123456789");
		return digits > 0 && len == sizeof(bar) - 1 + digits + 2 &&
		       memcmp(tag + sizeof(bar) - 1 + digits, "%\"", 2) == 0;
	}
	/* A link: one address in quotes that hold no other quote, and it is of the web. */
	static const char link[] = "a rel=\"noopener noreferrer\" href=\"http";
	return len > sizeof(link) && memcmp(tag, link, sizeof(link) - 1) == 0 &&
	       memchr(tag + sizeof(link) - 1, '"', len - (sizeof(link) - 1)) == tag + len - 1;
}

TEST(test_no_text_opens_a_tag_or_an_attribute_in_html)
{
	struct desk d;
	desk_open(&d);
	const char *page = desk_write(&d, EXPORT_HTML);
	size_t tags = 0;
	for (const char *at = strchr(page, '<'); at != NULL; at = strchr(at + 1, '<')) {
		const char *end = strchr(at, '>');
		assert_non_null(end);
		assert_true(is_our_tag(at + 1, (size_t)(end - at) - 1));
		assert_null(memchr(at + 1, '<', (size_t)(end - at) - 1));
		tags++;
	}
	assert_true(tags > 100);
	assert_null(strstr(page, "<script"));
	assert_null(strstr(page, "http-equiv=\"refresh\""));
	assert_non_null(strstr(page, "default-src 'none'"));
	assert_non_null(strstr(page, "prefers-color-scheme: dark"));
	d.x.is_live = true;
	assert_non_null(strstr(desk_write(&d, EXPORT_HTML), "http-equiv=\"refresh\""));
	desk_close(&d);
}

static const char *place_of(const char *text, const char *what)
{
	const char *at = strstr(text, what);
	assert_non_null(at);
	return at;
}

TEST(test_a_page_has_totals_then_stories_with_their_distribution_and_nobody_away)
{
	struct result_card cards[] = {{.card = SLICE("3"), .votes = 1},
				      {.card = SLICE("<b>"), .votes = 4}};
	struct round_view round = {.n = 1,
				   .story_id = SLICE("Sa"),
				   .story = SLICE("Pay"),
				   .result = {.votes = 5, .cards = cards, .cards_n = 2}};
	struct desk d;
	desk_open(&d);
	desk_keep(&d, 1, 0);
	((struct story_view *)d.room.stories.items[0])->story_id = SLICE("Sa");
	take_rounds(&d.x, &round, 1);
	((struct user_view *)d.room.users.items[0])->is_connected = true;
	((struct user_view *)d.room.users.items[0])->username = SLICE("Here");
	((struct user_view *)d.room.users.items[1])->username = SLICE("Away");
	const char *page = desk_write(&d, EXPORT_HTML);
	assert_true(place_of(page, "<p>Stories: 1") < place_of(page, "<h2>Stories"));
	assert_true(place_of(page, "<h2>Stories") < place_of(page, "<h2>Members"));
	assert_non_null(strstr(page, "<b>3</b> <i style=\"width:16%\"></i> 1</div>"
				     "<div class=\"bar\"><b>&lt;b&gt;</b> "
				     "<i style=\"width:66%\"></i> 4</div>"));
	assert_non_null(strstr(page, "<td data-label=\"Member\">Here</td>"));
	assert_null(strstr(page, "<td>")); /* a phone shows each cell behind its column's name */
	assert_null(strstr(page, "Away"));
	desk_close(&d);
}

TEST(test_markdown_has_no_escape_where_no_mark_would_be)
{
	static const char *const rows[][2] = {
		{"Pay (by card), now!", "Pay (by card), now!"},
		{"PAY-1 #2 of {3}", "PAY-1 #2 of {3}"},
		{"snake_case_name", "snake_case_name"},
		{"# no heading", "\\# no heading"},
		{"_under_ **b** ~x~", "\\_under\\_ \\*\\*b\\*\\* \\~x\\~"},
		{"![a](b) [c](d)", "\\!\\[a\\](b) \\[c\\](d)"},
		{"a|b `c` \\", "a\\|b \\`c\\` \\\\"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		desk_open(&d);
		desk_keep(&d, 1, 0);
		put_story(&d, 0, NULL, rows[i][0], NULL, NULL);
		char line[128];
		(void)snprintf(line, sizeof(line), "| 1 | %s |", rows[i][1]);
		assert_non_null(strstr(desk_write(&d, EXPORT_MARKDOWN), line));
		desk_close(&d);
	}
}

static size_t count_cells(const char *line, size_t len)
{
	size_t bars = 0;
	for (size_t i = 0; i < len; i++) {
		bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
		i += line[i] == '\\'; /* what is behind it is text */
	}
	return bars;
}

TEST(test_every_row_of_a_markdown_table_has_its_cells_and_no_markup)
{
	struct desk d;
	desk_open(&d);
	const char *text = desk_write(&d, EXPORT_MARKDOWN);
	size_t wanted = 0;
	for (const char *line = text; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		size_t cells = count_cells(line, len);
		wanted = line[0] != '|' ? 0 : wanted == 0 ? cells : wanted;
		assert_int_equal(line[0] == '|' ? cells : 0, wanted);
		line += len + 1;
	}
	assert_null(strstr(text, "<script"));
	assert_null(strstr(text, "<img"));
	assert_null(strstr(text, "@everyone"));
	assert_null(strstr(text, " `code`"));
	assert_non_null(strstr(text, "\\`code\\` \\*bold\\*"));
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

/* Two rounds on one story, the newer first; no two values of the newer are the same. */
static void desk_take_distinct(struct desk *d)
{
	struct round_vote votes[] = {
		{.vote = SLICE("13"),
		 .username = SLICE("Ada"),
		 .with_username = true,
		 .role = ROLE_VOTER,
		 .is_bot = true,
		 .comment = SLICE("cards"),
		 .with_comment = true},
		{.vote = SLICE("3"),
		 .username = SLICE("Grace"),
		 .with_username = true,
		 .role = ROLE_SPECTATOR,
		 .confidence = 4,
		 .with_confidence = true,
		 .is_changed = true},
	};
	struct round_view rounds[] = {
		{.n = 9,
		 .story_id = SLICE("Sa"),
		 .key = SLICE("PAY-1"),
		 .story = SLICE("Pay"),
		 .started_at = 951782400000,
		 .revealed_at = 951782430000,
		 .votes = votes,
		 .votes_n = 2,
		 .outcome = SLICE("8"),
		 .result = {.votes = 6,
			    .average = 7.5,
			    .with_average = true,
			    .median = 5.5,
			    .with_median = true,
			    .mode = SLICE("5"),
			    .agreement_percent = 67,
			    .lowest = SLICE("2"),
			    .highest = SLICE("20")}},
		{.n = 7,
		 .story_id = SLICE("Sa"),
		 .key = SLICE("PAY-1"),
		 .story = SLICE("Pay"),
		 .started_at = 951700000000,
		 .revealed_at = 951700001000,
		 .result = {.votes = 1,
			    .average = 1,
			    .with_average = true,
			    .median = 1,
			    .with_median = true,
			    .agreement_percent = 100}},
	};
	desk_keep(d, 1, 0);
	*(struct story_view *)d->room.stories.items[0] =
		(struct story_view){.story_id = SLICE("Sa"),
				    .key = SLICE("PAY-1"),
				    .title = SLICE("Pay"),
				    .estimate = SLICE("8"),
				    .status = STORY_SKIPPED,
				    .link = SLICE("https://x.example/1"),
				    .description = SLICE("by card")};
	take_rounds(&d->x, rounds, 2);
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

TEST(test_every_value_of_a_round_is_under_its_own_heading)
{
	struct desk d;
	desk_open(&d);
	desk_take_distinct(&d);
	const char *text = desk_write(&d, EXPORT_MARKDOWN);
	assert_non_null(strstr(text, "| \\# | Story | Estimate | Status | Rounds | Votes | "
				     "Average | Median | Agreement |\n"));
	assert_non_null(strstr(text, "\n| 1 | [PAY-1 Pay](<https://x.example/1>) | 8 | skipped | 2 "
				     "| Ada (bot) 13 (cards), Grace 3 | 7.5 | 5.5 | 67% |\n"));
	assert_non_null(strstr(text, "| Round | Story | Votes | Average | Median | Agreement | "
				     "Outcome | Revealed |\n"));
	assert_non_null(strstr(text,
			       "\n| 7 | PAY-1 Pay |  | 1 | 1 | 100% |  | "
			       "2000-02-28T01:06:41Z |\n"
			       "| 9 | PAY-1 Pay | Ada (bot) 13 (cards), Grace 3 | 7.5 | 5.5 | "
			       "67% | 8 | 2000-02-29T00:00:30Z |\n"));
	text = desk_write(&d, EXPORT_HTML);
	assert_non_null(strstr(text, "<td data-label=\"Average\">7.5</td>"
				     "<td data-label=\"Median\">5.5</td>"
				     "<td data-label=\"Agreement\">67%</td></tr>"));
	assert_non_null(strstr(text, "<td data-label=\"Agreement\">67%</td>"
				     "<td data-label=\"Outcome\">8</td>"
				     "<td data-label=\"Revealed\">2000-02-29T00:00:30Z</td></tr>"));
	text = desk_write(&d, EXPORT_TEXT);
	assert_non_null(strstr(text, "Grace 3  7.5      5.5     67%\n"));
	assert_non_null(strstr(text, "Grace 3  7.5      5.5     67%        8        2000-02-29"));
	assert_null(strstr(text, "Estimated in a single round"));
	desk_keep(&d, 1, 1);
	assert_non_null(strstr(desk_write(&d, EXPORT_TEXT), "Estimated in a single round: 1\n"));
	desk_close(&d);
}

TEST(test_the_round_that_lies_open_has_its_figures_and_its_members_theirs)
{
	struct desk d;
	desk_open(&d);
	for (size_t i = 0; i < 2; i++) {
		struct user_view *u = d.room.users.items[i];
		u->username = i == 0 ? SLICE("Ada") : SLICE("Grace");
		u->vote = i == 0 ? SLICE("3") : SLICE("5");
		u->comment = i == 0 ? SLICE("why") : (struct slice){0};
		u->is_host = i == 0;
		u->is_bot = i == 1;
		u->is_changed = i == 1;
	}
	d.room.room.round = 4;
	d.room.room.is_revealed = true;
	d.room.room.with_result = true;
	d.room.room.result = (struct room_result){.votes = 2,
						  .average = 7.5,
						  .with_average = true,
						  .median = 5.5,
						  .with_median = true,
						  .agreement_percent = 67};
	d.room.room.outcome = SLICE("8");
	const char *text = desk_write(&d, EXPORT_TEXT);
	assert_non_null(strstr(text, "\nRound 4: average 7.5, median 5.5, agreement 67%, "
				     "settled on 8\n"));
	assert_non_null(strstr(text, "\nAda (host)   3            why\n"));
	assert_non_null(strstr(text, "\nGrace (bot)  5 (changed)\n"));
	desk_close(&d);
}

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
	desk_close(&d);
	desk_of_a_sprint(&d, "XL");
	leaves_out(&d, EXPORT_JIRA, 1, 1, 1);
	desk_close(&d);
	desk_of_a_sprint(&d, "8");
	assert_string_equal(desk_write(&d, EXPORT_GITLAB), "12\t8\tRefund\n");
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
