/*
 * node_record.c - see node_record.h.
 */
#include "server/core/cluster/node_record.h"

#include <string.h>

#include "proto/records/record.h"

#define RECORD_node_entry(F)                                                                     \
	F(BOOL, is_leaving, _, FIELD_OPT, 0, 0, "It is about to end, and no home")               \
	F(BOOL, has_left, _, FIELD_OPT, 0, 0,                                                    \
	  "Its rooms are given up, and their news are published")                                \
	F(INT, preface_version, _, FIELD_OPT, 0, UINT32_MAX, "See server.h")                     \
	F(INT, items_version, _, FIELD_OPT, 0, UINT32_MAX, "See server.h")                       \
	F(INT, limits, _, FIELD_OPT, 0, INT64_MAX, "Alike where its limits are")                 \
	F(BOOL, has_command, _, FIELD_OPT, 0, 0, "It has a command for notifications")           \
	F(STR, address, _, FIELD_OPT, 0, NODE_ADDRESS_CHARS, "Where it listens for other nodes") \
	F(STR, announce, _, FIELD_OPT, 0, NODE_ADDRESS_CHARS, "For clients")
RECORD_DECLARE(node_entry)
RECORD_DEFINE(node_entry)

void node_record_write(const struct cluster_node *node, struct buf *out)
{
	const struct node_entry entry = {.is_leaving = node->is_leaving,
					 .has_left = node->has_left,
					 .preface_version = node->preface_version,
					 .items_version = node->items_version,
					 .limits = node->limits,
					 .has_command = node->has_command,
					 .address = slice_str(node->address),
					 .announce = slice_str(node->announce)};
	record_write(&record_node_entry, &entry, out);
}

static void node_set_address(char out[NODE_ADDRESS_CHARS + 1], struct slice address)
{
	memcpy(out, address.len == 0 ? "" : address.data, address.len);
	out[address.len] = '\0';
}

void node_record_read(uint64_t number, struct slice bytes, struct arena *arena,
		      struct cluster_node *out)
{
	struct node_entry entry;
	struct fault fault;
	*out = (struct cluster_node){.number = number};
	if (record_from_bytes(&record_node_entry, bytes, RECORD_LENIENT, arena, &entry, &fault) !=
	    OK) {
		return;
	}
	out->is_leaving = entry.is_leaving;
	out->has_left = entry.has_left;
	out->preface_version = (uint32_t)entry.preface_version;
	out->items_version = (uint32_t)entry.items_version;
	out->limits = entry.limits;
	out->has_command = entry.has_command;
	node_set_address(out->address, entry.address);
	node_set_address(out->announce, entry.announce);
}

unsigned node_differences(const struct cluster_node *a, const struct cluster_node *b)
{
	return (a->limits != b->limits ? NODE_LIMITS : 0U) |
	       (a->has_command != b->has_command ? NODE_COMMAND : 0U) |
	       (a->preface_version != b->preface_version ? NODE_PREFACE : 0U) |
	       (a->items_version != b->items_version ? NODE_ITEMS : 0U);
}

/* FNV-1a, over those that a server may set; how many connections it has is up to its machine. */
int64_t node_limits(const int64_t limits[LIMIT_COUNT])
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (limit_rows[i].changeable != LIMIT_SET || i == LIMIT_CONNECTIONS) {
			continue;
		}
		for (unsigned bit = 0; bit < 64; bit += 8) {
			hash = (hash ^ ((uint64_t)limits[i] >> bit & 0xff)) *
			       UINT64_C(0x100000001b3);
		}
	}
	return (int64_t)(hash >> 2) + 1;
}
