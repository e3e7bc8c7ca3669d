#!/bin/bash
# upgrade.sh - this version reads the data of each earlier one since 0.9.0, which tests/upgrade/ keeps, and the states of
# the people who made them: what they saw is there, hidden votes are revealed as they were cast, and life goes on.
#
# A later version may show more. Needs AYE and AYED in the environment, and what is built beside them. Speaks TAP.
set -u
cd "$(dirname "$0")/../.."
tree=$PWD
. tests/support/claims.bash
. tests/upgrade/story.bash
temporary=$(mktemp -d /tmp/aye-upgrade-XXXXXX)
trap 'for pid in "$temporary"/*/pid; do [ ! -e "$pid" ] || kill "$(<"$pid")"; done; rm -rf "$temporary"' EXIT

# Each value of the first file is in the second: of a map each field, of a list each entry, in its order.
holds_all_of() { # WAS IS
	python3 - "$1" "$2" <<-'END'
		import json, sys
		OF_A_RUN = {"epoch", "version", "since"}  # of the server
		def missing(was, now, at):
		    if isinstance(was, dict) and isinstance(now, dict):
		        for name, value in was.items():
		            if name not in OF_A_RUN:
		                yield from missing(value, now.get(name), f"{at}.{name}")
		    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
		        for i, (a, b) in enumerate(zip(was, now)):
		            yield from missing(a, b, f"{at}[{i}]")
		    elif was != now:
		        yield f"{at} was {was}, and is {now}"
		def lines(path):
		    text = open(path, encoding="utf-8").read()
		    try:
		        return [json.loads(text)]
		    except ValueError:
		        return [json.loads(line) for line in text.splitlines()]
		was, now = lines(sys.argv[1]), lines(sys.argv[2])
		assert was, "nothing was seen"
		found = list(missing(was, now, sys.argv[1].rsplit("/", 1)[1]))
		print("\n".join(found))
		sys.exit(bool(found))
	END
}

is_checked() {
	LD_PRELOAD=$preload "$AYED" check "$PWD/data"
}

has_every_item() {
	LD_PRELOAD=$preload "$AYED" dump --hidden-votes "$PWD/data" >dump && holds_all_of seen/dump dump
}

is_served() {
	serve && look now "${ids[@]}"
}

shows_what_was_seen() {
	local file
	for file in seen/*.json; do
		holds_all_of "$file" "now/${file#seen/}" || return 1
	done
}

# The first id is of the room whose cards are hidden, the third of the question that lacks an answer.
reveals_as_was_voted() {
	local shown
	! as ada show "${ids[0]}" --json | grep -q '"vote":' && as ada reveal "${ids[0]}" >/dev/null &&
		shown=$(as ada show "${ids[0]}" --json) && grep -q '"vote":"8","comment":"the bank is slow"' <<<"$shown" &&
		grep -q '"vote":"5"' <<<"$shown"
}

goes_on() {
	as linus answer "${ids[2]}" no >/dev/null && as ada question show "${ids[2]}" --json | grep -q '"status":"CLOSED"' &&
		as ada item adjust 'Sprint 42' Milk -12 >/dev/null &&
		as ada item list 'Sprint 42' --json | grep -q '"quantity":"0"' && stop && serve &&
		as ada show "${ids[0]}" --json | grep -q '"is_revealed":true' && stop && is_checked
}

has_the_version() {
	[ -e "$tree/tests/upgrade/$(sed -n 's/^VERSION := //p' "$tree/Makefile").tar.gz" ]
}

claim "the data of this version are kept" has_the_version
for archive in "$tree"/tests/upgrade/*.tar.gz; do
	version=$(basename "$archive" .tar.gz)
	place=$temporary/$version
	mkdir "$place" && tar -xzf "$archive" -C "$place" && at_the_place "$place" 300
	mapfile -t ids <ids
	claim "the data of $version are whole" is_checked
	claim "each item of them is there" has_every_item
	# promise: later-version
	claim "they are served to the people who made them" is_served
	claim "who see what they saw" shows_what_was_seen
	claim "hidden votes are revealed as they were cast" reveals_as_was_voted
	claim "and life goes on" goes_on
done
echo "1..$n"
exit $failed
