/*
 * main.c - hours of a real server: a crowd (crowd.h) comes over its unix socket, TLS, HTTP and HTTPS, and all the time
 * something happens. The server is killed, stopped, reloaded and backed up, its clock is set, hundreds come at once,
 * and some read nothing. What was acknowledged is there, once; each update follows the one before it.
 *
 * Its memory, descriptors, disk and latency are recorded each second, written to AYE_SOAK_OUT as course.json and
 * course.svg, and judged as course.h says. For that the last third of the time is one life of the server: everything but
 * its end goes on. Latency is recorded and not judged: whatever else the machine does is in it.
 *
 * AYE_SOAK_SECONDS is how long, AYE_SOAK_STORE=redis has the table in Redis, AYE_SOAK_SEED repeats what was drawn.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/bench/machine.h"
#include "tests/soak/course.h"
#include "tests/support/crowd.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"
#include "tests/support/tls_relay.h"
#include "tests/support/web_relay.h"

#define PAUSE_MS      80  /* of each client between two changes */
#define STEP_MS	      250 /* between two looks at the clock */
#define SAMPLE_S      1
#define CALM_S	      8	  /* between two things that happen, at most */
#define CLOCK_WRONG_S 600 /* at most; sessions and rooms last for an hour */
#define CLOCK_NEAR_S  5
#define NEWCOMERS     200
#define SLOW_READERS  20
#define SLOW_S	      70 /* a server ends a connection that takes nothing for a minute */
#define WAYS	      4	 /* unix, tls, http, https */
#define OUT_BYTES_MAX (256u << 20)
#define HELLO	      "{\"protocol\":1,\"client\":\"soak\"}"

struct soak {
	struct net_server *server;
	struct crowd *crowd;
	struct course course;
	struct net_peer insider;
	uint64_t begin_ns;
	double seconds, sampled_s, slow_until_s;
	unsigned random, lives;
	unsigned long made; /* when it was sampled last */
	void *clock_at;	    /* of the file, mapped */
	_Atomic int64_t *clock_wrong_s;
	char limits[NET_PATH_BYTES], clock[NET_PATH_BYTES], backup[NET_PATH_BYTES];
	char certificate[NET_PATH_BYTES], key[NET_PATH_BYTES];
	char ways
		[WAYS]
		[NET_PATH_BYTES]; /* sockets; the first one is the server's own, the others are relays' */
	struct soak_relay {
		char path[NET_PATH_BYTES];
		pid_t pid;	/* 0: it does not run */
	} relays[WAYS];		/* the first one of all is between the last one and TLS */
	int slow[SLOW_READERS]; /* -1: none */
};

static double soak_now_s(const struct soak *s)
{
	return (double)(machine_now_ns() - s->begin_ns) / 1e9;
}

static unsigned soak_draw(struct soak *s, unsigned below)
{
	return (unsigned)rand_r(&s->random) % below;
}

/* ---- the server ---- */

static void write_limits(const struct soak *s, unsigned life_minutes)
{
	FILE *f = fopen(s->limits, "w");
	assert_non_null(f);
	for (size_t i = 1; crowd_limits[i - 1] != NULL; i += 2) {
		(void)fprintf(f, "%s\n", crowd_limits[i]);
	}
	(void)fprintf(f, "room_life_ms=%u\n", life_minutes * 60000);
	assert_int_equal(fclose(f), 0);
}

/* One from yesterday to tomorrow, as the server's clock is set. A table in Redis has no place for one of the server's own. */
static void lay_certificate(struct soak *s)
{
	int status = -1;
	(void)format_to(s->certificate, NET_PATH_BYTES, "%.40s/good.crt", s->server->dir);
	(void)format_to(s->key, NET_PATH_BYTES, "%.40s/good.key", s->server->dir);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)execl("/usr/bin/python3", "python3", "tests/support/certificates.py",
			    s->server->dir, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void lay_clock(struct soak *s)
{
	int fd = open(s->clock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, sizeof(*s->clock_wrong_s)), 0);
	void *at = mmap(NULL, sizeof(*s->clock_wrong_s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(at != MAP_FAILED);
	s->clock_at = at;
	s->clock_wrong_s = at;
	(void)close(fd);
}

static void relays_end(struct soak *s)
{
	for (struct soak_relay *r = s->relays; r < s->relays + WAYS; r++) {
		if (r->pid > 0) {
			(void)kill(r->pid, SIGKILL);
			(void)waitpid(r->pid, NULL, 0);
			(void)unlink(r->path);
		}
		r->pid = 0;
	}
}

static void relays_start(struct soak *s)
{
	static const struct {
		const char *listens;
		const struct relay_way *way;
	} rows[WAYS] = {{"https://127.0.0.1:", &https_relay},
			{"tls://127.0.0.1:", &tls_relay},
			{"http://127.0.0.1:", &web_relay},
			{"https://127.0.0.1:", &web_relay}};
	for (size_t i = 0; i < WAYS; i++) {
		struct soak_relay *r = &s->relays[i];
		const char *to = i == WAYS - 1 ? s->relays[0].path : NULL;
		r->pid =
			relay_start(r->path, to, net_port(s->server, rows[i].listens), rows[i].way);
		assert_true(r->pid > 0);
	}
}

static void server_starts(struct soak *s)
{
	char library[NET_PATH_BYTES + 64];
	const char *ayed = getenv("AYED");
	const char *const args[] = {"--limits",	  s->limits,
				    "--tls-cert", s->certificate,
				    "--tls-key",  s->key,
				    "--listen",	  "tls://127.0.0.1:0",
				    "--listen",	  "http://127.0.0.1:0",
				    "--listen",	  "https://127.0.0.1:0",
				    NULL};
	assert_non_null(ayed);
	const char *name = strrchr(ayed, '/');
	assert_non_null(name);
	(void)snprintf(library, sizeof(library), "%.*s/tests/soak/set_clock.so", (int)(name - ayed),
		       ayed);
	assert_int_equal(access(library, R_OK), 0);
	(void)setenv("AYE_CLOCK_FILE", s->clock, 1);
	(void)setenv("LD_PRELOAD", library, 1);
	net_start(s->server, args);
	(void)unsetenv("LD_PRELOAD");
	relays_start(s);
	net_insider(s->server, &s->insider);
	s->lives++;
}

static void server_ends(struct soak *s, int signum)
{
	relays_end(s);
	net_peer_close(&s->insider);
	int wanted = signum == SIGKILL ? 1000 + SIGKILL : 0;
	assert_int_equal(net_end(s->server, signum), wanted);
}

/* ---- figures ---- */

static size_t descriptors_of(pid_t pid)
{
	char path[64];
	size_t n = 0;
	(void)format_to(path, sizeof(path), "/proc/%ld/fd", (long)pid);
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
		n += e->d_name[0] != '.';
	}
	(void)closedir(dir);
	return n;
}

static void soak_sample(struct soak *s)
{
	double now_s = soak_now_s(s);
	if (now_s < s->sampled_s + SAMPLE_S) {
		return;
	}
	struct crowd_times times = crowd_take_times(s->crowd);
	unsigned long made = crowd_made(s->crowd);
	struct course_sample sample = {.at_s = now_s, .life = s->lives};
	sample.figures[COURSE_MEMORY] = (double)machine_rss_bytes(s->server->pid) / 1024;
	sample.figures[COURSE_DESCRIPTORS] = (double)descriptors_of(s->server->pid);
	sample.figures[COURSE_DISK] = (double)net_figure(&s->insider, "store_used_bytes") / 1024;
	sample.figures[COURSE_KEPT] = (double)crowd_kept(s->crowd);
	sample.figures[COURSE_CHANGES] = (double)(made - s->made) / (now_s - s->sampled_s);
	sample.figures[COURSE_P50] = times.p50_ms;
	sample.figures[COURSE_P99] = times.p99_ms;
	assert_int_equal(course_add_sample(&s->course, &sample), OK);
	s->made = made;
	s->sampled_s = now_s;
}

static void soak_run(struct soak *s, double for_s)
{
	double end_s = soak_now_s(s) + for_s;
	while (soak_now_s(s) < end_s) {
		crowd_run(s->crowd, STEP_MS);
		soak_sample(s);
	}
}

/* ---- what happens ---- */

static void is_killed(struct soak *s)
{
	server_ends(s, SIGKILL);
	server_starts(s);
	crowd_until_served(s->crowd, NET_PATIENCE_MS);
}

static void is_stopped(struct soak *s)
{
	server_ends(s, SIGTERM);
	server_starts(s);
	crowd_until_served(s->crowd, NET_PATIENCE_MS);
}

/* Newcomers are told the new limit; until then, what they are told is the old one. */
static void is_reloaded(struct soak *s)
{
	char wanted[64];
	unsigned minutes = 60 + soak_draw(s, 60);
	bool is_told = false;
	write_limits(s, minutes);
	(void)format_to(wanted, sizeof(wanted), "\"room_life_ms\":%u", minutes * 60000);
	assert_int_equal(kill(s->server->pid, SIGHUP), 0);
	while (!is_told) {
		struct net_peer p;
		crowd_run(s->crowd, 1);
		net_peer_open(&p, net_connect_unix(s->server->socket));
		is_told = strstr(net_must(&p, "session.hello", HELLO), wanted) != NULL;
		net_peer_close(&p);
	}
}

static pid_t begin_ayed(const char *command, const char *from, const char *to)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		(void)dup2(null, STDOUT_FILENO);
		(void)execl(getenv("AYED"), "ayed", command, from, to, (char *)NULL);
		_exit(127);
	}
	return pid;
}

/* The exit status of ayed, while everybody goes on. */
static int run_ayed(struct soak *s, const char *command, const char *from, const char *to)
{
	int status = -1;
	pid_t pid = begin_ayed(command, from, to);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		crowd_run(s->crowd, STEP_MS);
		soak_sample(s);
	}
	return status;
}

static void empty(const char *path)
{
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
		if (e->d_name[0] != '.') {
			assert_int_equal(unlinkat(dirfd(dir), e->d_name, 0), 0);
		}
	}
	(void)closedir(dir);
	assert_int_equal(rmdir(path), 0);
}

static void is_backed_up(struct soak *s)
{
	assert_int_equal(run_ayed(s, "backup", s->server->data, s->backup), 0);
	assert_int_equal(run_ayed(s, "check", s->backup, NULL), 0);
	empty(s->backup);
}

static void clock_is_set(struct soak *s)
{
	int64_t wrong_s = (int64_t)soak_draw(s, 2 * CLOCK_WRONG_S) - CLOCK_WRONG_S;
	long long now_ms;
	atomic_store(s->clock_wrong_s, wrong_s);
	const char *now = strstr(net_must(&s->insider, "server.ping", "{}"), "\"now\":");
	assert_non_null(now);
	assert_int_equal(sscanf(now, "\"now\":%lld", &now_ms), 1);
	long long far_s = now_ms / 1000 - (long long)time(NULL) - wrong_s;
	assert_true(far_s >= -CLOCK_NEAR_S && far_s <= CLOCK_NEAR_S); /* that clock, and no other */
}

/* Look at a room without a seat's name; nothing is read of what comes. */
static int comes_and_looks(struct soak *s)
{
	struct net_peer p;
	char params[96];
	int fd = net_connect_unix(s->ways[soak_draw(s, WAYS)]);
	net_peer_open(&p, fd);
	(void)net_request(&p, "session.hello", HELLO);
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"}",
			crowd_room(s->crowd, soak_draw(s, WAYS)));
	(void)net_request(&p, "room.subscribe", params);
	buf_finish(&p.in);
	buf_finish(&p.json);
	return fd;
}

static void many_come_and_go(struct soak *s)
{
	int newcomers[NEWCOMERS];
	for (size_t i = 0; i < NEWCOMERS; i++) {
		newcomers[i] = comes_and_looks(s);
	}
	soak_run(s, 1);
	for (size_t i = 0; i < NEWCOMERS; i++) {
		(void)close(newcomers[i]);
	}
}

static void slow_readers_go(struct soak *s)
{
	for (size_t i = 0; i < SLOW_READERS; i++) {
		if (s->slow[i] >= 0) {
			(void)close(s->slow[i]);
		}
		s->slow[i] = -1;
	}
}

static void some_read_nothing(struct soak *s)
{
	slow_readers_go(s);
	for (size_t i = 0; i < SLOW_READERS; i++) {
		s->slow[i] = comes_and_looks(s);
	}
	s->slow_until_s = soak_now_s(s) + SLOW_S;
}

struct soak_cause {
	const char *text;
	void (*happens)(struct soak *s);
	bool ends_server;
	bool needs_directory; /* with the data */
};

static const struct soak_cause soak_causes[] = {
	{"killed", is_killed, true, false},
	{"stopped", is_stopped, true, false},
	{"reloaded", is_reloaded, false, false},
	{"backed up", is_backed_up, false, true},
	{"clock set", clock_is_set, false, false},
	{"many come at once", many_come_and_go, false, false},
	{"some read nothing", some_read_nothing, false, false},
};
#define CAUSES (sizeof(soak_causes) / sizeof(soak_causes[0]))

static void soak_suffer(struct soak *s, const struct soak_cause *cause)
{
	assert_int_equal(course_add_event(&s->course, soak_now_s(s), cause->text), OK);
	crowd_must_stay(s->crowd, !cause->ends_server);
	cause->happens(s);
	if (s->slow_until_s < soak_now_s(s)) {
		slow_readers_go(s);
	}
	crowd_must_stay(s->crowd, true);
	soak_run(s, 1 + soak_draw(s, CALM_S));
}

static void soak_go_on(struct soak *s)
{
	while (soak_now_s(s) < s->seconds) {
		const struct soak_cause *cause = &soak_causes[soak_draw(s, CAUSES)];
		bool is_last_life = soak_now_s(s) > s->seconds * 2 / 3;
		bool may_be = !(cause->ends_server && is_last_life) &&
			      !(cause->needs_directory && s->server->store[0] != '\0');
		if (may_be) {
			soak_suffer(s, cause);
		}
	}
	slow_readers_go(s);
}

/* ---- beginning and end ---- */

static void soak_lay(struct soak *s)
{
	const char *seconds = getenv("AYE_SOAK_SECONDS"), *seed = getenv("AYE_SOAK_SEED");
	s->seconds = seconds == NULL ? 120 : strtod(seconds, NULL);
	assert_int_equal(getrandom(&s->random, sizeof(s->random), 0), sizeof(s->random));
	if (seed != NULL) {
		s->random = (unsigned)strtoul(seed, NULL, 10);
	}
	print_message("# AYE_SOAK_SEED=%u\n", s->random);
	(void)format_to(s->limits, NET_PATH_BYTES, "%.40s/limits", s->server->dir);
	(void)format_to(s->clock, NET_PATH_BYTES, "%.40s/clock", s->server->dir);
	(void)format_to(s->backup, NET_PATH_BYTES, "%.40s/backup", s->server->dir);
	for (int i = 0; i < WAYS; i++) {
		char *path = s->relays[i].path;
		(void)format_to(path, NET_PATH_BYTES, "%.40s/way%d", s->server->dir, i);
		(void)format_to(s->ways[i], NET_PATH_BYTES, "%s",
				i == 0 ? s->server->socket : path);
	}
	for (size_t i = 0; i < SLOW_READERS; i++) {
		s->slow[i] = -1;
	}
	course_init(&s->course);
	write_limits(s, 60);
	lay_certificate(s);
	lay_clock(s);
	server_starts(s);
	s->begin_ns = machine_now_ns();
	s->crowd = crowd_create(s->server, s->random);
	crowd_slow_down(s->crowd, PAUSE_MS);
	for (int i = 1; i < WAYS; i++) {
		crowd_add_party(s->crowd, s->ways[i]);
	}
	crowd_until_served(s->crowd, NET_PATIENCE_MS);
}

static void write_file(const struct course *c, const char *name,
		       void (*write_it)(const struct course *c, struct buf *out))
{
	const char *dir = getenv("AYE_SOAK_OUT");
	char path[512];
	struct buf text;
	if (dir == NULL) {
		return;
	}
	buf_init(&text, OUT_BYTES_MAX);
	write_it(c, &text);
	assert_int_equal(text.error, OK);
	(void)format_to(path, sizeof(path), "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text.data, 1, text.len, f), text.len);
	assert_int_equal(fclose(f), 0);
	buf_finish(&text);
}

static void soak_judge(const struct soak *s)
{
	struct course_judgement j;
	write_file(&s->course, "course.json", course_write_json);
	write_file(&s->course, "course.svg", course_write_svg);
	course_judge(&s->course, &j);
	print_message("# %lu changes acknowledged, in %u lives of the server, through %zu events\n",
		      crowd_made(s->crowd), s->lives, s->course.events_n);
	print_message("# memory: %s (%.0f, then %.0f kB)\n", course_verdict_text(j.memory),
		      j.memory_kb[0], j.memory_kb[1]);
	print_message("# descriptors: %s (at least %.0f, then %.0f)\n",
		      course_verdict_text(j.descriptors), j.least_descriptors[0],
		      j.least_descriptors[1]);
	print_message("# disk: %s (%.0f, then %.0f bytes for a change that is kept)\n",
		      course_verdict_text(j.disk), j.bytes_a_change[0], j.bytes_a_change[1]);
	assert_true(j.memory != COURSE_GREW);
	assert_true(j.descriptors != COURSE_GREW);
	assert_true(j.disk != COURSE_GREW);
}

static void soak_end(struct soak *s)
{
	server_ends(s, SIGTERM);
	if (s->server->store[0] == '\0') {
		int status = -1;
		(void)waitpid(begin_ayed("check", s->server->data, NULL), &status, 0);
		assert_int_equal(status, 0);
	}
	crowd_destroy(s->crowd);
	course_finish(&s->course);
	(void)munmap(s->clock_at, sizeof(*s->clock_wrong_s));
}

static int soak_given(void **state)
{
	const char *store = getenv("AYE_SOAK_STORE");
	bool is_redis = store != NULL && strcmp(store, "redis") == 0;
	return is_redis ? net_given_redis(state) : net_given_unix(state);
}

/* promise: killed */
TEST_IN(a_server_stays_as_it_is_and_keeps_what_it_acknowledged, struct net_server, server,
	soak_given, net_gone)
{
	struct soak *s = &(struct soak){.server = server};
	soak_lay(s);
	soak_go_on(s);
	crowd_must_stay(s->crowd, false);
	crowd_until_answered(s->crowd);
	crowd_check(s->crowd);
	server_ends(s, SIGTERM); /* what it has in memory goes with it */
	server_starts(s);
	crowd_until_answered(s->crowd);
	crowd_check(s->crowd);
	soak_judge(s);
	soak_end(s);
}
