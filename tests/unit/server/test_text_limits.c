/*
 * test_text_limits.c - each text that a member writes has all the cells and all the
 * bytes that proto/base/limits.h gives it, and not one more.
 */
#include <stdio.h>

#include "tests/unit/server/play.h"

/* The method and the params before the text, which ends the params. */
struct row {
	const char *method, *params, *field;
	size_t cells; /* 0: as many as its bytes hold */
	size_t bytes; /* 0: as many as its cells hold */
};

static const struct row rows[] = {
	{"room.set_title", "'title':'", "title", MAX_TITLE_CELLS, MAX_TITLE_BYTES},
	{"room.join", "'username':'", "username", MAX_NAME_CELLS, MAX_NAME_BYTES},
	{"room.vote", "'vote':'5','comment':'", "comment", MAX_COMMENT_CELLS, MAX_COMMENT_BYTES},
	{"room.react", "'word':'", "word", MAX_REACTION_CELLS, 0},
	{"round.settle", "'estimate':'", "estimate", MAX_CARD_CELLS, MAX_CARD_BYTES},
	{"story.add", "'title':'", "title", MAX_STORY_TITLE_CELLS, MAX_STORY_TITLE_BYTES},
	{"story.add", "'title':'a','key':'", "key", MAX_STORY_KEY_CELLS, MAX_STORY_KEY_BYTES},
	{"story.add", "'title':'a','link':'", "link", 0, MAX_STORY_LINK_BYTES},
	{"story.add", "'title':'a','description':'", "description", 0, MAX_STORY_DESCRIPTION_BYTES},
	{"story.add", "'title':'a','estimate':'", "estimate", MAX_CARD_CELLS, MAX_CARD_BYTES},
};

/* What became of a text: "" or what is wrong with it. */
static const char *outcome(struct table *t, const struct row *row, const char *text)
{
	bool is_refusal = false;
	uint32_t msgid = rig_send(t->ada, row->method, "'room_id':'%s',%s%s'", t->r.room_id,
				  row->params, text);
	const char *answer = rig_answer(t->ada, msgid, &is_refusal);
	char field[32];
	(void)snprintf(field, sizeof(field), "'field':'%s'", row->field);
	assert_non_null(answer);
	assert_true(!is_refusal || strstr(answer, field) != NULL);
	return is_refusal ? answer : "";
}

static void assert_bound(struct table *t, const struct row *row, size_t max, const char *unit,
			 char *text, void (*fill)(char *text, size_t n))
{
	char claim[64];
	fill(text, max);
	assert_string_equal(outcome(t, row, text), "");
	fill(text, max + 1);
	(void)snprintf(claim, sizeof(claim), "than %zu %s", max, unit);
	assert_non_null(strstr(outcome(t, row, text), claim));
}

static void fill_cells(char *text, size_t n)
{
	memset(text, 'x', n);
	text[n] = '\0';
}

/* n bytes in as few cells as they fit: a currency sign with two marks above it is one cell of nine bytes. */
static void fill_marks(char *text, size_t n)
{
	size_t len = 0;
	for (; len + 9 <= n; len += 9) {
		memcpy(text + len, "\xe2\x82\xac\xe2\x83\x90\xe2\x83\x90", 9);
	}
	fill_cells(text + len, n - len);
}

TABLE_TEST(test_each_text_has_its_cells_and_its_bytes_and_no_more, t)
{
	static char text[MAX_STORY_DESCRIPTION_BYTES + 2];
	play_open(t, "3", "8");
	play_policy(t->ada, "'vote_after_reveal':true");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		rig_advance(&t->r, 6000); /* so that no reaction is too soon */
		if (row->cells > 0) {
			assert_bound(t, row, row->cells, "columns", text, fill_cells);
		}
		if (row->bytes > 0) {
			assert_bound(t, row, row->bytes, "bytes", text,
				     row->cells > 0 ? fill_marks : fill_cells);
		}
	}
}

TABLE_TEST(test_a_page_has_1_to_100_entries, t)
{
	static const char *const methods[] = {"round.list", "story.list"};
	static const char *const limits[] = {"0", "101", "1", "100"};
	for (size_t i = 0; i < 8; i++) {
		const char *code = rig_code(t->bob, methods[i % 2], "'room_id':'%s','limit':%s",
					    t->r.room_id, limits[i / 2]);
		assert_string_equal(code, i < 4 ? "VALIDATION_ERROR limit" : "ok");
	}
}
