/*
 * user_notice.h - sentences for the notifications to a user, not to a room: a waiting question, the
 * end of one of the user's own, a room that waits for votes, and a nudge from a room to which none of the user's
 * connections is subscribed.
 *
 * Pure. Texts of others are not softened: the caller does that before showing them.
 */
#ifndef CLIENT_MODEL_QUESTIONS_USER_NOTICE_H
#define CLIENT_MODEL_QUESTIONS_USER_NOTICE_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/methods.h"
#include "proto/records/records.h"

#define USER_NOTICE_BYTES 512

/* Write who nudged the user, in which room. */
void user_notice_of_nudge(const struct session_nudged *n, char out[USER_NOTICE_BYTES]);
/*
 * Write that a room waits for the user's votes, and how long it still does.
 * @now_ms  the server's time; 0: not known.
 */
void user_notice_of_waiting(const struct session_waiting *n, int64_t now_ms, char out[USER_NOTICE_BYTES]);
/* Write that a question waits, with its prompt, which is cut with the sign `cut` if it is long. */
void user_notice_of_question(const struct question_notice *n, const char *cut, char out[USER_NOTICE_BYTES]);

/* Write that the user's question has ended, how, and with how many answers. */
void user_notice_of_end(const struct question_ended *n, const char *cut, char out[USER_NOTICE_BYTES]);

/*
 * Write any of them, for lines mode; returns false for other notifications.
 * @update  of the notification's record.
 * @where   the command for the question: "aye inbox".
 * @now_ms  the server's time; 0: not known.
 */
bool user_notice_text(enum notice notice, const void *update, const char *where, int64_t now_ms, char out[USER_NOTICE_BYTES]);

#endif
