# redis_kit.bash - a single Redis for the tests of data in it.
. "$(dirname "${BASH_SOURCE[0]}")/store_kit.bash"

mkdir -m 700 "$home/redis"
redis=$home/redis/s
store=redis+unix://$redis

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
kill_redis() {
	kill -9 "$(cat "$home/redis.pid")" && until_true is_gone "$(cat "$home/redis.pid")"
}
# Redis writes its title over its environment, by which the kit finds what is left running.
trap 'kill_redis >/dev/null 2>&1; finish' EXIT
