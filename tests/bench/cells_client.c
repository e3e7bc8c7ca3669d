/*
 * cells_client.c - `aye join` on a terminal, in a room where much happens.
 *
 * Ten members lay a card and take it back, in turn, so that each update changes
 * what is on the screen. What the client writes to its pty is read at once, as
 * a fast terminal does, and counted; a frame is what comes without a pause.
 *
 * forkpty's parts: posix_openpt() and its kin are XSI's.
 */
#define _XOPEN_SOURCE 700
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "tests/bench/cell.h"
#include "tests/bench/machine.h"

#define MEMBERS	     10
#define UPDATES_S    1000
#define MS	     UINT64_C(1000000)
#define PAUSE_NS     (4 * MS) /* between frames; 60 a second are 16 apart */
#define SETTLE_NS    (1000 * MS)
#define ANSWER_MS    5000
#define CLIENT_SLACK 5 /* windows of the other cells: a client does little in one */

struct size {
	unsigned short columns, rows;
};

/* Somebody in the room, on a socket of one's own. */
struct member {
	int fd;
	struct speaker who;
	struct buf in;
	uint64_t votes;
};

struct stage {
	struct member maker;
	struct member members[MEMBERS];
	char room[ROOM_NAME_BYTES];
	int master;
	pid_t client;
	uint64_t next_vote_ns;
	uint64_t votes;
	uint64_t bytes; /* of the client's, so far */
	uint64_t frames;
	uint64_t last_ns; /* when it last wrote */
};

/* ---- members ---- */

static bool member_send(struct member *m, struct buf *say)
{
	bool sent = say->error == OK &&
		    send(m->fd, say->data, say->len, MSG_NOSIGNAL) == (ssize_t)say->len;
	buf_finish(say);
	return sent;
}

/* Wait for the next message of that kind, past all others. */
static bool member_await(struct member *m, enum incoming_kind kind, struct incoming *out)
{
	struct pollfd p = {.fd = m->fd, .events = POLLIN};
	char bytes[4096];
	m->in.max = (size_t)1 << 20;
	for (;;) {
		*out = INCOMING_NOTHING;
		size_t n = m->in.len == 0 ? 0 : dialect_aye.split(buf_slice(&m->in), out);
		if (n == DIALECT_BAD || (n > 0 && out->kind == INCOMING_REFUSED)) {
			return false;
		}
		if (n > 0 && out->kind == kind && kind == INCOMING_ROOM) {
			return true; /* its text is in the bytes */
		}
		buf_drop(&m->in, n);
		if (n > 0 && out->kind == kind) {
			return true;
		}
		if (n > 0) {
			continue;
		}
		ssize_t got = poll(&p, 1, ANSWER_MS) == 1 ? read(m->fd, bytes, sizeof(bytes)) : 0;
		if (got <= 0 || buf_append(&m->in, bytes, (size_t)got) != OK) {
			return false;
		}
	}
}

static bool member_enter(struct member *m, int port)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct incoming answer;
	m->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (m->fd < 0 || connect(m->fd, (struct sockaddr *)&to, sizeof(to)) != 0) {
		return false;
	}
	(void)setsockopt(m->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	for (unsigned step = 0;; step++) {
		struct buf say = {.max = 4096};
		if (!dialect_aye.greet(&m->who, step, &say)) {
			buf_finish(&say);
			return true;
		}
		if (!member_send(m, &say) || !member_await(m, INCOMING_STEP, &answer)) {
			return false;
		}
	}
}

/* A card, and nothing, and so on. */
static bool member_vote(struct member *m)
{
	struct buf say = {.max = 1024};
	struct room_vote_params p = {.room_id = slice_str(m->who.room_name), .with_vote = true};
	p.vote = m->votes % 2 == 0 ? SLICE("5") : (struct slice){NULL, 0};
	rpc_write_request(&say, (uint32_t)m->votes++, slice_str(method_rows[METHOD_ROOM_VOTE].name),
			  &record_room_vote_params, &p);
	return member_send(m, &say);
}

static void member_leave(struct member *m)
{
	if (m->fd >= 0) {
		(void)close(m->fd);
	}
	buf_finish(&m->in);
}

static bool stage_fill(struct stage *s, int port)
{
	struct buf say = {.max = 4096};
	struct incoming answer;
	s->maker.who = (struct speaker){.room_name = ""};
	if (!member_enter(&s->maker, port)) {
		return false;
	}
	dialect_aye.make(0, &say);
	if (!member_send(&s->maker, &say) || !member_await(&s->maker, INCOMING_ROOM, &answer) ||
	    answer.text.len >= sizeof(s->room)) {
		return false;
	}
	memcpy(s->room, answer.text.data, answer.text.len);
	for (uint32_t i = 0; i < MEMBERS; i++) {
		s->members[i].who = (struct speaker){.room_name = s->room, .member = i};
		if (!member_enter(&s->members[i], port)) {
			return false;
		}
	}
	return true;
}

/* ---- the client ---- */

static bool client_path(char *path, size_t cap)
{
	const char *aye = getenv("AYE");
	char here[SERVER_PATH_BYTES];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	if (n <= 0) {
		return false;
	}
	here[n] = '\0';
	*strrchr(here, '/') = '\0';
	format_to(path, cap, "%s/../../aye", here);
	if (aye != NULL) {
		format_to(path, cap, "%s", aye);
	}
	return access(path, X_OK) == 0;
}

static void client_child(int master, const char *path, const char *home, const char *room,
			 const char *address)
{
	int tty = open(ptsname(master), O_RDWR);
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
	(void)setsid();
	(void)ioctl(tty, (unsigned long)TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++) {
		(void)dup2(tty, fd);
	}
	(void)close(master);
	machine_pin(CORE_LOAD);
	(void)setenv("HOME", home, 1);
	(void)setenv("XDG_CONFIG_HOME", home, 1);
	(void)setenv("XDG_STATE_HOME", home, 1);
	(void)setenv("TERM", "xterm-256color", 1);
	(void)setenv("LC_ALL", "C.UTF-8", 1);
	(void)execl(path, "aye", "join", room, "--name", "Watcher", "--server", address,
		    (char *)NULL);
	_exit(127);
}

static bool client_start(struct stage *s, const struct run *r, const struct size *size)
{
	struct winsize ws = {.ws_row = size->rows, .ws_col = size->columns};
	char path[SERVER_PATH_BYTES + 16];
	char address[64];
	s->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (s->master < 0 || grantpt(s->master) != 0 || unlockpt(s->master) != 0 ||
	    ioctl(s->master, (unsigned long)TIOCSWINSZ, &ws) != 0 ||
	    !client_path(path, sizeof(path))) {
		return false;
	}
	format_to(address, sizeof(address), "tcp://127.0.0.1:%d", r->server.port);
	s->client = fork();
	if (s->client == 0) {
		client_child(s->master, path, r->server.dir, s->room, address);
	}
	return s->client > 0;
}

static void client_stop(struct stage *s)
{
	char rest[4096];
	if (s->client > 0) {
		(void)kill(s->client, SIGTERM);
		while (waitpid(s->client, NULL, WNOHANG) == 0) {
			(void)poll(&(struct pollfd){.fd = s->master, .events = POLLIN}, 1, 10);
			(void)!read(s->master, rest, sizeof(rest));
		}
	}
	if (s->master >= 0) {
		(void)close(s->master);
	}
}

/* ---- the play ---- */

/* What has come from the client; false where it has ended. */
static bool take_screen(struct stage *s)
{
	char bytes[65536];
	ssize_t n = read(s->master, bytes, sizeof(bytes));
	uint64_t now = machine_now_ns();
	if (n > 0) {
		s->frames += now - s->last_ns > PAUSE_NS;
		s->last_ns = now;
		s->bytes += (uint64_t)n;
	}
	return n > 0 || (n < 0 && errno == EAGAIN);
}

/* What members are told is of no interest here. */
static void take_updates(struct stage *s)
{
	char bytes[65536];
	for (size_t i = 0; i < MEMBERS; i++) {
		while (recv(s->members[i].fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0) {
		}
	}
}

/* Until then, let members vote (or not), and read what the client writes. */
static bool play(struct stage *s, uint64_t until_ns, bool votes)
{
	struct pollfd p = {.fd = s->master, .events = POLLIN};
	uint64_t now = machine_now_ns();
	bool goes_on = true;
	while (now < until_ns && goes_on) {
		while (votes && s->next_vote_ns <= now && goes_on) {
			goes_on = member_vote(&s->members[s->votes++ % MEMBERS]);
			s->next_vote_ns += 1000 * MS / UPDATES_S;
		}
		if (poll(&p, 1, 1) > 0) {
			goes_on = goes_on && take_screen(s);
		}
		take_updates(s);
		now = machine_now_ns();
	}
	return goes_on;
}

static void stage_measure(const struct bench *b, struct stage *s, struct sample *out)
{
	double window_s = b->window_s * CLIENT_SLACK;
	bool goes_on = play(s, machine_now_ns() + SETTLE_NS, false);
	s->next_vote_ns = machine_now_ns();
	goes_on = goes_on && play(s, machine_now_ns() + SETTLE_NS, true);
	uint64_t bytes = s->bytes, frames = s->frames, votes = s->votes;
	uint64_t cpu = machine_cpu_ns(s->client), began = machine_now_ns();
	goes_on = goes_on && play(s, began + (uint64_t)(window_s * 1e9), true);
	double took = (double)(machine_now_ns() - began);
	double drawn = (double)(s->frames - frames);
	if (!goes_on || drawn <= 0) {
		format_to(out->why, sizeof(out->why), "the client ended, or drew nothing");
		return;
	}
	out->is_done = true;
	out->figures[FIGURE_CLIENT_CPU] = (double)(machine_cpu_ns(s->client) - cpu) / took * 100;
	out->figures[FIGURE_FRAMES] = drawn / took * 1e9;
	out->figures[FIGURE_FRAME_BYTES] = (double)(s->bytes - bytes) / drawn;
	out->figures[FIGURE_UPDATES] = (double)(s->votes - votes) / took * 1e9;
}

static void run_client(const struct bench *b, const struct contender *c, struct sample *out)
{
	struct stage s = {.maker = {.fd = -1}, .master = -1};
	struct run r;
	for (size_t i = 0; i < MEMBERS; i++) {
		s.members[i].fd = -1;
	}
	if (!run_start(b, c, NULL, &r, out)) {
		return;
	}
	if (stage_fill(&s, r.server.port) && client_start(&s, &r, c->more)) {
		stage_measure(b, &s, out);
	} else {
		format_to(out->why, sizeof(out->why), "the room or the client could not be made");
	}
	client_stop(&s);
	member_leave(&s.maker);
	for (size_t i = 0; i < MEMBERS; i++) {
		member_leave(&s.members[i]);
	}
	run_stop(&r);
}

#define SCREEN(name, columns, rows)                                          \
	{                                                                    \
		name, SERVER_AYE, run_client, {{0}}, 0, &(const struct size) \
		{                                                            \
			columns, rows                                        \
		}                                                            \
	}

const struct cell cells_client[] = {
	{"13",
	 "aye join in a pty, in a room with 1,000 updates/s",
	 {SCREEN("80x24", 80, 24), SCREEN("200x60", 200, 60)},
	 {FIGURE_CLIENT_CPU, FIGURE_FRAMES, FIGURE_FRAME_BYTES, FIGURE_UPDATES},
	 4,
	 {{"CPU, % of a core", FIGURE_CLIENT_CPU, "80x24", NULL, false, 5},
	  {"frames/s", FIGURE_FRAMES, "80x24", NULL, false, 60},
	  {"bytes a frame: fewer than the cells", FIGURE_FRAME_BYTES, "80x24", NULL, false, 1920}}},
	{0},
};
