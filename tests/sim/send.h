/*
 * send.h - requests on their way out, and the note the oracle keeps of each.
 *
 * once is an idempotency_key or NULL. What returns an op returns one that the
 * world owns, valid until the next send.
 */
#ifndef TESTS_SIM_SEND_H
#define TESTS_SIM_SEND_H

#include "tests/sim/sim.h"

/* Of every room that has one. */
#define SIM_PASSCODE "sesame"

/* send.c */
struct op *send_op(struct world *w, struct conn *c, enum method method, int room, const void *params, const struct op *about);
struct op *send_raw(struct world *w, struct conn *c, enum method method, int room, struct slice params, enum fault_code expect);
void send_bytes(struct world *w, struct conn *c, struct slice bytes);
void send_hello(struct world *w, struct conn *c);
void send_create(struct world *w, struct conn *c, struct slices deck, const char *preset, const char *title, const char *once);
void send_subscribe(struct world *w, struct conn *c, int room, bool with_since);
void send_seat(struct world *w, struct conn *c, enum method method, int room, const char *once);
void send_join(struct world *w, struct conn *c, int room, const char *raw, const char *clean, bool spectator, bool is_bot, const char *once);
void send_vote(struct world *w, struct conn *c, int room, const char *card, const char *once);
void send_host(struct world *w, struct conn *c, enum method method, int room, bool flag, bool with_key, const char *once);
void send_target(struct world *w, struct conn *c, enum method method, int room, const char *user_id, bool with_key, const char *once);
void send_deck(struct world *w, struct conn *c, int room, struct slices deck, bool with_key, const char *once);
void send_title(struct world *w, struct conn *c, int room, const char *title, bool with_key, const char *once);
void send_claim(struct world *w, struct conn *c, int room, const char *key);
void send_plain(struct world *w, struct conn *c, enum method method, int room);
void send_again(struct world *w, struct conn *c, size_t op);
/* The other card of its pair, of equal length; itself where it has none. */
const char *twin_card(const char *card);
/* The key of the seat the connection speaks for; false where it has none, or need not show it again. */
bool send_shows_key(struct world *w, struct conn *c, int room, struct slice *key);

/* session.resume. */
void send_token(struct world *w, struct conn *c, const char *token, enum fault_code expect);

/* send_play.c: rounds, timers, stories, the policy */
/* What one request changes of the policy: a flag, or what is beside them. */
enum policy_part {
#define PART(F, field, ...) PART_##field,
	POLICY_FLAGS(PART, _)
#undef PART
	PART_passcode,
	PART_who_edits_data,
	PART_members_edit_data,
	POLICY_PARTS
};
void send_policy(struct world *w, struct conn *c, int room, uint32_t part, bool flag, bool with_key, const char *once);
void send_member(struct world *w, struct conn *c, enum method method, int room, bool with_key, const char *once);
void send_cancel(struct world *w, struct conn *c, int room, int64_t token, bool with_key, const char *once);
void send_arm(struct world *w, struct conn *c, int room, bool is_armed, bool with_key, const char *once);
void send_timer(struct world *w, struct conn *c, int room, int64_t seconds, bool reveals, bool with_key, const char *once);
void send_keep(struct world *w, struct conn *c, int room, int64_t days, bool with_key, const char *once);
void send_nudge(struct world *w, struct conn *c, int room, const char *once);
void send_settle(struct world *w, struct conn *c, int room, const char *card, bool with_key, const char *once);
void send_story_add(struct world *w, struct conn *c, int room, const char *title, const char *before, const char *once);
void send_story_update(struct world *w, struct conn *c, int room, const char *story_id, const char *title, const char *once);
void send_story_move(struct world *w, struct conn *c, int room, const char *story_id, const char *to, bool behind, const char *once);
void send_story(struct world *w, struct conn *c, enum method method, int room, const char *story_id, const char *once);
void send_select(struct world *w, struct conn *c, int room, const char *story_id, bool with_key, const char *once);

/* send_data.c: shared data */
void send_data(struct world *w, struct conn *c, enum method method, int room, const char *set, const char *once);
void send_get(struct world *w, struct conn *c, enum method method, int room, const char *set);
/* @ttl_ms 0: none. */
void send_presence_set(struct world *w, struct conn *c, int room, int64_t ttl_ms, const char *once);
void send_map_set(struct world *w, struct conn *c, int room, const char *key, int64_t revision, const char *once);
void send_map_remove(struct world *w, struct conn *c, int room, const char *key, const char *once);
void send_list_add(struct world *w, struct conn *c, int room, const char *to, bool behind, const char *once);
void send_list_set(struct world *w, struct conn *c, int room, const char *entry, const char *once);
void send_list_move(struct world *w, struct conn *c, int room, const char *entry, const char *to, bool behind, const char *once);
void send_list_remove(struct world *w, struct conn *c, int room, const char *entry, const char *once);

/* ---- what most params have in common ---- */

#define SEND_ROOM_ID(p, w, room)                              \
	do {                                                  \
		(p).room_id = slice_str((w)->rooms[room].id); \
		(p).with_room_id = true;                      \
	} while (false)
#define SEND_ONCE(p, about, key)                                                       \
	do {                                                                           \
		(p).idempotency_key = slice_str(key);                                  \
		(p).with_idempotency_key = (key) != NULL;                              \
		if ((key) != NULL) {                                                   \
			view_text((about).once, sizeof((about).once), slice_str(key)); \
		}                                                                      \
	} while (false)
#define SEND_HOST_KEY(p, about, w, room, show)                       \
	do {                                                         \
		(p).host_key = slice_str((w)->rooms[room].host_key); \
		(p).with_host_key = (show) && (p).host_key.len > 0;  \
		(about).shows_host_key = (p).with_host_key;          \
	} while (false)

#endif
