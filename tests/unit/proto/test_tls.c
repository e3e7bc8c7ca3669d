/*
 * TLS between two channels in memory: what arrives, what is refused, what a client is told.
 */
#define _GNU_SOURCE /* memmem() */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "proto/tls/tls.h"
#include "proto/tls/websocket_accept.h"
#include "tests/support/test.h"

/* A server and a client, and what each wrote that the other has not read. */
struct pair {
	struct buf certificate;
	struct buf key;
	struct tls_context *serves;
	struct tls_context *connects;
	struct tls_channel *server;
	struct tls_channel *client;
};

static void make_contexts(struct pair *p)
{
	struct errmsg why = {""};
	buf_init(&p->certificate, 1u << 16);
	buf_init(&p->key, 1u << 16);
	assert_int_equal(tls_make_certificate(&p->certificate, &p->key), OK);
	assert_int_equal(tls_context_serve(buf_slice(&p->certificate), buf_slice(&p->key),
					   &p->serves, &why),
			 OK);
	assert_int_equal(tls_context_connect(false, &p->connects), OK);
}

static void pair_lay(struct pair *p)
{
	*p = (struct pair){.server = NULL};
	make_contexts(p);
	p->server = tls_channel_new(p->serves, NULL);
	p->client = tls_channel_new(p->connects, "aye.example.org");
	assert_non_null(p->server);
	assert_non_null(p->client);
}

static void pair_clear(struct pair *p)
{
	tls_channel_free(p->server);
	tls_channel_free(p->client);
	tls_context_free(p->serves);
	tls_context_free(p->connects);
	buf_finish(&p->certificate);
	buf_finish(&p->key);
}

#define PAIR_TEST(name) TEST_OF(name, struct pair, p, pair_lay(p), pair_clear(p))

/* Carry what waits, at most `step` bytes at a time; whether there was something. */
static bool carry(struct tls_channel *from, struct tls_channel *to, size_t step)
{
	struct slice waits = tls_channel_output(from);
	size_t n = waits.len < step ? waits.len : step;
	if (n == 0) {
		return false;
	}
	(void)tls_channel_receive(to, slice_of(waits.data, n));
	tls_channel_sent(from, n);
	return true;
}

static void shake(struct pair *p, size_t step)
{
	(void)tls_channel_receive(p->client, (struct slice){0});
	while (carry(p->client, p->server, step) || carry(p->server, p->client, step)) {
	}
}

static void assert_reads(struct tls_channel *c, const char *text)
{
	char got[64];
	size_t n = tls_channel_read(c, got, sizeof(got));
	assert_int_equal(n, strlen(text));
	assert_memory_equal(got, text, n);
}

PAIR_TEST(test_what_one_side_writes_the_other_reads_byte_by_byte)
{
	shake(p, 1);
	assert_int_equal(tls_channel_state(p->client), TLS_OPEN);
	assert_int_equal(tls_channel_state(p->server), TLS_OPEN);
	assert_int_equal(tls_channel_write(p->client, SLICE("a question")), OK);
	assert_null(memmem(tls_channel_output(p->client).data, tls_channel_output(p->client).len,
			   "question", 8));
	shake(p, 1);
	assert_reads(p->server, "a question");
	assert_reads(p->server, "");
	assert_int_equal(tls_channel_write(p->server, SLICE("an answer")), OK);
	shake(p, 7);
	assert_reads(p->client, "an answer");
	tls_channel_end(p->server);
	shake(p, 1000);
	assert_reads(p->client, "");
	assert_int_equal(tls_channel_state(p->client), TLS_ENDED);
	assert_int_equal(tls_channel_write(p->client, SLICE("more")),
			 OK); /* half of it is still open */
	shake(p, 1000);
	assert_reads(p->server, "more");
}

/* More than a record, again and again: what lies between is given back each time. */
PAIR_TEST(test_much_arrives_in_order)
{
	enum { BYTES = 50000 };
	char *sent = malloc(BYTES);
	char *got = malloc(BYTES);
	shake(p, 1000);
	for (int round = 0; round < 4; round++) {
		struct tls_channel *from = round % 2 == 0 ? p->server : p->client;
		struct tls_channel *to = round % 2 == 0 ? p->client : p->server;
		size_t len = 0;
		for (size_t i = 0; i < BYTES; i++) {
			sent[i] = (char)(i * 7 + (size_t)round);
		}
		assert_int_equal(tls_channel_write(from, slice_of(sent, BYTES)), OK);
		while (carry(from, to, 3000)) {
			for (size_t n = 1; n > 0; len += n) {
				n = tls_channel_read(to, got + len, BYTES - len);
			}
		}
		assert_int_equal(len, BYTES);
		assert_memory_equal(got, sent, BYTES);
	}
	free(sent);
	free(got);
}

/* As a server keeps what came for a later turn. */
PAIR_TEST(test_a_handshake_goes_on_with_what_was_kept)
{
	(void)tls_channel_receive(p->client, (struct slice){0});
	struct slice hello = tls_channel_output(p->client);
	for (size_t i = 0; i < hello.len; i++) {
		assert_int_equal(tls_channel_take(p->server, slice_of(hello.data + i, 1)),
				 TLS_SHAKING);
	}
	tls_channel_sent(p->client, hello.len);
	assert_int_equal(tls_channel_output(p->server).len, 0);
	(void)tls_channel_receive(p->server, (struct slice){0});
	assert_true(tls_channel_output(p->server).len > 0);
	shake(p, 1000);
	assert_int_equal(tls_channel_state(p->server), TLS_OPEN);
}

PAIR_TEST(test_a_client_is_told_the_fingerprint_and_that_nobody_vouches)
{
	struct fingerprint own;
	struct tls_peer peer;
	shake(p, 1000);
	tls_channel_peer(p->client, &peer);
	tls_context_fingerprint(p->serves, &own);
	assert_string_equal(peer.fingerprint.text, own.text);
	assert_true(fingerprint_is_formed(slice_str(own.text)));
	assert_false(peer.is_vouched);
	assert_string_not_equal(peer.why, "");
}

PAIR_TEST(test_a_fingerprint_has_one_form)
{
	struct fingerprint own;
	tls_context_fingerprint(p->serves, &own);
	assert_false(fingerprint_is_formed(slice_of(own.text, FINGERPRINT_CHARS - 1)));
	assert_false(fingerprint_is_formed(slice_str(own.text + 1)));
	own.text[20] = ' ';
	assert_false(fingerprint_is_formed(slice_str(own.text)));
	assert_false(fingerprint_is_formed(SLICE("SHA256:")));
}

/* Of 128 bits and of 256; nothing shorter, nothing between, and each in one spelling. */
TEST(test_a_pin_has_two_lengths)
{
	static const struct fingerprint whole = {
		"SHA256:OfC8scN57TFUsL0uJTfYzHvPtaMqaTwI+Ks6vA3HSFY"};
	static const struct fingerprint other = {
		"SHA256:OfC8scN57TFUsL0uJTfYzHvPtaMqaTwI+Ks6vA3HSFc"};
	static const struct fingerprint none = {""};
	struct fingerprint pin = fingerprint_shorten(&whole);
	assert_string_equal(pin.text, "SHA256:OfC8scN57TFUsL0uJTfYzA");
	assert_string_equal(fingerprint_shorten(&pin).text, pin.text);
	assert_string_equal(fingerprint_shorten(&none).text, "");
	for (size_t len = 0; len <= FINGERPRINT_CHARS; len++) {
		bool is_whole = len == FINGERPRINT_CHARS;
		assert_int_equal(fingerprint_is_pin(slice_of(whole.text, len)), is_whole);
		assert_int_equal(fingerprint_is_pin(slice_of(pin.text, len < 29 ? len : 29)),
				 len >= FINGERPRINT_SHORT_CHARS);
	}
	assert_false(fingerprint_is_formed(slice_str(pin.text)));
	char hex[FINGERPRINT_HEX_CHARS + 1];
	const struct fingerprint of_nothing = {
		"SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"};
	assert_true(fingerprint_hex(&of_nothing, hex));
	assert_string_equal(hex, "E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24:"
				 "27:AE:41:E4:64:9B:93:4C:A4:95:99:1B:78:52:B8:55");
	assert_false(fingerprint_hex(&pin, hex));
	assert_string_equal(hex, "");
	assert_false(fingerprint_hex(&none, hex));
	assert_true(fingerprint_pins(&pin, &whole));
	assert_true(fingerprint_pins(&whole, &whole));
	assert_true(fingerprint_pins(&pin, &other)); /* it differs behind the 128 bits */
	assert_false(fingerprint_pins(&other, &whole));
	assert_false(fingerprint_pins(&none, &whole));
	assert_false(fingerprint_pins(&none, &none));
	pin.text[FINGERPRINT_SHORT_CHARS - 1] = 'Q';
	assert_true(fingerprint_is_pin(slice_str(pin.text)));
	assert_false(fingerprint_pins(&pin, &whole));
	pin.text[FINGERPRINT_SHORT_CHARS - 1] = 'B';
	assert_false(fingerprint_is_pin(slice_str(pin.text)));
}

PAIR_TEST(test_plain_text_fails_with_a_reason)
{
	(void)tls_channel_receive(p->server, SLICE("\x93\x00\x01\xadsession.hello"));
	assert_int_equal(tls_channel_state(p->server), TLS_FAILED);
	assert_string_equal(tls_channel_why(p->server), "the data received is not TLS");
	assert_true(tls_is_alert(tls_channel_output(p->server)));
	(void)tls_channel_receive(p->client, SLICE("HTTP/1.1 400 Bad Request"));
	assert_int_equal(tls_channel_state(p->client), TLS_FAILED);
}

/* ---- other certificates ---- */

/* Sign one for `name`, or where that is NULL for the hostname as its subject alone, with that key for those days from today on; NULL digest: SHA-256. */
static void make_for(struct pair *p, EVP_PKEY *key, const char *name, int from_day, int to_day,
		     const EVP_MD *digest)
{
	X509 *x = X509_new();
	X509V3_CTX none;
	X509V3_set_ctx_nodb(&none);
	X509_EXTENSION *names =
		name == NULL ? NULL : X509V3_EXT_conf_nid(NULL, &none, NID_subject_alt_name, name);
	const char *called = name == NULL ? "aye.example.org" : "test";
	X509_EXTENSION *authority =
		X509V3_EXT_conf_nid(NULL, &none, NID_basic_constraints, "CA:TRUE");
	assert_int_equal(X509_set_version(x, X509_VERSION_3), 1);
	assert_int_equal(ASN1_INTEGER_set(X509_get_serialNumber(x), 1), 1);
	assert_non_null(X509_gmtime_adj(X509_getm_notBefore(x), from_day * 86400L));
	assert_non_null(X509_gmtime_adj(X509_getm_notAfter(x), to_day * 86400L));
	assert_int_equal(X509_set_pubkey(x, key), 1);
	assert_true(names == NULL || X509_add_ext(x, names, -1) == 1);
	assert_int_equal(X509_add_ext(x, authority, -1), 1);
	X509_NAME *subject = X509_get_subject_name(x);
	assert_int_equal(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
						    (const unsigned char *)called, -1, -1, 0),
			 1);
	assert_int_equal(X509_set_issuer_name(x, subject), 1);
	assert_true(X509_sign(x, key, digest == NULL ? EVP_sha256() : digest) > 0);
	BIO *pem = BIO_new(BIO_s_mem());
	assert_int_equal(PEM_write_bio_X509(pem, x), 1);
	assert_int_equal(PEM_write_bio_PrivateKey(pem, key, NULL, NULL, 0, NULL, NULL), 1);
	char *data = NULL;
	long len = BIO_get_mem_data(pem, &data);
	buf_clear(&p->certificate);
	assert_int_equal(buf_append(&p->certificate, data, (size_t)len), OK);
	BIO_free(pem);
	X509_EXTENSION_free(names);
	X509_EXTENSION_free(authority);
	X509_free(x);
}

/* Shake hands anew; what the client then knows of the server. */
static struct tls_peer shaken_peer(struct pair *p)
{
	struct tls_peer peer;
	p->server = tls_channel_new(p->serves, NULL);
	p->client = tls_channel_new(p->connects, "aye.example.org");
	shake(p, 1000);
	assert_int_equal(tls_channel_state(p->client), TLS_OPEN);
	tls_channel_peer(p->client, &peer);
	return peer;
}

/* The state of a server of that certificate, as a client sees it that has it for an authority. */
static struct tls_peer peer_of(struct pair *p, const char *name, int from_day, int to_day)
{
	char path[] = "/tmp/aye-authority-XXXXXX";
	struct errmsg why = {""};
	EVP_PKEY *key = EVP_EC_gen("P-256");
	make_for(p, key, name, from_day, to_day, NULL);
	EVP_PKEY_free(key);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, p->certificate.data, p->certificate.len),
			 (ssize_t)p->certificate.len);
	close(fd);
	tls_channel_free(p->server);
	tls_channel_free(p->client);
	tls_context_free(p->serves);
	tls_context_free(p->connects);
	assert_int_equal(tls_context_serve(buf_slice(&p->certificate), buf_slice(&p->certificate),
					   &p->serves, &why),
			 OK);
	assert_int_equal(setenv("SSL_CERT_FILE", path, 1), 0);
	assert_int_equal(tls_context_connect(true, &p->connects), OK);
	unlink(path);
	return shaken_peer(p);
}

PAIR_TEST(test_an_authority_vouches_for_its_name_in_its_time)
{
	assert_true(peer_of(p, "DNS:aye.example.org", -1, 1).is_vouched);
	assert_true(peer_of(p, "DNS:*.example.org", -1, 1).is_vouched);
	struct tls_peer other = peer_of(p, "DNS:example.com", -1, 1);
	assert_false(other.is_vouched);
	assert_non_null(strstr(other.why, "ostname"));
	struct tls_peer over = peer_of(p, "DNS:aye.example.org", -2, -1);
	assert_false(over.is_vouched);
	assert_non_null(strstr(over.why, "expired"));
	struct tls_peer early = peer_of(p, "DNS:aye.example.org", 1, 2);
	assert_false(early.is_vouched);
	assert_non_null(strstr(early.why, "not yet valid"));
}

/* The same, where the authorities are those of this text, and there is perhaps a certificate of the client's own. */
static struct tls_peer peer_trusted(struct pair *p, struct slice authorities, bool has_own)
{
	struct errmsg why = {""};
	struct slice own = has_own ? buf_slice(&p->certificate) : (struct slice){0};
	tls_channel_free(p->server);
	tls_channel_free(p->client);
	tls_context_free(p->connects);
	assert_int_equal(tls_context_trust(authorities, own, own, &p->connects, &why), OK);
	return shaken_peer(p);
}

PAIR_TEST(test_a_client_trusts_only_the_authorities_that_it_was_given)
{
	struct buf others = {.max = 1u << 16};
	struct buf key = {.max = 1u << 16};
	struct errmsg why = {""};
	struct tls_context *none = NULL;
	/* SSL_CERT_FILE names the certificate, too, which is of no use here. */
	assert_true(peer_of(p, "DNS:aye.example.org", -1, 1).is_vouched);
	assert_true(peer_trusted(p, buf_slice(&p->certificate), true).is_vouched);
	assert_int_equal(tls_make_certificate(&others, &key), OK);
	struct tls_peer peer = peer_trusted(p, buf_slice(&others), false);
	assert_false(peer.is_vouched);
	assert_string_equal(peer.why, "is self-signed");
	/* Any of several. */
	assert_int_equal(buf_append_slice(&others, buf_slice(&p->certificate)), OK);
	assert_true(peer_trusted(p, buf_slice(&others), false).is_vouched);
	assert_int_equal(tls_context_trust(SLICE("no PEM"), SLICE(""), SLICE(""), &none, &why),
			 ERR_INVALID);
	assert_non_null(strstr(why.text, "cannot read the authorities"));
	assert_int_equal(tls_context_trust(SLICE(""), buf_slice(&p->certificate), buf_slice(&key),
					   &none, &why),
			 ERR_INVALID);
	assert_non_null(strstr(why.text, "does not belong"));
	assert_null(none);
	buf_finish(&others);
	buf_finish(&key);
}

/* Parts of a label are no wildcard (RFC 6125, 6.4.3), and a subject is no hostname (RFC 2818, 3.1, which RFC 9525 ends). */
PAIR_TEST(test_a_certificate_is_for_whole_names_among_its_alternative_names)
{
	assert_false(peer_of(p, "DNS:a*.example.org", -1, 1).is_vouched);
	assert_false(peer_of(p, "DNS:*e.example.org", -1, 1).is_vouched);
	struct tls_peer no_names = peer_of(p, NULL, -1, 1);
	assert_false(no_names.is_vouched);
	assert_non_null(strstr(no_names.why, "ostname"));
}

/* A hello of a client that offers what it is told, sent to the server. */
static void offer(struct pair *p, const unsigned char *protocols, unsigned len)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
	SSL *ssl = SSL_new(ctx);
	BIO *in = BIO_new(BIO_s_mem());
	BIO *out = BIO_new(BIO_s_mem());
	char *hello = NULL;
	assert_int_equal(SSL_set_alpn_protos(ssl, protocols, len), 0);
	SSL_set_bio(ssl, in, out);
	assert_int_not_equal(SSL_connect(ssl), 1);
	long sent = BIO_get_mem_data(out, &hello);
	(void)tls_channel_receive(p->server, slice_of(hello, (size_t)sent));
	SSL_free(ssl);
	SSL_CTX_free(ctx);
}

/* A browser offers h2 first; of what is for browsers, our own protocol is a stranger. */
PAIR_TEST(test_a_channel_for_browsers_agrees_on_http_1)
{
	static const unsigned char browser[] = "\x02h2\x08http/1.1";
	tls_channel_serve_web(p->server);
	offer(p, browser, sizeof(browser) - 1);
	assert_int_equal(tls_channel_state(p->server), TLS_SHAKING);
	assert_true(tls_channel_output(p->server).len > 100); /* a certificate, and no alert */
}

PAIR_TEST(test_a_channel_for_browsers_refuses_other_protocols)
{
	static const unsigned char others[] = "\x02h2\x03"
					      "aye";
	tls_channel_serve_web(p->server);
	offer(p, others, sizeof(others) - 1);
	assert_int_equal(tls_channel_state(p->server), TLS_FAILED);
}

/* The example of RFC 6455, 1.3. */
TEST(test_the_key_of_a_websocket_is_answered)
{
	char accept[WEBSOCKET_ACCEPT_CHARS + 1];
	assert_true(websocket_accept(SLICE("dGhlIHNhbXBsZSBub25jZQ=="), accept));
	assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

/* As a browser that was led here offers h2 alone (RFC 7301, 3.2). */
PAIR_TEST(test_a_client_that_offers_only_other_protocols_is_refused)
{
	static const unsigned char others[] = "\x02h2\x08http/1.1";
	static const unsigned char with_ours[] = "\x02h2\x03"
						 "aye";
	static const char alert[] = {21, 3, 3, 0, 2, 2, 120}; /* fatal, no_application_protocol */
	offer(p, others, sizeof(others) - 1);
	assert_int_equal(tls_channel_state(p->server), TLS_FAILED);
	assert_int_equal(tls_channel_output(p->server).len, sizeof(alert));
	assert_memory_equal(tls_channel_output(p->server).data, alert, sizeof(alert));
	tls_channel_free(p->server);
	p->server = tls_channel_new(p->serves, NULL);
	offer(p, with_ours, sizeof(with_ours) - 1);
	assert_int_equal(tls_channel_state(p->server), TLS_SHAKING);
	assert_true(tls_channel_output(p->server).len > sizeof(alert));
}

/* Not the name that it does not have either. */
PAIR_TEST(test_of_a_certificate_nobody_vouches_for_the_first_fault_is_told)
{
	struct tls_peer peer;
	tls_channel_free(p->client);
	p->client = tls_channel_new(p->connects, "192.0.2.7");
	shake(p, 1000);
	tls_channel_peer(p->client, &peer);
	assert_false(peer.is_vouched);
	assert_non_null(strstr(peer.why, "self"));
}

static enum err serve_with(struct pair *p, struct slice certificate, struct slice key,
			   struct errmsg *why)
{
	struct tls_context *made = NULL;
	enum err e = tls_context_serve(certificate, key, &made, why);
	(void)p;
	tls_context_free(made);
	return e;
}

PAIR_TEST(test_a_pair_that_is_none_is_refused_with_its_reason)
{
	struct pair other = {.certificate = {0}};
	struct errmsg why = {""};
	struct slice certificate = buf_slice(&p->certificate);
	struct slice key = buf_slice(&p->key);
	assert_int_equal(serve_with(p, SLICE("no certificate"), key, &why), ERR_INVALID);
	assert_non_null(strstr(why.text, "cannot read the certificate"));
	assert_int_equal(serve_with(p, certificate, SLICE("no key"), &why), ERR_INVALID);
	assert_non_null(strstr(why.text, "cannot read the key"));
	assert_int_equal(serve_with(p, slice_of(certificate.data, certificate.len / 2), key, &why),
			 ERR_INVALID);
	make_contexts(&other);
	assert_int_equal(serve_with(p, certificate, buf_slice(&other.key), &why), ERR_INVALID);
	assert_non_null(strstr(why.text, "does not belong to the certificate"));
	tls_context_free(other.serves);
	tls_context_free(other.connects);
	buf_finish(&other.certificate);
	buf_finish(&other.key);
}

PAIR_TEST(test_a_weak_certificate_is_refused)
{
	struct errmsg why = {""};
	EVP_PKEY *small = EVP_RSA_gen(1024);
	make_for(p, small, "DNS:aye.example.org", -1, 1, NULL);
	EVP_PKEY_free(small);
	assert_int_equal(serve_with(p, buf_slice(&p->certificate), buf_slice(&p->certificate),
				    &why),
			 ERR_INVALID);
	assert_non_null(strstr(why.text, "key too small"));
	EVP_PKEY *key = EVP_RSA_gen(2048);
	make_for(p, key, "DNS:aye.example.org", -1, 1, EVP_sha1());
	EVP_PKEY_free(key);
	/* One that signs itself is believed for what it is; the digest matters where another one has signed it. */
	assert_int_equal(serve_with(p, buf_slice(&p->certificate), buf_slice(&p->certificate),
				    &why),
			 OK);
}
