#!/bin/bash
# day_of_a_team.sh - a team of five is made and invited, estimates a backlog of thirty in two of
# its rooms on two days, with a restart of the server between, and finds every estimate in the
# backlog. A sixth finds the codes useless. At last the owner deletes it all.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
team=(ada grace linus mary alan)
deck=(1 2 3 5 8 13 20)

as() { # PERSON ARGUMENT...: aye as somebody who is logged in
	local person=$1
	shift
	mkdir -p -m 700 "$home/$person"
	XDG_STATE_HOME=$home/$person "$AYE" "$@"
}
says() { # TEXT COMMAND...
	local text=$1 told
	shift
	told=$("$@" 2>&1)
	[[ $told == *"$text"* ]] || { printf 'no "%s" in: %s\n' "$text" "$told"; false; }
}
refuses() { # TEXT COMMAND...
	local text=$1 told
	shift
	told=$(ends_with 1 "$@" 2>&1) && [[ $told == *"$text"* ]] || { printf '%s\n' "$told"; false; }
}

# ---- the team ----

a_team_is_made() {
	group=$(as ada team new Payments "Sprint 42") && [[ $group == g_* ]] && says "Payments  $group" as ada team show Payments
}
one_line_invites() {
	as ada invite Payments --ends 2h --uses 4 >"$home/line" && [ "$(wc -l <"$home/line")" = 1 ] || return 1
	grep -qE '^[0-9A-Z-]{24} is for Payments, valid until 20[0-9-]{8} [0-9:]{5} UTC: aye team join [0-9A-Z-]{24} --server unix:' "$home/line"
}
# What is behind the colon is what one pastes.
four_join_by_what_they_paste() {
	local person line
	line=$(sed 's/.*: aye //' "$home/line")
	for person in "${team[@]:1}"; do
		# shellcheck disable=SC2086
		[ "$(env -u AYE_SERVER XDG_STATE_HOME="$home/$person" "$AYE" $line)" = "$group" ] || return 1
	done
	[ "$(as mary team users Payments | awk '{print $NF}' | sort | tr '\n' ' ')" = "ada alan grace linus mary " ]
}
a_sixth_finds_it_used_up() {
	refuses "no invitation has that code" as eve team join "$(cut -d' ' -f1 "$home/line")" &&
		refuses "no team of yours is called Payments" as eve team show Payments &&
		refuses "team not found" as eve team show "$group"
}
a_second_code_waits_for_tomorrow() {
	as linus invite Payments --ends 1d | cut -d' ' -f1 >"$home/second" && [ "$(as ada invite list Payments | wc -l)" = 1 ]
}
an_owner_makes_another() {
	as ada team role Payments grace owner && as grace team show Payments | grep -q 'an owner' &&
		refuses "only team owners" as linus team rename Payments Mine
}

it_keeps_how_it_works() {
	local code
	as ada team set Payments deck=fibonacci who_resets=everyone link_template='https://x.example/{key}' timer=90s reveal_in=2d \
		reactions='ship it' >"$home/set" &&
		[ ! -s "$home/set" ] && as linus team settings Payments | grep -qx 'timer=90s' &&
		code=$(a_room_of_the_team linus Habits) && as linus room show "$code" --json >"$home/room" &&
		grep -q '"valid_sizes":\["0","1","2","3","5","8","13"' "$home/room" && grep -q '"timer_seconds":90' "$home/room" &&
		grep -q '"who_resets":"everyone"' "$home/room" && grep -q '"link_template":"https://x.example/{key}"' "$home/room" &&
		grep -q '"timer":{"ends_at":[0-9]*,"reveal_at_zero":true}' "$home/room" && grep -q '"reactions":\["ship","it"\]' "$home/room" &&
		refuses "only team owners" as linus team set Payments deck=fist && as grace team set Payments deck=default \
		who_resets=host link_template=none timer=none reveal_in=none reactions=default && as mary team settings Payments | grep -qx 'deck=default' &&
		as ada room delete "$code" --yes
}

# ---- the backlog ----

thirty_items_come_from_a_file() {
	{
		echo "name,note,category"
		for ((i = 1; i <= 30; i++)); do echo "Story $i,note $i,sprint"; done
	} >"$home/stories.csv"
	[ "$(as mary backlog import "Sprint 42" "$home/stories.csv")" = "30 items added" ] &&
		[ "$(as alan item list "Sprint 42" | wc -l)" = 30 ]
}

# ---- two days ----

# The card on which they settle: no two stories beside each other have the same.
card_of() { # "Story N"
	echo "${deck[${1#Story } % ${#deck[@]}]}"
}
team_settles() { # HOST ROOM: the story that is voted on
	local person story card
	story=$(as "$1" story list "$2" | grep ' voting ' | grep -oE 'Story [0-9]+$') || return 1
	card=$(card_of "$story")
	for person in "${team[@]}"; do
		as "$person" room vote "$2" "$card" >/dev/null 2>&1 || return 1
	done
	as "$1" room reveal "$2" | grep -q "agreement 100" && as "$1" round settle "$2" "$card" >/dev/null
}
a_room_of_the_team() { # HOST TITLE
	as "$1" new --team Payments --title "$2" </dev/null | head -n 1
}
members_need_no_lobby() {
	as ada room policy "$monday" lobby=on >/dev/null && as linus room vote "$monday" 5 >/dev/null 2>&1 &&
		[ "$(as ada room show "$monday" --json | grep -o '"is_waiting":true' | wc -l)" = 0 ]
}
fifteen_on_monday() {
	local i
	for ((i = 0; i < 15; i++)); do
		as ada story next "$monday" >/dev/null && team_settles ada "$monday" || return 1
	done
}
with_a_quantity() { # COUNT
	[ "$(as linus item list "Sprint 42" --json | grep -c '"quantity":"[0-9]*"')" = "$1" ]
}
the_rest_on_tuesday() {
	[ "$(as grace story import "$tuesday" --from "Sprint 42")" = "15 stories added" ] || return 1
	while as grace story next "$tuesday" >/dev/null; do
		team_settles grace "$tuesday" || return 1
	done
	[ "$(as grace story list "$tuesday" | grep -c ' done ')" = 15 ]
}
# A day later, by what the table says of it: yesterday's code and what was answered have had their time.
a_night_passes() {
	"$AYED" dump --hidden-votes "$home/main.data" 2>/dev/null |
		sed '/"sk":"INVITATION#\|"sk":"ONCE#/s/"\(link_expiry_datetime\|expires_at\)":[0-9]*/"\1":1000/g' >"$home/night" &&
		rm "$home"/main.data/data.mdb* && "$AYED" load "$home/main.data" <"$home/night" 2>/dev/null
}
every_estimate_is_in_the_backlog() {
	as alan backlog export "Sprint 42" --format csv | tr -d '\r' >"$home/items.csv"
	{
		echo "name,unit,quantity,category,expiry,note"
		for ((i = 1; i <= 30; i++)); do echo "Story $i,points,$(card_of "Story $i"),sprint,,note $i"; done
	} | diff - "$home/items.csv"
}
the_rooms_are_listed() {
	[ "$(as mary team rooms Payments | awk '{print $1, $NF}' | tr '\n' ' ')" = "$tuesday Tuesday $monday Monday " ]
}

a_new_story_is_compared_with_old_ones() {
	as mary team references Payments 8 >"$home/eights" && grep -q "^$tuesday .*Story 18$" "$home/eights" && grep -q "^$monday .*Story 4$" "$home/eights" &&
		! grep -q "Story 5$" "$home/eights" && [ "$(as mary team references Payments 100 2>&1)" = "" ] && refuses "no team of yours" as eve team references Payments 8
}

# ---- the end ----

only_an_owner_deletes_it() {
	refuses "only team owners" as linus team delete Payments --yes && ends_with 2 as ada team delete Payments
}
left() { # in the table, of the team and what was in it: ids and names
	"$AYED" dump --hidden-votes "$home/main.data" 2>/dev/null |
		grep -E "$group|[\":#][gci]_[0-9A-Z]{10}|ROOM:|Payments|Sprint|Story"
}
nothing_is_left() {
	! left | grep -q .
}

for person in "${team[@]}"; do
	as "$person" login "$person" >/dev/null
done
as eve login eve --json >/dev/null # who joins none, and has none
claim "a team is made with its backlog" a_team_is_made
group=$(as ada team list | cut -d' ' -f1)
claim "an invitation is one line to paste" one_line_invites
claim "four people join by what they paste, and are five with who made the team" four_join_by_what_they_paste
claim "a sixth finds the code used up, and the team as one that is not there" a_sixth_finds_it_used_up
claim "a member invites, too, and the used-up code is listed no longer" a_second_code_waits_for_tomorrow
claim "the owner makes another, and a member may not rename the team" an_owner_makes_another
claim "new rooms start as the team works, which owners change and members read" it_keeps_how_it_works
claim "thirty items come into the backlog from a file" thirty_items_come_from_a_file

monday=$(a_room_of_the_team ada Monday)
claim "members come into the team's room past its lobby" members_need_no_lobby
claim "the room takes its stories from the backlog" says "30 stories added" as ada story import "$monday" --from "Sprint 42"
claim "they settle on fifteen of them on the first day" fifteen_on_monday
claim "and the backlog has those estimates" until_true with_a_quantity 15
kill -TERM "$server_pid" && wait "$server_pid"
claim "the server ends for the night, and the code with it" a_night_passes
start_server main || { echo "Bail out! no server"; exit 1; }
claim "a sixth finds yesterday's code useless" refuses "no invitation has that code" as eve team join "$(cat "$home/second")"
tuesday=$(a_room_of_the_team grace Tuesday)
claim "another owner leads through the other fifteen in a second room" the_rest_on_tuesday
claim "the backlog has thirty estimates" until_true with_a_quantity 30
claim "and each is what the team settled on" every_estimate_is_in_the_backlog
claim "both rooms are listed, the newest first" the_rooms_are_listed
claim "a new story is compared with old ones by their estimate" a_new_story_is_compared_with_old_ones

claim "while it is there the table is full of it" test "$(left | wc -l)" -gt 60
claim "only team owners deletes the team, and not without saying so" only_an_owner_deletes_it
claim "the owner deletes it all" as ada team delete Payments --yes
claim "then it is there for nobody" refuses "no team of yours is called Payments" as mary team show Payments
claim "nor are its rooms" refuses "no room $monday" as grace room show "$monday"
claim "and the table has nothing of it, nor have answers that may be asked for again" until_true nothing_is_left
kill -TERM "$server_pid" && wait "$server_pid"
