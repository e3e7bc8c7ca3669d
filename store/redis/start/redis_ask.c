/*
 * redis_ask.c - see redis_ask.h.
 */
#include "store/redis/start/redis_ask.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"

#define STEADY_MS \
	30000 /* what passes by itself is waited for so long: longer than most failovers take */
#define TELL_MS 1000 /* and told from then on */

/* ---- what passes by itself ---- */

void redis_ask_warn(const struct redis_table *t, const char *line)
{
	if (t->on_warning != NULL) {
		t->on_warning(t->on_warning_arg, slice_str(line));
	}
}

struct redis_patience redis_patience_begin(const struct redis_table *t)
{
	int64_t now_ms = redis_now(t);
	return (struct redis_patience){.from_ms = now_ms, .until_ms = now_ms + STEADY_MS};
}

bool redis_patience_lasts(const struct redis_table *t, struct redis_patience *p, enum redis_end end)
{
	struct errmsg line;
	int64_t now_ms = redis_now(t);
	if (end == REDIS_END_LOADING) {
		p->until_ms = now_ms + STEADY_MS;
	}
	if (now_ms >= p->from_ms + TELL_MS && !p->has_told) {
		p->has_told = true;
		errmsg_set(&line, "%s %s; waiting until that has passed", t->address.text,
			   redis_ends[end].says);
		redis_ask_warn(t, line.text);
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

void redis_on_asked(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_asked *a = arg;
	a->is_over = true;
	a->end = end;
	if (end == REDIS_END_OK) {
		a->number = reply->integer;
		asked_add(a, reply);
	}
}

void redis_asked_wait(struct redis_table *t, const struct redis_asked *a)
{
	redis_link_flush(t->commits.link);
	while (!a->is_over) {
		t->net->run(t->net->arg);
	}
}

void redis_ask_pause(struct redis_table *t)
{
	redis_link_wake(t->commits.link, redis_now(t) + REDIS_PAUSE_MS);
	t->net->run(t->net->arg);
	redis_seek_tick(t, redis_now(t));
}

bool redis_ask_passes(struct redis_table *t, enum redis_end end)
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
	*a = (struct redis_asked){.text = {.max = REDIS_ASKED_BYTES_MAX}};
	enum err e = redis_link_send(t->commits.link, c, redis_on_asked, a);
	if (e == OK) {
		redis_asked_wait(t, a);
	}
	return e;
}

enum err redis_ask(struct redis_table *t, struct redis_asked *a, const char *const *words)
{
	struct redis_patience p = redis_patience_begin(t);
	struct slice args[8];
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = args,
				  .within_ms = REDIS_ASK_MS};
	while (words[c.n] != NULL) {
		ASSERT_CMP(c.n, <, sizeof(args) / sizeof(args[0]));
		args[c.n] = slice_str(words[c.n]);
		c.n++;
	}
	enum err e = asked_once(t, a, &c);
	while (e == OK && redis_ask_passes(t, a->end) && redis_patience_lasts(t, &p, a->end)) {
		redis_ask_pause(t);
		e = asked_once(t, a, &c);
	}
	return e;
}

enum err redis_ask_fail(const struct redis_table *t, enum redis_end end, struct errmsg *why)
{
	errmsg_set(why, "%s %s%s", t->address.text, redis_ends[end].says,
		   end == REDIS_END_CLUSTERDOWN
			   ? "; `redis-cli --cluster check` names the slots without a master: "
			     "start their servers"
			   : "");
	return ERR_IO;
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
