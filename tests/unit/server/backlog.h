/*
 * backlog.h - the scene that tests of stories from items begin with: ada and bob are in a group whose container has
 * items; dan, a stranger to it, and they are in a room of the group.
 */
#ifndef TESTS_UNIT_SERVER_BACKLOG_H
#define TESTS_UNIT_SERVER_BACKLOG_H

#include "tests/unit/server/club.h"

static inline int backlog_open(void **state)
{
	club_open(state);
	struct club *d = *state;
	char params[64];
	enrol(d, &d->bob);
	rig_alias(&d->r, d->container, "BACKLOG");
	(void)snprintf(params, sizeof(params), "'group_id':'%s'", d->group);
	rig_found(&d->r, d->ada.peer, params);
	struct club_user *users[] = {&d->ada, &d->bob, &d->dan};
	for (size_t i = 0; i < 3; i++) {
		strcpy(users[i]->peer->room_id, d->r.room_id);
		rig_follow(users[i]->peer, "");
		rig_must(users[i]->peer, "join", RIG_NONE);
	}
	return 0;
}

#define BACKLOG_TEST(name, d)	      TEST_IN(name, struct club, d, backlog_open, scene_clear)
#define BACKLOG_HEAP_TEST(name, d, nth) HEAP_TEST_IN(name, struct club, d, nth, backlog_open, scene_clear)

struct item {
	char id[32];
};

static inline struct item add_item(struct club *d, const char *fields)
{
	struct item item;
	rig_field(rig_must(d->ada.peer, "item.add", "'container_id':'%s',%s", d->container, fields),
		  "item_id", item.id, sizeof(item.id));
	return item;
}

static inline const char *add_story(struct club *d, struct rig_peer *p, const struct item *item,
			     const char *more)
{
	return rig_code(p, "story.add", "'room_id':'%s','container_id':'%s','item_id':'%s'%s",
			d->r.room_id, d->container, item->id, more);
}

static inline const char *stories_of(struct club *d)
{
	return rig_must(d->ada.peer, "story.list", "'room_id':'%s'", d->r.room_id);
}

#endif
