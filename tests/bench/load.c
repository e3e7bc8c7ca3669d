/*
 * load.c - the phases of a load, in a process of its own; see load.h.
 *
 * MAP_ANONYMOUS is beyond POSIX; prctl() is Linux.
 */
#define _DEFAULT_SOURCE
#include "tests/bench/load.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/bench/load_state.h"

#define MS		1000000U
#define OPENING_DEFAULT 64
#define MAKING_AT_ONCE	16 /* a connection is host of the last 32 that it made */
#define SAY_BYTES_MAX	((size_t)1 << 20)

void load_fail(struct load *l, const char *format, ...)
{
	va_list args;
	if (!l->has_failed) {
		va_start(args, format);
		(void)format_to_v(l->result->why, sizeof(l->result->why), format, args);
		va_end(args);
	}
	l->has_failed = true;
}

/* ---- rooms, and who sits in them ---- */

static void add_conn(struct load *l, struct load_room *r, uint32_t member)
{
	const struct load_group *g = load_group_of(l, r);
	struct load_conn *c = &l->conns[l->conns_n++];
	bool votes = member < g->publishers;
	*c = (struct load_conn){.fd = -1,
				.room = r,
				.is_deaf = member >= g->members - g->deaf,
				.version = -1};
	c->who = (struct speaker){.room_name = r->name, .room = r->number, .member = member};
	if (l->dialect->counts_versions && votes) {
		c->due_ns = calloc(LOAD_RING, sizeof(*c->due_ns));
	} else if (!l->dialect->counts_versions && g->publishers > 0) {
		c->next = calloc(g->publishers, sizeof(*c->next));
	} else {
		return;
	}
	if (c->due_ns == NULL && c->next == NULL) {
		load_fail(l, "out of memory");
	}
}

static void add_room(struct load *l, uint32_t group)
{
	struct load_room *r = &l->rooms[l->rooms_n];
	r->number = l->rooms_n++;
	r->group = group;
	r->members = &l->conns[l->conns_n];
	if (l->dialect->make == NULL) {
		(void)format_to(r->name, sizeof(r->name), "room%u", r->number);
	}
	for (uint32_t i = 0; i < load_group_of(l, r)->members; i++) {
		add_conn(l, r, i);
	}
}

static void load_lay_out(struct load *l)
{
	const struct load_spec *spec = l->spec;
	size_t rooms = 0;
	size_t conns = 0;
	for (size_t i = 0; i < spec->groups_n; i++) {
		rooms += spec->groups[i].rooms;
		conns += (size_t)spec->groups[i].rooms * spec->groups[i].members;
	}
	if (rooms == 0 || conns == 0) {
		load_fail(l, "there is nobody in this load");
		return;
	}
	l->rooms = calloc(rooms, sizeof(*l->rooms));
	l->conns = calloc(conns, sizeof(*l->conns));
	l->due = calloc(rooms, sizeof(struct load_room *));
	l->poller = epoll_create1(EPOLL_CLOEXEC);
	if (l->rooms == NULL || l->conns == NULL || l->due == NULL || l->poller < 0) {
		load_fail(l, "out of memory");
		return;
	}
	for (uint32_t i = 0; i < spec->groups_n; i++) {
		for (uint32_t k = 0; k < spec->groups[i].rooms; k++) {
			add_room(l, i);
		}
	}
}

/* ---- what comes ---- */

static void ask_for_rooms(struct load *l)
{
	while (l->asked < l->rooms_n && l->asked < l->made + MAKING_AT_ONCE) {
		l->dialect->make(l->asked++, &l->say);
	}
	if (l->say.len > 0) {
		wire_send(l, &l->maker);
	}
}

static void on_room(struct load *l, const struct incoming *m)
{
	if (l->made == l->rooms_n || m->text.len == 0 || m->text.len >= ROOM_NAME_BYTES) {
		load_fail(l, "a room was made that nobody asked for");
		return;
	}
	struct load_room *r = &l->rooms[l->made++];
	memcpy(r->name, m->text.data, m->text.len);
	ask_for_rooms(l);
}

static void open_more(struct load *l)
{
	uint32_t opening = l->spec->opening == 0 ? OPENING_DEFAULT : l->spec->opening;
	while (l->opened < l->conns_n && l->opened < l->ready + opening && !l->has_failed) {
		wire_open(l, &l->conns[l->opened++]);
	}
}

static void on_step(struct load *l, struct load_conn *c, const struct incoming *m)
{
	if (c->room != NULL && m->version > c->room->version) {
		c->room->version = m->version;
	}
	wire_greet(l, c);
	if (!c->is_ready) {
		return;
	}
	if (c->room == NULL) {
		ask_for_rooms(l);
	} else {
		l->ready++;
		open_more(l);
	}
}

static void on_refused(struct load *l, const struct incoming *m)
{
	char text[LOAD_WHY_BYTES / 2];
	size_t n = 0;
	for (size_t i = 0; i < m->text.len && n + 1 < sizeof(text); i++) {
		char c = m->text.data[i];
		text[n++] = c >= ' ' && c <= '~' ? c : ' ';
	}
	text[n] = '\0';
	load_fail(l, "%s refused: %s", l->dialect->name, text);
}

void load_incoming(struct load *l, struct load_conn *c, const struct incoming *m)
{
	if (m->kind == INCOMING_REFUSED) {
		on_refused(l, m);
	} else if (m->kind == INCOMING_ROOM) {
		on_room(l, m);
	} else if (m->kind == INCOMING_STEP) {
		on_step(l, c, m);
	} else if (m->kind == INCOMING_REPLY) {
		l->dialect->go_on(&c->who, c->sent - 1, m->text, &l->say);
		wire_send(l, c);
	} else if (l->phase > LOAD_JOINING) {
		count_incoming(l, c, m);
	} else if (m->kind == INCOMING_VERSION && m->version > c->version) {
		c->version = m->version;
	}
}

static void load_shares(struct load_result *out, const struct moment *from, const struct moment *to)
{
	for (int i = 0; i < CORES; i++) {
		out->others[i] = machine_others(from, to, (enum machine_core)i);
		out->ours[i] = machine_ours(from, to, (enum machine_core)i);
	}
}

/* ---- phases: everybody comes in ---- */

/* False, and the load has failed, where nothing has come for too long. */
static bool load_is_alive(struct load *l)
{
	if (l->now_ns > l->progress_ns + (uint64_t)LOAD_PATIENCE_MS * MS) {
		load_fail(l, "%s: nothing came for %d s", l->dialect->name,
			  LOAD_PATIENCE_MS / 1000);
	}
	return !l->has_failed;
}

static void load_turn(struct load *l, uint64_t until_ns)
{
	uint64_t soon = machine_now_ns() + 100 * (uint64_t)MS;
	wire_turn(l, until_ns < soon ? until_ns : soon);
}

static void load_make_rooms(struct load *l)
{
	l->phase = LOAD_MAKING;
	l->progress_ns = machine_now_ns();
	if (l->dialect->make == NULL) {
		return;
	}
	wire_open(l, &l->maker);
	while (l->made < l->rooms_n && load_is_alive(l)) {
		load_turn(l, UINT64_MAX);
	}
}

/* Everybody has seen what everybody's joining changed. */
static bool load_is_quiet(const struct load *l)
{
	for (uint32_t i = 0; i < l->conns_n && l->dialect->counts_versions; i++) {
		if (l->conns[i].version < l->conns[i].room->version) {
			return false;
		}
	}
	return true;
}

/* The stores' CPU so far, which is in the server's. */
static uint64_t load_look(const struct load *l, struct moment *out)
{
	uint64_t store_ns = 0;
	for (size_t i = 0; i < l->spec->stores_n; i++) {
		store_ns += machine_cpu_ns(l->spec->stores[i]);
	}
	machine_look(l->spec->server, out);
	out->server_ns += store_ns;
	return store_ns;
}

static void load_join(struct load *l)
{
	struct moment from;
	struct moment to;
	struct load_result *out = l->result;
	l->phase = LOAD_JOINING;
	out->rss_before = machine_rss_bytes(l->spec->server);
	(void)load_look(l, &from);
	open_more(l);
	while (l->ready < l->conns_n && load_is_alive(l)) {
		load_turn(l, UINT64_MAX);
	}
	(void)load_look(l, &to);
	while (!l->has_failed && !load_is_quiet(l) && load_is_alive(l)) {
		load_turn(l, UINT64_MAX);
	}
	for (uint32_t i = 0; i < l->conns_n; i++) {
		if (l->conns[i].is_deaf) {
			wire_ignore(l, &l->conns[i]);
		}
	}
	out->connects = l->ready;
	out->connect_s = (double)(to.now_ns - from.now_ns) / 1e9;
	out->connect_cpu_ns = to.server_ns - from.server_ns;
	out->rss_joined = machine_rss_bytes(l->spec->server);
	load_shares(out, &from, &to);
}

/* ---- phases: everybody votes ---- */

static void cast_closed(struct load *l)
{
	uint32_t n = l->due_n;
	for (uint32_t i = 0; i < n && !l->has_failed; i++) {
		struct load_room *r = l->due[i];
		const struct load_group *g = load_group_of(l, r);
		bool is_round = g->publishers > 1;
		r->is_due = false;
		if (is_round && r->pending > 0) {
			continue;
		}
		for (uint32_t p = 0; p < g->publishers; p++) {
			count_cast(l, &r->members[p], g->outstanding - (is_round ? 0 : r->pending),
				   machine_now_ns());
		}
	}
	l->due_n = 0;
}

static void pace_start(struct load *l)
{
	for (size_t i = 0; i < l->spec->groups_n; i++) {
		double rate = l->spec->groups[i].rate;
		l->paces[i] = (struct load_pace){.next_ns = UINT64_MAX};
		if (rate > 0) {
			l->paces[i].next_ns = machine_now_ns();
			l->paces[i].due_ns = (double)l->paces[i].next_ns;
			l->paces[i].interval_ns = 1e9 / rate;
		}
	}
}

/* Whose turn it is: all rooms by their first publisher, then by their second, and so on. */
static void cast_paced(struct load *l, size_t group, uint32_t first_room)
{
	const struct load_group *g = &l->spec->groups[group];
	struct load_pace *p = &l->paces[group];
	while (p->next_ns <= l->now_ns && !l->has_failed) {
		struct load_room *r = &l->rooms[first_room + p->room];
		count_cast(l, &r->members[p->publisher], 1, p->next_ns);
		p->due_ns += p->interval_ns;
		p->next_ns = (uint64_t)p->due_ns;
		if (++p->room == g->rooms) {
			p->room = 0;
			p->publisher = (p->publisher + 1) % g->publishers;
		}
	}
}

/* Cast what is due and take what comes, until that time. */
static void load_vote_until(struct load *l, uint64_t until_ns)
{
	l->now_ns = machine_now_ns();
	while (l->now_ns < until_ns && load_is_alive(l)) {
		uint64_t next = until_ns;
		uint32_t first_room = 0;
		cast_closed(l);
		for (size_t i = 0; i < l->spec->groups_n; i++) {
			cast_paced(l, i, first_room);
			next = l->paces[i].next_ns < next ? l->paces[i].next_ns : next;
			first_room += l->spec->groups[i].rooms;
		}
		load_turn(l, next);
	}
}

/* All publishers at once, so many times, each time when everybody has seen the last; then quiet. */
static void load_flood(struct load *l)
{
	l->progress_ns = machine_now_ns();
	for (uint32_t round = 0; round < l->spec->flood && load_is_alive(l); round++) {
		for (uint32_t i = 0; i < l->rooms_n; i++) {
			struct load_room *r = &l->rooms[i];
			for (uint32_t p = 0; p < load_group_of(l, r)->publishers; p++) {
				count_cast(l, &r->members[p], 1, machine_now_ns());
			}
		}
		while (l->pending > 0 && load_is_alive(l)) {
			load_turn(l, UINT64_MAX);
		}
	}
}

static uint64_t seconds_from_now(double seconds)
{
	return machine_now_ns() + (uint64_t)(seconds * 1e9);
}

static void load_window(struct load *l)
{
	struct moment from;
	struct moment to;
	struct load_result *out = l->result;
	l->phase = LOAD_WARMING;
	load_flood(l);
	count_start(l);
	pace_start(l);
	load_vote_until(l, seconds_from_now(l->spec->warm_s));
	uint64_t counted = l->spec->counted == NULL ? 0 : *l->spec->counted;
	uint64_t store_ns = load_look(l, &from);
	l->phase = LOAD_WINDOW;
	l->window_from_ns = from.now_ns;
	load_vote_until(l, seconds_from_now(l->spec->window_s));
	l->window_to_ns = machine_now_ns();
	out->window_store_ns = load_look(l, &to) - store_ns;
	out->window_counted = l->spec->counted == NULL ? 0 : *l->spec->counted - counted;
	l->phase = LOAD_DRAINING;
	out->rss_voted = machine_rss_bytes(l->spec->server);
	out->window_s = (double)(to.now_ns - from.now_ns) / 1e9;
	out->window_cpu_ns = to.server_ns - from.server_ns;
	load_shares(out, &from, &to);
}

static void load_drain(struct load *l)
{
	struct load_result *out = l->result;
	if (l->has_failed) {
		return;
	}
	l->progress_ns = machine_now_ns();
	while (l->pending > 0 && load_is_alive(l)) {
		load_turn(l, UINT64_MAX);
	}
	count_missing(l);
	if (out->lost > 0 || out->duplicates > 0) {
		l->has_failed = false; /* this says more than that nothing came */
		load_fail(l, "%llu deliveries lost, %llu twice", (unsigned long long)out->lost,
			  (unsigned long long)out->duplicates);
	}
}

/* ---- the process ---- */

static void load_free(struct load *l)
{
	wire_close_all(l);
	for (uint32_t i = 0; i < l->conns_n; i++) {
		free(l->conns[i].next);
		free(l->conns[i].due_ns);
	}
	for (uint32_t i = 0; i < l->rooms_n; i++) {
		free(l->rooms[i].early);
	}
	tls_context_free(l->tls);
	free(l->conns);
	free(l->rooms);
	free(l->due);
	buf_finish(&l->say);
	if (l->poller >= 0) {
		(void)close(l->poller);
	}
}

static void load_main(const struct load_spec *spec, struct load_result *out)
{
	struct load l = {.spec = spec,
			 .result = out,
			 .dialect = spec->dialect,
			 .poller = -1,
			 .maker = {.fd = -1, .who = {.room_name = ""}},
			 .window_from_ns = UINT64_MAX,
			 .window_to_ns = UINT64_MAX,
			 .say = {.max = SAY_BYTES_MAX}};
	machine_pin(CORE_LOAD);
	if (spec->is_tls && tls_context_connect(false, &l.tls) != OK) {
		load_fail(&l, "out of memory");
	}
	/* A sleep until the next vote is due shall end then, and not up to 50 us later. */
	(void)prctl(PR_SET_TIMERSLACK, 1UL);
	if (!l.has_failed) {
		load_lay_out(&l);
	}
	if (!l.has_failed) {
		load_make_rooms(&l);
	}
	if (!l.has_failed) {
		load_join(&l);
	}
	if (!l.has_failed && spec->window_s > 0) {
		load_window(&l);
		load_drain(&l);
	}
	out->is_done = !l.has_failed;
	load_free(&l);
}

bool load_run(const struct load_spec *spec, struct load_result *out)
{
	struct load_result *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = shared == MAP_FAILED ? -1 : fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
		(void)signal(SIGINT, SIG_DFL);
		(void)signal(SIGTERM, SIG_DFL);
		load_main(spec, shared);
		_exit(0);
	}
	*out = (struct load_result){0};
	if (pid > 0) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
		}
		memcpy(out, shared, sizeof(*out));
	}
	if (!out->is_done && out->why[0] == '\0') {
		(void)format_to(out->why, sizeof(out->why), "the load generator ended too early");
	}
	if (shared != MAP_FAILED) {
		(void)munmap(shared, sizeof(*shared));
	}
	return out->is_done;
}
