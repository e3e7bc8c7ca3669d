/*
 * paste_stories.c - stories from what was pasted: as aye story import reads it, and
 * after a question that names the first of them.
 */
#include "client/tui/tui_state.h"

#include "client/formats/import/import_check.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

struct act act_add_all(struct tui *t)
{
	return (struct act){.local = LOCAL_ADD_STORIES, .stories = &t->pasted.stories};
}

/* "line 3 has no title", of the first that was skipped; with the number of others. */
static void paste_skipped(const struct stories_import *s, char *out, size_t cap)
{
	size_t skipped = stories_import_skipped(s);
	size_t i = 0;
	while (i < s->remarks_n && !s->remarks[i].is_skipped) {
		i++;
	}
	out[0] = '\0';
	if (skipped > 0) {
		size_t n = format_to(out, cap, "%s %zu %s", s->is_document ? "story" : "line",
				     s->remarks[i].line, s->remarks[i].text);
		if (skipped > 1) {
			(void)format_to(out + n, cap - n, ", and %zu more have errors",
					skipped - 1);
		}
	}
}

/* "Add 3 stories", "Add 3 stories, update 1", "Update 1 story". */
static size_t paste_what(const struct stories_import *s, char *out, size_t cap)
{
	size_t added = stories_import_new(s);
	size_t updated = s->stories_n - added;
	size_t n = 0;
	if (added > 0) {
		n = format_to(out, cap, "Add %zu %s", added, added == 1 ? "story" : "stories");
	}
	if (updated > 0 && added > 0) {
		n += format_to(out + n, cap - n, ", update %zu", updated);
	} else if (updated > 0) {
		n = format_to(out, cap, "Update %zu %s", updated,
			      updated == 1 ? "story" : "stories");
	}
	return n;
}

/* "Add 4 stories? PAY-1 Pay by card, PAY-2 Refund, Receipts, ...;" */
static void paste_question(const struct tui *t, char *out, size_t cap)
{
	enum { NAMED = 3, NAME_CELLS = 24 };
	const struct stories_import *s = &t->pasted.stories;
	char skipped[160];
	paste_skipped(s, skipped, sizeof(skipped));
	size_t n = paste_what(s, out, cap);
	if (s->left_n > 0) {
		n += format_to(out + n, cap - n, " (%zu more %s not fit)", s->left_n,
			       s->left_n == 1 ? "does" : "do");
	}
	n += format_to(out + n, cap - n, skipped[0] == '\0' ? "? " : " (without: %s)? ", skipped);
	for (size_t i = 0; i < s->stories_n && i < NAMED; i++) {
		struct story_name name;
		const struct import_story *story = &s->stories[i];
		struct slice text = slice_str(story_name_of(story->key, story->title, &name));
		size_t len = text_fit(text, NAME_CELLS);
		n += format_to(out + n, cap - n, "%s%.*s%s", i == 0 ? "" : ", ", (int)len,
			       text.data, len < text.len ? t->signs->cut : "");
	}
	(void)format_to(out + n, cap - n, s->stories_n > NAMED ? ", ...;" : ";");
}

/* A single plain line is one that somebody may want to change first. */
static bool paste_is_line(const struct stories_import *s, struct slice text)
{
	struct slice line = {0};
	size_t lines = 0;
	for (size_t at = 0; import_next_line(text, &at, &line);) {
		lines += !import_is_blank(line);
	}
	return lines == 1 && s->format == IMPORT_MARKDOWN;
}

struct act act_add_pasted(struct tui *t, const struct replica *room, struct slice text)
{
	bool is_line = t->prompt.kind == PROMPT_LINE;
	arena_reset(&t->pasted.texts);
	stories_import_read(text, IMPORT_GUESS, room->room.valid_sizes, &t->pasted.texts,
			    &t->pasted.stories);
	if (paste_is_line(&t->pasted.stories, text)) {
		if (!is_line) {
			(void)action_run(t, room, ACTION_ADD, NULL);
		}
		if (t->prompt.kind == PROMPT_LINE) {
			line_editor_insert(&t->prompt.line, text);
		}
		return (struct act){0};
	}
	size_t known = stories_import_compare(&t->pasted.stories, room, &t->pasted.texts);
	stories_import_fit(&t->pasted.stories, room);
	const struct asking asking = {.now_ms = t->now_ms};
	if (action_refusal(ACTION_ADD, room, &asking, t->said.reply, sizeof(t->said.reply))) {
		return (struct act){0};
	}
	if (t->pasted.stories.stories_n == 0) {
		char why[160];
		paste_skipped(&t->pasted.stories, why, sizeof(why));
		if (t->pasted.stories.left_n > 0) {
			said_reply(t, "A room has at most %d stories, including removed ones",
				   MAX_STORIES);
		} else if (known > 0) {
			said_reply(t, known == 1 ? "That story is in the list"
						 : "These stories are in the list");
		} else {
			said_reply(t, why[0] == '\0' ? "No story in that" : "No story in that: %s",
				   why);
		}
		return (struct act){0};
	}
	if (is_line && t->pasted.stories.remarks_n == 0) {
		return act_add_all(t);
	}
	char question[TUI_MESSAGE_BYTES_MAX];
	paste_question(t, question, sizeof(question));
	prompt_ask(t, ACTION_ADD, PASTE_STORIES, "%s", question);
	return (struct act){0};
}
