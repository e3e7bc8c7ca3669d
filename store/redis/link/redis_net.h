/*
 * redis_net.h - what the Redis engine needs of the world: connections, a clock, chance.
 *
 * A struct of functions, so that the engine runs on libuv in the server (server/net/redis_uv.h),
 * on poll(2) in tests (tests/support/redis_poll.h), and on no network at all.
 *
 * Who owns what: the caller of the engine makes the net and destroys it after store_close(). The
 * engine makes links (redis_link.h) with it and destroys them. Each link has one wire, which the
 * net makes in attach() and frees after detach(); a wire has at most one connection at a time.
 *
 * All functions are called on the loop thread, by the link alone but for now_ms and run. None of
 * them calls the link before it returns; only `run`, and the loop, do. A net calls
 * redis_link_on_open(), _on_bytes(), _on_room(), _on_end() and _on_time(), never one inside
 * another.
 */
#ifndef STORE_REDIS_REDIS_NET_H
#define STORE_REDIS_REDIS_NET_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"

struct redis_link;
struct redis_address;

struct redis_net {
	void *arg; /* of the first four functions */

	/* Monotonic milliseconds, as cached for this turn of the loop; never go backwards. */
	int64_t (*now_ms)(void *arg);
	/* 64 random bits; need not be secret. */
	uint64_t (*random)(void *arg);
	/*
	 * Wait for the next event of any wire, and pass it to its link. For store_open_redis() and
	 * store_close(), which wait; never called from inside a callback.
	 */
	void (*run)(void *arg);
	/*
	 * Make the wire of a link. The address stays where it is until detach(); it changes only while the
	 * wire has no connection. NULL: memory is out.
	 */
	void *(*attach)(void *arg, struct redis_link *link, const struct redis_address *address);

	/* Close what is open, without an event, and free the wire, at once or when the loop can. */
	void (*detach)(void *wire);
	/*
	 * Connect, with TLS if the address has it. Sooner or later redis_link_on_open() or
	 * redis_link_on_end() follows, unless close() or detach() comes before. Called only when
	 * the wire has no connection.
	 */
	void (*open)(void *wire);
	/*
	 * Send as much as the connection accepts now. Returns the number of bytes that it will
	 * send or that are lost with it; if these are not all, redis_link_on_room() follows, or
	 * redis_link_on_end(). After a failure it takes nothing, and redis_link_on_end() follows.
	 */
	size_t (*write)(void *wire, const struct slice *slices, size_t n);
	/* End the connection, or the attempt. No event of it follows. */
	void (*close)(void *wire);
	/* Call redis_link_on_time() at that time, or as soon as possible if it is past; replaces an earlier wish. */
	void (*wake)(void *wire, int64_t at_ms);
};

#endif
