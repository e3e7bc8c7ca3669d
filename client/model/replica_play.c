/*
 * replica_play.c - stories, policy, phase, timers and the result of a replica.
 */
#include "client/model/replica_parts.h"

#include <stdlib.h>
#include <string.h>

#include "proto/text.h"

/* ---- stories ---- */

static void replica_finish_story(struct story *s)
{
	free(s->story_id);
	free(s->rank);
	free(s->title);
	free(s->link);
	free(s->notes);
	free(s->estimate);
}

static void replica_free_stories(struct story *stories, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		replica_finish_story(&stories[i]);
	}
	free(stories);
}

/* The ends of lines are kept, which softening would take for what they are not here. */
bool replica_soften_lines(struct slice text, bool is_there, char **out)
{
	*out = NULL;
	if (!is_there || text.data == NULL) {
		return true;
	}
	char *notes = malloc(3 * text.len + 1);
	if (notes == NULL) {
		return false;
	}
	size_t len = 0;
	for (size_t at = 0; at < text.len;) {
		const char *end = memchr(text.data + at, '\n', text.len - at);
		size_t line = end == NULL ? text.len - at : (size_t)(end - text.data) - at;
		len += text_soften(slice_of(text.data + at, line), notes + len, 3 * line);
		if (end != NULL) {
			notes[len++] = '\n';
		}
		at += line + (end != NULL);
	}
	notes[len] = '\0';
	*out = notes;
	return true;
}

static bool replica_make_story(const struct story_view *v, struct story *out)
{
	*out = (struct story){.is_removed = v->is_removed};
	out->status = v->status;
	out->story_id = replica_soften(v->story_id);
	out->rank = replica_soften(v->rank);
	out->title = replica_soften(v->title);
	bool is_made = out->story_id != NULL && out->rank != NULL && out->title != NULL &&
		       replica_soften_nil(v->link, v->with_link, &out->link) &&
		       replica_soften_lines(v->notes, v->with_notes, &out->notes) &&
		       replica_soften_nil(v->estimate, v->with_estimate, &out->estimate);
	if (!is_made) {
		replica_finish_story(out);
	}
	return is_made;
}

bool replica_prepare_stories(const struct room_update *u, struct replica_next *next)
{
	if (!u->with_stories || u->stories_n == 0) {
		return true;
	}
	next->stories = calloc(u->stories_n, sizeof(*next->stories));
	if (next->stories == NULL) {
		return false;
	}
	for (size_t i = 0; i < u->stories_n; i++) {
		if (!replica_make_story(&u->stories[i], &next->stories[i])) {
			return false;
		}
		next->stories_n++;
	}
	return true;
}

bool replica_reserve_stories(struct replica *r, size_t more)
{
	if (more == 0) {
		return true;
	}
	size_t n = r->stories_n + r->removed_n + more;
	struct story *grown = realloc(r->stories, n * sizeof(*grown));
	if (grown != NULL) {
		r->stories = grown;
	}
	return grown != NULL;
}

static size_t replica_find_story(const struct replica *r, const char *story_id)
{
	size_t n = r->stories_n + r->removed_n;
	size_t i = 0;
	while (i < n && strcmp(r->stories[i].story_id, story_id) != 0) {
		i++;
	}
	return i;
}

const struct story *replica_story(const struct replica *r, const char *story_id)
{
	if (story_id == NULL) {
		return NULL;
	}
	size_t at = replica_find_story(r, story_id);
	return at < r->stories_n + r->removed_n ? &r->stories[at] : NULL;
}

static bool replica_goes_before(const struct story *a, const struct story *b)
{
	if (a->is_removed != b->is_removed) {
		return b->is_removed;
	}
	return strcmp(a->rank, b->rank) < 0;
}

/* By insertion: but for what has changed it is in order already. */
static void replica_sort_stories(struct replica *r, size_t n)
{
	r->stories_n = 0;
	for (size_t i = 0; i < n; i++) {
		struct story s = r->stories[i];
		size_t at = i;
		while (at > 0 && replica_goes_before(&s, &r->stories[at - 1])) {
			r->stories[at] = r->stories[at - 1];
			at--;
		}
		r->stories[at] = s;
		r->stories_n += !s.is_removed;
	}
	r->removed_n = n - r->stories_n;
}

void replica_put_stories(struct replica *r, bool full, struct replica_next *next)
{
	size_t n = r->stories_n + r->removed_n;
	if (full) {
		replica_free_stories(r->stories, n);
		r->stories = next->stories;
		replica_sort_stories(r, next->stories_n);
		return;
	}
	for (size_t i = 0; i < next->stories_n; i++) {
		size_t at = replica_find_story(r, next->stories[i].story_id);
		if (at < r->stories_n + r->removed_n) {
			replica_finish_story(&r->stories[at]);
		} else {
			r->removed_n++; /* counted anew below */
		}
		r->stories[at] = next->stories[i];
	}
	free(next->stories);
	replica_sort_stories(r, r->stories_n + r->removed_n);
}

/* ---- the room's own fields ---- */

bool replica_prepare_play(const struct room_view *v, struct replica_next *next)
{
	if (v->with_result) {
		next->result = record_own(&record_room_result, &v->result);
	}
	return replica_soften_nil(v->story_id, true, &next->story_id) &&
	       replica_soften_nil(v->outcome, v->with_outcome, &next->outcome) &&
	       (!v->with_result || next->result != NULL);
}

void replica_drop_play(struct replica_next *next)
{
	free(next->story_id);
	free(next->outcome);
	free(next->result);
	replica_free_stories(next->stories, next->stories_n);
}

void replica_put_play(struct replica *r, const struct room_view *v, struct replica_next *next)
{
	free(r->story_id);
	free(r->outcome);
	free(r->result);
	r->story_id = next->story_id;
	r->outcome = next->outcome;
	r->result = next->result;
	r->phase = v->phase;
	policy_from_view(&v->policy, &r->policy);
	r->story_round = v->story_round;
	r->started_at = v->started_at;
	r->countdown_ends_at = v->with_countdown ? v->countdown.ends_at : 0;
	r->countdown_token = v->with_countdown ? v->countdown.token : 0;
	r->timer_ends_at = v->with_timer ? v->timer.ends_at : 0;
	r->timer_reveals = v->with_timer && v->timer.reveal_at_zero;
	r->is_armed = v->with_is_armed && v->is_armed;
	r->can_undo = v->with_can_undo && v->can_undo;
}

void replica_finish_play(struct replica *r)
{
	free(r->story_id);
	free(r->outcome);
	free(r->result);
	replica_free_stories(r->stories, r->stories_n + r->removed_n);
}

/* ---- standing ---- */

struct standing replica_standing(const struct replica *r, bool has_host_key)
{
	return (struct standing){
		.is_host = r->i_am_host || has_host_key,
		.has_name = r->my_name != NULL,
		.is_spectator = r->i_am_spectator,
		.is_waiting = r->i_am_waiting,
		.is_revealed = r->is_revealed,
		.policy = r->policy,
	};
}
