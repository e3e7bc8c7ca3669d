/*
 * tui_state.h - what the screen remembers between keys; only for client/tui.
 *
 * A view fills the screen above the two lowest rows. Those are the prompt: a
 * line being typed, a question, or a message over the footer. Keys go to the
 * prompt first, then to the view.
 */
#ifndef CLIENT_TUI_TUI_STATE_H
#define CLIENT_TUI_TUI_STATE_H

#include "client/tui/action_table.h"
#include "client/tui/curses/notification.h"
#include "client/tui/views/views.h"
#include "client/tui/widgets/line_editor.h"
#include "client/tui/writing.h"
#include "proto/records/policy.h"

enum {
	TUI_MESSAGE_BYTES_MAX = 400,
	TUI_TEXT_BYTES_MAX = EDIT_BYTES_MAX,
	TUI_ID_BYTES_MAX = 65,
	TUI_SILENT_MS = 2000, /* from then on it is said that no answer comes */
	TUI_MOMENT_MS = 4000, /* how long a message is shown */
	NEWS_AWAY_MAX = 16,
	TUI_WIDE = 120	      /* from here on stories and history stand beside the table */
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
	struct notification_pace pace;
	int64_t wait_ms; /* until that may be told, when it was tried last */
	char told[NOTICE_TEXT_BYTES_MAX + 1];
};

/* How the room was when it was last looked at, for what others did to it; news.c. */
struct news {
	bool has_seen;
	int64_t epoch;
	int64_t version;
	int64_t round;
	char story_id[TUI_ID_BYTES_MAX];
	bool is_countdown;
	bool is_revealed;
	bool is_host;
	size_t votes;
	char missing[TUI_ID_BYTES_MAX]; /* the only voter without a vote; "": none, several, or nobody may know */
	size_t hosts;		       /* who were here */
	char host[MAX_NAME_BYTES + 1]; /* the only one of them; "": us, or nobody with a name */
	char doer[MAX_NAME_BYTES + 1]; /* whose deed the last change was, as the server says; "": it does not */
	struct policy policy;
	char title[MAX_TITLE_BYTES + 1];
	uint64_t deck; /* a key of its cards */
	enum method mine; /* what we asked for last; METHOD_COUNT: nothing */
	int64_t mine_ms;
	struct news_away { /* voters who are away and have not voted */
		char user_id[TUI_ID_BYTES_MAX];
		int64_t since_ms; /* 0: they were when we came */
	} away[NEWS_AWAY_MAX];
	size_t away_n;
};

/* What is asked for on the two lowest rows; prompt.c. */
enum prompt_kind { PROMPT_NONE, PROMPT_LINE, PROMPT_CONFIRM };
struct prompt {
	enum prompt_kind kind;
	enum method sent; /* of the request that the line became, until the next key: METHOD_NONE for none */
	enum action action; /* what the line is for, or what waits for a yes */
	char row_id[TUI_ID_BYTES_MAX]; /* the story, or the row of a team's list, that it is about; "": none */
	struct line_editor line;       /* PROMPT_LINE */
	char question[TUI_MESSAGE_BYTES_MAX]; /* PROMPT_CONFIRM */
	bool is_live; /* the question is that of the action's row, and follows the room */
	char arg[TUI_TEXT_BYTES_MAX];	      /* what the action gets after a yes; "": nothing */
};

/* The line above the footer: the first of these that is there, in prompt.c. */
struct said {
	char notice[TUI_MESSAGE_BYTES_MAX]; /* from the client; stays until it says something else */
	char reply[TUI_MESSAGE_BYTES_MAX];  /* to the last key */
	bool is_told; /* the reply tells what was done; else why nothing was, where no act came of it */
	int64_t reply_ends_at; /* 0: with the next key */
	char moment[TUI_MESSAGE_BYTES_MAX];
	int64_t moment_ends_at;
	char nudge[TUI_MESSAGE_BYTES_MAX]; /* until we vote, or the round ends */
	int64_t nudge_round;
	char held[TUI_MESSAGE_BYTES_MAX]; /* acts that wait for the connection; "" none */
};

/* How one sits down. */
struct seat {
	bool is_spectator;
	bool joins_by_itself;
	bool has_asked_name;		/* the name prompt opens by itself once, not after Escape */
	char name_hint[EDIT_BYTES_MAX]; /* how one wanted to be called last, refused or not; "": not known */
};

/* How others come in. */
struct share {
	struct invite_place place;
	size_t invited; /* which of its addresses was shown last, and one more */
	char copied[INVITE_LINE_BYTES_MAX + 1];
};

/* Stories that were pasted and wait for a yes. */
struct pasted {
	struct stories_import stories;
	struct arena texts;
};

/* What drawing finds out for the keys: how far a page goes, where one has scrolled to. All else it leaves as it is. */
struct sight {
	struct tui *tui; /* for what the table of actions asks, which has no const */
	struct list lists[VIEW_COUNT];
	struct text_editor answer;
	struct text_editor note;
	struct text_editor written;
	int history_rows;   /* that the last drawing had a place for */
	int panel_top;	    /* first line shown of the panel of that round */
	int panel_rows;	    /* its lines that fitted */
	int64_t panel_round;
};

struct tui {
	struct sight *sight;
	struct settings settings;
	bool ascii; /* where signs = auto */
	const struct signs *signs;
	bool is_typed; /* there is no screen and no key, only lines: line_commands.h */
	int64_t now_ms; /* the server's time; 0: not told yet */
	enum link_state link;
	int64_t waits_since_ms; /* for an answer; 0: for none */
	bool is_slow; /* the terminal has not taken the last frame yet */
	struct calls calls;
	struct news news;

	enum view_kind view;
	enum view_kind under[VIEW_COUNT]; /* in which each was opened last */
	struct list *lists; /* by the view they are in; in `sight`, as the texts that are written are */
	struct prompt prompt;
	struct spot clicked; /* last, and no key since: once more is a yes */
	struct request *request; /* what the last key asked for; NULL: nothing */
	struct said said;

	/* What the views remember, each its own. */
	struct seat seat;
	struct share share;
	struct room_state table;
	struct history_state history;
	struct pick_state pick;
	struct writing writing;
	struct pasted pasted;
	const struct home *home; /* NULL: this is a room's screen */
	struct home_state at_home;
	struct text_editor *answer; /* to the question that is open, while it is being written */
	struct teams *teams; /* NULL: none are shown */
	struct team_state team;
	struct backlog_state backlog;
};

/* tui.c: for the others */
/* Open a view, as it is at first. */
void tui_open(struct tui *t, enum view_kind view);
/* To the one it was opened from. */
void tui_go_back(struct tui *t);
/* Whether one of these is open; bits of enum where. */
bool tui_is_in(const struct tui *t, unsigned views);
/* The list of a view that has one; valid until the next update. */
struct listing tui_listing(const struct tui *t, const struct replica *room, enum view_kind view);
/* Of the view that is open: its head, returning the first row below it; and its list, or why there is none. */
int tui_draw_head(const struct tui *t, const struct replica *room, struct grid *g);
void tui_draw_list(const struct tui *t, const struct replica *room, struct grid *g, int y, int height);
/* A key for the view that is open. */
struct act tui_view_key(struct tui *t, const struct replica *room, int32_t key);
/* After a change of them. */
void tui_apply_settings(struct tui *t);
/* What the last key asked for, which may have been a secret, and what was said to it. */
void tui_forget_act(struct tui *t);
/* A request for an action, to be filled in, in place of the last one. */
struct request *tui_request(struct tui *t, enum action a, enum method method);
/* The end of it: it is what the key asks for, or the reply says why it cannot be. */
struct act tui_send(struct tui *t, enum action a);
/* Why nothing is done; what was done is told by tui_tell(). */
void tui_reply(struct tui *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How one wants to be called from now on, allowed or not. */
void tui_hint_name(struct tui *t, const char *name);
/* "you", the name, or "someone" for a seat without one. */
const char *tui_name_of(const struct replica *room, const struct user_view *m);
bool tui_is_me(const struct replica *room, const struct user_view *m);
/* As far as we know; of ourselves always. */
bool tui_has_vote(const struct replica *room, const struct user_view *m);
/* Somebody whose card is part of the round: named and let in, no spectator, no bot. */
bool tui_is_voter(const struct user_view *m);
/* A voter who is away, for whom the round does not wait, and of whom no card lies open. */
bool tui_is_absent(const struct replica *room, const struct user_view *m);

/* What a key does in every view: the action of the table, a step in its list, or a word about there being none. */
struct act tui_act_on_key(struct tui *t, const struct replica *room, int32_t key);

/* action_run.c: do it, or ask for what is missing first; arg NULL: none was given. */
struct act action_run(struct tui *t, const struct replica *room, enum action a, const char *arg);
/* The same without asking whether that is meant; for the answer yes. */
struct act action_run_surely(struct tui *t, const struct replica *room, enum action a, const char *arg);
/* The request that the row's fields make. */
struct act action_request(struct tui *t, const struct replica *room, enum action a, const char *arg);

/* prompt.c: the two lowest rows */
void prompt_open_line(struct tui *t, enum action a, const char *text);
/* Ask whether that is meant; a yes does it, with arg (NULL: none). */
void prompt_ask(struct tui *t, enum action a, const char *arg, const char *question, ...)
	__attribute__((format(printf, 4, 5)));
/* The answer yes. */
struct act prompt_take_yes(struct tui *t, const struct replica *room);
/* What is asked for: "Your name: ". */
const char *prompt_label(enum action a);
/* Whether a line is open whose text is not to be shown. */
bool prompt_is_secret(const struct tui *t);
/* What the open line was typed for; what is refused stays open, to be mended. */
struct act prompt_take_line(struct tui *t, const struct replica *room, const char *line);
/* Do what a typed line says, "kick Grace"; the line is changed. */
struct act prompt_take_command(struct tui *t, const struct replica *room, char *line);
struct act prompt_take_key(struct tui *t, const struct replica *room, int32_t key);
/* After the room has changed: a question may be another. */
void prompt_follow(struct tui *t, const struct replica *room);
/* @footer  fixed hints; NULL: those of the actions allowed now. */
void prompt_draw(const struct tui *t, const struct replica *room, struct grid *g, const char *footer);
int prompt_rows(const struct grid *g);
int64_t prompt_changes_in_ms(const struct tui *t, const struct replica *room); /* -1: not by itself */

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

/* hand_widget.c: cards to choose one from, a room's or the options of a question */
struct hand {
	const struct slices *cards; /* at least one; texts end with NUL */
	size_t focus;		    /* which has the cursor; cards->n: none */
	size_t own;		    /* ours; cards->n: none */
	char own_state;		    /* 'm' it lies there, 'p' it is on its way */
	const char *title;	    /* of the frame */
};
/* In a frame of three rows; or without, in one row or in two, the second with keys. */
void hand_draw_framed(const struct tui *t, const struct hand *hand, struct grid *g, int y);
void hand_draw_bare(const struct tui *t, const struct hand *hand, struct grid *g, int y, int rows);
/* How wide they are beside each other, at least. */
int hand_cells(const struct tui *t, const struct slices *cards);
/* We vote here: others have no cards to choose from. */
bool hand_is_held(const struct replica *room);
int hand_rows(const struct tui *t, const struct replica *room, const struct grid *g, bool is_roomy);
void hand_draw(const struct tui *t, const struct replica *room, struct grid *g, int y,
	       bool is_roomy);
/* Index of the card in focus, or 0. */
size_t hand_focus(const struct tui *t, const struct replica *room);
void hand_move(struct tui *t, const struct replica *room, int by);
/* It lies on the table, or is on its way there. */
bool hand_lies(const struct replica *room, size_t card);
/* The card that a digit puts down, or -1: with those typed just before it, or alone. */
int hand_type_digit(struct tui *t, const struct slices *cards, int digit);
/* The digit that alone puts down that card: '0'..'9', or 0. */
char hand_key_of_card(const struct slices *cards, size_t card);
/* The card of our hand that is this letter, or -1: in the other case only where no card is it as typed. */
int hand_card_of_letter(const struct replica *room, int32_t key);
bool hand_has_letters(const struct replica *room);

/* action_run.c: the card that was typed, where signs are ASCII and in lines also by its label in ASCII; else what was typed. */
struct slice act_card_meant(const struct tui *t, const struct replica *room, struct slice typed);

/* seats_widget.c: the voters' cards; who has a place is counted once for a frame */
struct seats {
	size_t n;
	int label_cells; /* widest card of the deck, at least 1 */
	int name_cells;	 /* widest name with its mark, as far as a line has room for it */
	bool has_away;
};
void seats_count(const struct tui *t, const struct replica *room, struct seats *s);
/* That they take without being larger than is needed to look like cards; more than `height`: not all fit, even as lines. */
int seats_rows(const struct seats *s, const struct grid *g, int height);
/* In at most `height` rows, as large as fits; returns how many that took. */
int seats_draw(const struct tui *t, const struct replica *room, const struct seats *s, struct grid *g,
	       int y, int height);

/* For how long the server has not answered, in whole seconds; 0: it does, or there is no connection. */
int64_t tui_silent_s(const struct tui *t);
/* A line for a moment, behind those that are shown. */
void tui_say(struct tui *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool tui_shows_reply(const struct tui *t);

/* news.c: after the room may have changed; what others did is said in a line */
void news_follow(struct tui *t, const struct replica *room);
/* Until when the round waits for the vote of a member who is away; 0: not known, or not. */
int64_t news_waits_until(const struct tui *t, const struct replica *room, const struct user_view *m);

/* notification_rules.c: after the room or the time may have changed; when it is to be asked again, -1: no need */
void notice_follow(struct tui *t, const struct replica *room);
int64_t notice_changes_in_ms(const struct tui *t);
void notice_of_nudge(struct tui *t); /* t->said.nudge says who */
void notice_of_nudge_elsewhere(struct tui *t, const char *text);
void notice_of_question(struct tui *t, const char *text);
void notice_of_timer(struct tui *t);

/* card_flip.c: after the room may have changed */
void card_flip_follow(struct tui *t, const struct replica *room);
enum card_flip_step card_flip_step(const struct tui *t);
/* Their card lay face down for us, and now lies open. */
bool card_flip_is_seen(const struct replica *room, const struct user_view *m);
int64_t card_flip_changes_in_ms(const struct tui *t); /* -1: not by turning */

/* mouse.c */
/* A click there presses the key; none where it is 0. */
void mouse_mark_key(struct grid *g, int x, int y, int width, int32_t key);
/* The keys named in fixed hints that stand there: "Up Down choose  Esc back". */
void mouse_mark_hints(struct grid *g, int x, int y, const char *hints);
struct act mouse_take(struct tui *t, const struct replica *room, const struct grid *g,
		      const struct tui_mouse *m);

/* timing.c */
/* Whole seconds until `ends_at`, the one that runs now counted; 0 where it is over. */
int64_t timing_left(int64_t now_ms, int64_t ends_at);
/* Until the second that is shown is over; -1 where all are. */
int64_t timing_second_ends_in(int64_t now_ms, int64_t ends_at);
/* Of two such times; -1 is never. */
int64_t timing_sooner(int64_t a, int64_t b);
/* "1:42", "1:00:00" */
void timing_text(int64_t seconds, char *out, size_t cap);

/* paste_stories.c: what was pasted, as stories; after a question where nobody was about to add any */
struct act act_add_pasted(struct tui *t, const struct replica *room, struct slice text);
/* What stands for them where a typed line would stand: none holds a newline. */
#define PASTE_STORIES "\n"
/* Those of the last paste. */
struct act act_add_all(struct tui *t);
struct act act_open_line(struct tui *t, const struct replica *room, enum action a);

#endif
