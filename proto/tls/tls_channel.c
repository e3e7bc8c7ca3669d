/*
 * tls_channel.c - one connection's TLS: handshake, records, end.
 *
 * The socket's side is a BIO of our own over two buffers: what was received is copied
 * into one, what is to be sent is read from the other in place. BIO_s_mem() would keep
 * the most that ever lay in it, and wipe all of that each time it is emptied.
 */
#include "proto/tls/tls_priv.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "proto/base/assert.h"

/* A buffer that was emptied keeps so much: enough for small messages, and little for an idle connection. */
#define TLS_KEEP_BYTES 1024

/* Bytes that wait, the first of which are done with. */
struct tls_waits {
	struct buf bytes;
	size_t done;
};

struct tls_channel {
	SSL *ssl;
	enum tls_state state;
	const char *why;
	struct tls_waits in; /* received, and not yet read by OpenSSL */
	struct tls_waits out;
	bool has_begun; /* something was received */
	int fault;	/* X509_V_ERR_*: the first that was found with the certificate */
	bool is_web;	/* of a server whose clients are browsers */
	bool is_shared; /* nothing but the key in common opens it */
};

/* What the first record of either side is (RFC 8446, 5.1): an alert or a handshake. */
#define RECORD_ALERT	 21
#define RECORD_HANDSHAKE 22

/* ---- the socket's side ---- */

static struct slice waits_left(const struct tls_waits *w)
{
	return w->done == w->bytes.len ? (struct slice){0}
				       : slice_of(w->bytes.data + w->done, w->bytes.len - w->done);
}

static void waits_done(struct tls_waits *w, size_t len)
{
	ASSERT_CMP(len, <=, w->bytes.len - w->done);
	w->done += len;
	if (w->done < w->bytes.len) {
		return;
	}
	w->done = 0;
	w->bytes.len = 0;
	if (w->bytes.capacity > TLS_KEEP_BYTES) {
		(void)buf_take(&w->bytes); /* of an empty one: its memory is given back */
	}
}

static int channel_bio_read(BIO *bio, char *out, int size)
{
	struct tls_channel *c = BIO_get_data(bio);
	struct slice left = waits_left(&c->in);
	size_t n = left.len < (size_t)size ? left.len : (size_t)size;
	BIO_clear_retry_flags(bio);
	if (n == 0) {
		BIO_set_retry_read(bio);
		return -1;
	}
	memcpy(out, left.data, n);
	waits_done(&c->in, n);
	return (int)n;
}

static int channel_bio_write(BIO *bio, const char *bytes, int len)
{
	struct tls_channel *c = BIO_get_data(bio);
	BIO_clear_retry_flags(bio);
	return buf_append(&c->out.bytes, bytes, (size_t)len) == OK ? len : -1;
}

static long channel_bio_ctrl(BIO *bio, int command, long number, void *arg)
{
	(void)bio, (void)number, (void)arg;
	return command == BIO_CTRL_FLUSH ? 1 : 0;
}

/* One for the process: it is a table of the functions above. NULL where memory was out. */
static BIO_METHOD *channel_bio;

static void make_channel_bio(void)
{
	channel_bio = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "tls_channel");
	if (channel_bio != NULL) {
		(void)BIO_meth_set_read(channel_bio, channel_bio_read);
		(void)BIO_meth_set_write(channel_bio, channel_bio_write);
		(void)BIO_meth_set_ctrl(channel_bio, channel_bio_ctrl);
	}
}

static BIO *new_channel_bio(struct tls_channel *c)
{
	static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
	(void)CRYPTO_THREAD_run_once(&once, make_channel_bio);
	BIO *bio = channel_bio == NULL ? NULL : BIO_new(channel_bio);
	if (bio != NULL) {
		BIO_set_data(bio, c);
		BIO_set_init(bio, 1);
	}
	return bio;
}

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
	X509_VERIFY_PARAM_set_hostflags(param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS |
						       X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
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

static struct tls_channel *channel_new(const struct tls_context *context, const char *host,
				       bool connects)
{
	struct tls_channel *c = calloc(1, sizeof(*c));
	SSL *ssl = SSL_new(context->ctx);
	BIO *bio = c == NULL ? NULL : new_channel_bio(c);
	if (ssl == NULL || bio == NULL || (host != NULL && !expect_host(ssl, host))) {
		BIO_free(bio);
		SSL_free(ssl);
		free(c);
		ERR_clear_error();
		return NULL;
	}
	ERR_clear_error();
	buf_init(&c->in.bytes, SIZE_MAX); /* whoever receives and writes has bounds */
	buf_init(&c->out.bytes, SIZE_MAX);
	(void)SSL_set_app_data(ssl, c);
	SSL_set_bio(ssl, bio, bio); /* which takes it once where both are the same */
	if (connects) {
		SSL_set_connect_state(ssl);
	} else {
		SSL_set_accept_state(ssl);
	}
	c->ssl = ssl;
	c->is_shared = context->shared != NULL;
	return c;
}

struct tls_channel *tls_channel_new(const struct tls_context *context, const char *host)
{
	return channel_new(context, host, host != NULL);
}

struct tls_channel *tls_channel_connect_shared(const struct tls_context *context)
{
	return channel_new(context, NULL, true);
}

void tls_channel_serve_web(struct tls_channel *c)
{
	c->is_web = true;
}

bool tls_channel_is_web(const SSL *ssl)
{
	const struct tls_channel *c = SSL_get_app_data(ssl);
	return c->is_web;
}

void tls_channel_free(struct tls_channel *c)
{
	if (c != NULL) {
		SSL_free(c->ssl);
		buf_finish(&c->in.bytes);
		buf_finish(&c->out.bytes);
		free(c);
	}
}

/* ---- what went wrong ---- */

static const char *explain(unsigned long code)
{
	if (ERR_GET_LIB(code) == ERR_LIB_SSL) {
		switch (ERR_GET_REASON(code)) {
		case SSL_R_WRONG_VERSION_NUMBER:
			return "the data received is not TLS";
		case SSL_R_UNSUPPORTED_PROTOCOL:
		case SSL_R_VERSION_TOO_LOW:
			return "the other side supports only TLS versions before 1.2";
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
	case SSL_ERROR_WANT_WRITE: /* ours always takes more */
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

enum tls_state tls_channel_take(struct tls_channel *c, struct slice bytes)
{
	if (c->state == TLS_ENDED || c->state == TLS_FAILED) {
		return c->state; /* nobody reads it any more, so it would only pile up */
	}
	if (bytes.len > 0 && !c->has_begun) {
		/* OpenSSL takes the beginning of our own protocol for a long hello of SSL 2, and waits for its rest. */
		c->has_begun = true;
		if (bytes.data[0] != RECORD_HANDSHAKE && bytes.data[0] != RECORD_ALERT) {
			/* Fatal, unexpected_message: so that the other side can say what is wrong. */
			static const unsigned char alert[] = {RECORD_ALERT, 3, 1, 0, 2, 2, 10};
			(void)buf_append(&c->out.bytes, alert, sizeof(alert));
			return fail(c, "the data received is not TLS");
		}
	}
	return buf_append_slice(&c->in.bytes, bytes) == OK ? c->state : fail(c, "out of memory");
}

enum tls_state tls_channel_receive(struct tls_channel *c, struct slice bytes)
{
	if (tls_channel_take(c, bytes) == TLS_SHAKING) {
		int done = SSL_do_handshake(c->ssl);
		if (done == 1 && c->is_shared && SSL_session_reused(c->ssl) != 1) {
			return fail(c, "it does not have the key");
		}
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

/* Of a header that has come whole, without a byte behind it, only the state of the record layer knows (SSL_rstate_string(3)). */
bool tls_channel_is_amid_record(const struct tls_channel *c)
{
	return SSL_has_pending(c->ssl) == 1 || strcmp(SSL_rstate_string(c->ssl), "RB") == 0;
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
	return waits_left(&c->out);
}

void tls_channel_sent(struct tls_channel *c, size_t len)
{
	waits_done(&c->out, len);
}

bool tls_is_alert(struct slice bytes)
{
	return bytes.len >= 3 && bytes.data[0] == RECORD_ALERT && bytes.data[1] == 3;
}

/* ---- who is there ---- */

/* What people read of the faults that they meet; of others OpenSSL's own words. */
static const struct {
	int fault;
	const char *words;
} faults[] = {
	{X509_V_ERR_CERT_HAS_EXPIRED, "has expired"},
	{X509_V_ERR_CERT_NOT_YET_VALID, "is not yet valid, or the clock here is wrong"},
	{X509_V_ERR_HOSTNAME_MISMATCH, "is for another hostname"},
	{X509_V_ERR_IP_ADDRESS_MISMATCH, "is for another address"},
	{X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "is self-signed"},
	{X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, "was issued by an authority unknown here"},
	{X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, "was issued by an authority unknown here"},
	{X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, "was issued by an authority unknown here"},
	{X509_V_ERR_EE_KEY_TOO_SMALL, TLS_WEAK_KEY},
	{X509_V_ERR_CA_KEY_TOO_SMALL, "was issued by an authority whose key is too weak"},
	{X509_V_ERR_CA_MD_TOO_WEAK, "is signed with too weak a digest, like SHA-1"},
};

static const char *explain_fault(long fault)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		if (faults[i].fault == fault) {
			return faults[i].words;
		}
	}
	return X509_verify_cert_error_string(fault);
}

void tls_channel_peer(const struct tls_channel *c, struct tls_peer *out)
{
	long verdict = c->fault != X509_V_OK ? c->fault : SSL_get_verify_result(c->ssl);
	X509 *certificate = SSL_get0_peer_certificate(c->ssl);
	EVP_PKEY *key = certificate == NULL ? NULL : X509_get0_pubkey(certificate);
	tls_fingerprint_of(certificate, &out->fingerprint);
	out->is_weak = key == NULL || EVP_PKEY_get_security_bits(key) < TLS_SECURITY_BITS;
	out->is_vouched = verdict == X509_V_OK && !out->is_weak;
	out->why = out->is_vouched ? "" : out->is_weak ? TLS_WEAK_KEY : explain_fault(verdict);
}
