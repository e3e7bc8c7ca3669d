/*
 * redis_open.c - see redis_open.h.
 *
 * One question after another, each waited for. What stands against the server is said with what to do.
 */
#include "store/redis/start/redis_open.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"

#define OPEN_HOPE_MS \
	5000 /* what a host has said counts for so long; others may not answer at all */
#define OPEN_REPLICAS_MS 3000 /* replicas that start at the same time are there by then */
#define OPEN_MAJOR	 7

/* ---- is there a server? ---- */

static enum err open_refuse(const struct redis_table *t, const struct redis_link *link,
			    struct errmsg *why)
{
	const struct redis_server *server = redis_link_server(link);
	enum redis_end end = redis_link_greeted(link);
	if (server->major > 0 && server->major < OPEN_MAJOR) {
		errmsg_set(why, "%s is Redis %s; the table needs Redis %d or later: upgrade it",
			   t->address.text, server->version, OPEN_MAJOR);
		return ERR_VERSION;
	}
	if (end == REDIS_END_READONLY) {
		errmsg_set(why, "%s is a replica: name its master instead", t->address.text);
		return ERR_INVALID;
	}
	if (end == REDIS_END_NOAUTH || end == REDIS_END_WRONGPASS) {
		errmsg_set(why, "%s %s: look at the user and the password of --store",
			   t->address.text, redis_ends[end].says);
		return ERR_IO;
	}
	errmsg_set(why, "%s: %s", redis_link_why(link),
		   end == REDIS_END_NOPERM ? "give the user of --store these rights, by ACL SETUSER"
					   : "is Redis running there?");
	return ERR_IO;
}

/* Sentinels may name another master, but that does not help either. */
static bool open_is_person(const struct redis_link *link, enum redis_end end)
{
	int32_t major = redis_link_server(link)->major;
	return redis_ends[end].then == REDIS_THEN_PERSON || (major > 0 && major < OPEN_MAJOR);
}

/* Until the link is ready, or it is clear that it will not be. */
static enum err open_wait(struct redis_table *t, const struct redis_link *link, struct errmsg *why)
{
	struct redis_patience p = redis_patience_begin(t);
	while (!redis_link_is_ready(link)) {
		enum redis_end end = redis_link_greeted(link);
		bool is_tried = redis_link_why(link)[0] != '\0';
		bool is_passing = redis_ends[end].then == REDIS_THEN_AGAIN ||
				  (t->seek.link != NULL && !open_is_person(link, end));
		if (is_tried && !(is_passing && redis_patience_lasts(t, &p, end))) {
			return open_refuse(t, link, why);
		}
		redis_seek_tick(t, redis_now(t));
		t->net->run(t->net->arg);
	}
	return OK;
}

/* Each of them had two chances, and none has said lately what passes by itself. */
static bool seek_is_vain(struct redis_table *t, struct redis_patience *p)
{
	const struct redis_seek *seek = &t->seek;
	bool has_hope = seek->hope != REDIS_END_OK && redis_now(t) < seek->hope_ms + OPEN_HOPE_MS;
	bool goes_on = has_hope && redis_patience_lasts(t, p, seek->hope);
	return seek->turns >= 2 * t->address.seeds_n && !goes_on;
}

/* Until a host has named the master. */
static enum err open_seek(struct redis_table *t, struct errmsg *why)
{
	struct redis_patience p = redis_patience_begin(t);
	enum err e = redis_seek_begin(t);
	while (e == OK && !t->seek.is_known) {
		if (seek_is_vain(t, &p)) {
			errmsg_set(why,
				   "%s: no host of --store names the master: %s; look at %s there",
				   t->address.text, t->seek.why.text,
				   t->address.is_cluster ? "the hosts" : "the hosts and the name");
			return ERR_IO;
		}
		redis_seek_tick(t, redis_now(t));
		t->net->run(t->net->arg);
	}
	return e;
}

/* ---- may the table live there? ---- */

static enum err open_server(struct redis_table *t, struct errmsg *why)
{
	const struct redis_server *server = redis_link_server(t->commits.link);
	if (server->major < OPEN_MAJOR) {
		return open_refuse(t, t->commits.link, why);
	}
	if (server->is_cluster && !t->address.is_cluster) {
		errmsg_set(why,
			   "%s is part of a cluster: name some of its servers by "
			   "redis+cluster://HOST,HOST",
			   t->address.text);
		return ERR_INVALID;
	}
	return OK;
}

/* ---- replicas ---- */

static enum err open_ask_replicas(struct redis_table *t, struct redis_asked *a, int32_t *connected,
				  struct errmsg *why)
{
	uint64_t n = 0;
	enum err e = redis_ask(t, a, (const char *[]){"INFO", "replication", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_ask_fail(t, a->end, why);
	}
	(void)redis_info_number(buf_slice(&a->text), "connected_slaves", &n);
	*connected = n < INT32_MAX ? (int32_t)n : INT32_MAX;
	return OK;
}

/* Those that are still on their way are waited for. */
static enum err open_count_replicas(struct redis_table *t, struct redis_asked *a,
				    int32_t *connected, struct errmsg *why)
{
	int64_t until_ms = redis_now(t) + OPEN_REPLICAS_MS;
	enum err e = open_ask_replicas(t, a, connected, why);
	while (e == OK && *connected < t->address.replicas && redis_now(t) < until_ms) {
		redis_ask_pause(t);
		e = open_ask_replicas(t, a, connected, why);
	}
	return e;
}

/* How many a commit waits for. */
static enum err open_replicas(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	struct errmsg line;
	int32_t connected = 0;
	enum err e = open_count_replicas(t, a, &connected, why);
	if (e != OK) {
		return e;
	}
	t->replicas = t->address.replicas != REDIS_REPLICAS_UNSET ? t->address.replicas
		      : connected > 0				  ? 1
								  : 0;
	if (connected < t->replicas) {
		errmsg_set(why,
			   "%s has fewer replicas (%d) than replicas= asks for: start more of "
			   "them, or ask for fewer",
			   t->address.text, (int)connected);
		return ERR_INVALID;
	}
	if (t->replicas == 0) {
		return OK;
	}
	if (connected == t->replicas) {
		errmsg_set(&line,
			   "%s has only as many replicas (%d) as each change waits for: after the "
			   "loss of a "
			   "replica, and after each failover, changes wait until there are as many "
			   "again; add "
			   "a replica",
			   t->address.text, (int)connected);
		redis_ask_warn(t, line.text);
	}
	/* Whether the user may ask that at all. */
	e = redis_ask(t, a, (const char *[]){"WAIT", "0", "0", NULL});
	return e != OK ? e : a->end != REDIS_END_OK ? redis_ask_fail(t, a->end, why) : OK;
}

static enum err open_memory(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	int64_t sent_ms = redis_now(t);
	enum err e = redis_ask(t, a, (const char *[]){REDIS_INFO_WORDS, NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_ask_fail(t, a->end, why);
	}
	redis_info_take(&t->commits, buf_slice(&a->text), sent_ms);
	if (t->bytes_max > 0 && !redis_asked_has(a, "maxmemory_policy:noeviction")) {
		errmsg_set(why,
			   "%s drops data when its memory is full: set "
			   "maxmemory-policy to noeviction",
			   t->address.text);
		return ERR_INVALID;
	}
	return OK;
}

/* Data in append-only files, or at save points. */
static enum err open_persistence(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	uint64_t has_aof = 0;
	enum err e = redis_ask(t, a, (const char *[]){"INFO", "persistence", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_ask_fail(t, a->end, why);
	}
	(void)redis_info_number(buf_slice(&a->text), "aof_enabled", &has_aof);
	if (has_aof == 1 || t->address.is_volatile) {
		return OK;
	}
	e = redis_ask(t, a, (const char *[]){"CONFIG", "GET", "save", NULL});
	if (e != OK) {
		return e;
	}
	/* An array of the name and the points; none where there are no points, or nobody may ask. */
	bool has_points = a->end == REDIS_END_OK && redis_asked_has(a, "save\n") &&
			  !redis_asked_has(a, "save\n\n");
	if (!has_points) {
		errmsg_set(why,
			   "%s keeps nothing over a restart: set appendonly to yes, or accept that "
			   "with "
			   "?volatile=1",
			   t->address.text);
		return ERR_INVALID;
	}
	return OK;
}

/*
 * ---- which buckets have entries of ByExpiry, and have replicas all there is? ----
 *
 * The process before this one may have been killed before replicas had what it committed last. Nobody was told of
 * that; whoever read it now could be shown what a failover takes back. So something is written, and a WAIT
 * behind it speaks of all that came before.
 */

struct probe {
	struct redis_table *t;
	const struct redis_lane *reached[REDIS_LANES_MAX]; /* by its WAIT each */
	size_t reached_n;
	unsigned answered, sent;
	enum redis_end failed;
	struct probed {
		struct probe *all;
		unsigned scope;
	} of[ITEM_BUCKETS + 1];
};

static void on_probed(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	const struct probed *one = arg;
	struct probe *p = one->all;
	p->answered++;
	if (end != REDIS_END_OK) {
		p->failed = end;
	} else if (reply->kind == REDIS_INTEGER && reply->integer > 0) {
		redis_note_expiring(p->t, one->scope);
	}
}

/* A token that no commit has. */
static void on_written(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct probe *p = arg;
	(void)reply;
	p->answered++;
	p->failed = end != REDIS_END_OK ? end : p->failed;
}

static void on_replicas(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct probe *p = arg;
	bool is_counted = end == REDIS_END_OK && reply->kind == REDIS_INTEGER;
	p->answered++;
	if (end != REDIS_END_OK) {
		p->failed = end;
	} else if (!is_counted || reply->integer < p->t->replicas) {
		p->failed = REDIS_END_BEHIND;
	}
}

/* Once for each master. */
static enum err probe_reach(struct probe *p, unsigned scope)
{
	struct redis_table *t = p->t;
	struct redis_lane *lane = redis_lane_of(t, scope, true);
	struct store_token token;
	for (size_t i = 0; i < p->reached_n; i++) {
		if (p->reached[i] == lane) {
			return OK;
		}
	}
	for (size_t i = 0; i < sizeof(token.bytes); i += sizeof(uint64_t)) {
		uint64_t random = t->net->random(t->net->arg);
		memcpy(token.bytes + i, &random, sizeof(random));
	}
	p->reached[p->reached_n++] = lane;
	enum err e = redis_give_up_call(lane, scope, &token, on_written, p);
	p->sent += e == OK;
	e = e == OK ? redis_wait_call(lane, on_replicas, p) : e;
	p->sent += e == OK;
	return e;
}

static enum err probe_send(struct probe *p, unsigned scope)
{
	struct redis_table *t = p->t;
	redis_args_clear(&t->args);
	redis_args_add(&t->args, SLICE("EXISTS"));
	redis_args_key(&t->args, scope, "x:", slice_str(index_names[INDEX_BY_EXPIRY]));
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = t->args.at,
				  .n = t->args.n,
				  .within_ms = REDIS_ASK_MS};
	p->of[scope] = (struct probed){p, scope};
	return t->args.error != OK ? t->args.error
				   : redis_link_send(redis_lane_of(t, scope, true)->link, &c,
						     on_probed, &p->of[scope]);
}

/* All in one pipeline for each master; *failed: how one of them ended that failed. */
static enum err open_probe_once(struct redis_table *t, enum redis_end *failed)
{
	struct probe p = {.t = t};
	enum err e = OK;
	for (unsigned scope = 0; scope <= ITEM_SCOPE_DIRECTORY && e == OK; scope++) {
		e = probe_send(&p, scope);
		p.sent += e == OK;
		e = e == OK && t->replicas > 0 ? probe_reach(&p, scope) : e;
	}
	redis_lanes_flush(t);
	while (p.answered < p.sent) {
		t->net->run(t->net->arg);
	}
	*failed = p.failed;
	return e;
}

/* The masters of a cluster, one after the other. */
static enum err open_masters(struct redis_table *t, struct errmsg *why)
{
	enum err e = OK;
	for (size_t i = 0; i < t->masters_n && e == OK; i++) {
		bool is_used = t->masters[i]->is_named;
		e = is_used ? redis_lane_open(&t->masters[i]->commits) : OK;
		e = e == OK && is_used ? open_wait(t, t->masters[i]->commits.link, why) : e;
	}
	return e;
}

/* Slots may move, and masters be lost, meanwhile. */
static enum err open_probe(struct redis_table *t, struct errmsg *why)
{
	struct redis_patience p = redis_patience_begin(t);
	enum redis_end failed = REDIS_END_OK;
	enum err e = open_masters(t, why);
	e = e == OK ? open_probe_once(t, &failed) : e;
	while (e == OK && failed != REDIS_END_OK) {
		if (!redis_ask_passes(t, failed) || !redis_patience_lasts(t, &p, failed)) {
			return redis_ask_fail(t, failed, why);
		}
		redis_ask_pause(t);
		e = open_masters(t, why);
		e = e == OK ? open_probe_once(t, &failed) : e;
	}
	return e;
}

static enum err open_number(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	enum err e = redis_ask(t, a, (const char *[]){"GET", "{d}p", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_ask_fail(t, a->end, why);
	}
	for (size_t i = 0; i + 1 < a->text.len; i++) {
		t->applied = 10 * t->applied + (uint64_t)(a->text.data[i] - '0');
	}
	memcpy(t->history, redis_link_server(t->commits.link)->history, sizeof(t->history));
	return OK;
}

/* ---- all of it ---- */

static enum err open_steps(struct redis_table *t, struct slice owner, struct redis_asked *a,
			   struct errmsg *why)
{
	bool seeks = t->address.has_sentinels || t->address.is_cluster;
	enum err e = seeks ? open_seek(t, why) : OK;
	e = e == OK ? redis_lane_open(&t->commits) : e;
	e = e == OK ? open_wait(t, t->commits.link, why) : e;
	e = e == OK ? open_server(t, why) : e;
	bool is_left = false;
	bool writes = t->use == STORE_REDIS_SERVE || t->use == STORE_REDIS_COPY_TO;
	e = e == OK ? open_memory(t, a, why) : e;
	e = e == OK && writes ? open_persistence(t, a, why) : e;
	e = e == OK && writes ? open_replicas(t, a, why) : e;
	e = e != OK			    ? e
	    : t->use == STORE_REDIS_SERVE   ? redis_open_owner(t, owner, a, why)
	    : t->use == STORE_REDIS_COPY_TO ? redis_open_to_fill(t, &is_left, a, why)
					    : redis_open_to_read(t, owner, a, why);
	e = e == OK && (t->is_node || !t->joins) ? redis_open_take(t, a, why) : e;
	e = e == OK && is_left ? open_masters(t, why) : e;
	e = e == OK && is_left ? redis_open_remove_unfinished(t, why) : e;
	e = e == OK ? open_probe(t, why) : e;
	e = e == OK ? redis_lane_open(&t->reads) : e;
	e = e == OK ? redis_lane_open_publications(t) : e;
	e = e == OK ? open_wait(t, t->reads.link, why) : e;
	e = e == OK ? open_wait(t, t->publications, why) : e;
	return e == OK ? open_number(t, a, why) : e;
}

enum err redis_open(struct redis_table *t, struct slice owner, struct errmsg *why)
{
	struct redis_asked a = {.end = REDIS_END_OK};
	errmsg_set(why, "out of memory");
	for (size_t i = 0; i < sizeof(t->node); i += sizeof(uint64_t)) {
		uint64_t random = t->net->random(t->net->arg);
		memcpy(t->node + i, &random, sizeof(random));
	}
	size_t len = format_to(t->channel, sizeof(t->channel), "{d}c");
	if (t->address.database != 0) {
		(void)format_to(t->channel + len, sizeof(t->channel) - len, "%d",
				(int)t->address.database);
	}
	enum err e = open_steps(t, owner, &a, why);
	buf_finish(&a.text);
	return e;
}
