/*
 * reach.c - the server, a session with it, one call; see reach.h.
 */
#include "client/cli/reach.h"

#include "client/cli/login.h"
#include "client/cli/print.h"

int reach_place(const struct cli *c, struct place *out)
{
	struct errmsg why = {""};
	enum err e = server_find(c->args.value[OPTION_SERVER], out, &why);
	return e == OK ? EXIT_DONE : print_failure(e, why.text);
}

static int reach_tell(const struct place *place, enum err e, const struct errmsg *why)
{
	if (e == OK) {
		return EXIT_DONE;
	}
	print_problem("cannot reach %s: %s", place->address.text,
		      why->text[0] != '\0' ? print_soft(slice_str(why->text)) : err_text(e));
	return EXIT_NO_SERVER;
}

int reach_open(const struct cli *c, const struct place *place, struct sign_in *sign_in,
	       struct session **out)
{
	struct errmsg why = {""};
	enum err e = session_open(&place->address, sign_in, c->answer_ms, out, &why);
	return reach_tell(place, e, &why);
}

int reach_open_early(const struct cli *c, const struct place *place, struct sign_in *sign_in,
		     struct session **out)
{
	struct errmsg why = {""};
	enum err e = session_open_early(&place->address, sign_in, c->answer_ms, out, &why);
	return reach_tell(place, e, &why);
}

int reach_server(const struct cli *c, struct place *place, struct session **out)
{
	int code = reach_place(c, place);
	return code == EXIT_DONE ? reach_open(c, place, login_stored(place->address.text), out)
				 : code;
}

int reach_call(const struct cli *c, struct session *s, enum method method, const void *params,
	       struct arena *arena, void *result)
{
	bool is_refused = false;
	struct fault fault = {0};
	enum err e =
		session_call(s, method, params, c->answer_ms, arena, result, &is_refused, &fault);
	if (e != OK) {
		return print_failure(e, e == ERR_NOMEM ? NULL : session_why(s));
	}
	return is_refused ? print_refusal(c, &fault) : EXIT_DONE;
}

struct slice reach_once(char out[REACH_ONCE_CHARS + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[REACH_ONCE_CHARS / 2];
	session_random(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++) {
		out[2 * i] = digits[bytes[i] >> 4];
		out[2 * i + 1] = digits[bytes[i] & 15];
	}
	out[REACH_ONCE_CHARS] = '\0';
	return slice_of(out, REACH_ONCE_CHARS);
}

int reach_watch_end(const struct cli *c, const struct place *place, enum watch_end end, int code,
		    const struct fault *fault, const struct errmsg *why)
{
	switch (end) {
	case WATCH_STOPPED:
		return code;
	case WATCH_ENDED:
		print_problem("%s", print_soft(slice_str(why->text)));
		return EXIT_DONE;
	case WATCH_REFUSED:
		return print_refusal(c, fault);
	case WATCH_LOST:
		print_problem("cannot reach %s: %s", place->address.text,
			      print_soft(slice_str(why->text)));
		return EXIT_NO_SERVER;
	case WATCH_TIMED_OUT:
		return EXIT_TIMED_OUT;
	case WATCH_NO_MEMORY:
		return print_failure(ERR_NOMEM, NULL);
	}
	return EXIT_BROKEN;
}
