/*
 * room_view.c - the updates and notifications of a room, and what each of them may contain.
 *
 * user_view is the only place where a member's vote becomes part of what
 * others are sent, and it checks is_revealed first.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

#include "proto/rpc.h"

/* The card, comment, confidence and is_changed, where they are revealed. @anew: nil for what there is not. */
static void view_vote(const struct room *r, const struct seat *seat, bool anew,
		      struct user_view *out)
{
	bool is_open = room_shows_cards(r) && room_deck_has(r, seat->card);
	out->with_vote = out->with_comment = out->with_confidence = out->with_is_changed = anew;
	if (is_open) {
		out->vote = room_card(r, seat->card);
		out->with_vote = true;
		out->comment = slice_str(seat->comment);
		out->with_comment = anew || seat->comment != NULL;
		out->confidence = seat->confidence;
		out->with_confidence = anew || seat->confidence != 0;
		out->is_changed = seat->is_changed;
		out->with_is_changed = anew || seat->is_changed;
	}
}

/* Of enum seat_field, those that others may know: the same for every seat of an update. */
static unsigned shown_fields(const struct room *r)
{
	unsigned hidden = room_hides_voters(r) ? SEAT_HAS_VOTE | SEAT_CARD | SEAT_CARD_ANEW : 0;
	return ~(hidden | (r->policy.hide_who_voted ? SEAT_STORIES_VOTED : 0u));
}

/* @fields: of enum seat_field, those to write, of those that are @shown; of a new seat all that are. */
static void view_seat(const struct room *r, const struct seat *seat, unsigned fields,
		      unsigned shown, struct user_view *out)
{
	bool is_new = (fields & SEAT_IS_NEW) != 0;
	unsigned said = is_new ? shown : fields;
	*out = (struct user_view){
		.user_id = slice_str(seat->user_id),
		.username = slice_str(seat->username),
		.with_username = (said & SEAT_NAME) != 0,
		.role = seat->role,
		.with_role = (said & SEAT_ROLE) != 0,
		.is_bot = seat->is_bot,
		.with_is_bot = (said & SEAT_IS_BOT) != 0,
		.is_connected = seat->connections > 0,
		.with_is_connected = (said & SEAT_IS_CONNECTED) != 0,
		.away_since = seat->away_since,
		.with_away_since =
			is_new ? seat->away_since != 0 : (fields & SEAT_IS_CONNECTED) != 0,
		.is_host = seat_shows_host(r, seat),
		.with_is_host = (said & SEAT_IS_HOST) != 0,
		.has_vote = room_shows_vote(r, seat),
		.with_has_vote = (said & SEAT_HAS_VOTE) != 0,
		.is_waiting = seat->is_waiting,
		.with_is_waiting = is_new ? seat->is_waiting : (fields & SEAT_IS_WAITING) != 0,
	};
	if ((said & SEAT_STORIES_VOTED) != 0) {
		out->stories_voted = (int64_t)seat_stories_voted(r, seat);
		out->with_stories_voted = !is_new || out->stories_voted > 0;
	}
	if ((fields & (SEAT_CARD | SEAT_CARD_ANEW | SEAT_IS_NEW)) != 0) {
		view_vote(r, seat, (fields & SEAT_CARD_ANEW) != 0, out);
	}
}

static enum room_phase phase_of(const struct room *r)
{
	if (r->is_revealed) {
		return PHASE_REVEALED;
	}
	return r->countdown_mono != 0 ? PHASE_COUNTDOWN : PHASE_VOTING;
}

static struct slice text_or_nil(const char *text)
{
	return text[0] == '\0' ? (struct slice){0} : slice_str(text);
}

/* False when memory is out. */
static bool view_room(const struct room *r, struct arena *arena, struct room_view *out)
{
	*out = (struct room_view){
		.title = slice_str(r->title),
		.link_template = slice_str(r->link_template),
		.valid_sizes = r->deck,
		.reactions = r->reactions,
		.host_user_id = text_or_nil(r->host_user_id),
		.next_host_user_id = text_or_nil(r->next_host_id),
		.next_host_at = r->next_host_at,
		.phase = phase_of(r),
		.story_round = r->story_round,
		.countdown = {.ends_at = r->countdown_ends_at, .token = r->countdown_token},
		.with_countdown = r->countdown_mono != 0,
		.timer = {.ends_at = r->timer_ends_at, .reveal_at_zero = r->timer_reveals},
		.with_timer = r->timer_ends_at != 0,
		.can_undo = r->undo.round != 0,
		.with_result = r->is_revealed,
	};
#define SHOW_BOOL(name)	       out->name = r->name;
#define SHOW_INT(name)	       out->name = r->name;
#define SHOW_TEXT(name)	       out->name = text_or_nil(r->name);
#define VIEW_SHOWN(KIND, name) SHOW_##KIND(name)
#define VIEW_HIDDEN(KIND, name)
#define VIEW_FIELD(KIND, name, bytes, VIEW) VIEW_##VIEW(KIND, name)
	ROOM_FIELDS(VIEW_FIELD)
	policy_to_view(&r->policy, &out->policy);
	return !r->is_revealed || room_result_of(r, arena, &out->result);
}

/* All stories, or those that changed. */
static bool view_stories(const struct room *r, bool all, struct arena *arena, struct room_update *u)
{
	const struct story *s;
	if (!all && !r->stories_marked) {
		return true;
	}
	u->with_stories = true;
	u->stories = arena_alloc(arena, (r->stories_n + 1) * sizeof(*u->stories));
	if (u->stories == NULL) {
		return false;
	}
	DL_FOREACH (r->stories, s) {
		if (all || s->needs_write) {
			u->stories[u->stories_n++] = story_view(s);
		}
	}
	return true;
}

static bool view_data(const struct room *r, struct arena *arena, struct room_update *u)
{
	const struct data_set *set;
	u->with_data = true;
	u->data = arena_alloc(arena, (r->data.n + 1) * sizeof(*u->data));
	if (u->data == NULL) {
		return false;
	}
	DL_FOREACH (r->data.sets, set) {
		if (!data_view(set, NULL, true, arena, &u->data[u->data_n++])) {
			return false;
		}
	}
	return true;
}

/* All cards of those who left them, or those that others have not been sent. */
static bool view_left(const struct room *r, bool all, struct arena *arena, struct room_update *u)
{
	const struct left_vote *v;
	u->left_cleared = !all && r->left_cleared;
	u->left_votes = arena_alloc(arena, (r->left_n + 1) * sizeof(*u->left_votes));
	if (u->left_votes == NULL) {
		return false;
	}
	DL_FOREACH (r->left, v) {
		if (all || v->needs_update) {
			u->left_votes[u->left_votes_n++] = left_vote_view(v);
		}
	}
	return true;
}

/* Lives in the arena. False when memory is out. */
static bool view_full(const struct room *r, bool with_data, struct arena *arena,
		      struct room_update *out)
{
	*out = (struct room_update){
		.room_id = slice_str(r->room_id),
		.epoch = r->epoch,
		.since = r->version,
		.version = r->version,
		.full = true,
		.with_room = true,
		.votes_n = room_hides_voters(r) ? room_count_votes(r) : 0,
		.with_votes_n = room_hides_voters(r),
		.with_users = true,
	};
	if (!view_room(r, arena, &out->room) || !view_stories(r, true, arena, out) ||
	    !view_left(r, true, arena, out) || !room_view_story_votes(r, true, arena, out) ||
	    (with_data && !view_data(r, arena, out))) {
		return false;
	}
	out->users = arena_alloc(arena, (r->seats_n + 1) * sizeof(*out->users));
	if (out->users == NULL) {
		return false;
	}
	const unsigned shown = shown_fields(r);
	const struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		view_seat(r, seat, SEAT_IS_NEW, shown, &out->users[out->users_n++]);
	}
	return true;
}

void room_write_update(const struct room_update *u, struct buf *out)
{
	rpc_write_notice(out, slice_str(notice_rows[NOTICE_ROOM_UPDATE].name), &record_room_update,
			 u);
}

void room_write_full(const struct room *r, bool with_data, struct arena *arena, struct buf *out)
{
	struct room_update u;
	if (!view_full(r, with_data, arena, &u)) {
		out->error = ERR_NOMEM;
		return;
	}
	room_write_update(&u, out);
}

/* The seats that changed, in the order they sat down where it costs nothing to keep it: replicas
 * keep theirs. */
static bool delta_users(const struct room *r, struct arena *arena, struct room_update *u)
{
	const unsigned shown = shown_fields(r);
	size_t n = 0;
	for (const struct seat *seat = r->marked; seat != NULL; seat = seat->next_marked) {
		n += (seat->needs_update & shown) != 0;
	}
	u->users = arena_alloc(arena, (n + 1) * sizeof(*u->users));
	if (u->users == NULL) {
		return false;
	}
	/* Marks were put in front, so the last marked comes first: fill from the end. */
	u->users_n = n;
	for (const struct seat *seat = r->marked; seat != NULL; seat = seat->next_marked) {
		unsigned fields = seat->needs_update & shown;
		if (fields != 0) {
			view_seat(r, seat, fields, shown, &u->users[--n]);
		}
	}
	return true;
}

static bool delta_gone(const struct room *r, struct arena *arena, struct room_update *u)
{
	size_t n = 0;
	for (const struct seat *gone = r->gone; gone != NULL; gone = gone->next_marked) {
		n++;
	}
	u->gone.items = arena_alloc(arena, (n + 1) * sizeof(*u->gone.items));
	if (u->gone.items == NULL) {
		return false;
	}
	for (const struct seat *gone = r->gone; gone != NULL; gone = gone->next_marked) {
		u->gone.items[u->gone.n++] = slice_str(gone->user_id);
	}
	return true;
}

void room_write_delta(struct room *r, struct arena *arena, struct buf *out)
{
	if (r->owes_delta && r->version == r->shown_version) {
		r->version++;
	}
	r->owes_delta = false;
	struct room_update u = {
		.room_id = slice_str(r->room_id),
		.epoch = r->epoch,
		.since = r->shown_version,
		.version = r->version,
		.with_room = r->needs_update,
		.votes_cleared = r->votes_cleared,
		.with_votes_n = room_hides_voters(r),
		.by = text_or_nil(r->is_by_several ? "" : r->by),
	};
	u.votes_n = u.with_votes_n ? room_count_votes(r) : 0;
	if (r->needs_update && !view_room(r, arena, &u.room)) {
		out->error = ERR_NOMEM;
		return;
	}
	if (!view_stories(r, false, arena, &u) || !delta_users(r, arena, &u) ||
	    !delta_gone(r, arena, &u) || !view_left(r, false, arena, &u) ||
	    !room_view_story_votes(r, false, arena, &u)) {
		out->error = ERR_NOMEM;
		return;
	}
	room_write_update(&u, out);
	if (out->error == OK) {
		r->shown_version = r->version;
	}
}

void room_write_you(const struct room *r, const struct seat *seat, struct buf *out)
{
	struct barred_view barred[MAX_BARRED];
	struct own_vote story_votes[OWN_VOTES_MAX];
	bool is_host = seat_shows_host(r, seat);
	struct room_you you = {
		.room_id = slice_str(r->room_id),
		.user_id = slice_str(seat->user_id),
		.username = slice_str(seat->username),
		.vote = room_card(r, seat->card),
		/* Written either way: the length of the frame discloses nothing. */
		.is_withdrawn = seat->card != CARD_NONE && !room_deck_has(r, seat->card),
		.with_is_withdrawn = seat->card != CARD_NONE,
		.role = seat->role,
		.is_host = is_host,
		.is_host_again = seat->is_host_again,
		.comment = slice_str(seat->comment),
		.confidence = seat->confidence,
		.is_waiting = seat->is_waiting,
		.barred = barred,
		.barred_n = is_host ? room_view_barred(r, barred) : 0,
		.all_story_votes = seat->needs_all_votes &&
				   (r->policy.open_stories || seat->story_votes_n > 0),
		.story_votes = story_votes,
		.story_votes_n = seat_view_story_votes(seat, story_votes),
	};
	rpc_write_notice(out, slice_str(notice_rows[NOTICE_ROOM_YOU].name), &record_room_you, &you);
}
