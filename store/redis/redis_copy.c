/*
 * redis_copy.c - data that are only read, and data that are made by a copy.
 *
 * The owner's place says whose the data are. While a copy fills them it says that instead: so a server
 * refuses what a copy was not able to finish. The next copy removes that, and begins again.
 */
#include <string.h>

#include "store/redis/redis_open.h"

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
	enum err e = redis_open_ask(t, a, words);
	return e == OK && a->end != REDIS_END_OK ? redis_open_fail(t, a, why) : e;
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

struct copy_keys {
	char cursor[REDIS_SCAN_CURSOR_MAX + 1];
	struct redis_args found;
	bool is_over;
	enum redis_end end;
};

static void on_keys(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct copy_keys *k = arg;
	struct slice next = {NULL, 0};
	const struct redis_reply *keys = end == REDIS_END_OK ? redis_scanned(reply, &next) : NULL;
	k->is_over = true;
	k->end = end == REDIS_END_OK && keys == NULL ? REDIS_END_REFUSED : end;
	for (const struct redis_reply *r = keys == NULL ? NULL : keys->first; r != NULL;
	     r = r->next) {
		if (copy_is_left(r->text)) {
			redis_args_copy(&k->found, r->text);
		}
	}
	memcpy(k->cursor, next.len == 0 ? "" : next.data, next.len);
	k->cursor[next.len] = '\0';
}

static enum err copy_send(struct redis_table *t, struct copy_keys *k, const struct slice *words,
			  size_t n, redis_end_cb *cb, struct errmsg *why)
{
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = words,
				  .n = n,
				  .within_ms = REDIS_READ_MS};
	k->is_over = false;
	enum err e = redis_link_send(t->commits.link, &c, cb, k);
	redis_link_flush(t->commits.link);
	while (e == OK && !k->is_over) {
		t->net->run(t->net->arg);
	}
	if (e == OK && k->end != REDIS_END_OK) {
		errmsg_set(why, "%s %s", t->address.text, redis_ends[k->end].says);
		e = ERR_IO;
	}
	return e;
}

static void on_deleted(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct copy_keys *k = arg;
	(void)reply;
	k->is_over = true;
	k->end = end;
}

/* SCAN finds all keys that stay: those that are deleted meanwhile do not hide others. */
enum err redis_open_remove_unfinished(struct redis_table *t, struct errmsg *why)
{
	struct copy_keys k = {.cursor = "0"};
	enum err e = OK;
	do {
		struct slice scan[] = {SLICE("SCAN"), slice_str(k.cursor), SLICE("COUNT"),
				       SLICE("500")};
		redis_args_clear(&k.found);
		redis_args_add(&k.found, SLICE("DEL"));
		e = copy_send(t, &k, scan, 4, on_keys, why);
		e = e == OK ? k.found.error : e;
		if (e == OK && k.found.n > 1) {
			e = copy_send(t, &k, k.found.at, k.found.n, on_deleted, why);
		}
	} while (e == OK && k.cursor[0] != '\0');
	redis_args_finish(&k.found);
	return e;
}

/* ---- filling ---- */

enum err redis_open_to_fill(struct redis_table *t, bool *is_left, struct redis_asked *a,
			    struct errmsg *why)
{
	enum err e =
		copy_ask(t, a,
			 (const char *[]){"SET", "{d}owner", REDIS_UNFINISHED, "NX", "GET", NULL},
			 why);
	*is_left = e == OK && redis_asked_has(a, REDIS_UNFINISHED);
	if (e != OK || *is_left || a->text.len <= 1) {
		return e;
	}
	errmsg_set(why, "%s already has data: name another database, or empty this one",
		   t->address.text);
	return ERR_CONFLICT;
}

enum err store_redis_finish_copy(struct store *s, struct slice owner, struct errmsg *why)
{
	struct redis_table *t = redis_table_of(s);
	struct redis_asked a = {.end = REDIS_END_OK};
	char mine[REDIS_OWNER_CHARS + 1];
	redis_owner_text(owner, mine);
	enum err e = copy_ask(t, &a, (const char *[]){"SET", "{d}owner", mine, NULL}, why);
	buf_finish(&a.text);
	return e;
}
