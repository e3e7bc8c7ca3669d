/*
 * plain_voice.h - what a room in lines sounds like: sentences on standard
 * output, and a prompt below them where a person types.
 *
 * A sentence never starts on the prompt's line, and nothing that was printed is
 * touched again. What was half typed stays with the terminal.
 */
#ifndef CLIENT_CLI_PLAIN_VOICE_H
#define CLIENT_CLI_PLAIN_VOICE_H

#include <stdbool.h>
#include <termios.h>

#include "proto/buf.h"

struct plain_voice {
	bool has_prompt;   /* both ends are a terminal of ours */
	bool is_prompting; /* the prompt is the last thing that was printed */
	bool is_silent;    /* the terminal does not show what is typed */
	bool is_gone;      /* nobody hears us any more */
	struct termios before;
};

/* Whether standard input is a terminal whose lines go to somebody else now: we run in its background. */
bool plain_voice_is_in_background(void);

/* Whether there is a prompt is seen here. */
void plain_voice_open(struct plain_voice *p);
/* The terminal as it was, and the prompt's line ended. */
void plain_voice_close(struct plain_voice *p);

/* Whole lines, each with its newline. */
void plain_voice_lines(struct plain_voice *p, const struct buf *text);
/* One sentence, perhaps in somebody else's words: softened, with a capital and a full stop. */
void plain_voice_say(struct plain_voice *p, const char *text);

/* Ask for a line with these words, unless that has been done. @is_secret: it is not to be seen. */
void plain_voice_prompt(struct plain_voice *p, const char *words, bool is_secret);
/* A line has come. */
void plain_voice_heard(struct plain_voice *p);

#endif
