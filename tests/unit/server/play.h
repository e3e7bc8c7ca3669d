/*
 * play.h - requests for the tests of play, so that each says what it is about.
 */
#ifndef TESTS_UNIT_SERVER_PLAY_H
#define TESTS_UNIT_SERVER_PLAY_H

#include <jansson.h>

#include "tests/unit/server/table.h"

static inline void play_vote(struct rig_peer *p, const char *card)
{
	(void)rig_must(p, "vote", "'vote':'%s'", card);
}

static inline void play_policy(struct rig_peer *host, const char *changes)
{
	(void)rig_must(host, "set_policy", "'policy':{%s}", changes);
}

static inline void play_story(struct rig_peer *p, const char *title)
{
	(void)rig_must(p, "story.add", "'room_id':'%s','title':'%s'", p->rig->room_id, title);
}

static inline void play_select(struct rig_peer *host, const char *title)
{
	(void)rig_must(host, "story.select", "'room_id':'%s','story_id':'%s'", host->rig->room_id,
		       rig_story(host, title));
}

/* ada and bob vote, and the host turns the cards over. */
static inline void play_open(struct table *t, const char *of_ada, const char *of_bob)
{
	play_vote(t->ada, of_ada);
	play_vote(t->bob, of_bob);
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
}

/* The first page of the history. Valid until the peer's next verb. */
static inline const char *play_rounds(struct rig_peer *p)
{
	return rig_must(p, "round.list", "'room_id':'%s'", p->rig->room_id);
}

static inline const char *play_stories(struct rig_peer *p)
{
	return rig_must(p, "story.list", "'room_id':'%s'", p->rig->room_id);
}

/* Whether the bytes were ever sent to the peer. */
static inline bool play_was_sent(const struct rig_peer *p, const char *bytes)
{
	size_t len = strlen(bytes);
	for (size_t at = 0; at + len <= p->in.len; at++) {
		if (memcmp(p->in.data + at, bytes, len) == 0) {
			return true;
		}
	}
	return false;
}

static inline void play_on_load(void *arg, enum err e, const struct store_item *items, size_t n,
				uint64_t version, bool has_more)
{
	struct buf *out = arg;
	(void)version;
	(void)has_more;
	assert_int_equal(e, OK);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(buf_append_slice(out, items[i].sk), OK);
		assert_int_equal(buf_append_slice(out, items[i].value), OK);
	}
}

/* Whether the bytes are in some key or value of the rig's room. The store must not be held. */
static inline bool play_is_stored(struct rig *r, const char *bytes)
{
	struct rig_peer all = {.in = {.max = SIZE_MAX / 2}};
	char pk[5 + CODE_CHARS_MAX + 1] = "ROOM:";
	strcpy(pk + 5, r->room_id);
	store_load(r->store, &(struct store_load){.pk = slice_str(pk)}, play_on_load, &all.in);
	store_mem_run(r->store, SIZE_MAX);
	store_poll(r->store);
	assert_true(all.in.len > 0);
	bool is_there = play_was_sent(&all, bytes);
	buf_finish(&all.in);
	return is_there;
}

/* Forget all that was sent so far, read or not. */
static inline void play_forget_bytes(struct rig_peer *p)
{
	rig_forget(p);
	p->in.len = 0;
	p->read_at = 0;
}

static inline const char *play_json(struct rig_peer *p, const struct json_t *value)
{
	char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	free(p->line);
	p->line = rig_render(p->rig, json == NULL ? "" : json);
	free(json);
	return p->line;
}

/* What the peer was last sent of itself. Valid until the peer's next verb. */
static inline const char *play_you(struct rig_peer *p)
{
	const struct rig_copy *c = rig_copy(p, p->room_id);
	return play_json(p, c == NULL ? NULL : c->you);
}

/* Room, users and stories as the peer's copy has them, and itself; free() it. */
static inline char *play_state(struct rig_peer *p)
{
	const struct rig_copy *c = rig_copy(p, p->room_id);
	json_t *all = json_pack("[O,O,O,O]", c->room, c->users, c->stories, c->you);
	char *text = strdup(play_json(p, all));
	json_decref(all);
	assert_non_null(text);
	return text;
}

#endif
