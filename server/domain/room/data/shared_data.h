/*
 * shared_data.h - what the members of a room share: presences, maps and lists.
 *
 * Containers of MessagePack values and nothing else; the requests on them are
 * shared_data_methods.c's. A presence holds one value a user, live only. A map holds
 * values by key, a list values in an order of rank keys; both are durable, and
 * each entry counts its own changes (its revision).
 */
#ifndef SERVER_DOMAIN_ROOM_DATA_SHARED_DATA_H
#define SERVER_DOMAIN_ROOM_DATA_SHARED_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/domain/base/uthash_config.h"

#include "proto/base/buf.h"
#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/room_code.h"
#include "proto/records/records.h"
#include "server/domain/base/rank.h"

struct data_entry_state {
	char id[MAX_DATA_NAME_BYTES + 1]; /* user_id, key or entry_id */
	struct rank rank;                 /* list only */
	struct rank stored_rank;          /* which key its item has; "" before it is written */
	char *value;
	size_t value_len;
	int64_t revision;
	int64_t created_on;
	int64_t ends_mono; /* presence with a ttl; 0: none */
	uint64_t author;   /* presence: which connection set it last */
	char by[CODE_CHARS_MAX + 1]; /* map and list: user_id of the member who changed it last; "" where that is not known */
	bool needs_write;     /* map and list */
	bool needs_update;    /* presence: changed since it was last sent */
	bool is_gone;         /* presence: removed, which is still to be sent */
	struct data_entry_state *next, *prev; /* in order; a map's in the order they came */
	UT_hash_handle hh;                    /* by id */
};

struct data_set {
	enum data_kind kind;
	char name[MAX_DATA_NAME_BYTES + 1];
	int64_t created_on;
	char by[CODE_CHARS_MAX + 1]; /* user_id of the member who created it; "" where that is not known */
	bool needs_write;
	struct data_entry_state *by_id;
	struct data_entry_state *entries;
	size_t n;
	struct data_set *next, *prev;
};

/* "PRESENCE#", a name, "#", a key or rank, and NUL. */
#define DATA_SK_BYTES_MAX (9 + MAX_DATA_NAME_BYTES + 1 + MAX_DATA_NAME_BYTES + 1)

/* An item that is to be deleted; those of a whole set by their prefix. */
struct gone_data {
	char sk[DATA_SK_BYTES_MAX];
	size_t sk_len;
	bool is_prefix;
	struct gone_data *next;
};

/* What an entry counts beside its id and its value. */
#define DATA_ENTRY_BYTES 32

struct data_store {
	struct data_set *sets;
	size_t n;
	size_t bytes; /* of all entries; DATA_BYTES bounds it */
	bool is_marked; /* something is needs_write, or gone */
	struct gone_data *gone;
	int64_t presence_mono;  /* when changed presences are due to be sent; 0: none changed */
	int64_t presence_sent;  /* when they last were sent */
	int64_t presence_ends;  /* when the first ttl ends; INT64_MAX: none */
};

void data_finish(struct data_store *d);

struct data_set *data_find(struct data_store *d, enum data_kind kind, struct slice name);
/* NULL when memory is out. */
struct data_set *data_add(struct data_store *d, enum data_kind kind, struct slice name, int64_t wall_ms);
void data_clear(struct data_store *d, struct data_set *set); /* of its entries */
void data_remove(struct data_store *d, struct data_set *set);

struct data_entry_state *data_entry(struct data_set *set, struct slice id);
/* A new entry, at the end. NULL when memory is out. */
struct data_entry_state *data_entry_add(struct data_store *d, struct data_set *set, struct slice id, struct slice value);
/* False when memory is out, nothing changed. */
bool data_entry_set(struct data_store *d, struct data_entry_state *e, struct slice value);
void data_entry_remove(struct data_store *d, struct data_set *set, struct data_entry_state *e);

/* Remember that an item is to be deleted: "<kind>#name", "<kind>#name#rest". False when memory is out. */
bool data_gone(struct data_store *d, const struct data_set *set, struct slice rest, bool is_prefix);
void data_clear_marks(struct data_store *d);

/* The SK of the set, "MAP#name", or with the rest of one of its entries; is_prefix: of what all its entries begin with. */
size_t data_sk_of(const struct data_set *set, struct slice rest, bool is_prefix, char out[DATA_SK_BYTES_MAX]);

/* ---- of a room: shared_data_methods.c, room_presence.c ---- */

struct data_frame;
struct room;
struct room_call;
struct seat;

/* The set that params.name names; NULL with *c->fault NOT_FOUND. */
struct data_set *room_data_find(struct room *r, struct room_call *c, enum data_kind kind, struct slice name);
/* shared_data_value.c: `replaced` is the length of the value in the set that it replaces; 0 for a new entry. */
enum fault_code room_data_check_value(const struct room *r, struct room_call *c, const struct data_set *set,
				      struct slice value, size_t replaced);
/* Move what a buffer holds into the call's arena and finish it; empty when memory is out. */
struct slice data_into_arena(struct room_call *c, struct buf *b);
/* Append a data frame (room.h) of a change: of one entry, or with NULL of the set. */
void room_emit_data(struct room *r, const struct data_set *set, const struct data_entry_state *e, bool with_value,
		    bool is_gone, uint64_t author);
void room_free_data_frames(struct room *r);
/* A seat has lost its last connection: its presences end after their grace. */
void room_presence_detached(struct room *r, int64_t mono_ms, const int64_t *limits);
/* The seat is removed: its presences end with the next tick, even if its key has a new seat by then. */
void room_presence_gone(struct room *r, const struct seat *seat);
/* The seat is present nowhere any more. */
void room_presence_end(struct room *r, const struct seat *seat, int64_t mono_ms);

/* One set as the wire has it, with all entries or only `only`; the list lives in the arena. False when memory is out. */
struct arena;
bool data_view(const struct data_set *set, const struct data_entry_state *only, bool with_value, struct arena *arena,
	       struct data_change *out);

#endif
