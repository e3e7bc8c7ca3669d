/*
 * ssh_call.h - the command line that reaches a server by ssh, and what its exit means.
 *
 * As git does, it runs the system's ssh with the user, host and port of the address,
 * leaving everything else to ssh's configuration, and `aye relay` on the far side.
 * AYE_SSH_COMMAND replaces `ssh`; a shell splits it into words. ssh_child_uv.h runs it.
 * Commands that arrive through sshd are parsed in client/model/ssh_command.h.
 */
#ifndef CLIENT_NET_SSH_CALL_H
#define CLIENT_NET_SSH_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "client/net/transport/address.h"

#define SSH_CALL_COMMAND "AYE_SSH_COMMAND"

/* The exit status of ssh's own failures, see ssh(1). */
#define SSH_CALL_FAILED 255

struct ssh_call {
	char destination[ADDRESS_USER_MAX + 1 + ADDRESS_HOST_MAX + 1];
	char port[6];
	/* for the far side's shell */
	char command[ADDRESS_PATH_MAX + sizeof("aye relay --server 'unix:'")];
	char *argv[14]; /* of the members above and static text; ends with NULL */
};

/*
 * @address      an ssh:// one.
 * @has_command  AYE_SSH_COMMAND is set.
 * @may_ask      ssh may prompt on the terminal; false: it fails instead.
 * @out          points into itself: do not copy it.
 */
void ssh_call_make(const struct address *address, bool has_command, bool may_ask, struct ssh_call *out);

/* How the child ended. */
struct ssh_end {
	int64_t status;
	int signal; /* 0: it exited */
	bool has_answered; /* the far side's server has sent anything */
	bool has_command; /* as above */
	/*
	 * The last line that it or the far side wrote to standard error, safe to print; "": none.
	 */
	const char *said;
};

#define SSH_CALL_WHY_BYTES 640
/* Say which side failed, for people. */
void ssh_call_explain(const struct address *address, const struct ssh_end *end, char out[SSH_CALL_WHY_BYTES]);

#endif
