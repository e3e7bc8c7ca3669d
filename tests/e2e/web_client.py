#!/usr/bin/python3
"""web_client.py - ayed by a WebSocket library that knows nothing of it.

What is said is the documentation's (proto/README.md, "Over a WebSocket"), and the bot that it prints is
run as it stands there. Prints TAP; the arguments are the WebSocket's address and that document.
"""
import asyncio
import json
import re
import subprocess
import sys

import websockets

from tap import claim, exit_code


class Client:
    """One connection: requests, and the notifications that came so far."""

    def __init__(self, socket):
        self.socket = socket
        self.id = 0
        self.notices = []

    async def message(self):
        return json.loads(await asyncio.wait_for(self.socket.recv(), 30))

    async def ask(self, method, **params):
        """The whole response."""
        self.id += 1
        await self.socket.send(json.dumps({"id": self.id, "method": method, "params": params}))
        while True:
            message = await self.message()
            if message.get("id") == self.id:
                return message
            self.notices.append(message)

    async def must(self, method, **params):
        answer = await self.ask(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    async def notice(self, fits):
        """The next notification that fits; others are passed over."""
        while True:
            while self.notices:
                notice = self.notices.pop(0)
                if fits(notice["method"], notice["params"]):
                    return notice["params"]
            self.notices.append(await self.message())


async def connect(url, **options):
    return await websockets.connect(url, subprotocols=["aye.v1"], **options)


async def greet(url):
    client = Client(await connect(url))
    return client, await client.must("session.hello", protocol=1, client="web client")


async def closed_by(url, message):
    """What the server says, and the code with which it closes, after a message."""
    client, _ = await greet(url)
    await client.socket.send(message)
    closing = await client.notice(lambda method, params: method == "server.closing")
    await client.socket.wait_closed()
    return closing["reason"], client.socket.close_code


def example_of(document):
    """The bot in the document, as it stands there."""
    with open(document, encoding="utf-8") as file:
        return re.search(r"<!-- example: websocket -->\n```python\n(.*?)```", file.read(),
                         re.DOTALL).group(1)


async def main(url, document):
    host, hello = await greet(url)
    claim("the subprotocol is agreed on", host.socket.subprotocol == "aye.v1")
    claim("no extension is agreed on, though compression was asked for", not host.socket.extensions)
    claim("hello has the limits", hello["limits"]["frame_bytes"] == 65536)
    made = await host.must("room.create", title="\u05e9\u05dc\u05d5\u05dd <b>&", valid_sizes=["1", "5", "\u221e"])
    room = made["room_id"]
    await host.must("room.subscribe", room_id=room, host_key=made["host_key"])
    await host.must("room.join", room_id=room, username="Ada")
    full = await host.notice(lambda method, params: method == "room.update" and params.get("full"))
    claim("a title in any script arrives as it was sent",
          full["room"]["title"] == "\u05e9\u05dc\u05d5\u05dd <b>&")

    bot = subprocess.Popen([sys.executable, "-c", example_of(document), url, room, "5"],
                           stdout=subprocess.PIPE, text=True)
    await host.notice(lambda method, params: method == "room.update" and any(
        user.get("has_vote") for user in params.get("users", [])))
    claim("the bot of the documentation votes", True)
    await host.must("room.vote", room_id=room, vote="\u221e")
    await host.must("room.set_revealed", room_id=room, is_revealed=True)
    line = bot.stdout.readline()
    while line and '"is_revealed":true' not in line:
        line = bot.stdout.readline()
    bot.terminate()
    claim("and prints what happens in the room", '"vote":"5"' in line and "\u221e" in line)

    refused = await host.ask("room.create", valid_sizes=["1"])
    claim("a refusal names the field, and the connection lives",
          refused["error"]["field"] == "valid_sizes" and "now" in await host.must("server.ping"))
    unknown = await host.ask("room.dance")
    claim("an unknown method is refused", unknown["error"]["code"] == "UNKNOWN_METHOD")

    await (await host.socket.ping())
    claim("a ping is answered", True)
    await host.socket.close()
    claim("a close is answered with a close", host.socket.close_code == 1000)

    reason, code = await closed_by(url, "nonsense")
    claim("a text that is no JSON is told and closed", code == 1008 and "JSON line 1" in reason)
    reason, code = await closed_by(url, json.dumps([1]))
    claim("a text that is no request is told and closed", code == 1008 and reason)
    reason, code = await closed_by(url, b"{}")
    claim("a binary message is told and closed", code == 1003 and "text" in reason)
    reason, code = await closed_by(url, " " * 70000)
    claim("a message that is too long is told and closed", code == 1009 and "limits" in reason)

    refusals = 0
    for options in ({"origin": "https://evil.example"}, {"extra_headers": {"Host": "evil.example"}}):
        try:
            await connect(url, **options)
        except (websockets.InvalidStatusCode, websockets.InvalidHandshake):
            refusals += 1
    claim("a page of another site may not connect", refusals == 2)
    bare = await websockets.connect(url, compression=None)
    claim("a client that offers no subprotocol may", bare.subprotocol is None)
    await bare.close()
    return exit_code()


sys.exit(asyncio.run(main(*sys.argv[1:])))
