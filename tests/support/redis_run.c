/*
 * redis_run.c - a redis-server as a child.
 */
#define _XOPEN_SOURCE 700 /* nftw() */
#include "tests/support/redis_run.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

#define OPTIONS_MAX 48
#define TLS_BYTES   1024

/*
 * Below those that the kernel gives to whoever connects or asks for any port (ip_local_port_range in ip(7)), so
 * nobody takes one between the look and the start. The one that a member of a cluster has besides is there, too.
 */
enum { PORT_FIRST = 10000, PORT_END = 22768 };

static bool is_free(int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
				.sin_port = htons((uint16_t)port),
				.sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	bool is = bind(fd, (const struct sockaddr *)&a, sizeof(a)) == 0;
	(void)close(fd);
	return is;
}

int redis_run_port(void)
{
	uint32_t chance;
	int port;
	do {
		assert_int_equal(getrandom(&chance, sizeof(chance), 0), sizeof(chance));
		port = PORT_FIRST + (int)(chance % (PORT_END - PORT_FIRST));
	} while (!is_free(port) || !is_free(port + REDIS_RUN_BUS));
	return port;
}

void redis_run_lay(struct redis_run *r)
{
	*r = (struct redis_run){.port = redis_run_port()};
	(void)snprintf(r->dir, sizeof(r->dir), "/tmp/redis-XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	(void)snprintf(r->socket, sizeof(r->socket), "%.40s/s", r->dir);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

void redis_run_clear(struct redis_run *r)
{
	redis_run_kill(r);
	assert_int_equal(nftw(r->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* In the child. */
static _Noreturn void run_child(char *const *words, int out)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)dup2(out, STDOUT_FILENO);
	(void)dup2(out, STDERR_FILENO);
	(void)execvp(words[0], words);
	(void)fprintf(stderr, "redis-server is not installed\n");
	_exit(127);
}

/* `out` is closed here. */
static void run_fork(struct redis_run *r, const char *const *words, int out)
{
	assert_true(out >= 0);
	assert_int_equal(r->pid, 0);
	r->pid = fork();
	assert_true(r->pid >= 0);
	if (r->pid == 0) {
		run_child((char *const *)(uintptr_t)words, out);
	}
	(void)close(out);
}

/* ---- TLS ---- */

static char tls_dir[REDIS_RUN_PATH_BYTES]; /* "": none */

void redis_run_use_tls(const char *directory)
{
	(void)snprintf(tls_dir, sizeof(tls_dir), "%s", directory);
}

bool redis_run_has_tls(void)
{
	return tls_dir[0] != '\0';
}

/* As words of a command line, or as lines of a file of settings. */
static void tls_settings(int port, bool as_lines, char *out, size_t cap)
{
	const char *before = as_lines ? "" : "--";
	char between = as_lines ? '\n' : ' ';
	(void)snprintf(out, cap,
		       "%stls-port %d%c%stls-cert-file %s/good.crt%c%stls-key-file %s/good.key%c"
		       "%stls-ca-cert-file %s/authority.crt%c%stls-auth-clients no%c"
		       "%stls-replication yes%c%stls-cluster yes%c",
		       before, port, between, before, tls_dir, between, before, tls_dir, between,
		       before, tls_dir, between, before, between, before, between, before, between);
}

/* The words are in `text`. Returns how many there are now. */
static size_t tls_words(int port, char *text, size_t cap, const char **words, size_t n)
{
	char *rest = NULL;
	tls_settings(port, false, text, cap);
	for (char *word = strtok_r(text, " ", &rest); word != NULL && n < OPTIONS_MAX;
	     word = strtok_r(NULL, " ", &rest)) {
		words[n++] = word;
	}
	return n;
}

/* ---- */

/* With the options of all. */
static void run_server(struct redis_run *r, const char *const *options, int out)
{
	char port[8], tls[TLS_BYTES];
	const char *words[OPTIONS_MAX + 1] = {
		"redis-server",
		"--port",
		redis_run_has_tls() ? "0" : port,
		"--bind",
		"127.0.0.1",
		"--unixsocket",
		r->socket,
		"--dir",
		r->dir,
		"--save",
		"",
		"--logfile",
		"",
		"--appendfsync",
		"everysec",
	};
	size_t n = 15;
	(void)snprintf(port, sizeof(port), "%d", r->port);
	n = redis_run_has_tls() ? tls_words(r->port, tls, sizeof(tls), words, n) : n;
	for (size_t i = 0; options != NULL && options[i] != NULL && n < OPTIONS_MAX; i++) {
		words[n++] = options[i];
	}
	run_fork(r, words, out);
}

void redis_run_spawn(struct redis_run *r, const char *const *options)
{
	run_server(r, options, open("/dev/null", O_WRONLY | O_CLOEXEC));
}

void redis_run_start(struct redis_run *r, const char *const *options)
{
	redis_run_start_until(r, options, "eady to accept connections");
}

void redis_run_follow(struct redis_run *r, const struct redis_run *master)
{
	char of[32];
	const char *const options[] = {"--replicaof", of, "--appendonly", "yes",
				       /* as a master: */
				       "--repl-diskless-sync-delay", "0", NULL};
	(void)snprintf(of, sizeof(of), "127.0.0.1 %d", master->port);
	redis_run_start_until(r, options, "sync: Finished with success");
}

/* Two ends of a pipe that no other child keeps. */
static void run_pipe(int ends[2])
{
	assert_int_equal(pipe(ends), 0);
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

/* Read what the child writes until it says that; `from` is closed. */
static void run_await(int from, const char *says)
{
	char line[512] = "nothing";
	bool is_ready = false;
	FILE *out = fdopen(from, "r");
	assert_non_null(out);
	while (!is_ready && fgets(line, sizeof(line), out) != NULL) {
		is_ready = strstr(line, says) != NULL;
	}
	(void)fclose(out); /* by now it ignores SIGPIPE */
	if (!is_ready) {
		fail_msg("redis-server did not get ready: %s", line);
	}
}

void redis_run_start_until(struct redis_run *r, const char *const *options, const char *says)
{
	int ends[2];
	run_pipe(ends);
	run_server(r, options, ends[1]);
	run_await(ends[0], says);
}

void redis_run_watch(struct redis_run *r, const char *lines)
{
	char file[REDIS_RUN_PATH_BYTES + 16], tls[TLS_BYTES] = "";
	const char *words[] = {"redis-server", file, "--sentinel", NULL};
	int ends[2];
	(void)snprintf(file, sizeof(file), "%s/conf", r->dir);
	FILE *conf = fopen(file, "w");
	assert_non_null(conf);
	if (redis_run_has_tls()) {
		tls_settings(r->port, true, tls, sizeof(tls));
	}
	assert_true(fprintf(conf,
			    "port %d\n%sbind 127.0.0.1\nunixsocket %s\ndir %s\nlogfile \"\"\n%s",
			    redis_run_has_tls() ? 0 : r->port, tls, r->socket, r->dir, lines) > 0);
	assert_int_equal(fclose(conf), 0);
	run_pipe(ends);
	run_fork(r, words, ends[1]);
	run_await(ends[0], "monitor master");
}

static int run_connect(const struct redis_run *r)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	memcpy(a.sun_path, r->socket, strlen(r->socket) + 1);
	if (connect(fd, (const struct sockaddr *)&a, sizeof(a)) != 0) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

bool redis_run_serves(const struct redis_run *r)
{
	char answer[8] = "";
	int fd = run_connect(r);
	bool is_asked = fd >= 0 && send(fd, "PING\r\n", 6, MSG_NOSIGNAL) == 6;
	bool serves = is_asked && read(fd, answer, 7) == 7 && strcmp(answer, "+PONG\r\n") == 0;
	if (fd >= 0) {
		(void)close(fd);
	}
	return serves;
}

void redis_run_ask(const struct redis_run *r, const char *command, char *out, size_t cap)
{
	int fd = run_connect(r);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, command, strlen(command)), strlen(command));
	assert_int_equal(write(fd, "\r\n", 2), 2);
	ssize_t n = read(fd, out, cap - 1);
	assert_true(n > 0);
	out[n] = '\0';
	(void)close(fd);
}

void redis_run_kill(struct redis_run *r)
{
	if (r->pid > 0) {
		(void)kill(r->pid, SIGKILL);
		(void)waitpid(r->pid, NULL, 0);
	}
	r->pid = 0;
}
