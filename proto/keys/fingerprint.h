/*
 * fingerprint.h - a server's certificate in short: "SHA256:" and the SHA-256 of its DER
 * form in base64 without padding, as ssh writes those of its keys. What makes one of a
 * certificate is proto/tls.
 *
 * A pin says which certificate is the right one: a whole fingerprint, or the first 128 bits of it, which no other
 * certificate can be made to have and which fit a line. Programs keep whole ones; people read and paste short ones.
 */
#ifndef PROTO_KEYS_FINGERPRINT_H
#define PROTO_KEYS_FINGERPRINT_H

#include <stdbool.h>

#include "proto/base/slice.h"

#define FINGERPRINT_PREFIX	"SHA256:"
#define FINGERPRINT_CHARS	50 /* of 256 bits */
#define FINGERPRINT_SHORT_CHARS 29 /* of 128 bits */

struct fingerprint {
	char text[FINGERPRINT_CHARS + 1]; /* "": none */
};

/* Whether the text has the form of a whole one. */
bool fingerprint_is_formed(struct slice text);

/* Whether the text has the form of a pin: of 128 bits or of 256, and of nothing between. */
bool fingerprint_is_pin(struct slice text);

/* The first 128 bits of one, "SHA256:" and 22 characters; of a short one and of none itself. */
struct fingerprint fingerprint_shorten(const struct fingerprint *of);

/* Whether the pin is that of the certificate with the whole fingerprint; "" is nobody's. */
bool fingerprint_pins(const struct fingerprint *pin, const struct fingerprint *certificate);

#endif
