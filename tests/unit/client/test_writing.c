/*
 * test_writing.c - notes and descriptions as they are written: what goes out,
 * what others write meanwhile, and that nothing typed is lost.
 */
#include "tests/unit/client/tui_kit.h"

#include <stdio.h>

enum { CTRL_S = 19 };

/* A host with another, and two stories, the first of which is voted on. */
static struct tui *open_session(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "me", IS_ME | IS_HOST, NULL);
	a_room_seat(a, "Grace", 0, NULL);
	(void)a_room_story(a, "one", STORY_VOTING, NULL);
	(void)a_room_story(a, "two", STORY_TODO, NULL);
	a->stories[1].description = SLICE("part by card\n");
	return open_tui();
}

static struct act key(struct tui *t, const struct a_room *a, int32_t k)
{
	return tui_take_key(t, &a->r, k);
}

static void assert_saves(struct act act, const char *id, const char *text, int64_t revision)
{
	assert_request(act, METHOD_MAP_SET, "name", SHARED_NOTES, "key", id, "value", text, NULL);
	assert_int_equal(((const struct map_set_params *)act.request->params)->if_revision,
			 revision);
}

#define SESSION_TEST(name) TUI_TEST(name, (void)a, open_session(a))

SESSION_TEST(test_notes_go_out_with_the_revision_they_were_made_of)
{
	(void)type(t, a, "wneeds a queue");
	assert_saves(key(t, a, CTRL_S), a->story_ids[0], "needs a queue", 0);
	assert_nothing(key(t, a, CTRL_S)); /* it is on its way */
	a_room_note(a, a->story_ids[0], "needs a queue", 1);
	tui_take_saved(t, true);
	assert_message(t, a, " Saved");
	(void)type(t, a, "!");
	assert_saves(key(t, a, CTRL_S), a->story_ids[0], "needs a queue!", 1);
}

SESSION_TEST(test_they_are_those_of_the_story_in_focus_or_of_quick_votes)
{
	(void)type(t, a, "Sjwx");
	assert_saves(key(t, a, CTRL_S), a->story_ids[1], "x", 0);
	tui_take_saved(t, false);
	assert_nothing(key(t, a, TUI_KEY_ESCAPE));
	(void)type(t, a, "n"); /* thrown away, and back at the stories */
	assert_row(
		t, a, 0,
		" Stories                                               0 of 2 estimated · sum 0");
	(void)key(t, a, TUI_KEY_ESCAPE);
	a->r.room.story_id = (struct slice){0};
	(void)type(t, a, "wy");
	assert_saves(key(t, a, CTRL_S), "quick", "y", 0);
}

SESSION_TEST(test_what_others_save_is_shown_while_nothing_is_typed)
{
	(void)type(t, a, "w");
	a_room_note(a, a->story_ids[0], "theirs", 1);
	assert_row(t, a, 3, "  theirs");
	a_room_note(a, a->story_ids[0], "theirs, changed", 2);
	assert_row(t, a, 3, "  theirs, changed");
	assert_nothing(key(t, a, CTRL_S));
	assert_message(t, a, " No changes");
	assert_nothing(key(t, a, TUI_KEY_ESCAPE)); /* no question */
	assert_request(type(t, a, "5"), METHOD_ROOM_VOTE, "vote", "5", NULL);
}

SESSION_TEST(test_what_was_typed_meanwhile_is_brought_together_and_looked_at)
{
	a_room_note(a, a->story_ids[0], "one\ntwo", 1);
	(void)type(t, a, "w");
	(void)key(t, a, TUI_KEY_ENTER);
	(void)type(t, a, "mine");
	a_room_note(a, a->story_ids[0], "ONE\ntwo", 2);
	assert_row(t, a, 20, " Others saved too. ^S to merge");
	assert_nothing(key(t, a, CTRL_S));
	assert_message(t, a, " Others' text was merged. Check, then ^S");
	assert_row(t, a, 3, "  ONE");
	assert_row(t, a, 5, "  mine");
	assert_saves(key(t, a, CTRL_S), a->story_ids[0], "ONE\ntwo\nmine", 2);
}

SESSION_TEST(test_a_conflict_keeps_both_where_both_wrote)
{
	(void)type(t, a, "wmine");
	assert_saves(key(t, a, CTRL_S), a->story_ids[0], "mine", 0);
	a_room_note(a, a->story_ids[0], "theirs", 1); /* they were faster */
	tui_take_saved(t, false);
	assert_nothing(key(t, a, CTRL_S));
	assert_message(t, a, " Others wrote at the same place; both are kept. Check, then ^S");
	assert_saves(key(t, a, CTRL_S), a->story_ids[0], "theirs\nmine", 1);
}

SESSION_TEST(test_leaving_asks_and_saves_before_it_leaves)
{
	(void)type(t, a, "wx");
	(void)key(t, a, TUI_KEY_ESCAPE);
	assert_message(t, a, " Save your text? y / n");
	(void)key(t, a, TUI_KEY_ESCAPE); /* goes on */
	(void)type(t, a, "y");
	(void)key(t, a, TUI_KEY_ESCAPE);
	assert_saves(type(t, a, "y"), a->story_ids[0], "xy", 0);
	tui_take_saved(t, false); /* refused: it is all still there */
	assert_row(t, a, 3, "  xy");
	(void)key(t, a, TUI_KEY_ESCAPE);
	(void)type(t, a, "y");
	a_room_note(a, a->story_ids[0], "xy", 1);
	tui_take_saved(t, true);
	assert_request(type(t, a, "5"), METHOD_ROOM_VOTE, "vote", "5", NULL);
}

SESSION_TEST(test_the_program_does_not_end_with_something_unsaved_unasked)
{
	enum { CTRL_C = 3 };
	a->r.you.is_host = false;
	(void)type(t, a, "wx");
	assert_nothing(key(t, a, CTRL_C));
	assert_message(t, a, " You have unsaved text. Leave? y / n");
	assert_local(key(t, a, CTRL_C), LOCAL_LEAVE);
}

SESSION_TEST(test_a_description_is_the_storys_own)
{
	(void)type(t, a, "SjE");
	assert_row(t, a, 3, "  part by card");
	(void)type(t, a, "half");
	struct act act = key(t, a, CTRL_S);
	assert_request(act, METHOD_STORY_UPDATE, "description", "part by card\nhalf", "story_id",
		       a->story_ids[1], NULL);
	tui_take_saved(t, true);
	/* The room has not said so yet; what is there is what was sent. */
	assert_row(t, a, 4, "  half");
	(void)type(t, a, " more");
	a->stories[1].description = SLICE("part by card\nhalf");
	assert_row(t, a, 4, "  half more");
	assert_request(key(t, a, CTRL_S), METHOD_STORY_UPDATE, "description",
		       "part by card\nhalf more", NULL);
}

SESSION_TEST(test_a_paste_is_text_with_its_lines)
{
	(void)type(t, a, "w");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("one\r\nq\n\x1b[2J")));
	assert_saves(key(t, a, CTRL_S), a->story_ids[0], "one\nq\n [2J", 0);
}

SESSION_TEST(test_a_line_is_noted_in_passing)
{
	a_room_note(a, a->story_ids[0], "one", 4);
	(void)type(t, a, ":notes ask the bank");
	assert_saves(key(t, a, TUI_KEY_ENTER), a->story_ids[0], "one\nask the bank", 4);
}

SESSION_TEST(test_what_is_no_text_is_left_alone)
{
	a_room_note(a, a->story_ids[0], NULL, 4);
	(void)type(t, a, "w");
	assert_message(t, a, " Another program wrote content that this screen cannot show");
	(void)type(t, a, ":notes x");
	assert_nothing(key(t, a, TUI_KEY_ENTER));
}

SESSION_TEST(test_what_others_know_of_writing)
{
	const char *story = NULL;
	assert_int_equal(tui_doing(t, &a->r, &story), ACTIVITY_NOTHING);
	(void)key(t, a, TUI_KEY_RIGHT);
	assert_int_equal(tui_doing(t, &a->r, &story), ACTIVITY_CHOOSING);
	assert_null(story);
	(void)key(t, a, TUI_KEY_ENTER);
	assert_int_equal(tui_doing(t, &a->r, &story), ACTIVITY_NOTHING);
	(void)type(t, a, "Sj");
	assert_int_equal(tui_doing(t, &a->r, &story), ACTIVITY_LOOKING);
	assert_string_equal(story, a->story_ids[1]);
	(void)type(t, a, "w");
	assert_int_equal(tui_doing(t, &a->r, &story), ACTIVITY_LOOKING);
	(void)type(t, a, "x");
	assert_int_equal(tui_doing(t, &a->r, &story), ACTIVITY_TYPING);
	assert_string_equal(story, a->story_ids[1]);
}

/* ---- stories ---- */

SESSION_TEST(test_a_link_is_a_line)
{
	(void)type(t, a, "Sl");
	assert_message(t, a, " Link:");
	(void)type(t, a, "https://x.example/1");
	struct act act = key(t, a, TUI_KEY_ENTER);
	assert_request(act, METHOD_STORY_UPDATE, "link", "https://x.example/1", "story_id",
		       a->story_ids[0], NULL);
	(void)type(t, a, ":link 2 https://x.example/2");
	act = key(t, a, TUI_KEY_ENTER);
	assert_request(act, METHOD_STORY_UPDATE, "link", "https://x.example/2", "story_id",
		       a->story_ids[1], NULL);
}

/* "(key) title" of each. */
static void assert_pasted(struct act act, const char *lines)
{
	char got[400] = "";
	size_t n = 0;
	assert_local(act, LOCAL_ADD_STORIES);
	for (size_t i = 0; i < act.stories->stories_n; i++) {
		const struct import_story *s = &act.stories->stories[i];
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%s%s\n",
				      s->key.len == 0 ? "" : s->key.data,
				      s->key.len == 0 ? "" : ": ", s->title.data);
	}
	assert_string_equal(got, lines);
}

SESSION_TEST(test_an_issues_address_is_key_and_link_of_a_new_story)
{
	(void)type(t, a, "Sa");
	(void)type(t, a, "https://github.com/o/r/issues/12 Refund");
	assert_request(key(t, a, TUI_KEY_ENTER), METHOD_STORY_ADD, "title", "Refund", "key", "#12",
		       "link", "https://github.com/o/r/issues/12", NULL);
	assert_message(t, a, " New story:");
	(void)key(t, a, TUI_KEY_ESCAPE);
	assert_nothing(tui_take_paste(t, &a->r, SLICE("https://x.atlassian.net/browse/PAY-7\n")));
	assert_request(key(t, a, TUI_KEY_ENTER), METHOD_STORY_ADD, "title", "PAY-7", "key", "PAY-7",
		       "link", "https://x.atlassian.net/browse/PAY-7", NULL);
	(void)key(t, a, TUI_KEY_ESCAPE);
	(void)tui_take_paste(t, &a->r, SLICE("https://x.atlassian.net/browse/PAY-7\nPAY-8 Two\n"));
	assert_message(t, a, " Add 2 stories? PAY-7, PAY-8 Two; y / n");
}

SESSION_TEST(test_what_is_pasted_again_updates)
{
	struct story_view *known = a->r.stories.items[0];
	struct slice id = known->story_id;
	known->key = SLICE("pay-1");
	known->title = SLICE("One");
	(void)type(t, a, "S");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("PAY-7 One\nPAY-7 Two\n")));
	assert_message(
		t, a,
		" Add 1 story (without: line 2 has the same key as line 1)? PAY-7 One; y / n");
	(void)type(t, a, "n");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("PAY-1 Two\nPAY-8 New\n")));
	assert_message(t, a, " Add 1 story, update 1? PAY-8 New, Two; y / n");
	struct act act = type(t, a, "y");
	assert_pasted(act, "PAY-8: New\nTwo\n");
	assert_true(slice_eq(act.stories->stories[1].story_id, id));
	assert_nothing(tui_take_paste(t, &a->r, SLICE("[{\"key\":\"PAY-1\",\"title\":\"One\"}]")));
	assert_message(t, a, " That story is in the list");
}

SESSION_TEST(test_pasted_lines_become_stories_after_a_yes)
{
	(void)type(t, a, "S");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("PAY-1 a\r\n\n  PAY-2 b \nPAY-3")));
	assert_message(t, a, " Add 3 stories? PAY-1 a, PAY-2 b, PAY-3; y / n");
	assert_nothing(type(t, a, "n"));
	(void)tui_take_paste(t, &a->r, SLICE("PAY-1 a\nPAY-2"));
	assert_pasted(type(t, a, "y"), "PAY-1: a\nPAY-2\n");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("PAY-9\n")));
	assert_message(t, a, " New story: PAY-9");
	/* Who is adding has said so already. */
	assert_pasted(tui_take_paste(t, &a->r, SLICE("PAY-1\nPAY-2\n")), "PAY-1\nPAY-2\n");
	(void)key(t, a, TUI_KEY_ESCAPE);
	a->r.room.policy.who_edits_stories = WHO_MAY_HOST;
	a->r.you.is_host = false;
	assert_nothing(tui_take_paste(t, &a->r, SLICE("PAY-1\nPAY-2\n")));
	assert_message(t, a, " Only a host can do that here (me)");
}

SESSION_TEST(test_a_refused_paste_is_told_long_after_the_last_key)
{
	tui_set_now(t, 100000);
	(void)type(t, a, "S");
	a->r.room.policy.who_edits_stories = WHO_MAY_HOST;
	a->r.you.is_host = false;
	tui_set_now(t, 200000);
	assert_nothing(tui_take_paste(t, &a->r, SLICE("PAY-1\nPAY-2\n")));
	assert_message(t, a, " Only a host can do that here (me)");
}

SESSION_TEST(test_a_paste_is_read_as_an_import_is)
{
	(void)type(t, a, "S");
	assert_nothing(tui_take_paste(t, &a->r,
				      SLICE("Summary,Issue key,Custom field (Story Points)\r\"Sign "
					    "in,\rand out\",PAY-1,5.0\r"
					    "Refund a payment that was split over "
					    "two,PAY-2,\rThird,PAY-3,\r,PAY-4,\rFifth,,\r")));
	assert_message(t, a,
		       " Add 4 stories (without: line 6 has no title)? PAY-1 Sign in, and out,");
	struct act act = type(t, a, "y");
	assert_pasted(act,
		      "PAY-1: Sign in, and out\nPAY-2: Refund a payment that was split over two\n"
		      "PAY-3: Third\nFifth\n");
	assert_string_equal(act.stories->stories[0].estimate.data, "5");
	assert_int_equal(act.stories->stories[0].status, STORY_DONE);
	/* A single one that is no plain line is asked about as well. */
	assert_nothing(tui_take_paste(t, &a->r, SLICE("[{\"number\":7,\"title\":\"Log in\"}]")));
	assert_message(t, a, " Add 1 story? #7 Log in; y / n");
	(void)type(t, a, "n");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("# one\n# two\n# three\n")));
	assert_message(t, a, " No story in that: line 1 is a heading, and 2 more have errors");
}

SESSION_TEST(test_five_hundred_stories_scroll_with_the_focus_in_sight)
{
	enum { MANY = 500 };
	static struct story_view stories[MANY];
	static void *items[MANY];
	static char ids[MANY][16];
	for (int i = 0; i < MANY; i++) {
		snprintf(ids[i], sizeof(ids[i]), "s%d", i);
		stories[i] = (struct story_view){.story_id = slice_str(ids[i]),
						 .rank = slice_str(ids[i]),
						 .title = slice_str(ids[i])};
		items[i] = &stories[i];
	}
	a->r.stories.items = items;
	a->r.stories.n = MANY;
	a->r.room.story_id = (struct slice){0};
	(void)type(t, a, "S");
	assert_row(t, a, 2, " >   1  s0");
	(void)key(t, a, TUI_KEY_END);
	assert_row(t, a, 19, " > 500  s499");
	(void)key(t, a, TUI_KEY_PAGE_UP);
	(void)type(t, a, ":edit 250");
	(void)key(t, a, TUI_KEY_ENTER);
	(void)key(t, a, TUI_KEY_ESCAPE);
	assert_row(t, a, 11, " > 250  s249");
	(void)key(t, a, TUI_KEY_HOME);
	assert_row(t, a, 2, " >   1  s0");
}
