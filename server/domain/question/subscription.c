/*
 * subscription.c - subscription.create, update, delete, list; and the end of guests' ones.
 */
#include "server/domain/question/question.h"

#include "server/domain/base/public_id.h"
#include "server/domain/directory.h"

#define SUBSCRIPTION_PREFIX "s_"
#define SUBSCRIBER_SESSIONS 16 /* of a guest that are looked at */

/* ---- one of the caller's own ---- */

/*
 * TXN_DONE with the subscription of that id, or what the handler is to return:
 * NOT_FOUND is the same, after the same reads, for an id of another form, one that
 * does not exist, and one that is another user's.
 */
static enum txn_step find_own(struct txn *t, struct slice written, struct slice *id,
			      const struct subscription_item **item)
{
	*id = public_id(t, SUBSCRIPTION_PREFIX, USER_ID_CHARS, written);
	*item = txn_get(t, ITEM_SUBSCRIPTION, *id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (*item == NULL || !slice_eq((*item)->user_id, slice_str(t->session->user_id))) {
		return txn_refuse(t, FAULT_NOT_FOUND, "subscription not found; it may have ended");
	}
	return TXN_DONE;
}

int64_t subscription_notified_at(const struct subscription_item *item)
{
	return item->with_notified_at ? item->notified_at : item->last_notified_at;
}

static struct subscription_view view_of(struct slice id, const struct subscription_item *item)
{
	return (struct subscription_view){
		.subscription_id = id,
		.channel = item->channel,
		.address = item->address,
		.min_interval_minutes = item->min_interval_minutes,
		.audience = item->audience,
		.active = item->with_active,
		.failures = item->failures,
		.created_at = item->created_on,
		.last_notified_at = subscription_notified_at(item),
	};
}

/* One fewer of that user; false while that is loading. */
static bool remove_one(struct txn *t, struct slice id, struct slice user_id)
{
	const struct subscriber_item *subscriber = txn_get(t, ITEM_SUBSCRIBER, user_id, NO_SK);
	if (txn_is_loading(t)) {
		return false;
	}
	txn_delete(t, ITEM_SUBSCRIPTION, id, NO_SK);
	if (subscriber != NULL && subscriber->subscriptions > 1) {
		struct subscriber_item fewer = {.subscriptions = subscriber->subscriptions - 1};
		txn_put(t, ITEM_SUBSCRIBER, user_id, NO_SK, &fewer);
	} else {
		txn_delete(t, ITEM_SUBSCRIBER, user_id, NO_SK);
	}
	return true;
}

/* ---- the methods ---- */

/* The channel goes with that address; false with t->fault. */
static bool address_fits(struct txn *t, enum subscription_channel channel, bool with_address)
{
	bool is_wanted = channel == CHANNEL_COMMAND;
	if (is_wanted != with_address) {
		fault_field(&t->fault, "address",
			    is_wanted ? "is required for channel command"
				      : "is not allowed for channel live");
	}
	return is_wanted == with_address;
}

enum txn_step on_SUBSCRIPTION_CREATE(struct txn *t)
{
	const struct subscription_create_params *p = t->params;
	const struct slice user_id = slice_str(t->session->user_id);
	if (p->channel == CHANNEL_COMMAND && !t->has_command) {
		fault_field(&t->fault, "channel",
			    "is not available, as this server has no --notify-command");
		return TXN_REFUSED;
	}
	if (!address_fits(t, p->channel, p->with_address) || !audience_is_sound(t, &p->audience)) {
		return TXN_REFUSED;
	}
	const struct subscriber_item *subscriber = txn_get(t, ITEM_SUBSCRIBER, user_id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (subscriber != NULL && subscriber->subscriptions >= t->limits[LIMIT_SUBSCRIPTIONS]) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED,
				 "you have %lld subscriptions; delete one first",
				 (long long)subscriber->subscriptions);
		return txn_bound(t, LIMIT_SUBSCRIPTIONS);
	}
	if (!txn_take_of_user(t, LIMIT_SUBSCRIPTIONS_PER_HOUR, "new subscriptions")) {
		return TXN_REFUSED;
	}
	struct slices all = {(struct slice *)(uintptr_t)words_audience.list,
			     (size_t)words_audience.n};
	struct subscription_item item = {
		.user_id = user_id,
		.channel = p->channel,
		.address = p->address,
		.min_interval_minutes = p->with_min_interval_minutes
						? p->min_interval_minutes
						: MAX_SUBSCRIPTION_MINUTES_USUAL,
		.audience = p->audience.n > 0 ? p->audience : all,
		.active = SUBSCRIPTION_ACTIVE,
		.with_active = true,
	};
	if (!t->session->is_keyed) {
		item.expires_at = t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS];
	}
	struct subscriber_item more = {
		.subscriptions = subscriber == NULL ? 1 : subscriber->subscriptions + 1};
	struct slice id = public_id_make(t, SUBSCRIPTION_PREFIX);
	txn_put_new(t, ITEM_SUBSCRIPTION, id, NO_SK, &item);
	txn_put(t, ITEM_SUBSCRIBER, user_id, NO_SK, &more);
	*(struct subscription_create_result *)t->result = (struct subscription_create_result){
		.subscription_id = id,
		.status = SUBSCRIPTION_ACTIVE,
	};
	return TXN_DONE;
}

enum txn_step on_SUBSCRIPTION_UPDATE(struct txn *t)
{
	const struct subscription_update_params *p = t->params;
	const struct subscription_item *item;
	struct slice id;
	enum txn_step step = find_own(t, p->subscription_id, &id, &item);
	if (step != TXN_DONE) {
		return step;
	}
	if (!address_fits(t, item->channel, p->with_address || item->address.len > 0) ||
	    !audience_is_sound(t, &p->audience)) {
		return TXN_REFUSED;
	}
	struct subscription_item now = *item;
	now.address = p->with_address ? p->address : item->address;
	now.min_interval_minutes =
		p->with_min_interval_minutes ? p->min_interval_minutes : item->min_interval_minutes;
	now.audience = p->audience.n > 0 ? p->audience : item->audience;
	if (p->with_active) {
		now.with_active = p->active;
		now.failures = p->active ? 0 : item->failures;
	}
	txn_put(t, ITEM_SUBSCRIPTION, id, NO_SK, &now);
	*(struct subscription_view *)t->result = view_of(id, &now);
	return TXN_DONE;
}

enum txn_step on_SUBSCRIPTION_DELETE(struct txn *t)
{
	const struct subscription_params *p = t->params;
	const struct subscription_item *item;
	struct slice id;
	enum txn_step step = find_own(t, p->subscription_id, &id, &item);
	return step != TXN_DONE ? step : remove_one(t, id, item->user_id) ? TXN_DONE : TXN_MORE;
}

enum txn_step on_SUBSCRIPTION_LIST(struct txn *t)
{
	struct subscription_list_result *result = t->result;
	struct txn_items found = txn_query(t, INDEX_BY_USER, slice_str(t->session->user_id),
					   &(struct txn_range){.limit = MAX_SUBSCRIPTIONS});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct subscription_view *views = arena_alloc(t->arena, (found.n + 1) * sizeof(*views));
	if (views == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	result->subscriptions = views;
	for (size_t i = 0; i < found.n; i++) {
		const struct subscription_item *item = txn_decode(t, &found.items[i]);
		if (item != NULL) {
			views[result->subscriptions_n++] =
				view_of(item_pk_rest(&found.items[i], ITEM_SUBSCRIPTION), item);
		}
	}
	return TXN_DONE;
}

/* ---- what becomes of it ---- */

/* That it could not be run (no such program, too many at once) is not the address's fault. */
enum txn_step subscription_commanded(struct txn *t)
{
	const struct txn_next *p = t->params;
	const struct subscription_item *item = txn_get(t, ITEM_SUBSCRIPTION, p->key, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL || (p->result == OK && item->failures == 0) ||
	    (p->result != OK && p->result != ERR_IO)) {
		return TXN_DONE;
	}
	struct subscription_item now = *item;
	now.failures = p->result == OK ? 0 : item->failures + 1;
	if (now.failures >= MAX_NOTICE_FAILURES) {
		now.failures = MAX_NOTICE_FAILURES;
		now.with_active = false;
	}
	txn_put(t, ITEM_SUBSCRIPTION, p->key, NO_SK, &now);
	return TXN_DONE;
}

enum user_left subscriptions_end(struct txn *t, struct slice user_id)
{
	const struct subscriber_item *subscriber = txn_get(t, ITEM_SUBSCRIBER, user_id, NO_SK);
	struct txn_items found = txn_query(t, INDEX_BY_USER, user_id,
					   &(struct txn_range){.limit = MAX_SUBSCRIPTIONS});
	int64_t left = subscriber == NULL ? 0 : subscriber->subscriptions;
	for (size_t i = 0; i < found.n; i++) {
		struct slice id = item_pk_rest(&found.items[i], ITEM_SUBSCRIPTION);
		left -= txn_get(t, ITEM_SUBSCRIPTION, id, NO_SK) != NULL;
	}
	if (txn_is_loading(t)) {
		return USER_LEFT_NOTHING;
	}
	if (found.n == 0) {
		return left > 0 ? USER_LEFT_LATER : USER_LEFT_NOTHING;
	}
	for (size_t i = 0; i < found.n; i++) {
		txn_delete(t, ITEM_SUBSCRIPTION, item_pk_rest(&found.items[i], ITEM_SUBSCRIPTION),
			   NO_SK);
	}
	if (left > 0) {
		struct subscriber_item fewer = {.subscriptions = left};
		txn_put(t, ITEM_SUBSCRIBER, user_id, NO_SK, &fewer);
	} else {
		txn_delete(t, ITEM_SUBSCRIBER, user_id, NO_SK);
	}
	return USER_LEFT_MORE;
}

/* A guest whose sessions are over never comes back: a new login is another user. */
enum txn_step subscription_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice id = item_pk_rest(found, ITEM_SUBSCRIPTION);
	const struct subscription_item *item = txn_get(t, ITEM_SUBSCRIPTION, id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL || !item->with_expires_at || item->expires_at > t->wall_ms) {
		return TXN_DONE;
	}
	struct txn_items tokens =
		txn_query(t, INDEX_BY_USER_ID, item->user_id,
			  &(struct txn_range){.is_descending = true, .limit = SUBSCRIBER_SESSIONS});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < tokens.n; i++) {
		const struct token_item *token = txn_decode(t, &tokens.items[i]);
		struct slice hash = item_pk_rest(&tokens.items[i], ITEM_TOKEN);
		if (token != NULL && txn_session_is_live(t, hash, token->expires_at)) {
			struct subscription_item later = *item;
			later.expires_at = t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS];
			txn_put(t, ITEM_SUBSCRIPTION, id, NO_SK, &later);
			return TXN_DONE;
		}
	}
	return remove_one(t, id, item->user_id) ? TXN_DONE : TXN_MORE;
}
