#!/bin/bash
# plain_session.sh - a whole session in lines: a host, a member, one from the lobby; told as text.
#
# What two of them read is compared with tests/tui/transcripts/, which AYE_UPDATE_SCREENS=1 writes anew.
# Codes, times and addresses are masked; lines that were typed begin with "> ".
updates=${AYE_UPDATE_SCREENS:-}
. "$(dirname "$0")/cli_kit.bash"
transcripts=$(dirname "$0")/../tui/transcripts
start_server main --limit countdown_ms=200 || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

declare -A pid from
# A program that is fed through a pipe of its own; its own state, so each is somebody else.
talker() { # NAME VERB...
	local name=$1
	shift
	mkfifo "$home/$name.in"
	XDG_STATE_HOME=$home/state-$name "$AYE" "$@" --name "$name" <"$home/$name.in" >>"$home/$name.out" 2>>"$home/$name.err" &
	pid[$name]=$!
	eval "exec {fd_$name}>\"$home/$name.in\""
	from[$name]=1
}

types() { # NAME LINE
	local fd=fd_$1
	printf '> %s\n' "$2" >>"$home/$1.out"
	from[$1]=$(wc -l <"$home/$1.out")
	printf '%s\n' "$2" >&"${!fd}"
}

was_told() { # NAME TEXT
	tail -n "+${from[$1]}" "$home/$1.out" | grep -qF -- "$2"
}

# Until each of these was told, since the last line that was typed or waited for. Without it the session cannot go on.
hears() { # NAME TEXT...
	local name=$1 text
	shift
	for text in "$@"; do
		until_true was_told "$name" "$text" >/dev/null && continue
		n=$((n + 1))
		failed=1
		echo "not ok $n - $name hears: $text"
		sed 's/^/# /' "$home/$name.out" "$home/$name.err"
		kill "${pid[@]}"
		exit
	done
}

# Its exit status is in $ended: only this shell may wait for it, no subshell of a claim's.
closes() { # NAME
	local fd=fd_$1
	eval "exec ${!fd}>&-"
	wait "${pid[$1]}"
	ended=$?
}

# One types, and all who are named hear of it.
so() { # NAME LINE TEXT NAME...
	local name=$1 line=$2 text=$3 other
	shift 3
	for other in "$@"; do
		from[$other]=$(($(wc -l <"$home/$other.out") + 1))
	done
	types "$name" "$line"
	for other in "$name" "$@"; do
		hears "$other" "$text"
	done
}

masked() { # FILE
	sed -E -e "s|$code|K7QX3M|g" -e 's/[0-9]{2}:[0-9]{2}:[0-9]{2} UTC/12:00:00 UTC/' -e 's/ [0-9]+:[0-9]{2}([ .])/ 0:00\1/' \
		-e 's| --server [^ ]*||' "$1"
}

reads_as_before() { # NAME FILE
	[ -z "$updates" ] || masked "$home/$1.out" >"$transcripts/$2.txt"
	masked "$home/$1.out" | diff "$transcripts/$2.txt" -
}

says_only_text() {
	! grep -P '[\x00-\x08\x0b-\x1f\x7f]' "$home"/Ada.out "$home"/Grace.out && [ ! -s "$home/Ada.err" ] && [ ! -s "$home/Grace.err" ]
}

talker Ada new --plain --title "Sprint 42"
hears Ada "  Ada, host"
code=$(sed -n 's/^Room \([0-9A-Z]*\): .*/\1/p' "$home/Ada.out")
so Ada "add PAY-118 Refund a split payment" "Story added: PAY-118"
so Ada "add PAY-119 Show the balance" "Story added: PAY-119"
so Ada "add PAY-120 Print a receipt" "Story added: PAY-120"
so Ada "rule lobby on" "Newcomers now wait in the lobby."
talker Grace join "$code"
hears Grace "You are in the lobby; a host must admit you."
hears Ada "Grace waits in the lobby."
so Grace 5 "You are in the lobby"
so Ada admit "Grace was admitted."
hears Grace "You were admitted." "  Ada, host"
so Ada "rule lobby off" "Newcomers do not wait in a lobby now." Grace
so Grace reveal "Only a host can do that here (Ada)."
so Ada next "Voting on: PAY-118" Grace
so Grace hand "Cards: 1 2 3 5 8"
so Ada 5 "Your card is 5."
hears Grace "Ada has voted"
so Ada who "Grace: no vote yet."
so Ada nudge "Nudged 1"
hears Grace "Ada asks you to vote."
so Ada "timer 5m" "A timer is running until" Grace
so Grace time "Timer: "
so Grace 20 "Your card is 20."
hears Ada "Revealed: " "To speak first"
hears Grace "Revealed: " "To speak first"
so Grace result "Average 12.5"
so Ada again "Round 2 started." Grace
so Ada "timer 90s" "A timer is running until" Grace
so Ada "timer stop" "The timer has ended." Grace
so Ada 5 "Your card is 5."
hears Grace "Ada has voted"
so Grace 3 "Your card is 3."
hears Ada "Revealed: Ada 5, Grace 3." "Average 4"
hears Grace "Revealed: Ada 5, Grace 3." "Average 4"
so Ada "settle 5" "Settled on 5." Grace
so Ada next "Voting on: PAY-119" Grace
so Ada 13 "Your card is 13."
hears Grace "Ada has voted"
so Ada next "Continue with PAY-120 Print a receipt? 1 vote was not revealed. Type y or n."
so Ada y "Voting on: PAY-120" Grace
so Ada undo "Round 3 was restored." Grace
so Ada retract "Your vote was retracted."
hears Grace "Ada's vote was cleared."
so Ada reveal "Nobody has voted yet."
so Grace "vote ?" "Your card is ?."
hears Ada "Grace has voted"
so Grace "comment Who pays the fee?" "Your comment: Who pays the fee?"
so Grace "react hm" "Grace: hm" Ada
so Ada "title Sprint 42, second half" "The room is called Sprint 42, second half." Grace
so Ada "rule who_reveals everyone" "Everyone can reveal now." Grace
so Grace reveal "1 of 2 have not voted. Reveal? Type y or n."
so Grace y "Grace commented: Who pays the fee?" Ada
so Grace stories "3: PAY-120"
so Grace history "Round 1"
so Grace story "Story 2 of 3"
so Grace status "Your card is ?."
so Ada "cohost Grace" "Make Grace a co-host? Type y or n."
so Ada yes "Grace is host." Grace
so Ada rules "passcode none"
so Ada "help arm" "arm: Reveal at once when the last vote"
so Ada bye "No command bye. ? for the list."
so Ada passcode "type it on a line of its own"
so Ada "open sesame" "New members need a passcode now." Grace
so Grace quit "You host, and 1 other is here. Leave? Type y or n."
so Grace y "Left $code. To rejoin: aye join $code"
hears Ada "Grace left."
closes Grace
claim "who quits ends with 0" [ "$ended" -eq 0 ]
closes Ada
claim "the end of what is typed leaves the room" [ "$ended" -eq 0 ]
hears Ada "Left $code. To rejoin: aye join $code"
claim "the host's session reads as before" reads_as_before Ada plain-host
claim "the member's session reads as before" reads_as_before Grace plain-member
claim "nothing but text was printed, and nothing on standard error" says_only_text
