#!/bin/bash
# over_redis.sh - run a script of tests/e2e with the tables of its servers in a Redis of its own.
#
# usage: AYE=path/to/aye AYED=path/to/ayed over_redis.sh SCRIPT
#
# For the script AYED is a program that keeps what would be in a data directory in a database of that Redis, one for each
# directory; the directory itself has only an empty data.mdb, for scripts that remove their data, and load others.
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
redis=$dir/s key=$dir/key ayed=$AYED
END
cat >>"$dir/bin/ayed" <<'END'
# Sets database, and store.
place_of() { # DIRECTORY
	database=$(redis-cli -s "$redis" eval "
		redis.call('HSETNX', 'databases', ARGV[1], redis.call('HLEN', 'databases') + 1)
		return redis.call('HGET', 'databases', ARGV[1])" 0 "$1") || exit 1
	store=redis+unix://$redis?db=$database
}
# Through a directory, as `ayed load` knows no other place.
load() { # DIRECTORY
	place_of "$1"
	mkdir -m 700 "$1/load" && cp -p "$key" "$1/load/server.key" && "$ayed" load "$1/load" &&
		redis-cli -s "$redis" -n "$database" flushdb >/dev/null &&
		"$ayed" copy "lmdb:$1/load" "$store" --key-file "$key" >/dev/null && rm -r "$1/load" && : >"$1/data.mdb"
}
words=()
case ${1-} in
load) load "$2"; exit ;;
dump)
	place_of "${*: -1}"
	exec "$ayed" "${@:1:$#-1}" --store "$store" --key-file "$key"
	;;
esac
while [ $# -gt 0 ]; do
	if [ "$1" = --data ]; then
		place_of "$2"
		mkdir -p -m 700 "$2" && : >"$2/data.mdb"
		words+=(--store "$store" --key-file "$key")
		shift
	else
		words+=("$1")
	fi
	shift
done
exec -a ayed "$ayed" "${words[@]}"
END
chmod +x "$dir/bin/ayed"
AYED=$dir/bin/ayed "$(dirname "$0")/../e2e/$1"
