/*
 * line_commands.h - the actions of a room in lines mode: a typed line in, sentences and
 * requests out.
 *
 * Uses the same table and functions as the screen (action_table.h, action_run.c), so
 * commands have the same names, effects and refusals. What the screen would show is
 * printed (status_text.h); what it would prompt for is asked, and the next line is the
 * answer. Pure, like tui.h.
 *
 * Life:    line_commands_create() .. line_commands_destroy().
 */
#ifndef CLIENT_TUI_LINE_COMMANDS_H
#define CLIENT_TUI_LINE_COMMANDS_H

#include "client/tui/tui.h"
#include "proto/base/buf.h"
#include "proto/base/slice.h"

struct line_commands;

/* A longer line is refused. */
#define LINE_COMMANDS_BYTES_MAX 1023

/* @settings  copied; NULL: the defaults. */
struct line_commands *line_commands_create(const struct settings *settings, bool is_spectator, const struct invite_place *place);
/* Set where the room's server is; copied. */
void line_commands_set_place(struct line_commands *t, const struct invite_place *place);
/* NULL is allowed. */
void line_commands_destroy(struct line_commands *t);

/* The settings as chosen now; look again after each line. Valid as long as t. */
const struct settings *line_commands_settings(const struct line_commands *t);

/* Set the server's time; call it before lines are taken; 0: not known. */
void line_commands_set_now(struct line_commands *t, int64_t server_ms);

/*
 * Take one line of untrusted bytes, without its newline. Returns the act, valid until the
 * next line; a refusal or an answer is appended to out as lines. A failure is in the
 * buffer's error.
 */
struct act line_commands_take_line(struct line_commands *t, const struct replica *room, struct slice line, struct buf *out);

/*
 * Take a page of the history: append what was asked for, the history or the summary. The act asks
 * for what the summary still lacks.
 */
struct act line_commands_take_rounds(struct line_commands *t, const struct replica *room, const struct round_history *rounds, struct buf *out);
/* Call it after the room has changed: the act asks for the summary at the last story. */
struct act line_commands_follow(struct line_commands *t, const struct replica *room);

/*
 * The name was refused, as was reported: the next line is a new name. Says so, unless something
 * else is being asked.
 */
void line_commands_refuse_name(struct line_commands *t, const struct replica *room, struct buf *out);

/* Whether the next line is a secret, not to be shown while it is typed. */
bool line_commands_wants_secret(const struct line_commands *t);

/* Append the prompt, without a newline: the open question, or the user's state. */
void line_commands_prompt(const struct line_commands *t, const struct replica *room, struct buf *out);

#endif
