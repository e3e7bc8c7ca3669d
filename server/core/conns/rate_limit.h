/*
 * rate_limit.h - how often a peer may do things: token buckets, per connection and per address.
 */
#ifndef SERVER_CORE_CONNS_RATE_LIMIT_H
#define SERVER_CORE_CONNS_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/keys/room_code.h"
#include "server/core/server.h"
#include "server/domain/base/uthash_config.h"

struct conn;
struct partition;
struct server;

/* A token bucket as one time: when it would be empty again if all that was taken so far drained at the rate. */
struct bucket {
	int64_t drained_at_us; /* monotonic */
};
/* Take one of `per_period` tokens; false, taking none, when `burst` are out already. */
bool bucket_take(struct bucket *b, int64_t mono_ms, int64_t per_period, int64_t period_ms, int64_t burst);
/*
 * Take n of per_period tokens, all of which may be taken at once. 0, or, where so many are not left, the ms until they
 * are, and none is taken.
 */
int64_t bucket_take_n(struct bucket *b, int64_t mono_ms, int64_t n, int64_t per_period, int64_t period_ms);
/* Ms until n of them could be taken; 0: now. */
int64_t bucket_wait_n_ms(const struct bucket *b, int64_t mono_ms, int64_t n, int64_t per_period, int64_t period_ms);
/* Take what has cost so much already, whether it is there or not. */
void bucket_charge(struct bucket *b, int64_t mono_ms, int64_t cost_us);
/* Ms until one could be taken; 0: now. */
int64_t bucket_wait_ms(const struct bucket *b, int64_t mono_ms, int64_t per_period, int64_t period_ms, int64_t burst);

/* What peers are told apart by: a host's address, the IPv6 network it is in, or the user behind a unix socket. */
enum address_kind { ADDRESS_HOST, ADDRESS_NETWORK, ADDRESS_UID };
struct address_key {
	unsigned char kind; /* enum address_kind */
	unsigned char bytes[16];
};

/* One of them, while it has connections, its buckets are not drained, or a room is loaded for it. */
struct address {
	struct address_key key;
	struct address *network; /* of an IPv6 host: the /48, which counts its hosts as connections; NULL: none */
	unsigned connections;
	struct bucket creates;
	struct bucket misses;
	int64_t missed_mono; /* the last miss that was charged; 0: none lately */
	uint64_t missed_load; /* the load it was charged for: other requests that waited for it pay nothing; 0: none */
	char missed[CODE_CHARS_MAX + 1]; /* whose subscription was the last miss; "": another's was */
	unsigned loads; /* on their way for its guesses */
	struct partition *loads_waiting; /* that wait until those have ended */
	unsigned loads_waiting_n;
	struct bucket logins;
	struct bucket login_misses;
	struct bucket seats;
	UT_hash_handle hh;
};
/* Of that peer; NULL when memory is out. */
struct address *address_get(struct server *s, const struct peer *peer);
/* Whom the connection comes from, as text: the user of a unix socket, else the address. Returns its length. */
#define ADDRESS_NAME_BYTES 48
size_t address_name(const struct conn *c, char *out, size_t cap);
void address_release(struct server *s, struct address *a);
/*
 * Take one of what the connection's address may do in a minute; `b` is a bucket
 * of conn.guesser, NULL where there is none: the server's own user may always.
 * False with *fault RATE_LIMITED; `what` names the thing in its message.
 */
bool address_may(struct server *s, const struct conn *c, struct bucket *b, enum limit limit, const char *what,
		 struct fault *fault);
/* Ms until it may, without taking any; 0: now. */
int64_t address_wait_ms(const struct server *s, const struct bucket *b, enum limit limit);
/*
 * What requests of a connection let rooms grow by (ROOM_BYTES_PER_HOUR) is taken of its address, and of its user where a key
 * signed the login: ms until both have so many bytes left; 0: now. The server's own user always has.
 */
int64_t room_bytes_wait_ms(struct server *s, struct conn *c, int64_t bytes);
/* Take them, left or not. */
void room_bytes_take(struct server *s, struct conn *c, int64_t bytes);
/* Those that have no connection and owe nothing; called now and then, for those whose last connection went earlier. */
void address_forget_quiet(struct server *s);
void address_forget_all(struct server *s);

#endif
