/*
 * says.js - a screen reader is told what plain mode says: somebody has one seat on a page and in `aye join --plain`,
 * others play, and both tell the same, line by line.
 */
import assert from "node:assert/strict";
import { Api } from "./api.js";
import { Person } from "./person.js";
import { openBrowser, Server, Terminal } from "./programs.js";
import { end, test } from "./tap.js";

const FIRST = "Grace: The room is called Sprint 42.";
const LAST = "Grace: The room is called Sprint 43.";

const server = await Server.start();
const browser = await openBrowser();

/* In the page, before its own code: all lines of the live region, also those that it drops later. */
function listen() {
	window.heard = [];
	new MutationObserver((changes) => changes.filter(({ target }) => target.id === "log")
		.forEach(({ addedNodes }) => addedNodes.forEach((line) => window.heard.push(line.textContent))))
		.observe(document, { subtree: true, childList: true });
}

/* A page at the seat that the terminal has. */
async function openPage(terminal, room_id) {
	const person = await Person.open(browser, server, terminal.name);
	const kept = { username: terminal.name, user_key: terminal.seatKey(room_id) };
	await person.page.evaluateOnNewDocument(listen);
	await person.visit();
	await person.page.evaluate((key, value) => localStorage.setItem(key, value), `aye.room.${room_id}`, JSON.stringify(kept));
	await person.visit(room_id);
	await person.seesSeat("you", "none");
	return person;
}

/* What both told Ada between two titles of the room. */
async function told(policy, play) {
	const [grace, linus] = await Promise.all([Api.open(server), Api.open(server)]);
	const { room_id } = await grace.host("Grace", { policy: { auto_reveal: false, ...policy } });
	await linus.join(room_id, "Linus");
	const terminal = new Terminal(server, "Ada");
	const plain = terminal.listen("join", room_id, "--plain");
	await plain.hears("Ada");
	const ada = await openPage(terminal, room_id);
	const as = (api) => (method, params) => api.call(method, { room_id, ...params });
	await grace.call("room.set_title", { room_id, title: "Sprint 42" });
	await play({ grace: as(grace), linus: as(linus), ada, plain });
	await grace.call("room.set_title", { room_id, title: "Sprint 43" });
	await plain.hears(LAST);
	await ada.hears(LAST);
	const between = (lines) => lines.slice(lines.indexOf(FIRST) + 1, lines.indexOf(LAST));
	const lines = { plain: between(plain.lines), page: between(await ada.page.evaluate(() => window.heard)) };
	await plain.close();
	await Promise.all([ada, grace, linus].map((each) => each.close()));
	return lines;
}

async function same(claim, policy, play, ...some) {
	await test(claim, async () => {
		const { plain, page } = await told(policy, play);
		assert.deepEqual(page, plain);
		some.forEach((line) => assert.ok(plain.includes(line), `${line} is told, but only\n${plain.join("\n")}`));
	});
}

await same("of a round: who votes, what the cards are, what was settled", { confidence: true }, async ({ grace, linus, ada, plain }) => {
	await grace("story.add", { key: "PAY-7", title: "Show the balance" });
	await grace("story.add", { title: "Refund a payment" });
	await grace("story.next");
	await grace("room.vote", { vote: "3", comment: "As last time", confidence: 3 });
	await linus("room.vote", { vote: "8" });
	await linus("room.vote", { vote: null });
	await linus("room.vote", { vote: "13" });
	await ada.key("5");
	await plain.hears("Your card is 5.");
	await ada.press("high", ".extras");
	await plain.hears("You voted with high confidence.");
	await ada.fill("#comment", "The vendor is slow");
	await ada.key("Enter");
	await plain.hears("Your comment: The vendor is slow");
	await grace("room.set_revealed", { is_revealed: true });
	await grace("room.set_revealed", { is_revealed: false });
	await grace("room.set_revealed", { is_revealed: true });
	await grace("round.settle", { estimate: "5" });
	await grace("round.again");
	await linus("room.vote", { vote: "5" });
	await grace("room.vote", { vote: "5" });
	await grace("room.set_revealed", { is_revealed: true });
	await grace("story.next");
	await grace("round.undo_reset");
	await grace("story.next");
}, "Grace has voted (1 of 3).", "Linus's vote was cleared.", "Grace: Settled on 5.", "Voting on: PAY-7 Show the balance, 2nd vote", "All agree on 5.",
"To speak first: 3 by Grace; 13 by Linus.", "Grace commented: As last time");

await same("of what the room does by itself: countdown, arming, timers, a break", { auto_reveal: true }, async ({ grace, linus, plain, ada }) => {
	await grace("reveal.arm");
	await grace("reveal.arm", { is_armed: false });
	await grace("timer.start", { seconds: 3600 });
	await grace("timer.stop");
	await grace("timer.start", { seconds: 3600, reveal_at_zero: true });
	await grace("room.set_policy", { policy: { keep_votes: true } });
	await grace("timer.start", { seconds: 86400, reveal_at_zero: true });
	await grace("room.set_policy", { policy: { keep_votes: false } });
	await grace("room.pause", { minutes: 10 });
	await grace("room.pause", { minutes: 0 });
	await grace("room.vote", { vote: "3" });
	await linus("room.vote", { vote: "3" });
	await ada.key("3");
	await plain.hears("Everyone has voted. Revealing in a moment.");
	await grace("reveal.cancel");
}, "Grace: The last vote reveals at once.", "Grace: The timer has ended.", "Grace: The countdown has stopped.");

await same("of rules, cards, stories and members", {}, async ({ grace, linus, plain, ada }) => {
	for (const policy of [{ who_reveals: "everyone" }, { who_edits_data: "host" }, { auto_reveal: true }, { hide_who_voted: true },
		{ quorum: 2 }, { quorum: 0 }, { passcode: "eight of clubs" }, { passcode: null }, { hide_who_voted: false }]) {
		const n = plain.lines.length;
		await grace("room.set_policy", { policy });
		await plain.hearsMore(n);
		await ada.hears(plain.lines[n]);
	}
	await grace("room.set_valid_sizes", { valid_sizes: ["S", "M", "L"] });
	await grace("room.set_link_template", { link_template: "https://tracker.example/{key}" });
	await grace("room.set_link_template", { link_template: null });
	const { story_id } = await grace("story.add", { key: "PAY-7", title: "Show the balance" });
	await grace("story.update", { story_id, title: "Show all balances" });
	await grace("story.update", { story_id, estimate: "M" });
	await grace("story.update", { story_id, estimate: null });
	await grace("story.add", { title: "Refund a payment", description: "In full, and in part" }); /* for after the last story comes the summary, in plain mode */
	const { story_id: last } = await grace("story.add", { title: "Close an account" });
	await grace("story.move", { story_id: last, before: story_id });
	for (const each of [last, story_id]) {
		await grace("story.remove", { story_id: each });
		await grace("story.restore", { story_id: each });
	}
	await grace("story.update", { story_id, status: "skipped" });
	await grace("story.remove", { story_id });
	await grace("story.restore", { story_id });
	await linus("room.join", { username: "Linus T." });
	await linus("room.join", { username: "Linus T.", role: "spectator" });
	await linus("room.join", { username: "Linus T.", role: "voter" });
	await grace("room.nudge");
	await linus("room.react", { word: "🎉" });
	await linus("room.leave");
}, "Grace: Everyone can reveal now.", "Grace: 2 votes are needed to reveal now.", "Story skipped: PAY-7 Show all balances",
"Story moved: Close an account", "Linus T. is a spectator now.", "Linus T.: 🎉", "Linus T. left.");

await same("of who is host while the host is away, and of stories with a description", {}, async ({ grace, linus }) => {
	await grace("story.add", { title: "Refund a payment", description: "In full, and in part" });
	await grace("story.add", { title: "Close an account" });
	await grace("story.next");
	await grace("room.leave");
	await linus("room.vote", { vote: "3" });
	await linus("room.vote", { vote: null });
	await grace("room.join", { username: "Grace" });
}, "Voting on: Refund a payment (with a description)", "Linus's vote was cleared.", "Grace is host again.");

await test("of many stories that were added meanwhile their number is told, of a few their names, as plain mode does", async () => {
	const grace = await Api.open(server);
	const { room_id } = await grace.host("Grace", {});
	const ada = await Person.open(browser, server, "Ada");
	await ada.page.evaluateOnNewDocument(listen);
	await ada.visit(room_id);
	await ada.seesSeat("Grace", "none");
	for (const n of [4, 3]) {
		await ada.setOffline(true);
		await ada.sees("not connected", "header");
		for (let i = 1; i <= n; i++) {
			await grace.call("story.add", { room_id, title: `Story ${i} of ${n}` });
		}
		await ada.setOffline(false);
		await ada.sees(`Story ${n} of ${n}`, ".stories");
	}
	const heard = await ada.page.evaluate(() => window.heard.filter((line) => /[Ss]tor/.test(line)));
	assert.deepEqual(heard, ["4 stories were added.", ...[1, 2, 3].map((i) => `Story added: Story ${i} of 3`)]);
	await Promise.all([ada.close(), grace.close()]);
});

await test("a room that is deleted soon says in how many minutes, as plain mode does", async () => {
	const ada = await Person.open(browser, server, "Ada");
	await ada.page.evaluateOnNewDocument(() => {
		window.WebSocket = class extends WebSocket {
			constructor(...words) {
				super(...words);
				window.socket = this;
			}
		};
	});
	await ada.visit((await new Terminal(server, "Ada").newRoom()).room_id);
	await ada.sees("No voters yet");
	for (const [minutes, line] of [[5, "The room is deleted in 5 minutes if unused."], [1, "The room is deleted in 1 minute if unused."]]) {
		await ada.page.evaluate((ms) => window.socket.onmessage({ data: JSON.stringify(
			{ method: "room.expiring", params: { expires_at: Date.now() + ms } }) }), minutes * 60000);
		await ada.hears(line);
	}
	await ada.close();
});

await browser.close();
await server.stop();
end();
