/*
 * group_references.c - stories of a group's rooms that have an estimate, to compare a new one with.
 *
 * They are read as they are in the table, from the newest rooms: whoever asks wants examples, not all.
 */
#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"
#include "server/domain/team/team.h"

/* What a request may cost: one page of each room. */
enum { LOOKED_ROOMS = 16, LOOKED_STORIES = 64 };

static void put_references(struct txn *t, const struct store_item *of,
			   const struct txn_items *stories)
{
	const struct group_references_params *p = t->params;
	struct group_references_result *result = t->result;
	for (size_t i = 0; i < stories->n && result->stories_n < MAX_REFERENCES; i++) {
		const struct story_item *s = txn_decode(t, &stories->items[i]);
		if (s == NULL || s->is_removed || !slice_eq(s->estimate, p->estimate)) {
			continue;
		}
		result->stories[result->stories_n++] = (struct group_reference){
			.room_id = item_pk_rest(of, ITEM_ROOM),
			.title = s->title,
			.key = s->key,
		};
	}
}

enum txn_step on_GROUP_REFERENCES(struct txn *t)
{
	const struct group_references_params *p = t->params;
	struct group_references_result *result = t->result;
	struct txn_items stories[LOOKED_ROOMS];
	char left_out[CODE_CHARS_MAX + 1] = "";
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	(void)code_normalise(p->room_id, left_out); /* of none there are no stories */
	struct txn_items rooms =
		txn_query(t, INDEX_ROOMS_OF_GROUP, g.id,
			  &(struct txn_range){.limit = LOOKED_ROOMS, .is_descending = true});
	for (size_t i = 0; i < rooms.n; i++) {
		stories[i] = txn_list(t, ITEM_STORY, item_pk_rest(&rooms.items[i], ITEM_ROOM),
				      &(struct txn_page){.limit = LOOKED_STORIES});
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	result->estimate = p->estimate;
	result->stories = list_entries(t, MAX_REFERENCES, sizeof(*result->stories));
	if (result->stories == NULL) {
		return TXN_REFUSED;
	}
	for (size_t i = 0; i < rooms.n; i++) {
		if (!slice_eq(item_pk_rest(&rooms.items[i], ITEM_ROOM), slice_str(left_out))) {
			put_references(t, &rooms.items[i], &stories[i]);
		}
	}
	return TXN_DONE;
}
