/*
 * export_json.c - the room as one JSON document, complete, with the names that the wire has.
 */
#include <stdlib.h>

#include <jansson.h>

#include "client/model/export.h"

/* Sets a member that is there; *ok turns false when memory is out. */
static void export_set(json_t *object, const char *key, json_t *value, bool *ok)
{
	*ok = json_object_set_new(object, key, value) == 0 && *ok;
}

static void export_set_text(json_t *object, const char *key, struct slice text, bool *ok)
{
	if (text.len > 0) {
		export_set(object, key, json_stringn(text.data, text.len), ok);
	}
}

static void export_set_word(json_t *object, const char *key, const struct words *words, int value,
			    bool *ok)
{
	export_set_text(object, key, words->list[value], ok);
}

static void export_set_int(json_t *object, const char *key, int64_t value, bool *ok)
{
	export_set(object, key, json_integer(value), ok);
}

static void export_set_bool(json_t *object, const char *key, bool value, bool *ok)
{
	export_set(object, key, json_boolean(value), ok);
}

/* NULL where it could not be kept: jansson takes NULL, and fails, wherever it would be used. */
static json_t *export_append(json_t *list, bool *ok)
{
	json_t *object = json_object();
	bool is_kept = json_array_append_new(list, object) == 0;
	*ok = *ok && is_kept;
	return is_kept ? object : NULL;
}

static json_t *export_inside(json_t *object, const char *key, json_t *value, bool *ok)
{
	bool is_kept = json_object_set_new(object, key, value) == 0;
	*ok = *ok && is_kept;
	return is_kept ? value : NULL;
}

static json_t *export_list(json_t *object, const char *key, bool *ok)
{
	return export_inside(object, key, json_array(), ok);
}

static json_t *export_object(json_t *object, const char *key, bool *ok)
{
	return export_inside(object, key, json_object(), ok);
}

static void export_policy(json_t *out, const struct policy_view *view, bool *ok)
{
	for (size_t i = 0; i < record_policy_view.n; i++) {
		const struct field *f = &record_policy_view.fields[i];
		const void *member = field_member(f, view);
		if (f->kind == FIELD_BOOL) {
			export_set_bool(out, f->name, *(const bool *)member, ok);
		} else {
			export_set_word(out, f->name, f->words, *(const int *)member, ok);
		}
	}
}

static void export_members(json_t *list, const struct replica *r, bool *ok)
{
	for (size_t i = 0; i < r->users.n; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (m->username.data == NULL) {
			continue;
		}
		json_t *out = export_append(list, ok);
		export_set_text(out, "user_id", m->user_id, ok);
		export_set_text(out, "username", m->username, ok);
		export_set_word(out, "role", &words_seat_role, (int)m->role, ok);
		export_set_bool(out, "is_bot", m->is_bot, ok);
		export_set_bool(out, "is_connected", m->is_connected, ok);
		export_set_bool(out, "is_host", m->is_host, ok);
		if (!replica_hides_voters(r)) {
			export_set_bool(out, "has_vote", m->has_vote, ok);
		}
		export_set_text(out, "vote", m->vote, ok);
		export_set_text(out, "note", m->note, ok);
	}
}

static void export_stories(json_t *list, const struct replica *r, bool *ok)
{
	for (size_t i = 0; i < r->stories.n + r->removed.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		json_t *out = export_append(list, ok);
		export_set_text(out, "story_id", s->story_id, ok);
		export_set_text(out, "title", s->title, ok);
		export_set_text(out, "link", s->link, ok);
		export_set_text(out, "notes", s->notes, ok);
		export_set_word(out, "status", &words_story_status, (int)s->status, ok);
		export_set_text(out, "estimate", s->estimate, ok);
		if (s->is_removed) {
			export_set_bool(out, "is_removed", true, ok);
		}
	}
}

static void export_votes(json_t *list, const struct round_view *r, bool *ok)
{
	for (size_t i = 0; i < r->votes_n; i++) {
		const struct round_vote *v = &r->votes[i];
		json_t *out = export_append(list, ok);
		export_set_text(out, "vote", v->vote, ok);
		export_set_text(out, "user_id", v->user_id, ok);
		export_set_text(out, "username", v->username, ok);
		export_set_word(out, "role", &words_seat_role, (int)v->role, ok);
		export_set_bool(out, "is_bot", v->is_bot, ok);
		export_set_text(out, "note", v->note, ok);
		if (v->with_confidence) {
			export_set_int(out, "confidence", v->confidence, ok);
		}
		if (v->is_changed) {
			export_set_bool(out, "is_changed", true, ok);
		}
	}
}

static void export_result(json_t *out, const struct room_result *r, bool *ok)
{
	export_set_int(out, "votes", r->votes, ok);
	if (r->with_withdrawn) {
		export_set_int(out, "withdrawn", r->withdrawn, ok);
	}
	if (r->with_average) {
		export_set(out, "average", json_real(r->average), ok);
		export_set(out, "median", json_real(r->median), ok);
	}
	export_set_text(out, "mode", r->mode, ok);
	export_set_int(out, "agreement_percent", r->agreement_percent, ok);
	if (r->with_spread_steps) {
		export_set_int(out, "spread_steps", r->spread_steps, ok);
	}
	export_set_text(out, "lowest", r->lowest, ok);
	export_set_text(out, "highest", r->highest, ok);
	export_set_text(out, "suggestion", r->suggestion, ok);
	export_set_bool(out, "is_unanimous", r->is_unanimous, ok);
}

static void export_rounds(json_t *list, const struct export_room *x, bool *ok)
{
	for (size_t i = 0; i < x->rounds_n; i++) {
		const struct round_view *r = &x->rounds[i];
		json_t *out = export_append(list, ok);
		export_set_int(out, "n", r->n, ok);
		export_set_text(out, "story_id", r->story_id, ok);
		export_set_text(out, "story", r->story, ok);
		export_set_int(out, "started_at", r->started_at, ok);
		export_set_int(out, "revealed_at", r->revealed_at, ok);
		export_set_text(out, "outcome", r->outcome, ok);
		export_votes(export_list(out, "votes", ok), r, ok);
		export_result(export_object(out, "result", ok), &r->result, ok);
	}
}

static void export_statistics(json_t *out, const struct export_room *x, bool *ok)
{
	struct export_stats s;
	export_count(x, &s);
	export_set_int(out, "stories", (int64_t)s.stories, ok);
	export_set_int(out, "done", (int64_t)s.done, ok);
	export_set_int(out, "skipped", (int64_t)s.skipped, ok);
	export_set_int(out, "todo", (int64_t)s.todo, ok);
	export_set_int(out, "estimated_at_once", (int64_t)s.at_once, ok);
	export_set_int(out, "rounds", (int64_t)s.rounds, ok);
	export_set_int(out, "votes", (int64_t)s.votes, ok);
	export_set_int(out, "voting_ms", s.voting_ms, ok);
	if (s.has_points) {
		export_set(out, "points", json_real(s.points), ok);
	}
	if (s.has_agreement) {
		export_set_int(out, "agreement_percent", s.agreement_percent, ok);
	}
}

static void export_room(json_t *out, const struct replica *r, bool *ok)
{
	export_set_text(out, "room_id", slice_str(r->room_id), ok);
	export_set_text(out, "title", r->room.title, ok);
	export_set_int(out, "round", r->room.round, ok);
	export_set_word(out, "phase", &words_room_phase, (int)r->room.phase, ok);
	export_set_text(out, "story_id", r->room.story_id, ok);
	json_t *cards = export_list(out, "valid_sizes", ok);
	for (size_t i = 0; i < r->room.valid_sizes.n; i++) {
		*ok = json_array_append_new(cards, json_string(replica_card(r, i))) == 0 && *ok;
	}
	export_policy(export_object(out, "policy", ok), &r->room.policy, ok);
}

void export_json(const struct export_room *x, struct buf *out)
{
	bool ok = true;
	json_t *whole = json_object();
	export_room(whole, x->room, &ok);
	export_members(export_list(whole, "users", &ok), x->room, &ok);
	export_stories(export_list(whole, "stories", &ok), x->room, &ok);
	export_rounds(export_list(whole, "rounds", &ok), x, &ok);
	export_statistics(export_object(whole, "statistics", &ok), x, &ok);
	char *text = ok ? json_dumps(whole, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) : NULL;
	if (text == NULL) {
		out->error = out->error == OK ? ERR_NOMEM : out->error;
	} else {
		(void)buf_append_slice(out, slice_str(text));
		(void)buf_append(out, "\n", 1);
	}
	free(text);
	json_decref(whole);
}
