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

void user_notice_of_waiting(const struct session_waiting *n, int64_t now_ms,
			    char out[USER_NOTICE_BYTES])
{
	bool has_title = n->title.len > 0;
	size_t len = format_to(out, USER_NOTICE_BYTES, "%.*s%s%.*s%s is waiting for your votes",
			       has_title ? (int)n->title.len : 0, has_title ? n->title.data : "",
			       has_title ? " (" : "", (int)n->room_id.len, n->room_id.data,
			       has_title ? ")" : "");
	if (n->with_ends_at && now_ms > 0 && n->ends_at > now_ms) {
		char span[24];
		question_span(n->ends_at - now_ms, false, span, sizeof(span));
		(void)format_to(out + len, USER_NOTICE_BYTES - len, ", %s left", span);
	}
}

/* The beginning of a prompt; returns whether that is not all. */
static bool notice_prompt(struct slice prompt, char out[NOTICE_PROMPT_BYTES])
{
	char *whole = memory_text_of(prompt);
	question_one_line(whole, out, NOTICE_PROMPT_BYTES);
	free(whole);
	return strlen(out) + 1 == NOTICE_PROMPT_BYTES;
}

void user_notice_of_question(const struct question_notice *n, const char *cut,
			     char out[USER_NOTICE_BYTES])
{
	char prompt[NOTICE_PROMPT_BYTES];
	bool is_cut = notice_prompt(n->prompt, prompt);
	(void)format_to(out, USER_NOTICE_BYTES, "New question: %s%s", prompt, is_cut ? cut : "");
}

void user_notice_of_end(const struct question_ended *n, const char *cut,
			char out[USER_NOTICE_BYTES])
{
	char prompt[NOTICE_PROMPT_BYTES];
	bool is_cut = notice_prompt(n->prompt, prompt);
	(void)format_to(out, USER_NOTICE_BYTES, "Your question %s, %lld of %lld answered: %s%s",
			n->status == QUESTION_CLOSED ? "has closed" : "has expired",
			(long long)n->current_responses, (long long)n->required_responses, prompt,
			is_cut ? cut : "");
}

bool user_notice_text(enum notice notice, const void *update, const char *where, int64_t now_ms,
		      char out[USER_NOTICE_BYTES])
{
	if (notice == NOTICE_SESSION_WAITING) {
		user_notice_of_waiting(update, now_ms, out);
		return true;
	}
	if (notice == NOTICE_SESSION_NUDGED) {
		user_notice_of_nudge(update, out);
		return true;
	}
	if (notice == NOTICE_QUESTION_ENDED) {
		user_notice_of_end(update, "...", out);
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
