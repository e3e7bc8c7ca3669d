#!/bin/bash
# store_redis.sh - ayed --store: what a person does while the table is in a real Redis, whoever of the two is killed; and what is refused at the start.
. "$(dirname "$0")/cli_kit.bash"

command -v redis-server >/dev/null || { echo "Bail out! redis-server is not installed"; exit 1; }
mkdir -m 700 "$home/redis"
redis=$home/redis/s
key=$home/key

ask_redis() { # WORD...
	redis-cli -s "$redis" "$@"
}
redis_answers() {
	[ "$(ask_redis ping 2>&1)" = PONG ]
}
start_redis() {
	rm -f "$redis"
	redis-server --port 0 --unixsocket "$redis" --unixsocketperm 700 --dir "$home/redis" --appendonly yes --appendfsync always \
		--save "" --daemonize no >>"$home/redis.log" 2>&1 &
	echo $! >"$home/redis.pid"
	until_true redis_answers
}
is_gone() { # PID
	[ ! -e "/proc/$1" ] || [ "$(ps -o stat= -p "$1")" = Z ]
}
kill_redis() {
	kill -9 "$(cat "$home/redis.pid")" && until_true is_gone "$(cat "$home/redis.pid")"
}

# An ayed with its table there.
export AYE_SERVER=unix:$home/sock
start_ayed() { # [ARGUMENT...]
	local line
	rm -f "$home/ready"
	mkfifo "$home/ready"
	"$AYED" --store "${store:-redis+unix://$redis}" --key-file "$key" --allow-root --listen "unix:$home/sock" "$@" >"$home/ready" 2>>"$home/ayed.log" &
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

starts() {
	"$AYED" key new "$key" >/dev/null && start_redis && start_ayed
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
after_a_stop() {
	end_ayed TERM && start_ayed && all_is_there
}
after_a_kill() {
	end_ayed KILL && start_ayed && all_is_there
}
# Whoever votes while Redis is away waits, and the vote is made when it is back.
through_the_end_of_redis() {
	local voting room
	room=$(cat "$home/room")
	"$AYE" again "$room" >/dev/null || return 1
	kill_redis
	"$AYE" vote "$room" 8 >"$home/vote" 2>&1 &
	voting=$!
	start_redis && wait "$voting" && "$AYE" reveal "$room" >/dev/null && room_shows "$room" "ada 8" &&
		"$AYE" settle "$room" 5 >/dev/null && all_is_there &&
		sed -n 's/.*event=store_state state=\([a-z]*\) .*/\1/p' "$home/ayed.log" | tail -n 2 | tr '\n' ' ' | grep -q "^away ok "
}
hides_the_password() {
	end_ayed TERM && ask_redis config set requirepass s3cret >/dev/null || return 1
	refuses "does not accept the user or the password" --store "redis+unix://:wrong@$redis" --key-file "$key" || return 1
	! grep -q wrong "$home/err" || return 1
	store="redis+unix://:s3cret@$redis" start_ayed || return 1
	! tr '\0' ' ' <"/proc/$(cat "$home/ayed.pid")/cmdline" | grep -q s3cret && all_is_there && end_ayed TERM || return 1
	AYED_REDIS_PASSWORD=s3cret start_ayed && all_is_there && end_ayed TERM || return 1
	printf 's3cret\n' >"$home/password" && chmod 600 "$home/password"
	store="redis+unix://$redis?password_file=$home/password" start_ayed && all_is_there || return 1
	! grep -q s3cret "$home/ayed.log" && redis-cli -a s3cret -s "$redis" config set requirepass "" >/dev/null 2>&1
}
refuses_a_second() {
	refuses "open" --store "redis+unix://$redis" --key-file "$key"
}
refuses_what_does_not_fit() {
	end_ayed TERM && "$AYED" key new "$home/key2" >/dev/null || return 1
	refuses "data of another server key" --store "redis+unix://$redis" --key-file "$home/key2" &&
		refuses "ayed key new $home/none" --store "redis+unix://$redis" --key-file "$home/none" &&
		refuses "--tls-cert and --tls-key" --store "redis+unix://$redis" --key-file "$key" --listen tls://127.0.0.1:0 || return 1
	ask_redis config set maxmemory 64mb >/dev/null
	ask_redis config set maxmemory-policy allkeys-lru >/dev/null
	refuses "maxmemory-policy" --store "redis+unix://$redis" --key-file "$key" || return 1
	ask_redis config set maxmemory-policy noeviction >/dev/null
	ask_redis config set appendonly no >/dev/null
	refuses "volatile=1" --store "redis+unix://$redis" --key-file "$key" || return 1
	kill_redis
	refuses "is Redis running there?" --store "redis+unix://$redis" --key-file "$key"
}

# Redis writes its title over its environment, by which the kit finds what is left running.
trap 'kill_redis >/dev/null 2>&1; finish' EXIT

claim "it starts on an empty Redis" starts
claim "a room, a question, a team and a backlog are made" a_team_works
claim "they are there after a stop" after_a_stop
claim "and after kill -9" after_a_kill
claim "Redis is killed and started while somebody votes: the vote waits, and is made; the log tells of both" through_the_end_of_redis
claim "a password is in no argument, message or log; a file and the environment serve as well" hides_the_password
claim "a second ayed is refused while the first runs" refuses_a_second
claim "another key, no key, a Redis that evicts, forgets or is not there: refused with what to do" refuses_what_does_not_fit
