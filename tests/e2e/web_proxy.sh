#!/bin/bash
# web_proxy.sh - the server behind nginx and behind Caddy, each with the lines of ayed(8) as they stand
# there: only ports and the certificate's files are this test's.
. "$(dirname "$0")/cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)

# The lines of an example of the manual.
example() { # NAME
	sed -n "/^\.\\\\\" example $1\$/,/^\.\\\\\" end example\$/p" "$here/../../server/ayed.8" |
		sed -e '/^\.\\"/d' -e 's/\\-/-/g'
}

# A proxy cannot choose its port and tell it. A port that a connection has just ended on is given to nobody who asks for
# any, for a minute, but to a server that asks for it (SO_REUSEADDR), as both do.
free_port() {
	/usr/bin/python3 - <<-'END'
		import socket
		listener = socket.create_server(("127.0.0.1", 0))
		ours = socket.create_connection(listener.getsockname())
		listener.accept()[0].close() # who closes first keeps the port
		print(listener.getsockname()[1])
	END
}

start_server main --listen http://127.0.0.1:0 --web-proxy 127.0.0.1 --web-origin https://poker.example ||
	{ echo "Bail out! no server"; exit 1; }
backend=${server_ready##*http://127.0.0.1:}
make_pair proxy || { echo "Bail out! no certificate"; exit 1; }

start_nginx() { # PORT
	{
		echo "daemon off; pid $home/nginx.pid; error_log $home/nginx.log; events {}"
		[ "$(id -u)" != 0 ] || echo "user root;"
		echo "http { access_log off; client_body_temp_path $home; proxy_temp_path $home;"
		echo "fastcgi_temp_path $home; uwsgi_temp_path $home; scgi_temp_path $home;"
		example nginx | sed -e "s|listen 443 ssl|listen 127.0.0.1:$1 ssl|" -e "s|127.0.0.1:2938|127.0.0.1:$backend|" \
			-e "s|/etc/ssl/poker.example/fullchain.pem|$home/proxy.crt|" \
			-e "s|/etc/ssl/poker.example/privkey.pem|$home/proxy.key|"
		echo "}"
	} >"$home/nginx.conf"
	PATH=$PATH:/usr/sbin nginx -p "$home" -c "$home/nginx.conf" &
	proxy_pid=$!
}

start_caddy() { # PORT
	{
		echo "{"
		printf '\thttps_port %s\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n' "$1"
		echo "}"
		example caddy | sed "s|127.0.0.1:2938|127.0.0.1:$backend|"
	} >"$home/Caddyfile"
	XDG_DATA_HOME=$home caddy run --config "$home/Caddyfile" --adapter caddyfile >"$home/caddy.log" 2>&1 &
	proxy_pid=$!
}

by_proxy() { # CURL...
	curl -sSk --resolve "poker.example:$port:127.0.0.1" "$@"
}

serves_the_page() {
	until_true by_proxy -o "$home/page" "https://poker.example:$port/" 2>"$home/curl.log" && grep -q '<title>' "$home/page"
}

# As the page does it: with the Origin that a browser sends for it. Without the proxy's field for the
# client's address the server would refuse it.
opens_a_websocket() {
	/usr/bin/python3 -B - "$port" <<-'END'
		import asyncio, json, ssl, sys, websockets
		port = sys.argv[1]
		context = ssl.create_default_context()
		context.check_hostname = False
		context.verify_mode = ssl.CERT_NONE
		def connect():
		    return websockets.connect(f"wss://poker.example:{port}/ws", host="127.0.0.1", port=int(port),
		                              subprotocols=["aye.v1"], origin="https://poker.example",
		                              ssl=context, server_hostname="poker.example")
		async def main():
		    async with connect() as socket:
		        await socket.send(json.dumps({"id": 1, "method": "session.hello",
		                                      "params": {"protocol": 1, "client": "proxy test"}}))
		        hello = json.loads(await socket.recv())
		        assert hello["result"]["web"] == "https://poker.example/", hello
		asyncio.run(main())
	END
}

for proxy in nginx caddy; do
	port=$(free_port)
	"start_$proxy" "$port"
	claim "$proxy serves the page" serves_the_page
	claim "a page behind $proxy opens its WebSocket" opens_a_websocket
	kill "$proxy_pid"
	until_true is_gone "$proxy_pid"
done
