/*
 * fill.c - a data directory with many rooms, sessions and questions in it, as a
 * server that has run for long would have left it.
 *
 * usage: fill DIRECTORY ROOMS SEATS SESSIONS QUESTIONS DUE_S USERS ITEMS
 *
 * Each room has so many seats. Each question is open, an asker has a hundred of
 * them, and beside each is a person with points of today. One group has so many
 * users, the first of whom owns it and has a session with FILLING_TOKEN, and as few
 * containers as so many items need, with as many in each. Rooms, sessions and
 * questions are over DUE_S seconds from now (negative: they are over already). Goes through store.h, many commits a
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

#include "proto/base/format.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"
#include "proto/keys/room_code.h"
#include "store/store.h"
#include "tests/bench/filling.h"

#define FILL_PENDING	     8192
#define FILL_SEATS_MAX	     100
#define FILL_CONTAINER_ITEMS 100000 /* as many as a container takes */
#define FILL_HASH	     "0123456789012345678901234567890123456789012" /* KEY_CHARS of them */

/* Prime to the number of codes: one number after the other gives codes all over the table. */
#define FILL_STRIDE UINT64_C(430467211)

struct fill {
	struct store *s;
	sem_t woken;
	int64_t now_ms;
	int64_t expires_at;
	int64_t asked_ms; /* the first question */
	unsigned char server_key[SEED_BYTES];
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

static void fill_code(unsigned long n, char *code, size_t chars)
{
	uint64_t base = sizeof(CODE_ALPHABET) - 1, codes = 1;
	for (size_t i = 0; i < chars; i++) {
		codes *= base;
	}
	uint64_t left = (n + 1) * FILL_STRIDE % codes;
	for (size_t i = 0; i < chars; i++) {
		code[i] = CODE_ALPHABET[left % base];
		left /= base;
	}
	code[chars] = '\0';
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
	};
	fill_put(f, pk, sk, &record_seat_item, &seat);
}

static void fill_room(struct fill *f, unsigned long n)
{
	static struct slice cards[] = {{"1", 1}, {"2", 1}, {"3", 1}, {"5", 1}, {"8", 1}};
	char code[CODE_CHARS + 1], pk[32];
	fill_code(n, code, CODE_CHARS);
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

/* Asked a millisecond after the one before. */
static void fill_question(struct fill *f, unsigned long n)
{
	static struct slice options[] = {{"yes", 3}, {"no", 2}};
	static struct slice audience[] = {{"general", 7}};
	char code[USER_ID_CHARS + 1], pk[48], asker[32];
	fill_code(n, code, USER_ID_CHARS);
	format_to(pk, sizeof(pk), "QUESTION:q_%s", code);
	format_to(asker, sizeof(asker), "ASKER%06lu", n / 100);
	struct question_item question = {
		.created_on = f->asked_ms + (int64_t)n,
		.updated_on = f->asked_ms + (int64_t)n,
		.status = QUESTION_OPEN,
		.prompt = SLICE("Which of the two names would you rather read in ten years?"),
		.type = QUESTION_CHOICE,
		.options = {options, sizeof(options) / sizeof(options[0])},
		.audience = {audience, 1},
		.required_responses = MAX_QUESTION_RESPONSES,
		.agent_id = slice_str(asker),
		.asked_by = slice_str(asker),
		.ends_at = f->expires_at,
		.expires_at = f->expires_at,
	};
	fill_put(f, pk, "QUESTION", &record_question_item, &question);
}

static void fill_date(int64_t ms, char date[16])
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;
	(void)strftime(date, 16, "%Y-%m-%d", gmtime_r(&seconds, &tm));
}

static void fill_stats(struct fill *f, unsigned long n)
{
	char pk[64], day[16], week[16];
	const int64_t day_ms = 86400000, points = (int64_t)(n * FILL_STRIDE % 500) + 1;
	format_to(pk, sizeof(pk), "STATS:%043lu", n);
	fill_date(f->now_ms, day);
	fill_date(f->now_ms - (f->now_ms / day_ms + 3) % 7 * day_ms,
		  week); /* 1970 began on a Thursday */
	struct stats_item stats = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.leaderboard = SLICE("_leaderboard"),
		.total_points = points,
		.total_answers = 1,
		.week = slice_str(week),
		.week_points = points,
		.week_answers = 1,
		.day = slice_str(day),
		.day_points = points,
		.day_answers = 1,
		.streak_days = 1,
		.answers_by_category = {.general = 1},
	};
	fill_put(f, pk, "STATS", &record_stats_item, &stats);
}

static void fill_id(const char *prefix, unsigned long n, char id[32])
{
	char code[USER_ID_CHARS + 1];
	fill_code(n, code, USER_ID_CHARS);
	format_to(id, 32, "%s%s", prefix, code);
}

static void fill_user(struct fill *f, unsigned long n, const char *group_id)
{
	char id[32], pk[48], sk[48], name[32];
	fill_id("", n, id);
	format_to(pk, sizeof(pk), "USER:%s", id);
	format_to(sk, sizeof(sk), "GROUP#%s", group_id);
	format_to(name, sizeof(name), "user %lu", n);
	struct user_item user = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.user_name = slice_str(name),
		.public_key = SLICE(FILL_HASH),
		.groups = 1,
	};
	struct membership_item membership = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.group_id = slice_str(group_id),
		.role = n == 0 ? GROUP_OWNER : GROUP_MEMBER,
		.joined_on = f->now_ms + (int64_t)n,
	};
	fill_put(f, pk, "USER", &record_user_item, &user);
	fill_put(f, pk, sk, &record_membership_item, &membership);
}

/* In the order of their numbers, as items that were added one after the other. */
static void fill_item(struct fill *f, unsigned long n, const char *pk, const char *group_id)
{
	char sk[32] = "ITEM#i_2222222222";
	char name[32];
	for (size_t at = strlen(sk), left = n; left > 0; left /= sizeof(CODE_ALPHABET) - 1) {
		sk[--at] = CODE_ALPHABET[left % (sizeof(CODE_ALPHABET) - 1)];
	}
	format_to(name, sizeof(name), "item %lu", n);
	struct item_item item = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.group_id = slice_str(group_id),
		.name = slice_str(name),
		.quantity = 500,
		.with_quantity = true,
		.category = SLICE("none"),
		.expiry = f->expires_at + (int64_t)n,
		.with_expiry = true,
		.created_at = f->now_ms,
		.revision = 1,
	};
	fill_put(f, pk, sk, &record_item_item, &item);
}

/* The group; users and containers go into it. */
static void fill_team(struct fill *f, unsigned long users, unsigned long containers,
		      const char *group_id)
{
	char pk[48];
	struct group_item group = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.group_name = SLICE("everybody"),
		.version = 1,
		.users = (int64_t)users,
		.owners = 1,
		.containers = (int64_t)containers,
		.with_containers = true,
	};
	format_to(pk, sizeof(pk), "GROUP:%s", group_id);
	fill_put(f, pk, "GROUP", &record_group_item, &group);
}

/* The owner is logged in: their name, and the token that the bench has. */
static void fill_owner(struct fill *f)
{
	char id[32], pk[64];
	struct key_text hash = key_hash(f->server_key, "token", SLICE(FILLING_TOKEN));
	fill_id("", 0, id);
	struct token_item token = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.user_id = slice_str(id),
		.user_name = SLICE("owner"),
		.name_key = SLICE("owner"),
		.is_keyed = true,
		.with_is_keyed = true,
		.expires_at = f->expires_at,
	};
	struct user_name_item user_name = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.user_id = slice_str(id),
		.token_hash = slice_of(hash.text, KEY_CHARS),
		.expires_at = f->expires_at,
	};
	format_to(pk, sizeof(pk), "TOKEN:%.*s", KEY_CHARS, hash.text);
	fill_put(f, pk, "SESSION", &record_token_item, &token);
	fill_put(f, "USER_NAME:owner", "SESSION", &record_user_name_item, &user_name);
}

/* ---- commits ---- */

static void on_wake(void *arg)
{
	(void)sem_post(arg);
}

static void on_commit(void *arg, enum err e, uint64_t version)
{
	struct fill *f = arg;
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

/* A container with that many items. */
static void fill_container(struct fill *f, unsigned long n, unsigned long items,
			   const char *group_id)
{
	char container_id[32], pk[48], sk[48];
	fill_id("c_", n, container_id);
	struct group_container_item listed = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.container_id = slice_str(container_id),
	};
	struct container_item container = {
		.created_on = f->now_ms,
		.updated_on = f->now_ms,
		.container_name = SLICE("everything"),
		.group_id = slice_str(group_id),
		.version = 1,
		.items = (int64_t)items,
		.with_items = items > 0,
		.last_item = (int64_t)items,
		.with_last_item = items > 0,
	};
	format_to(pk, sizeof(pk), "GROUP:%s", group_id);
	format_to(sk, sizeof(sk), "CONTAINER#%s", container_id);
	fill_put(f, pk, sk, &record_group_container_item, &listed);
	format_to(pk, sizeof(pk), "CONTAINER:%s", container_id);
	fill_put(f, pk, "CONTAINER", &record_container_item, &container);
	fill_commit(f);
	for (unsigned long i = 0; i < items; i++) {
		fill_item(f, i + 1, pk, group_id);
		fill_commit(f);
	}
}

static void fill_group(struct fill *f, unsigned long users, unsigned long items)
{
	char group_id[32];
	unsigned long containers = 1 + (items == 0 ? 0 : (items - 1) / FILL_CONTAINER_ITEMS);
	fill_id("g_", 0, group_id);
	fill_team(f, users, containers, group_id);
	fill_owner(f);
	fill_commit(f);
	for (unsigned long i = 0; i < users; i++) {
		fill_user(f, i, group_id);
		fill_commit(f);
	}
	for (unsigned long i = 0; i < containers; i++) {
		fill_container(f, i, items / containers, group_id);
	}
}

/* ---- main ---- */

static void fill_make_key(struct fill *f, const char *directory)
{
	char path[4096];
	memset(f->server_key, 7, sizeof(f->server_key));
	format_to(path, sizeof(path), "%s/server.key", directory);
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	if (fd < 0 || write(fd, f->server_key, SEED_BYTES) != SEED_BYTES || close(fd) != 0) {
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
	fill_make_key(f, directory);
	if (store_open_lmdb(&o, &f->s, &why) != OK) {
		fill_fail(why.text);
	}
}

int main(int argc, char **argv)
{
	static struct fill f;
	if (argc != 9) {
		(void)fputs(
			"usage: fill DIRECTORY ROOMS SEATS SESSIONS QUESTIONS DUE_S USERS ITEMS\n",
			stderr);
		return 2;
	}
	unsigned long rooms = strtoul(argv[2], NULL, 10), sessions = strtoul(argv[4], NULL, 10);
	unsigned long questions = strtoul(argv[5], NULL, 10);
	unsigned long users = strtoul(argv[7], NULL, 10), items = strtoul(argv[8], NULL, 10);
	f.seats = strtoul(argv[3], NULL, 10);
	f.now_ms = (int64_t)time(NULL) * 1000;
	f.expires_at = f.now_ms + strtol(argv[6], NULL, 10) * 1000;
	f.asked_ms = f.now_ms - (int64_t)questions;
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
	for (unsigned long i = 0; i < questions; i++) {
		fill_question(&f, i);
		fill_stats(&f, i);
		fill_commit(&f);
	}
	if (users > 0) {
		fill_group(&f, users, items);
	}
	fill_wait(&f, 0);
	store_close(f.s);
	arena_finish(&f.arena);
	return 0;
}
