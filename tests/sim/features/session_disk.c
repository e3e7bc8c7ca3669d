/*
 * session_disk.c - what is written of sessions: when a session is written back,
 * whose a name is, and what holds of the table at all times.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"

/*
 * A session that is used costs a write a minute at most, however often it is
 * used: what is written back is at least a minute more than the disk has, or
 * the sixtieth part of a life that is shorter than an hour.
 */
static void session_written_back(struct world *w, const struct store_op *op)
{
	int64_t every = w->nodes_n > 1		       ? session_grace(w)
			: session_life(w) / 60 < 60000 ? session_life(w) / 60
						       : 60000;
	struct token_item is;
	struct fault fault;
	enum err e = record_from_bytes(&record_token_item, op->value, RECORD_STRICT, &w->arena, &is,
				       &fault);
	char hash[KEY_CHARS + 1];
	view_text(hash, sizeof(hash), slice_of(op->pk.data + 6, op->pk.len - 6));
	const struct table_row *row = table_token(&w->table, hash);
	ASSERT_CMP(e, ==, OK);
	if (row == NULL) {
		return; /* ended meanwhile: the commit meets a conflict */
	}
	int64_t gained = is.expires_at - row->expires_at - planted(w, BREAK_SOON_RENEWED, 1);
	if (gained < every) {
		broken(w, CLAIM_BOUNDS, "a session is written back that has gained %lld ms",
		       (long long)gained);
	}
}

static void sessions_asked(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind == STORE_PUT && op->expect == STORE_EXPECT_VERSION &&
		    item_kind_of(op->pk, op->sk) == ITEM_TOKEN) {
			session_written_back(w, op);
		}
	}
}

/* Those who asked for the name meanwhile may find it taken, also where it is free again by then. */
static void sessions_name_taken(struct world *w, const char *name, const char *user_id)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		const char *own = op->flag ? session_user_of_key(w, op->member) : NULL;
		bool is_anothers = own == NULL || strcmp(own, user_id) != 0;
		if (sessions_begins(op->method) && op->is_delivered && !op->is_answered &&
		    is_anothers && strcmp(op->other, name) == 0) {
			op->was_taken = true;
		}
	}
}

/* A name changes hands only from one whose time is over, or by the same key. That is looked at just
 * before the commit is asked for, which may wait long for the disk: where the clock is set back meanwhile, the session
 * is resumed, and ends with the commit. */
static void sessions_durable(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind != STORE_PUT || item_kind_of(op->pk, op->sk) != ITEM_USER_NAME) {
			continue;
		}
		struct slice name = slice_of(op->pk.data + 10, op->pk.len - 10);
		char text[SIM_NAME_BYTES];
		view_text(text, sizeof(text), name);
		const struct table_row *row = table_name(&w->table, text);
		char user_id[20];
		table_account(op->value, user_id);
		const struct session *s = row == NULL ? NULL : session_of_hash(w, row->hash);
		/* By the last call that the server certainly has read: one may lie in the socket for long. */
		bool is_idle = s != NULL && session_is_of_life(s) &&
			       s->sure_mono + session_life(w) <= w->mono_ms;
		bool is_live = row != NULL && row->expires_at > w->wall_ms && !is_idle &&
			       w->jump_step + 100 < c->asked_step;
		/* One that has begun before the clock was set ahead is over by what the table says until the server has
		 * it in memory. */
		bool is_timed = s != NULL && (row->expires_at > w->wall_ms || s->jumps == w->jumps);
		bool is_in_use =
			is_timed && session_is_in_use(w, s, NULL) && w->jump_step <= c->asked_step;
		/* Where commits are of several, a logout may stand before it in the same. */
		if (row != NULL && strcmp(row->account, user_id) != 0 && !w->is_batched &&
		    (is_live || is_in_use)) {
			broken(w, CLAIM_SESSIONS,
			       "a name is given to another while somebody has it");
		}
		sessions_name_taken(w, text, user_id);
	}
}

/* From which publication on all servers know that it is gone. */
static void sessions_note_gone(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind == STORE_DELETE && item_kind_of(op->pk, op->sk) == ITEM_TOKEN) {
			char hash[KEY_CHARS + 1];
			view_text(hash, sizeof(hash), slice_of(op->pk.data + 6, op->pk.len - 6));
			struct session *s = session_of_hash(w, hash);
			if (s != NULL) {
				s->gone_number = w->master.published.number;
				s->gone_mono = w->mono_ms;
			}
		}
	}
}

/* Every session has its name, and so no name two sessions. */
static void sessions_check(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_TOKEN, row) {
		const struct table_row *name = table_name(&w->table, row->username);
		if (name == NULL || memcmp(name->hash, row->hash, KEY_CHARS) != 0) {
			broken(w, CLAIM_SESSIONS, "%s",
			       name == NULL ? "a session has no name" : "a name has two sessions");
		}
	}
}

static void sessions_after(struct world *w, const struct sim_commit *c)
{
	if (c->room < 0) {
		sessions_check(w);
		sessions_note_gone(w, c);
	}
}

const struct feature feature_session_disk = {
	.name = "sessions-on-disk",
	.commit_asked = sessions_asked,
	.commit_before = sessions_durable,
	.commit_after = sessions_after,
	.table = sessions_check,
};
