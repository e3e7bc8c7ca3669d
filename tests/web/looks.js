/*
 * looks.js - the page in seven states, at four widths, in both themes: axe-core finds nothing wrong, and
 * nothing needs scrolling sideways. A picture of each is left in pictures/ for looking at.
 */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import axe from "axe-core";
import { Api } from "./api.js";
import { Person } from "./person.js";
import { openBrowser, Server } from "./programs.js";
import { end, test } from "./tap.js";

const SIZES = [{ width: 320, height: 640 }, { width: 768, height: 1024 }, { width: 1440, height: 900 }, { width: 1920, height: 1080 }];
const THEMES = ["light", "dark"];
const PICTURES = "pictures";

mkdirSync(PICTURES, { recursive: true });
const server = await Server.start();
const browser = await openBrowser();

/* A room as teams have them: stories with keys and links, a bot, a spectator, somebody in the lobby. */
async function furnish() {
	const apis = {};
	for (const name of ["Grace", "Linus", "Katherine", "Barbara", "Alan"]) {
		apis[name] = await Api.open(server);
	}
	const { Grace } = apis;
	const room = await Grace.host("Grace", { title: "Sprint 42", policy: { confidence: true } });
	const { room_id } = room;
	const stories = [
		{ key: "PAY-101", title: "Show the balance of all accounts", link: "https://tracker.example/PAY-101",
			description: "With what is pending.\nWithout closed accounts." },
		{ key: "PAY-102", title: "Refund a payment" },
		{ title: "Sign in with a passkey, and keep it on this device" },
		{ key: "PAY-104", title: "Export a month as CSV" },
	];
	for (const name of ["Linus", "Katherine", "Barbara"]) {
		await apis[name].join(room_id, name);
	}
	await apis.Katherine.call("room.join", { room_id, username: "Katherine", role: "spectator" });
	for (const story of stories) {
		await Grace.call("story.add", { room_id, ...story });
	}
	await Grace.call("story.next", { room_id });
	await Grace.call("room.vote", { room_id, vote: "3" });
	await Grace.call("room.set_revealed", { room_id, is_revealed: true });
	await Grace.call("round.settle", { room_id, estimate: "3" });
	await Grace.call("story.next", { room_id });
	return { room, apis };
}

const { room: { room_id }, apis } = await furnish();
const { Grace, Linus, Barbara, Alan } = apis;
const ada = await Person.open(browser, server, "Ada", SIZES[0]);

const STATES = {
	async entry() {
		await ada.visit();
		await ada.sees("New room");
	},
	async voting() {
		await ada.join(room_id);
		await Grace.call("room.set_host", { room_id, user_id: await ada.page.$eval(".me", ({ key }) => key) });
		await ada.sees("Members");
		await Linus.call("room.vote", { room_id, vote: "8", confidence: 2, comment: "The bank's sandbox is slow" });
		await Grace.call("timer.start", { room_id, seconds: 3600 });
		await Grace.call("room.set_policy", { room_id, policy: { lobby: true } });
		await Alan.join(room_id, "Alan");
		await ada.key("5");
		await ada.sees("2 of 4 voted");
		await ada.sees("Alan", ".lobby");
		await ada.seesNoMore("Not confirmed yet");
	},
	async stories() {
		await ada.press("Add stories");
		await ada.fill("#lines", "PAY-105 Close an account https://tracker.example/PAY-105");
	},
	async revealed() {
		await ada.press("Add stories");
		await Grace.call("room.vote", { room_id, vote: "20" });
		await Barbara.call("room.vote", { room_id, vote: "5", confidence: 3 });
		await Grace.call("room.set_revealed", { room_id, is_revealed: true });
		await ada.until(() => document.querySelector("[aria-label=Result]"));
		await ada.press("Earlier rounds");
		await ada.press("1 PAY-101…", "aside");
		await ada.until(() => document.querySelector(".round[open] .bars"));
	},
	async offline() {
		await Grace.call("room.reset", { room_id });
		await ada.sees("0 of 4 voted");
		await ada.key("8");
		await ada.sees("1 of 4 voted");
		await ada.seesNoMore("Not confirmed yet");
		await ada.setOffline(true);
		await ada.sees("Your 8 is kept");
	},
	async open_stories() {
		await ada.setOffline(false);
		await ada.sees("live", "header");
		await Grace.call("room.set_policy", { room_id, policy: { open_stories: true } });
		const { stories } = await Grace.call("story.list", { room_id });
		const [first, second] = stories.filter(({ status }) => status === "todo").map(({ story_id }) => ({ room_id, story_id }));
		await Linus.call("room.vote", { ...first, vote: "3", comment: "Only with a second device" });
		await Barbara.call("room.vote", { ...first, vote: "13" });
		await Grace.call("room.set_revealed", { ...first, is_revealed: true });
		await Barbara.call("room.vote", { ...second, vote: "5" });
		await ada.sees("Talk: from 3 to 13", ".stories");
		await ada.press("Sign in with a passkey…", ".stories");
		await ada.press("PAY-104…", ".stories");
		await ada.press("8", ".stories li:last-child .cards");
		await ada.sees("2 voted", ".stories");
	},
	async question() {
		await Grace.call("session.login", { user_name: "grace" });
		const { question_id } = await Grace.call("question.ask", {
			prompt: "Shall we ship the refunds today, or wait for the bank's answer?", type: "multiple_choice", audience: ["product"],
			options: ["Ship it today", "Wait for the bank", "Ship it without refunds of more than 1,000 euros"], min_responses: 3 });
		await ada.visit(question_id);
		await ada.fill("#line", "ada");
		await ada.press("Continue");
		await ada.press("Wait for the bank");
		await ada.press("4", ".choices");
		await ada.until(() => document.querySelectorAll("[aria-pressed=true]").length === 2);
	},
};

/* What axe-core finds wrong, in a line each. */
async function violations() {
	await ada.page.evaluate(axe.source);
	const found = await ada.page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
	return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}

for (const [state, enter] of Object.entries(STATES)) {
	await test(`${state}: reached`, enter);
	for (const size of SIZES) {
		for (const theme of THEMES) {
			await test(`${state}: accessible and in its place at ${size.width} px, ${theme}`, async () => {
				await ada.page.setViewport(size);
				await ada.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme },
					{ name: "prefers-reduced-motion", value: "reduce" }]);
				await ada.page.screenshot({ path: `${PICTURES}/${state}-${size.width}-${theme}.png`, fullPage: true });
				assert.deepEqual(await violations(), []);
				assert.ok(await ada.page.evaluate(() =>
					document.documentElement.scrollWidth <= document.documentElement.clientWidth), "no scrolling sideways");
			});
		}
	}
}
await test("no browser complained", () => ada.close());

await Promise.all(Object.values(apis).map((api) => api.close()));
await browser.close();
await server.stop();
end();
