/*
 * test_config.c - the settings file in its place, the environment over it, options over both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/cli/config.h"
#include "tests/support/test.h"

struct home {
	char dir[64];
	char file[128]; /* the settings file */
	struct config config;
	struct errmsg why;
};

static const char *const variables[] = {
	"NO_COLOR",   "AYE_THEME", "AYE_COLORS", "AYE_SIGNS", "AYE_MOTION", "AYE_MOUSE",
	"AYE_NOTIFY", "AYE_PLAIN", "LC_ALL",	 "LC_CTYPE",  "LANG",	    "TERM",
};

static void home_open(struct home *h)
{
	*h = (struct home){.dir = "/tmp/aye-test-XXXXXX"};
	assert_non_null(mkdtemp(h->dir));
	assert_int_equal(setenv("XDG_CONFIG_HOME", h->dir, 1), 0);
	(void)snprintf(h->file, sizeof(h->file), "%s/aye/config", h->dir);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		assert_int_equal(unsetenv(variables[i]), 0);
	}
}

static void home_close(struct home *h)
{
	char path[128];
	(void)unlink(h->file);
	(void)snprintf(path, sizeof(path), "%s/aye/dotfile", h->dir);
	(void)unlink(path);
	(void)snprintf(path, sizeof(path), "%s/aye", h->dir);
	(void)rmdir(path);
	assert_int_equal(rmdir(h->dir), 0);
}

static void home_make(const struct home *h)
{
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/aye", h->dir);
	assert_int_equal(mkdir(path, 0755), 0);
}

static void write_text(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void home_write(const struct home *h, const char *text)
{
	home_make(h);
	write_text(h->file, text, strlen(text));
}

static void assert_file(const char *path, const char *expected)
{
	char text[512];
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	size_t n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, expected);
}

static enum err open_with(struct home *h, const struct args *args)
{
	static const struct args none = {.words_n = 0};
	return config_open(&h->config, args == NULL ? &none : args, &h->why);
}

static const char *word(const struct home *h, enum setting which)
{
	return settings_word(&h->config.now, which);
}

static void set(struct home *h, const char *name, const char *value)
{
	assert_int_equal(settings_set(&h->config.now, slice_str(name), slice_str(value), &h->why),
			 OK);
}

/* ---- gathering ---- */

#define HOME_TEST(name, h) TEST_OF(name, struct home, h, home_open(h), home_close(h))

HOME_TEST(test_without_a_file_there_are_the_defaults, h)
{
	struct settings s;
	settings_defaults(&s);
	assert_int_equal(open_with(h, NULL), OK);
	assert_memory_equal(&h->config.now, &s, sizeof(s));
	assert_string_equal(h->config.warning.text, "");
}

HOME_TEST(test_environment_beats_the_file_and_options_beat_both, h)
{
	struct args args = {.words_n = 0};
	home_write(h, "theme = mono\ncolors = 16\nmouse = on\nmotion = off\n");
	assert_int_equal(setenv("AYE_THEME", "contrast", 1), 0);
	assert_int_equal(setenv("AYE_MOTION", "on", 1), 0);
	args.value[OPTION_THEME] = "default";
	args.value[OPTION_ASCII] = "";
	args.value[OPTION_PLAIN] = "";
	assert_int_equal(open_with(h, &args), OK);
	assert_string_equal(word(h, SETTING_THEME), "default");
	assert_string_equal(word(h, SETTING_COLORS), "16");
	assert_string_equal(word(h, SETTING_MOTION), "on");
	assert_string_equal(word(h, SETTING_MOUSE), "on");
	assert_string_equal(word(h, SETTING_SIGNS), "ascii");
	assert_string_equal(word(h, SETTING_PLAIN), "on");
}

HOME_TEST(test_no_color_beats_the_file_but_not_who_names_colors, h)
{
	struct args args = {.words_n = 0};
	home_write(h, "colors = 256\n");
	assert_int_equal(setenv("NO_COLOR", "", 1), 0);
	assert_int_equal(open_with(h, NULL), OK);
	assert_string_equal(word(h, SETTING_COLORS), "256");
	assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
	assert_int_equal(open_with(h, NULL), OK);
	assert_string_equal(word(h, SETTING_COLORS), "none");
	args.value[OPTION_COLORS] = "8";
	assert_int_equal(open_with(h, &args), OK);
	assert_string_equal(word(h, SETTING_COLORS), "8");
}

HOME_TEST(test_a_wrong_option_is_refused_by_name, h)
{
	struct args args = {.words_n = 0};
	args.value[OPTION_THEME] = "pink";
	assert_int_equal(open_with(h, &args), ERR_INVALID);
	assert_string_equal(h->why.text,
			    "theme must be default, contrast, mono, dark or light, not pink");
}

TEST(test_the_help_of_an_option_names_what_there_is_to_choose)
{
	static const struct {
		enum option option;
		enum setting setting;
	} told[] = {{OPTION_THEME, SETTING_THEME}, {OPTION_COLORS, SETTING_COLORS}};
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		const char *const *choices = setting_rows[told[i].setting].choices;
		for (size_t c = 0; choices[c] != NULL; c++) {
			assert_non_null(strstr(option_rows[told[i].option].help, choices[c]));
		}
	}
}

HOME_TEST(test_what_is_wrong_with_file_or_environment_is_a_warning, h)
{
	char expected[256];
	home_write(h, "theme = pink\ncolour = 8\nmouse = on\n");
	assert_int_equal(setenv("AYE_NOTIFY", "loud", 1), 0);
	assert_int_equal(open_with(h, NULL), OK);
	(void)snprintf(expected, sizeof(expected),
		       "%s:1: theme must be default, contrast, mono, dark or light, not pink",
		       h->file);
	assert_string_equal(h->config.warning.text, expected);
	assert_string_equal(word(h, SETTING_MOUSE), "on");
	assert_string_equal(word(h, SETTING_NOTIFY), "mine");
}

HOME_TEST(test_what_is_no_file_or_too_large_is_a_warning, h)
{
	home_make(h);
	assert_int_equal(mkfifo(h->file, 0600), 0);
	assert_int_equal(open_with(h, NULL), OK);
	assert_non_null(strstr(h->config.warning.text, "is not a file"));
	assert_int_equal(unlink(h->file), 0);

	char *large = malloc(CONFIG_BYTES_MAX + 1);
	assert_non_null(large);
	memset(large, '#', CONFIG_BYTES_MAX + 1);
	write_text(h->file, large, CONFIG_BYTES_MAX + 1);
	free(large);
	assert_int_equal(open_with(h, NULL), OK);
	assert_non_null(strstr(h->config.warning.text, "larger than"));
	set(h, "theme", "mono");
	assert_int_equal(config_save(&h->config, &h->why), ERR_TOO_LARGE);
}

/* ---- saving ---- */

HOME_TEST(test_what_was_chosen_is_there_the_next_time, h)
{
	assert_int_equal(open_with(h, NULL), OK);
	set(h, "theme", "contrast");
	assert_int_equal(config_save(&h->config, &h->why), OK);
	assert_file(h->file, "theme = contrast\n");
	assert_int_equal(open_with(h, NULL), OK);
	assert_string_equal(word(h, SETTING_THEME), "contrast");
}

HOME_TEST(test_saving_again_after_going_back_goes_back, h)
{
	assert_int_equal(open_with(h, NULL), OK);
	set(h, "theme", "contrast");
	assert_int_equal(config_save(&h->config, &h->why), OK);
	set(h, "theme", "default");
	assert_int_equal(config_save(&h->config, &h->why), OK);
	assert_file(h->file, "theme = default\n");
}

HOME_TEST(test_options_are_saved_and_the_environment_is_not, h)
{
	struct args args = {.words_n = 0};
	home_write(h, "# mine\nmotion = on # always\n");
	assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
	assert_int_equal(setenv("AYE_THEME", "mono", 1), 0);
	args.value[OPTION_CALM] = "";
	assert_int_equal(open_with(h, &args), OK);
	set(h, "mouse", "on");
	assert_int_equal(config_save(&h->config, &h->why), OK);
	assert_file(h->file, "# mine\nmotion = off # always\nmouse = on\n");
}

HOME_TEST(test_a_link_stays_a_link_and_permissions_stay, h)
{
	struct stat st;
	char target[128];
	home_make(h);
	(void)snprintf(target, sizeof(target), "%s/aye/dotfile", h->dir);
	write_text(target, "mouse = on\n", 11);
	assert_int_equal(chmod(target, 0640), 0);
	assert_int_equal(symlink("dotfile", h->file), 0);
	assert_int_equal(open_with(h, NULL), OK);
	set(h, "theme", "mono");
	assert_int_equal(config_save(&h->config, &h->why), OK);
	assert_file(target, "mouse = on\ntheme = mono\n");
	assert_int_equal(lstat(h->file, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(target, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

/* ---- what the terminal shows ---- */

HOME_TEST(test_terminals_of_old_and_other_charsets_get_ascii, h)
{
	static const struct {
		const char *term;
		const char *lang;
		bool is_ascii;
	} vectors[] = {
		{"xterm-256color", "C.UTF-8", false},
		{"xterm", "de_DE.utf8", false},
		{"xterm", "C", false},
		{"xterm", "", false},
		{"tmux-256color", "en_US", false},
		{"xterm", "zh_CN.GBK", true},
		{"xterm", "de_DE.ISO-8859-1@x", true},
		{"vt100", "C.UTF-8", true},
		{"linux", "C.UTF-8", true},
		{"ansi", "C.UTF-8", true},
	};
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		assert_int_equal(setenv("TERM", vectors[i].term, 1), 0);
		assert_int_equal(setenv("LANG", vectors[i].lang, 1), 0);
		assert_int_equal(config_terminal_is_ascii(), vectors[i].is_ascii);
	}
	assert_int_equal(setenv("TERM", "xterm", 1), 0);
	assert_int_equal(setenv("LANG", "zh_CN.GBK", 1), 0);
	assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
	assert_false(config_terminal_is_ascii());
}
