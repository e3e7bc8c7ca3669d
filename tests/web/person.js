/*
 * person.js - somebody at a page: a window with storage of its own, what they see in it, press and type.
 *
 * All waiting is for what the page shows: until() looks after each change of the document. What a browser
 * complains of (an error in the console, a broken rule of the Content-Security-Policy, a request that
 * leaves the server) is kept in `faults`, and has to be none in the end.
 */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { WAIT_MS } from "./programs.js";

/* In the page: what can be pressed and has this text, or begins with it up to "…", in the part that `scope` selects. */
const findPressable = (text, scope) => [...document.querySelectorAll(scope)]
	.flatMap((part) => [...part.querySelectorAll("button, a, summary")])
	.filter((node) => node.checkVisibility() && !node.disabled)
	.find(({ innerText }) => (text.endsWith("…") ? innerText.trim().startsWith(text.slice(0, -1)) : innerText.trim() === text));

const TEXT_FRAME = 1;

export class Person {
	faults = [];
	received = []; /* the texts of the WebSocket */
	sent = [];
	frames = new EventEmitter();
	seen = ""; /* all texts that the page had when it was looked at */

	/* size: width, height, and hasTouch for a phone */
	static async open(browser, server, name, size = { width: 1024, height: 768 }) {
		const person = new Person();
		const context = await browser.createBrowserContext();
		const page = await context.newPage();
		Object.assign(person, { server, name, context, page, hasTouch: size.hasTouch });
		await page.setViewport(size);
		await person.listen();
		return person;
	}

	async listen() {
		const { page, faults, server } = this;
		page.on("console", (message) => ["error", "warn"].includes(message.type()) && !this.isExpected(message.text()) &&
			faults.push(message.text()));
		page.on("pageerror", (error) => faults.push(String(error)));
		page.on("dialog", (dialog) => this.takeQuestion(dialog));
		page.on("request", (request) => request.url().startsWith(server.web) || faults.push(request.url()));
		await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation",
			({ violatedDirective, blockedURI }) => console.error(`${violatedDirective} forbids ${blockedURI}`)));
		this.devtools = await page.createCDPSession();
		await this.devtools.send("Network.enable");
		const record = (list) => ({ response }) => {
			if (response.opcode === TEXT_FRAME) {
				list.push(response.payloadData);
				this.frames.emit("frame");
			}
		};
		this.devtools.on("Network.webSocketFrameReceived", record(this.received));
		this.devtools.on("Network.webSocketFrameSent", record(this.sent));
	}

	/* That there is no connection, for one whose connection a test takes away. */
	isExpected(fault) {
		return this.mayBeAway?.test(fault);
	}

	/* A question of the browser, which nothing else can happen before. */
	async takeQuestion(dialog) {
		const { answer, resolve } = this.answering ?? {};
		this.answering = null;
		await (resolve ? dialog.accept(answer) : dialog.dismiss());
		resolve ? resolve(dialog.message()) : this.faults.push(`asked without reason: ${dialog.message()}`);
	}

	/* ---- what is seen ---- */

	/* Until a function is true, which runs in the page. */
	async until(claim, ...args) {
		const looking = this.page.evaluate(`new Promise((resolve) => {
			const isTrue = () => (${claim})(...${JSON.stringify(args)});
			const look = () => isTrue() && (observer.disconnect(), resolve());
			const observer = new MutationObserver(look);
			observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
			look();
		})`);
		await this.inTime(looking, `${claim} ${JSON.stringify(args)}`);
	}

	/* What is promised, or after WAIT_MS an error that says what was waited for. */
	async inTime(promise, what) {
		let timer;
		const tooLate = new Promise((resolve, reject) => {
			timer = setTimeout(async () => reject(new Error(`${this.name} waits in vain for ${what}; sees\n${this.faults.join("\n")}\n${
				await this.page.evaluate(() => document.body.innerText)}`)), WAIT_MS);
		});
		return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer));
	}

	sees(text, part = "#page, #said") {
		return this.until((sought, selector) =>
			[...document.querySelectorAll(selector)].some((node) => node.innerText.includes(sought)), text, part);
	}

	/* Until it is nowhere. */
	seesNoMore(text, part = "#page") {
		return this.until((sought, selector) =>
			[...document.querySelectorAll(selector)].every((node) => !node.innerText.includes(sought)), text, part);
	}

	/* Somebody's seat: "none", "back", or the card that it shows. */
	seesSeat(name, card) {
		return this.until((who, what) => [...document.querySelectorAll(".seat")].some((seat) => {
			const [own, shown] = [".name", ".card"].map((part) => seat.querySelector(part).innerText.trim());
			return own.split(/\s/)[0] === who && (seat.classList.contains("face") ? shown === what : seat.classList.contains(what));
		}), name, card);
	}

	/* What a screen reader was told. */
	hears(line) {
		return this.until((sought) => document.getElementById("log").textContent.includes(sought), line);
	}

	/* Until all messages of before are in `received` and `sent`: the answer is behind what told of them. */
	async catchUp() {
		await this.devtools.send("Runtime.evaluate", { expression: "0" });
	}

	/* Until a message has arrived, behind the first `n`. */
	async reads(isIt, n) {
		while (!this.received.slice(n).some(isIt)) {
			await once(this.frames, "frame", { signal: AbortSignal.timeout(WAIT_MS) });
		}
	}

	/* ---- what is done ---- */

	async visit(fragment = "") {
		await this.page.goto(`${this.server.web}#${fragment}`);
	}

	async press(text, scope = "body") {
		await this.until(findPressable, text, scope);
		const found = await this.page.evaluateHandle(findPressable, text, scope);
		await (this.hasTouch ? this.tap(found) : found.click());
		await found.dispose();
	}

	/* A tap in the corner before it, for two at one place are soon a double tap. */
	async tap(found) {
		await this.page.touchscreen.tap(1, 1);
		await found.evaluate((node) => node.scrollIntoView({ block: "center" })); /* from behind the hand */
		await found.tap();
	}

	/* As fast as nobody means it, where the first press was. */
	async pressTwice(text, scope = "body") {
		await this.until(findPressable, text, scope);
		const found = await this.page.evaluateHandle(findPressable, text, scope);
		await found.scrollIntoView();
		const { x, y } = await found.clickablePoint();
		const { touchscreen, mouse } = this.page;
		await (this.hasTouch ? touchscreen.tap(x, y).then(() => touchscreen.tap(x, y)) : mouse.click(x, y, { count: 2 }));
		await found.dispose();
	}

	/* Do what makes the browser ask, and accept it, with a text where one is asked for; the question. */
	async answer(act, text) {
		const asked = new Promise((resolve) => (this.answering = { answer: text, resolve }));
		await act();
		return this.inTime(asked, "a question");
	}

	pressAndAnswer(text, answer) {
		return this.answer(() => this.press(text), answer);
	}

	async fill(selector, text) {
		await this.until((sought) => document.querySelector(sought)?.checkVisibility({ visibilityProperty: true }), selector);
		await this.page.focus(selector);
		await this.page.$eval(selector, (field) => field.select?.());
		await this.page.keyboard.type(text);
	}

	async key(...keys) {
		for (const key of keys) {
			await this.page.keyboard.press(key);
		}
	}

	async setOffline(isOffline) {
		this.mayBeAway = /ERR_INTERNET_DISCONNECTED/;
		await this.page.setOfflineMode(isOffline);
	}

	/* Come into a room with a name, and with the host_key where that is ours. */
	async join(room_id, { how = "Join", host_key } = {}) {
		if (host_key) {
			await this.visit();
			await this.page.evaluate((key, kept) => localStorage.setItem(key, kept), `aye.room.${room_id}`, JSON.stringify({ host_key }));
		}
		await this.visit(room_id);
		await this.fill("#line", this.name);
		await this.press(how, "main");
		await this.until(() => /\byou\b/.test(document.querySelector(".seats")?.innerText)); /* as all are shown it */
	}

	async close() {
		await this.context.close();
		assert.deepEqual(this.faults, [], `what ${this.name}'s browser complains of`);
	}
}
