/*
 * room.c - every state a room was in, by looking into the server after each
 * event; what members are told later is compared with these.
 */
#include "tests/sim/oracle/rules.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"

/* From when something is due to when it must have happened: the server looks again in a second at most. */
#define SIM_OVERDUE_MS 1100

int room_of_id(const struct world *w, struct slice id)
{
	for (size_t i = 0; i < w->rooms_n; i++) {
		if (slice_eq(slice_str(w->rooms[i].id), id)) {
			return (int)i;
		}
	}
	return -1;
}

int room_of_pk(const struct world *w, struct slice pk)
{
	if (!slice_starts(pk, SLICE("ROOM:"))) {
		return -1;
	}
	return room_of_id(w, slice_of(pk.data + 5, pk.len - 5));
}

bool row_is_in(const struct world *w, const struct table_row *row, int room)
{
	return room >= 0 && room_of_pk(w, row_pk(row)) == room;
}

int room_add(struct world *w, struct slice id)
{
	ASSERT_CMP(w->rooms_n, <, SIM_ROOMS_MAX);
	struct sim_room *r = &w->rooms[w->rooms_n];
	view_text(r->id, sizeof(r->id), id);
	for (size_t i = 0; i < w->nodes_n; i++) {
		r->memories[i] = calloc(1, sizeof(*r->memories[i]));
		ASSERT(r->memories[i] != NULL);
		buf_init(&r->memories[i]->seen, 1u << 20);
		r->memories[i]->durable_version = -1;
	}
	r->mem = r->memories[w->node - w->nodes];
	return (int)w->rooms_n++;
}

/*
 * A call makes one room at most. Until it is answered or a crash has ended it, it may still do so, however long ago its
 * connection was lost; so each of these takes a place, beside the rooms that there are.
 */
bool room_has_place(const struct world *w)
{
	size_t taken = w->rooms_n;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		taken += op->method == METHOD_ROOM_CREATE && op->expect == FAULT_NONE &&
			 !op->is_answered && !op->is_closed;
	}
	return taken < SIM_ROOMS_MAX;
}

bool room_note_disk(struct world *w, int room)
{
	struct sim_room *r = &w->rooms[room];
	bool is_there = table_has_room(&w->table, r->id);
	r->is_ending = r->is_ending || (r->was_on_disk && !is_there);
	r->was_on_disk = r->was_on_disk || is_there;
	return is_there;
}

const struct view *room_at(const struct sim_room *r, int64_t epoch, int64_t version)
{
	const struct view *v = version < 0 ? NULL : r->mem->history[version % SIM_HISTORY];
	return v != NULL && v->epoch == epoch && v->version == version ? v : NULL;
}

bool room_brings_one_change(const struct sim_room *r, const struct view *state)
{
	int64_t from = r->mem->durable_version > r->mem->first_version ? r->mem->durable_version
								       : r->mem->first_version;
	bool is_one = from < state->version;
	for (int64_t v = from; v < state->version && is_one; v++) {
		const struct view *seen = room_at(r, state->epoch, v);
		is_one = seen != NULL && view_durable_hash(seen) == r->mem->durable_hash;
	}
	return is_one;
}

static void room_remember(struct sim_room *r)
{
	struct view **slot = &r->mem->history[r->mem->now.version % SIM_HISTORY];
	if (*slot == NULL) {
		*slot = calloc(1, sizeof(**slot));
		ASSERT(*slot != NULL);
	}
	view_copy(*slot, &r->mem->now);
}

/* ---- whose seat it is ---- */

void room_own(struct sim_room *r, int member, struct slice user_key, struct slice user_id)
{
	if (r->owners_n == SIM_OWNERS_MAX) {
		memmove(r->owners, r->owners + 1, --r->owners_n * sizeof(r->owners[0]));
	}
	struct owner *o = &r->owners[r->owners_n++];
	o->member = member;
	view_text(o->user_key, sizeof(o->user_key), user_key);
	view_text(o->user_id, sizeof(o->user_id), user_id);
}

const struct owner *room_owner_of_key(const struct sim_room *r, const char *user_key)
{
	const struct owner *found = NULL;
	for (size_t i = 0; i < r->owners_n; i++) {
		const struct owner *o = &r->owners[i];
		if (strcmp(o->user_key, user_key) != 0) {
			continue;
		}
		/* A seat that was given up and taken again: answers may leave late, so which is the
		 * later is not known. */
		if (found != NULL && strcmp(found->user_id, o->user_id) != 0) {
			return NULL;
		}
		found = o;
	}
	return found;
}

int room_owner(const struct sim_room *r, const char *user_id)
{
	for (size_t i = r->owners_n; i-- > 0;) {
		if (strcmp(r->owners[i].user_id, user_id) == 0) {
			return r->owners[i].member;
		}
	}
	return -1;
}

/* ---- who is away, and since when ---- */

static struct away *room_away(struct sim_room *r, const char *user_id)
{
	for (size_t i = 0; i < r->mem->away_n; i++) {
		if (strcmp(r->mem->away[i].user_id, user_id) == 0) {
			return &r->mem->away[i];
		}
	}
	return NULL;
}

int64_t room_away_since(const struct sim_room *r, const char *user_id)
{
	for (size_t i = 0; i < r->mem->away_n; i++) {
		if (strcmp(r->mem->away[i].user_id, user_id) == 0) {
			return r->mem->away[i].since_mono;
		}
	}
	return INT64_MAX;
}

int64_t room_grace_ms(const struct world *w, int room, const char *user_id, enum limit grace)
{
	char pk[32];
	const struct table_row *row =
		table_seat(&w->table, table_pk(pk, w->rooms[room].id), user_id);
	int64_t keep_ms = row == NULL ? 0 : row->keep_seconds * 1000;
	int64_t grace_ms = w->config.limits[grace];
	return keep_ms > grace_ms ? keep_ms : grace_ms;
}

int64_t room_away_unchanged_since(const struct sim_room *r, const char *user_id)
{
	for (size_t i = 0; i < r->mem->away_n; i++) {
		if (strcmp(r->mem->away[i].user_id, user_id) == 0) {
			return r->mem->away[i].changed_mono;
		}
	}
	return INT64_MAX;
}

int64_t room_alone_since(const struct world *w, int room, const char *user_id)
{
	int64_t since = room_away_unchanged_since(&w->rooms[room], user_id);
	int owner = room_owner(&w->rooms[room], user_id);
	for (size_t i = 0; i < w->ops_n && since != INT64_MAX; i++) {
		const struct op *op = &w->ops[i];
		bool may_be =
			op->is_delivered && op->room == room && (owner < 0 || owner == op->member);
		if (may_be && op->delivered_mono > since && op->delivered_mono <= w->mono_ms) {
			since = op->delivered_mono;
		}
	}
	return since;
}

static void room_note_away(struct world *w, struct sim_room *r)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->mem->away_n; i++) {
		const struct view_user *u = view_user_const(&r->mem->now, r->mem->away[i].user_id);
		if (u != NULL && !u->is_connected) {
			r->mem->away[kept++] = r->mem->away[i];
		}
	}
	r->mem->away_n = kept;
	for (size_t i = 0; i < r->mem->now.n; i++) {
		const struct view_user *u = &r->mem->now.users[i];
		struct away *a = room_away(r, u->user_id);
		if (!u->is_connected && a == NULL) {
			a = &r->mem->away[r->mem->away_n++];
			*a = (struct away){.since_mono = w->mono_ms};
			memcpy(a->user_id, u->user_id, sizeof(a->user_id));
		}
		if (a != NULL && memcmp(&a->last, u, sizeof(*u)) != 0) {
			a->last = *u;
			a->changed_mono = w->mono_ms;
		}
	}
}

/* ---- looking ---- */

static bool room_read(struct world *w, struct sim_room *r, struct slice bytes)
{
	struct rpc_message m;
	bool answerable;
	struct room_update u;
	struct fault fault;
	enum err e = rpc_decode(&w->decoder, bytes, &m, &answerable);
	if (e == OK) {
		e = record_from_object(&record_room_update, m.params, RECORD_STRICT, &w->arena, &u,
				       &fault);
	}
	ASSERT_CMP(e, ==, OK);
	const char *wrong =
		u.full ? view_apply(&r->mem->look, &u, false) : "a look that is not full";
	for (size_t i = 0; i < r->mem->look.n; i++) {
		struct view_user *one = &r->mem->look.users[i];
		if (!u.room.is_revealed && !view_hides_voters(&r->mem->look) && one->has_name &&
		    !one->is_spectator && !one->has_vote && planted(w, BREAK_GHOST_VOTE, 20)) {
			one->has_vote = true;
		}
		if (one->away_since != 0 && planted(w, BREAK_LOSE_AWAY, 1)) {
			one->away_since = 0;
		}
	}
	if (view_hides_voters(&r->mem->look) && r->mem->look.votes_n < view_voters(&r->mem->look) &&
	    planted(w, BREAK_GHOST_COUNT, 5)) {
		r->mem->look.votes_n++;
	}
	if (r->mem->look.left_n > 0 && planted(w, BREAK_LOSE_LEFT, 1)) {
		const struct view_left *left = &r->mem->look.left[--r->mem->look.left_n];
		r->mem->look.votes -= !left->is_bot || r->mem->look.policy.bots_count;
	}
	if (r->mem->look.stories_n > 1 && planted(w, BREAK_LOSE_STORY, 10)) {
		r->mem->look.stories_n--;
	}
	wrong = wrong != NULL ? wrong : view_flaw(&r->mem->look);
	arena_reset(&w->arena);
	if (wrong != NULL) {
		broken(w, CLAIM_RULES, "%s in the server: %s", r->id, wrong);
	}
	return wrong == NULL;
}

/* What the disk had when it answered a load: others may have written the room since then. False where it had none. */
static bool room_on_disk(const struct world *w, const struct sim_room *r, struct view *out)
{
	if (w->loaded == NULL) {
		return table_view(&w->table, r->id, out);
	}
	view_copy(out, w->loaded);
	return true;
}

/* A room that was loaded: a new epoch, and what the disk had. */
static void room_begins(struct world *w, int room)
{
	static struct view on_disk;
	struct sim_room *r = &w->rooms[room];
	for (size_t i = 0; i < r->epochs_n; i++) {
		if (r->epochs[i] == r->mem->look.epoch) {
			broken(w, CLAIM_VERSIONS, "%s was loaded and has an epoch it had before",
			       r->id);
		}
	}
	if (r->epochs_n == 0) {
		r->began_to_reveal = r->mem->look.policy.auto_reveal;
		memcpy(r->began_links, r->mem->look.link_template, sizeof(r->began_links));
		r->began_ends_at = r->mem->look.timer_ends_at;
	}
	if (r->epochs_n < sizeof(r->epochs) / sizeof(r->epochs[0])) {
		r->epochs[r->epochs_n++] = r->mem->look.epoch;
	}
	r->mem->loaded_mono = w->mono_ms;
	r->mem->away_n = 0;
	r->mem->said_n = 0;
	memset(r->mem->version_mono, 0, sizeof(r->mem->version_mono));
	r->mem->first_version = r->mem->look.version;
	r->mem->durable_version = -1;
	r->mem->durable_hash = 0;
	if (room_on_disk(w, r, &on_disk)) {
		r->mem->durable_hash = view_durable_hash(&on_disk);
		on_disk.epoch = r->mem->look.epoch;
		on_disk.version = -1;
		on_disk.countdown = 0;
		rules_follow(w, room, &on_disk, &r->mem->look);
	}
}

static void room_goes_on(struct world *w, int room)
{
	struct sim_room *r = &w->rooms[room];
	if (r->mem->look.version <= r->mem->now.version) {
		broken(w, CLAIM_VERSIONS, "%s changed, but its version went from %lld to %lld",
		       r->id, (long long)r->mem->now.version, (long long)r->mem->look.version);
		return;
	}
	for (int64_t v = r->mem->now.version + 1; v <= r->mem->look.version; v++) {
		r->mem->version_mono[v % SIM_HISTORY] = w->mono_ms;
	}
	rules_follow(w, room, &r->mem->now, &r->mem->look);
}

/* How somebody is present may change without being said at once. */
static bool room_is_as_it_was(struct world *w, int room)
{
	struct sim_room *r = &w->rooms[room];
	if (!r->mem->in_memory || !view_eq(&r->mem->look, &r->mem->now)) {
		return false;
	}
	rules_follow_live(w, room, &r->mem->now, &r->mem->look);
	view_copy(&r->mem->now, &r->mem->look);
	return true;
}

/* What a room is to do by itself it does when it is due, but while the machine sleeps, or a disk keeps it waiting. */
static void room_look_for_due(struct world *w, struct sim_room *r)
{
	const char *due = server_peek_due(w->node->server, slice_str(r->id), world_now(w));
	/* Of several nodes one is stopped now and then, and one whose lease is over does nothing. */
	bool was_idle = w->nodes_n > 1 && (w->mono_ms - r->mem->looked_mono > SIM_OVERDUE_MS ||
					   node_is_over(w, w->node));
	r->mem->looked_mono = w->mono_ms;
	if (!w->is_calm || was_idle || due == NULL || due != r->mem->due) {
		r->mem->due = due;
		r->mem->due_mono = w->mono_ms;
	} else if (w->jumps == 0 && w->mono_ms - r->mem->due_mono > SIM_OVERDUE_MS) {
		broken(w, CLAIM_LIVENESS, "the %s of %s should be over by now", due, r->id);
	}
}

static void room_look_at(struct world *w, int room)
{
	struct sim_room *r = &w->rooms[room];
	buf_clear(&w->scratch);
	enum err e = server_peek_room(w->node->server, slice_str(r->id), &w->scratch);
	if (e != OK) {
		r->mem->in_memory = false;
		r->mem->due = NULL; /* what is due then is so from when it is loaded */
		return;
	}
	room_look_for_due(w, r);
	if (r->is_deleted) {
		broken(w, CLAIM_ENDED, "%s was deleted and is there again", r->id);
		return;
	}
	if (r->mem->in_memory && slice_eq(buf_slice(&w->scratch), buf_slice(&r->mem->seen))) {
		return;
	}
	buf_clear(&r->mem->seen);
	buf_append_slice(&r->mem->seen, buf_slice(&w->scratch));
	r->mem->look.is_known = false;
	if (!room_read(w, r, buf_slice(&r->mem->seen))) {
		return;
	}
	if (room_is_as_it_was(w, room)) {
		return;
	}
	w->figures.transitions++;
	if (r->mem->in_memory && r->mem->look.epoch == r->mem->now.epoch) {
		room_goes_on(w, room);
	} else {
		room_begins(w, room);
	}
	if (r->mem->look.countdown != 0 &&
	    (!r->mem->in_memory || r->mem->look.countdown != r->mem->now.countdown ||
	     r->mem->look.epoch != r->mem->now.epoch)) {
		r->mem->countdown_mono = w->mono_ms;
	}
	w->figures.reveals += r->mem->look.is_revealed && !r->mem->now.is_revealed;
	r->mem->in_memory = true;
	view_copy(&r->mem->now, &r->mem->look);
	view_text(r->group_id, sizeof(r->group_id), slice_str(r->mem->now.group_id));
	room_remember(r);
	room_note_away(w, r);
}

void room_look(struct world *w)
{
	for (size_t i = 0; i < w->rooms_n && !w->is_broken; i++) {
		room_look_at(w, (int)i);
	}
}
