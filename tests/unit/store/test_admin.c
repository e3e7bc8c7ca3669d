/*
 * test_admin.c - check, dump and load.
 */
#include "fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/admin/admin.h"
#include "store/key.h"
#include "store/stored_value.h"

/* Lines, each ended by a newline; taken line by line again. */
struct lines {
	struct buf text;
	size_t at;
	size_t stops_after; /* refuse the line after so many; 0: take all */
	size_t n;
};

static bool on_line(void *arg, struct slice line)
{
	struct lines *l = arg;
	(void)buf_append_slice(&l->text, line);
	(void)buf_append_slice(&l->text, SLICE("\n"));
	return ++l->n != l->stops_after;
}

static enum err next_line(void *arg, struct slice *line)
{
	struct lines *l = arg;
	if (l->at >= l->text.len) {
		return ERR_NOT_FOUND;
	}
	const char *begin = l->text.data + l->at;
	const char *end = memchr(begin, '\n', l->text.len - l->at);
	*line = slice_of(begin, (size_t)(end - begin));
	l->at += line->len + 1;
	return OK;
}

static void lines_of(struct lines *l, const char *text)
{
	*l = (struct lines){.n = 0};
	buf_init(&l->text, 1 << 22);
	(void)buf_append_slice(&l->text, slice_str(text));
}

static void put_later(struct fixture *f, const char *pk, const char *sk, struct slice value,
		      struct answer *a)
{
	struct store_op op = op_put(pk, sk, value);
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(commit_begin(f, &c, a), OK);
}

static void fill_rooms(struct fixture *f, int rooms)
{
	struct answer a = {.calls = 0};
	for (int i = 0; i < rooms; i++) {
		char pk[16];
		format_to(pk, sizeof(pk), "ROOM:R%03d", i);
		put_later(f, pk, "USER:a", value_seat(i % 2 == 0 ? "5" : NULL), &a);
		put_later(f, pk, "USER:b", value_seat("\xe2\x88\x9e"), &a);
		put_later(f, pk, "ONCE#k", value_once(i, 10), &a);
	}
	fixture_drain(f);
	assert_int_equal(a.calls, 3 * rooms);
	assert_int_equal(a.e, OK);
}

static void empty_directory(char *directory, size_t cap)
{
	format_to(directory, cap, "/tmp/store-test-XXXXXX");
	assert_non_null(mkdtemp(directory));
}

/* ---- dump and load ---- */

LMDB_TEST(a_dump_loads_and_dumps_the_same, f)
{
	struct lines first, second;
	struct admin_counts counts, again;
	struct errmsg why = {""};
	char directory[64];
	fill_rooms(f, 500);
	empty_directory(directory, sizeof(directory));
	lines_of(&first, "");
	lines_of(&second, "");
	assert_int_equal(admin_dump(f->directory, true, on_line, &first, &counts, &why), OK);
	assert_int_equal(counts.items, 1500);
	assert_int_equal(counts.items_of[ITEM_SEAT], 1000);
	assert_int_equal(admin_load(directory, next_line, &first, &again, &why), OK);
	assert_int_equal(again.items, 1500);
	assert_int_equal(admin_check(directory, NO_SLICE, on_line, &second, &again, &why), OK);
	assert_int_equal(again.index_entries, 500);
	assert_int_equal(second.text.len, 0);
	assert_int_equal(admin_dump(directory, true, on_line, &second, &again, &why), OK);
	assert_int_equal(second.text.len, first.text.len);
	assert_memory_equal(second.text.data, first.text.data, first.text.len);
	buf_finish(&first.text);
	buf_finish(&second.text);
	fixture_remove(directory);
}

LMDB_TEST(a_dump_is_one_json_object_a_line, f)
{
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	put_seat(f, "ROOM:A", "USER:a", "5");
	lines_of(&l, "");
	assert_int_equal(admin_dump(f->directory, true, on_line, &l, &counts, &why), OK);
	(void)buf_append(&l.text, "", 1);
	assert_string_equal(
		l.text.data,
		"{\"pk\":\"ROOM:A\",\"sk\":\"USER:a\",\"value\":{\"created_on\":1700000000000,"
		"\"updated_on\":1700000000000,\"user_id\":\"ada\",\"vote\":\"5\",\"role\":"
		"\"voter\","
		"\"is_bot\":false}}\n");
	buf_finish(&l.text);
}

static struct slice value_room_of(bool is_revealed, bool is_anonymous, const char *card)
{
	struct slice cards[] = {SLICE("1"), slice_str(card)};
	struct room_item room = {
		.created_on = NOW,
		.updated_on = NOW,
		.expires_at = NOW,
		.host_key = SLICE("0123456789012345678901234567890123456789012"),
		.valid_sizes = {.items = cards, .n = 2},
		.is_revealed = is_revealed,
		.round = 1,
		.policy = {.anonymous = is_anonymous, .with_anonymous = true},
		.with_policy = is_anonymous,
	};
	return value_of(&record_room_item, &room);
}

/* A seat with everything on it that is secret before the reveal. */
static void put_voter(struct fixture *f, const char *pk)
{
	struct seat_item seat = {
		.created_on = NOW,
		.updated_on = NOW,
		.user_id = SLICE("ada"),
		.role = ROLE_VOTER,
		.vote = SLICE("13-vote"),
		.with_vote = true,
		.comment = SLICE("a note"),
		.with_comment = true,
		.confidence = 3,
		.with_confidence = true,
		.last_vote = SLICE("21-vote"),
		.with_last_vote = true,
	};
	struct answer a = commit_op(f, op_put(pk, "USER:a", value_of(&record_seat_item, &seat)));
	assert_int_equal(a.e, OK);
}

LMDB_TEST(a_dump_keeps_votes_secret_that_were_not_revealed, f)
{
	static const char *const secrets[] = {"13-vote", "a note", "confidence", "21-vote"};
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	assert_int_equal(
		commit_op(f, op_put("ROOM:HIDDEN", "ROOM", value_room_of(false, false, "8"))).e,
		OK);
	put_voter(f, "ROOM:HIDDEN");
	lines_of(&l, "");
	assert_int_equal(admin_dump(f->directory, false, on_line, &l, &counts, &why), OK);
	(void)buf_append(&l.text, "", 1);
	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		assert_null(strstr(l.text.data, secrets[i]));
	}
	assert_non_null(strstr(l.text.data, "\"user_id\":\"ada\""));
	assert_int_equal(counts.hidden, 1);
	assert_int_equal(counts.items, 2);
	buf_finish(&l.text);
	lines_of(&l, "");
	assert_int_equal(admin_dump(f->directory, true, on_line, &l, &counts, &why), OK);
	(void)buf_append(&l.text, "", 1);
	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		assert_non_null(strstr(l.text.data, secrets[i]));
	}
	assert_int_equal(counts.hidden, 0);
	buf_finish(&l.text);
}

LMDB_TEST(a_dump_holds_the_votes_that_lie_open, f)
{
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	assert_int_equal(
		commit_op(f, op_put("ROOM:OPEN", "ROOM", value_room_of(true, false, "13-vote"))).e,
		OK);
	put_voter(f, "ROOM:OPEN");
	put_voter(f, "ROOM:OPENED"); /* begins like it, and has no room at all */
	lines_of(&l, "");
	assert_int_equal(admin_dump(f->directory, false, on_line, &l, &counts, &why), OK);
	(void)buf_append(&l.text, "", 1);
	const char *vote = strstr(l.text.data, "13-vote");
	assert_non_null(vote);
	vote = strstr(vote + 1, "13-vote"); /* the card of the deck is the other */
	assert_non_null(vote);
	assert_null(strstr(vote + 1, "13-vote"));
	assert_null(
		strstr(l.text.data, "21-vote")); /* what a reset took may never have been shown */
	assert_int_equal(counts.hidden, 2);
	buf_finish(&l.text);
}

static void put_question(struct fixture *f, enum question_status status)
{
	static struct slice audience = SLICE_INIT("general");
	struct question_item question = {
		.created_on = NOW,
		.updated_on = NOW,
		.status = status,
		.prompt = SLICE("Which one is it?"),
		.audience = {&audience, 1},
		.required_responses = 5,
		.current_responses = 1,
		.agent_id = SLICE("ada"),
		.ends_at = NOW,
		.expires_at = NOW,
	};
	struct response_item response = {
		.created_on = NOW,
		.updated_on = NOW,
		.response_id = SLICE("r_1"),
		.fingerprint_hash = SLICE("0123456789012345678901234567890123456789abc"),
		.answer = SLICE("13-vote"),
		.confidence = 3,
		.comment = SLICE("a note"),
		.response_time_ms = 424242,
		.expires_at = NOW,
	};
	assert_int_equal(commit_op(f, op_put("QUESTION:q_1", "QUESTION",
					     value_of(&record_question_item, &question)))
				 .e,
			 OK);
	assert_int_equal(commit_op(f, op_put("QUESTION:q_1", "RESPONSE:a",
					     value_of(&record_response_item, &response)))
				 .e,
			 OK);
}

LMDB_TEST(a_dump_keeps_answers_secret_until_their_question_has_ended, f)
{
	static const char *const secrets[] = {"13-vote", "424242", "a note", "confidence"};
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	for (int status = QUESTION_OPEN; status <= QUESTION_CANCELLED; status++) {
		for (int with_hidden = 0; with_hidden < 2; with_hidden++) {
			bool is_shown = with_hidden == 1 || status >= QUESTION_CLOSED;
			put_question(f, (enum question_status)status);
			lines_of(&l, "");
			assert_int_equal(admin_dump(f->directory, with_hidden == 1, on_line, &l,
						    &counts, &why),
					 OK);
			(void)buf_append(&l.text, "", 1);
			for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
				assert_int_equal(strstr(l.text.data, secrets[i]) != NULL, is_shown);
			}
			assert_non_null(strstr(l.text.data, "r_1"));
			assert_int_equal(counts.hidden, !is_shown);
			buf_finish(&l.text);
		}
	}
}

static void assert_dump_names_no_vote(struct fixture *f, struct slice room)
{
	static const char *const secrets[] = {"13-vote", "424242", "a note", "confidence\":3",
					      "21-vote"};
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	assert_int_equal(commit_op(f, op_put("ROOM:OPEN", "ROOM", room)).e, OK);
	put_voter(f, "ROOM:OPEN");
	lines_of(&l, "");
	assert_int_equal(admin_dump(f->directory, false, on_line, &l, &counts, &why), OK);
	(void)buf_append(&l.text, "", 1);
	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		assert_null(strstr(l.text.data, secrets[i]));
	}
	assert_int_equal(counts.hidden, 1);
	buf_finish(&l.text);
}

LMDB_TEST(a_dump_names_no_vote_of_an_open_round_without_names, f)
{
	assert_dump_names_no_vote(f, value_room_of(true, true, "8"));
}

LMDB_TEST(a_dump_names_no_vote_that_the_open_deck_does_not_have, f)
{
	assert_dump_names_no_vote(f, value_room_of(true, false, "8"));
}

LMDB_TEST(a_caller_may_stop_a_dump, f)
{
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	fill_rooms(f, 300);
	lines_of(&l, "");
	l.stops_after = 3;
	assert_int_equal(admin_dump(f->directory, true, on_line, &l, &counts, &why), ERR_CLOSED);
	assert_int_equal(l.n, 3);
	buf_finish(&l.text);
}

#define SEAT_LINE(sk)                                                                        \
	"{\"pk\":\"ROOM:A\",\"sk\":\"" sk "\",\"value\":{\"created_on\":1,\"updated_on\":1," \
	"\"user_id\":\"u\",\"role\":\"voter\",\"is_bot\":false}}\n"

TEST(a_bad_line_is_named_and_nothing_is_loaded)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
		{SEAT_LINE("USER:a") "nonsense\n", "line 2: "},
		{SEAT_LINE("USER:a") "\n{\"pk\":\"ROOM:A\"}\n", "line 3: sk"},
		{SEAT_LINE("USER:a") SEAT_LINE("USER:b") SEAT_LINE("USER:a"), "line 3: repeats"},
		{SEAT_LINE("SEAT:a"), "line 1: no kind"},
		{"{\"pk\":\"ROOM:A\",\"sk\":\"USER:a\",\"value\":{\"vote\":1}}\n", "line 1: "},
		{"{\"pk\":\"ROOM:A\",\"sk\":\"USER:a\",\"value\":{},\"x\":1}\n", "line 1: x"},
		{"{\"pk\":\"RO\\u0000M:A\",\"sk\":\"USER:a\",\"value\":{}}\n", "line 1: "},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lines l;
		struct admin_counts counts;
		struct errmsg why = {""};
		char directory[64], path[128];
		struct stat st;
		empty_directory(directory, sizeof(directory));
		lines_of(&l, cases[i].text);
		assert_int_equal(admin_load(directory, next_line, &l, &counts, &why), ERR_INVALID);
		if (strncmp(why.text, cases[i].why, strlen(cases[i].why)) != 0) {
			assert_string_equal(why.text, cases[i].why);
		}
		format_to(path, sizeof(path), "%s/data.mdb", directory);
		assert_int_not_equal(stat(path, &st), 0);
		assert_int_equal(rmdir(directory), 0);
		buf_finish(&l.text);
	}
}

LMDB_TEST(load_refuses_where_data_are, f)
{
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	put_seat(f, "ROOM:A", "USER:z", "5");
	lines_of(&l, SEAT_LINE("USER:a"));
	assert_int_equal(admin_load(f->directory, next_line, &l, &counts, &why), ERR_CONFLICT);
	assert_int_equal(admin_load("/tmp/store-test-none", next_line, &l, &counts, &why),
			 ERR_NOT_FOUND);
	assert_load(f, "ROOM:A", "", "USER:z=5@1");
	buf_finish(&l.text);
}

/* ---- check ---- */

LMDB_TEST(check_runs_beside_a_server_that_writes, f)
{
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	fill_rooms(f, 5);
	lines_of(&l, "");
	assert_int_equal(admin_check(f->directory, NO_SLICE, on_line, &l, &counts, &why), OK);
	assert_int_equal(counts.items, 15);
	assert_int_equal(counts.index_entries, 5);
	assert_int_equal(counts.problems, 0);
	fill_rooms(f, 5);
	assert_int_equal(admin_check("/tmp/store-test-none", NO_SLICE, on_line, &l, &counts, &why),
			 ERR_NOT_FOUND);
	buf_finish(&l.text);
}

/* Change the closed data behind the engine's back, in one transaction. */
static void drop_an_entry(struct kv *kv)
{
	struct slice key, value;
	struct key k = {.len = 0};
	assert_int_equal(kv_find(kv, KV_INDEX, KV_FROM, (struct slice){NULL, 0}, &key, &value), OK);
	memcpy(k.bytes, key.data, key.len);
	k.len = key.len;
	assert_int_equal(kv_del(kv, KV_INDEX, key_slice(&k)), OK);
}

static void drop_an_item(struct kv *kv)
{
	struct key k;
	key_of_item(&k, SLICE("ROOM:R000"), SLICE("ONCE#k"));
	assert_int_equal(kv_del(kv, KV_ITEMS, key_slice(&k)), OK);
}

static void add_an_entry(struct kv *kv)
{
	struct key item, entry;
	key_of_item(&item, SLICE("ROOM:R000"), SLICE("ONCE#k"));
	key_of_entry(&entry, (struct slice){NULL, 0}, 99, key_slice(&item));
	assert_int_equal(kv_put(kv, KV_INDEX, key_slice(&entry), key_slice(&item)), OK);
}

static void add_a_stranger(struct kv *kv)
{
	assert_int_equal(kv_put(kv, KV_ITEMS, slice_of("SHED:x\0y", 8), SLICE("?")), OK);
}

/* A question of the index is never asked about such an item: it would stay listed for ever. */
static void deny_a_listing(struct kv *kv)
{
	struct slice stored, value;
	uint64_t version;
	struct key k;
	struct buf sealed;
	key_of_item(&k, SLICE("ROOM:R000"), SLICE("ONCE#k"));
	assert_int_equal(kv_get(kv, KV_ITEMS, key_slice(&k), &stored), OK);
	assert_int_equal(stored_value_open(key_slice(&k), stored, &version, &value), OK);
	buf_init(&sealed, 1024);
	stored_value_seal(key_slice(&k), version, false, value, &sealed);
	assert_int_equal(kv_put(kv, KV_ITEMS, key_slice(&k), buf_slice(&sealed)), OK);
	buf_finish(&sealed);
}

TEST(check_names_each_thing_that_does_not_hold_together)
{
	static const struct {
		void (*change)(struct kv *kv);
		const char *problem;
	} cases[] = {
		{drop_an_entry, "item ROOM:R000 ONCE#k: is missing from an index\n"},
		{drop_an_item, "ByExpiry ROOM:R000 ONCE#k: points to no item\n"},
		{add_an_entry, "ByExpiry ROOM:R000 ONCE#k: lists the item in the wrong place\n"},
		{deny_a_listing, "item ROOM:R000 ONCE#k: says that no index lists it\n"},
		{add_a_stranger, "item SHED:x y: is of no known kind\n"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;
		struct lines l;
		struct admin_counts counts;
		struct errmsg why;
		fixture_open(&f, FIXTURE_LMDB);
		fill_rooms(&f, 1);
		fixture_tamper(&f, cases[i].change);
		lines_of(&l, "");
		assert_int_equal(admin_check(f.directory, NO_SLICE, on_line, &l, &counts, &why),
				 ERR_CORRUPT);
		assert_int_equal(counts.problems, 1);
		(void)buf_append(&l.text, "", 1);
		assert_string_equal(l.text.data, cases[i].problem);
		buf_finish(&l.text);
		fixture_close(&f);
	}
}

LMDB_TEST(check_does_not_show_a_whole_hash, f)
{
	struct lines l;
	struct admin_counts counts;
	struct errmsg why;
	assert_int_equal(commit_op(f, op_put("ROOM:R000", "ONCE#k", value_once(1, 4))).e, OK);
	assert_int_equal(commit_op(f, op_put("ROOM:R000",
					     "ONCE#0123456789012345678901234567890123456789",
					     value_once(0, 4)))
				 .e,
			 OK);
	fixture_tamper(f, drop_an_entry);
	lines_of(&l, "");
	assert_int_equal(admin_check(f->directory, NO_SLICE, on_line, &l, &counts, &why),
			 ERR_CORRUPT);
	(void)buf_append(&l.text, "", 1);
	assert_string_equal(l.text.data,
			    "item ROOM:R000 ONCE#01234567890...: is missing from an index\n");
	buf_finish(&l.text);
}
