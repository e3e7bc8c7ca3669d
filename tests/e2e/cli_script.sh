#!/bin/bash
# cli_script.sh - a whole round by five scripts, and the same room through a restart of its server.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

five_have_voted() {
	[ "$("$AYE" room show "$code" | grep -c 'has voted')" = 5 ]
}

five_see_the_cards() {
	[ "$(grep -l '"is_revealed":true' "$home"/member.* | wc -l)" = 5 ]
}

five_play_a_round() {
	local cards=(1 2 3 5 8) i code pids=()
	code=$("$AYE" room create)
	for i in 0 1 2 3 4; do
		"$AYE" script >"$home/member.$i" <<-END &
		{"id":"s","method":"room.subscribe","params":{"room_id":"$code"}}
		{"id":"j","method":"room.join","params":{"room_id":"$code","username":"Member $i"}}
		{"id":"v","method":"room.vote","params":{"room_id":"$code","vote":"${cards[i]}"}}
		{"id":"w","wait":{"method":"room.update","where":{"room":{"is_revealed":true}}}}
		{"id":"r","wait":{"method":"room.update","where":{"room":{"round":2,"is_revealed":false}}}}
		END
		pids+=($!)
	done
	until_true five_have_voted || return 1
	grep '"vote":"' "$home"/member.* | grep room.update && return 1
	"$AYE" room reveal "$code" | tee "$home/told"
	until_true five_see_the_cards || return 1
	"$AYE" room reset "$code"
	for i in "${pids[@]}"; do
		wait "$i" || return 1
	done
	grep -q "Average 3.8, median 3, agreement 20%" "$home/told" || return 1
	for i in 0 1 2 3 4; do
		[ "$(grep -c '^{"id":"[sjv]","result":' "$home/member.$i")" = 3 ] &&
			[ "$(grep -c '^{"id":"[wr]","waited":' "$home/member.$i")" = 2 ] || return 1
	done
}

bad_lines_are_answered() {
	printf '%s\n' 'junk' '{"id":2}' '{"id":3,"method":7}' '{"id":4,"method":"server.ping"}' \
		'{"id":5,"method":"server.ping","params":[1]}' '{"id":6,"method":"room.get","params":{"room":1}}' |
		"$AYE" script >"$home/out"
	[ $? = 2 ] && cat "$home/out" && [ "$(wc -l <"$home/out")" = 6 ] &&
		[ "$(grep -c VALIDATION_ERROR "$home/out")" = 5 ] && grep -q '^{"id":4,"result":{"now":' "$home/out"
}

no_control_character_is_printed_raw() {
	printf '{"id":"a\\u007fb\\u0085c","method":"server.ping"}\n' | "$AYE" script >"$home/out" &&
		grep -q '^{"id":"a\\u007fb\\u0085c","result":' "$home/out"
}

a_wait_in_vain_is_told() {
	echo '{"id":1,"wait":{"method":"room.update"},"timeout_ms":20}' | "$AYE" script >"$home/out"
	[ $? = 4 ] && grep -q '^{"id":1,"error":{"code":"TIMED_OUT"' "$home/out"
}

many_requests_keep_their_answers() {
	local i
	for i in $(seq 1 2000); do
		echo '{"id":'"$i"',"method":"server.ping"}'
	done >"$home/many"
	"$AYE" script <"$home/many" >"$home/out" && [ "$(grep -c '"result"' "$home/out")" = 2000 ]
}

the_end_of_the_server_is_three() {
	mkfifo "$home/in"
	"$AYE" script <"$home/in" >"$home/out" & local script=$!
	exec 5>"$home/in"
	echo '{"id":1,"method":"server.ping"}' >&5
	until_true grep -q result "$home/out" || return 1
	kill -KILL "$server_pid"
	wait $script
	local code=$?
	exec 5>&-
	wait "$server_pid"
	[ "$code" = 3 ]
}

ada_is_back_with_her_vote() {
	"$AYE" room show "$code" | grep "^  Ada" | grep -v away | grep -q "has voted"
}

watchers_and_votes_come_back() {
	local code line
	start_server main || return 1
	code=$("$AYE" room create)
	mkfifo "$home/follow"
	"$AYE" watch "$code" >"$home/follow" 2>/dev/null & local watch=$!
	exec 6<"$home/follow"
	while read -r line <&6 && [ "${line#Room }" = "$line" ]; do :; done
	"$AYE" room vote "$code" 5 --name Ada --wait >"$home/ada" 2>/dev/null & local vote=$!
	while read -r line <&6 && [ "${line#Ada has voted}" = "$line" ]; do :; done
	kill -KILL "$server_pid"
	wait "$server_pid"
	start_server main || return 1
	until_true ada_is_back_with_her_vote || return 1
	"$AYE" room reveal "$code" || return 1
	wait $vote || return 1
	while read -r line <&6 && [ "$line" != "Revealed: Ada 5." ]; do :; done
	kill $watch
	wait $watch
	grep -q "Ada 5" "$home/ada" && [ "$line" = "Revealed: Ada 5." ]
}

claim "five members vote, see the reveal and the next round, and no vote before" five_play_a_round
claim "lines that are no requests are answered with their number" bad_lines_are_answered
claim "no control character of an answer is printed raw" no_control_character_is_printed_raw
claim "a wait that nothing fits ends in time, with 4" a_wait_in_vain_is_told
claim "two thousand requests get two thousand answers" many_requests_keep_their_answers
claim "a server that dies ends a script with 3" the_end_of_the_server_is_three
claim "after kill -9 of the server watchers and waiting votes come back" watchers_and_votes_come_back
