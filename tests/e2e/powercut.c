/*
 * powercut.c - a real server, and what is left of its files when the power goes.
 *
 * A library that is preloaded into ayed writes down what it does to its files while people vote, settle,
 * ask, answer and keep a backlog, while it is killed once, backed up and restored. From that log the
 * files are made as they may be after a power cut at any instant: what was synced, and any part of the
 * rest. In each such state
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
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/keys/signature.h"
#include "tests/support/disk_replay.h"
#include "tests/support/net_kit.h"
#include "tests/support/table_state.h"
#include "tests/support/test.h"

#define STATES	      2000
#define STATES_OF_LIE 400 /* in so many, a disk that lies is caught */
#define SERVED	      4	  /* states that a real ayed serves */
#define WORKERS_MAX   16
#define WANTS_MAX     1024
#define MOMENTS_MAX   2048
#define FIRST_MSGID   1000 /* from here on each is three bytes on the wire */
#define ITEMS	      12
#define STORIES	      4
#define QUESTIONS     6
#define ID_BYTES      64
#define META_BYTES    8192 /* the first two pages: nothing changes before one of them is written */
#define NEVER	      SIZE_MAX

static const char *const args[] = {"--reserve", "256K", "--map-size", "64M", NULL};

/* ---- the recording ---- */

/* What a request must have done. A later one on the same subject may have done more. */
struct want {
	uint32_t msgid;
	char subject[ID_BYTES];
	char needle[160]; /* part of a line of a dump */
	size_t first;	  /* moment that has it, or NEVER */
	bool is_acked;
};

struct moment {
	size_t event; /* from which on it may be what is on the disk */
	struct table_state table;
};

struct recording {
	char root[NET_PATH_BYTES], log[NET_PATH_BYTES + 8], images[64];
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

/* msgid 0: a fact, under a name; else a want. */
static void note(uint32_t msgid, const char *first, const char *second)
{
	struct disk_event e = {.kind = DISK_NOTE, .mark = msgid};
	char text[256];
	int len = snprintf(text, sizeof(text), "%s%c%s", first, 0, second) + 1;
	assert_true(len > 0 && (size_t)len < sizeof(text));
	e.len = (uint32_t)len;
	int fd = open(rec.log, O_WRONLY | O_APPEND | O_CLOEXEC);
	const struct iovec parts[] = {{&e, sizeof(e)}, {text, (size_t)len}};
	assert_true(fd >= 0);
	assert_int_equal(writev(fd, parts, 2), (ssize_t)sizeof(e) + len);
	(void)close(fd);
}

static void preload(bool is_on)
{
	char library[512], options[512];
	const char *ayed = getenv("AYED"), *asan = getenv("ASAN_OPTIONS");
	const char *name =
		ayed == NULL ? NULL : strrchr(ayed, '/'); /* beside it is all that is built */
	if (!is_on) {
		(void)unsetenv("LD_PRELOAD");
		return;
	}
	(void)snprintf(library, sizeof(library), "%.*s/tests/support/disk_record.so",
		       name == NULL ? 11 : (int)(name - ayed), name == NULL ? "build/debug" : ayed);
	assert_int_equal(access(library, R_OK), 0);
	(void)snprintf(options, sizeof(options), "%s:verify_asan_link_order=0",
		       asan == NULL ? "" : asan);
	(void)setenv("ASAN_OPTIONS", options, 1);
	(void)setenv(DISK_LOG_VARIABLE, rec.log, 1);
	(void)setenv("LD_PRELOAD", library, 1);
}

/* ---- people ---- */

struct person {
	struct net_peer peer;
	const char *name;
	char user_id[ID_BYTES], token[64];
	uint32_t waits[64]; /* for answers to these */
	size_t waits_n;
};

struct story {
	struct net_server server;
	struct person people[3]; /* ada, bob, cy */
	uint32_t msgid;
	char group[ID_BYTES], container[ID_BYTES], pantry[ID_BYTES];
	char items[ITEMS][ID_BYTES];
	char questions[QUESTIONS][ID_BYTES];
	unsigned rounds;
};

static void send_it(struct story *s, struct person *p, const char *subject, const char *needle,
		    const char *method, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
static void send_it(struct story *s, struct person *p, const char *subject, const char *needle,
		    const char *method, const char *format, ...)
{
	char json[1024] = "{";
	va_list list;
	va_start(list, format);
	int len = vsnprintf(json + 1, sizeof(json) - 2, format, list);
	va_end(list);
	(void)snprintf(json + 1 + len, sizeof(json) - 1 - (size_t)len, "}");
	for (char *c = json; *c != '\0'; c++) {
		*c = *c == '\'' ? '"' : *c;
	}
	p->peer.msgid = ++s->msgid - 1; /* one more is what is sent */
	if (needle != NULL) {
		note(s->msgid, subject, needle);
	}
	assert_true(p->waits_n < sizeof(p->waits) / sizeof(p->waits[0]));
	p->waits[p->waits_n++] = net_request(&p->peer, method, json);
}

/* The next answer to one of those; it must be good. */
static const char *hear(struct person *p)
{
	for (;;) {
		unsigned msgid;
		const char *line = net_message(&p->peer);
		assert_non_null(line);
		if (sscanf(line, "[1,%u,", &msgid) != 1 || strncmp(line, "[1,", 3) != 0) {
			continue;
		}
		if (strncmp(strchr(line + 3, ','), ",null,", 6) != 0) {
			fail_msg("%s: %s", p->name, line);
		}
		for (size_t i = 0; i < p->waits_n; i++) {
			if (p->waits[i] == msgid) {
				p->waits[i] = p->waits[--p->waits_n];
				return line;
			}
		}
	}
}

static void hear_all(struct story *s)
{
	for (size_t i = 0; i < 3; i++) {
		while (s->people[i].waits_n > 0) {
			(void)hear(&s->people[i]);
		}
	}
}

static void come_in(struct story *s, struct person *p)
{
	net_peer_open(&p->peer, net_connect(&s->server));
	const char *answer =
		net_must(&p->peer, "session.hello", "{\"protocol\":1,\"client\":\"powercut\"}");
	if (p->token[0] != '\0') {
		send_it(s, p, "", NULL, "session.resume", "'token':'%s'", p->token);
		(void)hear(p);
		return;
	}
	unsigned char seed[crypto_sign_SEEDBYTES], key[crypto_sign_PUBLICKEYBYTES],
		secret[crypto_sign_SECRETKEYBYTES], signature[crypto_sign_BYTES];
	char nonce[64], text[LOGIN_TEXT_BYTES_MAX], key_text[64], signature_text[128], needle[64];
	net_field(answer, "nonce", nonce, sizeof(nonce));
	memset(seed, p->name[0], sizeof(seed));
	(void)crypto_sign_seed_keypair(key, secret, seed);
	size_t len = login_text(slice_str(p->name), slice_str(nonce), text);
	(void)crypto_sign_detached(signature, NULL, (const unsigned char *)text, len, secret);
	(void)sodium_bin2base64(key_text, sizeof(key_text), key, sizeof(key),
				sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	(void)sodium_bin2base64(signature_text, sizeof(signature_text), signature,
				sizeof(signature), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	(void)snprintf(needle, sizeof(needle), "\"user_name\":\"%s\",\"name_key\"", p->name);
	send_it(s, p, p->name, needle, "session.login",
		"'user_name':'%s','public_key':'%s','signature':'%s'", p->name, key_text,
		signature_text);
	answer = hear(p);
	net_field(answer, "token", p->token, sizeof(p->token));
	net_field(answer, "user_id", p->user_id, sizeof(p->user_id));
}

/* ---- what they do ---- */

static void make_a_team(struct story *s)
{
	struct person *ada = &s->people[0];
	char code[128], needle[160];
	send_it(s, ada, "group", "\"group_name\":\"Payments\"", "group.create",
		"'group_name':'Payments','container_name':'Backlog'");
	const char *made = hear(ada);
	net_field(made, "group_id", s->group, sizeof(s->group));
	net_field(made, "container_id", s->container, sizeof(s->container));
	send_it(s, ada, "invitation", "\"sk\":\"INVITATION#", "invitation.create",
		"'group_id':'%s'", s->group);
	net_field(hear(ada), "code", code, sizeof(code));
	for (size_t i = 1; i < 3; i++) {
		(void)snprintf(needle, sizeof(needle), "\"pk\":\"USER:%s\",\"sk\":\"GROUP#%s\"",
			       s->people[i].user_id, s->group);
		send_it(s, &s->people[i], s->people[i].user_id, needle, "group.join", "'code':'%s'",
			code);
	}
	hear_all(s);
	send_it(s, ada, "pantry", "\"container_name\":\"Pantry\"", "container.create",
		"'group_id':'%s','container_name':'Pantry'", s->group);
	net_field(hear(ada), "container_id", s->pantry, sizeof(s->pantry));
	for (int i = 0; i < ITEMS; i++) {
		(void)snprintf(needle, sizeof(needle), "\"name\":\"item %d\"", i);
		send_it(s, ada, needle, needle, "item.add",
			"'container_id':'%s','name':'item %d','unit':'points','note':'%0*d'",
			s->container, i, i % 4 == 3 ? 900 : 40, i);
	}
	hear_all(s);
	send_it(s, ada, "", NULL, "item.list", "'container_id':'%s'", s->container);
	const char *at = hear(ada);
	for (size_t i = 0; i < ITEMS; i++) {
		at = strstr(at, "\"item_id\":");
		assert_non_null(at);
		net_field(at, "item_id", s->items[i], ID_BYTES);
		at++;
	}
}

static void open_a_room(struct story *s)
{
	struct person *ada = &s->people[0];
	send_it(s, ada, "room", "\"title\":\"Sprint 42\"", "room.create",
		"'group_id':'%s','title':'Sprint 42'", s->group);
	const char *made = hear(ada);
	net_field(made, "room_id", rec.room_id, sizeof(rec.room_id));
	net_field(made, "host_key", rec.host_key, sizeof(rec.host_key));
	note(0, "room", rec.room_id);
	note(0, "host", rec.host_key);
}

static void sit_down(struct story *s)
{
	for (size_t i = 0; i < 3; i++) {
		struct person *p = &s->people[i];
		send_it(s, p, "", NULL, "room.subscribe", "'room_id':'%s'", rec.room_id);
		(void)hear(p);
		send_it(s, p, "", NULL, "room.join", "'room_id':'%s','username':'%s'", rec.room_id,
			p->name);
	}
	hear_all(s);
}

/* A story of an item, votes that change, a reveal, and a settlement that goes back to the item. */
static void vote_on(struct story *s, unsigned number)
{
	static const char *const cards[] = {"5", "8", "3", "13"};
	struct person *ada = &s->people[0];
	char needle[160], subject[ID_BYTES], story[ID_BYTES];
	unsigned round = ++s->rounds;
	(void)snprintf(needle, sizeof(needle), "\"title\":\"item %u\"", number);
	send_it(s, ada, needle, needle, "story.add",
		"'room_id':'%s','container_id':'%s','item_id':'%s'", rec.room_id, s->container,
		s->items[number]);
	net_field(hear(ada), "story_id", story, sizeof(story));
	send_it(s, ada, "", NULL, "story.select", "'room_id':'%s','story_id':'%s'", rec.room_id,
		story);
	hear_all(s);
	for (unsigned k = 0; k < 3; k++) {
		for (size_t i = 0; i < 3; i++) {
			struct person *p = &s->people[i];
			(void)snprintf(subject, sizeof(subject), "seat %s", p->name);
			(void)snprintf(needle, sizeof(needle), "comment\":\"%s %u %u\"", p->name,
				       round, k);
			send_it(s, p, subject, needle, "room.vote",
				"'room_id':'%s','vote':'%s','comment':'%s %u %u'", rec.room_id,
				cards[(k + i) % 4], p->name, round, k);
		}
	}
	hear_all(s);
	(void)snprintf(needle, sizeof(needle), "\"pk\":\"ROOM:%s\",\"sk\":\"ROUND#%010u\"",
		       rec.room_id, round);
	send_it(s, ada, needle, needle, "room.set_revealed",
		"'room_id':'%s','is_revealed':true,'host_key':'%s'", rec.room_id, rec.host_key);
	hear_all(s);
	(void)snprintf(needle, sizeof(needle), "\"sk\":\"UNSAVED#%s\"", story);
	send_it(s, ada, needle, needle, "round.settle", "'room_id':'%s','estimate':'%s'",
		rec.room_id, cards[number % 4]);
	hear_all(s);
}

static void ask(struct story *s)
{
	struct person *ada = &s->people[0];
	char needle[160];
	for (int i = 0; i < QUESTIONS; i++) {
		(void)snprintf(needle, sizeof(needle), "\"prompt\":\"Shall we ship part %d?\"", i);
		send_it(s, ada, needle, needle, "question.ask",
			"'prompt':'Shall we ship part "
			"%d?','type':'multiple_choice','options':['yes','no'],"
			"'min_responses':%d",
			i, 1 + i % 2);
		net_field(hear(ada), "question_id", s->questions[i], ID_BYTES);
	}
}

static void answer(struct story *s, int from, int to)
{
	char needle[160];
	for (int i = from; i < to; i++) {
		for (int k = 1; k < 2 + i % 2; k++) {
			struct person *p = &s->people[k];
			(void)snprintf(needle, sizeof(needle), "\"comment\":\"%s on %d\"", p->name,
				       i);
			send_it(s, p, needle, needle, "question.answer",
				"'question_id':'%s','selected_option':0,'comment':'%s on %d'",
				s->questions[i], p->name, i);
			(void)hear(p);
		}
	}
}

/* One item counts up by ada, others get notes by bob; one goes to the pantry, one goes. */
static void keep_the_backlog(struct story *s, int from)
{
	struct person *ada = &s->people[0], *bob = &s->people[1];
	char needle[160], subject[ID_BYTES];
	send_it(s, ada, "", NULL, "item.update",
		"'container_id':'%s','item_id':'%s','quantity':'%d'", s->container, s->items[11],
		1000 + from * 100);
	(void)hear(ada);
	for (int i = 1; i <= 6; i++) {
		(void)snprintf(needle, sizeof(needle), "\"quantity\":%d,",
			       100 * (1000 + from * 100 + i));
		send_it(s, ada, "item 11 counts", needle, "item.adjust",
			"'container_id':'%s','item_id':'%s','by':'1'", s->container, s->items[11]);
		(void)snprintf(needle, sizeof(needle), "\"note\":\"note %d\"", from + i);
		(void)snprintf(subject, sizeof(subject), "item %d", 6 + i % 3);
		send_it(s, bob, subject, needle, "item.update",
			"'container_id':'%s','item_id':'%s','note':'note %d'", s->container,
			s->items[6 + i % 3], from + i);
		(void)hear(ada); /* two at a time: they are of one container */
		(void)hear(bob);
	}
	send_it(s, bob, "", NULL, "item.move",
		"'container_id':'%s','item_id':'%s','to_container_id':'%s'", s->container,
		s->items[4 + from % 2], s->pantry);
	hear_all(s);
	send_it(s, ada, "", NULL, "item.remove", "'container_id':'%s','item_id':'%s'", s->container,
		s->items[9 + from % 2]);
	hear_all(s);
}

static void admin(const struct story *s, const char *what, const char *from, const char *to)
{
	char paths[2][NET_PATH_BYTES + 16];
	int status = -1;
	(void)snprintf(paths[0], sizeof(paths[0]), "%s/%s", s->server.dir, from);
	(void)snprintf(paths[1], sizeof(paths[1]), "%s/%s", s->server.dir, to);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		(void)dup2(null, STDOUT_FILENO);
		(void)execl(getenv("AYED"), "ayed", what, paths[0], paths[1], (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	note(0, what, to);
}

static void all_come(struct story *s)
{
	net_start(&s->server, args);
	for (size_t i = 0; i < 3; i++) {
		come_in(s, &s->people[i]);
	}
}

static void all_go(struct story *s)
{
	for (size_t i = 0; i < 3; i++) {
		net_peer_close(&s->people[i].peer);
		s->people[i].waits_n = 0;
	}
}

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

static void record_it(void)
{
	static struct story s = {.people = {{.name = "ada"}, {.name = "bob"}, {.name = "cy"}},
				 .msgid = FIRST_MSGID};
	net_dir(&s.server);
	(void)snprintf(rec.root, sizeof(rec.root), "%s", s.server.dir);
	(void)snprintf(rec.log, sizeof(rec.log), "%s.log", s.server.dir);
	int fd = open(rec.log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
	note(0, "root", rec.root);
	preload(true);
	all_come(&s);
	note(0, "token", s.people[0].token);
	make_a_team(&s);
	open_a_room(&s);
	sit_down(&s);
	vote_on(&s, 0);
	ask(&s);
	keep_the_backlog(&s, 10);
	answer(&s, 0, QUESTIONS / 2);
	admin(&s, "backup", "data", "backup");
	vote_on(&s, 1);
	/* What was under way at the end may be there or not. */
	send_it(&s, &s.people[1], "last", "\"name\":\"a last item\"", "item.add",
		"'container_id':'%s','name':'a last item'", s.pantry);
	assert_int_equal(net_end(&s.server, SIGKILL), 1000 + SIGKILL);
	all_go(&s);
	all_come(&s);
	sit_down(&s);
	answer(&s, QUESTIONS / 2, QUESTIONS);
	vote_on(&s, 2);
	keep_the_backlog(&s, 21);
	vote_on(&s, 3);
	all_go(&s);
	assert_int_equal(net_end(&s.server, SIGTERM), 0);
	admin(&s, "restore", "backup", "restored");
	preload(false);
	remove_tree(s.server.dir);
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
		record_it();
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
static bool find_unsaved(const struct table_state *t, char container[ID_BYTES], char item[ID_BYTES],
			 char estimate[ID_BYTES])
{
	const char *at = strstr(t->text.data, "\"sk\":\"UNSAVED#");
	if (at == NULL) {
		return false;
	}
	net_field(at, "container_id", container, ID_BYTES);
	net_field(at, "item_id", item, ID_BYTES);
	net_field(at, "estimate", estimate, ID_BYTES);
	return true;
}

/* Until the item has it: each change of the container is told. */
static void wait_for_quantity(struct net_peer *p, const char *container, const char *item,
			      const char *quantity)
{
	char json[160], wanted[ID_BYTES + 16];
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
	char json[256], container[ID_BYTES], item[ID_BYTES], estimate[ID_BYTES];
	struct table_state table;
	struct errmsg why;
	net_dir(&s);
	assert_true(disk_leave(d, DISK_SUBSET, &random, "data", s.data));
	assert_true(table_state_read(s.data, true, &table, &why));
	net_start(&s, args);
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
