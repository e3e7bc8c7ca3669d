/*
 * test_access_patterns.c - the tables of store/README.md that say how each thing is found.
 *
 * A row names what is looked for, by which key or index, and the tests that show it. Each named test is
 * there, and nothing that the rows of items.h have is left out.
 */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "store/items.h"

#define PAGE	   "store/README.md"
#define COLUMN	   "| test in `" /* how the last column of such a table begins */
#define CELL_BYTES 1000
#define ROWS_MAX   200

struct row {
	char what[CELL_BYTES];
	char key[CELL_BYTES];
	char tests[CELL_BYTES];
	char dir[64]; /* of the tests; ends with a slash */
};

struct page {
	struct row rows[ROWS_MAX];
	size_t n;
};

/* The cell that begins behind *at, without the blanks around it. */
static void take_cell(const char **at, char out[CELL_BYTES])
{
	assert_true(strncmp(*at, "| ", 2) == 0);
	const char *end = strstr(*at + 2, " |");
	assert_non_null(end);
	format_to(out, CELL_BYTES, "%.*s", (int)(end - *at - 2), *at + 2);
	*at = end + 1;
}

static struct page *page_read(void)
{
	static struct page page;
	struct page *p = &page;
	static char line[4 * CELL_BYTES];
	char dir[64] = ""; /* of the table that is being read; "": of none */
	FILE *file = fopen(PAGE, "r");
	assert_non_null(file);
	p->n = 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		const char *at = strstr(line, COLUMN);
		if (line[0] == '|' && at != NULL) {
			at += strlen(COLUMN);
			format_to(dir, sizeof(dir), "%.*s", (int)strcspn(at, "`"), at);
		} else if (line[0] != '|') {
			dir[0] = '\0';
		} else if (dir[0] != '\0' && line[1] == ' ') {
			assert_true(p->n < ROWS_MAX);
			struct row *row = &p->rows[p->n++];
			at = line;
			take_cell(&at, row->what);
			take_cell(&at, row->key);
			take_cell(&at, row->tests);
			assert_string_equal(at, "|\n");
			format_to(row->dir, sizeof(row->dir), "%s", dir);
		}
	}
	assert_int_equal(fclose(file), 0);
	assert_true(p->n > 0);
	return p;
}

/* Whether a test of that name is in the file: a line that begins with it, in whichever macro of the file's. */
static bool has_test(const char *path, const char *name)
{
	static char line[1000];
	char begins[2][CELL_BYTES];
	bool is_there = false;
	format_to(begins[0], CELL_BYTES, "(%s,", name);
	format_to(begins[1], CELL_BYTES, "(%s)", name);
	FILE *file = fopen(path, "r");
	if (file == NULL) {
		return false;
	}
	while (!is_there && fgets(line, sizeof(line), file) != NULL) {
		size_t macro = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		is_there = macro > 0 && (strncmp(line + macro, begins[0], strlen(begins[0])) == 0 ||
					 strncmp(line + macro, begins[1], strlen(begins[1])) == 0);
	}
	assert_int_equal(fclose(file), 0);
	return is_there;
}

/* "FILE: NAME", or several with "; " between them. */
TEST(test_each_test_that_is_named_is_there)
{
	struct page *p = page_read();
	for (size_t i = 0; i < p->n; i++) {
		char *rest = NULL;
		for (char *one = strtok_r(p->rows[i].tests, ";", &rest); one != NULL;
		     one = strtok_r(NULL, ";", &rest)) {
			char path[CELL_BYTES];
			one += *one == ' ';
			char *name = strstr(one, ": ");
			format_to(path, sizeof(path), "%s%.*s.c", p->rows[i].dir,
				  (int)strcspn(one, ":"), one);
			if (name == NULL || !has_test(path, name + 2)) {
				fail_msg("%s, \"%s\": no such test: %s", PAGE, p->rows[i].what,
					 one);
			}
		}
	}
}

/* Whether some row is about it; with_key: by such a key or index, too. */
static bool has_row(const struct page *p, const char *what, const char *key, const char *more)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct row *row = &p->rows[i];
		if (strstr(row->what, what) != NULL && strstr(row->key, key) != NULL &&
		    strstr(row->key, more) != NULL) {
			return true;
		}
	}
	return false;
}

TEST(test_each_kind_of_item_and_each_index_is_in_a_row)
{
	struct page *p = page_read();
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		const struct item_row *row = &item_rows[i];
		char pk[64], sk[64];
		format_to(pk, sizeof(pk), "`%s", row->pk_prefix);
		format_to(sk, sizeof(sk), "`%s", row->sk);
		if (!has_row(p, "", pk, sk)) {
			fail_msg("%s: nothing is found by the key of %s", PAGE, row->symbol);
		}
	}
	for (size_t i = 0; i < INDEX_COUNT; i++) {
		if (!has_row(p, "", index_names[i], "")) {
			fail_msg("%s: nothing is found by the index %s", PAGE, index_names[i]);
		}
	}
}

/* What the design of the table calls them, and what can be done with each that a room has. */
TEST(test_no_access_pattern_is_left_out)
{
	struct page *p = page_read();
	static const char *const names[] = {
		"GetUser: data",
		"GetUser: whether a member of a group",
		"GetUserByEMail",
		"ListOfUsersGroup",
		"GetGroup, by GroupId",
		"GetGroup, by ContainerId",
		"ListOfContainers",
		"ListOfUsersInGroup",
		"GetContainer",
		"GetInvitationLink",
		"GetInvitationLinkByGroupId",
	};
	static const char *const things[] = {"a room", "a presence", "a map", "a list"};
	static const char *const verbs[] = {"create", "get", "upsert", "delete"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(has_row(p, names[i], "", ""));
	}
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		for (size_t k = 0; k < sizeof(verbs) / sizeof(verbs[0]); k++) {
			bool is_there = false;
			for (size_t n = 0; n < p->n && !is_there; n++) {
				const char *what = p->rows[n].what;
				is_there = strncmp(what, things[i], strlen(things[i])) == 0 &&
					   what[strlen(things[i])] == ':' &&
					   strstr(what, verbs[k]) != NULL;
			}
			if (!is_there) {
				fail_msg("%s: %s: %s", PAGE, things[i], verbs[k]);
			}
		}
	}
}

int main(void)
{
	return test_run(NULL, NULL);
}
