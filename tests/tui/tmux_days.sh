#!/bin/bash
# tmux_days.sh - four people in three time zones estimate the twelve stories of a tracker's file in
# three days, and never meet but for the three stories on which they are apart. One votes by verb,
# one from the list of stories on a small screen, one at 80 columns; the host settles from the list.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_days.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

echo 1..15

stop() {
	kill "$server" && wait "$server" 2>/dev/null
	server=
}

# A day passes, by what the table says of all that has a time: seen from there, it was a day earlier.
a_day_passes() {
	stop
	"$AYED" dump --hidden-votes "$dir/data" 2>/dev/null | python3 -c '
import re, sys
for line in sys.stdin:
    sys.stdout.write(re.sub(r"\b1[789]\d{11}\b", lambda ms: str(int(ms[0]) - 86400000), line))' >"$dir/night" &&
		rm "$dir"/data/data.mdb* "$dir/ready" && "$AYED" load "$dir/data" <"$dir/night" 2>"$dir/load" && serve
}

# in_zone ZONE PERSON ARGUMENTS...
in_zone() {
	local TZ=$1
	shift
	export TZ
	as "$@"
}

# What Ada thinks of the twelve; the others agree but on PAY-3, PAY-7 and PAY-11.
cards=(1 2 3 5 8 3 5 2 1 8 13 5)
apart() {
	case $1 in 3 | 7 | 11) true ;; *) false ;; esac
}

# votes_by_verb ZONE PERSON CARD-WHERE-APART
votes_by_verb() {
	local i card
	for ((i = 1; i <= 12; i++)); do
		card=${cards[i - 1]}
		! apart "$i" || card=$3
		in_zone "$1" "$2" vote "$code" "$card" --story "PAY-$i" --name "$2" >/dev/null || return 1
	done
}

# votes_in_list PERSON CARD-WHERE-APART: in the list, a card and on to the next without one's vote.
votes_in_list() {
	local i card
	hit "$1" S
	until_shown "$1" 'you 0 of 12' || return 1
	for ((i = 1; i <= 12; i++)); do
		card=${cards[i - 1]}
		! apart "$i" || card=$2
		until_shown "$1" "> $(printf %2d "$i")" || return 1
		hit "$1" -l "$card"
		until_shown "$1" "you $i of 12" || return 1
		hit "$1" N
	done
}

nine_are_settled() {
	[ "$(as ada story list "$code" | grep -c ' done ')" = 9 ]
}

# What is in the tracker afterwards, by its rules for the import of CSV: a row updates the issue of its key.
points_of_the_tracker() {
	python3 -c '
import csv, sys
issues = {r["Issue key"]: r for r in csv.DictReader(open(sys.argv[1], newline=""))}
for row in csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8-sig")):
    issues[row["Issue key"]].update(row)
print(*(r["Story Points"] for r in issues.values()))' "$dir/sprint.csv" "$dir/points.csv"
}

leaves() { # PERSON, from the list
	hit "$1" Escape
	until_shown "$1" 'You voted on 12 of 12' && hit "$1" q && until_file "$dir/$1.after"
}

# ---- the first day ----

{
	echo 'Summary,Issue key,Description,Story Points'
	for ((i = 1; i <= 12; i++)); do echo "Story number $i,PAY-$i,What it is for,"; done
} >"$dir/sprint.csv"

serve
code=$(TZ=America/Lima as ada room create --async --all --until 4d --quorum 4 --title 'Sprint 42')
[ -n "$code" ] && as ada story import "$code" "$dir/sprint.csv" >"$dir/said" && grep -q '12 stories added' "$dir/said"
told $? 'the host brings in what the tracker exported'
votes_by_verb America/Lima ada 3
told $? 'and votes on all of it by verb'
as ada story list "$code" | grep -q 'PAY-3 .*1 voted; you 3'
told $? 'her votes are hidden from others, not from herself'

a_day_passes
told $? 'a day passes'

# ---- the second day ----

export TZ=Asia/Tokyo
enter grace 80 24 join "$code"
until_shown grace 'You voted on 0 of 12 stories' 'reveal in 2 d'
told $? 'who comes a day later is told what there is to vote on, and until when'
votes_in_list grace 13
told $? 'and votes in the list, story after story'
leaves grace
enter linus 40 12 join "$code"
until_shown linus '0 of 12' && votes_in_list linus 5
told $? 'another does so on a small screen'
leaves linus

a_day_passes
told $? 'another day passes'

# ---- the third day ----

votes_by_verb Europe/Berlin mary 8
[ "$(as ada story list "$code" | grep -c ', agreed')" = 9 ]
told $? 'the vote of the fourth reveals each story'
export TZ=America/Lima
enter ada 80 24 join "$code"
until_shown ada '12 of 12' && hit ada S && until_shown ada 'PAY-3' '3 to 13' 'PAY-11'
told $? 'the host sees on which they are apart'
hit ada Escape && until_shown ada 'you ★  12 of 12' 'grace  12 of 12' 'linus  12 of 12' ' away' && ! screen ada | grep -q 'your card' && hit ada S && until_shown ada 'PAY-3'
told $? 'at the table it stands who has voted on how many, and no empty card'
hit ada , && until_shown ada 'Word or emoji:' '1 👍' && hit ada Escape && until_hidden ada 'Word or emoji:'
told $? 'reactions are a key and a digit in the list as well'
hit ada =
until_shown ada 'Settle' && hit ada y && until_shown ada 'Settled 9 stories; 3 left to talk about' && retried nine_are_settled &&
	hit ada Home 5 && until_shown ada 'PAY-1 is settled on 1. V to vote on it again' && hit ada Escape && until_shown ada '3 of 3' && hit ada S && until_shown ada '>  3  PAY-3' && ! screen ada | grep -q 'N next'
told $? 'and settles the others with one key'
for story in 3 7 11; do
	as ada settle "$code" 8 --story "PAY-$story" >/dev/null || break
done
until_shown ada 'Summary' '59 points' && hit ada Escape && until_shown ada '12 of 12 estimated · sum 59' && ! as ada story list "$code" | grep -qv ' done '
told $? 'what they talked about is settled, and nothing is left'
as ada export "$code" --format jira >"$dir/points.csv" && [ "$(points_of_the_tracker)" = '1 2 8 5 8 3 8 2 1 8 8 5' ]
told $? 'the points are back in the tracker by one line'
exit "$failed"
