/*
 * room_page.c - rounds of the history that a request needs and that are not in memory.
 *
 * A partition loads one page at a time while the requests wait. When it has come,
 * they are taken again, in order, with it; those that need others wait for the
 * next. The room may have gone on meanwhile: each takes what it needs by the list
 * of rounds as it is then. A page that lacks a round of that list is damage, and
 * costs only the request that needs it.
 */
#include "server/core/rooms/partition.h"

#include <stdlib.h>

#include "server/core/cluster/room_bucket.h"
#include "server/core/conns/request.h"
#include "server/core/rooms/parked.h"
#include "server/core/server_priv.h"

void room_page_destroy(struct server *s, struct room_page *page)
{
	if (page == NULL) {
		return;
	}
	ticket_close(s, &page->ticket);
	page->partition->page = NULL;
	parked_drop_all(&page->parked);
	free(page);
}

static struct room_page *page_make(struct server *s, struct partition *p,
				   const struct rounds_page *rounds)
{
	char sk[ROUND_SK_BYTES_MAX];
	size_t len = round_sk_of(rounds->last + 1, sk);
	bool ok = true;
	struct room_page *page = calloc(1, sizeof(*page));
	if (page == NULL) {
		return NULL;
	}
	page->partition = p;
	page->rounds = *rounds;
	p->page = page;
	struct effect fx = {
		.kind = FX_LOAD,
		.load = {.pk = partition_pk(s, p),
			 .sk_prefix = slice_str(item_rows[ITEM_ROUND].sk),
			 .is_descending = true,
			 .after = arena_copy(&s->scratch, slice_of(sk, len), &ok),
			 .limit = rounds->n,
			 .fence = partition_fence(p)},
	};
	if (!ok || fx.load.pk.len == 0 || !ticket_send(s, &page->ticket, TICKET_PAGE, &fx)) {
		room_page_destroy(s, page);
		return NULL;
	}
	return page;
}

bool room_page_want(struct server *s, struct partition *p, const struct request *rq,
		    const struct rounds_page *rounds)
{
	struct request admitted = *rq;
	admitted.is_guess = false;
	bool is_new = p->page == NULL;
	if (is_new && page_make(s, p, rounds) == NULL) {
		return false;
	}
	/* With the facts: a request that needs both would ask for one and the other in turn. */
	if (!parked_add(&p->page->parked, &admitted, rq->facts)) {
		if (is_new) {
			room_page_destroy(s, p->page);
		}
		return false;
	}
	return true;
}

void room_page_loaded(struct server *s, struct ticket *ticket, const struct event *e)
{
	struct room_page *page =
		(struct room_page *)(void *)((char *)ticket - offsetof(struct room_page, ticket));
	struct partition *p = page->partition;
	struct parked *waiting = page->parked;
	struct rounds_page rounds = page->rounds;
	rounds.items = e->items;
	rounds.items_n = e->n;
	page->parked = NULL;
	room_page_destroy(s, page);
	if (e->result == ERR_FENCED) {
		room_bucket_lose(s, p->bucket);
	} else if (e->result != OK) {
		server_log(s, LOG_ERROR, "event=load_failed room=%.8s reason=\"%s\"",
			   partition_log_name(s, p).text, err_text(e->result));
	}
	partition_dirty(s, p); /* its state is checked, whatever becomes of them */
	if (e->result == OK) {
		parked_take_all(s, p, &waiting, &(struct parked_for){.page = &rounds});
	} else {
		parked_refuse_all(s, &waiting, ROOM_UNREAD);
	}
}
