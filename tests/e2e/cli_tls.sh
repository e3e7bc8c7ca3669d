#!/bin/bash
# cli_tls.sh - encrypted servers: by fingerprint, by authority, at the first contact; and pairs of certificate and key that are none.
. "$(dirname "$0")/cli_kit.bash"

# A claim runs in a shell of its own: what it has to know of the server, and leaves of it, is in a file.
known() {
	. "$home/server"
}

# A server that listens with TLS, on the port of the one before if there was one.
start_tls() { # NAME [ARGUMENT...]
	local name=$1 line
	shift
	rm -f "$home/$name.out"
	mkfifo "$home/$name.out"
	"$AYED" --data "$home/$name.data" --allow-root --listen "tls://127.0.0.1:${port:-0}" "$@" >"$home/$name.out" 2>>"$home/$name.log" &
	server_pid=$!
	read -r line <"$home/$name.out"
	address=${line#ready }
	port=$(sed 's/#.*//; s/.*://' <<<"$address")
	printf "server_pid=%s address='%s' port=%s\n" "$server_pid" "$address" "$port" >"$home/server"
	[[ $address == tls://* ]]
}

is_over() {
	! kill -0 "$server_pid" 2>/dev/null
}

stop_tls() {
	kill "$server_pid" && until_true is_over
}

# The first bits of the certificate's hash, 256 at most.
bits_of_the_certificate() { # BITS
	openssl s_client -connect "127.0.0.1:$port" </dev/null 2>/dev/null | openssl x509 -outform DER | openssl dgst -sha256 -binary |
		head -c "$(($1 / 8))" | base64 | tr -d '=\n'
}

the_fingerprint_is_the_certificates() {
	known
	local shown
	shown=$(bits_of_the_certificate 128)
	[ "${#shown}" = 22 ] && [ "${address#*#}" = "SHA256:$shown" ] && [ "$("$AYED" fingerprint "$home/own.data")" = "SHA256:$shown" ] &&
		[ "$(stat -c %a "$home/own.data/tls.pem")" = 600 ]
}

# How many connections a program makes to a server that never answers: the kernel takes them, and they are counted when it has ended.
connections_to_silence() { # PROGRAM ADDRESS-SUFFIX
	/usr/bin/python3 - "$@" <<-'END'
		import socket, subprocess, sys
		silent = socket.create_server(("127.0.0.1", 0))
		address = "tls://127.0.0.1:%d%s" % (silent.getsockname()[1], sys.argv[2])
		child = subprocess.run([sys.argv[1], "server", "ping", "--server", address, "--timeout", "0.2"],
		                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
		silent.setblocking(False)
		n = 0
		try:
		    while True:
		        silent.accept()
		        n += 1
		except BlockingIOError:
		    pass
		print(n, child.returncode, " ".join(child.stderr.decode().split()).replace(address, "ADDRESS"))
	END
}

silence_is_waited_for_once() {
	local said='1 3 aye: cannot reach ADDRESS: no answer in time' pin
	for pin in '' '#SHA256:AAAAAAAAAAAAAAAAAAAAAA' '#SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'; do
		[ "$(connections_to_silence "$AYE" "$pin" | tee /dev/stderr)" = "$said" ] || return 1
	done
}

# By the user of a directory that they may not write to; root may write everywhere.
a_fingerprint_needs_no_writing() {
	local place told as=()
	place=$(mktemp -d /tmp/aye-fingerprint-XXXXXX)
	cp "$AYED" "$place/ayed" && mkdir "$place/data" && cp "$home/own.data/tls.pem" "$place/data/" || return 1
	if [ "$(id -u)" = 0 ]; then
		as=(setpriv --reuid=54321 --regid=54321 --clear-groups)
		chown -R 54321:54321 "$place"
	fi
	chmod 500 "$place/data"
	told=$("${as[@]}" "$place/ayed" fingerprint "$place/data")
	chmod 700 "$place/data" && rm -r "$place"
	[ "$told" = "$("$AYED" fingerprint "$home/own.data")" ]
}

# Of what an address has behind it the short form and the whole one pin a server; nothing between them, and neither with another bit.
a_pin_has_two_lengths() {
	known
	local whole short bits last
	whole=$(bits_of_the_certificate 256)
	short=$(bits_of_the_certificate 128)
	"$AYE" server ping --server "${address%#*}#SHA256:$short" && "$AYE" server ping --server "${address%#*}#SHA256:$whole" || return 1
	for bits in 120 136 192 248; do
		ends_with 2 "$AYE" server ping --server "${address%#*}#SHA256:$(bits_of_the_certificate "$bits")" 2>&1 |
			grep -q 'SHA256: and 22 or 43 characters' || return 1
	done
	ends_with 2 "$AYE" server ping --server "${address%#*}#SHA256:${short%?}B" 2>/dev/null || return 1 # bits behind the 128
	[ "${short: -1}" = A ] && last=Q || last=A
	ends_with 3 "$AYE" server ping --server "${address%#*}#SHA256:${short%?}$last" 2>&1 | grep -q 'its certificate is' || return 1
	[ "${whole: -1}" = A ] && last=Q || last=A
	ends_with 3 "$AYE" server ping --server "${address%#*}#SHA256:${whole%?}$last" 2>&1 | grep -q 'its certificate is'
}

who_is_at() { # ADDRESS
	"$AYE" whoami --json --server "$1" | grep -o '"user_id":"[^"]*"'
}

# Who came by one form is the same user, in the same seat, by the other.
both_lengths_are_one_server() {
	known
	local whole code
	whole="${address%#*}#SHA256:$(bits_of_the_certificate 256)"
	"$AYE" login Ada --server "$address" && [ "$(who_is_at "$address")" = "$(who_is_at "$whole")" ] &&
		code=$("$AYE" new --server "$whole" | head -1) && "$AYE" vote "$code" 5 --server "$whole" &&
		"$AYE" vote "$code" 8 --server "$address" && [ "$("$AYE" room show "$code" --json --server "$address" | grep -o '"has_vote"' | wc -l)" = 1 ] &&
		"$AYE" logout --server "$whole" && ends_with 1 "$AYE" whoami --server "$address" 2>/dev/null &&
		[ -z "$("$AYE" server known)" ]
}

a_room_is_played() {
	known
	local code
	code=$("$AYE" new --server "$address" | head -1) &&
		"$AYE" vote "$code" 5 --name Ada --server "$address" &&
		"$AYE" reveal "$code" --name Ada --server "$address" && "$AYE" room show "$code" --server "$address" | grep -q 5
}

only_new_versions() {
	known
	! openssl s_client -tls1_1 -cipher 'ALL@SECLEVEL=0' -connect "127.0.0.1:$port" </dev/null >"$home/old" 2>&1 &&
		openssl s_client -tls1_2 -connect "127.0.0.1:$port" </dev/null 2>/dev/null | grep -q 'Protocol.*: TLSv1.2' &&
		openssl s_client -tls1_3 -connect "127.0.0.1:$port" </dev/null 2>/dev/null | grep -q TLSv1.3
}

another_fingerprint_is_refused() {
	known
	ends_with 3 "$AYE" server ping --server "${address%#*}#SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" 2>&1 |
		tr '\n' ' ' | grep -q "its certificate is ${address#*#}, not SHA256:AAAA.*ask its administrator for its address"
}

without_a_terminal_a_first_contact_is_refused() {
	known
	ends_with 3 "$AYE" server ping --server "${address%#*}" 2>&1 | tr '\n' ' ' | grep -qi "cannot verify its certificate, which is self-signed; .* $address" &&
		[ -z "$("$AYE" server known)" ]
}

a_no_sends_nothing() {
	known
	on_a_terminal "$AYE" server ping --server "${address%#*}" <<<n | grep -q 'not trusted: nothing was sent' &&
		[ -z "$("$AYE" server known)" ]
}

only_yes_is_a_yes() {
	known
	on_a_terminal "$AYE" server ping --server "${address%#*}" <<<'yesterday it was' | grep -q 'not trusted' && [ -z "$("$AYE" server known)" ]
}

home_asks_before_its_screen() {
	known
	AYE_SERVER=${address%#*} on_a_terminal "$AYE" <<<n | grep -q 'not trusted: nothing was sent' && [ -z "$("$AYE" server known)" ]
}

status_asks_nothing() {
	known
	! on_a_terminal "$AYE" status --server "${address%#*}" <<<'' | grep -q 'first time'
}

status_knows() { # CODE [ARGUMENT...]
	"$AYE" status "$@" --json | grep -q "\"server\":\"${address%#*}#SHA256:$(bits_of_the_certificate 256)\""
}

status_is_written() { # CODE
	[ -s "$(echo "$XDG_STATE_HOME"/aye/status/*-"$1".json)" ]
}

# By what somebody who follows the room writes down: a prompt waits 10 ms for the server, less than a handshake may take.
status_finds_the_room_of_a_noted_server() {
	known
	local code follower failed
	code=$("$AYE" new --server "${address%#*}" | head -1) || return 1
	"$AYE" join "$code" --name Ada --server "${address%#*}" </dev/null >"$home/lines.out" 2>&1 &
	follower=$!
	until_true status_is_written "$code" && status_knows "$code" --server "${address%#*}" && AYE_SERVER=${address%#*} status_knows "$code"
	failed=$?
	kill "$follower" && wait "$follower"
	return "$failed"
}

the_notes_are_json() {
	known
	"$AYE" server known --json | grep -qF "\"${address%#*}\":\"SHA256:$(bits_of_the_certificate 256)\""
}

# With that in the file of notes, on a state of its own.
with_notes() { # TEXT COMMAND...
	local text=$1
	shift
	mkdir -p -m 700 "$home/damaged/aye" && printf '%s' "$text" >"$home/damaged/aye/known_servers.json" && XDG_STATE_HOME=$home/damaged "$@"
}

damaged_notes_are_told() {
	known
	with_notes "{\"${address%#*}\": \"SHA256:short\"}" ends_with 3 "$AYE" server ping --server "${address%#*}" 2>&1 | tr '\n' ' ' |
		grep -q "known_servers.json.*not valid" &&
		with_notes '{"tls' "$AYE" server ping --server "${address%#*}" 2>&1 | grep -q 'known_servers.json' &&
		with_notes '{"tls' "$AYE" server known 2>&1 | grep -q 'known_servers.json'
}

a_short_note_will_do() {
	known
	with_notes "{\"${address%#*}\": \"${address#*#}\"}" "$AYE" server ping --server "${address%#*}" &&
		with_notes "{\"${address%#*}\": \"SHA256:AAAAAAAAAAAAAAAAAAAAAA\"}" ends_with 3 "$AYE" server ping --server "${address%#*}" 2>&1 |
		tr '\n' ' ' | grep -q "aye server forget 127.0.0.1:$port"
}

# The same where somebody vouches for the server, whose certificate would do without a note.
damaged_notes_send_nothing() {
	known
	local note code
	for note in '"SHA256:short"' '""' 7 null '{}'; do
		with_notes "{\"$address\": $note}" ends_with 3 env SSL_CERT_FILE="$home/vouched.crt" "$AYE" server ping --server "$address" >"$home/told" 2>&1
		code=$?
		cat "$home/told"
		[ "$code" = 0 ] && grep -q "known_servers.json: the fingerprint noted for $address is not valid" "$home/told" || return 1
	done
}

another_spelling_is_the_same_server() {
	known
	with_notes "{\"tls://localhost:$port\": \"${address#*#}\"}" "$AYE" server ping --server "tls://LOCALHOST:$port" &&
		[ "$(XDG_STATE_HOME=$home/damaged "$AYE" server known)" = "tls://localhost:$port  ${address#*#}" ]
}

an_ipv6_address_is_forgotten() {
	known
	with_notes "{\"tls://[::1]:2937\": \"${address#*#}\"}" "$AYE" server forget '[::1]:2937' &&
		[ -z "$(XDG_STATE_HOME=$home/damaged "$AYE" server known)" ]
}

a_yes_is_noted() {
	known
	on_a_terminal "$AYE" server ping --server "${address%#*}" <<<y | grep -q 'answers in' &&
		[ "$("$AYE" server known)" = "${address%#*}  ${address#*#}" ] && "$AYE" server ping --server "${address%#*}"
}

it_stays_over_a_restart() {
	known
	local before=$address
	stop_tls && start_tls own && [ "$address" = "$before" ] && "$AYE" server ping --server "${address%#*}"
}

a_server_set_up_anew_is_refused_until_it_is_forgotten() {
	known
	stop_tls && rm -r "$home/own.data" && start_tls own &&
		ends_with 3 "$AYE" server ping --server "${address%#*}" 2>&1 | tr '\n' ' ' |
		grep -q "its certificate is .*aye server forget 127.0.0.1:$port" &&
		"$AYE" server forget "127.0.0.1:$port" && on_a_terminal "$AYE" server ping --server "${address%#*}" <<<y | grep -q 'answers in'
}

plain_and_encrypted_say_so() {
	known
	local plain
	ends_with 3 "$AYE" server ping --server "tcp://127.0.0.1:$port" 2>&1 | tr '\n' ' ' | grep -q 'server uses TLS' &&
		mkfifo "$home/plain.out" || return 1
	"$AYED" --data "$home/plain.data" --allow-root --listen tcp://127.0.0.1:0 >"$home/plain.out" 2>>"$home/plain.log" &
	read -r _ plain <"$home/plain.out"
	ends_with 3 "$AYE" server ping --server "${plain/tcp/tls}" 2>&1 | tr '\n' ' ' | grep -q 'the data received is not TLS'
	local failed=$?
	kill "$!"
	return "$failed"
}

an_authority_vouches() {
	known
	make_pair vouched && stop_tls && port=0 && start_tls vouched --tls-cert "$home/vouched.crt" --tls-key "$home/vouched.key" &&
		[[ $address != *#* ]] && SSL_CERT_FILE=$home/vouched.crt "$AYE" server ping --server "$address" &&
		ends_with 3 "$AYE" server ping --server "$address" 2>&1 | grep -q 'cannot verify'
}

another_host_is_not_vouched_for() {
	known
	SSL_CERT_FILE=$home/vouched.crt ends_with 3 "$AYE" server ping --server "tls://localhost:$port" 2>&1 | tr '\n' ' ' |
		grep -q 'its certificate, which is for another hostname'
}

# Until the log of the server says so.
logged() { # PATTERN
	until_true grep -q "$1" "$home/vouched.log"
}

hangup_reads_the_files_again() {
	known
	local before after
	before=$(openssl s_client -connect "127.0.0.1:$port" </dev/null 2>/dev/null | openssl x509 -noout -serial)
	make_pair vouched && kill -HUP "$server_pid" && logged certificate_read &&
		after=$(openssl s_client -connect "127.0.0.1:$port" </dev/null 2>/dev/null | openssl x509 -noout -serial) &&
		[ "$before" != "$after" ] && echo broken >"$home/vouched.crt" && kill -HUP "$server_pid" &&
		logged 'certificate_kept.*cannot read the certificate' &&
		[ "$after" = "$(openssl s_client -connect "127.0.0.1:$port" </dev/null 2>/dev/null | openssl x509 -noout -serial)" ]
}

# The server does not start with that pair, and says this.
refused_with() { # CERTIFICATE KEY SENTENCE
	ends_with 1 "$AYED" --data "$home/bad.data" --allow-root --listen tls://127.0.0.1:0 --tls-cert "$1" --tls-key "$2" 2>&1 | tr '\n' ' ' |
		grep -q "$3"
}

bad_pairs_are_refused() {
	make_pair good && make_pair other && key=rsa:1024 make_pair small && cp "$home/good.key" "$home/open.key" &&
		chmod 644 "$home/open.key" && echo nothing >"$home/none" && chmod 600 "$home/none" &&
		refused_with "$home/good.crt" "$home/other.key" 'does not belong to the certificate' &&
		refused_with "$home/none" "$home/good.key" 'cannot read the certificate' &&
		refused_with "$home/good.crt" "$home/none" 'cannot read the key' &&
		refused_with "$home/missing" "$home/good.key" 'missing not found' &&
		refused_with "$home/small.crt" "$home/small.key" 'too small' &&
		refused_with "$home/good.crt" "$home/open.key" 'readable by other users' &&
		ends_with 2 "$AYED" --data "$home/bad.data" --allow-root --listen tls://127.0.0.1:0 --tls-cert "$home/good.crt" 2>&1 |
		grep -q 'go together'
}

# Nobody is asked about it, and neither a fingerprint nor a note makes up for the key: ayed takes no such key, so openssl(1) has it.
a_weak_key_is_refused_whatever_is_said() {
	local weak shown said out code=0
	key=rsa:1024 make_pair small && shown=$(openssl x509 -in "$home/small.crt" -outform DER | openssl dgst -sha256 -binary | base64 | tr -d =) || return 1
	mkfifo "$home/weak.out"
	openssl s_server -accept 127.0.0.1:0 -cert "$home/small.crt" -key "$home/small.key" -cipher 'DEFAULT@SECLEVEL=0' -www >"$home/weak.out" 2>"$home/weak.log" </dev/null &
	exec {out}<"$home/weak.out"
	while read -r said weak <&"$out" && [ "$said" != ACCEPT ]; do :; done
	weak=tls://$weak
	ends_with 3 on_a_terminal "$AYE" server ping --server "$weak" <<<y >"$home/told" 2>&1 && ! grep -q 'first time\|Trust this server' "$home/told" &&
		grep -q "key" "$home/told" && [ -z "$("$AYE" server known | grep -F "$weak")" ] &&
		ends_with 3 "$AYE" server ping --server "$weak#SHA256:$shown" >"$home/told" 2>&1 &&
		with_notes "{\"$weak\": \"SHA256:$shown\"}" ends_with 3 "$AYE" server ping --server "$weak" >"$home/told" 2>&1 || code=1
	cat "$home/told" "$home/weak.log"
	kill "$!" 2>/dev/null
	return "$code"
}

# At once, not with what the server sends next: it has nothing to send.
a_new_hello_is_answered() {
	known
	stop_tls && port=0 && start_tls small --limit hello_ms=600000 || return 1
	mkfifo "$home/typed"
	exec 3<>"$home/typed"
	echo R >&3
	timeout 10 openssl s_client -tls1_2 -connect "127.0.0.1:$port" <&3 2>&1 | grep -q 'no renegotiation'
}

# Connections that say nothing, more than there is room for, and then one that speaks: the first ones have ended.
half_handshakes_are_connections() {
	known
	local i half halves=()
	stop_tls && port=0 && start_tls full --limit connections=8 --limit handshake_ms=600000 --limit handshake_first_byte_ms=600000 || return 1
	for ((i = 0; i < 100; i++)); do
		exec {half}<>"/dev/tcp/127.0.0.1/$port"
		halves+=("$half")
	done
	"$AYE" server ping --server "$address" || return 1
	for ((i = 0; i < 90; i++)); do
		read -r -t 60 -n 1 -u "${halves[i]}"
		[ $? = 1 ] || return 1 # the end of the file, and not of our patience
	done
}

port=
claim "a server without files makes itself a certificate, and says its fingerprint" start_tls own
claim "the fingerprint is that of the certificate it shows" the_fingerprint_is_the_certificates
claim "the fingerprint of a directory that cannot be written to is said" a_fingerprint_needs_no_writing
claim "a pin of 128 bits lets in, one of 256, and no other" a_pin_has_two_lengths
claim "a server that does not answer is waited for once, however it is pinned" silence_is_waited_for_once
claim "by a short pin and by a whole one somebody is the same user" both_lengths_are_one_server
claim "a room is made, voted in and shown" a_room_is_played
claim "TLS 1.2 and 1.3, and nothing before" only_new_versions
claim "a server with another fingerprint is refused" another_fingerprint_is_refused
claim "without a terminal a first contact is refused, with the address that would do" without_a_terminal_a_first_contact_is_refused
claim "a no sends nothing and notes nothing" a_no_sends_nothing
claim "a word that begins like a yes is none" only_yes_is_a_yes
claim "home asks before its screen opens" home_asks_before_its_screen
claim "a prompt asks nothing" status_asks_nothing
claim "a yes is noted, and not asked for again" a_yes_is_noted
claim "what is noted is told as JSON" the_notes_are_json
claim "a prompt finds the room of a server that is noted" status_finds_the_room_of_a_noted_server
claim "damaged notes are told" damaged_notes_are_told
claim "what ayed fingerprint prints may be noted by hand" a_short_note_will_do
claim "a noted server is found however its address is written" another_spelling_is_the_same_server
claim "a server with an IPv6 address is forgotten" an_ipv6_address_is_forgotten
claim "the certificate stays over a restart" it_stays_over_a_restart
claim "a server that was set up anew is refused until it is forgotten" a_server_set_up_anew_is_refused_until_it_is_forgotten
claim "an encrypted server met without TLS is named as one" plain_and_encrypted_say_so
claim "an authority vouches for a server; without it nobody does" an_authority_vouches
claim "a damaged note of a server that is vouched for sends nothing" damaged_notes_send_nothing
claim "nor for another name" another_host_is_not_vouched_for
claim "SIGHUP reads the files again, and a bad pair keeps the old one" hangup_reads_the_files_again
claim "pairs that are none are refused with their reason" bad_pairs_are_refused
claim "a weak key is refused whatever is said of it" a_weak_key_is_refused_whatever_is_said
claim "a second handshake is refused at once" a_new_hello_is_answered
claim "half handshakes count among the connections, and make room again" half_handshakes_are_connections
known
stop_tls
