/*
 * share.c - aye serve, and what --share adds to aye new; see share.h.
 */
#include "client/cli/reach/share.h"

#include <jansson.h>

#include "client/cli/output/confirm.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/private_server.h"
#include "proto/base/format.h"
#include "proto/json.h"

int share_check(const struct cli *c, bool shares)
{
	bool is_web = c->args.value[OPTION_WEB] != NULL;
	bool is_insecure = c->args.value[OPTION_INSECURE_WEB] != NULL;
	if (is_web && is_insecure) {
		print_problem("use --web or --insecure-web, not both");
		return EXIT_USAGE;
	}
	if ((is_web || is_insecure) && !shares) {
		print_problem("%s needs --share", is_web ? "--web" : "--insecure-web");
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

int share_begin(struct visit *v, const char *typed, struct invite_place *out,
		struct server_share_result *result)
{
	const struct args *given = &v->cli->args;
	char address[INVITE_LINE_BYTES_MAX + 1];
	struct server_share_result r;
	invite_share_address(typed, address);
	struct server_share_params p = {
		.address = slice_str(address),
		.web_scheme = given->value[OPTION_WEB] != NULL		  ? SHARE_WEB_HTTPS
			      : given->value[OPTION_INSECURE_WEB] != NULL ? SHARE_WEB_HTTP
									  : SHARE_WEB_NONE,
	};
	p.with_web_scheme = p.web_scheme != SHARE_WEB_NONE;
	int code = visit_call(v, METHOD_SERVER_SHARE, &p, &r);
	if (code == EXIT_DONE) {
		visit_invite_place(v, out);
		invite_place_set(out, &r);
	}
	if (code == EXIT_DONE && result != NULL) {
		*result = r;
	}
	return code;
}

void share_look(struct visit *v, struct invite_place *out)
{
	struct server_share_params p = {.address = {0}};
	struct server_share_result r;
	struct reply reply;
	visit_invite_place(v, out);
	/* A server of an earlier version has no such method, and is reached by us alone. */
	if (out->is_own &&
	    room_client_ask_record(v->client, METHOD_SERVER_SHARE, &p, v->cli->answer_ms, &v->arena,
				   &r, &reply) == OK &&
	    !reply.is_refused) {
		invite_place_set(out, &r);
	}
}

void share_warn(const struct invite_place *place)
{
	if (invite_is_of_machine(place)) {
		print_problem("a unix: path works on this machine only: nobody can join from "
			      "another one");
	}
}

/* For those who have a browser only; nothing if the server has no page for them. */
static bool share_print_page(const struct invite_place *place, const char *room_id)
{
	enum { HALF = FINGERPRINT_HEX_CHARS / 2 }; /* 16 pairs, with the colon behind them */
	char link[INVITE_LINK_BYTES_MAX + 1];
	char hex[FINGERPRINT_HEX_CHARS + 1];
	if (place->web[0] == '\0') {
		return true;
	}
	invite_link(place, room_id == NULL ? "" : room_id, link);
	bool is_told = room_id == NULL ? print_line("In a browser: %s", place->web)
				       : print_line("%s", link);
	if (is_told && invite_web_warns(place, hex)) {
		is_told = print_line(INVITE_WEB_WARNS) && print_line("  %.*s", HALF, hex) &&
			  print_line("  %s", hex + HALF + 1);
	}
	return is_told;
}

bool share_print(const struct invite_place *place, const char *room_id)
{
	char line[INVITE_LINE_BYTES_MAX + 1];
	bool is_told = true;
	if (room_id != NULL && place->n == 0) {
		invite_line(place, 0, room_id, line);
		is_told = print_line("%s", line);
	}
	for (size_t i = 0; i < place->n && is_told; i++) {
		if (room_id == NULL) {
			is_told = print_line("export AYE_SERVER=%s", place->addresses[i]);
		} else {
			invite_line(place, i, room_id, line);
			is_told = print_line("%s", line);
		}
	}
	if (room_id != NULL && place->ssh[0] != '\0' && !place->is_ssh && is_told) {
		invite_ssh_line(place, room_id, line);
		is_told = print_line("%s", line);
	}
	is_told = is_told && share_print_page(place, room_id);
	if (place->n == 0 || !place->is_own || !is_told) {
		return is_told;
	}
	invite_tunnel_line(place, line);
	is_told = print_line("With ssh access only: run %s, then", line);
	invite_tunnel_server(place, line);
	return is_told && (room_id == NULL ? print_line("export AYE_SERVER=%s", line)
					   : print_line("aye join %s --server %s", room_id, line));
}

/* ---- stopping it ---- */

/* How many connections there are besides the one that asks; -1: the server does not say. */
static long long share_others(struct visit *v)
{
	const struct nothing p = {0};
	struct ping_result ignored;
	struct stats_result r;
	struct reply reply;
	struct buf text;
	/*
	 * What closed before this one opened, our own look for the server too, is ready in the server's
	 * loop no later than our first request, and is off its count when that turn of the loop ends.
	 * What is asked after the answer comes in a later turn.
	 */
	if (room_client_ask_record(v->client, METHOD_SERVER_PING, &p, v->cli->answer_ms, &v->arena,
				   &ignored, &reply) != OK ||
	    room_client_ask_record(v->client, METHOD_SERVER_STATS, &p, v->cli->answer_ms, &v->arena,
				   &r, &reply) != OK ||
	    reply.is_refused) {
		return -1;
	}
	buf_init(&text, 1u << 20);
	enum err e = json_from_bytes(r.counters, &text);
	json_t *counters = e == OK ? json_loadb(text.data, text.len, 0, NULL) : NULL;
	const json_t *n = json_object_get(counters, "connections");
	long long others = json_is_integer(n) ? json_integer_value(n) - 1 : -1;
	json_decref(counters);
	buf_finish(&text);
	return others;
}

static int share_confirm_stop(struct cli *c)
{
	char who[48] = "Other connections";
	struct visit v;
	int code = visit_begin(c, &v);
	code = code == EXIT_DONE ? visit_connect(&v) : code;
	long long others = code == EXIT_DONE ? share_others(&v) : 0;
	visit_close(&v);
	if (code != EXIT_DONE || others == 0) {
		return code;
	}
	if (others > 0) {
		(void)format_to(who, sizeof(who), "%lld other connection%s", others,
				others == 1 ? "" : "s");
	}
	return confirm_about(c, who);
}

static bool share_say_stopped(const struct cli *c, bool was_running)
{
	return c->is_json ? print_json(was_running ? "{\"stopped\":true}" : "{\"stopped\":false}")
	       : was_running
		       ? print_line("Your own server was stopped; its rooms are kept. The next "
				    "command that needs it starts it again, for you alone.")
		       : print_line("Your own server is not running.");
}

static int share_stop(struct cli *c)
{
	struct server_place place;
	struct errmsg why = {""};
	if (c->args.words_n > 0 || c->args.value[OPTION_WEB] != NULL ||
	    c->args.value[OPTION_INSECURE_WEB] != NULL) {
		print_problem("use --stop without an address, --web or --insecure-web");
		return EXIT_USAGE;
	}
	enum err e = server_seek(c->args.value[OPTION_SERVER], &place, &why);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	if (!place.is_own) {
		print_problem("only your own server can be stopped, not %s", server_label(&place));
		return EXIT_REFUSED;
	}
	int code = place.is_down ? EXIT_DONE : share_confirm_stop(c);
	if (code == EXIT_DONE && !place.is_down) {
		e = private_server_stop(place.address.path, &why);
		code = e == OK ? EXIT_DONE : print_failure(e, why.text);
	}
	if (code == EXIT_DONE && !share_say_stopped(c, !place.is_down)) {
		code = EXIT_BROKEN;
	}
	return code;
}

int verb_serve(struct cli *c)
{
	if (c->args.value[OPTION_STOP] != NULL) {
		return share_stop(c);
	}
	struct visit v;
	struct invite_place place;
	struct server_share_result result;
	int code = share_check(c, true);
	if (code == EXIT_DONE) {
		code = visit_begin(c, &v);
	}
	if (code == EXIT_DONE) {
		code = visit_connect(&v);
	}
	if (code == EXIT_DONE) {
		const char *where = c->args.words_n > 0 ? c->args.words[0] : "";
		code = share_begin(&v, where, &place, &result);
	}
	if (code == EXIT_DONE && c->is_json) {
		code = print_record(&record_server_share_result, &result);
	} else if (code == EXIT_DONE) {
		bool is_told = share_print(&place, NULL) &&
			       print_line("It stops an hour after the last connection.");
		code = is_told ? EXIT_DONE : EXIT_BROKEN;
	}
	visit_close(&v);
	return code;
}
