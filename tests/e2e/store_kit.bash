# store_kit.bash - for the tests of ayed --store: a server whose table is at $store, and what a team does with it.
. "$(dirname "${BASH_SOURCE[0]}")/cli_kit.bash"

command -v redis-server >/dev/null || { echo "Bail out! redis-server is not installed"; exit 1; }
key=$home/key

is_gone() { # PID
	[ ! -e "/proc/$1" ] || [ "$(ps -o stat= -p "$1")" = Z ]
}

# An ayed with its table there.
export AYE_SERVER=unix:$home/sock
start_ayed() { # [ARGUMENT...]
	start_ayed_at "$store" "$@"
}
start_ayed_at() { # URL [ARGUMENT...]
	local line url=$1
	shift
	rm -f "$home/ready"
	mkfifo "$home/ready"
	"$AYED" --store "$url" --key-file "$key" --allow-root --listen "unix:$home/sock" "$@" >"$home/ready" 2>>"$home/ayed.log" &
	echo $! >"$home/ayed.pid"
	read -r line <"$home/ready"
	[ "$line" = "ready unix:$home/sock" ]
}
end_ayed() { # SIGNAL
	local pid
	pid=$(cat "$home/ayed.pid")
	kill "-$1" "$pid" && until_true is_gone "$pid" && { [ "$1" = KILL ] || tail -n 1 "$home/ayed.log" | grep -q event=stopped; }
}
refuses() { # SENTENCE ARGUMENT...
	local sentence=$1
	shift
	ends_with 1 timeout 30 "$AYED" --allow-root --listen "unix:$home/other" "$@" 2>"$home/err" && grep -qF -- "$sentence" "$home/err" ||
		{ cat "$home/err"; return 1; }
}

a_team_works() {
	"$AYE" login ada >/dev/null && "$AYE" new --title "Sprint 42" --json | grep -o '"room_id":"[^"]*' | cut -d'"' -f4 >"$home/room" && room=$(cat "$home/room") &&
		"$AYE" add "$room" "PAY-1 Refund" >/dev/null && "$AYE" next "$room" >/dev/null && "$AYE" vote "$room" 5 >/dev/null &&
		"$AYE" reveal "$room" >/dev/null && "$AYE" settle "$room" 5 >/dev/null &&
		"$AYE" ask "Ship it?" -o yes -o no --json | grep -o '"question_id":"[^"]*' | cut -d'"' -f4 >"$home/question" &&
		"$AYE" team new Payments >/dev/null && "$AYE" backlog new Payments Sprint >/dev/null &&
		"$AYE" item add Sprint "PAY-2 Split a payment" >/dev/null
}
all_is_there() {
	"$AYE" story list "$(cat "$home/room")" | grep -q "done  *5 .*PAY-1 Refund" &&
		"$AYE" question show "$(cat "$home/question")" | grep -q "Ship it?" && "$AYE" item list Sprint | grep -q "PAY-2"
}

# Servers of Redis that end with the script: sets servers, store, and ports and pids, masters first.
begin_servers() { # sentinel|cluster [DIRECTORY OF CERTIFICATES]
	local line
	rm -f "$home/servers.out"
	mkfifo "$home/servers.out"
	"$(dirname "$AYED")/tests/tools/redis_servers" "$@" >"$home/servers.out" 2>>"$home/redis.log" &
	servers=$!
	exec 9<"$home/servers.out"
	read -r store <&9
	ports=() pids=()
	while read -r line <&9 && [ "$line" != ready ]; do
		ports+=("${line% *}") pids+=("${line#* }")
	done
	exec 9<&-
	[ "$line" = ready ] || { echo "Bail out! no servers of Redis"; exit 1; }
}
end_servers() {
	kill "$servers" && wait "$servers"
}

# ---- ayed copy ----

copies() { # ARGUMENT...
	timeout 100 "$AYED" copy "$@" >"$home/out" 2>"$home/err" || { cat "$home/err"; return 1; }
}
fails() { # SENTENCE COMMAND...
	local sentence=$1
	shift
	ends_with 1 timeout 100 "$@" >"$home/out" 2>"$home/err" && grep -qF -- "$sentence" "$home/err" ||
		{ cat "$home/err"; return 1; }
}
dump_store() {
	"$AYED" dump --hidden-votes --store "$store" 2>/dev/null
}
dump_directory() { # DIR
	"$AYED" dump --hidden-votes "$1" 2>/dev/null
}
