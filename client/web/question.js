/*
 * question.js - questions that a program or a colleague asked: the inbox of the name one took, and one
 * question with the form for an answer, or with the answers for those who may see them.
 */
import { button, choices, el, form, say, tell, theirs } from "./dom.js";
import { keep, recall } from "./keep.js";
import { bar, lineForm } from "./table.js";
import { Wire } from "./wire.js";

const READ_EVERY_MS = 60000;
const CONFIDENCES = [1, 2, 3, 4, 5].map((n) => [n, n]);
const WHY_NOT = { mine: "You asked this question", answered: "You have answered", ended: "This question is closed" };

/* A session under a name, kept for the next visit, and what it may see. */
export class Questions {
	stage = "entering"; /* name, here, ended */
	link = "connecting"; /* live, lost */
	why = "";
	answer = {}; /* what is chosen and typed so far */

	/* question_id: null for the inbox */
	constructor(question_id, draw) {
		Object.assign(this, { question_id, draw });
		this.timer = setInterval(() => this.stage === "here" && !question_id && this.read(), READ_EVERY_MS);
		this.wire = new Wire(this);
	}

	stop() {
		clearInterval(this.timer);
		this.wire.stop();
	}

	up() {
		const token = recall("session");
		this.link = "live";
		if (token) {
			this.enter(this.wire.call("session.resume", { token }));
		} else {
			this.stage = "name";
			this.draw();
		}
	}

	down() {
		this.link = "lost";
		this.draw();
	}

	login(user_name) {
		const utc_offset_minutes = -new Date().getTimezoneOffset();
		keep("name", user_name);
		this.enter(this.wire.change("session.login", { user_name, utc_offset_minutes }), true);
	}

	async enter(session, isNew) {
		try {
			const { token, user_name } = await session;
			if (token) {
				keep("session", token);
			}
			this.user_name = user_name;
			await this.read();
		} catch ({ code, sentence }) {
			this.why = isNew ? sentence : "";
			this.stage = code === "LOST" ? this.stage : "name";
		}
		this.draw();
	}

	async read() {
		const { question_id } = this;
		try {
			if (question_id) {
				await this.wire.call("question.watch", { question_id });
				this.question = (await this.wire.call("question.get", { question_id })).question;
			} else {
				this.list = (await this.wire.call("question.list")).questions;
			}
			this.stage = "here";
		} catch ({ code, sentence }) {
			if (code !== "LOST") {
				this.stage = "ended";
				this.why = sentence;
			}
		}
		this.draw();
	}

	notice(method, { question }) {
		if (method === "question.update") {
			tell(question && `${question.current_responses} of ${question.required_responses} answered.`);
			this.read();
		}
	}

	async send(method, params, said) {
		try {
			await this.wire.change(method, { question_id: this.question_id, ...params });
			say(said);
			await this.read();
		} catch ({ sentence }) {
			say(sentence);
		}
	}
}

const isOpen = ({ status }) => ["OPEN", "PARTIAL"].includes(status);

/* "54 min left", "3 h ago" */
function when({ wire }, q) {
	const ms = isOpen(q) ? q.expires_at - wire.now() : wire.now() - q.closed_at;
	const minutes = Math.max(0, Math.floor(ms / 60000));
	const span = minutes < 1 ? "under 1 min" : minutes < 60 ? `${minutes} min`
		: minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
	return `${span} ${isOpen(q) ? "left" : "ago"}`;
}

export function drawQuestions(page) {
	const { stage, why, link, question, list, user_name } = page;
	if (stage === "name") {
		const note = why || "Answers need a name on this server.";
		return el("main.front", lineForm("Your name", note, { value: recall("name"), autocomplete: "nickname" },
			[["Continue", (name) => page.login(name)]]));
	}
	if (stage !== "here") {
		return el("main.front", el("h1", stage === "ended" ? why : link === "lost" ? "Not connected. Retrying" : "Connecting"));
	}
	if (question) {
		return drawQuestion(page, question);
	}
	return el(
		"main.front",
		el("h1", "Inbox"),
		el("p.soft", "You are ", theirs(user_name)),
		list.length === 0 && el("p", "No questions for you."),
		el("ul.inbox", list.map((q) => el("li", { key: q.question_id }, el("a.panel", { href: `#${q.question_id}` },
			el("span.soft", stateOf(page, q)), el("span.prompt", { dir: "auto" }, q.prompt))))),
	);
}

/* "technical · 2 of 5 answers needed · 54 min left" */
function stateOf(page, q) {
	const { audience, required_responses, responses_needed, current_responses, status } = q;
	const state = isOpen(q) ? `${responses_needed} of ${required_responses} answers needed`
		: `${status.toLowerCase()} · ${current_responses} of ${required_responses} answered`;
	return `${audience[0]} · ${state} · ${when(page, q)}`;
}

function drawQuestion(page, q) {
	return el(
		"main.front",
		el("p.soft", stateOf(page, q), q.asked_by && [" · from ", theirs(q.asked_by)]),
		el("h1.prompt", { dir: "auto" }, q.prompt),
		q.can_answer ? drawForm(page, q) : [el("p.status", WHY_NOT[q.why_not]), drawAnswers(q)],
		el("a", { href: "#inbox" }, "Inbox"),
	);
}

function drawForm(page, { type, options }) {
	const { answer, link } = page;
	const set = (field, value) => {
		answer[field] = value || value === 0 ? value : undefined;
		page.draw();
	};
	const typing = (field) => ({ dir: "auto", oninput: ({ target }) => set(field, target.value.trim()) });
	const isReady = answer.answer || answer.selected_option !== undefined;
	return form(
		() => page.send("question.answer", answer, "Your answer was sent"),
		type === "text" ? el("textarea", { rows: 6, "aria-label": "Your answer", ...typing("answer") })
			: choices("div.options", "Your answer", options.map((option, i) => [i, theirs(option)]), answer.selected_option,
				(i) => set("selected_option", i)),
		el("div.extras", el("span.soft", "Confidence"),
			choices("span.choices", "Confidence", CONFIDENCES, answer.confidence, (n) => set("confidence", n)),
			el("input", { "aria-label": "Comment", placeholder: "Comment", ...typing("comment") })),
		el("p.buttons", button("Skip", () => page.send("question.skip", {}, "Skipped")),
			el("button.primary", { disabled: !isReady || link !== "live" }, "Send")),
	);
}

function drawAnswers({ summary = [], responses = [], options }) {
	const most = Math.max(1, ...summary.map(({ votes }) => votes));
	return el(
		"section.result",
		{ "aria-label": "Answers" },
		el("ol.bars", summary.map(({ option, votes }) => bar(option, votes, most))),
		el("ul.comments", responses.map(({ answer, selected_option, confidence, comment }) => el(
			"li.prompt",
			theirs(answer ?? options[selected_option]),
			confidence && `, confidence ${confidence} of 5`,
			comment && [": ", theirs(comment)],
		))),
	);
}
