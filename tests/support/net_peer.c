/*
 * net_peer.c - peers that speak the protocol, of net_kit.h.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/json.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/signature.h"
#include "proto/rpc.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define NET_MESSAGE_BYTES_MAX (16u << 20)

void net_peer_open(struct net_peer *p, int fd)
{
	*p = (struct net_peer){.fd = fd};
	buf_init(&p->in, NET_MESSAGE_BYTES_MAX);
	buf_init(&p->json, NET_MESSAGE_BYTES_MAX);
}

void net_peer_close(struct net_peer *p)
{
	(void)close(p->fd);
	buf_finish(&p->in);
	buf_finish(&p->json);
}

uint32_t net_request(struct net_peer *p, const char *method, const char *json)
{
	struct errmsg why;
	struct buf params = {.max = NET_MESSAGE_BYTES_MAX};
	struct buf out = {.max = NET_MESSAGE_BYTES_MAX};
	assert_int_equal(json_to_bytes(slice_str(json), &params, &why), OK);
	rpc_write_request_raw(&out, ++p->msgid, slice_str(method), buf_slice(&params));
	assert_int_equal(out.error, OK);
	net_send(p->fd, out.data, out.len);
	buf_finish(&params);
	buf_finish(&out);
	return p->msgid;
}

const char *net_arrived(struct net_peer *p)
{
	struct frame_scan scan;
	frame_scan_init(&scan);
	enum err e = frame_scan_value(&scan, buf_slice(&p->in), NET_MESSAGE_BYTES_MAX);
	if (e == ERR_MORE) {
		return NULL;
	}
	assert_int_equal(e, OK);
	buf_clear(&p->json);
	assert_int_equal(json_from_bytes(slice_of(p->in.data, scan.at), &p->json), OK);
	assert_int_equal(buf_append(&p->json, "", 1), OK);
	buf_drop(&p->in, scan.at);
	return p->json.data;
}

bool net_read(struct net_peer *p)
{
	char bytes[65536];
	size_t n = net_receive(p->fd, bytes, sizeof(bytes));
	assert_int_equal(buf_append(&p->in, bytes, n), OK);
	return n > 0;
}

const char *net_message(struct net_peer *p)
{
	const char *json;
	while ((json = net_arrived(p)) == NULL) {
		if (!net_read(p)) {
			assert_int_equal(p->in.len, 0); /* a message that was cut is no message */
			return NULL;
		}
	}
	return json;
}

const char *net_response(struct net_peer *p, uint32_t msgid)
{
	char begin[32];
	(void)snprintf(begin, sizeof(begin), "[1,%lu,", (unsigned long)msgid);
	const char *json;
	do {
		json = net_message(p);
		assert_non_null(json);
	} while (strncmp(json, begin, strlen(begin)) != 0);
	return json;
}

const char *net_call(struct net_peer *p, const char *method, const char *json)
{
	return net_response(p, net_request(p, method, json));
}

const char *net_must(struct net_peer *p, const char *method, const char *json)
{
	const char *answer = net_call(p, method, json);
	const char *error = strchr(answer + 3, ',');
	assert_non_null(error);
	if (strncmp(error, ",null,", 6) != 0) {
		fail_msg("%s was refused: %s", method, error);
	}
	return answer;
}

void net_hello(struct net_peer *p)
{
	(void)net_must(p, "session.hello", "{\"protocol\":1,\"client\":\"net test\"}");
}

void net_open_for(struct net_peer *p, const char *socket, const char *room_id)
{
	char params[128];
	time_t until = time(NULL) + NET_PATIENCE_MS / 1000;
	(void)format_to(params, sizeof(params),
			"{\"protocol\":1,\"client\":\"net test\",\"room_id\":\"%s\"}", room_id);
	for (;;) {
		net_peer_open(p, net_connect_unix(socket));
		const char *json = net_call(p, "session.hello", params);
		if (strstr(json, ",null,{") != NULL) {
			return;
		}
		bool is_moving = strstr(json, "\"UNAVAILABLE\"") != NULL ||
				 strstr(json, "\"ELSEWHERE\"") != NULL;
		if (!is_moving || time(NULL) > until) {
			fail_msg("no hello for %s: %s", room_id, json);
		}
		net_peer_close(p);
	}
}

void net_insider(const struct net_server *s, struct net_peer *p)
{
	net_peer_open(p, net_connect_unix(s->socket));
	net_hello(p);
}

long net_figure(struct net_peer *insider, const char *name)
{
	char begin[64];
	(void)snprintf(begin, sizeof(begin), "\"%s\":", name);
	const char *at = strstr(net_must(insider, "server.stats", "{}"), begin);
	assert_non_null(at);
	return strtol(at + strlen(begin), NULL, 10);
}

void net_finish(struct net_server *s, struct net_peer *insider)
{
	(void)net_must(insider, "server.ping", "{}");
	net_peer_close(insider);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

void net_field(const char *json, const char *key, char *out, size_t cap)
{
	char begin[64];
	(void)snprintf(begin, sizeof(begin), "\"%s\":\"", key);
	const char *at = strstr(json, begin);
	if (at == NULL) {
		fail_msg("there is no %s", key);
		return;
	}
	at += strlen(begin);
	size_t len = strcspn(at, "\"");
	assert_true(len < cap);
	memcpy(out, at, len);
	out[len] = '\0';
}

/* ---- logins ---- */

const char *net_login(struct net_peer *p, const char *name)
{
	char params[64];
	net_hello(p);
	(void)format_to(params, sizeof(params), "{\"user_name\":\"%s\"}", name);
	return net_must(p, "session.login", params);
}

static void base64(char *out, size_t size, const unsigned char *bytes, size_t n)
{
	assert_non_null(
		sodium_bin2base64(out, size, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING));
}

const char *net_login_with_key(struct net_peer *p, const char *name)
{
	unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
	unsigned char secret[crypto_sign_SECRETKEYBYTES];
	unsigned char signature[crypto_sign_BYTES];
	char key[KEY_CHARS + 1], signed_text[SIGNATURE_CHARS + 1], nonce[KEY_CHARS + 1];
	char text[LOGIN_TEXT_BYTES_MAX], params[512];
	net_field(net_must(p, "session.hello", "{\"protocol\":1,\"client\":\"t\"}"), "nonce", nonce,
		  sizeof(nonce));
	assert_int_equal(crypto_sign_keypair(public_key, secret), 0);
	size_t len = login_text(slice_str(name), slice_str(nonce), text);
	assert_int_equal(crypto_sign_detached(signature, NULL, (const unsigned char *)text, len,
					      secret),
			 0);
	base64(key, sizeof(key), public_key, sizeof(public_key));
	base64(signed_text, sizeof(signed_text), signature, sizeof(signature));
	(void)format_to(params, sizeof(params),
			"{\"user_name\":\"%s\",\"public_key\":\"%s\",\"signature\":\"%s\"}", name,
			key, signed_text);
	return net_must(p, "session.login", params);
}
