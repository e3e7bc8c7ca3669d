/*
 * questions.c - what people ask each other and answer, change, repeat after lost answers, skip and
 * cancel; that an answer is counted once and stored once, that the last of
 * them ends its question and nothing follows it, also no change of an answer, that askers' open
 * questions are counted, and that an asker alone is told of the end.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"

#define NO_QUESTION "q_2222222222"

/* ---- what is on the disk ---- */

static bool is_open(enum question_status status)
{
	return status == QUESTION_OPEN || status == QUESTION_PARTIAL;
}

/* The item of a row, until the next is read. */
static const void *item_of(struct world *w, struct slice pk, struct slice sk, struct slice value)
{
	void *item = NULL;
	struct fault fault;
	arena_reset(&w->arena);
	enum err e =
		item_decode(item_kind_of(pk, sk), value, RECORD_STRICT, &w->arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	return item;
}

static const void *item_of_row(struct world *w, const struct table_row *row)
{
	return item_of(w, row_pk(row), slice_of(row->sk, row->sk_len),
		       slice_of(row->value, row->value_len));
}

static const struct table_row *question_row(const struct world *w, const char *id)
{
	char pk[48];
	size_t len = (size_t)snprintf(pk, sizeof(pk), "QUESTION:%s", id);
	return table_find(&w->table, slice_of(pk, len), SLICE("QUESTION"));
}

static int64_t responses_of(const struct world *w, struct slice pk)
{
	int64_t n = 0;
	TABLE_EACH (&w->table, ITEM_RESPONSE, row) {
		n += slice_eq(row_pk(row), pk);
	}
	return n;
}

/* Answers are kept longer than questions, so all that were ever counted are there. */
static void question_holds(struct world *w, const struct table_row *row)
{
	const struct question_item *q = item_of_row(w, row);
	int64_t n = responses_of(w, row_pk(row));
	bool is_full = q->current_responses == q->required_responses;
	if (n != q->current_responses) {
		broken(w, CLAIM_RULES, "a question counts %lld answers and has %lld",
		       (long long)q->current_responses, (long long)n);
	} else if ((is_full && q->status != QUESTION_CLOSED) ||
		   (q->status == QUESTION_OPEN && n > 0) ||
		   (q->status == QUESTION_PARTIAL && n == 0)) {
		broken(w, CLAIM_RULES, "a question with %lld of %lld answers is %s", (long long)n,
		       (long long)q->required_responses,
		       words_text(&words_question_status, (int)q->status));
	}
}

static void asker_holds(struct world *w, const struct table_row *row)
{
	int64_t open = ((const struct asker_item *)item_of_row(w, row))->open_questions;
	struct slice user_id = slice_of(row->pk + 6, row->pk_len - 6);
	int64_t n = 0;
	TABLE_EACH (&w->table, ITEM_QUESTION, other) {
		const struct question_item *q = item_of_row(w, other);
		n += slice_eq(q->agent_id, user_id) && is_open(q->status);
	}
	if (n != open) {
		broken(w, CLAIM_RULES, "an asker counts %lld open questions and has %lld",
		       (long long)open, (long long)n);
	}
}

static void questions_hold(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_QUESTION, row) {
		question_holds(w, row);
	}
	TABLE_EACH (&w->table, ITEM_ASKER, row) {
		asker_holds(w, row);
	}
}

/* How many answers of that question the commit removes that are on the disk. */
static int64_t answers_removed(const struct world *w, const struct sim_commit *c, struct slice pk)
{
	int64_t n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		n += op->kind == STORE_DELETE && slice_eq(op->pk, pk) &&
		     item_kind_of(op->pk, op->sk) == ITEM_RESPONSE &&
		     table_find(&w->table, op->pk, op->sk) != NULL;
	}
	return n;
}

/*
 * A question closes with the last of its answers. What has ended stays as it ended, until it is removed, but for answers
 * that the server's owner takes away, and for its asker, who may be deleted.
 */
static void questions_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind != STORE_PUT || item_kind_of(op->pk, op->sk) != ITEM_QUESTION) {
			continue;
		}
		const struct table_row *row = table_find(&w->table, op->pk, op->sk);
		const struct question_item *q =
			row == NULL ? NULL : (const struct question_item *)item_of_row(w, row);
		enum question_status before = q == NULL ? QUESTION_OPEN : q->status;
		int64_t had = q == NULL ? 0 : q->current_responses;
		int64_t closed_at = q == NULL ? 0 : q->closed_at;
		bool had_asker = q != NULL && q->agent_id.len > 0;
		q = item_of(w, op->pk, op->sk, op->value);
		int64_t removed = answers_removed(w, c, op->pk);
		bool loses_asker = had_asker && q->agent_id.len == 0 && q->asked_by.len == 0;
		bool is_kept = q->status == before && q->closed_at == closed_at &&
			       had - q->current_responses == removed;
		if (!is_open(before) && (!is_kept || (removed == 0 && !loses_asker))) {
			broken(w, CLAIM_RULES, "a question is changed that has ended");
		} else if (q->agent_id.len == 0 && is_open(q->status)) {
			broken(w, CLAIM_RULES, "a question of nobody is open");
		} else if (is_open(before) && q->status == QUESTION_CLOSED && !w->is_batched &&
			   q->current_responses != q->required_responses) {
			broken(w, CLAIM_RULES, "a question closes without its last answer");
		}
	}
}

/* Of a question that is open on the disk: its end may be in the same commit, not before it. */
static void answers_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind != STORE_PUT || item_kind_of(op->pk, op->sk) != ITEM_RESPONSE) {
			continue;
		}
		const struct table_row *row = table_find(&w->table, op->pk, SLICE("QUESTION"));
		bool is_change = table_find(&w->table, op->pk, op->sk) != NULL;
		bool has_ended =
			row == NULL ||
			!is_open(((const struct question_item *)item_of_row(w, row))->status);
		if (has_ended || (is_change && planted(w, BREAK_LATE_CHANGE, 1))) {
			broken(w, CLAIM_RULES, "an answer is %s when its question has ended",
			       is_change ? "changed" : "given");
		}
	}
}

static void questions_commit(struct world *w, const struct sim_commit *c)
{
	questions_before(w, c);
	answers_before(w, c);
}

static void questions_after(struct world *w, const struct sim_commit *c)
{
	bool has_some = false;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		has_some = has_some || slice_starts(c->ops[i].pk, SLICE("QUESTION:"));
	}
	if (has_some) {
		questions_hold(w);
	}
}

/* ---- answers leave ---- */

#define MINE_MAX 5

/* What a page lists, kept while the disk is read in the same arena. */
struct mine {
	char ids[MINE_MAX][20];
	size_t n;
};

/* Nobody else's question; one that was removed meanwhile may have been anybody's. */
static void questions_mine(struct world *w, const struct op *op, const struct mine *mine,
			   const char *user_id)
{
	for (size_t i = 0; i < mine->n; i++) {
		const struct table_row *row = question_row(w, mine->ids[i]);
		const struct question_item *q = row == NULL ? NULL : item_of_row(w, row);
		if (q != NULL && !slice_eq(q->agent_id, slice_str(user_id))) {
			broken(w, CLAIM_SECRECY, "%s lists what another has asked",
			       method_rows[op->method].name);
		}
	}
}

/* Nor anybody else's answer, of whom the disk has only a hash. */
static void answers_mine(struct world *w, const struct op *op, const struct mine *mine,
			 const char *user_id)
{
	struct key_text hash = key_hash(w->config.server_key, "fingerprint", slice_str(user_id));
	for (size_t i = 0; i < mine->n; i++) {
		TABLE_EACH (&w->table, ITEM_RESPONSE, row) {
			const struct response_item *item = item_of_row(w, row);
			if (slice_eq(item->response_id, slice_str(mine->ids[i])) &&
			    !slice_eq(item->fingerprint_hash, slice_str(hash.text))) {
				broken(w, CLAIM_SECRECY, "%s lists what another has answered",
				       method_rows[op->method].name);
			}
		}
	}
}

static void mine_granted(struct world *w, const struct op *op, const union method_result *result)
{
	const struct session *s = op->session == 0 ? NULL : &w->sessions.all[op->session - 1];
	bool is_asked = op->method == METHOD_QUESTION_MINE;
	struct mine mine = {.n = is_asked ? result->QUESTION_MINE.questions_n
					  : result->ANSWER_MINE.answers_n};
	ASSERT_CMP(mine.n, <=, MINE_MAX);
	for (size_t i = 0; i < mine.n; i++) {
		view_text(mine.ids[i], sizeof(mine.ids[i]),
			  is_asked ? result->QUESTION_MINE.questions[i].question_id
				   : result->ANSWER_MINE.answers[i].response_id);
	}
	const char *user_id = planted(w, BREAK_OTHER_MINE, 1) ? "SOMEBODYELSE"
			      : s == NULL || !op->is_settled  ? NULL
							      : s->user_id;
	if (user_id != NULL) {
		(is_asked ? questions_mine : answers_mine)(w, op, &mine, user_id);
	}
}

static void questions_granted(struct world *w, struct conn *c, const struct op *op,
			      const union method_result *result)
{
	(void)c;
	if (op->method == METHOD_QUESTION_MINE || op->method == METHOD_ANSWER_MINE) {
		mine_granted(w, op, result);
	} else if (op->method == METHOD_QUESTION_ASK) {
		const struct question_ask_result *asked = &result->QUESTION_ASK;
		int64_t usual = asked->people < 1 ? 1 : asked->people < 5 ? asked->people : 5;
		if (asked->required_responses != (op->value > 0 ? (int64_t)op->value : usual)) {
			broken(w, CLAIM_RULES, "a question for %lld people needs %lld answers",
			       (long long)asked->people, (long long)asked->required_responses);
		}
		char id[20];
		view_text(id, sizeof(id), result->QUESTION_ASK.question_id);
		if (question_row(w, id) == NULL && op->jumps_before == w->jumps && !op->is_again) {
			broken(w, CLAIM_DURABLE,
			       "a question is answered for that is not on the disk");
		}
	} else if (op->method == METHOD_QUESTION_ANSWER && question_row(w, op->text) != NULL &&
		   !owner_may_have_removed(w, op->text)) {
		TABLE_EACH (&w->table, ITEM_RESPONSE, row) {
			if (slice_eq(((const struct response_item *)item_of_row(w, row))
					     ->response_id,
				     result->QUESTION_ANSWER.response_id)) {
				return;
			}
		}
		broken(w, CLAIM_DURABLE, "an answer is thanked for that is not on the disk");
	}
}

/* Nobody else hears of it; who the asker was is not known any more once the question is removed. */
static void questions_notice(struct world *w, struct conn *c, enum notice notice,
			     const union notice_record *rec)
{
	const struct session *s = session_of_conn(w, c);
	if (notice != NOTICE_QUESTION_ENDED || s == NULL || c->session_is_unsure) {
		return;
	}
	char id[20], user_id[sizeof(s->user_id)];
	(void)snprintf(user_id, sizeof(user_id), "%s",
		       planted(w, BREAK_OTHER_END, 1) ? "SOMEBODYELSE" : s->user_id);
	view_text(id, sizeof(id), rec->question_ended.question_id);
	const struct table_row *row = question_row(w, id);
	const struct question_item *q = row == NULL ? NULL : item_of_row(w, row);
	if (q != NULL && q->agent_id.len > 0 && !slice_eq(q->agent_id, slice_str(user_id))) {
		broken(w, CLAIM_SECRECY, "%s is told of the end of another's question",
		       member_name(w, c->member));
	} else if (q != NULL && is_open(q->status) && w->jumps == 0) {
		broken(w, CLAIM_DURABLE, "the end of a question is told that is not on the disk");
	}
}

static bool asker_may_be_barred(const struct world *w, const struct op *op)
{
	return op->session != 0 &&
	       user_may_be_barred(w, w->sessions.all[op->session - 1].user_id, op);
}

/* Nothing comes back: an end holds, and so does an answer. */
static bool questions_may_refuse(struct world *w, const struct op *op, enum fault_code code)
{
	const struct table_row *row = question_row(w, op->text);
	const struct question_item *q = row == NULL ? NULL : item_of_row(w, row);
	switch (code) {
	case FAULT_UNAUTHENTICATED:
	case FAULT_RATE_LIMITED:
		return true;
	case FAULT_UNAVAILABLE:
		return op->faults_before != w->faults || w->node->is_stopping ||
		       w->commits != NULL || w->nodes_n > 1;
	case FAULT_QUESTION_NOT_FOUND:
		return q == NULL;
	case FAULT_QUESTION_CLOSED:
		return q == NULL || !is_open(q->status);
	case FAULT_EXPIRED:
		return q == NULL || q->status == QUESTION_EXPIRED || q->ends_at <= w->wall_ms ||
		       op->jumps_before != w->jumps;
	case FAULT_ALREADY_ANSWERED:
		return op->method == METHOD_QUESTION_SKIP &&
		       (q == NULL || q->current_responses > 0 ||
			owner_may_have_removed(w, op->text));
	case FAULT_FORBIDDEN:
		return op->method == METHOD_QUESTION_ASK ? asker_may_be_barred(w, op)
							 : op->method != METHOD_QUESTION_GET;
	default:
		return false;
	}
}

static void questions_judge(struct world *w, struct conn *c, const struct op *op,
			    const struct fault *f)
{
	(void)c;
	if (!questions_may_refuse(w, op, f->code)) {
		broken(w, CLAIM_RULES, "%s of %s about %s is refused without a reason: %s",
		       method_rows[op->method].name, member_name(w, op->member), op->text,
		       fault_code_name(f->code));
	}
}

static const struct request questions_requests[] = {
	{.method = METHOD_QUESTION_ASK, .refused = questions_judge},
	{.method = METHOD_QUESTION_ANSWER, .refused = questions_judge},
	{.method = METHOD_QUESTION_SKIP, .refused = questions_judge},
	{.method = METHOD_QUESTION_CANCEL, .refused = questions_judge},
	{.method = METHOD_QUESTION_GET, .refused = questions_judge},
	{.method = METHOD_QUESTION_LIST, .refused = questions_judge},
	{.method = METHOD_QUESTION_WATCH, .refused = questions_judge},
	{.method = METHOD_QUESTION_UNWATCH, .refused = questions_judge},
	{.method = METHOD_QUESTION_MINE, .refused = questions_judge},
	{.method = METHOD_ANSWER_MINE, .refused = questions_judge},
};

/* ---- acts ---- */

/* Without a session all is refused alike: that is tried now and then. */
static bool is_worth_it(struct world *w, const struct conn *c)
{
	return session_of_conn(w, c) != NULL || dice_percent(&w->dice, 4);
}

/* One of those on the disk, mostly one that was asked lately; or one that nobody has asked. */
static struct slice some_question(struct world *w, struct op *about)
{
	size_t n = 0;
	view_text(about->text, sizeof(about->text), SLICE(NO_QUESTION));
	TABLE_EACH (&w->table, ITEM_QUESTION, row) {
		if (dice_below(&w->dice, (uint32_t)++n) < 2) {
			view_text(about->text, sizeof(about->text),
				  slice_of(row->pk + 9, row->pk_len - 9));
		}
	}
	return slice_str(about->text);
}

void send_ask(struct world *w, struct conn *c, int64_t min_responses, int64_t seconds,
	      const char *once)
{
	static struct slice options[] = {SLICE_INIT("yes"), SLICE_INIT("no")};
	struct op about = {.value = (size_t)min_responses};
	struct question_ask_params p = {
		.prompt = SLICE("Is it so, or not?"),
		.type = QUESTION_CHOICE,
		.options = {options, 2},
		.min_responses = min_responses,
		.timeout_seconds = seconds,
	};
	SEND_ONCE(p, about, once);
	send_op(w, c, METHOD_QUESTION_ASK, -1, &p, &about);
}

static void act_ask(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	int64_t min_responses = dice_between(&w->dice, 0, 3); /* 0: as many as there are */
	int64_t seconds = dice_percent(&w->dice, 50) ? 60 : 3600;
	(void)room;
	if (is_worth_it(w, c)) {
		send_ask(w, c, min_responses, seconds, key);
	}
}

static void send_answer(struct world *w, struct conn *c, struct op *about)
{
	char once[40];
	const char *key = act_once(w, once);
	struct question_answer_params p = {
		.question_id = slice_str(about->text),
		.selected_option = dice_below(&w->dice, 2),
		.with_selected_option = true,
		.confidence = dice_below(&w->dice, 6),
	};
	SEND_ONCE(p, *about, key);
	send_op(w, c, METHOD_QUESTION_ANSWER, -1, &p, about);
}

static void act_answer(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	(void)some_question(w, &about);
	if (strcmp(about.text, NO_QUESTION) == 0 && dice_percent(&w->dice, 90)) {
		act_ask(w, c, room);
	} else if (is_worth_it(w, c)) {
		send_answer(w, c, &about);
	}
}

/* Those who have a login answer one question at once; the others log in, for the next. */
static void act_crowd(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	(void)room;
	(void)some_question(w, &about);
	if (strcmp(about.text, NO_QUESTION) == 0) {
		if (session_of_conn(w, c) != NULL) {
			send_ask(w, c, 5, 3600, NULL);
		}
		return;
	}
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *one = w->conns[i];
		struct op answer = about;
		char name[32];
		if (!one->is_desk || !one->is_greeted || one->is_broken || one->says_nothing ||
		    !one->server_has || one->up.len > 4096) {
			continue;
		}
		(void)snprintf(name, sizeof(name), "person %d", one->member);
		if (session_of_conn(w, one) == NULL) {
			send_login_as(w, one, name, false);
		} else {
			send_answer(w, one, &answer);
		}
	}
}

static void act_end_or_skip(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct question_change_params p = {.question_id = some_question(w, &about)};
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	SEND_ONCE(p, about, key);
	send_op(w, c, dice_percent(&w->dice, 50) ? METHOD_QUESTION_CANCEL : METHOD_QUESTION_SKIP,
		-1, &p, &about);
}

static void act_read(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (dice_percent(&w->dice, 20)) {
		struct question_mine_params mine = {.limit = MINE_MAX, .with_limit = true};
		send_op(w, c, METHOD_QUESTION_MINE, -1, &mine, &about);
	} else if (dice_percent(&w->dice, 20)) {
		struct answer_mine_params mine = {.limit = MINE_MAX, .with_limit = true};
		send_op(w, c, METHOD_ANSWER_MINE, -1, &mine, &about);
	} else if (dice_percent(&w->dice, 30)) {
		struct question_list_params list = {.limit = 5, .with_limit = true};
		send_op(w, c, METHOD_QUESTION_LIST, -1, &list, &about);
	} else if (dice_percent(&w->dice, 50)) {
		struct question_get_params get = {.question_id = some_question(w, &about)};
		send_op(w, c, METHOD_QUESTION_GET, -1, &get, &about);
	} else {
		struct question_params watch = {.question_id = some_question(w, &about)};
		send_op(w, c, METHOD_QUESTION_WATCH, -1, &watch, &about);
	}
}

static const struct act questions_acts[] = {
	{6, act_ask, false},	     {24, act_answer, false}, {6, act_crowd, false},
	{4, act_end_or_skip, false}, {14, act_read, false},
};

const struct feature feature_questions = {
	.name = "questions",
	FEATURE_ROWS(desk_acts, questions_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, questions_requests),
	.granted = questions_granted,
	.notice = questions_notice,
	.commit_before = questions_commit,
	.commit_after = questions_after,
	.table = questions_hold,
};
