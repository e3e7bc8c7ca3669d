/*
 * redis_cluster.c - made by the commands of Redis alone.
 */
#include "tests/support/redis_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/test.h"

#define MASTERS	     3
#define SLOTS	     16384
#define ANSWER_BYTES 16384

static char answer[ANSWER_BYTES];

/* The answer is valid until the next question. */
static const char *ask(const struct redis_run *r, const char *command)
{
	redis_run_ask(r, command, answer, sizeof(answer));
	return answer;
}

static void order(const struct redis_run *r, const char *command)
{
	if (strcmp(ask(r, command), "+OK\r\n") != 0) {
		fail_msg("%s: %s", command, answer);
	}
}

static void rest(void)
{
	const struct timespec moment = {.tv_nsec = 20000000};
	(void)nanosleep(&moment, NULL);
}

/* Until the answer has one of two texts in it. */
static void ask_until(const struct redis_run *r, const char *command, const char *says,
		      const char *or_says)
{
	time_t until = time(NULL) + 60;
	while (strstr(ask(r, command), says) == NULL && strstr(answer, or_says) == NULL) {
		if (time(NULL) > until) {
			fail_msg("%s has never answered with %s: %s", command, says, answer);
		}
		rest();
	}
}

/* @load_us  it waits so long for each thing that it loads, and is not waited for; "0": neither */
#define NODE_TIMEOUT_MS \
	"2000" /* after so long without an answer a replica takes a server's place */

static void start_as(struct redis_run *r, const char *load_us, const char *node_timeout_ms)
{
	char port[16];
	const char *const options[] = {"--cluster-enabled",
				       "yes",
				       "--cluster-port",
				       port,
				       "--cluster-node-timeout",
				       node_timeout_ms,
				       "--cluster-replica-validity-factor",
				       "0",
				       "--appendonly",
				       "yes",
				       "--repl-diskless-sync-delay",
				       "0",
				       "--key-load-delay",
				       load_us,
				       NULL};
	(void)snprintf(port, sizeof(port), "%d", r->port + REDIS_RUN_BUS);
	if (strcmp(load_us, "0") == 0) {
		redis_run_start(r, options);
	} else {
		redis_run_spawn(r, options);
	}
}

static void start_one(struct redis_run *r)
{
	start_as(r, "0", NODE_TIMEOUT_MS);
}

static void meet(struct redis_cluster *c)
{
	char command[128];
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		redis_run_lay(&c->servers[i]);
		start_one(&c->servers[i]);
		(void)snprintf(command, sizeof(command), "CLUSTER SET-CONFIG-EPOCH %d", i + 1);
		order(&c->servers[i], command);
		(void)sscanf(ask(&c->servers[i], "CLUSTER MYID"), "$40\r\n%40s", c->ids[i]);
		assert_int_equal(strlen(c->ids[i]), 40);
	}
	for (int i = 1; i < REDIS_CLUSTER_SERVERS; i++) {
		(void)snprintf(command, sizeof(command), "CLUSTER MEET 127.0.0.1 %d %d",
			       c->servers[i].port, c->servers[i].port + REDIS_RUN_BUS);
		order(&c->servers[0], command);
	}
	/* Known, and by its own name: not on the way to that. */
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		for (int other = 0; other < REDIS_CLUSTER_SERVERS; other++) {
			ask_until(&c->servers[i], "CLUSTER NODES", c->ids[other], c->ids[other]);
		}
	}
}

void redis_cluster_start(struct redis_cluster *c)
{
	char command[128];
	meet(c);
	for (int i = 0; i < MASTERS; i++) {
		(void)snprintf(command, sizeof(command), "CLUSTER ADDSLOTSRANGE %d %d",
			       SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS - 1);
		order(&c->servers[i], command);
		(void)snprintf(command, sizeof(command), "CLUSTER REPLICATE %s", c->ids[i]);
		order(&c->servers[MASTERS + i], command);
	}
	redis_cluster_settle(c);
}

void redis_cluster_clear(struct redis_cluster *c)
{
	for (int i = 0; i < REDIS_CLUSTER_SERVERS && c->servers[i].dir[0] != '\0'; i++) {
		redis_run_clear(&c->servers[i]);
	}
}

void redis_cluster_url(const struct redis_cluster *c, const char *settings,
		       char out[REDIS_CLUSTER_URL_BYTES])
{
	(void)snprintf(out, REDIS_CLUSTER_URL_BYTES,
		       "redis%s+cluster://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d%s",
		       redis_run_has_tls() ? "s" : "", c->servers[0].port, c->servers[1].port,
		       c->servers[5].port, settings);
}

bool redis_cluster_is_master(const struct redis_run *r)
{
	return r->pid > 0 && strstr(ask(r, "INFO replication"), "role:master") != NULL;
}

struct redis_run *redis_cluster_master(struct redis_cluster *c, const char *key)
{
	char command[128];
	(void)snprintf(command, sizeof(command), "EXISTS %s", key);
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		struct redis_run *r = &c->servers[i];
		if (redis_cluster_is_master(r) && ask(r, command)[0] == ':') {
			return r;
		}
	}
	return NULL;
}

struct redis_run *redis_cluster_replica(struct redis_cluster *c, const struct redis_run *master)
{
	char port[32];
	(void)snprintf(port, sizeof(port), "master_port:%d\r", master->port);
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		if (strstr(ask(&c->servers[i], "INFO replication"), port) != NULL) {
			return &c->servers[i];
		}
	}
	return NULL;
}

void redis_cluster_until_down(struct redis_cluster *c)
{
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		if (c->servers[i].pid > 0) {
			ask_until(&c->servers[i], "CLUSTER INFO", "cluster_state:fail",
				  "cluster_state:fail");
		}
	}
}

void redis_cluster_start_again(struct redis_run *r)
{
	start_one(r);
}

/* By the file of what it was sent, some 140 bytes for each command, a part of which may be a snapshot. */
static long load_delay_us(const struct redis_run *r, int ms)
{
	const char *size = strstr(ask(r, "INFO persistence"), "aof_current_size:");
	assert_non_null(size);
	long commands = strtol(size + strlen("aof_current_size:"), NULL, 10) / 140;
	return 1 + ms * 1000L / (commands + 1);
}

/* Who loads does not answer: replicas that took that for an end would load what they are then, and so on. */
void redis_cluster_load_again(struct redis_cluster *c, int ms)
{
	char load_us[REDIS_CLUSTER_SERVERS][24];
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		(void)snprintf(load_us[i], sizeof(load_us[i]), "%ld",
			       load_delay_us(&c->servers[i], ms));
	}
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		redis_run_kill(&c->servers[i]);
	}
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		start_as(&c->servers[i], load_us[i], "60000");
	}
}

void redis_cluster_load_fast(struct redis_cluster *c)
{
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		while (!redis_run_serves(&c->servers[i])) {
			rest();
		}
		order(&c->servers[i], "CONFIG SET key-load-delay 0");
		order(&c->servers[i], "CONFIG SET cluster-node-timeout " NODE_TIMEOUT_MS);
	}
}

void redis_cluster_rejoin(struct redis_cluster *c, struct redis_run *r)
{
	start_one(r);
	redis_cluster_settle(c);
}

void redis_cluster_settle(struct redis_cluster *c)
{
	for (int i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		ask_until(&c->servers[i], "CLUSTER INFO", "cluster_state:ok", "cluster_state:ok");
		ask_until(&c->servers[i], "CLUSTER INFO", "cluster_slots_ok:16384",
			  "cluster_slots_ok:16384");
		ask_until(&c->servers[i], "INFO replication", "connected_slaves:1",
			  "master_link_status:up");
	}
}

/* ---- slots that move ---- */

static const char *id_of(const struct redis_cluster *c, const struct redis_run *r)
{
	return c->ids[r - c->servers];
}

static void move_key(const struct redis_run *from, const struct redis_run *to, const char *name,
		     size_t len)
{
	char command[2048];
	size_t put =
		(size_t)snprintf(command, sizeof(command), "MIGRATE 127.0.0.1 %d \"", to->port);
	for (size_t i = 0; i < len; i++) {
		put += (size_t)snprintf(command + put, sizeof(command) - put, "\\x%02x",
					(unsigned)(unsigned char)name[i]);
	}
	(void)snprintf(command + put, sizeof(command) - put, "\" 0 5000");
	time_t until = time(NULL) + 60;
	do { /* a busy machine is late with what servers tell each other, so that one believes that it is alone */
		(void)ask(from, command);
	} while (strstr(answer, "CLUSTERDOWN") != NULL && time(NULL) < until);
	/* NOKEY: its life has ended. */
	if (strncmp(answer, "+OK", 3) != 0 && strncmp(answer, "+NOKEY", 6) != 0) {
		fail_msg("%s: %s", command, answer);
	}
}

/* At most so many of the slot's keys, one by one; they may have any bytes. */
static void move_keys(const struct redis_run *from, const struct redis_run *to, int slot, int n)
{
	static char names[ANSWER_BYTES];
	char command[64];
	(void)snprintf(command, sizeof(command), "CLUSTER GETKEYSINSLOT %d %d", slot, n);
	memcpy(names, ask(from, command), sizeof(names));
	char *at = NULL;
	unsigned long keys = strtoul(names + 1, &at, 10);
	for (unsigned long i = 0; i < keys; i++) {
		at += 3; /* "\r\n$" */
		size_t len = (size_t)strtoul(at, &at, 10);
		at += 2;
		move_key(from, to, at, len);
		at += len;
	}
}

static bool has_keys(const struct redis_run *from, int slot)
{
	char command[64];
	(void)snprintf(command, sizeof(command), "CLUSTER COUNTKEYSINSLOT %d", slot);
	return strcmp(ask(from, command), ":0\r\n") != 0;
}

void redis_cluster_draw_key(const struct redis_run *r, char *out, size_t cap)
{
	unsigned len = 0;
	int at = 0;
	const char *text = ask(r, "RANDOMKEY");
	/* Of a key with any bytes the tag is enough. */
	if (sscanf(text, "$%u\r\n%n", &len, &at) == 1 && strchr(text + at, '}') != NULL) {
		(void)snprintf(out, cap, "%.*sx", (int)(strchr(text + at, '}') - text - at + 1),
			       text + at);
	}
}

static int slot_of(const struct redis_run *r, const char *key)
{
	char command[128];
	int slot = 0;
	(void)snprintf(command, sizeof(command), "CLUSTER KEYSLOT %s", key);
	assert_int_equal(sscanf(ask(r, command), ":%d", &slot), 1);
	return slot;
}

/* From now on the slot is on the move; nothing of it has moved yet. */
static void open_slot(struct redis_cluster *c, int slot, const struct redis_run *from,
		      const struct redis_run *to)
{
	char command[128];
	(void)snprintf(command, sizeof(command), "CLUSTER SETSLOT %d IMPORTING %s", slot,
		       id_of(c, from));
	order(to, command);
	(void)snprintf(command, sizeof(command), "CLUSTER SETSLOT %d MIGRATING %s", slot,
		       id_of(c, to));
	order(from, command);
}

static void move_all_keys(const struct redis_run *from, const struct redis_run *to, int slot)
{
	while (has_keys(from, slot)) {
		move_keys(from, to, slot, 20);
	}
}

static void close_slot(struct redis_cluster *c, int slot, const struct redis_run *from,
		       const struct redis_run *to)
{
	char command[128];
	(void)snprintf(command, sizeof(command), "CLUSTER SETSLOT %d NODE %s", slot, id_of(c, to));
	order(to, command);
	order(from, command);
}

void redis_cluster_move_slot(struct redis_cluster *c, const char *key, struct redis_run *to,
			     void (*between)(void *arg), void *arg)
{
	struct redis_run *from = redis_cluster_master(c, key);
	assert_non_null(from);
	int slot = slot_of(from, key);
	open_slot(c, slot, from, to);
	move_keys(from, to, slot, 2);
	between(arg);
	move_all_keys(from, to, slot);
	close_slot(c, slot, from, to);
}

struct redis_move redis_cluster_begin_move(struct redis_cluster *c, const char *key,
					   struct redis_run *to)
{
	struct redis_move move = {.from = redis_cluster_master(c, key), .to = to};
	assert_non_null(move.from);
	move.slot = slot_of(move.from, key);
	open_slot(c, move.slot, move.from, to);
	move_all_keys(move.from, to, move.slot);
	return move;
}

void redis_cluster_end_move(struct redis_cluster *c, const struct redis_move *move)
{
	close_slot(c, move->slot, move->from, move->to);
}
