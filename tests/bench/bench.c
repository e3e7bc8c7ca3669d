/*
 * bench.c - run the cells and print the table.
 *
 * usage: bench [--quick] [--cell ID]... [--rounds N] [--dir DIR] [--json FILE] [--list]
 *
 * --quick       fewer rounds and shorter windows: 3 minutes instead of 20
 * --cell ID     only this one; may be given several times
 * --rounds N    rounds of each cell; made odd
 * --dir DIR     where the servers keep their data, on the disk that shall be measured; /tmp
 * --json FILE   one line for each run and each target, also; - is stdout
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

#include "proto/format.h"
#include "tests/bench/machine.h"
#include "tests/bench/report.h"

#define CELLS_MAX	32
#define PATH_BYTES	160
#define WHOLE_ROUNDS	5
#define QUICK_ROUNDS	3
#define TRIES_MAX	3
#define QUICK_TRIES_MAX 2

struct choice {
	struct bench bench;
	const char *only[CELLS_MAX];
	size_t only_n;
	const char *dir;
	const char *json;
	bool lists;
};

static volatile sig_atomic_t is_stopped;

static void on_stop(int signum)
{
	(void)signum;
	is_stopped = 1;
}

/* ---- options ---- */

static bool take_value(struct choice *o, const char *option, const char *value)
{
	if (strcmp(option, "--cell") == 0 && o->only_n < CELLS_MAX) {
		o->only[o->only_n++] = value;
	} else if (strcmp(option, "--rounds") == 0) {
		o->bench.rounds = (unsigned)strtoul(value, NULL, 10) | 1U;
		return o->bench.rounds <= CELL_ROUNDS_MAX;
	} else if (strcmp(option, "--dir") == 0) {
		o->dir = value;
	} else if (strcmp(option, "--json") == 0) {
		o->json = value;
	} else {
		return false;
	}
	return true;
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
	bool quick = o->bench.is_quick;
	o->bench.warm_s = quick ? 0.2 : 0.3;
	o->bench.window_s = quick ? 0.4 : 1.0;
	o->bench.rounds = o->bench.rounds > 0 ? o->bench.rounds
			  : quick	      ? QUICK_ROUNDS
					      : WHOLE_ROUNDS;
	return true;
}

static bool is_chosen(const struct choice *o, const struct cell *cell)
{
	for (size_t i = 0; i < o->only_n; i++) {
		if (strcmp(o->only[i], cell->id) == 0) {
			return true;
		}
	}
	return o->only_n == 0;
}

/* ---- running ---- */

/* A disturbed run is repeated a few times; the least disturbed one counts. */
static void run_one(const struct bench *b, const struct contender *c, struct sample *best)
{
	unsigned tries_max = b->is_quick ? QUICK_TRIES_MAX : TRIES_MAX;
	for (unsigned i = 1; i <= tries_max && !is_stopped; i++) {
		struct sample s;
		c->run(b, c, &s);
		bool is_better = i == 1 || !s.is_done ||
				 s.others[0] + s.others[1] < best->others[0] + best->others[1];
		*best = is_better ? s : *best;
		best->tries = i;
		if (!sample_is_disturbed(&s)) {
			break;
		}
	}
}

/* A B C A B C ...: what changes slowly on the machine reaches all alike. */
static void run_cell(const struct bench *b, const struct cell *cell, struct outcome *o)
{
	*o = (struct outcome){.cell = cell, .rounds = b->rounds};
	for (unsigned round = 0; round < b->rounds && !is_stopped; round++) {
		for (size_t i = 0; cell->contenders[i].name != NULL && !is_stopped; i++) {
			o->is_there[i] = server_is_there(cell->contenders[i].server);
			if (o->is_there[i]) {
				run_one(b, &cell->contenders[i], &o->samples[i][round]);
			}
		}
	}
}

static unsigned run_cells(const struct choice *o, FILE *json)
{
	static struct outcome outcomes[CELLS_MAX];
	size_t n = 0;
	unsigned failed = 0;
	for (size_t i = 0; bench_cells[i] != NULL; i++) {
		for (const struct cell *cell = bench_cells[i]; cell->id != NULL && !is_stopped;
		     cell++) {
			if (!is_chosen(o, cell) || n == CELLS_MAX) {
				continue;
			}
			run_cell(&o->bench, cell, &outcomes[n]);
			if (is_stopped) {
				break;
			}
			failed += outcome_failed(&outcomes[n]);
			report_cell(stdout, &outcomes[n]);
			if (json != NULL) {
				report_json(json, &outcomes[n]);
			}
			n++;
		}
	}
	report_summary_head(stdout);
	for (size_t i = 0; i < n; i++) {
		report_summary(stdout, &outcomes[i]);
	}
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
	printf("%u rounds, %.1f s each; %s%s%s; data on %s (%s)\n", o->bench.rounds,
	       o->bench.window_s, uname(&u) == 0 ? u.sysname : "", " ", u.release, o->dir,
	       file_system(o->dir));
	if (two_cores) {
		printf("The server has one core, the load another.\n");
	} else {
		printf("There is one core only: server and load share it, and latency says "
		       "little.\n");
	}
	printf("Figures are medians (least-most) of all rounds. Ratios are taken round by round.\n"
	       "aye: default settings, durable; only requests_per_second is raised, for one\n"
	       "connection votes here faster than any member. The others keep nothing on disk.\n");
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
	(void)rmdir(dir);
	if (failed > 0) {
		printf("%u runs failed.\n", failed);
	}
	return failed > 0 || is_stopped ? 1 : 0;
}
