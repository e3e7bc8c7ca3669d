/*
 * session_watch.c - session.watch: a user's sessions and rooms, kept up to date.
 *
 * The topic is the user's partition. Logins publish there what they begin and
 * end, rooms what seats the user gains and loses.
 */
#include "server/domain/session/session.h"

#include "server/domain/directory.h"

#define WATCH_SESSIONS 256

struct slice session_id(struct txn *t, struct slice token_hash)
{
	char text[CODE_CHARS_MAX + 1];
	code_derive(t->server_key, "session_id", token_hash, text, USER_ID_CHARS);
	return txn_copy(t, slice_of(text, USER_ID_CHARS));
}

void session_publish_start(struct txn *t, const struct session *session)
{
	struct session_update update = {
		.with_started = true,
		.started = {.session_id = session_id(t, slice_str(session->token_hash.text)),
			    .created_on = session->created_on,
			    .expires_at = session->expires_at},
	};
	txn_publish(t, ITEM_USER, slice_str(session->user_id), NOTICE_SESSION_UPDATE, &update);
}

void session_publish_end(struct txn *t, struct slice user_id, struct slice token_hash)
{
	struct session_update update = {.ended = session_id(t, token_hash)};
	txn_publish(t, ITEM_USER, user_id, NOTICE_SESSION_UPDATE, &update);
}

void session_publish_name(struct txn *t, const struct session *session)
{
	struct session_update update = {
		.with_renamed = true,
		.renamed = {.session_id = session_id(t, slice_str(session->token_hash.text)),
			    .user_name = txn_copy(t, slice_str(session->user_name))},
	};
	txn_publish(t, ITEM_USER, slice_str(t->session->user_id), NOTICE_SESSION_UPDATE, &update);
}

enum txn_step on_SESSION_WATCH(struct txn *t)
{
	struct session_watch_result *result = t->result;
	struct slice user_id = slice_str(t->session->user_id);
	int64_t version = txn_subscribe(t, ITEM_USER, user_id, NOTICE_SESSION_UPDATE);
	struct txn_items tokens = txn_query(t, INDEX_BY_USER_ID, user_id,
					    &(struct txn_range){.limit = WATCH_SESSIONS});
	struct txn_items seats = session_seats(t, t->session);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct session_view *sessions = arena_alloc(t->arena, (tokens.n + 1) * sizeof(*sessions));
	*result = (struct session_watch_result){
		.version = version,
		.session_id = session_id(t, slice_str(t->session->token_hash.text)),
		.user_id = user_id,
		.user_name = slice_str(t->session->user_name),
		.sessions = sessions,
	};
	if (sessions == NULL || !session_rooms(t, &seats, &result->rooms)) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	for (size_t i = 0; i < tokens.n; i++) {
		const struct token_item *token = txn_decode(t, &tokens.items[i]);
		if (token != NULL) {
			sessions[result->sessions_n++] = (struct session_view){
				.session_id =
					session_id(t, item_pk_rest(&tokens.items[i], ITEM_TOKEN)),
				.created_on = token->created_on,
				.expires_at = token->expires_at,
			};
		}
	}
	txn_then(t, user_id, waiting_look, user_id);
	return TXN_DONE;
}

enum txn_step on_SESSION_UNWATCH(struct txn *t)
{
	txn_unsubscribe(t, ITEM_USER, slice_str(t->session->user_id));
	return TXN_DONE;
}
