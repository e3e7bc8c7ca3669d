/*
 * question.h - questions that programs and users ask, and that people answer in their own time.
 *
 *   QUESTION:{question_id} QUESTION                     the question
 *                          RESPONSE:{fingerprint_hash}  a person's answer
 *                          SKIP:{fingerprint_hash}      a person who does not want to answer
 *   ASKER:{user_id}        ASKER                        how many questions the user has open
 *
 *   OPEN --first answer--> PARTIAL --the last that is needed--> CLOSED
 *     |                       |
 *     +-----------------------+--ends_at--> EXPIRED, --question.cancel--> CANCELLED
 *
 * A person is known here by a keyed hash of their user_id, the fingerprint. The
 * answers of a question are told apart and ordered by a hash of fingerprint and
 * question, so that nothing about an answer says who gave it, or which other
 * answers are of the same person.
 *
 * While a question is open its answers are seen by its asker and by those who have
 * answered it, afterwards by all who may see the question. One of a room is seen
 * by those who have a seat there, and by its asker.
 *
 * question.c finding one, and how the caller stands to it; question_ask.c ask,
 * cancel and the end of a question; question_answer.c answer and skip;
 * question_read.c get, watch; question_list.c the lists; question_expiry.c what
 * time does. The methods' handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_QUESTION_QUESTION_H
#define SERVER_DOMAIN_QUESTION_QUESTION_H

#include "server/domain/txn.h"

/* Removes what is over. @params struct store_item: the QUESTION that was found. */
txn_handler question_expire;

/* ---- shared by the files of questions ---- */

/* A question as it stands to the caller. */
struct question {
	struct slice id;			   /* as it is written; in t->arena */
	const struct question_item *item;
	enum question_status status;		   /* as it is now, whatever the item says yet */
	struct key_text fingerprint;		   /* the caller's */
	const struct response_item *own_response;  /* NULL: the caller has given none */
	const struct skip_item *skip;		   /* NULL: the caller has not skipped it */
	bool is_mine;
};

/*
 * Find the question of that id, as the caller may see it. A handler goes on where
 * this is TXN_DONE, and returns anything else: TXN_MORE, or TXN_REFUSED with
 * QUESTION_NOT_FOUND, the same and after the same reads whether the id has another
 * form, there is no such question, or it is not for this caller.
 */
enum txn_step question_find(struct txn *t, struct slice id, struct question *q);

/* The id as it is written, in t->arena; one that no question has where it has another form. */
struct slice question_id(struct txn *t, struct slice id);
/* What stands for the caller in the table instead of their user_id. */
struct key_text question_fingerprint(const struct txn *t);

/* Rooms in which the caller has a seat; to be asked for before txn_is_loading(). */
struct txn_items question_rooms(struct txn *t);
bool question_has_room(struct txn *t, const struct txn_items *rooms, struct slice room_id);

/* How the item stands at t->wall_ms, and whether that is an end. */
enum question_status question_status_of(const struct txn *t, const struct question_item *item);
bool question_has_ended(enum question_status status);

/* The caller and the question in one text, in t->arena: under it is noted when they first read it. */
struct slice question_and_caller(struct txn *t, const struct question *q);

/* Whether the caller may answer; else why not. */
bool question_may_answer(const struct question *q, enum question_bar *bar);
/* t->fault says why the caller may not answer; returns TXN_REFUSED. */
enum txn_step question_refuse_answer(struct txn *t, const struct question *q);

/* The question as anybody sees it who may see it at all. Its texts are the item's. */
struct question_view question_view_of(const struct txn *t, struct slice id, const struct question_item *item);
/* The same with what concerns the caller. */
struct question_view question_view_for(const struct txn *t, const struct question *q);

/* Most bytes that the views of a page may have, and those that one has, its names and lengths counted. */
#define QUESTION_PAGE_BYTES (MAX_FRAME_BYTES - 4096)
size_t question_view_bytes(const struct question_view *view);

/*
 * Write the question as it is after a change, which is published; one that has
 * ended is over for its subscribers, and counts no more among its asker's.
 *
 * @asker  their item, read in this run; of one that has not ended NULL.
 */
void question_write(struct txn *t, struct slice id, struct question_item *now, const struct asker_item *asker);
/* The same, with the status of an end that came at closed_at. */
void question_end(struct txn *t, struct slice id, struct question_item *now, enum question_status status,
		  int64_t closed_at, const struct asker_item *asker);

/* ---- cursors ---- */

/*
 * A place in a list as clients carry it: what they bring back is taken only where
 * it was made for this list and this user. In t->arena.
 *
 * @list  which list, with all that the request says of it.
 */
struct slice question_cursor(struct txn *t, struct slice list, struct slice place);
/* False with t->fault where it was not made for that. */
bool question_cursor_read(struct txn *t, struct slice list, struct slice cursor, struct slice *place);

#endif
