/*
 * verb_ssh_setup.c - aye ssh-setup: the ssh kiosk of a host, made and taken away as root.
 *
 *   a user of the system, whom no password lets in, with a home that is root's
 *   /etc/ssh/aye-USER.keys               who may come in; not with --any-key
 *   /etc/ssh/sshd_config.d/00-aye.conf   what sshd does for that user: this program, and nothing else
 *   /etc/systemd/system/ayed.service.d/aye-ssh.conf   whom the server is to believe
 *
 * sshd has said yes to its whole new configuration before anything is changed. Where a step
 * fails, those before it are undone. 00-aye.conf says whether the user was made here: --remove
 * takes away what was.
 */
#define _DEFAULT_SOURCE /* fgetpwent() */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/kiosk/run_program.h"
#include "client/kiosk/ssh_keys.h"
#include "client/kiosk/ssh_kiosk.h"
#include "client/kiosk/ssh_stage.h"
#include "client/state/text_file.h"
#include "proto/base/format.h"

#define SETUP_USER_DEFAULT "vote"
#define SETUP_SHELL	   "/bin/sh"
#define SETUP_SYSTEMD_DIR  "/etc/systemd/system"
#define SETUP_UNIT_DIR	   SETUP_SYSTEMD_DIR "/ayed.service.d"
#define SETUP_UNIT_FILE	   SETUP_UNIT_DIR "/aye-ssh.conf"
#define SETUP_HEADER	   "# Created by aye ssh-setup; to remove it: aye ssh-setup --remove\n"
#define SETUP_MADE_USER	   "# made: user\n"
#define SETUP_MADE_HOME	   "# made: home\n"
enum {
	SETUP_FILE_BYTES_MAX = 1 << 20,
	SETUP_SYSTEM_UIDS = 1000, /* those below are no people's (login.defs(5)) */
};

/* What is at a path, and what is to be. */
struct setup_file {
	char path[PATH_MAX];
	struct buf old;
	struct buf now;
	bool was_there;
	bool is_wanted;
};

enum { SETUP_KEYS, SETUP_UNIT, SETUP_SSHD, SETUP_FILES };

struct setup {
	const char *root; /* before every path; "": this system */
	char user[KIOSK_USER_BYTES_MAX + 1];
	char home[PATH_MAX];		      /* without the root, as the user has it */
	struct setup_file files[SETUP_FILES]; /* sshd's comes last: it opens the door */
	bool has_any_key;
	bool has_user;	     /* the system does */
	bool is_users_maker; /* it was, or is to be, made here */
	bool is_homes_maker;
	bool has_systemd_dir;
	bool has_home;
	bool has_unit_dir;
	bool has_reloaded; /* or has begun to: who reads the files has seen them as they are to be */
};

/* The bytes as a C string, valid until more are appended. */
static const char *setup_text(struct buf *b)
{
	if (buf_append(b, "", 1) != OK) {
		return "";
	}
	b->len--;
	return b->data;
}

static enum err setup_fail(struct errmsg *why, const char *path)
{
	errmsg_set(why, "%s: %s", path, strerror(errno));
	return ERR_IO;
}

static void setup_path(const struct setup *s, const char *path, char out[PATH_MAX])
{
	(void)format_to(out, PATH_MAX, "%s%s", s->root, path);
}

static bool setup_is_there(const struct setup *s, const char *path)
{
	char at[PATH_MAX];
	setup_path(s, path, at);
	return access(at, F_OK) == 0;
}

/* ---- the user ---- */

/* The line of the user in ROOT/etc/passwd, the user of this system likewise. */
static enum err setup_find_user(struct setup *s, struct errmsg *why)
{
	char path[PATH_MAX];
	setup_path(s, "/etc/passwd", path);
	FILE *from = fopen(path, "re");
	if (from == NULL) {
		return setup_fail(why, path);
	}
	enum err e = OK;
	for (const struct passwd *p = fgetpwent(from); p != NULL; p = fgetpwent(from)) {
		if (strcmp(p->pw_name, s->user) != 0) {
			continue;
		}
		s->has_user = true;
		(void)format_to(s->home, sizeof(s->home), "%s", p->pw_dir);
		if (p->pw_uid == 0 || p->pw_uid >= SETUP_SYSTEM_UIDS ||
		    strcmp(p->pw_shell, SETUP_SHELL) != 0) {
			errmsg_set(why,
				   "there is already a user %s, not a system user with the "
				   "shell " SETUP_SHELL ": choose another (--user)",
				   s->user);
			e = ERR_INVALID;
		}
	}
	(void)fclose(from);
	return e;
}

static bool setup_make_user(const struct setup *s, struct errmsg *why)
{
	/* '*' is no password's hash; '!' would be a locked account, which sshd without PAM lets nobody into. */
	const char *words[] = {"/usr/sbin/useradd",
			       "--system",
			       "--user-group",
			       "--no-create-home",
			       "--home-dir",
			       s->home,
			       "--shell",
			       SETUP_SHELL,
			       "--password",
			       "*",
			       "--comment",
			       "aye over ssh",
			       s->user,
			       s->root[0] == '\0' ? NULL : "--prefix",
			       s->root,
			       NULL};
	return run_program(words, NULL, why);
}

static bool setup_remove_user(const struct setup *s, struct errmsg *why)
{
	const char *words[] = {"/usr/sbin/userdel", s->user, s->root[0] == '\0' ? NULL : "--prefix",
			       s->root, NULL};
	return run_program(words, NULL, why);
}

/* ---- what is to be in the files ---- */

/* Nobody but root may change what sshd runs: the program, and each directory above it. */
static enum err setup_find_program(const struct setup *s, char out[PATH_MAX], struct errmsg *why)
{
	char part[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 1);
	if (len <= 0) {
		return setup_fail(why, "/proc/self/exe");
	}
	out[len] = '\0';
	(void)format_to(part, sizeof(part), "%s", out);
	for (char *end = part + len; end != NULL; end = strrchr(part, '/')) {
		struct stat st;
		end[end == part ? 1 : 0] = '\0';
		if (stat(part, &st) != 0) {
			return setup_fail(why, part);
		}
		if (st.st_uid != 0 || (st.st_mode & 022) != 0) {
			errmsg_set(why,
				   "%s is writable by others than root, who could then take over "
				   "the kiosk. Install aye first, as with make install",
				   part);
			return ERR_INVALID;
		}
		if (end == part) {
			break;
		}
	}
	size_t root_len = strlen(s->root);
	if (root_len > 0 && strncmp(out, s->root, root_len) == 0) {
		memmove(out, out + root_len, strlen(out + root_len) + 1);
	}
	if (strpbrk(out, " \t\"'\\#") != NULL) {
		errmsg_set(why, "%s: sshd would read that path as several words", out);
		return ERR_INVALID;
	}
	return OK;
}

static enum err setup_plan_keys(struct setup *s, const char *name, struct errmsg *why)
{
	struct setup_file *f = &s->files[SETUP_KEYS];
	f->is_wanted = !s->has_any_key;
	if (s->has_any_key) {
		return OK;
	}
	enum err e = text_file_read(name, &f->now, why);
	return e == OK ? ssh_keys_check(buf_slice(&f->now), name, why) : e;
}

static enum err setup_plan_sshd(struct setup *s, struct errmsg *why)
{
	char program[PATH_MAX];
	char keys[PATH_MAX];
	struct buf *b = &s->files[SETUP_SSHD].now;
	enum err e = setup_find_program(s, program, why);
	if (e != OK) {
		return e;
	}
	(void)format_to(keys, sizeof(keys), "/etc/ssh/aye-%s.keys", s->user);
	buf_printf(b,
		   SETUP_HEADER "%s%s" KIOSK_MATCH "%s\n"
				"    ForceCommand %s --ssh-session\n"
				"    ExposeAuthInfo yes\n"
				"    AuthenticationMethods publickey\n"
				"    PubkeyAuthentication yes\n"
				"    AuthorizedKeysFile %s\n"
				"    AuthorizedKeysCommand %s\n"
				"    AuthorizedKeysCommandUser nobody\n",
		   s->is_users_maker ? SETUP_MADE_USER : "",
		   s->is_homes_maker ? SETUP_MADE_HOME : "", s->user, program,
		   s->has_any_key ? "none" : keys,
		   s->has_any_key ? "/usr/bin/echo restrict,pty %t %k" : "none");
	/* DisableForwarding leaves X11 and the agent open in OpenSSH before 10 (CVE-2025-32728). */
	buf_printf(b, "%s",
		   "    TrustedUserCAKeys none\n"
		   "    AuthorizedPrincipalsFile none\n"
		   "    DisableForwarding yes\n"
		   "    AllowTcpForwarding no\n"
		   "    AllowStreamLocalForwarding no\n"
		   "    AllowAgentForwarding no\n"
		   "    X11Forwarding no\n"
		   "    GatewayPorts no\n"
		   "    PermitTunnel no\n"
		   "    PermitTTY yes\n"
		   "    PermitUserRC no\n"
		   "    ChrootDirectory none\n"
		   "    AcceptEnv COLORTERM\n"
		   "    SetEnv LC_ALL=C.UTF-8\n"
		   "    ClientAliveInterval 15\n"
		   "    ClientAliveCountMax 3\n"
		   "    MaxSessions 1\n");
	s->files[SETUP_SSHD].is_wanted = true;
	return OK;
}

static void setup_plan_unit(struct setup *s)
{
	struct setup_file *f = &s->files[SETUP_UNIT];
	f->is_wanted = s->has_systemd_dir;
	buf_printf(&f->now,
		   "# Of aye ssh-setup. With a user table of its own the service would not see who "
		   "asks.\n"
		   "[Service]\n"
		   "Environment=AYED_KIOSK_USER=%s\n"
		   "PrivateUsers=no\n",
		   s->user);
}

static enum err setup_look(struct setup *s, size_t which, const char *path, struct errmsg *why)
{
	struct setup_file *f = &s->files[which];
	setup_path(s, path, f->path);
	f->was_there = access(f->path, F_OK) == 0;
	return f->was_there ? text_file_read(f->path, &f->old, why) : OK;
}

static enum err setup_check(struct setup *s, struct errmsg *why)
{
	struct setup_file *f = &s->files[SETUP_SSHD];
	enum err e = ssh_stage_check(s->root, s->user, f->path,
				     f->is_wanted ? setup_text(&f->now) : NULL, why);
	if (e == OK) {
		(void)print_line("sshd -t accepts the new configuration");
	}
	return e;
}

/* ---- the steps, each of which can be undone ---- */

static enum err setup_put(const char *path, bool is_wanted, const struct buf *text,
			  struct errmsg *why)
{
	if (is_wanted) {
		return text_file_replace(path, buf_slice(text), why);
	}
	return unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR ? OK
									: setup_fail(why, path);
}

static bool setup_is_same(const struct setup_file *f)
{
	return f->was_there == f->is_wanted &&
	       (!f->is_wanted || slice_eq(buf_slice(&f->old), buf_slice(&f->now)));
}

static enum err setup_change_file(const struct setup_file *f, struct errmsg *why)
{
	if (setup_is_same(f)) {
		return OK;
	}
	enum err e = setup_put(f->path, f->is_wanted, &f->now, why);
	if (e == OK) {
		(void)print_line("%s %s", f->is_wanted ? "wrote" : "removed", f->path);
	}
	return e;
}

static enum err setup_make_dir(const struct setup *s, const char *dir, bool was_there,
			       struct errmsg *why)
{
	char path[PATH_MAX];
	setup_path(s, dir, path);
	if (was_there || mkdir(path, 0755) == 0) {
		(void)(was_there || print_line("created %s", path));
		return OK;
	}
	return setup_fail(why, path);
}

/* Only where it is empty: what is in it is somebody else's. */
static void setup_drop_dir(const struct setup *s, const char *dir)
{
	char path[PATH_MAX];
	setup_path(s, dir, path);
	if (rmdir(path) == 0) {
		(void)print_line("removed %s", path);
	}
}

static enum err setup_reload(struct setup *s, struct errmsg *why)
{
	static const char *const commands[][5] = {
		{"/usr/bin/systemctl", "daemon-reload", NULL},
		/* With ssh.socket none runs until somebody comes. */
		{"/usr/bin/systemctl", "try-reload-or-restart", "ssh.service", NULL},
		{"/usr/bin/systemctl", "try-restart", "ayed.service", NULL},
	};
	if (s->root[0] != '\0') {
		return OK;
	}
	if (access("/run/systemd/system", F_OK) != 0) {
		(void)print_line(
			"No systemd here: make sshd read its configuration again (SIGHUP)");
		return OK;
	}
	s->has_reloaded = true;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!run_program(commands[i], NULL, why)) {
			return ERR_IO;
		}
		(void)print_line("systemctl %s%s%s", commands[i][1],
				 commands[i][2] == NULL ? "" : " ",
				 commands[i][2] == NULL ? "" : commands[i][2]);
	}
	return OK;
}

/* The files as they were, told to those who have read the others, and then, where it was made in this run, the user. */
static void setup_undo(struct setup *s, bool did_user)
{
	struct errmsg why = {""};
	bool is_undone = true;
	for (size_t i = SETUP_FILES; i-- > 0;) {
		const struct setup_file *f = &s->files[i];
		is_undone = (setup_is_same(f) ||
			     setup_put(f->path, f->was_there, &f->old, &why) == OK) &&
			    is_undone;
	}
	if (!s->has_unit_dir) {
		setup_drop_dir(s, SETUP_UNIT_DIR);
	}
	if (!s->has_home && s->home[0] != '\0') {
		setup_drop_dir(s, s->home);
	}
	is_undone = (!s->has_reloaded || setup_reload(s, &why) == OK) && is_undone;
	is_undone = (!did_user || setup_remove_user(s, &why)) && is_undone;
	print_problem("%s%s",
		      is_undone ? "all changes were undone" : "some changes could not be undone: ",
		      is_undone ? "" : print_soft(slice_str(why.text)));
}

static enum err setup_change_files(const struct setup *s, struct errmsg *why)
{
	enum err e = OK;
	for (size_t i = 0; i < SETUP_FILES && e == OK; i++) {
		e = setup_change_file(&s->files[i], why);
	}
	return e;
}

/* ---- the two ways ---- */

static enum err setup_make(struct setup *s, struct errmsg *why)
{
	bool is_same = s->has_user && s->has_home;
	bool did_user = false;
	for (size_t i = 0; i < SETUP_FILES; i++) {
		is_same = is_same && setup_is_same(&s->files[i]);
	}
	enum err e = setup_check(s, why);
	if (e != OK || is_same) {
		(void)(e != OK ||
		       print_line("nothing to change. To connect: ssh -t %s@HOST CODE", s->user));
		return e;
	}
	if (!s->has_user) {
		did_user = setup_make_user(s, why);
		e = did_user ? OK : ERR_IO;
		(void)(!did_user || print_line("created the user %s", s->user));
	}
	e = e == OK ? setup_make_dir(s, s->home, s->has_home, why) : e;
	if (e == OK && s->files[SETUP_UNIT].is_wanted) {
		e = setup_make_dir(s, SETUP_UNIT_DIR, s->has_unit_dir, why);
	}
	e = e == OK ? setup_change_files(s, why) : e;
	e = e == OK ? setup_reload(s, why) : e;
	if (e != OK) {
		setup_undo(s, did_user);
		return e;
	}
	if (!s->files[SETUP_UNIT].is_wanted || access("/run/systemd/system", F_OK) != 0) {
		(void)print_line("Start the server with --kiosk-user %s", s->user);
	}
	(void)print_line("To connect: ssh -t %s@HOST CODE", s->user);
	return OK;
}

static enum err setup_remove(struct setup *s, struct errmsg *why)
{
	for (size_t i = 0; i < SETUP_FILES; i++) {
		s->files[i].is_wanted = false;
	}
	enum err e = setup_check(s, why);
	if (e != OK) {
		return e;
	}
	e = setup_change_files(s, why);
	e = e == OK ? setup_reload(s, why) : e;
	if (e == OK && s->is_users_maker && s->has_user && !setup_remove_user(s, why)) {
		e = ERR_IO; /* somebody is in, say */
	}
	if (e != OK) {
		s->has_unit_dir = s->has_home = true; /* they are there still */
		setup_undo(s, false);
		return e;
	}
	setup_drop_dir(s, SETUP_UNIT_DIR);
	if (s->is_users_maker && s->has_user) {
		(void)print_line("removed the user %s", s->user);
	}
	if (s->is_homes_maker) {
		setup_drop_dir(s, s->home);
	}
	return OK;
}

/* What lies in a home of theirs, programs read. */
static enum err setup_check_home(const struct setup *s, struct errmsg *why)
{
	char path[PATH_MAX];
	struct stat st;
	setup_path(s, s->home, path);
	if (stat(path, &st) != 0) {
		return setup_fail(why, path);
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != 0 || (st.st_mode & 022) != 0) {
		errmsg_set(why,
			   "%s is not a directory that only root can change: choose another user "
			   "(--user)",
			   path);
		return ERR_INVALID;
	}
	return OK;
}

static enum err setup_plan(struct cli *c, struct setup *s, struct errmsg *why)
{
	char keys[PATH_MAX];
	char was[KIOSK_USER_BYTES_MAX + 1] = "";
	const char *user = c->args.value[OPTION_USER];
	enum err e = setup_look(s, SETUP_SSHD, KIOSK_SSHD_FILE, why);
	if (e != OK) {
		return e;
	}
	struct slice old = buf_slice(&s->files[SETUP_SSHD].old);
	bool is_set_up = ssh_kiosk_user(old, was);
	if (s->files[SETUP_SSHD].was_there &&
	    (!is_set_up || !slice_starts(old, SLICE(SETUP_HEADER)))) {
		errmsg_set(why,
			   "%s was changed since aye ssh-setup created it: move it away, or "
			   "restore its first line and the one with " KIOSK_MATCH,
			   s->files[SETUP_SSHD].path);
		return ERR_INVALID;
	}
	if (is_set_up && user != NULL && strcmp(user, was) != 0) {
		errmsg_set(
			why,
			"the kiosk of this host is %s: remove it first with aye ssh-setup --remove",
			was);
		return ERR_INVALID;
	}
	(void)format_to(s->user, sizeof(s->user), "%s",
			is_set_up      ? was
			: user == NULL ? SETUP_USER_DEFAULT
				       : user);
	(void)format_to(s->home, sizeof(s->home), "/var/lib/%s", s->user);
	(void)format_to(keys, sizeof(keys), "/etc/ssh/aye-%s.keys", s->user);
	e = setup_find_user(s, why);
	e = e == OK ? setup_look(s, SETUP_KEYS, keys, why) : e;
	e = e == OK ? setup_look(s, SETUP_UNIT, SETUP_UNIT_FILE, why) : e;
	const char *made = setup_text(&s->files[SETUP_SSHD].old);
	s->has_home = setup_is_there(s, s->home);
	s->is_users_maker = is_set_up ? strstr(made, SETUP_MADE_USER) != NULL : !s->has_user;
	s->is_homes_maker = is_set_up ? strstr(made, SETUP_MADE_HOME) != NULL : !s->has_home;
	s->has_systemd_dir = setup_is_there(s, SETUP_SYSTEMD_DIR);
	s->has_unit_dir = setup_is_there(s, SETUP_UNIT_DIR);
	if (e != OK || c->args.value[OPTION_REMOVE] != NULL) {
		return e;
	}
	e = s->has_home ? setup_check_home(s, why) : OK;
	e = e == OK ? setup_plan_keys(s, c->args.value[OPTION_KEYS], why) : e;
	e = e == OK ? setup_plan_sshd(s, why) : e;
	setup_plan_unit(s);
	return e;
}

static int setup_check_args(const struct cli *c)
{
	const char *user = c->args.value[OPTION_USER];
	const char *root = c->args.value[OPTION_ROOT];
	bool removes = c->args.value[OPTION_REMOVE] != NULL;
	bool has_keys = c->args.value[OPTION_KEYS] != NULL;
	bool has_any_key = c->args.value[OPTION_ANY_KEY] != NULL;
	if (removes ? has_keys || has_any_key : has_keys == has_any_key) {
		print_problem("%s", removes ? "--remove does not take keys"
					    : "--keys FILE or --any-key is required, not both");
		return EXIT_USAGE;
	}
	if (user != NULL && !ssh_kiosk_is_user(user)) {
		print_problem("--user: %s is not a valid user name", print_typed(user));
		return EXIT_USAGE;
	}
	if (root != NULL && (root[0] != '/' || strlen(root) > PATH_MAX / 2)) {
		print_problem("--root must be an absolute path");
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

int verb_ssh_setup(struct cli *c)
{
	static struct setup s;
	struct errmsg why = {""};
	int code = setup_check_args(c);
	if (code == EXIT_DONE && geteuid() != 0) {
		print_problem("only root can set up a user and sshd");
		code = EXIT_REFUSED;
	}
	if (code != EXIT_DONE) {
		return code;
	}
	(void)umask(022); /* what is written, all may read, and root alone writes */
	const char *root = c->args.value[OPTION_ROOT];
	s.root = root == NULL || strcmp(root, "/") == 0 ? "" : root;
	s.has_any_key = c->args.value[OPTION_ANY_KEY] != NULL;
	for (size_t i = 0; i < SETUP_FILES; i++) {
		buf_init(&s.files[i].old, SETUP_FILE_BYTES_MAX);
		buf_init(&s.files[i].now, SETUP_FILE_BYTES_MAX);
	}
	bool removes = c->args.value[OPTION_REMOVE] != NULL;
	enum err e = setup_plan(c, &s, &why);
	if (e == OK && removes && !s.files[SETUP_SSHD].was_there) {
		(void)print_line("nothing to remove: this host has no ssh kiosk");
	} else if (e == OK) {
		e = removes ? setup_remove(&s, &why) : setup_make(&s, &why);
	}
	for (size_t i = 0; i < SETUP_FILES; i++) {
		buf_finish(&s.files[i].old);
		buf_finish(&s.files[i].now);
	}
	if (e != OK) {
		print_problem("%s", print_soft(slice_str(why.text)));
	}
	return e == OK ? EXIT_DONE : EXIT_REFUSED;
}
