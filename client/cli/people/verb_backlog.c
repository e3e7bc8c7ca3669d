/*
 * verb_backlog.c - aye backlog list, show, import, export and delete; aye item set and expiring.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/cli/output/print.h"
#include "client/cli/output/template.h"
#include "client/cli/reach/pages.h"
#include "client/cli/rooms/import_send.h"
#include "client/cli/verb_method.h"
#include "client/formats/items_export.h"
#include "client/model/memory.h"
#include "client/model/rows.h"
#include "proto/base/format.h"

enum { BACKLOG_LINE_BYTES = 2048, A_WEEK_S = 7 * 86400 };

/* A hundred thousand items with a note each. */
#define BACKLOG_EXPORT_BYTES (1u << 30)

/* ---- aye backlog list ---- */

struct backlog_list {
	struct visit *visit;
	struct rows teams; /* one's own */
	size_t n;
};

/* Each entry of a list into its rows. */
static int backlog_put_row(void *rows, const void *entry)
{
	rows_put(rows, entry);
	return EXIT_DONE;
}

static int backlog_list_print(void *owner, const void *entry)
{
	struct backlog_list *l = owner;
	const struct container_entry *b = entry;
	const struct cli *c = l->visit->cli;
	const struct group_entry *team = rows_find(&l->teams, b->group_id);
	struct buf line;
	l->n++;
	buf_init(&line, MAX_FRAME_BYTES);
	template_write(c->verb->says, &c->args, &record_container_entry, b, &line);
	bool has_team = l->teams.n > 1 && team != NULL;
	bool is_told = memory_check(line.error) == OK &&
		       print_line("%.*s%s%s", (int)line.len, line.data, has_team ? "  of " : "",
				  has_team ? print_soft(team->group_name) : "");
	buf_finish(&line);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* With their teams, where they are of several. */
static int backlog_list(struct visit *v, struct request *r)
{
	struct backlog_list l = {.visit = v};
	if (v->cli->is_json || request_has(r, "group_id")) {
		return verb_list_all(v, r);
	}
	struct request *teams = request_make(METHOD_GROUP_LIST);
	rows_init(&l.teams, &record_group_entry, "group_id", "group_id");
	int code = pages_each(v, teams, backlog_put_row, &l.teams);
	request_free(teams);
	code = code == EXIT_DONE ? pages_each(v, r, backlog_list_print, &l) : code;
	if (code == EXIT_DONE && l.n == 0) {
		print_progress("%s", v->cli->verb->tells_none);
	}
	rows_finish(&l.teams);
	return code;
}

int verb_backlog_list(struct cli *c)
{
	return verb_method_with(c, backlog_list);
}

/* ---- aye backlog show ---- */

/* The backlog, and the list of its items as aye item list has it. */
static int backlog_show(struct visit *v, struct request *r)
{
	const struct container_params *p = r->params;
	struct container_entry b;
	int code = visit_call(v, r->method, p, &b);
	if (code != EXIT_DONE) {
		return code;
	}
	if (v->cli->is_json) {
		code = print_record(&record_container_entry, &b);
	} else {
		struct container_entry *of = memory_have(record_own(&record_container_entry, &b));
		struct group_get_params get = {.group_id = of->group_id};
		struct group_get_result team;
		code = visit_call(v, METHOD_GROUP_GET, &get, &team);
		if (code == EXIT_DONE &&
		    !print_line("%s  %s\n%lld %s, of the team %s", print_soft(of->container_name),
				print_soft(of->container_id), (long long)of->items,
				of->items == 1 ? "item" : "items", print_soft(team.group_name))) {
			code = EXIT_BROKEN;
		}
		free(of);
	}
	struct request *list = request_make(METHOD_ITEM_LIST);
	*(struct item_list_params *)list->params =
		(struct item_list_params){.container_id = p->container_id};
	code = code == EXIT_DONE ? verb_list_all(v, list) : code;
	request_free(list);
	return code;
}

int verb_backlog_show(struct cli *c)
{
	return verb_method_with(c, backlog_show);
}

/* ---- all its items ---- */

struct backlog_items {
	struct item_view **items;
	size_t n;
	size_t cap;
	size_t of_n; /* as the server counted them before; 0: it was not asked */
	struct progress progress;
};

static int backlog_items_take(void *owner, const void *entry)
{
	struct backlog_items *all = owner;
	if (all->n == all->cap) {
		all->cap = all->cap == 0 ? 256 : 2 * all->cap;
		all->items =
			memory_have(realloc(all->items, all->cap * sizeof(struct item_view *)));
	}
	all->items[all->n++] = memory_have(record_own(&record_item_view, entry));
	if (all->of_n > 0) {
		progress_show(&all->progress, all->n, all->of_n);
	}
	return EXIT_DONE;
}

/* The exit code, told. */
static int backlog_items_read(struct visit *v, struct slice container_id, size_t of_n,
			      struct backlog_items *out)
{
	struct request *list = request_make(METHOD_ITEM_LIST);
	*out = (struct backlog_items){.of_n = of_n, .progress = progress_begin(v->cli)};
	*(struct item_list_params *)list->params =
		(struct item_list_params){.container_id = container_id};
	int code = pages_each(v, list, backlog_items_take, out);
	progress_hide(&out->progress);
	request_free(list);
	return code;
}

static void backlog_items_free(struct backlog_items *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->items[i]);
	}
	free(all->items);
}

/* ---- aye backlog import ---- */

static void import_fill_item(const void *from, size_t at, void *params)
{
	const struct stories_import *read = from;
	const struct import_item *item = &read->items[at];
	*(struct item_add_params *)params = (struct item_add_params){
		.is_unique = item->key.len > 0 && !read->is_again,
		.name = item->name,
		.unit = item->unit,
		.quantity = item->quantity,
		.category = item->category,
		.expiry = item->expiry,
		.with_expiry = item->expiry > 0,
		.note = item->note,
	};
}

/* What it is worth stays as the team has it. */
static bool import_change_item(const void *from, size_t at, void *params)
{
	const struct stories_import *read = from;
	const struct import_item *item = &read->items[at];
	*(struct item_update_params *)params = (struct item_update_params){
		.item_id = item->item_id,
		.name = item->name,
		.note = item->note,
	};
	return item->item_id.len > 0;
}

static size_t import_line_of_item(const void *from, size_t at)
{
	const struct stories_import *read = from;
	return read->items[at].line;
}

static const struct import_kind import_items = {
	.one = "item",
	.many = "items",
	.add = METHOD_ITEM_ADD,
	.update = METHOD_ITEM_UPDATE,
	.remove = METHOD_ITEM_REMOVE,
	.id = "item_id",
	.known = "name", /* it begins with the key */
	.in = "container_id",
	.fill = import_fill_item,
	.change = import_change_item,
	.line = import_line_of_item,
};

static int backlog_import(struct visit *v, struct request *r)
{
	const struct item_add_params *p = r->params;
	struct import_send s;
	struct backlog_items is = {.n = 0};
	struct stories_import read = {.items_n = 0};
	struct arena arena = {0};
	struct buf text;
	enum import_format format;
	char container_id[80];
	(void)format_to(container_id, sizeof(container_id), "%.*s", (int)p->container_id.len,
			p->container_id.data);
	buf_init(&text, IMPORT_SEND_BYTES);
	int code = import_send_begin(&s, &import_items, v);
	if (code == EXIT_DONE) {
		code = import_send_load(v->cli, &format, &text);
	}
	if (code == EXIT_DONE && v->cli->args.value[OPTION_AGAIN] == NULL) {
		code = backlog_items_read(v, slice_str(container_id), 0, &is);
	}
	if (code == EXIT_DONE) {
		items_import_read(buf_slice(&text), format, &arena, &read);
		import_send_remarks(&read, s.kind->one);
		read.is_again = v->cli->args.value[OPTION_AGAIN] != NULL;
		s.known_n = items_import_compare(&read, (const struct item_view *const *)is.items,
						 is.n, &arena);
		s.in = container_id;
		s.from = &read;
		s.n = read.items_n;
		s.is_document = read.is_document;
		s.skipped_n = stories_import_skipped(&read);
		if (s.is_strict && read.remarks_n > 0) {
			print_problem("nothing was sent");
			code = EXIT_REFUSED;
		}
	}
	if (code == EXIT_DONE) {
		code = import_send_say(&s, import_send_run(&s));
	}
	import_send_end(&s);
	backlog_items_free(&is);
	buf_finish(&text);
	arena_finish(&arena);
	return code;
}

int verb_backlog_import(struct cli *c)
{
	return verb_method_with(c, backlog_import);
}

/* ---- aye backlog export ---- */

static int backlog_export_write(const struct cli *c, const struct container_entry *of,
				const struct backlog_items *in, enum export_format format)
{
	const char *file = c->args.value[OPTION_OUTPUT];
	const struct items_export all = {
		.of = of,
		.items = (const struct item_view *const *)in->items,
		.n = in->n,
		.is_all = c->args.value[OPTION_REST] != NULL,
	};
	struct buf text;
	buf_init(&text, BACKLOG_EXPORT_BYTES);
	struct export_left left = items_export_write(&all, format, &text);
	int code = memory_check(text.error) != OK ? print_failure(text.error, NULL)
						  : print_file(file, buf_slice(&text));
	print_left_out(&left, format, "item", "items");
	buf_finish(&text);
	return code;
}

static int backlog_export(struct visit *v, struct request *r)
{
	const struct container_params *p = r->params;
	enum export_format format;
	struct container_entry b;
	struct backlog_items all;
	int code = print_export_format(v->cli, &format);
	code = code == EXIT_DONE ? visit_call(v, r->method, p, &b) : code;
	if (code != EXIT_DONE) {
		return code;
	}
	struct container_entry *of = memory_have(record_own(&record_container_entry, &b));
	code = backlog_items_read(v, p->container_id, (size_t)b.items, &all);
	code = code == EXIT_DONE ? backlog_export_write(v->cli, of, &all, format) : code;
	backlog_items_free(&all);
	free(of);
	return code;
}

int verb_backlog_export(struct cli *c)
{
	return verb_method_with(c, backlog_export);
}

/* ---- aye item set ---- */

int verb_item_set(struct cli *c)
{
	static const enum option changes[] = {OPTION_CALLED,   OPTION_UNIT,   OPTION_QUANTITY,
					      OPTION_CATEGORY, OPTION_EXPIRY, OPTION_NOTE};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		if (c->args.value[changes[i]] != NULL) {
			return verb_method(c);
		}
	}
	print_problem("give at least one change: --name, --unit, --quantity, --category, --expiry "
		      "or --note");
	return EXIT_USAGE;
}

/* ---- aye item expiring ---- */

struct expiring_list {
	struct visit *visit;
	struct rows backlogs; /* the team's */
	size_t n;
};

static int item_expiring_print(void *owner, const void *entry)
{
	struct expiring_list *l = owner;
	const struct cli *c = l->visit->cli;
	struct expiring_item item = *(const struct expiring_item *)entry;
	const struct container_entry *b = rows_find(&l->backlogs, item.container_id);
	struct buf line;
	item.container_id = b == NULL ? item.container_id : b->container_name;
	l->n++;
	buf_init(&line, MAX_FRAME_BYTES);
	template_write(c->verb->says, &c->args, &record_expiring_item, &item, &line);
	bool is_told =
		memory_check(line.error) == OK && print_line("%.*s", (int)line.len, line.data);
	buf_finish(&line);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* People read which backlog by its name. */
static int item_expiring_by_name(struct visit *v, struct request *r)
{
	const struct item_expiring_params *p = r->params;
	struct expiring_list l = {.visit = v};
	struct request *backlogs = request_make(METHOD_CONTAINER_LIST);
	*(struct container_list_params *)backlogs->params =
		(struct container_list_params){.group_id = p->group_id, .with_group_id = true};
	rows_init(&l.backlogs, &record_container_entry, "container_id", "container_id");
	int code = pages_each(v, backlogs, backlog_put_row, &l.backlogs);
	request_free(backlogs);
	code = code == EXIT_DONE ? pages_each(v, r, item_expiring_print, &l) : code;
	if (code == EXIT_DONE && l.n == 0) {
		print_progress("%s", v->cli->verb->tells_none);
	}
	rows_finish(&l.backlogs);
	return code;
}

static int item_expiring(struct visit *v, struct request *r)
{
	if (!request_has(r, "before")) {
		request_int(r, "before", ((int64_t)time(NULL) + A_WEEK_S) * 1000);
	}
	return print_is_for_a_person() && !v->cli->is_json ? item_expiring_by_name(v, r)
							   : verb_list_all(v, r);
}

int verb_item_expiring(struct cli *c)
{
	return verb_method_with(c, item_expiring);
}
