/*
 * web_relay.h - a process that turns MessagePack-RPC into a WebSocket with JSON, so that what a test
 * says over a unix socket goes to a server's http:// address.
 *
 * It is a client of its own, and shares no code with the server's web. It adds and drops nothing: what
 * is no MessagePack is sent as a text of those bytes, half a message as a fragment, an end as a close;
 * and while the test takes nothing, nothing is read for it from the server. An answer of HTTP that
 * refuses becomes a server.closing with its text.
 */
#ifndef TESTS_SUPPORT_WEB_RELAY_H
#define TESTS_SUPPORT_WEB_RELAY_H

#include <sys/types.h>

/* As tls_relay_start(), to a server's http:// address. */
pid_t web_relay_start(const char *path, int port);

#endif
