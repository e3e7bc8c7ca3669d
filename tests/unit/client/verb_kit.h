/*
 * verb_kit.h - a verb run as people run it, against a server that obeys a script.
 *
 * The verb runs in a process of its own, with a home of its own; what it says
 * on stdout and stderr is kept, and its exit code.
 */
#ifndef TESTS_UNIT_CLIENT_VERB_KIT_H
#define TESTS_UNIT_CLIENT_VERB_KIT_H

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/cli/verbs.h"
#include "client/state/state.h"
#include "proto/keys/random.h"
#include "tests/support/scripted.h"
#include "tests/support/test.h"

#define KEY  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define KEY2 "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA"
#define CODE "K7QX3M"

enum { VERB_SAID_BYTES = 65536, VERB_WORDS_MAX = 24, VERB_PATIENCE_S = 60 };

struct verb_desk {
	struct scripted server;
	char home[64];
	struct state state; /* what the verbs remember */
	const char *input;  /* of the verbs: text on standard input; NULL: nothing */
	int code;
	char out[VERB_SAID_BYTES];
	char err[VERB_SAID_BYTES];
};

static inline void verb_desk_open(struct verb_desk *d)
{
	struct errmsg why = {""};
	*d = (struct verb_desk){.home = "/tmp/aye-verb-XXXXXX"};
	assert_true(crypto_start());
	scripted_open(&d->server);
	assert_non_null(mkdtemp(d->home));
	assert_int_equal(setenv("HOME", d->home, 1), 0);
	assert_int_equal(setenv("XDG_STATE_HOME", d->home, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", d->home, 1), 0);
	assert_int_equal(setenv("AYE_SERVER", d->server.address, 1), 0);
	assert_int_equal(setenv("AYE_NAME", "Ada", 1), 0);
	assert_int_equal(state_open(&d->state, &why), OK);
}

static inline int verb_remove(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

static inline void verb_desk_close(struct verb_desk *d)
{
	scripted_close(&d->server);
	assert_int_equal(nftw(d->home, verb_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* A descriptor to read the text from, to its end. */
static inline int verb_input(const char *text)
{
	char path[] = "/tmp/aye-input-XXXXXX";
	int fd = text == NULL ? open("/dev/null", O_RDONLY) : mkstemp(path);
	if (text != NULL && (unlink(path) != 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) ||
			     lseek(fd, 0, SEEK_SET) != 0)) {
		_exit(126);
	}
	return fd;
}

static inline void verb_become(const char *line, const char *input, int out, int err)
{
	static char text[1024];
	static char program[] = "aye";
	char *argv[VERB_WORDS_MAX] = {program};
	int argc = 1;
	char *rest = NULL;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	int in = verb_input(input);
	(void)sigaction(SIGPIPE, &ignore, NULL);
	(void)snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok_r(text, "|", &rest); word != NULL; word = strtok_r(NULL, "|", &rest)) {
		argv[argc++] = word;
	}
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0) {
		_exit(126);
	}
	exit(verbs_main(argc, argv));
}

static inline void verb_take(int fd, char *said)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t len = strlen(said);
	while (poll(&p, 1, 0) > 0) {
		ssize_t n = read(fd, said + len, VERB_SAID_BYTES - 1 - len);
		if (n <= 0) {
			return;
		}
		len += (size_t)n;
		said[len] = '\0';
		assert_true(len < VERB_SAID_BYTES - 1);
	}
}

/* Run `aye` with these words, parted by "|", to its end; code, out and err tell of it. */
static inline void verb_run(struct verb_desk *d, const char *line)
{
	int out[2];
	int err[2];
	int status = 0;
	time_t end = time(NULL) + VERB_PATIENCE_S;
	assert_int_equal(pipe(out), 0);
	assert_int_equal(pipe(err), 0);
	d->out[0] = d->err[0] = '\0';
	(void)fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		verb_become(line, d->input, out[1], err[1]);
	}
	(void)close(out[1]);
	(void)close(err[1]);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		scripted_turn(&d->server, 5);
		verb_take(out[0], d->out);
		verb_take(err[0], d->err);
		if (time(NULL) > end) {
			(void)kill(pid, SIGKILL);
			(void)waitpid(pid, &status, 0);
			fail_msg("aye %s does not end; it said: %s%s", line, d->out, d->err);
		}
	}
	verb_take(out[0], d->out);
	verb_take(err[0], d->err);
	(void)close(out[0]);
	(void)close(err[0]);
	/* What came behind the client's end is no part of the next run. */
	scripted_turn(&d->server, 0);
	scripted_drop(&d->server);
	if (!WIFEXITED(status)) {
		fail_msg("aye %s ended by signal %d: %s", line, WTERMSIG(status), d->err);
	}
	d->code = WEXITSTATUS(status);
}

/* Likewise, and it must end with this code. */
static inline void verb_ends(struct verb_desk *d, const char *line, int code)
{
	verb_run(d, line);
	if (d->code != code) {
		fail_msg("aye %s ended with %d, not %d: %s%s", line, d->code, code, d->out, d->err);
	}
}

/* Nothing that a terminal would obey, nor an odd character, came out. */
static inline void verb_assert_clean(const struct verb_desk *d)
{
	const char *const said[] = {d->out, d->err};
	for (size_t i = 0; i < 2; i++) {
		for (const char *at = said[i]; *at != '\0'; at++) {
			unsigned char c = (unsigned char)*at;
			if ((c < ' ' && c != '\n') || c == 0x7f) {
				fail_msg("byte %02x in: %s", c, said[i]);
			}
		}
	}
}

/* Ada, whose seat is the one that least of all subscriptions gives, and Grace; one story. */
static inline struct room_update room_of_two(struct scripted *s)
{
	static struct user_view users[2];
	static struct story_view story;
	static struct slice cards[] = {{"1", 1}, {"2", 1}, {"5", 1}};
	static const char *const names[] = {"Ada", "Grace"};
	static const char *const ids[] = {"1", "U2"};
	struct room_update u;
	scripted_least(s, &record_room_update, &u);
	u.full = u.with_full = true;
	u.since = u.version = 1;
	u.with_room = true;
	scripted_least(s, &record_room_view, &u.room);
	u.room.valid_sizes = (struct slices){cards, 3};
	u.room.phase = PHASE_VOTING;
	u.room.policy.who_reveals = WHO_MAY_HOST;
	u.room.policy.who_resets = WHO_MAY_HOST;
	u.room.policy.who_edits_stories = WHO_MAY_EVERYONE;
	for (size_t i = 0; i < 2; i++) {
		scripted_least(s, &record_user_view, &users[i]);
		users[i].user_id = slice_str(ids[i]);
		users[i].username = slice_str(names[i]);
		users[i].with_username = true;
		users[i].role = ROLE_VOTER;
		users[i].is_connected = true;
	}
	u.users = users;
	u.users_n = 2;
	u.with_users = true;
	scripted_least(s, &record_story_view, &story);
	story.story_id = SLICE("S1");
	story.title = SLICE("Story");
	story.status = STORY_TODO;
	u.stories = &story;
	u.stories_n = 1;
	u.with_stories = true;
	return u;
}

/* A server with the room of this full update: who subscribes is Ada. */
static inline void play_room_of(struct verb_desk *d, const struct room_update *u,
				const struct scripted_rule *first, size_t first_n)
{
	struct scripted_rule rules[SCRIPTED_RULES_MAX] = {{.method = NULL}};
	struct room_you y;
	scripted_least(&d->server, &record_room_you, &y);
	y.username = SLICE("Ada");
	y.role = ROLE_VOTER;
	struct slice room = scripted_bytes(&d->server, &record_room_update, u);
	struct slice you = scripted_bytes(&d->server, &record_room_you, &y);
	assert_true(first_n + 2 <= SCRIPTED_RULES_MAX);
	if (first_n > 0) {
		memcpy(rules, first, first_n * sizeof(*first));
	}
	rules[first_n] = (struct scripted_rule){.method = "room.get", .raw = room};
	rules[first_n + 1] = (struct scripted_rule){
		.method = "room.subscribe",
		.notices = {{"room.you", you}, {"room.update", room}},
	};
	scripted_play(&d->server, rules, first_n + 2);
}

static inline void play_room(struct verb_desk *d, const struct scripted_rule *first, size_t first_n)
{
	struct room_update u = room_of_two(&d->server);
	play_room_of(d, &u, first, first_n);
}

static inline void keep_host_key(struct verb_desk *d)
{
	struct errmsg why = {""};
	assert_int_equal(state_keep_host_key(&d->state, d->server.address, CODE, KEY, &why), OK);
}

#endif
