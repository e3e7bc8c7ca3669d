#!/bin/bash
# lines_of_text.sh - texts of several lines by every way in and out of the server, with none of our code at the other end.
. "$(dirname "$0")/cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)
start_server main --limit questions_per_hour=1000 --limit answers_per_hour=1000 --limit answers_per_minute=1000 ||
	{ echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
claims_of "the texts' session ends well" timeout 240 /usr/bin/python3 -B "$here/lines_of_text.py" "${server#unix:}"
