/*
 * user_notice.c - see user_notice.h.
 */
#include "client/model/user_notice.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "client/model/question_text.h"
#include "proto/format.h"
#include "proto/methods.h"
#include "proto/text.h"

/* The beginning of a prompt, and of a story, is enough to know it by. */
enum { NOTICE_PROMPT_BYTES = 80, NOTICE_STORY_CELLS = 40 };

void user_notice_of_nudge(const struct session_nudged *n, char out[USER_NOTICE_BYTES])
{
	const struct slice by = n->by.len > 0 ? n->by : SLICE("Somebody");
	const int story = (int)text_fit(n->story, NOTICE_STORY_CELLS);
	(void)format_to(out, USER_NOTICE_BYTES, "%.*s waits for your vote in %.*s%s%.*s%s",
			(int)by.len, by.data, (int)n->room_id.len, n->room_id.data,
			story > 0 ? " (" : "", story, n->story.data, story > 0 ? ")" : "");
}

void user_notice_of_question(const struct question_notice *n, const char *cut,
			     char out[USER_NOTICE_BYTES])
{
	char prompt[NOTICE_PROMPT_BYTES];
	char *whole = memory_text_of(n->prompt);
	question_one_line(whole, prompt, sizeof(prompt));
	(void)format_to(out, USER_NOTICE_BYTES, "A question waits: %s%s", prompt,
			strlen(prompt) + 1 == sizeof(prompt) ? cut : "");
	free(whole);
}

bool user_notice_read(struct slice name, const struct msgpack_object *params, const char *where,
		      char out[USER_NOTICE_BYTES])
{
	enum notice notice = params == NULL ? NOTICE_COUNT : notice_find(name);
	struct arena arena = {0};
	struct session_nudged nudge;
	struct question_notice question;
	struct fault ignored;
	bool is_read = false;
	if (notice == NOTICE_SESSION_NUDGED &&
	    memory_check(record_from_object(&record_session_nudged, params, RECORD_LENIENT, &arena,
					    &nudge, &ignored)) == OK) {
		user_notice_of_nudge(&nudge, out);
		is_read = true;
	}
	if (notice == NOTICE_QUESTION_NOTICE &&
	    memory_check(record_from_object(&record_question_notice, params, RECORD_LENIENT, &arena,
					    &question, &ignored)) == OK) {
		user_notice_of_question(&question, "...", out);
		size_t len = strlen(out);
		(void)format_to(out + len, USER_NOTICE_BYTES - len, " (%s)", where);
		is_read = true;
	}
	arena_finish(&arena);
	return is_read;
}
