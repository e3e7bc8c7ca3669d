/*
 * test_redis_access.c - passwords and certificates that an address of Redis names.
 */
#include "server/cli/redis_access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/test.h"

struct scene {
	char dir[32];
	char file[64];
	struct redis_address address;
	struct tls_context *tls;
	struct errmsg why;
};

static void scene_lay(struct scene *s)
{
	*s = (struct scene){.dir = "/tmp/redis-access-XXXXXX"};
	assert_non_null(mkdtemp(s->dir));
	(void)snprintf(s->file, sizeof(s->file), "%s/file", s->dir);
	(void)unsetenv(REDIS_PASSWORD_VARIABLE);
}

static void scene_clear(struct scene *s)
{
	tls_context_free(s->tls);
	(void)unlink(s->file);
	assert_int_equal(rmdir(s->dir), 0);
}

#define ACCESS_TEST(name, s) TEST_OF(name, struct scene, s, scene_lay(s), scene_clear(s))

static void put(const struct scene *s, struct slice content, mode_t mode)
{
	FILE *f = fopen(s->file, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(content.data, 1, content.len, f), content.len);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(s->file, mode), 0);
}

/* Complete an address of that form, with the name of the file in place of each @. */
static enum err complete(struct scene *s, const char *form)
{
	char text[512];
	size_t len = 0;
	for (const char *c = form; *c != '\0'; c++) {
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%.*s",
					*c == '@' ? (int)strlen(s->file) : 1,
					*c == '@' ? s->file : c);
	}
	assert_int_equal(redis_address_parse(text, &s->address, &s->why), OK);
	tls_context_free(s->tls);
	return redis_access_complete(&s->address, &s->tls, &s->why);
}

ACCESS_TEST(test_a_password_comes_from_its_file, s)
{
	put(s, SLICE("sesame\n"), 0600);
	assert_int_equal(complete(s, "redis://h?password_file=@"), OK);
	assert_string_equal(s->address.password, "sesame");
	assert_null(s->tls);
}

ACCESS_TEST(test_a_file_that_others_may_read_is_refused, s)
{
	put(s, SLICE("sesame\n"), 0644);
	assert_int_equal(complete(s, "redis://h?password_file=@"), ERR_INVALID);
	assert_non_null(strstr(s->why.text, "chmod 600"));
	assert_string_equal(s->address.password, "");
}

ACCESS_TEST(test_a_file_that_has_no_password_is_named, s)
{
	assert_int_equal(complete(s, "redis://h?password_file=@"), ERR_NOT_FOUND);
	assert_non_null(strstr(s->why.text, s->file));
	put(s, SLICE("\n"), 0600);
	assert_int_equal(complete(s, "redis://h?password_file=@"), ERR_INVALID);
	assert_non_null(strstr(s->why.text, s->file));
}

ACCESS_TEST(test_sentinels_have_a_password_of_their_own, s)
{
	char text[128];
	(void)snprintf(text, sizeof(text), "redis+sentinel://n@h?sentinel_password_file=%s",
		       s->file);
	put(s, SLICE("of the sentinels\n"), 0600);
	assert_int_equal(redis_address_parse(text, &s->address, &s->why), OK);
	assert_int_equal(redis_access_complete(&s->address, &s->tls, &s->why), OK);
	assert_string_equal(s->address.sentinel_password, "of the sentinels");
	assert_string_equal(s->address.password, "");
	put(s, SLICE("\n"), 0600);
	assert_int_equal(redis_access_complete(&s->address, &s->tls, &s->why), ERR_INVALID);
	assert_non_null(strstr(s->why.text, s->file));
}

ACCESS_TEST(test_the_environment_is_asked_last_and_forgets, s)
{
	assert_int_equal(setenv(REDIS_PASSWORD_VARIABLE, "of environment", 1), 0);
	assert_int_equal(complete(s, "redis://h"), OK);
	assert_string_equal(s->address.password, "of environment");
	assert_null(getenv(REDIS_PASSWORD_VARIABLE));

	assert_int_equal(setenv(REDIS_PASSWORD_VARIABLE, "of environment", 1), 0);
	put(s, SLICE("of file"), 0600);
	assert_int_equal(complete(s, "redis://h?password_file=@"), OK);
	assert_string_equal(s->address.password, "of file");
	assert_null(getenv(REDIS_PASSWORD_VARIABLE));

	assert_int_equal(setenv(REDIS_PASSWORD_VARIABLE, "", 1), 0);
	assert_int_equal(complete(s, "redis://h"), ERR_INVALID);
	assert_non_null(strstr(s->why.text, REDIS_PASSWORD_VARIABLE));
	assert_int_equal(complete(s, "redis://h"), OK);
	assert_string_equal(s->address.password, "");
}

ACCESS_TEST(test_tls_has_a_context_of_the_files_it_names, s)
{
	struct buf pem = {.max = 65536};
	assert_int_equal(complete(s, "rediss://h"), OK);
	assert_non_null(s->tls);
	assert_int_equal(tls_make_certificate(&pem, &pem), OK);
	put(s, buf_slice(&pem), 0600);
	assert_int_equal(complete(s, "rediss://h?ca=@&cert=@&key=@"), OK);
	assert_non_null(s->tls);
	put(s, buf_slice(&pem), 0644);
	assert_int_equal(complete(s, "rediss://h?ca=@"), OK);
	assert_int_equal(complete(s, "rediss://h?cert=@&key=@"), ERR_INVALID);
	assert_non_null(strstr(s->why.text, "chmod 600"));
	put(s, SLICE("no PEM"), 0600);
	assert_int_equal(complete(s, "rediss://h?ca=@"), ERR_INVALID);
	assert_non_null(strstr(s->why.text, "ca="));
	/* An empty one would otherwise mean the authorities of the system. */
	put(s, SLICE(""), 0600);
	assert_int_equal(complete(s, "rediss://h?ca=@"), ERR_INVALID);
	assert_int_equal(complete(s, "rediss://h?cert=@&key=@"), ERR_INVALID);
	buf_finish(&pem);
}
