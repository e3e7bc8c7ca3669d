/*
 * directory.c - see directory.h; the one file that knows all features.
 */
#include "server/domain/directory.h"

#include "server/domain/question/question.h"
#include "server/domain/session/session.h"
#include "server/domain/team/container.h"
#include "server/domain/team/team.h"

#define DIRECTORY_HANDLER(symbol) [METHOD_##symbol] = on_##symbol,
#define DIRECTORY_ROW_HANDLER(symbol, name, who, where, effect, params, result, help) \
	DIRECTORY_##where(DIRECTORY_HANDLER, symbol)

txn_handler *const directory_handlers[METHOD_COUNT] = {METHODS(DIRECTORY_ROW_HANDLER)};

/* Remove an item whose time is over, of a kind of which nothing else depends on it. */
static enum txn_step expire_item(struct txn *t)
{
	const struct store_item *found = t->params;
	enum item_kind kind = item_kind_of(found->pk, found->sk);
	const struct field *f = record_field(item_rows[kind].record, SLICE("expires_at"));
	struct slice pk = item_pk_rest(found, kind);
	struct slice sk = item_sk_rest(found, kind);
	const void *item = txn_get(t, kind, pk, sk);
	int64_t expires_at;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item != NULL) {
		memcpy(&expires_at, field_member(f, item), sizeof(expires_at));
		if (expires_at <= t->wall_ms) {
			txn_delete(t, kind, pk, sk);
		}
	}
	return TXN_DONE;
}

txn_handler *const directory_sweepers[ITEM_COUNT] = {
	[ITEM_TOKEN] = session_expire,
	[ITEM_USER_NAME] = session_expire,
	[ITEM_DIRECTORY_ONCE] = expire_item,
	[ITEM_QUESTION] = question_expire,
	[ITEM_USER] = user_expire,
	[ITEM_GROUP] = group_expire,
	[ITEM_INVITATION] = invitation_expire,
	[ITEM_CONTAINER] = container_expire,
	[ITEM_UNSAVED] = story_save_again,
	[ITEM_RESPONSE] = expire_item,
	[ITEM_SKIP] = expire_item,
	[ITEM_NOTIFIED] = expire_item,
	[ITEM_BOARD] = board_expire,
	[ITEM_SUBSCRIPTION] = subscription_expire,
	[ITEM_WAITING] = waiting_expire,
};

user_part *const directory_user_parts[] = {sessions_end, subscriptions_end, questions_end,
					   stats_end,	 invitations_end,   waiting_end,
					   NULL};

txn_handler *const directory_user_joins = waiting_look_at_groups;

txn_handler *const directory_follows[FOLLOW_COUNT] = {
	[FOLLOW_LOOK_AT_GROUP] = group_of_room_look,
	[FOLLOW_SAVE_STORY] = story_save,
	[FOLLOW_WAIT_FOR_USER] = waiting_tell,
	[FOLLOW_WAIT_FOR_GROUP] = waiting_tell_group,
};

const struct directory_task directory_tasks[] = {
	{"end_with_group", room_end_with_group},
	{"end_member", room_end_member},
	{"forget_account", room_forget_account},
	{"story_saved", room_story_saved},
	{NULL, NULL},
};

const struct directory_look directory_looks[] = {
	{"waiting", waiting_tell},
	{"waiting_group", waiting_tell_group},
	{"waiting_groups", waiting_look_at_groups},
	{NULL, NULL},
};
