/*
 * wire.js - what becomes of a request whose connection is lost: the page's own module, as the server
 * gives it, between a socket and a clock that are the test's.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve as pathOf } from "node:path";
import { Server } from "./programs.js";
import { end, test } from "./tap.js";

const HOUR_MS = 3600000;
const SERVED = "served";

class Socket {
	static OPEN = 1;
	static last;
	sent = [];

	constructor() {
		Socket.last = this;
	}

	/* As far as the answer to the hello. */
	async open() {
		this.readyState = Socket.OPEN;
		this.onopen();
		await this.answer("session.hello", { now: Date.now() });
	}

	send(text) {
		this.sent.push(JSON.parse(text));
	}

	async answer(method, result) {
		const { id } = this.sent.find((request) => request.method === method);
		this.onmessage({ data: JSON.stringify({ id, result }) });
		await allIsDone();
	}

	close() {
		this.readyState = Socket.OPEN + 1;
	}

	get methods() {
		return this.sent.map(({ method }) => method);
	}
}

/* All that follows from what has happened, without time passing. */
const allIsDone = () => new Promise(setImmediate);

const server = await Server.start();
mkdirSync(SERVED, { recursive: true });
writeFileSync(`${SERVED}/wire.js`, await (await fetch(new URL("wire.js", server.web))).text());
await server.stop();
const { Wire } = await import(pathOf(SERVED, "wire.js"));

let now = Date.now();
Date.now = () => now;
Object.assign(globalThis, { WebSocket: Socket, location: { href: "http://127.0.0.1:2938/" } });

/* A connection that is up, and what its owner does when it is up again. */
async function connect(upAgain = () => {}) {
	const owner = { up() {}, down() {}, notice() {} };
	const wire = new Wire(owner);
	await Socket.last.open();
	owner.up = upAgain;
	return wire;
}

async function reconnect(wire) {
	Socket.last.onclose();
	wire.connectNow();
	await Socket.last.open();
}

await test("a change that was lost is sent again, the same, when its owner is back", async () => {
	let isBack;
	const wire = await connect(() => new Promise((resolve) => (isBack = resolve)));
	const change = wire.change("round.again", { room_id: "K7QX3M" });
	const { params } = Socket.last.sent.at(-1);
	await reconnect(wire);
	assert.deepEqual(Socket.last.methods, ["session.hello"]);
	isBack();
	await allIsDone();
	assert.deepEqual(Socket.last.methods, ["session.hello", "round.again"]);
	assert.deepEqual(Socket.last.sent.at(-1).params, params);
	await Socket.last.answer("round.again", { round: 2 });
	assert.deepEqual(await change, { round: 2 });
	wire.stop();
});

await test("one that was lost long ago is refused, and not sent", async () => {
	const wire = await connect();
	const change = wire.change("room.set_revealed", { is_revealed: true });
	Socket.last.onclose();
	now += HOUR_MS;
	wire.connectNow();
	const refused = assert.rejects(change, { code: "LOST", sentence: "Not connected; try again in a moment" });
	await Socket.last.open();
	await refused;
	assert.deepEqual(Socket.last.methods, ["session.hello"]);
	wire.stop();
});

await test("hello names the room that its owner is for, so that the server of that room answers", async () => {
	const inRoom = new Wire({ up() {}, room_id: "K7QX3M" });
	await Socket.last.open();
	assert.equal(Socket.last.sent[0].params.room_id, "K7QX3M");
	inRoom.stop();
	const wire = await connect();
	assert.ok(!("room_id" in Socket.last.sent[0].params));
	wire.stop();
});

await test("what is no change is refused at once", async () => {
	const wire = await connect();
	const refused = assert.rejects(wire.call("round.list"), { code: "LOST" });
	await reconnect(wire);
	await refused;
	assert.deepEqual(Socket.last.methods, ["session.hello"]);
	wire.stop();
});

end();
