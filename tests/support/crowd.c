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

#define REST_MS	    20	    /* before the next attempt to connect */
#define PATIENCE_US 6000000 /* with a server that does not answer, where there are others */

const char *const crowd_limits[] = {"--limit", "questions_per_hour=1000000",
				    "--limit", "answers_per_hour=1000000",
				    "--limit", "answers_per_minute=1000000",
				    "--limit", "question_lists_per_hour=1000000",
				    "--limit", "user_bytes_per_hour=1000000000",
				    "--limit", "room_bytes_per_hour=1000000000",
				    NULL};

int64_t crowd_now_us(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t now_ms(void)
{
	return crowd_now_us() / 1000;
}

static unsigned new_number(struct client *c, bool is_named)
{
	if (c->made_n == c->fates_room) {
		c->fates_room = c->fates_room == 0 ? 1024 : 2 * c->fates_room;
		c->fates = realloc(c->fates, c->fates_room);
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

const char *crowd_socket(const struct client *c)
{
	const struct crowd *crowd = c->crowd;
	return crowd->servers_n == 1
		       ? c->socket
		       : crowd->servers[(c->at + c->tries) % crowd->servers_n]->socket;
}

/* Of several servers the one that has the room is meant. */
static uint32_t client_hello(struct client *c, struct net_peer *p)
{
	char params[96];
	bool means_room = c->crowd->servers_n > 1 && c->kind->is_seated;
	(void)format_to(params, sizeof(params), "{\"protocol\":1,\"client\":\"crowd\"%s%s%s}",
			means_room ? ",\"room_id\":\"" : "", means_room ? c->place : "",
			means_room ? "\"" : "");
	return net_request(p, "session.hello", params);
}

void crowd_open(struct client *c, struct net_peer *p)
{
	if (c->crowd->servers_n > 1) {
		net_open_for(p, crowd_socket(c), c->place);
	} else {
		net_peer_open(p, net_connect_unix(crowd_socket(c)));
		net_hello(p);
	}
}

static void client_send(struct client *c, struct change *change)
{
	change->sent_us = crowd_now_us();
	change->msgid = net_request(&c->peer, change->method, change->params);
}

static void client_connect(struct client *c)
{
	char params[160];
	int fd = try_to_connect(crowd_socket(c));
	c->not_before_ms = now_ms() + REST_MS;
	if (fd < 0) {
		c->tries++;
		return;
	}
	net_peer_open(&c->peer, fd);
	c->is_open = true;
	c->version = 0;
	c->greeted_us = crowd_now_us();
	(void)client_hello(c, &c->peer);
	if (c->kind->is_seated) {
		c->least = crowd_room_settled(c->room);
		c->epoch = c->room->epoch;
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
	c->tries += !c->is_ready;
	c->since_us = c->since_us == 0 ? crowd_now_us() : c->since_us;
	c->is_open = false;
	c->is_ready = false;
	c->not_before_ms = now_ms() + REST_MS;
}

/* ---- answers ---- */

static bool is_unavailable(const char *json)
{
	return strstr(json, "\"code\":\"UNAVAILABLE\"") != NULL;
}

/* Another server has the room now; the key tells it what was made before. */
static bool is_elsewhere(const char *json)
{
	return strstr(json, "\"code\":\"ELSEWHERE\"") != NULL;
}

static void client_waited(struct client *c)
{
	int64_t waited_us = crowd_now_us() - c->since_us;
	struct crowd *crowd = c->crowd;
	crowd->longest_us = waited_us > crowd->longest_us ? waited_us : crowd->longest_us;
	c->since_us = c->n > 1 ? crowd_now_us() : 0;
}

/* false: the connection is of no use. */
static bool client_on_greeted(struct client *c, bool is_made, const char *json)
{
	if (!is_made && !is_unavailable(json) && !is_elsewhere(json)) {
		fail_msg("client %u may not go on: %s", c->at, json);
	}
	c->is_ready = is_made;
	for (size_t i = 0; i < c->n && is_made; i++) {
		c->changes[i].is_repeated = true;
		client_send(c, &c->changes[i]);
	}
	if (is_made && c->n == 0 && c->since_us != 0) {
		client_waited(c);
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
		fail_msg("client %u: %s %s was refused, %s, after %lld ms: %s", c->at,
			 change->method, change->params,
			 change->is_repeated ? "repeated" : "sent once",
			 (long long)(crowd_now_us() - change->sent_us) / 1000, json);
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
		crowd_add_time(c->crowd, crowd_now_us() - change->sent_us);
		c->served = change->epoch;
		client_waited(c);
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
	long long epoch, from, to;
	assert_int_equal(sscanf(strstr(json, "\"epoch\":"),
				"\"epoch\":%lld,\"since\":%lld,\"version\":%lld", &epoch, &from,
				&to),
			 3);
	bool is_full = strstr(json, "\"full\":true") != NULL;
	if (!is_full && c->version != 0 && c->version != from) {
		fail_msg("client %u was at version %lld: %s", c->at, c->version, json);
	}
	c->version = to;
	if (c->crowd->servers_n > 1) {
		crowd_room_check(c, epoch, from, to, json);
	}
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
	if (!is_made && is_elsewhere(json)) {
		return false;
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
	c->since_us = c->since_us == 0 ? crowd_now_us() : c->since_us;
	c->not_before_ms = now_ms() + crowd->pause_ms;
	client_send(c, change);
}

/* Whether it has waited long enough to go on to the next server. */
static bool is_given_up(const struct client *c)
{
	int64_t sent_us = c->is_ready && c->n > 0 ? c->changes[0].sent_us : c->greeted_us;
	return c->crowd->servers_n > 1 && !c->crowd->must_stay && c->is_open &&
	       (!c->is_ready || c->n > 0) && crowd_now_us() - sent_us > PATIENCE_US;
}

static void client_go_on(struct client *c)
{
	if (is_given_up(c)) {
		c->tries += c->is_ready;
		client_disconnect(c);
	}
	if (now_ms() < c->not_before_ms) {
		return;
	}
	if (!c->is_open) {
		client_connect(c);
	} else if (c->is_ready && c->n < UNDER_WAY && !c->crowd->is_closing) {
		client_make(c);
	}
}

/* A server's log must not fill its pipe. It is shown where somebody looks for what went wrong. */
static void crowd_read_log(int log_fd)
{
	char log[4096];
	ssize_t n = read(log_fd, log, sizeof(log));
	if (n > 0 && getenv("AYE_CROWD_LOG") != NULL) {
		(void)fwrite(log, 1, (size_t)n, stderr);
	}
}

static void crowd_turn(struct crowd *crowd)
{
	struct pollfd polls[CLIENTS_MAX + CROWD_SERVERS_MAX];
	struct pollfd *logs = polls + crowd->n;
	for (size_t i = 0; i < crowd->n; i++) {
		struct client *c = &crowd->clients[i];
		client_go_on(c);
		polls[i] = (struct pollfd){.fd = c->is_open ? c->peer.fd : -1, .events = POLLIN};
	}
	for (size_t i = 0; i < crowd->servers_n; i++) {
		logs[i] = (struct pollfd){.fd = crowd->servers[i]->err, .events = POLLIN};
	}
	(void)poll(polls, crowd->n + crowd->servers_n, CROWD_TURN_MS);
	for (size_t i = 0; i < crowd->servers_n; i++) {
		if (logs[i].revents != 0) {
			crowd_read_log(logs[i].fd);
		}
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

void crowd_come_again(struct crowd *crowd, const struct net_server *server)
{
	for (size_t i = 0; i < crowd->n; i++) {
		struct client *c = &crowd->clients[i];
		if (c->is_open && crowd_socket(c) == server->socket) {
			client_disconnect(c);
			c->not_before_ms = 0;
		}
	}
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

int64_t crowd_take_longest_ms(struct crowd *crowd)
{
	int64_t longest_ms = crowd->longest_us / 1000;
	crowd->longest_us = 0;
	return longest_ms;
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
