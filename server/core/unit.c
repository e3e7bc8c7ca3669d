/*
 * unit.c - the unit of work: what handlers did to a partition leaves it as one
 * commit, and comes back as answers and one update for everybody.
 *
 *   handlers mark --> open --close--> flight --committed--> published
 *                                        |
 *                                        +--failed--> everybody told, state loaded again
 *
 * Encoding happens at the close, when the state is exactly what the commit
 * brings; by the time it is durable the room may have moved on. While a unit is
 * in flight, what comes in gathers in the open one: the disk makes the batch.
 * A unit that changes nothing durable is published at once.
 */
#include "server/core/core.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/assert.h"

/* Answers of one unit of work; requests pending bound it long before. */
#define UNIT_BYTES_MAX ((size_t)256 << 20)

static void unit_free_data(struct unit *u)
{
	while (u->data != NULL) {
		struct data_frame *f = u->data;
		u->data = f->next;
		data_frame_destroy(f);
	}
}

void unit_finish(struct unit *u)
{
	free(u->replies);
	free(u->tells);
	free(u->endings);
	buf_finish(&u->bytes);
	buf_finish(&u->delta);
	frame_unref(u->full);
	frame_unref(u->full_sparse);
	unit_free_data(u);
	arena_finish(&u->arena);
	*u = (struct unit){0};
}

bool unit_is_empty(const struct unit *u)
{
	return u->replies_n == 0 && u->tells_n == 0 && u->endings_n == 0 && u->delta.len == 0 &&
	       u->full == NULL && u->full_sparse == NULL && u->data == NULL && !u->is_broken;
}

/* Room for one more at the end of a list; false when memory is out. */
static bool list_grow(void **items, size_t n, size_t *capacity, size_t size)
{
	if (n < *capacity) {
		return true;
	}
	size_t more = *capacity == 0 ? 4 : *capacity * 2;
	void *grown = realloc(*items, more * size);
	if (grown == NULL) {
		return false;
	}
	*items = grown;
	*capacity = more;
	return true;
}

/* ---- answers ---- */

static void unit_end_reply(struct server *s, struct partition *p, struct conn *c, uint32_t msgid,
			   size_t at)
{
	struct unit *u = &p->open;
	void *items = u->replies;
	bool ok = u->bytes.error == OK &&
		  list_grow(&items, u->replies_n, &u->replies_capacity, sizeof(*u->replies));
	u->replies = items;
	if (!ok) {
		u->is_broken = true;
		conn_end(s, c, "the server is out of memory; connect again");
		return;
	}
	u->replies[u->replies_n++] =
		(struct reply){.conn = c->id, .msgid = msgid, .at = at, .len = u->bytes.len - at};
	c->owed += u->bytes.len - at;
}

static size_t unit_begin_words(struct unit *u)
{
	u->bytes.max = UNIT_BYTES_MAX;
	return u->bytes.len;
}

void unit_result(struct server *s, struct partition *p, struct conn *c, uint32_t msgid,
		 const struct record *rec, const void *result)
{
	size_t at = unit_begin_words(&p->open);
	rpc_write_result(&p->open.bytes, msgid, rec, result);
	unit_end_reply(s, p, c, msgid, at);
}

void unit_result_raw(struct server *s, struct partition *p, struct conn *c, uint32_t msgid,
		     struct slice result)
{
	size_t at = unit_begin_words(&p->open);
	rpc_write_result_raw(&p->open.bytes, msgid, result);
	unit_end_reply(s, p, c, msgid, at);
}

void unit_fault(struct server *s, struct partition *p, struct conn *c, uint32_t msgid,
		const struct fault *fault)
{
	size_t at = unit_begin_words(&p->open);
	rpc_write_fault(&p->open.bytes, msgid, fault);
	unit_end_reply(s, p, c, msgid, at);
}

void unit_let_stand(struct partition *p)
{
	if (p->open.replies_n > 0) {
		p->open.replies[p->open.replies_n - 1].stands = true;
	}
}

/* ---- closing ---- */

static void unit_add_ending(struct unit *u, struct watch *w)
{
	void *items = u->endings;
	bool ok = list_grow(&items, u->endings_n, &u->endings_capacity, sizeof(*u->endings));
	u->endings = items;
	w->is_ending = true;
	if (ok) {
		u->endings[u->endings_n++] = w->conn->id;
	} else {
		u->is_broken = true;
	}
}

/* Those who follow on the seat no longer do; they are told when it is durable. */
static void unit_end_seat(struct server *s, struct partition *p, struct seat *seat)
{
	while (seat->watches != NULL) {
		struct watch *w = seat->watches;
		LL_DELETE2(seat->watches, w, seat_next);
		w->seat = NULL;
		room_detach(p->room, seat, s->now.mono_ms, s->config.limits);
		unit_add_ending(&p->open, w);
	}
}

static void unit_end_watches(struct server *s, struct partition *p)
{
	struct room *r = p->room;
	for (struct seat *seat = r->gone; seat != NULL; seat = seat->next_marked) {
		unit_end_seat(s, p, seat);
	}
	for (struct seat *seat = r->marked; seat != NULL; seat = seat->next_marked) {
		if (seat->is_kicked) {
			unit_end_seat(s, p, seat);
		}
	}
	if (r->is_deleted) {
		struct watch *w;
		DL_FOREACH (p->watches, w) {
			unit_add_ending(&p->open, w);
		}
	}
	room_end_change(r);
}

/* Whether the log has everything after the copy it says it has, and no words that were for the
 * moment; then w->at is where it goes on. */
static bool watch_can_resume(struct partition *p, struct watch *w)
{
	if (!w->resumes || w->since_epoch != p->room->epoch) {
		return false;
	}
	if (w->since_version == p->room->shown_version) {
		w->at = p->log.end;
		return true;
	}
	return update_log_find(&p->log, w->since_version, &w->at) && w->at >= p->words_end;
}

/* In the lobby one is told how one stands, and nothing of the room. */
static void unit_tell_waiting(struct partition *p, struct watch *w)
{
	if (!w->is_told || w->missed_tell) {
		w->is_told = true;
		w->missed_tell = false;
		room_tell(p->room, w->seat);
	}
}

struct full_needs {
	bool full;
	bool full_sparse;
};

/* Decide how each new watch begins, and which full updates that takes. */
static struct full_needs unit_take_pending(struct partition *p)
{
	struct full_needs needs = {false, false};
	struct watch *w;
	DL_FOREACH2(p->pending, w, pending_next)
	{
		if (w->state != WATCH_NEW || w->seat == NULL) {
			continue;
		}
		if (w->seat->is_waiting) {
			unit_tell_waiting(p, w);
		} else {
			w->is_told = false;
			w->needs_full = !watch_can_resume(p, w);
			needs.full = needs.full || (w->needs_full && !w->spares_data);
			needs.full_sparse = needs.full_sparse || (w->needs_full && w->spares_data);
			w->state = WATCH_FLIGHT;
			w->was_flight = true;
			w->missed_tell = false;
			room_tell(p->room, w->seat);
		}
	}
	return needs;
}

static struct frame *unit_encode_full(struct server *s, struct partition *p, bool with_data)
{
	struct buf b = {.max = UNIT_BYTES_MAX};
	room_write_full(p->room, with_data, &s->scratch, &b);
	struct frame *f = b.error == OK ? malloc(sizeof(*f) + b.len) : NULL;
	if (f == NULL) {
		p->open.is_broken = true;
	} else {
		*f = (struct frame){.refs = 1, .len = b.len};
		memcpy(f->bytes, b.data, b.len);
		p->full_bytes = b.len;
		s->counters.full_updates++;
	}
	buf_finish(&b);
	return f;
}

static void unit_encode_delta(struct server *s, struct partition *p)
{
	struct unit *u = &p->open;
	u->delta.max = UNIT_BYTES_MAX;
	u->since = p->room->shown_version;
	room_write_delta(p->room, &s->scratch, &u->delta);
	u->version =
		p->room->version; /* which writing it may have raised, above that of shared data */
	u->is_broken = u->is_broken || u->delta.error != OK;
	s->counters.updates_encoded++;
}

static void unit_add_tell(struct unit *u, const struct key_text *key_hash, size_t at)
{
	void *items = u->tells;
	bool ok = list_grow(&items, u->tells_n, &u->tells_capacity, sizeof(*u->tells));
	u->tells = items;
	if (ok && u->bytes.error == OK) {
		u->tells[u->tells_n++] =
			(struct tell){.key_hash = *key_hash, .at = at, .len = u->bytes.len - at};
	} else {
		u->is_broken = true;
	}
}

static void unit_encode_tells(struct partition *p)
{
	struct unit *u = &p->open;
	for (struct seat *seat = p->room->marked; seat != NULL; seat = seat->next_marked) {
		if (seat->to_tell && seat->watches != NULL) {
			size_t at = unit_begin_words(u);
			room_write_you(p->room, seat, &u->bytes);
			unit_add_tell(u, &seat->key_hash, at);
		}
	}
}

/* Notifications that belong to no state, in the order they were said: for all behind the update,
 * for one as a tell. */
static void unit_encode_words(struct partition *p)
{
	struct unit *u = &p->open;
	struct word *first = NULL;
	while (p->room->words != NULL) {
		struct word *w = p->room->words;
		LL_DELETE(p->room->words, w);
		LL_PREPEND(first, w);
	}
	p->room->words = first;
	for (struct word *w = first; w != NULL; w = w->next) {
		if (w->is_for_all) {
			u->delta.max = UNIT_BYTES_MAX;
			u->since = u->delta.len == 0 ? p->room->shown_version : u->since;
			u->version = p->room->shown_version;
			u->has_words = true;
			buf_append(&u->delta, w->bytes, w->len);
		} else {
			size_t at = unit_begin_words(u);
			buf_append(&u->bytes, w->bytes, w->len);
			unit_add_tell(u, &w->key_hash, at);
		}
	}
	u->is_broken = u->is_broken || u->delta.error != OK;
}

/* Everything that the marks ask for, encoded while the state is exactly that. */
static void unit_encode(struct server *s, struct partition *p)
{
	struct unit *u = &p->open;
	unit_end_watches(s, p);
	u->ends_room = p->room->is_deleted;
	if (u->ends_room) {
		return;
	}
	u->data = p->room->data_frames;
	p->room->data_frames = NULL;
	struct full_needs needs = unit_take_pending(p);
	if (room_has_to_show(p->room)) {
		unit_encode_delta(s, p);
	}
	if (needs.full) {
		u->full = unit_encode_full(s, p, true);
	}
	if (needs.full_sparse) {
		u->full_sparse = unit_encode_full(s, p, false);
	}
	unit_encode_tells(p);
	unit_encode_words(p);
	u->is_broken = u->is_broken || u->bytes.error != OK || p->room->is_short_of_memory;
}

static void unit_send(struct server *s, struct partition *p)
{
	struct effect fx = {
		.kind = FX_COMMIT,
		.ticket = server_ticket(s),
		.ops = p->flight.ops,
		.n = p->flight.ops_n,
		.event = buf_slice(&p->flight.delta),
	};
	p->to_resend = false;
	s->counters.commits_total++;
	if (!partition_expect(s, p, fx.ticket)) {
		unit_fail(s, p, ERR_NOMEM);
	} else if (!server_effect(s, &fx)) {
		(void)partition_by_ticket(s, fx.ticket);
		unit_fail(s, p, ERR_NOMEM);
	}
}

static void unit_take_flight(struct partition *p)
{
	ASSERT(unit_is_empty(&p->flight));
	unit_finish(&p->flight);
	p->flight = p->open;
	p->open = (struct unit){0};
	p->in_flight = true;
}

void unit_close(struct server *s, struct partition *p)
{
	struct unit *u = &p->open;
	bool to_store = false;
	if (p->in_flight) {
		if (p->to_resend) {
			unit_send(s, p);
		}
		return;
	}
	if (p->state == PARTITION_LOADING) {
		return;
	}
	if (p->room != NULL) {
		unit_encode(s, p);
		to_store = room_has_to_store(p->room);
		if (to_store &&
		    room_take_ops(p->room, s->now.wall_ms, &u->arena, &u->ops, &u->ops_n) != OK) {
			u->is_broken = true;
		}
		room_clear_marks(p->room);
	}
	bool is_broken = u->is_broken;
	unit_take_flight(p);
	if (is_broken) {
		unit_fail(s, p, ERR_NOMEM);
	} else if (to_store) {
		unit_send(s, p);
	} else {
		unit_publish(s, p);
	}
}
