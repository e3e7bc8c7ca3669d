/*
 * teams.c - see teams.h.
 */
#include "client/model/teams.h"

#include <string.h>

#include "proto/format.h"

/* What a list is of. */
enum team_order { TEAM_IN_ORDER_OF_COMING, TEAM_IN_ORDER_OF_KEYS };
enum team_of { TEAM_OF_NOTHING, TEAM_OF_GROUP, TEAM_OF_CONTAINER };

static const struct {
	enum method method;
	const char *rows; /* the field of the result */
	const struct record *record;
	const char *key;
	enum team_of of;
	bool is_by_key;
} team_lists[TEAM_LISTS_N] = {
#define TEAM_LIST_ROW(symbol, method_, rows_, rec, key_, of_, order_)                             \
	[TEAM_##symbol] = {METHOD_##method_,	     #rows_, &record_##rec, #key_, TEAM_OF_##of_, \
			   TEAM_IN_ORDER_OF_##order_},
	TEAM_LISTS(TEAM_LIST_ROW)
#undef TEAM_LIST_ROW
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
		paged_init(&t->lists[i], team_lists[i].record, team_lists[i].key,
			   team_lists[i].is_by_key ? team_lists[i].key : NULL);
	}
}

void teams_forget_made(struct teams *t)
{
	memset(&t->made, 0, sizeof(t->made));
}

void teams_finish(struct teams *t)
{
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		paged_finish(&t->lists[i]);
	}
	backlog_finish(&t->backlog);
	expiring_finish(&t->expiring);
	teams_forget_made(t);
}

void teams_clear(struct teams *t)
{
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		paged_clear(&t->lists[i]);
	}
	memset(t->watches, 0, sizeof(t->watches));
	t->group_id[0] = '\0';
	t->container_id[0] = '\0';
	backlog_finish(&t->backlog);
	expiring_finish(&t->expiring);
	teams_forget_made(t);
}

void teams_lost(struct teams *t)
{
	expiring_refresh(&t->expiring);
	memset(t->watches, 0, sizeof(t->watches));
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		paged_lost(&t->lists[i]);
	}
}

/* ---- what is open ---- */

/* What is open already is read again: it was left for a while. */
static void teams_open(struct teams *t, enum team_of of, char out[TEAM_ID_BYTES_MAX + 1],
		       struct slice id)
{
	bool is_same = slice_eq(slice_str(out), id);
	(void)format_to(out, TEAM_ID_BYTES_MAX + 1, "%.*s", (int)id.len, id.data);
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		if (team_lists[i].of == of && is_same) {
			paged_refresh(&t->lists[i]);
		} else if (team_lists[i].of == of) {
			paged_clear(&t->lists[i]);
		}
	}
}

void teams_open_group(struct teams *t, struct slice group_id)
{
	teams_open(t, TEAM_OF_GROUP, t->group_id, group_id);
}

void teams_open_container(struct teams *t, struct slice container_id)
{
	if (!slice_eq(slice_str(t->container_id), container_id)) {
		backlog_finish(&t->backlog);
	}
	teams_open(t, TEAM_OF_CONTAINER, t->container_id, container_id);
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

const struct group_user *teams_user(const struct teams *t, struct slice user_id)
{
	return rows_find(teams_rows(t, TEAM_USERS), user_id);
}

static void teams_refresh(struct teams *t, unsigned lists)
{
	for (size_t i = 0; i < TEAM_LISTS_N; i++) {
		if ((lists >> i & 1) != 0) {
			paged_refresh(&t->lists[i]);
		}
	}
}

/* ---- reading ---- */

enum team_list teams_list_of(enum method method)
{
	enum team_list which = 0;
	while (which < TEAM_LISTS_N && team_lists[which].method != method) {
		which++;
	}
	return which;
}

/* The field that says of what a list is, and what is open of that kind. */
static const char *teams_of(const struct teams *t, enum team_list which, const char **id)
{
	switch (team_lists[which].of) {
	case TEAM_OF_GROUP:
		*id = t->group_id;
		return "group_id";
	case TEAM_OF_CONTAINER:
		*id = t->container_id;
		return "container_id";
	case TEAM_OF_NOTHING:
		break;
	}
	*id = "";
	return NULL;
}

struct request *teams_ask(const struct teams *t, enum team_list which)
{
	struct request *r = request_make(team_lists[which].method);
	const char *id;
	const char *of = teams_of(t, which, &id);
	if (of != NULL) {
		request_text(r, of, id);
	}
	if (t->lists[which].cursor != NULL) {
		request_text(r, "cursor", t->lists[which].cursor);
	}
	return r;
}

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

/* Whether what was asked is of what is open still. */
static bool teams_is_of_open(const struct teams *t, const struct request *asked,
			     enum team_list which)
{
	const char *id;
	const char *of = teams_of(t, which, &id);
	return of == NULL || slice_eq(teams_text(asked, of), slice_str(id));
}

bool teams_reads(enum method method)
{
	return teams_list_of(method) != TEAM_LISTS_N || method == METHOD_ITEM_EXPIRING ||
	       teams_watches(method);
}

void teams_sent(struct teams *t, const struct request *asked)
{
	if (teams_watches(asked->method)) {
		teams_watch_sent(t, asked);
	} else if (asked->method == METHOD_ITEM_EXPIRING) {
		expiring_sent(&t->expiring);
	} else {
		t->lists[teams_list_of(asked->method)].read = PAGED_ASKED;
	}
}

void teams_take_page(struct teams *t, const struct request *asked, const void *result)
{
	if (teams_watches(asked->method)) {
		teams_watch_answer(t, asked, result);
		return;
	}
	if (asked->method == METHOD_ITEM_EXPIRING) {
		expiring_take(&t->expiring, asked, result);
		return;
	}
	enum team_list which = teams_list_of(asked->method);
	const struct record *record = method_rows[asked->method].result;
	const struct field *rows = record_field(record, slice_str(team_lists[which].rows));
	const struct field *next = record_field(record, SLICE("cursor"));
	struct slice cursor;
	const void *array;
	if (!teams_is_of_open(t, asked, which)) {
		return;
	}
	memcpy(&array, field_member(rows, result), sizeof(array));
	memcpy(&cursor, field_member(next, result), sizeof(cursor));
	paged_take(&t->lists[which], array, field_recs_n(field_member(rows, result)), cursor);
	backlog_follow(&t->backlog, teams_rows(t, TEAM_ITEMS));
}

void teams_take_page_refusal(struct teams *t, const struct request *asked, const char *why,
			     int64_t retry_ms)
{
	enum team_list which = teams_list_of(asked->method);
	if (teams_watches(asked->method)) {
		teams_watch_answer(t, asked, NULL);
		teams_refresh(t, TEAM_BIT(GROUPS) | TEAM_BIT(CONTAINERS));
	} else if (asked->method == METHOD_ITEM_EXPIRING) {
		expiring_take_refusal(&t->expiring);
	} else if (teams_is_of_open(t, asked, which)) {
		paged_take_refusal(&t->lists[which], why, retry_ms);
	}
}

/* ---- changing ---- */

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
	return teams_changed_lists(method) != 0;
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
	struct paged *list = &t->lists[TEAM_ITEMS];
	struct slice item_id = teams_text(done, "item_id");
	const struct item_view *known = rows_find(&list->rows, item_id);
	struct item_view item = {.category = SLICE(ITEM_CATEGORY_USUAL)};
	if (!slice_eq(teams_text(done, "container_id"), slice_str(t->container_id))) {
		return;
	}
	expiring_refresh(&t->expiring);
	if (list->is_again || list->read == PAGED_ASKED) {
		paged_refresh(list); /* what comes may be of before */
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
	backlog_follow(&t->backlog, &list->rows);
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

void teams_take_change_refusal(struct teams *t, const struct request *refused)
{
	teams_refresh(t, teams_changed_lists(refused->method));
}
