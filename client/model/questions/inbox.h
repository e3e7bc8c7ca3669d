/*
 * inbox.h - the questions that wait for a person's answer, and those the person has asked.
 *
 * The lists are feeds (feed.h). The answer to a question is a draft until the server has taken
 * it, and outlives whatever shows it.
 *
 * Pure. Memory that is out ends the program (memory.h).
 *
 * Life: inbox_init() .. inbox_finish().
 */
#ifndef CLIENT_MODEL_QUESTIONS_INBOX_H
#define CLIENT_MODEL_QUESTIONS_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/feed.h"
#include "proto/records/records.h"

enum { INBOX_ROWS_MAX = MAX_QUESTION_PAGE, INBOX_PAGES_MAX = 4 };

enum inbox_which { INBOX_WAITING, INBOX_MINE, INBOX_LISTS };

struct inbox {
	struct feed lists[INBOX_LISTS]; /* struct question_view, the newest first */
	struct question_view *question; /* the one that is open, with the responses read; NULL: none */
	enum feed_read read;  /* of that */
	char *cursor;	      /* of its next responses; NULL: the first */
	size_t at;	      /* its place among those that wait, for the one after it */
	struct rows drafts;   /* struct question_answer_params, of any questions */
	char *sending;	      /* question_id of the draft that is on its way and stays as it is; NULL: none */
	struct question_answer_result *result; /* of the answer given last; NULL: none */
};

void inbox_init(struct inbox *in);
void inbox_finish(struct inbox *in);

/* ---- the lists ---- */

/* Answers to what was asked do not come any more: it is wanted again. An answer of ours is its sender's to repeat. */
void inbox_lost(struct inbox *in);
/* How many wait, as far as is known. */
size_t inbox_waiting(const struct inbox *in);

/* ---- the question that is open ---- */

/* Open this one, of a list; its draft is there where it was open before. */
void inbox_open(struct inbox *in, const struct question_view *q);
void inbox_close(struct inbox *in);
/* What question.get said, asked for with its cursor; nothing where another question is open by now. */
void inbox_take_question(struct inbox *in, const struct question_get_result *r);
/* Whether it takes an answer now. */
bool inbox_is_answerable(const struct inbox *in);
/* Which waits behind the open one, or behind where it was; NULL: none. Valid until the list changes. */
const struct question_view *inbox_next(const struct inbox *in);

/* ---- the answer ---- */

/* That of the open question as it stands, with its question_id at least; its strings are borrowed. */
struct question_answer_params inbox_draft(const struct inbox *in);
/* It is this from now on. */
void inbox_keep(struct inbox *in, const struct question_answer_params *draft);
/* The draft of this question is on its way; NULL: none is any more. */
void inbox_send(struct inbox *in, const char *question_id);
/* That of the open question is. */
bool inbox_is_sending(const struct inbox *in);
/*
 * Of a question by its id, which is no text of a list or of a draft, as those go: the open
 * question's own will do.
 */
/* The server has taken the answer to it. */
void inbox_take_answer(struct inbox *in, struct slice question_id, const struct question_answer_result *r);
/* It was skipped, or is gone. */
void inbox_drop(struct inbox *in, struct slice question_id);
/* That question takes no answer any more; what was written stays to be read. */
void inbox_bar(struct inbox *in, struct slice question_id);

#endif
