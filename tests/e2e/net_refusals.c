/*
 * net_refusals.c - a real server and peers that misbehave: each is told why and
 * let go, and nobody else notices.
 */
#define _GNU_SOURCE /* prlimit() */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proto/records/records.h"
#include "proto/rpc.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define STORM 10000
#define LAZY  16

static void start_with(struct net_server *s, const char *limit, const char *second)
{
	const char *args[] = {"--listen",
			      "tcp://127.0.0.1:0",
			      "--limit",
			      limit,
			      second == NULL ? NULL : "--limit",
			      second,
			      NULL};
	net_start(s, args);
}

static void greeted(struct net_server *s, struct net_peer *p)
{
	net_peer_open(p, net_connect(s));
	net_hello(p);
}

/* What the peer is told before the connection ends, as JSON. */
static void assert_told_and_closed(int fd, const char *words)
{
	struct net_peer p;
	net_peer_open(&p, fd);
	const char *json = net_message(&p);
	assert_non_null(json);
	assert_non_null(strstr(json, "server.closing"));
	assert_non_null(strstr(json, words));
	assert_null(net_message(&p));
	net_peer_close(&p);
}

/* Of one that has no place: before its handshake there is nothing that TLS could tell it. */
static bool is_refused(const struct net_server *s, const char *json)
{
	return net_transports[s->transport].tells
		       ? json != NULL && strstr(json, "server.closing") != NULL &&
				 strstr(json, "full") != NULL
		       : json == NULL;
}

static void assert_answers(struct net_peer *p)
{
	(void)net_must(p, "server.ping", "{}");
}

NET_TEST_OVER_ALL(garbage_is_told_so_and_closed, s)
{
	struct net_peer bystander;
	start_with(s, "frame_ms=60000", NULL);
	greeted(s, &bystander);
	for (int tcp = 0; tcp < 2; tcp++) {
		char garbage[20000];
		memset(garbage, 0xc1, sizeof(garbage));
		int fd = tcp ? net_connect_tcp("127.0.0.1", net_port(s, "tcp://127.0.0.1:"))
			     : net_connect(s);
		net_send(fd, garbage, sizeof(garbage));
		assert_told_and_closed(fd, net_transports[tcp ? NET_UNIX : s->transport].garbage);
	}
	assert_answers(&bystander);
	net_peer_close(&bystander);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST_OVER_TRANSPORTS_AND_NODES(half_a_message_is_closed_when_its_time_is_over, s)
{
	struct net_peer bystander;
	struct net_peer p;
	start_with(s, "frame_ms=200", NULL);
	greeted(s, &bystander);
	greeted(s, &p);
	net_send(p.fd, "\x94\x00\x07\xab", 4);
	const char *json = net_message(&p);
	assert_non_null(json);
	assert_non_null(strstr(json, "server.closing"));
	assert_null(net_message(&p));
	assert_answers(&bystander);
	net_peer_close(&p);
	net_peer_close(&bystander);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST_OVER_TRANSPORTS(who_never_says_hello_is_closed, s)
{
	start_with(s, "hello_ms=200", NULL);
	assert_told_and_closed(net_connect(s), "hello");
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST_OVER_TRANSPORTS(a_storm_beyond_the_limit_is_refused_and_those_inside_are_served, s)
{
	struct net_peer inside[8];
	start_with(s, "connections=8", NULL);
	net_insider(s, &inside[0]);
	for (int i = 1; i < 8; i++) {
		greeted(s, &inside[i]);
	}
	for (int i = 0; i < STORM; i++) {
		bool is_tcp = i % 2 != 0;
		int fd = is_tcp ? net_connect_tcp("127.0.0.1", net_port(s, "tcp://127.0.0.1:"))
				: net_connect(s);
		if (is_tcp || net_transports[s->transport].tells) {
			assert_told_and_closed(fd, "full");
		} else {
			struct net_peer p;
			net_peer_open(&p, fd);
			assert_null(net_message(&p));
			net_peer_close(&p);
		}
		if (i % 500 == 0) {
			assert_answers(&inside[i / 500 % 8]);
		}
	}
	assert_non_null(strstr(net_must(&inside[0], "server.stats", "{}"),
			       "\"connections_refused_total\":10000"));
	net_peer_close(&inside[7]);
	assert_answers(&inside[0]);
	struct net_peer next; /* a place is free again once the server has seen the other go */
	bool is_in = false;
	while (!is_in) {
		net_peer_open(&next, net_connect(s));
		(void)net_request(&next, "server.ping", "{}");
		const char *json = net_message(&next);
		is_in = json != NULL && strncmp(json, "[1,", 3) == 0;
		net_peer_close(&next);
	}
	for (int i = 0; i < 7; i++) {
		net_peer_close(&inside[i]);
	}
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST_OVER_ALL(few_open_files_bound_the_connections_and_nothing_breaks, s)
{
	int held[150];
	size_t admitted = 0;
	s->files_max = 128;
	/* All wait here for those before them to be asked. */
	start_with(s, "hello_ms=60000", "handshake_ms=60000");
	assert_true(net_wait_log(s, "event=connections_lowered"));
	struct net_peer p;
	greeted(s, &p);
	for (size_t i = 0; i < 150; i++) {
		held[i] = net_connect(s);
	}
	for (size_t i = 0; i < 150; i++) {
		struct net_peer q;
		net_peer_open(&q, held[i]);
		(void)net_request(&q, "server.ping", "{}");
		const char *json = net_message(&q);
		bool is_in = json != NULL && strncmp(json, "[1,", 3) == 0;
		admitted += is_in;
		assert_true(is_in || is_refused(s, json));
		buf_finish(&q.in);
		buf_finish(&q.json);
	}
	assert_in_range(admitted, 16, 64);
	(void)net_must(&p, "room.create", "{}");
	for (size_t i = 0; i < 150; i++) {
		(void)close(held[i]);
	}
	net_peer_close(&p);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

static void allow_files(const struct net_server *s, rlim_t n)
{
	struct rlimit files;
	assert_int_equal(prlimit(s->pid, RLIMIT_NOFILE, NULL, &files), 0);
	files.rlim_cur = n;
	assert_int_equal(prlimit(s->pid, RLIMIT_NOFILE, &files, NULL), 0);
}

/* The server cannot know that its files become fewer, as they do when the whole system runs out. */
NET_TEST_OVER_ALL(without_descriptors_newcomers_wait_and_those_inside_are_served, s)
{
	struct net_peer inside;
	struct net_peer late;
	net_start(s, NULL);
	greeted(s, &inside);
	allow_files(s, 8);
	net_peer_open(&late, net_connect(s));
	(void)net_request(&late, "server.ping", "{}");
	assert_true(net_wait_log(s, "event=accept_failed"));
	for (int i = 0; i < 100; i++) {
		assert_answers(&inside);
	}
	allow_files(s, 256);
	assert_memory_equal(net_message(&late), "[1,1,null,", 10);
	net_peer_close(&late);
	net_peer_close(&inside);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/* The first number that it has no file of. */
static rlim_t first_free_file(const struct net_server *s)
{
	char path[64];
	rlim_t n = 0;
	do {
		(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)s->pid, (int)n++);
	} while (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
	return n - 1;
}

NET_TEST_OVER_TRANSPORTS(without_descriptors_newcomers_are_told_that_the_server_is_full, s)
{
	enum { NEWCOMERS = 40 };
	struct net_peer inside;
	struct net_peer late;
	char line[NET_LINE_BYTES];
	int held[NEWCOMERS];
	net_start(s, NULL);
	greeted(s, &inside);
	allow_files(s, first_free_file(s)); /* what it keeps for this is all there is */
	size_t refused = 0;
	for (size_t i = 0; i < NEWCOMERS; i++) {
		net_peer_open(&late, net_connect(s));
		(void)net_request(&late, "server.ping", "{}");
		refused += is_refused(s, net_message(&late));
		held[i] = late.fd;
		buf_finish(&late.in);
		buf_finish(&late.json);
	}
	assert_int_equal(refused, NEWCOMERS);
	assert_answers(&inside);
	allow_files(s, 256);
	for (size_t i = 0; i < NEWCOMERS; i++) {
		(void)close(held[i]);
	}
	do {
		net_peer_open(&late, net_connect(s));
		(void)net_request(&late, "server.ping", "{}");
		const char *json = net_message(&late);
		refused = json == NULL || strncmp(json, "[1,1,null,", 10) != 0;
		net_peer_close(&late);
	} while (refused != 0);
	net_peer_close(&inside);
	(void)kill(s->pid, SIGTERM);
	size_t lines = 0;
	size_t told = 0;
	while (net_line(s->err, line)) {
		const char *at = strstr(line, "event=accept_failed");
		const char *n = at == NULL ? NULL : strstr(at, "refused=");
		lines += at != NULL;
		told += n == NULL ? 0 : strtoul(n + strlen("refused="), NULL, 10);
	}
	assert_in_range(lines, 1, NEWCOMERS / 2 - 1); /* one a second at most */
	assert_true(told >= 1);
	assert_int_equal(net_wait(s), 0);
}

NET_TEST(too_few_open_files_are_said_at_the_start, s)
{
	char listen_at[NET_PATH_BYTES + 8];
	const char *args[] = {"--listen", listen_at, NULL};
	(void)snprintf(listen_at, sizeof(listen_at), "unix:%s", s->socket);
	s->files_max = 40;
	net_spawn(s, args);
	assert_true(net_wait_log(s, "files may be open"));
	assert_int_equal(net_wait(s), 1);
}

/*
 * A member who never reads, while another says much: the first costs a bounded
 * amount, and the other is served.
 */
NET_TEST_OVER_TRANSPORTS_AND_NODES(who_never_reads_costs_little_and_disturbs_nobody, s)
{
	struct net_peer host;
	struct net_peer lazy[LAZY];
	char room[32];
	char params[2000];
	net_keep_nothing_freed();
	start_with(s, "room_log_bytes=65536", "requests_per_second=1000000");
	greeted(s, &host);
	net_field(net_must(&host, "room.create", "{}"), "room_id", room, sizeof(room));
	(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\"}", room);
	for (int i = 0; i < LAZY; i++) {
		greeted(s, &lazy[i]);
		(void)net_must(&lazy[i], "room.subscribe", params);
	}
	size_t before = 0;
	for (int i = 0; i < 3000; i++) {
		(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\",\"title\":\"%0*d\"}",
			       room, 70, i);
		(void)net_must(&host, "room.set_title", params);
		if (i == 500) {
			before = net_resident_bytes(s);
		}
	}
	/* 2,500 more updates of some 400 bytes, for sixteen who do not read: 16 MB if they were
	 * kept.
	 */
	assert_true(net_resident_bytes(s) < before + (2u << 20));
	for (int i = 0; i < LAZY; i++) {
		net_peer_close(&lazy[i]);
	}
	assert_answers(&host);
	net_peer_close(&host);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/* Sixty-four requests without reading an answer, again and again: reading pauses, and all are
 * answered in the end. */
NET_TEST_OVER_TRANSPORTS_AND_NODES(who_asks_without_reading_is_answered_when_he_reads, s)
{
	struct net_peer p;
	start_with(s, "requests_per_second=1000000", NULL);
	greeted(s, &p);
	uint32_t last = 0;
	for (int i = 0; i < 5000; i++) {
		last = net_request(&p, "server.ping", "{}");
	}
	(void)net_response(&p, last);
	net_peer_close(&p);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/* Answers about a room leave with its unit of work, so that reading goes on from a later turn. */
NET_TEST_OVER_TRANSPORTS_AND_NODES(a_thousand_questions_about_a_room_at_once_are_all_answered, s)
{
	struct net_peer p;
	char room[32];
	struct room_params params = {.room_id = slice_of(room, 6)};
	struct buf at_once;
	start_with(s, "requests_per_second=1000000", NULL);
	greeted(s, &p);
	net_field(net_must(&p, "room.create", "{}"), "room_id", room, sizeof(room));
	buf_init(&at_once, 1u << 20);
	for (uint32_t i = 1; i <= 1000; i++) {
		rpc_write_request(&at_once, 100 + i, SLICE("room.get"), &record_room_params,
				  &params);
	}
	assert_int_equal(at_once.error, OK);
	net_send(p.fd, at_once.data, at_once.len);
	(void)net_response(&p, 1100);
	buf_finish(&at_once);
	net_peer_close(&p);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/*
 * A peer that takes nothing of what it asks for ends when its time is over, whatever the
 * kernels between hold for it, and its neighbour is served.
 */
NET_TEST_OVER_TRANSPORTS_AND_NODES(who_takes_nothing_is_cut_off, s)
{
	struct net_peer owner;
	struct net_peer lazy;
	char room[32];
	char params[64];
	bool is_cut = false;
	net_keep_nothing_freed();
	start_with(s, "stall_ms=300", "requests_per_second=1000000");
	net_insider(s, &owner);
	net_field(net_must(&owner, "room.create", "{}"), "room_id", room, sizeof(room));
	(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\"}", room);
	greeted(s, &lazy);
	size_t before = net_resident_bytes(s);
	for (int i = 0; !is_cut; i++) {
		(void)net_request(&lazy, "room.get", params);
		if (i % 1000 == 0) {
			is_cut = net_figure(&owner, "connections_stalled_total") == 1;
			assert_true(net_resident_bytes(s) < before + (8u << 20));
		}
	}
	net_peer_close(&lazy);
	net_peer_close(&owner);
	assert_int_equal(net_end(s, SIGTERM), 0);
}
