#!/usr/bin/python3
"""public_client.py - ayed by a MessagePack-RPC library that knows nothing of it.

The transport, the message numbers and the threads are pynvim's
(pynvim.msgpack_rpc); what is said is proto/README.md's. Prints TAP; the
address of a unix socket is the only argument.
"""
import base64
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgpack import ExtType
from pynvim.msgpack_rpc import socket_session

from tap import claim, exit_code


class Refusal(Exception):
    """What the server said no with: its error map."""


class Client:
    """One connection: requests, and the notifications that came so far."""

    def __init__(self, path):
        # It introduces itself as an editor's client first: a notification that means nothing here.
        self.session = socket_session(path)
        self.session.error_wrapper = Refusal

    def ask(self, method, **params):
        return self.session.request(method, params)

    def ask_by_position(self, method, *params):
        """The error map of a request whose params have no names."""
        try:
            self.session.request(method, *params)
        except Refusal as error:
            return error.args[0]
        return None

    def refusal(self, method, **params):
        """The error map of a request that has to be refused, or None."""
        try:
            self.ask(method, **params)
        except Refusal as error:
            return error.args[0]
        return None

    def log_in(self, user_name):
        """Log in with a key, which makes a lasting user: the user_id."""
        hello = self.ask("session.hello", protocol=1, client="public client")
        key = Ed25519PrivateKey.generate()
        public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        signed = "aye-login-1\n%s\n%s\n" % (user_name, hello["nonce"])
        return self.ask("session.login", user_name=user_name, public_key=text_of(public),
                        signature=text_of(key.sign(signed.encode())))["user_id"]

    def notice(self, method, fits):
        """Wait for the notification that fits; others are passed over."""
        while True:
            message = self.session.next_message()
            if message is None:
                return None
            kind, name, args = message[0], message[1], message[2]
            if kind == "notification" and name == method and fits(args[0]):
                return args[0]


def text_of(raw):
    """base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def entries(update, kind, name):
    """The changed entries of one shared map, list or presence in an update."""
    for change in update.get("data", []):
        if change["kind"] == kind and change["name"] == name:
            return {entry["entry_id"]: entry for entry in change["entries"]}
    return {}


def user(update, user_id):
    for each in update.get("users", []):
        if each["user_id"] == user_id:
            return each
    return {}


def team(path):
    """Two people with keys: one makes a group and invites, the other joins and edits."""
    mary, alan, eve = Client(path), Client(path), Client(path)
    mary.log_in("Mary")
    eve.log_in("Eve")
    alan_id = alan.log_in("Alan")
    made = mary.ask("group.create", group_name="Payments", container_name="Sprint 42", idempotency_key="task-123")
    again = mary.ask("group.create", group_name="Payments", container_name="Sprint 42", idempotency_key="task-123")
    others = alan.ask("group.create", group_name="Payments", idempotency_key="task-123")
    claim("who has a login may choose a short key, which is theirs alone",
          again == made and others["group_id"] != made["group_id"])
    error = mary.refusal("session.login", user_name="Mary", idempotency_key="task-123")
    claim("but not for what needs no login", error is not None and error.get("field") == "idempotency_key")
    group, backlog = made["group_id"], made["container_id"]
    claim("a group is made with its first container",
          group.startswith("g_") and backlog.startswith("c_"))
    invited = mary.ask("invitation.create", group_id=group, uses=1)
    code = invited["code"]
    claim("an invitation's id is not one of an item's", invited["invitation_id"].startswith("v_"))
    undefined = ExtType(0, b"\0")
    added = mary.ask("item.add", container_id=backlog, name="Milk", note="fresh", unit=undefined)["item_id"]
    mary.ask("item.update", container_id=backlog, item_id=added, name="More milk", note=undefined)
    item = mary.ask("item.list", container_id=backlog)["items"][0]
    claim("what JavaScript has as undefined is left out", item["note"] == "fresh" and "unit" not in item)
    place = {"container_id": backlog, "item_id": added}
    claim("a quantity may be a number, of two decimals",
          mary.ask("item.adjust", by=0.07, **place)["quantity"] == "0.07"
          and mary.ask("item.adjust", by=2, **place)["quantity"] == "2.07"
          and mary.refusal("item.adjust", by=0.1 + 0.2, **place).get("field") == "by")
    mary.ask("item.remove", container_id=backlog, item_id=added)
    claim("a board is that of all time, if none is named",
          mary.ask("leaderboard.get") == mary.ask("leaderboard.get", period="all_time"))
    claim("an invitation is a code of twenty letters in fours",
          [len(part) for part in code.split("-")] == [4] * 5)
    claim("who has the code is told where it leads",
          alan.ask("invitation.get", code=code)["group_name"] == "Payments")
    claim("a stranger is told of the group what they are told of none",
          alan.refusal("group.get", group_id=group)
          == alan.refusal("group.get", group_id="g_" + "A" * 10))
    joined = alan.ask("group.join", code=code.replace("-", "").lower())
    claim("the code lets in without its dashes and in small letters", joined["group_id"] == group)
    users = mary.ask("group.users", group_id=group)["users"]
    claim("both are in the group", [u["role"] for u in users] == ["owner", "member"]
          and users[1]["user_id"] == alan_id)
    error = eve.refusal("group.join", code=code)
    claim("its one use is used up", error is not None and error.get("code") == "NOT_FOUND")

    item = alan.ask("item.add", container_id=backlog, name="Pay by card", quantity="2.50",
                    unit="days", expiry=1798070400000)
    claim("an item is added at revision 1", item["revision"] == 1)
    place = {"container_id": backlog, "item_id": item["item_id"]}
    error = mary.refusal("item.update", quantity="1.234", **place)
    claim("a third decimal is refused", error is not None and error.get("field") == "quantity")
    adjusted = mary.ask("item.adjust", by="-1.5", **place)
    claim("a quantity is adjusted exactly", adjusted == {"quantity": "1", "revision": 2})
    error = alan.refusal("item.update", name="Pay", if_revision=1, **place)
    claim("who edits what has changed is told so",
          error is not None and error.get("code") == "CONFLICT")
    alan.ask("item.update", name="Pay", unit=None, if_revision=2, **place)
    items = mary.ask("item.list", container_id=backlog)["items"]
    claim("the other reads the edit", [(i["name"], i.get("unit"), i["quantity"], i["revision"])
                                       for i in items] == [("Pay", None, "1", 3)])
    soon = mary.ask("item.expiring", group_id=group, before=1798070400001)["items"]
    claim("what expires says in which container", [i["container_id"] for i in soon] == [backlog])

    room = mary.ask("room.create", group_id=group)["room_id"]
    alan.ask("room.subscribe", room_id=room)
    full = alan.notice("room.update", lambda u: u.get("full"))
    claim("a room of the group says so", full["room"]["group_id"] == group)
    error = alan.refusal("group.delete", group_id=group)
    claim("a member may not delete the group",
          error is not None and error.get("code") == "FORBIDDEN")
    mary.ask("group.delete", group_id=group)
    error = alan.refusal("item.list", container_id=backlog)
    claim("a group that is deleted is there for nobody",
          error is not None and error.get("code") == "NOT_FOUND"
          and mary.ask("group.list")["groups"] == [])


def main(path):
    ada, grace = Client(path), Client(path)
    hello = ada.ask("session.hello", protocol=1, client="public client")
    claim("hello is answered with a nonce and limits",
          len(hello["nonce"]) == 43 and hello["limits"]["data_name_bytes"] == 64)
    grace.ask("session.hello", protocol=1, client="public client")
    error = grace.ask_by_position("room.get", "K7QX3M")
    claim("params by position are refused, and the connection lives",
          error is not None and error.get("code") == "VALIDATION_ERROR"
          and grace.ask("server.ping")["now"] > 0)

    login = ada.ask("session.login", user_name="Ada")
    claim("a login gives a token", len(login["token"]) == 43 and login["user_name"] == "Ada")
    error = grace.refusal("session.login", user_name="ADA")
    claim("its name is taken for others", error is not None and error.get("code") == "NAME_TAKEN")
    grace.ask("session.login", user_name="Grace")

    room = ada.ask("room.create", title="Public")["room_id"]
    seat = ada.ask("room.subscribe", room_id=room)
    claim("a login sits down as its user", seat["user_id"] == login["user_id"])
    full = ada.notice("room.update", lambda u: u.get("full"))
    claim("the first update is a full one", full["room"]["title"] == "Public")
    other = grace.ask("room.subscribe", room_id=room)
    ada.ask("room.join", room_id=room, username="Ada")
    grace.ask("room.join", room_id=room, username="Grace")

    grace.ask("room.vote", room_id=room, vote="5")
    seen = ada.notice("room.update",
                      lambda u: user(u, other["user_id"]).get("has_vote"))
    claim("a vote is seen to be there, and not what it is",
          "vote" not in user(seen, other["user_id"]))
    claim("an update has of a user what changed, and no more",
          user(seen, other["user_id"]) == {"user_id": other["user_id"], "has_vote": True})
    ada.ask("room.vote", room_id=room, vote="8")
    ada.ask("room.set_revealed", room_id=room, is_revealed=True)
    seen = ada.notice("room.update",
                      lambda u: user(u, other["user_id"]).get("vote"))
    claim("revealed, it is", user(seen, other["user_id"])["vote"] == "5")
    ada.ask("room.reset", room_id=room)
    seen = ada.notice("room.update", lambda u: u.get("votes_cleared"))
    claim("a reset takes all votes in one word", "users" not in seen)

    grace.ask("map.create", room_id=room, name="notes")
    first = grace.ask("map.set", room_id=room, name="notes", key="api",
                      value={"who": "vendor", "days": [1, 2.5, None]})
    claim("a value set is revision 1", first["revision"] == 1)
    seen = ada.notice("room.update", lambda u: "api" in entries(u, "map", "notes"))
    claim("the others see the value",
          entries(seen, "map", "notes")["api"]["value"] == {"who": "vendor", "days": [1, 2.5, None]})
    ada.ask("map.set", room_id=room, name="notes", key="api", value="done", if_revision=1)
    error = grace.refusal("map.set", room_id=room, name="notes", key="api", value="late",
                          if_revision=1)
    claim("who comes late is told what is there", error is not None
          and error.get("code") == "CONFLICT"
          and error.get("current") == {"value": "done", "revision": 2, "by": seat["user_id"]})
    seen = grace.notice("room.update",
                        lambda u: entries(u, "map", "notes").get("api", {}).get("revision") == 2)
    claim("and sees it in an update", entries(seen, "map", "notes")["api"]["value"] == "done")
    asked = ada.ask("question.ask", prompt="Shall we ship it?", type="multiple_choice",
                    options=["yes", "no"], min_responses=1)
    question = asked["question_id"]
    claim("a question is open", asked["status"] == "OPEN" and question.startswith("q_"))
    ada.ask("question.watch", question_id=question)
    error = ada.refusal("question.ask", prompt="Shall we ship it?", type="text", idempotency_key="task-123")
    claim("a guest's key is no short one", error is not None and error.get("field") == "idempotency_key")
    listed = grace.ask("question.list")["questions"]
    claim("another user is shown it", [q["question_id"] for q in listed] == [question])
    error = ada.refusal("question.answer", question_id=question, selected_option=0)
    claim("its asker does not answer it", error is not None and error.get("code") == "FORBIDDEN")
    grace.ask("question.answer", question_id=question, selected_option=1, comment="after lunch")
    ended = ada.notice("question.update", lambda u: u["question"]["status"] == "CLOSED")
    claim("the asker is sent its end", ended is not None and ended["question_id"] == question)
    view = ada.ask("question.get", question_id=question)["question"]
    claim("what was answered says not by whom",
          view["summary"] == [{"option": "yes", "votes": 0}, {"option": "no", "votes": 1}]
          and view["responses"] == [{"selected_option": 1, "comment": "after lunch"}])

    whole = ada.ask("map.get", room_id=room, name="notes")
    claim("the map is whole, and says where it stands",
          whole["entries"] == {"api": {"value": "done", "revision": 2, "by": seat["user_id"]}}
          and whole["version"] >= seen["version"] and whole["epoch"] == seen["epoch"])

    who = ada.ask("session.whoami")
    claim("whoami lists the room", who["rooms"] == [room])
    error = ada.refusal("map.set", room_id=room, name="notes", key="api", valeu=1)
    claim("a typing error is named", error is not None and error.get("code") == "VALIDATION_ERROR")
    ada.ask("session.logout")
    claim("logout frees the name",
          grace.ask("session.login", user_name="Ada")["user_name"] == "Ada")
    team(path)
    return exit_code()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
