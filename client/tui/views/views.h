/*
 * views.h - the views: what each remembers between keys, and what it has for the others;
 * only for client/tui.
 */
#ifndef CLIENT_TUI_VIEWS_VIEWS_H
#define CLIENT_TUI_VIEWS_VIEWS_H

#include "client/model/questions/inbox.h"
#include "client/model/room/round_history.h"
#include "client/tui/action_table.h"
#include "client/tui/tui.h"
#include "client/tui/widgets/draw.h"
#include "client/tui/widgets/grid.h"
#include "client/tui/widgets/list.h"
#include "client/tui/widgets/text_editor.h"
#include "proto/base/limits.h"

enum { TUI_WAITS_BYTES_MAX = FEED_REFUSED_BYTES_MAX + 64, TEAM_LISTS_SHOWN = 3 };

/*
 * One screen. A list is its rows, a title and what it says without any; what is more than that draws and takes keys
 * itself. Rows 0 to height - 1 are the view's, below them is the prompt.
 */
struct view {
	const char *title; /* of a list, in the first row; NULL: `head` says it */
	/* What stands beside it, and below; y: where the list begins without that. Returns where it does with it. */
	int (*head)(const struct tui *t, const struct replica *room, struct grid *g, int y);
	/* Whether more rows are known to be where these are from; NULL: the title has no number of them. */
	bool (*has_more)(const struct tui *t);
	/* Why no row is known yet; "": it is known that there is none. NULL: it always is. */
	const char *(*waits)(const struct tui *t, char out[TUI_WAITS_BYTES_MAX]);
	const char *empty;	      /* what is said then */
	const struct list_rows *rows; /* NULL: it has no list */
	/* The list of teams.h that these are of, and others that it needs: for its head, and for names. Each plus one. */
	uint8_t team_lists[TEAM_LISTS_SHOWN];
	/* NULL: the list fills it. */
	void (*draw)(const struct tui *t, const struct replica *room, struct grid *g, int height);
	/* NULL: those of its list and of the table of actions, as tui_act_on_key() has them. */
	struct act (*take_key)(struct tui *t, const struct replica *room, int32_t key);
	const char *footer; /* fixed hints; NULL: those of the actions that are allowed now */
	enum view_kind parent; /* where one goes back to; VIEW_ROOM: to the table, or at home to its first page */
	bool is_over;	       /* in place of that: to the view that it was opened in */
	void (*leave)(struct tui *t); /* before one goes back; NULL: nothing is let go of */
	/* Where in struct tui the text is that is written there: what is pasted goes into it, and digits do; 0: none is. */
	size_t sheet;
	enum action pastes; /* what a pasted line is typed for; none: at home the way to a room */
	struct act (*paste)(struct tui *t, const struct replica *room, struct slice text); /* in place of that */
	/* The story that one looks at there; NULL: the one that is voted on, which is not told to others. */
	const char *(*story)(const struct tui *t, const struct replica *room);
	/* What a click on a card does, by list_key() of its label. */
	struct act (*click)(struct tui *t, const struct replica *room, uint32_t which);
	int64_t (*changes_in_ms)(const struct tui *t); /* until it reads differently by time alone; NULL: never */
};
/* That of a kind. */
const struct view *view_of(enum view_kind kind);
#define VIEW_DECLARE(symbol, module, title) extern const struct view module;
VIEWS(VIEW_DECLARE)
#undef VIEW_DECLARE

/* What can be clicked, and what struct spot's `which` says of it. */
enum spot_kind {
	SPOT_NONE,
	SPOT_KEY,  /* the key it stands for */
	SPOT_CARD, /* of the hand: list_key() of its label */
	SPOT_ROW   /* and the view on top, whose list it is a row of: the row's key */
};

/* ---- at the table ---- */

/* How far cards have turned over; card_flip.c. */
enum card_flip_step { CARD_FLIP_BACK, CARD_FLIP_BACK_NARROW, CARD_FLIP_EDGE, CARD_FLIP_FACE_NARROW, CARD_FLIP_OVER };
struct turn {
	bool was_hidden; /* the round that was seen last, and which it was */
	int64_t round;
	int64_t epoch;
	int64_t began_ms; /* 0: none has begun */
};

struct room_state {
	size_t card;	/* of the hand: the one that Enter puts down */
	int64_t choosing_round; /* the round in which we go through our cards; 0: not now */
	/* when we last looked */
	int64_t seen_round; /* 0: never */
	bool seen_revealed;
	bool seen_withdrawn; /* our card was no longer in the deck */
	char seen_vote[MAX_CARD_BYTES + 1]; /* a new one takes the card in focus along */
	char digits[MAX_CARD_BYTES + 1]; /* typed in a row: they may become a card's label; "" none */
	int64_t digits_ms; /* when the last of them was typed */
	int64_t timer_ends_at; /* of the timer that was last seen running */
	struct turn turn;
};

/* room_view.c: how many people are here */
size_t room_view_here(const struct replica *room, bool with_me);
/* How the connection is, at the right of the first row; `lost` is the word where it is lost. Returns where it begins. */
int room_view_draw_link(const struct tui *t, struct grid *g, const char *lost);

/*
 * Where `all` rows go for which there are `height`: a part of the grid to draw into from row -*top on,
 * which is where one has scrolled to. The row below it says what is out of sight.
 */
struct grid room_view_scroll(const struct tui *t, const struct replica *room, struct grid *g, int y, int height, int all,
			     int *top);

/* room_status.c: the lines below the cards */
void room_status_draw(const struct tui *t, const struct replica *room, struct grid *g, int y);
/* The same in a line below another view, with what that means for us: how the round is, or that the others wait. */
void room_status_draw_round(const struct tui *t, const struct replica *room, struct grid *g, int y);
/*
 * Those without a card of their own: in the lobby, watching, bots, and in rows below those who are away,
 * by name as far as `most` rows go. How many rows they take; they are drawn in as many.
 */
int room_status_others(const struct tui *t, const struct replica *room, const struct grid *g, int most);
void room_status_draw_others(const struct tui *t, const struct replica *room, struct grid *g,
			     int y, int rows);
/* Alone in the room: how others come in. */
/* How many rows room_status_draw_welcome() takes, on a screen that has them; not roomy: the command alone. */
int room_status_welcome_rows(const struct tui *t, const struct replica *room, int width, bool is_roomy);
void room_status_draw_welcome(const struct tui *t, const struct replica *room, struct grid *g, int y, int end);

/* story_line.c: what is voted on, below the header */
bool story_line_is_shown(const struct tui *t, const struct replica *room);
void story_line_draw(const struct tui *t, const struct replica *room, struct grid *g, int y);

/* story_view.c: the link of what is voted on and its description, as far as they fit `rows` rows below that line */
int story_about_rows(const struct replica *room, const struct grid *g);
void story_about_draw(const struct tui *t, const struct replica *room, struct grid *g, int y, int rows);

/* ---- results ---- */

/* result.c: the panel of a round whose cards lie open */
struct result {
	const struct replica *room;
	const struct round_view *past; /* NULL: the room's own round */
	const struct room_result *figures;
	bool has_spread; /* two different cards that have an order */
	bool tells_missing; /* who has no card, as no seats do */
	/* how it is laid out: result_fit() */
	bool is_titled;
	int bar_rows, gap_rows; /* of a bar, and below it */
	int names_rows;	  /* with names beside a bar, at most; others follow below all bars */
	size_t missing_n;
	int names[MAX_CARDS_MAX + 1]; /* rows that those of each card would take, then of those without */
};
/* @past  NULL: the room's own round. */
void result_init(struct result *r, const struct replica *room, const struct round_view *past);
/* How many rows it takes with all that it says, with bars of one row or with large ones. */
int result_rows(struct result *r, const struct tui *t, const struct grid *g, bool is_large);
/*
 * Lays it out for `height` rows, with larger bars where there is room for them. How many rows it takes then;
 * where that are more than `height`, all bars come first, and the names that have no room beside them below.
 */
int result_fit(struct result *r, const struct tui *t, const struct grid *g, int height);
/* As it was laid out, from row y on. */
void result_draw(const struct tui *t, const struct result *r, struct grid *g, int y);
/* The panel's first words alone; returns the column behind them. */
int result_draw_title(const struct tui *t, const struct result *r, struct grid *g, int y);
bool result_is_wide(const struct grid *g);
/* A bar for those votes of the most: full cells, then one eighth of a cell as the remainder asks; any vote shows at least a sign. */
void result_fill_bar(const struct tui *t, struct grid *g, int x, int y, int cells, int64_t votes, int64_t most,
		     enum style style);
/* With at most `places` after the point, and no noughts at the end. */
void result_number(double value, int places, char *out, size_t cap);

/* ---- stories ---- */

/* stories_view.c: the story in focus, or NULL; and where it is in the list, or 0. */
const struct story_view *stories_focus(const struct tui *t, const struct replica *room);
size_t stories_focus_at(const struct tui *t, const struct replica *room);
/* Where it is in the list, by its id; room->stories.n: nowhere, or NULL. */
size_t stories_index(const struct replica *room, const char *story_id);
/* Who else is at it, a name in `cells` cells at most; "" for nobody. Returns out, or "". */
const char *stories_who(const struct tui *t, const struct replica *room, const char *story_id, int cells, char *out, size_t cap);
size_t stories_count(const struct replica *room, enum story_status status);
/* Those that have an estimate. */
size_t stories_estimated(const struct replica *room);

/* ---- history ---- */

/* How the room stood when its newest rounds were asked for last. */
struct history_mark {
	bool is_set;
	bool is_revealed;
	int64_t epoch;
	int64_t round;
	char outcome[MAX_CARD_BYTES + 1];
};

struct history_state {
	const struct round_history *rounds; /* NULL: not fetched yet */
	bool is_fetching;		    /* some of it is on its way */
	struct history_mark mark;
};

/* history_view.c: the rounds that were fetched */
size_t history_count(const struct tui *t);
/* A page from the cursor on, NULL: the newest; nothing while another is on its way. */
struct act history_ask(struct tui *t, const struct replica *room, const char *cursor, int64_t limit);

/* side_panel.c: stories and history beside the table, in `height` rows; returns how wide the table is. */
int side_draw(const struct tui *t, const struct replica *room, struct grid *g, int top, int height);

/* ---- rules ---- */

/* policy_view.c: the rules there are */
struct rule {
	const char *field; /* of policy_change */
	const char *label;
};
#define RULE_COUNT(...) +1
enum { RULES_N = 1 POLICY_FLAGS(RULE_COUNT, _) }; /* who_edits_data, and the flags */
#undef RULE_COUNT
extern const struct rule rules[RULES_N];
/* What it is now; and how many words there are for what it may be, which by that value. */
size_t rule_value(const struct replica *room, const struct rule *rule);
size_t rule_words(const struct rule *rule);
const char *rule_word(const struct rule *rule, size_t value);

/* ---- lists of a few things ---- */

struct pick_state {
	enum action action; /* what is done to the member */
};

/* ---- home ---- */

/* The room that was asked for last, and the passcode to enter it with. */
struct entry {
	char room_id[CODE_CHARS_MAX + 1];
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char secret[EDIT_BYTES_MAX];
};
struct home_state {
	char title[MAX_TITLE_BYTES + 1]; /* of the new room */
	struct entry entry;
	struct entry nudged; /* where `nudge` comes from */
};

/* home_actions.c: what is done at home */
/* Which view one comes back to: home, or the table. */
enum view_kind home_base(const struct tui *t);
/* The focused room; NULL where there is none. */
const struct recent_room *home_focus(const struct tui *t);
/* Make a room with that deck, or of those cards, and the title that was typed. */
struct act home_create(struct tui *t, const char *deck);
/* Go into that room; server "": that of home. */
struct act home_enter(struct tui *t, const char *server, const char *room_id);
/* A nudge comes from that room; and going into it, as Enter does while that is shown. */
void home_keep_nudge(struct tui *t, const char *server, struct slice room_id);
struct act home_follow_nudge(struct tui *t);

/* ---- questions ---- */

/* The inbox that home shows; NULL: there is none. */
static inline struct inbox *inbox_of(const struct home *home)
{
	return home == NULL ? NULL : home->inbox;
}
/* inbox_view.c */
/* What is to be read for what is shown now; nothing, too. */
struct act inbox_wants(struct tui *t);
/* Read of the feed what it wants, or `asks`, which it takes; nothing where both are none. history_view.c */
struct act tui_wish(struct tui *t, struct feed *feed, struct request *asks);
/* Until a time on the screen reads differently; -1: never. */
int64_t inbox_changes_in_ms(const struct tui *t);
/* The first row of a page about the open question: its category or status, what it needs, how long it is open. */
void inbox_draw_head(const struct tui *t, struct grid *g);
/* Open it, as the list does. */
void inbox_show(struct tui *t, const struct question_view *q);
/* The open question is left. */
void inbox_leave(struct tui *t);
/* On to the next one that waits, or back to the list. */
void inbox_go_on(struct tui *t);

/* ---- teams ---- */

struct team_state {
	int64_t rooms_at_ms; /* when its rooms were asked for last, of which no update tells */
};
struct backlog_state {
	struct text_editor *note;	 /* while it is being written, */
	char note_id[65];	 /* of the item that it is of, */
	int64_t note_revision;	 /* as it was then; 0: it is saved over whatever is there by now */
	bool is_note_sent;	 /* and has no end yet */
};

/* team_actions.c */
/* The id of the row in focus, where the view shows one of the teams' lists; else NULL. */
const char *team_focus(const struct tui *t);
/* What people call the team, member, backlog, item or invitation with that id, as far as the lists know. */
const char *team_called(const struct tui *t, enum word_kind kind, const char *id);
/* The list that a view shows; TEAM_LISTS_N: none. */
enum team_list team_list_of(enum view_kind view);
/*
 * The row that is drawn there, of those of teams_rows(): backlogs that may have something to estimate come first, those that
 * are known to have nothing behind them.
 */
const void *team_row(const struct teams *teams, enum team_list which, size_t at);
/* Whether the caller is an owner of the open team, as far as is known. */
bool team_is_owner(const struct tui *t);
/* To the next of a team's pages, or with -1 to the one before. */
void team_go_aside(struct tui *t, int by);
/* What is to be read for what is shown now; nothing, too. */
struct act team_wants(struct tui *t);
/* team_view.c: until a time on the screen reads differently; -1: never. */
int64_t team_changes_in_ms(const struct tui *t);
/* team_view.c: why a list of teams.h has no row yet, as struct view has it. */
const char *team_waits(const struct tui *t, char out[TUI_WAITS_BYTES_MAX]);
/* backlog_actions.c: what a backlog is called. */
const char *backlog_name(const struct tui *t, const char *container_id);
/* Whether the item is a story of the room already. */
bool item_is_story(const struct replica *room, const struct item_view *item);
/* The item in focus; NULL: there is none. */
const struct item_view *item_focus(const struct tui *t);
/* backlog_view.c: the note that was sent was refused: it is there to be saved once more. */
void item_note_again(struct tui *t);
/* The column that the cursor is in; and the action that changes what stands in one. */
enum item_column item_column_focus(const struct tui *t);
enum action item_action(enum item_column column);
/* The line that lets others in by the invitation that was made last. */
void team_line(const struct tui *t, char out[INVITE_LINE_BYTES_MAX + 1]);

#endif
