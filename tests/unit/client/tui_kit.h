/*
 * tui_kit.h - keys in, requests and words out, for tests of the tui.
 */
#ifndef TESTS_UNIT_CLIENT_TUI_KIT_H
#define TESTS_UNIT_CLIENT_TUI_KIT_H

#include <stdlib.h>

#include "client/tui/tui.h"
#include "client/tui/widgets/grid.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"
#include "tests/unit/client/act_kit.h"

static inline struct tui *open_tui(void)
{
	struct tui *t = tui_create(&(struct tui_options){.name_hint = NULL});
	tui_set_link(t, LINK_LIVE);
	return t;
}

/* A string of characters as keys, none of them special. Returns what the last one asked for. */
static inline struct act type(struct tui *t, const struct a_room *a, const char *keys)
{
	struct act act = {0};
	for (; *keys != '\0'; keys++) {
		act = tui_take_key(t, &a->r, *keys);
	}
	return act;
}

/* A line, and Enter behind it. */
static inline struct act enter(struct tui *t, const struct a_room *a, const char *line)
{
	(void)type(t, a, line);
	return tui_take_key(t, &a->r, TUI_KEY_ENTER);
}

/* The row of the screen from below; 1 is the message row. The caller frees it. */
static inline char *row_from_below(struct tui *t, const struct a_room *a, int n)
{
	struct grid g = {0};
	grid_resize(&g, 80, 24);
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	char *dump = grid_dump(&g);
	grid_finish(&g);
	assert_non_null(dump);
	char *line = dump;
	for (int y = 0; y < 23 - n; y++) {
		line = strchr(line, '\n') + 1;
	}
	*strchr(line, '\n') = '\0';
	char *row = strdup(line);
	free(dump);
	assert_non_null(row);
	return row;
}

/* The row from above, on the same screen. */
static inline void assert_row(struct tui *t, const struct a_room *a, int y, const char *expected)
{
	char *row = row_from_below(t, a, 23 - y);
	assert_string_equal(row, expected);
	free(row);
}

/* The last row, without how to get out of an open line at its right end. */
static inline void assert_below(struct tui *t, const struct a_room *a, const char *expected)
{
	char *row = row_from_below(t, a, 0);
	char *out = strstr(row, "   Esc ");
	if (out != NULL) {
		while (out > row && out[-1] == ' ') {
			out--;
		}
		*out = '\0';
	}
	assert_string_equal(row, expected);
	free(row);
}

static inline void assert_message(struct tui *t, const struct a_room *a, const char *expected)
{
	char *row = row_from_below(t, a, 1);
	assert_string_equal(row, expected);
	free(row);
}

/* What was typed is refused, stays there to be mended, and is given up. */
static inline void assert_refused(struct tui *t, const struct a_room *a, const char *line, const char *why)
{
	char expected[1100];
	assert_nothing(enter(t, a, line));
	(void)snprintf(expected, sizeof(expected), " %s", line);
	assert_message(t, a, expected);
	(void)snprintf(expected, sizeof(expected), " %s", why);
	assert_below(t, a, expected);
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ESCAPE));
	assert_message(t, a, "");
}

static inline void init_member(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "Ada", IS_HOST, "5");
	a_room_seat(a, "me", IS_ME, NULL);
}

static inline void init_host(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "me", IS_ME | IS_HOST, "5");
	a_room_seat(a, "Grace", 0, NULL);
	a_room_seat(a, "Linus", 0, NULL);
}

/* A host with two others and four stories, the second of which is voted on. */
static inline void init_session(struct a_room *a, bool is_revealed)
{
	a_room_init(a, "Sprint 42");
	a->r.room.is_revealed = is_revealed;
	a_room_seat(a, "me", IS_ME | IS_HOST, "5");
	a_room_seat(a, "Grace", 0, is_revealed ? "5" : NULL);
	a_room_seat(a, "Linus", 0, is_revealed ? "8" : NULL);
	(void)a_room_story(a, "one", STORY_DONE, "3");
	(void)a_room_story(a, "two", STORY_VOTING, NULL);
	(void)a_room_story(a, "three", STORY_TODO, NULL);
	(void)a_room_story(a, "four", STORY_SKIPPED, NULL);
	if (is_revealed) {
		a_room_reveal(a);
	}
}

/* A member beside the host, with a vote and a story. */
static inline void init_guest(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "Ada", IS_HOST, "5");
	a_room_seat(a, "me", IS_ME, "3");
	a_room_seat(a, "Linus", 0, NULL);
	(void)a_room_story(a, "one", STORY_VOTING, NULL);
}

/* A test of a tui in a room: the statement `init` makes the room `a`, `open` the tui. */
#define TUI_TEST(name, init, open)                                                           \
	static void name(struct a_room *a, struct tui *t);                                   \
	static void name##_run(void **state)                                                 \
	{                                                                                    \
		struct a_room room;                                                          \
		struct a_room *a = &room;                                                    \
		(void)state;                                                                 \
		init;                                                                        \
		struct tui *t = open;                                                        \
		name(a, t);                                                                  \
		tui_destroy(t);                                                              \
	}                                                                                    \
	TEST_ROW_(name, #name, name##_run, NULL, NULL)                                       \
	static void name(__attribute__((unused)) struct a_room *a, struct tui *t)
#define MEMBER_TEST(name)   TUI_TEST(name, init_member(a), open_tui())
#define HOST_TEST(name)     TUI_TEST(name, init_host(a), open_tui())
#define GUEST_TEST(name)    TUI_TEST(name, init_guest(a), open_tui())
#define VOTING_TEST(name)   TUI_TEST(name, init_session(a, false), open_tui())
#define REVEALED_TEST(name) TUI_TEST(name, init_session(a, true), open_tui())

#endif
