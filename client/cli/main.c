/*
 * main.c - aye: the client program.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "client/cli/output/print.h"
#include "client/cli/verbs.h"
#include "client/model/memory.h"
#include "client/tui/curses/screen_curses.h"
#include "proto/base/format.h"
#include "proto/keys/random.h"

/*
 * A socket must not become a standard descriptor that was closed. What takes
 * its place is open the wrong way round: to use it still is an error.
 */
static bool main_fill_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
			return false;
		}
	}
	return true;
}

/* Nothing in here allocates. */
static void main_on_out_of(const char *what)
{
	char line[64];
	size_t len = format_to(line, sizeof(line), "aye: out of %s\n", what);
	screen_restore_raw();
	ssize_t n = write(STDERR_FILENO, line, len);
	(void)n; /* nobody is left to be told */
	_exit(EXIT_BROKEN);
}

/* So that jansson's NULL never means that there was no memory. */
static void *main_allocate_json(size_t n)
{
	return memory_new(1, n);
}

int main(int argc, char **argv)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	/* A peer that is gone is an error of a write, not the end of the program. */
	if (!main_fill_standard_files() || sigaction(SIGPIPE, &ignore, NULL) != 0 ||
	    !crypto_start()) {
		print_problem("this system provides no files, signals or randomness");
		return EXIT_BROKEN;
	}
	memory_set_end(main_on_out_of);
	json_set_alloc_funcs(main_allocate_json, free);
	return verbs_main(argc, argv);
}
