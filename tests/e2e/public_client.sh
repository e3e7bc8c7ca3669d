#!/bin/bash
# public_client.sh - a whole evening by a public MessagePack-RPC library, with none of our code.
. "$(dirname "$0")/cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)
start_server main || { echo "Bail out! no server"; exit 1; }
claims_of "the library's session ends well" timeout 60 /usr/bin/python3 -B "$here/public_client.py" "${server#unix:}"
