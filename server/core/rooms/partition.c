/*
 * partition.c - rooms in memory: loaded when first asked for, dropped when
 * they are idle.
 *
 *   (none) --get--> LOADING --loaded--> READY --idle--> (none)
 *                      ^                  |
 *                      +--commit failed---+ or met a conflict: unit_undo.c
 *
 * Of several servers on one table only its home has a room in memory: cluster/room_bucket.h. There
 * LOADING begins with taking the bucket, and the room is left when its home is another.
 *
 * Requests that come while it loads wait in order and are then taken again.
 * When the load fails they are refused with UNAVAILABLE, and the next request tries anew. Tasks that transactions
 * give it come before them, and are forgotten then.
 */
#include "server/core/rooms/partition.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "server/core/cluster/room_bucket.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/guess_limit.h"
#include "server/core/conns/request.h"
#include "server/core/conns/send_queue.h"
#include "server/core/directory_rooms.h"
#include "server/core/expiry.h"
#include "server/core/rooms/parked.h"
#include "server/core/rooms/subscription.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/rooms/update_log.h"
#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/timers.h"

/* Without work or subscribers for this long, a room leaves memory; its log of updates goes even with
 * subscribers. */
#define PARTITION_IDLE_MS 60000

struct partition *partition_find(struct server *s, const char *room_id)
{
	struct partition *p = NULL;
	HASH_FIND_STR(s->partitions, room_id, p);
	return p;
}

struct slice partition_pk(struct server *s, const struct partition *p)
{
	const struct item_row *row = &item_rows[ITEM_ROOM];
	size_t cap = row->pk_prefix_len + sizeof(p->room_id);
	char *pk = arena_alloc(&s->scratch, cap);
	return slice_of(pk,
			pk == NULL ? 0 : format_to(pk, cap, "%s%s", row->pk_prefix, p->room_id));
}

struct key_text partition_log_name(const struct server *s, const struct partition *p)
{
	return key_hash(s->config.server_key, "log", slice_str(p->room_id));
}

struct store_fence partition_fence(const struct partition *p)
{
	return p->bucket == NULL ? (struct store_fence){{0}} : p->bucket->fence;
}

/* Of the rounds only the last. */
bool partition_begin_load(struct server *s, struct partition *p)
{
	if (p->bucket != NULL && p->bucket->state != BUCKET_HELD) {
		p->state = PARTITION_LOADING;
		return room_bucket_take(s, p->bucket);
	}
	struct effect fx = {.kind = FX_LOAD,
			    .load = {.pk = partition_pk(s, p),
				     .tail_prefix = slice_str(item_rows[ITEM_ROUND].sk),
				     .tail_limit = ROUNDS_IN_MEMORY,
				     .fence = partition_fence(p)}};
	if (fx.load.pk.len == 0 || !ticket_send(s, &p->ticket, TICKET_PARTITION, &fx)) {
		return false;
	}
	p->state = PARTITION_LOADING;
	p->load = p->ticket.number;
	return true;
}

bool partition_is_elsewhere(struct server *s, const char *room_id)
{
	const struct room_bucket *b = room_bucket_of(s, room_id);
	return b != NULL && !room_bucket_is_here(s, b);
}

struct partition *partition_add(struct server *s, const char *room_id)
{
	struct room_bucket *b = room_bucket_of(s, room_id);
	if ((b != NULL && !room_bucket_is_here(s, b)) ||
	    (int64_t)s->partitions_n >= server_limit(s, LIMIT_ROOMS) ||
	    !timers_reserve(&s->timers, s->conns_n + s->partitions_n + 1)) {
		return NULL;
	}
	struct partition *p = calloc(1, sizeof(*p));
	if (p == NULL) {
		return NULL;
	}
	strcpy(p->room_id, room_id);
	p->timer.owner = TIMER_PARTITION;
	p->used_mono = s->now.mono_ms;
	HASH_ADD_STR(s->partitions, room_id, p);
	if (p->hh.tbl == NULL) {
		free(p);
		return NULL;
	}
	if (b != NULL) {
		p->bucket = b;
		DL_APPEND2(b->partitions, p, bucket_prev, bucket_next);
	}
	s->partitions_n++;
	s->counters.rooms_now++;
	return p;
}

struct partition *partition_get(struct server *s, const char *room_id)
{
	struct partition *p = partition_find(s, room_id);
	if (p != NULL && !p->waits_to_load) {
		return p;
	}
	if (p == NULL && (p = partition_add(s, room_id)) == NULL) {
		return NULL;
	}
	guess_load_forget(p);
	if (!partition_begin_load(s, p)) {
		partition_give_up(s, p);
		return NULL;
	}
	return p;
}

/* ---- tasks ---- */

static void task_run(struct server *s, struct partition *p, room_task_handler *run,
		     struct slice key)
{
	if (p->room == NULL || room_is_deleted(p->room)) {
		return;
	}
	run(p->room, &(struct room_task){.key = key,
					 .mono_ms = s->now.mono_ms,
					 .wall_ms = s->now.wall_ms,
					 .limits = s->config.limits,
					 .server_key = s->config.server_key});
	room_end_change(p->room);
	partition_dirty(s, p);
}

static void tasks_drop_all(struct partition *p)
{
	for (struct waiting_task *t; (t = p->tasks) != NULL; free(t)) {
		DL_DELETE(p->tasks, t);
	}
	p->tasks_n = 0;
}

static void tasks_run_all(struct server *s, struct partition *p)
{
	struct waiting_task *t;
	DL_FOREACH (p->tasks, t) {
		task_run(s, p, t->run, slice_of(t->key, t->len));
	}
	tasks_drop_all(p);
}

void partition_give_task(struct server *s, const char *room_id, room_task_handler *run,
			 struct slice key)
{
	struct partition *p = s->is_stopping ? NULL : partition_get(s, room_id);
	if (p == NULL) {
		return;
	}
	if (p->state == PARTITION_READY) {
		task_run(s, p, run, key);
		return;
	}
	struct waiting_task *t =
		p->tasks_n >= TASKS_WAITING_MAX ? NULL : malloc(sizeof(*t) + key.len);
	if (t == NULL) {
		return;
	}
	*t = (struct waiting_task){.run = run, .len = key.len};
	if (key.len > 0) {
		memcpy(t->key, key.data, key.len);
	}
	DL_APPEND(p->tasks, t);
	p->tasks_n++;
}

/* Subscriptions from before a reload get their seats back; those whose seat is gone end. */
static void partition_seat_subscriptions(struct server *s, struct partition *p)
{
	struct subscription *sub;
	struct subscription *later;
	DL_FOREACH_SAFE (p->subscriptions, sub, later) {
		struct fault fault = {.code = FAULT_NONE};
		struct room_call call = room_call_of(s, sub->conn, &fault);
		struct seat *seat = NULL;
		if (p->room != NULL) {
			call.has_host_key = conn_is_host(sub->conn, room_host_hash(p->room));
			seat = room_seat_again(p->room, &call, &subscription_pass(sub)->user_key);
		}
		if (seat == NULL) {
			struct conn *c = sub->conn;
			subscription_remove(s, sub);
			if (fault.code == FAULT_UNAVAILABLE) {
				conn_end(s, c, "the server is out of memory; connect again");
			} else {
				partition_send_ended(s, c,
						     p->room == NULL ? NOTICE_ROOM_DELETED
								     : NOTICE_ROOM_KICKED,
						     &(struct kicked_notice){
							     .room_id = slice_str(p->room_id)});
			}
			continue;
		}
		sub->seat = seat;
		LL_APPEND2(*seat_subscriptions(seat), sub, seat_next);
		subscription_start_over(s, sub);
	}
}

void partition_send_ended(struct server *s, struct conn *c, enum notice which,
			  const struct kicked_notice *why)
{
	struct buf b = {.max = 512};
	struct room_notice n = {.room_id = why->room_id};
	rpc_write_notice(&b, slice_str(notice_rows[which].name), notice_rows[which].record,
			 which == NOTICE_ROOM_KICKED ? (const void *)why : &n);
	if (b.error == OK) {
		conn_send(s, c, buf_slice(&b));
	} else {
		conn_end(s, c, "the server is out of memory; connect again");
	}
	buf_finish(&b);
}

void partition_give_up(struct server *s, struct partition *p)
{
	tasks_drop_all(p);
	parked_refuse_all(s, &p->parked, ROOM_UNREAD);
	if (p->subscriptions == NULL) {
		if (p->page != NULL) {
			parked_refuse_all(s, &p->page->parked, ROOM_UNREAD);
		}
		inquiries_refuse_all(s, p);
		partition_destroy(s, p);
	} else {
		timers_set(&s->timers, &p->timer,
			   s->now.mono_ms + 1000); /* for its subscribers, try again */
	}
}

void partition_end_subscriptions(struct server *s, struct partition *p)
{
	while (p->subscriptions != NULL) {
		conn_end(s, p->subscriptions->conn, ROOM_ELSEWHERE);
	}
}

void partition_leave(struct server *s, struct partition *p)
{
	partition_end_subscriptions(s, p);
	parked_refuse_all(s, &p->parked, ROOM_ELSEWHERE);
	if (p->page != NULL) {
		parked_refuse_all(s, &p->page->parked, ROOM_ELSEWHERE);
	}
	inquiries_refuse_all(s, p);
	partition_destroy(s, p);
}

void partition_reload(struct server *s, struct partition *p)
{
	if (!partition_begin_load(s, p)) {
		p->state = PARTITION_LOADING;
		parked_refuse_all(s, &p->parked, ROOM_UNREAD);
		timers_set(&s->timers, &p->timer, s->now.mono_ms + 1000);
	}
}

/* Nobody may have told the room that its group has ended. */
static void partition_follow_load(struct server *s, struct partition *p)
{
	struct room_follow *f = NULL;
	if (p->room != NULL && room_follows_load(p->room, &s->scratch, &f) == OK && f != NULL) {
		room_begin_follow(s, f);
	}
}

void partition_loaded(struct server *s, struct partition *p, const struct event *e)
{
	int64_t grace_ms = server_limit(s, LIMIT_VOTE_GRACE_MS);
	enum err result = e->result;
	if (result == OK) {
		result = room_load(p->room_id, e->items, e->n, room_make_epoch(&s->random),
				   s->now.mono_ms, grace_ms, &p->room);
	}
	if (result == OK && p->room != NULL) {
		room_trace(p->room, s->config.trace);
		room_await_maker(p->room, s->now.wall_ms, s->now.mono_ms, grace_ms);
	}
	guess_load_ended(s, p);
	if (result == ERR_FENCED) {
		room_bucket_lose(s, p->bucket);
		partition_give_up(s, p);
		return;
	}
	if (result != OK) {
		server_log(s, LOG_ERROR, "event=load_failed room=%.8s reason=\"%s\"",
			   partition_log_name(s, p).text, err_text(result));
		partition_give_up(s, p);
		return;
	}
	room_bucket_answered(p->bucket, e->version);
	p->state = PARTITION_READY;
	partition_seat_subscriptions(s, p);
	if (p->pending != NULL && p->room != NULL && !room_needs_write(p->room)) {
		/* Subscriptions that start over do so before what the requests bring, so that they
		 * are sent transient notifications, too. */
		unit_close(s, p);
	}
	partition_follow_load(s, p);
	partition_look(s, p); /* what is over by now is over for requests that wait, too */
	tasks_run_all(s, p);
	parked_take_all(s, p, &p->parked, NULL);
	partition_dirty(s, p);
	partition_schedule(s, p);
}

static void full_forget(struct frame **home)
{
	if (*home != NULL) {
		(*home)->home = NULL;
		*home = NULL;
	}
}

void partition_forget_full(struct partition *p)
{
	full_forget(&p->full);
	full_forget(&p->full_sparse);
}

struct frame *partition_full(struct server *s, struct partition *p, bool with_data)
{
	struct frame **home = with_data ? &p->full : &p->full_sparse;
	struct buf b = {.max = UNIT_BYTES_MAX};
	if (*home != NULL && room_is_unchanged(p->room, (*home)->version)) {
		return frame_ref(*home);
	}
	full_forget(home);
	rpc_write_notice_raw(&b, slice_str(notice_rows[NOTICE_ROOM_UPDATE].name),
			     (struct slice){0});
	size_t body = b.len;
	buf_clear(&b);
	room_write_full(p->room, with_data, &s->scratch, &b);
	struct frame *f = b.error == OK ? malloc(sizeof(*f) + b.len) : NULL;
	if (f != NULL) {
		*f = (struct frame){.refs = 1,
				    .home = home,
				    .version = room_version(p->room),
				    .len = b.len,
				    .body = body};
		memcpy(f->bytes, b.data, b.len);
		*home = f;
		s->counters.out_bytes_now += f->len;
	}
	buf_finish(&b);
	return f;
}

void partition_forget_room(struct server *s, struct partition *p)
{
	struct subscription *sub;
	partition_forget_full(p); /* it is of an epoch that has ended */
	room_destroy(p->room);
	p->room = NULL;
	DL_FOREACH (p->subscriptions, sub) {
		subscription_unseat(s, sub);
	}
	update_log_clear(&p->log);
}

void partition_destroy(struct server *s, struct partition *p)
{
	ASSERT(p->subscriptions == NULL && p->pending == NULL);
	guess_load_forget(p);
	ticket_close(s, &p->ticket);
	if (p->is_dirty) {
		DL_DELETE2(s->dirty, p, dirty_prev, dirty_next);
	}
	if (p->is_marked) {
		fanout_unmark(s, p);
	}
	if (p->bucket != NULL) {
		DL_DELETE2(p->bucket->partitions, p, bucket_prev, bucket_next);
	}
	timers_cancel(&s->timers, &p->timer);
	tasks_drop_all(p);
	inquiries_drop_all(p);
	parked_drop_all(&p->parked);
	room_page_destroy(s, p->page);
	unit_drop(s, p->open);
	unit_drop(s, p->flight);
	buf_finish(&p->group_line);
	partition_forget_full(p);
	room_destroy(p->room);
	update_log_finish(&p->log);
	HASH_DELETE(hh, s->partitions, p);
	s->partitions_n--;
	s->counters.rooms_now--;
	free(p);
}

void partition_dirty(struct server *s, struct partition *p)
{
	if (!p->is_dirty) {
		p->is_dirty = true;
		DL_APPEND2(s->dirty, p, dirty_prev, dirty_next);
	}
}

bool partition_is_busy(const struct partition *p)
{
	return p->state == PARTITION_LOADING || p->flight != NULL || p->is_dirty ||
	       p->parked != NULL || p->inquiries != NULL || p->open != NULL || p->is_broken ||
	       p->page != NULL;
}

static struct room_now partition_now(const struct server *s)
{
	return (struct room_now){s->now.mono_ms, s->now.wall_ms, s->config.limits};
}

void partition_schedule(struct server *s, struct partition *p)
{
	const struct room_now now = partition_now(s);
	int64_t due = s->now.mono_ms + PARTITION_IDLE_MS;
	if (p->room != NULL && !room_is_deleted(p->room)) {
		int64_t wanted = room_deadline(p->room, &now);
		due = wanted < due ? wanted : due;
	}
	/* Never by now: what could be done by now has been, and the tick goes on until nothing is
	 * due. */
	if (due <= s->now.mono_ms) {
		due = p->rests_mono > s->now.mono_ms ? p->rests_mono : s->now.mono_ms + 1;
	}
	timers_set_earlier(&s->timers, &p->timer, due);
}

void partition_look(struct server *s, struct partition *p)
{
	struct room *r = p->room;
	if (p->state == PARTITION_LOADING || r == NULL || room_is_deleted(r)) {
		return;
	}
	const struct room_now now = partition_now(s);
	room_tick(r, &now);
	if (room_is_over(r, s->now.wall_ms) && s->now.mono_ms >= p->rests_mono) {
		server_log(s, LOG_DEBUG, "event=room_expired room=%.8s",
			   partition_log_name(s, p).text);
		expiry_count(s);
		room_expire(r);
	}
	room_end_change(r);
	if (room_needs_write(r) || room_needs_update(r) || room_has_notifications(r)) {
		partition_dirty(s, p);
	}
}

void partition_timer(struct server *s, struct partition *p)
{
	if (s->is_frozen || (p->bucket != NULL && p->bucket->state == BUCKET_LEAVING)) {
		timers_set(&s->timers, &p->timer, s->now.mono_ms + 1000);
		return;
	}
	if (p->state == PARTITION_LOADING) {
		if (p->ticket.number == 0 && !partition_begin_load(s, p)) {
			timers_set(&s->timers, &p->timer, s->now.mono_ms + 1000);
		}
		return;
	}
	partition_look(s, p);
	bool is_idle = s->now.mono_ms - p->used_mono >= PARTITION_IDLE_MS && !partition_is_busy(p);
	const struct room_now now = partition_now(s);
	bool has_graces = p->room != NULL && room_deadline(p->room, &now) != INT64_MAX;
	if (is_idle && p->subscriptions == NULL && !has_graces) {
		partition_destroy(s, p);
		return;
	}
	if (is_idle) {
		update_log_clear(&p->log);
	}
	partition_schedule(s, p);
}
