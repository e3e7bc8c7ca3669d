/*
 * redis_open.c - see redis_open.h.
 *
 * One question after another, each waited for. What stands against the server is said with what to do.
 */
#include "store/redis/redis_open.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"

#define OPEN_ASK_MS 5000
#define OPEN_STEADY_MS \
	30000 /* what passes by itself is waited for so long: longer than most failovers take */
#define OPEN_TELL_MS 1000 /* and told from then on */
#define OPEN_HOPE_MS \
	5000 /* what a host has said counts for so long; others may not answer at all */
#define OPEN_TAKEN_MS	 6000 /* the lease of a process that was killed is over by then */
#define OPEN_REPLICAS_MS 3000 /* replicas that start at the same time are there by then */
#define OPEN_TEXT_MAX	 65536
#define OPEN_MAJOR	 7

/* ---- what passes by itself ---- */

static void open_warn(const struct redis_table *t, const char *line)
{
	if (t->on_warning != NULL) {
		t->on_warning(t->on_warning_arg, slice_str(line));
	}
}

struct patience {
	int64_t from_ms, until_ms;
	bool has_told;
};

static struct patience patience_begin(const struct redis_table *t)
{
	int64_t now_ms = redis_now(t);
	return (struct patience){.from_ms = now_ms, .until_ms = now_ms + OPEN_STEADY_MS};
}

/* Whether there is time left to wait for that, which a server has said; loading takes as long as it takes. */
static bool patience_lasts(const struct redis_table *t, struct patience *p, enum redis_end end)
{
	struct errmsg line;
	int64_t now_ms = redis_now(t);
	if (end == REDIS_END_LOADING) {
		p->until_ms = now_ms + OPEN_STEADY_MS;
	}
	if (now_ms >= p->from_ms + OPEN_TELL_MS && !p->has_told) {
		p->has_told = true;
		errmsg_set(&line, "%s %s; waiting until that has passed", t->address.text,
			   redis_ends[end].says);
		open_warn(t, line.text);
	}
	return now_ms < p->until_ms;
}

/* ---- questions ---- */

static void asked_add(struct redis_asked *a, const struct redis_reply *reply)
{
	(void)buf_append_slice(&a->text, reply->text);
	(void)buf_append(&a->text, "\n", 1);
	for (const struct redis_reply *r = reply->kind == REDIS_ARRAY ? reply->first : NULL;
	     r != NULL; r = r->next) {
		asked_add(a, r);
	}
}

static void on_asked(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_asked *a = arg;
	a->is_over = true;
	a->end = end;
	if (end == REDIS_END_OK) {
		a->number = reply->integer;
		asked_add(a, reply);
	}
}

static void asked_wait(struct redis_table *t, const struct redis_asked *a)
{
	redis_link_flush(t->commits.link);
	while (!a->is_over) {
		t->net->run(t->net->arg);
	}
}

/* Let a moment pass. */
static void open_pause(struct redis_table *t)
{
	redis_link_wake(t->commits.link, redis_now(t) + REDIS_PAUSE_MS);
	t->net->run(t->net->arg);
	redis_seek_tick(t, redis_now(t));
}

/* Whether the same is worth trying again: asking twice is the same as asking once. */
static bool asked_passes(struct redis_table *t, enum redis_end end)
{
	enum redis_then then = redis_ends[end].then;
	bool is_elsewhere = then == REDIS_THEN_MASTER || end == REDIS_END_LOST;
	t->seek.is_wanted = t->seek.is_wanted || (t->seek.link != NULL &&
						  (is_elsewhere || end == REDIS_END_CLUSTERDOWN));
	return (then == REDIS_THEN_AGAIN && end != REDIS_END_UNSENT) ||
	       (is_elsewhere && t->seek.link != NULL);
}

static enum err asked_once(struct redis_table *t, struct redis_asked *a,
			   const struct redis_command *c)
{
	buf_finish(&a->text);
	*a = (struct redis_asked){.text = {.max = OPEN_TEXT_MAX}};
	enum err e = redis_link_send(t->commits.link, c, on_asked, a);
	if (e == OK) {
		asked_wait(t, a);
	}
	return e;
}

enum err redis_open_ask(struct redis_table *t, struct redis_asked *a, const char *const *words)
{
	struct patience p = patience_begin(t);
	struct slice args[8];
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = args,
				  .within_ms = OPEN_ASK_MS};
	while (words[c.n] != NULL) {
		ASSERT_CMP(c.n, <, sizeof(args) / sizeof(args[0]));
		args[c.n] = slice_str(words[c.n]);
		c.n++;
	}
	enum err e = asked_once(t, a, &c);
	while (e == OK && asked_passes(t, a->end) && patience_lasts(t, &p, a->end)) {
		open_pause(t);
		e = asked_once(t, a, &c);
	}
	return e;
}

static enum err open_fail(const struct redis_table *t, enum redis_end end, struct errmsg *why)
{
	errmsg_set(why, "%s %s%s", t->address.text, redis_ends[end].says,
		   end == REDIS_END_CLUSTERDOWN
			   ? "; `redis-cli --cluster check` names the slots without a master: "
			     "start their servers"
			   : "");
	return ERR_IO;
}

enum err redis_open_fail(const struct redis_table *t, const struct redis_asked *a,
			 struct errmsg *why)
{
	return open_fail(t, a->end, why);
}

bool redis_asked_has(const struct redis_asked *a, const char *text)
{
	size_t len = strlen(text);
	for (size_t i = 0; i + len <= a->text.len; i++) {
		if (memcmp(a->text.data + i, text, len) == 0) {
			return true;
		}
	}
	return false;
}

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
	struct patience p = patience_begin(t);
	while (!redis_link_is_ready(link)) {
		enum redis_end end = redis_link_greeted(link);
		bool is_tried = redis_link_why(link)[0] != '\0';
		bool is_passing = redis_ends[end].then == REDIS_THEN_AGAIN ||
				  (t->seek.link != NULL && !open_is_person(link, end));
		if (is_tried && !(is_passing && patience_lasts(t, &p, end))) {
			return open_refuse(t, link, why);
		}
		redis_seek_tick(t, redis_now(t));
		t->net->run(t->net->arg);
	}
	return OK;
}

/* Each of them had two chances, and none has said lately what passes by itself. */
static bool seek_is_vain(struct redis_table *t, struct patience *p)
{
	const struct redis_seek *seek = &t->seek;
	bool has_hope = seek->hope != REDIS_END_OK && redis_now(t) < seek->hope_ms + OPEN_HOPE_MS;
	bool goes_on = has_hope && patience_lasts(t, p, seek->hope);
	return seek->turns >= 2 * t->address.seeds_n && !goes_on;
}

/* Until a host has named the master. */
static enum err open_seek(struct redis_table *t, struct errmsg *why)
{
	struct patience p = patience_begin(t);
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
	enum err e = redis_open_ask(t, a, (const char *[]){"INFO", "replication", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_open_fail(t, a, why);
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
		open_pause(t);
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
		open_warn(t, line.text);
	}
	/* Whether the user may ask that at all. */
	e = redis_open_ask(t, a, (const char *[]){"WAIT", "0", "0", NULL});
	return e != OK ? e : a->end != REDIS_END_OK ? redis_open_fail(t, a, why) : OK;
}

static enum err open_memory(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	int64_t sent_ms = redis_now(t);
	enum err e = redis_open_ask(t, a, (const char *[]){REDIS_INFO_WORDS, NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_open_fail(t, a, why);
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
	enum err e = redis_open_ask(t, a, (const char *[]){"INFO", "persistence", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_open_fail(t, a, why);
	}
	(void)redis_info_number(buf_slice(&a->text), "aof_enabled", &has_aof);
	if (has_aof == 1 || t->address.is_volatile) {
		return OK;
	}
	e = redis_open_ask(t, a, (const char *[]){"CONFIG", "GET", "save", NULL});
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

/* ---- whose data are there? ---- */

static enum err open_owner(struct redis_table *t, struct slice owner, struct redis_asked *a,
			   struct errmsg *why)
{
	char mine[REDIS_OWNER_CHARS + 1];
	if (owner.len == 0) {
		return OK;
	}
	redis_owner_text(owner, mine);
	enum err e =
		redis_open_ask(t, a, (const char *[]){"SET", "{d}owner", mine, "NX", "GET", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_open_fail(t, a, why);
	}
	if (redis_asked_has(a, REDIS_UNFINISHED)) {
		return redis_open_refuse_unfinished(t, why);
	}
	if (a->text.len > 1 && !redis_asked_has(a, mine)) {
		errmsg_set(why,
			   "%s has the data of another server key: name its file with --key-file, "
			   "or use "
			   "another database",
			   t->address.text);
		return ERR_CONFLICT;
	}
	return OK;
}

enum err redis_open_lease(struct redis_table *t, int64_t for_ms, redis_end_cb *cb, void *arg)
{
	char ms[24];
	size_t len = format_to(ms, sizeof(ms), "%lld", (long long)for_ms);
	struct slice args[] = {SLICE("2"), SLICE("{d}l"), SLICE("{d}n"),
			       slice_of(t->node, sizeof(t->node)), slice_of(ms, len)};
	struct redis_command c = {.script = REDIS_SCRIPT_LEASE,
				  .args = args,
				  .n = sizeof(args) / sizeof(args[0]),
				  .within_ms = OPEN_ASK_MS};
	return redis_link_send(t->commits.link, &c, cb, arg);
}

/* Of a node: whether a process has the data alone. */
static enum err open_look_for_one(struct redis_table *t, redis_end_cb *cb, void *arg)
{
	struct slice args[] = {SLICE("2"), SLICE("{d}n"), SLICE("{d}l"), NO_SLICE};
	struct redis_command c = {.script = REDIS_SCRIPT_NODES,
				  .args = args,
				  .n = sizeof(args) / sizeof(args[0]),
				  .within_ms = OPEN_ASK_MS};
	return redis_link_send(t->commits.link, &c, cb, arg);
}

static enum err open_refuse_other(const struct redis_table *t, const struct redis_asked *a,
				  struct errmsg *why)
{
	const char *who = "another ayed has";
	const char *what = "stop that one first";
	if (t->is_node) {
		who = "an ayed without --cluster-listen has";
	} else if (redis_asked_has(a, "NODES")) {
		who = "nodes of a cluster have";
		what = t->use != STORE_REDIS_SERVE ? "stop them first"
						   : "make this ayed one of them with "
						     "--cluster-listen, or stop them first";
	}
	errmsg_set(why, "%s: %s these data open: %s", t->address.text, who, what);
	return ERR_BUSY;
}

/* A process that was killed holds the data for a moment. */
static enum err open_take(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	int64_t until_ms = redis_now(t) + OPEN_TAKEN_MS;
	struct patience p = patience_begin(t);
	bool is_passing;
	do {
		buf_finish(&a->text);
		*a = (struct redis_asked){.text = {.max = OPEN_TEXT_MAX}};
		enum err e = t->is_node ? open_look_for_one(t, on_asked, a)
					: redis_open_lease(t, REDIS_LEASE_MS, on_asked, a);
		if (e != OK) {
			return e;
		}
		asked_wait(t, a);
		is_passing = asked_passes(t, a->end) && patience_lasts(t, &p, a->end);
		if (a->end != REDIS_END_OK && !is_passing) {
			return redis_open_fail(t, a, why);
		}
		if (a->end == REDIS_END_OK && redis_asked_has(a, "OK\n")) {
			return OK;
		}
		open_pause(t);
	} while (is_passing || redis_now(t) < until_ms);
	return open_refuse_other(t, a, why);
}

void redis_open_give_up(struct redis_table *t, int64_t within_ms)
{
	struct redis_asked a = {.text = {.max = OPEN_TEXT_MAX}};
	int64_t until_ms = redis_now(t) + within_ms;
	if (!redis_link_is_ready(t->commits.link) || redis_open_lease(t, 0, on_asked, &a) != OK) {
		return;
	}
	redis_link_flush(t->commits.link);
	while (!a.is_over && redis_now(t) < until_ms) {
		t->net->run(t->net->arg);
	}
	if (!a.is_over) { /* ends it, before `a` goes */
		redis_link_destroy(t->commits.link);
		t->commits.link = NULL;
	}
	buf_finish(&a.text);
}

/* ---- which buckets have entries of ByExpiry? ---- */

struct probe {
	struct redis_table *t;
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

static enum err probe_send(struct probe *p, unsigned scope)
{
	struct redis_table *t = p->t;
	redis_args_clear(&t->args);
	redis_args_add(&t->args, SLICE("EXISTS"));
	redis_args_key(&t->args, scope, "x:", slice_str(index_names[INDEX_BY_EXPIRY]));
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = t->args.at,
				  .n = t->args.n,
				  .within_ms = OPEN_ASK_MS};
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
	struct patience p = patience_begin(t);
	enum redis_end failed = REDIS_END_OK;
	enum err e = open_masters(t, why);
	e = e == OK ? open_probe_once(t, &failed) : e;
	while (e == OK && failed != REDIS_END_OK) {
		if (!asked_passes(t, failed) || !patience_lasts(t, &p, failed)) {
			return open_fail(t, failed, why);
		}
		open_pause(t);
		e = open_masters(t, why);
		e = e == OK ? open_probe_once(t, &failed) : e;
	}
	return e;
}

static enum err open_number(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	enum err e = redis_open_ask(t, a, (const char *[]){"GET", "{d}p", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_open_fail(t, a, why);
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
	    : t->use == STORE_REDIS_SERVE   ? open_owner(t, owner, a, why)
	    : t->use == STORE_REDIS_COPY_TO ? redis_open_to_fill(t, &is_left, a, why)
					    : redis_open_to_read(t, owner, a, why);
	e = e == OK && (t->is_node || !t->joins) ? open_take(t, a, why) : e;
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
