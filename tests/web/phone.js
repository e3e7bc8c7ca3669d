/*
 * phone.js - what all of the page is for: a link from a terminal, opened on a phone. Taps are counted as the page gets
 * them.
 */
import assert from "node:assert/strict";
import { alan, browser, finish, RESULT, story } from "./cast.js";
import { Person } from "./person.js";

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };

/* In the page, before its own code: the taps on what can be used. */
function countTaps() {
	window.taps = 0;
	addEventListener("touchstart", ({ target }) => target.closest("input, button, a, summary") && window.taps++, true);
}

/* Somebody who follows a link with a phone, and gives a name: they tap the field, type, and press the key that sends it. */
async function follow(name, link) {
	const [, web, fragment] = /(https?:\S+\/)#(\w+)/.exec(link);
	const person = await Person.open(browser, { web }, name, PHONE);
	await person.page.evaluateOnNewDocument(countTaps);
	await person.visit(fragment);
	await person.until(() => document.querySelector("#line"));
	await person.page.tap("#line");
	await person.page.keyboard.type(name);
	await person.key("Enter");
	return person;
}

/* A story on the server that aye starts for Alan. */
const atHome = (claim, play) => story(claim, async () => {
	try {
		await play();
	} finally {
		await alan.close();
		await alan.endOwnServer();
	}
});

alan.goAlone();

await atHome("the link of aye new --share --insecure-web: name, card, reveal, three taps", async () => {
	const printed = await alan.aye("new", "--share", "127.0.0.1:0", "--insecure-web");
	const room_id = /\w+/.exec(printed)[0];
	await alan.aye("room", "policy", room_id, "auto_reveal=off", "who_reveals=everyone");
	await alan.open("join", room_id);
	await alan.sees("waiting for you");
	const ada = await follow("Ada", printed);
	await ada.seesSeat("Alan", "none");
	await alan.type("8");
	await ada.seesSeat("Alan", "back");
	await ada.press("5", "[aria-label='Your card']");
	await ada.sees("2 of 2 voted");
	await ada.press("Reveal");
	await ada.sees("Alan", RESULT);
	await alan.sees("Ada");
	assert.equal(await ada.page.evaluate(() => window.taps), 3);
	await ada.close();
});

await atHome("the link of aye ask: name, answer, send, three taps, and who asked has it", async () => {
	await alan.aye("new", "--share", "127.0.0.1:0", "--insecure-web");
	await alan.aye("login", "alan");
	const { question_id, link } = JSON.parse(await alan.aye("ask", "Ship it today?", "-o", "yes", "-o", "no", "--json"));
	const grace = await follow("grace", link);
	await grace.press("yes");
	await grace.press("Send");
	await grace.sees("You have answered");
	const { question: { responses } } = await alan.call("question.get", { question_id });
	assert.deepEqual(responses.map(({ selected_option }) => selected_option), [0]);
	assert.equal(await grace.page.evaluate(() => window.taps), 3);
	await grace.close();
});

await finish();
