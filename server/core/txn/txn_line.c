/*
 * txn_line.c - transactions whose method names the same partition run one after another;
 * so do those that no request began and that name the same line.
 *
 * First come, first served: what one connection asks of a partition is done in the order in which it asked. The next
 * one runs when the one before has run to its end, and not only when that is durable (txn_batch.c). A transaction
 * waits in one line at most, and none that has run waits in a line, so nothing waits in a circle.
 */
#include "server/core/txn/txn_priv.h"

#include <stdlib.h>

/* Those that wait for each other, and those before them that have run and are not durable. */
struct line {
	struct transaction *all; /* utlist by line_next */
	struct transaction *at;	 /* the first that has not run to its end; NULL: all have */
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
	DL_APPEND2(line->all, ta, line_prev, line_next);
	line->at = line->at == NULL ? ta : line->at;
	line->n++;
	return OK;
}

bool line_is_first(const struct transaction *ta)
{
	return ta->line == NULL || ta->line->at == ta;
}

/* Where it was the one to run, that is the next that has not. */
static void line_move_on(struct server *s, struct transaction *ta)
{
	struct line *line = ta->line;
	if (line->at != ta) {
		return;
	}
	do {
		line->at = line->at->line_next;
	} while (line->at != NULL && line->at->has_run);
	if (line->at != NULL && line->at->loading == 0 && !line->at->is_due) {
		txn_due(s, line->at);
	}
}

void line_pass(struct server *s, struct transaction *ta)
{
	ta->has_run = true;
	if (ta->line != NULL) {
		line_move_on(s, ta);
	}
}

/* One before it may have returned already, and be running again. */
void line_return(struct transaction *ta)
{
	ta->has_run = false;
	if (ta->line != NULL) {
		struct transaction *first = ta->line->all;
		while (first->has_run) {
			first = first->line_next;
		}
		ta->line->at = first;
	}
}

void line_leave(struct server *s, struct transaction *ta)
{
	struct line *line = ta->line;
	if (line == NULL) {
		return;
	}
	line_move_on(s, ta);
	ta->line = NULL;
	DL_DELETE2(line->all, ta, line_prev, line_next);
	line->n--;
	if (line->all == NULL) {
		HASH_DELETE(hh, s->lines, line);
		free(line);
	}
}
