/*
 * report.c - medians, ranges and verdicts; see report.h.
 */
#include "tests/bench/report.h"

#include <math.h>
#include <string.h>

#include "tests/bench/stats.h"

#define FIGURE_COLUMNS 20

bool sample_is_disturbed(const struct sample *s)
{
	return s->is_done && (s->others[0] > OTHERS_MAX || s->others[1] > OTHERS_MAX);
}

static struct spread spread_of(double *values, size_t n)
{
	struct spread s = {.n = n};
	if (n > 0) {
		s.median = stats_median(values, n);
		s.least = stats_least(values, n);
		s.most = stats_most(values, n);
	}
	return s;
}

struct spread outcome_figure(const struct outcome *o, size_t contender, enum figure f)
{
	double values[CELL_ROUNDS_MAX];
	size_t n = 0;
	for (unsigned i = 0; i < o->rounds; i++) {
		const struct sample *s = &o->samples[contender][i];
		if (s->is_done && !isnan(s->figures[f])) {
			values[n++] = s->figures[f];
		}
	}
	return spread_of(values, n);
}

static size_t contender_named(const struct outcome *o, const char *name)
{
	size_t i = 0;
	while (o->cell->contenders[i].name != NULL &&
	       strcmp(o->cell->contenders[i].name, name) != 0) {
		i++;
	}
	return i;
}

/* Round by round: what disturbed one run of a round will have disturbed its neighbours. */
struct verdict outcome_judge(const struct outcome *o, const struct target *t)
{
	double values[CELL_ROUNDS_MAX];
	size_t n = 0;
	size_t ours = contender_named(o, t->ours);
	size_t theirs = t->theirs == NULL ? ours : contender_named(o, t->theirs);
	for (unsigned i = 0; i < o->rounds; i++) {
		const struct sample *a = &o->samples[ours][i];
		const struct sample *b = &o->samples[theirs][i];
		double by = t->theirs == NULL ? 1 : b->figures[t->figure];
		if (a->is_done && b->is_done && by > 0 && !isnan(a->figures[t->figure])) {
			values[n++] = a->figures[t->figure] / by;
		}
	}
	struct verdict v = {.spread = spread_of(values, n)};
	v.is_judged = n > 1;
	v.is_met = v.is_judged &&
		   (t->at_least ? v.spread.median >= t->to_reach : v.spread.median <= t->to_reach);
	return v;
}

static unsigned outcome_count(const struct outcome *o, bool (*is_it)(const struct sample *))
{
	unsigned n = 0;
	for (size_t i = 0; o->cell->contenders[i].name != NULL; i++) {
		for (unsigned k = 0; k < o->rounds; k++) {
			n += o->is_there[i] && is_it(&o->samples[i][k]);
		}
	}
	return n;
}

static bool sample_has_failed(const struct sample *s)
{
	return !s->is_done;
}

unsigned outcome_failed(const struct outcome *o)
{
	return outcome_count(o, sample_has_failed);
}

unsigned outcome_disturbed(const struct outcome *o)
{
	return outcome_count(o, sample_is_disturbed);
}

static unsigned outcome_repeats(const struct outcome *o)
{
	unsigned n = 0;
	for (size_t i = 0; o->cell->contenders[i].name != NULL; i++) {
		for (unsigned k = 0; k < o->rounds; k++) {
			const struct sample *s = &o->samples[i][k];
			n += sample_is_disturbed(s) ? s->tries - 1 : 0;
		}
	}
	return n;
}

/* ---- for people ---- */

/* 1234567 as 1,234,567; a few decimals where it is small. */
static void print_number(char *out, size_t cap, double value, int decimals)
{
	char digits[48];
	size_t n = 0;
	(void)snprintf(digits, sizeof(digits), "%.*f", decimals, value);
	size_t whole = strcspn(digits, ".");
	for (size_t i = 0; digits[i] != '\0' && n + 2 < cap; i++) {
		if (i > 0 && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-') {
			out[n++] = ',';
		}
		out[n++] = digits[i];
	}
	out[n] = '\0';
}

/* How far the least and the most are from the median, in percent of it. */
static void print_spread(FILE *out, struct spread s, int decimals)
{
	char median[48];
	char text[96] = "-";
	double percent = s.median > 0 ? 100 / s.median : 0;
	if (s.n > 0) {
		print_number(median, sizeof(median), s.median, decimals);
		(void)snprintf(text, sizeof(text), "%s -%.0f+%.0f%%", median,
			       (s.median - s.least) * percent, (s.most - s.median) * percent);
	}
	(void)fprintf(out, " %*s", FIGURE_COLUMNS, text);
}

static double others_most(const struct outcome *o, size_t contender, int core)
{
	double most = 0;
	for (unsigned i = 0; i < o->rounds; i++) {
		double others = o->samples[contender][i].others[core];
		most = others > most ? others : most;
	}
	return most;
}

static void print_contender(FILE *out, const struct outcome *o, size_t i)
{
	const struct cell *cell = o->cell;
	if (!o->is_chosen[i]) {
		return;
	}
	(void)fprintf(out, "  %-16s", cell->contenders[i].name);
	if (!o->is_there[i]) {
		(void)fprintf(out, " not installed, left out\n");
		return;
	}
	for (size_t f = 0; f < cell->figures_n; f++) {
		print_spread(out, outcome_figure(o, i, cell->figures[f]),
			     figure_rows[cell->figures[f]].decimals);
	}
	(void)fprintf(out, "   %3.0f %%  %3.0f %%\n", 100 * others_most(o, i, 0),
		      100 * others_most(o, i, 1));
}

static void print_troubles(FILE *out, const struct outcome *o)
{
	for (size_t i = 0; o->cell->contenders[i].name != NULL; i++) {
		for (unsigned k = 0; o->is_there[i] && k < o->rounds; k++) {
			const struct sample *s = &o->samples[i][k];
			const char *name = o->cell->contenders[i].name;
			if (!s->is_done) {
				(void)fprintf(out, "  FAILED: %s, round %u: %s\n", name, k + 1,
					      s->why);
			} else if (s->fulls > 0) {
				(void)fprintf(
					out,
					"  %s, round %u: %llu times a member had fallen behind\n",
					name, k + 1, s->fulls);
			}
		}
	}
	unsigned disturbed = outcome_disturbed(o);
	if (disturbed > 0) {
		(void)fprintf(out, "  disturbed: %u runs; %u repeats did not help\n", disturbed,
			      outcome_repeats(o));
	}
}

void report_cell(FILE *out, const struct outcome *o)
{
	(void)fprintf(out, "\n%s. %s (rounds: %u)\n  %-16s", o->cell->id, o->cell->title, o->rounds,
		      "");
	for (size_t f = 0; f < o->cell->figures_n; f++) {
		(void)fprintf(out, " %*s", FIGURE_COLUMNS,
			      figure_rows[o->cell->figures[f]].heading);
	}
	(void)fprintf(out, "   others on the cores\n");
	for (size_t i = 0; o->cell->contenders[i].name != NULL; i++) {
		print_contender(out, o, i);
	}
	print_troubles(out, o);
	(void)fflush(out);
}

static void print_target(FILE *out, const struct outcome *o, const struct target *t)
{
	struct verdict v = outcome_judge(o, t);
	char measured[64] = "-";
	int decimals = t->theirs == NULL ? figure_rows[t->figure].decimals : 2;
	if (v.spread.n > 0) {
		(void)snprintf(measured, sizeof(measured), "%.*f (%.*f-%.*f)", decimals,
			       v.spread.median, decimals, v.spread.least, decimals, v.spread.most);
	}
	(void)fprintf(out, "| %s | %s | %s: %s%s%s | %s | %s %.*f | %s |\n", o->cell->id,
		      o->cell->title, t->what, t->ours, t->theirs == NULL ? "" : " / ",
		      t->theirs == NULL ? "" : t->theirs, measured,
		      t->at_least ? ">=" : "<=", decimals, t->to_reach,
		      v.spread.n == 0 ? "not measured"
		      : !v.is_judged  ? "one round"
		      : v.is_met      ? "met"
				      : "**not met**");
}

/* Runs of contenders that were left out are all zero. */
static void print_checked(FILE *out, const struct outcome *outcomes, size_t n)
{
	struct sample sum = {0};
	char deliveries[48];
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < CELL_CONTENDERS_MAX; k++) {
			for (unsigned round = 0; round < outcomes[i].rounds; round++) {
				const struct sample *s = &outcomes[i].samples[k][round];
				sum.deliveries += s->deliveries;
				sum.lost += s->lost;
				sum.duplicates += s->duplicates;
			}
		}
	}
	print_number(deliveries, sizeof(deliveries), (double)sum.deliveries, 0);
	(void)fprintf(out, "\n%s deliveries checked by number: %llu lost, %llu twice\n", deliveries,
		      sum.lost, sum.duplicates);
}

void report_summary(FILE *out, const struct outcome *outcomes, size_t n)
{
	(void)fprintf(out, "\n| cell | load | what: of | measured (all rounds) | to reach | |\n"
			   "|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < n; i++) {
		for (const struct target *t = outcomes[i].cell->targets; t->what != NULL; t++) {
			print_target(out, &outcomes[i], t);
		}
	}
	print_checked(out, outcomes, n);
}

/* ---- for programs ---- */

static void json_number(FILE *out, const char *name, double value)
{
	(void)fprintf(out, ",\"%s\":", name);
	if (isnan(value)) {
		(void)fprintf(out, "null");
	} else {
		(void)fprintf(out, "%.6g", value);
	}
}

static void json_text(FILE *out, const char *text)
{
	(void)fputc('"', out);
	for (const char *at = text; *at != '\0'; at++) {
		if (*at == '"' || *at == '\\') {
			(void)fputc('\\', out);
		}
		(void)fputc(*at < ' ' ? ' ' : *at, out);
	}
	(void)fputc('"', out);
}

static void json_sample(FILE *out, const struct outcome *o, size_t contender, unsigned round)
{
	const struct sample *s = &o->samples[contender][round];
	(void)fprintf(out, "{\"cell\":\"%s\",\"contender\":\"%s\",\"round\":%u,\"is_done\":%s",
		      o->cell->id, o->cell->contenders[contender].name, round + 1,
		      s->is_done ? "true" : "false");
	if (!s->is_done) {
		(void)fprintf(out, ",\"why\":");
		json_text(out, s->why);
	}
	for (size_t f = 0; f < FIGURE_COUNT; f++) {
		if (!isnan(s->figures[f])) {
			json_number(out, figure_rows[f].json, s->figures[f]);
		}
	}
	json_number(out, "server", s->ours[0]);
	json_number(out, "load", s->ours[1]);
	json_number(out, "others_server", s->others[0]);
	json_number(out, "others_load", s->others[1]);
	(void)fprintf(out,
		      ",\"tries\":%u,\"deliveries\":%llu,\"lost\":%llu,\"duplicates\":%llu,"
		      "\"fulls\":%llu}\n",
		      s->tries, s->deliveries, s->lost, s->duplicates, s->fulls);
}

static void json_target(FILE *out, const struct outcome *o, const struct target *t)
{
	struct verdict v = outcome_judge(o, t);
	(void)fprintf(out, "{\"cell\":\"%s\",\"target\":\"%s\",\"ours\":\"%s\",\"theirs\":\"%s\"",
		      o->cell->id, t->what, t->ours, t->theirs == NULL ? "" : t->theirs);
	json_number(out, "median", v.spread.n > 0 ? v.spread.median : NAN);
	json_number(out, "least", v.spread.n > 0 ? v.spread.least : NAN);
	json_number(out, "most", v.spread.n > 0 ? v.spread.most : NAN);
	json_number(out, t->at_least ? "at_least" : "at_most", t->to_reach);
	(void)fprintf(out, ",\"is_met\":%s}\n",
		      !v.is_judged ? "null"
		      : v.is_met   ? "true"
				   : "false");
}

void report_json(FILE *out, const struct outcome *o)
{
	for (size_t i = 0; o->cell->contenders[i].name != NULL; i++) {
		for (unsigned k = 0; o->is_there[i] && k < o->rounds; k++) {
			json_sample(out, o, i, k);
		}
	}
	for (const struct target *t = o->cell->targets; t->what != NULL; t++) {
		json_target(out, o, t);
	}
	(void)fflush(out);
}
