/*
 * preface.h - what one node tells another of a client whose connection it forwards.
 *
 * One MessagePack map, the first bytes of a connection from node to node; behind it is what the
 * client has sent, and from then on sends, as it is. It comes from a node that has the server key,
 * so what it says of the client is believed: kind and address or uid, which the limits go by, and
 * whether the client is the ssh kiosk of that node's host. Of a server's own user nothing is said:
 * that is a right at one node, and at no other.
 */
#ifndef SERVER_CORE_CLUSTER_PREFACE_H
#define SERVER_CORE_CLUSTER_PREFACE_H

#include <stddef.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "server/core/server.h"

#define PREFACE_BYTES_MAX 160

/* Append the preface of a client. ERR_NOMEM and ERR_TOO_LARGE are kept in the buffer. */
void preface_write(const struct peer *peer, struct buf *out);

/*
 * Read the preface that `in` begins with.
 *
 * @used  the bytes that it takes; only with OK
 * @peer  the client, which is_forwarded; only with OK
 *
 * ERR_MORE       it is not complete.
 * ERR_PROTO      it is none, or says what cannot be.
 * ERR_TOO_LARGE  it is longer than PREFACE_BYTES_MAX.
 * ERR_VERSION    it has another version than this node's (NODE_PREFACE_VERSION).
 * ERR_NOMEM      memory is out.
 */
NODISCARD enum err preface_read(struct slice in, size_t *used, struct peer *peer);

#endif
