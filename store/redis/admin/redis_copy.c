/*
 * redis_copy.c - data that are only read, and data that are made by a copy.
 *
 * The owner's place says whose the data are. While a copy fills them it says that instead: so a server
 * refuses what a copy was not able to finish. The next copy removes that, and begins again.
 */
#include <string.h>

#include "proto/base/format.h"
#include "store/redis/start/redis_open.h"

#define COPY_WAIT_MS "3000" /* less than a silence that ends the connection */

void redis_owner_text(struct slice owner, char out[REDIS_OWNER_CHARS + 1])
{
	static const char digits[] = "0123456789abcdef";
	size_t n = owner.len < REDIS_OWNER_CHARS / 2 ? owner.len : REDIS_OWNER_CHARS / 2;
	for (size_t i = 0; i < n; i++) {
		out[2 * i] = digits[(unsigned char)owner.data[i] >> 4];
		out[2 * i + 1] = digits[(unsigned char)owner.data[i] & 15];
	}
	out[2 * n] = '\0';
}

enum err redis_open_refuse_unfinished(const struct redis_table *t, struct errmsg *why)
{
	errmsg_set(why,
		   "%s has an unfinished copy: run `ayed copy` again, or use another "
		   "database",
		   t->address.text);
	return ERR_CONFLICT;
}

static enum err copy_ask(struct redis_table *t, struct redis_asked *a, const char *const *words,
			 struct errmsg *why)
{
	enum err e = redis_ask(t, a, words);
	return e == OK && a->end != REDIS_END_OK ? redis_ask_fail(t, a->end, why) : e;
}

enum err redis_open_to_read(struct redis_table *t, struct slice owner, struct redis_asked *a,
			    struct errmsg *why)
{
	char mine[REDIS_OWNER_CHARS + 1];
	enum err e = copy_ask(t, a, (const char *[]){"GET", "{d}owner", NULL}, why);
	if (e != OK) {
		return e;
	}
	if (redis_asked_has(a, REDIS_UNFINISHED)) {
		return redis_open_refuse_unfinished(t, why);
	}
	if (a->text.len <= 1) {
		errmsg_set(why, "%s has no data of ayed: is it the right database?",
			   t->address.text);
		return ERR_NOT_FOUND;
	}
	redis_owner_text(owner, mine);
	if (owner.len > 0 && !redis_asked_has(a, mine)) {
		errmsg_set(why,
			   "%s has the data of another server key: name its file with --key-file",
			   t->address.text);
		return ERR_CONFLICT;
	}
	return OK;
}

/* ---- removing what is unfinished ---- */

/* Whether a copy may have written the key; what says that it is unfinished, and who is at it, stay. */
static bool copy_is_left(struct slice key)
{
	return (slice_starts(key, SLICE("{d}")) || slice_starts(key, SLICE("{b"))) &&
	       !slice_eq(key, SLICE("{d}owner")) && !slice_eq(key, SLICE("{d}l"));
}

/* Life: a zeroed struct .. redis_args_finish(&found). */
struct copy_keys {
	char cursor[REDIS_SCAN_CURSOR_MAX + 1];
	struct redis_args found;
	size_t outstanding;
	enum redis_end failed; /* how one of them ended that failed; REDIS_END_OK: none */
};

static void on_keys(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct copy_keys *k = arg;
	struct slice next = {NULL, 0};
	const struct redis_reply *keys = end == REDIS_END_OK ? redis_scanned(reply, &next) : NULL;
	k->outstanding--;
	k->failed = end == REDIS_END_OK && keys == NULL ? REDIS_END_REFUSED : end;
	for (const struct redis_reply *r = keys == NULL ? NULL : keys->first; r != NULL;
	     r = r->next) {
		if (copy_is_left(r->text)) {
			redis_args_copy(&k->found, r->text);
		}
	}
	memcpy(k->cursor, next.len == 0 ? "" : next.data, next.len);
	k->cursor[next.len] = '\0';
}

static void on_deleted(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct copy_keys *k = arg;
	(void)reply;
	k->outstanding--;
	k->failed = end == REDIS_END_OK ? k->failed : end;
}

static enum err copy_send(struct redis_link *link, struct copy_keys *k, const struct slice *words,
			  size_t n, redis_end_cb *cb)
{
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = words,
				  .n = n,
				  .within_ms = REDIS_READ_MS};
	enum err e = redis_link_send(link, &c, cb, k);
	k->outstanding += e == OK;
	return e;
}

/* Even after an error: the answers refer to *k. */
static enum err copy_await(struct redis_table *t, struct redis_link *link, struct copy_keys *k,
			   enum err sent, struct errmsg *why)
{
	redis_link_flush(link);
	while (k->outstanding > 0) {
		t->net->run(t->net->arg);
	}
	if (sent == OK && k->failed != REDIS_END_OK) {
		errmsg_set(why, "%s %s", t->address.text, redis_ends[k->failed].says);
		return ERR_IO;
	}
	return sent;
}

/* Each by itself: in a cluster they are in different slots. */
static enum err copy_delete(struct redis_table *t, struct redis_link *link, struct copy_keys *k,
			    struct errmsg *why)
{
	enum err e = k->found.error;
	for (size_t i = 0; i < k->found.n && e == OK; i++) {
		const struct slice words[] = {SLICE("DEL"), k->found.at[i]};
		e = copy_send(link, k, words, 2, on_deleted);
	}
	return copy_await(t, link, k, e, why);
}

/* SCAN finds all keys that stay: those that are deleted meanwhile do not hide others. */
static enum err copy_remove_from(struct redis_table *t, struct redis_link *link, struct errmsg *why)
{
	struct copy_keys k = {.cursor = "0"};
	enum err e;
	do {
		const struct slice scan[] = {SLICE("SCAN"), slice_str(k.cursor), SLICE("COUNT"),
					     SLICE("500")};
		redis_args_clear(&k.found);
		e = copy_await(t, link, &k, copy_send(link, &k, scan, 4, on_keys), why);
		e = e == OK ? copy_delete(t, link, &k, why) : e;
	} while (e == OK && k.cursor[0] != '\0');
	redis_args_finish(&k.found);
	return e;
}

enum err redis_open_remove_unfinished(struct redis_table *t, struct errmsg *why)
{
	enum err e = t->masters_n == 0 ? copy_remove_from(t, t->commits.link, why) : OK;
	for (size_t i = 0; i < t->masters_n && e == OK; i++) {
		if (t->masters[i]->is_named) {
			e = copy_remove_from(t, t->masters[i]->commits.link, why);
		}
	}
	return e;
}

/* ---- filling ---- */

/* What was written last is said to nobody before the replicas have it, as a commit. */
static enum err copy_is_kept(struct redis_table *t, struct redis_asked *a, struct errmsg *why)
{
	char replicas[12];
	(void)format_to(replicas, sizeof(replicas), "%d", (int)t->replicas);
	if (t->replicas == 0) {
		return OK;
	}
	enum err e = copy_ask(t, a, (const char *[]){"WAIT", replicas, COPY_WAIT_MS, NULL}, why);
	if (e == OK && a->number < t->replicas) {
		errmsg_set(why,
			   "%s: too few replicas follow it: check them, then run the command again",
			   t->address.text);
		e = ERR_IO;
	}
	return e;
}

enum err redis_open_to_fill(struct redis_table *t, bool *is_left, struct redis_asked *a,
			    struct errmsg *why)
{
	enum err e =
		copy_ask(t, a,
			 (const char *[]){"SET", "{d}owner", REDIS_UNFINISHED, "NX", "GET", NULL},
			 why);
	*is_left = e == OK && redis_asked_has(a, REDIS_UNFINISHED);
	if (e == OK && !*is_left && a->text.len > 1) {
		errmsg_set(why, "%s already has data: name another database, or empty this one",
			   t->address.text);
		return ERR_CONFLICT;
	}
	/* WAIT speaks of what this connection has written. */
	e = *is_left ? copy_ask(t, a, (const char *[]){"SET", "{d}owner", REDIS_UNFINISHED, NULL},
				why)
		     : e;
	return e == OK ? copy_is_kept(t, a, why) : e;
}

enum err store_redis_finish_copy(struct store *s, struct slice owner, struct errmsg *why)
{
	struct redis_table *t = redis_table_of(s);
	struct redis_asked a = {.end = REDIS_END_OK};
	char mine[REDIS_OWNER_CHARS + 1];
	redis_owner_text(owner, mine);
	enum err e = copy_ask(t, &a, (const char *[]){"SET", "{d}owner", mine, NULL}, why);
	e = e == OK ? copy_is_kept(t, &a, why) : e;
	buf_finish(&a.text);
	return e;
}
