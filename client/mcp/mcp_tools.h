/*
 * mcp_tools.h - the table of the MCP server's tools: names, arguments and schemas.
 *
 * A tool is a request: each argument is a field of the method's params, and has its
 * type and limits. The schemas are generated from the same rows.
 */
#ifndef CLIENT_MCP_MCP_TOOLS_H
#define CLIENT_MCP_MCP_TOOLS_H

#include <jansson.h>
#include <stdbool.h>

#include "client/model/request.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"

#define MCP_ARGUMENTS_MAX 8 /* of a tool, including the end */

struct mcp_argument {
	const char *name;  /* NULL: the end */
	const char *field; /* of the method's params; wait_seconds has none */
	const char *help;  /* for the model; NULL: the field's help */
	const struct words *each; /* of a list: the allowed elements; NULL: any text */
};

struct mcp_tool {
	const char *name;
	const char *title;
	const char *description;
	enum method method;
	bool is_read_only;
	struct mcp_argument arguments[MCP_ARGUMENTS_MAX];
	/*
	 * Its structured content always has the required fields of this record; all fields are of
	 * question_view.
	 */
	const struct record *answers;
};

/* Ends with a row whose name is NULL. */
extern const struct mcp_tool mcp_tools[];

/* The tool of that name, or NULL. */
const struct mcp_tool *mcp_tool_find(struct slice name);

/* The tool's entry for tools/list. Owned by the caller. */
json_t *mcp_tool_describe(const struct mcp_tool *tool);

/*
 * Make the request for a call with these arguments, which may be NULL. An invalid argument is in
 * the request's fault; mcp_tool_explain() describes it in terms of the tool.
 *
 * @wait_seconds  set to the argument of that name; unchanged if it is not given.
 */
struct request *mcp_tool_request(const struct mcp_tool *tool, json_t *arguments, int64_t *wait_seconds);

/*
 * Write "timeout_seconds must be 60 to 86400" for a fault of the arguments, or the message of any
 * other.
 */
void mcp_tool_explain(const struct mcp_tool *tool, const struct fault *f, char *out, size_t cap);
enum { MCP_EXPLAIN_BYTES_MAX = 300 };

#endif
