/*
 * votes.c - cards: who lays which, of which deck, and when one may fall away.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- requests ---- */

const char *twin_card(const char *card)
{
	static const char *const pairs[][2] = {{"1", "2"}, {"3", "5"}, {"13", "20"}};
	static char other[SIM_CARD_BYTES];
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (strcmp(card, pairs[i][0]) == 0 || strcmp(card, pairs[i][1]) == 0) {
			return pairs[i][strcmp(card, pairs[i][0]) == 0];
		}
	}
	/* The simulator's own cards: a letter, and 0 or 1. */
	if (strlen(card) == 2 && card[0] >= 'A' && card[0] <= 'Z' &&
	    (card[1] == '0' || card[1] == '1')) {
		other[0] = card[0];
		other[1] = card[1] == '0' ? '1' : '0';
		return other;
	}
	return card;
}

/* A note and a confidence, as secret as the card: in the twin's world they are others too. */
static void send_reasons(struct world *w, const struct conn *c, int room,
			 struct room_vote_params *p, struct op *about)
{
	if (w->o.is_scripted) {
		return;
	}
	snprintf(about->other, sizeof(about->other), "note %s", about->card);
	p->comment = slice_str(dice_percent(&w->dice, 30) ? about->other : "");
	static const int64_t keep[] = {1, 10, 120, MAX_VOTE_KEEP_SECONDS};
	if (dice_percent(&w->dice, 15)) {
		p->keep_seconds = about->keep_seconds = keep[dice_below(&w->dice, 4)];
	}
	bool is_asked = c->subs[room]->view.policy.confidence;
	p->confidence = 1 + (dice_percent(&w->dice, 50) != w->o.is_twin);
	about->is_unsure = dice_percent(&w->dice, is_asked ? 50 : 3);
	p->confidence = about->is_unsure ? p->confidence : 0;
}

void send_vote(struct world *w, struct conn *c, int room, const char *card, const char *once)
{
	send_story_vote(w, c, room, NULL, card, once);
}

void send_story_vote(struct world *w, struct conn *c, int room, const char *story_id,
		     const char *card, const char *once)
{
	struct room_vote_params p = {.with_vote = true, .story_id = slice_str(story_id)};
	struct op about = {0};
	view_text(about.target, sizeof(about.target), p.story_id);
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	if (card != NULL) {
		/* Not always the other one: what is the same card again here is another one there. */
		card = w->o.is_twin && w->ops_n % 3 != 0 ? twin_card(card) : card;
		p.vote = slice_str(card);
		view_text(about.card, sizeof(about.card), p.vote);
		send_reasons(w, c, room, &p, &about);
	}
	w->figures.votes++;
	send_op(w, c, METHOD_ROOM_VOTE, room, &p, &about);
}

static void send_deck(struct world *w, struct conn *c, int room, struct slices deck, bool with_key,
		      const char *once)
{
	struct room_set_valid_sizes_params p = {.valid_sizes = deck};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_deck_text(about.deck, deck);
	send_op(w, c, METHOD_ROOM_SET_VALID_SIZES, room, &p, &about);
}

/* ---- acts ---- */

/* Where stories are open together, mostly one of them; NULL: the one at the table. */
static const char *act_open_story(struct world *w, const struct view *v)
{
	return v->policy.open_stories && dice_percent(&w->dice, 70) ? some_story(w, v) : NULL;
}

/* Whether nothing of the method is on its way to the room. */
static bool act_is_still(const struct world *w, int room, enum method method)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		bool is_over = op->is_closed || (op->is_answered && !op->is_shadowed) ||
			       (op->is_dead && op->dead_mono + 60000 < w->mono_ms);
		if (op->room == room && op->method == method && !is_over) {
			return false;
		}
	}
	return true;
}

size_t act_cards(struct world *w, struct conn *c, int room, char cards[][SIM_CARD_BYTES],
		 size_t max)
{
	static struct view on_disk;
	if (!w->o.is_hidden) {
		return view_cards(&c->subs[room]->view, cards, max);
	}
	if (!act_is_still(w, room, METHOD_ROOM_SET_VALID_SIZES) ||
	    !table_view(&w->table, w->rooms[room].id, &on_disk) ||
	    strcmp(on_disk.deck, w->rooms[room].mem->now.deck) != 0) {
		return 0;
	}
	size_t n = view_cards(&on_disk, cards, max);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (view_has_card(&on_disk, twin_card(cards[i]))) {
			memmove(cards[kept++], cards[i], SIM_CARD_BYTES);
		}
	}
	return kept;
}

void act_vote(struct world *w, struct conn *c, int room)
{
	static char cards[32][SIM_CARD_BYTES];
	char once[40];
	size_t n = act_cards(w, c, room, cards, 32);
	const char *card = n == 0 || dice_percent(&w->dice, 3)
				   ? "Q0"
				   : cards[dice_below(&w->dice, (uint32_t)n)];
	send_story_vote(w, c, room, act_open_story(w, &c->subs[room]->view), card,
			act_once(w, once));
}

static void act_retract(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_story_vote(w, c, room, act_open_story(w, &c->subs[room]->view), NULL,
			act_once(w, once));
}

/* Both cards of a pair or neither, and where they may be split, one of it. */
size_t act_deck(struct world *w, bool may_split, struct slice cards[32], char text[32][3])
{
	size_t n = 0;
	for (size_t pair = 0; pair < 16; pair++) {
		if ((n > 0 || pair < 14) && !dice_percent(&w->dice, 35)) {
			continue;
		}
		bool is_split = may_split && n > 0 && dice_percent(&w->dice, 50);
		size_t without = is_split ? dice_below(&w->dice, 2) : 2;
		for (size_t i = 0; i < 2; i++) {
			if (i != without) {
				text[n][0] = (char)('A' + pair);
				text[n][1] = (char)('0' + i);
				text[n][2] = '\0';
				cards[n] = slice_str(text[n]);
				n++;
			}
		}
	}
	return n;
}

/* The deck as it lies there, with one card of a pair taken out, or put back: what a host does who
 * would like to know whose it is. */
static size_t act_deck_but_one(struct world *w, const struct view *v, struct slice cards[32],
			       char text[32][SIM_CARD_BYTES])
{
	size_t n = view_cards(v, text, 31);
	size_t which = n == 0 ? 0 : dice_below(&w->dice, (uint32_t)n);
	const char *twin = n == 0 ? "" : twin_card(text[which]);
	if (n == 0) {
		return 0;
	}
	if (!view_has_card(v, twin)) {
		memcpy(text[n++], twin, strlen(twin) + 1);
	} else if (n > 2) {
		memmove(text[which], text[which + 1], (--n - which) * SIM_CARD_BYTES);
	}
	for (size_t i = 0; i < n; i++) {
		cards[i] = slice_str(text[i]);
	}
	return n;
}

static void act_set_deck(struct world *w, struct conn *c, int room)
{
	char once[40];
	char text[32][3];
	char old[32][SIM_CARD_BYTES];
	struct slice cards[32];
	/* A vote that comes later than this must not be taken in one of two runs and refused in the
	 * other. */
	bool may_split = !w->o.is_hidden || (act_is_still(w, room, METHOD_ROOM_VOTE) &&
					     act_is_still(w, room, METHOD_ROOM_SET_VALID_SIZES));
	struct slices deck = {cards, 0};
	if (may_split && dice_percent(&w->dice, 60)) {
		deck.n = act_deck_but_one(w, &c->subs[room]->view, cards, old);
	}
	if (deck.n == 0) {
		deck.n = act_deck(w, may_split, cards, text);
	}
	send_deck(w, c, room, deck, act_shows(w, c, room), act_once(w, once));
}

/* ---- answers ---- */

static bool refused_no_card(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return !view_has_card(v, op->card);
}

static bool refused_no_voter(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || !me->has_name || me->is_spectator;
}

static bool refused_asks_not(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return !v->policy.confidence;
}

static bool refused_no_such_vote(const struct world *w, const struct op *op, const struct view *v)
{
	return op->card[0] != '\0' &&
	       (refused_no_card(w, op, v) || (op->is_unsure && refused_asks_not(w, op, v)));
}

/* It names no story, none is at the table, and others are open. */
static bool is_of_no_story(const struct op *op, const struct view *v)
{
	return op->target[0] == '\0' && v->story_id[0] == '\0' && view_counts_open(v) > 0;
}

/* Where who voted is hidden, the state tells only that somebody has: see vote_is_stored(). */
static const char *vote_lacks(const struct op *op, const union method_result *result,
			      const struct view *v)
{
	const struct view_user *me = view_user_const(v, op->user_id);
	bool has_card = op->card[0] != '\0';
	if (is_of_open_story(op, v)) {
		return result->ROOM_VOTE.has_vote != has_card ? "the vote" : NULL;
	}
	bool is_shown = view_hides_voters(v)
				? !has_card || v->votes_n > 0 || me == NULL || me->is_bot
				: me != NULL && me->has_vote == has_card;
	return me == NULL || !is_shown || result->ROOM_VOTE.has_vote != has_card ? "the vote"
										 : NULL;
}

/* There the disk says whose it is: the version that the answer names is the last that was stored. */
static bool vote_is_stored(const struct world *w, const struct op *op, int64_t version)
{
	char pk[32];
	const struct sim_room *r = &w->rooms[op->room];
	const struct view *v = room_at(r, r->mem->now.epoch, version);
	int len = snprintf(pk, sizeof(pk), "ROOM:%s", r->id);
	if (!r->mem->in_memory || v == NULL || !view_hides_voters(v) ||
	    version != r->mem->durable_version || op->from_epoch != r->mem->now.epoch ||
	    op->is_again || op->user_id[0] == '\0' || r->had_open_stories) {
		return true;
	}
	const struct table_row *row = table_seat(&w->table, slice_of(pk, (size_t)len), op->user_id);
	return (row != NULL && row->has_vote) == (op->card[0] != '\0');
}

/* A card is granted that is on no story although others are open; planted: there was one at the table. */
static bool vote_is_of_no_story(struct world *w, const struct op *op, int64_t version)
{
	const struct sim_room *r = &w->rooms[op->room];
	const struct view *v = room_at(r, r->mem->now.epoch, version);
	if (v == NULL || op->card[0] == '\0' || op->is_again ||
	    op->from_epoch != r->mem->now.epoch) {
		return false;
	}
	return is_of_no_story(op, v) ||
	       (op->target[0] == '\0' && view_counts_open(v) > 0 && planted(w, BREAK_NO_STORY, 1));
}

static void votes_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	(void)c;
	if (op->method == METHOD_ROOM_VOTE && op->room >= 0 &&
	    !vote_is_stored(w, op, result->ROOM_VOTE.version)) {
		broken(w, CLAIM_DURABLE, "a vote of %s in %s is granted, and the disk has %s",
		       member_name(w, op->member), w->rooms[op->room].id,
		       op->card[0] == '\0' ? "one still" : "none");
	}
	if (op->method == METHOD_ROOM_VOTE && op->room >= 0 &&
	    vote_is_of_no_story(w, op, result->ROOM_VOTE.version)) {
		broken(w, CLAIM_RULES, "a vote of %s in %s is on no story, and others are open",
		       member_name(w, op->member), w->rooms[op->room].id);
	}
}

static const char *deck_lacks(const struct op *op, const union method_result *result,
			      const struct view *v)
{
	(void)result;
	return strcmp(v->deck, op->deck) != 0 ? "the deck" : NULL;
}

static bool refused_vote(const struct world *w, const struct op *op, const struct view *v)
{
	return is_of_open_story(op, v) ? refused_open_story(w, op, v)
				       : v->is_revealed || is_of_no_story(op, v);
}

static const struct request vote_requests[] = {
	{.method = METHOD_ROOM_VOTE,
	 .names_version = true,
	 .lacks = vote_lacks,
	 .forbidden = refused_no_voter,
	 .takes_no_key = true,
	 .not_found = refused_no_open_story,
	 .conflict = refused_vote,
	 .invalid = refused_no_such_vote},
	{.method = METHOD_ROOM_SET_VALID_SIZES, .names_version = true, .lacks = deck_lacks},
};

/* ---- rules ---- */

static bool rules_deck_asked(const struct change *ch)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_SET_VALID_SIZES), NULL, &at)) != NULL) {
		if (strcmp(op->deck, ch->after->deck) == 0 && rules_may_host(ch, op)) {
			return true;
		}
	}
	return false;
}

static bool rules_voted(const struct change *ch, const char *user_id, bool with_card)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_VOTE), user_id, &at)) != NULL) {
		if ((op->card[0] != '\0') == with_card &&
		    (!with_card || view_has_card(ch->before, op->card) ||
		     view_has_card(ch->after, op->card))) {
			return true;
		}
	}
	return false;
}

/* Whether cards that the deck does not have may have fallen away, or are hidden again: only with the reveal, and where they lie open. */
static bool rules_deck_decides(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	return (a->is_revealed || b->is_revealed) &&
	       (a->is_revealed != b->is_revealed || strcmp(a->deck, b->deck) != 0 ||
		a->policy.anonymous != b->policy.anonymous || a->round != b->round);
}

static bool rules_vote_lost(const struct change *ch, const struct view_user *u)
{
	return rules_voted(ch, u->user_id, false) || rules_emptied(ch, u->user_id) ||
	       rules_grace_is_over(ch, u->user_id, LIMIT_VOTE_GRACE_MS) || rules_deck_decides(ch) ||
	       rules_host_causes(ch, METHODS_OF(RULES_BEGIN), false, false) > 0 ||
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), u->user_id);
}

/* Who is back has the card again that was left. */
static bool rules_takes_back(const struct change *ch, const struct view_user *is)
{
	const struct view_left *left = view_left(ch->before, is->user_id);
	return left != NULL && strcmp(left->vote, is->vote) == 0 &&
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), is->user_id);
}

static bool rules_may_vote_late(const struct view *v)
{
	return v->policy.vote_after_reveal && !v->policy.anonymous;
}

/* Where who voted is hidden, whose vote comes and goes is not seen: rules_votes_n() knows how many there may be, and
 * votes_durable() whose are stored. */
static void rules_vote(const struct change *ch, const struct view_user *was,
		       const struct view_user *is)
{
	/* Whether there was a vote to lay again, and which, votes_aside.c knows. */
	bool votes_again = rules_takes_back(ch, is) || rules_brings_votes(ch) ||
			   ((was->is_spectator || ch->after->version > ch->before->version + 1) &&
			    rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), is->user_id));
	if (view_hides_voters(ch->before) || view_hides_voters(ch->after)) {
		return;
	}
	bool undone = rules_host_causes(ch, METHODS_OF(METHOD_ROUND_UNDO_RESET), false, false) > 0;
	bool decides = rules_deck_decides(ch);
	bool may_change = undone || decides || votes_again || rules_may_vote_late(ch->before) ||
			  rules_may_vote_late(ch->after);
	if (!was->has_vote && is->has_vote && !undone && !decides && !votes_again &&
	    !rules_voted(ch, is->user_id, true)) {
		rules_broken(ch, "a vote", is->user_id);
	}
	if (!was->has_vote && is->has_vote && ch->before->is_revealed && !may_change &&
	    rules_host_causes(ch, METHODS_OF(RULES_BEGIN, METHOD_ROOM_SET_REVEALED), false,
			      false) == 0) {
		rules_broken(ch, "a vote while revealed", is->user_id);
	}
	if (was->has_vote && !is->has_vote && !rules_vote_lost(ch, is)) {
		rules_broken(ch, "the end of the vote", is->user_id);
	}
	if (was->has_vote && is->has_vote && was->vote[0] != '\0' && is->vote[0] != '\0' &&
	    strcmp(was->vote, is->vote) != 0 && !may_change &&
	    rules_host_causes(ch, METHODS_OF(RULES_BEGIN, METHOD_ROOM_SET_REVEALED), false,
			      false) == 0) {
		rules_broken(ch, "another vote while revealed", is->user_id);
	}
}

/*
 * Where who voted is hidden, their number is all that a state tells. It is no more than there are seats that may have a
 * vote; that it is as many as have one is looked at with each commit (table_differs()).
 */
static void rules_votes_n(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	int64_t most = 0;
	for (size_t i = 0; i < b->n && view_hides_voters(b); i++) {
		const struct view_user *u = &b->users[i];
		most += (!u->is_bot || b->policy.bots_count) && rules_may_have_voted(ch, u);
	}
	if (view_hides_voters(b) && b->votes_n > most) {
		rules_broken(ch, "a vote that nobody may have cast", NULL);
	}
	if (!view_hides_voters(a) || !view_hides_voters(b)) {
		return;
	}
	if (b->votes_n > a->votes_n &&
	    !rules_has_cause(ch,
			     METHODS_OF(METHOD_ROOM_VOTE, METHOD_ROUND_UNDO_RESET,
					METHOD_ROOM_SET_POLICY, METHOD_ROOM_JOIN),
			     NULL) &&
	    !rules_brings_votes(ch)) {
		rules_broken(ch, "one more vote", NULL);
	}
}

static void votes_follow(const struct change *ch)
{
	rules_votes_n(ch);
	if (strcmp(ch->before->deck, ch->after->deck) != 0 && !rules_deck_asked(ch)) {
		rules_broken(ch, "another deck", NULL);
	}
	for (size_t i = 0; i < ch->after->n; i++) {
		const struct view_user *is = &ch->after->users[i];
		const struct view_user *was = view_user_const(ch->before, is->user_id);
		if (was != NULL) {
			rules_vote(ch, was, is);
		} else if (is->has_vote && !rules_voted(ch, is->user_id, true) &&
			   !rules_takes_back(ch, is) && !rules_brings_votes(ch)) {
			rules_broken(ch, "a vote on a new seat", NULL);
		}
	}
}

/* ---- the disk ---- */

/* A planted fault: the disk holds another card than the one that was laid. */
static void votes_bend(struct world *w, int room)
{
	TABLE_EACH (&w->table, ITEM_SEAT, row) {
		if (room >= 0 && row->has_vote && planted(w, BREAK_OTHER_VOTE, 3)) {
			strcpy(row->vote, "Z9");
		}
		if (room >= 0 && row->has_vote && row->keep_seconds > 0 &&
		    planted(w, BREAK_LOSE_KEEP, 1)) {
			row->keep_seconds = 0;
		}
	}
}

/* A vote of that seat for another card, acknowledged: not of one whose msgid is in use twice. */
static bool vote_is_another(const struct op *op, int room, const struct table_row *row)
{
	return op->method == METHOD_ROOM_VOTE && op->room == room && op->is_delivered &&
	       op->is_answered && op->is_ok && !op->is_again && !op->is_shadowed &&
	       strcmp(op->user_id, row->user_id) == 0 && strcmp(op->card, row->vote) != 0;
}

/* Whether no such vote was certainly served after it: a connection's are served in their order, those of two
 * connections in any, while neither has been answered. */
static bool vote_may_be_last(const struct world *w, const struct op *cast,
			     const struct table_row *row)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		bool is_behind = op->conn == cast->conn ||
				 (cast->answered != 0 && cast->answered <= op->order);
		if (op->order > cast->order && is_behind && vote_is_another(op, cast->room, row)) {
			return false;
		}
	}
	return true;
}

/* Whether its voter has sat down again since: who left open cards has the card back, to be kept no longer than any. */
static bool vote_may_be_taken_back(const struct world *w, const struct op *vote)
{
	bool has_joined = false;
	for (size_t i = 0; i < w->ops_n && !has_joined; i++) {
		const struct op *op = &w->ops[i];
		has_joined = op->method == METHOD_ROOM_JOIN && op->room == vote->room &&
			     op->member == vote->member && op->is_delivered &&
			     op->order > vote->order;
	}
	return has_joined;
}

/*
 * A card on the disk was laid by its owner: it is the card of some vote of
 * that seat, and no later vote of the seat was acknowledged.
 */
static bool commit_vote_was_cast(const struct world *w, int room, const struct table_row *row)
{
	/* Then a vote may have come back after a later one. */
	bool undone = w->rooms[room].had_open_stories;
	for (size_t i = 0; i < w->ops_n && !undone; i++) {
		const struct op *op = &w->ops[i];
		undone = op->method == METHOD_ROUND_UNDO_RESET && op->room == room &&
			 op->is_delivered;
	}
	int owner = room_owner(&w->rooms[room], row->user_id);
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->method != METHOD_ROOM_VOTE || op->room != room || !op->is_delivered ||
		    strcmp(op->card, row->vote) != 0) {
			continue;
		}
		/* One that came to the table with its story is kept as all are. */
		bool is_brought = w->rooms[room].had_open_stories;
		bool is_kept =
			op->keep_seconds == row->keep_seconds ||
			(row->keep_seconds == 0 && (is_brought || vote_may_be_taken_back(w, op)));
		bool is_its =
			is_kept && (strcmp(op->user_id, row->user_id) == 0 ||
				    (op->user_id[0] == '\0' && (owner < 0 || owner == op->member)));
		if (is_its && (undone || vote_may_be_last(w, op, row))) {
			return true;
		}
	}
	return false;
}

static void votes_durable(struct world *w, const struct sim_commit *c)
{
	votes_bend(w, c->room);
	TABLE_EACH (&w->table, ITEM_SEAT, row) {
		if (row->has_vote && row_is_in(w, row, c->room) &&
		    !commit_vote_was_cast(w, c->room, row)) {
			broken(w, CLAIM_RULES,
			       "the disk holds a vote that its seat did not cast last");
		}
	}
}

/* ---- when all is quiet ---- */

static void votes_settled(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	for (size_t i = 0; i < r->mem->now.n; i++) {
		const struct view_user *u = &r->mem->now.users[i];
		int64_t since = room_alone_since(w, room, u->user_id);
		bool is_kept = view_keeps_votes(&r->mem->now) && u->has_name;
		int64_t grace_ms = room_grace_ms(w, room, u->user_id, LIMIT_VOTE_GRACE_MS);
		if (u->has_vote && !is_kept && since != INT64_MAX && !r->mem->now.is_revealed &&
		    w->mono_ms - since > grace_ms + 1100) {
			broken(w, CLAIM_RULES, "%s keeps a vote past its grace", r->id);
		}
	}
}

static const struct act vote_acts[] = {
	{340, act_vote, false},
	{40, act_retract, false},
	{70, act_set_deck, true},
};

const struct feature feature_votes = {
	.name = "votes",
	FEATURE_ROWS(acts, vote_acts),
	FEATURE_ROWS(requests, vote_requests),
	.granted = votes_granted,
	.follow = votes_follow,
	.commit_after = votes_durable,
	.settled_room = votes_settled,
};
