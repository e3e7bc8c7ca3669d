/*
 * lines_voice.c - printing for lines_room.h.
 */
#include "client/lines/lines_voice.h"

#include <string.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "proto/base/ascii.h"

bool lines_voice_is_in_background(void)
{
	return isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) != getpgrp();
}

void lines_voice_open(struct lines_voice *p)
{
	*p = (struct lines_voice){
		.has_prompt = isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 &&
			      !lines_voice_is_in_background(),
	};
}

/* The terminal itself goes on with its lines; only whether it shows them changes. */
static void lines_voice_hush(struct lines_voice *p, bool is_silent)
{
	if (is_silent == p->is_silent || (is_silent && tcgetattr(STDIN_FILENO, &p->before) != 0)) {
		return;
	}
	struct termios now = p->before;
	if (is_silent) {
		now.c_lflag &= ~(tcflag_t)ECHO;
	}
	p->is_silent = tcsetattr(STDIN_FILENO, TCSADRAIN, &now) == 0 && is_silent;
}

static void lines_voice_end_prompt(struct lines_voice *p)
{
	if (p->is_prompting) {
		p->is_prompting = false;
		p->is_gone = !print_line("%s", "") || p->is_gone;
	}
}

void lines_voice_close(struct lines_voice *p)
{
	lines_voice_end_prompt(p);
	lines_voice_hush(p, false);
}

void lines_voice_lines(struct lines_voice *p, const struct buf *text)
{
	if (text->len > 0) {
		lines_voice_end_prompt(p);
		p->is_gone = !print_line("%.*s", (int)text->len - 1, text->data) || p->is_gone;
	}
}

void lines_voice_say(struct lines_voice *p, const char *text)
{
	const char *soft = print_soft(slice_str(text));
	size_t len = strlen(soft);
	bool is_ended = len > 0 && strchr(".!?", soft[len - 1]) != NULL;
	if (len > 0) {
		lines_voice_end_prompt(p);
		p->is_gone = !print_line("%c%s%s", ascii_upper(soft[0]), soft + 1,
					 is_ended ? "" : ".") ||
			     p->is_gone;
	}
}

void lines_voice_prompt(struct lines_voice *p, const char *words, bool is_secret)
{
	if (p->has_prompt && !p->is_prompting) {
		lines_voice_hush(p, is_secret);
		p->is_gone = !print_part("%s> ", words) || p->is_gone;
		p->is_prompting = true;
	}
}

void lines_voice_heard(struct lines_voice *p)
{
	/* The end of a line that was shown is on the screen already. */
	p->is_prompting = p->is_prompting && p->is_silent;
	lines_voice_end_prompt(p);
	lines_voice_hush(p, false);
}
