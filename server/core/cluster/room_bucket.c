/*
 * room_bucket.c - see room_bucket.h.
 */
#include "server/core/cluster/room_bucket.h"

#include <string.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "server/core/cluster/cluster.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/server_priv.h"

/* What is no code names no room (guess_wait_for_nothing()): every node finds nothing under it. */
struct room_bucket *room_bucket_of(struct server *s, const char *room_id)
{
	struct item_pk pk;
	if (s->cluster == NULL || room_id[0] == '!') {
		return NULL;
	}
	return &s->cluster->buckets[item_scope_of(item_pk_of(&pk, ITEM_ROOM, slice_str(room_id)))];
}

static unsigned room_bucket_number(const struct server *s, const struct room_bucket *b)
{
	return (unsigned)(b - s->cluster->buckets);
}

/* One that was lost may be another's: a list that was read since says whose it is. */
bool room_bucket_is_here(const struct server *s, const struct room_bucket *b)
{
	const struct cluster *c = s->cluster;
	if (b->state == BUCKET_TAKING || b->state == BUCKET_HELD) {
		return true;
	}
	return b->state == BUCKET_FREE &&
	       membership_home(&c->members, room_bucket_number(s, b)) == c->members.self &&
	       (b->lost_ms == 0 || c->lease.list.good_ms >= b->lost_ms);
}

const struct cluster_node *room_bucket_home(struct server *s, const char *room_id)
{
	const struct room_bucket *b = room_bucket_of(s, room_id);
	const struct membership *m = b == NULL ? NULL : &s->cluster->members;
	return m == NULL ? NULL : membership_node(m, membership_home(m, room_bucket_number(s, b)));
}

void room_bucket_elsewhere(struct server *s, const char *room_id, struct fault *fault)
{
	const struct cluster_node *home = room_bucket_home(s, room_id);
	fault_set(fault, FAULT_ELSEWHERE, ROOM_ELSEWHERE);
	fault->room_id = slice_str(room_id);
	fault->home = home == NULL ? (struct slice){0} : slice_str(home->announce);
}

/* ---- taking ---- */

/* Its node, and chance: no other taking has it, and whoever takes the bucket next learns who had it. */
static struct store_fence fence_make(struct server *s)
{
	struct store_fence fence;
	const uint64_t node = s->cluster->members.self;
	_Static_assert(sizeof(fence.bytes) == 2 * sizeof(node), "node and chance are as long");
	memcpy(fence.bytes, &node, sizeof(node));
	random_bytes(&s->random, fence.bytes + sizeof(node), sizeof(node));
	return fence;
}

static bool room_bucket_send(struct server *s, struct room_bucket *b, bool gives_up)
{
	struct effect fx = {
		.kind = FX_TAKE,
		.take = {.bucket = room_bucket_number(s, b),
			 .fence = b->fence,
			 .gives_up = gives_up},
	};
	return ticket_send(s, &b->ticket, TICKET_BUCKET, &fx);
}

bool room_bucket_take(struct server *s, struct room_bucket *b)
{
	if (b->state == BUCKET_FREE && room_bucket_is_here(s, b)) {
		b->fence = fence_make(s);
		b->state = room_bucket_send(s, b, false) ? BUCKET_TAKING : BUCKET_FREE;
	}
	return b->state == BUCKET_TAKING;
}

/* Rooms that have waited for it are loaded. */
static void room_bucket_taken(struct server *s, struct room_bucket *b, const struct event *e)
{
	struct partition *p;
	struct partition *later;
	b->state = e->result == OK ? BUCKET_HELD : BUCKET_FREE;
	b->version = e->version;
	b->is_lost = false;
	s->counters.cluster_takings += e->result == OK;
	s->counters.cluster_homes += e->result == OK;
	if (e->result != OK) {
		server_log(s, LOG_WARN, "event=take_failed bucket=%u reason=\"%s\"",
			   room_bucket_number(s, b), err_text(e->result));
	}
	DL_FOREACH_SAFE2(b->partitions, p, later, bucket_next)
	{
		if (p->waits_to_load) {
			continue; /* for its turn among those of an address */
		}
		if (b->state != BUCKET_HELD || !partition_begin_load(s, p)) {
			partition_give_up(s, p);
		}
	}
	if (b->state == BUCKET_HELD &&
	    membership_home(&s->cluster->members, room_bucket_number(s, b)) !=
		    s->cluster->members.self) {
		room_bucket_leave(s, b); /* it has moved meanwhile */
	}
}

void room_bucket_answered(struct room_bucket *b, uint64_t version)
{
	if (b != NULL && version > b->version) {
		b->version = version;
	}
}

/* ---- checking ---- */

static bool room_bucket_has_flight(const struct room_bucket *b)
{
	const struct partition *p = b->partitions;
	while (p != NULL && p->flight == NULL) {
		p = p->bucket_next;
	}
	return p != NULL;
}

/* Whatever is read under the fence tells; the ROOM item of one of its rooms is small. */
bool room_bucket_check(struct server *s, struct room_bucket *b)
{
	bool is_held = b->state == BUCKET_HELD || (b->state == BUCKET_LEAVING && !b->is_lost);
	if (!is_held || b->partitions == NULL) {
		return false;
	}
	struct effect fx = {.kind = FX_LOAD,
			    .load = {.pk = partition_pk(s, b->partitions),
				     .sk_prefix = slice_str(item_rows[ITEM_ROOM].sk),
				     .is_exact = true,
				     .fence = b->fence}};
	if (fx.load.pk.len == 0 || !ticket_send(s, &b->ticket, TICKET_BUCKET, &fx)) {
		room_bucket_lose(s, b); /* what cannot be known is not served */
		return false;
	}
	b->is_checked = true;
	b->was_in_flight = room_bucket_has_flight(b);
	b->checked_version = b->version;
	return true;
}

/* The table has all that this node was answered, and nothing else but what is on its way. */
static bool room_bucket_is_the_same(const struct room_bucket *b, uint64_t version)
{
	bool may_be_more = b->was_in_flight || b->version != b->checked_version;
	return version == b->checked_version || (version > b->checked_version && may_be_more);
}

/* What is in flight meets a conflict, if it was made on what is lost. */
static void room_bucket_reload(struct server *s, struct room_bucket *b)
{
	struct partition *p;
	DL_FOREACH2(b->partitions, p, bucket_next)
	{
		if (p->state == PARTITION_LOADING) {
			partition_reload(s, p);
		} else if (p->flight == NULL) {
			unit_conflict(s, p);
		}
	}
}

static void room_bucket_checked(struct server *s, struct room_bucket *b, const struct event *e)
{
	b->is_checked = false;
	if (e->result == ERR_FENCED) {
		room_bucket_lose(s, b);
	} else if (e->result != OK || !room_bucket_is_the_same(b, e->version)) {
		b->version = e->result == OK ? e->version : b->version;
		room_bucket_reload(s, b);
	}
	cluster_checked(s);
}

/* ---- leaving ---- */

void room_bucket_leave(struct server *s, struct room_bucket *b)
{
	if (b->state == BUCKET_HELD) {
		b->state = BUCKET_LEAVING;
		b->left_ms = s->now.boot_ms;
		DL_APPEND(s->cluster->leaving, b);
	}
}

void room_bucket_lose(struct server *s, struct room_bucket *b)
{
	struct partition *p;
	room_bucket_leave(s, b);
	if (b->state != BUCKET_LEAVING || b->is_lost) {
		return;
	}
	server_log(s, LOG_WARN, "event=bucket_lost bucket=%u", room_bucket_number(s, b));
	b->is_lost = true;
	s->counters.cluster_fenced++;
	b->lost_ms = s->now.boot_ms;
	cluster_list_soon(s);
	DL_FOREACH2(b->partitions, p, bucket_next)
	{
		if (p->flight == NULL && p->open != NULL) {
			unit_fenced(s, p);
		}
	}
}

/* A room without a commit on its way, nor changes that have to be committed first. */
static bool partition_may_leave(const struct partition *p)
{
	return p->state == PARTITION_LOADING ||
	       (p->flight == NULL && p->open == NULL && !p->is_dirty);
}

void room_bucket_go_on_leaving(struct server *s, struct room_bucket *b)
{
	struct partition *p;
	struct partition *later;
	bool is_old = b->is_lost || s->now.boot_ms - b->left_ms >= LEASE_MS;
	DL_FOREACH_SAFE2(b->partitions, p, later, bucket_next)
	{
		if (partition_may_leave(p)) {
			partition_leave(s, p);
		} else if (is_old) {
			partition_end_subscriptions(s, p);
		}
	}
	if (b->partitions != NULL || b->is_checked) {
		return;
	}
	DL_DELETE(s->cluster->leaving, b);
	s->counters.cluster_homes--;
	b->state = !b->is_lost && room_bucket_send(s, b, true) ? BUCKET_GIVING_UP : BUCKET_FREE;
}

void room_bucket_done(struct server *s, struct room_bucket *b, const struct event *e)
{
	if (b->is_checked) {
		room_bucket_checked(s, b, e);
	} else if (b->state == BUCKET_TAKING) {
		room_bucket_taken(s, b, e);
	} else {
		ASSERT_CMP(b->state, ==, BUCKET_GIVING_UP);
		b->state =
			BUCKET_FREE; /* where that failed, whoever comes next takes it all the same */
	}
}
