/*
 * crowd.c - see crowd.h. One loop of poll() over all clients.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/support/crowd_client.h"
#include "tests/support/test.h"

#define TURN_MS \
	10 /* at most; as long pauses a client between two changes, so that tests beside this one go on */
#define REST_MS 20 /* before the next attempt to connect */

const char *const crowd_limits[] = {"--limit", "questions_per_hour=1000000",
				    "--limit", "answers_per_hour=1000000",
				    "--limit", "answers_per_minute=1000000",
				    "--limit", "question_lists_per_hour=1000000",
				    "--limit", "user_bytes_per_hour=1000000000",
				    "--limit", "room_bytes_per_hour=1000000000",
				    NULL};

static int64_t now_us(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t now_ms(void)
{
	return now_us() / 1000;
}

static unsigned new_number(struct client *c, bool is_named)
{
	if (c->made_n == c->room) {
		c->room = c->room == 0 ? 1024 : 2 * c->room;
		c->fates = realloc(c->fates, c->room);
		assert_non_null(c->fates);
	}
	c->fates[c->made_n] = is_named ? FATE_WAITS : FATE_UNNAMED;
	return c->made_n++;
}

/* ---- connections ---- */

static int try_to_connect(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	memcpy(at.sun_path, path, strlen(path) + 1);
	if (connect(fd, (const struct sockaddr *)&at, sizeof(at)) != 0) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

static void client_send(struct client *c, struct change *change)
{
	change->sent_us = now_us();
	change->msgid = net_request(&c->peer, change->method, change->params);
}

static void client_connect(struct client *c)
{
	char params[160];
	int fd = try_to_connect(c->socket);
	c->not_before_ms = now_ms() + REST_MS;
	if (fd < 0) {
		return;
	}
	net_peer_open(&c->peer, fd);
	c->is_open = true;
	c->version = 0;
	(void)net_request(&c->peer, "session.hello", "{\"protocol\":1,\"client\":\"crowd\"}");
	if (c->kind->is_seated) {
		(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"user_key\":\"%s\"}",
				c->place, c->proof);
		c->greeting = net_request(&c->peer, "room.subscribe", params);
	} else {
		(void)format_to(params, sizeof(params), "{\"token\":\"%s\"}", c->proof);
		c->greeting = net_request(&c->peer, "session.resume", params);
	}
}

static void client_disconnect(struct client *c)
{
	if (c->crowd->must_stay) {
		fail_msg("the connection of client %u ended", c->at);
	}
	net_peer_close(&c->peer);
	c->is_open = false;
	c->is_ready = false;
	c->not_before_ms = now_ms() + REST_MS;
}

/* ---- answers ---- */

static bool is_unavailable(const char *json)
{
	return strstr(json, "\"code\":\"UNAVAILABLE\"") != NULL;
}

/* false: the connection is of no use. */
static bool client_on_greeted(struct client *c, bool is_made, const char *json)
{
	if (!is_made && !is_unavailable(json)) {
		fail_msg("client %u may not go on: %s", c->at, json);
	}
	c->is_ready = is_made;
	for (size_t i = 0; i < c->n && is_made; i++) {
		c->changes[i].is_repeated = true;
		client_send(c, &c->changes[i]);
	}
	return is_made;
}

static void client_drop_change(struct client *c, struct change *change)
{
	size_t at = (size_t)(change - c->changes);
	c->n--;
	memmove(change, change + 1, (c->n - at) * sizeof(*change));
}

static void crowd_add_time(struct crowd *crowd, int64_t us)
{
	if (crowd->times_n == crowd->times_room) {
		crowd->times_room = crowd->times_room == 0 ? 1024 : 2 * crowd->times_room;
		crowd->times_us =
			realloc(crowd->times_us, crowd->times_room * sizeof(*crowd->times_us));
		assert_non_null(crowd->times_us);
	}
	crowd->times_us[crowd->times_n++] = (uint32_t)us;
}

static void client_on_answer(struct client *c, struct change *change, bool is_made,
			     const char *json)
{
	bool is_named = change->is_named;
	if (!is_made && !is_unavailable(json)) {
		fail_msg("client %u: %s was refused: %s", c->at, change->method, json);
	}
	if (!is_made && change->is_repeated) {
		client_send(c, change); /* the first may have been made */
		return;
	}
	if (is_named) {
		c->fates[change->number] = is_made ? FATE_MADE : FATE_REFUSED;
	}
	if (is_made) {
		c->crowd->made++;
		c->crowd->kept += c->kind->is_kept;
		crowd_add_time(c->crowd, now_us() - change->sent_us);
		c->served = change->epoch;
		c->kind->on_made(c, change, json);
	} else {
		c->crowd->refused++;
		c->kind->on_refused(c, change);
	}
	client_drop_change(c, change);
}

/* An update follows the one before it, or says everything; the first ones may have come with what a client began with. */
static void client_on_version(struct client *c, const char *json)
{
	const char *since = strstr(json, "\"since\":");
	long long from, to;
	assert_non_null(since);
	assert_int_equal(sscanf(since, "\"since\":%lld,\"version\":%lld", &from, &to), 2);
	bool is_full = strstr(json, "\"full\":true") != NULL;
	if (!is_full && c->version != 0 && c->version != from) {
		fail_msg("client %u was at version %lld: %s", c->at, c->version, json);
	}
	c->version = to;
}

static void client_on_news(struct client *c, const char *json)
{
	char gone[96];
	if (strstr(json, "\"room.update\"") == NULL) {
		return;
	}
	client_on_version(c, json);
	crowd_look_for_names(c->crowd, crowd_member.name, json, NULL);
	for (size_t i = 0; i < c->crowd->n && c->crowd->must_stay; i++) {
		(void)format_to(gone, sizeof(gone), "\"user_id\":\"%s\",\"is_connected\":false",
				c->crowd->clients[i].user_id);
		if (strstr(json, gone) != NULL) {
			fail_msg("a member is shown as gone who is not: %s", json);
		}
	}
}

static bool client_on_message(struct client *c, const char *json)
{
	unsigned msgid = 0;
	if (strncmp(json, "[1,", 3) != 0) {
		client_on_news(c, json);
		return strstr(json, "\"server.closing\"") == NULL;
	}
	assert_int_equal(sscanf(json, "[1,%u,", &msgid), 1);
	bool is_made = strncmp(strchr(json + 3, ','), ",null,", 6) == 0;
	if (!c->is_ready) {
		return msgid == c->greeting ? client_on_greeted(c, is_made, json)
					    : is_made || is_unavailable(json);
	}
	for (size_t i = 0; i < c->n; i++) {
		if (c->changes[i].msgid == msgid) {
			client_on_answer(c, &c->changes[i], is_made, json);
			break;
		}
	}
	return true;
}

static void client_receive(struct client *c)
{
	bool goes_on = net_read(&c->peer);
	const char *json;
	while (goes_on && (json = net_arrived(&c->peer)) != NULL) {
		goes_on = client_on_message(c, json);
	}
	if (!goes_on) {
		client_disconnect(c);
	}
}

/* ---- the loop ---- */

static void client_make(struct client *c)
{
	struct crowd *crowd = c->crowd;
	struct change *change = &c->changes[c->n];
	*change = (struct change){.number = c->made_n, .epoch = crowd->epoch};
	if (!c->kind->next(c, change)) {
		return;
	}
	size_t len = strlen(change->params);
	char params[PARAMS_BYTES];
	memcpy(params, change->params, len + 1);
	(void)format_to(change->params, PARAMS_BYTES,
			"{%s,\"idempotency_key\":\"a change of the crowd %llu\"}", params,
			crowd->keys++);
	change->number = new_number(c, change->is_named);
	c->n++;
	c->not_before_ms = now_ms() + crowd->pause_ms;
	client_send(c, change);
}

static void client_go_on(struct client *c)
{
	if (now_ms() < c->not_before_ms) {
		return;
	}
	if (!c->is_open) {
		client_connect(c);
	} else if (c->is_ready && c->n < UNDER_WAY && !c->crowd->is_closing) {
		client_make(c);
	}
}

/* The server's log must not fill its pipe. It is shown where somebody looks for what went wrong. */
static void crowd_read_log(const struct crowd *crowd)
{
	char log[4096];
	ssize_t n = read(crowd->server->err, log, sizeof(log));
	if (n > 0 && getenv("AYE_CROWD_LOG") != NULL) {
		(void)fwrite(log, 1, (size_t)n, stderr);
	}
}

static void crowd_turn(struct crowd *crowd)
{
	struct pollfd polls[CLIENTS_MAX + 1];
	for (size_t i = 0; i < crowd->n; i++) {
		struct client *c = &crowd->clients[i];
		client_go_on(c);
		polls[i] = (struct pollfd){.fd = c->is_open ? c->peer.fd : -1, .events = POLLIN};
	}
	polls[crowd->n] = (struct pollfd){.fd = crowd->server->err, .events = POLLIN};
	(void)poll(polls, crowd->n + 1, TURN_MS);
	if (polls[crowd->n].revents != 0) {
		crowd_read_log(crowd);
	}
	for (size_t i = 0; i < crowd->n; i++) {
		if (polls[i].revents != 0) {
			client_receive(&crowd->clients[i]);
		}
	}
}

void crowd_run(struct crowd *crowd, int ms)
{
	int64_t end_ms = now_ms() + ms;
	while (now_ms() < end_ms) {
		crowd_turn(crowd);
	}
}

static bool is_ready(const struct client *c)
{
	return c->is_ready;
}

static bool is_served(const struct client *c)
{
	return c->served == c->crowd->epoch;
}

static bool is_answered(const struct client *c)
{
	return c->is_ready && c->n == 0;
}

static void crowd_until(struct crowd *crowd, bool (*is_so)(const struct client *c),
			const char *what, int within_ms)
{
	int64_t end_ms = now_ms() + within_ms;
	size_t so = 0;
	while (so < crowd->n) {
		crowd_turn(crowd);
		so = 0;
		while (so < crowd->n && is_so(&crowd->clients[so])) {
			so++;
		}
		if (so < crowd->n && now_ms() > end_ms) {
			fail_msg("client %zu is not %s within %d ms", so, what, within_ms);
		}
	}
}

void crowd_until_served(struct crowd *crowd, int within_ms)
{
	int64_t began_ms = now_ms();
	crowd_until(crowd, is_ready, "connected", within_ms);
	crowd->epoch++;
	crowd_until(crowd, is_served, "served", within_ms - (int)(now_ms() - began_ms));
}

void crowd_slow_down(struct crowd *crowd, int pause_ms)
{
	crowd->pause_ms = pause_ms;
}

void crowd_must_stay(struct crowd *crowd, bool must)
{
	crowd->must_stay = must;
}

void crowd_until_answered(struct crowd *crowd)
{
	crowd->is_closing = true;
	crowd_until(crowd, is_answered, "answered", NET_PATIENCE_MS);
}

void crowd_check(struct crowd *crowd)
{
	for (size_t i = 0; i < crowd->n; i++) {
		struct client *c = &crowd->clients[i];
		c->kind->check(c);
	}
}

unsigned long crowd_made(const struct crowd *crowd)
{
	return crowd->made;
}

unsigned long crowd_refused(const struct crowd *crowd)
{
	return crowd->refused;
}

unsigned long crowd_kept(const struct crowd *crowd)
{
	return crowd->kept;
}

static int compare_times(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	return left < right ? -1 : left > right;
}

struct crowd_times crowd_take_times(struct crowd *crowd)
{
	size_t n = crowd->times_n, half = n / 2, most = n * 99 / 100;
	struct crowd_times out = {.n = n};
	if (n > 0) {
		qsort(crowd->times_us, n, sizeof(*crowd->times_us), compare_times);
		out.p50_ms = crowd->times_us[half] / 1e3;
		out.p99_ms = crowd->times_us[most] / 1e3;
	}
	crowd->times_n = 0;
	return out;
}

const char *crowd_room(const struct crowd *crowd, size_t party)
{
	assert_true(party < crowd->n / CLIENTS);
	return crowd->clients[party * CLIENTS].place;
}

/* ---- beginning and end ---- */

static void make_room(const char *socket, bool keeps_votes, char room[ID_BYTES])
{
	struct net_peer p;
	char params[256];
	net_peer_open(&p, net_connect_unix(socket));
	net_hello(&p);
	(void)format_to(
		params, sizeof(params),
		"{\"valid_sizes\":[\"c0\",\"c1\",\"c2\",\"c3\",\"c4\",\"c5\",\"c6\",\"c7\"],"
		"\"policy\":{\"who_reveals\":\"everyone\",\"who_resets\":\"everyone\","
		"\"keep_votes\":%s}}",
		keeps_votes ? "true" : "false");
	net_field(net_must(&p, "room.create", params), "room_id", room, ID_BYTES);
	net_peer_close(&p);
}

static void sit_down(struct client *c, const char *room)
{
	char params[96];
	memcpy(c->place, room, ID_BYTES);
	net_hello(&c->peer);
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"}", room);
	const char *json = net_must(&c->peer, "room.subscribe", params);
	net_field(json, "user_key", c->proof, sizeof(c->proof));
	net_field(json, "user_id", c->user_id, ID_BYTES);
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"username\":\"m%u\"}", room,
			c->at);
	(void)net_must(&c->peer, "room.join", params);
}

static void log_in(struct client *c)
{
	char params[128], name[16];
	(void)format_to(name, sizeof(name), "person %u", c->at);
	bool is_keeper = c->kind == &crowd_keeper;
	net_field(is_keeper ? net_login_with_key(&c->peer, name) : net_login(&c->peer, name),
		  "token", c->proof, sizeof(c->proof));
	if (is_keeper) {
		net_field(net_must(&c->peer, "group.create", "{}"), "container_id", c->place,
			  ID_BYTES);
		(void)format_to(params, sizeof(params),
				"{\"container_id\":\"%s\",\"name\":\"counter\",\"quantity\":0}",
				c->place);
		net_field(net_must(&c->peer, "item.add", params), "item_id", c->counter, ID_BYTES);
	}
}

static const struct client_kind *kind_of(unsigned i)
{
	bool asks = (i - MEMBERS - KEEPERS) % 2 == 0;
	return i < MEMBERS			    ? &crowd_member
	       : i < MEMBERS + KEEPERS		    ? &crowd_keeper
	       : i >= MEMBERS + KEEPERS + 2 * PAIRS ? &crowd_player
	       : asks				    ? &crowd_asker
						    : &crowd_answerer;
}

static void party_come(struct crowd *crowd, const char *socket, bool keeps_votes)
{
	char room[ID_BYTES], stage[ID_BYTES];
	assert_true(crowd->n + CLIENTS <= CLIENTS_MAX);
	make_room(socket, keeps_votes, room);
	make_room(socket, keeps_votes, stage);
	for (unsigned i = 0; i < CLIENTS; i++) {
		struct client *c = &crowd->clients[crowd->n];
		c->crowd = crowd;
		c->socket = socket;
		c->at = (unsigned)crowd->n;
		c->card = -1;
		c->kind = kind_of(i);
		c->other = c->kind == &crowd_asker ? c + 1 : NULL;
		net_peer_open(&c->peer, net_connect_unix(socket));
		c->is_open = true;
		c->is_ready = true;
		if (c->kind->is_seated) {
			sit_down(c, c->kind == &crowd_player ? stage : room);
		} else {
			log_in(c);
		}
		crowd->n++;
	}
}

struct crowd *crowd_create(const struct net_server *s, unsigned seed)
{
	struct crowd *crowd = calloc(1, sizeof(*crowd));
	assert_non_null(crowd);
	*crowd = (struct crowd){.server = s, .random = seed, .pause_ms = TURN_MS};
	party_come(crowd, s->relays[0] > 0 ? s->relay_sockets[0] : s->socket, false);
	return crowd;
}

void crowd_add_party(struct crowd *crowd, const char *socket)
{
	party_come(crowd, socket, true);
}

void crowd_destroy(struct crowd *crowd)
{
	free(crowd->times_us);
	for (size_t i = 0; i < crowd->n; i++) {
		if (crowd->clients[i].is_open) {
			net_peer_close(&crowd->clients[i].peer);
		}
		free(crowd->clients[i].fates);
	}
	free(crowd);
}
