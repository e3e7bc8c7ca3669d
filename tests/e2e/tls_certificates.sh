#!/bin/bash
# tls_certificates.sh - bad certificates: what a client says of each, and that a server neither starts with one nor takes it on SIGHUP.
. "$(dirname "$0")/cli_kit.bash"

certificates=$home/certificates
mkdir "$certificates"

# What shows that certificate, whatever clients think of it; sets shower_pid and port.
show() { # NAME
	rm -f "$home/shown"
	mkfifo "$home/shown"
	openssl s_server -accept 127.0.0.1:0 -cert "$certificates/$1.crt" -key "$certificates/$1.key" -cipher 'ALL:@SECLEVEL=0' \
		>"$home/shown" 2>/dev/null </dev/zero &
	shower_pid=$!
	exec 5<"$home/shown"
	port=$(sed -n '/^ACCEPT/{s/.*://p;q}' <&5)
	[ -n "$port" ]
}

hide() {
	kill "$shower_pid"
	wait "$shower_pid" 2>/dev/null
	exec 5<&-
}

# The client does not trust what is shown, says this, and ends with 3.
client_says() { # NAME HOST SENTENCE [AUTHORITY]
	local failed
	show "$1" || return 1
	SSL_CERT_FILE=${4-$certificates/authority.crt} ends_with 3 "$AYE" server ping --server "tls://${2/PORT/$port}" 2>&1 | tee "$home/said" |
		tr '\n' ' ' | grep -q -- "$3"
	failed=$?
	[ "$failed" = 0 ] || cat "$home/said"
	hide
	return "$failed"
}

# Pinned, it would be believed; but its key can be forged.
a_weak_key_is_refused_whoever_names_it() {
	local pin
	pin=SHA256:$(openssl x509 -in "$certificates/weak.crt" -outform DER | openssl dgst -sha256 -binary | base64 | tr -d =)
	client_says weak "127.0.0.1:PORT#$pin" 'its certificate has a key that is too weak.*must replace it'
}

nobody_is_asked_about_a_weak_key() {
	show weak || return 1
	on_a_terminal "$AYE" server ping --server "tls://127.0.0.1:$port" <<<y >"$home/said"
	hide
	grep -q 'too weak' "$home/said" && ! grep -q 'Trust this server' "$home/said" && [ -z "$("$AYE" server known)" ]
}

# One that starts all the same ends when nobody comes, with another status.
server_refuses() { # NAME SENTENCE
	ends_with 1 "$AYED" --idle-exit 1 --data "$home/bad.data" --allow-root --listen tls://127.0.0.1:0 --tls-cert "$certificates/$1.crt" \
		--tls-key "$certificates/$1.key" 2>&1 | tr '\n' ' ' | grep -q "$2"
}

# Without a file where there is none to copy.
use() { # NAME
	rm -f "$home/used.crt"
	cp "$certificates/$1.key" "$home/used.key" && { [ "$1" = missing ] || cp "$certificates/$1.crt" "$home/used.crt"; }
}

refuses_a_key_that_everybody_reads() {
	cp "$certificates/good.crt" "$certificates/open.crt" && install -m 644 "$certificates/good.key" "$certificates/open.key" &&
		server_refuses open "readable by other users"
}

start() {
	use good && rm -f "$home/used.out" && mkfifo "$home/used.out" || return 1
	"$AYED" --data "$home/used.data" --allow-root --listen tls://127.0.0.1:0 --tls-cert "$home/used.crt" --tls-key "$home/used.key" \
		>"$home/used.out" 2>"$home/used.log" &
	server_pid=$!
	read -r _ server <"$home/used.out"
	printf 'server_pid=%s server=%s\n' "$server_pid" "$server" >"$home/server"
	serves good
}

serves() { # NAME
	[ "$(openssl s_client -connect "${server#tls://}" </dev/null 2>/dev/null | openssl x509 -noout -serial)" = \
		"$(openssl x509 -in "$certificates/$1.crt" -noout -serial)" ]
}

log_says() { # PATTERN
	grep -q "$1" "$home/used.log"
}

# The old pair stays in use; that is told with the reason, and who comes is served.
hangup_keeps_the_old() { # NAME SENTENCE
	. "$home/server"
	: >"$home/used.log"
	use "$1" && kill -HUP "$server_pid" && until_true log_says "certificate_kept.*$2" && serves good &&
		SSL_CERT_FILE=$certificates/authority.crt "$AYE" server ping --server "$server"
}

hangup_takes_a_good_one() {
	. "$home/server"
	use rsa && kill -HUP "$server_pid" && until_true log_says certificate_read && serves rsa &&
		SSL_CERT_FILE=$certificates/authority.crt "$AYE" server ping --server "$server"
}

claim "certificates are made" /usr/bin/python3 "$(dirname "$0")/../support/certificates.py" "$certificates"
cp "$certificates/good.crt" "$certificates/mismatched.crt"
cp "$certificates/rsa.key" "$certificates/mismatched.key"
cp "$certificates/good.crt" "$certificates/locked.crt"
openssl pkey -in "$certificates/good.key" -aes128 -passout pass:secret -out "$certificates/locked.key"
cp "$certificates/good.key" "$certificates/broken.key"
head -c 200 "$certificates/good.crt" >"$certificates/broken.crt"
cp "$certificates/good.key" "$certificates/missing.key"
chmod 600 "$certificates"/*.key

claim "a client says that a certificate is self-signed" \
	client_says self 127.0.0.1:PORT "cannot verify its certificate, which is self-signed; .*#SHA256:"
claim "that its authority is unknown" client_says good 127.0.0.1:PORT "which was issued by an authority unknown here" /dev/null
claim "that it has expired" client_says expired 127.0.0.1:PORT "which has expired"
claim "that it is not yet valid" client_says early 127.0.0.1:PORT "which is not yet valid, or the clock here is wrong"
claim "that it is for another hostname" client_says other localhost:PORT "which is for another hostname"
claim "that it is for another address" client_says other 127.0.0.1:PORT "which is for another address"
claim "that its key is weak" client_says weak 127.0.0.1:PORT "its certificate has a key that is too weak"
claim "that its signature is weak" client_says sha1 127.0.0.1:PORT "which is signed with too weak a digest"
claim "a weak key is refused, pinned or not" a_weak_key_is_refused_whoever_names_it
claim "nor is anybody asked about it" nobody_is_asked_about_a_weak_key

# The pairs that are none, and what is said of each: the same at the start and on SIGHUP.
bad_pairs() { # CLAIM_BEGINNING COMMAND
	claim "$1 a certificate that has expired" "$2" expired "expired: it was valid until"
	claim "$1 one that is not yet valid" "$2" early "not valid before .* or the clock is wrong"
	claim "$1 a weak key" "$2" weak "key too small"
	claim "$1 a weak signature" "$2" sha1 "ca md too weak"
	claim "$1 a key of another certificate" "$2" mismatched "does not belong to the certificate"
	claim "$1 a key with a passphrase" "$2" locked "it must not have a passphrase"
	claim "$1 a certificate that was cut" "$2" broken "cannot read the certificate"
	claim "$1 a file that is not there" "$2" missing "\.crt not found"
}
# promise: strong-tls
bad_pairs "a server does not start with" server_refuses
claim "nor with a key that everybody can read" refuses_a_key_that_everybody_reads
claim "it starts with a good pair" start
# promise: kept-certificate
bad_pairs "SIGHUP leaves the old pair in use, beside" hangup_keeps_the_old
claim "and takes one that is good" hangup_takes_a_good_one
