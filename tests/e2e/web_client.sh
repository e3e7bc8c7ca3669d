#!/bin/bash
# web_client.sh - a round by a public WebSocket library, with none of our code; and the page by curl.
. "$(dirname "$0")/cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)
make_pair web && start_server main --listen http://127.0.0.1:0 --listen https://127.0.0.1:0 \
	--tls-cert "$home/web.crt" --tls-key "$home/web.key" || { echo "Bail out! no server"; exit 1; }
page=$(tr ' ' '\n' <<<"$server_ready" | grep '^http:')
secure=$(tr ' ' '\n' <<<"$server_ready" | sed -n '/^https:/{s/#.*//;p}')
export SSL_CERT_FILE=$home/web.crt

has_page() { # CURL...
	curl -sS "$@" >"$home/page" && grep -q '<title>' "$home/page"
}

is_not_sent_again() {
	local tag
	tag=$(curl -sSI "$page/" | tr -d '\r' | sed -n 's/^ETag: //p')
	[ "$(curl -sS -o "$home/page" -w '%{http_code}' -H "If-None-Match: $tag" "$page/")" = 304 ]
}

agrees_on_http_1() {
	[ "$(curl -sS --cacert "$SSL_CERT_FILE" -o "$home/page" -w '%{http_version}' --http2 "$secure/")" = 1.1 ]
}

# Over ws:// and wss://.
for url in "$page" "$secure"; do
	claims_of "the library's session over ${url%%:*} ends well" \
		timeout 60 /usr/bin/python3 -B "$here/web_client.py" "ws${url#http}/ws" "$here/../../proto/README.md"
done
claim "the page is there" has_page "$page/"
claim "a browser that has it is told so" is_not_sent_again
claim "it is there over TLS" has_page --cacert "$SSL_CERT_FILE" "$secure/"
claim "a browser that offers HTTP/2 is served HTTP/1.1" agrees_on_http_1
