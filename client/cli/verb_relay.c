/*
 * verb_relay.c - aye relay: the far side of ssh://.
 */
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/find_server.h"
#include "client/cli/verbs.h"
#include "client/net/transport/relay.h"

/* No server is started: who comes by ssh comes to one that runs. */
int verb_relay(struct cli *c)
{
	struct errmsg why = {""};
	struct server_place place;
	enum err e = server_seek(c->args.value[OPTION_SERVER], &place, &why);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	if (!place.address.is_unix) {
		print_problem("relay connects to a unix socket of this machine, not %s",
			      print_soft(slice_str(place.address.text)));
		return EXIT_USAGE;
	}
	e = relay_run(&place.address, STDIN_FILENO, STDOUT_FILENO, &why);
	if (e == OK) {
		return EXIT_DONE;
	}
	print_problem("%s%s", print_soft(slice_str(why.text)),
		      place.is_own ? ", nor at " SYSTEM_SOCKET : "");
	return EXIT_NO_SERVER;
}
