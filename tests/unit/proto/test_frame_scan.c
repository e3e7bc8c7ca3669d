/*
 * test_frame_scan.c - bytes from a stranger, up to where they are a message.
 *
 * Every row runs whole, byte by byte and at every split.
 */
#include "tests/unit/proto/frames.h"

/* ---- bytes that are refused before anything is decoded ---- */

static const struct {
	struct slice bytes;
	enum outcome want;
	const char *field;
} byte_rows[] = {
	{BYTES(""), MORE, NULL},
	{BYTES("\x94"), MORE, NULL},
	{BYTES("\x94\x00"), MORE, NULL},
	{BYTES("\xda"), MORE, NULL},
	{BYTES("\xda\x00"), MORE, NULL},
	{BYTES("\xdb\x00\x00\x00"), MORE, NULL},
	{BYTES("\xd9\x05hell"), MORE, NULL},
	{BYTES("\xcf\x00\x00\x00"), MORE, NULL},
	{BYTES("\xcb"), MORE, NULL},
	{BYTES("\xc4\x02z"), MORE, NULL},
	{BYTES("\xdc\x00"), MORE, NULL},
	{BYTES("\xdd\x00\x00\x00"), MORE, NULL},
	{BYTES("\x81\xa1z"), MORE, NULL},
	{BYTES("GET / HTTP/1.1\r\n\r\n"), NO_MESSAGE, NULL},
	{BYTES("SSH-2.0-OpenSSH_9.2\r\n"), NO_MESSAGE, NULL},
	{BYTES("\x16\x03\x01\x02\x00\x01\x00"), NO_MESSAGE, NULL},
	{BYTES("\xc1"), BROKEN, NULL},
	{BYTES("\xc7\x00\x01"), NO_MESSAGE, NULL},
	{BYTES("\xc7\x05"), MORE, NULL},
	{BYTES("\xd8\x01zzz"), MORE, NULL},
	{BYTES("\x94\xc1"), BROKEN, NULL},
	{BYTES("\x94\x00\x01\xa1z\xc1"), BROKEN, NULL},
	{BYTES("\x81\xc1"), BROKEN, NULL},
	{BYTES("\x81\xa1z\xd4\x01\x02"), NO_MESSAGE, NULL},
	{BYTES("\xa1\xff"), NO_MESSAGE, NULL},
	{BYTES("\xa2\xc3\x28"), NO_MESSAGE, NULL},
	{BYTES("\xd9\x01\x80"), NO_MESSAGE, NULL},
	/* Text that is no UTF-8, where it may stand. */
	{BYTES("\x94\x00\x01\xa7room.g\xff\x91\x80"), UNKNOWN, NULL},
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\xa7room_id\xa6K7QX3\xff"), REFUSED, "room_id"},
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\xa3r\xffm\xa6K7QX3M"), REFUSED, "r\xef\xbf\xbdm"},
	/* Counts and lengths that cannot be meant. */
	{BYTES("\xdd\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\xdd\x20\x00\x00\x00"), LARGE, NULL},
	{BYTES("\xdd\x00\x00\x80\x00"), LARGE, NULL},
	{BYTES("\xdc\xff\xff"), LARGE, NULL},
	{BYTES("\xdc\x80\x00"), LARGE, NULL},
	{BYTES("\xdf\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\xdf\x80\x00\x00\x00"), LARGE, NULL},
	{BYTES("\xdf\x00\x00\x40\x00"), LARGE, NULL},
	{BYTES("\xde\xff\xff"), LARGE, NULL},
	{BYTES("\xde\x40\x00"), LARGE, NULL},
	{BYTES("\xdb\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\xdb\x00\x01\x00\x00"), LARGE, NULL},
	{BYTES("\xdb\x00\x00\xff\xfc"), LARGE, NULL},
	{BYTES("\xc6\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\xc9\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\xc9\x00\x00\xff\xfb\x01"), LARGE, NULL},
	{BYTES("\xc8\xff\xfe\x01"), LARGE, NULL},
	{BYTES("\xc6\x00\x01\x00\x00"), LARGE, NULL},
	{BYTES("\xc5\xff\xff"), LARGE, NULL},
	{BYTES("\xda\xff\xff"), LARGE, NULL},
	{BYTES("\x94\x00\x01\xa9room.vote\xdd\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\x94\x00\x01\xa9room.vote\x91\xdf\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\x94\x00\x01\xdb\xff\xff\xff\xff"), LARGE, NULL},
	{BYTES("\x93\x02\xa1z\x91\xdb\x7f\xff\xff\xff"), LARGE, NULL},
	/* Each header alone would do; together they announce too much. */
	{BYTES("\x92\xdc\x7f\xf0\xdc\x7f\xf0"), LARGE, NULL},
	{BYTES("\x92\xdc\x00\x01\xc0\xdc\x7f\xfd"), LARGE, NULL},
	{BYTES("\xdc\x40\x00\xdc\x40\x00"), LARGE, NULL},
	/* A byte more than seventeen deep. */
	{BYTES("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91"), LARGE,
	 NULL},
	{BYTES("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x90"), LARGE,
	 NULL},
	{BYTES("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x80"), LARGE,
	 NULL},
	{BYTES("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\xc0"), NO_MESSAGE,
	 NULL},
	/* Values that are no message. */
	{BYTES("\xc0"), NO_MESSAGE, NULL},
	{BYTES("\x00"), NO_MESSAGE, NULL},
	{BYTES("\xc3"), NO_MESSAGE, NULL},
	{BYTES("\xa0"), NO_MESSAGE, NULL},
	{BYTES("\x80"), NO_MESSAGE, NULL},
	{BYTES("\x90"), NO_MESSAGE, NULL},
	{BYTES("\xc4\x00"), NO_MESSAGE, NULL},
	{BYTES("\xca\x00\x00\x00\x00"), NO_MESSAGE, NULL},
	{BYTES("\x94\xcb\x00\x00\x00\x00\x00\x00\x00\x00\x01\xa1z\x90"), NO_MESSAGE, NULL},
	{BYTES("\x94\x00\xcf\x00\x00\x00\x01\x00\x00\x00\x00\xa1z\x90"), NO_MESSAGE, NULL},
	{BYTES("\x94\x00\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xa1z\x90"), NO_MESSAGE, NULL},
	{BYTES("\x94\x00\x01\xc4\x09room.vote\x90"), ANSWERABLE, NULL},
	{BYTES("\x94\x00\x01\xa9room.vote\xc4\x00"), ANSWERABLE, NULL},
	/* Binary where text belongs, keys that are no strings, integers from beyond. */
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\xa7room_id\xc4\x06K7QX3M"), REFUSED, "room_id"},
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\xc4\x07room_id\xa6K7QX3M"), REFUSED, ""},
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\x01\xa6K7QX3M"), REFUSED, ""},
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\xc0\xc0"), REFUSED, ""},
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\x90\xc0"), REFUSED, ""},
	{BYTES("\x94\x00\x01\xa8room.get\x91\x81\xa8room_id\x00\xa6K7QX3M"), REFUSED,
	 "room_id\xef\xbf\xbd"},
	{BYTES("\x94\x00\x01\xadsession."
	       "hello\x91\x82\xa8protocol\xcf\x80\x00\x00\x00\x00\x00\x00\x01"
	       "\xa6"
	       "client\xa1z"),
	 REFUSED, "protocol"},
	{BYTES("\x94\x00\x01\xadsession.hello\x91\x82\xa8protocol\xca\x3f\xc0\x00\x00\xa6"
	       "client\xa1z"),
	 REFUSED, "protocol"},
};

FRAME_TEST(test_bytes_that_are_no_request_are_refused, f)
{
	for (size_t i = 0; i < sizeof(byte_rows) / sizeof(byte_rows[0]); i++) {
		check(f, byte_rows[i].bytes, byte_rows[i].want, byte_rows[i].field);
	}
}

FRAME_TEST(test_a_type_that_is_none_is_refused_wherever_it_stands, f)
{
	static const struct slice before[] = {
		BYTES(""),
		BYTES("\x94\x00\x01"),
		BYTES("\x94\x00\x01\xa9room.vote\x91"),
		BYTES("\x94\x00\x01\xa9room.vote\x91\x81"),
		BYTES("\x94\x00\x01\xa9room.vote\x91\x81\xa4vote"),
		BYTES("\x94\x00\x01\xa9room.vote\x91\x81\xa4vote\x92\xc0"),
	};
	for (size_t j = 0; j < sizeof(before) / sizeof(before[0]); j++) {
		char frame[64];
		memcpy(frame, before[j].data, before[j].len);
		frame[before[j].len] = (char)0xc1;
		check(f, slice_of(frame, before[j].len + 1), BROKEN, NULL);
	}
}

FRAME_TEST(test_text_that_is_no_utf8_is_refused_by_its_field_in_every_length, f)
{
	static const struct slice bad[] = {
		BYTES("\x80"),		   /* a tail alone */
		BYTES("\xbf"),		   /* */
		BYTES("\xc0\x80"),	   /* NUL, too long a form */
		BYTES("\xc1\xbf"),	   /* */
		BYTES("\xc3"),		   /* cut */
		BYTES("\xc3("),		   /* no tail */
		BYTES("\xe0\x80\x80"),	   /* too long a form */
		BYTES("\xe0\x9f\xbf"),	   /* */
		BYTES("\xe2\x82"),	   /* cut */
		BYTES("\xe2(\xa1"),	   /* no tail in the middle */
		BYTES("\xe2\x82("),	   /* no tail at the end */
		BYTES("\xed\xa0\x80"),	   /* surrogate */
		BYTES("\xed\xbf\xbf"),	   /* surrogate */
		BYTES("\xf0\x80\x80\x80"), /* too long a form */
		BYTES("\xf0\x8f\xbf\xbf"), /* */
		BYTES("\xf0\x9f\x98"),	   /* cut */
		BYTES("\xf4\x90\x80\x80"), /* above U+10FFFF */
		BYTES("\xf5\x80\x80\x80"), /* */
		BYTES("\xfe"),		   /* never */
		BYTES("12345678\xff"),	   /* behind a run of ASCII */
	};
	static const struct slice before =
		BYTES("\x94\x00\x01\xa9room.vote\x91\x82\xa7room_id\xa6K7QX3M\xa4vote");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		size_t n = bad[i].len;
		for (unsigned form = 0; form < 4; form++) {
			char frame[64];
			size_t at = before.len;
			memcpy(frame, before.data, before.len);
			if (form == 0) {
				frame[at++] = (char)(0xa0 | n);
			} else {
				frame[at++] = (char)(0xd8 + form);
				for (unsigned zero = 1; zero < 1U << (form - 1); zero++) {
					frame[at++] = 0;
				}
				frame[at++] = (char)n;
			}
			memcpy(frame + at, bad[i].data, n);
			check(f, slice_of(frame, at + n), REFUSED, "vote");
		}
	}
}

FRAME_TEST(test_a_message_cut_anywhere_waits_for_the_rest, f)
{
	static const struct slice vote = BYTES("\x94\x00\xcd\x01\x02\xa9room.vote\x91\x83\xa7room_"
					       "id\xa6K7QX3M\xa4vote\xa3\xe2\x88\x9e"
					       "\xafidempotency_key\xb0"
					       "0123456789abcdef");
	for (size_t len = 0; len < vote.len; len++) {
		check(f, slice_of(vote.data, len), MORE, NULL);
	}
	check(f, vote, TAKEN, NULL);
}

TEST(test_what_follows_a_message_is_left_alone)
{
	static const struct slice two = BYTES("\x93\x02\xa1z\x90\xc1\xc1\xff");
	size_t len;
	assert_int_equal(scan_every_way(two, MAX_FRAME_BYTES, &len), OK);
	assert_int_equal(len, 5);
}

FRAME_TEST(test_nesting_of_a_thousand_is_too_large_at_the_seventeenth, f)
{
	char deep[1000];
	memset(deep, 0x91, sizeof(deep));
	check(f, slice_of(deep, sizeof(deep)), LARGE, NULL);
	check(f, slice_of(deep, 16), MORE, NULL);
	memset(deep, 0x81, sizeof(deep));
	check(f, slice_of(deep, 16), MORE, NULL);
	check(f, slice_of(deep, 17), LARGE, NULL);
}

/* A string of n bytes in an array of one, as long as the frame is then. */
static char *string_frame(size_t n, size_t *len)
{
	char *frame = malloc(n + 6);
	assert_non_null(frame);
	const unsigned char head[] = {
		0x91, 0xdb, 0, (unsigned char)(n >> 16), (unsigned char)(n >> 8), (unsigned char)n};
	memcpy(frame, head, sizeof(head));
	memset(frame + sizeof(head), 'z', n);
	*len = n + sizeof(head);
	return frame;
}

FRAME_TEST(test_a_frame_of_exactly_the_limit_passes_and_one_more_byte_does_not, f)
{
	size_t len;
	char *frame = string_frame(MAX_FRAME_BYTES - 6, &len);
	assert_int_equal(len, MAX_FRAME_BYTES);
	check(f, slice_of(frame, len), NO_MESSAGE, NULL);
	free(frame);
	frame = string_frame(MAX_FRAME_BYTES - 5, &len);
	check(f, slice_of(frame, len), LARGE, NULL);
	check(f, slice_of(frame, 6), LARGE, NULL);
	free(frame);
}

/* Nothing fits behind it, so it is refused at the limit: a buffer of that size would never have more. */
FRAME_TEST(test_a_frame_that_fills_the_limit_and_is_not_whole_is_too_large, f)
{
	size_t len;
	char *frame = string_frame(MAX_FRAME_BYTES - 6, &len);
	frame[0] = '\x92';
	check(f, slice_of(frame, len), LARGE, NULL);
	free(frame);
}

/* At its header, not when the peer has sent what fits. */
TEST(test_more_values_than_bytes_that_are_left_are_too_large_at_once)
{
	static const struct slice fits = BYTES("\xdc\x0f\xfd"), fits_not = BYTES("\xdc\x0f\xfe");
	size_t len;
	assert_int_equal(scan_every_way(fits, MAX_FRAME_BYTES_GUEST, &len), ERR_MORE);
	assert_int_equal(scan_every_way(fits_not, MAX_FRAME_BYTES_GUEST, &len), ERR_TOO_LARGE);
}

TEST(test_a_guest_has_the_smaller_limit)
{
	size_t len, got;
	char *frame = string_frame(MAX_FRAME_BYTES_GUEST - 5, &len);
	assert_int_equal(scan_every_way(slice_of(frame, len), MAX_FRAME_BYTES_GUEST, &got),
			 ERR_TOO_LARGE);
	assert_int_equal(scan_every_way(slice_of(frame, len), MAX_FRAME_BYTES, &got), OK);
	free(frame);
}

/* An array of arrays: n values in all. */
static size_t many_values(unsigned char *frame, size_t n)
{
	size_t inner = n - 1;
	frame[0] = 0xdd;
	for (size_t i = 0; i < 4; i++) {
		frame[1 + i] = (unsigned char)(inner >> (24 - 8 * i));
	}
	memset(frame + 5, 0xc0, inner);
	return inner + 5;
}

FRAME_TEST(test_as_many_values_as_the_limit_pass_and_one_more_does_not, f)
{
	unsigned char frame[MAX_FRAME_NODES + 16];
	size_t len = many_values(frame, MAX_FRAME_NODES);
	check(f, slice_of(frame, len), NO_MESSAGE, NULL);
	len = many_values(frame, MAX_FRAME_NODES + 1);
	check(f, slice_of(frame, len), LARGE, NULL);
}

TEST(test_a_larger_frame_may_have_more_values)
{
	static unsigned char frame[MAX_FRAME_NODES * 2 + 16];
	size_t len = many_values(frame, MAX_FRAME_NODES * 2), got;
	assert_int_equal(scan_every_way(slice_of(frame, len), MAX_FRAME_BYTES * 2, &got), OK);
	len = many_values(frame, MAX_FRAME_NODES * 2 + 1);
	assert_int_equal(scan_every_way(slice_of(frame, len), MAX_FRAME_BYTES * 2, &got),
			 ERR_TOO_LARGE);
}

/* Every byte is read a bounded number of times, however the bytes arrive. */
TEST(test_a_string_that_trickles_in_is_checked_once)
{
	size_t len;
	char *frame = string_frame(60000, &len);
	struct frame_scan scan;
	frame_scan_init(&scan);
	for (size_t have = 1; have < len; have++) {
		assert_int_equal(frame_scan_value(&scan, slice_of(frame, have), MAX_FRAME_BYTES),
				 ERR_MORE);
		assert_int_equal(scan.at, have == 0 ? 0 : 1);
	}
	assert_int_equal(frame_scan_value(&scan, slice_of(frame, len), MAX_FRAME_BYTES), OK);
	assert_int_equal(frame_scan_value(&scan, slice_of(frame, len), MAX_FRAME_BYTES), OK);
	free(frame);
}

FRAME_TEST(test_at_least_two_hundred_bad_frames_were_tried, f)
{
	assert_true(f->frames >= 200);
}

/* {"a": {"b": 1, "account": 2}, "account": "account", "n": [1, "x"]} */
static const char map_with_account[] = "\x83\xa1"
				       "a"
				       "\x82\xa1"
				       "b"
				       "\x01\xa7"
				       "account"
				       "\x02"
				       "\xa7"
				       "account"
				       "\xa7"
				       "account"
				       "\xa1"
				       "n"
				       "\x92\x01\xa1"
				       "x";

TEST(a_key_is_found_at_the_top_of_a_map_alone)
{
	struct slice map = slice_of(map_with_account, sizeof(map_with_account) - 1);
	assert_true(frame_scan_map_has(map, SLICE("a")));
	assert_true(frame_scan_map_has(map, SLICE("account")));
	assert_true(frame_scan_map_has(map, SLICE("n")));
	assert_false(frame_scan_map_has(map, SLICE("b")));
	assert_false(frame_scan_map_has(map, SLICE("x")));
	assert_false(frame_scan_map_has(map, SLICE("ccount")));
	assert_false(frame_scan_map_has(map, SLICE("accounts")));
	assert_false(frame_scan_map_has((struct slice){0}, SLICE("a")));
	assert_false(frame_scan_map_has(SLICE("\x80"), SLICE("a")));
	assert_false(frame_scan_map_has(SLICE("\xa1"
					      "a"),
					SLICE("a")));
}

TEST(a_key_beyond_the_cut_of_a_map_is_not_there)
{
	const size_t whole = sizeof(map_with_account) - 1;
	const size_t key_ends = 16 + 8; /* "a" and its value stand in front */
	for (size_t len = 0; len <= whole; len++) {
		char *copy = malloc(len + 1); /* so that a read too far is seen */
		assert_non_null(copy);
		memcpy(copy, map_with_account, len);
		bool has = frame_scan_map_has(slice_of(copy, len), SLICE("account"));
		assert_true(has == (len > key_ends)); /* a key without its value is none */
		free(copy);
	}
}

TEST(every_key_is_found_with_the_map_it_is_in)
{
	/* {"a": {"b": 1, "c": []}, "d": [{"a": "b"}], "": {}} */
	static const char value[] = "\x83\xa1"
				    "a\x82\xa1"
				    "b\x01\xd9\x01"
				    "c\x90\xa1"
				    "d\x91\x81\xa1"
				    "a\xa1"
				    "b\xa0\x80";
	const struct frame_scan_key expected[] = {{1, SLICE("a")}, {2, SLICE("b")}, {2, SLICE("c")},
						  {1, SLICE("d")}, {3, SLICE("a")}, {1, SLICE("")}};
	enum { N = sizeof(expected) / sizeof(expected[0]), LEN = sizeof(value) - 1 };
	struct frame_scan_key keys[N];
	assert_int_equal(frame_scan_keys(slice_of(value, LEN), keys, N), N);
	for (size_t i = 0; i < N; i++) {
		assert_int_equal(keys[i].map, expected[i].map);
		assert_true(slice_eq(keys[i].text, expected[i].text));
	}
	keys[1].map = 99;
	assert_int_equal(frame_scan_keys(slice_of(value, LEN), keys, 1), N);
	assert_int_equal(keys[1].map, 99); /* beyond what there is room for */
	for (size_t len = 0; len < LEN; len++) {
		char *copy = malloc(len + 1); /* so that a read too far is seen */
		assert_non_null(copy);
		memcpy(copy, value, len);
		assert_in_range(frame_scan_keys(slice_of(copy, len), keys, N), 0, N);
		free(copy);
	}
}

int main(void)
{
	return test_run(fixture_open, fixture_close);
}
