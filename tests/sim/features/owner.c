/*
 * owner.c - what the server's owner takes off the board, and whom they bar; that others may not, that what was taken
 * off stays off, and that nobody who is barred gets in.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/room_code.h"

/* ---- what is on the disk ---- */

static const struct table_row *bar_row(const struct world *w, struct slice fingerprint)
{
	char sk[48] = "b_";
	code_derive(w->config.server_key, "bar_id", fingerprint, sk + 2, CODE_CHARS_MAX);
	return find_row(w, ITEM_USER_BARRED, "users", sk);
}

bool user_may_be_barred(const struct world *w, const char *user_id, const struct op *op)
{
	struct key_text fingerprint =
		key_hash(w->config.server_key, "fingerprint", slice_str(user_id));
	return bar_row(w, slice_str(fingerprint.text)) != NULL ||
	       w->unbarred_mono >= op->delivered_mono;
}

/* By which removal of an answer of the question, or of all of it, a call on it may be mistaken. */
bool owner_may_have_removed(const struct world *w, const char *question_id)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_SERVER_REMOVE && op->is_delivered &&
		    strcmp(op->text, question_id) == 0) {
			return true;
		}
	}
	return false;
}

/* Where commits are of several, an unbar may stand before the login in the same: the login has read what that wrote. */
static bool bar_is_lifted(const struct world *w, const struct sim_commit *c,
			  const struct table_row *bar)
{
	bool is_lifted = false;
	for (size_t i = 0; i < c->n && w->is_batched && !is_lifted; i++) {
		const struct store_op *op = &c->ops[i];
		is_lifted = op->kind == STORE_DELETE &&
			    slice_eq(op->pk, slice_of(bar->pk, bar->pk_len)) &&
			    slice_eq(op->sk, slice_of(bar->sk, bar->sk_len));
	}
	return is_lifted;
}

/* Nobody begins a session who is barred; neither is written back. */
static void owner_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		enum item_kind kind = item_kind_of(op->pk, op->sk);
		struct token_item token;
		struct fault fault;
		if (kind == ITEM_USER_BARRED && op->kind == STORE_DELETE) {
			w->unbarred_mono = w->mono_ms;
		}
		if (kind != ITEM_TOKEN || op->kind != STORE_PUT) {
			continue;
		}
		arena_reset(&w->arena);
		enum err e = record_from_bytes(&record_token_item, op->value, RECORD_STRICT,
					       &w->arena, &token, &fault);
		ASSERT_CMP(e, ==, OK);
		struct key_text fingerprint =
			key_hash(w->config.server_key, "fingerprint", token.user_id);
		const struct table_row *bar = bar_row(w, slice_str(fingerprint.text));
		if (bar != NULL && !bar_is_lifted(w, c, bar)) {
			broken(w, CLAIM_SESSIONS, "a barred user has a session");
		}
	}
}

/* ---- answers leave ---- */

static void owner_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	(void)result;
	if (op->method < METHOD_SERVER_QUESTIONS || op->method > METHOD_SERVER_BARRED) {
		return;
	}
	if (!w->members[c->member].peer.is_owner) {
		broken(w, CLAIM_SECRECY, "%s is granted to somebody else than the owner",
		       method_rows[op->method].name);
	} else if (op->method == METHOD_SERVER_REMOVE && op->target[0] == '\0' && !op->is_again &&
		   op->jumps_before == w->jumps &&
		   find_row(w, ITEM_QUESTION, op->text, "") != NULL) {
		broken(w, CLAIM_DURABLE, "a question is on the disk that was removed");
	} else if (op->method == METHOD_SERVER_BAR && !op->is_again &&
		   w->unbarred_mono < op->delivered_mono) {
		char id[24];
		view_text(id, sizeof(id), result->SERVER_BAR.bar_id);
		if (find_row(w, ITEM_USER_BARRED, "users", id) == NULL &&
		    op->jumps_before == w->jumps) {
			broken(w, CLAIM_DURABLE, "a user is barred, and not on the disk");
		}
	}
}

static bool owner_may_refuse(struct world *w, const struct conn *c, const struct op *op,
			     enum fault_code code)
{
	switch (code) {
	case FAULT_RATE_LIMITED:
		return true;
	case FAULT_FORBIDDEN:
		return !w->members[c->member].peer.is_owner;
	case FAULT_UNAVAILABLE:
		return op->faults_before != w->faults || w->node->is_stopping ||
		       w->commits != NULL || w->nodes_n > 1;
	case FAULT_QUESTION_NOT_FOUND:
		return find_row(w, ITEM_QUESTION, op->text, "") == NULL;
	case FAULT_NOT_FOUND: /* also what another of the owner's calls took */
		return op->method == METHOD_SERVER_REMOVE || op->method == METHOD_SERVER_BAR ||
		       op->method == METHOD_SERVER_UNBAR;
	default:
		return false;
	}
}

static void owner_judge(struct world *w, struct conn *c, const struct op *op, const struct fault *f)
{
	if (!owner_may_refuse(w, c, op, f->code)) {
		broken(w, CLAIM_RULES, "%s about %s is refused without a reason: %s",
		       method_rows[op->method].name, op->text, f->message);
	}
}

static const struct request owner_requests[] = {
	{.method = METHOD_SERVER_QUESTIONS, .refused = owner_judge},
	{.method = METHOD_SERVER_ANSWERS, .refused = owner_judge},
	{.method = METHOD_SERVER_REMOVE, .refused = owner_judge},
	{.method = METHOD_SERVER_BAR, .refused = owner_judge},
	{.method = METHOD_SERVER_UNBAR, .refused = owner_judge},
	{.method = METHOD_SERVER_BARRED, .refused = owner_judge},
};

/* ---- acts ---- */

/* A row of that kind on the disk; NULL: there is none. */
static const struct table_row *some_row(struct world *w, enum item_kind kind)
{
	const struct table_row *some = NULL;
	size_t n = 0;
	TABLE_EACH (&w->table, kind, row) {
		some = dice_below(&w->dice, (uint32_t)++n) == 0 ? row : some;
	}
	return some;
}

/* An answer, or NULL: the question of it in about.text, its response_id in about.target. */
static bool some_answer(struct world *w, struct op *about)
{
	const struct table_row *row = some_row(w, ITEM_RESPONSE);
	view_text(about->text, sizeof(about->text), SLICE("q_2222222222"));
	if (row != NULL) {
		view_text(about->text, sizeof(about->text), pk_rest(row));
		view_text(about->target, sizeof(about->target),
			  ((const struct response_item *)item_of_row(w, row))->response_id);
	}
	return row != NULL;
}

static void act_look(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	(void)room;
	if (dice_percent(&w->dice, 40)) {
		struct server_questions_params p = {.flagged = dice_percent(&w->dice, 30),
						    .limit = 5,
						    .with_limit = true};
		send_op(w, c, METHOD_SERVER_QUESTIONS, -1, &p, &about);
	} else if (dice_percent(&w->dice, 50)) {
		(void)some_answer(w, &about);
		about.target[0] = '\0';
		struct server_answers_params p = {.question_id = slice_str(about.text)};
		send_op(w, c, METHOD_SERVER_ANSWERS, -1, &p, &about);
	} else {
		struct server_barred_params p = {.limit = 5, .with_limit = true};
		send_op(w, c, METHOD_SERVER_BARRED, -1, &p, &about);
	}
}

static void act_remove(struct world *w, struct conn *c, int room)
{
	char once[40];
	struct op about = {0};
	struct server_remove_params p = {.question_id = {0}};
	const char *key = act_once(w, once);
	(void)room;
	p.with_response_id = some_answer(w, &about) && dice_percent(&w->dice, 60);
	about.target[0] = p.with_response_id ? about.target[0] : '\0';
	p.question_id = slice_str(about.text);
	p.response_id = slice_str(about.target);
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_SERVER_REMOVE, -1, &p, &about);
}

static void act_bar(struct world *w, struct conn *c, int room)
{
	char once[40];
	struct op about = {0};
	struct server_bar_params p = {.user_id = {0}};
	const struct table_row *user = some_row(w, ITEM_USER);
	const char *key = act_once(w, once);
	(void)room;
	if (dice_percent(&w->dice, 60)) {
		view_text(about.target, sizeof(about.target),
			  user == NULL ? SLICE("2222222222222222") : pk_rest(user));
		p.user_id = slice_str(about.target);
		p.with_user_id = true;
	} else if (some_answer(w, &about)) {
		p.question_id = slice_str(about.text);
		p.response_id = slice_str(about.target);
		p.with_question_id = p.with_response_id = true;
	} else {
		return;
	}
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_SERVER_BAR, -1, &p, &about);
}

static void act_unbar(struct world *w, struct conn *c, int room)
{
	char once[40], id[24] = "b_2222222222222222";
	struct op about = {0};
	struct server_unbar_params p = {.bar_id = slice_str(id)};
	const struct table_row *row = some_row(w, ITEM_USER_BARRED);
	const char *key = act_once(w, once);
	if (row == NULL && dice_percent(&w->dice, 80)) {
		act_bar(w, c, room);
		return;
	}
	if (row != NULL) {
		view_text(id, sizeof(id), slice_of(row->sk + 7, row->sk_len - 7));
		p.bar_id = slice_str(id);
	}
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_SERVER_UNBAR, -1, &p, &about);
}

/* Most are let in again soon, as runs are short. */
static void owner_heard(struct world *w, struct conn *c, const struct op *op,
			const union method_result *result)
{
	(void)result;
	if (op->method == METHOD_SERVER_BAR && !w->is_calm && !c->is_broken &&
	    dice_percent(&w->dice, 60)) {
		act_unbar(w, c, -1);
	}
}

/* Others try it now and then. */
static void act_as_owner(struct world *w, struct conn *c, int room)
{
	uint32_t kind = dice_below(&w->dice, 20);
	if (!w->members[c->member].peer.is_owner && dice_percent(&w->dice, 80)) {
		return;
	}
	if (kind < 6) {
		act_look(w, c, room);
	} else if (kind < 10) {
		act_remove(w, c, room);
	} else if (kind < 13) {
		act_bar(w, c, room);
	} else {
		act_unbar(w, c, room);
	}
}

static const struct act owner_acts[] = {
	{30, act_as_owner, false},
};

const struct feature feature_owner = {
	.name = "owner",
	FEATURE_ROWS(desk_acts, owner_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, owner_requests),
	.granted = owner_granted,
	.heard = owner_heard,
	.commit_before = owner_before,
};
