#!/usr/bin/python3
"""middle.py - somebody between two ends of connections, or two machines.

    middle.py forward FILE HOST PORT   accept on a port of 127.0.0.1, which is printed, and pass on to HOST PORT; write
                                       down every byte
    middle.py hold SOCKET TO BYTES     accept on a unix socket, and pass on to TO; after so many bytes say "held", and
                                       go on at SIGUSR1
    middle.py clock SOCKET TO FILE     the same, to a Redis; while FILE exists, its clock shows a day of 2014
    middle.py capture FILE             write down every packet that this machine's interfaces see
"""
import os
import selectors
import signal
import socket
import sys


def pass_on(listener, connect, look):
    """look: is given what has come, and whether from the far end; what it returns goes on"""
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                near = listener.accept()[0]
                try:
                    far = connect()
                except OSError:
                    near.close()
                    continue
                selector.register(near, selectors.EVENT_READ, (far, False))
                selector.register(far, selectors.EVENT_READ, (near, True))
                continue
            other, is_far = key.data
            try:
                data = key.fileobj.recv(65536)
            except ConnectionResetError:
                data = b""
            try:
                if data:
                    other.sendall(look(data, is_far))
                else:
                    selector.unregister(key.fileobj)
                    other.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the other end has gone


def forward(file, host, port):
    record = open(file, "ab", buffering=0)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def look(data, _):
        record.write(data)
        return data

    pass_on(listener, lambda: socket.create_connection((host, int(port))), look)


def on_unix(near, far, look):
    def connect():
        end = socket.socket(socket.AF_UNIX)
        end.connect(far)
        return end

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(near)
    listener.listen()
    print("ready", flush=True)
    pass_on(listener, connect, look)


def hold(near, far, most):
    left = int(most)
    go_on = {signal.SIGUSR1}
    signal.pthread_sigmask(signal.SIG_BLOCK, go_on)

    def look(data, _):
        nonlocal left
        is_before = left > 0
        left -= len(data)
        if is_before and left <= 0:
            print("held", flush=True)
            signal.sigwait(go_on)
        return data

    on_unix(near, far, look)


def clock(near, far, file):
    def look(data, is_far):
        return data.replace(b"server_time_usec:1", b"server_time_usec:0") if is_far and os.path.exists(file) else data

    on_unix(near, far, look)


def capture(file):
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    print("listening", flush=True)
    with open(file, "ab", buffering=0) as record:
        while True:
            record.write(packets.recv(65536))


{"forward": forward, "hold": hold, "clock": clock, "capture": capture}[sys.argv[1]](*sys.argv[2:])
