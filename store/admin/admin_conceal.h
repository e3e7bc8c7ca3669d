/*
 * admin_conceal.h - leaving out of a dump what nobody may know yet.
 *
 * Attributes that are secret before the reveal (FIELD_HIDDEN in the rows) are left out; so is what the
 * reveal does not show: whose cards they are where there are no names, a card that is no longer in the deck,
 * and what a reset took (FIELD_TAKEN); and so are the answers to questions that have not ended.
 *
 * Life: a zeroed struct .. admin_conceal_finish().
 */
#ifndef STORE_ADMIN_ADMIN_CONCEAL_H
#define STORE_ADMIN_ADMIN_CONCEAL_H

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "store/items.h"

struct admin_conceal {
	char open_pk[ITEM_KEY_BYTES_MAX]; /* of the room whose cards lie open, with names */
	size_t open_pk_len;
	struct slices open_deck;	  /* its cards, in: */
	char asking_pk[ITEM_KEY_BYTES_MAX]; /* of the question whose answers are hidden */
	size_t asking_pk_len;
	struct arena room_arena;
	struct arena arena;
	struct buf value; /* of the item without what is hidden */
	uint64_t hidden; /* items from which something was left out */
};

/*
 * Of each item, in key order: a room's own item stands before its seats, and a question before its
 * answers. *value is the item, and then what of it is shown; valid until the next call. ERR_CORRUPT,
 * ERR_INVALID, ERR_PROTO: it does not decode. ERR_NOMEM.
 */
NODISCARD enum err admin_conceal_item(struct admin_conceal *c, enum item_kind kind, struct slice pk, struct slice *value);

/* What is known of this partition may not be true any more: of what follows in it nothing is shown that could be secret. */
void admin_conceal_forget(struct admin_conceal *c, struct slice pk);

void admin_conceal_finish(struct admin_conceal *c);

#endif
