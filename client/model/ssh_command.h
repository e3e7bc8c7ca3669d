/*
 * ssh_command.h - the commands allowed to users who connect by ssh.
 *
 * The text is SSH_ORIGINAL_COMMAND of sshd(8), and untrusted. It is split at blanks, never given to
 * a shell, and refused if it is not in the table below; an empty one opens home. Quotes have no
 * meaning, since the user's own shell has removed them: a name or a text of several words extends
 * to the end of the line, and a question's to the next -o.
 */
#ifndef CLIENT_MODEL_SSH_COMMAND_H
#define CLIENT_MODEL_SSH_COMMAND_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/room_code.h"

#define SSH_COMMAND_BYTES_MAX 256

/*
 * The verb and its second word, as in the table of verbs; what follows; its usage and help, for
 * refusals and aye(1). The second word of a row that takes nothing is optional.
 */
#define SSH_COMMANDS(X) \
	X("join",   "",     CODE,     "[join] CODE [--name NAME]",      "Join a room, on a screen where there is a terminal, otherwise in lines; the name runs to the end of the line") \
	X("new",    "",     NAMED,    "new [--name NAME]",              "Create a room and join it") \
	X("inbox",  "",     NOTHING,  "inbox",                          "Read and answer the questions for you, on a screen where there is a terminal, otherwise in lines") \
	X("ask",    "",     QUESTION, "ask QUESTION|- [-o OPTION]...",  "Ask people a question, - for standard input, and print its id; leave out quotes; no other word may start with -") \
	X("answer", "",     ANSWER,   "answer [ID [ANSWER|-]]",         "Answer a question, - for standard input; without ANSWER a terminal asks for it, without ID this is the inbox") \
	X("team",   "list", NOTHING,  "team [list]",                    "List your teams") \
	X("team",   "show", TEXT,     "team show TEAM",                 "Show a team") \
	X("team",   "new",  TEXT,     "team new NAME",                  "Create a team") \
	X("team",   "join", TEXT,     "team join INVITE-CODE",          "Join a team by an invitation code") \
	X("login",  "",     NAME,     "login NAME",                     "Be called NAME in every room") \
	X("logout", "",     NOTHING,  "logout",                         "Free your name until the next time") \
	X("whoami", "",     NOTHING,  "whoami",                         "Show your name and your rooms")

/* The list of commands, for refusals. */
#define SSH_COMMAND_SHAPE(verb, act, takes, shape, help) ", " shape
#define SSH_COMMAND_POSSIBLE				 "nothing" SSH_COMMANDS(SSH_COMMAND_SHAPE)

static_assert(CODE_CHARS_MAX <= SSH_COMMAND_BYTES_MAX && MAX_NAME_BYTES <= SSH_COMMAND_BYTES_MAX,
	      "a word holds either");

struct ssh_command {
	const char *verb; /* home, or that of a row */
	const char *act;  /* the verb's second word; "": none */
	/* the arguments: a code in upper case, an id, a name, a text; "": none */
	char words[2][SSH_COMMAND_BYTES_MAX + 1];
	char name[MAX_NAME_BYTES + 1];		  /* "": not given */
	char options[MAX_QUESTION_OPTIONS][SSH_COMMAND_BYTES_MAX + 1]; /* of a question */
	size_t options_n;
};

/*
 * Parse a command. No text in *out begins with -, except "-" itself.
 *
 * ERR_INVALID  longer than SSH_COMMAND_BYTES_MAX, a control character, or not one of the commands.
 */
NODISCARD enum err ssh_command_parse(struct slice text, struct ssh_command *out);

#endif
