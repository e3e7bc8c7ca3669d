/*
 * crowd_client.h - one client of a crowd, and what clients of a kind do. Private to crowd*.c.
 */
#ifndef TESTS_SUPPORT_CROWD_CLIENT_H
#define TESTS_SUPPORT_CROWD_CLIENT_H

#include <stdint.h>

#include "tests/support/crowd.h"

/* At most; as long pauses a client between two changes, so that tests beside this one go on. */
#define CROWD_TURN_MS 10
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
	int64_t sent_us; /* the last time */
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
	unsigned tries; /* of connecting, each at the next server where there are several */
	struct room *room; /* whose member it is, or NULL */
	struct net_peer peer;
	bool is_open, is_ready;
	bool is_silent; /* never votes */
	long long version; /* of its room, shown last on this connection; 0: nothing was */
	long long epoch, least; /* the version that it may have, in that epoch, when it is shown first */
	uint32_t greeting; /* the last request of what a connection begins with */
	int64_t greeted_us; /* when it was made */
	int64_t since_us;   /* from when on it has waited for a change to be made; 0: it has none under way */
	int64_t not_before_ms;
	char proof[64];		/* of the login, or of the seat */
	char place[ID_BYTES];	/* the room, or the backlog */
	char user_id[ID_BYTES]; /* of the seat; empty: none */
	char counter[ID_BYTES]; /* the item that is counted with */
	struct change changes[UNDER_WAY];
	size_t n;
	unsigned served; /* epoch of the last change that was answered */
	unsigned char *fates;
	unsigned made_n, fates_room;
	unsigned long counted; /* adjustments, or answers, that were made */
	int card;
	unsigned step; /* of the round that is played */
	struct client *other; /* who answers this asker's questions */
	char questions[TO_ANSWER][ID_BYTES];
	size_t questions_n;
};

/* What all clients together were shown of a room. Its versions are those of an epoch: from one load of it to the next. */
#define STEPS  1024
#define EPOCHS 64
struct room {
	long long epoch;
	long long newest, marked, settled; /* versions: of now, as it was when it was marked, and the mark before that one */
	int64_t marked_ms;
	struct {
		long long epoch;
		int64_t over_ms; /* when another one was shown first */
	} past[EPOCHS];
	size_t past_n; /* of all that there were; the last EPOCHS are kept */
	struct step {
		long long epoch, from, to;
		uint64_t what;
	} steps[STEPS]; /* by `to` */
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
	const struct net_server *servers[CROWD_SERVERS_MAX];
	size_t servers_n;
	unsigned random;
	int pause_ms;
	unsigned long long keys;
	unsigned epoch;
	bool must_stay, is_closing;
	unsigned long made, refused, kept;
	uint32_t *times_us; /* since they were taken last */
	size_t times_n, times_room;
	int64_t longest_us; /* a wait, since that was asked for */
	size_t rooms_n;
	struct room rooms[2 * CROWD_PARTIES_MAX];
	size_t n;
	struct client clients[CLIENTS_MAX];
};

int64_t crowd_now_us(void);
/* Where a client comes in now. */
const char *crowd_socket(const struct client *c);
/* The version of the room that somebody was shown at least CROWD_LEASE_MS ago, in its epoch. */
long long crowd_room_settled(struct room *r);
/*
 * A client is shown its room, or a step of it: everybody is shown the same, whichever way it comes, and nothing that was
 * over long before it was asked for; and a room that nobody reveals keeps its cards to itself.
 */
void crowd_room_check(const struct client *c, long long epoch, long long from, long long to, const char *json);
/* Open one more connection of a client, as it comes in, and say hello. */
void crowd_open(struct client *c, struct net_peer *p);

extern const struct client_kind crowd_member, crowd_keeper, crowd_asker, crowd_answerer, crowd_player;

/* Each "X4-17", of kind X and the client of place 4, in a text; `seen`, of CLIENTS_MAX, counts them if it is not NULL. */
void crowd_look_for_names(struct crowd *crowd, char kind, const char *text, unsigned char **seen);

#endif
