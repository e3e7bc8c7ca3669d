/*
 * net_crash.c - kill -9 of a real server in the middle of a storm of votes: what
 * it had acknowledged is there when it comes back, and its data are whole.
 *
 * Each member keeps several votes under way. After the kill its seat must hold
 * the last acknowledged one or one sent later, and nothing else. The instants
 * are drawn from a seed, which is printed; AYE_CRASH_SEED repeats a run.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define KILLS	     20 /* over each transport and store */
#define MEMBERS	     5
#define CARDS	     32
#define UNDER_WAY    8	 /* votes of one member that wait for their answer */
#define ANSWERS_MOST 300 /* before a kill */
#define SENT_MOST    1024

struct member {
	struct net_peer peer;
	char user_key[64];
	uint32_t msgid[SENT_MOST]; /* what was sent since the last start, in order */
	unsigned card[SENT_MOST];
	size_t sent_n;
	size_t acked_n; /* of those, how many were acknowledged */
	int kept;	/* the card acknowledged last, or CARDS where there is none yet */
};

struct crash {
	struct net_server *server;
	uint64_t random;
	char room_id[32];
	struct member members[MEMBERS];
};

static unsigned crash_draw(struct crash *c, unsigned below)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return (unsigned)(c->random >> 33) % below;
}

static void crash_seed(struct crash *c)
{
	const char *told = getenv("AYE_CRASH_SEED");
	if (told != NULL) {
		c->random = strtoull(told, NULL, 10);
	} else {
		assert_int_equal(getrandom(&c->random, sizeof(c->random), 0), sizeof(c->random));
	}
	c->random |= 1; /* the generator never leaves 0 */
	print_message("# AYE_CRASH_SEED=%llu\n", (unsigned long long)c->random);
}

static void crash_make_room(struct crash *c)
{
	struct net_peer p;
	char json[512] = "{\"valid_sizes\":[";
	size_t at = strlen(json);
	for (unsigned i = 0; i < CARDS; i++) {
		at += (size_t)snprintf(json + at, sizeof(json) - at, "%s\"c%u\"", i > 0 ? "," : "",
				       i);
	}
	(void)snprintf(json + at, sizeof(json) - at, "]}");
	net_peer_open(&p, net_connect(c->server));
	net_hello(&p);
	net_field(net_must(&p, "room.create", json), "room_id", c->room_id, sizeof(c->room_id));
	net_peer_close(&p);
}

/* ---- coming back ---- */

/* Whether the card is one that the member's seat may hold now. */
static bool crash_may_hold(const struct member *m, int card)
{
	bool may = card == m->kept;
	for (size_t i = m->acked_n; i < m->sent_n; i++) {
		may = may || card == (int)m->card[i];
	}
	return may;
}

/* The card of the member's room.you; CARDS where there is none. */
static int crash_own_card(struct member *m)
{
	const char *line = net_message(&m->peer);
	while (line != NULL && strstr(line, "\"room.you\"") == NULL) {
		line = net_message(&m->peer);
	}
	assert_non_null(line);
	const char *vote = strstr(line, "\"vote\":");
	int card = CARDS;
	assert_non_null(vote);
	assert_true(sscanf(vote, "\"vote\":\"c%d\"", &card) == 1 ||
		    strncmp(vote, "\"vote\":null", 11) == 0);
	return card;
}

static void crash_sit_down(struct crash *c, struct member *m, unsigned number)
{
	char json[256];
	bool is_back = m->user_key[0] != '\0';
	net_peer_open(&m->peer, net_connect(c->server));
	net_hello(&m->peer);
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\"%s%s%s}", c->room_id,
		       is_back ? ",\"user_key\":\"" : "", m->user_key, is_back ? "\"" : "");
	const char *answer = net_must(&m->peer, "room.subscribe", json);
	if (!is_back) {
		net_field(answer, "user_key", m->user_key, sizeof(m->user_key));
		m->kept = CARDS;
	}
	int card = crash_own_card(m);
	if (!crash_may_hold(m, card)) {
		fail_msg("member %u holds c%d; acknowledged was c%d, and %zu votes were sent after "
			 "it",
			 number, card, m->kept, m->sent_n - m->acked_n);
	}
	m->kept = card; /* what is durable stays so */
	m->sent_n = 0;
	m->acked_n = 0;
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\",\"username\":\"m%u\"}", c->room_id,
		       number);
	(void)net_must(&m->peer, "room.join", json);
}

static void crash_all_come(struct crash *c)
{
	net_start(c->server, NULL);
	if (c->room_id[0] == '\0') {
		crash_make_room(c);
	}
	for (unsigned i = 0; i < MEMBERS; i++) {
		crash_sit_down(c, &c->members[i], i);
	}
}

/* ---- the storm ---- */

static void crash_vote(struct crash *c, struct member *m)
{
	char json[96];
	size_t at = m->sent_n++;
	assert_true(at < SENT_MOST);
	m->card[at] = crash_draw(c, CARDS);
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\",\"vote\":\"c%u\"}", c->room_id,
		       m->card[at]);
	m->msgid[at] = net_request(&m->peer, "room.vote", json);
}

/* What the server said: true for an acknowledgement, which must be of the next vote in order. */
static bool crash_take(struct member *m, const char *line)
{
	unsigned msgid;
	if (strncmp(line, "[1,", 3) != 0) {
		return false;
	}
	assert_int_equal(sscanf(line, "[1,%u,null,{\"has_vote\":true", &msgid), 1);
	assert_non_null(strstr(line, ",null,{\"has_vote\":true"));
	assert_true(m->acked_n < m->sent_n);
	assert_int_equal(msgid, m->msgid[m->acked_n]);
	m->kept = (int)m->card[m->acked_n++];
	return true;
}

static void crash_fill(struct crash *c)
{
	for (unsigned i = 0; i < MEMBERS; i++) {
		while (c->members[i].sent_n - c->members[i].acked_n < UNDER_WAY) {
			crash_vote(c, &c->members[i]);
		}
	}
}

/* Everybody votes until so many votes are acknowledged, with as many again on their way. */
static void crash_storm(struct crash *c, unsigned answers)
{
	crash_fill(c);
	while (answers > 0) {
		struct member *m = &c->members[crash_draw(c, MEMBERS)];
		const char *line = net_message(&m->peer);
		assert_non_null(line);
		answers -= crash_take(m, line) ? 1 : 0;
		crash_fill(c);
	}
}

/* What had left the server before its end counts as said. */
static void crash_hear_out(struct member *m)
{
	const char *line;
	while ((line = net_message(&m->peer)) != NULL) {
		(void)crash_take(m, line);
	}
	net_peer_close(&m->peer);
}

static int crash_check(const struct crash *c)
{
	int status = -1;
	const char *store = c->server->store;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		(void)dup2(null, STDOUT_FILENO);
		if (store[0] != '\0') {
			(void)execl(getenv("AYED"), "ayed", "check", "--store", store,
				    (char *)NULL);
		} else {
			(void)execl(getenv("AYED"), "ayed", "check", c->server->data, (char *)NULL);
		}
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* promise: killed */
NET_TEST_OVER_ALL_AND_CLUSTER(no_acknowledged_vote_is_lost_by_a_kill_at_any_instant, s)
{
	struct crash *c = &(struct crash){.server = s};
	size_t acked = 0;
	crash_seed(c);
	for (unsigned kills = 0; kills < KILLS; kills++) {
		crash_all_come(c);
		crash_storm(c, 1 + crash_draw(c, ANSWERS_MOST));
		assert_int_equal(net_end(c->server, SIGKILL), 1000 + SIGKILL);
		for (unsigned i = 0; i < MEMBERS; i++) {
			crash_hear_out(&c->members[i]);
			acked += c->members[i].acked_n;
		}
		assert_int_equal(crash_check(c), 0);
	}
	assert_true(acked >= KILLS);
	crash_all_come(c);
	for (unsigned i = 0; i < MEMBERS; i++) {
		net_peer_close(&c->members[i].peer);
	}
	assert_int_equal(net_end(c->server, SIGTERM), 0);
}
