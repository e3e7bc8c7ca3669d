/*
 * test_indexes.c - what indexes list is what the items say, once for each engine.
 *
 * This program brings index tables of its own instead of store/index_rows.c:
 * beside rows as the product has them, one whose partition attribute is a list.
 */
#include "fixture.h"

#include "store/admin/admin.h"
#include "store/base/index.h"
#include "store/key.h"
#include "tests/support/heap.h"

const struct index_row index_rows[] = {
	{INDEX_BY_EXPIRY, "ByExpiry", ITEM_ROOM, "", "expires_at", ""},
	{INDEX_BY_EXPIRY, "ByExpiry", ITEM_ONCE, "", "expires_at", ""},
	{INDEX_BY_USER_ID, "ByUserId", ITEM_ROOM, "valid_sizes", "round", ""},
	{INDEX_BY_ACCOUNT, "SeatsOfUser", ITEM_SEAT, "account", "created_on", ""},
	{INDEX_BY_STATUS, "ByStatus", ITEM_SEAT, "role", "created_on", ""},
	{.name = NULL},
};

const char *const index_names[INDEX_COUNT] = {"ByExpiry", "ByUserId", "SeatsOfUser", "ByStatus"};

/* The cards are one character each; `sort` is the number of the round. */
static struct slice value_room(const char *cards, int64_t sort, int64_t expires_at)
{
	struct slice sizes[32];
	size_t n = strlen(cards);
	for (size_t i = 0; i < n; i++) {
		sizes[i] = slice_of(cards + i, 1);
	}
	struct room_item room = {.created_on = NOW,
				 .updated_on = NOW,
				 .host_key = SLICE("0123456789012345678901234567890123456789abc"),
				 .valid_sizes = {sizes, n},
				 .round = sort,
				 .expires_at = expires_at};
	return value_of(&record_room_item, &room);
}

static void put_room(struct fixture *f, const char *pk, const char *cards, int64_t sort)
{
	struct store_op op = op_put(pk, "ROOM", value_room(cards, sort, 7));
	assert_int_equal(commit_op(f, op).e, OK);
}

static void on_pks(void *arg, enum err e, const struct store_item *items, size_t n,
		   struct slice next, bool is_partial)
{
	(void)is_partial;
	struct answer *a = arg;
	a->calls++;
	a->e = e;
	a->n = n;
	assert_int_equal(next.len, 0);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(a->text);
		format_to(a->text + len, sizeof(a->text) - len, "%s%.*s", len == 0 ? "" : " ",
			  (int)items[i].pk.len, items[i].pk.data);
	}
}

/* The PKs of the rooms that have the card. */
static const char *rooms_with(struct fixture *f, const char *card)
{
	static struct answer a;
	struct store_query q = {.index = INDEX_BY_USER_ID,
				.partition = slice_str(card),
				.to = INT64_MAX,
				.limit = 100};
	a = (struct answer){.calls = 0};
	store_query(f->s, &q, on_pks, &a);
	fixture_drain(f);
	assert_int_equal(a.e, OK);
	return a.text;
}

STORE_TEST(a_list_lists_the_item_once_for_each_element, f)
{
	put_room(f, "ROOM:A", "123", 5);
	put_room(f, "ROOM:B", "2332", 4);
	assert_string_equal(rooms_with(f, "1"), "ROOM:A");
	assert_string_equal(rooms_with(f, "2"), "ROOM:B ROOM:A");
	assert_string_equal(rooms_with(f, "3"), "ROOM:B ROOM:A");
	assert_string_equal(rooms_with(f, "4"), "");
	assert_string_equal(rooms_with(f, "12"), "");
	assert_string_equal(rooms_with(f, ""), "");
}

TEST(entries_are_each_once_and_in_order)
{
	struct arena arena = {NULL};
	struct index_entries entries;
	struct key item;
	key_of_item(&item, SLICE("ROOM:A"), SLICE("ROOM"));
	assert_int_equal(index_entries_of(ITEM_ROOM, key_slice(&item), value_room("32332", 1, 7),
					  &arena, &entries),
			 OK);
	assert_int_equal(entries.n, 3); /* and the one of ByExpiry */
	for (size_t i = 1; i < entries.n; i++) {
		const struct index_entry *before = &entries.at[i - 1], *entry = &entries.at[i];
		assert_true(before->index < entry->index || slice_cmp(before->key, entry->key) < 0);
	}
	for (size_t i = 0; i < entries.n; i++) {
		assert_true(index_entries_have(&entries, &entries.at[i]));
	}
	const struct index_entry other = {.index = INDEX_BY_ACCOUNT, .key = entries.at[0].key};
	assert_false(index_entries_have(&entries, &other));
	arena_finish(&arena);
}

STORE_TEST(an_overwrite_changes_the_entries_of_what_came_and_what_went, f)
{
	put_room(f, "ROOM:A", "123", 5);
	put_room(f, "ROOM:B", "23", 6);
	put_room(f, "ROOM:A", "4334", 5);
	assert_string_equal(rooms_with(f, "1"), "");
	assert_string_equal(rooms_with(f, "2"), "ROOM:B");
	assert_string_equal(rooms_with(f, "3"), "ROOM:A ROOM:B");
	assert_string_equal(rooms_with(f, "4"), "ROOM:A");
	put_room(f, "ROOM:A", "34", 7); /* the same elements, sorted elsewhere */
	assert_string_equal(rooms_with(f, "3"), "ROOM:B ROOM:A");
	assert_string_equal(rooms_with(f, "4"), "ROOM:A");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "ROOM")).e, OK);
	assert_string_equal(rooms_with(f, "3"), "ROOM:B");
	assert_string_equal(rooms_with(f, "4"), "");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:B", "")).e, OK);
	assert_string_equal(rooms_with(f, "2"), "");
	assert_string_equal(rooms_with(f, "3"), "");
}

STORE_TEST(each_failed_allocation_leaves_the_entries_with_their_item, f)
{
	char values[2][1024];
	struct slice put[2];
	for (int i = 0; i < 2; i++) {
		put[i] = value_room(i == 0 ? "123" : "3454", 5, 7);
		memcpy(values[i], put[i].data, put[i].len);
		put[i].data = values[i];
	}
	bool has_failed = true;
	put_room(f, "ROOM:A", "12", 5);
	for (size_t nth = 0; has_failed; nth++) {
		struct answer a = {.calls = 0};
		struct store_op op = op_put("ROOM:A", "ROOM", put[1]);
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_true(nth < 1000);
		assert_int_equal(commit_op(f, op_put("ROOM:A", "ROOM", put[0])).e, OK);
		heap_fail_nth(nth, false);
		enum err e = commit_begin(f, &c, &a);
		fixture_drain(f);
		has_failed = heap_has_failed();
		heap_fail_never();
		bool was_done = e == OK && a.e == OK;
		assert_true(was_done || e == ERR_NOMEM || a.e == ERR_NOMEM);
		assert_string_equal(rooms_with(f, "1"), was_done ? "" : "ROOM:A");
		assert_string_equal(rooms_with(f, "3"), "ROOM:A");
		assert_string_equal(rooms_with(f, "4"), was_done ? "ROOM:A" : "");
	}
}

/* ---- check ---- */

static bool on_problem(void *arg, struct slice line)
{
	char *text = arg;
	size_t len = strlen(text);
	format_to(text + len, 4096 - len, "%.*s\n", (int)line.len, line.data);
	return true;
}

static const char *check(struct fixture *f, uint64_t entries)
{
	static char text[4096];
	struct admin_counts counts;
	struct errmsg why;
	text[0] = '\0';
	enum err e = admin_check(f->directory, NO_SLICE, on_problem, text, &counts, &why);
	assert_int_equal(e, counts.problems == 0 ? OK : ERR_CORRUPT);
	assert_int_equal(counts.index_entries, entries);
	return text;
}

static void entry_of_a(struct key *entry, struct key *item, const char *card)
{
	key_of_item(item, SLICE("ROOM:A"), SLICE("ROOM"));
	key_of_entry(entry, slice_str(card), 5, key_slice(item));
}

static void drop_the_entry_of_one_element(struct kv *kv)
{
	struct key entry, item;
	entry_of_a(&entry, &item, "2");
	assert_int_equal(kv_del(kv, KV_INDEX + INDEX_BY_USER_ID, key_slice(&entry)), OK);
}

static void add_the_entry_of_another_element(struct kv *kv)
{
	struct key entry, item;
	entry_of_a(&entry, &item, "9");
	assert_int_equal(kv_put(kv, KV_INDEX + INDEX_BY_USER_ID, key_slice(&entry),
				key_slice(&item)),
			 OK);
}

LMDB_TEST(check_knows_the_entries_of_a_list, f)
{
	put_room(f, "ROOM:A", "1232", 5);
	put_room(f, "ROOM:B", "12", 5);
	assert_string_equal(check(f, 2 + 3 + 2), "");
	fixture_tamper(f, drop_the_entry_of_one_element);
	assert_string_equal(check(f, 6), "item ROOM:A ROOM: is missing from an index\n");
	fixture_tamper(f, add_the_entry_of_another_element);
	assert_string_equal(check(f, 7),
			    "item ROOM:A ROOM: is missing from an index\n"
			    "ByUserId ROOM:A ROOM: lists the item in the wrong place\n");
}

/* ---- random operations ---- */

#define PKS	 3
#define SKS	 18
#define CARDS	 5
#define ACCOUNTS 3

/* An item as it must be; sorts are small, so that many are equal. */
struct slot {
	bool is_there;
	char pk[8], sk[16];
	char cards[8]; /* of a room */
	int account;   /* of a seat; ACCOUNTS: none */
	int64_t sort, expires_at;
};

struct walk {
	struct fixture *f;
	uint64_t dice;
	struct slot slots[PKS][SKS]; /* of each partition in SK order */
};

static unsigned roll(struct walk *w, unsigned sides)
{
	w->dice ^= w->dice << 13;
	w->dice ^= w->dice >> 7;
	w->dice ^= w->dice << 17;
	return (unsigned)(w->dice >> 33) % sides;
}

static void walk_begin(struct walk *w, struct fixture *f, uint64_t seed)
{
	static const char *const prefixes[] = {"ONCE#", "ROUND#", "USER:"};
	*w = (struct walk){.f = f, .dice = seed};
	for (unsigned p = 0; p < PKS; p++) {
		unsigned at = 0;
		for (unsigned i = 0; i < SKS; i++) {
			struct slot *s = &w->slots[p][i];
			format_to(s->pk, sizeof(s->pk), "ROOM:%c", (int)('A' + p));
			if (i == 6) {
				format_to(s->sk, sizeof(s->sk), "ROOM");
			} else {
				format_to(s->sk, sizeof(s->sk), "%s%u", prefixes[at / 6], at % 6);
				at++;
			}
		}
	}
}

/* Give the slot new contents; the bytes are copied behind `at`. */
static struct store_op walk_put(struct walk *w, struct slot *s, char **at)
{
	static const char *const accounts[] = {"ada", "bob", "eve"};
	struct slice value;
	s->is_there = true;
	s->sort = 1 + roll(w, 4);
	s->expires_at = roll(w, 4);
	if (s->sk[0] == 'R' && s->sk[2] == 'O') {
		unsigned n = 2 + roll(w, 5);
		for (unsigned i = 0; i < n; i++) {
			s->cards[i] = (char)('a' + roll(w, CARDS));
		}
		s->cards[n] = '\0';
		value = value_room(s->cards, s->sort, s->expires_at);
	} else if (s->sk[0] == 'U') {
		s->account = (int)roll(w, ACCOUNTS + 1);
		struct seat_item seat = {.created_on = s->sort,
					 .user_id = SLICE("ada"),
					 .role = ROLE_VOTER};
		if (s->account < ACCOUNTS) {
			seat.account = slice_str(accounts[s->account]);
			seat.with_account = true;
		}
		value = value_of(&record_seat_item, &seat);
	} else if (s->sk[0] == 'O') {
		value = value_once(s->expires_at, 4);
	} else {
		struct round_item round = {.round = {"\x80", 1}};
		value = value_of(&record_round_item, &round);
	}
	memcpy(*at, value.data, value.len);
	value.data = *at;
	*at += value.len;
	return op_put(s->pk, s->sk, value);
}

static struct store_op walk_delete_prefix(struct walk *w, unsigned p)
{
	static const char *const prefixes[] = {"", "ONCE#", "ROUND#", "USER:", "RO"};
	struct store_op op = op_of(STORE_DELETE_PREFIX, w->slots[p][0].pk, prefixes[roll(w, 5)]);
	for (unsigned i = 0; i < SKS; i++) {
		struct slot *s = &w->slots[p][i];
		s->is_there = s->is_there && !slice_starts(slice_str(s->sk), op.sk);
	}
	return op;
}

static void walk_commit(struct walk *w)
{
	struct slot before[SKS];
	struct store_op ops[6];
	char values[6 * 1024], *at = values;
	unsigned p = roll(w, PKS), n = 1 + roll(w, 4);
	memcpy(before, w->slots[p], sizeof(before));
	for (unsigned i = 0; i < n; i++) {
		struct slot *s = &w->slots[p][roll(w, SKS)];
		switch (roll(w, 12)) {
		case 0:
			ops[i] = walk_delete_prefix(w, p);
			break;
		case 1:
		case 2:
			ops[i] = op_of(STORE_DELETE, s->pk, s->sk);
			s->is_there = false;
			break;
		default:
			ops[i] = walk_put(w, s, &at);
			break;
		}
	}
	bool is_refused = roll(w, 8) == 0;
	if (is_refused) {
		ops[n] = op_of(STORE_CHECK, w->slots[p][0].pk, "USER:none");
		ops[n++].expect = STORE_EXPECT_VERSION;
		memcpy(w->slots[p], before, sizeof(before));
	}
	struct answer a = commit_ops(w->f, ops, n);
	assert_int_equal(a.e, is_refused ? ERR_CONFLICT : OK);
}

/* What came back, as "ROOM:A USER:0;". */
struct seen {
	size_t n;
	enum err e;
	char text[4096];
	char cursor[STORE_CURSOR_BYTES_MAX];
	size_t cursor_len;
	bool has_more;
};

static void seen_add(char *text, size_t cap, struct slice pk, struct slice sk)
{
	size_t len = strlen(text);
	format_to(text + len, cap - len, "%.*s %.*s;", (int)pk.len, pk.data, (int)sk.len, sk.data);
}

static void on_seen(void *arg, enum err e, const struct store_item *items, size_t n,
		    uint64_t version, bool has_more)
{
	struct seen *seen = arg;
	(void)version;
	seen->e = e;
	seen->n += n;
	seen->has_more = has_more;
	for (size_t i = 0; i < n; i++) {
		seen_add(seen->text, sizeof(seen->text), items[i].pk, items[i].sk);
	}
}

static void on_seen_query(void *arg, enum err e, const struct store_item *items, size_t n,
			  struct slice next, bool is_partial)
{
	(void)is_partial;
	struct seen *seen = arg;
	on_seen(arg, e, items, n, 0, next.len > 0);
	seen->cursor_len = next.len;
	if (next.len > 0) {
		memcpy(seen->cursor, next.data, next.len);
	}
}

/* A load of any shape gives what a look at every slot gives. */
static void assert_page(struct walk *w, unsigned p)
{
	static const char *const afters[] = {"",	"ONCE#3", "ROOM", "ROUND#",
					     "ROUND#2", "USER:5", "Z"};
	static const char *const prefixes[] = {"", "", "ONCE#", "ROUND#", "USER:", "RO"};
	struct store_load l = {.pk = slice_str(w->slots[p][0].pk),
			       .sk_prefix = slice_str(prefixes[roll(w, 6)]),
			       .after = slice_str(afters[roll(w, 7)]),
			       .limit = roll(w, 6),
			       .is_descending = roll(w, 2) == 0};
	if (roll(w, 2) == 0) {
		l.tail_prefix = slice_str(prefixes[2 + roll(w, 4)]);
		l.tail_limit = roll(w, 5);
	}
	struct seen seen = {.n = 0};
	char expected[4096] = "";
	size_t n = 0, tail[SKS + 1] = {0};
	bool has_more = false;
	/* tail[i]: how many of the tail's items lie at i or behind it. */
	for (unsigned i = SKS; i-- > 0;) {
		const struct slot *s = &w->slots[p][i];
		tail[i] = tail[i + 1] +
			  (s->is_there && slice_starts(slice_str(s->sk), l.tail_prefix) ? 1 : 0);
	}
	for (unsigned k = 0; k < SKS; k++) {
		unsigned i = l.is_descending ? SKS - 1 - k : k;
		const struct slot *s = &w->slots[p][i];
		struct slice sk = slice_str(s->sk);
		int order = slice_cmp(sk, l.after);
		bool is_tail = l.tail_prefix.len > 0 && slice_starts(sk, l.tail_prefix);
		if (!s->is_there || !slice_starts(sk, l.sk_prefix) ||
		    (l.after.len > 0 && (l.is_descending ? order >= 0 : order <= 0)) ||
		    (is_tail && tail[i] > l.tail_limit)) {
			continue;
		}
		if (l.limit > 0 && n == l.limit) {
			has_more = true;
			break;
		}
		seen_add(expected, sizeof(expected), slice_str(s->pk), sk);
		n++;
	}
	store_load(w->f->s, &l, on_seen, &seen);
	fixture_drain(w->f);
	assert_int_equal(seen.e, OK);
	assert_string_equal(seen.text, expected);
	assert_int_equal(seen.has_more, has_more);
}

/* Whether an index lists the slot in the partition, and where. */
static bool slot_is_in(const struct slot *s, enum index_id index, struct slice partition,
		       int64_t *sort)
{
	static const char *const accounts[] = {"ada", "bob", "eve", "none"};
	bool is_room = strcmp(s->sk, "ROOM") == 0;
	*sort = index == INDEX_BY_EXPIRY ? s->expires_at : s->sort;
	if (!s->is_there) {
		return false;
	}
	if (index == INDEX_BY_EXPIRY) {
		return is_room || s->sk[0] == 'O';
	}
	if (index == INDEX_BY_USER_ID) {
		return is_room && strchr(s->cards, partition.data[0]) != NULL;
	}
	if (index == INDEX_BY_ACCOUNT) {
		return s->sk[0] == 'U' && slice_eq(slice_str(accounts[s->account]), partition);
	}
	return index == INDEX_BY_STATUS && s->sk[0] == 'U' && slice_eq(partition, SLICE("voter"));
}

static void on_count(void *arg, enum err e, size_t n)
{
	assert_int_equal(e, OK);
	*(size_t *)arg = n;
}

/* Pages of any size in either direction give each item that a look at every slot gives, in order. */
static size_t assert_index(struct walk *w, enum index_id index, struct slice partition)
{
	struct seen seen = {.n = 0};
	struct store_query q = {.index = index,
				.partition = partition,
				.from = roll(w, 3),
				.to = roll(w, 4) == 0 ? INT64_MAX : 1 + roll(w, 4),
				.limit = 1 + roll(w, 5),
				.is_descending = roll(w, 2) == 0};
	do {
		q.cursor = slice_of(seen.cursor, seen.cursor_len);
		store_query(w->f->s, &q, on_seen_query, &seen);
		fixture_drain(w->f);
		assert_int_equal(seen.e, OK);
	} while (seen.has_more);
	size_t n = 0, all = 0;
	const char *places[PKS * SKS];
	int64_t sorts[PKS * SKS];
	for (unsigned i = 0; i < PKS * SKS; i++) {
		const struct slot *s = &w->slots[i / SKS][i % SKS];
		char text[64] = "";
		int64_t sort;
		if (!slot_is_in(s, index, partition, &sort)) {
			continue;
		}
		all++;
		if (sort >= q.from && sort <= q.to) {
			seen_add(text, sizeof(text), slice_str(s->pk), slice_str(s->sk));
			places[n] = strstr(seen.text, text);
			assert_non_null(places[n]);
			sorts[n++] = q.is_descending ? -sort : sort;
		}
	}
	assert_int_equal(seen.n, n);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			assert_true(sorts[i] >= sorts[j] || places[i] < places[j]);
		}
	}
	size_t counted = SIZE_MAX, at_most = 1 + roll(w, 8);
	struct store_count c = {.index = index,
				.partition = partition,
				.from = q.from,
				.to = q.to,
				.at_most = at_most};
	store_count(w->f->s, &c, on_count, &counted);
	fixture_drain(w->f);
	assert_true(counted >= (n < at_most ? n : at_most) && counted <= at_most);
	if (!w->f->engine->lags) {
		assert_int_equal(counted, n < at_most ? n : at_most);
	}
	return all;
}

static size_t assert_everything(struct walk *w)
{
	static const char *const partitions[] = {"a", "b", "c", "d", "e"};
	static const char *const accounts[] = {"ada", "bob", "eve", "none"};
	size_t entries = assert_index(w, INDEX_BY_EXPIRY, SLICE(""));
	for (unsigned p = 0; p < PKS; p++) {
		for (unsigned i = 0; i < 4; i++) {
			assert_page(w, p);
		}
	}
	for (unsigned i = 0; i < CARDS; i++) {
		entries += assert_index(w, INDEX_BY_USER_ID, slice_str(partitions[i]));
	}
	for (unsigned i = 0; i < ACCOUNTS; i++) {
		entries += assert_index(w, INDEX_BY_ACCOUNT, slice_str(accounts[i]));
	}
	entries += assert_index(w, INDEX_BY_STATUS, SLICE("voter"));
	entries += assert_index(w, INDEX_BY_STATUS, SLICE("spectator"));
	return entries;
}

/* The data have no problems, and that many entries of indexes. */
static void assert_sound(struct fixture *f, size_t entries)
{
	if (f->engine == &fixture_engines[FIXTURE_LMDB]) {
		assert_string_equal(check(f, entries), "");
	} else {
		assert_string_equal(check_all(f).lines, "");
	}
}

STORE_TEST(after_any_operations_indexes_and_pages_say_what_the_items_say, f)
{
	unsigned commits = f->engine->keeps ? 300 : 2000;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct walk w;
		walk_begin(&w, f, seed * UINT64_C(0x9e3779b97f4a7c15));
		for (unsigned i = 0; i < commits; i++) {
			walk_commit(&w);
			if (i % 5 == 0) {
				(void)assert_everything(&w);
			}
			if (i % 100 == 99 && f->engine->keeps) {
				fixture_reopen(f);
				assert_sound(f, assert_everything(&w));
			}
		}
		for (unsigned p = 0; p < PKS; p++) {
			struct store_op op = op_of(STORE_DELETE_PREFIX, w.slots[p][0].pk, "");
			assert_int_equal(commit_op(f, op).e, OK);
		}
	}
	if (f->engine->keeps) {
		assert_sound(f, 0);
	}
}
