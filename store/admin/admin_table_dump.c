/*
 * admin_table_dump.c - the table as JSON lines, and whether it is consistent, whichever engine has it.
 */
#include "store/admin/admin_conceal.h"
#include "store/admin/admin_line.h"
#include "store/admin/admin_table.h"

#define DUMP_LINE_MAX ((size_t)1 << 23)

/* ---- dump ---- */

struct dump {
	const struct admin_table *t;
	bool with_hidden;
	struct admin_conceal conceal;
	struct buf line;
	admin_line_cb *on_line;
	void *arg;
	struct admin_counts *counts;
	struct errmsg *why;
};

static enum err dump_item(struct dump *d, const struct store_item *item)
{
	enum item_kind kind = item_kind_of(item->pk, item->sk);
	struct slice value = item->value;
	enum err e = kind == ITEM_COUNT ? ERR_CORRUPT
		     : d->with_hidden	? OK
					: admin_conceal_item(&d->conceal, kind, item->pk, &value);
	buf_clear(&d->line);
	e = e == OK ? admin_line_write(item->pk, item->sk, value, &d->line) : e;
	if (e != OK) {
		return admin_table_fail(d->t, e == ERR_NOMEM ? e : ERR_CORRUPT, d->why);
	}
	d->counts->items++;
	d->counts->items_of[kind]++;
	if (!d->on_line(d->arg, buf_slice(&d->line))) {
		errmsg_set(d->why, "stopped");
		return ERR_CLOSED;
	}
	return OK;
}

static enum err dump_page(void *arg, const struct store_item *items, size_t n, bool is_torn)
{
	struct dump *d = arg;
	enum err e = OK;
	if (is_torn) {
		admin_conceal_forget(&d->conceal, items[0].pk);
	}
	for (size_t i = 0; i < n && e == OK; i++) {
		e = dump_item(d, &items[i]);
	}
	return e;
}

enum err admin_table_dump(const struct admin_table *t, bool with_hidden, admin_line_cb *on_line,
			  void *arg, struct admin_counts *counts, struct errmsg *why)
{
	struct dump d = {.t = t,
			 .with_hidden = with_hidden,
			 .line = {.max = DUMP_LINE_MAX},
			 .on_line = on_line,
			 .arg = arg,
			 .counts = counts,
			 .why = why};
	*counts = (struct admin_counts){.items = 0};
	enum err e = admin_table_walk(t, ADMIN_COPYING, dump_page, &d, why);
	counts->hidden = d.conceal.hidden;
	buf_finish(&d.line);
	admin_conceal_finish(&d.conceal);
	return e;
}

/* ---- check ---- */

struct checking {
	admin_line_cb *on_problem;
	void *arg;
	struct admin_counts *counts;
	bool is_answered;
	bool is_stopped; /* by on_problem */
	enum err e;
	char cursor[STORE_CHECK_CURSOR_BYTES_MAX];
	size_t cursor_len;
};

static void checking_tell(struct checking *k, struct slice lines)
{
	while (lines.len > 0 && !k->is_stopped) {
		const char *end = memchr(lines.data, '\n', lines.len);
		size_t len = end == NULL ? lines.len : (size_t)(end - lines.data);
		k->is_stopped = !k->on_problem(k->arg, slice_of(lines.data, len));
		len += end != NULL;
		lines = slice_of(lines.data + len, lines.len - len);
	}
}

static void on_part(void *arg, enum err e, const struct store_checked *c)
{
	struct checking *k = arg;
	k->is_answered = true;
	k->e = e;
	k->counts->items += c->items;
	k->counts->index_entries += c->entries - c->items;
	k->counts->problems += c->problems;
	checking_tell(k, c->lines);
	k->cursor_len = c->next.len < sizeof(k->cursor) ? c->next.len : sizeof(k->cursor);
	if (k->cursor_len > 0) {
		memcpy(k->cursor, c->next.data, k->cursor_len);
	}
}

static enum err checking_part(const struct admin_table *t, struct checking *k, struct errmsg *why)
{
	enum err e = OK;
	k->is_answered = false;
	store_check(t->store, slice_of(k->cursor, k->cursor_len), on_part, k);
	while (store_poll(t->store), !k->is_answered) { /* even if it was ended: it refers to *k */
		t->wait(t->wait_arg);
		e = e == OK ? admin_table_progress(t, ADMIN_CHECKING, 0, 0, why) : e;
	}
	e = e == OK ? admin_table_progress(t, ADMIN_CHECKING, 0, 0, why) : e;
	if (e == OK && k->is_stopped) {
		errmsg_set(why, "stopped");
		e = ERR_CLOSED;
	}
	return e;
}

enum err admin_table_check(const struct admin_table *t, admin_line_cb *on_problem, void *arg,
			   struct admin_counts *counts, struct errmsg *why)
{
	struct checking k = {.on_problem = on_problem, .arg = arg, .counts = counts};
	enum err e = OK;
	*counts = (struct admin_counts){.items = 0};
	do {
		e = checking_part(t, &k, why);
	} while (e == OK && k.e == OK && k.cursor_len > 0);
	if (e != OK) {
		return e;
	}
	if (k.e != OK) {
		return admin_table_fail(t, k.e, why);
	}
	if (counts->problems > 0) {
		errmsg_set(why, "%s: %llu problems", t->name, (unsigned long long)counts->problems);
		return ERR_CORRUPT;
	}
	return OK;
}
