/* table.js - what a member sees of a room, and can do. */
import { button, choices, el, field, form, keep, lineForm, nameForm, recall, say, sayRefusal, theirs, unseen } from "./dom.js";
import { advice, CONFIDENCES, isOutlier, shortNumber } from "./room.js";

const SEATS_MOST = 60;
const NAMES_MOST = 5;
const REACTIONS = ["👍", "👏", "🎉", "😂", "🤔", "☕"];

/* Where stories are open together, their list comes first. */
export function drawRoom(m) {
	const { stage, why, isJoining, room, you } = m;
	if (stage === "passcode") {
		return lineForm("Passcode", why, { type: "password" }, ["Enter", (passcode) => m.up(Object.assign(m, { passcode }))]);
	}
	const joining = !you.username && !isJoining && joinForm(m);
	if (you.is_waiting) {
		return joining || [el("h1", "You are in the lobby"), el("p", "Waiting for a host.")];
	}
	if (!you.user_id || !room) {
		return null;
	}
	const ballot = m.ballot();
	const table = el("div", joining, drawStory(m), drawSeats(m), drawResult(m, ballot), drawButtons(m, "round"),
		el("details", { key: "more" }, el("summary", "More"), drawButtons(m, "react", "more")), drawHand(m, ballot));
	const lists = el("aside", drawStories(m), drawRounds(m));
	return [{ class: "room" }, room.policy.open_stories ? [lists, table] : [table, lists]];
}

function joinForm(m) {
	const joins = (role) => async (username) => {
		await m.join(username, role).catch(({ sentence }) => (m.why = sentence));
		m.draw();
	};
	return nameForm(m.why, ["Join", joins("voter")], ["Spectate", joins("spectator")]);
}

function drawStory(m) {
	const { story, storyList, room: { timer, pause_ends_at, title, story_round } } = m;
	return el("section.story",
		el("p.soft",
			story && `Story ${storyList.indexOf(story) + 1}/${storyList.length}`,
			story_round > 1 && ` · vote ${story_round}`,
			timer && [" ", el("span.pill", "Timer ", left(m, timer.ends_at))],
			pause_ends_at && [" ", el("span.pill", "Break: ", left(m, pause_ends_at))]),
		el("h1", linkOf(m, story), theirs(story?.title ?? title ?? "Vote without a story")),
		descriptionOf(story));
}

const descriptionOf = (story) => story?.description && el("p.description", { dir: "auto", tabindex: 0 }, story.description);

/* Its key, or where it is described; only the web is linked to. */
function linkOf({ room: { link_template } }, { key, link } = {}) {
	const href = link || (key && link_template?.replace("{key}", encodeURIComponent(key)));
	const isLink = /^https?:\/\//i.test(href);
	return (key || href) && [el(isLink ? "a.key" : "span.key",
		isLink && { href, target: "_blank", rel: "noopener noreferrer" }, theirs(key || "Link")), " "];
}

/* "1:42", "3 h"; drawn again soon */
export function left(m, ends_at) {
	m.isTicking = true;
	const seconds = Math.max(0, Math.ceil((ends_at - m.wire.now()) / 1000));
	const minutes = Math.floor(seconds / 60);
	return minutes < 120 ? `${minutes}:${String(seconds % 60).padStart(2, "0")}` : `${Math.floor(minutes / 60)} h`;
}

/* `on` is for those who do not see where the button is. */
const act = (m, right, label, method, params, on) =>
	m.may(right) && button([label, on && unseen(` ${on}`)], () => m.change(method, params));

const nameOf = (m, user) => (m.isMe(user) ? "you" : theirs(user.username ?? "someone"));

/* "Ada, Grace and 3 more" */
function namesOf(m, users, most) {
	const names = users.slice(0, most).map((user, i) => [i > 0 && ", ", nameOf(m, user), user.has_left && " (left)", user.is_bot && [" ", user.vote]]);
	return [names, users.length > most && ` and ${users.length - most} more`];
}

/* Oneself, who is waited for, the others. */
function drawSeats(m) {
	const missing = new Set(m.missing);
	const rank = (user) => (m.isMe(user) ? 0 : missing.has(user) ? 1 : 2);
	const voters = m.members.filter((user) => m.isVoter(user) && !m.isAway(user)).sort((a, b) => rank(a) - rank(b));
	return el("section.seats", { "aria-label": "Members" },
		el("ul", voters.slice(0, SEATS_MOST).map((user) => drawSeat(m, user))), drawStatus(m), drawOthers(m));
}

function drawSeat(m, user) {
	const isMe = m.isMe(user);
	const card = isMe && !m.room.is_revealed ? m.ballot().vote : user.vote;
	const isBack = !card && user.has_vote;
	const word = m.reactions.get(user.user_id);
	return el(`li.seat.${card ? "face" : isBack ? "back" : "none"}${isMe ? ".me" : ""}${user.is_connected ? "" : ".away"}`,
		{ key: user.user_id },
		el("span.card", card ?? unseen(isBack ? "voted" : "no card")),
		el("span.name", nameOf(m, user), user.is_host && [" ★", unseen("host")], !user.is_connected && " away"),
		word && el("span.reaction", theirs(word)));
}

function drawStatus(m) {
	const { missing, votes: { voters, voted }, room: { countdown, is_revealed, is_armed, policy: { quorum } } } = m;
	if (countdown) {
		return el("p.status.good", "Revealing in ", left(m, countdown.ends_at).replace("0:0", ""));
	}
	return !is_revealed && el(voted < voters ? "p.status" : "p.status.good",
		voters === 0 ? "No voters yet" : `${voted} of ${voters} voted`,
		quorum > voted && `, ${quorum} needed`,
		is_armed && " · armed",
		missing.length > 0 && [" · waiting for ", namesOf(m, missing, NAMES_MOST)]);
}

/* Who has no card on the table. */
function drawOthers(m) {
	const named = m.members.filter(({ username }) => username);
	const group = (title, belongs) => {
		const users = named.filter(belongs);
		return users.length > 0 && el("p.soft", `${title}: `, namesOf(m, users, SEATS_MOST));
	};
	return [
		named.filter(({ is_waiting }) => is_waiting).map(({ user_id, username }) => el("p.lobby", theirs(username), " waits in the lobby",
			act(m, "lead", "Admit", "room.admit", { user_id }), act(m, "lead", "Reject", "room.reject", { user_id }))),
		group("Away", (user) => m.isAway(user)),
		group("Spectators", ({ role, is_bot }) => role === "spectator" && !is_bot),
		group("Bots", ({ is_bot }) => is_bot),
		m.may("lead") && el("details", { key: "lead" }, el("summary", "Members"), named.filter((user) => !m.isMe(user) && !user.is_waiting)
			.map(({ user_id, username, is_host }) => el("p.actions", theirs(username),
				act(m, "lead", is_host ? "End co-host" : "Make co-host", is_host ? "room.unset_host" : "room.set_host", { user_id }, username),
				act(m, "lead", "Remove", "room.kick", { user_id }, username)))),
	];
}

function drawResult(m, { story_id, result, outcome, votes }) {
	const settle = (card) => m.change("round.settle", { story_id, estimate: card === outcome ? null : card });
	return result && el("section.result", { "aria-label": "Result" }, drawFigures(m, result, votes, outcome),
		m.may("reset") && el("div.actions", "Settle on", choices("Settle on", m.room.valid_sizes, outcome, settle)));
}

/* Of the table, an open story, or a past round. */
function drawFigures(m, result, votes, outcome) {
	const { cards, average, median, agreement_percent, withdrawn, lowest } = result;
	const named = votes.filter(({ user_id, is_bot }) => user_id && (!is_bot || result.votes === votes.length));
	const most = Math.max(...cards.map((row) => row.votes));
	const tone = outcome || result.is_unanimous ? ".good" : result.suggestion ? "" : ".talk";
	const remarks = votes.filter(({ comment, confidence, is_changed }) => comment || confidence || is_changed);
	return [
		el(`p.advice${tone}`, advice(result, outcome, named.length > 0)),
		el("p", average !== undefined && `average ${shortNumber(average, 1)} · median ${shortNumber(median)} · `,
			cards.length > 0 && `agreement ${agreement_percent}%`, withdrawn && ` ${withdrawn} withdrawn`),
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

const drawButtons = (m, ...places) => el("div.actions", places.flatMap((place) => actionsOf(m, place)).map(({ label, key, run, isMain }) =>
	button(label, run, { class: isMain && "primary", disabled: !m.wire.isUp, title: key && `Key ${key}` })));

function drawHand(m, ballot) {
	const { story_id, vote, comment, confidence, is_withdrawn, isPending, mayVote } = ballot;
	const { room, you, wire } = m;
	if (!mayVote) {
		return !story_id && you.role === "spectator" && you.username && el("p.soft", "You are a spectator.");
	}
	const note = wire.link === "lost" ? `Not connected${vote ? `. Your ${vote} is ${isPending ? "sent on reconnect" : "kept"}` : ""}`
		: isPending ? "Not confirmed yet" : is_withdrawn && `Your ${vote} is not in the new deck. Vote again.`;
	const add = (fields) => m.change("room.vote", { story_id, vote, ...fields });
	const cards = choices("Your card", room.valid_sizes, vote, (card) => m.vote(card === vote ? null : card, story_id),
		isPending ? "div.cards.pending" : "div.cards");
	return [
		vote && el("div.extras",
			room.policy.confidence && ["Confidence", choices("Confidence",
				CONFIDENCES, CONFIDENCES[confidence - 1], (word) => add({ confidence: CONFIDENCES.indexOf(word) + 1 }))],
			el("input", { id: !story_id && "comment", "aria-label": "Comment on your vote", placeholder: "Comment, shown after the reveal",
				value: comment, dir: "auto", onchange: ({ target }) => add({ comment: target.value.trim() || null }) }),
			button("Retract", () => m.vote(null, story_id))),
		story_id ? cards : el("section.hand", el("h2", "Your card", note && el("small", note)), cards),
	];
}

function drawStories(m) {
	const list = m.storyList;
	const estimates = list.map(({ estimate }) => estimate).filter(Boolean);
	const sum = estimates.reduce((all, estimate) => all + (Number(estimate) || 0), 0);
	const open = list.filter(({ status, estimate }) => m.room.policy.open_stories && ["todo", "voting"].includes(status) && !estimate)
		.map((story) => m.ballot(story));
	const voted = open.filter(({ vote, story_id, is_revealed }) => vote || (is_revealed && !story_id));
	const mayAdd = m.may("edit_stories");
	const add = ({ lines }) => addStories(m, lines.value).then(() => (lines.value = ""), sayRefusal);
	return (list.length > 0 || mayAdd) && el("section.panel",
		el("h2", "Stories", list.length > 0 && el("small", open.length > 0 && `you ${voted.length} of ${open.length} · `,
			`${estimates.length} of ${list.length} estimated · sum ${shortNumber(sum)}`)),
		el("ol.stories", list.map((story) => drawStoryRow(m, story))),
		drawButtons(m, "stories"),
		mayAdd && el("details", { key: "add" }, el("summary", "Add stories"), form(add,
			field("lines", "One story a line; a key may come first, a link last", { rows: 4, required: true }, "textarea"), el("button.primary", "Add"))),
	);
}

/* What is below its line is made when that is opened. */
function drawStoryRow(m, story) {
	const { story_id, key, title, link, estimate, status } = story;
	const ballot = m.isOpen(story) && m.ballot(story);
	const { is_revealed, result, voted, vote } = ballot;
	const shown = is_revealed ? advice(result) : voted > 0 && `${voted} voted`;
	return el(story === m.story ? "li.current" : "li", { key: story_id }, el("details", { id: story_id, ontoggle: m.draw },
		el("summary", el("span.title", key && [el("span.key", theirs(key)), " "], theirs(title)),
			shown && el("span.soft", shown),
			vote && el("b.pill", unseen("your card "), vote),
			el("b", estimate ?? (/voting|skipped/.test(status) && status))),
		document.getElementById(story_id)?.open && [
			(link || m.room.link_template) && linkOf(m, story),
			descriptionOf(story),
			ballot && [drawHand(m, ballot), drawResult(m, ballot)],
			el("div.actions",
				shown && act(m, "reveal", is_revealed ? "Hide" : "Reveal", "room.set_revealed", { story_id, is_revealed: !is_revealed }, title),
				story !== m.story && m.may("reset") && button(["Vote", unseen(` on ${title}`)],
					() => unlessLost(m, `Vote on ${title}?`, "story.select", { story_id })),
				m.may("edit_stories") && button(["Edit", unseen(` ${title}`)],
					() => ask("Title", title, (text) => m.change("story.update", { story_id, title: text }))),
				act(m, "edit_stories", "Remove", "story.remove", { story_id }, title)),
		]));
}

function drawRounds(m) {
	return el("details.panel", { key: "rounds", ontoggle: ({ target }) => target.open && m.readRounds() },
		el("summary", "Earlier rounds"),
		m.rounds.map(({ n, key = "", story = "without a story", outcome, result, votes }) => el("details.round", { key: `round ${n}` },
			el("summary", `${n} `, theirs(`${key} ${story} `), el("b", outcome)),
			drawFigures(m, result, votes, outcome))));
}

/* ---- what can be done ---- */

function reveal(m) {
	const { voters, voted } = m.votes;
	if (voted >= voters || confirm(`${voters - voted} of ${voters} have not voted. Reveal?`)) {
		m.change("room.set_revealed", { is_revealed: true });
	}
}

/* Votes that nobody would see are asked about first. */
function unlessLost(m, question, method, params) {
	const { room, votes: { voted } } = m;
	if (voted === 0 || room.is_revealed || confirm(`${question} ${voted} vote${voted === 1 ? " is" : "s are"} not revealed.`)) {
		m.change(method, params);
	}
}

function next(m) {
	const hasStories = m.room.story_id || m.storyList.some(({ status }) => status === "todo");
	unlessLost(m, "Continue?", hasStories ? "story.next" : "room.reset");
}

function ask(label, usual, send) {
	const text = prompt(label, usual)?.trim();
	if (text) {
		send(text);
	}
}

/* A line a story: "PAY-101 Refund a payment https://..."; key and link may be missing. */
async function addStories(m, text) {
	const parts = /^(?:([A-Z][A-Z0-9]*-\d+|#\d+):?\s+)?(.*?)(?:\s+(https?:\/\/\S+))?$/;
	for (const line of text.trim().split(/\s*\n\s*/)) {
		const [, key, title, link] = parts.exec(line);
		await m.request("story.add", { key, title, link });
	}
}

async function leave(m) {
	if (await m.change("room.leave", { if_last: true })) {
		m.keep({ username: "" });
		location.hash = "";
	}
}

const isAgreed = ({ room: { policy: { quorum } } }, { result }) =>
	result?.suggestion && result.votes >= quorum && !(result.spread_steps > 1);

/* Whoever dictates turns them off. */
export const hasShortcuts = () => recall("shortcuts") ?? true;

/* Actions: place, key (the terminal's), right, label, what it does, when it makes sense, when it is the main one. */
const isHidden = ({ room }) => !room.is_revealed;
const hidesVotes = (m) => isHidden(m) && m.votes.voted > 0;
const always = () => true;
const TABLE = [
	["round", "c", "reveal", "Stop the countdown", (m) => m.change("reveal.cancel", { token: m.room.countdown.token }),
		({ room }) => room.countdown],
	["round", "R", "reveal", "Reveal", reveal, hidesVotes, ({ votes }) => votes.voted >= votes.voters],
	["round", "=", "reset", ({ room }) => `Settle on ${room.result.suggestion}`,
		(m) => m.change("round.settle", { estimate: m.room.result.suggestion }),
		({ room }) => room.result?.suggestion && !room.outcome, always],
	["round", "V", "reset", "Vote again", (m) => m.change("round.again"), (m) => !isHidden(m)],
	["round", "N", "reset", ({ stories }) => (stories.size > 0 ? "Next story" : "Next round"), next, always, ({ room }) => room.outcome],
	["round", "U", "reset", "Undo the reset", (m) => m.change("round.undo_reset"), ({ room }) => room.can_undo],
	["round", "!", "signal", "Nudge", (m) => m.request("room.nudge").then(({ nudged }) => say(`Nudged ${nudged}`), sayRefusal),
		(m) => isHidden(m) && m.members.some((user) => m.counts(user) && !user.has_vote && !m.isMe(user))],
	["more", "t", "reset", ({ room }) => (room.timer ? "Stop the timer" : "Start a timer"), (m) => (m.room.timer
		? m.change("timer.stop") : ask("Minutes", 5, (minutes) => m.change("timer.start", { seconds: Math.round(minutes * 60) })))],
	["more", "", "reset", ({ room }) => (room.pause_ends_at ? "End the break" : "Start a break"), (m) => (m.room.pause_ends_at
		? m.change("room.pause", { minutes: 0 }) : ask("Minutes", 10, (minutes) => m.change("room.pause", { minutes: Math.ceil(minutes) })))],
	["more", "", "reset", "Clear all votes", (m) => unlessLost(m, "Clear all votes?", "room.reset"), hidesVotes],
	["more", "", "lead", "Change the cards", (m) => ask("Cards", m.room.valid_sizes.join(" "),
		(text) => m.change("room.set_valid_sizes", { valid_sizes: text.split(/[\s,]+/) }))],
	["more", "s", "", ({ you }) => (you.role === "voter" ? "Spectate" : "Vote"),
		(m) => m.join(m.you.username, m.you.role === "voter" ? "spectator" : "voter").catch(sayRefusal), ({ you }) => you.username],
	["more", "C", "", "Become host again", (m) => m.change("room.claim_host", { host_key: m.kept.host_key }),
		(m) => m.kept.host_key && m.you.username && !m.you.is_host],
	["more", "", "", () => `Turn shortcuts ${hasShortcuts() ? "off" : "on"}`, (m) => {
		keep("shortcuts", !hasShortcuts());
		m.draw();
	}],
	["more", "q", "", "Leave the room", leave],
	["stories", "", "reset", "Settle all that agree", (m) => m.change("round.settle_agreed"),
		(m) => m.storyList.some((story) => m.isOpen(story) && isAgreed(m, m.ballot(story)))],
	...REACTIONS.map((word) => ["react", "", "signal", word, (m) => m.change("room.react", { word })]),
];

/* What this member may do now, in one place or anywhere. */
export function actionsOf(m, at) {
	return TABLE.filter(([place, , right, , , when = always]) => (!at || place === at) && (!right || m.may(right)) && when(m))
		.map(([, key, , label, run, , isMain]) => ({ key, label: label.call ? label(m) : label, run: () => run(m), isMain: isMain?.(m) }));
}
