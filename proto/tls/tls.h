/*
 * tls.h - TLS between bytes and bytes: certificates, and a channel that turns what
 * a socket carries into what the other side wrote, and back.
 *
 * OpenSSL over buffers, TLS 1.2 and 1.3; nothing here knows sockets, files or a
 * loop. Client certificates are not asked for, and nothing is renegotiated.
 *
 * A server is told its certificate; a client checks none while the handshake runs,
 * and is told afterwards what there is to know: the fingerprint, and whether the
 * system's authorities vouch for the name. It sends nothing before it has decided.
 *
 * Life:  tls_context_*() .. tls_context_free(), which channels outlive;
 *        tls_channel_new() .. tls_channel_free(). NULL is fine for both ends.
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
 * Make a key (P-256) and a certificate that it signs itself, both appended as PEM:
 * for a server that nobody vouches for, known by its fingerprint. It never ends,
 * since who has noted the fingerprint is not helped by an end.
 *
 * ERR_NOMEM, ERR_IO where OpenSSL has no randomness.
 */
NODISCARD enum err tls_make_certificate(struct buf *certificate, struct buf *key);

struct tls_context;

/*
 * For a server with that certificate, behind it those of its authorities, and its key, as PEM.
 *
 * ERR_INVALID  one cannot be read, the key is another one's, the pair is too weak for what
 *              clients accept (RSA below 2,048 bits, SHA-1); *why says which.  ERR_NOMEM.
 */
NODISCARD enum err tls_context_serve(struct slice certificate, struct slice key, struct tls_context **out,
				     struct errmsg *why);

/*
 * For clients. @with_authorities  those of the system vouch for servers (SSL_CERT_FILE and SSL_CERT_DIR name others);
 * without them nobody does, and nothing is read. ERR_NOMEM
 */
NODISCARD enum err tls_context_connect(bool with_authorities, struct tls_context **out);
void tls_context_free(struct tls_context *context);

/*
 * Whether the certificate to serve with is valid today. One that is not is a mistake of
 * today, of a renewal that failed or of the clock: ERR_INVALID, *why says until when it was.
 */
NODISCARD enum err tls_context_is_valid_now(const struct tls_context *context, struct errmsg *why);

/* Of a server's own certificate. */
void tls_context_fingerprint(const struct tls_context *context, struct fingerprint *out);

/* ---- channels ---- */

struct tls_channel;

enum tls_state {
	TLS_SHAKING, /* the handshake is not over */
	TLS_OPEN,
	TLS_ENDED, /* the other side sends no more */
	TLS_FAILED /* tls_channel_why() says why; what is left to send is an alert */
};

/* NULL where memory is out. @host  for a client: the name or address of the server, asked for and checked; else NULL. */
struct tls_channel *tls_channel_new(const struct tls_context *context, const char *host);
void tls_channel_free(struct tls_channel *channel);

/*
 * Take what the socket received, and go on with the handshake; a client's first call,
 * with nothing, begins it. All of it is taken.
 */
enum tls_state tls_channel_receive(struct tls_channel *channel, struct slice bytes);

/* Only keep it, for a tls_channel_receive() later. The handshake goes on then. TLS_FAILED where it is not TLS. */
enum tls_state tls_channel_take(struct tls_channel *channel, struct slice bytes);

/* Whether bytes that were to be plain are an alert: the other side expects TLS. */
bool tls_is_alert(struct slice bytes);

/* What the other side wrote: up to `size` bytes of it; 0 where there is no more now, or the state has changed. */
size_t tls_channel_read(struct tls_channel *channel, char *out, size_t size);

enum tls_state tls_channel_state(const struct tls_channel *channel);

/* Whether a record has begun to come and not ended, once all has been read that tls_channel_read() gives. */
bool tls_channel_is_amid_record(const struct tls_channel *channel);

/* Encrypt, in a channel that is TLS_OPEN, or TLS_ENDED by the other side. ERR_NOMEM, ERR_CLOSED. */
NODISCARD enum err tls_channel_write(struct tls_channel *channel, struct slice bytes);
/* Say that nothing follows. */
void tls_channel_end(struct tls_channel *channel);

/* What is to be sent; valid until the next call but tls_channel_state(). */
struct slice tls_channel_output(const struct tls_channel *channel);
/* So many bytes of it have been sent. */
void tls_channel_sent(struct tls_channel *channel, size_t len);

/* Of one that has failed: for people, a static text. */
const char *tls_channel_why(const struct tls_channel *channel);

/* What a client is to know before it writes, once the state is TLS_OPEN. */
struct tls_peer {
	struct fingerprint fingerprint;
	bool is_vouched; /* by an authority of the context, for that host, at this time */
	bool is_weak;	 /* its key can be forged, so that its fingerprint proves nothing either: RSA below 2,048 bits */
	const char *why; /* it is not vouched for, as the end of "the certificate ..."; a static text */
};
void tls_channel_peer(const struct tls_channel *channel, struct tls_peer *out);

#endif
