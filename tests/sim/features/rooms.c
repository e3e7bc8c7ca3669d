/*
 * rooms.c - rooms come and go, have a title, and are looked at.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- requests ---- */

void send_create(struct world *w, struct conn *c, struct slices deck, const char *preset,
		 const char *title, const char *once)
{
	/* Mostly as people make rooms, and now and then as a program does. */
	struct room_create_params p = {
		.valid_sizes = deck,
		.with_valid_sizes = deck.n > 0,
		.policy = {.auto_reveal = true, .with_auto_reveal = true},
		.with_policy = w->rooms_n % 4 != 3,
	};
	struct op about = {.flag = p.with_policy};
	if (!room_has_place(w)) {
		return;
	}
	p.deck = slice_str(preset);
	p.with_deck = preset != NULL;
	p.title = slice_str(title);
	p.with_title = title != NULL;
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), slice_str(title));
	if (deck.n > 0) {
		view_deck_text(about.deck, deck);
	}
	send_op(w, c, METHOD_ROOM_CREATE, -1, &p, &about);
}

static void send_title(struct world *w, struct conn *c, int room, const char *title, bool with_key,
		       const char *once)
{
	struct room_set_title_params p = {.title = slice_str(title), .with_title = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.text, sizeof(about.text), p.title);
	send_op(w, c, METHOD_ROOM_SET_TITLE, room, &p, &about);
}

static void send_link_template(struct world *w, struct conn *c, int room, const char *text,
			       bool with_key, const char *once)
{
	struct room_set_link_template_params p = {.link_template = slice_str(text),
						  .with_link_template = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.text, sizeof(about.text), p.link_template);
	send_op(w, c, METHOD_ROOM_SET_LINK_TEMPLATE, room, &p, &about);
}

/* room.delete: without asking whether the sender may. */
void send_delete(struct world *w, struct conn *c, int room, bool with_key, const char *once)
{
	struct room_host_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROOM_DELETE, room, &p, &about);
}

/* ---- acts ---- */

static const char *const act_titles[] = {"Sprint 42", "Refund a split payment", "\xc3\x84pfel",
					 "t"};

static void act_set_link_template(struct world *w, struct conn *c, int room)
{
	static const char *const templates[] = {"https://x/{key}", "http://y.example/?{key}"};
	char once[40];
	const char *text = dice_percent(&w->dice, 20) ? NULL : templates[dice_below(&w->dice, 2)];
	send_link_template(w, c, room, text, act_shows(w, c, room), act_once(w, once));
}

static void act_delete(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_delete(w, c, room, act_shows(w, c, room), act_once(w, once));
}

static void act_set_title(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *title = dice_percent(&w->dice, 20) ? NULL : act_titles[dice_below(&w->dice, 4)];
	send_title(w, c, room, title, act_shows(w, c, room), act_once(w, once));
}

void act_get(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	struct room_get_params p = {0};
	SEND_ROOM_ID(p, w, room);
	send_op(w, c, METHOD_ROOM_GET, room, &p, &about);
}

void act_create(struct world *w, struct conn *c)
{
	static const char *const presets[] = {"guesstimator", "yesno", "fist"};
	char once[40];
	char text[32][3];
	struct slice cards[32];
	struct slices deck = {cards, 0};
	const char *preset = NULL;
	uint32_t kind = dice_below(&w->dice, 3);
	if (kind == 0) {
		deck.n = act_deck(w, true, cards, text);
	} else if (kind == 1) {
		preset = presets[dice_below(&w->dice, 3)];
	}
	send_create(w, c, deck, preset,
		    dice_percent(&w->dice, 50) ? act_titles[dice_below(&w->dice, 4)] : NULL,
		    act_once(w, once));
}

/* ---- answers ---- */

static void granted_create(struct world *w, const struct op *op, const struct room_create_result *r)
{
	int room = room_of_id(w, r->room_id);
	/* A group's rules, which are on here, or what was asked for. */
	bool reveals = op->flag || op->other[0] != '\0';
	if (room >= 0 && !op->is_again && w->rooms[room].began_to_reveal != reveals) {
		broken(w, CLAIM_RULES, "%s begins with another policy than was asked for",
		       w->rooms[room].id);
	}
	if (room >= 0) {
		view_text(w->rooms[room].host_key, sizeof(w->rooms[room].host_key), r->host_key);
	}
	if (room < 0 || !table_has_room(&w->table, w->rooms[room].id)) {
		if (room < 0 || !w->rooms[room].is_ending) {
			broken(w, CLAIM_DURABLE,
			       "room.create is answered, and the disk has no such room");
		} else if (!w->rooms[room].was_on_disk && op->jumps_before == w->jumps &&
			   w->mono_ms - op->delivered_mono < w->config.limits[LIMIT_ROOM_LIFE_MS]) {
			broken(w, CLAIM_LIFETIMES, "%s ends before it is written",
			       w->rooms[room].id);
		}
	}
}

static void granted_delete(struct world *w, const struct op *op)
{
	struct sim_room *r = &w->rooms[op->room];
	r->is_deleted = true;
	r->is_ending = true;
	if (table_has_room(&w->table, r->id)) {
		broken(w, CLAIM_DURABLE, "%s is deleted, and the disk still has it", r->id);
	}
}

/* What room.get says is a state of the room; who waits in the lobby is not let in. */
static void granted_get(struct world *w, const struct op *op, const struct room_update *u)
{
	const struct view *v = room_at(&w->rooms[op->room], u->epoch, u->version);
	if (oracle_shows_votes(u) && (!u->room.is_revealed || (v != NULL && !v->is_revealed))) {
		broken(w, CLAIM_SECRECY, "room.get shows a vote before the reveal");
	}
}

static void rooms_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	(void)c;
	if (op->method == METHOD_ROOM_CREATE) {
		granted_create(w, op, &result->ROOM_CREATE);
	} else if (op->method == METHOD_ROOM_DELETE && op->room >= 0) {
		granted_delete(w, op);
	} else if (op->method == METHOD_ROOM_GET && op->room >= 0) {
		granted_get(w, op, &result->ROOM_GET);
	}
}

/* A room that is made again: it is older than a day, or just ending. */
static bool rooms_excuse(struct world *w, const struct op *op, enum fault_code code)
{
	(void)w;
	return op->method == METHOD_ROOM_CREATE && op->is_again &&
	       (code == FAULT_CONFLICT || code == FAULT_UNAVAILABLE);
}

static const char *title_lacks(const struct op *op, const union method_result *result,
			       const struct view *v)
{
	(void)result;
	return strcmp(v->title, op->text) != 0 ? "the title" : NULL;
}

static const char *link_template_lacks(const struct op *op, const union method_result *result,
				       const struct view *v)
{
	(void)result;
	return strcmp(v->link_template, op->text) != 0 ? "the links" : NULL;
}

static const struct request room_requests[] = {
	{.method = METHOD_ROOM_CREATE},
	{.method = METHOD_ROOM_GET},
	{.method = METHOD_ROOM_DELETE},
	{.method = METHOD_ROOM_SET_TITLE, .names_version = true, .lacks = title_lacks},
	{.method = METHOD_ROOM_SET_LINK_TEMPLATE,
	 .names_version = true,
	 .lacks = link_template_lacks},
};

/* ---- rules ---- */

static bool rules_text_asked(const struct change *ch, enum method method, const char *text)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(method), NULL, &at)) != NULL) {
		if (strcmp(op->text, text) == 0 && rules_may_host(ch, op)) {
			return true;
		}
	}
	return false;
}

static void rooms_follow(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	if (strcmp(a->title, b->title) != 0 &&
	    !rules_text_asked(ch, METHOD_ROOM_SET_TITLE, b->title)) {
		rules_broken(ch, "another title", NULL);
	}
	if (strcmp(a->link_template, b->link_template) != 0 &&
	    !rules_text_asked(ch, METHOD_ROOM_SET_LINK_TEMPLATE, b->link_template)) {
		rules_broken(ch, "other links", NULL);
	}
}

static const struct act room_acts[] = {
	{30, act_set_title, true},
	{5, act_set_link_template, true},
	{40, act_get, false},
	{2, act_delete, true},
};

const struct feature feature_rooms = {
	.name = "rooms",
	FEATURE_ROWS(acts, room_acts),
	FEATURE_ROWS(requests, room_requests),
	.granted = rooms_granted,
	.excuses = rooms_excuse,
	.follow = rooms_follow,
};
