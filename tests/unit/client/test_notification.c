/*
 * test_notification.c - who is called when, and in which bytes.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/tui/actions/action_table.h"
#include "client/tui/curses/clipboard.h"
#include "client/tui/curses/notification.h"

/* ---- when ---- */

static struct tui *open_with(enum notify_choice notify)
{
	struct settings settings;
	struct tui *t;
	settings_defaults(&settings);
	settings.value[SETTING_NOTIFY] = (uint8_t)notify;
	t = tui_create(&(struct tui_options){.settings = &settings});
	tui_set_link(t, LINK_LIVE);
	tui_set_now(t, A_NOW);
	return t;
}

/* What is told after the screen was drawn that much later; NULL: nothing. */
static const char *told_after(struct tui *t, const struct a_room *a, int64_t ms)
{
	tui_set_now(t, A_NOW + ms);
	free(row_from_below(t, a, 0));
	return tui_take_notice(t, &a->r, ms).text;
}

/* Ada and Grace have voted, we have not. */
static void init_waited_for(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "Ada", IS_HOST | HAS_VOTED, NULL);
	a_room_seat(a, "me", IS_ME, NULL);
	a_room_seat(a, "Grace", HAS_VOTED, NULL);
}

#define WAITED_FOR_TEST(name) TUI_TEST(name, init_waited_for(a), open_with(NOTIFY_MINE))

WAITED_FOR_TEST(test_the_last_one_who_is_waited_for_is_called_once_after_a_while)
{
	assert_null(told_after(t, a, 0));
	assert_int_equal(tui_changes_in_ms(t, &a->r), 8000);
	assert_null(told_after(t, a, 7999));
	assert_string_equal(told_after(t, a, 8000),
			    "Sprint 42: The others are waiting for your vote");
	assert_int_equal(tui_changes_in_ms(t, &a->r), -1);
	assert_null(told_after(t, a, 60000));
	a->r.room.round = 2;
	assert_null(told_after(t, a, 61000));
	assert_non_null(told_after(t, a, 69000));
}

WAITED_FOR_TEST(test_elsewhere_one_is_called_at_once)
{
	tui_set_focus(t, FOCUS_AWAY);
	assert_non_null(told_after(t, a, 0));
}

TEST(test_who_is_not_the_last_or_has_chosen_is_left_in_peace)
{
	struct a_room a;
	struct tui *t = open_with(NOTIFY_ALL);
	tui_set_focus(t, FOCUS_AWAY);
	init_waited_for(&a);
	a.members[2].has_vote = false;
	assert_null(told_after(t, &a, 9000)); /* Grace has not voted either */
	init_waited_for(&a);
	a.r.you.vote = slice_str("5");
	a.members[1].has_vote = true;
	assert_null(told_after(t, &a, 18000)); /* all have */
	init_waited_for(&a);
	a.r.you.role = ROLE_SPECTATOR;
	a.members[1].role = ROLE_SPECTATOR;
	assert_null(told_after(t, &a, 27000));
	init_waited_for(&a);
	a.r.pending_vote = "5";
	assert_null(told_after(t, &a, 36000)); /* ours is on its way */
	a.r.pending_vote = NULL;
	tui_set_link(t, LINK_LOST);
	assert_null(told_after(t, &a, 45000)); /* who knows what they have done since */
	a_room_init(&a, "Alone");
	a_room_seat(&a, "me", IS_ME, NULL);
	tui_set_link(t, LINK_LIVE);
	assert_null(told_after(t, &a, 54000));
	tui_destroy(t);
}

WAITED_FOR_TEST(test_a_vote_in_time_calls_nobody)
{
	assert_null(told_after(t, a, 0));
	a->r.you.vote = slice_str("5");
	a->members[1].has_vote = true;
	assert_null(told_after(t, a, 9000));
	assert_int_equal(tui_changes_in_ms(t, &a->r), -1);
}

WAITED_FOR_TEST(test_a_nudge_calls_at_once_and_counts_as_the_call_of_that_round)
{
	assert_null(told_after(t, a, 0));
	tui_take_nudge(t, "Ada");
	assert_string_equal(told_after(t, a, 1), "Sprint 42: Ada asks you to vote");
	assert_null(told_after(t, a, 9000));
	tui_take_nudge(t, NULL);
	assert_string_equal(told_after(t, a, 9001), "Sprint 42: Someone asks you to vote");
}

TUI_TEST(test_a_host_is_called_for_each_who_comes_to_the_lobby, init_host(a),
	 open_with(NOTIFY_MINE))
{
	a_room_seat(a, "Linda", IS_WAITING, NULL);
	assert_null(told_after(t, a, 0)); /* she is seen on the first screen */
	a_room_seat(a, "Barbara", IS_WAITING, NULL);
	assert_string_equal(told_after(t, a, 1), "Sprint 42: Barbara is waiting in the lobby");
	assert_null(told_after(t, a, 2));
	a->members[3].is_waiting = false;
	assert_null(told_after(t, a, 3));
	a->r.you.is_host = false;
	a_room_seat(a, "Margaret", IS_WAITING, NULL);
	assert_null(told_after(t, a, 4));
}

TEST(test_the_end_of_a_round_is_told_to_those_who_look_elsewhere_and_want_all)
{
	static const struct {
		enum notify_choice notify;
		enum focus focus;
		const char *expected;
	} rows[] = {
		{NOTIFY_ALL, FOCUS_AWAY, "Sprint 42: The cards are revealed"},
		{NOTIFY_ALL, FOCUS_HERE, NULL},
		{NOTIFY_ALL, FOCUS_UNKNOWN, NULL},
		{NOTIFY_MINE, FOCUS_AWAY, NULL},
		{NOTIFY_OFF, FOCUS_AWAY, NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct a_room a;
		init_member(&a);
		a.r.you.vote = slice_str("5");
		struct tui *t = open_with(rows[i].notify);
		tui_set_focus(t, rows[i].focus);
		assert_null(told_after(t, &a, 0));
		a_room_reveal(&a);
		const char *told = told_after(t, &a, 1);
		if (rows[i].expected == NULL) {
			assert_null(told);
		} else {
			assert_string_equal(told, rows[i].expected);
		}
		assert_null(told_after(t, &a, 2));
		tui_destroy(t);
	}
}

TUI_TEST(test_coming_into_a_round_that_is_over_is_no_news, init_member(a), open_with(NOTIFY_ALL))
{
	a_room_reveal(a);
	tui_set_focus(t, FOCUS_AWAY);
	assert_null(told_after(t, a, 0));
}

TUI_TEST(test_a_timer_that_runs_out_is_told_elsewhere, init_member(a), open_with(NOTIFY_ALL))
{
	a->r.you.vote = slice_str("5");
	a->r.room.timer.ends_at = A_NOW + 1000;
	tui_set_focus(t, FOCUS_AWAY);
	assert_null(told_after(t, a, 0));
	a->r.room.timer.ends_at = 0;
	assert_string_equal(told_after(t, a, 1000), "Sprint 42: Time is up");
}

TUI_TEST(test_off_is_nothing_at_all, init_waited_for(a), open_with(NOTIFY_OFF))
{
	tui_set_focus(t, FOCUS_AWAY);
	assert_null(told_after(t, a, 0));
	tui_take_nudge(t, "Ada");
	assert_null(told_after(t, a, 1));
	a_room_reveal(a);
	assert_null(told_after(t, a, 20000));
}

WAITED_FOR_TEST(test_in_front_of_the_window_the_bell_is_enough)
{
	tui_set_focus(t, FOCUS_HERE);
	tui_take_nudge(t, "Ada");
	assert_false(tui_take_notice(t, &a->r, 0).is_here); /* this terminal may say so for ever */
	tui_set_focus(t, FOCUS_AWAY);
	tui_take_nudge(t, "Ada");
	assert_false(tui_take_notice(t, &a->r, 3000).is_here);
	tui_set_focus(t, FOCUS_HERE);
	tui_take_nudge(t, "Ada");
	assert_true(tui_take_notice(t, &a->r, 6000).is_here);
	tui_set_focus(t, FOCUS_UNKNOWN);
	tui_take_nudge(t, "Ada");
	assert_false(tui_take_notice(t, &a->r, 9000).is_here);
}

/* A nudge each time the screen is drawn, as a server may send them. */
static unsigned calls_of_a_flood(struct tui *t, const struct a_room *a, int64_t from_ms,
				 int64_t to_ms)
{
	unsigned calls = 0;
	for (int64_t ms = from_ms; ms < to_ms; ms += 50) {
		tui_take_nudge(t, "Ada");
		calls += told_after(t, a, ms) != NULL;
	}
	return calls;
}

WAITED_FOR_TEST(test_a_flood_of_nudges_calls_once_in_two_seconds_and_ten_times_a_minute)
{
	assert_int_equal(calls_of_a_flood(t, a, 0, 2000), 1);
	assert_int_equal(calls_of_a_flood(t, a, 2000, 6000), 2);
	assert_int_equal(calls_of_a_flood(t, a, 6000, 60000), 7);
	assert_int_equal(calls_of_a_flood(t, a, 60000, 120000), 10);
}

/* The server says what time it is there, and it may say anything. */
WAITED_FOR_TEST(test_a_server_that_sets_its_clock_calls_no_more_often)
{
	unsigned calls = 0;
	for (int i = 0; i < 100; i++) {
		tui_set_now(t, A_NOW + (int64_t)i * 3600000);
		tui_take_nudge(t, "Ada");
		calls += tui_take_notice(t, &a->r, 10 * i).text != NULL;
	}
	assert_int_equal(calls, 1);
}

WAITED_FOR_TEST(test_what_comes_too_soon_waits_for_its_time_and_the_latest_is_told)
{
	tui_take_nudge(t, "Ada");
	assert_non_null(told_after(t, a, 0));
	tui_take_nudge(t, "Linus");
	assert_null(told_after(t, a, 500));
	tui_take_nudge(t, "Grace");
	assert_null(told_after(t, a, 600));
	assert_int_equal(tui_changes_in_ms(t, &a->r), 1400);
	assert_string_equal(told_after(t, a, 2000), "Sprint 42: Grace asks you to vote");
	assert_null(told_after(t, a, 4000));
}

TUI_TEST(test_the_command_chooses_and_completes, init_member(a), open_with(NOTIFY_MINE))
{
	(void)type(t, a, ":notify a");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_message(t, a, " notify all. To keep it: :set --save");
	assert_int_equal(tui_settings(t)->value[SETTING_NOTIFY], NOTIFY_ALL);
	(void)type(t, a, ":notify nobody");
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_int_equal(tui_settings(t)->value[SETTING_NOTIFY], NOTIFY_ALL);
	(void)type(t, a, ":notify off");
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_int_equal(tui_settings(t)->value[SETTING_NOTIFY], NOTIFY_OFF);
}

/* ---- in which form ---- */

TEST(test_what_is_known_of_a_terminal_decides_the_form)
{
	static const struct {
		struct notification_env env;
		enum notification_form form;
		enum notification_through through;
	} rows[] = {
		{{.term = NULL}, NOTIFICATION_BELL, NOTIFICATION_DIRECT},
		{{.term = "xterm-256color"}, NOTIFICATION_BELL, NOTIFICATION_DIRECT},
		{{.term = "xterm-kitty"}, NOTIFICATION_OSC_99, NOTIFICATION_DIRECT},
		{{.term = "xterm-256color", .kitty_window_id = "3"},
		 NOTIFICATION_OSC_99,
		 NOTIFICATION_DIRECT},
		{{.term = "foot-extra"}, NOTIFICATION_OSC_777, NOTIFICATION_DIRECT},
		{{.term = "xterm-ghostty"}, NOTIFICATION_OSC_777, NOTIFICATION_DIRECT},
		{{.term = "xterm-256color", .term_program = "WezTerm"},
		 NOTIFICATION_OSC_777,
		 NOTIFICATION_DIRECT},
		{{.term = "xterm-256color", .konsole_version = "240802"},
		 NOTIFICATION_OSC_777,
		 NOTIFICATION_DIRECT},
		{{.term = "rxvt-unicode-256color"}, NOTIFICATION_OSC_777, NOTIFICATION_DIRECT},
		{{.term = "xterm-256color", .term_program = "iTerm.app"},
		 NOTIFICATION_OSC_9,
		 NOTIFICATION_DIRECT},
		{{.term = "xterm-256color", .lc_terminal = "iTerm2"},
		 NOTIFICATION_OSC_9,
		 NOTIFICATION_DIRECT},
		{{.term = "xterm-256color", .term_program = "WarpTerminal"},
		 NOTIFICATION_OSC_9,
		 NOTIFICATION_DIRECT},
		/* Started from within another, whose variables mean nothing here. */
		{{.term = "alacritty", .kitty_window_id = "3"},
		 NOTIFICATION_BELL,
		 NOTIFICATION_DIRECT},
		{{.term = "linux", .konsole_version = "1"}, NOTIFICATION_BELL, NOTIFICATION_DIRECT},
		{{.term = "xterm-256color", .term_program = "Apple_Terminal"},
		 NOTIFICATION_BELL,
		 NOTIFICATION_DIRECT},
		/* An empty value is none. */
		{{.term = "xterm", .kitty_window_id = ""}, NOTIFICATION_BELL, NOTIFICATION_DIRECT},
		{{.term = "tmux-256color", .tmux = "/tmp/tmux-1000/default,1,0"},
		 NOTIFICATION_BELL,
		 NOTIFICATION_TMUX},
		{{.term = "screen-256color", .tmux = "/s,1,0", .kitty_window_id = "1"},
		 NOTIFICATION_OSC_99,
		 NOTIFICATION_TMUX},
		{{.term = "screen", .sty = "1.pts", .konsole_version = "1"},
		 NOTIFICATION_OSC_777,
		 NOTIFICATION_SCREEN},
		{{.term = "tmux-256color", .lc_terminal = "iTerm2"},
		 NOTIFICATION_OSC_9,
		 NOTIFICATION_TMUX},
		/* Over ssh from one of the two, and nobody knows from which. */
		{{.term = "screen-256color", .lc_terminal = "iTerm2"},
		 NOTIFICATION_BELL,
		 NOTIFICATION_DIRECT},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct notification_way way = notification_way_of(&rows[i].env);
		assert_int_equal(way.form, rows[i].form);
		assert_int_equal(way.through, rows[i].through);
	}
}

TEST(test_each_form_is_the_one_the_terminal_expects)
{
	static const struct {
		struct notification_way way;
		const char *expected;
	} rows[] = {
		{{NOTIFICATION_BELL, NOTIFICATION_DIRECT}, ""},
		{{NOTIFICATION_BELL, NOTIFICATION_TMUX}, ""},
		{{NOTIFICATION_OSC_9, NOTIFICATION_DIRECT}, "\033]9;aye: Ada waits\a"},
		{{NOTIFICATION_OSC_99, NOTIFICATION_DIRECT},
		 "\033]99;i=aye:d=0;aye\a\033]99;i=aye:d=1:p=body;Ada waits\a"},
		{{NOTIFICATION_OSC_777, NOTIFICATION_DIRECT}, "\033]777;notify;aye;Ada waits\a"},
		{{NOTIFICATION_OSC_777, NOTIFICATION_TMUX},
		 "\033Ptmux;\033\033]777;notify;aye;Ada waits\a\033\\"},
		{{NOTIFICATION_OSC_9, NOTIFICATION_SCREEN}, "\033P\033]9;aye: Ada waits\a\033\\"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out;
		buf_init(&out, 1024);
		notification_put(&out, rows[i].way, "Ada waits");
		assert_int_equal(out.error, OK);
		assert_int_equal(out.len, strlen(rows[i].expected));
		assert_memory_equal(out.len == 0 ? "" : out.data, rows[i].expected, out.len);
		buf_finish(&out);
	}
}

/* Whatever stands between the ends: no control, no second end, and text that is whole. */
static void assert_is_clean(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		assert_true(c >= 0x20 && c != 0x7f && c != ';');
		if (c == 0xc2) {
			assert_true((unsigned char)text[i + 1] >= 0xa0); /* C1 */
		}
	}
}

TEST(test_nothing_in_the_text_gets_out_of_it)
{
	static const char begin[] = "\033]777;notify;aye;";
	static const char *const texts[] = {
		"\a\033]0;owned\a",
		"\033\\\033[2J",
		"\xc2\x9c\xc2\x9d"
		"52;c;x",
		"a;b\r\nc\td\x7f",
		"\xe2\x80\xae"
		"evil",
		"\xff\xfe\x1b",
		"",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct buf out;
		buf_init(&out, 1024);
		notification_put(&out,
				 (struct notification_way){NOTIFICATION_OSC_777,
							   NOTIFICATION_DIRECT},
				 texts[i]);
		assert_int_equal(out.error, OK);
		assert_memory_equal(out.data, begin, strlen(begin));
		assert_int_equal(out.data[out.len - 1], '\a');
		assert_is_clean(out.data + strlen(begin), out.len - strlen(begin) - 1);
		buf_finish(&out);
	}
}

TEST(test_long_text_is_cut_between_characters_to_what_screen_passes_on)
{
	enum { SCREEN_BYTES_MAX = 256 };
	char text[4000];
	struct buf out;
	for (size_t i = 0; i + 2 < sizeof(text); i += 2) {
		memcpy(text + i, "\xc3\xb6", 3);
	}
	for (int form = NOTIFICATION_OSC_9; form <= NOTIFICATION_OSC_777; form++) {
		struct notification_way way = {(enum notification_form)form, NOTIFICATION_SCREEN};
		buf_init(&out, 1024);
		notification_put(&out, way, text);
		assert_int_equal(out.error, OK);
		assert_in_range(out.len, NOTICE_TEXT_BYTES_MAX, SCREEN_BYTES_MAX);
		assert_memory_equal(out.data + out.len - 5, "\xc3\xb6\a\033\\", 5);
		buf_finish(&out);
	}
}

/* ---- the clipboard ---- */

TEST(test_a_text_is_copied_in_base64_where_the_terminal_ignores_what_it_does_not_know)
{
	struct buf out;
	char long_text[CLIPBOARD_TEXT_BYTES_MAX + 2];
	buf_init(&out, 4096);
	clipboard_put(&out, SLICE("aye join K7QX3M"));
	assert_int_equal(buf_append(&out, "", 1), OK);
	assert_string_equal(out.data, "\033]52;c;YXllIGpvaW4gSzdRWDNN\a");
	buf_clear(&out);
	memset(long_text, 'x', sizeof(long_text));
	clipboard_put(&out, slice_of(long_text, CLIPBOARD_TEXT_BYTES_MAX + 1));
	assert_int_equal(out.len, 0);
	buf_finish(&out);
	assert_true(clipboard_is_likely("xterm-256color") && clipboard_is_likely("tmux"));
	assert_false(clipboard_is_likely("linux") || clipboard_is_likely("vt100") ||
		     clipboard_is_likely("") || clipboard_is_likely(NULL));
}
