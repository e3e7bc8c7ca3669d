/*
 * user_conns.c - see conn.h.
 */

#include "server/core/conns/conn.h"

#include <stdlib.h>

#include <utlist.h>

#include "server/core/conns/send_queue.h"
#include "server/core/server_priv.h"
#include "server/core/txn/session_cache.h"

static struct user_conns *user_conns_find(const struct server *s, struct slice user_id)
{
	struct user_conns *u = NULL;
	HASH_FIND(hh, s->user_conns, user_id.data, user_id.len, u);
	return u;
}

bool user_conns_join(struct server *s, struct conn *c, struct slice user_id)
{
	struct user_conns *u = user_conns_find(s, user_id);
	if (u != NULL && c->user == u) {
		return true;
	}
	if (u == NULL) {
		u = calloc(1, sizeof(*u) + user_id.len);
		if (u == NULL) {
			return false;
		}
		u->len = user_id.len;
		memcpy(u->user_id, user_id.data, user_id.len);
		HASH_ADD(hh, s->user_conns, user_id, (unsigned)u->len, u);
		if (u->hh.tbl == NULL) {
			free(u);
			return false;
		}
	}
	user_conns_leave(s, c);
	c->user = u;
	DL_APPEND2(u->conns, c, user_prev, user_next);
	return true;
}

void user_conns_leave(struct server *s, struct conn *c)
{
	struct user_conns *u = c->user;
	if (u == NULL) {
		return;
	}
	c->user = NULL;
	DL_DELETE2(u->conns, c, user_prev, user_next);
	if (u->conns == NULL) {
		HASH_DELETE(hh, s->user_conns, u);
		free(u);
	}
}

/* Its session may have ended by time, or be over on all connections, since it joined. */
static bool user_has(const struct server *s, const struct conn *c)
{
	return conn_has_user(s, c) && !c->is_closing;
}

bool user_is_connected(const struct server *s, struct slice user_id)
{
	const struct user_conns *u = user_conns_find(s, user_id);
	const struct conn *c = NULL;
	DL_FOREACH2(u == NULL ? NULL : u->conns, c, user_next)
	{
		if (user_has(s, c)) {
			break;
		}
	}
	return c != NULL;
}

void user_notify(struct server *s, struct slice user_id, struct slice notification)
{
	const struct user_conns *u = user_conns_find(s, user_id);
	struct conn *c;
	DL_FOREACH2(u == NULL ? NULL : u->conns, c, user_next)
	{
		if (user_has(s, c) && send_queue_len(c) < MAX_OUT_BYTES) {
			conn_send(s, c, notification);
		}
	}
}

void user_conns_resume(struct server *s, struct slice user_id)
{
	const struct user_conns *u = user_conns_find(s, user_id);
	struct conn *c;
	DL_FOREACH2(u == NULL ? NULL : u->conns, c, user_next)
	{
		conn_resume_soon(s, c);
	}
}
