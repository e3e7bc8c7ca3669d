/*
 * views.h - the views: the state of each between keys, and the functions each offers to the others;
 * only for client/tui.
 */
#ifndef CLIENT_TUI_VIEWS_VIEWS_H
#define CLIENT_TUI_VIEWS_VIEWS_H

#include "client/acts/span.h"
#include "client/model/questions/inbox.h"
#include "client/model/room/round_history.h"
#include "client/tui/actions/action_table.h"
#include "client/tui/tui.h"
#include "client/tui/widgets/draw.h"
#include "client/tui/widgets/grid.h"
#include "client/tui/widgets/list.h"
#include "client/tui/widgets/text_editor.h"
#include "proto/base/limits.h"

enum { TUI_WAITS_BYTES_MAX = FEED_REFUSED_BYTES_MAX + 64, TEAM_LISTS_SHOWN = 3 };

/*
 * A view. A list is defined by its rows, a title and its text when empty; other views have their
 * own draw and take_key. The view has rows 0 to height - 1, with the prompt below.
 */
struct view {
	const char *title; /* of a list, in the first row; NULL: head() draws it */
	/*
	 * Draw more next to and below the title. @y  the list's first row without it. Returns the
	 * first row with it.
	 */
	int (*head)(const struct tui *t, const struct replica *room, struct grid *g, int y);
	/* Whether the source has more rows; NULL: the title shows no number of rows. */
	bool (*has_more)(const struct tui *t);
	/*
	 * Why no rows are known yet; returns "" if the list is known to be empty. NULL: it always
	 * is.
	 */
	const char *(*waits)(const struct tui *t, char out[TUI_WAITS_BYTES_MAX]);
	const char *empty;	      /* the text of an empty list */
	const struct list_rows *rows; /* NULL: it has no list */
	/*
	 * The lists of teams.h to read: that of its rows first, then those for its head and for
	 * names. Each plus 1.
	 */
	uint8_t team_lists[TEAM_LISTS_SHOWN];
	uint8_t questions; /* the list of inbox.h to read, plus 1; 0: that of waiting questions */
	/* NULL: the list fills the view. */
	void (*draw)(const struct tui *t, const struct replica *room, struct grid *g, int height);
	/* NULL: tui_act_on_key(), with the keys of its list and of the action table. */
	struct act (*take_key)(struct tui *t, const struct replica *room, int32_t key);
	/* whether a digit is the view's now, and no card for the table; NULL: never */
	bool (*takes_digits)(const struct tui *t, const struct replica *room);
	/* a page to read, which Enter and the key that opened it close as well as Esc */
	bool is_page;
	const char *footer; /* fixed hints; NULL: those of the actions allowed now */
	/* the view to go back to; VIEW_ROOM: the table, or home's first page */
	enum view_kind parent;
	bool is_over; /* go back to the view from which it was opened instead */
	void (*leave)(struct tui *t); /* called before going back; NULL: nothing to do */
	/*
	 * The offset in struct tui of the text being written, which takes pastes and digits; 0:
	 * none.
	 */
	size_t sheet;
	/* the action whose line takes a pasted line; none: at home, it joins a room */
	enum action pastes;
	/* replaces `pastes` */
	struct act (*paste)(struct tui *t, const struct replica *room, struct slice text);
	/*
	 * The story shown there, for presence; NULL: the one being voted on, which presence leaves
	 * out.
	 */
	const char *(*story)(const struct tui *t, const struct replica *room);
	/* Take a click on a card. @which  list_key() of its label. */
	struct act (*click)(struct tui *t, const struct replica *room, uint32_t which);
	/* the time until it changes without an event; NULL: never */
	int64_t (*changes_in_ms)(const struct tui *t);
};
const struct view *view_of(enum view_kind kind);
#define VIEW_DECLARE(symbol, module, title) extern const struct view module;
VIEWS(VIEW_DECLARE)
#undef VIEW_DECLARE

/* The kinds of clickable spots, and the `which` of their struct spot. */
enum spot_kind {
	SPOT_NONE,
	SPOT_KEY,  /* a key name; which: the key */
	SPOT_CARD, /* a card of the hand; which: list_key() of its label */
	SPOT_ROW   /* SPOT_ROW plus a view_kind: a row of that view's list; which: the row's key */
};

/* ---- at the table ---- */

/* The steps of the reveal animation; card_flip.c. */
enum card_flip_step { CARD_FLIP_BACK, CARD_FLIP_BACK_NARROW, CARD_FLIP_EDGE, CARD_FLIP_FACE_NARROW, CARD_FLIP_OVER };
struct turn {
	bool was_hidden; /* of the last round seen, with its number and epoch */
	int64_t round;
	int64_t epoch;
	int64_t began_ms; /* 0: no animation runs */
};

struct room_state {
	size_t card;	/* the card of the hand that Enter chooses */
	int64_t choosing_round; /* the round in which the user moves through the hand; 0: not now */
	/* the state at the last comparison */
	int64_t seen_round; /* 0: none */
	bool seen_revealed;
	bool seen_withdrawn; /* the own card was no longer in the deck */
	bool seen_left; /* there were stories to vote on */
	char seen_vote[MAX_CARD_BYTES + 1]; /* when it changes, the focus moves to the new card */
	/* typed in sequence, as part of a card's label; "": none */
	char digits[MAX_CARD_BYTES + 1];
	int64_t digits_ms; /* when the last of them was typed */
	int64_t timer_ends_at; /* of the last timer seen running */
	char timer_span[SPAN_TEXT_BYTES]; /* offered for the next one */
	struct turn turn;
};

/* room_view.c: the number of people present */
size_t room_view_here(const struct replica *room, bool with_me);
/*
 * Draw the link state at the right of the first row; `lost` is the word for a lost one. Returns its
 * first column.
 */
int room_view_draw_link(const struct tui *t, struct grid *g, const char *lost);

/*
 * Return a part of the grid for `all` rows in `height`; draw row 0 at -*top, the scroll position.
 * If not all fit, the last row says which are shown.
 */
struct grid room_view_scroll(const struct tui *t, const struct replica *room, struct grid *g, int y, int height, int all,
			     int *top);

/* room_status.c: the lines below the cards */
void room_status_draw(const struct tui *t, const struct replica *room, struct grid *g, int y);
/* Whether a vote has to name its story: none is at the table, and others are open. */
bool room_status_has_no_story(const struct replica *room);
/* Whether that is so, and no card of before lies at the table. */
bool room_status_is_elsewhere(const struct replica *room);
/* Whether all stories that were open together are settled, and nobody votes without one. */
bool room_status_is_over(const struct replica *room);
/*
 * Draw, in one line below another view, the state of the round, or that others wait for this user.
 */
void room_status_draw_round(const struct tui *t, const struct replica *room, struct grid *g, int y);
/*
 * The members without a card: those in the lobby, spectators, bots, and below them those who are
 * away, by name in up to `most` rows. Returns the rows they take, for drawing them in as many.
 */
int room_status_others(const struct tui *t, const struct replica *room, const struct grid *g, int most);
void room_status_draw_others(const struct tui *t, const struct replica *room, struct grid *g,
			     int y, int rows);
/* For a user alone in the room: how others join. */
/* The rows that room_status_draw_welcome() takes; without is_roomy it shows only the command. */
int room_status_welcome_rows(const struct tui *t, const struct replica *room, int width, bool is_roomy);
void room_status_draw_welcome(const struct tui *t, const struct replica *room, struct grid *g, int y, int end);

/* story_line.c: the story being voted on, below the header */
bool story_line_is_shown(const struct tui *t, const struct replica *room);
void story_line_draw(const struct tui *t, const struct replica *room, struct grid *g, int y);

/* story_view.c: the story's link and description, in up to `rows` rows below that line */
int story_about_rows(const struct replica *room, const struct grid *g);
void story_about_draw(const struct tui *t, const struct replica *room, struct grid *g, int y, int rows);

/* ---- results ---- */

/* result.c: the panel of a revealed round */
struct result {
	const struct replica *room;
	const struct round_view *past; /* NULL: the room's own round */
	const struct room_result *figures;
	bool has_spread; /* there are two different cards that can be ordered */
	bool tells_missing; /* list the members without a card, since no seats are shown */
	/* the layout: result_fit() */
	bool is_titled;
	int bar_rows, gap_rows; /* of a bar, and below it */
	/* the most rows of names next to a bar; further names follow below all bars */
	int names_rows;
	size_t missing_n;
	/* the rows for the names of each card, then of the members without one */
	int names[MAX_CARDS_MAX + 1];
};
/* @past  NULL: the room's own round. */
void result_init(struct result *r, const struct replica *room, const struct round_view *past);
/* The rows it takes in full, with bars of one row or with large ones. */
int result_rows(struct result *r, const struct tui *t, const struct grid *g, bool is_large);
/*
 * Lay it out for `height` rows, with larger bars if there is room. Returns the rows it takes then;
 * if they are more than `height`, all bars come first, then the names that do not fit next to them.
 */
int result_fit(struct result *r, const struct tui *t, const struct grid *g, int height);
/* Draw it as laid out, from row y on. */
void result_draw(const struct tui *t, const struct result *r, struct grid *g, int y);
/* Draw only the panel's first words; returns the column after them. */
int result_draw_title(const struct tui *t, const struct result *r, struct grid *g, int y);

/* ---- stories ---- */

/* stories_view.c: the story in focus, or NULL; its index in the list, or 0. */
const struct story_view *stories_focus(const struct tui *t, const struct replica *room);
size_t stories_focus_at(const struct tui *t, const struct replica *room);
/* The index of the story with that id; room->stories.n: not in the list, or NULL. */
size_t stories_index(const struct replica *room, const char *story_id);
/* Write who else is at the story, a name in at most `cells`; "": nobody. Returns out, or "". */
const char *stories_who(const struct tui *t, const struct replica *room, const char *story_id, int cells, char *out, size_t cap);
size_t stories_count(const struct replica *room, enum story_status status);
/* The number of stories with an estimate. */
size_t stories_estimated(const struct replica *room);

/* ---- history ---- */

/* The state of the room when its newest rounds were last requested. */
struct history_mark {
	bool is_set;
	bool is_revealed;
	int64_t epoch;
	int64_t round;
	size_t estimated; /* stories; one that is open with others has no other trace here */
	char outcome[MAX_CARD_BYTES + 1];
};

struct history_state {
	const struct round_history *rounds; /* NULL: not fetched yet */
	bool is_fetching;		    /* a page is pending */
	bool is_for_summary; /* lines mode: the summary was asked for, not the history */
	struct history_mark mark;
};

/* history_view.c: the number of rounds fetched */
size_t history_count(const struct tui *t);
/*
 * Request a page from the cursor on; NULL: the newest. Returns an empty act while another is
 * pending.
 */
struct act history_ask(struct tui *t, const struct replica *room, const char *cursor, int64_t limit);

/*
 * side_panel.c: draw stories and history next to the table, in `height` rows; returns the width
 * left for the table.
 */
int side_draw(const struct tui *t, const struct replica *room, struct grid *g, int top, int height);

/* ---- the summary ---- */

/*
 * summary_view.c: whether the last story left to vote on has been settled, skipped or removed since
 * the last call.
 */
bool summary_turns_due(struct tui *t, const struct replica *room);

/* ---- rules ---- */

/* policy_view.c: all rules */
struct rule {
	const char *field; /* of policy_change */
	const char *label;
};
#define RULE_COUNT(...) +1
enum { RULES_N = 1 POLICY_FLAGS(RULE_COUNT, _) }; /* who_edits_data, and the flags */
#undef RULE_COUNT
extern const struct rule rules[RULES_N];
/*
 * The rules that the view shows: those of the room, or in IN_TEAM_RULES those of the open team's
 * new rooms. Returns false if they are not known yet.
 */
bool rules_shown(const struct tui *t, const struct replica *room, enum view_kind view,
		 struct policy_view *out);
/* The index in rules of the rule in focus there; RULES_N or more: none is. */
size_t rules_focus(const struct tui *t, const struct replica *room, enum view_kind view);
/* The rule's value now; the number of its possible values; the word for one of them. */
size_t rule_value(const struct policy_view *policy, const struct rule *rule);
size_t rule_words(const struct rule *rule);
const char *rule_word(const struct rule *rule, size_t value);

/* ---- lists of a few things ---- */

struct pick_state {
	enum action action; /* for the chosen member */
};

/* ---- home ---- */

/* The last room to be entered, and the passcode typed for it. */
struct entry {
	char room_id[CODE_CHARS_MAX + 1];
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char secret[EDIT_BYTES_MAX];
};
struct home_state {
	char title[MAX_TITLE_BYTES + 1]; /* of the new room */
	char group_id[TEAM_ID_BYTES_MAX + 1]; /* of its team, which has no deck yet; "": none */
	struct entry entry;
	struct entry nudged; /* the room of the nudge being shown */
};

/* home_actions.c: the actions of home */
/* The base view: home, or the table. */
enum view_kind home_base(const struct tui *t);
/* The room in focus; NULL: none. */
const struct recent_room *home_focus(const struct tui *t);
/* Create a room with that deck, or those cards, and the title typed before. */
struct act home_create(struct tui *t, const char *deck);
/* Enter that room. @server  "": that of home. */
struct act home_enter(struct tui *t, const char *server, const char *room_id);
/* Remember the room of a nudge; enter it, as Enter does while the nudge is shown. */
void home_keep_nudge(struct tui *t, const char *server, struct slice room_id);
struct act home_follow_nudge(struct tui *t);

/* ---- questions ---- */

/* inbox_view.c */
/* The next request for what is shown; may be empty. */
struct act inbox_wants(struct tui *t);
/*
 * history_view.c: an act for the feed's next request, or for `asks`, which it takes over; empty if
 * both are NULL.
 */
struct act tui_wish(struct tui *t, struct feed *feed, struct request *asks);
/* The time in ms until a time on the screen changes; -1: never. */
int64_t inbox_changes_in_ms(const struct tui *t);
/*
 * Draw the first row of a page about the open question: its category or status, what it needs, how
 * long it is open.
 */
void inbox_draw_head(const struct tui *t, struct grid *g);
/* The open question, or the one under the cursor; NULL: none. */
const struct question_view *inbox_focus(struct tui *t);
/* Leave the open question. */
void inbox_leave(struct tui *t);
/* Go on to the next waiting question, or back to the list. */
void inbox_go_on(struct tui *t);

/* asking_view.c: a question before it is asked */
enum asking_part { ASKING_TEXT, ASKING_OPTIONS, ASKING_TO, ASKING_OPEN, ASKING_NEED, ASKING_N };
/* Whom a question is for: a room, a team, or one member of it; all "": everyone. */
struct asking_to {
	char room_id[CODE_CHARS_MAX + 1];
	char group_id[TEAM_ID_BYTES_MAX + 1];
	char user_id[TEAM_ID_BYTES_MAX + 1];
};
struct asking_state {
	char text[ASKING_N][EDIT_BYTES_MAX]; /* as typed; "": the default */
	struct asking_to to;		     /* which text[ASKING_TO] names */
};

/* ---- teams ---- */

struct team_state {
	char setting[EDIT_BYTES_MAX]; /* offered in the line of a setting */
	/* when its rooms were last requested; no update reports their changes */
	int64_t rooms_at_ms;
};
struct backlog_state {
	struct text_editor *note;	 /* the note being written */
	char note_id[65];	 /* the id of its item */
	int64_t note_revision;	 /* the revision it is based on; 0: overwrite whatever is there */
	bool is_note_sent;	 /* it is being saved */
};

/* team_actions.c */
/* Whether the user is an owner of the open team, as far as known. */
bool team_is_owner(const struct tui *t);
/* The id of the row in focus, if the view shows one of the teams' lists; else NULL. */
const char *team_focus(const struct tui *t);
/*
 * The name of the team, member, backlog, item or invitation with that id, as far as the lists have
 * it.
 */
const char *team_called(const struct tui *t, enum word_kind kind, const char *id);
/* The list that a view shows; TEAM_LISTS_N: none. */
enum team_list team_list_of(enum view_kind view);
/* Go to the next of the team's pages, or with -1 to the previous one. */
void team_go_aside(struct tui *t, int by);
/* The next request for what is shown; may be empty. */
struct act team_wants(struct tui *t);
/* team_view.c: the time in ms until a time on the screen changes; -1: never. */
int64_t team_changes_in_ms(const struct tui *t);
/* team_view.c: the `waits` of struct view for lists of teams.h. */
const char *team_waits(const struct tui *t, char out[TUI_WAITS_BYTES_MAX]);
/* backlog_actions.c: the name of a backlog. */
const char *backlog_name(const struct tui *t, const char *container_id);
/* The title of a column: that of quantities is "estimate", if all of them are. */
const char *backlog_column_name(const struct tui *t, enum item_column column);
/* Whether the open backlog was opened from the room's stories, to add items as stories. */
bool backlog_is_source(const struct tui *t);
/* Whether the item is a story of the room already. */
bool item_is_story(const struct replica *room, const struct item_view *item);
/* The item in focus; NULL: none. */
const struct item_view *item_focus(const struct tui *t);
/* backlog_view.c: the note was refused: let the user save it again. */
void item_note_again(struct tui *t);
/* The action that edits a column. */
enum action item_action(enum item_column column);
/* Write the command for joining the team by the last invitation. */
void team_line(const struct tui *t, char out[INVITE_LINE_BYTES_MAX + 1]);

#endif
