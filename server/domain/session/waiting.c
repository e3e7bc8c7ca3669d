/*
 * waiting.c - session.waiting: a user is notified once that a room waits for their votes on stories
 * that are open together, and once more a day before each deadline: the room's, and a story's own.
 *
 *   first story opened, other deadline --> users with a seat, members of the group --+
 *   session.watch -----------------------> rooms of the user and of their groups ----+-> waiting_tell
 *   a new member of a group -------------> rooms of the group -----------------------+
 *   a day before the next deadline ------> the sweeper finds the WAITING item -------+
 *
 * Where several servers share the table, those that are the room's or found by one server are looked at
 * by each (txn_then_everywhere()): the one where the user watches tells them.
 *
 * Each of these only says when to look. waiting_tell decides by the items of the room as they are in
 * the table, and by the WAITING item of user and room, which it writes in the commit after which the
 * notification is sent. So what ends the server may lose one, and nobody gets two. Nobody is told of who
 * is not there: they are when they come.
 *
 * A story's deadline concerns those who have not voted on it. It is read from the story's own item, so
 * the WAITING item keeps no list of what was announced: a deadline was if the last notification is younger
 * than the day before it.
 *
 * Votes on stories that were skipped since may count for others: such a user is not notified.
 */
#include "server/domain/session/session.h"

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "server/domain/base/user_key.h"
#include "server/domain/directory.h"

enum {
	LOOK_SEATS = 32,
	LOOK_GROUPS = 64,
	LOOK_ROOMS = 32,
	LOOK_TOGETHER = 8, /* groups; a run reads TRANSACTION_PAGES at most */
	TELL_PAGE = STORE_QUERY_MAX,
	END_PAGE = 64
};

/* What has to be known of a room and a user. */
struct waiting {
	struct slice room_id, user_id;
	const struct room_item *room;	 /* NULL: it has ended */
	const struct waiting_item *told; /* NULL: never */
	bool is_wanted;			 /* the user may vote, and has not voted on everything */
	int64_t ends_at;		 /* the first deadline; 0: none */
	int64_t look_at;		 /* the first time that is a day before one; 0: none */
	bool is_last_day;		 /* of a deadline that was not announced */
};

static bool lives(const struct txn *t, const struct room_item *room)
{
	return room != NULL && room->expires_at > t->wall_ms;
}

static bool is_wanted(const struct room_item *room, const struct seat_item *seat, bool is_member)
{
	if (seat == NULL || seat->username.len == 0) {
		return is_member;
	}
	return seat->role == ROLE_VOTER && !seat->is_bot && !seat->is_waiting &&
	       (int64_t)seat->story_votes_n < room->stories_open;
}

/* One for which the user has voted is looked at as well: a vote can be retracted until then. */
static void take_deadline(const struct txn *t, struct waiting *w, int64_t ends_at, bool has_voted)
{
	int64_t day_before = ends_at - t->limits[LIMIT_WAITING_AGAIN_MS];
	if (ends_at <= t->wall_ms) {
		return;
	}
	if (day_before > t->wall_ms) {
		w->look_at = w->look_at == 0 || day_before < w->look_at ? day_before : w->look_at;
	} else if (!has_voted && (w->told == NULL || w->told->told_on < day_before)) {
		w->is_last_day = true;
	}
	if (!has_voted && (w->ends_at == 0 || ends_at < w->ends_at)) {
		w->ends_at = ends_at;
	}
}

static bool has_voted(const struct room_item *room, const struct seat_item *seat,
		      struct slice story_id)
{
	bool has = seat != NULL && seat->vote.len > 0 && slice_eq(story_id, room->story_id);
	for (size_t i = 0; seat != NULL && i < seat->story_votes_n && !has; i++) {
		has = slice_eq(story_id, seat->story_votes[i].story_id);
	}
	return has;
}

/* Those of stories that are hidden still. */
static void take_story_deadlines(struct txn *t, struct waiting *w, const struct seat_item *seat)
{
	struct txn_items found =
		txn_list(t, ITEM_STORY, w->room_id, &(struct txn_page){.limit = MAX_STORIES});
	for (size_t i = 0; i < found.n; i++) {
		const struct story_item *s = txn_decode(t, &found.items[i]);
		if (s == NULL || s->ends_at == 0 || s->is_removed ||
		    (s->status != STORY_TODO && s->status != STORY_VOTING)) {
			continue;
		}
		bool is_revealed =
			slice_eq(s->story_id, w->room->story_id)
				? w->room->is_revealed
				: txn_get(t, ITEM_STORY_VOTES, w->room_id, s->story_id) != NULL;
		if (!is_revealed) {
			take_deadline(t, w, s->ends_at, has_voted(w->room, seat, s->story_id));
		}
	}
}

/* Read both. TXN_MORE, or TXN_DONE. */
static enum txn_step read_waiting(struct txn *t, struct waiting *w)
{
	struct key_text key = user_key_hash_of_login(t->server_key, w->user_id, w->room_id);
	struct slice hash = txn_copy(t, slice_str(key.text));
	w->room = txn_get(t, ITEM_ROOM, w->room_id, NO_SK);
	w->told = txn_get(t, ITEM_WAITING, w->user_id, w->room_id);
	const struct seat_item *seat = txn_get(t, ITEM_SEAT, w->room_id, hash);
	bool is_barred = txn_get(t, ITEM_BARRED, w->room_id, hash) != NULL;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	bool is_of_group = lives(t, w->room) && w->room->group_id.len > 0;
	bool is_member =
		is_of_group && txn_get(t, ITEM_MEMBERSHIP, w->user_id, w->room->group_id) != NULL;
	w->is_wanted = lives(t, w->room) && w->room->policy.open_stories &&
		       w->room->stories_open > 0 && !is_barred &&
		       is_wanted(w->room, seat, is_member);
	if (lives(t, w->room) && w->room->policy.open_stories) {
		take_deadline(t, w, w->room->timer_reveals ? w->room->timer_ends_at : 0, false);
		take_story_deadlines(t, w, seat);
	}
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

static void tell(struct txn *t, const struct waiting *w)
{
	const struct room_item *room = w->room;
	const int64_t again_ms = t->limits[LIMIT_WAITING_AGAIN_MS];
	bool is_due = w->is_wanted && txn_user_is_watched(t, w->user_id) &&
		      (w->told == NULL || w->is_last_day);
	int64_t later =
		room->expires_at > t->wall_ms + again_ms ? room->expires_at : t->wall_ms + again_ms;
	struct waiting_item now = {.told_on = is_due ? t->wall_ms : 0,
				   .expires_at = w->look_at > 0 ? w->look_at : later};
	if (!is_due && (w->told == NULL || (w->told->expires_at > t->wall_ms &&
					    w->told->expires_at <= now.expires_at))) {
		return;
	}
	now.told_on = is_due ? now.told_on : w->told->told_on;
	txn_put(t, ITEM_WAITING, w->user_id, w->room_id, &now);
	if (is_due) {
		struct session_waiting notice = {
			.room_id = w->room_id,
			.title = room->title,
			.ends_at = w->ends_at,
			.with_ends_at = w->ends_at > 0,
		};
		txn_notify(t, w->user_id, NOTICE_SESSION_WAITING, &notice);
	}
}

/* Of what waiting_tell is given. */
static struct slice waiting_key(struct txn *t, struct slice room_id, struct slice user_id)
{
	char key[2 * CODE_CHARS_MAX + 2];
	size_t len = format_to(key, sizeof(key), "%.*s#%.*s", (int)room_id.len, room_id.data,
			       (int)user_id.len, user_id.data);
	return txn_copy(t, slice_of(key, len));
}

enum txn_step waiting_tell(struct txn *t)
{
	const struct txn_next *p = t->params;
	struct waiting w = {.room_id = follow_room(p->key), .user_id = follow_rest(p->key)};
	if (!txn_user_is_watched(t, w.user_id)) {
		return TXN_DONE;
	}
	enum txn_step step = read_waiting(t, &w);
	if (step == TXN_DONE && lives(t, w.room)) {
		tell(t, &w);
	}
	return step;
}

enum txn_step waiting_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	struct waiting w = {.room_id = item_sk_rest(found, ITEM_WAITING),
			    .user_id = item_pk_rest(found, ITEM_WAITING)};
	enum txn_step step = read_waiting(t, &w);
	if (step != TXN_DONE || w.told == NULL || w.told->expires_at > t->wall_ms) {
		return step;
	}
	if (lives(t, w.room)) {
		tell(t, &w);
		if (txn_has_others(t) && !txn_user_is_watched(t, w.user_id)) {
			txn_then_everywhere(t, w.user_id, waiting_tell,
					    waiting_key(t, w.room_id, w.user_id));
		}
	} else {
		txn_delete(t, ITEM_WAITING, w.user_id, w.room_id);
	}
	return TXN_DONE;
}

/* ---- whom, and of what ---- */

static void then_tell(struct txn *t, struct slice room_id, struct slice user_id)
{
	txn_then(t, user_id, waiting_tell, waiting_key(t, room_id, user_id));
}

static bool waits(const struct txn *t, const struct room_item *room)
{
	return lives(t, room) && room->policy.open_stories && room->stories_open > 0;
}

enum txn_step waiting_tell_group(struct txn *t)
{
	const struct txn_next *p = t->params;
	struct slice group_id = follow_rest(p->key);
	struct txn_range range = {.limit = TELL_PAGE};
	struct txn_items found;
	do {
		found = txn_query(t, INDEX_USERS_OF_GROUP, group_id, &range);
		if (txn_is_loading(t)) {
			return TXN_MORE;
		}
		struct slice user_id = {0};
		for (size_t i = 0; i < found.n; i++) {
			user_id = item_pk_rest(&found.items[i], ITEM_MEMBERSHIP);
			if (txn_user_is_watched(t, user_id)) {
				then_tell(t, follow_room(p->key), user_id);
			}
		}
		range.after = txn_place(t, group_id, found.end, ITEM_MEMBERSHIP, user_id, group_id);
	} while (found.has_more);
	return TXN_DONE;
}

/* In one run, so that a user of many groups is not looked at for as many round trips. */
enum txn_step waiting_look_at_groups(struct txn *t)
{
	const struct txn_next *p = t->params;
	struct slice user_id = follow_room(p->key);
	struct txn_items found[LOOK_TOGETHER];
	size_t n = 0;
	for (struct slice rest = follow_rest(p->key); rest.len > 0; rest = follow_rest(rest)) {
		ASSERT(n < LOOK_TOGETHER);
		found[n++] =
			txn_query(t, INDEX_ROOMS_OF_GROUP, follow_room(rest),
				  &(struct txn_range){.limit = LOOK_ROOMS, .is_descending = true});
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t g = 0; g < n; g++) {
		for (size_t i = 0; i < found[g].n; i++) {
			const struct store_item *room = &found[g].items[i];
			if (waits(t, txn_decode(t, room))) {
				then_tell(t, item_pk_rest(room, ITEM_ROOM), user_id);
			}
		}
	}
	return TXN_DONE;
}

/* So many of them as one run looks at. */
static void then_look_at_groups(struct txn *t, struct slice user_id,
				const struct store_item *groups, size_t n)
{
	char key[(LOOK_TOGETHER + 1) * (CODE_CHARS_MAX + 1) + 1];
	size_t len = format_to(key, sizeof(key), "%.*s", (int)user_id.len, user_id.data);
	for (size_t i = 0; i < n; i++) {
		struct slice group_id = item_sk_rest(&groups[i], ITEM_MEMBERSHIP);
		len += format_to(key + len, sizeof(key) - len, "#%.*s", (int)group_id.len,
				 group_id.data);
	}
	txn_then(t, user_id, waiting_look_at_groups, slice_of(key, len));
}

enum txn_step waiting_look(struct txn *t)
{
	const struct txn_next *p = t->params;
	struct slice user_id = txn_copy(t, p->key);
	struct txn_items seats =
		txn_query(t, INDEX_BY_ACCOUNT, user_id,
			  &(struct txn_range){.limit = LOOK_SEATS, .is_descending = true});
	struct txn_items groups =
		txn_list(t, ITEM_MEMBERSHIP, user_id, &(struct txn_page){.limit = LOOK_GROUPS});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < seats.n; i++) {
		then_tell(t, item_pk_rest(&seats.items[i], ITEM_SEAT), user_id);
	}
	for (size_t i = 0; i < groups.n; i += LOOK_TOGETHER) {
		size_t left = groups.n - i;
		then_look_at_groups(t, user_id, &groups.items[i],
				    left < LOOK_TOGETHER ? left : LOOK_TOGETHER);
	}
	return TXN_DONE;
}

/* ---- the end of a user ---- */

enum user_left waiting_end(struct txn *t, struct slice user_id)
{
	struct txn_items found =
		txn_list(t, ITEM_WAITING, user_id, &(struct txn_page){.limit = END_PAGE});
	if (txn_is_loading(t) || found.n == 0) {
		return USER_LEFT_NOTHING;
	}
	for (size_t i = 0; i < found.n; i++) {
		txn_delete(t, ITEM_WAITING, user_id, item_sk_rest(&found.items[i], ITEM_WAITING));
	}
	return USER_LEFT_MORE;
}
