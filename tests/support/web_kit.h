/*
 * web_kit.h - peers of a real server's http:// address that write HTTP and WebSockets by hand, as a test
 * wants them; the rest is net_kit.h's.
 *
 * What a peer received is a text here: it has a NUL behind it, which its length counts.
 */
#ifndef TESTS_SUPPORT_WEB_KIT_H
#define TESTS_SUPPORT_WEB_KIT_H

#include "tests/support/client_frame.h"
#include "tests/support/net_kit.h"

#define WEB_TEXT_BYTES (1u << 22)

#define WEB_HOST  "Host: 127.0.0.1\r\n"
#define WEB_OPEN  "GET /ws HTTP/1.1\r\n" WEB_HOST CLIENT_UPGRADE "\r\n"
#define WEB_HELLO "{\"id\":1,\"method\":\"session.hello\",\"params\":{\"protocol\":1,\"client\":\"t\"}}"

/* A test of a server that is not started yet, which the test calls `s`. */
#define WEB_TEST(name, s) TEST_IN(name, struct net_server, s, net_given_web, net_gone)

/* Start it with these further arguments, NULL at the end, or NULL; and one who asks for its figures: net_insider(). */
void web_start(struct net_server *s, struct net_peer *insider, const char *const *more);

int web_connect(const struct net_server *s);
/* A WebSocket that has said hello, and has its answer. */
int web_open(const struct net_server *s);
/* Receive until the text is there. */
void web_receive_up_to(int fd, const char *text, struct buf *got);
/* Receive all until the end, and close; `got` is initialised, and the caller's to finish. */
void web_receive(int fd, struct buf *got);
/* The same on a connection of its own, which these bytes are sent on. */
void web_ask(const struct net_server *s, struct slice bytes, struct buf *got);

/* How often that is in it. */
size_t web_count(const struct buf *got, const char *what);
/* It begins with the head of an answer with this status. */
void web_assert_status(const struct buf *got, int status);

#endif
