/*
 * fill.c - a data directory with many rooms and sessions in it, as a server
 * that has run for long would have left it.
 *
 * usage: fill DIRECTORY ROOMS SEATS SESSIONS DUE_S
 *
 * Each room has so many seats; room and sessions are over DUE_S seconds from
 * now (negative: they are over already). Goes through store.h, many commits a
 * transaction. The directory is made, with a server.key, and must not hold data.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "proto/format.h"
#include "proto/key_hash.h"
#include "proto/random.h"
#include "proto/room_code.h"
#include "store/store.h"

#define FILL_PENDING   8192
#define FILL_SEATS_MAX 100
#define FILL_HASH      "0123456789012345678901234567890123456789012" /* KEY_CHARS of them */

/* Prime to the number of codes: one number after the other gives codes all over the table. */
#define FILL_STRIDE UINT64_C(430467211)

struct fill {
	struct store *s;
	sem_t woken;
	int64_t now_ms;
	int64_t expires_at;
	unsigned long seats;
	unsigned long issued;
	unsigned long answered;
	struct arena arena;
	struct store_op ops[1 + FILL_SEATS_MAX];
	size_t ops_n;
};

static void fill_fail(const char *what)
{
	(void)fprintf(stderr, "fill: %s\n", what);
	exit(1);
}

/* ---- items ---- */

static struct slice fill_keep(struct fill *f, struct slice s)
{
	char *kept = arena_alloc(&f->arena, s.len);
	if (kept == NULL) {
		fill_fail("out of memory");
	}
	memcpy(kept, s.data, s.len);
	return slice_of(kept, s.len);
}

static void fill_put(struct fill *f, const char *pk, const char *sk, const struct record *rec,
		     const void *item)
{
	struct buf value = {.max = 4096};
	record_write(rec, item, &value);
	if (value.error != OK) {
		fill_fail("an item does not fit");
	}
	f->ops[f->ops_n++] = (struct store_op){.kind = STORE_PUT,
					       .pk = fill_keep(f, slice_str(pk)),
					       .sk = fill_keep(f, slice_str(sk)),
					       .value = fill_keep(f, buf_slice(&value))};
	buf_finish(&value);
}

static void fill_code(unsigned long n, char code[CODE_CHARS + 1])
{
	uint64_t base = sizeof(CODE_ALPHABET) - 1, codes = 1;
	for (int i = 0; i < CODE_CHARS; i++) {
		codes *= base;
	}
	uint64_t left = (n + 1) * FILL_STRIDE % codes;
	for (int i = 0; i < CODE_CHARS; i++) {
		code[i] = CODE_ALPHABET[left % base];
		left /= base;
	}
	code[CODE_CHARS] = '\0';
}

static void fill_seat(struct fill *f, const char *pk, unsigned long n)
{
	char sk[64], id[32], name[32];
	format_to(sk, sizeof(sk), "USER:%043lu", n);
	format_to(id, sizeof(id), "SEAT%06lu", n);
	format_to(name, sizeof(name), "member %lu", n);
	struct seat_item seat = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.user_id = slice_str(id),
		.username = slice_str(name),
		.with_username = true,
		.role = ROLE_VOTER,
		.vote = SLICE("5"),
		.with_vote = true,
		.joined_at = f->now_ms,
		.with_joined_at = true,
		.voted_at = f->now_ms,
		.with_voted_at = true,
	};
	fill_put(f, pk, sk, &record_seat_item, &seat);
}

static void fill_room(struct fill *f, unsigned long n)
{
	static struct slice cards[] = {{"1", 1}, {"2", 1}, {"3", 1}, {"5", 1}, {"8", 1}};
	char code[CODE_CHARS + 1], pk[32];
	fill_code(n, code);
	format_to(pk, sizeof(pk), "ROOM:%s", code);
	struct room_item room = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.host_key = SLICE(FILL_HASH),
		.host_user_id = SLICE("SEAT000000"),
		.with_host_user_id = true,
		.had_host = true,
		.with_had_host = true,
		.title = SLICE("Sprint 42"),
		.with_title = true,
		.valid_sizes = {cards, sizeof(cards) / sizeof(cards[0])},
		.version = 10,
		.epoch = 1,
		.round = 1,
		.expires_at = f->expires_at,
	};
	fill_put(f, pk, "ROOM", &record_room_item, &room);
	for (unsigned long i = 0; i < f->seats; i++) {
		fill_seat(f, pk, i);
	}
}

static void fill_session(struct fill *f, unsigned long n)
{
	char hash[KEY_CHARS + 1], name[32], id[32], token_pk[64], name_pk[64];
	format_to(hash, sizeof(hash), "%043lu", n);
	format_to(name, sizeof(name), "user%lu", n);
	format_to(id, sizeof(id), "USER%010lu", n);
	format_to(token_pk, sizeof(token_pk), "TOKEN:%s", hash);
	format_to(name_pk, sizeof(name_pk), "USER_NAME:%s", name);
	struct token_item token = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.user_id = slice_str(id),
		.user_name = slice_str(name),
		.name_key = slice_str(name),
		.expires_at = f->expires_at,
	};
	struct user_name_item user_name = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.user_id = slice_str(id),
		.token_hash = slice_str(hash),
		.expires_at = f->expires_at,
	};
	fill_put(f, token_pk, "SESSION", &record_token_item, &token);
	fill_put(f, name_pk, "SESSION", &record_user_name_item, &user_name);
}

/* ---- commits ---- */

static void on_wake(void *arg)
{
	(void)sem_post(arg);
}

static void on_commit(void *arg, enum err e, uint64_t version, bool has_more)
{
	struct fill *f = arg;
	(void)has_more;
	(void)version;
	if (e != OK) {
		fill_fail(err_text(e));
	}
	f->answered++;
}

static void fill_wait(struct fill *f, unsigned long pending)
{
	while (f->issued - f->answered > pending) {
		store_flush(f->s);
		(void)sem_wait(&f->woken);
		(void)store_poll(f->s);
	}
}

static void fill_commit(struct fill *f)
{
	struct store_commit c = {.ops = f->ops, .n = f->ops_n, .now_ms = f->now_ms};
	f->issued++;
	if (store_commit(f->s, &c, on_commit, f) != OK) {
		fill_fail("the store takes no more");
	}
	f->ops_n = 0;
	arena_reset(&f->arena);
	fill_wait(f, FILL_PENDING);
}

/* ---- main ---- */

static void fill_make_key(const char *directory)
{
	char path[4096];
	unsigned char key[SEED_BYTES];
	memset(key, 7, sizeof(key));
	format_to(path, sizeof(path), "%s/server.key", directory);
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	if (fd < 0 || write(fd, key, sizeof(key)) != (ssize_t)sizeof(key) || close(fd) != 0) {
		fill_fail("cannot write server.key");
	}
}

static void fill_open(struct fill *f, const char *directory)
{
	struct errmsg why;
	struct store_lmdb_options o = {.directory = directory,
				       .wake = on_wake,
				       .wake_arg = &f->woken};
	if (!crypto_start() || sem_init(&f->woken, 0, 0) != 0) {
		fill_fail("cannot start");
	}
	if (mkdir(directory, 0700) != 0) {
		fill_fail("the directory must be a new one");
	}
	fill_make_key(directory);
	if (store_open_lmdb(&o, &f->s, &why) != OK) {
		fill_fail(why.text);
	}
}

int main(int argc, char **argv)
{
	static struct fill f;
	if (argc != 6) {
		(void)fputs("usage: fill DIRECTORY ROOMS SEATS SESSIONS DUE_S\n", stderr);
		return 2;
	}
	unsigned long rooms = strtoul(argv[2], NULL, 10), sessions = strtoul(argv[4], NULL, 10);
	f.seats = strtoul(argv[3], NULL, 10);
	f.now_ms = (int64_t)time(NULL) * 1000;
	f.expires_at = f.now_ms + strtol(argv[5], NULL, 10) * 1000;
	if (f.seats > FILL_SEATS_MAX) {
		fill_fail("too many seats");
	}
	fill_open(&f, argv[1]);
	for (unsigned long i = 0; i < rooms; i++) {
		fill_room(&f, i);
		fill_commit(&f);
	}
	for (unsigned long i = 0; i < sessions; i++) {
		fill_session(&f, i);
		fill_commit(&f);
	}
	fill_wait(&f, 0);
	store_close(f.s);
	arena_finish(&f.arena);
	return 0;
}
