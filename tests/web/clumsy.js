/*
 * clumsy.js - people who press twice, type before the page has connected, go back, have two tabs, let the phone sleep,
 * keep nothing, or follow a link that is wrong or old.
 */
import assert from "node:assert/strict";
import { Api } from "./api.js";
import { alan, browser, each, finish, gather, open, server, story } from "./cast.js";
import { Person } from "./person.js";
import { Server } from "./programs.js";

/* Where a card is. */
const placeOf = (person) => person.page.$eval(".cards button", (card) => card.getBoundingClientRect().y);

await story("a double tap or click is one press, and no card moves under it", async () => {
	const room = await alan.newRoom();
	const all = await gather(room, "Ada", "Linus");
	const [ada, linus] = all;
	for (const [n, person] of all.entries()) {
		await person.sees(`${n} of 2 voted`); /* the button to nudge is there or not */
		const place = await placeOf(person);
		await person.pressTwice("8", ".cards");
		await person.seesSeat("you", "8");
		assert.equal(await placeOf(person), place);
	}
	await each(all, (person) => person.sees("2 of 2 voted"));
	await each(all, (person) => person.seesSeat("you", "8"));
	await each(all, (person) => person.catchUp());
	assert.deepEqual(all.map(({ sent }) => sent.filter((frame) => frame.includes("room.vote")).length), [1, 1]);
	await ada.press("Add stories");
	await ada.fill("#lines", "Show the balance\nRefund a payment\nClose an account");
	await ada.pressTwice("Add");
	await ada.sees("Close an account", ".stories");
	await ada.press("Reveal");
	await ada.sees("All 2 in favour of 8");
	await ada.pressTwice("Next story");
	await linus.sees("Story 1/3", ".story");
	assert.equal(await ada.page.$$eval(".stories > li", (rows) => rows.length), 3);
	await ada.visit();
	await ada.fill("#title", "Sprint 42");
	await ada.pressTwice("Create");
	await ada.sees("Sprint 42", "h1");
	await ada.catchUp();
	assert.equal(ada.sent.filter((frame) => frame.includes("room.create")).length, 1);
});

/* No connection opens before connect(). */
async function holdBack(person) {
	await person.page.evaluateOnNewDocument(() => {
		const opened = new Promise((resolve) => (window.connect = resolve));
		window.WebSocket = class extends WebSocket {
			set onopen(act) {
				this.addEventListener("open", () => opened.then(act));
			}

			get readyState() {
				return window.connect ? 0 : super.readyState;
			}
		};
	});
}

const connect = (person) => person.page.evaluate(() => {
	window.connect();
	window.connect = null;
});

await story("a name can be typed before the page has connected, and is used then", async () => {
	const [ada] = await gather(await alan.newRoom(), "Ada");
	const code = await ada.page.evaluate(() => location.hash.slice(1));
	const [grace, linus, katherine] = await open("Grace", "Linus", "Katherine");
	await each([grace, linus, katherine], holdBack);
	await grace.visit(code);
	await grace.fill("#line", "Gra");
	await connect(grace);
	await grace.seesSeat("Ada", "none");
	await grace.page.keyboard.type("ce"); /* it has the focus still */
	await grace.key("Enter");
	await ada.seesSeat("Grace", "none");
	await linus.visit(code);
	await linus.fill("#line", "Linus");
	await linus.press("Join");
	await linus.sees("Connecting", "h1");
	await linus.page.evaluate(() => {
		const now = Date.now;
		Date.now = () => now() + 60000; /* a minute later */
	});
	await connect(linus);
	await ada.seesSeat("Linus", "none");
	await linus.seesSeat("you", "none");
	const { room_id } = await alan.newRoom({ passcode: "eight of clubs", lobby: true });
	await katherine.visit(room_id);
	await katherine.fill("#line", "Katherine");
	await katherine.press("Join");
	await connect(katherine);
	await katherine.fill("[type=password]", "eight of clubs");
	await katherine.press("Enter");
	await katherine.sees("Waiting for a host.");
});

await story("who writes a comment when the cards are revealed writes on in its field, and no letter is a key of the room", async () => {
	const room = await alan.newRoom({ who_reveals: "everyone" });
	const [ada, linus] = await gather(room, "Ada", "Linus");
	await ada.press("5", ".cards");
	await ada.fill("#comment", "The vendor i");
	await linus.press("8", ".cards");
	await linus.press("Reveal");
	await ada.sees("Suggested 8");
	await ada.page.keyboard.type("s quiet");
	assert.equal(await ada.page.evaluate(() => document.activeElement.value), "The vendor is quiet");
	await ada.seesSeat("you", "5");
});

await story("a name that is refused is asked for again, with the reason", async () => {
	const { room_id } = await alan.newRoom();
	const [grace, linus] = await open("Grace", "Linus");
	await holdBack(linus);
	await linus.visit(room_id);
	await linus.fill("#line", "Linus".repeat(20));
	await linus.press("Join");
	await connect(linus);
	await linus.sees("Username: ", ".refusal");
	await linus.fill("#line", "Linus");
	await linus.press("Join");
	await linus.seesSeat("you", "none");
	await grace.visit(room_id);
	await grace.seesSeat("Linus", "none");
	await grace.fill("#line", "Grace".repeat(20));
	await grace.press("Join");
	await grace.sees("Username: ", ".refusal");
	assert.equal(await grace.page.$eval("#line", ({ value }) => value), "Grace".repeat(20));
});

await story("a key that is held down is one press", async () => {
	const [ada, linus] = await gather(await alan.newRoom(), "Ada", "Linus");
	await Promise.all([ada, linus].map((person) => person.key("5")));
	await ada.sees("2 of 2 voted");
	await ada.page.$$eval("button", (all) => all.find(({ innerText }) => innerText === "Reveal").focus());
	await ada.page.keyboard.down("Enter");
	await ada.sees("All 2 in favour of 5");
	await ada.until(() => document.activeElement.innerText.startsWith("Settle on")); /* what is in its place */
	await ada.page.keyboard.down("Enter");
	await ada.page.keyboard.up("Enter");
	await ada.catchUp();
	assert.ok(!ada.sent.some((frame) => frame.includes("round.settle")));
	await ada.press("Add stories");
	await ada.fill("#lines", "Show the balance");
	await ada.page.keyboard.down("Enter");
	await ada.page.keyboard.down("Enter");
	assert.equal(await ada.page.$eval("#lines", ({ value }) => value), "Show the balance\n\n");
	await ada.page.keyboard.up("Enter");
});

await story("who creates rooms too fast is told so, and when to try again", async () => {
	const strict = await Server.start("--limit", "room_creates_per_minute=1");
	const ada = await Person.open(browser, strict, "Ada");
	await ada.visit();
	await ada.press("Create");
	await ada.sees("Your name");
	await ada.press("aye");
	await ada.press("Create");
	await ada.sees("try again in", "#said");
	await ada.catchUp();
	assert.match(await ada.page.$eval("#said", (said) => said.textContent), /try again in \d+ s$/);
	await ada.close();
	await strict.stop();
});

await story("the back button goes back to the same seat", async () => {
	const [ada, grace] = await gather(await alan.newRoom(), "Ada", "Grace");
	await grace.key("5");
	await ada.seesSeat("Grace", "back");
	await grace.press("aye");
	await grace.sees("New room");
	await grace.page.goBack();
	await grace.seesSeat("you", "5");
	await ada.until(() => document.querySelectorAll(".seat").length === 2);
});

await story("two tabs of a browser are one seat, and both show what is done in either", async () => {
	const [ada, grace] = await gather(await alan.newRoom(), "Ada", "Grace");
	const other = await grace.context.newPage();
	await other.goto(grace.page.url());
	await grace.key("8");
	await other.waitForFunction(() => document.querySelector(".me .card")?.innerText === "8");
	await other.keyboard.press("5");
	await grace.seesSeat("you", "5");
	await other.keyboard.press("q"); /* the first stays */
	await other.waitForFunction(() => !location.hash);
	await other.close();
	await ada.key("5");
	await grace.sees("2 of 2 voted");
	await ada.press("Reveal");
	await ada.seesSeat("Grace", "5");
	assert.equal(await ada.page.$$eval(".seat", (seats) => seats.length), 2);
});

await story("a page that slept shows what happened meanwhile", async () => {
	const [ada, linus] = await gather(await alan.newRoom(), "Ada", "Linus");
	await linus.press("8", ".cards");
	await ada.seesSeat("Linus", "back");
	linus.mayBeAway = /Back-Forward Cache/; /* where the browser closes its connection */
	await linus.devtools.send("Page.setWebLifecycleState", { state: "frozen" });
	await ada.key("5");
	await ada.sees("2 of 2 voted");
	await ada.press("Reveal");
	await ada.seesSeat("Linus", "8");
	await linus.devtools.send("Page.setWebLifecycleState", { state: "active" });
	await linus.seesSeat("Ada", "5");
});

/* The seats that somebody's page shows, as a set. */
const seatsOf = (person) => person.page.$$eval(".seat", (list) => list.map(({ key }) => key).sort());

/* A browser that keeps nothing. */
const forbidStorage = (person) => person.page.evaluateOnNewDocument(() => {
	Object.defineProperty(window, "localStorage", { get() {
		throw new DOMException("The operation is insecure.", "SecurityError");
	} });
});

await story("where nothing can be kept, one votes and answers, and comes back after the network was lost", async () => {
	const room = await alan.newRoom();
	const [ada] = await gather(room, "Ada");
	const [grace, linus] = await open("Grace", "Linus");
	await each([grace, linus], forbidStorage);
	await grace.join(room.room_id);
	await grace.key("8");
	await ada.seesSeat("Grace", "back");
	const seats = await seatsOf(ada);
	await grace.setOffline(true);
	await grace.sees("not connected", "header");
	await grace.setOffline(false);
	await grace.sees("live", "header");
	await grace.seesSeat("you", "8");
	await ada.key("5");
	await ada.sees("2 of 2 voted");
	await ada.press("Reveal"); /* shown behind whatever coming back changed */
	await ada.seesSeat("Grace", "8");
	assert.deepEqual(await seatsOf(ada), seats);
	const asker = await Api.open(server);
	await asker.call("session.login", { user_name: "dorothy" });
	const { question_id } = await asker.call("question.ask", { prompt: "Ship it today?", type: "multiple_choice", options: ["Yes", "No"] });
	await linus.visit(question_id);
	await linus.fill("#line", "linus");
	await linus.press("Continue");
	await linus.press("Yes");
	await linus.setOffline(true);
	await linus.sees("not connected", "header");
	await linus.setOffline(false);
	await linus.sees("live", "header");
	await linus.press("Send");
	await linus.sees("You have answered");
	await asker.close();
});

await story("a link that is wrong, or of a question that has ended, says so", async () => {
	const [ada, grace] = await open("Ada", "Grace");
	await ada.visit("zzzzzz");
	await ada.sees("no", "h1");
	await ada.visit("zzz");
	await ada.sees("Room id: must be 6 to 16", "h1");
	await ada.visit("q_ZZZZZZZZZZ");
	await ada.fill("#line", "ada");
	await ada.press("Continue");
	await ada.until(() => document.querySelector("h1")?.innerText.length > 0 && !document.getElementById("line"));
	const asker = await Api.open(server);
	await asker.call("session.login", { user_name: "hedy" });
	const { question_id } = await asker.call("question.ask", { prompt: "Ship it today?", type: "multiple_choice", options: ["Yes", "No"] });
	await asker.call("question.cancel", { question_id });
	await grace.visit(question_id.toLowerCase());
	await grace.fill("#line", "grace");
	await grace.press("Continue");
	await grace.sees("This question is closed");
	await asker.close();
});

await finish();
