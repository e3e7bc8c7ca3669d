/*
 * view.c - applying updates, comparing views.
 */
#include "tests/sim/net/view.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/buf.h"
#include "proto/text/decimal.h"
#include "proto/text/text.h"
#include "tests/sim/world/dice.h"

void view_copy(struct view *to, const struct view *from)
{
	size_t had = to->n;
	size_t stories_had = to->stories_n;
	memcpy(to, from,
	       offsetof(struct view, stories) + from->stories_n * sizeof(from->stories[0]));
	if (stories_had > from->stories_n) {
		memset(&to->stories[from->stories_n], 0,
		       (stories_had - from->stories_n) * sizeof(to->stories[0]));
	}
	to->n = from->n;
	memcpy(to->users, from->users, from->n * sizeof(from->users[0]));
	if (had > from->n) {
		memset(&to->users[from->n], 0, (had - from->n) * sizeof(to->users[0]));
	}
}

const char *view_field_differs(const struct view *a, const struct view *b)
{
#define SAME_BOOL(name) a->name == b->name
#define SAME_INT(name)	a->name == b->name
#define SAME_TEXT(name) strcmp(a->name, b->name) == 0
#define CHECK_SHOWN(same, name)                \
	if (!(same)) {                         \
		differs = "the room's " #name; \
	}
#define CHECK_HIDDEN(same, name)
#define CHECK(KIND, name, bytes, VIEW) CHECK_##VIEW(SAME_##KIND(name), name)
	const char *differs = NULL;
	ROOM_FIELDS(CHECK)
	return differs;
}

bool view_policy_eq(const struct policy *a, const struct policy *b)
{
	bool is_same = a->data_editors == b->data_editors && a->quorum == b->quorum &&
		       a->has_passcode == b->has_passcode;
#define POLICY_SAME(F, field, member, ...) is_same = is_same && a->member == b->member;
	POLICY_FLAGS(POLICY_SAME, _)
#undef POLICY_SAME
	return is_same;
}

static bool view_eq_play(const struct view *a, const struct view *b)
{
	return view_field_differs(a, b) == NULL && view_policy_eq(&a->policy, &b->policy) &&
	       a->can_undo == b->can_undo && a->timer_reveals == b->timer_reveals &&
	       a->timer_ends_at == b->timer_ends_at && a->story_round == b->story_round &&
	       a->stories_n == b->stories_n &&
	       memcmp(a->stories, b->stories, a->stories_n * sizeof(a->stories[0])) == 0;
}

bool view_eq(const struct view *a, const struct view *b)
{
	return view_eq_play(a, b) && view_eq_data(a, b) && a->is_known == b->is_known &&
	       a->epoch == b->epoch && a->version == b->version && a->countdown == b->countdown &&
	       a->n == b->n && a->has_title == b->has_title && strcmp(a->title, b->title) == 0 &&
	       strcmp(a->link_template, b->link_template) == 0 && strcmp(a->deck, b->deck) == 0 &&
	       strcmp(a->reactions, b->reactions) == 0 && strcmp(a->host, b->host) == 0 &&
	       a->result == b->result && a->votes == b->votes && a->votes_n == b->votes_n &&
	       a->withdrawn == b->withdrawn && a->left_n == b->left_n &&
	       memcmp(a->left, b->left, a->left_n * sizeof(a->left[0])) == 0 &&
	       memcmp(a->users, b->users, a->n * sizeof(a->users[0])) == 0;
}

const struct view_user *view_user_const(const struct view *v, const char *user_id)
{
	for (size_t i = 0; i < v->n; i++) {
		if (strcmp(v->users[i].user_id, user_id) == 0) {
			return &v->users[i];
		}
	}
	return NULL;
}

struct view_user *view_user(struct view *v, const char *user_id)
{
	for (size_t i = 0; i < v->n; i++) {
		if (strcmp(v->users[i].user_id, user_id) == 0) {
			return &v->users[i];
		}
	}
	return NULL;
}

const struct view_left *view_left(const struct view *v, const char *user_id)
{
	for (size_t i = 0; i < v->left_n; i++) {
		if (strcmp(v->left[i].user_id, user_id) == 0) {
			return &v->left[i];
		}
	}
	return NULL;
}

bool view_put_left(struct view *v, const struct round_vote *vote)
{
	struct view_left one = {.is_bot = vote->is_bot,
				.is_changed = vote->is_changed,
				.confidence = (int32_t)vote->confidence};
	if (v->left_n == SIM_SEATS_MAX ||
	    !view_text(one.user_id, sizeof(one.user_id), vote->user_id) ||
	    !view_text(one.username, sizeof(one.username), vote->username) ||
	    !view_text(one.vote, sizeof(one.vote), vote->vote)) {
		return false;
	}
	if (vote->comment.data != NULL) {
		one.comment = sim_hash(SIM_HASH_START, vote->comment.data, vote->comment.len);
	}
	v->left[v->left_n++] = one;
	return true;
}

bool view_text(char *out, size_t cap, struct slice in)
{
	memset(out, 0, cap);
	if (in.len >= cap) {
		return false;
	}
	if (in.len > 0) {
		memcpy(out, in.data, in.len);
	}
	return true;
}

bool view_hides_voters(const struct view *v)
{
	return v->policy.hide_who_voted && !v->is_revealed;
}

bool view_is_name_for(const char *wanted, const char *name)
{
	size_t len = strlen(wanted);
	int64_t n;
	return strncmp(name, wanted, len) == 0 &&
	       (name[len] == '\0' ||
		(name[len] == ' ' && decimal_read(slice_str(name + len + 1), 2, INT64_MAX, &n)));
}

/* Two members have what is the same name but for case and width. */
static bool view_has_names_twice(const struct view *v)
{
	char folded[SIM_SEATS_MAX][96];
	size_t n = 0;
	for (size_t i = 0; i < v->n; i++) {
		size_t len = 0;
		if (!v->users[i].has_name) {
			continue;
		}
		enum err e = text_fold(slice_str(v->users[i].username), folded[n],
				       sizeof(folded[n]) - 1, &len);
		ASSERT_CMP(e, ==, OK);
		folded[n][len] = '\0';
		for (size_t k = 0; k < n; k++) {
			if (strcmp(folded[k], folded[n]) == 0) {
				return true;
			}
		}
		n++;
	}
	return false;
}

int64_t view_voters(const struct view *v)
{
	int64_t n = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct view_user *u = &v->users[i];
		n += u->has_name && !u->is_waiting && !u->is_spectator &&
		     (!u->is_bot || v->policy.bots_count);
	}
	return n;
}

void view_deck_text(char out[256], struct slices cards)
{
	size_t at = 1;
	memset(out, 0, 256);
	out[0] = ' ';
	for (size_t i = 0; i < cards.n && at + cards.items[i].len + 2 < 256; i++) {
		memcpy(out + at, cards.items[i].data, cards.items[i].len);
		at += cards.items[i].len;
		out[at++] = ' ';
	}
}

bool view_has_card(const struct view *v, const char *card)
{
	char padded[SIM_CARD_BYTES + 3];
	size_t len = strlen(card);
	if (len == 0 || len >= SIM_CARD_BYTES) {
		return false;
	}
	padded[0] = ' ';
	memcpy(padded + 1, card, len);
	memcpy(padded + 1 + len, " ", 2);
	return strstr(v->deck, padded) != NULL;
}

size_t view_cards(const struct view *v, char cards[][SIM_CARD_BYTES], size_t max)
{
	size_t n = 0;
	const char *at = v->deck + 1;
	while (v->deck[0] == ' ' && *at != '\0' && n < max) {
		size_t len = strcspn(at, " ");
		if (len == 0 || len >= SIM_CARD_BYTES) {
			break;
		}
		memcpy(cards[n], at, len);
		cards[n++][len] = '\0';
		at += len + 1;
	}
	return n;
}

const struct view_story *view_story(const struct view *v, const char *story_id)
{
	for (size_t i = 0; i < v->stories_n; i++) {
		if (strcmp(v->stories[i].story_id, story_id) == 0) {
			return &v->stories[i];
		}
	}
	return NULL;
}

bool view_story_is_open(const struct view *v, const char *story_id)
{
	const struct view_story *s = view_story(v, story_id);
	return v->policy.open_stories && s != NULL && !s->is_removed &&
	       strcmp(s->status, "todo") == 0;
}

size_t view_counts_open(const struct view *v)
{
	size_t n = 0;
	for (size_t i = 0; i < v->stories_n; i++) {
		n += view_story_is_open(v, v->stories[i].story_id);
	}
	return n;
}

bool view_keeps_votes(const struct view *v)
{
	return v->policy.keep_votes || v->policy.open_stories;
}

uint64_t view_shown_votes(const struct story_votes *votes)
{
	if (!votes->with_revealed_at || votes->revealed_at == 0) {
		return 0;
	}
	struct buf b = {.max = 1u << 20};
	record_write(&record_story_votes, votes, &b);
	uint64_t hash = sim_hash(SIM_HASH_START, b.data, b.len);
	buf_finish(&b);
	return hash;
}

static void view_drop_story(struct view *v, const char *story_id)
{
	for (size_t i = 0; i < v->stories_n; i++) {
		if (strcmp(v->stories[i].story_id, story_id) == 0) {
			v->stories_n--;
			memmove(&v->stories[i], &v->stories[i + 1],
				(v->stories_n - i) * sizeof(v->stories[0]));
			memset(&v->stories[v->stories_n], 0, sizeof(v->stories[0]));
			return;
		}
	}
}

/* To its place by rank. */
void view_put_story(struct view *v, const struct view_story *s)
{
	size_t at = 0;
	view_drop_story(v, s->story_id);
	while (at < v->stories_n && strcmp(v->stories[at].rank, s->rank) < 0) {
		at++;
	}
	memmove(&v->stories[at + 1], &v->stories[at], (v->stories_n - at) * sizeof(v->stories[0]));
	v->stories[at] = *s;
	v->stories_n++;
}

static const char *view_apply_story(struct view *v, const struct story_view *s)
{
	struct view_story one = {.ends_at = s->with_ends_at ? s->ends_at : 0,
				 .is_removed = s->is_removed,
				 .is_unsaved = s->is_unsaved};
	struct slice reason =
		s->with_unsaved_reason ? words_unsaved_reason.list[s->unsaved_reason] : SLICE("");
	if (!view_text(one.story_id, sizeof(one.story_id), s->story_id) ||
	    !view_text(one.rank, sizeof(one.rank), s->rank) ||
	    !view_text(one.title, sizeof(one.title), s->title) ||
	    !view_text(one.key, sizeof(one.key), s->key) ||
	    !view_text(one.status, sizeof(one.status), words_story_status.list[s->status]) ||
	    !view_text(one.estimate, sizeof(one.estimate), s->estimate) ||
	    !view_text(one.container, sizeof(one.container), s->item.container_id) ||
	    !view_text(one.item, sizeof(one.item), s->item.item_id) ||
	    !view_text(one.reason, sizeof(one.reason), reason)) {
		return "a story longer than any that was ever sent";
	}
	const struct view_story *was = view_story(v, one.story_id);
	if (v->stories_n == SIM_STORIES_MAX && was == NULL) {
		return "more stories than were ever added";
	}
	one.voted = was == NULL ? 0 : was->voted;
	one.shown = was == NULL ? 0 : was->shown;
	view_put_story(v, &one);
	return NULL;
}

/* Of a story that is not at the table, whole. */
static const char *view_apply_story_votes(struct view *v, const struct story_votes *votes)
{
	for (size_t i = 0; i < v->stories_n; i++) {
		struct view_story *s = &v->stories[i];
		if (!slice_eq(slice_str(s->story_id), votes->story_id)) {
			continue;
		}
		bool is_shown = votes->with_revealed_at && votes->revealed_at > 0;
		if (!is_shown && (votes->votes_n > 0 || votes->with_result)) {
			return "votes on a story are shown before their reveal";
		}
		for (size_t k = 0; k < votes->votes_n && v->policy.anonymous; k++) {
			if (votes->votes[k].user_id.len > 0 || votes->votes[k].username.len > 0) {
				return "votes on a story are shown with names, where there are "
				       "none";
			}
		}
		s->voted = (int32_t)votes->voted;
		s->shown = view_shown_votes(votes);
		return NULL;
	}
	return "votes on a story that was never told of";
}

static const char *view_stories_flaw(const struct view *v)
{
	for (size_t i = 0; i + 1 < v->stories_n; i++) {
		if (strcmp(v->stories[i].rank, v->stories[i + 1].rank) >= 0) {
			return "two stories with one rank: their order is not certain";
		}
		for (size_t k = i + 1; k < v->stories_n; k++) {
			/* Those that have the names of items may be called alike. */
			if (v->stories[i].item[0] == '\0' &&
			    strcmp(v->stories[i].title, v->stories[k].title) == 0) {
				return "a story is repeated";
			}
		}
	}
	const struct view_story *at_table = view_story(v, v->story_id);
	if (v->story_id[0] != '\0' && at_table == NULL) {
		return "what is voted on is not one of the stories";
	}
	if (at_table != NULL && (at_table->voted > 0 || at_table->shown != 0)) {
		return "the story at the table has votes elsewhere";
	}
	return NULL;
}

uint64_t view_result(const struct room_result *result)
{
	struct buf b = {.max = 1u << 20};
	record_write(&record_room_result, result, &b);
	uint64_t hash = sim_hash(SIM_HASH_START, b.data, b.len);
	buf_finish(&b);
	return hash;
}

static const char *view_apply_room(struct view *v, const struct room_view *r)
{
	v->result = r->with_result ? view_result(&r->result) : 0;
	v->votes = r->with_result ? r->result.votes : 0;
	v->withdrawn = r->with_result ? r->result.withdrawn : 0;
	bool fits = true;
#define TAKE_SHOWN_BOOL(name) v->name = r->name;
#define TAKE_SHOWN_INT(name)  v->name = r->name;
#define TAKE_SHOWN_TEXT(name) fits = view_text(v->name, sizeof(v->name), r->name) && fits;
#define TAKE_HIDDEN_BOOL(name)
#define TAKE_HIDDEN_INT(name)
#define TAKE_HIDDEN_TEXT(name)
#define TAKE(KIND, name, bytes, VIEW) TAKE_##VIEW##_##KIND(name)
	ROOM_FIELDS(TAKE)
	policy_from_view(&r->policy, &v->policy);
	v->can_undo = r->can_undo;
	v->timer_ends_at = r->with_timer ? r->timer.ends_at : 0;
	v->timer_reveals = r->with_timer && r->timer.reveal_at_zero;
	v->story_round = r->story_round;
	v->countdown = r->with_countdown ? r->countdown.token : 0;
	v->has_title = r->title.data != NULL;
	view_deck_text(v->deck, r->valid_sizes);
	view_deck_text(v->reactions, r->reactions);
	if (r->phase != (r->is_revealed	     ? PHASE_REVEALED
			 : v->countdown != 0 ? PHASE_COUNTDOWN
					     : PHASE_VOTING)) {
		return "a phase that is not the room's";
	}
	if (r->with_result != r->is_revealed) {
		return "a result that does not go with the reveal";
	}
	if (!fits || !view_text(v->title, sizeof(v->title), r->title) ||
	    !view_text(v->link_template, sizeof(v->link_template), r->link_template) ||
	    !view_text(v->host, sizeof(v->host), r->host_user_id) ||
	    !view_text(v->next_host, sizeof(v->next_host), r->next_host_user_id)) {
		return "a title, template or user_id longer than any that was ever sent";
	}
	return NULL;
}

/* What an update does not say of a user stays as it was. */
static void view_merge_user(struct view_user *to, const struct user_view *u)
{
	to->has_name = u->with_username ? u->username.data != NULL : to->has_name;
	to->is_spectator = u->with_role ? u->role == ROLE_SPECTATOR : to->is_spectator;
	to->is_bot = u->with_is_bot ? u->is_bot : to->is_bot;
	to->is_connected = u->with_is_connected ? u->is_connected : to->is_connected;
	to->away_since = u->with_away_since ? u->away_since : to->away_since;
	to->is_host = u->with_is_host ? u->is_host : to->is_host;
	to->has_vote = u->with_has_vote ? u->has_vote : to->has_vote;
	to->is_waiting = u->with_is_waiting ? u->is_waiting : to->is_waiting;
	if (u->with_comment) {
		to->comment = sim_hash(SIM_HASH_START, u->comment.data, u->comment.len);
		to->comment = u->comment.data == NULL ? 0 : to->comment;
	}
	to->confidence = u->with_confidence ? (int32_t)u->confidence : to->confidence;
	to->is_changed = u->with_is_changed ? u->is_changed : to->is_changed;
	to->stories_voted = u->with_stories_voted ? (int32_t)u->stories_voted : to->stories_voted;
}

static void view_clear_votes(struct view *v)
{
	for (size_t i = 0; i < v->n; i++) {
		struct view_user *u = &v->users[i];
		memset(u->vote, 0, sizeof(u->vote));
		u->has_vote = u->is_changed = false;
		u->comment = 0;
		u->confidence = 0;
	}
}

static const char *view_apply_user(struct view *v, const struct user_view *u)
{
	char user_id[20];
	if (!view_text(user_id, sizeof(user_id), u->user_id)) {
		return "a user_id longer than they are";
	}
	struct view_user *to = view_user(v, user_id);
	if (to == NULL) {
		if (v->n == SIM_SEATS_MAX) {
			return "more seats than the room takes";
		}
		if (!u->with_username || !u->with_role || !u->with_is_bot ||
		    !u->with_is_connected || !u->with_is_host ||
		    u->with_has_vote == view_hides_voters(v)) {
			return "a user who was never told of, and is in part";
		}
		to = &v->users[v->n++];
		memset(to, 0, sizeof(*to));
		memcpy(to->user_id, user_id, sizeof(user_id));
	}
	view_merge_user(to, u);
	if ((u->with_username && !view_text(to->username, sizeof(to->username), u->username)) ||
	    (u->with_vote && !view_text(to->vote, sizeof(to->vote), u->vote))) {
		return "a name or vote longer than any that was ever sent";
	}
	return NULL;
}

static const char *view_remove_user(struct view *v, struct slice user_id)
{
	for (size_t i = 0; i < v->n; i++) {
		if (slice_eq(slice_str(v->users[i].user_id), user_id)) {
			v->n--;
			memmove(&v->users[i], &v->users[i + 1], (v->n - i) * sizeof(v->users[0]));
			memset(&v->users[v->n], 0, sizeof(v->users[0]));
			return NULL;
		}
	}
	return NULL; /* came and went between two updates: nobody missed anything */
}

static const char *view_begin(struct view *v, const struct room_update *u)
{
	if (u->with_full && u->full) {
		if (u->since != u->version) {
			return "a full update whose since is not its version";
		}
		if (!u->with_room) {
			return "a full update without the room";
		}
		if (v->is_known && v->epoch == u->epoch && u->version < v->version) {
			return "a full update older than what was known";
		}
		memset(v, 0, sizeof(*v));
		v->is_known = true;
		return NULL;
	}
	if (!v->is_known) {
		return "a partial update before any full one";
	}
	if (u->epoch != v->epoch) {
		return "a partial update of another epoch";
	}
	if (u->since < v->version) {
		return "versions repeat: since is older than what was known";
	}
	if (u->since > v->version) {
		return "versions have a gap: since is newer than what was known";
	}
	if (u->version <= u->since) {
		return "an update that brings no new version";
	}
	return NULL;
}

const char *view_apply(struct view *v, const struct room_update *u, bool lenient)
{
	if (lenient && !u->full && v->is_known && u->epoch == v->epoch &&
	    u->version <= v->version) {
		return NULL;
	}
	const char *wrong = view_begin(v, u);
	if (wrong == NULL && u->with_room) {
		wrong = view_apply_room(v, &u->room);
	}
	/* The gone go first: a seat that was given up makes room in a full house. */
	for (size_t i = 0; wrong == NULL && i < u->gone.n; i++) {
		wrong = view_remove_user(v, u->gone.items[i]);
	}
	/* An update of shared data alone, which may have been left out, has no number. */
	bool is_of_room = u->full || u->with_room || u->users_n > 0 || u->gone.n > 0 ||
			  u->stories_n > 0 || u->story_votes_n > 0;
	if (wrong == NULL && u->with_votes_n != view_hides_voters(v) &&
	    (u->with_votes_n || is_of_room)) {
		wrong = "the number of votes goes with nobody knowing whose they are";
	}
	v->votes_n = u->with_votes_n ? u->votes_n : view_hides_voters(v) ? v->votes_n : 0;
	if (u->votes_cleared || u->with_votes_n) {
		view_clear_votes(v);
	}
	for (size_t i = 0; wrong == NULL && i < u->users_n; i++) {
		wrong = view_apply_user(v, &u->users[i]);
	}
	for (size_t i = 0; i < v->n && v->policy.hide_who_voted; i++) {
		v->users[i].stories_voted = 0;
	}
	v->left_n = u->left_cleared ? 0 : v->left_n;
	for (size_t i = 0; wrong == NULL && i < u->left_votes_n; i++) {
		wrong = view_put_left(v, &u->left_votes[i]) ? NULL : "a card left that nobody laid";
	}
	for (size_t i = 0; wrong == NULL && i < u->stories_n; i++) {
		wrong = view_apply_story(v, &u->stories[i]);
	}
	for (size_t i = 0; wrong == NULL && i < u->story_votes_n; i++) {
		wrong = view_apply_story_votes(v, &u->story_votes[i]);
	}
	for (size_t i = 0; wrong == NULL && i < u->data_n; i++) {
		wrong = view_apply_data(v, &u->data[i]);
	}
	v->epoch = u->epoch;
	v->version = u->version;
	return wrong;
}

bool view_keeps(const struct view *v, const struct view_user *u)
{
	/* Who leads a group's room as an owner has rights that are not the room's. */
	bool is_host = v->group_id[0] == '\0' ? u->is_host : strcmp(v->host, u->user_id) == 0;
	return u->has_name || is_host || v->policy.locked || v->policy.has_passcode ||
	       u->is_waiting != v->policy.lobby;
}

/* A reset that somebody voted after is not taken back. */
static const char *view_undo_flaw(const struct view *v)
{
	for (size_t i = 0; i < v->n && v->can_undo; i++) {
		if (v->users[i].has_vote || v->votes_n > 0) {
			return "a reset can be undone although there are votes again";
		}
	}
	return NULL;
}

static const char *view_user_flaw(const struct view *v, const struct view_user *u)
{
	if (!u->is_host && strcmp(u->user_id, v->host) == 0) {
		return "is_host and host_user_id disagree";
	}
	if (u->has_vote && view_hides_voters(v)) {
		return "who has voted is shown, where only their number may be";
	}
	if (u->has_vote && (!u->has_name || u->is_spectator)) {
		return "a vote of somebody who is no joined voter";
	}
	if (u->vote[0] != '\0' && !v->is_revealed) {
		return "a vote is shown before the reveal";
	}
	if (u->vote[0] != '\0' && v->policy.anonymous) {
		return "a vote is shown with its name, where there are none";
	}
	if (u->vote[0] == '\0' && (u->comment != 0 || u->confidence != 0 || u->is_changed)) {
		return "what goes with a vote is shown without it";
	}
	if (v->is_revealed && !v->policy.anonymous && u->has_vote != (u->vote[0] != '\0')) {
		return "revealed, but vote and has_vote disagree";
	}
	if (u->vote[0] != '\0' && !view_has_card(v, u->vote)) {
		return "a vote that is not one of the cards";
	}
	return NULL;
}

static const char *view_left_flaw(const struct view *v)
{
	for (size_t i = 0; i < v->left_n; i++) {
		const struct view_left *left = &v->left[i];
		const struct view_user *user = view_user_const(v, left->user_id);
		if (!v->is_revealed || v->policy.anonymous) {
			return "cards of those who left, where none with a name lies open";
		}
		if (view_left(v, left->user_id) != left ||
		    (user != NULL && user->vote[0] != '\0')) {
			return "somebody has two cards";
		}
		if (left->username[0] == '\0' || !view_has_card(v, left->vote)) {
			return "a card that nobody can have left";
		}
	}
	return NULL;
}

/* With names, the result says what lies there now. */
static const char *view_result_flaw(const struct view *v)
{
	int64_t votes = 0;
	for (size_t i = 0; i < v->n; i++) {
		votes += v->users[i].vote[0] != '\0' &&
			 (!v->users[i].is_bot || v->policy.bots_count);
	}
	for (size_t i = 0; i < v->left_n; i++) {
		votes += !v->left[i].is_bot || v->policy.bots_count;
	}
	return v->is_revealed && !v->policy.anonymous && votes != v->votes
		       ? "a result of other votes than lie there"
		       : NULL;
}

const char *view_flaw(const struct view *v)
{
	const char *wrong = v->is_armed && v->is_revealed
				    ? "a reveal is armed while the cards are revealed"
				    : view_stories_flaw(v);
	wrong = wrong != NULL ? wrong : view_left_flaw(v);
	wrong = wrong != NULL ? wrong : view_result_flaw(v);
	wrong = wrong != NULL ? wrong : view_undo_flaw(v);
	wrong = wrong != NULL ? wrong : view_data_flaw(v);
	if (wrong == NULL && view_has_names_twice(v)) {
		wrong = "two members with one name";
	}
	if (wrong == NULL && v->votes_n > view_voters(v)) {
		wrong = "more votes than there are voters";
	}
	for (size_t i = 0; i < v->n && wrong == NULL; i++) {
		wrong = view_user_flaw(v, &v->users[i]);
	}
	if (wrong == NULL && v->host[0] != '\0' && view_user_const(v, v->host) == NULL) {
		wrong = "the host has no seat";
	}
	return wrong;
}
