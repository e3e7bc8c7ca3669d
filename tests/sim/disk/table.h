/*
 * table.h - the simulator's own copy of what is durable.
 */
#ifndef TESTS_SIM_DISK_TABLE_H
#define TESTS_SIM_DISK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/items.h"
#include "store/store.h"
#include "tests/sim/net/view.h"

struct table_row {
	uint64_t key_hash;
	char *pk, *sk, *value;
	size_t pk_len, sk_len, value_len;
	enum item_kind kind;
	bool has_name, is_spectator, is_bot, has_vote, is_cohost, is_creator, is_waiting;
	bool has_story_votes;
	bool is_owner; /* of a membership */
	int64_t joined_at;
	int64_t keep_seconds; /* of a seat's vote */
	int64_t since_mono; /* since when it is durable; 0: since the server began */
	int64_t put_mono;   /* the same of its value */
	int64_t created_on; /* of a barred key */
	int64_t expires_at; /* of a room, a session, a name, a result; else 0 */
	char hash[44];      /* of a session's token, also in the item of its name */
	char account[20];   /* whose session it is, or whose login's seat; "" nobody's */
	char user_id[20];
	char username[SIM_NAME_BYTES];
	char vote[SIM_CARD_BYTES];
};

struct table {
	struct table_row *rows;
	size_t n;
	size_t capacity;
	int64_t now_mono; /* what comes now is there since then */
};

void table_apply(struct table *t, const struct store_op *ops, size_t n);
void table_put(struct table *t, struct slice pk, struct slice sk, struct slice value);
void table_finish(struct table *t);
bool table_eq(const struct table *a, const struct table *b);
/* An item; NULL: there is none. */
struct table_row *table_find(const struct table *t, struct slice pk, struct slice sk);
/* The first row of that kind behind another, in no order; NULL: there is none. after NULL: of all. */
struct table_row *table_next(const struct table *t, enum item_kind kind, const struct table_row *after);
/* Every row of a kind, or of TABLE_ALL: none may come or go meanwhile. */
#define TABLE_ALL ITEM_COUNT
#define TABLE_EACH(t, kind, row)                                                                \
	for (struct table_row *row = table_next(t, kind, NULL); row != NULL; \
	     row = table_next(t, kind, row))
/* Whether it has of that room exactly what was found of it. */
bool table_expects(const struct table *t, const char *room_id, const struct table *found);
/* The PK of a room, in out; of an item, borrowed. */
struct slice table_pk(char out[32], const char *room_id);
struct slice row_pk(const struct table_row *row);
/* All of one partition; one item, if it exists. */
void table_copy_partition(struct table *to, const struct table *from, struct slice pk);
void table_copy_item(struct table *to, const struct table *from, struct slice pk, struct slice sk);
bool table_has_room(const struct table *t, const char *room_id);
/* Whether somebody with the host_key has come; *created_on is when the room was made. False without a room. */
bool table_had_host(const struct table *t, const char *room_id, int64_t *created_on);
/* Since when that user's key is barred there; 0: it is not. */
int64_t table_barred(const struct table *t, const char *room_id, const char *user_id);
/* Whether anybody's is. */
bool table_has_barred(const struct table *t, const char *room_id);
/* Whether the host_key was shown on that seat, which the table has. */
bool table_is_creator(const struct table *t, const char *room_id, const char *user_id);
/* The item of a session, by its token's hash; of a name, as names compare. NULL: there is none. */
const struct table_row *table_token(const struct table *t, const char *hash);
const struct table_row *table_name(const struct table *t, const char *folded);
/* Whose session an item of a name is about. */
void table_account(struct slice name_item, char out[20]);
const struct table_row *table_seat(const struct table *t, struct slice pk, const char *user_id);

/* ---- a room as a view: table_view.c ---- */

/* The room as the table has it, nobody connected; false where it has none. */
bool table_view(const struct table *t, const char *room_id, struct view *out);
/* What of a view must be on disk, as a hash; equal for a view and the table it came from. */
uint64_t view_durable_hash(const struct view *v);
/* What of that is not in another view, for a person; NULL: nothing. The other may have more seats,
 * fewer of those that view_keeps() not, and a host where this one has none. */
const char *view_differs(const struct view *v, const struct view *other);
/* What differs between a room and what is on disk of it, for a person; NULL: nothing. */
const char *table_differs(const struct table *t, const char *room_id, const struct view *v);

#endif
