/*
 * net_kit.c - starts servers for end-to-end tests, and connects to them; their peers are net_peer.c's.
 */
#include "tests/support/net_kit.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/redis_cluster.h"
#include "tests/support/tls_relay.h"
#include "tests/support/web_relay.h"

const struct net_transport_row net_transports[] = {
#define NET_ROW(of, symbol, name, ...) {#name, __VA_ARGS__},
	NET_TRANSPORTS(NET_ROW, )
#undef NET_ROW
};

/* ---- directories ---- */

void net_dir(struct net_server *s)
{
	*s = (struct net_server){.out = -1, .err = -1};
	(void)snprintf(s->dir, sizeof(s->dir), "/tmp/net-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	(void)snprintf(s->data, sizeof(s->data), "%.40s/data", s->dir);
	(void)snprintf(s->socket, sizeof(s->socket), "%.40s/socket", s->dir);
	for (int i = 0; i < 2; i++) {
		(void)snprintf(s->relay_sockets[i], NET_PATH_BYTES, "%.40s/relay%d", s->dir, i);
	}
}

static void net_end_relays(struct net_server *s)
{
	for (int i = 0; i < 2; i++) {
		if (s->relays[i] > 0) {
			(void)kill(s->relays[i], SIGKILL);
			(void)waitpid(s->relays[i], NULL, 0);
		}
		s->relays[i] = 0;
	}
}

static void net_start_relays(struct net_server *s, const struct net_transport_row *row)
{
	int port = net_port(s, row->listens);
	const char *to = NULL;
	if (row->through != NULL) {
		to = s->relay_sockets[1];
		s->relays[1] = relay_start(to, NULL, port, row->through);
		assert_true(s->relays[1] > 0);
	}
	s->relays[0] = relay_start(s->relay_sockets[0], to, port, row->way);
	assert_true(s->relays[0] > 0);
}

static void net_empty(const char *path)
{
	DIR *dir = opendir(path);
	if (dir == NULL) {
		return;
	}
	for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
			(void)unlinkat(dirfd(dir), e->d_name, 0);
		}
	}
	(void)closedir(dir);
}

void net_remove(struct net_server *s)
{
	net_end_relays(s);
	net_empty(s->data);
	(void)rmdir(s->data);
	net_empty(s->dir);
	assert_int_equal(rmdir(s->dir), 0);
}

static struct redis_run redis; /* of all tests of the program, one after another */

static void net_clear_redis(void)
{
	redis_run_clear(&redis);
}

/* What is acknowledged is on its disk. */
static const struct redis_run *net_empty_redis(void)
{
	static const char *const durable[] = {"--appendonly", "yes", "--appendfsync", "always",
					      NULL};
	char answer[64];
	if (redis.pid == 0) {
		redis_run_lay(&redis);
		redis_run_start(&redis, durable);
		assert_int_equal(atexit(net_clear_redis), 0);
	}
	redis_run_ask(&redis, "FLUSHALL", answer, sizeof(answer));
	assert_string_equal(answer, "+OK\r\n");
	return &redis;
}

static int net_given(void **state, enum net_transport transport)
{
	struct net_server *s = calloc(1, sizeof(*s));
	assert_non_null(s);
	net_dir(s);
	s->transport = transport;
	*state = s;
	return 0;
}

#define NET_GIVEN(of, symbol, name, ...)               \
	int net_given_##name(void **state)             \
	{                                              \
		return net_given(state, NET_##symbol); \
	}
NET_TRANSPORTS(NET_GIVEN, )
#undef NET_GIVEN

int net_given_redis(void **state)
{
	int result = net_given_unix(state);
	struct net_server *s = *state;
	s->redis = net_empty_redis();
	(void)snprintf(s->store, sizeof(s->store), "redis+unix://%s", s->redis->socket);
	return result;
}

static struct redis_cluster cluster; /* likewise */

static void net_clear_cluster(void)
{
	redis_cluster_clear(&cluster);
}

static void net_empty_cluster(void)
{
	char answer[64];
	if (cluster.servers[0].dir[0] == '\0') {
		assert_int_equal(atexit(net_clear_cluster), 0);
		redis_cluster_start(&cluster);
	}
	for (unsigned i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		if (redis_cluster_is_master(&cluster.servers[i])) {
			redis_run_ask(&cluster.servers[i], "FLUSHALL", answer, sizeof(answer));
			assert_string_equal(answer, "+OK\r\n");
		}
	}
}

int net_given_cluster(void **state)
{
	int result = net_given_unix(state);
	struct net_server *s = *state;
	char url[REDIS_CLUSTER_URL_BYTES];
	net_empty_cluster();
	redis_cluster_url(&cluster, "", url);
	(void)snprintf(s->store, sizeof(s->store), "%.*s", (int)sizeof(s->store) - 1, url);
	s->redis = redis_cluster_master(&cluster, "{d}l");
	return result;
}

int net_given_node(void **state)
{
	int result = net_given_redis(state);
	struct net_server *s = *state;
	void *entry = NULL;
	result = result != 0 ? result : net_given_unix(&entry);
	s->entry = entry;
	memcpy(s->entry->store, s->store, sizeof(s->store));
	return result;
}

int net_gone(void **state)
{
	struct net_server *s = *state;
	void *entry = s->entry;
	if (s->pid != 0) {
		(void)net_end(s, SIGKILL);
	}
	net_remove(s);
	free(s);
	return entry == NULL ? 0 : net_gone(&entry);
}

/* ---- processes ---- */

static void net_child(const struct net_server *s, const char *const *args, const int out[2],
		      const int err[2])
{
	const char *program = getenv("AYED");
	char pid[32];
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
	if (s->files_max > 0) {
		struct rlimit files = {s->files_max, s->files_max};
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	(void)dup2(out[1], STDOUT_FILENO);
	(void)dup2(err[1], STDERR_FILENO);
	(void)close(out[0]);
	(void)close(out[1]);
	(void)close(err[0]);
	(void)close(err[1]);
	if (s->inherited > 0) {
		(void)dup2(s->inherited, 3);
		(void)snprintf(pid, sizeof(pid), "%ld", (long)getpid());
		(void)setenv("LISTEN_PID", pid, 1);
		(void)setenv("LISTEN_FDS", "1", 1);
	}
	if (s->notify != NULL) {
		(void)setenv("NOTIFY_SOCKET", s->notify, 1);
	}
	/* execv() takes them as not const for history's sake, and does not write. */
	union {
		const char *const *in;
		char *const *out;
	} words = {.in = args};
	(void)execv(program != NULL ? program : "build/debug/ayed", words.out);
	_exit(127);
}

/* Of a server that was killed nothing is waited for, as its hold on the data is not what these tests are about. */
static void net_let_go(const struct net_server *s)
{
	char answer[64];
	redis_run_ask(s->redis, "DEL {d}l", answer, sizeof(answer));
}

static void net_lay_key(const struct net_server *s, char key[NET_PATH_BYTES])
{
	(void)snprintf(key, NET_PATH_BYTES, "%.40s/key", s->dir);
	int fd = open(key, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "the key of a server of a test...", 32), 32);
	assert_int_equal(close(fd), 0);
}

void net_spawn(struct net_server *s, const char *const *args)
{
	char key[NET_PATH_BYTES];
	const char *words[NET_ARGS_MAX + 7] = {"ayed", "--data", s->data, "--allow-root"};
	int out[2];
	int err[2];
	size_t n = 4;
	if (s->redis != NULL) {
		net_let_go(s);
	}
	if (s->store[0] != '\0') {
		net_lay_key(s, key);
		words[1] = "--store";
		words[2] = s->store;
		words[n++] = "--key-file";
		words[n++] = key;
	}
	for (size_t i = 0; args != NULL && args[i] != NULL; i++) {
		assert_true(i < NET_ARGS_MAX);
		words[n++] = args[i];
	}
	assert_int_equal(pipe(out), 0);
	assert_int_equal(pipe(err), 0);
	s->pid = fork();
	assert_true(s->pid >= 0);
	if (s->pid == 0) {
		net_child(s, words, out, err);
	}
	(void)close(out[1]);
	(void)close(err[1]);
	s->out = out[0];
	s->err = err[0];
	(void)fcntl(s->out, F_SETFD, FD_CLOEXEC);
	(void)fcntl(s->err, F_SETFD, FD_CLOEXEC);
}

static bool net_knows_another(const struct net_server *s)
{
	struct net_peer p;
	net_insider(s, &p);
	bool knows = net_figure(&p, "cluster_nodes") == 2;
	net_peer_close(&p);
	return knows;
}

/* The other node, as soon as both know of each other, and a room that is this one's from then on. */
static void net_start_entry(struct net_server *s, const char *const *args)
{
	struct net_peer p;
	net_start(s->entry, args);
	while (!net_knows_another(s) || !net_knows_another(s->entry)) {
		(void)poll(NULL, 0, 20);
	}
	net_insider(s, &p);
	net_field(net_must(&p, "room.create", "{}"), "room_id", s->room, sizeof(s->room));
	net_peer_close(&p);
}

void net_start(struct net_server *s, const char *const *args)
{
	char listen_at[NET_PATH_BYTES + 8];
	char also_at[NET_PATH_BYTES];
	const char *words[NET_ARGS_MAX] = {"--listen", listen_at, "--listen", also_at};
	const struct net_transport_row *row = &net_transports[s->transport];
	size_t n = row->listens == NULL ? 2 : 4;
	words[n] = NULL;
	(void)snprintf(also_at, sizeof(also_at), "%s0", row->listens == NULL ? "" : row->listens);
	(void)snprintf(listen_at, sizeof(listen_at), "unix:%s", s->socket);
	for (size_t i = 0; args != NULL && args[i] != NULL; i++) {
		assert_true(n + 1 < NET_ARGS_MAX);
		words[n++] = args[i];
		words[n] = NULL;
	}
	if (s->entry != NULL) {
		assert_true(n + 2 < NET_ARGS_MAX);
		words[n++] = "--cluster-listen";
		words[n++] = "127.0.0.1:0";
		words[n] = NULL;
	}
	net_spawn(s, words);
	if (!net_line(s->out, s->ready)) {
		char why[NET_LINE_BYTES] = "";
		while (net_line(s->err, why)) {
			print_message("# %s\n", why);
		}
		fail_msg("the server did not get ready");
	}
	assert_memory_equal(s->ready, "ready ", 6);
	net_end_relays(s);
	if (row->listens != NULL) {
		net_start_relays(s, row);
	}
	if (s->entry != NULL) {
		net_start_entry(s, words + 2); /* the address is another one */
	}
}

int net_wait(struct net_server *s)
{
	char line[NET_LINE_BYTES];
	int status = 0;
	while (net_line(s->out, line)) {
	}
	while (net_line(
		s->err,
		line)) { /* its end closes them, and must not be kept from writing to the log */
	}
	(void)close(s->out);
	(void)close(s->err);
	s->out = -1;
	s->err = -1;
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	s->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int net_end(struct net_server *s, int signum)
{
	assert_int_equal(kill(s->pid, signum), 0);
	return net_wait(s);
}

void net_wait_until_asleep(pid_t pid)
{
	char path[64];
	char state = '?';
	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	while (state != 'S') {
		FILE *f = fopen(path, "r");
		assert_non_null(f);
		assert_int_equal(fscanf(f, "%*d (%*[^)]) %c", &state), 1);
		(void)fclose(f);
	}
}

void net_stop_asleep(struct net_server *s)
{
	int status = 0;
	net_wait_until_asleep(s->pid);
	assert_int_equal(kill(s->pid, SIGSTOP), 0);
	assert_int_equal(waitpid(s->pid, &status, WUNTRACED), s->pid);
	assert_true(WIFSTOPPED(status));
}

static void net_wait_for(int fd, short what)
{
	struct pollfd p = {.fd = fd, .events = what};
	int n;
	do {
		n = poll(&p, 1, NET_PATIENCE_MS);
	} while (n < 0 && errno == EINTR);
	if (n != 1) {
		fail_msg("nothing came within %d ms", NET_PATIENCE_MS);
	}
}

/* Byte by byte: what follows the line belongs to the next call. */
bool net_line(int fd, char line[NET_LINE_BYTES])
{
	size_t len = 0;
	for (;;) {
		char c;
		net_wait_for(fd, POLLIN);
		ssize_t n = read(fd, &c, 1);
		if (n <= 0 || c == '\n') {
			line[len] = '\0';
			return n > 0 || len > 0;
		}
		if (len + 1 < NET_LINE_BYTES) {
			line[len++] = c;
		}
	}
}

bool net_wait_log(struct net_server *s, const char *text)
{
	char line[NET_LINE_BYTES];
	while (net_line(s->err, line)) {
		if (strstr(line, text) != NULL) {
			return true;
		}
	}
	return false;
}

int net_port(const struct net_server *s, const char *before_port)
{
	const char *at = strstr(s->ready, before_port);
	assert_non_null(at);
	return (int)strtol(at + strlen(before_port), NULL, 10);
}

size_t net_resident_bytes(const struct net_server *s)
{
	size_t of_entry = s->entry == NULL ? 0 : net_resident_bytes(s->entry);
	char path[64];
	unsigned long all = 0;
	unsigned long resident = 0;
	(void)snprintf(path, sizeof(path), "/proc/%ld/statm", (long)s->pid);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu %lu", &all, &resident), 2);
	(void)fclose(f);
	return of_entry + resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* A test that runs over each transport asks for it each time. */
void net_keep_nothing_freed(void)
{
	static const char little[] = ":quarantine_size_mb=1:thread_local_quarantine_size_kb=16";
	const char *options = getenv("ASAN_OPTIONS");
	char more[512];
	if (options != NULL && strstr(options, little) != NULL) {
		return;
	}
	(void)snprintf(more, sizeof(more), "%.300s%s", options == NULL ? "" : options, little);
	assert_int_equal(setenv("ASAN_OPTIONS", more, 1), 0);
}

/* ---- sockets ---- */

int net_connect_unix(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_true(strlen(path) < sizeof(at.sun_path));
	memcpy(at.sun_path, path, strlen(path) + 1);
	assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

int net_connect(const struct net_server *s)
{
	if (s->entry != NULL) {
		struct net_peer p;
		net_open_for(&p, s->entry->socket, s->room);
		assert_int_equal(p.in.len, 0);
		buf_finish(&p.in);
		buf_finish(&p.json);
		return p.fd;
	}
	return net_connect_unix(s->relays[0] > 0 ? s->relay_sockets[0] : s->socket);
}

static int connect_tcp(const char *from, const char *host, int port)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	struct sockaddr_in own = {.sin_family = AF_INET};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
	bool is_v4 = inet_pton(AF_INET, host, &in.sin_addr) == 1;
	int fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	if (from != NULL) {
		assert_int_equal(inet_pton(AF_INET, from, &own.sin_addr), 1);
		assert_int_equal(bind(fd, (const struct sockaddr *)&own, sizeof(own)), 0);
	}
	if (is_v4) {
		assert_int_equal(connect(fd, (const struct sockaddr *)&in, sizeof(in)), 0);
	} else {
		assert_int_equal(inet_pton(AF_INET6, host, &in6.sin6_addr), 1);
		assert_int_equal(connect(fd, (const struct sockaddr *)&in6, sizeof(in6)), 0);
	}
	return fd;
}

int net_connect_tcp(const char *host, int port)
{
	return connect_tcp(NULL, host, port);
}

int net_connect_tcp_from(const char *from, const char *host, int port)
{
	return connect_tcp(from, host, port);
}

void net_send(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;
	while (len > 0) {
		net_wait_for(fd, POLLOUT);
		ssize_t n = send(fd, at, len, MSG_NOSIGNAL);
		if (n < 0 && (errno == EPIPE || errno == ECONNRESET)) {
			return; /* the other end has closed */
		}
		assert_true(n > 0);
		at += n;
		len -= (size_t)n;
	}
}

size_t net_receive(int fd, char *out, size_t cap)
{
	net_wait_for(fd, POLLIN);
	ssize_t n = recv(fd, out, cap, 0);
	if (n < 0) {
		assert_int_equal(errno, ECONNRESET);
		return 0;
	}
	return (size_t)n;
}

void net_receive_all(int fd, struct buf *out)
{
	char bytes[4096];
	size_t n;
	while ((n = net_receive(fd, bytes, sizeof(bytes))) > 0) {
		assert_int_equal(buf_append(out, bytes, n), OK);
	}
}
