/*
 * private_server.c - lock, look again, start, wait for `ready`.
 *
 * Happy path: somebody listens already, or we hold the lock, start `ayed` in a
 * session of its own and read its ready line.
 * Failure: no program, no state directory, the program ends or says nothing in
 * time. Then its last words, kept in server.log, are passed on.
 */
#include "client/cli/reach/private_server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/state/state.h"
#include "client/state/state_file.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

#define PRIVATE_SERVER_LOG_BYTES_MAX (1 << 20)

bool private_server_answers(const char *socket_path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	size_t len = strlen(socket_path);
	if (len >= sizeof(name.sun_path)) {
		return false;
	}
	memcpy(name.sun_path, socket_path, len + 1);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0) {
		return false;
	}
	bool answers = connect(fd, (const struct sockaddr *)&name, sizeof(name)) == 0;
	(void)close(fd);
	return answers;
}

/* ---- the program ---- */

static bool private_server_is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Beside the running program, so that a build tree and a private installation find their own. */
static bool private_server_find_beside(char out[PATH_MAX])
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n <= 0) {
		return false;
	}
	self[n] = '\0';
	char *slash = strrchr(self, '/');
	if (slash == NULL) {
		return false;
	}
	format_to(out, PATH_MAX, "%.*s/ayed", (int)(slash - self), self);
	return private_server_is_program(out);
}

static bool private_server_find_in_path(char out[PATH_MAX])
{
	const char *at = getenv("PATH");
	while (at != NULL && *at != '\0') {
		size_t len = strcspn(at, ":");
		if (len > 0 && at[0] == '/') {
			format_to(out, PATH_MAX, "%.*s/ayed", (int)len, at);
			if (private_server_is_program(out)) {
				return true;
			}
		}
		at += len + (at[len] == ':');
	}
	return false;
}

/* ---- starting ---- */

struct private_server_plan {
	char program[PATH_MAX];
	char listen[160];
	char data[PATH_MAX];
	char log[PATH_MAX];
	int log_fd;
	int ready[2];
};

/* In the child: nothing of the caller but the three standard descriptors. Only async-signal-safe
 * calls. */
static _Noreturn void private_server_become(struct private_server_plan *p)
{
	char data[] = "--data";
	char listen_on[] = "--listen";
	char idle_exit[] = "--idle-exit";
	char seconds[] = PRIVATE_SERVER_IDLE_SECONDS;
	char allow_root[] = "--allow-root"; /* whoever runs aye as root wants its server to, too */
	char *argv[] = {p->program, data,    p->data, listen_on, p->listen,
			idle_exit,  seconds, NULL,    NULL};
	argv[7] = geteuid() == 0 ? allow_root : NULL;
	struct sigaction normal = {.sa_handler = SIG_DFL};
	int null = open("/dev/null", O_RDONLY);
	(void)sigaction(SIGPIPE, &normal, NULL);
	(void)umask(077);
	if (null < 0 || setsid() < 0 || chdir("/") != 0 || dup2(null, 0) < 0 ||
	    dup2(p->ready[1], 1) < 0 || dup2(p->log_fd, 2) < 0) {
		_exit(126);
	}
	pid_t pid = fork(); /* so that nobody has to wait for it */
	if (pid != 0) {
		_exit(pid < 0 ? 126 : 0);
	}
	for (int fd = 3; fd < 1024; fd++) {
		(void)close(fd);
	}
	(void)execv(p->program, argv);
	static const char said[] = "ayed could not be run\n";
	(void)!write(2, said, sizeof(said) - 1);
	_exit(127);
}

static int64_t private_server_now_ms(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether the ready line came before the end of the pipe and of our patience. */
static bool private_server_wait(int fd)
{
	char line[64] = "";
	size_t len = 0;
	int64_t end_ms = private_server_now_ms() + PRIVATE_SERVER_READY_MS;
	while (len < sizeof(line) && memchr(line, '\n', len) == NULL) {
		int64_t left_ms = end_ms - private_server_now_ms();
		struct pollfd pipe_end = {.fd = fd, .events = POLLIN};
		int n = left_ms <= 0 ? 0 : poll(&pipe_end, 1, (int)left_ms);
		if (n == 0) {
			return false;
		}
		ssize_t got = n < 0 ? -1 : read(fd, line + len, sizeof(line) - len);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0) {
			return false;
		}
		len += (size_t)got;
	}
	return len >= 6 && memcmp(line, "ready ", 6) == 0;
}

/* The last line of the log, made safe to print. */
static void private_server_last_words(const char *log, struct errmsg *why)
{
	char tail[512];
	char soft[160];
	int fd = open(log, O_RDONLY | O_CLOEXEC);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	off_t from = size > (off_t)sizeof(tail) ? size - (off_t)sizeof(tail) : 0;
	ssize_t n = fd < 0 ? 0 : pread(fd, tail, sizeof(tail), from);
	if (fd >= 0) {
		(void)close(fd);
	}
	size_t end = n > 0 ? (size_t)n : 0;
	while (end > 0 && tail[end - 1] == '\n') {
		end--;
	}
	size_t begin = end;
	while (begin > 0 && tail[begin - 1] != '\n') {
		begin--;
	}
	size_t len = text_soften(slice_of(tail + begin, end - begin), soft, sizeof(soft));
	errmsg_set(why, "your own server did not start: %.*s (log: %s)", (int)len, soft, log);
}

static enum err private_server_spawn(struct private_server_plan *p, struct errmsg *why)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0) {
		private_server_become(p);
	}
	(void)close(p->ready[1]);
	p->ready[1] = -1;
	if (pid < 0) {
		errmsg_set(why, "start %s: %s", p->program, strerror(errno));
		return ERR_CLOSED;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (!private_server_wait(p->ready[0])) {
		private_server_last_words(p->log, why);
		return ERR_CLOSED;
	}
	return OK;
}

static enum err private_server_start(struct private_server_plan *p, struct errmsg *why)
{
	if (pipe(p->ready) != 0) {
		errmsg_set(why, "start %s: %s", p->program, strerror(errno));
		return ERR_CLOSED;
	}
	enum err e = private_server_spawn(p, why);
	(void)close(p->ready[0]);
	if (p->ready[1] >= 0) {
		(void)close(p->ready[1]);
	}
	return e;
}

static enum err private_server_plan(struct private_server_plan *p, const char *socket_path,
				    struct errmsg *why)
{
	struct state s;
	if (!private_server_find_beside(p->program) && !private_server_find_in_path(p->program)) {
		errmsg_set(why, "no server at %s, and no ayed next to aye or in PATH", socket_path);
		return ERR_CLOSED;
	}
	if (state_open(&s, why) != OK) {
		return ERR_CLOSED;
	}
	format_to(p->listen, sizeof(p->listen), "unix:%s", socket_path);
	format_to(p->data, sizeof(p->data), "%s/server", s.dir);
	format_to(p->log, sizeof(p->log), "%s/server.log", s.dir);
	if (state_make_dir(p->data, why) != OK) {
		return ERR_CLOSED;
	}
	struct stat st;
	bool is_long = stat(p->log, &st) == 0 && st.st_size > PRIVATE_SERVER_LOG_BYTES_MAX;
	p->log_fd = open(p->log,
			 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW |
				 (is_long ? O_TRUNC : 0),
			 0600);
	if (p->log_fd < 0) {
		errmsg_set(why, "open %s: %s", p->log, strerror(errno));
		return ERR_CLOSED;
	}
	return OK;
}

/* ---- where it is ---- */

static bool private_server_note_path(char out[PATH_MAX])
{
	struct state s;
	struct errmsg ignored = {""};
	if (state_open(&s, &ignored) != OK) {
		return false;
	}
	format_to(out, PATH_MAX, "%s/server.json", s.dir);
	return true;
}

/* Without the note it is found as before, by XDG_RUNTIME_DIR. */
void private_server_note(const char *socket_path, bool is_stopped)
{
	char path[PATH_MAX];
	struct errmsg ignored = {""};
	json_t *note = json_object();
	state_file_set(note, "socket", socket_path);
	state_file_set(note, "state", is_stopped ? "stopped" : "started");
	if (private_server_note_path(path)) {
		(void)!state_file_note(path, note, &ignored);
	}
	json_decref(note);
}

bool private_server_was_stopped(void)
{
	char path[PATH_MAX];
	char state[16] = "";
	struct errmsg ignored = {""};
	json_t *note = NULL;
	if (private_server_note_path(path) && state_file_read(path, &note, &ignored) == OK) {
		state_file_get(note, "state", state, sizeof(state));
		json_decref(note);
	}
	return strcmp(state, "stopped") == 0;
}

bool private_server_noted(char out[ADDRESS_PATH_MAX + 1])
{
	char path[PATH_MAX];
	char dir[ADDRESS_PATH_MAX + 1];
	struct errmsg ignored = {""};
	struct stat st;
	json_t *note = NULL;
	out[0] = '\0';
	if (!private_server_note_path(path) || state_file_read(path, &note, &ignored) != OK) {
		return false;
	}
	const char *socket_path = json_string_value(json_object_get(note, "socket"));
	const char *slash = socket_path == NULL ? NULL : strrchr(socket_path, '/');
	if (slash != NULL && socket_path[0] == '/' && strlen(socket_path) <= ADDRESS_PATH_MAX) {
		format_to(out, ADDRESS_PATH_MAX + 1, "%s", socket_path);
		format_to(dir, sizeof(dir), "%.*s", (int)(slash - socket_path), socket_path);
	}
	json_decref(note);
	/* Else somebody else may have prepared it since. */
	return out[0] != '\0' && lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

static enum err private_server_start_locked(const char *socket_path, struct errmsg *why)
{
	struct private_server_plan p = {.log_fd = -1};
	if (private_server_answers(socket_path)) {
		return OK; /* somebody was faster */
	}
	enum err e = private_server_plan(&p, socket_path, why);
	if (e == OK) {
		e = private_server_start(&p, why);
		(void)close(p.log_fd);
	}
	if (e == OK) {
		private_server_note(socket_path, false);
	}
	return e;
}

enum err private_server_ensure(const char *dir, const char *socket_path, struct errmsg *why)
{
	char lock_path[PATH_MAX];
	int lock;
	if (private_server_answers(socket_path)) {
		return OK;
	}
	format_to(lock_path, sizeof(lock_path), "%s/lock", dir);
	if (state_lock(lock_path, &lock, why) != OK) {
		return ERR_CLOSED;
	}
	enum err e = private_server_start_locked(socket_path, why);
	state_unlock(lock);
	return e;
}
