/*
 * test_settings.c - the table of settings: set by words, read from a file, and written back.
 */
#include <stdlib.h>
#include <string.h>

#include "client/model/settings.h"
#include "tests/support/test.h"

static struct settings defaults(void)
{
	struct settings s;
	settings_defaults(&s);
	return s;
}

/* ---- by words ---- */

TEST(test_the_defaults_are_those_of_the_rows)
{
	struct settings s = defaults();
	assert_int_equal(s.value[SETTING_THEME], THEME_DEFAULT);
	assert_int_equal(s.value[SETTING_COLORS], COLORS_AUTO);
	assert_int_equal(s.value[SETTING_SIGNS], SIGNS_AUTO);
	assert_int_equal(s.value[SETTING_MOTION], MOTION_ON);
	assert_int_equal(s.value[SETTING_MOUSE], MOUSE_OFF);
	assert_int_equal(s.value[SETTING_NOTIFY], NOTIFY_MINE);
	assert_int_equal(s.value[SETTING_PLAIN], PLAIN_OFF);
}

TEST(test_rows_are_sound)
{
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		const struct setting_row *row = &setting_rows[i];
		size_t n = 0;
		while (row->choices[n] != NULL) {
			n++;
		}
		assert_in_range(n, 2, SETTING_CHOICES_MAX);
		assert_true(row->fallback < n);
		assert_true(strlen(row->help) > 0);
		assert_int_equal(settings_find(slice_str(row->name)), i);
	}
}

TEST(test_every_choice_is_set_by_its_word)
{
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		for (size_t c = 0; setting_rows[i].choices[c] != NULL; c++) {
			struct settings s = defaults();
			struct errmsg why;
			assert_int_equal(settings_set(&s, slice_str(setting_rows[i].name),
						      slice_str(setting_rows[i].choices[c]), &why),
					 OK);
			assert_int_equal(s.value[i], c);
			assert_string_equal(settings_word(&s, (enum setting)i),
					    setting_rows[i].choices[c]);
		}
	}
}

static const struct {
	const char *name;
	const char *value;
	enum err error;
	const char *why;
} refusals[] = {
	{"theme", "pink", ERR_INVALID,
	 "theme must be default, contrast, mono, dark or light, not pink"},
	{"theme", "", ERR_INVALID, "theme must be default, contrast, mono, dark or light"},
	{"theme", "Mono", ERR_INVALID,
	 "theme must be default, contrast, mono, dark or light, not Mono"},
	{"mouse", "o", ERR_INVALID, "mouse must be on or off, not o"},
	{"colors", "88", ERR_INVALID, "colors must be auto, none, 8, 16 or 256, not 88"},
	{"colour", "8", ERR_NOT_FOUND,
	 "no setting colour; settings: theme, colors, signs, motion, mouse, notify, hyperlinks, "
	 "points and plain"},
	{"", "", ERR_NOT_FOUND,
	 "no setting ; settings: theme, colors, signs, motion, mouse, notify, hyperlinks, points "
	 "and plain"},
	{"motion", "0123456789012345678901234567890123456789more", ERR_INVALID,
	 "motion must be on or off, not 0123456789012345678901234567890123456789"},
};

TEST(test_a_refusal_names_what_there_is_and_changes_nothing)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct settings s = defaults();
		struct settings before = s;
		struct errmsg why;
		enum err e = settings_set(&s, slice_str(refusals[i].name),
					  slice_str(refusals[i].value), &why);
		assert_int_equal(e, refusals[i].error);
		assert_string_equal(why.text, refusals[i].why);
		assert_memory_equal(&s, &before, sizeof(s));
	}
}

/* ---- from text ---- */

/* Faults as "3: what; ". */
static void on_fault(void *owner, size_t line, const char *what)
{
	assert_int_equal(buf_printf(owner, "%zu: %s; ", line, what), OK);
}

static struct settings read_text(struct slice text, struct buf *faults)
{
	struct settings s = defaults();
	buf_init(faults, 65536);
	settings_parse(text, &s, on_fault, faults);
	assert_int_equal(buf_append(faults, "", 1), OK);
	return s;
}

static const struct {
	const char *text;
	const char *theme;
	const char *mouse;
	const char *faults;
} files[] = {
	{"", "default", "off", ""},
	{"\n\n# theme = mono\n   \n", "default", "off", ""},
	{"theme = mono", "mono", "off", ""},
	{"theme=mono\nmouse=on\n", "mono", "on", ""},
	{" \ttheme\t =  mono \t# for the evening\r\nmouse = on\r\n", "mono", "on", ""},
	{"\xef\xbb\xbftheme = mono\n", "mono", "off", ""},
	{"theme = mono\ntheme = contrast\n", "contrast", "off", ""},
	{"theme = mono\ntheme = pink\nmouse = on\n", "mono", "on",
	 "2: theme must be default, contrast, mono, dark or light, not pink; "},
	{"theme mono\nmouse = on\n", "default", "on",
	 "1: theme mono is not a setting; use name = value; "},
	{"theme =\n\nmouse = # on\n", "default", "off",
	 "1: theme must be default, contrast, mono, dark or light; 3: mouse must be on or off; "},
	{"= mono\n", "default", "off",
	 "1: no setting ; settings: theme, colors, signs, motion, mouse, notify, hyperlinks, "
	 "points and plain; "},
	{"theme = mono = contrast\n", "default", "off",
	 "1: theme must be default, contrast, mono, dark or light, not mono = contrast; "},
	{"theme = mono\rmouse = on\n", "default", "off",
	 "1: theme must be default, contrast, mono, dark or light, not mono\rmouse = on; "},
};

TEST(test_bad_lines_are_told_and_the_rest_counts)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct buf faults;
		struct settings s = read_text(slice_str(files[i].text), &faults);
		assert_string_equal(settings_word(&s, SETTING_THEME), files[i].theme);
		assert_string_equal(settings_word(&s, SETTING_MOUSE), files[i].mouse);
		assert_string_equal(faults.data, files[i].faults);
		buf_finish(&faults);
	}
}

TEST(test_bytes_that_are_no_text_are_told_of_and_no_more)
{
	static const char text[] =
		"theme\0 = mono\n\xff\xfe = \x1b[31m\ntheme = mono\0\nmouse = on";
	struct buf faults;
	struct settings s = read_text(slice_of(text, sizeof(text) - 1), &faults);
	assert_int_equal(s.value[SETTING_THEME], THEME_DEFAULT);
	assert_int_equal(s.value[SETTING_MOUSE], MOUSE_ON);
	assert_non_null(strstr(faults.data, "1: "));
	assert_non_null(strstr(faults.data, "2: "));
	assert_non_null(strstr(faults.data, "3: "));
	assert_null(strstr(faults.data, "4: "));
	buf_finish(&faults);
}

/* ---- and back ---- */

static const struct {
	const char *text;
	const char *name;
	const char *value;
	const char *after;
} changes[] = {
	{"", "theme", "default", ""},
	{"", "theme", "mono", "theme = mono\n"},
	{"# mine\n", "theme", "mono", "# mine\ntheme = mono\n"},
	{"# mine", "theme", "mono", "# mine\ntheme = mono\n"},
	{"theme = contrast\n", "theme", "mono", "theme = mono\n"},
	{"theme = contrast", "theme", "mono", "theme = mono"},
	{"theme = contrast\n", "theme", "default", "theme = default\n"},
	{"theme = contrast\n", "theme", "contrast", "theme = contrast\n"},
	{"\ttheme  =contrast  # why\r\nodd = 1\r\n", "theme", "mono",
	 "\ttheme  =mono  # why\r\nodd = 1\r\n"},
	{"theme = contrast\ntheme = mono\n", "theme", "default",
	 "theme = contrast\ntheme = default\n"},
	{"theme = pink\n", "theme", "mono", "theme = mono\n"},
	{"theme = pink\n", "mouse", "on", "theme = pink\nmouse = on\n"},
	{"theme =  # none\n", "theme", "mono", "theme = mono  # none\n"},
	{"\xef\xbb\xbftheme = mono\n", "theme", "contrast", "\xef\xbb\xbftheme = contrast\n"},
	{"nonsense\n\n", "mouse", "on", "nonsense\n\nmouse = on\n"},
};

static void write_change(size_t i, struct buf *out, enum err *e)
{
	struct settings s = defaults();
	struct buf faults;
	struct errmsg why;
	struct slice text = slice_str(changes[i].text);
	s = read_text(text, &faults);
	buf_finish(&faults);
	assert_int_equal(settings_set(&s, slice_str(changes[i].name), slice_str(changes[i].value),
				      &why),
			 OK);
	buf_init(out, 4096);
	*e = settings_format(text, &s, out);
}

TEST(test_writing_changes_the_value_and_nothing_else)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct buf out;
		enum err e;
		write_change(i, &out, &e);
		assert_int_equal(e, OK);
		assert_true(slice_eq(buf_slice(&out), slice_str(changes[i].after)));
		buf_finish(&out);
	}
}

/* Any choices over any file: reading what was written gives them back. */
TEST(test_what_was_written_is_what_is_read)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		for (size_t turn = 0; turn < SETTING_CHOICES_MAX; turn++) {
			struct settings want = defaults();
			struct buf out;
			struct buf faults;
			for (size_t k = 0; k < SETTING_COUNT; k++) {
				bool is_there = turn < 2 || setting_rows[k].choices[2] != NULL;
				want.value[k] = (uint8_t)(is_there ? turn % 2 + turn / 2 : 0);
			}
			buf_init(&out, 4096);
			assert_int_equal(settings_format(slice_str(files[i].text), &want, &out),
					 OK);
			struct settings got = read_text(buf_slice(&out), &faults);
			assert_memory_equal(&got, &want, sizeof(got));
			buf_finish(&out);
			buf_finish(&faults);
		}
	}
}

TEST(test_a_text_beyond_the_bound_is_too_large)
{
	struct settings s = defaults();
	struct buf out;
	buf_init(&out, 8);
	assert_int_equal(settings_format(SLICE("# a comment of ours\n"), &s, &out), ERR_TOO_LARGE);
	buf_finish(&out);
}
