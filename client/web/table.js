/* table.js - what a member sees of a room: story, seats, result, hand, stories, earlier rounds. */
import { button, choices, el, form, recall, sayRefusal, theirs, unseen } from "./dom.js";
import { isOutlier, shortNumber } from "./replica.js";
import { actionsOf, addStories, selectStory } from "./room.js";
import { advice } from "./tell.js";

const SEATS_MOST = 60;
const NAMES_MOST = 5;
const CONFIDENCES = [[1, "low"], [2, "medium"], [3, "high"]];

export function drawRoom(m) {
	const { stage, why, wire, isJoining, room, you } = m;
	if (stage === "ended") {
		return el("main", el("h1", why), button("Join again", () => location.reload()));
	}
	if (stage === "passcode") {
		const enter = (passcode) => m.enter(Object.assign(m, { passcode }));
		return el("main", lineForm("Passcode", why, { type: "password" }, ["Enter", enter]));
	}
	if (!you.user_id || !(room || you.is_waiting)) {
		return el("main", el("h1", wire.link === "lost" ? "Not connected. Retrying" : "Joining the room"));
	}
	const joining = !you.username && !isJoining && joinForm(m);
	if (you.is_waiting) {
		return el("main", joining || [el("h1", "You are in the lobby"), el("p", "Waiting for a host.")]);
	}
	return el(
		"main.room",
		el("div", joining, drawStory(m), drawSeats(m), drawResult(m), drawActions(m), drawHand(m)),
		el("aside", drawStories(m), drawRounds(m)),
	);
}

/* A form of one line; buttons are [label, what it does], the main one first. */
export function lineForm(label, refusal, properties, [first, enter], [second, other] = []) {
	const typed = () => document.getElementById("line").value.trim();
	return form(() => enter(typed()), { key: label }, el("h1", el("label", { for: "line" }, label)),
		refusal && el("p.refusal", { role: "alert" }, refusal),
		el("input", { id: "line", required: true, dir: "auto", ...properties }),
		el("p.buttons", second && button(second, () => other(typed())), el("button.primary", first)));
}

function joinForm(m) {
	const joins = (role) => async (username) => {
		await m.join(username, role).catch(({ sentence }) => (m.why = sentence));
		m.draw();
	};
	return lineForm("Your name", m.why, { value: recall("name"), autocomplete: "nickname" },
		["Join", joins("voter")], ["Spectate", joins("spectator")]);
}

function drawStory(m) {
	const { story, storyList, room: { timer, pause_ends_at, title, story_round, link_template } } = m;
	const { key, link, description } = story ?? {};
	const address = link || (key && link_template?.replace("{key}", encodeURIComponent(key)));
	return el(
		"section.story",
		el(
			"p.soft",
			story && `Story ${storyList.indexOf(story) + 1}/${storyList.length}`,
			story_round > 1 && ` · vote ${story_round}`,
			timer && [" ", el("span.pill", "Timer ", left(m, timer.ends_at))],
			pause_ends_at && [" ", el("span.pill", "Break: ", left(m, pause_ends_at))],
		),
		el("h1", linkTo(address, key || (address && "Link")), theirs(story?.title ?? title ?? "Vote without a story")),
		description && el("p.description", { dir: "auto", tabindex: 0 }, description),
	);
}

/* Only the web is linked to. */
function linkTo(address, text) {
	const isLink = /^https?:\/\//i.test(address);
	return text && [el(isLink ? "a.key" : "span.key",
		isLink && { href: address, target: "_blank", rel: "noopener noreferrer" }, theirs(text)), " "];
}

/* "1:42", "3 h" */
function left(m, ends_at) {
	const seconds = Math.max(0, Math.ceil((ends_at - m.wire.now()) / 1000));
	const minutes = Math.floor(seconds / 60);
	return minutes < 120 ? `${minutes}:${String(seconds % 60).padStart(2, "0")}` : `${Math.floor(minutes / 60)} h`;
}

const nameOf = (m, user) => (m.isMe(user) ? "you" : theirs(user.username ?? "someone"));

/* "Ada, Grace and 3 more" */
function namesOf(m, users, most) {
	const names = users.slice(0, most).flatMap((user, i) => [i > 0 && ", ", nameOf(m, user), user.has_left && " (left)", user.is_bot && [" ", user.vote]]);
	return [names, users.length > most && ` and ${users.length - most} more`];
}

/* Oneself, who is waited for, the others. */
function drawSeats(m) {
	const missing = new Set(m.missing);
	const rank = (user) => (m.isMe(user) ? 0 : missing.has(user) ? 1 : 2);
	const voters = m.members.filter((user) => m.isVoter(user) && !m.isAway(user)).sort((a, b) => rank(a) - rank(b));
	return el(
		"section.seats",
		{ "aria-label": "Members" },
		el("ul", voters.slice(0, SEATS_MOST).map((user) => drawSeat(m, user))),
		drawStatus(m),
		drawOthers(m),
	);
}

function drawSeat(m, user) {
	const isMe = m.isMe(user);
	const card = isMe && !m.room.is_revealed ? m.ownVote : user.vote;
	const isBack = !card && user.has_vote;
	const word = m.reactions.get(user.user_id);
	return el(
		`li.seat.${card ? "face" : isBack ? "back" : "none"}${isMe ? ".me" : ""}${user.is_connected ? "" : ".away"}`,
		{ key: user.user_id },
		el("span.card", card ?? unseen(isBack ? "voted" : "no card")),
		el("span.name", nameOf(m, user), user.is_host && [" ★", unseen("host")], !user.is_connected && " away"),
		word && el("span.reaction", theirs(word)),
	);
}

function drawStatus(m) {
	const { missing, votes: { voters, voted }, room: { countdown, is_revealed, is_armed, policy: { quorum } } } = m;
	if (countdown) {
		return el("p.status.good", "Revealing in ", left(m, countdown.ends_at).replace("0:0", ""));
	}
	return !is_revealed && el(
		voted < voters ? "p.status" : "p.status.good",
		voters === 0 ? "No voters yet" : `${voted} of ${voters} voted`,
		quorum > voted && `, ${quorum} needed`,
		is_armed && " · armed",
		missing.length > 0 && [" · waiting for ", namesOf(m, missing, NAMES_MOST)],
	);
}

/* Who has no card on the table. */
function drawOthers(m) {
	const named = m.members.filter(({ username }) => username);
	const group = (title, belongs) => {
		const users = named.filter(belongs);
		return users.length > 0 && el("p.soft", `${title}: `, namesOf(m, users, SEATS_MOST));
	};
	const act = (method, label, { user_id }) => m.may("lead") && button(label, () => m.change(method, { user_id }));
	return [
		named.filter(({ is_waiting }) => is_waiting).map((user) => el("p.lobby", nameOf(m, user), " waits in the lobby",
			act("room.admit", "Admit", user), act("room.reject", "Reject", user))),
		group("Away", (user) => m.isAway(user)),
		group("Spectators", ({ role, is_bot }) => role === "spectator" && !is_bot),
		group("Bots", ({ is_bot }) => is_bot),
	];
}

function drawResult(m) {
	const { room: { result, outcome, valid_sizes }, openVotes } = m;
	const settle = (card) => m.change("round.settle", { estimate: card === outcome ? null : card });
	return result && el(
		"section.result",
		{ "aria-label": "Result" },
		drawFigures(m, result, openVotes, outcome),
		m.may("reset") && el("div.actions", "Settle on", choices("Settle on", valid_sizes, outcome, settle)),
	);
}

/* Advice, figures, a bar a card with whose it is, and what came with votes; of a past round as well. */
function drawFigures(m, result, votes, outcome) {
	const { cards, average, median, agreement_percent, withdrawn, lowest } = result;
	const named = votes.filter(({ user_id, is_bot }) => user_id && (!is_bot || result.votes === votes.length));
	const most = Math.max(...cards.map((row) => row.votes));
	const tone = outcome || result.is_unanimous ? "good" : result.suggestion ? "close" : "talk";
	const remarks = votes.filter(({ comment, confidence, is_changed }) => comment || confidence || is_changed);
	return [
		el(`p.advice.${tone}`, advice(result, outcome, named.length > 0)),
		el("p.figures", average !== undefined && ["average ", el("b", shortNumber(average, 1)), " · median ", el("b", shortNumber(median)), " · "],
			cards.length > 0 && ["agreement ", el("b", `${agreement_percent}%`)], withdrawn && ` ${withdrawn} withdrawn`),
		el("ol.bars", cards.map(({ card, votes: n }) => bar(card, n, most, isOutlier(result, card), [
			namesOf(m, named.filter(({ vote }) => vote === card), SEATS_MOST),
			isOutlier(result, card) && el("em", card === lowest ? " lowest" : " highest",
				named.length > 0 && (n === 1 ? ", speaks first" : ", speak first")),
		]))),
		remarks.length > 0 && el("ul", remarks.map((vote) => el("li", el("b", vote.vote), " ", nameOf(m, vote),
			vote.is_changed && ", changed", vote.confidence && `, confidence ${vote.confidence}/3`,
			vote.comment && [": ", theirs(vote.comment)]))),
	];
}

export function bar(label, n, most, isApart, ...who) {
	return el(isApart ? "li.apart" : "li", el("b", theirs(label)), el("progress", { max: most, value: n, "aria-hidden": true }),
		el("b", n, unseen(n === 1 ? "vote" : "votes")), el("span", who));
}

function drawActions(m) {
	const buttons = (place) => actionsOf(m, place).map(({ label, key, run, isMain }) => button(label, run,
		{ class: isMain && "primary", disabled: !m.wire.isUp, title: key && `Key ${key}` }));
	return [
		el("div.actions", buttons("round")),
		el("details", { key: "more" }, el("summary", "More"), el("div.actions", buttons("react"), buttons("more"))),
	];
}

function drawHand(m) {
	const { room, you, pending, ownVote, wire } = m;
	if (!m.may("vote")) {
		return you.role === "spectator" && you.username && el("p.soft", "You are a spectator.");
	}
	const note = wire.link === "lost" ? `Not connected${ownVote ? `. Your ${ownVote} is ${pending ? "sent on reconnect" : "kept"}` : ""}`
		: pending ? "Not confirmed yet" : you.is_withdrawn && `Your ${ownVote} is not in the new deck. Vote again.`;
	const add = (fields) => m.change("room.vote", { vote: ownVote, ...fields });
	return [
		ownVote && el(
			"div.extras",
			room.policy.confidence && ["Confidence",
				choices("Confidence", CONFIDENCES, you.confidence, (confidence) => add({ confidence }))],
			el("input", { id: "comment", "aria-label": "Comment on your vote", placeholder: "Comment, shown after the reveal",
				value: you.comment, dir: "auto", onchange: ({ target }) => add({ comment: target.value.trim() || null }) }),
			button("Retract", () => m.vote(null)),
		),
		el("section.hand", el("h2", "Your card", note && el("small", note)),
			choices("Your card", room.valid_sizes, ownVote, (card) => m.vote(card === ownVote ? null : card),
				pending ? "div.cards.pending" : "div.cards")),
	];
}

function drawStories(m) {
	const list = m.storyList;
	const estimates = list.map(({ estimate }) => estimate).filter(Boolean);
	const sum = estimates.reduce((all, estimate) => all + (Number(estimate) || 0), 0);
	const mayAdd = m.may("edit_stories");
	const add = ({ lines }) => addStories(m, lines.value).then(() => (lines.value = ""), sayRefusal);
	return (list.length > 0 || mayAdd) && el(
		"section.panel",
		el("h2", "Stories", list.length > 0 && el("small", `${estimates.length} of ${list.length} estimated · sum ${shortNumber(sum)}`)),
		el("ol.stories", list.map((story) => drawStoryRow(m, story))),
		mayAdd && el("details", { key: "add" }, el("summary", "Add stories"), form(add,
			el("label", { for: "lines" }, "One story a line; a key may come first, a link last"),
			el("textarea", { id: "lines", rows: 4, required: true, dir: "auto" }), el("p.buttons", el("button.primary", "Add")))),
	);
}

function drawStoryRow(m, story) {
	const { story_id, key, title, estimate, status } = story;
	const isCurrent = story === m.story;
	return el(
		isCurrent ? "li.current" : "li",
		{ key: story_id },
		el("span.title", linkTo("", key), theirs(title)),
		el("b", estimate ?? (isCurrent ? "voting" : status === "skipped" && status)),
		!isCurrent && m.may("reset") && button(["Vote", unseen(` on ${title}`)], () => selectStory(m, story)),
	);
}

function drawRounds(m) {
	return el(
		"details.panel",
		{ key: "rounds", ontoggle: ({ target }) => target.open && m.readRounds() },
		el("summary", "Earlier rounds"),
		m.rounds.map(({ n, key = "", story = "without a story", outcome, result, votes }) => el(
			"details.round",
			{ key: `round ${n}` },
			el("summary", `${n} `, theirs(`${key} ${story}`), el("b", outcome)),
			drawFigures(m, result, votes, outcome),
		)),
	);
}
