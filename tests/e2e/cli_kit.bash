# cli_kit.bash - for the cli_*.sh tests: a person's own state, claims in TAP, and a clean end.
#
# Needs AYE and AYED in the environment. Nothing waits for time: whatever is
# waited for is an event, which is looked for TRIES times at most, or read from
# a program, which the test runner ends where it is broken.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/claims.bash"
. "$(dirname "${BASH_SOURCE[0]}")/../support/servers.bash"
TRIES=1000
home=$(mktemp -d /tmp/aye-cli-XXXXXX)
export HOME=$home/home XDG_STATE_HOME=$home/state XDG_RUNTIME_DIR=$home/run USER=tester
unset XDG_CONFIG_HOME NO_COLOR ${!AYE_@}
mkdir -m 700 "$HOME" "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR"

# A program that makes claims itself, in TAP; and one more: that it ends well.
claims_of() { # CLAIM COMMAND...
	local text=$1 told ended
	shift
	told=$("$@")
	ended=$?
	printf '%s\n' "$told" | sed -n '/^\(not \)\{0,1\}ok /p; /^# /p'
	n=$((n + $(printf '%s\n' "$told" | grep -c '^\(not \)\{0,1\}ok ')))
	claim "$text" [ "$ended" = 0 ]
}

# Whether a command ends with this code; what it said is shown where it does not.
ends_with() { # CODE COMMAND...
	local wanted=$1 code
	shift
	"$@"
	code=$?
	[ "$code" = "$wanted" ] || { echo "ended with $code, not $wanted"; return 1; }
}

# Until a command succeeds; says so where it never did. A look is several processes: where much is to be waited for, the
# looks of all scripts that run side by side must not be what everybody waits for.
until_true() { # COMMAND...
	local try pause=0.02
	for ((try = 0; try < TRIES; try++)); do
		"$@" && return 0
		((try < 10)) || pause=0.1
		sleep "$pause"
	done
	echo "never came true: $*"
	return 1
}

# Whether a room shows that: each look is an answer of the server.
room_shows() { # CODE PATTERN
	"$AYE" room show "$1" | grep -q -- "$2"
}

# A server of our own on a socket, by process id; sets server_pid, server, and the line it began with, server_ready.
start_server() { # NAME [ARGUMENT...]
	local name=$1 line
	shift
	server=unix:$home/$name.sock
	rm -f "$home/$name.out"
	mkfifo "$home/$name.out"
	"$AYED" --data "$home/$name.data" --allow-root --listen "$server" "$@" >"$home/$name.out" 2>>"$home/$name.log" &
	server_pid=$!
	read -r line <"$home/$name.out"
	server_ready=$line
	[ "${line#ready }" != "$line" ]
}

# A certificate for 127.0.0.1 and its key, in $home/NAME.{crt,key}.
make_pair() { # NAME [OPENSSL ARGUMENT...]
	local name=$1
	shift
	openssl req -x509 -newkey "${key:-rsa:2048}" -nodes -keyout "$home/$name.key" -out "$home/$name.crt" -days 1 \
		-subj /CN=test -addext subjectAltName=IP:127.0.0.1 "$@" 2>"$home/openssl.log" &&
		chmod 600 "$home/$name.key"
}

# It has ended, though the process that is to reap it may be slow.
is_gone() { # PID
	! grep -q '^State:	[^XZ]' "/proc/$1/status" 2>/dev/null
}

# The server ends. A claim runs in a subshell, which cannot wait for what another shell has started.
end_server() { # [SIGNAL]
	kill -"${1:-TERM}" "$server_pid"
	until_true is_gone "$server_pid"
}

private_pid() {
	servers_of "$XDG_STATE_HOME/aye"
}

# On a terminal of its own. The shell that script starts has to read what %q quoted for bash.
on_a_terminal() { # COMMAND...
	SHELL=/bin/bash script -qec "$(printf '%q ' "$@")" /dev/null
}

# What a claim that failed left running: a process of ours has our directory in its environment.
strays() {
	grep -lsaF "=$home" /proc/[0-9]*/environ | grep -o '[0-9][0-9]*'
}

finish() {
	local pid
	for pid in $(servers_of "$home") $(strays); do
		kill "$pid" 2>/dev/null
		while kill -0 "$pid" 2>/dev/null && [ "$(ps -o stat= -p "$pid")" != Z ]; do :; done
	done
	wait 2>/dev/null
	rm -rf "$home"
	echo "1..$n"
	exit "$failed"
}
trap finish EXIT
