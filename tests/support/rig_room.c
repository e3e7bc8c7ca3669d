/*
 * rig_room.c - rooms of the rig, as their members see them.
 */
#include "tests/support/rig.h"

#include <stdio.h>

#include <jansson.h>
#include <utlist.h>

#include "proto/json.h"
#include "tests/support/rig_json.h"

/* ---- founding, following, sitting ---- */

void rig_field(const char *text, const char *key, char *out, size_t size)
{
	char quoted[64];
	(void)snprintf(quoted, sizeof(quoted), "'%s':'", key);
	const char *at = strstr(text, quoted);
	assert_non_null(at);
	at += strlen(quoted);
	size_t len = strcspn(at, "'");
	assert_in_range(len, 1, size - 1);
	memcpy(out, at, len);
	out[len] = '\0';
}

int64_t rig_field_number(const char *text, const char *key)
{
	char quoted[64];
	long long value = -1;
	(void)snprintf(quoted, sizeof(quoted), "'%s':", key);
	const char *at = strstr(text, quoted);
	assert_non_null(at);
	assert_int_equal(sscanf(at + strlen(quoted), "%lld", &value), 1);
	return value;
}

void rig_found(struct rig *r, struct rig_peer *p, const char *params)
{
	bool says_policy = strstr(params, "'policy'") != NULL;
	const char *result = rig_must(p, "room.create", "%s%s%s",
				      says_policy ? "" : "'policy':{'auto_reveal':true}",
				      says_policy || params[0] == '\0' ? "" : ",", params);
	rig_field(result, "room_id", r->room_id, sizeof(r->room_id));
	rig_field(result, "host_key", r->host_key, sizeof(r->host_key));
	rig_alias(r, r->room_id, "ROOM");
	rig_alias(r, r->host_key, "HOST-KEY");
	strcpy(p->room_id, r->room_id);
}

void rig_follow(struct rig_peer *p, const char *params)
{
	char alias[32];
	bool is_new = p->user_id[0] == '\0';
	const char *result = rig_must(p, "subscribe", "%s", params);
	if (!is_new) {
		return;
	}
	rig_field(result, "user_id", p->user_id, sizeof(p->user_id));
	rig_field(result, "user_key", p->user_key, sizeof(p->user_key));
	const char *epoch = strstr(result, "'epoch':") + strlen("'epoch':");
	if (epoch[0] != 'E') {
		(void)snprintf(alias, sizeof(alias), "%.*s", (int)strspn(epoch, "0123456789"),
			       epoch);
		rig_alias(p->rig, alias, "EPOCH");
	}
	(void)snprintf(alias, sizeof(alias), "@%s", p->name);
	rig_alias(p->rig, p->user_id, alias);
	(void)snprintf(alias, sizeof(alias), "KEY-%s", p->name);
	rig_alias(p->rig, p->user_key, alias);
}

struct rig_peer *rig_sit(struct rig *r, const char *name)
{
	struct rig_peer *p = rig_guest(r, name);
	rig_follow(p, "");
	(void)rig_must(p, "join", "'username':'%s'", name);
	return p;
}

struct rig_peer *rig_return(struct rig_peer *p, bool resumes)
{
	struct rig_peer *q = rig_guest(p->rig, p->name);
	strcpy(q->room_id, p->room_id);
	strcpy(q->user_id, p->user_id);
	strcpy(q->user_key, p->user_key);
	struct rig_copy *c = rig_copy(p, p->room_id);
	if (!resumes || c == NULL) {
		(void)rig_must(q, "subscribe", "'user_key':'%s'", q->user_key);
		return q;
	}
	q->copies = p->copies;
	p->copies = NULL;
	(void)rig_must(q, "subscribe", "'user_key':'%s','since':{'epoch':%lld,'version':%lld}",
		       q->user_key, (long long)c->epoch, (long long)c->version);
	return q;
}

/* ---- looking ---- */

static void write_user(const json_t *user, struct buf *out)
{
	const char *name = text_of(user, "username");
	const char *vote = text_of(user, "vote");
	buf_printf(out, "%s", name == NULL ? "-" : name);
	buf_printf(out, "%s", is_true(user, "is_host") ? " host" : "");
	buf_printf(out, "%s", strcmp(text_of(user, "role"), "voter") == 0 ? "" : " watches");
	buf_printf(out, "%s", is_true(user, "is_bot") ? " bot" : "");
	buf_printf(out, "%s", is_true(user, "is_waiting") ? " waits" : "");
	buf_printf(out, "%s", is_true(user, "is_connected") ? "" : " away");
	buf_printf(out, "%s", is_true(user, "has_vote") && vote == NULL ? " voted" : "");
	if (vote != NULL) {
		buf_printf(out, " =%s%s", vote, is_true(user, "is_changed") ? "*" : "");
	}
}

static const char *keep(struct rig_peer *p, struct buf *b)
{
	assert_int_equal(buf_append(b, "", 1), OK);
	free(p->line);
	p->line = buf_take(b);
	return p->line;
}

static void check_host(const struct rig_copy *c)
{
	const char *host = text_of(c->room, "host_user_id");
	size_t i;
	json_t *user;
	json_array_foreach(c->users, i, user)
	{
		/* Others may be hosts beside host_user_id: co-hosts. */
		bool is_host = host != NULL && strcmp(host, text_of(user, "user_id")) == 0;
		assert_true(!is_host || is_true(user, "is_host"));
	}
}

static void write_table(const json_t *room, const json_t *users, const json_t *left,
			struct buf *out)
{
	size_t i;
	json_t *user;
	buf_printf(out, "#%d %s:", (int)int_of(room, "round"),
		   is_true(room, "is_revealed") ? "open" : "hidden");
	json_array_foreach(users, i, user)
	{
		buf_printf(out, "%s ", i == 0 ? "" : ",");
		write_user(user, out);
	}
	json_array_foreach(left, i, user)
	{
		buf_printf(out, ", %s left =%s%s", text_of(user, "username"), text_of(user, "vote"),
			   is_true(user, "is_changed") ? "*" : "");
	}
}

const char *rig_table(struct rig_peer *p)
{
	struct buf b = {.max = SIZE_MAX / 2};
	const struct rig_copy *c = rig_copy(p, p->room_id);
	if (c == NULL || c->room == NULL) {
		buf_printf(&b, "nothing");
	} else {
		check_host(c);
		write_table(c->room, c->users, c->left, &b);
	}
	return keep(p, &b);
}

const char *rig_stories(struct rig_peer *p)
{
	struct buf b = {.max = SIZE_MAX / 2};
	const struct rig_copy *c = rig_copy(p, p->room_id);
	size_t i;
	json_t *story;
	json_array_foreach(c == NULL ? NULL : c->stories, i, story)
	{
		const char *estimate = text_of(story, "estimate");
		buf_printf(&b, "%s%s%s: %s%s%s", i == 0 ? "" : ", ",
			   is_true(story, "is_removed") ? "-" : "", text_of(story, "title"),
			   text_of(story, "status"), estimate == NULL ? "" : " ",
			   estimate == NULL ? "" : estimate);
	}
	return keep(p, &b);
}

static void write_shown_votes(const json_t *of, struct buf *out)
{
	size_t i;
	json_t *vote;
	json_t *result = json_object_get(of, "result");
	const char *suggestion = text_of(result, "suggestion");
	json_array_foreach(json_object_get(of, "votes"), i, vote)
	{
		const char *name = text_of(vote, "username");
		buf_printf(out, " %s=%s%s", name == NULL ? "" : name, text_of(vote, "vote"),
			   is_true(vote, "is_changed") ? "*" : "");
	}
	buf_printf(out, " (%s)", suggestion == NULL ? "" : suggestion);
}

/* Votes by story_id, in the order of the stories; then how many each user has. */
static void write_story_votes(const json_t *stories, const json_t *votes, const json_t *users,
			      struct buf *out)
{
	size_t i;
	json_t *one;
	const char *comma = "";
	json_array_foreach(stories, i, one)
	{
		const json_t *of = json_object_get(votes, text_of(one, "story_id"));
		if (of == NULL) {
			continue;
		}
		buf_printf(out, "%s%s", comma, text_of(one, "title"));
		if (json_object_get(of, "revealed_at") != NULL) {
			write_shown_votes(of, out);
		} else {
			assert_null(json_object_get(of, "votes"));
			buf_printf(out, " %d voted", (int)int_of(of, "voted"));
		}
		comma = ", ";
	}
	comma = " | ";
	json_array_foreach(users, i, one)
	{
		if (int_of(one, "stories_voted") > 0) {
			buf_printf(out, "%s%s %d", comma, text_of(one, "username"),
				   (int)int_of(one, "stories_voted"));
			comma = ", ";
		}
	}
}

const char *rig_of(struct rig_peer *p, const char *member)
{
	const struct rig_copy *c = rig_copy(p, p->room_id);
	const json_t *value = c == NULL ? NULL : json_object_get(c->room, member);
	char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	free(p->line);
	p->line = rig_render(p->rig, json == NULL ? "" : json);
	free(json);
	return p->line;
}

int64_t rig_number(struct rig_peer *p, const char *member, const char *inner)
{
	const struct rig_copy *c = rig_copy(p, p->room_id);
	const json_t *value = c == NULL ? NULL : json_object_get(c->room, member);
	value = inner == NULL ? value : json_object_get(value, inner);
	return json_is_integer(value) ? json_integer_value(value) : -1;
}

const char *rig_story(struct rig_peer *p, const char *title)
{
	const struct rig_copy *c = rig_copy(p, p->room_id);
	size_t i;
	json_t *story;
	json_array_foreach(c == NULL ? NULL : c->stories, i, story)
	{
		if (strcmp(text_of(story, "title"), title) == 0) {
			return text_of(story, "story_id");
		}
	}
	fail_msg("%s knows no story %s", p->name, title);
	return NULL;
}

const char *rig_self(struct rig_peer *p)
{
	struct buf b = {.max = SIZE_MAX / 2};
	const struct rig_copy *c = rig_copy(p, p->room_id);
	if (c == NULL || c->you == NULL) {
		buf_printf(&b, "nothing");
		return keep(p, &b);
	}
	const char *name = text_of(c->you, "username");
	const char *vote = text_of(c->you, "vote");
	buf_printf(&b, "%s %s", name == NULL ? "-" : name, text_of(c->you, "role"));
	buf_printf(&b, "%s", is_true(c->you, "is_host") ? " host" : "");
	if (vote != NULL) {
		buf_printf(&b, " =%s", vote);
	}
	buf_printf(&b, "%s", is_true(c->you, "is_waiting") ? " waits" : "");
	return keep(p, &b);
}

/* The entries of a set, in order; decref it. */
static json_t *data_entries(json_t *set, bool by_rank)
{
	json_t *sorted = json_array();
	const char *order = by_rank ? "rank" : "entry_id";
	const char *id;
	json_t *entry;
	json_object_foreach(set, id, entry)
	{
		size_t at = 0;
		while (at < json_array_size(sorted) &&
		       strcmp(text_of(json_array_get(sorted, at), order), text_of(entry, order)) <
			       0) {
			at++;
		}
		json_array_insert(sorted, at, entry);
	}
	return sorted;
}

/* ---- comparing with the server ---- */

/* The room.update with everything; NULL where the room is not in memory. */
static json_t *rig_peek(struct rig *r, const char *room_id)
{
	struct buf bytes = {.max = SIZE_MAX / 2};
	struct buf json = {.max = SIZE_MAX / 2};
	if (server_peek_room(r->server, slice_str(room_id), &bytes) == ERR_NOT_FOUND) {
		return NULL;
	}
	assert_int_equal(bytes.error, OK);
	assert_int_equal(json_from_bytes(buf_slice(&bytes), &json), OK);
	json_t *message = json_loadb(json.data, json.len, 0, NULL);
	assert_non_null(message);
	json_t *update = json_incref(json_array_get(json_array_get(message, 2), 0));
	json_decref(message);
	buf_finish(&bytes);
	buf_finish(&json);
	return update;
}

const char *rig_story_votes(struct rig_peer *p)
{
	struct buf mine = {.max = SIZE_MAX / 2};
	struct buf real = {.max = SIZE_MAX / 2};
	const struct rig_copy *c = rig_copy(p, p->room_id);
	json_t *full = rig_peek(p->rig, p->room_id);
	json_t *by_id = json_object();
	size_t i;
	json_t *one;
	assert_non_null(c);
	assert_non_null(full);
	json_array_foreach(json_object_get(full, "story_votes"), i, one)
	{
		json_object_set(by_id, text_of(one, "story_id"), one);
	}
	write_story_votes(c->stories, c->story_votes, c->users, &mine);
	write_story_votes(c->stories, by_id, json_object_get(full, "users"), &real);
	json_decref(by_id);
	json_decref(full);
	assert_int_equal(buf_append(&real, "", 1), OK);
	assert_string_equal(keep(p, &mine), real.data);
	buf_finish(&real);
	return p->line;
}

const char *rig_truth(struct rig_peer *p)
{
	struct buf b = {.max = SIZE_MAX / 2};
	json_t *real = rig_peek(p->rig, p->room_id);
	if (real == NULL) {
		buf_printf(&b, "nothing");
	} else {
		write_table(json_object_get(real, "room"), json_object_get(real, "users"),
			    json_object_get(real, "left_votes"), &b);
	}
	json_decref(real);
	return keep(p, &b);
}

static const char *write_data(struct rig_peer *p, const json_t *data, const char *kind,
			      const char *name)
{
	struct buf b = {.max = SIZE_MAX / 2};
	char key[128];
	(void)snprintf(key, sizeof(key), "%s %s", kind, name);
	bool is_list = strcmp(kind, "list") == 0;
	json_t *entries = data_entries(json_object_get(data, key), is_list);
	size_t i;
	json_t *entry;
	json_array_foreach(entries, i, entry)
	{
		char *value = json_dumps(json_object_get(entry, "value"),
					 JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
		char *shown = rig_render(p->rig, value == NULL ? "?" : value);
		char *id = rig_render(p->rig, text_of(entry, "entry_id"));
		buf_printf(&b, "%s%s%s%s", i == 0 ? "" : ", ", is_list ? "" : id,
			   is_list ? "" : "=", shown);
		free(shown);
		free(id);
		if (json_object_get(entry, "revision") != NULL) {
			buf_printf(&b, "@%lld", (long long)int_of(entry, "revision"));
		}
		free(value);
	}
	json_decref(entries);
	return keep(p, &b);
}

const char *rig_data(struct rig_peer *p, const char *kind, const char *name)
{
	const struct rig_copy *c = rig_copy(p, p->room_id);
	return write_data(p, c == NULL ? NULL : c->data, kind, name);
}

const char *rig_data_truth(struct rig_peer *p, const char *kind, const char *name)
{
	json_t *real = rig_peek(p->rig, p->room_id);
	struct rig_copy c = {.data = json_object()};
	rig_copy_data(&c, real);
	const char *text = write_data(p, c.data, kind, name);
	json_decref(c.data);
	json_decref(real);
	return text;
}

const char *rig_entry(struct rig_peer *p, const char *list, size_t nth)
{
	const struct rig_copy *c = rig_copy(p, p->room_id);
	char key[128];
	(void)snprintf(key, sizeof(key), "list %s", list);
	json_t *entries = data_entries(json_object_get(c->data, key), true);
	/* The copy holds on to it. */
	const char *id = text_of(json_array_get(entries, nth), "entry_id");
	json_decref(entries);
	assert_non_null(id);
	return id;
}

/* All but the values, which a peer may have set itself. */
static json_t *without_values(const json_t *data)
{
	const char *set_name;
	const char *id;
	json_t *set;
	json_t *entry;
	json_t *bare = json_deep_copy(data);
	json_object_foreach(bare, set_name, set)
	{
		json_object_foreach(set, id, entry)
		{
			json_object_del(entry, "value");
		}
	}
	return bare;
}

/* A presence is on its way for a while: only maps and lists are the same at any time. */
static void drop_presences(json_t *data)
{
	void *next;
	const char *name;
	json_t *set;
	json_object_foreach_safe(data, next, name, set)
	{
		if (strncmp(name, "presence ", 9) == 0) {
			json_object_del(data, name);
		}
	}
}

static void assert_same_data(const struct rig_copy *c, const json_t *real)
{
	struct rig_copy truth = {.data = json_object()};
	rig_copy_data(&truth, real);
	json_t *mine = without_values(c->data);
	json_t *theirs = without_values(truth.data);
	drop_presences(mine);
	drop_presences(theirs);
	assert_true(json_equal(mine, theirs));
	json_decref(mine);
	json_decref(theirs);
	json_decref(truth.data);
}

void rig_assert_same(struct rig_peer *p)
{
	struct rig_copy *c;
	rig_read(p);
	LL_FOREACH (p->copies, c) {
		if (c->room == NULL && is_true(c->you, "is_waiting")) {
			continue; /* in the lobby one has seen nothing to compare */
		}
		json_t *real = rig_peek(p->rig, c->room_id);
		assert_non_null(real);
		if (json_object_get(real, "votes_n") != NULL) {
			rig_copy_no_votes(json_object_get(real, "users"));
		}
		assert_true(c->epoch == int_of(real, "epoch"));
		assert_int_equal(c->version, int_of(real, "version"));
		assert_true(json_equal(c->room, json_object_get(real, "room")));
		assert_true(json_equal(c->users, json_object_get(real, "users")));
		json_t *left = json_object_get(real, "left_votes");
		assert_true(left == NULL ? json_array_size(c->left) == 0
					 : json_equal(c->left, left));
		assert_true(json_equal(c->stories, json_object_get(real, "stories")));
		if (c->has_data) {
			assert_same_data(c, real);
		}
		json_decref(real);
	}
}

void rig_assert_all_same(struct rig *r)
{
	for (size_t i = 0; i < r->peers_n; i++) {
		if (r->peers[i]->is_open) {
			rig_assert_same(r->peers[i]);
		}
	}
}
