/*
 * test_export_sheet.c - what people read of a room: HTML, Markdown and text.
 */
#include "tests/unit/client/export_desk.h"

#include <stdio.h>

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
