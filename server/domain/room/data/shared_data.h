/*
 * shared_data.h - the data that members of a room share: presences, maps and lists.
 *
 * Only the containers of MessagePack values; their requests are in shared_data_methods.c. A
 * presence holds one value per user, in memory only. A map holds values by key, a list holds
 * values in the order of rank keys. Both are durable, and each entry counts its changes (its
 * revision).
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
	struct rank stored_rank; /* the rank in the key of its item; "" before it is written */
	char *value;
	size_t value_len;
	int64_t revision;
	int64_t created_on;
	int64_t ends_mono; /* end of a presence with a ttl; 0: none */
	uint64_t author;   /* presence: the connection that set it last */
	/* map and list: user_id of the member who changed it last; "": not known */
	char by[CODE_CHARS_MAX + 1];
	bool needs_write;     /* map and list */
	bool needs_update;    /* presence: changed since it was last sent */
	bool is_gone;         /* presence: removed, and the update is not sent yet */
	/* in order; those of a map in the order of creation */
	struct data_entry_state *next, *prev;
	UT_hash_handle hh;                    /* by id */
};

struct data_set {
	enum data_kind kind;
	char name[MAX_DATA_NAME_BYTES + 1];
	int64_t created_on;
	char by[CODE_CHARS_MAX + 1]; /* user_id of the member who created it; "": not known */
	bool needs_write;
	struct data_entry_state *by_id;
	struct data_entry_state *entries;
	size_t n;
	struct data_set *next, *prev;
};

/* "PRESENCE#", a name, "#", a key or rank, and NUL. */
#define DATA_SK_BYTES_MAX (9 + MAX_DATA_NAME_BYTES + 1 + MAX_DATA_NAME_BYTES + 1)

/* An item that must be deleted; the items of a whole set by their prefix. */
struct gone_data {
	char sk[DATA_SK_BYTES_MAX];
	size_t sk_len;
	bool is_prefix;
	struct gone_data *next;
};

/* The overhead counted for an entry, besides its id and its value. */
#define DATA_ENTRY_BYTES 32

struct data_store {
	struct data_set *sets;
	size_t n;
	size_t bytes; /* of all entries; limited by DATA_BYTES */
	bool is_marked; /* something has needs_write, or must be deleted */
	struct gone_data *gone;
	int64_t presence_mono;  /* when changed presences are due to be sent; 0: none changed */
	int64_t presence_sent;  /* when they last were sent */
	int64_t presence_ends;  /* when the first ttl ends; INT64_MAX: none */
};

void data_finish(struct data_store *d);

struct data_set *data_find(struct data_store *d, enum data_kind kind, struct slice name);
/* NULL when memory is out. */
struct data_set *data_add(struct data_store *d, enum data_kind kind, struct slice name, int64_t wall_ms);
void data_clear(struct data_store *d, struct data_set *set); /* removes all its entries */
void data_remove(struct data_store *d, struct data_set *set);

struct data_entry_state *data_entry(struct data_set *set, struct slice id);
/* Append a new entry. NULL if memory is out. */
struct data_entry_state *data_entry_add(struct data_store *d, struct data_set *set, struct slice id, struct slice value);
/* Returns false if memory is out, and changes nothing. */
bool data_entry_set(struct data_store *d, struct data_entry_state *e, struct slice value);
void data_entry_remove(struct data_store *d, struct data_set *set, struct data_entry_state *e);

/*
 * Record that an item must be deleted: "<kind>#name", "<kind>#name#rest". Returns false if memory
 * is out.
 */
bool data_gone(struct data_store *d, const struct data_set *set, struct slice rest, bool is_prefix);
void data_clear_marks(struct data_store *d);

/*
 * Write the SK of the set, such as "MAP#name", or of one of its entries; is_prefix: the prefix of
 * all its entries.
 */
size_t data_sk_of(const struct data_set *set, struct slice rest, bool is_prefix, char out[DATA_SK_BYTES_MAX]);

/* ---- of a room: shared_data_methods.c, room_presence.c ---- */

struct data_frame;
struct room;
struct room_call;
struct seat;

/* Return the set named by params.name; NULL with *c->fault NOT_FOUND. */
struct data_set *room_data_find(struct room *r, struct room_call *c, enum data_kind kind, struct slice name);
/*
 * shared_data_value.c: check a value. `replaced` is the length of the value that it replaces; 0
 * for a new entry.
 */
enum fault_code room_data_check_value(const struct room *r, struct room_call *c, const struct data_set *set,
				      struct slice value, size_t replaced);
/*
 * Move the content of a buffer into the call's arena and finish the buffer; empty if memory is
 * out.
 */
struct slice data_into_arena(struct room_call *c, struct buf *b);
/* Append a data frame (room.h) for a change of one entry, or of the set (NULL). */
void room_emit_data(struct room *r, const struct data_set *set, const struct data_entry_state *e, bool with_value,
		    bool is_gone, uint64_t author);
void room_free_data_frames(struct room *r);
/* The seat has lost its last connection: its presences end after their grace period. */
void room_presence_detached(struct room *r, int64_t mono_ms, const int64_t *limits);
/*
 * The seat was removed: its presences end with the next tick, even if its key has a new seat by
 * then.
 */
void room_presence_gone(struct room *r, const struct seat *seat);
/* End all presences of the seat. */
void room_presence_end(struct room *r, const struct seat *seat, int64_t mono_ms);

/*
 * Make the record of one set with all its entries, or only with `only`; the list is in the arena.
 * Returns false if memory is out.
 */
struct arena;
bool data_view(const struct data_set *set, const struct data_entry_state *only, bool with_value, struct arena *arena,
	       struct data_change *out);

#endif
