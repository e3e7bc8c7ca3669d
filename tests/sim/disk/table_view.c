/*
 * table_view.c - a room as the simulator's copy of the disk has it, and what of
 * a room has to be there.
 */
#include "tests/sim/world/world.h"

#include <string.h>

#include "proto/base/assert.h"

static void table_view_seat(struct view *v, const struct table_row *row)
{
	ASSERT_CMP(v->n, <, SIM_SEATS_MAX);
	struct view_user *u = &v->users[v->n++];
	*u = (struct view_user){.has_name = row->has_name,
				.is_spectator = row->is_spectator,
				.is_bot = row->is_bot,
				.is_waiting = row->is_waiting};
	memcpy(u->user_id, row->user_id, sizeof(u->user_id));
	memcpy(u->username, row->username, sizeof(u->username));
	/* A card that the deck no longer has falls away where it would lie open. */
	bool is_open = v->is_revealed && !v->policy.anonymous;
	u->has_vote = row->has_vote && (!is_open || view_has_card(v, row->vote));
	u->is_host = row->is_cohost || strcmp(u->user_id, v->host) == 0;
	if (is_open && u->has_vote) {
		memcpy(u->vote, row->vote, sizeof(u->vote));
	}
}

static void table_view_story(struct view *v, const struct table *t, const struct table_row *row)
{
	char sk[64];
	struct arena arena = {0};
	struct fault fault;
	struct story_item item;
	struct view_story s = {0};
	const size_t prefix = sizeof("STORY#") - 1;
	ASSERT_CMP(v->stories_n, <, SIM_STORIES_MAX);
	enum err e = record_from_bytes(&record_story_item, slice_of(row->value, row->value_len),
				       RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	bool fits =
		view_text(s.story_id, sizeof(s.story_id), item.story_id) &&
		view_text(s.rank, sizeof(s.rank),
			  slice_of(row->sk + prefix, row->sk_len - prefix)) &&
		view_text(s.title, sizeof(s.title), item.title) &&
		view_text(s.key, sizeof(s.key), item.key) &&
		view_text(s.status, sizeof(s.status), words_story_status.list[item.status]) &&
		view_text(s.estimate, sizeof(s.estimate), item.estimate) &&
		view_text(s.container, sizeof(s.container), item.item.container_id) &&
		view_text(s.item, sizeof(s.item), item.item.item_id) &&
		view_text(s.reason, sizeof(s.reason),
			  item.with_unsaved_reason ? words_unsaved_reason.list[item.unsaved_reason]
						   : SLICE(""));
	ASSERT(fits);
	size_t len =
		(size_t)snprintf(sk, sizeof(sk), "%s%s", item_rows[ITEM_UNSAVED].sk, s.story_id);
	s.is_unsaved =
		item.with_unsaved_reason || table_find(t, row_pk(row), slice_of(sk, len)) != NULL;
	s.is_removed = item.is_removed;
	s.ends_at = item.ends_at;
	arena_finish(&arena);
	view_put_story(v, &s);
}

/* A seat's votes on stories that are not at the table. */
static void table_view_seat_votes(struct view *v, const struct table_row *row)
{
	struct arena arena = {0};
	struct fault fault;
	struct seat_item item;
	bool counts = !row->is_spectator && (!row->is_bot || v->policy.bots_count);
	struct view_user *u = view_user(v, row->user_id);
	enum err e = record_from_bytes(&record_seat_item, slice_of(row->value, row->value_len),
				       RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	for (size_t i = 0; i < item.story_votes_n; i++) {
		for (size_t k = 0; k < v->stories_n; k++) {
			struct view_story *s = &v->stories[k];
			if (slice_eq(slice_str(s->story_id), item.story_votes[i].story_id)) {
				s->voted += counts;
				u->stories_voted += !v->policy.hide_who_voted &&
						    view_story_is_open(v, s->story_id);
			}
		}
	}
	arena_finish(&arena);
}

/* What was revealed of a story: it stays when members leave. */
static void table_view_shown(struct view *v, const struct table_row *row)
{
	struct arena arena = {0};
	struct fault fault;
	struct story_votes_item item;
	struct story_votes votes;
	bool is_read =
		record_from_bytes(&record_story_votes_item, slice_of(row->value, row->value_len),
				  RECORD_STRICT, &arena, &item, &fault) == OK &&
		record_from_bytes(&record_story_votes, item.votes, RECORD_STRICT, &arena, &votes,
				  &fault) == OK;
	ASSERT(is_read);
	for (size_t k = 0; k < v->stories_n; k++) {
		if (slice_eq(slice_str(v->stories[k].story_id), votes.story_id)) {
			v->stories[k].voted = (int32_t)votes.voted;
			v->stories[k].shown = view_shown_votes(&votes);
		}
	}
	arena_finish(&arena);
}

/* Of a round without names: what it said at its reveal. */
static uint64_t table_result(const struct room_item *item)
{
	struct arena arena = {0};
	struct fault fault;
	struct room_result result;
	uint64_t hash = 0;
	if (item->with_result) {
		enum err e = record_from_bytes(&record_room_result, item->result, RECORD_STRICT,
					       &arena, &result, &fault);
		ASSERT_CMP(e, ==, OK);
		hash = view_result(&result);
	}
	arena_finish(&arena);
	return hash;
}

/* A vote of the open round that no seat has was left. */
static void table_view_left(struct view *v, const struct table *t, struct slice pk, int64_t n)
{
	char sk[32];
	struct arena arena = {0};
	struct fault fault;
	struct round_item item;
	struct round_view round;
	int len = snprintf(sk, sizeof(sk), "%s%010lld", item_rows[ITEM_ROUND].sk, (long long)n);
	const struct table_row *row = table_find(t, pk, slice_of(sk, (size_t)len));
	bool is_read = v->is_revealed && !v->policy.anonymous && row != NULL &&
		       record_from_bytes(&record_round_item, slice_of(row->value, row->value_len),
					 RECORD_STRICT, &arena, &item, &fault) == OK &&
		       record_from_bytes(&record_round_view, item.round, RECORD_STRICT, &arena,
					 &round, &fault) == OK;
	for (size_t i = 0; is_read && i < round.votes_n; i++) {
		char id[20];
		char card[SIM_CARD_BYTES];
		(void)view_text(id, sizeof(id), round.votes[i].user_id);
		(void)view_text(card, sizeof(card), round.votes[i].vote);
		const struct table_row *seat = table_seat(t, pk, id);
		if ((seat == NULL || !seat->has_vote) && view_has_card(v, card)) {
			ASSERT(view_put_left(v, &round.votes[i]));
		}
	}
	arena_finish(&arena);
}

bool table_view(const struct table *t, const char *room_id, struct view *out)
{
	char text[32];
	struct slice pk = table_pk(text, room_id);
	memset(out, 0, sizeof(*out));
	out->is_without_data = true; /* looked at after crashes */
	const struct table_row *row = table_find(t, pk, SLICE("ROOM"));
	if (row == NULL) {
		return false;
	}
	struct arena arena = {0};
	struct fault fault;
	struct room_item item;
	enum err e = record_from_bytes(&record_room_item, slice_of(row->value, row->value_len),
				       RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	out->is_known = true;
	out->result = table_result(&item);
	policy_defaults(&out->policy);
#define FLAG(F, field, flag, ...) \
	out->policy.flag = item.policy.with_##flag ? item.policy.flag : out->policy.flag;
	POLICY_FLAGS(FLAG, _)
#undef FLAG
	out->policy.quorum = item.policy.quorum;
	out->policy.has_passcode = item.policy.with_passcode;
	if (item.policy.with_who_edits_data) {
		out->policy.data_editors = item.policy.who_edits_data;
	}
	out->can_undo = item.with_undo;
	out->has_title = item.title.data != NULL;
	view_deck_text(out->deck, item.valid_sizes);
	view_deck_text(out->reactions, item.reactions);
	bool fits = view_text(out->title, sizeof(out->title), item.title) &&
		    view_text(out->link_template, sizeof(out->link_template), item.link_template) &&
		    view_text(out->host, sizeof(out->host), item.host_user_id);
#define TAKE_BOOL(name)		      out->name = item.name;
#define TAKE_INT(name)		      out->name = item.name;
#define TAKE_TEXT(name)		      fits = view_text(out->name, sizeof(out->name), item.name) && fits;
#define TAKE(KIND, name, bytes, VIEW) TAKE_##KIND(name)
	ROOM_FIELDS(TAKE)
	ASSERT(fits);
	arena_finish(&arena);
	for (size_t i = 0; i < t->n; i++) {
		if (t->rows[i].kind == ITEM_SEAT && slice_eq(row_pk(&t->rows[i]), pk)) {
			table_view_seat(out, &t->rows[i]);
		} else if (t->rows[i].kind == ITEM_STORY && slice_eq(row_pk(&t->rows[i]), pk)) {
			table_view_story(out, t, &t->rows[i]);
		}
	}
	for (size_t i = 0; i < t->n; i++) {
		if (t->rows[i].has_story_votes && slice_eq(row_pk(&t->rows[i]), pk)) {
			table_view_seat_votes(out, &t->rows[i]);
		}
	}
	for (size_t i = 0; i < t->n; i++) {
		if (t->rows[i].kind == ITEM_STORY_VOTES && slice_eq(row_pk(&t->rows[i]), pk)) {
			table_view_shown(out, &t->rows[i]);
		}
	}
	table_view_left(out, t, pk, out->round);
	for (size_t i = 0; i < out->n && view_hides_voters(out); i++) {
		struct view_user *u = &out->users[i];
		out->votes_n += u->has_vote && (!u->is_bot || out->policy.bots_count);
		u->has_vote = false;
	}
	return true;
}

/* The result, where nothing changes it any more. */
static uint64_t view_fixed(const struct view *v)
{
	return v->is_revealed && v->policy.anonymous ? v->result : 0;
}

/* Member by member, as in view_policy_eq(). */
static uint64_t policy_hash(uint64_t h, const struct policy *p)
{
	h = sim_hash_u64(h, (uint64_t)p->data_editors * 2 + p->has_passcode);
	h = sim_hash_u64(h, (uint64_t)p->quorum);
#define POLICY_HASH(F, field, member, ...) h = sim_hash_u64(h, p->member);
	POLICY_FLAGS(POLICY_HASH, _)
#undef POLICY_HASH
	return h;
}

/* Users in any order: their hashes are added. Of the HIDDEN fields only the timer is seen, and part of it. */
uint64_t view_durable_hash(const struct view *v)
{
	uint64_t h = sim_hash_u64(SIM_HASH_START, v->has_title);
#define HASH_BOOL(name)	 h = sim_hash_u64(h, v->name);
#define HASH_INT(name)	 h = sim_hash_u64(h, (uint64_t)v->name);
#define HASH_TEXT(name)	 h = sim_hash(h, v->name, strlen(v->name) + 1);
#define HASH_SHOWN(hash) hash
#define HASH_HIDDEN(hash)
#define HASH(KIND, name, bytes, VIEW) HASH_##VIEW(HASH_##KIND(name))
	ROOM_FIELDS(HASH)
	h = sim_hash_u64(h, (uint64_t)v->timer_ends_at * 2 + v->timer_reveals);
	h = sim_hash(h, v->title, strlen(v->title));
	h = sim_hash(h, v->link_template, strlen(v->link_template));
	h = sim_hash(h, v->deck, strlen(v->deck));
	h = sim_hash(h, v->reactions, strlen(v->reactions));
	h = sim_hash(h, v->host, strlen(v->host));
	uint64_t users = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct view_user *u = &v->users[i];
		if (!view_keeps(v, u)) {
			continue;
		}
		uint64_t one = sim_hash(SIM_HASH_START, u->user_id, strlen(u->user_id));
		one = sim_hash(one, u->username, strlen(u->username));
		one = sim_hash(one, u->vote, strlen(u->vote));
		one = sim_hash_u64(one, (uint64_t)u->stories_voted);
		/* In a group's room owners lead too, which the disk does not have. */
		bool is_host = u->is_host && v->group_id[0] == '\0';
		users += sim_hash_u64(one, u->is_waiting * 32u + is_host * 16u + u->has_name * 8u +
						   u->is_spectator * 4u + u->is_bot * 2u +
						   u->has_vote);
	}
	h = sim_hash(h, v->stories, v->stories_n * sizeof(v->stories[0]));
	h = policy_hash(h, &v->policy);
	h = sim_hash_u64(h, view_fixed(v));
	h = sim_hash_u64(h, (uint64_t)v->votes_n);
	h = sim_hash_u64(h, v->can_undo);
	return sim_hash_u64(h, users);
}

/* Whoever followed a host since then has rights that this state does not show; the owners of a room's group have some
 * that the disk does not have. */
static bool rights_differ(const struct view_user *u, const struct view *other,
			  const struct view_user *on_disk)
{
	return u->is_host ? !on_disk->is_host && other->group_id[0] == '\0'
			  : on_disk->is_host && strcmp(other->host, on_disk->user_id) != 0;
}

static const char *seat_differs(const struct view_user *u, const struct view_user *on_disk)
{
	if (on_disk == NULL) {
		return "a seat";
	}
	if (u->has_name != on_disk->has_name || strcmp(u->username, on_disk->username) != 0) {
		return "a name";
	}
	/* A seat without a name that nothing else keeps is not stored: taken again, it is a new one. */
	if (u->has_name &&
	    (u->is_spectator != on_disk->is_spectator || u->is_bot != on_disk->is_bot)) {
		return "a role";
	}
	if (u->has_vote != on_disk->has_vote || strcmp(u->vote, on_disk->vote) != 0) {
		return "a vote";
	}
	if (u->stories_voted != on_disk->stories_voted) {
		return "on how many stories a seat has voted";
	}
	if (u->is_waiting != on_disk->is_waiting) {
		return "who is let in";
	}
	return NULL;
}

const char *view_differs(const struct view *v, const struct view *other)
{
	if (!view_eq_data(v, other)) {
		return "the shared data";
	}
	if (v->is_revealed != other->is_revealed || v->round != other->round) {
		return "the round or the reveal";
	}
	if (strcmp(v->title, other->title) != 0 || strcmp(v->deck, other->deck) != 0 ||
	    strcmp(v->link_template, other->link_template) != 0 ||
	    strcmp(v->reactions, other->reactions) != 0) {
		return "the title, the links, the deck or the reactions";
	}
	if (v->stories_n != other->stories_n ||
	    memcmp(v->stories, other->stories, v->stories_n * sizeof(v->stories[0])) != 0) {
		return "the stories";
	}
	if (!view_policy_eq(&v->policy, &other->policy) ||
	    strcmp(v->story_id, other->story_id) != 0 || v->is_armed != other->is_armed ||
	    v->can_undo != other->can_undo) {
		return "the policy or the round's story";
	}
	if (view_field_differs(v, other) != NULL) {
		return view_field_differs(v, other);
	}
	if (v->votes_n != other->votes_n) {
		return "how many have voted";
	}
	if (view_fixed(v) != view_fixed(other)) {
		return "the result of the round without names";
	}
	if (v->host[0] != '\0' && strcmp(v->host, other->host) != 0) {
		return "the host";
	}
	const char *wrong = v->left_n == other->left_n ? NULL : "how many have left their cards";
	for (size_t i = 0; i < v->left_n && wrong == NULL; i++) {
		const struct view_left *l = &v->left[i];
		const struct view_left *on_disk = view_left(other, l->user_id);
		bool is_same =
			on_disk != NULL && strcmp(on_disk->username, l->username) == 0 &&
			strcmp(on_disk->vote, l->vote) == 0 && on_disk->is_bot == l->is_bot &&
			on_disk->is_changed == l->is_changed &&
			on_disk->confidence == l->confidence && on_disk->comment == l->comment;
		wrong = is_same ? NULL : "a card that was left";
	}
	for (size_t i = 0; i < v->n && wrong == NULL; i++) {
		const struct view_user *u = &v->users[i];
		const struct view_user *on_disk = view_user_const(other, u->user_id);
		if (on_disk == NULL && !view_keeps(v, u)) {
			continue;
		}
		wrong = seat_differs(u, on_disk);
		if (wrong == NULL && rights_differ(u, other, on_disk)) {
			wrong = "a host's rights";
		}
	}
	return wrong;
}

const char *table_differs(const struct table *t, const char *room_id, const struct view *v)
{
	static struct view on_disk; /* too large for the stack of every caller */
	if (!table_view(t, room_id, &on_disk)) {
		return "the room";
	}
	const char *wrong = view_differs(v, &on_disk);
	if (wrong == NULL && v->host[0] == '\0' && on_disk.host[0] != '\0') {
		return "the end of the host";
	}
	for (size_t i = 0; i < on_disk.n && wrong == NULL; i++) {
		wrong = view_user_const(v, on_disk.users[i].user_id) == NULL ? "the end of a seat"
									     : NULL;
	}
	return wrong;
}
