/*
 * mcp_tell.h - questions and failures in plain sentences, for a language model.
 *
 * Structured content has the same in fields; many clients show a model the text
 * alone, so the text says all of it, and what to do next. What people wrote is
 * marked as theirs, line by line.
 */
#ifndef CLIENT_MCP_MCP_TELL_H
#define CLIENT_MCP_MCP_TELL_H

#include <stdbool.h>
#include <stdint.h>

#include "client/mcp/mcp_tools.h"
#include "proto/base/buf.h"
#include "proto/records/records.h"

/* The question has just been asked. @view  NULL: how it stands could not be read. @now_ms  the server's time, 0: not known. */
void mcp_tell_asked(const struct question_ask_result *asked, const struct question_view *view, int64_t now_ms,
		    struct buf *out);

/* Nobody can answer it any more. */
bool mcp_has_ended(const struct question_view *v);

/* How it stands. @cursor  of the answers that are not in the view; empty: there are none. */
void mcp_tell_question(const struct question_view *view, struct slice cursor, int64_t now_ms, struct buf *out);

/* What the server, or a check before it, said no to. */
void mcp_tell_refusal(const struct mcp_tool *tool, const struct fault *f, struct buf *out);

/* No server: why, and what that means for the call. @key  its idempotency key. @was_sent  to a server, once or more. */
void mcp_tell_outage(const struct mcp_tool *tool, const char *why, struct slice key, bool was_sent, struct buf *out);

#endif
