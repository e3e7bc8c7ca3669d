/*
 * room_presence.c - what members are doing now: choosing, typing, looking somewhere.
 *
 * One value a user and presence, set only by that user's own connections, and
 * never on disk. However often it is set, others get the latest value at most
 * every PRESENCE_EVERY_MS. It ends with its ttl, or PRESENCE_GRACE_MS after the
 * user's last connection.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <msgpack.h>
#include <utlist.h>

#include "proto/records/record_pack.h"

static struct data_set *next_presence(struct data_set *set)
{
	while (set != NULL && set->kind != DATA_PRESENCE) {
		set = set->next;
	}
	return set;
}

/* ---- sending ---- */

static void send_entry(struct room *r, struct data_set *set, struct data_entry_state *e)
{
	e->needs_update = false;
	room_emit_data(r, set, e, true, false, e->is_gone ? 0 : e->author);
	if (e->is_gone) {
		data_entry_remove(&r->data, set, e);
	}
}

static void send_presences(struct room *r, int64_t mono_ms)
{
	for (struct data_set *set = next_presence(r->data.sets); set != NULL;
	     set = next_presence(set->next)) {
		struct data_entry_state *e;
		struct data_entry_state *later;
		DL_FOREACH_SAFE (set->entries, e, later) {
			if (e->needs_update) {
				send_entry(r, set, e);
			}
		}
	}
	r->data.presence_mono = 0;
	r->data.presence_sent = mono_ms;
}

/* At once if the last time is long enough ago, else when it is. */
static void presence_changed(struct room *r, struct data_entry_state *e, int64_t mono_ms)
{
	int64_t due = r->data.presence_sent + MAX_PRESENCE_EVERY_MS;
	e->needs_update = true;
	if (due <= mono_ms || r->data.presence_sent == 0) {
		send_presences(r, mono_ms);
	} else if (r->data.presence_mono == 0) {
		r->data.presence_mono = due;
	}
}

/* ---- ends ---- */

static void ends_by(struct room *r, int64_t mono_ms)
{
	if (r->data.presence_ends == 0 || mono_ms < r->data.presence_ends) {
		r->data.presence_ends = mono_ms;
	}
}

void room_presence_detached(struct room *r, int64_t mono_ms, const int64_t *limits)
{
	if (next_presence(r->data.sets) != NULL) {
		ends_by(r, mono_ms + limits[LIMIT_PRESENCE_GRACE_MS]);
	}
}

void room_presence_gone(struct room *r, const struct seat *seat)
{
	for (struct data_set *set = next_presence(r->data.sets); set != NULL;
	     set = next_presence(set->next)) {
		struct data_entry_state *e = data_entry(set, slice_str(seat->user_id));
		if (e != NULL) {
			e->ends_mono = 1;
			r->data.presence_ends = 1;
		}
	}
}

void room_presence_end(struct room *r, const struct seat *seat, int64_t mono_ms)
{
	for (struct data_set *set = next_presence(r->data.sets); set != NULL;
	     set = next_presence(set->next)) {
		struct data_entry_state *e = data_entry(set, slice_str(seat->user_id));
		if (e != NULL && !e->is_gone) {
			e->is_gone = true;
			presence_changed(r, e, mono_ms);
		}
	}
}

int64_t room_presence_end_at(const struct room *r, const struct room_now *now)
{
	(void)now;
	return r->data.presence_ends != 0 ? r->data.presence_ends : INT64_MAX;
}

void room_presence_end_act(struct room *r, const struct room_now *now)
{
	r->data.presence_ends = 0;
	for (struct data_set *set = next_presence(r->data.sets); set != NULL;
	     set = next_presence(set->next)) {
		struct data_entry_state *e;
		struct data_entry_state *later;
		DL_FOREACH_SAFE (set->entries, e, later) {
			const struct seat *seat = room_seat_by_id(r, slice_str(e->id));
			int64_t ends = e->ends_mono != 0 ? e->ends_mono : INT64_MAX;
			if (seat != NULL && seat->connections == 0) {
				int64_t lost = seat->disconnected_mono +
					       now->limits[LIMIT_PRESENCE_GRACE_MS];
				ends = lost < ends ? lost : ends;
			}
			if (seat == NULL || ends <= now->mono_ms) {
				e->is_gone = true;
				send_entry(r, set, e);
			} else if (ends != INT64_MAX) {
				ends_by(r, ends);
			}
		}
	}
}

int64_t room_presence_send_at(const struct room *r, const struct room_now *now)
{
	(void)now;
	return r->data.presence_mono != 0 ? r->data.presence_mono : INT64_MAX;
}

void room_presence_send_act(struct room *r, const struct room_now *now)
{
	send_presences(r, now->mono_ms);
}

/* ---- requests ---- */

enum fault_code on_PRESENCE_SET(struct room *r, struct room_call *c)
{
	const struct presence_set_params *p = c->params;
	struct data_set *set = room_data_find(r, c, DATA_PRESENCE, p->name);
	struct data_entry_state *e =
		set == NULL ? NULL : data_entry(set, slice_str(c->seat->user_id));
	if (set == NULL || room_data_check_value(r, c, set, p->value,
						 e == NULL ? 0 : e->value_len) != FAULT_NONE) {
		return c->fault->code;
	}
	if (c->seat->connections == 0) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "follow the room first: call room.subscribe");
	}
	if (e != NULL ? !data_entry_set(&r->data, e, p->value)
		      : (e = data_entry_add(&r->data, set, slice_str(c->seat->user_id),
					    p->value)) == NULL) {
		return room_out_of_memory(c);
	}
	e->is_gone = false;
	e->author = c->caller;
	e->ends_mono = p->with_ttl_ms ? c->mono_ms + p->ttl_ms : 0;
	if (e->ends_mono != 0) {
		ends_by(r, e->ends_mono);
	}
	presence_changed(r, e, c->mono_ms);
	return FAULT_NONE;
}

enum fault_code on_PRESENCE_REMOVE(struct room *r, struct room_call *c)
{
	const struct data_params *p = c->params;
	struct data_set *set = room_data_find(r, c, DATA_PRESENCE, p->name);
	struct data_entry_state *e =
		set == NULL ? NULL : data_entry(set, slice_str(c->seat->user_id));
	if (set == NULL) {
		return c->fault->code;
	}
	if (e == NULL || e->is_gone) {
		return fault_set(c->fault, FAULT_NOT_FOUND, "you are not present there");
	}
	e->is_gone = true;
	presence_changed(r, e, c->mono_ms);
	return FAULT_NONE;
}

enum fault_code on_PRESENCE_GET(struct room *r, struct room_call *c)
{
	const struct data_get_params *p = c->params;
	struct presence_get_result *result = c->result;
	struct data_set *set = room_data_find(r, c, DATA_PRESENCE, p->name);
	struct buf b = {.max = 16 * (size_t)MAX_DATA_BYTES};
	msgpack_packer packer;
	size_t n = 0;
	const struct data_entry_state *e;
	if (set == NULL) {
		return c->fault->code;
	}
	DL_FOREACH (set->entries, e) {
		n += !e->is_gone;
	}
	msgpack_packer_init(&packer, &b, record_pack_bytes);
	(void)msgpack_pack_map(&packer, n);
	DL_FOREACH (set->entries, e) {
		if (!e->is_gone) {
			record_pack_text(&packer, slice_str(e->id));
			buf_append(&b, e->value, e->value_len);
		}
	}
	result->epoch = r->epoch;
	result->version = r->version;
	result->entries = data_into_arena(c, &b);
	return result->entries.len > 0 ? FAULT_NONE : room_out_of_memory(c);
}
