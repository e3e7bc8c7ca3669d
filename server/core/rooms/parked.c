/*
 * parked.c - requests that wait: kept as they came, taken again as if they had come now.
 */
#include "server/core/rooms/parked.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/wipe.h"
#include "proto/rpc.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/request.h"
#include "server/core/directory_rooms.h"
#include "server/core/rooms/partition.h"
#include "server/core/server_priv.h"
#include "server/domain/room_directory.h"

bool parked_add(struct parked **list, const struct request *rq, const struct room_facts *facts)
{
	struct slice user_id = facts == NULL ? (struct slice){0} : facts->user_id;
	struct slice group_id = facts == NULL ? (struct slice){0} : facts->group_id;
	struct parked *parked =
		malloc(sizeof(*parked) + rq->message.len + user_id.len + group_id.len);
	if (parked == NULL) {
		return false;
	}
	*parked = (struct parked){.conn = rq->conn->id,
				  .checked_chars = rq->checked_chars,
				  .runs = rq->runs,
				  .is_guess = rq->is_guess,
				  .has_facts = facts != NULL,
				  .role = facts == NULL ? GROUP_MEMBER : facts->role,
				  .len = rq->message.len,
				  .user_id_len = user_id.len,
				  .group_id_len = group_id.len};
	memcpy(parked->bytes, rq->message.data, rq->message.len);
	if (user_id.len > 0) {
		memcpy(parked->bytes + parked->len, user_id.data, user_id.len);
	}
	if (group_id.len > 0) {
		memcpy(parked->bytes + parked->len + user_id.len, group_id.data, group_id.len);
	}
	if (method_rows[rq->method].effect == EFFECT_READS) {
		parked_hold_conn(rq->conn, parked);
	}
	DL_APPEND(*list, parked);
	return true;
}

/* What it has kept; they point into it. */
static struct room_facts parked_facts(const struct parked *parked)
{
	const char *user_id = parked->bytes + parked->len;
	return (struct room_facts){
		.user_id = slice_of(user_id, parked->user_id_len),
		.group_id = slice_of(user_id + parked->user_id_len, parked->group_id_len),
		.role = parked->role,
	};
}

_Static_assert(MAX_REQUESTS_PENDING <= UCHAR_MAX, "a connection counts those that are alone");

void parked_hold_conn(struct conn *c, struct parked *parked)
{
	if (!parked->is_alone) {
		parked->is_alone = true;
		c->parked_alone++;
	}
}

void parked_let_conn(struct conn *c, struct parked *parked)
{
	if (parked->is_alone) {
		parked->is_alone = false;
		c->parked_alone--;
	}
}

bool parked_has_before(const struct parked *list, const struct parked *parked)
{
	const struct parked *other;
	DL_FOREACH (list, other) {
		if (conn_id_eq(other->conn, parked->conn) && other->runs >= parked->runs) {
			return true;
		}
	}
	return false;
}

/* Where an earlier one of its connection waits; NULL: nowhere in this room. */
static struct parked **parked_behind(struct partition *p, const struct conn *c,
				     const struct parked *parked)
{
	if (c == NULL || c->parked_alone == (parked->is_alone ? 1 : 0)) {
		return NULL; /* the usual case: none of its requests waits for more than the room */
	}
	return p->page != NULL && parked_has_before(p->page->parked, parked)
		       ? &p->page->parked
		       : inquiry_behind(p, parked);
}

/* Its connection, for which it waits no longer; NULL where that has closed. */
static struct conn *parked_conn(struct server *s, struct parked *parked)
{
	struct conn *c = conn_find(s, parked->conn);
	if (c == NULL || c->is_closing) {
		return NULL;
	}
	parked_let_conn(c, parked);
	return c;
}

/* A request may have brought a key. */
static void parked_free(struct parked *parked)
{
	wipe(parked, sizeof(*parked) + parked->len);
	free(parked);
}

void parked_take_all(struct server *s, struct partition *p, struct parked **list,
		     const struct parked_for *what)
{
	struct parked *parked;
	while ((parked = *list) != NULL) {
		if (list == &p->parked && p->state == PARTITION_LOADING) {
			return; /* again: they wait for that */
		}
		DL_DELETE(*list, parked);
		struct parked **behind = parked_behind(p, conn_find(s, parked->conn), parked);
		if (behind != NULL) {
			DL_APPEND(*behind, parked);
			continue;
		}
		struct conn *c = parked_conn(s, parked);
		struct room_facts kept = parked_facts(parked);
		const struct room_facts *facts = parked->has_facts ? &kept : NULL;
		if (c != NULL) {
			request_take_again(s,
					   &(struct request){
						   .conn = c,
						   .message = slice_of(parked->bytes, parked->len),
						   .is_guess = parked->is_guess,
						   .checked_chars = parked->checked_chars,
						   .runs = parked->runs,
						   .parked_in = p,
						   .load = what == NULL ? p->load : 0,
						   .page = what == NULL ? NULL : what->page,
						   .facts = what != NULL && what->facts != NULL
								    ? what->facts
								    : facts,
					   });
		}
		parked_free(parked);
	}
}

void parked_refuse_all(struct server *s, struct parked **list, const char *why)
{
	struct fault fault = {0};
	fault_set(&fault, FAULT_UNAVAILABLE, "%s", why);
	for (struct parked *parked; (parked = *list) != NULL; parked_free(parked)) {
		DL_DELETE(*list, parked);
		struct conn *c = parked_conn(s, parked);
		struct rpc_message m = {.msgid = 0};
		bool answerable = false;
		if (c == NULL) {
			continue;
		}
		conn_answered(s, c);
		if (rpc_decode(&s->decoder, slice_of(parked->bytes, parked->len), &m,
			       &answerable) == OK) {
			conn_refuse(s, c, method_find(m.method), m.msgid, &fault);
		}
	}
}

void parked_drop_all(struct parked **list)
{
	for (struct parked *parked; (parked = *list) != NULL; parked_free(parked)) {
		DL_DELETE(*list, parked);
	}
}
