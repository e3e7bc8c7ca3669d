/*
 * machine.h - which core does what, and how busy each has been.
 *
 * The server under test has one core to itself and the load generator another,
 * the first two this process may use; with a single core they share it, and the
 * table says so. CPU time is the scheduler's own (/proc/PID/task/TID/schedstat,
 * nanoseconds, all threads), the cores' is /proc/stat's (ticks of 10 ms): Linux.
 */
#ifndef TESTS_BENCH_MACHINE_H
#define TESTS_BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum machine_core { CORE_SERVER, CORE_LOAD, CORES };

/* Find the cores; once, before any fork. False where there is only one. */
bool machine_start(void);
/* Keep this process, and what it starts, on that core. */
void machine_pin(enum machine_core core);

uint64_t machine_now_ns(void);

/* Nanoseconds of CPU of all threads of a process; 0 where it is gone. */
uint64_t machine_cpu_ns(pid_t pid);
/* Anonymous resident memory of a process (its own heap and stacks, not mapped files), bytes. */
uint64_t machine_rss_bytes(pid_t pid);

struct moment {
	uint64_t now_ns;
	uint64_t server_ns;	  /* CPU of the server so far */
	uint64_t load_ns;	  /* of this process */
	uint64_t busy_ns[CORES]; /* of each core, whoever used it */
};

void machine_look(pid_t server, struct moment *out);

/* What the server, or this process, used of a core between two moments: 0 to 1. */
double machine_ours(const struct moment *from, const struct moment *to, enum machine_core core);
/* What others than the two used of a core between two moments: 0 to 1. */
double machine_others(const struct moment *from, const struct moment *to, enum machine_core core);

#endif
