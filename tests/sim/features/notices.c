/*
 * notices.c - subscriptions to notices of questions: that nobody is sent two notices of one question, over
 * whatever restarts; that what is sent was stored before, and goes neither to the asker nor to those who
 * have answered or skipped; and that subscriptions are counted.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"

/* ---- what is on the disk ---- */

static const void *notices_item(struct world *w, struct slice pk, struct slice sk,
				struct slice value)
{
	void *item = NULL;
	struct fault fault;
	enum err e =
		item_decode(item_kind_of(pk, sk), value, RECORD_STRICT, &w->arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	return item;
}

static const void *notices_row_item(struct world *w, const struct table_row *row)
{
	return notices_item(w, row_pk(row), slice_of(row->sk, row->sk_len),
			    slice_of(row->value, row->value_len));
}

static const struct table_row *notices_find(struct world *w, const char *prefix, struct slice rest,
					    const char *sk, const char *sk_rest)
{
	char pk[96];
	char whole[96];
	size_t pk_len =
		(size_t)snprintf(pk, sizeof(pk), "%s%.*s", prefix, (int)rest.len, rest.data);
	size_t sk_len = (size_t)snprintf(whole, sizeof(whole), "%s%s", sk, sk_rest);
	return table_find(&w->table, slice_of(pk, pk_len), slice_of(whole, sk_len));
}

static struct key_text notices_fingerprint(const struct world *w, struct slice user_id)
{
	return key_hash(w->config.server_key, "fingerprint", user_id);
}

static void subscription_holds(struct world *w, const struct table_row *row)
{
	const struct subscription_item *s = notices_row_item(w, row);
	int64_t n = 0;
	TABLE_EACH (&w->table, ITEM_SUBSCRIPTION, other) {
		n += slice_eq(
			((const struct subscription_item *)notices_row_item(w, other))->user_id,
			s->user_id);
	}
	const struct table_row *counted =
		notices_find(w, "SUBSCRIBER:", s->user_id, "SUBSCRIBER", "");
	int64_t count = counted == NULL
				? 0
				: ((const struct subscriber_item *)notices_row_item(w, counted))
					  ->subscriptions;
	if (count != n) {
		broken(w, CLAIM_RULES, "a user counts %lld subscriptions and has %lld",
		       (long long)count, (long long)n);
	}
}

static void notices_hold(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_SUBSCRIPTION, row) {
		arena_reset(&w->arena);
		subscription_holds(w, row);
	}
}

/* What a commit writes of a question that the table does not have yet, and which may be over by the end of it; or NULL. */
static const struct question_item *notices_asked(struct world *w, const struct sim_commit *c,
						 struct slice question_id)
{
	for (size_t i = 0; i < c->n && w->is_batched; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind == STORE_PUT && item_kind_of(op->pk, op->sk) == ITEM_QUESTION &&
		    slice_eq(slice_of(op->pk.data + 9, op->pk.len - 9), question_id)) {
			return notices_item(w, op->pk, op->sk, op->value);
		}
	}
	return NULL;
}

/* That person may be notified of the question, as the table was before this commit. */
static void notices_may(struct world *w, const struct sim_commit *c, struct slice question_id,
			struct slice user_id)
{
	struct key_text fingerprint = notices_fingerprint(w, user_id);
	const struct table_row *row = notices_find(w, "QUESTION:", question_id, "QUESTION", "");
	const struct question_item *q =
		row == NULL ? notices_asked(w, c, question_id) : notices_row_item(w, row);
	if (q == NULL || (row != NULL && q->closed_at > 0)) {
		broken(w, CLAIM_RULES, "a notice of a question that is over");
	} else if (slice_eq(q->agent_id, user_id)) {
		broken(w, CLAIM_RULES, "a notice to the asker");
	} else if (notices_find(w, "QUESTION:", question_id, "RESPONSE:", fingerprint.text) !=
			   NULL ||
		   notices_find(w, "QUESTION:", question_id, "SKIP:", fingerprint.text) != NULL) {
		broken(w, CLAIM_RULES, "a notice to somebody who has answered or skipped");
	} else if (notices_find(w, "QUESTION:", question_id, "NOTIFIED:", fingerprint.text) !=
		   NULL) {
		broken(w, CLAIM_RULES, "a second notice to the same person");
	}
}

/* One person's notice: one run of the command. Two people may have the same address, and then each has a run. */
static void notices_allow_run(struct world *w, struct slice address, struct slice question_id)
{
	struct sim_run *run = &w->runs[w->runs_n++ % SIM_NOTICES_MAX];
	int len = snprintf(run->input, sizeof(run->input),
			   "{\"address\":\"%.*s\",\"question_id\":\"%.*s\",", (int)address.len,
			   address.data, (int)question_id.len, question_id.data);
	ASSERT_CMP((size_t)len, <, sizeof(run->input));
	run->is_due = true;
}

/* The same where the subscription has come and gone within the commit: the address is not known. */
static void notices_allow_some_run(struct world *w, struct slice question_id)
{
	struct sim_run *run = &w->runs[w->runs_n++ % SIM_NOTICES_MAX];
	int len = snprintf(run->input, sizeof(run->input), "\"question_id\":\"%.*s\",",
			   (int)question_id.len, question_id.data);
	ASSERT_CMP((size_t)len, <, sizeof(run->input));
	run->is_due = true;
}

static bool notices_is_run(const struct sim_run *run, struct slice input)
{
	bool is_of = slice_starts(input, slice_str(run->input));
	for (size_t i = 0; run->input[0] == '"' && i < input.len && !is_of; i++) {
		is_of = slice_starts(slice_of(input.data + i, input.len - i),
				     slice_str(run->input));
	}
	return is_of;
}

/* Of one that was passed over, too. */
static int64_t notices_last(const struct subscription_item *s)
{
	return s->with_notified_at ? s->notified_at : s->last_notified_at;
}

static bool notices_is_note(const struct store_op *op)
{
	return op->kind == STORE_PUT && item_kind_of(op->pk, op->sk) == ITEM_NOTIFIED;
}

/* The note says of which question the person has it; a commit of several transactions may have rounds of several. */
static void notices_turn(struct world *w, const struct sim_commit *c,
			 const struct subscription_item *s, bool is_later)
{
	struct key_text fingerprint = notices_fingerprint(w, s->user_id);
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (!notices_is_note(op) || !slice_eq(slice_of(op->sk.data + 9, op->sk.len - 9),
						      slice_str(fingerprint.text))) {
			continue;
		}
		struct slice question_id = slice_of(op->pk.data + 9, op->pk.len - 9);
		n++;
		if (is_later) {
			notices_may(w, c, question_id, s->user_id);
		}
		if (s->channel == CHANNEL_COMMAND) {
			notices_allow_run(w, s->address, question_id);
		}
	}
	if (is_later && n == 0 && !w->is_batched) {
		broken(w, CLAIM_RULES, "a subscription has its turn, and its user no note");
	}
}

/* A round is whole: for each person a note and a subscription, and the question counts it. */
static void notices_before(struct world *w, const struct sim_commit *c)
{
	size_t notified = 0, turns = 0;
	arena_reset(&w->arena);
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		notified += notices_is_note(&c->ops[i]);
	}
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind != STORE_PUT || item_kind_of(op->pk, op->sk) != ITEM_SUBSCRIPTION) {
			continue;
		}
		const struct table_row *row = table_find(&w->table, op->pk, op->sk);
		const struct subscription_item *was = row == NULL ? NULL : notices_row_item(w, row);
		const struct subscription_item *now = notices_item(w, op->pk, op->sk, op->value);
		bool is_passed = now->with_notified_at;
		bool is_later =
			was != NULL && !is_passed && now->last_notified_at != was->last_notified_at;
		/* Else in the same millisecond, or by a clock that was set back to it. */
		bool is_turn = is_later || (was != NULL && !is_passed && notified > 0);
		if (w->is_batched) { /* made, or passed over, beside its turn */
			is_turn = is_turn || notified > 0;
		} else if (is_passed && was != NULL && notices_last(now) != notices_last(was)) {
			broken(w, CLAIM_RULES, "one who is passed over loses their last notice");
		}
		turns += is_turn;
		if (is_turn) {
			notices_turn(w, c, now, is_later);
		}
	}
	/* Where commits are of several, one may be made, notified and deleted in the same. */
	for (size_t i = 0; w->is_batched && turns < notified && c->room < 0 && i < c->n; i++) {
		if (notices_is_note(&c->ops[i])) {
			notices_allow_some_run(w, slice_of(c->ops[i].pk.data + 9,
							   c->ops[i].pk.len - 9));
		}
	}
	if (turns != notified && !w->is_batched) {
		broken(w, CLAIM_RULES,
		       "%zu people are noted as notified, and %zu subscriptions have their turn",
		       notified, turns);
	}
}

static void notices_after(struct world *w, const struct sim_commit *c)
{
	bool has_some = false;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		has_some = has_some || slice_starts(c->ops[i].pk, SLICE("SUBSCRIPTION:"));
	}
	if (has_some) {
		notices_hold(w);
	}
}

/* ---- what is sent ---- */

/*
 * Of each notice one note; the oldest is overwritten, of a question that is long over. Each server sends it to its own
 * connections of the user.
 */
static void notices_remember(struct world *w, uint64_t what, uint32_t serial)
{
	struct sim_notice *at = NULL;
	for (size_t i = 0; i < SIM_NOTICES_MAX; i++) {
		struct sim_notice *n = &w->notices[i];
		bool is_of_before = n->node == w->node && n->life != w->node->life;
		if (n->what == what && (n->serial == serial || is_of_before)) {
			broken(w, CLAIM_RULES, "the same notice is sent twice%s",
			       is_of_before ? ", before and after a restart" : "");
		}
	}
	at = &w->notices[w->notices_n++ % SIM_NOTICES_MAX];
	*at = (struct sim_notice){what, serial, w->node, w->node->life};
}

static uint64_t notices_hash(struct slice text)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < text.len; i++) {
		h = (h ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
	}
	return h;
}

static void notices_notice(struct world *w, struct conn *c, enum notice notice,
			   const union notice_record *rec)
{
	const struct session *s = session_of_conn(w, c);
	const struct question_notice *n = &rec->question_notice;
	char text[64];
	if (notice != NOTICE_QUESTION_NOTICE || s == NULL || c->session_is_unsure) {
		return;
	}
	struct slice user_id = slice_str(s->user_id);
	struct key_text fingerprint = notices_fingerprint(w, user_id);
	const struct table_row *row = notices_find(w, "QUESTION:", n->question_id, "QUESTION", "");
	if (row != NULL && w->jumps == 0 &&
	    notices_find(w, "QUESTION:", n->question_id, "NOTIFIED:", fingerprint.text) == NULL &&
	    n->expires_at > w->wall_ms) {
		broken(w, CLAIM_DURABLE, "a notice to %s that is not on the disk",
		       member_name(w, c->member));
	}
	size_t len = (size_t)snprintf(text, sizeof(text), "%.*s %s", (int)n->question_id.len,
				      n->question_id.data, s->user_id);
	notices_remember(w, notices_hash(slice_of(text, len)), c->serial);
}

static void notices_command(struct world *w, struct slice input)
{
	bool has_run = false;
	for (size_t i = 0; i < SIM_NOTICES_MAX; i++) {
		struct sim_run *run = &w->runs[i];
		if (run->input[0] == '\0' || !notices_is_run(run, input)) {
			continue;
		}
		if (run->is_due) {
			run->is_due = false;
			return;
		}
		has_run = true;
	}
	if (has_run) {
		broken(w, CLAIM_RULES, "the command is run twice for one notice");
	} else {
		broken(w, CLAIM_DURABLE, "the command is run for a notice that is not on the disk");
	}
}

/* ---- answers ---- */

static void notices_judge(struct world *w, struct conn *c, const struct op *op,
			  const struct fault *f)
{
	(void)c;
	switch (f->code) {
	case FAULT_UNAUTHENTICATED:
	case FAULT_RATE_LIMITED:
		return;
	case FAULT_QUOTA_EXCEEDED:
		if (op->method == METHOD_SUBSCRIPTION_CREATE) {
			return;
		}
		break;
	case FAULT_NOT_FOUND:
		if (op->method != METHOD_SUBSCRIPTION_CREATE) {
			return;
		}
		break;
	case FAULT_UNAVAILABLE:
		if (op->faults_before != w->faults || w->node->is_stopping || w->commits != NULL ||
		    w->nodes_n > 1) {
			return;
		}
		break;
	default:
		break;
	}
	broken(w, CLAIM_RULES, "%s of %s is refused without a reason: %s",
	       method_rows[op->method].name, member_name(w, op->member), fault_code_name(f->code));
}

static const struct request notices_requests[] = {
	{.method = METHOD_SUBSCRIPTION_CREATE, .refused = notices_judge},
	{.method = METHOD_SUBSCRIPTION_UPDATE, .refused = notices_judge},
	{.method = METHOD_SUBSCRIPTION_DELETE, .refused = notices_judge},
	{.method = METHOD_SUBSCRIPTION_LIST, .refused = notices_judge},
};

/* ---- acts ---- */

static void act_subscribe(struct world *w, struct conn *c, int room)
{
	char once[40];
	char address[24];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct subscription_create_params p = {
		.channel = w->config.has_command && dice_percent(&w->dice, 30) ? CHANNEL_COMMAND
									       : CHANNEL_LIVE,
		.min_interval_minutes = MAX_SUBSCRIPTION_MINUTES_MIN,
		.with_min_interval_minutes = true,
	};
	(void)room;
	if (session_of_conn(w, c) == NULL && dice_percent(&w->dice, 96)) {
		return;
	}
	/* Two have the same address only where one request is repeated by another user. */
	if (p.channel == CHANNEL_COMMAND) {
		int len = snprintf(address, sizeof(address), "a%u", ++w->addresses);
		p.address = slice_of(address, (size_t)len);
	}
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_SUBSCRIPTION_CREATE, -1, &p, &about);
}

static void act_change_subscription(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct slice id = SLICE("s_2222222222");
	uint32_t n = 0;
	TABLE_EACH (&w->table, ITEM_SUBSCRIPTION, row) {
		if (dice_below(&w->dice, ++n) == 0) {
			id = slice_of(row->pk + 13, row->pk_len - 13);
		}
	}
	(void)room;
	if (session_of_conn(w, c) == NULL && dice_percent(&w->dice, 96)) {
		return;
	}
	if (dice_percent(&w->dice, 40)) {
		struct subscription_params p = {.subscription_id = id};
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_SUBSCRIPTION_DELETE, -1, &p, &about);
	} else if (dice_percent(&w->dice, 60)) {
		struct subscription_update_params p = {.subscription_id = id,
						       .active = dice_percent(&w->dice, 60),
						       .with_active = true};
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_SUBSCRIPTION_UPDATE, -1, &p, &about);
	} else {
		struct nothing p = {.end_of_record = 0};
		send_op(w, c, METHOD_SUBSCRIPTION_LIST, -1, &p, &about);
	}
}

static const struct act notices_acts[] = {
	{14, act_subscribe, false},
	{8, act_change_subscription, false},
};

const struct feature feature_notices = {
	.name = "notices",
	FEATURE_ROWS(desk_acts, notices_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, notices_requests),
	.notice = notices_notice,
	.command = notices_command,
	.commit_before = notices_before,
	.commit_after = notices_after,
	.table = notices_hold,
};
