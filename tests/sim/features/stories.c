/*
 * stories.c - the backlog: stories come, move, go, and are voted on.
 *
 * Each story has a title that no other has, so that one which is there twice
 * is seen.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- requests ---- */

void send_story_add(struct world *w, struct conn *c, int room, const char *title, const char *key,
		    const char *before, const char *once)
{
	struct story_add_params p = {.title = slice_str(title),
				     .with_title = true,
				     .key = slice_str(key),
				     .is_unique = key != NULL && strlen(key) == 2, /* #0 to #9 */
				     .before = slice_str(before)};
	struct op about = {.flag = p.is_unique};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), p.title);
	view_text(about.card, sizeof(about.card), p.key);
	view_text(about.target, sizeof(about.target), p.before);
	send_op(w, c, METHOD_STORY_ADD, room, &p, &about);
}

static void send_story_update(struct world *w, struct conn *c, int room, const char *story_id,
			      const char *title, const char *key, const char *once)
{
	struct story_update_params p = {.story_id = slice_str(story_id),
					.title = slice_str(title),
					.with_title = true,
					.key = slice_str(key),
					.with_key = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), p.title);
	view_text(about.card, sizeof(about.card), p.key);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_STORY_UPDATE, room, &p, &about);
}

static void send_story_move(struct world *w, struct conn *c, int room, const char *story_id,
			    const char *to, bool behind, const char *once)
{
	struct story_move_params p = {.story_id = slice_str(story_id),
				      .before = slice_str(behind ? "" : to),
				      .after = slice_str(behind ? to : "")};
	struct op about = {.flag = behind};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.story_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_STORY_MOVE, room, &p, &about);
}

/* story.remove, story.restore */
static void send_story(struct world *w, struct conn *c, enum method method, int room,
		       const char *story_id, const char *once)
{
	struct story_params p = {.story_id = slice_str(story_id)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, method, room, &p, &about);
}

void send_select(struct world *w, struct conn *c, int room, const char *story_id, bool with_key,
		 const char *once)
{
	struct story_select_params p = {.story_id = slice_str(story_id), .with_story_id = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_STORY_SELECT, room, &p, &about);
}

/* ---- acts ---- */

/* So few that all writes of everybody at once still fit a view. */
#define STORIES_WANTED 12

static void title_make(struct world *w, char out[24])
{
	snprintf(out, 24, "story %012llx",
		 (unsigned long long)(dice_u64(&w->dice) & 0xffffffffffff));
}

/* NULL: none. */
static const char *key_make(struct world *w, char out[8])
{
	snprintf(out, 8, "#%u", (unsigned)dice_below(&w->dice, 100));
	return dice_percent(&w->dice, 50) ? out : NULL;
}

const char *some_story(struct world *w, const struct view *v)
{
	if (v->stories_n == 0 || dice_percent(&w->dice, 5)) {
		return "nothing";
	}
	return v->stories[dice_below(&w->dice, (uint32_t)v->stories_n)].story_id;
}

static size_t stories_on_their_way(const struct world *w, int room)
{
	size_t n = 0;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		n += w->ops[i].method == METHOD_STORY_ADD && w->ops[i].room == room &&
		     !w->ops[i].is_answered;
	}
	return n;
}

static void act_story_add(struct world *w, struct conn *c, int room)
{
	char once[40];
	char title[24];
	char key[8];
	const struct view *v = &c->subs[room]->view;
	title_make(w, title);
	if (w->rooms[room].mem->now.stories_n + stories_on_their_way(w, room) < STORIES_WANTED) {
		send_story_add(w, c, room, title, key_make(w, key),
			       dice_percent(&w->dice, 40) && v->stories_n > 0 ? some_story(w, v)
									      : NULL,
			       act_once(w, once));
	}
}

static void act_story_move(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct view *v = &c->subs[room]->view;
	const char *which = some_story(w, v);
	send_story_move(w, c, room, which, some_story(w, v), dice_percent(&w->dice, 50),
			act_once(w, once));
}

static void act_story_remove(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_story(w, c, METHOD_STORY_REMOVE, room, some_story(w, &c->subs[room]->view),
		   act_once(w, once));
}

static void act_story_restore(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_story(w, c, METHOD_STORY_RESTORE, room, some_story(w, &c->subs[room]->view),
		   act_once(w, once));
}

static void act_story_update(struct world *w, struct conn *c, int room)
{
	char once[40];
	char title[24];
	char key[8];
	title_make(w, title);
	send_story_update(w, c, room, some_story(w, &c->subs[room]->view), title, key_make(w, key),
			  act_once(w, once));
}

static void act_select(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct view *v = &c->subs[room]->view;
	if (dice_percent(&w->dice, 40)) {
		send_member(w, c, METHOD_STORY_NEXT, room, act_shows(w, c, room),
			    act_once(w, once));
	} else {
		send_select(w, c, room, dice_percent(&w->dice, 15) ? NULL : some_story(w, v),
			    act_shows(w, c, room), act_once(w, once));
	}
}

/* ---- answers ---- */

static bool refused_is_voted_on(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return strcmp(v->story_id, op->target) == 0;
}

static bool refused_is_removed(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_story *s = view_story(v, op->target);
	return s == NULL || s->is_removed;
}

/* It asked for a key of its own. */
static bool refused_is_known(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	for (size_t i = 0; op->flag && op->card[0] != '\0' && i < v->stories_n; i++) {
		if (!v->stories[i].is_removed && strcmp(v->stories[i].key, op->card) == 0) {
			return true;
		}
	}
	return false;
}

static bool refused_no_story(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return (op->target[0] != '\0' && view_story(v, op->target) == NULL) ||
	       (op->other[0] != '\0' && view_story(v, op->other) == NULL);
}

static bool refused_no_editor(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	bool may = v->policy.everyone_edits_stories && me != NULL && me->has_name &&
		   (!op->sets_end || v->policy.everyone_reveals);
	return me == NULL || (!me->is_host && !may);
}

static bool end_reveals(const struct op *op)
{
	return op->sets_end;
}

static bool everyone_edits(const struct policy *p)
{
	return p->everyone_edits_stories;
}

static bool everyone_resets(const struct policy *p)
{
	return p->everyone_resets;
}

static const struct request story_requests[] = {
	{.method = METHOD_STORY_ADD,
	 .everyones = everyone_edits,
	 .forbidden = refused_no_editor,
	 .not_found = refused_no_story,
	 .conflict = refused_is_known},
	{.method = METHOD_STORY_UPDATE,
	 .everyones = everyone_edits,
	 .reveals = end_reveals,
	 .forbidden = refused_no_editor,
	 .not_found = refused_no_story},
	{.method = METHOD_STORY_MOVE,
	 .everyones = everyone_edits,
	 .forbidden = refused_no_editor,
	 .not_found = refused_no_story},
	{.method = METHOD_STORY_REMOVE,
	 .everyones = everyone_edits,
	 .forbidden = refused_no_editor,
	 .not_found = refused_no_story,
	 .conflict = refused_is_voted_on},
	{.method = METHOD_STORY_RESTORE,
	 .everyones = everyone_edits,
	 .forbidden = refused_no_editor,
	 .not_found = refused_no_story},
	{.method = METHOD_STORY_SELECT,
	 .everyones = everyone_resets,
	 .not_found = refused_no_story,
	 .conflict = refused_is_removed},
	{.method = METHOD_STORY_NEXT, .everyones = everyone_resets},
};

/* ---- rules ---- */

/* Such a request was there, with that title and that key; NULL: with any. */
static bool rules_story_asked(const struct change *ch, struct methods methods, const char *story_id,
			      const char *title, const char *key)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, NULL, &at)) != NULL) {
		/* Without a title of its own a story is called as its item is. */
		bool is_items = op->item[0] != '\0' && op->text[0] == '\0';
		if (rules_may(ch, op) && (story_id == NULL || strcmp(op->target, story_id) == 0) &&
		    (title == NULL || strcmp(op->text, title) == 0 ||
		     (is_items && is_item_name(title))) &&
		    (key == NULL || strcmp(op->card, key) == 0)) {
			return true;
		}
	}
	return false;
}

static void rules_story(const struct change *ch, const struct view_story *was,
			const struct view_story *is)
{
	bool is_other = strcmp(was->title, is->title) != 0 || strcmp(was->key, is->key) != 0;
	if (is_other && !rules_story_asked(ch, METHODS_OF(METHOD_STORY_UPDATE), is->story_id,
					   is->title, is->key)) {
		rules_broken(ch, "another title or key of a story", NULL);
	}
	if (was->is_removed != is->is_removed &&
	    !rules_story_asked(ch,
			       is->is_removed ? METHODS_OF(METHOD_STORY_REMOVE)
					      : METHODS_OF(METHOD_STORY_RESTORE),
			       is->story_id, NULL, NULL)) {
		rules_broken(ch, is->is_removed ? "a removed story" : "a restored story", NULL);
	}
	/* Its own move, or all get other ranks because one found no room. */
	if (strcmp(was->rank, is->rank) != 0 &&
	    !rules_story_asked(ch, METHODS_OF(METHOD_STORY_MOVE, METHOD_STORY_ADD), NULL, NULL,
			       NULL)) {
		rules_broken(ch, "another place of a story", NULL);
	}
}

static void stories_follow(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	if (strcmp(a->story_id, b->story_id) != 0 &&
	    rules_host_causes(ch,
			      METHODS_OF(METHOD_STORY_SELECT, METHOD_STORY_NEXT,
					 METHOD_ROUND_UNDO_RESET),
			      false, false) == 0) {
		rules_broken(ch, "another story to vote on", NULL);
	}
	for (size_t i = 0; i < b->stories_n; i++) {
		const struct view_story *is = &b->stories[i];
		const struct view_story *was = view_story(a, is->story_id);
		if (was != NULL) {
			rules_story(ch, was, is);
		} else if (!rules_story_asked(ch, METHODS_OF(METHOD_STORY_ADD, METHOD_STORY_UPDATE),
					      NULL, is->title, is->key)) {
			rules_broken(ch, "a new story", NULL);
		}
	}
	for (size_t i = 0; i < a->stories_n; i++) {
		if (view_story(b, a->stories[i].story_id) == NULL) {
			rules_broken(ch, "a lost story", NULL);
		}
	}
}

static const struct act story_acts[] = {
	{45, act_story_add, false},    {45, act_story_move, false},
	{20, act_story_remove, false}, {18, act_story_restore, false},
	{15, act_story_update, false}, {26, act_select, true},
};

const struct feature feature_stories = {
	.name = "stories",
	FEATURE_ROWS(acts, story_acts),
	FEATURE_ROWS(requests, story_requests),
	.follow = stories_follow,
};
