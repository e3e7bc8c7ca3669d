#!/bin/bash
# key_file.sh - ayed key: the key of servers that share their data, made once, shown by its check value alone.
. "$(dirname "$0")/cli_kit.bash"

key=$home/key
makes_a_key() {
	"$AYED" key new "$key" >"$home/new" && [ "$(stat -c '%a %s' "$key")" = "600 32" ] &&
		[ "$(wc -c <"$home/new")" = 44 ] && [ "$(ls "$home"/key*)" = "$key" ]
}
shows_the_same() {
	"$AYED" key show "$key" | cmp - "$home/new"
}
shows_no_byte_of_it() {
	! grep -qF "$(base64 <"$key" | tr '+/' '-_' | tr -d '=')" "$home/new" &&
		! grep -qi "$(od -An -tx1 <"$key" | tr -d ' \n')" "$home/new"
}
another_has_another_value() {
	"$AYED" key new "$home/other" >"$home/of_other" && ! cmp -s "$home/new" "$home/of_other"
}
keeps_what_is_there() {
	cp "$key" "$home/before"
	ends_with 1 "$AYED" key new "$key" 2>"$home/err" && grep -q "exists already" "$home/err" && cmp "$key" "$home/before"
}
one_of_a_data_directory() {
	start_server data && "$AYED" key show "$home/data.data/server.key" >"$home/of_data" && [ "$(wc -l <"$home/of_data")" = 1 ]
}
says_what_is_wrong() {
	ends_with 1 "$AYED" key show "$home/none" 2>"$home/err" && grep -q "not found; .ayed key new" "$home/err" || return 1
	head -c 31 "$key" >"$home/short" && chmod 600 "$home/short"
	ends_with 1 "$AYED" key show "$home/short" 2>"$home/err" && grep -q "damaged" "$home/err" || return 1
	cp "$key" "$home/open" && chmod 644 "$home/open"
	ends_with 1 "$AYED" key show "$home/open" 2>"$home/err" && grep -q "open to other users; .chmod 600" "$home/err" || return 1
	ends_with 1 "$AYED" key lose "$key" 2>"$home/err" && grep -q "new or show, not 'lose'" "$home/err" || return 1
	ends_with 2 "$AYED" key new 2>"$home/err" && grep -q "needs new|show FILE" "$home/err"
}

claim "a key is made, for its owner alone, and its check value printed" makes_a_key
claim "show prints the same" shows_the_same
claim "neither prints the key" shows_no_byte_of_it
claim "another key has another value" another_has_another_value
claim "a key that is there is kept" keeps_what_is_there
claim "the key of a data directory has one, too" one_of_a_data_directory
claim "what is wrong is said, with what to do" says_what_is_wrong
