/*
 * store_redis.h - the table on Redis 7: one server, the master of a group that Sentinels watch over, or a
 * cluster.
 *
 * Everything runs on the loop thread; connections, clock and chance are the net's. The server is
 * reached, lost and found again behind store.h's back: reads wait up to 10 s for it, then get ERR_IO;
 * commits are sent again with the same token for 30 s, then get ERR_IO if they surely were not made,
 * else ERR_UNKNOWN, after which the engine goes on (redis_given_up.c). New items are refused from 70 and 80 % of Redis' maxmemory on, as enum store_state says;
 * when all of it is used, commits that only delete are still made.
 *
 * An acknowledged commit is as durable as Redis' own settings say: with appendonly and `appendfsync
 * always` it is on disk; with `everysec` a power loss takes up to 2 s; with save points alone, all
 * since the last one. With `replicas` in the address, and one by default where the server has replicas at the
 * start, so many replicas have it besides: a failover to one of them loses nothing. It does lose something if
 * all that have a commit are lost at once, or a replica that lacks it becomes the master. Where too few
 * replicas have a commit within a second, it is sent again with its token, for the 30 s; then it gets
 * ERR_UNKNOWN, and its scope is read again only when that many replicas have all of it. Other reads, and
 * publications, wait for no replica.
 *
 * The user of the address needs the keys ~{d}* and ~{b*}*, the channel &{d}c (for database 1: &{d}c1), and these commands:
 * hello, auth, select, ping, client|setname, info, script|load, evalsha, scan, get, mget, set, mset, del, exists, incr, pexpire, time,
 * hget, hmget, hset, hdel, hgetall, zadd, zrem, zscore, zrangebylex, zrevrangebylex, zrangebyscore, zlexcount,
 * spublish, ssubscribe; config|get if Redis has save points alone; and wait if commits wait for replicas.
 *
 * Where the address has Sentinels, they are asked in turn which server is the master, at the start and for as long
 * as something is wrong with it: its connection is lost or silent, it has become a replica, or replicas do not
 * get what is written. What was not acknowledged by the old master is sent to the new one again. Publications
 * that a failover may have lost are told as missed. The Sentinels' user needs hello, auth, client|setname, ping
 * and sentinel|get-master-addr-by-name.
 *
 * In a cluster each bucket of rooms is at the master of its slot, and the directory at that of {d}. The map of
 * slots is read by CLUSTER SLOTS, at the start and whenever a server answers MOVED or CLUSTERDOWN or is lost. ASK
 * is waited for, as TRYAGAIN: a script that follows it would find keys absent that have not arrived. The order of
 * the commits of a scope holds while its slot moves. Keys that move are at the target's replicas a moment later
 * than at the target: if it dies in that moment, a commit is lost for which only the source's replicas have
 * answered. At the start only settings of the directory's master are looked at; space is that of the fullest
 * master. The user needs cluster|slots besides. A walk through all
 * partitions, and a check, go from master to master, and begin again where a slot went to another master meanwhile.
 * They end when nothing did, and no slot of ours is on the move; where one still is after 10 s, with ERR_BUSY.
 *
 * Either nodes share the data, which have entries (store_renew()), or one process has them open alone: it
 * holds a key of Redis with a life of 5 s. Each refuses to open them beside the other. After a kill, the next
 * process waits for the end of that. Where both find each other all the same, they end (STORE_GONE).
 */
#ifndef STORE_REDIS_STORE_REDIS_H
#define STORE_REDIS_STORE_REDIS_H

#include "store/redis/link/redis_address.h"
#include "store/redis/link/redis_net.h"
#include "store/store.h"

enum store_redis_use {
	STORE_REDIS_SERVE,
	/* nothing is written, and another process may have the data open. For loads, partitions and checks */
	STORE_REDIS_READ,
	/* the same, but no other process has them open meanwhile */
	STORE_REDIS_COPY_FROM,
	/* fill a Redis without data; it cannot be served before store_redis_finish_copy() */
	STORE_REDIS_COPY_TO
};

struct store_redis_options {
	enum store_redis_use use;
	const struct redis_net *net;	     /* outlives the store */
	const struct redis_address *address; /* copied */
	/*
	 * Identifies the owner, at most 64 bytes. Stored in data that have no owner, to serve them;
	 * data of another owner get ERR_CONFLICT. Empty: not checked.
	 */
	struct slice owner;
	/* called with one line about what is allowed and may be regretted; only during store_open_redis(). Or NULL */
	store_damage_cb *on_warning;
	void *on_warning_arg;
	store_wake_cb *wake; /* called on the loop thread, when store_poll() has work */
	void *wake_arg;
	/* Share the data with the other processes that do so; store_renew() follows at once. */
	bool is_node;
	/* Use data that another process has open, too, as tests of several processes do. */
	bool joins;
};

/*
 * Connect to the server, look whether the table may live there, and open it. Waits by net->run(): while
 * a server loads its data, for as long as that takes; for what else passes by itself, such as a cluster that is down,
 * 30 s; for a process that has the data open, 6 s. What it waits for longer than a second is a warning.
 * *out belongs to the caller until store_close(), which waits for all that was called; on failure *why
 * says what is wrong and what to do.
 *
 * ERR_IO        no server answers, or not as one that can be used; it refuses user or password.
 * ERR_VERSION   Redis is older than 7.
 * ERR_INVALID   a setting of the server or the address stands against it: maxmemory-policy evicts, nothing is
 *               kept over a restart and the address does not have volatile=1, fewer replicas than it asks for, a
 *               replica; a server of a cluster without redis+cluster://.
 * ERR_CONFLICT  the data belong to another owner, or are an unfinished copy; of STORE_REDIS_COPY_TO: there
 *               are data.
 * ERR_NOT_FOUND there are no data, to read or to copy.
 * ERR_BUSY      another process has the data open: any, or of a node one that is none.
 * ERR_NOMEM
 */
NODISCARD enum err store_open_redis(const struct store_redis_options *o, struct store **out, struct errmsg *why);

/*
 * End a copy of STORE_REDIS_COPY_TO whose commits were all acknowledged: the data are those of this owner from
 * now on. Waits for it. ERR_IO, ERR_NOMEM.
 */
NODISCARD enum err store_redis_finish_copy(struct store *s, struct slice owner, struct errmsg *why);

/*
 * For a process that is to end: wait no longer for a server that does not answer. What has not ended a second from now
 * ends with ERR_IO, or ERR_UNKNOWN if it may have been made; what is called after that, with ERR_CLOSED.
 */
void store_redis_hurry(struct store *s);

#endif
