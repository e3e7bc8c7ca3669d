/*
 * item_key.c - which item of a container has a key: an item of its own for each, so that two imports at
 * once do not add one issue twice.
 *
 * The key is the word of a tracker that an item's name begins with, in any case: PAY-101, #12. A number
 * alone is a key in each repository, so the address that an import puts below the note goes with it.
 * Where several items have a key, since they were added by hand or before keys were kept, it is the
 * first's that was written; and nobody's when that has gone, until another is written.
 */
#include "server/domain/team/container.h"

#include <string.h>

#include "proto/base/ascii.h"
#include "proto/keys/key_hash.h"
#include "proto/link.h"
#include "proto/text/issue_key.h"

void item_key_find(struct txn *t, struct slice container_id, const struct item_item *item,
		   struct item_key *key)
{
	char text[MAX_STORY_KEY_CELLS + 1 + KEY_CHARS + 1];
	size_t len = issue_key_front(item->name);
	*key = (struct item_key){.holder = NULL};
	if (len == 0) {
		return;
	}
	for (size_t i = 0; i < len; i++) {
		text[i] = ascii_lower(item->name.data[i]);
	}
	struct slice address = text[0] == '#' ? link_below(item->note) : (struct slice){0};
	if (address.len > 0) {
		struct key_text hash = key_hash(t->server_key, "item address", address);
		text[len++] = '@';
		memcpy(text + len, hash.text, KEY_CHARS);
		len += KEY_CHARS;
	}
	key->text = txn_copy(t, slice_of(text, len));
	key->holder = txn_get(t, ITEM_ITEM_KEY, container_id, key->text);
}

void item_key_take(struct txn *t, struct slice container_id, struct slice item_id,
		   const struct item_key *key)
{
	if (key->text.len > 0 && key->holder == NULL) {
		txn_put_new(t, ITEM_ITEM_KEY, container_id, key->text,
			    &(struct item_key_item){.item_id = item_id});
	}
}

void item_key_leave(struct txn *t, struct slice container_id, struct slice item_id,
		    const struct item_key *key)
{
	if (key->holder != NULL && slice_eq(key->holder->item_id, item_id)) {
		txn_delete(t, ITEM_ITEM_KEY, container_id, key->text);
	}
}
