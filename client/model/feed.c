/*
 * feed.c - see feed.h.
 */
#include "client/model/feed.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"

enum { FEED_IDLE_PAGES_MAX = 100, FEED_AGAIN_MS_MIN = 15 * 1000, FEED_AGAIN_MS_MAX = 60 * 1000 };

static bool feed_is_watch(const struct feed *f)
{
	return f->kind->rows == NULL;
}

static void feed_set_cursor(struct feed *f, struct slice cursor)
{
	char *next = cursor.len == 0 ? NULL : memory_text_of(cursor);
	free(f->cursor);
	f->cursor = next;
}

void feed_init(struct feed *f, const struct feed_kind *kind)
{
	*f = (struct feed){.kind = kind, .is_again = kind->pages > 0};
	if (!feed_is_watch(f)) {
		rows_init(&f->rows, kind->entry, kind->key, kind->order);
		rows_init(&f->coming, kind->entry, kind->key, kind->order);
	}
}

void feed_finish(struct feed *f)
{
	rows_finish(&f->rows);
	rows_finish(&f->coming);
	free(f->cursor);
	*f = (struct feed){.kind = f->kind};
}

/* From the first page on; what is shown stays until that is here. */
static void feed_begin(struct feed *f)
{
	rows_clear(&f->coming);
	feed_set_cursor(f, (struct slice){0});
	f->is_again = f->is_known || f->kind->pages > 0;
	f->is_stale = false;
	f->idle_pages = 0;
	f->pages = 0;
	f->refused[0] = '\0';
	f->read = FEED_WANTED;
}

void feed_clear(struct feed *f)
{
	rows_clear(&f->rows);
	f->is_known = false;
	f->has_more = false;
	f->of[0] = '\0';
	f->left[0] = '\0';
	feed_begin(f);
}

void feed_open(struct feed *f, struct slice of)
{
	char left[FEED_OF_BYTES_MAX + 1] = "";
	bool is_same = slice_eq(slice_str(f->of), of);
	if (is_same && !feed_is_watch(f)) {
		feed_refresh(f);
	}
	if (is_same) {
		return;
	}
	if (feed_is_watch(f)) {
		(void)format_to(left, sizeof(left), "%s", f->is_known ? f->of : f->left);
	}
	feed_clear(f);
	(void)format_to(f->left, sizeof(f->left), "%s", left);
	(void)format_to(f->of, sizeof(f->of), "%.*s", (int)of.len, of.data);
}

void feed_refresh(struct feed *f)
{
	if (f->read == FEED_ASKED) {
		f->is_stale = true;
	} else {
		feed_begin(f);
	}
}

void feed_more(struct feed *f)
{
	if (f->read == FEED_IDLE && f->has_more && f->refused[0] == '\0') {
		f->read = FEED_WANTED;
	}
}

/* Pages of a connection that is gone may be old, and nothing is watched on the next one. */
void feed_lost(struct feed *f)
{
	f->left[0] = '\0';
	f->is_known = f->is_known && !feed_is_watch(f);
	feed_begin(f);
}

int64_t feed_wait(struct feed *f, int64_t now_ms)
{
	if (f->refused[0] == '\0' || f->read != FEED_IDLE) {
		return -1;
	}
	if (f->again_at_ms == 0) {
		f->again_at_ms = now_ms + f->again_in_ms;
	}
	if (now_ms >= f->again_at_ms && f->is_stale) {
		feed_begin(f); /* a next page would be of before the change */
	} else if (now_ms >= f->again_at_ms) {
		f->read = FEED_WANTED;
	}
	return f->read == FEED_WANTED ? 0 : f->again_at_ms - now_ms;
}

/* ---- asking ---- */

struct request *feed_ask(const struct feed *f)
{
	const struct feed_kind *kind = f->kind;
	bool is_left = f->left[0] != '\0';
	bool is_open = kind->of == NULL || f->of[0] != '\0';
	if (!is_left && (f->read != FEED_WANTED || !is_open)) {
		return NULL;
	}
	struct request *r = request_make(is_left ? kind->unwatch : kind->list);
	if (kind->of != NULL) {
		request_text(r, kind->of, is_left ? f->left : f->of);
	}
	if (!is_left && kind->most > 0) {
		request_int(r, "limit", kind->most - (int64_t)f->coming.n);
	}
	if (!is_left && f->cursor != NULL) {
		request_text(r, "cursor", f->cursor);
	}
	return r;
}

void feed_sent(struct feed *f, const struct request *asked)
{
	if (asked->method == f->kind->list) {
		f->read = FEED_ASKED;
	} else {
		f->left[0] = '\0';
	}
}

/* A member of the result, by its field's name. */
static void feed_member(const struct feed *f, const char *name, const void *result, void *out,
			size_t size)
{
	const struct record *record = method_rows[f->kind->list].result;
	memcpy(out, field_member(record_field(record, slice_str(name)), result), size);
}

/* Whether the answer to that is waited for: nothing is of what was open before. */
static bool feed_waits_for(const struct feed *f, const struct request *asked)
{
	struct slice of;
	const void *in;
	if (asked->method != f->kind->list || f->read != FEED_ASKED) {
		return false;
	}
	if (f->kind->of == NULL) {
		return true;
	}
	const struct field *field = request_field(asked, f->kind->of, &in);
	memcpy(&of, field_member(field, in), sizeof(of));
	return slice_eq(of, slice_str(f->of));
}

/* Whether another page is read before what has come is shown. */
static bool feed_goes_on(struct feed *f)
{
	const struct feed_kind *kind = f->kind;
	if (f->cursor == NULL || !f->is_again) {
		return false;
	}
	if (kind->pages == 0) {
		return f->coming.n < f->rows.n;
	}
	return (kind->most == 0 || f->coming.n < (size_t)kind->most) && ++f->pages < kind->pages;
}

static void feed_take_rows(struct feed *f, const void *result)
{
	struct rows *to = f->is_again ? &f->coming : &f->rows;
	const size_t before = to->n;
	const size_t most = f->kind->most > 0 ? (size_t)f->kind->most : MAX_CONTAINER_ITEMS;
	const struct record *record = method_rows[f->kind->list].result;
	const void *member = field_member(record_field(record, slice_str(f->kind->rows)), result);
	const size_t n = field_recs_n(member);
	const char *array;
	struct slice cursor;
	memcpy(&array, member, sizeof(array));
	feed_member(f, "cursor", result, &cursor, sizeof(cursor));
	for (size_t i = 0; i < n && to->n < most; i++) {
		rows_put(to, array + i * to->record->size);
	}
	f->idle_pages = to->n == before ? f->idle_pages + 1 : 0;
	bool is_over = to->n >= MAX_CONTAINER_ITEMS || f->idle_pages > FEED_IDLE_PAGES_MAX;
	feed_set_cursor(f, is_over ? (struct slice){0} : cursor);
}

void feed_take(struct feed *f, const struct request *asked, const void *result)
{
	if (!feed_waits_for(f, asked)) {
		return;
	}
	f->refused[0] = '\0';
	if (f->is_stale) {
		feed_begin(f);
		return;
	}
	if (feed_is_watch(f)) {
		feed_member(f, "epoch", result, &f->epoch, sizeof(f->epoch));
		feed_member(f, "version", result, &f->version, sizeof(f->version));
	} else {
		feed_take_rows(f, result);
		if (feed_goes_on(f)) {
			f->read = FEED_WANTED;
			return;
		}
		if (f->is_again) {
			rows_swap(&f->rows, &f->coming);
			rows_clear(&f->coming);
		}
	}
	f->is_again = false;
	f->pages = 0;
	f->is_known = true;
	f->has_more = f->cursor != NULL;
	f->read = FEED_IDLE;
}

void feed_take_refusal(struct feed *f, const struct request *asked, const char *why,
		       int64_t retry_ms)
{
	if (!feed_waits_for(f, asked)) {
		return;
	}
	f->read = FEED_IDLE;
	f->again_in_ms = retry_ms < FEED_AGAIN_MS_MIN	? FEED_AGAIN_MS_MIN
			 : retry_ms > FEED_AGAIN_MS_MAX ? FEED_AGAIN_MS_MAX
							: retry_ms;
	f->again_at_ms = 0;
	(void)format_to(f->refused, sizeof(f->refused), "%s", why[0] == '\0' ? "no reason" : why);
}

/* ---- updates of a watch ---- */

enum feed_fit feed_follow(struct feed *f, struct slice of, int64_t epoch, int64_t since,
			  int64_t version, bool is_reset)
{
	if (!f->is_known || !slice_eq(of, slice_str(f->of))) {
		return FEED_OTHER;
	}
	if (is_reset || epoch != f->epoch || since > f->version) {
		f->is_known = false;
		feed_begin(f);
		return FEED_MISSED;
	}
	f->version = version > f->version ? version : f->version;
	return FEED_FITS;
}

void feed_gone(struct feed *f)
{
	f->is_known = false;
	f->read = FEED_IDLE;
}
