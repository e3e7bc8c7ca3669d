/*
 * counters.h - what the server counts, for `server.stats` and the log.
 *
 * Plain numbers since the start; a gauge is the value now.
 */
#ifndef SERVER_CORE_COUNTERS_H
#define SERVER_CORE_COUNTERS_H

#include <stdint.h>

/*        name                  help */
#define COUNTERS(X)                                                                                \
	X(connections_now,      "Connections open")                                                \
	X(connections_total,    "Connections accepted")                                            \
	X(connections_refused,  "Connections refused: limits, or out of descriptors")              \
	X(handshakes_done,      "TLS handshakes that made a connection")                           \
	X(handshakes_failed,    "TLS handshakes that failed, were too slow, or were too many")     \
	X(handshakes_deferred,  "Parts of TLS handshakes put off to a later turn, as a turn has a time for them") \
	X(connections_stalled,  "Connections closed because they took no byte for too long")       \
	X(connections_shed,     "Connections closed because what waited for all together was too much") \
	X(out_bytes_now,        "Bytes held for connections until they take them")                 \
	X(requests_total,       "Requests read")                                                   \
	X(requests_refused,     "Requests answered with an error")                                 \
	X(rate_limited,         "Requests answered RATE_LIMITED")                                  \
	X(broken_frames,        "Connections closed because what they sent was no message")        \
	X(room_misses,          "Codes of rooms and invitations that led nowhere")                 \
	X(login_misses,         "Wrong tokens and signatures")                                     \
	X(rooms_now,            "Rooms in memory")                                                 \
	X(subscriptions_now,    "Subscriptions")                                                   \
	X(rooms_created,        "Rooms made")                                                      \
	X(rooms_ended,          "Rooms deleted or expired")                                        \
	X(votes_cast,           "Votes accepted")                                                  \
	X(commits_total,        "Commits sent to the store")                                       \
	X(transactions_rerun,   "Transactions that ran again because another one was faster")      \
	X(units_rerun,          "Commits of a room whose requests ran again: another process had changed it") \
	X(commits_failed,       "Commits that failed")                                             \
	X(commands_total,       "Runs of the command for notices that were asked for")          \
	X(commands_failed,      "Those of them that failed, or could not be")                      \
	X(commands_dropped,     "Notices that were not given to the command because too many were") \
	X(updates_encoded,      "Updates encoded, each once for all subscribers")                  \
	X(full_updates,         "Full updates sent, to newcomers and to readers that fell behind") \
	X(longest_turn_us,      "Microseconds of the longest turn of the loop: for so long nobody was answered") \
	X(bytes_in,             "Bytes read")                                                      \
	X(bytes_out,            "Bytes written")

struct counters {
#define COUNTER_MEMBER(name, help) uint64_t name;
	COUNTERS(COUNTER_MEMBER)
#undef COUNTER_MEMBER
};

#endif
