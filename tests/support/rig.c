/*
 * rig.c - what surrounds the core in a test: clock, store, effects.
 */
#include "tests/support/rig.h"

#include "tests/support/heap.h"

/* Turns that settling may take; more is a loop that never ends. */
#define RIG_TURNS_MAX 100000

/* One call to the store. Its life shows whether the server that made it still exists. */
struct rig_job {
	struct rig *rig;
	uint64_t life;
	uint64_t ticket;
};

/* ---- life ---- */

void rig_init(struct rig *r)
{
	*r = (struct rig){.wall_ms = RIG_WALL, .mono_ms = 5000};
	r->next_node = r;
	assert_true(crypto_start());
	heap_pause(true);
	server_config_defaults(&r->config);
	/* Few peers stand for many here. */
	r->config.limits[LIMIT_ROOM_CREATES_PER_MINUTE] = RIG_UNHINDERED;
	r->config.limits[LIMIT_SEATS_PER_MINUTE] = RIG_UNHINDERED;
	r->config.limits[LIMIT_LOGINS_PER_MINUTE] = RIG_UNHINDERED;
	memset(r->config.server_key, 7, sizeof(r->config.server_key));
	r->log.max = SIZE_MAX / 2;
	r->order.max = SIZE_MAX / 2;
}

void rig_start(struct rig *r)
{
	r->config.now_ms = r->wall_ms;
	assert_int_equal(store_open_mem(&r->store), OK);
	store_mem_set_auto(r->store, false);
	rig_subscribe(r);
	assert_int_equal(server_create(&r->config, &r->server), OK);
}

void rig_limit_peers(struct rig *r)
{
	static const enum limit lifted[] = {LIMIT_ROOM_CREATES_PER_MINUTE, LIMIT_SEATS_PER_MINUTE,
					    LIMIT_LOGINS_PER_MINUTE};
	for (size_t i = 0; i < sizeof(lifted) / sizeof(lifted[0]); i++) {
		r->config.limits[lifted[i]] = limit_rows[lifted[i]].value;
	}
	assert_int_equal(server_set_limits(r->server, r->config.limits), OK);
}

void rig_open(struct rig *r)
{
	rig_init(r);
	rig_start(r);
}

void rig_finish(struct rig *r)
{
	r->life++;
	server_destroy(r->server);
	rig_part(r);
	if (!r->has_joined) {
		store_close(r->store);
	}
	effects_finish(&r->fx);
	for (size_t i = 0; i < r->peers_n; i++) {
		rig_peer_free(r->peers[i]);
	}
	for (size_t i = 0; i < r->commands_n; i++) {
		free(r->commands[i].input);
	}
	free(r->commands);
	free(r->peers);
	free(r->later);
	buf_finish(&r->log);
	buf_finish(&r->forward.input);
	buf_finish(&r->order);
	rig_alias(r, NULL, NULL);
	heap_pause(false);
}

void rig_crash(struct rig *r)
{
	struct store *left = NULL;
	r->life++;
	server_destroy(r->server);
	assert_int_equal(store_mem_crash(r->store, &left), OK);
	store_close(r->store);
	r->store = left;
	store_mem_set_auto(left, false);
	rig_subscribe(r);
	r->later_n = 0;
	r->fx.n = 0;
	r->busy = 0;
	r->asked_n = 0;
	for (size_t i = 0; i < r->peers_n; i++) {
		r->peers[i]->is_open = false;
	}
	r->config.seed[0]++;
	r->config.now_ms = r->wall_ms;
	assert_int_equal(server_create(&r->config, &r->server), OK);
}

/* ---- the store's answers ---- */

static struct rig_job *rig_job(struct rig *r, uint64_t ticket)
{
	struct rig_job *job = malloc(sizeof(*job));
	assert_non_null(job);
	*job = (struct rig_job){r, r->life, ticket};
	return job;
}

static void rig_answered(struct rig_job *job, struct event *e)
{
	struct rig *r = job->rig;
	bool is_live = job->life == r->life;
	e->ticket = job->ticket;
	free(job);
	if (is_live) {
		rig_step(r, e);
	}
}

static void rig_on_load(void *arg, enum err e, const struct store_item *items, size_t n,
			uint64_t version, bool has_more)
{
	struct event event = {.kind = EVENT_LOADED,
			      .result = e,
			      .items = items,
			      .n = n,
			      .version = version,
			      .has_more = has_more};
	rig_answered(arg, &event);
}

static void rig_on_query(void *arg, enum err e, const struct store_item *items, size_t n,
			 struct slice next, bool is_partial)
{
	struct event event = {.kind = EVENT_DUE,
			      .result = e,
			      .items = items,
			      .n = n,
			      .next = next,
			      .is_partial = is_partial};
	rig_answered(arg, &event);
}

static void rig_on_count(void *arg, enum err e, size_t n)
{
	struct event event = {.kind = EVENT_COUNTED, .result = e, .n = n};
	rig_answered(arg, &event);
}

static void rig_on_commit(void *arg, enum err e, uint64_t version)
{
	struct event event = {.kind = EVENT_COMMITTED, .result = e, .version = version};
	rig_answered(arg, &event);
}

static void rig_on_take(void *arg, enum err e, struct store_fence had, uint64_t version)
{
	struct event event = {.kind = EVENT_TAKEN, .result = e, .version = version};
	(void)had;
	rig_answered(arg, &event);
}

/* ---- effects ---- */

static void rig_commit(struct rig *r, const struct effect *fx)
{
	struct store_commit c = {.ops = fx->ops,
				 .n = fx->n,
				 .token = fx->token,
				 .fence = fx->fence,
				 .publish = fx->publish,
				 .now_ms = r->wall_ms};
	enum err e = ERR_BUSY;
	r->commits++;
	for (size_t i = 0; i < fx->n; i++) {
		r->ops += fx->ops[i].kind != STORE_CHECK;
	}
	if (r->busy > 0) {
		r->busy--;
	} else {
		struct rig_job *job = rig_job(r, fx->ticket);
		e = store_commit(r->store, &c, rig_on_commit, job);
		if (e == OK) {
			return;
		}
		free(job);
	}
	rig_later(r, &(struct event){.kind = EVENT_COMMITTED, .ticket = fx->ticket, .result = e});
}

/* What the server still has for it is written first, as far as the socket takes it. */
static void rig_close(struct rig *r, struct conn_id id)
{
	struct rig_peer *p = rig_peer_of(r, id);
	assert_non_null(p);
	rig_deliver(p);
	p->is_open = false;
	rig_later(r, &(struct event){.kind = EVENT_CLOSED, .conn = id});
}

static void rig_log(struct rig *r, enum log_level level, struct slice line)
{
	assert_null(memchr(line.data, '\n', line.len));
	assert_int_equal(buf_append_slice(&r->log, line), OK);
	assert_int_equal(buf_append(&r->log, "\n", 2),
			 OK); /* with the end of the string, which is not counted */
	r->log.len--;
	r->log_lines += level == LOG_DEBUG ? 0 : 1;
}

/* A machine with one address, on which one port is taken. */
static void rig_share(struct rig *r, const struct effect *fx)
{
	static struct slice addresses[] = {SLICE_INIT("tcp://192.0.2.7:2937")};
	struct event e = {.kind = EVENT_SHARED, .conn = fx->conn, .ticket = fx->ticket};
	if (slice_eq(fx->address, SLICE("192.0.2.7:80"))) {
		e.result = ERR_BUSY;
		e.bytes = SLICE("another program uses the port");
	} else if (fx->address.len > 0 && !slice_starts(fx->address, SLICE("192.0.2.7"))) {
		e.result = ERR_INVALID;
		e.bytes = SLICE("is not of this machine");
	} else {
		e.has_listener = fx->address.len > 0;
		r->is_shared = (r->is_shared && !fx->unshares) || e.has_listener;
		if (fx->web != SHARE_WEB_NONE) {
			server_set_web(r->server, fx->web == SHARE_WEB_HTTPS
							  ? SLICE("https://192.0.2.7:2938/")
							  : SLICE("http://192.0.2.7:2938/"));
		}
		e.addresses = (struct slices){addresses, r->is_shared ? 1 : 0};
	}
	rig_later(r, &e);
}

static void rig_command_begin(struct rig *r, const struct effect *fx)
{
	r->commands = realloc(r->commands, (r->commands_n + 1) * sizeof(*r->commands));
	assert_non_null(r->commands);
	struct rig_command *c = &r->commands[r->commands_n++];
	*c = (struct rig_command){fx->ticket, strndup(fx->input.data, fx->input.len)};
	assert_non_null(c->input);
}

static void rig_perform(struct rig *r, const struct effect *fx)
{
	switch (fx->kind) {
	case FX_CLOSE:
		rig_close(r, fx->conn);
		break;
	case FX_PAUSE:
	case FX_RESUME:
		rig_peer_of(r, fx->conn)->is_paused = fx->kind == FX_PAUSE;
		break;
	case FX_LOAD:
		r->loads++;
		store_load(r->store, &fx->load, rig_on_load, rig_job(r, fx->ticket));
		break;
	case FX_QUERY:
		store_query(r->store, &fx->query, rig_on_query, rig_job(r, fx->ticket));
		break;
	case FX_COUNT: {
		struct store_count c = store_count_of(&fx->query);
		store_count(r->store, &c, rig_on_count, rig_job(r, fx->ticket));
		break;
	}
	case FX_COMMIT:
		rig_commit(r, fx);
		break;
	case FX_SHARE:
		rig_share(r, fx);
		break;
	case FX_COMMAND:
		rig_command_begin(r, fx);
		break;
	case FX_RENEW:
	case FX_LIST:
		rig_ask(r, fx);
		break;
	case FX_TAKE:
		assert_int_equal(store_take(r->store, &fx->take, rig_on_take,
					    rig_job(r, fx->ticket)),
				 OK);
		break;
	case FX_FORWARD:
		rig_forward(r, fx);
		break;
	case FX_LOG:
		rig_log(r, fx->level, fx->log);
		break;
	}
}

static void rig_perform_all(struct rig *r)
{
	for (size_t i = 0; i < r->fx.n; i++) {
		rig_perform(r, &r->fx.items[i]);
	}
	r->fx.n = 0;
}

/* ---- steps ---- */

static struct clocks rig_now(const struct rig *r)
{
	return (struct clocks){.wall_ms = r->wall_ms, .mono_ms = r->mono_ms, .boot_ms = r->mono_ms};
}

void rig_enter(const struct rig *r)
{
	heap_pause(r->is_sheltered);
}

void rig_leave(void)
{
	heap_pause(true);
}

void rig_step(struct rig *r, struct event *e)
{
	e->now = rig_now(r);
	rig_enter(r);
	server_step(r->server, e, &r->fx);
	rig_leave();
	rig_perform_all(r);
}

void rig_later(struct rig *r, const struct event *e)
{
	if (r->later_n == r->later_capacity) {
		r->later_capacity = r->later_capacity * 2 + 16;
		r->later = realloc(r->later, r->later_capacity * sizeof(*r->later));
		assert_non_null(r->later);
	}
	r->later[r->later_n++] = *e;
}

/* Each event may bring others: those are for the next round. */
static void rig_happen(struct rig *r)
{
	size_t n = r->later_n;
	for (size_t i = 0; i < n; i++) {
		struct event e = r->later[i];
		rig_step(r, &e);
	}
	if (n > 0) {
		memmove(r->later, r->later + n, (r->later_n - n) * sizeof(*r->later));
		r->later_n -= n;
	}
}

static void rig_turn(struct rig *r)
{
	struct conn_id id;
	rig_enter(r);
	server_turn(r->server, rig_now(r), &r->fx);
	rig_leave();
	rig_perform_all(r);
	for (;;) {
		rig_enter(r);
		bool is_more = server_next_output(r->server, &id);
		rig_leave();
		if (!is_more) {
			return;
		}
		struct rig_peer *p = rig_peer_of(r, id);
		assert_non_null(p);
		rig_deliver(p);
	}
}

void rig_tick(struct rig *r)
{
	unsigned char fresh[SEED_BYTES];
	for (size_t i = 0; i < sizeof(fresh); i++) {
		fresh[i] = (unsigned char)(r->mono_ms >> (i % 6));
	}
	rig_step(r, &(struct event){.kind = EVENT_TICK, .bytes = slice_of(fresh, sizeof(fresh))});
}

static bool rig_has_work(struct rig *r)
{
	return r->later_n > 0 ||
	       (!r->holds && (store_mem_waiting(r->store) > 0 || r->asked_n > 0)) ||
	       server_deadline(r->server) <= r->mono_ms;
}

static void rig_settle_one(struct rig *r)
{
	for (size_t turns = 0;; turns++) {
		assert_in_range(turns, 0, RIG_TURNS_MAX);
		rig_happen(r);
		if (!r->holds) {
			store_mem_run(r->store, SIZE_MAX);
			rig_answer_asked(r);
		}
		store_poll(r->store);
		int64_t due = server_deadline(r->server);
		if (due > 0 && due <= r->mono_ms) {
			rig_tick(r);
		}
		rig_turn(r);
		if (!rig_has_work(r)) {
			return;
		}
	}
}

void rig_settle(struct rig *r)
{
	bool has_work;
	do {
		has_work = false;
		struct rig *node = r;
		do {
			rig_settle_one(node);
			node = node->next_node;
		} while (node != r);
		do {
			has_work = has_work || rig_has_work(node);
			node = node->next_node;
		} while (node != r);
	} while (has_work);
}

static void rig_go_to(struct rig *r, int64_t mono_ms)
{
	r->wall_ms += mono_ms - r->mono_ms;
	r->mono_ms = mono_ms;
	rig_tick(r);
}

void rig_advance(struct rig *r, int64_t ms)
{
	int64_t target = r->mono_ms + ms;
	rig_settle(r);
	while (r->mono_ms < target) {
		int64_t next = target;
		struct rig *node = r;
		do {
			int64_t due = server_deadline(node->server);
			next = due < next ? due : next;
			node = node->next_node;
		} while (node != r);
		next = next <= r->mono_ms ? r->mono_ms + 1 : next;
		do {
			rig_go_to(node, next);
			node = node->next_node;
		} while (node != r);
		rig_settle(r);
	}
}

void rig_hold(struct rig *r)
{
	r->holds = true;
}

void rig_let(struct rig *r, size_t n)
{
	assert_true(r->holds);
	(void)store_mem_run(r->store, n);
	rig_settle(r);
}

void rig_release(struct rig *r)
{
	r->holds = false;
	rig_settle(r);
}

void rig_fail_commits(struct rig *r, size_t n, enum err e)
{
	store_mem_fail_commits(r->store, n, e);
}

void rig_touch(struct rig *r)
{
	char pk[5 + CODE_CHARS_MAX + 1] = "ROOM:";
	strcpy(pk + 5, r->room_id);
	assert_true(store_mem_touch(r->store, slice_str(pk), SLICE("ROOM")));
}

void rig_stop(struct rig *r)
{
	rig_step(r, &(struct event){.kind = EVENT_STOP});
	rig_settle(r);
}

const char *rig_command(struct rig_peer *p, size_t nth)
{
	assert_in_range(nth, 0, p->rig->commands_n - 1);
	free(p->line);
	p->line = rig_render(p->rig, p->rig->commands[nth].input);
	return p->line;
}

void rig_command_ended(struct rig *r, size_t nth, enum err e)
{
	assert_in_range(nth, 0, r->commands_n - 1);
	rig_step(r, &(struct event){.kind = EVENT_COMMANDED,
				    .ticket = r->commands[nth].ticket,
				    .result = e});
	rig_settle(r);
}

static void rig_on_counted(void *arg, enum err e, const struct store_item *items, size_t n,
			   uint64_t version, bool has_more)
{
	(void)items;
	(void)version;
	(void)has_more;
	assert_int_equal(e, OK);
	*(size_t *)arg = n;
}

size_t rig_stored(struct rig *r, const char *sk_prefix)
{
	char pk[5 + CODE_CHARS_MAX + 1] = "ROOM:";
	strcpy(pk + 5, r->room_id);
	return rig_stored_in(r, pk, sk_prefix);
}

size_t rig_stored_in(struct rig *r, const char *pk, const char *sk_prefix)
{
	size_t n = SIZE_MAX;
	assert_false(r->holds);
	struct store_load l = {.pk = slice_str(pk), .sk_prefix = slice_str(sk_prefix)};
	store_load(r->store, &l, rig_on_counted, &n);
	store_mem_run(r->store, SIZE_MAX);
	store_poll(r->store);
	assert_int_not_equal(n, SIZE_MAX);
	return n;
}
