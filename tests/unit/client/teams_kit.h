/*
 * teams_kit.h - a home with teams: keys in, requests and screens out, and what the server answers.
 */
#ifndef TESTS_UNIT_CLIENT_TEAMS_KIT_H
#define TESTS_UNIT_CLIENT_TEAMS_KIT_H

#include "tests/unit/client/act_kit.h"
#include "tests/unit/client/screen_files.h"

enum { HOUR_MS = 3600 * 1000 };

struct some_teams {
	struct recent_rooms recent;
	struct teams teams;
	struct home home;
	struct tui *tui;
	const struct replica *none;
};

static inline void teams_test_open(struct some_teams *s, bool ascii)
{
	*s = (struct some_teams){.home = {.name = "Ada", .server = "poker.example"}};
	teams_init(&s->teams);
	s->teams.is_open = true;
	s->home.recent = &s->recent;
	s->home.is_signed_in = true;
	s->tui = tui_create(
		&(struct tui_options){.home = &s->home, .teams = &s->teams, .ascii = ascii});
	tui_set_link(s->tui, LINK_LIVE);
	tui_set_now(s->tui, A_NOW);
}

static inline void teams_test_close(struct some_teams *s)
{
	tui_destroy(s->tui);
	teams_finish(&s->teams);
}

static inline struct act key(struct some_teams *s, int32_t k)
{
	return tui_take_key(s->tui, s->none, k);
}

static inline struct act type(struct some_teams *s, const char *keys)
{
	struct act act = {0};
	for (; *keys != '\0'; keys++) {
		act = key(s, *keys == '\n' ? TUI_KEY_ENTER : *keys == '\t' ? TUI_KEY_TAB : *keys);
	}
	return act;
}

static inline void assert_pages(struct some_teams *s, const char *name)
{
	assert_sizes(s->tui, s->none, name, SIZES({80, 24}, {40, 12}, {200, 60}));
}

static inline void assert_says(struct some_teams *s, const char *words)
{
	char *text = screen_text(s->tui, s->none, 120, 24);
	if (strstr(text, words) == NULL) {
		fail_msg("\"%s\" is not on the screen:\n%s", words, text);
	}
	free(text);
}

/* What the screen wants to read now. */
static inline struct act wants(struct some_teams *s)
{
	free(screen_text(s->tui, s->none, 120, 24)); /* it is asked for behind what is drawn */
	return tui_wants(s->tui, s->none);
}

/* Its answer to a page or a watch that the screen wants. */
static inline void answer_to(struct act act, const void *result)
{
	struct request *r = request_ref(act.request);
	feed_sent(act.feed, r);
	feed_take(act.feed, r, result);
	request_free(r);
}

static inline void refuse_page(struct act act, const char *why, int64_t retry_ms)
{
	struct request *r = request_ref(act.request);
	feed_sent(act.feed, r);
	feed_take_refusal(act.feed, r, why, retry_ms);
	request_free(r);
}

/* The watches that are wanted are answered, so that what is wanted is a list. */
static inline struct act wants_list_of(struct tui *t, const struct replica *room)
{
	struct act act = tui_wants(t, room);
	while (act.request != NULL && act.feed->kind->rows == NULL) {
		answer_to(act, &(struct watch_result){.epoch = 1, .version = 1});
		act = tui_wants(t, room);
	}
	return act;
}

static inline struct act wants_list(struct some_teams *s)
{
	free(screen_text(s->tui, s->none, 120, 24));
	return wants_list_of(s->tui, s->none);
}

/* The answer to what the screen wants now. */
static inline void answer(struct some_teams *s, const void *result)
{
	answer_to(wants_list(s), result);
}

/* What was asked for was done. */
static inline void done(struct some_teams *s, struct act act, const void *result)
{
	struct request *r = request_ref(act.request);
	teams_take_change(&s->teams, r, result);
	tui_take_team_change(s->tui, r->method);
	request_free(r);
}

/* Ada owns one and is in another. */
static inline void two_teams(struct some_teams *s, bool ascii)
{
	struct group_entry groups[] = {
		{.group_id = SLICE("g_AAAAAAAAAA"),
		 .group_name = SLICE("Platform"),
		 .role = GROUP_OWNER},
		{.group_id = SLICE("g_BBBBBBBBBB"),
		 .group_name = SLICE("The guild of all who have ever estimated 見積もり together"),
		 .role = GROUP_MEMBER},
	};
	teams_test_open(s, ascii);
	(void)type(s, "T");
	answer(s, &(struct group_list_result){.groups = groups, .groups_n = 2});
}

/* Its rooms, its backlogs, its members and its invitations, of which two are open; the first page is shown. */
static inline void a_team(struct some_teams *s, bool ascii)
{
	struct group_user users[] = {
		{.user_id = SLICE("u_1"),
		 .user_name = SLICE("Ada"),
		 .role = GROUP_OWNER,
		 .joined_on = A_NOW - 72 * (int64_t)HOUR_MS},
		{.user_id = SLICE("u_2"),
		 .user_name = SLICE("Grace"),
		 .joined_on = A_NOW - 5 * (int64_t)HOUR_MS,
		 .role = GROUP_MEMBER},
		{.user_id = SLICE("u_3"),
		 .user_name = SLICE("Barbara Liskov of the storage team"),
		 .joined_on = A_NOW,
		 .role = GROUP_MEMBER},
	};
	struct invitation_view invitations[] = {
		{.invitation_id = SLICE("v_1"),
		 .created_by = SLICE("u_1"),
		 .link_expiry_datetime = A_NOW + 24 * (int64_t)HOUR_MS},
		{.invitation_id = SLICE("v_2"),
		 .created_by = SLICE("u_2"),
		 .link_expiry_datetime = A_NOW + 40 * 1000,
		 .uses_left = 5},
	};
	struct group_room rooms[] = {
		{.room_id = SLICE("K7QX3M9WDP"),
		 .title = SLICE("Sprint 42"),
		 .round = 7,
		 .users = 5},
		{.room_id = SLICE("9WD3PXK7QX4T"), .round = 1},
	};
	struct container_entry containers[] = {
		{.container_id = SLICE("c_AAAAAAAAAA"), .container_name = SLICE("Sprint backlog"), .items = 30},
		{.container_id = SLICE("c_BBBBBBBBBB"), .container_name = SLICE("What is in the fridge"), .items = 1},
	};
	two_teams(s, ascii);
	(void)key(s, TUI_KEY_ENTER);
	answer(s, &(struct group_rooms_result){.rooms = rooms, .rooms_n = 2});
	(void)key(s, TUI_KEY_TAB);
	answer(s, &(struct container_list_result){.containers = containers, .containers_n = 2});
	(void)key(s, TUI_KEY_TAB);
	answer(s, &(struct group_users_result){.users = users, .users_n = 3, .version = 1});
	(void)key(s, TUI_KEY_TAB);
	answer(s, &(struct invitation_list_result){.invitations = invitations, .invitations_n = 2});
	(void)key(s, TUI_KEY_LEFT);
	(void)key(s, TUI_KEY_LEFT);
}

#endif
