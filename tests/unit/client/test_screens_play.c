/*
 * test_screens_play.c - the screens of a session: stories, rounds, time, rules
 * and history, compared with tests/tui/screens/ as test_screens.c does.
 */
#include "tests/unit/client/screen_files.h"
#include "tests/unit/client/together.h"

#include "client/model/room/round_history.h"

static void add_stories(struct a_room *a)
{
	static const struct {
		const char *key;
		const char *title;
		enum story_status status;
		const char *estimate;
	} rows[] = {
		{"PAY-101", "Show the balance on the first page", STORY_DONE, "3"},
		{"PAY-107", "Store cards with the provider", STORY_DONE, "8"},
		{"PAY-118", "Refund a split payment", STORY_VOTING, NULL},
		{"PAY-121", "Retry what a bank has refused for now", STORY_TODO, NULL},
		{"PAY-122", "計画ポーカーの見積もり", STORY_TODO, NULL},
		{"PAY-125", "Receipts by mail", STORY_SKIPPED, NULL},
		{"PAY-130", "Close an account, keep its books for ten years as the law asks",
		 STORY_TODO, NULL},
		{"PAY-131", "Payouts on bank holidays", STORY_TODO, NULL},
		{"PAY-140", "Two-person rule for large refunds", STORY_TODO, NULL},
		{"PAY-141", "Export to the ledger", STORY_TODO, NULL},
		{"PAY-150", "Load test before the sale", STORY_TODO, NULL},
		{"PAY-151", "Alert when payouts stall", STORY_TODO, NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		a_room_story(a, rows[i].title, rows[i].status, rows[i].estimate)->key =
			slice_str(rows[i].key);
	}
	a->stories[2].link = SLICE("https://tracker.example/PAY-118");
	a->stories[2].description = SLICE("Part by card, part by voucher.\n"
					  "The voucher part goes back as a voucher.\n");
}

static const char *const near_one[5] = {"5", "8", "3", "5", "5"};
static const char *const far_apart[5] = {"2", "13", "5", "5", "8"};

static void open_room(struct a_room *a, bool is_revealed)
{
	a_room_init(a, "Sprint 42");
	a->r.room.is_revealed = is_revealed;
	add_stories(a);
}

#define VOTING_TEST(name, a)   TEST_OF(name, struct a_room, a, open_room(a, false), (void)a)
#define REVEALED_TEST(name, a) TEST_OF(name, struct a_room, a, open_room(a, true), (void)a)

VOTING_TEST(test_the_story_stands_below_the_header, a)
{
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "story");
}

VOTING_TEST(test_a_timer_runs_at_the_right, a)
{
	a->r.room.story_round = 2;
	a->r.room.timer.ends_at = A_NOW + 101400;
	a_room_five(a, IS_HOST, a_room_voting);
	assert_screen(a, "timer");
	a->r.room.timer.reveal_at_zero = true;
	a->r.room.timer.ends_at = A_NOW + 9000;
	assert_screen(a, "timer-reveals");
	a->r.room.timer.ends_at = 0;
	assert_screen(a, "timer-asked", .keys = {'t'});
	assert_screen(a, "timer-refused", .keys = {'t', 's', 'o', 'o', 'n', TUI_KEY_ENTER});
}

VOTING_TEST(test_a_break_counts_down_in_every_view, a)
{
	a->r.room.pause_ends_at = A_NOW + 582000;
	a_room_five(a, IS_HOST, a_room_voting);
	assert_screen(a, "break");
}

VOTING_TEST(test_a_countdown_says_who_can_stop_it, a)
{
	a->r.room.phase = PHASE_COUNTDOWN;
	a->r.room.countdown.ends_at = A_NOW + 2600;
	a_room_five(a, IS_HOST, near_one);
	assert_screen(a, "countdown");
	a->r.you.is_host = false;
	assert_screen(a, "countdown-member");
}

REVEALED_TEST(test_a_suggestion_says_how_to_take_it, a)
{
	a_room_five(a, IS_HOST, near_one);
	a_room_reveal(a);
	assert_screen(a, "suggested");
	a->r.room.outcome = slice_str("5");
	assert_screen(a, "settled");
}

REVEALED_TEST(test_who_left_stays_where_the_card_lies, a)
{
	a_room_five(a, IS_HOST, (const char *const[5]){"3", "8", "5", "3", "8"});
	a->members[4].comment = SLICE("the ledger has to be migrated first");
	a_room_seat(a, "Barbara", 0, "8");
	a_room_reveal(a);
	a_room_leave(a);
	a_room_leave(a);
	assert_screen(a, "left");
}

REVEALED_TEST(test_votes_that_say_more_are_listed, a)
{
	a->r.room.policy.vote_after_reveal = true;
	a->r.room.policy.confidence = true;
	a_room_five(a, IS_HOST, far_apart);
	a_room_seat(a, "ci", IS_BOT, "8");
	a->members[1].comment = SLICE("the ledger has to be migrated first");
	a->members[1].confidence = 3;
	a->members[2].is_changed = true;
	a->members[3].confidence = 1;
	a_room_reveal(a);
	assert_screen(a, "talk");
}

REVEALED_TEST(test_anonymous_results_show_no_names, a)
{
	a->r.room.policy.anonymous = true;
	a_room_five(a, 0, near_one);
	a_room_reveal(a);
	for (size_t i = 0; i < a->r.users.n; i++) {
		a->members[i].vote = (struct slice){0};
	}
	assert_screen(a, "anonymous");
}

VOTING_TEST(test_where_who_voted_is_hidden_only_the_number_is_shown, a)
{
	static const char *const only_mine[5] = {NULL, NULL, NULL, "5", NULL};
	a->r.room.policy.hide_who_voted = true;
	a->r.votes_n = 3;
	a_room_five(a, IS_HOST, only_mine);
	a->members[3].has_vote = false; /* of ourselves we know it by room.you */
	assert_screen(a, "hidden-voters", .sizes = {{{80, 24}}});
}

VOTING_TEST(test_the_lobby_is_shown_apart, a)
{
	a->r.room.policy.lobby = true;
	a_room_five(a, IS_HOST, a_room_voting);
	a_room_seat(a, "Zoe", IS_WAITING, NULL);
	a_room_seat(a, "Hal", IS_WAITING | IS_SPECTATOR, NULL);
	assert_screen(a, "lobby");
	assert_screen(a, "lobby-admit", .keys = {'+'});
}

TEST(test_who_waits_in_the_lobby_reads_so)
{
	struct a_room a = {.r = {.room_id = "K7QX3M", .you = {.is_waiting = true}}};
	a.r.you.user_id = slice_str("me");
	a.r.you.username = slice_str("Zoe");
	assert_screen(&a, "waiting");
	a.r.room_id[0] = '\0'; /* nobody has told us of it yet */
	struct tui *t = open_tui(false);
	char *text = screen_text(t, &a.r, 40, 12);
	assert_ptr_equal(strstr(text, " aye · lobby  "), text);
	free(text);
	tui_destroy(t);
}

static void be_lost(struct tui *t)
{
	tui_set_link(t, LINK_LOST);
	tui_set_message(t, "Connection lost: the server is silent. Retrying");
}

VOTING_TEST(test_stories_are_a_list_with_what_became_of_them, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	assert_screen(a, "stories", .keys = {'S'});
	assert_screen(a, "stories-lost", .prepare = be_lost, .keys = {'S'});
	a_room_remove(a, 2);
	assert_screen(a, "stories-removed", .keys = {'S', TUI_KEY_END});
	assert_screen(a, "stories-add", .keys = {'S', 'a', 'X', '-', '1'});
	a->r.stories.n = 0;
	a->r.removed.n = 0;
	a->r.room.story_id = (struct slice){0};
	assert_screen(a, "stories-none", .keys = {'S'});
}

/* While it is typed, and when it is kept. */
VOTING_TEST(test_a_filter_narrows_a_list, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	assert_screen(a, "stories-filter", .keys = {'S', '/', 'R', 'E'});
	assert_screen(a, "stories-filtered", .keys = {'S', '/', 'R', 'E', TUI_KEY_ENTER, 'j'});
}

VOTING_TEST(test_who_chooses_is_told_from_who_thinks, a)
{
	static const char *const two_missing[5] = {"5", "8", NULL, "5", NULL};
	a_room_five(a, IS_HOST, two_missing);
	a_room_does(a, 0, ACTIVITY_CHOOSING, NULL); /* has voted: nothing new */
	a_room_does(a, 2, ACTIVITY_CHOOSING, NULL);
	assert_screen(a, "choosing");
	assert_screen(a, "choosing-ascii", .ascii = true);
}

VOTING_TEST(test_stories_show_who_looks_at_them, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	a_room_does(a, 0, ACTIVITY_LOOKING, a->story_ids[3]);
	a_room_does(a, 1, ACTIVITY_LOOKING, a->story_ids[6]);
	a_room_does(a, 2, ACTIVITY_TYPING, a->story_ids[6]);
	a_room_does(a, 3, ACTIVITY_LOOKING, a->story_ids[1]); /* ourselves */
	assert_screen(a, "stories-looked-at", .keys = {'S'});
	assert_screen(a, "looked-at", .sizes = {{{120, 40}, {200, 60}}});
}

VOTING_TEST(test_a_story_shows_what_it_is_and_what_was_noted, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	a_room_note(a, a->story_ids[2],
		    "Ada: the bank's test system is down until Thursday\n"
		    "Grace knows whom to call",
		    2);
	assert_screen(a, "stories-noted", .keys = {'S'});
	a->r.room.story_round = 2;
	assert_screen(a, "story-noted");
}

VOTING_TEST(test_notes_are_written_on_a_page_of_their_own, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	assert_screen(a, "notes-none", .keys = {'w'});
	a_room_note(a, a->story_ids[2],
		    "Ada: the bank's test system is down until Thursday, so we cannot see what "
		    "it says to half a refund.\n\n計画ポーカー\n",
		    2);
	a_room_does(a, 1, ACTIVITY_TYPING, a->story_ids[2]);
	assert_screen(a, "notes", .keys = {'w', 'Y', 'e', 's', TUI_KEY_ENTER, '?'});
	assert_screen(a, "notes-leaving", .ascii = true, .keys = {'w', 'x', TUI_KEY_ESCAPE});
	assert_screen(a, "describing", .keys = {'S', 'E'});
}

VOTING_TEST(test_rules_are_switches, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	assert_screen(a, "rules", .keys = {'P', TUI_KEY_DOWN, TUI_KEY_DOWN, TUI_KEY_DOWN});
	a->r.you.is_host = false;
	assert_screen(a, "rules-member", .keys = {'P', TUI_KEY_END, TUI_KEY_ENTER});
}

VOTING_TEST(test_a_passcode_is_typed_unseen, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	assert_screen(a, "passcode", .keys = {'P', 'p', 's', 'e', 's', 'a', 'm', 'e'});
}

/* ---- history ---- */

static struct round_vote past_votes[3];
static struct round_view past[3];
static struct round_view *past_items[] = {&past[0], &past[1], &past[2]};
static struct round_history history = {.items = past_items, .n = 3};

/* Three rounds that end with the votes of a room that was revealed. */
static void write_history(const struct a_room *a)
{
	static const char *const names[] = {"Ada", "Grace", "me"};
	static const char *const cards[] = {"2", "13", "5"};
	for (size_t i = 0; i < 3; i++) {
		past_votes[i] = (struct round_vote){
			.vote = slice_str(cards[i]),
			.user_id = a->members[i].user_id,
			.username = slice_str(names[i]),
			.comment = slice_str(i == 1 ? "nobody knows that bank" : NULL),
			.is_changed = i == 0,
		};
		int64_t started_at = A_NOW - 600000 - (int64_t)i * 200000;
		past[i] = (struct round_view){
			.n = (int64_t)(7 - i),
			.story = slice_str(i == 2 ? NULL : a->stories[2 - i].title.data),
			.key = slice_str(i == 2 ? NULL : a->stories[2 - i].key.data),
			.started_at = started_at,
			.revealed_at = started_at + (i == 0 ? 42000 : 190000),
			.votes = past_votes,
			.votes_n = 3,
			.outcome = slice_str(i == 1 ? "8" : NULL),
			.result = a->r.room.result,
		};
	}
}

static void have_history(struct tui *t)
{
	tui_set_rounds(t, &history);
}

REVEALED_TEST(test_history_shows_each_round_s_panel, a)
{
	a_room_seat(a, "Ada", IS_HOST, "2");
	a_room_seat(a, "Grace", 0, "13");
	a_room_seat(a, "me", IS_ME, "5");
	a_room_reveal(a);
	write_history(a);
	assert_screen(a, "history", .prepare = have_history, .keys = {'h'});
	assert_screen(a, "history-settled", .prepare = have_history, .keys = {'h', TUI_KEY_DOWN});
	assert_screen(a, "history-fetching", .keys = {'h'});
}

/* All stories but one are done: the first three were voted on, the first of them far apart. */
static void finish_stories(struct a_room *a)
{
	for (size_t i = 0; i < a->r.stories.n; i++) {
		struct story_view *s = &a->stories[i];
		s->status = s->status == STORY_SKIPPED ? STORY_SKIPPED : STORY_DONE;
		if (s->status == STORY_DONE && s->estimate.len == 0) {
			s->estimate = SLICE("5");
		}
	}
	write_history(a);
	for (size_t i = 0; i < 3; i++) {
		past[i].story_id = a->stories[2 - i].story_id;
		past[i].result.with_spread_steps = true;
		past[i].result.spread_steps = (int64_t)(4 - 2 * i);
		past[i].result.lowest = SLICE("2");
		past[i].result.highest = slice_str(i == 0 ? "13" : "5");
	}
}

static const struct sizes page_sizes = {{{80, 24}, {40, 12}, {200, 60}}};

REVEALED_TEST(test_the_summary_has_sums_and_what_to_talk_about, a)
{
	a_room_five(a, IS_HOST, far_apart);
	a_room_reveal(a);
	finish_stories(a);
	assert_screen(a, "summary", .prepare = have_history, .keys = {'Z'}, .sizes = page_sizes);
	assert_screen(a, "summary-end", .prepare = have_history, .keys = {'Z', TUI_KEY_END},
		      .sizes = page_sizes);
	past[0].result.spread_steps = past[1].result.spread_steps = 1;
	a->stories[5].estimate = SLICE("3");
	assert_screen(a, "summary-agreed", .prepare = have_history, .keys = {'Z'},
		      .sizes = page_sizes);
}

static void assert_past(const struct a_room *a, const char *keys, const char *shown,
			const char *not_shown)
{
	struct tui *t = open_tui(false);
	tui_set_rounds(t, &history);
	for (; *keys != '\0'; keys++) {
		(void)tui_take_key(t, &a->r, *keys);
	}
	char *text = screen_text(t, &a->r, 80, 24);
	if (strstr(text, shown) == NULL || strstr(text, not_shown) != NULL) {
		fail_msg("%s and not %s:\n%s", shown, not_shown, text);
	}
	free(text);
	tui_destroy(t);
}

/* Whatever has become of those who voted. */
REVEALED_TEST(test_a_past_round_is_shown_as_it_was, a)
{
	a_room_seat(a, "Ada", IS_HOST, "2");
	a_room_seat(a, "Grace", 0, "13");
	a_room_seat(a, "me", IS_ME, "5");
	a_room_reveal(a);
	write_history(a);
	a->members[1].username = SLICE("Hedy");
	assert_past(a, "h", "1   Grace ", "Hedy");
	assert_past(a, "h", "13  Grace             nobody", "bot");
	past_votes[1].is_bot = true;
	past_votes[1].comment = (struct slice){0};
	assert_past(a, "h", "13  Grace             bot\n", "Hedy");
	assert_past(a, "h", "1   Grace ", "Hedy"); /* it counted, whatever the rule is now */
	a->r.room.policy.bots_count = true;
	past[0].result.votes = 2;
	assert_past(a, "h", "13  Grace             bot\n", "1   Grace ");
	past[0].result.votes = 3;
	past_votes[1].is_bot = false;
	a->r.users.n = 1; /* all others have gone since */
	assert_past(a, "h", "1   Grace ", "(left)");
}

static void assert_beside(const struct a_room *a, const char *name)
{
	assert_screen(a, name, .prepare = have_history,
		      .sizes = {{{200, 60}, {120, 40}, {120, 24}}});
}

VOTING_TEST(test_wide_screens_show_stories_and_history_beside_the_table, a)
{
	a_room_five(a, IS_HOST, a_room_voting);
	write_history(a);
	assert_beside(a, "beside");
	open_room(a, true);
	a_room_five(a, IS_HOST, far_apart);
	a_room_reveal(a);
	assert_beside(a, "beside-revealed");
	a->r.stories.n = 0;
	a->r.room.story_id = (struct slice){0};
	assert_beside(a, "beside-quick");
}

static void be_reacted_to(struct tui *t)
{
	static struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "Ada", 0, NULL);
	tui_take_reaction(t, &a.r, a.members[0].user_id.data, "\xf0\x9f\x8e\x89");
	tui_take_reaction(t, &a.r, "nobody", "+1");
}

VOTING_TEST(test_reactions_are_shown_for_a_moment, a)
{
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "reacting", .keys = {','}, .sizes = SIZES({80, 24}, {40, 12}));
	assert_screen(a, "reaction", .prepare = be_reacted_to);
}

/* On the smallest screens the code comes before the link, and who is here. */
VOTING_TEST(test_a_narrow_screen_has_the_code_whole, a)
{
	static const struct {
		int width;
		const char *head;
	} rows[] = {{6, "K7QX3M\n"}, {12, "K7QX3M\n"}, {20, "K7QX3M       \u25cf live\n"}};
	a_room_five(a, 0, a_room_voting);
	struct tui *t = tui_create(&(struct tui_options){0});
	tui_set_link(t, LINK_LIVE);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = screen_text(t, &a->r, rows[i].width, 5);
		assert_memory_equal(text, rows[i].head, strlen(rows[i].head));
		free(text);
	}
	tui_destroy(t);
}

static void be_nudged(struct tui *t)
{
	tui_take_nudge(t, "Ada");
}

VOTING_TEST(test_a_nudge_says_who_waits, a)
{
	static const char *const not_me[5] = {"5", "8", "3", NULL, "5"};
	a->r.room.round = 0; /* as a new tui takes it for the round that was seen */
	a_room_five(a, 0, not_me);
	assert_screen(a, "nudged", .prepare = be_nudged);
}

REVEALED_TEST(test_no_view_is_too_small_or_too_large, a)
{
	static const int32_t keys[] = {'S', 'P', 'h', '?', 't', '=', 'w', 'Z'};
	a->r.room.timer.ends_at = A_NOW + 5000;
	a_room_five(a, IS_HOST, far_apart);
	a->members[1].comment = SLICE("a note");
	a_room_note(a, a->story_ids[2], "計画ポーカー incomprehensibilities\n\n", 1);
	a_room_does(a, 1, ACTIVITY_TYPING, a->story_ids[2]);
	a_room_reveal(a);
	write_history(a);
	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		struct tui *t = open_tui(false);
		struct grid g = {0};
		tui_set_now(t, A_NOW);
		tui_set_rounds(t, &history);
		(void)tui_take_key(t, &a->r, keys[k]);
		for (int w = 0; w < 240; w += w < 12 ? 1 : 19) {
			for (int h = 0; h < 40; h += h < 12 ? 1 : 7) {
				grid_resize(&g, w, h);
				tui_follow(t, &a->r);
				tui_draw(t, &a->r, &g);
			}
		}
		assert_int_equal(g.height, 33);
		grid_finish(&g);
		tui_destroy(t);
	}
}

static void assert_ascii_behind(const struct a_room *a, const char *keys)
{
	struct tui *t = open_tui(true);
	tui_set_now(t, A_NOW);
	tui_set_rounds(t, &history);
	tui_set_waits(t, a->r.pending_vote != NULL ? 5000 : -1);
	for (; *keys != '\0'; keys++) {
		(void)tui_take_key(t, &a->r, *keys);
	}
	assert_ascii(t, &a->r);
	tui_destroy(t);
}

/* Cards of our decks that are no ASCII, wherever one is shown. */
TEST(test_in_ascii_no_card_needs_more)
{
	static const struct {
		const char *deck;
		const char *votes[5]; /* none: they are hidden */
		const char *outcome, *pending;
		bool is_anonymous, is_withdrawn;
	} rooms[] = {
		{.deck = "½ 1 2 3 ∞", .votes = {"½", "½", "1", "½", "½"}},
		{.deck = "½ 1 2 3 ∞", .votes = {"½", "3", "3", "∞", "3"}},
		{.deck = "½ 1 2 3 ∞", .votes = {"½", "3", "3", "∞", "3"}, .is_anonymous = true},
		{.deck = "½ 1 2 3 ∞", .votes = {"½", "½", "3", "∞", "3"}, .outcome = "½"},
		{.deck = "½ 1 2 3 ∞", .votes = {"∞", "∞", "∞", "∞", "∞"}},
		{.deck = "0 .1 .2 .3 ½", .votes = {"½", "0", "0", "0", "0"}},
		{.deck = "½ 1 2 3 ∞", .is_withdrawn = true},
		{.deck = "½ 1 2 3 ∞", .pending = "∞"},
	};
	static const char *const keys[] = {"", "=", "D", "S", "h", "s", ":settle ", ":vote "};
	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		struct a_room a;
		a_room_init(&a, "Sprint 42");
		a_room_deck(&a, rooms[i].deck);
		a_room_five(&a, IS_HOST, a_room_voting);
		(void)a_room_story(&a, "one", STORY_DONE, "∞");
		a.r.you.vote = SLICE("½");
		a.r.you.is_withdrawn = rooms[i].is_withdrawn;
		a.r.pending_vote = rooms[i].pending;
		a.r.room.policy.anonymous = rooms[i].is_anonymous;
		a.r.room.outcome = slice_str(rooms[i].outcome);
		if (rooms[i].votes[0] != NULL) {
			for (size_t m = 0; m < 5; m++) {
				a.members[m].vote = slice_str(rooms[i].votes[m]);
			}
			a_room_reveal(&a);
		}
		for (size_t m = 0; m < 5 && rooms[i].is_anonymous; m++) {
			a.members[m].vote = (struct slice){0};
		}
		write_history(&a);
		past_votes[1].vote = SLICE("∞");
		past[1].outcome = SLICE("½");
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			assert_ascii_behind(&a, keys[k]);
		}
	}
}

/* ---- stories that are open together ---- */

TOGETHER_TEST(test_the_list_shows_votes_and_the_story_in_focus, s)
{
	struct a_room *a = &s->a;
	assert_screen(a, "together-table");
	assert_screen(a, "together", .keys = {'S'});
	assert_screen(a, "together-revealed", .keys = {'S', TUI_KEY_UP});
	a->stories[0].ends_at = A_NOW + 26 * INT64_C(3600000);
	assert_screen(a, "together-deadline", .keys = {'S'});
}

TOGETHER_TEST(test_the_table_tells_how_far_all_are_with_open_stories, s)
{
	static char names[36][MAX_NAME_BYTES];
	struct a_room *a = &s->a;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(names[i], sizeof(names[i]), "Member %zu%s", i,
			       i == 7 ? " of the other department" : "");
		struct user_view *m = a_room_seat(a, names[i], i % 5 == 0 ? IS_AWAY : 0, NULL);
		m->stories_voted = (int64_t)i % 4;
	}
	a_room_seat(a, "Barbara", IS_SPECTATOR, NULL);
	a_room_seat(a, "Kay", IS_WAITING, NULL);
	assert_screen(a, "together-crowd");
	a->r.users.n = 3;
	a->r.room.policy.hide_who_voted = true;
	assert_screen(a, "together-hidden");
}

/* On a narrow screen the key that leads to the stories is worth more than the word, where it works. */
TOGETHER_TEST(test_what_waits_for_votes_is_said_on_other_pages, s)
{
	struct tui *t = tui_create(&(struct tui_options){.ascii = false});
	tui_set_link(t, LINK_LIVE);
	char *table = screen_text(t, &s->a.r, 40, 12);
	assert_non_null(strstr(table, " You voted on 2 of 3 · S to vote\n"));
	(void)tui_take_key(t, &s->a.r, 'o');
	char *settings = screen_text(t, &s->a.r, 40, 12);
	assert_non_null(strstr(settings, " You voted on 2 of 3 stories\n"));
	free(table);
	free(settings);
	tui_destroy(t);
}

TOGETHER_TEST(test_alone_with_open_stories_one_reads_how_others_join, s)
{
	s->a.r.users.n = 1;
	assert_screen(&s->a, "together-alone");
}
