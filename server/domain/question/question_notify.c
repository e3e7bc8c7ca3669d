/*
 * question_notify.c - who is sent a notice of a question, and when.
 *
 * A question has two rounds: when it is asked, and once more NOTICES_AGAIN_MS later
 * if it still needs answers. In each, NOTICES_PER_ANSWER people are drawn for
 * each answer that it needs: among the NOTICE_CANDIDATES active subscriptions that
 * have waited longest those that may be notified now; people who are connected
 * first, then those whom the command reaches.
 *
 * A round is one commit: the question's count of rounds, for each person a NOTIFIED
 * item and their subscription's last_notified_at. The notices go when that is
 * durable; what ends the server meanwhile loses them, and nobody gets two. A round
 * that was not committed is due still, and found by the sweeper.
 *
 * Who can have no notice of this question, for its audience say, would stand first in
 * line for ever: where others wait behind the NOTICE_CANDIDATES and too few of those were
 * found, as many as PASSED_MAX of them are put behind, and keep the time of their last notice.
 *
 * The draw is a keyed hash of question, round and user: it is the same in each run
 * of the transaction, which reads what those need who are drawn.
 *
 * Rounds wait in one line: many questions at once draw from the same
 * subscriptions, and would do nothing but conflict.
 */
#include "server/domain/question/question.h"

#include <stdlib.h>

#include "proto/base/format.h"
#include "server/domain/base/user_barred.h"

/* What the command is given. */
#define RECORD_command_notice(F)                                                             \
	F_WRITTEN(F, address, FIELD_REQ, MAX_SUBSCRIPTION_ADDRESS_CHARS, "The subscription") \
	F_OF_QUESTION(F)                                                                     \
	F(ENUM, type, question_type, FIELD_REQ, 0, WORDS_LAST(question_type),                \
	  "How it is answered")                                                              \
	F_WRITTEN(F, prompt, FIELD_REQ, MAX_QUESTION_PROMPT_CHARS, "What is asked")
RECORD_DECLARE(command_notice)
RECORD_DEFINE(command_notice)

#define ROUNDS 2

enum { PASSED_MAX = 200 }; /* put behind in one round */

/* Who is drawn before whom; in each of these, at random. */
enum reach {
	REACH_CONNECTED, /* by a notice on their connections, or by the command, while they are connected */
	REACH_COMMAND,
	REACH_NOBODY /* live, and nobody is there: drawn only where others wait behind it, which lets them come forward */
};

struct candidate {
	struct slice id;
	struct slice user_id;
	enum subscription_channel channel;
	const struct subscription_item
		*now; /* when it was read again: NULL where it was deleted meanwhile */
	enum reach reach;
	unsigned char draw[16];
};

int64_t question_due_at(const struct txn *t, const struct question_item *item)
{
	int64_t at = item->created_on + item->notices * t->limits[LIMIT_NOTICES_AGAIN_MS];
	return item->notices < ROUNDS && at < item->ends_at ? at : item->ends_at;
}

/* ---- who may be notified ---- */

/* As far as the subscription says; whoever has answered, skipped or been notified is left out later. */
static bool is_willing(const struct txn *t, const struct question_item *q,
		       const struct subscription_item *s)
{
	int64_t waited_ms =
		t->wall_ms - subscription_notified_at(s); /* below 0: the clock was set back */
	return s->with_active && !slice_eq(s->user_id, q->agent_id) &&
	       (waited_ms < 0 || waited_ms >= s->min_interval_minutes * 60000) &&
	       audience_meets(&q->audience, &s->audience) &&
	       (s->channel != CHANNEL_COMMAND || t->has_command);
}

static int by_draw(const void *a, const void *b)
{
	const struct candidate *x = a;
	const struct candidate *y = b;
	int order = (x->reach > y->reach) - (x->reach < y->reach);
	order = order != 0 ? order : memcmp(x->draw, y->draw, sizeof(x->draw));
	/* Of one person's the live one, which costs less. */
	return order != 0 ? order : (x->channel > y->channel) - (x->channel < y->channel);
}

/* Who is connected. Of many at other servers not all are looked at: those of a room or team then count as if they were. */
struct presence {
	struct slices elsewhere;
	bool has_more;
};

static bool is_connected(const struct txn *t, const struct question_item *q,
			 const struct presence *presence, struct slice user_id)
{
	return txn_user_is_connected(t, user_id) ||
	       question_accounts_have(&presence->elsewhere, user_id) ||
	       (presence->has_more && !question_is_for_all(q));
}

/* Those of found who may be notified, in the order in which they are drawn, and who may not. False when memory is out. */
static bool draw(struct txn *t, struct slice id, const struct question_item *q,
		 const struct slices *accounts, const struct presence *presence,
		 const struct txn_items *found, struct candidate **out, size_t *n,
		 struct slices *passed)
{
	char text[128];
	*n = 0;
	*out = arena_alloc(t->arena, (found->n + 1) * sizeof(**out));
	*passed =
		(struct slices){.items = arena_alloc(t->arena, PASSED_MAX * sizeof(struct slice))};
	if (*out == NULL || passed->items == NULL) {
		return false;
	}
	for (size_t i = 0; i < found->n; i++) {
		const struct subscription_item *s = txn_decode(t, &found->items[i]);
		bool is_there = s != NULL && is_connected(t, q, presence, s->user_id);
		if (s == NULL || !is_willing(t, q, s) ||
		    (!question_is_for_all(q) && !question_accounts_have(accounts, s->user_id))) {
			if (passed->n < PASSED_MAX) {
				passed->items[passed->n++] =
					item_pk_rest(&found->items[i], ITEM_SUBSCRIPTION);
			}
			continue;
		}
		if (!is_there && s->channel == CHANNEL_LIVE && !found->has_more) {
			continue;
		}
		struct candidate *c = &(*out)[(*n)++];
		*c = (struct candidate){
			.id = item_pk_rest(&found->items[i], ITEM_SUBSCRIPTION),
			.user_id = s->user_id,
			.channel = s->channel,
			.reach = is_there			 ? REACH_CONNECTED
				 : s->channel == CHANNEL_COMMAND ? REACH_COMMAND
								 : REACH_NOBODY,
		};
		size_t len = format_to(text, sizeof(text), "%.*s %lld %.*s", (int)id.len, id.data,
				       (long long)q->notices, (int)s->user_id.len, s->user_id.data);
		derive_bytes(t->server_key, "notice", slice_of(text, len), c->draw,
			     sizeof(c->draw));
	}
	if (*n > 1) {
		qsort(*out, *n, sizeof(**out), by_draw);
	}
	return true;
}

static bool is_of_same_person(const struct candidate *c, const struct candidate *const *others,
			      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_eq(others[i]->user_id, c->user_id)) {
			return true;
		}
	}
	return false;
}

/* ---- a round ---- */

static void send_notice(struct txn *t, struct slice id, const struct question_item *q,
			struct slice subscription_id, const struct subscription_item *s)
{
	struct subscription_item now = *s;
	struct notified_item notified = {.expires_at = question_kept_until(t, q, ITEM_NOTIFIED)};
	struct key_text fingerprint = user_fingerprint(t, now.user_id);
	now.last_notified_at = t->wall_ms;
	now.with_notified_at = false;
	txn_put(t, ITEM_SUBSCRIPTION, subscription_id, NO_SK, &now);
	txn_put_new(t, ITEM_NOTIFIED, id, slice_str(fingerprint.text), &notified);
	if (s->channel == CHANNEL_COMMAND) {
		struct command_notice notice = {.address = s->address,
						.question_id = id,
						.type = q->type,
						.prompt = q->prompt};
		txn_run_command(t, &record_command_notice, &notice, subscription_commanded,
				subscription_id);
		return;
	}
	struct question_notice notice = {
		.question_id = id,
		.type = q->type,
		.prompt = q->prompt,
		.audience = q->audience,
		.expires_at = q->ends_at,
		.subscription_id = subscription_id,
	};
	txn_notify(t, now.user_id, NOTICE_QUESTION_NOTICE, &notice);
}

/* Put as many of them behind as the transaction has items left for, each read and written. False while they load. */
static bool pass_over(struct txn *t, const struct slices *passed, size_t items_left)
{
	size_t n = passed->n < items_left / 2 ? passed->n : items_left / 2;
	for (size_t i = 0; i < n; i++) {
		(void)txn_get(t, ITEM_SUBSCRIPTION, passed->items[i], NO_SK);
	}
	for (size_t i = 0; !txn_is_loading(t) && i < n; i++) {
		const struct subscription_item *s =
			txn_get(t, ITEM_SUBSCRIPTION, passed->items[i], NO_SK);
		if (s != NULL && s->with_active) {
			struct subscription_item later = *s;
			later.notified_at = subscription_notified_at(s);
			later.with_notified_at = true;
			later.last_notified_at = t->wall_ms;
			txn_put(t, ITEM_SUBSCRIPTION, passed->items[i], NO_SK, &later);
		}
	}
	return !txn_is_loading(t);
}

/* The subscriptions to draw from; of one member there are few. */
static struct txn_items find_candidates(struct txn *t, const struct question_item *q)
{
	if (q->user_id.len > 0) {
		return txn_query(t, INDEX_BY_USER, q->user_id,
				 &(struct txn_range){.limit = MAX_SUBSCRIPTIONS});
	}
	return txn_query(t, INDEX_BY_LAST_NOTIFIED,
			 words_subscription_status.list[SUBSCRIPTION_ACTIVE],
			 &(struct txn_range){.limit = MAX_NOTICE_CANDIDATES});
}

enum txn_step question_notify(struct txn *t)
{
	const struct txn_next *p = t->params;
	struct slice id = p->key;
	const struct question_item *q = txn_get(t, ITEM_QUESTION, id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (q == NULL || question_has_ended(question_status_of(t, q)) || q->notices >= ROUNDS ||
	    question_due_at(t, q) > t->wall_ms) {
		return TXN_DONE;
	}
	struct slices accounts = {.n = 0};
	if (!question_is_for_all(q)) {
		enum txn_step step = question_accounts(t, q, &accounts);
		if (step != TXN_DONE) {
			return step;
		}
	}
	struct txn_items found = find_candidates(t, q);
	struct presence presence;
	question_seen_elsewhere(t, q, &presence.elsewhere, &presence.has_more);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct candidate *candidates;
	struct slices passed;
	size_t n;
	if (!draw(t, id, q, &accounts, &presence, &found, &candidates, &n, &passed)) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}

	/* While what a person's turn depends on loads, they count as one who gets it: so no more is asked for than may be needed. */
	size_t wanted =
		(size_t)((q->required_responses - q->current_responses) * MAX_NOTICES_PER_ANSWER);
	enum { READS = 4, WRITES = 2, LOOKED_MAX = MAX_TRANSACTION_ITEMS / READS };
	size_t most = (MAX_TRANSACTION_ITEMS - 2 - WRITES * wanted) / READS;
	const struct candidate *looked[LOOKED_MAX];
	const struct candidate *drawn[MAX_QUESTION_RESPONSES * MAX_NOTICES_PER_ANSWER];
	size_t looked_n = 0, drawn_n = 0;
	for (size_t i = 0; i < n && looked_n < most && drawn_n < wanted; i++) {
		struct candidate *c = &candidates[i];
		if (is_of_same_person(c, looked, looked_n)) {
			continue;
		}
		struct key_text key = user_fingerprint(t, c->user_id);
		struct slice fingerprint = slice_str(key.text);
		c->now = txn_get(t, ITEM_SUBSCRIPTION, c->id, NO_SK);
		bool is_out = txn_get(t, ITEM_RESPONSE, id, fingerprint) != NULL;
		is_out = txn_get(t, ITEM_SKIP, id, fingerprint) != NULL || is_out;
		is_out = txn_get(t, ITEM_NOTIFIED, id, fingerprint) != NULL || is_out;
		looked[looked_n++] = c;
		if (!is_out && (c->now == NULL || is_willing(t, q, c->now))) {
			drawn[drawn_n++] = c;
		}
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (found.has_more && drawn_n < wanted &&
	    !pass_over(t, &passed,
		       MAX_TRANSACTION_ITEMS - 2 - READS * looked_n - WRITES * drawn_n)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < drawn_n; i++) {
		if (drawn[i]->now != NULL) {
			send_notice(t, id, q, drawn[i]->id, drawn[i]->now);
		}
	}
	struct question_item now = *q;
	now.notices++;
	now.expires_at = question_kept_until(t, &now, ITEM_QUESTION);
	txn_put(t, ITEM_QUESTION, id, NO_SK, &now); /* nothing that anybody sees has changed */
	return TXN_DONE;
}
