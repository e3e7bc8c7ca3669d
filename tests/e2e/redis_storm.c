/*
 * redis_storm.c - a real server whose Redis ends, hangs, loads, is full, read-only, slow, cut off or forgets its scripts,
 * while a crowd of clients (crowd.h) goes on; and the server's own end. What was acknowledged is there, once; what was
 * refused is not; nobody loses a connection or a seat for Redis' sake, and a countdown that is over meanwhile ends.
 *
 * Each cause comes once, in an order that is drawn; then more, for AYE_STORM_SECONDS. Service comes back by itself after
 * each, within a minute; how long that took is printed, and how often it was longer than 10 s. The seed is printed,
 * too; AYE_STORM_SEED repeats what was drawn.
 *
 * Where Redis runs is a row of storm_places, chosen by AYE_STORM_PLACE: alone, which is what is run without it, with
 * replicas and Sentinels, or in a cluster of three masters with a replica each. A cause is for some places or for all.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "proto/base/format.h"
#include "tests/support/bad_link.h"
#include "tests/support/crowd.h"
#include "tests/support/net_kit.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_group.h"
#include "tests/support/test.h"

#define CALM_MS	   200
#define SHORT_MS   800	 /* most of a cause, in the first round */
#define LONG_MS	   12000 /* and of one in four later: longer than a read waits */
#define ENDLESS_MS 40000 /* and of one in sixteen */
#define SOON_MS	   10000 /* until all are served again, as a rule */
#define SERVED_MS  60000 /* and at the latest */
#define UNKNOWN_MS \
	30000 /* from here on nobody knows of a change whether it was made: connections may end */

struct storm {
	struct net_server *server;
	const struct storm_place *place;
	struct redis_run *redis; /* the master, when the cause began */
	struct redis_run own;	 /* where it is alone */
	struct bad_link *link;	 /* between the two, there */
	struct redis_group group;
	struct redis_cluster cluster;
	struct redis_run *replica; /* one of the master's, where there are any */
	struct crowd *crowd;
	unsigned causes,
		late; /* how many there were, and after how many service was not back soon */
	int64_t longest_ms;
	unsigned random;
	struct net_peer teller; /* of a room of its own, which counts down */
	bool is_in;
	char room_id[32], user_key[64];
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
	redis_run_ask(s->redis, command, answer, sizeof(answer));
	if (answer[0] == '-') {
		fail_msg("%s: %s", command, answer);
	}
}

/* ---- places ---- */

static const char *const redis_options[] = {"--appendonly", "yes", "--appendfsync", "everysec",
					    NULL};
enum {
	ON_SINGLE = 1,
	ON_SENTINEL = 2,
	ON_CLUSTER = 4,
	ON_REPLICAS = ON_SENTINEL | ON_CLUSTER,
	ON_ALL = 7
};

struct storm_place {
	const char *name;
	unsigned is;
	/* Start what is there, and set server->store. */
	void (*lay)(struct storm *s);
	void (*clear)(struct storm *s);
	/* Wait until all is as before the last cause, and choose the master that suffers the next, or its replica. */
	void (*choose)(struct storm *s);
	/* Start the master that was killed, or the replica. */
	void (*start)(struct storm *s);
	void (*start_replica)(struct storm *s); /* NULL: there is none */
};

static void single_lay(struct storm *s)
{
	char path[NET_PATH_BYTES];
	redis_run_lay(&s->own);
	redis_run_start(&s->own, redis_options);
	(void)format_to(path, sizeof(path), "%s/link", s->server->dir);
	s->link = bad_link_start(path, s->own.socket, s->random);
	assert_non_null(s->link);
	(void)format_to(s->server->store, sizeof(s->server->store), "redis+unix://%s", path);
}

static void single_clear(struct storm *s)
{
	bad_link_end(s->link);
	redis_run_clear(&s->own);
}

static void single_choose(struct storm *s)
{
	s->redis = &s->own;
}

static void single_start(struct storm *s)
{
	redis_run_start(&s->own, redis_options);
}

static void sentinel_lay(struct storm *s)
{
	char url[REDIS_GROUP_URL_BYTES];
	redis_group_start(&s->group);
	redis_group_url(&s->group, "", url);
	(void)format_to(s->server->store, sizeof(s->server->store), "%s", url);
}

static void sentinel_clear(struct storm *s)
{
	redis_group_clear(&s->group);
}

static void sentinel_choose(struct storm *s)
{
	unsigned replica = storm_draw(s, REDIS_GROUP_SERVERS);
	redis_group_settle(&s->group);
	s->redis = redis_group_master(&s->group);
	s->replica = &s->group.servers[replica];
	if (s->replica == s->redis) {
		s->replica = &s->group.servers[(replica + 1) % REDIS_GROUP_SERVERS];
	}
}

/* As a replica of the next master, which the Sentinels choose in the meantime. */
static void sentinel_start(struct storm *s)
{
	while (redis_group_master(&s->group) == s->redis) {
		crowd_run(s->crowd, 50);
	}
	redis_group_rejoin(&s->group, s->redis);
}

static void sentinel_start_replica(struct storm *s)
{
	redis_group_rejoin(&s->group, s->replica);
}

static void cluster_lay(struct storm *s)
{
	char url[REDIS_CLUSTER_URL_BYTES];
	redis_cluster_start(&s->cluster);
	redis_cluster_url(&s->cluster, "", url);
	(void)format_to(s->server->store, sizeof(s->server->store), "%s", url);
}

static void cluster_clear(struct storm *s)
{
	redis_cluster_clear(&s->cluster);
}

/* Some master other than that. */
static struct redis_run *cluster_draw_master(struct storm *s, const struct redis_run *than)
{
	struct redis_run *r;
	do {
		r = &s->cluster.servers[storm_draw(s, REDIS_CLUSTER_SERVERS)];
	} while (r == than || !redis_cluster_is_master(r));
	return r;
}

static void cluster_choose(struct storm *s)
{
	redis_cluster_settle(&s->cluster);
	s->redis = cluster_draw_master(s, NULL);
	s->replica = redis_cluster_replica(&s->cluster, s->redis);
	assert_non_null(s->replica);
}

/* When its replica is the master: what it had besides is lost, and was acknowledged to nobody. */
static void cluster_start(struct storm *s)
{
	while (!redis_cluster_is_master(s->replica)) {
		crowd_run(s->crowd, 50);
	}
	redis_cluster_start_again(s->redis);
}

static void cluster_start_replica(struct storm *s)
{
	redis_cluster_start_again(s->replica);
}

static const struct storm_place storm_places[] = {
	{"single", ON_SINGLE, single_lay, single_clear, single_choose, single_start, NULL},
	{"sentinel", ON_SENTINEL, sentinel_lay, sentinel_clear, sentinel_choose, sentinel_start,
	 sentinel_start_replica},
	{"cluster", ON_CLUSTER, cluster_lay, cluster_clear, cluster_choose, cluster_start,
	 cluster_start_replica},
};

/* ---- causes ---- */

static void ends_redis(struct storm *s)
{
	redis_run_kill(s->redis);
}

static void starts_redis(struct storm *s)
{
	s->place->start(s);
}

/* It waits so long for each command that it reads that all of them, some 140 bytes each, take 2 s. */
static void loads_for_long(struct storm *s)
{
	char info[4096], delay_us[24];
	const char *const slow_to_load[] = {
		"--appendonly", "yes", "--appendfsync", "everysec", "--key-load-delay",
		delay_us,	NULL};
	redis_run_ask(s->redis, "INFO persistence", info, sizeof(info));
	const char *size = strstr(info, "aof_current_size:");
	assert_non_null(size);
	long commands = strtol(size + strlen("aof_current_size:"), NULL, 10) / 140;
	(void)format_to(delay_us, sizeof(delay_us), "%ld", 1 + 2000000 / (commands + 1));
	redis_run_kill(s->redis);
	redis_run_spawn(s->redis, slow_to_load);
}

static void has_loaded(struct storm *s)
{
	while (!redis_run_serves(s->redis)) {
		crowd_run(s->crowd, 10);
	}
}

static void stops_redis(struct storm *s)
{
	(void)kill(s->redis->pid, SIGSTOP);
}

static void continues_redis(struct storm *s)
{
	(void)kill(s->redis->pid, SIGCONT);
}

static void ends_replica(struct storm *s)
{
	redis_run_kill(s->replica);
}

static void starts_replica(struct storm *s)
{
	s->place->start_replica(s);
}

static void stops_replica(struct storm *s)
{
	(void)kill(s->replica->pid, SIGSTOP);
}

static void continues_replica(struct storm *s)
{
	(void)kill(s->replica->pid, SIGCONT);
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
		struct redis_run *from = redis_cluster_master(&s->cluster, key);
		redis_cluster_move_slot(&s->cluster, key, cluster_draw_master(s, from),
					crowd_goes_on, s);
		redis_cluster_draw_key(s->redis, key, sizeof(key));
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
	bad_link_set(s->link, BAD_LINK_SLOW);
}

static void cuts_link(struct storm *s)
{
	bad_link_set(s->link, BAD_LINK_CUT);
}

static void spoils_link(struct storm *s)
{
	bad_link_set(s->link, BAD_LINK_GARBAGE);
}

static void mends_link(struct storm *s)
{
	bad_link_set(s->link, BAD_LINK_GOOD);
}

static void starts_server(struct storm *s)
{
	net_start(s->server, crowd_limits);
}

static void kills_server(struct storm *s)
{
	assert_int_equal(net_end(s->server, SIGKILL), 1000 + SIGKILL);
}

static void stops_server(struct storm *s)
{
	assert_int_equal(net_end(s->server, SIGTERM), 0);
}

struct storm_cause {
	const char *text;
	void (*begin)(struct storm *s);
	void (*end)(struct storm *s);
	bool ends_server;
	unsigned places;
};

static const struct storm_cause storm_causes[] = {
	{"Redis is killed", ends_redis, starts_redis, false, ON_ALL},
	{"Redis is killed, and loads", loads_for_long, has_loaded, false, ON_SINGLE},
	{"Redis hangs", stops_redis, continues_redis, false, ON_ALL},
	{"Redis is full", fills_redis, frees_redis, false, ON_ALL},
	{"Redis is read-only", demotes_redis, promotes_redis, false, ON_SINGLE},
	{"Redis lacks replicas", wants_replicas, wants_none, false, ON_SINGLE},
	{"Redis pauses what writes", pauses_redis, resumes_redis, false, ON_ALL},
	{"Redis forgets its scripts", flushes_scripts, flushes_scripts, false, ON_ALL},
	{"Redis ends connections", ends_connections, ends_connections, false, ON_ALL},
	{"Redis loses its replicas", ends_replicas, ends_replicas, false, ON_REPLICAS},
	{"a replica is killed", ends_replica, starts_replica, false, ON_REPLICAS},
	{"a replica hangs", stops_replica, continues_replica, false, ON_REPLICAS},
	{"slots move", moves_slots, goes_on, false, ON_CLUSTER},
	{"the way to Redis is slow", slows_link, mends_link, false, ON_SINGLE},
	{"the way to Redis is cut at any byte", cuts_link, mends_link, false, ON_SINGLE},
	{"something else answers", spoils_link, mends_link, false, ON_SINGLE},
	{"the server is killed", kills_server, starts_server, true, ON_ALL},
	{"the server is stopped", stops_server, starts_server, true, ON_ALL},
};
#define CAUSES (sizeof(storm_causes) / sizeof(storm_causes[0]))

/* ---- a countdown ---- */

static void teller_come(struct storm *s)
{
	char params[160];
	net_peer_open(&s->teller, net_connect(s->server));
	net_hello(&s->teller);
	bool is_new = s->user_key[0] == '\0';
	if (is_new) {
		net_field(net_must(&s->teller, "room.create", "{}"), "room_id", s->room_id,
			  sizeof(s->room_id));
	}
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"%s%s%s}", s->room_id,
			is_new ? "" : ",\"user_key\":\"", s->user_key, is_new ? "" : "\"");
	const char *json = net_must(&s->teller, "room.subscribe", params);
	if (is_new) {
		net_field(json, "user_key", s->user_key, sizeof(s->user_key));
		(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"username\":\"Ada\"}",
				s->room_id);
		(void)net_must(&s->teller, "room.join", params);
	}
	s->is_in = true;
}

static void teller_go(struct storm *s)
{
	net_peer_close(&s->teller);
	s->is_in = false;
}

static void teller_must(struct storm *s, const char *method, const char *more)
{
	char params[160];
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"%s}", s->room_id, more);
	(void)net_must(&s->teller, method, params);
}

static void countdown_begins(struct storm *s)
{
	teller_must(s, "room.reset", "");
	teller_must(s, "room.vote", ",\"vote\":\"5\"");
	teller_must(s, "timer.start", ",\"seconds\":1,\"reveal_at_zero\":true");
}

static void countdown_ends(struct storm *s)
{
	const char *json;
	char params[96];
	if (!s->is_in) {
		teller_come(s);
	}
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"}", s->room_id);
	(void)net_request(&s->teller, "room.get", params);
	do {
		json = net_message(&s->teller);
		assert_non_null(json);
	} while (strstr(json, "\"is_revealed\":true") == NULL);
}

/* ---- the storm ---- */

static void storm_suffer(struct storm *s, const struct storm_cause *cause, int ms)
{
	bool may_end = cause->ends_server || ms >= UNKNOWN_MS;
	s->place->choose(s);
	countdown_begins(s);
	crowd_run(s->crowd, CALM_MS);
	crowd_must_stay(s->crowd, !may_end);
	if (may_end) {
		teller_go(s);
	}
	unsigned long refused = crowd_refused(s->crowd);
	print_message("# %s\n", cause->text);
	cause->begin(s);
	crowd_run(s->crowd, ms);
	cause->end(s);
	int64_t ended_ms = storm_now_ms();
	crowd_until_served(s->crowd, SERVED_MS);
	int64_t later_ms = storm_now_ms() - ended_ms;
	print_message("#     for %d ms; served again %lld ms later; %lu made so far, %lu refused\n",
		      ms, (long long)later_ms, crowd_made(s->crowd),
		      crowd_refused(s->crowd) - refused);
	s->causes++;
	s->late += later_ms > SOON_MS;
	s->longest_ms = later_ms > s->longest_ms ? later_ms : s->longest_ms;
	countdown_ends(s);
}

static bool is_for_place(const struct storm *s, const struct storm_cause *cause)
{
	return (cause->places & s->place->is) != 0;
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
		if (is_for_place(s, cause)) {
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
		if (is_for_place(s, cause)) {
			storm_suffer(s, cause,
				     kind == 15 ? ENDLESS_MS : 1 + (int)storm_draw(s, most));
		}
	}
}

static void storm_lay(struct storm *s)
{
	const char *told = getenv("AYE_STORM_SEED");
	const char *place = getenv("AYE_STORM_PLACE");
	if (told != NULL) {
		s->random = (unsigned)strtoul(told, NULL, 10);
	} else {
		assert_int_equal(getrandom(&s->random, sizeof(s->random), 0), sizeof(s->random));
	}
	print_message("# AYE_STORM_SEED=%u\n", s->random);
	for (size_t i = 0; i < sizeof(storm_places) / sizeof(storm_places[0]); i++) {
		if (place == NULL || strcmp(place, storm_places[i].name) == 0) {
			s->place = &storm_places[i];
			break;
		}
	}
	assert_non_null(s->place);
	s->place->lay(s);
}

NET_TEST(what_is_acknowledged_outlives_whatever_happens_to_redis, server)
{
	struct storm storm = {.server = server};
	struct storm *s = &storm;
	const char *seconds = getenv("AYE_STORM_SECONDS");
	int64_t end_ms = storm_now_ms() + (seconds == NULL ? 0 : 1000 * strtoll(seconds, NULL, 10));
	storm_lay(s);
	starts_server(s);
	s->crowd = crowd_create(server, s->random);
	teller_come(s);
	crowd_until_served(s->crowd, SERVED_MS);
	storm_first_round(s);
	storm_go_on(s, end_ms);
	print_message(
		"# %s: %u causes, served again %lld ms later at most, later than %d ms after %u\n",
		s->place->name, s->causes, (long long)s->longest_ms, SOON_MS, s->late);
	crowd_must_stay(s->crowd, false);
	crowd_until_answered(s->crowd);
	crowd_check(s->crowd);
	teller_go(s);
	stops_server(s); /* what it has in memory goes with it */
	starts_server(s);
	crowd_until_answered(s->crowd);
	crowd_check(s->crowd);
	crowd_destroy(s->crowd);
	stops_server(s);
	s->place->clear(s);
}
