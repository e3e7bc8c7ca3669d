/*
 * test_tui_settings.c - :set and the page of settings: what is typed counts at once and is told.
 */
#include "tests/unit/client/tui_kit.h"

enum { CTRL_S = 19 };

static void press(struct tui *t, const struct a_room *a, int32_t key)
{
	assert_nothing(tui_take_key(t, &a->r, key));
}

static const char *word(const struct tui *t, enum setting which)
{
	return settings_word(tui_settings(t), which);
}

MEMBER_TEST(test_a_setting_that_is_typed_counts_and_is_told)
{
	assert_nothing(enter(t, a, ":set theme contrast"));
	assert_string_equal(word(t, SETTING_THEME), "contrast");
	assert_message(t, a, " theme contrast. To keep it: :set --save");
	assert_nothing(enter(t, a, ":set motion=off"));
	assert_string_equal(word(t, SETTING_MOTION), "off");
	assert_nothing(enter(t, a, ":set theme"));
	assert_message(t, a, " theme contrast. To keep it: :set --save");
}

TEST(test_what_is_no_setting_or_choice_is_told_with_what_would_be)
{
	static const struct {
		const char *line;
		const char *told;
	} vectors[] = {
		{":set theme pink",
		 "theme must be default, contrast, mono, dark or light, not pink"},
		{":set mouse maybe so", "mouse must be on or off, not maybe so"},
		{":set colour 8", "No setting colour. :set lists them"},
		{":set --keep", "No setting --keep. :set lists them"},
		{":set = on", "No setting . :set lists them"},
	};
	struct a_room a;
	struct tui *t = open_tui();
	struct settings before = *tui_settings(t);
	init_member(&a);
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		assert_refused(t, &a, vectors[i].line, vectors[i].told);
	}
	assert_memory_equal(tui_settings(t), &before, sizeof(before));
	tui_destroy(t);
}

MEMBER_TEST(test_saving_is_asked_of_the_client)
{
	assert_local(enter(t, a, ":set --save"), LOCAL_SAVE_SETTINGS);
	assert_nothing(enter(t, a, ":set"));
	assert_local(tui_take_key(t, &a->r, CTRL_S), LOCAL_SAVE_SETTINGS);
}

MEMBER_TEST(test_a_narrow_page_shows_what_is_chosen)
{
	struct grid g = {0};
	grid_resize(&g, 30, 12);
	(void)enter(t, a, ":set theme light");
	(void)type(t, a, "o");
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	char *dump = grid_dump(&g);
	assert_non_null(strstr(dump, "[light]"));
	free(dump);
	grid_finish(&g);
}

MEMBER_TEST(test_the_page_changes_the_setting_in_focus_both_ways)
{
	(void)type(t, a, "o");
	press(t, a, TUI_KEY_ENTER);
	assert_string_equal(word(t, SETTING_THEME), "contrast");
	press(t, a, TUI_KEY_LEFT);
	press(t, a, TUI_KEY_LEFT);
	assert_string_equal(word(t, SETTING_THEME), "light");
	press(t, a, TUI_KEY_RIGHT);
	assert_string_equal(word(t, SETTING_THEME), "default");
	press(t, a, TUI_KEY_UP);
	press(t, a, TUI_KEY_DOWN);
	(void)type(t, a, "j ");
	assert_string_equal(word(t, SETTING_SIGNS), "unicode");
	press(t, a, TUI_KEY_END);
	press(t, a, TUI_KEY_DOWN);
	press(t, a, TUI_KEY_ENTER);
	assert_string_equal(word(t, SETTING_PLAIN), "on");
	press(t, a, TUI_KEY_HOME);
	press(t, a, TUI_KEY_ENTER);
	assert_string_equal(word(t, SETTING_THEME), "contrast");
	/* Back at the table, keys are the table's again. */
	press(t, a, TUI_KEY_ESCAPE);
	assert_request(type(t, a, "5"), METHOD_ROOM_VOTE, "vote", "5", NULL);
}

MEMBER_TEST(test_tab_completes_names_and_choices)
{
	(void)type(t, a, ":set th");
	press(t, a, TUI_KEY_TAB);
	(void)type(t, a, " c");
	press(t, a, TUI_KEY_TAB);
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_string_equal(word(t, SETTING_THEME), "contrast");
	(void)type(t, a, ":set -");
	press(t, a, TUI_KEY_TAB);
	assert_local(tui_take_key(t, &a->r, TUI_KEY_ENTER), LOCAL_SAVE_SETTINGS);
}

TEST(test_signs_follow_the_setting_and_auto_follows_the_terminal)
{
	struct settings chosen;
	struct tui_options o = {.settings = &chosen, .ascii = true};
	struct a_room a;
	struct tui *t;
	init_host(&a);
	settings_defaults(&chosen);
	chosen.value[SETTING_SIGNS] = SIGNS_UNICODE;
	t = tui_create(&o);
	tui_set_link(t, LINK_LIVE);
	char *row = row_from_below(t, &a, 23);
	assert_non_null(strstr(row, "●"));
	free(row);
	(void)enter(t, &a, ":set signs auto");
	row = row_from_below(t, &a, 23);
	assert_null(strstr(row, "●"));
	free(row);
	tui_destroy(t);
}
