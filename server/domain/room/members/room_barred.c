/*
 * room_barred.c - keys that were kicked for good.
 *
 * Where a room asks something of strangers, a kick that left the seat would
 * leave the way back in: the seat is removed, and its key is barred until the room
 * ends or a host lifts it. A barred caller is refused as a stranger is.
 *
 * The oldest is forgotten when there are too many: without its seat it has what
 * any stranger has, which in such a room is nothing.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>

#include <utlist.h>

void barred_destroy(struct barred *b)
{
	if (b != NULL) {
		free(b->username);
		free(b);
	}
}

void room_free_barred(struct barred **list)
{
	while (*list != NULL) {
		struct barred *b = *list;
		DL_DELETE(*list, b);
		barred_destroy(b);
	}
}

static struct barred *find_barred(const struct room *r, const struct key_text *key_hash)
{
	struct barred *b;
	DL_FOREACH (r->barred, b) {
		if (key_hash_eq(&b->key_hash, slice_of(key_hash->text, KEY_CHARS))) {
			return b;
		}
	}
	return NULL;
}

bool room_is_barred(const struct room *r, const struct key_text *key_hash)
{
	return r->barred != NULL && find_barred(r, key_hash) != NULL;
}

/* Hosts see who is barred. */
static void notify_hosts(struct room *r)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat_is_host(r, seat)) {
			room_tell(r, seat);
		}
	}
}

void room_barred_insert(struct room *r, struct barred *b)
{
	DL_APPEND(r->barred, b);
	r->barred_n++;
}

static void remove_barred(struct room *r, struct barred *b)
{
	DL_DELETE(r->barred, b);
	r->barred_n--;
	DL_APPEND(r->gone_barred, b);
	notify_hosts(r);
}

bool room_bar(struct room *r, const struct seat *seat, int64_t wall_ms)
{
	struct barred *b = calloc(1, sizeof(*b));
	if (b == NULL || !room_set_text(&b->username, slice_str(seat->username))) {
		barred_destroy(b);
		return false;
	}
	const struct barred *last = r->barred == NULL ? NULL : r->barred->prev;
	b->key_hash = seat->key_hash;
	memcpy(b->user_id, seat->user_id, sizeof(b->user_id));
	b->created_on = last == NULL || wall_ms > last->created_on ? wall_ms : last->created_on + 1;
	b->needs_write = true;
	r->barred_marked = true;
	if (r->barred_n >= MAX_BARRED) {
		remove_barred(r, r->barred);
	}
	room_barred_insert(r, b);
	notify_hosts(r);
	return true;
}

void room_unbar(struct room *r, const struct key_text *key_hash)
{
	struct barred *b = find_barred(r, key_hash);
	if (b != NULL) {
		remove_barred(r, b);
	}
}

enum fault_code on_ROOM_UNKICK(struct room *r, struct room_call *c)
{
	const struct room_user_params *p = c->params;
	struct barred *b;
	DL_FOREACH (r->barred, b) {
		if (slice_eq(slice_str(b->user_id), p->user_id)) {
			remove_barred(r, b);
			return FAULT_NONE;
		}
	}
	return fault_set_field(c->fault, FAULT_NOT_FOUND, "user_id",
			       "no banned member has that user_id");
}

size_t room_view_barred(const struct room *r, struct barred_view *out)
{
	size_t n = 0;
	const struct barred *b;
	DL_FOREACH (r->barred, b) {
		out[n++] = (struct barred_view){
			.user_id = slice_str(b->user_id),
			.username = slice_str(b->username),
		};
	}
	return n;
}
