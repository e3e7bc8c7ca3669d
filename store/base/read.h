/*
 * read.h - loads, queries, counts and checks on a view of any engine.
 */
#ifndef STORE_READ_H
#define STORE_READ_H

#include "store/base/kv.h"
#include "store/store_request.h"

/*
 * Fill in w->found, w->counted or w->checked, and w->result, from one snapshot. After an error,
 * partial results are discarded.
 */
void read_run(struct kv *kv, struct store_request *w);

/* Add a line to the findings of a check; arg is the request. */
void read_on_problem(void *arg, struct slice line);

#endif
