/*
 * verb_join.c - aye new, aye join: into a room, with a screen where there is one.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/make_room.h"
#include "client/cli/plain.h"
#include "client/cli/plain_talk.h"
#include "client/cli/report.h"
#include "client/net/room_app_uv.h"
#include "proto/format.h"

static bool verb_join_has_terminal(void)
{
	return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

static bool verb_join_is_plain(const struct cli *c)
{
	const char *term = getenv("TERM");
	return c->config.now.value[SETTING_PLAIN] == PLAIN_ON ||
	       (term != NULL && strcmp(term, "dumb") == 0);
}

static void verb_join_on_seat(void *owner, const char *old_name, const char *name,
			      const char *user_key)
{
	struct visit *v = owner;
	visit_keep_seat(v, old_name, name, user_key);
	/* Should it go on without the screen, it is with the same seat. */
	(void)format_to(v->known.user_key, sizeof(v->known.user_key), "%s", user_key);
}

static void verb_join_on_lost(void *owner)
{
	visit_revive_server(owner);
}

static enum err verb_join_on_save(void *owner, struct errmsg *why)
{
	struct visit *v = owner;
	return config_save(&v->cli->config, why);
}

/* As JSON lines, for programs. */
static int verb_join_for_programs(struct visit *v, const char *name)
{
	struct plain_wish wish = {
		.name = name,
		.is_spectator = v->cli->args.value[OPTION_SPECTATE] != NULL,
	};
	return plain_follow(v, &wish);
}

static int verb_join_plainly(struct visit *v)
{
	const char *name = visit_name(v);
	if (name == NULL && (v->cli->is_json || !verb_join_has_terminal())) {
		report_problem("who joins? say --name NAME");
		return EXIT_USAGE;
	}
	return v->cli->is_json ? verb_join_for_programs(v, name)
			       : plain_talk(v, name, v->cli->args.value[OPTION_SPECTATE] != NULL);
}

/* What stays in the terminal after the screen has gone. */
static int verb_join_goodbye(struct visit *v, enum room_app_end end, const struct fault *fault,
			     const struct errmsg *why)
{
	switch (end) {
	case ROOM_APP_LEFT:
		(void)report_line("left %s; come back with: %s", v->room_id, visit_join_line(v));
		return EXIT_DONE;
	case ROOM_APP_ENDED:
		(void)report_line("%s: %s", v->room_id, report_soft(slice_str(why->text)));
		return EXIT_DONE;
	case ROOM_APP_REFUSED:
		return report_refusal(v->cli, fault);
	case ROOM_APP_LOST:
		report_problem("cannot reach %s: %s", v->place.address.text,
			       report_soft(slice_str(why->text)));
		return EXIT_NO_SERVER;
	case ROOM_APP_NO_SCREEN:
		return verb_join_plainly(v);
	case ROOM_APP_BROKEN:
		report_problem("%s", report_soft(slice_str(why->text)));
		return EXIT_BROKEN;
	}
	return EXIT_BROKEN;
}

static int verb_join_on_screen(struct visit *v)
{
	struct fault fault = {0};
	struct errmsg why = {""};
	const char *name = visit_name(v); /* without any the screen asks */
	struct room_app_options o = {
		.address = v->place.address,
		.room_id = v->room_id,
		.user_key = v->known.user_key,
		.name = name,
		.sign_in = v->sign_in,
		.is_spectator = v->cli->args.value[OPTION_SPECTATE] != NULL,
		.host_key = v->known.host_key,
		.passcode = v->passcode,
		.settings = &v->cli->config.now,
		.ascii = config_terminal_is_ascii(),
		.warning = v->cli->config.warning.text,
		.on_seat = verb_join_on_seat,
		.on_lost = verb_join_on_lost,
		.on_save = verb_join_on_save,
		.owner = v,
	};
	enum room_app_end end = room_app_run(&o, &fault, &why);
	if (end == ROOM_APP_REFUSED && visit_ask_passcode(v, &fault)) {
		end = room_app_run(&o, &fault, &why);
	}
	return verb_join_goodbye(v, end, &fault, &why);
}

int verb_join(struct cli *c)
{
	struct visit v = {.cli = c};
	int code = verbs_open_config(c);
	if (code == EXIT_DONE) {
		code = visit_find(c, &v);
	}
	if (code == EXIT_DONE) {
		bool has_screen = verb_join_has_terminal() && !c->is_json && !verb_join_is_plain(c);
		code = has_screen ? verb_join_on_screen(&v) : verb_join_plainly(&v);
	}
	visit_close(&v);
	return code;
}

/* The room is there: say how to come in, or go in. */
static int verb_new_enter(struct visit *v, const struct room_create_result *r)
{
	if (v->cli->is_json) {
		enum err e = report_record(&record_room_create_result, r);
		return e == OK ? EXIT_DONE : report_failure(e, NULL);
	}
	/* Whoever catches the code in a variable may sit at a terminal all the same. */
	if (!verb_join_has_terminal() && v->cli->args.value[OPTION_PLAIN] == NULL) {
		bool is_told =
			report_line("%s", v->room_id) && report_line("%s", visit_join_line(v));
		return is_told ? EXIT_DONE : EXIT_BROKEN;
	}
	session_close(v->session);
	v->session = NULL;
	return !verb_join_has_terminal() || verb_join_is_plain(v->cli) ? verb_join_plainly(v)
								       : verb_join_on_screen(v);
}

int verb_new(struct cli *c)
{
	struct visit v = {.cli = c};
	struct room_create_result r;
	int code = verbs_open_config(c);
	if (code == EXIT_DONE) {
		code = visit_begin(c, &v);
	}
	if (code == EXIT_DONE) {
		code = visit_connect(&v);
	}
	if (code == EXIT_DONE) {
		code = make_room(&v, &r);
	}
	if (code == EXIT_DONE) {
		code = verb_new_enter(&v, &r);
	}
	visit_close(&v);
	return code;
}
