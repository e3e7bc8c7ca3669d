/*
 * countdown.c - see countdown.h.
 */
#include "tests/support/countdown.h"

#include <string.h>

#include "proto/base/format.h"
#include "tests/support/test.h"

void countdown_come(struct countdown *c, const struct net_server *s)
{
	char params[160];
	bool is_new = c->user_key[0] == '\0';
	if (is_new) {
		net_peer_open(&c->peer, net_connect(s));
		net_hello(&c->peer);
		net_field(net_must(&c->peer, "room.create", "{}"), "room_id", c->room_id,
			  sizeof(c->room_id));
	} else {
		net_open_for(&c->peer, s->socket, c->room_id);
	}
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"%s%s%s}", c->room_id,
			is_new ? "" : ",\"user_key\":\"", c->user_key, is_new ? "" : "\"");
	const char *json = net_must(&c->peer, "room.subscribe", params);
	if (is_new) {
		net_field(json, "user_key", c->user_key, sizeof(c->user_key));
		(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"username\":\"Ada\"}",
				c->room_id);
		(void)net_must(&c->peer, "room.join", params);
	}
}

void countdown_go(struct countdown *c)
{
	net_peer_close(&c->peer);
}

static void countdown_must(struct countdown *c, const char *method, const char *more)
{
	char params[160];
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"%s}", c->room_id, more);
	(void)net_must(&c->peer, method, params);
}

void countdown_begin(struct countdown *c)
{
	countdown_must(c, "room.reset", "");
	countdown_must(c, "room.vote", ",\"vote\":\"5\"");
	countdown_must(c, "timer.start", ",\"seconds\":1,\"reveal_at_zero\":true");
}

void countdown_end(struct countdown *c)
{
	const char *json;
	char params[96];
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"}", c->room_id);
	(void)net_request(&c->peer, "room.get", params);
	do {
		json = net_message(&c->peer);
		assert_non_null(json);
	} while (strstr(json, "\"is_revealed\":true") == NULL);
}
