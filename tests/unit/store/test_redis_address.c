/*
 * test_redis_address.c - addresses of Redis as people write them, and what is refused of them.
 */
#include "store/redis/link/redis_address.h"

#include <string.h>

#include "tests/support/test.h"

static struct redis_address parse(const char *text)
{
	struct redis_address a;
	struct errmsg why = {""};
	enum err e = redis_address_parse(text, &a, &why);
	if (e != OK) {
		fail_msg("%s: %s", text, why.text);
	}
	return a;
}

TEST(test_a_host_alone_is_enough)
{
	struct redis_address a = parse("redis://10.0.0.5");
	assert_string_equal(a.at.host, "10.0.0.5");
	assert_string_equal(a.at.port, "6379");
	assert_int_equal(a.database, 0);
	assert_int_equal(a.replicas, REDIS_REPLICAS_UNSET);
	assert_false(a.is_tls || a.is_unix || a.is_volatile);
	assert_string_equal(a.user, "");
	assert_string_equal(a.password, "");
	assert_string_equal(a.text, "redis://10.0.0.5:6379/0");
}

TEST(test_everything_can_be_said)
{
	struct redis_address a =
		parse("rediss://ada:p%40ss%3a%2F@[::1]:6380/7?replicas=2&volatile=1&ca=/etc/ca.pem&"
		      "cert=/etc/a%20b.pem&key=/etc/k.pem");
	assert_true(a.is_tls);
	assert_string_equal(a.user, "ada");
	assert_string_equal(a.password, "p@ss:/");
	assert_string_equal(a.at.host, "::1");
	assert_string_equal(a.at.port, "6380");
	assert_int_equal(a.database, 7);
	assert_int_equal(a.replicas, 2);
	assert_true(a.is_volatile);
	assert_string_equal(a.authorities, "/etc/ca.pem");
	assert_string_equal(a.certificate, "/etc/a b.pem");
	assert_string_equal(a.key, "/etc/k.pem");
	assert_string_equal(a.text, "rediss://[::1]:6380/7");
}

TEST(test_a_password_needs_no_user_and_a_user_no_password)
{
	struct redis_address a = parse("redis://:secret@h");
	assert_string_equal(a.user, "");
	assert_string_equal(a.password, "secret");
	a = parse("redis://ada@h?password_file=/run/secret");
	assert_string_equal(a.user, "ada");
	assert_string_equal(a.password, "");
	assert_string_equal(a.password_file, "/run/secret");
	/* What is not encoded, and can be told apart, is understood. */
	a = parse("redis://:a:b@c@h:1");
	assert_string_equal(a.password, "a:b@c");
	assert_string_equal(a.at.host, "h");
}

TEST(test_a_unix_socket_has_a_path_and_may_have_all_else)
{
	struct redis_address a = parse("redis+unix:///run/redis/redis.sock");
	assert_true(a.is_unix);
	assert_string_equal(a.path, "/run/redis/redis.sock");
	assert_string_equal(a.text, "redis+unix:///run/redis/redis.sock");
	a = parse("redis+unix://ada:pw@/tmp/a@b%3f.sock?db=3&replicas=0");
	assert_string_equal(a.path, "/tmp/a@b?.sock");
	assert_string_equal(a.user, "ada");
	assert_string_equal(a.password, "pw");
	assert_int_equal(a.database, 3);
	assert_int_equal(a.replicas, 0);
	assert_string_equal(a.text, "redis+unix:///tmp/a@b?.sock?db=3");
}

/* A part of a password may have been taken for anything: no refusal repeats a piece of the text. */
TEST(test_what_is_wrong_is_refused_and_never_repeated)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"http://SECRET", "redis://HOST"},
		{"redis:SECRET", "redis://HOST"},
		{"redis+sentinel://SEC:RET@h", "NAME@"},
		{"redis+sentinel://h", "NAME@"},
		{"redis+sentinel://:SECRET@@h", "NAME@"},
		{"redis+sentinel://SEC%52ET@h", "NAME@"},
		{"redis+sentinel://n@", "HOST"},
		{"redis+sentinel://n@h,:1", "HOST"},
		{"redis+sentinel://n@1,2,3,4,5,6,7,8,9,10", "at most 9"},
		{"redis+sentinel://n@h?sentinel_user=", "1 to 128"},
		{"redis+sentinel://n@h?sentinel_password_file=SECRET", "starts with /"},
		{"redis://h?sentinel_user=SECRET", "replicas, volatile, password_file"},
		{"redis+cluster://", "HOST"},
		{"redis+cluster://h/1", "no database but 0"},
		{"redis+cluster://h?ca=/SECRET", "replicas, volatile, password_file"},
		{"redis+sentinel://n@h?cert=/SECRET", "sentinel_user"},
		{"redis+cluster://h?db=1", "replicas, volatile, password_file"},
		{"redis://", "HOST"},
		{"redis://:SECRET@", "HOST"},
		{"redis://:SEC/RET@h", "port from 1"},
		{"redis://:SEC?RET@h", "port from 1"},
		{"redis://:SEC#RET", "port from 1"},
		{"redis://SEC%RET@h", "%40"},
		{"redis://SEC%0@h", "%40"},
		{"redis://SEC%00RET@h", "%40"},
		{"redis://[::1SECRET", "HOST"},
		{"redis://h:0", "port from 1"},
		{"redis://h:65536", "port from 1"},
		{"redis://h:", "port from 1"},
		{"redis://h/SECRET", "/DATABASE"},
		{"redis://h/65536", "/DATABASE"},
		{"redis://h/-1", "/DATABASE"},
		{"redis://h?SECRET", "replicas, volatile, password_file"},
		{"redis://h?ca=/x", "replicas, volatile, password_file"},
		{"rediss://h?db=1", "password_file, ca, cert, key"},
		{"redis://h?replicas=SECRET", "replicas= "},
		{"redis://h?replicas=17", "from 0 to 16"},
		{"redis://h?volatile=yes", "0 or 1"},
		{"redis://h?volatile=1&volatile=1", "twice"},
		{"redis://h?password_file=SECRET", "starts with /"},
		{"redis://:SECRET@h?password_file=/SECRET", "keep the file"},
		{"rediss://h?cert=/SECRET", "together"},
		{"redis+unix://", "path of the socket"},
		{"redis+unix:///", "path of the socket"},
		{"redis+unix://SECRET", "path of the socket"},
		{"redis+unix://SECRET/x", "path of the socket"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct redis_address a = {.database = 42};
		struct errmsg why = {""};
		enum err e = redis_address_parse(rows[i].text, &a, &why);
		if (e != ERR_INVALID || strstr(why.text, rows[i].says) == NULL ||
		    strstr(why.text, "SEC") != NULL || strstr(why.text, "RET") != NULL) {
			fail_msg("%s: %d %s", rows[i].text, (int)e, why.text);
		}
		assert_int_equal(a.database, 42);
	}
}

/* The text of n times the same sign in the middle. */
static enum err parse_long(const char *before, size_t n, const char *after)
{
	char text[4096];
	struct redis_address a;
	struct errmsg why;
	size_t len = strlen(before);
	assert_in_range(len + n + strlen(after), 0, sizeof(text) - 1);
	memcpy(text, before, len);
	memset(text + len, 'x', n);
	memcpy(text + len + n, after, strlen(after) + 1);
	return redis_address_parse(text, &a, &why);
}

TEST(test_each_part_has_its_bound)
{
	static const struct {
		const char *before;
		size_t max;
		const char *after;
	} rows[] = {
		{"redis://", REDIS_HOST_BYTES_MAX, "/1"},
		{"redis://", REDIS_USER_BYTES_MAX, ":p@h"},
		{"redis://:", REDIS_PASSWORD_BYTES_MAX, "@h"},
		{"redis+unix:///", REDIS_PATH_BYTES_MAX - 1, ""},
		{"rediss://h?ca=/", REDIS_FILE_BYTES_MAX - 1, ""},
		{"redis+sentinel://", REDIS_NAME_BYTES_MAX, "@h"},
		{"redis+sentinel://n@h?sentinel_user=", REDIS_USER_BYTES_MAX, ""},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(parse_long(rows[i].before, rows[i].max, rows[i].after), OK);
		assert_int_equal(parse_long(rows[i].before, rows[i].max + 1, rows[i].after),
				 ERR_INVALID);
	}
}

TEST(test_sentinels_are_named_with_the_name_of_their_master)
{
	struct redis_address a = parse("redis+sentinel://table@10.0.0.1,10.0.0.2:7000,[::1]");
	assert_true(a.has_sentinels);
	assert_string_equal(a.name, "table");
	assert_int_equal(a.seeds_n, 3);
	assert_string_equal(a.seeds[0].host, "10.0.0.1");
	assert_string_equal(a.seeds[0].port, "26379");
	assert_string_equal(a.seeds[1].port, "7000");
	assert_string_equal(a.seeds[2].host, "::1");
	assert_string_equal(a.user, "");
	assert_string_equal(a.text, "redis+sentinel://table/0");
}

TEST(test_some_servers_of_a_cluster_are_named)
{
	struct redis_address a = parse("redis+cluster://ada:pw@10.0.0.1,10.0.0.2:7000?replicas=1");
	assert_true(a.is_cluster);
	assert_string_equal(a.user, "ada");
	assert_int_equal(a.seeds_n, 2);
	assert_string_equal(a.seeds[0].host, "10.0.0.1");
	assert_string_equal(a.seeds[0].port, "6379");
	assert_string_equal(a.seeds[1].port, "7000");
	assert_string_equal(a.text, "redis+cluster://10.0.0.1:6379");
}

/* All that they lead to has TLS, too. */
TEST(sentinels_and_clusters_with_tls)
{
	struct redis_address sentinel;
	struct redis_address a =
		parse("rediss+sentinel://table@h?ca=/ca&cert=/c&key=/k&replicas=2");
	assert_true(a.is_tls && a.has_sentinels && !a.is_cluster);
	assert_string_equal(a.authorities, "/ca");
	assert_string_equal(a.text, "rediss+sentinel://table/0");
	redis_address_of_sentinel(&a, 0, &sentinel);
	assert_true(sentinel.is_tls);
	a = parse("rediss+cluster://h,i?ca=/ca");
	assert_true(a.is_tls && a.is_cluster && !a.has_sentinels);
	assert_string_equal(a.text, "rediss+cluster://h:6379");
	redis_address_of_server(&a, &a.seeds[1], &sentinel);
	assert_true(sentinel.is_tls && !sentinel.is_cluster);
}

TEST(test_a_master_and_its_sentinels_have_users_of_their_own)
{
	struct redis_address one;
	struct redis_place at = {"10.0.0.9", "6380"};
	struct redis_address a = parse("redis+sentinel://ada:p@ss@table@h/3?replicas=2&"
				       "sentinel_user=bob&sentinel_password_file=/run/s");
	assert_string_equal(a.user, "ada");
	assert_string_equal(a.password, "p@ss");
	assert_string_equal(a.sentinel_password_file, "/run/s");
	struct errmsg why;
	assert_int_equal(redis_address_set_sentinel_password(&a, SLICE("s3cret\n"), &why), OK);
	redis_address_of_server(&a, &at, &one);
	assert_string_equal(one.at.host, "10.0.0.9");
	assert_string_equal(one.user, "ada");
	assert_string_equal(one.password, "p@ss");
	assert_int_equal(one.database, 3);
	assert_int_equal(one.replicas, 2);
	assert_string_equal(one.text, "redis://10.0.0.9:6380/3");
	redis_address_of_sentinel(&a, 0, &one);
	assert_string_equal(one.at.host, "h");
	assert_string_equal(one.at.port, "26379");
	assert_string_equal(one.user, "bob");
	assert_string_equal(one.password, "s3cret");
	assert_int_equal(one.database, 0);
	assert_string_equal(one.text, "the Sentinel at h:26379");
}

TEST(test_the_schemes_of_redis_are_known)
{
	assert_true(redis_address_is_one("redis://h"));
	assert_true(redis_address_is_one("redis+cluster://h"));
	assert_false(redis_address_is_one("/var/lib/ayed"));
	assert_false(redis_address_is_one("redis"));
}

TEST(test_a_password_from_elsewhere_is_one_line)
{
	struct redis_address a = parse("redis://h");
	struct errmsg why;
	char longest[REDIS_PASSWORD_BYTES_MAX + 2];
	memset(longest, 'x', sizeof(longest));
	assert_int_equal(redis_address_set_password(&a, SLICE("open sesame\r\n"), &why), OK);
	assert_string_equal(a.password, "open sesame");
	assert_int_equal(redis_address_set_password(&a, SLICE("x\n"), &why), OK);
	assert_string_equal(a.password, "x");
	assert_int_equal(redis_address_set_password(&a, SLICE(""), &why), ERR_INVALID);
	assert_int_equal(redis_address_set_password(&a, SLICE("\n"), &why), ERR_INVALID);
	assert_int_equal(redis_address_set_password(&a, SLICE("a\nb\n"), &why), ERR_INVALID);
	assert_int_equal(redis_address_set_password(&a, SLICE("a\0b"), &why), ERR_INVALID);
	assert_string_equal(a.password, "x");
	struct slice most = slice_of(longest, REDIS_PASSWORD_BYTES_MAX);
	assert_int_equal(redis_address_set_password(&a, most, &why), OK);
	most.len++;
	assert_int_equal(redis_address_set_password(&a, most, &why), ERR_INVALID);
	redis_address_finish(&a);
	assert_string_equal(a.password, "");
}
