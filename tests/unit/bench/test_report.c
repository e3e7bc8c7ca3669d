/*
 * test_report.c - what is said of what was measured, and what is not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/report.h"
#include "tests/support/test.h"

/* One contender whose figure is at most 10 to be met, in so many rounds. */
static void measure(struct outcome *out, struct cell *cell, unsigned rounds, double figure)
{
	memset(out, 0, sizeof(*out));
	memset(cell, 0, sizeof(*cell));
	cell->targets[0].what = "something";
	cell->targets[0].ours = "aye";
	cell->targets[0].to_reach = 10;
	cell->id = "1";
	cell->title = "a cell";
	cell->contenders[0].name = "aye";
	out->cell = cell;
	out->rounds = rounds;
	out->is_chosen[0] = out->is_there[0] = true;
	for (unsigned i = 0; i < rounds; i++) {
		out->samples[0][i].is_done = true;
		out->samples[0][i].figures[cell->targets[0].figure] = figure;
	}
}

static void expect_told(unsigned rounds, double figure, const char *verdict, const char *json)
{
	static struct outcome out;
	static struct cell cell;
	char *text = NULL;
	size_t len = 0;
	measure(&out, &cell, rounds, figure);
	FILE *f = open_memstream(&text, &len);
	assert_non_null(f);
	report_summary(f, &out, 1);
	report_json(f, &out);
	assert_int_equal(fclose(f), 0);
	assert_non_null(strstr(text, verdict));
	assert_non_null(strstr(text, json));
	free(text);
}

TEST(test_rounds_give_a_verdict)
{
	expect_told(2, 9, "| met |\n", "\"is_met\":true");
	expect_told(3, 11, "| **not met** |\n", "\"is_met\":false");
}

TEST(test_a_single_round_gives_none)
{
	expect_told(1, 9, "| one round |\n", "\"is_met\":null");
	expect_told(1, 11, "| one round |\n", "\"is_met\":null");
}

TEST(test_what_was_not_measured_is_said)
{
	expect_told(0, 0, "| not measured |\n", "\"is_met\":null");
}
