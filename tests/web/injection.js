/*
 * injection.js - whatever a member or an asker writes is text on a page: markup, scripts, controls that
 * turn lines around, and words without end from both sides, each in every field that one can fill in, as
 * long as the field allows. Nothing becomes an element, and at 320 px nothing needs scrolling sideways.
 */
import assert from "node:assert/strict";
import { Api } from "./api.js";
import { Person } from "./person.js";
import { openBrowser, Server } from "./programs.js";
import { end, test } from "./tap.js";

const NARROW = { width: 320, height: 568, hasTouch: true, isMobile: true };
const TEXTS = {
	"an image with a handler": `<img src=x onerror="window.hit=1">`,
	"the end of a script": `</script><script>window.hit=1</script>`,
	"controls of direction": "\u202Eevil\u2067\u2066\u202D",
	"one CJK word": "見積",
	"one Latin word": "Donaudampfschiff",
	"Arabic": "تقدير القصة ",
};
const LINKS = [`javascript:window.hit=1//https://tracker.example/`, `https://tracker.example/"onclick="window.hit=1"><b>`];

/* What the page is made of. */
const ELEMENTS = "A ASIDE BDI B BODY BUTTON CODE DD DETAILS DIALOG DIV DL DT EM FORM H1 H2 HEADER INPUT LABEL LI MAIN OL P " +
	"PROGRESS SECTION SMALL SPAN SUMMARY TEXTAREA UL";

const server = await Server.start("--limit", "answers_per_minute=100", "--limit", "answers_per_hour=1000");
const browser = await openBrowser();
let people = 0; /* who have asked: names are unique */

/* The text again and again, as long as a field of so many cells or characters is; or once. */
function fill(text, { cells = Infinity, chars = Infinity }) {
	const width = text.charCodeAt(0) >= 0x2e80 ? 2 : 1;
	const most = Math.min(chars, Math.floor(cells / width));
	return text.repeat(Math.max(1, Math.floor(most / text.length))).slice(0, most).trim();
}

/* A server may refuse a text; what it takes has to be harmless. */
async function isTaken(request) {
	try {
		await request;
		return true;
	} catch ({ code, message }) {
		assert.equal(code, "VALIDATION_ERROR", message);
		return false;
	}
}

async function staysText(person) {
	const { foreign, handlers, links, hit, width, text } = await person.page.evaluate((known) => ({
		foreign: [...document.body.querySelectorAll("*")].map(({ tagName }) => tagName).filter((name) => !known.includes(name)),
		handlers: [...document.querySelectorAll("*")].flatMap(({ attributes }) => [...attributes])
			.map(({ name }) => name).filter((name) => name.startsWith("on") || name === "style"),
		links: [...document.querySelectorAll("a")].map(({ protocol }) => protocol).filter((protocol) => !/^https?:$/.test(protocol)),
		hit: window.hit,
		width: document.documentElement.scrollWidth,
		text: document.body.textContent,
	}), ELEMENTS.split(" "));
	assert.deepEqual({ foreign, handlers, links, hit }, { foreign: [], handlers: [], links: [], hit: undefined });
	assert.equal(width, NARROW.width, "no scrolling sideways");
	person.seen += text;
}

async function inARoom(text) {
	const [asker, member] = await Promise.all([Api.open(server), Api.open(server)]);
	const { limits } = asker.hello;
	const field = (name) => fill(text, { cells: limits[`${name}_cells`] });
	const shown = [];
	const fills = async (value, request) => (await isTaken(request(value))) && shown.push(value);
	const room = await asker.host("Grace", { policy: { auto_reveal: false } });
	const { room_id } = room;
	await fills(field("card"), (card) => asker.call("room.set_valid_sizes", { room_id, valid_sizes: [card, "5", "8"] }));
	await fills(field("title"), (title) => asker.call("room.set_title", { room_id, title }));
	await member.join(room_id, "Linus");
	await fills(field("name"), (username) => member.call("room.join", { room_id, username }));
	const added = [];
	const story = async (fields) => {
		added.push((await asker.call("story.add", { room_id, title: "Show the balance", ...fields })).story_id);
	};
	await fills(field("story_title"), (title) => story({ title }));
	await fills(field("story_key"), (key) => story({ key }));
	await fills(fill(text, { chars: 500 }), (description) => story({ description }));
	for (const link of LINKS) {
		await isTaken(story({ key: "PAY-7", link }));
	}
	await story({ key: "PAY-8" }); /* which has the link of the room's template */
	const ada = await Person.open(browser, server, "Ada", NARROW);
	await ada.join(room_id, room);
	for (const story_id of added) {
		await asker.call("story.select", { room_id, story_id });
		await ada.until((n) => document.querySelector(".story .soft").textContent.startsWith(`Story ${n}/`), added.indexOf(story_id) + 1);
		await staysText(ada);
	}
	for (const link of [...LINKS, `https://tracker.example/${text}/`]) {
		const old = await ada.page.evaluate(() => document.querySelector("h1 a")?.href);
		if (await isTaken(asker.call("room.set_link_template", { room_id, link_template: `${link}{key}` }))) {
			await ada.until((href) => document.querySelector("h1 a") && document.querySelector("h1 a").href !== href, old);
			await staysText(ada);
		}
	}
	const card = (await asker.call("room.get", { room_id })).room.valid_sizes[0];
	await member.call("room.vote", { room_id, vote: card });
	await fills(field("comment"), (comment) => member.call("room.vote", { room_id, vote: card, comment }));
	await asker.call("room.vote", { room_id, vote: "8" });
	await fills(field("reaction"), (word) => member.call("room.react", { room_id, word }));
	await ada.sees("2 of 3 voted");
	await staysText(ada);
	await asker.call("room.set_revealed", { room_id, is_revealed: true });
	await ada.until(() => document.querySelector("[aria-label=Result]"));
	await staysText(ada);
	await asker.call("round.settle", { room_id, estimate: card });
	await ada.sees("Settled on");
	await ada.press("Earlier rounds");
	await ada.press("1…", "aside");
	await ada.until(() => document.querySelector(".round[open] .bars"));
	await staysText(ada);
	await Promise.all([asker.close(), member.close()]);
	await ada.close();
	assert.deepEqual(shown.filter((value) => !ada.seen.includes(value)), [], "what the server has taken is shown");
}

async function inAQuestion(text) {
	const [asker, other] = await Promise.all([Api.open(server), Api.open(server)]);
	people++;
	if (!(await isTaken(asker.call("session.login", { user_name: fill(text, { cells: asker.hello.limits.name_cells }) })))) {
		await asker.call("session.login", { user_name: `grace${people}` });
	}
	await other.call("session.login", { user_name: `linus${people}` });
	const prompt = fill(text, { chars: 300 });
	const option = fill(text, { chars: 200 });
	const ask = (more) => asker.call("question.ask", { prompt: "Shall we ship it today?", min_responses: 2, ...more });
	const choices = ["5", option];
	const ids = [];
	await isTaken(ask({ type: "text", prompt }).then(({ question_id }) => ids.push(question_id)));
	await isTaken(ask({ type: "multiple_choice", options: choices }).then(({ question_id }) => ids.push(question_id)));
	const ada = await Person.open(browser, server, "Ada", NARROW);
	await ada.visit("inbox");
	await ada.fill("#line", `ada${people}`);
	await ada.press("Continue");
	await ada.until((n) => document.querySelectorAll(".inbox li").length >= n, ids.length);
	await staysText(ada);
	for (const question_id of ids) {
		const { question: { type } } = await asker.call("question.get", { question_id });
		const answer = type === "text" ? { answer: prompt } : { selected_option: 1 };
		await isTaken(other.call("question.answer", { question_id, ...answer, comment: fill(text, { chars: 500 }) }));
		await ada.visit(question_id);
		await ada.until(() => document.querySelector("form"));
		await staysText(ada);
		await (type === "text" ? ada.fill("textarea", "Yes.") : ada.press("5", ".options"));
		await ada.press("Send");
		await ada.sees("You have answered");
		await staysText(ada);
	}
	await Promise.all([asker.close(), other.close()]);
	await ada.close();
}

for (const [name, text] of Object.entries(TEXTS)) {
	await test(`in a room, ${name} stays text, and fits`, () => inARoom(text));
	await test(`in a question, ${name} stays text, and fits`, () => inAQuestion(text));
}

await browser.close();
await server.stop();
end();
