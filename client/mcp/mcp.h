/*
 * mcp.h - a server of the Model Context Protocol, without I/O.
 *
 * Takes the messages of an agent's client as lines of text, and writes answers as such.
 * A tool call becomes requests to the aye server (mcp_call.h); the owner sends them and passes
 * the answers back.
 *
 * An invalid message gets a JSON-RPC error; a failed tool call gets a result with isError,
 * which the model can read.
 *
 * Life: mcp_init() .. mcp_finish().
 */
#ifndef CLIENT_MCP_MCP_H
#define CLIENT_MCP_MCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"

#include <jansson.h>

#define MCP_DEPTH_MAX 32      /* nested containers in a message */
#define MCP_ID_BYTES_MAX 1024 /* of a message, as text */
#define MCP_CALLS_MAX 32      /* concurrent calls */
#define MCP_SHOWN_MAX 64      /* questions whose number of shown answers is kept; the oldest goes */

/* The most bytes in mcp.out: the answers of all concurrent calls. */
#define MCP_OUT_BYTES_MAX ((size_t)256 << 20)

struct mcp_call;

/* The number of answers to a question that checks have shown. */
struct mcp_shown {
	char question_id[65];
	int64_t n;
};

struct mcp {
	const char *version; /* negotiated; NULL: before initialize */
	/* of the agent's client, cleaned; "": none, or not valid as a name */
	char client_name[MAX_NAME_BYTES + 1];
	struct mcp_call *calls;	   /* the oldest first */
	size_t calls_n;
	struct mcp_shown shown[MCP_SHOWN_MAX]; /* a ring */
	size_t shown_n;			       /* in total */
	struct buf out; /* whole lines for the client; the owner writes and clears it */
};

void mcp_init(struct mcp *m);
void mcp_finish(struct mcp *m);

/* Take a line of the client. Calls with a request to send may be added. */
void mcp_take_line(struct mcp *m, struct slice line);
/* A line was too long to be read. */
void mcp_take_long_line(struct mcp *m);

/* Answer the message with that id; takes the value. For mcp_call.c. */
void mcp_send_result(struct mcp *m, struct slice id, json_t *result);

#endif
