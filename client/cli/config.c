/*
 * config.c - gathers the settings and writes their file; see config.h.
 */
#include "client/cli/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/kiosk/ssh_session.h"
#include "client/state/state_file.h"
#include "client/state/text_file.h"
#include "client/state/xdg_dirs.h"
#include "proto/base/ascii.h"
#include "proto/base/format.h"

/* ---- the file ---- */

/* More would push what matters off the screen. */
enum { CONFIG_FAULTS_TOLD_MAX = 5 };

struct config_faults {
	struct config *config;
	const char *path;
	size_t n;
};

static void config_warn(struct config *c, const char *text)
{
	const char *soft = print_soft(slice_str(text));
	print_problem("%s", soft);
	if (c->warning.text[0] == '\0') {
		errmsg_set(&c->warning, "%s", soft);
	}
}

static void config_on_fault(void *owner, size_t line, const char *what)
{
	struct config_faults *f = owner;
	struct errmsg text;
	f->n++;
	if (f->n <= CONFIG_FAULTS_TOLD_MAX) {
		errmsg_set(&text, "%s:%zu: %s", f->path, line, what);
		config_warn(f->config, text.text);
	}
}

/* Where path is a link, what it leads to in the end. A ring of links stays what it is: it cannot be opened. */
static void config_follow_links(char path[PATH_MAX])
{
	enum { LINKS_MAX = 16 };
	for (int i = 0; i < LINKS_MAX; i++) {
		char target[PATH_MAX];
		ssize_t len = readlink(path, target, sizeof(target) - 1);
		const char *slash = strrchr(path, '/');
		if (len <= 0 || slash == NULL) {
			return;
		}
		target[len] = '\0';
		size_t kept = target[0] == '/' ? 0 : (size_t)(slash - path) + 1;
		format_to(path + kept, PATH_MAX - kept, "%s", target);
	}
}

static enum err config_path(char dir[XDG_DIR_BYTES], char path[PATH_MAX], struct errmsg *why)
{
	enum err e = xdg_dir("XDG_CONFIG_HOME", ".config", dir, why);
	if (e == OK) {
		format_to(path, PATH_MAX, "%s/config", dir);
		config_follow_links(path);
	}
	return e;
}

/* Append the file, which may be missing. What is no file, such as a pipe, might keep us waiting for ever. */
static enum err config_read(const char *path, struct buf *out, struct errmsg *why)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		if (errno == ENOENT || errno == ENOTDIR) {
			return OK;
		}
		errmsg_set(why, "%s: %s", path, strerror(errno));
		return ERR_IO;
	}
	if (!S_ISREG(st.st_mode)) {
		errmsg_set(why, "%s is not a file", path);
		return ERR_IO;
	}
	return text_file_read(path, out, why);
}

static void config_take_file(struct config *c)
{
	char dir[XDG_DIR_BYTES];
	char path[PATH_MAX];
	struct buf text;
	struct errmsg why = {""};
	buf_init(&text, CONFIG_BYTES_MAX);
	enum err e = config_path(dir, path, &why);
	if (e == OK) {
		e = config_read(path, &text, &why);
	}
	if (e != OK) {
		config_warn(c, why.text);
	} else {
		struct config_faults faults = {c, path, 0};
		settings_parse(buf_slice(&text), &c->now, config_on_fault, &faults);
		if (faults.n > CONFIG_FAULTS_TOLD_MAX) {
			print_problem("%s: and %zu more lines", print_soft(slice_str(path)),
				      faults.n - CONFIG_FAULTS_TOLD_MAX);
		}
	}
	buf_finish(&text);
}

/* ---- the environment ---- */

static const char *config_variable(const char *name)
{
	const char *value = getenv(name);
	return value == NULL || value[0] == '\0' ? NULL : value;
}

static void config_take_environment(struct config *c)
{
	if (config_variable("NO_COLOR") != NULL) {
		c->now.value[SETTING_COLORS] = COLORS_NONE;
	}
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		char name[32];
		struct errmsg why;
		size_t len = format_to(name, sizeof(name), "AYE_%s", setting_rows[i].name);
		for (size_t k = 0; k < len; k++) {
			name[k] = ascii_upper(name[k]);
		}
		const char *value = config_variable(name);
		if (value != NULL && settings_set(&c->now, slice_str(setting_rows[i].name),
						  slice_str(value), &why) != OK) {
			errmsg_prefix(&why, name);
			config_warn(c, why.text);
		}
	}
}

/* The first that is set names the character set, if it names one. */
static const char *config_locale(void)
{
	const char *locale = config_variable("LC_ALL");
	locale = locale == NULL ? config_variable("LC_CTYPE") : locale;
	return locale == NULL ? config_variable("LANG") : locale;
}

bool config_terminal_is_ascii(void)
{
	/* Terminals of old, and consoles whose font has no room for more. */
	static const char *const kinds[] = {"linux", "vt1", "vt2", "vt3", "vt4", "vt5", "ansi"};
	const char *term = config_variable("TERM");
	const char *locale = config_locale();
	const char *charset = locale == NULL ? NULL : strchr(locale, '.');
	for (size_t i = 0; term != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strncmp(term, kinds[i], strlen(kinds[i])) == 0) {
			return true;
		}
	}
	/* A locale without one, such as C, says nothing about the terminal. */
	return charset != NULL && strncasecmp(charset, ".UTF-8", 6) != 0 &&
	       strncasecmp(charset, ".UTF8", 5) != 0;
}

/* ---- the command line ---- */

static const struct {
	enum option option;
	enum setting setting;
	const char *value; /* NULL: the option's own */
} config_options[] = {
	{OPTION_THEME, SETTING_THEME, NULL},	{OPTION_COLORS, SETTING_COLORS, NULL},
	{OPTION_ASCII, SETTING_SIGNS, "ascii"}, {OPTION_CALM, SETTING_MOTION, "off"},
	{OPTION_PLAIN, SETTING_PLAIN, "on"},	{OPTION_HYPERLINKS, SETTING_HYPERLINKS, NULL},
};

const char *const *config_choices(enum option option)
{
	for (size_t i = 0; i < sizeof(config_options) / sizeof(config_options[0]); i++) {
		if (config_options[i].option == option && config_options[i].value == NULL) {
			return setting_rows[config_options[i].setting].choices;
		}
	}
	return NULL;
}

static enum err config_take_options(struct config *c, const struct args *args, struct errmsg *why)
{
	enum err e = OK;
	for (size_t i = 0; e == OK && i < sizeof(config_options) / sizeof(config_options[0]); i++) {
		const char *value = args->value[config_options[i].option];
		enum setting which = config_options[i].setting;
		if (value == NULL) {
			continue;
		}
		value = config_options[i].value == NULL ? value : config_options[i].value;
		e = settings_set(&c->now, slice_str(setting_rows[which].name), slice_str(value),
				 why);
		c->is_told |= UINT32_C(1) << which;
	}
	return e;
}

enum err config_open(struct config *c, const struct args *args, struct errmsg *why)
{
	*c = (struct config){.is_told = 0};
	settings_defaults(&c->now);
	config_take_file(c);
	config_take_environment(c);
	enum err e = config_take_options(c, args, why);
	c->start = c->now;
	return e;
}

/* ---- saving ---- */

static void config_ignore(void *owner, size_t line, const char *what)
{
	(void)owner;
	(void)line;
	(void)what;
}

/* What the file is to say: what it says now, and what was chosen. */
static struct settings config_wanted(struct config *c, struct slice text)
{
	struct settings s;
	settings_defaults(&s);
	settings_parse(text, &s, config_ignore, NULL);
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (c->now.value[i] != c->start.value[i]) {
			c->is_told |= UINT32_C(1) << i;
		}
		if ((c->is_told & (UINT32_C(1) << i)) != 0) {
			s.value[i] = c->now.value[i];
		}
	}
	return s;
}

/* A directory that is there is the person's own business. */
static enum err config_make_dir(const char *dir, struct errmsg *why)
{
	struct stat st;
	return stat(dir, &st) == 0 ? OK : state_make_dir(dir, why);
}

enum err config_save(struct config *c, struct errmsg *why)
{
	char dir[XDG_DIR_BYTES];
	char path[PATH_MAX];
	struct buf old;
	struct buf text;
	why->text[0] = '\0';
	if (ssh_session_is_on()) {
		return OK; /* they last as long as the session */
	}
	buf_init(&old, CONFIG_BYTES_MAX);
	buf_init(&text, CONFIG_BYTES_MAX);
	enum err e = config_path(dir, path, why);
	if (e == OK) {
		e = config_read(path, &old, why);
	}
	if (e == OK) {
		struct settings wanted = config_wanted(c, buf_slice(&old));
		e = settings_format(buf_slice(&old), &wanted, &text);
	}
	if (e == OK && !slice_eq(buf_slice(&old), buf_slice(&text))) {
		e = config_make_dir(dir, why);
		e = e == OK ? text_file_replace(path, buf_slice(&text), why) : e;
	}
	buf_finish(&old);
	buf_finish(&text);
	if (e != OK && why->text[0] == '\0') {
		errmsg_set(why, "%s: %s", path, err_text(e));
	}
	return e;
}
