/*
 * groups.h - what the oracle knows of groups, for all that is theirs.
 */
#ifndef TESTS_SIM_GROUPS_H
#define TESTS_SIM_GROUPS_H

#include "tests/sim/world/world.h"

#define NO_GROUP "g_2222222222"

/* Who has sent it, as far as is known (see op->is_settled); NULL: nobody who was logged in. */
const struct session *sender(const struct world *w, const struct op *op);
/* The row is on the disk, and was before the request came. */
bool was_there(struct world *w, const struct op *op, const struct table_row *row);
/* It is on the disk, and is not deleted. */
bool group_is_there(struct world *w, const char *group_id);
/* Since when it is; 0: it is not, or others were after it. */
int64_t group_deleted_mono(const struct world *w, const char *group_id);
/* Its sender was in the group when it came, and is still. */
bool is_surely_in(struct world *w, const struct op *op, const char *group_id);

/* The user is deleted, and not all of them is gone. */
bool user_is_ending(struct world *w, const char *user_id);
/* When the last USER item of that deleted user went, or of any (NULL); 0: never, or others have gone after them. */
int64_t user_went_mono(const struct world *w, const char *user_id);
/* What is refused about a group has a reason. */
void groups_judge(struct world *w, struct conn *c, const struct op *op, const struct fault *f);

/* Without a key all is refused alike: that is tried now and then. */
bool is_worth_it(struct world *w, const struct conn *c);
/* By a code that goes round. */
void act_join_group(struct world *w, struct conn *c, int room);
/* Mostly one that the caller is in; else one on the disk, or one that nobody has made. Its id is in about->text. */
struct slice some_group(struct world *w, const struct conn *c, struct op *about);

/* ---- groups_disk.c ---- */

/* The rest of its PK, and of its SK. */
struct slice pk_rest(const struct table_row *row);
struct slice sk_rest(const struct table_row *row);
/* The item of a row, until the next is read. */
const void *item_of_row(struct world *w, const struct table_row *row);
/* NULL: there is none. */
const struct table_row *find_row(const struct world *w, enum item_kind kind, const char *pk, const char *sk);
/* That the user was removed from the group, and is not let in by invitations made before; NULL: they are. */
const struct table_row *removal_of(const struct world *w, const char *group_id, const char *user_id);

/* ---- containers.c ---- */

#define NO_CONTAINER "c_2222222222"

/* The item of a value, in the world's arena until it is reset. */
const void *item_of_value(struct world *w, enum item_kind kind, struct slice value);
/* The container does not exist for anyone any more, though not all of it has gone. */
bool container_is_ending(struct world *w, const struct table_row *row);
/* Mostly one of a group that the caller is in; else one on the disk, or one that nobody has made. Its id is in out. */
struct slice some_container(struct world *w, const struct conn *c, char out[20]);
/* The container was there for its sender when the call came, and is still. */
bool is_surely_there(struct world *w, const struct op *op, const char *container_id);
/* So many requests of one connection may have come that some are refused for that. */
bool team_is_often(const struct world *w, const struct op *op);
/* The connection may watch as many topics as one may. */
bool team_watches_many(const struct world *w, const struct op *op);
/* Whether a refusal is right for a reason that nothing of groups tells. */
bool team_may_refuse(const struct world *w, const struct op *op, enum fault_code code);

/* ---- items.c ---- */

/* An item of the container in about->text, in about->target, and its revision; or none that exists. */
int64_t some_item(struct world *w, struct op *about);
/* Whether an item is called that by somebody here. */
bool is_item_name(const char *text);
/* Others who are logged in change it at once, most of them at its first revision. */
void all_change(struct world *w, const struct conn *c, const char *container, struct slice item);
void act_add_item(struct world *w, struct conn *c, int room);
void act_change_item(struct world *w, struct conn *c, int room);
bool item_is_same_else(const struct item_item *a, const struct item_item *b);

/* ---- group_members.c ---- */

/* Whether the user was in the group, as an owner or not, at some moment since then; also true where it cannot be known. */
bool may_have_been_in(const struct world *w, const char *user_id, const char *group_id, bool as_owner, int64_t since_mono);
/* The same of whoever sent it, since it came. */
bool sender_may_have_been_in(const struct world *w, const struct op *op, const char *group_id, bool as_owner);
/* Somebody else on a connection whose user owns the group; NULL: nobody. */
struct conn *other_owner(struct world *w, const struct conn *c, const char *group_id);
/* Its sender has not left it, or lost a role in it, since the call came. */
bool sender_has_stayed(const struct world *w, const struct op *op, const char *group_id);
/* Its sender was an owner when it came, and is still. */
bool is_surely_owner(struct world *w, const struct op *op, const char *group_id);

/* ---- group_rooms.c ---- */

/* The room's group is on the disk no more, or is deleted. */
bool group_of_room_is_gone(struct world *w, int room);
/* Its sender is logged in with a key, and was when it came, on the seat of that login where it is about a room. */
bool is_of_login(struct world *w, const struct op *op);
/* By belonging to its group: for certain; perhaps. False in a room of nobody's. */
bool is_let_in_as_member(struct world *w, const struct op *op);
bool may_be_let_in_as_member(const struct world *w, const struct op *op);
bool may_lead_as_owner(const struct world *w, const struct op *op);
/* A room of a group of the caller, known to those in it; -1: none. */
int some_room_of_group(struct world *w, const struct conn *c);

/* ---- backlog.c ---- */

/* An item becomes a story; a story is chosen, and what follows from that. */
void act_story_of_item(struct world *w, struct conn *c, int room);
void act_estimate(struct world *w, struct conn *c, int room);

/* ---- backlog_disk.c ---- */

/* Whether the commit writes an estimate to an item; then it is judged. */
bool backlog_judge_write(struct world *w, const struct sim_commit *c, const struct item_item *before, const struct item_item *after);

/* ---- group_watch.c ---- */

/* What it began to watch in that session it is sent still, by what is certain: whatever failed on the way. */
bool watch_is_sure(struct world *w, const struct conn *c, size_t session);

#endif
