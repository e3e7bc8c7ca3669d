/*
 * scripted.c - see scripted.h.
 */
#include "tests/support/scripted.h"

#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/keys/key_hash.h"

#define SCRIPTED_BYTES (4u << 20)

/* ---- records ---- */

static struct slice scripted_text(struct scripted *s, const struct field *f)
{
	if ((f->flags & FIELD_CODE) != 0) {
		return SLICE("K7QX3M");
	}
	char *text = arena_alloc(&s->arena, (size_t)f->min + 1);
	assert_non_null(text);
	memset(text, f->min == KEY_CHARS ? 'A' : '1', (size_t)f->min);
	return slice_of(text, (size_t)f->min);
}

static void scripted_least_value(struct scripted *s, const struct field *f, void *member)
{
	static struct slice cards[] = {{"1", 1}, {"2", 1}};
	switch (f->kind) {
	case FIELD_BOOL:
	case FIELD_NUM:
		return;
	case FIELD_INT:
		*(int64_t *)member = f->min;
		return;
	case FIELD_STR:
	case FIELD_TEXT:
		if ((f->flags & FIELD_NIL) == 0) {
			*(struct slice *)member = scripted_text(s, f);
		}
		return;
	case FIELD_ENUM:
		*(int *)member = (int)f->min;
		return;
	case FIELD_STRS:
		assert_true(f->min <= 2);
		*(struct slices *)member = (struct slices){cards, (size_t)f->min};
		return;
	case FIELD_REC:
		scripted_least(s, f->of, member);
		return;
	case FIELD_RECS:
		assert_int_equal(f->min, 0);
		return;
	case FIELD_ANY:
		*(struct slice *)member = SLICE("\x80");
		return;
	}
}

void scripted_least(struct scripted *s, const struct record *rec, void *out)
{
	memset(out, 0, rec->size);
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		char *member = (char *)out + f->offset;
		if ((f->flags & FIELD_REQ) != 0) {
			*(bool *)(member + f->size) = true;
			scripted_least_value(s, f, member);
		}
	}
}

struct slice scripted_bytes(struct scripted *s, const struct record *rec, const void *value)
{
	struct buf bytes;
	bool ok = true;
	buf_init(&bytes, SCRIPTED_BYTES);
	record_write(rec, value, &bytes);
	assert_int_equal(bytes.error, OK);
	struct slice copy = arena_copy(&s->arena, buf_slice(&bytes), &ok);
	assert_true(ok);
	buf_finish(&bytes);
	return copy;
}

static struct slice scripted_least_bytes(struct scripted *s, const struct record *rec)
{
	void *value = arena_alloc(&s->arena, rec->size);
	assert_non_null(value);
	scripted_least(s, rec, value);
	return scripted_bytes(s, rec, value);
}

/* ---- answers ---- */

/* What cannot be sent any more was for a client that has gone, which is its right. */
static void scripted_send(struct scripted_peer *p, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = send(p->fd, data, len, MSG_NOSIGNAL);
		if (n <= 0) {
			return;
		}
		data += n;
		len -= (size_t)n;
	}
}

static void scripted_hang_up(struct scripted_peer *p)
{
	(void)close(p->fd);
	buf_finish(&p->in);
	p->fd = -1;
}

/* A response, its last two elements as bytes; what a server cannot mean can be sent, too. */
static void scripted_respond(struct scripted_peer *p, uint32_t msgid, struct slice error,
			     struct slice result)
{
	struct buf out;
	unsigned char head[] = {0x94,
				0x01,
				0xce,
				(unsigned char)(msgid >> 24),
				(unsigned char)(msgid >> 16),
				(unsigned char)(msgid >> 8),
				(unsigned char)msgid};
	buf_init(&out, SCRIPTED_BYTES);
	(void)buf_append(&out, head, sizeof(head));
	(void)buf_append_slice(&out, error);
	(void)buf_append_slice(&out, result);
	assert_int_equal(out.error, OK);
	scripted_send(p, out.data, out.len);
	buf_finish(&out);
}

static void scripted_notify(struct scripted_peer *p, const struct scripted_notice *notice)
{
	struct buf out;
	size_t len = strlen(notice->method);
	unsigned char head[] = {0x93, 0x02, (unsigned char)(0xa0 | len)};
	assert_true(len < 32);
	buf_init(&out, SCRIPTED_BYTES);
	(void)buf_append(&out, head, sizeof(head));
	(void)buf_append(&out, notice->method, len);
	(void)buf_append(&out, "\x91", 1);
	(void)buf_append_slice(&out, notice->params);
	assert_int_equal(out.error, OK);
	scripted_send(p, out.data, out.len);
	buf_finish(&out);
}

static struct slice scripted_json(struct scripted *s, const char *json)
{
	struct buf bytes;
	struct errmsg why;
	bool ok = true;
	buf_init(&bytes, SCRIPTED_BYTES);
	assert_int_equal(json_to_bytes(slice_str(json), &bytes, &why), OK);
	struct slice copy = arena_copy(&s->arena, buf_slice(&bytes), &ok);
	assert_true(ok);
	buf_finish(&bytes);
	return copy;
}

/* The rule for it, with one use less; NULL: none. */
static struct scripted_rule *scripted_choose(struct scripted *s, struct slice method)
{
	for (size_t i = 0; i < s->rules_n; i++) {
		struct scripted_rule *rule = &s->rules[i];
		bool is_used_up = rule->times == UINT32_MAX;
		if (is_used_up ||
		    (rule->method != NULL && !slice_eq(slice_str(rule->method), method))) {
			continue;
		}
		if (rule->times > 0 && --rule->times == 0) {
			rule->times = UINT32_MAX;
		}
		return rule;
	}
	return NULL;
}

static struct slice scripted_result(struct scripted *s, const struct scripted_rule *rule,
				    enum method method)
{
	if (rule != NULL && rule->json != NULL) {
		return scripted_json(s, rule->json);
	}
	if (rule != NULL && rule->raw.len > 0) {
		return rule->raw;
	}
	return method == METHOD_COUNT ? SLICE("\x80")
				      : scripted_least_bytes(s, method_rows[method].result);
}

static void scripted_take(struct scripted *s, struct scripted_peer *p, const struct rpc_message *m)
{
	const struct scripted_rule *rule = scripted_choose(s, m->method);
	enum method method = method_find(m->method);
	struct buf params;
	bool ok = true;
	buf_init(&params, SCRIPTED_BYTES);
	if (m->params != NULL) {
		rpc_write_object(&params, m->params);
	}
	assert_int_equal(params.error, OK);
	assert_true(s->requests_n < SCRIPTED_REQUESTS_MAX);
	s->requests[s->requests_n++] = (struct scripted_request){
		.connection = p->number,
		.method = method,
		.params = params.len == 0 ? SLICE("\x80")
					  : arena_copy(&s->arena, buf_slice(&params), &ok),
	};
	assert_true(ok);
	buf_finish(&params);
	switch (rule == NULL ? SCRIPTED_ANSWERS : rule->act) {
	case SCRIPTED_ANSWERS:
		scripted_respond(p, m->msgid, SLICE("\xc0"), scripted_result(s, rule, method));
		break;
	case SCRIPTED_REFUSES:
		scripted_respond(p, m->msgid, scripted_json(s, rule->json), SLICE("\xc0"));
		break;
	case SCRIPTED_IS_SILENT:
		break;
	case SCRIPTED_HANGS_UP:
		scripted_hang_up(p);
		return;
	case SCRIPTED_BABBLES:
		scripted_send(p, rule->json, strlen(rule->json));
		break;
	}
	for (size_t i = 0; rule != NULL && i < 2; i++) {
		if (rule->notices[i].method != NULL) {
			scripted_notify(p, &rule->notices[i]);
		}
	}
}

/* ---- connections ---- */

static void scripted_accept(struct scripted *s)
{
	size_t i = 0;
	int fd = accept(s->listener, NULL, NULL);
	assert_true(fd >= 0);
	while (i < SCRIPTED_PEERS_MAX && s->peers[i].fd >= 0) {
		i++;
	}
	assert_true(i < SCRIPTED_PEERS_MAX);
	s->peers[i].fd = fd;
	s->peers[i].number = s->connections++;
	buf_init(&s->peers[i].in, SCRIPTED_BYTES);
}

static void scripted_read_peer(struct scripted *s, struct scripted_peer *p)
{
	char *room = buf_reserve(&p->in, 65536);
	assert_non_null(room);
	ssize_t n = recv(p->fd, room, 65536, 0);
	if (n <= 0) {
		scripted_hang_up(p);
		return;
	}
	p->in.len += (size_t)n;
	while (p->fd >= 0) {
		struct frame_scan scan;
		struct rpc_message m;
		bool answerable;
		frame_scan_init(&scan);
		if (frame_scan_value(&scan, buf_slice(&p->in), SCRIPTED_BYTES) != OK) {
			return;
		}
		/* An answer may close the connection, and with that forget what was received. */
		bool ok = true;
		struct slice frame = arena_copy(&s->arena, slice_of(p->in.data, scan.at), &ok);
		assert_true(ok);
		buf_drop(&p->in, scan.at);
		assert_int_equal(rpc_decode(&s->decoder, frame, &m, &answerable), OK);
		if (m.kind == RPC_REQUEST) {
			scripted_take(s, p, &m);
		}
	}
}

void scripted_turn(struct scripted *s, int wait_ms)
{
	struct pollfd p[SCRIPTED_PEERS_MAX + 1];
	for (size_t i = 0; i < SCRIPTED_PEERS_MAX; i++) {
		p[i] = (struct pollfd){.fd = s->peers[i].fd, .events = POLLIN};
	}
	p[SCRIPTED_PEERS_MAX] = (struct pollfd){.fd = s->listener, .events = POLLIN};
	if (poll(p, SCRIPTED_PEERS_MAX + 1, wait_ms) <= 0) {
		return;
	}
	for (size_t i = 0; i < SCRIPTED_PEERS_MAX; i++) {
		if (p[i].revents != 0) {
			scripted_read_peer(s, &s->peers[i]);
		}
	}
	if (p[SCRIPTED_PEERS_MAX].revents != 0) {
		scripted_accept(s);
	}
}

void scripted_drop(struct scripted *s)
{
	for (size_t i = 0; i < SCRIPTED_PEERS_MAX; i++) {
		if (s->peers[i].fd >= 0) {
			scripted_hang_up(&s->peers[i]);
		}
	}
}

/* ---- what was asked ---- */

const struct scripted_request *scripted_find(const struct scripted *s, enum method method,
					     size_t nth)
{
	for (size_t i = 0; i < s->requests_n; i++) {
		if (s->requests[i].method == method && nth-- == 0) {
			return &s->requests[i];
		}
	}
	return NULL;
}

size_t scripted_count(const struct scripted *s, enum method method)
{
	size_t n = 0;
	while (scripted_find(s, method, n) != NULL) {
		n++;
	}
	return n;
}

void scripted_read(struct scripted *s, const struct scripted_request *r, void *out)
{
	struct fault f = {0};
	assert_non_null(r);
	enum err e = record_from_bytes(method_rows[r->method].params, r->params, RECORD_STRICT,
				       &s->arena, out, &f);
	if (e != OK) {
		fail_msg("params of %s: %s %s", method_rows[r->method].name, f.field, f.message);
	}
}

/* ---- life ---- */

static void scripted_begin(struct scripted *s)
{
	*s = (struct scripted){.dir = ""};
	for (size_t i = 0; i < SCRIPTED_PEERS_MAX; i++) {
		s->peers[i].fd = -1;
	}
}

void scripted_open_tcp(struct scripted *s)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	scripted_begin(s);
	s->listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(s->listener >= 0);
	assert_int_equal(bind(s->listener, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(s->listener, SCRIPTED_PEERS_MAX), 0);
	assert_int_equal(getsockname(s->listener, (struct sockaddr *)&at, &len), 0);
	(void)snprintf(s->address, sizeof(s->address), "tcp://127.0.0.1:%d", ntohs(at.sin_port));
}

void scripted_open(struct scripted *s)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	scripted_begin(s);
	(void)snprintf(s->dir, sizeof(s->dir), "%s", "/tmp/aye-scripted-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s/s", s->dir);
	(void)snprintf(s->address, sizeof(s->address), "unix:%s/s", s->dir);
	s->listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_true(s->listener >= 0);
	assert_int_equal(bind(s->listener, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(s->listener, SCRIPTED_PEERS_MAX), 0);
}

void scripted_close(struct scripted *s)
{
	char path[100];
	scripted_drop(s);
	(void)close(s->listener);
	if (s->dir[0] != '\0') {
		(void)snprintf(path, sizeof(path), "%s/s", s->dir);
		(void)unlink(path);
		(void)rmdir(s->dir);
	}
	decoder_finish(&s->decoder);
	arena_finish(&s->arena);
}

void scripted_play(struct scripted *s, const struct scripted_rule *rules, size_t n)
{
	assert_true(n <= SCRIPTED_RULES_MAX);
	if (n > 0) {
		memcpy(s->rules, rules, n * sizeof(*rules));
	}
	s->rules_n = n;
	s->requests_n = 0;
}
