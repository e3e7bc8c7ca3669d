/*
 * terminal_life.c - aye on a real pty with a real server: bursts and slow
 * terminals, stops and signals, no memory, and what it does when nothing happens.
 *
 * One client sits in a room of its own from the first test to the last and is
 * left alone; the others take their time meanwhile, so it costs none.
 */
#define _GNU_SOURCE /* prlimit */
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/net_kit.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

enum { QUIET_MS = 10000, PATIENCE_MS = 30000, FRAMES_A_SECOND = 60 };

struct room {
	char id[32];
	char host_key[128];
};

/* How much one client has done so far. */
struct deeds {
	size_t bytes;
	long switches; /* how often it went to sleep */
	long ticks;    /* of the CPU */
};

static struct net_server server;
static char home[] = "/tmp/aye-life-XXXXXX"; /* what the clients keep */
static struct net_peer peer;		     /* makes rooms, and changes them */
static struct room quiet_room;
static struct terminal quiet;
static struct deeds quiet_deeds;
static int64_t quiet_since_ms;

static int64_t now_ms(void)
{
	struct timespec now;
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- rooms and those who sit in them ---- */

static void make_room(struct room *r)
{
	const char *made = net_must(&peer, "room.create", "{\"title\":\"First\"}");
	net_field(made, "room_id", r->id, sizeof(r->id));
	net_field(made, "host_key", r->host_key, sizeof(r->host_key));
}

static uint32_t ask_title(const struct room *r, const char *title)
{
	char json[256];
	(void)snprintf(json, sizeof(json),
		       "{\"room_id\":\"%s\",\"host_key\":\"%s\",\"title\":\"%s\"}", r->id,
		       r->host_key, title);
	return net_request(&peer, "room.set_title", json);
}

static void set_title(const struct room *r, const char *title)
{
	assert_non_null(strstr(net_response(&peer, ask_title(r, title)), ",null,{"));
}

/* In the terminal's program: become aye. arg: the room's id. */
static int run_aye(void *arg)
{
	char address[NET_PATH_BYTES + 8];
	const char *aye = getenv("AYE");
	(void)snprintf(address, sizeof(address), "unix:%s", server.socket);
	bool is_set =
		setenv("AYE_SERVER", address, 1) == 0 && setenv("LC_ALL", "C.UTF-8", 1) == 0 &&
		setenv("XDG_STATE_HOME", home, 1) == 0 && setenv("XDG_CONFIG_HOME", home, 1) == 0 &&
		setenv("TERM", "xterm-256color", 1) == 0 &&
		/* Crashes are to be those of a program that is not looked into. */
		setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0", 1) == 0;
	if (!is_set || aye == NULL || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) {
		return 5;
	}
	(void)execl(aye, "aye", "join", (const char *)arg, "--name", "Ada", (char *)NULL);
	return 6;
}

static void sit_down(struct terminal *t, struct room *r, int width, int height)
{
	terminal_open(t, width, height, "before", run_aye, r->id);
	terminal_wait_row(t, 0, " aye · First · ");
	while (strstr(terminal_row(t, 0), "1 here") == NULL) {
		assert_true(terminal_take(t, SIZE_MAX, PATIENCE_MS) > 0);
	}
}

static void leave(struct terminal *t)
{
	terminal_type(t, "q");
	assert_string_equal(terminal_wait_end(t), "exit 0");
	terminal_close(t);
}

static void assert_as_before(struct terminal *t)
{
	static const char *const modes[] = {"2004", "1004", "1000", "1002", "1006"};
	assert_true(terminal_is_restored(t));
	assert_false(t->is_alternate);
	assert_true(t->is_cursor_shown);
	assert_string_equal(terminal_row(t, 0), "before");
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		char on[16];
		char off[16];
		(void)snprintf(on, sizeof(on), "\033[?%sh", modes[i]);
		(void)snprintf(off, sizeof(off), "\033[?%sl", modes[i]);
		assert_true(terminal_has_received(t, off));
		assert_false(terminal_is_on(t, on, off));
	}
}

/* ---- what a process has done, as the kernel counts ---- */

static long number_behind(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	assert_non_null(at);
	return strtol(at + strlen(name), NULL, 10);
}

static void read_of(pid_t pid, const char *what, char *out, size_t cap)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, what);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	out[fread(out, 1, cap - 1, f)] = '\0';
	assert_int_equal(fclose(f), 0);
}

static struct deeds deeds_of(const struct terminal *t)
{
	char text[4096];
	struct deeds d = {.bytes = t->bytes};
	read_of(t->program, "status", text, sizeof(text));
	d.switches = number_behind(text, "\nvoluntary_ctxt_switches:");
	read_of(t->program, "stat", text, sizeof(text));
	long user = 0;
	long system = 0;
	/* Behind the name: the state, ten numbers, then the two. */
	assert_int_equal(sscanf(strrchr(text, ')'),
				") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld %ld", &user,
				&system),
			 2);
	d.ticks = user + system;
	return d;
}

static void be_quiet(void)
{
	enum { SETTLED_MS = 300 };
	while (terminal_take(&quiet, SIZE_MAX, SETTLED_MS) > 0) {
	}
	quiet_deeds = deeds_of(&quiet);
	quiet_since_ms = now_ms();
}

/* ---- tests ---- */

/* Somebody else in the room sits down, or changes the name. */
static uint32_t ask_name(const struct room *r, int number)
{
	char json[96];
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\",\"username\":\"n%d\"}", r->id,
		       number);
	return net_request(&peer, "room.join", json);
}

static bool stands_there(struct terminal *t, const char *text)
{
	bool stands = false;
	for (int row = 0; row < 24 && !stands; row++) {
		stands = strstr(terminal_row(t, row), text) != NULL;
	}
	return stands;
}

static void be_renamed(const struct room *r, struct terminal *t, int times, int under_way)
{
	uint32_t first = 0;
	for (int i = 0; i < times + under_way; i++) {
		if (i < times) {
			uint32_t msgid = ask_name(r, i);
			first = i == 0 ? msgid : first;
		}
		if (i >= under_way) {
			uint32_t msgid = first + (uint32_t)(i - under_way);
			assert_non_null(strstr(net_response(&peer, msgid), ",null,{"));
		}
		(void)terminal_take(t, SIZE_MAX, 0);
	}
}

TEST(test_a_burst_of_a_thousand_updates_costs_at_most_sixty_frames_a_second)
{
	enum { UPDATES = 1000, UNDER_WAY = 10 };
	static struct terminal t;
	struct room r;
	char json[64];
	make_room(&r);
	sit_down(&t, &r, 80, 24);
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\"}", r.id);
	(void)net_must(&peer, "room.subscribe", json);
	while (terminal_take(&t, SIZE_MAX, 0) > 0) {
	}
	/* Between these two instants lie all frames that are counted. */
	size_t frames = t.cursors;
	int64_t begun_ms = now_ms();
	be_renamed(&r, &t, UPDATES, UNDER_WAY);
	while (!stands_there(&t, "n999")) {
		assert_true(terminal_take(&t, SIZE_MAX, PATIENCE_MS) > 0);
	}
	int64_t took_ms = now_ms() - begun_ms;
	frames = t.cursors - frames;
	print_message("# %zu frames in %lld ms\n", frames, (long long)took_ms);
	assert_in_range(frames, 1, took_ms * FRAMES_A_SECOND / 1000 + 2);
	(void)net_must(&peer, "room.unsubscribe", json);
	leave(&t);
}

/* Whether our own seat has a vote now, as somebody else in the room hears it. */
static void wait_for_vote(bool has_vote)
{
	const char *wanted = has_vote ? "\"has_vote\":true" : "\"has_vote\":false";
	const char *line;
	do {
		line = net_message(&peer);
		assert_non_null(line);
	} while (strstr(line, "\"room.update\"") == NULL || strstr(line, wanted) == NULL);
}

TEST(test_a_terminal_that_takes_nothing_stops_neither_keys_nor_news)
{
	enum { VOTES = 60, BYTES_AT_A_TIME = 96 };
	static struct terminal t;
	struct room r;
	char json[64];
	make_room(&r);
	sit_down(&t, &r, 200, 60);
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\"}", r.id);
	(void)net_must(&peer, "room.subscribe", json);
	size_t frames = t.cursors;
	for (int i = 0; i < VOTES; i++) {
		terminal_type(&t, i % 2 == 0 ? "\f5" : "\f-"); /* each draws everything */
		wait_for_vote(i % 2 == 0);
	}
	set_title(&r, "Last");
	while (strstr(terminal_row(&t, 0), " aye · Last · ") == NULL) {
		assert_true(terminal_take(&t, BYTES_AT_A_TIME, PATIENCE_MS) > 0);
	}
	frames = t.cursors - frames;
	print_message("# %zu frames of %d\n", frames, VOTES);
	assert_in_range(frames, 1, VOTES - 1);
	terminal_type(&t, "8");
	wait_for_vote(true);
	(void)net_must(&peer, "room.unsubscribe", json);
	leave(&t);
}

TEST(test_every_signal_that_ends_it_leaves_the_terminal_as_it_was)
{
	static const struct {
		int number;
		const char *end; /* those that can be waited for end it in order */
	} rows[] = {{SIGTERM, "exit 0"},   {SIGHUP, "exit 0"},	  {SIGINT, "exit 0"},
		    {SIGQUIT, "signal 3"}, {SIGABRT, "signal 6"}, {SIGSEGV, "signal 11"}};
	static struct terminal t;
	struct room r;
	make_room(&r);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sit_down(&t, &r, 80, 24);
		assert_false(terminal_is_restored(&t));
		terminal_signal(&t, rows[i].number);
		assert_string_equal(terminal_wait_end(&t), rows[i].end);
		assert_as_before(&t);
		terminal_close(&t);
	}
}

#if !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__) /* their own tables need memory, too */
/* No page more for it from now on. */
static void take_memory_away(const struct terminal *t)
{
	char text[4096];
	read_of(t->program, "status", text, sizeof(text));
	rlim_t size = (rlim_t)number_behind(text, "\nVmSize:") * 1024;
	struct rlimit limit = {.rlim_cur = size, .rlim_max = size};
	assert_int_equal(prlimit(t->program, RLIMIT_AS, &limit, NULL), 0);
}

TEST(test_without_memory_it_ends_with_one_line_and_the_terminal_as_it_was)
{
	static struct terminal t;
	struct room r;
	make_room(&r);
	sit_down(&t, &r, 80, 24);
	take_memory_away(&t);
	terminal_resize(&t, 900, 900); /* a frame of that size has to be allocated */
	assert_string_equal(terminal_wait_end(&t), "exit 3");
	assert_as_before(&t);
	assert_true(terminal_has_received(&t, "aye: out of memory\r\n"));
	assert_int_equal(terminal_count_received(&t, "aye: "), 1);
	terminal_close(&t);
}
#endif

TEST(test_stopped_in_any_way_it_comes_back_without_a_key)
{
	static const int numbers[] = {0, SIGTSTP, SIGSTOP}; /* 0: ^Z */
	static struct terminal t;
	struct room r;
	make_room(&r);
	sit_down(&t, &r, 80, 24);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i] == 0) {
			terminal_type(&t, "\032");
		} else {
			terminal_signal(&t, numbers[i]);
		}
		assert_string_equal(terminal_wait_end(&t), "stop");
		if (numbers[i] == SIGSTOP) {
			terminal_show(&t, "\033[?1049l"); /* as whoever was in front meanwhile */
			assert_int_equal(tcsetattr(t.master, TCSANOW, &t.before), 0);
		} else {
			assert_as_before(&t);
		}
		terminal_continue(&t);
		terminal_wait_row(&t, 0, " aye · First · ");
		assert_true(t.is_alternate);
		assert_false(terminal_is_restored(&t));
	}
	leave(&t);
}

TEST(test_what_others_wrote_on_the_screen_goes_with_a_key)
{
	static struct terminal t;
	struct room r;
	make_room(&r);
	sit_down(&t, &r, 80, 24);
	terminal_show(&t, "\033[H\033[JBroadcast message");
	assert_string_equal(terminal_row(&t, 0), "Broadcast message");
	terminal_type(&t, "\f");
	terminal_wait_row(&t, 0, " aye · First · ");
	leave(&t);
}

/* A ping may come in between, and no clock: ten wakings in ten seconds would be one. */
static bool has_been_quiet(void)
{
	enum { SWITCHES_MOST = 8, TICKS_MOST = 2 };
	int64_t left_ms = quiet_since_ms + QUIET_MS - now_ms();
	if (terminal_take(&quiet, SIZE_MAX, left_ms > 0 ? (int)left_ms : 0) > 0) {
		return false;
	}
	struct deeds d = deeds_of(&quiet);
	long pings = (long)((now_ms() - quiet_since_ms) / QUIET_MS); /* the longer, the more */
	return d.switches - quiet_deeds.switches <= SWITCHES_MOST * pings &&
	       d.ticks - quiet_deeds.ticks <= TICKS_MOST * pings;
}

TEST(test_when_nothing_happens_nothing_is_written_and_nothing_done)
{
	enum { TRIES = 3 }; /* the first time something from the beginning may have been late */
	bool is_quiet = has_been_quiet();
	for (int i = 1; i < TRIES && !is_quiet; i++) {
		be_quiet();
		is_quiet = has_been_quiet();
	}
	assert_true(is_quiet);
	leave(&quiet);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static int begin_all(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(home));
	net_dir(&server);
	net_start(&server, NULL);
	net_peer_open(&peer, net_connect(&server));
	net_hello(&peer);
	make_room(&quiet_room);
	sit_down(&quiet, &quiet_room, 80, 24);
	be_quiet();
	return 0;
}

static int end_all(void **state)
{
	(void)state;
	net_peer_close(&peer);
	assert_int_equal(net_end(&server, SIGTERM), 0);
	net_remove(&server);
	assert_int_equal(nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	return 0;
}

int main(void)
{
	return test_run(begin_all, end_all);
}
