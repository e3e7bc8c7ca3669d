#!/bin/bash
# systemd.sh - ayed under a service manager: sockets that are handed over, reload, watchdog, and the units.
. "$(dirname "$0")/cli_kit.bash"

# What a manager does: opens sockets, hands them over, and listens to what the server says of itself.
cat >"$home/manager.py" <<'END'
import os, socket, subprocess, sys, threading

home, ayed = os.environ["MANAGER_HOME"], os.environ["AYED"]

class Manager:
    def __init__(self, name, args, sockets=(), names=None, **environ):
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(f"{home}/{name}.notify")
        self.notify.settimeout(60)
        fds = [s.fileno() for s in sockets]
        env = dict(os.environ, NOTIFY_SOCKET=f"{home}/{name}.notify", **environ)
        if sockets:
            env["LISTEN_FDS"] = str(len(fds))
        if names is not None:
            env["LISTEN_FDNAMES"] = names
        # As systemd does: the descriptors from 3 on, and its own id, in the process that becomes the server.
        shell = "".join(f" {3 + i}<&{fd}" for i, fd in enumerate(fds))
        shell = f'exec {shell}; export LISTEN_PID=$$ WATCHDOG_PID="${{WATCHDOG_PID:-$$}}"; exec "$@"'
        self.log = open(f"{home}/{name}.log", "w")
        self.process = subprocess.Popen(["bash", "-c", shell, "bash", ayed, "--data", f"{home}/{name}.data", "--allow-root", *args],
                                        env=env, pass_fds=fds, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.ready = self.process.stdout.readline().strip()

    def says(self):
        return self.notify.recv(4096).decode()

    def end(self):
        self.process.terminate()
        return self.process.wait()

def unix_listener(path):
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen()
    return s

def tcp_listener():
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    s.listen()
    return s

def ping(address):
    subprocess.run([os.environ["AYE"], "server", "ping", "--server", address], check=True, stdout=subprocess.DEVNULL)

def log(m):
    return open(m.log.name).read()

def sockets_are_taken_over():
    path = f"{home}/given.sock"
    given, plain, secret, page, secure = unix_listener(path), *(tcp_listener() for _ in range(4))
    names = "ayed.socket:other:tls:http:https"
    m = Manager("given", [], [given, plain, secret, page, secure], names)
    word, first, second, third, *web = m.ready.split(" ")
    assert word == "ready" and first == f"unix:{path}" and second == f"tcp://127.0.0.1:{plain.getsockname()[1]}", m.ready
    assert third.startswith(f"tls://127.0.0.1:{secret.getsockname()[1]}#SHA256:"), m.ready
    for address in first, second, third:
        ping(address)
    assert [address.split("#")[0] for address in web] == [
        f"{scheme}://127.0.0.1:{s.getsockname()[1]}" for scheme, s in (("http", page), ("https", secure))], m.ready
    for address in web:
        told = subprocess.run(["curl", "-sSk", address.split("#")[0] + "/healthz"], check=True, stdout=subprocess.PIPE).stdout
        assert told == b"ok\n", told
    assert m.end() == 0
    assert os.path.exists(path), "the manager's socket was removed"
    # The next server gets those that came meanwhile.
    waiting = socket.socket(socket.AF_UNIX)
    waiting.connect(path)
    waiting.sendall(b"\x94\x00\x01\xabserver.ping\x91\x80")
    m = Manager("given2", [], [given])
    waiting.settimeout(60)
    assert waiting.recv(100)[:4] == b"\x94\x01\x01\xc0"
    assert m.end() == 0

def wrong_ones_are_refused():
    m = Manager("wrong", [], [unix_listener(f"{home}/wrong.sock")], "tls")
    assert m.ready == "" and m.process.wait() == 1 and "named tls, which is for TCP sockets only" in log(m), log(m)
    m = Manager("file", [], [open("/dev/null")])
    assert m.ready == "" and m.process.wait() == 1 and "not a listening stream socket" in log(m), log(m)

def limits(address):
    told = subprocess.run([os.environ["AYE"], "call", "session.hello", '{"protocol":1,"client":"test"}', "--server", address],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    import json
    return json.loads(told)["limits"]

def a_reload_changes_limits():
    path = f"{home}/limits"
    with open(path, "w") as f:
        f.write("# of this server\n\n  room_seats=7 \nseats_per_minute=8\nconnections=99\n")
    m = Manager("reload", ["--listen", f"unix:{home}/reload.sock", "--limits", path, "--limit", "connections=55"])
    at = f"unix:{home}/reload.sock"
    assert m.says() == "READY=1"
    before = limits(at)
    assert (before["room_seats"], before["seats_per_minute"], before["connections"]) == (7, 8, 55)
    stays = socket.socket(socket.AF_UNIX)
    stays.connect(f"{home}/reload.sock")
    stays.settimeout(60)

    def ping():
        stays.sendall(b"\x94\x00\x01\xabserver.ping\x91\x80")
        assert stays.recv(100)[:4] == b"\x94\x01\x01\xc0"

    ping()  # whoever says nothing is not waited for as long as this may take

    def reload(text):
        with open(path, "w") as f:
            f.write(text)
        m.process.send_signal(1)
        told = m.says()
        assert told.startswith("RELOADING=1\nMONOTONIC_USEC=") and told[27:].isdigit(), told
        assert m.says() == "READY=1"
        return limits(at)

    after = reload("room_seats=9\n")
    assert (after["room_seats"], after["seats_per_minute"], after["connections"]) == (9, 300, 55), after
    assert "event=limit_changed limit=room_seats from=7 to=9" in log(m), log(m)
    for text, why in ("room_seats=9\nroom_seats=none\n", "limits line 2: a limit is NAME=NUMBER"), \
            ("rum_seats=1\n", "line 1: unknown limit"), ("frame_bytes=1\n", "part of the protocol"), \
            ("room_seats=" + "0" * 300 + "1\n", "line 1: it is too long"):
        assert reload(text) == after, text
        assert why in log(m), log(m)
    os.remove(path)
    m.process.send_signal(1)
    assert m.says().startswith("RELOADING=1") and m.says() == "READY=1" and limits(at) == after
    assert "event=limits_kept" in log(m) and f"{path} not found" in log(m)
    # Who was there is there, and a limit that has changed holds.
    with open(path, "w") as f:
        f.write("requests_per_second=1\n")
    ping()
    assert m.end() == 0 and m.says() == "STOPPING=1"
    m = Manager("reload2", ["--listen", f"unix:{home}/reload2.sock", "--limits", f"{home}/none"])
    assert m.ready == "" and m.process.wait() == 1 and f"{home}/none not found" in log(m), log(m)

def the_watchdog_is_fed():
    m = Manager("dog", ["--listen", f"unix:{home}/dog.sock"], WATCHDOG_USEC="100000")
    assert [m.says() for _ in range(4)] == ["READY=1"] + ["WATCHDOG=1"] * 3
    # A server that hangs says nothing.
    m.process.send_signal(19)
    m.notify.settimeout(0)
    try:
        while True:
            m.says()
    except BlockingIOError:
        pass
    m.process.send_signal(18)
    m.notify.settimeout(60)
    assert m.says() == "WATCHDOG=1"
    m.end()
    # The watchdog of another process is none of ours.
    m = Manager("dog2", ["--listen", f"unix:{home}/dog2.sock"], WATCHDOG_USEC="1000", WATCHDOG_PID="1")
    assert m.says() == "READY=1"
    ping(f"unix:{home}/dog2.sock")
    assert m.end() == 0 and m.says() == "STOPPING=1"

globals()[sys.argv[1]]()
END
managed() { # FUNCTION
	MANAGER_HOME=$home timeout 300 python3 "$home/manager.py" "$1"
}

# The first connection starts it, on the socket that is open by then.
is_started_by_a_connection() {
	systemd-socket-activate -l "$home/first.sock" "$AYED" --data "$home/first.data" --allow-root >"$home/first.log" 2>&1 &
	local pid=$!
	until_true test -S "$home/first.sock" || return 1
	"$AYE" server ping --server "unix:$home/first.sock" || { cat "$home/first.log"; return 1; }
	grep -q "^ready unix:$home/first.sock$" "$home/first.log" && kill "$pid" && wait "$pid"
}

here=$(cd "$(dirname "$0")/../.." && pwd)
units() {
	mkdir -p "$home/units"
	local unit
	for unit in "$here"/server/*.{service,socket,timer}; do
		sed "s|@PREFIX@/bin/ayed|$AYED|" "$unit" >"$home/units/${unit##*/}"
	done
}
units_are_sound() {
	local told
	units
	told=$(systemd-analyze verify "$home"/units/ayed* 2>&1 | grep -v "man ayed(8)")
	printf '%s' "$told"
	[ -z "$told" ]
}
# Of ten; the lower, the less a server that was taken over could do.
exposure() {
	systemd-analyze security --offline=true "$1" | sed -n 's/.*exposure level for .*: \([0-9.]*\) .*/\1/p'
}
exposure_is_low() {
	local unit
	units
	echo "exposure: $(exposure "$home/units/ayed.service")"
	for unit in ayed ayed-backup; do
		awk -v x="$(exposure "$home/units/$unit.service")" 'BEGIN { exit !(x > 0 && x < 2.0) }' || return 1
	done
	grep -v '^CapabilityBoundingSet=\|^SystemCallFilter=' "$home/units/ayed.service" >"$home/units/open.service"
	awk -v x="$(exposure "$home/units/open.service")" 'BEGIN { exit !(x >= 2.0) }'
}

claim "sockets that are handed over are served, those named tls encrypted, and stay" managed sockets_are_taken_over
claim "what is no such socket is refused" managed wrong_ones_are_refused
claim "SIGHUP reads the limits again; a bad file changes nothing" managed a_reload_changes_limits
claim "the watchdog is fed while the server goes on, and only its own" managed the_watchdog_is_fed
claim "systemd starts it at the first connection" is_started_by_a_connection
claim "systemd takes the units" units_are_sound
claim "the units' exposure is below 2.0" exposure_is_low
