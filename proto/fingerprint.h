/*
 * fingerprint.h - a server's certificate in short: "SHA256:" and the SHA-256 of its DER
 * form in base64 without padding, as ssh writes those of its keys. What makes one of a
 * certificate is proto/tls.
 */
#ifndef PROTO_FINGERPRINT_H
#define PROTO_FINGERPRINT_H

#include <stdbool.h>

#include "proto/slice.h"

#define FINGERPRINT_PREFIX "SHA256:"
#define FINGERPRINT_CHARS  50

struct fingerprint {
	char text[FINGERPRINT_CHARS + 1]; /* "": none */
};

/* Whether the text has the form of one. */
bool fingerprint_is_formed(struct slice text);

#endif
