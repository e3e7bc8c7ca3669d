/*
 * rules.h - what the files that ask why a room changed have in common.
 */
#ifndef TESTS_SIM_RULES_H
#define TESTS_SIM_RULES_H

#include "tests/sim/world/world.h"

/* A set of methods. */
struct methods {
	uint64_t words[(METHOD_COUNT + 63) / 64];
};

#define METHODS_OF(...)                                \
	methods_of((const enum method[]){__VA_ARGS__}, \
		   sizeof((const enum method[]){__VA_ARGS__}) / sizeof(enum method))

/* What takes the votes and begins another round, or brings one back. */
#define RULES_BEGIN                                                                    \
	METHOD_ROOM_RESET, METHOD_ROUND_AGAIN, METHOD_STORY_SELECT, METHOD_STORY_NEXT, \
		METHOD_ROUND_UNDO_RESET

struct methods methods_of(const enum method *list, size_t n);

struct change {
	struct world *w;
	int room;
	const struct sim_room *r;
	const struct view *before;
	const struct view *after;
};

/* An open request of one of the methods, by that seat (NULL: anybody), from *at on; NULL: none. */
const struct op *rules_cause(const struct change *ch, struct methods methods, const char *actor, size_t *at);
bool rules_has_cause(const struct change *ch, struct methods methods, const char *actor);
/* By somebody who may act as host, about that one. */
bool rules_has_target(const struct change *ch, struct methods methods, const char *target);
/* Whether that story had a deadline of its own, and it is over, as far as clocks that jump let say. */
bool rules_story_ended(const struct change *ch, const char *story_id);
/* How many that may, and, where that matters, with that flag. */
size_t rules_host_causes(const struct change *ch, struct methods methods, bool flag_matters, bool flag);
/* Within several changes in one step: the first may have given the seat a name, and the last taken that again. */
bool rules_had_name(const struct change *ch, const char *user_id);
bool rules_may_host(const struct change *ch, const struct op *op);
/* The same for what the policy may give to everybody. */
bool rules_may(const struct change *ch, const struct op *op);
/* Whether the seat's connection has been lost for that long, and the policy lets that end what it has. */
bool rules_was_away(const struct change *ch, const char *user_id, enum limit grace);
/* The same for the graces of a seat, which are longer while a vote that is to be kept lies there. */
bool rules_grace_is_over(const struct change *ch, const char *user_id, enum limit grace);
/* Where stories are open together: another one may have come to the table with its votes, and the one there gone. */
bool rules_brings_votes(const struct change *ch);
void rules_broken(const struct change *ch, const char *what, const char *whose);

/* The seat was emptied: left, kicked, or given up. */
bool rules_emptied(const struct change *ch, const char *user_id);

/* Whether the seat may have a vote in the state after. Where who voted is hidden, by the disk and by the calls that have
 * not been answered; else it is seen. */
bool rules_may_have_voted(const struct change *ch, const struct view_user *u);

/* Judge a change; live: only what no version tells has changed. */
void rules_follow(struct world *w, int room, const struct view *before, const struct view *after);
void rules_follow_live(struct world *w, int room, const struct view *before, const struct view *after);

#endif
