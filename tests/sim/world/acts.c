/*
 * acts.c - what people do, chosen by weight among all that the features offer.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/assert.h"

const char *act_once(struct world *w, char out[40])
{
	if (!dice_percent(&w->dice, 30)) {
		return NULL;
	}
	snprintf(out, 40, "once-%016llx", (unsigned long long)dice_u64(&w->dice));
	return out;
}

bool act_has_key(const struct world *w, const struct conn *c, int room)
{
	return w->members[c->member].rooms[room].has_host_key;
}

bool act_shows(struct world *w, const struct conn *c, int room)
{
	return act_has_key(w, c, room) && dice_percent(&w->dice, 40);
}

const char *act_somebody(struct world *w, const struct conn *c, int room)
{
	const struct view *v = &c->subs[room]->view;
	if (v->n == 0 || dice_percent(&w->dice, 5)) {
		return "nobody";
	}
	return v->users[dice_below(&w->dice, (uint32_t)v->n)].user_id;
}

/* ---- acts on a room that is followed ---- */

static bool act_is_host(const struct conn *c, int room)
{
	const struct sub *sub = c->subs[room];
	const struct view_user *me = view_user_const(&sub->view, sub->user_id);
	return me != NULL && me->is_host;
}

static bool act_is_spectator(const struct conn *c, int room)
{
	const struct sub *sub = c->subs[room];
	const struct view_user *me = view_user_const(&sub->view, sub->user_id);
	return me == NULL || !me->has_name || me->is_spectator;
}

static bool act_may_vote(const struct conn *c, int room)
{
	return !act_is_spectator(c, room) && !c->subs[room]->view.is_revealed;
}

/* Of a desk in worlds with several servers only those of some features. */
static size_t acts_of(const struct world *w, const struct feature *f, bool is_desk)
{
	bool has_none = is_desk && w->nodes_n > 1 && !f->is_in_clusters;
	return has_none ? 0 : is_desk ? f->desk_acts_n : f->acts_n;
}

static const struct act *act_by_weight(struct world *w, bool is_desk)
{
	unsigned total = 0;
	for (size_t f = 0; f < features_n; f++) {
		size_t n = acts_of(w, features[f], is_desk);
		for (size_t i = 0; i < n; i++) {
			total += (is_desk ? features[f]->desk_acts : features[f]->acts)[i].weight;
		}
	}
	uint32_t roll = dice_below(&w->dice, total);
	for (size_t f = 0; f < features_n; f++) {
		size_t n = acts_of(w, features[f], is_desk);
		for (size_t i = 0; i < n; i++) {
			const struct act *act =
				&(is_desk ? features[f]->desk_acts : features[f]->acts)[i];
			if (roll < act->weight) {
				return act;
			}
			roll -= act->weight;
		}
	}
	ASSERT(false);
	return NULL;
}

static void act_while_following(struct world *w, struct conn *c, int room)
{
	const struct act *act = act_by_weight(w, false);
	bool is_host = act_has_key(w, c, room) || act_is_host(c, room);
	bool is_everyones = c->subs[room]->view.policy.everyone_resets;
	void (*does)(struct world *, struct conn *, int) = act->does;
	if (act->is_hosts && !is_host && !is_everyones && !dice_percent(&w->dice, 15)) {
		does = act_vote;
	}
	if (does == act_vote && !act_may_vote(c, room) && dice_percent(&w->dice, 85)) {
		does = is_host ? (dice_percent(&w->dice, 50) ? act_reset : act_reveal)
		       : act_is_spectator(c, room) ? act_join
						   : act_get;
	}
	does(w, c, room);
}

/* ---- what there is to do at all ---- */

static int act_room(struct world *w)
{
	int known[SIM_ROOMS_MAX];
	uint32_t n = 0;
	for (size_t i = 0; i < w->rooms_n; i++) {
		if (w->rooms[i].is_public &&
		    (!w->rooms[i].is_deleted || dice_percent(&w->dice, 10))) {
			known[n++] = (int)i;
		}
	}
	return n == 0 ? -1 : known[dice_below(&w->dice, n)];
}

static bool act_is_creating(const struct world *w)
{
	size_t n = 0;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		n += w->ops[i].method == METHOD_ROOM_CREATE && !w->ops[i].is_heard &&
		     !w->ops[i].is_dead;
	}
	return n + w->rooms_n >= w->rooms_wanted;
}

static void act_garbage(struct world *w, struct conn *c)
{
	static const struct slice bytes[] = {
		{"\xc1", 1},
		{"\xdd\xff\xff\xff\xff", 5},
		{"\x94\x00\x01\xc1", 4},
		{"\xdb\xff\xff\xff\xff", 5},
		{"\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91",
		 20},
		{"GET / HTTP/1.1\r\n\r\n", 18},
		{"\x94\x00\x07\x81", 4},
		{"\x94\x00", 2}, /* the last two: half a message, and then nothing */
	};
	uint32_t which = dice_below(&w->dice, 8);
	c->half_bytes = which >= 6 ? bytes[which].len : 0;
	c->is_broken = true;
	trace(w, "%s sends what is no message (%u)", member_name(w, c->member), which);
	send_bytes(w, c, bytes[which]);
}

static void act_greet(struct world *w, struct conn *c)
{
	uint32_t kind = dice_below(&w->dice, 100);
	if (kind < 92) {
		send_hello(w, c);
	} else if (kind < 96) {
		struct op about = {.expect = FAULT_UNAUTHENTICATED};
		struct room_create_params p = {0};
		send_op(w, c, METHOD_ROOM_CREATE, -1, &p, &about);
	} else if (kind < 98) {
		act_garbage(w, c);
	} else {
		c->says_nothing = true;
	}
}

/* The call whose answer was lost with its connection, once more with the same key. */
static bool act_repeat(struct world *w, struct conn *c)
{
	struct member *m = &w->members[c->member];
	if (m->retry == 0) {
		return false;
	}
	const struct op *op = &w->ops[m->retry - 1];
	if (op_is_of_directory(op)) {
		return false; /* on a connection that follows no room */
	}
	if (op->method == METHOD_ROOM_CREATE && !room_has_place(w)) {
		return false;
	}
	if (op->room >= 0 && (c->subs[op->room] == NULL || !c->subs[op->room]->is_on ||
			      strcmp(c->my_id[op->room], op->user_id) != 0)) {
		return false;
	}
	send_again(w, c, m->retry - 1);
	m->retry = 0;
	return true;
}

static bool act_needs_name(const struct conn *c, int room)
{
	const struct sub *sub = c->subs[room];
	const struct view_user *me = view_user_const(&sub->view, sub->user_id);
	return me != NULL && !me->has_name;
}

/* room.subscribe on its way, at once, on one connection. */
#define ACT_ASKS 3

void act_in_room(struct world *w, struct conn *c, int room)
{
	if (c->subs[room] == NULL) {
		if (dice_percent(&w->dice, 92)) {
			send_subscribe(w, c, room, dice_percent(&w->dice, 70));
		} else {
			act_get(w, c, room);
		}
	} else if (c->subs[room]->is_leaving) {
		return;
	} else if (!c->subs[room]->is_on && c->subs[room]->asks == 0) {
		send_subscribe(w, c, room, dice_percent(&w->dice, 70));
	} else if (!c->subs[room]->is_on) {
		/* Impatient: the first has not been answered. */
		if (dice_percent(&w->dice, 25) && c->subs[room]->asks < ACT_ASKS) {
			send_subscribe(w, c, room, false);
		} else if (dice_percent(&w->dice, 10)) {
			act_unsubscribe(w, c, room);
		}
	} else if (c->subs[room]->is_on) {
		if (act_needs_name(c, room) && dice_percent(&w->dice, 60)) {
			act_join(w, c, room);
		} else {
			act_while_following(w, c, room);
		}
	}
}

/* Ask where others come, or let them. */
void send_share(struct world *w, struct conn *c, bool listens)
{
	struct op about = {0};
	struct server_share_params p = {.address = slice_str(listens ? "192.0.2.7" : "")};
	send_op(w, c, METHOD_SERVER_SHARE, -1, &p, &about);
}

void acts_some(struct world *w, struct conn *c)
{
	if (c->is_broken || c->says_nothing || !c->server_has || c->up.len > 4096) {
		return;
	}
	if (!c->said_hello) {
		act_greet(w, c);
		return;
	}
	int room = act_room(w);
	uint32_t kind = dice_below(&w->dice, 1000);
	/* A seat that a login takes is another than its connection had a moment before. */
	if (!c->is_greeted && kind > (c->is_desk ? 15 : 100)) {
		return;
	}
	if (c->is_desk && c->is_greeted && w->is_team && kind >= 400) {
		act_in_team(w, c);
	} else if (c->is_desk && c->is_greeted && kind >= 3) {
		act_by_weight(w, true)->does(w, c, -1);
	} else if (kind < 3) {
		act_garbage(w, c);
	} else if (kind < 15) {
		send_plain(w, c, METHOD_SERVER_PING, -1);
	} else if (kind < 18) {
		send_share(w, c, kind == 15);
	} else if (kind < 20) {
		send_plain(w, c, METHOD_SERVER_STATS, -1);
	} else if (act_repeat(w, c)) {
		return;
	} else if (room < 0 || (kind < 120 && !act_is_creating(w))) {
		if (!act_is_creating(w)) {
			act_create(w, c);
		}
	} else {
		act_in_room(w, c, room);
	}
}
