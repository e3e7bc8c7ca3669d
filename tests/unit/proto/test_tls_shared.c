/*
 * TLS between two that have a key in common: nothing else opens a channel, on either end.
 */
#include <string.h>
#include <time.h>

#include "proto/tls/tls.h"
#include "tests/support/test.h"

#define KEY	  "0123456789abcdef0123456789abcdef"
#define OTHER_KEY "0123456789abcdef0123456789abcdeF"

/* The clock of this process, OpenSSL's too. */
static time_t later_s;

time_t time(time_t *out)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_REALTIME, &now);
	time_t is = now.tv_sec + later_s;
	if (out != NULL) {
		*out = is;
	}
	return is;
}

struct pair {
	struct tls_context *serves, *connects;
	struct tls_channel *server, *client;
};

static struct tls_context *shared(const char *key)
{
	struct tls_context *context = NULL;
	assert_int_equal(tls_context_share((const unsigned char *)key, &context), OK);
	return context;
}

static struct tls_context *with_certificate(void)
{
	struct buf certificate = {.max = 1u << 16}, key = {.max = 1u << 16};
	struct tls_context *context = NULL;
	struct errmsg why;
	assert_int_equal(tls_make_certificate(&certificate, &key), OK);
	assert_int_equal(tls_context_serve(buf_slice(&certificate), buf_slice(&key), &context,
					   &why),
			 OK);
	buf_finish(&certificate);
	buf_finish(&key);
	return context;
}

static bool carry(struct tls_channel *from, struct tls_channel *to, size_t step)
{
	struct slice waits = tls_channel_output(from);
	size_t n = waits.len < step ? waits.len : step;
	if (n > 0) {
		(void)tls_channel_receive(to, slice_of(waits.data, n));
		tls_channel_sent(from, n);
	}
	return n > 0;
}

static void shake(struct pair *p, size_t step)
{
	(void)tls_channel_receive(p->client, (struct slice){0});
	while (carry(p->client, p->server, step) || carry(p->server, p->client, step)) {
	}
}

static void pair_clear(struct pair *p)
{
	tls_channel_free(p->server);
	tls_channel_free(p->client);
	tls_context_free(p->serves);
	tls_context_free(p->connects);
}

static void pair_of(struct pair *p, const char *key, const char *clients_key)
{
	p->serves = shared(key);
	p->connects = shared(clients_key);
	p->server = tls_channel_new(p->serves, NULL);
	p->client = tls_channel_connect_shared(p->connects);
	assert_non_null(p->server);
	assert_non_null(p->client);
}

TEST(test_with_the_same_key_bytes_go_both_ways)
{
	static const size_t steps[] = {1, 7, SIZE_MAX};
	for (size_t i = 0; i < 3; i++) {
		struct pair p;
		char got[16];
		pair_of(&p, KEY, KEY);
		shake(&p, steps[i]);
		assert_int_equal(tls_channel_state(p.client), TLS_OPEN);
		assert_int_equal(tls_channel_state(p.server), TLS_OPEN);
		assert_int_equal(tls_channel_write(p.client, SLICE("there")), OK);
		assert_int_equal(tls_channel_write(p.server, SLICE("back")), OK);
		while (carry(p.client, p.server, steps[i]) || carry(p.server, p.client, steps[i])) {
		}
		assert_int_equal(tls_channel_read(p.server, got, sizeof(got)), 5);
		assert_memory_equal(got, "there", 5);
		assert_int_equal(tls_channel_read(p.client, got, sizeof(got)), 4);
		assert_memory_equal(got, "back", 4);
		pair_clear(&p);
	}
}

/* A key has no end, unlike the sessions that OpenSSL takes it for. Clocks are set back as well. */
TEST(test_the_key_opens_for_as_long_as_the_server_runs)
{
	static const time_t spans_s[] = {304, 305, 86400, 20 * 365 * 86400L, -86400};
	for (size_t i = 0; i < sizeof(spans_s) / sizeof(spans_s[0]); i++) {
		struct pair p;
		pair_of(&p, KEY, KEY);
		later_s = spans_s[i];
		shake(&p, SIZE_MAX);
		later_s = 0;
		assert_int_equal(tls_channel_state(p.client), TLS_OPEN);
		assert_int_equal(tls_channel_state(p.server), TLS_OPEN);
		pair_clear(&p);
	}
}

TEST(test_with_another_key_neither_end_opens)
{
	struct pair p;
	pair_of(&p, KEY, OTHER_KEY);
	shake(&p, SIZE_MAX);
	assert_int_equal(tls_channel_state(p.server), TLS_FAILED);
	assert_int_equal(tls_channel_state(p.client), TLS_FAILED);
	pair_clear(&p);
}

TEST(test_a_client_without_a_key_is_refused)
{
	struct pair p = {.serves = shared(KEY)};
	assert_int_equal(tls_context_connect(false, &p.connects), OK);
	p.server = tls_channel_new(p.serves, NULL);
	p.client = tls_channel_new(p.connects, "aye.example.org");
	shake(&p, SIZE_MAX);
	assert_int_equal(tls_channel_state(p.server), TLS_FAILED);
	assert_int_equal(tls_channel_state(p.client), TLS_FAILED);
	pair_clear(&p);
}

/* It would be answered with a certificate, which is none of a node's. */
TEST(test_a_server_that_has_a_certificate_instead_is_not_believed)
{
	struct pair p = {.serves = with_certificate(), .connects = shared(KEY)};
	p.server = tls_channel_new(p.serves, NULL);
	p.client = tls_channel_connect_shared(p.connects);
	shake(&p, SIZE_MAX);
	assert_int_equal(tls_channel_state(p.client), TLS_FAILED);
	pair_clear(&p);
}

TEST(test_what_is_no_tls_is_refused_at_its_first_byte)
{
	struct pair p;
	pair_of(&p, KEY, KEY);
	assert_int_equal(tls_channel_receive(p.server, SLICE("\x94\x00\x01\xadsession.hello")),
			 TLS_FAILED);
	pair_clear(&p);
}

/* A key opens one channel at a time: nothing is left by which another could be begun without it. */
TEST(test_no_ticket_is_given)
{
	struct pair p;
	pair_of(&p, KEY, KEY);
	shake(&p, SIZE_MAX);
	assert_int_equal(tls_channel_output(p.server).len, 0);
	assert_int_equal(tls_channel_state(p.client), TLS_OPEN);
	pair_clear(&p);
}
