#!/bin/bash
# play_rules.sh - policy, lobby, passcode, countdown, timer and the file that follows a room, by verbs.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

# Somebody else: a state of their own.
as() { # NAME COMMAND...
	local name=$1
	shift
	XDG_STATE_HOME=$home/$name "$AYE" "$@" --name "$name"
}

# Follow a room into a pipe; said() waits for a line of it.
follow() { # CODE
	rm -f "$home/lines"
	mkfifo "$home/lines"
	"$AYE" watch "$1" >"$home/lines" 2>"$home/follow.err" & watch_pid=$!
	exec 7<"$home/lines"
	said "^Room $1"
}

said() { # PATTERN
	local line
	while read -r line <&7; do
		[[ $line =~ $1 ]] && return 0
		echo "$line"
	done
	return 1
}

unfollow() {
	kill "$watch_pid"
	wait "$watch_pid"
	exec 7<&-
}

policy_is_printed_and_changed() {
	local code
	code=$("$AYE" room create)
	"$AYE" room policy "$code" | grep -q "^who_reveals=host$" || return 1
	"$AYE" room policy "$code" who_reveals=everyone auto_reveal=off confidence=on &&
		"$AYE" room policy "$code" | grep -q "^who_reveals=everyone$" &&
		"$AYE" room policy "$code" --json | grep -q '"auto_reveal":false.*"confidence":true' &&
		ends_with 2 "$AYE" room policy "$code" nonsense=on 2>"$home/err" &&
		ends_with 2 "$AYE" room policy "$code" locked=maybe && ends_with 2 "$AYE" room policy "$code" locked &&
		ends_with 2 "$AYE" room policy "$code" who_reveals=nobody &&
		ends_with 2 "$AYE" room policy "$code" passcode=sesame 2>"$home/err" && ! grep -q sesame "$home/err" &&
		ends_with 1 as Mallory room policy "$code" locked=on
}

has_rule() { # CODE KEY=VALUE
	"$AYE" room policy "$1" | grep -qx "$2"
}

rooms_of_people_reveal_by_themselves() {
	local code team
	code=$("$AYE" new | head -n 1) && has_rule "$code" auto_reveal=on || return 1
	code=$("$AYE" room create) && has_rule "$code" auto_reveal=off || return 1
	code=$("$AYE" room create auto_reveal=on locked=on) && has_rule "$code" auto_reveal=on && has_rule "$code" locked=on &&
		ends_with 2 "$AYE" room create locked=maybe || return 1
	local -x XDG_STATE_HOME=$home/tess
	"$AYE" login Tess && team=$("$AYE" team new Reveal) && code=$("$AYE" new --team Reveal | head -n 1) &&
		has_rule "$code" auto_reveal=on &&
		"$AYE" call group.set_defaults "{\"group_id\":\"$team\",\"policy\":{\"auto_reveal\":false}}" &&
		code=$("$AYE" new --team Reveal | head -n 1) && has_rule "$code" auto_reveal=off
}

who_may_what_is_the_policys() {
	local code
	code=$("$AYE" room create)
	ends_with 1 as Grace room reset "$code" 2>"$home/err" && grep -q "only a host can do that here" "$home/err" &&
		"$AYE" room policy "$code" who_resets=everyone who_edits_stories=host && as Grace room reset "$code" &&
		ends_with 1 as Grace story add "$code" Mine && "$AYE" story add "$code" Hers && as Grace story next "$code"
}

hosts_are_made_and_unmade() {
	local code
	code=$("$AYE" room create)
	as Ada room vote "$code" 5 && as Grace room vote "$code" 5 && "$AYE" room host "$code" Ada &&
		"$AYE" room host "$code" Grace &&
		[ "$("$AYE" room show "$code" | grep -c ", host")" = 2 ] && "$AYE" room unhost "$code" Ada &&
		"$AYE" room show "$code" | grep ", host" | grep -q Grace &&
		[ "$("$AYE" room show "$code" | grep -c ", host")" = 1 ] && ends_with 1 "$AYE" room unhost "$code" Grace &&
		ends_with 1 "$AYE" room host "$code" Nobody && as Grace room title "$code" Hers
}

a_passcode_comes_from_a_file_and_never_an_argument() {
	local code
	code=$("$AYE" room create)
	echo sesame >"$home/secret"
	echo wrong >"$home/wrong"
	"$AYE" room policy "$code" --passcode-file "$home/secret" || return 1
	ends_with 1 as Grace story list "$code" && ends_with 1 as Grace story list "$code" --passcode-file "$home/wrong" &&
		as Grace story list "$code" --passcode-file "$home/secret" &&
		as Grace story list "$code" --passcode-file - <"$home/secret" &&
		"$AYE" story list "$code" && as Grace room vote "$code" 5 --passcode-file "$home/secret" &&
		as Grace room vote "$code" 8 && "$AYE" room policy "$code" passcode=off && as Linus story list "$code" &&
		! grep -rq sesame "$home/main.log" "$home/main.data"
}

the_lobby_lets_in_by_name() {
	local code
	code=$("$AYE" room create)
	"$AYE" room policy "$code" lobby=on
	mkfifo "$home/grace"
	XDG_STATE_HOME=$home/Grace "$AYE" join "$code" --name Grace >"$home/grace" 2>&1 & local grace=$!
	exec 7<"$home/grace"
	said "^You are in the lobby" || return 1
	until_true room_shows "$code" "Grace.*waits in the lobby" || return 1
	"$AYE" room admit "$code" Grace && said "^You were admitted" && said "^Room $code" || return 1
	ends_with 1 "$AYE" room admit "$code" Grace
	kill $grace
	wait $grace
	exec 7<&-
	XDG_STATE_HOME=$home/Mallory "$AYE" join "$code" --name Mallory >"$home/mallory" 2>&1 & local mallory=$!
	until_true room_shows "$code" "Mallory.*waits" || return 1
	"$AYE" room reject "$code" Mallory || return 1
	wait $mallory
	cat "$home/mallory"
	! "$AYE" room show "$code" | grep -q Mallory
}

a_countdown_is_stopped_and_a_vote_begins_another() {
	local code
	code=$("$AYE" room create auto_reveal=on)
	follow "$code" || return 1
	as Ada room vote "$code" 5 --wait >/dev/null & local ada=$!
	said "^Everyone has voted" && "$AYE" reveal cancel "$code" && said "^The countdown has stopped" || return 1
	as Ada room vote "$code" 8
	said "^Everyone has voted" && said "^Revealed: Ada 8" || return 1
	wait $ada
	unfollow
}

the_last_missing_vote_reveals_where_it_is_armed() {
	local code
	code=$("$AYE" room create)
	"$AYE" room policy "$code" auto_reveal=off
	follow "$code" || return 1
	"$AYE" reveal arm "$code" && said "^The last vote reveals" && "$AYE" reveal arm "$code" --off &&
		"$AYE" reveal arm "$code" && as Ada room vote "$code" 3 && said "^Revealed: Ada 3" || return 1
	unfollow
}

a_timer_reveals_at_its_end() {
	local code
	code=$("$AYE" room create)
	"$AYE" room policy "$code" auto_reveal=off
	follow "$code" || return 1
	"$AYE" timer start "$code" 5m --json | grep -q '"ends_at":' && said "^A timer is running until" &&
		"$AYE" timer stop "$code" && said "^The timer has ended" || return 1
	as Ada room vote "$code" 3 --comment "quick" && "$AYE" timer start "$code" 1s --reveal &&
		said "reveals at its end" && said "^Revealed: Ada 3" || return 1
	ends_with 2 "$AYE" timer start "$code" never && ends_with 2 "$AYE" timer start "$code" 91d || return 1
	unfollow
	"$AYE" round list "$code" --json | grep -q '"comment":"quick"'
}

nudges_and_reactions_arrive() {
	local code
	code=$("$AYE" room create)
	mkfifo "$home/linus"
	XDG_STATE_HOME=$home/Linus "$AYE" join "$code" --name Linus >"$home/linus" 2>&1 & local linus=$!
	exec 7<"$home/linus"
	said "^Linus$" || return 1
	as Grace nudge "$code" && said "^Grace asks you to vote" && ends_with 1 as Grace nudge "$code" Linus &&
		as Grace react "$code" tea? && said "^Grace: tea\?$|^Someone: tea\?$" || return 1
	kill $linus
	wait $linus
	exec 7<&-
}

a_reset_is_taken_back() {
	local code
	code=$("$AYE" room create)
	as Ada room vote "$code" 3 && "$AYE" room reveal "$code" && "$AYE" round settle "$code" 5 &&
		"$AYE" round again "$code" | grep -q "^Round 2 started" && "$AYE" round undo "$code" | grep -q "^Round 1 was restored" &&
		"$AYE" room show "$code" | grep -q "^Revealed: Ada 3" &&
		"$AYE" round list "$code" --limit 1 | grep -q "Ada 3  -> 5$" &&
		ends_with 1 "$AYE" round undo "$code" && ends_with 2 "$AYE" round list "$code" --limit 0
}

the_file_follows_the_room() {
	local code
	code=$("$AYE" room create --title Before)
	"$AYE" export "$code" --format html --watch "$home/room.html" >"$home/watch.out" 2>&1 & local watch=$!
	until_true [ -s "$home/room.html" ] || return 1
	exec 8<"$home/room.html"
	grep -q "<h1>Before" "$home/room.html" || return 1
	"$AYE" room title "$code" "<b>After</b>"
	until_true grep -q "<h1>&lt;b&gt;After&lt;/b&gt;" "$home/room.html" || return 1
	as Ada room vote "$code" 5
	until_true grep -q "has voted" "$home/room.html" || return 1
	! grep -q "\">5</td>" "$home/room.html" || return 1
	"$AYE" room reveal "$code"
	until_true grep -q "\">5</td>" "$home/room.html" || return 1
	# Whoever had it open still has the old one, whole; and nothing is left beside the new one.
	grep -q "<h1>Before" <&8 && tail -1 "$home/room.html" | grep -q "^</html>$" &&
		grep -q 'http-equiv="refresh"' "$home/room.html" || return 1
	exec 8<&-
	"$AYE" room delete "$code" --yes
	wait $watch
	[ $? = 0 ] && [ "$(find "$home" -maxdepth 1 -name 'room.html*' | wc -l)" = 1 ]
}

a_retry_doubles_nothing() {
	local code id
	code=$("$AYE" room create)
	printf 'One\nTwo\nThree\n' >"$home/three"
	id=$("$AYE" story import "$code" "$home/three" --json | sed -n 's/.*"import_id":"\([0-9a-f]*\)".*/\1/p')
	"$AYE" story import "$code" "$home/three" --retry "$id" && [ "$("$AYE" story list "$code" | wc -l)" = 3 ] &&
		ends_with 2 "$AYE" story import "$code" "$home/three" --retry short
}

# Issues of trackers keep their keys, are found by them, and are done where they have points.
trackers_issues_come_in() {
	local code
	code=$("$AYE" room create) || return 1
	printf 'Summary,Issue key,Custom field (Story Points)\nPay by card,PAY-1,5.0\n"Refund,\nin parts",PAY-3,\n' >"$home/jira.csv"
	printf '12\tOPEN\tSign in, out\tui\t2026-01-01\n' >"$home/gh"
	printf '[{"number":13,"title":"Log","html_url":"https://x.example/13","body":"why"}]' >"$home/gh.json"
	printf '# Sprint\n- [ ] one\n- [PAY-9](https://x.example/9) nine\n' >"$home/list.md"
	"$AYE" story import "$code" "$home/jira.csv" && "$AYE" story import "$code" - <"$home/gh" | grep -qx "1 story added" &&
		"$AYE" story import "$code" "$home/gh.json" && "$AYE" story import "$code" "$home/list.md" 2>"$home/err" || return 1
	"$AYE" story list "$code"
	grep -qx "aye: line 1 is a heading; skipped" "$home/err" &&
		[ "$("$AYE" story list "$code" | cut -c1-24,37- | sed 's/  */ /g')" = " 1 done 5 PAY-1 Pay by card
 2 todo - PAY-3 Refund, in parts
 3 todo - #12 Sign in, out
 4 todo - #13 Log
 5 todo - one
 6 todo - PAY-9 nine" ] &&
		"$AYE" story list "$code" --json | grep -q '"title":"Log","key":"#13","link":"https://x.example/13","description":"why"' &&
		[ "$("$AYE" story select "$code" -)" = "No story is selected." ] && "$AYE" story select "$code" pay-3 | grep -q "^Voting on: PAY-3 " && "$AYE" story next "$code" | grep -qx "#12 Sign in, out" &&
		"$AYE" story update "$code" PAY-9 --key '' && "$AYE" story remove "$code" log &&
		ends_with 1 "$AYE" story remove "$code" pay- 2>"$home/err" && grep -q "pay- could be 1: PAY-1 Pay by card" "$home/err"
}

# Of a file without a header that is said; of one without a story, nothing is added, and that is no success.
an_import_of_nothing_is_no_success() {
	local code
	code=$("$AYE" room create) || return 1
	printf 'a,b\n' >"$home/bare.csv"
	"$AYE" story import "$code" "$home/bare.csv" 2>"$home/err" && grep -q "no header row" "$home/err" &&
		printf '# A\n## B\n' >"$home/none.md" && ends_with 1 "$AYE" story import "$code" "$home/none.md" &&
		"$AYE" story import "$code" /dev/null | grep -qx "0 stories added"
}

has_stories() { # MORE THAN
	[ "$("$AYE" story list "$code" | wc -l)" -gt "$1" ]
}

an_import_goes_on_after_the_servers_death() {
	local code id=0123456789abcdef0123456789abcdef import
	code=$("$AYE" room create)
	seq -f 'Story %g' 1 400 >"$home/many"
	"$AYE" story import "$code" "$home/many" --retry "$id" >"$home/out" 2>&1 & import=$!
	until_true has_stories 20 || return 1
	end_server KILL || return 1
	wait $import
	cat "$home/out"
	start_server main && "$AYE" story import "$code" "$home/many" --retry "$id" &&
		[ "$("$AYE" story list "$code" | wc -l)" = 400 ] &&
		[ "$("$AYE" story list "$code" --json | sed 's/.*"title":"\([^"]*\)".*/\1/')" = "$(cat "$home/many")" ]
}

strict_is_all_or_nothing() {
	local code
	code=$("$AYE" room create)
	printf 'One\nT\033wo\nThree\n' >"$home/bad"
	ends_with 1 "$AYE" story import "$code" "$home/bad" --strict 2>"$home/err" && grep -q "line 2" "$home/err" &&
		[ -z "$("$AYE" story list "$code")" ] && "$AYE" story import "$code" - <"$home/bad" &&
		[ "$("$AYE" story list "$code" | wc -l)" = 2 ] && seq 1 499 | "$AYE" story import "$code" - --strict
	[ $? = 1 ] && [ "$("$AYE" story list "$code" | wc -l)" = 2 ]
}

stories_are_moved_removed_and_restored() {
	local code
	code=$("$AYE" room create)
	printf 'One\nTwo\nThree\n' | "$AYE" story import "$code" - || return 1
	"$AYE" story move "$code" 3 --before One && "$AYE" story remove "$code" Two &&
		"$AYE" story add "$code" Four --after Three --estimate 8 --status done --link https://x.example >"$home/id" &&
		[ "$("$AYE" story list "$code" --json | sed 's/.*"title":"\([^"]*\)".*/\1/' | tr '\n' ' ')" = "Three Four One " ] &&
		"$AYE" story list "$code" --all | grep -q "removed.*Two$" && "$AYE" story restore "$code" Two &&
		"$AYE" story update "$code" "$(cat "$home/id")" --title Fourth --estimate '' --link '' &&
		! "$AYE" story list "$code" --json | grep -q '"link"' && "$AYE" story select "$code" Fourth &&
		"$AYE" room show "$code" | grep -q "^Voting on: Fourth$" && ends_with 1 "$AYE" story remove "$code" Fourth &&
		ends_with 1 "$AYE" story remove "$code" Nothing && ends_with 2 "$AYE" story move "$code" 1
}

guests_leave_no_trace() {
	local code
	code=$("$AYE" room create)
	XDG_STATE_HOME=$home/nobody "$AYE" story list "$code" && XDG_STATE_HOME=$home/nobody "$AYE" export "$code" --format csv &&
		as Passer story add "$code" Thing && ! "$AYE" room show "$code" | grep -q "without a name\|Passer"
}

claim "a room's policy is printed, changed, and refused with a reason" policy_is_printed_and_changed
claim "a room of people reveals by itself, one of a script when it says so, a team's by the rules of the team" rooms_of_people_reveal_by_themselves
claim "who may reset and edit is what the policy says" who_may_what_is_the_policys
claim "hosts are made and unmade by name" hosts_are_made_and_unmade
claim "a passcode comes from a file, and is kept nowhere" a_passcode_comes_from_a_file_and_never_an_argument
claim "the lobby lets in and turns away by name" the_lobby_lets_in_by_name
claim "a countdown is stopped, and another vote begins the next" a_countdown_is_stopped_and_a_vote_begins_another
claim "the last missing vote reveals where it is armed" the_last_missing_vote_reveals_where_it_is_armed
claim "a timer is told, stopped, and to reveal at its end" a_timer_reveals_at_its_end
claim "nudges and reactions arrive" nudges_and_reactions_arrive
claim "a reset is taken back, and a round settled" a_reset_is_taken_back
claim "a watched file follows its room, whole each time" the_file_follows_the_room
claim "an import that is repeated with its id doubles nothing" a_retry_doubles_nothing
claim "issues of trackers come in with their keys, and are found by them" trackers_issues_come_in
claim "an import of nothing is no success" an_import_of_nothing_is_no_success
claim "a strict import is all or nothing" strict_is_all_or_nothing
claim "stories are moved, removed, restored and changed" stories_are_moved_removed_and_restored
claim "who only looks leaves no seat behind" guests_leave_no_trace
claim "an import goes on after the server's death, doubling nothing and in order" an_import_goes_on_after_the_servers_death
