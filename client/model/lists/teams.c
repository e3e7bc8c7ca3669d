/*
 * teams.c - see teams.h.
 */
#include "client/model/lists/teams.h"

#include <string.h>

#include "proto/base/format.h"

/* What a list or a watch is of: what is open of that kind. */
static const char of_group[] = "group_id";
static const char of_container[] = "container_id";

static const struct feed_kind team_lists[TEAM_LISTS_N] = {
	[TEAM_GROUPS] = {METHOD_GROUP_LIST, .rows = "groups", .entry = &record_group_entry,
			 .key = of_group, .order = of_group},
	[TEAM_ROOMS] = {METHOD_GROUP_ROOMS, .of = of_group, .rows = "rooms",
			.entry = &record_group_room, .key = "room_id"},
	[TEAM_CONTAINERS] = {METHOD_CONTAINER_LIST, .of = of_group, .rows = "containers",
			     .entry = &record_container_entry, .key = of_container,
			     .order = of_container},
	[TEAM_USERS] = {METHOD_GROUP_USERS, .of = of_group, .rows = "users",
			.entry = &record_group_user, .key = "user_id"},
	[TEAM_INVITATIONS] = {METHOD_INVITATION_LIST, .of = of_group, .rows = "invitations",
			      .entry = &record_invitation_view, .key = "invitation_id"},
	[TEAM_ITEMS] = {METHOD_ITEM_LIST, .of = of_container, .rows = "items",
			.entry = &record_item_view, .key = "item_id", .order = "item_id"},
};

static const struct feed_kind team_watches[TEAM_WATCHES_N] = {
	[TEAM_WATCH_GROUP] = {METHOD_GROUP_WATCH, METHOD_GROUP_UNWATCH, .of = of_group},
	[TEAM_WATCH_CONTAINER] = {METHOD_CONTAINER_WATCH, METHOD_CONTAINER_UNWATCH,
				  .of = of_container},
};

/* What is another one by a change, or by a refusal of it: bits of the lists. */
#define TEAM_BIT(which) (1U << TEAM_##which)
static const struct {
	enum method method;
	unsigned lists;
} team_changes[] = {
	{METHOD_GROUP_CREATE, TEAM_BIT(GROUPS)},
	{METHOD_GROUP_JOIN, TEAM_BIT(GROUPS)},
	{METHOD_GROUP_RENAME, TEAM_BIT(GROUPS)},
	{METHOD_GROUP_LEAVE, TEAM_BIT(GROUPS)},
	{METHOD_GROUP_DELETE, TEAM_BIT(GROUPS)},
	{METHOD_GROUP_SET_DEFAULTS, 0}, /* the watch brings them */
	{METHOD_GROUP_SET_ROLE, TEAM_BIT(GROUPS) | TEAM_BIT(USERS)},
	{METHOD_GROUP_REMOVE_USER, TEAM_BIT(USERS)},
	{METHOD_CONTAINER_CREATE, TEAM_BIT(CONTAINERS)},
	{METHOD_CONTAINER_RENAME, TEAM_BIT(CONTAINERS)},
	{METHOD_CONTAINER_DELETE, TEAM_BIT(CONTAINERS)},
	{METHOD_ITEM_ADD, TEAM_BIT(ITEMS)},
	{METHOD_ITEM_UPDATE, TEAM_BIT(ITEMS)},
	{METHOD_ITEM_ADJUST, TEAM_BIT(ITEMS)},
	{METHOD_ITEM_REMOVE, TEAM_BIT(ITEMS)},
	{METHOD_INVITATION_CREATE, TEAM_BIT(INVITATIONS)},
	{METHOD_INVITATION_RENEW, TEAM_BIT(INVITATIONS)},
	{METHOD_INVITATION_REVOKE, TEAM_BIT(INVITATIONS)},
};

void teams_init(struct teams *t)
{
	*t = (struct teams){.is_open = false};
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		feed_init(&t->lists[i], &team_lists[i]);
	}
	for (size_t i = 0; i < TEAM_WATCHES_N; i++) {
		feed_init(&t->watches[i], &team_watches[i]);
	}
	rows_init(&t->kept, &record_group_get_result, of_group, of_group);
	expiring_init(&t->expiring);
}

void teams_forget_made(struct teams *t)
{
	memset(&t->made, 0, sizeof(t->made));
}

void teams_finish(struct teams *t)
{
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		feed_finish(&t->lists[i]);
	}
	for (size_t i = 0; i < TEAM_WATCHES_N; i++) {
		feed_finish(&t->watches[i]);
	}
	rows_finish(&t->kept);
	backlog_finish(&t->backlog);
	expiring_finish(&t->expiring);
	teams_forget_made(t);
}

void teams_clear(struct teams *t)
{
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		feed_clear(&t->lists[i]);
	}
	for (size_t i = 0; i < TEAM_WATCHES_N; i++) {
		feed_clear(&t->watches[i]);
	}
	rows_clear(&t->kept);
	t->group_id[0] = '\0';
	t->container_id[0] = '\0';
	backlog_finish(&t->backlog);
	expiring_finish(&t->expiring);
	expiring_init(&t->expiring);
	teams_forget_made(t);
}

void teams_lost(struct teams *t)
{
	expiring_refresh(&t->expiring);
	for (size_t i = 0; i < TEAM_WATCHES_N; i++) {
		feed_lost(&t->watches[i]);
	}
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		feed_lost(&t->lists[i]);
	}
}

/* ---- what is open ---- */

static void teams_open(struct teams *t, const char *of, enum team_watch_kind watch, char *out,
		       struct slice id)
{
	(void)format_to(out, TEAM_ID_BYTES_MAX + 1, "%.*s", (int)id.len, id.data);
	feed_open(&t->watches[watch], id);
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		if (team_lists[i].of == of) {
			feed_open(&t->lists[i], id);
		}
	}
}

void teams_open_group(struct teams *t, struct slice id)
{
	teams_open(t, of_group, TEAM_WATCH_GROUP, t->group_id, id);
}

void teams_open_container(struct teams *t, struct slice id)
{
	if (!slice_eq(slice_str(t->container_id), id)) {
		backlog_finish(&t->backlog);
	}
	teams_open(t, of_container, TEAM_WATCH_CONTAINER, t->container_id, id);
}

const struct container_entry *teams_container(const struct teams *t)
{
	return rows_find(teams_rows(t, TEAM_CONTAINERS), slice_str(t->container_id));
}

const struct item_view *teams_item(const struct teams *t, struct slice item_id)
{
	return rows_find(teams_rows(t, TEAM_ITEMS), item_id);
}

const struct group_entry *teams_group(const struct teams *t)
{
	return rows_find(teams_rows(t, TEAM_GROUPS), slice_str(t->group_id));
}

const struct group_defaults *teams_defaults(const struct teams *t)
{
	const struct group_get_result *g = rows_find(&t->kept, slice_str(t->group_id));
	return g == NULL ? NULL : &g->defaults;
}

const struct group_user *teams_user(const struct teams *t, struct slice user_id)
{
	return rows_find(teams_rows(t, TEAM_USERS), user_id);
}

static void teams_refresh(struct teams *t, unsigned lists)
{
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		if ((lists >> i & 1) != 0) {
			feed_refresh(&t->lists[i]);
		}
	}
}

/* ---- changing ---- */

/* A text of the request's params; empty where there is none. */
static struct slice teams_text(const struct request *r, const char *name)
{
	struct slice text = {0};
	const void *in;
	const struct field *f = request_field(r, name, &in);
	if (f != NULL) {
		memcpy(&text, field_member(f, in), sizeof(text));
	}
	return text;
}

static unsigned teams_changed_lists(enum method method)
{
	for (size_t i = 0; i < sizeof(team_changes) / sizeof(team_changes[0]); i++) {
		if (team_changes[i].method == method) {
			return team_changes[i].lists;
		}
	}
	return 0;
}

bool teams_changes(enum method method)
{
	bool is_one = false;
	for (size_t i = 0; i < sizeof(team_changes) / sizeof(team_changes[0]); i++) {
		is_one = is_one || team_changes[i].method == method;
	}
	return is_one;
}

/* ---- items, of which what a change says is known at once ---- */

/* What the request gives of an item: all of a new one, or what changes of another. */
static void teams_fill_item(struct item_view *item, const struct request *done)
{
	struct slice *texts[ITEM_COLUMNS_N] = {
		[ITEM_COLUMN_NAME] = &item->name, [ITEM_COLUMN_QUANTITY] = &item->quantity,
		[ITEM_COLUMN_UNIT] = &item->unit, [ITEM_COLUMN_CATEGORY] = &item->category,
		[ITEM_COLUMN_NOTE] = &item->note,
	};
	for (enum item_column c = 0; c < ITEM_COLUMNS_N; c++) {
		const void *in;
		const struct field *f = request_field(done, item_column_name(c), &in);
		if (f != NULL && field_with(f, in) && texts[c] != NULL) {
			*texts[c] = teams_text(done, item_column_name(c));
		} else if (f != NULL && field_with(f, in)) {
			memcpy(&item->expiry, field_member(f, in), sizeof(item->expiry));
		}
	}
}

static void teams_take_item(struct teams *t, const struct request *done, const void *result)
{
	const struct item_result *changed = result;
	const struct item_adjust_result *adjusted = result;
	struct feed *list = &t->lists[TEAM_ITEMS];
	struct slice item_id = teams_text(done, "item_id");
	const struct item_view *known = rows_find(&list->rows, item_id);
	struct item_view item = {.category = SLICE(ITEM_CATEGORY_USUAL)};
	if (!slice_eq(teams_text(done, "container_id"), slice_str(t->container_id))) {
		return;
	}
	expiring_refresh(&t->expiring);
	if (list->is_again || list->read == FEED_ASKED) {
		feed_refresh(list); /* what comes may be of before */
	}
	if (done->method == METHOD_ITEM_ADD) {
		item.item_id = changed->item_id;
		item.revision = changed->revision;
		teams_fill_item(&item, done);
		if (list->is_known && !list->has_more) {
			rows_put(&list->rows, &item);
		}
	} else if (done->method == METHOD_ITEM_REMOVE && known != NULL) {
		(void)rows_drop(&list->rows, item_id);
	} else if (known != NULL) {
		item = *known;
		bool is_adjusted = done->method == METHOD_ITEM_ADJUST;
		item.revision = is_adjusted ? adjusted->revision : changed->revision;
		if (is_adjusted) {
			item.quantity = adjusted->quantity;
		} else {
			teams_fill_item(&item, done);
		}
		rows_put(&list->rows, &item);
	}
}

/* ---- the rest ---- */

/* It is on the list before that is read again: its page has a head at once. */
static void teams_put_group(struct teams *t, struct slice group_id, struct slice name,
			    enum group_role role)
{
	const struct group_entry g = {.group_id = group_id, .group_name = name, .role = role};
	struct rows *rows = &t->lists[TEAM_GROUPS].rows;
	if (rows_find(rows, group_id) == NULL) {
		rows_put(rows, &g);
	}
	teams_open_group(t, group_id);
}

void teams_take_change(struct teams *t, const struct request *done, const void *result)
{
	const struct group_create_result *created = result;
	const struct group_join_result *joined = result;
	const struct invitation_create_result *invited = result;
	struct rows *groups = &t->lists[TEAM_GROUPS].rows;
	if (teams_changed_lists(done->method) == TEAM_BIT(ITEMS)) {
		teams_take_item(t, done, result);
		return;
	}
	if (done->method == METHOD_GROUP_CREATE) {
		teams_put_group(t, created->group_id, teams_text(done, "group_name"), GROUP_OWNER);
	} else if (done->method == METHOD_GROUP_JOIN) {
		teams_put_group(t, joined->group_id, joined->group_name, GROUP_MEMBER);
	} else if (done->method == METHOD_GROUP_RENAME && teams_group(t) != NULL) {
		struct group_entry g = *teams_group(t);
		g.group_name = teams_text(done, "group_name");
		rows_put(groups, &g);
	} else if (done->method == METHOD_GROUP_LEAVE || done->method == METHOD_GROUP_DELETE) {
		expiring_refresh(&t->expiring);
		(void)rows_drop(groups, teams_text(done, "group_id"));
	} else if (done->method == METHOD_INVITATION_CREATE) {
		char sent[MAX_INVITATION_CODE_BYTES + 1];
		(void)format_to(sent, sizeof(sent), "%.*s", (int)invited->code.len,
				invited->code.data);
		(void)invite_team_code(sent, t->made.code);
		t->made.ends_at = invited->link_expiry_datetime;
	}
	teams_refresh(t, teams_changed_lists(done->method));
}

void teams_take_watch_refusal(struct teams *t)
{
	teams_refresh(t, TEAM_BIT(GROUPS) | TEAM_BIT(CONTAINERS));
}

void teams_take_change_refusal(struct teams *t, const struct request *refused)
{
	teams_refresh(t, teams_changed_lists(refused->method));
}
