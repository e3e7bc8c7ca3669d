#!/bin/bash
# plain_inbox.sh - questions in lines: listed, read, answered and skipped, as a pipe and a person see it.
#
# What is read is compared with tests/tui/transcripts/plain-inbox.txt, which AYE_UPDATE_SCREENS=1 writes
# anew; lines that were typed begin with "> ".
updates=${AYE_UPDATE_SCREENS:-}
. "$(dirname "$0")/cli_kit.bash"
transcript=$(dirname "$0")/../tui/transcripts/plain-inbox.txt
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

as() { # PERSON ARGUMENT...
	XDG_STATE_HOME=$home/state-$1 "$AYE" "${@:2}"
}
ask() { # PROMPT REST
	as grace call question.ask "{\"prompt\":\"$1\",\"idempotency_key\":\"$(md5sum <<<"$1" | cut -c 1-32)\"$2}" >/dev/null
}
# One session of these lines, after what was typed.
types() { # PERSON LINE...
	printf '\n%s:\n' "$1"
	[ $# -eq 1 ] || printf '> %s\n' "${@:2}"
	printf '%s\n' "${@:2}" | as "$1" inbox --plain
}
session() {
	types linus 'what' '3' 'answer 3 maybe' 'answer 3'
	types ada 'sure 3 9' 'sure 3 4' 'comment 3 it has been tested' 'answer 3 ye'
	types ada 'answer 2 Plan less, and leave room.'
	types ada 'skip 1' 'answer 7 x' 'skip' 'q' 'list'
	types linus 'answer 1 2'
	types ada 'mine' 'answer 1 x'
	types grace 'mine' '1' '2' '3' 'list'
	types grace 'cancel' 'mine' 'cancel 1' 'n' 'cancel 1' 'y' 'cancel 1' 'y'
	types linus 'cancel 1' 'y'
}
masked() {
	sed -E 's/[0-9]+ min left/59 min left/'
}
reads_as_before() {
	[ -z "$updates" ] || session 2>&1 | masked >"$transcript"
	[ -n "$updates" ] || session 2>&1 | masked | diff "$transcript" -
}
lists_and_ends() {
	as linus inbox </dev/null | grep -q 'What would you change' && as linus inbox --json | grep -q '"prompt":"Ship the release today?"'
}
leaves_out_a_long_line() {
	{ head -c 2000000 /dev/zero | tr '\0' x && printf '\nmine\n'; } | as linus inbox --plain >"$home/long.out" &&
		grep -q '^That line is too long and was ignored.$' "$home/long.out" && grep -q '^You have not asked any questions.$' "$home/long.out"
}
needs_a_login() {
	ends_with 1 as nobody inbox 2>&1 </dev/null | grep -q 'aye login NAME'
}

for person in grace ada linus; do
	as $person login $person >/dev/null
done
choice=',"type":"multiple_choice","options":["yes","no","later"],"min_responses":2'
ask 'Ship the release today?' "${choice/%2/1},\"audience\":[\"technical\"]"
ask 'What would you change about how we plan?\nThree lines are enough.' ',"type":"text","min_responses":5'
ask 'Would you do that again?' "$choice"
claim "a pipe gets the list, in lines or as JSON" lists_and_ends
claim "who is not logged in is told how" needs_a_login
claim "a line that is too long is left out" leaves_out_a_long_line
claim "a session in lines reads as before" reads_as_before
