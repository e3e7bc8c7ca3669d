/*
 * doors.js - how the page is guarded: the headers of all that is served, what the browser makes of them
 * (inline code, frames, another page's WebSocket), and what a load and a start cost.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import WebSocket from "ws";
import { Api } from "./api.js";
import { Person } from "./person.js";
import { openBrowser, Server } from "./programs.js";
import { end, test } from "./tap.js";

const HEADERS = {
	"content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"x-frame-options": "DENY",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"set-cookie": null,
};

/* The paths of all that ayed serves, from its one list. */
const SERVED = [...readFileSync("../../server/web/web_files.h", "utf8").matchAll(/"(\/\S*)",/g)].map(([, path]) => path);

const server = await Server.start();
const browser = await openBrowser();

/* The page of somebody else, at another origin, with this in its body. */
async function withStranger(body, look) {
	const http = createServer((request, response) => response.setHeader("Content-Type", "text/html").end(body)).listen(0, "127.0.0.1");
	await once(http, "listening");
	const context = await browser.createBrowserContext();
	try {
		const page = await context.newPage();
		await page.goto(`http://127.0.0.1:${http.address().port}/`);
		await look(page);
	} finally {
		await context.close();
		http.closeAllConnections();
		http.close();
	}
}

async function opens(headers) {
	const socket = new WebSocket(server.ws, "aye.v1", { headers });
	const [isOpen, response] = await Promise.race([
		once(socket, "open").then(() => [true]),
		new Promise((resolve) => {
			socket.on("unexpected-response", (request, answer) => resolve([false, answer]));
			socket.on("error", () => {});
		}),
	]);
	socket.terminate();
	return isOpen || response.statusCode;
}

await test("each file has the headers that guard it, and is not sent again while it is the same", async () => {
	const ada = await Person.open(browser, server, "Ada");
	const asked = [];
	ada.page.on("request", (request) => asked.push(request.url().replace(/#$/, "")));
	await ada.visit();
	await ada.sees("New room");
	await ada.page.waitForNetworkIdle();
	const served = SERVED.map((path) => new URL(path, server.web).href);
	assert.deepEqual(asked.toSorted(), served.toSorted(), "one request a file, and each file is for something");
	for (const url of [...served, `${server.web}nothing`]) {
		const answer = await fetch(url);
		assert.deepEqual(Object.fromEntries(Object.keys(HEADERS).map((name) => [name, answer.headers.get(name)])), HEADERS, url);
		if (answer.ok) {
			const again = await fetch(url, { headers: { "If-None-Match": answer.headers.get("ETag") }, cache: "no-store" });
			assert.equal(again.status, 304, url);
		} else {
			assert.equal(answer.status, 404);
		}
	}
	await ada.close();
});

await test("inline code does not run, and the browser reports it", async () => {
	const ada = await Person.open(browser, server, "Ada");
	await ada.visit();
	await ada.page.evaluate(async () => {
		const reports = [];
		const reported = new Promise((resolve) => addEventListener("securitypolicyviolation", (report) => reports.push(report) === 2 && resolve()));
		const script = document.createElement("script");
		script.textContent = "window.hit = 1";
		document.body.append(script);
		const image = document.createElement("div");
		image.setAttribute("onclick", "window.hit = 1");
		document.body.append(image);
		image.click();
		await reported;
	});
	assert.equal(await ada.page.evaluate(() => window.hit), undefined);
	assert.ok(ada.faults.some((fault) => fault.startsWith("script-src-elem forbids inline")), "a report is a fault");
	assert.ok(ada.faults.some((fault) => fault.startsWith("script-src-attr forbids inline")));
	ada.faults = [];
	await ada.close();
});

/* promise: quiet-page */
await test("the page is shown in no frame of another page", () =>
	withStranger(`<iframe src="${server.web}"></iframe>`, async (page) => {
		const frame = page.frames()[1];
		assert.match(frame.url(), /^chrome-error:/);
		assert.equal(await frame.$("#page"), null);
	}));

/* promise: web-origins */
await test("a WebSocket of another page is refused, in a browser", () =>
	withStranger("", async (page) => {
		const became = await page.evaluate((address) => new Promise((resolve) => {
			const socket = new WebSocket(address, "aye.v1");
			socket.onopen = () => resolve("open");
			socket.onclose = () => resolve("refused");
		}), server.ws);
		assert.equal(became, "refused");
	}));

await test("the Origin of a WebSocket is the host's own, or there is none", async () => {
	const { host, port } = new URL(server.web);
	assert.equal(await opens({}), true);
	assert.equal(await opens({ Origin: `http://${host}` }), true);
	for (const origin of ["http://evil.example", "null", `http://127.0.0.1:${Number(port) + 1}`, `http://${host}.evil.example`]) {
		assert.equal(await opens({ Origin: origin }), 403, origin);
	}
	assert.equal(await opens({ Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` }), 421, "rebinding of a name");
});

await test("a client of another library plays a round by the documentation alone", async () => {
	const [ada, linus] = await Promise.all([Api.open(server), Api.open(server)]);
	const { room_id } = await ada.host("Ada", { title: "Sprint 42" });
	await linus.join(room_id, "Linus");
	assert.equal((await linus.call("room.vote", { room_id, vote: "5" })).has_vote, true);
	const voted = await ada.notice(({ method, params }) => method === "room.update" && params.users?.some(({ has_vote }) => has_vote));
	assert.ok(!JSON.stringify(voted).includes('"vote"'));
	await assert.rejects(linus.call("room.set_revealed", { room_id, is_revealed: true }), { code: "FORBIDDEN" });
	await ada.call("room.set_revealed", { room_id, is_revealed: true });
	const revealed = await linus.notice(({ params }) => params.room?.is_revealed);
	assert.equal(revealed.params.room.result.suggestion, "5");
	await Promise.all([ada.close(), linus.close()]);
});

await browser.close();
await server.stop();
end();
