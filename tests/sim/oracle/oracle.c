/*
 * oracle.c - judges everything that leaves the server, at the moment it leaves.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/oracle/homes.h"

#include <string.h>

static void oracle_hash(struct world *w, const void *data, size_t len)
{
	w->hash = sim_hash(w->hash, data, len);
}

void oracle_effect(struct world *w, const struct effect *fx)
{
	w->hash = sim_hash_u64(w->hash, (uint64_t)fx->kind << 32 ^ fx->conn.slot);
	w->hash = sim_hash_u64(w->hash, fx->ticket);
	oracle_hash(w, fx->load.pk.data, fx->load.pk.len);
	oracle_hash(w, fx->load.sk_prefix.data, fx->load.sk_prefix.len);
	oracle_hash(w, fx->load.after.data, fx->load.after.len);
	oracle_hash(w, fx->query.partition.data, fx->query.partition.len);
	oracle_hash(w, fx->query.cursor.data, fx->query.cursor.len);
	oracle_hash(w, fx->log.data, fx->log.len);
	w->public = sim_hash(w->public, fx->log.data, fx->log.len);
	for (size_t i = 0; fx->kind == FX_COMMIT && i < fx->n; i++) {
		oracle_hash(w, fx->ops[i].sk.data, fx->ops[i].sk.len);
		oracle_hash(w, fx->ops[i].value.data, fx->ops[i].value.len);
		w->public = sim_hash_u64(w->public, fx->ops[i].value.len);
	}
	if (w->o.planted == BREAK_CLOCK_LEAK) {
		static uint64_t not_in_the_seed;
		w->hash = sim_hash_u64(w->hash, ++not_in_the_seed);
		w->planted_times++;
	}
}

struct op *oracle_op(struct world *w, const struct conn *c, uint32_t msgid)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		if (op->conn == c->serial && op->msgid == msgid && !op->is_answered) {
			return op;
		}
	}
	return NULL;
}

/* ---- answers ---- */

bool oracle_shows_votes(const struct room_update *u)
{
	for (size_t i = 0; i < u->users_n; i++) {
		const struct user_view *user = &u->users[i];
		if (user->vote.len > 0 || user->comment.len > 0 || user->confidence != 0) {
			return true;
		}
	}
	return u->with_room && u->room.with_result;
}

static void oracle_greeted(struct world *w, struct conn *c, const struct op *op,
			   const union method_result *r)
{
	if (op->method == METHOD_SESSION_HELLO) {
		c->left_greeted = true;
	} else if (op->method == METHOD_ROOM_SUBSCRIBE && op->room >= 0) {
		c->leaving_on[op->room] = true;
		view_text(c->leaving_id[op->room], sizeof(c->leaving_id[op->room]),
			  r->ROOM_SUBSCRIBE.user_id);
		view_text(c->leaving_key[op->room], sizeof(c->leaving_key[op->room]),
			  r->ROOM_SUBSCRIBE.user_key);
		room_own(&w->rooms[op->room], c->member, r->ROOM_SUBSCRIBE.user_key,
			 r->ROOM_SUBSCRIBE.user_id);
	} else if (op->method == METHOD_ROOM_UNSUBSCRIBE && op->room >= 0) {
		c->leaving_on[op->room] = false;
	}
}

static void oracle_result(struct world *w, struct conn *c, struct op *op,
			  const struct rpc_message *m)
{
	union method_result result;
	struct fault fault;
	op->is_ok = true;
	if (op->method == METHOD_COUNT || m->result == NULL) {
		broken(w, CLAIM_ANSWERS, "a result where there can be none");
		return;
	}
	buf_clear(&w->scratch);
	rpc_write_object(&w->scratch, m->result);
	op->result_hash = sim_hash(SIM_HASH_START, w->scratch.data, w->scratch.len);
	enum err e = record_from_object(method_rows[op->method].result, m->result, RECORD_STRICT,
					&w->arena, &result, &fault);
	if (e != OK) {
		broken(w, CLAIM_ANSWERS, "the result of %s is none: %s %s",
		       method_rows[op->method].name, fault.field, fault.message);
		return;
	}
	w->figures.granted[op->method]++;
	oracle_greeted(w, c, op, &result);
	if (op->method == METHOD_SESSION_WHOAMI && planted(w, BREAK_OTHER_USER, 2)) {
		result.SESSION_WHOAMI.user_id = SLICE("SOMEBODYELSE");
	}
	answers_granted(w, c, op, &result);
	print_answer(w, c, op, NULL, &result);
}

static void oracle_answer(struct world *w, struct conn *c, const struct rpc_message *m)
{
	struct op *op = oracle_op(w, c, m->msgid);
	w->figures.answers++;
	if (op == NULL) {
		if (!c->is_broken) {
			broken(w, CLAIM_ANSWERS, "an answer to no question: %u", m->msgid);
		}
		return;
	}
	if (!op->is_delivered) {
		broken(w, CLAIM_ANSWERS, "%u is answered before it was asked", m->msgid);
	}
	op->is_answered = true;
	op->answered = ++w->delivered;
	op->answered_mono = w->mono_ms;
	c->busy_mono = w->mono_ms;
	if (op->is_shadowed) {
		return;
	}
	FEATURES_DO(answered, w, op);
	if (m->error == NULL) {
		oracle_result(w, c, op, m);
		return;
	}
	struct fault fault;
	rpc_read_fault(m->error, NULL, &fault);
	w->figures.refusals++;
	if (fault.code == FAULT_SERVER_ERROR) {
		broken(w, CLAIM_ANSWERS, "SERVER_ERROR: %s", fault.message);
	}
	answers_refused(w, c, op, &fault);
	print_answer(w, c, op, &fault, NULL);
}

/* ---- news ---- */

static void oracle_update(struct world *w, struct conn *c, struct room_update *u)
{
	int room = room_of_id(w, u->room_id);
	w->figures.updates++;
	w->figures.fulls += u->full;
	if (room < 0 || !c->leaving_on[room]) {
		broken(w, CLAIM_SECRECY, "an update of a room to somebody who does not follow it");
		return;
	}
	for (size_t i = 0; i < u->users_n; i++) {
		if (u->users[i].has_vote && u->users[i].vote.len == 0 &&
		    planted(w, BREAK_SHOW_VOTE, 2)) {
			u->users[i].with_vote = true;
			u->users[i].vote = SLICE("5");
		}
		if (u->users[i].has_vote && planted(w, BREAK_SHOW_NOTE, 2)) {
			u->users[i].with_comment = true;
			u->users[i].comment = SLICE("a note");
		}
	}
	const struct view *v = room_at(&w->rooms[room], u->epoch, u->version);
	for (size_t i = 0; i < u->users_n && v != NULL && view_hides_voters(v); i++) {
		if (u->users[i].with_has_vote) {
			broken(w, CLAIM_SECRECY,
			       "an update of %s at version %lld says whether a user has voted, "
			       "where only the number may be known",
			       w->rooms[room].id, (long long)u->version);
		}
	}
	bool hidden = (v != NULL && !v->is_revealed) || (u->with_room && !u->room.is_revealed);
	if (oracle_shows_votes(u) && hidden) {
		broken(w, CLAIM_SECRECY,
		       "an update of %s at version %lld shows a vote before the reveal",
		       w->rooms[room].id, (long long)u->version);
	}
	oracle_durable(w, room, u->epoch, u->version, "an update");
	homes_shows(w, c, room, u->epoch);
	FEATURES_DO(update, w, c, room, u);
	print_update(w, c, u);
}

static void oracle_you(struct world *w, struct conn *c, const struct room_you *y)
{
	int room = room_of_id(w, y->room_id);
	if (room < 0 || !c->leaving_on[room] ||
	    !slice_eq(y->user_id, slice_str(c->leaving_id[room])) ||
	    planted(w, BREAK_TELL_OTHER, 10)) {
		broken(w, CLAIM_SECRECY, "room.you of %.*s goes to somebody else",
		       (int)y->user_id.len, y->user_id.data);
	}
	print_you(w, c, y);
}

static void oracle_end(struct world *w, struct conn *c, struct slice room_id, enum notice notice)
{
	bool is_deleted = notice != NOTICE_ROOM_KICKED;
	int room = room_of_id(w, room_id);
	if (room < 0 || !c->leaving_on[room]) {
		broken(w, CLAIM_SECRECY,
		       "the end of a room is told to somebody who does not follow it");
		return;
	}
	c->leaving_on[room] = false;
	if (is_deleted && table_has_room(&w->table, w->rooms[room].id)) {
		broken(w, CLAIM_DURABLE, "%s is said to be gone, and the disk still has it",
		       w->rooms[room].id);
	}
	trace(w, "  %s <- %s", member_at(w, c), notice_rows[notice].name);
}

/* What is said once is for those who follow the room, and for nobody else. */
static void oracle_word(struct world *w, const struct conn *c, enum notice notice,
			struct slice room_id)
{
	int room = room_of_id(w, room_id);
	if (room < 0 || !c->leaving_on[room]) {
		broken(w, CLAIM_SECRECY, "%s goes to somebody who does not follow the room",
		       notice_rows[notice].name);
	}
	trace(w, "  %s <- %s", member_at(w, c), notice_rows[notice].name);
}

static void oracle_notice(struct world *w, struct conn *c, const struct rpc_message *m)
{
	union notice_record rec;
	struct fault fault;
	enum notice notice = notice_find(m->method);
	if (notice == NOTICE_COUNT ||
	    record_from_object(notice_rows[notice].record, m->params, RECORD_STRICT, &w->arena,
			       &rec, &fault) != OK) {
		broken(w, CLAIM_ANSWERS, "a notification that is none");
		return;
	}
	fields_leave(w, notice, m->params);
	switch (notice) {
	case NOTICE_ROOM_UPDATE:
		oracle_update(w, c, &rec.update);
		break;
	case NOTICE_ROOM_YOU:
		oracle_you(w, c, &rec.you);
		break;
	case NOTICE_ROOM_KICKED:
		oracle_end(w, c, rec.kicked.room_id, notice);
		break;
	case NOTICE_ROOM_DELETED:
	case NOTICE_ROOM_EXPIRED:
		oracle_end(w, c, rec.ended.room_id, notice);
		break;
	case NOTICE_ROOM_NUDGED:
		oracle_word(w, c, notice, rec.nudged.room_id);
		break;
	case NOTICE_ROOM_REACTION:
		oracle_word(w, c, notice, rec.reaction.room_id);
		break;
	case NOTICE_ROOM_EXPIRING:
		oracle_word(w, c, notice, rec.expiring.room_id);
		break;
	case NOTICE_SESSION_NUDGED:
		trace(w, "  %s <- session.nudged", member_at(w, c));
		break;
	case NOTICE_SESSION_WAITING:
		trace(w, "  %s <- session.waiting", member_at(w, c));
		break;
	case NOTICE_SESSION_UPDATE:
		trace(w, "  %s <- session.update", member_at(w, c));
		break;
	case NOTICE_QUESTION_UPDATE:
		trace(w, "  %s <- question.update", member_at(w, c));
		break;
	case NOTICE_QUESTION_NOTICE:
		trace(w, "  %s <- question.notice", member_at(w, c));
		break;
	case NOTICE_QUESTION_ENDED:
		trace(w, "  %s <- question.ended", member_at(w, c));
		break;
	case NOTICE_GROUP_UPDATE:
		trace(w, "  %s <- group.update", member_at(w, c));
		break;
	case NOTICE_CONTAINER_UPDATE:
		trace(w, "  %s <- container.update", member_at(w, c));
		break;
	case NOTICE_SERVER_CLOSING:
		trace(w, "  %s <- server.closing", member_at(w, c));
		break;
	case NOTICE_COUNT:
		break;
	}
	FEATURES_DO(notice, w, c, notice, &rec);
}

/* ---- what others may learn: the same, whatever cards were laid ---- */

/* A frame that may rightly hold a vote: only its length counts between twins. */
static bool oracle_is_private(struct world *w, const struct conn *c, const struct rpc_message *m)
{
	struct fault fault;
	struct room_update u;
	if (m->kind == RPC_NOTICE) {
		return notice_find(m->method) == NOTICE_ROOM_YOU ||
		       (notice_find(m->method) == NOTICE_ROOM_UPDATE &&
			record_from_object(&record_room_update, m->params, RECORD_LENIENT,
					   &w->arena, &u, &fault) == OK &&
			oracle_shows_votes(&u));
	}
	const struct op *op = oracle_op(w, c, m->msgid);
	if (op != NULL && op->method == METHOD_ROOM_GET && m->result != NULL) {
		return record_from_object(&record_room_update, m->result, RECORD_LENIENT, &w->arena,
					  &u, &fault) == OK &&
		       oracle_shows_votes(&u);
	}
	return op == NULL || (op->method == METHOD_ROOM_VOTE && m->error != NULL);
}

static void oracle_public(struct world *w, const struct conn *c, const struct rpc_message *m,
			  struct slice frame)
{
	w->public = sim_hash_u64(w->public, (uint64_t)c->serial << 32 ^ frame.len);
	if (!oracle_is_private(w, c, m)) {
		w->public = sim_hash(w->public, frame.data, frame.len);
	}
	if (w->o.planted == BREAK_HINT_VOTE && m->kind == RPC_NOTICE) {
		const char *card = w->ops_n > 0 ? w->ops[w->ops_n - 1].card : "";
		w->planted_times += card[0] != '\0';
		w->public = sim_hash(w->public, card, strlen(card));
	}
}

/* ---- bytes ---- */

static void oracle_frame(struct world *w, struct conn *c, struct slice frame)
{
	struct rpc_message m;
	bool answerable;
	if (rpc_decode(&w->decoder, frame, &m, &answerable) != OK || m.kind == RPC_REQUEST) {
		broken(w, CLAIM_ANSWERS, "what leaves is no message");
		return;
	}
	oracle_public(w, c, &m, frame);
	homes_leaves(w, c, &m);
	if (m.kind == RPC_RESPONSE) {
		if (planted(w, BREAK_LOSE_ANSWER, 50)) {
			return;
		}
		oracle_answer(w, c, &m);
		if (planted(w, BREAK_REPEAT_ANSWER, 20)) {
			oracle_answer(w, c, &m);
		}
	} else {
		oracle_notice(w, c, &m);
	}
	arena_reset(&w->arena);
}

void oracle_leaves(struct world *w, struct conn *c, const char *bytes, size_t len)
{
	struct frames *f = &c->leaving;
	oracle_hash(w, bytes, len);
	c->begun_mono = f->bytes.len == 0 ? w->mono_ms : c->begun_mono;
	buf_append(&f->bytes, bytes, len);
	while (f->bytes.len > 0 && !w->is_broken) {
		enum err e = frame_scan_value(&f->scan, buf_slice(&f->bytes), 1u << 22);
		if (e == ERR_MORE) {
			return;
		}
		if (e != OK) {
			broken(w, CLAIM_ANSWERS, "what leaves is no MessagePack: %s", err_text(e));
			return;
		}
		oracle_frame(w, c, slice_of(f->bytes.data, f->scan.at));
		buf_drop(&f->bytes, f->scan.at);
		frame_scan_init(&f->scan);
		c->begun_mono = w->mono_ms;
	}
}

/* ---- closing ---- */

static bool oracle_may_close(const struct world *w, const struct conn *c)
{
	const int64_t *limits = w->config.limits;
	int64_t now = w->mono_ms;
	bool is_unknown = w->unknown_until > 0 && w->step <= w->unknown_until;
	bool may_have_moved = w->nodes_n > 1; /* its rooms, to another node */
	return c->is_broken || w->node->is_stopping || !c->client_has || is_unknown ||
	       may_have_moved ||
	       (!c->left_greeted && now - c->opened_mono >= limits[LIMIT_HELLO_MS]) ||
	       (c->part_mono != 0 && now - c->part_mono >= limits[LIMIT_FRAME_MS]) ||
	       (c->full_mono != 0 && now - c->full_mono >= limits[LIMIT_STALL_MS]);
}

void oracle_closed(struct world *w, struct conn *c)
{
	if (!oracle_may_close(w, c)) {
		broken(w, CLAIM_BOUNDS, "%s is closed without a reason (slow for %lld ms)",
		       member_name(w, c->member),
		       c->full_mono == 0 ? 0LL : (long long)(w->mono_ms - c->full_mono));
	}
}

/* ---- after each step ---- */

void oracle_step(struct world *w)
{
	while (w->ops_first < w->ops_n) {
		const struct op *op = &w->ops[w->ops_first];
		bool is_over = op->is_closed || op->is_answered ||
			       (op->is_dead && op->dead_mono + 60000 < w->mono_ms);
		bool is_done = is_over && (op->is_heard || net_by_serial(w, op->conn) == NULL);
		if (!is_done) {
			break;
		}
		w->ops_first++;
	}
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *c = w->conns[i];
		if (c->is_blocked && c->server_has && planted(w, BREAK_CLOSE_SLOW, 10)) {
			oracle_closed(w, c);
		}
	}
	for (size_t i = 0; i < w->rooms_n; i++) {
		struct sim_room *r = &w->rooms[i];
		if (room_note_disk(w, (int)i) && r->is_deleted) {
			broken(w, CLAIM_ENDED, "%s was deleted and is on the disk again", r->id);
		}
	}
}
