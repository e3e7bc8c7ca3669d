"""mcp_agent.py - one `aye mcp` as its agent speaks with it: JSON-RPC over the pipes of a child, with Python's own library.

Needs AYE in the environment.
"""
import json
import os
import subprocess

AYE = os.environ["AYE"]
VERSION = "2025-11-25"


class Agent:
    """One `aye mcp`. Whatever it writes has to be a line of JSON-RPC."""

    def __init__(self, *words, env=None, greet=True):
        self.child = subprocess.Popen([AYE, "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
        self.ids = 0
        self.early = {}
        self.told = []
        if greet:
            self.hello = self.ask("initialize", protocolVersion=VERSION, capabilities={},
                                  clientInfo={"name": "test", "version": "1"})
            self.notify("notifications/initialized")

    def write(self, text):
        self.child.stdin.write(text.encode() + b"\n")
        self.child.stdin.flush()

    def notify(self, method, **params):
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def send(self, method, **params):
        self.ids += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params}))
        return self.ids

    def read(self):
        line = self.child.stdout.readline()
        if not line:
            raise EOFError("aye mcp has ended")
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0", message
        return message

    def take(self, id):
        """The answer with that id; others are kept for who asks for them."""
        while id not in self.early:
            self.sort(self.read())
        return self.early.pop(id)

    def next_told(self):
        """The next notification that was not read yet."""
        while not self.told:
            self.sort(self.read())
        return self.told.pop(0)

    def sort(self, message):
        """Put it where take() or next_told() finds it."""
        if "id" in message:
            self.early[message["id"]] = message
        else:
            self.told.append(message)

    def ask(self, method, **params):
        answer = self.take(self.send(method, **params))
        return answer.get("result", answer.get("error"))

    def send_tool(self, name, **arguments):
        return self.send("tools/call", name=name, arguments=arguments)

    def tool(self, name, **arguments):
        return self.ask("tools/call", name=name, arguments=arguments)

    def ask_human(self, question, **more):
        """The id of a question that was asked."""
        return self.tool("ask_human", question=question, **more)["structuredContent"]["question_id"]

    def check(self, question_id):
        return self.tool("check_human_responses", question_id=question_id)

    def end(self):
        """Its exit code after the end of its input, and what it wrote to standard error."""
        self.child.stdin.close()
        rest = self.child.stdout.read()
        errors = self.child.stderr.read().decode()
        self.child.stdout.close()
        self.child.stderr.close()
        return self.child.wait(), rest, errors
