/*
 * ssh_confine.c - see ssh_confine.h.
 *
 * A list of what is allowed, as one of what is not would lack the system calls of
 * kernels to come. What it holds was seen with strace(1), and what stands behind it in the C
 * library: each row is there for a use.
 */
#include "client/kiosk/ssh_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "proto/base/format.h"

extern char **environ;

/* ---- the environment ---- */

/* What a terminal is, the person says; where files lie, the host. */
static void confine_environment(void)
{
	static const char *const kept[] = {"HOME", "PATH", "TERM", "COLORTERM"};
	enum { KEPT_N = sizeof(kept) / sizeof(kept[0]), KEPT_BYTES = 256 };
	static char texts[KEPT_N][KEPT_BYTES];
	static char locale[] = "LC_ALL=C.UTF-8";
	static char *now[KEPT_N + 2];
	size_t n = 0;
	for (size_t i = 0; i < KEPT_N; i++) {
		const char *value = getenv(kept[i]);
		if (value != NULL && strlen(kept[i]) + strlen(value) + 2 <= KEPT_BYTES) {
			(void)format_to(texts[i], KEPT_BYTES, "%s=%s", kept[i], value);
			now[n++] = texts[i];
		}
	}
	now[n] = locale;
	environ = now;
}

/* ---- the process ---- */

static enum err confine_process(struct errmsg *why)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct rlimit none = {0, 0};
	/* Nobody could wake it again; and a dump, or a look by another one of its user, has other people's secrets. */
	bool is_done = sigaction(SIGTSTP, &ignore, NULL) == 0 &&
		       setrlimit(RLIMIT_CORE, &none) == 0 &&
		       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
	if (!is_done) {
		errmsg_set(why, "%s", strerror(errno));
	}
	return is_done ? OK : ERR_IO;
}

/* ---- system calls ---- */

/* Whatever their arguments are. */
static const int confine_allowed[] = {
	/* what is open: the terminal or pipes, the connection, the loop */
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(close),
	SCMP_SYS(lseek),
	SCMP_SYS(fstat),
	SCMP_SYS(dup),
	SCMP_SYS(dup2),
	SCMP_SYS(dup3),
	SCMP_SYS(pipe),
	SCMP_SYS(pipe2),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(select),
	SCMP_SYS(pselect6),
	SCMP_SYS(epoll_create),
	SCMP_SYS(epoll_create1),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(eventfd2),
	/* its sockets, which are unix ones */
	SCMP_SYS(connect),
	SCMP_SYS(getsockopt),
	SCMP_SYS(setsockopt),
	SCMP_SYS(getsockname),
	SCMP_SYS(getpeername),
	SCMP_SYS(sendto),
	SCMP_SYS(sendmsg),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(shutdown),
	/* files to read: terminals, locales, time zones */
	SCMP_SYS(stat),
	SCMP_SYS(lstat),
	SCMP_SYS(newfstatat),
	SCMP_SYS(statx),
	SCMP_SYS(access),
	SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(getdents64),
	/* memory */
	SCMP_SYS(brk),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	/* time, chance, itself */
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_getres),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(time),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(nanosleep),
	SCMP_SYS(getrandom),
	SCMP_SYS(getpid),
	SCMP_SYS(getppid),
	SCMP_SYS(gettid),
	SCMP_SYS(getsid),
	SCMP_SYS(getpgrp),
	SCMP_SYS(getuid),
	SCMP_SYS(geteuid),
	SCMP_SYS(getgid),
	SCMP_SYS(getegid),
	SCMP_SYS(uname),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(futex),
	SCMP_SYS(sched_yield),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

/* What nothing in here ever asks for, and an intruder first. */
static const int confine_deadly[] = {
	SCMP_SYS(execve),	    SCMP_SYS(execveat),		 SCMP_SYS(ptrace),
	SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
};

/* Of these only with one value for an argument, under a mask. */
static const struct confine_row {
	int call;
	unsigned argument;
	uint64_t mask;
	uint64_t value;
} confine_if[] = {
	{SCMP_SYS(open), 1, O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, O_RDONLY},
	{SCMP_SYS(openat), 2, O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, O_RDONLY},
	{SCMP_SYS(socket), 0, UINT32_MAX, AF_UNIX},
	{SCMP_SYS(socketpair), 0, UINT32_MAX, AF_UNIX},
	{SCMP_SYS(mmap), 2, PROT_EXEC, 0},
	{SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TCGETS},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TCSETS},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TCSETSW},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TCSETSF},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TCFLSH},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCGWINSZ},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCGPGRP},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCGSID},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, FIONBIO},
	{SCMP_SYS(ioctl), 1, UINT32_MAX, FIONREAD},
	{SCMP_SYS(fcntl), 1, UINT32_MAX, F_GETFD},
	{SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETFD},
	{SCMP_SYS(fcntl), 1, UINT32_MAX, F_GETFL},
	{SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETFL},
	{SCMP_SYS(fcntl), 1, UINT32_MAX, F_DUPFD},
	{SCMP_SYS(fcntl), 1, UINT32_MAX, F_DUPFD_CLOEXEC},
};

static int confine_allow_if(scmp_filter_ctx filter, const struct confine_row *row)
{
	const struct scmp_arg_cmp is = {row->argument, SCMP_CMP_MASKED_EQ, row->mask, row->value};
	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, row->call, 1, &is);
}

static int confine_add(scmp_filter_ctx filter)
{
	const uint64_t self = (uint64_t)getpid();
	const struct confine_row own[] = {
		/* a signal that it handles, it raises again to end by it */
		{SCMP_SYS(kill), 0, UINT64_MAX, self},
		{SCMP_SYS(tgkill), 0, UINT64_MAX, self},
		/* limits are read: the pointer to new ones is NULL */
		{SCMP_SYS(prlimit64), 2, UINT64_MAX, 0},
	};
	int status = 0;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]) && status == 0; i++) {
		status = confine_allow_if(filter, &own[i]);
	}
	for (size_t i = 0; i < sizeof(confine_if) / sizeof(confine_if[0]) && status == 0; i++) {
		status = confine_allow_if(filter, &confine_if[i]);
	}
	for (size_t i = 0; i < sizeof(confine_allowed) / sizeof(int) && status == 0; i++) {
		status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, confine_allowed[i], 0);
	}
	for (size_t i = 0; i < sizeof(confine_deadly) / sizeof(int) && status == 0; i++) {
		status = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, confine_deadly[i], 0);
	}
	return status;
}

static enum err confine_calls(struct errmsg *why)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int status = filter == NULL ? -ENOMEM : confine_add(filter);
	status = status != 0 ? status : seccomp_load(filter); /* leaves off new privileges, too */
	seccomp_release(filter);
	if (status != 0) {
		errmsg_set(why, "seccomp: %s", strerror(-status));
	}
	return status == 0 ? OK : ERR_IO;
}

enum err ssh_confine(struct errmsg *why)
{
	confine_environment();
	enum err e = confine_process(why);
	return e == OK ? confine_calls(why) : e;
}
