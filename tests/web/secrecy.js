/*
 * secrecy.js - what a page is sent before the reveal does not depend on what others vote: the same
 * round is played twice, with other cards, comments and changes of mind, and all that a page received
 * is compared. Ids, keys, versions and times differ from run to run and are replaced, nothing else.
 */
import assert from "node:assert/strict";
import { Api } from "./api.js";
import { Person } from "./person.js";
import { openBrowser, Server } from "./programs.js";
import { end, test } from "./tap.js";

const CHANGING = /^(epoch|since|version|now|nonce|room_id|story_id|user_id|host_user_id|by|user_key|[a-z_]+_(at|on))$/;
const SECRETS = ["The vendor is slow", "Nothing to worry about, and a good deal longer than the other one"];

const server = await Server.start();
const browser = await openBrowser();

/* Each message as text, without what differs from run to run, and without the pulse of the connection. */
function comparable({ received, sent }) {
	const methods = new Map(sent.map((frame) => JSON.parse(frame)).map(({ id, method }) => [id, method]));
	return received.map((frame) => JSON.parse(frame)).filter(({ id }) => methods.get(id) !== "server.ping")
		.map((message) => JSON.stringify({ ...message, id: methods.get(message.id) },
			(name, value) => (CHANGING.test(name) ? name : value)));
}

/*
 * Two others vote, each vote seen on the page before the next: so an update is a vote. What is given
 * back are the messages before the reveal, the page then, and the messages after it.
 */
/* promise: secret-votes */
async function play(policy, cards, comment) {
	const [grace, linus] = await Promise.all([Api.open(server), Api.open(server)]);
	const { room_id, host_key } = await grace.call("room.create", { title: "Sprint 42", policy });
	const ada = await Person.open(browser, server, "Ada");
	await ada.join(room_id, { host_key });
	await grace.join(room_id, "Grace");
	await ada.seesSeat("Grace", "none");
	await linus.join(room_id, "Linus");
	await ada.seesSeat("Linus", "none");
	const votes = async (api, vote) => {
		const n = ada.received.length;
		await api.call("room.vote", { room_id, ...vote });
		await ada.reads((frame) => frame.includes("room.update"), n);
	};
	await votes(grace, { vote: cards[0] });
	await votes(linus, { vote: cards[1] });
	await votes(grace, { vote: cards[2] }); /* a change of mind */
	await votes(linus, { vote: cards[1], comment, confidence: comment.length % 3 + 1 });
	await ada.key("5");
	await ada.sees("3 of 3 voted");
	await ada.seesNoMore("Not confirmed yet");
	await ada.catchUp();
	const hidden = comparable(ada);
	const page = await ada.page.content();
	await ada.press("Reveal");
	await ada.sees(comment);
	await ada.catchUp();
	const shown = comparable(ada).slice(hidden.length);
	await Promise.all([ada, grace, linus].map((each) => each.close()));
	return { hidden, page, shown };
}

/* Of two runs with other secrets. */
function compare(one, other) {
	assert.deepEqual(one.hidden, other.hidden);
	assert.ok(one.hidden.length > 8, "the round was played");
	for (const [run, secret] of [[one, SECRETS[0]], [other, SECRETS[1]]]) {
		assert.ok(!run.page.includes(secret) && !run.hidden.join().includes(secret));
		assert.ok(run.shown.join().includes(secret), "what is looked for would be found");
	}
	assert.notDeepEqual(one.shown, other.shown);
}

for (const policy of [{ confidence: true }, { confidence: true, hide_who_voted: true }]) {
	await test(`what is received before the reveal is the same whatever others vote, with ${JSON.stringify(policy)}`, async () => {
		compare(await play(policy, ["3", "8", "13"], SECRETS[0]), await play(policy, ["∞", "?", "1"], SECRETS[1]));
	});
}

/* As play(), on the story that is not at the table, of a room whose stories are open together. */
async function playOpen(policy, cards, comment) {
	const [grace, linus] = await Promise.all([Api.open(server), Api.open(server)]);
	const { room_id, host_key } = await grace.call("room.create", { title: "Sprint 42", policy: { ...policy, open_stories: true } });
	const { story_id } = await grace.call("story.add", { room_id, host_key, title: "Refund a payment" });
	const ada = await Person.open(browser, server, "Ada");
	await ada.join(room_id, { host_key });
	await grace.join(room_id, "Grace");
	await ada.seesSeat("Grace", "none");
	await linus.join(room_id, "Linus");
	await ada.seesSeat("Linus", "none");
	const votes = async (api, vote, isSeen = true) => {
		const n = ada.received.length;
		await api.call("room.vote", { room_id, story_id, ...vote });
		await (isSeen && ada.reads((frame) => frame.includes("room.update"), n));
	};
	await votes(grace, { vote: cards[0] });
	await votes(linus, { vote: cards[1] });
	await votes(grace, { vote: cards[2], comment }, false); /* of which nothing is told */
	await ada.press("Refund a payment…", ".stories");
	await ada.press("5", ".stories .cards");
	await ada.sees("3 voted", ".stories");
	await ada.sees("you 1 of 1");
	await ada.until(() => !document.querySelector(".pending"));
	await ada.catchUp();
	const hidden = comparable(ada);
	const page = await ada.page.content();
	await ada.press("Reveal…", ".stories");
	await ada.sees(comment);
	await ada.catchUp();
	const shown = comparable(ada).slice(hidden.length);
	await Promise.all([ada, grace, linus].map((each) => each.close()));
	return { hidden, page, shown };
}

for (const policy of [{}, { hide_who_voted: true }]) {
	await test(`so is what is received of an open story, with ${JSON.stringify(policy)}`, async () => {
		compare(await playOpen(policy, ["3", "8", "13"], SECRETS[0]), await playOpen(policy, ["∞", "?", "1"], SECRETS[1]));
	});
}

await browser.close();
await server.stop();
end();
