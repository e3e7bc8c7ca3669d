/*
 * homes.c - see homes.h.
 */
#include "tests/sim/oracle/homes.h"

#include "server/core/cluster/lease.h"
#include "tests/sim/features/feature.h"

void homes_commit(struct world *w, const struct sim_commit *c)
{
	if (w->nodes_n == 1 || c->room < 0 || !c->has_state) {
		return;
	}
	struct sim_room *r = &w->rooms[c->room];
	if (r->written_epoch != 0 && r->written_epoch != c->state.epoch) {
		struct sim_old_epoch *old =
			&r->olds[r->olds_n++ % (sizeof(r->olds) / sizeof(r->olds[0]))];
		*old = (struct sim_old_epoch){r->written_epoch, w->mono_ms};
	}
	r->written_epoch = c->state.epoch;
}

/* How old it is by the time its first byte leaves: the rest of what has begun follows, however slow the reader. */
void homes_shows(struct world *w, const struct conn *c, int room, int64_t epoch)
{
	const struct sim_room *r = &w->rooms[room];
	for (size_t i = 0; i < sizeof(r->olds) / sizeof(r->olds[0]); i++) {
		if (r->olds[i].epoch == epoch && r->olds[i].epoch != 0 &&
		    c->begun_mono - r->olds[i].since_mono >= LEASE_MS) {
			broken(w, CLAIM_HOMES,
			       "%s is shown as it was %lld ms ago, when another node wrote it",
			       r->id, (long long)(c->begun_mono - r->olds[i].since_mono));
		}
	}
}

/* It tells nothing of any room. */
static bool homes_is_refusal(const struct rpc_message *m)
{
	struct fault fault;
	if (m->kind != RPC_RESPONSE || m->error == NULL) {
		return false;
	}
	rpc_read_fault(m->error, NULL, &fault);
	return fault.code == FAULT_UNAVAILABLE;
}

void homes_leaves(struct world *w, const struct conn *c, const struct rpc_message *m)
{
	if (node_is_over(w, c->node) && !homes_is_refusal(m)) {
		broken(w, CLAIM_HOMES, "a node sends to %s, and its lease is over",
		       member_name(w, c->member));
	}
}

void homes_settled(struct world *w)
{
	for (size_t i = 0; i < w->rooms_n && w->nodes_n > 1; i++) {
		size_t homes = 0;
		for (size_t n = 0; n < w->nodes_n; n++) {
			homes += w->rooms[i].memories[n]->in_memory;
		}
		if (homes > 1) {
			broken(w, CLAIM_HOMES, "all is quiet, and %zu nodes have %s in memory",
			       homes, w->rooms[i].id);
		}
	}
}
