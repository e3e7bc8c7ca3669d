/*
 * replica_data.c - of the room's shared data what shared_conventions.h names: what members
 * do now, and the notes. All else passes by.
 */
#include "client/model/replica_parts.h"

#include <stdlib.h>
#include <string.h>

static void replica_finish_present(struct present *p)
{
	free(p->user_id);
	free(p->story_id);
}

static void replica_finish_note(struct shared_note *n)
{
	free(n->key);
	free(n->text);
}

void replica_finish_data(struct replica_data *d)
{
	for (size_t i = 0; i < d->presents_n; i++) {
		replica_finish_present(&d->presents[i]);
	}
	for (size_t i = 0; i < d->notes_n; i++) {
		replica_finish_note(&d->notes[i]);
	}
	free(d->presents);
	free(d->notes);
	*d = (struct replica_data){0};
}

/* ---- preparing ---- */

static bool replica_is_presence(const struct data_change *c)
{
	return c->kind == DATA_PRESENCE && slice_eq(c->name, SLICE(SHARED_PRESENCE));
}

static bool replica_is_notes(const struct data_change *c)
{
	return c->kind == DATA_MAP && slice_eq(c->name, SLICE(SHARED_NOTES));
}

/* Who is gone, or says what makes no sense, does nothing. */
static bool replica_make_present(const struct data_entry *e, struct present *out)
{
	struct arena arena = {0};
	struct presence_entry entry = {0};
	struct fault ignored;
	enum err read = ERR_INVALID;
	if (!e->is_gone && e->with_value) {
		read = record_from_bytes(&record_presence_entry, e->value, RECORD_LENIENT, &arena,
					 &entry, &ignored);
	}
	*out = (struct present){.doing = read == OK ? entry.doing : ACTIVITY_NOTHING};
	out->user_id = replica_soften(e->entry_id);
	bool is_made = read != ERR_NOMEM && out->user_id != NULL &&
		       replica_soften_nil(entry.story_id, read == OK && entry.with_story_id,
					  &out->story_id);
	arena_finish(&arena);
	if (!is_made) {
		replica_finish_present(out);
	}
	return is_made;
}

/* Without a value it is the note that we wrote ourselves: its text comes with the answer. */
static bool replica_make_note(const struct data_entry *e, struct shared_note *out)
{
	*out = (struct shared_note){
		.revision = e->with_revision ? e->revision : 0,
		.is_gone = e->with_is_gone && e->is_gone,
	};
	out->key = replica_soften(e->entry_id);
	bool is_made = out->key != NULL &&
		       (!e->with_value || shared_text_read(e->value, &out->text) != ERR_NOMEM);
	if (!is_made) {
		replica_finish_note(out);
	}
	return is_made;
}

static bool replica_prepare_presents(const struct data_change *c, struct replica_data *d)
{
	d->presents = calloc(c->entries_n + 1, sizeof(*d->presents));
	for (size_t i = 0; d->presents != NULL && i < c->entries_n; i++) {
		if (!replica_make_present(&c->entries[i], &d->presents[i])) {
			return false;
		}
		d->presents_n++;
	}
	return d->presents != NULL;
}

static bool replica_prepare_notes(const struct data_change *c, struct replica_data *d)
{
	d->notes = calloc(c->entries_n + 1, sizeof(*d->notes));
	for (size_t i = 0; d->notes != NULL && i < c->entries_n; i++) {
		if (!replica_make_note(&c->entries[i], &d->notes[i])) {
			return false;
		}
		d->notes_n++;
	}
	return d->notes != NULL;
}

bool replica_prepare_data(const struct room_update *u, struct replica_next *next)
{
	for (size_t i = 0; u->with_data && i < u->data_n; i++) {
		const struct data_change *c = &u->data[i];
		bool is_gone = c->with_is_gone && c->is_gone;
		/* No update names a set twice; of a server whose do, the first counts. */
		if (replica_is_presence(c) && next->data.presents == NULL) {
			next->presence_is_gone = is_gone;
			next->data.has_presence = !is_gone;
			if (!replica_prepare_presents(c, &next->data)) {
				return false;
			}
		} else if (replica_is_notes(c) && next->data.notes == NULL) {
			next->notes_are_gone = is_gone;
			next->data.has_notes = !is_gone;
			if (!replica_prepare_notes(c, &next->data)) {
				return false;
			}
		}
	}
	return true;
}

bool replica_reserve_data(struct replica *r, const struct replica_data *more)
{
	struct replica_data *d = &r->data;
	if (more->presents_n > 0) {
		size_t n = d->presents_n + more->presents_n;
		struct present *grown = realloc(d->presents, n * sizeof(*grown));
		if (grown == NULL) {
			return false;
		}
		d->presents = grown;
	}
	if (more->notes_n > 0) {
		size_t n = d->notes_n + more->notes_n;
		struct shared_note *grown = realloc(d->notes, n * sizeof(*grown));
		if (grown == NULL) {
			return false;
		}
		d->notes = grown;
	}
	return true;
}

/* ---- putting in place ---- */

static size_t replica_find_present(const struct replica_data *d, const char *user_id)
{
	size_t i = 0;
	while (i < d->presents_n && strcmp(d->presents[i].user_id, user_id) != 0) {
		i++;
	}
	return i;
}

static void replica_put_present(struct replica_data *d, struct present *p)
{
	size_t at = replica_find_present(d, p->user_id);
	if (at < d->presents_n) {
		replica_finish_present(&d->presents[at]);
	} else {
		d->presents_n++;
	}
	d->presents[at] = *p;
	if (p->doing == ACTIVITY_NOTHING) {
		replica_finish_present(p);
		d->presents[at] = d->presents[--d->presents_n];
	}
}

static size_t replica_find_note(const struct replica_data *d, const char *key)
{
	size_t i = 0;
	while (i < d->notes_n && strcmp(d->notes[i].key, key) != 0) {
		i++;
	}
	return i;
}

static void replica_put_note_there(struct replica_data *d, struct shared_note *n)
{
	size_t at = replica_find_note(d, n->key);
	bool is_known = at < d->notes_n && d->notes[at].revision == n->revision;
	if (is_known && n->text == NULL && !n->is_gone) {
		replica_finish_note(n); /* our own: the answer was faster */
		return;
	}
	if (at < d->notes_n) {
		replica_finish_note(&d->notes[at]);
	} else {
		d->notes_n++;
	}
	d->notes[at] = *n;
	if (n->is_gone) {
		replica_finish_note(n);
		d->notes[at] = d->notes[--d->notes_n];
	}
}

static void replica_clear_presents(struct replica_data *d)
{
	while (d->presents_n > 0) {
		replica_finish_present(&d->presents[--d->presents_n]);
	}
	d->has_presence = false;
}

static void replica_clear_notes(struct replica_data *d)
{
	while (d->notes_n > 0) {
		replica_finish_note(&d->notes[--d->notes_n]);
	}
	d->has_notes = false;
}

void replica_put_data(struct replica *r, bool full, struct replica_next *next)
{
	struct replica_data *d = &r->data;
	struct replica_data *more = &next->data;
	if (full || next->presence_is_gone) {
		replica_clear_presents(d);
	}
	if (full || next->notes_are_gone) {
		replica_clear_notes(d);
	}
	for (size_t i = 0; i < more->presents_n; i++) {
		replica_put_present(d, &more->presents[i]);
	}
	for (size_t i = 0; i < more->notes_n; i++) {
		replica_put_note_there(d, &more->notes[i]);
	}
	d->has_presence = d->has_presence || more->has_presence;
	d->has_notes = d->has_notes || more->has_notes;
	free(more->presents);
	free(more->notes);
	*more = (struct replica_data){0};
}

/* ---- looking ---- */

const struct shared_note *replica_note(const struct replica *r, const char *key)
{
	size_t at = replica_find_note(&r->data, key);
	return at < r->data.notes_n ? &r->data.notes[at] : NULL;
}

enum activity replica_doing(const struct replica *r, const char *user_id, const char **story_id)
{
	size_t at = replica_find_present(&r->data, user_id);
	bool is_there = at < r->data.presents_n;
	*story_id = is_there ? r->data.presents[at].story_id : NULL;
	return is_there ? r->data.presents[at].doing : ACTIVITY_NOTHING;
}

enum err replica_put_note(struct replica *r, const char *key, const char *text, int64_t revision)
{
	size_t at = replica_find_note(&r->data, key);
	struct shared_note note = {.key = replica_soften(slice_str(key)), .revision = revision};
	if (at < r->data.notes_n && r->data.notes[at].revision > revision) {
		replica_finish_note(&note);
		return OK; /* somebody wrote after us */
	}
	if (note.key == NULL || !replica_soften_lines(slice_str(text), true, &note.text) ||
	    !replica_reserve_data(r, &(struct replica_data){.notes_n = 1})) {
		replica_finish_note(&note);
		return ERR_NOMEM;
	}
	r->data.has_notes = true;
	replica_put_note_there(&r->data, &note);
	return OK;
}
