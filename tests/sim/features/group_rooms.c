/*
 * group_rooms.c - rooms of a group: its members make them, enter them without passcode and lobby, and list them; its
 * owners lead them; and none outlasts its group.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/rights.h"

/* ---- what belonging to the group is worth ---- */

bool group_of_room_is_gone(struct world *w, int room)
{
	const char *group_id = w->rooms[room].group_id;
	const struct table_row *row = find_row(w, ITEM_GROUP, group_id, "");
	return group_id[0] != '\0' &&
	       (row == NULL ||
		((const struct group_item *)item_of_value(w, ITEM_GROUP,
							  slice_of(row->value, row->value_len)))
			->is_deleted);
}

static const char *group_of(const struct world *w, const struct op *op)
{
	return op->room < 0 ? "" : w->rooms[op->room].group_id;
}

/* A connection may be on the seat of an earlier login. A call that waits for a room or for facts does not prolong its session. */
bool is_of_login(struct world *w, const struct op *op)
{
	const struct session *s = sender(w, op);
	return s != NULL && s->is_keyed && op->is_settled && op->was_in_use &&
	       op->faults_before == w->faults && session_is_in_use(w, s, op) &&
	       w->mono_ms - op->delivered_mono < session_life(w) &&
	       table_token(&w->table, s->hash) != NULL && !op->shows_user_key &&
	       (op->user_id[0] == '\0' || strcmp(op->user_id, s->user_id) == 0);
}

bool is_let_in_as_member(struct world *w, const struct op *op)
{
	const char *group_id = group_of(w, op);
	return (group_id[0] != '\0' && op->was_member && is_of_login(w, op) &&
		sender_has_stayed(w, op, group_id) && is_surely_in(w, op, group_id)) ||
	       planted(w, BREAK_SHUT_MEMBER, 1);
}

bool may_be_let_in_as_member(const struct world *w, const struct op *op)
{
	const char *group_id = group_of(w, op);
	return group_id[0] != '\0' && sender_may_have_been_in(w, op, group_id, false);
}

bool may_lead_as_owner(const struct world *w, const struct op *op)
{
	const char *group_id = group_of(w, op);
	return group_id[0] != '\0' && sender_may_have_been_in(w, op, group_id, true);
}

int some_room_of_group(struct world *w, const struct conn *c)
{
	const struct session *s = session_of_conn(w, c);
	uint32_t n = 0;
	int found = -1;
	for (size_t i = 0; i < w->rooms_n && s != NULL; i++) {
		const struct sim_room *r = &w->rooms[i];
		if (r->group_id[0] != '\0' && r->is_public && !r->is_ending && !r->is_deleted &&
		    find_row(w, ITEM_MEMBERSHIP, s->user_id, r->group_id) != NULL &&
		    dice_below(&w->dice, ++n) == 0) {
			found = (int)i;
		}
	}
	return found;
}

/* ---- answers ---- */

static void group_rooms_delivered(struct world *w, struct conn *c, struct op *op)
{
	const struct session *s = sender(w, op);
	const struct table_row *row =
		s == NULL || group_of(w, op)[0] == '\0'
			? NULL
			: find_row(w, ITEM_MEMBERSHIP, s->user_id, group_of(w, op));
	(void)c;
	op->was_member = row != NULL;
	op->was_owner = row != NULL && row->is_owner;
}

/* One who is in the group is let in, and does not wait there, unless a host has sent them back meanwhile. */
static void granted_entry(struct world *w, const struct op *op,
			  const struct room_subscribe_result *r)
{
	char user_id[20];
	view_text(user_id, sizeof(user_id), r->user_id);
	const struct view *v = room_at(&w->rooms[op->room], r->epoch, r->version);
	const struct view_user *me = v == NULL ? NULL : view_user_const(v, user_id);
	const struct session *s = sender(w, op);
	bool is_in = group_of(w, op)[0] != '\0' && s != NULL && strcmp(s->user_id, user_id) == 0;
	if (me != NULL && is_in && (me->is_waiting || planted(w, BREAK_LOBBY_MEMBER, 1)) &&
	    is_let_in_as_member(w, op)) {
		broken(w, CLAIM_RULES, "%s is in the group of %s, and waits in its lobby",
		       member_name(w, op->member), w->rooms[op->room].id);
	}
}

/* Made by the master, and not acknowledged yet: a read does not wait for the replica. */
static bool room_is_begun(const struct world *w, int room)
{
	const struct sim_commit *c = w->commits;
	while (c != NULL && (c->room != room || !w->master.is_on)) {
		c = c->next;
	}
	return c != NULL;
}

static bool lists_room(const struct group_rooms_result *r, const char *room_id)
{
	size_t i = 0;
	while (i < r->rooms_n && !slice_eq(r->rooms[i].room_id, slice_str(room_id))) {
		i++;
	}
	return i < r->rooms_n;
}

/* Unless there are more pages, every room of the group that was there all the time. */
static void granted_all_rooms(struct world *w, const struct op *op,
			      const struct group_rooms_result *r)
{
	for (size_t i = 0; i < w->rooms_n && r->cursor.len == 0 && !w->is_lagging; i++) {
		char pk[32];
		const struct sim_room *room = &w->rooms[i];
		const struct table_row *row =
			table_find(&w->table, table_pk(pk, room->id), SLICE("ROOM"));
		bool is_meant = strcmp(room->group_id, op->text) == 0 && row != NULL;
		if (is_meant && row->since_mono != 0 && row->since_mono < op->delivered_mono &&
		    !lists_room(r, room->id)) {
			broken(w, CLAIM_LISTS, "group.rooms of %s lacks %s", op->text, room->id);
		}
	}
}

/* Newest first, each of the group. */
static void granted_rooms(struct world *w, const struct op *op, const struct group_rooms_result *r)
{
	granted_all_rooms(w, op, r);
	for (size_t i = 0; i < r->rooms_n; i++) {
		const struct group_room *line = &r->rooms[i];
		int room = room_of_id(w, line->room_id);
		if (room < 0 || (!w->rooms[room].was_on_disk && !room_is_begun(w, room))) {
			broken(w, CLAIM_DURABLE, "group.rooms lists a room that is on no disk");
		} else if (strcmp(w->rooms[room].group_id, op->text) != 0 ||
			   planted(w, BREAK_OTHER_ROOM, 1)) {
			broken(w, CLAIM_SECRECY, "group.rooms of %s lists a room of another",
			       op->text);
		}
		if (i > 0 && line->created_on > line[-1].created_on) {
			broken(w, CLAIM_RULES, "group.rooms lists an older room first");
		}
	}
}

/* Of rooms of the group, but for the one that was to be left out; what the stories are is the table's. */
static void granted_references(struct world *w, const struct op *op,
			       const struct group_references_result *r)
{
	for (size_t i = 0; i < r->stories_n; i++) {
		int room = room_of_id(w, r->stories[i].room_id);
		if (room < 0 || strcmp(w->rooms[room].group_id, op->text) != 0) {
			broken(w, CLAIM_SECRECY,
			       "group.references of %s has a story of another's room", op->text);
		}
	}
}

/* A room is made with the links, times and reactions of its group, if nobody changed them while it was asked for. */
static void granted_usual(struct world *w, const struct op *op, const struct sim_room *r)
{
	const struct table_row *row = find_row(w, ITEM_GROUP, op->other, "");
	if (op->is_again || op->faults_before != w->faults || !was_there(w, op, row)) {
		return;
	}
	char links[SIM_NAME_BYTES];
	char reactions[sizeof(r->mem->now.reactions)];
	const struct group_item *group = item_of_row(w, row);
	const struct group_defaults_item *usual = &group->defaults;
	if (group->updated_on >= op->delivered_wall || row->put_mono >= op->delivered_mono) {
		return;
	}
	view_text(links, sizeof(links), usual->link_template);
	view_deck_text(reactions, usual->reactions);
	if (strcmp(r->began_links, links) != 0 ||
	    r->mem->now.timer_seconds != usual->timer_seconds ||
	    (r->began_ends_at != 0) != (usual->reveal_in_seconds > 0) ||
	    strcmp(r->mem->now.reactions, reactions) != 0 || planted(w, BREAK_OTHER_USUAL, 1)) {
		broken(w, CLAIM_RULES,
		       "%s begins with other links, times or reactions than its "
		       "group's",
		       r->id);
	}
}

static void group_rooms_granted(struct world *w, struct conn *c, const struct op *op,
				const union method_result *result)
{
	(void)c;
	if (op->method == METHOD_ROOM_SUBSCRIBE && op->room >= 0) {
		granted_entry(w, op, &result->ROOM_SUBSCRIBE);
	} else if (op->method == METHOD_GROUP_ROOMS) {
		granted_rooms(w, op, &result->GROUP_ROOMS);
	} else if (op->method == METHOD_GROUP_REFERENCES) {
		granted_references(w, op, &result->GROUP_REFERENCES);
	} else if (op->method == METHOD_ROOM_CREATE && op->other[0] != '\0') {
		int room = room_of_id(w, result->ROOM_CREATE.room_id);
		if (!sender_may_have_been_in(w, op, op->other, false) && !op->is_again) {
			broken(w, CLAIM_RULES, "%s makes a room of a group, and is not in it",
			       member_name(w, op->member));
		} else if (room >= 0 && w->rooms[room].group_id[0] != '\0' &&
			   strcmp(w->rooms[room].group_id, op->other) != 0) {
			broken(w, CLAIM_RULES, "%s is made a room of another group",
			       w->rooms[room].id);
		} else if (room >= 0 && w->rooms[room].was_on_disk) {
			granted_usual(w, op, &w->rooms[room]);
		}
	}
}

/* Who may lead as an owner, or may not any more, by what is in the directory, which no state of the room tells. */
static bool group_rooms_excuse(struct world *w, const struct op *op, enum fault_code code)
{
	if (op->method == METHOD_ROOM_CREATE && op->other[0] != '\0') {
		return (code == FAULT_NOT_FOUND && !is_surely_in(w, op, op->other)) ||
		       (code == FAULT_FORBIDDEN && !is_of_login(w, op));
	}
	return group_of(w, op)[0] != '\0' && code == FAULT_FORBIDDEN &&
	       !(is_of_login(w, op) && op->was_owner && sender_has_stayed(w, op, group_of(w, op)) &&
		 is_surely_owner(w, op, group_of(w, op)));
}

static bool is_waiting(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || me->is_waiting;
}

/*
 * What any host may do an owner of the room's group may, but where a host has sent them back to the lobby. Against
 * the creator neither may do anything.
 */
static bool group_rooms_refute(struct world *w, const struct op *op, enum fault_code code)
{
	const struct request *row = feature_request(op->method);
	enum right right = op->method == METHOD_COUNT ? RIGHT_NONE : right_of_method(op->method);
	bool is_hosts = right == RIGHT_LEAD || right == RIGHT_REVEAL || right == RIGHT_RESET;
	return code == FAULT_FORBIDDEN && is_hosts && row != NULL && row->forbidden == NULL &&
	       !op->target_is_creator && group_of(w, op)[0] != '\0' &&
	       ((is_of_login(w, op) && op->was_owner && sender_has_stayed(w, op, group_of(w, op)) &&
		 is_surely_owner(w, op, group_of(w, op)) && !answers_some(w, op, is_waiting)) ||
		(op->was_member && planted(w, BREAK_SHUT_OWNER, 1)));
}

static const struct request group_rooms_requests[] = {
	{.method = METHOD_GROUP_ROOMS, .refused = groups_judge},
	{.method = METHOD_GROUP_REFERENCES, .refused = groups_judge},
};

/* ---- rules ---- */

static void group_rooms_follow(const struct change *ch)
{
	if (strcmp(ch->before->group_id, ch->after->group_id) != 0) {
		rules_broken(ch, "a room of another group", NULL);
	}
}

/* ---- commits ---- */

/* A room is made for as long as rooms of groups live. */
static void group_rooms_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room >= 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind != STORE_PUT || item_kind_of(op->pk, op->sk) != ITEM_ROOM ||
		    table_find(&w->table, op->pk, op->sk) != NULL) {
			continue;
		}
		arena_reset(&w->arena);
		const struct room_item *room = item_of_value(w, ITEM_ROOM, op->value);
		if (room->group_id.len > 0 &&
		    room->expires_at <
			    room->created_on + w->config.limits[LIMIT_GROUP_ROOM_LIFE_MS]) {
			broken(w, CLAIM_LIFETIMES, "%s is a group's, and would live %lld ms",
			       w->rooms[c->room].id,
			       (long long)(room->expires_at - room->created_on));
		}
	}
}

/* ---- when all is quiet ---- */

/* A room that was loaded after its group had gone has been asked for, and ends. */
static void group_rooms_settled(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	int64_t gone = r->group_id[0] == '\0' ? 0 : group_deleted_mono(w, r->group_id);
	if (gone != 0 && r->mem->in_memory && r->mem->loaded_mono > gone &&
	    w->mono_ms > gone + 1100) {
		broken(w, CLAIM_LIVENESS, "%s is there still, and its group is not", r->id);
	}
}

/* An index that lags may not have shown all of them when the group went: those end when they are looked at. */
static void group_rooms_morning(struct world *w)
{
	for (size_t i = 0; i < w->rooms_n && !w->is_lagging; i++) {
		if (table_has_room(&w->table, w->rooms[i].id) && group_of_room_is_gone(w, (int)i)) {
			broken(w, CLAIM_LIVENESS, "%s outlasts its group", w->rooms[i].id);
		}
	}
}

/* ---- acts ---- */

static void act_make_room(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0}, group = {0};
	struct room_create_params p = {.group_id = some_group(w, c, &group), .with_group_id = true};
	(void)room;
	if (!is_worth_it(w, c) || !room_has_place(w)) {
		return;
	}
	view_text(about.other, sizeof(about.other), p.group_id);
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_ROOM_CREATE, -1, &p, &about);
}

static void act_team_room(struct world *w, struct conn *c, int room)
{
	room = some_room_of_group(w, c);
	if (!is_worth_it(w, c)) {
		return;
	}
	if (room < 0) {
		act_make_room(w, c, room);
	} else {
		act_in_room(w, c, room);
	}
}

static void act_list_rooms(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	struct group_rooms_params p = {.group_id = some_group(w, c, &about),
				       .limit = dice_between(&w->dice, 1, 3),
				       .with_limit = true};
	struct group_references_params of = {.group_id = p.group_id, .estimate = SLICE("5")};
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (p.limit == 3) {
		send_op(w, c, METHOD_GROUP_REFERENCES, -1, &of, &about);
	} else {
		send_op(w, c, METHOD_GROUP_ROOMS, -1, &p, &about);
	}
}

void act_in_team(struct world *w, struct conn *c)
{
	const struct session *s = session_of_conn(w, c);
	char name[16];
	snprintf(name, sizeof(name), "team %d %u", c->member, c->serial % 8);
	if (s == NULL || !s->is_keyed) {
		send_login_as(w, c, name, true);
		return;
	}
	static void (*const does[])(struct world *, struct conn *, int) = {
		act_team_room,	   act_team_room,   act_add_item,   act_story_of_item,
		act_story_of_item, act_estimate,    act_estimate,   act_join_group,
		act_join_group,	   act_change_item, act_list_rooms,
	};
	does[dice_below(&w->dice, sizeof(does) / sizeof(does[0]))](w, c, -1);
}

/*
 * Whoever makes a group or comes into one makes a room there, or goes into one. So do those who log in when all is
 * calm: they have a room to themselves.
 */
static void group_rooms_heard(struct world *w, struct conn *c, const struct op *op,
			      const union method_result *result)
{
	if (c->is_broken || !c->server_has || !c->is_desk ||
	    (w->is_calm && (c->is_brief || w->is_night))) {
		return;
	}
	int made = op->method == METHOD_ROOM_CREATE && op->other[0] != '\0'
			   ? room_of_id(w, result->ROOM_CREATE.room_id)
			   : -1;
	if (made >= 0 && c->subs[made] == NULL) {
		send_subscribe(w, c, made, false);
	} else if (op->method == METHOD_GROUP_CREATE &&
		   (w->is_calm || dice_percent(&w->dice, 70))) {
		act_make_room(w, c, -1);
	} else if (op->method == METHOD_GROUP_JOIN && !w->is_calm) {
		act_team_room(w, c, -1);
	}
}

static const struct act group_rooms_acts[] = {
	{3, act_make_room, false},
	{40, act_team_room, false},
	{3, act_list_rooms, false},
};

const struct feature feature_group_rooms = {
	.name = "group-rooms",
	FEATURE_ROWS(desk_acts, group_rooms_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, group_rooms_requests),
	.delivered = group_rooms_delivered,
	.granted = group_rooms_granted,
	.heard = group_rooms_heard,
	.excuses = group_rooms_excuse,
	.refutes = group_rooms_refute,
	.follow = group_rooms_follow,
	.commit_before = group_rooms_before,
	.settled_room = group_rooms_settled,
	.morning = group_rooms_morning,
};
