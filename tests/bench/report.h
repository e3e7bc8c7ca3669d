/*
 * report.h - what all runs of a cell came to, and how that is told.
 */
#ifndef TESTS_BENCH_REPORT_H
#define TESTS_BENCH_REPORT_H

#include <stdio.h>

#include "tests/bench/cell.h"

/* More than this of a core used by others: the run was disturbed. A server's writes to disk need some too. */
#define OTHERS_MAX 0.08

/* All runs of one cell. */
struct outcome {
	const struct cell *cell;
	unsigned rounds;
	bool is_chosen[CELL_CONTENDERS_MAX];
	bool is_there[CELL_CONTENDERS_MAX]; /* and chosen */
	struct sample samples[CELL_CONTENDERS_MAX][CELL_ROUNDS_MAX];
};

/* Median, least and most of what was measured; n is 0 where nothing was. */
struct spread {
	size_t n;
	double median, least, most;
};

struct verdict {
	struct spread spread;
	bool is_judged; /* by more rounds than one, which may have been any */
	bool is_met;
};

bool sample_is_disturbed(const struct sample *s);

struct spread outcome_figure(const struct outcome *o, size_t contender, enum figure f);
/* n is 0 where one of the two was not measured. */
struct verdict outcome_judge(const struct outcome *o, const struct target *t);
/* Runs that are not done; runs that stayed disturbed. */
unsigned outcome_failed(const struct outcome *o);
unsigned outcome_disturbed(const struct outcome *o);

/* The cell's own table, for people. */
void report_cell(FILE *out, const struct outcome *o);
/* One row for each target of n cells, as a table in Markdown, and how many deliveries were checked. */
void report_summary(FILE *out, const struct outcome *outcomes, size_t n);
/* One JSON object a line: a run, and a target. */
void report_json(FILE *out, const struct outcome *o);

#endif
