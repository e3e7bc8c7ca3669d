/*
 * net.h - connections that break their streams into pieces, hold them back,
 * stop reading, and end at any byte.
 */
#ifndef TESTS_SIM_NET_NET_H
#define TESTS_SIM_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/frame_scan.h"
#include "server/core/server.h"
#include "tests/sim/features/sessions.h"
#include "tests/sim/net/op.h"
#include "tests/sim/net/view.h"
#include "tests/sim/sizes.h"

struct sim_node;
struct world;

/* How bytes come to the server: request by request mostly, cut anywhere, one by one, or all that was sent in one read. */
enum pace { PACE_WHOLE, PACE_PIECES, PACE_BYTES, PACE_AT_ONCE };

/* What one connection follows of one room. */
struct sub {
	bool is_on;      /* the client knows that it is subscribed */
	unsigned asks;   /* room.subscribe calls on their way */
	bool is_leaving; /* room.unsubscribe is on its way */
	bool is_resumed;
	char user_id[20];
	struct view view;
	bool has_you;
	bool you_is_host;
	bool you_is_spectator;
	bool you_is_waiting;
	char you_name[SIM_NAME_BYTES];
	char you_vote[SIM_CARD_BYTES];
	char you_barred[20]; /* the last of those that room.you says were kicked for good; "": none */
};

/* A stream of frames being taken apart. */
struct frames {
	struct buf bytes;
	struct frame_scan scan;
};

struct conn {
	uint32_t serial;
	struct conn_id id;
	int member;
	struct sim_node *node; /* the server it is to */
	bool server_has; /* between EVENT_OPEN and EVENT_CLOSED */
	bool client_has;
	bool is_paused;
	bool is_blocked;
	bool is_deaf; /* reads nothing any more, at the end of a run */
	bool is_closing; /* FX_CLOSE was performed */
	bool is_without_data; /* subscribes with data: false */
	bool is_desk;         /* for sessions and what is theirs; in rooms of groups on its login's seat */
	int quiet_step, quiet_room; /* how far it has played a round through, when all is calm: quiet_round.c */
	char watched[20];         /* the question or group that it watches, the last of them */
	char unwatched_topic[20]; /* likewise, that it watches no more; "": none */
	bool has_gone_on;     /* has logged in, and watches, at the end of a run */
	bool is_brief;        /* logs in, takes a seat by that, and logs out, at the end of a run */
	size_t session;       /* index + 1 of the one it has, judged by what left; 0: none */
	bool session_is_unsure; /* a repeat of a logout was granted, or a login whose session has ended already: whether it still has that one is not certain */
	struct sessions_watch copy;
	struct group_copy group; /* what it was sent of the group that it watches */
	struct container_copy container; /* likewise of the container */
	uint64_t container_unwatched; /* as unwatched, of container.unwatch */
	uint64_t walks;       /* counts lists of its pages that were begun */
	uint64_t unwatched;   /* order of the last session.unwatch that was granted; 0: none was */
	char nonce[44];       /* heard with the last hello */
	enum pace pace;
	size_t pipe_bytes;     /* what the way to the client holds */
	unsigned up_percent;   /* chance to move in a step */
	unsigned down_percent;
	int64_t stalled_until; /* mono; the client reads nothing before */

	struct buf up; /* sent by the client, not yet with the server */
	uint64_t up_moved, up_queued;
	struct buf down; /* left the server, not yet with the client */
	struct frames leaving; /* the oracle's reading, as bytes leave */
	struct frames heard;   /* the client's reading, as they arrive */

	bool said_hello;
	bool is_greeted;
	bool is_broken;       /* sent what is no message */
	bool left_greeted;    /* the server's answer to hello has left */
	size_t half_bytes;    /* of a message that it begins last and never ends; 0: none */
	bool says_nothing;
	int64_t opened_mono;
	int64_t begun_mono;   /* when the first byte of what leaves now did */
	int64_t part_mono;    /* since when an unfinished message lies with the server; 0: none */
	int64_t busy_mono;    /* when the server last answered it, or went on reading */
	int64_t full_mono;    /* since when it took no byte of what waits; 0: nothing waits */
	uint32_t next_msgid;
	struct sub *subs[SIM_ROOMS_MAX];
	bool leaving_on[SIM_ROOMS_MAX]; /* subscribed, judged by what left */
	char leaving_id[SIM_ROOMS_MAX][20];
	char leaving_key[SIM_ROOMS_MAX][44];
	bool shows_other_key[SIM_ROOMS_MAX]; /* than that: which seat it speaks for is not certain */
	int64_t nudged_mono[SIM_ROOMS_MAX];  /* the earliest that the last nudge to it can have been made; 0: none has */
	bool host_key_shown[SIM_ROOMS_MAX]; /* in some request of this connection, or by having made the room */
	bool user_key_shown[SIM_ROOMS_MAX];
	char my_key[SIM_ROOMS_MAX][44]; /* the seat this connection speaks for */
	char my_id[SIM_ROOMS_MAX][20];
};

struct conn *net_open(struct world *w, int member);
/* The same, to that node. NULL: it takes none. */
struct conn *net_open_at(struct world *w, int member, struct sim_node *node);
/* Whoever is behind it comes by ssh: the kiosk says by which key. */
bool net_is_kiosk(const struct world *w, const struct conn *c);
void net_deliver(struct world *w, struct conn *c);
void net_deliver_up_to(struct world *w, struct conn *c, size_t bytes);
void net_cut(struct world *w, struct conn *c);
void net_close_by_server(struct world *w, struct conn *c);
void net_write(struct world *w, struct conn *c);
void net_receive(struct world *w, struct conn *c, size_t bytes);
void net_crash(struct world *w);
/* Forget connections that both sides have given up. */
void net_sweep(struct world *w);
struct conn *net_by_id(struct world *w, struct conn_id id);
struct conn *net_by_serial(const struct world *w, uint32_t serial);
void net_destroy_all(struct world *w);

#endif
