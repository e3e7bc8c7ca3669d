/*
 * redis_open_data.c - whose data are there, who has them open, and what the process before had written last.
 */
#include "store/redis/start/redis_open.h"

#include "proto/base/format.h"

#define OPEN_TAKEN_MS 6000 /* the lease of a process that was killed is over by then */

enum err redis_open_owner(struct redis_table *t, struct slice owner, struct redis_asked *a,
			  struct errmsg *why)
{
	char mine[REDIS_OWNER_CHARS + 1];
	if (owner.len == 0) {
		return OK;
	}
	redis_owner_text(owner, mine);
	enum err e = redis_ask(t, a, (const char *[]){"SET", "{d}owner", mine, "NX", "GET", NULL});
	if (e != OK || a->end != REDIS_END_OK) {
		return e != OK ? e : redis_ask_fail(t, a->end, why);
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
				  .within_ms = REDIS_ASK_MS};
	return redis_link_send(t->commits.link, &c, cb, arg);
}

/* Of a node: whether a process has the data alone. */
static enum err open_look_for_one(struct redis_table *t, redis_end_cb *cb, void *arg)
{
	struct slice args[] = {SLICE("2"), SLICE("{d}n"), SLICE("{d}l"), NO_SLICE};
	struct redis_command c = {.script = REDIS_SCRIPT_NODES,
				  .args = args,
				  .n = sizeof(args) / sizeof(args[0]),
				  .within_ms = REDIS_ASK_MS};
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

enum err redis_open_take(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	int64_t until_ms = redis_now(t) + OPEN_TAKEN_MS;
	struct redis_patience p = redis_patience_begin(t);
	bool is_passing;
	do {
		buf_finish(&a->text);
		*a = (struct redis_asked){.text = {.max = REDIS_ASKED_BYTES_MAX}};
		enum err e = t->is_node ? open_look_for_one(t, redis_on_asked, a)
					: redis_open_lease(t, REDIS_LEASE_MS, redis_on_asked, a);
		if (e != OK) {
			return e;
		}
		redis_asked_wait(t, a);
		is_passing = redis_ask_passes(t, a->end) && redis_patience_lasts(t, &p, a->end);
		if (a->end != REDIS_END_OK && !is_passing) {
			return redis_ask_fail(t, a->end, why);
		}
		if (a->end == REDIS_END_OK && redis_asked_has(a, "OK\n")) {
			return OK;
		}
		redis_ask_pause(t);
	} while (is_passing || redis_now(t) < until_ms);
	return open_refuse_other(t, a, why);
}

void redis_open_give_up(struct redis_table *t, int64_t within_ms)
{
	struct redis_asked a = {.text = {.max = REDIS_ASKED_BYTES_MAX}};
	int64_t until_ms = redis_now(t) + within_ms;
	if (!redis_link_is_ready(t->commits.link) ||
	    redis_open_lease(t, 0, redis_on_asked, &a) != OK) {
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
