/*
 * lines_voice.h - the output of lines mode: sentences on standard output, and a
 * prompt below them on a terminal.
 *
 * A sentence never starts on the prompt's line, and printed text is never redrawn. A
 * partly typed line stays in the terminal's buffer.
 */
#ifndef CLIENT_LINES_LINES_VOICE_H
#define CLIENT_LINES_LINES_VOICE_H

#include <stdbool.h>
#include <termios.h>

#include "proto/base/buf.h"

struct lines_voice {
	/* input and output are a terminal, and the process is in its foreground */
	bool has_prompt;
	bool is_prompting; /* the prompt was printed last */
	bool is_silent;    /* the terminal does not echo */
	bool is_gone;      /* standard output is closed */
	struct termios before;
};

/*
 * Whether standard input is a terminal in whose background this process runs, so that it gets no
 * lines.
 */
bool lines_voice_is_in_background(void);

/* Initialise it, and decide whether there is a prompt. */
void lines_voice_open(struct lines_voice *p);
/* Restore the terminal, and end the prompt's line. */
void lines_voice_close(struct lines_voice *p);

/* Print whole lines, each with its newline. */
void lines_voice_lines(struct lines_voice *p, const struct buf *text);
/* Print one sentence: softened, capitalised, and ended by a full stop. */
void lines_voice_say(struct lines_voice *p, const char *text);

/* Print a prompt with these words, unless one is there. @is_secret  turn off the echo. */
void lines_voice_prompt(struct lines_voice *p, const char *words, bool is_secret);
/* A line was read. */
void lines_voice_heard(struct lines_voice *p);

#endif
