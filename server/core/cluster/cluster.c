/*
 * cluster.c - see cluster.h.
 */
#include "server/core/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "server/core/cluster/node_record.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/forward.h"
#include "server/core/conns/request.h"
#include "server/core/rooms/partition.h"
#include "server/core/server_priv.h"
#include "server/core/txn/news.h"

enum err cluster_create(struct server *s)
{
	const struct server_config *config = &s->config;
	struct cluster *c = calloc(1, sizeof(*c));
	if (c == NULL) {
		return ERR_NOMEM;
	}
	membership_begin(&c->members, config->node);
	c->self = (struct cluster_node){
		.number = config->node,
		.preface_version = NODE_PREFACE_VERSION,
		.items_version = NODE_ITEMS_VERSION,
		.limits = node_limits(config->limits),
		.has_command = config->has_command,
	};
	memcpy(c->self.address, config->node_address, sizeof(c->self.address));
	memcpy(c->self.announce, config->node_announce, sizeof(c->self.announce));
	s->cluster = c;
	s->counters.cluster_nodes = 1;
	s->counters.cluster_freezes = 1;
	s->is_frozen = true; /* until its key is there */
	return OK;
}

void cluster_destroy(struct server *s)
{
	struct cluster *c = s->cluster;
	if (c == NULL) {
		return;
	}
	ticket_close(s, &c->renewal);
	ticket_close(s, &c->list);
	for (size_t i = 0; i < ITEM_BUCKETS; i++) {
		ticket_close(s, &c->buckets[i].ticket);
	}
	s->cluster = NULL;
	free(c);
}

/* ---- frozen, and not ---- */

static void cluster_freeze(struct server *s)
{
	s->is_frozen = true;
	s->counters.cluster_freezes++;
	s->cluster->frozen_ms = s->now.boot_ms;
	s->cluster->is_checking = false;
	server_log(s, LOG_WARN, "event=frozen");
}

void cluster_look(struct server *s)
{
	struct cluster *c = s->cluster;
	if (c->frozen_ms == 0) {
		c->frozen_ms = s->now.boot_ms; /* the first look */
	}
	if (!s->is_frozen && !lease_is_fresh(&c->lease, s->now.boot_ms)) {
		cluster_freeze(s);
	}
}

/* The homes of buckets may be others now. */
static void cluster_leave_moved(struct server *s)
{
	struct cluster *c = s->cluster;
	for (unsigned i = 0; i < ITEM_BUCKETS; i++) {
		if (c->buckets[i].state == BUCKET_HELD &&
		    membership_home(&c->members, i) != c->members.self) {
			room_bucket_leave(s, &c->buckets[i]);
		}
	}
}

/* What has waited goes on. The time it waited for us is not the peers'. */
static void cluster_thaw(struct server *s)
{
	struct cluster *c = s->cluster;
	s->is_frozen = false;
	s->is_refusing = false;
	c->is_checking = false;
	c->thawed_mono = s->now.mono_ms;
	s->counters.cluster_frozen_us += (uint64_t)(s->now.boot_ms - c->frozen_ms) * 1000;
	server_log(s, LOG_INFO, "event=thawed after_ms=%lld",
		   (long long)(s->now.boot_ms - c->frozen_ms));
	for (size_t i = 0; i < s->conns_capacity; i++) {
		if (s->conns[i] != NULL) {
			conn_thaw(s, s->conns[i]);
		}
	}
	for (struct partition *p = s->partitions; p != NULL; p = p->hh.next) {
		timers_set_earlier(&s->timers, &p->timer, s->now.mono_ms);
	}
	cluster_leave_moved(s);
}

static void cluster_begin_checks(struct server *s)
{
	struct cluster *c = s->cluster;
	c->is_checking = true;
	c->checks_n = 0;
	for (size_t i = 0; i < ITEM_BUCKETS; i++) {
		c->checks_n += room_bucket_check(s, &c->buckets[i]);
	}
}

static void cluster_try_thaw(struct server *s)
{
	struct cluster *c = s->cluster;
	if (!s->is_frozen || !lease_is_fresh(&c->lease, s->now.boot_ms)) {
		return;
	}
	if (!c->is_checking) {
		cluster_begin_checks(s);
	}
	if (c->checks_n == 0) {
		cluster_thaw(s);
	}
}

void cluster_checked(struct server *s)
{
	s->cluster->checks_n--;
	cluster_try_thaw(s);
}

/* Requests that wait are refused, and so are all that come until the server is frozen no more. */
static void cluster_refuse_waiting(struct server *s)
{
	s->is_refusing = true;
	for (size_t i = 0; i < s->conns_capacity; i++) {
		if (s->conns[i] != NULL) {
			conn_resume_soon(s, s->conns[i]);
		}
	}
}

void cluster_refuse(struct server *s, const struct request *rq)
{
	struct conn *c = rq->conn;
	bool may_leave = c->is_refused || c->send_queue == NULL;
	request_refuse_for(s, rq, FAULT_UNAVAILABLE, FROZEN_REFUSAL);
	if (c->is_closing) {
		return;
	}
	if (!may_leave) {
		conn_cut(s, c);
		return;
	}
	c->is_refused = true;
	fanout_forget(s, c);
	fanout_ready(s, c); /* in front */
}

/* ---- its key, and the list ---- */

/* Nothing of its rooms is left to do: transactions carry what they had for others. */
static bool cluster_is_done(const struct server *s)
{
	if (!s->cluster->members.is_leaving || s->transactions != NULL) {
		return false;
	}
	for (size_t i = 0; i < ITEM_BUCKETS; i++) {
		if (s->cluster->buckets[i].state != BUCKET_FREE) {
			return false;
		}
	}
	return true;
}

static void cluster_renew(struct server *s)
{
	struct cluster *c = s->cluster;
	c->self.is_leaving = c->members.is_leaving;
	c->self.has_left = cluster_is_done(s);
	c->self.limits = node_limits(s->config.limits); /* they may be others by now */
	if (ticket_send(s, &c->renewal, TICKET_RENEWAL,
			&(struct effect){.kind = FX_RENEW, .node = &c->self})) {
		lease_round_sent(&c->lease.renewal, s->now.boot_ms);
	}
}

static void cluster_list(struct server *s)
{
	struct cluster *c = s->cluster;
	if (ticket_send(s, &c->list, TICKET_LIST, &(struct effect){.kind = FX_LIST})) {
		lease_round_sent(&c->lease.list, s->now.boot_ms);
	}
}

void cluster_list_soon(struct server *s)
{
	struct lease_round *list = &s->cluster->lease.list;
	list->sent_ms = list->is_sent ? list->sent_ms : 0;
}

bool cluster_is_home(const struct server *s, struct slice room_id)
{
	const struct membership *m = &s->cluster->members;
	struct item_pk pk;
	return membership_home(m, item_scope_of(item_pk_of(&pk, ITEM_ROOM, room_id))) == m->self;
}

bool cluster_has_others(const struct server *s)
{
	return s->cluster != NULL && s->cluster->members.others_n > 0;
}

void cluster_tick(struct server *s)
{
	struct cluster *c = s->cluster;
	if (lease_round_is_due(&c->lease.renewal, s->now.boot_ms)) {
		cluster_renew(s);
	}
	if (lease_round_is_due(&c->lease.list, s->now.boot_ms)) {
		cluster_list(s);
	}
	if (s->is_frozen && !s->is_refusing && s->now.boot_ms - c->frozen_ms >= FROZEN_WAIT_MS) {
		cluster_refuse_waiting(s);
	}
}

int64_t cluster_deadline(const struct server *s)
{
	const struct lease *l = &s->cluster->lease;
	int64_t due = INT64_MAX;
	if (!l->renewal.is_sent) {
		due = lease_round_due_ms(&l->renewal);
	}
	if (!l->list.is_sent && lease_round_due_ms(&l->list) < due) {
		due = lease_round_due_ms(&l->list);
	}
	if (due <= s->now.boot_ms) {
		return 1; /* with the next tick, as soon as may be */
	}
	return due == INT64_MAX ? due : s->now.mono_ms + (due - s->now.boot_ms);
}

/* Where its key had lapsed, others may have taken its buckets meanwhile. */
void cluster_renewed(struct server *s, const struct event *e)
{
	struct cluster *c = s->cluster;
	lease_renewed(&c->lease, e->result == OK, e->is_lapsed, s->now.boot_ms);
	if (e->result == OK && e->is_lapsed) {
		if (!s->is_frozen) {
			cluster_freeze(s);
		}
		c->is_checking = false;
	}
	cluster_try_thaw(s);
}

/* Each once: people would notice only where a client comes to the other node. */
static void cluster_warn(struct server *s)
{
	static const struct {
		enum node_difference what;
		const char *name;
	} rows[] = {{NODE_LIMITS, "limits"},
		    {NODE_COMMAND, "command"},
		    {NODE_PREFACE, "preface"},
		    {NODE_ITEMS, "items"}};
	struct cluster *c = s->cluster;
	for (size_t i = 0; i < c->members.others_n; i++) {
		struct member_node *other = &c->members.others[i];
		unsigned differs = node_differences(&c->self, &other->node);
		for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
			if ((differs & ~other->differs & (unsigned)rows[k].what) != 0) {
				server_log(s, LOG_WARN,
					   "event=node_differs node=%016llx address=%s what=%s",
					   (unsigned long long)other->node.number,
					   other->node.address, rows[k].name);
			}
		}
		other->differs = differs;
	}
}

void cluster_listed(struct server *s, const struct event *e)
{
	struct cluster *c = s->cluster;
	const unsigned died = c->members.died;
	lease_round_answered(&c->lease.list, e->result == OK);
	if (e->result == OK && membership_listed(&c->members, e->nodes, e->n, c->lease.list.sent_ms,
						 lease_proves_absence(&c->lease, s->now.boot_ms))) {
		forward_look(s);
		if (!s->is_frozen) {
			cluster_leave_moved(s);
		}
	}
	if (c->members.died != died) {
		server_log(s, LOG_WARN, "event=node_died");
		news_lost(s);
	}
	s->counters.cluster_nodes = c->members.others_n + 1;
	cluster_warn(s);
	cluster_try_thaw(s);
}

/* ---- leaving ---- */

void cluster_turn(struct server *s)
{
	struct room_bucket *b;
	struct room_bucket *later;
	if (s->is_frozen) {
		return;
	}
	DL_FOREACH_SAFE (s->cluster->leaving, b, later) {
		room_bucket_go_on_leaving(s, b);
	}
	if (!s->cluster->self.has_left && !s->cluster->lease.renewal.is_sent &&
	    cluster_is_done(s)) {
		cluster_renew(s);
	}
}

void cluster_leave(struct server *s)
{
	membership_leave(&s->cluster->members);
	cluster_renew(s); /* at once, so that others know */
	if (!s->is_frozen) {
		cluster_leave_moved(s);
	}
}

bool cluster_has_left(const struct server *s)
{
	const struct cluster *c = s->cluster;
	const struct lease_round *renewal = &c->lease.renewal;
	bool has_said =
		c->self.has_left && !renewal->is_sent && renewal->good_ms == renewal->sent_ms;
	return cluster_is_done(s) && (has_said || s->is_frozen);
}
