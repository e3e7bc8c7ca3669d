/*
 * session.h - what the files of sessions share, and what runs without a request.
 *
 * A session is a name for a while, or, with a key, the same user every time. It
 * ends with its time, with session.logout, or when the same user logs in again.
 *
 *   TOKEN:{hash}      the session
 *   USER_NAME:{name}  which session has the name; both end at the same time
 *   USER:{user_id}    the user of a key, for ever
 *   EMAIL:{address}   whose address it is, under the form in which addresses compare
 *
 * login.c session.login; session_assert.c session.assert; session.c resume, whoami, logout; session_name.c what a
 * session is called; user_update.c user.update; session_life.c prolonging and expiry; session_barred.c server.bar; session_watch.c session.watch. The methods' handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_SESSION_SESSION_H
#define SERVER_DOMAIN_SESSION_SESSION_H

#include "server/domain/directory.h"
#include "server/domain/txn.h"

/* ---- started by the core, without an answer ---- */

/* Bring the table up to date with a session in use. @params struct session. One that is gone from the table is over. */
txn_handler session_renew;

/* Remove a session and its name. @params struct session. */
txn_handler session_end_idle;

/* Remove what has expired and no connection uses. @params struct store_item: the TOKEN or USER_NAME that was found. */
txn_handler session_expire;

/* Whether a method that needs that standing may be called in this session (NULL: in none); false with *fault filled. */
bool session_suffices(enum method_who who, const struct session *session, struct fault *fault);

/* ---- shared by the files of sessions ---- */

/* What the table keeps of a token of any form. */
struct key_text session_token_hash(const struct txn *t, struct slice token);

/* The name, clean and folded, into *me; false with *fault filled. */
bool session_name(struct session *me, struct slice user_name, struct fault *fault);

/* Under which name the table has the session, whose item this is: it may have got another name since. */
struct slice session_name_key(const struct session *session, const struct token_item *token);

/*
 * Give the caller's session another name: what its users see, and the item under which the name is held. A handler goes on
 * where this is TXN_DONE, with the clean name in *me; NAME_TAKEN, VALIDATION_ERROR, and UNAUTHENTICATED where the session is
 * over.
 */
enum txn_step session_rename(struct txn *t, struct slice user_name, struct session *me);

/*
 * Begin a session that the table does not have: it is written under its token and under its name, with its user.
 * @before  what had the name until now; NULL: nothing. It ends, also where it is over: were the clock set back, it would
 *          have the name again.
 * @user    whose it is, but for the name; NULL: a guest, who is not written.
 */
void session_begin(struct txn *t, const struct session *me, const struct user_name_item *before,
		   const struct user_item *user);

/* The session that had a name which another gets now is over, and nothing is published to its connections after that. */
void session_replace(struct txn *t, const struct user_name_item *before);

/* The session that the table has under that token hash; false where the item is none. */
bool session_read(struct session *out, struct key_text token_hash, const struct token_item *item);

/* The public name of the session that has that token hash, in t->arena as txn_copy() has it. */
struct slice session_id(struct txn *t, struct slice token_hash);
/* Publish to the user that a session began, has another name, or ended. */
void session_publish_start(struct txn *t, const struct session *session);
void session_publish_name(struct txn *t, const struct session *session);
void session_publish_end(struct txn *t, struct slice user_id, struct slice token_hash);

/* The user's seats, as the index lists them; the codes of their rooms. False when memory is out. */
struct txn_items session_seats(struct txn *t, const struct session *session);
bool session_rooms(struct txn *t, const struct txn_items *seats, struct slices *out);

/* Delete the session and, if it has it still, its name; it is over for all connections. */
enum txn_step session_remove(struct txn *t, const struct session *session);

/* A session of the user ends: that of the request, or any. */
enum user_left sessions_end(struct txn *t, struct slice user_id);

/* One answer to every proof that fails, so that it reveals nothing. */
enum txn_step session_refuse_proof(struct txn *t);
/* Whether the address may offer another proof. */
bool session_may_prove(struct txn *t);

#endif
