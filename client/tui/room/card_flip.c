/*
 * card_flip.c - cards that are seen to turn over when they are revealed.
 *
 * The motion only follows: the room is revealed from its first frame on, keys
 * act on that, and after CARD_FLIP_STEPS of CARD_FLIP_STEP_MS each all is shown. A frame
 * in between shows a card's back, its edge or its face, and no figures yet. No
 * frame waits for another: which step it is, the time says.
 */
#include "client/tui/tui_state.h"

enum { CARD_FLIP_STEP_MS = 70, CARD_FLIP_MS = CARD_FLIP_OVER * CARD_FLIP_STEP_MS };

/* Only signs that have a back and an edge look like a card while it turns. */
static bool card_flip_is_wanted(const struct tui *t)
{
	return t->settings.value[SETTING_MOTION] == MOTION_ON && t->signs != signs_of(true) &&
	       !t->is_slow;
}

bool card_flip_is_seen(const struct replica *room, const struct user_view *m)
{
	return replica_is_voter(m) && m->has_vote && m->vote.data != NULL &&
	       !replica_is_me(room, m);
}

static bool card_flip_has_cards(const struct replica *room)
{
	for (size_t i = 0; i < room->users.n; i++) {
		if (card_flip_is_seen(room, replica_member_at(room, i))) {
			return true;
		}
	}
	return false;
}

void card_flip_follow(struct tui *t, const struct replica *room)
{
	struct turn *turn = &t->table.turn;
	bool is_same = turn->round == room->room.round && turn->epoch == room->epoch;
	if (!is_same || !room->room.is_revealed) {
		turn->began_ms = 0;
	} else if (turn->was_hidden && t->link == LINK_LIVE && card_flip_is_wanted(t) &&
		   card_flip_has_cards(room)) {
		turn->began_ms = t->now_ms;
	}
	turn->was_hidden = !room->room.is_revealed;
	turn->round = room->room.round;
	turn->epoch = room->epoch;
}

enum card_flip_step card_flip_step(const struct tui *t)
{
	int64_t since_ms = t->now_ms - t->table.turn.began_ms;
	bool is_on = t->table.turn.began_ms != 0 && since_ms >= 0 && since_ms < CARD_FLIP_MS;
	return is_on && card_flip_is_wanted(t) ? (enum card_flip_step)(since_ms / CARD_FLIP_STEP_MS)
					       : CARD_FLIP_OVER;
}

int64_t card_flip_changes_in_ms(const struct tui *t)
{
	enum card_flip_step step = card_flip_step(t);
	if (step == CARD_FLIP_OVER || !tui_is_in(t, IN_ROOM)) {
		return -1;
	}
	return t->table.turn.began_ms + ((int64_t)step + 1) * CARD_FLIP_STEP_MS - t->now_ms;
}

void tui_set_slow(struct tui *t, bool is_slow)
{
	t->is_slow = is_slow;
	if (is_slow) {
		t->table.turn.began_ms = 0; /* not taken up again either */
	}
}
