/*
 * powercut.c - a real server, and what is left of its files when the power goes.
 *
 * What ayed does to its files while people work is recorded (disk_story.h). From that log the files are
 * made as they may be after a power cut at any instant: what was synced, and any part of the rest. In each
 * such state
 *
 *   - the data are those of one moment that there was: nothing is there in part,
 *   - not before the last change that had been acknowledged,
 *   - whole, which every moment is: each number stands for as many items as there are,
 *   - and open without damage, and take changes.
 *
 * A disk that lies is caught, or this would prove nothing. Some states are served by a real ayed.
 *
 * State n of a run is AYE_POWERCUT_SEED + n's; AYE_POWERCUT_STATES is how many there are. Where
 * AYE_POWERCUT_LOG names a log that a failed run has kept, that is replayed.
 */
#include <dirent.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/disk_replay.h"
#include "tests/support/disk_story.h"
#include "tests/support/net_kit.h"
#include "tests/support/table_state.h"
#include "tests/support/test.h"

#define STATES	      2000
#define STATES_OF_LIE 400 /* in so many, a disk that lies is caught */
#define SERVED	      4	  /* states that a real ayed serves */
#define WORKERS_MAX   16
#define WANTS_MAX     1024
#define MOMENTS_MAX   2048
#define META_BYTES    8192 /* the first two pages: nothing changes before one of them is written */
#define NEVER	      SIZE_MAX

/* ---- the recording ---- */

/* What a request must have done. A later one on the same subject may have done more. */
struct want {
	uint32_t msgid;
	char subject[STORY_ID_BYTES];
	char needle[160]; /* part of a line of a dump */
	size_t first;	  /* moment that has it, or NEVER */
	bool is_acked;
};

struct moment {
	size_t event; /* from which on it may be what is on the disk */
	struct table_state table;
};

struct recording {
	char root[NET_PATH_BYTES], log[STORY_LOG_BYTES], images[64];
	struct want wants[WANTS_MAX];
	size_t wants_n;
	struct moment moments[MOMENTS_MAX];
	size_t moments_n;
	/* At each event: the earliest moment that may be left, or NEVER where none need be; how many there are; and whether a backup and what was restored of it have to be there. */
	size_t *least, *most;
	bool *is_backed_up, *is_restored;
	size_t events_n;
	char token[64]; /* of ada's session */
	char room_id[32], host_key[64];
	uint64_t seed;
	uint64_t states;
	bool is_ready;
};

static struct recording rec;
static bool is_worker; /* a process that tries states: what fails in it ends it */

static void remove_tree(const char *path)
{
	struct dirent *entry;
	DIR *all = opendir(path);
	while (all != NULL && (entry = readdir(all)) != NULL) {
		char below[512];
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			(void)snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
			if (unlink(below) != 0) {
				remove_tree(below);
			}
		}
	}
	if (all != NULL) {
		(void)closedir(all);
	}
	(void)rmdir(path);
}

/* ---- what there was, moment by moment ---- */

static void take_note(const struct disk_event *e, const char *first)
{
	const char *second = first + strlen(first) + 1;
	struct {
		const char *name;
		char *out;
		size_t cap;
	} facts[] = {{"root", rec.root, sizeof(rec.root)},
		     {"token", rec.token, sizeof(rec.token)},
		     {"room", rec.room_id, sizeof(rec.room_id)},
		     {"host", rec.host_key, sizeof(rec.host_key)}};
	if (e->mark == 0) {
		for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
			if (strcmp(facts[i].name, first) == 0) {
				(void)snprintf(facts[i].out, facts[i].cap, "%s", second);
			}
		}
		return;
	}
	assert_true(rec.wants_n < WANTS_MAX);
	struct want *w = &rec.wants[rec.wants_n++];
	*w = (struct want){.msgid = (uint32_t)e->mark, .first = NEVER};
	(void)snprintf(w->subject, sizeof(w->subject), "%s", first);
	(void)snprintf(w->needle, sizeof(w->needle), "%s", second);
}

/* [1, msgid, nil, ...: the requests that these bytes acknowledge. */
static void take_acks(const unsigned char *bytes, size_t len, void (*ack)(struct want *w))
{
	for (size_t i = 0; i + 6 <= len; i++) {
		unsigned msgid = (unsigned)bytes[i + 3] << 8 | bytes[i + 4];
		bool is_answer = bytes[i] == 0x94 && bytes[i + 1] == 1 && bytes[i + 2] == 0xcd &&
				 bytes[i + 5] == 0xc0;
		for (size_t k = 0; k < rec.wants_n && is_answer; k++) {
			if (rec.wants[k].msgid == msgid) {
				ack(&rec.wants[k]);
			}
		}
	}
}

static void add_moment(const struct disk *d, size_t event)
{
	char image[128], data[NET_PATH_BYTES + 8];
	uint64_t random = 1;
	struct errmsg why;
	struct table_state table;
	(void)snprintf(image, sizeof(image), "%s/moment", rec.images);
	(void)snprintf(data, sizeof(data), "%s/data", rec.root);
	assert_true(disk_leave(d, DISK_ALL, &random, "data", image));
	/* Before the first commit there is no table. */
	if (!table_state_read(image, true, &table, &why)) {
		assert_int_equal(rec.moments_n, 0);
		table_state_finish(&table);
	} else if (rec.moments_n > 0 && memcmp(rec.moments[rec.moments_n - 1].table.hash,
					       table.hash, sizeof(table.hash)) == 0) {
		table_state_finish(&table);
	} else {
		if (!table_state_agrees(&table, &why)) {
			fail_msg("after %zu commits: %s", rec.moments_n, why.text);
		}
		assert_true(rec.moments_n < MOMENTS_MAX);
		rec.moments[rec.moments_n++] = (struct moment){event, table};
	}
	remove_tree(image);
}

/* Whether other data may be there behind the event: a root was written, or the file got its name. */
static bool is_change(const struct disk *d, const struct disk_event *e, const unsigned char *bytes,
		      const char *data)
{
	const char *path = (const char *)bytes;
	bool has_new_name = e->kind == DISK_LINK || e->kind == DISK_RENAME;
	return (e->kind == DISK_WRITE && e->at < META_BYTES && disk_is(d, e->file, data)) ||
	       (has_new_name && strcmp(path + strlen(path) + 1, data) == 0);
}

/* The first moment that shows it, or one that came later on the same subject. */
static void find_first(struct want *w)
{
	for (size_t m = 0; m < rec.moments_n; m++) {
		for (struct want *later = w; later < rec.wants + rec.wants_n; later++) {
			if (strcmp(later->subject, w->subject) == 0 &&
			    strstr(rec.moments[m].table.text.data, later->needle) != NULL) {
				w->first = m;
				return;
			}
		}
	}
}

static size_t event_now, least_now;

static void ack(struct want *w)
{
	if (w->first == NEVER || rec.moments[w->first].event > event_now) {
		fail_msg("%s (%s) was acknowledged, and not written", w->subject, w->needle);
	}
	if (least_now == NEVER || least_now < w->first) {
		least_now = w->first;
	}
	w->is_acked = true;
}

static void look_at_log(void)
{
	struct disk d;
	const struct disk_event *e;
	const unsigned char *bytes;
	char data[NET_PATH_BYTES + 16];
	/* The root comes first in the log. */
	disk_open(&d, rec.log, "");
	while ((e = disk_next(&d, &bytes)) != NULL && rec.root[0] == '\0') {
		take_note(e, (const char *)bytes);
	}
	disk_close(&d);
	(void)snprintf(data, sizeof(data), "%s/data/data.mdb", rec.root);
	rec.wants_n = 0;
	disk_open(&d, rec.log, rec.root);
	for (rec.events_n = 0; (e = disk_next(&d, &bytes)) != NULL; rec.events_n++) {
		if (e->kind == DISK_NOTE) {
			take_note(e, (const char *)bytes);
		} else if (is_change(&d, e, bytes, data)) {
			add_moment(&d, rec.events_n);
		}
	}
	disk_close(&d);
	for (size_t i = 0; i < rec.wants_n; i++) {
		find_first(&rec.wants[i]);
	}
	rec.least = calloc(rec.events_n, sizeof(*rec.least));
	rec.most = calloc(rec.events_n, sizeof(*rec.most));
	rec.is_backed_up = calloc(rec.events_n, sizeof(bool));
	rec.is_restored = calloc(rec.events_n, sizeof(bool));
	assert_true(rec.least != NULL && rec.most != NULL && rec.is_backed_up != NULL &&
		    rec.is_restored != NULL);
	disk_open(&d, rec.log, rec.root);
	bool is_backed_up = false, is_restored = false;
	least_now = NEVER;
	for (size_t i = 0, m = 0; (e = disk_next(&d, &bytes)) != NULL; i++) {
		event_now = i;
		while (m < rec.moments_n && rec.moments[m].event <= i) {
			m++;
		}
		if (e->kind == DISK_SENT) {
			take_acks(bytes, e->len, ack);
		} else if (e->kind == DISK_NOTE && e->mark == 0) {
			is_backed_up = is_backed_up || strcmp((const char *)bytes, "backup") == 0;
			is_restored = is_restored || strcmp((const char *)bytes, "restore") == 0;
		}
		rec.least[i] = least_now;
		rec.most[i] = m;
		rec.is_backed_up[i] = is_backed_up;
		rec.is_restored[i] = is_restored;
	}
	disk_close(&d);
}

/* ---- a state ---- */

struct state {
	uint64_t number;
	size_t event;
};

static uint64_t state_random(uint64_t number)
{
	uint64_t random = number * 0x9E3779B97F4A7C15U | 1;
	(void)disk_draw(&random, 2);
	return random;
}

static bool exists(const char *directory, const char *name)
{
	char path[256];
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	return access(path, F_OK) == 0;
}

/* Data that are there are of one moment, from least on, and can be served. False with *why set. */
static bool is_sound(const char *image, size_t least, size_t most, struct errmsg *why)
{
	struct table_state table;
	size_t m = least == NEVER ? 0 : least;
	if (!exists(image, "data.mdb")) {
		errmsg_set(why, "there are no data");
		return least == NEVER;
	}
	if (!exists(image, "server.key")) {
		errmsg_set(why, "there are data, and no key");
		return false;
	}
	if (!table_state_read(image, false, &table, why)) {
		table_state_finish(&table);
		return false;
	}
	while (m < most && memcmp(rec.moments[m].table.hash, table.hash, sizeof(table.hash)) != 0) {
		m++;
	}
	table_state_finish(&table);
	if (m == most) {
		errmsg_set(why, "the data are of no moment from %zd on, before %zu", (ssize_t)least,
			   most);
		return false;
	}
	return table_state_serves(image, why);
}

static bool try_state(const struct disk *d, const struct state *s, const char *image,
		      struct errmsg *why)
{
	const struct {
		const char *name;
		bool must_be;
		size_t least;
	} places[] = {{"data", rec.least[s->event] != NEVER, rec.least[s->event]},
		      {"backup", rec.is_backed_up[s->event], 0},
		      {"restored", rec.is_restored[s->event], 0}};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		/* A finished backup stays as it is: not every state need read it again. */
		if (i > 0 && places[i].must_be && s->number % 16 != 0) {
			continue;
		}
		uint64_t random = state_random(s->number);
		enum disk_rest rest = (enum disk_rest)disk_draw(&random, DISK_RESTS);
		bool is_there = disk_leave(d, rest, &random, places[i].name, image);
		bool is_good =
			is_there ? is_sound(image, places[i].must_be ? places[i].least : NEVER,
					    rec.most[s->event], why)
				 : !places[i].must_be;
		if (!is_there && !is_good) {
			errmsg_set(why, "it is not there");
		}
		remove_tree(image);
		if (!is_good) {
			errmsg_prefix(why, places[i].name);
			return false;
		}
	}
	return true;
}

static int by_event(const void *a, const void *b)
{
	const struct state *one = a, *other = b;
	return (one->event > other->event) - (one->event < other->event);
}

/* How the disk lies in a run; the first does not. */
enum lie { HONEST, LOSES_BYTES, LOSES_NAMES };

/* In a process of its own: some states kill whoever reads them. */
static _Noreturn void work(enum lie lie, uint64_t states, unsigned worker, unsigned workers)
{
	char image[128];
	struct disk d;
	struct errmsg why = {""};
	const unsigned char *bytes;
	size_t n = 0;
	is_worker = true;
	(void)signal(SIGSEGV, SIG_DFL);
	(void)signal(SIGBUS, SIG_DFL);
	struct state *all = calloc(states / workers + 1, sizeof(*all));
	(void)snprintf(image, sizeof(image), "%s/%u", rec.images, worker);
	remove_tree(image); /* of a run before that died in it */
	disk_open(&d, rec.log, rec.root);
	for (uint64_t i = worker; i < states; i += workers) {
		uint64_t random = state_random(~(rec.seed + i));
		all[n++] = (struct state){rec.seed + i, disk_draw(&random, rec.events_n)};
	}
	qsort(all, n, sizeof(*all), by_event);
	d.loses_bytes = lie == LOSES_BYTES;
	d.loses_names = lie == LOSES_NAMES;
	for (size_t i = 0, event = 0; i < n && disk_next(&d, &bytes) != NULL; event++) {
		for (; i < n && all[i].event == event; i++) {
			if (!try_state(&d, &all[i], image, &why)) {
				if (lie == HONEST) {
					print_message(
						"# AYE_POWERCUT_LOG=%s AYE_POWERCUT_SEED=%llu "
						"AYE_POWERCUT_STATES=1, event %zu: %s\n",
						rec.log, (unsigned long long)all[i].number, event,
						why.text);
				}
				_exit(1);
			}
		}
	}
	_exit(0);
}

/* How many of the processes found a state that must not be. */
static unsigned try_states(enum lie lie, uint64_t states)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned workers = processors < 1	      ? 1
			   : processors > WORKERS_MAX ? WORKERS_MAX
						      : (unsigned)processors;
	unsigned failed = 0;
	for (unsigned i = 0; i < workers; i++) {
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			work(lie, states, i, workers);
		}
	}
	for (int status; wait(&status) > 0;) {
		failed += status != 0;
	}
	return failed;
}

/* ---- tests ---- */

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text == NULL || text[0] == '\0' ? otherwise : strtoull(text, NULL, 10);
}

static void given_recording(void)
{
	const char *log = getenv("AYE_POWERCUT_LOG");
	uint64_t random = 0;
	if (is_worker) {
		_exit(1);
	}
	if (rec.images[0] != '\0') {
		assert_true(rec.is_ready);
		return;
	}
	assert_int_equal(getrandom(&random, sizeof(random), 0), sizeof(random));
	rec.seed = setting("AYE_POWERCUT_SEED", random >> 24);
	rec.states = setting("AYE_POWERCUT_STATES", STATES);
	(void)snprintf(rec.images, sizeof(rec.images), "%s/aye-powercut-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(rec.images));
	if (log == NULL) {
		disk_story_record(rec.root, rec.log);
		remove_tree(rec.root);
	} else {
		(void)snprintf(rec.log, sizeof(rec.log), "%s", log);
	}
	rec.root[0] = '\0';
	look_at_log();
	size_t acked = 0;
	for (size_t i = 0; i < rec.wants_n; i++) {
		acked += rec.wants[i].is_acked;
	}
	assert_true(acked >= rec.wants_n - 1); /* but that which was under way at the kill */
	print_message("# %zu events, %zu moments, %zu of %zu changes acknowledged; "
		      "AYE_POWERCUT_SEED=%llu\n",
		      rec.events_n, rec.moments_n, acked, rec.wants_n,
		      (unsigned long long)rec.seed);
	rec.is_ready = true;
}

/* promise: power-cut */
TEST(a_power_cut_leaves_all_that_was_acknowledged_and_nothing_in_part)
{
	given_recording();
	assert_int_equal(try_states(HONEST, rec.states), 0);
}

TEST(a_disk_that_does_not_sync_bytes_is_caught)
{
	given_recording();
	assert_true(try_states(LOSES_BYTES, STATES_OF_LIE) > 0);
}

TEST(a_disk_that_does_not_sync_names_is_caught)
{
	given_recording();
	assert_true(try_states(LOSES_NAMES, STATES_OF_LIE) > 0);
}

/* ---- served ---- */

/* What the story's estimate is still to be written to: false where there is none. */
static bool find_unsaved(const struct table_state *t, char container[STORY_ID_BYTES],
			 char item[STORY_ID_BYTES], char estimate[STORY_ID_BYTES])
{
	const char *at = strstr(t->text.data, "\"sk\":\"UNSAVED#");
	if (at == NULL) {
		return false;
	}
	net_field(at, "container_id", container, STORY_ID_BYTES);
	net_field(at, "item_id", item, STORY_ID_BYTES);
	net_field(at, "estimate", estimate, STORY_ID_BYTES);
	return true;
}

/* Until the item has it: each change of the container is told. */
static void wait_for_quantity(struct net_peer *p, const char *container, const char *item,
			      const char *quantity)
{
	char json[160], wanted[STORY_ID_BYTES + 16];
	(void)snprintf(json, sizeof(json), "{\"container_id\":\"%s\"}", container);
	(void)snprintf(wanted, sizeof(wanted), "\"quantity\":\"%s\"", quantity);
	(void)net_must(p, "container.watch", json);
	for (;;) {
		const char *at = strstr(net_must(p, "item.list", json), item);
		assert_non_null(at);
		const char *end = strchr(at, '}'), *found = strstr(at, wanted);
		if (found != NULL && found < end) {
			return;
		}
		const char *line;
		do {
			line = net_message(p);
			assert_non_null(line);
		} while (strstr(line, "\"container.update\"") == NULL);
	}
}

/* A server starts on it; who was in is in, the room can be written, and a settlement that had not come to its item does. */
static void serve(const struct disk *d, size_t event)
{
	struct net_server s;
	struct net_peer p;
	uint64_t random = state_random(event);
	char json[256], container[STORY_ID_BYTES], item[STORY_ID_BYTES], estimate[STORY_ID_BYTES];
	struct table_state table;
	struct errmsg why;
	net_dir(&s);
	assert_true(disk_leave(d, DISK_SUBSET, &random, "data", s.data));
	assert_true(table_state_read(s.data, true, &table, &why));
	net_start(&s, disk_story_args);
	net_peer_open(&p, net_connect(&s));
	net_hello(&p);
	(void)snprintf(json, sizeof(json), "{\"token\":\"%s\"}", rec.token);
	(void)net_must(&p, "session.resume", json);
	(void)snprintf(json, sizeof(json),
		       "{\"room_id\":\"%s\",\"host_key\":\"%s\",\"title\":\"After the cut\"}",
		       rec.room_id, rec.host_key);
	(void)net_must(&p, "room.set_title", json);
	(void)net_must(&p, "question.mine", "{}");
	(void)net_must(&p, "container.list", "{}");
	if (find_unsaved(&table, container, item, estimate)) {
		wait_for_quantity(&p, container, item, estimate);
	}
	table_state_finish(&table);
	net_peer_close(&p);
	assert_int_equal(net_end(&s, SIGTERM), 0);
	remove_tree(s.dir);
}

/* As many where a settlement was on its way as where none was, if there are. */
static void choose_events(size_t chosen[SERVED])
{
	uint64_t random = state_random(rec.seed);
	size_t from = 0;
	for (size_t i = 0; i < rec.moments_n; i++) {
		if (strstr(rec.moments[i].table.text.data, rec.room_id) != NULL) {
			from = i;
			break;
		}
	}
	for (size_t k = 0; k < SERVED; k++) {
		const char *text;
		size_t event;
		do {
			event = disk_draw(&random, rec.events_n);
			text = rec.least[event] == NEVER
				       ? ""
				       : rec.moments[rec.least[event]].table.text.data;
		} while (rec.least[event] == NEVER || rec.least[event] <= from ||
			 (k % 2 == 0) != (strstr(text, "\"sk\":\"UNSAVED#") != NULL));
		chosen[k] = event;
	}
}

TEST(what_a_power_cut_left_is_served_and_settlements_come_to_their_items)
{
	size_t chosen[SERVED], event = 0;
	struct disk d;
	const unsigned char *bytes;
	given_recording();
	choose_events(chosen);
	disk_open(&d, rec.log, rec.root);
	while (disk_next(&d, &bytes) != NULL) {
		for (size_t k = 0; k < SERVED; k++) {
			if (chosen[k] == event) {
				serve(&d, event);
			}
		}
		event++;
	}
	disk_close(&d);
}

/* A failed run keeps its log. */
int main(void)
{
	if (sodium_init() < 0) {
		return 1;
	}
	int failed = test_run(NULL, NULL);
	if (is_worker) {
		_exit(1);
	}
	for (size_t i = 0; i < rec.moments_n; i++) {
		table_state_finish(&rec.moments[i].table);
	}
	free(rec.least);
	free(rec.most);
	free(rec.is_backed_up);
	free(rec.is_restored);
	if (rec.images[0] != '\0') {
		remove_tree(rec.images);
	}
	if (failed == 0 && rec.log[0] != '\0' && getenv("AYE_POWERCUT_LOG") == NULL) {
		(void)unlink(rec.log);
	}
	return failed;
}
