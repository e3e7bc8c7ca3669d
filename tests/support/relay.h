/*
 * relay.h - a process between a test and a server, so that what a test says over a unix socket goes
 * to the server by another way.
 *
 * One loop of poll() over all connections, which each way does its part of: tls_relay.h, web_relay.h.
 */
#ifndef TESTS_SUPPORT_RELAY_H
#define TESTS_SUPPORT_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A connection. What a way keeps of it stands behind this, in a struct that begins with it. */
struct relayed {
	int plain;        /* to the test; -1: this place is free */
	int server;
	bool plain_ended; /* the test sends no more */
	bool server_ended;
};

/* What is asked for of a side: poll()'s events, 0 for none. */
struct relay_wish {
	short plain;
	short server;
};

/* Each of those that return bool returns false where the connection is over. */
struct relay_way {
	size_t bytes; /* of a connection and what is kept of it */
	/* Of one that is connected on both sides; what is kept is zero. */
	bool (*begin)(struct relayed *c);
	struct relay_wish (*wishes)(const struct relayed *c);
	/* Receive, where that was wished for and there is something, or an end. */
	bool (*take_plain)(struct relayed *c);
	bool (*take_server)(struct relayed *c);
	/* Send what waits for either side. */
	bool (*give)(struct relayed *c);
	/* Free what is kept, also after a begin() that failed. The sockets are the relay's. */
	void (*finish)(struct relayed *c);
};

/*
 * Start a process that passes on connections of a new unix socket at `path` to that port of 127.0.0.1, or to another
 * relay's socket, where `to` is not NULL. It has no other descriptors than the standard ones, and ends with ours, or
 * by SIGKILL; -1 where it cannot begin.
 */
pid_t relay_start(const char *path, const char *to, int port, const struct relay_way *way);

#endif
