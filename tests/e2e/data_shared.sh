#!/bin/bash
# data_shared.sh - presences, maps and lists of a room by the real programs.
. "$(dirname "$0")/cli_kit.bash"
start_server main --limit presence_grace_ms=300 || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
code=$("$AYE" room create)

as() { # WHO COMMAND...
	local who=$1
	shift
	XDG_STATE_HOME=$home/$who AYE_NAME=$who "$@"
}

# Read lines from a descriptor until one has this; the line is left in $line.
until_line() { # DESCRIPTOR PATTERN
	while read -r line <&"$1"; do
		case $line in *$2*) return 0 ;; esac
	done
	return 1
}

maps_keep_values() {
	"$AYE" data create "$code" map notes && "$AYE" data set "$code" map notes api 'ask the vendor' &&
		"$AYE" data set "$code" map notes sizes '{"a":[1,2.5,null,true]}' &&
		[ "$("$AYE" data get "$code" map notes api)" = '{"key":"api","value":"ask the vendor","revision":1,"by":"'"$("$AYE" data get "$code" map notes sizes | sed 's/.*"by":"\([^"]*\)".*/\1/')"'"}' ] &&
		"$AYE" data get "$code" map notes sizes | grep -q '^{"key":"sizes","value":{"a":\[1,2.5,null,true\]},"revision":1,"by":"[^"]*"}$' &&
		[ "$("$AYE" data get "$code" map notes | wc -l)" = 2 ] && "$AYE" data remove "$code" map notes api &&
		ends_with 1 "$AYE" data get "$code" map notes api
}

conflicts_are_told() {
	"$AYE" data set "$code" map notes n 1 --if-revision 0 && "$AYE" data set "$code" map notes n 2 --if-revision 1 &&
		ends_with 1 "$AYE" data set "$code" map notes n 3 --if-revision 1 --json 2>"$home/err" &&
		grep -q '"code":"CONFLICT".*"current":{"value":2,"revision":2,"by":"' "$home/err" &&
		ends_with 1 "$AYE" data set "$code" map notes n 3 --if-revision 1 2>"$home/err" && grep -q '^aye: ' "$home/err" &&
		ends_with 1 "$AYE" data remove "$code" map notes n --if-revision 7
}

one_of_three_wins() {
	local who pids="" pid won=0 lost=0
	for who in Ada Grace Linus; do
		as "$who" "$AYE" data set "$code" map notes race "$who" --if-revision 0 --json >/dev/null 2>"$home/race.$who" &
		pids="$pids $!"
	done
	for pid in $pids; do
		wait "$pid"
		case $? in 0) won=$((won + 1)) ;; 1) lost=$((lost + 1)) ;; esac
	done
	cat "$home"/race.*
	[ $won = 1 ] && [ $lost = 2 ] && [ "$(cat "$home"/race.* | grep -c '"current":{"value":"[A-Z]')" = 2 ]
}

lists_keep_order() {
	local a b c
	"$AYE" data create "$code" list agenda
	b=$("$AYE" data push "$code" list agenda b) && a=$("$AYE" data insert "$code" list agenda before "$b" a) &&
		c=$("$AYE" data insert "$code" list agenda after "$b" c) || return 1
	values() { "$AYE" data get "$code" list agenda | sed 's/.*"value":"\([^"]*\)".*/\1/' | tr '\n' ' '; }
	[ "$(values)" = "a b c " ] && "$AYE" data move "$code" list agenda "$a" after "$c" && [ "$(values)" = "b c a " ] &&
		"$AYE" data set "$code" list agenda "$c" C --if-revision 1 && "$AYE" data remove "$code" list agenda "$b" &&
		[ "$(values)" = "C a " ] && ends_with 1 "$AYE" data move "$code" list agenda "$b" before "$a"
}

# Each writer adds entries and keys as fast as the server takes them, and puts some in front of the others'.
writer() { # WHO
	local i
	echo '{"method":"room.subscribe","params":{"room_id":"'"$code"'"}}'
	echo '{"method":"room.join","params":{"room_id":"'"$code"'","username":"'"$1"'"}}'
	for i in $(seq 30); do
		echo '{"method":"list.push","params":{"room_id":"'"$code"'","name":"three","value":"'"$1$i"'"}}'
		echo '{"method":"list.insert","params":{"room_id":"'"$code"'","name":"three","before":"'"$first"'","value":"'"$1-$i"'"}}'
		echo '{"method":"map.set","params":{"room_id":"'"$code"'","name":"three","key":"'"$1$i"'","value":'"$i"'}}'
		echo '{"method":"map.set","params":{"room_id":"'"$code"'","name":"three","key":"shared","value":"'"$1"'"}}'
	done
}

three_converge() {
	local who pids="" pid
	"$AYE" data create "$code" list three
	"$AYE" data create "$code" map three
	first=$("$AYE" data push "$code" list three first)
	mkfifo "$home/three"
	"$AYE" data watch "$code" list three >"$home/three" & local watch=$!
	exec 5<"$home/three"
	until_line 5 "$first" || return 1
	for who in Ada Grace Linus; do
		writer "$who" | as "$who" "$AYE" script >"$home/writer.$who" & pids="$pids $!"
	done
	for pid in $pids; do
		wait "$pid" || return 1
	done
	"$AYE" data push "$code" list three last >/dev/null
	until_line 5 '"last"' || return 1
	kill $watch
	wait $watch
	exec 5<&-
	! grep -h '"error"' "$home"/writer.* || return 1
	as Ada "$AYE" data get "$code" list three >"$home/list.Ada"
	as Grace "$AYE" data get "$code" list three >"$home/list.Grace"
	cmp "$home/list.Ada" "$home/list.Grace" && [ "$(wc -l <"$home/list.Ada")" = 182 ] &&
		[ "$(sed 's/.*"entry_id":"\([^"]*\)".*/\1/' "$home/list.Ada" | sort -u | wc -l)" = 182 ] &&
		"$AYE" data get "$code" map three shared | grep -q '"revision":90,' &&
		[ "$("$AYE" data get "$code" map three | wc -l)" = 91 ] || return 1
	# What one writer did in order stands in order.
	for who in Ada Grace Linus; do
		[ "$(sed -n 's/.*"value":"'$who'\([0-9]*\)".*/\1/p' "$home/list.Ada")" = "$(seq 30)" ] &&
			[ "$(sed -n 's/.*"value":"'$who'-\([0-9]*\)".*/\1/p' "$home/list.Ada")" = "$(seq 30)" ] || return 1
	done
}

presence_goes_with_its_user() {
	local user
	mkfifo "$home/seen" "$home/to" "$home/from"
	as Ada "$AYE" script <"$home/to" >"$home/from" & local script=$!
	exec 6>"$home/to" 7<"$home/from"
	echo '{"method":"room.subscribe","params":{"room_id":"'"$code"'"},"id":"sit"}' >&6
	until_line 7 '"id":"sit"' || return 1
	user=$(printf '%s' "$line" | sed 's/.*"user_id":"\([^"]*\)".*/\1/')
	echo '{"method":"room.join","params":{"room_id":"'"$code"'","username":"Ada"}}' >&6
	echo '{"method":"presence.create","params":{"room_id":"'"$code"'","name":"status"},"id":"make"}' >&6
	until_line 7 '"id":"make"' || return 1
	"$AYE" data watch "$code" presence status >"$home/seen" 6>&- & local watch=$!
	exec 8<"$home/seen"
	echo '{"method":"presence.set","params":{"room_id":"'"$code"'","name":"status","value":{"doing":"choosing"}},"id":"set"}' >&6
	until_line 7 '"id":"set"' || return 1
	until_line 8 '"entry_id":"'"$user"'","value":{"doing":"choosing"}' || return 1
	"$AYE" data get "$code" presence status | grep -q '{"user_id":"'"$user"'","value":{"doing":"choosing"}}' || return 1
	exec 6>&-
	wait $script
	until_line 8 '"is_gone":true' || return 1
	kill $watch
	wait $watch
	exec 7<&- 8<&-
	[ -z "$("$AYE" data get "$code" presence status)" ]
}

watch_shows_the_end() {
	mkfifo "$home/end"
	"$AYE" data watch "$code" map notes >"$home/end" & local watch=$!
	exec 9<"$home/end"
	until_line 9 '"entry_id":"sizes"' && "$AYE" data set "$code" map notes sizes 4 &&
		until_line 9 '{"kind":"map","name":"notes","entry_id":"sizes","value":4,"revision":2,"by":"' &&
		"$AYE" data delete "$code" map notes && until_line 9 '{"kind":"map","name":"notes","is_gone":true}' || return 1
	kill $watch
	wait $watch
	exec 9<&-
	ends_with 1 "$AYE" data get "$code" map notes && ends_with 1 "$AYE" data delete "$code" map notes
}

rights_are_the_policys() {
	"$AYE" room policy "$code" | grep -q '^who_edits_data=members$' && "$AYE" data create "$code" map rights &&
		as Dorothy "$AYE" data set "$code" map rights k 1 &&
		! "$AYE" room show "$code" | grep -q Dorothy && # the name was on the seat for the visit
		ends_with 1 as Dorothy "$AYE" data delete "$code" map rights 2>"$home/err" &&
		grep -q 'only a host or its creator can delete it' "$home/err" &&
		"$AYE" room policy "$code" who_edits_data=host &&
		ends_with 1 as Dorothy "$AYE" data set "$code" map rights k 2 2>"$home/err" &&
		grep -q 'only a host can do that here' "$home/err" && "$AYE" data set "$code" map rights k 2 &&
		"$AYE" room policy "$code" who_edits_data=everyone && as Dorothy "$AYE" data delete "$code" map rights &&
		ends_with 2 "$AYE" room policy "$code" who_edits_data=nobody
}

usage_is_two() {
	ends_with 2 "$AYE" data get "$code" heap notes && ends_with 2 "$AYE" data push "$code" map notes x &&
		ends_with 2 "$AYE" data set "$code" map notes x && ends_with 2 "$AYE" data set "$code" presence status a b &&
		ends_with 2 "$AYE" data set "$code" map notes x y --if-revision z &&
		ends_with 2 "$AYE" data insert "$code" list agenda near x y &&
		ends_with 4 "$AYE" data watch "$code" --timeout 0.05
}

claim "a map keeps values of every kind under their keys" maps_keep_values
claim "a change of what has changed since is refused, with what is there" conflicts_are_told
claim "of three who set at once if it is not there, one does" one_of_three_wins
claim "a list keeps the order it is given" lists_keep_order
claim "three writers at once see one list and one map" three_converge
claim "a presence is seen while its user is there, and is gone afterwards" presence_goes_with_its_user
claim "a watch shows a change, and the end of a map" watch_shows_the_end
claim "who may change and delete is the policy's to say" rights_are_the_policys
claim "what makes no sense is usage" usage_is_two
