/*
 * presence_throttle.c - see presence_throttle.h.
 */
#include "client/model/room/presence_throttle.h"

#include <string.h>

#include "proto/base/format.h"

void presence_throttle_tell(struct presence_throttle *p, enum activity doing, const char *story_id,
			    bool is_key)
{
	p->doing = doing;
	p->is_active = p->is_active || is_key;
	p->is_idle = p->is_idle && !is_key;
	(void)format_to(p->story_id, sizeof(p->story_id), "%s", story_id == NULL ? "" : story_id);
}

static int64_t presence_ttl(enum activity doing)
{
	return doing == ACTIVITY_TYPING ? PRESENCE_TYPING_TTL_MS : PRESENCE_TTL_MS;
}

static void presence_lapse(struct presence_throttle *p, int64_t now_ms)
{
	if (p->said != ACTIVITY_NOTHING && now_ms - p->said_ms >= presence_ttl(p->said)) {
		p->said = ACTIVITY_NOTHING;
		p->is_idle = !p->is_active;
	}
}

/* Somebody to tell it to, and not too many. */
static bool presence_has_company(const struct replica *room)
{
	size_t others = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		bool is_me = room->you.user_id.data != NULL &&
			     strcmp(m->user_id.data, room->you.user_id.data) == 0;
		others += m->is_connected && !m->is_bot && !m->is_waiting && !is_me;
	}
	return room->has_state && others > 0 && room->users.n <= PRESENCE_MEMBERS_MAX;
}

static bool presence_is_due(const struct presence_throttle *p, enum activity doing, int64_t now_ms)
{
	if (doing != p->said) {
		return true;
	}
	if (doing == ACTIVITY_NOTHING) {
		return false;
	}
	return strcmp(p->story_id, p->said_story) != 0 ||
	       (p->is_active && now_ms - p->said_ms >= presence_ttl(doing) / 2);
}

static enum method presence_say(struct presence_throttle *p, enum activity doing, int64_t now_ms,
				struct presence_request *out)
{
	p->is_sent = true;
	p->has_spoken = true;
	p->said_ms = now_ms;
	p->said = doing;
	p->is_active = false;
	(void)format_to(p->said_story, sizeof(p->said_story), "%s", p->story_id);
	*out = (struct presence_request){
		.doing = doing,
		.story_id = p->said_story[0] == '\0' ? NULL : p->said_story,
		.ttl_ms = presence_ttl(doing),
	};
	return doing == ACTIVITY_NOTHING ? METHOD_PRESENCE_REMOVE : METHOD_PRESENCE_SET;
}

enum method presence_throttle_next(struct presence_throttle *p, const struct replica *room,
				   int64_t now_ms, struct presence_request *out, int64_t *wait_ms)
{
	*wait_ms = -1;
	if (p->is_off || p->is_sent) {
		return METHOD_COUNT;
	}
	presence_lapse(p, now_ms);
	bool is_told = presence_has_company(room) && !p->is_idle;
	enum activity doing = is_told ? p->doing : ACTIVITY_NOTHING;
	if (!presence_is_due(p, doing, now_ms)) {
		return METHOD_COUNT;
	}
	if (p->has_spoken && now_ms - p->said_ms < PRESENCE_SAY_EVERY_MS) {
		*wait_ms = PRESENCE_SAY_EVERY_MS - (now_ms - p->said_ms);
		return METHOD_COUNT;
	}
	if (!p->is_made && !room->data.has_presence) {
		p->is_sent = true;
		return METHOD_PRESENCE_CREATE;
	}
	return presence_say(p, doing, now_ms, out);
}

void presence_throttle_answer(struct presence_throttle *p, enum method method, bool is_done)
{
	p->is_sent = false;
	if (method == METHOD_PRESENCE_CREATE && is_done) {
		p->is_made = true;
	} else if (method != METHOD_PRESENCE_REMOVE && !is_done) {
		p->is_off = true; /* a removal of what has lapsed is refused, and all is well */
	}
}

void presence_throttle_up(struct presence_throttle *p)
{
	p->said = ACTIVITY_NOTHING;
	p->is_idle = true;
	p->is_made = false;
	p->is_sent = false;
	p->is_off = false;
}
