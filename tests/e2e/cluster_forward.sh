#!/bin/bash
# cluster_forward.sh - two ayed on one real Redis: a client that means a room of the other one is forwarded to it, whatever way it came; and who comes to the port for nodes and is none.
. "$(dirname "$0")/redis_kit.bash"
doors=$(dirname "$0")/../support/node_doors.py

# Ports that nobody gets who does not ask for them: whoever closes a connection first keeps its port for a minute.
mapfile -t ports < <(/usr/bin/python3 - <<-'END'
	import socket
	for _ in range(4):
	    listener = socket.create_server(("127.0.0.1", 0))
	    ours = socket.create_connection(listener.getsockname())
	    listener.accept()[0].close()
	    print(listener.getsockname()[1])
END
)
declare -A door=([a]=${ports[0]} [b]=${ports[1]}) web=([a]=${ports[2]} [b]=${ports[3]})

start_node() { # NAME [ARGUMENT...]
	local name=$1 line
	shift
	rm -f "$home/$name.ready"
	mkfifo "$home/$name.ready"
	"$AYED" --store "$store" --key-file "$key" --allow-root --listen "unix:$home/$name.sock" \
		--listen "http://127.0.0.1:${web[$name]}" --cluster-listen "127.0.0.1:${door[$name]}" "$@" >"$home/$name.ready" 2>>"$home/$name.log" &
	echo $! >"$home/$name.pid"
	read -r line <"$home/$name.ready"
	[ "${line#ready }" != "$line" ] || { cat "$home/$name.log"; return 1; }
}
kill_node() { # NAME SIGNAL
	kill "-$2" "$(cat "$home/$1.pid")"
}
at() { # NAME COMMAND...
	local name=$1
	shift
	AYE_SERVER=unix:$home/$name.sock "$@"
}
figure() { # NAME METRIC
	"$AYED" stats --prometheus "unix:$home/$1.sock" | sed -n "s/^ayed_$2 //p"
}
# A node knows of the other one when it does not take its rooms for its own any more.
goes_elsewhere() { # NAME
	[ "$(/usr/bin/python3 "$doors" hello "unix:$home/$1.sock" "$room" | cut -d' ' -f1)" = ok ] &&
		[ "$(figure "$1" forwarded_connections_total)" != 0 ]
}

knows_both() { # NAME
	[ "$(figure "$1" cluster_nodes)" = 2 ]
}
# aye makes a room by a key, from which its code follows: it may be another node's.
makes_a_room_at_a() {
	local before
	at a "$AYE" new --title Elsewhere --json | grep -o '"room_id":"[^"]*' | cut -d'"' -f4 >"$home/room" && [ -s "$home/room" ] || return 1
	before=$(figure a forwarded_connections_total)
	/usr/bin/python3 "$doors" hello "unix:$home/a.sock" "$(cat "$home/room")" >/dev/null && [ "$(figure a forwarded_connections_total)" = "$before" ]
}
starts() {
	"$AYED" key new "$key" >/dev/null && start_redis && start_node a && start_node b && until_true knows_both a && until_true knows_both b &&
		at a "$AYE" login ada >/dev/null && until_true makes_a_room_at_a
}
works_through_the_other() {
	until_true goes_elsewhere b || return 1
	/usr/bin/python3 "$doors" hello "unix:$home/b.sock" "$room" | grep -q "^ok" && [ "$(figure a arrived_connections_total)" -ge 1 ]
}
as_bob() { # COMMAND...
	XDG_STATE_HOME=$home/other "$@" </dev/null
}
votes_through_the_other() {
	at a "$AYE" vote "$room" 5 >/dev/null && at b as_bob "$AYE" login bob >/dev/null && at b as_bob "$AYE" vote "$room" 8 >/dev/null &&
		at a "$AYE" reveal "$room" >/dev/null && at a "$AYE" room show "$room" | grep -q "bob.*8"
}
browsers_are_translated_at_the_entry() {
	/usr/bin/python3 "$doors" web "${web[b]}" "$room" | tr '\n' ' ' | grep -q "^ok .*room"
}
bytes_are_counted() {
	[ "$(figure b forwarded_received_bytes_total)" -gt 0 ] && [ "$(figure b forwarded_sent_bytes_total)" -gt 0 ]
}

visit() { # WHAT WANTED MOST-MS
	local said
	said=$(/usr/bin/python3 "$doors" door "${door[a]}" "$key" "$1")
	[ "${said% *}" = "$2" ] && [ "${said##* }" -lt "$3" ] || { echo "$1: $said"; return 1; }
}
who_has_the_key_is_served() {
	visit right "served open" 8000
}
garbage_ends_at_once() {
	visit garbage refused 1000 && visit http refused 1000 && visit hello refused 1000
}
strangers_end_at_once() {
	visit stranger "refused shut" 2000 && visit keyless "refused shut" 2000
}
what_is_no_preface_ends_at_once() {
	visit newer "refused open" 2000 && visit owner "refused open" 2000 && visit none "refused open" 2000 &&
		visit long "refused open" 2000 && grep -q 'event=preface_refused reason="written by a newer version"' "$home/a.log"
}
slow_ones_end_in_time() {
	visit silent refused 5000 && visit slow "refused open" 12000
}

stopped_home_is_unavailable() {
	local said
	kill_node a STOP
	said=$(/usr/bin/python3 "$doors" hello "unix:$home/b.sock" "$room" wait | head -n 1)
	kill_node a CONT
	[ "${said% *}" = UNAVAILABLE ] && [ "${said##* }" -lt 3000 ] || { echo "$said"; return 1; }
}
killed_home_ends_connections() {
	local killed waiting
	until_true goes_elsewhere b || return 1
	: >"$home/waits"
	/usr/bin/python3 "$doors" hello "unix:$home/b.sock" "$room" wait >"$home/waits" &
	waiting=$!
	until_true grep -q ok "$home/waits" || return 1
	killed=$(date +%s.%N)
	kill_node a KILL
	wait "$waiting"
	tail -n 1 "$home/waits" | awk -v killed="$killed" '{ exit !(($1 == "closed" || $1 == "reset") && $2 - killed < 1) }' ||
		{ cat "$home/waits"; return 1; }
}
then_the_other_is_home() {
	until_true at b "$AYE" room show "$room" >/dev/null && [ "$(figure b forwarded_connections)" = 0 ]
}

claim "two nodes start on one Redis, and one makes a room" starts
room=$(cat "$home/room")
claim "a hello for it at the other one is answered by the room's home" works_through_the_other
claim "two people vote in it, each at another node" votes_through_the_other
claim "a browser does, too: its WebSocket ends where it came" browsers_are_translated_at_the_entry
claim "what was forwarded is counted" bytes_are_counted
claim "at the port for nodes whoever has the key is served" who_has_the_key_is_served
claim "what is no TLS ends at once" garbage_ends_at_once
claim "strangers, with another key or none, end in the handshake" strangers_end_at_once
claim "who has the key and says something else, or is of another version, ends at once" what_is_no_preface_ends_at_once
claim "who says nothing, or too little, ends when its time is over" slow_ones_end_in_time
claim "while the home is stopped, a hello is refused within three seconds" stopped_home_is_unavailable
claim "kill -9 of the home ends what was forwarded to it at once" killed_home_ends_connections
claim "the other node is the room's home then" then_the_other_is_home
