#!/bin/bash
# tmux_teams.sh - teams in real tmux: made, joined by an invitation, with a backlog that is filled, sorted, estimated
# in a room of the team and found with its estimates; at 80x24 and 40x12, with a real server that goes and comes back.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_teams.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

echo 1..18
serve

for person in ada grace; do
	as "$person" login "$person" >/dev/null
done

enter ada 80 24
until_shown ada 'Logged in as ada' 'T teams' && hit ada T && until_shown ada "> ada's team"
told $? 'home leads to the teams, of which there is a first one'

hit ada a && until_shown ada 'Team name:' && typed ada 'Platform' && until_shown ada 'Platform · owner' '[Rooms]' 'No rooms yet'
told $? 'a team is made, and opens'

hit ada I && until_shown ada 'Duration: 24h' && typed ada '7d 1' && until_shown ada 'Send this command' 'aye team join' 'Valid for 7 days' &&
	code=$(screen ada | grep -o 'aye team join [A-Z0-9-]*' | cut -d ' ' -f 4) && [ "${#code}" -eq 24 ]
told $? 'an invitation is made, and its code shown'

hit ada Escape && until_shown ada '[Invitations]' 'valid for 7 days' '1 use left' && until_hidden ada "$code"
told $? 'the list of invitations has no code'

enter grace 40 12
until_shown grace 'Logged in as grace' && hit grace T && until_shown grace "> grace's team" && hit grace j &&
	until_shown grace 'Invitation code:' && typed grace "aye team join $code" && until_shown grace 'Platform · member' '[Rooms]'
told $? 'one comes in by the line that was sent'

hit grace Tab Tab && until_shown grace '[Members]' 'ada' 'grace (you)' && hit grace d && until_shown grace 'Only team owners can do that'
told $? 'members are listed, and may not remove others'

hit ada Left && until_shown ada '[Members]' && hit ada r && hit ada Escape && hit ada Enter Tab && until_shown ada '[Backlogs]' 'Backlog' '0 items' &&
	hit ada e && until_shown ada 'Backlog name:' && typed ada 'Sprint' && until_shown ada '> Sprint' && hit ada Enter && until_shown ada 'Empty. Press a'
told $? 'its first backlog gets another name'

hit ada a && until_shown ada 'New item:' && typed ada 'Refund a split payment' && until_shown ada '1 item' && typed ada 'Milk' && until_shown ada '2 items' &&
	typed ada 'Export' && until_shown ada '3 items' && hit ada Escape && until_shown ada 'e change'
told $? 'items are added one after the other'

hit ada Home Right e && until_shown ada 'Quantity:' && typed ada 5 && hit ada Right e && until_shown ada 'Unit:' && typed ada points &&
	until_shown ada '5  points' && hit ada Left + && until_shown ada 'is estimated at 5. Change it?' && hit ada y && until_shown ada 'estimate' ' 6' && hit ada e && until_shown ada 'Quantity: 6' && typed ada 1.005 &&
	until_shown ada 'more than two decimals' && hit ada Escape && until_shown ada 'estimate' ' 6'
told $? 'fields are changed in their place, and what is no quantity is refused there'

hit ada Enter && until_shown ada 'Note · Refund' && hit ada 'Two cards' Enter 'and a voucher' C-s && until_shown ada 'Two cards' 'and a voucher' 'Enter open'
told $? 'a note of several lines stands below the table'

hit ada Left z && until_shown ada 'by name' && hit ada z && until_shown ada 'descending' && hit ada z && until_hidden ada 'by name' &&
	hit ada / && typed ada milk && until_shown ada 'Filter: milk · 1 of 3' && until_hidden ada 'Export' && hit ada Escape && until_shown ada 'Export'
told $? 'the table is sorted by the field under the cursor, and filtered'

kill -KILL "$server" && wait "$server" 2>/dev/null
until_shown ada 'connection lost' && hit ada Down Down d && until_shown ada 'Delete Export?' && hit ada y && until_shown ada 'Not connected. This is sent on reconnect' &&
	rm -f "$dir/ready" && serve && until_shown ada '2 items' && until_hidden ada 'Export'
told $? 'what is changed without a connection is done once it is back'

hit ada Escape && hit ada Left && until_shown ada '[Rooms]' && hit ada a && until_shown ada 'Title [none]:' && typed ada 'Sprint 42' &&
	until_shown ada 'Cards of the new room' 'The team keeps the deck you choose' && hit ada 1 &&
	until_shown ada 'New rooms of the team start with this' '> Create the room' 'guesstimator' && hit ada Down Down Enter && until_shown ada 'Link of a story:' &&
	typed ada 'https://example.org/{key}' && until_shown ada 'none' 'https://example.org/{key}' && hit ada Home Enter && until_shown ada '1 here' 'Sprint 42' &&
	hit ada T && until_shown ada '> Platform' '0 of 1 voted' && hit ada Escape && until_shown ada 'your card' && hit ada S && until_shown ada 'Press b to add them from a backlog' && hit ada b && until_shown ada 'Backlogs · Platform' '> Sprint' && hit ada Enter &&
	until_shown ada '> Refund' 'b as story' && hit ada b && until_shown ada '+Refund' && hit ada Escape Escape && until_shown ada '1  Refund a split payment'
told $? 'in a room of the team an item becomes a story'

hit grace Left Left && until_shown grace '[Rooms]' && hit grace Escape && until_shown grace '> Platform' && hit grace Enter && until_shown grace 'Sprint 42' '1 here' &&
	hit grace Enter && until_shown grace '2 here' && until_shown ada '0 of 2 voted'
told $? 'the team lists its rooms with how many are there, and a member goes in'

hit ada V && until_shown ada 'Refund a split payment' 'waiting' && until_shown grace '1/1  Refund' && hit ada 8 && hit grace 8 && until_shown ada 'Revealed' '= settle' &&
	hit ada = && until_shown ada 'Summary' && hit ada Escape && until_shown ada 'settled' && hit ada q && hit ada y && until_shown ada 'aye · Home' && hit ada T && until_shown ada '> Platform' && hit ada Enter && until_shown ada '[Rooms]' &&
	hit ada Tab && until_shown ada '> Sprint' && hit ada Enter && until_shown ada 'Refund' 'estimate' ' 8' && hit ada C-c && until_shown ada 'ada left with 0' && is_restored ada
told $? 'what the room has settled stands in the backlog'

enter ada-3 80 24
until_shown ada-3 'T teams' && hit ada-3 T && until_shown ada-3 '> Platform' && hit ada-3 Enter && until_shown ada-3 '[Rooms]' 'Sprint 42' && hit ada-3 a &&
	until_shown ada-3 'Title [none]:' && typed ada-3 'Sprint 43' && until_shown ada-3 'Sprint 43' 'your card' && hit ada-3 F && until_shown ada-3 'Estimate:' && typed ada-3 8 &&
	until_shown ada-3 '8 was: Refund a split payment' && hit ada-3 F && until_shown ada-3 'Estimate:' && typed ada-3 3 && until_shown ada-3 "No story of the team's other rooms has 3" &&
	hit ada-3 T && until_shown ada-3 '> Platform' && hit ada-3 Enter && until_shown ada-3 '> ' 'Sprint 43' && hit ada-3 Enter && until_shown ada-3 'your card'
told $? 'in another room of the team the stories with an estimate are found, and its row leads back to it'

hit ada-3 q && until_shown ada-3 'aye · Home' && hit ada-3 T && until_shown ada-3 '> Platform' && hit ada-3 a && until_shown ada-3 'Team name:' && typed ada-3 'Quick' && until_shown ada-3 'No rooms yet' &&
	hit ada-3 a && until_shown ada-3 'Title [none]:' && typed ada-3 'At once' && until_shown ada-3 'Cards of the new room' && hit ada-3 4 Enter && until_shown ada-3 'At once' '1 here' 'XXL' &&
	[[ $(as ada team settings Quick) == *deck=tshirt* ]]
told $? 'a room that is made before its deck is kept has that deck all the same'

kill "$server" && wait "$server"
LC_ALL=C sed -i 's/Sprint 42/Sprunt 42/g' "$dir/data/data.mdb"
rm -f "$dir/ready"
serve
enter ada-2 80 24
until_shown ada-2 'T teams' && hit ada-2 T && until_shown ada-2 'Platform' && hit ada-2 / && typed ada-2 Platform && until_shown ada-2 '1 of 2' '> Platform' && hit ada-2 Enter &&
	until_shown ada-2 'Platform · owner' 'Some entries are damaged on the server'
told $? 'a list of rooms of which one is damaged says so'
exit "$failed"
