/*
 * room_expiry.c - how long a room lives: an hour from its last change or its last
 * connected member, days where its host keeps it, and then all of it goes.
 *
 * Lifetimes are wall time, because they outlive the process. The table may be
 * a minute ahead (EXTEND_SLACK_MS), so that a busy room does not write its end
 * with every vote.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

/* A minute of slack: expires_at may lie that much too late, so that a busy room does not write it
 * with every vote. */
#define EXTEND_SLACK_MS 60000

void room_extend(struct room *r, int64_t wall_ms, int64_t life_ms)
{
	if (r->expires_at < wall_ms + life_ms) {
		r->expires_at = wall_ms + life_ms + EXTEND_SLACK_MS;
		r->needs_write = true;
	}
}

/* A member who only watches keeps no room alive. */
static bool member_is_here(const struct room *r)
{
	const struct seat *seat;
	if (r->connected_n == 0) {
		return false;
	}
	DL_FOREACH (r->seats, seat) {
		if (seat->username != NULL && seat->connections > 0) {
			return true;
		}
	}
	return false;
}

bool room_is_over(const struct room *r, int64_t wall_ms)
{
	return r->expires_at <= wall_ms && !member_is_here(r);
}

/* How long before the end subscribers are warned. */
static const int64_t room_warnings_ms[] = {300000, 60000};
#define ROOM_WARNINGS (sizeof(room_warnings_ms) / sizeof(room_warnings_ms[0]))

/* The one warning that is due when so much is left: a room that has a minute is not told of five.
 * NULL: none. */
static const int64_t *room_warning(int64_t left_ms)
{
	const int64_t *due = NULL;
	for (size_t i = 0; i < ROOM_WARNINGS && left_ms > 0; i++) {
		due = left_ms <= room_warnings_ms[i] ? &room_warnings_ms[i] : due;
	}
	return due;
}

static bool room_is_warned(const struct room *r, int64_t before_ms)
{
	return r->warned_for == r->expires_at && r->warned_ms <= before_ms;
}

static void room_warn(struct room *r, int64_t before_ms)
{
	struct expiring_notice n = {.room_id = slice_str(r->room_id), .expires_at = r->expires_at};
	if (!room_is_warned(r, before_ms) && room_notify(r, NULL, NOTICE_ROOM_EXPIRING, &n)) {
		r->warned_for = r->expires_at;
		r->warned_ms = before_ms;
	}
}

void room_repeat_warning(struct room *r)
{
	r->warned_for = 0;
}

/* Wall ms; INT64_MAX: not while it has no subscriptions, the sweeper finds it then. */
static int64_t room_life_wall(const struct room *r, const struct room_now *now)
{
	if (r->connected_n == 0) {
		return INT64_MAX;
	}
	if (r->expires_at - now->wall_ms > room_warnings_ms[0]) {
		return r->expires_at - room_warnings_ms[0]; /* whoever is here then */
	}
	if (member_is_here(r)) { /* the end is put off when it is near, by as much as a life has */
		int64_t near = r->expires_at - room_warnings_ms[0];
		int64_t short_of = r->expires_at - now->limits[LIMIT_ROOM_LIFE_MS] + 1;
		return near > short_of ? near : short_of;
	}
	const int64_t *due = room_warning(r->expires_at - now->wall_ms);
	if (due != NULL && !room_is_warned(r, *due)) {
		return now
			->wall_ms; /* for a client that subscribes this late, too, or to a room that lives no longer */
	}
	for (size_t i = 0; i < ROOM_WARNINGS; i++) {
		int64_t at = r->expires_at - room_warnings_ms[i];
		if (at > now->wall_ms) {
			return at;
		}
	}
	return r->expires_at; /* room_is_over() */
}

int64_t room_life_at(const struct room *r, const struct room_now *now)
{
	int64_t at = room_life_wall(r, now);
	return at == INT64_MAX ? at : now->mono_ms + (at - now->wall_ms);
}

void room_life_act(struct room *r, const struct room_now *now)
{
	const int64_t *due = room_warning(r->expires_at - now->wall_ms);
	if (member_is_here(r)) {
		room_extend(r, now->wall_ms, now->limits[LIMIT_ROOM_LIFE_MS]);
	} else if (due != NULL) {
		room_warn(r, *due);
	}
}

/* What is over goes in any case, but nothing wakes up, or stays in memory, for it alone. */
int64_t room_once_at(const struct room *r, const struct room_now *now)
{
	int64_t left = r->once.list == NULL ? INT64_MAX : r->once.list->expires_at - now->wall_ms;
	return left == INT64_MAX || (left > 0 && r->connected_n == 0) ? INT64_MAX
								      : now->mono_ms + left;
}

void room_once_act(struct room *r, const struct room_now *now)
{
	idempotency_expire(&r->once, now->wall_ms);
}

void room_delete(struct room *r)
{
	r->is_deleted = true;
	r->is_touched = true;
}

void room_expire(struct room *r)
{
	r->is_expired = true;
	room_delete(r);
}
