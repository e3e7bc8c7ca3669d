/*
 * user_notice.h - what is sent to a user, not to a room, in a sentence: a question that waits,
 * and a nudge from a room that none of the user's connections follows.
 *
 * Pure. The texts of others in it are as they came: whoever shows it softens them.
 */
#ifndef CLIENT_MODEL_QUESTIONS_USER_NOTICE_H
#define CLIENT_MODEL_QUESTIONS_USER_NOTICE_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/methods.h"
#include "proto/records/records.h"

#define USER_NOTICE_BYTES 512

/* "ada waits for your vote in K7QX3M (Refunds)" */
void user_notice_of_nudge(const struct session_nudged *n, char out[USER_NOTICE_BYTES]);
/* "A question waits: Ship it?"; a longer prompt ends with the sign `cut`. */
void user_notice_of_question(const struct question_notice *n, const char *cut, char out[USER_NOTICE_BYTES]);

/*
 * Either, for a program of lines; false: it is another.
 * @update  of the notice's record. @where  what leads to the question: "aye inbox"
 */
bool user_notice_text(enum notice notice, const void *update, const char *where, char out[USER_NOTICE_BYTES]);

#endif
