/*
 * member.h - the people: what a client makes of the bytes it gets. They know
 * only that.
 */
#ifndef TESTS_SIM_NET_MEMBER_H
#define TESTS_SIM_NET_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"
#include "server/core/server.h"
#include "tests/sim/net/view.h"
#include "tests/sim/sizes.h"

struct world;
struct conn;

struct member_room {
	char user_key[44];
	char user_id[20];
	bool has_host_key;
	struct view *last; /* where the copy stood when a connection ended; NULL: nothing to resume */
};

struct member {
	char name[16];
	unsigned conns_max;
	bool is_bot;
	struct member_room rooms[SIM_ROOMS_MAX];
	char token[44];     /* of the last login; "" none */
	char old_token[44]; /* of the one before */
	size_t retry; /* index + 1 of an op to repeat with the same key; 0: none */
	struct peer peer; /* where all its connections come from: a repeated room.create is its caller's */
	bool has_peer;
	bool has_signed_in; /* or tried to: from then on it may be another caller */
};

void member_init(struct world *w);
void member_hears(struct world *w, struct conn *c, struct slice bytes);
void member_loses(struct world *w, struct conn *c);
const char *member_name(const struct world *w, int member);
const char *member_at(const struct world *w, const struct conn *c);
/* The member who sits at that seat, or -1. */
int member_of_seat(const struct world *w, int room, const char *user_id);

#endif
