/*
 * passcode.c - one line from a file, from standard input, or typed unseen.
 */
#include "client/cli/reach/passcode.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "client/cli/output/print.h"

/* A line without its end; false where there is none or it is too long. */
static bool passcode_line(FILE *from, char out[PASSCODE_BYTES_MAX + 1])
{
	char line[PASSCODE_BYTES_MAX + 3];
	if (fgets(line, sizeof(line), from) == NULL) {
		return false;
	}
	size_t len = strcspn(line, "\r\n");
	if (len == 0 || len > PASSCODE_BYTES_MAX) {
		return false;
	}
	memcpy(out, line, len);
	out[len] = '\0';
	return true;
}

int passcode_read(const struct cli *c, char out[PASSCODE_BYTES_MAX + 1])
{
	const char *name = c->args.value[OPTION_PASSCODE];
	out[0] = '\0';
	if (name == NULL) {
		return EXIT_DONE;
	}
	FILE *from = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
	if (from == NULL) {
		print_problem("%s: %s", name[0] == '\0' ? "\"\"" : print_soft(slice_str(name)),
			      strerror(errno));
		return EXIT_USAGE;
	}
	bool is_read = passcode_line(from, out);
	if (from != stdin) {
		(void)fclose(from);
	}
	if (!is_read) {
		print_problem("%s has no passcode in its first line: use 1 to %d bytes",
			      print_soft(slice_str(name)), PASSCODE_BYTES_MAX);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

bool passcode_ask(const char *question, char out[PASSCODE_BYTES_MAX + 1])
{
	struct termios before;
	if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1 ||
	    tcgetattr(STDIN_FILENO, &before) != 0) {
		return false;
	}
	struct termios silent = before;
	silent.c_lflag &= ~(tcflag_t)ECHO;
	(void)fprintf(stderr, "%s", question);
	(void)fflush(stderr);
	if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) != 0) {
		return false;
	}
	bool is_read = passcode_line(stdin, out);
	(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
	(void)fputc('\n', stderr);
	return is_read;
}
