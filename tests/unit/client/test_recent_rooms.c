/*
 * test_recent_rooms.c - the rooms one was in: in order, whole, and safe to draw.
 */
#include <stdio.h>
#include <string.h>

#include "client/model/recent_rooms.h"
#include "client/state/state_recent.h"
#include "tests/unit/client/state_home.h"

#define SERVER "unix:/run/ayed/ayed.sock"
#define KEY    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void add(struct recent_rooms *r, const char *room_id, int64_t used_at_ms)
{
	struct recent_room room = {.server = SERVER, .used_at_ms = used_at_ms};
	(void)snprintf(room.room_id, sizeof(room.room_id), "%s", room_id);
	recent_rooms_add(r, &room);
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

#define PIN_A "#SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define PIN_B "#SHA256:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA"

static void add_at(struct recent_rooms *r, const char *server, const char *room_id,
		   int64_t used_at_ms)
{
	struct recent_room room = {.used_at_ms = used_at_ms, .is_host = true};
	(void)snprintf(room.server, sizeof(room.server), "%s", server);
	(void)snprintf(room.room_id, sizeof(room.room_id), "%s", room_id);
	recent_rooms_add(r, &room);
}

TEST(test_rooms_of_a_server_that_was_set_up_anew_are_at_its_new_certificate)
{
	struct recent_rooms r = {0};
	add_at(&r, "tls://h:2937" PIN_A, "AAAAAA", 10);
	add_at(&r, "tls://h:2937" PIN_A, "BBBBBB", 20);
	add_at(&r, "tls://h:2937" PIN_B, "CCCCCC", 30);
	add_at(&r, "tls://h:2937" PIN_B, "AAAAAA", 25);
	add_at(&r, "tls://other:2937" PIN_A, "DDDDDD", 5);
	add_at(&r, "tls://h:2937", "EEEEEE", 4);
	add_at(&r, "tcp://h:2937", "FFFFFF", 3);
	recent_rooms_sort(&r);
	static const struct {
		const char *server, *room_id;
		bool is_host;
	} rooms[] = {
		{"tls://h:2937" PIN_B, "CCCCCC", true},	 {"tls://h:2937" PIN_B, "AAAAAA", true},
		{"tls://h:2937" PIN_B, "BBBBBB", false}, {"tls://other:2937" PIN_A, "DDDDDD", true},
		{"tls://h:2937", "EEEEEE", true},	 {"tcp://h:2937", "FFFFFF", true},
	};
	assert_int_equal(r.n, sizeof(rooms) / sizeof(rooms[0]));
	for (size_t i = 0; i < r.n; i++) {
		assert_string_equal(r.rooms[i].server, rooms[i].server);
		assert_string_equal(r.rooms[i].room_id, rooms[i].room_id);
		assert_int_equal(r.rooms[i].is_host, rooms[i].is_host);
	}
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
	recent_rooms_add(&r, &room);
	assert_null(strchr(r.rooms[0].title, '\x1b'));
	assert_null(strstr(r.rooms[0].title, "\xe2\x80\xae"));
	assert_null(strchr(r.rooms[0].name, '\n'));
	recent_rooms_finish(&r);
}

/* ---- from the files ---- */

struct memory {
	struct home home;
	struct recent_rooms recent;
};

static void memory_open(struct memory *m)
{
	*m = (struct memory){0};
	home_open(&m->home);
}

static void memory_close(struct memory *m)
{
	recent_rooms_finish(&m->recent);
	home_close(&m->home);
}

static void keep_seat(struct memory *m)
{
	assert_int_equal(state_keep_seat(&m->home.state, SERVER, "K7QX3M", NULL, "Ada", KEY,
					 &m->home.why),
			 OK);
}

static void keep_title(struct memory *m)
{
	assert_int_equal(state_keep_title(&m->home.state, SERVER, "K7QX3M", "Sprint 42",
					  &m->home.why),
			 OK);
}

#define MEMORY_TEST(name, m) TEST_OF(name, struct memory, m, memory_open(m), memory_close(m))

MEMORY_TEST(test_at_first_there_is_no_room, m)
{
	state_list_rooms(&m->home.state, &m->recent, &m->home.why);
	assert_int_equal(m->recent.n, 0);
}

MEMORY_TEST(test_a_room_comes_back_with_its_title_and_name, m)
{
	keep_seat(m);
	keep_title(m);
	assert_int_equal(state_keep_host_key(&m->home.state, SERVER, "K7QX3M", KEY, &m->home.why),
			 OK);
	state_list_rooms(&m->home.state, &m->recent, &m->home.why);
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
	keep_title(m);
	state_list_rooms(&m->home.state, &m->recent, &m->home.why);
	assert_int_equal(m->recent.n, 0);
}

/* Or it would come back as soon as the newer one is gone. */
MEMORY_TEST(test_a_room_is_forgotten_at_each_certificate_of_its_server, m)
{
	home_write(&m->home, "rooms/a.json",
		   "{\"server\":\"tls://h:2937" PIN_A "\",\"room_id\":\"AAAAAA\"}");
	home_write(&m->home, "rooms/b.json",
		   "{\"server\":\"tls://h:2937" PIN_A "\",\"room_id\":\"BBBBBB\"}");
	home_write(&m->home, "rooms/c.json",
		   "{\"server\":\"tls://i:2937" PIN_A "\",\"room_id\":\"AAAAAA\"}");
	assert_int_equal(state_forget_recent(&m->home.state, "tls://h:2937" PIN_B, "AAAAAA",
					     &m->home.why),
			 OK);
	state_list_rooms(&m->home.state, &m->recent, &m->home.why);
	assert_int_equal(m->recent.n, 2);
	assert_int_equal(recent_rooms_find(&m->recent, "tls://h:2937" PIN_A, "AAAAAA"), 2);
}

MEMORY_TEST(test_what_is_no_room_is_left_out, m)
{
	keep_seat(m);
	home_write(&m->home, "rooms/a.json", "{}");
	home_write(&m->home, "rooms/b.json", "no JSON at all");
	home_write(&m->home, "rooms/c.json", "{\"server\":\"unix:/x\",\"room_id\":\"../../etc\"}");
	home_write(&m->home, "rooms/d.json", "{\"server\":7,\"room_id\":[]}");
	home_write(&m->home, "rooms/e.json.damaged",
		   "{\"server\":\"unix:/x\",\"room_id\":\"AAAAAA\"}");
	state_list_rooms(&m->home.state, &m->recent, &m->home.why);
	assert_int_equal(m->recent.n, 1);
	assert_string_equal(m->recent.rooms[0].room_id, "K7QX3M");
	assert_non_null(strstr(m->home.why.text, "b.json"));
}
