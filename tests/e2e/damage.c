/*
 * damage.c - a real server on data files that are damaged in many ways.
 *
 * Whatever was done to the file, the server does not die by a signal, and each
 * room is whole or refused with UNAVAILABLE: never there in part, and never
 * written to when it is refused. What is asked of the directory (questions, answers, points,
 * subscriptions, groups, containers, items, invitations) is answered as it was, refused
 * with UNAVAILABLE, or a page says that something could not be read. A server may refuse to start, with a sentence.
 *
 * File n of a run is damaged as AYE_DAMAGE_SEED + n says; AYE_DAMAGE_FILES is
 * how many there are. As many processes as there are processors share them.
 */
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/keys/signature.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define FILES	      60
#define ROOMS	      8
#define MEMBERS	      12
#define STORIES	      40
#define ENTRIES	      8
#define PAGE	      4096
#define SECTOR	      512
#define WORKERS_MAX   16
#define CONTENT_BYTES (512 * 1024)

#define USERS	   2
#define QUESTIONS  12
#define ITEMS	   40
#define PROBES_MAX 40

enum outcome { WHOLE, REFUSED, NOT_STARTED, ANSWERED, PARTIAL, UNANSWERED, OUTCOMES };

struct room {
	char room_id[32];
	char host_key[64];
	char *content; /* as room.get has it, without what differs from start to start */
};

/* What a user asks, and the answer. */
struct probe {
	unsigned user;
	const char *method;
	char params[256];
	char *answer;
};

struct damage {
	struct room rooms[ROOMS];
	char tokens[USERS][64];
	struct probe probes[PROBES_MAX];
	size_t probes_n;
	unsigned char *data; /* the file as it was left */
	unsigned char
		*old; /* the same somewhat earlier, for pages whose writing was lost in part */
	size_t data_len;
	size_t old_len;
	unsigned char key[32];
	uint64_t random;
};

static const char *const kinds[] = {"flipped bits",
				    "flipped bits in one page's head",
				    "zeroed sectors",
				    "a zeroed page",
				    "a file cut short",
				    "two pages in each other's places",
				    "a page in another's place",
				    "a page torn",
				    "sectors of noise"};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const char *const args[] = {"--reserve", "1M", "--map-size", "64M", NULL};

static unsigned draw(struct damage *d, size_t below)
{
	d->random ^= d->random << 13;
	d->random ^= d->random >> 7;
	d->random ^= d->random << 17;
	return (unsigned)((d->random >> 33) % below);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

/* ---- the data as they should be ---- */

static const char *must(struct net_peer *p, const char *method, const char *room_id,
			const char *format, ...) __attribute__((format(printf, 4, 5)));
static const char *must(struct net_peer *p, const char *method, const char *room_id,
			const char *format, ...)
{
	static char json[16384];
	va_list list;
	int len = snprintf(json, sizeof(json), "{\"room_id\":\"%s\"", room_id);
	va_start(list, format);
	len += vsnprintf(json + len, sizeof(json) - (size_t)len, format, list);
	va_end(list);
	(void)snprintf(json + len, sizeof(json) - (size_t)len, "}");
	return net_must(p, method, json);
}

static void make_room(struct net_server *s, struct room *room, unsigned number)
{
	struct net_peer host, member;
	char text[8192], json[64];
	net_peer_open(&host, net_connect(s));
	net_hello(&host);
	(void)snprintf(json, sizeof(json), "{\"title\":\"room %u\"}", number);
	const char *made = net_must(&host, "room.create", json);
	net_field(made, "room_id", room->room_id, sizeof(room->room_id));
	net_field(made, "host_key", room->host_key, sizeof(room->host_key));
	must(&host, "room.subscribe", room->room_id, "%s", "");
	must(&host, "room.join", room->room_id, ",\"username\":\"host\"");
	for (unsigned i = 0; i < MEMBERS; i++) {
		net_peer_open(&member, net_connect(s));
		net_hello(&member);
		must(&member, "room.subscribe", room->room_id, "%s", "");
		must(&member, "room.join", room->room_id, ",\"username\":\"member %u\"", i);
		must(&member, "room.vote", room->room_id, ",\"vote\":\"5\",\"comment\":\"n%u\"", i);
		net_peer_close(&member);
	}
	must(&host, "room.set_revealed", room->room_id, ",\"is_revealed\":true,\"host_key\":\"%s\"",
	     room->host_key);
	for (unsigned i = 0; i < STORIES; i++) {
		memset(text, 'a' + (int)(i % 26), sizeof(text));
		text[100 + 17 * i] = '\0';
		must(&host, "story.add", room->room_id,
		     ",\"title\":\"story %u\",\"description\":\"%s\"", i, text);
	}
	must(&host, "map.create", room->room_id, ",\"name\":\"m\"");
	must(&host, "list.create", room->room_id, ",\"name\":\"l\"");
	for (unsigned i = 0; i < ENTRIES; i++) {
		memset(text, 'A' + (int)i, sizeof(text));
		text[50 + 900 * i] = '\0'; /* some on pages of their own */
		must(&host, "map.set", room->room_id,
		     ",\"name\":\"m\",\"key\":\"k%u\",\"value\":\"%s\"", i, text);
		must(&host, "list.push", room->room_id, ",\"name\":\"l\",\"value\":\"entry %u\"",
		     i);
	}
	net_peer_close(&host);
}

/* ---- the directory ---- */

/* A user with a key, logged in. */
static void log_in(struct net_server *s, struct net_peer *p, const char *name, char token[64])
{
	unsigned char public[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES];
	unsigned char signature[crypto_sign_BYTES];
	char nonce[64], text[LOGIN_TEXT_BYTES_MAX], json[512], key64[64], signature64[128];
	net_peer_open(p, net_connect(s));
	net_field(net_must(p, "session.hello", "{\"protocol\":1,\"client\":\"test\"}"), "nonce",
		  nonce, sizeof(nonce));
	assert_int_equal(crypto_sign_keypair(public, secret), 0);
	size_t len = login_text(slice_str(name), slice_str(nonce), text);
	(void)crypto_sign_detached(signature, NULL, (const unsigned char *)text, len, secret);
	const int form = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
	(void)sodium_bin2base64(key64, sizeof(key64), public, sizeof(public), form);
	(void)sodium_bin2base64(signature64, sizeof(signature64), signature, sizeof(signature),
				form);
	(void)snprintf(json, sizeof(json),
		       "{\"user_name\":\"%s\",\"public_key\":\"%s\",\"signature\":\"%s\"}", name,
		       key64, signature64);
	net_field(net_must(p, "session.login", json), "token", token, 64);
}

static void probe(struct damage *d, unsigned user, const char *method, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static void probe(struct damage *d, unsigned user, const char *method, const char *format, ...)
{
	va_list list;
	assert_true(d->probes_n < PROBES_MAX);
	struct probe *p = &d->probes[d->probes_n++];
	p->user = user;
	p->method = method;
	va_start(list, format);
	(void)vsnprintf(p->params, sizeof(p->params), format, list);
	va_end(list);
}

static const char *asks(struct net_peer *p, const char *method, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static const char *asks(struct net_peer *p, const char *method, const char *format, ...)
{
	char json[512];
	va_list list;
	va_start(list, format);
	(void)vsnprintf(json, sizeof(json), format, list);
	va_end(list);
	return net_must(p, method, json);
}

static void make_questions(struct damage *d, struct net_peer *ada, struct net_peer *bob)
{
	char id[64];
	asks(bob, "subscription.create", "{\"channel\":\"live\"}");
	asks(bob, "subscription.create", "{\"channel\":\"live\",\"min_interval_minutes\":30}");
	for (unsigned i = 0; i < QUESTIONS; i++) {
		net_field(asks(ada, "question.ask",
			       "{\"prompt\":\"What is the name of number "
			       "%u?\",\"type\":\"text\",\"min_"
			       "responses\":5}",
			       i),
			  "question_id", id, sizeof(id));
		if (i % 3 == 0) {
			asks(bob, "question.answer",
			     "{\"question_id\":\"%s\",\"answer\":\"answer %u\",\"confidence\":3}",
			     id, i);
		}
		if (i % 4 < 2) {
			probe(d, 0, "question.get", "{\"question_id\":\"%s\"}", id);
		}
	}
	probe(d, 0, "question.mine", "{\"limit\":50}");
	probe(d, 1, "question.list", "{\"limit\":50}");
	probe(d, 1, "answer.mine", "{\"limit\":50}");
	probe(d, 1, "stats.get", "{}");
	probe(d, 1, "leaderboard.get", "{\"period\":\"all_time\"}");
	probe(d, 1, "subscription.list", "{}");
}

static void make_teams(struct damage *d, struct net_peer *ada, struct net_peer *bob)
{
	char group[64], container[64], code[64];
	for (unsigned i = 0; i < 3; i++) {
		net_field(asks(ada, "group.create", "{\"group_name\":\"team %u\"}", i), "group_id",
			  group, sizeof(group));
		net_field(asks(ada, "invitation.create", "{\"group_id\":\"%s\",\"uses\":5}", group),
			  "code", code, sizeof(code));
		asks(bob, "group.join", "{\"code\":\"%s\"}", code);
		for (unsigned n = 0; n < 3; n++) {
			net_field(asks(ada, "container.create",
				       "{\"group_id\":\"%s\",\"container_name\":\"list %u\"}",
				       group, n),
				  "container_id", container, sizeof(container));
		}
		for (unsigned n = 0; n < ITEMS; n++) {
			asks(ada, "item.add",
			     "{\"container_id\":\"%s\",\"name\":\"item %u\",\"expiry\":%lld}",
			     container, n, 4102444800000LL + n);
		}
		probe(d, 1, "item.list", "{\"container_id\":\"%s\"}", container);
		probe(d, 1, "item.expiring", "{\"group_id\":\"%s\",\"before\":4200000000000}",
		      group);
		probe(d, 0, "container.list", "{\"group_id\":\"%s\"}", group);
		probe(d, 0, "group.users", "{\"group_id\":\"%s\"}", group);
		probe(d, 0, "group.get", "{\"group_id\":\"%s\"}", group);
		probe(d, 0, "invitation.list", "{\"group_id\":\"%s\"}", group);
	}
	probe(d, 0, "group.list", "{}");
	probe(d, 1, "group.list", "{}");
	probe(d, 1, "container.list", "{}");
	probe(d, 1, "user.get", "{}");
}

static void make_directory(struct damage *d, struct net_server *s)
{
	struct net_peer peers[USERS];
	log_in(s, &peers[0], "ada", d->tokens[0]);
	log_in(s, &peers[1], "bob", d->tokens[1]);
	make_questions(d, &peers[0], &peers[1]);
	make_teams(d, &peers[0], &peers[1]);
	for (unsigned i = 0; i < USERS; i++) {
		net_peer_close(&peers[i]);
	}
}

/* False where the session cannot be read, as nobody else may be taken for its user. */
static bool come_back(const struct damage *d, struct net_server *s, unsigned user,
		      struct net_peer *p)
{
	char json[128];
	net_peer_open(p, net_connect(s));
	net_hello(p);
	(void)snprintf(json, sizeof(json), "{\"token\":\"%s\"}", d->tokens[user]);
	const char *answer = net_call(p, "session.resume", json);
	assert_non_null(answer);
	bool is_back = strstr(answer, ",null,{") != NULL;
	if (!is_back && strstr(answer, "\"UNAVAILABLE\"") == NULL) {
		fail_msg("a session: %s", answer);
	}
	return is_back;
}

/* Its answer without the number of the message; valid until the next call. */
static const char *ask_probe(struct net_peer *p, const struct probe *probe)
{
	const char *answer = net_call(p, probe->method, probe->params);
	assert_non_null(answer);
	return strchr(strchr(answer, ',') + 1, ',');
}

static void learn_directory(struct damage *d, struct net_server *s)
{
	struct net_peer p;
	for (unsigned user = 0; user < USERS; user++) {
		assert_true(come_back(d, s, user, &p));
		for (size_t i = 0; i < d->probes_n; i++) {
			struct probe *probe = &d->probes[i];
			if (probe->user == user) {
				probe->answer = strdup(ask_probe(&p, probe));
				assert_non_null(probe->answer);
				if (strstr(probe->answer, ",null,{") == NULL ||
				    strstr(probe->answer, "unreadable") != NULL) {
					fail_msg("%s: %s", probe->method, probe->answer);
				}
			}
		}
		net_peer_close(&p);
	}
}

/* Where to look at two answers; a message about both of them whole would be cut off before it. */
static size_t first_difference(const char *a, const char *b)
{
	size_t i = 0;
	while (a[i] != '\0' && a[i] == b[i]) {
		i++;
	}
	return i < 40 ? 0 : i - 40;
}

static void visit_directory(const struct damage *d, struct net_server *s, unsigned counts[OUTCOMES])
{
	struct net_peer p;
	for (unsigned user = 0; user < USERS; user++) {
		bool is_back = come_back(d, s, user, &p);
		for (size_t i = 0; i < d->probes_n && is_back; i++) {
			const struct probe *probe = &d->probes[i];
			if (probe->user != user) {
				continue;
			}
			const char *answer = ask_probe(&p, probe);
			bool is_whole = strcmp(answer, probe->answer) == 0;
			bool is_partial = strstr(answer, "\"unreadable\":true") != NULL;
			bool is_refused = strstr(answer, "\"UNAVAILABLE\"") != NULL;
			if (!is_whole && !is_partial && !is_refused) {
				size_t same = first_difference(answer, probe->answer);
				fail_msg("%s %s, from byte %zu on:\n%.300s\n%.300s", probe->method,
					 probe->params, same, answer + same, probe->answer + same);
			}
			counts[is_whole ? ANSWERED : is_partial ? PARTIAL : UNANSWERED]++;
		}
		net_peer_close(&p);
	}
}

/* Leave out the number or string behind "name":. */
static void blank(char *json, const char *name)
{
	char quoted[64];
	(void)snprintf(quoted, sizeof(quoted), "\"%s\":", name);
	char *at = strstr(json, quoted);
	if (at == NULL) {
		return;
	}
	char *from = at + strlen(quoted);
	size_t len = *from == '"' ? 1 + strcspn(from + 1, "\"") + 1 : strcspn(from, ",}");
	memmove(from, from + len, strlen(from + len) + 1);
}

/* The room as room.get has it; NULL where it is UNAVAILABLE. */
static char *look(struct net_peer *p, const struct room *room)
{
	char json[64];
	(void)snprintf(json, sizeof(json), "{\"room_id\":\"%s\"}", room->room_id);
	const char *answer = net_call(p, "room.get", json);
	assert_non_null(answer);
	if (strstr(answer, ",null,{") == NULL) {
		if (strstr(answer, "\"UNAVAILABLE\"") == NULL) {
			fail_msg("room %s: %s", room->room_id, answer);
		}
		return NULL;
	}
	char *content = strdup(strstr(answer, ",null,{"));
	assert_non_null(content);
	blank(content, "epoch");
	blank(content, "since");
	blank(content, "version");
	blank(content, "title"); /* the room's comes first */
	return content;
}

static bool write_to(struct net_peer *p, const struct room *room)
{
	char json[256];
	(void)snprintf(json, sizeof(json),
		       "{\"room_id\":\"%s\",\"title\":\"written\",\"host_key\":\"%s\"}",
		       room->room_id, room->host_key);
	const char *answer = net_call(p, "room.set_title", json);
	assert_non_null(answer);
	if (strstr(answer, ",null,{") != NULL) {
		return true;
	}
	if (strstr(answer, "\"UNAVAILABLE\"") == NULL) {
		fail_msg("room %s: %s", room->room_id, answer);
	}
	return false;
}

static unsigned char *read_file(const char *dir, const char *name, size_t *len)
{
	char path[256];
	struct stat st;
	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	unsigned char *bytes = malloc((size_t)st.st_size);
	assert_non_null(bytes);
	assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
	(void)close(fd);
	*len = (size_t)st.st_size;
	return bytes;
}

static void write_file(const char *dir, const char *name, const void *bytes, size_t len)
{
	char path[256];
	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	assert_int_equal(close(fd), 0);
}

/* What lies behind the last page in use is space taken ahead: no damage would be seen there. */
static size_t used(const unsigned char *data, size_t len)
{
	while (len >= PAGE && data[len - PAGE] == 0 &&
	       memcmp(data + len - PAGE, data + len - PAGE + 1, PAGE - 1) == 0) {
		len -= PAGE;
	}
	return len;
}

static void make_data(struct damage *d)
{
	struct net_server s;
	struct net_peer p;
	size_t key_len;
	net_dir(&s);
	net_start(&s, args);
	for (unsigned i = 0; i < ROOMS; i++) {
		make_room(&s, &d->rooms[i], i);
		if (i == ROOMS - 2) {
			make_directory(d, &s);
			d->old = read_file(s.data, "data.mdb", &d->old_len);
		}
	}
	assert_int_equal(net_end(&s, SIGTERM), 0);
	d->data = read_file(s.data, "data.mdb", &d->data_len);
	d->data_len = used(d->data, d->data_len);
	unsigned char *key = read_file(s.data, "server.key", &key_len);
	assert_int_equal(key_len, sizeof(d->key));
	memcpy(d->key, key, sizeof(d->key));
	free(key);
	net_start(&s, args);
	net_peer_open(&p, net_connect(&s));
	net_hello(&p);
	for (unsigned i = 0; i < ROOMS; i++) {
		d->rooms[i].content = look(&p, &d->rooms[i]);
		assert_non_null(d->rooms[i].content);
		assert_non_null(strstr(d->rooms[i].content, "story 39"));
	}
	net_peer_close(&p);
	learn_directory(d, &s);
	assert_int_equal(net_end(&s, SIGTERM), 0);
	net_remove(&s);
}

/* ---- damage ---- */

static void flip(struct damage *d, unsigned char *data, size_t from, size_t len)
{
	size_t at = from + draw(d, len);
	data[at] = (unsigned char)(data[at] ^ 1U << draw(d, 8));
}

/* Some of a page's sectors are of another page, or of this one as it was. */
static void tear(struct damage *d, unsigned char *data, size_t pages)
{
	size_t page = draw(d, pages), cut = SECTOR * (1 + draw(d, PAGE / SECTOR - 1));
	bool is_old = draw(d, 2) == 0 && (page + 1) * PAGE <= d->old_len;
	const unsigned char *from =
		is_old ? d->old + page * PAGE : d->data + (size_t)draw(d, pages) * PAGE;
	if (draw(d, 2) == 0) {
		memcpy(data + page * PAGE, from, cut);
	} else {
		memcpy(data + page * PAGE + cut, from + cut, PAGE - cut);
	}
}

static void harm(struct damage *d, unsigned kind, unsigned char *data, size_t *len)
{
	size_t pages = *len / PAGE, a = draw(d, pages), b = draw(d, pages);
	switch (kind) {
	case 0:
		for (unsigned n = 1 + draw(d, 8); n > 0; n--) {
			flip(d, data, 0, *len);
		}
		return;
	case 1:
		for (unsigned n = 1 + draw(d, 3); n > 0; n--) {
			flip(d, data, a * PAGE, 64);
		}
		return;
	case 2:
		for (unsigned n = 1 + draw(d, 4); n > 0; n--) {
			memset(data + (size_t)draw(d, *len / SECTOR) * SECTOR, 0, SECTOR);
		}
		return;
	case 3:
		memset(data + a * PAGE, 0, PAGE);
		return;
	case 4:
		*len = 1 + draw(d, *len - 1);
		return;
	case 5:
		memcpy(data + a * PAGE, d->data + b * PAGE, PAGE);
		memcpy(data + b * PAGE, d->data + a * PAGE, PAGE);
		return;
	case 6:
		memcpy(data + a * PAGE, d->data + b * PAGE, PAGE);
		return;
	case 7:
		tear(d, data, pages);
		return;
	default:
		for (unsigned i = 0; i < SECTOR; i++) {
			data[(a * PAGE) + (b % 8) * SECTOR + i] = (unsigned char)draw(d, 256);
		}
		return;
	}
}

/* ---- one file ---- */

/* False where the server refused to start, as it may: with a sentence, and not by a signal. */
static bool start(struct net_server *s)
{
	char listen_at[NET_PATH_BYTES + 8], line[NET_LINE_BYTES], last[NET_LINE_BYTES] = "";
	const char *words[] = {"--listen", listen_at, args[0], args[1], args[2], args[3], NULL};
	(void)snprintf(listen_at, sizeof(listen_at), "unix:%s", s->socket);
	net_spawn(s, words);
	if (net_line(s->out, s->ready)) {
		return true;
	}
	while (net_line(s->err, line)) {
		memcpy(last, line, sizeof(last));
	}
	assert_int_equal(net_wait(s), 1);
	if (strncmp(last, "ayed: ", 6) != 0) {
		fail_msg("no sentence: %s", last);
	}
	return false;
}

/* Ask for each room, and write to it. What is refused stays so; what was whole stays so. */
static void visit(const struct damage *d, struct net_server *s, bool was_whole[ROOMS],
		  bool is_first)
{
	struct net_peer p;
	net_peer_open(&p, net_connect(s));
	net_hello(&p);
	for (unsigned i = 0; i < ROOMS; i++) {
		char *content = look(&p, &d->rooms[i]);
		if (content != NULL && strcmp(content, d->rooms[i].content) != 0) {
			size_t same = first_difference(content, d->rooms[i].content);
			fail_msg("room %u is there in part, from byte %zu on:\n%.300s\n%.300s", i,
				 same, content + same, d->rooms[i].content + same);
		}
		bool is_whole = content != NULL;
		free(content);
		assert_true(is_first || is_whole == was_whole[i]);
		was_whole[i] = is_whole;
		assert_int_equal(write_to(&p, &d->rooms[i]), is_whole);
	}
	net_peer_close(&p);
}

static void try_file(struct damage *d, uint64_t seed, unsigned counts[OUTCOMES])
{
	struct net_server s;
	bool was_whole[ROOMS];
	size_t len = d->data_len;
	unsigned char *data = malloc(len);
	assert_non_null(data);
	memcpy(data, d->data, len);
	d->random = seed * 0x9E3779B97F4A7C15U | 1;
	(void)draw(d, 2);
	harm(d, (unsigned)(seed % KINDS), data, &len);
	net_dir(&s);
	assert_int_equal(mkdir(s.data, 0700), 0);
	write_file(s.data, "data.mdb", data, len);
	write_file(s.data, "server.key", d->key, sizeof(d->key));
	if (draw(d, 2) == 0) {
		write_file(s.data, "in-use", "", 0);
	}
	free(data);
	if (!start(&s)) {
		counts[NOT_STARTED]++;
		net_remove(&s);
		return;
	}
	visit(d, &s, was_whole, true);
	visit_directory(d, &s, counts);
	assert_int_equal(net_end(&s, SIGKILL), 1000 + SIGKILL);
	assert_true(start(&s));
	visit(d, &s, was_whole, false);
	assert_int_equal(net_end(&s, SIGTERM), 0);
	net_remove(&s);
	for (unsigned i = 0; i < ROOMS; i++) {
		counts[was_whole[i] ? WHOLE : REFUSED]++;
	}
}

static char at_hand[128];

/* A failed assertion ends the process in its own way. */
static void tell_at_hand(void)
{
	(void)fputs(at_hand, stderr);
}

static _Noreturn void work(struct damage *d, unsigned worker, unsigned workers, int fd)
{
	unsigned counts[OUTCOMES] = {0};
	uint64_t seed = setting("AYE_DAMAGE_SEED", 1);
	uint64_t files = setting("AYE_DAMAGE_FILES", FILES);
	(void)atexit(tell_at_hand);
	for (uint64_t i = worker; i < files; i += workers) {
		(void)snprintf(at_hand, sizeof(at_hand),
			       "# AYE_DAMAGE_SEED=%llu AYE_DAMAGE_FILES=1 (%s)\n",
			       (unsigned long long)(seed + i), kinds[(seed + i) % KINDS]);
		try_file(d, seed + i, counts);
	}
	_exit(write(fd, counts, sizeof(counts)) == (ssize_t)sizeof(counts) ? 0 : 1);
}

/* promise: damaged-rooms */
TEST(what_damaged_files_have_is_whole_or_refused_or_marked)
{
	static struct damage d;
	unsigned total[OUTCOMES] = {0}, ended = 0;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned workers = processors < 1	      ? 1
			   : processors > WORKERS_MAX ? WORKERS_MAX
						      : (unsigned)processors;
	int ends[WORKERS_MAX];
	make_data(&d);
	for (unsigned i = 0; i < workers; i++) {
		int pair[2];
		assert_int_equal(pipe(pair), 0);
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			(void)close(pair[0]);
			work(&d, i, workers, pair[1]);
		}
		(void)close(pair[1]);
		ends[i] = pair[0];
	}
	for (unsigned i = 0; i < workers; i++) {
		unsigned counts[OUTCOMES];
		bool has_ended = read(ends[i], counts, sizeof(counts)) == (ssize_t)sizeof(counts);
		(void)close(ends[i]);
		ended += has_ended;
		for (unsigned k = 0; k < OUTCOMES && has_ended; k++) {
			total[k] += counts[k];
		}
	}
	while (wait(NULL) > 0) {
	}
	print_message("# %u rooms whole, %u refused, %u files not served at all\n", total[WHOLE],
		      total[REFUSED], total[NOT_STARTED]);
	print_message("# of the directory %u answers whole, %u pages that say what is missing, %u "
		      "refused\n",
		      total[ANSWERED], total[PARTIAL], total[UNANSWERED]);
	assert_int_equal(ended, workers);
	assert_true(total[WHOLE] > 0 && total[REFUSED] > 0);
	assert_true(total[ANSWERED] > 0 && total[UNANSWERED] > 0);
	for (unsigned i = 0; i < ROOMS; i++) {
		free(d.rooms[i].content);
	}
	for (size_t i = 0; i < d.probes_n; i++) {
		free(d.probes[i].answer);
	}
	free(d.data);
	free(d.old);
}
