/*
 * backlog_actions.c - what is done about backlogs and their items.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/text/quantity.h"

/* ---- backlogs ---- */

bool backlog_refuses_members(struct tui *t, const struct replica *room, const char *arg, char *out,
			     size_t cap)
{
	return team_refuses_empty(t, room, arg, out, cap) ||
	       team_refuses_members(t, room, arg, out, cap);
}

bool backlog_refuses_none(struct tui *t, const struct replica *room, const char *arg, char *out,
			  size_t cap)
{
	if (team_refuses_strangers(t, room, arg, out, cap)) {
		return true;
	}
	if (!tui_is_in(t, IN_BACKLOG)) {
		(void)format_to(out, cap, "Open a backlog first: press %s",
				action_rows[ACTION_TEAMS].key_name);
	}
	return !tui_is_in(t, IN_BACKLOG);
}

const char *backlog_name(const struct tui *t, const char *container_id)
{
	const struct container_entry *c =
		container_id == NULL
			? NULL
			: rows_find(teams_rows(t->teams, TEAM_CONTAINERS), slice_str(container_id));
	return c == NULL ? "this backlog" : c->container_name.data;
}

const char *backlog_start_name(struct tui *t, const struct replica *room)
{
	(void)room;
	return backlog_name(t, team_focus(t));
}

bool backlog_is_source(const struct tui *t)
{
	return t->under[VIEW_BACKLOG] == VIEW_SOURCES;
}

bool item_offers_story(struct tui *t, const struct replica *room)
{
	(void)room;
	return backlog_is_source(t);
}

struct act backlog_open_row(struct tui *t, const struct replica *room, enum action a,
			    const char *container_id)
{
	(void)room, (void)a;
	teams_open_container(t->teams, slice_str(container_id));
	tui_open(t, VIEW_BACKLOG);
	return (struct act){0};
}

struct act item_reread(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	feed_refresh(&t->teams->lists[TEAM_ITEMS]);
	feed_refresh(&t->teams->lists[TEAM_CONTAINERS]);
	return (struct act){0};
}

/* ---- items ---- */

bool item_refuses_none(struct tui *t, const struct replica *room, const char *arg, char *out,
		       size_t cap)
{
	return backlog_refuses_none(t, room, arg, out, cap) ||
	       team_refuses_empty(t, room, arg, out, cap);
}

bool item_refuses_uncounted(struct tui *t, const struct replica *room, const char *arg, char *out,
			    size_t cap)
{
	if (item_refuses_none(t, room, arg, out, cap)) {
		return true;
	}
	const struct item_view *item = item_focus(t);
	bool is_counted = item != NULL && item->quantity.len > 0;
	if (!is_counted) {
		(void)format_to(out, cap, "No quantity yet. Set one in its column first");
	}
	return !is_counted;
}

void item_fill_more(struct tui *t, const struct replica *room, struct request *r)
{
	(void)t, (void)room;
	request_text(r, "by", "1");
}

void item_fill_less(struct tui *t, const struct replica *room, struct request *r)
{
	(void)t, (void)room;
	request_text(r, "by", "-1");
}

/* An estimate is what a room agreed on; of anything else one more is what + is for. */
bool item_question_adjust(struct tui *t, const struct replica *room, const char *item_id, char *out,
			  size_t cap)
{
	const struct item_view *item = teams_item(t->teams, slice_str(item_id));
	(void)room;
	if (item == NULL || !slice_eq(item->unit, SLICE(QUANTITY_UNIT_OF_ESTIMATES))) {
		return false;
	}
	(void)format_to(out, cap, "%s is estimated at %s. Change it?", item->name.data,
			item->quantity.data);
	return true;
}

/* The column of the cursor. */
static enum item_column item_column_focus(const struct tui *t)
{
	return (enum item_column)t->lists[VIEW_BACKLOG].column;
}

/* What stands in the field now. */
const char *item_start(struct tui *t, const struct replica *room)
{
	static char day[ITEM_CELL_BYTES];
	const struct item_view *item = item_focus(t);
	(void)room;
	return item == NULL ? NULL : item_column_text(item, item_column_focus(t), day);
}

enum action item_action(enum item_column column)
{
	switch (column) {
	case ITEM_COLUMN_NAME:
		return ACTION_ITEM_NAME;
	case ITEM_COLUMN_QUANTITY:
		return ACTION_ITEM_QUANTITY;
	case ITEM_COLUMN_UNIT:
		return ACTION_ITEM_UNIT;
	case ITEM_COLUMN_CATEGORY:
		return ACTION_ITEM_CATEGORY;
	case ITEM_COLUMN_EXPIRY:
		return ACTION_ITEM_EXPIRY;
	case ITEM_COLUMN_NOTE:
	case ITEM_COLUMNS_N:
		break;
	}
	return ACTION_ITEM_NOTE;
}

struct act item_edit(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	return action_run(t, room, item_action(item_column_focus(t)), NULL);
}

/* Nobody has to name what nothing is. */
struct act item_category(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	return action_request(t, room, a, line[0] == '\0' ? ITEM_CATEGORY_USUAL : line);
}

struct act item_sort(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	const struct teams *teams = t->teams;
	(void)a, (void)arg;
	struct listing l = tui_listing(t, room, VIEW_BACKLOG);
	list_go(l, list_at(l)); /* the cursor stays on its item */
	backlog_sort(&t->teams->backlog, item_column_focus(t), teams_rows(teams, TEAM_ITEMS));
	if (!teams->backlog.is_sorted) {
		tui_tell(t, "In the order of adding");
	} else {
		said_reply(t, "By %s%s%s", backlog_column_name(t, item_column_focus(t)),
			   teams->backlog.is_down ? ", descending" : "",
			   teams->lists[TEAM_ITEMS].has_more ? ": of those loaded so far" : "");
		t->said.is_told = true;
	}
	return (struct act){0};
}

/* ---- in a room ---- */

bool sources_refuses(struct tui *t, const struct replica *room, const char *arg, char *out,
		     size_t cap)
{
	if (room->room.group_id.data == NULL) {
		(void)format_to(out, cap, "This room has no team, so no backlogs");
		return true;
	}
	return team_refuses_strangers(t, room, arg, out, cap);
}

struct act sources_open(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	teams_open_group(t->teams, room->room.group_id);
	tui_open(t, VIEW_SOURCES);
	return (struct act){0};
}

bool item_is_story(const struct replica *room, const struct item_view *item)
{
	size_t i = 0;
	while (i < room->stories.n &&
	       !slice_eq(replica_story_at(room, i)->item.item_id, item->item_id)) {
		i++;
	}
	return i < room->stories.n;
}

/* The cursor goes on to the next one, so that several take a key each. */
struct act item_story(struct tui *t, const struct replica *room, enum action a, const char *item_id)
{
	const struct item_view *item = teams_item(t->teams, slice_str(item_id));
	if (item == NULL || item_is_story(room, item)) {
		said_reply(t, "Already a story in this room");
		return (struct act){0};
	}
	if (!quantity_is_estimate(item->quantity.len > 0, item->unit)) {
		said_reply(t, "%s has a quantity: %s %s", item->name.data, item->quantity.data,
			   item->unit.data);
		return (struct act){0};
	}
	struct request *r = tui_request(t, a, METHOD_STORY_ADD);
	request_text(r, "container_id", t->teams->container_id);
	request_text(r, "item_id", item_id);
	struct act act = tui_send(t, a);
	if (act.request != NULL) {
		tui_tell(t, "Added to the stories");
		(void)list_take_key(tui_listing(t, room, VIEW_BACKLOG), TUI_KEY_DOWN);
	}
	return act;
}

/* ---- the note ---- */

struct act item_note(struct tui *t, const struct replica *room, enum action a, const char *item_id)
{
	const struct item_view *item = teams_item(t->teams, slice_str(item_id));
	(void)room, (void)a;
	if (item != NULL) {
		(void)format_to(t->backlog.note_id, sizeof(t->backlog.note_id), "%s", item_id);
		t->backlog.note_revision = item->revision;
		text_editor_set(t->backlog.note, item->note.data == NULL ? "" : item->note.data,
				MAX_ITEM_NOTE_BYTES);
		t->view = VIEW_ITEM_NOTE;
	}
	return (struct act){0};
}
