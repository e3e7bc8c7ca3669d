/*
 * a_room.h - rooms for tests of the screen, as a replica would hold them.
 *
 * A replica's strings are its own; here they are the test's, so such a room is
 * never given to replica_finish().
 */
#ifndef TESTS_UNIT_CLIENT_A_ROOM_H
#define TESTS_UNIT_CLIENT_A_ROOM_H

#include <string.h>

#include "client/model/room/replica.h"
#include "proto/vote_stats.h"

enum { A_ROOM_SEATS_MAX = 64, A_ROOM_CARDS_MAX = 32, A_ROOM_STORIES_MAX = 32 };

/* The server's time, on every screen and whenever a key is pressed. */
#define A_NOW INT64_C(1700000000000)

struct a_room {
	struct replica r;
	struct user_view members[A_ROOM_SEATS_MAX];
	void *users[A_ROOM_SEATS_MAX];
	char ids[A_ROOM_SEATS_MAX][8];
	struct round_vote left_votes[A_ROOM_SEATS_MAX];
	void *left[A_ROOM_SEATS_MAX];
	struct slice cards[A_ROOM_CARDS_MAX];
	char deck[512];
	struct story_view stories[A_ROOM_STORIES_MAX];
	void *listed[A_ROOM_STORIES_MAX];
	void *removed[A_ROOM_STORIES_MAX];
	char story_ids[A_ROOM_STORIES_MAX][8];
	struct result_card result_cards[A_ROOM_CARDS_MAX];
	struct present presents[A_ROOM_SEATS_MAX];
	void *present[A_ROOM_SEATS_MAX];
	struct shared_note notes[A_ROOM_STORIES_MAX];
	void *noted[A_ROOM_STORIES_MAX];
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

static inline void a_room_deck(struct a_room *a, const char *cards)
{
	strncpy(a->deck, cards, sizeof(a->deck) - 1);
	a->r.room.valid_sizes = (struct slices){a->cards, 0};
	for (char *rest = a->deck, *card; (card = strtok_r(rest, " ", &rest)) != NULL;) {
		a->cards[a->r.room.valid_sizes.n++] = slice_str(card);
	}
}

static inline void a_room_rows(struct rows *rows, const struct record *record, const char *key,
			       void **items)
{
	rows_init(rows, record, key, NULL);
	rows->items = items;
}

/* An empty room that was seen, with the default deck; we watch it without a name. */
static inline void a_room_init(struct a_room *a, const char *title)
{
	memset(a, 0, sizeof(*a));
	strcpy(a->r.room_id, "K7QX3M");
	a->r.has_state = true;
	a->r.epoch = 1;
	a->r.version = 1;
	a->r.room = (struct room_view){
		.title = slice_str(title),
		.round = 1,
		.story_round = 1,
		.policy = {.who_edits_stories = WHO_MAY_EVERYONE, .auto_reveal = true},
	};
	a->r.you.user_id = SLICE("me");
	a_room_rows(&a->r.users, &record_user_view, "user_id", a->users);
	a_room_rows(&a->r.left, &record_round_vote, "user_id", a->left);
	a_room_rows(&a->r.stories, &record_story_view, "story_id", a->listed);
	a_room_rows(&a->r.removed, &record_story_view, "story_id", a->removed);
	a_room_rows(&a->r.data.presents, &record_present, "user_id", a->present);
	a_room_rows(&a->r.data.notes, &record_shared_note, "key", a->noted);
	a_room_deck(a, "1 2 3 5 8 13 20 ? ∞");
}

/* vote: the card, where it is known here. */
static inline struct user_view *a_room_seat(struct a_room *a, const char *name, unsigned is,
					    const char *vote)
{
	size_t i = a->r.users.n++;
	struct user_view *m = &a->members[i];
	a->users[i] = m;
	a->ids[i][0] = 'u';
	a->ids[i][1] = (char)('0' + i / 10);
	a->ids[i][2] = (char)('0' + i % 10);
	*m = (struct user_view){
		.user_id = (is & IS_ME) != 0 ? a->r.you.user_id : slice_str(a->ids[i]),
		.username = slice_str(name),
		.vote = slice_str(a->r.room.is_revealed ? vote : NULL),
		.role = (is & IS_SPECTATOR) != 0 ? ROLE_SPECTATOR : ROLE_VOTER,
		.is_bot = (is & IS_BOT) != 0,
		.is_connected = (is & IS_AWAY) == 0,
		.is_host = (is & IS_HOST) != 0,
		.has_vote = vote != NULL || (is & HAS_VOTED) != 0,
		.is_waiting = (is & IS_WAITING) != 0,
	};
	if (m->is_host) {
		a->r.room.host_user_id = m->user_id;
	}
	if ((is & IS_ME) != 0) {
		a->r.you.username = m->username;
		a->r.you.vote = slice_str(vote);
		a->r.you.is_host = m->is_host;
		a->r.you.role = m->role;
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
	return card < 0 ? (struct slice){0} : a->cards[card];
}

/* The cards lie open, and the result is what a server would say of them. */
static inline void a_room_reveal(struct a_room *a)
{
	struct slice votes[A_ROOM_SEATS_MAX];
	size_t n = 0;
	struct vote_stats t;
	struct room_result *out = &a->r.room.result;
	for (size_t i = 0; i < a->r.users.n; i++) {
		const struct user_view *m = &a->members[i];
		if (m->vote.data != NULL && !m->is_bot && m->role == ROLE_VOTER) {
			votes[n++] = m->vote;
		}
	}
	vote_stats_of(a->r.room.valid_sizes, votes, n, &t);
	a->r.room.is_revealed = true;
	a->r.room.phase = PHASE_REVEALED;
	a->r.room.with_result = true;
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
	for (size_t i = 0; i < a->r.room.valid_sizes.n; i++) {
		struct result_card *card = &a->result_cards[out->cards_n];
		if (t.per_card[i] == 0) {
			continue;
		}
		*card = (struct result_card){.card = a->cards[i], .votes = (int64_t)t.per_card[i]};
		out->cards_n++;
	}
}

/* The one who sat down last goes, and the card stays; behind a_room_reveal(). */
static inline void a_room_leave(struct a_room *a)
{
	const struct user_view *m = &a->members[--a->r.users.n];
	struct round_vote *v = &a->left_votes[a->r.left.n];
	a->left[a->r.left.n++] = v;
	*v = (struct round_vote){.vote = m->vote,
				 .user_id = m->user_id,
				 .username = m->username,
				 .role = m->role,
				 .is_bot = m->is_bot,
				 .comment = m->comment};
}

/* The last n are taken off the list. */
static inline void a_room_remove(struct a_room *a, size_t n)
{
	a->r.stories.n -= n;
	for (size_t i = 0; i < n; i++) {
		struct story_view *s = a->listed[a->r.stories.n + i];
		s->is_removed = true;
		a->removed[a->r.removed.n++] = s;
	}
}

/* Behind those that are there. */
static inline struct story_view *a_room_story(struct a_room *a, const char *title,
					      enum story_status status, const char *estimate)
{
	size_t i = a->r.stories.n++;
	struct story_view *s = &a->stories[i];
	a->listed[i] = s;
	a->story_ids[i][0] = 's';
	a->story_ids[i][1] = (char)('0' + i / 10);
	a->story_ids[i][2] = (char)('0' + i % 10);
	*s = (struct story_view){
		.story_id = slice_str(a->story_ids[i]),
		.rank = slice_str(a->story_ids[i]),
		.title = slice_str(title),
		.status = status,
		.estimate = slice_str(estimate),
	};
	if (status == STORY_VOTING) {
		a->r.room.story_id = s->story_id;
	}
	return s;
}

/* Those are the notes of that story, or of quick votes, in place of what was there. */
static inline void a_room_note(struct a_room *a, const char *key, const char *text,
			       int64_t revision)
{
	struct shared_note *note = rows_find(&a->r.data.notes, slice_str(key));
	a->r.data.has_notes = true;
	if (note == NULL) {
		note = &a->notes[a->r.data.notes.n];
		a->noted[a->r.data.notes.n++] = note;
	}
	*note = (struct shared_note){
		.key = slice_str(key), .text = slice_str(text), .revision = revision};
}

/* The member in that place does that, at that story or none. */
static inline void a_room_does(struct a_room *a, size_t member, enum activity doing,
			       const char *story_id)
{
	size_t i = a->r.data.presents.n++;
	a->r.data.has_presence = true;
	a->present[i] = &a->presents[i];
	a->presents[i] = (struct present){
		.user_id = a->members[member].user_id,
		.doing = doing,
		.story_id = slice_str(story_id),
	};
}

#endif
