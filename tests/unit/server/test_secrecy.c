/*
 * test_secrecy.c - what nobody may learn: votes before the reveal, keys and
 * their hashes ever.
 *
 * Votes are proved by comparing bytes: the same story is played twice, with
 * different cards of the same length, and everybody but the voter must have
 * been sent the same bytes. A hint in any field, order, size or extra message
 * would show.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

/* ---- votes ---- */

struct story {
	struct table *t;
	struct rig_peer *watcher; /* a spectator */
	struct rig_peer *newcomer;
	struct rig_peer *passer; /* has no seat, asks with room.get */
	struct rig_peer *phone;	 /* bob's, too */
};

static void tell_round(struct story *s, const char *first, const char *second)
{
	struct table *t = s->t;
	rig_must(t->bob, "vote", "'vote':'%s'", first);
	rig_must(t->ada, "vote", "'vote':'1'");
	rig_must(t->bob, "vote", "'vote':'%s','idempotency_key':'0123456789abcdef%s'", second,
		 first);
	rig_must(s->passer, "get", RIG_NONE);
	rig_must(s->watcher, "subscribe", RIG_NONE);
	rig_refused(t->ada, "vote", "'vote':'4'");
	rig_refused(t->ada, "kick", "'user_id':'nobody'");
}

/* Everything that can happen to a vote short of being shown. */
static void tell(struct story *s, const char *first, const char *second)
{
	struct table *t = s->t;
	tell_round(s, first, second);
	s->phone = rig_return(t->bob, false);
	rig_window(t->ada, 10);
	rig_must(t->bob, "vote", "'vote':null");
	rig_must(t->bob, "vote", "'vote':'%s'", first);
	rig_window(t->ada, RIG_UNBOUNDED);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_refused(t->bob, "vote", "'vote':'%s'", second);
	s->newcomer = rig_sit(&t->r, "newcomer");
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','%s','%s']", "5", "8");
	rig_must(t->bob, "join", "'username':'Bob'");
	rig_cut(s->phone);
	rig_cut(t->bob);
	rig_advance(&t->r, 30000);
	rig_must(s->newcomer, "subscribe", RIG_NONE);
	t->bob = rig_return(t->bob, true);
	rig_must(t->ada, "reset", RIG_NONE);
	tell_round(s, second, first);
}

static void story_begin(struct story *s, void **state)
{
	table_lay(state);
	*s = (struct story){.t = *state};
	s->watcher = rig_sit(&s->t->r, "watcher");
	rig_must(s->watcher, "join", "'username':'watcher','role':'spectator'");
	s->passer = rig_guest(&s->t->r, "passer");
	rig_must(s->t->ada, "set_policy", "'policy':{'auto_reveal':false}");
}

static void assert_heard_the_same(const struct rig_peer *a, const struct rig_peer *b)
{
	assert_true(a->in.len > 0);
	assert_int_equal(a->in.len, b->in.len);
	assert_memory_equal(a->in.data, b->in.data, a->in.len);
}

/* promise: secret-votes */
TEST(test_nobody_else_is_sent_a_byte_that_depends_on_a_vote)
{
	struct story one;
	struct story two;
	void *state_one = NULL;
	void *state_two = NULL;
	story_begin(&one, &state_one);
	story_begin(&two, &state_two);
	tell(&one, "5", "8");
	tell(&two, "8", "5");
	assert_heard_the_same(one.t->ada, two.t->ada);
	assert_heard_the_same(one.watcher, two.watcher);
	assert_heard_the_same(one.newcomer, two.newcomer);
	assert_heard_the_same(one.passer, two.passer);
	assert_int_equal(one.t->r.log.len, two.t->r.log.len);
	assert_memory_equal(one.t->r.log.data, two.t->r.log.data, one.t->r.log.len);
	assert_int_equal(one.t->r.commits, two.t->r.commits);
	assert_int_equal(one.t->r.ops, two.t->r.ops);
	/* The voter itself is told, and with the reveal everybody is: the bytes above could differ.
	 */
	assert_memory_not_equal(one.phone->in.data, two.phone->in.data, one.phone->in.len);
	size_t before = one.t->ada->in.len;
	rig_must(one.t->ada, "set_revealed", "'is_revealed':true");
	rig_must(two.t->ada, "set_revealed", "'is_revealed':true");
	assert_true(one.t->ada->in.len > before && two.t->ada->in.len > before);
	assert_true(one.t->ada->in.len != two.t->ada->in.len ||
		    memcmp(one.t->ada->in.data + before, two.t->ada->in.data + before,
			   one.t->ada->in.len - before) != 0);
	scene_clear(&state_one);
	scene_clear(&state_two);
}

TABLE_TEST(test_hiding_again_hides_from_later_subscribers, t)
{
	rig_must(t->bob, "vote", "'vote':'13'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	const char *full = "";
	while (strncmp(full, "room.update", 11) != 0) {
		full = rig_next(cy);
	}
	assert_null(strstr(full, "'vote'"));
	assert_null(strstr(rig_must(cy, "get", RIG_NONE), "'vote'"));
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob voted, cy");
}

/* A vote and its reveal in one unit of work: the update shows what is shown at its end. */
TABLE_TEST(test_what_is_hidden_when_an_update_leaves_is_not_in_it, t)
{
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	rig_send(t->bob, "vote", "'vote':'13'");
	rig_send(t->ada, "set_revealed", "'is_revealed':true");
	rig_send(t->ada, "set_revealed", "'is_revealed':false");
	rig_release(&t->r);
	for (const char *n = rig_next(t->ada); n[0] != '\0'; n = rig_next(t->ada)) {
		assert_null(strstr(n, "'vote':'13'"));
	}
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

/* ---- keys ---- */

static bool holds(const char *data, size_t len, const char *text)
{
	size_t n = strlen(text);
	for (size_t i = 0; i + n <= len; i++) {
		if (memcmp(data + i, text, n) == 0) {
			return true;
		}
	}
	return false;
}

/* Nobody but those in `may` was sent the text, and no log line has it. */
static void assert_only(struct rig *r, const char *text, const struct rig_peer *may,
			const struct rig_peer *may_too)
{
	assert_int_equal(strlen(text), KEY_CHARS);
	assert_false(holds(r->log.data, r->log.len, text));
	for (size_t i = 0; i < r->peers_n; i++) {
		const struct rig_peer *p = r->peers[i];
		if (p != may && p != may_too && holds(p->in.data, p->in.len, text)) {
			fail_msg("%s was sent what it may not know", p->name);
		}
	}
}

static void assert_hash_nowhere(struct rig *r, const char *domain, const char *key)
{
	struct key_text hash = key_hash(r->config.server_key, domain, slice_of(key, KEY_CHARS));
	assert_only(r, hash.text, NULL, NULL);
}

/* A busy evening, with everything that writes a log line. */
static void evening(struct table *t)
{
	rig_must(t->bob, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
	rig_must(t->ada, "reset", "'host_key':'%s','idempotency_key':'0123456789abcdef'",
		 t->r.host_key);
	rig_refused(t->bob, "reset", "'host_key':'%s'", t->ada->user_key);
	rig_refused(t->bob, "vote", "'user_key':'%s','vote':7", t->bob->user_key);
	rig_refused(t->bob, "vote", "'%s':'5'", t->bob->user_key);
	rig_fail_commits(&t->r, 1, ERR_IO);
	store_mem_fail_reads(t->r.store, 1, ERR_CORRUPT);
	rig_refused(t->bob, "vote", "'vote':'8'");
	rig_advance(&t->r, 2000);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_bytes(cy, SLICE("\xc1"));
	struct rig_peer *dan = rig_sit(&t->r, "dan");
	rig_window(dan, 0);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_advance(&t->r, 61000);
	rig_must(t->bob, "subscribe", RIG_NONE);
	rig_must(t->bob, "claim_host", "'host_key':'%s'", t->r.host_key);
}

/* promises: hashed-keys, quiet-log */
TABLE_TEST(test_keys_go_to_their_owners_and_hashes_nowhere, t)
{
	evening(t);
	assert_non_null(strstr(t->r.log.data, "event=commit_failed"));
	assert_non_null(strstr(t->r.log.data, "event=load_failed"));
	assert_non_null(strstr(t->r.log.data, "event=broken_frame"));
	assert_non_null(strstr(t->r.log.data, "event=stalled"));
	assert_null(strstr(t->r.log.data, t->r.room_id));
	assert_true(holds(t->bob->in.data, t->bob->in.len, t->bob->user_key));
	assert_only(&t->r, t->bob->user_key, t->bob, NULL);
	assert_only(&t->r, t->ada->user_key, t->ada, NULL);
	assert_only(&t->r, t->r.host_key, t->ada, NULL);
	assert_hash_nowhere(&t->r, "user", t->bob->user_key);
	assert_hash_nowhere(&t->r, "user", t->ada->user_key);
	assert_hash_nowhere(&t->r, "host", t->r.host_key);
}

enum { SECRETS = 3 };

struct search {
	const char *secrets[SECRETS];
	bool is_done;
};

static void find_secrets(void *arg, enum err e, const struct store_item *items, size_t n,
			 uint64_t version, bool has_more)
{
	struct search *search = arg;
	(void)version;
	assert_int_equal(e, OK);
	assert_false(has_more);
	assert_true(n > 3);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < SECRETS; j++) {
			const char *secret = search->secrets[j];
			assert_false(holds(items[i].sk.data, items[i].sk.len, secret));
			assert_false(holds(items[i].value.data, items[i].value.len, secret));
		}
	}
	search->is_done = true;
}

/* promise: hashed-keys */
TABLE_TEST(test_the_table_holds_hashes_only, t)
{
	evening(t);
	struct search search = {{t->ada->user_key, t->bob->user_key, t->r.host_key}, false};
	char pk[5 + CODE_CHARS + 1] = "ROOM:";
	strcpy(pk + 5, t->r.room_id);
	store_load(t->r.store, &(struct store_load){.pk = slice_str(pk)}, find_secrets, &search);
	store_mem_run(t->r.store, SIZE_MAX);
	store_poll(t->r.store);
	assert_true(search.is_done);
}

TABLE_TEST(test_errors_do_not_repeat_what_was_sent, t)
{
	const char *error =
		rig_refused(t->bob, "vote", "'vote':'5','user_key':'%sx'", t->ada->user_key);
	assert_null(strstr(error, "KEY-ada"));
	error = rig_refused(t->bob, "claim_host", "'host_key':'%s'", t->ada->user_key);
	assert_null(strstr(error, "KEY-ada"));
	error = rig_refused(t->bob, "room.create", "'deck':'%.30s'", t->ada->user_key);
	char part[31];
	snprintf(part, sizeof(part), "%.30s", t->ada->user_key);
	assert_null(strstr(error, part));
}

TABLE_TEST(test_unknown_and_expired_rooms_look_the_same, t)
{
	char *unknown = strdup(rig_refused(t->bob, "room.get", "'room_id':'222222'"));
	rig_must(t->ada, "delete", RIG_NONE);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_refused(cy, "get", RIG_NONE), unknown);
	assert_string_equal(rig_refused(cy, "room.get", "'room_id':'2222222222222222'"), unknown);
	free(unknown);
	rig_copies_free(t->ada);
	rig_copies_free(t->bob);
}
