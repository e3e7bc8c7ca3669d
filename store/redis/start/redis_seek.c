/*
 * redis_seek.c - see redis_seek.h.
 */
#include "store/redis/start/redis_seek.h"

#include <string.h>

#include "store/redis/redis_table.h"

#define SEEK_WITHIN_MS 1000 /* else the next Sentinel is asked */

static bool link_is_well(const struct redis_link *l)
{
	return l != NULL && redis_link_is_ready(l) &&
	       redis_link_silent_ms(l) < REDIS_SEEK_SILENT_MS;
}

/* Of a lane that is used. */
static bool lane_is_well(const struct redis_lane *lane)
{
	return lane->link == NULL || link_is_well(lane->link);
}

static bool masters_are_well(const struct redis_table *t)
{
	bool are_well = true;
	for (size_t i = 0; i < t->masters_n && are_well; i++) {
		const struct redis_master *m = t->masters[i];
		are_well = lane_is_well(&m->commits) && lane_is_well(&m->reads);
	}
	return are_well;
}

bool redis_seek_is_needed(const struct redis_table *t)
{
	return t->seek.link != NULL &&
	       !(link_is_well(t->commits.link) && link_is_well(t->reads.link) &&
		 link_is_well(t->publications) && masters_are_well(t) && !t->seek.is_wanted &&
		 t->waits_missed == t->seek.waits_missed);
}

/* ---- answers ---- */

/* The directory's links go to the server that was named, if it is another. */
static void seek_go(struct redis_table *t, const struct redis_place *at)
{
	struct redis_link *const links[] = {t->commits.link, t->reads.link, t->publications};
	if (t->seek.is_known && redis_place_is(at, &t->master.at)) {
		return;
	}
	t->seek.is_known = true;
	t->seek.answers = 0;
	redis_address_of_server(&t->address, at, &t->master);
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		if (links[i] != NULL) {
			redis_link_move(links[i], &t->master);
		}
	}
}

/* Host and port. */
static bool seek_read(const struct redis_reply *reply, struct redis_place *out)
{
	const struct redis_reply *host = redis_reply_at(reply, 0);
	const struct redis_reply *port = redis_reply_at(reply, 1);
	if (port == NULL || host->kind != REDIS_STRING || port->kind != REDIS_STRING ||
	    host->text.len == 0 || host->text.len >= sizeof(out->host) || port->text.len == 0 ||
	    port->text.len >= sizeof(out->port)) {
		return false;
	}
	*out = (struct redis_place){{0}, {0}};
	memcpy(out->host, host->text.data, host->text.len);
	memcpy(out->port, port->text.data, port->text.len);
	return true;
}

static bool seek_read_any(struct redis_table *t, const struct redis_reply *reply,
			  struct redis_place *out)
{
	return t->address.is_cluster ? redis_cluster_read(t, reply, out) : seek_read(reply, out);
}

/* One that is late may be loading: it answers now and then meanwhile, or not at all. */
static void seek_hope(struct redis_table *t, enum redis_end end)
{
	bool is_passing = redis_ends[end].then == REDIS_THEN_AGAIN && end != REDIS_END_UNSENT;
	if (is_passing || end == REDIS_END_LATE) {
		t->seek.hope = end;
		t->seek.hope_ms = redis_now(t);
	}
}

/* A map that lacks slots is that of a cluster that is down. */
static void seek_does_not_help(struct redis_table *t, enum redis_end end)
{
	struct redis_seek *seek = &t->seek;
	seek->wants_turn = true;
	seek_hope(t, end == REDIS_END_OK && t->address.is_cluster ? REDIS_END_CLUSTERDOWN : end);
	if (t->address.is_cluster) {
		errmsg_set(&seek->why, "%s:%s does not know the masters of all slots",
			   seek->place.host, seek->place.port);
	} else {
		errmsg_set(&seek->why, "the Sentinel at %s:%s does not know of a master named %s",
			   seek->place.host, seek->place.port, t->address.name);
	}
}

static void on_master(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_table *t = arg;
	struct redis_seek *seek = &t->seek;
	struct redis_place at;
	seek->asks = false;
	if (end == REDIS_END_OK && seek_read_any(t, reply, &at)) {
		seek->is_wanted = false;
		seek->answers++;
		seek->wants_turn = seek->answers >= REDIS_SEEK_TURN;
		seek_go(t, &at);
		if (t->is_open) {
			redis_lanes_run(t);
			redis_lanes_flush(t);
		}
	} else if (end != REDIS_END_LOST && end != REDIS_END_UNSENT) {
		seek_does_not_help(t, end);
	}
}

static void seek_ask(struct redis_table *t, int64_t now_ms)
{
	struct redis_seek *seek = &t->seek;
	struct slice words[] = {SLICE("SENTINEL"), SLICE("GET-MASTER-ADDR-BY-NAME"),
				slice_str(t->address.name)};
	struct slice words_of_cluster[] = {SLICE("CLUSTER"), SLICE("SLOTS")};
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = t->address.is_cluster ? words_of_cluster : words,
				  .n = t->address.is_cluster ? 2 : 3,
				  .within_ms = SEEK_WITHIN_MS};
	seek->next_ms = now_ms + REDIS_SEEK_MS;
	seek->waits_missed = t->waits_missed;
	seek->asks = redis_link_send(seek->link, &c, on_master, t) == OK;
	redis_link_flush(seek->link);
}

/* ---- whom to ask ---- */

/* Those of the address, and in a cluster the masters that it had. */
static size_t seek_places(const struct redis_table *t)
{
	return t->address.seeds_n + t->masters_n;
}

static void seek_address(struct redis_table *t, struct redis_address *out)
{
	struct redis_seek *seek = &t->seek;
	if (!t->address.is_cluster) {
		seek->place = t->address.seeds[seek->at];
		redis_address_of_sentinel(&t->address, seek->at, out);
		return;
	}
	seek->place = seek->at < t->address.seeds_n
			      ? t->address.seeds[seek->at]
			      : t->masters[seek->at - t->address.seeds_n]->address.at;
	redis_address_of_server(&t->address, &seek->place, out);
}

static void seek_turn(struct redis_table *t)
{
	struct redis_address next;
	struct redis_seek *seek = &t->seek;
	seek->at = (seek->at + 1) % seek_places(t);
	seek->turns++;
	seek->answers = 0;
	seek_address(t, &next);
	redis_link_move(seek->link, &next);
	redis_address_finish(&next);
	seek->wants_turn = false;
}

/* Where a connection or an attempt has ended, the next one follows after the link's rest. */
static void on_change(void *arg)
{
	struct redis_table *t = arg;
	if (redis_link_is_ready(t->seek.link)) {
		t->seek.next_ms = 0;
	} else if (!t->seek.wants_turn) { /* else that has ended it */
		errmsg_set(&t->seek.why, "%s", redis_link_why(t->seek.link));
		seek_hope(t, redis_link_greeted(t->seek.link));
		seek_turn(t);
	}
}

void redis_seek_tick(struct redis_table *t, int64_t now_ms)
{
	struct redis_seek *seek = &t->seek;
	if (!redis_seek_is_needed(t) || seek->asks) {
		return;
	}
	if (seek->wants_turn) {
		seek_turn(t);
	}
	if (redis_link_is_ready(seek->link) && now_ms >= seek->next_ms) {
		seek_ask(t, now_ms);
	}
}

enum err redis_seek_begin(struct redis_table *t)
{
	struct redis_address first;
	struct redis_link_config c = {.net = t->net,
				      .address = &first,
				      .ends_unsent = true,
				      .on = {.on_change = on_change, .arg = t}};
	if (t->address.is_cluster) {
		redis_cluster_begin(t);
	}
	seek_address(t, &first);
	enum err e = redis_link_create(&c, &t->seek.link);
	redis_address_finish(&first);
	return e;
}
