/*
 * member.c - what a client makes of the bytes it gets: it knows no more than
 * that, and nothing of the server's.
 */
#include "tests/sim/features/feature.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"

static const char *const member_names[] = {"ada",    "grace",	  "linus",  "barbara",
					   "edsger", "katherine", "donald", "radia"};
#define MEMBER_NAMES (sizeof(member_names) / sizeof(member_names[0]))

const char *member_name(const struct world *w, int member)
{
	return member < 0 ? "somebody" : w->members[member].name;
}

void member_init(struct world *w)
{
	for (size_t i = 0; i < SIM_MEMBERS_MAX; i++) {
		struct member *m = &w->members[i];
		if (i < MEMBER_NAMES) {
			snprintf(m->name, sizeof(m->name), "%s", member_names[i]);
		} else {
			snprintf(m->name, sizeof(m->name), "m%zu", i);
		}
		m->conns_max = 1 + (dice_percent(&w->dice, 25) ? dice_below(&w->dice, 3) : 0);
		m->is_bot = dice_percent(&w->dice, 10);
	}
}

/* In a trace, which of somebody's connections it was. */
const char *member_at(const struct world *w, const struct conn *c)
{
	static char text[32];
	if (w->o.is_scripted) {
		return member_name(w, c->member);
	}
	snprintf(text, sizeof(text), "%s/%u", member_name(w, c->member), c->serial);
	return text;
}

int member_of_seat(const struct world *w, int room, const char *user_id)
{
	for (size_t i = 0; i < SIM_MEMBERS_MAX && room >= 0; i++) {
		if (strcmp(w->members[i].rooms[room].user_id, user_id) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* ---- answers ---- */

static struct op *member_op(struct world *w, const struct conn *c, uint32_t msgid)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		if (op->conn == c->serial && op->msgid == msgid && !op->is_heard) {
			return op;
		}
	}
	return NULL;
}

static bool member_read(struct world *w, const struct record *rec, const struct msgpack_object *o,
			void *out)
{
	struct fault fault;
	enum err e = o == NULL ? ERR_INVALID
			       : record_from_object(rec, o, RECORD_LENIENT, &w->arena, out, &fault);
	if (e != OK) {
		broken(w, CLAIM_ANSWERS, "what came is no %s: %s", rec->name,
		       o == NULL ? "nil" : fault.message);
	}
	return e == OK;
}

static void member_hears_create(struct world *w, struct conn *c, const struct room_create_result *r)
{
	int room = room_of_id(w, r->room_id);
	if (room >= 0) {
		w->rooms[room].is_public = true;
		w->members[c->member].rooms[room].has_host_key = true;
		c->host_key_shown[room] = true;
	}
}

static void member_forget_key(struct world *w, struct conn *c, int room)
{
	struct member_room *mine = &w->members[c->member].rooms[room];
	if (strcmp(mine->user_id, c->my_id[room]) == 0) {
		free(mine->last);
		mine->last = NULL;
		memset(mine->user_key, 0, sizeof(mine->user_key));
		memset(mine->user_id, 0, sizeof(mine->user_id));
	}
	memset(c->my_key[room], 0, sizeof(c->my_key[room]));
	memset(c->my_id[room], 0, sizeof(c->my_id[room]));
	c->user_key_shown[room] = false;
}

static void member_hears_subscribe(struct world *w, struct conn *c, const struct op *op,
				   const struct room_subscribe_result *r)
{
	struct member_room *mine = &w->members[c->member].rooms[op->room];
	struct sub *sub = c->subs[op->room];
	bool is_logins = c->is_desk; /* the member goes on with the other seat */
	bool fits = (is_logins || view_text(mine->user_key, sizeof(mine->user_key), r->user_key)) &&
		    (is_logins || view_text(mine->user_id, sizeof(mine->user_id), r->user_id)) &&
		    view_text(c->my_key[op->room], sizeof(c->my_key[op->room]), r->user_key) &&
		    view_text(c->my_id[op->room], sizeof(c->my_id[op->room]), r->user_id) &&
		    view_text(sub->user_id, sizeof(sub->user_id), r->user_id);
	if (!fits) {
		broken(w, CLAIM_ANSWERS, "a user_key or user_id of another length");
	}
	sub->asks--;
	sub->is_on = true;
	sub->has_you = false;
	c->user_key_shown[op->room] = true;
}

static void member_ends_sub(struct world *w, struct conn *c, int room, bool keep)
{
	struct sub *sub = c->subs[room];
	struct member_room *mine = &w->members[c->member].rooms[room];
	if (sub == NULL) {
		return;
	}
	if (keep && sub->is_on && sub->view.is_known) {
		if (mine->last == NULL) {
			mine->last = calloc(1, sizeof(*mine->last));
			ASSERT(mine->last != NULL);
		}
		view_copy(mine->last, &sub->view);
	}
	if (sub->asks > 0 && c->client_has) {
		*sub = (struct sub){.asks = sub->asks}; /* another subscription is on its way */
		return;
	}
	free(sub);
	c->subs[room] = NULL;
}

static void member_hears_result(struct world *w, struct conn *c, const struct op *op,
				const struct msgpack_object *o)
{
	union method_result result;
	if (op->method == METHOD_COUNT ||
	    !member_read(w, method_rows[op->method].result, o, &result)) {
		return;
	}
	if (op->method == METHOD_SESSION_HELLO) {
		c->is_greeted = true;
		view_text(c->nonce, sizeof(c->nonce), result.SESSION_HELLO.nonce);
	} else if (op->method == METHOD_ROOM_CREATE) {
		member_hears_create(w, c, &result.ROOM_CREATE);
	} else if (op->method == METHOD_ROOM_SUBSCRIBE && c->subs[op->room] != NULL) {
		member_hears_subscribe(w, c, op, &result.ROOM_SUBSCRIBE);
	} else if (op->method == METHOD_ROOM_UNSUBSCRIBE && op->room >= 0) {
		member_ends_sub(w, c, op->room, true);
	} else if (op->method == METHOD_ROOM_DELETE_USER && op->room >= 0) {
		member_forget_key(w, c, op->room);
	} else if (op->method == METHOD_ROOM_CLAIM_HOST && op->room >= 0) {
		c->host_key_shown[op->room] = true;
	}
	const struct op heard = *op; /* what a feature sends now may move it */
	FEATURES_DO(heard, w, c, &heard, &result);
}

static void member_hears_refusal(struct world *w, struct conn *c, const struct op *op,
				 const struct msgpack_object *o)
{
	struct fault fault;
	rpc_read_fault(o, NULL, &fault);
	if (op->method == METHOD_ROOM_UNSUBSCRIBE && op->room >= 0 && c->subs[op->room] != NULL) {
		c->subs[op->room]->is_leaving = false;
	}
	if (op->method == METHOD_ROOM_SUBSCRIBE && op->room >= 0 && c->subs[op->room] != NULL) {
		c->subs[op->room]->asks--;
		if (fault.code != FAULT_UNAVAILABLE && fault.code != FAULT_RATE_LIMITED &&
		    fault.code != FAULT_ELSEWHERE) {
			member_forget_key(w, c, op->room);
		}
	}
}

/* What could not be done, and now and then what was, is asked for again with its key. */
static void member_repeats(struct world *w, const struct op *op, const struct msgpack_object *error)
{
	struct fault fault = {0};
	if (!op_is_of_directory(op) || op->once[0] == '\0') {
		return;
	}
	if (error != NULL) {
		rpc_read_fault(error, NULL, &fault);
	}
	if (fault.code == FAULT_UNAVAILABLE || dice_percent(&w->dice, 20)) {
		w->members[op->member].retry = (size_t)(op - w->ops) + 1;
	}
}

static void member_hears_answer(struct world *w, struct conn *c, const struct rpc_message *m)
{
	struct op *op = member_op(w, c, m->msgid);
	if (op == NULL) {
		broken(w, CLAIM_ANSWERS, "%s hears an answer to a question it did not ask: %u",
		       member_name(w, c->member), m->msgid);
		return;
	}
	op->is_heard = true;
	if (op->is_shadowed) {
		return;
	}
	member_repeats(w, op, m->error);
	if (m->error != NULL) {
		member_hears_refusal(w, c, op, m->error);
	} else {
		member_hears_result(w, c, op, m->result);
	}
}

/* ---- news ---- */

/* A planted fault: a letter of a name is lost on the way. */
static void member_bend(struct world *w, struct room_update *u)
{
	for (size_t i = 0; i < u->users_n; i++) {
		struct slice *name = &u->users[i].username;
		size_t len = name->len;
		do {
			len -= len > 0;
		} while (len > 0 && ((unsigned char)name->data[len] & 0xc0) == 0x80);
		if (len > 0 && planted(w, BREAK_BEND_UPDATE, 4)) {
			name->len = len;
		}
	}
}

static void member_bend_list(struct world *w, struct room_update *u)
{
	for (size_t i = 0; i < u->data_n; i++) {
		for (size_t k = 0; k < u->data[i].entries_n; k++) {
			struct data_entry *e = &u->data[i].entries[k];
			if (e->rank.len > 0 && planted(w, BREAK_BEND_LIST, 3)) {
				e->rank = SLICE("zz");
			}
		}
	}
}

static void member_applies(struct world *w, struct conn *c, int room, const struct room_update *u)
{
	struct sub *sub = c->subs[room];
	int64_t known = sub->view.version;
	const char *wrong = view_apply(&sub->view, u, false);
	sub->view.is_without_data = c->is_without_data;
	if (wrong == NULL && c->is_without_data && u->data_n > 0) {
		wrong = "data for somebody who asked for none";
	}
	if (wrong == NULL) {
		wrong = view_flaw(&sub->view);
	}
	if (wrong != NULL) {
		broken(w, CLAIM_VERSIONS, "%s at %s: %s (since %lld, version %lld, known %lld)",
		       member_name(w, c->member), w->rooms[room].id, wrong, (long long)u->since,
		       (long long)u->version, (long long)known);
		return;
	}
	/* A frame of data may pass a change that is still to be told: only what comes behind it
	 * makes the copy whole. */
	bool is_data =
		!u->full && !u->with_room && !u->with_users && !u->with_gone && !u->with_stories;
	const struct view *was = is_data ? NULL : room_at(&w->rooms[room], u->epoch, u->version);
	w->figures.comparisons += was != NULL;
	if (was != NULL && !view_eq(was, &sub->view)) {
		broken(w, CLAIM_CONVERGE,
		       "%s's copy of %s at version %lld is not what the room was",
		       member_name(w, c->member), w->rooms[room].id, (long long)u->version);
	}
}

static void member_hears_update(struct world *w, struct conn *c, const struct msgpack_object *o)
{
	struct room_update u;
	if (!member_read(w, &record_room_update, o, &u)) {
		return;
	}
	int room = room_of_id(w, u.room_id);
	if (room < 0 || c->subs[room] == NULL) {
		broken(w, CLAIM_VERSIONS, "%s hears an update of a room it does not follow",
		       member_name(w, c->member));
		return;
	}
	if (!u.full && planted(w, BREAK_LOSE_UPDATE, 4)) {
		return;
	}
	member_bend(w, &u);
	member_bend_list(w, &u);
	member_applies(w, c, room, &u);
	if (!u.full && planted(w, BREAK_REPEAT_UPDATE, 4)) {
		member_applies(w, c, room, &u);
	}
}

static void member_hears_you(struct world *w, struct conn *c, const struct msgpack_object *o)
{
	struct room_you y;
	if (!member_read(w, &record_room_you, o, &y)) {
		return;
	}
	int room = room_of_id(w, y.room_id);
	struct sub *sub = room < 0 ? NULL : c->subs[room];
	if (sub == NULL || !slice_eq(y.user_id, slice_str(sub->user_id))) {
		broken(w, CLAIM_SECRECY, "%s is told of a seat that is not its own",
		       member_name(w, c->member));
		return;
	}
	sub->has_you = true;
	sub->you_is_host = y.is_host;
	sub->you_is_waiting = y.is_waiting;
	sub->you_is_spectator = y.role == ROLE_SPECTATOR;
	view_text(sub->you_name, sizeof(sub->you_name), y.username);
	view_text(sub->you_vote, sizeof(sub->you_vote), y.vote);
	view_text(sub->you_barred, sizeof(sub->you_barred),
		  y.barred_n == 0 ? (struct slice){0} : y.barred[y.barred_n - 1].user_id);
	if (y.barred_n > 0 && !y.is_host) {
		broken(w, CLAIM_SECRECY, "%s is told who was kicked and is no host",
		       member_name(w, c->member));
	}
}

static void member_hears_end(struct world *w, struct conn *c, const struct msgpack_object *o,
			     bool is_deleted)
{
	struct room_notice n;
	if (!member_read(w, &record_room_notice, o, &n)) {
		return;
	}
	int room = room_of_id(w, n.room_id);
	if (room >= 0) {
		member_ends_sub(w, c, room, false);
		free(w->members[c->member].rooms[room].last);
		w->members[c->member].rooms[room].last = NULL;
		if (is_deleted) {
			member_forget_key(w, c, room);
		}
	}
}

static void member_hears_notice(struct world *w, struct conn *c, const struct rpc_message *m)
{
	switch (notice_find(m->method)) {
	case NOTICE_ROOM_UPDATE:
		member_hears_update(w, c, m->params);
		break;
	case NOTICE_ROOM_YOU:
		member_hears_you(w, c, m->params);
		break;
	case NOTICE_ROOM_KICKED:
		member_hears_end(w, c, m->params, false);
		break;
	case NOTICE_ROOM_DELETED:
	case NOTICE_ROOM_EXPIRED:
		member_hears_end(w, c, m->params, true);
		break;
	case NOTICE_ROOM_NUDGED:
	case NOTICE_ROOM_REACTION:
	case NOTICE_ROOM_EXPIRING:
	case NOTICE_SERVER_CLOSING:
	case NOTICE_QUESTION_UPDATE:
	case NOTICE_QUESTION_NOTICE:
	case NOTICE_QUESTION_ENDED:
	case NOTICE_GROUP_UPDATE:
	case NOTICE_CONTAINER_UPDATE:
	case NOTICE_SESSION_NUDGED:
	case NOTICE_SESSION_WAITING:
	case NOTICE_SESSION_UPDATE: /* the oracle keeps its copy */
		break;
	case NOTICE_COUNT:
		broken(w, CLAIM_ANSWERS, "a notification that has no row");
		break;
	}
}

void member_hears(struct world *w, struct conn *c, struct slice bytes)
{
	struct frames *f = &c->heard;
	buf_append_slice(&f->bytes, bytes);
	while (f->bytes.len > 0 && !w->is_broken) {
		struct rpc_message m;
		bool answerable = false;
		enum err e = frame_scan_value(&f->scan, buf_slice(&f->bytes), 1u << 22);
		if (e == ERR_MORE) {
			return;
		}
		if (e == OK) {
			e = rpc_decode(&w->decoder, slice_of(f->bytes.data, f->scan.at), &m,
				       &answerable);
		}
		if (e != OK) {
			broken(w, CLAIM_ANSWERS, "%s hears what is no message: %s",
			       member_name(w, c->member), err_text(e));
			return;
		}
		if (m.kind == RPC_RESPONSE) {
			member_hears_answer(w, c, &m);
		} else {
			member_hears_notice(w, c, &m);
		}
		arena_reset(&w->arena);
		buf_drop(&f->bytes, f->scan.at);
		frame_scan_init(&f->scan);
	}
}

/* ---- ends ---- */

void member_loses(struct world *w, struct conn *c)
{
	struct member *m = &w->members[c->member];
	for (int i = 0; i < SIM_ROOMS_MAX; i++) {
		member_ends_sub(w, c, i, true);
	}
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->conn == c->serial && !op->is_heard && op->once[0] != '\0') {
			m->retry = i + 1;
		}
	}
}
