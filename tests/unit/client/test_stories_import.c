/*
 * test_stories_import.c - what becomes a story, what does not, and on which line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/formats/import/stories_import.h"
#include "proto/text/text.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

struct reading {
	struct arena arena;
	struct stories_import got;
	struct buf told;
};

/* Stories as "line:(key) title|link|notes|estimate|status;", then remarks as "!line:text;" or "~" where a
 * part is kept. */
static const char *reading_of(struct reading *r, struct slice text, enum import_format format)
{
	*r = (struct reading){0};
	buf_init(&r->told, 1u << 20);
	struct slice cards[] = {SLICE("\xc2\xbd"), SLICE("5"), SLICE("8"), SLICE("13"), SLICE("?")};
	stories_import_read(text, format, (struct slices){cards, 5}, &r->arena, &r->got);
	for (size_t i = 0; i < r->got.stories_n; i++) {
		const struct import_story *s = &r->got.stories[i];
		(void)buf_printf(&r->told, "%zu:", s->line);
		if (s->key.len > 0) {
			(void)buf_printf(&r->told, "(%s) ", s->key.data);
		}
		(void)buf_append_slice(&r->told, s->title);
		const struct slice more[] = {s->link, s->description, s->estimate};
		for (size_t k = 0; k < 3; k++) {
			(void)buf_append(&r->told, "|", 1);
			(void)buf_append_slice(&r->told, more[k]);
		}
		(void)buf_printf(&r->told, "|%s;", words_text(&words_story_status, (int)s->status));
	}
	for (size_t i = 0; i < r->got.remarks_n; i++) {
		(void)buf_printf(&r->told, "%c%zu:%s;", r->got.remarks[i].is_skipped ? '!' : '~',
				 r->got.remarks[i].line, r->got.remarks[i].text);
	}
	(void)buf_append(&r->told, "", 1);
	return r->told.data;
}

static void reading_finish(struct reading *r)
{
	buf_finish(&r->told);
	arena_finish(&r->arena);
}

#define WIDE "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"

static const struct {
	const char *text;
	enum import_format format;
	const char *told;
} vectors[] = {
	{"", IMPORT_GUESS, ""},
	{"Login\n\n  Logout  \r\n", IMPORT_GUESS, "1:Login||||todo;3:Logout||||todo;"},
	{"Fix, then test\n", IMPORT_GUESS, "1:Fix, then test||||todo;"},
	{"\xef\xbb\xbfLogin", IMPORT_GUESS, "1:Login||||todo;"},
	{"a\x1b[31m\nb\n", IMPORT_LINES,
	 "2:b||||todo;!1:has a title with a character that may not be shown;"},
	{"a\n\xff\n", IMPORT_LINES, "1:a||||todo;!2:is not UTF-8;"},
	{WIDE WIDE WIDE WIDE "w\nb", IMPORT_LINES,
	 "2:b||||todo;!1:has a title wider than 200 columns;"},
	{"title,link\nLogin,http://x\n,y\n", IMPORT_GUESS,
	 "2:Login|http://x|||todo;!3:has no title;"},
	{"Summary,Issue key,Issue Type,Status,Description\r\n"
	 "\"Sign in, out\",AB-1,Story,In Progress,\"one\r\ntwo\"\r\n"
	 "Other,AB-2,Bug,Done,\r\n",
	 IMPORT_GUESS, "2:(AB-1) Sign in, out||one\ntwo||todo;4:(AB-2) Other||||todo;"},
	{"\xef\xbb\xbf"
	 "Summary\nA\n",
	 IMPORT_GUESS, "2:A||||todo;"},
	{"A,http://x,note\nB\n", IMPORT_CSV, "1:A|http://x|note||todo;2:B||||todo;"},
	{"title,link\nA,javascript:alert(1)\nB,\nC,x/1\n", IMPORT_CSV,
	 "2:A||||todo;3:B||||todo;4:C||||todo;~2:has a link that is not a web address; it was left "
	 "out;~4:has a link that is not a web address; it was left out;"},
	{"title,status,estimate\nA,done,5\nB,odd,\nC,voting,123456789\n", IMPORT_CSV,
	 "2:A|||5|done;3:B||||todo;4:C||||todo;~3:has a status that is not one of todo, done and "
	 "skipped; it is to do;~4:has an estimate wider than 8 columns; it was left out;"},
	{"title\n\"A\nB\n", IMPORT_CSV, "3:B||||todo;!2:a quote is never closed;"},
	{"Title;Notes\nA;b,c\n", IMPORT_GUESS, "2:A||b,c||todo;"},
	{"title\n'=x\n", IMPORT_CSV, "2:'=x||||todo;"},
	{"key,title,estimate,status\n'+1,'=x,,todo\n,''=z,8,done\n", IMPORT_GUESS,
	 "2:(+1) =x||||todo;3:'=z|||8|done;"},
	/* Jira: keys, points as it writes them, states of its own */
	{"Summary,Issue key,Issue id,Status,Custom field (Story Points),Description\n"
	 "Pay by card,PAY-101,10017,To Do,5.0,\n"
	 "Refund,PAY-103,10018,In Progress,0.5,\"h2. Why\"\n"
	 "Receipts,PAY-104,10019,Done,4.50,\n"
	 "Odd,PAY-105,10020,Done,1000000.25,\n",
	 IMPORT_GUESS,
	 "2:(PAY-101) Pay by card|||5|done;3:(PAY-103) Refund||h2. Why|\xc2\xbd|done;4:(PAY-104) "
	 "Receipts|||4.5|done;5:(PAY-105) Odd||||todo;~5:has an estimate wider than 8 columns; it "
	 "was left out;"},
	{"ID,Title,Estimate\nENG-12,Sync,8\n17,Other,\n", IMPORT_GUESS,
	 "2:(ENG-12) Sync|||8|done;3:Other||||todo;"},
	{"Issue key,Summary\n\"a key that is much too long to be one\",A\n", IMPORT_GUESS,
	 "2:A||||todo;~2:has an invalid key; it was left out;"},
	/* GitHub: its API, gh --json, gh into a pipe */
	{"[{\"number\":12,\"title\":\"Login\",\"url\":\"https://api.x/12\",\"html_url\":\"https://"
	 "x/12\","
	 "\"body\":\"one\\r\\ntwo\",\"state\":\"open\"}]",
	 IMPORT_GUESS, "1:(#12) Login|https://x/12|one\ntwo||todo;"},
	{"[{\"body\":\"\",\"number\":7,\"title\":\"A\",\"url\":\"https://x/7\"}]", IMPORT_GUESS,
	 "1:(#7) A|https://x/7|||todo;"},
	/* decimal commas, of cards of the deck, too; 1,000 is what it was */
	{"title;estimate\nA;3,5\nB;0,5\nC;1,000\nD;5,0\n", IMPORT_GUESS,
	 "2:A|||3.5|done;3:B|||\xc2\xbd|done;4:C|||1,000|done;5:D|||5|done;"},
	/* addresses, in front of titles and in links */
	{"https://github.com/o/r/issues/12\n- [ ] https://x.atlassian.net/browse/PAY-7 Refund\n"
	 "* [Sign out](https://gitlab.example/g/p/-/issues/3)\nhttps://x.example/ Receipts\n",
	 IMPORT_GUESS,
	 "1:(#12) #12|https://github.com/o/r/issues/12|||todo;"
	 "2:(PAY-7) Refund|https://x.atlassian.net/browse/PAY-7|||todo;"
	 "3:(#3) Sign out|https://gitlab.example/g/p/-/issues/3|||todo;"
	 "4:https://x.example/ Receipts||||todo;"},
	{"https://github.com/o/r/issues/12\n", IMPORT_LINES,
	 "1:https://github.com/o/r/issues/12||||todo;"},
	/* GitLab's API, and jira-cli with --raw */
	{"[{\"id\":90003,\"iid\":3,\"title\":\"A\",\"description\":\"one\",\"state\":\"opened\","
	 "\"weight\":null,\"web_url\":\"https://x/3\"},"
	 "{\"id\":90004,\"iid\":4,\"title\":\"B\",\"weight\":5}]",
	 IMPORT_GUESS, "1:(#3) A|https://x/3|one||todo;2:(#4) B|||5|done;"},
	{"[{\"key\":\"PAY-7\",\"fields\":{\"summary\":\"A\",\"description\":{\"type\":\"doc\"},"
	 "\"status\":{\"name\":\"To Do\"},\"Subtasks\":null}}]",
	 IMPORT_GUESS, "1:(PAY-7) A||||todo;"},
	{"12\tOPEN\tFix, then \"test\"\tbug, ui\t2026-01-02T03:04:05Z\n"
	 "13\tCLOSED\t\"Quoted\" at first\t\t2026-01-02T03:04:05Z\n",
	 IMPORT_GUESS, "1:(#12) Fix, then \"test\"||||todo;2:(#13) \"Quoted\" at first||||todo;"},
	{"7\tA title\tbranch\tOPEN\t2026-01-02\n", IMPORT_GUESS, "1:(#7) A title||||todo;"},
	{"TYPE\tKEY\tSUMMARY\tSTATUS\nBug\tPAY-1\tPay, by card\tTo Do\n", IMPORT_GUESS,
	 "2:(PAY-1) Pay, by card||||todo;"},
	{"KEY\tSUMMARY\nPAY-1\tA\n", IMPORT_TABS, "2:(PAY-1) A||||todo;"},
	/* Jira's API */
	{"{\"issues\":[{\"key\":\"PAY-1\",\"fields\":{\"summary\":\"Pay\",\"status\":{\"name\":"
	 "\"x\"}}}]}",
	 IMPORT_GUESS, "1:(PAY-1) Pay||||todo;"},
	/* Markdown */
	{"## Sprint\n\n- [ ] task one\n- [x] task `two`\n* **three**\n  + 3.5 \\* x\n1. four\n22) "
	 "five\n---\n",
	 IMPORT_GUESS,
	 "3:task one||||todo;4:task two||||todo;5:three||||todo;6:3.5 * x||||todo;"
	 "7:four||||todo;8:five||||todo;!1:is a heading;"},
	{"- [PAY-1](https://x/1) Pay\n- #12: [Sign](<https://x/s>) in\n- [PAY-3] Refund [a] (b)\n",
	 IMPORT_GUESS,
	 "1:(PAY-1) Pay|https://x/1|||todo;2:(#12) Sign in|https://x/s|||todo;"
	 "3:(PAY-3) Refund [a] (b)||||todo;"},
	{"| Story | Pts |\n|---|:-:|\n| A \\| b | 5 |\n| [C](https://x/c) | |\n\ntext\n",
	 IMPORT_GUESS, "3:A | b|||5|done;4:C|https://x/c|||todo;6:text||||todo;"},
	{"| A | B |\n| C | https://x/d |\n", IMPORT_GUESS, "1:A||B||todo;2:C|https://x/d|||todo;"},
	{"PAY-1 Pay by card\n#7: Sign in\n[PAY-2] Refund\nPAY-3\nutf-8 all over\n2*3 `x` \\o/\n",
	 IMPORT_GUESS,
	 "1:(PAY-1) Pay by card||||todo;2:(#7) Sign in||||todo;3:(PAY-2) Refund||||todo;"
	 "4:PAY-3||||todo;5:utf-8 all over||||todo;6:2*3 `x` \\o/||||todo;"},
	{"- a\rb\r\n- c", IMPORT_GUESS, "1:a||||todo;2:b||||todo;3:c||||todo;"},
	{"- PAY-1 Pay\n", IMPORT_LINES, "1:- PAY-1 Pay||||todo;"},
	{"[x] done\n", IMPORT_GUESS, "1:done||||todo;"},
	/* a header that is not there */
	{"PAY-1,Pay by card,\"more, of it\",https://x/1\na,b\n", IMPORT_CSV,
	 "1:(PAY-1) Pay by card|https://x/1|more, of it||todo;2:a||b||todo;"},
	{"{\"title\":\"A\",\"estimate\":5}\n\n{\"title\":\"B\",\"status\":\"skipped\"}\n",
	 IMPORT_GUESS, "1:A|||5|done;3:B||||skipped;"},
	{"{\"title\":\"A\"}\n{\"titel\":\"B\"}\n{junk\n7\n", IMPORT_GUESS,
	 "1:A||||todo;!2:has no title;!3:is not JSON;!4:is not JSON;"},
	{"[{\"title\":\"A\"},\n[],\n{\"title\":\"B\",\"notes\":\"x\\ny\"}]", IMPORT_GUESS,
	 "1:A||||todo;3:B||x\ny||todo;!2:is not a JSON object;"},
	{"{\"stories\":[{\"title\":\"A\",\"is_removed\":true},\n{\"title\":\"B\"}]}", IMPORT_GUESS,
	 "2:B||||todo;"},
	{"{\"title\":\"\\u001b\"}", IMPORT_JSON,
	 "!1:has a title with a character that may not be shown;"},
	{"{\"title\":7}", IMPORT_JSON, "1:7||||todo;"},
	{"{\"title\":\"A\",\"notes\":\"x\\u0007y\"}", IMPORT_JSON,
	 "1:A||x\xef\xbf\xbdy||todo;"
	 "~1:has a description with characters that may not be shown; they were replaced;"},
};

TEST(test_formats_become_stories_and_remarks_with_their_line)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct reading r;
		assert_string_equal(reading_of(&r, slice_str(vectors[i].text), vectors[i].format),
				    vectors[i].told);
		reading_finish(&r);
	}
}

TEST(test_a_table_without_a_header_says_so)
{
	static const struct {
		const char *text;
		enum import_format format;
		bool lacks;
	} rows[] = {{"a,b\n", IMPORT_CSV, true},
		    {"a\nb\n", IMPORT_CSV, false},
		    {"title,link\na,b\n", IMPORT_CSV, false},
		    {"| a | b |\n", IMPORT_GUESS, true},
		    {"12\tOPEN\tA\n", IMPORT_GUESS, false}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reading r;
		(void)reading_of(&r, slice_str(rows[i].text), rows[i].format);
		assert_int_equal(r.got.lacks_header, rows[i].lacks);
		reading_finish(&r);
	}
}

TEST(test_what_a_room_has_no_place_for_is_counted_and_changes_stay)
{
	struct reading r;
	struct buf text;
	struct replica room = {0};
	const struct story_view first = {.story_id = SLICE("NDS3N9YQT8"),
					 .rank = SLICE("a"),
					 .title = SLICE("One"),
					 .key = SLICE("PAY-1")};
	rows_init(&room.stories, &record_story_view, "story_id", "rank");
	rows_put(&room.stories, &first);
	buf_init(&text, 1u << 20);
	for (int i = 4999; i >= 0; i--) {
		(void)buf_printf(&text, "PAY-%d Story\n", i);
	}
	(void)reading_of(&r, buf_slice(&text), IMPORT_GUESS);
	assert_int_equal(r.got.stories_n, 5000);
	assert_int_equal(r.got.remarks_n, 0);
	assert_int_equal(stories_import_compare(&r.got, &room, &r.arena), 1);
	stories_import_fit(&r.got, &room);
	assert_int_equal(stories_import_new(&r.got), MAX_STORIES - 1);
	assert_int_equal(r.got.stories_n, MAX_STORIES);
	assert_int_equal(r.got.left_n, 4500);
	assert_int_equal(r.got.left_line, MAX_STORIES);
	assert_true(slice_eq(r.got.stories[MAX_STORIES - 1].story_id, first.story_id));
	rows_finish(&room.stories);
	buf_finish(&text);
	reading_finish(&r);
}

/* Keys in any case; a number is a key of its repository; what stands in front of a title counts. */
TEST(test_a_story_is_known_by_its_key)
{
	static const struct {
		const char *key, *title, *link; /* in the room */
		const char *text;		/* read */
		size_t known, all;
	} rows[] = {
		{"pay-1", "One", "", "key,title\nPAY-1,One\n", 1, 0},
		{"PAY-1", "One", "", "key,title\npay-1,Two\n", 1, 1},
		{"PAY-1", "One", "", "key,title\nPAY-12,One\n", 0, 1},
		{"", "PAY-1 One", "", "PAY-1 One\n", 1, 1},
		{"#12", "One", "", "[{\"number\":12,\"title\":\"One\"}]", 1, 0},
		{"#12", "One", "https://github.com/o/r/issues/12",
		 "[{\"number\":12,\"title\":\"One\"}]", 1, 0},
		{"#12", "One", "https://github.com/o/r/issues/12",
		 "[{\"number\":12,\"title\":\"One\",\"url\":\"https://github.com/o/other/issues/"
		 "12\"}]",
		 0, 1},
		{"#12", "One", "https://github.com/o/r/issues/12",
		 "[{\"number\":12,\"title\":\"Two\",\"url\":\"https://github.com/o/r/issues/12\"}]",
		 1, 1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reading r;
		struct replica room = {0};
		const struct story_view is = {.story_id = SLICE("NDS3N9YQT8"),
					      .rank = SLICE("a"),
					      .title = slice_str(rows[i].title),
					      .key = slice_str(rows[i].key),
					      .link = slice_str(rows[i].link)};
		rows_init(&room.stories, &record_story_view, "story_id", "rank");
		rows_put(&room.stories, &is);
		(void)reading_of(&r, slice_str(rows[i].text), IMPORT_GUESS);
		size_t known = stories_import_compare(&r.got, &room, &r.arena);
		if (known != rows[i].known || r.got.stories_n != rows[i].all) {
			fail_msg("row %zu: %zu known, %zu to send", i, known, r.got.stories_n);
		}
		rows_finish(&room.stories);
		reading_finish(&r);
	}
}

TEST(test_a_key_that_comes_again_is_skipped_with_the_line_it_was_on)
{
	struct reading r;
	(void)reading_of(&r, SLICE("key,title\nPAY-1,One\nPAY-2,Two\npay-1,Three\n,Four\n,Four\n"),
			 IMPORT_GUESS);
	assert_int_equal(r.got.stories_n, 4);
	assert_int_equal(r.got.remarks_n, 1);
	assert_int_equal(r.got.remarks[0].line, 4);
	assert_true(r.got.remarks[0].is_skipped);
	assert_string_equal(r.got.remarks[0].text, "has the same key as line 2");
	assert_string_equal(r.got.stories[0].title.data, "One");
	reading_finish(&r);
}

/* A word in small letters is a key where another one has it, whichever comes first. */
TEST(test_a_key_in_small_letters_is_known_by_the_one_in_capitals)
{
	struct reading r;
	(void)reading_of(&r, SLICE("pay-1 One\nPAY-1 Uno\nPay-1 Eins\nomega-3 Fish\nomega-3 Oil\n"),
			 IMPORT_GUESS);
	assert_int_equal(r.got.stories_n, 3);
	assert_int_equal(r.got.remarks_n, 2);
	assert_int_equal(r.got.remarks[0].line, 1);
	assert_string_equal(r.got.remarks[0].text, "has the same key as line 2");
	assert_int_equal(r.got.remarks[1].line, 3);
	assert_string_equal(r.got.stories[0].title.data, "Uno");
	reading_finish(&r);
}

TEST(test_what_is_no_list_of_stories_is_given_up_early)
{
	struct reading r;
	struct buf text;
	buf_init(&text, 1u << 20);
	for (int i = 0; i < 100000; i++) {
		(void)buf_append(&text, "\x01\n", 2);
	}
	(void)reading_of(&r, buf_slice(&text), IMPORT_LINES);
	assert_true(r.got.is_given_up);
	assert_int_equal(r.got.remarks_n, IMPORT_REMARKS_MAX);
	assert_int_equal(r.got.remarks[IMPORT_REMARKS_MAX - 1].line, IMPORT_REMARKS_MAX);
	buf_finish(&text);
	reading_finish(&r);
}

TEST(test_long_notes_are_broken_and_cut_so_that_the_server_takes_them)
{
	struct reading r;
	struct buf text;
	char clean[MAX_STORY_DESCRIPTION_BYTES];
	buf_init(&text, 1u << 20);
	(void)buf_printf(&text, "title,notes\nA,");
	for (int i = 0; i < 3000; i++) {
		(void)buf_printf(&text, "\xc3\xa9");
	}
	(void)buf_printf(&text, "\n");
	(void)reading_of(&r, buf_slice(&text), IMPORT_CSV);
	assert_int_equal(r.got.stories_n, 1);
	assert_int_equal(r.got.remarks_n, 1);
	assert_false(r.got.remarks[0].is_skipped);
	struct slice notes = r.got.stories[0].description;
	assert_in_range(notes.len, 3000, MAX_STORY_DESCRIPTION_BYTES);
	for (size_t at = 0; at < notes.len;) {
		const char *end = memchr(notes.data + at, '\n', notes.len - at);
		size_t len = end == NULL ? notes.len - at : (size_t)(end - notes.data) - at;
		size_t clean_len;
		int32_t bad;
		assert_int_equal(text_clean(slice_of(notes.data + at, len), clean, sizeof(clean),
					    &clean_len, &bad),
				 OK);
		at += len + 1;
	}
	buf_finish(&text);
	reading_finish(&r);
}

/* Each field on its own makes a change; what the file does not say makes none. */
TEST(test_a_story_that_is_there_is_changed_by_each_of_its_texts)
{
	static const struct {
		const char *row;
		size_t known;
		const char *compared; /* the ids of those that change one, "new" of others */
	} rows[] = {
		{"PAY-1,Pay,https://x.example/1,by card", 1, ""},
		{"PAY-1,Pay,,", 1, ""},
		{"PAY-1,Refund,https://x.example/1,by card", 1, "s00 "},
		{"PAY-1,Pay,https://x.example/2,by card", 1, "s00 "},
		{"PAY-1,Pay,https://x.example/1,by cheque", 1, "s00 "},
		{"PAY-11,Pay,https://x.example/1,by card", 0, "new "},
		{",Sign in,https://x.example/3,", 1, ""},
		{",Sign in,https://x.example/3,with a key", 1, "s01 "},
		{",Sign in,https://x.example/4,", 0, "new "},
		{",Sign out,https://x.example/3,", 0, "new "},
		{"PAY-1,Refund,,\n,New,,\n,Sign in,https://x.example/3,with a key", 2,
		 "new s00 s01 "},
	};
	static struct a_room a;
	a_room_init(&a, NULL);
	*a_room_story(&a, "Pay", STORY_DONE, "5") =
		(struct story_view){.story_id = SLICE("s00"),
				    .key = SLICE("PAY-1"),
				    .title = SLICE("Pay"),
				    .link = SLICE("https://x.example/1"),
				    .description = SLICE("by card")};
	a_room_story(&a, "Sign in", STORY_TODO, NULL)->link = SLICE("https://x.example/3");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena arena = {0};
		struct stories_import got;
		char text[256];
		char ids[64] = "";
		(void)snprintf(text, sizeof(text), "key,title,link,description\n%s\n", rows[i].row);
		stories_import_read(slice_str(text), IMPORT_GUESS, (struct slices){0}, &arena,
				    &got);
		assert_int_equal(stories_import_compare(&got, &a.r, &arena), rows[i].known);
		for (size_t k = 0; k < got.stories_n; k++) {
			struct slice id = got.stories[k].story_id;
			(void)snprintf(ids + strlen(ids), sizeof(ids) - strlen(ids), "%s ",
				       id.len == 0 ? "new" : id.data);
		}
		assert_string_equal(ids, rows[i].compared);
		arena_finish(&arena);
	}
}
