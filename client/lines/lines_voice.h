/*
 * lines_voice.h - what a room in lines sounds like: sentences on standard
 * output, and a prompt below them where a person types.
 *
 * A sentence never starts on the prompt's line, and nothing that was printed is
 * touched again. What was half typed stays with the terminal.
 */
#ifndef CLIENT_LINES_LINES_VOICE_H
#define CLIENT_LINES_LINES_VOICE_H

#include <stdbool.h>
#include <termios.h>

#include "proto/base/buf.h"

struct lines_voice {
	bool has_prompt;   /* both ends are a terminal of ours */
	bool is_prompting; /* the prompt is the last thing that was printed */
	bool is_silent;    /* the terminal does not show what is typed */
	bool is_gone;      /* nobody hears us any more */
	struct termios before;
};

/* Whether standard input is a terminal whose lines go to somebody else now: we run in its background. */
bool lines_voice_is_in_background(void);

/* Whether there is a prompt is seen here. */
void lines_voice_open(struct lines_voice *p);
/* The terminal as it was, and the prompt's line ended. */
void lines_voice_close(struct lines_voice *p);

/* Whole lines, each with its newline. */
void lines_voice_lines(struct lines_voice *p, const struct buf *text);
/* One sentence, perhaps in somebody else's words: softened, with a capital and a full stop. */
void lines_voice_say(struct lines_voice *p, const char *text);

/* Ask for a line with these words, unless that has been done. @is_secret: it is not to be seen. */
void lines_voice_prompt(struct lines_voice *p, const char *words, bool is_secret);
/* A line has come. */
void lines_voice_heard(struct lines_voice *p);

#endif
