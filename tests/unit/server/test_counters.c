/*
 * test_counters.c - the rows of the metrics keep the rules of their names, and what
 * is counted of requests says how each of them ended.
 */
#include <ctype.h>
#include <stdlib.h>

#include "tests/unit/server/table.h"

static bool ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);
	return n >= m && strcmp(name + n - m, end) == 0;
}

/* https://prometheus.io/docs/practices/naming/ */
TEST(test_names_say_type_and_unit)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric_row *row = &metric_rows[i];
		bool is_counter = row->type == METRIC_COUNTER;
		bool is_histogram = row->shape == METRIC_HISTOGRAM;
		assert_int_equal(ends_in(row->name, "_total"), is_counter);
		assert_int_equal(ends_in(row->name, is_counter ? "_seconds_total" : "_seconds"),
				 row->unit == METRIC_SECONDS);
		assert_int_equal(ends_in(row->name, is_counter ? "_bytes_total" : "_bytes"),
				 row->unit == METRIC_BYTES);
		assert_int_equal(row->type == METRIC_TIME || row->type == METRIC_SIZE,
				 is_histogram);
		for (const char *c = row->name; *c != '\0'; c++) {
			assert_true(islower((unsigned char)*c) || *c == '_');
		}
		assert_null(strpbrk(row->help, "\\\n"));
		for (size_t j = 0; j < i; j++) {
			assert_string_not_equal(metric_rows[j].name, row->name);
		}
	}
}

/* However much is counted, the answer fits. */
TEST(test_the_largest_counts_fit_into_an_answer)
{
	struct counters all;
	struct buf b = {.max = COUNTERS_BYTES_MAX};
	memset(&all, 0x7f, sizeof(all));
	counters_write(&all, &b);
	assert_int_equal(b.error, OK);
	assert_in_range(b.len, 1, record_field(&record_stats_result, SLICE("counters"))->max);
	buf_finish(&b);
}

TEST(test_a_value_is_counted_in_the_first_bucket_that_holds_it)
{
	struct histogram h = {0};
	histogram_add(&h, HISTOGRAM_TIME, 0);
	histogram_add(&h, HISTOGRAM_TIME, 100);
	histogram_add(&h, HISTOGRAM_TIME, 101);
	histogram_add(&h, HISTOGRAM_TIME, 1000000);
	histogram_add(&h, HISTOGRAM_TIME, 1000001);
	assert_int_equal(h.counts[0], 2);
	assert_int_equal(h.counts[1], 1);
	assert_int_equal(h.counts[HISTOGRAM_BOUNDS - 1], 1);
	assert_int_equal(h.counts[HISTOGRAM_BOUNDS], 1);
	assert_int_equal(h.sum, 2000202);
	for (int kind = 0; kind < HISTOGRAM_KINDS; kind++) {
		for (size_t i = 0; i < HISTOGRAM_BOUNDS; i++) {
			double unit = kind == HISTOGRAM_TIME ? 1e6 : 1;
			assert_true(strtod(histogram_bound_texts[kind][i], NULL) * unit ==
				    (double)histogram_bounds[kind][i]);
			assert_true(i == 0 ||
				    histogram_bounds[kind][i] > histogram_bounds[kind][i - 1]);
		}
	}
}

static uint64_t answered(struct table *t, enum method method, enum outcome outcome)
{
	return server_counters(t->r.server)->requests[method][outcome];
}

TABLE_TEST(test_requests_are_counted_by_how_they_ended, t)
{
	struct counters *c = server_counters(t->r.server);
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_int_equal(answered(t, METHOD_ROOM_VOTE, OUTCOME_OK), 1);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'no such card'"),
			    "VALIDATION_ERROR vote");
	assert_int_equal(answered(t, METHOD_ROOM_VOTE, OUTCOME_REFUSED), 1);
	assert_int_equal(c->refusals[FAULT_VALIDATION_ERROR], 1);
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'8'"), "UNAVAILABLE");
	assert_int_equal(answered(t, METHOD_ROOM_VOTE, OUTCOME_OK), 1);
	assert_int_equal(answered(t, METHOD_ROOM_VOTE, OUTCOME_FAILED), 1);
	assert_int_equal(c->refusals[FAULT_UNAVAILABLE], 1);
	assert_string_equal(rig_code(t->bob, "dance", RIG_NONE), "UNKNOWN_METHOD");
	assert_int_equal(answered(t, METHOD_COUNT, OUTCOME_REFUSED), 1);
	assert_string_equal(rig_code(t->bob, "server.ping", "'x':1"), "VALIDATION_ERROR x");
	assert_int_equal(answered(t, METHOD_SERVER_PING, OUTCOME_REFUSED), 1);
	rig_must(t->bob, "server.ping", RIG_NONE);
	assert_int_equal(answered(t, METHOD_SERVER_PING, OUTCOME_OK), 1);
	assert_string_equal(rig_code(t->bob, "stats.get", RIG_NONE), "UNAUTHENTICATED");
	assert_int_equal(answered(t, METHOD_STATS_GET, OUTCOME_REFUSED), 1);
}
