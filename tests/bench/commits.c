/*
 * commits.c - see commits.h.
 */
#define _DEFAULT_SOURCE
#include "tests/bench/commits.h"

#include <time.h>

#include "proto/base/format.h"
#include "store/items.h"

#define NOW INT64_C(1700000000000)

static const struct slice expected = SLICE_INIT("USER:expected"),
			  overwritten = SLICE_INIT("USER:overwritten");

double commits_now_s(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void commits_call(struct commits *c, const struct store_op *ops, size_t n,
			 store_commit_cb *cb, void *arg)
{
	struct store_commit commit = {.ops = ops, .n = n, .now_ms = NOW};
	enum err e = store_commit(c->s, &commit, cb, arg);
	c->issued += e == OK;
	c->error = c->error != OK ? c->error : e;
}

static void room_commit(struct commits_room *room);

static void on_commit(void *arg, enum err e, uint64_t version)
{
	struct commits_room *room = arg;
	struct commits *c = room->all;
	(void)version;
	c->answered++;
	c->error = c->error != OK ? c->error : e;
	if (!c->is_over && c->error == OK) {
		room_commit(room);
	}
}

static void room_commit(struct commits_room *room)
{
	const struct store_op ops[] = {{.kind = STORE_CHECK,
					.expect = STORE_EXPECT_VERSION,
					.version = room->version,
					.pk = slice_str(room->pk),
					.sk = expected},
				       {.kind = STORE_PUT,
					.pk = slice_str(room->pk),
					.sk = overwritten,
					.value = buf_slice(&room->all->value)}};
	commits_call(room->all, ops, 2, on_commit, room);
}

static void commits_drain(struct commits *c)
{
	while (store_poll(c->s)) {
		c->wait(c->arg);
	}
}

enum err commits_run(struct commits *c, size_t pending, double seconds)
{
	double end_s = commits_now_s() + seconds;
	c->is_over = false;
	for (size_t i = 0; i < pending; i++) {
		room_commit(&c->rooms[i]);
	}
	while (c->error == OK && commits_now_s() < end_s) {
		if (store_poll(c->s)) {
			c->wait(c->arg);
		}
	}
	c->is_over = true;
	commits_drain(c);
	return c->error;
}

double commits_transactions(const struct commits *c)
{
	struct store_status status;
	uint64_t n = 0;
	store_status(c->s, &status);
	for (size_t i = 0; i <= HISTOGRAM_BOUNDS; i++) {
		n += status.batch.counts[i];
	}
	return (double)n;
}

/* ---- rooms ---- */

static void on_made(void *arg, enum err e, uint64_t version)
{
	struct commits_room *room = arg;
	room->version = version;
	room->all->answered++;
	room->all->error = room->all->error != OK ? room->all->error : e;
}

static void room_make(struct commits_room *room)
{
	struct slice value = buf_slice(&room->all->value);
	const struct store_op ops[] = {
		{.kind = STORE_PUT,
		 .expect = STORE_EXPECT_ABSENT,
		 .pk = slice_str(room->pk),
		 .sk = expected,
		 .value = value},
		{.kind = STORE_PUT, .pk = slice_str(room->pk), .sk = overwritten, .value = value}};
	commits_call(room->all, ops, 2, on_made, room);
}

enum err commits_begin(struct commits *c, struct store *s, void (*wait)(void *arg), void *arg)
{
	const struct seat_item seat = {.created_on = NOW,
				       .updated_on = NOW,
				       .user_id = SLICE("K7QX3MABCD"),
				       .username = SLICE("Katherine"),
				       .with_username = true,
				       .vote = SLICE("13"),
				       .with_vote = true,
				       .role = ROLE_VOTER};
	*c = (struct commits){.s = s, .wait = wait, .arg = arg};
	buf_init(&c->value, 512);
	record_write(&record_seat_item, &seat, &c->value);
	c->error = c->value.error;
	for (unsigned i = 0; i < COMMITS_ROOMS_MAX && c->error == OK; i++) {
		c->rooms[i].all = c;
		format_to(c->rooms[i].pk, sizeof(c->rooms[i].pk), "ROOM:R%05u", i);
		room_make(&c->rooms[i]);
	}
	commits_drain(c);
	return c->error;
}

void commits_end(struct commits *c)
{
	buf_finish(&c->value);
}
