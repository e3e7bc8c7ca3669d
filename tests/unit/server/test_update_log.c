/*
 * test_update_log.c - the log of a room's updates against a plain list of them.
 */
#include <stdlib.h>

#include "proto/base/buf.h"
#include "server/core/rooms/update_log.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

#define FRAMES_MAX 4000

#define READERS 4

/* The author of some frames, another member, one without shared data, one who is nobody. */
static const struct log_reader readers[READERS] = {
	{.id = 77, .wants_data = true},
	{.id = 78, .wants_data = true},
	{.id = 77, .wants_data = false},
	{.id = 0, .wants_data = true},
};

/* What the log should be: every frame there ever was, and what each reader is to read of it. */
struct model {
	struct buf bytes; /* of all frames, one behind the other: positions are offsets into it */
	struct buf read[READERS];
	size_t ends[FRAMES_MAX];
	size_t read_ends[READERS][FRAMES_MAX];
	int64_t versions[FRAMES_MAX];
	size_t n;
	int64_t version; /* before the first frame */
};

static uint64_t dice;

static uint32_t roll(uint32_t sides)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return sides == 0 ? 0 : (uint32_t)(dice >> 33) % sides;
}

static struct slice random_bytes_into(char *out, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		out[i] = (char)roll(256);
	}
	return slice_of(out, len);
}

/* What stands for the frame with that reader. */
static struct slice variant_of(const struct log_frame *f, const struct log_reader *reader)
{
	if (f->without.len == 0) {
		return f->whole;
	}
	if (!reader->wants_data) {
		return f->without;
	}
	return f->author != 0 && f->author == reader->id ? f->for_author : f->whole;
}

static void append_frame(struct update_log *log, struct model *m, struct log_frame *f,
			 size_t bytes_max)
{
	f->since = m->n == 0 ? m->version : m->versions[m->n - 1];
	f->version = f->since + 1 + roll(3);
	assert_int_equal(buf_append_slice(&m->bytes, f->whole), OK);
	for (size_t i = 0; i < READERS; i++) {
		assert_int_equal(buf_append_slice(&m->read[i], variant_of(f, &readers[i])), OK);
		m->read_ends[i][m->n] = m->read[i].len;
	}
	m->ends[m->n] = m->bytes.len;
	m->versions[m->n++] = f->version;
	assert_true(update_log_append(log, f, bytes_max));
	assert_int_equal(log->end, m->bytes.len);
	assert_true(log->end - log->start <=
		    (bytes_max > f->whole.len ? bytes_max : f->whole.len) + 4096);
}

static void append(struct update_log *log, struct model *m, size_t len, size_t bytes_max)
{
	char frame[20000];
	assert_in_range(len, 1, sizeof(frame));
	struct log_frame f = {.whole = random_bytes_into(frame, len)};
	append_frame(log, m, &f, bytes_max);
}

/* Somebody's change: shorter for its author, shorter still for who wants none of it. */
static void append_data(struct update_log *log, struct model *m, size_t len, size_t bytes_max)
{
	char whole[20000];
	char for_author[20000];
	char without[64];
	assert_in_range(len, 1, sizeof(whole));
	struct log_frame f = {
		.whole = random_bytes_into(whole, len),
		.author = roll(4) == 0 ? 0 : 76 + roll(3),
		.for_author = random_bytes_into(for_author, 1 + roll((uint32_t)len)),
		.without = random_bytes_into(without, 1 + roll(sizeof(without))),
	};
	append_frame(log, m, &f, bytes_max);
}

static void append_any(struct update_log *log, struct model *m, size_t len, size_t bytes_max)
{
	if (roll(3) == 0) {
		append_data(log, m, len, bytes_max);
	} else {
		append(log, m, len, bytes_max);
	}
}

static void model_finish(struct update_log *log, struct model *m)
{
	for (size_t i = 0; i < READERS; i++) {
		buf_finish(&m->read[i]);
	}
	buf_finish(&m->bytes);
	update_log_finish(log);
	free(m);
}

static struct model *model_new(void)
{
	struct model *m = calloc(1, sizeof(*m));
	assert_non_null(m);
	m->bytes.max = SIZE_MAX / 2;
	for (size_t i = 0; i < READERS; i++) {
		m->read[i].max = SIZE_MAX / 2;
	}
	m->version = 7;
	return m;
}

/* Which frame begins at the position; m->n at the end. */
static size_t frame_at(const struct model *m, uint64_t position)
{
	size_t i = 0;
	while (i < m->n && m->ends[i] <= position) {
		i++;
	}
	assert_int_equal(i == 0 ? 0 : m->ends[i - 1], position);
	return i;
}

static uint64_t random_frame(const struct update_log *log, const struct model *m)
{
	uint64_t position = log->start + roll((uint32_t)(log->end - log->start));
	size_t i = 0;
	while (m->ends[i] <= position) {
		i++;
	}
	uint64_t begin = i == 0 ? 0 : m->ends[i - 1];
	return begin >= log->start ? begin : log->start;
}

static void compare(const struct buf *expected, size_t *at, struct slice got)
{
	assert_true(*at + got.len <= expected->len);
	assert_memory_equal(got.data, expected->data + *at, got.len);
	*at += got.len;
}

/* Everything from the position on, with some writes cut, is what that reader is to read. */
static void check_read(const struct update_log *log, const struct model *m, size_t who,
		       uint64_t position, uint32_t cuts_of_10)
{
	size_t first = frame_at(m, position);
	size_t at = first == 0 ? 0 : m->read_ends[who][first - 1];
	while (position < log->end) {
		uint64_t next;
		struct slice run = update_log_next(log, &readers[who], position, &next);
		assert_true(run.len > 0);
		assert_true(next > position);
		if (roll(10) >= cuts_of_10) {
			compare(&m->read[who], &at, run);
			position = next;
		} else {
			struct slice rest;
			size_t n = roll((uint32_t)run.len);
			position = update_log_cut(log, &readers[who], position, n, &rest);
			compare(&m->read[who], &at, slice_of(run.data, n));
			compare(&m->read[who], &at, rest);
		}
		size_t frame = frame_at(m, position);
		assert_int_equal(at, frame == 0 ? 0 : m->read_ends[who][frame - 1]);
	}
	assert_int_equal(position, log->end);
	assert_int_equal(at, m->read[who].len);
}

static void check_finds(const struct update_log *log, const struct model *m)
{
	int64_t last = m->n == 0 ? m->version : m->versions[m->n - 1];
	for (int64_t version = m->version - 1; version <= last + 1; version++) {
		uint64_t expected = UINT64_MAX;
		uint64_t position = UINT64_MAX;
		for (size_t i = 0; i < m->n; i++) {
			if (m->versions[i] == version) {
				expected = m->ends[i];
			}
		}
		expected = version == m->version ? 0 : expected;
		bool is_kept =
			expected != UINT64_MAX && expected >= log->start && log->start < log->end;
		assert_int_equal(update_log_find(log, version, &position), is_kept);
		assert_true(!is_kept || position == expected);
	}
}

static void check(const struct update_log *log, const struct model *m)
{
	for (size_t who = 0; who < READERS && log->start < log->end; who++) {
		check_read(log, m, who, log->start, 0);
		check_read(log, m, who, random_frame(log, m), 0);
		check_read(log, m, who, random_frame(log, m), 5);
	}
	check_finds(log, m);
}

/* ---- tests ---- */

TEST(test_an_empty_log_has_nothing_and_finds_nothing)
{
	struct update_log log = {0};
	uint64_t position;
	assert_false(update_log_find(&log, 0, &position));
	update_log_clear(&log);
	update_log_keep(&log, 0);
	update_log_finish(&log);
}

TEST(test_it_is_a_list_of_frames_whatever_their_sizes)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct update_log log = {0};
		struct model *m = model_new();
		size_t bytes_max = (size_t)1 << (8 + seed % 8);
		dice = seed;
		print_message("seed %d\n", (int)seed);
		for (size_t i = 0; i < 150; i++) {
			size_t len = 1 + roll(roll(10) == 0 ? 9000 : 300);
			append_any(&log, m, len, bytes_max);
			if (i % 10 == 0) {
				check(&log, m);
			}
		}
		check(&log, m);
		model_finish(&log, m);
	}
}

TEST(test_it_keeps_no_more_than_it_may)
{
	struct update_log log = {0};
	struct model *m = model_new();
	dice = 5;
	for (size_t i = 0; i < 3000; i++) {
		append(&log, m, 100, 16384);
	}
	assert_in_range(log.end - log.start + log.variant_bytes, 8192, 16384);
	check(&log, m);
	model_finish(&log, m);
}

TEST(test_a_frame_larger_than_all_it_may_keep_is_kept_alone)
{
	struct update_log log = {0};
	struct model *m = model_new();
	dice = 6;
	append(&log, m, 100, 4096);
	append(&log, m, 20000, 4096);
	assert_int_equal(log.end - log.start, 20000);
	check(&log, m);
	append(&log, m, 10, 4096);
	assert_int_equal(log.end - log.start, 10);
	check(&log, m);
	model_finish(&log, m);
}

TEST(test_clearing_forgets_and_positions_go_on)
{
	struct update_log log = {0};
	struct model *m = model_new();
	dice = 7;
	append(&log, m, 100, 65536);
	update_log_clear(&log);
	assert_int_equal(log.start, 100);
	assert_int_equal(log.end, 100);
	append_data(&log, m, 50, 65536);
	assert_int_equal(log.start, 100);
	check(&log, m);
	model_finish(&log, m);
}

TEST(test_what_shall_stay_stays_and_little_more)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct update_log log = {0};
		struct model *m = model_new();
		dice = seed;
		for (size_t i = 0; i < 200; i++) {
			append_any(&log, m, 1 + roll(500), SIZE_MAX / 2);
			size_t bytes = roll(6000);
			if (roll(5) == 0) {
				uint64_t had = log.end - log.start;
				update_log_keep(&log, bytes);
				assert_true(log.end - log.start >= (had < bytes ? had : bytes));
				assert_true(log.end - log.start < bytes + 4096 + 500);
			}
			check_read(&log, m, roll(READERS), log.start, 1);
		}
		check(&log, m);
		model_finish(&log, m);
	}
}

/* Every byte at which a write may end, within a variant and within a run of plain frames. */
TEST(test_a_write_may_end_at_any_byte_for_any_reader)
{
	struct update_log log = {0};
	struct model *m = model_new();
	dice = 9;
	append(&log, m, 12, 65536);
	append_data(&log, m, 15, 65536);
	append(&log, m, 9, 65536);
	append(&log, m, 7, 65536);
	append_data(&log, m, 20, 65536);
	for (size_t who = 0; who < READERS; who++) {
		uint64_t next;
		struct slice run;
		for (uint64_t position = 0; position < log.end; position = next) {
			run = update_log_next(&log, &readers[who], position, &next);
			for (size_t n = 0; n < run.len; n++) {
				struct slice rest;
				size_t frame = frame_at(m, position);
				size_t at = frame == 0 ? 0 : m->read_ends[who][frame - 1];
				uint64_t cut =
					update_log_cut(&log, &readers[who], position, n, &rest);
				compare(&m->read[who], &at, slice_of(run.data, n));
				compare(&m->read[who], &at, rest);
				frame = frame_at(m, cut);
				assert_int_equal(at, frame == 0 ? 0 : m->read_ends[who][frame - 1]);
			}
		}
	}
	model_finish(&log, m);
}

TEST(test_only_the_author_is_spared_what_it_said)
{
	struct update_log log = {0};
	uint64_t next;
	const struct log_frame f = {.whole = SLICE("whole"),
				    .version = 1,
				    .author = 77,
				    .for_author = SLICE("mine"),
				    .without = SLICE("none")};
	assert_true(update_log_append(&log, &f, 4096));
	static const char *const expected[READERS] = {"mine", "whole", "none", "whole"};
	for (size_t who = 0; who < READERS; who++) {
		assert_true(slice_eq(update_log_next(&log, &readers[who], 0, &next),
				     slice_str(expected[who])));
		assert_int_equal(next, 5);
	}
	update_log_finish(&log);
}

/* A frame without an author is nobody's, also for a reader without a number. */
TEST(test_a_frame_of_nobody_is_whole_for_everybody)
{
	struct update_log log = {0};
	uint64_t next;
	const struct log_frame f = {.whole = SLICE("whole"),
				    .version = 1,
				    .for_author = SLICE("mine"),
				    .without = SLICE("none")};
	assert_true(update_log_append(&log, &f, 4096));
	assert_true(slice_eq(update_log_next(&log, &readers[3], 0, &next), SLICE("whole")));
	assert_true(slice_eq(update_log_next(&log, &readers[0], 0, &next), SLICE("whole")));
	update_log_finish(&log);
}

TEST(test_without_memory_everything_has_fallen_off)
{
	for (size_t nth = 0; nth < 2; nth++) {
		struct update_log log = {0};
		struct model *m = model_new();
		uint64_t position;
		char bytes[5000] = {0};
		struct log_frame frame = {.whole = slice_of(bytes, sizeof(bytes)),
					  .since = 8,
					  .version = 9,
					  .for_author = slice_of(bytes, 10),
					  .without = slice_of(bytes, 5)};
		dice = 8;
		append(&log, m, 4000, 65536);
		heap_fail_nth(nth, false);
		assert_false(update_log_append(&log, &frame, 65536));
		heap_fail_never();
		assert_int_equal(log.end, 9000);
		assert_int_equal(log.start, 9000);
		assert_false(update_log_find(&log, 8, &position));
		frame = (struct log_frame){.whole = slice_of(bytes, 10), .since = 9, .version = 10};
		assert_true(update_log_append(&log, &frame, 65536));
		assert_true(update_log_find(&log, 9, &position));
		assert_int_equal(position, 9000);
		model_finish(&log, m);
	}
}
