/* app.js - which part of the page the address asks for, the header, the start, the keyboard. */
import { button, el, field, form, keep, morph, recall, say, sayRefusal, theirs } from "./dom.js";
import { drawQuestions, Questions } from "./question.js";
import { Membership } from "./room.js";
import { actionsOf, drawRoom, hasShortcuts } from "./table.js";
import { Wire } from "./wire.js";

const TICK_MS = 250;
const INBOX_MS = 60000;
const DIGITS_APART_MS = 700;
const LINKS = { live: "● live", lost: "× not connected", connecting: "○ connecting" };

let shown = null; /* Membership or Questions */
let drawing = 0;

/* For a code, an id, a link, or a join command. */
function fragmentOf(text) {
	const question = /q_\w+/i.exec(text)?.[0];
	const code = /(?:^|#|join\s+)([0-9a-z]{6,16})\b/i.exec(text.trim())?.[1];
	return question ? `q_${question.slice(2).toUpperCase()}` : code?.toUpperCase();
}

/* The fragment is a code, an id or "inbox". No browser sends it, so no proxy and no log has it. */
function route() {
	const text = location.hash.slice(1);
	const id = fragmentOf(text) ?? text;
	shown?.wire.stop();
	shown = text ? new (/^(q_|inbox$)/.test(id) ? Questions : Membership)(id, draw) : null;
	draw();
}

/* Once for all that happens until then. */
function draw() {
	clearTimeout(drawing);
	drawing = setTimeout(() =>
		morph(document.getElementById("page"), el("div", { id: "page" }, drawHeader(shown ?? {}), el("main", drawMain()))));
}

function drawMain() {
	if (!shown) {
		return drawStart();
	}
	shown.isTicking = false;
	const { stage, why, room_id } = shown;
	return stage === "ended" ? [el("h1", why), room_id && button("Join again", () => location.reload())]
		: (room_id ? drawRoom : drawQuestions)(shown) ?? el("h1", "Connecting");
}

function drawHeader({ room, room_id, stage, wire }) {
	document.title = room?.title ? `${room.title} · aye` : "aye";
	return el("header",
		el("a.brand", { href: "#" }, "aye"),
		el("span.where", room?.title && [theirs(room.title), " · "], room_id && el("code", room_id)),
		wire && stage !== "ended" && el(`span.link.${wire.link}`, { role: "status" }, LINKS[wire.link]));
}

function drawStart() {
	const enter = ({ code }) => {
		const fragment = fragmentOf(code.value);
		fragment ? (location.hash = fragment) : say("Enter a room code, such as K7QX3M");
	};
	return [
		el("h1", "All in favour say aye."),
		form(enter, field("code", "Room code or link", { required: true }), el("button.primary", "Join")),
		form(createRoom, [el("h2", "New room"), field("title", "Title")], el("button.primary", "Create")),
		el("a", { href: "#inbox" }, "Questions for you"),
	];
}

function createRoom({ title }) {
	const params = { title: title.value.trim() || null, policy: { auto_reveal: true } };
	const wire = new Wire({
		up: () => wire.call("room.create", params).then(({ room_id, host_key }) => {
			keep(`room.${room_id}`, { host_key, username: recall("name") });
			location.hash = room_id;
		}).catch(sayRefusal).finally(() => wire.stop()),
		down: () => {
			wire.stop();
			say("Not connected");
		},
	});
}

/* ---- the keyboard, as in the terminal ---- */

let digits = "";
let digitsAt = 0;

/* 1, and 3 soon after, is 13. A digit that no card has means the card at its place. */
function cardOfDigit(cards, digit, at) {
	const run = at - digitsAt < DIGITS_APART_MS ? digits + digit : digit;
	const placed = cards[(Number(digit) + 9) % 10]; /* 0 is the tenth */
	digitsAt = at;
	digits = cards.some((card) => card.startsWith(run)) ? run : digit;
	return [digits, digit].find((label) => cards.includes(label)) ?? (/^\d$/.test(placed) ? undefined : placed);
}

function cardOfKey(cards, { key, timeStamp }) {
	const isMeant = (card) => card.toLowerCase() === key.toLowerCase();
	return /\d/.test(key) ? cardOfDigit(cards, key, timeStamp) : cards.find(isMeant);
}

function onKey(event) {
	const { key, repeat, target, ctrlKey, altKey, metaKey } = event;
	const m = shown;
	const isOther = key.length > 1 || repeat || ctrlKey || altKey || metaKey || target.closest("input, textarea");
	if (isOther || !m?.room || !hasShortcuts()) {
		return;
	}
	const story = m.stories.get(target.closest(".stories li")?.key);
	const ballot = m.ballot(m.isOpen(story) ? story : undefined);
	const card = ballot.mayVote && cardOfKey(m.room.valid_sizes, event);
	const row = actionsOf(m).find((action) => action.key === key);
	if (card) {
		m.vote(card, ballot.story_id);
	} else if (key === "-" && ballot.vote) {
		m.vote(null, ballot.story_id);
	} else if (row && m.wire.isUp) {
		event.preventDefault();
		row.run();
	}
}

addEventListener("hashchange", route);
addEventListener("keydown", onKey);
addEventListener("online", () => shown?.wire.connectNow());
addEventListener("offline", () => shown?.wire.lose("this device is offline"));
setInterval(() => shown?.isTicking && draw(), TICK_MS);
setInterval(() => shown?.list && shown.read(), INBOX_MS);
route();
