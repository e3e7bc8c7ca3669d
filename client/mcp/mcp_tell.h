/*
 * mcp_tell.h - questions and failures in plain sentences, for a language model.
 *
 * Structured content has the same in fields, but many clients show a model only the
 * text, so the text says everything, and what to do next. Text of people is marked as
 * theirs, line by line.
 */
#ifndef CLIENT_MCP_MCP_TELL_H
#define CLIENT_MCP_MCP_TELL_H

#include <stdbool.h>
#include <stdint.h>

#include "client/mcp/mcp_tools.h"
#include "proto/base/buf.h"
#include "proto/records/records.h"

/*
 * The question was just asked. @view  NULL: its state could not be read. @now_ms  the server's
 * time; 0: not known.
 */
void mcp_tell_asked(const struct question_ask_result *asked, const struct question_view *view, int64_t now_ms,
		    struct buf *out);

/*
 * The state of the question. @cursor  of the answers that are not in the view; empty: there are
 * none.
 */
void mcp_tell_question(const struct question_view *view, struct slice cursor, int64_t now_ms, struct buf *out);

/* A refusal by the server, or by a check before sending. */
void mcp_tell_refusal(const struct mcp_tool *tool, const struct fault *f, struct buf *out);

/*
 * The server was not reached: why, and what that means for the call.
 * @key       the call's idempotency key.
 * @was_sent  the request was sent at least once.
 */
void mcp_tell_outage(const struct mcp_tool *tool, const char *why, struct slice key, bool was_sent, struct buf *out);

#endif
