/*
 * redis_storm.c - a real server whose Redis ends, hangs, loads, is full, read-only, slow, cut off or forgets its scripts,
 * while a crowd of clients (crowd.h) goes on; and the server's own end. What was acknowledged is there, once; what was
 * refused is not; nobody loses a connection or a seat for Redis' sake, and a countdown that is over meanwhile ends.
 *
 * With AYE_STORM_NODES=3 three servers share the Redis, and the crowd is spread over them: 66 clients in twelve rooms, most
 * of which are at another server than theirs. Then servers are killed, stopped, hang, and are cut off, too; the others go
 * on with their rooms meanwhile.
 *
 * Each cause comes once, in an order that is drawn; then more, for AYE_STORM_SECONDS. Service comes back by itself after
 * each, within a minute; how long that took is printed, how long anybody waited for a change, and how often service took
 * longer than 10 s. The seed is printed, too; AYE_STORM_SEED repeats what was drawn, AYE_STORM_CAUSE=hangs has only causes
 * with that in their text.
 *
 * Where Redis runs is chosen by AYE_STORM_PLACE (redis_place.h): alone, which is what is run without it, with replicas and
 * Sentinels, or in a cluster of three masters with a replica each. A cause is for some places or for all.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "proto/base/format.h"
#include "tests/support/countdown.h"
#include "tests/support/crowd.h"
#include "tests/support/net_kit.h"
#include "tests/support/redis_place.h"
#include "tests/support/test.h"

#define CALM_MS	   200
#define SHORT_MS   800	 /* most of a cause, in the first round */
#define LONG_MS	   12000 /* and of one in four later: longer than a read waits */
#define ENDLESS_MS 40000 /* and of one in sixteen */
#define SOON_MS	   10000 /* until all are served again, as a rule */
#define SERVED_MS  60000 /* and at the latest */
#define UNKNOWN_MS \
	30000 /* from here on nobody knows of a change whether it was made: connections may end */
#define REFUSED_MS \
	6000 /* likewise of several servers: they refuse what waits for 10 s longer than their lease */
#define SERVERS_MAX REDIS_PLACE_USERS_MAX
#define PARTIES	    6	/* of the crowd, where there are several servers */
#define PAUSE_MS    80	/* of each of its clients between two changes, there */
#define LISTED_MS   500 /* between two looks at what servers know of each other */

struct storm {
	struct net_server *servers[SERVERS_MAX], own[SERVERS_MAX]; /* the first is the test's */
	unsigned servers_n;
	unsigned at; /* the server that suffers */
	struct redis_place place;
	struct crowd *crowd;
	unsigned causes,
		late; /* how many there were, and after how many service was not back soon */
	int64_t longest_ms, pause_ms;
	unsigned random;
	struct countdown countdown;
};

static unsigned storm_draw(struct storm *s, unsigned below)
{
	return (unsigned)rand_r(&s->random) % below;
}

static int64_t storm_now_ms(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void ask(struct storm *s, const char *command)
{
	char answer[256];
	redis_run_ask(s->place.redis, command, answer, sizeof(answer));
	if (answer[0] == '-') {
		fail_msg("%s: %s", command, answer);
	}
}

/* ---- causes ---- */

static void ends_redis(struct storm *s)
{
	redis_run_kill(s->place.redis);
}

static void starts_redis(struct storm *s)
{
	s->place.kind->start(&s->place);
}

/* It waits so long for each command that it reads that all of them, some 140 bytes each, take 2 s. */
static void loads_for_long(struct storm *s)
{
	char info[4096], delay_us[24];
	const char *const slow_to_load[] = {
		"--appendonly", "yes", "--appendfsync", "everysec", "--key-load-delay",
		delay_us,	NULL};
	redis_run_ask(s->place.redis, "INFO persistence", info, sizeof(info));
	const char *size = strstr(info, "aof_current_size:");
	assert_non_null(size);
	long commands = strtol(size + strlen("aof_current_size:"), NULL, 10) / 140;
	(void)format_to(delay_us, sizeof(delay_us), "%ld", 1 + 2000000 / (commands + 1));
	redis_run_kill(s->place.redis);
	redis_run_spawn(s->place.redis, slow_to_load);
}

static void has_loaded(struct storm *s)
{
	while (!redis_run_serves(s->place.redis)) {
		crowd_run(s->crowd, 10);
	}
}

static void stops_redis(struct storm *s)
{
	(void)kill(s->place.redis->pid, SIGSTOP);
}

static void continues_redis(struct storm *s)
{
	(void)kill(s->place.redis->pid, SIGCONT);
}

static void ends_replica(struct storm *s)
{
	redis_run_kill(s->place.replica);
}

static void starts_replica(struct storm *s)
{
	s->place.kind->start_replica(&s->place);
}

static void stops_replica(struct storm *s)
{
	(void)kill(s->place.replica->pid, SIGSTOP);
}

static void continues_replica(struct storm *s)
{
	(void)kill(s->place.replica->pid, SIGCONT);
}

static void crowd_goes_on(void *arg)
{
	struct storm *s = arg;
	crowd_run(s->crowd, CALM_MS);
}

/* Those of some rooms of the master, with all that is in them; or of the directory. */
static void moves_slots(struct storm *s)
{
	char key[128] = "{d}p";
	for (unsigned i = 0; i < 4; i++) {
		struct redis_run *from = redis_cluster_master(&s->place.cluster, key);
		redis_cluster_move_slot(&s->place.cluster, key,
					redis_place_draw_master(&s->place, from), crowd_goes_on, s);
		redis_cluster_draw_key(s->place.redis, key, sizeof(key));
	}
}

static void goes_on(struct storm *s)
{
	(void)s;
}

static void fills_redis(struct storm *s)
{
	ask(s, "CONFIG SET maxmemory 1mb");
}

static void frees_redis(struct storm *s)
{
	ask(s, "CONFIG SET maxmemory 0");
}

/* A replica of one that is not there keeps its data. */
static void demotes_redis(struct storm *s)
{
	char command[64];
	(void)format_to(command, sizeof(command), "REPLICAOF 127.0.0.1 %d", redis_run_port());
	ask(s, command);
}

static void promotes_redis(struct storm *s)
{
	ask(s, "REPLICAOF NO ONE");
}

static void wants_replicas(struct storm *s)
{
	ask(s, "CONFIG SET min-replicas-to-write 1");
}

static void wants_none(struct storm *s)
{
	ask(s, "CONFIG SET min-replicas-to-write 0");
}

static void pauses_redis(struct storm *s)
{
	ask(s, "CLIENT PAUSE 60000 WRITE");
}

static void resumes_redis(struct storm *s)
{
	ask(s, "CLIENT UNPAUSE");
}

static void flushes_scripts(struct storm *s)
{
	ask(s, "SCRIPT FLUSH SYNC");
}

static void ends_connections(struct storm *s)
{
	ask(s, "CLIENT KILL TYPE normal");
}

static void ends_replicas(struct storm *s)
{
	ask(s, "CLIENT KILL TYPE replica");
}

static void slows_link(struct storm *s)
{
	bad_link_set(s->place.links[s->at], BAD_LINK_SLOW);
}

static void cuts_link(struct storm *s)
{
	bad_link_set(s->place.links[s->at], BAD_LINK_CUT);
}

static void spoils_link(struct storm *s)
{
	bad_link_set(s->place.links[s->at], BAD_LINK_GARBAGE);
}

static void mends_link(struct storm *s)
{
	bad_link_set(s->place.links[s->at], BAD_LINK_GOOD);
}

static void starts_server(struct storm *s)
{
	const char *args[NET_ARGS_MAX] = {NULL};
	size_t n = 0;
	for (; crowd_limits[n] != NULL; n++) {
		args[n] = crowd_limits[n];
	}
	if (s->servers_n > 1) {
		args[n++] = "--cluster-listen";
		args[n++] = "127.0.0.1:0";
	}
	net_start(s->servers[s->at], args);
}

static void kills_server(struct storm *s)
{
	assert_int_equal(net_end(s->servers[s->at], SIGKILL), 1000 + SIGKILL);
}

static void stops_server(struct storm *s)
{
	assert_int_equal(net_end(s->servers[s->at], SIGTERM), 0);
}

/* ---- of several servers ---- */

static void hangs_server(struct storm *s)
{
	(void)kill(s->servers[s->at]->pid, SIGSTOP);
}

static void continues_server(struct storm *s)
{
	(void)kill(s->servers[s->at]->pid, SIGCONT);
}

static void kills_all_servers(struct storm *s)
{
	for (s->at = 0; s->at < s->servers_n; s->at++) {
		kills_server(s);
	}
}

static void starts_all_servers(struct storm *s)
{
	for (s->at = 0; s->at < s->servers_n; s->at++) {
		starts_server(s);
	}
}

static void restarts_in_turn(struct storm *s)
{
	for (s->at = 0; s->at < s->servers_n; s->at++) {
		stops_server(s);
		crowd_until_served(s->crowd, SERVED_MS);
		starts_server(s);
		crowd_until_served(s->crowd, SERVED_MS);
	}
}

static void kills_server_and_redis(struct storm *s)
{
	ends_redis(s);
	kills_server(s);
}

static void starts_server_and_redis(struct storm *s)
{
	starts_redis(s);
	starts_server(s);
}

static void holds_link(struct storm *s)
{
	bad_link_hold(s->place.links[s->at], true);
}

static void frees_link(struct storm *s)
{
	bad_link_hold(s->place.links[s->at], false);
}

static void stops_all_of_redis(struct storm *s)
{
	redis_place_signal(&s->place, SIGSTOP);
}

static void continues_all_of_redis(struct storm *s)
{
	redis_place_signal(&s->place, SIGCONT);
}

static void brings_all_back(struct storm *s)
{
	crowd_come_again(s->crowd, s->servers[s->at]);
}

static bool knows_all(const struct storm *s, const struct net_server *server)
{
	struct net_peer p;
	net_insider(server, &p);
	bool knows = net_figure(&p, "cluster_nodes") == (long)s->servers_n;
	net_peer_close(&p);
	return knows;
}

/*
 * Until each knows of all others, and of none that has ended, so that rooms move no more. A list is read each second, and
 * has those that were killed for five: each says so twice.
 */
static void servers_settle(struct storm *s)
{
	unsigned known = 0;
	while (s->servers_n > 1 && known < 2 * s->servers_n) {
		known = knows_all(s, s->servers[known % s->servers_n]) ? known + 1 : 0;
		if (s->crowd == NULL) {
			(void)poll(NULL, 0, LISTED_MS);
		} else {
			crowd_run(s->crowd, LISTED_MS);
		}
	}
}

/* ---- all of them ---- */

enum { ALONE = 1, SEVERAL = 2, BOTH = 3 }; /* servers */

struct storm_cause {
	const char *text;
	void (*begin)(struct storm *s);
	void (*end)(struct storm *s);
	unsigned places;
	unsigned servers;  /* for which it is */
	unsigned ends;	   /* for which connections may end */
	int ms;		   /* how long it takes; 0: that is drawn */
	bool others_serve; /* before it is over, others have all that it takes */
};

static const struct storm_cause storm_causes[] = {
	{"Redis is killed", ends_redis, starts_redis, ON_ALL, BOTH, 0, 0, false},
	{"Redis is killed, and loads", loads_for_long, has_loaded, ON_SINGLE, BOTH, SEVERAL, 0,
	 false},
	{"Redis hangs", stops_redis, continues_redis, ON_ALL, BOTH, 0, 0, false},
	{"Redis is full", fills_redis, frees_redis, ON_ALL, BOTH, 0, 0, false},
	{"Redis is read-only", demotes_redis, promotes_redis, ON_SINGLE, BOTH, 0, 0, false},
	{"Redis lacks replicas", wants_replicas, wants_none, ON_SINGLE, BOTH, 0, 0, false},
	{"Redis pauses what writes", pauses_redis, resumes_redis, ON_ALL, BOTH, 0, 0, false},
	{"Redis forgets its scripts", flushes_scripts, flushes_scripts, ON_ALL, BOTH, 0, 0, false},
	{"Redis ends connections", ends_connections, ends_connections, ON_ALL, BOTH, 0, 0, false},
	{"Redis loses its replicas", ends_replicas, ends_replicas, ON_REPLICAS, BOTH, 0, 0, false},
	{"a replica is killed", ends_replica, starts_replica, ON_REPLICAS, BOTH, 0, 0, false},
	{"a replica hangs", stops_replica, continues_replica, ON_REPLICAS, BOTH, 0, 0, false},
	{"slots move", moves_slots, goes_on, ON_CLUSTER, BOTH, SEVERAL, 0, false},
	{"the way to Redis is slow", slows_link, mends_link, ON_SINGLE, BOTH, SEVERAL, 0, false},
	{"the way to Redis is cut at any byte", cuts_link, mends_link, ON_SINGLE, BOTH, SEVERAL, 0,
	 false},
	{"something else answers", spoils_link, mends_link, ON_SINGLE, BOTH, SEVERAL, 0, false},
	{"the server is killed", kills_server, starts_server, ON_ALL, ALONE, BOTH, 0, false},
	{"the server is stopped", stops_server, starts_server, ON_ALL, ALONE, BOTH, 0, false},
	{"one server is killed", kills_server, starts_server, ON_ALL, SEVERAL, BOTH, 0, true},
	{"one server is killed, and started", kills_server, starts_server, ON_ALL, SEVERAL, BOTH, 0,
	 false},
	{"one server is stopped", stops_server, starts_server, ON_ALL, SEVERAL, BOTH, 0, true},
	{"one server hangs", hangs_server, continues_server, ON_ALL, SEVERAL, BOTH, 10000, true},
	{"servers are started again in turn", restarts_in_turn, goes_on, ON_ALL, SEVERAL, BOTH, 0,
	 false},
	{"all servers are killed", kills_all_servers, starts_all_servers, ON_ALL, SEVERAL, BOTH, 0,
	 false},
	{"one server and Redis are killed", kills_server_and_redis, starts_server_and_redis, ON_ALL,
	 SEVERAL, BOTH, 0, false},
	{"one server's way to Redis passes nothing", holds_link, frees_link, ON_SINGLE, SEVERAL,
	 BOTH, 10000, true},
	{"nobody reaches Redis", stops_all_of_redis, continues_all_of_redis, ON_ALL, SEVERAL, 0,
	 8000, false},
	{"all clients of a server come back at once", brings_all_back, brings_all_back, ON_ALL,
	 SEVERAL, BOTH, 0, false},
};
#define CAUSES (sizeof(storm_causes) / sizeof(storm_causes[0]))

/* ---- the storm ---- */

static void crowd_waits(void *arg)
{
	struct storm *s = arg;
	crowd_run(s->crowd, 50);
}

static void storm_suffer(struct storm *s, const struct storm_cause *cause, int drawn_ms)
{
	int ms = cause->ms > 0 ? cause->ms : drawn_ms;
	unsigned servers = s->servers_n > 1 ? SEVERAL : ALONE;
	bool may_end = (cause->ends & servers) != 0 ||
		       ms >= (cause->ms > 0 || servers == ALONE ? UNKNOWN_MS : REFUSED_MS);
	s->place.kind->choose(&s->place);
	s->at = storm_draw(s, s->servers_n);
	countdown_begin(&s->countdown);
	crowd_run(s->crowd, CALM_MS);
	crowd_must_stay(s->crowd, !may_end);
	if (may_end) {
		countdown_go(&s->countdown);
	}
	unsigned long refused = crowd_refused(s->crowd);
	(void)crowd_take_longest_ms(s->crowd);
	print_message("# %s\n", cause->text);
	int64_t began_ms = storm_now_ms();
	cause->begin(s);
	crowd_run(s->crowd, ms);
	if (cause->others_serve) {
		crowd_until_served(s->crowd, SERVED_MS);
		print_message("#     served by others within %lld ms\n",
			      (long long)(storm_now_ms() - began_ms));
	}
	cause->end(s);
	int64_t ended_ms = storm_now_ms();
	crowd_until_served(s->crowd, SERVED_MS);
	int64_t later_ms = storm_now_ms() - ended_ms;
	servers_settle(s);
	int64_t pause_ms = crowd_take_longest_ms(s->crowd);
	print_message("#     for %d ms; served again %lld ms later; somebody waited for %lld ms; "
		      "%lu made so far, %lu refused\n",
		      ms, (long long)later_ms, (long long)pause_ms, crowd_made(s->crowd),
		      crowd_refused(s->crowd) - refused);
	s->causes++;
	s->late += later_ms > SOON_MS;
	s->longest_ms = later_ms > s->longest_ms ? later_ms : s->longest_ms;
	s->pause_ms = pause_ms > s->pause_ms ? pause_ms : s->pause_ms;
	if (may_end) {
		countdown_come(&s->countdown, s->servers[storm_draw(s, s->servers_n)]);
	}
	countdown_end(&s->countdown);
}

static bool is_for(const struct storm *s, const struct storm_cause *cause)
{
	const char *only = getenv("AYE_STORM_CAUSE");
	return (only == NULL || strstr(cause->text, only) != NULL) &&
	       (cause->places & s->place.kind->is) != 0 &&
	       (cause->servers & (s->servers_n > 1 ? SEVERAL : ALONE)) != 0;
}

static void storm_first_round(struct storm *s)
{
	unsigned order[CAUSES];
	for (unsigned i = 0; i < CAUSES; i++) {
		unsigned at = storm_draw(s, i + 1);
		order[i] = order[at];
		order[at] = i;
	}
	for (unsigned i = 0; i < CAUSES; i++) {
		const struct storm_cause *cause = &storm_causes[order[i]];
		if (is_for(s, cause)) {
			storm_suffer(s, cause, 1 + (int)storm_draw(s, SHORT_MS));
		}
	}
}

static void storm_go_on(struct storm *s, int64_t end_ms)
{
	while (storm_now_ms() < end_ms) {
		const struct storm_cause *cause = &storm_causes[storm_draw(s, CAUSES)];
		unsigned kind = storm_draw(s, 16);
		unsigned most = kind < 4 ? LONG_MS : SHORT_MS;
		if (is_for(s, cause)) {
			storm_suffer(s, cause,
				     kind == 15 ? ENDLESS_MS : 1 + (int)storm_draw(s, most));
		}
	}
}

static void storm_lay(struct storm *s)
{
	const char *told = getenv("AYE_STORM_SEED");
	const char *nodes = getenv("AYE_STORM_NODES");
	if (told != NULL) {
		s->random = (unsigned)strtoul(told, NULL, 10);
	} else {
		assert_int_equal(getrandom(&s->random, sizeof(s->random), 0), sizeof(s->random));
	}
	print_message("# AYE_STORM_SEED=%u\n", s->random);
	for (s->servers_n = 1; nodes != NULL && (long)s->servers_n < strtol(nodes, NULL, 10);) {
		struct net_server *more = &s->own[s->servers_n];
		assert_true(s->servers_n < SERVERS_MAX);
		net_dir(more);
		s->servers[s->servers_n++] = more;
	}
	s->place.meanwhile = crowd_waits;
	s->place.arg = s;
	redis_place_lay(&s->place, getenv("AYE_STORM_PLACE"), s->servers, s->servers_n, s->random);
	starts_all_servers(s);
	servers_settle(s);
	if (s->servers_n > 1) {
		s->crowd = crowd_create_among((const struct net_server *const *)s->servers,
					      s->servers_n, PARTIES, s->random);
		crowd_slow_down(s->crowd, PAUSE_MS);
	} else {
		s->crowd = crowd_create(s->servers[0], s->random);
	}
	countdown_come(&s->countdown, s->servers[0]);
	crowd_until_served(s->crowd, SERVED_MS);
}

/* What was acknowledged is there; also where no server has anything in memory. */
static void storm_check(struct storm *s)
{
	crowd_must_stay(s->crowd, false);
	crowd_until_answered(s->crowd);
	crowd_check(s->crowd);
	countdown_go(&s->countdown);
	for (s->at = 0; s->at < s->servers_n; s->at++) {
		stops_server(s);
	}
	starts_all_servers(s);
	servers_settle(s);
	crowd_until_answered(s->crowd);
	crowd_check(s->crowd);
}

static void storm_clear(struct storm *s)
{
	crowd_destroy(s->crowd);
	for (s->at = 0; s->at < s->servers_n; s->at++) {
		stops_server(s);
	}
	redis_place_clear(&s->place);
	for (unsigned i = 1; i < s->servers_n; i++) {
		net_remove(s->servers[i]);
	}
}

NET_TEST(what_is_acknowledged_outlives_whatever_happens_to_redis, server)
{
	struct storm storm = {.servers = {server}};
	struct storm *s = &storm;
	const char *seconds = getenv("AYE_STORM_SECONDS");
	int64_t end_ms = storm_now_ms() + (seconds == NULL ? 0 : 1000 * strtoll(seconds, NULL, 10));
	storm_lay(s);
	storm_first_round(s);
	storm_go_on(s, end_ms);
	print_message(
		"# %s, %u servers: %u causes; served again %lld ms later at most, later than %d ms "
		"after %u; the longest that anybody waited was %lld ms\n",
		s->place.kind->name, s->servers_n, s->causes, (long long)s->longest_ms, SOON_MS,
		s->late, (long long)s->pause_ms);
	storm_check(s);
	storm_clear(s);
}
