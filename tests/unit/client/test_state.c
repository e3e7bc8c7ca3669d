/*
 * test_state.c - what is remembered between runs: private, whole, and kept by several at once.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/state/state.h"
#include "client/state/state_file.h"
#include "client/state/state_identity.h"
#include "tests/unit/client/state_home.h"

#define SERVER "unix:/run/ayed/ayed.sock"
#define CODE   "K7QX3M"
#define KEY    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define KEY2   "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

static unsigned mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 0777;
}

/* The seat of that name in the room, which was that of the old one. */
static void keep_seat(struct home *h, const char *old_name, const char *name, const char *key)
{
	assert_int_equal(state_keep_seat(&h->state, SERVER, CODE, old_name, name, key, &h->why),
			 OK);
}

/* What is known of a room for that name, or for the last one. */
static void assert_seat(struct home *h, const char *server, const char *code, const char *as,
			const char *name, const char *key)
{
	struct state_room room;
	assert_int_equal(state_get_room(&h->state, server, code, as, &room, &h->why), OK);
	assert_string_equal(room.name, name);
	assert_string_equal(room.user_key, key);
}

static void assert_host_key(struct home *h, const char *code, const char *key)
{
	struct state_room room;
	assert_int_equal(state_get_room(&h->state, SERVER, code, NULL, &room, &h->why), OK);
	assert_string_equal(room.host_key, key);
}

HOME_TEST(test_an_unknown_room_is_empty, h)
{
	assert_host_key(h, CODE, "");
	assert_seat(h, SERVER, CODE, NULL, "", "");
}

HOME_TEST(test_keys_come_back_for_their_server_and_room_only, h)
{
	keep_seat(h, NULL, "Ada", KEY);
	assert_int_equal(state_keep_host_key(&h->state, SERVER, CODE, KEY2, &h->why), OK);
	assert_host_key(h, CODE, KEY2);
	assert_seat(h, SERVER, CODE, NULL, "Ada", KEY);
	assert_seat(h, "tcp://h:1", CODE, NULL, "", "");
	assert_host_key(h, "AAAAAA", "");
}

/* The seat of a verb, which may be a bot. */
static void keep_other_seat(struct home *h, bool is_bot, const char *name, const char *key)
{
	assert_int_equal(state_keep_other_seat(&h->state, SERVER, CODE, is_bot, name, key, &h->why),
			 OK);
}

HOME_TEST(test_another_seat_is_found_by_its_name_and_not_the_one_used_last, h)
{
	keep_other_seat(h, false, "Linus", KEY);
	assert_seat(h, SERVER, CODE, NULL, "Linus", KEY); /* the only one */
	keep_seat(h, NULL, "Ada", KEY2);
	keep_other_seat(h, false, "Linus", KEY);
	assert_seat(h, SERVER, CODE, NULL, "Ada", KEY2);
	assert_seat(h, SERVER, CODE, "Linus", "Linus", KEY);
}

HOME_TEST(test_a_bots_seat_is_apart_from_a_persons_of_the_same_name, h)
{
	char key[KEY_CHARS + 1];
	keep_seat(h, NULL, "Ada", KEY);
	assert_int_equal(state_get_bot_key(&h->state, SERVER, CODE, "Ada", key, &h->why), OK);
	assert_string_equal(key, "");
	keep_other_seat(h, true, "Ada", KEY2);
	keep_other_seat(h, true, "estimator", KEY2);
	assert_seat(h, SERVER, CODE, NULL, "Ada", KEY);
	assert_seat(h, SERVER, CODE, "estimator", "estimator", "");
	assert_int_equal(state_get_bot_key(&h->state, SERVER, CODE, "Ada", key, &h->why), OK);
	assert_string_equal(key, KEY2);
}

HOME_TEST(test_the_name_chooses_the_seat, h)
{
	keep_seat(h, NULL, "Ada", KEY);
	keep_seat(h, NULL, "Grace", KEY2);
	assert_seat(h, SERVER, CODE, "Ada", "Ada", KEY);
	assert_seat(h, SERVER, CODE, NULL, "Grace", KEY2);
	assert_seat(h, SERVER, CODE, "Linus", "Linus", "");
}

HOME_TEST(test_a_new_name_takes_its_seat_along, h)
{
	keep_seat(h, NULL, "Ada", KEY);
	keep_seat(h, "Ada", "Countess", KEY);
	assert_seat(h, SERVER, CODE, "Ada", "Ada", "");
	assert_seat(h, SERVER, CODE, NULL, "Countess", KEY);
}

HOME_TEST(test_a_new_name_with_another_key_leaves_the_seat_of_the_old_name, h)
{
	keep_seat(h, NULL, "Ada", KEY);
	keep_seat(h, "Ada", "Countess", KEY2);
	assert_seat(h, SERVER, CODE, "Ada", "Ada", KEY);
	assert_seat(h, SERVER, CODE, NULL, "Countess", KEY2);
}

/* Where it came from a file's name, or from a server, it would be part of a path. */
HOME_TEST(test_what_is_no_code_names_no_file, h)
{
	static const char *const no_codes[] = {"",	 "..",	   "/../../x", "../K7QX3M",
					       "k7qx3m", "K7QX30", "K7QX3M\n", "K7QX3M.json"};
	struct state_room room;
	char rooms[PATH_MAX];
	home_path(h, rooms, "rooms");
	for (size_t i = 0; i < sizeof(no_codes) / sizeof(no_codes[0]); i++) {
		const char *code = no_codes[i];
		assert_int_equal(state_get_room(&h->state, SERVER, code, NULL, &room, &h->why),
				 ERR_INVALID);
		assert_int_equal(state_keep_seat(&h->state, SERVER, code, NULL, "Ada", KEY,
						 &h->why),
				 ERR_INVALID);
		assert_int_equal(state_keep_host_key(&h->state, SERVER, code, KEY, &h->why),
				 ERR_INVALID);
		assert_int_equal(state_keep_title(&h->state, SERVER, code, "T", &h->why),
				 ERR_INVALID);
		assert_int_equal(state_forget_room(&h->state, SERVER, code, &h->why), ERR_INVALID);
	}
	assert_int_not_equal(access(rooms, F_OK), 0);
}

HOME_TEST(test_what_is_no_utf8_is_not_kept_and_harms_nothing, h)
{
	keep_seat(h, NULL, "Ada", KEY);
	assert_int_equal(state_keep_title(&h->state, SERVER, CODE, "a\xff", &h->why), ERR_INVALID);
	assert_non_null(strstr(h->why.text, "UTF-8"));
	assert_seat(h, SERVER, CODE, "Ada", "Ada", KEY);
}

HOME_TEST(test_a_forgotten_room_is_gone, h)
{
	assert_int_equal(state_keep_host_key(&h->state, SERVER, CODE, KEY, &h->why), OK);
	assert_int_equal(state_forget_room(&h->state, SERVER, CODE, &h->why), OK);
	assert_int_equal(state_forget_room(&h->state, SERVER, CODE, &h->why), OK);
	assert_host_key(h, CODE, "");
}

/* The host_key of a room, kept so many seconds ago; no disk is waited for. */
static void keep_room(struct home *h, const char *code, time_t seconds)
{
	char path[PATH_MAX];
	struct timespec at[2] = {{.tv_sec = time(NULL) - seconds}};
	at[1] = at[0];
	assert_int_equal(state_keep_host_key(&h->state, SERVER, code, KEY, &h->why), OK);
	assert_int_equal(state_room_file(&h->state, path, "rooms", SERVER, code, &h->why), OK);
	assert_int_equal(utimensat(AT_FDCWD, path, at, 0), 0);
}

HOME_TEST(test_of_too_many_rooms_the_oldest_is_forgotten, h)
{
	enum { REAL = 3 };
	char name[32];
	for (size_t i = 0; i < STATE_ROOMS_MAX - REAL; i++) {
		(void)snprintf(name, sizeof(name), "rooms/%zu.json", i);
		home_write(h, name, "{}");
	}
	keep_room(h, "BBBBBB", 300);
	keep_room(h, "AAAAAA", 600);
	keep_room(h, "CCCCCC", -600);
	keep_room(h, "CCCCCC", -600); /* one that is kept already takes no place */
	assert_host_key(h, "AAAAAA", KEY);
	keep_room(h, "DDDDDD", -300);
	assert_host_key(h, "AAAAAA", "");
	assert_host_key(h, "BBBBBB", KEY);
	assert_host_key(h, "CCCCCC", KEY);
	keep_room(h, "BBBBBB", -300); /* used again: others are older now */
	keep_room(h, "EEEEEE", -300);
	assert_host_key(h, "BBBBBB", KEY);
	assert_host_key(h, "CCCCCC", KEY);
	assert_host_key(h, "DDDDDD", KEY);
	assert_host_key(h, "EEEEEE", KEY);
}

HOME_TEST(test_everything_is_private, h)
{
	char path[PATH_MAX];
	unsigned char public_key[STATE_PUBLIC_KEY_BYTES];
	unsigned char secret_key[STATE_SECRET_KEY_BYTES];
	assert_int_equal(chmod(h->state.dir, 0755), 0);
	assert_int_equal(state_open(&h->state, &h->why), OK);
	assert_int_equal(mode_of(h->state.dir), 0700);
	assert_int_equal(state_keep_name(&h->state, "Ada", &h->why), OK);
	home_path(h, path, "aye.json");
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(state_get_identity(&h->state, SERVER, NULL, public_key, secret_key,
					    &h->why),
			 OK);
	home_path(h, path, "identity.json");
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(state_keep_host_key(&h->state, SERVER, CODE, KEY, &h->why), OK);
	home_path(h, path, "rooms");
	assert_int_equal(mode_of(path), 0700);
}

TEST(test_a_damaged_file_is_set_aside_and_named)
{
	static const char *const damages[] = {"{\"name\": \"A", "[]", "\xff\xfe",
					      "{\"a\":1,\"a\":2}", ""};
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct home h;
		char path[PATH_MAX];
		char name[MAX_NAME_BYTES + 1];
		home_open(&h);
		home_write(&h, "aye.json", damages[i]);
		assert_int_equal(state_get_name(&h.state, name, &h.why), OK);
		assert_string_equal(name, "");
		assert_non_null(strstr(h.why.text, "aye.json.damaged"));
		home_path(&h, path, "aye.json.damaged");
		assert_int_equal(access(path, F_OK), 0);
		assert_int_equal(state_keep_name(&h.state, "Ada", &h.why), OK);
		assert_int_equal(state_get_name(&h.state, name, &h.why), OK);
		assert_string_equal(name, "Ada");
		home_close(&h);
	}
}

HOME_TEST(test_a_file_of_a_wrong_shape_reads_as_nothing_known, h)
{
	char name[MAX_NAME_BYTES + 1];
	home_write(h, "aye.json", "{\"name\": [1, 2]}");
	assert_int_equal(state_get_name(&h->state, name, &h->why), OK);
	assert_string_equal(name, "");
}

/* Each process keeps a seat of its own in the same room's file; all of them are there afterwards.
 */
HOME_TEST(test_several_at_once_lose_nothing, h)
{
	enum { WRITERS = 8 };
	pid_t pids[WRITERS];
	char name[16];
	for (size_t i = 0; i < WRITERS; i++) {
		(void)snprintf(name, sizeof(name), "Ada %zu", i);
		pids[i] = fork();
		if (pids[i] == 0) {
			enum err e =
				state_keep_seat(&h->state, SERVER, CODE, NULL, name, KEY, &h->why);
			_exit(e == OK ? 0 : 1);
		}
	}
	for (size_t i = 0; i < WRITERS; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	for (size_t i = 0; i < WRITERS; i++) {
		(void)snprintf(name, sizeof(name), "Ada %zu", i);
		assert_seat(h, SERVER, CODE, name, name, KEY);
	}
}

HOME_TEST(test_a_link_in_the_way_is_not_followed, h)
{
	char path[PATH_MAX];
	char name[MAX_NAME_BYTES + 1];
	home_path(h, path, "aye.json");
	assert_int_equal(symlink("/etc/hostname", path), 0);
	assert_int_equal(state_get_name(&h->state, name, &h->why), ERR_IO);
}
