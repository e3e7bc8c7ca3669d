/*
 * test_connection.c - being connected: hello, answers, losses, coming back, clean ends.
 *
 * The server is a stub on a unix socket in the same loop; it answers what the
 * test says, in the pieces the test says.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/net/connection_uv.h"
#include "proto/base/frame_scan.h"
#include "proto/rpc.h"
#include "tests/support/test.h"

/* Nothing here takes long; a test that waits this long is broken. */
#define PATIENCE_MS 20000

enum stub_mood {
	STUB_ANSWERS,  /* ping and hello, as a server does */
	STUB_IN_BYTES, /* the same, one byte a write */
	STUB_REFUSES,  /* hello */
	STUB_BABBLES,  /* answers with no MessagePack-RPC */
	STUB_HANGS_UP  /* when it is spoken to */
};

struct stub {
	uv_loop_t *loop;
	uv_pipe_t listener;
	uv_pipe_t peer;
	bool has_peer;
	bool is_listening;
	enum stub_mood mood;
	struct slice web; /* in hello's answer */
	struct buf in;
	struct decoder decoder;
	unsigned accepted;
	unsigned requests; /* beside hello */
};

struct desk {
	uv_loop_t loop;
	uv_timer_t patience;
	char dir[64];
	struct address address;
	struct stub stub;
	struct connection *link;
	unsigned ups, downs, notices, answers, closed_answers;
	int64_t retry_ms;
	char why[200];
	bool is_done; /* what the test waits for */
	unsigned stop_at_ups, stop_at_downs, stop_at_answers, stop_at_notices;
};

/* ---- the stub ---- */

static void stub_drop_peer(struct stub *s)
{
	if (s->has_peer) {
		s->has_peer = false;
		uv_close((uv_handle_t *)&s->peer, NULL);
	}
}

struct stub_bytes {
	uv_write_t request;
	char bytes[];
};

static void stub_on_written(uv_write_t *request, int status)
{
	(void)status;
	free(request);
}

static void stub_write(struct stub *s, const char *data, size_t len)
{
	size_t step = s->mood == STUB_IN_BYTES ? 1 : len;
	for (size_t at = 0; at < len; at += step) {
		struct stub_bytes *w = malloc(sizeof(*w) + step);
		assert_non_null(w);
		memcpy(w->bytes, data + at, step);
		uv_buf_t b = uv_buf_init(w->bytes, (unsigned)step);
		assert_int_equal(uv_write(&w->request, (uv_stream_t *)&s->peer, &b, 1,
					  stub_on_written),
				 0);
	}
}

static void stub_answer(struct stub *s, const struct rpc_message *m)
{
	struct buf out;
	buf_init(&out, 65536);
	if (slice_eq(m->method, SLICE("session.hello")) && s->mood != STUB_REFUSES) {
		struct hello_result r = {
			.protocol = 1,
			.server = SLICE("stub"),
			.limits = SLICE("\x80"),
			.nonce = SLICE("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
			.web = s->web,
		};
		rpc_write_result(&out, m->msgid, &record_hello_result, &r);
	} else if (slice_eq(m->method, SLICE("server.ping"))) {
		struct ping_result r = {.now = 1};
		s->requests++;
		rpc_write_notice(&out, SLICE("room.deleted"), &record_room_notice,
				 &(struct room_notice){.room_id = SLICE("K7QX3M")});
		rpc_write_result(&out, m->msgid, &record_ping_result, &r);
	} else {
		struct fault f = {.code = FAULT_FORBIDDEN, .message = "not today"};
		s->requests++;
		rpc_write_fault(&out, m->msgid, &f);
	}
	assert_int_equal(out.error, OK);
	stub_write(s, out.data, out.len);
	buf_finish(&out);
}

static void stub_on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *b)
{
	struct stub *s = stream->data;
	if (n < 0) {
		stub_drop_peer(s);
		return;
	}
	assert_int_equal(buf_append(&s->in, b->base, (size_t)n), OK);
	for (;;) {
		struct frame_scan scan;
		struct rpc_message m;
		bool answerable;
		frame_scan_init(&scan);
		if (!s->has_peer || frame_scan_value(&scan, buf_slice(&s->in), 65536) != OK) {
			return;
		}
		if (s->mood == STUB_HANGS_UP) {
			stub_drop_peer(s);
			return;
		}
		if (s->mood == STUB_BABBLES) {
			stub_write(s, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
			buf_clear(&s->in);
			return;
		}
		assert_int_equal(rpc_decode(&s->decoder, slice_of(s->in.data, scan.at), &m,
					    &answerable),
				 OK);
		stub_answer(s, &m);
		buf_drop(&s->in, scan.at);
	}
}

static void stub_on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *b)
{
	static char room[65536];
	(void)handle, (void)suggested;
	*b = uv_buf_init(room, sizeof(room));
}

static void stub_on_peer(uv_stream_t *listener, int status)
{
	struct stub *s = listener->data;
	assert_int_equal(status, 0);
	assert_false(s->has_peer);
	assert_int_equal(uv_pipe_init(s->loop, &s->peer, 0), 0);
	s->peer.data = s;
	assert_int_equal(uv_accept(listener, (uv_stream_t *)&s->peer), 0);
	assert_int_equal(uv_read_start((uv_stream_t *)&s->peer, stub_on_room, stub_on_read), 0);
	s->has_peer = true;
	s->accepted++;
	buf_clear(&s->in);
}

static void stub_listen(struct stub *s, const char *path)
{
	assert_int_equal(uv_pipe_init(s->loop, &s->listener, 0), 0);
	s->listener.data = s;
	assert_int_equal(uv_pipe_bind(&s->listener, path), 0);
	assert_int_equal(uv_listen((uv_stream_t *)&s->listener, 8, stub_on_peer), 0);
	s->is_listening = true;
}

static void stub_stop(struct stub *s)
{
	stub_drop_peer(s);
	if (s->is_listening) {
		s->is_listening = false;
		uv_close((uv_handle_t *)&s->listener, NULL);
	}
}

/* ---- the desk ---- */

static void desk_check(struct desk *d)
{
	d->is_done =
		d->is_done || (d->stop_at_ups > 0 && d->ups >= d->stop_at_ups) ||
		(d->stop_at_downs > 0 && d->downs >= d->stop_at_downs) ||
		(d->stop_at_answers > 0 && d->answers + d->closed_answers >= d->stop_at_answers) ||
		(d->stop_at_notices > 0 && d->notices >= d->stop_at_notices);
}

static void desk_on_up(void *owner)
{
	struct desk *d = owner;
	d->ups++;
	desk_check(d);
}

static void desk_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct desk *d = owner;
	d->downs++;
	d->retry_ms = retry_ms;
	(void)snprintf(d->why, sizeof(d->why), "%s", why);
	desk_check(d);
}

static void desk_on_notice(void *owner, struct slice method, const struct msgpack_object *params)
{
	struct desk *d = owner;
	assert_true(slice_eq(method, SLICE("room.deleted")));
	assert_non_null(params);
	d->notices++;
	desk_check(d);
}

static const struct connection_handler desk_handler = {
	.on_up = desk_on_up,
	.on_down = desk_on_down,
	.on_notice = desk_on_notice,
};

static void desk_on_answer(void *arg, const struct answer *a)
{
	struct desk *d = arg;
	if (a->e == OK) {
		assert_true((a->refusal == NULL) != (a->result == NULL));
		d->answers++;
	} else {
		assert_int_equal(a->e, ERR_CLOSED);
		d->closed_answers++;
	}
	desk_check(d);
}

static void desk_on_patience(uv_timer_t *timer)
{
	(void)timer;
	fail_msg("nothing happens any more");
}

static void desk_open(struct desk *d, enum stub_mood mood)
{
	char text[100];
	struct errmsg why;
	*d = (struct desk){.dir = "/tmp/aye-link-XXXXXX"};
	assert_int_equal(signal(SIGPIPE, SIG_IGN) == SIG_ERR, 0);
	assert_non_null(mkdtemp(d->dir));
	(void)snprintf(text, sizeof(text), "unix:%s/s", d->dir);
	assert_int_equal(address_parse(text, &d->address, &why), OK);
	assert_int_equal(uv_loop_init(&d->loop), 0);
	assert_int_equal(uv_timer_init(&d->loop, &d->patience), 0);
	assert_int_equal(uv_timer_start(&d->patience, desk_on_patience, PATIENCE_MS, 0), 0);
	d->stub.loop = &d->loop;
	d->stub.mood = mood;
	buf_init(&d->stub.in, 1 << 20);
	stub_listen(&d->stub, d->address.path);
}

static void desk_link(struct desk *d, bool keeps_trying)
{
	d->link = connection_open(&d->loop, &d->address, keeps_trying, &desk_handler, d);
}

static void desk_run(struct desk *d)
{
	d->is_done = false;
	desk_check(d);
	while (!d->is_done) {
		(void)uv_run(&d->loop, UV_RUN_ONCE);
	}
	d->stop_at_ups = d->stop_at_downs = d->stop_at_answers = d->stop_at_notices = 0;
}

/* Everything ends, and the loop has nothing left: no handle was lost on any path. */
static void desk_close(struct desk *d)
{
	connection_close(d->link);
	stub_stop(&d->stub);
	uv_close((uv_handle_t *)&d->patience, NULL);
	assert_int_equal(uv_run(&d->loop, UV_RUN_DEFAULT), 0);
	assert_int_equal(uv_loop_close(&d->loop), 0);
	buf_finish(&d->stub.in);
	decoder_finish(&d->stub.decoder);
	(void)unlink(d->address.path);
	assert_int_equal(rmdir(d->dir), 0);
}

static void ask(struct desk *d, struct slice method)
{
	assert_int_equal(connection_request(d->link, method, (struct slice){0}, desk_on_answer, d),
			 OK);
}

/* ---- the claims ---- */

TEST(test_hello_comes_first_and_answers_find_their_requests)
{
	static const enum stub_mood moods[] = {STUB_ANSWERS, STUB_IN_BYTES};
	for (size_t i = 0; i < 2; i++) {
		struct desk d;
		desk_open(&d, moods[i]);
		desk_link(&d, false);
		assert_int_equal(connection_request(d.link, SLICE("server.ping"), (struct slice){0},
						    desk_on_answer, &d),
				 ERR_CLOSED);
		d.stop_at_ups = 1;
		desk_run(&d);
		assert_true(connection_is_up(d.link));
		ask(&d, SLICE("server.ping"));
		ask(&d, SLICE("room.get"));
		ask(&d, SLICE("server.ping"));
		d.stop_at_answers = 3;
		desk_run(&d);
		assert_int_equal(d.answers, 3);
		assert_int_equal(d.notices, 2);
		assert_int_equal(d.stub.requests, 3);
		desk_close(&d);
	}
}

#define DESK_TEST(name, d) TEST_OF(name, struct desk, d, desk_open(d, STUB_ANSWERS), desk_close(d))

DESK_TEST(test_requests_without_an_answer_are_bounded, d)
{
	desk_link(d, false);
	d->stop_at_ups = 1;
	desk_run(d);
	for (size_t i = 0; i < CONNECTION_PENDING_MAX; i++) {
		ask(d, SLICE("server.ping"));
	}
	assert_int_equal(connection_request(d->link, SLICE("server.ping"), (struct slice){0},
					    desk_on_answer, d),
			 ERR_BUSY);
	d->stop_at_answers = CONNECTION_PENDING_MAX;
	desk_run(d);
	ask(d, SLICE("server.ping"));
}

TEST(test_one_try_ends_with_a_reason)
{
	static const struct {
		enum stub_mood mood;
		const char *why;
	} rows[] = {
		{STUB_REFUSES, "not today"},
		{STUB_BABBLES, "does not speak"},
		{STUB_HANGS_UP, "closed the connection"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		desk_open(&d, rows[i].mood);
		desk_link(&d, false);
		d.stop_at_downs = 1;
		desk_run(&d);
		assert_int_equal(d.ups, 0);
		assert_int_equal(d.retry_ms, -1);
		assert_non_null(strstr(d.why, rows[i].why));
		desk_close(&d);
	}
}

DESK_TEST(test_nobody_there_is_said_at_once, d)
{
	stub_stop(&d->stub);
	desk_link(d, false);
	d->stop_at_downs = 1;
	desk_run(d);
	assert_true(d->why[0] != '\0');
}

DESK_TEST(test_requests_that_are_forgotten_have_no_answer_and_the_connection_stays, d)
{
	desk_link(d, true);
	connection_forget(d->link, d); /* hello is the connection's own */
	d->stop_at_ups = 1;
	desk_run(d);
	ask(d, SLICE("server.ping"));
	connection_forget(d->link, d);
	ask(d, SLICE("server.ping"));
	d->stop_at_answers = 1;
	desk_run(d);
	assert_int_equal(d->stub.requests, 2);
	assert_int_equal(d->answers, 1);
	assert_int_equal(d->stub.accepted, 1);
}

DESK_TEST(test_a_refused_connection_over_tcp_is_said, d)
{
	struct errmsg why;
	assert_int_equal(address_parse("tcp://127.0.0.1:1", &d->address, &why), OK);
	desk_link(d, false);
	d->stop_at_downs = 1;
	desk_run(d);
	assert_non_null(strstr(d->why, "refused"));
	connection_close(d->link);
	d->link = NULL;
	char path[100];
	(void)snprintf(path, sizeof(path), "unix:%s/s", d->dir);
	assert_int_equal(address_parse(path, &d->address, &why), OK);
}

DESK_TEST(test_a_loss_answers_open_requests_and_it_comes_back, d)
{
	desk_link(d, true);
	d->stop_at_ups = 1;
	desk_run(d);
	d->stub.mood = STUB_HANGS_UP;
	ask(d, SLICE("server.ping"));
	ask(d, SLICE("server.ping"));
	d->stop_at_downs = 1;
	desk_run(d);
	assert_int_equal(d->closed_answers, 2);
	assert_false(connection_is_up(d->link));
	assert_in_range(d->retry_ms, CONNECTION_RETRY_FIRST_MS / 2, CONNECTION_RETRY_FIRST_MS);
	d->stub.mood = STUB_ANSWERS;
	d->stop_at_ups = 2;
	desk_run(d);
	assert_int_equal(d->stub.accepted, 2);
	ask(d, SLICE("server.ping"));
	d->stop_at_answers = 3;
	desk_run(d);
}

TEST(test_pauses_grow_while_nobody_answers)
{
	struct desk d;
	desk_open(&d, STUB_REFUSES);
	desk_link(&d, true);
	d.stop_at_downs = 1;
	desk_run(&d);
	assert_in_range(d.retry_ms, CONNECTION_RETRY_FIRST_MS / 2, CONNECTION_RETRY_FIRST_MS);
	d.stop_at_downs = 2;
	desk_run(&d);
	assert_in_range(d.retry_ms, CONNECTION_RETRY_FIRST_MS, 2 * CONNECTION_RETRY_FIRST_MS);
	desk_close(&d);
}

static void desk_on_answer_closes(void *arg, const struct answer *a)
{
	struct desk *d = arg;
	(void)a;
	assert_int_equal(d->answers, 0); /* the first one only */
	d->answers++;
	connection_close(d->link);
	d->link = NULL;
	desk_check(d);
}

TEST(test_it_may_be_closed_from_an_answer)
{
	static const enum stub_mood moods[] = {STUB_ANSWERS, STUB_HANGS_UP};
	for (size_t i = 0; i < 2; i++) {
		struct desk d;
		desk_open(&d, STUB_ANSWERS);
		desk_link(&d, true);
		d.stop_at_ups = 1;
		desk_run(&d);
		d.stub.mood = moods[i];
		for (size_t n = 0; n < 3; n++) {
			assert_int_equal(connection_request(d.link, SLICE("x"), (struct slice){0},
							    desk_on_answer_closes, &d),
					 OK);
		}
		d.stop_at_answers = 1;
		desk_run(&d);
		assert_int_equal(d.downs, 0);
		desk_close(&d);
	}
}

TEST(test_closing_at_any_moment_leaves_nothing)
{
	for (unsigned turns = 0; turns < 8; turns++) {
		struct desk d;
		desk_open(&d, STUB_IN_BYTES);
		desk_link(&d, true);
		for (unsigned i = 0; i < turns; i++) {
			(void)uv_run(&d.loop, UV_RUN_NOWAIT);
		}
		desk_close(&d);
	}
}

/* A server says what it likes, and people open what is shown to them. */
TEST(test_the_page_for_browsers_is_known_from_hello_if_it_is_one)
{
	static const struct {
		const char *sent, *kept;
	} rows[] = {
		{"https://poker.example/", "https://poker.example/"},
		{"http://192.0.2.7:2938/", "http://192.0.2.7:2938/"},
		{"javascript:alert(1)/", ""},
		{"https://poker.example/\x1b[2J/", ""},
		{"https://poker.example", ""},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		desk_open(&d, STUB_ANSWERS);
		d.stub.web = slice_str(rows[i].sent);
		desk_link(&d, false);
		assert_string_equal(connection_web(d.link), "");
		d.stop_at_ups = 1;
		desk_run(&d);
		assert_string_equal(connection_web(d.link), rows[i].kept);
		desk_close(&d);
	}
}
