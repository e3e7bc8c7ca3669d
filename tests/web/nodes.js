/*
 * nodes.js - pages of a room on several nodes: at one that is not its home, while its home is killed, and while the
 * nodes do not agree who that is.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Api } from "./api.js";
import { Person } from "./person.js";
import { openBrowser, Redis } from "./programs.js";
import { end, test } from "./tap.js";

const redis = await Redis.start();
const [first, second] = await Promise.all([redis.startNode(), redis.startNode()]);
const browser = await openBrowser();

let ada, grace;

/* What people connect to: one address in front of all nodes, which leads to `front.node`. */
const front = createServer((ours) => {
	const theirs = connect(new URL(front.node.web).port, "127.0.0.1");
	const end = () => [ours, theirs].forEach((socket) => socket.destroy());
	[ours, theirs].forEach((socket) => socket.on("close", end).on("error", end));
	ours.pipe(theirs).pipe(ours);
}).listen(0, "127.0.0.1");
await once(front, "listening");
front.web = `http://127.0.0.1:${front.address().port}/`;

/* At a page that is led to this node. */
async function join(node, name, room_id) {
	front.node = node;
	const person = await Person.open(browser, front, name);
	person.mayBeAway = /WebSocket connection to/; /* where no node is */
	await person.join(room_id);
	return person;
}

const both = (act) => Promise.all([ada, grace].map(act));

/* The seats that somebody's page shows. */
const seatsOf = (person) => person.page.$$eval(".seat", (list) => list.map(({ key }) => key).sort());

await Promise.all([first, second].map((node) => node.counts("cluster_nodes", 2)));
const api = await Api.open(first);
const { room_id } = await api.call("room.create", { policy: { who_reveals: "everyone", who_resets: "everyone" } });
await api.close();

await test("a page at a node that is not the room's home is in the room as one at its home is", async () => {
	grace = await join(first, "Grace", room_id);
	ada = await join(second, "Ada", room_id);
	await second.counts("forwarded_connections", 1);
	await ada.key("5");
	await ada.fill("#comment", "The vendor is slow");
	await ada.key("Enter");
	await grace.key("8");
	await both((person) => person.sees("2 of 2 voted"));
	await ada.hears("Your comment: The vendor is slow");
});

await test("after kill -9 of the home, both come back to their seats at the other node, and nothing is lost", async () => {
	const seats = await seatsOf(grace);
	await first.stop("SIGKILL");
	await both((person) => person.sees("not connected", "header"));
	await ada.sees("Your 5 is kept");
	await grace.press("13", ".cards");
	await grace.sees("Your 13 is sent on reconnect");
	await both((person) => person.sees("live", "header"));
	await grace.seesNoMore("Not confirmed yet");
	await ada.sees("2 of 2 voted");
	await ada.press("Reveal");
	await ada.seesSeat("Grace", "13");
	await grace.seesSeat("Ada", "5");
	await grace.sees("The vendor is slow");
	assert.deepEqual(await seatsOf(grace), seats);
	await second.counts("forwarded_connections", 0);
});

/* Nodes that live, and that nobody can reach: most rooms are theirs. */
const NOBODY = `for i = 1, 50 do
	redis.call('HSET', KEYS[1], struct.pack('>I8', i), '9999999999999999' .. struct.pack('>I8', 1) .. '\\128')
end`;
const NO_MORE = "for i = 1, 50 do redis.call('HDEL', KEYS[1], struct.pack('>I8', i)) end";

await test("while no node is the room's home, a page says so, tries again, and goes on once there is one", async () => {
	await redis.changeNodes(NOBODY);
	await both((person) => person.sees("not connected", "header"));
	await ada.reads((text) => text.includes("ELSEWHERE"), ada.received.length);
	await ada.reads((text) => text.includes("ELSEWHERE"), ada.received.length); /* again */
	const linus = await Person.open(browser, front, "Linus");
	await linus.visit(room_id);
	await linus.sees("Another server has this room now", ".refusal");
	await linus.fill("#line", "Linus");
	await linus.press("Join");
	await linus.sees("Connecting", "h1");
	await linus.sees("Another server has this room now");
	await redis.changeNodes(NO_MORE);
	await Promise.all([ada, grace, linus].map((person) => person.sees("live", "header")));
	await linus.seesSeat("Grace", "13");
	await ada.press("Vote again");
	await Promise.all([ada, grace, linus].map((person) => person.sees("vote 2", ".story").then(() => person.key("8"))));
	await ada.sees("3 of 3 voted");
	await linus.close();
});

await test("no browser complained", () => both((person) => person.close()));

await browser.close();
front.close();
await second.stop();
await redis.stop();
end();
