/*
 * lines_home.c - a list, a prompt, and the verb that was chosen; see lines_home.h.
 */
#include "client/lines/lines_home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/login.h"
#include "client/kiosk/ssh_session.h"
#include "client/lines/lines_ask.h"
#include "client/model/invite.h"
#include "proto/base/format.h"

#define LINES_HOME_LINE_BYTES 1024
#define LINES_HOME_HELP \
	"Type a number or a code to join that room, new or new TITLE to create one, q to quit."

/* What is chosen, for the verb that does it; lives as long as that runs. */
struct lines_home {
	struct visit *visit;
	const struct recent_rooms *rooms;
	struct invite to;
	int (*verb)(struct cli *c); /* NULL: nothing is chosen yet */
	char title[LINES_HOME_LINE_BYTES];
};

static bool lines_home_tell(const struct recent_rooms *rooms)
{
	bool is_told = true;
	for (size_t i = 0; i < rooms->n && is_told; i++) {
		const struct recent_room *room = &rooms->rooms[i];
		is_told = print_line("%zu: %s%s%s%s%s%s", i + 1, room->room_id,
				     room->title[0] == '\0' ? "" : ", ", room->title,
				     room->name[0] == '\0' ? "" : ", as ", room->name,
				     room->is_host ? ", host" : "");
	}
	return is_told &&
	       print_line("%s%s", rooms->n == 0 ? "No rooms yet. " : "", LINES_HOME_HELP);
}

/* A number is shorter than a code. */
static bool lines_home_is_number(const char *line)
{
	enum { DIGITS_MAX = 5 };
	size_t digits = strspn(line, "0123456789");
	return digits > 0 && digits <= DIGITS_MAX && line[digits] == '\0';
}

/* The room with that number; NULL where there is none. */
static const struct recent_room *lines_home_room(const struct recent_rooms *rooms,
						 const char *number)
{
	size_t n = strtoul(number, NULL, 10);
	return n >= 1 && n <= rooms->n ? &rooms->rooms[n - 1] : NULL;
}

/*
 * A room is on the server where rooms are made, unless it is told to be on
 * another; our own, which may have to be started, is never told.
 */
static bool lines_home_find_server(struct lines_home *h)
{
	struct visit *v = h->visit;
	struct server_place usual;
	struct errmsg why = {""};
	if (h->to.server[0] == '\0' ||
	    (server_seek(v->cli->args.value[OPTION_SERVER], &usual, &why) == OK &&
	     strcmp(usual.address.text, h->to.server) == 0)) {
		return true;
	}
	if (ssh_session_is_on()) {
		(void)print_line("Over ssh, only rooms of this host's server are available.");
		return false;
	}
	v->cli->args.value[OPTION_SERVER] = h->to.server;
	return true;
}

/* Where the line leads: to one of the rooms, or to where somebody was asked to come. */
static enum err lines_home_read(struct lines_home *h, const char *line, struct errmsg *why)
{
	h->to = (struct invite){.room_id = ""};
	if (!lines_home_is_number(line)) {
		return invite_parse(line, &h->to, why);
	}
	const struct recent_room *room = lines_home_room(h->rooms, line);
	if (room == NULL) {
		errmsg_set(why, "Room %s not found here", line);
		return ERR_INVALID;
	}
	(void)format_to(h->to.room_id, sizeof(h->to.room_id), "%s", room->room_id);
	(void)format_to(h->to.server, sizeof(h->to.server), "%s", room->server);
	return OK;
}

/* Where the line leads is gone to; nowhere is told. */
static void lines_home_join(struct lines_home *h, const char *line)
{
	struct errmsg why = {""};
	struct args *args = &h->visit->cli->args;
	if (lines_home_read(h, line, &why) != OK) {
		(void)print_line("%s.", why.text);
		(void)print_line(LINES_HOME_HELP);
		return;
	}
	if (lines_home_find_server(h)) {
		args->words[0] = h->to.room_id;
		args->words_n = 1;
		h->verb = verb_join;
	}
}

static void lines_home_take(struct lines_home *h, const char *line)
{
	bool makes = strncmp(line, "new", 3) == 0 && (line[3] == ' ' || line[3] == '\0');
	if (!makes) {
		lines_home_join(h, line);
		return;
	}
	(void)format_to(h->title, sizeof(h->title), "%s", line + 3 + strspn(line + 3, " "));
	h->visit->cli->args.value[OPTION_TITLE] = h->title;
	h->verb = verb_new;
}

/* For what is sent to the user. A server that is not there is started for a room, not for this. */
static void lines_home_connect(struct lines_home *h, struct lines_ask *ask)
{
	struct errmsg why;
	struct server_place place;
	if (server_seek(h->visit->cli->args.value[OPTION_SERVER], &place, &why) == OK &&
	    !place.is_down) {
		struct sign_in *s = login_stored(place.address.text);
		if (s != NULL) {
			lines_ask_connect(ask, &place.address, s);
		}
	}
}

int lines_home(struct visit *v, const struct recent_rooms *rooms)
{
	struct lines_home h = {.visit = v, .rooms = rooms};
	struct lines_ask ask;
	char rows[LINES_HOME_LINE_BYTES] = ""; /* of a line that goes on */
	const char *line = "";
	if (!lines_home_tell(rooms)) {
		return EXIT_BROKEN;
	}
	lines_ask_open(&ask, "home", "aye inbox");
	while (h.verb == NULL && line != NULL) {
		/* Not while a line is read: that may look who is logged in, and there is one memory of it. */
		lines_home_connect(&h, &ask);
		line = lines_ask(&ask);
		lines_ask_disconnect(&ask);
		if (line != NULL && (strcmp(line, "q") == 0 || strcmp(line, "quit") == 0)) {
			break;
		}
		if (line == NULL) {
			break;
		}
		size_t len = strlen(rows);
		(void)format_to(rows + len, sizeof(rows) - len, "%s%s", line,
				invite_goes_on(line) ? "\n" : "");
		if (rows[0] != '\0' && !invite_goes_on(line)) {
			lines_home_take(&h, rows);
		}
		if (!invite_goes_on(line)) {
			rows[0] = '\0';
		}
	}
	lines_ask_close(&ask);
	return h.verb == NULL ? EXIT_DONE : h.verb(v->cli);
}
