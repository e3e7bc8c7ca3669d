/*
 * test_redis_open.c - which Redis may have the table, and who may open it: what is refused, and what is said.
 */
#include "place.h"

#include "tests/support/heap.h"
#include "tests/support/redis_fake.h"

#define OPTIONS_MAX 8

struct refusal {
	const char *name;
	const char *options[OPTIONS_MAX];
	const char *user, *settings;
	enum err e;
	const char *says; /* a part of the sentence */
};

static const struct refusal refusals[] = {
	{"a password is asked for",
	 {"--requirepass", "pw"},
	 "",
	 "?volatile=1",
	 ERR_IO,
	 "requires a password"},
	{"a wrong password",
	 {"--requirepass", "pw"},
	 ":no@",
	 "?volatile=1",
	 ERR_IO,
	 "look at the user and the password"},
	{"it evicts",
	 {"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"},
	 "",
	 "?volatile=1",
	 ERR_INVALID,
	 "set maxmemory-policy to noeviction"},
	{"nothing is kept", {NULL}, "", "", ERR_INVALID, "set appendonly to yes"},
	{"a replica",
	 {"--replicaof", "127.0.0.1 1"},
	 "",
	 "?volatile=1",
	 ERR_INVALID,
	 "name its master"},
	{"no replica for a change to wait for",
	 {NULL},
	 "",
	 "?volatile=1&replicas=1",
	 ERR_INVALID,
	 "start more of them"},
	{"a cluster",
	 {"--cluster-enabled", "yes"},
	 "",
	 "?volatile=1",
	 ERR_INVALID,
	 "redis+cluster://HOST"},
};

PLACE_TEST(what_stands_against_a_server_is_said_with_what_to_do, p)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *r = &refusals[i];
		redis_run_start(&p->server, r->options);
		enum err e = place_open_as(p, r->user, r->settings, "");
		if (e != r->e || strstr(p->why.text, r->says) == NULL) {
			fail_msg("%s: %s: %s", r->name, err_text(e), p->why.text);
		}
		assert_null(p->s);
		assert_null(strstr(p->why.text, ":no@"));
		redis_run_kill(&p->server);
	}
}

/* Lets the fake connect, and hear and answer what was sent. */
static void fake_run(void *arg)
{
	struct fake *f = arg;
	if (f->is_opening) {
		fake_open(f);
	}
	fake_talk(f);
}

static void *fake_attach_here(void *arg, struct redis_link *link,
			      const struct redis_address *address)
{
	struct fake *f = arg;
	(void)address;
	f->link = link;
	return f;
}

TEST(an_older_redis_is_refused_by_its_version)
{
	struct fake f;
	struct errmsg why = {""};
	struct store *s = NULL;
	fake_lay(&f);
	f.net.run = fake_run;
	f.net.attach = fake_attach_here;
	f.instead[0] = (struct fake_instead){"HELLO", "*6\r\n$7\r\nversion\r\n$6\r\n6.2.14\r\n$"
						      "4\r\nrole\r\n$6\r\nmaster\r\n$4\r\nmode\r\n"
						      "$10\r\nstandalone\r\n"};
	struct store_redis_options o = {.net = &f.net, .address = &f.address};
	assert_int_equal(store_open_redis(&o, &s, &why), ERR_VERSION);
	assert_non_null(strstr(why.text, "is Redis 6.2.14; the table needs Redis 7 or later"));
	f.link = NULL;
	fake_clear(&f);
}

PLACE_TEST(without_memory_an_opening_fails_and_leaves_nothing, p)
{
	bool has_failed = true;
	redis_run_start(&p->server, NULL);
	/* Most are for the buckets that are looked at, one after another, all alike. */
	for (size_t nth = 0; has_failed; nth += nth < 120 ? 1 : 499) {
		heap_fail_nth(nth, false);
		enum err e = place_open_as(p, "", "?volatile=1", "ada");
		has_failed = heap_has_failed();
		heap_fail_never();
		assert_true(e == OK || has_failed);
		assert_true(e == OK || e == ERR_NOMEM || e == ERR_IO);
		assert_true(e == OK || p->why.text[0] != '\0');
		store_close(p->s);
		p->s = NULL;
		(void)ask(p, "DEL {d}l"); /* else the next one waits for the lease to end */
	}
}

/* Allocates nothing. */
static void on_counted(void *arg, enum err e, const struct store_item *items, size_t n,
		       struct slice next, bool is_partial)
{
	struct answer *a = arg;
	(void)items, (void)next;
	a->calls++;
	a->e = e;
	a->n = n;
	a->is_partial = is_partial;
}

PLACE_TEST(without_memory_a_commit_is_made_or_not_and_a_query_whole_or_not, p)
{
	bool has_failed = true, is_made = false;
	place_open(p, NULL);
	for (size_t nth = 0; has_failed; nth++) {
		struct answer committed = {.scope = item_scope_of(SLICE("ROOM:A"))};
		struct answer found = {.calls = 0};
		struct store_op op = op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"));
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_true(nth < 400);
		p->poll.ahead_ms += 21000; /* its entry is written each time */
		heap_fail_nth(nth, false);
		enum err e = store_commit(p->s, &c, on_commit, &committed);
		drain(p);
		store_query(p->s,
			    &(struct store_query){.index = INDEX_BY_ACCOUNT,
						  .partition = SLICE("ada"),
						  .to = INT64_MAX,
						  .limit = 10},
			    on_counted, &found);
		drain(p);
		has_failed = heap_has_failed();
		heap_fail_never();
		e = e == OK ? committed.e : e;
		assert_true(e == OK || (has_failed && e == ERR_NOMEM));
		assert_true(found.e == OK || (has_failed && found.e == ERR_NOMEM));
		assert_int_equal(found.calls, 1);
		is_made = is_made || e == OK;
		assert_true(found.e != OK || found.n == is_made);
		assert_false(found.is_partial);
	}
}

PLACE_TEST(where_no_server_is_that_is_said, p)
{
	assert_int_equal(place_open_as(p, "", "", ""), ERR_IO);
	assert_non_null(strstr(p->why.text, "is Redis running there?"));
}

PLACE_TEST(files_or_save_points_are_enough, p)
{
	static const char *const points[] = {"--save", "3600 1", NULL};
	redis_run_start(&p->server, with_files);
	assert_int_equal(place_open_as(p, "", "", ""), OK);
	store_close(p->s);
	p->s = NULL;
	redis_run_kill(&p->server);
	redis_run_start(&p->server, points);
	assert_int_equal(place_open_as(p, "", "", ""), OK);
}

/* What store_redis.h says is enough. */
PLACE_TEST(a_user_with_no_other_rights_than_are_needed_has_a_table, p)
{
	redis_run_start(&p->server, with_files);
	const char *done = ask(p, FIXTURE_USER);
	assert_string_equal(done, "+OK\r\n");
	enum err e = place_open_as(p, "team:pw@", "", "ada");
	assert_string_equal(e == OK ? "" : p->why.text, "");
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"))).e,
			 OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "ONCE#b", value_once(5, 4))).e, OK);
	assert_string_equal(load_room(p, "ROOM:A").text, "ONCE#b@2 USER:a=1@1");
	assert_int_equal(seats_of(p, "ada").n, 1);
	assert_string_equal(problems(p), "");
	assert_int_equal(commit_one(p, op_of(STORE_DELETE_PREFIX, "ROOM:A", "")).e, OK);
	assert_int_equal(seats_of(p, "ada").n, 0);
	struct heard h = {0};
	struct answer a = {.scope = ITEM_SCOPE_DIRECTORY};
	struct store_op op = op_of(STORE_DELETE, "ASKER:ada", "ASKER");
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("body")};
	store_subscribe(p->s, on_heard, &h);
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	drain(p);
	assert_int_equal(a.e, OK);
	assert_int_equal(h.others, 1);
}

PLACE_TEST(data_of_another_key_are_refused, p)
{
	redis_run_start(&p->server, NULL);
	assert_int_equal(place_open_as(p, "", "?volatile=1", "ada"), OK);
	store_close(p->s);
	p->s = NULL;
	assert_int_equal(place_open_as(p, "", "?volatile=1", "bob"), ERR_CONFLICT);
	assert_non_null(strstr(p->why.text, "--key-file"));
	assert_int_equal(place_open_as(p, "", "?volatile=1", "ada"), OK);
}

/* Whether it opens; else the reason has this text. */
static void assert_refused(struct place *p, enum store_redis_use use, const char *owner, enum err e,
			   const char *says)
{
	assert_int_equal(place_open_to(p, use, "", "?volatile=1", owner), e);
	assert_non_null(strstr(p->why.text, says));
}

PLACE_TEST(data_are_read_while_another_process_has_them_open, p)
{
	redis_run_start(&p->server, NULL);
	assert_refused(p, STORE_REDIS_READ, "ada", ERR_NOT_FOUND, "has no data of ayed");
	assert_string_equal(ask(p, "DBSIZE"), ":0\r\n");
	assert_int_equal(place_open_as(p, "", "?volatile=1", "ada"), OK);
	struct store *theirs = p->s;
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	assert_refused(p, STORE_REDIS_READ, "bob", ERR_CONFLICT, "--key-file");
	assert_refused(p, STORE_REDIS_COPY_FROM, "ada", ERR_BUSY, "another ayed");
	assert_int_equal(place_open_to(p, STORE_REDIS_READ, "", "", ""), OK);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=1@1");
	assert_string_equal(problems(p), "");
	place_close(p);
	p->s = theirs;
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("2"))).e, OK);
	place_close(p);
	/* No other opens them while they are copied. */
	assert_int_equal(place_open_to(p, STORE_REDIS_COPY_FROM, "", "", "ada"), OK);
	theirs = p->s;
	assert_refused(p, STORE_REDIS_SERVE, "ada", ERR_BUSY, "another ayed");
	p->s = theirs;
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=2@2");
}

PLACE_TEST(a_copy_that_is_not_finished_is_refused_and_begun_anew, p)
{
	redis_run_start(&p->server, NULL);
	(void)ask(p, "SET other 1");
	assert_int_equal(place_open_to(p, STORE_REDIS_COPY_TO, "", "?volatile=1", "ada"), OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	place_close(p);
	static const enum store_redis_use others[] = {STORE_REDIS_SERVE, STORE_REDIS_READ,
						      STORE_REDIS_COPY_FROM};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_refused(p, others[i], "ada", ERR_CONFLICT, "has an unfinished copy");
	}
	assert_int_equal(place_open_to(p, STORE_REDIS_COPY_TO, "", "?volatile=1", "ada"), OK);
	assert_int_equal(load_room(p, "ROOM:A").n, 0);
	assert_int_equal(commit_one(p, op_put("ROOM:B", "USER:b", value_seat("1"))).e, OK);
	assert_int_equal(store_redis_finish_copy(p->s, SLICE("ada"), &p->why), OK);
	place_close(p);
	assert_string_equal(ask(p, "GET other"), "$1\r\n1\r\n");
	assert_refused(p, STORE_REDIS_COPY_TO, "ada", ERR_CONFLICT, "already has data");
	assert_refused(p, STORE_REDIS_SERVE, "bob", ERR_CONFLICT, "another server key");
	assert_int_equal(place_open_as(p, "", "?volatile=1", "ada"), OK);
	assert_string_equal(load_room(p, "ROOM:B").text, "USER:b=1@1");
}

PLACE_TEST(data_that_another_process_has_open_are_refused, p)
{
	redis_run_start(&p->server, NULL);
	(void)ask(p, "SET {d}l other");
	assert_int_equal(place_open_as(p, "", "?volatile=1", ""), ERR_BUSY);
	assert_non_null(strstr(p->why.text, "another ayed has these data open"));
	(void)ask(p, "PEXPIRE {d}l 300"); /* as that of a process that was killed */
	assert_int_equal(place_open_as(p, "", "?volatile=1", ""), OK);
}

PLACE_TEST(data_that_another_process_took_are_left, p)
{
	struct store_status status = {.state = STORE_OK};
	struct answer a = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	place_open(p, NULL);
	(void)ask(p, "SET {d}l other");
	while (status.state == STORE_OK) {
		p->poll.net.run(&p->poll);
		store_status(p->s, &status);
	}
	assert_int_equal(status.state, STORE_GONE);
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	drain(p);
	assert_int_equal(a.e, ERR_CLOSED);
	store_close(p->s);
	p->s = NULL;
	assert_string_equal(ask(p, "GET {d}l"), "$5\r\nother\r\n");
}

PLACE_TEST(after_a_lost_connection_nothing_is_written_to_data_that_another_took, p)
{
	struct answer a = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	place_open(p, NULL);
	(void)ask(p, "CLIENT KILL TYPE normal");
	(void)ask(p, "SET {d}l other");
	p->poll.net.run(&p->poll); /* that it is cut */
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	drain(p);
	assert_int_equal(a.e, ERR_IO);
	assert_string_equal(ask(p, "DBSIZE"), ":1\r\n");
}

/* An entry that lives for long: number, until when, since when, value. */
#define NODE_ENTRY "HSET {d}n number-1 000900000000000012345678value"

PLACE_TEST(data_of_nodes_are_refused_to_who_would_have_them_alone, p)
{
	redis_run_start(&p->server, NULL);
	(void)ask(p, NODE_ENTRY);
	assert_int_equal(place_open_as(p, "", "?volatile=1", ""), ERR_BUSY);
	assert_non_null(strstr(p->why.text, "make this ayed one of them with --cluster-listen"));
	(void)ask(p, "SET {d}owner ada");
	assert_refused(p, STORE_REDIS_COPY_FROM, "", ERR_BUSY,
		       "nodes of a cluster have these data open: stop them first");
	(void)ask(p, "HSET {d}n number-1 000000000000000112345678value"); /* it has lapsed */
	assert_int_equal(place_open_as(p, "", "?volatile=1", ""), OK);
}

PLACE_TEST(nodes_share_data_but_not_with_one_that_is_none, p)
{
	redis_run_start(&p->server, NULL);
	p->is_node = true;
	(void)ask(p, "SET {d}l other");
	assert_int_equal(place_open_as(p, "", "?volatile=1", ""), ERR_BUSY);
	assert_non_null(strstr(p->why.text, "an ayed without --cluster-listen has these data"));
	(void)ask(p, "DEL {d}l");
	(void)ask(p, NODE_ENTRY);
	assert_int_equal(place_open_as(p, "", "?volatile=1", ""), OK);
}

static void on_no_renewal(void *arg, enum err e, uint64_t since)
{
	assert_int_equal(since, 0);
	*(enum err *)arg = e;
}

PLACE_TEST(a_node_that_finds_one_alone_leaves_the_data, p)
{
	enum err e = OK;
	struct store_status status;
	struct store_renewal r = {.node = 1, .life_ms = 5000};
	p->is_node = true;
	place_open(p, NULL);
	(void)ask(p, "SET {d}l other");
	store_renew(p->s, &r, on_no_renewal, &e);
	drain(p);
	assert_int_equal(e, ERR_CLOSED);
	store_status(p->s, &status);
	assert_int_equal(status.state, STORE_GONE);
	assert_string_equal(ask(p, "EXISTS {d}n"), ":0\r\n");
}

PLACE_TEST(who_has_the_data_alone_leaves_them_when_nodes_came, p)
{
	struct store_status status = {.state = STORE_OK};
	place_open(p, NULL);
	(void)ask(p, "DEL {d}l"); /* as after a pause of more than its life */
	(void)ask(p, NODE_ENTRY);
	while (status.state == STORE_OK) {
		p->poll.net.run(&p->poll);
		store_status(p->s, &status);
	}
	assert_int_equal(status.state, STORE_GONE);
}

PLACE_TEST(closed_data_can_be_opened_at_once, p)
{
	place_open(p, NULL);
	store_close(p->s);
	p->s = NULL;
	assert_string_equal(ask(p, "EXISTS {d}l"), ":0\r\n");
}
