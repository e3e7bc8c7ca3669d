/*
 * speed.js - how long a page takes from its first byte until somebody can type their name into a room, on
 * loopback: the first visit of a browser, and a reload. Beside it the same of a control, a page of two lines with one
 * module that makes a field, for most of the time is the browser's own: to begin a renderer, to ask for a file, to run
 * a module, to draw. Printed as medians, in milliseconds, with the least and the most; no test, for machines are noisy.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Person } from "./person.js";
import { openBrowser, Server, Terminal } from "./programs.js";

const VISITS = 21; /* odd */
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

/* Since the first byte of the page, when its field for the name is there; before the page's own code runs. */
function watch() {
	new MutationObserver((changes, observer) => {
		if (document.getElementById("line")) {
			observer.disconnect();
			window.usableMs = performance.now() - performance.getEntriesByType("navigation")[0].responseStart;
		}
	}).observe(document, { subtree: true, childList: true });
}

async function usableMs(person) {
	await person.until(() => window.usableMs);
	return person.page.evaluate(() => window.usableMs);
}

/* Of one guest in a browser of their own: a first visit, a reload. */
async function visit(place, times) {
	const guest = await Person.open(browser, place, "Guest");
	await guest.page.evaluateOnNewDocument(watch);
	await guest.visit(room_id);
	times.first.push(await usableMs(guest));
	await guest.page.reload();
	times.again.push(await usableMs(guest));
	await guest.close();
}

const sorted = (times) => times.toSorted((a, b) => a - b);
const median = (times) => sorted(times)[(VISITS - 1) / 2];

function show(what, page, empty) {
	const [least, most] = [sorted(page)[0], sorted(page).at(-1)].map((ms) => ms.toFixed(1));
	console.log(`${what}: usable after ${median(page).toFixed(1)} ms (${least}-${most}), ${VISITS} times; a control ${
		median(empty).toFixed(1)} ms, so ${(median(page) / median(empty)).toFixed(2)} of it`);
}

const page = { first: [], again: [] };
const empty = { first: [], again: [] };
for (let i = 0; i < VISITS; i++) {
	await visit(server, page);
	await visit(control, empty);
}
show("first visit", page.first, empty.first);
show("reload", page.again, empty.again);
await browser.close();
http.close();
await server.stop();
