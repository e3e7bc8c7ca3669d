/*
 * items.c - several people who add, change, adjust, move and remove the same items at once, some only at a
 * revision that they know; that each change on the disk is what one request asked for, at the
 * revision that it named, once, and that nothing is shown that is not there.
 */
#include "tests/sim/features/groups.h"

#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/ascii.h"
#include "proto/base/assert.h"
#include "proto/text/issue_key.h"
#include "proto/text/quantity.h"

#define NO_ITEM "i_2222222222"

/* What items are called: a request says which by its place here. */
static const struct slice names[] = {SLICE_INIT("PAY-1 Login"), SLICE_INIT("pay-1 Search"),
				     SLICE_INIT("Rice"), SLICE_INIT("PAY-2 Oats")};
#define NAMES (sizeof(names) / sizeof(names[0]))

/*
 * A request on an item: op->text has its container, op->target the item, op->other where it is moved to, op->token its
 * if_revision, and op->value what it sets: of item.add quantity and name, of item.update with
 * op->flag a name and else a quantity, of item.adjust the change.
 */
static uint64_t value_of_quantity(bool has_one, int64_t quantity)
{
	return has_one ? (uint64_t)quantity + 1 : 0;
}

static uint64_t value_of_name(struct slice name)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (slice_eq(names[i], name)) {
			return i;
		}
	}
	return NAMES;
}

bool is_item_name(const char *text)
{
	return value_of_name(slice_str(text)) < NAMES;
}

static uint64_t value_of_item(const struct item_item *item)
{
	return value_of_quantity(item->with_quantity, item->quantity) * NAMES +
	       value_of_name(item->name);
}

/* ---- why an item may change ---- */

struct item_change {
	enum method method;
	struct slice container, item, to; /* ids; empty where the method has none */
	int64_t revision;		  /* that it had */
	bool flag;
	uint64_t value;
};

/* A repeat of one that is made has no second effect. */
static bool is_made_before(const struct world *w, const struct op *op)
{
	for (size_t i = 0; i < w->ops_n && op->once[0] != '\0'; i++) {
		if (w->ops[i].is_made && w->ops[i].member == op->member &&
		    strcmp(w->ops[i].once, op->once) == 0) {
			return true;
		}
	}
	return op->is_made;
}

/* What a node has sent to the table may be made when it has been killed. */
static bool asks_for(const struct world *w, const struct op *op, const struct item_change *ch)
{
	return op->method == ch->method && op->is_delivered && (!op->is_closed || w->nodes_n > 1) &&
	       (!op->is_answered || op->is_ok) && slice_eq(slice_str(op->text), ch->container) &&
	       slice_eq(slice_str(op->target), ch->item) &&
	       slice_eq(slice_str(op->other), ch->to) && op->flag == ch->flag &&
	       op->value == ch->value;
}

/* A request that asks for the change and has made none: with its revision, or with none. NULL: there is no such. */
static struct op *asked_for(const struct world *w, const struct item_change *ch,
			    bool names_revision)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		bool fits = names_revision ? op->token > 0 && op->token == ch->revision
					   : op->token <= 0;
		if (fits && asks_for(w, op, ch) && !is_made_before(w, op)) {
			return op;
		}
	}
	return NULL;
}

/*
 * Put the change down to a request that asks for it in one of n ways: rather to one that names the revision, which can
 * ask for no other, and then to the first that came, as what is asked of a container is done in that order. An item may
 * have been set to what an adjustment that came behind would have made of it, too.
 */
static bool is_put_down(struct world *w, const struct item_change *ways, size_t n,
			bool names_revision)
{
	struct op *first = NULL;
	for (size_t i = 0; i < n; i++) {
		struct op *op = asked_for(w, &ways[i], names_revision);
		first = op != NULL && (first == NULL || op->order < first->order) ? op : first;
	}
	if (first != NULL) {
		first->is_made = true;
	}
	return first != NULL;
}

/* One that is made may be again where its token or key was forgotten, as the clock jumped over their lives. */
static bool is_made_again(struct world *w, const struct item_change *ch)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		if (asks_for(w, op, ch) && (op->token <= 0 || op->token == ch->revision) &&
		    (op->jumps_before != w->jumps || !is_made_before(w, op))) {
			op->is_made = true;
			return true;
		}
	}
	return false;
}

static void change_has_reason(struct world *w, const struct item_change *ch)
{
	bool is_at_another = false, is_second = false;
	if (is_put_down(w, ch, 1, true) || is_put_down(w, ch, 1, false) || is_made_again(w, ch)) {
		return;
	}
	for (size_t i = 0; i < w->ops_n; i++) {
		bool asks = asks_for(w, &w->ops[i], ch);
		bool is_other = w->ops[i].token > 0 && w->ops[i].token != ch->revision;
		is_at_another = is_at_another || (asks && is_other);
		is_second = is_second || (asks && !is_other);
	}
	broken(w,
	       is_at_another ? CLAIM_DATA
	       : is_second   ? CLAIM_REPEATS
			     : CLAIM_RULES,
	       "%s of %.*s in %.*s at revision %lld happens, and %s", method_rows[ch->method].name,
	       (int)ch->item.len, ch->item.len == 0 ? "" : ch->item.data, (int)ch->container.len,
	       ch->container.data, (long long)ch->revision,
	       is_at_another ? "was asked for at another"
	       : is_second   ? "has happened already"
			     : "nobody has asked for it");
}

/* Whether it was to be added once does not show. */
static void added_has_reason(struct world *w, struct item_change *ch)
{
	struct item_change ways[] = {*ch, *ch};
	ways[1].flag = true;
	if (!is_put_down(w, ways, 2, false) && !is_made_again(w, &ways[0])) {
		change_has_reason(w, &ways[1]);
	}
}

/* Whether the two differ in no more than name, unit and quantity, and what every change changes. */
bool item_is_same_else(const struct item_item *a, const struct item_item *b)
{
	return slice_eq(a->category, b->category) && slice_eq(a->note, b->note) &&
	       a->expiry == b->expiry && a->with_expiry == b->with_expiry &&
	       a->created_at == b->created_at && b->revision == a->revision + 1;
}

static void judge_change(struct world *w, struct item_change *ch, const struct item_item *before,
			 const struct item_item *after)
{
	bool is_renamed = !slice_eq(before->name, after->name);
	uint64_t was = value_of_quantity(before->with_quantity, before->quantity);
	uint64_t is = value_of_quantity(after->with_quantity, after->quantity);
	ch->revision = before->revision;
	if (!item_is_same_else(before, after) || !slice_eq(before->unit, after->unit) ||
	    (is_renamed && was != is)) {
		broken(w, CLAIM_RULES, "more of %.*s changes than one request can ask for",
		       (int)ch->item.len, ch->item.data);
		return;
	}
	/* What was set before may be set again; an adjustment, and a name, by each that says so. */
	static const struct {
		enum method method;
		bool flag;
	} ways[] = {{METHOD_ITEM_ADJUST, false},
		    {METHOD_ITEM_UPDATE, true},
		    {METHOD_ITEM_UPDATE, false}};
	const size_t n = sizeof(ways) / sizeof(ways[0]);
	const uint64_t nothing =
		value_of_quantity(true, 0); /* of which an item without one has as much */
	struct item_change fitting[sizeof(ways) / sizeof(ways[0])];
	size_t fitting_n = 0;
	for (size_t i = 0; i < n; i++) {
		bool fits = i == 0   ? is > 0 && was != is && (was > 0 || is > nothing)
			    : i == 1 ? was == is
				     : !is_renamed;
		ch->method = ways[i].method;
		ch->flag = ways[i].flag;
		ch->value = i == 0   ? is - (was > 0 ? was : nothing)
			    : i == 1 ? value_of_name(after->name)
				     : is;
		if (fits) {
			fitting[fitting_n++] = *ch;
		}
	}
	if (is_put_down(w, fitting, fitting_n, true) || is_put_down(w, fitting, fitting_n, false)) {
		return;
	}
	for (size_t i = 0; i < fitting_n; i++) {
		if (is_made_again(w, &fitting[i])) {
			return;
		}
		*ch = fitting[i];
	}
	change_has_reason(w, ch);
}

/* ---- commits ---- */

/* Every commit that changes items changes one, or moves one, or takes a step of a container's end. */
static void items_before(struct world *w, const struct sim_commit *c)
{
	const struct store_op *put = NULL, *gone = NULL;
	size_t puts = 0, gones = 0;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (item_kind_of(op->pk, op->sk) != ITEM_ITEM || op->kind == STORE_CHECK) {
			continue;
		}
		bool is_put = op->kind == STORE_PUT;
		*(is_put ? &put : &gone) = op;
		puts += is_put;
		gones += !is_put;
	}
	if (puts + gones == 0 || w->is_batched) {
		return; /* of several changes of one item only the last is seen */
	}
	const struct table_row *was = NULL;
	const struct item_item *before = NULL, *after = NULL;
	struct item_change ch = {.revision = 0};
	const size_t pk = item_rows[ITEM_ITEM].pk_prefix_len, sk = item_rows[ITEM_ITEM].sk_len;
	const struct store_op *of = gone != NULL ? gone : put;
	char id[20];
	ch.container = slice_of(of->pk.data + pk, of->pk.len - pk);
	view_text(id, sizeof(id), ch.container);
	const struct table_row *container = find_row(w, ITEM_CONTAINER, id, "");
	if (container == NULL || puts > 1 || (gones > 1 && puts == 1)) {
		broken(w, CLAIM_RULES, "a commit changes items of no container, or several");
		return;
	}
	if (container_is_ending(w, container)) {
		if (puts > 0 || gones > (size_t)w->config.limits[LIMIT_REMOVAL_ITEMS]) {
			broken(w, CLAIM_RULES,
			       "a container that ends has %zu items changed and "
			       "%zu removed",
			       puts, gones);
		}
		return;
	}
	arena_reset(&w->arena);
	was = table_find(&w->table, of->pk, of->sk);
	if (was != NULL) {
		before = item_of_value(w, ITEM_ITEM, slice_of(was->value, was->value_len));
		ch.revision = before->revision;
		ch.item = slice_of(of->sk.data + sk, of->sk.len - sk);
	}
	after = put == NULL ? NULL : item_of_value(w, ITEM_ITEM, put->value);
	if (gones > 1 || (gone != NULL && before == NULL)) {
		broken(w, CLAIM_RULES, "%zu items of a container that stays are removed", gones);
	} else if (gone != NULL && put != NULL) {
		ch.method = METHOD_ITEM_MOVE;
		ch.to = slice_of(put->pk.data + pk, put->pk.len - pk);
		if (!item_is_same_else(before, after) || !slice_eq(before->unit, after->unit) ||
		    value_of_item(before) != value_of_item(after) ||
		    table_find(&w->table, put->pk, put->sk) != NULL) {
			broken(w, CLAIM_RULES, "an item is not moved as it is");
		}
		change_has_reason(w, &ch);
	} else if (gone != NULL) {
		ch.method = METHOD_ITEM_REMOVE;
		change_has_reason(w, &ch);
	} else if (before == NULL) {
		ch.method = METHOD_ITEM_ADD;
		ch.value = value_of_item(after);
		added_has_reason(w, &ch);
	} else if (!backlog_judge_write(w, c, before, after)) {
		judge_change(w, &ch, before, after);
	}
}

/* ---- keys ---- */

/* The SK's rest of the key that a name begins with; empty: it has none. */
static struct slice key_of_name(struct slice name, char out[16])
{
	size_t len = issue_key_front(name);
	for (size_t i = 0; i < len; i++) {
		out[i] = ascii_lower(name.data[i]);
	}
	return slice_of(out, len);
}

/* The item that has the key in the container; NULL: none. */
static const struct item_key_item *key_holder(struct world *w, const char *container_id,
					      struct slice name)
{
	char text[16];
	char key[20];
	view_text(key, sizeof(key), key_of_name(name, text));
	const struct table_row *row = find_row(w, ITEM_ITEM_KEY, container_id, key);
	return row == NULL ? NULL : item_of_row(w, row);
}

/* Who has a key is in the container, and its name begins with the key. */
static void keys_after(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (item_kind_of(op->pk, op->sk) != ITEM_ITEM || op->kind == STORE_CHECK) {
			continue;
		}
		char id[20], item_id[20], text[16];
		view_text(id, sizeof(id),
			  slice_of(op->pk.data + item_rows[ITEM_ITEM].pk_prefix_len,
				   op->pk.len - item_rows[ITEM_ITEM].pk_prefix_len));
		const struct table_row *container = find_row(w, ITEM_CONTAINER, id, "");
		if (container == NULL || container_is_ending(w, container)) {
			continue;
		}
		TABLE_EACH (&w->table, ITEM_ITEM_KEY, row) {
			if (!slice_eq(pk_rest(row), slice_str(id))) {
				continue;
			}
			const struct item_key_item *key = item_of_row(w, row);
			view_text(item_id, sizeof(item_id), key->item_id);
			const struct table_row *of = find_row(w, ITEM_ITEM, id, item_id);
			const struct item_item *item = of == NULL ? NULL : item_of_row(w, of);
			if (item == NULL ||
			    !slice_eq(key_of_name(item->name, text), sk_rest(row))) {
				broken(w, CLAIM_RULES, "a key of %s is %s's, which %s", id, item_id,
				       item == NULL ? "has gone" : "has another name");
			}
		}
	}
}

/* ---- answers leave ---- */

/* An item's row as it was when the request came, or later; NULL: there is none. */
static const struct table_row *row_of(const struct world *w, const struct op *op)
{
	return find_row(w, ITEM_ITEM, op->text, op->target);
}

static bool is_stable(const struct world *w, const struct op *op, const struct item_item *item)
{
	return op->jumps_before == w->jumps && item->updated_on < op->delivered_wall;
}

/* Why a change is refused of an item that is there. */
static bool conflict_is_right(struct world *w, const struct op *op)
{
	const struct table_row *row = row_of(w, op);
	if (op->method == METHOD_ITEM_ADD) {
		return op->flag && issue_key_front(names[op->value % NAMES]) > 0;
	}
	if (row == NULL) {
		return true;
	}
	const struct item_item *item = item_of_row(w, row);
	if (op->method == METHOD_ITEM_ADJUST) {
		int64_t by = (int64_t)op->value;
		return !is_stable(w, op, item) || (!item->with_quantity && by == 0) ||
		       item->quantity + by < 0;
	}
	return op->token > 0 && op->token != item->revision;
}

static void items_judge(struct world *w, struct conn *c, const struct op *op, const struct fault *f)
{
	bool is_there = is_surely_there(w, op, op->text) &&
			(op->target[0] == '\0' || was_there(w, op, row_of(w, op))) &&
			(op->other[0] == '\0' || is_surely_there(w, op, op->other));
	(void)c;
	if (!team_may_refuse(w, op, f->code) && (f->code != FAULT_NOT_FOUND || is_there) &&
	    (f->code != FAULT_CONFLICT || !conflict_is_right(w, op))) {
		broken(w, CLAIM_RULES, "%s of %s about %s in %s is refused without a reason: %s",
		       method_rows[op->method].name, member_name(w, op->member), op->target,
		       op->text, fault_code_name(f->code));
	}
}

/* What is shown of an item is on the disk, or was. The result is in the arena, which is not reset. */
static void is_on_disk(struct world *w, const char *container_id, struct slice item_id,
		       int64_t revision, const struct item_view *v)
{
	char id[20];
	view_text(id, sizeof(id), item_id);
	const struct table_row *row = find_row(w, ITEM_ITEM, container_id, id);
	if (row == NULL) {
		return; /* it has been removed since */
	}
	const struct item_item *item =
		item_of_value(w, ITEM_ITEM, slice_of(row->value, row->value_len));
	if (item->revision < revision && !engine_is_unsettled(&w->node->engine)) {
		broken(w, CLAIM_DURABLE,
		       "%s is answered for at revision %lld and on the disk at %lld", id,
		       (long long)revision, (long long)item->revision);
	} else if (item->revision == revision && v != NULL) {
		char text[QUANTITY_BYTES_MAX + 1] = "";
		if (item->with_quantity) {
			quantity_write(item->quantity, text);
		}
		if (!slice_eq(v->name, item->name) || !slice_eq(v->quantity, slice_str(text)) ||
		    v->created_at != item->created_at || v->updated_at != item->updated_on) {
			broken(w, CLAIM_RULES, "%s is shown as it is not", id);
		}
	}
}

/* What was to be added once has its key, as long as it is there by that name. */
static void key_is_taken(struct world *w, const struct op *op, struct slice item_id)
{
	char id[20];
	struct slice name = names[op->value % NAMES];
	view_text(id, sizeof(id), item_id);
	const struct table_row *row = find_row(w, ITEM_ITEM, op->text, id);
	const struct item_item *item = row == NULL ? NULL : item_of_row(w, row);
	if (!op->flag || issue_key_front(name) == 0 || item == NULL || item->revision > 1) {
		return;
	}
	const struct item_key_item *key = key_holder(w, op->text, name);
	if (key == NULL || !slice_eq(key->item_id, item_id)) {
		broken(w, CLAIM_RULES, "%s is added once, and its key is not its own", id);
	}
}

static void items_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	(void)c;
	switch ((int)op->method) {
	case METHOD_ITEM_ADD:
		key_is_taken(w, op, result->ITEM_ADD.item_id);
		is_on_disk(w, op->text, result->ITEM_ADD.item_id, result->ITEM_ADD.revision, NULL);
		break;
	case METHOD_ITEM_UPDATE:
		is_on_disk(w, op->text, result->ITEM_ADD.item_id, result->ITEM_ADD.revision, NULL);
		break;
	case METHOD_ITEM_MOVE:
		is_on_disk(w, op->other, result->ITEM_MOVE.item_id, result->ITEM_MOVE.revision,
			   NULL);
		break;
	case METHOD_ITEM_ADJUST:
		is_on_disk(w, op->text, slice_str(op->target), result->ITEM_ADJUST.revision, NULL);
		break;
	case METHOD_ITEM_LIST:
		for (size_t i = 0; i < result->ITEM_LIST.items_n; i++) {
			const struct item_view *v = &result->ITEM_LIST.items[i];
			if (i > 0 && slice_cmp(v[-1].item_id, v->item_id) >= 0) {
				broken(w, CLAIM_RULES, "items are listed in another order");
			}
			is_on_disk(w, op->text, v->item_id, v->revision, v);
		}
		break;
	default:
		break;
	}
}

static const struct request items_requests[] = {
	{.method = METHOD_ITEM_ADD, .refused = items_judge},
	{.method = METHOD_ITEM_UPDATE, .refused = items_judge},
	{.method = METHOD_ITEM_ADJUST, .refused = items_judge},
	{.method = METHOD_ITEM_MOVE, .refused = items_judge},
	{.method = METHOD_ITEM_REMOVE, .refused = items_judge},
	{.method = METHOD_ITEM_LIST, .refused = items_judge},
};

/* ---- acts ---- */

int64_t some_item(struct world *w, struct op *about)
{
	size_t n = 0;
	int64_t revision = 1;
	view_text(about->target, sizeof(about->target), SLICE(NO_ITEM));
	TABLE_EACH (&w->table, ITEM_ITEM, row) {
		if (slice_eq(pk_rest(row), slice_str(about->text)) &&
		    dice_below(&w->dice, (uint32_t)++n) == 0) {
			view_text(about->target, sizeof(about->target), sk_rest(row));
			revision = ((const struct item_item *)item_of_row(w, row))->revision;
		}
	}
	return revision;
}

static struct slice quantity_text(char out[QUANTITY_BYTES_MAX + 1], int64_t hundredths)
{
	return slice_of(out, quantity_write(hundredths, out));
}

void act_add_item(struct world *w, struct conn *c, int room)
{
	char once[40], text[QUANTITY_BYTES_MAX + 1];
	const char *key = act_once(w, once);
	bool has_quantity = dice_percent(&w->dice, 70);
	int64_t quantity = dice_between(&w->dice, 0, 500);
	size_t name = dice_below(&w->dice, NAMES);
	struct op about = {.value = value_of_quantity(has_quantity, quantity) * NAMES + name};
	char id[20];
	struct item_add_params p = {
		.container_id = some_container(w, c, id),
		.name = names[name],
		.quantity = has_quantity ? quantity_text(text, quantity) : (struct slice){0},
		.expiry = dice_below(&w->dice, 9),
		.is_unique = dice_percent(&w->dice, 50),
	};
	about.flag = p.is_unique;
	(void)room;
	if (is_worth_it(w, c)) {
		p.with_expiry = p.expiry > 0;
		view_text(about.text, sizeof(about.text), p.container_id);
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_ITEM_ADD, -1, &p, &about);
	}
}

static void send_adjust(struct world *w, struct conn *c, struct op about, int64_t by)
{
	char once[40], text[QUANTITY_BYTES_MAX + 2] = "-";
	const char *key = act_once(w, once);
	bool is_bent = planted(w, BREAK_BEND_ADJUST, 2);
	struct item_adjust_params p = {.container_id = slice_str(about.text),
				       .item_id = slice_str(about.target)};
	struct slice amount = quantity_text(text + 1, (by < 0 ? -by : by) + (is_bent ? 1 : 0));
	p.by = by < 0 ? slice_of(text, amount.len + 1) : amount;
	about.value = (uint64_t)by;
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_ITEM_ADJUST, -1, &p, &about);
}

static void send_update(struct world *w, struct conn *c, struct op about, int64_t revision)
{
	char once[40], text[QUANTITY_BYTES_MAX + 1];
	const char *key = act_once(w, once);
	bool is_blind = planted(w, BREAK_LOSE_ITEM_REVISION, 1);
	struct item_update_params p = {
		.container_id = slice_str(about.text),
		.item_id = slice_str(about.target),
		.if_revision = is_blind ? 0 : revision,
	};
	about.token = revision;
	about.flag = dice_percent(&w->dice, 40);
	if (about.flag) {
		about.value = dice_below(&w->dice, NAMES);
		p.name = names[about.value];
		p.with_name = true;
	} else {
		bool has_quantity = dice_percent(&w->dice, 80);
		int64_t quantity = dice_between(&w->dice, 0, 500);
		about.value = value_of_quantity(has_quantity, quantity);
		p.quantity = has_quantity ? quantity_text(text, quantity) : (struct slice){0};
		p.with_quantity = true;
	}
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_ITEM_UPDATE, -1, &p, &about);
}

void act_change_item(struct world *w, struct conn *c, int room)
{
	char id[20];
	struct op about = {0};
	view_text(about.text, sizeof(about.text), some_container(w, c, id));
	int64_t revision = some_item(w, &about);
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (strcmp(about.target, NO_ITEM) == 0 && dice_percent(&w->dice, 90)) {
		act_add_item(w, c, room);
	} else if (dice_percent(&w->dice, 50)) {
		int64_t by = dice_between(&w->dice, 1, 200);
		send_adjust(w, c, about, dice_percent(&w->dice, 60) ? -by : by);
	} else {
		send_update(w, c, about, dice_percent(&w->dice, 60) ? revision : 0);
	}
}

static void act_move_or_remove(struct world *w, struct conn *c, int room)
{
	char id[20], once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	view_text(about.text, sizeof(about.text), some_container(w, c, id));
	int64_t revision = some_item(w, &about);
	about.token = dice_percent(&w->dice, 40) ? revision : 0;
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (dice_percent(&w->dice, 50)) {
		struct item_remove_params p = {.container_id = slice_str(about.text),
					       .item_id = slice_str(about.target),
					       .if_revision = about.token};
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_ITEM_REMOVE, -1, &p, &about);
		return;
	}
	struct item_move_params p = {.container_id = slice_str(about.text),
				     .item_id = slice_str(about.target),
				     .to_container_id = some_container(w, c, about.other),
				     .if_revision = about.token};
	/* One that stays where it is is not changed. */
	if (strcmp(about.other, about.text) != 0) {
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_ITEM_MOVE, -1, &p, &about);
	}
}

static void act_read_items(struct world *w, struct conn *c, int room)
{
	char id[20];
	struct op about = {0};
	struct item_list_params p = {.container_id = some_container(w, c, id)};
	(void)room;
	if (is_worth_it(w, c)) {
		p.limit = dice_between(&w->dice, 1, 5);
		p.with_limit = true;
		view_text(about.text, sizeof(about.text), p.container_id);
		send_op(w, c, METHOD_ITEM_LIST, -1, &p, &about);
	}
}

/* ---- the client ---- */

void all_change(struct world *w, const struct conn *c, const char *container, struct slice item)
{
	struct op about = {0};
	view_text(about.text, sizeof(about.text), slice_str(container));
	view_text(about.target, sizeof(about.target), item);
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *other = w->conns[i];
		const struct session *s = session_of_conn(w, other);
		/* What follows half a message would be read as the rest of it. */
		if (other == c || !other->server_has || other->is_broken || s == NULL ||
		    !s->is_keyed || dice_percent(&w->dice, 30)) {
			continue;
		}
		if (dice_percent(&w->dice, 30)) {
			send_adjust(w, other, about, -dice_between(&w->dice, 1, 200));
		} else {
			send_update(w, other, about, dice_percent(&w->dice, 80) ? 1 : 0);
		}
	}
}

/* Few groups are made, and fewer are joined: whoever has come into one works on its items for a while. */
static void items_heard(struct world *w, struct conn *c, const struct op *op,
			const union method_result *result)
{
	if (w->is_calm || c->is_broken || !c->server_has) {
		return;
	}
	switch ((int)op->method) {
	case METHOD_GROUP_CREATE:
	case METHOD_GROUP_JOIN:
	case METHOD_CONTAINER_CREATE:
		for (uint32_t n = 1 + dice_below(&w->dice, 6); n > 0; n--) {
			act_add_item(w, c, -1);
		}
		break;
	case METHOD_ITEM_ADD:
		if (dice_percent(&w->dice, 50)) {
			all_change(w, c, op->text, result->ITEM_ADD.item_id);
		}
		act_change_item(w, c, -1);
		if (dice_percent(&w->dice, 30)) {
			act_move_or_remove(w, c, -1);
		} else if (dice_percent(&w->dice, 40)) {
			act_change_item(w, c, -1);
		}
		break;
	case METHOD_ITEM_UPDATE:
	case METHOD_ITEM_ADJUST:
		if (dice_percent(&w->dice, 70)) {
			act_change_item(w, c, -1);
		} else if (dice_percent(&w->dice, 60)) {
			act_move_or_remove(w, c, -1);
		} else {
			act_read_items(w, c, -1);
		}
		break;
	default:
		break;
	}
}

static const struct act items_acts[] = {
	{8, act_add_item, false},
	{10, act_change_item, false},
	{4, act_move_or_remove, false},
	{4, act_read_items, false},
};

const struct feature feature_items = {
	.name = "items",
	FEATURE_ROWS(desk_acts, items_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, items_requests),
	.granted = items_granted,
	.heard = items_heard,
	.commit_before = items_before,
	.commit_after = keys_after,
};
