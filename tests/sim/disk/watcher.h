/*
 * watcher.h - what a process does with what commits publish, as the topics of a server that shares its table will.
 *
 * All processes write the same few items, and publish what they write. Each keeps a copy of them: read once, and kept
 * by what is published from then on. Whatever it reads later has to be what its copy says.
 */
#ifndef TESTS_SIM_DISK_WATCHER_H
#define TESTS_SIM_DISK_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

struct sim_engine;
struct sim_watcher;
struct world;

#define SIM_WATCHED 3

struct watched {
	struct sim_watcher *watcher;
	bool is_known;
	int64_t value;
	unsigned changes; /* that were told, or may have been missed */
	bool is_asked;	  /* it is being read, */
	unsigned asked_at; /* since so many changes */
	bool was_read;	  /* since all is calm */
};

struct sim_watcher {
	struct sim_engine *g;
	struct watched items[SIM_WATCHED];
};

/* It is told what the engine hears. */
void watcher_begin(struct sim_watcher *watcher, struct sim_engine *g);
/* It reads and writes a little. */
void watcher_step(struct sim_watcher *watcher);
/* Its process ends: another begins with nothing. */
void watcher_forget(struct sim_watcher *watcher);
/* All is calm, and nothing is left to be read. */
bool watcher_is_quiet(const struct sim_watcher *watcher);

#endif
