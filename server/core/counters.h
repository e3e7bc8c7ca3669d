/*
 * counters.h - the metrics of the server: one table.
 *
 * A row feeds the member that is counted in, `server.stats` (connection_methods.c), `ayed stats`
 * in all its forms, and the table of ayed(8). The name is published, with "ayed_" in front for
 * Prometheus, and keeps its meaning. Names of counters end in _total; counters only grow while
 * the process lives. A gauge is the current value. Units are base units and part of the name:
 * seconds (counted in microseconds), bytes.
 *
 * Counting is an increment on the loop thread. Metrics of the store's threads are copied from
 * store_status().
 */
#ifndef SERVER_CORE_COUNTERS_H
#define SERVER_CORE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/fault.h"
#include "proto/histogram.h"
#include "proto/methods.h"

/*
 * How a request ended: done; refused, because of the request or its caller; failed, for reasons
 * of the server (UNAVAILABLE, SERVER_ERROR).
 */
#define OUTCOMES(X)                                                                                \
	X(OK, "ok")                                                                                \
	X(REFUSED, "refused")                                                                      \
	X(FAILED, "failed")
enum outcome {
#define OUTCOME_ENUM(symbol, word) OUTCOME_##symbol,
	OUTCOMES(OUTCOME_ENUM)
#undef OUTCOME_ENUM
	OUTCOME_COUNT
};

/*
 * NUMBER     one value.
 * METHODS_BY a value by method and outcome; METHOD_COUNT: requests without a method.
 * CODES_BY   a value by error code.
 * HISTOGRAM  see proto/histogram.h.
 *
 *                member               name                            type     unit       help
 */
#define METRICS(NUMBER, METHODS_BY, CODES_BY, HISTOGRAM)                                                                                                     \
	NUMBER(    started_us,          "start_time_seconds",           GAUGE,   SECONDS,   "When the server started, in seconds since the epoch")           \
	NUMBER(    connections_now,     "connections",                  GAUGE,   NONE,      "Connections open")                                              \
	NUMBER(    connections_total,   "connections_accepted_total",   COUNTER, NONE,      "Connections accepted")                                          \
	NUMBER(    connections_refused, "connections_refused_total",    COUNTER, NONE,      "Connections refused: limits, or out of descriptors")            \
	NUMBER(    connections_stalled, "connections_stalled_total",    COUNTER, NONE,      "Connections closed because they read nothing for too long") \
	NUMBER(    connections_shed,    "connections_shed_total",       COUNTER, NONE,      "Connections closed because too much was waiting for all together") \
	NUMBER(    broken_frames,       "broken_frames_total",          COUNTER, NONE,      "Connections closed because they sent an invalid or unfinished message") \
	NUMBER(    handshakes_done,     "tls_handshakes_done_total",    COUNTER, NONE,      "TLS handshakes completed") \
	NUMBER(    handshakes_failed,   "tls_handshakes_failed_total",  COUNTER, NONE,      "TLS handshakes that failed, were too slow, or were too many")   \
	NUMBER(    handshakes_deferred, "tls_handshakes_deferred_total", COUNTER, NONE,     "TLS handshake steps postponed to keep the event loop responsive") \
	NUMBER(    forwards_now,        "forwarded_connections",        GAUGE,   NONE,      "Connections forwarded to the home of their room, another node") \
	NUMBER(    forwards_total,      "forwarded_connections_total",  COUNTER, NONE,      "Connections that were forwarded so") \
	NUMBER(    forwards_failed,     "forwards_failed_total",        COUNTER, NONE,      "Of those, where the other node could not be reached") \
	NUMBER(    forwarded_in,        "forwarded_received_bytes_total", COUNTER, BYTES,   "Bytes read from such connections, and sent to the other nodes") \
	NUMBER(    forwarded_out,       "forwarded_sent_bytes_total",   COUNTER, BYTES,     "Bytes read from other nodes, and sent to such connections") \
	NUMBER(    arrivals_total,      "arrived_connections_total",    COUNTER, NONE,      "Connections that other nodes forwarded to this one") \
	NUMBER(    web_requests,        "web_requests_total",           COUNTER, NONE,      "HTTP requests answered") \
	NUMBER(    web_requests_refused, "web_requests_refused_total",  COUNTER, NONE,      "HTTP requests answered with a status of 400 or above") \
	NUMBER(    web_sockets_now,     "websockets",                   GAUGE,   NONE,      "WebSockets open") \
	NUMBER(    web_sockets_total,   "websockets_opened_total",      COUNTER, NONE,      "WebSockets opened") \
	NUMBER(    web_translations,    "web_translations_total",       COUNTER, NONE,      "Messages translated for WebSockets, once for all of a room") \
	NUMBER(    bytes_in,            "received_bytes_total",         COUNTER, BYTES,     "Bytes read")                                                    \
	NUMBER(    bytes_out,           "sent_bytes_total",             COUNTER, BYTES,     "Bytes written")                                                 \
	NUMBER(    out_bytes_now,       "waiting_bytes",                GAUGE,   BYTES,     "Bytes waiting for their connections") \
	NUMBER(    requests_total,      "requests_read_total",          COUNTER, NONE,      "Requests read")                                                 \
	METHODS_BY(requests,            "requests_total",               COUNTER, NONE,      "Requests answered, by method and result") \
	CODES_BY(  refusals,            "refusals_total",               COUNTER, NONE,      "Requests answered with an error, by its code")                  \
	NUMBER(    room_misses,         "room_misses_total",            COUNTER, NONE,      "Wrong room and invitation codes") \
	NUMBER(    login_misses,        "login_misses_total",           COUNTER, NONE,      "Wrong tokens and signatures")                                   \
	NUMBER(    rooms_now,           "rooms",                        GAUGE,   NONE,      "Rooms in memory")                                               \
	NUMBER(    subscriptions_now,   "subscriptions",                GAUGE,   NONE,      "Subscriptions of connections to rooms")                         \
	NUMBER(    rooms_created,       "rooms_created_total",          COUNTER, NONE,      "Rooms created") \
	NUMBER(    rooms_ended,         "rooms_ended_total",            COUNTER, NONE,      "Rooms deleted or expired")                                      \
	NUMBER(    votes_cast,          "votes_cast_total",             COUNTER, NONE,      "Votes accepted")                                                \
	NUMBER(    updates_encoded,     "updates_encoded_total",        COUNTER, NONE,      "Updates encoded, once for all subscribers") \
	NUMBER(    full_updates,        "full_updates_total",           COUNTER, NONE,      "Full updates sent, to new and to slow readers") \
	NUMBER(    commands_total,      "commands_total",               COUNTER, NONE,      "Runs of the notification command that were requested") \
	NUMBER(    commands_failed,     "commands_failed_total",        COUNTER, NONE,      "Runs of it that failed or did not start") \
	NUMBER(    commands_dropped,    "commands_dropped_total",       COUNTER, NONE,      "Notifications dropped because too many were waiting") \
	NUMBER(    commits_total,       "commits_total",                COUNTER, NONE,      "Commits sent to the store")                                     \
	NUMBER(    commits_failed,      "commits_failed_total",         COUNTER, NONE,      "Commits that failed")                                           \
	NUMBER(    commits_unknown,     "commits_unknown_total",        COUNTER, NONE,      "Commits that may have been made, or not") \
	NUMBER(    transactions_rerun,  "transactions_rerun_total",     COUNTER, NONE,      "Transactions retried because another committed first") \
	NUMBER(    units_rerun,         "commits_rerun_total",          COUNTER, NONE,      "Room commits retried because another process had changed the room") \
	HISTOGRAM( batch_commits,       "batch_commits",                SIZE,    NONE,      "Commits in one write of the store") \
	HISTOGRAM( sync_us,             "sync_seconds",                 TIME,    SECONDS,   "Time of one such write, until it is on disk") \
	NUMBER(    store_used,          "store_used_bytes",             GAUGE,   BYTES,     "Bytes of the data file in use")                                 \
	NUMBER(    store_free,          "store_free_bytes",             GAUGE,   BYTES,     "Bytes by which the data may still grow, as --map-size allows") \
	NUMBER(    disk_free,           "disk_free_bytes",              GAUGE,   BYTES,     "Bytes free on the disk with the data") \
	NUMBER(    store_reserving,     "store_reserving",              GAUGE,   NONE,      "1 while only rooms and sessions can be created because 70 % of the map are in use, else 0") \
	NUMBER(    store_full,          "store_full",                   GAUGE,   NONE,      "1 while nothing can be created because map or disk are nearly full, else 0") \
	NUMBER(    redis_attempts,      "redis_connection_attempts_total", COUNTER, NONE,      "Connections to Redis that were tried") \
	NUMBER(    redis_connections,   "redis_connections_total",        COUNTER, NONE,      "Connections to Redis that were accepted") \
	NUMBER(    redis_commands,      "redis_commands_total",           COUNTER, NONE,      "Commands sent to Redis, each a round trip unless several were under way") \
	NUMBER(    redis_unanswered,    "redis_unanswered_total",         COUNTER, NONE,      "Commands without an answer: late, or the connection was lost") \
	NUMBER(    redis_commits,       "redis_commits_total",            COUNTER, NONE,      "Commits that Redis made") \
	NUMBER(    redis_conflicts,     "redis_conflicts_total",          COUNTER, NONE,      "Commits that Redis refused because another had changed what they were about") \
	NUMBER(    redis_waits_missed,  "redis_waits_missed_total",       COUNTER, NONE,      "Waits for replicas that too few of them answered in time") \
	NUMBER(    redis_failovers,     "redis_failovers_total",          COUNTER, NONE,      "Times in which another Redis server, or a restarted one, had the data") \
	NUMBER(    redis_clock_us,      "redis_clock_difference_seconds", GAUGE,   SECONDS,   "By how much the clocks of this machine and of Redis differ") \
	NUMBER(    cluster_nodes,       "cluster_nodes",                  GAUGE,   NONE,      "Nodes that share the data, this one among them; 0: it has them alone") \
	NUMBER(    cluster_homes,       "cluster_homes",                  GAUGE,   NONE,      "Buckets of rooms, of 4096 in all, that this node has taken and not left") \
	NUMBER(    cluster_takings,     "cluster_takings_total",          COUNTER, NONE,      "Buckets of rooms taken") \
	NUMBER(    cluster_fenced,      "cluster_fenced_total",           COUNTER, NONE,      "Buckets of rooms that another node had taken before this one left them") \
	NUMBER(    cluster_freezes,     "cluster_freezes_total",          COUNTER, NONE,      "Times in which this node was frozen, the one at its start among them") \
	NUMBER(    cluster_frozen_us,   "cluster_frozen_seconds_total",   COUNTER, SECONDS,   "Time of these, of those that are over") \
	NUMBER(    check_left,          "check_left",                   GAUGE,   NONE,      "Items and index entries that the check in the background has yet to read; 0: no check") \
	NUMBER(    data_problems,       "data_problems",                GAUGE,   NONE,      "Problems found by this check") \
	HISTOGRAM( turn_us,             "turn_seconds",                 TIME,    SECONDS,   "Duration of one turn of the event loop") \
	NUMBER(    longest_turn_us,     "longest_turn_seconds",         GAUGE,   SECONDS,   "Longest turn since the start")

struct counters {
#define COUNTER_NUMBER(member, ...)    uint64_t member;
#define COUNTER_METHODS(member, ...)   uint64_t member[METHOD_COUNT + 1][OUTCOME_COUNT];
#define COUNTER_CODES(member, ...)     uint64_t member[FAULT_COUNT];
#define COUNTER_HISTOGRAM(member, ...) struct histogram member;
	METRICS(COUNTER_NUMBER, COUNTER_METHODS, COUNTER_CODES, COUNTER_HISTOGRAM)
#undef COUNTER_NUMBER
#undef COUNTER_METHODS
#undef COUNTER_CODES
#undef COUNTER_HISTOGRAM
};

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_TIME, METRIC_SIZE /* the last two are histograms */ };
enum metric_unit { METRIC_NONE, METRIC_BYTES, METRIC_SECONDS };
enum metric_shape { METRIC_NUMBER, METRIC_BY_METHOD, METRIC_BY_CODE, METRIC_HISTOGRAM };

struct metric_row {
	const char *name;
	const char *help;
	enum metric_type type;
	enum metric_unit unit;
	enum metric_shape shape;
	size_t offset; /* offset of its member in struct counters */
};

#define METRIC_ONE(...) +1
enum { METRIC_COUNT = METRICS(METRIC_ONE, METRIC_ONE, METRIC_ONE, METRIC_ONE) };
#undef METRIC_ONE

extern const struct metric_row metric_rows[METRIC_COUNT];
/* "counter", "gauge" or "histogram"; static. */
const char *metric_type_name(enum metric_type type);

/* Prefix of names for Prometheus. */
#define METRIC_PREFIX "ayed_"
/* Labels of metrics by method and by code. */
#define METRIC_METHOD  "method"
#define METRIC_OUTCOME "outcome"
#define METRIC_CODE    "code"
/* The method label of requests without a known method. */
#define METRIC_NO_METHOD "unknown"

/*
 * Append all counters, including zeros, as one MessagePack map by name. A value is a number; by
 * method, a map of maps of numbers; by code, a map of numbers; for histograms {buckets, sum,
 * count}, where buckets maps each upper bound, up to "+Inf", to the number of values up to it.
 * Errors are kept in the buffer.
 */
void counters_write(const struct counters *c, struct buf *out);
#define COUNTERS_BYTES_MAX 32768

/* Count an answered request. @method METHOD_COUNT: unknown. @code FAULT_NONE: done. */
static inline void counters_answered(struct counters *c, enum method method, enum fault_code code)
{
	enum outcome outcome = code == FAULT_NONE ? OUTCOME_OK
			       : code == FAULT_UNAVAILABLE || code == FAULT_SERVER_ERROR ? OUTCOME_FAILED
											   : OUTCOME_REFUSED;
	c->requests[method][outcome]++;
	c->refusals[code]++; /* FAULT_NONE is not published */
}

#endif
