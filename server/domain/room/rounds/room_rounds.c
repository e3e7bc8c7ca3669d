/*
 * room_rounds.c - how a round ends, is taken back, settled, and remembered.
 *
 * A round is remembered from its reveal on, and written again when something of
 * it changes while it is revealed. A reset without a vote since can be
 * undone: the cards it took are kept on the seats.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/format.h"
#include "proto/text/decimal.h"

/* What store/items.h lets a round's item hold. */
#define ROUND_BYTES_MAX ((size_t)4 << 20)

/* ---- history ---- */

struct past_round *room_past_round(struct room *r, int64_t n)
{
	struct past_round *p;
	DL_FOREACH (r->rounds, p) {
		if (p->n == n) {
			return p;
		}
	}
	return NULL;
}

void past_round_free(struct past_round *p)
{
	free(p->view);
	free(p);
}

static void past_round_forget(struct room *r, struct past_round *p)
{
	DL_DELETE(r->rounds, p);
	r->rounds_n--;
	r->rounds_bytes -= p->view_len;
	LL_PREPEND(r->gone_rounds, p);
	r->rounds_marked = true;
	r->needs_write = true; /* its item lists them */
}

/* Rounds that are too many, or too large together, go: the oldest first. */
static void trim_rounds(struct room *r)
{
	while (r->rounds_n > MAX_ROUNDS_KEPT ||
	       (r->rounds_bytes > MAX_ROUNDS_BYTES && r->rounds_n > 1)) {
		past_round_forget(r, r->rounds);
	}
}

void room_forget_views(struct room *r)
{
	size_t n = 0;
	struct past_round *p = r->rounds;
	while (p != NULL) {
		p = p->prev;
		if (n >= ROUNDS_IN_MEMORY && !p->needs_write) {
			free(p->view);
			p->view = NULL;
		}
		n++;
		p = p == r->rounds ? NULL : p;
	}
}

size_t round_sk_of(int64_t n, char out[ROUND_SK_BYTES_MAX])
{
	/* Ten digits, so that the keys sort as the numbers do. */
	return format_to(out, ROUND_SK_BYTES_MAX, "%s%010lld", item_rows[ITEM_ROUND].sk,
			 (long long)n);
}

/* By card, people before programs: the order of the seats would disclose whose is whose, and a comment is known by its words. */
bool room_take_names(const struct room *r, struct arena *arena, struct round_vote **votes,
		     size_t n_votes)
{
	struct round_vote *bare = arena_alloc(arena, (n_votes + 1) * sizeof(*bare));
	size_t n = 0;
	for (size_t i = 0; bare != NULL && i < 2 * r->deck.n; i++) {
		for (size_t k = 0; k < n_votes; k++) {
			const struct round_vote *v = &(*votes)[k];
			if (slice_eq(v->vote, r->deck.items[i / 2]) && v->is_bot == (i % 2 == 1)) {
				bare[n++] = (struct round_vote){
					.vote = r->deck.items[i / 2],
					.role = ROLE_VOTER,
					.is_bot = v->is_bot,
				};
			}
		}
	}
	*votes = bare;
	return bare != NULL;
}

static bool view_round(struct room *r, struct arena *arena, struct round_view *out)
{
	const struct story *story = room_story(r, slice_str(r->story_id));
	*out = (struct round_view){
		.n = r->round,
		.started_at = r->started_at,
		.revealed_at = r->revealed_at,
		.outcome = slice_str(r->outcome),
	};
	if (story != NULL) {
		out->story_id = slice_str(story->story_id);
		out->story = story->text.title;
		out->key = story->text.key;
		out->story_round = r->story_round;
		out->with_story_round = true;
	}
	struct round_vote *open = room_open_votes(r, arena, &out->votes_n);
	if (open == NULL || !room_result_of(r, arena, &out->result)) {
		return false;
	}
	out->votes = open;
	return !r->policy.anonymous || room_take_names(r, arena, &out->votes, out->votes_n);
}

/* False when memory is out. */
static bool past_round_write(struct room *r, struct past_round *p, const struct round_view *view)
{
	struct buf b = {.max = ROUND_BYTES_MAX};
	record_write(&record_round_view, view, &b);
	if (b.error != OK) {
		buf_finish(&b);
		return false;
	}
	free(p->view);
	r->rounds_bytes += b.len - p->view_len;
	p->view_len = b.len;
	p->view = buf_take(&b);
	buf_finish(&b);
	p->needs_write = true;
	r->rounds_marked = true;
	r->needs_write = true; /* its item lists them */
	trim_rounds(r);
	return true;
}

bool room_record_view(struct room *r, const struct round_view *view, int64_t wall_ms)
{
	struct past_round *p = room_past_round(r, view->n);
	if (p == NULL && (p = calloc(1, sizeof(*p))) != NULL) {
		p->n = view->n;
		p->created_on = wall_ms;
		struct past_round *last = r->rounds == NULL ? NULL : r->rounds->prev;
		if (last != NULL && last->n > p->n) {
			DL_PREPEND_ELEM(r->rounds, last, p);
		} else {
			DL_APPEND(r->rounds, p);
		}
		r->rounds_n++;
	}
	if (p == NULL || !past_round_write(r, p, view)) {
		return false;
	}
	(void)format_to(p->story_id, sizeof(p->story_id), "%.*s", (int)view->story_id.len,
			view->story_id.len > 0 ? view->story_id.data : "");
	return true;
}

void room_record_round(struct room *r, int64_t wall_ms)
{
	struct arena arena = {0};
	struct round_view view;
	if (!view_round(r, &arena, &view) || !room_record_view(r, &view, wall_ms)) {
		r->is_short_of_memory = true;
	}
	r->is_round_late = false;
	arena_finish(&arena);
}

bool room_recorded_round(const struct room *r, struct arena *arena, struct round_view *out)
{
	struct fault fault;
	const struct past_round *p = r->rounds == NULL ? NULL : r->rounds->prev;
	return p != NULL && p->n == r->round && p->view != NULL &&
	       record_from_bytes(&record_round_view, slice_of(p->view, p->view_len), RECORD_LENIENT,
				 arena, out, &fault) == OK;
}

void room_forget_round(struct room *r)
{
	struct past_round *p = room_past_round(r, r->round);
	if (p != NULL) {
		past_round_forget(r, p);
	}
}

bool room_renumber_round(struct room *r, int64_t wall_ms)
{
	struct arena arena = {0};
	struct round_view view;
	struct past_round *p = room_past_round(r, r->round);
	bool ok = p == NULL || room_recorded_round(r, &arena, &view);
	if (ok) {
		r->round++;
		room_changed(r);
	}
	if (ok && p != NULL) { /* the caller records another round under the number that it had */
		p->n = view.n = r->round;
		p->created_on = wall_ms;
		ok = past_round_write(r, p, &view);
	}
	arena_finish(&arena);
	return ok;
}

void room_round_changed(struct room *r, int64_t mono_ms)
{
	if (!r->is_round_late) {
		r->is_round_late = true;
		r->round_due_mono = mono_ms + ROUND_LATE_MS;
		r->needs_write =
			true; /* the room's item has the flag: with it, the seats' items are enough */
	}
}

void room_settle_round(struct room *r)
{
	if (r->is_round_late) {
		room_record_round(r, 0);
	}
}

static bool round_has_vote(const struct room *r, const struct round_view *view,
			   const struct seat *seat, size_t *from)
{
	/* Both are in the order of the seats, so the next one is nearly always it. */
	for (size_t i = 0; i < view->votes_n; i++) {
		size_t at = (*from + i) % view->votes_n;
		if (slice_eq(view->votes[at].user_id, slice_str(seat->user_id))) {
			*from = at + 1;
			return slice_eq(view->votes[at].vote, room_card(r, seat->card)) &&
			       slice_eq(view->votes[at].username, slice_str(seat->username));
		}
	}
	return false;
}

void room_check_round(struct room *r, int64_t mono_ms)
{
	struct arena arena = {0};
	struct round_view view;
	if (!room_shows_cards(r) || r->is_round_late || room_past_round(r, r->round) == NULL) {
		return;
	}
	bool is_whole = room_recorded_round(r, &arena, &view);
	size_t from = 0;
	for (const struct seat *seat = r->seats; is_whole && seat != NULL; seat = seat->next) {
		is_whole = !room_deck_has(r, seat->card) || round_has_vote(r, &view, seat, &from);
	}
	if (!is_whole) {
		room_round_changed(r, mono_ms);
	}
	arena_finish(&arena);
}

/* Only the outcome: a member who has left since the reveal has still voted. */
static void room_record_outcome(struct room *r, int64_t wall_ms)
{
	struct arena arena = {0};
	struct round_view view;
	if (room_past_round(r, r->round) == NULL) {
		room_record_round(r, wall_ms);
		return;
	}
	bool ok = room_recorded_round(r, &arena, &view);
	view.outcome = slice_str(r->outcome);
	view.with_outcome = r->outcome[0] != '\0';
	if (!ok || !room_record_view(r, &view, wall_ms)) {
		r->is_short_of_memory = true;
	}
	arena_finish(&arena);
}

int64_t room_story_round(const struct room *r, const char *story_id)
{
	const struct past_round *p;
	int64_t n = 1;
	DL_FOREACH (story_id[0] == '\0' ? NULL : r->rounds, p) {
		n += p->n < r->round && strcmp(p->story_id, story_id) == 0;
	}
	return n;
}

void room_count_story_rounds(struct room *r)
{
	r->story_round = room_story_round(r, r->story_id);
}

/* ---- the next round, and back ---- */

/* The status of the story that is voted on, and of the one that no longer is. */
static void show_story_status(struct room *r, const char *story_id, enum story_status status)
{
	struct story *s = room_story(r, slice_str(story_id));
	if (s != NULL) {
		room_story_set_status(r, s, status);
	}
}

void room_forget_undo(struct room *r)
{
	if (r->undo.round != 0) {
		r->undo.round = 0;
		fixed_result_clear(&r->undo.result);
		room_check_graces(r);
		room_changed(r);
	}
}

void room_next_round(struct room *r, const char *story_id, int64_t wall_ms)
{
	room_settle_round(r);
	fixed_result_clear(&r->undo.result);
	r->undo.result = r->result;
#define UNDO_KEEP(KIND, field, name) memcpy(&r->undo.name, &r->name, sizeof(r->name));
	UNDO_FIELDS(UNDO_KEEP)
	r->result = (struct fixed_result){0};
	room_forget_left(r);
	room_stop_countdown(r);
	for (struct seat *seat = r->seats; seat != NULL; seat = seat->next) {
		if (seat->is_vote_aside) {
			seat->is_vote_aside = false; /* taken by the reset, as the others' */
			seat->needs_write = true;
			room_mark_seat(r, seat);
		} else if (seat->card != CARD_NONE || seat->last.card != CARD_NONE) {
			room_put_vote_aside(r, seat);
		}
		/* One field of the update says that all votes are gone. */
		seat->needs_update &= ~(unsigned)(SEAT_HAS_VOTE | SEAT_CARD | SEAT_CARD_ANEW);
	}
	r->votes_cleared = true;
	r->is_revealed = false;
	r->is_held = false;
	r->is_armed = false;
	r->revealed_at = 0;
	r->outcome[0] = '\0';
	r->started_at = wall_ms;
	r->round++;
	if (story_id != r->story_id) {
		(void)format_to(r->story_id, sizeof(r->story_id), "%s", story_id);
	}
	show_story_status(r, r->story_id, STORY_VOTING);
	room_count_story_rounds(r);
	room_changed(r);
}

enum fault_code on_ROOM_RESET(struct room *r, struct room_call *c)
{
	int64_t before = r->story_round;
	if (room_check_growth(r, c, 1) != FAULT_NONE) {
		return c->fault->code;
	}
	room_next_round(r, r->story_id, c->wall_ms);
	if (c->method == METHOD_ROUND_AGAIN && r->story_id[0] == '\0') {
		r->story_round = before + 1; /* a quick vote has no history to count */
	}
	struct room_reset_result *result = c->result;
	result->round = r->round;
	return FAULT_NONE;
}

enum fault_code on_ROUND_AGAIN(struct room *r, struct room_call *c)
{
	return on_ROOM_RESET(r, c);
}

/* Who had left the restored round and came in since is back in it. */
static void give_back_left(struct room *r)
{
	room_find_left(r);
	for (struct seat *seat = r->seats; seat != NULL; seat = seat->next) {
		if (seat->card == CARD_NONE && seat->username != NULL) {
			(void)room_take_left_vote(r, seat);
		}
	}
}

enum fault_code on_ROUND_UNDO_RESET(struct room *r, struct room_call *c)
{
	room_settle_round(r);
	if (r->undo.round == 0) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "too late to undo; a vote has been cast since the reset");
	}
	for (struct seat *seat = r->seats; seat != NULL; seat = seat->next) {
		if (seat->last.card == CARD_NONE || seat->username == NULL) {
			continue;
		}
		if (seat->role == ROLE_VOTER) {
			room_lay_vote_again(r, seat);
		} else {
			seat->is_vote_aside = true;
			seat->needs_write = true;
			room_mark_seat(r, seat);
		}
	}
	const struct undo *u = &r->undo;
	const struct story *left = room_story(r, slice_str(r->story_id));
	if (left != NULL && strcmp(r->story_id, u->story_id) != 0) {
		show_story_status(r, r->story_id,
				  left->text.estimate.len > 0 ? STORY_DONE : STORY_TODO);
	}
	show_story_status(r, u->story_id, u->outcome[0] != '\0' ? STORY_DONE : STORY_VOTING);
#define UNDO_RESTORE(KIND, field, name) memcpy(&r->name, &u->name, sizeof(r->name));
	UNDO_FIELDS(UNDO_RESTORE)
	fixed_result_clear(&r->result);
	r->result = u->result;
	r->undo.result = (struct fixed_result){0};
	r->undo.round = 0;
	while (r->rounds != NULL && r->rounds->prev->n > r->round) {
		/* Revealed after the round that is restored: as if it had not been. */
		past_round_forget(r, r->rounds->prev);
	}
	r->is_held = true; /* it is for people to go on from here */
	r->is_armed = false;
	room_count_story_rounds(r);
	room_changed(r);
	give_back_left(r);
	if (room_shows_cards(r)) {
		room_show_cards(r, SEAT_CARD);
	}
	room_fix_result(r);
	room_check_round(r, c->mono_ms);
	room_check_graces(r); /* restored votes may be of members whose grace has ended */
	struct room_reset_result *result = c->result;
	result->round = r->round;
	return FAULT_NONE;
}

enum fault_code on_ROUND_SETTLE(struct room *r, struct room_call *c)
{
	const struct round_settle_params *p = c->params;
	if (story_is_elsewhere(r, p->story_id)) {
		return room_settle_open_story(r, c);
	}
	if (!r->is_revealed) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "reveal the votes before you settle on an estimate");
	}
	struct story *s = room_story(r, slice_str(r->story_id));
	if (s != NULL && !room_story_settle(r, s, p->estimate, STORY_VOTING, c)) {
		return room_out_of_memory(c);
	}
	(void)format_to(r->outcome, sizeof(r->outcome), "%.*s", (int)p->estimate.len,
			p->estimate.len > 0 ? p->estimate.data : "");
	room_changed(r);
	room_settle_round(r);
	room_record_outcome(r, c->wall_ms);
	return FAULT_NONE;
}

/* ERR_MORE: it has to be loaded first. ERR_CORRUPT: its item is missing, or not what the room's item says of it. */
static enum err read_past_round(struct room *r, const struct room_call *c,
				const struct past_round *p, struct round_view *out)
{
	struct fault ignored;
	struct round_item item;
	struct slice view = slice_of(p->view, p->view_len);
	if (p->n == r->round && r->is_round_late) {
		return view_round(r, c->arena, out) ? OK : ERR_NOMEM;
	}
	if (p->view == NULL) {
		if (c->page == NULL || p->n < c->page->first || p->n > c->page->last) {
			return ERR_MORE;
		}
		char sk[ROUND_SK_BYTES_MAX];
		size_t len = round_sk_of(p->n, sk);
		const struct store_item *found = NULL;
		for (size_t i = 0; found == NULL && i < c->page->items_n; i++) {
			if (slice_eq(c->page->items[i].sk, slice_of(sk, len))) {
				found = &c->page->items[i];
			}
		}
		enum err e = found == NULL
				     ? ERR_CORRUPT
				     : record_from_bytes(&record_round_item, found->value,
							 RECORD_LENIENT, c->arena, &item, &ignored);
		if (e != OK || item.round.len != p->view_len) {
			return e != OK ? e : ERR_CORRUPT;
		}
		view = item.round;
	}
	return record_from_bytes(&record_round_view, view, RECORD_LENIENT, c->arena, out, &ignored);
}

/* The rounds of a page that are only in the table are loaded together, and the handler runs again. */
enum fault_code on_ROUND_LIST(struct room *r, struct room_call *c)
{
	const struct page_params *p = c->params;
	struct round_list_result *out = c->result;
	size_t limit = p->with_limit ? (size_t)p->limit : MAX_PAGE;
	int64_t below = INT64_MAX;
	/* The cursor is the number of the last round of the page before. */
	if (p->cursor.len > 0 && !decimal_read(p->cursor, 0, INT64_MAX, &below)) {
		return fault_field(c->fault, "cursor", "is not a cursor of round.list");
	}
	out->rounds = arena_alloc(c->arena, limit * sizeof(*out->rounds));
	char *cursor = arena_alloc(c->arena, 24);
	if (out->rounds == NULL || cursor == NULL) {
		return room_out_of_memory(c);
	}
	size_t bytes = 0;
	int64_t last = 0;
	struct rounds_page stored = {
		.n = 0}; /* all that are only in the table: a page is of one load */
	bool is_all_here = true;
	for (const struct past_round *past = r->rounds == NULL ? NULL : r->rounds->prev;
	     past != NULL; past = past == r->rounds ? NULL : past->prev) {
		if (past->n >= below) {
			continue;
		}
		bytes += past->view_len;
		if (out->rounds_n == limit || (out->rounds_n > 0 && bytes > MAX_FRAME_BYTES)) {
			size_t len = format_to(cursor, 24, "%lld", (long long)last);
			out->cursor = slice_of(cursor, len);
			break;
		}
		last = past->n;
		if (past->view == NULL) {
			stored.last = stored.n == 0 ? past->n : stored.last;
			stored.first = past->n;
			stored.n++;
		}
		enum err e = read_past_round(r, c, past, &out->rounds[out->rounds_n++]);
		if (e != OK && e != ERR_MORE) {
			c->is_damaged = e != ERR_NOMEM;
			return e == ERR_NOMEM
				       ? room_out_of_memory(c)
				       : fault_set(c->fault, FAULT_UNAVAILABLE,
						   "that part of the history cannot be read");
		}
		is_all_here = is_all_here && e == OK;
	}
	if (!is_all_here) {
		c->wants = stored;
		return FAULT_UNAVAILABLE;
	}
	return FAULT_NONE;
}
