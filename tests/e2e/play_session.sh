#!/bin/bash
# play_session.sh - a whole session by script: twelve stories, six members, a bot, and one who drops twice.
. "$(dirname "$0")/cli_kit.bash"
# What the countdown takes is not what is tried here.
start_server main --limit countdown_ms=1 || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

# As claim, in this shell: what one step begins, the next goes on with.
step() { # CLAIM COMMAND...
	local text=$1
	shift
	n=$((n + 1))
	if "$@" >"$home/told" 2>&1; then
		echo "ok $n - $text"
	else
		echo "not ok $n - $text"
		sed 's/^/# /' "$home/told"
		failed=1
	fi
}

members=(Ada Grace Linus Edsger Barbara Ken)
code=
declare -A pid

# A member is a script that is fed through a pipe of its own and answers into a file.
member_in() { # NAME [BOT]
	local name=$1 is_bot=${2:-false}
	rm -f "$home/$name.in"
	mkfifo "$home/$name.in"
	"$AYE" script <"$home/$name.in" >>"$home/$name.out" 2>>"$home/$name.err" &
	pid[$name]=$!
	eval "exec {fd_$name}>\"$home/$name.in\""
	say "$name" '{"id":"subscribe","method":"room.subscribe","params":{"room_id":"'"$code"'"'"${key[$name]:-}"'}}'
	say "$name" '{"id":"join","method":"room.join","params":{"room_id":"'"$code"'","username":"'"$name"'","is_bot":'"$is_bot"'}}'
	until_true grep -q '^{"id":"join","result"' "$home/$name.out" || return 1
	key[$name]=',"user_key":"'$(sed -n 's/.*"user_key":"\([^"]*\)".*/\1/p' "$home/$name.out" | head -1)'"'
}
declare -A key

say() { # NAME LINE
	local fd=fd_$1
	printf '%s\n' "$2" >&"${!fd}"
}

# As a connection drops: the program is gone, and nothing was said.
member_drops() { # NAME
	local fd=fd_$1
	kill -KILL "${pid[$1]}"
	wait "${pid[$1]}" 2>/dev/null
	eval "exec ${!fd}>&-"
	sed -i '/^{"id":"join"/d' "$home/$1.out"
}

votes() { # NAME CARD ROUND
	say "$1" '{"id":"vote '"$3"'","method":"room.vote","params":{"room_id":"'"$code"'","vote":"'"$2"'"}}'
}

# Until the room is open in this round: everybody who counts has voted, and nobody pressed anything.
until_open() { # ROUND
	until_true is_open "$1"
}
is_open() { # ROUND
	"$AYE" call room.get '{"room_id":"'"$code"'"}' | grep -q '"is_revealed":true,"round":'"$1"','
}

all_but_ken_have_voted() {
	[ "$("$AYE" room show "$code" | grep -c "has voted")" = 6 ]
}

stories_come_in() {
	cat >"$home/backlog.csv" <<-'END'
		Summary,Issue key,Issue Type,Status,Description
		"Sign in, with a passkey",AB-1,Story,To Do,"As a member
		I sign in"
		Sign out,AB-2,Story,To Do,
		"=HYPERLINK(""http://x"",""y"")",,Bug,To Do,
		+1 for search,,Story,To Do,
		@here mentions,,Story,To Do,
		-1 points,,Story,To Do,
		<script>alert(1)</script>,,Bug,Done,
		Pipes | and `ticks`,,Story,To Do,
		Übung macht den Meister,,Story,To Do,
		Ten,,Story,To Do,
		Eleven,,Story,To Do,
		,AB-12,Story,To Do,no summary
		Twelve,,Story,To Do,
	END
	code=$("$AYE" room create auto_reveal=on --title "Sprint 42") || return 1
	"$AYE" story import "$code" "$home/backlog.csv" >"$home/import" 2>"$home/import.err"
	cat "$home/import" "$home/import.err"
	[ "$(cat "$home/import")" = "12 stories added" ] &&
		grep -q "^aye: line 14 has no title; skipped$" "$home/import.err" &&
		[ "$("$AYE" story list "$code" | wc -l)" = 12 ]
}

everybody_sits_down() {
	local name
	for name in "${members[@]}"; do
		member_in "$name"
	done
	member_in Robot true
	[ "$("$AYE" room show "$code" | grep -c "^  [A-Z]")" = 7 ]
}

twelve_rounds_are_played() {
	local round cards=(1 2 3 5 8 13) i
	for round in $(seq 1 12); do
		"$AYE" story next "$code" >"$home/next" || return 1
		# Nobody waits for a bot: the others' votes would reveal without its own.
		votes Robot 20 "$round"
		until_true grep -q '^{"id":"vote '"$round"'","result"' "$home/Robot.out" || return 1
		for i in 0 1 2 3 4; do
			votes "${members[i]}" "${cards[round % 5]}" "$round"
		done
		if [ "$round" = 3 ] || [ "$round" = 8 ]; then
			until_true all_but_ken_have_voted || return 1
			member_drops Ken
			until_true room_shows "$code" "^  Ken.*away" || return 1
			member_in Ken
		fi
		votes Ken "${cards[(round + (round % 4 == 0)) % 5]}" "$round"
		until_open "$round" || return 1
		"$AYE" round settle "$code" "${cards[round % 5]}" || return 1
	done
	[ "$(sort -u "$home/next")" = Twelve ] && ends_with 5 "$AYE" story next "$code"
}

the_export_says_what_happened() {
	"$AYE" export "$code" --format json -o "$home/all.json" && "$AYE" export "$code" --format csv --all -o "$home/all.csv" &&
		"$AYE" export "$code" --format csv --votes -o "$home/votes.csv" && "$AYE" export "$code" --format jira --all -o "$home/jira.csv" &&
		"$AYE" export "$code" --format md >"$home/all.md" && "$AYE" export "$code" --format html >"$home/all.html" &&
		"$AYE" export "$code" --format text >"$home/all.txt" || return 1
	cat "$home/all.txt"
	# Twelve stories, all done; twelve rounds of six members and one bot, each with all seven votes.
	[ "$(grep -c ',done,' "$home/all.csv")" = 12 ] && [ "$(wc -l <"$home/votes.csv")" = 85 ] &&
		[ "$(grep -c ',Robot,voter,yes,20,' "$home/votes.csv")" = 12 ] &&
		[ "$(grep -c ',Ken,voter,no,' "$home/votes.csv")" = 12 ] && grep -q '^AB-2,Sign out,' "$home/jira.csv" &&
		[ "$(head -1 "$home/jira.csv" | tr -d '\r')" = "Issue key,Summary,Story Points,Link,Description" ] &&
		grep -q '"done": 12' "$home/all.json" && grep -q '"rounds": 12,' "$home/all.json" &&
		grep -q '"votes": 84' "$home/all.json" &&
		grep -q "^Stories: 12 (12 done, 0 to do, 0 skipped), 43 points$" "$home/all.txt" &&
		grep -q "^Rounds: 12, votes: 84, agreement 96% on average" "$home/all.txt"
}

# What goes back has no cell that would clear or overwrite a field; what stays here is said.
the_tracker_gets_what_was_settled() {
	"$AYE" story add "$code" Elsewhere --key AB-99 --estimate 8 --status done >/dev/null &&
		"$AYE" story add "$code" Later --key AB-98 >/dev/null || return 1
	"$AYE" export "$code" --format jira 2>"$home/err" | tr -d '\r' >"$home/points.csv"
	cat "$home/points.csv" "$home/err"
	[ "$(head -1 "$home/points.csv")" = "Issue key,Story Points,Summary" ] &&
		grep -q '^AB-2,[0-9.]*,Sign out$' "$home/points.csv" && ! grep -q 'AB-9[89]' "$home/points.csv" &&
		! grep -q ',,\|^,' "$home/points.csv" && grep -q "stories without a key left out$" "$home/err" &&
		"$AYE" export "$code" --format csv | grep -q '^AB-2,Sign out,[0-9]*,1,' && ! "$AYE" export "$code" --format csv | grep -q AB-99 || return 1
	"$AYE" story remove "$code" AB-99 && "$AYE" story remove "$code" AB-98
}

# As its name ends; where a person looks, text.
a_file_says_its_format() {
	"$AYE" export "$code" -o "$home/named.md" && "$AYE" export "$code" --votes -o "$home/named.csv" && "$AYE" export "$code" -o "$home/named.txt" || return 1
	diff "$home/named.md" "$home/all.md" && diff "$home/named.csv" "$home/votes.csv" && diff "$home/named.txt" "$home/all.txt" || return 1
	on_a_terminal "$AYE" export "$code" | grep -q "^Stories: 12" && ! "$AYE" export "$code" 2>"$home/err" && ! "$AYE" export "$code" -o "$home/named" 2>>"$home/err" &&
		[ "$(grep -c "give --format" "$home/err")" = 2 ] && [ ! -e "$home/named" ]
}

hostile_titles_are_inert() {
	# No cell begins as a formula, in quotes or out of them.
	! grep -E '(^|,)"?[=+@-]' "$home/all.csv" && grep -q "'+1 for search" "$home/all.csv" &&
		grep -q "\"'=HYPERLINK(\"\"http" "$home/all.csv" && ! grep -qi "<script" "$home/all.html" &&
		grep -q "&lt;script&gt;" "$home/all.html" && ! grep -q "<script" "$home/all.md" &&
		grep -q 'Pipes \\| and \\`ticks\\`' "$home/all.md"
}

back_again_it_is_the_same() { # FILE
	local other
	other=$("$AYE" room create) || return 1
	"$AYE" story import "$other" "$home/$1" --strict && "$AYE" export "$other" --format csv --all -o "$home/again.csv" || return 1
	diff <(sed -n 's/,done,.*//p' "$home/all.csv") <(sed -n 's/,done,.*//p' "$home/again.csv") &&
		[ "$("$AYE" story list "$other" | cut -c1-24)" = "$("$AYE" story list "$code" | cut -c1-24)" ] &&
		[ "$("$AYE" story list "$other" | cut -c37-)" = "$("$AYE" story list "$code" | cut -c37-)" ]
}

step "a backlog as Jira exports it comes in, and the line without a title is told" stories_come_in
step "six members and a bot sit down" everybody_sits_down
step "twelve stories are voted, revealed by themselves and settled, while one drops twice" twelve_rounds_are_played
claim "the export says what happened" the_export_says_what_happened
claim "a file's name says its format, and a terminal gets text" a_file_says_its_format
claim "a tracker gets what was settled here, and nothing else" the_tracker_gets_what_was_settled
claim "hostile titles are inert in CSV, HTML and Markdown" hostile_titles_are_inert
claim "the stories of the CSV are the same in another room" back_again_it_is_the_same all.csv
claim "the stories of the CSV for Jira are the same in another room" back_again_it_is_the_same jira.csv
claim "the stories of the JSON are the same in another room" back_again_it_is_the_same all.json
