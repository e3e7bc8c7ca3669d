/*
 * cast.js - people at pages of one server and one at a terminal, as stories have them.
 */
import { Person } from "./person.js";
import { openBrowser, Server, Terminal } from "./programs.js";
import { end, test } from "./tap.js";

const DESK = { width: 1440, height: 900 };
const TABLET = { width: 768, height: 1024 };
const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };
const SMALL_PHONE = { width: 320, height: 568, hasTouch: true, isMobile: true };
const SIZES = { Ada: DESK, Grace: TABLET, Linus: PHONE, Katherine: SMALL_PHONE };

export const RESULT = "[aria-label=Result]";
export const SETTLE = "[aria-label='Settle on']";

export const server = await Server.start();
export const browser = await openBrowser();
export const alan = new Terminal(server, "Alan");
const people = [];

export async function open(...names) {
	const opened = await Promise.all(names.map((name) => Person.open(browser, server, name, SIZES[name])));
	people.push(...opened);
	return opened;
}

/* People in a room; the first hosts it, if there is a host_key. */
export async function gather({ room_id, host_key }, ...names) {
	const all = await open(...names);
	await all[0].join(room_id, { host_key });
	await Promise.all(all.slice(1).map((person) => person.join(room_id)));
	await each(all, (person) => person.until((n) => document.querySelectorAll(".seat").length === n, names.length));
	return all;
}

export const each = (list, act) => Promise.all(list.map(act));

/* A story has people of its own; whose browser complained of something has failed. */
export async function story(claim, play) {
	await test(claim, async () => {
		try {
			await play();
			await each(people, (person) => person.close());
		} finally {
			await each(people.splice(0), (person) => person.context.close().catch(() => {}));
			await alan.close();
		}
	});
}

/* After the last story. */
export async function finish() {
	await browser.close();
	await server.stop();
	end();
}
