/*
 * crowd_client.h - one client of a crowd, and what clients of a kind do. Private to crowd*.c.
 */
#ifndef TESTS_SUPPORT_CROWD_CLIENT_H
#define TESTS_SUPPORT_CROWD_CLIENT_H

#include <stdint.h>

#include "tests/support/crowd.h"

#define UNDER_WAY    4 /* changes of one client */
#define TO_ANSWER    8 /* questions of one asker that are open */
#define ID_BYTES     32
#define PARAMS_BYTES 320
#define MEMBERS	     4
#define KEEPERS	     2
#define PAIRS	     2 /* of one who asks and one who answers */
#define PLAYERS	     1
#define CLIENTS	     (MEMBERS + KEEPERS + 2 * PAIRS + PLAYERS) /* of a party */
#define CLIENTS_MAX  (CLIENTS * CROWD_PARTIES_MAX)

/* What became of a change. Those that leave no name behind, such as votes, are counted instead. */
enum fate { FATE_UNNAMED, FATE_WAITS, FATE_MADE, FATE_REFUSED };

struct change {
	unsigned number; /* of its client's, from 0 */
	unsigned epoch;	 /* of the crowd when it was made */
	uint32_t msgid;
	bool is_named, is_repeated;
	int64_t sent_us;
	int card;	   /* of a vote */
	char id[ID_BYTES]; /* of the question that is answered */
	const char *method;
	char params[PARAMS_BYTES];
};

struct client {
	const struct client_kind *kind;
	struct crowd *crowd;
	unsigned at; /* its place in the crowd */
	const char *socket;
	struct net_peer peer;
	bool is_open, is_ready;
	long long version; /* of its room, shown last on this connection; 0: nothing was */
	uint32_t greeting; /* the last request of what a connection begins with */
	int64_t not_before_ms;
	char proof[64];		/* of the login, or of the seat */
	char place[ID_BYTES];	/* the room, or the backlog */
	char user_id[ID_BYTES]; /* of the seat; empty: none */
	char counter[ID_BYTES]; /* the item that is counted with */
	struct change changes[UNDER_WAY];
	size_t n;
	unsigned served; /* epoch of the last change that was answered */
	unsigned char *fates;
	unsigned made_n, room;
	unsigned long counted; /* adjustments, or answers, that were made */
	int card;
	unsigned step; /* of the round that is played */
	struct client *other; /* who answers this asker's questions */
	char questions[TO_ANSWER][ID_BYTES];
	size_t questions_n;
};

/* What clients of a kind do. */
struct client_kind {
	/* The next change; false: there is nothing to do. */
	bool (*next)(struct client *c, struct change *change);
	void (*on_made)(struct client *c, const struct change *change, const char *json);
	void (*on_refused)(struct client *c, const struct change *change);
	/* How its named things are called, before the client's place and their number. */
	char name;
	void (*check)(struct client *c);
	bool is_seated; /* in a room, by the key of a seat; else by a login */
	bool is_kept;	/* its changes are not a room's */
};

struct crowd {
	const struct net_server *server;
	unsigned random;
	int pause_ms;
	unsigned long long keys;
	unsigned epoch;
	bool must_stay, is_closing;
	unsigned long made, refused, kept;
	uint32_t *times_us; /* since they were taken last */
	size_t times_n, times_room;
	size_t n;
	struct client clients[CLIENTS_MAX];
};

extern const struct client_kind crowd_member, crowd_keeper, crowd_asker, crowd_answerer, crowd_player;

/* Each "X4-17", of kind X and the client of place 4, in a text; `seen`, of CLIENTS_MAX, counts them if it is not NULL. */
void crowd_look_for_names(struct crowd *crowd, char kind, const char *text, unsigned char **seen);

#endif
