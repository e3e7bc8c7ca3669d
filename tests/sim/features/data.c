/*
 * data.c - shared data: one map and one list, changed by everybody at once,
 * each value like no other.
 */
#include "tests/sim/features/data.h"

#include <string.h>

#include "tests/sim/features/feature.h"

/* ---- requests ---- */

struct slice send_value(struct world *w, struct op *about, char out[9])
{
	out[0] = (char)0xcf;
	dice_bytes(&w->dice, (unsigned char *)out + 1, 8);
	about->value = sim_hash(SIM_HASH_START, out, 9);
	return slice_of(out, 9);
}

void send_data(struct world *w, struct conn *c, enum method method, int room, const char *set,
	       const char *once)
{
	struct data_params p = {0};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, set);
	SEND_ONCE(p, about, once);
	send_op(w, c, method, room, &p, &about);
}

void send_get(struct world *w, struct conn *c, enum method method, int room, const char *set)
{
	struct data_get_params p = {0};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, set);
	send_op(w, c, method, room, &p, &about);
}

/* @revision -1: whatever it is now. */
static void send_map_set(struct world *w, struct conn *c, int room, const char *key,
			 int64_t revision, const char *once)
{
	char value[9];
	struct map_set_params p = {.key = slice_str(key)};
	struct op about = {.token = revision};
	SEND_DATA(p, about, w, c, room, "m");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	p.with_if_revision = revision >= 0 && !planted(w, BREAK_LOSE_REVISION, 2);
	p.if_revision = p.with_if_revision ? revision : 0;
	view_text(about.target, sizeof(about.target), p.key);
	send_op(w, c, METHOD_MAP_SET, room, &p, &about);
}

static void send_map_remove(struct world *w, struct conn *c, int room, const char *key,
			    const char *once)
{
	struct map_remove_params p = {.key = slice_str(key)};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, "m");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.key);
	send_op(w, c, METHOD_MAP_REMOVE, room, &p, &about);
}

/* Now and then an entry_id of one's own, of few: it may be taken. */
static struct slice send_entry_id(struct world *w, struct op *about, bool *with)
{
	*with = dice_percent(&w->dice, 30);
	if (*with) {
		memcpy(about->text, "own-0", sizeof("own-0"));
		about->text[4] = (char)('0' + dice_below(&w->dice, 6));
	}
	return slice_str(about->text);
}

/* @to NULL: at the end. */
static void send_list_add(struct world *w, struct conn *c, int room, const char *to, bool behind,
			  const char *once)
{
	char value[9];
	struct op about = {.token = -1};
	if (to == NULL) {
		struct list_push_params p = {0};
		SEND_DATA(p, about, w, c, room, "l");
		SEND_ONCE(p, about, once);
		p.value = send_value(w, &about, value);
		p.entry_id = send_entry_id(w, &about, &p.with_entry_id);
		send_op(w, c, METHOD_LIST_PUSH, room, &p, &about);
		return;
	}
	struct list_insert_params p = {.before = slice_str(behind ? "" : to),
				       .after = slice_str(behind ? to : "")};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	p.entry_id = send_entry_id(w, &about, &p.with_entry_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_LIST_INSERT, room, &p, &about);
}

static void send_list_set(struct world *w, struct conn *c, int room, const char *entry,
			  const char *once)
{
	char value[9];
	struct list_set_params p = {.entry_id = slice_str(entry)};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	view_text(about.target, sizeof(about.target), p.entry_id);
	send_op(w, c, METHOD_LIST_SET, room, &p, &about);
}

static void send_list_move(struct world *w, struct conn *c, int room, const char *entry,
			   const char *to, bool behind, const char *once)
{
	struct list_move_params p = {.entry_id = slice_str(entry),
				     .before = slice_str(behind ? "" : to),
				     .after = slice_str(behind ? to : "")};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.entry_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_LIST_MOVE, room, &p, &about);
}

static void send_list_remove(struct world *w, struct conn *c, int room, const char *entry,
			     const char *once)
{
	struct list_remove_params p = {.entry_id = slice_str(entry)};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.entry_id);
	send_op(w, c, METHOD_LIST_REMOVE, room, &p, &about);
}

/* ---- acts ---- */
#define ENTRIES_WANTED 12

static const char *some_key(struct world *w)
{
	static const char *const keys[] = {"a", "b", "c", "d"};
	return keys[dice_below(&w->dice, 4)];
}

static const char *some_entry(struct world *w, const struct view *v)
{
	const char *ids[SIM_DATA_MAX];
	uint32_t n = 0;
	for (size_t i = 0; i < v->data_n; i++) {
		if (strcmp(v->data[i].kind, "list") == 0 && v->data[i].id[0] != '\0') {
			ids[n++] = v->data[i].id;
		}
	}
	return n == 0 ? NULL : ids[dice_below(&w->dice, n)];
}

static bool is_long(const struct world *w, int room)
{
	size_t n = w->rooms[room].mem->now.data_n;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		n += (op->method == METHOD_LIST_PUSH || op->method == METHOD_LIST_INSERT) &&
		     op->room == room && !op->is_answered;
	}
	return n > ENTRIES_WANTED;
}

static void act_map(struct world *w, struct conn *c, int room)
{
	char keep[40];
	const char *once = act_once(w, keep);
	const char *key = some_key(w);
	const struct view_entry *e = view_entry(&c->subs[room]->view, "map", key);
	uint32_t kind = dice_below(&w->dice, 100);
	if (view_entry(&c->subs[room]->view, "map", "") == NULL && kind < 80) {
		send_data(w, c, METHOD_MAP_CREATE, room, "m", once);
	} else if (kind < 75) {
		int64_t revision = e == NULL ? 0 : e->revision;
		if (revision > 0 && dice_percent(&w->dice, 30)) {
			revision--; /* as one who looked a while ago */
		}
		send_map_set(w, c, room, key, dice_percent(&w->dice, 40) ? revision : -1, once);
	} else if (kind < 97) {
		send_map_remove(w, c, room, key, once);
	} else {
		send_data(w, c, METHOD_MAP_DELETE, room, "m", once);
	}
}

static void act_list(struct world *w, struct conn *c, int room)
{
	char keep[40];
	const char *once = act_once(w, keep);
	const struct view *v = &c->subs[room]->view;
	uint32_t kind = dice_below(&w->dice, 100);
	const char *entry = some_entry(w, v);
	const char *to = some_entry(w, v);
	bool behind = dice_percent(&w->dice, 50);
	if (view_entry(v, "list", "") == NULL && kind < 80) {
		send_data(w, c, METHOD_LIST_CREATE, room, "l", once);
	} else if (entry == NULL || kind < 35) {
		if (!is_long(w, room)) {
			send_list_add(w, c, room, kind < 20 ? NULL : to, behind, once);
		}
	} else if (kind < 65) {
		send_list_move(w, c, room, entry, to, behind, once);
	} else if (kind < 80) {
		send_list_set(w, c, room, entry, once);
	} else if (kind < 97) {
		send_list_remove(w, c, room, entry, once);
	} else {
		send_data(w, c, METHOD_LIST_DELETE, room, "l", once);
	}
}

/* ---- answers ---- */

static const char *data_kind(enum method method)
{
	return method >= METHOD_LIST_CREATE && method <= METHOD_LIST_REMOVE ? "list" : "map";
}

/* A set that names a revision is of exactly what had that revision. */
static void granted_set(struct world *w, const struct op *op, const struct revision_result *r)
{
	if (op->token >= 0 && r->revision != op->token + 1) {
		broken(w, CLAIM_DATA, "a set at revision %lld made revision %lld",
		       (long long)op->token, (long long)r->revision);
	}
}

static void data_granted(struct world *w, struct conn *c, const struct op *op,
			 const union method_result *result)
{
	(void)c;
	if (op->method == METHOD_MAP_SET) {
		granted_set(w, op, &result->MAP_SET);
	}
}

static const char *set_lacks(const struct op *op, const union method_result *result,
			     const struct view *v)
{
	const struct view_entry *e = view_entry(v, data_kind(op->method), op->target);
	(void)result;
	return e == NULL || e->value != op->value ? "the value" : NULL;
}

static bool refused_no_entry(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const char *kind = data_kind(op->method);
	return view_entry(v, kind, "") == NULL || view_entry(v, kind, op->target) == NULL ||
	       view_entry(v, kind, op->other) == NULL;
}

static bool refused_revision(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_entry *e = view_entry(v, "map", op->target);
	return op->token >= 0 && op->token != (e == NULL ? 0 : e->revision);
}

bool refused_no_data_editor(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	if (me == NULL || me->is_host || v->policy.data_editors == DATA_EDITORS_EVERYONE) {
		return me == NULL;
	}
	return v->policy.data_editors == DATA_EDITORS_HOST || !me->has_name;
}

/* Its maker may be refused here as well: no update says who that is. */
bool refused_no_data_deleter(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || (!me->is_host && v->policy.data_editors != DATA_EDITORS_EVERYONE);
}

static bool refused_has_entry(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return op->text[0] != '\0' && view_entry(v, "list", op->text) != NULL;
}

/* Whoever sees the room may. */
bool refused_no_data_reader(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return v->policy.lobby;
}

static const struct request data_requests[] = {
	{.method = METHOD_MAP_CREATE, DATA_EDITORS_ROW},
	{.method = METHOD_MAP_DELETE, DATA_DELETERS_ROW, .not_found = refused_no_entry},
	{.method = METHOD_MAP_SET,
	 DATA_EDITORS_ROW,
	 .names_version = true,
	 .lacks = set_lacks,
	 .not_found = refused_no_entry,
	 .conflict = refused_revision},
	{.method = METHOD_MAP_REMOVE, DATA_EDITORS_ROW, .not_found = refused_no_entry},
	{.method = METHOD_LIST_CREATE, DATA_EDITORS_ROW},
	{.method = METHOD_LIST_DELETE, DATA_DELETERS_ROW, .not_found = refused_no_entry},
	{.method = METHOD_LIST_PUSH,
	 DATA_EDITORS_ROW,
	 .not_found = refused_no_entry,
	 .conflict = refused_has_entry},
	{.method = METHOD_LIST_INSERT,
	 DATA_EDITORS_ROW,
	 .not_found = refused_no_entry,
	 .conflict = refused_has_entry},
	{.method = METHOD_LIST_SET,
	 DATA_EDITORS_ROW,
	 .names_version = true,
	 .lacks = set_lacks,
	 .not_found = refused_no_entry},
	{.method = METHOD_LIST_MOVE, DATA_EDITORS_ROW, .not_found = refused_no_entry},
	{.method = METHOD_LIST_REMOVE, DATA_EDITORS_ROW, .not_found = refused_no_entry},
};

/* ---- rules ---- */

static bool rules_has_name_in(const struct view *v, const char *user_id)
{
	const struct view_user *u = view_user_const(v, user_id);
	return u != NULL && u->has_name;
}

static bool rules_may_edit_data(const struct change *ch, const struct op *op)
{
	enum data_editors was = ch->before->policy.data_editors;
	enum data_editors is = ch->after->policy.data_editors;
	if (was == DATA_EDITORS_EVERYONE || is == DATA_EDITORS_EVERYONE || rules_may_host(ch, op)) {
		return true;
	}
	return (was == DATA_EDITORS_MEMBERS || is == DATA_EDITORS_MEMBERS) &&
	       (rules_has_name_in(ch->before, op->user_id) ||
		rules_has_name_in(ch->after, op->user_id) || rules_had_name(ch, op->user_id));
}

/* Whoever ever asked for it to be made may be the one who made it. */
static bool rules_may_be_maker(const struct world *w, const struct op *op)
{
	enum method made = op->method == METHOD_MAP_DELETE ? METHOD_MAP_CREATE : METHOD_LIST_CREATE;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *maker = &w->ops[i];
		if (maker->method == made && maker->room == op->room && maker->is_delivered &&
		    maker->member == op->member) {
			return true;
		}
	}
	return false;
}

static bool rules_may_delete_data(const struct change *ch, const struct op *op)
{
	bool is_everyones = ch->before->policy.data_editors == DATA_EDITORS_EVERYONE ||
			    ch->after->policy.data_editors == DATA_EDITORS_EVERYONE;
	return is_everyones || rules_may_host(ch, op) ||
	       (rules_may_edit_data(ch, op) && rules_may_be_maker(ch->w, op));
}

/* Whether an open request of one of the methods, by somebody who may, is about that (NULL: any
 * entry), and by that user (NULL: anybody). */
static bool rules_edits(const struct change *ch, struct methods methods, const char *target,
			const char *user_id)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, user_id, &at)) != NULL) {
		if ((target == NULL || strcmp(op->target, target) == 0) &&
		    rules_may_edit_data(ch, op)) {
			return true;
		}
	}
	return false;
}

static bool rules_deletes(const struct change *ch, enum method method)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(method), NULL, &at)) != NULL) {
		if (rules_may_delete_data(ch, op)) {
			return true;
		}
	}
	return false;
}

/* An entry has the name of whoever made of it what it is. */
static void rules_entry(const struct change *ch, const struct view_entry *is)
{
	struct methods changes = METHODS_OF(METHOD_MAP_SET, METHOD_LIST_PUSH, METHOD_LIST_INSERT,
					    METHOD_LIST_SET, METHOD_LIST_MOVE);
	const struct view_entry *was = view_entry(ch->before, is->kind, is->id);
	bool is_same = was != NULL && was->revision == is->revision && strcmp(was->by, is->by) == 0;
	if (!is_same && !rules_edits(ch, changes, NULL, is->by)) {
		rules_broken(ch, "an entry changed by somebody who did not", is->by);
	}
}

static void rules_data(const struct change *ch)
{
	struct methods any =
		METHODS_OF(METHOD_PRESENCE_CREATE, METHOD_PRESENCE_DELETE, METHOD_MAP_CREATE,
			   METHOD_MAP_DELETE, METHOD_MAP_SET, METHOD_MAP_REMOVE, METHOD_LIST_CREATE,
			   METHOD_LIST_DELETE, METHOD_LIST_PUSH, METHOD_LIST_INSERT,
			   METHOD_LIST_SET, METHOD_LIST_MOVE, METHOD_LIST_REMOVE);
	if (!view_eq_data(ch->before, ch->after) && !rules_edits(ch, any, NULL, NULL)) {
		rules_broken(ch, "other shared data", NULL);
	}
	for (size_t i = 0; i < ch->after->data_n && !ch->before->is_without_data; i++) {
		if (ch->after->data[i].id[0] != '\0') {
			rules_entry(ch, &ch->after->data[i]);
		}
	}
	for (size_t i = 0; i < ch->before->data_n; i++) {
		const struct view_entry *e = &ch->before->data[i];
		bool is_map = strcmp(e->kind, "map") == 0;
		if (view_entry(ch->after, e->kind, e->id) != NULL ||
		    strcmp(e->kind, "presence") == 0 ||
		    rules_deletes(ch, is_map ? METHOD_MAP_DELETE : METHOD_LIST_DELETE)) {
			continue;
		}
		if (e->id[0] == '\0' ||
		    !rules_edits(ch, METHODS_OF(METHOD_MAP_REMOVE, METHOD_LIST_REMOVE), e->id,
				 NULL)) {
			rules_broken(ch, "a lost entry", NULL);
		}
	}
}

static const struct act data_acts[] = {
	{78, act_map, false},
	{117, act_list, false},
};

const struct feature feature_data = {
	.name = "data",
	FEATURE_ROWS(acts, data_acts),
	FEATURE_ROWS(requests, data_requests),
	.granted = data_granted,
	.follow = rules_data,
};
