/* question.js - questions that a program or a colleague asked: the inbox of one's name, and one of them. */
import { button, choices, el, form, keep, recall, say, sayRefusal, theirs } from "./dom.js";
import { bar, lineForm } from "./table.js";
import { Wire } from "./wire.js";

const MINUTE_MS = 60000;
const CONFIDENCES = [1, 2, 3, 4, 5];
const WHY_NOT = { mine: "Your question", ended: "This question is closed" };

/* A session under a name, kept for the next visit, and what it may see. */
export class Questions {
	stage = "entering"; /* name, here, ended */
	answer = {}; /* what is chosen and typed so far */

	/* question_id: undefined for the inbox */
	constructor(question_id, draw) {
		Object.assign(this, { question_id, draw });
		this.wire = new Wire(this);
	}

	up() {
		const token = recall("session");
		if (token) {
			return this.enter(this.wire.call("session.resume", { token }), "");
		}
		this.stage = "name";
		this.draw();
	}

	down() {
		this.draw();
	}

	/* why: what is said if it is refused, instead of the server's reason */
	async enter(session, why) {
		try {
			const { token = recall("session"), user_name } = await session;
			keep("session", token);
			this.user_name = user_name;
			await this.read();
		} catch ({ code, sentence }) {
			this.stage = code === "LOST" ? this.stage : "name";
			this.why = why ?? sentence;
		}
		this.draw();
	}

	login(user_name) {
		const utc_offset_minutes = -new Date().getTimezoneOffset();
		keep("name", user_name);
		this.enter(this.wire.change("session.login", { user_name, utc_offset_minutes }));
	}

	async read() {
		const { question_id, wire } = this;
		try {
			if (question_id) {
				await wire.call("question.watch", { question_id });
				this.question = (await wire.call("question.get", { question_id })).question;
			} else {
				this.list = (await wire.call("question.list")).questions;
			}
			this.stage = "here";
		} catch ({ code, sentence }) {
			this.stage = code === "LOST" ? this.stage : "ended";
			this.why = sentence;
		}
		this.draw();
	}

	notice() {
		this.read();
	}

	send(method, params, said) {
		this.wire.change(method, { question_id: this.question_id, ...params }).then(() => {
			say(said);
			this.read();
		}, sayRefusal);
	}
}

export function drawQuestions(page) {
	const { stage, why, wire, question, list, user_name } = page;
	if (stage === "name") {
		return el("main", lineForm("Your name", why, { value: recall("name"), autocomplete: "nickname" },
			["Continue", (name) => page.login(name)]));
	}
	if (stage !== "here") {
		return el("main", el("h1", stage === "ended" ? why : wire.link === "lost" ? "Not connected. Retrying" : "Connecting"));
	}
	return question ? drawQuestion(page, question) : el(
		"main",
		el("h1", "Inbox"),
		el("p.soft", "You are ", theirs(user_name)),
		list.length === 0 && el("p", "No questions for you."),
		el("ul.inbox", list.map((q) => el("li", { key: q.question_id }, el("a.panel", { href: `#${q.question_id}` },
			el("span.soft", stateOf(page, q)), el("span.prompt", { dir: "auto" }, q.prompt))))),
	);
}

/* "technical · 2 of 5 answers needed · 54 min left" */
function stateOf({ wire }, { status, audience, required_responses, responses_needed, current_responses, expires_at }) {
	const minutes = Math.max(0, Math.floor((expires_at - wire.now()) / MINUTE_MS));
	const left = minutes < 1 ? "under 1 min" : minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
	const isOpen = ["OPEN", "PARTIAL"].includes(status);
	return `${audience[0]} · ${isOpen ? `${responses_needed} of ${required_responses} answers needed · ${left} left`
		: `${status.toLowerCase()} · ${current_responses} of ${required_responses} answered`}`;
}

function drawQuestion(page, q) {
	return el(
		"main",
		el("p.soft", stateOf(page, q), q.asked_by && [" · from ", theirs(q.asked_by)]),
		el("h1.prompt", { dir: "auto" }, q.prompt),
		q.can_answer && !q.is_answered ? drawForm(page, q)
			: [el("p.status", q.is_answered ? "You have answered" : WHY_NOT[q.why_not]), drawAnswers(q)],
		el("a", { href: "#inbox" }, "Inbox"),
	);
}

function drawForm(page, { type, options }) {
	const { answer, wire } = page;
	const set = (field, value) => {
		answer[field] = value === "" ? undefined : value;
		page.draw();
	};
	const typing = (label, field) =>
		({ "aria-label": label, placeholder: label, dir: "auto", oninput: ({ target }) => set(field, target.value.trim()) });
	const isReady = answer.answer || answer.selected_option !== undefined;
	return form(
		() => page.send("question.answer", answer, "Your answer was sent"),
		type === "text" ? el("textarea", { rows: 6, ...typing("Your answer", "answer") })
			: choices("Your answer", options.map((option, i) => [i, theirs(option)]), answer.selected_option,
				(i) => set("selected_option", i), "div.options"),
		el("div.extras", "Confidence",
			choices("Confidence", CONFIDENCES, answer.confidence, (n) => set("confidence", n)),
			el("input", typing("Comment", "comment"))),
		el("p.buttons", button("Skip", () => page.send("question.skip", {}, "Skipped")),
			el("button.primary", { disabled: !isReady || !wire.isUp }, "Send")),
	);
}

function drawAnswers({ summary = [], responses = [], options }) {
	const most = Math.max(1, ...summary.map(({ votes }) => votes));
	return el(
		"section.result",
		{ "aria-label": "Answers" },
		summary.length > 0 && el("ol.bars", summary.map(({ option, votes }) => bar(option, votes, most))),
		responses.length > 0 && el("ul", responses.map(({ answer, selected_option, confidence, comment }) => el(
			"li.prompt",
			theirs(answer ?? options[selected_option]),
			confidence && `, confidence ${confidence} of 5`,
			comment && [": ", theirs(comment)],
		))),
	);
}
