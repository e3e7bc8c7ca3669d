/*
 * quiet_round.c - when all is calm, one who leads a room plays a round through there, step by step: votes and votes
 * otherwise, resets and takes that back, watches through a reset, gives the lead away and is not to be removed.
 *
 * What depends on a commit being one change is certain only here.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* One step follows from the answer to the one before. */
enum quiet_step {
	QUIET_NOT,
	QUIET_CLEAR,
	QUIET_JOIN,
	QUIET_VOTE,
	QUIET_VOTE_AGAIN,
	QUIET_RESET,
	QUIET_UNDO,
	QUIET_WATCH,
	QUIET_RESET_WATCHED,
	QUIET_RETURN,
	QUIET_GIVE,
	QUIET_DONE,
};

/* Somebody else there with a name, who has no host_key; NULL: nobody. */
static struct conn *other_in(struct world *w, const struct conn *c, int room)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *other = w->conns[i];
		const struct sub *sub = other->subs[room];
		const struct view_user *u = sub == NULL || !sub->is_on
						    ? NULL
						    : view_user_const(&sub->view, sub->user_id);
		if (other->member != c->member && other->server_has && !other->is_broken &&
		    !other->is_desk && u != NULL && u->has_name && !u->is_waiting &&
		    !act_has_key(w, other, room)) {
			return other;
		}
	}
	return NULL;
}

static void quiet_vote(struct world *w, struct conn *c, int room, size_t which)
{
	static char cards[32][SIM_CARD_BYTES];
	size_t n = act_cards(w, c, room, cards, 32);
	send_vote(w, c, room, n == 0 ? "Q0" : cards[which % n], NULL);
}

static void quiet_next(struct world *w, struct conn *c, int room)
{
	const struct conn *other;
	const char *name = w->members[c->member].name;
	switch ((enum quiet_step)++ c->quiet_step) {
	case QUIET_CLEAR:
	case QUIET_RESET:
	case QUIET_RESET_WATCHED:
		send_member(w, c, METHOD_ROOM_RESET, room, true, NULL);
		break;
	case QUIET_JOIN:
	case QUIET_RETURN:
		send_join(w, c, room, name, name, false, false, NULL);
		break;
	case QUIET_WATCH:
		send_join(w, c, room, name, name, true, false, NULL);
		break;
	case QUIET_VOTE:
		quiet_vote(w, c, room, 0);
		break;
	case QUIET_VOTE_AGAIN:
		quiet_vote(w, c, room, 2);
		break;
	case QUIET_UNDO:
		send_member(w, c, METHOD_ROUND_UNDO_RESET, room, true, NULL);
		break;
	case QUIET_GIVE:
		other = other_in(w, c, room);
		if (other != NULL) {
			send_target(w, c, METHOD_ROOM_SET_HOST, room, other->subs[room]->user_id,
				    true, NULL);
		}
		break;
	case QUIET_NOT:
	case QUIET_DONE:
		break;
	}
}

static void quiet_heard(struct world *w, struct conn *c, const struct op *op,
			const union method_result *result)
{
	int room = op->room;
	(void)result;
	bool follows = room >= 0 && c->subs[room] != NULL && c->subs[room]->is_on;
	if (c->quiet_step == QUIET_NOT || w->is_night || c->is_broken || !follows ||
	    room != c->quiet_room || op->msgid + 1 != c->next_msgid) {
		return;
	}
	struct conn *other = other_in(w, c, room);
	if (op->method != METHOD_ROOM_SET_HOST) {
		quiet_next(w, c, room);
	} else if (other != NULL) { /* the new host tries to be rid of whoever made the room */
		send_target(w, other, METHOD_ROOM_KICK, room, c->subs[room]->user_id, false, NULL);
	}
}

/* Of each room one of those who have its key. */
static void quiet_comes_back(struct world *w, struct conn *c)
{
	for (int room = 0; room < (int)w->rooms_n && !w->is_night && !c->is_desk; room++) {
		struct sim_room *r = &w->rooms[room];
		const struct sub *sub = c->subs[room];
		if (!r->is_played && sub != NULL && sub->is_on && !sub->you_is_waiting &&
		    act_has_key(w, c, room) && c->quiet_step == QUIET_NOT && !c->is_broken) {
			r->is_played = true;
			c->quiet_room = room;
			quiet_next(w, c, room);
		}
	}
}

const struct feature feature_quiet_round = {
	.name = "quiet-round",
	.heard = quiet_heard,
	.comes_back = quiet_comes_back,
};
