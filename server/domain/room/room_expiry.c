/*
 * room_expiry.c - how long a room lives: an hour from its last change or its last
 * connected member, 30 days where it is a group's, or days where its host keeps it; then all of it is deleted.
 *
 * Lifetimes are wall time, because they outlive the process. The table may be
 * a minute ahead (EXTEND_SLACK_MS), so that a busy room does not write its end
 * with every vote.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

#define EXTEND_SLACK_MS 60000

int64_t room_life_ms(const struct room *r, const int64_t *limits)
{
	return limits[r->group_id[0] == '\0' ? LIMIT_ROOM_LIFE_MS : LIMIT_GROUP_ROOM_LIFE_MS];
}

void room_extend(struct room *r, int64_t wall_ms, int64_t life_ms)
{
	if (r->expires_at < wall_ms + life_ms) {
		r->expires_at = wall_ms + life_ms + EXTEND_SLACK_MS;
		r->needs_write = true;
	}
}

/* A seat without a name keeps no room alive. */
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

/* The one warning that is due when so much is left: with a minute left, not that of five. NULL: none. */
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

void room_repeat_warning(struct room *r)
{
	r->warned_for = 0;
}

int64_t room_life_at(const struct room *r, const struct room_now *now)
{
	const int64_t left = r->expires_at - now->wall_ms;
	const int64_t *due = room_warning(left);
	int64_t wait = left; /* room_is_over() */
	if (r->connected_n == 0) {
		return INT64_MAX; /* the sweeper finds it when its time is over */
	}
	if (left > room_warnings_ms[0]) {
		wait = left -
		       room_warnings_ms[0]; /* whether a member is connected is checked then */
	} else if (member_is_here(r)) {
		/* The end is put off when it is near, by as much as a life has. */
		int64_t near = left - room_warnings_ms[0];
		int64_t short_of = left - room_life_ms(r, now->limits) + 1;
		wait = near > short_of ? near : short_of;
	} else if (due != NULL && !room_is_warned(r, *due)) {
		wait = 0; /* for a client that subscribes this late, too, or to a room that lives no longer */
	} else {
		for (size_t i = 0; i < ROOM_WARNINGS && wait == left; i++) {
			wait = left > room_warnings_ms[i] ? left - room_warnings_ms[i] : left;
		}
	}
	return now->mono_ms + wait;
}

void room_life_act(struct room *r, const struct room_now *now)
{
	const int64_t *due = room_warning(r->expires_at - now->wall_ms);
	if (member_is_here(r)) {
		room_extend(r, now->wall_ms, room_life_ms(r, now->limits));
		return;
	}
	struct expiring_notice n = {.room_id = slice_str(r->room_id), .expires_at = r->expires_at};
	if (due != NULL && !room_is_warned(r, *due) &&
	    room_notify(r, NULL, NOTICE_ROOM_EXPIRING, &n)) {
		r->warned_for = r->expires_at;
		r->warned_ms = *due;
	}
}

/* Results that are over are dropped with any tick; a room without connections is not woken, or kept in memory, for one that will be. */
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
