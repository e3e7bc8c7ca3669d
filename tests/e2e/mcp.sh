#!/bin/bash
# mcp.sh - aye mcp as an agent's client sees it, by a client that has none of our code.
. "$(dirname "$0")/cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)
claims_of "the client's session ends well" timeout 240 /usr/bin/python3 -B "$here/mcp_client.py" "$home"
