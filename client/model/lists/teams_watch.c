/*
 * teams_watch.c - the open team and the open backlog as they change: what is watched, and what updates say.
 *
 * Lists are read behind the answer to the watch, so that updates apply to whatever they have; a
 * full update says nothing then that is not read. What is missed is read again.
 */
#include "client/model/lists/teams.h"

#include <string.h>

/* The lists that updates change; what was missed of them is read again. */
static const enum team_list team_watched[TEAM_WATCHES_N][2] = {
	[TEAM_WATCH_GROUP] = {TEAM_USERS, TEAM_CONTAINERS},
	[TEAM_WATCH_CONTAINER] = {TEAM_ITEMS, TEAM_ITEMS},
};

/* Whether it is of what is watched, and follows what is known. */
static bool teams_watch_fits(struct teams *t, enum team_watch_kind kind, struct slice id,
			     int64_t epoch, int64_t since, int64_t version, bool is_reset)
{
	enum feed_fit fit = feed_follow(&t->watches[kind], id, epoch, since, version, is_reset);
	for (size_t i = 0; fit == FEED_MISSED && i < 2; i++) {
		feed_refresh(&t->lists[team_watched[kind][i]]);
	}
	return fit == FEED_FITS;
}

/* New rows of a list, or rows that have changed. What lies behind the pages that were read comes with its own. */
static void teams_put(struct teams *t, enum team_list which, const void *array, size_t n,
		      bool is_in_order)
{
	struct feed *list = &t->lists[which];
	struct rows *rows = &list->rows;
	if (n > 0 && list->is_again) {
		feed_refresh(list); /* what was read of it again may be of before */
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
		feed_gone(&t->watches[TEAM_WATCH_GROUP]);
		return true;
	}
	if (up->with_group) {
		rows_put(&t->kept, &(struct group_get_result){
					   .group_id = up->group_id,
					   .group_name = up->group.group_name,
					   .defaults = up->group.defaults,
					   .with_defaults = up->group.with_defaults,
					   .users = up->group.users,
					   .version = up->version,
				   });
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
		feed_gone(&t->watches[TEAM_WATCH_CONTAINER]);
		return true;
	}
	if (up->with_container) {
		teams_put(t, TEAM_CONTAINERS, &up->container, 1, true);
	}
	teams_put(t, TEAM_ITEMS, up->items, up->items_n, true);
	teams_drop(t, TEAM_ITEMS, up->gone);
	return false;
}
