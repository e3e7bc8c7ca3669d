/*
 * login_life.c - how long a session lives: an hour from the last call of any
 * connection that has it.
 *
 *   renew   commit TOKEN, USER_NAME, at most once a minute while it is used
 *   end     delete both of a session that was idle for an hour, where the
 *           table would have it live on
 *   sweep   delete what expired, if it is still as it was found
 *
 * A session that is in use here lives by its struct login and the monotonic
 * clock: no change of the wall clock ends it. The table has wall time, and may
 * be behind by as long as a write-back takes to be due.
 */
#include "server/core/login_items.h"

#include <stdlib.h>

#define RENEW_EVERY_MS 60000

int64_t login_ends_at(const struct server *s, const struct login *l)
{
	int64_t idle_ms = s->now.mono_ms - l->used_mono;
	return s->now.wall_ms + server_limit(s, LIMIT_SESSION_LIFE_MS) - idle_ms;
}

static bool login_is_over(const struct server *s, const struct login *l)
{
	return l->is_over || login_ends_at(s, l) <= s->now.wall_ms;
}

bool login_is_live(struct server *s, struct slice token_hash, int64_t expires_at)
{
	struct key_text hash = {{0}};
	memcpy(hash.text, token_hash.data, token_hash.len == KEY_CHARS ? KEY_CHARS : 0);
	const struct login *l = login_find(s, &hash);
	return l != NULL ? !login_is_over(s, l) : expires_at > s->now.wall_ms;
}

/* Both items live as long; a session that somebody ended meanwhile is not there to be prolonged. */
static void login_renew(struct server *s, struct login *l)
{
	bool ok = true;
	struct errand *er = calloc(1, sizeof(*er));
	struct store_op *ops = er == NULL ? NULL : errand_ops(er, 2, &ok);
	if (ops == NULL) {
		free(er);
		return; /* the next call tries again */
	}
	er->kind = ERRAND_RENEW;
	er->conn = ERRAND_NOBODY;
	er->login = login_ref(l);
	l->is_renewing = true;
	l->stored_expires_at = l->expires_at;
	ops[0] = login_put_token(s, er, STORE_EXPECT_PRESENT, &ok);
	ops[1] = login_put_name(s, er, &ok);
	ops[1].expect = STORE_EXPECT_PRESENT;
	errand_commit(s, er, ops, 2, ok);
}

/* Seldom enough to cost nothing, often enough for lives shorter than usual. */
static int64_t renew_every_ms(const struct server *s)
{
	int64_t part = server_limit(s, LIMIT_SESSION_LIFE_MS) / 60;
	return part < RENEW_EVERY_MS ? part : RENEW_EVERY_MS;
}

/* What the table has not is written when it is as much as a minute. A clock that was set back leaves expires_at as it
 * is: set right again, the session has lost nothing. */
static void login_keep_alive(struct server *s, struct login *l)
{
	int64_t ends_at = login_ends_at(s, l);
	l->expires_at = ends_at > l->expires_at ? ends_at : l->expires_at;
	if (!l->is_renewing && !s->is_stopping &&
	    l->expires_at - l->stored_expires_at >= renew_every_ms(s)) {
		login_renew(s, l);
	}
}

struct login *login_of(struct server *s, struct conn *c)
{
	struct login *l = c->login;
	if (l == NULL) {
		return NULL;
	}
	if (login_is_over(s, l)) {
		conn_set_login(s, c, NULL);
		return NULL;
	}
	l->used_mono = s->now.mono_ms;
	login_keep_alive(s, l);
	return l;
}

/*
 * Nobody uses it any more. One that was idle for an hour and that the table,
 * after a clock that was set back, would have live on, ends there, too.
 */
void login_left(struct server *s, struct login *l)
{
	bool ok = true;
	bool is_stored = l->hh.tbl != NULL; /* else it never came to be, or was replaced */
	if (!is_stored || l->is_over || !login_is_over(s, l) || l->expires_at <= s->now.wall_ms) {
		return;
	}
	struct errand *er = calloc(1, sizeof(*er));
	struct store_op *ops = er == NULL ? NULL : errand_ops(er, 2, &ok);
	if (ops == NULL) {
		free(er);
		return;
	}
	l->is_over = true;
	er->kind = ERRAND_SWEEP;
	er->conn = ERRAND_NOBODY;
	er->login = login_ref(l);
	login_delete(er, l, ops, &ok);
	errand_commit(s, er, ops, 2, ok);
}

/* ---- sweep ---- */

/* The token's hash in an item of a session; empty where it cannot be read. */
static struct key_text hash_of_item(const struct store_item *item)
{
	struct key_text hash = {{0}};
	struct arena arena = {0};
	struct user_name_item name;
	struct fault fault;
	size_t prefix = strlen(item_rows[ITEM_TOKEN].pk_prefix);
	struct slice text = {0};
	if (item_kind_of(item->pk, item->sk) == ITEM_TOKEN) {
		text = slice_of(item->pk.data + prefix, item->pk.len - prefix);
	} else if (record_from_bytes(&record_user_name_item, item->value, RECORD_LENIENT, &arena,
				     &name, &fault) == OK) {
		text = name.token_hash;
	}
	if (text.len == KEY_CHARS) {
		memcpy(hash.text, text.data, KEY_CHARS);
	}
	arena_finish(&arena);
	return hash;
}

void login_sweep(struct server *s, const struct store_item *item)
{
	bool ok = true;
	size_t n = 0;
	struct key_text hash = hash_of_item(item);
	bool has_hash = hash.text[0] != '\0';
	struct login *used = has_hash ? login_find(s, &hash) : NULL;
	if (used != NULL && !login_is_over(s, used)) {
		login_keep_alive(s, used);
		return;
	}
	struct errand *er = calloc(1, sizeof(*er));
	struct store_op *ops = er == NULL ? NULL : errand_ops(er, 2, &ok);
	if (ops == NULL) {
		free(er);
		return;
	}
	er->kind = ERRAND_SWEEP;
	er->conn = ERRAND_NOBODY;
	ops[n++] = (struct store_op){
		.kind = STORE_DELETE,
		.expect = STORE_EXPECT_VERSION,
		.version = item->version,
		.pk = arena_copy(&er->arena, item->pk, &ok),
		.sk = arena_copy(&er->arena, item->sk, &ok),
	};
	/* A name never goes before its session: with the clock set back, two would have it. */
	if (has_hash && item_kind_of(item->pk, item->sk) == ITEM_USER_NAME) {
		ops[n++] = (struct store_op){.kind = STORE_DELETE,
					     .pk = login_token_pk(er, &hash, &ok),
					     .sk = slice_str(item_rows[ITEM_TOKEN].sk)};
	}
	errand_commit(s, er, ops, n, ok);
}
