/*
 * errand.c - work in the directory's partitions that somebody waits for.
 *
 * The directory is not kept in memory: each errand loads what it depends on,
 * commits, and answers. login.c says what for. Sessions in use are kept here,
 * shared by the connections that use them.
 */
#include "server/core/errand.h"

#include <stdlib.h>

/* ---- sessions in use ---- */

struct login *login_find(struct server *s, const struct key_text *token_hash)
{
	struct login *l = NULL;
	HASH_FIND(hh, s->logins, token_hash->text, KEY_CHARS, l);
	return l;
}

void login_forget(struct server *s, struct login *l)
{
	if (l->hh.tbl != NULL) {
		HASH_DELETE(hh, s->logins, l);
		l->hh.tbl = NULL;
	}
}

struct login *login_ref(struct login *l)
{
	l->refs++;
	return l;
}

void login_unref(struct server *s, struct login *l)
{
	if (l != NULL && l->refs == 1) {
		login_left(s, l);
	}
	if (l != NULL && --l->refs == 0) {
		login_forget(s, l);
		free(l);
	}
}

/* Of those that stand for one token, the one that is in the table. */
struct login *login_register(struct server *s, struct login *l)
{
	struct login *known = login_find(s, &l->token_hash);
	if (known != NULL) {
		return known;
	}
	HASH_ADD_KEYPTR(hh, s->logins, l->token_hash.text, KEY_CHARS, l);
	return l; /* without memory for the table it works all the same, for this connection alone
		   */
}

void conn_set_login(struct server *s, struct conn *c, struct login *l)
{
	struct login *before = c->login;
	c->login = l == NULL ? NULL : login_ref(l);
	login_unref(s, before);
}

/* ---- errands ---- */

void errand_end(struct server *s, struct errand *er)
{
	if (er->hh.tbl != NULL) {
		HASH_DELETE(hh, s->errands, er);
	}
	login_unref(s, er->login);
	arena_finish(&er->arena);
	free(er);
}

struct errand *errand_find(struct server *s, uint64_t ticket)
{
	struct errand *er = NULL;
	HASH_FIND(hh, s->errands, &ticket, sizeof(ticket), er);
	if (er != NULL) {
		HASH_DELETE(hh, s->errands, er);
		er->hh.tbl = NULL;
	}
	return er;
}

/* Send the effect under a new ticket; false when memory is out. */
bool errand_send(struct server *s, struct errand *er, struct effect *fx)
{
	er->ticket = server_ticket(s);
	fx->ticket = er->ticket;
	HASH_ADD(hh, s->errands, ticket, sizeof(er->ticket), er);
	if (er->hh.tbl == NULL) {
		return false;
	}
	if (server_effect(s, fx)) {
		return true;
	}
	HASH_DELETE(hh, s->errands, er);
	er->hh.tbl = NULL;
	return false;
}

struct errand *errand_make(const struct request *rq, enum errand_kind kind)
{
	struct errand *er = calloc(1, sizeof(*er));
	if (er != NULL) {
		er->kind = kind;
		er->conn = rq->conn->id;
		er->msgid = rq->msgid;
		rq->conn->pending++;
	}
	return er;
}

void errand_refuse(struct server *s, struct errand *er, enum fault_code code, const char *why)
{
	struct fault fault = {0};
	struct conn *c = conn_find(s, er->conn);
	fault_set(&fault, code, "%s", why);
	if (c != NULL) {
		conn_answered(s, c);
		conn_refuse(s, c, er->msgid, &fault);
	}
	errand_end(s, er);
}

void errand_fail(struct server *s, struct errand *er)
{
	errand_refuse(s, er, FAULT_UNAVAILABLE,
		      "that could not be done now and was not; try again");
}

void errand_answer(struct server *s, struct errand *er, const struct record *rec,
		   const void *result)
{
	struct conn *c = conn_find(s, er->conn);
	if (c != NULL) {
		conn_answered(s, c);
		conn_result(s, c, er->msgid, rec, result);
	}
	errand_end(s, er);
}

/* ---- what they ask of the store ---- */

struct store_op *errand_ops(struct errand *er, size_t n, bool *ok)
{
	struct store_op *ops = arena_alloc(&er->arena, n * sizeof(*ops));
	*ok = *ok && ops != NULL;
	return ops;
}

void errand_commit(struct server *s, struct errand *er, const struct store_op *ops, size_t n,
		   bool ok)
{
	struct effect fx = {.kind = FX_COMMIT, .ops = ops, .n = n};
	s->counters.commits_total += ok;
	if (!ok || !errand_send(s, er, &fx)) {
		errand_fail(s, er);
	}
}

bool errand_load(struct server *s, struct errand *er, struct slice pk, bool ok)
{
	struct effect fx = {.kind = FX_LOAD, .load = {.pk = pk}};
	if (ok && errand_send(s, er, &fx)) {
		return true;
	}
	errand_fail(s, er);
	return false;
}
