/*
 * view.h - a room as somebody sees it: a watcher by its updates, a test by
 * looking into the server, the disk by its items.
 *
 * Deliberately not the client's replica: an independent copy with fixed sizes,
 * zero-filled, so that two views are equal where their bytes are.
 */
#ifndef TESTS_SIM_VIEW_H
#define TESTS_SIM_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/records/records.h"
#include "proto/rights.h"
#include "server/domain/room/room_fields.h"

#define SIM_SEATS_MAX 64
#define SIM_CARD_BYTES 8
#define SIM_NAME_BYTES 64

/* Without padding: two are compared as bytes. */
struct view_user {
	char user_id[20];
	char username[SIM_NAME_BYTES];
	char vote[SIM_CARD_BYTES];
	bool has_name;
	bool is_spectator;
	bool is_bot;
	bool is_connected;
	bool is_host;
	bool has_vote;
	bool is_waiting; /* in the lobby */
	bool is_changed;
	int32_t confidence; /* this and the comment on an open vote; 0: none */
	uint64_t comment;      /* a hash */
	int64_t away_since;    /* 0: not away, or not known since when */
	int32_t stories_voted; /* 0 where who has voted is hidden */
	char unused[4];
};

#define SIM_STORIES_MAX 64

struct view_story {
	int64_t ends_at; /* its own deadline; 0: none */
	uint64_t shown; /* a hash of its revealed votes, while it is not at the table; 0: none are */
	char story_id[20];
	char rank[48];
	char title[32];
	char key[16];
	char status[16];
	char estimate[SIM_CARD_BYTES];
	char container[20], item[20]; /* that it was made from; "" nothing */
	char reason[16];	      /* why its estimate is not written there; "" none */
	int32_t voted; /* votes that count on it, while it is not at the table */
	bool is_unsaved;
	bool is_removed;
	char unused[6];
};

#define SIM_DATA_MAX 64

/* An entry of a map or list, or with an empty id the whole of it. */
struct view_entry {
	char kind[12];
	char name[8];
	char rank[48]; /* list only */
	char id[20];
	char by[20]; /* who changed it last */
	int64_t revision;
	uint64_t value; /* a hash; of no meaning where is_hole */
	bool is_hole;   /* changed without being told the value, as who sets it is */
};

/* How one user is present in one presence. */
struct view_present {
	char name[8];
	char user_id[20];
	uint64_t value; /* a hash */
	bool is_hole;
};

/* An open card whose member has left it. */
struct view_left {
	char user_id[20];
	char username[SIM_NAME_BYTES];
	char vote[SIM_CARD_BYTES];
	bool is_bot;
	bool is_changed;
	char unused[2];
	int32_t confidence;
	uint64_t comment; /* a hash */
};

struct view {
	ROOM_FIELDS(ROOM_FIELD_MEMBER) /* HIDDEN ones: only of the disk */
	bool is_known; /* holds a state at all */
	bool has_title;
	int64_t epoch;
	int64_t version;
	int64_t countdown; /* the token of the one that runs; 0: none does */
	uint64_t result; /* a hash of what the open cards say; 0: nothing yet */
	int64_t votes, withdrawn; /* counted in it */
	int64_t votes_n;          /* where who voted is hidden: how many have, of those that count */
	char title[SIM_NAME_BYTES];
	char link_template[SIM_NAME_BYTES]; /* "" none */
	char deck[256]; /* " A B C " */
	char reactions[256]; /* likewise */
	char host[20];
	char next_host[20]; /* while the host is away; no part of view_eq(): it is not stored */
	struct policy policy;
	bool can_undo;
	int64_t story_round;
	bool is_without_data; /* who asked for none has none */
	size_t data_n;
	struct view_entry data[SIM_DATA_MAX]; /* by kind, name, rank, id */
	size_t present_n; /* no part of view_eq(): live, and told when it is time */
	struct view_present present[SIM_SEATS_MAX];
	size_t left_n; /* no more than the room has seats */
	struct view_left left[SIM_SEATS_MAX];
	size_t stories_n;
	struct view_story stories[SIM_STORIES_MAX]; /* in their order */
	size_t n;
	struct view_user users[SIM_SEATS_MAX];
};

/* Copies only the stories and users there are; *to is zero beyond them if it was before. */
void view_copy(struct view *to, const struct view *from);
bool view_eq(const struct view *a, const struct view *b);
const struct view_entry *view_entry(const struct view *v, const char *kind, const char *id);
/* NULL: not present. */
const struct view_present *view_present(const struct view *v, const char *name, const char *user_id);
/* The first SHOWN row of room_fields.h in which they differ, or NULL. */
const char *view_field_differs(const struct view *a, const struct view *b);
bool view_eq_data(const struct view *a, const struct view *b);
const struct view_story *view_story(const struct view *v, const char *story_id);
/* Whether it can be voted on although it is not at the table. */
bool view_story_is_open(const struct view *v, const char *story_id);
size_t view_counts_open(const struct view *v);
/* Members keep their seats and votes without a connection. */
bool view_keeps_votes(const struct view *v);
/* A hash of what is shown of a story's votes; 0: nothing. */
uint64_t view_shown_votes(const struct story_votes *votes);
void view_put_story(struct view *v, const struct view_story *s);
struct view_user *view_user(struct view *v, const char *user_id);
const struct view_user *view_user_const(const struct view *v, const char *user_id);
/* The card that the user has left, or NULL. */
const struct view_left *view_left(const struct view *v, const char *user_id);
/* False where it does not fit. */
bool view_put_left(struct view *v, const struct round_vote *vote);
/* Nobody may know who has voted. */
bool view_hides_voters(const struct view *v);
/* Whether a member who asked for `wanted` may be called that: as it is, or with a number. */
bool view_is_name_for(const char *wanted, const char *name);
/* How many could have voted, with those who are away. */
int64_t view_voters(const struct view *v);
bool view_has_card(const struct view *v, const char *card);
/* The deck's cards, in order; returns how many. */
size_t view_cards(const struct view *v, char cards[][SIM_CARD_BYTES], size_t max);

/* Text into a fixed field; false where it does not fit. */
bool view_text(char *out, size_t cap, struct slice in);
void view_deck_text(char out[256], struct slices cards);

/*
 * Take an update. NULL, or what is wrong with it; *v is then half changed.
 * With lenient, an update that is not newer is ignored (a caller that asked
 * for frames it already had).
 */
const char *view_apply(struct view *v, const struct room_update *u, bool lenient);

/* The same of shared data alone, and what must hold of it. */
const char *view_apply_data(struct view *v, const struct data_change *d);
const char *view_data_flaw(const struct view *v);

/*
 * Whether the disk must have the seat: it holds something, or a place that the
 * room does not give to anybody who comes. Of others only the key and the
 * user_id were promised, and those follow from each other.
 */
bool view_keeps(const struct view *v, const struct view_user *u);

/* A hash of what is said of a result. */
uint64_t view_result(const struct room_result *result);

/* What must hold in every state: NULL, or what does not. */
const char *view_flaw(const struct view *v);
/* Member by member: between the members there may be padding. */
bool view_policy_eq(const struct policy *a, const struct policy *b);

#endif
