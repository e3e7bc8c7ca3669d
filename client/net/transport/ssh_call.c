/*
 * ssh_call.c - see ssh_call.h.
 */
#include "client/net/transport/ssh_call.h"

#include <string.h>

#include "proto/base/format.h"

/* The exit codes of aye relay (client/cli/verbs.h) and of a shell that does not find it. */
enum {
	FAR_REFUSES = 2,   /* an aye without that verb, or a session that lets nobody have it */
	FAR_NO_SERVER = 3, /* nobody listens at the socket */
	FAR_NOT_RUN = 126,
	FAR_NOT_FOUND = 127
};

void ssh_call_make(const struct address *address, bool has_command, bool may_ask,
		   struct ssh_call *out)
{
	/* The shell splits the variable as it splits what is typed; exec leaves no shell between us
	 * and ssh. */
	static char shell[] = "/bin/sh";
	static char option_c[] = "-c";
	static char script[] = "eval \"exec $" SSH_CALL_COMMAND " \\\"\\$@\\\"\"";
	static char name[] = SSH_CALL_COMMAND; /* what the shell itself complains of */
	static char ssh[] = "ssh";
	static char no_terminal[] = "-T";
	static char option_o[] = "-o";
	static char batch[] = "BatchMode=yes";
	static char option_p[] = "-p";
	static char end[] = "--";
	size_t n = 0;
	format_to(out->destination, sizeof(out->destination), "%s%s%s", address->user,
		  address->user[0] == '\0' ? "" : "@", address->host);
	format_to(out->port, sizeof(out->port), "%s", address->port);
	/* No character of a path ends the quotes, whatever shell the user has there (address.h). */
	format_to(out->command, sizeof(out->command),
		  address->path[0] == '\0' ? "aye relay%s" : "aye relay --server 'unix:%s'",
		  address->path);
	if (has_command) {
		out->argv[n++] = shell;
		out->argv[n++] = option_c;
		out->argv[n++] = script;
		out->argv[n++] = name;
	} else {
		out->argv[n++] = ssh;
	}
	out->argv[n++] = no_terminal; /* one would change the bytes */
	if (!may_ask) {
		out->argv[n++] = option_o;
		out->argv[n++] = batch;
	}
	if (out->port[0] != '\0') {
		out->argv[n++] = option_p;
		out->argv[n++] = out->port;
	}
	out->argv[n++] = end;
	out->argv[n++] = out->destination;
	out->argv[n++] = out->command;
	out->argv[n] = NULL;
}

void ssh_call_explain(const struct address *address, const struct ssh_end *end,
		      char out[SSH_CALL_WHY_BYTES])
{
	const size_t cap = SSH_CALL_WHY_BYTES;
	const char *host = address->host;
	const char *said = end->said;
	const char *colon = said[0] == '\0' ? "" : ": ";
	struct ssh_call call;
	ssh_call_make(address, false, true, &call);
	if (end->signal != 0) {
		format_to(out, cap, "ssh to %s was ended by signal %d", host, end->signal);
	} else if (end->status == SSH_CALL_FAILED && end->has_answered) {
		format_to(out, cap, "the ssh connection to %s was lost%s%s", host, colon, said);
	} else if (end->status == SSH_CALL_FAILED) {
		format_to(out, cap, "ssh to %s failed%s%s (try: ssh %s%s%s%s)", host, colon, said,
			  call.port[0] == '\0' ? "" : "-p ", call.port,
			  call.port[0] == '\0' ? "" : " ", call.destination);
	} else if (end->has_command &&
		   strncmp(said, SSH_CALL_COMMAND ":", sizeof(SSH_CALL_COMMAND)) == 0) {
		format_to(out, cap, "ssh cannot be run here: %s", said);
	} else if (end->status == FAR_NOT_FOUND) {
		format_to(out, cap, "aye is not installed on %s%s%s", host, colon, said);
	} else if (end->status == FAR_NOT_RUN) {
		format_to(out, cap, "aye cannot be run on %s%s%s", host, colon, said);
	} else if (end->status == FAR_NO_SERVER) {
		format_to(out, cap, "no server is running on %s%s%s", host, colon, said);
	} else if (end->status == FAR_REFUSES) {
		format_to(out, cap, "aye on %s does not relay%s%s", host, colon, said);
	} else if (end->status != 0) {
		format_to(out, cap, "aye relay on %s ended with %lld%s%s", host,
			  (long long)end->status, colon, said);
	} else {
		format_to(out, cap, "the server closed the connection");
	}
}
