/*
 * tui_state.h - what the screen remembers between keys; only for client/tui.
 *
 * A view fills the screen above the two lowest rows. Those are the talk: a
 * line being typed, a question, or a message over the footer. Keys go to the
 * talk first, then to the view.
 */
#ifndef CLIENT_TUI_TUI_STATE_H
#define CLIENT_TUI_TUI_STATE_H

#include "client/model/round_history.h"
#include "client/tui/action_table.h"
#include "client/tui/draw.h"
#include "client/tui/grid.h"
#include "client/tui/line_editor.h"
#include "client/tui/notification.h"
#include "client/tui/tui.h"
#include "client/tui/writing.h"
#include "proto/limits.h"

/* One screen: draws rows 0 to height - 1, and takes the keys that no talk wants. */
struct view {
	void (*draw)(struct tui *t, const struct replica *room, struct grid *g, int height);
	struct act (*take_key)(struct tui *t, const struct replica *room, int32_t key);
	/* A SPOT_ROW of it was clicked; false where it is there no more. NULL: it has none. */
	bool (*focus)(struct tui *t, const struct replica *room, uint32_t which);
	const char *footer; /* fixed hints; NULL: those of the actions that are allowed now */
};

#define VIEW_DECLARE(symbol, module, title) extern const struct view module;
VIEWS(VIEW_DECLARE)
#undef VIEW_DECLARE

/* What can be clicked, and what struct spot's `which` says of it. */
enum spot_kind {
	SPOT_NONE,
	SPOT_KEY,   /* the key it stands for */
	SPOT_CARD,  /* of the hand: mouse_which() of its label */
	SPOT_STORY, /* mouse_which() of its id */
	SPOT_ROUND, /* its number */
	SPOT_ROW    /* of the view's own list, as its focus() has it */
};

enum talk { TALK_NONE, TALK_LINE, TALK_CONFIRM };

enum {
	TUI_MESSAGE_BYTES_MAX = 400,
	TUI_TEXT_BYTES_MAX = EDIT_BYTES_MAX,
	TUI_ID_BYTES_MAX = 65,
	TUI_PASTE_BYTES_MAX = 16384,
	TUI_MOMENT_MS = 4000, /* how long a reaction is shown */
	TUI_WIDE = 120	      /* from here on stories and history stand beside the table */
};

/* How the room stood when its newest rounds were asked for last. */
struct history_mark {
	bool is_set;
	bool is_revealed;
	int64_t epoch;
	int64_t round;
	char outcome[MAX_CARD_BYTES + 1];
};

/* How far cards have turned over; card_flip.c. */
enum turn_step { TURN_BACK, TURN_BACK_NARROW, TURN_EDGE, TURN_FACE_NARROW, TURN_OVER };
struct turn {
	bool was_hidden; /* the round that was seen last, and which it was */
	int64_t round;
	int64_t epoch;
	int64_t began_ms; /* 0: none has begun */
};

/* What calls for somebody who may look elsewhere; notification_rules.c. */
struct calls {
	enum focus focus;
	bool has_been_away;
	bool has_seen_room; /* what is there at first is no news */
	bool was_revealed;
	size_t waiting_n; /* in the lobby */
	int64_t round;
	bool has_called; /* for our vote, in this round */
	int64_t waited_since_ms; /* by all others; 0: not */
	char text[NOTICE_TEXT_BYTES_MAX + 1]; /* not told yet; "" nothing */
	struct notice_pace pace;
	int64_t wait_ms; /* until that may be told, when it was tried last */
	char told[NOTICE_TEXT_BYTES_MAX + 1];
};

struct tui {
	struct settings settings;
	bool ascii; /* where signs = auto */
	bool is_spectator;
	bool joins_by_itself;
	char name_hint[EDIT_BYTES_MAX]; /* how one wanted to be called last, refused or not; "": not known */
	const struct signs *signs;

	bool is_typed; /* there is no screen and no key, only lines: line_commands.h */

	enum link_state link;
	enum view_kind view;
	enum talk talk;
	bool has_asked_name; /* the name prompt opens by itself once, not after Escape */

	struct line_editor edit;	 /* TALK_LINE */
	enum action line_action; /* what the line is for */
	bool is_secret;		 /* what is typed is not shown */
	char line_story[TUI_ID_BYTES_MAX]; /* the story it is about */
	enum action sure_action; /* TALK_CONFIRM: what waits for a yes */
	char sure_arg[TUI_TEXT_BYTES_MAX];
	char question[TUI_MESSAGE_BYTES_MAX];

	enum action pick_action; /* VIEW_PICK: what is done to the member */
	size_t pick_at;		 /* index in the list; clamped when drawn */
	int help_top;
	int seats_top; /* first row of seats shown, where not all fit */
	bool seen_withdrawn; /* our card was no longer in the deck when we last looked */
	size_t focus;  /* index of the card in the hand that Enter puts down */
	int64_t seen_round; /* when we last looked; 0: never */
	bool seen_revealed;
	char seen_vote[MAX_CARD_BYTES +
		       1]; /* our vote when we last looked: a new one takes the focus along */

	int64_t choosing_round; /* the round in which we go through our cards; 0: not now */

	char story[TUI_ID_BYTES_MAX]; /* VIEW_STORIES: the focused one, wherever it moves */
	size_t story_at;	      /* where it was last: the next one takes its place when it goes */
	struct writing writing;	 /* VIEW_WRITING */
	char pasted[TUI_PASTE_BYTES_MAX + 1]; /* lines that wait for a yes, each a story */
	const struct round_history *rounds;  /* VIEW_HISTORY; NULL: not fetched yet */
	size_t round_at;
	int64_t round_n;  /* number of the round there */
	int history_rows; /* that the last drawing had a place for */
	bool is_fetching; /* some of it is on its way */
	struct history_mark history_mark;
	int panel_top; /* first line shown of a past round's panel */
	size_t rule_at; /* VIEW_POLICY */
	size_t setting_at; /* VIEW_SETTINGS */

	const struct home *home; /* NULL: this is a room's screen */
	size_t home_at;		 /* VIEW_HOME: index of the focused room; clamped when drawn */
	size_t deck_at;		 /* VIEW_DECKS */
	char new_title[MAX_TITLE_BYTES + 1];
	char entry_id[CODE_CHARS_MAX + 1]; /* the room that was asked for last */
	char entry_server[RECENT_SERVER_BYTES_MAX + 1];

	int64_t now_ms;	       /* the server's time; 0: not told yet */
	int64_t timer_ends_at; /* of the timer that was last seen running */
	char moment[TUI_MESSAGE_BYTES_MAX];
	int64_t moment_ends_at;
	char nudge[TUI_MESSAGE_BYTES_MAX]; /* until we vote, or the round ends */
	int64_t nudge_round;
	struct calls calls;
	struct turn turn;
	struct spot clicked; /* last, and no key since: once more is a yes */
	bool is_slow; /* the terminal has not taken the last frame yet */

	char notice[TUI_MESSAGE_BYTES_MAX]; /* from the client; stays until it says something else
					     */
	char reply[TUI_MESSAGE_BYTES_MAX];  /* to the last key */
	bool has_pending;
	char pending[MAX_CARD_BYTES + 1]; /* "": retracting */
	char held[TUI_MESSAGE_BYTES_MAX]; /* acts that wait for the connection; "" none */
	struct request *request; /* what the last key asked for; NULL: nothing */
	char secret[TUI_TEXT_BYTES_MAX]; /* the passcode to enter a room with */
};

/* tui.c: for the others */
/* The view that is open. */
const struct view *tui_view(const struct tui *t);
/* After a change of them. */
void tui_apply_settings(struct tui *t);
/* What the last key asked for; it may have been a secret. */
void tui_forget_act(struct tui *t);
/* A request for an action, to be filled in, in place of the last one. */
struct request *tui_request(struct tui *t, enum action a, enum method method);
/* The end of it: it is what the key asks for, or the reply says why it cannot be. */
struct act tui_send(struct tui *t, enum action a);
void tui_reply(struct tui *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How one wants to be called from now on, allowed or not. */
void tui_hint_name(struct tui *t, const char *name);
/* "you", the name, or "somebody" for a seat without one. */
const char *tui_name_of(const struct replica *room, const struct user_view *m);
bool tui_is_me(const struct replica *room, const struct user_view *m);
/* As far as we know; of ourselves always. */
bool tui_has_vote(const struct replica *room, const struct user_view *m);
/* Somebody whose card is part of the round: named and let in, no spectator, no bot. */
bool tui_is_voter(const struct user_view *m);

/* The action of that key in the view that is open, or a word about there being none. */
struct act tui_act_on_key(struct tui *t, const struct replica *room, int32_t key);

/* action_run.c: do it, or ask for what is missing first; arg NULL: none was given. */
struct act action_run(struct tui *t, const struct replica *room, enum action a, const char *arg);
/* The same without asking whether that is meant; for the answer yes. */
struct act action_run_surely(struct tui *t, const struct replica *room, enum action a, const char *arg);
/* The request that the row's fields make. */
struct act action_request(struct tui *t, const struct replica *room, enum action a, const char *arg);

/* prompt_line.c: the two lowest rows */
void talk_open_line(struct tui *t, enum action a, const char *text);
/* What is asked for: "Your name: ". */
const char *talk_label(enum action a);
/* What the open line was typed for; what is refused may stay open, to be mended. */
struct act talk_take_line(struct tui *t, const struct replica *room, const char *line);
/* Do what a typed line says, "kick Grace"; the line is changed. */
struct act talk_take_command(struct tui *t, const struct replica *room, char *line);
struct act talk_take_key(struct tui *t, const struct replica *room, int32_t key);
/* @footer  fixed hints; NULL: those of the actions allowed now. */
void talk_draw(struct tui *t, const struct replica *room, struct grid *g, const char *footer);
int talk_rows(const struct grid *g);

/* complete.c: what could stand at the cursor of the line being typed */
enum { COMPLETIONS_MAX = 48 };
struct completions {
	size_t start; /* byte offset of the word that is completed */
	size_t n;
	struct slice word[COMPLETIONS_MAX]; /* into tables, the replica and the list of rooms */
};
void complete_line(const struct tui *t, const struct replica *room, struct completions *out);
/* Put the longest common beginning into the line, and a blank behind an only one. */
void complete_apply(struct tui *t, const struct replica *room);

/* activity.c: somebody else goes through their cards, none of which lies on the table yet */
bool doing_is_choosing(const struct replica *room, const struct user_view *m);
/* Who else is at that story: "Ada", "Ada types", "Ada +2"; "" for nobody. A name takes `cells` at most; with few there are no more words. */
void doing_at_story(const struct tui *t, const struct replica *room, const char *story_id,
		    int cells, char *out, size_t cap);

/* hand_widget.c */
int hand_rows(const struct tui *t, const struct replica *room, const struct grid *g, bool is_roomy);
void hand_draw(const struct tui *t, const struct replica *room, struct grid *g, int y,
	       bool is_roomy);
void hand_move(struct tui *t, const struct replica *room, int by);
/* It lies on the table, or is on its way there. */
bool hand_lies(const struct tui *t, const struct replica *room, size_t card);
/* The card that a digit puts down, or -1. hand_key() is its inverse: '0'..'9', or 0. */
int hand_card_of_digit(const struct replica *room, int digit);
char hand_key_of_card(const struct replica *room, size_t card);
/* The card that is this letter, or -1: in the other case only where no card is it as typed. */
int hand_card_of_letter(const struct replica *room, int32_t key);

/* seats_widget.c: the voters' cards in at most `height` rows; returns how many it took */
int seats_rows_least(const struct replica *room, const struct grid *g);
int seats_draw(struct tui *t, const struct replica *room, struct grid *g, int y, int height);

/* room_status.c: the lines below the cards */
void room_status_draw(const struct tui *t, const struct replica *room, struct grid *g, int y);
/* Those without a card of their own: watching, bots, in the lobby. */
size_t room_status_others(const struct replica *room);
void room_status_draw_others(const struct tui *t, const struct replica *room, struct grid *g,
			     int y);
/* Alone in the room: how others come in. */
void room_status_draw_welcome(const struct replica *room, struct grid *g, int y, int end);

/* story_line.c: what is voted on, below the header */
bool story_line_is_shown(const struct tui *t, const struct replica *room);
void story_line_draw(const struct tui *t, const struct replica *room, struct grid *g, int y);

/* notification_rules.c: after the room or the time may have changed; when it is to be asked again, -1: no need */
void notice_follow(struct tui *t, const struct replica *room);
int64_t notice_changes_in_ms(const struct tui *t);
void notice_of_nudge(struct tui *t); /* t->nudge says who */
void notice_of_timer(struct tui *t);

/* card_flip.c: after the room may have changed */
void turn_follow(struct tui *t, const struct replica *room);
enum turn_step turn_step(const struct tui *t);
/* Their card lay face down for us, and now lies open. */
bool turn_is_seen(const struct replica *room, const struct user_view *m);
int64_t turn_changes_in_ms(const struct tui *t); /* -1: not by turning */

/* mouse.c */
/* A number for a text, so that a click finds what was seen wherever it is by then. */
uint32_t mouse_which(const char *text);
/* A click there presses the key; none where it is 0. */
void mouse_mark_key(struct grid *g, int x, int y, int width, int32_t key);
/* The keys named in fixed hints that stand there: "Up Down choose  Esc back". */
void mouse_mark_hints(struct grid *g, int x, int y, const char *hints);
struct act mouse_take(struct tui *t, const struct replica *room, const struct grid *g,
		      const struct tui_mouse *m);

/* duration.c */
/* Whole seconds until `ends_at`, the one that runs now counted; 0 where it is over. */
int64_t timing_left(int64_t now_ms, int64_t ends_at);
/* "1:42", "1:00:00" */
void timing_text(int64_t seconds, char *out, size_t cap);
/* "5m", "90s", "1:30", "5"; a "!" behind it. False where it is none, or out of bounds. */
bool timing_parse(const char *text, int64_t *seconds, bool *reveals);

/* result.c: the panel of a round whose cards lie open, one line at a time */
struct result {
	const struct replica *room;
	const struct round_view *past; /* NULL: the room's own round */
	const struct room_result *figures;
	size_t order[MAX_CARDS_MAX]; /* indexes of its cards, the most wanted first */
	size_t n;
	bool has_spread; /* two different cards that have an order */
};
/* What is shown of a vote; text is the replica's, or NULL. */
struct result_vote {
	const char *card;
	const char *name;
	const char *note;
	int confidence;
	bool is_changed;
	bool is_me;
	bool is_bot;
};
/* @past  NULL: the room's own round. */
void result_init(struct result *r, const struct replica *room, const struct round_view *past);
int result_rows(const struct result *r, const struct grid *g);
/* The panel's first words alone; returns the column behind them. */
int result_draw_title(const struct tui *t, const struct result *r, struct grid *g, int y);
/* The lines from `top` on that fit `height` rows; a last line tells of more. */
void result_draw(const struct tui *t, const struct result *r, struct grid *g, int y, int height,
		 int top);

/* result_bars.c */
bool result_is_wide(const struct grid *g);
void result_number(double value, int places, char *out, size_t cap);
void result_draw_card(const struct tui *t, const struct result *r, struct grid *g, int y,
		      size_t nth);
int result_label_cells(const struct result *r);

/* result_votes.c: votes that say more than their card */
size_t result_remarks(const struct result *r);
void result_draw_vote(const struct tui *t, const struct result *r, struct grid *g, int y,
		      size_t nth);

/* stories_list.c: the stories from the one on that keeps `focus` in sight; SIZE_MAX: the one voted on */
void stories_list_draw(const struct tui *t, const struct replica *room, struct grid *g, int y,
		       int height, size_t focus);
size_t stories_list_count(const struct replica *room, enum story_status status);
/* Index of the focused story, or 0. */
size_t stories_list_focus(struct tui *t, const struct replica *room);

/* history_list.c: the rounds that were fetched, from the one on that keeps `focus` in sight; SIZE_MAX: the newest */
void history_list_draw(const struct tui *t, struct grid *g, int y, int height, size_t focus);
size_t history_count(const struct tui *t);

/* history_keep.c: a page from the cursor on, NULL: the newest; nothing while another is on its way. */
struct act history_ask(struct tui *t, const struct replica *room, const char *cursor, int64_t limit);

/* side_panel.c: stories and history beside the table, in `height` rows; returns how wide the table is. */
int side_draw(struct tui *t, const struct replica *room, struct grid *g, int top, int height);

/* policy_view.c: the rules there are */
struct rule {
	const char *field; /* of policy_change */
	const char *label;
	const char *words[3]; /* what it may be, by its value; the last may be NULL */
};
#define RULE_COUNT(...) +1
enum { RULES_N = 1 POLICY_FLAGS(RULE_COUNT, _) }; /* who_edits_data, and the flags */
#undef RULE_COUNT
extern const struct rule rules[RULES_N];
/* Which of its words holds; and how many there are. */
size_t rule_value(const struct replica *room, const struct rule *rule);
size_t rule_words(const struct rule *rule);

/* home_actions.c: what is done at home */
/* Which view one comes back to: home, or the table. */
enum view_kind home_base(const struct tui *t);
/* Whether it helps now, for the footer. */
bool home_hints(const struct tui *t, enum action a);
/* Say why it cannot be done with the list, or the name, as they are; false where it can. */
bool home_refuses(struct tui *t, enum action a, const char *arg);
/* The focused room; NULL where there is none. */
const struct recent_room *home_focus(const struct tui *t);
/* Make a room with that deck, or of those cards, and the title that was typed. */
struct act home_create(struct tui *t, const char *deck);
/* home_view.c: in how many ms an age on the list reads differently; -1: never. */
int64_t home_changes_in_ms(const struct tui *t);
/* action_prompt.c: stories, a pasted line each; after a question where nobody was about to add any */
struct act act_add_lines(struct tui *t, const struct replica *room, struct slice text);
struct act act_open_line(struct tui *t, const struct replica *room, enum action a);

#endif
