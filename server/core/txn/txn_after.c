/*
 * txn_after.c - what a transaction causes when it is durable, beside what its topics are sent:
 * notifications to users and tasks of rooms, which are news (news.h); runs of the command for notices, and
 * transactions that follow it, which are this server's.
 */
#include "server/core/txn/txn_priv.h"

#include "proto/json.h"
#include "server/core/cluster/cluster.h"
#include "server/core/command.h"
#include "server/core/conns/conn.h"
#include "server/core/directory_rooms.h"
#include "server/core/txn/txn.h"

/* A transaction that follows. */
struct follower {
	struct slice line;
	txn_handler *run;
	struct slice key;
	struct follower *next;
};

/* A run of the command. */
struct run_later {
	struct slice input;
	txn_handler *then;
	struct slice key;
	struct run_later *next;
};

bool txn_user_is_connected(const struct txn *t, struct slice user_id)
{
	return user_is_connected(transaction_of(t)->server, user_id);
}

bool txn_has_others(const struct txn *t)
{
	return cluster_has_others(transaction_of(t)->server);
}

int64_t txn_seen_from(const struct txn *t)
{
	return t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS] -
	       session_seen_within_ms(transaction_of(t)->server);
}

bool txn_user_is_watched(const struct txn *t, struct slice user_id)
{
	return user_is_watched(transaction_of(t)->server, user_id);
}

size_t txn_room_users(const struct txn *t, struct slice room_id)
{
	return room_users_now(transaction_of(t)->server, room_id);
}

void txn_notify(struct txn *t, struct slice user_id, enum notice notice, const void *record)
{
	struct transaction *ta = transaction_of(t);
	struct notification *n = arena_alloc(&ta->made, sizeof(*n));
	struct buf b = {.max = MAX_FRAME_BYTES};
	bool ok = true;
	record_write(notice_rows[notice].record, record, &b);
	if (n != NULL && b.error == OK) {
		*n = (struct notification){.user_id = arena_copy(&ta->made, user_id, &ok),
					   .notice = notice,
					   .params = arena_copy(&ta->made, buf_slice(&b), &ok)};
		LL_APPEND(ta->news.notifications, n);
	}
	if (n == NULL || b.error != OK || !ok) {
		txn_lacks_memory(ta);
	}
	buf_finish(&b);
}

void txn_then(struct txn *t, struct slice line, txn_handler *run, struct slice key)
{
	struct transaction *ta = transaction_of(t);
	struct follower *f = arena_alloc(&ta->made, sizeof(*f));
	if (f == NULL) {
		txn_lacks_memory(ta);
		return;
	}
	*f = (struct follower){.line = line, .run = run, .key = txn_copy(t, key)};
	LL_APPEND(ta->followers, f);
}

void txn_then_everywhere(struct txn *t, struct slice line, txn_handler *run, struct slice key)
{
	struct transaction *ta = transaction_of(t);
	if (ta->server->cluster == NULL) {
		txn_then(t, line, run, key);
		return;
	}
	struct look *l = arena_alloc(&ta->made, sizeof(*l));
	if (l == NULL) {
		txn_lacks_memory(ta);
		return;
	}
	*l = (struct look){.run = run, .key = txn_copy(t, key)};
	LL_APPEND(ta->news.looks, l);
}

void txn_then_room(struct txn *t, struct slice room_id, room_task_handler *run, struct slice key)
{
	struct transaction *ta = transaction_of(t);
	struct errand *e = arena_alloc(&ta->made, sizeof(*e));
	if (e == NULL) {
		txn_lacks_memory(ta);
		return;
	}
	*e = (struct errand){.room_id = txn_copy(t, room_id), .run = run, .key = txn_copy(t, key)};
	LL_APPEND(ta->news.errands, e);
}

void txn_run_command(struct txn *t, const struct record *rec, const void *input, txn_handler *then,
		     struct slice key)
{
	struct transaction *ta = transaction_of(t);
	struct run_later *r = arena_alloc(&ta->made, sizeof(*r));
	struct buf bytes = {.max = MAX_FRAME_BYTES};
	struct buf line = {.max = MAX_FRAME_BYTES};
	bool ok = r != NULL;
	record_write(rec, input, &bytes);
	ok = ok && bytes.error == OK && json_from_bytes(buf_slice(&bytes), &line) == OK &&
	     buf_append(&line, "\n", 1) == OK;
	if (ok) {
		*r = (struct run_later){.input = arena_copy(&ta->made, buf_slice(&line), &ok),
					.then = then,
					.key = arena_copy(&ta->made, key, &ok)};
		LL_APPEND(ta->runs_later, r);
	}
	if (!ok) {
		txn_lacks_memory(ta);
	}
	buf_finish(&bytes);
	buf_finish(&line);
}

void txn_do_after(struct server *s, const struct transaction *ta)
{
	const struct run_later *r;
	const struct follower *f;
	LL_FOREACH (ta->followers, f) {
		txn_begin(s, f->line, f->run, &(struct txn_next){.key = f->key});
	}
	LL_FOREACH (ta->runs_later, r) {
		command_run(s, r->input, r->then, r->key);
	}
}
