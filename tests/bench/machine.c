/*
 * machine.c - cores, affinity and accounting; see machine.h.
 *
 * sched_setaffinity() and its cpu_set_t are GNU extensions.
 */
#define _GNU_SOURCE
#include "tests/bench/machine.h"

#include <dirent.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int machine_cores[CORES];

bool machine_start(void)
{
	cpu_set_t all;
	size_t found = 0;
	CPU_ZERO(&all);
	if (sched_getaffinity(0, sizeof(all), &all) != 0) {
		return false;
	}
	for (int i = 0; i < CPU_SETSIZE && found < CORES; i++) {
		if (CPU_ISSET((size_t)i, &all)) {
			machine_cores[found++] = i;
		}
	}
	if (found == 1) {
		machine_cores[1] = machine_cores[0];
	}
	return found == CORES;
}

void machine_pin(enum machine_core core)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET((size_t)machine_cores[core], &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

uint64_t machine_now_ns(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static uint64_t task_cpu_ns(pid_t pid, const char *task)
{
	char path[320];
	uint64_t ns = 0;
	(void)snprintf(path, sizeof(path), "/proc/%ld/task/%s/schedstat", (long)pid, task);
	FILE *f = fopen(path, "r");
	if (f == NULL) {
		return 0;
	}
	if (fscanf(f, "%" SCNu64, &ns) != 1) {
		ns = 0;
	}
	(void)fclose(f);
	return ns;
}

uint64_t machine_cpu_ns(pid_t pid)
{
	char path[64];
	uint64_t ns = 0;
	(void)snprintf(path, sizeof(path), "/proc/%ld/task", (long)pid);
	DIR *tasks = opendir(path);
	if (tasks == NULL) {
		return 0;
	}
	for (const struct dirent *e = readdir(tasks); e != NULL; e = readdir(tasks)) {
		if (e->d_name[0] != '.') {
			ns += task_cpu_ns(pid, e->d_name);
		}
	}
	(void)closedir(tasks);
	return ns;
}

uint64_t machine_rss_bytes(pid_t pid)
{
	char path[64];
	char line[256];
	uint64_t kib = 0;
	(void)snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	FILE *f = fopen(path, "r");
	if (f == NULL) {
		return 0;
	}
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, "RssAnon:", 8) == 0) {
			kib = strtoull(line + 8, NULL, 10);
		}
	}
	(void)fclose(f);
	return kib * 1024;
}

/* "cpuN user nice system idle iowait irq softirq steal ...": all but idle and iowait is use. */
static uint64_t busy_ticks(const char *line)
{
	uint64_t ticks = 0;
	char *at;
	(void)strtoull(line + 3, &at, 10);
	for (int i = 0; i < 8; i++) {
		uint64_t n = strtoull(at, &at, 10);
		ticks += i == 3 || i == 4 ? 0 : n;
	}
	return ticks;
}

static void look_at_cores(uint64_t busy_ns[CORES])
{
	char line[512];
	char name[CORES][16];
	uint64_t tick_ns = 1000000000U / (uint64_t)sysconf(_SC_CLK_TCK);
	FILE *f = fopen("/proc/stat", "r");
	for (int i = 0; i < CORES; i++) {
		(void)snprintf(name[i], sizeof(name[i]), "cpu%d ", machine_cores[i]);
		busy_ns[i] = 0;
	}
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		for (int i = 0; i < CORES; i++) {
			if (strncmp(line, name[i], strlen(name[i])) == 0) {
				busy_ns[i] = busy_ticks(line) * tick_ns;
			}
		}
	}
	if (f != NULL) {
		(void)fclose(f);
	}
}

void machine_look(pid_t server, struct moment *out)
{
	look_at_cores(out->busy_ns);
	out->load_ns = machine_cpu_ns(getpid());
	out->server_ns = machine_cpu_ns(server);
	out->now_ns = machine_now_ns();
}

double machine_others(const struct moment *from, const struct moment *to, enum machine_core core)
{
	double busy = (double)(to->busy_ns[core] - from->busy_ns[core]);
	double server = (double)(to->server_ns - from->server_ns);
	double load = (double)(to->load_ns - from->load_ns);
	double took = (double)(to->now_ns - from->now_ns);
	bool shared = machine_cores[CORE_SERVER] == machine_cores[CORE_LOAD];
	double ours = shared ? server + load : core == CORE_SERVER ? server : load;
	double others = took > 0 ? (busy - ours) / took : 0;
	return others < 0 ? 0 : others > 1 ? 1 : others;
}

double machine_ours(const struct moment *from, const struct moment *to, enum machine_core core)
{
	uint64_t used =
		core == CORE_SERVER ? to->server_ns - from->server_ns : to->load_ns - from->load_ns;
	return to->now_ns > from->now_ns ? (double)used / (double)(to->now_ns - from->now_ns) : 0;
}
