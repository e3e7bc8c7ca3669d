#!/bin/bash
# store_tls.sh - ayed --store rediss+sentinel:// and rediss+cluster://: with TLS to all servers and Sentinels, also to those that are named later; who is not vouched for is refused.
. "$(dirname "$0")/store_kit.bash"

trap 'end_servers 2>/dev/null; finish' EXIT
/usr/bin/python3 -W ignore "$(dirname "$0")/../support/certificates.py" "$home"
"$AYED" key new "$key" >/dev/null

starts() {
	start_ayed_at "$store?ca=$home/authority.crt$settings" && a_team_works && all_is_there
}
nobody_else_is_trusted() {
	refuses "verif" --store "$store?ca=$home/self.crt" --key-file "$key" && refuses "verif" --store "$store" --key-file "$key"
}
plain_is_refused() {
	refuses "127.0.0.1" --store "${store/rediss/redis}" --key-file "$key"
}
# The vote waits for the next master.
goes_on_with_another_master() {
	local room
	room=$(cat "$home/room")
	"$AYE" again "$room" >/dev/null && kill -9 "${pids[0]}" && "$AYE" vote "$room" 8 >/dev/null && "$AYE" reveal "$room" >/dev/null &&
		room_shows "$room" "ada 8" && "$AYE" settle "$room" 5 >/dev/null && all_is_there
}
ends() {
	end_ayed TERM
}

# With one replica for each master, changes would wait until the one that was killed is back.
for place in sentinel cluster; do
	begin_servers "$place" "$home"
	settings=
	[ "$place" = sentinel ] || settings="&replicas=0"
	claim "$place: it starts, and a team works" starts
	claim "$place: a master is killed, and the next one has the data" goes_on_with_another_master
	claim "$place: it ends" ends
	claim "$place: without the authority nobody is trusted" nobody_else_is_trusted
	claim "$place: without TLS nobody answers" plain_is_refused
	end_servers
	rm -rf "$home/state"
done
