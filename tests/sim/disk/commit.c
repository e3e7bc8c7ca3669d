/*
 * commit.c - commits between the server and the disk, and what is compared
 * when they arrive, fail, or are cut short by a crash.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/oracle/homes.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "tests/support/store_mem.h"
#include "store/store_request.h"

/* ---- on their way ---- */

static struct slice commit_copy(char **at, struct slice s)
{
	if (s.len > 0) {
		memcpy(*at, s.data, s.len);
	}
	struct slice copy = slice_of(*at, s.len);
	*at += s.len;
	return copy;
}

static void commit_copy_ops(struct sim_commit *c, const struct store_op *ops, size_t n,
			    struct slice publish)
{
	size_t len = 1 + publish.len;
	for (size_t i = 0; i < n; i++) {
		len += ops[i].pk.len + ops[i].sk.len + ops[i].value.len;
	}
	c->ops = calloc(n + 1, sizeof(*c->ops));
	c->bytes = malloc(len);
	ASSERT(c->ops != NULL && c->bytes != NULL);
	char *at = c->bytes;
	for (size_t i = 0; i < n; i++) {
		c->ops[i] = ops[i];
		c->ops[i].pk = commit_copy(&at, ops[i].pk);
		c->ops[i].sk = commit_copy(&at, ops[i].sk);
		c->ops[i].value = commit_copy(&at, ops[i].value);
	}
	c->n = n;
	c->publish = commit_copy(&at, publish);
}

static void commit_free(struct sim_commit *c)
{
	free(c->ops);
	free(c->bytes);
	free(c);
}

static bool commit_same(const struct sim_commit *a, const struct store_op *ops, size_t n)
{
	bool same = a->n == n;
	for (size_t i = 0; i < n && same; i++) {
		same = slice_eq(a->ops[i].sk, ops[i].sk) && slice_eq(a->ops[i].value, ops[i].value);
	}
	return same;
}

/* A commit that the store had no room for comes again, while the room has gone on: its state is the
 * first one. */
static bool commit_comes_again(struct world *w, int room, const struct effect *fx,
			       struct sim_commit *c)
{
	for (struct sim_commit **at = &w->commits; *at != NULL; at = &(*at)->next) {
		struct sim_commit *first = *at;
		if (first->is_busy && first->room == room) {
			c->asked_step = first->asked_step;
			bool same = commit_same(first, fx->ops, fx->n);
			if (same) {
				c->has_state = first->has_state;
				view_copy(&c->state, &first->state);
			}
			*at = first->next;
			commit_free(first);
			return same;
		}
	}
	return false;
}

/* Also one whose time was over before it was written. */
static bool commit_makes_room(const struct effect *fx)
{
	for (size_t i = 0; i < fx->n; i++) {
		const struct store_op *op = &fx->ops[i];
		bool makes = op->kind == STORE_PUT ||
			     (op->kind == STORE_CHECK && op->expect == STORE_EXPECT_ABSENT);
		if (makes && slice_eq(op->sk, SLICE("ROOM"))) {
			return true;
		}
	}
	return false;
}

static int commit_room(struct world *w, const struct effect *fx)
{
	int room = fx->n == 0 ? -1 : room_of_pk(w, fx->ops[0].pk);
	if (room < 0 && commit_makes_room(fx)) {
		room = room_add(w, slice_of(fx->ops[0].pk.data + 5, fx->ops[0].pk.len - 5));
		room_look(w);
	}
	return room;
}

struct sim_commit *commit_take(struct world *w, const struct effect *fx)
{
	struct sim_commit *c = calloc(1, sizeof(*c));
	ASSERT(c != NULL);
	c->ticket = fx->ticket;
	c->node = w->node;
	c->life = w->node->life;
	c->asked_step = w->step;
	c->room = commit_room(w, fx);
	c->fence = fx->fence;
	commit_copy_ops(c, fx->ops, fx->n, fx->publish);
	bool is_first = !commit_comes_again(w, c->room, fx, c);
	if (is_first && c->room >= 0 && w->rooms[c->room].mem->in_memory) {
		c->has_state = true;
		view_copy(&c->state, &w->rooms[c->room].mem->now);
	}
	struct sim_commit **at = &w->commits;
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = c;
	FEATURES_DO(commit_asked, w, c);
	w->figures.commits++;
	if (!w->o.is_scripted) {
		trace(w, "commit %llu: %zu operations, #%d at version %lld",
		      (unsigned long long)c->ticket, c->n, c->room + 1,
		      c->has_state ? (long long)c->state.version : -1LL);
	}
	return c;
}

void commit_forget(struct world *w)
{
	while (w->commits != NULL) {
		struct sim_commit *next = w->commits->next;
		commit_free(w->commits);
		w->commits = next;
	}
}

/* ---- done ---- */

static void commit_durable(struct world *w, struct sim_commit *c)
{
	FEATURES_DO(commit_before, w, c);
	w->table.now_mono = w->mono_ms;
	table_apply(&w->table, c->ops, c->n);
	FEATURES_DO(commit_after, w, c);
	if (c->room < 0) {
		return;
	}
	struct sim_room *r = &w->rooms[c->room];
	bool is_there = room_note_disk(w, c->room);
	r->is_ending = r->is_ending || !is_there;
	if (!c->has_state) {
		return;
	}
	const char *lacks = table_differs(&w->table, r->id, &c->state);
	if (lacks != NULL && is_there) {
		broken(w, CLAIM_DURABLE, "commit %llu of %s at version %lld lacks %s",
		       (unsigned long long)c->ticket, r->id, (long long)c->state.version, lacks);
	}
	if (c->state.epoch == r->mem->now.epoch) {
		r->mem->durable_version = c->state.version;
	}
	r->mem->durable_hash = view_durable_hash(&c->state);
}

void commit_made(struct world *w, struct sim_commit *c)
{
	if (!c->is_made) {
		c->is_made = true;
		commit_durable(w, c);
		homes_commit(w, c);
	}
}

void commit_drop(struct world *w, struct sim_commit *c)
{
	struct sim_commit **at = &w->commits;
	while (*at != c) {
		at = &(*at)->next;
	}
	*at = c->next;
	if (!c->is_made) {
		FEATURES_DO(commit_failed, w, c);
	}
	commit_free(c);
}

static struct sim_commit **commit_find(struct world *w, uint64_t ticket)
{
	struct sim_commit **at = &w->commits;
	while (*at != NULL && ((*at)->ticket != ticket || (*at)->node != w->node ||
			       (*at)->life != w->node->life || (*at)->is_busy)) {
		at = &(*at)->next;
	}
	return at;
}

/* Nobody who waits for it is answered, so it excuses no refusal; but what of the directory was made is not certain. */
void commit_unknown(struct world *w, uint64_t ticket, bool is_made)
{
	struct sim_commit **at = commit_find(w, ticket);
	struct sim_commit *c = *at;
	if (c == NULL) {
		return; /* reported before, by a planted fault */
	}
	*at = c->next;
	w->unknown_until = w->step + 1;
	w->faults += c->room < 0;
	w->figures.failed_commits += !is_made;
	if (is_made) {
		commit_made(w, c);
		if (c->room >= 0 && w->rooms[c->room].is_ending) {
			w->rooms[c->room].end_is_unknown = true;
		}
	} else {
		FEATURES_DO(commit_failed, w, c);
	}
	commit_free(c);
}

void commit_settle(struct world *w, uint64_t ticket, enum err e)
{
	struct sim_commit **at = commit_find(w, ticket);
	struct sim_commit *c = *at;
	if (c == NULL) {
		return; /* reported before, by a planted fault */
	}
	/* A room's comes again; a session's is given up. */
	if (e == ERR_BUSY && c->room >= 0) {
		c->is_busy = true;
		w->faults++;
		return;
	}
	*at = c->next;
	if (e != OK) {
		w->faults += e != ERR_CONFLICT || c->room < 0;
		w->conflicts += e == ERR_CONFLICT && c->room < 0;
		w->figures.failed_commits++;
		if (c->room >= 0 && e != ERR_CONFLICT) {
			w->rooms[c->room].failed_mono = w->mono_ms;
		}
		FEATURES_DO(commit_failed, w, c);
	} else if (!c->is_dropped) {
		commit_made(w, c);
	}
	commit_free(c);
}

/* ---- after a crash ---- */

struct recovery {
	struct table *found;
};

static void commit_on_found(void *arg, enum err e, const struct store_item *items, size_t n,
			    uint64_t version, bool has_more)
{
	(void)version;
	(void)has_more;
	struct recovery *r = arg;
	ASSERT_CMP(e, ==, OK);
	for (size_t i = 0; i < n; i++) {
		table_put(r->found, items[i].pk, items[i].sk, items[i].value);
	}
}

static bool commit_is_of_taking(const struct sim_commit *c, const struct sim_commit *other)
{
	return c->room == other->room && memcmp(&c->fence, &other->fence, sizeof(c->fence)) == 0;
}

/* Everything that was reported durable, and some of what was on its way under the taking of that commit, in order. */
static bool commit_explains_taking(struct world *w, const struct sim_commit *of, struct slice pk,
				   const struct table *found)
{
	struct table expected = {0};
	bool same = false;
	table_copy_partition(&expected, &w->table, pk);
	for (const struct sim_commit *c = w->commits; c != NULL && !same; c = c->next) {
		if (commit_is_of_taking(c, of) && !c->is_busy) {
			table_apply(&expected, c->ops, c->n);
			same = table_eq(&expected, found);
		}
	}
	table_finish(&expected);
	return same;
}

/*
 * Everything that was reported durable, and perhaps some of what was on its way. Of several nodes only one has the room's
 * bucket: what another one still has on its way, since before it was taken, is refused.
 */
static bool commit_explains(struct world *w, int room, struct slice pk, const struct table *found)
{
	struct table expected = {0};
	table_copy_partition(&expected, &w->table, pk);
	bool same = table_eq(&expected, found);
	for (const struct sim_commit *c = w->commits; c != NULL && !same; c = c->next) {
		same = c->room == room && commit_explains_taking(w, c, pk, found);
	}
	table_finish(&expected);
	return same;
}

/* In the directory each item is put or deleted by one commit, and any of those on their way may have been made. */
static bool commit_explains_item(const struct world *w, struct slice pk, struct slice sk,
				 const struct table *all)
{
	struct table expected = {0};
	struct table found = {0};
	table_copy_item(&expected, &w->table, pk, sk);
	table_copy_item(&found, all, pk, sk);
	bool same = table_eq(&expected, &found);
	for (struct sim_commit *c = w->commits; c != NULL && !same; c = c->next) {
		for (size_t i = 0; i < c->n && c->room < 0 && !c->is_busy; i++) {
			if (slice_eq(c->ops[i].pk, pk) && slice_eq(c->ops[i].sk, sk)) {
				table_apply(&expected, &c->ops[i], 1);
				same = same || table_eq(&expected, &found);
			}
		}
	}
	table_finish(&expected);
	table_finish(&found);
	return same;
}

/* Items that are found, and those that were there. */
static void commit_recover_partition(struct world *w, struct store *store, struct slice pk,
				     struct table *all)
{
	struct table found = {0};
	struct table items = {0};
	struct recovery r = {&found};
	bool same = true;
	store_load(store, &(struct store_load){.pk = pk}, commit_on_found, &r);
	store_poll(store);
	table_copy_partition(&items, &w->table, pk);
	table_copy_partition(&items, &found, pk);
	for (size_t i = 0; i < items.n; i++) {
		struct slice sk = slice_of(items.rows[i].sk, items.rows[i].sk_len);
		same = same && commit_explains_item(w, pk, sk, &found);
	}
	if (!same) {
		broken(w, CLAIM_DURABLE, "the disk does not hold what was reported durable of %.*s",
		       (int)pk.len, pk.data);
	}
	table_copy_partition(all, &found, pk);
	table_finish(&items);
	table_finish(&found);
}

static void commit_recover_directory(struct world *w, struct store *store, struct table *all)
{
	for (size_t i = 0; i < w->table.n; i++) {
		const struct table_row *row = &w->table.rows[i];
		if (!slice_starts(slice_of(row->pk, row->pk_len), SLICE("ROOM:"))) {
			commit_recover_partition(w, store, slice_of(row->pk, row->pk_len), all);
		}
	}
	for (const struct sim_commit *c = w->commits; c != NULL; c = c->next) {
		for (size_t i = 0; i < c->n && c->room < 0; i++) {
			if (!slice_starts(c->ops[i].pk, SLICE("ROOM:"))) {
				commit_recover_partition(w, store, c->ops[i].pk, all);
			}
		}
	}
}

void commit_recover(struct world *w, struct store *store)
{
	struct table all = {0};
	store_mem_set_auto(store, true);
	for (size_t i = 0; i < w->rooms_n; i++) {
		char text[32];
		struct slice pk = slice_of(text, (size_t)snprintf(text, sizeof(text), "ROOM:%s",
								  w->rooms[i].id));
		struct table found = {0};
		struct recovery r = {&found};
		store_load(store, &(struct store_load){.pk = pk}, commit_on_found, &r);
		store_poll(store);
		if (!commit_explains(w, (int)i, pk, &found)) {
			broken(w, CLAIM_DURABLE,
			       "the disk does not hold what was reported durable of %s",
			       w->rooms[i].id);
		}
		FEATURES_DO(found, w, w->rooms[i].id, &found);
		table_copy_partition(&all, &found, pk);
		table_finish(&found);
	}
	commit_recover_directory(w, store, &all);
	table_finish(&w->table);
	w->table = all;
	FEATURES_DO(table, w);
}
