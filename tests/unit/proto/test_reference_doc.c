/*
 * test_reference_doc.c - whether the tables of proto/README.md are those of the rows.
 */
#include <stdio.h>
#include <string.h>

#include "proto/methods.h"
#include "tests/docs/reference_doc.h"
#include "tests/support/test.h"

#define TEST_BYTES_MAX (1 << 20)

static void read_readme(struct buf *out)
{
	FILE *file = fopen("proto/README.md", "rb");
	assert_non_null(file);
	char chunk[4096];
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), file)) > 0;) {
		assert_int_equal(buf_append(out, chunk, n), OK);
	}
	assert_int_equal(fclose(file), 0);
}

static bool holds(const struct buf *b, const char *text)
{
	for (size_t at = 0; at + strlen(text) <= b->len; at++) {
		if (memcmp(b->data + at, text, strlen(text)) == 0) {
			return true;
		}
	}
	return false;
}

TEST(test_the_readme_has_the_tables_of_the_rows)
{
	struct buf now, fresh;
	buf_init(&now, TEST_BYTES_MAX);
	buf_init(&fresh, TEST_BYTES_MAX);
	read_readme(&now);
	assert_int_equal(reference_doc_fill(buf_slice(&now), reference_doc_write, &fresh), OK);
	if (!slice_eq(buf_slice(&now), buf_slice(&fresh))) {
		fail_msg("proto/README.md is stale: `make docs` writes its tables anew");
	}
	for (int m = 0; m < METHOD_COUNT; m++) {
		assert_true(holds(&now, method_rows[m].name));
	}
	for (int code = FAULT_NONE + 1; code < FAULT_COUNT; code++) {
		assert_true(holds(&now, fault_code_name((enum fault_code)code)));
	}
	for (int i = 0; i < LIMIT_COUNT; i++) {
		assert_true(holds(&now, limit_rows[i].name));
	}
	buf_finish(&now);
	buf_finish(&fresh);
}

static enum err write_x(const char *section, struct buf *out)
{
	return strcmp(section, "x") == 0 ? buf_append(out, "new\n", 4) : ERR_NOT_FOUND;
}

TEST(test_filling_replaces_what_is_marked_and_nothing_else)
{
	static const struct {
		const char *text;
		enum err want;
		const char *filled;
	} rows[] = {
		{"", OK, ""},
		{"plain\n", OK, "plain\n"},
		{"a\n<!-- begin: x -->\nold\n<!-- end: x -->\nz\n", OK,
		 "a\n<!-- begin: x -->\nnew\n<!-- end: x -->\nz\n"},
		{"<!-- begin: x -->\n<!-- end: x -->\n<!-- begin: x -->\n<!-- end: x -->", OK,
		 "<!-- begin: x -->\nnew\n<!-- end: x -->\n<!-- begin: x -->\nnew\n<!-- end: x "
		 "-->"},
		{"<!-- begin: y -->\n<!-- end: y -->\n", ERR_NOT_FOUND, NULL},
		{"<!-- begin: x -->\n", ERR_INVALID, NULL},
		{"<!-- begin: x -->\n<!-- end: y -->\n", ERR_INVALID, NULL},
		{"<!-- begin: x", ERR_INVALID, NULL},
		{"<!-- begin: a name that is longer than any section has -->\n", ERR_INVALID, NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out;
		buf_init(&out, 4096);
		assert_int_equal(reference_doc_fill(slice_str(rows[i].text), write_x, &out),
				 rows[i].want);
		if (rows[i].filled != NULL) {
			assert_true(slice_eq(buf_slice(&out), slice_str(rows[i].filled)));
		}
		buf_finish(&out);
	}
}

TEST(test_the_contents_are_the_headings)
{
	static const char *const text =
		"# Title\n<!-- begin: contents -->\nold\n<!-- end: contents -->\n"
		"## A `b`, c\n```\n## no\n```\n### x\n### y_z\n#### small\n####\n## Last";
	struct buf out;
	buf_init(&out, 4096);
	assert_int_equal(reference_doc_fill(slice_str(text), write_x, &out), OK);
	assert_true(
		holds(&out,
		      "-->\n- [A `b`, c](#a-b-c): [x](#x), [y_z](#y_z)\n- [Last](#last)\n<!--"));
	buf_finish(&out);
}

/* A link to a place of the page leads to one. */
TEST(test_every_link_within_the_readme_leads_somewhere)
{
	const struct slice opens = SLICE("](#");
	struct buf now;
	buf_init(&now, TEST_BYTES_MAX);
	read_readme(&now);
	assert_int_equal(buf_append(&now, "", 1), OK);
	char contents[128];
	char record[128];
	size_t links = 0;
	for (size_t at = 0; at + opens.len < now.len; at++) {
		if (memcmp(now.data + at, opens.data, opens.len) != 0) {
			continue;
		}
		size_t len = 0;
		const char *anchor = now.data + at + opens.len;
		while (at + opens.len + len < now.len && anchor[len] != ')') {
			len++;
		}
		/* The contents have every heading, each as a link of its own, but for the records. */
		const char *end = strstr(now.data, "<!-- end: contents -->");
		assert_non_null(end);
		(void)snprintf(contents, sizeof(contents), "](#%.*s)", (int)len, anchor);
		const char *found = strstr(now.data, contents);
		(void)snprintf(record, sizeof(record), "\n#### %.*s\n", (int)len, anchor);
		if ((found == NULL || found > end) && strstr(now.data, record) == NULL) {
			fail_msg("nothing is called %s", contents);
		}
		links++;
	}
	assert_true(links > 200);
	buf_finish(&now);
}

TEST(test_an_unknown_section_is_not_found)
{
	struct buf out;
	buf_init(&out, 4096);
	assert_int_equal(reference_doc_write("teapots", &out), ERR_NOT_FOUND);
	assert_int_equal(out.len, 0);
	buf_finish(&out);
}

TEST(test_a_buffer_too_small_is_reported)
{
	struct buf out;
	buf_init(&out, 100);
	assert_int_equal(reference_doc_write("methods", &out), ERR_TOO_LARGE);
	buf_finish(&out);
}

TEST(test_the_dictionary_has_names_as_they_travel)
{
	struct buf out;
	buf_init(&out, TEST_BYTES_MAX);
	assert_int_equal(reference_doc_write("dictionary", &out), OK);
	assert_true(holds(&out, "\"\\xa9room.vote\"\n"));
	assert_true(holds(&out, "\"\\xa7room_id\"\n"));
	buf_finish(&out);
}
