/*
 * tls_relay.h - the way of a relay to a server's tls:// address.
 *
 * What it is not: a client. It looks at no certificate, and adds and drops nothing:
 * an end of either side is passed on, and while one side takes nothing, nothing is
 * read for it from the other.
 */
#ifndef TESTS_SUPPORT_TLS_RELAY_H
#define TESTS_SUPPORT_TLS_RELAY_H

#include "tests/support/relay.h"

extern const struct relay_way tls_relay;

#endif
