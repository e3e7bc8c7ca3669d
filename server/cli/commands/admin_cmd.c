/*
 * admin_cmd.c - lines between the store's admin calls and stdin, stdout, stderr.
 *
 * A result goes to stdout, a count for the person to stderr where stdout is the
 * data. Output that did not arrive (a full disk, a closed pipe) is a failure:
 * half a dump must never pass for a whole one.
 */
#include "server/cli/commands/admin_cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "proto/tls/tls.h"
#include "server/cli/data_dir.h"
#include "server/cli/commands/key_file.h"
#include "server/cli/commands/table_place.h"
#include "store/admin/admin.h"
#include "store/admin/admin_table.h"

#define ADMIN_CMD_OUT_BYTES 65536 /* of a dump, in one write */

static bool admin_cmd_put_line(void *arg, struct slice line)
{
	(void)arg;
	return fwrite(line.data, 1, line.len, stdout) == line.len && putchar('\n') != EOF;
}

static enum err admin_cmd_flush(enum err e, struct errmsg *why)
{
	if (e == ERR_CLOSED || ((fflush(stdout) != 0 || ferror(stdout) != 0) && e == OK)) {
		errmsg_set(why, "cannot write to stdout: %s", strerror(errno));
		return ERR_IO;
	}
	return e;
}

/* ---- data in Redis ---- */

struct admin_redis {
	struct command_loop *loop;
	struct table_place place;
};

/* To read them, also while a server uses them; the key is compared if its file is named. */
static enum err admin_cmd_open_redis(const struct options *o, struct admin_redis *r,
				     struct admin_table *out, struct errmsg *why)
{
	const struct options_place at = {.redis = o->redis};
	unsigned char key[SEED_BYTES];
	struct key_text owner = {.text = ""};
	enum err e = OK;
	*r = (struct admin_redis){.loop = NULL};
	table_place_init(&r->place, &at);
	r->place.name = o->redis.text;
	if (o->key_file != NULL) {
		e = key_file_read(o->key_file, key, why);
		if (e == ERR_NOT_FOUND) {
			errmsg_set(why, "%s not found", o->key_file);
		}
		owner = key_file_check(key);
		sodium_memzero(key, sizeof(key));
	}
	e = e == OK ? command_loop_create(&r->loop, why) : e;
	e = e == OK ? table_place_open_redis(&r->place, &o->redis, STORE_REDIS_READ,
					     slice_str(owner.text), r->loop, why)
		    : e;
	*out = (struct admin_table){.store = r->place.store,
				    .name = r->place.name,
				    .wait = command_loop_wait,
				    .wait_arg = r->loop};
	return e;
}

static void admin_cmd_close_redis(struct admin_redis *r)
{
	struct errmsg ignored;
	(void)!table_place_close(&r->place, OK, &ignored);
	command_loop_destroy(r->loop);
}

/* ---- check ---- */

static enum err admin_cmd_check_redis(const struct options *o, struct admin_counts *counts,
				      struct errmsg *why)
{
	struct admin_redis r;
	struct admin_table t;
	enum err e = admin_cmd_open_redis(o, &r, &t, why);
	e = e == OK ? admin_table_check(&t, admin_cmd_put_line, NULL, counts, why) : e;
	admin_cmd_close_redis(&r);
	return e;
}

static enum err admin_cmd_check_directory(const char *directory, struct admin_counts *counts,
					  struct errmsg *why)
{
	struct key_text owner;
	enum err e = data_dir_check(directory, why);
	if (e != OK) {
		return e;
	}
	/* Loaded data may have no key yet. */
	e = data_dir_read_owner(directory, &owner, why);
	if (e == OK || e == ERR_NOT_FOUND) {
		struct slice is_of = e == OK ? slice_str(owner.text) : slice_str("");
		e = admin_check(directory, is_of, admin_cmd_put_line, NULL, counts, why);
	}
	return e;
}

enum err admin_cmd_check(const struct options *o, struct errmsg *why)
{
	struct admin_counts counts = {0};
	enum err e = o->has_redis ? admin_cmd_check_redis(o, &counts, why)
				  : admin_cmd_check_directory(o->words[0], &counts, why);
	if (e == OK) {
		(void)printf("ok: %" PRIu64 " items, %" PRIu64 " index entries, no problems\n",
			     counts.items, counts.index_entries);
	}
	return admin_cmd_flush(e, why);
}

/* ---- dump ---- */

static enum err admin_cmd_dump_redis(const struct options *o, struct admin_counts *counts,
				     struct errmsg *why)
{
	struct admin_redis r;
	struct admin_table t;
	enum err e = admin_cmd_open_redis(o, &r, &t, why);
	e = e == OK ? admin_table_dump(&t, o->with_hidden, admin_cmd_put_line, NULL, counts, why)
		    : e;
	admin_cmd_close_redis(&r);
	return e;
}

static enum err admin_cmd_dump_directory(const struct options *o, struct admin_counts *counts,
					 struct errmsg *why)
{
	const char *directory = o->words[0];
	enum err e = data_dir_check(directory, why);
	return e == OK ? admin_dump(directory, o->with_hidden, admin_cmd_put_line, NULL, counts,
				    why)
		       : e;
}

enum err admin_cmd_dump(const struct options *o, struct errmsg *why)
{
	struct admin_counts counts = {0};
	(void)setvbuf(stdout, NULL, _IOFBF, ADMIN_CMD_OUT_BYTES);
	enum err e = o->has_redis ? admin_cmd_dump_redis(o, &counts, why)
				  : admin_cmd_dump_directory(o, &counts, why);
	e = admin_cmd_flush(e, why);
	if (e == OK) {
		(void)fprintf(stderr, "%" PRIu64 " items\n", counts.items);
	}
	if (e == OK && counts.hidden > 0) {
		(void)fprintf(stderr,
			      "%" PRIu64 " seats and answers without their hidden votes; "
			      "--hidden-votes includes them\n",
			      counts.hidden);
	}
	return e;
}

/* ---- load, fingerprint ---- */

struct admin_cmd_input {
	char *line;
	size_t capacity;
	int failed; /* errno of the reading, or 0 */
};

static enum err admin_cmd_next(void *arg, struct slice *line)
{
	struct admin_cmd_input *in = arg;
	errno = 0;
	ssize_t n = getline(&in->line, &in->capacity, stdin);
	if (n < 0) {
		in->failed = feof(stdin) != 0 ? 0 : errno;
		return in->failed == 0 ? ERR_NOT_FOUND : in->failed == ENOMEM ? ERR_NOMEM : ERR_IO;
	}
	size_t len = (size_t)n;
	if (len > 0 && in->line[len - 1] == '\n') {
		len--;
	}
	*line = slice_of(in->line, len);
	return OK;
}

enum err admin_cmd_load(const struct options *o, struct errmsg *why)
{
	const char *directory = o->words[0];
	struct admin_counts counts = {0};
	struct admin_cmd_input in = {0};
	enum err e = data_dir_open(directory, why);
	if (e != OK) {
		return e;
	}
	e = admin_load(directory, admin_cmd_next, &in, &counts, why);
	if (in.failed != 0) {
		errmsg_set(why, "cannot read stdin: %s", strerror(in.failed));
	}
	free(in.line);
	if (e == OK) {
		(void)fprintf(stderr,
			      "%" PRIu64 " items; copy the server.key that belongs to them into "
			      "the same directory\n",
			      counts.items);
	}
	return e;
}

enum err admin_cmd_fingerprint(const struct options *o, struct errmsg *why)
{
	const char *directory = o->words[0];
	struct tls_context *certificate = NULL;
	struct fingerprint fingerprint;
	struct buf pem;
	buf_init(&pem, 2 * DATA_DIR_FILE_BYTES_MAX);
	enum err e = data_dir_check(directory, why);
	e = e == OK ? OK : data_dir_open(directory, why); /* before the server's first start */
	e = e != OK ? e : data_dir_certificate(directory, &pem, why);
	e = e != OK ? e : tls_context_serve(buf_slice(&pem), buf_slice(&pem), &certificate, why);
	if (e == OK) {
		tls_context_fingerprint(certificate, &fingerprint);
		fingerprint = fingerprint_shorten(&fingerprint);
		(void)puts(fingerprint.text);
	}
	if (pem.data != NULL) {
		sodium_memzero(pem.data, pem.capacity);
	}
	tls_context_free(certificate);
	buf_finish(&pem);
	return admin_cmd_flush(e, why);
}
