/*
 * rig_cluster.c - what a node is told of the cluster: its key, the list of nodes,
 * and who takes its rooms.
 */
#include "tests/support/rig.h"

#include "server/core/cluster/lease.h"
#include "server/core/cluster/rendezvous.h"

void rig_ask(struct rig *r, const struct effect *fx)
{
	assert_in_range(r->asked_n, 0, sizeof(r->asked) / sizeof(r->asked[0]) - 1);
	struct rig_asked *asked = &r->asked[r->asked_n++];
	*asked = (struct rig_asked){.kind = fx->kind, .ticket = fx->ticket};
	if (fx->kind == FX_RENEW) {
		asked->node = *fx->node;
	}
}

static void rig_renew(struct rig *r, const struct rig_asked *asked)
{
	bool was_there = r->own.number != 0 && r->mono_ms < r->own_until_ms;
	r->own = asked->node;
	r->own_until_ms = r->mono_ms + NODE_LIFE_MS;
	rig_step(r, &(struct event){.kind = EVENT_RENEWED,
				    .ticket = asked->ticket,
				    .is_lapsed = !was_there});
}

static void rig_list(struct rig *r, const struct rig_asked *asked)
{
	struct cluster_node nodes[RIG_NODES + 1];
	size_t n = r->nodes_n;
	memcpy(nodes, r->nodes, n * sizeof(nodes[0]));
	if (r->own.number != 0 && r->mono_ms < r->own_until_ms) {
		nodes[n++] = r->own;
	}
	rig_step(r, &(struct event){
			    .kind = EVENT_LISTED, .ticket = asked->ticket, .nodes = nodes, .n = n});
}

void rig_answer_asked(struct rig *r)
{
	while (r->asked_n > 0) {
		const struct rig_asked asked = r->asked[0];
		memmove(r->asked, r->asked + 1, --r->asked_n * sizeof(asked));
		if (r->fails_asked) {
			rig_step(r, &(struct event){.kind = asked.kind == FX_RENEW ? EVENT_RENEWED
										   : EVENT_LISTED,
						    .ticket = asked.ticket,
						    .result = ERR_IO});
		} else if (asked.kind == FX_RENEW) {
			rig_renew(r, &asked);
		} else {
			rig_list(r, &asked);
		}
	}
}

/* ---- publications ---- */

static void rig_bring(struct rig *r, uint64_t number, struct slice body)
{
	r->published = number;
	if (r->is_deaf) {
		r->has_missed = true;
		return;
	}
	if (r->has_missed) {
		r->has_missed = false;
		rig_step(r, &(struct event){.kind = EVENT_PUBLISHED, .number = number - 1});
	}
	rig_step(r, &(struct event){.kind = EVENT_PUBLISHED, .number = number, .bytes = body});
}

static void rig_on_published(void *arg, uint64_t number, struct slice body)
{
	struct rig *first = arg;
	struct rig *r = first;
	do {
		rig_bring(r, number, body);
		r = r->next_node;
	} while (r != first);
}

void rig_subscribe(struct rig *r)
{
	if (r->config.node != 0) {
		store_subscribe(r->store, rig_on_published, r);
	}
}

void rig_join(struct rig *r, struct rig *first)
{
	struct rig *node = first;
	memcpy(r->config.limits, first->config.limits, sizeof(r->config.limits));
	r->config.node = RIG_NODE;
	do {
		r->config.node++;
		node = node->next_node;
	} while (node != first);
	do {
		rig_node(node, r->config.node, false);
		rig_node(r, node->config.node, false);
		node = node->next_node;
	} while (node != first);
	r->config.now_ms = first->wall_ms;
	r->config.seed[1] = (unsigned char)r->config.node;
	r->wall_ms = first->wall_ms;
	r->mono_ms = first->mono_ms;
	r->store = first->store;
	r->has_joined = true;
	r->next_node = first->next_node;
	first->next_node = r;
	assert_int_equal(server_create(&r->config, &r->server), OK);
	rig_settle(r);
}

void rig_part(struct rig *r)
{
	struct rig *before = r;
	while (before->next_node != r) {
		before = before->next_node;
	}
	before->next_node = r->next_node;
	r->next_node = r;
}

/* ---- the list ---- */

void rig_node_ends(struct rig *r, uint64_t number)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->nodes_n; i++) {
		if (r->nodes[i].number != number) {
			r->nodes[kept++] = r->nodes[i];
		}
	}
	r->nodes_n = kept;
}

void rig_node_is(struct rig *r, const struct cluster_node *node)
{
	rig_node_ends(r, node->number);
	assert_in_range(r->nodes_n, 0, RIG_NODES - 1);
	r->nodes[r->nodes_n++] = *node;
}

void rig_node(struct rig *r, uint64_t number, bool is_leaving)
{
	rig_node_is(r, &(struct cluster_node){.number = number, .is_leaving = is_leaving});
}

void rig_forward(struct rig *r, const struct effect *fx)
{
	struct rig_forward *f = &r->forward;
	buf_finish(&f->input);
	*f = (struct rig_forward){.conn = fx->conn,
				  .ticket = fx->ticket,
				  .input = {.max = RIG_UNBOUNDED}};
	assert_in_range(fx->address.len, 1, NODE_ADDRESS_CHARS);
	memcpy(f->address, fx->address.data, fx->address.len);
	assert_int_equal(buf_append_slice(&f->input, fx->input), OK);
	r->forwards++;
}

void rig_unreached(struct rig *r)
{
	rig_step(r, &(struct event){.kind = EVENT_UNREACHED,
				    .conn = r->forward.conn,
				    .ticket = r->forward.ticket});
	rig_settle(r);
}

static unsigned rig_bucket(const struct rig *r)
{
	struct item_pk pk;
	return item_scope_of(item_pk_of(&pk, ITEM_ROOM, slice_str(r->room_id)));
}

uint64_t rig_rival(const struct rig *r)
{
	uint64_t nodes[RIG_NODES + 2] = {RIG_NODE};
	size_t n = 1;
	for (size_t i = 0; i < r->nodes_n; i++) {
		nodes[n++] = r->nodes[i].number;
	}
	do {
		nodes[n]++;
	} while (nodes[n] == RIG_NODE || rendezvous_home(nodes, n + 1, rig_bucket(r)) != nodes[n]);
	return nodes[n];
}

void rig_rival_takes(struct rig *r)
{
	struct store_take take = {.bucket = rig_bucket(r), .fence = {{0xff}}};
	store_mem_take(r->store, &take);
}

static void rig_on_asked(void *arg, enum err e, struct store_fence had, uint64_t version)
{
	static const struct store_fence none;
	(void)version;
	assert_true(e == OK || e == ERR_FENCED);
	*(bool *)arg = memcmp(&had, &none, sizeof(had)) != 0;
}

/* Whoever gives up what it does not have learns who has it. */
bool rig_is_taken(struct rig *r)
{
	bool is_taken = false;
	struct store_take take = {.bucket = rig_bucket(r), .fence = {{0xee}}, .gives_up = true};
	assert_false(r->holds);
	assert_int_equal(store_take(r->store, &take, rig_on_asked, &is_taken), OK);
	rig_settle(r);
	return is_taken;
}
