/*
 * test_hostile.c - what a server may not make of a terminal, of a line that is
 * pasted, and of a file's name.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#include <dirent.h>

/* As JSON has them; the last one is a code, but not as it is written. */
static const char *const no_codes[] = {
	"\\u001b[2J\\u001bc",
	"\\u001b]8;;evil",
	"$(id>FILE)",
	"x;touch F",
	"-rf --help",
	"../../../etc/x",
	"K7QX3M\\u000aaye",
	"K7Q\\u202eM7",
	"K7Q\\u200bM7",
	"K7QX3\\u007f",
	"K7QX30",
	"K7QX 3M",
	"k7qx3m",
};
enum { NO_CODES_N = sizeof(no_codes) / sizeof(no_codes[0]) };

static unsigned files_in(const char *dir)
{
	unsigned n = 0;
	DIR *d = opendir(dir);
	if (d == NULL) {
		return 0;
	}
	for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
		n += e->d_name[0] != '.';
	}
	(void)closedir(d);
	return n;
}

TEST(test_a_room_id_that_is_no_code_is_a_broken_server)
{
	static const char *const lines[] = {"new", "room|create", "room|create|--json",
					    "new|--title|Sprint 42"};
	static struct verb_desk d;
	char json[400];
	char rooms[PATH_MAX];
	verb_desk_open(&d);
	(void)snprintf(rooms, sizeof(rooms), "%s/rooms", d.state.dir);
	for (size_t i = 0; i < NO_CODES_N; i++) {
		(void)snprintf(json, sizeof(json),
			       "{\"room_id\":\"%s\",\"host_key\":\"" KEY
			       "\",\"valid_sizes\":[\"1\",\"2\"]}",
			       no_codes[i]);
		const struct scripted_rule rules[] = {{.method = "room.create", .json = json}};
		for (size_t k = 0; k < sizeof(lines) / sizeof(lines[0]); k++) {
			scripted_play(&d.server, rules, 1);
			verb_ends(&d, lines[k], EXIT_NO_SERVER);
			assert_string_equal(d.out, "");
			assert_non_null(strstr(d.err, "room_id must be a room's code"));
			verb_assert_clean(&d);
			assert_int_equal(files_in(rooms), 0);
		}
	}
	verb_desk_close(&d);
}

TEST(test_a_host_key_that_is_none_is_a_broken_server)
{
	static const struct scripted_rule rules[] = {
		{.method = "room.create",
		 .json = "{\"room_id\":\"K7QX3M\",\"host_key\":"
			 "\"\\u001b]0;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
			 "\"valid_sizes\":[\"1\",\"2\"]}"}};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 1);
	verb_ends(&d, "room|create|--json", EXIT_NO_SERVER);
	assert_string_equal(d.out, "");
	verb_assert_clean(&d);
	verb_desk_close(&d);
}

TEST(test_a_sound_room_is_made_and_kept)
{
	static struct verb_desk d;
	struct state_room room;
	struct errmsg why = {""};
	verb_desk_open(&d);
	verb_ends(&d, "room|create", EXIT_DONE);
	assert_string_equal(d.out, CODE "\n");
	assert_int_equal(state_get_room(&d.state, d.server.address, CODE, NULL, &room, &why), OK);
	assert_string_equal(room.host_key, KEY);
	verb_desk_close(&d);
}

/* Whatever is said of people, rooms and refusals: a line of it is a line. */
TEST(test_texts_of_a_server_are_softened)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.whoami",
		 .json = "{\"user_id\":\"U1\",\"user_name\":\"A\\u001b[31mda\\u202e\",\"expires_"
			 "at\":1,"
			 "\"rooms\":[]}"},
		{.method = "room.create",
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"FORBIDDEN\",\"message\":\"no\\u001b]52;c;aGk="
			 "\\u0007\\u200b\","
			 "\"field\":\"t\\u009b2J\"}"},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "whoami|--json", EXIT_DONE);
	verb_assert_clean(&d);
	assert_null(strstr(d.out, "\\u001b"));
	assert_null(strstr(d.out, "\xe2\x80\xae"));
	verb_ends(&d, "room|create", EXIT_REFUSED);
	verb_assert_clean(&d);
	assert_null(strstr(d.err, "\xc2\x9b"));
	assert_null(strstr(d.err, "\xe2\x80\x8b"));
	verb_desk_close(&d);
}

TEST(test_a_list_of_rooms_with_one_that_is_none_is_refused)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.whoami",
		 .json = "{\"user_id\":\"U1\",\"user_name\":\"Ada\",\"expires_at\":1,"
			 "\"rooms\":[\"K7QX3M\",\"$(reboot)\"]}"}};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 1);
	verb_ends(&d, "whoami", EXIT_NO_SERVER);
	assert_string_equal(d.out, "");
	assert_non_null(strstr(d.err, "rooms[1]"));
	verb_desk_close(&d);
}
