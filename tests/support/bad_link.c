/*
 * bad_link.c - see bad_link.h. The mode lies in memory that the relay's process shares.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/support/bad_link.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/relay.h"

#define SLOW_NS	      5000000
#define CUT_BYTES_MAX 8192 /* a greeting with its scripts is longer, a commit shorter */

struct bad_link {
	_Atomic int mode;
	unsigned random;
	pid_t relay;
};

static struct bad_link *links; /* the one of the relay, in its process */

struct passed {
	struct relayed relayed;
	int begun;   /* in which mode */
	size_t left; /* until it is cut; 0: not drawn yet */
};

static struct passed *passed_of(struct relayed *c)
{
	_Static_assert(offsetof(struct passed, relayed) == 0, "a way's struct begins with it");
	return (struct passed *)(void *)c;
}

static bool link_begin(struct relayed *c)
{
	passed_of(c)->begun = links->mode;
	return true;
}

static struct relay_wish link_wishes(const struct relayed *c)
{
	(void)c;
	return (struct relay_wish){POLLIN, POLLIN};
}

static bool send_all(int fd, const char *at, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
		if (sent <= 0) {
			return false;
		}
		at += sent;
		n -= (size_t)sent;
	}
	return true;
}

/* Whoever sends waits with it, as long as the other side takes nothing. */
static bool link_pass(struct relayed *c, int from, int to)
{
	static const char nonsense[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
	char bytes[65536];
	struct passed *p = passed_of(c);
	int mode = links->mode;
	ssize_t n = recv(from, bytes, sizeof(bytes), 0);
	if (n <= 0) {
		return false;
	}
	if (p->begun == BAD_LINK_GARBAGE) {
		return from == c->plain && send_all(c->plain, nonsense, sizeof(nonsense) - 1) &&
		       mode == BAD_LINK_GARBAGE;
	}
	if (mode == BAD_LINK_GARBAGE) {
		return false;
	}
	if (mode == BAD_LINK_SLOW) {
		(void)nanosleep(&(struct timespec){.tv_nsec = SLOW_NS}, NULL);
	}
	if (mode != BAD_LINK_CUT) {
		p->left = 0;
		return send_all(to, bytes, (size_t)n);
	}
	if (p->left == 0) {
		p->left = 1 + (size_t)rand_r(&links->random) % CUT_BYTES_MAX;
	}
	if ((size_t)n >= p->left) {
		(void)send_all(to, bytes, p->left - 1);
		return false;
	}
	p->left -= (size_t)n;
	return send_all(to, bytes, (size_t)n);
}

static bool link_take_plain(struct relayed *c)
{
	return link_pass(c, c->plain, c->server);
}

static bool link_take_server(struct relayed *c)
{
	return link_pass(c, c->server, c->plain);
}

static bool link_give(struct relayed *c)
{
	(void)c;
	return true;
}

static void link_finish(struct relayed *c)
{
	(void)c;
}

static const struct relay_way link_way = {
	sizeof(struct passed), link_begin, link_wishes, link_take_plain,
	link_take_server,      link_give,  link_finish};

struct bad_link *bad_link_start(const char *path, const char *to, unsigned seed)
{
	void *at = mmap(NULL, sizeof(*links), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (at == MAP_FAILED) {
		return NULL;
	}
	links = at;
	links->random = seed;
	links->relay = relay_start(path, to, 0, &link_way);
	return links->relay > 0 ? links : NULL;
}

void bad_link_set(struct bad_link *l, enum bad_link_mode mode)
{
	l->mode = mode;
}

void bad_link_hold(struct bad_link *l, bool holds)
{
	(void)kill(l->relay, holds ? SIGSTOP : SIGCONT);
}

void bad_link_end(struct bad_link *l)
{
	(void)kill(l->relay, SIGKILL);
	(void)waitpid(l->relay, NULL, 0);
	(void)munmap(l, sizeof(*l));
}
