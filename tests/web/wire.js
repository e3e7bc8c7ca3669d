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

	connect() {
		this.readyState = Socket.OPEN;
		this.onopen();
	}

	/* As far as the answer to the hello. */
	async open() {
		this.connect();
		await this.answer("session.hello", { now: Date.now() });
	}

	send(text) {
		this.sent.push(JSON.parse(text));
	}

	async answer(method, result, error) {
		const { id } = this.sent.find((request) => request.method === method);
		this.onmessage({ data: JSON.stringify({ id, result, error }) });
		await allIsDone();
	}

	refuse(method, error) {
		return this.answer(method, undefined, error);
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

await test("a room that is at another server by now is asked for there, and a change that heard so is sent again", async () => {
	const wire = await connect();
	const change = wire.change("room.vote", { room_id: "K7QX3M", vote: "5" });
	const { params } = Socket.last.sent.at(-1);
	await Socket.last.refuse("room.vote", { code: "ELSEWHERE", message: "another server has this room now", room_id: "K7QX3M" });
	assert.ok(!wire.isOpen);
	wire.connectNow();
	await Socket.last.open();
	assert.deepEqual(Socket.last.sent.at(-1).params, params);
	await Socket.last.answer("room.vote", { version: 2 });
	assert.deepEqual(await change, { version: 2 });
	wire.stop();
});

await test("what is read and cannot be had now is asked for again by its owner; a change is refused, with the reason", async () => {
	let ups = 0;
	const wire = await connect(() => ups++);
	const change = assert.rejects(wire.change("room.nudge", { room_id: "K7QX3M" }), { code: "RATE_LIMITED" });
	await Socket.last.refuse("room.nudge", { code: "RATE_LIMITED", message: "too often", retry_after_ms: 9000 });
	await change;
	assert.ok(wire.isUp);
	const read = assert.rejects(wire.call("question.list"), { code: "LOST" });
	await Socket.last.refuse("question.list", { code: "UNAVAILABLE", message: "the table does not answer" });
	await read;
	assert.equal(wire.why, "The table does not answer");
	wire.connectNow();
	await Socket.last.open();
	assert.deepEqual([ups, wire.isUp, wire.why], [1, true, ""]);
	wire.stop();
});

await test("while no server has the room, the next try is within a second, else later each time", async () => {
	const pauses = [];
	const { setTimeout } = globalThis;
	globalThis.setTimeout = (act, ms) => setTimeout(act, pauses.push(ms) && HOUR_MS);
	const tries = async (code) => {
		const wire = new Wire({ up() {}, down() {}, notice() {} });
		for (let n = 0; n < 9; n++) {
			Socket.last.connect();
			code ? Socket.last.refuse("session.hello", { code, message: "no" }) : Socket.last.onclose();
			await allIsDone();
			wire.connectNow();
		}
		wire.stop();
		return pauses.splice(0);
	};
	for (const code of ["ELSEWHERE", "UNAVAILABLE"]) {
		const all = await tries(code);
		assert.ok(all.length === 9 && all[0] <= 400 && all.every((ms) => ms <= 1000), all.join());
	}
	const all = await tries();
	assert.ok(all[0] <= 400 && all.at(-1) >= 15000, all.join());
	globalThis.setTimeout = setTimeout;
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
