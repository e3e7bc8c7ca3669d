/*
 * mcp_call.h - the life of a tool call: its requests to the aye server, and its result.
 *
 *   tools/call ask_human:             question.ask -> question.get -> answer
 *   tools/call check_human_responses: question.get, page by page -> answer
 *   the same, with wait_seconds:      question.watch .. a new response, or the time is over ->
 *                                     question.unwatch -> question.get -> answer
 *   notifications/cancelled:          no answer; if the question was asked already and the
 *                                     caller cannot know its id: question.cancel
 *
 * Life: mcp_call_begin() .. its answer, or mcp_call_drop().
 */
#ifndef CLIENT_MCP_MCP_CALL_H
#define CLIENT_MCP_MCP_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "client/mcp/mcp_tools.h"
#include "client/model/questions/question_whole.h"
#include "client/model/request.h"
#include "proto/base/arena.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/records/records.h"

#include <jansson.h>

#define MCP_PROGRESS_MS 5000  /* between progress notifications of a waiting call */
/*
 * The most pages of answers that one check reads: enough for all ASCII answers, but not for all of
 * longer characters.
 */
#define MCP_PAGES_MAX 8

struct mcp;

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

/*
 * Begin a call of a tool. It is answered at once, and not added, if its arguments are not valid or
 * there are too many calls.
 *
 * @id         of the message, as received.
 * @arguments  NULL: none.
 * @progress   the progress token as received; empty: none.
 */
void mcp_call_begin(struct mcp *m, const struct mcp_tool *tool, struct slice id, json_t *arguments,
		    struct slice progress);
/* Nobody wants its answer: it is dropped, now or when its request has been answered. */
void mcp_call_cancel(struct mcp *m, struct mcp_call *call);
/* Forget it without an answer. */
void mcp_call_drop(struct mcp *m, struct mcp_call *call);

/*
 * The reply to the request of a call. Afterwards the call is freed, or has another request, with
 * is_sent false.
 *
 * @result  of the result record of the request's method.
 * @now_ms  the server's time; 0: not known.
 */
void mcp_call_take_answer(struct mcp *m, struct mcp_call *call, const void *result, int64_t now_ms);
void mcp_call_take_refusal(struct mcp *m, struct mcp_call *call, const struct fault *f);
/* The request had no answer in time. @why  for the model. */
void mcp_call_take_outage(struct mcp *m, struct mcp_call *call, const char *why);

/* Take a question.update: calls that wait for it may have another request now. */
void mcp_call_take_update(struct mcp *m, const struct question_update *u);
/*
 * Tell a waiting call how long ago it came: it sends a progress notification, or has another
 * request if its time is over.
 */
void mcp_call_take_time(struct mcp *m, struct mcp_call *call, int64_t waited_ms);
/* When to call mcp_call_take_time() next for a waiting call, in ms since the call came. */
int64_t mcp_call_next_time_ms(const struct mcp_call *call);

#endif
