/*
 * acts_data.c - what people do with shared data: one map and one list, changed
 * by everybody at once, each value like no other.
 */
#include "tests/sim/net/send.h"

#include <string.h>

#define ENTRIES_WANTED 12

static const char *some_key(struct world *w)
{
	static const char *const keys[] = {"a", "b", "c", "d"};
	return keys[dice_below(&w->dice, 4)];
}

static const char *some_entry(struct world *w, const struct view *v)
{
	const char *ids[SIM_DATA_MAX];
	uint32_t n = 0;
	for (size_t i = 0; i < v->data_n; i++) {
		if (strcmp(v->data[i].kind, "list") == 0 && v->data[i].id[0] != '\0') {
			ids[n++] = v->data[i].id;
		}
	}
	return n == 0 ? NULL : ids[dice_below(&w->dice, n)];
}

static bool is_long(const struct world *w, int room)
{
	size_t n = w->rooms[room].now.data_n;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		n += (op->method == METHOD_LIST_PUSH || op->method == METHOD_LIST_INSERT) &&
		     op->room == room && !op->is_answered;
	}
	return n > ENTRIES_WANTED;
}

static void act_map(struct world *w, struct conn *c, int room, const char *once)
{
	const char *key = some_key(w);
	const struct view_entry *e = view_entry(&c->subs[room]->view, "map", key);
	uint32_t kind = dice_below(&w->dice, 100);
	if (view_entry(&c->subs[room]->view, "map", "") == NULL && kind < 80) {
		send_data(w, c, METHOD_MAP_CREATE, room, "m", once);
	} else if (kind < 75) {
		int64_t revision = e == NULL ? 0 : e->revision;
		if (revision > 0 && dice_percent(&w->dice, 30)) {
			revision--; /* as one who looked a while ago */
		}
		send_map_set(w, c, room, key, dice_percent(&w->dice, 40) ? revision : -1, once);
	} else if (kind < 97) {
		send_map_remove(w, c, room, key, once);
	} else {
		send_data(w, c, METHOD_MAP_DELETE, room, "m", once);
	}
}

static void act_list(struct world *w, struct conn *c, int room, const char *once)
{
	const struct view *v = &c->subs[room]->view;
	uint32_t kind = dice_below(&w->dice, 100);
	const char *entry = some_entry(w, v);
	const char *to = some_entry(w, v);
	bool behind = dice_percent(&w->dice, 50);
	if (view_entry(v, "list", "") == NULL && kind < 80) {
		send_data(w, c, METHOD_LIST_CREATE, room, "l", once);
	} else if (entry == NULL || kind < 35) {
		if (!is_long(w, room)) {
			send_list_add(w, c, room, kind < 20 ? NULL : to, behind, once);
		}
	} else if (kind < 65) {
		send_list_move(w, c, room, entry, to, behind, once);
	} else if (kind < 80) {
		send_list_set(w, c, room, entry, once);
	} else if (kind < 97) {
		send_list_remove(w, c, room, entry, once);
	} else {
		send_data(w, c, METHOD_LIST_DELETE, room, "l", once);
	}
}

static void act_presence(struct world *w, struct conn *c, int room, const char *once)
{
	uint32_t kind = dice_below(&w->dice, 100);
	if (view_entry(&c->subs[room]->view, "presence", "") == NULL && kind < 60) {
		send_data(w, c, METHOD_PRESENCE_CREATE, room, "p", once);
	} else if (kind < 75) {
		/* As somebody who types does: a few at once. */
		for (uint32_t i = dice_below(&w->dice, 4) + 1; i > 0; i--) {
			int64_t ttl =
				dice_percent(&w->dice, 30) ? 1000 + dice_below(&w->dice, 3000) : 0;
			send_presence_set(w, c, room, ttl, NULL);
		}
	} else if (kind < 85) {
		send_data(w, c, METHOD_PRESENCE_REMOVE, room, "p", once);
	} else if (kind < 97) {
		send_get(w, c, METHOD_PRESENCE_GET, room, "p");
	} else {
		send_data(w, c, METHOD_PRESENCE_DELETE, room, "p", once);
	}
}

void acts_data(struct world *w, struct conn *c, int room, const char *once)
{
	uint32_t kind = dice_below(&w->dice, 100);
	if (kind < 25) {
		act_presence(w, c, room, once);
	} else if (kind < 55) {
		act_map(w, c, room, once);
	} else {
		act_list(w, c, room, once);
	}
}
