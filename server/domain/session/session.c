/*
 * session.c - session.resume, session.whoami, session.logout.
 */
#include "server/domain/session/session.h"

#include "server/domain/directory.h"

bool session_suffices(enum method_who who, const struct session *session, struct fault *fault)
{
	if (session == NULL && (who == WHO_USER || who == WHO_KEYED)) {
		fault_set(fault, FAULT_UNAUTHENTICATED, "you are not logged in");
		return false;
	}
	if (who == WHO_KEYED && !session->is_keyed) {
		fault_set(fault, FAULT_FORBIDDEN, "guests cannot do that; log in with a key");
		return false;
	}
	return true;
}

struct key_text session_token_hash(const struct txn *t, struct slice token)
{
	return key_hash(t->server_key, "token", token);
}

bool session_may_prove(struct txn *t)
{
	return txn_may_guess(t, LIMIT_LOGIN_MISSES_PER_MINUTE,
			     "too many wrong tokens or signatures; wait and try again");
}

enum txn_step session_refuse_proof(struct txn *t)
{
	return txn_refuse_guess(t, LIMIT_LOGIN_MISSES_PER_MINUTE, FAULT_UNAUTHENTICATED,
				"that token or signature is not valid; log in again");
}

bool session_read(struct session *out, struct key_text token_hash, const struct token_item *item)
{
	*out = (struct session){.token_hash = token_hash,
				.created_on = item->created_on,
				.expires_at = item->expires_at,
				.is_keyed = item->is_keyed,
				.utc_offset_minutes = item->utc_offset_minutes};
	if (item->user_id.len >= sizeof(out->user_id) ||
	    item->user_name.len >= sizeof(out->user_name) ||
	    item->name_key.len >= sizeof(out->name_key)) {
		return false;
	}
	memcpy(out->user_id, item->user_id.data, item->user_id.len);
	memcpy(out->user_name, item->user_name.data, item->user_name.len);
	memcpy(out->name_key, item->name_key.data, item->name_key.len);
	return true;
}

bool session_found(struct txn *t, struct slice token_hash, struct session *out)
{
	const struct token_item *token = txn_get(t, ITEM_TOKEN, token_hash, NO_SK);
	struct key_text hash = {{0}};
	if (token == NULL || token_hash.len != KEY_CHARS) {
		return false;
	}
	memcpy(hash.text, token_hash.data, KEY_CHARS);
	return session_read(out, hash, token);
}

struct txn_items session_seats(struct txn *t, const struct session *session)
{
	enum { SESSION_ROOMS = 256 };
	return txn_query(t, INDEX_BY_ACCOUNT, slice_str(session->user_id),
			 &(struct txn_range){.limit = SESSION_ROOMS});
}

bool session_rooms(struct txn *t, const struct txn_items *seats, struct slices *out)
{
	out->items = arena_alloc(t->arena, (seats->n + 1) * sizeof(*out->items));
	for (size_t i = 0; out->items != NULL && i < seats->n; i++) {
		if (item_kind_of(seats->items[i].pk, seats->items[i].sk) == ITEM_SEAT) {
			out->items[out->n++] = item_pk_rest(&seats->items[i], ITEM_ROOM);
		}
	}
	return out->items != NULL;
}

/* A token of whatever form is hashed and looked up: a wrong form takes the time of a wrong token. */
enum txn_step on_SESSION_RESUME(struct txn *t)
{
	const struct resume_params *p = t->params;
	if (!session_may_prove(t)) {
		return TXN_REFUSED;
	}
	struct key_text hash = session_token_hash(t, p->token);
	const struct token_item *token = txn_get(t, ITEM_TOKEN, slice_str(hash.text), NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (token == NULL || !txn_session_is_live(t, slice_str(hash.text), token->expires_at)) {
		return session_refuse_proof(t);
	}
	struct session me;
	if (!session_read(&me, hash, token)) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "that session cannot be read");
	}
	if (p->with_utc_offset_minutes) { /* the table has it with the next write-back */
		me.utc_offset_minutes = p->utc_offset_minutes;
		me.sets_offset = true;
	}
	struct session_result *result = t->result;
	*result = (struct session_result){
		.user_id = token->user_id,
		.user_name = token->user_name,
		.expires_at =
			t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS], /* this call prolongs it */
	};
	txn_set_session(t, &me);
	return TXN_DONE;
}

enum txn_step on_SESSION_WHOAMI(struct txn *t)
{
	const struct session *me = t->session;
	struct whoami_result *result = t->result;
	struct txn_items seats = session_seats(t, me);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	*result = (struct whoami_result){
		.user_id = slice_str(me->user_id),
		.user_name = slice_str(me->user_name),
		.expires_at =
			t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS], /* this call prolongs it */
	};
	if (!session_rooms(t, &seats, &result->rooms)) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	return TXN_DONE;
}

/* Where the session is gone from the table already, its name may be the next one's. */
enum txn_step session_remove(struct txn *t, const struct session *session)
{
	struct slice hash = slice_str(session->token_hash.text);
	const struct token_item *token = txn_get(t, ITEM_TOKEN, hash, NO_SK);
	struct slice name_key = session_name_key(session, token);
	const struct user_name_item *name = txn_get(t, ITEM_USER_NAME, name_key, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (token != NULL) {
		txn_delete(t, ITEM_TOKEN, hash, NO_SK);
		session_publish_end(t, slice_str(session->user_id), hash);
	}
	if (name != NULL && slice_eq(name->token_hash, hash)) {
		txn_delete(t, ITEM_USER_NAME, name_key, NO_SK);
	}
	txn_end_session(t, hash);
	return TXN_DONE;
}

/* One in a commit, that of the request first: its end is the last that its connections are sent. */
enum user_left sessions_end(struct txn *t, struct slice user_id)
{
	enum { SESSIONS_SEEN = 16 };
	struct session session;
	if (t->session != NULL) {
		return session_remove(t, t->session) == TXN_DONE ? USER_LEFT_MORE
								 : USER_LEFT_NOTHING;
	}
	struct txn_items found = txn_query(t, INDEX_BY_USER_ID, user_id,
					   &(struct txn_range){.limit = SESSIONS_SEEN});
	for (size_t i = 0; i < found.n; i++) {
		if (session_found(t, item_pk_rest(&found.items[i], ITEM_TOKEN), &session)) {
			return session_remove(t, &session) == TXN_DONE ? USER_LEFT_MORE
								       : USER_LEFT_NOTHING;
		}
	}
	return USER_LEFT_NOTHING;
}

enum txn_step on_SESSION_LOGOUT(struct txn *t)
{
	txn_set_session(t, NULL); /* also one that it got meanwhile: its user wants out */
	return session_remove(t, t->session);
}
