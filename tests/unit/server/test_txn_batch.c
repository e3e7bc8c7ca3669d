/*
 * test_txn_batch.c - transactions that run on what others have written and is not durable yet: who sees
 * what, who is committed with whom, and what becomes of the others where a commit fails.
 *
 * This program brings handlers of its own: what session.logout and, reading only, session.unwatch do depends on who asks. The items are those that
 * remember results, as test_txn_pages.c has it; what one counts is its method.
 */
#include <stdio.h>

#include "server/domain/directory.h"
#include "tests/support/store_mem.h"
#include "tests/unit/server/scene.h"

/* ada, bob and cy, all logged in, and an item that says 0. */
struct crew {
	struct rig r;
	struct rig_peer *ada, *bob, *cy;
};

#define P SLICE("p")
#define N SLICE("n")

/* By the first letter of who asks. */
static txn_handler *acts[128];

static enum txn_step scripted(struct txn *t)
{
	return acts[(unsigned char)t->session->user_name[0]](t);
}

txn_handler *const directory_handlers[METHOD_COUNT] = {
	[METHOD_SESSION_LOGIN] = on_SESSION_LOGIN,
	[METHOD_SESSION_LOGOUT] = scripted,
	[METHOD_SESSION_UNWATCH] = scripted,
	[METHOD_QUESTION_CANCEL] = scripted,
};
txn_handler *const directory_sweepers[ITEM_COUNT] = {NULL};
txn_handler *const directory_follows[FOLLOW_COUNT] = {NULL};
txn_handler *const directory_user_joins = NULL;
const struct directory_task directory_tasks[] = {{NULL, NULL}};
const struct directory_look directory_looks[] = {{NULL, NULL}};

/* ---- what they do ---- */

static void put(struct txn *t, struct slice sk, struct slice text)
{
	struct once_item item = {.method = text,
				 .result = SLICE("\xc0"),
				 .expires_at = INT64_MAX / 2};
	txn_put(t, ITEM_DIRECTORY_ONCE, P, sk, &item);
}

static const struct once_item *get(struct txn *t, const char *sk)
{
	return txn_get(t, ITEM_DIRECTORY_ONCE, P, slice_str(sk));
}

/* What the item says, and a letter more. */
static void put_more(struct txn *t, const struct once_item *item, char letter)
{
	char text[64];
	size_t len = item == NULL ? 0 : item->method.len;
	memcpy(text, len == 0 ? "" : item->method.data, len);
	text[len++] = letter;
	put(t, N, txn_copy(t, slice_of(text, len)));
}

/* One letter for each that was done. */
static enum txn_step add(struct txn *t)
{
	const struct once_item *item = get(t, "n");
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	put_more(t, item, t->session->user_name[0]);
	return TXN_DONE;
}

static enum txn_step add_and_refuse(struct txn *t)
{
	enum txn_step step = add(t);
	return step == TXN_DONE ? txn_refuse(t, FAULT_FORBIDDEN, "no") : step;
}

/* Refused where somebody has added. */
static enum txn_step refuse_if_any(struct txn *t)
{
	const struct once_item *item = get(t, "n");
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	return item->method.len > 1 ? txn_refuse(t, FAULT_FORBIDDEN, "%.*s", (int)item->method.len,
						 item->method.data)
				    : TXN_DONE;
}

/* The same, of an item that the table has not had before. */
static enum txn_step add_new(struct txn *t)
{
	enum txn_step step = add(t);
	if (step == TXN_DONE) {
		put(t, SLICE("new"), SLICE("new"));
	}
	return step;
}

static enum txn_step claim(struct txn *t, const char *mine, const char *theirs)
{
	const struct once_item *item = get(t, theirs);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item != NULL) {
		return txn_refuse(t, FAULT_FORBIDDEN, "taken");
	}
	put(t, txn_copy(t, slice_str(mine)), SLICE("claimed"));
	return TXN_DONE;
}

/* Each only where the other one is absent. */
static enum txn_step claim_left(struct txn *t)
{
	return claim(t, "left", "right");
}

static enum txn_step claim_right(struct txn *t)
{
	return claim(t, "right", "left");
}

/* As often as one user may take that limit. */
static enum txn_step add_in_limits(struct txn *t)
{
	const struct once_item *item = get(t, "n");
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (!txn_take_of_user(t, LIMIT_EMAILS_PER_HOUR, "additions")) {
		return TXN_REFUSED;
	}
	put_more(t, item, t->session->user_name[0]);
	return TXN_DONE;
}

/* What it adds stands behind three loads, one after the other. */
static enum txn_step add_slowly(struct txn *t)
{
	static const char *const first[] = {"x", "y", "z"};
	for (size_t i = 0; i < 3; i++) {
		(void)get(t, first[i]);
		if (txn_is_loading(t)) {
			return TXN_MORE;
		}
	}
	return add(t);
}

/* The first that asks is slow, all others are not, and add another letter. */
static const struct txn *slow;

static enum txn_step add_slowly_first(struct txn *t)
{
	slow = slow == NULL ? t : slow;
	if (t == slow) {
		return add_slowly(t);
	}
	const struct once_item *item = get(t, "n");
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	put_more(t, item, '.');
	return TXN_DONE;
}

/* The item is a number, and grows by one. */
static enum txn_step count(struct txn *t)
{
	char number[32];
	const struct once_item *item = get(t, "n");
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	memcpy(number, item->method.data, item->method.len);
	number[item->method.len] = '\0';
	(void)snprintf(number, sizeof(number), "%ld", strtol(number, NULL, 10) + 1);
	put(t, N, txn_copy(t, slice_str(number)));
	return TXN_DONE;
}

static char seen[64]; /* what whoever looked last has seen */

static enum txn_step look(struct txn *t)
{
	const struct once_item *item = get(t, "n");
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	(void)snprintf(seen, sizeof(seen), "%.*s", (int)item->method.len, item->method.data);
	return TXN_DONE;
}

static enum txn_step remove_left(struct txn *t)
{
	txn_delete(t, ITEM_DIRECTORY_ONCE, P, SLICE("left"));
	return TXN_DONE;
}

/* Who watches must find one item; another one is read after it. */
static enum txn_step watch(struct txn *t)
{
	(void)txn_subscribe(t, ITEM_DIRECTORY_ONCE, P, NOTICE_SESSION_UPDATE);
	const struct once_item *item = get(t, "left");
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL) {
		return txn_refuse(t, FAULT_NOT_FOUND, "nothing is there");
	}
	(void)get(t, "right");
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

static struct txn_page page;

/* The page is what the item says from then on. */
static enum txn_step list(struct txn *t)
{
	struct txn_items found = txn_list(t, ITEM_DIRECTORY_ONCE, P, &page);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	size_t n = 0;
	for (size_t i = 0; i < found.n; i++) {
		seen[n++] = item_sk_rest(&found.items[i], ITEM_DIRECTORY_ONCE).data[0];
	}
	seen[n] = '\0';
	strcat(seen, found.has_more ? "+" : "");
	return TXN_DONE;
}

/* a, c, e and n are there, then b, c and n. */
static enum txn_step fill(struct txn *t)
{
	put(t, SLICE("a"), SLICE("a"));
	put(t, SLICE("c"), SLICE("c"));
	put(t, SLICE("e"), SLICE("e"));
	txn_delete(t, ITEM_DIRECTORY_ONCE, P, SLICE("b"));
	return TXN_DONE;
}

static enum txn_step change(struct txn *t)
{
	txn_delete(t, ITEM_DIRECTORY_ONCE, P, SLICE("a"));
	put(t, SLICE("b"), SLICE("b"));
	put(t, SLICE("c"), SLICE("c too"));
	txn_delete(t, ITEM_DIRECTORY_ONCE, P, SLICE("e"));
	return TXN_DONE;
}

/* ---- the scene ---- */

static uint32_t asks(struct rig_peer *p, txn_handler *what)
{
	acts[(unsigned char)p->name[0]] = what;
	return rig_send(p, "session.logout", RIG_NONE);
}

static uint32_t only_asks(struct rig_peer *p, txn_handler *what)
{
	acts[(unsigned char)p->name[0]] = what;
	return rig_send(p, "session.unwatch", RIG_NONE);
}

static const char *now(struct crew *d)
{
	assert_string_equal(rig_outcome(d->ada, only_asks(d->ada, look)), "ok");
	return seen;
}

static uint64_t reruns(const struct crew *d)
{
	return server_counters(d->r.server)->transactions_rerun;
}

static enum txn_step begin(struct txn *t)
{
	put(t, N, SLICE("0"));
	return TXN_DONE;
}

static int lay(void **state)
{
	struct crew *d = scene_init(state, sizeof(*d));
	rig_start(&d->r);
	d->ada = scene_person(&d->r, "ada");
	d->bob = scene_person(&d->r, "bob");
	d->cy = scene_person(&d->r, "cy");
	assert_string_equal(rig_outcome(d->ada, asks(d->ada, begin)), "ok");
	return 0;
}

#define CREW_TEST(name, d)	     TEST_IN(name, struct crew, d, lay, scene_clear)
#define CREW_HEAP_TEST(name, d, nth) HEAP_TEST_IN(name, struct crew, d, nth, lay, scene_clear)

/* Another process makes the commit, in the order of all that the store was asked for. */
static void ignore(void *arg, enum err e, uint64_t version)
{
	(void)arg;
	(void)version;
	assert_int_equal(e, OK);
}

static void another_process_puts(struct crew *d, const char *sk)
{
	struct once_item item = {.method = SLICE("m"),
				 .result = SLICE("\xc0"),
				 .expires_at = INT64_MAX / 2};
	struct buf value = {.max = 1024};
	record_write(item_rows[ITEM_DIRECTORY_ONCE].record, &item, &value);
	struct store_op op = {.kind = STORE_PUT,
			      .pk = SLICE("ONCE:p"),
			      .sk = slice_str(sk),
			      .value = buf_slice(&value)};
	assert_int_equal(store_commit(d->r.store, &(struct store_commit){.ops = &op, .n = 1},
				      ignore, NULL),
			 OK);
	buf_finish(&value);
}

/* ---- together ---- */

CREW_TEST(test_those_that_come_together_run_on_each_others_writes_and_are_one_commit, d)
{
	uint32_t calls[12];
	size_t commits = d->r.commits;
	rig_hold(&d->r);
	for (size_t i = 0; i < 12; i++) {
		struct rig_peer *p = i % 3 == 0 ? d->ada : i % 3 == 1 ? d->bob : d->cy;
		calls[i] = asks(p, add);
	}
	rig_release(&d->r);
	for (size_t i = 0; i < 12; i++) {
		struct rig_peer *p = i % 3 == 0 ? d->ada : i % 3 == 1 ? d->bob : d->cy;
		assert_string_equal(rig_outcome(p, calls[i]), "ok");
	}
	assert_string_equal(now(d), "0abcabcabcabc");
	assert_in_range(d->r.commits - commits, 1, 2); /* the first did not wait for others */
	assert_int_equal(reruns(d), 0);
}

CREW_TEST(test_what_comes_while_a_commit_is_on_its_way_is_the_next_one, d)
{
	size_t commits = d->r.commits;
	rig_hold(&d->r);
	uint32_t first = asks(d->ada, add);
	rig_let(&d->r, 1);
	uint32_t second = asks(d->bob, add);
	uint32_t third = asks(d->cy, add);
	assert_int_equal(d->r.commits - commits, 1);
	rig_let(&d->r, 1);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_false(rig_is_answered(d->bob, second));
	assert_false(rig_is_answered(d->cy, third));
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, second), "ok");
	assert_string_equal(rig_outcome(d->cy, third), "ok");
	assert_int_equal(d->r.commits - commits, 2);
	assert_string_equal(now(d), "0abc");
}

CREW_TEST(test_what_has_nothing_to_do_with_others_does_not_wait_for_them, d)
{
	rig_hold(&d->r);
	store_mem_fail_commits(d->r.store, 1, ERR_BUSY);
	uint32_t first = asks(d->ada, add);
	uint32_t other = asks(d->bob, claim_left);
	rig_let(&d->r, 2); /* what they read */
	rig_let(&d->r, 2);
	assert_string_equal(rig_outcome(d->bob, other), "ok");
	assert_false(rig_is_answered(d->ada, first));
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
}

CREW_TEST(test_a_commit_has_so_many_and_no_more, d)
{
	enum { EACH = MAX_REQUESTS_PENDING - 1, HANDS = 2 * MAX_COMMIT_TRANSACTIONS / EACH };
	struct rig_peer *hands[HANDS];
	uint32_t last[HANDS];
	char all[16];
	for (size_t i = 0; i < HANDS; i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "eve %zu", i);
		hands[i] = scene_person(&d->r, name);
	}
	size_t commits = d->r.commits;
	rig_hold(&d->r);
	uint32_t first = asks(d->ada, count);
	rig_let(&d->r, 1); /* it is on its way: all others wait */
	for (size_t i = 0; i < HANDS; i++) {
		for (size_t k = 0; k < EACH; k++) {
			last[i] = asks(hands[i], count);
		}
	}
	rig_let(&d->r, 1);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_int_equal(d->r.commits - commits, 2);
	rig_release(&d->r);
	for (size_t i = 0; i < HANDS; i++) {
		assert_string_equal(rig_outcome(hands[i], last[i]), "ok");
	}
	(void)snprintf(all, sizeof(all), "%d", 1 + HANDS * EACH);
	assert_string_equal(now(d), all);
	assert_int_equal(d->r.commits - commits, 3);
}

/* ---- answers ---- */

CREW_TEST(test_nobody_is_answered_on_the_strength_of_what_is_not_durable, d)
{
	rig_hold(&d->r);
	uint32_t first = asks(d->ada, add);
	rig_let(&d->r, 1);
	uint32_t second = asks(d->bob, refuse_if_any);
	assert_false(rig_is_answered(d->bob, second));
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->bob, second), "FORBIDDEN");
}

CREW_TEST(test_who_has_seen_what_came_to_nothing_runs_again, d)
{
	rig_hold(&d->r);
	uint32_t first = asks(d->ada, add);
	rig_let(&d->r, 1);
	uint32_t second = asks(d->bob, refuse_if_any);
	rig_fail_commits(&d->r, 1, ERR_IO);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "UNAVAILABLE");
	assert_string_equal(rig_outcome(d->bob, second), "ok");
	assert_string_equal(now(d), "0");
}

CREW_TEST(test_one_that_is_refused_has_written_nothing_for_those_behind, d)
{
	rig_hold(&d->r);
	uint32_t first = asks(d->ada, add);
	uint32_t second = asks(d->bob, add_and_refuse);
	uint32_t third = asks(d->cy, add);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->bob, second), "FORBIDDEN");
	assert_string_equal(rig_outcome(d->cy, third), "ok");
	assert_string_equal(now(d), "0ac");
}

CREW_TEST(test_who_only_reads_sees_what_is_durable_and_does_not_wait, d)
{
	rig_hold(&d->r);
	uint32_t first = asks(d->ada, add);
	rig_let(&d->r, 1);
	uint32_t looks = only_asks(d->bob, look);
	uint32_t second = asks(d->cy, add); /* what waits for the next commit */
	rig_let(&d->r, 1);
	rig_let(&d->r, 1);
	assert_string_equal(rig_outcome(d->bob, looks), "ok");
	assert_string_equal(seen, "0a");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->cy, second), "ok");
}

CREW_TEST(test_a_repeat_in_the_same_batch_gets_the_first_result, d)
{
#define KEY "'idempotency_key':'0123456789abcdef'"
	acts['a'] = add;
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada, "session.logout", KEY);
	uint32_t again = rig_send(d->ada, "session.logout", KEY);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->ada, again), "ok");
	assert_string_equal(now(d), "0a");
	assert_int_equal(reruns(d), 0);
}

/* The one that came first has to load more; it is done first nevertheless. */
CREW_TEST(test_requests_of_a_connection_at_one_partition_keep_their_order, d)
{
	slow = NULL;
	acts['a'] = add_slowly_first;
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada, "question.cancel", "'question_id':'q_1'");
	uint32_t second = rig_send(d->ada, "question.cancel", "'question_id':'q_1'");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->ada, second), "ok");
	assert_string_equal(now(d), "0a.");
}

/* Run again, they still do. */
CREW_TEST(test_they_keep_it_where_their_commit_fails, d)
{
	slow = NULL;
	acts['a'] = add_slowly_first;
	rig_fail_commits(&d->r, 2, ERR_CONFLICT);
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada, "question.cancel", "'question_id':'q_1'");
	uint32_t second = rig_send(d->ada, "question.cancel", "'question_id':'q_1'");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->ada, second), "ok");
	assert_string_equal(now(d), "0a.");
}

/* Nothing in common but the line: the commit of the second fails while the first reads again. */
CREW_TEST(test_the_first_of_a_line_runs_again_before_those_behind_it, d)
{
	acts['b'] = add_slowly;
	acts['c'] = claim_right;
	rig_hold(&d->r);
	uint32_t first = rig_send(d->bob, "question.cancel", "'question_id':'q_1'");
	uint32_t second = rig_send(d->cy, "question.cancel", "'question_id':'q_1'");
	size_t commits = d->r.commits;
	while (d->r.commits < commits + 2) {
		rig_let(&d->r, 1); /* what they read */
	}
	rig_fail_commits(&d->r, 2, ERR_CONFLICT);
	rig_let(&d->r, 1);
	rig_let(&d->r, 1);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, first), "ok");
	assert_string_equal(rig_outcome(d->cy, second), "ok");
	assert_string_equal(now(d), "0b");
}

/* ---- what fails ---- */

CREW_TEST(test_of_a_commit_that_cannot_be_made_only_who_is_at_fault_is_refused, d)
{
	uint32_t calls[9];
	store_mem_set_items_max(d->r.store, 1);
	rig_hold(&d->r);
	for (size_t i = 0; i < 9; i++) {
		calls[i] = asks(i == 4 ? d->bob : d->ada, i == 4 ? add_new : add);
	}
	rig_release(&d->r);
	for (size_t i = 0; i < 9; i++) {
		assert_string_equal(rig_outcome(i == 4 ? d->bob : d->ada, calls[i]),
				    i == 4 ? "UNAVAILABLE" : "ok");
	}
	assert_string_equal(now(d), "0aaaaaaaa");
}

CREW_TEST(test_what_another_process_has_changed_is_read_again_by_all, d)
{
	uint32_t calls[6];
	rig_hold(&d->r);
	for (size_t i = 0; i < 6; i++) {
		calls[i] = asks(d->ada, add);
	}
	rig_let(&d->r, 6); /* they have read */
	assert_true(store_mem_touch(d->r.store, SLICE("ONCE:p"), SLICE("ONCE#n")));
	rig_release(&d->r);
	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(rig_outcome(d->ada, calls[i]), "ok");
	}
	assert_string_equal(now(d), "0aaaaaa");
	assert_in_range(reruns(d), 1, 12);
}

/* Others that no commit of this process has anything to do with: it gives up in the end, alone. */
CREW_TEST(test_only_a_conflict_of_its_own_counts, d)
{
	uint32_t calls[4];
	rig_fail_commits(&d->r, MAX_TRANSACTION_RUNS + 1, ERR_CONFLICT);
	rig_hold(&d->r);
	for (size_t i = 0; i < 4; i++) {
		calls[i] = asks(d->ada, add);
	}
	rig_release(&d->r);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(rig_outcome(d->ada, calls[i]), "ok");
	}
	assert_string_equal(now(d), "0aaaa");
}

/* What it was refused on was not made: it runs again, and is refused again. */
CREW_TEST(test_a_limit_that_was_reached_is_not_passed_by_running_again, d)
{
	for (int64_t i = 0; i < limit_rows[LIMIT_EMAILS_PER_HOUR].value; i++) {
		assert_string_equal(rig_outcome(d->ada, asks(d->ada, add_in_limits)), "ok");
	}
	rig_hold(&d->r);
	uint32_t before = asks(d->bob, add);
	rig_let(&d->r, 1);
	uint32_t beyond = asks(d->ada, add_in_limits);
	rig_fail_commits(&d->r, 1, ERR_IO);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, before), "UNAVAILABLE");
	assert_string_equal(rig_outcome(d->ada, beyond), "RATE_LIMITED");
	assert_string_equal(now(d), "0aaaaa");
}

/* Two of one line, in one commit: the second is not the next to run when the first leaves the line. */
CREW_TEST(test_those_of_a_line_that_share_what_is_not_known_are_answered_by_nobody, d)
{
	struct rig_peer *p = scene_person(&d->r, "eve");
	const char *cancel = "'question_id':'q_1'";
	acts['b'] = acts['c'] = add;
	rig_hold(&d->r);
	store_mem_fail_commits(d->r.store, SIZE_MAX, ERR_BUSY);
	uint32_t first = asks(d->ada, add);
	rig_let(&d->r, 4);
	(void)rig_send(d->bob, "question.cancel", "%s", cancel);
	(void)rig_send(d->cy, "question.cancel", "%s", cancel);
	rig_let(&d->r, 4);
	store_mem_fail_commits(d->r.store, 0, ERR_BUSY);
	rig_let(&d->r, 1);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	store_mem_lose_answers(d->r.store, 1);
	rig_release(&d->r);
	assert_false(d->bob->is_open);
	assert_false(d->cy->is_open);
	acts['e'] = add;
	assert_string_equal(rig_code(p, "question.cancel", "%s", cancel), "ok");
	assert_string_equal(now(d), "0abce");
}

/* Who has written is closed; who has only seen that, or comes behind it, runs again on what the table says. */
CREW_TEST(test_what_is_not_known_is_answered_by_nobody, d)
{
	static const char *const left[] = {"0b", "0ba"};
	for (size_t made = 0; made < 2; made++) {
		struct rig_peer *p = scene_person(&d->r, made == 0 ? "abe" : "ann");
		rig_hold(&d->r);
		rig_fail_commits(&d->r, 1 - made, ERR_UNKNOWN);
		store_mem_lose_answers(d->r.store, made);
		uint32_t first = asks(p, add);
		rig_let(&d->r, 1);
		uint32_t second = made == 0 ? asks(d->bob, add) : asks(d->bob, look);
		uint32_t third = asks(d->cy, look);
		rig_release(&d->r);
		assert_false(rig_is_answered(p, first));
		assert_false(p->is_open);
		assert_string_equal(rig_outcome(d->bob, second), "ok");
		assert_string_equal(rig_outcome(d->cy, third), "ok");
		assert_string_equal(seen, left[made]);
		assert_string_equal(now(d), left[made]);
	}
}

CREW_TEST(test_a_server_that_ends_has_done_what_it_has_answered_and_no_more, d)
{
	rig_hold(&d->r);
	uint32_t first = asks(d->ada, add);
	rig_let(&d->r, 1);
	(void)asks(d->bob, add);
	rig_let(&d->r, 1); /* durable, the one behind it is not */
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	rig_crash(&d->r);
	rig_release(&d->r);
	d->ada = scene_person(&d->r, "ann");
	assert_string_equal(now(d), "0a");
}

/* ---- what is absent ---- */

CREW_TEST(test_of_two_that_need_the_others_item_absent_one_is_refused, d)
{
	rig_hold(&d->r);
	uint32_t left = asks(d->ada, claim_left);
	uint32_t right = asks(d->bob, claim_right);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, left), "ok");
	assert_string_equal(rig_outcome(d->bob, right), "FORBIDDEN");
}

/* The absence that it has read is a condition, whoever has written the item since. */
CREW_TEST(test_an_item_that_was_absent_when_it_was_read_is_a_condition, d)
{
	rig_hold(&d->r);
	uint32_t left = asks(d->ada, claim_left);
	another_process_puts(d, "ONCE#right");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, left), "FORBIDDEN");
	assert_int_equal(reruns(d), 1);
}

/* It changes nothing, so no commit finds out. */
CREW_TEST(test_a_watch_under_way_whose_item_goes_is_refused, d)
{
	assert_string_equal(rig_outcome(d->ada, asks(d->ada, claim_left)), "ok");
	rig_hold(&d->r);
	uint32_t watches = only_asks(d->bob, watch);
	uint32_t removes = asks(d->ada, remove_left);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, removes), "ok");
	assert_string_equal(rig_outcome(d->bob, watches), "NOT_FOUND");
}

/* ---- pages ---- */

CREW_TEST(test_a_page_has_what_is_not_durable_in_its_place, d)
{
	static const struct {
		const char *after;
		bool is_descending;
		size_t limit;
		const char *before, *listed;
	} cases[] = {
		{"", false, 9, "acen", "bcn"},	    {"", true, 9, "neca", "ncb"},
		{"", false, 3, "ace+", "bc+"},	    {"", true, 3, "nec+", "nc+"},
		{"ONCE#a", false, 9, "cen", "bcn"}, {"ONCE#c", true, 9, "a", "b"},
		{"", false, 4, "acen", "bcn"},	    {"ONCE#b", false, 1, "c+", "c+"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		page = (struct txn_page){.after = slice_str(cases[i].after),
					 .is_descending = cases[i].is_descending,
					 .limit = cases[i].limit};
		assert_string_equal(rig_outcome(d->ada, asks(d->ada, fill)), "ok");
		assert_string_equal(rig_outcome(d->bob, asks(d->bob, list)), "ok");
		assert_string_equal(seen, cases[i].before);
		rig_hold(&d->r);
		uint32_t lists = asks(d->bob, list);
		uint32_t changes = asks(d->ada, change);
		rig_let(&d->r, 1); /* what is listed; the change is on its way */
		assert_false(rig_is_answered(d->bob, lists));
		rig_release(&d->r);
		assert_string_equal(rig_outcome(d->ada, changes), "ok");
		assert_string_equal(rig_outcome(d->bob, lists), "ok");
		assert_string_equal(seen, cases[i].listed);
	}
}

/* ---- memory ---- */

CREW_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	size_t done = 0;
	bool is_lost = false;
	struct rig_peer *peers[] = {d->ada, d->bob, d->cy, d->ada};
	uint32_t calls[4];
	rig_hold(&d->r);
	heap_fail_nth(nth, false);
	for (size_t i = 0; i < 4; i++) {
		calls[i] = asks(peers[i], i == 3 ? add_new : add);
	}
	rig_let(&d->r, 3);
	rig_release(&d->r);
	heap_fail_never();
	rig_settle(&d->r);
	for (size_t i = 0; i < 4; i++) {
		if (!peers[i]->is_open || !rig_is_answered(peers[i], calls[i])) {
			is_lost = true;
		} else if (strcmp(rig_outcome(peers[i], calls[i]), "ok") == 0) {
			done++;
		}
	}
	d->ada = scene_person(&d->r, "dan");
	size_t added = strlen(now(d)) - 1;
	assert_true(is_lost ? added >= done : added == done);
}
