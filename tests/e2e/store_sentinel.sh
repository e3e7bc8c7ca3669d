#!/bin/bash
# store_sentinel.sh - ayed --store redis+sentinel://: a room, a question and a backlog live through kill -9 of the Redis master,
# with Sentinels configured by the lines of ayed(8).
. "$(dirname "$0")/store_kit.bash"

free_ports() { # NUMBER
	python3 -c 'import socket, sys
taken = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in taken:
	s.bind(("127.0.0.1", 0))
	print(s.getsockname()[1])' "$1"
}
mapfile -t ports < <(free_ports 6) # three servers, three Sentinels
store=redis+sentinel://table@127.0.0.1:${ports[3]},127.0.0.1:${ports[4]},127.0.0.1:${ports[5]}

ask_redis() { # PORT WORD...
	redis-cli -p "$@"
}
answers() { # PORT
	[ "$(ask_redis "$1" ping 2>&1)" = PONG ]
}
begin_server() { # NUMBER [OPTION...]
	local n=$1
	shift
	mkdir -p "$home/redis$n"
	redis-server --port "${ports[$n]}" --bind 127.0.0.1 --dir "$home/redis$n" --appendonly yes --save "" --repl-diskless-sync-delay 0 \
		"$@" >>"$home/redis.log" 2>&1 &
	echo $! >"$home/redis$n.pid"
	until_true answers "${ports[$n]}"
}
# As ayed(8) has it, with the address of the master here.
begin_sentinel() { # NUMBER
	mkdir -p "$home/redis$1"
	{
		printf 'port %s\nbind 127.0.0.1\ndir %s\n' "${ports[$1]}" "$home/redis$1"
		grep '^sentinel ' "$(dirname "$0")/../../server/ayed.8" | sed "s/10\.0\.0\.5 6379/127.0.0.1 ${ports[0]}/; s/\\\\-/-/g"
	} >"$home/redis$1/sentinel.conf"
	redis-server "$home/redis$1/sentinel.conf" --sentinel >>"$home/redis.log" 2>&1 &
	echo $! >"$home/redis$1.pid"
	until_true answers "${ports[$1]}"
}
kill_redis() { # NUMBER
	kill -9 "$(cat "$home/redis$1.pid")" && until_true is_gone "$(cat "$home/redis$1.pid")"
}
has() { # PORT WORD TEXT
	ask_redis "$1" info replication | grep -q "$2:$3"
}
agrees() { # PORT
	ask_redis "$1" sentinel ckquorum table | grep -q "^OK 3 usable" && [ "$(ask_redis "$1" sentinel replicas table | grep -c "^name")" = 2 ]
}

begin_all() {
	local n
	begin_server 0 && begin_server 1 --replicaof "127.0.0.1 ${ports[0]}" && begin_server 2 --replicaof "127.0.0.1 ${ports[0]}" &&
		until_true has "${ports[0]}" connected_slaves 2 || return 1
	for n in 3 4 5; do
		begin_sentinel $n || return 1
	done
	for n in 3 4 5; do
		until_true agrees "${ports[$n]}" || return 1
	done
}
starts() {
	[ "$(grep -c '^sentinel ' "$(dirname "$0")/../../server/ayed.8")" -ge 3 ] && "$AYED" key new "$key" >/dev/null && begin_all && start_ayed &&
		! grep -q redis_warning "$home/ayed.log"
}
master_is_another() {
	! ask_redis "${ports[4]}" sentinel get-master-addr-by-name table | grep -qx "${ports[0]}"
}
# One votes when the master is dead already: the vote waits, and is made. Nothing of before is lost.
through_the_end_of_the_master() {
	local voting room
	room=$(cat "$home/room")
	"$AYE" again "$room" >/dev/null || return 1
	kill_redis 0
	"$AYE" vote "$room" 8 >"$home/vote" 2>&1 &
	voting=$!
	wait "$voting" && master_is_another && "$AYE" reveal "$room" >/dev/null && room_shows "$room" "ada 8" &&
		"$AYE" settle "$room" 5 >/dev/null && all_is_there
}
starts_with_another_master() {
	end_ayed TERM && start_ayed && all_is_there
}
refuses_a_name() {
	refuses "does not know of a master named other" --store "${store/table/other}" --key-file "$key"
}

end_redis() {
	local n
	for n in 0 1 2 3 4 5; do
		[ ! -e "$home/redis$n.pid" ] || kill_redis $n
	done
}
trap 'end_redis >/dev/null 2>&1; finish' EXIT

claim "it starts where Sentinels name the master" starts
claim "a room, a question, a team and a backlog are made" a_team_works
claim "they are there" all_is_there
claim "kill -9 of the master while somebody votes: the vote waits for the next master, and all is there" through_the_end_of_the_master
claim "after a stop, it starts on the new master" starts_with_another_master
claim "a name that no Sentinel knows is refused" refuses_a_name
