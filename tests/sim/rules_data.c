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

/* Whether an open request of one of the methods is about that. */
static bool rules_names(const struct change *ch, struct methods methods, const char *target)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, NULL, &at)) != NULL) {
		if (strcmp(op->target, target) == 0) {
			return true;
		}
	}
	return false;
}

void rules_data(const struct change *ch)
{
	struct methods any =
		METHODS_OF(METHOD_PRESENCE_CREATE, METHOD_PRESENCE_DELETE, METHOD_MAP_CREATE,
			   METHOD_MAP_DELETE, METHOD_MAP_SET, METHOD_MAP_REMOVE, METHOD_LIST_CREATE,
			   METHOD_LIST_DELETE, METHOD_LIST_PUSH, METHOD_LIST_INSERT,
			   METHOD_LIST_SET, METHOD_LIST_MOVE, METHOD_LIST_REMOVE);
	if (!view_eq_data(ch->before, ch->after) && !rules_has_cause(ch, any, NULL)) {
		rules_broken(ch, "other shared data", NULL);
	}
	for (size_t i = 0; i < ch->before->data_n; i++) {
		const struct view_entry *e = &ch->before->data[i];
		if (e->id[0] != '\0' && view_entry(ch->after, e->kind, e->id) == NULL &&
		    !rules_has_cause(ch, METHODS_OF(METHOD_MAP_DELETE, METHOD_LIST_DELETE), NULL) &&
		    !rules_names(ch, METHODS_OF(METHOD_MAP_REMOVE, METHOD_LIST_REMOVE), e->id)) {
			rules_broken(ch, "a lost entry", NULL);
		}
	}
}
