#!/bin/bash
# store_redis.sh - ayed --store: what a person does while the table is in a real Redis, whoever of the two is killed; and what is refused at the start.
. "$(dirname "$0")/redis_kit.bash"

starts() {
	"$AYED" key new "$key" >/dev/null && start_redis && start_ayed
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
	start_ayed_at "redis+unix://:s3cret@$redis" || return 1
	! tr '\0' ' ' <"/proc/$(cat "$home/ayed.pid")/cmdline" | grep -q s3cret && all_is_there && end_ayed TERM || return 1
	AYED_REDIS_PASSWORD=s3cret start_ayed && all_is_there && end_ayed TERM || return 1
	printf 's3cret\n' >"$home/password" && chmod 600 "$home/password"
	start_ayed_at "redis+unix://$redis?password_file=$home/password" && all_is_there || return 1
	! grep -q s3cret "$home/ayed.log" && redis-cli -a s3cret -s "$redis" config set requirepass "" >/dev/null 2>&1
}
refuses_a_second() {
	refuses "open" --store "redis+unix://$redis" --key-file "$key"
}
# As it finds them after it has hung for long, and another one was started.
ends_when_another_has_the_data() {
	local pid
	pid=$(cat "$home/ayed.pid")
	ask_redis set '{d}l' "another one" >/dev/null && until_true is_gone "$pid" &&
		grep -q 'event=store_gone reason="another ayed has the data' "$home/ayed.log" && ask_redis del '{d}l' >/dev/null && start_ayed && all_is_there
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

claim "it starts on an empty Redis" starts
claim "a room, a question, a team and a backlog are made" a_team_works
claim "they are there after a stop" after_a_stop
claim "and after kill -9" after_a_kill
claim "Redis is killed and started while somebody votes: the vote waits, and is made; the log tells of both" through_the_end_of_redis
claim "a password is in no argument, message or log; a file and the environment serve as well" hides_the_password
claim "a second ayed is refused while the first runs" refuses_a_second
claim "once another one has the data, it ends and says so" ends_when_another_has_the_data
claim "another key, no key, a Redis that evicts, forgets or is not there: refused with what to do" refuses_what_does_not_fit
