/*
 * says.js - a screen reader is told what plain mode says: somebody has one seat on a page and in `aye join --plain`,
 * others play, and both tell the same, line by line.
 */
import assert from "node:assert/strict";
import { Api } from "./api.js";
import { Person } from "./person.js";
import { openBrowser, Server, Terminal } from "./programs.js";
import { end, test } from "./tap.js";

const server = await Server.start("--limit", "vote_grace_ms=500"); /* a host who is away is soon followed */
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
	await person.until(() => document.querySelector(".me"));
	return person;
}

/* Somebody's requests about a room. */
const inRoom = (api, room_id) => (method, params) => api.call(method, { room_id, ...params });

/* Grace leads a room, Linus is in it, and Ada has a terminal. */
async function gather(policy) {
	const [grace, linus] = await Promise.all([Api.open(server), Api.open(server)]);
	const { room_id } = await grace.host("Grace", { policy: { auto_reveal: false, ...policy } });
	await linus.join(room_id, "Linus");
	return { grace, linus, room_id, terminal: new Terminal(server, "Ada") };
}

/* Ada in the terminal, which tells of the room when her seat is kept, then in a page. */
async function enter({ room_id, terminal }) {
	const plain = terminal.listen("join", room_id, "--plain");
	await plain.hearsMore(0);
	return { plain, ada: await openPage(terminal, room_id) };
}

/* What plain mode and the page have told, once both told this line. */
async function heard({ plain, ada }, line) {
	await Promise.all([plain.hears(line), ada.hears(line)]);
	return [plain.lines, await ada.page.evaluate(() => window.heard)];
}

/* What both tell while others play, which is between two titles of the room. */
async function told(policy, play) {
	const { grace, linus, room_id, terminal } = await gather(policy);
	const windows = await enter({ room_id, terminal });
	const host = inRoom(grace, room_id);
	await host("room.set_title", { title: "Sprint 42" });
	await play({ ...windows, grace: host, linus: inRoom(linus, room_id), room_id, terminal });
	await host("room.set_title", { title: "Sprint 43" });
	const [first, last] = [42, 43].map((n) => `Grace: The room is called Sprint ${n}.`);
	const lines = await heard(windows, last);
	await Promise.all([windows.plain, windows.ada, grace, linus].map((each) => each.close()));
	return lines.map((all) => all.slice(all.indexOf(first) + 1, all.indexOf(last)));
}

/* What both tell at first, where Ada has been before: until Linus, whom the furnishing makes a host, gives the room a title. */
async function found(policy, furnish) {
	const { grace, linus, room_id, terminal } = await gather(policy);
	const before = terminal.listen("join", room_id, "--plain");
	await before.hears("Ada");
	const guests = await furnish({ grace, linus, room_id, ada: (verb, ...words) => terminal.aye(verb, room_id, ...words) });
	const windows = await enter({ room_id, terminal });
	await linus.call("room.set_title", { room_id, title: "Sprint 43" });
	const last = "Linus: The room is called Sprint 43.";
	const lines = await heard(windows, last);
	await Promise.all([before, windows.plain, windows.ada, linus, ...guests].map((each) => each.close()));
	return lines.map((all) => all.slice(0, all.indexOf(last)));
}

/* Both told the same, and these lines among it. */
function compare([plain, page], some) {
	assert.deepEqual(page, plain);
	some.forEach((line) => assert.ok(plain.includes(line), `${line} is told, but only\n${plain.join("\n")}`));
}

const same = (claim, policy, play, ...some) => test(claim, async () => compare(await told(policy, play), some));
const sameAtFirst = (claim, policy, furnish, ...some) => test(claim, async () => compare(await found(policy, furnish), some));

/* Stories of a room, by name. */
async function addStories(host, ...stories) {
	const added = [];
	for (const story of stories) {
		const { story_id } = await host("story.add", story);
		added.push({ story_id });
	}
	return added;
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

await same("of others' votes on stories that are open together: whose they are, or how many where that is all one may know", {
	open_stories: true }, async ({ grace, linus }) => {
	const [first, second] = await addStories(grace, { key: "PAY-7", title: "Show the balance" }, { title: "Close an account" });
	await linus("room.vote", { ...first, vote: "5" });
	await grace("room.vote", { ...first, vote: "8" });
	await linus("room.vote", { ...first, vote: null });
	await linus("room.vote", { ...second, vote: "13" });
	await linus("room.vote", { ...second, vote: "5" }); /* of which nothing is told */
	await grace("room.set_policy", { policy: { hide_who_voted: true } });
	await linus("room.vote", { ...first, vote: "3" });
	await linus("room.vote", { ...first, vote: null });
	await grace("room.set_policy", { policy: { hide_who_voted: false } });
	await linus("room.vote", { ...first, vote: "8" });
}, "Linus voted on PAY-7 (1 of 3).", "Linus retracted votes on PAY-7 (1 of 3).", "Linus voted on Close an account (1 of 3).",
"New votes on PAY-7 (2 of 3).", "Votes were cleared on PAY-7 (1 of 3).");

await same("of one's own votes on stories that are open together, of the next of them, and of what becomes of each", { open_stories: true },
	async ({ grace, linus, plain, room_id, terminal }) => {
		const vote = (card, ...on) => terminal.aye("vote", room_id, card, ...on);
		const [first, second, third] = await addStories(grace, { key: "PAY-7", title: "Show the balance" }, { title: "Close an account" },
			{ key: "PAY-9", title: "Refund a payment" });
		await vote("5", "--story", "PAY-7");
		await vote("8", "--story", "PAY-7");
		await vote("-", "--story", "PAY-7");
		await vote("8", "--story", "PAY-7");
		await linus("room.vote", { ...first, vote: "5" });
		await linus("room.vote", { ...second, vote: "3" });
		await grace("room.vote", { ...second, vote: "13" });
		for (const is_revealed of [true, false, true]) {
			await grace("room.set_revealed", { ...second, is_revealed });
		}
		await linus("room.vote", { ...second, vote: "5" });
		await grace("room.set_policy", { policy: { quorum: 3 } });
		await grace("room.set_revealed", { ...first, is_revealed: true });
		await grace("room.set_policy", { policy: { quorum: 0 } });
		await linus("room.vote", { ...second, vote: "13" });
		await grace("round.settle_agreed");
		await grace("story.select", third);
		await vote("3");
		await plain.hears("Your card is 3.");
	}, "You voted 8 on PAY-7.",
	"You have voted on 1 of 3 stories; next: 2, Close an account.", "Revealed: Close an account: 3 to 13.", "Grace: Hidden again: Close an account.",
	"Votes were changed on Close an account: 5 to 13.", "Revealed: PAY-7: 8, 2 of 3 needed.",
	"Votes were changed on Close an account: 13, agreed.", "Grace: Settled: PAY-7 on 8, Close an account on 13.", "You have voted on 1 of 1 story.");

await same("of many stories that are settled at once: how many", { open_stories: true }, async ({ grace, linus }) => {
	const [, ...stories] = await addStories(grace, ...[0, 1, 2, 3, 4].map((n) => ({ key: `PAY-${n}`, title: "Refund a payment" })));
	for (const story of stories) {
		await linus("room.vote", { ...story, vote: "5" });
		await grace("room.set_revealed", { ...story, is_revealed: true });
	}
	await grace("round.settle_agreed");
}, "Revealed: PAY-1: 5, agreed.", "Grace: Settled: 4 stories.");

await test("of own votes that were cast elsewhere while the page was offline: the first by name, the others by number", async () => {
	const { grace, linus, room_id, terminal } = await gather({ open_stories: true });
	await addStories(inRoom(grace, room_id), ...[1, 2, 3, 4].map((n) => ({ key: `PAY-${n}`, title: "Refund a payment" })));
	const { plain, ada } = await enter({ room_id, terminal });
	await ada.setOffline(true);
	await ada.sees("not connected", "header");
	for (const n of [1, 2, 3, 4]) {
		await terminal.aye("vote", room_id, "5", "--story", `PAY-${n}`);
	}
	await ada.setOffline(false);
	await ada.hears("You voted 5 on PAY-1, 5 on PAY-2, 5 on PAY-3 and 1 more.");
	await ada.hears("You have voted on 4 of 4 stories.");
	await Promise.all([plain, ada, grace, linus].map((each) => each.close()));
});

await same("of Ada, who is host again when she is back", {}, async ({ grace, plain, room_id, terminal }) => {
	const third = await Api.open(server); /* a third window at her seat */
	const own = inRoom(third, room_id);
	const { user_id } = await own("room.subscribe", { user_key: terminal.seatKey(room_id) });
	await grace("room.set_host", { user_id });
	await plain.hears("Grace: Ada is host.");
	await own("room.leave");
	await plain.hears("Ada left.");
	await own("room.join", { username: "Ada" });
	await plain.hears("You are host again.");
	const { users } = await own("room.get");
	await grace("room.set_host", { user_id: users.find(({ username }) => username === "Grace").user_id });
	await third.close();
}, "Ada left.", "You are host again.");

await sameAtFirst("at first of a timer, a break, who is there, and one's own card", { confidence: true }, async ({ grace, linus, room_id, ada }) => {
	const host = inRoom(grace, room_id);
	const guests = await Promise.all([1, 2, 3, 4].map(() => Api.open(server)));
	const [barbara, hedy, katherine, robot] = guests;
	await host("room.set_host", { user_id: linus.seat.user_id });
	await host("room.set_title", { title: "Sprint 42" });
	await host("timer.start", { seconds: 3600 });
	await host("room.pause", { minutes: 10 });
	await barbara.join(room_id, "Barbara");
	await barbara.call("room.join", { room_id, username: "Barbara", role: "spectator" });
	await katherine.join(room_id, "Katherine");
	await robot.call("room.subscribe", { room_id });
	await robot.call("room.join", { room_id, username: "robot", is_bot: true });
	await host("room.set_policy", { policy: { lobby: true } });
	await hedy.join(room_id, "Hedy");
	await katherine.close();
	await linus.notice(({ params }) => params.users?.some(({ is_connected }) => is_connected === false));
	await ada("vote", "8", "--comment", "The vendor is slow", "--confidence", "2");
	await linus.call("room.vote", { room_id, vote: "8" });
	return [grace, barbara, hedy, robot];
}, "Grace, host", "Linus, host, has voted", "Barbara, spectator", "robot, a bot", "Hedy, waits in the lobby", "Katherine, away",
"Your card is 8.", "Your comment: The vendor is slow", "You voted with medium confidence.");

await sameAtFirst("at first of how many have voted, where that is all one may know", { hide_who_voted: true }, async ({ grace, linus, room_id }) => {
	await inRoom(grace, room_id)("room.set_host", { user_id: linus.seat.user_id });
	await linus.call("room.vote", { room_id, vote: "8" });
	return [grace];
}, "1 of 3 have voted.");

await sameAtFirst("at first of a host who is away, and of who stands in", {}, async ({ grace, linus }) => {
	await grace.close();
	await linus.notice(({ params }) => params.room?.host_kept_for);
	return [];
}, "Linus, host until Grace is back", "Grace, away");

await sameAtFirst("at first of who has no name, and how many stories there are", {}, async ({ grace, linus, room_id }) => {
	const host = inRoom(grace, room_id);
	const nameless = await Api.open(server);
	await host("room.set_host", { user_id: linus.seat.user_id });
	await addStories(host, { title: "Close an account" }, { key: "PAY-7", title: "Show the balance" });
	await host("story.next");
	await host("room.set_revealed", { is_revealed: true });
	await host("round.settle", { estimate: "5" });
	await nameless.call("room.subscribe", { room_id });
	return [grace, nameless];
}, "Stories: 2, 1 with an estimate", "and 1 without a name");

await sameAtFirst("at first of those who are away: how many, if there are many", {}, async ({ grace, linus, room_id }) => {
	await inRoom(grace, room_id)("room.set_host", { user_id: linus.seat.user_id });
	for (const name of ["Barbara", "Hedy", "Katherine", "Margaret"]) {
		const guest = await Api.open(server);
		await guest.join(room_id, name);
		await guest.close();
		await linus.notice(({ params }) => params.users?.some(({ user_id, is_connected }) => user_id === guest.seat.user_id && is_connected === false));
	}
	return [grace];
}, "Linus, host", "and 4 away");

await sameAtFirst("at first of stories that are open together: how many, and which is next", { open_stories: true }, async ({ grace, linus, room_id, ada }) => {
	const host = inRoom(grace, room_id);
	await host("room.set_host", { user_id: linus.seat.user_id });
	await addStories(host, { key: "PAY-7", title: "Show the balance" }, { title: "Close an account" });
	await ada("vote", "5", "--story", "PAY-7");
	return [grace];
}, "Stories: 2, 0 with an estimate, 2 open together", "You have voted on 1 of 2 stories; next: 2, Close an account.");

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
