#!/bin/bash
# mcp_sdk.sh - aye mcp driven by the Client of the public @modelcontextprotocol/sdk.
#
# npm fetches it into a temporary directory, from wherever it is set up to fetch from,
# so this is no part of `make check`. Needs node 18 or later.
npm_home=$HOME
. "$(dirname "$0")/../cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)
SDK_VERSION=${SDK_VERSION:-1.32.2}

fetch_sdk() {
	mkdir "$home/sdk" && cd "$home/sdk" &&
		HOME=$npm_home npm install --no-audit --no-fund --ignore-scripts --loglevel=error --prefix "$home/sdk" \
			"@modelcontextprotocol/sdk@$SDK_VERSION" && cp "$here/mcp_sdk.mjs" "$home/sdk"
}

claim "npm has version $SDK_VERSION of the SDK" fetch_sdk
[ "$failed" = 0 ] || exit
start_server main || { echo "Bail out! no server"; exit 1; }
told=$(AYE_SERVER=$server SERVER_PID=$server_pid timeout 240 node "$home/sdk/mcp_sdk.mjs" "$home")
ended=$?
# Its claims come behind ours.
printf '%s\n' "$told" | sed -n 's/^\(\(not \)\{0,1\}ok\) /\1 /p; /^# /p'
n=$((n + $(printf '%s\n' "$told" | grep -c '^\(not \)\{0,1\}ok ')))
[ $ended = 0 ] || failed=1
claim "the client's session ends well" [ $ended = 0 ]
