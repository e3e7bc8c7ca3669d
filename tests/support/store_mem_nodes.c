/*
 * store_mem_nodes.c - entries of nodes in the table in memory. Their lives end by the clock of the
 * machine, as those of a server do.
 */
#include <time.h>

#include "store/key.h"
#include "tests/support/store_mem_image.h"

#define NODE_HEAD_BYTES 16

static uint64_t nodes_now_us(void)
{
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t node_u64(struct slice s, size_t at)
{
	return key_get_u64((const unsigned char *)s.data + at);
}

static enum err nodes_set(struct sorted_map *nodes, struct slice number, const struct slice *entry)
{
	struct sorted_map_change change = {.in = NULL};
	enum err e = sorted_map_change(nodes, number, entry, &change);
	if (e == OK) {
		sorted_map_forget(&change);
	}
	return e;
}

static enum err nodes_lapse(struct sorted_map *nodes, uint64_t now_us)
{
	enum err e = OK;
	for (size_t i = nodes->n; i-- > 0 && e == OK;) {
		if (now_us >= node_u64(nodes->at[i]->value, 0)) {
			e = nodes_set(nodes, nodes->at[i]->key, NULL);
		}
	}
	return e;
}

static enum err nodes_renew(struct sorted_map *nodes, struct store_request *w, uint64_t now_us)
{
	const struct store_renewal *r = &w->renewal;
	unsigned char number[8];
	unsigned char entry[NODE_HEAD_BYTES + STORE_NODE_BYTES_MAX];
	key_put_u64(number, r->node);
	struct slice key = slice_of((char *)number, sizeof(number));
	const struct sorted_map_entry *has = sorted_map_get(nodes, key);
	w->version = has == NULL ? now_us : node_u64(has->value, 8);
	key_put_u64(entry, now_us + (uint64_t)r->life_ms * 1000);
	key_put_u64(entry + 8, w->version);
	memcpy(entry + NODE_HEAD_BYTES, r->value.len == 0 ? "" : r->value.data, r->value.len);
	struct slice value = slice_of((char *)entry, NODE_HEAD_BYTES + r->value.len);
	return nodes_set(nodes, key, &value);
}

void mem_nodes_run(struct sorted_map *nodes, struct store_request *w)
{
	uint64_t now_us = nodes_now_us();
	w->result = nodes_lapse(nodes, now_us);
	if (w->kind == STORE_REQUEST_RENEW) {
		w->result = w->result == OK ? nodes_renew(nodes, w, now_us) : w->result;
		return;
	}
	for (size_t i = 0; i < nodes->n && w->result == OK; i++) {
		struct slice entry = nodes->at[i]->value;
		struct slice value =
			slice_of(entry.data + NODE_HEAD_BYTES, entry.len - NODE_HEAD_BYTES);
		w->result = store_found_add(&w->found, NO_SLICE, NO_SLICE, value,
					    node_u64(nodes->at[i]->key, 0));
	}
	store_found_settle(&w->found);
}
