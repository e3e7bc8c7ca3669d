/*
 * errand.h - work in the directory's partitions that somebody waits for; for
 * login.c, and for whatever else comes to live in the directory.
 */
#ifndef SERVER_CORE_ERRAND_H
#define SERVER_CORE_ERRAND_H

#include "server/core/core.h"

enum errand_kind {
	ERRAND_LOGIN_NAME, /* loading USER_NAME */
	ERRAND_LOGIN_USER, /* loading USER */
	ERRAND_LOGIN,      /* committing */
	ERRAND_RESUME,
	ERRAND_RENEW,
	ERRAND_LOGOUT,
	ERRAND_WHOAMI,
	ERRAND_SWEEP
};

/* No connection has this id: nobody waits for the errand's answer. */
#define ERRAND_NOBODY ((struct conn_id){UINT32_MAX, 0})

/* Life: errand_make() or calloc() .. errand_end(), which every answer calls. */
struct errand {
	uint64_t ticket;
	enum errand_kind kind;
	struct conn_id conn; /* who waits for the answer; renew and sweep have nobody */
	uint32_t msgid;
	struct login *login;
	struct key_text token;
	struct key_text old_token; /* hash of the one that is looked up, or replaced */
	unsigned tries;            /* of a login: how often it loaded the name */
	uint64_t name_version;     /* of the USER_NAME item that was loaded; 0: none */
	char public_key[KEY_CHARS + 1]; /* "": a guest */
	int64_t user_created_on;
	struct arena arena; /* of the operations */
	UT_hash_handle hh;
};

/* For a request that will be answered; counts it. NULL when memory is out. */
struct errand *errand_make(const struct request *rq, enum errand_kind kind);
/* Send the effect under a new ticket; false when memory is out. */
bool errand_send(struct server *s, struct errand *er, struct effect *fx);
/* The errand of a ticket, which is used up; NULL where it is none's. */
struct errand *errand_find(struct server *s, uint64_t ticket);
void errand_end(struct server *s, struct errand *er);
/* Answer whoever waits, if anybody does, and end. */
void errand_answer(struct server *s, struct errand *er, const struct record *rec, const void *result);
void errand_refuse(struct server *s, struct errand *er, enum fault_code code, const char *why);
/* UNAVAILABLE: the store said no, or memory is out. */
void errand_fail(struct server *s, struct errand *er);

/* Room for n operations, in the errand's arena; NULL with *ok false when memory is out. */
struct store_op *errand_ops(struct errand *er, size_t n, bool *ok);
/* With ok, commit them under the errand's next ticket; without, or without memory, the errand fails and ends. */
void errand_commit(struct server *s, struct errand *er, const struct store_op *ops, size_t n, bool ok);
/* Load a partition, likewise; false where the errand has ended. */
bool errand_load(struct server *s, struct errand *er, struct slice pk, bool ok);

struct login *login_find(struct server *s, const struct key_text *token_hash);
struct login *login_ref(struct login *l);
/* Of those that stand for one token the one that is shared: the given one, if there was none. */
struct login *login_register(struct server *s, struct login *l);
/* The last who uses it is about to go; see login_life.c. */
void login_left(struct server *s, struct login *l);
/* No new connection finds it any more. */
void login_forget(struct server *s, struct login *l);
void conn_set_login(struct server *s, struct conn *c, struct login *l);

#endif
