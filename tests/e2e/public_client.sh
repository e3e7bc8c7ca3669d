#!/bin/bash
# public_client.sh - a whole evening by a public MessagePack-RPC library, with none of our code.
. "$(dirname "$0")/cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)
start_server main || { echo "Bail out! no server"; exit 1; }

by_the_library() {
	timeout 60 /usr/bin/python3 -B "$here/public_client.py" "${server#unix:}"
}

told=$(by_the_library)
ended=$?
printf '%s\n' "$told" | sed -n '/^\(not \)\{0,1\}ok /p'
n=$(printf '%s\n' "$told" | grep -c '^\(not \)\{0,1\}ok ')
if [ $ended != 0 ]; then
	failed=1
fi
claim "the library's session ends well" [ $ended = 0 ]
