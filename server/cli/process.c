/*
 * process.c - signals, limits and descriptors of the process.
 *
 * Not here: SIGTERM and SIGINT, which are events of the loop (event_loop_uv.c).
 */
#include "server/cli/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PROCESS_IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PROCESS_IS_WATCHED 1
#endif
#endif
#ifndef PROCESS_IS_WATCHED
#define PROCESS_IS_WATCHED 0
#endif

/* What is opened later is opened so. */
static void process_keep_files(void)
{
	enum { FILES_USUAL = 1024 };
	DIR *all = opendir("/proc/self/fd");
	if (all == NULL) {
		for (int fd = STDERR_FILENO + 1; fd < FILES_USUAL; fd++) {
			(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		}
		return;
	}
	for (struct dirent *e; (e = readdir(all)) != NULL;) {
		long fd = strtol(e->d_name, NULL, 10);
		if (fd > STDERR_FILENO) {
			(void)fcntl((int)fd, F_SETFD, FD_CLOEXEC);
		}
	}
	(void)closedir(all);
}

void process_prepare(void)
{
	/* A peer that closed is an error of write(), a file limit is the store's "full", and the
	 * terminal that started us may go: none is our end. */
	static const int ignored[] = {SIGPIPE, SIGXFSZ, SIGHUP};
	struct sigaction action = {.sa_handler = SIG_IGN};
	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		(void)sigaction(ignored[i], &action, NULL);
	}
	int fd;
	do { /* a socket that got number 2 would be sent the log */
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0) {
		(void)close(fd);
	}
	process_keep_files();
	(void)umask(077);
	if (!PROCESS_IS_WATCHED) {
		struct rlimit none = {0, 0};
		(void)setrlimit(RLIMIT_CORE, &none);
		(void)prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
	}
}

static const int process_faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
#define PROCESS_FAULTS (sizeof(process_faults) / sizeof(process_faults[0]))
static struct sigaction process_fault_before[PROCESS_FAULTS]; /* a sanitizer's, or the default */
static void (*process_last)(void);

/* The signal is raised again, and comes when this one has been dealt with. */
static void process_on_fault_signal(int signum)
{
	static const char said[] = "ayed: ended by a fault of its own, perhaps over damaged data: "
				   "the next start checks them first\n";
	process_last();
	(void)!write(STDERR_FILENO, said, sizeof(said) - 1);
	for (size_t i = 0; i < PROCESS_FAULTS; i++) {
		if (process_faults[i] == signum) {
			(void)sigaction(signum, &process_fault_before[i], NULL);
		}
	}
	(void)raise(signum);
}

void process_on_fault(void (*last)(void))
{
	struct sigaction action = {.sa_handler = process_on_fault_signal};
	(void)sigemptyset(&action.sa_mask);
	process_last = last;
	for (size_t i = 0; i < PROCESS_FAULTS; i++) {
		(void)sigaction(process_faults[i], &action, &process_fault_before[i]);
	}
}

size_t process_raise_files(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) != 0) {
		return 256;
	}
	struct rlimit raised = {files.rlim_max, files.rlim_max};
	if (files.rlim_cur < files.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0) {
		files = raised;
	}
	/* "No limit" still has one, in the kernel; a million is beyond any table of ours. */
	return files.rlim_cur > 1048576 ? 1048576 : (size_t)files.rlim_cur;
}
