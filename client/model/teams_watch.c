/*
 * teams_watch.c - the open team and the open backlog as they change: what is watched, and what updates say.
 *
 * Lists are read behind the answer to the watch, so that updates apply to whatever they have; a
 * full update says nothing then that is not read. What is missed is read again.
 */
#include "client/model/teams.h"

#include <string.h>

#include "proto/format.h"

/* Of what a watch is: its methods, their field, and the lists that its updates change. */
static const struct {
	enum method watch, unwatch;
	const char *field;
	enum team_list lists[2];
} team_watched[TEAM_WATCHES_N] = {
	[TEAM_WATCH_GROUP] = {METHOD_GROUP_WATCH,
			      METHOD_GROUP_UNWATCH,
			      "group_id",
			      {TEAM_USERS, TEAM_CONTAINERS}},
	[TEAM_WATCH_CONTAINER] = {METHOD_CONTAINER_WATCH,
				  METHOD_CONTAINER_UNWATCH,
				  "container_id",
				  {TEAM_ITEMS, TEAM_ITEMS}},
};

static const char *teams_watch_id(const struct teams *t, enum team_watch_kind kind)
{
	return kind == TEAM_WATCH_GROUP ? t->group_id : t->container_id;
}

struct request *teams_ask_watch(const struct teams *t, enum team_watch_kind kind)
{
	const struct team_watch *w = &t->watches[kind];
	const char *id = teams_watch_id(t, kind);
	bool is_same = strcmp(w->id, id) == 0;
	if (id[0] == '\0' || (is_same && w->state != TEAM_WATCH_NONE)) {
		return NULL;
	}
	bool is_left = w->state == TEAM_WATCH_ON;
	struct request *r =
		request_make(is_left ? team_watched[kind].unwatch : team_watched[kind].watch);
	request_text(r, team_watched[kind].field, is_left ? w->id : id);
	return r;
}

/* The kind that a method watches or no longer does; TEAM_WATCHES_N: none. */
static enum team_watch_kind teams_watch_of(enum method method)
{
	enum team_watch_kind kind = 0;
	while (kind < TEAM_WATCHES_N && team_watched[kind].watch != method &&
	       team_watched[kind].unwatch != method) {
		kind++;
	}
	return kind;
}

bool teams_watches(enum method method)
{
	return teams_watch_of(method) != TEAM_WATCHES_N;
}

void teams_watch_sent(struct teams *t, const struct request *asked)
{
	enum team_watch_kind kind = teams_watch_of(asked->method);
	bool is_watch = asked->method == team_watched[kind].watch;
	(void)format_to(t->watches[kind].id, sizeof(t->watches[kind].id), "%s",
			is_watch ? teams_watch_id(t, kind) : "");
	t->watches[kind].state = is_watch ? TEAM_WATCH_ASKED : TEAM_WATCH_NONE;
}

void teams_watch_answer(struct teams *t, const struct request *asked, const struct watch_result *r)
{
	struct team_watch *w = &t->watches[teams_watch_of(asked->method)];
	if (w->state == TEAM_WATCH_ASKED) {
		w->state = r == NULL ? TEAM_WATCH_REFUSED : TEAM_WATCH_ON;
		w->version = r == NULL ? 0 : r->version;
		w->epoch = r == NULL ? 0 : r->epoch;
	}
}

/* ---- updates ---- */

/* Whether it is of what is watched, and follows what is known; what was missed is read again. */
static bool teams_watch_fits(struct teams *t, enum team_watch_kind kind, struct slice id,
			     int64_t epoch, int64_t since, int64_t version, bool is_reset)
{
	struct team_watch *w = &t->watches[kind];
	if (w->state != TEAM_WATCH_ON || !slice_eq(id, slice_str(w->id))) {
		return false;
	}
	if (is_reset || epoch != w->epoch || since > w->version) {
		w->state = TEAM_WATCH_NONE;
		for (size_t i = 0; i < 2; i++) {
			paged_refresh(&t->lists[team_watched[kind].lists[i]]);
		}
		return false;
	}
	w->version = version > w->version ? version : w->version;
	return true;
}

/* New rows of a list, or rows that have changed. What lies behind the pages that were read comes with its own. */
static void teams_put(struct teams *t, enum team_list which, const void *array, size_t n,
		      bool is_in_order)
{
	struct paged *list = &t->lists[which];
	struct rows *rows = &list->rows;
	if (n > 0 && list->is_again) {
		paged_refresh(list); /* what was read of it again may be of before */
	}
	for (size_t i = 0; i < n && list->is_known; i++) {
		const char *row = (const char *)array + i * rows->record->size;
		struct slice key;
		struct slice last = {0};
		memcpy(&key, field_member(rows->key, row), sizeof(key));
		if (rows->n > 0) {
			memcpy(&last, field_member(rows->key, rows->items[rows->n - 1]),
			       sizeof(last));
		}
		bool is_within = !list->has_more || rows_find(rows, key) != NULL ||
				 (is_in_order && slice_cmp(key, last) < 0);
		if (is_within) {
			rows_put(rows, row);
		}
	}
}

static void teams_drop(struct teams *t, enum team_list which, struct slices gone)
{
	for (size_t i = 0; i < gone.n; i++) {
		(void)rows_drop(&t->lists[which].rows, gone.items[i]);
	}
}

bool teams_take_group_update(struct teams *t, const struct group_update *up)
{
	if (!teams_watch_fits(t, TEAM_WATCH_GROUP, up->group_id, up->epoch, up->since, up->version,
			      up->reset)) {
		return false;
	}
	const struct group_entry *known = teams_group(t);
	if (up->is_deleted) {
		(void)rows_drop(&t->lists[TEAM_GROUPS].rows, up->group_id);
		t->watches[TEAM_WATCH_GROUP].state = TEAM_WATCH_REFUSED;
		return true;
	}
	if (up->with_group && known != NULL) {
		struct group_entry g = *known;
		g.group_name = up->group.group_name;
		rows_put(&t->lists[TEAM_GROUPS].rows, &g);
	}
	teams_put(t, TEAM_USERS, up->users, up->users_n, false);
	teams_put(t, TEAM_CONTAINERS, up->containers, up->containers_n, true);
	teams_drop(t, TEAM_USERS, up->gone);
	teams_drop(t, TEAM_CONTAINERS, up->gone);
	return false;
}

bool teams_take_container_update(struct teams *t, const struct container_update *up)
{
	if (!teams_watch_fits(t, TEAM_WATCH_CONTAINER, up->container_id, up->epoch, up->since,
			      up->version, up->reset)) {
		return false;
	}
	if (up->is_deleted) {
		(void)rows_drop(&t->lists[TEAM_CONTAINERS].rows, up->container_id);
		t->watches[TEAM_WATCH_CONTAINER].state = TEAM_WATCH_REFUSED;
		return true;
	}
	if (up->with_container) {
		teams_put(t, TEAM_CONTAINERS, &up->container, 1, true);
	}
	teams_put(t, TEAM_ITEMS, up->items, up->items_n, true);
	teams_drop(t, TEAM_ITEMS, up->gone);
	backlog_follow(&t->backlog, teams_rows(t, TEAM_ITEMS));
	return false;
}
