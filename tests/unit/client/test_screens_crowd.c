/*
 * test_screens_crowd.c - small and big rooms on small and big screens: who sits where,
 * and what the open cards say. Compared with tests/tui/screens/ as test_screens.c does.
 */
#include "tests/unit/client/screen_files.h"

#define EVERY_SIZE SIZES({80, 24}, {40, 12}, {120, 40}, {200, 60})

/* ---- six with a list of stories ---- */

static void add_stories(struct a_room *a)
{
	struct story_view *s;
	(void)a_room_story(a, "Log in", STORY_DONE, "3");
	s = a_room_story(a, "Pay by card", STORY_VOTING, NULL);
	s->link = SLICE("https://example.org/browse/A-2");
	s->description = SLICE("As a user I want to pay by card, so that I need no invoice.\n"
			       "\n"
			       "- Visa and Mastercard\n"
			       "- no card is stored");
	(void)a_room_story(a, "Refund a split payment", STORY_TODO, NULL);
	(void)a_room_story(a, "Receipts by mail", STORY_TODO, NULL);
}

static void seat_six(struct a_room *a, const char *const votes[6])
{
	static const char *const names[6] = {"Ada", "Grace", "Linus", "me", "Katherine", "Hedy"};
	for (size_t i = 0; i < 6; i++) {
		a_room_seat(a, names[i], i == 3 ? IS_ME | IS_HOST : 0, votes[i]);
	}
}

TEST(test_six_have_large_cards_where_there_is_room)
{
	struct a_room a;
	a_room_init(&a, "Sprint 42");
	add_stories(&a);
	seat_six(&a, (const char *const[6]){"5", NULL, "8", "5", NULL, "5"});
	assert_screen(&a, "six", .sizes = EVERY_SIZE);
	a_room_init(&a, "Sprint 42");
	add_stories(&a);
	a.r.room.is_revealed = true;
	seat_six(&a, (const char *const[6]){"5", "3", "20", "5", "?", "5"});
	a_room_reveal(&a);
	assert_screen(&a, "six-revealed", .sizes = EVERY_SIZE);
}

/* ---- forty ---- */

static const char *const names[] = {"Ada",	"Grace",    "Linus",   "Katherine", "Barbara",
				    "Edsger",	"Donald",   "Ken",     "Dennis",    "Radia",
				    "Margaret", "Alan",	    "Frances", "Niklaus",   "Hedy",
				    "Tim",	"Annie",    "Claude",  "Dorothy",   "Emmy",
				    "Fran",	"Gerald",   "Hal",     "Ida",	    "James",
				    "Joan",	"Kathleen", "Leslie",  "Mary",	    "Nancy",
				    "Ole",	"Peter",    "Quentin", "Richard",   "Sophie",
				    "Thelma",	"Ursula",   "Vint",    "Whitfield"};

/* We come last, as whoever comes late does. From `away` on all others are away. */
static void seat_forty(struct a_room *a, size_t away)
{
	static const char *const votes[] = {"5", "8", NULL, "5", "3", "5", NULL, "13"};
	for (size_t i = 0; i < 39; i++) {
		const char *vote = i < away || i % 16 == 0 ? votes[i % 8] : NULL;
		a_room_seat(a, names[i], i < away ? 0 : IS_AWAY, vote);
	}
	a_room_seat(a, "me", IS_ME | IS_HOST, "5");
}

static void assert_forty(const char *name, bool is_revealed, size_t away)
{
	struct a_room a;
	a_room_init(&a, "Everybody");
	a.r.room.is_revealed = is_revealed;
	seat_forty(&a, away);
	if (is_revealed) {
		a_room_reveal(&a);
	}
	assert_screen(&a, name, .sizes = EVERY_SIZE);
}

/* With one of as long a name as there can be. */
static void assert_wide(const char *name, size_t n, bool is_revealed)
{
	static const char *const votes[] = {"5", "8", "20", "5", "3"};
	struct a_room a;
	a_room_init(&a, "Sprint 42");
	a.r.room.is_revealed = is_revealed;
	a_room_seat(&a, "me", IS_ME | IS_HOST, "5");
	a_room_seat(&a, "Johannes Chrysostomus Wolfgangus", 0, "13");
	for (size_t i = 2; i < n; i++) {
		a_room_seat(&a, names[i], 0, votes[i % 5]);
	}
	if (is_revealed) {
		a.members[0].comment = SLICE("as the last one");
		a.members[1].comment = SLICE("who tests it?");
		a_room_reveal(&a);
	}
	assert_screen(&a, name, .sizes = SIZES({200, 60}));
}

TEST(test_on_a_large_screen_cards_are_large_and_names_whole)
{
	assert_wide("wide-three", 3, false);
	assert_wide("wide-three-revealed", 3, true);
	assert_wide("wide-nine", 9, false);
	assert_wide("wide-nine-revealed", 9, true);
	assert_wide("wide-twenty-revealed", 20, true);
}

TEST(test_forty_are_cards_or_a_list)
{
	assert_forty("forty", false, 39);
}

TEST(test_of_forty_the_distribution_comes_before_their_seats)
{
	assert_forty("forty-revealed", true, 39);
}

TEST(test_who_is_away_takes_a_line_together)
{
	assert_forty("many-away", false, 5);
	assert_forty("many-away-revealed", true, 5);
}

TEST(test_what_does_not_fit_is_scrolled_to)
{
	struct a_room a;
	a_room_init(&a, "Everybody");
	seat_forty(&a, 30);
	assert_screen(&a, "forty-scrolled", .keys = {TUI_KEY_DOWN, TUI_KEY_DOWN},
		      .sizes = SIZES({40, 12}));
	a_room_init(&a, "Everybody");
	a.r.room.is_revealed = true;
	seat_forty(&a, 39);
	a_room_reveal(&a);
	assert_screen(&a, "forty-revealed-scrolled", .keys = {TUI_KEY_END},
		      .sizes = SIZES({40, 12}));
}

TEST(test_where_who_voted_is_hidden_the_order_does_not_tell)
{
	struct a_room a;
	a_room_init(&a, "Everybody");
	a.r.room.policy.hide_who_voted = true;
	seat_forty(&a, 39);
	for (size_t i = 0; i < a.r.users.n; i++) {
		a.members[i].has_vote = false; /* of ourselves we know it by room.you */
	}
	a.r.votes_n = 29;
	assert_screen(&a, "forty-hidden", .sizes = EVERY_SIZE);
}

/* ---- order ---- */

/* All of them, in this order, row by row. */
static void assert_order(struct a_room *a, int width, int height, const char *const order[])
{
	struct tui *t = open_tui(false);
	char *text = screen_text(t, &a->r, width, height);
	const char *at = text;
	for (size_t i = 0; order[i] != NULL; i++) {
		const char *next = strstr(at, order[i]);
		if (next == NULL) {
			fail_msg("%s does not follow:\n%s", order[i], text);
		}
		at = next + strlen(order[i]);
	}
	free(text);
	tui_destroy(t);
}

TEST(test_we_come_first_then_who_is_waited_for)
{
	struct a_room a;
	a_room_init(&a, NULL);
	seat_six(&a, (const char *const[6]){"5", NULL, "8", "5", NULL, "5"});
	assert_order(&a, 80, 24,
		     (const char *const[]){"you", "Grace", "Katherine", "Ada", "Linus", "Hedy",
					   NULL});
	assert_order(&a, 20, 12,
		     (const char *const[]){"you", "Grace", "Katherine", "Ada", "Linus", "Hedy",
					   NULL});
	a.r.room.policy.hide_who_voted = true; /* as they sat down, whatever is known */
	assert_order(&a, 80, 24,
		     (const char *const[]){"you", "Ada", "Grace", "Linus", "Katherine", "Hedy",
					   NULL});
}

/* Where votes are kept the round waits for who is away: they keep their place, behind those who are here. */
TEST(test_who_is_away_and_waited_for_keeps_a_place)
{
	struct a_room a;
	a_room_init(&a, NULL);
	seat_six(&a, (const char *const[6]){NULL, NULL, "8", "5", NULL, "5"});
	a.members[0].is_connected = false;
	assert_order(&a, 80, 24,
		     (const char *const[]){"you", "Grace", "Katherine", "Linus", "Hedy", "voted",
					   "1 away", "Ada", NULL});
	a.r.room.policy.keep_votes = true;
	assert_order(&a, 80, 24,
		     (const char *const[]){"you", "Grace", "Katherine", "Linus", "Hedy", "Ada",
					   "voted", NULL});
}

TEST(test_bars_stand_in_the_order_of_the_deck)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_deck(&a, "? 1 2 3 ∞ 5 8");
	a.r.room.is_revealed = true;
	seat_six(&a, (const char *const[6]){"8", "8", "8", "?", "∞", "1"});
	a_room_reveal(&a);
	assert_order(&a, 80, 24,
		     (const char *const[]){"Revealed", "Talk", "\n   ?  █", "\n   1  █",
					   "\n   ∞  █", "\n   8  █", NULL});
}
