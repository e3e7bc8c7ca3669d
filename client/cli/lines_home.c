/*
 * lines_home.c - a list, a prompt, and the verb that was chosen; see lines_home.h.
 */
#include "client/cli/lines_home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/xdg_dirs.h"
#include "client/model/invite.h"
#include "proto/format.h"

#define LINES_HOME_LINE_BYTES 1024
#define LINES_HOME_HELP                                                                     \
	"Type a number or a code to go into that room, new or new TITLE to make one, q to " \
	"end."

/* What is chosen, for the verb that does it; lives as long as that runs. */
struct lines_home {
	struct visit *visit;
	const struct recent_rooms *rooms;
	struct invite to;
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

/* A line without its end and the blanks around it; false where nobody types any more. */
static bool lines_home_ask(char line[LINES_HOME_LINE_BYTES])
{
	if (!print_part("home> ") || fgets(line, LINES_HOME_LINE_BYTES, stdin) == NULL) {
		(void)print_line("%s", "");
		return false;
	}
	size_t start = strspn(line, " \t");
	size_t end = strlen(line);
	while (end > start && strchr(" \t\r\n", line[end - 1]) != NULL) {
		end--;
	}
	memmove(line, line + start, end - start);
	line[end - start] = '\0';
	return true;
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
	struct errmsg why = {""};
	if (h->to.server[0] == '\0' ||
	    (visit_seek(v, &why) == OK && strcmp(v->place.address.text, h->to.server) == 0)) {
		return true;
	}
	if (xdg_is_apart()) {
		(void)print_line("Over ssh there are only the rooms of this host's server.");
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
		errmsg_set(why, "There is no room %s here", line);
		return ERR_INVALID;
	}
	(void)format_to(h->to.room_id, sizeof(h->to.room_id), "%s", room->room_id);
	(void)format_to(h->to.server, sizeof(h->to.server), "%s", room->server);
	return OK;
}

/* Go where the line leads; -1: nowhere, which was told. */
static int lines_home_join(struct lines_home *h, const char *line)
{
	struct errmsg why = {""};
	struct args *args = &h->visit->cli->args;
	if (lines_home_read(h, line, &why) != OK) {
		return print_line("%s.", why.text) && print_line(LINES_HOME_HELP) ? -1
										  : EXIT_BROKEN;
	}
	if (!lines_home_find_server(h)) {
		return -1;
	}
	args->words[0] = h->to.room_id;
	args->words_n = 1;
	return verb_join(h->visit->cli);
}

static int lines_home_take(struct lines_home *h, char *line)
{
	bool makes = strncmp(line, "new", 3) == 0 && (line[3] == ' ' || line[3] == '\0');
	if (strcmp(line, "q") == 0 || strcmp(line, "quit") == 0) {
		return EXIT_DONE;
	}
	if (!makes) {
		return lines_home_join(h, line);
	}
	(void)format_to(h->title, sizeof(h->title), "%s", line + 3 + strspn(line + 3, " "));
	h->visit->cli->args.value[OPTION_TITLE] = h->title;
	return verb_new(h->visit->cli);
}

int lines_home(struct visit *v, const struct recent_rooms *rooms)
{
	struct lines_home h = {.visit = v, .rooms = rooms};
	char line[LINES_HOME_LINE_BYTES];
	int code = lines_home_tell(rooms) ? -1 : EXIT_BROKEN;
	while (code < 0) {
		if (!lines_home_ask(line)) {
			return EXIT_DONE;
		}
		code = line[0] == '\0' ? -1 : lines_home_take(&h, line);
	}
	return code;
}
