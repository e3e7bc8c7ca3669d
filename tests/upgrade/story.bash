# story.bash - what is in the data that are kept of each version, and how to look at it: for tests/upgrade/make.sh and
# tests/e2e/upgrade.sh.
#
# A place is a directory with the data of a server, the states of three people, and what they saw. Its server listens
# at an address that is the same wherever the place is, as people's states are about that address; so all is run in the
# place. There it is noon of a day in 2026, or a little later, by set_clock.so: rooms and sessions would be over.
#
# Needs AYE and AYED in the environment, and what is built beside them.
readonly STORY_BEGAN=$(date -u -d 2026-12-01T12:00:00Z +%s)
export AYE_SERVER=unix:/proc/self/cwd/socket
people=(ada grace linus)

# at_the_place DIR SECONDS_LATER: from now on.
at_the_place() {
	cd "$1" || return 1
	export AYE_CLOCK_FILE=$PWD/clock XDG_CONFIG_HOME=$PWD/config HOME=$PWD TZ=UTC
	python3 -c 'import struct, sys, time; sys.stdout.buffer.write(struct.pack("q", int(sys.argv[1]) - int(time.time())))' \
		$((STORY_BEGAN + $2)) >clock
	preload=${AYED%/*}/tests/soak/set_clock.so
	[ -r "$preload" ] || { echo "$preload is not built"; return 1; }
}

serve() {
	rm -f ready log
	mkfifo ready
	LD_PRELOAD=$preload "$AYED" --data "$PWD/data" --allow-root --listen "$AYE_SERVER" >ready 2>log &
	echo $! >pid
	read -r _ <ready || { cat log; return 1; }
	rm ready
}

# It need not be a child of the shell that ends it.
stop() {
	kill "$(<pid)" && timeout 60 tail -f /dev/null --pid="$(<pid)" && rm pid
}

as() { # PERSON WORD...
	local person=$1
	shift
	XDG_STATE_HOME=$PWD/state/$person XDG_RUNTIME_DIR=$PWD/state/$person LD_PRELOAD=$preload "$AYE" "$@"
}

# Prints, a line each, the ids that looking needs.
tell_story() {
	local person open played question group
	for person in "${people[@]}"; do
		mkdir -p -m 700 "state/$person"
		as "$person" login "${person^}" >/dev/null || return 1
	done
	open=$(as ada room create --title "Sprint 42" --deck fibonacci) &&
		as ada add "$open" "PAY-101 Show the balance" >/dev/null &&
		as ada add "$open" "Größe: 見積もり" >/dev/null && as ada next "$open" >/dev/null &&
		as grace vote "$open" 8 --name Grace --comment "the bank is slow" >/dev/null &&
		as linus vote "$open" 5 --name Linus >/dev/null || return 1
	played=$(as ada room create --title "Sprint 41") &&
		as ada add "$played" "PAY-7 Refunds" >/dev/null && as ada next "$played" >/dev/null &&
		as grace vote "$played" 3 --name Grace >/dev/null && as linus vote "$played" 3 --name Linus >/dev/null &&
		as ada reveal "$played" >/dev/null && as ada settle "$played" 3 >/dev/null || return 1
	question=$(as ada ask "Ship it today?" -o yes -o no --need 2) &&
		as grace answer "$question" yes --sure 4 --comment "tested on staging" >/dev/null || return 1
	group=$(as ada team new Payments 'Sprint 42') &&
		as ada item add 'Sprint 42' "Refund a split payment" --quantity 5 --unit points >/dev/null &&
		as ada item add 'Sprint 42' Milk --quantity 12.5 --unit l --expiry 2027-01-02 >/dev/null &&
		as ada item adjust 'Sprint 42' Milk -0.5 >/dev/null || return 1
	printf '%s\n' "$open" "$played" "$question" "$group"
}

# look DIR ID...: what people see, a file each. It changes nothing that a later look would see.
look() {
	local dir=$1 open=$2 played=$3 question=$4 group=$5
	mkdir -p "$dir"
	as ada show "$open" --json >"$dir/open.json" && as ada story list "$open" --json >"$dir/stories.json" &&
		as ada show "$played" --json >"$dir/played.json" && as ada export "$played" --format json >"$dir/export.json" &&
		as ada question show "$question" --json >"$dir/question.json" &&
		as grace question answered --json >"$dir/answered.json" && as grace stats --json >"$dir/stats.json" &&
		as ada team show "$group" --json >"$dir/team.json" && as ada item list 'Sprint 42' --json >"$dir/items.json"
}
