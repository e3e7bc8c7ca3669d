/*
 * plain_voice.c - printing for plain_talk.h.
 */
#include "client/cli/plain_voice.h"

#include <string.h>
#include <unistd.h>

#include "client/cli/report.h"

bool plain_voice_is_in_background(void)
{
	return isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) != getpgrp();
}

void plain_voice_open(struct plain_voice *p)
{
	*p = (struct plain_voice){
		.has_prompt = isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 &&
			      !plain_voice_is_in_background(),
	};
}

/* The terminal itself goes on with its lines; only whether it shows them changes. */
static void plain_voice_hush(struct plain_voice *p, bool is_silent)
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

static void plain_voice_end_prompt(struct plain_voice *p)
{
	if (p->is_prompting) {
		p->is_prompting = false;
		p->is_gone = !report_line("%s", "") || p->is_gone;
	}
}

void plain_voice_close(struct plain_voice *p)
{
	plain_voice_end_prompt(p);
	plain_voice_hush(p, false);
}

void plain_voice_lines(struct plain_voice *p, const struct buf *text)
{
	if (text->len > 0) {
		plain_voice_end_prompt(p);
		p->is_gone = !report_line("%.*s", (int)text->len - 1, text->data) || p->is_gone;
	}
}

void plain_voice_say(struct plain_voice *p, const char *text)
{
	const char *soft = report_soft(slice_str(text));
	size_t len = strlen(soft);
	bool is_small = soft[0] >= 'a' && soft[0] <= 'z';
	bool is_ended = len > 0 && strchr(".!?", soft[len - 1]) != NULL;
	if (len > 0) {
		plain_voice_end_prompt(p);
		p->is_gone = !report_line("%c%s%s", is_small ? soft[0] - 'a' + 'A' : soft[0],
					  soft + 1, is_ended ? "" : ".") ||
			     p->is_gone;
	}
}

void plain_voice_prompt(struct plain_voice *p, const char *words, bool is_secret)
{
	if (p->has_prompt && !p->is_prompting) {
		plain_voice_hush(p, is_secret);
		p->is_gone = !report_part("%s> ", words) || p->is_gone;
		p->is_prompting = true;
	}
}

void plain_voice_heard(struct plain_voice *p)
{
	/* The end of a line that was shown is on the screen already. */
	p->is_prompting = p->is_prompting && p->is_silent;
	plain_voice_end_prompt(p);
	plain_voice_hush(p, false);
}
