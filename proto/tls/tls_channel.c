/*
 * tls_channel.c - one connection's TLS: handshake, records, end.
 *
 * The socket's side are two memory BIOs: what was received is copied into one, what
 * is to be sent is read from the other in place.
 */
#include "proto/tls/tls_priv.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "proto/assert.h"

struct tls_channel {
	SSL *ssl;
	BIO *out; /* of ssl, which has both */
	enum tls_state state;
	const char *why;
	size_t sent;	/* of what lies in `out` */
	bool has_begun; /* something was received */
	int fault;	/* X509_V_ERR_*: the first that was found with the certificate */
};

/* What the first record of either side is (RFC 8446, 5.1): an alert or a handshake. */
#define RECORD_ALERT	 21
#define RECORD_HANDSHAKE 22

/* ---- life ---- */

/*
 * The handshake goes on whatever the certificate is; who connects judges it afterwards. OpenSSL keeps
 * the last fault, but the first says most: one that nobody vouches for has many more.
 */
static int judge_later(int ok, X509_STORE_CTX *found)
{
	const SSL *ssl = X509_STORE_CTX_get_ex_data(found, SSL_get_ex_data_X509_STORE_CTX_idx());
	struct tls_channel *c = SSL_get_app_data(ssl);
	if (ok == 0 && c->fault == X509_V_OK) {
		c->fault = X509_STORE_CTX_get_error(found);
	}
	return 1;
}

static bool is_number(const char *host)
{
	ASN1_OCTET_STRING *number = a2i_IPADDRESS(host);
	ASN1_OCTET_STRING_free(number);
	return number != NULL;
}

/* Names are asked for (RFC 6066, 3) and checked; addresses only checked. */
static bool expect_host(SSL *ssl, const char *host)
{
	X509_VERIFY_PARAM *param = SSL_get0_param(ssl);
	SSL_set_verify(ssl, SSL_VERIFY_PEER, judge_later);
	X509_VERIFY_PARAM_set_hostflags(param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	if (is_number(host)) {
		return X509_VERIFY_PARAM_set1_ip_asc(param, host) == 1;
	}
	/* OpenSSL's parameter is not const, though the name is only read. */
	union {
		const char *in;
		char *out;
	} name = {.in = host};
	return SSL_set1_host(ssl, host) == 1 && SSL_set_tlsext_host_name(ssl, name.out) == 1;
}

struct tls_channel *tls_channel_new(const struct tls_context *context, const char *host)
{
	struct tls_channel *c = calloc(1, sizeof(*c));
	SSL *ssl = SSL_new(context->ctx);
	BIO *in = BIO_new(BIO_s_mem());
	BIO *out = BIO_new(BIO_s_mem());
	bool done = c != NULL && ssl != NULL && in != NULL && out != NULL;
	if (!done || (host != NULL && !expect_host(ssl, host))) {
		BIO_free(in);
		BIO_free(out);
		SSL_free(ssl);
		free(c);
		ERR_clear_error();
		return NULL;
	}
	ERR_clear_error();
	(void)SSL_set_app_data(ssl, c);
	SSL_set_bio(ssl, in, out);
	if (host != NULL) {
		SSL_set_connect_state(ssl);
	} else {
		SSL_set_accept_state(ssl);
	}
	c->ssl = ssl;
	c->out = out;
	return c;
}

void tls_channel_free(struct tls_channel *c)
{
	if (c != NULL) {
		SSL_free(c->ssl);
		free(c);
	}
}

/* ---- what went wrong ---- */

static const char *explain(unsigned long code)
{
	if (ERR_GET_LIB(code) == ERR_LIB_SSL) {
		switch (ERR_GET_REASON(code)) {
		case SSL_R_WRONG_VERSION_NUMBER:
			return "what came is not TLS";
		case SSL_R_UNSUPPORTED_PROTOCOL:
		case SSL_R_VERSION_TOO_LOW:
			return "the other side speaks only versions of TLS before 1.2";
		case SSL_R_NO_SHARED_CIPHER:
			return "no cipher in common";
		default:
			break;
		}
	}
	const char *reason = ERR_reason_error_string(code); /* a text of OpenSSL's tables */
	return reason == NULL ? "the handshake failed" : reason;
}

/* A call returned `result`, no success: the state it leaves. */
static void look_why(struct tls_channel *c, int result)
{
	switch (SSL_get_error(c->ssl, result)) {
	case SSL_ERROR_WANT_READ:
	case SSL_ERROR_WANT_WRITE: /* a memory BIO always takes more */
		break;
	case SSL_ERROR_ZERO_RETURN:
		c->state = TLS_ENDED;
		break;
	default:
		c->state = TLS_FAILED;
		c->why = explain(ERR_peek_error());
		break;
	}
	ERR_clear_error();
}

enum tls_state tls_channel_state(const struct tls_channel *c)
{
	return c->state;
}

const char *tls_channel_why(const struct tls_channel *c)
{
	return c->why == NULL ? "" : c->why;
}

/* ---- in ---- */

static enum tls_state fail(struct tls_channel *c, const char *why)
{
	c->state = TLS_FAILED;
	c->why = why;
	ERR_clear_error();
	return c->state;
}

enum tls_state tls_channel_receive(struct tls_channel *c, struct slice bytes)
{
	ASSERT(bytes.len <= INT_MAX);
	if (bytes.len > 0 && !c->has_begun) {
		/* OpenSSL takes the beginning of our own protocol for a long hello of SSL 2, and waits for its rest. */
		c->has_begun = true;
		if (bytes.data[0] != RECORD_HANDSHAKE && bytes.data[0] != RECORD_ALERT) {
			/* Fatal, unexpected_message: so that the other side can say what is wrong. */
			static const unsigned char alert[] = {RECORD_ALERT, 3, 1, 0, 2, 2, 10};
			(void)BIO_write(c->out, alert, sizeof(alert));
			return fail(c, "what came is not TLS");
		}
	}
	if (bytes.len > 0 &&
	    BIO_write(SSL_get_rbio(c->ssl), bytes.data, (int)bytes.len) != (int)bytes.len) {
		return fail(c, "out of memory");
	}
	if (c->state == TLS_SHAKING) {
		int done = SSL_do_handshake(c->ssl);
		if (done == 1) {
			c->state = TLS_OPEN;
		} else {
			look_why(c, done);
		}
	}
	return c->state;
}

size_t tls_channel_read(struct tls_channel *c, char *out, size_t size)
{
	size_t n = 0;
	if (c->state != TLS_OPEN) {
		return 0;
	}
	int done = SSL_read_ex(c->ssl, out, size, &n);
	if (done != 1) {
		look_why(c, done);
		return 0;
	}
	return n;
}

/* ---- out ---- */

enum err tls_channel_write(struct tls_channel *c, struct slice bytes)
{
	size_t n = 0;
	if (c->state != TLS_OPEN && c->state != TLS_ENDED) {
		return ERR_CLOSED;
	}
	if (bytes.len == 0) {
		return OK;
	}
	int done = SSL_write_ex(c->ssl, bytes.data, bytes.len, &n);
	if (done != 1) {
		look_why(c, done);
		return ERR_NOMEM; /* all else that could stop it has ended the channel before */
	}
	ASSERT_CMP(n, ==, bytes.len);
	return OK;
}

void tls_channel_end(struct tls_channel *c)
{
	if (c->state == TLS_OPEN || c->state == TLS_ENDED) {
		(void)SSL_shutdown(c->ssl);
		ERR_clear_error();
	}
}

struct slice tls_channel_output(const struct tls_channel *c)
{
	char *data = NULL;
	long len = BIO_get_mem_data(c->out, &data);
	return len > 0 ? slice_of(data + c->sent, (size_t)len - c->sent) : (struct slice){0};
}

void tls_channel_sent(struct tls_channel *c, size_t len)
{
	c->sent += len;
	if (c->sent > 0 && tls_channel_output(c).len == 0) {
		(void)BIO_reset(c->out);
		c->sent = 0;
	}
}

bool tls_is_alert(struct slice bytes)
{
	return bytes.len >= 3 && bytes.data[0] == RECORD_ALERT && bytes.data[1] == 3;
}

/* ---- who is there ---- */

void tls_channel_peer(const struct tls_channel *c, struct tls_peer *out)
{
	long verdict = c->fault != X509_V_OK ? c->fault : SSL_get_verify_result(c->ssl);
	tls_fingerprint_of(SSL_get0_peer_certificate(c->ssl), &out->fingerprint);
	out->is_vouched = verdict == X509_V_OK && SSL_get0_peer_certificate(c->ssl) != NULL;
	out->why = out->is_vouched ? "" : X509_verify_cert_error_string(verdict);
}
