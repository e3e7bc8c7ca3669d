/*
 * session_barred.c - server.bar, server.unbar, server.barred: users whom the server's owner keeps out.
 *
 * The sessions of a user who is named end with the bar; those of one who is known by an answer alone when
 * they are next written back, which is a minute of use later at most.
 */
#include "server/domain/session/session.h"

#include "server/domain/base/list_page.h"
#include "server/domain/base/public_id.h"
#include "server/domain/base/user_barred.h"
#include "server/domain/directory.h"

/* Sessions of the user end. TXN_MORE, or TXN_DONE; *n how many there were. */
static enum txn_step bar_end_sessions(struct txn *t, struct slice user_id, size_t *n)
{
	enum { SESSIONS_ENDED = 16 }; /* others as those of a user who is not named */
	struct txn_items found = txn_query(t, INDEX_BY_USER_ID, user_id,
					   &(struct txn_range){.limit = SESSIONS_ENDED});
	enum txn_step step = TXN_DONE;
	*n = found.n;
	for (size_t i = 0; i < found.n; i++) {
		struct session session;
		if (session_found(t, item_pk_rest(&found.items[i], ITEM_TOKEN), &session) &&
		    session_remove(t, &session) == TXN_MORE) {
			step = TXN_MORE;
		}
	}
	return txn_is_loading(t) ? TXN_MORE : step;
}

/* By their user_id. */
static enum txn_step bar_user(struct txn *t, struct user_barred_item *item,
			      struct key_text *fingerprint)
{
	const struct server_bar_params *p = t->params;
	struct slice user_id = public_user_id(t, p->user_id);
	const struct user_item *user = txn_get(t, ITEM_USER, user_id, NO_SK);
	size_t sessions;
	enum txn_step step = bar_end_sessions(t, user_id, &sessions);
	if (step == TXN_MORE || txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (user == NULL && sessions == 0) {
		return txn_refuse(t, FAULT_NOT_FOUND, "no user has that user_id");
	}
	item->user_id = user_id;
	item->user_name = user == NULL ? (struct slice){0} : user->user_name;
	*fingerprint = user_fingerprint(t, user_id);
	return TXN_DONE;
}

/* By an answer of theirs. */
static enum txn_step bar_answerer(struct txn *t, struct user_barred_item *item,
				  struct key_text *fingerprint)
{
	const struct server_bar_params *p = t->params;
	struct slice id = public_id(t, "q_", USER_ID_CHARS, p->question_id);
	struct txn_items found =
		txn_list(t, ITEM_RESPONSE, id, &(struct txn_page){.limit = MAX_QUESTION_RESPONSES});
	for (size_t i = 0; i < found.n; i++) {
		const struct response_item *r = txn_decode(t, &found.items[i]);
		if (r != NULL && slice_eq(r->response_id, p->response_id) &&
		    r->fingerprint_hash.len == KEY_CHARS) {
			memcpy(fingerprint->text, r->fingerprint_hash.data, KEY_CHARS);
			fingerprint->text[KEY_CHARS] = '\0';
			item->response_id = r->response_id;
			return TXN_DONE;
		}
	}
	return txn_is_loading(t)
		       ? TXN_MORE
		       : txn_refuse(t, FAULT_NOT_FOUND, "answer not found in that question");
}

enum txn_step on_SERVER_BAR(struct txn *t)
{
	const struct server_bar_params *p = t->params;
	struct server_bar_result *result = t->result;
	struct user_barred_item item = {.user_id = {0}};
	struct key_text fingerprint = {{0}};
	if (p->with_user_id == p->with_response_id || p->with_response_id != p->with_question_id) {
		fault_field(&t->fault, p->with_user_id ? "user_id" : "response_id",
			    "give user_id, or question_id and response_id");
		return TXN_REFUSED;
	}
	enum txn_step step = p->with_user_id ? bar_user(t, &item, &fingerprint)
					     : bar_answerer(t, &item, &fingerprint);
	if (step != TXN_DONE) {
		return step;
	}
	result->bar_id = user_bar_id(t, slice_str(fingerprint.text));
	const struct user_barred_item *before =
		txn_get(t, ITEM_USER_BARRED, USERS_BARRED, result->bar_id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (before == NULL || before->user_id.len < item.user_id.len) {
		txn_put(t, ITEM_USER_BARRED, USERS_BARRED, result->bar_id, &item);
	}
	return TXN_DONE;
}

enum txn_step on_SERVER_UNBAR(struct txn *t)
{
	const struct server_unbar_params *p = t->params;
	struct slice bar_id = public_id(t, "b_", CODE_CHARS_MAX, p->bar_id);
	const struct user_barred_item *item = txn_get(t, ITEM_USER_BARRED, USERS_BARRED, bar_id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL) {
		return txn_refuse(t, FAULT_NOT_FOUND, "no user has that bar_id");
	}
	txn_delete(t, ITEM_USER_BARRED, USERS_BARRED, bar_id);
	return TXN_DONE;
}

enum txn_step on_SERVER_BARRED(struct txn *t)
{
	const struct server_barred_params *p = t->params;
	struct server_barred_result *result = t->result;
	struct list_page page;
	if (!list_begin(t, &page, SLICE("barred"), p->cursor, true,
			p->with_limit ? p->limit : MAX_QUESTION_PAGE_USUAL)) {
		return TXN_REFUSED;
	}
	struct txn_items found =
		txn_list(t, ITEM_USER_BARRED, USERS_BARRED,
			 &(struct txn_page){.after = place_sk(t, ITEM_USER_BARRED, page.after.id),
					    .limit = page.limit});
	struct server_barred_user *barred = list_entries(t, found.n, sizeof(*barred));
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (barred == NULL) {
		return TXN_REFUSED;
	}
	result->barred = barred;
	for (size_t i = 0; i < found.n; i++) {
		const struct user_barred_item *item = txn_decode(t, &found.items[i]);
		page.after.id = item_sk_rest(&found.items[i], ITEM_USER_BARRED);
		if (item != NULL) {
			barred[result->barred_n++] =
				(struct server_barred_user){.bar_id = page.after.id,
							    .barred_at = item->created_on,
							    .user_id = item->user_id,
							    .user_name = item->user_name,
							    .response_id = item->response_id};
		}
	}
	result->cursor = list_end(t, &page, found.has_more);
	return TXN_DONE;
}
