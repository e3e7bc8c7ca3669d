/*
 * cells_team.c - what it costs to be in a large group with a large container, and to end it.
 *
 * The owner reads its users and items page after page, adds items and adjusts some;
 * then the group is deleted, while the counters are asked for, and the longest turn
 * of the loop since the start is looked at. Each run begins with data made anew.
 *
 * And what changes cost of which many are outstanding: all in one container, where each runs on what the one before
 * has written, beside as many containers as changes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"
#include "tests/bench/filling.h"
#include "tests/bench/machine.h"
#include "tests/bench/requests.h"

#define READS	      400
#define READS_QUICK   100
#define PAGE	      50
#define ID_BYTES      24
#define A_WEEK	      (7L * 86400)
#define STEP_ITEMS    128 /* that the end of a group takes at once */
#define QUIET_NS      UINT64_C(300000000)
#define PATIENCE_NS   UINT64_C(60000000000)
#define OUTSTANDING   32
#define CHANGES	      20000
#define CHANGES_QUICK 4000
#define LOOK_NS	      5000000L

struct team {
	pid_t server;
	struct net_peer owner;
	struct net_peer keeper; /* of the server: who may see its counters */
	char group_id[ID_BYTES], container_id[ID_BYTES];
	char cursor[REQUESTS_CURSOR_BYTES];
	char ids[READS][ID_BYTES]; /* an item of each page */
	size_t n;		   /* how often each request is made */
};

/* ---- requests ---- */

static void users(void *arg, size_t i)
{
	struct team *t = arg;
	char params[96];
	(void)i;
	format_to(params, sizeof(params), "\"group_id\":\"%s\",\"limit\":%d", t->group_id, PAGE);
	(void)requests_page(&t->owner, "group.users", params, t->cursor);
}

static void items(void *arg, size_t i)
{
	struct team *t = arg;
	char params[96];
	format_to(params, sizeof(params), "\"container_id\":\"%s\",\"limit\":%d", t->container_id,
		  PAGE);
	requests_text(requests_page(&t->owner, "item.list", params, t->cursor), "item_id",
		      t->ids[i], sizeof(t->ids[i]));
}

static void add(void *arg, size_t i)
{
	struct team *t = arg;
	char params[128];
	format_to(params, sizeof(params),
		  "{\"container_id\":\"%s\",\"name\":\"one more, %zu\",\"quantity\":\"3\"}",
		  t->container_id, i);
	(void)net_must(&t->owner, "item.add", params);
}

static void adjust(void *arg, size_t i)
{
	struct team *t = arg;
	char params[128];
	format_to(params, sizeof(params),
		  "{\"container_id\":\"%s\",\"item_id\":\"%s\",\"by\":\"0.5\"}", t->container_id,
		  t->ids[i]);
	(void)net_must(&t->owner, "item.adjust", params);
}

static double cpu_us(struct team *t, void (*request)(void *, size_t))
{
	t->cursor[0] = '\0';
	return requests_cpu_us(t->server, t->n, request, t);
}

static double counter(struct team *t, const char *name)
{
	char begin[64];
	size_t len = format_to(begin, sizeof(begin), "\"%s\":", name);
	const char *at = strstr(net_must(&t->keeper, "server.stats", "{}"), begin);
	return at == NULL ? 0 : strtod(at + len, NULL);
}

/* Whether it is gone: until the server has had nothing to commit for a while, and enough before. */
static bool end_group(struct team *t, const struct filling *f)
{
	char params[96];
	unsigned long steps = f->items / STEP_ITEMS + f->users / STEP_ITEMS;
	double before = counter(t, "commits_total"), now = before;
	uint64_t began = machine_now_ns(), since = began;
	format_to(params, sizeof(params), "{\"group_id\":\"%s\"}", t->group_id);
	(void)net_must(&t->owner, "group.delete", params);
	while (machine_now_ns() - since < QUIET_NS || now - before < (double)steps) {
		double was = now;
		if (machine_now_ns() - began > PATIENCE_NS) {
			return false;
		}
		(void)nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
		now = counter(t, "commits_total");
		since = now == was ? since : machine_now_ns();
	}
	return true;
}

/* ---- runs ---- */

static void team_enter(struct team *t, int port, const char *socket)
{
	struct net_server at = {.pid = t->server};
	char params[96];
	format_to(at.socket, sizeof(at.socket), "%s", socket);
	net_peer_open(&t->keeper, net_connect(&at));
	net_hello(&t->keeper);
	net_peer_open(&t->owner, net_connect_tcp("127.0.0.1", port));
	net_hello(&t->owner);
	format_to(params, sizeof(params), "{\"token\":\"%s\"}", FILLING_TOKEN);
	(void)net_must(&t->owner, "session.resume", params);
	requests_text(net_must(&t->owner, "container.list", "{}"), "container_id", t->container_id,
		      ID_BYTES);
	requests_text(net_must(&t->owner, "group.list", "{}"), "group_id", t->group_id, ID_BYTES);
}

static void team_measure(struct team *t, const struct filling *f, struct sample *out)
{
	struct moment from, to;
	(void)cpu_us(t, items); /* the first time, pages are read from the disk */
	(void)cpu_us(t, users);
	out->figures[FIGURE_ITEMS_US] = cpu_us(t, items);
	out->figures[FIGURE_USERS_US] = cpu_us(t, users);
	out->figures[FIGURE_ADD_US] = cpu_us(t, add);
	out->figures[FIGURE_ADJUST_US] = cpu_us(t, adjust);
	/* A turn lasts by the clock, and longer where others take the core meanwhile. */
	machine_look(t->server, &from);
	out->is_done = end_group(t, f);
	machine_look(t->server, &to);
	for (int i = 0; i < CORES; i++) {
		out->others[i] = machine_others(&from, &to, (enum machine_core)i);
		out->ours[i] = machine_ours(&from, &to, (enum machine_core)i);
	}
	out->figures[FIGURE_TURN_MS] = counter(t, "longest_turn_seconds") * 1e3;
	if (!out->is_done) {
		format_to(out->why, sizeof(out->why), "the group was not deleted");
	}
}

/* A page of a container, an item more, and a quantity: beside all that is there. The group stays. */
static void items_measure(struct team *t, struct sample *out)
{
	(void)cpu_us(t, items); /* the first time, pages are read from the disk */
	out->figures[FIGURE_ITEMS_US] = cpu_us(t, items);
	out->figures[FIGURE_ADD_US] = cpu_us(t, add);
	out->figures[FIGURE_ADJUST_US] = cpu_us(t, adjust);
	out->is_done = true;
}

static bool team_start(const struct bench *b, const struct contender *c, struct team *t,
		       struct run *r, struct sample *out)
{
	char socket[SERVER_PATH_BYTES], listen[SERVER_PATH_BYTES + 8];
	format_to(socket, sizeof(socket), "%s/keeper", b->dir);
	format_to(listen, sizeof(listen), "unix:%s", socket);
	if (!filling_start(b, c, (const char *const[]){"--listen", listen, NULL}, r, out)) {
		return false;
	}
	*t = (struct team){.server = r->server.pid, .n = b->is_quick ? READS_QUICK : READS};
	team_enter(t, r->server.port, socket);
	return true;
}

static void team_stop(struct team *t, struct run *r)
{
	net_peer_close(&t->owner);
	net_peer_close(&t->keeper);
	run_stop(r);
}

static void run_team(const struct bench *b, const struct contender *c, struct sample *out)
{
	static struct team t;
	struct run r;
	if (team_start(b, c, &t, &r, out)) {
		team_measure(&t, c->more, out);
		team_stop(&t, &r);
	}
	filling_drop(b, c);
}

static void run_items(const struct bench *b, const struct contender *c, struct sample *out)
{
	static struct team t;
	struct run r;
	if (team_start(b, c, &t, &r, out)) {
		items_measure(&t, out);
		team_stop(&t, &r);
	}
}

/* ---- changes at once ---- */

struct crowded {
	struct filling as; /* first: filling_start() reads it */
	size_t containers;
};

struct crowd {
	struct team t;
	size_t containers;
	char container_ids[OUTSTANDING][ID_BYTES], item_ids[OUTSTANDING][ID_BYTES];
};

/* An item in each of the containers, so many in all. */
static void crowd_furnish(struct crowd *w)
{
	char params[160];
	for (size_t i = 0; i < OUTSTANDING; i++) {
		size_t in = i % w->containers;
		if (i == in) {
			format_to(params, sizeof(params),
				  "{\"group_id\":\"%s\",\"container_name\":\"shelf %zu\"}",
				  w->t.group_id, i);
			requests_text(net_must(&w->t.owner, "container.create", params),
				      "container_id", w->container_ids[i], ID_BYTES);
		}
		format_to(params, sizeof(params),
			  "{\"container_id\":\"%s\",\"name\":\"%zu\",\"quantity\":\"3\"}",
			  w->container_ids[in], i);
		requests_text(net_must(&w->t.owner, "item.add", params), "item_id", w->item_ids[i],
			      ID_BYTES);
	}
}

static void crowd_change(struct crowd *w, size_t i)
{
	char params[128];
	i %= OUTSTANDING;
	format_to(params, sizeof(params),
		  "{\"container_id\":\"%s\",\"item_id\":\"%s\",\"by\":\"0.5\"}",
		  w->container_ids[i % w->containers], w->item_ids[i]);
	(void)net_request(&w->t.owner, "item.adjust", params);
}

/* OUTSTANDING of them at any time; false where one was refused. */
static bool crowd_play(struct crowd *w, size_t n)
{
	bool is_done = true;
	for (size_t i = 0; i < n + OUTSTANDING; i++) {
		if (i >= OUTSTANDING) {
			const char *answer = net_message(&w->t.owner);
			is_done = is_done && answer != NULL && strstr(answer, ",null,{") != NULL;
		}
		if (i < n && is_done) {
			crowd_change(w, i);
		}
	}
	return is_done;
}

static void run_crowd(const struct bench *b, const struct contender *c, struct sample *out)
{
	static struct crowd w;
	char socket[SERVER_PATH_BYTES], listen[SERVER_PATH_BYTES + 8];
	struct run r;
	size_t n = b->is_quick ? CHANGES_QUICK : CHANGES;
	format_to(socket, sizeof(socket), "%s/keeper", b->dir);
	format_to(listen, sizeof(listen), "unix:%s", socket);
	if (filling_start(b, c, (const char *const[]){"--listen", listen, NULL}, &r, out)) {
		struct moment from, to;
		w = (struct crowd){.t = {.server = r.server.pid},
				   .containers = ((const struct crowded *)c->more)->containers};
		team_enter(&w.t, r.server.port, socket);
		crowd_furnish(&w);
		(void)crowd_play(&w, n / 10);
		machine_look(w.t.server, &from);
		uint64_t began = machine_now_ns(), cpu = machine_cpu_ns(w.t.server);
		out->is_done = crowd_play(&w, n);
		cpu = machine_cpu_ns(w.t.server) - cpu;
		out->figures[FIGURE_CHANGES] = (double)n * 1e9 / (double)(machine_now_ns() - began);
		out->figures[FIGURE_CHANGE_US] = (double)cpu / (double)n / 1e3;
		machine_look(w.t.server, &to);
		for (int i = 0; i < CORES; i++) {
			out->others[i] = machine_others(&from, &to, (enum machine_core)i);
			out->ours[i] = machine_ours(&from, &to, (enum machine_core)i);
		}
		if (!out->is_done) {
			format_to(out->why, sizeof(out->why), "a change was refused");
		}
		net_peer_close(&w.t.owner);
		net_peer_close(&w.t.keeper);
		run_stop(&r);
	}
	filling_drop(b, c);
}

#define CROWD(name, containers_n)                                                     \
	{                                                                             \
		name, SERVER_AYE, run_crowd, {{0}}, 0, &(const struct crowded)        \
		{                                                                     \
			{.due_s = A_WEEK, .users = 100, .items = 100}, (containers_n) \
		}                                                                     \
	}

#define TEAM(name, users_n, items_n)                                            \
	{                                                                       \
		name, SERVER_AYE, run_team, {{0}}, 0, &(const struct filling)   \
		{                                                               \
			.due_s = A_WEEK, .users = (users_n), .items = (items_n) \
		}                                                               \
	}

#define ITEMS(name, items_n)                                                   \
	{                                                                      \
		name, SERVER_AYE, run_items, {{0}}, 0, &(const struct filling) \
		{                                                              \
			.due_s = A_WEEK, .users = 1, .items = (items_n)        \
		}                                                              \
	}

/* There is room for what is added: a container takes 100,000 items, and these have some fewer. */
const struct cell cells_team[] = {
	{"16",
	 "a group of so many users, and so many items in its container; its end",
	 {TEAM("100 and 100", 100, 100), TEAM("10,000 and 100,000", 10000, 100000 - READS)},
	 {FIGURE_USERS_US, FIGURE_ITEMS_US, FIGURE_ADD_US, FIGURE_ADJUST_US, FIGURE_TURN_MS},
	 5,
	 {{"CPU per page of users", FIGURE_USERS_US, "10,000 and 100,000", "100 and 100", false,
	   1.2},
	  {"CPU per page of items", FIGURE_ITEMS_US, "10,000 and 100,000", "100 and 100", false,
	   1.2},
	  {"CPU per item.add", FIGURE_ADD_US, "10,000 and 100,000", "100 and 100", false, 1.2},
	  {"CPU per item.adjust", FIGURE_ADJUST_US, "10,000 and 100,000", "100 and 100", false,
	   1.2},
	  {"longest turn until it is gone, ms", FIGURE_TURN_MS, "10,000 and 100,000", NULL, false,
	   5}}},
	{"20",
	 "a page of items, and a change, beside so many in containers of up to 100,000",
	 {ITEMS("90,000", 90000), ITEMS("1,000,000", FILLING_LARGE + FILLING_LARGE / 20)},
	 {FIGURE_ITEMS_US, FIGURE_ADD_US, FIGURE_ADJUST_US},
	 3,
	 {{"CPU per page of items", FIGURE_ITEMS_US, "1,000,000", "90,000", false, 1.2},
	  {"CPU per item.add", FIGURE_ADD_US, "1,000,000", "90,000", false, 1.2},
	  {"CPU per item.adjust", FIGURE_ADJUST_US, "1,000,000", "90,000", false, 1.2}}},
	{"21",
	 "changes of items, 32 outstanding: in one container, in a container each",
	 {CROWD("one container", 1), CROWD("32 containers", OUTSTANDING)},
	 {FIGURE_CHANGES, FIGURE_CHANGE_US},
	 2,
	 {{"changes/s in one container", FIGURE_CHANGES, "one container", "32 containers", true,
	   0.9},
	  {"CPU us per change in one container", FIGURE_CHANGE_US, "one container", NULL, false,
	   60}}},
	{0},
};
