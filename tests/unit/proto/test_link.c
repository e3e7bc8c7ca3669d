/*
 * test_link.c - which addresses are links, and what a key makes of a template.
 */
#include <string.h>

#include "proto/link.h"
#include "tests/support/test.h"

TEST(test_a_template_is_a_web_address_with_a_place_for_the_key)
{
	assert_true(link_is_template(SLICE("https://x.example/browse/{key}")));
	assert_true(link_is_template(SLICE("http://x.example/{key}?of={key}")));
	assert_false(link_is_template(SLICE("https://x.example/browse/")));
	assert_false(link_is_template(SLICE("https://x.example/{Key}")));
	assert_false(link_is_template(SLICE("javascript:{key}")));
	assert_false(link_is_template(SLICE("https://x.example/ {key}")));
	assert_false(link_is_template((struct slice){0}));
}

TEST(test_a_key_stands_in_each_place_and_stays_within_it)
{
	static const struct {
		const char *text;
		const char *key;
		const char *link;
	} rows[] = {
		{"https://x/{key}", "PAY-1", "https://x/PAY-1"},
		{"https://x/{key}/{key}", "a_b", "https://x/a_b/a_b"},
		{"https://x/issues/{key}", "#12", "https://x/issues/12"},
		{"https://x/{key}", "#a", "https://x/%23a"},
		{"https://x/{key}", "a/../b?c#d \xc3\xa9", "https://x/a%2F..%2Fb%3Fc%23d%20%C3%A9"},
		{"https://x/{key}", "", ""},
	};
	char out[64];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = link_of_key(slice_str(rows[i].text), slice_str(rows[i].key), out,
				       sizeof(out));
		assert_int_equal(n, strlen(rows[i].link));
		assert_true(n == 0 || strcmp(out, rows[i].link) == 0);
	}
	assert_int_equal(link_of_key(SLICE("https://x/{key}"), SLICE("PAY-1"), out, 15), 0);
	assert_int_equal(link_of_key(SLICE("https://x/{key}"), SLICE("PAY"), out, 20), 13);
}

TEST(test_a_page_is_a_web_address_of_plain_characters_that_ends_in_a_slash)
{
	static const struct {
		const char *text;
		bool is_page;
	} rows[] = {
		{"https://poker.example/", true},
		{"http://192.0.2.7:2938/", true},
		{"https://[2001:db8::7]:2938/", true},
		{"https://example.org/poker/", true},
		{"https://poker.example", false},
		{"https:///", false},
		{"http://", false},
		{"https://", false},
		{"", false},
		{"javascript://x/", false},
		{"https://poker.example/#/", false},
		{"https://poker.example/?a=/", false},
		{"https://poker.example/ /", false},
		{"https://poker.example/\x1b[2J/", false},
		{"https://p\xc3\xb6ker.example/", false},
		{"https://poker.example/\"onclick=/", false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(link_is_page(slice_str(rows[i].text)), rows[i].is_page);
	}
	char longest[MAX_WEB_BYTES + 1] = "https://";
	memset(longest + 8, 'a', sizeof(longest) - 8);
	longest[MAX_WEB_BYTES - 1] = '/';
	assert_true(link_is_page(slice_of(longest, MAX_WEB_BYTES)));
	longest[MAX_WEB_BYTES - 1] = 'a';
	longest[MAX_WEB_BYTES] = '/';
	assert_false(link_is_page(slice_of(longest, MAX_WEB_BYTES + 1)));
}

TEST(test_a_page_opens_at_what_its_fragment_names)
{
	char out[64];
	assert_int_equal(link_of_page(SLICE("https://x/"), SLICE("K7QX3M"), out, sizeof(out)), 17);
	assert_string_equal(out, "https://x/#K7QX3M");
	assert_int_equal(link_of_page(SLICE("https://x/"), SLICE("K7QX3M"), out, 18), 17);
	assert_int_equal(link_of_page(SLICE("https://x/"), SLICE("K7QX3M"), out, 17), 0);
	assert_string_equal(out, "");
	assert_int_equal(link_of_page((struct slice){0}, SLICE("K7QX3M"), out, sizeof(out)), 0);
}
