/*
 * test_redis_server.c - a link and a real redis-server: what it answers, and what happens when it
 * ends, hangs, loads, is full or is demoted.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/format.h"
#include "store/redis/link/redis_link.h"
#include "tests/support/redis_poll.h"
#include "tests/support/redis_run.h"
#include "tests/support/test.h"

static const struct slice scripts[] = {
	SLICE_INIT("#!lua\nreturn redis.call('SET', KEYS[1], ARGV[1])"),
	SLICE_INIT("#!lua flags=no-writes\nreturn {redis.call('GET', KEYS[1]), 1, false, {}}"),
};

struct scene {
	struct redis_run server;
	struct redis_poll poll;
	struct redis_address address;
	struct redis_link *link;
	struct buf published;
};

static void on_publication(void *arg, struct slice body)
{
	struct scene *s = arg;
	assert_int_equal(buf_printf(&s->published, "%.*s ", (int)body.len, body.data), OK);
}

static void scene_lay(struct scene *s)
{
	*s = (struct scene){.published = {.max = 1000}};
	redis_run_lay(&s->server);
	redis_poll_init(&s->poll);
	s->address.is_unix = true;
	memcpy(s->address.path, s->server.socket, sizeof(s->server.socket));
	memcpy(s->address.text, "redis+unix:///s", sizeof("redis+unix:///s"));
}

static void scene_clear(struct scene *s)
{
	redis_link_destroy(s->link);
	redis_poll_finish(&s->poll);
	redis_run_clear(&s->server);
	buf_finish(&s->published);
}

#define SERVER_TEST(name, s) TEST_OF(name, struct scene, s, scene_lay(s), scene_clear(s))

static struct redis_link *link_to(struct scene *s, bool needs_master, struct slice channel)
{
	struct redis_link *link;
	struct redis_link_config c = {.net = &s->poll.net,
				      .address = &s->address,
				      .needs_master = needs_master,
				      .channel = channel,
				      .scripts = scripts,
				      .scripts_n = channel.len > 0 ? 0 : 2,
				      .on = {.on_publication = on_publication, .arg = s}};
	assert_int_equal(redis_link_create(&c, &link), OK);
	return link;
}

/* Whether an attempt has ended, other than by a machine that is too busy to answer in time. */
static bool is_judged(const struct scene *s)
{
	enum redis_end end = redis_link_greeted(s->link);
	return end != REDIS_END_UNSENT && end != REDIS_END_LATE;
}

static void begin(struct scene *s, const char *const *options)
{
	redis_run_start(&s->server, options);
	s->link = link_to(s, true, (struct slice){0});
	redis_poll_until(&s->poll, redis_link_is_ready(s->link));
}

struct asked {
	bool is_over;
	enum redis_end end;
	char shown[128];
};

static void show(const struct redis_reply *r, char *out, size_t cap)
{
	char line[96];
	if (r->kind == REDIS_ARRAY) {
		(void)format_to(out + strlen(out), cap - strlen(out), "[");
		for (const struct redis_reply *e = r->first; e != NULL; e = e->next) {
			show(e, out, cap);
		}
		(void)format_to(out + strlen(out), cap - strlen(out), "]");
		return;
	}
	if (r->kind == REDIS_NIL) {
		(void)format_to(line, sizeof(line), "nil ");
	} else if (r->kind == REDIS_INTEGER) {
		(void)format_to(line, sizeof(line), "%lld ", (long long)r->integer);
	} else {
		(void)format_to(line, sizeof(line), "%.*s ", (int)r->text.len,
				r->text.len == 0 ? "" : r->text.data);
	}
	(void)format_to(out + strlen(out), cap - strlen(out), "%s", line);
}

static void on_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct asked *a = arg;
	assert_false(a->is_over);
	a->is_over = true;
	a->end = end;
	a->shown[0] = '\0';
	if (reply != NULL) {
		show(reply, a->shown, sizeof(a->shown));
	}
}

#define WORDS_MAX 8
/* The command is words with blanks between them; a script's begins behind the hash. */
static void ask_within(struct redis_link *link, struct asked *a, int script, const char *text,
		       int64_t within_ms)
{
	struct slice words[WORDS_MAX];
	struct redis_command c = {script, words, 0, within_ms};
	*a = (struct asked){0};
	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		assert_in_range(c.n, 0, WORDS_MAX - 1);
		words[c.n++] = slice_of(text, len);
		text += len + (text[len] == ' ');
	}
	assert_int_equal(redis_link_send(link, &c, on_end, a), OK);
	redis_link_flush(link);
}

static enum redis_end run_at(struct scene *s, struct redis_link *link, int script, const char *text,
			     char shown[128])
{
	struct asked a;
	ask_within(link, &a, script, text, 30000);
	redis_poll_until(&s->poll, a.is_over);
	memcpy(shown, a.shown, sizeof(a.shown));
	return a.end;
}

#define assert_answer(s, script, text, end_, shown_)                           \
	do {                                                                   \
		char is_[128];                                                 \
		enum redis_end got_ = run_at(s, (s)->link, script, text, is_); \
		assert_string_equal(redis_ends[got_].name, #end_);             \
		assert_string_equal(is_, shown_);                              \
	} while (0)
#define assert_ends(s, script, text, end_)                                     \
	do {                                                                   \
		char is_[128];                                                 \
		enum redis_end got_ = run_at(s, (s)->link, script, text, is_); \
		assert_string_equal(redis_ends[got_].name, #end_);             \
	} while (0)
#define NO REDIS_NO_SCRIPT

/* ---- answers ---- */

SERVER_TEST(test_commands_and_scripts_are_answered, s)
{
	begin(s, NULL);
	assert_int_equal(redis_link_server(s->link)->major, 7);
	assert_false(redis_link_server(s->link)->is_cluster);
	assert_answer(s, NO, "SET a 1", OK, "OK ");
	assert_answer(s, NO, "INCR a", OK, "2 ");
	assert_answer(s, NO, "GET b", OK, "nil ");
	assert_answer(s, NO, "MGET a b", OK, "[2 nil ]");
	assert_answer(s, 0, "1 a x", OK, "OK ");
	assert_answer(s, 1, "1 a", OK, "[x 1 nil []]");
	assert_ends(s, NO, "LPUSH a 1", REFUSED);
	assert_ends(s, NO, "FROB", REFUSED);
}

SERVER_TEST(test_tcp_and_a_database_of_its_own, s)
{
	s->address.is_unix = false;
	s->address.database = 3;
	(void)format_to(s->address.at.host, sizeof(s->address.at.host), "127.0.0.1");
	(void)format_to(s->address.at.port, sizeof(s->address.at.port), "%d", s->server.port);
	begin(s, NULL);
	assert_answer(s, NO, "SET a 1", OK, "OK ");
	assert_answer(s, NO, "INFO keyspace", OK,
		      "# Keyspace\r\ndb3:keys=1,expires=0,avg_ttl=0\r\n ");
}

SERVER_TEST(test_thousands_of_commands_and_a_megabyte_go_through_in_order, s)
{
	enum { MANY = 20000, LARGE = 3000000 };
	struct asked *asked = calloc(MANY, sizeof(*asked));
	char *large = malloc(LARGE);
	struct asked set = {0};
	assert_non_null(asked);
	assert_non_null(large);
	memset(large, '\n', LARGE);
	begin(s, NULL);
	struct slice words[] = {SLICE("SET"), SLICE("large"), slice_of(large, LARGE)};
	struct redis_command c = {NO, words, 3, 30000};
	assert_int_equal(redis_link_send(s->link, &c, on_end, &set), OK);
	for (size_t i = 0; i < MANY; i++) {
		struct slice incr[] = {SLICE("INCR"), SLICE("n")};
		struct redis_command next = {NO, incr, 2, 30000};
		assert_int_equal(redis_link_send(s->link, &next, on_end, &asked[i]), OK);
	}
	redis_link_flush(s->link);
	redis_poll_until(&s->poll, asked[MANY - 1].is_over);
	assert_string_equal(set.shown, "OK ");
	for (size_t i = 0; i < MANY; i++) {
		assert_true(asked[i].is_over);
		assert_int_equal(strtoul(asked[i].shown, NULL, 10), i + 1);
	}
	assert_answer(s, NO, "STRLEN large", OK, "3000000 ");
	assert_ends(s, NO, "GET large", OK);
	free(large);
	free(asked);
}

/* ---- who may ---- */

SERVER_TEST(test_a_wrong_password_is_told_and_the_right_one_is_let_in, s)
{
	const char *const options[] = {"--requirepass", "sesame", NULL};
	redis_run_start(&s->server, options);
	s->link = link_to(s, true, (struct slice){0});
	redis_poll_until(&s->poll, is_judged(s));
	assert_int_equal(redis_link_greeted(s->link), REDIS_END_NOAUTH);
	redis_link_destroy(s->link);
	memcpy(s->address.password, "wrong", 6);
	s->link = link_to(s, true, (struct slice){0});
	redis_poll_until(&s->poll, is_judged(s));
	assert_int_equal(redis_link_greeted(s->link), REDIS_END_WRONGPASS);
	assert_null(strstr(redis_link_why(s->link), "wrong"));
	redis_link_destroy(s->link);
	memcpy(s->address.password, "sesame", 7);
	s->link = link_to(s, true, (struct slice){0});
	redis_poll_until(&s->poll, redis_link_is_ready(s->link));
	assert_answer(s, NO, "ACL SETUSER ada on >pw ~ours:* +@all -flushall", OK, "OK ");
	redis_link_destroy(s->link);
	memcpy(s->address.user, "ada", 4);
	memcpy(s->address.password, "pw", 3);
	s->link = link_to(s, true, (struct slice){0});
	redis_poll_until(&s->poll, redis_link_is_ready(s->link));
	assert_ends(s, NO, "SET ours:a 1", OK);
	assert_ends(s, NO, "SET theirs 1", NOPERM);
	assert_ends(s, NO, "FLUSHALL", NOPERM);
}

/* ---- bad luck ---- */

SERVER_TEST(test_a_server_that_was_killed_is_found_again_and_waits_are_kept, s)
{
	struct asked lost;
	struct asked kept;
	begin(s, NULL);
	/* It blocks for so long that the answer is due when it dies. */
	ask_within(s->link, &lost, NO, "BLPOP nothing 30", 60000);
	redis_run_kill(&s->server);
	redis_poll_until(&s->poll, lost.is_over);
	assert_int_equal(lost.end, REDIS_END_LOST);
	assert_false(redis_link_is_ready(s->link));
	ask_within(s->link, &kept, 0, "1 a again", 60000);
	redis_run_start(&s->server, NULL);
	redis_poll_until(&s->poll, kept.is_over);
	assert_int_equal(kept.end, REDIS_END_OK);
	assert_answer(s, NO, "GET a", OK, "again ");
}

SERVER_TEST(test_a_server_that_hangs_is_late_and_its_late_reply_is_no_others, s)
{
	struct asked late;
	begin(s, NULL);
	(void)kill(s->server.pid, SIGSTOP);
	ask_within(s->link, &late, NO, "SET a late", 100);
	redis_poll_until(&s->poll, late.is_over);
	assert_int_equal(late.end, REDIS_END_LATE);
	(void)kill(s->server.pid, SIGCONT);
	assert_answer(s, NO, "GET a", OK, "late ");
}

SERVER_TEST(test_a_server_that_loads_is_waited_for, s)
{
	/* Three seconds for 300 keys, longer than any rest; connections are looked at for each kilobyte of the file. */
	const char *const slow[] = {"--key-load-delay", "10000",
				    "--loading-process-events-interval-bytes", "1024", NULL};
	const char *const plain[] = {"--rdbcompression", "no", NULL};
	struct asked kept;
	begin(s, plain);
	assert_ends(s, NO, "EVAL for\ti=1,300\tdo\tredis.call('SET','k'..i,('x'):rep(100))end 0",
		    OK);
	assert_answer(s, NO, "SAVE", OK, "OK ");
	redis_run_kill(&s->server);
	redis_poll_until(&s->poll, !redis_link_is_ready(s->link));
	redis_run_spawn(&s->server, slow);
	ask_within(s->link, &kept, NO, "GET k300", 60000);
	redis_poll_until(&s->poll, redis_link_greeted(s->link) == REDIS_END_LOADING);
	redis_poll_until(&s->poll, kept.is_over);
	assert_int_equal(kept.end, REDIS_END_OK);
	assert_int_equal(kept.shown[0], 'x');
}

SERVER_TEST(test_a_full_server_refuses_what_grows_and_not_deletes, s)
{
	begin(s, NULL);
	assert_ends(s, NO, "SET a 1", OK);
	assert_ends(s, NO, "CONFIG SET maxmemory 1000", OK);
	assert_ends(s, NO, "SET b 1", OOM);
	assert_ends(s, 0, "1 b 1", OOM);
	assert_answer(s, NO, "DEL a", OK, "1 ");
}

SERVER_TEST(test_too_few_replicas_are_told, s)
{
	begin(s, NULL);
	assert_ends(s, NO, "CONFIG SET min-replicas-to-write 1", OK);
	assert_ends(s, NO, "SET b 1", NOREPLICAS);
	assert_ends(s, 0, "1 b 1", NOREPLICAS);
	assert_ends(s, 1, "1 b", OK);
}

SERVER_TEST(test_scripts_that_were_flushed_are_loaded_again, s)
{
	struct redis_counters n;
	begin(s, NULL);
	assert_ends(s, NO, "SCRIPT FLUSH", OK);
	assert_ends(s, 0, "1 a 1", OK);
	assert_answer(s, 1, "1 a", OK, "[1 1 nil []]");
	redis_link_counters(s->link, &n);
	assert_int_equal(n.scripts_missing, 2);
}

SERVER_TEST(test_a_script_that_runs_for_long_makes_others_busy, s)
{
	const char *const options[] = {"--busy-reply-threshold", "1", NULL};
	struct asked endless;
	struct asked ping;
	begin(s, options);
	struct redis_link *other = link_to(s, true, (struct slice){0});
	redis_poll_until(&s->poll, redis_link_is_ready(other));
	ask_within(other, &endless, NO, "EVAL while\ttrue\tdo\tend 0", 30000);
	do {
		ask_within(s->link, &ping, NO, "GET a", 30000);
		redis_poll_until(&s->poll, ping.is_over);
	} while (ping.end == REDIS_END_OK);
	assert_int_equal(ping.end, REDIS_END_BUSY);
	assert_ends(s, NO, "SCRIPT KILL", OK);
	redis_poll_until(&s->poll, endless.is_over);
	assert_int_equal(endless.end, REDIS_END_REFUSED);
	redis_link_destroy(other);
}

SERVER_TEST(test_a_demoted_master_is_left_until_it_is_one_again, s)
{
	begin(s, NULL);
	struct redis_link *other = link_to(s, false, (struct slice){0});
	char shown[128];
	redis_poll_until(&s->poll, redis_link_is_ready(other));
	assert_int_equal(run_at(s, other, NO, "REPLICAOF 127.0.0.1 1", shown), REDIS_END_OK);
	assert_ends(s, 0, "1 a 1", READONLY);
	redis_poll_until(&s->poll, !redis_link_is_ready(s->link));
	redis_poll_until(&s->poll, strstr(redis_link_why(s->link), "replica, not") != NULL);
	/* One that takes no master for granted may read there. */
	assert_int_equal(run_at(s, other, NO, "GET a", shown), REDIS_END_OK);
	assert_int_equal(run_at(s, other, NO, "CONFIG SET replica-serve-stale-data no", shown),
			 REDIS_END_OK);
	assert_int_equal(run_at(s, other, NO, "GET a", shown), REDIS_END_MASTERDOWN);
	redis_link_destroy(other);
	/* Such a replica refuses scripts, and PING: it is told to be a master from outside. */
	redis_run_kill(&s->server);
	redis_run_start(&s->server, NULL);
	redis_poll_until(&s->poll, redis_link_is_ready(s->link));
	assert_ends(s, 0, "1 a 1", OK);
}

SERVER_TEST(test_a_cluster_without_slots_is_down, s)
{
	char port[8];
	const char *const options[] = {"--cluster-enabled", "yes", "--cluster-port", port, NULL};
	(void)format_to(port, sizeof(port), "%d", redis_run_port());
	begin(s, options);
	assert_true(redis_link_server(s->link)->is_cluster);
	assert_ends(s, NO, "GET a", CLUSTERDOWN);
}

SERVER_TEST(test_publications_arrive_and_go_on_after_a_restart, s)
{
	begin(s, NULL);
	struct redis_link *sub = link_to(s, true, SLICE("{d}"));
	redis_poll_until(&s->poll, redis_link_is_ready(sub));
	assert_answer(s, NO, "SPUBLISH {d} one", OK, "1 ");
	assert_answer(s, NO, "SPUBLISH {d} two", OK, "1 ");
	redis_poll_until(&s->poll, s->published.len == strlen("one two "));
	redis_run_kill(&s->server);
	redis_poll_until(&s->poll, !redis_link_is_ready(sub));
	redis_run_start(&s->server, NULL);
	redis_poll_until(&s->poll, redis_link_is_ready(sub));
	assert_answer(s, NO, "SPUBLISH {d} three", OK, "1 ");
	redis_poll_until(&s->poll, s->published.len == strlen("one two three "));
	assert_memory_equal(s->published.data, "one two three ", s->published.len);
	redis_link_destroy(sub);
}

SERVER_TEST(test_no_server_is_told, s)
{
	s->link = link_to(s, true, (struct slice){0});
	redis_poll_until(&s->poll, is_judged(s));
	assert_int_equal(redis_link_greeted(s->link), REDIS_END_LOST);
	assert_string_equal(redis_link_why(s->link), "redis+unix:///s: No such file or directory");
}
