/*
 * host_port.h - HOST, HOST:PORT, [IPV6] and [IPV6]:PORT, as addresses and HTTP have them.
 */
#ifndef PROTO_TEXT_HOST_PORT_H
#define PROTO_TEXT_HOST_PORT_H

#include <stdbool.h>

#include "proto/base/slice.h"

/*
 * Split such a text; what host and port may be is not checked.
 *
 * @host  points into the text; without its brackets; empty: nothing is before the colon.
 * @port  likewise; data NULL: there is no colon. It may be empty.
 *
 * Returns false if a bracket is not closed, nothing is in it, or something other than a colon
 * follows it.
 */
bool host_port_split(struct slice text, struct slice *host, struct slice *port);

#endif
