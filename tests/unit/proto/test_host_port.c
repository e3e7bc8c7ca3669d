/*
 * test_host_port.c - a host, with brackets or without, and the port behind it.
 */

#include "proto/text/host_port.h"
#include "tests/support/test.h"

TEST(test_a_host_and_its_port_are_told_apart)
{
	static const struct {
		const char *text;
		const char *host; /* NULL: it is none of these forms */
		const char *port; /* NULL: there is none */
	} rows[] = {
		{"poker.example", "poker.example", NULL},
		{"poker.example:80", "poker.example", "80"},
		{"poker.example:", "poker.example", ""},
		{":2937", "", "2937"},
		{"", "", NULL},
		{"a:1:2", "a", "1:2"},
		{"[::1]", "::1", NULL},
		{"[2001:db8::7]:2938", "2001:db8::7", "2938"},
		{"[::1]:", "::1", ""},
		{"[::1", NULL, NULL},
		{"[]", NULL, NULL},
		{"[]:1", NULL, NULL},
		{"[::1]1", NULL, NULL},
		{"[::1].", NULL, NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice host;
		struct slice port;
		bool is_split = host_port_split(slice_str(rows[i].text), &host, &port);
		assert_int_equal(is_split, rows[i].host != NULL);
		if (is_split) {
			assert_true(slice_eq(host, slice_str(rows[i].host)));
			assert_true(slice_eq(port, slice_str(rows[i].port)));
			assert_int_equal(port.data != NULL, rows[i].port != NULL);
		}
	}
}
