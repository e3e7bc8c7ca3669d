/*
 * test_net_redis.c - links to a real redis-server on libuv: over a unix socket, TCP and TLS.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "proto/base/format.h"
#include "server/net/redis_uv.h"
#include "store/redis/link/redis_link.h"
#include "tests/support/heap.h"
#include "tests/support/redis_run.h"
#include "tests/support/test.h"

#define PATIENCE_MS 60000

/* ---- a host of several addresses ---- */

#define SEVERAL "several.invalid"

/* As freeaddrinfo(3) frees them. */
static struct addrinfo *address_of(uint32_t ip, const char *port, struct addrinfo *next)
{
	struct {
		struct addrinfo info;
		struct sockaddr_in at;
	} *made = calloc(1, sizeof(*made));
	assert_non_null(made);
	made->at.sin_family = AF_INET;
	made->at.sin_addr.s_addr = htonl(ip);
	made->at.sin_port = htons((uint16_t)atoi(port));
	made->info.ai_family = AF_INET;
	made->info.ai_socktype = SOCK_STREAM;
	made->info.ai_addrlen = sizeof(made->at);
	made->info.ai_addr = (struct sockaddr *)&made->at;
	made->info.ai_next = next;
	return &made->info;
}

/* In place of libc's, for libuv as well: at the first two addresses nobody listens. */
int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
		struct addrinfo **out)
{
	union {
		void *found;
		int (*call)(const char *, const char *, const struct addrinfo *,
			    struct addrinfo **);
	} libc = {.found = dlsym(RTLD_NEXT, "getaddrinfo")};
	if (host == NULL || port == NULL || strcmp(host, SEVERAL) != 0) {
		return libc.call(host, port, hints, out);
	}
	*out = address_of(INADDR_LOOPBACK, port, NULL);
	*out = address_of(INADDR_LOOPBACK + 2, port, *out);
	*out = address_of(INADDR_LOOPBACK + 1, port, *out);
	return 0;
}

/* ---- scenes ---- */

enum way { WAY_UNIX, WAY_TCP, WAY_TLS };

struct scene {
	struct redis_run server;
	uv_loop_t loop;
	uv_timer_t patience;
	struct redis_uv *net;
	struct tls_context *tls;
	struct redis_address address;
	struct redis_link *link;
};

static void on_patience(uv_timer_t *timer)
{
	(void)timer;
	fail_msg("nothing came for a minute");
}

static void scene_lay(struct scene *s)
{
	*s = (struct scene){0};
	(void)signal(SIGPIPE, SIG_IGN);
	redis_run_lay(&s->server);
	assert_int_equal(uv_loop_init(&s->loop), 0);
	assert_int_equal(uv_timer_init(&s->loop, &s->patience), 0);
	assert_int_equal(uv_timer_start(&s->patience, on_patience, PATIENCE_MS, PATIENCE_MS), 0);
}

static void scene_clear(struct scene *s)
{
	redis_link_destroy(s->link);
	redis_uv_destroy(s->net);
	tls_context_free(s->tls);
	uv_close((uv_handle_t *)&s->patience, NULL);
	(void)uv_run(&s->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s->loop), 0);
	redis_run_clear(&s->server);
}

#define NET_REDIS_TEST(name, s) TEST_OF(name, struct scene, s, scene_lay(s), scene_clear(s))

/* Turns of the loop until it is so. */
#define run_until(s, condition)                                \
	do {                                                   \
		while (!(condition)) {                         \
			(void)uv_run(&(s)->loop, UV_RUN_ONCE); \
		}                                              \
		(void)uv_timer_again(&(s)->patience);          \
	} while (0)

/* ---- certificates ---- */

static void read_file(const struct scene *s, const char *name, struct buf *out)
{
	char path[128];
	char bytes[8192];
	(void)snprintf(path, sizeof(path), "%s/%s", s->server.dir, name);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	size_t n = fread(bytes, 1, sizeof(bytes), f);
	assert_int_equal(buf_append(out, bytes, n), OK);
	(void)fclose(f);
}

static void make_certificates(const struct scene *s)
{
	char command[256];
	(void)snprintf(command, sizeof(command),
		       "/usr/bin/python3 -W ignore tests/support/certificates.py %s",
		       s->server.dir);
	assert_int_equal(system(command), 0);
}

/* Trust that authority; with a certificate of our own unless that is NULL. */
static void trust(struct scene *s, const char *authority, const char *own)
{
	struct buf files[3];
	char name[64];
	struct errmsg why = {""};
	for (size_t i = 0; i < 3; i++) {
		buf_init(&files[i], 65536);
	}
	(void)snprintf(name, sizeof(name), "%s.crt", authority);
	read_file(s, name, &files[0]);
	if (own != NULL) {
		(void)snprintf(name, sizeof(name), "%s.crt", own);
		read_file(s, name, &files[1]);
		(void)snprintf(name, sizeof(name), "%s.key", own);
		read_file(s, name, &files[2]);
	}
	tls_context_free(s->tls);
	assert_int_equal(tls_context_trust(buf_slice(&files[0]), buf_slice(&files[1]),
					   buf_slice(&files[2]), &s->tls, &why),
			 OK);
	for (size_t i = 0; i < 3; i++) {
		buf_finish(&files[i]);
	}
}

static void start_tls(struct scene *s, const char *certificate, const char *auth_clients)
{
	char port[8];
	char files[3][128];
	const char *const options[] = {"--port",
				       "0",
				       "--tls-port",
				       port,
				       "--tls-cert-file",
				       files[0],
				       "--tls-key-file",
				       files[1],
				       "--tls-ca-cert-file",
				       files[2],
				       "--tls-auth-clients",
				       auth_clients,
				       NULL};
	(void)snprintf(port, sizeof(port), "%d", s->server.port);
	(void)snprintf(files[0], sizeof(files[0]), "%s/%s.crt", s->server.dir, certificate);
	(void)snprintf(files[1], sizeof(files[1]), "%s/%s.key", s->server.dir, certificate);
	(void)snprintf(files[2], sizeof(files[2]), "%s/authority.crt", s->server.dir);
	redis_run_start(&s->server, options);
}

/* ---- links ---- */

static void use_address(struct scene *s, enum way way, const char *host)
{
	char text[128];
	struct errmsg why = {""};
	if (way == WAY_UNIX) {
		(void)snprintf(text, sizeof(text), "redis+unix://%s", s->server.socket);
	} else {
		(void)snprintf(text, sizeof(text), "%s://%s:%d",
			       way == WAY_TLS ? "rediss" : "redis", host, s->server.port);
	}
	assert_int_equal(redis_address_parse(text, &s->address, &why), OK);
}

static void connect_link(struct scene *s)
{
	assert_int_equal(redis_uv_create(&s->loop, s->tls, &s->net), OK);
	struct redis_link_config c = {.net = redis_uv_net(s->net), .address = &s->address};
	assert_int_equal(redis_link_create(&c, &s->link), OK);
}

static void disconnect(struct scene *s)
{
	redis_link_destroy(s->link);
	redis_uv_destroy(s->net);
	s->link = NULL;
	s->net = NULL;
}

static void begin(struct scene *s, enum way way)
{
	if (way == WAY_TLS) {
		make_certificates(s);
		trust(s, "authority", NULL);
		start_tls(s, "good", "no");
	} else {
		redis_run_start(&s->server, NULL);
	}
	use_address(s, way, "127.0.0.1");
	connect_link(s);
	run_until(s, redis_link_is_ready(s->link));
}

/* Whether an attempt has ended, other than by a machine that is too busy to answer in time. */
static bool is_judged(const struct scene *s)
{
	enum redis_end end = redis_link_greeted(s->link);
	return end != REDIS_END_UNSENT && end != REDIS_END_LATE;
}

/* Why the link does not get ready. */
static const char *refused(struct scene *s)
{
	connect_link(s);
	run_until(s, is_judged(s));
	assert_false(redis_link_is_ready(s->link));
	const char *why = strstr(redis_link_why(s->link), ": ");
	if (why == NULL) {
		fail_msg("%s", redis_link_why(s->link));
	}
	return why + 2;
}

struct asked {
	bool is_over;
	enum redis_end end;
	int64_t integer;
	size_t len;
};

static void on_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct asked *a = arg;
	assert_false(a->is_over);
	*a = (struct asked){true, end, reply == NULL ? 0 : reply->integer,
			    reply == NULL ? 0 : reply->text.len};
}

static void ask(struct scene *s, struct asked *a, const char *verb, const char *key,
		struct slice value)
{
	struct slice words[] = {slice_str(verb), slice_str(key), value};
	struct redis_command c = {REDIS_NO_SCRIPT, words, value.data == NULL ? 2 : 3, 30000};
	*a = (struct asked){0};
	assert_int_equal(redis_link_send(s->link, &c, on_end, a), OK);
}

#define LARGE 5000000

/* More than any socket takes at once, in both directions, and many small ones behind it. */
static void send_much(struct scene *s)
{
	enum { MANY = 5000 };
	struct asked *asked = calloc(MANY, sizeof(*asked));
	char *large = calloc(1, LARGE);
	struct asked set;
	struct asked get;
	struct slice none = {0};
	assert_non_null(asked);
	assert_non_null(large);
	ask(s, &set, "SET", "large", slice_of(large, LARGE));
	for (size_t i = 0; i < MANY; i++) {
		ask(s, &asked[i], "INCR", "n", none);
	}
	ask(s, &get, "GET", "large", none);
	redis_link_flush(s->link);
	run_until(s, get.is_over);
	assert_int_equal(set.end, REDIS_END_OK);
	assert_int_equal(get.len, LARGE);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(asked[i].integer, i + 1);
	}
	free(large);
	free(asked);
}

static void assert_serves(struct scene *s)
{
	struct asked a;
	ask(s, &a, "SET", "a", SLICE("1"));
	redis_link_flush(s->link);
	run_until(s, a.is_over);
	assert_int_equal(a.end, REDIS_END_OK);
}

#define OVER_ALL(of, what)                \
	NET_REDIS_TEST(of##_over_unix, s) \
	{                                 \
		what(s, WAY_UNIX);        \
	}                                 \
	NET_REDIS_TEST(of##_over_tcp, s)  \
	{                                 \
		what(s, WAY_TCP);         \
	}                                 \
	NET_REDIS_TEST(of##_over_tls, s)  \
	{                                 \
		what(s, WAY_TLS);         \
	}

static void much(struct scene *s, enum way way)
{
	begin(s, way);
	send_much(s);
}
OVER_ALL(test_much_goes_both_ways, much)

/* The server does not read: what the socket does not take waits, whether it comes at once or in turns, and goes on. */
static void stopped(struct scene *s, enum way way)
{
	enum { TURNS = 200, APPENDED = 40000 };
	struct asked appended[TURNS];
	struct asked set;
	struct asked get;
	char *large = calloc(1, LARGE);
	assert_non_null(large);
	begin(s, way);
	(void)kill(s->server.pid, SIGSTOP);
	for (size_t i = 0; i < TURNS; i++) {
		ask(s, &appended[i], "APPEND", "turns", slice_of(large, APPENDED));
		redis_link_flush(s->link);
		(void)uv_run(&s->loop, UV_RUN_NOWAIT);
	}
	ask(s, &set, "SET", "large", slice_of(large, LARGE));
	ask(s, &get, "STRLEN", "large", (struct slice){0});
	redis_link_flush(s->link);
	(void)uv_run(&s->loop, UV_RUN_NOWAIT);
	assert_false(appended[0].is_over);
	(void)kill(s->server.pid, SIGCONT);
	run_until(s, get.is_over);
	assert_int_equal(get.integer, LARGE);
	for (size_t i = 0; i < TURNS; i++) {
		assert_int_equal(appended[i].integer, (i + 1) * APPENDED);
	}
	free(large);
}
OVER_ALL(test_a_server_that_was_stopped_gets_all, stopped)

static void killed(struct scene *s, enum way way)
{
	struct asked lost;
	struct asked kept;
	begin(s, way);
	ask(s, &lost, "BLPOP", "nothing", SLICE("30"));
	redis_link_flush(s->link);
	(void)uv_run(&s->loop, UV_RUN_NOWAIT);
	redis_run_kill(&s->server);
	run_until(s, lost.is_over);
	assert_int_equal(lost.end, REDIS_END_LOST);
	ask(s, &kept, "SET", "a", SLICE("1"));
	redis_link_flush(s->link);
	if (way == WAY_TLS) {
		start_tls(s, "good", "no");
	} else {
		redis_run_start(&s->server, NULL);
	}
	run_until(s, kept.is_over);
	assert_int_equal(kept.end, REDIS_END_OK);
}
OVER_ALL(test_a_server_that_was_killed_is_found_again, killed)

/* Until a server holds the key, as a client on a loop of its own sees it: what wrote it was answered before. */
static void wait_for_key(const struct scene *s, const char *key)
{
	struct scene other = {.address = s->address, .tls = s->tls};
	struct asked a = {0};
	assert_int_equal(uv_loop_init(&other.loop), 0);
	assert_int_equal(uv_timer_init(&other.loop, &other.patience), 0);
	connect_link(&other);
	do {
		ask(&other, &a, "EXISTS", key, (struct slice){0});
		redis_link_flush(other.link);
		run_until(&other, a.is_over);
	} while (a.integer == 0);
	disconnect(&other);
	uv_close((uv_handle_t *)&other.patience, NULL);
	(void)uv_run(&other.loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&other.loop), 0);
}

/* The loop was held up: the time is over, and the reply is in the socket. */
static void held_up(struct scene *s, enum way way)
{
	struct asked set;
	begin(s, way);
	struct slice words[] = {SLICE("SET"), SLICE("held"), SLICE("1")};
	struct redis_command c = {REDIS_NO_SCRIPT, words, 3, 1};
	set = (struct asked){0};
	assert_int_equal(redis_link_send(s->link, &c, on_end, &set), OK);
	redis_link_flush(s->link);
	wait_for_key(s, "held");
	uint64_t due_ns = uv_now(&s->loop) * 1000000 + 5000000;
	while (uv_hrtime() < due_ns) {
	}
	run_until(s, set.is_over);
	assert_int_equal(set.end, REDIS_END_OK);
}
OVER_ALL(test_a_reply_that_is_there_is_not_late, held_up)

static void left(struct scene *s, enum way way)
{
	struct asked sent;
	begin(s, way);
	ask(s, &sent, "BLPOP", "nothing", SLICE("30"));
	redis_link_flush(s->link);
	disconnect(s); /* and the loop lets go of everything: scene_clear() */
	assert_int_equal(sent.end, REDIS_END_LOST);
}
OVER_ALL(test_a_link_may_be_destroyed_at_work, left)

static void left_early(struct scene *s, enum way way)
{
	redis_run_start(&s->server, NULL);
	use_address(s, way, "localhost");
	for (int turns = 0; turns < 5; turns++) {
		connect_link(s);
		for (int i = 0; i < turns; i++) {
			(void)uv_run(&s->loop, UV_RUN_NOWAIT);
		}
		disconnect(s);
	}
}
OVER_ALL(test_a_link_may_be_destroyed_while_it_connects, left_early)

/* ---- memory ---- */

/* With the nth allocation failing: what could be asked is answered all the same, by this connection or the next. */
static bool ask_without(struct scene *s, size_t nth)
{
	struct redis_link_config c = {.address = &s->address};
	struct asked a = {0};
	enum err e;
	heap_fail_nth(nth, false);
	e = redis_uv_create(&s->loop, s->tls, &s->net);
	if (e == OK) {
		c.net = redis_uv_net(s->net);
		e = redis_link_create(&c, &s->link);
	}
	if (e == OK) {
		struct slice words[] = {SLICE("INCR"), SLICE("n")};
		struct redis_command incr = {REDIS_NO_SCRIPT, words, 2, 30000};
		e = redis_link_send(s->link, &incr, on_end, &a);
	}
	if (e == OK) {
		redis_link_flush(s->link);
		run_until(s, a.is_over);
		assert_true(a.end == REDIS_END_OK || a.end == REDIS_END_LOST);
	} else {
		assert_int_equal(e, ERR_NOMEM);
	}
	bool has_failed = heap_has_failed();
	heap_fail_never();
	disconnect(s);
	return has_failed;
}

static void without_memory(struct scene *s, enum way way)
{
	size_t nth = 0;
	begin(s, way);
	disconnect(s);
	while (ask_without(s, nth)) {
		nth++;
	}
	assert_in_range(nth, 5, 1000);
}
OVER_ALL(test_memory_that_is_out_is_survived, without_memory)

/* ---- what is refused ---- */

static struct asked in_turn;

static void on_prepare(uv_prepare_t *prepare)
{
	struct scene *s = prepare->data;
	ask(s, &in_turn, "SET", "a", SLICE("1"));
	redis_link_flush(s->link);
	uv_close((uv_handle_t *)prepare, NULL);
}

/* Between timers and reads, as what clients ask is sent: the write fails, then its end is read, then the timer comes. */
NET_REDIS_TEST(test_a_write_that_fails_in_the_turn_that_reads_the_end_is_told_once, s)
{
	uv_prepare_t prepare = {.data = s};
	begin(s, WAY_UNIX);
	redis_run_kill(&s->server);
	assert_int_equal(uv_prepare_init(&s->loop, &prepare), 0);
	assert_int_equal(uv_prepare_start(&prepare, on_prepare), 0);
	run_until(s, in_turn.is_over);
	redis_run_start(&s->server, NULL);
	run_until(s, redis_link_is_ready(s->link));
	assert_serves(s);
}

NET_REDIS_TEST(test_who_is_not_there_is_told, s)
{
	use_address(s, WAY_UNIX, NULL);
	assert_string_equal(refused(s), "no such file or directory");
	disconnect(s);
	use_address(s, WAY_TCP, "127.0.0.1");
	assert_string_equal(refused(s), "connection refused");
	disconnect(s);
	use_address(s, WAY_TCP, "nobody.invalid");
	assert_non_null(refused(s));
	disconnect(s);
	use_address(s, WAY_TLS, "127.0.0.1");
	assert_string_equal(refused(s), "TLS is not set up");
}

NET_REDIS_TEST(test_a_host_of_several_addresses_is_tried_until_one_answers, s)
{
	redis_run_start(&s->server, NULL);
	use_address(s, WAY_TCP, SEVERAL);
	connect_link(s);
	run_until(s, redis_link_is_ready(s->link));
}

NET_REDIS_TEST(test_only_a_server_that_is_vouched_for_is_greeted, s)
{
	make_certificates(s);
	start_tls(s, "good", "no");
	use_address(s, WAY_TLS, "127.0.0.1");
	trust(s, "self", NULL);
	assert_string_equal(refused(s), "cannot verify its certificate, which was issued by an "
					"authority unknown here");
	disconnect(s);
	redis_run_kill(&s->server);
	trust(s, "authority", NULL);
	start_tls(s, "other", "no");
	assert_string_equal(refused(s),
			    "cannot verify its certificate, which is for another address");
	disconnect(s);
	redis_run_kill(&s->server);
	start_tls(s, "expired", "no");
	assert_string_equal(refused(s), "cannot verify its certificate, which has expired");
	disconnect(s);
	redis_run_kill(&s->server);
	start_tls(s, "good", "no");
	use_address(s, WAY_TLS, "localhost");
	connect_link(s);
	run_until(s, redis_link_is_ready(s->link));
	assert_serves(s);
}

NET_REDIS_TEST(test_a_server_that_asks_for_a_certificate_is_shown_ours, s)
{
	make_certificates(s);
	start_tls(s, "good", "yes");
	use_address(s, WAY_TLS, "127.0.0.1");
	trust(s, "authority", NULL);
	assert_non_null(strstr(refused(s), "certificate required"));
	disconnect(s);
	trust(s, "authority", "rsa");
	connect_link(s);
	run_until(s, redis_link_is_ready(s->link));
	assert_serves(s);
}

NET_REDIS_TEST(test_tls_is_not_taken_for_plain_nor_the_other_way_round, s)
{
	make_certificates(s);
	trust(s, "authority", NULL);
	redis_run_start(&s->server, NULL);
	use_address(s, WAY_TLS, "127.0.0.1");
	connect_link(s);
	/* It waits for the end of what it takes for a line, or refuses it. */
	run_until(s, redis_link_greeted(s->link) != REDIS_END_UNSENT);
	assert_false(redis_link_is_ready(s->link));
	disconnect(s);
	redis_run_kill(&s->server);
	start_tls(s, "good", "no");
	use_address(s, WAY_TCP, "127.0.0.1");
	connect_link(s);
	run_until(s, is_judged(s));
	assert_int_equal(redis_link_greeted(s->link), REDIS_END_LOST);
}
