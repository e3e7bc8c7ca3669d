#!/usr/bin/python3
"""tls_hellos.py PORT - what a server of TLS on loopback agrees to, by hellos written here.

OpenSSL's client cannot offer what its library no longer has (SSL 3, RC4, EXPORT, compression),
so the hellos are made of bytes. Prints a line for each thing that was agreed to:

  version 0x0303            the versions, from SSL 3.0 to TLS 1.3
  suite 0xc02b              every suite number there is, at TLS 1.2
  compression 1             a method that is not null
  renegotiation secure      the extension of RFC 5746
"""
import socket
import struct
import sys

ALERT, HANDSHAKE, SERVER_HELLO = 21, 22, 2
SCSV = 0x00FF
GROUPS = [0x001D, 0x0017, 0x0018, 0x0100]
SIGNATURES = [0x0403, 0x0503, 0x0804, 0x0805, 0x0401, 0x0501, 0x0203, 0x0201]


def vector(size, data):
    return len(data).to_bytes(size, "big") + data


def numbers(values):
    return b"".join(struct.pack(">H", v) for v in values)


def extension(kind, data):
    return struct.pack(">H", kind) + vector(2, data)


def hello(version, suites, compression=b"\0"):
    extensions = extension(10, vector(2, numbers(GROUPS))) + extension(11, vector(1, b"\0"))
    extensions += extension(13, vector(2, numbers(SIGNATURES)))
    if version == 0x0304:
        extensions += extension(43, vector(1, numbers([version]))) + extension(51, vector(2, b""))
    body = struct.pack(">H", min(version, 0x0303)) + bytes(32) + vector(1, b"")
    body += vector(2, numbers(suites)) + vector(1, compression) + vector(2, extensions)
    message = b"\1" + vector(3, body)
    record = struct.pack(">BH", HANDSHAKE, 0x0300 if version == 0x0300 else 0x0301)
    return b"".join(record + vector(2, message[i : i + 16384]) for i in range(0, len(message), 16384))


def receive(s, size):
    data = b""
    while len(data) < size:
        more = s.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def answer(port, sent):
    """The body of the server's hello; None for an alert, or an end without one."""
    with socket.create_connection(("127.0.0.1", port), 30) as s:
        s.sendall(sent)
        try:
            kind, _, size = struct.unpack(">BHH", receive(s, 5))
            record = receive(s, size)
        except (EOFError, ConnectionResetError):
            return None
        if kind == ALERT:
            return None
        if kind != HANDSHAKE or record[0] != SERVER_HELLO:
            raise SystemExit(f"neither a hello nor an alert: {kind}")
        return record[4:]


def agreed(body):
    """Version, suite, compression, extensions."""
    at = 35 + body[34]
    version, (suite, method) = struct.unpack(">H", body[:2])[0], struct.unpack(">HB", body[at : at + 3])
    at += 5
    extensions = {}
    while at + 4 <= len(body):
        kind, size = struct.unpack(">HH", body[at : at + 4])
        extensions[kind] = body[at + 4 : at + 4 + size]
        at += 4 + size
    if 43 in extensions:
        version = struct.unpack(">H", extensions[43])[0]
    return version, suite, method, extensions


def main():
    port = int(sys.argv[1])
    modern = [0xC02B, 0xC02C, 0xCCA9, 0xC02F, 0xC030, 0xCCA8, 0xC009, 0xC00A, 0x002F, 0x0035, 0x000A, 0x0005]
    for version in (0x0300, 0x0301, 0x0302, 0x0303, 0x0304):
        suites = [0x1301, 0x1302, 0x1303] if version == 0x0304 else modern + [SCSV]
        body = answer(port, hello(version, suites))
        if body is not None:
            print(f"version {agreed(body)[0]:#06x}")
    # All numbers but those of TLS 1.3; what is chosen is taken out, until nothing is. SSL 2 had no others.
    left = [n for n in range(0x10000) if n >> 8 != 0x13 and n not in (SCSV, 0x5600)]
    for at in range(0, len(left), 8000):
        part = left[at : at + 8000]
        body = answer(port, hello(0x0303, part))
        while body is not None:
            suite = agreed(body)[1]
            print(f"suite {suite:#06x}")
            part.remove(suite)
            body = answer(port, hello(0x0303, part))
    _, _, method, extensions = agreed(answer(port, hello(0x0303, modern + [SCSV], compression=b"\1\0")))
    if method != 0:
        print(f"compression {method}")
    if extensions.get(0xFF01) == b"\0":
        print("renegotiation secure")


main()
