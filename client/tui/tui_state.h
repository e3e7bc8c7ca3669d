/*
 * tui_state.h - the state of the screen between keys; only for client/tui.
 *
 * A view fills the screen above the two lowest rows. Those are the prompt: a
 * line being typed, a confirmation, or a message above the footer. Keys go to the
 * prompt first, then to the view.
 */
#ifndef CLIENT_TUI_TUI_STATE_H
#define CLIENT_TUI_TUI_STATE_H

#include "client/tui/actions/action_table.h"
#include "client/tui/curses/notification.h"
#include "client/tui/said.h"
#include "client/tui/views/views.h"
#include "client/tui/widgets/line_editor.h"
#include "client/tui/writing.h"
#include "proto/records/policy.h"

enum {
	TUI_TEXT_BYTES_MAX = EDIT_BYTES_MAX,
	TUI_ID_BYTES_MAX = 65,
	TUI_SILENT_MS = 2000, /* after this time a missing answer is reported */
	NEWS_AWAY_MAX = 16,
	TUI_WIDE = 120	      /* from this width on, stories and history are next to the table */
};

/* The state of notifications for a user who may be looking elsewhere; notification_rules.c. */
struct calls {
	enum focus focus;
	bool has_been_away;
	bool has_seen_room; /* the first state of the room is not news */
	bool was_revealed;
	size_t waiting_n; /* in the lobby */
	int64_t round;
	bool has_called; /* for the own vote, in this round */
	int64_t waited_since_ms; /* since when all others wait for it; 0: they do not */
	char text[NOTICE_TEXT_BYTES_MAX + 1]; /* a notification not delivered yet; "": none */
	struct notification_pace pace;
	int64_t wait_ms; /* how long it has to wait, at the last attempt */
	char told[NOTICE_TEXT_BYTES_MAX + 1]; /* the last one delivered */
};

/* The room when it was last compared, to report what others did; news.c. */
struct news {
	bool has_seen;
	int64_t epoch;
	int64_t version;
	int64_t round;
	char story_id[TUI_ID_BYTES_MAX];
	bool is_countdown;
	bool is_revealed;
	bool is_host;
	int64_t story_revealed_at; /* the last reveal of an open story; server's ms */
	size_t votes;
	/* the only voter without a vote; "": none, several, or hidden */
	char missing[TUI_ID_BYTES_MAX];
	/* the main host; "": none, or without a name */
	char lead[TUI_ID_BYTES_MAX];
	char lead_name[MAX_NAME_BYTES + 1];
	char kept_for[TUI_ID_BYTES_MAX]; /* the host who went, and is host again when back; "": nobody */
	bool is_host_again;		 /* the own seat is host by coming back */
	size_t hosts;		       /* connected hosts */
	char host[MAX_NAME_BYTES + 1]; /* the only host; "": the own seat, or one without a name */
	/* who caused the last change, according to the server; "": not known */
	char doer[MAX_NAME_BYTES + 1];
	struct policy policy;
	char title[MAX_TITLE_BYTES + 1];
	uint64_t deck; /* a hash of its cards */
	enum method mine; /* of the last own request; METHOD_COUNT: none */
	int64_t mine_ms;
	struct news_away { /* voters who are away and have not voted */
		char user_id[TUI_ID_BYTES_MAX];
		int64_t since_ms; /* 0: they were away at the start */
	} away[NEWS_AWAY_MAX];
	size_t away_n;
};

/* The prompt in the two lowest rows; prompt.c. */
enum prompt_kind { PROMPT_NONE, PROMPT_LINE, PROMPT_CONFIRM };
struct prompt {
	enum prompt_kind kind;
	/* of the request made from the line, until the next key; METHOD_NONE: none */
	enum method sent;
	enum action action; /* what the line is for, or what is to be confirmed */
	/* the story, or the row of a team's list, that it is about; "": none */
	char row_id[TUI_ID_BYTES_MAX];
	struct line_editor line;       /* PROMPT_LINE */
	char question[TUI_MESSAGE_BYTES_MAX]; /* PROMPT_CONFIRM */
	bool is_live; /* the question comes from the action's row, and is updated with the room */
	char arg[TUI_TEXT_BYTES_MAX];	      /* the argument of the action after a yes; "": none */
};

/* How to join the room. */
struct seat {
	bool is_spectator;
	bool joins_by_itself; /* the client joins with a known name */
	/* the name prompt has opened once; it does not open again by itself */
	bool has_asked_name;
	char name_hint[EDIT_BYTES_MAX]; /* the last wanted name, refused or not; "": not known */
};

/* How others join the room. */
struct share {
	struct invite_place place;
	struct machine_address machine[MACHINE_ADDRESSES_MAX]; /* offered for sharing */
	size_t machine_n;
	size_t invited; /* the index of the way shown last, plus 1 */
	char copied[INVITE_LINK_BYTES_MAX + 1];
};

/* Pasted stories that wait for a confirmation. */
struct pasted {
	struct stories_import stories;
	struct arena texts;
};

/* The only state that drawing changes: page sizes and scroll positions, which the keys use. */
struct sight {
	struct tui *tui; /* for functions of the action table, which take no const */
	struct list lists[VIEW_COUNT];
	struct text_editor answer;
	struct text_editor note;
	struct text_editor written;
	int history_rows;   /* that fitted when last drawn */
	int panel_top;	    /* the first line shown of the panel of panel_round */
	int panel_rows;	    /* its lines that fitted */
	int64_t panel_round;
};

struct tui {
	struct sight *sight;
	struct settings settings;
	bool ascii; /* the meaning of signs = auto */
	const struct signs *signs;
	bool is_typed; /* lines mode: there is no screen and there are no keys (line_commands.h) */
	int64_t now_ms; /* the server's time; 0: not known yet */
	enum link_state link;
	int64_t waits_since_ms; /* since when an answer is missing; 0: none is */
	bool is_slow; /* the last frame is not written to the terminal yet */
	struct calls calls;
	struct news news;

	enum view_kind view;
	enum view_kind under[VIEW_COUNT]; /* the view from which each was last opened */
	struct list *lists; /* by view; in `sight`, like the texts being written */
	struct prompt prompt;
	struct spot clicked; /* the last click, with no key since: a second click confirms */
	struct request *request; /* made by the last key; NULL: none */
	struct said said;

	/* The state of the views. */
	struct seat seat;
	struct share share;
	struct room_state table;
	struct history_state history;
	struct pick_state pick;
	struct writing writing;
	struct pasted pasted;
	const struct home *home; /* NULL: the screen of a room */
	struct home_state at_home;
	struct asking_state asking;
	struct text_editor *answer; /* to the open question, while it is being written */
	struct teams *teams; /* NULL: teams are not shown */
	struct inbox *inbox; /* NULL: questions are not shown */
	struct team_state team;
	struct backlog_state backlog;
};

/* ---- tui.c ---- */

/* Open a view in its initial state. */
void tui_open(struct tui *t, enum view_kind view);
/* Go back to the view from which this one was opened. */
void tui_go_back(struct tui *t);
/* Whether the user is logged in. */
bool tui_is_signed_in(const struct tui *t);
/* Whether one of these views is open. @views  bits of enum where. */
bool tui_is_in(const struct tui *t, uint64_t views);
/* The list of a view that has one; valid until the next update. */
struct listing tui_listing(const struct tui *t, const struct replica *room, enum view_kind view);
/*
 * Draw the head of the open view, and return the first row below it; draw its list, or why there is
 * none.
 */
int tui_draw_head(const struct tui *t, const struct replica *room, struct grid *g);
void tui_draw_list(const struct tui *t, const struct replica *room, struct grid *g, int y, int height);
/* Take a key of the open view. */
struct act tui_view_key(struct tui *t, const struct replica *room, int32_t key);
/* Call it after the settings have changed. */
void tui_apply_settings(struct tui *t);
/* Drop the last request, which may have held a secret, and the reply. */
void tui_forget_act(struct tui *t);
/*
 * Start a request for an action, in place of the last one; the caller fills it in. Owned by the
 * tui.
 */
struct request *tui_request(struct tui *t, enum action a, enum method method);
/* Finish that request: return it as an act, or reply why it is invalid. */
struct act tui_send(struct tui *t, enum action a);
/* Remember the wanted name, accepted or not. */
void tui_hint_name(struct tui *t, const char *name);
/*
 * Take a key as all views do: run the action of the table, move in the list, or reply that the key
 * does nothing.
 */
struct act tui_act_on_key(struct tui *t, const struct replica *room, int32_t key);

/* ---- action_run.c ---- */

/* Run an action, or prompt for what is missing first. @arg  NULL: none was given. */
struct act action_run(struct tui *t, const struct replica *room, enum action a, const char *arg);
/* The same without a confirmation; for the answer yes. */
struct act action_run_surely(struct tui *t, const struct replica *room, enum action a, const char *arg);
/* Whether it is allowed now, and nothing else refuses it; with an argument, it may still be refused. */
bool action_is_possible(const struct tui *t, enum action a, const struct replica *room);
/* Make the request defined by the row's fields. */
struct act action_request(struct tui *t, const struct replica *room, enum action a, const char *arg);

/* ---- prompt.c: the two lowest rows ---- */

void prompt_open_line(struct tui *t, enum action a, const char *text);
/* Ask for a confirmation; a yes runs the action with arg (NULL: none). */
void prompt_ask(struct tui *t, enum action a, const char *arg, const char *question, ...)
	__attribute__((format(printf, 4, 5)));
/* Take the answer yes. */
struct act prompt_take_yes(struct tui *t, const struct replica *room);
/* The label of the line: "Your name: ". */
const char *prompt_label(enum action a);
/* The line that the digit stands for in the open prompt; NULL: none. */
const char *prompt_pick(const struct tui *t, const struct replica *room, int32_t digit);
/* Whether the text of the open line must not be shown. */
bool prompt_is_secret(const struct tui *t);
/* Run the action of the open line; a refused line stays open, to be corrected. */
struct act prompt_take_line(struct tui *t, const struct replica *room, const char *line);
/* Run a typed command, "kick Grace". The line is modified. */
struct act prompt_take_command(struct tui *t, const struct replica *room, char *line);
struct act prompt_take_key(struct tui *t, const struct replica *room, int32_t key);
/* Call it after the room has changed: updates the question. */
void prompt_follow(struct tui *t, const struct replica *room);
/* @footer  fixed hints; NULL: those of the actions allowed now. */
void prompt_draw(const struct tui *t, const struct replica *room, struct grid *g, const char *footer);
int prompt_rows(const struct grid *g);
/* -1: never by time alone */
int64_t prompt_changes_in_ms(const struct tui *t, const struct replica *room);

/* ---- complete.c: completions at the cursor of the line being typed ---- */

enum { COMPLETIONS_MAX = 48 };
struct completions {
	size_t start; /* byte offset of the word to complete */
	size_t n;
	/* pointing into tables, the replica and the lists of rooms and teams */
	struct slice word[COMPLETIONS_MAX];
};
/* Offer the word if it begins as typed, in whichever case. */
void complete_offer_caseless(struct completions *c, struct slice typed, struct slice word);
void complete_line(const struct tui *t, const struct replica *room, struct completions *out);
/* Insert the longest common prefix of the completions, and a blank after a single one. */
void complete_apply(struct tui *t, const struct replica *room);

/* ---- activity.c ---- */

/* Whether another member moves through their cards and has not voted yet. */
bool doing_is_choosing(const struct replica *room, const struct user_view *m);
/*
 * Write who else is at the story: "Ada", "Ada types", "Ada +2"; "": nobody. A name takes at most
 * `cells`; if few, only names.
 */
void doing_at_story(const struct tui *t, const struct replica *room, const char *story_id,
		    int cells, char *out, size_t cap);

/* ---- hand_widget.c: cards to choose from, a room's deck or the options of a question ---- */

struct hand {
	const struct slices *cards; /* at least one; NUL-terminated texts */
	size_t focus;		    /* the card with the cursor; cards->n: none */
	size_t own;		    /* the chosen card; cards->n: none */
	char own_state;		    /* 'm': confirmed, 'p': pending */
	const char *title;	    /* of the frame */
};
/*
 * Draw in a frame of three rows; or without a frame, in one row, or in two with the keys in the
 * second.
 */
void hand_draw_framed(const struct tui *t, const struct hand *hand, struct grid *g, int y);
void hand_draw_bare(const struct tui *t, const struct hand *hand, struct grid *g, int y, int rows);
/* The least width of the cards in one row. */
int hand_cells(const struct tui *t, const struct slices *cards);
/* Whether the own seat votes in this room, and so has a hand. */
bool hand_is_held(const struct replica *room);
int hand_rows(const struct replica *room, const struct grid *g, bool is_roomy);
void hand_draw(const struct tui *t, const struct replica *room, struct grid *g, int y,
	       bool is_roomy);
/* The index of the card in focus, or 0. */
size_t hand_focus(const struct tui *t, const struct replica *room);
void hand_move(struct tui *t, const struct replica *room, int by);
/* Whether the card is the own vote, confirmed or pending. */
bool hand_lies(const struct replica *room, size_t card);
/*
 * The card that a digit chooses, together with the digits typed just before it or alone; -1: none.
 */
int hand_type_digit(struct tui *t, const struct slices *cards, int digit);
/* The digit that alone chooses that card: '0'..'9'; 0: none. */
char hand_key_of_card(const struct slices *cards, size_t card);
/*
 * The card of the hand with this letter, in the other case only if no card matches exactly; -1:
 * none.
 */
int hand_card_of_letter(const struct replica *room, int32_t key);
bool hand_has_letters(const struct replica *room);

/*
 * action_run.c: the card that was typed; in ASCII or lines mode also by its ASCII label; otherwise
 * what was typed.
 */
struct slice act_card_meant(const struct tui *t, const struct replica *room, struct slice typed);

/* ---- seats_widget.c: the voters' cards; counted once per frame ---- */

struct seats {
	size_t n;
	int label_cells; /* of the widest card of the deck, at least 1 */
	int name_cells;	 /* of the widest name with its mark */
	bool has_away;
};
void seats_count(const struct tui *t, const struct replica *room, struct seats *s);
/* The rows needed for cards of normal size; more than `height`: not all fit, even as lines. */
int seats_rows(const struct seats *s, const struct grid *g, int height);
/* Draw in at most `height` rows, as large as fits; returns the rows used. */
int seats_draw(const struct tui *t, const struct replica *room, const struct seats *s, struct grid *g,
	       int y, int height);
/* Write the name with its mark, cut to so many cells. */
void seats_name(const struct tui *t, const struct replica *room, const struct user_view *m, int cells,
		char *out, size_t cap);

/* ---- tally_widget.c ---- */

/* Draw who has voted on how many of the open stories, in at most `height` rows; returns the rows used. */
int tally_draw(const struct tui *t, const struct replica *room, struct grid *g, int y, int height);

/* ---- tui.c ---- */

/*
 * How long the server has not answered, in whole seconds; 0: nothing is overdue, or there is no
 * connection.
 */
int64_t tui_silent_s(const struct tui *t);

/* ---- news.c ---- */

/* Call it after the room may have changed: says in a line what others did. */
void news_follow(struct tui *t, const struct replica *room);
/* Until when the round waits for the vote of a member who is away; 0: it does not, or not known. */
int64_t news_waits_until(const struct tui *t, const struct replica *room, const struct user_view *m);

/* ---- notification_rules.c ---- */

/*
 * Call it after the room or the time may have changed, and again after notice_changes_in_ms(); -1:
 * never.
 */
void notice_follow(struct tui *t, const struct replica *room);
int64_t notice_changes_in_ms(const struct tui *t);
void notice_of_nudge(struct tui *t); /* t->said.nudge says who */
void notice_of_nudge_elsewhere(struct tui *t, const char *text);
void notice_of_question(struct tui *t, const char *text);
void notice_of_timer(struct tui *t);

/* ---- card_flip.c ---- */

/* Call it after the room may have changed. */
void card_flip_follow(struct tui *t, const struct replica *room);
enum card_flip_step card_flip_step(const struct tui *t);
/* Whether the member's card was hidden from this user and is now revealed. */
bool card_flip_is_seen(const struct replica *room, const struct user_view *m);
int64_t card_flip_changes_in_ms(const struct tui *t); /* -1: no animation runs */

/* ---- mouse.c ---- */

/* Let a click there press the key; 0: nothing. */
void mouse_mark_key(struct grid *g, int x, int y, int width, int32_t key);
/* Do so for the keys named in fixed hints drawn there: "Up Down choose  Esc back". */
void mouse_mark_hints(struct grid *g, int x, int y, const char *hints);
struct act mouse_take(struct tui *t, const struct replica *room, const struct grid *g,
		      const struct tui_mouse *m);

/* ---- timing.c ---- */

/* The seconds until `ends_at`, rounded up; 0: it is over. */
int64_t timing_left(int64_t now_ms, int64_t ends_at);
/* The time in ms until timing_left() changes; -1: it is over. */
int64_t timing_second_ends_in(int64_t now_ms, int64_t ends_at);
/* The sooner of two such times; -1 means never. */
int64_t timing_sooner(int64_t a, int64_t b);
/* Write "1:42", "1:00:00" or "2 d 3 h". */
void timing_text(int64_t seconds, char *out, size_t cap);
/* Write "away 12 min" if it is known how long and fits in so many cells, else "away". Returns out, of AWAY_BYTES. */
const char *away_text(const struct tui *t, const struct user_view *m, int cells, char *out);
/* The time in ms until one of those words changes; -1: nobody is away. */
int64_t away_changes_in_ms(const struct tui *t, const struct replica *room);

/* ---- paste_stories.c ---- */

/* Add pasted text as stories; asks for a confirmation unless the user was about to add some. */
struct act act_add_pasted(struct tui *t, const struct replica *room, struct slice text);
/* The argument that stands for pasted stories; no typed line contains a newline. */
#define PASTE_STORIES "\n"
/* Add the stories of the last paste. */
struct act act_add_all(struct tui *t);
struct act act_open_line(struct tui *t, const struct replica *room, enum action a);

#endif
