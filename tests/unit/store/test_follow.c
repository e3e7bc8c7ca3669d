/*
 * test_follow.c - the events of commits, and the followers of a partition, once for each engine.
 */
#include "fixture.h"

struct heard {
	struct fixture *f;
	struct store_follow *follow;
	unsigned stops_after; /* unfollow in the callback of this many; 0: never */
	unsigned calls;
	char text[1024];
};

static void on_heard(void *arg, enum err e, struct slice event, uint64_t version)
{
	struct heard *h = arg;
	size_t len = strlen(h->text);
	format_to(h->text + len, sizeof(h->text) - len, "%s%.*s@%llu ", e == OK ? "" : "RESET",
		  (int)event.len, event.data, (unsigned long long)version);
	if (++h->calls == h->stops_after) {
		store_unfollow(h->f->s, h->follow);
	}
}

static void commit_event(struct fixture *f, const char *pk, const char *event)
{
	struct store_op op = op_put(pk, "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .event = slice_str(event), .now_ms = NOW};
	assert_int_equal(commit_all(f, &c).e, OK);
}

static void follow(struct heard *h, struct fixture *f, const char *pk, uint64_t version)
{
	h->f = f;
	h->follow = store_follow(f->s, slice_str(pk), version, on_heard, h);
	assert_non_null(h->follow);
}

STORE_TEST(a_follower_gets_each_later_commit_of_its_partition_once, f)
{
	struct heard h = {.calls = 0}, late = {.calls = 0};
	commit_event(f, "ROOM:A", "one");
	follow(&h, f, "ROOM:A", 1);
	commit_event(f, "ROOM:A", "two");
	commit_event(f, "ROOM:B", "no");
	struct store_op check = op_of(STORE_CHECK, "ROOM:A", "USER:a");
	assert_int_equal(commit_op(f, check).e, OK);
	commit_event(f, "ROOM:A", "five");
	assert_string_equal(h.text, "two@2 five@5 ");
	/* From before: what was missed comes first. */
	follow(&late, f, "ROOM:A", 0);
	assert_int_equal(late.calls, 0);
	fixture_drain(f);
	assert_string_equal(late.text, "one@1 two@2 five@5 ");
	store_unfollow(f->s, h.follow);
	commit_event(f, "ROOM:A", "six");
	assert_string_equal(h.text, "two@2 five@5 ");
	store_unfollow(f->s, late.follow);
	store_unfollow(f->s, NULL);
}

STORE_TEST(a_replayed_token_makes_no_second_event, f)
{
	struct heard h = {.calls = 0};
	follow(&h, f, "ROOM:A", 0);
	(void)commit_token(f, 1, "1", NOW);
	(void)commit_token(f, 1, "1", NOW);
	assert_string_equal(h.text, "@1 ");
	store_unfollow(f->s, h.follow);
}

STORE_TEST(a_follower_may_leave_in_its_callback, f)
{
	struct heard h = {.stops_after = 1};
	commit_event(f, "ROOM:A", "one");
	commit_event(f, "ROOM:A", "two");
	follow(&h, f, "ROOM:A", 0);
	fixture_drain(f);
	assert_string_equal(h.text, "one@1 ");
}

STORE_TEST(a_follower_from_too_long_ago_must_load_again, f)
{
	struct heard h = {.calls = 0}, after = {.calls = 0};
	struct answer a = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	for (int i = 0; i < 1100; i++) {
		assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
	}
	fixture_drain(f);
	follow(&h, f, "ROOM:A", 1);
	fixture_drain(f);
	assert_string_equal(h.text, "RESET@1100 ");
	follow(&after, f, "ROOM:A", 1100);
	commit_event(f, "ROOM:A", "on");
	assert_string_equal(h.text, "RESET@1100 ");
	assert_string_equal(after.text, "on@1101 ");
	store_unfollow(f->s, h.follow);
	store_unfollow(f->s, after.follow);
}

/* Follows from the version of its load, and counts. */
struct watcher {
	struct fixture *f;
	struct store_follow *follow;
	uint64_t loaded;
	uint64_t last;
	size_t heard;
};

static void on_watched(void *arg, enum err e, struct slice event, uint64_t version)
{
	struct watcher *w = arg;
	(void)event;
	assert_int_equal(e, OK);
	assert_true(version > w->last);
	w->last = version;
	w->heard++;
}

static void on_watcher_loaded(void *arg, enum err e, const struct store_item *items, size_t n,
			      uint64_t version, bool has_more)
{
	struct watcher *w = arg;
	assert_false(has_more);
	(void)items;
	(void)n;
	assert_int_equal(e, OK);
	w->loaded = version;
	w->last = version;
	w->follow = store_follow(w->f->s, SLICE("ROOM:A"), version, on_watched, w);
	assert_non_null(w->follow);
}

STORE_TEST(a_load_and_a_follow_from_its_version_miss_nothing, f)
{
	struct watcher w[8] = {{.f = NULL}};
	struct answer a = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	for (size_t i = 0; i < 800; i++) {
		assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
		if (i % 100 == 50) {
			w[i / 100].f = f;
			store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:A")},
				   on_watcher_loaded, &w[i / 100]);
		}
		if (i % 7 == 0) {
			(void)store_poll(f->s);
		}
	}
	fixture_drain(f);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(w[i].last, 800);
		assert_int_equal(w[i].loaded + w[i].heard, 800);
		store_unfollow(f->s, w[i].follow);
	}
}
