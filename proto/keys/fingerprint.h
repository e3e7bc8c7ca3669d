/*
 * fingerprint.h - fingerprints of a server's certificate: "SHA256:" and the SHA-256 of its DER
 * form in base64 without padding, as ssh writes those of its keys. Fingerprints are computed in
 * proto/tls.
 *
 * A pin says which certificate is expected: a whole fingerprint, or its first 128 bits, which are
 * infeasible to forge and fit into a line. Programs store whole ones; people read and paste short
 * ones.
 */
#ifndef PROTO_KEYS_FINGERPRINT_H
#define PROTO_KEYS_FINGERPRINT_H

#include <stdbool.h>

#include "proto/base/slice.h"

#define FINGERPRINT_PREFIX	"SHA256:"
#define FINGERPRINT_CHARS	50 /* all 256 bits */
#define FINGERPRINT_SHORT_CHARS 29 /* the first 128 bits */

struct fingerprint {
	char text[FINGERPRINT_CHARS + 1]; /* "": none */
};

/* Return whether the text has the form of a whole fingerprint. */
bool fingerprint_is_formed(struct slice text);

/* Return whether the text has the form of a pin: of exactly 128 or 256 bits. */
bool fingerprint_is_pin(struct slice text);

/*
 * Return the short form, "SHA256:" and 22 characters. A short one and an empty one are returned
 * unchanged.
 */
struct fingerprint fingerprint_shorten(const struct fingerprint *of);

/* Return whether the pin matches the certificate with this whole fingerprint; "" matches none. */
bool fingerprint_pins(const struct fingerprint *pin, const struct fingerprint *certificate);

/*
 * Write the digest of a whole fingerprint as browsers show it: "8C:3F:..", 32 pairs. Returns false,
 * and writes "", if it is not a whole one.
 */
#define FINGERPRINT_HEX_CHARS 95
bool fingerprint_hex(const struct fingerprint *of, char out[FINGERPRINT_HEX_CHARS + 1]);

#endif
