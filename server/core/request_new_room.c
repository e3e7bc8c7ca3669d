/*
 * request_new_room.c - room.create: find a place in memory for the room, then have it made.
 */
#include "proto/format.h"
#include "server/core/conn.h"
#include "server/core/rate_limit.h"
#include "server/core/request.h"
#include "server/core/room_partition.h"
#include "server/core/server_priv.h"
#include "server/core/unit_of_work.h"

/*
 * A new room's partition is loaded like any other, to see that it is free; the
 * request waits there. A random code that turns out to be taken is thrown
 * again; a derived one that is taken means that this call was made before.
 */
void request_new_room(struct server *s, struct request *rq)
{
	struct conn *c = rq->conn;
	char name[96];
	struct fault fault = {0};
	struct room_create_result result = {.room_id = {0}};
	struct room_call call = room_call_of(s, c, &fault);
	struct room_plan plan = {.is_derived = false};
	struct partition *p = rq->parked_in;
	call.params = &rq->params;
	call.result = &result;
	if (room_plan(&call, &plan) != FAULT_NONE) {
		request_refuse(s, rq, &fault);
		return;
	}
	/* Whose repeat a call with an idempotency_key may be: of the login, the user of a unix socket, or the address. */
	struct slice user_id = conn_user(s, c).id;
	size_t name_len = user_id.len > 0 ? format_to(name, sizeof(name), "login %.*s",
						      (int)user_id.len, user_id.data)
					  : address_name(c, name, sizeof(name));
	struct slice creator = slice_of(name, name_len);
	if (p != NULL) {
		room_plan_ids(&call, creator, s->config.room_code_chars, &plan);
	}
	/* A caller who logged in while the request waited is another caller now. */
	bool is_moved = p != NULL && plan.is_derived && strcmp(plan.room_id, p->room_id) != 0;
	if (p == NULL || is_moved || (p->room != NULL && !plan.is_derived)) {
		do {
			room_plan_ids(&call, creator, s->config.room_code_chars, &plan);
		} while (!plan.is_derived && partition_find(s, plan.room_id) != NULL);
		p = partition_get(s, plan.room_id);
	}
	if (p == NULL) {
		fault_set(&fault, FAULT_UNAVAILABLE, "no room can be made now; try again");
		request_refuse(s, rq, &fault);
		return;
	}
	if (p->state == PARTITION_LOADING) {
		request_park(s, p, rq);
		return;
	}
	memcpy(plan.room_id, p->room_id,
	       sizeof(plan.room_id)); /* a random one waited for this place */
	bool is_new = p->room == NULL;
	struct bucket *creates = c->address == NULL ? NULL : &c->address->creates;
	if ((is_new && rq->runs == 0 &&
	     !address_may(s, c, creates, LIMIT_ROOM_CREATES_PER_MINUTE, "new rooms", &fault)) ||
	    on_ROOM_CREATE(&p->room, &call, &plan) != FAULT_NONE) {
		request_refuse(s, rq, &fault);
		return;
	}
	c->pending += rq->parked_in == NULL;
	s->counters.rooms_created += is_new && rq->runs == 0;
	unit_result(s, p, rq, &record_room_create_result, &result);
	if (is_new) {
		room_trace(p->room, s->config.trace);
		struct key_text hash = room_hash_host_key(s->config.server_key, result.host_key);
		conn_keep_host(c, &hash);
	}
	partition_dirty(s, p);
}
