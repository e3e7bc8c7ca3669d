#!/bin/bash
# cluster_rooms.sh - three ayed on one Redis: each is home of its share of the rooms. While people write stories in them, nodes are killed, stopped and ended, and so is Redis: others go on with the rooms, and what was acknowledged is there, once.
#
# Each room has an address of its own, a link to the socket of the node that its writer tries.
# promise: nodes-lose-nothing
. "$(dirname "$0")/redis_kit.bash"
doors=$(dirname "$0")/../support/node_doors.py

NODES=(1 2 3)
ROOMS=(1 2 3)
starts_node() { # N [ARGUMENT...]
	local line n=$1
	shift
	rm -f "$home/ready$n"
	mkfifo "$home/ready$n"
	"$AYED" --store "$store" --key-file "$key" --allow-root --listen "unix:$home/node$n" --cluster-listen 127.0.0.1:0 "$@" \
		>"$home/ready$n" 2>>"$home/node$n.log" &
	echo $! >"$home/node$n.pid"
	read -r line <"$home/ready$n"
	[ "$line" = "ready unix:$home/node$n" ]
}
signal() { # SIGNAL N
	kill "-$1" "$(cat "$home/node$2.pid")"
}
kills_node() { # N
	signal KILL "$1" && until_true is_gone "$(cat "$home/node$1.pid")"
}
has_logged() { # N EVENT
	tail -n "+$(cat "$home/node$1.seen" 2>/dev/null || echo 1)" "$home/node$1.log" | grep -q "event=$2"
}
forget_log() { # N
	echo $(($(wc -l <"$home/node$1.log") + 1)) >"$home/node$1.seen"
}

# ---- rooms, and who writes in them ----

try_node() { # ROOM N
	ln -sfn "node$2" "$home/at$1"
}
aye_in() { # ROOM WORD...
	local r=$1
	shift
	AYE_SERVER=unix:$home/at$r timeout 20 "$AYE" "$@"
}
# Whether the node that is tried has the room itself: a script that was answered once does not follow to another one.
is_home() { # ROOM
	printf '{"method":"server.ping"}\n{"id":1,"method":"room.get","params":{"room_id":"%s"}}\n' "$(cat "$home/room$1")" |
		aye_in "$1" --timeout 3 script 2>/dev/null | grep -q '"id":1,"result"'
}
# The node that has the room; it is the one that is tried from now on.
home_of() { # ROOM
	local n
	for n in "${NODES[@]}"; do
		try_node "$1" "$n"
		is_home "$1" && echo "$n" && return 0
	done
	return 1
}
makes_room() { # ROOM, at the node of the same number, once that knows of the others
	try_node "$1" "$1"
	aye_in "$1" new --title "Room $1" --json 2>>"$home/new.log" | grep -o '"room_id":"[^"]*' | cut -d'"' -f4 >"$home/room$1" && [ -s "$home/room$1" ] &&
		[ "$(home_of "$1")" = "$1" ]
}
# Until the file `end` is there: stories, one after the other, each of another name. What is refused is not tried again.
writes() { # ROOM
	local i=0
	while [ -d "$home" ] && [ ! -e "$home/end" ]; do
		i=$((i + 1))
		if aye_in "$1" --timeout 3 add "$(cat "$home/room$1")" "S$1-$i." >/dev/null 2>&1; then
			echo "S$1-$i." >>"$home/acknowledged$1"
		else
			try_node "$1" "${NODES[i % 3]}"
		fi
		sleep 0.2
	done
}
acknowledged() { # ROOM
	wc -l <"$home/acknowledged$1"
}
has_written_more() { # ROOM N
	[ "$(acknowledged "$1")" -gt "$2" ]
}
# All writers go on; says after how many seconds.
all_write() {
	local r began=$SECONDS
	local -A n
	for r in "${ROOMS[@]}"; do
		n[$r]=$(acknowledged "$r")
	done
	for r in "${ROOMS[@]}"; do
		until_true has_written_more "$r" $((n[$r] + 1)) || return 1
	done
	echo "# all write again after $((SECONDS - began)) s" >>"$home/figures"
}
# A room as its home has it, with all that was acknowledged, once.
is_whole() { # ROOM
	local story
	until_true home_of "$1" >/dev/null && aye_in "$1" story list "$(cat "$home/room$1")" >"$home/list$1" || return 1
	while read -r story; do
		[ "$(grep -cF "$story" "$home/list$1")" = 1 ] || { echo "$story is not there once"; return 1; }
	done <"$home/acknowledged$1"
	echo "# room $1 has $(acknowledged "$1") stories" >>"$home/figures"
}
all_are_whole() {
	local r
	for r in "${ROOMS[@]}"; do
		is_whole "$r" || return 1
	done
}

# ---- what happens ----

listed() { # NUMBER
	[ "$(ask_redis hlen '{d}n')" = "$1" ]
}
three_start() {
	local n
	"$AYED" key new "$key" >/dev/null && start_redis || return 1
	for n in "${NODES[@]}"; do
		starts_node "$n" || return 1
	done
	until_true listed 3
}
rooms_are_made() {
	local r
	for r in "${ROOMS[@]}"; do
		until_true makes_room "$r" && aye_in "$r" vote "$(cat "$home/room$r")" 5 >/dev/null || return 1
		: >"$home/acknowledged$r"
	done
}
reached_through_each() {
	local r n
	for r in "${ROOMS[@]}"; do
		for n in "${NODES[@]}"; do
			/usr/bin/python3 "$doors" hello "unix:$home/node$n" "$(cat "$home/room$r")" | grep -q "^ok" || return 1
		done
	done
}
writers_start() {
	local r
	for r in "${ROOMS[@]}"; do
		writes "$r" >>"$home/writers.log" 2>&1 &
		writers+=($!)
	done
}
alone_is_refused() {
	refuses "make this ayed one of them with --cluster-listen" --store "$store" --key-file "$key"
}
is_killed() {
	kills_node 1 && all_write && starts_node 1 && all_write
}
# It does not know that it was stopped: what it would have said is older than what another has by then.
is_stopped() {
	local n
	forget_log 2
	signal STOP 2 && n=$(acknowledged 2) && until_true has_written_more 2 $((n + 2)) && signal CONT 2 && until_true has_logged 2 frozen && until_true has_logged 2 thawed && all_write
}
is_ended() {
	signal TERM 3 && until_true is_gone "$(cat "$home/node3.pid")" && tail -n 1 "$home/node3.log" | grep -q event=stopped &&
		all_write && starts_node 3 && all_write
}
redis_is_killed() {
	kill_redis
	sleep 4
	start_redis && all_write
}
differs() {
	forget_log 1
	kills_node 3 && starts_node 3 --limit room_creates_per_minute=7 && until_true has_logged 1 "node_differs.*what=limits" &&
		until_true has_logged 3 "node_differs.*what=limits"
}
writers_end() {
	local pid
	: >"$home/end"
	for pid in "${writers[@]}"; do
		until_true is_gone "$pid" || return 1
	done
	all_are_whole
}
votes_are_there() {
	local r room
	for r in "${ROOMS[@]}"; do
		room=$(cat "$home/room$r")
		until_true home_of "$r" >/dev/null && aye_in "$r" reveal "$room" >/dev/null &&
			aye_in "$r" room show "$room" | grep -q "tester 5" || return 1
	done
}
# Where all nodes have gone, one that has the data alone has all rooms, after their entries have lapsed.
one_has_all() {
	local n
	for n in "${NODES[@]}"; do
		signal TERM "$n" && until_true is_gone "$(cat "$home/node$n.pid")" || return 1
	done
	start_ayed || return 1
	for n in "${ROOMS[@]}"; do
		ln -sfn sock "$home/at$n"
		aye_in "$n" room show "$(cat "$home/room$n")" | grep -q "tester 5" || return 1
	done
}
writers=()
claim "three start, and each is in the list" three_start
claim "a room is made at each, which is its home" rooms_are_made
[ -s "$home/room3" ] || exit 1
claim "each is reached through any of them" reached_through_each
writers_start
claim "they are written in" all_write
claim "an ayed that is no node is refused beside them" alone_is_refused
claim "a node is killed: another goes on with its room" is_killed
claim "a node is stopped for longer than its lease: another has its room; it goes on with what is its own" is_stopped
claim "a node ends by SIGTERM: another has its room" is_ended
claim "Redis is killed and started: all go on" redis_is_killed
claim "a node with other limits is named in the log of each" differs
claim "all that was acknowledged is there, once" writers_end
claim "so are the votes" votes_are_there
claim "when all nodes have ended, an ayed has the data alone" one_has_all
cat "$home/figures"
