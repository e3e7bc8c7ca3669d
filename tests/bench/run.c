/*
 * run.c - one run: a server, a load, and the figures of it.
 */
#include <math.h>
#include <stdlib.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"
#include "tests/bench/machine.h"

void sample_clear(struct sample *out)
{
	*out = (struct sample){.tries = 1};
	for (size_t i = 0; i < FIGURE_COUNT; i++) {
		out->figures[i] = NAN;
	}
}

static double us_at(const struct quantiles *h, double part)
{
	return (double)quantiles_at(h, part) / 1e3;
}

/* The server's CPU is all groups'; latency and rates are the first one's. */
static void window_figures(const struct load_result *r, struct sample *out)
{
	const struct load_group_result *g = &r->groups[0];
	double deliveries = 0;
	double votes = 0;
	for (size_t i = 0; i < LOAD_GROUPS_MAX; i++) {
		deliveries += (double)r->groups[i].deliveries;
		votes += (double)r->groups[i].votes;
	}
	out->figures[FIGURE_DELIVERIES] = (double)g->deliveries / r->window_s;
	out->figures[FIGURE_VOTES] = (double)g->votes / r->window_s;
	if (deliveries > 0 && votes > 0) {
		out->figures[FIGURE_DELIVERY_NS] = (double)r->window_cpu_ns / deliveries;
		out->figures[FIGURE_VOTE_US] = (double)r->window_cpu_ns / votes / 1e3;
		out->figures[FIGURE_STORE_US] = (double)r->window_store_ns / votes / 1e3;
	}
	if (g->latency_ns.n > 0) {
		out->figures[FIGURE_P50_US] = us_at(&g->latency_ns, 0.5);
		out->figures[FIGURE_P99_US] = us_at(&g->latency_ns, 0.99);
		out->figures[FIGURE_P999_US] = us_at(&g->latency_ns, 0.999);
	}
}

static void connect_figures(const struct load_result *r, struct sample *out)
{
	double n = (double)r->connects;
	double grown = (double)r->rss_joined - (double)r->rss_before;
	out->figures[FIGURE_CONNECT_US] = (double)r->connect_cpu_ns / n / 1e3;
	out->figures[FIGURE_CONNECTS] = n / r->connect_s;
	out->figures[FIGURE_CONNECTION_BYTES] = grown / n;
}

void run_sample(const struct load_result *r, struct sample *out)
{
	out->is_done = r->is_done;
	format_to(out->why, sizeof(out->why), "%s", r->why);
	out->deliveries = r->deliveries;
	out->lost = r->lost;
	out->duplicates = r->duplicates;
	out->fulls = r->fulls;
	for (int i = 0; i < CORES; i++) {
		out->others[i] = r->others[i];
		out->ours[i] = r->ours[i];
	}
	if (r->is_done && r->connects > 0) {
		connect_figures(r, out);
	}
	if (r->is_done && r->window_s > 0) {
		window_figures(r, out);
	}
}

bool run_start(const struct bench *b, const struct contender *c, const char *const *words,
	       struct run *r, struct sample *out)
{
	*r = (struct run){.result = calloc(1, sizeof(*r->result))};
	r->spec = (struct load_spec){.dialect = server_rows[c->server].dialect,
				     .groups_n = c->groups_n,
				     .warm_s = b->warm_s,
				     .window_s = b->window_s};
	sample_clear(out);
	uint64_t began = machine_now_ns();
	if (r->result == NULL || !server_start(c->server, b->dir, words, &r->server, out->why)) {
		free(r->result);
		r->result = NULL;
		return false;
	}
	r->start_ms = (double)(machine_now_ns() - began) / 1e6;
	r->rss_started = machine_rss_bytes(r->server.pid);
	for (size_t i = 0; i < c->groups_n; i++) {
		r->spec.groups[i] = c->groups[i];
	}
	r->spec.port = r->server.port;
	r->spec.is_tls = server_rows[c->server].is_tls;
	r->spec.server = r->server.pid;
	return true;
}

void run_put_load(struct run *r, struct sample *out)
{
	bool done = load_run(&r->spec, r->result);
	run_sample(r->result, out);
	if (!done) {
		char words[SERVER_WHY_BYTES];
		server_last_words(&r->server, words, sizeof(words));
		format_to(out->why, sizeof(out->why), "%s; the server's log ends: %s",
			  r->result->why, words);
	}
}

void run_stop(struct run *r)
{
	server_stop(&r->server);
	free(r->result);
	*r = (struct run){0};
}

static void run_with(const struct bench *b, const struct contender *c, double window_s,
		     struct sample *out)
{
	struct run r;
	if (run_start(b, c, NULL, &r, out)) {
		r.spec.window_s = window_s;
		run_put_load(&r, out);
		run_stop(&r);
	}
}

void run_load(const struct bench *b, const struct contender *c, struct sample *out)
{
	run_with(b, c, b->window_s, out);
}

void run_joins(const struct bench *b, const struct contender *c, struct sample *out)
{
	run_with(b, c, 0, out);
}
