/*
 * test_items_import.c - items of a backlog from files: texts of ours and of other programs, what is
 * wrong with a line, and that what is written is what is read.
 */
#include <stdio.h>
#include <string.h>

#include "client/formats/items_export.h"
#include "client/model/lists/item_text.h"
#include "client/model/memory.h"
#include "client/formats/import/stories_import.h"
#include "proto/text/utc_time.h"
#include "tests/support/lines_of_text.h"
#include "tests/support/test.h"

struct reading {
	struct arena arena;
	struct stories_import got;
	char text[4096]; /* an item a line: name|unit|quantity|category|expiry|note */
};

static void add_text(struct reading *r, struct slice s, char end)
{
	size_t len = strlen(r->text);
	(void)snprintf(r->text + len, sizeof(r->text) - len, "%.*s%c", (int)s.len,
		       s.len == 0 ? "" : s.data, end);
}

static const char *reads(struct reading *r, struct slice text, enum import_format format)
{
	*r = (struct reading){.text = ""};
	items_import_read(text, format, &r->arena, &r->got);
	for (size_t i = 0; i < r->got.items_n && i < 20; i++) {
		const struct import_item *item = &r->got.items[i];
		char expiry[UTC_TIME_CHARS + 1] = "";
		if (item->expiry > 0) {
			(void)item_expiry(item->expiry, expiry);
		}
		add_text(r, item->name, '|');
		add_text(r, item->unit, '|');
		add_text(r, item->quantity, '|');
		add_text(r, item->category, '|');
		add_text(r, slice_str(expiry), '|');
		add_text(r, item->note, '\n');
	}
	for (size_t i = 0; i < r->got.remarks_n; i++) {
		char line[200];
		int len = snprintf(line, sizeof(line), "%zu %s", r->got.remarks[i].line,
				   r->got.remarks[i].text);
		add_text(r, slice_of(line, (size_t)len), '\n');
	}
	return r->text;
}

static void assert_reads(const char *text, const char *wanted)
{
	static struct reading r;
	assert_string_equal(reads(&r, slice_str(text), IMPORT_GUESS), wanted);
	arena_finish(&r.arena);
}

TEST(test_items_are_read_from_their_own_columns)
{
	assert_reads("name,unit,quantity,category,expiry,note\n"
		     "Milk,l,2.50,dairy,2026-12-24,\"fresh\nor not\"\n"
		     "Salt,,,,,\n"
		     "'=1+1,,0,,2026-12-24 18:30,\n",
		     "Milk|l|2.5|dairy|2026-12-24|fresh\nor not\n"
		     "Salt|||||\n"
		     "=1+1||0||2026-12-24T18:30:00Z|\n");
	assert_reads(
		"[{\"name\":\"Milk\",\"unit\":\"l\",\"quantity\":2.5,\"expiry\":\"2026-12-24\"},"
		"{\"name\":\"Salt\",\"quantity\":\"12\",\"category\":\"spice\"}]",
		"Milk|l|2.5||2026-12-24|\nSalt||12|spice||\n");
	assert_reads("{\"container_name\":\"Pantry\",\"items\":[{\"name\":\"Milk\"}]}",
		     "Milk|||||\n");
	assert_reads("Milk\n\n  Salt  \n", "Milk|||||\nSalt|||||\n");
	assert_reads("- [ ] Milk\n- Salt\n", "Milk|||||\nSalt|||||\n");
}

TEST(test_items_are_read_from_what_stories_are)
{
	assert_reads("Issue key,Summary,Story Points,Link,Description\n"
		     "PAY-1,Pay by card,5.0,https://t.example/PAY-1,With two cards\n"
		     "PAY-2,Refund,,,\n"
		     "PAY-3,Sign out,XL,,\n",
		     "PAY-1 Pay by card|points|5|||With two cards\nhttps://t.example/PAY-1\n"
		     "PAY-2 Refund|||||\n"
		     "PAY-3 Sign out|XL||||\n");
	assert_reads("[{\"number\":12,\"title\":\"Pay\",\"url\":\"https://t.example/"
		     "12\",\"body\":\"\"}]",
		     "#12 Pay|||||https://t.example/12\n");
}

TEST(test_what_is_wrong_with_a_line_is_told_by_its_line)
{
	assert_reads("name,unit,quantity,category,expiry,note\n"
		     ",kg,1,,,\n"
		     "A,kg,1e3,,,\n"
		     "B,,-1,,,\n"
		     "C,,1.234,,,\n"
		     "D,,,,2026-02-30,\n"
		     "E,,,,1969-01-01,\n"
		     "F,a unit that is far too long,1,,,\n"
		     "G,,1000000000000,,,\n"
		     "H,,NaN,,soon,\n"
		     "I,,1,,,\n",
		     "I||1|||\n"
		     "2 has no name\n"
		     "3 quantity is not a number like 12 or 0.5, with two decimals at most\n"
		     "4 quantity is not a number like 12 or 0.5, with two decimals at most\n"
		     "5 quantity has more than two decimals\n"
		     "6 expiry is not a day after 1970, such as 2026-12-24\n"
		     "7 expiry is not a day after 1970, such as 2026-12-24\n"
		     "8 unit must be 1 to 20 characters long\n"
		     "9 quantity is more than 999999999999.99\n"
		     "10 quantity is not a number like 12 or 0.5, with two decimals at most\n");
	assert_reads("ok\nbell \x07\n\xe2\x80\xae rtl\nbad \xff\n",
		     "ok|||||\n"
		     "2 name has a character that may not be shown (U+0007)\n"
		     "3 name has a character that may not be shown (U+202E)\n"
		     "4 name is not UTF-8\n");
}

TEST(test_a_hundred_thousand_lines_are_read_and_no_more)
{
	static struct reading r;
	struct buf text;
	buf_init(&text, 4u << 20);
	for (int i = 0; i < MAX_CONTAINER_ITEMS + 2; i++) {
		assert_int_equal(buf_printf(&text, "item %d\n", i), OK);
	}
	(void)reads(&r, buf_slice(&text), IMPORT_LINES);
	assert_int_equal(r.got.items_n, MAX_CONTAINER_ITEMS);
	assert_int_equal(r.got.remarks_n, 2);
	assert_int_equal(r.got.items[MAX_CONTAINER_ITEMS - 1].line, MAX_CONTAINER_ITEMS);
	arena_finish(&r.arena);
	buf_finish(&text);
}

/* ---- expiry ---- */

TEST(test_an_expiry_is_a_day_or_a_moment)
{
	static const struct {
		const char *text, *again;
	} rows[] = {
		{"1970-01-02", "1970-01-02"},
		{"2000-02-29", "2000-02-29"},
		{"2026-12-24", "2026-12-24"},
		{"2026-12-24T00:00Z", "2026-12-24"},
		{"2026-12-24T18:30", "2026-12-24T18:30:00Z"},
		{"2026-12-24 18:30:59Z", "2026-12-24T18:30:59Z"},
		{"9999-12-31", "9999-12-31"},
	};
	static const char *const bad[] = {
		"",
		"1970-01-01",
		"1969-12-31",
		"2026-02-29",
		"2026-13-01",
		"2026-00-10",
		"2026-1-1",
		"2026-12-24T",
		"2026-12-24T24:00",
		"2026-12-24Z",
		"24.12.2026",
		"2026-12-24T18:60",
		"tomorrow",
		"2026-12-24T18:30+01:00",
	};
	int64_t ms;
	char out[UTC_TIME_CHARS + 1];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(item_read_expiry(slice_str(rows[i].text), &ms));
		assert_string_equal(item_expiry(ms, out), rows[i].again);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (item_read_expiry(slice_str(bad[i]), &ms)) {
			fail_msg("\"%s\" is read", bad[i]);
		}
	}
}

/* ---- and written ---- */

static const struct container_entry pantry = {
	.container_id = {"c_AAAAAAAAAA", 12},
	.container_name = {"Pantry", 6},
	.group_id = {"g_AAAAAAAAAA", 12},
	.items = 2,
	.version = 7,
};
static const struct item_view milk = {
	.item_id = {"i_AAAAAAAAAA", 12},
	.name = {"Milk, \"fresh\"", 13},
	.unit = {"l", 1},
	.quantity = {"2.5", 3},
	.category = {"dairy", 5},
	.expiry = 1798070400000,
	.with_expiry = true,
	.note = {"a\n|b", 4},
	.created_at = 1,
	.updated_at = 2,
	.revision = 3,
};
static const struct item_view formula = {
	.item_id = {"i_BBBBBBBBBB", 12},
	.name = {"=cmd()", 6},
	.category = {"none", 4},
	.created_at = 1,
	.updated_at = 1,
	.revision = 1,
};

static const char *written(enum export_format format)
{
	static char text[65536];
	const struct item_view *const items[] = {&milk, &formula};
	const struct items_export x = {.of = &pantry, .items = items, .n = 2, .is_all = true};
	struct buf out;
	buf_init(&out, sizeof(text) - 1);
	(void)items_export_write(&x, format, &out);
	assert_int_equal(out.error, OK);
	memcpy(text, out.data, out.len);
	text[out.len] = '\0';
	buf_finish(&out);
	return text;
}

TEST(test_what_is_written_is_read)
{
	static const enum export_format formats[] = {EXPORT_CSV, EXPORT_JSON};
	static struct reading r;
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(
			reads(&r, slice_str(written(formats[i])), IMPORT_GUESS),
			"Milk, \"fresh\"|l|2.5|dairy|2026-12-24|a\n|b\n=cmd()|||none||\n");
		arena_finish(&r.arena);
	}
}

TEST(test_lines_are_read_as_they_were_written)
{
	static const struct slice texts[] = {
#define LINES_STORED(name, sent, stored, drawn) {stored, sizeof(stored) - 1},
		LINES_OF_TEXT(LINES_STORED)};
	static const enum export_format formats[] = {EXPORT_CSV, EXPORT_JSON, EXPORT_MARKDOWN};
	enum { TEXTS_N = sizeof(texts) / sizeof(texts[0]) };
	struct item_view notes[TEXTS_N];
	const struct item_view *items[TEXTS_N];
	for (size_t i = 0; i < TEXTS_N; i++) {
		notes[i] = formula;
		notes[i].note = texts[i];
		items[i] = &notes[i];
	}
	for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
		const struct items_export x = {.of = &pantry, .items = items, .n = TEXTS_N};
		struct arena arena = {0};
		struct stories_import got = {0};
		struct buf out;
		buf_init(&out, 1u << 20);
		(void)items_export_write(&x, formats[f], &out);
		items_import_read(buf_slice(&out), IMPORT_GUESS, &arena, &got);
		assert_int_equal(got.items_n, TEXTS_N);
		for (size_t i = 0; i < TEXTS_N; i++) {
			if (!slice_eq(got.items[i].note, texts[i])) {
				fail_msg("format %zu: %.*s", f, (int)got.items[i].note.len,
					 got.items[i].note.data);
			}
		}
		buf_finish(&out);
		arena_finish(&arena);
	}
}

/* Of every format with keys, and in any case; the quantity is the backlog's own. */
TEST(test_an_item_is_known_by_the_key_that_its_name_begins_with)
{
	static const struct {
		const char *text;
		size_t known, all;
	} rows[] = {
		{"Issue key,Summary,Story Points\nPAY-1,Pay,8\n", 1, 0},
		{"Issue key,Summary\nPAY-1,Pay by card\nPAY-3,New\n", 1, 2},
		{"PAY-1 Pay\n- PAY-2: Refund\n", 2, 1},
		{"| Key | Title |\n|---|---|\n| PAY-1 | Pay |\n", 1, 0},
		{"[{\"key\":\"PAY-1\",\"fields\":{\"summary\":\"Pay\"}}]", 1, 0},
		{"[{\"number\":12,\"title\":\"Sign out\"},{\"iid\":12,\"title\":\"Other\"}]", 1, 0},
		{"12\tOPEN\tSign out\n", 1, 0},
		{"https://x.atlassian.net/browse/PAY-1 Pay\n", 1, 1}, /* the link is new */
		{"name,unit,quantity,note\nPAY-1 Pay,points,8,\nMilk,,,\n", 2, 0},
		{"PAY-10 Pay\nmilk\n", 0, 2},
		{"[{\"number\":7,\"title\":\"A\",\"url\":\"https://github.com/o/a/issues/7\"},"
		 "{\"number\":7,\"title\":\"B\",\"body\":\"x\",\"url\":\"https://github.com/o/b/"
		 "issues/7\"},"
		 "{\"number\":9,\"title\":\"C\",\"url\":\"https://github.com/o/b/issues/9\"}]",
		 0, 3},
		{"[{\"number\":8,\"title\":\"A\",\"url\":\"https://github.com/o/b/issues/8\"}]", 0,
		 1},
	};
	static const char *const names[] = {"PAY-1 Pay", "PAY-2 refund", "#12 Sign out", "Milk",
					    "#8 A"};
	struct item_view views[5];
	const struct item_view *items[5];
	for (size_t i = 0; i < 5; i++) {
		views[i] = formula;
		views[i].name = slice_str(names[i]);
		views[i].note =
			i == 4 ? SLICE("text\nhttps://github.com/o/a/issues/8") : views[i].note;
		items[i] = &views[i];
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reading r = {.text = ""};
		items_import_read(slice_str(rows[i].text), IMPORT_GUESS, &r.arena, &r.got);
		size_t known = items_import_compare(&r.got, items, 5, &r.arena);
		if (known != rows[i].known || r.got.items_n != rows[i].all) {
			fail_msg("row %zu: %zu known, %zu to send", i, known, r.got.items_n);
		}
		arena_finish(&r.arena);
	}
}

TEST(test_a_tracker_gets_items_with_key_and_points)
{
	static const char *const rows[][3] = {{"PAY-1 Pay, by card", "points", "5"},
					      {"#12 Refund", "points", "0.5"},
					      {"PAY-2 Milk", "l", "2"},
					      {"PAY-3 Receipts", "points", ""},
					      {"Sign in", "points", "3"}};
	struct item_view views[5];
	const struct item_view *items[5];
	for (size_t i = 0; i < 5; i++) {
		views[i] = formula;
		views[i].name = slice_str(rows[i][0]);
		views[i].unit = slice_str(rows[i][1]);
		views[i].quantity = slice_str(rows[i][2]);
		items[i] = &views[i];
	}
	const struct items_export x = {.of = &pantry, .items = items, .n = 5};
	struct buf out;
	buf_init(&out, 4096);
	struct export_left left = items_export_write(&x, EXPORT_JIRA, &out);
	assert_int_equal(left.written, 2);
	assert_int_equal(left.without_key, 1);
	assert_true(slice_eq(buf_slice(&out), SLICE("Issue key,Story Points,Summary\r\n"
						    "PAY-1,5,\"Pay, by card\"\r\n"
						    "#12,0.5,Refund\r\n")));
	buf_clear(&out);
	left = items_export_write(&x, EXPORT_GITLAB, &out);
	assert_int_equal(left.written, 0);
	assert_int_equal(left.without_key, 2);
	assert_int_equal(left.without_number, 1);
	buf_finish(&out);
}

TEST(test_every_format_has_the_items)
{
	assert_string_equal(written(EXPORT_CSV),
			    "name,unit,quantity,category,expiry,note\r\n"
			    "\"Milk, \"\"fresh\"\"\",l,2.5,dairy,2026-12-24,\"a\n|b\"\r\n"
			    "'=cmd(),,,none,,\r\n");
	assert_string_equal(written(EXPORT_JIRA), "Summary,Story Points,Description\r\n"
						  "\"Milk, \"\"fresh\"\"\",,\"a\n|b\"\r\n"
						  "'=cmd(),,\r\n");
	static const enum export_format tables[] = {EXPORT_MARKDOWN, EXPORT_HTML, EXPORT_TEXT};
	for (size_t i = 0; i < 3; i++) {
		const char *text = written(tables[i]);
		assert_non_null(strstr(text, "Pantry"));
		assert_non_null(strstr(text, "2026-12-24"));
		assert_non_null(strstr(text, "=cmd()"));
	}
}
