/*
 * test_publications.c - what commits publish comes numbered, in order, and before the answers that
 * could show it.
 */
#include "fixture.h"

/* What came back, in its order: "+1 body" of a publication, "commit", "USER:ada=5" ... of a load. */
struct told {
	char text[1024];
	uint64_t first; /* number of the first publication; 0: there was none */
};

static void told_add(struct told *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void told_add(struct told *t, const char *format, ...)
{
	size_t len = strlen(t->text);
	va_list args;
	va_start(args, format);
	len += format_to(t->text + len, sizeof(t->text) - len, "%s", len == 0 ? "" : ", ");
	(void)format_to_v(t->text + len, sizeof(t->text) - len, format, args);
	va_end(args);
}

static void on_published(void *arg, uint64_t number, struct slice body)
{
	struct told *t = arg;
	t->first = t->first == 0 ? number : t->first;
	told_add(t, "+%llu %.*s", (unsigned long long)(number - t->first + 1), (int)body.len,
		 body.data);
}

static void on_told_commit(void *arg, enum err e, uint64_t version)
{
	(void)version;
	told_add(arg, "%s", e == OK ? "commit" : err_text(e));
}

static void on_told_load(void *arg, enum err e, const struct store_item *items, size_t n,
			 uint64_t version, bool has_more)
{
	(void)items;
	(void)version;
	(void)has_more;
	assert_int_equal(e, OK);
	told_add(arg, "%zu", n);
}

static struct store_op op_asker(void)
{
	const struct asker_item asker = {.created_on = NOW, .updated_on = NOW, .open_questions = 1};
	return op_put("ASKER:ada", "ASKER", value_of(&record_asker_item, &asker));
}

static void publish(struct fixture *f, struct told *t, struct store_op op, const char *body)
{
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .publish = slice_str(body)};
	assert_int_equal(store_commit(f->s, &c, on_told_commit, t), OK);
}

/* Where the nth such word stands in what was told; the test fails if it is not there. */
static const char *told_nth(const struct told *t, const char *word, unsigned nth)
{
	const char *at = strstr(t->text, word);
	while (at != NULL && --nth > 0) {
		at = strstr(at + 1, word);
	}
	if (at == NULL) {
		fail_msg("not told: %s in %s", word, t->text);
	}
	return at;
}

/* How soon an answer follows its publication is the engine's affair. */
STORE_TEST(what_a_commit_publishes_is_told_before_its_answer, f)
{
	struct told t = {.first = 0};
	store_subscribe(f->s, on_published, &t);
	publish(f, &t, op_asker(), "one");
	publish(f, &t, op_asker(), "two");
	publish(f, &t, op_asker(), NULL);
	publish(f, &t, op_asker(), "three");
	assert_string_equal(t.text, "");
	fixture_drain(f);
	const char *one = told_nth(&t, "+1 one", 1);
	const char *two = told_nth(&t, "+2 two", 1);
	const char *three = told_nth(&t, "+3 three", 1);
	assert_true(one < two && two < three);
	assert_true(one < told_nth(&t, "commit", 1));
	assert_true(two < told_nth(&t, "commit", 2));
	assert_true(three < told_nth(&t, "commit", 4));
	assert_int_equal(strlen(t.text),
			 strlen("+1 one, commit, +2 two, commit, commit, +3 three, commit"));
}

STORE_TEST(a_commit_that_is_refused_publishes_nothing, f)
{
	struct told t = {.first = 0};
	struct store_op op = op_asker();
	store_subscribe(f->s, on_published, &t);
	op.expect = STORE_EXPECT_ABSENT;
	publish(f, &t, op, "first");
	publish(f, &t, op, "second");
	fixture_drain(f);
	assert_string_equal(t.text, "+1 first, commit, changed by another commit");
}

STORE_TEST(a_commit_that_comes_again_publishes_once, f)
{
	struct told t = {.first = 0};
	struct store_op op = op_asker();
	struct store_commit c = {
		.token = token_of(1), .ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("once")};
	store_subscribe(f->s, on_published, &t);
	assert_int_equal(store_commit(f->s, &c, on_told_commit, &t), OK);
	assert_int_equal(store_commit(f->s, &c, on_told_commit, &t), OK);
	fixture_drain(f);
	assert_string_equal(t.text, "+1 once, commit, commit");
}

STORE_TEST(what_nobody_listens_to_is_published_to_nobody, f)
{
	struct told t = {.first = 0};
	publish(f, &t, op_asker(), "one");
	fixture_drain(f);
	assert_string_equal(t.text, "commit");
}

STORE_TEST(a_room_publishes_nothing, f)
{
	struct store_op op = op_of(STORE_DELETE, "ROOM:A", "x");
	assert_aborts(f, &(struct store_commit){
				 .ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("body")});
}

SHARED_TEST(what_others_publish_comes_in_its_place, f)
{
	struct told t = {.first = 0};
	struct store_op op = op_asker();
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("theirs")};
	store_subscribe(f->s, on_published, &t);
	publish(f, &t, op, "ours");
	fixture_drain(f);
	assert_int_equal(commit_other(f, &c), OK);
	publish(f, &t, op, "ours again");
	fixture_drain(f);
	assert_string_equal(t.text, "+1 ours, commit, +2 theirs, +3 ours again, commit");
}

SHARED_TEST(a_read_is_never_ahead_of_what_others_published, f)
{
	struct told t = {.first = 0};
	struct store_op op = op_asker();
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("theirs")};
	store_subscribe(f->s, on_published, &t);
	assert_int_equal(commit_other(f, &c), OK);
	store_load(f->s, &(struct store_load){.pk = SLICE("ASKER:ada")}, on_told_load, &t);
	fixture_drain(f);
	assert_string_equal(t.text, "+1 theirs, 1");
}
