/*
 * reach.c - the server, a client of it, one call; see reach.h.
 */
#include "client/cli/reach/reach.h"

#include <sodium.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/known_servers.h"
#include "client/cli/reach/login.h"

int reach_meet(const struct cli *c, struct server_place *place, struct errmsg *why)
{
	print_warning(why);
	why->text[0] = '\0';
	enum err e = known_server_meet(&place->address, c->answer_ms, why);
	if (e == ERR_UNKNOWN) {
		return reach_tell_lost(place, why);
	}
	return e == OK ? EXIT_DONE : print_failure(e, why->text);
}

int reach_place(const struct cli *c, struct server_place *out)
{
	struct errmsg why = {""};
	enum err e = server_find(c->args.value[OPTION_SERVER], out, &why);
	return e == OK ? reach_meet(c, out, &why) : print_failure(e, why.text);
}

int reach_tell_lost(const struct server_place *place, const struct errmsg *why)
{
	print_problem("cannot reach %s: %s", place->address.text, print_soft(slice_str(why->text)));
	return EXIT_NO_SERVER;
}

static int reach_connect(const struct cli *c, const struct server_place *place,
			 struct sign_in *sign_in, bool needs_hello, struct room_client **out)
{
	struct errmsg why = {""};
	struct room_client_options o = {.address = place->address, .sign_in = sign_in};
	struct room_client *client = room_client_open(NULL, &o);
	if (room_client_connect(client, needs_hello, c->answer_ms, &why) != OK) {
		room_client_close(client);
		return reach_tell_lost(place, &why);
	}
	*out = client;
	return EXIT_DONE;
}

int reach_open(const struct cli *c, const struct server_place *place, struct sign_in *sign_in,
	       struct room_client **out)
{
	return reach_connect(c, place, sign_in, true, out);
}

int reach_open_early(const struct cli *c, const struct server_place *place, struct sign_in *sign_in,
		     struct room_client **out)
{
	return reach_connect(c, place, sign_in, false, out);
}

int reach_server(const struct cli *c, struct server_place *place, struct room_client **out)
{
	int code = reach_place(c, place);
	return code == EXIT_DONE ? reach_open(c, place, login_stored(place->address.text), out)
				 : code;
}

struct slice reach_once(char out[REACH_ONCE_CHARS + 1])
{
	unsigned char bytes[REACH_ONCE_CHARS / 2];
	randombytes_buf(bytes, sizeof(bytes));
	(void)sodium_bin2hex(out, REACH_ONCE_CHARS + 1, bytes, sizeof(bytes));
	return slice_of(out, REACH_ONCE_CHARS);
}

int reach_end(const struct cli *c, const struct server_place *place, enum room_client_end end,
	      int code, const struct fault *fault, const struct errmsg *why)
{
	switch (end) {
	case CLIENT_RUNS:
	case CLIENT_STOPPED:
		return code;
	case CLIENT_ENDED:
		print_problem("%s", print_soft(slice_str(why->text)));
		return EXIT_DONE;
	case CLIENT_REFUSED:
		return print_refusal(c, fault);
	case CLIENT_LOST:
		return reach_tell_lost(place, why);
	case CLIENT_TIMED_OUT:
		return EXIT_TIMED_OUT;
	}
	return EXIT_BROKEN;
}
