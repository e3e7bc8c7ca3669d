# tmux_kit.bash - for the scripts here: a server, panes in a tmux of their own, and
# waiting for what screens show. Needs AYE and AYED; made to be sourced.
#
# Screens are looked at until they show what is waited for, TRIES times at most.
: "${AYE:?says which aye to test}" "${AYED:?says which ayed to test}"
. "$(dirname "${BASH_SOURCE[0]}")/../support/servers.bash"
TRIES=200

dir=$(mktemp -d)
export TMUX_TMPDIR=$dir
server=
unset TMUX NO_COLOR ${!AYE_@}
export AYE_SERVER=unix:$dir/socket XDG_CONFIG_HOME=$dir/config LC_ALL=C.UTF-8 TERM=xterm-256color

finish() {
	mux kill-server 2>/dev/null
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null
		wait "$server" 2>/dev/null
	fi
	retried rm -rf "$dir" 2>/dev/null # a pane's aye may write down what it leaves
}
trap finish EXIT

# For tests in which aye starts servers by itself: they end first.
finish_with_servers() {
	local pid
	mux kill-server 2>/dev/null
	for pid in $(servers_of "$dir"); do
		kill "$pid" 2>/dev/null && tail --pid="$pid" -f /dev/null
	done
	finish
}

mux() {
	tmux -L aye-test -f /dev/null "$@"
}

# What stands on the screen of a pane.
screen() {
	mux capture-pane -p -t "$1" 2>/dev/null
}

# hit PANE KEY...: as tmux names them; what is no name of a key is typed.
hit() {
	local pane=$1
	shift
	mux send-keys -t "$pane" "$@"
}

# typed PANE TEXT: characters, then Enter.
typed() {
	hit "$1" -l "$2"
	hit "$1" Enter
}

# pastes PERSON LINE: as if copied from somewhere, Enter behind it.
pastes() {
	mux set-buffer -b line "$2"
	mux paste-buffer -p -b line -t "$1"
	hit "$1" Enter
}

# line_on PANE: the line for others that stands there; one that is too wide goes on in the next row.
line_on() {
	screen "$1" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' |
		sed -n 's/^ *\(aye join [A-Z0-9]* --server tls:.*[^ ]\) *$/\1/p' | head -n 1
}

# as PERSON ARGUMENTS...: aye as somebody who has a state of their own, a login say.
as() {
	local person=$1
	shift
	mkdir -p "$dir/$person"
	XDG_STATE_HOME=$dir/$person "$AYE" "$@"
}

number=0
failed=0
# told STATUS CLAIM: one line of TAP.
told() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		failed=1
		echo "not ok $number - $2"
		for pane in $(mux list-sessions -F "#S" 2>/dev/null); do
			echo "# $pane:"
			screen "$pane" | sed 's/^/# /'
		done
	fi
}

# retried COMMAND...: until it succeeds.
retried() {
	local try
	for ((try = 0; try < TRIES; try++)); do
		"$@" && return 0
		sleep 0.1
	done
	return 1
}

# until_shown PANE TEXT...: until each text stands on that screen.
until_shown() {
	local pane=$1 try text screen missing
	shift
	for ((try = 0; try < TRIES; try++)); do
		screen=$(screen "$pane")
		missing=
		for text in "$@"; do
			[[ $screen == *"$text"* ]] || missing=$text
		done
		[ -z "$missing" ] && return 0
		sleep 0.1
	done
	echo "# \"$missing\" never stood on the screen of $pane"
	return 1
}

# until_hidden PANE TEXT: until it stands there no longer.
until_hidden() {
	retried is_hidden "$@" || { echo "# \"$2\" stays on the screen of $1"; false; }
}
is_hidden() {
	[[ $(screen "$1") != *"$2"* ]]
}

until_file() {
	retried [ -s "$1" ]
}

# enter PANE WIDTH HEIGHT ARGUMENTS...: aye in a terminal of its own, which says how it ended. NAME-2 is another
# window of NAME.
enter() {
	local pane=$1 width=$2 height=$3 person=${1%-[0-9]}
	shift 3
	cat >"$dir/$pane.sh" <<-END
		export XDG_STATE_HOME=$dir/$person
		stty -g >$dir/$pane.before
		sh -c 'echo \$\$ >$dir/$pane.pid; exec $AYE $* --name $person'
		echo "$pane left with \$?"
		stty -g >$dir/$pane.after
		exec cat
	END
	mkdir -p "$dir/$person"
	mux new-session -d -s "$pane" -x "$width" -y "$height" "sh $dir/$pane.sh"
}

# The terminal is in the mode it was in, and the shell's screen is back.
is_restored() {
	until_file "$dir/$1.after" && cmp -s "$dir/$1.before" "$dir/$1.after" &&
		! screen "$1" | grep -q 'here'
}

# serve: the server, until finish().
serve() {
	"$AYED" --data "$dir/data" --allow-root --listen "$AYE_SERVER" >"$dir/ready" 2>"$dir/log" &
	server=$!
	until_file "$dir/ready" || echo "# no server: $(cat "$dir/log")"
}

# ada_makes_a_room WIDTH HEIGHT: she is host in it; $code is what leads in.
ada_makes_a_room() {
	enter ada "$1" "$2" new --title Sprint
	until_shown ada 'aye · Sprint · ' '1 here' 'waiting for you' || return
	code=$(screen ada | sed -n 's/^ *aye join \([0-9A-Z]*\).*/\1/p' | head -n 1)
}
