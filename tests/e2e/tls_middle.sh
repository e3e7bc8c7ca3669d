#!/bin/bash
# tls_middle.sh - one shares a room, two on other machines join it, and who sits in the middle and reads along sees nothing of it.
#
# The middle is a proxy on loopback that writes down every byte; where the system allows
# network namespaces, also a router between three of them that writes down every packet.
# The same round without TLS is read there in full: so the reading works.
. "$(dirname "$0")/cli_kit.bash"

middle=$(dirname "$0")/../support/middle.py
title=Submarine-Schedule
card=elephant

on() { # MACHINE COMMAND...: in its namespace, where machines have one
	local machine=$1
	shift
	if [ -n "${namespaces-}" ]; then
		ip netns exec "$namespaces-$machine" "$@"
	else
		"$@"
	fi
}

as() { # PERSON MACHINE COMMAND...
	local person=$1 machine=$2
	shift 2
	mkdir -p -m 700 "$home/$person" "$home/$person/state" "$home/$person/run"
	HOME=$home/$person XDG_STATE_HOME=$home/$person/state XDG_RUNTIME_DIR=$home/$person/run USER=$person on "$machine" "$@"
}

# Two people come by that address to a room of the first one's server; everything that must not be seen is left in secrets.
round() { # WAY CODE SERVER
	local way=$1 code=$2 server=$3
	as "grace-$way" left "$AYE" vote "$code" "$card" --name Grace-Hopper --server "$server" &&
		as "alan-$way" right "$AYE" vote "$code" tiny --name Alan-Turing --server "$server" &&
		as "alan-$way" right "$AYE" react "$code" magnificent --name Alan-Turing --server "$server" &&
		as "grace-$way" left "$AYE" room show "$code" --server "$server" | grep -q Alan-Turing || return 1
	printf '%s\n' "$code" "$title" "$card" Grace-Hopper Alan-Turing magnificent >"$home/secrets-$way"
	# The keys by which both come back, as their own state keeps them.
	grep -rhoE '"[A-Za-z0-9_-]{20,}"' "$home/grace-$way/state/aye/rooms" "$home/alan-$way/state/aye/rooms" | tr -d '"' >>"$home/secrets-$way"
	[ "$(wc -l <"$home/secrets-$way")" -ge 8 ]
}

forward() { # NAME HOST PORT
	mkfifo "$home/$1.port"
	/usr/bin/python3 "$middle" forward "$home/$1.bytes" "$2" "$3" >"$home/$1.port" 2>"$home/$1.log" &
	read -r passed <"$home/$1.port"
}

share() { # PERSON MACHINE ADDRESS
	as "$1" "$2" "$AYE" new --share "$3" --title "$title" --deck "tiny,$card" >"$home/$1.new" || return 1
	code=$(sed -n 1p "$home/$1.new")
	shared=$(sed -n '2s/.*--server //p' "$home/$1.new")
	[[ $shared == tls://*#SHA256:* ]]
}

through_a_proxy_with_tls() {
	local at
	share ada owner 127.0.0.1:0 || return 1
	at=${shared#tls://}
	at=${at%%#*}
	forward proxy "${at%:*}" "${at##*:}" && round proxy "$code" "tls://127.0.0.1:$passed#${shared#*#}"
}

through_a_proxy_without_tls() {
	local plain
	mkfifo "$home/plain.out"
	"$AYED" --data "$home/plain.data" --allow-root --listen tcp://127.0.0.1:0 >"$home/plain.out" 2>"$home/plain.log" &
	read -r _ plain <"$home/plain.out"
	forward plain 127.0.0.1 "${plain##*:}"
	code=$(as ada-plain owner "$AYE" new --title "$title" --deck "tiny,$card" --server "tcp://127.0.0.1:$passed" | head -1) &&
		round plain "$code" "tcp://127.0.0.1:$passed"
}

seen() { # WAY: which of the secrets passed there
	[ -s "$home/$1.bytes" ] || echo "nothing passed at all"
	grep -aoFf "$home/secrets-$1" "$home/$1.bytes" | sort -u
}

sees_nothing() { # WAY
	local seen
	[ -s "$home/secrets-$1" ] || return 1
	seen=$(seen "$1")
	printf '%s\n' "$seen"
	[ -z "$seen" ]
}

sees_all() { # WAY
	[ -s "$home/secrets-$1" ] && diff <(sort -u "$home/secrets-$1") <(seen "$1")
}

# ---- three machines, and a router between them ----

machines() { # owner left right, each with a line to the middle
	local machine n=0
	ip netns add "$namespaces-middle" && on middle ip link set lo up || return 1
	for machine in owner left right; do
		n=$((n + 1))
		ip netns add "$namespaces-$machine" &&
			ip link add "aye$n" netns "$namespaces-$machine" type veth peer name "aye$n" netns "$namespaces-middle" &&
			on "$machine" ip address add "10.77.$n.2/24" dev "aye$n" && on middle ip address add "10.77.$n.1/24" dev "aye$n" &&
			on "$machine" ip link set lo up && on "$machine" ip link set "aye$n" up && on middle ip link set "aye$n" up &&
			on "$machine" ip route add default via "10.77.$n.1" || return 1
	done
	on middle sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
}

through_a_router() {
	local words
	mkfifo "$home/router.ready"
	on middle /usr/bin/python3 "$middle" capture "$home/router.bytes" >"$home/router.ready" 2>"$home/router.log" &
	read -r words <"$home/router.ready" && [ "$words" = listening ] &&
		share ada-router owner 10.77.1.2:0 && round router "$code" "$shared"
}

claim "a room is shared and two join it, through a proxy" through_a_proxy_with_tls
claim "who reads along there sees no name, card, title, key or room code" sees_nothing proxy
claim "the same round is played without TLS" through_a_proxy_without_tls
claim "and is all to be read there" sees_all plain
namespaces=aye-$$
if machines 2>"$home/machines.log"; then
	echo "# three machines in network namespaces, and a router between them"
	claim "a room is shared and two join it, through a router" through_a_router
	claim "who reads along there sees no name, card, title, key or room code either" sees_nothing router
else
	echo "# no network namespaces here: $(head -1 "$home/machines.log")"
fi
for machine in owner left right middle; do
	for pid in $(ip netns pids "$namespaces-$machine" 2>/dev/null); do
		kill "$pid"
	done
	ip netns del "$namespaces-$machine" 2>/dev/null
done
namespaces=
