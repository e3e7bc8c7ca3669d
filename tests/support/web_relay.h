/*
 * web_relay.h - the way of a relay to a server's http:// address, or through an https_relay to its https://
 * address: MessagePack-RPC becomes a WebSocket with JSON.
 *
 * It is a client of its own, and shares no code with the server's web. It adds and drops nothing: what
 * is no MessagePack is sent as a text of those bytes, half a message as a fragment, an end as a close;
 * and while the test takes nothing, nothing is read for it from the server. An answer of HTTP that
 * refuses becomes a server.closing with its text.
 */
#ifndef TESTS_SUPPORT_WEB_RELAY_H
#define TESTS_SUPPORT_WEB_RELAY_H

#include "tests/support/relay.h"

extern const struct relay_way web_relay;

#endif
