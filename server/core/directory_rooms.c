/*
 * directory_rooms.c - see directory_rooms.h.
 */
#include "server/core/directory_rooms.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/keys/room_code.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/request.h"
#include "server/core/rooms/parked.h"
#include "server/core/rooms/partition.h"
#include "server/core/txn/txn.h"
#include "server/domain/directory.h"

void room_give_task(struct server *s, struct slice room_id, room_task_handler *run,
		    struct slice key)
{
	char id[CODE_CHARS_MAX + 1];
	if (code_normalise(room_id, id)) {
		partition_give_task(s, id, run, key);
	}
}

void room_begin_follow(struct server *s, const struct room_follow *f)
{
	txn_begin(s, f->key, directory_follows[f->kind], &(struct txn_next){.key = f->key});
}

size_t room_users_now(struct server *s, struct slice room_id)
{
	char id[CODE_CHARS_MAX + 1];
	const struct partition *p = code_normalise(room_id, id) ? partition_find(s, id) : NULL;
	return p == NULL || p->room == NULL ? 0 : room_users_here(p->room);
}

/* ---- facts ---- */

/* A request that waits for facts; the transaction that reads them ends it. */
struct inquiry {
	struct partition *partition; /* NULL: it is gone */
	struct parked *parked;	     /* the request */
	struct parked *
		behind; /* what its connection has sent after it; they wait for the request, not for the facts */
	struct facts_wanted wanted;
	struct inquiry *next, *prev; /* of the partition */
	char text[];		     /* what the wish points to */
};

static void inquiry_ended(struct server *s, void *of, const void *result)
{
	struct inquiry *q = of;
	struct partition *p = q->partition;
	if (p != NULL) {
		DL_DELETE(p->inquiries, q);
		struct conn *c = conn_find(s, q->parked->conn);
		if (result == NULL) {
			parked_refuse_all(s, &q->parked, FACTS_UNREAD);
		} else {
			parked_take_all(s, p, &q->parked, &(struct parked_for){.facts = result});
		}
		parked_take_all(s, p, &q->behind, &(struct parked_for){.facts = NULL});
		if (c != NULL) {
			conn_resume_soon(s, c);
		}
		partition_dirty(s, p);
	}
	free(q);
}

/* Copies the text to *at, which goes on behind it. */
static struct slice copy_to(char **at, struct slice text)
{
	char *copy = *at;
	if (text.len > 0) {
		memcpy(copy, text.data, text.len);
		*at += text.len;
	}
	return slice_of(copy, text.len);
}

bool room_ask(struct server *s, struct partition *p, struct request *rq,
	      const struct facts_wanted *wanted)
{
	struct inquiry *q = malloc(sizeof(*q) + wanted->group_id.len + wanted->seat_of.len +
				   wanted->container_id.len + wanted->item_id.len);
	if (q == NULL) {
		return false;
	}
	*q = (struct inquiry){.partition = p, .parked = NULL};
	if (!parked_add(&q->parked, rq, NULL)) {
		free(q);
		return false;
	}
	char *at = q->text;
	q->wanted.group_id = copy_to(&at, wanted->group_id);
	q->wanted.seat_of = copy_to(&at, wanted->seat_of);
	q->wanted.container_id = copy_to(&at, wanted->container_id);
	q->wanted.item_id = copy_to(&at, wanted->item_id);
	if (!txn_ask(s, rq->conn, room_facts_find, &q->wanted, sizeof(struct room_facts),
		     inquiry_ended, q)) {
		parked_let_conn(rq->conn, q->parked);
		parked_drop_all(&q->parked);
		free(q);
		return false;
	}
	DL_APPEND(p->inquiries, q);
	parked_hold_conn(rq->conn, q->parked);
	rq->waits = true;
	return true;
}

struct parked **inquiry_behind(struct partition *p, const struct parked *parked)
{
	struct inquiry *q;
	DL_FOREACH (p->inquiries, q) {
		if (parked_has_before(q->parked, parked)) {
			return &q->behind;
		}
	}
	return NULL;
}

void inquiries_refuse_all(struct server *s, struct partition *p)
{
	struct inquiry *q;
	while ((q = p->inquiries) != NULL) {
		DL_DELETE(p->inquiries, q);
		parked_refuse_all(s, &q->parked, ROOM_UNREAD);
		parked_refuse_all(s, &q->behind, ROOM_UNREAD);
		q->partition = NULL;
	}
}

void inquiries_drop_all(struct partition *p)
{
	struct inquiry *q;
	while ((q = p->inquiries) != NULL) {
		DL_DELETE(p->inquiries, q);
		parked_drop_all(&q->parked);
		parked_drop_all(&q->behind);
		q->partition = NULL;
	}
}
