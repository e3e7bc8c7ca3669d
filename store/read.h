/*
 * read.h - what a load, a query and a count are, over any engine's view.
 */
#ifndef STORE_READ_H
#define STORE_READ_H

#include "store/kv.h"
#include "store/store_request.h"

/* Fill w->found or w->counted, and w->result, from one snapshot. Nothing is kept of what an error left half done. */
void read_run(struct kv *kv, struct store_request *w);

#endif
