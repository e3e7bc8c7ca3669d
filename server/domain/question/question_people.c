/*
 * question_people.c - whom a question concerns: who may see and answer it, and how many they are.
 *
 *   of a room    those who have a seat in it with their login, and a name, and are not in the lobby
 *   to everyone  whoever logs in; those who are logged in now are counted
 *
 * Its asker is none of them, and sees it in any case. The count is of the moment at which the
 * question is asked: it is told to the asker, and says how many answers are needed if the asker
 * does not. Nothing depends on it later.
 */
#include "server/domain/question/question.h"

#include <stdlib.h>

#include "server/domain/base/user_key.h"

/* Names in use that are looked at: a user may have several. */
enum { NAMES_MAX = 2 * MAX_QUESTION_RESPONSES };

/* ---- a room ---- */

struct key_text question_seat(const struct txn *t, struct slice room_id)
{
	return user_key_hash_of_login(t->server_key, slice_str(t->session->user_id), room_id);
}

static bool is_for_seat(const struct seat_item *seat)
{
	return !seat->is_waiting && seat->with_username;
}

bool question_has_seat(struct txn *t, struct slice room_id)
{
	struct key_text hash = question_seat(t, room_id);
	const struct seat_item *seat = txn_get(t, ITEM_SEAT, room_id, slice_str(hash.text));
	return seat != NULL && is_for_seat(seat);
}

static int by_bytes(const void *a, const void *b)
{
	const struct slice *x = a;
	const struct slice *y = b;
	return slice_cmp(*x, *y);
}

static enum txn_step accounts_of_room(struct txn *t, struct slice room_id, struct slices *out)
{
	struct txn_page page = {.limit = STORE_QUERY_MAX};
	struct txn_items seats = {.has_more = true};
	size_t most = (size_t)t->limits[LIMIT_ROOM_SEATS];
	*out = (struct slices){.items = arena_alloc(t->arena, most * sizeof(*out->items))};
	if (out->items == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	while (seats.has_more) {
		seats = txn_list(t, ITEM_SEAT, room_id, &page);
		if (txn_is_loading(t)) {
			return TXN_MORE;
		}
		for (size_t i = 0; i < seats.n && out->n < most; i++) {
			const struct seat_item *seat = txn_decode(t, &seats.items[i]);
			if (seat != NULL && seat->account.len > 0 && is_for_seat(seat)) {
				out->items[out->n++] = seat->account;
			}
		}
		page.after = seats.n > 0 ? seats.items[seats.n - 1].sk : page.after;
		seats.has_more = seats.has_more && seats.n > 0;
	}
	return TXN_DONE;
}

/* ---- all of them ---- */

enum txn_step question_accounts(struct txn *t, const struct question_item *q, struct slices *out)
{
	enum txn_step step = accounts_of_room(t, q->room_id, out);
	if (step == TXN_DONE) {
		qsort(out->items, out->n, sizeof(*out->items), by_bytes);
	}
	return step;
}

bool question_accounts_have(const struct slices *accounts, struct slice user_id)
{
	return bsearch(&user_id, accounts->items, accounts->n, sizeof(user_id), by_bytes) != NULL;
}

static bool is_among(const struct slice *users, size_t n, struct slice user_id)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_eq(users[i], user_id)) {
			return true;
		}
	}
	return false;
}

/* Users who have a name in use, and are not the asker. A hint, as all that an index says. */
static size_t count_logged_in(struct txn *t, struct slice asker)
{
	struct slice users[MAX_QUESTION_RESPONSES];
	size_t n = 0;
	struct txn_items names =
		txn_query(t, INDEX_USERS_LOGGED_IN, (struct slice){0},
			  &(struct txn_range){.is_descending = true, .limit = NAMES_MAX});
	for (size_t i = 0; i < names.n && n < MAX_QUESTION_RESPONSES; i++) {
		const struct user_name_item *name = txn_decode(t, &names.items[i]);
		if (name != NULL && name->expires_at > t->wall_ms &&
		    !slice_eq(name->user_id, asker) && !is_among(users, n, name->user_id)) {
			users[n++] = name->user_id;
		}
	}
	return n;
}

enum txn_step question_count_people(struct txn *t, const struct question_item *q, int64_t *people)
{
	struct slices accounts;
	if (q->room_id.len == 0) {
		*people = (int64_t)count_logged_in(t, q->agent_id);
		return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
	}
	enum txn_step step = question_accounts(t, q, &accounts);
	if (step == TXN_DONE) {
		*people = (int64_t)accounts.n - question_accounts_have(&accounts, q->agent_id);
	}
	return step;
}
