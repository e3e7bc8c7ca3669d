/*
 * net_kit.h - a real ayed in a directory of its own, and peers that connect to it
 * byte by byte, as a test wants them.
 *
 * Everything waits for an event (a line, bytes, an end of file, an exit), never
 * for time; what does not come within NET_PATIENCE_MS fails the test. A failed
 * step may leave its server running; it ends with the test program.
 */
#ifndef TESTS_SUPPORT_NET_KIT_H
#define TESTS_SUPPORT_NET_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proto/base/buf.h"
#include "proto/base/frame_scan.h"
#include "proto/base/slice.h"
#include "tests/support/redis_run.h"
#include "tests/support/relay.h"

#define NET_PATIENCE_MS 60000
#define NET_ARGS_MAX    24
#define NET_PATH_BYTES  128
#define NET_LINE_BYTES  1024

/*
 * How peers come to the server. Each test that is about connections runs over all
 * transports: see NET_TEST_OVER_TRANSPORTS(). `tells`: a connection that is refused before it is one is told why.
 * `garbage`: what a peer is told that sends 20,000 bytes c1. `listens`: the address that the server is given
 * for it, and how it begins in the ready line; `way`: how a relay gets there; `through`: another that it goes through.
 */
/*                SYMBOL  name    tells  garbage                   listens               way          through */
#define NET_TRANSPORTS(X, of) \
	X(of, UNIX,   unix,   true,  "not MessagePack-RPC",    NULL,                 NULL,        NULL) \
	X(of, TLS,    tls,    false, "not MessagePack-RPC",    "tls://127.0.0.1:",   &tls_relay,  NULL) \
	X(of, WEB,    web,    true,  "larger than the limits", "http://127.0.0.1:",  &web_relay,  NULL) \
	X(of, WSS,    wss,    false, "larger than the limits", "https://127.0.0.1:", &web_relay,  &https_relay)

enum net_transport {
#define NET_ENUM(of, symbol, ...) NET_##symbol,
	NET_TRANSPORTS(NET_ENUM, )
#undef NET_ENUM
};

struct net_transport_row {
	const char *name;
	bool tells;
	const char *garbage;
	const char *listens; /* NULL: only its unix socket */
	const struct relay_way *way;
	const struct relay_way *through; /* NULL: none */
};
extern const struct net_transport_row net_transports[];

struct net_server {
	enum net_transport transport;
	pid_t pid;
	pid_t relays[2]; /* between the test and what the transport listens on: `way` and `through`; 0: none */
	char dir[NET_PATH_BYTES]; /* made by net_dir(); holds all paths that follow */
	char data[NET_PATH_BYTES];
	char socket[NET_PATH_BYTES];
	char relay_sockets[2][NET_PATH_BYTES];
	char store[NET_PATH_BYTES]; /* --store for it; empty: its table is in its directory */
	const struct redis_run *redis; /* where it is lifted before a start that another server has the data open; or NULL */
	int out; /* its stdout and stderr, to read */
	int err;
	char ready[NET_LINE_BYTES]; /* its ready line */
	size_t files_max;           /* RLIMIT_NOFILE for it; 0: as ours */
	struct net_server *entry;   /* another node, which peers come to; or NULL */
	char room[32];              /* of this server, which they mean there */
	int inherited;              /* a listening socket to hand it as a service manager does; 0: none */
	const char *notify;         /* NOTIFY_SOCKET for it, or NULL */
};

/*
 * A test of a server that is not started yet, which the test calls `s`: NET_TEST() where peers come over its unix
 * socket and its table is in a directory; else once for each transport, or for each store (a directory, and a Redis),
 * or for each transport and store; or for all of these and a cluster of Redis, which takes seconds to start. Or for each
 * transport, and for one more: the server is a node, and peers come to another one, which forwards them; that takes a second,
 * and servers that are not started twice.
 */
#define NET_TEST(name, s) TEST_IN(name, struct net_server, s, net_given_unix, net_gone)
#define NET_TEST_OVER_TRANSPORTS(name, s) NET_TESTS_(name, s, NET_TRANSPORTS(NET_TEST_ROW_, name))
#define NET_TEST_OVER_TRANSPORTS_AND_NODES(name, s) \
	NET_TESTS_(name, s, NET_TRANSPORTS(NET_TEST_ROW_, name) NET_TEST_OVER_(name, node))
#define NET_TEST_OVER_STORES(name, s)	  NET_TESTS_(name, s, NET_TEST_OVER_(name, unix) NET_TEST_OVER_(name, redis))
#define NET_TEST_OVER_ALL(name, s) \
	NET_TESTS_(name, s, NET_TRANSPORTS(NET_TEST_ROW_, name) NET_TEST_OVER_(name, redis))
#define NET_TEST_OVER_ALL_AND_CLUSTER(name, s)                     \
	NET_TESTS_(name, s, NET_TRANSPORTS(NET_TEST_ROW_, name)    \
		   NET_TEST_OVER_(name, redis) NET_TEST_OVER_(name, cluster))
#define NET_TESTS_(name, s, tests)              \
	static void name(struct net_server *s); \
	tests                                   \
	static void name(struct net_server *s)
#define NET_TEST_ROW_(of, symbol, name, ...) NET_TEST_OVER_(of, name)
#define NET_TEST_OVER_(of, name)                                                                \
	TEST_IN(of##_over_##name, struct net_server, scene, net_given_##name, net_gone)         \
	{                                                                                       \
		of(scene);                                                                      \
	}
/* What these tests begin and end with: *state is the server. */
#define NET_GIVEN(of, symbol, name, ...) int net_given_##name(void **state);
NET_TRANSPORTS(NET_GIVEN, )
#undef NET_GIVEN
int net_given_redis(void **state);
int net_given_cluster(void **state);
int net_given_node(void **state);
int net_gone(void **state);

/* A new directory with paths filled in; nothing runs yet. Peers come over the unix socket until `transport` is changed. */
void net_dir(struct net_server *s);
/* Remove it and what is in it. */
void net_remove(struct net_server *s);

/*
 * Start ayed on s->data with these arguments, NULL at the end. net_start() adds
 * --listen unix:s->socket, and what the transport listens on, and waits for the ready line.
 */
void net_spawn(struct net_server *s, const char *const *args);
void net_start(struct net_server *s, const char *const *args);
/* Wait for its end: the exit status, or 1000 + the signal that ended it. Closes out and err. */
int net_wait(struct net_server *s);
/* Until a process has nothing more to do, and sleeps. */
void net_wait_until_asleep(pid_t pid);
/* Stop the server where it sleeps; SIGCONT lets it go on. */
void net_stop_asleep(struct net_server *s);
/* Send a signal and wait. */
int net_end(struct net_server *s, int signum);
/* The next line of out or err, without its newline; false at the end of file. */
bool net_line(int fd, char line[NET_LINE_BYTES]);
/* Read lines of err until one holds text; false where the end of file comes first. */
bool net_wait_log(struct net_server *s, const char *text);
/* The port behind "tcp://host:" in the ready line. */
int net_port(const struct net_server *s, const char *before_port);
/* Resident memory, bytes; with that of the node that peers come to. */
size_t net_resident_bytes(const struct net_server *s);
/* Before a start, where memory will be measured: what AddressSanitizer keeps of freed memory is not what a server needs. */
void net_keep_nothing_freed(void);

/*
 * A connected socket, by the server's transport; fails the test where it cannot connect. Of
 * TLS and HTTP it leads to tls_relay.h and web_relay.h, so that what a test sends and receives is the
 * same.
 */
int net_connect(const struct net_server *s);
int net_connect_unix(const char *path);
int net_connect_tcp(const char *host, int port);
/* The same from that IPv4 address, one of 127.0.0.0/8. */
int net_connect_tcp_from(const char *from, const char *host, int port);
void net_send(int fd, const void *bytes, size_t len);
/* Wait for bytes: how many, 0 at the end of file or where the peer was reset. */
size_t net_receive(int fd, char *out, size_t cap);
/* Everything until the end of file. */
void net_receive_all(int fd, struct buf *out);

/* A connection that speaks the protocol. Life: net_peer_open() .. net_peer_close(). */
struct net_peer {
	int fd;
	uint32_t msgid;
	struct buf in;
	struct buf json; /* the message at hand */
};

void net_peer_open(struct net_peer *p, int fd);
void net_peer_close(struct net_peer *p);
/* Send a request with these params (JSON); returns its msgid. */
uint32_t net_request(struct net_peer *p, const char *method, const char *json);
/* The next message as one line of JSON, valid until the next call; NULL at the end of file. */
const char *net_message(struct net_peer *p);
/* The same of what has arrived, without waiting; NULL where it has not, to its end. net_read() waits for more: false at the end. */
const char *net_arrived(struct net_peer *p);
bool net_read(struct net_peer *p);
/* Read on until the response of msgid, ignoring the rest; its JSON, [1,msgid,error,result]. */
const char *net_response(struct net_peer *p, uint32_t msgid);
/* Request and response in one. */
const char *net_call(struct net_peer *p, const char *method, const char *json);
/* The same, and it must have succeeded. */
const char *net_must(struct net_peer *p, const char *method, const char *json);
/* session.hello. */
void net_hello(struct net_peer *p);
/*
 * Open one to that socket, and say hello, meaning a room, which may be another node's. While its home cannot be reached, or
 * is another one by then, it is tried again, for NET_PATIENCE_MS.
 */
void net_open_for(struct net_peer *p, const char *socket, const char *room_id);
/* Hello, and a login as a guest, or with a new key; the answer. */
const char *net_login(struct net_peer *p, const char *name);
const char *net_login_with_key(struct net_peer *p, const char *name);
/* Open one that has said hello and may ask for the server's figures: over its own socket, whatever the transport. */
void net_insider(const struct net_server *s, struct net_peer *p);
/* A figure of server.stats, asked for by an insider. */
long net_figure(struct net_peer *insider, const char *name);
/* The insider is still served, and leaves; SIGTERM ends the server well. */
void net_finish(struct net_server *s, struct net_peer *insider);
/* Copy the string value of "key" in a line of JSON; fails the test where there is none. */
void net_field(const char *json, const char *key, char *out, size_t cap);

#endif
