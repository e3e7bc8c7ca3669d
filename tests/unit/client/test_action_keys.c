/*
 * test_action_keys.c - the keys of the table of actions: one key means one thing in all views.
 */
#include "client/tui/actions/action_table.h"
#include "tests/support/test.h"

#define MEANS(...)                        \
	(const enum action[])             \
	{                                 \
		__VA_ARGS__, ACTION_COUNT \
	}
static const struct {
	int32_t key;
	const enum action *deeds;  /* that are the key's meaning */
	const enum action *others; /* exceptions; the reason stands at each */
} keys[] = {
	/* deletes, or ends what it is about */
	{'d',
	 MEANS(ACTION_FORGET, ACTION_REMOVE, ACTION_BACKLOG_DELETE, ACTION_ITEM_REMOVE,
	       ACTION_TEAM_REMOVE, ACTION_TEAM_REVOKE, ACTION_ASK_CANCEL),
	 MEANS(ACTION_COUNT)},
	/*
	 * edits what is under the cursor; at the table, the title in its header; among questions, the last answer; among
	 * decks, one's own
	 */
	{'e',
	 MEANS(ACTION_CARDS, ACTION_TITLE, ACTION_EDIT, ACTION_ITEM_EDIT, ACTION_BACKLOG_RENAME,
	       ACTION_TEAM_RENAME, ACTION_AMEND),
	 MEANS(ACTION_COUNT)},
	/* adds to the list; to those of questions and members, a question */
	{'a',
	 MEANS(ACTION_ADD, ACTION_ITEM_ADD, ACTION_TEAM_NEW, ACTION_TEAM_ROOM_NEW,
	       ACTION_BACKLOG_NEW, ACTION_ASK, ACTION_ASK_MEMBER),
	 MEANS(ACTION_COUNT)},
	{'i', MEANS(ACTION_INBOX), MEANS(ACTION_COUNT)},
	/* invites: to the room, or to the team; then copies what is for those who are invited */
	{'I', MEANS(ACTION_INVITE, ACTION_TEAM_INVITE, ACTION_TEAM_COPY), MEANS(ACTION_COUNT)},
	{'/', MEANS(ACTION_FILTER), MEANS(ACTION_COUNT)},
	{'s', MEANS(ACTION_SPECTATE), MEANS(ACTION_COUNT)},
	{'v', MEANS(ACTION_ABOUT), MEANS(ACTION_COUNT)},
	/* puts a story to the vote: the one under the cursor, or the table's again */
	{'V', MEANS(ACTION_SELECT, ACTION_AGAIN), MEANS(ACTION_COUNT)},
	/* from the backlogs of the team into the stories: to them, then the item */
	{'b', MEANS(ACTION_SOURCES, ACTION_ITEM_STORY), MEANS(ACTION_COUNT)},
	/* to the next story: the host takes everybody along, or where stories are open together (action_in_room()) one goes alone */
	{'N', MEANS(ACTION_NEXT), MEANS(ACTION_COUNT)},
	/* one's own name */
	{'n', MEANS(ACTION_NAME), MEANS(ACTION_COUNT)},
	/* opens what is under the cursor: a page about it, or the room that it is */
	{TUI_KEY_ENTER,
	 MEANS(ACTION_ENTER, ACTION_TEAM_OPEN, ACTION_TEAM_ROOM, ACTION_BACKLOG_OPEN, ACTION_OPEN,
	       ACTION_READ, ACTION_ITEM_NOTE),
	 MEANS(
		 /* a line of a form has nothing to read: it opens what can be changed */
		 ACTION_SWITCH, ACTION_TEAM_SWITCH, ACTION_CHANGE, ACTION_ASK_EDIT,
		 /* an address is nothing to open: the server is shared there */
		 ACTION_SHARE_AT,
		 /* a question is open already: it sends the answer */
		 ACTION_SEND)},
	{TUI_KEY_ESCAPE, MEANS(ACTION_BACK),
	 /* the form is left by making the room with what stands there */
	 MEANS(ACTION_TEAM_FIRST)},
	/* to the page beside this one */
	{TUI_KEY_TAB, MEANS(ACTION_TEAM_PART, ACTION_ASKED), MEANS(ACTION_COUNT)},
	/* what was written is sent or saved */
	{19, MEANS(ACTION_ASK_SEND, ACTION_SAVE, ACTION_KEEP), MEANS(ACTION_COUNT)},
	/* settles: the table's story, or all that agree */
	{'=', MEANS(ACTION_SETTLE, ACTION_SETTLE_ALL), MEANS(ACTION_COUNT)},
	{'R', MEANS(ACTION_REVEAL, ACTION_REVEAL_STORY), MEANS(ACTION_COUNT)},
	{'>', MEANS(ACTION_PASS, ACTION_SKIP), MEANS(ACTION_COUNT)},
	/* one more: of an item, or at the table */
	{'+', MEANS(ACTION_ITEM_MORE, ACTION_ADMIT), MEANS(ACTION_COUNT)},
	/* one less: of an item, or one's vote */
	{'-', MEANS(ACTION_ITEM_LESS, ACTION_RETRACT), MEANS(ACTION_COUNT)},
	/* gives another the rights to lead: of the team, or of the room */
	{'G', MEANS(ACTION_TEAM_ROLE, ACTION_COHOST), MEANS(ACTION_COUNT)},
	{'P', MEANS(ACTION_TEAM_RULES, ACTION_POLICY), MEANS(ACTION_COUNT)},
	{'f', MEANS(ACTION_CONFIDENCE, ACTION_SURE, ACTION_SURE_STORY), MEANS(ACTION_COUNT)},
	{'x', MEANS(ACTION_REMARK, ACTION_COMMENT, ACTION_COMMENT_STORY), MEANS(ACTION_COUNT)},
	{'j', MEANS(ACTION_COME, ACTION_TEAM_JOIN), MEANS(ACTION_COUNT)},
	{'p', MEANS(ACTION_KNOCK, ACTION_PASSCODE, ACTION_TEAM_PASSCODE), MEANS(ACTION_COUNT)},
	/* makes what is there good for longer: read again, or with another end */
	{'r', MEANS(ACTION_ITEM_REREAD, ACTION_TEAM_RENEW), MEANS(ACTION_COUNT)},
	/* writes: notes, or an answer */
	{'w', MEANS(ACTION_NOTES, ACTION_WRITE),
	 /* a web page, where nothing can be written */
	 MEANS(ACTION_SHARE_WEB)},
	{'c', MEANS(ACTION_CREATE),
	 /* while cards are about to be revealed, at the table, where no room is created */
	 MEANS(ACTION_CANCEL)},
	/* capitals that leave the table alone: what a list does besides its small letters */
	{'A', MEANS(ACTION_ARM), MEANS(/* next to a, which adds at the end */ ACTION_INSERT)},
	{'D', MEANS(ACTION_DECK), MEANS(/* next to d, but the whole team */ ACTION_TEAM_DELETE)},
	{'K', MEANS(ACTION_KICK),
	 MEANS(/* with J: moves the story where k moves the cursor */ ACTION_UP)},
};

static bool is_one_of(const enum action *deeds, enum action a)
{
	while (*deeds != ACTION_COUNT && *deeds != a) {
		deeds++;
	}
	return *deeds == a && a != ACTION_COUNT;
}

TEST(test_a_key_means_one_thing_in_all_views)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			bool is_meant = is_one_of(keys[i].deeds, a) || is_one_of(keys[i].others, a);
			if (is_meant != (action_rows[a].key == keys[i].key)) {
				fail_msg("%s is for something else, and not for: %s",
					 action_rows[a].key_name, action_rows[a].help);
			}
		}
	}
}

TEST(test_every_key_that_does_several_things_has_a_meaning)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		size_t n = 0;
		for (enum action b = 0; b < ACTION_COUNT; b++) {
			n += action_rows[b].key == action_rows[a].key;
		}
		size_t i = 0;
		while (i < sizeof(keys) / sizeof(keys[0]) && keys[i].key != action_rows[a].key) {
			i++;
		}
		if (action_rows[a].key != 0 && n > 1 && i == sizeof(keys) / sizeof(keys[0])) {
			fail_msg("%s does several things, and nothing says what they share: %s",
				 action_rows[a].key_name, action_rows[a].help);
		}
	}
}

/* What one key brings back is not asked about. */
TEST(test_what_deletes_asks_first_or_can_be_undone)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		bool deletes = action_rows[a].key == 'd' && a != ACTION_REMOVE;
		if (deletes && action_rows[a].sure == NULL && action_rows[a].question == NULL) {
			fail_msg("it deletes without a question: %s", action_rows[a].help);
		}
	}
	assert_int_not_equal(action_of_key(VIEW_STORIES, action_rows[ACTION_RESTORE].key),
			     ACTION_COUNT);
}

TEST(test_s_stops_voting_at_the_table_only)
{
	for (enum view_kind v = 0; v < VIEW_COUNT; v++) {
		assert_int_equal(action_of_key(v, 's'),
				 v == VIEW_ROOM ? ACTION_SPECTATE : ACTION_COUNT);
	}
}

/* The keys of the list work wherever there is a row of theirs to work on, and in no view do something else. */
TEST(test_every_list_that_grows_is_added_to_with_a_and_opened_with_Enter)
{
	static const enum view_kind adds[] = {VIEW_STORIES,  VIEW_TEAMS,   VIEW_TEAM_ROOMS,
					      VIEW_BACKLOGS, VIEW_BACKLOG, VIEW_INBOX,
					      VIEW_ASKED};
	for (size_t i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
		assert_int_not_equal(action_of_key(adds[i], 'a'), ACTION_COUNT);
		assert_int_not_equal(action_of_key(adds[i], 'e') == ACTION_COUNT &&
					     adds[i] != VIEW_TEAMS,
				     true);
		assert_int_not_equal(action_of_key(adds[i], '/'), ACTION_COUNT);
		assert_int_not_equal(action_of_key(adds[i], TUI_KEY_ENTER), ACTION_COUNT);
	}
}

TEST(test_no_key_does_two_things_in_a_view)
{
	for (enum view_kind v = 0; v < VIEW_COUNT; v++) {
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			int32_t key = action_is_in(a, v) ? action_rows[a].key : 0;
			if (key != 0 && action_of_key(v, key) != a) {
				fail_msg("%s does two things: %s", action_rows[a].key_name,
					 action_rows[a].help);
			}
		}
	}
}

/* Where a text is being written, letters are its own; the steps to a new room are gone through or left. */
TEST(test_inbox_and_teams_are_reached_from_every_page)
{
	for (enum view_kind v = 0; v < VIEW_COUNT; v++) {
		bool is_else = (IN_VIEW(v) & (IN_TEXTS | IN_STEPS)) != 0;
		assert_int_equal(action_of_key(v, 'i'), is_else ? ACTION_COUNT : ACTION_INBOX);
		assert_int_equal(action_of_key(v, 'T'), is_else ? ACTION_COUNT : ACTION_TEAMS);
	}
}

/* To the team on its pages, else to the room; at home there is none. Of a new invitation it copies the join command. */
TEST(test_I_invites_on_every_page_of_a_room)
{
	const struct replica room = {.has_state = true};
	const struct replica nowhere = {.is_nowhere = true};
	for (enum view_kind v = 0; v < VIEW_COUNT; v++) {
		enum action a = action_of_key(v, 'I');
		bool is_text = (IN_VIEW(v) & IN_TEXTS) != 0;
		bool is_of_team = (IN_VIEW(v) & IN_TEAM) != 0;
		bool is_of_none = (IN_VIEW(v) & (IN_OWN_HOME | IN_TEAMS | IN_TEAM_POLICY)) != 0;
		assert_int_equal(a, is_text || is_of_none	     ? ACTION_COUNT
				    : is_of_team		     ? ACTION_TEAM_INVITE
				    : (IN_VIEW(v) & IN_INVITED) != 0 ? ACTION_TEAM_COPY
								     : ACTION_INVITE);
	}
	assert_int_equal(action_in_room(ACTION_INVITE, VIEW_BACKLOG, &room), ACTION_INVITE);
	assert_int_equal(action_in_room(ACTION_INVITE, VIEW_BACKLOG, &nowhere), ACTION_TEAM_INVITE);
	assert_int_equal(action_in_room(ACTION_INVITE, VIEW_INBOX, &nowhere), ACTION_INVITE);
}

/* Views of those exist in rooms, but rooms are entered from home. */
TEST(test_from_a_room_no_other_room_is_entered)
{
	const struct replica room = {.has_state = true};
	assert_false(action_is_allowed(ACTION_TEAM_ROOM_NEW, &room));
	assert_false(action_is_allowed(ACTION_CREATE, &room));
	assert_true(action_is_allowed(ACTION_TEAM_OPEN, &room));
}
