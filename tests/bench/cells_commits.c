/*
 * cells_commits.c - commits on the table itself, without a server around it, by engine and durability, beside
 * what a web application does that keeps votes in Redis (dialect_redis.c).
 *
 * Servers of Redis have one core, whoever uses them the other: the engine, in a process of its own, or the
 * load. The CPU of a commit is that of both; of the application only Redis counts. A cluster is three masters
 * with a replica each, appendfsync everysec, its files in /tmp; all six share the core. There a commit, and the
 * application's append, is waited for with WAIT 1.
 * The application's rooms have one subscriber each, so it tells somebody; who is told of the engine's commits is
 * not the table's.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "proto/keys/random.h"
#include "store/lmdb/store_lmdb.h"
#include "store/redis/store_redis.h"
#include "tests/bench/cell.h"
#include "tests/bench/commits.h"
#include "tests/bench/machine.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_poll.h"

/* ---- in a process of its own, which has no other threads or handlers ---- */

typedef void apart_body(const struct bench *b, const struct contender *c, struct sample *out);

static void run_apart(const struct bench *b, const struct contender *c, apart_body *body,
		      struct sample *out)
{
	struct sample *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sample_clear(out);
	if (shared == MAP_FAILED) {
		format_to(out->why, sizeof(out->why), "out of memory");
		return;
	}
	sample_clear(shared);
	format_to(shared->why, sizeof(shared->why), "ended too early");
	pid_t pid = fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
		(void)signal(SIGINT,
			     SIG_IGN); /* it ends within seconds, and removes what it made */
		(void)signal(SIGTERM, SIG_IGN);
		body(b, c, shared);
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
	*out = *shared;
	(void)munmap(shared, sizeof(*shared));
}

/* ---- the engine ---- */

struct pids {
	pid_t at[LOAD_STORES_MAX];
	size_t n;
};

static void look(const struct pids *servers, struct moment *out)
{
	uint64_t server_ns = 0;
	for (size_t i = 0; i < servers->n; i++) {
		server_ns += machine_cpu_ns(servers->at[i]);
	}
	machine_look(0, out);
	out->server_ns = server_ns;
}

static void put_figures(const struct moment *from, const struct moment *to, unsigned long n,
			struct sample *out)
{
	double server_us = (double)(to->server_ns - from->server_ns) / 1e3;
	double engine_us = (double)(to->load_ns - from->load_ns) / 1e3;
	out->figures[FIGURE_COMMITS] = (double)n / ((double)(to->now_ns - from->now_ns) / 1e9);
	out->figures[FIGURE_COMMIT_US] = (server_us + engine_us) / (double)n;
	out->figures[FIGURE_COMMIT_STORE_US] = server_us / (double)n;
	for (int i = 0; i < CORES; i++) {
		out->others[i] = machine_others(from, to, (enum machine_core)i);
		out->ours[i] = machine_ours(from, to, (enum machine_core)i);
	}
}

static void measure(const struct bench *b, const struct contender *c, struct store *s,
		    void (*wait)(void *arg), void *arg, const struct pids *servers,
		    struct sample *out)
{
	static struct commits commits;
	struct moment from;
	struct moment to;
	size_t pending = c->groups[0].rooms;
	enum err e = commits_begin(&commits, s, wait, arg);
	e = e == OK ? commits_run(&commits, pending, b->warm_s) : e;
	unsigned long answered = commits.answered;
	look(servers, &from);
	e = e == OK ? commits_run(&commits, pending, b->window_s) : e;
	look(servers, &to);
	commits_end(&commits);
	if (e != OK) {
		format_to(out->why, sizeof(out->why), "commit: %s", err_text(e));
		return;
	}
	put_figures(&from, &to, commits.answered - answered, out);
	out->is_done = true;
}

static void wait_lmdb(void *arg)
{
	(void)sem_wait(arg);
}

static void on_wake(void *arg)
{
	(void)sem_post(arg);
}

static void in_directory(const struct bench *b, const struct contender *c, struct sample *out)
{
	char directory[SERVER_PATH_BYTES];
	struct store *s;
	struct errmsg why = {"no directory"};
	sem_t woken;
	struct store_lmdb_options o = {.directory = directory, .wake = on_wake, .wake_arg = &woken};
	format_to(directory, sizeof(directory), "%.150s/commits-XXXXXX", b->dir);
	machine_pin(CORE_LOAD);
	if (!crypto_start() || sem_init(&woken, 0, 0) != 0 || mkdtemp(directory) == NULL ||
	    store_open_lmdb(&o, &s, &why) != OK) {
		format_to(out->why, sizeof(out->why), "%s", why.text);
		return;
	}
	measure(b, c, s, wait_lmdb, &woken, &(struct pids){.n = 0}, out);
	store_close(s);
	server_remove_all(directory);
}

static void wait_redis(void *arg)
{
	struct redis_poll *p = arg;
	p->net.run(p);
}

static void at_redis(const struct bench *b, const struct contender *c, const char *url,
		     const struct pids *servers, struct sample *out)
{
	struct redis_poll poll;
	struct redis_address address;
	struct store *s;
	struct errmsg why;
	struct store_redis_options o = {.net = &poll.net, .address = &address};
	machine_pin(CORE_LOAD);
	redis_poll_init(&poll);
	poll.random = machine_now_ns();
	if (!crypto_start() || redis_address_parse(url, &address, &why) != OK ||
	    store_open_redis(&o, &s, &why) != OK) {
		format_to(out->why, sizeof(out->why), "%s", why.text);
		return;
	}
	measure(b, c, s, wait_redis, &poll, servers, out);
	store_close(s);
	redis_poll_finish(&poll);
}

/* ---- on one server ---- */

static const struct server *one_server; /* of the run, as a process of its own sees it */

static void at_one_server(const struct bench *b, const struct contender *c, struct sample *out)
{
	char url[64];
	struct pids servers = {.at = {one_server->pid}, .n = 1};
	format_to(url, sizeof(url), "redis://127.0.0.1:%d", one_server->port);
	at_redis(b, c, url, &servers, out);
}

static void run_directory(const struct bench *b, const struct contender *c, struct sample *out)
{
	run_apart(b, c, in_directory, out);
}

/* A Redis whose appendfsync is `more`. */
static void run_redis(const struct bench *b, const struct contender *c, struct sample *out)
{
	const char *const fsync[] = {"--appendfsync", c->more, NULL};
	struct server server;
	sample_clear(out);
	if (server_start(SERVER_REDIS_VOTE, b->dir, fsync, &server, out->why)) {
		one_server = &server;
		run_apart(b, c, at_one_server, out);
		server_stop(&server);
	}
}

/* A vote of the application is one commit. */
static void name_figures(struct sample *out)
{
	out->figures[FIGURE_COMMITS] = out->figures[FIGURE_VOTES];
	out->figures[FIGURE_COMMIT_US] = out->figures[FIGURE_VOTE_US];
	out->figures[FIGURE_COMMIT_STORE_US] = out->figures[FIGURE_VOTE_US];
}

static void run_design(const struct bench *b, const struct contender *c, struct sample *out)
{
	const char *const fsync[] = {"--appendfsync", c->more, NULL};
	struct run r;
	if (run_start(b, c, fsync, &r, out)) {
		run_put_load(&r, out);
		run_stop(&r);
		name_figures(out);
	}
}

/* ---- in a cluster ---- */

static void cluster_begin(struct redis_cluster *cluster, struct pids *servers)
{
	machine_pin(CORE_SERVER); /* what it starts, too */
	redis_cluster_start(cluster);
	for (size_t i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		servers->at[servers->n++] = cluster->servers[i].pid;
	}
}

static void at_cluster(const struct bench *b, const struct contender *c, struct sample *out)
{
	static struct redis_cluster cluster;
	struct pids servers = {.n = 0};
	char url[REDIS_CLUSTER_URL_BYTES];
	cluster_begin(&cluster, &servers);
	redis_cluster_url(&cluster, "?replicas=1", url);
	at_redis(b, c, url, &servers, out);
	redis_cluster_clear(&cluster);
}

static void run_cluster(const struct bench *b, const struct contender *c, struct sample *out)
{
	run_apart(b, c, at_cluster, out);
}

static void design_at_cluster(const struct bench *b, const struct contender *c, struct sample *out)
{
	static struct redis_cluster cluster;
	static struct load_result result;
	static int ports[COMMITS_ROOMS_MAX];
	struct pids servers = {.n = 0};
	struct load_spec spec = {.dialect = &dialect_redis_wait,
				 .groups = {c->groups[0]},
				 .groups_n = 1,
				 .warm_s = b->warm_s,
				 .window_s = b->window_s,
				 .ports = ports};
	cluster_begin(&cluster, &servers);
	for (unsigned i = 0; i < c->groups[0].rooms; i++) {
		char key[32];
		format_to(key, sizeof(key), "{room%u}", i);
		ports[i] = redis_cluster_master(&cluster, key)->port;
	}
	memcpy(spec.stores, servers.at, sizeof(spec.stores));
	spec.stores_n = servers.n;
	(void)load_run(&spec, &result);
	run_sample(&result, out);
	name_figures(out);
	redis_cluster_clear(&cluster);
}

static void run_design_cluster(const struct bench *b, const struct contender *c, struct sample *out)
{
	run_apart(b, c, design_at_cluster, out);
}

/* ---- cells ---- */

#define BY(name, kind, run, n, fsync)                                    \
	{                                                                \
		name, SERVER_##kind, run, {{n, 1, 1, 1, 0, 0}}, 1, fsync \
	}
#define ALL(n)                                                                         \
	{                                                                              \
		BY("directory", AYE, run_directory, n, NULL),                          \
			BY("redis, everysec", REDIS_VOTE, run_redis, n, "everysec"),   \
			BY("redis, always", REDIS_VOTE, run_redis, n, "always"),       \
			BY("cluster, WAIT 1", REDIS_VOTE, run_cluster, n, NULL),       \
			BY("design, everysec", REDIS_VOTE, run_design, n, "everysec"), \
			BY("design, always", REDIS_VOTE, run_design, n, "always"),     \
			BY("design, WAIT 1", REDIS_VOTE, run_design_cluster, n, NULL), \
	}
#define RATIO(what, ours, theirs, to_reach)                        \
	{                                                          \
		what, FIGURE_COMMITS, ours, theirs, true, to_reach \
	}
#define COMMITS(id, title, n, to_reach)                                                           \
	{                                                                                         \
		id, title, ALL(n), {FIGURE_COMMITS, FIGURE_COMMIT_US, FIGURE_COMMIT_STORE_US}, 3, \
		{                                                                                 \
			RATIO("commits/s, synced each second", "redis, everysec",                 \
			      "design, everysec", to_reach),                                      \
				RATIO("commits/s, synced", "redis, always", "design, always",     \
				      to_reach),                                                  \
				RATIO("commits/s, on a replica", "cluster, WAIT 1",               \
				      "design, WAIT 1", to_reach),                                \
		}                                                                                 \
	}

const struct cell cells_commits[] = {
	COMMITS("28", "a commit outstanding", 1, 1),
	COMMITS("29", "50 commits outstanding, in 50 rooms", 50, 3),
	COMMITS("30", "500 commits outstanding, in 500 rooms", 500, 1),
	{0},
};
