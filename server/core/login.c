/*
 * login.c - sessions: a name for a while, or, with a key, the same user always.
 *
 * Each call is an errand in the directory. Expectations guard the time between
 * its load and its commit: of two who take a name at once one gets it, and a
 * session that was ended is not prolonged.
 *
 *   login   load USER_NAME -> (signed: load USER) -> commit TOKEN, USER_NAME, USER;
 *           where the name has changed meanwhile, from the beginning
 *   resume  load TOKEN
 *   logout  commit: delete both
 *   whoami  query the seats of the user
 *
 * How long a session lives is login_life.c's, its items are login_items.c's.
 */
#include "server/core/login_items.h"

#include <stdlib.h>

#include "proto/assert.h"
#include "proto/format.h"
#include "proto/text.h"

#define WHOAMI_ROOMS 256
#define LOGIN_TRIES  3

static void refuse_memory(struct server *s, const struct request *rq)
{
	struct fault fault = {0};
	fault_set(&fault, FAULT_UNAVAILABLE, "the server is out of memory");
	request_refuse(s, rq, &fault);
}

/* ---- guesses ---- */

/*
 * One answer for every kind of wrong, counted, and after enough of them none but "wait".
 *
 * Its time tells nothing either: a token of whatever form is hashed, and its
 * hash is looked up, before anything else is known of it; a signature is
 * checked against what its sender brought and the connection's nonce, before
 * anything is looked up.
 */
static const char wrong_words[] = "that token or signature is not valid; log in again";

static bool may_try(struct server *s, struct request *rq)
{
	struct fault fault = {0};
	struct conn *c = rq->conn;
	int64_t rate = server_limit(s, LIMIT_LOGIN_MISSES_PER_MINUTE);
	int64_t wait = c->address == NULL ? 0
					  : bucket_wait_ms(&c->address->login_misses,
							   s->now.mono_ms, rate, 60000, rate);
	if (wait > 0) {
		s->counters.rate_limited++;
		fault_set(&fault, FAULT_RATE_LIMITED, "too many wrong tokens or signatures; wait");
		fault.retry_after_ms = wait;
		request_refuse(s, rq, &fault);
	}
	return wait == 0;
}

static void count_wrong(struct server *s, struct conn *c)
{
	s->counters.login_misses++;
	if (c != NULL && c->address != NULL) {
		(void)bucket_take(&c->address->login_misses, s->now.mono_ms,
				  server_limit(s, LIMIT_LOGIN_MISSES_PER_MINUTE), 60000, INT32_MAX);
	}
}

static void refuse_wrong(struct server *s, struct errand *er)
{
	count_wrong(s, conn_find(s, er->conn));
	errand_refuse(s, er, FAULT_UNAUTHENTICATED, wrong_words);
}

/* ---- session.login ---- */

/* The name, clean and folded, into a new login; false with *fault filled. */
static bool login_name(struct login *l, struct slice name, struct fault *fault)
{
	size_t len = 0;
	int32_t bad = 0;
	enum err e = text_clean(name, l->user_name, MAX_NAME_BYTES, &len, &bad);
	if (e == OK && (len == 0 || text_cells(slice_of(l->user_name, len)) > MAX_NAME_CELLS)) {
		e = ERR_TOO_LARGE;
	}
	l->user_name[e == OK ? len : 0] = '\0';
	if (e == OK) {
		e = text_fold(slice_of(l->user_name, len), l->name_key, sizeof(l->name_key) - 1,
			      &len);
		l->name_key[e == OK ? len : 0] = '\0';
	}
	if (e != OK || len == 0) {
		fault_field(fault, "user_name",
			    "must be 1 to %d cells without characters that may not be shown",
			    MAX_NAME_CELLS);
		return false;
	}
	if (text_mixes_scripts(slice_of(l->name_key, len))) {
		fault_field(fault, "user_name",
			    "must not mix Latin letters with Cyrillic or Greek ones");
		return false;
	}
	return true;
}

/* A key has one user, for ever; a guest is a new one each time. */
static void login_identity(struct server *s, struct login *l, struct slice public_key)
{
	unsigned char seed[SEED_BYTES];
	struct random derived;
	if (public_key.len == 0) {
		code_make(&s->random, l->user_id, CODE_CHARS_MAX);
		return;
	}
	derive_bytes(s->config.server_key, "user_id", public_key, seed, sizeof(seed));
	random_seed(&derived, seed);
	code_make(&derived, l->user_id, CODE_CHARS_MAX);
}

static struct login *login_new(struct server *s, const struct login_params *p, struct fault *fault)
{
	struct login *l = calloc(1, sizeof(*l));
	if (l == NULL) {
		fault_set(fault, FAULT_UNAVAILABLE, "the server is out of memory");
		return NULL;
	}
	l->refs = 1;
	l->created_on = s->now.wall_ms;
	l->used_mono = s->now.mono_ms;
	l->expires_at = login_ends_at(s, l);
	l->stored_expires_at = l->expires_at;
	if (!login_name(l, p->user_name, fault)) {
		free(l);
		return NULL;
	}
	login_identity(s, l, p->with_public_key ? p->public_key : (struct slice){0});
	return l;
}

static bool login_is_signed(const struct server *s, const struct request *rq)
{
	const struct login_params *p = &rq->params.SESSION_LOGIN;
	struct key_text nonce = conn_nonce(s, rq->conn);
	char text[LOGIN_TEXT_BYTES_MAX];
	size_t len = login_text(p->user_name, slice_of(nonce.text, KEY_CHARS), text);
	return p->with_signature && p->with_public_key &&
	       signature_is_good(p->public_key, p->signature, slice_of(text, len));
}

static void login_begin(struct server *s, struct errand *er)
{
	bool ok = true;
	er->kind = ERRAND_LOGIN_NAME;
	er->tries++;
	er->old_token = (struct key_text){{0}};
	struct slice pk = login_name_pk(er, er->login, &ok);
	(void)errand_load(s, er, pk, ok);
}

/* A name is held for an hour, and a key's user for ever: one address must not fill the table. */
static struct login *login_admit(struct server *s, struct request *rq, struct fault *fault)
{
	struct conn *c = rq->conn;
	struct bucket *b = c->address == NULL ? NULL : &c->address->logins;
	return address_may(s, c, b, LIMIT_LOGINS_PER_MINUTE, "logins", fault)
		       ? login_new(s, &rq->params.SESSION_LOGIN, fault)
		       : NULL;
}

static void on_login(struct server *s, struct request *rq)
{
	const struct login_params *p = &rq->params.SESSION_LOGIN;
	struct fault fault = {0};
	if (!may_try(s, rq)) {
		return;
	}
	struct login *l = login_admit(s, rq, &fault);
	if (l == NULL) {
		request_refuse(s, rq, &fault);
		return;
	}
	struct errand *er = errand_make(rq, ERRAND_LOGIN_NAME);
	if (er == NULL) {
		login_unref(s, l);
		refuse_memory(s, rq);
		return;
	}
	er->login = l;
	if (p->with_public_key || p->with_signature) {
		if (!login_is_signed(s, rq)) {
			refuse_wrong(s, er);
			return;
		}
		memcpy(er->public_key, p->public_key.data, KEY_CHARS);
	}
	login_begin(s, er);
}

static void login_commit(struct server *s, struct errand *er)
{
	struct login *l = er->login;
	bool ok = true;
	size_t n = 0;
	struct store_op *ops = errand_ops(er, 4, &ok);
	if (!ok) {
		errand_fail(s, er);
		return;
	}
	er->kind = ERRAND_LOGIN;
	er->token = key_make(&s->random);
	l->token_hash =
		key_hash(s->config.server_key, "token", slice_of(er->token.text, KEY_CHARS));
	if (er->old_token.text[0] != '\0') {
		ops[n++] = (struct store_op){.kind = STORE_DELETE,
					     .pk = login_token_pk(er, &er->old_token, &ok),
					     .sk = slice_str(item_rows[ITEM_TOKEN].sk)};
	}
	ops[n++] = login_put_token(s, er, STORE_EXPECT_ABSENT, &ok);
	ops[n] = login_put_name(s, er, &ok);
	ops[n].expect = er->name_version == 0 ? STORE_EXPECT_ABSENT : STORE_EXPECT_VERSION;
	ops[n++].version = er->name_version;
	if (er->public_key[0] != '\0') {
		ops[n++] = login_put_user(s, er, &ok);
	}
	errand_commit(s, er, ops, n, ok);
}

/* By a session that lives, and not of the key that signs. */
static bool name_is_taken(struct server *s, const struct errand *er,
			  const struct user_name_item *item)
{
	bool is_live = login_is_live(s, item->token_hash, item->expires_at);
	return is_live && (er->public_key[0] == '\0' ||
			   !slice_eq(item->user_id, slice_str(er->login->user_id)));
}

static void login_name_loaded(struct server *s, struct errand *er, const struct event *e)
{
	struct user_name_item item;
	enum err r = login_read_one(er, e, ITEM_USER_NAME, &item);
	if (r != OK && r != ERR_NOT_FOUND) {
		errand_fail(s, er);
		return;
	}
	er->name_version = r == OK ? e->items[0].version : 0;
	if (r == OK && name_is_taken(s, er, &item)) {
		errand_refuse(s, er, FAULT_NAME_TAKEN,
			      "somebody else has that name now; take another");
		return;
	}
	/* Also one that is over: were the clock set back, it would have the name again. */
	if (r == OK) {
		memcpy(er->old_token.text, item.token_hash.data, KEY_CHARS);
	}
	if (er->public_key[0] == '\0') {
		login_commit(s, er);
		return;
	}
	bool ok = true;
	er->kind = ERRAND_LOGIN_USER;
	struct slice pk = login_user_pk(er, er->login, &ok);
	(void)errand_load(s, er, pk, ok);
}

static void login_user_loaded(struct server *s, struct errand *er, const struct event *e)
{
	struct user_item item;
	enum err r = login_read_one(er, e, ITEM_USER, &item);
	if (r != OK && r != ERR_NOT_FOUND) {
		errand_fail(s, er);
		return;
	}
	er->user_created_on = r == OK ? item.created_on : 0;
	login_commit(s, er);
}

/* The session that this one replaces ends for everybody who uses it. */
static void end_old_session(struct server *s, const struct key_text *token_hash)
{
	struct login *old = token_hash->text[0] == '\0' ? NULL : login_find(s, token_hash);
	if (old != NULL) {
		old->is_over = true;
		login_forget(s, old);
	}
}

static void login_done(struct server *s, struct errand *er)
{
	struct conn *c = conn_find(s, er->conn);
	er->login->used_mono = s->now.mono_ms; /* its hour begins when it is there */
	struct login_result result = {
		.token = slice_of(er->token.text, KEY_CHARS),
		.user_id = slice_str(er->login->user_id),
		.user_name = slice_str(er->login->user_name),
		.expires_at = login_ends_at(s, er->login),
	};
	end_old_session(s, &er->old_token);
	if (c != NULL) {
		conn_set_login(s, c, login_register(s, er->login));
	}
	errand_answer(s, er, &record_login_result, &result);
}

/* ---- session.resume ---- */

static void on_resume(struct server *s, struct request *rq)
{
	const struct resume_params *p = &rq->params.SESSION_RESUME;
	bool ok = true;
	if (!may_try(s, rq)) {
		return;
	}
	struct errand *er = errand_make(rq, ERRAND_RESUME);
	if (er == NULL) {
		refuse_memory(s, rq);
		return;
	}
	/* Whatever was sent is hashed and looked up: a wrong form takes the time of a wrong token.
	 */
	er->old_token = key_hash(s->config.server_key, "token", p->token);
	struct slice pk = login_token_pk(er, &er->old_token, &ok);
	(void)errand_load(s, er, pk, ok);
}

static struct login *login_from_item(struct server *s, const struct key_text *hash,
				     const struct token_item *item)
{
	struct login *l = login_find(s, hash);
	if (l != NULL) {
		return login_ref(l);
	}
	l = calloc(1, sizeof(*l));
	if (l == NULL) {
		return NULL;
	}
	l->refs = 1;
	l->token_hash = *hash;
	l->created_on = item->created_on;
	l->used_mono = s->now.mono_ms;
	l->expires_at = item->expires_at;
	l->stored_expires_at = item->expires_at;
	(void)format_to(l->user_id, sizeof(l->user_id), "%.*s", (int)item->user_id.len,
			item->user_id.data);
	(void)format_to(l->user_name, sizeof(l->user_name), "%.*s", (int)item->user_name.len,
			item->user_name.data);
	(void)format_to(l->name_key, sizeof(l->name_key), "%.*s", (int)item->name_key.len,
			item->name_key.data);
	return login_register(s, l);
}

static void resume_loaded(struct server *s, struct errand *er, const struct event *e)
{
	struct token_item item;
	struct conn *c = conn_find(s, er->conn);
	enum err r = login_read_one(er, e, ITEM_TOKEN, &item);
	bool is_over = r == OK &&
		       !login_is_live(s, slice_of(er->old_token.text, KEY_CHARS), item.expires_at);
	if (r == ERR_NOT_FOUND || is_over) {
		refuse_wrong(s, er);
		return;
	}
	er->login = r == OK ? login_from_item(s, &er->old_token, &item) : NULL;
	if (er->login == NULL) {
		errand_fail(s, er);
		return;
	}
	if (c != NULL) {
		conn_set_login(s, c, er->login);
		(void)login_of(s, c);
	}
	struct session_result result = {
		.user_id = slice_str(er->login->user_id),
		.user_name = slice_str(er->login->user_name),
		.expires_at = login_ends_at(s, er->login),
	};
	errand_answer(s, er, &record_session_result, &result);
}

/* ---- session.whoami ---- */

static struct login *login_must(struct server *s, struct request *rq)
{
	struct fault fault = {0};
	struct login *l = login_of(s, rq->conn);
	if (l == NULL) {
		fault_set(&fault, FAULT_UNAUTHENTICATED, "nobody is logged in on this connection");
		request_refuse(s, rq, &fault);
	}
	return l;
}
static void on_whoami(struct server *s, struct request *rq)
{
	struct login *l = login_must(s, rq);
	struct errand *er = l == NULL ? NULL : errand_make(rq, ERRAND_WHOAMI);
	if (er == NULL) {
		if (l != NULL) {
			refuse_memory(s, rq);
		}
		return;
	}
	er->login = login_ref(l);
	struct effect fx = {
		.kind = FX_QUERY,
		.query = {.index = INDEX_BY_ACCOUNT,
			  .partition = slice_str(l->user_id),
			  .to = INT64_MAX,
			  .limit = WHOAMI_ROOMS},
	};
	if (!errand_send(s, er, &fx)) {
		errand_fail(s, er);
	}
}

static void whoami_found(struct server *s, struct errand *er, const struct event *e)
{
	struct whoami_result result = {
		.user_id = slice_str(er->login->user_id),
		.user_name = slice_str(er->login->user_name),
		.expires_at = login_ends_at(s, er->login),
	};
	size_t prefix = strlen(item_rows[ITEM_ROOM].pk_prefix);
	result.rooms.items = arena_alloc(&er->arena, (e->n + 1) * sizeof(*result.rooms.items));
	if (e->result != OK || result.rooms.items == NULL) {
		errand_fail(s, er);
		return;
	}
	for (size_t i = 0; i < e->n; i++) {
		if (item_kind_of(e->items[i].pk, e->items[i].sk) == ITEM_SEAT) {
			result.rooms.items[result.rooms.n++] =
				slice_of(e->items[i].pk.data + prefix, e->items[i].pk.len - prefix);
		}
	}
	errand_answer(s, er, &record_whoami_result, &result);
}

/* ---- session.logout ---- */

static void on_logout(struct server *s, struct request *rq)
{
	struct login *l = login_must(s, rq);
	struct errand *er = l == NULL ? NULL : errand_make(rq, ERRAND_LOGOUT);
	bool ok = true;
	if (er == NULL) {
		if (l != NULL) {
			refuse_memory(s, rq);
		}
		return;
	}
	er->login = login_ref(l);
	struct store_op *ops = errand_ops(er, 2, &ok);
	if (ok) {
		login_delete(er, l, ops, &ok);
	}
	errand_commit(s, er, ops, 2, ok);
}

static void logout_done(struct server *s, struct errand *er)
{
	struct conn *c = conn_find(s, er->conn);
	end_old_session(s, &er->login->token_hash);
	if (c != NULL) {
		conn_set_login(s, c, NULL);
	}
	errand_answer(s, er, &record_nothing, &(struct nothing){0});
}

/* ---- news ---- */

void login_call(struct server *s, struct request *rq)
{
	switch (rq->method) {
	case METHOD_SESSION_LOGIN:
		on_login(s, rq);
		break;
	case METHOD_SESSION_RESUME:
		on_resume(s, rq);
		break;
	case METHOD_SESSION_WHOAMI:
		on_whoami(s, rq);
		break;
	default: /* the row of session.logout is the last that acts there */
		on_logout(s, rq);
		break;
	}
}

bool login_loaded(struct server *s, const struct event *e)
{
	struct errand *er = errand_find(s, e->ticket);
	if (er == NULL) {
		return false;
	}
	if (er->kind == ERRAND_LOGIN_NAME) {
		login_name_loaded(s, er, e);
	} else if (er->kind == ERRAND_LOGIN_USER) {
		login_user_loaded(s, er, e);
	} else {
		ASSERT(er->kind == ERRAND_RESUME);
		resume_loaded(s, er, e);
	}
	return true;
}

bool login_found(struct server *s, const struct event *e)
{
	struct errand *er = errand_find(s, e->ticket);
	if (er != NULL) {
		whoami_found(s, er, e);
	}
	return er != NULL;
}

static void login_not_committed(struct server *s, struct errand *er, enum err why)
{
	s->counters.commits_failed += why != ERR_CONFLICT;
	if (er->kind == ERRAND_RENEW) {
		er->login->is_renewing = false;
		if (why == ERR_CONFLICT) { /* gone from the table: logged out elsewhere, or swept */
			end_old_session(s, &er->login->token_hash);
		}
	}
	if (er->kind == ERRAND_LOGIN && why == ERR_CONFLICT && er->tries < LOGIN_TRIES) {
		login_begin(s, er);
	} else if (er->kind == ERRAND_LOGIN && why == ERR_CONFLICT && er->public_key[0] == '\0') {
		errand_refuse(s, er, FAULT_NAME_TAKEN,
			      "somebody else has just taken that name; take another");
	} else if (er->kind == ERRAND_LOGOUT && why == ERR_CONFLICT) {
		logout_done(s, er); /* it has ended already */
	} else {
		errand_fail(s, er);
	}
}

bool login_committed(struct server *s, const struct event *e)
{
	struct errand *er = errand_find(s, e->ticket);
	if (er == NULL) {
		return false;
	}
	if (e->result != OK) {
		login_not_committed(s, er, e->result);
		return true;
	}
	switch (er->kind) {
	case ERRAND_LOGIN:
		login_done(s, er);
		break;
	case ERRAND_LOGOUT:
		logout_done(s, er);
		break;
	case ERRAND_RENEW:
		er->login->is_renewing = false;
		errand_end(s, er);
		break;
	default:
		errand_end(s, er);
		break;
	}
	return true;
}

bool login_is_idle(const struct server *s)
{
	return s->errands == NULL;
}

void login_finish(struct server *s)
{
	while (s->errands != NULL) {
		struct errand *er = s->errands;
		er->conn = ERRAND_NOBODY;
		errand_end(s, er);
	}
}
