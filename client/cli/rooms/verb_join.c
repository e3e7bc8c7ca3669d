/*
 * verb_join.c - aye new, aye join: into a room, with a screen where there is one.
 */
#include "client/app/room_carry_uv.h"
#include "client/cli/output/print.h"
#include "client/cli/people/team_first_room.h"
#include "client/cli/reach/room_context.h"
#include "client/cli/reach/share.h"
#include "client/cli/rooms/create_room.h"
#include "client/cli/verb_screen.h"
#include "client/kiosk/ssh_session.h"
#include "client/lines/lines_room.h"
#include "client/lines/lines_watch.h"
#include "proto/link.h"

/* As JSON lines, for programs. */
static int verb_join_for_programs(struct visit *v, const char *name)
{
	struct lines_wish wish = {
		.name = name,
		.is_spectator = v->cli->args.value[OPTION_SPECTATE] != NULL,
	};
	return lines_watch(v, &wish);
}

static int verb_join_plainly(struct visit *v)
{
	const char *name = visit_name(v);
	if (name == NULL && (v->cli->is_json || !verb_screen_has_terminal())) {
		print_problem("--name NAME is required");
		return EXIT_USAGE;
	}
	return v->cli->is_json ? verb_join_for_programs(v, name)
			       : lines_room(v, name, v->cli->args.value[OPTION_SPECTATE] != NULL);
}

/* What stays in the terminal after the screen has gone. */
static int verb_join_goodbye(struct visit *v, enum app_end end, const struct fault *fault,
			     const struct errmsg *why)
{
	switch (end) {
	case APP_LEFT:
		visit_print_summary(v);
		(void)print_line("Left %s. To rejoin: %s", v->room_id, visit_join_line(v));
		return EXIT_DONE;
	case APP_LEFT_HERE:
		(void)print_line(ROOM_CARRY_ELSEWHERE);
		return EXIT_DONE;
	case APP_ENDED:
		(void)print_line("%s: %s", v->room_id, print_soft(slice_str(why->text)));
		return EXIT_DONE;
	case APP_REFUSED:
		return print_refusal(v->cli, fault);
	case APP_LOST:
		print_problem("cannot reach %s: %s", v->place.address.text,
			      print_soft(slice_str(why->text)));
		return EXIT_NO_SERVER;
	case APP_NO_SCREEN:
		return verb_join_plainly(v);
	case APP_BROKEN:
		print_problem("%s", print_soft(slice_str(why->text)));
		return EXIT_BROKEN;
	}
	return EXIT_BROKEN;
}

static int verb_join_on_screen(struct visit *v)
{
	struct fault fault = {0};
	struct errmsg why = {""};
	struct app_options o;
	verb_screen_options(v, &o);
	verb_screen_entry(v, &o.entry);
	enum app_end end = app_run(&o, &fault, &why);
	return verb_join_goodbye(v, end, &fault, &why);
}

/*
 * In place of a code a whole invitation may stand, as one word: its code, and its server where none is given. Who came
 * by ssh is led to no other server; what is neither is refused as a code.
 */
static void verb_join_read(struct cli *c)
{
	static struct invite invite; /* lent to the words of this run */
	struct errmsg unseen = {""};
	if (ssh_session_is_on() || invite_parse(c->args.words[0], &invite, &unseen) != OK) {
		return;
	}
	c->args.words[0] = invite.room_id;
	if (invite.server[0] != '\0' && c->args.value[OPTION_SERVER] == NULL) {
		c->args.value[OPTION_SERVER] = invite.server;
	}
}

/* Without a code, a person chooses from the rooms at home; *ends: that is all. */
static int verb_join_choose(struct cli *c, bool *ends)
{
	bool found;
	*ends = verb_screen_has_terminal() && !c->is_json;
	if (*ends) {
		return verb_home(c);
	}
	int code = room_context_fill(c, &found);
	if (code == EXIT_DONE && !found) {
		print_problem("%s", ROOM_CONTEXT_NONE);
		code = EXIT_USAGE;
	}
	return code;
}

int verb_join(struct cli *c)
{
	struct visit v = {.cli = c};
	bool ends = false;
	int code = c->args.words_n == 0 ? verb_join_choose(c, &ends) : EXIT_DONE;
	if (code != EXIT_DONE || ends) {
		return code;
	}
	verb_join_read(c);
	code = verbs_open_config(c);
	if (code == EXIT_DONE) {
		code = visit_find(c, &v);
	}
	if (code == EXIT_DONE) {
		bool has_screen =
			verb_screen_has_terminal() && !c->is_json && !verb_screen_is_plain(c);
		code = has_screen ? verb_join_on_screen(&v) : verb_join_plainly(&v);
	}
	visit_close(&v);
	return code;
}

/* The room is there: say how to come in, or go in. */
static int verb_new_enter(struct visit *v, const struct room_create_result *r)
{
	char link[INVITE_LINK_BYTES_MAX + 1];
	if (v->cli->is_json) {
		(void)link_of_page(slice_str(room_client_web(v->client)), r->room_id, link,
				   sizeof(link));
		return print_record_linked(&record_room_create_result, r, link);
	}
	/* Whoever catches the code in a variable may sit at a terminal all the same. */
	if (!verb_screen_has_terminal() && v->cli->args.value[OPTION_PLAIN] == NULL) {
		struct invite_place place;
		/* Nothing is kept of an ssh session but the host's seat itself. */
		int code = ssh_session_is_on() ? visit_subscribe(v, NULL) : EXIT_DONE;
		if (code != EXIT_DONE) {
			return code;
		}
		share_look(v, &place);
		bool is_told = print_line("%s", v->room_id) && share_print(&place, v->room_id);
		share_warn(&place);
		return is_told ? EXIT_DONE : EXIT_BROKEN;
	}
	visit_disconnect(v);
	return !verb_screen_has_terminal() || verb_screen_is_plain(v->cli) ? verb_join_plainly(v)
									   : verb_join_on_screen(v);
}

int verb_new(struct cli *c)
{
	struct visit v = {.cli = c};
	struct room_create_result r;
	struct invite_place ignored; /* the screen, and share_look(), ask again */
	bool shares = c->args.value[OPTION_SHARE] != NULL;
	/* People see the countdown and can stop it. A team has its own rules for that. */
	bool is_team = c->args.value[OPTION_TEAM] != NULL;
	struct policy_change rules = {.auto_reveal = true, .with_auto_reveal = !is_team};
	if (c->args.words_n > 0 && !shares) {
		print_problem("new takes no arguments except the address after --share");
		return EXIT_USAGE;
	}
	int code = share_check(c, shares);
	if (code == EXIT_DONE) {
		code = verbs_open_config(c);
	}
	if (code == EXIT_DONE) {
		code = visit_begin(c, &v);
	}
	if (code == EXIT_DONE) {
		code = visit_connect(&v);
	}
	if (code == EXIT_DONE && shares) {
		code = share_begin(&v, c->args.words_n > 0 ? c->args.words[0] : "", &ignored, NULL);
	}
	if (code == EXIT_DONE) {
		code = team_first_room(&v);
	}
	if (code == EXIT_DONE) {
		code = create_room(&v, &rules, &r);
	}
	if (code == EXIT_DONE && visit_is_named(&v)) {
		visit_keep_verb_seat(&v, visit_name(&v),
				     ""); /* for verbs, where nobody joins now */
	}
	if (code == EXIT_DONE) {
		code = verb_new_enter(&v, &r);
	}
	visit_close(&v);
	return code;
}
