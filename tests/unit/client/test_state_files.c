/*
 * test_state_files.c - every call on a file fails once while something is remembered.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/state/state_identity.h"
#include "client/state/state_login.h"
#include "tests/support/files.h"
#include "tests/unit/client/state_home.h"

static void named_open(struct home *h)
{
	home_open(h);
	assert_int_equal(state_keep_name(&h->state, "Ada", &h->why), OK);
}

#define NAMED_TEST(name, h) TEST_OF(name, struct home, h, named_open(h), home_close(h))

static void assert_named(struct home *h, const char *expected)
{
	char name[MAX_NAME_BYTES + 1];
	struct errmsg why = {""};
	assert_int_equal(state_get_name(&h->state, name, &why), OK);
	assert_string_equal(name, expected);
	assert_string_equal(why.text, "");
}

static void assert_nothing_left(struct home *h)
{
	DIR *d = opendir(h->state.dir);
	assert_non_null(d);
	for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
		size_t len = strlen(e->d_name);
		if (len > 4 && strcmp(e->d_name + len - 4, ".new") == 0) {
			fail_msg("%s is left", e->d_name);
		}
	}
	assert_int_equal(closedir(d), 0);
}

/* The name is changed while that call fails; what came of it. */
static enum err rename_with(struct home *h, enum files_call call, size_t nth, int error)
{
	h->why.text[0] = '\0';
	files_fail_nth(call, nth, error);
	enum err e = state_keep_name(&h->state, "Grace", &h->why);
	files_fail_never();
	assert_nothing_left(h);
	return e;
}

TEST(test_whatever_fails_the_file_is_the_old_one_or_the_new_one)
{
	static const int errors[] = {EIO, ENOSPC};
	for (size_t i = 0; i < 2; i++) {
		size_t refused = 0;
		for (size_t nth = 0;; nth++) {
			struct home h;
			char name[MAX_NAME_BYTES + 1];
			struct errmsg why = {""};
			assert_in_range(nth, 0, 99);
			named_open(&h);
			enum err e = rename_with(&h, FILES_ANY, nth, errors[i]);
			bool has_failed = files_has_failed();
			assert_int_equal(state_get_name(&h.state, name, &why), OK);
			assert_true(strcmp(name, "Ada") == 0 || strcmp(name, "Grace") == 0);
			if (e == OK) {
				assert_string_equal(name, "Grace");
			} else {
				assert_int_equal(e, ERR_IO);
				assert_true(h.why.text[0] != '\0');
				refused++;
			}
			home_close(&h);
			if (!has_failed) {
				break;
			}
		}
		assert_true(refused >= 6); /* open, write, sync, close, rename, sync */
	}
}

NAMED_TEST(test_a_state_file_is_synced_before_it_takes_the_old_ones_place, h)
{
	assert_int_equal(rename_with(h, FILES_FSYNC, 0, EIO), ERR_IO);
	assert_true(files_has_failed());
	assert_non_null(strstr(h->why.text, "aye.json"));
	assert_named(h, "Ada");
}

NAMED_TEST(test_the_directory_is_synced_behind_the_rename, h)
{
	assert_int_equal(rename_with(h, FILES_FSYNC, 1, EIO), ERR_IO);
	assert_true(files_has_failed());
	assert_non_null(strstr(h->why.text, "aye.json"));
	assert_named(h, "Grace");
	assert_int_equal(rename_with(h, FILES_FSYNC, 2, EIO), OK);
	assert_false(files_has_failed());
}

NAMED_TEST(test_a_rename_that_fails_leaves_the_old_file_and_nothing_else, h)
{
	assert_int_equal(rename_with(h, FILES_RENAME, 0, EIO), ERR_IO);
	assert_named(h, "Ada");
	assert_int_equal(rename_with(h, FILES_WRITE, 0, ENOSPC), ERR_IO);
	assert_named(h, "Ada");
}

/* ---- what cannot be had again ---- */

#define SERVER "unix:/run/ayed/ayed.sock"
#define CODE   "K7QX3M"
#define KEY    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static enum err keep_host_key(struct home *h)
{
	return state_keep_host_key(&h->state, SERVER, CODE, KEY, &h->why);
}

static enum err keep_seat(struct home *h)
{
	return state_keep_seat(&h->state, SERVER, CODE, NULL, "Ada", KEY, &h->why);
}

static enum err keep_login(struct home *h)
{
	const struct state_login login = {.user_name = "Ada", .token = KEY};
	return state_keep_login(&h->state, SERVER, NULL, &login, &h->why);
}

static enum err make_identity(struct home *h)
{
	unsigned char public_key[STATE_PUBLIC_KEY_BYTES];
	unsigned char secret_key[STATE_SECRET_KEY_BYTES];
	return state_get_identity(&h->state, SERVER, NULL, public_key, secret_key, &h->why);
}

/* Who is told that a key is kept has it after a power cut. */
TEST(test_a_secret_that_the_disk_may_not_have_is_not_called_kept)
{
	enum err (*const keeps[])(struct home *) = {keep_host_key, keep_seat, keep_login,
						    make_identity};
	for (size_t i = 0; i < sizeof(keeps) / sizeof(keeps[0]); i++) {
		for (size_t nth = 0; nth < 2; nth++) {
			struct home h;
			home_open(&h);
			files_fail_nth(FILES_FSYNC, nth, EIO);
			enum err e = keeps[i](&h);
			assert_true(files_has_failed());
			files_fail_never();
			assert_int_equal(e, ERR_IO);
			assert_true(h.why.text[0] != '\0');
			assert_nothing_left(&h);
			assert_int_equal(keeps[i](&h), OK);
			home_close(&h);
		}
	}
}
