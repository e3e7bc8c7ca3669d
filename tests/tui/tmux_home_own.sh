#!/bin/bash
# tmux_home_own.sh - home on a fresh machine: nothing is configured, no server
# runs, and aye starts one of its own, again and again if need be.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_home_own.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

# The private server of ada, by process id.
own_server() {
	servers_of "$dir/ada"
}
end_own_server() {
	local pid
	for pid in $(own_server); do
		kill "$1" "$pid" && tail --pid="$pid" -f /dev/null
	done
}
has_own_server() {
	[ -n "$(own_server)" ]
}
until_own_server() {
	retried has_own_server || { echo "# no server was started"; false; }
}
finish_all() {
	mux kill-server 2>/dev/null
	end_own_server -KILL
	finish
}
trap finish_all EXIT

echo 1..6
unset AYE_SERVER
export XDG_RUNTIME_DIR=$dir/run
mkdir -m 700 "$XDG_RUNTIME_DIR"

enter ada 80 24
until_shown ada 'aye · Home' '● live' 'your own server' 'c  create a room'
told $? 'aye alone finds nobody, and starts a server'

hit ada c && until_shown ada 'Title [none]:' && hit ada Sprint Enter 1
until_shown ada 'aye · Sprint' '1 here' 'you ★'
told $? 'a room is made on it'

end_own_server -KILL
until_own_server && until_shown ada '1 here' '● live' && hit ada 5 &&
	until_shown ada 'Revealed · round 1' 'average 5'
told $? 'where it ends in the middle of a round, it is there again'

hit ada q && until_shown ada 'aye · Home' '> ' 'Sprint ★' && end_own_server -KILL
until_own_server && until_shown ada '● live' && hit ada Enter && until_shown ada 'aye · Sprint' '1 here'
told $? 'so it is at home'

hit ada : && typed ada 'share 127.0.0.1:0' && until_shown ada 'Shared. Press I' && hit ada q &&
	until_shown ada 'aye · Home' 'your own server, shared at 127.0.0.1:' && hit ada : && typed ada unshare &&
	until_shown ada 'aye · Home' 'Sharing stopped: only this machine can join' && until_hidden ada 'shared at' &&
	hit ada : && typed ada unshare && until_shown ada 'Your server is not shared' && hit ada Escape && until_hidden ada ':unshare' && hit ada Enter && until_shown ada '1 here'
told $? 'home says where it is shared, and stops that'

hit ada q && until_shown ada 'aye · Home' && hit ada q
until_shown ada 'ada left with 0' && is_restored ada
told $? 'leaving home ends aye, and the terminal is as before'
exit "$failed"
