/*
 * cells_tls.c - what TLS costs: a delivery beside one without it, and a handshake.
 *
 * Ours and Redis' servers have a key of the same kind (P-256), and both agree to TLS 1.3.
 * One vote outstanding a room is the dearest case: each member is sent each vote as a
 * record of its own. Handshakes come one after the other from one client that speaks
 * with OpenSSL itself, as it takes tickets up again, which aye does not; with their
 * connections, and counted by the CPU of the server. What a core does a second follows from that.
 *
 * MAP_ANONYMOUS is beyond POSIX.
 */
#define _DEFAULT_SOURCE
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"
#include "tests/bench/machine.h"

#define TICKET_WAIT_MS 200

/* ---- handshakes ---- */

struct shaking {
	int port;
	SSL_CTX *ctx;
	SSL_SESSION *ticket; /* NULL: none yet, or not to be used */
	bool resumes;
	uint64_t resumed;
};

static int keep_ticket(SSL *ssl, SSL_SESSION *session)
{
	struct shaking *s = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
	if (!s->resumes || s->ticket != NULL) {
		return 0;
	}
	s->ticket = session;
	return 1; /* it is ours now */
}

static bool shake(struct shaking *s)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)s->port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	/* Reset, so that no port waits for its end. */
	struct linger at_once = {.l_onoff = 1};
	struct timeval patience = {.tv_usec = TICKET_WAIT_MS * 1000};
	char byte;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	SSL *ssl = SSL_new(s->ctx);
	bool done = fd >= 0 && ssl != NULL && SSL_set_fd(ssl, fd) == 1 &&
		    connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0;
	if (done && s->ticket != NULL) {
		/* A copy: OpenSSL takes one that was used for used up. */
		SSL_SESSION *copy = SSL_SESSION_dup(s->ticket);
		done = copy != NULL && SSL_set_session(ssl, copy) == 1;
		SSL_SESSION_free(copy);
	}
	done = done && SSL_connect(ssl) == 1;
	if (done && s->resumes && s->ticket == NULL) {
		/* TLS 1.3 sends it behind the handshake. */
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
		(void)SSL_peek(ssl, &byte, 1);
	}
	s->resumed += done && SSL_session_reused(ssl) == 1;
	(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	SSL_free(ssl);
	(void)close(fd);
	return done;
}

struct shaken {
	uint64_t n;
	uint64_t cpu_ns;
	double others[CORES];
	double ours[CORES];
	bool is_done;
};

static void shake_for(struct shaking *s, pid_t server, double seconds, struct shaken *out)
{
	struct moment from;
	struct moment to;
	machine_pin(CORE_LOAD);
	s->ctx = SSL_CTX_new(TLS_client_method());
	bool done = s->ctx != NULL;
	if (done) {
		SSL_CTX_set_session_cache_mode(s->ctx,
					       SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
		(void)SSL_CTX_set_app_data(s->ctx, s);
		SSL_CTX_sess_set_new_cb(s->ctx, keep_ticket);
		done = shake(s);
		done = done && shake(s); /* as the others, which take up a session */
	}
	s->resumed = 0;
	machine_look(server, &from);
	uint64_t until_ns = from.now_ns + (uint64_t)(seconds * 1e9);
	while (done && machine_now_ns() < until_ns) {
		done = shake(s);
		out->n++;
	}
	machine_look(server, &to);
	out->cpu_ns = to.server_ns - from.server_ns;
	for (int i = 0; i < CORES; i++) {
		out->others[i] = machine_others(&from, &to, (enum machine_core)i);
		out->ours[i] = machine_ours(&from, &to, (enum machine_core)i);
	}
	out->is_done = done && out->n > 0 && s->resumed == (s->resumes ? out->n : 0);
}

static void run_shakes(const struct bench *b, const struct contender *c, struct sample *out)
{
	struct run r;
	struct shaken *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || !run_start(b, c, NULL, &r, out)) {
		return;
	}
	pid_t pid = fork();
	if (pid == 0) {
		struct shaking s = {.port = r.server.port, .resumes = c->more != NULL};
		shake_for(&s, r.server.pid, b->window_s, shared);
		_exit(0);
	}
	(void)waitpid(pid, NULL, 0);
	out->is_done = shared->is_done;
	if (shared->is_done) {
		double us = (double)shared->cpu_ns / 1e3 / (double)shared->n;
		out->figures[FIGURE_SHAKE_US] = us;
		out->figures[FIGURE_SHAKES] = 1e6 / us;
		for (int i = 0; i < CORES; i++) {
			out->others[i] = shared->others[i];
			out->ours[i] = shared->ours[i];
		}
	} else {
		(void)format_to(out->why, sizeof(out->why), "a handshake failed, or was %sresumed",
				c->more != NULL ? "not " : "");
	}
	(void)munmap(shared, sizeof(*shared));
	run_stop(&r);
}

/* ---- the cells ---- */

#define DELIVERS(name, kind)                                                    \
	{                                                                       \
		name, SERVER_##kind, run_load, {{20, 100, 1, 1, 0, 0}}, 1, NULL \
	}
#define SHAKES(name, kind, resumes)                                \
	{                                                          \
		name, SERVER_##kind, run_shakes, {{0}}, 0, resumes \
	}

const struct cell cells_tls[] = {
	{"17",
	 "20 rooms x 100, one vote outstanding a room, with TLS and without",
	 {DELIVERS("aye", AYE), DELIVERS("aye tls", AYE_TLS), DELIVERS("redis", REDIS),
	  DELIVERS("redis tls", REDIS_TLS)},
	 {FIGURE_DELIVERY_NS, FIGURE_DELIVERIES},
	 2,
	 {{"CPU per delivery over TLS, of that without", FIGURE_DELIVERY_NS, "aye tls", "aye",
	   false, 1.5},
	  {"CPU per delivery over TLS", FIGURE_DELIVERY_NS, "aye tls", "redis tls", false, 1}}},
	{"18",
	 "connect and shake hands, TLS 1.3, P-256; anew, and by a ticket",
	 {SHAKES("aye", AYE_TLS, NULL), SHAKES("aye resumed", AYE_TLS, "resumed"),
	  SHAKES("redis", REDIS_TLS, NULL), SHAKES("redis resumed", REDIS_TLS, "resumed")},
	 {FIGURE_SHAKE_US, FIGURE_SHAKES},
	 2,
	 {{"CPU per handshake", FIGURE_SHAKE_US, "aye", "redis", false, 1.1},
	  {"CPU per resumed handshake", FIGURE_SHAKE_US, "aye resumed", "redis resumed", false,
	   1.1}}},
	{0},
};
