/*
 * rate_limit.h - rate limits: token buckets, per connection and per address; and tables of times.
 */
#ifndef SERVER_CORE_CONNS_RATE_LIMIT_H
#define SERVER_CORE_CONNS_RATE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/room_code.h"
#include "server/core/server.h"
#include "server/domain/base/uthash_config.h"

struct conn;
struct partition;
struct server;

/*
 * A token bucket, stored as one time: when it would be empty if everything taken so far drained
 * at the rate.
 */
struct bucket {
	int64_t drained_at_us; /* monotonic */
};
/* Take one of `per_period` tokens; returns false, taking none, if `burst` are taken already. */
bool bucket_take(struct bucket *b, int64_t mono_ms, int64_t per_period, int64_t period_ms, int64_t burst);
/*
 * Take n of per_period tokens, all of which may be taken at once. Returns 0; if fewer are left,
 * takes none and returns the ms until enough are.
 */
int64_t bucket_take_n(struct bucket *b, int64_t mono_ms, int64_t n, int64_t per_period, int64_t period_ms);
/* Return the ms until n tokens can be taken; 0: now. */
int64_t bucket_wait_n_ms(const struct bucket *b, int64_t mono_ms, int64_t n, int64_t per_period, int64_t period_ms);
/* Take the tokens for a cost already incurred, whether they are left or not. */
void bucket_charge(struct bucket *b, int64_t mono_ms, int64_t cost_us);
/* Return the ms until one token can be taken; 0: now. */
int64_t bucket_wait_ms(const struct bucket *b, int64_t mono_ms, int64_t per_period, int64_t period_ms, int64_t burst);

/*
 * The unit by which peers are limited: a host's address, the IPv6 network it is in, or the user
 * of a unix socket.
 */
enum address_kind { ADDRESS_HOST, ADDRESS_NETWORK, ADDRESS_UID };
struct address_key {
	unsigned char kind; /* enum address_kind */
	unsigned char bytes[16];
};

/*
 * A limited peer; exists while it has connections, its buckets are not drained, or a room is
 * loaded for it.
 */
struct address {
	struct address_key key;
	/* for an IPv6 host: the /48, which counts its hosts as connections; NULL: none */
	struct address *network;
	unsigned connections;
	struct bucket creates;
	struct bucket misses;
	int64_t missed_mono; /* time of the last wrong guess that was counted; 0: none recently */
	/*
	 * the load it was counted for: other requests that waited for it are not counted; 0: none
	 */
	uint64_t missed_load;
	/* the room code if the last wrong guess was a room.subscribe; "": it was another request */
	char missed[CODE_CHARS_MAX + 1];
	unsigned loads; /* loads in progress for its guesses */
	struct partition *loads_waiting; /* partitions that wait until these have ended */
	unsigned loads_waiting_n;
	struct bucket logins;
	struct bucket login_misses;
	struct bucket seats;
	UT_hash_handle hh;
};
/* Return the address of a peer, creating it if necessary; NULL when memory is out. */
struct address *address_get(struct server *s, const struct peer *peer);
/*
 * Write the connection's origin as text: the user of a unix socket, otherwise the address.
 * Returns its length.
 */
#define ADDRESS_NAME_BYTES 48
size_t address_name(const struct conn *c, char *out, size_t cap);
void address_release(struct server *s, struct address *a);
/*
 * Take one token from the bucket `b` of conn.guesser; b is NULL if there is none: the server's
 * own user is never limited. If none is left, returns false with *fault RATE_LIMITED; `what`
 * names the action in the message.
 */
bool address_may(struct server *s, const struct conn *c, struct bucket *b, enum limit limit, const char *what,
		 struct fault *fault);
/* Return the ms until a token is left, without taking any; 0: now. */
int64_t address_wait_ms(const struct server *s, const struct bucket *b, enum limit limit);
/*
 * The growth of rooms by requests of a connection (ROOM_BYTES_PER_HOUR) is counted for its
 * address, and for its user if the login was signed with a key. Return the ms until both have so
 * many bytes left; 0: now. The server's own user is never limited.
 */
int64_t room_bytes_wait_ms(struct server *s, struct conn *c, int64_t bytes);
/* Count these bytes, whether they are left or not. */
void room_bytes_take(struct server *s, struct conn *c, int64_t bytes);
/* Free the addresses without connections whose buckets are drained; called at intervals. */
void address_forget_quiet(struct server *s);
void address_forget_all(struct server *s);

/* ---- live_time.c: when something first happened, and until when rates are used up ---- */

#define LIVE_TIME_KEY_BYTES 16

/* An entry. A table has a maximum size; beyond it the entry that was added first is removed. */
struct live_time {
	unsigned char key[LIVE_TIME_KEY_BYTES]; /* keyed hash of the entry's name */
	int64_t at;
	UT_hash_handle hh;
};

/*
 * Return the entry for `what` in a table of struct server; NULL: none.
 *
 * @domain  separates different uses of one table.
 */
struct live_time *live_time_find(const struct server *s, struct live_time *table, const char *domain, struct slice what);
/*
 * The same; if there is none, add one with this time, keeping at most max entries. NULL: memory
 * is out.
 */
struct live_time *live_time_get(const struct server *s, struct live_time **table, size_t max, const char *domain,
				struct slice what, int64_t at);
/* Remove the entries whose time is not later than `at`. */
void live_times_forget(struct live_time **table, int64_t at);

#endif
