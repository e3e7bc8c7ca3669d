/*
 * stories.js - what four people at pages and one at a terminal do on a real server, a story at a time.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Api } from "./api.js";
import { alan, browser, each, finish, gather, open, RESULT, server, SETTLE, story } from "./cast.js";
import { Person } from "./person.js";

await story("a room is created on a page; three pages and a terminal join it with their names", async () => {
	const all = await open("Ada", "Grace", "Linus", "Katherine");
	const [ada, grace, linus, katherine] = all;
	await ada.visit();
	await ada.fill("#title", "Sprint 42");
	await ada.press("Create");
	await ada.fill("#line", "Ada");
	await ada.key("Enter");
	const code = await ada.page.evaluate(() => location.hash.slice(1));
	await grace.visit();
	await grace.fill("#code", `aye join ${code.toLowerCase()}`);
	await grace.press("Join");
	await linus.visit(code);
	await katherine.visit(code.toLowerCase());
	for (const person of [grace, linus, katherine]) {
		await person.fill("#line", person.name);
		await person.press("Join");
	}
	await alan.open("join", code);
	for (const person of all) {
		await person.sees("Sprint 42", "h1");
		await each(all.filter((other) => other !== person), ({ name }) => person.seesSeat(name, "none"));
		await person.seesSeat("Alan", "none");
		await alan.sees(person.name);
	}
	await ada.visit((await alan.newRoom()).room_id);
	await ada.until(() => document.getElementById("line")?.value === "Ada"); /* remembered */
});

await story("they vote by tap, by keyboard and in the terminal, change and retract it, and see no card of others", async () => {
	const room = await alan.newRoom();
	const [ada, grace, linus, katherine] = await gather(room, "Ada", "Grace", "Linus", "Katherine");
	await alan.open("join", room.room_id);
	await ada.key("5");
	await ada.seesSeat("you", "5");
	await linus.press("8", ".cards");
	await linus.press("20", ".cards");
	await linus.seesSeat("you", "20");
	await Promise.all([grace.key("1"), grace.key("3")]); /* in a row, one card */
	await grace.seesSeat("you", "13");
	await katherine.press("?", ".cards");
	await alan.sees("Katherine");
	await alan.type("3");
	await ada.sees("5 of 5 voted");
	await alan.sees("5 of 5 voted");
	await grace.key("-");
	await grace.seesSeat("you", "none");
	await katherine.sees("4 of 5 voted");
	await katherine.press("Retract", ".extras");
	await each([ada, linus], (person) => person.sees("3 of 5 voted · waiting for"));
	await ada.seesSeat("Grace", "none");
	await ada.seesSeat("Linus", "back");
	await ada.seesSeat("Alan", "back");
	await linus.seesSeat("Ada", "back");
	await linus.catchUp();
	assert.equal(linus.sent.filter((frame) => frame.includes("room.vote")).length, 2, "a vote is one message");
	await ada.press("More");
	await ada.press("Turn shortcuts off");
	await ada.key("8");
	await ada.press("Turn shortcuts on");
	await ada.seesSeat("you", "5");
	await ada.key("8");
	await ada.seesSeat("you", "8");
});

await story("a reveal on a page is seen in the terminal, one in the terminal on the pages; then settled, then the next", async () => {
	const room_id = await alan.hostRoom("who_reveals=everyone", "who_resets=everyone");
	await alan.aye("add", room_id, "Show the balance", "--key", "PAY-7", "--link", "https://tracker.example/PAY-7");
	await alan.aye("add", room_id, "Refund a payment", "--key", "PAY-8");
	await alan.aye("next", room_id);
	const [ada, grace] = await gather({ room_id }, "Ada", "Grace");
	await alan.open("join", room_id);
	await each([ada, grace], (person) => person.sees("PAY-7 Show the balance", "h1"));
	assert.equal(await grace.page.$eval("h1 a", ({ href, rel, target }) => [href, rel, target].join(" ")),
		"https://tracker.example/PAY-7 noreferrer _blank");
	await each([ada, grace], (person) => person.key("5"));
	await alan.sees("2 of 3 voted");
	await alan.type("5");
	await ada.sees("3 of 3 voted");
	await ada.press("Reveal");
	await alan.sees("All 3 in favour of 5");
	await each([ada, grace], (person) => person.sees("All 3 in favour of 5", RESULT));
	await grace.press("5", SETTLE);
	await each([ada, grace], (person) => person.sees("All in favour, settled on 5", RESULT));
	await alan.sees("ettled on 5");
	await ada.press("Next story");
	await each([ada, grace], (person) => person.sees("PAY-8 Refund a payment", "h1"));
	await alan.sees("Refund a payment");
	await ada.key("3");
	await grace.key("8");
	await alan.sees("2 of 3 voted");
	await alan.type("R");
	await alan.sees("Reveal?");
	await alan.type("y");
	await each([ada, grace], (person) => person.sees("3 and 8 speak first", RESULT));
	await grace.seesSeat("Ada", "3");
	await ada.seesSeat("Grace", "8");
});

await story("a reload comes back to the same seat, with its card and comment", async () => {
	const [ada, linus] = await gather(await alan.newRoom(), "Ada", "Linus");
	await linus.press("8", ".cards");
	await linus.fill("#comment", "The vendor is slow");
	await linus.key("Enter");
	await ada.seesSeat("Linus", "back");
	await linus.page.reload();
	await linus.seesSeat("you", "8");
	await linus.until(() => document.getElementById("comment").value === "The vendor is slow");
	await ada.sees("1 of 2 voted");
	assert.equal(await linus.page.$$eval(".seat", (seats) => seats.length), 2);
});

await story("offline, the page keeps the card and says so; a card chosen then is sent afterwards", async () => {
	const room = await alan.newRoom();
	const [ada, linus] = await gather(room, "Ada", "Linus");
	await linus.press("5", ".cards");
	await ada.sees("1 of 2 voted");
	await linus.sees("1 of 2 voted");
	await linus.seesNoMore("Not confirmed yet");
	await linus.setOffline(true);
	await linus.sees("not connected", "header");
	await linus.sees("Your 5 is kept");
	await linus.press("8", ".cards");
	await linus.sees("Your 8 is sent on reconnect");
	await linus.seesSeat("you", "8");
	await linus.setOffline(false);
	await linus.sees("live", "header");
	await linus.seesNoMore("Not connected");
	await linus.seesNoMore("Not confirmed yet");
	await ada.key("8");
	await ada.sees("2 of 2 voted");
	await ada.press("Reveal");
	await each([ada, linus], (person) => person.sees("All 2 in favour of 8"));
});

await story("who is removed is told so, and may join again", async () => {
	const room_id = await alan.hostRoom();
	const [ada, grace] = await gather({ room_id }, "Ada", "Grace");
	await alan.aye("kick", room_id, "Grace");
	await grace.sees("You were removed from the room.", "h1"); /* by nobody with a name here */
	await ada.until(() => document.querySelectorAll(".seat").length === 1);
	await grace.press("Join again");
	await grace.fill("#line", "Grace");
	await grace.press("Join");
	await ada.seesSeat("Grace", "none");
});

await story("newcomers wait in the lobby, see nothing of the room there, and are admitted or rejected by the host", async () => {
	const room = await alan.newRoom({ lobby: true }, { title: "Sprint 42" });
	const [ada] = await gather(room, "Ada");
	const [grace, linus] = await open("Grace", "Linus");
	for (const person of [grace, linus]) {
		await person.visit(room.room_id);
		await person.fill("#line", person.name);
		await person.press("Join");
		await person.sees("Waiting for a host.");
		await ada.sees(person.name, ".lobby");
	}
	await grace.catchUp();
	assert.ok(!grace.received.some((frame) => frame.includes("Sprint 42") || frame.includes("Ada")));
	await ada.press("Admit…", ".lobby");
	await grace.sees("Sprint 42", "h1");
	await grace.seesSeat("Ada", "none");
	await ada.press("Reject…", ".lobby");
	await linus.sees("removed you from the room.");
	await ada.until(() => !document.querySelector(".lobby"));
	await linus.catchUp();
	assert.ok(!linus.received.some((frame) => frame.includes("Sprint 42")));
});

await story("a room with a passcode asks for it, refuses a wrong one, and asks no more after a reload", async () => {
	const room = await alan.newRoom({ passcode: "eight of clubs" });
	const [ada] = await gather(room, "Ada");
	const [grace] = await open("Grace");
	await grace.visit(room.room_id);
	await grace.fill("[type=password]", "nine of clubs");
	await grace.press("Enter");
	await grace.sees("Wrong passcode.");
	await grace.fill("[type=password]", "eight of clubs");
	await grace.press("Enter");
	await grace.sees("Your name");
	await grace.fill("#line", "Grace");
	await grace.press("Join");
	await ada.seesSeat("Grace", "none");
	await grace.page.reload();
	await grace.seesSeat("you", "none");
});

await story("a spectator sees all, has no hand, and is not waited for", async () => {
	const room = await alan.newRoom();
	const [ada] = await gather(room, "Ada");
	const [katherine] = await open("Katherine");
	await katherine.join(room.room_id, { how: "Spectate" });
	await katherine.sees("You are a spectator.");
	assert.equal(await katherine.page.$(".hand"), null);
	await ada.sees("Spectators: Katherine");
	await ada.key("5");
	await katherine.sees("1 of 1 voted");
	await ada.press("Reveal");
	await katherine.seesSeat("Ada", "5");
	await katherine.press("More");
	await katherine.press("Vote");
	await ada.seesSeat("Katherine", "none");
});

await story("a room has reactions of its own, which the page offers in place of the usual ones", async () => {
	const host = await Api.open(server);
	const [ada] = await gather(await host.call("room.create", {}), "Ada");
	await ada.press("More");
	await ada.sees("🎉");
	const [grace, linus] = await gather(await host.call("room.create", { reactions: ["ship", "<b>"] }), "Grace", "Linus");
	await grace.press("More");
	assert(!(await grace.page.evaluate(() => document.body.textContent)).includes("🎉"));
	await grace.press("<b>");
	await linus.sees("<b>");
	await grace.press("ship");
	await linus.sees("ship", ".seats");
	await host.close();
});

await story("a comment and a confidence go with a vote, and are shown with it", async () => {
	const room = await alan.newRoom({ confidence: true });
	const [ada, grace] = await gather(room, "Ada", "Grace");
	await grace.key("5");
	await grace.press("high", ".extras");
	await grace.until(() => document.querySelector(".extras .choices [aria-pressed=true]")?.innerText === "high");
	await grace.fill("#comment", "The vendor is slow");
	await grace.key("Enter");
	await ada.key("8");
	await ada.sees("2 of 2 voted");
	assert.ok(!(await ada.page.content()).includes("vendor"));
	await ada.press("Reveal");
	await each([ada, grace], (person) => person.sees("confidence 3/3", RESULT));
	await ada.sees("The vendor is slow", RESULT);
	await ada.hears("Grace commented: The vendor is slow");
});

await story("a host leads from a page: stories, timer, nudge, reveal, settle, next; others do not see these rights", async () => {
	const room = await alan.newRoom({ who_edits_stories: "host" });
	const [ada, grace] = await gather(room, "Ada", "Grace");
	await ada.press("Add stories");
	await ada.fill("#lines", "PAY-7 Show the balance https://tracker.example/PAY-7\nRefund a payment");
	await ada.press("Add");
	await grace.sees("Refund a payment", ".stories");
	await ada.press("Next story");
	await each([ada, grace], (person) => person.sees("PAY-7 Show the balance", "h1"));
	await ada.press("More");
	await ada.pressAndAnswer("Start a timer", "5");
	await grace.sees("Timer ", ".pill");
	await ada.press("Nudge");
	await grace.sees("Ada asks you to vote", "#said");
	await ada.key("5");
	await grace.sees("1 of 2 voted");
	await grace.press("More");
	const seen = await grace.page.$$eval("button, summary", (nodes) => nodes.map((node) => node.textContent));
	const rights = ["Reveal", "Next story", "Vote on", "Start a break", "Stop the timer", "Clear all votes", "Add stories"];
	assert.deepEqual(seen.filter((name) => rights.some((right) => name.startsWith(right))), []);
	assert.equal(await ada.pressAndAnswer("Reveal"), "1 of 2 have not voted. Reveal?");
	await grace.seesSeat("Ada", "5");
	assert.equal(await grace.page.$(SETTLE), null);
	await ada.press("5", SETTLE);
	await each([ada, grace], (person) => person.sees("Settled on 5"));
	await ada.press("Next story");
	await each([ada, grace], (person) => person.sees("Refund a payment", "h1"));
	await grace.sees("1 of 2 estimated · sum 5");
	await ada.press("Undo the reset");
	await grace.seesSeat("Ada", "5");
	await grace.press("Earlier rounds");
	await grace.press("1 PAY-7…", "aside");
	await grace.sees("agreement", ".round");
});

await story("stories that are open together are voted on from their list, revealed and settled each on its own", async () => {
	const room = await alan.newRoom({ open_stories: true, confidence: true, who_edits_stories: "host" }, { title: "Sprint 42" });
	const { room_id, host_key } = room;
	for (const [key, title] of [["PAY-7", "Show the balance"], ["PAY-8", "Refund a payment"], ["PAY-9", "Close an account"]]) {
		await alan.call("story.add", { room_id, host_key, key, title });
	}
	const [ada, grace, katherine] = await gather(room, "Ada", "Grace", "Katherine");
	await each([ada, grace, katherine], (person) => person.sees("you 0 of 3"));
	await katherine.press("PAY-7…", ".stories"); /* by tap, at 320 px */
	await katherine.press("5", ".stories .cards");
	await katherine.sees("you 1 of 3");
	await katherine.press("high", ".stories .extras");
	await katherine.until(() => document.querySelector(".stories .extras [aria-pressed=true]")?.innerText === "high");
	await katherine.fill(".stories .extras input", "The vendor is slow");
	await katherine.key("Enter");
	await ada.sees("1 voted", ".stories");
	await ada.page.focus(".stories summary"); /* by keyboard, without opening it */
	await ada.key("8");
	await ada.sees("you 1 of 3");
	await ada.hears("You voted 8 on PAY-7.");
	await ada.key("-");
	await ada.sees("you 0 of 3");
	await ada.key("5", "Tab", "3");
	await ada.sees("you 2 of 3");
	await ada.key("Enter"); /* opens the second */
	await ada.press("3", ".stories .cards"); /* once more retracts it */
	await ada.sees("you 1 of 3");
	await grace.press("PAY-8…", ".stories");
	await grace.press("13", ".stories .cards");
	await ada.press("1", ".stories .cards");
	await each([ada, grace], (person) => person.sees("2 voted", ".stories"));
	assert.ok(!(await ada.page.content()).includes("vendor"));
	assert.equal(await grace.page.evaluate(() => [...document.querySelectorAll("button")].some(({ textContent }) =>
		/^(Reveal|Vote on|Remove|Settle)/.test(textContent))), false);
	await grace.page.reload();
	await grace.sees("you 1 of 3");
	await ada.press("Reveal…", ".stories [open]");
	await each([ada, grace], (person) => person.sees("Talk: from 1 to 13", ".stories summary"));
	await grace.hears("Revealed: PAY-8: 1 to 13.");
	await ada.press("PAY-7…", ".stories");
	await ada.press("Reveal…", ".stories li:first-child");
	await each([ada, grace, katherine], (person) => person.sees("All 2 in favour of 5", ".stories summary"));
	await katherine.sees("The vendor is slow", RESULT);
	assert.equal(await ada.pressAndAnswer("Settle all that agree"), "Settle them all?");
	await each([ada, grace, katherine], (person) => person.sees("1 of 3 estimated · sum 5"));
	await ada.seesNoMore("Settle all that agree");
	await ada.press("3", `.stories ${SETTLE}`);
	await each([ada, grace, katherine], (person) => person.sees("2 of 3 estimated · sum 8"));
	await grace.sees("you 0 of 1");
	await ada.press("PAY-9…", ".stories");
	await ada.press("Vote…", ".stories li:last-child");
	await each([ada, grace, katherine], (person) => person.sees("PAY-9 Close an account", "h1"));
	await grace.key("2");
	await grace.seesSeat("you", "2");
	await grace.sees("you 1 of 1");
});

await story("offline, a card on an open story waits for the connection, and is not sent if it was settled meanwhile", async () => {
	const room = await alan.newRoom({ open_stories: true });
	await alan.call("story.add", { room_id: room.room_id, host_key: room.host_key, title: "Refund a payment" });
	const [ada, linus] = await gather(room, "Ada", "Linus");
	await linus.press("Refund a payment", ".stories");
	await linus.setOffline(true);
	await linus.sees("not connected", "header");
	await linus.press("8", ".stories .cards");
	await linus.sees("you 1 of 1");
	await linus.setOffline(false);
	await ada.sees("1 voted", ".stories");
	await linus.sees("1 voted", ".stories");
	await linus.setOffline(true);
	await linus.sees("not connected", "header");
	await linus.press("5", ".stories .cards");
	await ada.press("Refund a payment…", ".stories");
	await ada.press("Reveal…", ".stories");
	await ada.press("8", `.stories ${SETTLE}`);
	await ada.sees("1 of 1 estimated · sum 8");
	await linus.setOffline(false);
	await linus.sees("This story is closed", "#said");
	await linus.sees("1 of 1 estimated · sum 8");
});

await story("a host makes a co-host, removes a member, changes the cards, and edits and removes a story on a page", async () => {
	const room = await alan.newRoom();
	const [ada, grace] = await gather(room, "Ada", "Grace");
	const [linus] = await open("Linus");
	await linus.join(room.room_id);
	await ada.seesSeat("Linus", "none");
	await ada.press("Members");
	await ada.press("Make co-host…", ".seats");
	await grace.hears("Grace is host.");
	await grace.press("More");
	await grace.pressAndAnswer("Change the cards", "S M L");
	await linus.press("M", ".cards");
	await ada.seesSeat("Linus", "back");
	await grace.press("Members");
	await grace.press("Remove…", ".seats p:last-child");
	await linus.sees("Grace removed you from the room.", "h1");
	await ada.press("End co-host…");
	await grace.seesNoMore("Members");
	await ada.press("Add stories");
	await ada.fill("#lines", "PAY-7 Show the balance");
	await ada.press("Add");
	await ada.press("PAY-7…", ".stories");
	assert.equal(await ada.pressAndAnswer("Edit…", "Show all balances"), "Title");
	await grace.sees("Show all balances", ".stories");
	await ada.press("Remove…", ".stories");
	await grace.hears("Story removed: PAY-7 Show all balances");
	await grace.until(() => !document.querySelector(".stories li"));
});

await story("a countdown is stopped, a nudge rings, there are reactions, breaks and another vote; who is gone is away", async () => {
	const room = await alan.newRoom({ auto_reveal: true });
	const [ada, grace] = await gather(room, "Ada", "Grace");
	await grace.page.evaluate(() => {
		window.rung = [];
		const { start } = OscillatorNode.prototype;
		navigator.vibrate = (ms) => window.rung.push(ms);
		OscillatorNode.prototype.start = function () {
			window.rung.push("tone");
			start.call(this);
		};
	});
	await grace.press("More");
	await ada.press("Nudge");
	await grace.sees("Ada asks you to vote.", "#said");
	assert.deepEqual(await grace.page.evaluate(() => window.rung), ["tone", 200]);
	await ada.key("5");
	await grace.key("5");
	await each([ada, grace], (person) => person.sees("Revealing in", ".status"));
	await ada.press("Stop the countdown");
	await each([ada, grace], (person) => person.sees("2 of 2 voted", ".status"));
	await ada.key("R"); /* as in the terminal */
	await grace.seesSeat("Ada", "5");
	await ada.press("Vote again");
	await each([ada, grace], (person) => person.sees("vote 2", ".story"));
	await grace.seesSeat("Ada", "none");
	await ada.press("More");
	await ada.pressAndAnswer("Start a break", "10");
	await grace.sees("Break: ", ".pill");
	await ada.press("End the break");
	await grace.until(() => !document.querySelector(".pill"));
	await ada.pressAndAnswer("Change the cards", "S M L");
	await grace.press("M", ".cards");
	await ada.key("l"); /* by its letter */
	await ada.seesSeat("you", "L");
	await ada.key("1"); /* by its place */
	await ada.seesSeat("you", "S");
	await grace.press("🎉");
	await ada.sees("🎉", ".reaction");
	await ada.hears("Grace: 🎉");
	await grace.visit();
	await ada.sees("Away: Grace", ".seats");
	await ada.hears("Grace is away.");
});

await story("who created a room and leads it no more becomes host again with one press", async () => {
	const room = await alan.newRoom();
	const [ada, grace] = await gather(room, "Ada", "Grace");
	const seats = await ada.page.$$eval(".seat", (list) => list.map((seat) => [seat.querySelector(".name").innerText.split(/\s/)[0], seat.key]));
	const call = (method, name) => alan.call(method, { room_id: room.room_id, host_key: room.host_key, user_id: new Map(seats).get(name) });
	await call("room.set_host", "Grace");
	await call("room.unset_host", "you");
	await ada.seesNoMore("Next round");
	await grace.sees("Next round");
	await ada.press("More");
	await ada.press("Become host again");
	await ada.sees("Next round");
	await ada.seesNoMore("Become host again");
});

/* Tab until what has this name has the focus. */
async function tabTo(person, name) {
	const isThere = (sought) => {
		const { innerText, ariaLabel, labels } = document.activeElement;
		return [innerText.trim(), ariaLabel, labels?.[0]?.innerText].includes(sought);
	};
	for (let presses = 0; presses < 60; presses++) {
		await person.key("Tab");
		if (await person.page.evaluate(isThere, name)) {
			return;
		}
	}
	throw new Error(`Tab does not reach ${name}`);
}

await story("a room is created, led, voted in and left with the keyboard alone", async () => {
	const [ada] = await open("Ada");
	const type = (text) => ada.page.keyboard.type(text);
	await ada.visit();
	await ada.sees("New room");
	await tabTo(ada, "Title");
	await type("Sprint 42");
	await ada.key("Enter");
	await ada.sees("Your name");
	await tabTo(ada, "Your name");
	await type("Ada");
	await ada.key("Enter");
	await ada.seesSeat("you", "none");
	const linus = await Api.open(server); /* whose card is missing, or the room would reveal by itself */
	await linus.join(await ada.page.evaluate(() => location.hash.slice(1)), "Linus");
	await ada.seesSeat("Linus", "none");
	await tabTo(ada, "Add stories");
	await ada.key("Enter");
	await tabTo(ada, "One story a line; a key may come first, a link last");
	await type("PAY-7 Show the balance\nPAY-8 Refund a payment");
	await tabTo(ada, "Add");
	await ada.key("Enter");
	await ada.sees("PAY-8 Refund a payment", ".stories");
	await ada.key("N");
	await ada.sees("PAY-7 Show the balance", "h1");
	await ada.key("3");
	await ada.seesSeat("you", "3");
	await tabTo(ada, "8");
	await ada.key("Space");
	await ada.seesSeat("you", "8");
	assert.equal(await ada.page.evaluate(() => document.activeElement.innerText), "8"); /* still */
	await tabTo(ada, "Comment on your vote");
	await type("The vendor is slow");
	await ada.key("Enter");
	await ada.hears("Your comment: The vendor is slow");
	await tabTo(ada, "Reveal");
	assert.equal(await ada.answer(() => ada.key("Enter")), "1 of 2 have not voted. Reveal?");
	await ada.sees("The vendor is slow", RESULT);
	await tabTo(ada, "5"); /* of what to settle on */
	await ada.key("Enter");
	await ada.sees("Settled on 5", RESULT);
	await ada.key("N");
	await ada.sees("PAY-8 Refund a payment", "h1");
	await ada.key("q");
	await ada.sees("All in favour say aye.");
	await linus.close();
});

await story("the focus stays where it is while cards are revealed, votes are changed, and the result goes", async () => {
	const [ada, linus] = await gather(await alan.newRoom({ vote_after_reveal: true, who_reveals: "everyone", who_resets: "everyone" }), "Ada", "Linus");
	const isOn = (name) => ada.until((sought) => document.activeElement.innerText === sought, name);
	await tabTo(ada, "5");
	await ada.key("Enter");
	await ada.seesSeat("you", "5");
	await linus.press("13", ".cards");
	await linus.press("Reveal");
	await ada.seesSeat("Linus", "13");
	await isOn("5");
	await linus.press("5", ".cards");
	await ada.sees("All 2 in favour of 5");
	await linus.press("8", ".cards");
	await ada.sees("Linus, changed", RESULT);
	await isOn("5");
	await linus.press("Vote again");
	await ada.sees("0 of 2 voted");
	await isOn("5");
	await ada.key("Enter");
	await linus.seesSeat("Ada", "back");
});

await story("a question is skipped", async () => {
	const asker = await Api.open(server);
	await asker.call("session.login", { user_name: "barbara" });
	const { question_id } = await asker.call("question.ask", { prompt: "Tea or coffee?", type: "multiple_choice", options: ["Tea", "Coffee"] });
	const [katherine] = await open("Katherine");
	await katherine.visit(question_id);
	await katherine.fill("#line", "katherine");
	await katherine.press("Continue");
	await katherine.sees("from barbara");
	await katherine.press("Skip");
	await katherine.sees("Skipped", "#said");
	await katherine.press("Inbox");
	await katherine.sees("No questions for you.");
	await asker.close();
});

await story("a question that is asked while an inbox is open is in it at once, and said", async () => {
	const asker = await Api.open(server);
	await asker.call("session.login", { user_name: "hedy" });
	const [grace] = await open("Grace");
	await grace.visit("inbox");
	await grace.fill("#line", "margaret");
	await grace.press("Continue");
	await grace.sees("You are margaret");
	await grace.inTime(grace.reads((frame) => frame.includes("subscription_id"), 0), "a subscription");
	await asker.call("question.ask", { prompt: "Which week suits you?", type: "text" });
	await grace.sees("Which week suits you?", ".inbox");
	await grace.hears("New question");
	await asker.close();
});

await story("a question from aye ask is answered on pages, by its link and from the inbox, and aye gets the answers", async () => {
	await alan.aye("login", "alan");
	const outcome = alan.aye("ask", "Ship it today?", "-o", "yes", "-o", "no", "--need", "2", "--wait", "--json");
	const [grace, linus] = await open("Grace", "Linus");
	await linus.visit("inbox");
	await linus.fill("#line", "linus");
	await linus.press("Continue");
	await linus.sees("Ship it today?", ".inbox");
	await linus.press("general…", ".inbox");
	const id = await linus.page.evaluate(() => location.hash.slice(1));
	await grace.visit(id);
	await grace.fill("#line", "grace");
	await grace.press("Continue");
	await grace.press("no");
	await grace.press("Send");
	await grace.sees("1 of 2 answered");
	await grace.press("yes"); /* one may change it until it has ended */
	await grace.press("4", ".choices");
	await grace.fill("[aria-label=Comment]", "Tested on staging");
	await grace.press("Change");
	await grace.sees("Tested on staging", "[aria-label=Answers]");
	await linus.press("no");
	await linus.press("Send");
	await each([grace, linus], (person) => person.sees("2 of 2 answered · closed"));
	const { responses } = JSON.parse((await outcome).split("\n").at(-1));
	assert.deepEqual(responses.map(({ selected_option, confidence }) => [selected_option, confidence]).sort(), [[0, 4], [1, undefined]]);
});

await story("a room of many shows sixty seats, one's own first, and counts all", async () => {
	const room = await alan.newRoom();
	const [ada] = await gather(room, "Ada");
	const others = await Promise.all(Array.from({ length: 64 }, () => Api.open(server)));
	await each(others, (other) => other.join(room.room_id, `Member ${others.indexOf(other)}`));
	await ada.sees("0 of 65 voted");
	await ada.until(() => document.querySelectorAll(".seat").length === 60);
	await ada.until(() => document.querySelector(".seat").classList.contains("me"));
	await each(others, (other) => other.close());
});

/* The SHA-256 of the certificate that a page was given, as aye prints it. */
async function fingerprint(person) {
	const { origin } = new URL(person.page.url());
	const { tableNames: [certificate] } = await person.devtools.send("Network.getCertificate", { origin });
	return createHash("sha256").update(Buffer.from(certificate, "base64")).digest("hex").toUpperCase().replace(/..(?=.)/g, "$&:");
}

await story("aye new --share --web opens the page over https; who compared its certificate goes on, and votes", async () => {
	alan.goAlone();
	try {
		const printed = await alan.aye("new", "--share", "127.0.0.1:0", "--web");
		const [, web, room_id] = /(https:\S+\/)#(\w+)/.exec(printed);
		const ada = await Person.open(browser, { web }, "Ada");
		await assert.rejects(ada.page.goto(web), /ERR_CERT_AUTHORITY_INVALID/);
		await ada.devtools.send("Security.setIgnoreCertificateErrors", { ignore: true });
		await ada.visit();
		await ada.sees("New room");
		ada.faults.splice(0); /* what the browser's warning is made of */
		await ada.join(room_id);
		assert.ok(printed.replaceAll(/\s+/g, ":").includes(await fingerprint(ada)), printed);
		await alan.open("join", room_id);
		await ada.seesSeat("Alan", "none");
		await ada.key("5");
		await alan.sees("1 of 2 voted");
		await ada.close();
	} finally {
		await alan.close();
		await alan.endOwnServer();
	}
});

await finish();
