/*
 * action_table.c - looking things up in the table, and saying why not.
 *
 * What a member may not do is refused in the server's words (rights.h), and
 * what helps is added: the host's name, or the key or command that changes it.
 */
#include "client/tui/action_table.h"

#include <string.h>

#include "client/tui/tui_state.h"
#include "proto/format.h"

const struct action_row action_rows[ACTION_COUNT] = {
#define ACTION_ROW(symbol, where, key, key_name, command, takes, asks, right, needs, hint, help) \
	[ACTION_##symbol] = {where, key, key_name, command, takes, asks, right, needs, hint, help},
	ACTIONS(ACTION_ROW)
#undef ACTION_ROW
};

enum action action_of_key(enum view_kind view, int32_t key)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (action_rows[a].key != 0 && action_rows[a].key == key && action_is_in(a, view)) {
			return a;
		}
	}
	return ACTION_COUNT;
}

enum action action_of_command(const char *word, size_t len)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		const char *command = action_rows[a].command;
		if (len > 0 && strlen(command) == len && memcmp(command, word, len) == 0) {
			return a;
		}
	}
	return ACTION_COUNT;
}

/* ---- what must hold ---- */

static bool action_anybody_waits(const struct replica *room)
{
	size_t i = 0;
	while (i < room->users.n && !replica_member_at(room, i)->is_waiting) {
		i++;
	}
	return i < room->users.n;
}

/* Nobody rings themselves. */
static bool action_anybody_else_is_missing(const struct replica *room)
{
	size_t i = 0;
	while (i < room->users.n && (!replica_is_counted(room, replica_member_at(room, i)) ||
				     replica_member_at(room, i)->has_vote ||
				     tui_is_me(room, replica_member_at(room, i)))) {
		i++;
	}
	return i < room->users.n;
}

static bool action_need_holds(enum need need, const struct replica *room)
{
	switch (need) {
	case NEED_NOTHING:
		return true;
	case NEED_ROOM:
		return room->has_state;
	case NEED_NAME:
		return room->you.username.data != NULL;
	case NEED_NO_HOST:
		return !room->you.is_host;
	case NEED_HIDDEN:
		return !room->room.is_revealed;
	case NEED_REVEALED:
		return room->room.is_revealed;
	case NEED_VOTE:
		return room->you.vote.data != NULL;
	case NEED_OTHERS:
		return room->users.n > 1;
	case NEED_COUNTDOWN:
		return room->room.phase == PHASE_COUNTDOWN;
	case NEED_UNDO:
		return room->room.can_undo;
	case NEED_CONFIDENCE:
		return room->room.policy.confidence;
	case NEED_WAITING:
		return action_anybody_waits(room);
	case NEED_MISSING:
		return action_anybody_else_is_missing(room);
	case NEED_STORIES:
		return room->stories.n > 0;
	case NEED_REMOVED:
		return room->removed.n > 0;
	}
	return true;
}

static const char *action_need_text(enum need need, enum action a, const struct replica *room)
{
	switch (need) {
	case NEED_NOTHING:
		break;
	case NEED_ROOM:
		return room->you.is_waiting ? "You are in the lobby until a host admits you"
					    : "The room is not here yet";
	case NEED_NAME:
		return "You have no name here yet";
	case NEED_NO_HOST:
		return "You are host already";
	case NEED_HIDDEN:
		return "The cards lie open already";
	case NEED_REVEALED:
		return a == ACTION_HIDE ? "The cards lie face down already"
					: "Reveal the votes first";
	case NEED_VOTE:
		return "You have no card on the table";
	case NEED_OTHERS:
		return "Nobody else is here";
	case NEED_COUNTDOWN:
		return "No countdown runs";
	case NEED_UNDO:
		return "There is no reset to take back";
	case NEED_CONFIDENCE:
		return "This room does not ask how sure you are";
	case NEED_WAITING:
		return "Nobody waits in the lobby";
	case NEED_MISSING:
		return "Everybody else has voted";
	case NEED_STORIES:
		return "There are no stories yet";
	case NEED_REMOVED:
		return "No story was removed";
	}
	return "";
}

/* The action that would help; ACTION_COUNT where none does. */
static enum action action_helper(enum need need, enum action a)
{
	switch (need) {
	case NEED_NAME:
		return ACTION_NAME;
	case NEED_REVEALED:
		return a == ACTION_HIDE ? ACTION_COUNT : ACTION_REVEAL;
	case NEED_STORIES:
		return ACTION_ADD;
	default:
		return ACTION_COUNT;
	}
}

/* How to do it: "press n", or "type name". */
static void action_how(enum action a, bool is_typed, char *out, size_t cap)
{
	if (is_typed) {
		(void)format_to(out, cap, "type %s", action_rows[a].command);
	} else if (action_is_in(a, VIEW_ROOM)) {
		(void)format_to(out, cap, "press %s", action_rows[a].key_name);
	} else {
		(void)format_to(out, cap, "%s, then %s", action_rows[ACTION_STORIES].key_name,
				action_rows[a].key_name);
	}
}

static void action_need_refusal(enum need need, enum action a, const struct replica *room,
				bool is_typed, char *out, size_t cap)
{
	enum { HOW_BYTES_MAX = 48 };
	char how[HOW_BYTES_MAX] = "";
	enum action helper = action_helper(need, a);
	if (helper != ACTION_COUNT) {
		action_how(helper, is_typed, how, sizeof(how));
	}
	(void)format_to(out, cap, "%s%s%s", action_need_text(need, a, room),
			how[0] == '\0' ? "" : ": ", how);
}

/* ---- where ---- */

bool action_is_here(enum action a, const struct replica *room)
{
	const unsigned home = IN_HOME | IN_DECKS | IN_SETTINGS;
	return room->is_nowhere ? (action_rows[a].where & home) != 0 : !action_is_of_home(a);
}

static const char *action_elsewhere_text(const struct replica *room)
{
	return room->is_nowhere ? "You are in no room yet"
				: "That is for home: leave this room first";
}

/* ---- who may ---- */

/* What to add to the server's words: who may instead, or what changes it. */
static void action_advice(const struct replica *room, const struct standing *who, enum right right,
			  bool is_typed, char *out, size_t cap)
{
	enum action helper = ACTION_COUNT;
	const char *before = "; ";
	out[0] = '\0';
	if (who->is_waiting) {
		return;
	}
	if (!who->has_name && right != RIGHT_LEAD) {
		helper = ACTION_NAME;
	} else if (right == RIGHT_VOTE) {
		helper = who->is_spectator ? ACTION_SPECTATE : ACTION_COUNT;
	} else if (room->i_have_host_key) {
		helper = ACTION_CLAIM;
		before = "; you hold the host key: ";
	} else {
		const struct user_view *host =
			room->room.host_user_id.data == NULL
				? NULL
				: replica_member(room, room->room.host_user_id.data);
		if (host != NULL && host->username.data != NULL) {
			(void)format_to(out, cap, " (%s)", host->username.data);
			return;
		}
		helper = ACTION_CLAIM;
		before = "; there is none: ";
	}
	if (helper != ACTION_COUNT) {
		size_t n = format_to(out, cap, "%s", before);
		action_how(helper, is_typed, out + n, cap - n);
	}
}

static bool action_right_refusal(enum action a, const struct replica *room, bool is_typed,
				 char *out, size_t cap)
{
	enum { ADVICE_BYTES_MAX = MAX_NAME_BYTES * 3 + 48 };
	char advice[ADVICE_BYTES_MAX];
	const char *why = "";
	if (action_rows[a].right == ACTION_NO_RIGHT) {
		return false;
	}
	enum right right = (enum right)action_rows[a].right;
	struct standing who = replica_standing(room, false);
	if (right_refusal(right, &who, &why) == FAULT_NONE) {
		return false;
	}
	if (out != NULL) {
		action_advice(room, &who, right, is_typed, advice, sizeof(advice));
		(void)format_to(out, cap, "%c%s%s",
				why[0] >= 'a' && why[0] <= 'z' ? why[0] - 'a' + 'A' : why[0],
				why[0] == '\0' ? "" : why + 1, advice);
	}
	return true;
}

/* Rights come before what must hold otherwise: who may not at all should not read "not now". */
static bool action_is_refused(enum action a, const struct replica *room, bool is_typed, char *out,
			      size_t cap)
{
	const unsigned needs = action_rows[a].needs;
	if (!action_is_here(a, room)) {
		if (out != NULL) {
			(void)format_to(out, cap, "%s", action_elsewhere_text(room));
		}
		return true;
	}
	if ((needs & NEED_ROOM) != 0 && !room->has_state) {
		if (out != NULL) {
			(void)format_to(out, cap, "%s", action_need_text(NEED_ROOM, a, room));
		}
		return true;
	}
	if (action_right_refusal(a, room, is_typed, out, cap)) {
		return true;
	}
	for (unsigned need = 1; need <= NEED_LAST; need <<= 1) {
		if ((needs & need) != 0 && !action_need_holds((enum need)need, room)) {
			if (out != NULL) {
				action_need_refusal((enum need)need, a, room, is_typed, out, cap);
			}
			return true;
		}
	}
	return false;
}

bool action_refusal(enum action a, const struct replica *room, char *out, size_t cap)
{
	return action_is_refused(a, room, false, out, cap);
}

bool action_refusal_typed(enum action a, const struct replica *room, char *out, size_t cap)
{
	return action_is_refused(a, room, true, out, cap);
}

bool action_is_allowed(enum action a, const struct replica *room)
{
	return !action_is_refused(a, room, false, NULL, 0);
}
