/*
 * container_watch.c - container.watch: what a connection is sent of a container, that the pages of its items with what
 * comes after each end up as what the disk has, and that one who knows how it stands is sent nothing anew.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/text/quantity.h"

/* ---- the picture ---- */

static uint64_t hash_text(uint64_t h, struct slice text)
{
	return sim_hash_u64(text.len == 0 ? h : sim_hash(h, text.data, text.len), text.len);
}

static uint64_t hash_shown(const struct item_view *v)
{
	uint64_t h = hash_text(SIM_HASH_START, v->name);
	h = hash_text(h, v->unit);
	h = hash_text(h, v->quantity);
	h = hash_text(h, v->category);
	h = hash_text(h, v->note);
	h = sim_hash_u64(h, (uint64_t)v->expiry);
	return sim_hash_u64(sim_hash_u64(h, (uint64_t)v->created_at), (uint64_t)v->updated_at);
}

static uint64_t hash_stored(const struct item_item *item)
{
	char text[QUANTITY_BYTES_MAX + 1];
	struct item_view v = {.name = item->name,
			      .unit = item->unit,
			      .category = item->category,
			      .note = item->note,
			      .expiry = item->expiry,
			      .created_at = item->created_at,
			      .updated_at = item->updated_on};
	if (item->with_quantity) {
		v.quantity = slice_of(text, quantity_write(item->quantity, text));
	}
	return hash_shown(&v);
}

/* That one of the picture, or a place for it; NULL: there is none left. */
static struct container_copy_item *item_find(struct container_copy *copy, struct slice item_id)
{
	struct container_copy_item *item = copy->items;
	while (item < copy->items + copy->items_n && !slice_eq(slice_str(item->item_id), item_id)) {
		item++;
	}
	if (item < copy->items + copy->items_n) {
		return item;
	}
	copy->is_short = copy->is_short || copy->items_n == SIM_ITEMS_MAX;
	if (copy->is_short) {
		return NULL;
	}
	copy->items_n++;
	*item = (struct container_copy_item){.version = -1};
	view_text(item->item_id, sizeof(item->item_id), item_id);
	return item;
}

/* As of that version: what is known of it as of a later one stays. */
static void item_put(struct container_copy *copy, const struct item_view *v, int64_t version)
{
	struct container_copy_item *item = item_find(copy, v->item_id);
	if (item != NULL && version >= item->version) {
		item->version = version;
		item->revision = v->revision;
		item->what = hash_shown(v);
	}
}

static void item_gone(struct container_copy *copy, struct slice item_id, int64_t version)
{
	struct container_copy_item *item = item_find(copy, item_id);
	if (item != NULL) {
		item->version = version;
		item->revision = 0;
	}
}

static bool is_watched_by(const struct conn *c, const char *container_id)
{
	return c->container.is_on && strcmp(c->container.container_id, container_id) == 0;
}

/* ---- answers and updates leave ---- */

/* One who said how the copy stands, and is answered so, keeps it. */
static void granted_watch(struct world *w, struct conn *c, const struct op *op,
			  const struct watch_result *r)
{
	struct container_copy *copy = &c->container;
	bool is_sure = sessions_has_stayed(w, c, op);
	bool is_kept = op->has_since && is_watched_by(c, op->text) && copy->epoch == r->epoch &&
		       op->token == r->version && copy->version == r->version;
	if (is_kept && is_sure && copy->session == c->session) {
		return;
	}
	*copy = (struct container_copy){.is_on = is_sure,
					.session = c->session,
					.epoch = r->epoch,
					.version = r->version};
	view_text(copy->container_id, sizeof(copy->container_id), slice_str(op->text));
}

static void container_watch_granted(struct world *w, struct conn *c, const struct op *op,
				    const union method_result *result)
{
	struct container_copy *copy = &c->container;
	const struct item_list_result *page = &result->ITEM_LIST;
	if (op->method == METHOD_CONTAINER_WATCH && op->order > c->container_unwatched) {
		granted_watch(w, c, op, &result->CONTAINER_WATCH);
	} else if (op->method == METHOD_CONTAINER_UNWATCH) { /* carried out when it came */
		copy->is_on = false;
		c->container_unwatched = op->order;
	}
	if (op->method != METHOD_ITEM_LIST || !is_watched_by(c, op->text) || op->value == 0 ||
	    op->value != copy->walk) {
		return;
	}
	for (size_t i = 0; i < page->items_n; i++) {
		item_put(copy, &page->items[i], page->version);
	}
	copy->is_paged = page->cursor.len == 0;
}

static void container_watch_notice(struct world *w, struct conn *c, enum notice notice,
				   const union notice_record *rec)
{
	const struct container_update *u = &rec->container_update;
	struct container_copy *copy = &c->container;
	char id[20];
	view_text(id, sizeof(id), notice == NOTICE_CONTAINER_UPDATE ? u->container_id : SLICE(""));
	if (notice != NOTICE_CONTAINER_UPDATE || !is_watched_by(c, id)) {
		return;
	}
	if (u->reset || u->is_deleted) {
		copy->is_on = false;
		return;
	}
	bool is_next = u->since == copy->version && u->version == u->since + 1;
	bool is_same = u->full && u->since == copy->version && u->version == u->since;
	if (u->epoch != copy->epoch || (!is_next && !is_same)) {
		broken(w, CLAIM_VERSIONS, "a container goes from %lld to %lld, and was at %lld",
		       (long long)u->since, (long long)u->version, (long long)copy->version);
	}
	copy->version = u->version;
	if (u->full) { /* what is paged is to be paged anew */
		copy->is_paged = false;
		copy->walk = 0;
		copy->items_n = 0;
	}
	if (u->with_container) {
		view_text(copy->name, sizeof(copy->name), u->container.container_name);
		copy->count = u->container.items;
	}
	for (size_t i = 0; i < u->gone.n; i++) {
		item_gone(copy, u->gone.items[i], u->version);
	}
	for (size_t i = 0; i < u->items_n && !planted(w, BREAK_LOSE_ITEM_UPDATE, 1); i++) {
		item_put(copy, &u->items[i], u->version);
	}
}

/* ---- when all is quiet ---- */

/* What differs between the picture and the disk, for a person; NULL: nothing. */
static const char *picture_differs(struct world *w, const struct container_copy *copy,
				   const char *user_id)
{
	char group_id[20];
	int64_t items = 0;
	const struct table_row *row = find_row(w, ITEM_CONTAINER, copy->container_id, "");
	if (row == NULL || container_is_ending(w, row)) {
		return "there is none";
	}
	const struct container_item *container =
		item_of_value(w, ITEM_CONTAINER, slice_of(row->value, row->value_len));
	view_text(group_id, sizeof(group_id), container->group_id);
	if (find_row(w, ITEM_MEMBERSHIP, user_id, group_id) == NULL) {
		return "its user is not in its group";
	}
	if (copy->version != container->version || copy->epoch != container->created_on) {
		return "it is at another version";
	}
	if (!slice_eq(slice_str(copy->name), container->container_name) ||
	    copy->count != container->items) {
		return "it has another name, or so many items not";
	}
	for (size_t i = 0; i < copy->items_n && copy->is_paged; i++) {
		const struct container_copy_item *known = &copy->items[i];
		row = find_row(w, ITEM_ITEM, copy->container_id, known->item_id);
		if ((row == NULL) != (known->revision == 0)) {
			return row == NULL ? "one of its items is gone"
					   : "one of its items is back";
		}
		const struct item_item *item =
			row == NULL
				? NULL
				: item_of_value(w, ITEM_ITEM, slice_of(row->value, row->value_len));
		items += item != NULL;
		if (item != NULL &&
		    (item->revision != known->revision || hash_stored(item) != known->what)) {
			return "one of its items is another";
		}
	}
	return copy->is_paged && !copy->is_short && items != container->items
		       ? "there are more items, or fewer"
		       : NULL;
}

static void container_watch_settled(struct world *w)
{
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		const struct conn *c = w->conns[i];
		if (!c->container.is_on || !c->server_has || !c->client_has || c->is_deaf ||
		    !watch_is_sure(w, c, c->container.session)) {
			continue;
		}
		w->figures.comparisons++;
		arena_reset(&w->arena);
		const char *why = picture_differs(w, &c->container, session_of_conn(w, c)->user_id);
		if (why != NULL) {
			broken(w, CLAIM_CONVERGE, "all is quiet, %s watches %s, and %s",
			       member_name(w, c->member), c->container.container_id, why);
		}
	}
}

/* ---- the client ---- */

/* Where the copy has items, with how it stands: then nothing is sent anew unless something has changed. */
static void send_watch(struct world *w, struct conn *c, struct slice container_id)
{
	const struct container_copy *copy = &c->container;
	struct op about = {0};
	view_text(about.text, sizeof(about.text), container_id);
	struct container_watch_params p = {.container_id = slice_str(about.text)};
	if (is_watched_by(c, about.text) && copy->is_paged) {
		p.since = (struct since){.epoch = copy->epoch, .version = copy->version};
		p.with_since = about.has_since = true;
		about.token = copy->version;
	}
	send_op(w, c, METHOD_CONTAINER_WATCH, -1, &p, &about);
}

/* @cursor  empty: the first page. */
static void send_page(struct world *w, struct conn *c, const char *container_id, uint64_t walk,
		      struct slice cursor)
{
	struct op about = {.value = walk};
	view_text(about.text, sizeof(about.text), slice_str(container_id));
	struct item_list_params p = {.container_id = slice_str(about.text),
				     .limit = dice_between(&w->dice, 1, 5),
				     .with_limit = true,
				     .cursor = cursor,
				     .with_cursor = cursor.len > 0};
	send_op(w, c, METHOD_ITEM_LIST, -1, &p, &about);
}

static void act_watch_container(struct world *w, struct conn *c, int room)
{
	char id[20];
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (c->container.is_on && dice_percent(&w->dice, 70)) {
		send_watch(w, c, slice_str(c->container.container_id));
	} else if (dice_percent(&w->dice, 10)) {
		struct op about = {0};
		struct container_params p = {.container_id = some_container(w, c, about.text)};
		send_op(w, c, METHOD_CONTAINER_UNWATCH, -1, &p, &about);
	} else {
		send_watch(w, c, some_container(w, c, id));
	}
}

/* A client that makes a container, or adds to one, watches it, and reads its pages while others change what is in it. */
static void container_watch_heard(struct world *w, struct conn *c, const struct op *op,
				  const union method_result *result)
{
	struct container_copy *copy = &c->container;
	if (c->is_broken || (w->is_calm && (!c->is_desk || c->is_brief || w->is_night))) {
		return;
	}
	if (op->method == METHOD_GROUP_CREATE && !copy->is_on) {
		send_watch(w, c, result->GROUP_CREATE.container_id);
	} else if (op->method == METHOD_ITEM_ADD && !copy->is_on && !w->is_calm) {
		send_watch(w, c, slice_str(op->text));
	} else if (op->method == METHOD_CONTAINER_WATCH && is_watched_by(c, op->text) &&
		   !copy->is_paged && copy->walk == 0) {
		copy->walk = ++c->walks;
		send_page(w, c, op->text, copy->walk, SLICE(""));
	} else if (op->method == METHOD_ITEM_LIST && is_watched_by(c, op->text) && op->value != 0 &&
		   op->value == copy->walk && result->ITEM_LIST.cursor.len > 0) {
		send_page(w, c, op->text, op->value, result->ITEM_LIST.cursor);
	}
}

static void watch_judge(struct world *w, struct conn *c, const struct op *op, const struct fault *f)
{
	(void)c;
	if (!team_may_refuse(w, op, f->code) &&
	    (f->code != FAULT_NOT_FOUND || is_surely_there(w, op, op->text))) {
		broken(w, CLAIM_RULES, "%s of %s about %s is refused without a reason: %s",
		       method_rows[op->method].name, member_name(w, op->member), op->text,
		       fault_code_name(f->code));
	}
}

static const struct request container_watch_requests[] = {
	{.method = METHOD_CONTAINER_WATCH, .refused = watch_judge},
	{.method = METHOD_CONTAINER_UNWATCH, .refused = watch_judge},
};

static const struct act container_watch_acts[] = {
	{6, act_watch_container, false},
};

const struct feature feature_container_watch = {
	.name = "container-watch",
	FEATURE_ROWS(desk_acts, container_watch_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, container_watch_requests),
	.granted = container_watch_granted,
	.heard = container_watch_heard,
	.notice = container_watch_notice,
	.settled = container_watch_settled,
};
