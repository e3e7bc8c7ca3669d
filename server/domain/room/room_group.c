/*
 * room_group.c - rooms of a group: its members enter without passcode and lobby, its owners may lead, and the room
 * ends when the group has. Who is in the group is asked when it matters (room_directory.h), never remembered.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

#include "proto/base/format.h"
#include "server/domain/room_directory.h"

bool room_is_of_member(const struct room *r, const struct room_facts *facts)
{
	return facts_say(facts, slice_str(r->group_id), GROUP_MEMBER);
}

bool room_is_led_by(const struct room *r, const struct room_facts *facts)
{
	return facts_say(facts, slice_str(r->group_id), GROUP_OWNER);
}

void room_note_facts(struct room *r, struct seat *seat, const struct room_facts *facts)
{
	/* A seat that somebody's login is on is not always theirs. */
	if (facts == NULL || seat == NULL || !seat->is_account ||
	    !slice_eq(slice_str(seat->user_id), facts->user_id)) {
		return;
	}
	bool is_owner = room_is_led_by(r, facts);
	if (seat->is_owner != is_owner) {
		seat->is_owner = is_owner;
		room_show_host(r, seat);
		room_end_change(r);
	}
}

bool room_has_group(const struct room *r)
{
	return r->group_id[0] != '\0';
}

struct slice room_of_group(const struct room *r, struct group_room *line)
{
	if (r->group_id[0] != '\0') {
		*line = (struct group_room){.room_id = slice_str(r->room_id),
					    .title = slice_str(r->title),
					    .round = r->round,
					    .users = (int64_t)room_users_here(r),
					    .created_on = r->created_on};
	}
	return slice_str(r->group_id);
}

void room_end_with_group(struct room *r, const struct room_task *task)
{
	if (r->group_id[0] != '\0' && slice_eq(task->key, slice_str(r->group_id))) {
		room_delete(r);
	}
}

/* ---- what follows in the directory ---- */

enum err room_add_follow(const struct room *r, enum room_follow_kind kind, struct slice rest,
			 struct arena *arena, struct room_follow **out)
{
	struct room_follow *f = arena_alloc(arena, sizeof(*f));
	size_t cap = sizeof(r->room_id) + 1 + rest.len + 1;
	char *key = arena_alloc(arena, cap);
	if (f == NULL || key == NULL) {
		return ERR_NOMEM;
	}
	size_t len = format_to(key, cap, "%s#%.*s", r->room_id, (int)rest.len, rest.data);
	*f = (struct room_follow){.kind = kind, .key = slice_of(key, len)};
	LL_PREPEND(*out, f);
	return OK;
}

enum err room_follows_load(const struct room *r, struct arena *arena, struct room_follow **out)
{
	*out = NULL;
	return r->group_id[0] == '\0' ? OK
				      : room_add_follow(r, FOLLOW_LOOK_AT_GROUP,
							slice_str(r->group_id), arena, out);
}
