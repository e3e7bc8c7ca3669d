/*
 * subscription.h - how a process hears what commits publish, by number.
 *
 * They come on a connection of their own, in order, and later than the answers that include them: such an answer
 * waits until all up to its number are told. The connection may be lost, and what is published meanwhile is not
 * heard. Whoever subscribes again asks for the number: what lies between is told as missed, and what of it
 * comes late is dropped. So it is in another history, that of a master that may have lost the last ones.
 */
#ifndef TESTS_SIM_DISK_SUBSCRIPTION_H
#define TESTS_SIM_DISK_SUBSCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct publication;
struct sim_engine;

/* What the master had published when it answered. */
struct sim_number {
	uint64_t history, number;
};

struct sim_subscription {
	store_published_cb *cb; /* who is told; NULL: nobody */
	void *arg;
	bool is_on;
	bool asks;	    /* for the number */
	int64_t due_mono;   /* when it is on again; when the number comes */
	struct publication *coming; /* oldest first */
	struct sim_number told;     /* the last */
};

/* The master has published it. */
void subscription_hear(struct sim_engine *g, struct sim_number number, struct slice body);
/* Time has passed. */
void subscription_step(struct sim_engine *g);
/* The connection is lost. */
void subscription_lose(struct sim_engine *g);
/* Everything is: the process ends. */
void subscription_forget(struct sim_engine *g);
/* Tell it now, whatever has come. */
void subscription_tell(struct sim_engine *g, struct sim_number number, struct slice body);
/* Whether an answer with that number has to wait. */
bool subscription_is_behind(const struct sim_engine *g, struct sim_number number);

#endif
