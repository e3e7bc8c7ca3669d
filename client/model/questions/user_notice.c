/*
 * user_notice.c - see user_notice.h.
 */
#include "client/model/questions/user_notice.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "client/model/questions/question_text.h"
#include "proto/base/format.h"
#include "proto/methods.h"
#include "proto/text/text.h"

/* The beginning of a prompt, and of a story, is enough to know it by. */
enum { NOTICE_PROMPT_BYTES = 80, NOTICE_STORY_CELLS = 40 };

void user_notice_of_nudge(const struct session_nudged *n, char out[USER_NOTICE_BYTES])
{
	const struct slice by = n->by.len > 0 ? n->by : SLICE("Someone");
	const int story = (int)text_fit(n->story, NOTICE_STORY_CELLS);
	(void)format_to(out, USER_NOTICE_BYTES, "%.*s asks you to vote in %.*s%s%.*s%s",
			(int)by.len, by.data, (int)n->room_id.len, n->room_id.data,
			story > 0 ? " (" : "", story, n->story.data, story > 0 ? ")" : "");
}

void user_notice_of_question(const struct question_notice *n, const char *cut,
			     char out[USER_NOTICE_BYTES])
{
	char prompt[NOTICE_PROMPT_BYTES];
	char *whole = memory_text_of(n->prompt);
	question_one_line(whole, prompt, sizeof(prompt));
	(void)format_to(out, USER_NOTICE_BYTES, "New question: %s%s", prompt,
			strlen(prompt) + 1 == sizeof(prompt) ? cut : "");
	free(whole);
}

bool user_notice_text(enum notice notice, const void *update, const char *where,
		      char out[USER_NOTICE_BYTES])
{
	if (notice == NOTICE_SESSION_NUDGED) {
		user_notice_of_nudge(update, out);
		return true;
	}
	if (notice == NOTICE_QUESTION_NOTICE) {
		user_notice_of_question(update, "...", out);
		size_t len = strlen(out);
		(void)format_to(out + len, USER_NOTICE_BYTES - len, " (%s)", where);
		return true;
	}
	return false;
}
