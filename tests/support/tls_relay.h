/*
 * tls_relay.h - the ways of a relay to a server's tls:// and https:// addresses.
 *
 * What it is not: a client. It looks at no certificate, and adds and drops nothing:
 * an end of either side is passed on, and while one side takes nothing, nothing is
 * read for it from the other.
 */
#ifndef TESTS_SUPPORT_TLS_RELAY_H
#define TESTS_SUPPORT_TLS_RELAY_H

#include "tests/support/relay.h"

extern const struct relay_way tls_relay;
/* As a browser, which offers HTTP/1.1 in the handshake. */
extern const struct relay_way https_relay;

#endif
