#!/bin/bash
# over_redis.sh - run a script of tests/e2e with the tables of its servers in a Redis of its own.
#
# usage: AYE=path/to/aye AYED=path/to/ayed over_redis.sh SCRIPT
#
# For the script AYED is a program that starts ayed with `--store` and with a database of that Redis for each data directory.
# The directory itself is never made, so this is for scripts that do not look into it.
set -u
: "${AYED:?says which ayed to test}"
dir=$(mktemp -d /tmp/over-redis-XXXXXX)
redis=

finish() {
	[ -z "$redis" ] || { kill -9 "$redis" && wait "$redis"; } 2>/dev/null
	rm -rf "$dir"
}
trap finish EXIT

# Its log is a pipe until it is ready; it ignores SIGPIPE from then on.
mkfifo "$dir/log"
redis-server --port 0 --unixsocket "$dir/s" --dir "$dir" --save "" --appendonly yes --appendfsync always \
	--databases 64 >"$dir/log" 2>&1 &
redis=$!
told=$(sed '/eady to accept connections/q' "$dir/log")
[[ $told == *eady\ to\ accept* ]] || { echo "Bail out! no Redis: $told"; exit 1; }

mkdir "$dir/bin"
printf 'the key of the servers of a test' >"$dir/key"
chmod 600 "$dir/key"
cat >"$dir/bin/ayed" <<END
#!/bin/bash
words=()
while [ \$# -gt 0 ]; do
	if [ "\$1" = --data ]; then
		database=\$(redis-cli -s "$dir/s" eval "
			redis.call('HSETNX', 'databases', ARGV[1], redis.call('HLEN', 'databases') + 1)
			return redis.call('HGET', 'databases', ARGV[1])" 0 "\$2") || exit 1
		words+=(--store "redis+unix://$dir/s?db=\$database" --key-file "$dir/key")
		shift
	else
		words+=("\$1")
	fi
	shift
done
exec -a ayed "$AYED" "\${words[@]}"
END
chmod +x "$dir/bin/ayed"
AYED=$dir/bin/ayed "$(dirname "$0")/../e2e/$1"
