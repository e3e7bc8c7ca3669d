/*
 * item.c - finding an item; item.add, update, adjust, move, remove; an estimate of a room.
 */
#include "server/domain/team/container.h"

#include "proto/deck.h"
#include "proto/text/quantity.h"
#include "server/domain/directory.h"

/* ---- ids ---- */

/*
 * An item_id is a number in the letters of codes: the time in ms, and below it a part that is
 * random, so that items of two containers seldom have the same. Those of a container increase
 * strictly, also where several are added in one ms and where the clock is set back. Ten letters
 * last until the year 2262.
 */
#define ID_RANDOM 64

static int64_t next_number(const struct txn *t, const struct container *c)
{
	int64_t by_time = t->wall_ms * ID_RANDOM + (int64_t)(random_u64(t->random) % ID_RANDOM);
	return by_time > c->item->last_item ? by_time : c->item->last_item + 1;
}

static struct slice id_of_number(struct txn *t, int64_t number)
{
	const int64_t letters = sizeof(CODE_ALPHABET) - 1;
	char text[2 + USER_ID_CHARS] = {'i', '_'};
	for (size_t i = sizeof(text); i > 2; i--) {
		text[i - 1] = CODE_ALPHABET[number % letters];
		number /= letters;
	}
	return txn_copy(t, slice_of(text, sizeof(text)));
}

/* ---- finding and writing ---- */

enum txn_step item_find(struct txn *t, struct slice user_id, struct slice container_id,
			struct slice item_id, struct found_item *f)
{
	enum txn_step step = container_find(t, user_id, container_id, &f->container);
	if (step != TXN_DONE) {
		return step;
	}
	f->id = public_id(t, "i_", USER_ID_CHARS, item_id);
	f->item = txn_get(t, ITEM_ITEM, f->container.id, f->id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	return f->item != NULL ? TXN_DONE
			       : txn_refuse(t, FAULT_NOT_FOUND,
					    "item not found in that backlog; it may have been "
					    "deleted or moved");
}

/* The same, with its key. */
static enum txn_step find_to_write(struct txn *t, struct slice user_id, struct slice container_id,
				   struct slice item_id, struct found_item *f)
{
	enum txn_step step = item_find(t, user_id, container_id, item_id, f);
	if (step != TXN_DONE) {
		return step;
	}
	item_key_find(t, f->container.id, f->item, &f->key);
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

/* The same for the caller, where the item has the revision that they know; else CONFLICT. */
static enum txn_step find_to_change(struct txn *t, struct slice container_id, struct slice item_id,
				    int64_t if_revision, struct found_item *f)
{
	enum txn_step step = find_to_write(t, caller_id(t), container_id, item_id, f);
	if (step == TXN_DONE && if_revision > 0 && if_revision != f->item->revision) {
		return txn_refuse(
			t, FAULT_CONFLICT,
			"the item has changed: its revision is %lld, not %lld; read it again",
			(long long)f->item->revision, (long long)if_revision);
	}
	return step;
}

/*
 * Write an item that is new in the container, behind all others there; *id is its id. False with t->fault where it is full.
 * @blocks  the container's for its group, from then on.
 */
static bool put_behind(struct txn *t, const struct container *c, struct item_item *item,
		       struct slice *id, int64_t *blocks)
{
	if (c->item->items >= t->limits[LIMIT_CONTAINER_ITEMS]) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED,
				 "the backlog has %lld items; delete one first",
				 (long long)c->item->items);
		(void)txn_bound(t, LIMIT_CONTAINER_ITEMS);
		return false;
	}
	struct container_item now = *c->item;
	container_count(&now, NULL, item);
	*blocks = container_blocks(&now);
	now.last_item = next_number(t, c);
	*id = id_of_number(t, now.last_item);
	item->group_id = c->group.id;
	txn_put_new(t, ITEM_ITEM, c->id, *id, item);
	struct item_view view = item_show(t, *id, item);
	(void)container_write(t, c, now, (struct container_update){.items = &view, .items_n = 1});
	return true;
}

/* It is in the container no longer. Returns the container's blocks from then on. */
static int64_t take_out(struct txn *t, const struct found_item *f)
{
	struct slice gone = f->id;
	struct container_item now = *f->container.item;
	container_count(&now, f->item, NULL);
	item_key_leave(t, f->container.id, f->id, &f->key);
	txn_delete(t, ITEM_ITEM, f->container.id, f->id);
	(void)container_write(t, &f->container, now,
			      (struct container_update){.gone = {.items = &gone, .n = 1}});
	return container_blocks(&now);
}

/* The container, which is written, has another number of blocks. False as group_count_blocks(). */
static bool count_blocks(struct txn *t, const struct container *c, int64_t blocks)
{
	return group_count_blocks(t, &c->group, blocks - container_blocks(c->item));
}

/*
 * Write it as it is after a change; *revision is its revision. TXN_MORE, TXN_DONE, or TXN_REFUSED
 * where its texts are too much for the group.
 */
static enum txn_step write_changed(struct txn *t, const struct found_item *f, struct item_item now,
				   int64_t *revision)
{
	struct item_key key;
	item_key_find(t, f->container.id, &now, &key);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (!slice_eq(key.text, f->key.text)) {
		item_key_leave(t, f->container.id, f->id, &f->key);
	}
	item_key_take(t, f->container.id, f->id, &key);
	struct container_item container = *f->container.item;
	container_count(&container, f->item, &now);
	now.revision++;
	txn_put(t, ITEM_ITEM, f->container.id, f->id, &now);
	struct item_view view = item_show(t, f->id, &now);
	(void)container_write(t, &f->container, container,
			      (struct container_update){.items = &view, .items_n = 1});
	*revision = now.revision;
	return count_blocks(t, &f->container, container_blocks(&container)) ? TXN_DONE
									    : TXN_REFUSED;
}

/* Take the quantity of a request, where it has one: nil is none. False with t->fault. */
static bool take_quantity(struct txn *t, struct slice text, struct item_item *item)
{
	const char *why;
	item->with_quantity = text.len > 0;
	item->quantity = 0;
	if (text.len > 0 && !quantity_read(text, &item->quantity, &why)) {
		fault_field(&t->fault, "quantity", "%s", why);
		return false;
	}
	return true;
}

static struct slice quantity_text(struct txn *t, int64_t hundredths)
{
	char text[QUANTITY_BYTES_MAX + 1];
	size_t len = quantity_write(hundredths, text);
	return txn_copy(t, slice_of(text, len));
}

struct item_view item_show(struct txn *t, struct slice id, const struct item_item *item)
{
	return (struct item_view){
		.item_id = id,
		.name = item->name,
		.unit = item->unit,
		.quantity =
			item->with_quantity ? quantity_text(t, item->quantity) : (struct slice){0},
		.category = item->category,
		.expiry = item->expiry,
		.note = item->note,
		.created_at = item->created_at,
		.updated_at = item->updated_on,
		.revision = item->revision,
	};
}

/* ---- methods ---- */

enum txn_step on_ITEM_ADD(struct txn *t)
{
	const struct item_add_params *p = t->params;
	struct container c;
	struct item_item item = {
		.name = p->name,
		.unit = p->unit,
		.category = name_or(p->category, SLICE(ITEM_CATEGORY_USUAL)),
		.expiry = p->expiry,
		.note = p->note,
		.created_at = t->wall_ms,
		.revision = 1,
	};
	struct slice id;
	int64_t blocks;
	enum txn_step step = container_find(t, caller_id(t), p->container_id, &c);
	if (step != TXN_DONE) {
		return step;
	}
	struct item_key key;
	item_key_find(t, c.id, &item, &key);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (p->is_unique && key.holder != NULL) {
		fault_set_field(&t->fault, FAULT_CONFLICT, "name",
				"starts with the key of another item of the backlog");
		return TXN_REFUSED;
	}
	if (!take_quantity(t, p->quantity, &item) || !put_behind(t, &c, &item, &id, &blocks) ||
	    !count_blocks(t, &c, blocks)) {
		return TXN_REFUSED;
	}
	item_key_take(t, c.id, id, &key);
	*(struct item_result *)t->result = (struct item_result){.item_id = id, .revision = 1};
	return TXN_DONE;
}

enum txn_step on_ITEM_UPDATE(struct txn *t)
{
	const struct item_update_params *p = t->params;
	struct found_item f;
	enum txn_step step = find_to_change(t, p->container_id, p->item_id, p->if_revision, &f);
	if (step != TXN_DONE) {
		return step;
	}
	struct item_item now = *f.item;
	if (p->with_name) {
		now.name = p->name;
	}
	if (p->with_category) {
		now.category = p->category;
	}
	if (p->with_unit) {
		now.unit = p->unit;
		now.with_unit = p->unit.len > 0;
	}
	if (p->with_quantity && !take_quantity(t, p->quantity, &now)) {
		return TXN_REFUSED;
	}
	if (p->with_expiry) {
		now.expiry = p->expiry;
		now.with_expiry = p->expiry > 0;
	}
	if (p->with_note) {
		now.note = p->note;
		now.with_note = p->note.len > 0;
	}
	bool changes = p->with_name || p->with_category || p->with_unit || p->with_quantity ||
		       p->with_expiry || p->with_note;
	int64_t revision = f.item->revision;
	step = changes ? write_changed(t, &f, now, &revision) : TXN_DONE;
	*(struct item_result *)t->result =
		(struct item_result){.item_id = f.id, .revision = revision};
	return step;
}

enum txn_step on_ITEM_ADJUST(struct txn *t)
{
	const struct item_adjust_params *p = t->params;
	struct found_item f;
	int64_t by;
	const char *why;
	enum txn_step step = find_to_write(t, caller_id(t), p->container_id, p->item_id, &f);
	if (step != TXN_DONE) {
		return step;
	}
	if (!quantity_read_change(p->by, &by, &why)) {
		fault_field(&t->fault, "by", "%s", why);
		return TXN_REFUSED;
	}
	if (!f.item->with_quantity && by <= 0) {
		return txn_refuse(t, FAULT_CONFLICT,
				  "the item has no quantity to reduce; set one first");
	}
	struct item_item now = *f.item;
	now.with_quantity = true; /* what is added to none is all there is */
	struct slice before = quantity_text(t, f.item->quantity);
	now.quantity += by;
	if (now.quantity < 0) {
		return txn_refuse(t, FAULT_CONFLICT, "only %.*s left", (int)before.len,
				  before.data);
	}
	if (now.quantity > QUANTITY_MAX) {
		return txn_refuse(t, FAULT_CONFLICT,
				  "more than 999999999999.99 with the %.*s already there",
				  (int)before.len, before.data);
	}
	int64_t revision = f.item->revision;
	step = by == 0 ? TXN_DONE : write_changed(t, &f, now, &revision);
	*(struct item_adjust_result *)t->result =
		(struct item_adjust_result){.quantity = quantity_text(t, now.quantity),
					    .revision = revision};
	return step;
}

/* Out of its container and into another, which may be of the same group. False as put_behind() and count_blocks(). */
static bool move_to(struct txn *t, const struct found_item *f, const struct container *to,
		    struct item_item *now, struct slice *id)
{
	int64_t blocks;
	if (!put_behind(t, to, now, id, &blocks)) {
		return false;
	}
	int64_t left = take_out(t, f);
	if (slice_eq(to->group.id, f->container.group.id)) {
		return count_blocks(t, to, blocks + left - container_blocks(f->container.item));
	}
	return count_blocks(t, &f->container, left) && count_blocks(t, to, blocks);
}

/* It gets another item_id there, as one that is added now; what it is and since when stays. */
enum txn_step on_ITEM_MOVE(struct txn *t)
{
	const struct item_move_params *p = t->params;
	struct found_item f;
	struct container to;
	enum txn_step step = find_to_change(t, p->container_id, p->item_id, p->if_revision, &f);
	if (step == TXN_DONE) {
		step = container_find(t, caller_id(t), p->to_container_id, &to);
	}
	if (step != TXN_DONE) {
		return step;
	}
	struct item_item now = *f.item;
	struct slice id = f.id;
	if (!slice_eq(to.id, f.container.id)) {
		struct item_key key;
		item_key_find(t, to.id, &now, &key);
		if (txn_is_loading(t)) {
			return TXN_MORE;
		}
		now.revision++;
		if (!move_to(t, &f, &to, &now, &id)) {
			return TXN_REFUSED;
		}
		item_key_take(t, to.id, id, &key);
	}
	*(struct item_result *)t->result =
		(struct item_result){.item_id = id, .revision = now.revision};
	return TXN_DONE;
}

enum txn_step on_ITEM_REMOVE(struct txn *t)
{
	const struct item_remove_params *p = t->params;
	struct found_item f;
	enum txn_step step = find_to_change(t, p->container_id, p->item_id, p->if_revision, &f);
	if (step == TXN_DONE) {
		(void)count_blocks(t, &f.container, take_out(t, &f));
	}
	return step;
}

/* ---- estimates ---- */

/* Whether the card's number is a quantity, exactly. */
static bool card_quantity(struct slice card, int64_t *hundredths)
{
	double number;
	const char *why;
	if (quantity_read(card, hundredths, &why)) {
		return true;
	}
	if (!card_number(card, &number) ||
	    !(number >= 0 && number <= (double)(QUANTITY_MAX / 100))) {
		return false;
	}
	*hundredths = (int64_t)(number * 100);
	return (double)*hundredths == number * 100;
}

enum txn_step item_put_estimate(struct txn *t, const struct item_estimate *e)
{
	struct found_item f;
	enum txn_step step = find_to_write(t, e->user_id, e->container_id, e->item_id, &f);
	if (step != TXN_DONE) {
		return step;
	}
	struct item_item now = *f.item;
	if (!quantity_is_estimate(now.with_quantity, now.unit)) {
		fault_set(&t->fault, FAULT_CONFLICT, "the item has a quantity in another unit");
		return TXN_REFUSED;
	}
	now.with_quantity = card_quantity(e->card, &now.quantity);
	if (!now.with_quantity) {
		now.quantity = 0;
	}
	now.unit = now.with_quantity ? SLICE(QUANTITY_UNIT_OF_ESTIMATES) : e->card;
	now.with_unit = now.unit.len > 0;
	int64_t revision;
	return write_changed(t, &f, now, &revision);
}
