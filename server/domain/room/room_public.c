/*
 * room_public.c - what the core reads of a room and its seats.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

int64_t room_version(const struct room *r)
{
	return r->version;
}

int64_t room_shown_version(const struct room *r)
{
	return r->shown_version;
}

int64_t room_epoch(const struct room *r)
{
	return r->epoch;
}

bool room_is_unchanged(const struct room *r, int64_t version)
{
	return r->version == version && !r->is_touched;
}

bool room_is_deleted(const struct room *r)
{
	return r->is_deleted;
}

bool room_is_expired(const struct room *r)
{
	return r->is_expired;
}

bool room_lacks_rounds(const struct room *r)
{
	return r->lacks_rounds;
}

bool room_is_short_of_memory(const struct room *r)
{
	return r->is_short_of_memory;
}

void room_trace(struct room *r, const struct machine_trace *trace)
{
	r->trace = trace;
}

const struct key_text *room_host_hash(const struct room *r)
{
	return &r->host_key_hash;
}

struct idempotency_table *room_idempotency(struct room *r)
{
	return &r->once;
}

struct subscription **seat_subscriptions(struct seat *seat)
{
	return &seat->subscriptions;
}

const struct key_text *seat_key_hash(const struct seat *seat)
{
	return &seat->key_hash;
}

bool seat_is_gone(const struct seat *seat)
{
	return seat_is_deleted(seat) || seat->state == SEAT_DROPPED;
}

bool seat_is_waiting(const struct seat *seat)
{
	return seat->is_waiting;
}

bool room_has_notifications(const struct room *r)
{
	return r->data_frames != NULL || r->notifications != NULL;
}

const struct room_notification *room_notifications(struct room *r)
{
	struct room_notification *first = NULL;
	while (r->notifications != NULL) { /* the last one is first */
		struct room_notification *n = r->notifications;
		LL_DELETE(r->notifications, n);
		LL_PREPEND(first, n);
	}
	r->notifications = first;
	return first;
}

struct data_frame *room_take_data_frames(struct room *r)
{
	struct data_frame *frames = r->data_frames;
	r->data_frames = NULL;
	return frames;
}

struct seat *room_ended_seat(const struct room *r, const struct seat *after)
{
	bool is_among_gone = after == NULL || seat_is_gone(after);
	struct seat *seat = after == NULL ? r->gone : after->next_marked;
	if (is_among_gone && seat != NULL) {
		return seat;
	}
	for (seat = is_among_gone ? r->marked : seat; seat != NULL; seat = seat->next_marked) {
		if (seat->is_kicked) {
			return seat;
		}
	}
	return NULL;
}

struct seat *room_told_seat(const struct room *r, const struct seat *after)
{
	struct seat *seat = after == NULL ? r->marked : after->next_marked;
	while (seat != NULL && !seat->needs_you) {
		seat = seat->next_marked;
	}
	return seat;
}
