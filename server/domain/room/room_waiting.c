/*
 * room_waiting.c - that stories are open together, and until when, concerns people who are not in the
 * room: the directory notifies them (session/waiting.c).
 *
 * It decides by the room's items, so all it is told is when to look: when the first story is opened, and
 * when the room or a story gets another deadline. Whoever was not there then is looked for when they are.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

#include "server/domain/room_directory.h"

int64_t room_count_open(const struct room *r)
{
	const struct story *s;
	int64_t n = 0;
	DL_FOREACH (r->policy.open_stories ? r->stories : NULL, s) {
		n += room_story_is_open(r, s);
	}
	return n;
}

static bool has_new_deadline(const struct room *r)
{
	const struct story *s;
	bool has = r->timer_reveals && r->timer_ends_at != r->waits_until;
	DL_FOREACH (r->stories_marked ? r->stories : NULL, s) {
		has = has ||
		      (s->needs_write && s->text.ends_at != 0 && s->text.ends_at != s->waits_until);
	}
	return has;
}

enum err room_follows_waiting(const struct room *r, struct arena *arena, struct room_follow **out)
{
	const struct seat *seat;
	if (r->is_deleted || !r->policy.open_stories || (!r->stories_marked && !r->needs_write)) {
		return OK;
	}
	int64_t open = room_count_open(r);
	if (open == 0 || (r->open_stored > 0 && !has_new_deadline(r))) {
		return OK;
	}
	DL_FOREACH (r->seats, seat) {
		if (seat->is_account && seat->username != NULL &&
		    room_add_follow(r, FOLLOW_WAIT_FOR_USER, slice_str(seat->user_id), arena,
				    out) != OK) {
			return ERR_NOMEM;
		}
	}
	return r->group_id[0] == '\0' ? OK
				      : room_add_follow(r, FOLLOW_WAIT_FOR_GROUP,
							slice_str(r->group_id), arena, out);
}
