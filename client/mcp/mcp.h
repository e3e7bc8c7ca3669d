/*
 * mcp.h - a server of the Model Context Protocol, without a wire on either side.
 *
 * Messages of an agent's client come in as lines of text, and answers go out as such;
 * a call of a tool becomes a request to our server, whose answer the owner brings back.
 *
 *   tools/call ask_human:             question.ask -> question.get -> answer
 *   tools/call check_human_responses: question.get, a page after the other -> answer
 *   likewise, with wait_seconds:      question.watch .. something new, or the time is over ->
 *                                     question.unwatch -> question.get -> answer
 *   notifications/cancelled:          no answer any more; where the question was asked already
 *                                     and nobody else knows of it: question.cancel
 *
 * What is wrong with a message is an error of JSON-RPC; what is wrong with a call of a
 * tool is a result with isError, so that the model reads it.
 *
 * Life:    a zeroed struct .. mcp_finish().
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

#define MCP_DEPTH_MAX 32      /* containers around a value of a message */
#define MCP_ID_BYTES_MAX 1024 /* of a message, as text */
#define MCP_CALLS_MAX 32      /* under way at once */
#define MCP_BATCH_MAX 32      /* messages of a batch */
#define MCP_SHOWN_MAX 64      /* questions of which is known how many answers were shown; the oldest is forgotten */
#define MCP_PROGRESS_MS 5000  /* between two notifications of a call that waits */
/* Pages of answers that one check gathers: all answers of ASCII there can be, and a part of those of longer letters. */
#define MCP_PAGES_MAX 8

/* The most that waits in mcp.out: the answers of a batch of checks. */
#define MCP_OUT_BYTES_MAX ((size_t)256 << 20)

struct mcp_batch;
struct mcp_version;

/* A call of a tool that is not answered yet. */
struct mcp_call {
	struct mcp_call *next;
	const struct mcp_tool *tool;
	struct slice id;	 /* as it came; our own copy */
	struct mcp_batch *batch; /* NULL: its answer is a message of its own */
	bool is_cancelled;	 /* nobody wants the answer */
	bool has_given_key;	 /* the idempotency key is the caller's, who can find the question again */
	struct request *request; /* to the server, now */
	struct arena arena;
	struct question_ask_result asked; /* question_id empty: not yet */
	struct question_whole whole;	  /* as far as it was read */
	int64_t wait_ms;		  /* from when it came; 0: it does not wait */
	bool is_waiting;		  /* watches, and has nothing to say; its owner takes that away with the connection */
	struct slice progress;		  /* the token, as it came; our own copy; empty: none */
	int64_t progress_n;		  /* notifications sent */
	/* The rest is its owner's. */
	bool is_sent;	  /* the request, on this connection */
	bool was_sent;	  /* likewise on any */
	void *owner;	  /* whoever sends it */
	int64_t came_ms;  /* 0: not set */
	int64_t until_ms; /* for its requests; 0: not set */
	int64_t after_ms; /* not before; 0: at once */
	bool has_signed_in_again;
};

/* How many answers to a question a check has shown. */
struct mcp_shown {
	char question_id[65];
	int64_t n;
};

struct mcp {
	const struct mcp_version *version; /* agreed; NULL: initialize comes first */
	char client_name[MAX_NAME_BYTES + 1]; /* of the program that speaks to us, clean; "": it has said none that may be shown */
	struct mcp_call *calls;	   /* the oldest first */
	size_t calls_n;
	struct mcp_shown shown[MCP_SHOWN_MAX]; /* a ring */
	size_t shown_n;			       /* ever */
	struct buf out; /* whole lines for the client; whoever has written them clears it */
};

void mcp_init(struct mcp *m);
void mcp_finish(struct mcp *m);

/* A line of the client; calls may be there afterwards whose request is to be sent. */
void mcp_take_line(struct mcp *m, struct slice line);
/* A line came that was longer than what is read. */
void mcp_take_long_line(struct mcp *m);

/*
 * What the request of a call ended in. The call is gone afterwards, or has another request, with is_sent false.
 *
 * @value   the result, as MessagePack.
 * @now_ms  the server's time; 0: not known.
 */
void mcp_take_answer(struct mcp *m, struct mcp_call *call, struct slice value, int64_t now_ms);
void mcp_take_refusal(struct mcp *m, struct mcp_call *call, const struct fault *f);
/* It had no answer in time: why. */
void mcp_take_outage(struct mcp *m, struct mcp_call *call, const char *why);

/* A question.update: calls that wait for that may have another request now. */
void mcp_take_update(struct mcp *m, const struct question_update *u);
/* To a call that waits, so long after it came: it tells its progress, or has another request when its time is over. */
void mcp_take_time(struct mcp *m, struct mcp_call *call, int64_t waited_ms);
/* When a call that waits wants mcp_take_time() next, from when it came. */
int64_t mcp_next_time_ms(const struct mcp_call *call);

#endif
