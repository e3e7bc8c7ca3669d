/*
 * net.c - connections that break their streams into pieces, hold them back,
 * stop reading, and end at any byte.
 */
#include "tests/sim/features/feature.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"

struct conn *net_by_id(struct world *w, struct conn_id id)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *c = w->conns[i];
		if (c->id.slot == id.slot && c->id.generation == id.generation && c->server_has) {
			return c;
		}
	}
	return NULL;
}

struct conn *net_by_serial(const struct world *w, uint32_t serial)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		if (w->conns[i]->serial == serial) {
			return w->conns[i];
		}
	}
	return NULL;
}

static uint32_t net_free_slot(const struct world *w)
{
	bool used[SIM_CONNS_MAX + 1] = {false};
	for (size_t i = 0; i < w->conns_n; i++) {
		used[w->conns[i]->id.slot] = true;
	}
	uint32_t slot = 0;
	while (used[slot]) {
		slot++;
	}
	return slot;
}

static void net_temper(struct world *w, struct conn *c)
{
	static const size_t pipes[] = {16, 200, 1500, 8192, 65536, 65536};
	struct dice *d = &w->dice;
	uint32_t pace = dice_below(d, 10);
	c->pace = pace < 6 ? PACE_WHOLE : pace < 9 ? PACE_PIECES : PACE_BYTES;
	c->pipe_bytes = pipes[dice_below(d, 6)];
	c->up_percent = (unsigned)dice_between(d, 20, 100);
	c->down_percent = (unsigned)dice_between(d, 20, 100);
	if (w->o.is_scripted || w->is_calm) {
		c->pace = PACE_WHOLE;
		c->pipe_bytes = 65536;
	}
}

bool net_is_kiosk(const struct world *w, const struct conn *c)
{
	const struct peer *peer = &w->members[c->member].peer;
	return peer->kind == PEER_UNIX && peer->uid == SIM_KIOSK_UID;
}

static void net_peer(struct world *w, int member, struct peer *peer)
{
	struct member *m = &w->members[member];
	if (m->has_peer) {
		*peer = m->peer;
		return;
	}
	uint32_t kind = dice_below(&w->dice, 3);
	*peer = (struct peer){.kind = kind == 0	  ? PEER_UNIX
				      : kind == 1 ? PEER_LOOPBACK
						  : PEER_NETWORK};
	if (peer->kind != PEER_UNIX) {
		peer->address[0] = 0x20;
		peer->address[7] = (unsigned char)dice_below(&w->dice, 20);
	} else {
		peer->uid = 1000 + dice_below(&w->dice, 3);
		peer->is_owner = peer->uid != SIM_KIOSK_UID && dice_percent(&w->dice, 70);
	}
	m->peer = *peer;
	m->has_peer = true;
}

/* People who know no better try any of several, and often they are right. */
static struct sim_node *net_some_node(struct world *w)
{
	if (w->nodes_n == 1) {
		return w->node;
	}
	if (w->rooms_n > 0 && dice_percent(&w->dice, 70)) {
		return cluster_home(w, w->rooms[dice_below(&w->dice, (uint32_t)w->rooms_n)].id);
	}
	return &w->nodes[dice_below(&w->dice, (uint32_t)w->nodes_n)];
}

struct conn *net_open(struct world *w, int member)
{
	return net_open_at(w, member, net_some_node(w));
}

struct conn *net_open_at(struct world *w, int member, struct sim_node *node)
{
	if (w->conns_n == SIM_CONNS_MAX || !node_listens(w, node)) {
		return NULL;
	}
	world_enter(w, node);
	struct conn *c = calloc(1, sizeof(*c));
	ASSERT(c != NULL);
	c->serial = ++w->serials;
	c->member = member;
	c->node = node;
	c->is_without_data = member % 5 == 4;
	c->is_desk =
		!w->o.is_scripted && !w->is_calm && dice_percent(&w->dice, w->is_team ? 70 : 20);
	c->id.slot = net_free_slot(w);
	c->id.generation = ++w->generations[c->id.slot];
	c->next_msgid = dice_below(&w->dice, 3) == 0 ? UINT32_MAX - 3 : dice_below(&w->dice, 1000);
	net_temper(w, c);
	buf_init(&c->up, 1u << 24);
	buf_init(&c->down, 1u << 24);
	buf_init(&c->leaving.bytes, 1u << 24);
	buf_init(&c->heard.bytes, 1u << 24);
	c->opened_mono = w->mono_ms;
	c->server_has = true;
	c->client_has = true;
	w->conns[w->conns_n++] = c;
	trace(w, "%s connects", member_name(w, member));
	struct event e = {.kind = EVENT_OPEN, .conn = c->id};
	net_peer(w, member, &e.peer);
	shell_step(w, &e);
	return c;
}

/* ---- to the server ---- */

/* A seat that its owner is about to change may be another one when the request is carried out. */
static bool net_seat_is_certain(const struct world *w, const struct op *op)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		if (other != op && other->room == op->room && other->member == op->member &&
		    other->is_delivered && !other->is_answered && !other->is_closed &&
		    (other->method == METHOD_ROOM_SUBSCRIBE ||
		     other->method == METHOD_ROOM_DELETE_USER)) {
			return false;
		}
	}
	return true;
}

static void net_name_seat(struct world *w, struct conn *c, struct op *op)
{
	const char *key = op->user_key[0] != '\0' ? op->user_key : c->leaving_key[op->room];
	const struct owner *o = key[0] == '\0' ? NULL : room_owner_of_key(&w->rooms[op->room], key);
	const char *user_id = o == NULL ? "" : o->user_id;
	if (op->user_key[0] != '\0' && strcmp(key, c->leaving_key[op->room]) != 0) {
		c->shows_other_key[op->room] = true;
	}
	if (op->user_key[0] == '\0' && c->shows_other_key[op->room]) {
		user_id = "";
	}
	if (!net_seat_is_certain(w, op)) {
		user_id = "";
	}
	view_text(op->user_id, sizeof(op->user_id), slice_str(user_id));
}

static void net_mark_delivered(struct world *w, struct conn *c)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		if (op->conn != c->serial || op->is_delivered || op->ends_at > c->up_moved) {
			continue;
		}
		op->is_delivered = true;
		op->node = c->node;
		op->delivered_mono = w->mono_ms;
		op->faults_before = w->faults;
		op->conflicts_before = w->conflicts;
		op->order = ++w->delivered;
		if (op->room >= 0) {
			net_name_seat(w, c, op);
			op->from_epoch = w->rooms[op->room].mem->now.epoch;
			op->from_version = w->rooms[op->room].mem->in_memory
						   ? w->rooms[op->room].mem->now.version
						   : -1;
		}
		FEATURES_DO(delivered, w, c, op);
	}
}

/* How much lies with the server that is not the end of a message: it may not lie there for ever. What has come
 * last is len bytes; where a message ended in them, the part is another's. */
static void net_mark_part(struct world *w, struct conn *c, size_t len)
{
	bool is_whole = c->half_bytes == 0 || c->up_queued - c->up_moved >= c->half_bytes;
	bool is_anothers = c->part_mono == 0;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->conn != c->serial) {
			continue;
		}
		is_anothers = is_anothers ||
			      (op->ends_at <= c->up_moved && op->ends_at + len > c->up_moved);
		is_whole = is_whole &&
			   (op->ends_at <= c->up_moved || op->ends_at - c->up_moved >= op->bytes);
	}
	c->part_mono = is_whole ? 0 : is_anothers ? w->mono_ms : c->part_mono;
}

static void net_move_up(struct world *w, struct conn *c, size_t len)
{
	char piece[4096];
	world_enter(w, c->node);
	len = len < sizeof(piece) ? len : sizeof(piece);
	len = len < c->up.len ? len : c->up.len;
	memcpy(piece, c->up.data, len);
	buf_drop(&c->up, len);
	c->up_moved += len;
	net_mark_delivered(w, c);
	net_mark_part(w, c, len);
	struct event e = {.kind = EVENT_BYTES, .conn = c->id, .bytes = slice_of(piece, len)};
	shell_step(w, &e);
}

/* To the end of the first request that is not there yet: so that most steps of the server do one
 * thing. */
static size_t net_next_end(const struct world *w, const struct conn *c)
{
	size_t end = c->up.len;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->conn == c->serial && op->ends_at > c->up_moved &&
		    op->ends_at - c->up_moved < end) {
			end = (size_t)(op->ends_at - c->up_moved);
		}
	}
	return end;
}

void net_deliver_up_to(struct world *w, struct conn *c, size_t bytes)
{
	while (bytes > 0 && c->up.len > 0 && c->server_has && !c->is_paused && !c->is_closing &&
	       node_runs(w, c->node) && !w->is_broken) {
		size_t len = net_next_end(w, c);
		if (c->pace == PACE_PIECES) {
			len = 1 + dice_below(&w->dice, (uint32_t)len);
		} else if (c->pace == PACE_BYTES) {
			len = 1;
		} else if (c->pace == PACE_AT_ONCE || dice_percent(&w->dice, 10)) {
			len = c->up.len;
		}
		len = len < bytes ? len : bytes;
		bytes -= len;
		net_move_up(w, c, len);
	}
}

void net_deliver(struct world *w, struct conn *c)
{
	size_t bytes = c->up.len;
	if (c->pace == PACE_BYTES) {
		bytes = 1 + dice_below(&w->dice, 30);
	} else if (c->pace == PACE_PIECES) {
		bytes = 1 + dice_below(&w->dice, (uint32_t)bytes);
	}
	net_deliver_up_to(w, c, bytes);
}

/* ---- from the server ---- */

/* Take what the way to the client has room for; true where it took all. */
static bool net_take(struct world *w, struct conn *c, const struct slice *pieces, size_t n,
		     size_t *taken)
{
	size_t room = c->down.len < c->pipe_bytes ? c->pipe_bytes - c->down.len : 0;
	*taken = 0;
	for (size_t i = 0; i < n; i++) {
		size_t len = pieces[i].len < room ? pieces[i].len : room;
		if (c->client_has) {
			buf_append(&c->down, pieces[i].data, len);
		}
		oracle_leaves(w, c, pieces[i].data, len);
		room -= len;
		*taken += len;
		if (len < pieces[i].len) {
			return false;
		}
	}
	return true;
}

void net_write(struct world *w, struct conn *c)
{
	struct slice pieces[8];
	bool blocked = false;
	while (!blocked && !w->is_broken) {
		size_t max = 1 + dice_below(&w->dice, 8);
		size_t n = server_gather(w->node->server, c->id, pieces, max);
		size_t taken;
		if (n == 0) {
			break;
		}
		blocked = !net_take(w, c, pieces, n, &taken);
		if (taken > 0 || !blocked) {
			c->full_mono = 0;
		}
		server_wrote(w->node->server, c->id, taken, blocked, w->mono_ms);
	}
	if (blocked && c->full_mono == 0) {
		c->full_mono = w->mono_ms;
	}
	c->is_blocked = blocked;
}

void net_close_by_server(struct world *w, struct conn *c)
{
	oracle_closed(w, c);
	struct slice pieces[8];
	size_t taken;
	bool took_all = !c->is_blocked;
	while (took_all && !w->is_broken) {
		size_t n = server_gather(w->node->server, c->id, pieces, 8);
		if (n == 0) {
			break;
		}
		took_all = net_take(w, c, pieces, n, &taken);
		server_wrote(w->node->server, c->id, taken, !took_all, w->mono_ms);
	}
	c->is_closing = true;
	trace(w, "the server closes %s", member_at(w, c));
}

void net_receive(struct world *w, struct conn *c, size_t bytes)
{
	bytes = bytes < c->down.len ? bytes : c->down.len;
	if (!c->client_has) {
		return;
	}
	world_enter(w, c->node);
	if (bytes > 0) {
		member_hears(w, c, slice_of(c->down.data, bytes));
		buf_drop(&c->down, bytes);
	}
	if (c->is_blocked && c->server_has && c->down.len < c->pipe_bytes &&
	    node_runs(w, c->node)) {
		c->is_blocked = false;
		server_writable(w->node->server, c->id);
	}
	if (!c->server_has && c->down.len == 0 && c->client_has) {
		c->client_has = false;
		member_loses(w, c);
	}
}

/* ---- ends ---- */

static void net_tell_closed(struct world *w, struct conn *c)
{
	struct event e = {.kind = EVENT_CLOSED, .conn = c->id};
	world_enter(w, c->node);
	c->server_has = false;
	shell_step(w, &e);
	/* Late news of a connection that is gone must mean nothing. */
	if (!w->o.is_scripted && dice_percent(&w->dice, 5)) {
		struct event late = {.kind = EVENT_BYTES,
				     .conn = c->id,
				     .bytes = SLICE("\x94\x00\x01")};
		shell_step(w, &late);
		server_writable(w->node->server, c->id);
	}
}

static void net_close_ops(struct world *w, struct conn *c)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		if (op->conn == c->serial && !op->is_dead) {
			op->is_dead = true;
			op->dead_mono = w->mono_ms;
			op->is_closed = op->is_closed || !op->is_delivered;
		}
	}
}

void net_cut(struct world *w, struct conn *c)
{
	trace(w, "%s loses its connection", member_at(w, c));
	w->figures.cuts++;
	c->client_has = false;
	member_loses(w, c);
	buf_clear(&c->up);
	if (c->server_has && !c->is_closing) {
		/* The client has gone, but the server need not hear of it in the same moment. */
		c->is_closing =
			(dice_percent(&w->dice, 40) && !w->o.is_scripted) || !node_runs(w, c->node);
		if (!c->is_closing) {
			net_close_ops(w, c);
			net_tell_closed(w, c);
		}
	}
}

void net_crash(struct world *w)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *c = w->conns[i];
		if (c->server_has && c->node == w->node) {
			c->server_has = false;
			net_close_ops(w, c);
			buf_clear(&c->up);
		}
	}
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		op->is_closed = op->is_closed || (op->is_dead && op->node == w->node);
	}
}

static void net_destroy(struct world *w, struct conn *c)
{
	(void)w;
	for (size_t i = 0; i < SIM_ROOMS_MAX; i++) {
		free(c->subs[i]);
	}
	buf_finish(&c->up);
	buf_finish(&c->down);
	buf_finish(&c->leaving.bytes);
	buf_finish(&c->heard.bytes);
	free(c);
}

/* Of all nodes, in the turn of one: that goes on. */
void net_sweep(struct world *w)
{
	struct sim_node *node = w->node;
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		struct conn *c = w->conns[i];
		if (c->is_closing && c->server_has && node_runs(w, c->node)) {
			net_close_ops(w, c);
			net_tell_closed(w, c);
		}
	}
	world_enter(w, node);
	for (size_t i = w->conns_n; i-- > 0;) {
		struct conn *c = w->conns[i];
		if (!c->server_has && !c->client_has) {
			w->conns[i] = w->conns[--w->conns_n];
			net_destroy(w, c);
		}
	}
}

void net_destroy_all(struct world *w)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		net_destroy(w, w->conns[i]);
	}
	w->conns_n = 0;
}
