/*
 * script_wait.c - keeping notifications and fitting patterns to them.
 */
#include "client/cli/rooms/script_wait.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "client/model/memory.h"

struct script_notice {
	json_t *notice;
	struct script_notice *prev, *next;
};

static json_t *script_wait_drop(struct script_wait *w, struct script_notice *n)
{
	json_t *notice = n->notice;
	DL_DELETE(w->kept, n);
	w->kept_n--;
	free(n);
	return notice;
}

void script_wait_finish(struct script_wait *w)
{
	while (w->kept != NULL) {
		json_decref(script_wait_drop(w, w->kept));
	}
	json_decref(w->pattern);
	w->pattern = NULL;
}

void script_wait_keep(struct script_wait *w, json_t *take_notice)
{
	struct script_notice *n = memory_new(1, sizeof(*n));
	n->notice = take_notice;
	DL_APPEND(w->kept, n);
	w->kept_n++;
	if (w->kept_n > SCRIPT_WAIT_KEPT_MAX) {
		json_decref(script_wait_drop(w, w->kept));
	}
}

json_t *script_wait_find(struct script_wait *w)
{
	const json_t *method = json_object_get(w->pattern, "method");
	json_t *where = json_object_get(w->pattern, "where");
	while (w->kept != NULL) {
		json_t *notice = script_wait_drop(w, w->kept);
		if (json_equal(json_object_get(notice, "method"), method) &&
		    (where == NULL || script_wait_fits(where, json_object_get(notice, "params")))) {
			return notice;
		}
		json_decref(notice);
	}
	return NULL;
}

static bool script_wait_any_fits(json_t *where, const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		if (script_wait_fits(where, json_array_get(array, i))) {
			return true;
		}
	}
	return false;
}

static bool script_wait_object_fits(json_t *where, const json_t *value)
{
	for (void *at = json_object_iter(where); at != NULL;
	     at = json_object_iter_next(where, at)) {
		const json_t *member = json_object_get(value, json_object_iter_key(at));
		if (member == NULL || !script_wait_fits(json_object_iter_value(at), member)) {
			return false;
		}
	}
	return true;
}

/* As deep as the pattern, which jansson bounded when it was read. */
bool script_wait_fits(json_t *where, const json_t *value)
{
	if (json_is_object(where) && json_is_object(value)) {
		return script_wait_object_fits(where, value);
	}
	if (json_is_array(where) && json_is_array(value)) {
		for (size_t i = 0; i < json_array_size(where); i++) {
			if (!script_wait_any_fits(json_array_get(where, i), value)) {
				return false;
			}
		}
		return true;
	}
	return json_equal(where, value);
}
