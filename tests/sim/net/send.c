/*
 * send.c - requests on their way out, and the note the oracle keeps of each.
 */
#include "tests/sim/net/send.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"

static struct op *send_note(struct world *w, const struct op *about)
{
	if (w->ops_n == w->ops_capacity) {
		w->ops_capacity = w->ops_capacity == 0 ? 256 : 2 * w->ops_capacity;
		w->ops = realloc(w->ops, w->ops_capacity * sizeof(*w->ops));
		ASSERT(w->ops != NULL);
	}
	struct op *op = &w->ops[w->ops_n++];
	*op = *about;
	buf_init(&op->sent, 1u << 17);
	return op;
}

/* A connection speaks for one seat of a room: the one it was given, or else the one its owner has
 * the key of. */
void send_identity(struct world *w, struct conn *c, int room)
{
	const struct member_room *mine = &w->members[c->member].rooms[room];
	/* That of its login has another. */
	if (c->my_key[room][0] == '\0' && !c->is_desk) {
		memcpy(c->my_key[room], mine->user_key, sizeof(c->my_key[room]));
		memcpy(c->my_id[room], mine->user_id, sizeof(c->my_id[room]));
	}
}

/*
 * Mostly the next number. Now and then one that is in use: both requests are
 * answered then, and only a client that is careless enough cannot tell which
 * is which; so only with requests that change nothing for the client itself.
 */
static uint32_t send_msgid(struct world *w, struct conn *c, struct op *op)
{
	struct op *other = w->ops_n < 2 ? NULL : op - 1;
	if (!w->o.is_scripted && op->method == METHOD_ROOM_VOTE && dice_percent(&w->dice, 2) &&
	    other->conn == c->serial && other->method == METHOD_ROOM_VOTE &&
	    other->room == op->room && !other->is_heard) {
		other->is_shadowed = true;
		op->is_shadowed = true;
		return other->msgid;
	}
	return c->next_msgid++;
}

/* Whose request it is, and what the connection had shown when it was sent. */
static void send_sign(struct world *w, struct conn *c, struct op *op, enum method method, int room)
{
	op->method = method;
	op->room = room;
	op->conn = c->serial;
	op->member = c->member;
	op->msgid = send_msgid(w, c, op);
	if (sessions_begins(method) || method == METHOD_SESSION_RESUME) {
		w->members[c->member].has_signed_in = true;
	}
	if (room >= 0) {
		send_identity(w, c, room);
		/* The login that asks for a seat may be another than the last. */
		if (!c->is_desk || method != METHOD_ROOM_SUBSCRIBE) {
			memcpy(op->user_id, c->my_id[room], sizeof(op->user_id));
		}
		if (op->shows_user_key) {
			memcpy(op->user_key, c->my_key[room], sizeof(op->user_key));
		}
		op->host_key_was_shown = c->host_key_shown[room];
		c->host_key_shown[room] = c->host_key_shown[room] || op->shows_host_key;
	}
}

static void send_queue(struct world *w, struct conn *c, struct op *op, struct slice params)
{
	size_t before = c->up.len;
	struct slice name = op->method == METHOD_COUNT ? SLICE("room.explode")
						       : slice_str(method_rows[op->method].name);
	rpc_write_request_raw(&c->up, op->msgid, name, params);
	ASSERT_CMP(c->up.error, ==, OK);
	op->bytes = c->up.len - before;
	c->up_queued += op->bytes;
	op->ends_at = c->up_queued;
	w->figures.requests++;
	print_request(w, c, op);
}

struct op *send_op(struct world *w, struct conn *c, enum method method, int room,
		   const void *params, const struct op *about)
{
	struct op *op = send_note(w, about);
	send_sign(w, c, op, method, room);
	struct buf *b = &w->scratch;
	buf_clear(b);
	record_write(method_rows[method].params, params, b);
	ASSERT_CMP(b->error, ==, OK);
	if (op->once[0] != '\0') {
		buf_append_slice(&op->sent, buf_slice(b));
	}
	send_queue(w, c, op, buf_slice(b));
	return op;
}

struct op *send_raw(struct world *w, struct conn *c, enum method method, int room,
		    struct slice params, enum fault_code expect)
{
	struct op about = {.expect = expect};
	struct op *op = send_note(w, &about);
	send_sign(w, c, op, method, room);
	send_queue(w, c, op, params);
	return op;
}

void send_again(struct world *w, struct conn *c, size_t index)
{
	struct op about = w->ops[index];
	struct op *op = send_note(w, &about);
	op->is_delivered = op->is_answered = op->is_ok = op->is_dead = op->is_closed =
		op->is_heard = op->is_made = false;
	op->is_shadowed = false;
	op->is_again = true;
	buf_append_slice(&op->sent, buf_slice(&about.sent));
	send_sign(w, c, op, about.method, about.room);
	send_queue(w, c, op, buf_slice(&op->sent));
	w->figures.repeats++;
}

void send_bytes(struct world *w, struct conn *c, struct slice bytes)
{
	(void)w;
	buf_append_slice(&c->up, bytes);
	c->up_queued += bytes.len;
}

/* ---- one for each kind of params ---- */

/* Half the time the key is shown again although the connection has shown it: both ways must do. */
bool send_shows_key(struct world *w, struct conn *c, int room, struct slice *key)
{
	send_identity(w, c, room);
	const char *mine = c->my_key[room];
	bool shows = mine[0] != '\0' && (!c->user_key_shown[room] || dice_percent(&w->dice, 50));
	*key = slice_str(shows ? mine : "");
	return shows;
}

void send_hello(struct world *w, struct conn *c)
{
	struct hello_params p = {.protocol = PROTOCOL_VERSION, .client = SLICE("sim 1")};
	struct op about = {0};
	c->said_hello = true;
	send_op(w, c, METHOD_SESSION_HELLO, -1, &p, &about);
}

void send_plain(struct world *w, struct conn *c, enum method method, int room)
{
	struct op about = {0};
	struct room_params p = {0};
	ASSERT_CMP(method_rows[method].params->size, <=, sizeof(p));
	if (room >= 0) {
		SEND_ROOM_ID(p, w, room);
	}
	send_op(w, c, method, room, &p, &about);
}

void send_target(struct world *w, struct conn *c, enum method method, int room, const char *user_id,
		 bool with_key, const char *once)
{
	struct room_user_params p = {.user_id = slice_str(user_id)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.target, sizeof(about.target), p.user_id);
	send_op(w, c, method, room, &p, &about);
}

void send_member(struct world *w, struct conn *c, enum method method, int room, bool with_key,
		 const char *once)
{
	struct room_member_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, method, room, &p, &about);
}
