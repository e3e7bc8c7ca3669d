/*
 * inbox.h - the questions that wait for the user's answer, and those the user has asked.
 *
 * The lists are feeds (feed.h). An answer is a draft until the server has accepted it, and is
 * kept when its question is closed.
 *
 * Pure. Running out of memory ends the program (memory.h).
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
	/* the open one, with the responses read so far; NULL: none */
	struct question_view *question;
	enum feed_read read;  /* of the open question */
	char *cursor;	      /* of its next responses; NULL: the first */
	size_t at;	      /* its index among the waiting ones, to find the next */
	struct rows drafts;   /* struct question_answer_params, of any questions */
	/* question_id of the pending draft, which must not change; NULL: none */
	char *sending;
	/* the one that was answered last; its draft is kept, to change the answer by; NULL: none */
	struct question_view *answered;
};

void inbox_init(struct inbox *in);
void inbox_finish(struct inbox *in);

/* ---- the lists ---- */

/*
 * The connection was lost: pending reads are wanted again. Repeating a pending answer is its
 * sender's business.
 */
void inbox_lost(struct inbox *in);
/* The number of waiting questions, as far as known. */
size_t inbox_waiting(const struct inbox *in);

/* ---- the question that is open ---- */

/* Open a question of a list, with its draft if there is one. */
void inbox_open(struct inbox *in, const struct question_view *q);
void inbox_close(struct inbox *in);
/*
 * Take the result of question.get with the open question's cursor; ignored if another question is
 * open by now.
 */
void inbox_take_question(struct inbox *in, const struct question_get_result *r);
/* Whether the open question can be answered now. */
bool inbox_is_answerable(const struct inbox *in);
/*
 * The waiting question after the open one, or after its last index; NULL: none. Valid until the
 * list changes.
 */
const struct question_view *inbox_next(const struct inbox *in);

/* ---- the answer ---- */

/* The draft of the open question, which has at least its question_id; its strings are borrowed. */
struct question_answer_params inbox_draft(const struct inbox *in);
/* Replace the draft of that question. */
void inbox_keep(struct inbox *in, const struct question_answer_params *draft);
/* The draft of this question is pending; NULL: none is now. */
void inbox_send(struct inbox *in, const char *question_id);
/* Whether the draft of the open question is pending. */
bool inbox_is_sending(const struct inbox *in);
/*
 * In these, question_id must not point into a list or a draft, which are freed; the open
 * question's own id is allowed.
 */
/* The server has accepted the answer. If the question is open or listed, it is the answered one. */
void inbox_take_answer(struct inbox *in, struct slice question_id);
/* The question was skipped, or no longer exists. */
void inbox_drop(struct inbox *in, struct slice question_id);
/* The question can no longer be answered; the draft stays readable. */
void inbox_bar(struct inbox *in, struct slice question_id);

#endif
