/*
 * table_place.c - see table_place.h.
 */
#include "server/cli/commands/table_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "server/cli/data_dir.h"
#include "server/cli/commands/key_file.h"
#include "server/cli/redis_access.h"
#include "store/admin/admin_files.h"

void table_place_init(struct table_place *p, const struct options_place *at)
{
	*p = (struct table_place){.name = at->directory != NULL ? at->directory : at->redis.text,
				  .is_redis = at->directory == NULL,
				  .hold = -1};
}

/* ---- Redis ---- */

static void place_on_warning(void *arg, struct slice line)
{
	(void)arg;
	(void)fprintf(stderr, "ayed: %.*s\n", (int)line.len, line.data);
}

enum err table_place_open_redis(struct table_place *p, const struct redis_address *address,
				enum store_redis_use use, struct slice owner,
				struct command_loop *loop, struct errmsg *why)
{
	struct redis_address complete = *address;
	struct tls_context *tls = NULL;
	enum err e = redis_access_complete(&complete, &tls, why);
	if (e == OK) {
		struct store_redis_options o = {.use = use,
						.address = &complete,
						.owner = owner,
						.on_warning = place_on_warning,
						.wake = command_loop_wake,
						.wake_arg = loop};
		e = command_loop_use_redis(loop, tls, &o.net, why);
		e = e == OK ? store_open_redis(&o, &p->store, why) : e;
	}
	redis_address_finish(&complete);
	return e;
}

/* ---- a directory ---- */

static bool place_on_problem(void *arg, struct slice line)
{
	(void)arg, (void)line; /* `ayed check` names them */
	return true;
}

static enum err place_check(const char *directory, struct slice owner, struct errmsg *why)
{
	struct admin_counts counts;
	enum err e = admin_check(directory, owner, place_on_problem, NULL, &counts, why);
	if (e == ERR_CORRUPT && counts.problems > 0 && counts.problems == counts.lost) {
		(void)fprintf(stderr,
			      "%s: items lost to earlier damage are not in the copy; `ayed check` "
			      "lists them\n",
			      directory);
		return OK;
	}
	return e;
}

enum err table_place_open_directory(struct table_place *p, const char *directory,
				    struct slice owner, struct command_loop *loop,
				    struct errmsg *why)
{
	enum err e = admin_hold(directory, &p->hold, why);
	if (e == ERR_BUSY) {
		errmsg_set(why, "%s; stop it first", why->text);
	}
	e = e == OK ? place_check(directory, owner, why) : e;
	const struct store_lmdb_options o = {.directory = directory,
					     .read_only = true,
					     .owner = owner,
					     .wake = command_loop_wake,
					     .wake_arg = loop};
	return e == OK ? store_open_lmdb(&o, &p->store, why) : e;
}

/* The key, and what else belongs to data in a directory. */
static enum err place_put_files(const char *directory, const char *from,
				const unsigned char key[SEED_BYTES], struct errmsg *why)
{
	char path[ADMIN_PATH_BYTES + 16];
	uint64_t bytes = 0;
	bool is_new;
	(void)format_to(path, sizeof(path), "%s/%s", directory, data_dir_files[0]);
	enum err e = key_file_put(path, slice_of(key, SEED_BYTES), &is_new, why);
	for (size_t i = 1; from != NULL && data_dir_files[i] != NULL && e == OK; i++) {
		e = admin_files_copy(from, directory, data_dir_files[i], NULL, NULL, &bytes, why);
		e = e == ERR_NOT_FOUND ? OK : e;
	}
	return e;
}

enum err table_place_fill_directory(struct table_place *p, const char *directory, const char *from,
				    const unsigned char key[SEED_BYTES], struct command_loop *loop,
				    struct errmsg *why)
{
	struct key_text owner = key_file_check(key);
	struct stat st;
	enum err e = OK;
	if (stat(directory, &st) == 0 || errno != ENOENT) {
		e = data_dir_check(directory, why);
	}
	e = e == OK ? admin_fill_begin(&p->fill, directory, data_dir_files, why) : e;
	p->fills = e == OK;
	e = e == OK ? place_put_files(p->fill.temporary, from, key, why) : e;
	const struct store_lmdb_options o = {.directory = p->fill.temporary,
					     .owner = slice_of(owner.text, KEY_CHARS),
					     .wake = command_loop_wake,
					     .wake_arg = loop};
	return e == OK ? store_open_lmdb(&o, &p->store, why) : e;
}

void table_place_hurry(struct table_place *p)
{
	if (p->is_redis && p->store != NULL) {
		store_redis_hurry(p->store);
	}
}

enum err table_place_close(struct table_place *p, enum err result, struct errmsg *why)
{
	store_close(p->store);
	p->store = NULL;
	if (p->fills) {
		result = admin_fill_end(&p->fill, result, why);
		p->fills = false;
	}
	if (p->hold >= 0) {
		(void)close(p->hold);
		p->hold = -1;
	}
	return result;
}
