/*
 * main.c - run seeds, and say what broke.
 *
 *   sim                                   what `make test` wants: seeds, replays, twins,
 *                                         scenarios, planted faults
 *   sim --seeds N [--from S] [--steps K]  that many seeds, from that one on
 *   sim --only ...                        the same without replays, twins, scenarios, faults
 *   sim --part K/N ...                    one part of N, to run beside the others: of every N seeds,
 *                                         replays, twins, scenarios and faults one
 *   sim --nodes N ...                     with so many servers in each world, where the seed decides else
 *   sim --seed S [--steps K] [--trace]    one seed, for a look at it
 *   sim --break NAME [--from S]           a planted fault, to see how it is caught
 *   sim --script FILE                     print a scenario with the trace it gives now
 *
 * Output is TAP. A failing seed is told with its step, the promise that was
 * broken, and the command that shows it again.
 */
#include <dirent.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/keys/random.h"
#include "tests/sim/world/world.h"

struct options {
	uint64_t seeds, from;
	uint64_t part, parts; /* the part `part` of `parts`, counted from 0 */
	unsigned steps;
	uint64_t nodes; /* of every world; 0: as its seed says */
	bool is_only, is_traced;
	const char *planted;
	const char *script;
};

struct verdict {
	bool is_broken;
	enum claim claim;
	unsigned step;
	unsigned planted_times;
	uint64_t hash, public;
	char why[512];
};

/* For the signal handler: which run it was that ended in an abort. */
static const struct world *volatile main_world;
static char main_replay[96];

/* signal-safety(7) has no printf(): the number is put before what stands at `end`. */
static char *main_number_before(char *end, uint64_t n)
{
	do {
		*--end = (char)('0' + n % 10);
		n /= 10;
	} while (n != 0);
	return end;
}

static void main_say(const char *text)
{
	ssize_t ignored = write(STDOUT_FILENO, text, strlen(text));
	(void)ignored;
}

static void main_on_signal(int number)
{
	char digits[24] = {0};
	char *end = digits + sizeof(digits) - 1;
	const struct world *w = main_world;
	main_say("not ok - ended by signal ");
	main_say(main_number_before(end, (uint64_t)number));
	main_say(" at step ");
	main_say(main_number_before(end, w == NULL ? 0 : w->step));
	main_say(main_replay);
	signal(number, SIG_DFL);
	raise(number);
}

static struct verdict main_run(const struct world_options *o, struct world_figures *sum)
{
	struct verdict v = {0};
	struct world *w = world_create(o);
	snprintf(main_replay, sizeof(main_replay), ": sim --seed %llu --trace\n",
		 (unsigned long long)o->seed);
	main_world = w;
	world_run(w);
	v.is_broken = w->is_broken;
	v.claim = w->broken;
	v.step = w->step;
	v.hash = w->hash;
	v.public = w->public;
	v.planted_times = w->planted_times;
	memcpy(v.why, w->why, sizeof(v.why));
	if (sum != NULL) {
		const uint64_t *from = (const uint64_t *)&w->figures;
		uint64_t *to = (uint64_t *)sum;
		for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++) {
			to[i] += from[i];
		}
	}
	main_world = NULL;
	world_destroy(w);
	return v;
}

static void main_say_broken(const struct verdict *v, uint64_t seed, unsigned steps)
{
	printf("# seed %llu, step %u of %u\n# %s: %s\n# %s\n# again: sim --seed %llu --steps %u "
	       "--trace\n",
	       (unsigned long long)seed, v->step, steps, claim_names[v->claim],
	       claim_promises[v->claim], v->why, (unsigned long long)seed, steps);
}

static void main_say_figures(const struct world_figures *f)
{
	printf("# %llu requests, %llu answers (%llu refused), %llu updates (%llu full), %llu "
	       "comparisons, %llu states\n",
	       (unsigned long long)f->requests, (unsigned long long)f->answers,
	       (unsigned long long)f->refusals, (unsigned long long)f->updates,
	       (unsigned long long)f->fulls, (unsigned long long)f->comparisons,
	       (unsigned long long)f->transitions);
	printf("# %llu commits (%llu failed), %llu starts anew, %llu stops, %llu cuts, %llu "
	       "stalls, %llu votes, %llu reveals, "
	       "%llu repeats, %llu resumes, %llu estimates in items\n",
	       (unsigned long long)f->commits, (unsigned long long)f->failed_commits,
	       (unsigned long long)f->crashes, (unsigned long long)f->stops,
	       (unsigned long long)f->cuts, (unsigned long long)f->stalls,
	       (unsigned long long)f->votes, (unsigned long long)f->reveals,
	       (unsigned long long)f->repeats, (unsigned long long)f->resumes,
	       (unsigned long long)f->saves);
}

/* ---- tests ---- */

static unsigned test_number;
static unsigned test_failures;

static bool test_say(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool test_say(bool ok, const char *format, ...)
{
	va_list args;
	printf("%s %u - ", ok ? "ok" : "not ok", ++test_number);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	test_failures += !ok;
	return ok;
}

/* In so many runs each is seen, the rarest about four times: a member who is kicked before its subscription was
 * durable, in a room that is then loaded again. */
#define MOVES_SEEDS 2000

/* Of `n` the number that this part has: part, part + parts, part + 2 * parts, ... */
static uint64_t test_share(const struct options *o, uint64_t n)
{
	return n <= o->part ? 0 : (n - o->part - 1) / o->parts + 1;
}

/* Whoever adds a field says which calls change it. */
static bool test_fields(void)
{
	const char *lack = fields_lack();
	if (lack != NULL) {
		printf("# %s: see oracle/fields.c\n", lack);
	}
	return test_say(lack == NULL, "every field that is shown has a rule");
}

/* After one that breaks something the others are run all the same. */
static bool test_seeds(const struct options *o, struct world_figures *sum)
{
	uint64_t n_broken = 0;
	uint64_t n = test_share(o, o->seeds);
	for (uint64_t i = o->part; i < o->seeds; i += o->parts) {
		struct world_options w = {.seed = o->from + i,
					  .steps = o->steps,
					  .nodes = o->nodes,
					  .trace = o->is_traced ? stdout : NULL};
		struct verdict v = main_run(&w, sum);
		if (v.is_broken) {
			main_say_broken(&v, w.seed, o->steps);
			fflush(stdout);
			n_broken++;
		}
	}
	main_say_figures(sum);
	unsigned unseen = machines_report(sum);
	if (!o->is_only && n >= MOVES_SEEDS && unseen > 0) {
		return test_say(false, "every move that a machine may make is made");
	}
	return test_say(n_broken == 0, "%llu seeds x %u steps", (unsigned long long)n, o->steps);
}

/* In so many more the rarest calls are granted a few times. */
#define METHODS_SEEDS 2000

/* Whoever adds a method adds somebody here who calls it. @sum: of the seeds that were run. */
static bool test_methods(const struct options *o, struct world_figures *sum)
{
	enum method missing = 0;
	for (uint64_t i = 0; i < METHODS_SEEDS && missing < METHOD_COUNT; i++) {
		struct world_options w = {.seed = o->from + o->seeds + i, .steps = o->steps};
		while (missing < METHOD_COUNT && sum->granted[missing] > 0) {
			missing++;
		}
		if (missing < METHOD_COUNT) {
			(void)main_run(&w, sum);
		}
	}
	if (missing < METHOD_COUNT) {
		printf("# %s is never called, or never granted\n", method_rows[missing].name);
	}
	return test_say(missing == METHOD_COUNT, "every method is called and granted");
}

static bool test_replays(const struct options *o, uint64_t n)
{
	for (uint64_t i = o->part; i < n; i += o->parts) {
		struct world_options w = {.seed = o->from + i, .steps = o->steps};
		struct verdict a = main_run(&w, NULL);
		struct verdict b = main_run(&w, NULL);
		if (a.hash != b.hash) {
			printf("# seed %llu gives two different runs\n",
			       (unsigned long long)w.seed);
			return test_say(false, "%llu seeds replay to the same bytes",
					(unsigned long long)test_share(o, n));
		}
	}
	return test_say(true, "%llu seeds replay to the same bytes",
			(unsigned long long)test_share(o, n));
}

static bool test_twins(const struct options *o, uint64_t n)
{
	for (uint64_t i = o->part; i < n; i += o->parts) {
		struct world_options w = {.seed = o->from + i,
					  .steps = o->steps,
					  .is_hidden = true};
		struct verdict a = main_run(&w, NULL);
		w.is_twin = true;
		struct verdict b = main_run(&w, NULL);
		if (a.public != b.public) {
			printf("# seed %llu: what others see before a reveal depends on the "
			       "votes\n",
			       (unsigned long long)w.seed);
			return test_say(false,
					"%llu seeds look the same to others with other votes",
					(unsigned long long)test_share(o, n));
		}
	}
	return test_say(true, "%llu seeds look the same to others with other votes",
			(unsigned long long)test_share(o, n));
}

/* ---- planted faults ---- */

struct break_row {
	const char *name;
	enum claim claim;
	const char *what;
};
static const struct break_row break_rows[BREAK_COUNT] = {{"none", CLAIM_RULES, "nothing"},
#define BREAK_ROW(symbol, name, claim, what) {name, CLAIM_##claim, what},
							 BREAKS(BREAK_ROW)
#undef BREAK_ROW
};

/* These two show in the comparison of two runs, not in one. */
static bool break_is_caught_by_pair(const struct options *o, enum sim_break planted, uint64_t seed)
{
	struct world_options w = {.seed = seed, .steps = o->steps, .planted = planted};
	w.is_hidden = planted == BREAK_HINT_VOTE;
	struct verdict a = main_run(&w, NULL);
	w.is_twin = planted == BREAK_HINT_VOTE;
	struct verdict b = main_run(&w, NULL);
	return w.is_twin ? a.public != b.public : a.hash != b.hash;
}

/* The rarest are seen in one seed of a thousand. */
#define BREAK_SEEDS 1500

static bool break_is_caught(const struct options *o, enum sim_break planted, uint64_t seed,
			    bool is_loud)
{
	const struct break_row *row = &break_rows[planted];
	struct world_options w = {.seed = seed, .steps = o->steps, .planted = planted};
	if (planted == BREAK_HINT_VOTE || planted == BREAK_CLOCK_LEAK) {
		return break_is_caught_by_pair(o, planted, seed);
	}
	struct verdict v = main_run(&w, NULL);
	bool caught = v.is_broken && v.claim == row->claim;
	if (is_loud && v.is_broken) {
		main_say_broken(&v, seed, o->steps);
	}
	if (is_loud && v.is_broken && !caught) {
		printf("# %s: seed %llu says %s instead: %s\n", row->name, (unsigned long long)seed,
		       claim_names[v.claim], v.why);
	}
	return caught;
}

static bool test_break(const struct options *o, enum sim_break planted, bool is_loud)
{
	const struct break_row *row = &break_rows[planted];
	bool caught = false;
	for (uint64_t seed = o->from; seed < o->from + BREAK_SEEDS && !caught; seed++) {
		caught = break_is_caught(o, planted, seed, is_loud);
	}
	return test_say(caught, "a planted fault is seen (%s): %s", row->name, row->what);
}

static bool main_number(int argc, char **argv, int *i, uint64_t *out)
{
	char *end = NULL;
	if (*i + 1 >= argc) {
		return false;
	}
	*out = strtoull(argv[++*i], &end, 10);
	return end != argv[*i] && *end == '\0';
}

/* K/N, from 1/1 on. */
static bool main_part(int argc, char **argv, int *i, struct options *o)
{
	char *end = NULL;
	if (*i + 1 >= argc) {
		return false;
	}
	o->part = strtoull(argv[++*i], &end, 10) - 1;
	if (*end != '/') {
		return false;
	}
	o->parts = strtoull(end + 1, &end, 10);
	return *end == '\0' && o->part < o->parts;
}

static bool main_options(int argc, char **argv, struct options *o)
{
	uint64_t steps = SIM_STEPS;
	*o = (struct options){.seeds = 1000, .from = 1, .parts = 1};
	for (int i = 1; i < argc; i++) {
		bool ok = true;
		if (strcmp(argv[i], "--seeds") == 0) {
			ok = main_number(argc, argv, &i, &o->seeds);
		} else if (strcmp(argv[i], "--from") == 0) {
			ok = main_number(argc, argv, &i, &o->from);
		} else if (strcmp(argv[i], "--seed") == 0) {
			ok = main_number(argc, argv, &i, &o->from);
			o->seeds = 1;
			o->is_only = true;
		} else if (strcmp(argv[i], "--steps") == 0) {
			ok = main_number(argc, argv, &i, &steps);
		} else if (strcmp(argv[i], "--nodes") == 0) {
			ok = main_number(argc, argv, &i, &o->nodes) && o->nodes <= SIM_NODES_MAX;
		} else if (strcmp(argv[i], "--only") == 0) {
			o->is_only = true;
		} else if (strcmp(argv[i], "--part") == 0) {
			ok = main_part(argc, argv, &i, o);
		} else if (strcmp(argv[i], "--trace") == 0) {
			o->is_traced = true;
		} else if (strcmp(argv[i], "--break") == 0 && i + 1 < argc) {
			o->planted = argv[++i];
		} else if (strcmp(argv[i], "--script") == 0 && i + 1 < argc) {
			o->script = argv[++i];
		} else {
			ok = false;
		}
		if (!ok) {
			return false;
		}
	}
	o->steps = (unsigned)steps;
	return true;
}

/* Of those that most seeds miss, one that sees it, to be tried first; 0: any soon does. Where it no longer does, all are tried. */
static uint64_t break_seen_by(enum sim_break planted)
{
	static const struct {
		enum sim_break planted;
		uint64_t seed;
	} rare[] = {
#define BREAK_RARE(symbol, seed) {BREAK_##symbol, seed},
		BREAKS_RARE(BREAK_RARE)
#undef BREAK_RARE
	};
	for (size_t i = 0; i < sizeof(rare) / sizeof(rare[0]); i++) {
		if (rare[i].planted == planted) {
			return rare[i].seed;
		}
	}
	return 0;
}

static void test_breaks(const struct options *part)
{
	struct options o = {.from = 1, .steps = SIM_STEPS};
	for (uint64_t i = 1 + part->part; i < BREAK_COUNT; i += part->parts) {
		uint64_t seen_by = break_seen_by((enum sim_break)i);
		if (seen_by == 0 || !break_is_caught(&o, (enum sim_break)i, seen_by, false)) {
			test_break(&o, (enum sim_break)i, false);
		} else {
			(void)test_say(true, "a planted fault is seen (%s): %s", break_rows[i].name,
				       break_rows[i].what);
		}
	}
}

/* ---- scenarios ---- */

static int golden_is_scenario(const struct dirent *d)
{
	size_t len = strlen(d->d_name);
	return len > 4 && strcmp(d->d_name + len - 4, ".txt") == 0;
}

static void test_scenarios(const struct options *o, const char *directory)
{
	struct dirent **names = NULL;
	int n = scandir(directory, &names, golden_is_scenario, alphasort);
	if (n <= 0) {
		test_say(false, "there are scenarios in %s", directory);
	}
	for (int i = 0; i < n; i++) {
		if ((uint64_t)i % o->parts != o->part) {
			free(names[i]);
			continue;
		}
		char path[512];
		char why[512] = "";
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]->d_name);
		bool ok = script_run(path, NULL, why, sizeof(why));
		test_say(ok, "%s gives the trace it tells", names[i]->d_name);
		if (!ok) {
			printf("# %s\n# now: sim --script %s\n", why, path);
		}
		free(names[i]);
	}
	free(names);
}

/* ---- what to run ---- */

int main(int argc, char **argv)
{
	struct options o;
	if (!main_options(argc, argv, &o) || !crypto_start()) {
		fprintf(stderr,
			"usage: sim [--seeds N] [--from S] [--seed S] [--steps K] [--only] "
			"[--part K/N] [--nodes N] [--trace] [--break NAME] [--script FILE]\n");
		return 2;
	}
	signal(SIGABRT, main_on_signal);
	signal(SIGSEGV, main_on_signal);
	if (o.planted != NULL) {
		for (int i = 1; i < BREAK_COUNT; i++) {
			if (strcmp(o.planted, break_rows[i].name) == 0) {
				test_break(&o, (enum sim_break)i, true);
			}
		}
	} else if (o.script != NULL) {
		char why[512] = "";
		bool ok = script_run(o.script, stdout, why, sizeof(why));
		fprintf(stderr, "%s%s", why, why[0] == '\0' ? "" : "\n");
		return ok ? 0 : 1;
	} else {
		struct world_figures sum = {0};
		if (o.part == 0) {
			test_fields();
		}
		test_seeds(&o, &sum);
		if (!o.is_only && o.part == 0) {
			test_methods(&o, &sum);
		}
		if (!o.is_only) {
			test_replays(&o, 1 + o.seeds / 40);
			test_twins(&o, 1 + o.seeds / 10);
			test_scenarios(&o, "tests/sim/golden");
			test_breaks(&o);
		}
	}
	printf("1..%u\n", test_number);
	return test_failures == 0 ? 0 : 1;
}
