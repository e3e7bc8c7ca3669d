/*
 * mcp.h - a server of the Model Context Protocol, without I/O.
 *
 * Takes the messages of an agent's client as lines of text, and writes answers as such.
 * A tool call becomes requests to the aye server; the owner sends them and passes the
 * answers back.
 *
 *   tools/call ask_human:             question.ask -> question.get -> answer
 *   tools/call check_human_responses: question.get, page by page -> answer
 *   the same, with wait_seconds:      question.watch .. a new response, or the time is over ->
 *                                     question.unwatch -> question.get -> answer
 *   notifications/cancelled:          no answer; if the question was asked already and the
 *                                     caller cannot know its id: question.cancel
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

#include "client/mcp/mcp_tools.h"
#include "client/model/questions/question_whole.h"
#include "client/model/request.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/records/records.h"

#define MCP_DEPTH_MAX 32      /* nested containers in a message */
#define MCP_ID_BYTES_MAX 1024 /* of a message, as text */
#define MCP_CALLS_MAX 32      /* concurrent calls */
#define MCP_SHOWN_MAX 64      /* questions whose number of shown answers is kept; the oldest goes */
#define MCP_PROGRESS_MS 5000  /* between progress notifications of a waiting call */
/*
 * The most pages of answers that one check reads: enough for all ASCII answers, but not for all of
 * longer characters.
 */
#define MCP_PAGES_MAX 8

/* The most bytes in mcp.out: the answers of all concurrent calls. */
#define MCP_OUT_BYTES_MAX ((size_t)256 << 20)

/* A tool call that is not answered yet. */
struct mcp_call {
	struct mcp_call *next;
	const struct mcp_tool *tool;
	struct slice id;   /* as received; an owned copy */
	bool is_cancelled; /* no answer is sent */
	/* the caller gave the idempotency key, and can find the question again */
	bool has_given_key;
	struct request *request; /* the current one to the server */
	struct arena arena;
	struct question_ask_result *asked; /* owned; NULL: not asked yet */
	struct question_whole whole;	  /* the part read so far */
	int64_t wait_ms;		  /* since it came; 0: it does not wait */
	/* it watches the question; the owner clears this when the connection is lost */
	bool is_waiting;
	/* the progress token as received; an owned copy; empty: none */
	struct slice progress;
	int64_t progress_n;		  /* progress notifications sent */
	/* The rest belongs to the owner. */
	bool is_sent;	  /* the request was sent on this connection */
	bool was_sent;	  /* the request was sent on any connection */
	void *owner;	  /* the sender */
	int64_t came_ms;  /* 0: not set */
	int64_t until_ms; /* the deadline of its requests; 0: not set */
	int64_t after_ms; /* the earliest time to send; 0: at once */
	bool has_signed_in_again;
};

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

/*
 * The reply to the request of a call. Afterwards the call is freed, or has another request, with
 * is_sent false.
 *
 * @result  of the result record of the request's method.
 * @now_ms  the server's time; 0: not known.
 */
void mcp_take_answer(struct mcp *m, struct mcp_call *call, const void *result, int64_t now_ms);
void mcp_take_refusal(struct mcp *m, struct mcp_call *call, const struct fault *f);
/* The request had no answer in time. @why  for the model. */
void mcp_take_outage(struct mcp *m, struct mcp_call *call, const char *why);

/* Take a question.update: calls that wait for it may have another request now. */
void mcp_take_update(struct mcp *m, const struct question_update *u);
/*
 * Tell a waiting call how long ago it came: it sends a progress notification, or has another
 * request if its time is over.
 */
void mcp_take_time(struct mcp *m, struct mcp_call *call, int64_t waited_ms);
/* When to call mcp_take_time() next for a waiting call, in ms since the call came. */
int64_t mcp_next_time_ms(const struct mcp_call *call);

#endif
