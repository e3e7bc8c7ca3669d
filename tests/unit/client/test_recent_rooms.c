/*
 * test_recent_rooms.c - the rooms one was in: in order, whole, and safe to draw.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/cli/state_recent.h"
#include "client/model/recent_rooms.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

#define SERVER "unix:/run/ayed/ayed.sock"
#define KEY    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void add(struct recent_rooms *r, const char *room_id, int64_t used_at_ms)
{
	struct recent_room room = {.server = SERVER, .used_at_ms = used_at_ms};
	(void)snprintf(room.room_id, sizeof(room.room_id), "%s", room_id);
	assert_int_equal(recent_rooms_add(r, &room), OK);
}

TEST(test_the_one_used_last_comes_first)
{
	struct recent_rooms r = {0};
	add(&r, "BBBBBB", 20);
	add(&r, "DDDDDD", 10);
	add(&r, "CCCCCC", 30);
	add(&r, "AAAAAA", 20);
	recent_rooms_sort(&r);
	assert_int_equal(r.n, 4);
	assert_string_equal(r.rooms[0].room_id, "CCCCCC");
	assert_string_equal(r.rooms[1].room_id, "AAAAAA");
	assert_string_equal(r.rooms[2].room_id, "BBBBBB");
	assert_string_equal(r.rooms[3].room_id, "DDDDDD");
	recent_rooms_finish(&r);
}

TEST(test_one_is_found_by_server_and_code_and_taken_out)
{
	struct recent_rooms r = {0};
	for (int i = 0; i < 40; i++) {
		char code[7] = "K7QX2A";
		code[4] = (char)('2' + i / 8);
		code[5] = (char)('A' + i % 8);
		add(&r, code, 40 - i);
	}
	assert_int_equal(recent_rooms_find(&r, SERVER, "K7QX3B"), 9);
	assert_int_equal(recent_rooms_find(&r, "tcp://elsewhere:2937", "K7QX3B"), r.n);
	recent_rooms_remove(&r, 9);
	recent_rooms_remove(&r, 99);
	assert_int_equal(r.n, 39);
	assert_int_equal(recent_rooms_find(&r, SERVER, "K7QX3B"), r.n);
	assert_string_equal(r.rooms[9].room_id, "K7QX3C");
	recent_rooms_finish(&r);
}

TEST(test_what_is_kept_is_safe_to_draw)
{
	struct recent_rooms r = {0};
	struct recent_room room = {.server = SERVER,
				   .room_id = "K7QX3M",
				   .title = "a\x1b[2Jb\xe2\x80\xae"
					    "c",
				   .name = "A\nda"};
	assert_int_equal(recent_rooms_add(&r, &room), OK);
	assert_null(strchr(r.rooms[0].title, '\x1b'));
	assert_null(strstr(r.rooms[0].title, "\xe2\x80\xae"));
	assert_null(strchr(r.rooms[0].name, '\n'));
	recent_rooms_finish(&r);
}

TEST(test_without_memory_nothing_changes)
{
	struct recent_rooms r = {0};
	struct recent_room room = {.server = SERVER, .room_id = "K7QX3M"};
	heap_fail_nth(0, true);
	enum err e = recent_rooms_add(&r, &room);
	heap_fail_never();
	assert_int_equal(e, ERR_NOMEM);
	assert_int_equal(r.n, 0);
	recent_rooms_finish(&r);
}

/* ---- from the files ---- */

struct memory {
	char dir[64];
	struct state state;
	struct errmsg why;
	struct recent_rooms recent;
};

static void run(const char *program, const char *a, const char *b)
{
	pid_t pid = fork();
	if (pid == 0) {
		execlp(program, program, a, b, (char *)NULL);
		_exit(127);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void memory_open(struct memory *m)
{
	*m = (struct memory){.dir = "/tmp/aye-test-XXXXXX"};
	assert_non_null(mkdtemp(m->dir));
	assert_int_equal(setenv("XDG_STATE_HOME", m->dir, 1), 0);
	assert_int_equal(state_open(&m->state, &m->why), OK);
	assert_true(crypto_start());
}

static void memory_close(struct memory *m)
{
	recent_rooms_finish(&m->recent);
	run("rm", "-rf", m->dir);
}

static void write_room(const struct memory *m, const char *name, const char *text)
{
	char path[PATH_MAX];
	(void)snprintf(path, sizeof(path), "%s/rooms/%s", m->state.dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

#define MEMORY_TEST(name, m) TEST_OF(name, struct memory, m, memory_open(m), memory_close(m))

MEMORY_TEST(test_at_first_there_is_no_room, m)
{
	assert_int_equal(state_list_rooms(&m->state, &m->recent, &m->why), OK);
	assert_int_equal(m->recent.n, 0);
}

MEMORY_TEST(test_a_room_comes_back_with_its_title_and_name, m)
{
	assert_int_equal(state_keep_seat(&m->state, SERVER, "K7QX3M", NULL, "Ada", KEY, &m->why),
			 OK);
	assert_int_equal(state_keep_title(&m->state, SERVER, "K7QX3M", "Sprint 42", &m->why), OK);
	assert_int_equal(state_keep_host_key(&m->state, SERVER, "K7QX3M", KEY, &m->why), OK);
	assert_int_equal(state_list_rooms(&m->state, &m->recent, &m->why), OK);
	assert_int_equal(m->recent.n, 1);
	const struct recent_room *room = &m->recent.rooms[0];
	assert_string_equal(room->server, SERVER);
	assert_string_equal(room->room_id, "K7QX3M");
	assert_string_equal(room->title, "Sprint 42");
	assert_string_equal(room->name, "Ada");
	assert_true(room->is_host);
	assert_false(room->is_gone);
	assert_true(room->used_at_ms > INT64_C(1500000000000));
}

MEMORY_TEST(test_a_title_alone_makes_no_room_remembered, m)
{
	assert_int_equal(state_keep_title(&m->state, SERVER, "K7QX3M", "Sprint 42", &m->why), OK);
	assert_int_equal(state_list_rooms(&m->state, &m->recent, &m->why), OK);
	assert_int_equal(m->recent.n, 0);
}

MEMORY_TEST(test_what_is_no_room_is_left_out, m)
{
	assert_int_equal(state_keep_seat(&m->state, SERVER, "K7QX3M", NULL, "Ada", KEY, &m->why),
			 OK);
	write_room(m, "a.json", "{}");
	write_room(m, "b.json", "no JSON at all");
	write_room(m, "c.json", "{\"server\":\"unix:/x\",\"room_id\":\"../../etc\"}");
	write_room(m, "d.json", "{\"server\":7,\"room_id\":[]}");
	write_room(m, "e.json.damaged", "{\"server\":\"unix:/x\",\"room_id\":\"AAAAAA\"}");
	assert_int_equal(state_list_rooms(&m->state, &m->recent, &m->why), OK);
	assert_int_equal(m->recent.n, 1);
	assert_string_equal(m->recent.rooms[0].room_id, "K7QX3M");
	assert_non_null(strstr(m->why.text, "b.json"));
}
