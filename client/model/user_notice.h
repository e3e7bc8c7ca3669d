/*
 * user_notice.h - what is sent to a user, not to a room, in a sentence: a question that waits,
 * and a nudge from a room that none of the user's connections follows.
 *
 * Pure. The texts of others in it are as they came: whoever shows it softens them.
 */
#ifndef CLIENT_MODEL_USER_NOTICE_H
#define CLIENT_MODEL_USER_NOTICE_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/records.h"

#define USER_NOTICE_BYTES 512

struct msgpack_object;

/* "ada waits for your vote in K7QX3M (Refunds)" */
void user_notice_of_nudge(const struct session_nudged *n, char out[USER_NOTICE_BYTES]);
/* "A question waits: Ship it?"; a longer prompt ends with the sign `cut`. */
void user_notice_of_question(const struct question_notice *n, const char *cut, char out[USER_NOTICE_BYTES]);

/*
 * Either, as it came, for a program of lines; false: it is another, or cannot be read.
 * @where  what leads to the question: "aye inbox"
 */
bool user_notice_read(struct slice name, const struct msgpack_object *params, const char *where,
		      char out[USER_NOTICE_BYTES]);

#endif
