/*
 * line_commands.h - the actions of a room for those without a screen: a typed line in,
 * sentences and requests out.
 *
 * Drives the same table and the same acts as the screen (action_table.h, action_run.c),
 * so a command has one name, one meaning and one reason to be refused. What
 * the screen would show is told (status_text.h); what it would ask is asked, and the
 * next line answers. Pure, as tui.h is.
 *
 * Life:    line_commands_create() .. line_commands_destroy().
 */
#ifndef CLIENT_TUI_LINE_COMMANDS_H
#define CLIENT_TUI_LINE_COMMANDS_H

#include "client/tui/tui.h"
#include "proto/base/buf.h"
#include "proto/base/slice.h"

struct line_commands;

/* A longer line is refused whole. */
#define LINE_COMMANDS_BYTES_MAX 1023

/* @settings  copied; NULL: the defaults. */
struct line_commands *line_commands_create(const struct settings *settings, bool is_spectator, const struct invite_place *place);
/* Where the room's server is, in place of what was known. */
void line_commands_set_place(struct line_commands *t, const struct invite_place *place);
/* NULL is fine. */
void line_commands_destroy(struct line_commands *t);

/* What is chosen now: look again after each line. Valid as long as t. */
const struct settings *line_commands_settings(const struct line_commands *t);

/* The server's time, before lines are taken; 0: not known. */
void line_commands_set_now(struct line_commands *t, int64_t server_ms);

/*
 * Take one line, without its newline, from anybody. Returns what it asks for;
 * what there is to say, a refusal or an answer, is appended to out as lines.
 * What it asks for is valid until the next line. The buffer's sticky error
 * tells of failure.
 */
struct act line_commands_take_line(struct line_commands *t, const struct replica *room, struct slice line, struct buf *out);

/* The name was refused, which has been told: the next line is another one. Says so, unless something else is asked. */
void line_commands_refuse_name(struct line_commands *t, struct buf *out);

/* Whether the next line is a secret, not to be shown while it is typed. */
bool line_commands_wants_secret(const struct line_commands *t);

/* What is waited for, in words and without a newline: the question that is open, or how things stand. */
void line_commands_prompt(const struct line_commands *t, const struct replica *room, struct buf *out);

#endif
