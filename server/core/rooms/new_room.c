/*
 * new_room.c - room.create: finds a place in memory for a room and makes it there.
 *
 * A new room's partition is loaded like any other, to see that it is free; the
 * request waits there. A random code that turns out to be taken is thrown
 * again, and so is one whose home is another node; a derived one that is taken means that this call was made before.
 */
#include "proto/base/format.h"
#include "server/core/cluster/room_bucket.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/directory_rooms.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/server_priv.h"

/* Of several nodes each is home of its share of the codes; so many throws miss it only where it is home of none. */
#define THROWS_MAX 10000

/* How long the room's code is, where those of other rooms have so many characters. */
static size_t code_chars_of(const struct room_plan *plan, size_t chars)
{
	chars += plan->wants.group_id.len > 0 ? GROUP_CODE_CHARS : 0;
	return chars < CODE_CHARS_MAX ? chars : CODE_CHARS_MAX;
}

/*
 * Where a new room is made, or was: the partition, loading or not; NULL where there is no memory for it, or
 * no more room. plan's ids are those of the place but where it waited under a random code.
 */
static struct partition *new_room_place(struct server *s, struct request *rq,
					struct room_call *call, struct room_plan *plan)
{
	struct conn *c = rq->conn;
	struct partition *p = rq->parked_in;
	char name[96];
	/* Whose repeat a call with an idempotency_key may be: of the login, the user of a unix socket, or the address. */
	struct slice user_id = conn_user(s, c).id;
	size_t name_len = user_id.len > 0 ? format_to(name, sizeof(name), "login %.*s",
						      (int)user_id.len, user_id.data)
					  : address_name(c, name, sizeof(name));
	struct slice creator = slice_of(name, name_len);
	size_t code_chars = code_chars_of(plan, s->config.room_code_chars);
	size_t other_chars = code_chars_of(plan, s->other_code_chars);
	if (p != NULL) {
		room_plan_ids(call, creator, strlen(p->room_id), plan);
	}
	/* A login while the request waited makes it another caller. */
	bool is_moved = p != NULL && plan->is_derived && strcmp(plan->room_id, p->room_id) != 0;
	if (p == NULL || is_moved || (p->room != NULL && !plan->is_derived)) {
		rq->checked_chars = 0;
		unsigned throws = 0;
		do {
			room_plan_ids(call, creator, plan->is_derived ? other_chars : code_chars,
				      plan);
		} while (!plan->is_derived && ++throws < THROWS_MAX &&
			 (partition_find(s, plan->room_id) != NULL ||
			  partition_is_elsewhere(s, plan->room_id)));
		p = partition_get(s, plan->room_id);
	}
	/*
	 * A repeat of a call from before the server was shared, or while it was, finds its room under a code of the other
	 * length. So it is made only where that one was checked before, also if the server is shared while the request waits.
	 */
	while (p != NULL && p->state != PARTITION_LOADING && plan->is_derived &&
	       !room_was_planned(p->room, call, plan)) {
		bool is_its_place = strlen(p->room_id) == code_chars;
		bool is_checked = rq->checked_chars == other_chars || other_chars == code_chars;
		if (is_its_place && (is_checked || rq->runs > 0)) {
			break;
		}
		rq->checked_chars = is_its_place ? 0 : (unsigned char)other_chars;
		room_plan_ids(call, creator, is_its_place ? other_chars : code_chars, plan);
		p = partition_get(s, plan->room_id);
	}
	return p;
}

void request_new_room(struct server *s, struct request *rq)
{
	struct conn *c = rq->conn;
	struct fault fault = {0};
	struct room_create_result result = {.room_id = {0}};
	struct room_call call = room_call_of(s, c, &fault);
	struct room_plan plan = {.is_derived = false};
	call.params = &rq->params;
	call.result = &result;
	call.facts = request_facts(rq, call.account_id);
	if (room_plan(&call, &plan) != FAULT_NONE) {
		request_refuse(s, rq, &fault);
		return;
	}
	struct partition *p = new_room_place(s, rq, &call, &plan);
	if (p == NULL && plan.is_derived && partition_is_elsewhere(s, plan.room_id)) {
		room_bucket_elsewhere(s, plan.room_id, &fault);
		request_refuse(s, rq, &fault);
		return;
	}
	if (p == NULL) {
		request_refuse_for(s, rq, FAULT_UNAVAILABLE,
				   "no room can be created now; try again");
		return;
	}
	if (p->state == PARTITION_LOADING) {
		request_park(s, p, rq);
		return;
	}
	memcpy(plan.room_id, p->room_id,
	       sizeof(plan.room_id)); /* a random one waited for this place */
	if (facts_are_wanted(&plan.wants) && call.facts == NULL) {
		c->pending += rq->parked_in == NULL;
		rq->parked_in = p;
		if (!room_ask(s, p, rq, &plan.wants)) {
			request_refuse_for(s, rq, FAULT_UNAVAILABLE, FACTS_UNREAD);
		}
		return;
	}
	bool is_new = p->room == NULL;
	struct bucket *creates = c->guesser == NULL ? NULL : &c->guesser->creates;
	if ((is_new && rq->runs == 0 &&
	     !address_may(s, c, creates, LIMIT_ROOM_CREATES_PER_MINUTE, "new rooms", &fault)) ||
	    on_ROOM_CREATE(&p->room, &call, &plan) != FAULT_NONE) {
		request_refuse(s, rq, &fault);
		return;
	}
	c->pending += rq->parked_in == NULL;
	s->counters.rooms_created += is_new && rq->runs == 0;
	request_take_growth(s, p, rq);
	unit_result(s, p, rq, &record_room_create_result, &result);
	if (is_new) {
		room_trace(p->room, s->config.trace);
		struct key_text hash = room_hash_host_key(s->config.server_key, result.host_key);
		conn_keep_host(c, &hash);
	}
	partition_dirty(s, p);
}
