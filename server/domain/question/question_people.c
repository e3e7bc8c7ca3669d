/*
 * question_people.c - whom a question concerns: who may see and answer it, and how many they are.
 *
 *   of a room    those who have a seat in it with their login, and a name, and are not in the lobby
 *   of a team    its members
 *   to a member  that one, as long as they are in the room or team
 *   to everyone  whoever logs in; those who are logged in now are counted
 *
 * Its asker is none of them, and sees it in any case. The count at which the question is asked is
 * told to the asker, and says how many answers are needed if the asker does not. Later, the asker
 * is told how many they are by then, but not how many of them have answered: whoever leaves would
 * be known by it.
 */
#include "server/domain/question/question.h"

#include <stdlib.h>

#include "server/domain/base/public_id.h"
#include "server/domain/base/user_key.h"

/* Names in use that are looked at: a user may have several. */
enum { NAMES_MAX = 2 * MAX_QUESTION_RESPONSES };

/* ---- one of them ---- */

static bool is_for_seat(const struct seat_item *seat)
{
	return !seat->is_waiting && seat->with_username;
}

static struct key_text seat_of(const struct txn *t, struct slice room_id, struct slice user_id)
{
	return user_key_hash_of_login(t->server_key, user_id, room_id);
}

static bool has_seat(struct txn *t, struct slice room_id, struct slice user_id)
{
	struct key_text hash = seat_of(t, room_id, user_id);
	const struct seat_item *seat = txn_get(t, ITEM_SEAT, room_id, slice_str(hash.text));
	return seat != NULL && is_for_seat(seat);
}

/* A deleted group keeps its members until they are removed, one after the other. */
static bool is_member(struct txn *t, struct slice group_id, struct slice user_id)
{
	const struct group_item *group = txn_get(t, ITEM_GROUP, group_id, NO_SK);
	bool is_in = txn_get(t, ITEM_MEMBERSHIP, user_id, group_id) != NULL;
	return is_in && group != NULL && !group->is_deleted;
}

/* Whether they are in the room or the team. */
static bool is_in(struct txn *t, const struct question_item *q, struct slice user_id)
{
	return q->group_id.len > 0  ? is_member(t, q->group_id, user_id)
	       : q->room_id.len > 0 ? has_seat(t, q->room_id, user_id)
				    : true;
}

bool question_is_for_all(const struct question_item *q)
{
	return q->room_id.len == 0 && q->group_id.len == 0;
}

bool question_is_for_caller(struct txn *t, const struct question_item *q)
{
	struct slice me = slice_str(t->session->user_id);
	return (q->user_id.len == 0 || slice_eq(q->user_id, me)) && is_in(t, q, me);
}

void question_subscribe_while(struct txn *t, const struct question_item *q)
{
	struct slice me = slice_str(t->session->user_id);
	if (q->group_id.len > 0) {
		txn_subscribe_while(t, ITEM_MEMBERSHIP, me, q->group_id);
	} else if (q->room_id.len > 0) {
		struct key_text seat = seat_of(t, q->room_id, me);
		txn_subscribe_while(t, ITEM_SEAT, q->room_id, slice_str(seat.text));
	}
}

enum txn_step question_address(struct txn *t, const struct question_ask_params *p,
			       struct question_item *item)
{
	struct slice me = slice_str(t->session->user_id);
	char room_id[CODE_CHARS_MAX + 1] = "?"; /* no room has that */
	if (p->with_room_id) {
		(void)code_normalise(p->room_id, room_id);
		item->room_id = txn_copy(t, slice_str(room_id));
	}
	if (p->with_group_id) {
		item->group_id = public_id(t, "g_", USER_ID_CHARS, p->group_id);
	}
	if (p->with_user_id) {
		item->user_id = public_user_id(t, p->user_id);
	}
	bool is_asker_in = is_in(t, item, me);
	bool is_other_in = item->user_id.len == 0 || is_in(t, item, item->user_id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (!is_asker_in && p->with_group_id) {
		return txn_refuse(t, FAULT_NOT_FOUND, "team not found; check its id");
	}
	if (!is_asker_in) {
		return txn_refuse(t, FAULT_ROOM_NOT_FOUND,
				  "you have no seat in that room; join it with this login");
	}
	if (!is_other_in) {
		return txn_refuse(t, FAULT_NOT_FOUND, "%s; check the user_id",
				  p->with_group_id ? "that user is not in the team"
						   : "nobody in the room has that login");
	}
	if (slice_eq(item->user_id, me)) {
		fault_field(&t->fault, "user_id", "must be someone else's, not your own");
		return TXN_REFUSED;
	}
	return TXN_DONE;
}

/* ---- a list of them ---- */

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
		seats.has_more = seats.has_more && seats.n > 0 && out->n < most;
	}
	return TXN_DONE;
}

static enum txn_step accounts_of_group(struct txn *t, struct slice group_id, struct slices *out)
{
	struct txn_range range = {.limit = STORE_QUERY_MAX};
	struct txn_items users = {.has_more = true};
	*out = (struct slices){
		.items = arena_alloc(t->arena, MAX_GROUP_USERS * sizeof(*out->items))};
	if (out->items == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	while (users.has_more) {
		users = txn_query(t, INDEX_USERS_OF_GROUP, group_id, &range);
		if (txn_is_loading(t)) {
			return TXN_MORE;
		}
		for (size_t i = 0; i < users.n && out->n < MAX_GROUP_USERS; i++) {
			out->items[out->n++] = item_pk_rest(&users.items[i], ITEM_MEMBERSHIP);
		}
		users.has_more = users.has_more && users.n > 0 && out->n < MAX_GROUP_USERS;
		if (users.has_more) {
			range.after = txn_place(t, group_id, users.end, ITEM_MEMBERSHIP,
						out->items[out->n - 1], group_id);
		}
	}
	return TXN_DONE;
}

static enum txn_step account_of_one(struct txn *t, const struct question_item *q,
				    struct slices *out)
{
	*out = (struct slices){.items = txn_keep(t, &q->user_id, sizeof(q->user_id))};
	if (out->items == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	out->n = is_in(t, q, q->user_id);
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

enum txn_step question_accounts(struct txn *t, const struct question_item *q, struct slices *out)
{
	enum txn_step step = q->user_id.len > 0	   ? account_of_one(t, q, out)
			     : q->group_id.len > 0 ? accounts_of_group(t, q->group_id, out)
						   : accounts_of_room(t, q->room_id, out);
	if (step == TXN_DONE && out->n > 1) {
		qsort(out->items, out->n, sizeof(*out->items), by_bytes);
	}
	return step;
}

bool question_accounts_have(const struct slices *accounts, struct slice user_id)
{
	return accounts->n > 0 &&
	       bsearch(&user_id, accounts->items, accounts->n, sizeof(user_id), by_bytes) != NULL;
}

/* ---- who is there ---- */

void question_seen_elsewhere(struct txn *t, const struct question_item *q, struct slices *out,
			     bool *has_more)
{
	*out = (struct slices){.n = 0};
	*has_more = false;
	if (!txn_has_others(t)) {
		return;
	}
	const int64_t from = txn_seen_from(t);
	if (q->user_id.len > 0) {
		out->n = txn_count(t, INDEX_BY_USER_ID, q->user_id, from, 1);
		out->items = txn_keep(t, &q->user_id, sizeof(q->user_id));
		return;
	}
	struct txn_items names =
		txn_query(t, INDEX_USERS_LOGGED_IN, (struct slice){0},
			  &(struct txn_range){.is_descending = true, .limit = STORE_QUERY_MAX});
	out->items = arena_alloc(t->arena, (names.n + 1) * sizeof(*out->items));
	for (size_t i = 0; out->items != NULL && i < names.n; i++) {
		const struct user_name_item *name = txn_decode(t, &names.items[i]);
		if (name != NULL && name->expires_at >= from) {
			out->items[out->n++] = name->user_id;
		}
	}
	*has_more = names.has_more && names.end >= from;
	if (out->n > 1) {
		qsort(out->items, out->n, sizeof(*out->items), by_bytes);
	}
}

/* ---- how many ---- */

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
	if (q->user_id.len > 0) {
		*people = is_in(t, q, q->user_id);
		return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
	}
	if (question_is_for_all(q)) {
		*people = (int64_t)count_logged_in(t, q->agent_id);
		return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
	}
	if (q->group_id.len > 0) { /* which counts them */
		const struct group_item *group = txn_get(t, ITEM_GROUP, q->group_id, NO_SK);
		bool is_asker_in = is_member(t, q->group_id, q->agent_id);
		*people = group == NULL || group->is_deleted ? 0 : group->users - is_asker_in;
		return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
	}
	enum txn_step step = question_accounts(t, q, &accounts);
	if (step == TXN_DONE) {
		*people = (int64_t)accounts.n - question_accounts_have(&accounts, q->agent_id);
	}
	return step;
}
