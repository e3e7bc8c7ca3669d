#!/bin/bash
# data_check.sh - a server that follows one that was killed serves at once, and checks the data meanwhile.
#
# Needs what is built beside AYED, too.
. "$(dirname "$0")/cli_kit.bash"

cat >"$home/check.py" <<'END_PY'
import atexit, json, os, re, socket, struct, subprocess, sys, threading

home, ayed = os.environ["CHECK_HOME"], os.environ["AYED"]
build = os.path.dirname(ayed)
data = f"{home}/check.data"
PAGE = 4096
FAULT = "ayed: ended by a fault of its own, perhaps over damaged data: the next start checks them first\n"

def pack(v):
    """As much of MessagePack as these requests have, in its longest forms."""
    if isinstance(v, str):
        return b"\xda" + len(v).to_bytes(2, "big") + v.encode()
    if isinstance(v, int):
        return b"\xce" + v.to_bytes(4, "big")
    if isinstance(v, dict):
        return b"\xde" + len(v).to_bytes(2, "big") + b"".join(pack(k) + pack(x) for k, x in v.items())
    return b"\xdc" + len(v).to_bytes(2, "big") + b"".join(map(pack, v))

def unpack(b, at):
    """The value at this place, and where the next one is. IndexError: it is not all there."""
    def number(n):
        if at + 1 + n > len(b):
            raise IndexError
        return int.from_bytes(b[at + 1:at + 1 + n], "big"), at + 1 + n
    c = b[at]
    if c < 0x80 or c >= 0xe0:
        return c if c < 0x80 else c - 256, at + 1
    if c in (0xc0, 0xc2, 0xc3):
        return {0xc0: None, 0xc2: False, 0xc3: True}[c], at + 1
    if c == 0xcb:
        number(8)
        return struct.unpack(">d", b[at + 1:at + 9])[0], at + 9
    if 0xcc <= c <= 0xd3:
        n, after = number(1 << (c & 3))
        return n, after
    if c < 0xc0:
        n, after = (c & 0x1f if c >= 0xa0 else c & 0x0f), at + 1
        kind = "map" if c < 0x90 else "array" if c < 0xa0 else "str"
    else:
        kind, size = {0xd9: ("str", 1), 0xda: ("str", 2), 0xdb: ("str", 4), 0xdc: ("array", 2), 0xdd: ("array", 4),
                      0xde: ("map", 2), 0xdf: ("map", 4)}[c]
        n, after = number(size)
    if kind == "str":
        if after + n > len(b):
            raise IndexError
        return b[after:after + n].decode(), after + n
    values = []
    for _ in range(n * (2 if kind == "map" else 1)):
        v, after = unpack(b, after)
        values.append(v)
    return dict(zip(values[::2], values[1::2])) if kind == "map" else values, after

class Server:
    """On a socket that is open before it starts, as a service manager has it."""
    def __init__(self, name, requests=(), **environ):
        path = f"{home}/{name}.sock"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(f"{home}/{name}.notify")
        self.states = []
        threading.Thread(target=self.listen, daemon=True).start()
        self.peer = socket.socket(socket.AF_UNIX)
        self.peer.connect(path)
        self.got = b""
        self.asked = 0
        for method, params in (("session.hello", {"protocol": 1, "client": "test"}), *requests):
            self.ask(method, params)
        fd = self.listener.fileno()
        env = dict(os.environ, NOTIFY_SOCKET=f"{home}/{name}.notify", LISTEN_FDS="1", **environ)
        self.process = subprocess.Popen(["bash", "-c", f'exec 3<&{fd}; export LISTEN_PID=$$; exec "$@"', "bash", ayed,
                                         "--data", data, "--allow-root"], env=env, pass_fds=[fd],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.lines = []

    def ask(self, method, params):
        self.asked += 1
        self.peer.sendall(pack([0, self.asked, method, [params]]))

    def answer(self, number):
        while True:
            try:
                message, after = unpack(self.got, 0)
                self.got = self.got[after:]
                if message[:2] == [1, number]:
                    return message[2] or message[3]
            except IndexError:
                more = self.peer.recv(65536)
                assert more, self.lines
                self.got += more

    def log_until(self, event):
        for line in self.process.stderr:
            self.lines.append(line)
            if f" event={event} " in line:
                return line
        raise AssertionError((event, self.lines))

    def listen(self):
        while True:
            self.states.append(self.notify.recv(4096).decode())

    def end(self, signum=15):
        self.process.send_signal(signum)
        code = self.process.wait()
        self.lines += self.process.stderr
        self.listener.close()
        return code

def event(line):
    return re.search(r"event=(\S+)", line).group(1)

def events(server):
    return [event(line) for line in server.lines]

def codes():
    """Of rooms: the items' keys lie in the file as they are."""
    with open(f"{data}/data.mdb", "rb") as f:
        return sorted(set(re.findall(rb"ROOM:([A-Z0-9]{6})\0ROOM", f.read())))

def patch(code):
    """Every copy of this room's item, also where an earlier one is not in use any more."""
    with open(f"{data}/data.mdb", "r+b") as f:
        text = f.read()
        places = [m.end() for m in re.finditer(rb"ROOM:" + code + rb"\0ROOM", text)]
        changed = 0
        for at in places:
            title = text.find(b"Sprint 42", at, at + 200)
            if title > 0:
                f.seek(title)
                f.write(b"Sprint 43")
                changed += 1
        assert changed > 0

def fill():
    subprocess.run([f"{build}/tests/bench/fill", data, "20000", "3", "0", "0", "3600", "0", "0"], check=True)

def it_serves_first():
    fill()
    first = Server("first")
    first.answer(1)
    assert first.end(9) == -9
    all_codes = codes()
    damaged, whole = all_codes[1000].decode(), all_codes[9000].decode()
    patch(damaged.encode())
    # What was asked before the server began is answered in its first turns.
    s = Server("second", [("server.stats", {}), ("room.get", {"room_id": whole}), ("room.get", {"room_id": damaged})])
    stats = json.dumps(s.answer(2))
    left = int(re.search(r'"check_left": (?:\{"value": )?(\d+)', stats).group(1)) if "check_left" in stats else None
    assert left, stats
    assert s.answer(3)["room"]["title"] == "Sprint 42"
    assert s.answer(4)["code"] == "UNAVAILABLE"
    told = s.log_until("data_checked")
    assert "problems=1" in told and int(re.search(r"entries=(\d+)", told).group(1)) >= 100000, told
    names = events(s)
    assert names.index("serving") < names.index("data_damaged") < names.index("data_checked"), names
    assert "pages_check" not in names
    line = next(l for l in s.lines if event(l) == "data_damaged")
    assert f"item ROOM:{damaged} ROOM: the checksum does not match" in line, line
    s.ask("server.stats", {})
    stats = json.dumps(s.answer(5))
    assert re.search(r'"check_left": (\{"value": )?0\b', stats) and re.search(r'"data_problems": (\{"value": )?1\b', stats), stats
    assert s.end() == 0 and "READY=1" in s.states, s.states
    assert any(state.startswith("STATUS=Serving; data checked: ") for state in s.states), s.states
    # What was closed wants none.
    s = Server("third", [("server.stats", {})])
    assert '"check_left": 0' in re.sub(r'\{"value": (\d+)', r"\1", json.dumps(s.answer(2)))
    assert s.end() == 0 and "data_check" not in events(s), s.lines

def leaf_of(code):
    with open(f"{data}/data.mdb", "rb") as f:
        text = f.read()
    return [m.start() // PAGE for m in re.finditer(rb"ROOM:" + code + rb"\0USER:", text)]

def a_fault_is_mended():
    for name, end, environ in (("fault", 6, {}), ("boot", 9, {"AYED_BOOT_ID": "another"})):
        s = Server(name)
        s.answer(1)
        assert s.end(end) == -end
        assert (s.lines[-1] == FAULT) == (end == 6), s.lines
        code = codes()[12000 if name == "boot" else 5000]
        with open(f"{data}/data.mdb", "r+b") as f:
            for page in leaf_of(code):
                f.seek(page * PAGE)
                f.write(bytes(PAGE))
        s = Server(f"{name}2", [("room.get", {"room_id": code.decode()})], **environ)
        assert s.answer(2)["code"] == "UNAVAILABLE"
        s.log_until("data_checked")
        names = events(s)
        assert names.index("pages_check") < names.index("data_damaged") < names.index("serving"), names
        assert any("data.mdb was repaired" in l for l in s.lines), s.lines
        states = s.states
        assert "STATUS=Checking the data's pages: " in states[0] and states[0].startswith("EXTEND_TIMEOUT_USEC="), states
        assert s.end() == 0

globals()[sys.argv[1]]()
END_PY
checks() { # FUNCTION
	CHECK_HOME=$home python3 "$home/check.py" "$1"
}

# promise: killed
claim "after kill -9 requests are answered while the data are checked, and a damaged item is reported" checks it_serves_first
claim "after a fault of its own, or of the machine, pages are checked before it serves" checks a_fault_is_mended
