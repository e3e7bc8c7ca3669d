/*
 * acts.h - what people do: mostly sense, some nonsense.
 *
 * Nothing that is done depends on what a card says, so that a run in which
 * everybody lays the other card of its pair goes the same way (twin_card).
 */
#ifndef TESTS_SIM_WORLD_ACTS_H
#define TESTS_SIM_WORLD_ACTS_H

#include "tests/sim/world/world.h"

/* group_rooms.c: somebody logs in, meets others in a group, or works there. */
void act_in_team(struct world *w, struct conn *c);
/* Somebody follows the room, or does something in it. */
void act_in_room(struct world *w, struct conn *c, int room);

struct act {
	unsigned weight;
	void (*does)(struct world *w, struct conn *c, int room);
	bool is_hosts; /* refused to others: they try it now and then */
};

/* One act of the connection, whatever it is. */
void acts_some(struct world *w, struct conn *c);

/*
 * The cards of the room's deck to choose from. Where two runs are compared, what is
 * chosen must be taken in both: only pairs of which the deck surely has both cards.
 */
size_t act_cards(struct world *w, struct conn *c, int room, char cards[][SIM_CARD_BYTES], size_t max);

/* An idempotency_key for about every third changing call; NULL: none. */
const char *act_once(struct world *w, char out[40]);
bool act_has_key(const struct world *w, const struct conn *c, int room);
/* Whoever has the host_key shows it now and then; a stranger never can. */
bool act_shows(struct world *w, const struct conn *c, int room);
/* A user_id of the room as the connection sees it, or none that exists. */
const char *act_somebody(struct world *w, const struct conn *c, int room);
/* The acts that take the place of one that makes no sense at the moment. */
void act_vote(struct world *w, struct conn *c, int room);
void act_join(struct world *w, struct conn *c, int room);
void act_get(struct world *w, struct conn *c, int room);
void act_unsubscribe(struct world *w, struct conn *c, int room);
void act_reset(struct world *w, struct conn *c, int room);
void act_reveal(struct world *w, struct conn *c, int room);
/* A room is made, with some deck. */
void act_create(struct world *w, struct conn *c);
/* A deck for a room: both cards of a pair or neither, and where they may be split, one of it. Returns how many. */
size_t act_deck(struct world *w, bool may_split, struct slice cards[32], char text[32][3]);

#endif
