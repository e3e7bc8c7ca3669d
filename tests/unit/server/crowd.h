/*
 * crowd.h - many members of a room, for tests of what is large.
 */
#ifndef TESTS_UNIT_SERVER_CROWD_H
#define TESTS_UNIT_SERVER_CROWD_H

#include "tests/unit/server/table.h"

/*
 * The connection for the ith member, p for those before. It is of the server's
 * own user, whose requests are not put off. One connection makes only so many
 * seats; they keep their names when it goes.
 */
static inline struct rig_peer *next_of_crowd(struct table *t, struct rig_peer *p, size_t i)
{
	if (i % MAX_CONNECTION_SEATS != 0) {
		return p;
	}
	if (p != NULL) {
		rig_cut(p);
	}
	p = rig_connect_as(&t->r, "crowd", PEER_UNIX, 0, true);
	rig_hello(p);
	return p;
}

static inline void crowd_key(size_t i, char key[KEY_CHARS + 1])
{
	memset(key, 'A', KEY_CHARS);
	key[KEY_CHARS] = '\0';
	key[0] = (char)('A' + i % 26);
	key[1] = (char)('A' + i / 26 % 26);
	key[2] = (char)('A' + i / 676);
}

/* A room with so many members more, of whom only the last may follow. The last connection. */
static inline struct rig_peer *crowd(struct table *t, size_t members)
{
	struct rig_peer *p = NULL;
	char key[KEY_CHARS + 1];
	for (size_t i = 0; i < members; i++) {
		p = next_of_crowd(t, p, i);
		crowd_key(i, key);
		rig_must(p, "subscribe", "'user_key':'%s'", key);
		rig_must(p, "join", "'username':'member number %zu'", i);
		rig_forget(p);
	}
	rig_forget(t->ada);
	rig_forget(t->bob);
	return p;
}

#endif
