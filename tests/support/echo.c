/*
 * echo.c - shows what is typed, pasted, clicked and signalled; see echo.h.
 */
#include "tests/support/echo.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/tui/curses/screen_curses.h"
#include "client/tui/tui.h"

static int echo_signals[2]; /* a pipe: a signal that comes just before poll() must not be missed */

static void echo_on_signal(int number)
{
	(void)!write(echo_signals[1], number == SIGCONT ? "c" : "w", 1);
}

struct echo {
	const struct echo_start *start;
	struct screen *screen;
	struct grid grid;
	int events;
	bool is_behind; /* the grid is newer than the last frame */
	int frames;	/* of a flood, those that were made */
};

static int echo_fail(const char *what)
{
	(void)!write(STDOUT_FILENO, what, strlen(what));
	return 9;
}

static bool echo_paint(struct echo *e, const char *what)
{
	char line[400];
	snprintf(line, sizeof(line), "%d %s", e->events, what);
	grid_fill(&e->grid, 0, 1, e->grid.width, 1, STYLE_TEXT, " ");
	(void)grid_text(&e->grid, 0, 1, STYLE_OWN, line, -1);
	grid_cursor(&e->grid, 3, 4);
	enum err painted = screen_paint(e->screen, &e->grid);
	e->is_behind = painted == ERR_BUSY;
	return painted == OK || e->is_behind;
}

/* The terminal takes more; what it has not been shown yet follows. */
static bool echo_send(struct echo *e)
{
	if (screen_flush(e->screen) != OK) {
		return false;
	}
	if (e->is_behind && !screen_is_writing(e->screen)) {
		e->is_behind = false;
		return screen_paint(e->screen, &e->grid) == OK;
	}
	return true;
}

static bool echo_resize(struct echo *e)
{
	char line[80];
	int width;
	int height;
	screen_size(e->screen, &width, &height);
	grid_resize(&e->grid, width, height);
	snprintf(line, sizeof(line), "size %dx%d", width, height);
	(void)grid_text(&e->grid, 0, 0, STYLE_TITLE, line, -1);
	(void)grid_text(&e->grid, 0, 2, STYLE_CARD_BACK, "░░ 名前 e\xcc\x81" ECHO_DOUBTFUL, -1);
	(void)grid_text(&e->grid, 30, 2, STYLE_WARN, "X", -1);
	return echo_paint(e, "ready");
}

/* Deeper than any stack; the sum keeps compilers from making a loop of it. */
static size_t echo_sink(size_t depth)
{
	volatile char room[4096];
	room[0] = (char)depth;
	return depth == SIZE_MAX ? 0 : echo_sink(depth + 1) + (size_t)room[0];
}

/* Frames that have nothing in common, far more than an unread terminal takes. */
static void echo_flood(struct echo *e)
{
	enum { FRAMES = 200 };
	for (int i = 0; i < FRAMES; i++) {
		char letter[2] = {(char)('a' + i % 26), '\0'};
		grid_fill(&e->grid, 0, 3, e->grid.width, e->grid.height - 3, STYLE_TEXT, letter);
		enum err painted = screen_paint(e->screen, &e->grid);
		e->frames += painted == OK ? 1 : 0;
	}
	if (e->start->flooded >= 0) {
		(void)!write(e->start->flooded, "f", 1);
	}
}

/* The keys that do something; all others are only shown. */
static void echo_act(struct echo *e, int32_t key)
{
	switch (key) {
	case 'A':
		abort();
	case 'O':
		e->events += (int)echo_sink(0);
		break;
	case 'Z':
		(void)raise(SIGTSTP);
		break;
	case 'E':
		fputs("a warning\n", stderr);
		break;
	case 'B':
		screen_notify(e->screen, "Ada; waits\033]", true);
		break;
	case 'M':
		screen_set_mouse(e->screen, false);
		break;
	case 'L':
		grid_set_link(&e->grid, "https://example.org/\u00e4\033[2J");
		(void)grid_text(&e->grid, 0, 5, STYLE_TEXT, "a link", -1);
		grid_mark_link(&e->grid, 2, 5, 4);
		break;
	case 'N':
		screen_set_links(e->screen, HYPERLINKS_OFF);
		break;
	case 'F':
		echo_flood(e);
		break;
	}
}

/* One event; false when it is time to go. */
static bool echo_event(struct echo *e, enum screen_event event, int32_t key, struct slice paste)
{
	char line[300];
	e->events++;
	switch (event) {
	case SCREEN_KEY:
		if (key == 'q') {
			return false;
		}
		echo_act(e, key);
		snprintf(line, sizeof(line), "key %lx %d", (unsigned long)key, e->frames);
		return echo_paint(e, line);
	case SCREEN_PASTE:
		for (size_t i = 0; i < paste.len && i < 100; i++) {
			snprintf(line + 2 * i, sizeof(line) - 2 * i, "%02x",
				 (unsigned char)paste.data[i]);
		}
		return echo_paint(e, line);
	case SCREEN_CHANGED:
		return echo_resize(e) && echo_paint(e, "back");
	case SCREEN_MOUSE:
		snprintf(line, sizeof(line), "mouse %d %d %d", (int)screen_mouse(e->screen)->kind,
			 screen_mouse(e->screen)->x, screen_mouse(e->screen)->y);
		return echo_paint(e, line);
	case SCREEN_FOCUS_IN:
		return echo_paint(e, "here");
	case SCREEN_FOCUS_OUT:
		return echo_paint(e, "elsewhere");
	case SCREEN_GONE:
	case SCREEN_NOTHING:
		break;
	}
	return false;
}

/* False when it is time to go. */
static bool echo_turn(struct echo *e)
{
	struct pollfd p[] = {{.fd = STDIN_FILENO, .events = POLLIN},
			     {.fd = echo_signals[0], .events = POLLIN},
			     {.fd = screen_output(e->screen), .events = POLLOUT}};
	int32_t key = 0;
	struct slice paste = {0};
	enum screen_event event;
	char byte;
	bool goes_on = true;
	if (poll(p, screen_is_writing(e->screen) ? 3 : 2, -1) < 0) {
		return errno == EINTR;
	}
	if (p[2].revents != 0) {
		goes_on = echo_send(e);
	}
	if (p[1].revents != 0 && read(echo_signals[0], &byte, 1) == 1) {
		if (byte == 'c') {
			screen_resume(e->screen);
		} else {
			goes_on = echo_resize(e);
		}
	}
	while (goes_on && (event = screen_read(e->screen, &key, &paste)) != SCREEN_NOTHING) {
		goes_on = echo_event(e, event, key, paste);
	}
	return goes_on;
}

static bool echo_watch_signals(void)
{
	struct sigaction told = {.sa_handler = echo_on_signal};
	/* Sanitizers and cmocka take these for themselves; a program of its own would not. */
	static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
		(void)signal(crashes[i], SIG_DFL);
	}
	return pipe(echo_signals) == 0 && sigaction(SIGWINCH, &told, NULL) == 0 &&
	       sigaction(SIGCONT, &told, NULL) == 0;
}

int echo_run(void *arg)
{
	struct echo e = {.start = arg};
	if (!echo_watch_signals() || (e.start->is_loud && dup2(STDOUT_FILENO, STDERR_FILENO) < 0)) {
		return 6;
	}
	enum err opened = screen_open(&(struct screen_options){.term = e.start->term}, &e.screen);
	if (opened != OK) {
		(void)echo_fail("not opened");
		return opened == ERR_NOT_FOUND ? 4 : 5;
	}
	screen_set_mouse(e.screen, true);
	bool goes_on = echo_resize(&e);
	while (goes_on) {
		goes_on = echo_turn(&e);
	}
	screen_close(e.screen);
	grid_finish(&e.grid);
	return 0;
}
