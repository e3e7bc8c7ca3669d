#!/bin/bash
# tmux_plain.sh - a room in lines at a real terminal: the prompt, what is not shown, and the end.
. "$(dirname "$0")/tmux_kit.bash"
serve

TERM_OF_PANE=dumb
# enter() with another kind of terminal than tmux's own.
enter_as() { # TERM PANE ARGUMENTS...
	local term=$1 pane=$2
	shift 2
	enter "$pane" 80 24 "$@"
}

# The last line that is not empty.
last_line() {
	mux capture-pane -p -t "$1" | grep -v '^$' | tail -n 1
}

until_last() { # PANE TEXT
	local try
	for ((try = 0; try < TRIES; try++)); do
		[ "$(last_line "$1")" = "$2" ] && return 0
		sleep 0.1
	done
	echo "# the last line of $1 never was \"$2\""
	return 1
}
