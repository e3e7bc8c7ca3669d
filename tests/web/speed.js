/*
 * speed.js - how long the page takes from its first byte, on loopback: on the first visit of a browser until somebody
 * can type their name, and until they see the room; when a member reloads it, until they can tap a card. Beside it the
 * same of a control, a page of two lines with one module that makes a field, for most of the time is the browser's own:
 * to begin a renderer, to ask for a file, to run a module, to draw. Printed as medians, in milliseconds, with the least
 * and the most; no test, for machines are noisy.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Person } from "./person.js";
import { openBrowser, Server, Terminal } from "./programs.js";

const VISITS = 21; /* odd */
const SIGNS = { name: "#line", room: ".seats", cards: ".cards button" };
const CONTROL = {
	"/": ["text/html", "<!doctype html><title>control</title><script type=module src=control.js></script>"],
	"/control.js": ["text/javascript", "const field = document.createElement('input'); field.id = 'line'; document.body.append(field);"],
};

const server = await Server.start();
const browser = await openBrowser();
const { room_id } = await new Terminal(server, "Ada").newRoom();
const http = createServer(({ url }, response) => {
	const [type, text] = CONTROL[url] ?? ["text/plain", ""];
	response.setHeader("Content-Type", type).end(text);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const control = { web: `http://127.0.0.1:${http.address().port}/` };

/* Since the first byte of the page, when each sign is there; before the page's own code runs. */
function watch(signs) {
	window.signMs = {};
	new MutationObserver(() => {
		const ms = performance.now() - performance.getEntriesByType("navigation")[0].responseStart;
		for (const [sign, selector] of Object.entries(signs)) {
			if (document.querySelector(selector)) {
				window.signMs[sign] ??= ms;
			}
		}
	}).observe(document, { subtree: true, childList: true });
}

/* When these signs were there. */
async function timesOf(guest, ...signs) {
	await guest.until((...all) => all.every((sign) => window.signMs[sign]), ...signs);
	return guest.page.evaluate(() => window.signMs);
}

async function open(place) {
	const guest = await Person.open(browser, place, "Guest");
	await guest.page.evaluateOnNewDocument(watch, SIGNS);
	await guest.visit(room_id);
	return guest;
}

const times = { name: [], room: [], cards: [], empty: [], again: [] };

/* Of a guest in a browser of their own, then of another at the control. */
async function visit() {
	const guest = await open(server);
	const first = await timesOf(guest, "name", "room");
	times.name.push(first.name);
	times.room.push(first.room);
	await guest.fill("#line", guest.name);
	await guest.press("Join", "main");
	await timesOf(guest, "cards");
	await guest.page.reload();
	times.cards.push((await timesOf(guest, "cards")).cards);
	await guest.close();
	const other = await open(control);
	times.empty.push((await timesOf(other, "name")).name);
	await other.page.reload();
	times.again.push((await timesOf(other, "name")).name);
	await other.close();
}

function median(list) {
	return list.toSorted((a, b) => a - b)[(VISITS - 1) / 2];
}

function show(what, page, empty) {
	const [ms, least, most] = [median(page), Math.min(...page), Math.max(...page)].map((n) => n.toFixed(1));
	const ratio = median(page.map((n, i) => n / empty[i])).toFixed(2);
	console.log(`${what} after ${ms} ms (${least}-${most}), ${VISITS} times; a control after ${median(empty).toFixed(1)} ms, ${ratio} of it pair by pair`);
}

for (let i = 0; i < VISITS; i++) {
	await visit();
}
show("first visit: a name can be typed", times.name, times.empty);
show("first visit: the room is seen", times.room, times.empty);
show("reload: a card can be tapped", times.cards, times.again);
await browser.close();
http.close();
await server.stop();
