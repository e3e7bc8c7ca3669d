/*
 * test_ssh_confine.c - what a process that is confined may still do, and what the kernel refuses it. Each try is in a
 * child of its own, by the system call itself.
 */
#define _GNU_SOURCE /* syscall() */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/kiosk/ssh_confine.h"
#include "tests/support/test.h"

#define ARGUMENTS 6

/* A system call, and how it ends. */
struct
try {
	const char *what;
	long call;
	long arguments[ARGUMENTS];
};

static char nowhere[] = "/tmp/aye-confine-nowhere";
static char here[] = "/";
static char *const words[] = {nowhere, NULL};
#define P(x) ((long)(intptr_t)(x))

enum { CONFINE_FAILED = 200, NOBODY = 65534 };

/* The status of the child, as waitpid() has it; it exits with errno, or 0 where the call was done. */
static int status_of(const struct try *t)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct errmsg why;
		if (ssh_confine(&why) != OK) {
			_exit(CONFINE_FAILED);
		}
		errno = 0;
		long r = syscall(t->call, t->arguments[0], t->arguments[1], t->arguments[2],
				 t->arguments[3], t->arguments[4], t->arguments[5]);
		_exit(r < 0 ? errno : 0);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void assert_all(const struct try *tries, size_t n, bool is_killed)
{
	for (size_t i = 0; i < n; i++) {
		int status = status_of(&tries[i]);
		bool is_so = is_killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS
				       : WIFEXITED(status) && WEXITSTATUS(status) == EPERM;
		if (!is_so) {
			fail_msg("%s: %s %d", tries[i].what,
				 WIFSIGNALED(status) ? "killed by" : "ended with",
				 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		}
	}
}
#define ASSERT_ALL(tries, is_killed) \
	assert_all(tries, sizeof(tries) / sizeof((tries)[0]), is_killed)

/* Each would fail with another error, or be done, were it let through. */
TEST(test_nothing_in_the_file_system_is_changed)
{
	static const struct try tries[] = {
		{"write", SYS_openat, {AT_FDCWD, P(nowhere), O_WRONLY}},
		{"read and write", SYS_openat, {AT_FDCWD, P(nowhere), O_RDWR}},
		{"make", SYS_openat, {AT_FDCWD, P(nowhere), O_RDONLY | O_CREAT, 0600}},
		{"truncate", SYS_openat, {AT_FDCWD, P(nowhere), O_RDONLY | O_TRUNC}},
		{"a file without a name",
		 SYS_openat,
		 {AT_FDCWD, P("/tmp"), O_TMPFILE | O_WRONLY, 0600}},
		{"openat2", SYS_openat2, {AT_FDCWD, P(nowhere), 0, 0}},
		{"unlink", SYS_unlinkat, {AT_FDCWD, P(nowhere), 0}},
		{"rename", SYS_renameat2, {AT_FDCWD, P(nowhere), AT_FDCWD, P(nowhere), 0}},
		{"mkdir", SYS_mkdirat, {AT_FDCWD, P(nowhere), 0700}},
		{"link", SYS_linkat, {AT_FDCWD, P(nowhere), AT_FDCWD, P(nowhere), 0}},
		{"symlink", SYS_symlinkat, {P(nowhere), AT_FDCWD, P(nowhere)}},
		{"mknod", SYS_mknodat, {AT_FDCWD, P(nowhere), 0600, 0}},
		{"chmod", SYS_fchmodat, {AT_FDCWD, P(nowhere), 0600}},
		{"chown", SYS_fchownat, {AT_FDCWD, P(nowhere), 0, 0, 0}},
		{"times", SYS_utimensat, {AT_FDCWD, P(nowhere), 0, 0}},
		{"size", SYS_truncate, {P(nowhere), 0}},
		{"mount", SYS_mount, {P(nowhere), P(nowhere), P("tmpfs"), 0, 0}},
		{"chroot", SYS_chroot, {P(here)}},
		{"chdir", SYS_chdir, {P(here)}},
		{"io_uring", SYS_io_uring_setup, {1, 0}},
	};
	ASSERT_ALL(tries, false);
}

TEST(test_no_process_and_no_network_is_begun)
{
	static const struct try tries[] = {
		{"fork", SYS_clone, {SIGCHLD}},
		{"thread",
		 SYS_clone,
		 {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD}},
		{"clone3", SYS_clone3, {0, 0}},
		{"namespace", SYS_unshare, {CLONE_NEWUSER}},
		{"internet", SYS_socket, {AF_INET, SOCK_STREAM, 0}},
		{"internet 6", SYS_socket, {AF_INET6, SOCK_STREAM, 0}},
		{"netlink", SYS_socket, {AF_NETLINK, SOCK_RAW, 0}},
		{"packets", SYS_socket, {AF_PACKET, SOCK_RAW, 0}},
		{"bind", SYS_bind, {0, 0, 0}},
		{"listen", SYS_listen, {0, 1}},
		{"accept", SYS_accept4, {0, 0, 0, 0}},
		{"a signal to another process", SYS_kill, {1, 0}},
		{"a signal to its group", SYS_kill, {0, 0}},
		{"bpf", SYS_bpf, {0, 0, 0}},
		{"perf", SYS_perf_event_open, {0, 0, 0, 0, 0}},
		{"keys", SYS_keyctl, {0, 0}},
		{"code that is written",
		 SYS_mmap,
		 {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0}},
		{"code that was data", SYS_mprotect, {0, 4096, PROT_READ | PROT_EXEC}},
		{"keys typed for others", SYS_ioctl, {0, TIOCSTI, P(nowhere)}},
		{"a core dump after all", SYS_prlimit64, {0, RLIMIT_CORE, P(nowhere), 0}},
		{"user id", SYS_setuid, {0}},
		{"pidfd", SYS_pidfd_open, {1, 0}},
		{"memory of a file", SYS_memfd_create, {P(nowhere), 0}},
	};
	ASSERT_ALL(tries, false);
}

TEST(test_a_try_to_run_a_program_or_to_look_into_another_process_is_the_end)
{
	static const struct try tries[] = {
		{"execve", SYS_execve, {P(nowhere), P(words), P(words + 1)}},
		{"execveat", SYS_execveat, {AT_FDCWD, P(nowhere), P(words), P(words + 1), 0}},
		{"ptrace", SYS_ptrace, {PTRACE_TRACEME, 0, 0, 0}},
		{"read memory", SYS_process_vm_readv, {1, 0, 0, 0, 0, 0}},
		{"write memory", SYS_process_vm_writev, {1, 0, 0, 0, 0, 0}},
	};
	ASSERT_ALL(tries, true);
}

TEST(test_what_it_needs_it_may_do)
{
	static const struct try tries[] = {
		{"read a directory's name", SYS_openat, {AT_FDCWD, P(here), O_RDONLY | O_CLOEXEC}},
		{"unix socket", SYS_socket, {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0}},
		{"memory", SYS_madvise, {0, 0, MADV_NORMAL}},
		{"itself", SYS_getpid, {0}},
	};
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		int status = status_of(&tries[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

/* Whose the memory of a process is by its file in /proc: a user's own is closed to them where it is root's. */
static uid_t owner_of_memory(bool is_confined)
{
	int is_ready[2];
	int is_over[2];
	char path[64];
	char byte = 'r';
	int status = 0;
	struct stat st;
	assert_int_equal(pipe(is_ready), 0);
	assert_int_equal(pipe(is_over), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct errmsg why;
		bool is_user = getuid() != 0 || setresuid(NOBODY, NOBODY, NOBODY) == 0;
		bool is_so = is_user && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0 &&
			     (!is_confined || ssh_confine(&why) == OK);
		(void)close(is_over[1]);
		is_so = is_so && write(is_ready[1], &byte, 1) == 1 &&
			read(is_over[0], &byte, 1) == 0;
		_exit(is_so ? 0 : 1);
	}
	(void)close(is_over[0]);
	(void)close(is_ready[1]);
	assert_int_equal(read(is_ready[0], &byte, 1), 1);
	(void)snprintf(path, sizeof(path), "/proc/%ld/mem", (long)pid);
	assert_int_equal(stat(path, &st), 0);
	(void)close(is_over[1]);
	(void)close(is_ready[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return st.st_uid;
}

TEST(test_its_memory_is_closed_to_others_of_its_user)
{
	assert_int_equal(owner_of_memory(false), getuid() != 0 ? getuid() : NOBODY);
	assert_int_equal(owner_of_memory(true), 0);
}

TEST(test_it_leaves_no_core_and_cannot_be_stopped_by_a_key)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0) {
		struct errmsg why;
		struct rlimit core = {1, 1};
		struct sigaction stop;
		bool is_so = ssh_confine(&why) == OK && getrlimit(RLIMIT_CORE, &core) == 0 &&
			     core.rlim_cur == 0 && core.rlim_max == 0 &&
			     sigaction(SIGTSTP, NULL, &stop) == 0 && stop.sa_handler == SIG_IGN;
		_exit(is_so ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(test_of_the_environment_little_is_left)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0) {
		struct errmsg why;
		(void)setenv("TERM", "xterm", 1);
		(void)setenv("TERMINFO", "/tmp", 1);
		(void)setenv("LC_ALL", "zh_CN.GBK", 1);
		(void)setenv("AYE_SERVER", "tcp://192.0.2.7", 1);
		char long_text[1000];
		memset(long_text, 'x', sizeof(long_text) - 1);
		long_text[sizeof(long_text) - 1] = '\0';
		(void)setenv("COLORTERM", long_text, 1);
		bool is_so = ssh_confine(&why) == OK && getenv("TERMINFO") == NULL &&
			     getenv("AYE_SERVER") == NULL && getenv("COLORTERM") == NULL &&
			     strcmp(getenv("LC_ALL"), "C.UTF-8") == 0 &&
			     strcmp(getenv("TERM"), "xterm") == 0;
		_exit(is_so ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
