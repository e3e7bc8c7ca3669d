/*
 * test_course.c - a server's course is flat, or has grown, or is too short; and how it is written down.
 */
#include <string.h>

#include "tests/soak/course.h"
#include "tests/support/test.h"

#define LIFE 300 /* samples: thirds of 100 */

/* A life that is flat, each second the same. */
static void add_life(struct course *c, unsigned life, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double at_s = (double)c->samples_n;
		struct course_sample s = {.at_s = at_s, .life = life};
		s.figures[COURSE_MEMORY] = 50000;
		s.figures[COURSE_DESCRIPTORS] = 60;
		s.figures[COURSE_KEPT] = 100 * at_s;
		s.figures[COURSE_DISK] = 1000 + 20 * at_s;
		assert_int_equal(course_add_sample(c, &s), OK);
	}
}

static struct course_judgement judged(const struct course *c)
{
	struct course_judgement j;
	course_judge(c, &j);
	return j;
}

#define COURSE_TEST(name, c) TEST_OF(name, struct course, c, course_init(c), course_finish(c))

COURSE_TEST(test_what_stays_as_it_is_is_flat, c)
{
	add_life(c, 1, LIFE);
	struct course_judgement j = judged(c);
	assert_int_equal(j.memory, COURSE_FLAT);
	assert_int_equal(j.descriptors, COURSE_FLAT);
	assert_int_equal(j.disk, COURSE_FLAT);
	assert_true(j.bytes_a_change[1] > 204 && j.bytes_a_change[1] < 206);
}

COURSE_TEST(test_the_first_third_of_a_life_is_for_warming_up, c)
{
	add_life(c, 1, LIFE);
	for (size_t i = 0; i < LIFE / 3; i++) {
		c->samples[i].figures[COURSE_MEMORY] = 100;
		c->samples[i].figures[COURSE_DESCRIPTORS] = 1;
	}
	assert_int_equal(judged(c).memory, COURSE_FLAT);
	assert_int_equal(judged(c).descriptors, COURSE_FLAT);
}

COURSE_TEST(test_memory_that_grows_is_seen, c)
{
	add_life(c, 1, LIFE);
	for (size_t i = 0; i < LIFE; i++) {
		c->samples[i].figures[COURSE_MEMORY] += 25 * (double)i; /* 2,500 kB a third */
	}
	assert_int_equal(judged(c).memory, COURSE_GREW);
	assert_int_equal(judged(c).descriptors, COURSE_FLAT);
}

COURSE_TEST(test_what_a_crowd_leaves_behind_is_no_growth, c)
{
	add_life(c, 1, LIFE);
	for (size_t i = 0; i < LIFE; i++) {
		c->samples[i].figures[COURSE_MEMORY] = i < LIFE - LIFE / 3 ? 11500 : 13000;
	}
	assert_int_equal(judged(c).memory, COURSE_FLAT);
	for (size_t i = 0; i < LIFE; i++) {
		c->samples[i].figures[COURSE_MEMORY] = 11500 + 22 * (double)i;
	}
	assert_int_equal(judged(c).memory, COURSE_GREW); /* 2,200 kB a third */
}

COURSE_TEST(test_a_peak_of_memory_is_no_growth, c)
{
	add_life(c, 1, LIFE);
	for (size_t i = LIFE - 40; i < LIFE; i++) {
		c->samples[i].figures[COURSE_MEMORY] = 90000;
	}
	assert_int_equal(judged(c).memory, COURSE_FLAT);
}

COURSE_TEST(test_one_descriptor_that_is_not_closed_is_seen_among_many_that_are, c)
{
	add_life(c, 1, LIFE);
	for (size_t i = 0; i < LIFE; i++) {
		c->samples[i].figures[COURSE_DESCRIPTORS] += (i / 7 % 3 == 0 ? 200 : 0) + (i > 199);
	}
	assert_int_equal(judged(c).descriptors, COURSE_GREW);
}

static void add_to_disk(struct course *c, size_t from, double kb)
{
	for (size_t i = from; i < c->samples_n; i++) {
		c->samples[i].figures[COURSE_DISK] += kb;
	}
}

COURSE_TEST(test_a_disk_may_grow_by_what_is_kept_and_not_by_more, c)
{
	add_life(c, 1, LIFE);
	for (size_t i = LIFE / 3 + 1; i < LIFE; i++) {
		add_to_disk(c, i, 15);
	}
	assert_int_equal(judged(c).disk, COURSE_GREW);
}

/* Once, a tenth; not again and again. */
COURSE_TEST(test_what_a_backup_keeps_from_being_used_again_is_no_growth, c)
{
	add_life(c, 1, LIFE);
	add_to_disk(c, LIFE - 20, 600);
	assert_int_equal(judged(c).disk, COURSE_FLAT);
	add_to_disk(c, LIFE - 10, 2000);
	assert_int_equal(judged(c).disk, COURSE_GREW);
}

COURSE_TEST(test_what_another_life_had_is_not_compared, c)
{
	add_life(c, 1, LIFE);
	for (size_t i = 0; i < LIFE; i++) {
		c->samples[i].figures[COURSE_MEMORY] = 10;
	}
	add_life(c, 2, LIFE);
	assert_int_equal(judged(c).memory, COURSE_FLAT);
}

COURSE_TEST(test_a_short_life_tells_nothing, c)
{
	assert_int_equal(judged(c).memory, COURSE_SHORT);
	add_life(c, 1, LIFE);
	add_life(c, 2, 3 * COURSE_SAMPLES_MIN - 1);
	assert_int_equal(judged(c).memory, COURSE_SHORT);
	assert_int_equal(judged(c).descriptors, COURSE_SHORT);
	assert_int_equal(judged(c).disk, COURSE_SHORT);
	add_life(c, 2, 1);
	assert_int_equal(judged(c).disk, COURSE_FLAT);
}

static size_t count(const struct buf *text, const char *what)
{
	size_t n = 0;
	for (const char *at = text->data; (at = strstr(at, what)) != NULL; at++) {
		n++;
	}
	return n;
}

COURSE_TEST(test_all_of_it_is_written_and_drawn, c)
{
	struct buf json, svg;
	buf_init(&json, 1 << 20);
	buf_init(&svg, 1 << 20);
	add_life(c, 1, 2000);
	assert_int_equal(course_add_event(c, 7.25, "killed"), OK);
	course_write_json(c, &json);
	course_write_svg(c, &svg);
	assert_int_equal(buf_append(&json, "", 1), OK);
	assert_int_equal(buf_append(&svg, "", 1), OK);
	assert_int_equal(count(&json, "\"memory_kb\":50000"), 2000);
	assert_int_equal(count(&json, "{\"at_s\":7.2,\"text\":\"killed\"}"), 1);
	assert_int_equal(count(&json, "\"memory\":\"flat\""), 1);
	assert_int_equal(count(&svg, "<polyline "), COURSE_FIGURE_COUNT);
	assert_int_equal(count(&svg, "<title>killed</title>"), 1);
	assert_true(svg.len < 100000); /* as many points as there are pixels */
	buf_finish(&json);
	buf_finish(&svg);
}

COURSE_TEST(test_nothing_at_all_is_drawn_too, c)
{
	struct buf svg;
	buf_init(&svg, 1 << 20);
	course_write_svg(c, &svg);
	assert_int_equal(svg.error, OK);
	buf_finish(&svg);
}
