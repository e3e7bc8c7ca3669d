/*
 * serve_store.c - reads the server key, and opens the data directory or the Redis of --store.
 */
#include "server/cli/serve_store.h"

#include "proto/base/format.h"
#include "server/cli/data_dir.h"
#include "server/cli/commands/key_file.h"
#include "server/cli/process.h"
#include "server/cli/redis_access.h"
#include "server/net/sd_notify.h"
#include "store/admin/admin_files.h"
#include "store/redis/store_redis.h"

#define PAGES_TIMEOUT_US 60000000 /* one percent of the pages must not take longer */

enum err serve_store_key(const struct options *o, unsigned char key[SEED_BYTES], struct errmsg *why)
{
	if (o->data != NULL) {
		enum err e = data_dir_open(o->data, why);
		e = e == OK ? admin_files_are_finished(o->data, why) : e;
		return e != OK ? e : data_dir_key(o->data, key, why);
	}
	enum err e = key_file_read(o->key_file, key, why);
	if (e == ERR_NOT_FOUND) {
		errmsg_set(why,
			   "%s not found; copy the key of the other servers, or create the first "
			   "one with `ayed key new %s`",
			   o->key_file, o->key_file);
	}
	return e;
}

/* ---- a data directory ---- */

struct page_check {
	const struct log *log;
	bool has_logged;
	unsigned percent; /* of the pages that were read */
};

static void on_damage(void *arg, struct slice line)
{
	struct page_check *c = arg;
	char text[LOG_LINE_BYTES_MAX];
	(void)format_to(text, sizeof(text), "%.*s", (int)line.len, line.data);
	log_pair(c->log, LOG_ERROR, "data_damaged", "what", text);
}

/* Before it serves: the manager is to wait for as long as that goes on. */
static void on_pages(void *arg, uint64_t pages, uint64_t pages_all)
{
	struct page_check *c = arg;
	char state[128];
	unsigned percent = (unsigned)(pages * 100 / (pages_all + 1));
	if (!c->has_logged) {
		c->has_logged = true;
		log_pair(c->log, LOG_INFO, "pages_check", "reason",
			 "data.mdb may have changed since the last server closed it");
	}
	if (percent != c->percent) {
		c->percent = percent;
		(void)format_to(state, sizeof(state),
				"EXTEND_TIMEOUT_USEC=%d\nSTATUS=Checking the data's pages: %u%%",
				PAGES_TIMEOUT_US, percent);
		sd_notify_progress(state);
	}
}

static enum err open_directory(const struct serve_store *want, struct store **out,
			       struct errmsg *why)
{
	const struct options *o = want->options;
	struct page_check check = {.log = want->log};
	struct key_text owner = key_file_check(want->key);
	char boot[DATA_DIR_BOOT_BYTES];
	data_dir_boot(boot);
	process_on_fault(store_lmdb_fault);
	struct store_lmdb_options options = {
		.directory = o->data,
		.map_bytes = (uint64_t)o->map_bytes,
		.reserve_bytes = (uint64_t)o->reserve_bytes,
		.owner = slice_of(owner.text, KEY_CHARS),
		.boot = slice_str(boot),
		.on_damage = on_damage,
		.on_pages = on_pages,
		.on_damage_arg = &check,
		.wake = event_loop_wake,
		.wake_arg = want->loop,
	};
	return store_open_lmdb(&options, out, why);
}

/* ---- Redis ---- */

static void on_warning(void *arg, struct slice line)
{
	char text[LOG_LINE_BYTES_MAX];
	(void)format_to(text, sizeof(text), "%.*s", (int)line.len, line.data);
	log_pair(arg, LOG_WARN, "redis_warning", "what", text);
}

static enum err open_redis(const struct serve_store *want, struct store **out, struct errmsg *why)
{
	struct redis_address address = want->options->redis;
	struct key_text owner = key_file_check(want->key);
	struct tls_context *tls = NULL;
	enum err e = redis_access_complete(&address, &tls, why);
	if (e == OK) {
		struct store_redis_options options = {
			.address = &address,
			.owner = slice_of(owner.text, KEY_CHARS),
			.is_node = want->options->is_node,
			.on_warning = on_warning,
			.on_warning_arg = (void *)(uintptr_t)want->log,
			.wake = event_loop_wake,
			.wake_arg = want->loop,
		};
		e = event_loop_use_redis(want->loop, tls, &options.net, why);
		e = e != OK ? e : store_open_redis(&options, out, why);
	}
	redis_address_finish(&address);
	return e;
}

enum err serve_store_open(const struct serve_store *want, struct store **out, struct errmsg *why)
{
	return want->options->has_redis ? open_redis(want, out, why)
					: open_directory(want, out, why);
}
