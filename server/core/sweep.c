/*
 * sweep.c - what has expired, found by the ByExpiry index a few at a time.
 *
 * The index only says where to look. A partition that is looked at decides by
 * its own state what is over, so an entry that is out of date does no harm.
 */
#include "server/core/core.h"

#define SWEEP_EVERY_MS 5000
#define SWEEP_SOON_MS  200 /* when there was more than one go could take */

void sweep_tick(struct server *s)
{
	if (s->sweep_ticket != 0 || s->now.mono_ms < s->sweep_mono || s->is_stopping) {
		return;
	}
	struct effect fx = {
		.kind = FX_QUERY,
		.ticket = server_ticket(s),
		.index = INDEX_BY_EXPIRY,
		.from = 0,
		.to = s->now.wall_ms,
		.limit = MAX_SWEEP_ITEMS,
	};
	if (server_effect(s, &fx)) {
		s->sweep_ticket = fx.ticket;
	}
}

static void sweep_item(struct server *s, const struct store_item *item)
{
	char room_id[CODE_CHARS_MAX + 1];
	enum item_kind kind = item_kind_of(item->pk, item->sk);
	if (kind == ITEM_TOKEN || kind == ITEM_USER_NAME) {
		login_sweep(s, item);
		return;
	}
	struct slice prefix = slice_str(item_rows[ITEM_ROOM].pk_prefix);
	if (!slice_starts(item->pk, prefix) ||
	    !code_normalise(slice_of(item->pk.data + prefix.len, item->pk.len - prefix.len),
			    room_id)) {
		return;
	}
	struct partition *p =
		partition_get(s,
			      room_id); /* where it has to be loaded first, it is looked at then */
	if (p != NULL) {
		partition_look(s, p);
	}
}

void sweep_due(struct server *s, const struct event *e)
{
	if (e->ticket != s->sweep_ticket) {
		return;
	}
	s->sweep_ticket = 0;
	s->sweep_mono = s->now.mono_ms + (e->n == MAX_SWEEP_ITEMS ? SWEEP_SOON_MS : SWEEP_EVERY_MS);
	if (e->result != OK) {
		server_log(s, LOG_WARN, "event=sweep_failed reason=\"%s\"", err_text(e->result));
		return;
	}
	for (size_t i = 0; i < e->n; i++) {
		sweep_item(s, &e->items[i]);
	}
}
