#!/bin/bash
# cli_ask.sh - questions from the command line: asked, waited for, answered, listed; what came of
# them as an exit code; and what happens where the server or the time goes meanwhile.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

as() { # PERSON ARGUMENT...
	local state=$home/$1
	shift
	XDG_STATE_HOME=$state "$AYE" "$@"
}
# One who waits is a process of the script's own, so that its code can be had: started outside of claims.
waits() { # NAME PERSON ARGUMENT...
	local name=$1
	shift
	rm -f "$home/$name.code"
	{
		# Behind & a shell has SIGINT ignored, and whoever waits leaves it so.
		XDG_STATE_HOME=$home/$1 env --default-signal=INT "$AYE" "${@:2}" >"$home/$name.out" 2>"$home/$name.err" &
		echo $! >"$home/$name.pid"
		wait $!
		echo $? >"$home/$name.code"
	} &
	until_true test -s "$home/$name.out"
}
has_ended() { # NAME CODE
	until_true test -s "$home/$1.code" && [ "$(cat "$home/$1.code")" = "$2" ] && return
	cat "$home/$1".*
	return 1
}
question_of() { # NAME
	head -1 "$home/$1.out"
}
prints() { # TEXT COMMAND...
	local wanted=$1 told
	shift
	told=$("$@" 2>&1) && [ "$told" = "$wanted" ] || { echo "$told"; return 1; }
}
refuses() { # CODE PATTERN COMMAND...
	local wanted=$1 pattern=$2 told
	shift 2
	told=$(ends_with "$wanted" "$@" 2>&1) && printf '%s\n' "$told" | grep -q -- "$pattern" || { echo "$told"; return 1; }
}
at_terminal() { # PERSON ARGUMENT...
	local state=$home/$1
	shift
	XDG_STATE_HOME=$state on_a_terminal "$AYE" "$@" | tr -d '\r'
}
answered() { # QUESTION NUMBER
	as ada question show "$1" --json | grep -q "\"current_responses\":$2,"
}
questions_of() { # PERSON
	as "$1" question mine --all | wc -l
}

a_stranger_is_told_to_log_in() {
	refuses 1 "aye login NAME" as stranger question list && refuses 1 "aye login NAME" as stranger ask "Ship it today?" --room 222222
}

user_of() { # PERSON
	as "$1" whoami --json | sed 's/.*"user_id":"\([^"]*\)".*/\1/'
}
logins_of() { # PERSON
	find "$home/$1/aye/logins" -name '*.json' | wc -l
}
# Told once; the name is that of a seat, with a number where it is somebody else's.
whoever_has_no_login_asks_and_answers() {
	local q
	q=$(as grace ask "Who passes by here?" --need 2 --name Grace 2>"$home/err") &&
		grep -qx "aye: you ask and answer as Grace here; to log in: aye login NAME" "$home/err" &&
		prints "Your answer was sent." as_told ken answer "$q" "I do." --name grace &&
		grep -q "^aye: you ask and answer as grace 2 here;" "$home/err" &&
		AYE_NAME=Hedy prints "Your answer was sent." as_told hedy answer "$q" "So do I." && grep -q "as Hedy here;" "$home/err" &&
		as grace question show "$q" --json >"$home/out" 2>"$home/err" && [ ! -s "$home/err" ] &&
		grep -q '"status":"CLOSED".*"asked_by":"Grace"\|"asked_by":"Grace".*"status":"CLOSED"' "$home/out" &&
		grep -q '"I do\."' "$home/out" && grep -q '"So do I\."' "$home/out" && refuses 1 "has its answers" as ken answer "$q" "Once more." &&
		q=$(as_told bob ask "What do we call it?") && grep -q "as tester here;" "$home/err" && as bob question cancel "$q"
}
as_told() { # PERSON ARGUMENT...
	as "$@" 2>"$home/err"
}
# Whatever name is used in rooms meanwhile; under its number, too.
they_are_the_same_user_each_time() {
	local q user
	user=$(user_of grace) && q=$(as grace question mine) && [ -n "$q" ] && as grace room create >"$home/room" &&
		as grace join "$(cat "$home/room")" --plain --name Zoe <<<quit >/dev/null && prints "$q" as grace question mine &&
		q=$(AYE_NAME=Edsger as grace ask "Is it me who asks?" 2>&1) && as grace question cancel "$q" && [ "$(user_of grace)" = "$user" ] &&
		q=$(as ken ask "Is it me who asks?" --name grace 2>&1) && as ken question cancel "$q" &&
		refuses 2 "^aye: you are grace 2 here: leave out --name" as ken ask "Is it me who asks?" --name Ken &&
		refuses 2 "^aye: you are Ada here: leave out --name" as ada ask "Is it me who asks?" --name Nobody &&
		as ken inbox </dev/null >/dev/null && [ "$(questions_of ken)" = 1 ]
}
a_session_that_lapsed_begins_anew() {
	local user
	user=$(user_of grace) && sed -i 's/"token": "[^"]*"/"token": "'"$(printf 'A%.0s' {1..43})"'"/' "$home"/grace/aye/logins/*.json &&
		[ "$(questions_of grace)" = 2 ] && [ "$(user_of grace)" = "$user" ]
}
whoever_has_no_login_waits() {
	local q
	refuses 4 "stays open" as radia ask "Does anybody say a word?" --wait --timeout 2 --name Radia &&
		[ "$(questions_of radia)" = 1 ] && q=$(as radia question mine) && refuses 4 "stays open" as radia question watch "${q%% *}" --timeout 2 &&
		as radia question cancel "${q%% *}"
}
# A seat without a login is found by its key, as before.
asking_costs_no_seat() {
	local room q
	room=$(as barbara room create) && as barbara join "$room" --plain --name Barbara <<<quit >/dev/null && as barbara vote "$room" 5 &&
		q=$(as barbara ask "Is this seat still mine?" 2>"$home/err") && grep -q "as Barbara here;" "$home/err" &&
		as barbara question cancel "$q" && as barbara vote "$room" 8 && as barbara show "$room" >"$home/out" || return 1
	cat "$home/out"
	[ "$(grep -c "^  Barbara" "$home/out")" = 1 ] && grep -q "^  Barbara, " "$home/out"
}
# With the same key: what was asked before stays theirs, and the first name is free.
whoever_logs_in_stays_that_user() {
	local user
	user=$(user_of grace) && prints "logged in as Katherine" as grace login Katherine && [ "$(user_of grace)" = "$user" ] &&
		[ "$(questions_of grace)" = 2 ] && [ "$(logins_of grace)" = 1 ] && prints "logged in as Grace" as alan login Grace &&
		prints "logged in as Hedy" as hedy login Hedy && [ "$(logins_of hedy)" = 1 ]
}
a_logout_forgets_them() {
	as radia whoami | grep -q "^Radia (user " && as radia logout && [ "$(logins_of radia)" = 0 ] && refuses 1 "aye login NAME" as radia whoami &&
		prints "logged in as Radia" as alan login Radia && as radia logout
}

what_makes_no_sense_is_named() {
	refuses 2 '^aye: ? must be 2 to 2000 characters long$' as ada ask "?" &&
		refuses 2 "^aye: --option: 1 given; use 2 to 10$" as ada ask "Ship it today?" -o yes &&
		refuses 1 "^aye: --option: yes is repeated$" as ada ask "Ship it today?" -o yes -o yes &&
		refuses 2 "^aye: --audience: nobody is not technical, product, ethics, creative or general$" as ada ask "Ship it today?" --audience nobody &&
		refuses 2 "^aye: --need: 51 is not a number from 1 to 50" as ada ask "Ship it today?" --need 51 &&
		refuses 2 "^aye: --open: 59s is not from 1m to 30d" as ada ask "Ship it today?" --open 59s &&
		refuses 2 "^aye: --open: soon is not a time" as ada ask "Ship it today?" --open soon &&
		refuses 2 "^aye: --expect needs" as ada ask "Ship it today?" -o yes -o no --expect yes &&
		refuses 2 "^aye: --expect needs" as ada ask "Ship it today?" --wait --expect yes &&
		refuses 2 "^aye: --expect: maybe is not one of the options$" as ada ask "Ship it today?" -o yes -o no --wait --expect maybe &&
		refuses 1 "no seat in that room" as ada ask "Ship it today?" --room 222222 &&
		[ "$(questions_of ada)" = 0 ]
}

asks() {
	q=$(as ada ask "Ship it today?" -o yes -o no --need 2 --open 90m --audience product --audience technical)
	case $q in q_??????????) ;; *) return 1 ;; esac
	echo "$q" >"$home/q"
}

is_listed() {
	local q
	q=$(cat "$home/q")
	prints "$q  0 of 2 answered, 1 h left      product    Ship it today?" as ben question list &&
		prints "$q  0 of 2 answered, 1 h left      product    Ship it today?" as ada question mine --status open &&
		prints "" as ben question list --audience ethics && prints "" as ada question list &&
		prints "" as ada question mine --status closed &&
		refuses 2 "^aye: --status must be open, partial, closed, expired or cancelled$" as ada question mine --status new
}

is_listed_by_status() {
	local q
	q=$(as ada ask "Which of the two is it?" -o one -o two --need 2)
	as ben question list --status OPEN | grep -q "^$q" && ! as ben question list --status partial | grep -q "^$q" &&
		as cyd answer "$q" one && ! as ben question list --status open | grep -q "^$q" &&
		as ben question list --status partial | grep -q "^$q" && as ada question cancel "$q"
}

what_one_answered_is_listed() {
	local q text
	q=$(as ada ask "Which of the two is it?" -o one -o two --need 2)
	text=$(as ada ask $'Which of the two would you\ntake, all things considered?' --need 1)
	as eve answer "$q" two --sure 3 && as eve answer "$text" $'Neither:\nthey are the same.' &&
		prints "$text  closed     Which of the two would you take, all thi...  Neither: they are the same.
$q  open       Which of the two is it?  two, confidence 3 of 5" as eve question answered &&
		as eve question answered --limit 1 --json | grep -q "^{\"question_id\":\"$text\",\"response_id\":" &&
		prints "" as fay question answered && as ada question cancel "$q"
}

is_shown() {
	local q
	q=$(cat "$home/q")
	prints "$q  0 of 2 answered, 1 h left
asked by Ada, for product, technical

Ship it today?

  1) yes
  2) no" as ben question show "$(echo "$q" | tr 'A-Z' 'a-z')" && refuses 1 "question not found" as ben question show q_AAAAAAAAAA
}

is_answered_by_words_or_number() {
	local q
	q=$(cat "$home/q")
	refuses 2 "3 is not one of its options" as cyd answer "$q" 3 && refuses 1 "cannot answer your own question" as ada answer "$q" yes &&
		refuses 2 "ANSWER is required" as cyd answer "$q" </dev/null &&
		refuses 2 "--sure: 6 is not a number from 1 to 5" as cyd answer "$q" 1 --sure 6 &&
		as cyd answer "$q" 1 --sure 5 && prints "Your answer was changed." as cyd answer "$q" 2 &&
		as dan answer "$q" YES --sure 4 --comment $'tested\xc2\xa0it' &&
		refuses 1 "has its answers" as cyd answer "$q" 1 && refuses 1 "has its answers" as ben answer "$q" 1 &&
		as ada question show "$q" >"$home/shown" && grep -q "closed: 2 of 2 answered" "$home/shown" &&
		grep -q "^  1  yes$" "$home/shown" && grep -q "^  1  no$" "$home/shown" &&
		grep -q "^yes, confidence 4 of 5: tested it$" "$home/shown" || { cat "$home/shown"; return 1; }
}

# Who has read it in the line before is not taken for somebody who did not read it.
is_not_too_fast() {
	! as ada question show "$(cat "$home/q")" --json | grep -q is_fast
}

words_are_read_from_input() {
	local q
	q=$(as ada ask "What would you call this verb?" --need 1)
	printf 'aye,\nbecause it is short\n\n' | as ben answer "$q" - && as cyd question show "$q" | tail -2 >"$home/shown" &&
		printf 'aye,\nbecause it is short\n' | cmp - "$home/shown" &&
		refuses 2 "standard input has no text" as cyd answer "$q" - </dev/null
}

nothing_in_an_answer_reaches_the_terminal() {
	local q
	q=$(as ada ask "What would you call this verb?" --need 2)
	refuses 1 "" as ben answer "$q" $'\e[31mred' && refuses 1 "" as ben answer "$q" red --comment $'\u202etxet' &&
		printf "a\eb" | refuses 1 "" as ben answer "$q" - ; as ada question cancel "$q"
}

a_person_is_asked() {
	local q
	q=$(as ada ask "Ship it today?" -o yes -o no --need 2)
	printf '7\nno\n9\n5\n' | at_terminal ben answer "$q" >"$home/asked" && answered "$q" 1 &&
		grep -q "7 is not one of its options\.$" "$home/asked" && grep -q "9 is not a number from 1 to 5\.$" "$home/asked" &&
		grep -q "^  1) yes$" "$home/asked" && grep -q "^Your choice, 1 to 2: " "$home/asked" &&
		as ada question show "$q" --json | grep -q '"selected_option":1,"confidence":5' || { cat "$home/asked"; return 1; }
	printf '\n' | at_terminal cyd answer "$q" >"$home/asked"
	grep -q "no answer was sent" "$home/asked" && answered "$q" 1 && as ada question cancel "$q"
}

# A question that takes no answer of theirs is shown with the reason, and nothing is typed.
is_not_asked() { # REASON PERSON QUESTION
	ends_with 1 asked_and_ended "$2" answer "$3" >"$home/asked" || { cat "$home/asked"; return 1; }
	cat "$home/asked"
	grep -qx "aye: $1" "$home/asked" && grep -q "Ship it today?" "$home/asked" && ! grep -q "Your choice\|Confidence" "$home/asked"
}
asked_and_ended() { # PERSON ARGUMENT...
	local state=$home/$1
	shift
	XDG_STATE_HOME=$state on_a_terminal "$AYE" "$@" <<<$'1\n' >"$home/typescript"
	local code=$?
	tr -d '\r' <"$home/typescript"
	return "$code"
}
who_may_not_answer_is_not_asked() {
	local q
	q=$(as ada ask "Ship it today?" -o yes -o no --need 2)
	is_not_asked "it is your own question" ada "$q" && as linus login Linus && as linus answer "$q" yes &&
		as ada question cancel "$q" && is_not_asked "it has ended" cyd "$q" && answered "$q" 1
}

is_skipped() {
	local q
	q=$(as ada ask "Ship it today?" -o yes -o no)
	as ben question skip "$q" && prints "" as ben question list && as cyd question list | grep -q "$q" &&
		refuses 1 "only the person who asked" as cyd question cancel "$q" && as ada question cancel "$q" &&
		refuses 6 "^cancelled: nobody answered, 5 were needed$" as cyd question watch "$q"
}

is_waited_for() {
	local q
	q=$(question_of wait)
	as ben answer "$q" no && as cyd answer "$q" yes --comment "it is Friday" && [ ! -s "$home/wait.code" ] &&
		as dan answer "$q" yes && has_ended wait 0 && prints "$q
closed: 3 of 3 answered
  2  yes
  1  no
yes: it is Friday" cat "$home/wait.out" && prints "" cat "$home/wait.err"
}

expects_what_most_say() {
	local q
	q=$(question_of wait)
	refuses 0 "closed: 3 of 3" as ada question watch "$q" --expect 1 && refuses 5 "closed: 3 of 3" as ada question watch "$q" --expect NO &&
		refuses 2 "--expect: maybe is not one of its options" as ada question watch "$q" --expect maybe
}

a_tie_is_not_most() {
	local q
	q=$(question_of tie)
	as ben answer "$q" yes && as cyd answer "$q" no && has_ended tie 5
}

json_begins_with_the_id() {
	local q
	q=$(sed -n '1s/^{"question_id":"\([^"]*\)","status":"OPEN","created_at":.*,"expires_at":[0-9]*,"required_responses":1,"people":[0-9]*}$/\1/p' "$home/json.out")
	as ben answer "$q" yes --json | grep -q '^{"response_id":"r_[^"]*"' && has_ended json 0 &&
		[ "$(wc -l <"$home/json.out")" = 2 ] && tail -1 "$home/json.out" | grep -q "^{\"question_id\":\"$q\",\"status\":\"CLOSED\"" &&
		grep -q '"status":"CLOSED".*"summary":\[{"option":"yes","votes":1},{"option":"no","votes":0}\],"responses":\[{"selected_option":0}\]}' "$home/json.out"
}

is_left_open_by_a_signal() {
	local q
	q=$(question_of left)
	kill -INT "$(cat "$home/left.pid")" && has_ended left 4 && grep -q "$q stays open: 0 of 5 answered" "$home/left.err" &&
		grep -q "^To wait on: aye question watch $q$" "$home/left.err" && grep -q "^To see the answers: aye question show $q$" "$home/left.err" &&
		as ada question mine --status open | grep -q "$q"
}

timeout_is_how_long_the_verb_waits() {
	refuses 4 "stays open: 0 of 5 answered" as ada ask "Ship it today?" -o yes -o no --wait --timeout 2
}

# A claim is a shell of its own: what it knows of the server is what everybody can see.
server_ends() { # SIGNAL
	local pid
	for pid in $(servers_of "$home"); do
		kill "$1" "$pid"
		until_true is_gone "$pid" || return 1
	done
}

# The first answer is lost with the server: the request is repeated, and is the same.
is_asked_once_over_a_crash() {
	local q before
	q=$(question_of crash)
	before=$(questions_of ada)
	server_ends -KILL && start_server main && as ben answer "$q" yes && until_true answered "$q" 1 && as cyd answer "$q" yes && has_ended crash 0 &&
		[ "$(questions_of ada)" = "$before" ] && grep -q "^  2  yes$" "$home/crash.out"
}

# The data as they would be an hour later: the question's time is up when the server is back.
its_time_runs_out() {
	local q=$1
	server_ends -TERM && "$AYED" dump --hidden-votes "$home/main.data" |
		sed "/\"QUESTION:$q\",\"sk\":\"QUESTION\"/s/\(\"created_on\":\)\([0-9]*\)\(.*\"ends_at\":\)[0-9]*\(,.*\"expires_at\":\)[0-9]*/\1\2\3\2\4\2/" >"$home/later.jsonl" &&
		rm "$home/main.data/data.mdb"* && "$AYED" load "$home/main.data" <"$home/later.jsonl" && start_server main
}

what_came_too_late_is_no_answer() {
	local q
	q=$(question_of late)
	as ben answer "$q" yes && its_time_runs_out "$q" && has_ended late 4 && prints "$q
expired: 1 of 3 answered
  1  yes
  0  no" cat "$home/late.out" && refuses 1 "the question has expired" as cyd answer "$q" yes &&
		refuses 4 "^expired: 1 of 3 answered$" as ada question watch "$q"
}

a_prompt_says_how_many_wait() {
	local q
	prompt() { # LINE [ARGUMENT...]
		local line=$1
		shift
		[ "$(as fay status --short "$@")" = "$line" ]
	}
	as fay question list --all | cut -d ' ' -f 1 | while read -r q; do as fay question skip "$q"; done
	prompt "" --timeout 60 && q=$(as ada ask "Ship it today?" -o yes -o no) && prompt "1 waiting" --timeout 60 &&
		as fay status | grep -q "^1 question for you" && signal_server STOP && prompt "1 waiting" &&
		as fay status --json | grep -q '"waiting":1,"waiting_has_more":false,"waiting_from":"cache"' &&
		signal_server CONT && as fay answer "$q" yes && prompt "" --timeout 60
}
signal_server() { # SIGNAL
	kill -"$1" $(servers_of "$home")
}

points_are_told_to_those_who_want_them() {
	local q
	mkdir -p "$HOME/.config/aye" && echo "points = on" >"$HOME/.config/aye/config" || return 1
	q=$(as ada ask "Ship it today?" -o yes -o no --need 4)
	prints "Your answer was sent: +12 points, 12 in all; new: First steps, Early bird." as gil answer "$q" yes --sure 5 &&
		prints "12 points, 1 answer, 1 day in a row
general    1
Badge: First steps, $(date +%F)
Badge: Early bird, $(date +%F)" as gil stats &&
		as gil stats --json | grep -q '^{"total_points":12,"total_answers":1,"streak_days":1,"badges":\[{"id":"first_steps","name":"First steps"' &&
		rm "$HOME/.config/aye/config" && prints "Your answer was sent." as eve answer "$q" no && as ada question cancel "$q"
	local code=$?
	rm -rf "$HOME/.config"
	return "$code"
}

has_a_place() {
	as gil board --week >"$home/board" && grep -q "^rank  people  points each$" "$home/board"
}
boards_have_no_names() {
	local q person
	q=$(as ada ask "Ship it this week?" -o yes -o no --need 5)
	for person in hal ivy jon kay; do
		as "$person" login "$person" && as "$person" answer "$q" yes || return
	done
	prints "No board yet. It is updated hourly, once 5 people have answered.
You have 12 points." as gil board --week && until_true has_a_place && grep -q "^   1  *[0-9]*  0 or more  you$" "$home/board" &&
		grep -q "^As of 20..-..-.. ..:..\.$" "$home/board" && grep -q "^You have 12 points, rank 1\.$" "$home/board" &&
		[ "$(wc -l <"$home/board")" = 4 ] && [ "$(as gil board --week --limit 1 --json | grep -o '"rank":' | wc -l)" = 1 ] &&
		refuses 2 "choose --week or --today" as gil board --week --today && refuses 2 "not a number from 1 to 100" as gil board --limit 101
}

notices_are_turned_on_changed_and_off() {
	local id
	id=$(as gil notify on) && prints "$id  live, every 30 min, for technical, product, ethics, creative, general" as gil notify list &&
		prints "$id" as gil notify on --every 90m --audience ethics && prints "$id  live, every 90 min, for ethics" as gil notify list &&
		at_terminal gil notify on </dev/null >"$home/said" && grep -q "New questions are shown at home and in rooms while you are there, at most one every 90 min" "$home/said" &&
			grep -q "^To stop: aye notify off $id" "$home/said" &&
		XDG_STATE_HOME=$home/gil on_a_terminal bash -c 'stty cols 40 && exec "$@"' bash "$AYE" notify on </dev/null | grep -q "^rooms while you are there, at most one.$" &&
		! grep -q "^$id" "$home/said" && at_terminal gil notify on --json </dev/null | grep -q "^{\"subscription_id\":\"$id\"" &&
		as gil notify list --json | grep -q "^{\"subscription_id\":\"$id\",\"channel\":\"live\"" &&
		refuses 2 "^aye: --every: 4m is not from 5m to 1d" as gil notify on --every 4m &&
		refuses 1 "^aye: --command: gil@example.org is not available, as " as gil notify on --command gil@example.org && refuses 1 "subscription not found; it may have ended$" as ada notify off "$id" &&
		as gil notify off && prints "" as gil notify list && prints "" as gil notify off
}

pages_follow_each_other() {
	local i
	for ((i = 0; i < 22; i++)); do
		as eve ask "Ship it today, try $i?" >/dev/null || return 1
	done
	[ "$(as eve question mine | wc -l)" = 20 ] && [ "$(as eve question mine --all | wc -l)" = 22 ] &&
		[ "$(as eve question mine --limit 21 --json | grep -c '^{"question_id"')" = 21 ] &&
		[ "$(as ben question list --limit 3 | wc -l)" = 3 ] && refuses 2 "choose --limit or --all" as ben question list --all --limit 3 &&
		refuses 2 "not a number from 1" as ben question list --limit 0
}

# The server's owner is who runs this test, over its unix socket alone.
its_owner_takes_what_was_flagged_off_the_board() {
	local q r
	q=$(as ada ask "Ship it next week?" --need 3) && as ben answer "$q" "Rosebud" >/dev/null &&
		r=$("$AYE" server answers "$q" | cut -d" " -f1) && case $r in r_??????????) ;; *) return 1 ;; esac &&
		"$AYE" server questions | grep -q "^$q  PARTIAL .* Ship it next week?$" &&
		"$AYE" server answers "$q" | grep -q Rosebud && ! "$AYE" server questions --flagged 2>&1 | grep -q "$q" &&
		refuses 2 "Delete $q with all its answers?.*--yes" "$AYE" server remove "$q" </dev/null &&
		"$AYE" server remove-answer "$q" "$r" --yes && answered "$q" 0 && "$AYE" server remove "$q" --yes && refuses 1 "question not found" as ada question show "$q" &&
		refuses 1 "question not found" "$AYE" server remove "$q" --yes
}
nobody_else_is_its_owner() {
	local tcp
	"$AYE" serve 127.0.0.1 >"$home/serve.out" && tcp=$(sed -n 's/.*\(tls:[^ ]*\).*/\1/p' "$home/serve.out" | head -1) && [ -n "$tcp" ] &&
		for verb in questions barred "bar K7QX3M7HQ2MB4XNA" "remove q_K7QX3M7HQ2 --yes"; do
			refuses 1 "only the server's own user" "$AYE" server $verb --server "$tcp" || return 1
		done
}
whoever_is_barred_stays_out() {
	local user bar q r
	user=$(as fay whoami --json | sed 's/.*"user_id":"\([^"]*\)".*/\1/') &&
		bar=$("$AYE" server bar "$user") && case $bar in b_*) ;; *) return 1 ;; esac &&
		refuses 1 "administrator of this server has barred you" as fay login Fay &&
		refuses 1 "administrator of this server has barred you\|log in" as fay ask "Ship it next week?" &&
		"$AYE" server barred | grep -q "^$bar .*$user" && "$AYE" server unbar "$bar" &&
		refuses 1 "no user has that bar_id" "$AYE" server unbar "$bar" && as fay login Fay >/dev/null &&
		q=$(as ada ask "Ship it next month?") && as gil answer "$q" "Rosebud" >/dev/null &&
		r=$("$AYE" server answers "$q" --json | sed 's/.*"response_id":"\([^"]*\)".*/\1/') &&
		bar=$("$AYE" server bar-author "$q" "$r") &&
		refuses 1 "administrator of this server has barred you" as gil ask "Ship it next month?" &&
		! "$AYE" server barred | grep -q Gil && "$AYE" server unbar "$bar" >/dev/null
}

for person in ada ben cyd dan eve fay gil; do
	mkdir -m 700 "$home/$person"
	as "$person" login "${person^}" >/dev/null
done
claim "a stranger is told how to log in" a_stranger_is_told_to_log_in
claim "what makes no sense is named as it was typed, and nothing is asked" what_makes_no_sense_is_named
claim "a question is asked, and its id printed" asks
claim "it is listed for others, and for its asker among their own" is_listed
claim "or those that have no answer yet, or have one" is_listed_by_status
claim "what one has answered is listed" what_one_answered_is_listed
claim "it is shown with its choices" is_shown
claim "it is answered by words or by number, once by each" is_answered_by_words_or_number
claim "an answer that is given with the verb is not too fast" is_not_too_fast
claim "an answer in words may come from standard input" words_are_read_from_input
claim "control characters and bidi overrides are refused" nothing_in_an_answer_reaches_the_terminal
claim "a person at a terminal is shown the question and asked" a_person_is_asked
claim "whoever may not answer is not asked on a terminal, but given the reason" who_may_not_answer_is_not_asked
claim "what is skipped is listed no more; only the asker cancels" is_skipped
waits wait ada ask "Ship it today?" -o yes -o no --need 3 --wait
claim "--wait ends with the answer that was still needed" is_waited_for
claim "--expect is fine where most said so" expects_what_most_say
waits tie ada ask "Ship it today?" -o yes -o no --need 2 --wait --expect yes
claim "a tie is not most" a_tie_is_not_most
waits json ada ask "Ship it today?" -o yes -o no --need 1 --wait --json
claim "with --json the id is a record at once, and the outcome another" json_begins_with_the_id
waits left ada ask "Ship it today?" -o yes -o no --wait
claim "Ctrl-C leaves it open and says how to come back" is_left_open_by_a_signal
claim "--timeout is how long the verb waits" timeout_is_how_long_the_verb_waits
waits crash ada ask "Ship it today?" -o yes -o no --need 2 --wait
# promise: asks-once
claim "a crash of the server is waited out, and the question asked once" is_asked_once_over_a_crash
waits late ada ask "Ship it today?" -o yes -o no --need 3 --wait --expect yes
# promise: exit-codes
claim "too few answers in its time are no answer" what_came_too_late_is_no_answer
claim "a prompt says how many questions wait, from what was seen last where the server is silent" a_prompt_says_how_many_wait
claim "an answer earns points, told in a line; stats have them" points_are_told_to_those_who_want_them
claim "boards have places of five people or more, and no names" boards_have_no_names
claim "notices are turned on once, changed and turned off" notices_are_turned_on_changed_and_off
claim "lists have pages" pages_follow_each_other
claim "the server's owner takes questions and answers off the board" its_owner_takes_what_was_flagged_off_the_board
claim "nobody else does, by TCP not even the owner" nobody_else_is_its_owner
claim "whoever the owner bars stays out, by name or by an answer, until that is lifted" whoever_is_barred_stays_out
mkdir -m 700 "$home"/{grace,ken,hedy,bob,radia,barbara,alan}
claim "whoever has no login asks and answers all the same, and is told as whom" whoever_has_no_login_asks_and_answers
claim "they are the same user each time" they_are_the_same_user_each_time
claim "also once the session has lapsed" a_session_that_lapsed_begins_anew
claim "--wait needs no login either" whoever_has_no_login_waits
claim "whoever asks keeps the seat they have in a room" asking_costs_no_seat
claim "whoever logs in stays that user" whoever_logs_in_stays_that_user
claim "a logout forgets them" a_logout_forgets_them
