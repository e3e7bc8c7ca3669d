#!/bin/bash
# cli_words.sh - what the command line says: refusals in the words that were typed, what was
# probably meant, what was done, and the codes it ends with.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server AYE_NAME=Ada

code=$("$AYE" room create --title "Sprint 42")

says() { # WORDS CODE COMMAND...
	local words=$1 wanted=$2 told
	shift 2
	told=$(ends_with "$wanted" "$AYE" "$@" 2>&1) && [ "$told" = "aye: $words" ] || { echo "$told"; false; }
}

# What it prints on a terminal of so many columns.
at_terminal() { # COLUMNS WORD...
	local columns=$1
	shift
	on_a_terminal bash -c 'stty cols "$1" && shift && exec "$@"' bash "$columns" "$AYE" "$@" </dev/null | tr -d '\r'
}

tells() { # WORDS WORD...
	local words=$1
	shift
	[ "$(at_terminal 100 "$@")" = "$words" ] || { at_terminal 100 "$@"; false; }
}

refusals_are_in_the_words_that_were_typed() {
	says "4 is not a card here; the cards are 1 2 3 5 8 13 20 ? ∞" 1 room vote "$code" 4 &&
		says "--deck: 1 is repeated" 1 room create --deck "1 1 2" &&
		says "--deck: 33 cards; use 2 to 32" 1 room create --deck "$(seq -s ' ' 33)" &&
		says '"way too long for this" is 21 wide; at most 12' 2 react "$code" "way too long for this" &&
		says "who_reveals must be host or everyone" 2 room policy "$code" who_reveals=all &&
		says "no rule locker; did you mean locked?" 2 room policy "$code" locker=on
}

# With a state of her own there is neither a seat nor a host_key.
who_is_not_host_is_told_who_may() {
	local XDG_STATE_HOME=$home/guest
	mkdir -m 700 "$XDG_STATE_HOME"
	says "only hosts can do that, or members if the room's rules allow it. To join: aye join $code" 1 reveal "$code" &&
		says "only hosts can do that, or members if the room's rules allow it. To join: aye join $code --server $server" \
			1 hide "$code" --server "$server" &&
		"$AYE" login Grace && "$AYE" vote "$code" 5 --name Grace &&
		ends_with 1 "$AYE" reveal "$code" --name Grace 2>&1 | grep "^aye: only a host can do that here"
}

programs_read_the_wire() {
	ends_with 1 "$AYE" room vote "$code" 4 --json 2>&1 |
		grep -qF '"message":"is not a card of this room","field":"vote"'
}

what_was_meant_is_said() {
	says "no verb jion; did you mean aye join?" 2 jion "$code" &&
		says "no verb expiring; did you mean aye item expiring?" 2 expiring "$code" &&
		says "no verb room kik; did you mean aye room kick?" 2 room kik "$code" Grace &&
		says "unknown option --color; did you mean --colors?" 2 new --color 8 &&
		says "unknown option --collapse (aye --help shows what there is)" 2 new --collapse
}

files_that_are_not_there_are_two() {
	says "$home/no.csv: No such file or directory" 2 story import "$code" "$home/no.csv" &&
		says "$home/no/x: No such file or directory" 2 export "$code" --format md -o "$home/no/x" &&
		says "$home/no: No such file or directory" 2 room policy "$code" --passcode-file "$home/no"
}

a_title_is_printed_and_taken_away() {
	[ "$("$AYE" room title "$code")" = "Sprint 42" ] &&
		[ "$("$AYE" room title "$code" --json)" = '{"title":"Sprint 42"}' ] &&
		"$AYE" room title "$code" '' && [ -z "$("$AYE" room title "$code")" ] &&
		"$AYE" room title "$code" "Sprint 42"
}

# In a zone half an hour off, the time of day that comes within those 90 s.
until_is_local() {
	local until
	until=$(TZ=IST-5:30 at_terminal 100 timer start "$code" 90s | sed -n 's/^Timer set for 90s, until \([0-9:]\{8\}\)\.$/\1/p')
	[ -n "$until" ] && [ $((($(TZ=IST-5:30 date -d "$until" +%s) - $(date +%s) + 86400) % 86400)) -le 90 ]
}

# A number alone is minutes, and is told as such.
a_timer_says_its_unit() {
	at_terminal 100 timer start "$code" 5 | grep -q '^Timer set for 5m, until [0-9:]*\.' &&
		at_terminal 100 timer start "$code" 1:30 | grep -q '^Timer set for 90s, until'
}

people_are_told_what_was_done() {
	tells 'The title is now "Sprint 43".' room title "$code" "Sprint 43" &&
		tells "The room has no title now." room title "$code" '' &&
		tells "The cards are XS S M L XL XXL ?." room deck "$code" tshirt &&
		tells "Changed: locked=on bots_count=on." room policy "$code" locked=on bots_count=on &&
		tells "A break of 5 min started." room pause "$code" 5 &&
		tells "The break is over." room pause "$code" 0 &&
		AYE_NAME=Grace "$AYE" room policy "$code" locked=off && AYE_NAME=Grace "$AYE" room vote "$code" M >"$home/vote" 2>&1 &&
		tells "Grace is a host now." room host "$code" Grace --yes &&
		tells "Make Grace a co-host? [y/N] " cohost "$code" Grace &&
		tells "Grace was removed from the room." kick "$code" Grace --yes &&
		tells "You voted M." vote "$code" M && tells "Your vote was retracted." vote "$code" - &&
		until_is_local && a_timer_says_its_unit
}

what_changes_nothing_says_so() {
	local room
	room=$("$AYE" room create) && "$AYE" add "$room" One >/dev/null && tells "Nothing changed: story 1 is on the list already." story restore "$room" 1 &&
		"$AYE" story remove "$room" 1 && tells "Story One was restored." restore "$room" One &&
		tells "Nothing changed: the cards were hidden already." hide "$room" &&
		"$AYE" vote "$room" 5 && "$AYE" reveal "$room" >/dev/null && tells "The cards are hidden again." hide "$room" &&
		[ -z "$("$AYE" hide "$room"; "$AYE" restore "$room" One)" ]
}
# Three are there and have not voted, she herself among them.
who_is_nudged_is_named() {
	local room pid person state pids=() ended=0
	room=$("$AYE" room create) || return 1
	for person in Ada Grace Linus; do
		[ "$person" = Ada ] && state=$XDG_STATE_HOME || state=$home/state-$person
		mkdir -p -m 700 "$state"
		XDG_STATE_HOME=$state "$AYE" join "$room" --name "$person" --json >"$home/$person" 2>&1 &
		pids+=($!)
		until_true room_shows "$room" "$person" || return 1
	done
	tells "Nudged Grace and Linus." nudge "$room" &&
		tells "Nobody was nudged: all others have voted, or were nudged less than 30 s ago." nudge "$room" &&
		[ "$("$AYE" nudge "$room")" = "0 nudged" ] || ended=1
	for pid in "${pids[@]}"; do
		kill "$pid"
		wait "$pid"
	done
	return "$ended"
}

what_expires_names_its_backlog() {
	local XDG_STATE_HOME=$home/pantry AYE_NAME=Pat
	mkdir -m 700 "$XDG_STATE_HOME"
	"$AYE" login Pat >/dev/null && "$AYE" team new Home Groceries >/dev/null && "$AYE" item add Groceries Milk --quantity 2 --unit l --expiry 3d >/dev/null &&
		at_terminal 100 item expiring Home | grep -qx "Groceries  i_[0-9A-Z]*  2         l         -           20..-..-..  Milk" &&
		"$AYE" item expiring Home | grep -qx "c_[0-9A-Z]*  i_[0-9A-Z]*  .*  Milk"
}

programs_are_told_no_more_than_before() {
	[ -z "$("$AYE" room title "$code" T; "$AYE" room policy "$code" locked=off; "$AYE" timer stop "$code")" ]
}

one_story_is_one() {
	[ "$(echo One | "$AYE" story import "$code" -)" = "1 story added" ] &&
		[ "$(printf 'Two\nThree\n' | "$AYE" import "$code" -)" = "2 stories added" ]
}

# As it is copied from a browser.
an_address_is_key_and_link() {
	local room
	room=$("$AYE" room create) && "$AYE" add "$room" https://github.com/o/r/issues/12 && "$AYE" add "$room" "https://x.atlassian.net/browse/PAY-7 Refund" &&
		"$AYE" add "$room" "https://x.atlassian.net/browse/PAY-8 Sign out" --key Mine --link https://x.example/ &&
		echo "- https://gitlab.example/g/p/-/issues/3 Receipts" | "$AYE" story import "$room" - || return 1
	"$AYE" export "$room" --format csv --all | tr -d '\r' | cut -d, -f1,2,5 >"$home/stories"
	diff "$home/stories" - <<-'END'
		key,title,link
		#12,#12,https://github.com/o/r/issues/12
		PAY-7,Refund,https://x.atlassian.net/browse/PAY-7
		Mine,Sign out,https://x.example/
		#3,Receipts,https://gitlab.example/g/p/-/issues/3
	END
}

# Of a team nobody knows what to type before there is one.
a_team_is_explained_before_there_is_one() {
	local told steps="aye team new NAME aye team join CODE aye new --team NAME"
	told=$(at_terminal 80 team) && grep -q '^No teams yet. A team keeps rooms, backlogs and settings' <<<"$told" &&
		[ "$(grep -oE 'aye [a-z -]*(NAME|CODE)' <<<"$told" | tr '\n' ' ')" = "aye login NAME $steps " ] || return 1
	(
		export XDG_STATE_HOME=$home/teamed && "$AYE" login Katherine --json >/dev/null &&
			[ "$(at_terminal 80 team | grep -oE 'aye [a-z -]*(NAME|CODE)' | tr '\n' ' ')" = "$steps " ] &&
			[ -z "$("$AYE" team)" ] && "$AYE" team new Infra >/dev/null && [ "$("$AYE" team)" = "$("$AYE" team list)" ] &&
			at_terminal 80 team | grep -q 'owner   *Infra$'
	)
}

# It is made by the first login as oneself, explained, and goes where somebody has a better one.
the_first_team_is_there_and_explained() {
	local told
	(
		export XDG_STATE_HOME=$home/first && told=$(at_terminal 80 login Mary) &&
			grep -qF 'Your first team is "Mary'"'"'s team"; aye team explains it.' <<<"$told" &&
			[ "$("$AYE" team list | cut -c 15-)" = "owner   Mary's team" ] && "$AYE" backlog list | grep -q Backlog &&
			told=$(at_terminal 80 team) && grep -q "owner   Mary's team" <<<"$told" && grep -q '^A team keeps rooms' <<<"$told" &&
			grep -q 'aye team rename  *Rename it' <<<"$told" && "$AYE" login Mary >/dev/null && [ "$("$AYE" team list | wc -l)" = 1 ] &&
			"$AYE" team new Payments >/dev/null && [ "$("$AYE" team list | cut -c 15-)" = "owner   Payments" ] &&
			"$AYE" team delete Payments --yes && "$AYE" login Mary >/dev/null && [ -z "$("$AYE" team list)" ]
	)
}

messages_are_wrapped_between_words() {
	local told
	told=$(at_terminal 40 room policy "$code" nonsense=on)
	echo "$told"
	[ "$(wc -l <<<"$told")" -gt 1 ] && ! grep -q '.\{41\}' <<<"$told" &&
		[ "$(tr '\n' ' ' <<<"$told")" = "aye: no rule nonsense; aye room policy CODE lists them " ]
}

claim "the address of an issue is key and link of a new story" an_address_is_key_and_link
claim "a first login has a team, which is explained, and gives way to another" the_first_team_is_there_and_explained
claim "aye team explains what a team is where there is none, and lists them where there are some" a_team_is_explained_before_there_is_one
claim "refusals are in the words that were typed" refusals_are_in_the_words_that_were_typed
claim "who is not host is told who may, and so is a login" who_is_not_host_is_told_who_may
claim "with --json a refusal is as the wire has it" programs_read_the_wire
claim "a slip of the fingers is answered with what was probably meant" what_was_meant_is_said
claim "a file that cannot be read or written ends with 2" files_that_are_not_there_are_two
claim "a room's title is printed, and taken away by an empty one" a_title_is_printed_and_taken_away
claim "a verb that changes something tells people on a terminal" people_are_told_what_was_done
claim "a verb that changes nothing says so" what_changes_nothing_says_so
claim "who is nudged is named, and oneself is not among them" who_is_nudged_is_named
claim "people read in which backlog it is what expires" what_expires_names_its_backlog
claim "and says nothing to a pipe" programs_are_told_no_more_than_before
claim "one story is one story" one_story_is_one
claim "messages are wrapped between words where the terminal ends" messages_are_wrapped_between_words
