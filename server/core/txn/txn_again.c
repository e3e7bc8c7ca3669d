/*
 * txn_again.c - transactions that have to run again: others were faster, or what they read is no more.
 *
 * On a server that is alone one loses to others of the same server, and runs again with the next turn,
 * TRANSACTION_RUNS times at most. Where several nodes share the table those that lost to each other would
 * meet again: from the second time on each waits for a moment at random, and gives up after RUNS_FOR_MS,
 * in which time without the table does not count.
 */
#include "server/core/txn/txn_priv.h"

#include <string.h>

#include "server/core/cluster/cluster.h"

#define RUNS_FOR_MS  5000
#define RUNS_DOUBLED 7

/* ---- what it has read is no more ---- */

void txn_overtake_readers(struct server *s, struct slice pk, struct slice sk)
{
	struct transaction *ta;
	DL_FOREACH (s->transactions, ta) {
		const struct store_item *item;
		ta->is_overtaken |= txn_read_of(ta, pk, sk, &item) != NULL;
	}
}

/*
 * A subscription that is being made depends on what its transaction has read: where one of
 * those items is gone now it runs again, although it writes nothing.
 */
void txn_overtake_subscribers(struct server *s, struct slice pk, struct slice sk)
{
	struct transaction *ta;
	DL_FOREACH (s->transactions, ta) {
		const struct store_item *item;
		ta->is_overtaken |= ta->topic.len > 0 && txn_read_of(ta, pk, sk, &item) != NULL;
	}
}

void txn_overtake_session(struct server *s, const struct key_text *token_hash)
{
	struct item_pk pk;
	struct transaction *ta;
	txn_overtake_readers(s, item_pk_of(&pk, ITEM_TOKEN, slice_str(token_hash->text)),
			     slice_str(item_rows[ITEM_TOKEN].sk));
	DL_FOREACH (s->transactions, ta) {
		ta->sets_session = ta->sets_session &&
				   !(ta->has_new_session && strcmp(ta->new_session.token_hash.text,
								   token_hash->text) == 0);
	}
}

void txn_overtake_all(struct server *s)
{
	struct transaction *ta;
	DL_FOREACH (s->transactions, ta) {
		ta->is_overtaken = true;
	}
}

/* ---- again, at once or after a while ---- */

void txn_wait_no_more(struct server *s, struct transaction *ta)
{
	if (ta->later_mono > 0) {
		ta->later_mono = 0;
		DL_DELETE2(s->transactions_later, ta, later_prev, later_next);
	}
}

/* Alone it loses to others of this server, whom it knows; on several nodes for as long as it takes. */
bool txn_may_run_again(const struct server *s, const struct transaction *ta)
{
	if (ta->carried.len > 0) {
		return !s->is_stopping;
	}
	if (s->cluster == NULL) {
		return ta->runs < MAX_TRANSACTION_RUNS;
	}
	int64_t since =
		ta->began_mono > s->cluster->thawed_mono ? ta->began_mono : s->cluster->thawed_mono;
	return ta->begun_again < MAX_TRANSACTION_RUNS &&
	       (s->is_frozen || s->now.mono_ms - since < RUNS_FOR_MS);
}

void txn_give_up(struct server *s, struct transaction *ta)
{
	(void)txn_refuse(&ta->txn, FAULT_UNAVAILABLE,
			 "too many changes at once; nothing was saved; try again");
	txn_answer_fault(s, ta);
}

static int txn_later_cmp(const struct transaction *a, const struct transaction *b)
{
	return a->later_mono < b->later_mono ? -1 : a->later_mono > b->later_mono;
}

/* Nodes that lost to each other would meet again: up to 0.5 ms * 2^runs, at random. */
static void txn_wait(struct server *s, struct transaction *ta)
{
	unsigned doublings = ta->runs < RUNS_DOUBLED ? ta->runs : RUNS_DOUBLED;
	int64_t half_ms = (int64_t)(random_u64(&s->random) % ((UINT64_C(1) << doublings) + 1));
	ta->later_mono = s->now.mono_ms + (half_ms + 1) / 2;
	DL_INSERT_INORDER2(s->transactions_later, ta, txn_later_cmp, later_prev, later_next);
}

int64_t txn_deadline(const struct server *s)
{
	return s->transactions_later == NULL ? INT64_MAX : s->transactions_later->later_mono;
}

void txn_tick(struct server *s)
{
	while (txn_deadline(s) <= s->now.mono_ms) {
		struct transaction *ta = s->transactions_later;
		txn_wait_no_more(s, ta);
		if (line_is_first(ta) && !ta->is_due) {
			txn_due(s, ta);
		}
	}
}

void txn_again(struct server *s, struct transaction *ta)
{
	txn_forget_reads(s, ta);
	txn_forget_writes(s, ta);
	if (!txn_may_run_again(s, ta)) {
		txn_give_up(s, ta);
		return;
	}
	s->counters.transactions_rerun++;
	if (s->cluster != NULL && ta->runs >= 2) {
		txn_wait(s, ta);
	} else if (line_is_first(ta) && !ta->is_due) {
		txn_due(s, ta);
	}
}
