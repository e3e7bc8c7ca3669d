/*
 * rules_data.c - why stories and shared data may change.
 */
#include "tests/sim/rules.h"

#include <string.h>

/* ---- stories ---- */

static bool rules_story_asked(const struct change *ch, struct methods methods, const char *story_id,
			      const char *title)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, NULL, &at)) != NULL) {
		if (rules_may(ch, op) && (story_id == NULL || strcmp(op->target, story_id) == 0) &&
		    (title == NULL || strcmp(op->text, title) == 0)) {
			return true;
		}
	}
	return false;
}

static void rules_story(const struct change *ch, const struct view_story *was,
			const struct view_story *is)
{
	if (strcmp(was->title, is->title) != 0 &&
	    !rules_story_asked(ch, METHODS_OF(METHOD_STORY_UPDATE), is->story_id, is->title)) {
		rules_broken(ch, "another title of a story", NULL);
	}
	if (was->is_removed != is->is_removed &&
	    !rules_story_asked(ch,
			       is->is_removed ? METHODS_OF(METHOD_STORY_REMOVE)
					      : METHODS_OF(METHOD_STORY_RESTORE),
			       is->story_id, NULL)) {
		rules_broken(ch, is->is_removed ? "a removed story" : "a restored story", NULL);
	}
	/* Its own move, or all get other ranks because one found no room. */
	if (strcmp(was->rank, is->rank) != 0 &&
	    !rules_story_asked(ch, METHODS_OF(METHOD_STORY_MOVE, METHOD_STORY_ADD), NULL, NULL)) {
		rules_broken(ch, "another place of a story", NULL);
	}
}

void rules_stories(const struct change *ch)
{
	for (size_t i = 0; i < ch->after->stories_n; i++) {
		const struct view_story *is = &ch->after->stories[i];
		const struct view_story *was = view_story(ch->before, is->story_id);
		if (was != NULL) {
			rules_story(ch, was, is);
		} else if (!rules_story_asked(ch, METHODS_OF(METHOD_STORY_ADD, METHOD_STORY_UPDATE),
					      NULL, is->title)) {
			rules_broken(ch, "a new story", NULL);
		}
	}
	for (size_t i = 0; i < ch->before->stories_n; i++) {
		if (view_story(ch->after, ch->before->stories[i].story_id) == NULL) {
			rules_broken(ch, "a lost story", NULL);
		}
	}
}

/* ---- shared data ---- */

static bool rules_has_name_in(const struct view *v, const char *user_id)
{
	const struct view_user *u = view_user_const(v, user_id);
	return u != NULL && u->has_name;
}

bool rules_may_edit_data(const struct change *ch, const struct op *op)
{
	enum data_editors was = ch->before->policy.data_editors;
	enum data_editors is = ch->after->policy.data_editors;
	if (was == DATA_EDITORS_EVERYONE || is == DATA_EDITORS_EVERYONE || rules_may_host(ch, op)) {
		return true;
	}
	return (was == DATA_EDITORS_MEMBERS || is == DATA_EDITORS_MEMBERS) &&
	       (rules_has_name_in(ch->before, op->user_id) ||
		rules_has_name_in(ch->after, op->user_id));
}

/* Whoever ever asked for it to be made may be the one who made it. */
static bool rules_may_be_maker(const struct world *w, const struct op *op)
{
	enum method made = op->method == METHOD_MAP_DELETE ? METHOD_MAP_CREATE : METHOD_LIST_CREATE;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *maker = &w->ops[i];
		if (maker->method == made && maker->room == op->room && maker->is_delivered &&
		    maker->member == op->member) {
			return true;
		}
	}
	return false;
}

static bool rules_may_delete_data(const struct change *ch, const struct op *op)
{
	bool is_everyones = ch->before->policy.data_editors == DATA_EDITORS_EVERYONE ||
			    ch->after->policy.data_editors == DATA_EDITORS_EVERYONE;
	return is_everyones || rules_may_host(ch, op) ||
	       (rules_may_edit_data(ch, op) && rules_may_be_maker(ch->w, op));
}

/* Whether an open request of one of the methods, by somebody who may, is about that (NULL: any
 * entry), and by that user (NULL: anybody). */
static bool rules_edits(const struct change *ch, struct methods methods, const char *target,
			const char *user_id)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, user_id, &at)) != NULL) {
		if ((target == NULL || strcmp(op->target, target) == 0) &&
		    rules_may_edit_data(ch, op)) {
			return true;
		}
	}
	return false;
}

static bool rules_deletes(const struct change *ch, enum method method)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(method), NULL, &at)) != NULL) {
		if (rules_may_delete_data(ch, op)) {
			return true;
		}
	}
	return false;
}

/* An entry has the name of whoever made of it what it is. */
static void rules_entry(const struct change *ch, const struct view_entry *is)
{
	struct methods changes = METHODS_OF(METHOD_MAP_SET, METHOD_LIST_PUSH, METHOD_LIST_INSERT,
					    METHOD_LIST_SET, METHOD_LIST_MOVE);
	const struct view_entry *was = view_entry(ch->before, is->kind, is->id);
	bool is_same = was != NULL && was->revision == is->revision && strcmp(was->by, is->by) == 0;
	if (!is_same && !rules_edits(ch, changes, NULL, is->by)) {
		rules_broken(ch, "an entry changed by somebody who did not", is->by);
	}
}

void rules_data(const struct change *ch)
{
	struct methods any =
		METHODS_OF(METHOD_PRESENCE_CREATE, METHOD_PRESENCE_DELETE, METHOD_MAP_CREATE,
			   METHOD_MAP_DELETE, METHOD_MAP_SET, METHOD_MAP_REMOVE, METHOD_LIST_CREATE,
			   METHOD_LIST_DELETE, METHOD_LIST_PUSH, METHOD_LIST_INSERT,
			   METHOD_LIST_SET, METHOD_LIST_MOVE, METHOD_LIST_REMOVE);
	if (!view_eq_data(ch->before, ch->after) && !rules_edits(ch, any, NULL, NULL)) {
		rules_broken(ch, "other shared data", NULL);
	}
	for (size_t i = 0; i < ch->after->data_n && !ch->before->is_without_data; i++) {
		if (ch->after->data[i].id[0] != '\0') {
			rules_entry(ch, &ch->after->data[i]);
		}
	}
	for (size_t i = 0; i < ch->before->data_n; i++) {
		const struct view_entry *e = &ch->before->data[i];
		bool is_map = strcmp(e->kind, "map") == 0;
		if (view_entry(ch->after, e->kind, e->id) != NULL ||
		    strcmp(e->kind, "presence") == 0 ||
		    rules_deletes(ch, is_map ? METHOD_MAP_DELETE : METHOD_LIST_DELETE)) {
			continue;
		}
		if (e->id[0] == '\0' ||
		    !rules_edits(ch, METHODS_OF(METHOD_MAP_REMOVE, METHOD_LIST_REMOVE), e->id,
				 NULL)) {
			rules_broken(ch, "a lost entry", NULL);
		}
	}
}
