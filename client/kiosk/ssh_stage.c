/*
 * ssh_stage.c - see ssh_stage.h.
 */
#include "client/kiosk/ssh_stage.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "client/kiosk/run_program.h"
#include "client/kiosk/ssh_kiosk.h"
#include "client/state/text_file.h"
#include "proto/base/format.h"

enum { STAGE_FILE_BYTES_MAX = 1 << 20 };

struct ssh_stage {
	const char *root, *user, *our_path, *our_text;
	char directory[PATH_MAX];
};

static enum err stage_fail(struct errmsg *why, const char *path)
{
	errmsg_set(why, "%s: %s", path, strerror(errno));
	return ERR_IO;
}

static enum err stage_write(const struct ssh_stage *s, const char *name, struct slice text,
			    struct errmsg *why)
{
	char path[PATH_MAX];
	(void)format_to(path, sizeof(path), "%s/%s", s->directory, name);
	return text_file_replace(path, text, why);
}

/* sshd_config, with what it includes of its directory included from the stage; the first word of the line is Include. */
static enum err stage_config(const struct ssh_stage *s, struct errmsg *why)
{
	static const char dir[] = "sshd_config.d/";
	char path[PATH_MAX];
	char line[4096];
	struct buf text;
	bool is_included = false;
	(void)format_to(path, sizeof(path), "%s/etc/ssh/sshd_config", s->root);
	FILE *from = fopen(path, "re");
	if (from == NULL) {
		return stage_fail(why, path);
	}
	buf_init(&text, STAGE_FILE_BYTES_MAX);
	while (fgets(line, sizeof(line), from) != NULL) {
		const char *word = line + strspn(line, " \t");
		char *at = strncasecmp(word, "include", 7) == 0 ? strstr(line, dir) : NULL;
		if (at == NULL) {
			buf_printf(&text, "%s", line);
			continue;
		}
		is_included = true;
		buf_printf(&text, "Include %s/%s", s->directory, at + sizeof(dir) - 1);
	}
	(void)fclose(from);
	enum err e = stage_write(s, "sshd_config", buf_slice(&text), why);
	buf_finish(&text);
	if (e == OK && !is_included) {
		errmsg_set(why,
			   "%s does not include " KIOSK_SSHD_DIR
			   "/*.conf: add that as its first line",
			   path);
		e = ERR_INVALID;
	}
	return e;
}

static enum err stage_others(const struct ssh_stage *s, struct errmsg *why)
{
	char path[PATH_MAX];
	enum err e = OK;
	(void)format_to(path, sizeof(path), "%s%s", s->root, KIOSK_SSHD_DIR);
	DIR *d = opendir(path);
	if (d == NULL) {
		return stage_fail(why, path);
	}
	for (const struct dirent *entry = readdir(d); entry != NULL && e == OK;
	     entry = readdir(d)) {
		const char *ending = strrchr(entry->d_name, '.');
		char at[2 * PATH_MAX];
		struct buf text;
		(void)format_to(at, sizeof(at), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] == '.' || ending == NULL || strcmp(ending, ".conf") != 0 ||
		    strcmp(at, s->our_path) == 0) {
			continue;
		}
		buf_init(&text, STAGE_FILE_BYTES_MAX);
		e = text_file_read(at, &text, why);
		e = e == OK ? stage_write(s, entry->d_name, buf_slice(&text), why) : e;
		buf_finish(&text);
	}
	(void)closedir(d);
	return e;
}

/* Whether the line, its first word in whatever case, is one of the text's. */
static bool stage_has_line(const char *text, const char *line, size_t len)
{
	for (const char *at = text; *at != '\0';) {
		size_t n = strcspn(at, "\n");
		if (n == len && strncasecmp(at, line, len) == 0) {
			return true;
		}
		at += n + (at[n] == '\n' ? 1 : 0);
	}
	return false;
}

/* Each line of ours is what counts for the user: of two values sshd takes the first. */
static enum err stage_check_counts(struct ssh_stage *s, const char *told, struct errmsg *why)
{
	for (const char *at = s->our_text; *at != '\0';) {
		size_t n = strcspn(at, "\n");
		if (*at == ' ' && !stage_has_line(told, at + 4, n - 4)) {
			errmsg_set(why,
				   "\"%.*s\" would not apply to %s: another line of sshd's "
				   "configuration comes before it",
				   (int)(n - 4), at + 4, s->user);
			return ERR_INVALID;
		}
		at += n + (at[n] == '\n' ? 1 : 0);
	}
	return OK;
}

/* The whole configuration as it is going to be, in a directory of its own. */
static enum err stage_ask_sshd(struct ssh_stage *s, struct errmsg *why)
{
	char config[PATH_MAX + 16];
	char of[KIOSK_USER_BYTES_MAX + 64];
	(void)format_to(config, sizeof(config), "%s/sshd_config", s->directory);
	(void)format_to(of, sizeof(of), "user=%s,host=localhost,addr=127.0.0.1", s->user);
	enum err e = stage_config(s, why);
	e = e == OK ? stage_others(s, why) : e;
	if (e == OK && s->our_text != NULL) {
		e = stage_write(s, strrchr(KIOSK_SSHD_FILE, '/') + 1, slice_str(s->our_text), why);
	}
	const char *test[] = {"/usr/sbin/sshd", "-t", "-f", config, NULL};
	const char *print[] = {"/usr/sbin/sshd", "-T", "-f", config, "-C", of, NULL};
	if (e == OK && !run_program(test, NULL, why)) {
		e = ERR_INVALID;
	}
	if (e != OK || s->our_text == NULL) {
		return e;
	}
	struct buf told;
	buf_init(&told, STAGE_FILE_BYTES_MAX);
	e = run_program(print, &told, why) ? buf_append(&told, "", 1) : ERR_INVALID;
	e = e == OK ? stage_check_counts(s, told.data, why) : e;
	buf_finish(&told);
	return e;
}

static void stage_remove(const struct ssh_stage *s)
{
	DIR *d = opendir(s->directory);
	for (const struct dirent *entry = d == NULL ? NULL : readdir(d); entry != NULL;
	     entry = readdir(d)) {
		char path[2 * PATH_MAX];
		(void)format_to(path, sizeof(path), "%s/%s", s->directory, entry->d_name);
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			(void)unlink(path);
		}
	}
	if (d != NULL) {
		(void)closedir(d);
	}
	(void)rmdir(s->directory);
}

enum err ssh_stage_check(const char *root, const char *user, const char *our_path,
			 const char *our_text, struct errmsg *why)
{
	struct ssh_stage s = {.root = root,
			      .user = user,
			      .our_path = our_path,
			      .our_text = our_text,
			      .directory = "/run/aye-ssh-setup.XXXXXX"};
	if (mkdtemp(s.directory) == NULL) {
		return stage_fail(why, s.directory);
	}
	enum err e = stage_ask_sshd(&s, why);
	stage_remove(&s);
	return e;
}
