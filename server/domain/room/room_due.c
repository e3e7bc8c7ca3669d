/*
 * room_due.c - when a room has something to do by itself, and doing it.
 */
#include "server/domain/room/room_due.h"

#include "server/domain/room/room_state.h"

static const struct {
	const char *name;
	int64_t (*at)(const struct room *r, const struct room_now *now);
	void (*act)(struct room *r, const struct room_now *now);
} dues[] = {
#define DUE(name) {#name, room_##name##_at, room_##name##_act},
	ROOM_DUES(DUE)
#undef DUE
};
#define DUES_N (sizeof(dues) / sizeof(dues[0]))

int64_t room_deadline(const struct room *r, const struct room_now *now)
{
	int64_t next = INT64_MAX;
	for (size_t i = 0; i < DUES_N; i++) {
		int64_t at = dues[i].at(r, now);
		next = at < next ? at : next;
	}
	return next;
}

void room_tick(struct room *r, const struct room_now *now)
{
	for (size_t i = 0; i < DUES_N; i++) {
		if (dues[i].at(r, now) <= now->mono_ms) {
			dues[i].act(r, now);
		}
	}
	room_settle_reveal(r, now->mono_ms, now->wall_ms, now->limits);
	room_end_change(r);
}

const char *room_due(const struct room *r, const struct room_now *now)
{
	for (size_t i = 0; i < DUES_N; i++) {
		if (dues[i].at(r, now) <= now->mono_ms) {
			return dues[i].name;
		}
	}
	return NULL;
}
