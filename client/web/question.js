/* question.js - questions to answer: the inbox of one's name, and one of them. */
import { button, choices, el, form, keep, nameForm, recall, say, sayRefusal, theirs } from "./dom.js";
import { bar, left } from "./table.js";
import { Wire } from "./wire.js";

const WHY_NOT = { mine: "Your question", ended: "This question is closed" };

/* A session under a name, kept for the next visit, and what it may see. */
export class Questions {
	stage = "entering"; /* name, here, ended */
	answer = {}; /* what is chosen and typed so far */

	constructor(question_id, draw) {
		Object.assign(this, { question_id, draw, down: draw });
		this.wire = new Wire(this);
	}

	up() {
		const token = recall("session");
		return this.enter(token ? this.wire.call("session.resume", { token }) : Promise.reject({}), "");
	}

	/* why: instead of the server's reason, if it refuses */
	async enter(session, why) {
		try {
			const { token = recall("session"), user_name } = await session;
			keep("session", token);
			this.user_name = user_name;
			await this.read();
		} catch (refusal) {
			this.refused(refusal, "name", why);
		}
	}

	refused({ code, sentence }, stage, why = sentence) {
		if (code !== "LOST") {
			Object.assign(this, { stage, why });
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
			if (question_id === "inbox") {
				this.list = (await wire.call("question.list")).questions;
			} else {
				await wire.call("question.watch", { question_id });
				this.question = (await wire.call("question.get", { question_id })).question;
			}
			this.stage = "here";
			this.draw();
		} catch (refusal) {
			this.refused(refusal, "ended");
		}
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
	const { stage, why, question, list, user_name } = page;
	if (stage === "name") {
		return nameForm(why, ["Continue", (name) => page.login(name)]);
	}
	return stage !== "here" ? null : question ? drawQuestion(page, question) : [
		el("h1", "Inbox"),
		el("p.soft", "You are ", theirs(user_name)),
		list.length === 0 && el("p", "No questions for you."),
		el("ul.inbox", list.map((q) => el("li", { key: q.question_id }, el("a.panel", { href: `#${q.question_id}` },
			el("span.soft", stateOf(page, q)), el("span.prompt", { dir: "auto" }, q.prompt))))),
	];
}

/* "technical · 2 of 5 answers · 54:10 left" */
function stateOf(page, { status, audience, required_responses, current_responses, expires_at }) {
	const isOpen = ["OPEN", "PARTIAL"].includes(status);
	return `${audience[0]} · ${isOpen ? `${current_responses} of ${required_responses} answer${required_responses === 1 ? "" : "s"} · ${left(page, expires_at)} left`
		: `${status.toLowerCase()} · ${current_responses} of ${required_responses} answered`}`;
}

function drawQuestion(page, q) {
	return [
		el("p.soft", stateOf(page, q), q.asked_by && [" · from ", theirs(q.asked_by)]),
		el("h1.prompt", { dir: "auto" }, q.prompt),
		q.can_answer && !q.is_answered ? drawForm(page, q)
			: [el("p.status", q.is_answered ? "You have answered" : WHY_NOT[q.why_not]), drawAnswers(q)],
		el("a", { href: "#inbox" }, "Inbox"),
	];
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
	return form(() => page.send("question.answer", answer, "Your answer was sent"), [
		type === "text" ? el("textarea", { rows: 6, ...typing("Your answer", "answer") })
			: choices("Your answer", options.map((option, i) => [i, theirs(option)]), answer.selected_option,
				(i) => set("selected_option", i), "div.options"),
		el("div.extras", "Confidence", choices("Confidence", [1, 2, 3, 4, 5], answer.confidence, (n) => set("confidence", n)),
			el("input", typing("Comment", "comment"))),
	], button("Skip", () => page.send("question.skip", {}, "Skipped")), el("button.primary", { disabled: !isReady || !wire.isUp }, "Send"));
}

function drawAnswers({ summary = [], responses = [], options }) {
	const most = Math.max(1, ...summary.map(({ votes }) => votes));
	return el("section.result", { "aria-label": "Answers" },
		summary.length > 0 && el("ol.bars", summary.map(({ option, votes }) => bar(option, votes, most))),
		responses.length > 0 && el("ul", responses.map(({ answer, selected_option, confidence, comment }) => el("li.prompt",
			theirs(answer ?? options[selected_option]),
			confidence && `, confidence ${confidence} of 5`,
			comment && [": ", theirs(comment)]))));
}
