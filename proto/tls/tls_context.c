/*
 * tls_context.c - certificates and keys: made, read, written short.
 */
#include "proto/tls/tls_priv.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"

/* What sessions are remembered under: tickets of one server are no other's. */
static const unsigned char session_id[] = "aye";

/* ---- fingerprints ---- */

void tls_fingerprint_of(X509 *certificate, struct fingerprint *out)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned char base64[64];
	unsigned n = 0;
	bool done = certificate != NULL &&
		    X509_digest(certificate, EVP_sha256(), digest, &n) == 1 && n == 32;
	/* 32 bytes are 43 characters, and one of padding. */
	(void)EVP_EncodeBlock(base64, digest, done ? 32 : 0);
	(void)format_to(out->text, sizeof(out->text), FINGERPRINT_PREFIX "%.43s",
			done ? (const char *)base64 : "");
}

/* ---- making one ---- */

static enum err append_pem(BIO *bio, struct buf *out)
{
	char *data = NULL;
	long len = BIO_get_mem_data(bio, &data);
	return len <= 0 ? ERR_NOMEM : buf_append(out, data, (size_t)len);
}

/* Until the last second that a certificate can name: RFC 5280, 4.1.2.5, for "no well-defined end". */
static bool sign_itself(X509 *x, EVP_PKEY *key)
{
	static const unsigned char name[] = "ayed";
	unsigned char serial[16];
	X509_NAME *subject = X509_get_subject_name(x);
	BIGNUM *number = RAND_bytes(serial, sizeof(serial)) == 1
				 ? BN_bin2bn(serial, sizeof(serial), NULL)
				 : NULL;
	bool done = number != NULL &&
		    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x)) != NULL &&
		    X509_set_version(x, X509_VERSION_3) == 1 &&
		    ASN1_TIME_set_string_X509(X509_getm_notBefore(x), "20200101000000Z") == 1 &&
		    ASN1_TIME_set_string_X509(X509_getm_notAfter(x), "99991231235959Z") == 1 &&
		    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, name, -1, -1, 0) == 1 &&
		    X509_set_issuer_name(x, subject) == 1 && X509_set_pubkey(x, key) == 1 &&
		    X509_sign(x, key, EVP_sha256()) > 0;
	BN_free(number);
	return done;
}

enum err tls_make_certificate(struct buf *certificate, struct buf *key)
{
	EVP_PKEY *pair = EVP_EC_gen("P-256");
	X509 *x = X509_new();
	BIO *certificate_pem = BIO_new(BIO_s_mem());
	BIO *key_pem = BIO_new(BIO_s_secmem());
	enum err e = pair == NULL ? ERR_IO : ERR_NOMEM;
	if (pair != NULL && x != NULL && certificate_pem != NULL && key_pem != NULL &&
	    sign_itself(x, pair) && PEM_write_bio_X509(certificate_pem, x) == 1 &&
	    PEM_write_bio_PrivateKey(key_pem, pair, NULL, NULL, 0, NULL, NULL) == 1) {
		e = append_pem(certificate_pem, certificate);
		e = e != OK ? e : append_pem(key_pem, key);
	}
	BIO_free(key_pem);
	BIO_free(certificate_pem);
	X509_free(x);
	EVP_PKEY_free(pair);
	ERR_clear_error();
	return e;
}

/* ---- contexts ---- */

static SSL_CTX *new_context(const SSL_METHOD *method)
{
	SSL_CTX *ctx = SSL_CTX_new(method);
	if (ctx == NULL) {
		return NULL;
	}
	if (SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION) != 1) {
		SSL_CTX_free(ctx);
		return NULL;
	}
	/* No SHA-1 either. Of suites those with forward secrecy. */
	SSL_CTX_set_security_level(ctx, TLS_SECURITY_LEVEL);
	(void)SSL_CTX_set_cipher_list(ctx, "ECDHE+AESGCM:ECDHE+CHACHA20");
	(void)SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
					       SSL_OP_CLEANSE_PLAINTEXT);
	/* An idle connection keeps no buffers; a message may leave in pieces. */
	(void)SSL_CTX_set_mode(ctx, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_AUTO_RETRY);
	return ctx;
}

/* As the call of OpenSSL that failed last explains it. */
static enum err refuse(struct errmsg *why, const char *what)
{
	unsigned long code = ERR_peek_last_error();
	const char *reason = ERR_reason_error_string(code);
	bool is_memory = ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
	errmsg_set(why, "%s: %s", what, reason == NULL ? "not PEM" : reason);
	ERR_clear_error();
	return is_memory ? ERR_NOMEM : ERR_INVALID;
}

static enum err use_certificates(SSL_CTX *ctx, BIO *pem, struct errmsg *why)
{
	X509 *x = PEM_read_bio_X509(pem, NULL, NULL, NULL);
	if (x == NULL) {
		return refuse(why, "cannot read the certificate");
	}
	int used = SSL_CTX_use_certificate(ctx, x);
	X509_free(x);
	if (used != 1) {
		return refuse(why, "cannot use the certificate");
	}
	while ((x = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
		if (SSL_CTX_add0_chain_cert(ctx, x) != 1) {
			X509_free(x);
			return refuse(why, "cannot use a certificate after the first");
		}
	}
	/* The end of the text is where no further one begins. */
	if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
		return refuse(why, "cannot read a certificate after the first");
	}
	ERR_clear_error();
	return OK;
}

/* There is nobody to ask for a passphrase. */
static int no_passphrase(char *out, int size, int writes, void *arg)
{
	(void)out, (void)size, (void)writes, (void)arg;
	return -1;
}

static enum err use_key(SSL_CTX *ctx, BIO *pem, struct errmsg *why)
{
	EVP_PKEY *key = PEM_read_bio_PrivateKey(pem, NULL, no_passphrase, NULL);
	if (key == NULL) {
		return refuse(why, "cannot read the key (it must not have a passphrase)");
	}
	int used = SSL_CTX_use_PrivateKey(ctx, key);
	EVP_PKEY_free(key);
	if (used != 1 || SSL_CTX_check_private_key(ctx) != 1) {
		return refuse(why, "the key does not belong to the certificate");
	}
	return OK;
}

/*
 * The name of our protocol (RFC 7301). A client may leave it out; one that speaks
 * others and not this, as a browser that was led here, is refused before it sends anything.
 */
static const unsigned char protocol[] = {3, 'a', 'y', 'e'};
/* Of channels for browsers, which are in turn for no one else. */
static const unsigned char web_protocol[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *len,
			   const unsigned char *offered, unsigned offered_len, void *arg)
{
	const unsigned char *spoken = tls_channel_is_web(ssl) ? web_protocol : protocol;
	size_t spoken_len = 1U + spoken[0];
	(void)arg;
	for (unsigned at = 0; at < offered_len; at += 1U + offered[at]) {
		bool is_whole = offered_len - at >= spoken_len;
		if (is_whole && memcmp(offered + at, spoken, spoken_len) == 0) {
			*out = spoken + 1;
			*len = spoken[0];
			return SSL_TLSEXT_ERR_OK;
		}
	}
	return SSL_TLSEXT_ERR_ALERT_FATAL;
}

static struct tls_context *hand_out(SSL_CTX *ctx)
{
	struct tls_context *context = calloc(1, sizeof(*context));
	if (context == NULL) {
		SSL_CTX_free(ctx);
		return NULL;
	}
	context->ctx = ctx;
	return context;
}

enum err tls_context_serve(struct slice certificate, struct slice key, struct tls_context **out,
			   struct errmsg *why)
{
	ASSERT(certificate.len <= INT_MAX && key.len <= INT_MAX);
	SSL_CTX *ctx = new_context(TLS_server_method());
	BIO *certificate_pem = BIO_new_mem_buf(certificate.data, (int)certificate.len);
	BIO *key_pem = BIO_new_mem_buf(key.data, (int)key.len);
	enum err e = ctx == NULL || certificate_pem == NULL || key_pem == NULL ? ERR_NOMEM : OK;
	e = e != OK ? e : use_certificates(ctx, certificate_pem, why);
	e = e != OK ? e : use_key(ctx, key_pem, why);
	BIO_free(key_pem);
	BIO_free(certificate_pem);
	if (e == ERR_NOMEM) {
		errmsg_set(why, "out of memory");
	}
	if (e != OK) {
		SSL_CTX_free(ctx);
		return e;
	}
	SSL_CTX_set_alpn_select_cb(ctx, choose_protocol, NULL);
	(void)SSL_CTX_set_session_id_context(ctx, session_id, sizeof(session_id) - 1);
	*out = hand_out(ctx);
	return *out == NULL ? ERR_NOMEM : OK;
}

enum err tls_context_connect(bool with_authorities, struct tls_context **out)
{
	SSL_CTX *ctx = new_context(TLS_client_method());
	if (ctx == NULL) {
		return ERR_NOMEM;
	}
	if (SSL_CTX_set_alpn_protos(ctx, protocol, sizeof(protocol)) != 0) { /* 0 is success */
		SSL_CTX_free(ctx);
		return ERR_NOMEM;
	}
	if (with_authorities) {
		(void)SSL_CTX_set_default_verify_paths(
			ctx); /* where there are none, none vouches */
		ERR_clear_error();
	}
	*out = hand_out(ctx);
	return *out == NULL ? ERR_NOMEM : OK;
}

/* OpenSSL refuses a text at NULL, even an empty one. */
static BIO *bio_of(struct slice pem)
{
	ASSERT(pem.len <= INT_MAX);
	return BIO_new_mem_buf(pem.len == 0 ? "" : pem.data, (int)pem.len);
}

static enum err use_authorities(SSL_CTX *ctx, BIO *pem, struct errmsg *why)
{
	X509_STORE *store = SSL_CTX_get_cert_store(ctx);
	size_t n = 0;
	X509 *x;
	while ((x = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
		int added = X509_STORE_add_cert(store, x);
		X509_free(x);
		if (added != 1) {
			return refuse(why, "cannot use an authority");
		}
		n++;
	}
	/* As with a server's certificates. */
	if (n == 0 || ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
		return refuse(why, "cannot read the authorities");
	}
	ERR_clear_error();
	return OK;
}

enum err tls_context_trust(struct slice authorities, struct slice certificate, struct slice key,
			   struct tls_context **out, struct errmsg *why)
{
	SSL_CTX *ctx = new_context(TLS_client_method());
	BIO *authorities_pem = bio_of(authorities);
	BIO *certificate_pem = bio_of(certificate);
	BIO *key_pem = bio_of(key);
	enum err e =
		ctx == NULL || authorities_pem == NULL || certificate_pem == NULL || key_pem == NULL
			? ERR_NOMEM
			: OK;
	if (e == OK && authorities.len == 0) {
		(void)SSL_CTX_set_default_verify_paths(ctx);
		ERR_clear_error();
	} else if (e == OK) {
		e = use_authorities(ctx, authorities_pem, why);
	}
	if (e == OK && certificate.len > 0) {
		e = use_certificates(ctx, certificate_pem, why);
		e = e != OK ? e : use_key(ctx, key_pem, why);
	}
	BIO_free(key_pem);
	BIO_free(certificate_pem);
	BIO_free(authorities_pem);
	if (e == ERR_NOMEM) {
		errmsg_set(why, "out of memory");
	}
	if (e != OK) {
		SSL_CTX_free(ctx);
		return e;
	}
	*out = hand_out(ctx);
	return *out == NULL ? ERR_NOMEM : OK;
}

/* ---- a key in common ---- */

/* Names the key on the wire. There is one, and whoever has another of that name fails by it. */
static const unsigned char shared_name[] = "aye-node";
/* TLS_AES_128_GCM_SHA256 (RFC 8446, B.4), whose digest is the key's. */
static const unsigned char shared_suite[] = {0x13, 0x01};
/* OpenSSL has the key as a session, which ends after five minutes where nobody says otherwise. */
#define SHARED_LIFE_S INT32_MAX

static int shared_use(SSL *ssl, const EVP_MD *digest, const unsigned char **id, size_t *id_len,
		      SSL_SESSION **session)
{
	const struct tls_context *context = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
	(void)digest; /* in a second hello: it is still the same suite */
	*id = shared_name;
	*id_len = sizeof(shared_name) - 1;
	*session = context->shared;
	return SSL_SESSION_up_ref(context->shared);
}

static int shared_find(SSL *ssl, const unsigned char *id, size_t id_len, SSL_SESSION **session)
{
	const struct tls_context *context = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
	bool is_it = id_len == sizeof(shared_name) - 1 && memcmp(id, shared_name, id_len) == 0;
	*session = is_it ? context->shared : NULL;
	return is_it ? SSL_SESSION_up_ref(context->shared) : 1;
}

static SSL_SESSION *shared_session(SSL_CTX *ctx, const unsigned char *key)
{
	SSL *ssl = SSL_new(ctx);
	SSL_SESSION *session = SSL_SESSION_new();
	const SSL_CIPHER *suite = ssl == NULL ? NULL : SSL_CIPHER_find(ssl, shared_suite);
	bool done =
		session != NULL && suite != NULL &&
		SSL_SESSION_set1_id_context(session, shared_name, sizeof(shared_name) - 1) == 1 &&
		SSL_SESSION_set1_master_key(session, key, TLS_SHARED_KEY_BYTES) == 1 &&
		SSL_SESSION_set_cipher(session, suite) == 1 &&
		SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1 &&
		SSL_SESSION_set_timeout(session, SHARED_LIFE_S) == 1;
	SSL_free(ssl);
	if (!done) {
		SSL_SESSION_free(session);
		session = NULL;
	}
	return session;
}

/*
 * The verification of peers is on, and there is no authority: a certificate is offered in vain by
 * who does not have the key. There are no tickets, so nothing but the key begins a connection.
 */
enum err tls_context_share(const unsigned char key[TLS_SHARED_KEY_BYTES], struct tls_context **out)
{
	SSL_CTX *ctx = new_context(TLS_method());
	SSL_SESSION *session = ctx == NULL ? NULL : shared_session(ctx, key);
	struct tls_context *context = NULL;
	bool done = session != NULL && SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) == 1 &&
		    SSL_CTX_set_ciphersuites(ctx, "TLS_AES_128_GCM_SHA256") == 1 &&
		    SSL_CTX_set_num_tickets(ctx, 0) == 1;
	if (done) {
		context = hand_out(ctx);
	} else {
		SSL_CTX_free(ctx);
	}
	ERR_clear_error();
	if (context == NULL) {
		SSL_SESSION_free(session);
		return ERR_NOMEM;
	}
	context->shared = session;
	SSL_CTX_set_app_data(ctx, context);
	(void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	(void)SSL_CTX_set_session_id_context(ctx, shared_name, sizeof(shared_name) - 1);
	SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_psk_use_session_callback(ctx, shared_use);
	SSL_CTX_set_psk_find_session_callback(ctx, shared_find);
	*out = context;
	return OK;
}

void tls_context_free(struct tls_context *context)
{
	if (context != NULL) {
		SSL_SESSION_free(context->shared);
		SSL_CTX_free(context->ctx);
		free(context);
	}
}

enum err tls_context_is_valid_now(const struct tls_context *context, struct errmsg *why)
{
	const X509 *x = SSL_CTX_get0_certificate(context->ctx);
	const ASN1_TIME *from = X509_get0_notBefore(x);
	const ASN1_TIME *to = X509_get0_notAfter(x);
	bool is_early = X509_cmp_current_time(from) > 0;
	bool is_late = X509_cmp_current_time(to) < 0;
	if (!is_early && !is_late) {
		return OK;
	}
	char when[64] = "?";
	BIO *bio = BIO_new(BIO_s_mem());
	if (bio != NULL && ASN1_TIME_print(bio, is_early ? from : to) == 1) {
		(void)BIO_gets(bio, when, sizeof(when));
	}
	BIO_free(bio);
	ERR_clear_error();
	errmsg_set(why,
		   is_early ? "the certificate is not valid before %s, or the clock is wrong"
			    : "the certificate expired: it was valid until %s",
		   when);
	return ERR_INVALID;
}

void tls_context_fingerprint(const struct tls_context *context, struct fingerprint *out)
{
	tls_fingerprint_of(SSL_CTX_get0_certificate(context->ctx), out);
}
