/*
 * asking_view.c - a question before it is asked: its text, its options, who it is for, how long it
 * is open and how many answers it needs, each a row that is edited in the line below; then it is
 * sent. What was typed stays until the question is asked.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>
#include <strings.h>

#include "client/acts/fault_words.h"
#include "client/model/questions/question_text.h"
#include "proto/base/format.h"

enum { ASKING_NAME_CELLS = 10 };

static const struct asking_row {
	const char *name;
	const char *empty; /* what it is if nothing was typed */
	enum action edit;
} asking_rows[ASKING_N] = {
	[ASKING_TEXT] = {"Question", "Press Enter to write it", ACTION_ASK_TEXT},
	[ASKING_OPTIONS] = {"Options", "none: people answer in words", ACTION_ASK_OPTIONS},
	[ASKING_TO] = {"To", "everyone", ACTION_ASK_TO},
	[ASKING_OPEN] = {"Open for", "1h", ACTION_ASK_OPEN},
	[ASKING_NEED] = {"Answers", "one per person asked, up to 5", ACTION_ASK_NEED},
};

static enum asking_part asking_focus(const struct tui *t)
{
	return (enum asking_part)list_at(tui_listing(t, NULL, VIEW_ASKING));
}

static enum asking_part asking_part_of(enum action a)
{
	enum asking_part part = ASKING_TEXT;
	while (part + 1 < ASKING_N && asking_rows[part].edit != a) {
		part++;
	}
	return part;
}

/* ---- the request ---- */

/* The options: what stands between commas, without the blanks around it. */
static void asking_fill_options(struct request *r, const char *typed)
{
	struct slice options[MAX_QUESTION_OPTIONS + 1];
	struct slices all = {options, 0};
	for (const char *at = typed; *at != '\0' && all.n <= MAX_QUESTION_OPTIONS;) {
		at += strspn(at, " ,");
		size_t len = strcspn(at, ",");
		const char *next = at + len;
		while (len > 0 && at[len - 1] == ' ') {
			len--;
		}
		if (len > 0) {
			options[all.n++] = slice_of(at, len);
		}
		at = next;
	}
	if (all.n > 0) {
		request_texts(r, "options", &all);
	}
	request_text(r, "type", all.n > 0 ? "multiple_choice" : "text");
}

/* ---- whom it is for ---- */

enum asking_kind { ASKING_A_TEAM, ASKING_A_MEMBER };

/* What a typed name may mean. */
struct asking_name {
	enum asking_kind kind;
	struct slice name;
	struct asking_to to;
};

static void asking_put_id(char *out, size_t cap, struct slice id)
{
	(void)format_to(out, cap, "%.*s", (int)id.len, id.data);
}

/* The nth row of a list of teams.h; NULL, and *nth less by its rows: it has no more. */
static const void *asking_row(const struct tui *t, enum team_list which, size_t *nth)
{
	const struct rows *rows = t->teams == NULL ? NULL : teams_rows(t->teams, which);
	size_t n = rows == NULL ? 0 : rows->n;
	if (*nth < n) {
		return rows->items[*nth];
	}
	*nth -= n;
	return NULL;
}

/*
 * The nth of one's teams, then of the open team's members, then of the other people in the room. False:
 * there are no more.
 */
static bool asking_nth(const struct tui *t, const struct replica *room, size_t nth,
		       struct asking_name *out)
{
	*out = (struct asking_name){.kind = ASKING_A_TEAM};
	const struct group_entry *team = asking_row(t, TEAM_GROUPS, &nth);
	if (team != NULL) {
		out->name = team->group_name;
		asking_put_id(out->to.group_id, sizeof(out->to.group_id), team->group_id);
		return true;
	}
	out->kind = ASKING_A_MEMBER;
	const struct group_user *user = asking_row(t, TEAM_USERS, &nth);
	if (user != NULL) {
		out->name = user->user_name;
		asking_put_id(out->to.group_id, sizeof(out->to.group_id),
			      slice_str(t->teams->group_id));
		asking_put_id(out->to.user_id, sizeof(out->to.user_id), user->user_id);
		return true;
	}
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->username.len == 0 || m->is_bot || replica_is_me(room, m) ||
		    (t->teams != NULL && teams_user(t->teams, m->user_id) != NULL) || nth-- > 0) {
			continue;
		}
		out->name = m->username;
		asking_put_id(out->to.room_id, sizeof(out->to.room_id), slice_str(room->room_id));
		asking_put_id(out->to.user_id, sizeof(out->to.user_id), m->user_id);
		return true;
	}
	return false;
}

/* The first of that kind and name, and how many have it. */
static size_t asking_named(const struct tui *t, const struct replica *room, enum asking_kind kind,
			   const char *name, struct asking_name *out)
{
	struct asking_name at;
	size_t n = 0;
	for (size_t i = 0; asking_nth(t, room, i, &at); i++) {
		if (at.kind == kind && strcasecmp(at.name.data, name) == 0) {
			*out = n == 0 ? at : *out;
			n++;
		}
	}
	return n;
}

void complete_ask_to(const struct tui *t, const struct replica *room, struct slice typed,
		     struct completions *c)
{
	struct asking_name at;
	for (size_t i = 0; asking_nth(t, room, i, &at); i++) {
		complete_offer_caseless(c, typed, at.name);
	}
}

/*
 * A team or a member by name, or the code of a room; `shown` then says which of team and room was
 * understood, and is understood itself: what follows "team " is tried before "team " is taken for the
 * beginning of a name, as in "Team Rocket". A name is tried before a code, which "Marion" is as well. False
 * where it is none of them, or not one, with the reason.
 */
static bool asking_find(const struct tui *t, const struct replica *room, const char *typed,
			struct asking_to *to, char shown[EDIT_BYTES_MAX], char why[WORD_WHY_BYTES])
{
	static const char team_word[] = "team ", room_word[] = "room ";
	bool says_room = strncmp(typed, room_word, strlen(room_word)) == 0;
	bool says_team = strncmp(typed, team_word, strlen(team_word)) == 0;
	const char *name = typed + (says_room	? strlen(room_word)
				    : says_team ? strlen(team_word)
						: 0);
	struct asking_name found = {.kind = ASKING_A_TEAM};
	char code[CODE_CHARS_MAX + 1];
	size_t n = says_room ? 0 : asking_named(t, room, ASKING_A_TEAM, name, &found);
	if (n == 0 && !says_room && !says_team) {
		n = asking_named(t, room, ASKING_A_MEMBER, name, &found);
	}
	if (n == 0 && !says_team && code_normalise(slice_str(name), code)) {
		*to = (struct asking_to){.group_id = ""};
		asking_put_id(to->room_id, sizeof(to->room_id), slice_str(code));
		(void)format_to(shown, EDIT_BYTES_MAX, "%s%s", room_word, code);
		return true;
	}
	n = n > 0 ? n : asking_named(t, room, ASKING_A_TEAM, typed, &found);
	if (n != 1) {
		(void)format_to(
			why, WORD_WHY_BYTES, "%s",
			n == 0 ? "No such team, member or room. Members are those of the "
				 "team you opened last"
			: found.kind == ASKING_A_MEMBER
				? "Several members have that name. Press a on the one in the "
				  "team's members"
				: "Several of your teams have that name. To ask one of "
				  "them, use aye ask --team ID");
		return false;
	}
	*to = found.to;
	(void)format_to(shown, EDIT_BYTES_MAX, "%s%s", found.kind == ASKING_A_TEAM ? team_word : "",
			found.name.data);
	return true;
}

/* ---- what was typed ---- */

static void asking_fill_to(struct request *r, const struct asking_to *to)
{
	const struct {
		const char *field, *id;
	} ids[] = {{"room_id", to->room_id}, {"group_id", to->group_id}, {"user_id", to->user_id}};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		if (ids[i].id[0] != '\0') {
			request_text(r, ids[i].field, ids[i].id);
		}
	}
}

/* One part as it was typed; false with the reason in the reply. */
static bool asking_fill(struct tui *t, struct request *r, enum asking_part part, const char *typed)
{
	static const struct act_word words[ASKING_N] = {
		[ASKING_TEXT] = {WORD_TEXT, "prompt"},
		[ASKING_OPEN] = {WORD_SECONDS, "timeout_seconds"},
		[ASKING_NEED] = {WORD_NUMBER, "min_responses"},
	};
	char why[WORD_WHY_BYTES] = "";
	bool is_fine = true;
	if (part == ASKING_OPTIONS) {
		asking_fill_options(r, typed);
	} else if (part == ASKING_TO) {
		asking_fill_to(r, &t->asking.to);
	} else if (typed[0] != '\0' || part == ASKING_TEXT) {
		is_fine = word_fill(r, &words[part], NULL, typed, t->now_ms, why);
	}
	if (is_fine && r->fault.code != FAULT_NONE) {
		char line[FAULT_WORDS_BYTES_MAX];
		fault_words(&r->fault, line);
		said_reply(t, "%s", line);
		return false;
	}
	if (!is_fine) {
		said_reply(t, "%s", why);
	}
	return is_fine;
}

/* What stands there already stays for whom it was: another team may be open by now. */
static bool asking_set_to(struct tui *t, const struct replica *room, const char *typed,
			  char shown[EDIT_BYTES_MAX])
{
	struct asking_state *s = &t->asking;
	char why[WORD_WHY_BYTES] = "";
	if (typed[0] == '\0' || strcmp(typed, asking_rows[ASKING_TO].empty) == 0) {
		s->to = (struct asking_to){.group_id = ""};
		shown[0] = '\0';
	} else if (strcmp(typed, s->text[ASKING_TO]) != 0 &&
		   !asking_find(t, room, typed, &s->to, shown, why)) {
		said_reply(t, "%s", why);
		return false;
	}
	return true;
}

/* ---- the actions ---- */

static void asking_show(struct tui *t)
{
	tui_open(t, VIEW_ASKING);
	if (t->asking.text[ASKING_TEXT][0] == '\0') {
		prompt_open_line(t, ACTION_ASK_TEXT, NULL);
	}
}

struct act asking_begin(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	asking_show(t);
	return (struct act){0};
}

/* The same, to the member in focus of the team that is open. */
struct act asking_begin_to(struct tui *t, const struct replica *room, enum action a,
			   const char *user_id)
{
	struct asking_state *s = &t->asking;
	(void)room, (void)a;
	s->to = (struct asking_to){.group_id = ""};
	asking_put_id(s->to.group_id, sizeof(s->to.group_id), slice_str(t->teams->group_id));
	asking_put_id(s->to.user_id, sizeof(s->to.user_id), slice_str(user_id));
	(void)format_to(s->text[ASKING_TO], sizeof(s->text[ASKING_TO]), "%s",
			team_called(t, WORD_TEAM_MEMBER, user_id));
	asking_show(t);
	return (struct act){0};
}

struct act asking_edit(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	return action_run(t, room, asking_rows[asking_focus(t)].edit, NULL);
}

bool asking_refuses_elsewhere(struct tui *t, const struct replica *room, const char *arg, char *out,
			      size_t cap)
{
	(void)room, (void)arg;
	if (tui_is_in(t, IN_ASKING)) {
		return false;
	}
	(void)format_to(out, cap, "Press a in the inbox first");
	return true;
}

const char *asking_start(struct tui *t, const struct replica *room)
{
	(void)room;
	return t->asking.text[asking_part_of(t->prompt.action)];
}

/* Kept if the server could take it; the cursor is on the next part then. */
struct act asking_set(struct tui *t, const struct replica *room, enum action a, const char *typed)
{
	struct asking_state *s = &t->asking;
	enum asking_part part = asking_part_of(a);
	struct request *r = request_make(METHOD_QUESTION_ASK);
	char shown[EDIT_BYTES_MAX];
	(void)format_to(shown, EDIT_BYTES_MAX, "%s", typed);
	bool is_fine = (part != ASKING_TO || asking_set_to(t, room, typed, shown)) &&
		       asking_fill(t, r, part, typed);
	request_free(r);
	if (is_fine) {
		(void)format_to(s->text[part], sizeof(s->text[part]), "%s", shown);
		list_go(tui_listing(t, room, VIEW_ASKING),
			part + 1 < ASKING_N ? (size_t)part + 1 : (size_t)part);
	}
	return (struct act){0};
}

struct act asking_send(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	struct request *r = tui_request(t, a, METHOD_QUESTION_ASK);
	(void)arg;
	for (enum asking_part part = ASKING_TEXT; part < ASKING_N; part++) {
		if (!asking_fill(t, r, part, t->asking.text[part])) {
			list_go(tui_listing(t, room, VIEW_ASKING), part);
			return (struct act){0};
		}
	}
	return tui_send(t, a);
}

void tui_take_asked(struct tui *t, const struct question_ask_result *asked)
{
	char state[QUESTION_STATE_BYTES];
	char line[TUI_MESSAGE_BYTES_MAX];
	question_asked(asked, state);
	(void)format_to(line, sizeof(line), "Asked: %s", state);
	t->asking = (struct asking_state){.text = {""}};
	if (tui_is_in(t, IN_ASKING)) {
		tui_go_back(t); /* to the inbox, or a member of a team */
		tui_open(t, VIEW_INBOX);
		tui_open(t, VIEW_ASKED);
	}
	tui_tell(t, line);
}

/* ---- the page ---- */

static const char *asking_name(struct list_cell *c)
{
	return asking_rows[c->at].name;
}

static const char *asking_text(struct list_cell *c)
{
	const char *text = c->l.t->asking.text[c->at];
	return text[0] != '\0' ? text : asking_rows[c->at].empty;
}

static enum style asking_style(const struct list_cell *c)
{
	return c->l.t->asking.text[c->at][0] != '\0' ? STYLE_OWN : STYLE_DIM;
}

static const struct column asking_columns[] = {
	{.text = asking_name, .cells = ASKING_NAME_CELLS, .look = STYLE_STRONG},
	{.text = asking_text, .style = asking_style, .grows = true},
};

const struct view asking_view = {
	.title = "A new question",
	.is_over = true,
	.rows =
		&(const struct list_rows){
			.n = ASKING_N,
			COLUMNS(asking_columns),
		},
};
