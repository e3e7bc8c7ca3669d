/*
 * pages.c - see pages.h.
 */
#include "client/cli/reach/pages.h"

#include <stdlib.h>
#include <string.h>

#include "client/cli/output/print.h"
#include "client/model/memory.h"
#include "proto/base/limits.h"

enum { PAGES_EMPTY_MAX = 100 };

const struct field *pages_field(enum method method)
{
	const struct record *rec = method_rows[method].result;
	for (size_t i = 0; i < rec->n; i++) {
		if (rec->fields[i].kind == FIELD_RECS) {
			return &rec->fields[i];
		}
	}
	return NULL;
}

/* The next page's cursor into the request; false where this was the last page. */
static bool pages_go_on(struct request *r, struct slice cursor, char **last)
{
	if (cursor.len == 0) {
		return false;
	}
	char *next = memory_have(strndup(cursor.data, cursor.len));
	bool is_new = *last == NULL || strcmp(next, *last) != 0;
	free(*last);
	*last = next;
	request_text(r, "cursor", next);
	return is_new;
}

/* A list that a server makes up need not end; pages may be empty where the server hides what is on them. */
struct pages_bound {
	size_t entries;
	size_t empty; /* pages in a row */
};

static bool pages_are_too_many(struct pages_bound *b, size_t n)
{
	b->entries += n;
	b->empty = n == 0 ? b->empty + 1 : 0;
	return b->entries > MAX_CONTAINER_ITEMS || b->empty > PAGES_EMPTY_MAX;
}

int pages_each(struct visit *v, struct request *r, pages_cb each, void *owner)
{
	const struct record *rec = method_rows[r->method].result;
	const struct field *entries = pages_field(r->method);
	const struct field *cursor = record_field(rec, SLICE("cursor")); /* NULL: one page */
	void *page = memory_new(1, rec->size);
	struct pages_bound bound = {.entries = 0};
	char *last = NULL;
	int code;
	do {
		const char *at;
		arena_reset(&v->arena);
		code = visit_call(v, r->method, r->params, page);
		if (code != EXIT_DONE) {
			break;
		}
		const void *member = field_member(entries, page);
		if (pages_are_too_many(&bound, field_recs_n(member))) {
			code = print_failure(ERR_PROTO, "the server's list does not end");
			break;
		}
		memcpy(&at, member, sizeof(at));
		for (size_t i = 0; i < field_recs_n(member) && code == EXIT_DONE; i++) {
			code = each(owner, at + i * entries->of->size);
		}
	} while (code == EXIT_DONE && cursor != NULL &&
		 pages_go_on(r, *(const struct slice *)field_member(cursor, page), &last));
	free(last);
	free(page);
	return code;
}
