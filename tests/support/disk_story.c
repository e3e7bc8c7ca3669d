/*
 * disk_story.c - who does what while the disk is recorded.
 */
#include "tests/support/disk_story.h"

#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/keys/signature.h"
#include "tests/support/disk_log.h"
#include "tests/support/test.h"

#define FIRST_MSGID 1000 /* from here on each is three bytes on the wire */
#define ITEMS	    12
#define QUESTIONS   6

const char *const disk_story_args[] = {"--reserve", "256K", "--map-size", "64M", NULL};

/* ---- people ---- */

struct person {
	struct net_peer peer;
	const char *name;
	char user_id[STORY_ID_BYTES], token[64];
	uint32_t waits[64]; /* for answers to these */
	size_t waits_n;
};

struct story {
	struct net_server server;
	const char *log;
	struct person people[3]; /* ada, bob, cy */
	uint32_t msgid;
	char group[STORY_ID_BYTES], container[STORY_ID_BYTES], pantry[STORY_ID_BYTES];
	char room_id[32], host_key[64];
	char items[ITEMS][STORY_ID_BYTES];
	char questions[QUESTIONS][STORY_ID_BYTES];
	unsigned rounds;
};

/* ---- the recording ---- */

/* msgid 0: a fact, under a name; else a want. */
static void note(const struct story *s, uint32_t msgid, const char *first, const char *second)
{
	struct disk_event e = {.kind = DISK_NOTE, .mark = msgid};
	char text[256];
	int len = snprintf(text, sizeof(text), "%s%c%s", first, 0, second) + 1;
	assert_true(len > 0 && (size_t)len < sizeof(text));
	e.len = (uint32_t)len;
	int fd = open(s->log, O_WRONLY | O_APPEND | O_CLOEXEC);
	const struct iovec parts[] = {{&e, sizeof(e)}, {text, (size_t)len}};
	assert_true(fd >= 0);
	assert_int_equal(writev(fd, parts, 2), (ssize_t)sizeof(e) + len);
	(void)close(fd);
}

static void preload(const struct story *s, bool is_on)
{
	char library[512];
	const char *ayed = getenv("AYED");
	const char *name =
		ayed == NULL ? NULL : strrchr(ayed, '/'); /* beside it is all that is built */
	if (!is_on) {
		(void)unsetenv("LD_PRELOAD");
		return;
	}
	(void)snprintf(library, sizeof(library), "%.*s/tests/support/disk_record.so",
		       name == NULL ? 11 : (int)(name - ayed), name == NULL ? "build/debug" : ayed);
	assert_int_equal(access(library, R_OK), 0);
	(void)setenv(DISK_LOG_VARIABLE, s->log, 1);
	(void)setenv("LD_PRELOAD", library, 1);
}

/* ---- what each of them sends and hears ---- */

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
		note(s, s->msgid, subject, needle);
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
		net_field(at, "item_id", s->items[i], STORY_ID_BYTES);
		at++;
	}
}

static void open_a_room(struct story *s)
{
	struct person *ada = &s->people[0];
	send_it(s, ada, "room", "\"title\":\"Sprint 42\"", "room.create",
		"'group_id':'%s','title':'Sprint 42'", s->group);
	const char *made = hear(ada);
	net_field(made, "room_id", s->room_id, sizeof(s->room_id));
	net_field(made, "host_key", s->host_key, sizeof(s->host_key));
	note(s, 0, "room", s->room_id);
	note(s, 0, "host", s->host_key);
}

static void sit_down(struct story *s)
{
	for (size_t i = 0; i < 3; i++) {
		struct person *p = &s->people[i];
		send_it(s, p, "", NULL, "room.subscribe", "'room_id':'%s'", s->room_id);
		(void)hear(p);
		send_it(s, p, "", NULL, "room.join", "'room_id':'%s','username':'%s'", s->room_id,
			p->name);
	}
	hear_all(s);
}

/* A story of an item, votes that change, a reveal, and a settlement that goes back to the item. */
static void vote_on(struct story *s, unsigned number)
{
	static const char *const cards[] = {"5", "8", "3", "13"};
	struct person *ada = &s->people[0];
	char needle[160], subject[STORY_ID_BYTES], story[STORY_ID_BYTES];
	unsigned round = ++s->rounds;
	(void)snprintf(needle, sizeof(needle), "\"title\":\"item %u\"", number);
	send_it(s, ada, needle, needle, "story.add",
		"'room_id':'%s','container_id':'%s','item_id':'%s'", s->room_id, s->container,
		s->items[number]);
	net_field(hear(ada), "story_id", story, sizeof(story));
	send_it(s, ada, "", NULL, "story.select", "'room_id':'%s','story_id':'%s'", s->room_id,
		story);
	hear_all(s);
	for (unsigned k = 0; k < 3; k++) {
		for (size_t i = 0; i < 3; i++) {
			struct person *p = &s->people[i];
			(void)snprintf(subject, sizeof(subject), "seat %s", p->name);
			(void)snprintf(needle, sizeof(needle), "comment\":\"%s %u %u\"", p->name,
				       round, k);
			send_it(s, p, subject, needle, "room.vote",
				"'room_id':'%s','vote':'%s','comment':'%s %u %u'", s->room_id,
				cards[(k + i) % 4], p->name, round, k);
		}
	}
	hear_all(s);
	(void)snprintf(needle, sizeof(needle), "\"pk\":\"ROOM:%s\",\"sk\":\"ROUND#%010u\"",
		       s->room_id, round);
	send_it(s, ada, needle, needle, "room.set_revealed",
		"'room_id':'%s','is_revealed':true,'host_key':'%s'", s->room_id, s->host_key);
	hear_all(s);
	(void)snprintf(needle, sizeof(needle), "\"sk\":\"UNSAVED#%s\"", story);
	send_it(s, ada, needle, needle, "round.settle", "'room_id':'%s','estimate':'%s'",
		s->room_id, cards[number % 4]);
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
		net_field(hear(ada), "question_id", s->questions[i], STORY_ID_BYTES);
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
	char needle[160], subject[STORY_ID_BYTES];
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
	note(s, 0, what, to);
}

static void all_come(struct story *s)
{
	net_start(&s->server, disk_story_args);
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

void disk_story_record(char root[NET_PATH_BYTES], char log[STORY_LOG_BYTES])
{
	static struct story s = {.people = {{.name = "ada"}, {.name = "bob"}, {.name = "cy"}},
				 .msgid = FIRST_MSGID};
	net_dir(&s.server);
	(void)snprintf(root, NET_PATH_BYTES, "%s", s.server.dir);
	(void)snprintf(log, STORY_LOG_BYTES, "%s.log", s.server.dir);
	s.log = log;
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
	note(&s, 0, "root", root);
	preload(&s, true);
	all_come(&s);
	note(&s, 0, "token", s.people[0].token);
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
	preload(&s, false);
}
