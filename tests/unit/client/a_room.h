/*
 * a_room.h - rooms for tests of the screen, as a replica would hold them.
 *
 * A replica's strings are its own; here they are the test's, so such a room is
 * never given to replica_finish().
 */
#ifndef TESTS_UNIT_CLIENT_A_ROOM_H
#define TESTS_UNIT_CLIENT_A_ROOM_H

#include <string.h>

#include "client/model/replica.h"
#include "proto/vote_stats.h"

enum { A_ROOM_SEATS_MAX = 64, A_ROOM_CARDS_MAX = 32, A_ROOM_STORIES_MAX = 32 };

/* The server's time, on every screen and whenever a key is pressed. */
#define A_NOW INT64_C(1700000000000)

struct a_room {
	struct replica r;
	struct member members[A_ROOM_SEATS_MAX];
	char ids[A_ROOM_SEATS_MAX][8];
	char *cards[A_ROOM_CARDS_MAX];
	char deck[512];
	struct story stories[A_ROOM_STORIES_MAX];
	char story_ids[A_ROOM_STORIES_MAX][8];
	struct room_result result;
	struct result_card result_cards[A_ROOM_CARDS_MAX];
	struct slice voters[A_ROOM_CARDS_MAX][A_ROOM_SEATS_MAX];
	struct present presents[A_ROOM_SEATS_MAX];
	struct shared_note notes[A_ROOM_STORIES_MAX];
};

enum seat_is {
	IS_VOTER = 0,
	IS_SPECTATOR = 1,
	IS_BOT = 2,
	IS_AWAY = 4,
	IS_HOST = 8,
	IS_ME = 16,
	HAS_VOTED = 32, /* and the card is not known here */
	IS_WAITING = 64,
};

/* Literals are never written through these; the replica's fields are plain char pointers. */
static inline char *a_room_text(const char *text)
{
	union {
		const char *in;
		char *out;
	} u = {text};
	return u.out;
}

static inline void a_room_deck(struct a_room *a, const char *cards)
{
	strncpy(a->deck, cards, sizeof(a->deck) - 1);
	a->r.cards = a->cards;
	a->r.cards_n = 0;
	for (char *rest = a->deck, *card; (card = strtok_r(rest, " ", &rest)) != NULL;) {
		a->cards[a->r.cards_n++] = card;
	}
}

/* An empty room that was seen, with the default deck; we watch it without a name. */
static inline void a_room_init(struct a_room *a, const char *title)
{
	memset(a, 0, sizeof(*a));
	strcpy(a->r.room_id, "K7QX3M");
	a->r.has_state = true;
	a->r.epoch = 1;
	a->r.version = 1;
	a->r.round = 1;
	a->r.story_round = 1;
	a->r.policy.everyone_edits_stories = true;
	a->r.policy.auto_reveal = true;
	a->r.stories = a->stories;
	a->r.data.presents = a->presents;
	a->r.data.notes = a->notes;
	a->r.title = a_room_text(title);
	a->r.members = a->members;
	a->r.my_user_id = a_room_text("me");
	a_room_deck(a, "1 2 3 5 8 13 20 ? ∞");
}

/* vote: the card, where it is known here. */
static inline struct member *a_room_seat(struct a_room *a, const char *name, unsigned is,
					 const char *vote)
{
	size_t i = a->r.members_n++;
	struct member *m = &a->members[i];
	a->ids[i][0] = 'u';
	a->ids[i][1] = (char)('0' + i / 10);
	a->ids[i][2] = (char)('0' + i % 10);
	*m = (struct member){
		.user_id = (is & IS_ME) != 0 ? a->r.my_user_id : a->ids[i],
		.username = a_room_text(name),
		.vote = a_room_text(a->r.is_revealed ? vote : NULL),
		.is_spectator = (is & IS_SPECTATOR) != 0,
		.is_bot = (is & IS_BOT) != 0,
		.is_connected = (is & IS_AWAY) == 0,
		.is_host = (is & IS_HOST) != 0,
		.has_vote = vote != NULL || (is & HAS_VOTED) != 0,
		.is_waiting = (is & IS_WAITING) != 0,
	};
	if (m->is_host) {
		a->r.host_user_id = m->user_id;
	}
	if ((is & IS_ME) != 0) {
		a->r.my_name = m->username;
		a->r.my_vote = a_room_text(vote);
		a->r.i_am_host = m->is_host;
		a->r.i_am_spectator = m->is_spectator;
	}
	return m;
}

/* Ada, who is host unless `me` says that we are, Grace, Linus, we and Katherine. */
static inline void a_room_five(struct a_room *a, unsigned me, const char *const votes[5])
{
	a_room_seat(a, "Ada", (me & IS_HOST) != 0 ? 0 : IS_HOST, votes[0]);
	a_room_seat(a, "Grace", 0, votes[1]);
	a_room_seat(a, "Linus", 0, votes[2]);
	a_room_seat(a, "me", IS_ME | me, votes[3]);
	a_room_seat(a, "Katherine", 0, votes[4]);
}

/* Four have voted, and close together. */
static const char *const a_room_voting[5] = {"5", "8", NULL, "5", "5"};

static inline struct slice a_room_label(const struct a_room *a, int card)
{
	return card < 0 ? (struct slice){0} : slice_str(a->cards[card]);
}

/* The cards lie open, and the result is what a server would say of them. */
static inline void a_room_reveal(struct a_room *a)
{
	struct slice deck[A_ROOM_CARDS_MAX];
	struct slice votes[A_ROOM_SEATS_MAX];
	size_t n = 0;
	struct vote_stats t;
	struct room_result *out = &a->result;
	for (size_t i = 0; i < a->r.cards_n; i++) {
		deck[i] = slice_str(a->cards[i]);
	}
	for (size_t i = 0; i < a->r.members_n; i++) {
		const struct member *m = &a->members[i];
		if (m->vote != NULL && !m->is_bot && !m->is_spectator) {
			votes[n++] = slice_str(m->vote);
		}
	}
	vote_stats_of((struct slices){deck, a->r.cards_n}, votes, n, &t);
	a->r.is_revealed = true;
	a->r.phase = PHASE_REVEALED;
	a->r.result = out;
	*out = (struct room_result){
		.votes = (int64_t)t.votes,
		.cards = a->result_cards,
		.with_average = t.has_average,
		.average = t.average,
		.median = t.median,
		.mode = a_room_label(a, t.mode),
		.agreement_percent = t.agreement_percent,
		.spread_steps = t.spread_steps,
		.with_spread_steps = t.spread_steps >= 0,
		.lowest = a_room_label(a, t.lowest),
		.highest = a_room_label(a, t.highest),
		.suggestion = a_room_label(a, t.suggestion),
		.is_unanimous = t.is_unanimous,
	};
	for (size_t i = 0; i < a->r.cards_n; i++) {
		struct result_card *card = &a->result_cards[out->cards_n];
		if (t.per_card[i] == 0) {
			continue;
		}
		*card = (struct result_card){.card = slice_str(a->cards[i]), .votes = (int64_t)t.per_card[i]};
		card->user_ids.items = a->voters[out->cards_n++];
		for (size_t k = 0; k < a->r.members_n && !a->r.policy.anonymous; k++) {
			const struct member *m = &a->members[k];
			if (m->vote != NULL && !m->is_bot && slice_eq(slice_str(m->vote), card->card)) {
				card->user_ids.items[card->user_ids.n++] = slice_str(m->user_id);
			}
		}
	}
}

/* Behind those that are there; removed ones come last. */
static inline struct story *a_room_story(struct a_room *a, const char *title,
					 enum story_status status, const char *estimate)
{
	size_t i = a->r.stories_n++;
	struct story *s = &a->stories[i];
	a->story_ids[i][0] = 's';
	a->story_ids[i][1] = (char)('0' + i / 10);
	a->story_ids[i][2] = (char)('0' + i % 10);
	*s = (struct story){
		.story_id = a->story_ids[i],
		.rank = a->story_ids[i],
		.title = a_room_text(title),
		.status = status,
		.estimate = a_room_text(estimate),
	};
	if (status == STORY_VOTING) {
		a->r.story_id = s->story_id;
	}
	return s;
}

/* Those are the notes of that story, or of quick votes, in place of what was there. */
static inline void a_room_note(struct a_room *a, char *key, const char *text, int64_t revision)
{
	size_t i = 0;
	while (i < a->r.data.notes_n && strcmp(a->notes[i].key, key) != 0) {
		i++;
	}
	a->r.data.has_notes = true;
	a->r.data.notes_n += i == a->r.data.notes_n ? 1 : 0;
	a->notes[i] = (struct shared_note){
		.key = key, .text = a_room_text(text), .revision = revision};
}

/* The member in that place does that, at that story or none. */
static inline void a_room_does(struct a_room *a, size_t member, enum activity doing, char *story_id)
{
	a->r.data.has_presence = true;
	a->presents[a->r.data.presents_n++] = (struct present){
		.user_id = a->members[member].user_id,
		.doing = doing,
		.story_id = story_id,
	};
}

#endif
