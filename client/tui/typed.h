/*
 * typed.h - the actions of a room for those without a screen: a typed line in,
 * sentences and asks out.
 *
 * Drives the same table and the same acts as the screen (actions.h, acts.c),
 * so a command has one name, one meaning and one reason to be refused. What
 * the screen would show is told (tell.h); what it would ask is asked, and the
 * next line answers. Pure, as tui.h is.
 *
 * Life:    typed_create() .. typed_destroy().
 */
#ifndef CLIENT_TUI_TYPED_H
#define CLIENT_TUI_TYPED_H

#include "client/tui/tui.h"
#include "proto/buf.h"
#include "proto/slice.h"

struct typed;

/* A longer line is refused whole. */
#define TYPED_LINE_BYTES_MAX 1023

/* @settings  copied; NULL: the defaults. */
NODISCARD enum err typed_create(const struct settings *settings, bool is_spectator, struct typed **out);
/* NULL is fine. */
void typed_destroy(struct typed *t);

/* What is chosen now: look again after each line. Valid as long as t. */
const struct settings *typed_settings(const struct typed *t);

/* The server's time, before lines are taken; 0: not known. */
void typed_set_now(struct typed *t, int64_t server_ms);

/*
 * Take one line, without its newline, from anybody. Returns what it asks for;
 * what there is to say, a refusal or an answer, is appended to out as lines.
 * The ask's text is valid until the next line. The buffer's sticky error
 * tells of failure.
 */
struct ask typed_take_line(struct typed *t, const struct replica *room, struct slice line, struct buf *out);

/* The name was refused, which has been told: the next line is another one. Says so, unless something else is asked. */
void typed_refuse_name(struct typed *t, struct buf *out);

/* Whether the next line is a secret, not to be shown while it is typed. */
bool typed_wants_secret(const struct typed *t);

/* What is waited for, in words and without a newline: the question that is open, or how things stand. */
void typed_prompt(const struct typed *t, const struct replica *room, struct buf *out);

#endif
