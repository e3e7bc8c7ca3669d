/*
 * question_text.h - texts about questions and the points for answers, the same on the screen and in
 * lines.
 *
 * Pure. Texts of others must be softened already (record_own()).
 */
#ifndef CLIENT_MODEL_QUESTIONS_QUESTION_TEXT_H
#define CLIENT_MODEL_QUESTIONS_QUESTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/records/records.h"

/* Whether it has not ended, as far as known. */
bool question_is_open(const struct question_view *q);
/*
 * Its category; with is_mine its status: open, closed, expired, cancelled. Static, or the
 * question's.
 */
const char *question_word(const struct question_view *q, bool is_mine);
/*
 * Write how long it is still open, or how long ago it ended: "54 min left", short "54m"; "" if
 * now_ms is 0, not known.
 */
void question_when(const struct question_view *q, int64_t now_ms, bool is_short, char *out, size_t cap);
/* Write "54 min", short "54m", in whole minutes, hours or days. */
void question_span(int64_t ms, bool is_short, char *out, size_t cap);
/* Write the text in one line, cut at `cap`: sequences of newlines and blanks become one blank. */
void question_one_line(const char *text, char *out, size_t cap);

/* Append the responses, each in its own lines: the answer, the confidence and the comment. */
void question_write_responses(const struct question_view *q, struct buf *out);

#define QUESTION_STATE_BYTES 120
/*
 * Write the state: the answers so far and needed, that fewer people than needed are left, and the time
 * left, or how it ended.
 */
void question_state(const struct question_view *q, int64_t now_ms, char *out, size_t cap);

/* Write how many answers a new question needs, and how many people can give one. */
void question_asked(const struct question_ask_result *asked, char out[QUESTION_STATE_BYTES]);

/* For verbs, in lines that end with "\n"; texts must be NUL-terminated, as by record_own(). */
/* An entry of a list: its id, state, category, and the start of the prompt. */
void question_write_row(const struct question_view *q, int64_t now_ms, struct buf *out);
/*
 * An answered question: its id, its status, or "gone" if it is not known, and the starts of the
 * prompt and the answer.
 */
void question_write_answer(const struct answer_view *a, struct buf *out);
/* The prompt, the asker and the state; and the numbered options, unless their votes follow. */
void question_write_head(const struct question_view *q, int64_t now_ms, struct buf *out);
/* The votes and all responses; nothing if they are not known. */
void question_write_answers(const struct question_view *q, struct buf *out);

#define QUESTION_SENT_BYTES 400
/* Write that an answer was sent, or changed; with_points, what it earned: points, days, badges. */
void question_sent(const struct question_answer_result *r, bool with_points, char out[QUESTION_SENT_BYTES]);

#endif
