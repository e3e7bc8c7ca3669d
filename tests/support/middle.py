#!/usr/bin/python3
"""middle.py - somebody between two machines, who writes down every byte that passes.

    middle.py forward FILE HOST PORT   accept on a port of 127.0.0.1, which is printed, and pass on to HOST PORT
    middle.py capture FILE             write down every packet that this machine's interfaces see
"""
import selectors
import socket
import sys


def forward(record, host, port):
    listener = socket.create_server(("127.0.0.1", 0))
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    print(listener.getsockname()[1], flush=True)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                near = listener.accept()[0]
                far = socket.create_connection((host, port))
                selector.register(near, selectors.EVENT_READ, far)
                selector.register(far, selectors.EVENT_READ, near)
                continue
            try:
                data = key.fileobj.recv(65536)
            except ConnectionResetError:
                data = b""
            record.write(data)
            try:
                if data:
                    key.data.sendall(data)
                else:
                    selector.unregister(key.fileobj)
                    key.data.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the other end has gone


def capture(record):
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    print("listening", flush=True)
    while True:
        record.write(packets.recv(65536))


def main():
    with open(sys.argv[2], "ab", buffering=0) as record:
        if sys.argv[1] == "forward":
            forward(record, sys.argv[3], int(sys.argv[4]))
        capture(record)


main()
