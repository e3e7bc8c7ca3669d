/*
 * acts.c - what people do: mostly sense, some nonsense.
 *
 * Nothing here depends on what a card says, so that a run in which everybody
 * lays the other card of its pair goes the same way (twin_card).
 */
#include "tests/sim/send.h"

#include <string.h>

struct act_name {
	const char *raw;
	const char *clean; /* NULL: must be refused */
};
static const struct act_name act_names[] = {
	{"Ada", "Ada"},
	{"Grace Hopper", "Grace Hopper"},
	{"  Linus   T ", "Linus T"},
	{"Zo\xc3\xab", "Zo\xc3\xab"},
	{"\xe6\xbc\xa2\xe5\xad\x97", "\xe6\xbc\xa2\xe5\xad\x97"},
	{"x", "x"},
	{"   ", NULL},
	{"tab\x1b[2J", NULL},
	{"evil\xe2\x80\xaetxt", NULL},
	{"zero\xe2\x80\x8bwidth", NULL},
	{"a name that is very much longer than any name should be", NULL},
};
#define ACT_NAMES (sizeof(act_names) / sizeof(act_names[0]))

static const char *const act_titles[] = {"Sprint 42", "Refund a split payment", "\xc3\x84pfel",
					 "t"};

/* An idempotency_key for about every third changing call. */
static const char *act_once(struct world *w, char out[40])
{
	if (!dice_percent(&w->dice, 30)) {
		return NULL;
	}
	snprintf(out, 40, "once-%016llx", (unsigned long long)dice_u64(&w->dice));
	return out;
}

static bool act_has_key(const struct world *w, const struct conn *c, int room)
{
	return w->members[c->member].rooms[room].has_host_key;
}

/* Whoever has the key shows it now and then; a stranger never can. */
static bool act_shows(struct world *w, const struct conn *c, int room)
{
	return act_has_key(w, c, room) && dice_percent(&w->dice, 40);
}

/* ---- acts on a room that is followed ---- */

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

/*
 * The cards to choose from. Where two runs are compared, what is chosen must be
 * taken in both: only pairs of which the deck surely has both cards.
 */
static size_t act_cards(struct world *w, struct conn *c, int room, char cards[][SIM_CARD_BYTES],
			size_t max)
{
	static struct view on_disk;
	if (!w->o.is_hidden) {
		return view_cards(&c->subs[room]->view, cards, max);
	}
	if (!act_is_still(w, room, METHOD_ROOM_SET_VALID_SIZES) ||
	    !table_view(&w->table, w->rooms[room].id, &on_disk) ||
	    strcmp(on_disk.deck, w->rooms[room].now.deck) != 0) {
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

static void act_vote(struct world *w, struct conn *c, int room)
{
	static char cards[32][SIM_CARD_BYTES];
	char once[40];
	size_t n = act_cards(w, c, room, cards, 32);
	const char *card = n == 0 || dice_percent(&w->dice, 3)
				   ? "Q0"
				   : cards[dice_below(&w->dice, (uint32_t)n)];
	send_vote(w, c, room, card, act_once(w, once));
}

static void act_retract(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_vote(w, c, room, NULL, act_once(w, once));
}

static void act_join(struct world *w, struct conn *c, int room)
{
	char once[40];
	uint32_t which = dice_percent(&w->dice, 85) ? dice_below(&w->dice, 6)
						    : dice_below(&w->dice, ACT_NAMES);
	send_join(w, c, room, act_names[which].raw, act_names[which].clean,
		  dice_percent(&w->dice, 12), w->members[c->member].is_bot, act_once(w, once));
}

static void act_leave(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_seat(w, c, METHOD_ROOM_LEAVE, room, act_once(w, once));
}

static void act_delete_user(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_seat(w, c, METHOD_ROOM_DELETE_USER, room, act_once(w, once));
}

static void act_reveal(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_host(w, c, METHOD_ROOM_SET_REVEALED, room,
		  dice_percent(&w->dice, 65) && !w->o.is_hidden, act_shows(w, c, room),
		  act_once(w, once));
}

static void act_reset(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_host(w, c, METHOD_ROOM_RESET, room, false, act_shows(w, c, room), act_once(w, once));
}

static void act_delete(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_host(w, c, METHOD_ROOM_DELETE, room, false, act_shows(w, c, room), act_once(w, once));
}

/* Both cards of a pair or neither, and where they may be split, one of it. */
static size_t act_deck(struct world *w, bool may_split, struct slice cards[32], char text[32][3])
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

static void act_set_title(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *title = dice_percent(&w->dice, 20) ? NULL : act_titles[dice_below(&w->dice, 4)];
	send_title(w, c, room, title, act_shows(w, c, room), act_once(w, once));
}

static const char *act_somebody(struct world *w, const struct conn *c, int room)
{
	const struct view *v = &c->subs[room]->view;
	if (v->n == 0 || dice_percent(&w->dice, 5)) {
		return "nobody";
	}
	return v->users[dice_below(&w->dice, (uint32_t)v->n)].user_id;
}

static void act_kick(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_target(w, c, METHOD_ROOM_KICK, room, act_somebody(w, c, room), act_shows(w, c, room),
		    act_once(w, once));
}

/* Somebody who was kicked for good, or else somebody who was not. */
static void act_unkick(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct sub *sub = c->subs[room];
	const char *whom = sub->you_barred[0] != '\0' ? sub->you_barred : act_somebody(w, c, room);
	send_target(w, c, METHOD_ROOM_UNKICK, room, whom, act_shows(w, c, room), act_once(w, once));
}

/* Whoever waits in the lobby, or else somebody who does not. */
static void act_admit(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct view *v = &c->subs[room]->view;
	const char *whom = act_somebody(w, c, room);
	for (size_t i = 0; i < v->n; i++) {
		whom = v->users[i].is_waiting ? v->users[i].user_id : whom;
	}
	send_target(w, c, dice_percent(&w->dice, 80) ? METHOD_ROOM_ADMIT : METHOD_ROOM_REJECT, room,
		    whom, act_shows(w, c, room), act_once(w, once));
}

/* Shut seldom, and not for long: else nothing happens. */
static void act_door(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct policy *p = &c->subs[room]->view.policy;
	bool is_shut = p->locked || p->has_passcode;
	uint32_t which =
		p->has_passcode ? PART_passcode
		: p->locked	? PART_locked
				: PART_lobby + dice_below(&w->dice, PART_passcode - PART_lobby + 1);
	send_policy(w, c, room, which, !is_shut && dice_percent(&w->dice, 60),
		    act_shows(w, c, room), act_once(w, once));
}

static void act_set_host(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_target(w, c, METHOD_ROOM_SET_HOST, room, act_somebody(w, c, room),
		    act_shows(w, c, room), act_once(w, once));
}

static void act_claim(struct world *w, struct conn *c, int room)
{
	static const char wrong[] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
	send_claim(w, c, room,
		   act_has_key(w, c, room) && dice_percent(&w->dice, 90) ? w->rooms[room].host_key
									 : wrong);
}

static void act_get(struct world *w, struct conn *c, int room)
{
	send_plain(w, c, METHOD_ROOM_GET, room);
}

static void act_unsubscribe(struct world *w, struct conn *c, int room)
{
	send_plain(w, c, METHOD_ROOM_UNSUBSCRIBE, room);
}

static void act_subscribe_again(struct world *w, struct conn *c, int room)
{
	send_subscribe(w, c, room, false);
}

static void act_bad_field(struct world *w, struct conn *c, int room)
{
	static const struct {
		enum method method;
		struct slice params;
		enum fault_code expect;
	} bad[] = {
		{METHOD_ROOM_VOTE, {"\x81\xa4oops\x01", 7}, FAULT_VALIDATION_ERROR},
		{METHOD_ROOM_VOTE, {"\x81\xa7room_id\x01", 10}, FAULT_VALIDATION_ERROR},
		{METHOD_ROOM_GET,
		 {"\x82\xa7room_id\xa6"
		  "AAAAAA\xa7room_id\xa6"
		  "AAAAAA",
		  31},
		 FAULT_VALIDATION_ERROR},
		{METHOD_ROOM_GET, {"\x80", 1}, FAULT_VALIDATION_ERROR},
		{METHOD_COUNT, {"\x80", 1}, FAULT_UNKNOWN_METHOD},
		{METHOD_ROOM_GET, {"\x81\xa7room_id\xa6!!!!!!", 16}, FAULT_NONE},
		{METHOD_ROOM_GET,
		 {"\x81\xa7room_id\xa6"
		  "ZZZZ99",
		  16},
		 FAULT_ROOM_NOT_FOUND},
	};
	(void)room;
	size_t which = dice_below(&w->dice, sizeof(bad) / sizeof(bad[0]));
	send_raw(w, c, bad[which].method, -1, bad[which].params, bad[which].expect);
}

static void act_play(struct world *w, struct conn *c, int room)
{
	char once[40];
	bool shows_key = act_shows(w, c, room);
	acts_play(w, c, room, shows_key, act_once(w, once));
}

static void act_data(struct world *w, struct conn *c, int room)
{
	char once[40];
	acts_data(w, c, room, act_once(w, once));
}

typedef void act(struct world *w, struct conn *c, int room);

struct act_row {
	unsigned weight;
	act *act;
	bool is_hosts; /* refused to others: they try it now and then */
};

static const struct act_row act_rows[] = {
	{340, act_vote, false},	      {40, act_retract, false},	       {90, act_join, false},
	{20, act_leave, false},	      {110, act_reveal, true},	       {60, act_reset, true},
	{70, act_set_deck, true},     {30, act_set_title, true},       {25, act_kick, true},
	{30, act_claim, false},	      {20, act_set_host, true},	       {40, act_get, false},
	{20, act_unsubscribe, false}, {8, act_delete_user, false},     {2, act_delete, true},
	{25, act_bad_field, false},   {8, act_subscribe_again, false}, {260, act_play, false},
	{260, act_data, false},	      {60, act_admit, true},	       {60, act_door, true},
	{15, act_unkick, true},
};

static bool act_is_host(const struct conn *c, int room)
{
	const struct sub *sub = c->subs[room];
	const struct view_user *me = view_user_const(&sub->view, sub->user_id);
	return me != NULL && me->is_host;
}

static bool act_is_spectator(const struct conn *c, int room)
{
	const struct sub *sub = c->subs[room];
	const struct view_user *me = view_user_const(&sub->view, sub->user_id);
	return me == NULL || !me->has_name || me->is_spectator;
}

static bool act_may_vote(const struct conn *c, int room)
{
	return !act_is_spectator(c, room) && !c->subs[room]->view.is_revealed;
}

static void act_by_weight(struct world *w, struct conn *c, int room)
{
	unsigned total = 0;
	for (size_t i = 0; i < sizeof(act_rows) / sizeof(act_rows[0]); i++) {
		total += act_rows[i].weight;
	}
	uint32_t roll = dice_below(&w->dice, total);
	size_t i = 0;
	while (roll >= act_rows[i].weight) {
		roll -= act_rows[i++].weight;
	}
	bool is_host = act_has_key(w, c, room) || act_is_host(c, room);
	act *does = act_rows[i].is_hosts && !is_host && !dice_percent(&w->dice, 15)
			    ? act_vote
			    : act_rows[i].act;
	if (does == act_vote && !act_may_vote(c, room) && dice_percent(&w->dice, 85)) {
		does = is_host ? (dice_percent(&w->dice, 50) ? act_reset : act_reveal)
		       : act_is_spectator(c, room) ? act_join
						   : act_get;
	}
	does(w, c, room);
}

/* ---- what there is to do at all ---- */

static int act_room(struct world *w)
{
	int known[SIM_ROOMS_MAX];
	uint32_t n = 0;
	for (size_t i = 0; i < w->rooms_n; i++) {
		if (w->rooms[i].is_public &&
		    (!w->rooms[i].is_deleted || dice_percent(&w->dice, 10))) {
			known[n++] = (int)i;
		}
	}
	return n == 0 ? -1 : known[dice_below(&w->dice, n)];
}

static void act_create(struct world *w, struct conn *c)
{
	static const char *const presets[] = {"guesstimator", "yesno", "fist"};
	char once[40];
	char text[32][3];
	struct slice cards[32];
	struct slices deck = {cards, 0};
	const char *preset = NULL;
	uint32_t kind = dice_below(&w->dice, 3);
	if (w->rooms_n >= SIM_ROOMS_MAX - 1) {
		return;
	}
	if (kind == 0) {
		deck.n = act_deck(w, true, cards, text);
	} else if (kind == 1) {
		preset = presets[dice_below(&w->dice, 3)];
	}
	send_create(w, c, deck, preset,
		    dice_percent(&w->dice, 50) ? act_titles[dice_below(&w->dice, 4)] : NULL,
		    act_once(w, once));
}

static bool act_is_creating(const struct world *w)
{
	size_t n = 0;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		n += w->ops[i].method == METHOD_ROOM_CREATE && !w->ops[i].is_heard &&
		     !w->ops[i].is_dead;
	}
	return n + w->rooms_n >= w->rooms_wanted;
}

static void act_garbage(struct world *w, struct conn *c)
{
	static const struct slice bytes[] = {
		{"\xc1", 1},
		{"\xdd\xff\xff\xff\xff", 5},
		{"\x94\x00\x01\xc1", 4},
		{"\xdb\xff\xff\xff\xff", 5},
		{"\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91",
		 20},
		{"GET / HTTP/1.1\r\n\r\n", 18},
		{"\x94\x00\x07\x81", 4},
		{"\x94\x00", 2}, /* the last two: half a message, and then nothing */
	};
	uint32_t which = dice_below(&w->dice, 8);
	c->is_half = which >= 6;
	c->is_broken = true;
	trace(w, "%s sends what is no message (%u)", member_name(w, c->member), which);
	send_bytes(w, c, bytes[which]);
}

static void act_greet(struct world *w, struct conn *c)
{
	uint32_t kind = dice_below(&w->dice, 100);
	if (kind < 92) {
		send_hello(w, c);
	} else if (kind < 96) {
		struct op about = {.expect = FAULT_UNAUTHENTICATED};
		struct room_create_params p = {0};
		send_op(w, c, METHOD_ROOM_CREATE, -1, &p, &about);
	} else if (kind < 98) {
		act_garbage(w, c);
	} else {
		c->says_nothing = true;
	}
}

/* The call whose answer was lost with its connection, once more with the same key. */
static bool act_repeat(struct world *w, struct conn *c)
{
	struct member *m = &w->members[c->member];
	if (m->retry == 0) {
		return false;
	}
	const struct op *op = &w->ops[m->retry - 1];
	if (op->room >= 0 && (c->subs[op->room] == NULL || !c->subs[op->room]->is_on ||
			      strcmp(c->my_id[op->room], op->user_id) != 0)) {
		return false;
	}
	send_again(w, c, m->retry - 1);
	m->retry = 0;
	return true;
}

static bool act_needs_name(const struct conn *c, int room)
{
	const struct sub *sub = c->subs[room];
	const struct view_user *me = view_user_const(&sub->view, sub->user_id);
	return me != NULL && !me->has_name;
}

static void act_in_room(struct world *w, struct conn *c, int room)
{
	if (c->subs[room] == NULL) {
		if (dice_percent(&w->dice, 92)) {
			send_subscribe(w, c, room, dice_percent(&w->dice, 70));
		} else {
			act_get(w, c, room);
		}
	} else if (c->subs[room]->is_leaving) {
		return;
	} else if (!c->subs[room]->is_on && c->subs[room]->asks == 0) {
		send_subscribe(w, c, room, dice_percent(&w->dice, 70));
	} else if (c->subs[room]->is_on) {
		if (act_needs_name(c, room) && dice_percent(&w->dice, 60)) {
			act_join(w, c, room);
		} else {
			act_by_weight(w, c, room);
		}
	}
}

void acts_some(struct world *w, struct conn *c)
{
	if (c->is_broken || c->says_nothing || !c->server_has || c->up.len > 4096) {
		return;
	}
	if (!c->said_hello) {
		act_greet(w, c);
		return;
	}
	int room = act_room(w);
	uint32_t kind = dice_below(&w->dice, 1000);
	if (!c->is_greeted && kind > 100) {
		return;
	}
	if (c->is_desk && c->is_greeted && kind >= 3) {
		acts_desk(w, c);
	} else if (kind < 3) {
		act_garbage(w, c);
	} else if (kind < 15) {
		send_plain(w, c, METHOD_SERVER_PING, -1);
	} else if (kind < 20) {
		send_plain(w, c, METHOD_SERVER_STATS, -1);
	} else if (act_repeat(w, c)) {
		return;
	} else if (room < 0 || (kind < 120 && !act_is_creating(w))) {
		if (!act_is_creating(w)) {
			act_create(w, c);
		}
	} else {
		act_in_room(w, c, room);
	}
}
