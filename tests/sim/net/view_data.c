/*
 * view_data.c - the shared data and the presences of a room as somebody sees it.
 */
#include "tests/sim/net/view.h"

#include <string.h>

#include "tests/sim/world/dice.h"

bool view_eq_data(const struct view *a, const struct view *b)
{
	if (a->is_without_data || b->is_without_data) {
		return true;
	}
	bool same = a->data_n == b->data_n;
	for (size_t i = 0; i < a->data_n && same; i++) {
		const struct view_entry *x = &a->data[i];
		const struct view_entry *y = &b->data[i];
		same = strcmp(x->kind, y->kind) == 0 && strcmp(x->name, y->name) == 0 &&
		       strcmp(x->rank, y->rank) == 0 && strcmp(x->id, y->id) == 0 &&
		       strcmp(x->by, y->by) == 0 && x->revision == y->revision &&
		       (x->is_hole || y->is_hole || x->value == y->value);
	}
	return same;
}

const struct view_entry *view_entry(const struct view *v, const char *kind, const char *id)
{
	for (size_t i = 0; i < v->data_n; i++) {
		if (strcmp(v->data[i].kind, kind) == 0 && strcmp(v->data[i].id, id) == 0) {
			return &v->data[i];
		}
	}
	return NULL;
}

static int view_by_place(const struct view_entry *a, const struct view_entry *b)
{
	int order = strcmp(a->kind, b->kind);
	order = order != 0 ? order : strcmp(a->name, b->name);
	order = order != 0 ? order : strcmp(a->rank, b->rank);
	return order != 0 ? order : strcmp(a->id, b->id);
}

/* One entry, or with id NULL all of a set. */
static void view_drop_data(struct view *v, const char *kind, const char *name, const char *id)
{
	size_t kept = 0;
	for (size_t i = 0; i < v->data_n; i++) {
		const struct view_entry *e = &v->data[i];
		if (strcmp(e->kind, kind) != 0 || strcmp(e->name, name) != 0 ||
		    (id != NULL && strcmp(e->id, id) != 0)) {
			v->data[kept++] = *e;
		}
	}
	memset(&v->data[kept], 0, (v->data_n - kept) * sizeof(v->data[0]));
	v->data_n = kept;
}

static const char *view_put_data(struct view *v, const struct view_entry *e)
{
	size_t at = 0;
	view_drop_data(v, e->kind, e->name, e->id);
	if (v->data_n == SIM_DATA_MAX) {
		return "more data than was ever set";
	}
	while (at < v->data_n && view_by_place(&v->data[at], e) < 0) {
		at++;
	}
	memmove(&v->data[at + 1], &v->data[at], (v->data_n - at) * sizeof(v->data[0]));
	v->data[at] = *e;
	v->data_n++;
	return NULL;
}

static void view_leave(struct view *v, const char *name, const char *user_id)
{
	size_t kept = 0;
	for (size_t i = 0; i < v->present_n; i++) {
		const struct view_present *p = &v->present[i];
		if (strcmp(p->name, name) != 0 ||
		    (user_id != NULL && strcmp(p->user_id, user_id) != 0)) {
			v->present[kept++] = *p;
		}
	}
	memset(&v->present[kept], 0, (v->present_n - kept) * sizeof(v->present[0]));
	v->present_n = kept;
}

const struct view_present *view_present(const struct view *v, const char *name, const char *user_id)
{
	for (size_t i = 0; i < v->present_n; i++) {
		if (strcmp(v->present[i].name, name) == 0 &&
		    strcmp(v->present[i].user_id, user_id) == 0) {
			return &v->present[i];
		}
	}
	return NULL;
}

static const char *view_apply_present(struct view *v, const struct view_entry *set,
				      const struct data_entry *d)
{
	struct view_present p = {.is_hole = !d->with_value};
	memcpy(p.name, set->name, sizeof(p.name));
	if (!view_text(p.user_id, sizeof(p.user_id), d->entry_id)) {
		return "somebody present who has no seat";
	}
	view_leave(v, p.name, p.user_id);
	if (d->is_gone) {
		return NULL;
	}
	if (v->present_n == SIM_SEATS_MAX) {
		return "more are present than there are seats";
	}
	p.value = d->with_value ? sim_hash(SIM_HASH_START, d->value.data, d->value.len) : 0;
	v->present[v->present_n++] = p;
	return NULL;
}

static const char *view_apply_entry(struct view *v, const struct view_entry *set,
				    const struct data_entry *d)
{
	struct view_entry e = *set;
	if (strcmp(set->kind, "presence") == 0) {
		return view_apply_present(v, set, d);
	}
	if (!view_text(e.id, sizeof(e.id), d->entry_id) ||
	    !view_text(e.rank, sizeof(e.rank), d->rank)) {
		return "an entry longer than any that was ever set";
	}
	if (!d->with_by || !view_text(e.by, sizeof(e.by), d->by)) {
		return "an entry that nobody changed";
	}
	if (d->is_gone) {
		view_drop_data(v, e.kind, e.name, e.id);
		return NULL;
	}
	const struct view_entry *was = NULL;
	for (size_t i = 0; i < v->data_n; i++) {
		if (strcmp(v->data[i].kind, e.kind) == 0 && strcmp(v->data[i].name, e.name) == 0 &&
		    strcmp(v->data[i].id, e.id) == 0) {
			was = &v->data[i];
		}
	}
	e.revision = d->revision;
	if (was != NULL && d->revision < was->revision) {
		return "the revision of an entry goes back";
	}
	if (d->with_value) {
		e.value = sim_hash(SIM_HASH_START, d->value.data, d->value.len);
	} else {
		e.is_hole = was == NULL || was->is_hole || was->revision != d->revision;
		e.value = e.is_hole ? 0 : was->value;
	}
	return view_put_data(v, &e);
}

const char *view_apply_data(struct view *v, const struct data_change *d)
{
	struct view_entry set = {0};
	if (!view_text(set.kind, sizeof(set.kind),
		       slice_str(words_text(&words_data_kind, (int)d->kind))) ||
	    !view_text(set.name, sizeof(set.name), d->name)) {
		return "a kind or name of data that was never given";
	}
	if (d->is_gone) {
		view_drop_data(v, set.kind, set.name, NULL);
		if (strcmp(set.kind, "presence") == 0) {
			view_leave(v, set.name, NULL);
		}
		return NULL;
	}
	const char *wrong = view_put_data(v, &set);
	for (size_t i = 0; i < d->entries_n && wrong == NULL; i++) {
		wrong = view_apply_entry(v, &set, &d->entries[i]);
	}
	return wrong;
}

const char *view_data_flaw(const struct view *v)
{
	for (size_t i = 0; i < v->data_n; i++) {
		const struct view_entry *a = &v->data[i];
		for (size_t k = i + 1; k < v->data_n && a->id[0] != '\0'; k++) {
			const struct view_entry *b = &v->data[k];
			if (!a->is_hole && !b->is_hole && b->id[0] != '\0' &&
			    a->value == b->value) {
				return "an entry is repeated";
			}
			if (a->rank[0] != '\0' && strcmp(a->rank, b->rank) == 0) {
				return "two entries with one rank: their order is not certain";
			}
		}
	}
	return NULL;
}
