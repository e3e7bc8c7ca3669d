/*
 * scripted.h - a server that does what a test says, for clients under test.
 *
 * It listens on a unix socket and speaks MessagePack-RPC. For each request the
 * first rule that fits and is not used up says what happens; where none fits,
 * it answers with the least that the method's rows allow. What was asked is
 * kept, in order, for the test to look at.
 *
 * It has no thread and no loop: it moves when scripted_turn() is called, by who
 * also turns the client, or waits for the client's process.
 */
#ifndef TESTS_SUPPORT_SCRIPTED_H
#define TESTS_SUPPORT_SCRIPTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/slice.h"
#include "proto/methods.h"
#include "proto/rpc.h"

enum { SCRIPTED_PEERS_MAX = 8, SCRIPTED_REQUESTS_MAX = 512, SCRIPTED_RULES_MAX = 16 };

enum scripted_act {
	SCRIPTED_ANSWERS,  /* with `json`, or `raw`, or the least; then the notices */
	SCRIPTED_REFUSES,  /* with the error map in `json` */
	SCRIPTED_IS_SILENT,
	SCRIPTED_HANGS_UP, /* without an answer */
	SCRIPTED_BABBLES,  /* sends the bytes of `json` as they are */
};

struct scripted_notice {
	const char *method;  /* NULL: none */
	struct slice params; /* MessagePack */
};

struct scripted_rule {
	const char *method; /* NULL: any */
	unsigned times;     /* used up after so many requests; 0: never */
	enum scripted_act act;
	const char *json;
	struct slice raw; /* MessagePack, where `json` is NULL */
	struct scripted_notice notices[2]; /* what follows the answer */
};

struct scripted_request {
	unsigned connection; /* counted from 0 */
	enum method method;  /* METHOD_COUNT: unknown */
	struct slice params; /* MessagePack */
};

struct scripted_peer {
	int fd; /* -1: free */
	unsigned number;
	struct buf in;
};

struct scripted {
	/*
	 * its own, removed at the end; the test may put more there and has to remove it. On TCP: ""
	 */
	char dir[64];
	char address[100]; /* unix:DIR/s, or tcp:// */
	int listener;
	struct scripted_peer peers[SCRIPTED_PEERS_MAX];
	unsigned connections; /* so far */
	struct scripted_rule rules[SCRIPTED_RULES_MAX];
	size_t rules_n;
	struct scripted_request requests[SCRIPTED_REQUESTS_MAX];
	size_t requests_n;
	struct decoder decoder;
	struct arena arena; /* of requests, and for the test */
};

void scripted_open(struct scripted *s);
/* On loopback, instead of a unix socket. */
void scripted_open_tcp(struct scripted *s);
void scripted_close(struct scripted *s);
/* The rules from now on, counted anew, and no request yet. */
void scripted_play(struct scripted *s, const struct scripted_rule *rules, size_t n);
/* Take what is there, waiting up to wait_ms for it. */
void scripted_turn(struct scripted *s, int wait_ms);
/* End every connection. */
void scripted_drop(struct scripted *s);

/* The nth request (from 0) of that method, or NULL. */
const struct scripted_request *scripted_find(const struct scripted *s, enum method method, size_t nth);
size_t scripted_count(const struct scripted *s, enum method method);
/* Its params, of the method's params record; fails the test where they are none. */
void scripted_read(struct scripted *s, const struct scripted_request *r, void *out);

/* The least that a record's rows allow: what must be there, and as short as it may be. */
void scripted_least(struct scripted *s, const struct record *rec, void *out);
/* A record as MessagePack, as long as the server. */
struct slice scripted_bytes(struct scripted *s, const struct record *rec, const void *value);

#endif
