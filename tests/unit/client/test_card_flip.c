/*
 * test_card_flip.c - cards that turn over: what stands on the screen when, and when
 * nothing moves at all. Frames are compared with tests/tui/screens/.
 */
#include "tests/unit/client/act_kit.h"
#include "tests/unit/client/screen_files.h"

#define CARD_FLIP_MOST_MS 300

enum { OTHERS_MAX = 38, NAMES_N = 4 };

/* Seats borrow their names. */
static char numbered[OTHERS_MAX][32];

struct scene {
	struct a_room hidden;
	struct a_room open;
	struct tui *tui;
};

static void seat_all(struct a_room *a, bool is_open, size_t members)
{
	static const char *const votes[] = {"5", "8", "3", "5"};
	static const char *const names[] = {"Ada", "Grace", "Linus", "Katherine"};
	a_room_init(a, "Sprint 42");
	a->r.room.is_revealed = is_open;
	a->r.room.round = 2;
	for (size_t i = 0; i < members; i++) {
		snprintf(numbered[i], sizeof(numbered[i]), "Member %zu", i);
		a_room_seat(a, i < NAMES_N ? names[i] : numbered[i], i == 0 ? IS_HOST : 0,
			    votes[i % NAMES_N]);
	}
	a_room_seat(a, "me", IS_ME, "5");
	a_room_seat(a, "Margaret", 0, NULL);
	if (is_open) {
		a_room_reveal(a);
	}
}

static void draw(struct scene *s, bool is_open, int64_t at_ms)
{
	struct grid g = {0};
	grid_resize(&g, 80, 24);
	tui_set_now(s->tui, A_NOW + at_ms);
	tui_follow(s->tui, is_open ? &s->open.r : &s->hidden.r);
	tui_draw(s->tui, is_open ? &s->open.r : &s->hidden.r, &g);
	grid_finish(&g);
}

/* The room as it was before the reveal, on a screen with these settings. */
static void open_scene(struct scene *s, bool ascii, const struct settings *settings, size_t members)
{
	struct tui_options o = {.ascii = ascii, .settings = settings};
	seat_all(&s->hidden, false, members);
	seat_all(&s->open, true, members);
	s->tui = tui_create(&o);
	tui_set_link(s->tui, LINK_LIVE);
	draw(s, false, -1000);
}

static void open_plain_scene(struct scene *s)
{
	open_scene(s, false, NULL, NAMES_N);
}

static int64_t changes_in_ms(struct scene *s)
{
	return tui_changes_in_ms(s->tui, &s->open.r);
}

static void assert_still(struct scene *s)
{
	draw(s, true, 0);
	assert_int_equal(changes_in_ms(s), -1);
	char *text = screen_text(s->tui, &s->open.r, 80, 24);
	assert_non_null(strstr(text, "average"));
	free(text);
	tui_destroy(s->tui);
}

static void assert_frames(const char *name, size_t members)
{
	static const int at_ms[] = {0, 75, 150, 225, CARD_FLIP_MOST_MS};
	struct scene s;
	open_scene(&s, false, NULL, members);
	draw(&s, true, 0);
	for (size_t i = 0; i < sizeof(at_ms) / sizeof(at_ms[0]); i++) {
		char file[64];
		snprintf(file, sizeof(file), "%s-%d-ms", name, at_ms[i]);
		tui_set_now(s.tui, A_NOW + at_ms[i]);
		assert_sizes(s.tui, &s.open.r, file, SIZES({80, 24}, {40, 12}));
	}
	tui_destroy(s.tui);
}

TEST(test_cards_turn_from_back_to_face)
{
	assert_frames("turn", NAMES_N);
}

TEST(test_so_they_do_where_each_is_a_line)
{
	assert_frames("turn-many", OTHERS_MAX);
}

TEST(test_all_is_shown_in_less_than_300_ms_and_nothing_wakes_us_then)
{
	struct scene s;
	int64_t at_ms = 0;
	size_t frames = 0;
	open_plain_scene(&s);
	draw(&s, true, 0);
	for (int64_t in = changes_in_ms(&s); in >= 0; in = changes_in_ms(&s)) {
		assert_true(in > 0);
		at_ms += in;
		draw(&s, true, at_ms);
		frames++;
	}
	assert_int_equal(frames, 4);
	assert_true(at_ms < CARD_FLIP_MOST_MS);
	char *text = screen_text(s.tui, &s.open.r, 80, 24);
	assert_non_null(strstr(text, "average"));
	free(text);
	tui_destroy(s.tui);
}

/* No face in a frame but that of the card there, and never a back without a card. */
TEST(test_no_frame_in_between_shows_a_vote_that_is_none)
{
	struct scene s;
	open_plain_scene(&s);
	for (int64_t at_ms = 0; at_ms < CARD_FLIP_MOST_MS; at_ms++) {
		draw(&s, true, at_ms);
		char *text = screen_text(s.tui, &s.open.r, 80, 24);
		assert_non_null(strstr(text, "Revealed · round 2"));
		assert_null(strstr(text, "voted"));
		assert_null(strstr(text, "13")); /* nobody chose it */
		free(text);
	}
	tui_destroy(s.tui);
}

TEST(test_keys_act_while_cards_turn)
{
	struct scene s;
	open_plain_scene(&s);
	s.open.r.you.is_host = true;
	draw(&s, true, 0);
	draw(&s, true, 100);
	assert_request(tui_take_key(s.tui, &s.open.r, 'V'), METHOD_ROUND_AGAIN, NULL);
	assert_request(tui_take_key(s.tui, &s.open.r, 'N'), METHOD_ROOM_RESET, NULL);
	tui_destroy(s.tui);
}

TEST(test_another_round_ends_the_motion)
{
	struct scene s;
	open_plain_scene(&s);
	draw(&s, true, 0);
	s.hidden.r.room.round++;
	s.open.r.room.round++;
	draw(&s, false, 100);
	assert_int_equal(changes_in_ms(&s), -1);
	draw(&s, true, 150); /* that one is new: its cards turn, from the beginning */
	assert_int_equal(changes_in_ms(&s), 70);
	tui_destroy(s.tui);
}

TEST(test_nothing_moves_where_motion_is_off_or_signs_are_ascii)
{
	struct scene s;
	struct settings calm;
	settings_defaults(&calm);
	calm.value[SETTING_MOTION] = MOTION_OFF;
	open_scene(&s, false, &calm, NAMES_N);
	assert_still(&s);
	open_scene(&s, true, NULL, NAMES_N);
	assert_still(&s);
}

TEST(test_a_slow_terminal_gets_the_last_state_at_once)
{
	struct scene s;
	open_plain_scene(&s);
	tui_set_slow(s.tui, true);
	assert_still(&s);
	open_plain_scene(&s);
	draw(&s, true, 0);
	assert_int_equal(changes_in_ms(&s), 70);
	tui_set_slow(s.tui, true); /* the first frame was too much */
	tui_set_slow(s.tui, false);
	assert_still(&s);
}

TEST(test_nothing_moves_that_was_open_when_we_came_or_came_back)
{
	struct scene s;
	open_plain_scene(&s);
	tui_destroy(s.tui);
	s.tui = tui_create(&(struct tui_options){.ascii = false});
	tui_set_link(s.tui, LINK_LIVE);
	assert_still(&s);
	open_plain_scene(&s);
	tui_set_link(s.tui, LINK_LOST);
	draw(&s, false, -500);
	s.open.r.epoch++;
	tui_set_link(s.tui, LINK_LIVE);
	assert_still(&s);
}

TEST(test_nothing_moves_where_no_card_of_others_lay_there)
{
	struct scene s;
	open_scene(&s, false, NULL, 0);
	assert_still(&s);
}

TEST(test_a_clock_that_jumps_does_not_hold_the_cards)
{
	struct scene s;
	open_plain_scene(&s);
	draw(&s, true, 0);
	draw(&s, true, -50000);
	assert_int_equal(changes_in_ms(&s), -1);
	draw(&s, true, 50000);
	assert_int_equal(changes_in_ms(&s), -1);
	tui_destroy(s.tui);
}
