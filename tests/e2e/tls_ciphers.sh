#!/bin/bash
# tls_ciphers.sh - what the server's TLS agrees to: versions, suites, compression, renegotiation, tickets, protocols.
#
# The expectations are those of testssl.sh, for a server with the certificate that it makes
# itself (ECDSA) and with one of RSA.
. "$(dirname "$0")/cli_kit.bash"

hellos() {
	/usr/bin/python3 "$(dirname "$0")/../support/tls_hellos.py" "$port"
}

start() { # NAME [ARGUMENT...]
	local name=$1 line
	shift
	mkfifo "$home/$name.out"
	"$AYED" --data "$home/$name.data" --allow-root --listen tls://127.0.0.1:0 "$@" >"$home/$name.out" 2>"$home/$name.log" &
	read -r line <"$home/$name.out"
	port=$(sed 's/#.*//; s/.*://' <<<"$line")
	printf '%s' "${line#ready }" >"$home/address"
	hellos >"$home/$name.agreed" && cat "$home/$name.agreed"
}

# Those, and no more.
agrees_to() { # NAME KIND WORD...
	local name=$1 kind=$2
	shift 2
	diff <(printf '%s\n' "$@" | sort) <(sed -n "s/^$kind //p" "$home/$name.agreed" | sort)
}

agrees_to_none() { # NAME KIND
	! grep "^$2 " "$home/$1.agreed"
}

session() { # FILE ARGUMENT...
	local out=$1
	shift
	openssl s_client -connect "127.0.0.1:$port" "$@" </dev/null >"$out" 2>&1
}

# The ticket that the first connection is given is enough for the second.
# With TLS 1.2 the ticket is there before what has been agreed to is printed, with 1.3 behind it.
has_a_ticket() {
	grep -qs '^New, ' "$home/first" && grep -qs '^-----END SSL SESSION' "$home/session"
}

resumes() { # VERSION_OPTION
	rm -f "$home/first" "$home/session" "$home/typed"
	mkfifo "$home/typed"
	exec 6<>"$home/typed"
	openssl s_client -connect "127.0.0.1:$port" "$1" -sess_out "$home/session" <&6 >"$home/first" 2>&1 &
	until_true has_a_ticket && kill "$!"
	exec 6<&-
	session "$home/second" "$1" -sess_in "$home/session"
	grep -q '^Reused, ' "$home/second"
}

chooses_its_protocol() {
	session "$home/alpn" -alpn h2,aye && grep -q '^ALPN protocol: aye$' "$home/alpn"
}

refuses_other_protocols() {
	! session "$home/alpn" -alpn h2,http/1.1 && grep -q 'no application protocol' "$home/alpn"
}

needs_no_protocol() {
	session "$home/alpn" && grep -q '^No ALPN negotiated' "$home/alpn"
}

port=
claim "a server with its own certificate is asked" start own
port=$(sed 's/#.*//; s/.*://' "$home/address")
# promise: strong-tls
claim "it agrees to TLS 1.2 and 1.3, and not to SSL 3, TLS 1.0 and 1.1" agrees_to own version 0x0303 0x0304
# ECDHE-ECDSA with AES128-GCM, AES256-GCM, CHACHA20-POLY1305: not NULL, anonymous, EXPORT, RC4, 3DES, CBC, nor without forward secrecy.
claim "of all suites to those with forward secrecy and authenticated encryption" agrees_to own suite 0xc02b 0xc02c 0xcca9
claim "to no compression" agrees_to_none own compression
claim "to secure renegotiation, of which there is none: cli_tls.sh" agrees_to own renegotiation secure
claim "a session of TLS 1.2 is taken up again by its ticket" resumes -tls1_2
claim "and one of TLS 1.3" resumes -tls1_3
claim "its protocol is chosen among others" chooses_its_protocol
claim "a client of other protocols alone is refused" refuses_other_protocols
claim "one that names none is served" needs_no_protocol
mkdir "$home/pairs"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$home/pairs/rsa.key" -out "$home/pairs/rsa.crt" -days 1 -subj /CN=test 2>/dev/null
chmod 600 "$home/pairs/rsa.key"
claim "a server with a certificate of RSA is asked" start rsa --tls-cert "$home/pairs/rsa.crt" --tls-key "$home/pairs/rsa.key"
claim "it agrees to the same versions" agrees_to rsa version 0x0303 0x0304
claim "and to the same suites, of RSA" agrees_to rsa suite 0xc02f 0xc030 0xcca8
