/*
 * action_table.c - looking things up in the table, and saying why not.
 *
 * What a member may not do is refused in the server's words (rights.h), and
 * what helps is added: the host's name, or the key or command that changes it.
 */
#include "client/tui/actions/action_table.h"

#include <assert.h>
#include <string.h>

#include "client/acts/spelling.h"
#include "client/acts/story_words.h"
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"
#include "proto/base/ascii.h"
#include "proto/base/format.h"

/* What the table's sentences say. */
static_assert(MAX_CARD_CELLS == 8 && MAX_REACTION_CELLS == 12 && MAX_NAME_CELLS == 32 &&
		      MAX_STORY_KEY_CELLS == 32 && MAX_CARDS_MIN == 2,
	      "limits are those that the table tells");

const struct action_row action_rows[ACTION_COUNT] = {
/* clang-format off */
#define ACTION_ROW(symbol, group_, where_, key_, key_name_, command_, takes_, method_, needs_, hint_, ...)     \
	[ACTION_##symbol] = {.group = HELP_##group_, .where = (where_), .key = (key_), .key_name = (key_name_),                \
			     .command = (command_), .takes = (takes_), .method = METHOD_##method_,     \
			     .needs = (needs_), .hint = (hint_), .help = __VA_ARGS__},
#define ACTION_WORDS(...) __VA_ARGS__
#define ACTION_OF_VERB(symbol, group_, where_, key_, key_name_, command_, takes_, method_, needs_, hint_, help_, sure_, words_, ...) \
	ACTION_ROW(symbol, group_, where_, key_, key_name_, command_, takes_, method_, needs_, hint_, help_, .sure = sure_, \
		   .words = {ACTION_WORDS words_} ACTION_REST(__VA_ARGS__, ))
#define ACTION_REST(verb, ...) , __VA_ARGS__
	/* clang-format on */
	ACTIONS(ACTION_ROW, ACTION_OF_VERB, ACTION_OF_VERB)
#undef ACTION_ROW
};

const struct help_group_row help_groups[HELP_GROUP_COUNT] = {
#define HELP_GROUP_ROW(symbol, view_, title_) [HELP_##symbol] = {VIEW_##view_, (title_)},
	HELP_GROUPS(HELP_GROUP_ROW)
#undef HELP_GROUP_ROW
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

enum action action_in_room(enum action a, enum view_kind view, const struct replica *room)
{
	bool is_own = room->room.policy.open_stories && room->stories.n > 0;
	bool is_of_team = room->is_nowhere && view == VIEW_BACKLOG;
	return a == ACTION_NEXT && is_own	  ? ACTION_UNVOTED
	       : a == ACTION_INVITE && is_of_team ? ACTION_TEAM_INVITE
						  : a;
}

enum action action_of_command(const char *word, size_t len)
{
	struct slice typed = slice_of(word, len);
	enum action begun = ACTION_COUNT;
	size_t begun_n = 0;
	for (enum action a = 0; len > 0 && a < ACTION_COUNT; a++) {
		const struct action_row *row = &action_rows[a];
		bool is_also = row->also != NULL && slice_starts(slice_str(row->also), typed);
		if (slice_eq(slice_str(row->command), typed) ||
		    (is_also && strlen(row->also) == len)) {
			return a;
		}
		if (is_also || slice_starts(slice_str(row->command), typed)) {
			begun = a;
			begun_n++;
		}
	}
	return begun_n == 1 ? begun : ACTION_COUNT;
}

size_t action_begun(const char *word, char *out, size_t cap)
{
	size_t n = 0;
	size_t len = 0;
	out[0] = '\0';
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (slice_starts(slice_str(action_rows[a].command), slice_str(word))) {
			len += format_to(out + len, cap - len, "%s%s", n++ > 0 ? ", " : "",
					 action_rows[a].command);
		}
	}
	return n;
}

const char *action_meant(const char *word)
{
	struct spelling s = {.typed = slice_str(word)};
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		(void)spelling_offer(&s, slice_str(action_rows[a].command));
	}
	return s.meant.data; /* a command of the table: it ends with NUL */
}

struct action_key action_key_in(enum action a, enum view_kind view, const struct replica *room)
{
	const struct action_row *row = &action_rows[a];
	struct action_key k = {.key = a == ACTION_UNVOTED ? action_rows[ACTION_NEXT].key
							  : row->key};
	bool is_card = view == VIEW_ROOM && action_is_in(a, view) &&
		       hand_card_of_letter(room, row->key) >= 0;
	if (is_card) {
		k.key = 0;
		(void)format_to(k.name, sizeof(k.name), ":%s", row->command);
	} else {
		(void)format_to(k.name, sizeof(k.name), "%s",
				a == ACTION_VOTE && hand_has_letters(room) ? "A-Z" : row->key_name);
	}
	return k;
}

const char *action_hint(enum action a, const struct replica *room)
{
	bool is_watching = a == ACTION_SPECTATE && room->you.role == ROLE_SPECTATOR;
	return is_watching ? "vote" : action_rows[a].hint;
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

/* A bot's card can be turned over as well. */
static bool action_anybody_voted(const struct replica *room)
{
	size_t i = 0;
	while (i < room->users.n && !replica_has_vote(room, replica_member_at(room, i))) {
		i++;
	}
	return i < room->users.n || (replica_hides_voters(room) && room->votes_n > 0);
}

/* Nobody rings themselves; one who is away may be logged in elsewhere, which the server knows. */
static bool action_anybody_else_is_missing(const struct replica *room)
{
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		bool is_voter = m->username.len > 0 && m->role == ROLE_VOTER && !m->is_waiting &&
				(!m->is_bot || room->room.policy.bots_count);
		if (is_voter && !m->has_vote && !replica_is_me(room, m)) {
			return true;
		}
	}
	return false;
}

static bool action_any_story_waits(const struct replica *room)
{
	size_t n = room->stories.n;
	return n > 0 && stories_next_unvoted(room, n - 1) < n;
}

#define NEED_HOLDS(symbol, holds, reason, helps)               \
	static bool needs_##symbol(const struct replica *room) \
	{                                                      \
		return (holds);                                \
	}
NEEDS(NEED_HOLDS)
#undef NEED_HOLDS

static const struct {
	bool (*holds)(const struct replica *room);
	const char *reason;
	enum action helper;
} needs[NEED_AT_COUNT] = {
#define NEED_ROW(symbol, holds, reason, helps) \
	[NEED_AT_##symbol] = {needs_##symbol, reason, ACTION_##helps},
	NEEDS(NEED_ROW)
#undef NEED_ROW
};

/* How to do it: "press n", or "type name". */
static void action_how(enum action a, const struct replica *room, bool is_typed, char *out,
		       size_t cap)
{
	struct action_key k = action_key_in(a, VIEW_ROOM, room);
	if (is_typed) {
		(void)format_to(out, cap, "type %s", action_rows[a].command);
	} else if (action_is_in(a, VIEW_ROOM)) {
		(void)format_to(out, cap, "%s %s", k.name[0] == ':' ? "type" : "press", k.name);
	} else {
		(void)format_to(out, cap, "%s, then %s",
				action_key_in(ACTION_STORIES, VIEW_ROOM, room).name, k.name);
	}
}

static void action_need_refusal(enum need_at need, const struct replica *room, bool is_typed,
				char *out, size_t cap)
{
	size_t n = 0;
	if (need == NEED_AT_ROOM && room->you.is_waiting) {
		(void)format_to(out, cap, "You are in the lobby; a host must admit you");
		return;
	}
	n = format_to(out, cap, "%s", needs[need].reason);
	if (needs[need].helper != ACTION_COUNT) {
		n += format_to(out + n, cap - n, ": ");
		action_how(needs[need].helper, room, is_typed, out + n, cap - n);
	}
}

/* ---- where ---- */

bool action_is_here(enum action a, const struct replica *room)
{
	bool needs_room = (action_rows[a].needs & NEED_ROOM) != 0;
	return room->is_nowhere ? (action_rows[a].where & IN_AT_HOME) != 0 && !needs_room
				: !action_is_of_home(a);
}

static const char *action_elsewhere_text(const struct replica *room)
{
	return room->is_nowhere ? "You are in no room yet" : ACTION_ONLY_AT_HOME;
}

/* ---- who may ---- */

/* " (Ada)"; or, while Ada is away, ". Ada is away; you become host in 40 s". False: no host has a name. */
static bool action_who_may(const struct replica *room, int64_t now_ms, char *out, size_t cap)
{
	const struct user_view *host = rows_find(&room->users, room->room.host_user_id);
	const struct user_view *next = rows_find(&room->users, room->room.next_host_user_id);
	if (host == NULL || host->username.data == NULL) {
		return false;
	}
	if (host->is_connected) {
		(void)format_to(out, cap, " (%s)", host->username.data);
		return true;
	}
	size_t n = format_to(out, cap, ". %s is away", host->username.data);
	if (next != NULL && now_ms != 0) {
		(void)format_to(out + n, cap - n, "; %s %s host in %lld s",
				replica_name_of(room, next),
				replica_is_me(room, next) ? "become" : "becomes",
				(long long)timing_left(now_ms, room->room.next_host_at));
	} else if (next != NULL) {
		(void)format_to(out + n, cap - n, "; %s %s the next host",
				replica_name_of(room, next),
				replica_is_me(room, next) ? "are" : "is");
	}
	return true;
}

/* What to add to the server's words: who may instead, or what changes it. */
static void action_advice(const struct replica *room, const struct standing *who, enum right right,
			  const struct asking *asking, char *out, size_t cap)
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
		if (action_who_may(room, asking->now_ms, out, cap)) {
			return;
		}
		helper = ACTION_CLAIM;
		before = "; with the host key, ";
	}
	if (helper != ACTION_COUNT) {
		size_t n = format_to(out, cap, "%s", before);
		action_how(helper, room, asking->is_typed, out + n, cap - n);
	}
}

/* The right it needs (rights.h), besides its `needs`. */
static enum right action_right(enum action a)
{
	const struct action_row *row = &action_rows[a];
	bool is_named = row->right != RIGHT_NONE || row->method == METHOD_NONE;
	return is_named ? row->right : right_of_method(row->method);
}

bool action_is_for_hosts(enum action a, const struct replica *room)
{
	struct standing who = replica_standing(room, false);
	who.has_name = true;
	who.is_spectator = false;
	who.is_waiting = false;
	who.is_host = false;
	return right_needs_host(action_right(a), who);
}

static bool action_right_refusal(enum action a, const struct replica *room,
				 const struct asking *asking, char *out, size_t cap)
{
	enum { ADVICE_BYTES_MAX = MAX_NAME_BYTES * 6 + 48 };
	char advice[ADVICE_BYTES_MAX];
	const char *why = "";
	enum right right = action_right(a);
	struct standing who = replica_standing(room, false);
	if ((action_rows[a].needs & NEED_TOGETHER) != 0) {
		who.is_revealed = false; /* that is the table's story: of others it says nothing */
	}
	if (right_refusal(right, &who, &why) == FAULT_NONE) {
		return false;
	}
	if (out != NULL) {
		action_advice(room, &who, right, asking, advice, sizeof(advice));
		(void)format_to(out, cap, "%c%s%s", ascii_upper(why[0]),
				why[0] == '\0' ? "" : why + 1, advice);
	}
	return true;
}

bool action_refusal(enum action a, const struct replica *room, const struct asking *asking,
		    char *out, size_t cap)
{
	if (!action_is_here(a, room)) {
		if (out != NULL) {
			(void)format_to(out, cap, "%s", action_elsewhere_text(room));
		}
		return true;
	}
	/* Rights come before what must hold otherwise: who may not at all should not read "not now". */
	bool is_unknown = (action_rows[a].needs & NEED_ROOM) != 0 && !room->has_state;
	if (!is_unknown && action_right_refusal(a, room, asking, out, cap)) {
		return true;
	}
	for (enum need_at need = 0; need < NEED_AT_COUNT; need++) {
		if ((action_rows[a].needs >> need & 1) != 0 && !needs[need].holds(room)) {
			if (out != NULL) {
				action_need_refusal(need, room, asking->is_typed, out, cap);
			}
			return true;
		}
	}
	return false;
}

bool action_is_allowed(enum action a, const struct replica *room)
{
	const struct asking nobody = {0};
	return !action_refusal(a, room, &nobody, NULL, 0);
}

/* ---- to whom, and with what ---- */

bool action_takes_member(enum action a)
{
	return action_rows[a].takes >= TAKES_MEMBER && action_rows[a].takes <= TAKES_WAITING;
}

bool action_is_for(enum action a, const struct replica *room, const struct user_view *m)
{
	enum takes takes = action_rows[a].takes;
	if (takes == TAKES_HOST || takes == TAKES_WAITING) {
		return takes == TAKES_HOST ? m->is_host : m->is_waiting;
	}
	return action_takes_member(a) && !replica_is_me(room, m) &&
	       (takes == TAKES_MEMBER || !(m->is_host || m->is_waiting));
}

const struct act_word *action_word(enum action a)
{
	const struct act_word *w = action_rows[a].words;
	while (w->kind != WORD_NONE && word_is_in_focus(w->kind)) {
		w++;
	}
	return w;
}

bool action_may_be_empty(enum action a)
{
	const struct action_row *row = &action_rows[a];
	const char *field = action_word(a)->field;
	const void *in;
	if (field == NULL || row->method == METHOD_NONE) {
		return false;
	}
	struct request *r = request_make(row->method);
	bool may_be_nil = (request_field(r, field, &in)->flags & FIELD_NIL) != 0;
	request_free(r);
	return may_be_nil && row->takes != TAKES_NOTHING;
}

bool tui_refuses(const struct request *r, const struct replica *room, char *out, size_t cap)
{
	const void *in;
	struct slice story_id = {0};
	enum action a = action_of_command(r->name, strlen(r->name));
	const struct field *f = request_field(r, "story_id", &in);
	const struct asking asking = {.is_typed = true};
	if (f != NULL && f->kind == FIELD_STR) {
		memcpy(&story_id, field_member(f, in), sizeof(story_id));
	}
	if (story_id.data != NULL && replica_story(room, story_id.data) == NULL) {
		(void)format_to(out, cap, "Story not found");
		return true;
	}
	return a != ACTION_COUNT && action_refusal(a, room, &asking, out, cap);
}
