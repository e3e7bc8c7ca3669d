/*
 * fixture.h - a store of any engine, and calls that wait for their answers.
 *
 * What came back is kept as text ("USER:a=5@2 USER:b=-@3": SK, vote, commit), so that a test
 * states it in one line. Engines number commits as they like, as long as the numbers of a scope
 * ascend: so the text says which commit of its scope wrote the item, counted from 1, as the
 * fixture saw them answered.
 *
 * Functions are inline so that each test program may use some of them.
 */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "proto/base/buf.h"
#include "proto/base/format.h"
#include "proto/keys/random.h"
#include "store/lmdb/txn_lmdb.h"
#include "tests/unit/store/fixture_engines.h"

#define NOW INT64_C(1700000000000)

/* What one call came to. */
struct answer {
	unsigned calls;
	enum err e;
	uint64_t version;
	unsigned scope;  /* of a commit or a load */
	unsigned nth;    /* the commit of this scope that the version names; 0: none yet */
	size_t n;
	bool has_more;
	bool is_partial; /* of a query */
	char text[4096];
	unsigned char cursor[512];
	size_t cursor_len;
};

/* ---- the commits of a test ---- */

#define FIXTURE_COMMITS_MAX (1u << 17)
#define FIXTURE_SCOPES	    (ITEM_BUCKETS + 1)
struct fixture_commit {
	uint64_t version;
	unsigned nth;	   /* of its scope */
	unsigned previous; /* place of the one before it in its scope; 0: none */
};
/* Without allocation, because some tests let allocations fail. Place 0 is none. */
static struct fixture_commit fixture_commits[FIXTURE_COMMITS_MAX];
static unsigned fixture_commits_n;
static unsigned fixture_last[FIXTURE_SCOPES];

static inline void fixture_forget_commits(void)
{
	fixture_commits_n = 0;
	memset(fixture_last, 0, sizeof(fixture_last));
}

/* Which commit of the scope had that version; 0: none. */
static inline unsigned fixture_nth(unsigned scope, uint64_t version)
{
	unsigned at = fixture_last[scope];
	while (at > 0 && fixture_commits[at].version != version) {
		at = fixture_commits[at].previous;
	}
	return at == 0 ? 0 : fixture_commits[at].nth;
}

/* A commit was answered with that version: a new one is greater than all before it in its scope. */
static inline unsigned fixture_note(unsigned scope, uint64_t version)
{
	unsigned last = fixture_last[scope];
	bool is_new = last == 0 || version > fixture_commits[last].version;
	unsigned nth = is_new ? 0 : fixture_nth(scope, version);
	if (nth > 0) {
		return nth;
	}
	assert_true(is_new);
	assert_true(version > 0 && fixture_commits_n + 1 < FIXTURE_COMMITS_MAX);
	nth = last == 0 ? 1 : fixture_commits[last].nth + 1;
	fixture_last[scope] = ++fixture_commits_n;
	fixture_commits[fixture_commits_n] = (struct fixture_commit){version, nth, last};
	return nth;
}

/* The version that the nth commit of a scope had. */
static inline uint64_t version_of(const char *pk, unsigned nth)
{
	unsigned at = fixture_last[item_scope_of(slice_str(pk))];
	while (at > 0 && fixture_commits[at].nth != nth) {
		at = fixture_commits[at].previous;
	}
	assert_int_not_equal(at, 0);
	return fixture_commits[at].version;
}

/* ---- engines ---- */

static inline enum err fixture_try_open(struct fixture *f)
{
	return f->engine->open(f);
}

static inline void fixture_init(struct fixture *f, unsigned engine)
{
	*f = (struct fixture){.engine = &fixture_engines[engine], .map_bytes = 64u << 20};
	fixture_forget_commits();
	assert_true(crypto_start());
	assert_int_equal(sem_init(&f->woken, 0, 0), 0);
	if (f->engine->make != NULL) {
		f->engine->make(f);
	}
}

static inline void fixture_open(struct fixture *f, unsigned engine)
{
	fixture_init(f, engine);
	assert_int_equal(fixture_try_open(f), OK);
}

/* The path of a file in the data directory. */
static inline void path_in(char out[128], const struct fixture *f, const char *name)
{
	format_to(out, 128, "%s/%s", f->directory, name);
}

/* No file grows beyond that, as on a full disk; the program must ignore SIGXFSZ. RLIM_INFINITY lifts it. */
static inline void limit_files(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static inline void fixture_close(struct fixture *f)
{
	store_close(f->s);
	f->s = NULL;
	sem_destroy(&f->woken);
	if (f->engine->remove != NULL) {
		f->engine->remove(f);
	}
}

static inline void fixture_reopen(struct fixture *f)
{
	store_close(f->s);
	f->s = NULL;
	assert_int_equal(fixture_try_open(f), OK);
}

/* Change what the store keeps on disk behind its back, in one transaction. It stays closed. */
static inline void fixture_change(struct fixture *f, void (*change)(struct kv *kv))
{
	struct env_options o = {.directory = f->directory};
	struct errmsg why;
	struct env env;
	struct lmdb_txn v;
	store_close(f->s);
	f->s = NULL;
	assert_int_equal(env_open(&o, &env, &why), OK);
	assert_int_equal(lmdb_txn_begin(&v, &env, true), OK);
	change(&v.kv);
	assert_int_equal(lmdb_txn_commit(&v), OK);
	env_close(&env);
}

static inline void fixture_tamper(struct fixture *f, void (*change)(struct kv *kv))
{
	fixture_change(f, change);
	assert_int_equal(fixture_try_open(f), OK);
}

/* What a check of everything, part by part, came to: the lines of its problems. */
struct checking {
	enum err e;
	unsigned parts;
	uint64_t entries, items, problems;
	char lines[4096];
	char cursor[STORE_CHECK_CURSOR_BYTES_MAX];
	size_t cursor_len;
};

static inline void on_check(void *arg, enum err e, const struct store_checked *c)
{
	struct checking *k = arg;
	size_t len = strlen(k->lines);
	k->e = e;
	k->parts++;
	k->entries += c->entries;
	k->items += c->items;
	k->problems += c->problems;
	format_to(k->lines + len, sizeof(k->lines) - len, "%.*s", (int)c->lines.len,
		  c->lines.len == 0 ? "" : c->lines.data);
	assert_true(c->next.len <= sizeof(k->cursor));
	k->cursor_len = c->next.len;
	memcpy(k->cursor, c->next.len == 0 ? "" : c->next.data, c->next.len);
}

/* ---- one test for each engine ---- */

static inline int fixture_setup(void **state)
{
	static struct fixture f;
	const struct fixture_engine *engine = *state;
	fixture_open(&f, (unsigned)(engine - fixture_engines));
	*state = &f;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	fixture_close(*state);
	return 0;
}

struct fixture_tests {
	struct test test[FIXTURE_ENGINES];
	char titles[FIXTURE_ENGINES][128];
};

/* A test of the engines from `first` to `last`: the name in the output says which. */
static inline void fixture_add_tests(struct fixture_tests *tests, const char *name,
				     CMUnitTestFunction run, int line, unsigned first,
				     unsigned last)
{
	for (unsigned i = first; i <= last; i++) {
		const struct fixture_engine *engine = &fixture_engines[i];
		format_to(tests->titles[i], sizeof(tests->titles[i]), "%s: %s", engine->name, name);
		tests->test[i] = (struct test){
			.row = {tests->titles[i], run, fixture_setup, fixture_teardown,
				(void *)(uintptr_t)engine},
			.line = line,
		};
		test_add(&tests->test[i]);
	}
}

#define FIXTURE_TEST_(name, f, first, last)                                                 \
	TEST_HEAD_(name, struct fixture)                                                    \
	__attribute__((constructor)) static void name##_add(void)                           \
	{                                                                                   \
		static struct fixture_tests tests;                                          \
		fixture_add_tests(&tests, #name, name##_run, __LINE__, first, last);        \
	}                                                                                   \
	TEST_BODY_(name, struct fixture, f)

#define MEM_TEST(name, f)   FIXTURE_TEST_(name, f, FIXTURE_MEM, FIXTURE_MEM)
#define LMDB_TEST(name, f)  FIXTURE_TEST_(name, f, FIXTURE_LMDB, FIXTURE_LMDB)
#define STORE_TEST(name, f) FIXTURE_TEST_(name, f, 0, FIXTURE_ENGINES - 1)
/* Of engines whose data several processes share. */
#define SHARED_TEST(name, f) FIXTURE_TEST_(name, f, FIXTURE_MEM, FIXTURE_ENGINES - 1)

/* ---- what is called ---- */

/* Until nothing is on its way. */
static inline void fixture_drain(struct fixture *f)
{
	while (store_poll(f->s)) {
		if (f->engine->wait != NULL) {
			f->engine->wait(f);
		}
	}
}

static inline struct checking check_all(struct fixture *f)
{
	struct checking k = {.parts = 0};
	do {
		unsigned parts = k.parts;
		store_check(f->s, slice_of(k.cursor, k.cursor_len), on_check, &k);
		fixture_drain(f);
		assert_int_equal(k.parts, parts + 1);
	} while (k.e == OK && k.cursor_len > 0);
	return k;
}

/* ---- values ---- */

static inline struct slice value_of(const struct record *rec, const void *item)
{
	static char bytes[70000];
	struct buf b;
	buf_init(&b, sizeof(bytes));
	record_write(rec, item, &b);
	assert_int_equal(b.error, OK);
	memcpy(bytes, b.data, b.len);
	struct slice value = slice_of(bytes, b.len);
	buf_finish(&b);
	return value;
}

/* Valid until the next value_*(); vote and account may be NULL. */
static inline struct slice value_seat_of(const char *vote, const char *account)
{
	struct seat_item seat = {.created_on = NOW,
				 .updated_on = NOW,
				 .user_id = SLICE("ada"),
				 .role = ROLE_VOTER};
	if (vote != NULL) {
		seat.vote = slice_str(vote);
		seat.with_vote = true;
	}
	if (account != NULL) {
		seat.account = slice_str(account);
		seat.with_account = true;
	}
	return value_of(&record_seat_item, &seat);
}

/* A seat without an account: no index lists it. */
static inline struct slice value_seat(const char *vote)
{
	return value_seat_of(vote, NULL);
}

static inline struct slice value_once(int64_t expires_at, size_t result_bytes)
{
	static char result[66000];
	result[0] = (char)0xda;
	result[1] = (char)(result_bytes >> 8);
	result[2] = (char)(result_bytes & 0xff);
	memset(result + 3, 'r', result_bytes);
	struct once_item once = {.created_on = NOW,
				 .updated_on = NOW,
				 .method = SLICE("room.vote"),
				 .result = {result, result_bytes + 3},
				 .expires_at = expires_at};
	return value_of(&record_once_item, &once);
}

/* ---- answers ---- */

static inline void answer_add(struct answer *a, const struct store_item *item)
{
	struct fault fault;
	struct arena arena = {NULL};
	size_t len = strlen(a->text);
	char vote[65] = "";
	if (item_kind_of(item->pk, item->sk) == ITEM_SEAT && item->value.len > 0) {
		struct seat_item seat;
		assert_int_equal(record_from_bytes(&record_seat_item, item->value, RECORD_STRICT,
						   &arena, &seat, &fault),
				 OK);
		format_to(vote, sizeof(vote), "=%.*s", seat.with_vote ? (int)seat.vote.len : 1,
			  seat.with_vote ? seat.vote.data : "-");
		arena_finish(&arena);
	}
	format_to(a->text + len, sizeof(a->text) - len, "%s%.*s%s@%u", len == 0 ? "" : " ",
		  (int)item->sk.len, item->sk.data, vote,
		  fixture_nth(item_scope_of(item->pk), item->version));
}

static inline void on_items(void *arg, enum err e, const struct store_item *items, size_t n,
			    uint64_t version, bool has_more)
{
	struct answer *a = arg;
	a->has_more = has_more;
	a->calls++;
	a->e = e;
	a->n = n;
	a->version = version;
	a->nth = fixture_nth(a->scope, version);
	for (size_t i = 0; i < n; i++) {
		answer_add(a, &items[i]);
	}
}

static inline void on_query(void *arg, enum err e, const struct store_item *items, size_t n,
			    struct slice next, bool is_partial)
{
	struct answer *a = arg;
	a->is_partial = is_partial;
	on_items(arg, e, items, n, 0, next.len > 0);
	assert_true(next.len <= sizeof(a->cursor));
	a->cursor_len = next.len;
	if (next.len > 0) {
		memcpy(a->cursor, next.data, next.len);
	}
}

static inline void on_commit(void *arg, enum err e, uint64_t version)
{
	struct answer *a = arg;
	a->calls++;
	a->e = e;
	a->version = version;
	a->nth = e == OK ? fixture_note(a->scope, version) : 0;
}

/* Another process makes the commit. */
static inline enum err commit_other(struct fixture *f, const struct store_commit *c)
{
	uint64_t version = 0;
	enum err e = f->engine->other(f, c, &version);
	if (e == OK) {
		(void)fixture_note(item_scope_of(c->ops[0].pk), version);
	}
	return e;
}

/* Runs in a child, which the assertion ends. */
static inline void assert_aborts(struct fixture *f, const struct store_commit *c)
{
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)signal(SIGABRT, SIG_DFL);
		(void)close(STDERR_FILENO);
		(void)!store_commit(f->s, c, on_commit, NULL);
		_exit(0);
	}
	int how = 0;
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
}

/* The answer will be in *a. */
static inline enum err commit_begin(struct fixture *f, const struct store_commit *c,
				    struct answer *a)
{
	a->scope = item_scope_of(c->ops[0].pk);
	return store_commit(f->s, c, on_commit, a);
}

/* ---- calls that wait ---- */

static inline struct store_op op_put(const char *pk, const char *sk, struct slice value)
{
	return (struct store_op){.kind = STORE_PUT,
				 .pk = slice_str(pk),
				 .sk = slice_str(sk),
				 .value = value};
}

static inline struct store_op op_of(enum store_op_kind kind, const char *pk, const char *sk)
{
	return (struct store_op){.kind = kind, .pk = slice_str(pk), .sk = slice_str(sk)};
}

static inline struct answer commit_all(struct fixture *f, const struct store_commit *c)
{
	struct answer a = {.calls = 0};
	enum err e = commit_begin(f, c, &a);
	if (e != OK) {
		a.e = e;
		return a;
	}
	fixture_drain(f);
	assert_int_equal(a.calls, 1);
	return a;
}

static inline struct answer commit_ops(struct fixture *f, const struct store_op *ops, size_t n)
{
	struct store_commit c = {.ops = ops, .n = n, .now_ms = NOW};
	return commit_all(f, &c);
}

static inline struct answer commit_op(struct fixture *f, struct store_op op)
{
	return commit_ops(f, &op, 1);
}

static inline void put_seat(struct fixture *f, const char *pk, const char *sk, const char *vote)
{
	assert_int_equal(commit_op(f, op_put(pk, sk, value_seat(vote))).e, OK);
}

static inline struct answer load_of(struct fixture *f, const struct store_load *l)
{
	struct answer a = {.scope = item_scope_of(l->pk)};
	store_load(f->s, l, on_items, &a);
	fixture_drain(f);
	assert_int_equal(a.calls, 1);
	return a;
}

static inline struct answer load(struct fixture *f, const char *pk, const char *prefix)
{
	struct store_load l = {.pk = slice_str(pk), .sk_prefix = slice_str(prefix)};
	return load_of(f, &l);
}

static inline struct answer query_of(struct fixture *f, const struct store_query *q)
{
	struct answer a = {.calls = 0};
	store_query(f->s, q, on_query, &a);
	fixture_drain(f);
	assert_int_equal(a.calls, 1);
	return a;
}

static inline struct answer query(struct fixture *f, int64_t from, int64_t to, size_t limit,
				  const struct answer *before)
{
	struct store_query q = {.index = INDEX_BY_EXPIRY, .from = from, .to = to, .limit = limit};
	if (before != NULL) {
		q.cursor = slice_of(before->cursor, before->cursor_len);
	}
	return query_of(f, &q);
}

/* The seats of an account. */
static inline struct answer query_seats(struct fixture *f, const char *account)
{
	struct store_query q = {.index = INDEX_BY_ACCOUNT,
				.partition = slice_str(account),
				.to = INT64_MAX,
				.limit = 100};
	return query_of(f, &q);
}

static inline struct store_token token_of(unsigned char byte)
{
	struct store_token t;
	memset(t.bytes, byte, sizeof(t.bytes));
	return t;
}

static inline struct answer commit_token(struct fixture *f, unsigned char token, const char *vote,
					 int64_t now_ms)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat(vote));
	struct store_commit c = {.token = token_of(token), .ops = &op, .n = 1, .now_ms = now_ms};
	return commit_all(f, &c);
}

#define assert_load(f, pk, prefix, expected)                 \
	do {                                                 \
		struct answer loaded_ = load(f, pk, prefix); \
		assert_int_equal(loaded_.e, OK);             \
		assert_string_equal(loaded_.text, expected); \
	} while (0)

#endif
