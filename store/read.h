/*
 * read.h - what a load, a query and a count are, over any engine's view.
 */
#ifndef STORE_READ_H
#define STORE_READ_H

#include "store/kv.h"
#include "store/store_request.h"

/* Fill w->found, w->counted or w->checked, and w->result, from one snapshot. Nothing is kept of what an error left half done. */
void read_run(struct kv *kv, struct store_request *w);

/* Adds a line to what a check has found; arg is the request. */
void read_on_problem(void *arg, struct slice line);

#endif
