/*
 * send_data.c - requests of shared data.
 */
#include "tests/sim/net/send.h"

#include <string.h>

/* One map and one list are enough to disagree on. */
#define SEND_DATA(p, about, w, c, room, set)                       \
	do {                                                       \
		SEND_ROOM_ID(p, w, room);                          \
		(p).name = slice_str(set);                         \
		(p).with_user_key = (about).shows_user_key =       \
			send_shows_key(w, c, room, &(p).user_key); \
	} while (false)

/* A value that no other has, as MessagePack. */
static struct slice send_value(struct world *w, struct op *about, char out[9])
{
	out[0] = (char)0xcf;
	dice_bytes(&w->dice, (unsigned char *)out + 1, 8);
	about->value = sim_hash(SIM_HASH_START, out, 9);
	return slice_of(out, 9);
}

/* create and delete */
void send_data(struct world *w, struct conn *c, enum method method, int room, const char *set,
	       const char *once)
{
	struct data_params p = {0};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, set);
	SEND_ONCE(p, about, once);
	send_op(w, c, method, room, &p, &about);
}

void send_get(struct world *w, struct conn *c, enum method method, int room, const char *set)
{
	struct data_get_params p = {0};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, set);
	send_op(w, c, method, room, &p, &about);
}

void send_presence_set(struct world *w, struct conn *c, int room, int64_t ttl_ms, const char *once)
{
	char value[9];
	struct presence_set_params p = {.ttl_ms = ttl_ms, .with_ttl_ms = ttl_ms != 0};
	struct op about = {.token = ttl_ms};
	SEND_DATA(p, about, w, c, room, "p");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	memcpy(w->presences[w->presences_n++ % 16], value, sizeof(value));
	send_op(w, c, METHOD_PRESENCE_SET, room, &p, &about);
}

/* @revision -1: whatever it is now. */
void send_map_set(struct world *w, struct conn *c, int room, const char *key, int64_t revision,
		  const char *once)
{
	char value[9];
	struct map_set_params p = {.key = slice_str(key)};
	struct op about = {.token = revision};
	SEND_DATA(p, about, w, c, room, "m");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	p.if_revision = revision;
	p.with_if_revision = revision >= 0 && !planted(w, BREAK_LOSE_REVISION, 2);
	view_text(about.target, sizeof(about.target), p.key);
	send_op(w, c, METHOD_MAP_SET, room, &p, &about);
}

void send_map_remove(struct world *w, struct conn *c, int room, const char *key, const char *once)
{
	struct map_remove_params p = {.key = slice_str(key)};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, "m");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.key);
	send_op(w, c, METHOD_MAP_REMOVE, room, &p, &about);
}

/* Now and then an entry_id of one's own, of few: it may be taken. */
static struct slice send_entry_id(struct world *w, struct op *about, bool *with)
{
	*with = dice_percent(&w->dice, 30);
	if (*with) {
		memcpy(about->text, "own-0", sizeof("own-0"));
		about->text[4] = (char)('0' + dice_below(&w->dice, 6));
	}
	return slice_str(about->text);
}

/* @to NULL: at the end. */
void send_list_add(struct world *w, struct conn *c, int room, const char *to, bool behind,
		   const char *once)
{
	char value[9];
	struct op about = {.token = -1};
	if (to == NULL) {
		struct list_push_params p = {0};
		SEND_DATA(p, about, w, c, room, "l");
		SEND_ONCE(p, about, once);
		p.value = send_value(w, &about, value);
		p.entry_id = send_entry_id(w, &about, &p.with_entry_id);
		send_op(w, c, METHOD_LIST_PUSH, room, &p, &about);
		return;
	}
	struct list_insert_params p = {.before = slice_str(to),
				       .with_before = !behind,
				       .after = slice_str(to),
				       .with_after = behind};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	p.entry_id = send_entry_id(w, &about, &p.with_entry_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_LIST_INSERT, room, &p, &about);
}

void send_list_set(struct world *w, struct conn *c, int room, const char *entry, const char *once)
{
	char value[9];
	struct list_set_params p = {.entry_id = slice_str(entry)};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	view_text(about.target, sizeof(about.target), p.entry_id);
	send_op(w, c, METHOD_LIST_SET, room, &p, &about);
}

void send_list_move(struct world *w, struct conn *c, int room, const char *entry, const char *to,
		    bool behind, const char *once)
{
	struct list_move_params p = {.entry_id = slice_str(entry),
				     .before = slice_str(to),
				     .with_before = !behind,
				     .after = slice_str(to),
				     .with_after = behind};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.entry_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_LIST_MOVE, room, &p, &about);
}

void send_list_remove(struct world *w, struct conn *c, int room, const char *entry,
		      const char *once)
{
	struct list_remove_params p = {.entry_id = slice_str(entry)};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.entry_id);
	send_op(w, c, METHOD_LIST_REMOVE, room, &p, &about);
}
