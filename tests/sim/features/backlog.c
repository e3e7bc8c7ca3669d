/*
 * backlog.c - items that become stories, are voted on and settled while others change, move and remove them, and while
 * their group ends; backlog_disk.c has how the estimates come back to the items.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- answers ---- */

/* The item was there for its sender when the call came, and is still. */
static bool item_is_surely_there(struct world *w, const struct op *op)
{
	return is_surely_there(w, op, op->container) &&
	       was_there(w, op, find_row(w, ITEM_ITEM, op->container, op->item));
}

/* And has no quantity, which may be in another unit than estimates are, and had none. */
static bool item_is_surely_estimable(struct world *w, const struct op *op)
{
	if (!item_is_surely_there(w, op)) {
		return false;
	}
	const struct item_item *item =
		item_of_row(w, find_row(w, ITEM_ITEM, op->container, op->item));
	return !item->with_quantity && item->updated_on < op->delivered_wall;
}

static bool backlog_excuses(struct world *w, const struct op *op, enum fault_code code)
{
	if (op->method != METHOD_STORY_ADD || op->item[0] == '\0') {
		return false;
	}
	return (code == FAULT_NOT_FOUND && !item_is_surely_there(w, op)) ||
	       (code == FAULT_CONFLICT && !item_is_surely_estimable(w, op)) ||
	       (code == FAULT_FORBIDDEN && !is_of_login(w, op));
}

/* Nobody makes a story from an item of a group that they are not in. */
static void backlog_granted(struct world *w, struct conn *c, const struct op *op,
			    const union method_result *result)
{
	char group_id[20];
	(void)c;
	(void)result;
	const struct table_row *row =
		op->method != METHOD_STORY_ADD || op->item[0] == '\0' || op->is_again
			? NULL
			: find_row(w, ITEM_CONTAINER, op->container, "");
	if (row == NULL) {
		return;
	}
	const struct container_item *container =
		item_of_value(w, ITEM_CONTAINER, slice_of(row->value, row->value_len));
	view_text(group_id, sizeof(group_id), container->group_id);
	if (!sender_may_have_been_in(w, op, group_id, false)) {
		broken(w, CLAIM_SECRECY, "%s makes a story from an item of a strange group",
		       member_name(w, op->member));
	}
}

/* ---- rules ---- */

/* Somebody has asked for a story from that item; one that is updated in the same step may be called anything. */
static bool rules_item_asked(const struct change *ch, const struct view_story *is)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	bool is_another = planted(ch->w, BREAK_OTHER_ITEM, 1);
	while ((op = rules_cause(ch, METHODS_OF(METHOD_STORY_ADD), NULL, &at)) != NULL) {
		if (strcmp(op->container, is->container) == 0 &&
		    (is_another ? is->item[0] == '\0' : strcmp(op->item, is->item) == 0)) {
			return true;
		}
	}
	return false;
}

/* A story has the estimate that somebody settled on, and what was made from an item is on its way there, or says why not. */
static void follow_estimate(const struct change *ch, const struct view_story *was,
			    const struct view_story *is)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	if (strcmp(was == NULL ? "" : was->estimate, is->estimate) == 0) {
		return;
	}
	/* What was agreed is settled on what its votes suggest. */
	struct methods settles = METHODS_OF(METHOD_ROUND_SETTLE, METHOD_ROUND_SETTLE_AGREED);
	do {
		op = rules_cause(ch, settles, NULL, &at);
	} while (op != NULL && op->method == METHOD_ROUND_SETTLE &&
		 strcmp(op->card, is->estimate) != 0);
	if (op == NULL) {
		rules_broken(ch, "an estimate that nobody has settled on", NULL);
	}
	bool is_on_its_way = is->is_unsaved && !planted(ch->w, BREAK_NO_SAVE, 1);
	if (is->item[0] != '\0' && is->estimate[0] != '\0' && !is_on_its_way) {
		rules_broken(ch, "an estimate that does not go to its item", NULL);
	}
}

static void backlog_follow(const struct change *ch)
{
	for (size_t i = 0; i < ch->after->stories_n; i++) {
		const struct view_story *is = &ch->after->stories[i];
		const struct view_story *was = view_story(ch->before, is->story_id);
		if (was == NULL ? !rules_item_asked(ch, is)
				: strcmp(was->container, is->container) != 0 ||
					  strcmp(was->item, is->item) != 0) {
			rules_broken(ch, "a story of another item", NULL);
		}
		follow_estimate(ch, was, is);
		bool was_unsaved = was != NULL && was->is_unsaved;
		if (is->is_unsaved && (is->item[0] == '\0' || !was_unsaved) &&
		    !rules_has_cause(ch,
				     METHODS_OF(METHOD_ROUND_SETTLE, METHOD_ROUND_SETTLE_AGREED),
				     NULL)) {
			rules_broken(ch, "an estimate that is not saved", NULL);
		}
	}
}

/* ---- acts ---- */

/* Cards that are numbers, and others; none of them says what was voted. */
static const char *some_card(struct world *w)
{
	static const char *const cards[] = {"A0", "5", "0.5", "13", "XL", NULL};
	return cards[dice_below(&w->dice, sizeof(cards) / sizeof(cards[0]))];
}

static bool follows(const struct conn *c, int room)
{
	return room >= 0 && c->subs[room] != NULL && c->subs[room]->is_on &&
	       !c->subs[room]->is_leaving;
}

/* With a title that no other has, or with the item's own name. */
static void send_story_of(struct world *w, struct conn *c, int room, const char *container,
			  const char *item)
{
	char once[40], title[24];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct story_add_params p = {0};
	view_text(about.container, sizeof(about.container), slice_str(container));
	view_text(about.item, sizeof(about.item), slice_str(item));
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, key);
	p.container_id = slice_str(about.container);
	p.item_id = slice_str(about.item);
	p.with_container_id = p.with_item_id = true;
	if (dice_percent(&w->dice, 40)) {
		snprintf(title, sizeof(title), "story %012llx",
			 (unsigned long long)(dice_u64(&w->dice) & 0xffffffffffff));
		p.title = slice_str(title);
		p.with_title = true;
		view_text(about.text, sizeof(about.text), p.title);
	}
	send_op(w, c, METHOD_STORY_ADD, room, &p, &about);
}

/* Stories stay few: each may be followed by many. */
#define BACKLOG_WANTED 24

void act_story_of_item(struct world *w, struct conn *c, int room)
{
	char id[20];
	struct op about = {0};
	room = some_room_of_group(w, c);
	if (!is_worth_it(w, c) || !follows(c, room) ||
	    w->rooms[room].mem->now.stories_n >= BACKLOG_WANTED) {
		return;
	}
	view_text(about.text, sizeof(about.text), some_container(w, c, id));
	(void)some_item(w, &about);
	send_story_of(w, c, room, about.text, about.target);
}

/* A story that was made from an item, as the connection sees it; NULL: none. */
static const struct view_story *some_open_story(struct world *w, const struct conn *c, int room)
{
	const struct view *v = &c->subs[room]->view;
	const struct view_story *found = NULL;
	uint32_t n = 0;
	for (size_t i = 0; i < v->stories_n; i++) {
		if (v->stories[i].item[0] != '\0' && !v->stories[i].is_removed &&
		    dice_below(&w->dice, ++n) == 0) {
			found = &v->stories[i];
		}
	}
	return found;
}

void act_estimate(struct world *w, struct conn *c, int room)
{
	char once[40];
	room = some_room_of_group(w, c);
	if (!is_worth_it(w, c) || !follows(c, room)) {
		return;
	}
	const struct view_story *s = some_open_story(w, c, room);
	if (s == NULL) {
		act_story_of_item(w, c, room);
	} else {
		send_select(w, c, room, s->story_id, act_shows(w, c, room), act_once(w, once));
	}
}

/* ---- the client ---- */

/* One owner ends the group while the other adds to it, invites and settles. */
static void group_ends(struct world *w, struct conn *c, const char *group_id)
{
	struct conn *by = other_owner(w, c, group_id);
	struct op about = {0};
	struct group_change_params p = {.group_id = slice_str(group_id)};
	view_text(about.text, sizeof(about.text), p.group_id);
	if (by == NULL) {
		send_op(w, c, dice_percent(&w->dice, 50) ? METHOD_GROUP_LEAVE : METHOD_GROUP_DELETE,
			-1, &p, &about);
		return;
	}
	struct invitation_create_params invite = {.group_id = slice_str(group_id)};
	send_op(w, by, METHOD_GROUP_DELETE, -1, &p, &about);
	act_add_item(w, c, -1);
	send_op(w, c, METHOD_INVITATION_CREATE, -1, &invite, &about);
}

/* What happens to an item while its estimate is on its way: others change it, it goes, or its group does. */
static void others_meddle(struct world *w, struct conn *c, int room)
{
	const struct view *v = &c->subs[room]->view;
	const struct view_story *s = view_story(v, v->story_id);
	if (s == NULL || s->item[0] == '\0') {
		return;
	}
	if (dice_percent(&w->dice, 40)) {
		all_change(w, c, s->container, slice_str(s->item));
	} else if (dice_percent(&w->dice, 15)) {
		struct op about = {0};
		struct item_remove_params p = {.container_id = slice_str(s->container),
					       .item_id = slice_str(s->item)};
		view_text(about.text, sizeof(about.text), p.container_id);
		view_text(about.target, sizeof(about.target), p.item_id);
		send_op(w, c, METHOD_ITEM_REMOVE, -1, &p, &about);
	} else if (dice_percent(&w->dice, 15)) {
		group_ends(w, c, w->rooms[room].group_id);
	}
}

/* From an item to its estimate, step by step, as one who leads a session does. */
static void backlog_heard(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	char once[40];
	int room = op->room;
	if (c->is_broken || !c->server_has || !c->is_desk ||
	    (w->is_calm && (c->is_brief || w->is_night))) {
		return;
	}
	if (op->method == METHOD_ITEM_ADD && (w->is_calm || dice_percent(&w->dice, 40))) {
		int team = some_room_of_group(w, c);
		char item[20];
		view_text(item, sizeof(item), result->ITEM_ADD.item_id);
		if (follows(c, team) && w->rooms[team].mem->now.stories_n < BACKLOG_WANTED) {
			send_story_of(w, c, team, op->text, item);
		}
		return;
	}
	if (!follows(c, room) || w->rooms[room].group_id[0] == '\0') {
		return;
	}
	bool shows = act_has_key(w, c, room);
	switch ((int)op->method) {
	case METHOD_ROOM_SUBSCRIBE:
		act_add_item(w, c, room);
		break;
	case METHOD_STORY_ADD:
		if (op->item[0] != '\0' && dice_percent(&w->dice, 80)) {
			char story_id[20];
			view_text(story_id, sizeof(story_id), result->STORY_ADD.story_id);
			send_select(w, c, room, story_id, shows, act_once(w, once));
		}
		break;
	case METHOD_STORY_SELECT:
		send_reveal(w, c, room, !w->o.is_hidden, shows, act_once(w, once));
		break;
	case METHOD_ROOM_SET_REVEALED:
		if (op->flag) {
			send_settle(w, c, room, some_card(w), shows, act_once(w, once));
			if (!w->is_calm) {
				others_meddle(w, c, room);
			}
		}
		break;
	case METHOD_ROUND_SETTLE:
		if (dice_percent(&w->dice, 30)) {
			send_settle(w, c, room, some_card(w), shows, act_once(w, once));
		} else if (!w->is_calm && dice_percent(&w->dice, 60)) {
			act_estimate(w, c, room);
		}
		break;
	default:
		break;
	}
}

static const struct act backlog_acts[] = {
	{20, act_story_of_item, false},
	{30, act_estimate, false},
};

const struct feature feature_backlog = {
	.name = "backlog",
	FEATURE_ROWS(desk_acts, backlog_acts),
	.is_in_clusters = true,
	.granted = backlog_granted,
	.heard = backlog_heard,
	.excuses = backlog_excuses,
	.follow = backlog_follow,
};
