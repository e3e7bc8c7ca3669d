/*
 * mcp_tools.h - the tools of the MCP server, as rows: their names, what they take, and their schemas.
 *
 * A tool is a request: each of its arguments is a field of the method's params, and
 * so are its type and its bounds. The schemas are made of the same rows.
 */
#ifndef CLIENT_MCP_MCP_TOOLS_H
#define CLIENT_MCP_MCP_TOOLS_H

#include <jansson.h>
#include <stdbool.h>

#include "client/model/request.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"

#define MCP_ARGUMENTS_MAX 8 /* of a tool, with the end */

struct mcp_argument {
	const char *name;  /* NULL: the end */
	const char *field; /* of the method's params; wait_seconds is none and our own */
	const char *help;  /* for the model; NULL: that of the field */
	const struct words *each; /* of a list: what its elements may be; NULL: any text */
};

struct mcp_tool {
	const char *name;
	const char *title;
	const char *description;
	enum method method;
	bool is_read_only;
	struct mcp_argument arguments[MCP_ARGUMENTS_MAX];
	const struct record *answers; /* whose required fields its structured content always has; all of it is of question_view */
};

/* Ends with a row whose name is NULL. */
extern const struct mcp_tool mcp_tools[];

/* The row of that name, or NULL. */
const struct mcp_tool *mcp_tool_find(struct slice name);

/* The tool as tools/list has it. The caller's. */
json_t *mcp_tool_describe(const struct mcp_tool *tool);

/*
 * The request that a call with these arguments is; arguments may be NULL. What is wrong with
 * them is its fault, which mcp_tool_explain() names as the tool does.
 *
 * @wait_seconds  the argument of that name; as it was where it is not given.
 */
struct request *mcp_tool_request(const struct mcp_tool *tool, json_t *arguments, int64_t *wait_seconds);

/* "timeout_seconds must be 60 to 86400": a fault of the arguments, or the message of any other. */
void mcp_tool_explain(const struct mcp_tool *tool, const struct fault *f, char *out, size_t cap);
enum { MCP_EXPLAIN_BYTES_MAX = 300 };

#endif
