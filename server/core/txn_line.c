/*
 * txn_line.c - transactions whose method names the same partition wait in line for each other;
 * so do those that no request began and that name the same line.
 *
 * First come, first served: fifty requests on one item are fifty commits, and
 * not forty-nine conflicts. Only the first of a line has begun; a transaction
 * waits in one line at most, so nothing waits in a circle.
 */
#include "server/core/txn_priv.h"

#include <stdlib.h>

/* Those that wait for each other, the first of them running. */
struct line {
	struct transaction *first, *last;
	size_t n;
	UT_hash_handle hh; /* by key */
	size_t len;
	char key[];
};

/* The partition that it names. A method that only reads waits for none. */
struct slice line_of_request(struct transaction *ta)
{
	const struct method_place *place = &method_places[ta->row->where];
	const struct field *f = place->field == NULL || ta->row->effect != EFFECT_CHANGES
					? NULL
					: record_field(ta->row->params, slice_str(place->field));
	struct slice value;
	if (f == NULL || !field_with(f, ta->txn.params)) {
		return (struct slice){0};
	}
	memcpy(&value, field_member(f, ta->txn.params), sizeof(value));
	return txn_join(ta, &ta->request, place->pk_prefix, strlen(place->pk_prefix), value);
}

enum err line_join(struct server *s, struct transaction *ta, struct slice key)
{
	struct line *line = NULL;
	if (key.len == 0) {
		return OK;
	}
	HASH_FIND(hh, s->lines, key.data, key.len, line);
	if (line == NULL) {
		line = calloc(1, sizeof(*line) + key.len);
		if (line == NULL) {
			return ERR_NOMEM;
		}
		line->len = key.len;
		memcpy(line->key, key.data, key.len);
		HASH_ADD(hh, s->lines, key, (unsigned)key.len, line);
		if (line->hh.tbl == NULL) {
			free(line);
			return ERR_NOMEM;
		}
	}
	if (line->n >= MAX_TRANSACTIONS_IN_LINE) {
		return ERR_TOO_LARGE;
	}
	ta->line = line;
	if (line->first == NULL) {
		line->first = ta;
	} else {
		line->last->line_next = ta;
	}
	line->last = ta;
	line->n++;
	return OK;
}

bool line_is_first(const struct transaction *ta)
{
	return ta->line == NULL || ta->line->first == ta;
}

void line_leave(struct server *s, struct transaction *ta)
{
	struct line *line = ta->line;
	if (line == NULL) {
		return;
	}
	ta->line = NULL;
	line->n--;
	line->first = ta->line_next;
	if (line->first == NULL) {
		HASH_DELETE(hh, s->lines, line);
		free(line);
	} else {
		txn_due(s, line->first);
	}
}
