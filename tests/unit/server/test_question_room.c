/*
 * test_question_room.c - a question of a room: seen, answered and watched by who has a seat there, while they have it.
 */
#include "tests/unit/server/panel.h"

/* So many that a look at the user's newest rooms would miss the first. */
#define ROOMS_MANY 300

static void sit(struct panel *d, struct rig_peer *p)
{
	strcpy(p->room_id, d->r.room_id);
	rig_follow(p, "");
	rig_must(p, "join", "'username':'%s'", p->name);
}

/* All three have seats in a room of ada's, and bob asks there. */
static void ask_in_room(struct panel *d)
{
	rig_found(&d->r, d->ada, "'title':'Q'");
	sit(d, d->ada);
	rig_must(d->ada, "claim_host", "'host_key':'%s'", d->r.host_key);
	sit(d, d->bob);
	sit(d, d->cy);
	rig_field(rig_must(d->bob, "question.ask", TEXT ",'room_id':'%s'", d->r.room_id),
		  "question_id", d->id, sizeof(d->id));
	rig_alias(&d->r, d->id, "QUESTION");
}

static const char *watch(struct panel *d, struct rig_peer *p)
{
	const char *code = rig_code(p, "question.watch", "'question_id':'%s'", d->id);
	rig_forget(p);
	return code;
}

/* The next that the peer is sent of a question; "" where there is nothing. */
static const char *next_update(struct rig_peer *p)
{
	const char *notice = rig_next(p);
	while (notice[0] != '\0' && !says(notice, "question.update")) {
		notice = rig_next(p);
	}
	return notice;
}

PANEL_TEST(test_the_seat_counts_however_many_the_user_has, d)
{
	ask_in_room(d);
	rig_must(d->cy, "unsubscribe", RIG_NONE);
	for (int i = 0; i < ROOMS_MANY; i++) {
		char room_id[CODE_CHARS_MAX + 1];
		rig_field(rig_must(d->cy, "room.create", RIG_NONE), "room_id", room_id,
			  sizeof(room_id));
		rig_must(d->cy, "room.subscribe", "'room_id':'%s'", room_id);
		rig_must(d->cy, "room.join", "'room_id':'%s','username':'cy'", room_id);
		rig_must(d->cy, "room.unsubscribe", "'room_id':'%s'", room_id);
	}
	assert_true(says(get(d, d->cy), "'can_answer':true"));
	assert_true(says(rig_must(d->cy, "question.list", RIG_NONE), "QUESTION"));
	assert_string_equal(answer(d, d->cy, "'answer':'x'"), "ok");
	rig_copies_free(d->cy);
}

PANEL_TEST(test_a_room_is_the_same_if_its_code_is_in_lower_case, d)
{
	char code[CODE_CHARS_MAX + 1] = "";
	ask_in_room(d);
	for (size_t i = 0; d->r.room_id[i] != '\0'; i++) {
		char c = d->r.room_id[i];
		code[i] = c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
	}
	assert_string_not_equal(code, d->r.room_id);
	rig_field(rig_must(d->bob, "question.ask", TEXT ",'room_id':'%s'", code), "question_id",
		  d->id, sizeof(d->id));
	rig_alias(&d->r, d->id, "SMALL");
	assert_true(says(rig_must(d->cy, "question.list", RIG_NONE), "SMALL"));
	assert_true(says(get(d, d->cy), "'can_answer':true"));
	assert_string_equal(watch(d, d->cy), "ok");
	assert_string_equal(answer(d, d->cy, "'answer':'x'"), "ok");
}

/* From an open room: the seat stays, and cy may come back to it at once. */
static void cy_is_kicked(struct panel *d)
{
	rig_must(d->ada, "kick", "'user_id':'%s'", d->cy->user_id);
}

static void cy_is_kicked_for_good(struct panel *d)
{
	rig_must(d->ada, "set_policy", "'policy':{'locked':true}");
	cy_is_kicked(d);
}

/* The seat stays, and waits for a host. */
static void cy_is_kicked_into_the_lobby(struct panel *d)
{
	rig_must(d->ada, "set_policy", "'policy':{'lobby':true}");
	cy_is_kicked(d);
}

static void cy_gives_up_the_seat(struct panel *d)
{
	rig_must(d->cy, "delete_user", RIG_NONE);
}

/* Nobody is at it: its time comes, and their other connection goes on. */
static void cys_seat_expires(struct panel *d)
{
	rig_must(d->cy, "unsubscribe", RIG_NONE);
	rig_advance(&d->r, 20 * MINUTE_MS);
}

static void the_room_is_deleted(struct panel *d)
{
	rig_must(d->ada, "delete", RIG_NONE);
}

TEST(test_a_watch_ends_with_the_seat)
{
	void (*const ends[])(struct panel *) = {
		cy_is_kicked,	      cy_is_kicked_for_good, cy_is_kicked_into_the_lobby,
		cy_gives_up_the_seat, cys_seat_expires,	     the_room_is_deleted};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		void *state;
		panel_open(&state);
		struct panel *d = state;
		ask_in_room(d);
		assert_string_equal(watch(d, d->bob), "ok");
		assert_string_equal(watch(d, d->cy), "ok");
		ends[i](d);
		const char *last = next_update(d->cy);
		assert_true(says(last, "'reset':true"));
		assert_true(says(last, "'question_id':'QUESTION'"));
		assert_false(says(last, "'question':"));
		rig_must(d->bob, "question.cancel", "'question_id':'%s'", d->id);
		assert_string_equal(next_update(d->cy), "");
		assert_true(says(next_update(d->bob), "CANCELLED"));
		assert_string_equal(watch(d, d->cy), "QUESTION_NOT_FOUND");
		assert_string_equal(answer(d, d->cy, "'answer':'x'"), "QUESTION_NOT_FOUND");
		scene_finish(&state);
	}
}

PANEL_TEST(test_the_callers_answer_is_listed_without_the_question_when_the_seat_is_lost, d)
{
	ask_in_room(d);
	assert_string_equal(answer(d, d->cy, "'answer':'mine'"), "ok");
	assert_true(says(rig_must(d->cy, "answer.mine", RIG_NONE), "'prompt':"));
	cy_is_kicked_for_good(d);
	const char *page = rig_must(d->cy, "answer.mine", RIG_NONE);
	assert_true(says(page, "'answer':'mine'"));
	assert_false(says(page, "'prompt':"));
	assert_false(says(page, "'status':"));
}

/* A page ends at the last question that was looked at, be it one that its reader may not see. */
PANEL_TEST(test_a_cursor_does_not_tell_the_id_of_a_question_of_a_room, d)
{
	char cursor[200];
	ask_in_room(d);
	cy_is_kicked_for_good(d);
	for (int i = 0; i < 40; i++) {
		rig_must(d->ada, "question.ask", TEXT ",'room_id':'%s'", d->r.room_id);
		rig_must(d->bob, "question.ask", TEXT ",'room_id':'%s'", d->r.room_id);
	}
	const char *page = rig_must(d->cy, "question.list", RIG_NONE);
	assert_true(says(page, "'questions':[],'cursor':'"));
	assert_null(strstr(page, "q_"));
	rig_field(page, "cursor", cursor, sizeof(cursor));
	assert_false(says(rig_must(d->cy, "question.list", "'cursor':'%s'", cursor), "cursor"));
	assert_string_equal(rig_code(d->bob, "question.list", "'cursor':'%s'", cursor),
			    "VALIDATION_ERROR cursor");
}

/* Its asker is no guest at it. */
PANEL_TEST(test_the_asker_watches_without_a_seat, d)
{
	ask_in_room(d);
	assert_string_equal(watch(d, d->bob), "ok");
	rig_must(d->bob, "delete_user", RIG_NONE);
	assert_string_equal(next_update(d->bob), "");
	assert_string_equal(answer(d, d->cy, "'answer':'x'"), "ok");
	assert_true(says(next_update(d->bob), "PARTIAL"));
	rig_copies_free(d->bob);
}

PANEL_TEST(test_who_comes_back_may_watch_again, d)
{
	ask_in_room(d);
	assert_string_equal(watch(d, d->cy), "ok");
	cy_is_kicked(d);
	rig_copies_free(d->cy);
	rig_must(d->cy, "subscribe", RIG_NONE);
	rig_must(d->cy, "join", "'username':'cy'");
	assert_string_equal(watch(d, d->cy), "ok");
	assert_string_equal(answer(d, d->cy, "'answer':'x'"), "ok");
	assert_true(says(next_update(d->cy), "PARTIAL"));
	cy_is_kicked(d);
	assert_true(says(next_update(d->cy), "'reset':true"));
	rig_copies_free(d->cy);
}

/* More waits for cy than may: the reset that is due comes when that has left, and nothing else. */
PANEL_TEST(test_a_slow_watcher_without_a_seat_is_sent_one_reset, d)
{
	char prompt[MAX_QUESTION_PROMPT_CHARS + 1] = "";
	memset(prompt, 'x', sizeof(prompt) - 1);
	ask_in_room(d);
	assert_string_equal(watch(d, d->cy), "ok");
	char long_id[32];
	rig_field(rig_must(d->ada, "question.ask", "'type':'text','prompt':'%s'", prompt),
		  "question_id", long_id, sizeof(long_id));
	rig_window(d->cy, 0);
	for (int i = 0; i < MAX_OUT_BYTES / MAX_QUESTION_PROMPT_CHARS; i++) {
		rig_send(d->cy, "question.get", "'question_id':'%s'", long_id);
	}
	cy_is_kicked_for_good(d);
	rig_must(d->bob, "question.cancel", "'question_id':'%s'", d->id);
	rig_window(d->cy, RIG_UNBOUNDED);
	rig_settle(&d->r);
	assert_true(says(next_update(d->cy), "'reset':true"));
	assert_string_equal(next_update(d->cy), "");
}

/* Whichever allocation fails: once the seat is gone, nothing of the question is sent. */
PANEL_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	ask_in_room(d);
	rig_forget(d->cy);
	heap_fail_nth(nth, false);
	rig_send(d->cy, "question.watch", "'question_id':'%s'", d->id);
	rig_send(d->ada, "delete", RIG_NONE);
	heap_fail_never();
	rig_settle(&d->r);
	if (d->ada->is_open && d->bob->is_open &&
	    rig_code(d->ada, "room.get", "'room_id':'%s'", d->r.room_id)[0] != 'o') {
		rig_must(d->bob, "question.cancel", "'question_id':'%s'", d->id);
		const char *last = next_update(d->cy);
		assert_true(last[0] == '\0' || says(last, "'reset':true"));
		assert_string_equal(next_update(d->cy), "");
	}
}
