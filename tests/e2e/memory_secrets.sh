#!/bin/bash
# memory_secrets.sh - when a request has been answered and its connection is gone, the server's memory has
# none of the secrets it was sent or gave out: session tokens, keys of seats and hosts, passcodes, codes.
# Nor has it those of a request that waited for its room.
. "$(dirname "$0")/cli_kit.bash"

cat >"$home/memory.py" <<'END'
import json, msgpack, os, re, socket, subprocess, sys

aye, server, pid = os.environ["AYE"], sys.argv[1], int(sys.argv[2])

def regions():
    for line in open(f"/proc/{pid}/maps"):
        m = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw\S* \S+ \S+ \S+\s*(.*)", line)
        if m and not m[3].startswith("[v"):
            yield int(m[1], 16), int(m[2], 16), m[3]

# Places of the process's memory, its statics and stacks among it, that hold one of the texts.
def places(texts):
    found = []
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
        for begin, end, name in regions():
            try:
                mem.seek(begin)
                bytes = b""
                while len(bytes) < end - begin:
                    more = mem.read(end - begin - len(bytes))
                    if not more:
                        break
                    bytes += more
            except OSError:
                continue
            for what, text in texts.items():
                at = bytes.find(text.encode())
                while at >= 0:
                    found.append((what, name or hex(begin), bytes[max(0, at - 24):at + len(text) + 8]))
                    at = bytes.find(text.encode(), at + 1)
    return found

class Session:
    def __init__(self):
        self.p = subprocess.Popen([aye, "script", "--server", server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.n = 0

    def call(self, method, fails=False, **params):
        self.n += 1
        self.p.stdin.write(json.dumps({"id": self.n, "method": method, "params": params}) + "\n")
        self.p.stdin.flush()
        while True:
            line = self.p.stdout.readline()
            assert line, method
            answer = json.loads(line)
            if answer.get("id") == self.n:
                assert ("error" in answer) == fails, (method, answer)
                return answer.get("result")

    def end(self):
        self.p.stdin.close()
        self.p.stdout.read()
        self.p.wait()

def connections():
    told = subprocess.run([os.environ["AYED"], "stats", "--json", sys.argv[3]], check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(told)["counters"]["connections"]

# Calls in one piece; returns when the last is answered and the connection gone.
def raw(calls):
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[3].removeprefix("unix:"))
    calls = [("session.hello", {"protocol": 1, "client": "last"})] + calls
    peer.sendall(b"".join(msgpack.packb([0, i, method, [params]]) for i, (method, params) in enumerate(calls)))
    answers = msgpack.Unpacker()
    while not any(m[0] == 1 and m[1] == len(calls) - 1 and m[2] is None for m in answers):
        answers.feed(peer.recv(65536))
    peer.close()
    while connections() > 1:
        pass

kept = f"{sys.argv[4]}/secrets.json"
is_later = os.path.exists(kept)
if is_later:
    # Another life of the server: the room is on the disk, and what is asked of it waits.
    secrets = json.load(open(kept))
    code = secrets.pop("code")
    raw([("room.subscribe", {"room_id": code, "user_key": secrets["user_key"]})])
else:
    secrets = {"passcode": "correct horse battery", "wrong passcode": "incorrect horse battery"}
    host, guest = Session(), Session()
    room = host.call("room.create", valid_sizes=["1", "2", "3"])
    secrets["host_key"] = room["host_key"]
    secrets["token"] = host.call("session.login", user_name="Ada")["token"]
    code = room["room_id"]
    secrets["user_key"] = host.call("room.subscribe", room_id=code, host_key=room["host_key"])["user_key"]
    host.call("room.join", room_id=code, username="Ada")
    host.call("room.claim_host", room_id=code, host_key=room["host_key"])
    host.call("room.set_policy", room_id=code, policy={"passcode": secrets["passcode"]})
    guest.call("room.subscribe", room_id=code, passcode=secrets["wrong passcode"], fails=True)
    secrets["guest's user_key"] = guest.call("room.subscribe", room_id=code, passcode=secrets["passcode"])["user_key"]
    guest.call("room.join", room_id=code, username="Bob")
    guest.call("session.resume", token=secrets["token"])
    guest.call("session.whoami")
    host.call("room.vote", room_id=code, vote="3")
    guest.call("room.leave", room_id=code, user_key=secrets["guest's user_key"])
    host.end()
    guest.end()

    # A token that is the last thing read, behind more than what asks for the figures writes over.
    raw([("server.ping", {})] * 40 + [("session.resume", {"token": secrets["token"]})])
    json.dump(secrets | {"code": code}, open(kept, "w"))

# What is searched is found where it is: a room's code is no secret.
assert places({"code": code}), "the search finds nothing at all"
# What waits lies in the heap; little has been done since that would have written over the stack.
found = [place for place in places(secrets) if not (is_later and place[1] == "[stack]")]
for what, where, bytes in found:
    print(f"{what} in {where}: {bytes!r}".replace(secrets[what], "..."))
sys.exit(len(found) > 0)
END

forgets_secrets() { # NAME [ARGUMENT...]
	start_server "$@" && /usr/bin/python3 "$home/memory.py" "${server_ready##* }" "$server_pid" "$server" "$home/$1.data"
}

forgets_what_waited() { # NAME [ARGUMENT...]
	forgets_secrets "$@" && kill "$server_pid" && wait "$server_pid" && forgets_secrets "$@"
}

# Root alone can look: the process lets nobody else. Sanitizers map more memory than there is to read.
if [ "$(id -u)" != 0 ] || grep -qa __asan_init\\\|__tsan_init "$AYED"; then
	echo "1..0 # SKIP only root can look into the server, and not under a sanitizer"
	trap - EXIT
	rm -rf "$home"
	exit 0
fi
# promise: forgotten-keys
claim "over the unix socket, nothing of them is left" forgets_secrets unix
claim "nor of a request that waited for its room" forgets_what_waited waited
claim "over TLS, nothing of them is left" forgets_secrets tls --listen tls://127.0.0.1:0
