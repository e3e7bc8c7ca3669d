/*
 * question_text.h - what is said of questions and of what an answer has earned, the same on the
 * screen and in lines.
 *
 * Pure; texts of others are softened already (record_own()).
 */
#ifndef CLIENT_MODEL_QUESTIONS_QUESTION_TEXT_H
#define CLIENT_MODEL_QUESTIONS_QUESTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/records/records.h"

/* It has not ended, as far as is known. */
bool question_is_open(const struct question_view *q);
/* Its category; of one's own how it stands: open, closed, expired, cancelled. Static, or the question's. */
const char *question_word(const struct question_view *q, bool is_mine);
/* "54 min", short "54m": in whole minutes, hours or days. */
void question_span(int64_t ms, bool is_short, char *out, size_t cap);
/* How long it is open yet, or ago it ended: "54 min left", short "54m"; "" where the time is not known, which is 0. */
void question_when(const struct question_view *q, int64_t now_ms, bool is_short, char *out, size_t cap);
/* The text in one line, cut at `cap`: newlines and blanks become one blank. */
void question_one_line(const char *text, char *out, size_t cap);

/* What was answered, each response in lines of its own: "yes, sure 4 of 5: it has been tested". */
void question_write_responses(const struct question_view *q, struct buf *out);

#define QUESTION_STATE_BYTES 120
/* "1 of 3 answered, 43 min left", "closed: 3 of 3 answered", "time ran out: nobody answered, 3 were asked for". */
void question_state(const struct question_view *q, int64_t now_ms, char *out, size_t cap);

/* For verbs, in lines that end with "\n"; texts end with NUL, as those of record_own() do. */
/* One of a list: its id, how it stands, its category, the beginning of the prompt. */
void question_write_row(const struct question_view *q, int64_t now_ms, struct buf *out);
/* What was answered, likewise: the question's id, how it stands, the beginnings of the prompt and of the answer; "gone" where nothing is known of it. */
void question_write_answer(const struct answer_view *a, struct buf *out);
/* What was asked, by whom, and how it stands; the options, numbered, where their votes are not to follow. */
void question_write_head(const struct question_view *q, int64_t now_ms, struct buf *out);
/* Votes, and all that people wrote; nothing where nothing is known of it. */
void question_write_answers(const struct question_view *q, struct buf *out);

/* What points are for: "A choice". Static. */
const char *question_reason(enum point_reason reason);

#endif
