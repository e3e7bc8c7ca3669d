/*
 * room_context.c - from what is stored about rooms to the one that is meant; see room_context.h.
 */
#include "client/cli/reach/room_context.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/find_server.h"
#include "client/kiosk/ssh_session.h"
#include "client/state/state_recent.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

#define CONTEXT_RECENT_MS INT64_C(3600000)

/* How near a room is; only the nearest ones are meant. */
enum nearness { FAR, RECENT, HERE };

/* The room that was found; lent to the words of this run. */
static char context_code[CODE_CHARS_MAX + 1];
static char context_server[RECENT_SERVER_BYTES_MAX + 1];

void room_context_terminal(char out[STATE_TERMINAL_BYTES + 1])
{
	/* A pane has a terminal of its own, but whoever splits a window means one place. */
	static const char *const sessions[] = {"TMUX", "STY"};
	out[0] = '\0';
	for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		const char *session = getenv(sessions[i]);
		if (session != NULL && session[0] != '\0') {
			(void)format_to(out, STATE_TERMINAL_BYTES + 1, "%s:%s", sessions[i],
					session);
			return;
		}
	}
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (ttyname_r(fd, out, STATE_TERMINAL_BYTES + 1) == 0) {
			return;
		}
		out[0] = '\0';
	}
}

/* A client that was killed could not write that it has left. */
bool room_context_is_followed(const struct state_status *s)
{
	bool is_there = s->pid > 0 && (kill((pid_t)s->pid, 0) == 0 || errno == EPERM);
	return is_there && s->is.is_in;
}

static enum nearness context_nearness(const struct recent_room *room,
				      const struct state_status *shown, size_t n,
				      const char *terminal, int64_t now_ms)
{
	for (size_t i = 0; i < n; i++) {
		bool is_it = strcmp(shown[i].room_id, room->room_id) == 0 &&
			     strcmp(shown[i].server, room->server) == 0;
		if (is_it && room_context_is_followed(&shown[i])) {
			return terminal[0] != '\0' && strcmp(terminal, shown[i].terminal) == 0
				       ? HERE
				       : RECENT;
		}
	}
	return now_ms - room->used_at_ms < CONTEXT_RECENT_MS ? RECENT : FAR;
}

/* Leave only the nearest rooms in the list. @server  NULL: on any server. */
static void context_keep_nearest(const struct state *state, const char *server,
				 struct recent_rooms *rooms)
{
	struct state_status shown[STATE_STATUS_MAX];
	char terminal[STATE_TERMINAL_BYTES + 1];
	struct timespec now = {0};
	enum nearness nearest = RECENT;
	size_t n = state_list_status(state, shown), kept = 0;
	(void)clock_gettime(CLOCK_REALTIME, &now);
	room_context_terminal(terminal);
	for (size_t i = 0; i < rooms->n; i++) {
		struct recent_room *room = &rooms->rooms[i];
		bool is_there = server == NULL || strcmp(server, room->server) == 0;
		enum nearness near = is_there ? context_nearness(room, shown, n, terminal,
								 (int64_t)now.tv_sec * 1000)
					      : FAR;
		if (near > nearest) {
			nearest = near;
			kept = 0;
		}
		if (near == nearest) {
			rooms->rooms[kept++] = *room;
		}
	}
	rooms->n = kept;
}

static int context_list(const struct recent_rooms *rooms)
{
	enum { MOST = 5, TITLE_CELLS = 40, LINE = 4 * TITLE_CELLS + CODE_CHARS_MAX + 8 };
	char lines[MOST * LINE];
	size_t end = 0;
	for (size_t i = 0; i < rooms->n && i < MOST; i++) {
		const struct recent_room *room = &rooms->rooms[i];
		int fits = (int)text_fit(slice_str(room->title), TITLE_CELLS);
		end += format_to(lines + end, LINE, "\n  %s%s%.*s", room->room_id,
				 fits > 0 ? "  " : "", fits, room->title);
	}
	print_problem("several rooms fit; give the CODE of one, or set AYE_ROOM:%s%s", lines,
		      rooms->n > MOST ? "\n  and more (aye home)" : "");
	return EXIT_USAGE;
}

/* A server that is found without being told stays untold: your own is started where it is down. */
static void context_use(struct cli *c, const struct recent_room *room)
{
	struct server_place usual;
	struct errmsg unseen;
	(void)format_to(context_code, sizeof(context_code), "%s", room->room_id);
	(void)format_to(context_server, sizeof(context_server), "%s", room->server);
	bool is_usual = server_seek(c->args.value[OPTION_SERVER], &usual, &unseen) == OK &&
			strcmp(usual.address.text, room->server) == 0;
	if (!is_usual) {
		c->args.value[OPTION_SERVER] = context_server;
	}
}

static int context_find(struct cli *c, bool *found)
{
	const char *told = c->args.value[OPTION_SERVER];
	struct recent_rooms rooms = {0};
	struct server_place place;
	struct state state;
	struct errmsg why = {""};
	enum err e = state_open(&state, &why);
	e = e == OK && told != NULL ? server_seek(told, &place, &why) : e;
	if (e != OK) {
		return print_failure(e, why.text);
	}
	state_list_rooms(&state, &rooms, &why);
	context_keep_nearest(&state, told == NULL ? NULL : place.address.text, &rooms);
	int code = rooms.n > 1 ? context_list(&rooms) : EXIT_DONE;
	*found = rooms.n == 1;
	if (*found) {
		context_use(c, &rooms.rooms[0]);
	}
	recent_rooms_finish(&rooms);
	return code;
}

int room_context_fill(struct cli *c, bool *found)
{
	struct args *a = &c->args;
	const char *told = getenv("AYE_ROOM");
	int code = EXIT_DONE;
	*found = false;
	if (ssh_session_is_on() || a->words_n == ARGS_WORDS_MAX) {
		return EXIT_DONE;
	}
	if (told == NULL || told[0] == '\0') {
		code = context_find(c, found);
	} else if (code_normalise(slice_str(told), context_code)) {
		*found = c->is_room_of_env = true;
	} else {
		print_problem("AYE_ROOM: %s is not a room code", print_typed(told));
		code = EXIT_USAGE;
	}
	if (*found) {
		memmove(a->words + 1, a->words, a->words_n * sizeof(a->words[0]));
		a->words[0] = context_code;
		a->words_n++;
	}
	return code;
}
