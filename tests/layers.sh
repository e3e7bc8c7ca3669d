#!/bin/bash
# layers.sh - check that no file includes what its layer may not know.
#
# The rules are one line each, below. For every rule two tests are reported, in
# TAP: the tree keeps it, and a file that breaks it, planted into a copy of the
# tree, is found (a rule that finds nothing anywhere would prove nothing).
set -eu
cd "$(dirname "$0")/.."

pure='proto/* server/core/* server/domain/* server/web/* store/items.[ch] store/store.h store/redis/* client/model/* client/formats/* client/acts/* client/mcp/* client/tui/*'
outside='uv|lmdb|curses|ncursesw?/.*|unistd|fcntl|poll|signal|pthread|time|sys/.*|netinet/.*|arpa/.*|netdb|termios'
calls='getenv|secure_getenv|rand|srand|random|srandom|getrandom|randombytes_[a-z]+|time|clock|clock_gettime|gettimeofday|system|popen|exit|abort'

# claim ; files ; files left out ; what must not stand in them ; planted file ; planted line
rules() {
	cat <<-END
	only the nets know libuv ; proto/* store/* server/* client/* ; server/net/* client/net/* client/app/* ; #include <uv ; store/plant.c ; #include <uv.h>
	only the web knows HTTP and WebSockets ; proto/* store/* server/* client/* ; server/web/* ; #include <(http_parser|wslay) ; server/net/plant.c ; #include <wslay/wslay.h>
	only proto/tls knows OpenSSL ; proto/* store/* server/* client/* ; proto/tls/* ; #include <openssl ; server/net/plant.c ; #include <openssl/ssl.h>
	TLS is for the nets alone ; proto/* store/* server/* client/* ; proto/tls/* server/net/* server/cli/* client/net/* ; #include "proto/tls/ ; server/core/plant.c ; #include "proto/tls/tls.h"
	only the LMDB engine knows LMDB ; proto/* store/* server/* client/* ; store/*_lmdb.[ch] ; #include <lmdb ; server/net/plant.c ; #include <lmdb.h>
	only the codec of Redis knows hiredis ; proto/* store/* server/* client/* ; store/redis/link/redis_codec.c ; #include <hiredis ; store/redis/plant.c ; #include <hiredis/hiredis.h>
	only the curses files know curses ; proto/* store/* server/* client/* ; client/tui/*_curses.c ; #include <(n?curses|term\.h) ; client/tui/plant.c ; #include <curses.h>
	only the widget of QR codes knows libqrencode ; proto/* store/* server/* client/* ; client/tui/widgets/qr.c ; #include <qrencode ; client/tui/room/plant.c ; #include <qrencode.h>
	pure layers know no system ; $pure ; client/tui/*_curses.[ch] proto/base/assert.c ; #include <($outside)\.h> ; server/domain/plant.c ; #include <sys/socket.h>
	pure layers know no stdio ; $pure ; client/tui/*_curses.[ch] proto/base/format.c ; #include <stdio\.h> ; client/model/plant.c ; #include <stdio.h>
	pure layers ask for no time, chance or environment ; $pure ; client/tui/*_curses.[ch] proto/base/assert.[ch] ; (^|[^a-zA-Z0-9_.>])($calls)\( ; server/core/plant.c ; 	return getenv("X")
	proto knows only itself ; proto/* ; - ; #include "(store|server|client|tests)/ ; proto/plant.h ; #include "store/items.h"
	the store knows only proto ; store/* ; - ; #include "(server|client|tests)/ ; store/plant.c ; #include "server/core/server.h"
	the domain knows only proto and the store's types ; server/domain/* ; - ; #include "(server/(core|net|cli)/|store/([a-z]+/|store_|engine|kv|apply|read|index)|client/|tests/) ; server/domain/plant.c ; #include "server/core/server.h"
	the core knows no engine and no net ; server/core/* ; - ; #include "(server/(net|cli)/|store/([a-z]+/|store_|engine|kv|apply|read|index)|client/|tests/) ; server/core/plant.c ; #include "store/lmdb/store_lmdb.h"
	the core knows of rooms only their public header ; server/core/* ; - ; #include "server/domain/room/([^r]|r[^o]|ro[^o]|roo[^m]|room[^.]) ; server/core/plant.c ; #include "server/domain/room/room_state.h"
	the web knows only proto ; server/web/* ; - ; #include "(server/(core|domain|net|cli)/|store/|client/|tests/|proto/tls/) ; server/web/plant.c ; #include "server/core/server.h"
	the server never knows the client ; server/* ; - ; #include "(client|tests)/ ; server/net/plant.c ; #include "client/model/room/replica.h"
	the client never knows the server ; client/* ; - ; #include "(server|store|tests)/ ; client/cli/plant.c ; #include "server/core/counters.h"
	the ground of proto knows only itself ; proto/base/* ; - ; #include "(proto/(text|keys|records|tls|[a-z_]+\.h)) ; proto/base/plant.c ; #include "proto/text/text.h"
	texts know only the ground ; proto/text/* ; - ; #include "(proto/(keys|records|tls|[a-z_]+\.h)) ; proto/text/plant.c ; #include "proto/records/record.h"
	keys know only the ground ; proto/keys/* ; - ; #include "(proto/(text|records|tls|[a-z_]+\.h)) ; proto/keys/plant.c ; #include "proto/records/record.h"
	records know no methods ; proto/records/* ; - ; #include "(proto/(tls|[a-z_]+\.h)) ; proto/records/plant.c ; #include "proto/methods.h"
	what features share knows no feature ; server/domain/base/* ; - ; #include "(server/domain/(room|session|question|team)/) ; server/domain/base/plant.c ; #include "server/domain/team/team.h"
	the directory's half of the core knows no rooms ; server/core/txn/* ; - ; #include "(server/(core/rooms/|domain/room/)) ; server/core/txn/plant.c ; #include "server/core/rooms/room_partition.h"
	the rooms' half of the core knows no directory ; server/core/rooms/* ; - ; #include "(server/(core/txn/|domain/(directory|txn|session/))) ; server/core/rooms/plant.c ; #include "server/core/txn/topic.h"
	the nets and connections know no command line ; server/core/conns/* server/net/* ; - ; #include "(server/cli/) ; server/net/plant.c ; #include "server/cli/options.h"
	the model knows only proto ; client/model/* ; - ; #include "(client/(formats|acts|tui|lines|cli|state|kiosk|mcp|net|app)/) ; client/model/plant.c ; #include "client/tui/widgets/grid.h"
	the copy of a room knows no lists ; client/model/room/* ; - ; #include "(client/model/(lists|questions)/) ; client/model/room/plant.c ; #include "client/model/lists/teams.h"
	lists know no rooms and no questions ; client/model/lists/* ; - ; #include "(client/model/(room|questions)/) ; client/model/lists/plant.c ; #include "client/model/room/replica.h"
	questions know no rooms and no lists ; client/model/questions/* ; - ; #include "(client/model/(room|lists)/) ; client/model/questions/plant.c ; #include "client/model/room/replica.h"
	what is read and written knows only the model ; client/formats/* ; - ; #include "(client/(acts|tui|lines|cli|state|kiosk|mcp|net|app)/) ; client/formats/plant.c ; #include "client/acts/narrate.h"
	what people may type knows only the model ; client/acts/* ; - ; #include "(client/(tui|lines|cli|state|kiosk|mcp|net|app)/) ; client/acts/plant.c ; #include "client/tui/widgets/grid.h"
	what speaks with agents knows only the model ; client/mcp/* ; - ; #include "(client/(formats|acts|tui|lines|cli|state|kiosk|net|app)/) ; client/mcp/plant.c ; #include "client/net/event.h"
	screens know only the model and what is typed ; client/tui/* ; - ; #include "(client/(lines|cli|state|kiosk|mcp|net|app)/) ; client/tui/plant.c ; #include "client/net/link.h"
	widgets know no screen ; client/tui/widgets/* ; - ; #include "(client/tui/(room|views|curses|[a-z_]+\.h)) ; client/tui/widgets/plant.c ; #include "client/tui/tui.h"
	the terminal knows no view ; client/tui/curses/* ; - ; #include "(client/tui/(room|views)/|client/tui/tui_state) ; client/tui/curses/plant.c ; #include "client/tui/views/views.h"
	the client's net knows no screens ; client/net/* ; - ; #include "(client/(tui|lines|cli|state|kiosk|mcp|app)/) ; client/net/plant.c ; #include "client/tui/widgets/grid.h"
	what joins screen and network knows no verbs ; client/app/* ; - ; #include "(client/(lines|cli|state|kiosk|mcp)/) ; client/app/plant.c ; #include "client/cli/verbs.h"
	what is kept between runs knows no verbs ; client/state/* ; - ; #include "(client/(tui|lines|cli|kiosk|mcp|app)/) ; client/state/plant.c ; #include "client/cli/verbs.h"
	lines know no other verbs ; client/lines/* ; - ; #include "(client/cli/(rooms|people)/) ; client/lines/plant.c ; #include "client/cli/rooms/create_room.h"
	the kiosk knows no other verbs ; client/kiosk/* ; - ; #include "(client/(cli/(rooms|people)|lines)/) ; client/kiosk/plant.c ; #include "client/lines/lines_room.h"
	what prints knows no verb of its own ; client/cli/output/* ; - ; #include "(client/(cli/(rooms|people)|lines|app|kiosk)/) ; client/cli/output/plant.c ; #include "client/cli/rooms/create_room.h"
	the way to a server knows no verb of its own ; client/cli/reach/* ; - ; #include "(client/(cli/(rooms|people)|lines|app)/) ; client/cli/reach/plant.c ; #include "client/cli/rooms/create_room.h"
	END
}

trim() {
	local text=$1
	text=${text#"${text%%[![:blank:]]*}"}
	printf '%s' "${text%"${text##*[![:blank:]]}"}"
}

# Is the file one of these patterns? A star matches slashes too.
is_among() {
	local file=$1 pattern
	shift
	for pattern in "$@"; do
		# shellcheck disable=SC2053
		if [[ $file == $pattern ]]; then
			return 0
		fi
	done
	return 1
}

# offenders ROOT FILES LEFT_OUT REGEX: the lines that break a rule. Comments do not count.
offenders() (
	set -f
	cd "$1"
	meant=()
	while read -r file; do
		if is_among "$file" $2 && ! is_among "$file" $3; then
			meant+=("$file")
		fi
	done < <(find proto store server client -name '*.[ch]' | sort)
	grep -nE -e "$4" /dev/null "${meant[@]}" | grep -vE '^[^:]*:[0-9]+:[[:blank:]]*(/?\*|//)' || true
)

# A directory of the domain is a feature; its files include no other feature's. What joins them are directory.c and directory_user.c.
feature_offenders() (
	cd "$1"
	for feature in server/domain/*/; do
		grep -rnE --include='*.[ch]' '#include "server/domain/[a-z_]+/' /dev/null "$feature" |
			grep -v -e "#include \"$feature" -e '#include "server/domain/base/' || true
	done
	grep -nE '#include "server/domain/[a-z_]+/' /dev/null server/domain/*.[ch] |
		grep -vE '^server/domain/directory(_user)?\.c:|"server/domain/base/' || true
)

n=0
failed=0
say() { # CLAIM OK EVIDENCE
	n=$((n + 1))
	if [ "$2" = yes ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$3" | sed 's/^/# /'
		failed=1
	fi
}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r proto store server client "$copy"

while IFS= read -r line; do
	IFS=';' read -r claim files left_out regex plant planted <<<"$line"
	claim=$(trim "$claim")
	regex=$(trim "$regex")
	plant=$(trim "$plant")
	found=$(offenders . "$files" "$left_out" "$regex")
	say "$claim" "$([ -z "$found" ] && echo yes || echo no)" "$found"
	printf '%s\n' "$planted" >"$copy/$plant"
	found=$(offenders "$copy" "$files" "$left_out" "$regex")
	say "a breach is found: $claim" "$([[ $found == *"$plant"* ]] && echo yes || echo no)" "not seen in $plant:$planted"
	rm "$copy/$plant"
done < <(rules)

found=$(feature_offenders .)
say "features do not know each other" "$([ -z "$found" ] && echo yes || echo no)" "$found"
echo '#include "server/domain/room/room.h"' >"$copy/server/domain/session/plant.c"
found=$(feature_offenders "$copy")
say "a breach is found: features do not know each other" "$([[ $found == *plant.c* ]] && echo yes || echo no)" "not seen"

echo "1..$n"
exit $failed
