/*
 * speed.js - how long a page takes from its first byte until somebody can type their name into a room, on
 * loopback: the first visit of a browser, and a reload. Printed as medians, in milliseconds, with the least and the
 * most; no test, for machines are noisy.
 */
import { Person } from "./person.js";
import { openBrowser, Server, Terminal } from "./programs.js";

const VISITS = 21; /* odd */

const server = await Server.start();
const browser = await openBrowser();
const { room_id } = await new Terminal(server, "Ada").newRoom();

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

const first = [];
const again = [];
for (let i = 0; i < VISITS; i++) {
	const guest = await Person.open(browser, server, "Guest");
	await guest.page.evaluateOnNewDocument(watch);
	await guest.visit(room_id);
	first.push(await usableMs(guest));
	await guest.page.reload();
	again.push(await usableMs(guest));
	await guest.close();
}
for (const [what, times] of [["first visit", first], ["reload", again]]) {
	times.sort((a, b) => a - b);
	const shown = [times[(VISITS - 1) / 2], times[0], times[VISITS - 1]].map((ms) => ms.toFixed(1));
	console.log(`${what}: usable after ${shown[0]} ms (${shown[1]}-${shown[2]}), ${VISITS} times`);
}
await browser.close();
await server.stop();
