/*
 * rig_copy.c - the rig's copies of rooms, as updates make them.
 */
#include "tests/support/rig.h"

#include <stdio.h>

#include <utlist.h>

#include "tests/support/rig_json.h"

struct rig_copy *rig_copy(struct rig_peer *p, const char *room_id)
{
	struct rig_copy *c;
	rig_read(p);
	LL_FOREACH (p->copies, c) {
		if (strcmp(c->room_id, room_id) == 0) {
			return c;
		}
	}
	return NULL;
}

static void rig_copy_clear(struct rig_copy *c)
{
	json_decref(c->room);
	json_decref(c->users);
	json_decref(c->left);
	json_decref(c->stories);
	json_decref(c->story_votes);
	json_decref(c->data);
	json_decref(c->you);
}

void rig_copies_free(struct rig_peer *p)
{
	while (p->copies != NULL) {
		struct rig_copy *c = p->copies;
		LL_DELETE(p->copies, c);
		rig_copy_clear(c);
		free(c);
	}
}

static struct rig_copy *rig_copy_make(struct rig_peer *p, const char *room_id)
{
	struct rig_copy *c;
	LL_FOREACH (p->copies, c) {
		if (strcmp(c->room_id, room_id) == 0) {
			return c;
		}
	}
	c = calloc(1, sizeof(*c));
	assert_non_null(c);
	c->epoch = -1;
	c->users = json_array();
	c->left = json_array();
	c->stories = json_array();
	c->story_votes = json_object();
	c->data = json_object();
	(void)snprintf(c->room_id, sizeof(c->room_id), "%s", room_id);
	LL_APPEND(p->copies, c);
	return c;
}

static size_t user_at(const struct rig_copy *c, const char *user_id)
{
	size_t i;
	json_t *user;
	json_array_foreach(c->users, i, user)
	{
		if (strcmp(text_of(user, "user_id"), user_id) == 0) {
			return i;
		}
	}
	return json_array_size(c->users);
}

/* As a full update has it: what is not there is left out. */
static bool is_left_out(const char *key, const json_t *value)
{
	bool is_shown = strcmp(key, "is_changed") == 0 || strcmp(key, "is_waiting") == 0;
	bool is_none = strcmp(key, "stories_voted") == 0 && json_integer_value(value) == 0;
	return json_is_null(value) ? strcmp(key, "username") != 0
				   : is_none || (json_is_false(value) && is_shown);
}

static void merge_user(json_t *user, const json_t *changes)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)changes, key, value)
	{
		if (is_left_out(key, value)) {
			json_object_del(user, key);
		} else {
			json_object_set_new(user, key, json_deep_copy(value));
		}
	}
}

void rig_copy_no_votes(struct json_t *users)
{
	static const char *const keys[] = {"vote", "comment", "confidence", "is_changed"};
	size_t i;
	json_t *user;
	json_array_foreach(users, i, user)
	{
		json_object_set_new(user, "has_vote", json_false());
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			json_object_del(user, keys[k]);
		}
	}
}

static void copy_users(struct rig_copy *c, const json_t *users, const json_t *gone,
		       bool votes_cleared)
{
	size_t i;
	json_t *one;
	json_array_foreach(gone, i, one)
	{
		size_t at = user_at(c, json_string_value(one));
		if (at < json_array_size(c->users)) {
			json_array_remove(c->users, at);
		}
	}
	if (votes_cleared) {
		rig_copy_no_votes(c->users);
	}
	json_array_foreach(users, i, one)
	{
		size_t at = user_at(c, text_of(one, "user_id"));
		if (at == json_array_size(c->users)) {
			json_array_append_new(c->users, json_deep_copy(one));
		} else {
			merge_user(json_array_get(c->users, at), one);
		}
	}
}

static const char *rank_of(const json_t *story)
{
	return text_of(story, "rank");
}

/* Nobody leaves two. */
static void copy_left(struct rig_copy *c, const json_t *u)
{
	size_t i;
	size_t k;
	json_t *one;
	json_t *other;
	if (is_true(u, "full") || is_true(u, "left_cleared")) {
		json_array_clear(c->left);
	}
	json_array_extend(c->left, json_object_get(u, "left_votes"));
	json_array_foreach(c->left, i, one)
	{
		json_array_foreach(c->left, k, other)
		{
			assert_true(i == k || strcmp(text_of(one, "user_id"),
						     text_of(other, "user_id")) != 0);
		}
	}
}

/* Each whole: the old one goes, the new one is put where its rank says. */
static void copy_stories(struct rig_copy *c, const json_t *stories)
{
	size_t i;
	json_t *one;
	json_array_foreach(stories, i, one)
	{
		size_t at = 0;
		const char *id = text_of(one, "story_id");
		while (at < json_array_size(c->stories) &&
		       strcmp(text_of(json_array_get(c->stories, at), "story_id"), id) != 0) {
			at++;
		}
		if (at < json_array_size(c->stories)) {
			json_array_remove(c->stories, at);
		}
		for (at = 0; at < json_array_size(c->stories) &&
			     strcmp(rank_of(json_array_get(c->stories, at)), rank_of(one)) < 0;) {
			at++;
		}
		json_array_insert_new(c->stories, at, json_deep_copy(one));
	}
}

/* Each whole; one without votes is as if it were not there. */
static void copy_story_votes(struct rig_copy *c, const json_t *u)
{
	size_t i;
	json_t *one;
	if (is_true(u, "full")) {
		json_object_clear(c->story_votes);
	}
	json_array_foreach(json_object_get(u, "story_votes"), i, one)
	{
		bool is_empty = json_object_size(one) == 1;
		const char *id = text_of(one, "story_id");
		assert_false(is_empty && is_true(u, "full"));
		if (is_empty) {
			json_object_del(c->story_votes, id);
		} else {
			json_object_set_new(c->story_votes, id, json_deep_copy(one));
		}
	}
}

/* ---- shared data ---- */

/* An entry changes member by member: the author of a value is not sent it, and a move needs it
 * not. */
static void copy_entry(json_t *set, json_t *entry, bool has_revisions)
{
	const char *id = text_of(entry, "entry_id");
	json_t *mine = json_object_get(set, id);
	if (is_true(entry, "is_gone")) {
		assert_null(json_object_get(entry, "value"));
		json_object_del(set, id);
	} else if (mine == NULL) {
		/* None is sent before it is whole. */
		assert_true(!has_revisions || int_of(entry, "revision") > 0);
		json_object_set_new(set, id, json_deep_copy(entry));
	} else {
		assert_true(int_of(entry, "revision") >= int_of(mine, "revision"));
		json_object_update(mine, entry);
	}
}

static void copy_change(json_t *data, const json_t *change)
{
	char key[128];
	size_t i;
	json_t *entry;
	bool has_revisions = strcmp(text_of(change, "kind"), "presence") != 0;
	(void)snprintf(key, sizeof(key), "%s %s", text_of(change, "kind"), text_of(change, "name"));
	if (is_true(change, "is_gone")) {
		assert_non_null(json_object_get(data, key));
		assert_int_equal(json_array_size(json_object_get(change, "entries")), 0);
		json_object_del(data, key);
		return;
	}
	if (json_object_get(data, key) == NULL) {
		json_object_set_new(data, key, json_object());
	}
	json_array_foreach(json_object_get(change, "entries"), i, entry)
	{
		copy_entry(json_object_get(data, key), entry, has_revisions);
	}
}

void rig_copy_data(struct rig_copy *c, const struct json_t *u)
{
	size_t i;
	json_t *change;
	json_t *data = json_object_get(u, "data");
	if (is_true(u, "full")) {
		c->has_data = data != NULL;
		json_object_clear(c->data);
	}
	assert_true(data == NULL || c->has_data);
	json_array_foreach(data, i, change)
	{
		copy_change(c->data, change);
	}
}

static void hear_update(struct rig_peer *p, const json_t *u)
{
	struct rig_copy *c = rig_copy_make(p, text_of(u, "room_id"));
	json_t *room = json_object_get(u, "room");
	if (is_true(u, "full")) {
		assert_int_equal(int_of(u, "since"), int_of(u, "version"));
		assert_true(c->epoch != int_of(u, "epoch") || c->version <= int_of(u, "version"));
		json_decref(c->users);
		c->users = json_deep_copy(json_object_get(u, "users"));
		json_array_clear(c->stories);
	} else if (c->epoch != int_of(u, "epoch") || c->version != int_of(u, "since")) {
		fail_msg("%s is at version %d and is told what follows %d", p->name,
			 (int)c->version, (int)int_of(u, "since"));
	} else {
		assert_true(int_of(u, "version") > int_of(u, "since"));
	}
	c->epoch = int_of(u, "epoch");
	c->version = int_of(u, "version");
	if (room != NULL) {
		json_decref(c->room);
		c->room = json_deep_copy(room);
	}
	if (!is_true(u, "full")) {
		copy_users(c, json_object_get(u, "users"), json_object_get(u, "gone"),
			   is_true(u, "votes_cleared"));
	}
	if (json_object_get(u, "votes_n") != NULL) {
		rig_copy_no_votes(c->users); /* nobody is known to have one */
	}
	copy_left(c, u);
	copy_stories(c, json_object_get(u, "stories"));
	copy_story_votes(c, u);
	rig_copy_data(c, u);
}

void rig_hear(struct rig_peer *p, const char *notice, const struct json_t *params)
{
	if (strcmp(notice, "room.update") == 0) {
		hear_update(p, params);
	} else if (strcmp(notice, "room.you") == 0) {
		struct rig_copy *c = rig_copy_make(p, text_of(params, "room_id"));
		json_decref(c->you);
		c->you = json_deep_copy(params);
	}
}
