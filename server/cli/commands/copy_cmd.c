/*
 * copy_cmd.c - see copy_cmd.h.
 *
 * The key goes with the data, as every keyed hash in them is made with it: what is copied from a directory
 * brings its own, and --key-file is compared with it or gets it.
 */
#include "server/cli/commands/copy_cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json.h"
#include "server/cli/data_dir.h"
#include "server/cli/commands/key_file.h"
#include "server/cli/commands/progress.h"
#include "server/cli/redis_access.h"
#include "server/cli/commands/table_place.h"
#include "store/admin/admin_table.h"

#define COPY_NAME_JSON ((size_t)1 << 16)

struct copying {
	const struct options *o;
	struct progress progress;
	struct command_loop *loop;
	struct table_place from, to;
	unsigned char key[SEED_BYTES];
	struct key_text owner; /* its check value */
	bool makes_key;	       /* --key-file does not exist yet */
	char *password;	       /* of the environment; NULL: none. Both places may need it */
	struct admin_counts counts;
};

/* ---- the key ---- */

static enum err copy_key_of_directory(struct copying *c, struct errmsg *why)
{
	const char *file = c->o->key_file;
	unsigned char other[SEED_BYTES];
	enum err e = data_dir_check(c->from.name, why);
	e = e == OK ? data_dir_read_owner(c->from.name, &c->owner, why) : e; /* are there data? */
	e = e == OK ? data_dir_key(c->from.name, c->key, why) : e;
	if (e != OK || file == NULL) {
		return e;
	}
	e = key_file_read(file, other, why);
	c->makes_key = e == ERR_NOT_FOUND;
	if (e == OK && sodium_memcmp(other, c->key, sizeof(other)) != 0) {
		errmsg_set(why,
			   "%s is another key than that of %s; name a file that does not exist, "
			   "and the key is copied to it",
			   file, c->from.name);
		e = ERR_CONFLICT;
	}
	sodium_memzero(other, sizeof(other));
	return c->makes_key ? OK : e;
}

static enum err copy_key(struct copying *c, struct errmsg *why)
{
	enum err e;
	if (!c->from.is_redis) {
		e = copy_key_of_directory(c, why);
	} else {
		e = key_file_read(c->o->key_file, c->key, why);
		if (e == ERR_NOT_FOUND) {
			errmsg_set(why, "%s not found; it must be the key of the data in %s",
				   c->o->key_file, c->from.name);
		}
	}
	c->owner = key_file_check(c->key);
	return e;
}

/* Before the data can be served without it. */
static enum err copy_make_key(const struct copying *c, struct errmsg *why)
{
	bool is_new;
	enum err e = key_file_put(c->o->key_file, slice_of(c->key, SEED_BYTES), &is_new, why);
	if (e == OK && is_new) {
		(void)fprintf(stderr, "%s: the key of the data was copied to it\n", c->o->key_file);
	} else if (e == OK) {
		errmsg_set(
			why,
			"%s was created in the meantime by another process; run the command again",
			c->o->key_file);
		e = ERR_CONFLICT;
	}
	return e;
}

/* ---- both places ---- */

static struct slice copy_owner(const struct copying *c)
{
	return slice_of(c->owner.text, KEY_CHARS);
}

/* redis_access_complete() takes it out of the environment. */
static void copy_give_password(const struct copying *c)
{
	if (c->password != NULL) {
		(void)setenv(REDIS_PASSWORD_VARIABLE, c->password, 1);
	}
}

static enum err copy_open(struct copying *c, struct errmsg *why)
{
	const struct options *o = c->o;
	enum err e = command_loop_create(&c->loop, why);
	if (e != OK) {
		return e;
	}
	copy_give_password(c);
	e = c->from.is_redis
		    ? table_place_open_redis(&c->from, &o->from.redis, STORE_REDIS_COPY_FROM,
					     copy_owner(c), c->loop, why)
		    : table_place_open_directory(&c->from, o->from.directory, copy_owner(c),
						 c->loop, why);
	if (e != OK) {
		return e;
	}
	/* From here on something may be left behind. */
	progress_begin(&c->progress);
	copy_give_password(c);
	return c->to.is_redis ? table_place_open_redis(&c->to, &o->to.redis, STORE_REDIS_COPY_TO,
						       copy_owner(c), c->loop, why)
			      : table_place_fill_directory(&c->to, o->to.directory,
							   o->from.directory, c->key, c->loop, why);
}

/* ---- copying ---- */

static bool copy_on_progress(void *arg, enum admin_step step, uint64_t partitions, uint64_t all)
{
	struct copying *c = arg;
	struct progress *p = &c->progress;
	char text[PROGRESS_TEXT_BYTES];
	const char *what = step == ADMIN_COPYING ? "Copying" : "Checking the copy";
	if (progress_is_stopped(p, 0)) {
		table_place_hurry(&c->from);
		table_place_hurry(&c->to);
		return false;
	}
	if (!progress_is_due(p, step)) {
		return true;
	}
	if (all == 0) {
		(void)snprintf(text, sizeof(text), "%s ...", what);
	} else {
		(void)snprintf(text, sizeof(text), "%s: %d%%", what, (int)(100 * partitions / all));
	}
	progress_show(p, step, text);
	return true;
}

static struct admin_table copy_table(struct copying *c, const struct table_place *p)
{
	return (struct admin_table){.store = p->store,
				    .name = p->name,
				    .wait = command_loop_wait,
				    .wait_arg = c->loop,
				    .on_progress = copy_on_progress,
				    .progress_arg = c};
}

static enum err copy_all(struct copying *c, struct errmsg *why)
{
	const struct admin_table from = copy_table(c, &c->from), to = copy_table(c, &c->to);
	enum err e = admin_table_copy(&from, &to, progress_clock(CLOCK_REALTIME), &c->counts, why);
	if (e == ERR_FULL && c->to.is_redis) {
		errmsg_set(why,
			   "%s: its maxmemory is too small for the data; raise it (new data are "
			   "refused once 70%% of it is used)",
			   c->to.name);
	} else if (e == ERR_FULL) {
		errmsg_set(why, "%s: not enough space for the data; nothing was kept", c->to.name);
	}
	e = e == OK && c->makes_key ? copy_make_key(c, why) : e;
	return e == OK && c->to.is_redis ? store_redis_finish_copy(c->to.store, copy_owner(c), why)
					 : e;
}

/* ---- the result ---- */

static void copy_name_json(const char *name, struct buf *out)
{
	size_t len = out->len;
	if (json_from_text(slice_str(name), out) != OK) {
		out->len = len;
		(void)buf_append_slice(out, SLICE("null")); /* a name that is not UTF-8 */
	}
}

static enum err copy_print(const struct copying *c, struct errmsg *why)
{
	double seconds = progress_seconds(&c->progress);
	if (c->o->is_json) {
		struct buf text = {.max = COPY_NAME_JSON};
		(void)buf_append_slice(&text, SLICE("{\"from\":"));
		copy_name_json(c->from.name, &text);
		(void)buf_append_slice(&text, SLICE(",\"to\":"));
		copy_name_json(c->to.name, &text);
		(void)printf("%.*s,\"items\":%" PRIu64 ",\"index_entries\":%" PRIu64
			     ",\"seconds\":%.3f}\n",
			     (int)text.len, text.data, c->counts.items, c->counts.index_entries,
			     seconds);
		buf_finish(&text);
	} else {
		(void)printf("%s: %" PRIu64 " items, %" PRIu64
			     " index entries, checked, in %.1f s\n",
			     c->to.name, c->counts.items, c->counts.index_entries, seconds);
	}
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		errmsg_set(why, "%s is complete, but writing to stdout failed: %s", c->to.name,
			   strerror(errno));
		return ERR_IO;
	}
	return OK;
}

/* What a stopped or failed copy has left. */
static void copy_tell_rest(const struct copying *c, enum err e, bool has_begun, struct errmsg *why)
{
	const char *what = c->progress.is_stopped ? "interrupted" : why->text;
	if (e == OK || !has_begun) {
		return;
	}
	if (c->to.is_redis) {
		errmsg_set(why,
			   "%s; %s has an unfinished copy, which no server accepts; run the same "
			   "command again",
			   what, c->to.name);
	} else if (c->progress.is_stopped) {
		errmsg_set(why, "%s; nothing was left in %s", what, c->to.name);
	}
}

enum err copy_cmd(const struct options *o, struct errmsg *why)
{
	struct copying c = {.o = o};
	struct errmsg ignored;
	const char *password = getenv(REDIS_PASSWORD_VARIABLE);
	c.password = password == NULL ? NULL : strdup(password);
	table_place_init(&c.from, &o->from);
	table_place_init(&c.to, &o->to);
	enum err e = copy_key(&c, why);
	e = e == OK ? copy_open(&c, why) : e;
	bool has_begun = e == OK;
	e = e == OK ? copy_all(&c, why) : e;
	progress_end_line(&c.progress);
	copy_tell_rest(&c, e, has_begun, why);
	if (c.progress.is_stopped) {
		progress_end(&c.progress); /* what is left takes a moment */
	}
	e = table_place_close(&c.to, e, why);
	(void)!table_place_close(&c.from, e, &ignored);
	command_loop_destroy(c.loop);
	sodium_memzero(c.key, sizeof(c.key));
	if (c.password != NULL) {
		sodium_memzero(c.password, strlen(c.password));
	}
	free(c.password);
	return e == OK ? copy_print(&c, why) : e;
}
