/*
 * backlog_disk.c - the way of an estimate back to its item: the settlement leaves a mark with its room, the item is
 * written once for it, whoever ends in between, and the mark goes with what came of it; that each step is made as it was
 * asked for, and that nothing is left under way.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"

#include <string.h>

#include "proto/keys/key_hash.h"
#include "tests/support/store_mem.h"

#define SAVES_MAX (sizeof(((struct world *)NULL)->saves) / sizeof(struct sim_save))

/* ---- which ---- */

static struct sim_save *save_find(struct world *w, int room, struct slice story_id,
				  struct slice mark)
{
	for (size_t i = 0; i < w->saves_n && i < SAVES_MAX; i++) {
		struct sim_save *s = &w->saves[i];
		if (s->room == room && slice_eq(slice_str(s->story_id), story_id) &&
		    slice_eq(slice_str(s->mark), mark)) {
			return s;
		}
	}
	return NULL;
}

/* What remembers that the item was written: a result under a key that follows from room, story and mark. */
struct witness {
	struct key_text pk, sk;
};

static struct witness witness_of(const struct world *w, const struct sim_save *s)
{
	char text[80];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s#%s#%s", w->rooms[s->room].id,
				      s->story_id, s->mark);
	return (struct witness){.pk = key_hash(w->config.server_key, "saved in",
					       slice_str(w->rooms[s->room].id)),
				.sk = key_hash(w->config.server_key, "saved", slice_of(text, len))};
}

static const struct once_item *witness_in(struct world *w, const struct store_op *op)
{
	const struct once_item *once =
		op->kind == STORE_PUT && item_kind_of(op->pk, op->sk) == ITEM_DIRECTORY_ONCE
			? item_of_value(w, ITEM_DIRECTORY_ONCE, op->value)
			: NULL;
	return once != NULL && slice_eq(once->method, SLICE("round.settle")) ? once : NULL;
}

/* The op that writes one; NULL: the commit neither writes an estimate nor says why not. */
static const struct store_op *witness_op(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		if (witness_in(w, &c->ops[i]) != NULL) {
			return &c->ops[i];
		}
	}
	return NULL;
}

static struct sim_save *save_of_witness(struct world *w, const struct store_op *op)
{
	const size_t pk = item_rows[ITEM_DIRECTORY_ONCE].pk_prefix_len;
	const size_t sk = item_rows[ITEM_DIRECTORY_ONCE].sk_len;
	for (size_t i = 0; i < w->saves_n && i < SAVES_MAX; i++) {
		struct witness is = witness_of(w, &w->saves[i]);
		if (slice_eq(slice_of(op->pk.data + pk, op->pk.len - pk), slice_str(is.pk.text)) &&
		    slice_eq(slice_of(op->sk.data + sk, op->sk.len - sk), slice_str(is.sk.text))) {
			return &w->saves[i];
		}
	}
	return NULL;
}

/* ---- marks come ---- */

static void save_begins(struct world *w, int room, struct slice story_id,
			const struct unsaved_item *u)
{
	struct sim_save s = {.room = room, .mono = w->mono_ms};
	for (size_t i = 0; i < w->saves_n && i < SAVES_MAX; i++) {
		struct sim_save *before = &w->saves[i];
		before->is_over =
			before->is_over ||
			(before->room == room && slice_eq(slice_str(before->story_id), story_id));
	}
	view_text(s.story_id, sizeof(s.story_id), story_id);
	view_text(s.mark, sizeof(s.mark), u->mark);
	view_text(s.container_id, sizeof(s.container_id), u->item.container_id);
	view_text(s.item_id, sizeof(s.item_id), u->item.item_id);
	view_text(s.user_id, sizeof(s.user_id), u->user_id);
	view_text(s.card, sizeof(s.card), u->estimate);
	w->saves[w->saves_n++ % SAVES_MAX] = s;
}

/* It may have been carried out. */
static bool may_have_settled(const struct op *op, int room)
{
	bool settles =
		op->method == METHOD_ROUND_SETTLE || op->method == METHOD_ROUND_SETTLE_AGREED;
	return settles && op->room == room && op->is_delivered && (!op->is_answered || op->is_ok);
}

/* That user has settled the round of that room so. */
static bool is_settled_so(const struct world *w, int room, const char *card, const char *user_id)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		const struct session *s = sender(w, op);
		bool is_its = !op->is_settled || (s != NULL && strcmp(s->user_id, user_id) == 0);
		bool is_on_card =
			op->method == METHOD_ROUND_SETTLE_AGREED || strcmp(op->card, card) == 0;
		if (may_have_settled(op, room) && is_its && is_on_card) {
			return true;
		}
	}
	return false;
}

/*
 * Another settlement, not answered before the mark came, that leaves none in its place: with nothing, where the story then
 * says no reason, or by somebody who has no login, where it says that.
 */
static bool is_taken_back(struct world *w, const struct sim_save *s, const struct story_item *story)
{
	bool has_reason = story->with_unsaved_reason;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (may_have_settled(op, s->room) &&
		    (!op->is_answered || op->answered_mono >= s->mono) &&
		    (has_reason ? story->unsaved_reason == UNSAVED_NOT_A_MEMBER &&
					  op->card[0] != '\0' && !is_of_login(w, op)
				: op->card[0] == '\0')) {
			return true;
		}
	}
	return false;
}

static void mark_comes(struct world *w, const struct sim_commit *c, const struct store_op *op)
{
	arena_reset(&w->arena);
	const struct unsaved_item *u = item_of_value(w, ITEM_UNSAVED, op->value);
	const size_t sk = item_rows[ITEM_UNSAVED].sk_len;
	struct slice story_id = slice_of(op->sk.data + sk, op->sk.len - sk);
	if (save_find(w, c->room, story_id, u->mark) != NULL) {
		return;
	}
	char card[SIM_CARD_BYTES], user_id[20];
	view_text(card, sizeof(card), u->estimate);
	view_text(user_id, sizeof(user_id), u->user_id);
	if (!is_settled_so(w, c->room, card, user_id)) {
		broken(w, CLAIM_RULES, "%s is to be written by %s, who has not settled on it", card,
		       user_id);
	}
	save_begins(w, c->room, story_id, u);
}

/* ---- the item is written ---- */

/* What a card is in an item: hundredths, or -1 where it is no number. */
static int64_t number_of(const char *card)
{
	static const struct {
		const char *card;
		int64_t hundredths;
	} numbers[] = {{"5", 500}, {"0.5", 50}, {"13", 1300}};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(numbers[i].card, card) == 0) {
			return numbers[i].hundredths;
		}
	}
	return -1;
}

static bool has_estimate(const struct item_item *item, const char *card)
{
	int64_t number = number_of(card);
	return number < 0 ? !item->with_quantity && slice_eq(item->unit, slice_str(card))
			  : item->with_quantity && item->quantity == number &&
				    slice_eq(item->unit, SLICE("points"));
}

/* The group of a container; "": it is gone. */
static void group_of_container(struct world *w, const char *container_id, char out[20])
{
	const struct table_row *row = find_row(w, ITEM_CONTAINER, container_id, "");
	out[0] = '\0';
	if (row != NULL) {
		view_text(out, 20,
			  ((const struct container_item *)item_of_value(
				   w, ITEM_CONTAINER, slice_of(row->value, row->value_len)))
				  ->group_id);
	}
}

bool backlog_judge_write(struct world *w, const struct sim_commit *c,
			 const struct item_item *before, const struct item_item *after)
{
	const struct store_op *op = witness_op(w, c);
	char group_id[20];
	if (op == NULL) {
		return false;
	}
	struct sim_save *s = save_of_witness(w, op);
	if (s == NULL) {
		broken(w, CLAIM_RULES, "an estimate is written to an item for no settlement");
		return true;
	}
	group_of_container(w, s->container_id, group_id);
	s->written++;
	w->figures.saves++;
	if (s->written + planted(w, BREAK_REPEAT_SAVE, 1) > 1) {
		broken(w, CLAIM_REPEATS, "%s is written to %s again for one settlement", s->card,
		       s->item_id);
	} else if (s->is_refused) {
		broken(w, CLAIM_REPEATS, "%s is written to %s, where it was said not to be",
		       s->card, s->item_id);
	} else if (!has_estimate(after, s->card) || !item_is_same_else(before, after) ||
		   !slice_eq(before->name, after->name)) {
		broken(w, CLAIM_RULES, "%s is settled as %s and is written to otherwise",
		       s->item_id, s->card);
	} else if (find_row(w, ITEM_MEMBERSHIP, s->user_id, group_id) == NULL) {
		broken(w, CLAIM_RULES, "%s is written to by %s, who is not in its group",
		       s->item_id, s->user_id);
	}
	return true;
}

/* The item is counted in anything but points. */
static bool is_counted(struct world *w, const struct table_row *row)
{
	const struct item_item *item =
		item_of_value(w, ITEM_ITEM, slice_of(row->value, row->value_len));
	return item->with_quantity && item->with_unit && !slice_eq(item->unit, SLICE("points"));
}

/* Whether the item is gone or counted otherwise, or whoever settled is not in its group. */
static bool is_true(struct world *w, const struct sim_save *s)
{
	char group_id[20];
	const struct table_row *row = find_row(w, ITEM_CONTAINER, s->container_id, "");
	const struct table_row *item = find_row(w, ITEM_ITEM, s->container_id, s->item_id);
	if (row == NULL || item == NULL || container_is_ending(w, row) || is_counted(w, item)) {
		return true;
	}
	group_of_container(w, s->container_id, group_id);
	return find_row(w, ITEM_MEMBERSHIP, s->user_id, group_id) == NULL;
}

/* The commit changes what a reason may rest on: of one that is of several, it is not known which of them saw what. */
static bool is_about_reasons(const struct sim_commit *c)
{
	for (size_t i = 0; i < c->n; i++) {
		enum item_kind kind = item_kind_of(c->ops[i].pk, c->ops[i].sk);
		if (c->ops[i].kind != STORE_CHECK &&
		    (kind == ITEM_MEMBERSHIP || kind == ITEM_ITEM || kind == ITEM_CONTAINER ||
		     kind == ITEM_GROUP)) {
			return true;
		}
	}
	return false;
}

/*
 * It remembers why the item is not written. What that rests on is a condition of the commit, so it is true just before it;
 * whoever joins later, until the story says so, makes it no less true.
 */
static void refusal_comes(struct world *w, const struct sim_commit *c, struct sim_save *s)
{
	if (s->written > 0 || s->is_refused) {
		broken(w, CLAIM_REPEATS, "%s is said not to get its estimate, and has been judged",
		       s->item_id);
	}
	s->is_refused = true;
	if (is_about_reasons(c) ? !w->is_batched : !is_true(w, s)) {
		broken(w, CLAIM_RULES, "%s does not get its estimate, and nothing says why",
		       s->item_id);
	}
}

/* The commit that remembers it writes that item, and no other; it is noted above. */
static void witness_comes(struct world *w, const struct sim_commit *c, const struct store_op *op)
{
	arena_reset(&w->arena);
	const struct once_item *witness = witness_in(w, op);
	struct sim_save *s = witness == NULL ? NULL : save_of_witness(w, op);
	if (s == NULL) {
		return;
	}
	if (witness->with_unsaved_reason /* else it comes with what was written */) {
		refusal_comes(w, c, s);
		return;
	}
	bool writes = w->is_batched; /* it may have been removed behind it */
	for (size_t i = 0; i < c->n; i++) {
		const struct table_row *row = find_row(w, ITEM_ITEM, s->container_id, s->item_id);
		writes = writes || (c->ops[i].kind == STORE_PUT && row != NULL &&
				    slice_eq(row_pk(row), c->ops[i].pk) &&
				    slice_eq(slice_of(row->sk, row->sk_len), c->ops[i].sk));
	}
	if (!writes) {
		broken(w, CLAIM_RULES, "an estimate is remembered as written, and is not");
	}
}

/* ---- marks go ---- */

/* Why the story says that it was not written, by what is put in the same commit; NULL: it does not. */
static const struct story_item *story_put(struct world *w, const struct sim_commit *c,
					  struct slice story_id)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		const struct story_item *story =
			op->kind == STORE_PUT && item_kind_of(op->pk, op->sk) == ITEM_STORY
				? item_of_value(w, ITEM_STORY, op->value)
				: NULL;
		if (story != NULL && slice_eq(story->story_id, story_id)) {
			return story;
		}
	}
	return NULL;
}

/* The mark goes with its story, as its room ends. */
static bool goes_with_story(const struct sim_commit *c, const struct table_row *row)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind == STORE_DELETE && item_kind_of(op->pk, op->sk) == ITEM_STORY &&
		    slice_eq(slice_of(op->sk.data + item_rows[ITEM_STORY].sk_len,
				      op->sk.len - item_rows[ITEM_STORY].sk_len),
			     sk_rest(row))) {
			return true;
		}
	}
	return false;
}

static void mark_goes(struct world *w, const struct sim_commit *c, const struct store_op *op)
{
	const struct table_row *row = table_find(&w->table, op->pk, op->sk);
	if (row == NULL) {
		return;
	}
	arena_reset(&w->arena);
	const struct unsaved_item *u =
		item_of_value(w, ITEM_UNSAVED, slice_of(row->value, row->value_len));
	struct sim_save *s = save_find(w, c->room, sk_rest(row), u->mark);
	const struct story_item *story = story_put(w, c, sk_rest(row));
	if (story == NULL && !goes_with_story(c, row)) {
		broken(w, CLAIM_RULES, "the mark of %.*s goes, and its story says nothing of it",
		       (int)sk_rest(row).len, sk_rest(row).data);
	}
	if (s == NULL || story == NULL) {
		return;
	}
	s->is_over = true;
	bool has_reason = story->with_unsaved_reason || planted(w, BREAK_FALSE_REASON, 1);
	if (is_taken_back(w, s, story)) {
		return;
	}
	/* Where commits are of several, what is written to items is not judged. */
	if (!has_reason && s->written != 1 && !w->is_batched) {
		broken(w, CLAIM_RULES,
		       "%s is said to have its estimate, and it was written %u times", s->item_id,
		       s->written);
	} else if (has_reason && !s->is_refused) {
		broken(w, CLAIM_RULES, "%s is said not to get its estimate, and nothing says why",
		       s->item_id);
	} else if (!has_reason && s->is_refused) {
		broken(w, CLAIM_RULES, "%s is said to have its estimate, and was refused it",
		       s->item_id);
	}
}

static void backlog_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		witness_comes(w, c, &c->ops[i]);
	}
	for (size_t i = 0; c->room >= 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (item_kind_of(op->pk, op->sk) != ITEM_UNSAVED) {
			continue;
		}
		if (op->kind == STORE_PUT) {
			mark_comes(w, c, op);
		} else if (op->kind == STORE_DELETE) {
			mark_goes(w, c, op);
		}
	}
}

/* ---- the server ends between the steps ---- */

static bool is_step(struct world *w, const struct sim_commit *c)
{
	bool has_mark = false;
	for (size_t i = 0; c->room >= 0 && i < c->n; i++) {
		has_mark = has_mark || (c->ops[i].kind != STORE_CHECK &&
					item_kind_of(c->ops[i].pk, c->ops[i].sk) == ITEM_UNSAVED);
	}
	arena_reset(&w->arena);
	return has_mark || witness_op(w, c) != NULL;
}

/* The answer to one of them is lost more often than others are; so is the server, just behind one. */
static void backlog_asked(struct world *w, const struct sim_commit *c)
{
	if (!w->is_calm && w->fault_permille > 0 && is_step(w, c) && dice_percent(&w->dice, 10)) {
		store_mem_lose_answers(w->store, 1);
	}
}

static void backlog_after(struct world *w, const struct sim_commit *c)
{
	if (!w->is_calm && w->crash_permille > 0 && is_step(w, c) && dice_percent(&w->dice, 10)) {
		w->node->must_crash = true;
	}
}

/* What a commit has written whose server ended before it knew. */
static void backlog_table(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_UNSAVED, row) {
		arena_reset(&w->arena);
		const struct unsaved_item *u =
			item_of_value(w, ITEM_UNSAVED, slice_of(row->value, row->value_len));
		int room = room_of_id(w, pk_rest(row));
		if (room >= 0 && save_find(w, room, sk_rest(row), u->mark) == NULL) {
			save_begins(w, room, sk_rest(row), u);
		}
	}
	for (size_t i = 0; i < w->saves_n && i < SAVES_MAX; i++) {
		struct witness is = witness_of(w, &w->saves[i]);
		const struct table_row *row =
			find_row(w, ITEM_DIRECTORY_ONCE, is.pk.text, is.sk.text);
		if (row == NULL || w->saves[i].written > 0 || w->saves[i].is_refused) {
			continue;
		}
		arena_reset(&w->arena);
		const struct once_item *once =
			item_of_value(w, ITEM_DIRECTORY_ONCE, slice_of(row->value, row->value_len));
		w->saves[i].is_refused = once->with_unsaved_reason;
		w->saves[i].written = w->saves[i].is_refused ? 0 : 1;
	}
}

/* ---- when all is quiet ---- */

/* Nothing is under way for longer than it takes the sweeper to find it, by a clock that was not set. */
static void backlog_rest(struct world *w, int64_t patience_ms)
{
	if (w->is_lagging) {
		return;
	}
	TABLE_EACH (&w->table, ITEM_UNSAVED, row) {
		arena_reset(&w->arena);
		const struct unsaved_item *u =
			item_of_value(w, ITEM_UNSAVED, slice_of(row->value, row->value_len));
		if (u->expires_at + patience_ms < w->wall_ms) {
			broken(w, CLAIM_LIVENESS, "%.*s of %.*s is still on its way to its item",
			       (int)u->estimate.len, u->estimate.data, (int)row->pk_len, row->pk);
		}
	}
}

static void backlog_settled(struct world *w)
{
	if (w->jumps == 0) {
		backlog_rest(w, 60000);
	}
}

static void backlog_morning(struct world *w)
{
	backlog_rest(w, 0);
}

const struct feature feature_backlog_disk = {
	.name = "backlog-disk",
	.commit_asked = backlog_asked,
	.commit_before = backlog_before,
	.commit_after = backlog_after,
	.table = backlog_table,
	.settled = backlog_settled,
	.morning = backlog_morning,
};
