/*
 * card_flip.c - cards that are seen to turn over when they are revealed.
 *
 * The motion only follows: the room is revealed from its first frame on, keys
 * act on that, and after TURN_STEPS of TURN_STEP_MS each all is shown. A frame
 * in between shows a card's back, its edge or its face, and no figures yet. No
 * frame waits for another: which step it is, the time says.
 */
#include "client/tui/tui_state.h"

enum { TURN_STEP_MS = 70, TURN_MS = TURN_OVER * TURN_STEP_MS };

/* Only signs that have a back and an edge look like a card while it turns. */
static bool turn_is_wanted(const struct tui *t)
{
	return t->settings.value[SETTING_MOTION] == MOTION_ON && t->signs != signs_of(true) &&
	       !t->is_slow;
}

bool turn_is_seen(const struct replica *room, const struct user_view *m)
{
	return tui_is_voter(m) && m->has_vote && m->vote.data != NULL && !tui_is_me(room, m);
}

static bool turn_has_cards(const struct replica *room)
{
	for (size_t i = 0; i < room->users.n; i++) {
		if (turn_is_seen(room, replica_member_at(room, i))) {
			return true;
		}
	}
	return false;
}

void turn_follow(struct tui *t, const struct replica *room)
{
	struct turn *turn = &t->table.turn;
	bool is_same = turn->round == room->room.round && turn->epoch == room->epoch;
	if (!is_same || !room->room.is_revealed) {
		turn->began_ms = 0;
	} else if (turn->was_hidden && t->link == LINK_LIVE && turn_is_wanted(t) &&
		   turn_has_cards(room)) {
		turn->began_ms = t->now_ms;
	}
	turn->was_hidden = !room->room.is_revealed;
	turn->round = room->room.round;
	turn->epoch = room->epoch;
}

enum turn_step turn_step(const struct tui *t)
{
	int64_t since_ms = t->now_ms - t->table.turn.began_ms;
	bool is_on = t->table.turn.began_ms != 0 && since_ms >= 0 && since_ms < TURN_MS;
	return is_on && turn_is_wanted(t) ? (enum turn_step)(since_ms / TURN_STEP_MS) : TURN_OVER;
}

int64_t turn_changes_in_ms(const struct tui *t)
{
	enum turn_step step = turn_step(t);
	if (step == TURN_OVER || t->view != VIEW_ROOM) {
		return -1;
	}
	return t->table.turn.began_ms + ((int64_t)step + 1) * TURN_STEP_MS - t->now_ms;
}

void tui_set_slow(struct tui *t, bool is_slow)
{
	t->is_slow = is_slow;
	if (is_slow) {
		t->table.turn.began_ms = 0; /* not taken up again either */
	}
}
