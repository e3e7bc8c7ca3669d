/*
 * picture.c - the picture at the beginning of README.md: a vote of six people,
 * played with the real programs and written as an SVG whose frames are screens.
 *
 * No script is in it: each frame is a group that CSS shows in its time. Where
 * nothing moves (no CSS, or a reader who prefers no motion) the frame with the
 * revealed cards stands still. `make picture` writes the file; this test fails
 * when the program's screens are no longer those of the picture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/difference.h"
#include "tests/support/team.h"
#include "tests/support/test.h"

#define PICTURE_FILE "tests/tui/picture.svg"

enum {
	WIDTH = 80,
	HEIGHT = 24,
	CELL_X = 9, /* of the picture, in pixels */
	CELL_Y = 17,
	MARGIN = 14,
	BAR = 30, /* above the screen: what was typed */
	FRAME_MS = 2200,
	REST_MS = 500, /* without a byte: at rest */
	WAIT_MS = 10000,
	GAP = 3, /* as many blanks end a run of text */
	PICTURE_BYTES = 120000
};

/* Foreground and background, and the sixteen colours of a terminal between them. */
static const char *const ink = "#d8dee4";
static const char *const paper = "#14181d";
static const char *const palette[16] = {"#14181d", "#e5707a", "#8ac28a", "#dcbf73",
					"#7fb0e8", "#c49ae0", "#74c3c9", "#d8dee4",
					"#7d8793", "#ff8f98", "#a6dca6", "#f2d68b",
					"#9cc8fa", "#dab6f2", "#93dde2", "#ffffff"};

static struct {
	char text[PICTURE_BYTES + 1];
	size_t n;
	int frames, still; /* still: the frame that is seen where nothing moves */
} picture;

static char *expected; /* the file; NULL while it is written */

/* ---- cells ---- */

struct pen {
	char fill[8], back[8]; /* "" is the paper */
	bool is_bold, is_underlined;
};

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	picture.n += (size_t)vsnprintf(picture.text + picture.n, sizeof(picture.text) - picture.n,
				       format, values);
	va_end(values);
	assert_in_range(picture.n, 0, PICTURE_BYTES);
}

static void color_of(const struct terminal *t, VTermColor c, const char *fallback, char out[8])
{
	if (VTERM_COLOR_IS_DEFAULT_FG(&c) || VTERM_COLOR_IS_DEFAULT_BG(&c)) {
		(void)snprintf(out, 8, "%s", fallback);
	} else if (VTERM_COLOR_IS_INDEXED(&c) && c.indexed.idx < 16) {
		(void)snprintf(out, 8, "%s", palette[c.indexed.idx]);
	} else {
		vterm_screen_convert_color_to_rgb(t->screen, &c);
		(void)snprintf(out, 8, "#%02x%02x%02x", c.rgb.red, c.rgb.green, c.rgb.blue);
	}
}

static struct pen pen_of(const struct terminal *t, const VTermScreenCell *cell)
{
	struct pen p = {.is_bold = cell->attrs.bold, .is_underlined = cell->attrs.underline != 0};
	char front[8];
	char back[8];
	color_of(t, cell->fg, ink, front);
	color_of(t, cell->bg, paper, back);
	memcpy(p.fill, cell->attrs.reverse ? back : front, sizeof(p.fill));
	if (cell->attrs.reverse || strcmp(back, paper) != 0) {
		memcpy(p.back, cell->attrs.reverse ? front : back, sizeof(p.back));
	}
	return p;
}

static bool is_same_pen(const struct pen *a, const struct pen *b)
{
	return strcmp(a->fill, b->fill) == 0 && strcmp(a->back, b->back) == 0 &&
	       a->is_bold == b->is_bold && a->is_underlined == b->is_underlined;
}

static void put_escaped(const char *text)
{
	for (const char *c = text; *c != '\0'; c++) {
		put("%s", *c == '&'   ? "&amp;"
			  : *c == '<' ? "&lt;"
			  : *c == '>' ? "&gt;"
				      : (const char[]){*c, '\0'});
	}
}

/* Cells from..end of a row, all of one pen. The length is said, so that every font keeps the columns. */
static void put_run(const struct team *s, const struct terminal *t, int row, int from, int end,
		    const struct pen *p)
{
	char text[WIDTH * 16] = {0};
	VTermRect rect = {.start_row = row, .end_row = row + 1, .start_col = from, .end_col = end};
	(void)vterm_screen_get_text(t->screen, text, sizeof(text) - 1, rect);
	s->shots->mask(text, s->shots->arg);
	int y = row * CELL_Y;
	if (p->back[0] != '\0') {
		put("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>",
		    from * CELL_X, y, (end - from) * CELL_X, CELL_Y, p->back);
	}
	if (text[strspn(text, " ")] == '\0') {
		return;
	}
	put("<text x=\"%d\" y=\"%d\" textLength=\"%d\"", from * CELL_X, y + CELL_Y - 5,
	    (end - from) * CELL_X);
	if (strcmp(p->fill, ink) != 0) {
		put(" fill=\"%s\"", p->fill);
	}
	put("%s%s>", p->is_bold ? " class=\"b\"" : "",
	    p->is_underlined ? " text-decoration=\"underline\"" : "");
	put_escaped(text);
	put("</text>");
}

static VTermScreenCell cell_at(const struct terminal *t, int row, int column)
{
	VTermScreenCell cell;
	(void)vterm_screen_get_cell(t->screen, (VTermPos){.row = row, .col = column}, &cell);
	return cell;
}

static bool is_blank(const VTermScreenCell *cell)
{
	return cell->chars[0] == 0 || cell->chars[0] == ' ';
}

static void put_row(const struct team *s, const struct terminal *t, int row)
{
	size_t before = picture.n;
	for (int from = 0; from < WIDTH;) {
		VTermScreenCell first = cell_at(t, row, from);
		struct pen p = pen_of(t, &first);
		bool is_plain = p.back[0] == '\0' && !p.is_underlined;
		int end = from + 1;
		int text_end = is_blank(&first) && is_plain ? from : end;
		while (end < WIDTH && (text_end == from || end - text_end < GAP)) {
			VTermScreenCell next = cell_at(t, row, end);
			struct pen other = pen_of(t, &next);
			bool is_gap = is_blank(&next) && is_plain;
			if (!is_same_pen(&p, &other) || (text_end == from && !is_gap)) {
				break;
			}
			end++;
			text_end = is_gap ? text_end : end;
		}
		if (text_end > from) {
			put_run(s, t, row, from, text_end, &p);
		}
		from = end;
	}
	put("%s", picture.n > before ? "\n" : "");
}

/* ---- frames ---- */

static void put_frame(const struct team *s, int who, const char *typed)
{
	const struct terminal *t = &s->terminals[who];
	int i = picture.frames;
	put("<g id=\"f%d\" visibility=\"%s\">\n<text x=\"%d\" y=\"-24\" class=\"t\">", i,
	    i == picture.still ? "visible" : "hidden", WIDTH * CELL_X / 2);
	put_escaped(typed);
	put("</text>\n");
	for (int row = 0; row < HEIGHT; row++) {
		put_row(s, t, row);
	}
	put("</g>\n");
}

/* What stands on that screen is the next frame; compared as soon as it is as the file has it. */
static void frame(struct team *s, int who, const char *typed)
{
	int64_t until_ms = terminal_now_ms() + WAIT_MS;
	size_t before = picture.n;
	while (expected == NULL && terminal_take(&s->terminals[who], SIZE_MAX, REST_MS) > 0) {
	}
	for (;;) {
		picture.n = before;
		put_frame(s, who, typed);
		int64_t left_ms = until_ms - terminal_now_ms();
		if (expected == NULL || strstr(expected, picture.text + before) != NULL ||
		    left_ms <= 0 ||
		    terminal_take(&s->terminals[who], SIZE_MAX, (int)left_ms) == 0) {
			break;
		}
	}
	picture.frames++;
}

static void frame_that_stays(struct team *s, int who, const char *typed)
{
	picture.still = picture.frames;
	frame(s, who, typed);
}

/* Each frame is seen in its part of the time. */
static void put_times(int frames)
{
	put("@media (prefers-reduced-motion:no-preference){\n");
	for (int i = 0; i < frames; i++) {
		int from = i * 1000 / frames;
		int end = (i + 1) * 1000 / frames;
		put("#f%d{animation:k%d %d.%ds step-end infinite}\n@keyframes k%d{", i, i,
		    frames * FRAME_MS / 1000, frames * FRAME_MS % 1000 / 100, i);
		put("0%%{visibility:%s}", i == 0 ? "visible" : "hidden");
		if (i > 0) {
			put("%d.%d%%{visibility:visible}", from / 10, from % 10);
		}
		put("%d.%d%%{visibility:%s}}\n", end / 10, end % 10,
		    i == frames - 1 ? "visible" : "hidden");
	}
	put("}\n");
}

static void begin_picture(void)
{
	int width = WIDTH * CELL_X + 2 * MARGIN;
	int height = HEIGHT * CELL_Y + BAR + 2 * MARGIN;
	memset(&picture, 0, sizeof(picture));
	picture.still = -1;
	put("<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 %d "
	    "%d\" width=\"%d\" "
	    "height=\"%d\" role=\"img\" aria-labelledby=\"title desc\">\n",
	    width, height, width, height);
	put("<title id=\"title\">A vote in aye</title>\n<desc id=\"desc\">Six people vote on a "
	    "story "
	    "in a terminal. The cards are revealed at once, the highest vote speaks first, the "
	    "second "
	    "round agrees, and the estimate is settled.</desc>\n");
	put("<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\"/>\n"
	    "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#262c34\"/>\n",
	    width, height, paper, width, BAR);
	put("<g transform=\"translate(%d %d)\" fill=\"%s\">\n", MARGIN, BAR + MARGIN, ink);
}

static void end_picture(void)
{
	put("</g>\n<style>text{font:15px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
	    "white-space:pre}.b{font-weight:bold}.t{text-anchor:middle;fill:#aab4c0}\n");
	put_times(picture.frames);
	put("</style>\n</svg>\n");
}

/* ---- the session ---- */

static void a_room_has_stories(struct team *s)
{
	static const char *const titles[] = {
		"PAY-101 Show the balance on the first page",
		"PAY-107 Store cards with the provider",
		"PAY-118 Refund a split payment",
		"PAY-121 Retry failed bank transfers",
	};
	team_sits_down(s, ADA, "home", NULL);
	team_sees(s, ADA, "live");
	team_types(s, ADA, "cSprint 42\r\r");
	team_sees(s, ADA, "aye join ");
	for (int row = 0; s->code[0] == '\0'; row++) {
		const char *join = strstr(terminal_row(&s->terminals[ADA], row), "aye join ");
		if (join != NULL) {
			(void)snprintf(s->code, sizeof(s->code), "%.*s", (int)TEAM_CODE_CELLS,
				       join + strlen("aye join "));
		}
	}
	team_types(s, ADA, "Sa");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		team_types(s, ADA, titles[i]);
		team_types(s, ADA, "\r");
	}
	team_sees(s, ADA, "of 4");
	team_goes_back(s, ADA, "add");
	team_goes_back(s, ADA, "aye join ");
}

static void six_people_vote(struct team *s)
{
	team_sits_down(s, GRACE, "join", s->code);
	team_sees(s, GRACE, "2 here");
	team_peers_come_in(s);
	team_types(s, ADA, "N");
	team_both_see(s, "1/4");
	team_both_see(s, "0 of 6");
	frame(s, ADA, "aye join K7QX3M    six people, one story");
	team_types(s, ADA, "5");
	team_sees(s, ADA, "1 of 6");
	frame(s, ADA, "5    press a digit to vote");
	team_types(s, GRACE, "8");
	team_peer_votes(s, 0, "5");
	team_peer_votes(s, 1, "5");
	team_peer_votes(s, 2, "13");
	team_both_see(s, "5 of 6");
	frame(s, ADA, "nobody sees a card before the reveal");
	team_peer_votes(s, 3, "5");
	team_both_see(s, "average");
	frame_that_stays(s, ADA, "the last vote reveals all cards; 13 speaks first");
}

static void they_agree(struct team *s)
{
	static const char *const cards[TEAM_PEERS_N] = {"5", "5", "5", "5"};
	team_types(s, ADA, "V");
	team_both_see(s, "0 of 6");
	frame(s, ADA, "V    vote again on the same story");
	team_types(s, ADA, "5");
	team_types(s, GRACE, "5");
	for (int i = 0; i < TEAM_PEERS_N; i++) {
		team_peer_votes(s, i, cards[i]);
	}
	team_both_see(s, "average");
	frame(s, ADA, "and all agree");
	team_types(s, ADA, "=");
	team_both_see(s, "ettled on 5");
	frame(s, ADA, "=    settle the estimate");
	team_types(s, ADA, "N");
	team_both_see(s, "2/4");
	team_both_see(s, "0 of 6");
	frame(s, ADA, "N    next story");
	team_types(s, ADA, "S");
	team_sees(s, ADA, "1 of 4");
	frame(s, ADA, "S    the stories and their estimates");
	team_goes_back(s, ADA, "0 of 6");
}

TEST(test_the_picture_shows_the_program)
{
	static const struct team_look look = {WIDTH, HEIGHT, "dark", false};
	static struct shots shots;
	static struct team s;
	expected = expected_is_written() ? NULL : expected_read(PICTURE_FILE);
	begin_picture();
	team_begin(&s, &look, &shots);
	a_room_has_stories(&s);
	six_people_vote(&s);
	they_agree(&s);
	team_leaves(&s, GRACE, "q");
	team_sees(&s, ADA, "5 here");
	team_types(&s, ADA, "qy");
	team_sees_no_more(&s, ADA, "5 here");
	team_leaves(&s, ADA, "q");
	team_end(&s);
	end_picture();
	assert_as_file(PICTURE_FILE, picture.text);
	free(expected);
}
