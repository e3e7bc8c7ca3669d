/*
 * story_save.c - the estimate of a story goes to the item that it was made from: the second of its two commits
 * (room_save.c has the first and the last).
 *
 * The room's mark is read from the table, where it is durable. A witness, the same
 * kind of item as remembers a call with an idempotency_key, is written with the
 * item: so an estimate is written once, however often the mark is found, and
 * whatever others have written to the item since. One is written with nothing as well, where
 * there is a reason: what the room is told of it later would else be wrong of an item that
 * the next run writes after all.
 */
#include "server/domain/team/container.h"

#include "proto/base/format.h"
#include "server/domain/room_directory.h"

/* The mark in the table may go: the room is told what came of it. */
static void tell_room(struct txn *t, struct slice key, struct slice mark,
		      const struct once_item *outcome)
{
	char text[3 * 64 + 3];
	struct slice story_id = follow_rest(key);
	struct slice reason = outcome->with_unsaved_reason
				      ? words_unsaved_reason.list[outcome->unsaved_reason]
				      : SLICE("");
	size_t len = format_to(text, sizeof(text), "%.*s#%.*s%s%.*s", (int)story_id.len,
			       story_id.data, (int)mark.len, mark.data, reason.len == 0 ? "" : "#",
			       (int)reason.len, reason.data);
	txn_then_room(t, follow_room(key), room_story_saved, slice_of(text, len));
}

/* Why item_put_estimate() has found nothing. Of a container that is gone nobody knows who its readers were. */
static enum unsaved_reason reason_of(struct txn *t, const struct unsaved_item *u)
{
	const struct container_item *c = container_get(t, u->item.container_id);
	const struct membership_item *m =
		c == NULL || group_get(t, c->group_id) == NULL
			? NULL
			: txn_get(t, ITEM_MEMBERSHIP, u->user_id, c->group_id);
	bool is_stranger = c != NULL && group_get(t, c->group_id) != NULL && m == NULL;
	return is_stranger ? UNSAVED_NOT_A_MEMBER : UNSAVED_ITEM_GONE;
}

enum txn_step story_save(struct txn *t)
{
	const struct txn_next *p = t->params;
	const struct unsaved_item *u =
		txn_get(t, ITEM_UNSAVED, follow_room(p->key), follow_rest(p->key));
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (u == NULL) {
		return TXN_DONE; /* the mark has gone */
	}
	char text[128 + 64 + 1];
	size_t len = format_to(text, sizeof(text), "%.*s#%.*s", (int)p->key.len, p->key.data,
			       (int)u->mark.len, u->mark.data);
	const struct key_text pk = key_hash(t->server_key, "saved in", follow_room(p->key));
	const struct key_text sk = key_hash(t->server_key, "saved", slice_of(text, len));
	const struct once_item *done =
		txn_get(t, ITEM_DIRECTORY_ONCE, slice_str(pk.text), slice_str(sk.text));
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (done != NULL) {
		tell_room(t, p->key, u->mark, done);
		return TXN_DONE;
	}
	enum txn_step step = item_put_estimate(t, &(struct item_estimate){
							  .user_id = u->user_id,
							  .container_id = u->item.container_id,
							  .item_id = u->item.item_id,
							  .card = u->estimate,
						  });
	struct once_item outcome = {.method = SLICE("round.settle"),
				    .result = SLICE("\xc0"),
				    .expires_at = t->wall_ms + MAX_ONCE_LIFE_MS};
	if (step != TXN_DONE) {
		bool is_counted = t->fault.code == FAULT_CONFLICT;
		if (step == TXN_MORE || (t->fault.code != FAULT_NOT_FOUND && !is_counted)) {
			return step;
		}
		outcome.with_unsaved_reason = true;
		outcome.unsaved_reason = is_counted ? UNSAVED_OTHER_UNIT : reason_of(t, u);
		if (txn_is_loading(t)) {
			return TXN_MORE;
		}
		t->fault = (struct fault){0};
	}
	txn_put_new(t, ITEM_DIRECTORY_ONCE, slice_str(pk.text), slice_str(sk.text), &outcome);
	tell_room(t, p->key, u->mark, &outcome);
	return TXN_DONE;
}

/* As if its room had just begun it, and behind that where it has. */
enum txn_step story_save_again(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice room_id = item_pk_rest(found, ITEM_UNSAVED);
	struct slice story_id = item_sk_rest(found, ITEM_UNSAVED);
	char text[128];
	size_t len = format_to(text, sizeof(text), "%.*s#%.*s", (int)room_id.len, room_id.data,
			       (int)story_id.len, story_id.data);
	struct slice key = txn_copy(t, slice_of(text, len));
	txn_then(t, key, story_save, key);
	return TXN_DONE;
}
