/*
 * requests.h - requests that are sent by more than the file they are in:
 * scenarios and the end of a run send them too.
 *
 * once is an idempotency_key or NULL; with_key: the host_key is shown.
 */
#ifndef TESTS_SIM_FEATURES_REQUESTS_H
#define TESTS_SIM_FEATURES_REQUESTS_H

#include "tests/sim/net/send.h"

/* Of every room that has one. */
#define SIM_PASSCODE "sesame"

/* acts.c */
void send_share(struct world *w, struct conn *c, bool listens);

/* sign_in.c: a guest's login, or one with the member's key; the name is in lower case */
void send_login_as(struct world *w, struct conn *c, const char *name, bool has_key);

/* questions.c */
void send_ask(struct world *w, struct conn *c, int64_t min_responses, int64_t seconds, const char *once);

/* rooms.c */
void send_create(struct world *w, struct conn *c, struct slices deck, const char *preset, const char *title, const char *once);
void send_delete(struct world *w, struct conn *c, int room, bool with_key, const char *once);

/* seats.c */
void send_subscribe(struct world *w, struct conn *c, int room, bool with_since);
void send_seat(struct world *w, struct conn *c, enum method method, int room, const char *once);
void send_unsubscribe(struct world *w, struct conn *c, int room);
void send_leave(struct world *w, struct conn *c, int room, bool if_last, const char *once);
void send_join(struct world *w, struct conn *c, int room, const char *raw, const char *clean, bool spectator, bool is_bot, const char *once);

/* votes.c: card NULL takes the vote back */
void send_vote(struct world *w, struct conn *c, int room, const char *card, const char *once);
/* The same on that story; NULL: the one at the table */
void send_story_vote(struct world *w, struct conn *c, int room, const char *story_id, const char *card, const char *once);
/* The other card of its pair, of equal length; itself where it has none. */
const char *twin_card(const char *card);

/* nudges.c: user_id NULL rings all who have not voted */
void send_nudge(struct world *w, struct conn *c, int room, const char *user_id, const char *once);
/* Somebody in the room, on another connection, rings all who have not voted */
void send_nudge_by_another(struct world *w, const struct conn *c, int room);

/* open_stories.c: the rule that opens all stories together */
void send_open(struct world *w, struct conn *c, int room, bool is_open, bool with_key, const char *once);

/* stories.c: key NULL, before NULL: none */
void send_story_add(struct world *w, struct conn *c, int room, const char *title, const char *key, const char *before, const char *once);
/* story_id NULL: none */
void send_select(struct world *w, struct conn *c, int room, const char *story_id, bool with_key, const char *once);

/* One of the room's, now and then none that exists. */
const char *some_story(struct world *w, const struct view *v);

/* open_stories.c: whether the request is about a story that is not at the table */
bool is_of_open_story(const struct op *op, const struct view *v);
/* state_test: such a story does not take what is asked; there is none; what it is to be settled on is missing */
bool refused_open_story(const struct world *w, const struct op *op, const struct view *v);
bool refused_no_open_story(const struct world *w, const struct op *op, const struct view *v);
bool refused_nothing_to_settle(const struct world *w, const struct op *op, const struct view *v);

/* rounds.c; card NULL: nothing is settled any more */
void send_settle(struct world *w, struct conn *c, int room, const char *card, bool with_key, const char *once);
void send_reveal(struct world *w, struct conn *c, int room, bool flag, bool with_key, const char *once);
void send_arm(struct world *w, struct conn *c, int room, bool is_armed, bool with_key, const char *once);

#endif
