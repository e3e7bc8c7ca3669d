#!/usr/bin/python3
"""node_doors.py - what comes to a node of a cluster: clients that mean a room of another one, and
others at the port that is for nodes alone.

  node_doors.py door PORT KEY-FILE WHAT   one visit to the port for nodes; prints how it ended
  node_doors.py hello ADDRESS ROOM        session.hello for a room, at unix:PATH or PORT; prints the
                                          answer, and with `wait` behind it how the connection ended
  node_doors.py web PORT ROOM             the same by a WebSocket
"""
import base64
import hashlib
import json
import socket
import subprocess
import sys
import time

IDENTITY = "aye-node"


def pack(v):
    if v is None:
        return b"\xc0"
    if v is True or v is False:
        return b"\xc3" if v else b"\xc2"
    if isinstance(v, int):
        return bytes([v]) if 0 <= v < 128 else b"\xce" + v.to_bytes(4, "big")
    if isinstance(v, str):
        b = v.encode()
        return (bytes([0xA0 | len(b)]) if len(b) < 32 else b"\xda" + len(b).to_bytes(2, "big")) + b
    if isinstance(v, dict):
        return bytes([0x80 | len(v)]) + b"".join(pack(k) + pack(x) for k, x in v.items())
    return bytes([0x90 | len(v)]) + b"".join(pack(x) for x in v)


def hello(room):
    params = {"protocol": 1, "client": "doors", **({"room_id": room} if room else {})}
    return pack([0, 1, "session.hello", [params]])


def shared_key(path):
    with open(path, "rb") as f:
        server_key = f.read()
    return hashlib.blake2b(b"node to node\0", key=server_key, digest_size=32).hexdigest()


def plain(port, data):
    s = socket.create_connection(("127.0.0.1", port), timeout=20)
    s.sendall(data)
    got = b""
    while True:
        try:
            more = s.recv(65536)
        except ConnectionResetError:
            break
        if not more:
            break
        got += more
    return got


def shaken(port, key, data):
    """By openssl; what it says after the handshake, and whether there was one."""
    options = ["-psk", key, "-psk_identity", IDENTITY] if key else []
    p = subprocess.Popen(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-tls1_3", "-ign_eof", *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    p.stdin.write(data)
    p.stdin.flush()
    out = b""
    while b"nonce" not in out:
        more = p.stdout.read1(65536)
        if not more:
            break
        out += more
    p.kill()
    p.wait()
    return out, b"Reused, TLSv1.3" in out


PREFACE = {"version": 1, "kind": 2, "address": "00000000000000000000ffffc0000207"}


def door(port, key_file, what):
    key = shared_key(key_file)
    began = time.monotonic()
    plains = {
        "garbage": b"\0" * 100,
        "http": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "hello": hello("222222"),
        "silent": b"",
    }
    right = {
        "right": pack(PREFACE) + hello(None),
        "newer": pack({**PREFACE, "version": 2}) + hello("222222"),
        "owner": pack({"version": 1, "kind": 0, "uid": 0, "is_owner": True}) + hello("222222"),
        "none": hello("222222"),
        "long": b"\x81" + pack("x" * 5000),
        "slow": pack(PREFACE)[:10],
    }
    if what in plains:
        got = plain(port, plains[what])
        print("refused" if b"session" not in got and b"server" not in got else "served", end=" ")
    else:
        keys = {"keyless": None, "stranger": key[::-1]}
        out, was_open = shaken(port, keys.get(what, key), right.get(what, right["right"]))
        served = b"protocol" in out and b"nonce" in out
        print("served" if served else "refused", "open" if was_open else "shut", end=" ")
    print(int((time.monotonic() - began) * 1000))


def connect(address):
    if address.startswith("unix:"):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(20)
        s.connect(address[5:])
        return s
    return socket.create_connection(("127.0.0.1", int(address)), timeout=20)


def tell(got, began):
    for code in (b"UNAVAILABLE", b"ELSEWHERE", b"VALIDATION_ERROR"):
        if code in got:
            print(code.decode(), end=" ")
            break
    else:
        print("ok" if b"nonce" in got else "nothing", end=" ")
    print(int((time.monotonic() - began) * 1000), flush=True)


def until_closed(s):
    try:
        while s.recv(65536):
            pass
        return "closed"
    except ConnectionResetError:
        return "reset"


def say_hello(address, room, waits):
    s = connect(address)
    began = time.monotonic()
    s.sendall(hello(room))
    tell(s.recv(65536), began)
    if waits:
        how = until_closed(s)
        print(how, time.time(), flush=True)


def by_web(port, room):
    s = connect(port)
    s.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
        f"Origin: http://127.0.0.1:{port}\r\n\r\n".encode())
    got = b""
    while b"\r\n\r\n" not in got:
        got += s.recv(4096)
    if b"101" not in got.split(b"\r\n")[0]:
        print(got.split(b"\r\n")[0].decode())
        return

    def say(message):
        text = json.dumps(message).encode()
        length = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
        s.sendall(b"\x81" + length + bytes(4) + text)

    began = time.monotonic()
    hello_params = {"protocol": 1, "client": "doors", "room_id": room}
    say({"id": 1, "method": "session.hello", "params": hello_params})
    say({"id": 2, "method": "room.subscribe", "params": {"room_id": room}})
    got = b""
    while b'"full":true' not in got:
        more = s.recv(65536)
        if not more:
            break
        got += more
    tell(got, began)
    print("room" if b'"full":true' in got else "no room")


def main():
    what, *rest = sys.argv[1:]
    if what == "door":
        door(int(rest[0]), rest[1], rest[2])
    elif what == "hello":
        say_hello(rest[0], rest[1], rest[2:] == ["wait"])
    elif what == "web":
        by_web(rest[0], rest[1])
    else:
        sys.exit(__doc__)


main()
