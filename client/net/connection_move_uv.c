/*
 * connection_move_uv.c - how a connection goes to the home of a room, one of several nodes.
 *
 *   a request is answered ELSEWHERE --the others are answered--> connecting --hello--> there
 *                                                                 ^      |
 *                                                                 +------+ ELSEWHERE again: after a pause
 */
#include <sodium.h>
#include <stdlib.h>
#include <utlist.h>

#include "client/net/connection_priv_uv.h"
#include "client/net/reply.h"
#include "proto/base/arena.h"
#include "proto/base/format.h"

void connection_take_moving(struct connection *c, struct connection_pending *p)
{
	LL_DELETE(c->moving, p);
	c->moving_n--;
}

void connection_add_moving(struct connection *c, struct connection_pending *p)
{
	LL_APPEND(c->moving, p);
	c->moving_n++;
}

/* Half of the full pause is certain, the other half is drawn, so that a room does not come back in
 * one instant. */
int64_t connection_pause_ms(const struct connection_timing *t, unsigned tries)
{
	uint32_t full_ms = t->retry_first_ms;
	while (tries-- > 0 && full_ms < t->retry_last_ms) {
		full_ms = full_ms < t->retry_last_ms / 2 ? 2 * full_ms : t->retry_last_ms;
	}
	return (int64_t)(full_ms / 2 + randombytes_uniform(full_ms / 2 + 1));
}

void connection_leave(struct connection *c, int64_t pause_ms)
{
	struct connection_pending *p;
	struct connection_pending *next;
	connection_reset(c);
	transport_close(c->transport);
	c->transport = NULL;
	c->is_moving = true;
	HASH_ITER (hh, c->pending, p, next) {
		HASH_DEL(c->pending, p);
		if (p->arg == c) {
			free(p);
		} else {
			connection_add_moving(c, p);
		}
	}
	if (c->on.on_move != NULL) {
		c->on.on_move(c->owner);
	}
	(void)uv_timer_start(&c->timer, connection_on_retry_timer, (uint64_t)pause_ms, 0);
}

void connection_move(struct connection *c)
{
	int64_t pause_ms = c->moves == 0 ? 0 : connection_pause_ms(&c->timing, c->moves - 1);
	if (c->moves++ > CONNECTION_MOVES_MAX) {
		connection_lost(c, "no server has this room at the moment");
		return;
	}
	connection_leave(c, pause_ms);
}

bool connection_gives_home_up(struct connection *c)
{
	if (!c->is_at_home || c->is_greeted) {
		return false;
	}
	c->home.text[0] = '\0';
	connection_leave(c, 0);
	return true;
}

/*
 * Go to this address the next time, where the way there is no less safe than that to the server's
 * own: nothing vouches for a certificate at an address that nobody typed but its pin.
 */
static void connection_take_home(struct connection *c, struct slice text)
{
	char copy[ADDRESS_TEXT_BYTES];
	struct address home;
	struct errmsg why;
	c->home.text[0] = '\0';
	if (c->address.is_unix || c->address.is_ssh || text.len == 0 || text.len >= sizeof(copy)) {
		return;
	}
	(void)format_to(copy, sizeof(copy), "%.*s", (int)text.len, text.data);
	if (address_parse(copy, &home, &why) != OK || home.is_unix || home.is_ssh) {
		return;
	}
	bool is_pinned = home.is_tls && home.fingerprint.text[0] != '\0';
	if (is_pinned || (!c->address.is_tls && !home.is_tls)) {
		c->home = home;
	}
}

void connection_make_moved(struct connection *c)
{
	while (c->moving != NULL) {
		struct connection_pending *p = c->moving;
		connection_take_moving(c, p);
		c->is_used = true;
		connection_write(c, p);
	}
}

bool connection_keep(struct connection *c, struct connection_pending *p,
		     const struct msgpack_object *refusal)
{
	struct arena arena = {0};
	struct fault f;
	if (p->arg == c || c->stays || refusal == NULL) {
		return false;
	}
	rpc_read_fault(refusal, &arena, &f);
	bool is_elsewhere = f.code == FAULT_ELSEWHERE && f.room_id.len > 0;
	if (is_elsewhere) {
		connection_name_room(c, f.room_id);
		connection_take_home(c, f.home);
		c->is_moving = true;
		c->is_of_one = false; /* another one has been started in its place */
		HASH_DEL(c->pending, p);
		connection_add_moving(c, p);
	}
	arena_finish(&arena);
	return is_elsewhere;
}
