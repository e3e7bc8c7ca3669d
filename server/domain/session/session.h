/*
 * session.h - sessions: functions shared by the files of this directory, and transactions without
 * a request.
 *
 * A session gives a user a name for a while; with a key it belongs to the same user every time.
 * It ends when it expires, with session.logout, or when the same user logs in again.
 *
 *   TOKEN:{hash}      the session
 *   USER_NAME:{name}  the session that has the name; both end at the same time
 *   USER:{user_id}    the user of a key, permanent
 *   EMAIL:{address}   the user of an address, under the form in which addresses are compared
 *
 * login.c session.login; session_assert.c session.assert; session.c resume, whoami, logout;
 * session_name.c names of sessions; user_update.c user.update; session_life.c renewal and expiry;
 * session_barred.c server.bar; session_watch.c session.watch; waiting.c session.waiting. The
 * handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_SESSION_SESSION_H
#define SERVER_DOMAIN_SESSION_SESSION_H

#include "server/domain/directory.h"
#include "server/domain/txn.h"

/* ---- transactions started by the core, without an answer ---- */

/*
 * Update the table for a session in use; a session that the table does not have any more is
 * ended. params: struct session.
 */
txn_handler session_renew;

/* Delete a session and its name. params: struct session. */
txn_handler session_end_idle;

/*
 * Delete an expired item that no connection uses. params: struct store_item, the TOKEN or
 * USER_NAME that was found.
 */
txn_handler session_expire;

/*
 * Return whether a method with this `who` may be called in this session (NULL: none); if not,
 * false with *fault filled in.
 */
bool session_suffices(enum method_who who, const struct session *session, struct fault *fault);

/* ---- shared by the files of sessions ---- */

/* Return the keyed hash of a token of any form, as stored in the table. */
struct key_text session_token_hash(const struct txn *t, struct slice token);

/* Set the name in *me, cleaned and folded; returns false with *fault filled in. */
bool session_name(struct session *me, struct slice user_name, struct fault *fault);

/*
 * Return the name under which the table has the session of this item: it may have been renamed
 * since.
 */
struct slice session_name_key(const struct session *session, const struct token_item *token);

/*
 * Rename the caller's session: what its users see, and the item that holds the name. A handler
 * continues if this is TXN_DONE, with the clean name in *me. TXN_REFUSED: NAME_TAKEN,
 * VALIDATION_ERROR, or UNAUTHENTICATED if the session has ended.
 */
enum txn_step session_rename(struct txn *t, struct slice user_name, struct session *me);

/*
 * Start a new session: write it under its token and its name, with its user.
 *
 * @before  the item that had the name until now; NULL: none. That session ends, even if it has
 *          expired: if the clock were set back, it would have the name again.
 * @user    the user, except for the name; NULL: a guest, for whom no user is written.
 */
void session_begin(struct txn *t, const struct session *me, const struct user_name_item *before,
		   const struct user_item *user);

/*
 * End the session that had a name which another one gets now; nothing is published to its
 * connections after that.
 */
void session_replace(struct txn *t, const struct user_name_item *before);

/* Read the session stored under this token hash; returns false if the item is not one. */
bool session_read(struct session *out, struct key_text token_hash, const struct token_item *item);
/*
 * The same from the table. Also returns false while the item is loading, and if there is none: the
 * hash may be from an index that is behind.
 */
bool session_found(struct txn *t, struct slice token_hash, struct session *out);

/* Return the public id of the session with this token hash, in t->arena as by txn_copy(). */
struct slice session_id(struct txn *t, struct slice token_hash);
/* Publish to the user's subscribers that a session started, was renamed, or ended. */
void session_publish_start(struct txn *t, const struct session *session);
void session_publish_name(struct txn *t, const struct session *session);
void session_publish_end(struct txn *t, struct slice user_id, struct slice token_hash);

/*
 * Read the user's seats from the index, and list the codes of their rooms. Returns false if
 * memory is out.
 */
struct txn_items session_seats(struct txn *t, const struct session *session);
bool session_rooms(struct txn *t, const struct txn_items *seats, struct slices *out);

/* What the table has of a session. */
struct session_seen {
	bool exists;
	int64_t expires_at;
};
/* Read that. params: struct session; result: struct session_seen. */
txn_handler session_look_up;

/* Delete the session and, if it still has one, its name; ends it for all connections. */
enum txn_step session_remove(struct txn *t, const struct session *session);

/* ---- rooms that wait for a user's votes: waiting.c ---- */

/* Notify a user of a room, if it is time. params: struct txn_next, key "{room_id}#{user_id}". */
txn_handler waiting_tell;
/* The same for everyone in the room's group who is there. Key "{room_id}#{group_id}". */
txn_handler waiting_tell_group;
/* The same for all rooms of a user who is there again. Key "{user_id}". */
txn_handler waiting_look;
/* The same for the rooms of groups that the user is in. Key "{user_id}#{group_id}", "#{group_id}" ... */
txn_handler waiting_look_at_groups;
/* The sweeper found a WAITING item: it is time for the deadline, or the room has ended. */
txn_handler waiting_expire;
/* Delete the WAITING items of a deleted user. */
enum user_left waiting_end(struct txn *t, struct slice user_id);

/* End sessions of a deleted user. */
enum user_left sessions_end(struct txn *t, struct slice user_id);

/* Refuse a failed proof, always with the same answer, so that it discloses nothing. */
enum txn_step session_refuse_proof(struct txn *t);
/* Return whether the address may offer another proof. */
bool session_may_prove(struct txn *t);

#endif
