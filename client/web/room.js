/*
 * room.js - one's place in a room: coming in, staying over lost connections, voting, and the table of
 * what can be done there. table.js draws it.
 *
 * A card lies on the table at once, here, and is marked until the server has it, also while the
 * connection is lost. It is sent when the room is in step again, if its round still goes on.
 */
import { ask, say, tell } from "./dom.js";
import { keep, recall } from "./keep.js";
import { Replica, storyName } from "./replica.js";
import { tellMine, tellNews } from "./tell.js";
import { randomKey, Wire } from "./wire.js";

const RETRY_MS = 2000;
const REACTION_MS = 4000;
const REACTIONS = ["👍", "👏", "🎉", "😂", "🤔", "☕"];

/* Refusals after which there is nothing to try again. */
const FINAL = ["ROOM_NOT_FOUND", "ROOM_LOCKED", "ROOM_FULL", "FORBIDDEN", "VALIDATION_ERROR"];

export class Membership {
	replica = new Replica();
	stage = "entering"; /* passcode, here, ended */
	link = "connecting"; /* live, lost */
	why = ""; /* of an end or a refusal */
	isInStep = false; /* the room is here as it was when we came, or newer */
	pending = null; /* our card, while the server may not have it */
	reactions = new Map(); /* words, by user_id */
	rounds = [];
	cursor = null; /* of more rounds */

	constructor(room_id, draw) {
		const kept = recall(`room.${room_id}`) ?? {};
		kept.user_key ??= randomKey(32);
		Object.assign(this, { room_id, draw, kept });
		this.wire = new Wire(this);
	}

	stop() {
		this.wire.stop();
	}

	keep(changes) {
		Object.assign(this.kept, changes);
		keep(`room.${this.room_id}`, this.kept);
	}

	/* ---- coming in ---- */

	up() {
		this.link = "live";
		this.enter();
	}

	down(why) {
		this.link = "lost";
		this.isInStep = false;
		tell(`Connection lost${why && `: ${why}`}. Retrying`);
		this.draw();
	}

	async enter() {
		const { room_id, kept: { user_key, host_key }, passcode, replica: { room, epoch, version } } = this;
		const since = room ? { epoch, version } : undefined;
		this.isInStep = false;
		this.keep(); /* before it is sent: should the answer be lost, the seat is found again */
		const entered = this.wire.call("room.subscribe", { room_id, user_key, host_key, passcode, since, data: false });
		if (!room) {
			this.joinAgain(); /* in the same round trip */
		}
		try {
			this.inStepAt = (await entered).version;
			this.stage = "here";
			this.follow();
		} catch (refusal) {
			this.refused(refusal);
		}
	}

	refused({ code, sentence, retry_after_ms }) {
		if (code === "PASSCODE_REQUIRED") {
			this.why = this.passcode && "Wrong passcode.";
			this.stage = "passcode";
		} else if (FINAL.includes(code)) {
			this.end(`${sentence}.`);
		} else if (code !== "LOST") {
			say(sentence);
			setTimeout(() => this.wire.isUp && this.enter(), retry_after_ms ?? RETRY_MS);
		}
		this.draw();
	}

	/* Take a name, and ask for the same one whenever we come back. */
	async join(username, role = "voter") {
		const joined = await this.request("room.join", { username, role });
		this.keep({ username, role });
		keep("name", username);
		if (joined.username !== username) {
			say(`${username} is taken; you are ${joined.username}`);
		}
	}

	async joinAgain() {
		const { kept: { username, role }, isJoining } = this;
		if (username && !isJoining) {
			this.isJoining = true;
			await this.join(username, role).catch(() => this.isInStep && this.keep({ username: "" }));
			this.isJoining = false;
		}
	}

	end(why) {
		this.stage = "ended";
		this.why = why;
		this.stop();
		tell(why);
	}

	/* ---- what the server says ---- */

	notice(method, params) {
		if (params.room_id === this.room_id) {
			NOTICES[method]?.(this, params);
			this.draw();
		}
	}

	update(update) {
		const { replica, isInStep } = this;
		const was = replica.room && replica.copy();
		if (replica.apply(update)) {
			tellNews(was, replica).forEach(tell);
			this.follow();
		} else if (isInStep) {
			this.enter();
		}
	}

	/* The room or our way to it has changed: are we in step, and does a card wait for that? */
	follow() {
		const { replica: { room, version, you }, pending, stage, inStepAt } = this;
		this.isInStep ||= stage === "here" && room && version >= inStepAt;
		if (this.isInStep && !you.username) {
			this.joinAgain();
		}
		if (pending?.version <= version) {
			this.pending = null;
		}
		this.sendVote();
		this.draw();
	}

	/* ---- one's card ---- */

	get ownVote() {
		return this.pending ? this.pending.vote : this.replica.you.vote;
	}

	/* null takes it back */
	vote(vote) {
		this.pending = { vote, round: this.replica.room.round, idempotency_key: randomKey(16) };
		this.sendVote();
		this.draw();
	}

	async sendVote() {
		const { pending, replica, room_id } = this;
		if (!pending || pending.isSent || !this.isInStep) {
			return;
		}
		const { vote, round, idempotency_key } = pending;
		if (round !== replica.room.round || !replica.may("vote")) {
			this.pending = null;
			say("The next round has started. Vote again");
			return;
		}
		pending.isSent = true;
		try {
			pending.version = (await this.wire.call("room.vote", { room_id, vote, idempotency_key })).version;
		} catch ({ code, sentence }) {
			pending.isSent = false;
			if (code !== "LOST" && this.pending === pending) {
				this.pending = null;
				say(sentence);
			}
		}
		this.follow();
	}

	/* ---- requests ---- */

	request(method, params) {
		return this.wire.change(method, { room_id: this.room_id, ...params });
	}

	/* A refusal is said; the result is null then. */
	change(method, params) {
		return this.request(method, params).catch(({ sentence }) => say(sentence) ?? null);
	}

	async readRounds(cursor) {
		const { room_id, rounds } = this;
		const page = await this.wire.call("round.list", { room_id, limit: 20, cursor }).catch(({ sentence }) => say(sentence));
		if (page) {
			this.rounds = [...(cursor ? rounds : []), ...page.rounds];
			this.cursor = page.cursor;
			this.draw();
		}
	}
}

const NOTICES = {
	"room.update": (m, update) => m.update(update),
	"room.you": (m, you) => {
		tellMine(m.replica.you, you).forEach(tell);
		m.replica.you = you;
	},
	"room.kicked": (m, { by = "A host", is_barred }) => {
		m.mayReturn = !is_barred;
		m.keep({ username: "" });
		m.end(`${by} removed you from the room.`);
	},
	"room.deleted": (m) => m.end("The room was deleted."),
	"room.expired": (m) => m.end("The room has expired."),
	"room.expiring": () => say("The room is deleted soon if unused"),
	"room.nudged": (m, { by = "Someone" }) => {
		say(`${by} asks you to vote`);
		ring();
	},
	"room.reaction": (m, { user_id, word }) => {
		tell(`${m.replica.users.get(user_id)?.username ?? "Someone"}: ${word}`);
		m.reactions.set(user_id, word);
		setTimeout(() => m.reactions.delete(user_id) && m.draw(), REACTION_MS);
	},
};

/* A fading tone and a shake, where the browser allows them. */
function ring() {
	const audio = new AudioContext();
	const tone = audio.createOscillator();
	const volume = audio.createGain();
	volume.gain.setValueAtTime(0.2, 0);
	volume.gain.setTargetAtTime(0, audio.currentTime, 0.15);
	tone.connect(volume).connect(audio.destination);
	tone.start();
	tone.stop(audio.currentTime + 0.7);
	tone.onended = () => audio.close();
	navigator.vibrate?.(200);
}

/* ---- what can be done ---- */

function reveal(m) {
	const { voters, voted } = m.replica.votes;
	const send = () => m.change("room.set_revealed", { is_revealed: true });
	if (voted >= voters) {
		return send();
	}
	return ask(`${voters - voted} of ${voters} have not voted. Reveal?`, {}, "Reveal", send);
}

/* Votes that nobody would see are asked about first. */
function unlessLost(m, question, method, params) {
	const { room, votes: { voted } } = m.replica;
	const send = () => m.change(method, params);
	if (voted === 0 || room.is_revealed) {
		return send();
	}
	return ask(`${question} ${voted} ${voted === 1 ? "vote was" : "votes were"} not revealed.`, {}, "Continue", send);
}

function next(m) {
	const { nextStory, room } = m.replica;
	const question = nextStory ? `Continue with ${storyName(nextStory)}?` : "Start the next round?";
	return unlessLost(m, question, nextStory || room.story_id ? "story.next" : "room.reset");
}

export function selectStory(m, story) {
	return unlessLost(m, `Vote on ${storyName(story)}?`, "story.select", { story_id: story.story_id });
}

async function nudge(m) {
	const result = await m.change("room.nudge");
	if (result) {
		say(result.nudged > 0 ? `Nudged ${result.nudged}` : "Nobody nudged: they are away or were nudged just now");
	}
}

function spectate(m) {
	const { username, role } = m.replica.you;
	m.join(username, role === "voter" ? "spectator" : "voter").catch(({ sentence }) => say(sentence));
}

function rename(m) {
	const { username, role } = m.replica.you;
	ask("Your name", { name: ["Name", "text", username] }, "Save", ({ name }) => m.join(name, role));
}

function timer(m) {
	const fields = { minutes: ["Minutes", "number", 5], reveal_at_zero: ["Reveal the cards at the end", "checkbox"] };
	ask("Start a timer", fields, "Start", ({ minutes, reveal_at_zero }) =>
		m.request("timer.start", { seconds: minutes * 60, reveal_at_zero }));
}

function pause(m) {
	ask("Start a break", { minutes: ["Minutes", "number", 10] }, "Start", ({ minutes }) =>
		m.request("room.pause", { minutes: Number(minutes) }));
}

/* A line a story: "PAY-101 Refund a payment https://..."; key and link may be missing. */
function addStories(m) {
	const parts = /^(?:([A-Z][A-Z0-9]*-\d+|#\d+):?\s+)?(.*?)(?:\s+(https?:\/\/\S+))?$/;
	const lines = ["One story a line; a key may come first, a link last", "textarea"];
	ask("Add stories", { lines }, "Add", async (typed) => {
		for (const line of typed.lines.split(/\s*\n\s*/)) {
			const [, key, title, link] = parts.exec(line);
			await m.request("story.add", { key, title, link });
		}
	});
}

/* Only pages that came over TLS may copy. */
async function copyLink() {
	const { href } = location;
	await navigator.clipboard?.writeText(href);
	say(navigator.clipboard ? "Link copied" : href);
}

async function leave(m) {
	if (await m.change("room.leave", { if_last: true })) {
		m.keep({ username: "" });
		location.hash = "";
	}
}

/*
 * A row an action: where it is shown, its key, which is the terminal's, the right it needs, its label,
 * when it makes sense, what it does, and when it is the main thing to do.
 */
const isHidden = ({ replica }) => !replica.room.is_revealed;
const hasName = ({ replica }) => replica.you.username;
const always = () => true;
const TABLE = [
	["round", "c", "reveal", "Stop the countdown", ({ replica }) => replica.room.countdown,
		(m) => m.change("reveal.cancel", { token: m.replica.room.countdown.token })],
	["round", "R", "reveal", "Reveal", (m) => isHidden(m) && m.replica.votes.voted > 0, reveal,
		({ replica: { votes } }) => votes.voted >= votes.voters],
	["round", "=", "reset", ({ replica }) => `Settle on ${replica.room.result.suggestion}`,
		({ replica: { room } }) => room.result?.suggestion && !room.outcome,
		(m) => m.change("round.settle", { estimate: m.replica.room.result.suggestion }), always],
	["round", "V", "reset", "Vote again", (m) => !isHidden(m), (m) => m.change("round.again")],
	["round", "N", "reset", ({ replica }) => (replica.stories.size > 0 ? "Next story" : "Next round"), always, next,
		({ replica }) => replica.room.outcome],
	["round", "U", "reset", "Undo the reset", ({ replica }) => replica.room.can_undo, (m) => m.change("round.undo_reset")],
	["round", "!", "signal", "Nudge", ({ replica }) => isHidden({ replica }) && replica.missing.some((user) => !replica.isMe(user)), nudge],
	["more", "t", "reset", "Start a timer", ({ replica }) => !replica.room.timer, timer],
	["more", "", "reset", "Stop the timer", ({ replica }) => replica.room.timer, (m) => m.change("timer.stop")],
	["more", "", "reset", "Start a break", ({ replica }) => !replica.room.pause_ends_at, pause],
	["more", "", "reset", "End the break", ({ replica }) => replica.room.pause_ends_at, (m) => m.change("room.pause", { minutes: 0 })],
	["more", "", "reset", "Clear all votes", (m) => isHidden(m) && m.replica.votes.voted > 0,
		(m) => unlessLost(m, "Clear all votes?", "room.reset")],
	["stories", "a", "edit_stories", "Add stories", always, addStories],
	["own", "i", "read", "Copy the link", always, copyLink],
	["own", "n", "read", "Change your name", hasName, rename],
	["own", "s", "read", ({ replica }) => (replica.you.role === "voter" ? "Spectate" : "Vote"), hasName, spectate],
	["own", "C", "read", "Become host again", (m) => m.kept.host_key && hasName(m) && !m.replica.you.is_host,
		(m) => m.change("room.claim_host", { host_key: m.kept.host_key })],
	["own", "q", "read", "Leave the room", always, leave],
	...REACTIONS.map((word) => ["react", "", "signal", word, always, (m) => m.change("room.react", { word })]),
];

/* What this member may do now, in one place or anywhere: {place, key, label, run, isMain}. */
export function actionsOf(m, at) {
	return TABLE.filter(([place, , right, , when]) => (!at || place === at) && m.replica.may(right) && when(m))
		.map(([place, key, , label, , run, isMain]) =>
			({ place, key, label: label.call ? label(m) : label, run: () => run(m), isMain: isMain?.(m) }));
}
