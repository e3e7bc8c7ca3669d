/*
 * forward.c - see forward.h.
 */
#include "server/core/conns/forward.h"

#include <string.h>

#include "server/core/cluster/cluster.h"
#include "server/core/cluster/preface.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/request.h"
#include "server/core/server_priv.h"

#define FORWARD_UNREACHED "the server that has this room cannot be reached now; try again"

bool forward_begin(struct server *s, const struct request *rq, const char *room_id)
{
	struct conn *c = rq->conn;
	const struct cluster_node *home = room_bucket_home(s, room_id);
	if (c->is_greeted || c->is_forwarded || c->is_eof || home == NULL ||
	    home->address[0] == '\0' || home->preface_version != NODE_PREFACE_VERSION) {
		return false;
	}
	c->is_away = true;
	c->away_msgid = rq->msgid;
	c->away_at = home->number;
	s->counters.forwards_total++;
	s->counters.forwards_now++;
	return true;
}

static struct peer forward_peer(const struct server *s, const struct conn *c)
{
	struct peer peer = {
		.kind = (enum peer_kind)c->peer_kind,
		.is_kiosk = conn_is_kiosk(s, c),
		.uid = c->uid,
	};
	const struct address *a = conn_address(c);
	if (a != NULL) {
		memcpy(peer.address, a->key.bytes, sizeof(peer.address));
	}
	return peer;
}

void forward_send(struct server *s, struct conn *c, struct slice unread)
{
	const struct cluster_node *home = membership_node(&s->cluster->members, c->away_at);
	struct buf preface = {.max = PREFACE_BYTES_MAX};
	struct peer peer = forward_peer(s, c);
	preface_write(&peer, &preface);
	char *bytes =
		preface.error != OK ? NULL : arena_alloc(&s->scratch, preface.len + unread.len);
	struct effect fx = {.kind = FX_FORWARD, .conn = c->id, .ticket = c->away_msgid};
	if (bytes != NULL) {
		memcpy(bytes, preface.data, preface.len);
		memcpy(bytes + preface.len, unread.data, unread.len);
		fx.input = slice_of(bytes, preface.len + unread.len);
		fx.address = slice_str(home->address);
	}
	buf_finish(&preface);
	if (bytes == NULL || !server_effect(s, &fx)) {
		conn_lose(s, c);
		return;
	}
	if (c->is_paused && !server_effect(s, &(struct effect){.kind = FX_RESUME, .conn = c->id})) {
		conn_lose(s, c);
		return;
	}
	c->is_paused = false;
	timers_cancel(&s->timers, &c->timer);
}

void forward_failed(struct server *s, struct conn *c, const struct event *e)
{
	struct fault fault = {0};
	if (!c->is_away || c->is_closing) {
		return;
	}
	c->is_away = false;
	c->opened_mono = s->now.mono_ms;
	s->counters.forwards_now--;
	s->counters.forwards_failed++;
	fault_set(&fault, FAULT_UNAVAILABLE, FORWARD_UNREACHED);
	conn_refuse(s, c, METHOD_SESSION_HELLO, (uint32_t)e->ticket, &fault);
	conn_end(s, c, FORWARD_UNREACHED);
}

void forward_look(struct server *s)
{
	for (size_t i = 0; i < s->conns_capacity; i++) {
		struct conn *c = s->conns[i];
		if (c != NULL && c->is_away &&
		    membership_node(&s->cluster->members, c->away_at) == NULL) {
			conn_lose(s, c);
		}
	}
}
