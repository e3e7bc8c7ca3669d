/*
 * team.h - six people in a room: a host and a member at terminals with the real
 * aye, four peers that speak the protocol, and an ayed of their own.
 *
 * Whatever would differ from run to run is pinned (locale, time zone, TERM,
 * names) or masked in what is compared (room code, address, times).
 *
 * Life: team_begin() .. team_end(), which asserts a clean end of all of them.
 * What does not come to stand on a screen fails the test.
 */
#ifndef TESTS_SUPPORT_TEAM_H
#define TESTS_SUPPORT_TEAM_H

#include <stdbool.h>

#include "tests/support/net_kit.h"
#include "tests/support/shots.h"
#include "tests/support/terminal.h"

enum { ADA, GRACE, TEAM_TERMINALS_N }; /* the host, and a member */
enum { TEAM_PEERS_N = 4, TEAM_CODE_CELLS = 6 };

struct team_peer {
	struct net_peer net;
	char user_key[64];
};

/* How their terminals are, and the aye on them. */
struct team_look {
	int width, height;
	const char *theme;
	bool is_ascii;
};

struct team {
	struct team_look look;
	struct net_server server;
	char home[32]; /* what the clients keep */
	struct terminal terminals[TEAM_TERMINALS_N];
	struct team_peer peers[TEAM_PEERS_N];
	char code[TEAM_CODE_CELLS + 1]; /* to be set once it is known */
	struct shots *shots;
};

/* The server runs, without members yet. Shots go to `shots`, which is borrowed. */
void team_begin(struct team *s, const struct team_look *look, struct shots *shots);
/* Who sits at a terminal has left before. */
void team_end(struct team *s);

/* The server dies, and is back with what was acknowledged. Peers must connect again. */
void team_server_dies(struct team *s);
void team_server_is_back(struct team *s);

/* ---- at the terminals; who: ADA or GRACE ---- */

/* Start aye with that verb, and a word for it or NULL. */
void team_sits_down(struct team *s, int who, const char *verb, const char *word);
void team_types(struct team *s, int who, const char *keys);
/* Until the text stands somewhere on that screen, on both, or on it no more. */
void team_sees(struct team *s, int who, const char *text);
void team_both_see(struct team *s, const char *text);
void team_sees_no_more(struct team *s, int who, const char *text);
/* Escape, until the text stands there: it is a key of its own only where nothing follows at once. */
void team_goes_back(struct team *s, int who, const char *to);
/* Compare that screen with the file of that name. */
void team_shot(struct team *s, int who, const char *name);
/* With these keys; aye must end well and leave the terminal as it was. */
void team_leaves(struct team *s, int who, const char *keys);

/* ---- the four: Linus, Margaret, Katherine and Barbara ---- */

void team_peers_come_in(struct team *s);
/* To the seats they had. */
void team_peers_come_back(struct team *s);
void team_peer_votes(struct team *s, int peer, const char *card);

#endif
