/*
 * ssh_session.c - from a key and a stranger's command to a verb; see ssh_session.h.
 */
#include "client/cli/ssh_session.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "client/cli/print.h"
#include "client/cli/verb_screen.h"
#include "client/cli/xdg_dirs.h"
#include "client/model/ssh_command.h"

static struct ssh_command ssh_session_command; /* the words point into it */

static int ssh_session_refuse(const char *what)
{
	print_problem("%s; possible over ssh: %s", what, SSH_COMMAND_POSSIBLE);
	return EXIT_USAGE;
}

/* Nobody could wake it again, and a dump would leave other people's tokens in a file. */
static void ssh_session_confine(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct rlimit none = {0, 0};
	(void)sigaction(SIGTSTP, &ignore, NULL);
	(void)setrlimit(RLIMIT_CORE, &none);
	/* Files that say what to send to the terminal come from the system alone. */
	(void)unsetenv("TERMINFO");
	(void)unsetenv("TERMINFO_DIRS");
}

static int ssh_session_read_command(struct ssh_command *out)
{
	const char *text = getenv("SSH_ORIGINAL_COMMAND");
	if (ssh_command_parse(slice_str(text == NULL ? "" : text), out) != OK) {
		return ssh_session_refuse("that is no command here");
	}
	if (strcmp(out->verb, "home") == 0 && !verb_screen_has_terminal()) {
		return ssh_session_refuse("there is no terminal (ssh -t gives one)");
	}
	return EXIT_DONE;
}

int ssh_session_begin(struct args *a)
{
	struct ssh_command *command = &ssh_session_command;
	char directory[SSH_KEY_HASH_CHARS + 1];
	if (!ssh_key_directory(slice_str(a->value[OPTION_SSH_KEY]), directory)) {
		print_problem("--ssh-key: a fingerprint is SHA256: and %d characters of base64",
			      SSH_KEY_HASH_CHARS);
		return EXIT_USAGE;
	}
	if (a->words_n > 0) {
		print_problem("--ssh-key: what to do comes from SSH_ORIGINAL_COMMAND alone");
		return EXIT_USAGE;
	}
	ssh_session_confine();
	xdg_keep_apart(directory);
	int code = ssh_session_read_command(command);
	if (code != EXIT_DONE) {
		return code;
	}
	a->value[OPTION_SSH_KEY] = NULL;
	a->words[a->words_n++] = command->verb;
	if (command->word[0] != '\0') {
		a->words[a->words_n++] = command->word;
	}
	if (command->name[0] != '\0' && a->value[OPTION_NAME] == NULL) {
		a->value[OPTION_NAME] = command->name; /* what the host told sshd comes first */
	}
	return EXIT_DONE;
}
