/*
 * load_count.c - which member has seen which vote, and when.
 *
 * Every member sees each vote of its room exactly once, in order: a number that
 * is too high tells of lost ones, one that is too low of a duplicate. A vote's
 * place in its room's ring is free again when everybody has seen it.
 */
#include <stdlib.h>

#include "tests/bench/load_state.h"

static struct load_vote *vote_at(struct load_room *r, uint64_t number)
{
	return &r->ring[number % LOAD_RING];
}

static void room_is_due(struct load *l, struct load_room *r)
{
	if (!r->is_due && load_group_of(l, r)->rate <= 0) {
		r->is_due = true;
		l->due[l->due_n++] = r;
	}
}

static void vote_latency(struct load *l, const struct load_room *r, const struct load_vote *v,
			 uint64_t seen_ns)
{
	if (load_group_of(l, r)->rate > 0 && v->due_ns >= l->window_from_ns &&
	    v->due_ns < l->window_to_ns) {
		quantiles_add(&l->result->groups[r->group].latency_ns,
			      seen_ns > v->due_ns ? seen_ns - v->due_ns : 0);
	}
}

/* Everybody has seen it and its voter knows. */
static void vote_end(struct load *l, struct load_room *r, struct load_vote *v)
{
	const struct load_group *g = load_group_of(l, r);
	if (v->due_ns == 0 || v->seen < g->members - g->deaf) {
		return;
	}
	*v = (struct load_vote){0};
	r->pending--;
	l->pending--;
	if (l->phase == LOAD_WINDOW) {
		l->result->groups[r->group].votes++;
	}
	room_is_due(l, r);
}

static void vote_seen(struct load *l, struct load_room *r, uint64_t number)
{
	struct load_vote *v = vote_at(r, number);
	v->seen++;
	l->result->deliveries++;
	if (l->phase == LOAD_WINDOW) {
		l->result->groups[r->group].deliveries++;
	}
	if (v->due_ns != 0) {
		vote_latency(l, r, v, l->now_ns);
		vote_end(l, r, v);
	}
}

/* ---- casting ---- */

void count_cast(struct load *l, struct load_conn *c, uint32_t n, uint64_t due_ns)
{
	struct load_room *r = c->room;
	const struct load_group *g = load_group_of(l, r);
	if (r->pending + n > LOAD_PENDING_MAX) {
		load_fail(l, "more than %d votes are under way in one room: it cannot keep up",
			  LOAD_PENDING_MAX);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint64_t seq = c->sent++;
		if (l->dialect->counts_versions) {
			c->due_ns[seq % LOAD_RING] = due_ns;
		} else {
			vote_at(r, seq * g->publishers + c->who.member)->due_ns = due_ns;
		}
		l->dialect->vote(&c->who, seq, &l->say);
	}
	r->pending += n;
	l->pending += n;
	wire_send(l, c);
}

/* ---- by publisher and number ---- */

static void on_message(struct load *l, struct load_conn *c, const struct incoming *m)
{
	struct load_room *r = c->room;
	uint32_t publishers = load_group_of(l, r)->publishers;
	if (m->publisher >= publishers || m->seq >= r->members[m->publisher].sent) {
		load_fail(l, "a member saw a vote that nobody cast");
		return;
	}
	uint64_t *next = &c->next[m->publisher];
	if (m->seq < *next) {
		l->result->duplicates++;
		return;
	}
	l->result->lost += m->seq - *next;
	*next = m->seq + 1;
	vote_seen(l, r, m->seq * publishers + m->publisher);
}

/* ---- by version ---- */

/* Latency is wanted, and when the vote was due is not known yet. */
static void keep_early(struct load *l, struct load_room *r, int64_t version)
{
	if (r->early_n == r->early_max) {
		size_t max = r->early_max == 0 ? 64 : 2 * r->early_max;
		struct load_early *more = realloc(r->early, max * sizeof(*more));
		if (more == NULL) {
			load_fail(l, "out of memory");
			return;
		}
		r->early = more;
		r->early_max = max;
	}
	r->early[r->early_n++] = (struct load_early){version, l->now_ns};
}

static void on_version(struct load *l, struct load_conn *c, const struct incoming *m)
{
	struct load_room *r = c->room;
	int64_t since = m->is_full ? c->version : m->since;
	l->result->fulls += m->is_full;
	if (m->version <= c->version || since < c->version) {
		l->result->duplicates++;
		return;
	}
	if (m->version - since > LOAD_PENDING_MAX) {
		load_fail(l, "an update brings more versions than votes were cast");
		return;
	}
	l->result->lost += (uint64_t)(since - c->version);
	bool is_early = load_group_of(l, r)->rate > 0;
	for (int64_t version = since + 1; version <= m->version; version++) {
		if (is_early && vote_at(r, (uint64_t)version)->due_ns == 0) {
			keep_early(l, r, version);
		}
		vote_seen(l, r, (uint64_t)version);
	}
	c->version = m->version;
}

static void on_answer(struct load *l, struct load_conn *c, const struct incoming *m)
{
	struct load_room *r = c->room;
	uint64_t due_ns = c->due_ns[m->seq % LOAD_RING];
	struct load_vote *v = vote_at(r, (uint64_t)m->version);
	if (due_ns == 0 || m->version < 0 || v->due_ns != 0) {
		load_fail(l, "an answer fits no vote");
		return;
	}
	c->due_ns[m->seq % LOAD_RING] = 0;
	v->due_ns = due_ns;
	for (size_t i = 0; i < r->early_n;) {
		if (r->early[i].version == m->version) {
			vote_latency(l, r, v, r->early[i].now_ns);
			r->early[i] = r->early[--r->early_n];
		} else {
			i++;
		}
	}
	vote_end(l, r, v);
}

void count_incoming(struct load *l, struct load_conn *c, const struct incoming *m)
{
	if (m->kind == INCOMING_MESSAGE) {
		on_message(l, c, m);
	} else if (m->kind == INCOMING_VERSION) {
		on_version(l, c, m);
	} else if (m->kind == INCOMING_ANSWER) {
		on_answer(l, c, m);
	}
}

/* ---- before and after ---- */

void count_start(struct load *l)
{
	for (uint32_t i = 0; i < l->rooms_n; i++) {
		if (load_group_of(l, &l->rooms[i])->publishers > 0) {
			room_is_due(l, &l->rooms[i]);
		}
	}
}

void count_missing(struct load *l)
{
	for (uint32_t i = 0; i < l->conns_n; i++) {
		const struct load_conn *c = &l->conns[i];
		const struct load_room *r = c->room;
		uint64_t cast = 0;
		if (c->is_deaf) {
			continue;
		}
		for (uint32_t p = 0; p < load_group_of(l, r)->publishers; p++) {
			cast += r->members[p].sent;
			if (!l->dialect->counts_versions) {
				l->result->lost += r->members[p].sent - c->next[p];
			}
		}
		if (l->dialect->counts_versions && c->version < r->version + (int64_t)cast) {
			l->result->lost += (uint64_t)(r->version + (int64_t)cast - c->version);
		}
	}
}
