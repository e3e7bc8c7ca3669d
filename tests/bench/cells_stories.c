/*
 * cells_stories.c - what a vote on a story costs in a room whose stories are open together, beside a vote
 * in a room that has none.
 *
 * All members sit in the room and are told of each vote. They vote one after the other, each with another
 * card than before; on open stories, everybody has voted on all of them before that is measured.
 */
#include <sys/socket.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"
#include "tests/bench/machine.h"
#include "tests/bench/requests.h"

#define MEMBERS	     40
#define STORIES	     60
#define VOTES	     4800
#define VOTES_QUICK  1200
#define ID_BYTES     24
#define PARAMS_BYTES 160

struct table {
	struct net_peer members[MEMBERS];
	char room_id[ID_BYTES];
	char story_ids[STORIES][ID_BYTES];
	size_t stories_n; /* 0: they vote at the table */
	size_t votes_n;	  /* so far */
};

static void read_news(const struct net_peer *p)
{
	char bytes[65536];
	while (recv(p->fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0) {
	}
}

static void vote(void *arg, size_t i)
{
	struct table *t = arg;
	char on[ID_BYTES + 16] = "";
	char params[PARAMS_BYTES];
	(void)i; /* those that were cast before count */
	size_t n = t->votes_n++;
	size_t round = n / MEMBERS; /* each member has cast so many */
	if (t->stories_n > 0) {
		format_to(on, sizeof(on), ",\"story_id\":\"%s\"", t->story_ids[round % STORIES]);
		round /= STORIES;
	}
	format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"vote\":\"%s\"%s}", t->room_id,
		  round % 2 == 0 ? "5" : "8", on);
	(void)net_must(&t->members[n % MEMBERS], "room.vote", params);
	for (size_t m = 0; m < MEMBERS; m++) {
		if (m != n % MEMBERS) {
			read_news(&t->members[m]);
		}
	}
}

static void add_stories(struct table *t, const char *host_key)
{
	char params[PARAMS_BYTES];
	for (size_t i = 0; i < t->stories_n; i++) {
		format_to(params, sizeof(params),
			  "{\"room_id\":\"%s\",\"host_key\":\"%s\",\"title\":\"Story %zu\"}",
			  t->room_id, host_key, i);
		requests_text(net_must(&t->members[0], "story.add", params), "story_id",
			      t->story_ids[i], ID_BYTES);
	}
}

static void sit_down(struct table *t, int port)
{
	char params[PARAMS_BYTES];
	char host_key[64];
	for (size_t i = 0; i < MEMBERS; i++) {
		net_peer_open(&t->members[i], net_connect_tcp("127.0.0.1", port));
		net_hello(&t->members[i]);
	}
	const char *made =
		net_must(&t->members[0], "room.create",
			 t->stories_n == 0 ? "{\"deck\":\"fibonacci\"}"
					   : "{\"deck\":\"fibonacci\",\"policy\":{\"open_stories\":"
					     "true,\"keep_votes\":true}}");
	requests_text(made, "room_id", t->room_id, sizeof(t->room_id));
	requests_text(made, "host_key", host_key, sizeof(host_key));
	add_stories(t, host_key);
	for (size_t i = 0; i < MEMBERS; i++) {
		format_to(params, sizeof(params), "{\"room_id\":\"%s\"}", t->room_id);
		(void)net_must(&t->members[i], "room.subscribe", params);
		format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"username\":\"M%zu\"}",
			  t->room_id, i);
		(void)net_must(&t->members[i], "room.join", params);
	}
}

static void run_table(const struct bench *b, const struct contender *c, struct sample *out)
{
	static struct table t;
	struct run r;
	if (!run_start(b, c, NULL, &r, out)) {
		return;
	}
	t = (struct table){.stories_n = *(const size_t *)c->more};
	sit_down(&t, r.server.port);
	size_t before = t.stories_n == 0 ? MEMBERS : MEMBERS * t.stories_n;
	(void)requests_cpu_us(r.server.pid, before, vote, &t);
	out->figures[FIGURE_VOTE_US] =
		requests_cpu_us(r.server.pid, b->is_quick ? VOTES_QUICK : VOTES, vote, &t);
	out->is_done = true;
	for (size_t i = 0; i < MEMBERS; i++) {
		net_peer_close(&t.members[i]);
	}
	run_stop(&r);
}

#define TABLE(name, n)                                                 \
	{                                                              \
		name, SERVER_AYE, run_table, {{0}}, 0, &(const size_t) \
		{                                                      \
			n                                              \
		}                                                      \
	}

const struct cell cells_stories[] = {
	{"24",
	 "1 room x 40, one vote outstanding: in a room without stories, and on 60 that are open "
	 "together",
	 {TABLE("table", 0), TABLE("open stories", STORIES)},
	 {FIGURE_VOTE_US},
	 1,
	 {{"CPU per vote", FIGURE_VOTE_US, "open stories", "table", false, 1.5}}},
	{0},
};
