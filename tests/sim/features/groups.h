/*
 * groups.h - what the oracle knows of groups, for all that is theirs.
 */
#ifndef TESTS_SIM_GROUPS_H
#define TESTS_SIM_GROUPS_H

#include "tests/sim/world/world.h"

#define NO_GROUP "g_2222222222"

/* The rest of its PK, and of its SK. */
struct slice pk_rest(const struct table_row *row);
struct slice sk_rest(const struct table_row *row);
/* The item of a row, until the next is read. */
const void *item_of_row(struct world *w, const struct table_row *row);
/* NULL: there is none. */
const struct table_row *find_row(const struct world *w, enum item_kind kind, const char *pk, const char *sk);

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
/* What is refused about a group has a reason. */
void groups_judge(struct world *w, struct conn *c, const struct op *op, const struct fault *f);

/* Without a key all is refused alike: that is tried now and then. */
bool is_worth_it(struct world *w, const struct conn *c);
/* Mostly one that the caller is in; else one on the disk, or one that nobody has made. Its id is in about->text. */
struct slice some_group(struct world *w, const struct conn *c, struct op *about);

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
/* Whether a refusal is right for a reason that nothing of groups tells. */
bool team_may_refuse(const struct world *w, const struct op *op, enum fault_code code);

/* ---- group_watch.c ---- */

/* What it began to watch in that session it is sent still, by what is certain: whatever failed on the way. */
bool watch_is_sure(struct world *w, const struct conn *c, size_t session);

#endif
