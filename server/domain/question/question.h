/*
 * question.h - questions that programs and users ask, and that people answer in their own time.
 *
 *   QUESTION:{question_id} QUESTION                     the question
 *                          RESPONSE:{fingerprint_hash}  a person's answer
 *                          SKIP:{fingerprint_hash}      a person who does not want to answer
 *                          NOTIFIED:{fingerprint_hash}  a person who was sent a notice, at its created_on
 *   ASKER:{user_id}        ASKER                        how many questions the user has open
 *   STATS:{fingerprint_hash} STATS                      what a person has answered and earned
 *   BOARD:{period}         BOARD                        how many people have how many points, as it is shown
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
 * question_read.c get, watch; question_list.c the lists; question_owner.c what the server's owner does; question_stats.c stats;
 * board.c boards; points.c what an answer earns; question_notify.c who is sent a notice of
 * it; question_expiry.c what time does. The methods' handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_QUESTION_QUESTION_H
#define SERVER_DOMAIN_QUESTION_QUESTION_H

#include "server/domain/directory.h"
#include "server/domain/txn.h"

/* Has a round of notices sent, ends or removes a question, where that is due. @params struct store_item: the QUESTION that was found. */
txn_handler question_expire;

/* Send the round of notices that is due. @params struct txn_next: the question's id. Those of all questions are to wait in one line. */
txn_handler question_notify;
#define QUESTION_NOTIFY_LINE SLICE("question notifications")
/* A round that is due is begun at once; where it was not made, the sweeper finds the question this much later. */
#define QUESTION_NOTIFY_RETRY_MS 20000

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

/* Makes a board, where that is due and there is enough for one. @params struct store_item: the BOARD that was found. */
txn_handler board_expire;
/* The board of now, as it is shown; NULL where none was made, and while it is loading. */
const struct board_item *board_shown(struct txn *t, enum board_period period);
/* The rank of the place there that so many points are enough for; 0: none. @board  NULL: there is none. */
int64_t board_rank(const struct board_item *board, int64_t points);

/* The user's open questions are cancelled, and none of theirs names them any more, a portion at once. */
enum user_left questions_end(struct txn *t, struct slice user_id);
/* What the user has earned is gone. */
enum user_left stats_end(struct txn *t, struct slice user_id);

/* The seat that the caller has in a room, if any: SK's rest of its item. */
struct key_text question_seat(const struct txn *t, struct slice room_id);
/* Whether the room's questions are for who has it: a member's, whom no lobby holds. One that was kicked has no name. */
bool question_is_for_seat(const struct seat_item *seat);
/* Whether the caller has such a seat; false while that is loading. */
bool question_has_seat(struct txn *t, struct slice room_id);

/* While it has not ended: when the sweeper has something to do, be it a round of notices. */
int64_t question_due_at(const struct txn *t, const struct question_item *item);

/* How the item stands at t->wall_ms, and whether that is an end. */
enum question_status question_status_of(const struct txn *t, const struct question_item *item);
bool question_has_ended(enum question_status status);

/* Whether the list has words of words_audience alone, each once; false with t->fault. */
bool audience_is_sound(struct txn *t, const struct slices *audience);
/* Whether the two have a word in common. */
bool audience_meets(const struct slices *a, const struct slices *b);

/* The caller and the question in one text, in t->arena: under it is noted when they first read it. */
struct slice question_and_caller(struct txn *t, const struct question *q);

/* Whether the caller may answer; else why not. */
bool question_may_answer(const struct question *q, enum question_bar *bar);

/* The question as anybody sees it who may see it at all. Its texts are the item's. */
struct question_view question_view_of(const struct txn *t, struct slice id, const struct question_item *item);
/* The same with what concerns the caller. */
struct question_view question_view_for(const struct txn *t, const struct question *q);

/* Most bytes that the views of a page may have, and those that one has, its names and lengths counted. */
#define QUESTION_PAGE_BYTES (MAX_FRAME_BYTES - 4096)
size_t question_view_bytes(const struct question_view *view);

/* All answers of a question, in the order of their ids: that of the table is the same for a person's answers to every question. */
struct question_responses {
	const struct response_item **all; /* in t->arena */
	size_t n;
};
/* TXN_MORE, TXN_DONE, or TXN_REFUSED with UNAVAILABLE where one of them is damaged. */
enum txn_step question_responses(struct txn *t, struct slice id, struct question_responses *out);

/* Write the question as it is after a change, which is published. */
void question_write(struct txn *t, struct slice id, struct question_item *now);
/*
 * The same, with the status of an end that came at closed_at: it is over for its
 * subscribers, and counts no more among its asker's. Returned by the handler.
 */
enum txn_step question_end(struct txn *t, struct slice id, struct question_item now, enum question_status status,
			   int64_t closed_at);
/* One of the asker's open questions is none any more. TXN_MORE, or TXN_DONE. */
enum txn_step question_count_end(struct txn *t, struct slice agent_id);

#endif
