/*
 * send.h - requests on their way out, and the note the oracle keeps of each.
 *
 * once is an idempotency_key or NULL. What returns an op returns one that the
 * world owns, valid until the next send.
 */
#ifndef TESTS_SIM_SEND_H
#define TESTS_SIM_SEND_H

#include "tests/sim/world/world.h"

struct op *send_op(struct world *w, struct conn *c, enum method method, int room, const void *params, const struct op *about);
struct op *send_raw(struct world *w, struct conn *c, enum method method, int room, struct slice params, enum fault_code expect);
/* The same request once more, with its idempotency_key. */
void send_again(struct world *w, struct conn *c, size_t op);
void send_bytes(struct world *w, struct conn *c, struct slice bytes);

/* The connection speaks for a seat of the room from now on, if its owner has one there. */
void send_identity(struct world *w, struct conn *c, int room);
/* The key of the seat the connection speaks for; false where it has none, or need not show it again. */
bool send_shows_key(struct world *w, struct conn *c, int room, struct slice *key);

void send_hello(struct world *w, struct conn *c);
/* Those that say no more than the room, than who asks, than whom it concerns. */
void send_plain(struct world *w, struct conn *c, enum method method, int room);
void send_member(struct world *w, struct conn *c, enum method method, int room, bool with_key, const char *once);
void send_target(struct world *w, struct conn *c, enum method method, int room, const char *user_id, bool with_key, const char *once);

/* ---- what most params have in common ---- */

#define SEND_ROOM_ID(p, w, room)                              \
	do {                                                  \
		(p).room_id = slice_str((w)->rooms[room].id); \
		(p).with_room_id = true;                      \
	} while (false)
#define SEND_ONCE(p, about, key)                                                       \
	do {                                                                           \
		(p).idempotency_key = slice_str(key);                                  \
		if ((key) != NULL) {                                                   \
			view_text((about).once, sizeof((about).once), slice_str(key)); \
		}                                                                      \
	} while (false)
#define SEND_HOST_KEY(p, about, w, room, show)                       \
	do {                                                         \
		(p).host_key = slice_str((show) ? (w)->rooms[room].host_key : ""); \
		(about).shows_host_key = (p).host_key.len > 0;          \
	} while (false)

#endif
