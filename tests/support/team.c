/*
 * team.c - see team.h.
 */
#define _XOPEN_SOURCE 700

#include "tests/support/team.h"

#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEAM_PATIENCE_MS = 10000 };

/* Between the last vote and the reveal no test needs to wait. */
static const char *const team_server_args[] = {"--limit", "countdown_ms=100", NULL};

static const char *const team_peer_names[TEAM_PEERS_N] = {"Linus", "Margaret", "Katherine",
							  "Barbara"};

/* ---- what differs from run to run ---- */

static void team_mask_all(char *text, const char *what, const char *with)
{
	for (char *at = text; what[0] != '\0' && (at = strstr(at, what)) != NULL;) {
		memcpy(at, with, strlen(what));
		at += strlen(what);
	}
}

static bool team_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A timer, "4:58", and how long a round took, "12 s". */
static void team_mask_times(char *text)
{
	for (char *at = text + 1; *at != '\0'; at++) {
		if (at[0] == ':' && team_is_digit(at[-1]) && team_is_digit(at[1]) &&
		    team_is_digit(at[2]) && (at[3] == '\n' || at[3] == ' ')) {
			memcpy(at + 1, "00", 2);
			at[-1] = '9';
		}
		if (team_is_digit(at[-1]) && strncmp(at, " s ", 3) == 0) {
			at[-1] = '2';
			if (at - 2 >= text && team_is_digit(at[-2])) {
				at[-2] = ' ';
			}
		}
	}
}

static void team_mask(char *text, void *arg)
{
	const struct team *s = arg;
	team_mask_all(text, s->code, "K7QX3M");
	team_mask_all(text, s->server.dir, "/tmp/net-server");
	team_mask_times(text);
}

/* ---- people at terminals ---- */

struct team_visit {
	const struct team *s;
	int who;
	const char *words[4];
};

static int team_set_environment(const struct team *s, const char *name)
{
	char address[NET_PATH_BYTES + 8];
	char state[64];
	static const char *const unset[] = {"NO_COLOR", "COLORTERM", "TMUX",   "AYE_NAME",
					    "LANG",	"LINES",     "COLUMNS"};
	(void)snprintf(address, sizeof(address), "unix:%s", s->server.socket);
	(void)snprintf(state, sizeof(state), "%s/%s", s->home, name);
	const char *const set[][2] = {
		{"AYE_SERVER", address},
		{"XDG_STATE_HOME", state},
		{"HOME", state},
		{"XDG_CONFIG_HOME", state},
		{"LC_ALL", "C.UTF-8"},
		{"TZ", "UTC"},
		{"TERM", "xterm-256color"},
		{"USER", name},
	};
	int failed = 0;
	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++) {
		failed |= unsetenv(unset[i]);
	}
	for (size_t i = 0; i < sizeof(set) / sizeof(set[0]); i++) {
		failed |= setenv(set[i][0], set[i][1], 1);
	}
	return failed;
}

/* In the terminal's program: become aye. */
static int team_run_aye(void *arg)
{
	const struct team_visit *v = arg;
	const char *aye = getenv("AYE");
	const char *words[12] = {"aye"};
	size_t n = 1;
	if (aye == NULL || team_set_environment(v->s, v->who == ADA ? "Ada" : "Grace") != 0 ||
	    dup2(STDOUT_FILENO, STDERR_FILENO) < 0) {
		return 5;
	}
	for (size_t i = 0; v->words[i] != NULL; i++) {
		words[n++] = v->words[i];
	}
	words[n++] = "--theme";
	words[n++] = v->s->look.theme;
	if (v->s->look.is_ascii) {
		words[n++] = "--ascii";
	}
	(void)execv(aye, (char **)(uintptr_t)words);
	return 6;
}

void team_sits_down(struct team *s, int who, const char *verb, const char *word)
{
	struct team_visit v = {.s = s, .who = who, .words = {verb, word}};
	terminal_open(&s->terminals[who], s->look.width, s->look.height, "before", team_run_aye,
		      &v);
}

void team_types(struct team *s, int who, const char *keys)
{
	terminal_type(&s->terminals[who], keys);
}

static void team_tell_screen(struct team *s, int who)
{
	char *text = shots_text(s->shots, &s->terminals[who]);
	(void)fputs(text, stderr); /* cmocka's own prints cut what is long */
	free(text);
}

/* A timer on the screen is drawn for ever: it is the deadline that ends the wait. */
static bool team_takes_more(struct team *s, int who, int64_t until_ms)
{
	int64_t left_ms = until_ms - terminal_now_ms();
	return left_ms > 0 && terminal_take(&s->terminals[who], SIZE_MAX, (int)left_ms) > 0;
}

void team_sees(struct team *s, int who, const char *text)
{
	int64_t until_ms = terminal_now_ms() + TEAM_PATIENCE_MS;
	while (!terminal_shows(&s->terminals[who], text)) {
		if (!team_takes_more(s, who, until_ms)) {
			team_tell_screen(s, who);
			fail_msg("\"%s\" does not stand there", text);
		}
	}
}

void team_sees_no_more(struct team *s, int who, const char *text)
{
	int64_t until_ms = terminal_now_ms() + TEAM_PATIENCE_MS;
	while (terminal_shows(&s->terminals[who], text)) {
		if (!team_takes_more(s, who, until_ms)) {
			team_tell_screen(s, who);
			fail_msg("\"%s\" still stands there", text);
		}
	}
}

void team_both_see(struct team *s, const char *text)
{
	team_sees(s, ADA, text);
	team_sees(s, GRACE, text);
}

void team_goes_back(struct team *s, int who, const char *to)
{
	team_types(s, who, "\033");
	team_sees(s, who, to);
}

void team_shot(struct team *s, int who, const char *name)
{
	shots_take(s->shots, &s->terminals[who], name);
}

void team_leaves(struct team *s, int who, const char *keys)
{
	team_types(s, who, keys);
	assert_string_equal(terminal_wait_end(&s->terminals[who]), "exit 0");
	assert_string_equal(terminal_row(&s->terminals[who], 0), "before");
	terminal_close(&s->terminals[who]);
}

/* ---- the other four ---- */

static void team_peer_asks(struct team *s, int peer, const char *method, const char *more)
{
	char json[256];
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\"%s}", s->code, more);
	(void)net_must(&s->peers[peer].net, method, json);
}

void team_peer_votes(struct team *s, int peer, const char *card)
{
	char more[64];
	(void)snprintf(more, sizeof(more), ",\"vote\":\"%s\"", card);
	team_peer_asks(s, peer, "room.vote", more);
}

static void team_peer_connects(struct team *s, int peer)
{
	struct team_peer *p = &s->peers[peer];
	char json[128];
	net_peer_open(&p->net, net_connect(&s->server));
	net_hello(&p->net);
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\"%s%s%s}", s->code,
		       p->user_key[0] == '\0' ? "" : ",\"user_key\":\"", p->user_key,
		       p->user_key[0] == '\0' ? "" : "\"");
	net_field(net_must(&p->net, "room.subscribe", json), "user_key", p->user_key,
		  sizeof(p->user_key));
}

void team_peers_come_in(struct team *s)
{
	for (int i = 0; i < TEAM_PEERS_N; i++) {
		char more[64];
		team_peer_connects(s, i);
		(void)snprintf(more, sizeof(more), ",\"username\":\"%s\"", team_peer_names[i]);
		team_peer_asks(s, i, "room.join", more);
	}
}

void team_peers_come_back(struct team *s)
{
	for (int i = 0; i < TEAM_PEERS_N; i++) {
		team_peer_connects(s, i);
	}
}

/* ---- from the beginning to the end ---- */

static int team_remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

void team_begin(struct team *s, const struct team_look *look, struct shots *shots)
{
	*s = (struct team){.look = *look, .home = "/tmp/aye-session-XXXXXX"};
	s->shots = shots;
	shots->mask = team_mask;
	shots->arg = s;
	assert_non_null(mkdtemp(s->home));
	net_dir(&s->server);
	net_start(&s->server, team_server_args);
}

void team_end(struct team *s)
{
	for (int i = 0; i < TEAM_PEERS_N; i++) {
		net_peer_close(&s->peers[i].net);
	}
	assert_int_equal(net_end(&s->server, SIGTERM), 0);
	net_remove(&s->server);
	assert_int_equal(nftw(s->home, team_remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void team_server_dies(struct team *s)
{
	assert_int_equal(net_end(&s->server, SIGKILL), 1000 + SIGKILL);
	for (int i = 0; i < TEAM_PEERS_N; i++) {
		net_peer_close(&s->peers[i].net);
	}
}

void team_server_is_back(struct team *s)
{
	net_start(&s->server, team_server_args);
}
