/*
 * question.h - questions that programs and users ask, and that people answer in their own time.
 *
 *   QUESTION:{question_id} QUESTION                     the question
 *                          RESPONSE:{fingerprint_hash}  a person's answer
 *                          SKIP:{fingerprint_hash}      a person who skipped it
 *                          NOTIFIED:{fingerprint_hash}  a person, notified at its created_on
 *   ASKER:{user_id}        ASKER                        number of the user's open questions
 *   STATS:{fingerprint_hash} STATS                      what a person has answered and earned
 *   BOARD:{period}         BOARD                        how many people have how many points
 *
 *   OPEN --first answer--> PARTIAL --last required answer--> CLOSED
 *     |                       |
 *     +-----------------------+--ends_at--> EXPIRED, --question.cancel--> CANCELLED
 *
 * A person is identified by the fingerprint, a keyed hash of their user_id. The answers of a
 * question are identified and ordered by a hash of fingerprint and question, so that an answer
 * does not disclose who gave it, or which other answers are by the same person.
 *
 * An answer may be changed until the question ends: the later one replaces it, in the same item and
 * with the same response_id. It is counted once, and points are given once.
 *
 * While a question is open, its asker and everyone who has answered it see its answers;
 * afterwards everyone who may see the question does. A question of a room or a team is seen by its
 * asker and by the members, as long as they are that; one to a member by the two.
 *
 * Files:
 *   question.c finding a question, and the caller's relation to it; question_people.c whom it
 *   concerns; question_ask.c ask, cancel and the end of a question; question_answer.c answer and skip; question_read.c get, watch;
 *   question_list.c lists; question_owner.c methods for the server's owner; question_stats.c stats;
 *   board.c boards; points.c what an answer earns; question_notify.c notifications of new
 *   questions; question_expiry.c expiry. The handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_QUESTION_QUESTION_H
#define SERVER_DOMAIN_QUESTION_QUESTION_H

#include "server/domain/directory.h"
#include "server/domain/txn.h"

/*
 * Send a round of notifications, end a question or remove it, whichever is due. params: struct
 * store_item, the QUESTION that was found.
 */
txn_handler question_expire;

/*
 * Send the round of notifications that is due. params: struct txn_next with the question's id.
 * All of them must wait in one line.
 */
txn_handler question_notify;
#define QUESTION_NOTIFY_LINE SLICE("question notifications")
/*
 * A due round starts at once; if it was not done, the sweeper finds the question after this time.
 */
#define QUESTION_NOTIFY_RETRY_MS 20000

/* ---- shared by the files of questions ---- */

/* A question, and the caller's relation to it. */
struct question {
	struct slice id;			   /* in its stored spelling; in t->arena */
	const struct question_item *item;
	enum question_status status; /* the current status, even if the item does not have it yet */
	struct key_text fingerprint;		   /* of the caller */
	const struct response_item *own_response;  /* NULL: the caller has not answered */
	const struct skip_item *skip;		   /* NULL: the caller has not skipped it */
	bool is_mine;
};

/*
 * Find the question with this id, if the caller may see it. A handler continues if this is
 * TXN_DONE, and otherwise returns the result: TXN_MORE, or TXN_REFUSED with QUESTION_NOT_FOUND.
 * The refusal is the same, after the same reads, whether the id has a wrong form, the question
 * does not exist, or it is not visible to the caller.
 */
enum txn_step question_find(struct txn *t, struct slice id, struct question *q);

/*
 * Return the id in its stored spelling, in t->arena; for an id with a wrong form, an id that no
 * question has.
 */
struct slice question_id(struct txn *t, struct slice id);
/* Return the fingerprint that identifies the caller in the table instead of their user_id. */
struct key_text question_fingerprint(const struct txn *t);

/*
 * Make a board, if one is due and there are enough people for it. params: struct store_item, the
 * BOARD that was found.
 */
txn_handler board_expire;
/* Return the current board; NULL if none was made, and while it is loading. */
const struct board_item *board_shown(struct txn *t, enum board_period period);
/* Return the rank on the board that so many points reach; 0: none. @board may be NULL. */
int64_t board_rank(const struct board_item *board, int64_t points);

/*
 * Cancel the open questions of a deleted user and remove the user from all their questions, step
 * by step.
 */
enum user_left questions_end(struct txn *t, struct slice user_id);
/* Delete what the user has earned. */
enum user_left stats_end(struct txn *t, struct slice user_id);

/* ---- whom it concerns: question_people.c ---- */

/*
 * Set whom a new question is for, from the params. TXN_MORE, TXN_DONE, or TXN_REFUSED: the asker
 * is not in that room or team, or the one member is not.
 */
enum txn_step question_address(struct txn *t, const struct question_ask_params *p, struct question_item *item);
/*
 * Return whether the question is for the caller now, who may have asked it; false while that is
 * loading. Of a room it is for those who have a seat with a name and are not in the lobby (a
 * kicked seat has no name), of a team for its members, of one of them for that one.
 */
bool question_is_for_caller(struct txn *t, const struct question_item *q);
/* End the subscription of this transaction when the question is not for the caller any more. */
void question_subscribe_while(struct txn *t, const struct question_item *q);
/* Return whether it is for everyone. */
bool question_is_for_all(const struct question_item *q);
/*
 * List the user_ids of those whom a question is for that is not for everyone, its asker among them
 * if they are in the room or team. TXN_MORE, TXN_DONE, or TXN_REFUSED if memory is out. *out is in
 * t->arena.
 */
enum txn_step question_accounts(struct txn *t, const struct question_item *q, struct slices *out);
bool question_accounts_have(const struct slices *accounts, struct slice user_id);

/*
 * Set *out to the users of the question who, by the table, are connected to other servers that share it: for
 * question_accounts_have(). Nobody where there are none. If more are connected than are looked at,
 * *has_more. t->arena; memory may be out, or something still be loading.
 */
void question_seen_elsewhere(struct txn *t, const struct question_item *q, struct slices *out, bool *has_more);
/*
 * Count the people whom a new question concerns, without its asker; of a question to everyone, at
 * most MAX_QUESTION_RESPONSES. Steps as above.
 */
enum txn_step question_count_people(struct txn *t, const struct question_item *q, int64_t *people);

/* ---- its life ---- */

/*
 * Return when the sweeper has something to do for a question that has not ended, such as a round
 * of notifications.
 */
int64_t question_due_at(const struct txn *t, const struct question_item *item);

/*
 * Return until when an item of a question is kept: a RESPONSE that is given now, a SKIP, a
 * NOTIFIED, the DIRECTORY_ONCE of a request that asks or answers it now (or longer, and a week at
 * most), or the QUESTION itself, which has to be written again then, or ends. Nothing else says it;
 * what moves ends_at writes these items with it, but for the DIRECTORY_ONCE.
 */
int64_t question_kept_until(const struct txn *t, const struct question_item *q, enum item_kind kind);

/* Return the status of a question at t->wall_ms, and whether a status is final. */
enum question_status question_status_of(const struct txn *t, const struct question_item *item);
bool question_has_ended(enum question_status status);

/*
 * Return whether the list has only words of words_audience, each once; if not, false with
 * t->fault.
 */
bool audience_is_sound(struct txn *t, const struct slices *audience);
/* Return whether the two have a word in common. */
bool audience_meets(const struct slices *a, const struct slices *b);

/*
 * Return the key, in t->arena, under which txn_note() records when the caller first read the
 * question.
 */
struct slice question_and_caller(struct txn *t, const struct question *q);

/* Return whether the caller may answer, or change their answer; otherwise *bar is the reason. */
bool question_may_answer(const struct question *q, enum question_bar *bar);

/* Return the question as everyone who may see it sees it. Its texts are the item's. */
struct question_view question_view_of(const struct txn *t, struct slice id, const struct question_item *item);
/* The same, with the fields about the caller. */
struct question_view question_view_for(const struct txn *t, const struct question *q);

/* The bytes of one view, including names and lengths. */
size_t question_view_bytes(const struct question_view *view);

/*
 * All answers of a question, in the order of their ids. The order in the table would disclose the
 * person: it is the same for a person's answers to all questions.
 */
struct question_responses {
	const struct response_item **all; /* in t->arena */
	size_t n;
};
/*
 * Read all answers. TXN_MORE, TXN_DONE, or TXN_REFUSED with UNAVAILABLE if one of them is
 * damaged.
 */
enum txn_step question_responses(struct txn *t, struct slice id, struct question_responses *out);

/* Write a changed question, and publish the change. */
void question_write(struct txn *t, struct slice id, struct question_item *now);
/*
 * The same for a question that ended at closed_at with this status: ends its topic, and subtracts
 * it from the open questions of its asker. The handler returns the result.
 */
enum txn_step question_end(struct txn *t, struct slice id, struct question_item now, enum question_status status,
			   int64_t closed_at);
/* Subtract one from the asker's open questions. TXN_MORE, or TXN_DONE. */
enum txn_step question_count_end(struct txn *t, struct slice agent_id);

/* ---- subscriptions to notifications of new questions: subscription.c ---- */

/*
 *   SUBSCRIPTION:{subscription_id} SUBSCRIPTION  a way to notify a user
 *   SUBSCRIBER:{user_id}           SUBSCRIBER    number of the user's subscriptions
 *
 * The index ByLastNotified lists active subscriptions; question_notify.c selects from it. The
 * subscriptions of a guest are deleted with the guest, some time after the last session has
 * ended.
 */

/* Return when the last notification was decided on; 0: never. */
int64_t subscription_notified_at(const struct subscription_item *item);

/*
 * Count the failures in a row after a run of the command for a subscription. params: struct
 * txn_next with the subscription's id.
 */
txn_handler subscription_commanded;

/* Delete all subscriptions of a deleted user. */
enum user_left subscriptions_end(struct txn *t, struct slice user_id);

/*
 * Delete a subscription whose guest does not exist any more. params: struct store_item, the
 * SUBSCRIPTION that was found.
 */
txn_handler subscription_expire;

#endif
