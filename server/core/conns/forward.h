/*
 * forward.h - connections that mean a room of another node, at the node that they came to.
 *
 * Such a connection is forwarded as it says hello: another one is opened to the room's home for it
 * alone, and its bytes are moved there and back, unread. The core does not hear of it any more but
 * for its end, and keeps it only to count it. At the home it is a connection like any other, from
 * the same peer (preface.h); there it is not forwarded a second time.
 */
#ifndef SERVER_CORE_CONNS_FORWARD_H
#define SERVER_CORE_CONNS_FORWARD_H

#include <stdbool.h>

#include "proto/base/slice.h"

struct conn;
struct event;
struct request;
struct server;

/*
 * The session.hello names a room that is elsewhere: let the connection be forwarded, once its bytes
 * have been looked through. Returns false if it cannot be: it has said hello before, has come from
 * another node itself or sends no more, or the room's home is not known, or does not say where it listens.
 */
bool forward_begin(struct server *s, const struct request *rq, const char *room_id);
/* Forward the connection. @unread: its hello, and all that came behind it. */
void forward_send(struct server *s, struct conn *c, struct slice unread);
/* EVENT_UNREACHED: the home was not reached, so nothing was done; say so, and end the connection. */
void forward_failed(struct server *s, struct conn *c, const struct event *e);
/* The list of nodes is another one: end what is forwarded to nodes that are there no more. */
void forward_look(struct server *s);

#endif
