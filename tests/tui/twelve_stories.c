/*
 * twelve_stories.c - six people estimate twelve stories by keyboard alone: the
 * screens of the host and of a member, in every view, as text.
 *
 * What stands on the screens is in tests/tui/session/, a directory for each
 * size; a theme changes no character of it, so all themes are compared with the
 * same files. `make screens` writes them anew; then look at each of them, for
 * this program says only whether they are the same.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/team.h"
#include "tests/support/test.h"

#define SESSION_DIR "tests/tui/session/"

enum { STORIES_N = 12 };

/* ---- from the first screen to the last ---- */

static void a_room_is_made(struct team *s)
{
	team_sits_down(s, ADA, "home", NULL);
	team_sees(s, ADA, "live");
	team_shot(s, ADA, "home-empty");
	team_types(s, ADA, "cSprint 42");
	team_shot(s, ADA, "home-title");
	team_types(s, ADA, "\r");
	team_shot(s, ADA, "home-decks");
	team_types(s, ADA, "\r");
	team_sees(s, ADA, "aye join ");
	const char *join = NULL;
	for (int row = 0; join == NULL; row++) {
		assert_in_range(row, 0, s->look.height - 1);
		join = strstr(terminal_row(&s->terminals[ADA], row), "aye join ");
	}
	(void)snprintf(s->code, sizeof(s->code), "%.*s", (int)TEAM_CODE_CELLS,
		       join + strlen("aye join "));
	team_shot(s, ADA, "alone");
}

static const char *const titles[STORIES_N] = {
	"PAY-101 Show the balance on the first page",
	"PAY-107 Store cards with the provider",
	"PAY-118 Refund a split payment",
	"PAY-121 Retry what a bank refused",
	"PAY-125 Receipts by mail",
	"PAY-130 Close an account, keep its books for ten years",
	"PAY-131 Payouts on bank holidays",
	"PAY-140 Two people for large refunds",
	"PAY-141 Export to the ledger",
	"PAY-150 Load test before the sale",
	"PAY-151 Alert when payouts stall",
	"PAY-160 見積もりを印刷する",
};

static void stories_are_written(struct team *s)
{
	team_types(s, ADA, "S");
	team_shot(s, ADA, "stories-none");
	team_types(s, ADA, "a");
	for (int i = 0; i < STORIES_N; i++) {
		team_types(s, ADA, titles[i]);
		if (i == 2) {
			team_shot(s, ADA, "stories-adding");
		}
		team_types(s, ADA, "\r");
	}
	team_sees(s, ADA, "of 12");
	team_goes_back(s, ADA, "add");
	team_types(s, ADA, "jjl");
	team_types(s, ADA, "https://tracker.example/PAY-118");
	team_shot(s, ADA, "stories-link");
	team_types(s, ADA, "\r");
	team_shot(s, ADA, "stories");
	team_goes_back(s, ADA, "aye join ");
}

static void six_sit_down(struct team *s)
{
	team_sits_down(s, GRACE, "join", s->code);
	team_sees(s, GRACE, "2 here");
	team_peers_come_in(s);
	team_both_see(s, "6 here");
	team_shot(s, ADA, "six-here");
}

/* Enough of a card's name at a digit of its own, or of the key that stands under it. */
static void all_vote(struct team *s, const char *ada, const char *grace,
		     const char *const cards[TEAM_PEERS_N])
{
	/* A frame comes in parts: that of the round before may still stand in the same row. */
	team_sees_no_more(s, ADA, "average");
	team_sees_no_more(s, GRACE, "average");
	team_types(s, ADA, ada);
	team_types(s, GRACE, grace);
	for (int i = 0; i < TEAM_PEERS_N; i++) {
		team_peer_votes(s, i, cards[i]);
	}
	team_both_see(s, "average");
}

static void the_first_is_voted_on(struct team *s)
{
	team_types(s, ADA, "N");
	team_both_see(s, "1/12");
	team_shot(s, GRACE, "member-begin");
	team_types(s, ADA, "5");
	team_types(s, GRACE, "8");
	team_both_see(s, "2 of 6");
	team_shot(s, ADA, "voting-two");
	team_types(s, ADA, "t");
	team_shot(s, ADA, "timer-asked");
	team_types(s, ADA, "\b\b9m\r");
	team_shot(s, ADA, "timer");
	team_peer_votes(s, 0, "5");
	team_peer_votes(s, 1, "5");
	team_peer_votes(s, 2, "13");
	team_both_see(s, "5 of 6");
	team_shot(s, ADA, "voting");
	team_types(s, ADA, "!");
	team_shot(s, ADA, "nudge");
	team_types(s, GRACE, "R");
	team_shot(s, GRACE, "refused");
	team_types(s, ADA, "R");
	team_shot(s, ADA, "reveal-question");
	team_types(s, ADA, "n");
	team_peer_votes(s, 3, "5");
	team_both_see(s, "average");
	team_shot(s, ADA, "talk");
}

static void the_first_is_voted_on_again(struct team *s)
{
	team_types(s, ADA, "V");
	team_both_see(s, "0 of 6");
	team_shot(s, GRACE, "member-again");
	team_types(s, GRACE, "8");
	team_sees(s, GRACE, "1 of 6");
	team_types(s, GRACE, "xNobody knows that bank");
	team_shot(s, GRACE, "member-note");
	team_types(s, GRACE, "\r");
	all_vote(s, "5", "", (const char *const[]){"5", "5", "3", "5"});
	team_shot(s, ADA, "revealed");
	team_shot(s, GRACE, "member-revealed");
	team_types(s, ADA, "=");
	team_both_see(s, "Settled on");
	team_shot(s, ADA, "settled");
	team_shot(s, GRACE, "member-settled");
}

static void next_story(struct team *s, int number)
{
	char place[16];
	(void)snprintf(place, sizeof(place), "%d/12", number);
	team_types(s, ADA, "N");
	team_both_see(s, place);
	team_both_see(s, "0 of 6");
}

static void the_second_is_agreed_on(struct team *s)
{
	next_story(s, 2);
	all_vote(s, "8", "8", (const char *const[]){"8", "8", "8", "8"});
	team_shot(s, ADA, "unanimous");
	team_types(s, ADA, "=");
	team_both_see(s, "ettled on");
}

/* With words of their own about it, and a value that is typed. */
static void the_third_is_written_about(struct team *s)
{
	next_story(s, 3);
	team_types(s, ADA, "w");
	team_shot(s, ADA, "notes");
	team_types(s, ADA,
		   "Part by card, part by voucher.\rThe voucher part goes back as a voucher.");
	team_shot(s, ADA, "notes-written");
	team_types(s, ADA, "\023");
	team_sees(s, ADA, "Saved");
	team_goes_back(s, ADA, "0 of 6");
	all_vote(s, "3", "3", (const char *const[]){"13", "8", "8", "5"});
	team_types(s, ADA, "=");
	team_shot(s, ADA, "settle-asked");
	team_types(s, ADA, "\b\b\b8\r");
	team_both_see(s, "ettled on 8");
}

static void the_next_eight_are_quick(struct team *s)
{
	for (int number = 4; number < STORIES_N; number++) {
		next_story(s, number);
		all_vote(s, "3", "3", (const char *const[]){"3", "3", "5", "3"});
		team_types(s, ADA, "=");
		team_both_see(s, "ettled on 3");
	}
}

/* On wide screens the host sees at which story; what is told of it comes in its own time. */
static void a_member_looks_around(struct team *s)
{
	bool is_seen = s->look.width >= 120;
	team_types(s, GRACE, "S");
	team_shot(s, GRACE, "member-stories");
	if (is_seen) {
		team_sees(s, ADA, "◂ Grace");
	}
	team_types(s, GRACE, "h");
	team_shot(s, GRACE, "member-history");
	team_goes_back(s, GRACE, "average");
	if (is_seen) {
		team_sees_no_more(s, ADA, "◂ Grace");
	}
}

static void other_views_are_looked_at(struct team *s)
{
	char settings[32]; /* say what the theme is */
	team_types(s, ADA, "S");
	team_shot(s, ADA, "stories-estimated");
	team_types(s, ADA, "h");
	team_shot(s, ADA, "history");
	team_types(s, ADA, "P");
	team_shot(s, ADA, "rules");
	team_goes_back(s, ADA, "average");
	team_types(s, ADA, "o");
	(void)snprintf(settings, sizeof(settings), "settings-%s", s->look.theme);
	team_shot(s, ADA, settings);
	team_goes_back(s, ADA, "average");
	team_types(s, ADA, "?");
	team_shot(s, ADA, "help");
	team_goes_back(s, ADA, "average");
	team_types(s, ADA, ":ti");
	team_shot(s, ADA, "command");
	team_goes_back(s, ADA, "Settled on");
	team_types(s, ADA, "q");
	team_shot(s, ADA, "leave-question");
	team_types(s, ADA, "n");
	a_member_looks_around(s);
}

static void the_server_is_away(struct team *s)
{
	team_server_dies(s);
	team_both_see(s, "onnection lost");
	team_types(s, GRACE, "5");
	team_shot(s, GRACE, "member-away");
	team_shot(s, ADA, "away");
	team_server_is_back(s);
	team_peers_come_back(s);
	team_both_see(s, "6 here");
	team_both_see(s, "1 of 6");
	team_shot(s, GRACE, "member-back");
}

static void the_last_is_voted_on(struct team *s)
{
	next_story(s, STORIES_N);
	the_server_is_away(s);
	all_vote(s, "5", "5", (const char *const[]){"5", "5", "3", "5"});
	team_types(s, ADA, "=");
	team_both_see(s, "Summary"); /* with how long it took, which differs from run to run */
	team_goes_back(s, GRACE, "average");
	team_goes_back(s, ADA, "ettled on 5");
	team_types(s, ADA, "N");
	team_sees(s, ADA, "Summary");
	team_goes_back(s, ADA, "0 of 6");
	team_shot(s, ADA, "no-more");
	team_types(s, ADA, "S");
	team_shot(s, ADA, "stories-done");
	team_goes_back(s, ADA, "0 of 6");
}

static void all_go_home(struct team *s)
{
	team_leaves(s, GRACE, "q");
	team_sees(s, ADA, "5 here");
	team_types(s, ADA, "q");
	team_types(s, ADA, "y");
	team_shot(s, ADA, "home");
	team_leaves(s, ADA, "q");
}

static void play(const struct team_look *look, struct shots *shots)
{
	static struct team s;
	team_begin(&s, look, shots);
	a_room_is_made(&s);
	stories_are_written(&s);
	six_sit_down(&s);
	the_first_is_voted_on(&s);
	the_first_is_voted_on_again(&s);
	the_second_is_agreed_on(&s);
	the_third_is_written_about(&s);
	the_next_eight_are_quick(&s);
	other_views_are_looked_at(&s);
	the_last_is_voted_on(&s);
	all_go_home(&s);
	team_end(&s);
}

/* Whatever the theme: the same text. */
static void play_at(int width, int height)
{
	static const char *const themes[] = {"default", "contrast", "mono"};
	static struct shots shots;
	char dir[64];
	(void)snprintf(dir, sizeof(dir), SESSION_DIR "%dx%d", width, height);
	shots_begin(&shots, dir);
	for (size_t i = 0; i < sizeof(themes) / sizeof(themes[0]); i++) {
		play(&(struct team_look){width, height, themes[i], false}, &shots);
	}
	shots_end(&shots);
}

TEST(test_twelve_stories_at_home)
{
	play_at(80, 24);
}

TEST(test_twelve_stories_in_a_corner_of_the_screen)
{
	play_at(40, 12);
}

TEST(test_twelve_stories_on_a_wide_screen)
{
	play_at(200, 60);
}

/* With files of their own are those that have each sign once, or words in place of one. */
TEST(test_twelve_stories_in_ascii)
{
	static const char *const own[] = {"alone", "voting", "away", "revealed", "help", NULL};
	static struct shots shots;
	shots_begin(&shots, SESSION_DIR "80x24-ascii");
	shots.like = SESSION_DIR "80x24";
	shots.own = own;
	play(&(struct team_look){80, 24, "default", true}, &shots);
	shots_end(&shots);
}
