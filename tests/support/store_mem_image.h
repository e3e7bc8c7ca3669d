/*
 * store_mem_image.h - what of the table in memory is durable. Private to store_mem.c and its parts.
 */
#ifndef TESTS_SUPPORT_STORE_MEM_IMAGE_H
#define TESTS_SUPPORT_STORE_MEM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/base/kv.h"
#include "store/store.h"
#include "store/store_request.h"
#include "tests/support/sorted_map.h"

struct mem_image {
	struct sorted_map dbs[KV_COUNT];
	/* index changes that wait: due commit, number, database, then key and value */
	struct sorted_map late;
	uint64_t late_n;
	uint64_t commits;   /* of all scopes */
	uint64_t published; /* number of the last publication */
	uint64_t floor;	    /* all versions from now on are above it */
	bool lists_ahead;   /* see store_mem_lists_ahead() */
	struct sorted_map listed; /* database and key of entries that lead into rooms: when they were written */
};

/* Renew the entry of a node, or list all: number, then until when in ms, since when, value. */
void mem_nodes_run(struct sorted_map *nodes, struct store_request *w);

struct mem_image *store_mem_image(struct store *s);
/* Whether entries of items of that scope are not written with their commit. */
bool mem_is_listed_ahead(const struct mem_image *image, unsigned db, unsigned scope);

#endif
