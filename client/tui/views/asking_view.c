/*
 * asking_view.c - a question before it is asked: its text, its options, who it is for, how long it
 * is open and how many answers it needs, each a row that is edited in the line below; then it is
 * sent. What was typed stays until the question is asked.
 */
#include "client/tui/action_acts.h"
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

/* The first team of that name, and how many have it; NULL: none. */
static const struct group_entry *asking_team(const struct tui *t, const char *name, size_t *n)
{
	const struct rows *teams = t->teams == NULL ? NULL : teams_rows(t->teams, TEAM_GROUPS);
	const struct group_entry *first = NULL;
	*n = 0;
	for (size_t i = 0; teams != NULL && i < teams->n; i++) {
		const struct group_entry *team = teams->items[i];
		if (strcasecmp(team->group_name.data, name) == 0) {
			first = first == NULL ? team : first;
			(*n)++;
		}
	}
	return first;
}

/*
 * A team of one's own by its name, or the code of a room; `shown` then says which of the two was
 * understood, and is understood itself: what follows "team " is tried before "team " is taken for
 * the beginning of a name, as in "Team Rocket". False where it is neither, or not one, with the reason.
 */
static bool asking_fill_to(const struct tui *t, struct request *r, const char *typed,
			   char shown[EDIT_BYTES_MAX], char why[WORD_WHY_BYTES])
{
	static const char team_word[] = "team ", room_word[] = "room ";
	bool says_room = strncmp(typed, room_word, strlen(room_word)) == 0;
	bool says_team = strncmp(typed, team_word, strlen(team_word)) == 0;
	const char *name = typed + (says_room	? strlen(room_word)
				    : says_team ? strlen(team_word)
						: 0);
	size_t n = 0;
	const struct group_entry *team = says_room ? NULL : asking_team(t, name, &n);
	char code[CODE_CHARS_MAX + 1];
	if (team == NULL && !says_team && code_normalise(slice_str(name), code)) {
		request_text(r, "room_id", code);
		(void)format_to(shown, EDIT_BYTES_MAX, "%s%s", room_word, code);
		return true;
	}
	team = team != NULL ? team : asking_team(t, typed, &n);
	if (team == NULL || n > 1) {
		(void)format_to(why, WORD_WHY_BYTES, "%s",
				n > 1 ? "Several of your teams have that name. To ask one of them, "
					"use aye ask --team ID"
				      : "No such team or room. To ask one member, press a in the "
					"team's members");
		return false;
	}
	request_text(r, "group_id", team->group_id.data);
	(void)format_to(shown, EDIT_BYTES_MAX, "%s%s", team_word, team->group_name.data);
	return true;
}

/* What was typed is the member for whom the question was begun. */
static bool asking_is_to_member(const struct asking_state *s, const char *typed)
{
	return s->user_id[0] != '\0' && strcmp(typed, s->text[ASKING_TO]) == 0;
}

/* One part as it was typed, and as it is to be shown; false with the reason in the reply. */
static bool asking_fill(struct tui *t, struct request *r, enum asking_part part, const char *typed,
			char shown[EDIT_BYTES_MAX])
{
	static const struct act_word words[ASKING_N] = {
		[ASKING_TEXT] = {WORD_TEXT, "prompt"},
		[ASKING_OPEN] = {WORD_SECONDS, "timeout_seconds"},
		[ASKING_NEED] = {WORD_NUMBER, "min_responses"},
	};
	char why[WORD_WHY_BYTES] = "";
	bool is_fine = true;
	(void)format_to(shown, EDIT_BYTES_MAX, "%s", typed);
	if (part == ASKING_OPTIONS) {
		asking_fill_options(r, typed);
	} else if (part == ASKING_TO && asking_is_to_member(&t->asking, typed)) {
		request_text(r, "group_id", t->asking.group_id);
		request_text(r, "user_id", t->asking.user_id);
	} else if (part == ASKING_TO && strcmp(typed, asking_rows[part].empty) != 0 &&
		   typed[0] != '\0') {
		is_fine = asking_fill_to(t, r, typed, shown, why);
	} else if (words[part].kind != WORD_NONE && (typed[0] != '\0' || part == ASKING_TEXT)) {
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
	(void)format_to(s->group_id, sizeof(s->group_id), "%s", t->teams->group_id);
	(void)format_to(s->user_id, sizeof(s->user_id), "%s", user_id);
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
	(void)room;
	char shown[EDIT_BYTES_MAX];
	bool is_fine = asking_fill(t, r, part, typed, shown);
	request_free(r);
	if (is_fine) {
		if (part == ASKING_TO && !asking_is_to_member(s, typed)) {
			s->user_id[0] = '\0';
		}
		(void)format_to(s->text[part], sizeof(s->text[part]), "%s", shown);
		list_go(tui_listing(t, room, VIEW_ASKING),
			part + 1 < ASKING_N ? (size_t)part + 1 : (size_t)part);
	}
	return (struct act){0};
}

struct act asking_send(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	struct request *r = tui_request(t, a, METHOD_QUESTION_ASK);
	char shown[EDIT_BYTES_MAX];
	(void)arg;
	for (enum asking_part part = ASKING_TEXT; part < ASKING_N; part++) {
		if (!asking_fill(t, r, part, t->asking.text[part], shown)) {
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
	t->asking = (struct asking_state){.group_id = ""};
	if (tui_is_in(t, IN_ASKING)) {
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
	.parent = VIEW_INBOX,
	.rows =
		&(const struct list_rows){
			.n = ASKING_N,
			COLUMNS(asking_columns),
		},
};
