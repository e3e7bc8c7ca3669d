/*
 * open_stories.h - a room whose stories are open together, and what its members do with them.
 */
#ifndef TESTS_UNIT_SERVER_OPEN_STORIES_H
#define TESTS_UNIT_SERVER_OPEN_STORIES_H

#include "tests/unit/server/table.h"

static inline void policy(struct table *t, const char *changes)
{
	(void)rig_must(t->ada, "set_policy", "'policy':{%s}", changes);
}

static inline void add(struct table *t, const char *title)
{
	(void)rig_must(t->ada, "story.add", "'room_id':'%s','title':'%s'", t->r.room_id, title);
}

static inline const char *id_of(struct rig_peer *p, const char *title)
{
	return rig_story(p, title);
}

static inline void vote(struct rig_peer *p, const char *title, const char *card)
{
	(void)rig_must(p, "vote", "'story_id':'%s','vote':%s", id_of(p, title), card);
}

static inline const char *vote_refused(struct rig_peer *p, const char *title, const char *card)
{
	return rig_refused(p, "vote", "'story_id':'%s','vote':%s", id_of(p, title), card);
}

static inline void select_story(struct table *t, const char *title)
{
	(void)rig_must(t->ada, "story.select", "'room_id':'%s','story_id':'%s'", t->r.room_id,
		       id_of(t->ada, title));
}

static inline void reveal(struct table *t, const char *title, bool is_revealed)
{
	(void)rig_must(t->ada, "set_revealed", "'story_id':'%s','is_revealed':%s",
		       id_of(t->ada, title), is_revealed ? "true" : "false");
}

static inline const char *settle(struct table *t, const char *title, const char *card)
{
	return rig_must(t->ada, "round.settle", "'room_id':'%s','story_id':'%s','estimate':'%s'",
			t->r.room_id, id_of(t->ada, title), card);
}

/* A bot has joined the room. */
static inline struct rig_peer *bot_joins(struct table *t)
{
	struct rig_peer *bot = rig_guest(&t->r, "bot");
	strcpy(bot->room_id, t->r.room_id);
	rig_follow(bot, "");
	(void)rig_must(bot, "join", "'username':'bot','is_bot':true");
	return bot;
}

/* Three stories to do, open together, of a room with ada and bob. */
static inline int open_stories(struct table *t)
{
	(void)table_begin(t);
	policy(t, "'open_stories':true");
	add(t, "Login");
	add(t, "Pay");
	add(t, "Ship");
	return 0;
}

static inline int open_lay(void **state)
{
	return open_stories(scene_init(state, sizeof(struct table)));
}

#define OPEN_TEST(name, t) TEST_IN(name, struct table, t, open_lay, scene_clear)

#endif
