/*
 * verb_screen.c - a visit as the owner of a screen; see verb_screen.h.
 */
#include "client/cli/verb_screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "proto/base/format.h"

bool verb_screen_has_terminal(void)
{
	return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

bool verb_screen_is_plain(const struct cli *c)
{
	const char *term = getenv("TERM");
	return c->config.now.value[SETTING_PLAIN] == PLAIN_ON ||
	       (term != NULL && strcmp(term, "dumb") == 0);
}

static enum err verb_screen_on_seat(void *owner, const char *old_name, const char *name,
				    const char *user_key, struct errmsg *why)
{
	struct visit *v = owner;
	/* Should it go on without the screen, it is with the same seat. */
	(void)format_to(v->known.user_key, sizeof(v->known.user_key), "%s", user_key);
	return visit_store_seat(v, old_name, name, user_key, why);
}

static enum err verb_screen_on_title(void *owner, const char *title, struct errmsg *why)
{
	const struct visit *v = owner;
	return state_keep_title(&v->state, v->place.address.text, v->room_id, title, why);
}

static void verb_screen_on_room(void *owner, const struct replica *room)
{
	visit_take_room(owner, room);
}

static void verb_screen_on_snapshot(void *owner, const struct replica *room)
{
	visit_keep_status(owner, room);
}

static void verb_screen_on_left(void *owner, const struct replica *room, bool is_elsewhere)
{
	visit_leave_room(owner, room, is_elsewhere);
}

static const char *verb_screen_on_lost(void *owner)
{
	return visit_revive_server(owner);
}

static void verb_screen_on_slow(void *owner)
{
	const struct visit *v = owner;
	if (!v->place.address.is_ssh) { /* which may be asking for something in this very line */
		print_problem("%s has not answered yet; Ctrl-C to stop", v->place.address.text);
	}
}

static enum err verb_screen_on_save(void *owner, struct errmsg *why)
{
	struct visit *v = owner;
	return config_save(&v->cli->config, why);
}

void verb_screen_options(struct visit *v, struct app_options *out)
{
	*out = (struct app_options){
		.is_spectator = v->cli->args.value[OPTION_SPECTATE] != NULL,
		.settings = &v->cli->config.now,
		.ascii = config_terminal_is_ascii(),
		.warning = v->cli->config.warning.text,
		.on_seat = verb_screen_on_seat,
		.on_title = verb_screen_on_title,
		.on_room = verb_screen_on_room,
		.on_snapshot = verb_screen_on_snapshot,
		.on_left = verb_screen_on_left,
		.on_lost = verb_screen_on_lost,
		.on_slow = verb_screen_on_slow,
		.ask_passcode = visit_ask_passcode,
		.on_save = verb_screen_on_save,
		.owner = v,
	};
}

void verb_screen_entry(struct visit *v, struct app_entry *out)
{
	const char *name = visit_name(v); /* without any the screen asks */
	*out = (struct app_entry){.address = v->place.address, .sign_in = v->sign_in};
	visit_invite_place(v, &out->place);
	(void)format_to(out->room_id, sizeof(out->room_id), "%s", v->room_id);
	(void)format_to(out->user_key, sizeof(out->user_key), "%s", v->known.user_key);
	(void)format_to(out->name, sizeof(out->name), "%s", name == NULL ? "" : name);
	(void)format_to(out->host_key, sizeof(out->host_key), "%s", v->known.host_key);
	(void)format_to(out->passcode, sizeof(out->passcode), "%s", v->passcode);
}
