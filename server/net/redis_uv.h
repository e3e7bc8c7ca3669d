/*
 * redis_uv.h - the net of links to Redis (store/redis/link/redis_net.h) on libuv: TCP, TLS, unix sockets.
 *
 * Life:    redis_uv_create() .. store_close() .. redis_uv_destroy() .. the loop is run until it
 *          has closed the handles.
 * Threads: loop thread only.
 */
#ifndef SERVER_NET_REDIS_UV_H
#define SERVER_NET_REDIS_UV_H

#include <uv.h>

#include "proto/tls/tls.h"
#include "store/redis/link/redis_net.h"

struct redis_uv;

/*
 * Create a net.
 *
 * @loop  borrowed until its handles are closed. The net's `run` is one turn of this loop, with
 *        all that runs on it.
 * @tls   for addresses that have TLS, by tls_context_trust(); borrowed until redis_uv_destroy().
 *        NULL: connecting to such an address fails.
 *
 * ERR_NOMEM
 */
NODISCARD enum err redis_uv_create(uv_loop_t *loop, const struct tls_context *tls, struct redis_uv **out);

/* Valid until redis_uv_destroy(). */
const struct redis_net *redis_uv_net(const struct redis_uv *n);

/* All links must be destroyed. NULL is allowed. */
void redis_uv_destroy(struct redis_uv *n);

#endif
