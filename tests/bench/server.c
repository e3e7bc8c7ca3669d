/*
 * server.c - starting, awaiting and ending the servers; see server.h.
 *
 * nftw() to remove a directory is XSI's.
 */
#define _XOPEN_SOURCE 700
#include "tests/bench/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proto/tls/tls.h"
#include "tests/bench/machine.h"

#define PATIENCE_MS 10000
#define WORDS_MAX   40
#define TRIES_MAX   3 /* somebody else may have taken the port meanwhile */

const struct server_row server_rows[SERVER_COUNT] = {
#define SERVER_ROW(symbol, name, program, dialect, is_tls) \
	{name, program, &dialect_##dialect, is_tls},
	SERVERS(SERVER_ROW)
#undef SERVER_ROW
};

/* ---- where the programs are ---- */

/* ayed and the reference are built beside this program; the peers are on the path, or where Debian has daemons. */
static bool find_built(const char *program, char path[SERVER_PATH_BYTES])
{
	char here[SERVER_PATH_BYTES];
	const char *ayed = getenv("AYED");
	bool is_ayed = strcmp(program, "ayed") == 0;
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	if (n <= 0) {
		return false;
	}
	here[n] = '\0';
	*strrchr(here, '/') = '\0';
	(void)snprintf(path, SERVER_PATH_BYTES, "%.150s/%s%s", here, is_ayed ? "../../" : "",
		       program);
	if (is_ayed && ayed != NULL) {
		(void)snprintf(path, SERVER_PATH_BYTES, "%s", ayed);
	}
	return access(path, X_OK) == 0;
}

static bool find_installed(const char *program, char path[SERVER_PATH_BYTES])
{
	static const char *const places[] = {"/usr/bin", "/usr/sbin", "/usr/local/bin",
					     "/usr/local/sbin"};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		(void)snprintf(path, SERVER_PATH_BYTES, "%s/%s", places[i], program);
		if (access(path, X_OK) == 0) {
			return true;
		}
	}
	return false;
}

/* Built with this program; these tell their port in a line when they are ready. */
static bool is_built(enum server_kind kind)
{
	return kind == SERVER_AYE || kind == SERVER_AYE_TLS || kind == SERVER_AYE_WEB ||
	       kind == SERVER_AYE_REDIS || kind == SERVER_DIRECT || kind == SERVER_LOG;
}

static bool find_program(enum server_kind kind, char path[SERVER_PATH_BYTES])
{
	return is_built(kind) ? find_built(server_rows[kind].program, path)
			      : find_installed(server_rows[kind].program, path);
}

bool server_is_there(enum server_kind kind)
{
	char path[SERVER_PATH_BYTES];
	return find_program(kind, path);
}

/* ---- command lines ---- */

struct words {
	const char *at[WORDS_MAX + 1];
	size_t n;
	char data[SERVER_PATH_BYTES + 16];
	char pair[SERVER_PATH_BYTES + 16];
	char port[16];
};

static void words_add(struct words *w, const char *const *words)
{
	for (; words != NULL && *words != NULL && w->n < WORDS_MAX; words++) {
		w->at[w->n++] = *words;
	}
}

static bool mosquitto_conf(const struct server *s, struct words *w)
{
	(void)snprintf(w->data, sizeof(w->data), "%s/conf", s->dir);
	FILE *f = fopen(w->data, "w");
	if (f == NULL) {
		return false;
	}
	(void)fprintf(f, "listener %d 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n",
		      s->port);
	return fclose(f) == 0;
}

/* Of the kind that ayed makes itself. */
static bool make_pair(const char *path)
{
	struct buf pair;
	buf_init(&pair, (size_t)1 << 16);
	FILE *f = fopen(path, "w");
	bool done = f != NULL && tls_make_certificate(&pair, &pair) == OK &&
		    fwrite(pair.data, 1, pair.len, f) == pair.len;
	done = f != NULL && fclose(f) == 0 && done;
	buf_finish(&pair);
	return done;
}

#define WORDS(w, ...) words_add((w), (const char *const[]){__VA_ARGS__, NULL})

static bool server_words(enum server_kind kind, const struct server *s, struct words *w)
{
	(void)snprintf(w->port, sizeof(w->port), "%d", s->port);
	(void)snprintf(w->data, sizeof(w->data), "%s", s->dir);
	w->at[w->n++] = server_rows[kind].program;
	switch (kind) {
	case SERVER_AYE:
	case SERVER_AYE_TLS:
	case SERVER_AYE_WEB:
	case SERVER_AYE_REDIS:
		(void)snprintf(w->data, sizeof(w->data), "%s/data", s->dir);
		if (kind != SERVER_AYE_REDIS) {
			WORDS(w, "--data", w->data);
		}
		WORDS(w, "--allow-root", "--listen",
		      kind == SERVER_AYE_TLS   ? "tls://127.0.0.1:0"
		      : kind == SERVER_AYE_WEB ? "http://127.0.0.1:0"
					       : "tcp://127.0.0.1:0",
		      "--limit", "requests_per_second=1000000", "--limit",
		      "seats_per_minute=1000000", "--limit", "room_creates_per_minute=1000000",
		      "--limit", "logins_per_minute=1000000", "--limit", "address_users=1000000",
		      "--limit", "room_bytes_per_hour=2147483647");
		return true;
	case SERVER_DIRECT:
	case SERVER_LOG:
		WORDS(w, kind == SERVER_DIRECT ? "direct" : "log");
		return true;
	case SERVER_REDIS:
		WORDS(w, "--bind", "127.0.0.1", "--port", w->port, "--dir", w->data, "--save", "",
		      "--maxclients", "15000", "--client-output-buffer-limit", "pubsub 0 0 0");
		return true;
	case SERVER_REDIS_TLS:
		(void)snprintf(w->pair, sizeof(w->pair), "%s/pair.pem", s->dir);
		WORDS(w, "--bind", "127.0.0.1", "--port", "0", "--tls-port", w->port,
		      "--tls-cert-file", w->pair, "--tls-key-file", w->pair, "--tls-auth-clients",
		      "no", "--dir", w->data, "--save", "", "--maxclients", "15000",
		      "--client-output-buffer-limit", "pubsub 0 0 0");
		return make_pair(w->pair);
	case SERVER_REDIS_VOTE:
		WORDS(w, "--bind", "127.0.0.1", "--port", w->port, "--dir", w->data, "--save", "",
		      "--appendonly", "yes", "--appendfsync", "always");
		return true;
	case SERVER_NATS:
		WORDS(w, "-a", "127.0.0.1", "-p", w->port);
		return true;
	case SERVER_MOSQUITTO:
		WORDS(w, "-c", w->data);
		return mosquitto_conf(s, w);
	case SERVER_COUNT:
		break;
	}
	return false;
}

/* ---- processes ---- */

/* Free now, and in all likelihood still free when the server takes it. */
static int free_port(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	bool got = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 &&
		   getsockname(fd, (struct sockaddr *)&at, &len) == 0;
	if (fd >= 0) {
		(void)close(fd);
	}
	return got ? ntohs(at.sin_port) : 0;
}

static void server_child(const char *path, const struct server *s, const struct words *w, int out)
{
	char log[SERVER_PATH_BYTES + 16];
	(void)snprintf(log, sizeof(log), "%s/log", s->dir);
	int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
	(void)setpgid(0, 0);
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGTERM, SIG_DFL);
	machine_pin(CORE_SERVER);
	(void)dup2(out >= 0 ? out : fd, STDOUT_FILENO);
	(void)dup2(fd, STDERR_FILENO);
	/* execv() takes them as not const for history's sake, and does not write. */
	union {
		const char *const *in;
		char *const *out;
	} words = {.in = w->at};
	(void)execv(path, words.out);
	_exit(127);
}

static void pause_ms(long ms)
{
	struct timespec t = {.tv_nsec = ms * 1000000};
	(void)nanosleep(&t, NULL);
}

/* The last number behind a blank or a colon in the line that a server prints when it is ready; 0 where none comes. */
static int read_port(int fd)
{
	char line[256];
	size_t len = 0;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	while (len + 1 < sizeof(line) && poll(&p, 1, PATIENCE_MS) == 1) {
		ssize_t n = read(fd, line + len, 1);
		if (n <= 0 || line[len] == '\n') {
			break;
		}
		len++;
	}
	line[len] = '\0';
	line[strcspn(line, "#")] = '\0'; /* a fingerprint */
	int port = 0;
	for (const char *at = strpbrk(line, " :"); at != NULL; at = strpbrk(at + 1, " :")) {
		port = at[1] >= '0' && at[1] <= '9' ? (int)strtol(at + 1, NULL, 10) : port;
	}
	return port;
}

/* Somebody listens there. The peers say nothing when they are ready. */
static bool await_port(struct server *s)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)s->port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	for (int waited = 0; waited < PATIENCE_MS; waited += 5) {
		if (waitpid(s->pid, NULL, WNOHANG) != 0) {
			s->pid = 0; /* it has ended: its id is nobody's now */
			return false;
		}
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		bool is_there = connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0;
		(void)close(fd);
		if (is_there) {
			return true;
		}
		pause_ms(5);
	}
	return false;
}

static bool server_launch(enum server_kind kind, const char *path, const struct words *w,
			  struct server *s)
{
	bool tells = is_built(kind);
	int out[2] = {-1, -1};
	if (tells && pipe(out) != 0) {
		return false;
	}
	s->pid = fork();
	if (s->pid == 0) {
		server_child(path, s, w, out[1]);
	}
	if (!tells) {
		return s->pid > 0 && await_port(s);
	}
	(void)close(out[1]);
	s->port = s->pid > 0 ? read_port(out[0]) : 0;
	(void)close(out[0]);
	return s->port > 0;
}

static bool server_try(enum server_kind kind, const char *path, const char *parent,
		       const char *const *extra, struct server *out)
{
	struct words words = {0};
	*out = (struct server){.port = free_port()};
	(void)snprintf(out->dir, sizeof(out->dir), "%.150s/%s-XXXXXX", parent,
		       server_rows[kind].name);
	if (mkdtemp(out->dir) == NULL) {
		out->dir[0] = '\0';
		return false;
	}
	bool ready = server_words(kind, out, &words);
	words_add(&words, extra);
	if (!ready || !server_launch(kind, path, &words, out)) {
		server_stop(out);
		return false;
	}
	return true;
}

bool server_start(enum server_kind kind, const char *parent, const char *const *extra,
		  struct server *out, char *why)
{
	char path[SERVER_PATH_BYTES];
	bool is_there = find_program(kind, path);
	*out = (struct server){0};
	for (int i = 0; is_there && i < TRIES_MAX; i++) {
		if (server_try(kind, path, parent, extra, out)) {
			return true;
		}
	}
	(void)snprintf(why, SERVER_WHY_BYTES, "%s %s", server_rows[kind].program,
		       is_there ? "did not start" : "is not there");
	return false;
}

void server_end(struct server *s)
{
	if (s->pid <= 0) {
		return;
	}
	(void)kill(s->pid, SIGTERM);
	for (int waited = 0; waitpid(s->pid, NULL, WNOHANG) == 0; waited += 5) {
		if (waited >= PATIENCE_MS) {
			(void)kill(s->pid, SIGKILL);
		}
		pause_ms(5);
	}
	s->pid = 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

void server_remove_all(const char *dir)
{
	(void)nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void server_remove(struct server *s)
{
	if (s->dir[0] != '\0') {
		server_remove_all(s->dir);
	}
	s->dir[0] = '\0';
}

void server_stop(struct server *s)
{
	server_end(s);
	server_remove(s);
}

void server_last_words(const struct server *s, char *out, size_t cap)
{
	char path[SERVER_PATH_BYTES + 16];
	(void)snprintf(path, sizeof(path), "%s/log", s->dir);
	FILE *f = fopen(path, "r");
	*out = '\0';
	/* fgets() leaves the last line where there is no next one. */
	while (f != NULL && fgets(out, (int)cap, f) != NULL) {
	}
	out[strcspn(out, "\n")] = '\0';
	if (f != NULL) {
		(void)fclose(f);
	}
}
