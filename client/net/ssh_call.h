/*
 * ssh_call.h - the command line that reaches a server by ssh, and what its end means.
 *
 * As git does: the system's ssh is run with the user, host and port of the address
 * and nothing else that its configuration could say, and `aye relay` on the far
 * side. AYE_SSH_COMMAND takes the place of `ssh`; a shell splits it into words.
 * Running it is ssh_child_uv.h's business. What comes in by sshd is not in here
 * (client/model/ssh_command.h).
 */
#ifndef CLIENT_NET_SSH_CALL_H
#define CLIENT_NET_SSH_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "client/net/address.h"

#define SSH_CALL_COMMAND "AYE_SSH_COMMAND"

/* What ssh ends with by itself, whatever the far side's program did. */
#define SSH_CALL_FAILED 255

struct ssh_call {
	char destination[ADDRESS_USER_MAX + 1 + ADDRESS_HOST_MAX + 1];
	char port[6];
	char command[ADDRESS_PATH_MAX + sizeof("aye relay --server 'unix:'")]; /* for the far side's shell */
	char *argv[14]; /* of the members above and static text; ends with NULL */
};

/*
 * @address      an ssh:// one.
 * @has_command  AYE_SSH_COMMAND is set.
 * @may_ask      ssh may ask for passwords and the like on the terminal; else it fails where it would.
 * @out          points into itself: not to be copied.
 */
void ssh_call_make(const struct address *address, bool has_command, bool may_ask, struct ssh_call *out);

/* How the child ended. */
struct ssh_end {
	int64_t status;
	int signal; /* 0: by itself */
	bool has_answered; /* the far side's server has sent anything */
	bool has_command; /* as above */
	const char *said; /* the last line that it, or the far side, wrote to standard error, safe to print; "": nothing */
};

#define SSH_CALL_WHY_BYTES 640
/* Which end failed, for people. */
void ssh_call_explain(const struct address *address, const struct ssh_end *end, char out[SSH_CALL_WHY_BYTES]);

#endif
