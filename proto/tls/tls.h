/*
 * tls.h - TLS over buffers: certificates, and channels that decrypt received bytes and encrypt
 * bytes to send.
 *
 * OpenSSL, TLS 1.2 and 1.3; nothing here uses sockets, files or an event loop. A server requests no
 * client certificates, and there is no renegotiation.
 *
 * A server is given its certificate. A client checks no certificate during the handshake;
 * afterwards it learns the fingerprint, and whether the system's authorities vouch for the name.
 * It must not send anything before it has decided.
 *
 * Life: tls_context_*() .. tls_context_free(); channels may outlive their context.
 * tls_channel_new() .. tls_channel_free(). Both free functions accept NULL.
 */
#ifndef PROTO_TLS_TLS_H
#define PROTO_TLS_TLS_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "proto/keys/fingerprint.h"

/* ---- certificates ---- */

/*
 * Create a key (P-256) and a self-signed certificate, both appended as PEM: for a server without
 * an authority, identified by its fingerprint. It never expires, because expiry would not help
 * those who have stored the fingerprint.
 *
 * ERR_NOMEM  memory is out.
 * ERR_IO     OpenSSL has no randomness.
 */
NODISCARD enum err tls_make_certificate(struct buf *certificate, struct buf *key);

struct tls_context;

#define TLS_SHARED_KEY_BYTES 32

/*
 * Create the context of a server with this certificate, followed by those of its authorities, and
 * its key, as PEM.
 *
 * ERR_INVALID  one cannot be read, the key does not match, or they are too weak for clients (RSA
 *              below 2,048 bits, SHA-1); *why says which.
 * ERR_NOMEM    memory is out.
 */
NODISCARD enum err tls_context_serve(struct slice certificate, struct slice key, struct tls_context **out,
				     struct errmsg *why);

/*
 * Create the context of a client. ERR_NOMEM.
 *
 * @with_authorities  accept the system's authorities (SSL_CERT_FILE and SSL_CERT_DIR override
 *                    them); otherwise no authority vouches for a server, and nothing is read.
 */
NODISCARD enum err tls_context_connect(bool with_authorities, struct tls_context **out);

/*
 * Create the context of a client of servers of another kind, such as Redis, to which the protocol
 * is not offered (ALPN). All as PEM.
 *
 * @authorities       the only ones that vouch for a server; empty: those of the system.
 * @certificate, @key  for servers that ask for a certificate; empty: none.
 *
 * ERR_INVALID  one cannot be read, or the key does not match; *why says which.
 * ERR_NOMEM    memory is out.
 */
NODISCARD enum err tls_context_trust(struct slice authorities, struct slice certificate, struct slice key,
				     struct tls_context **out, struct errmsg *why);

/*
 * Create the context of both ends of connections between those that have the same key, which is
 * secret and as good as random: TLS 1.3, no certificate, and forward secrecy. Whoever has another
 * key fails in the handshake, on either end; so does one that offers a certificate. ERR_NOMEM.
 */
NODISCARD enum err tls_context_share(const unsigned char key[TLS_SHARED_KEY_BYTES], struct tls_context **out);
void tls_context_free(struct tls_context *context);

/*
 * Check that the server's certificate is valid now. If it is not, a renewal has failed or the
 * clock is wrong: ERR_INVALID, and *why has the dates.
 */
NODISCARD enum err tls_context_is_valid_now(const struct tls_context *context, struct errmsg *why);

/* Return the fingerprint of the server's own certificate. */
void tls_context_fingerprint(const struct tls_context *context, struct fingerprint *out);

/* ---- channels ---- */

struct tls_channel;

enum tls_state {
	TLS_SHAKING, /* the handshake is not finished */
	TLS_OPEN,
	TLS_ENDED, /* the other side has ended the stream */
	TLS_FAILED /* tls_channel_why() has the reason; the remaining output is an alert */
};

/*
 * Create a channel; NULL if memory is out. @host: for a client, the name or address of the
 * server, which is sent and checked; for a server NULL.
 */
struct tls_channel *tls_channel_new(const struct tls_context *context, const char *host);
/* Create the channel of a client that has a key in common with its server; NULL if memory is out. */
struct tls_channel *tls_channel_connect_shared(const struct tls_context *context);
void tls_channel_free(struct tls_channel *channel);

/* Of a new channel of a server: its clients are browsers, which speak HTTP/1.1 and not the protocol (ALPN, RFC 7301). */
void tls_channel_serve_web(struct tls_channel *channel);

/*
 * Pass in bytes received by the socket, and continue the handshake; a client starts it by a first
 * call without bytes. All bytes are consumed.
 */
enum tls_state tls_channel_receive(struct tls_channel *channel, struct slice bytes);

/*
 * Store received bytes until the next tls_channel_receive(), which then continues the handshake.
 * TLS_FAILED if they are not TLS.
 */
enum tls_state tls_channel_take(struct tls_channel *channel, struct slice bytes);

/* Return whether bytes received as plain text are a TLS alert: the other side expects TLS. */
bool tls_is_alert(struct slice bytes);

/*
 * Read up to `size` decrypted bytes; returns 0 if there are no more now, or if the state has
 * changed.
 */
size_t tls_channel_read(struct tls_channel *channel, char *out, size_t size);

enum tls_state tls_channel_state(const struct tls_channel *channel);

/*
 * Return whether part of a record has been received, after everything that tls_channel_read()
 * returns was read.
 */
bool tls_channel_is_amid_record(const struct tls_channel *channel);

/*
 * Encrypt bytes in a channel that is TLS_OPEN, or TLS_ENDED by the other side. ERR_NOMEM,
 * ERR_CLOSED.
 */
NODISCARD enum err tls_channel_write(struct tls_channel *channel, struct slice bytes);
/* End the stream in this direction. */
void tls_channel_end(struct tls_channel *channel);

/* Return the encrypted output; valid until the next call except tls_channel_state(). */
struct slice tls_channel_output(const struct tls_channel *channel);
/* Report that so many bytes of the output have been sent. */
void tls_channel_sent(struct tls_channel *channel, size_t len);

/* Return why a channel has failed: static text for people. */
const char *tls_channel_why(const struct tls_channel *channel);

/* What a client must know before it writes, once the state is TLS_OPEN. */
struct tls_peer {
	struct fingerprint fingerprint;
	/* an authority of the context vouches for it, for this host, at this time */
	bool is_vouched;
	/* its key is too weak (RSA below 2,048 bits), so its fingerprint proves nothing */
	bool is_weak;
	/* why no authority vouches for it, to follow "the certificate ..."; static text */
	const char *why;
};
void tls_channel_peer(const struct tls_channel *channel, struct tls_peer *out);

#endif
