/*
 * bench.c - run the cells and print the table.
 *
 * usage: bench [--quick] [--cell ID]... [--only NAME]... [--rounds N] [--window SECONDS]
 *              [--dir DIR] [--json FILE] [--list]
 *
 * --quick       fewer rounds and shorter windows: 3 minutes instead of 20
 * --cell ID     only this one; may be given several times
 * --only NAME   only this contender; may be given several times
 * --rounds N    the most rounds of each cell; made odd
 * --window S    how long votes are counted in one run
 * --dir DIR     where the servers keep their data, on the disk that shall be measured; /tmp
 * --json FILE   one line for each run and each target, also; - is stdout
 *
 * Cells share the time that there is by the number of their contenders; where it
 * is not enough for all rounds (a slow or a busy machine) there are fewer, always
 * an odd number. Repeating disturbed runs has a share of its own.
 *
 * Exit status: 0 all was measured, whether the targets were met or not; 1 a run
 * failed (a delivery was lost or came twice, a server did not start); 2 usage.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/bench/machine.h"
#include "tests/bench/report.h"

#define CELLS_MAX  32
#define PATH_BYTES 160
#define TRIES_MAX  3

/* What --quick changes. */
struct size {
	unsigned rounds;
	double warm_s, window_s;
	double all_s;	 /* for everything */
	double repeat_s; /* of it, for repeating what was disturbed */
};
static const struct size whole_size = {5, 0.3, 1.0, 1080, 180};
static const struct size quick_size = {3, 0.2, 0.4, 165, 25};

struct names {
	const char *at[CELLS_MAX];
	size_t n;
};

struct choice {
	struct bench bench;
	struct names cells;
	struct names contenders;
	double all_s;
	double repeat_s;
	const char *dir;
	const char *json;
	bool lists;
};

static volatile sig_atomic_t is_stopped;
static double repeat_left_s; /* of the cell at hand */

static void on_stop(int signum)
{
	(void)signum;
	is_stopped = 1;
}

/* ---- options ---- */

static bool names_add(struct names *names, const char *name)
{
	if (names->n < CELLS_MAX) {
		names->at[names->n++] = name;
	}
	return names->n < CELLS_MAX;
}

/* All are, where none is named. */
static bool names_have(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++) {
		if (strcmp(names->at[i], name) == 0) {
			return true;
		}
	}
	return names->n == 0;
}

static bool take_value(struct choice *o, const char *option, const char *value)
{
	if (strcmp(option, "--cell") == 0) {
		return names_add(&o->cells, value);
	}
	if (strcmp(option, "--only") == 0) {
		return names_add(&o->contenders, value);
	}
	if (strcmp(option, "--rounds") == 0) {
		o->bench.rounds = (unsigned)strtoul(value, NULL, 10) | 1U;
		return o->bench.rounds <= CELL_ROUNDS_MAX;
	}
	if (strcmp(option, "--window") == 0) {
		o->bench.window_s = strtod(value, NULL);
		return o->bench.window_s > 0;
	}
	if (strcmp(option, "--dir") == 0) {
		o->dir = value;
		return true;
	}
	o->json = value;
	return strcmp(option, "--json") == 0;
}

static void take_size(struct choice *o)
{
	const struct size *size = o->bench.is_quick ? &quick_size : &whole_size;
	o->bench.warm_s = size->warm_s;
	o->bench.window_s = o->bench.window_s > 0 ? o->bench.window_s : size->window_s;
	o->bench.rounds = o->bench.rounds > 0 ? o->bench.rounds : size->rounds;
	o->all_s = size->all_s;
	o->repeat_s = size->repeat_s;
}

static bool take_options(int argc, char **argv, struct choice *o)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--quick") == 0) {
			o->bench.is_quick = true;
		} else if (strcmp(argv[i], "--list") == 0) {
			o->lists = true;
		} else if (i + 1 == argc || !take_value(o, argv[i], argv[i + 1])) {
			(void)fprintf(stderr, "bench: what is '%s'? See tests/bench/bench.c\n",
				      argv[i]);
			return false;
		} else {
			i++;
		}
	}
	take_size(o);
	return true;
}

/* ---- running ---- */

static double seconds(void)
{
	return (double)machine_now_ns() / 1e9;
}

/* A disturbed run is repeated a few times; the least disturbed one counts. */
static void run_one(const struct bench *b, const struct contender *c, struct sample *best)
{
	for (unsigned i = 1; i <= TRIES_MAX && !is_stopped; i++) {
		struct sample s;
		double began = seconds();
		c->run(b, c, &s);
		bool is_better = i == 1 || !s.is_done ||
				 s.others[0] + s.others[1] < best->others[0] + best->others[1];
		*best = is_better ? s : *best;
		best->tries = i;
		repeat_left_s -= i > 1 ? seconds() - began : 0;
		if (!s.is_done || !sample_is_disturbed(best) || repeat_left_s <= 0) {
			break;
		}
	}
}

static bool is_chosen(const struct choice *o, const struct contender *c)
{
	return names_have(&o->contenders, c->name);
}

/* A B C A B C ...: what changes slowly on the machine reaches all alike. */
static void run_cell(const struct choice *o, const struct cell *cell, double for_s,
		     struct outcome *out)
{
	double began = seconds();
	double repeat_s = repeat_left_s;
	*out = (struct outcome){.cell = cell};
	while (out->rounds < o->bench.rounds && !is_stopped) {
		unsigned round = out->rounds++;
		for (size_t i = 0; cell->contenders[i].name != NULL && !is_stopped; i++) {
			const struct contender *c = &cell->contenders[i];
			out->is_chosen[i] = is_chosen(o, c);
			out->is_there[i] = out->is_chosen[i] && server_is_there(c->server);
			if (out->is_there[i]) {
				run_one(&o->bench, c, &out->samples[i][round]);
			}
		}
		double took_s = seconds() - began - (repeat_s - repeat_left_s);
		if (out->rounds % 2 == 1 && took_s + 2 * took_s / out->rounds > for_s) {
			break;
		}
	}
}

/* ---- all cells ---- */

static size_t cell_weight(const struct choice *o, const struct cell *cell)
{
	size_t n = 0;
	for (size_t i = 0; cell->contenders[i].name != NULL; i++) {
		n += is_chosen(o, &cell->contenders[i]);
	}
	return n;
}

/* The chosen cells in their order; how many. */
static size_t choose_cells(const struct choice *o, const struct cell *out[CELLS_MAX])
{
	size_t n = 0;
	for (size_t i = 0; bench_cells[i] != NULL; i++) {
		for (const struct cell *cell = bench_cells[i]; cell->id != NULL && n < CELLS_MAX;
		     cell++) {
			if (names_have(&o->cells, cell->id) && cell_weight(o, cell) > 0) {
				out[n++] = cell;
			}
		}
	}
	return n;
}

/* The cell's part of what is left of the time, and of the time to repeat what was disturbed. */
static void run_in_time(struct choice *o, const struct cell *cell, double part, struct outcome *out)
{
	double began = seconds();
	double repeat_s = o->repeat_s * part;
	repeat_left_s = repeat_s;
	run_cell(o, cell, (o->all_s - o->repeat_s) * part, out);
	o->repeat_s -= repeat_s - repeat_left_s;
	o->all_s -= seconds() - began;
}

static unsigned run_cells(struct choice *o, FILE *json)
{
	static struct outcome outcomes[CELLS_MAX];
	const struct cell *cells[CELLS_MAX];
	size_t n = choose_cells(o, cells);
	size_t done = 0;
	size_t weight = 0;
	unsigned failed = 0;
	for (size_t i = 0; i < n; i++) {
		weight += cell_weight(o, cells[i]);
	}
	for (; done < n && !is_stopped; done++) {
		size_t its = cell_weight(o, cells[done]);
		run_in_time(o, cells[done], (double)its / (double)weight, &outcomes[done]);
		if (is_stopped) {
			break;
		}
		weight -= its;
		failed += outcome_failed(&outcomes[done]);
		report_cell(stdout, &outcomes[done]);
		if (json != NULL) {
			report_json(json, &outcomes[done]);
		}
	}
	report_summary(stdout, outcomes, done);
	return failed;
}

/* ---- around it ---- */

static const char *file_system(const char *dir)
{
	static const struct {
		long type;
		const char *name;
	} types[] = {{0xef53, "ext"},	    {0x58465342, "xfs"},     {0x9123683e, "btrfs"},
		     {0x01021994, "tmpfs"}, {0x794c7630, "overlay"}, {0x2fc12fc1, "zfs"},
		     {0x6969, "nfs"}};
	struct statfs fs;
	if (statfs(dir, &fs) != 0) {
		return "unknown";
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if ((long)fs.f_type == types[i].type) {
			return types[i].name;
		}
	}
	return "unknown";
}

static void print_head(const struct choice *o, bool two_cores)
{
	struct utsname u;
	printf("%.1f s a run, up to %u rounds; %s%s%s; data on %s (%s)\n", o->bench.window_s,
	       o->bench.rounds, uname(&u) == 0 ? u.sysname : "", " ", u.release, o->dir,
	       file_system(o->dir));
	if (two_cores) {
		printf("The server has one core, the load another.\n");
	} else {
		printf("There is one core only: server and load share it, and latency says "
		       "little.\n");
	}
	printf("Figures are medians of all rounds, with the least and the most in percent of "
	       "them;\n"
	       "ratios are taken round by round. 'others' is the most that anybody else used of "
	       "the\n"
	       "server's and the load's core during a run; above %.0f %% it is repeated.\n"
	       "aye: default settings, durable; only requests_per_second is raised, for one\n"
	       "connection votes here faster than any member. The others keep nothing on disk.\n",
	       100 * OTHERS_MAX);
	(void)fflush(stdout);
}

static void list_cells(void)
{
	for (size_t i = 0; bench_cells[i] != NULL; i++) {
		for (const struct cell *cell = bench_cells[i]; cell->id != NULL; cell++) {
			printf("%-4s %s\n", cell->id, cell->title);
		}
	}
}

/* Children that end, and writes to servers that have ended, are no reason to stop. */
static void prepare_process(void)
{
	struct sigaction stop = {.sa_handler = on_stop};
	struct rlimit files;
	(void)sigaction(SIGINT, &stop, NULL);
	(void)sigaction(SIGTERM, &stop, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
}

int main(int argc, char **argv)
{
	struct choice o = {.dir = "/tmp"};
	char dir[PATH_BYTES];
	FILE *json = NULL;
	if (!take_options(argc, argv, &o)) {
		return 2;
	}
	if (o.lists) {
		list_cells();
		return 0;
	}
	bool two_cores = machine_start();
	prepare_process();
	format_to(dir, sizeof(dir), "%s/aye-bench-XXXXXX", o.dir);
	json = o.json == NULL ? NULL : strcmp(o.json, "-") == 0 ? stdout : fopen(o.json, "w");
	if (mkdtemp(dir) == NULL || (o.json != NULL && json == NULL)) {
		(void)fprintf(stderr, "bench: %s: %s\n", dir, strerror(errno));
		return 1;
	}
	o.bench.dir = dir;
	print_head(&o, two_cores);
	unsigned failed = run_cells(&o, json);
	if (json != NULL && json != stdout) {
		(void)fclose(json);
	}
	server_remove_all(dir);
	if (failed > 0) {
		printf("%u runs failed.\n", failed);
	}
	return failed > 0 || is_stopped ? 1 : 0;
}
