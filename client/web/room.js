/*
 * room.js - one's place in a room, over lost connections, and the table of what can be done there. A card
 * is shown at once, and marked until the server has it; it waits for a connection, if its round goes on.
 */
import { keep, recall, say, sayRefusal, tell } from "./dom.js";
import { Replica, storyName } from "./replica.js";
import { tellMine, tellNews } from "./tell.js";
import { randomKey, Wire } from "./wire.js";

const RETRY_MS = 2000;
const REACTION_MS = 4000;
const REACTIONS = ["👍", "👏", "🎉", "😂", "🤔", "☕"];

export class Membership extends Replica {
	stage = "entering"; /* passcode, here, ended */
	isInStep = false; /* the room is here as it was when we came, or newer */
	pending = null; /* our card, while the server may not have it */
	reactions = new Map(); /* words, by user_id */
	rounds = []; /* earlier ones, if asked for */

	constructor(room_id, draw) {
		super();
		const kept = recall(`room.${room_id}`) ?? {};
		kept.user_key ??= randomKey();
		Object.assign(this, { room_id, draw, kept });
		this.wire = new Wire(this);
	}

	keep(changes) {
		Object.assign(this.kept, changes);
		keep(`room.${this.room_id}`, this.kept);
	}

	up() {
		return this.enter();
	}

	down(why) {
		tell(this.isInStep && `Connection lost${why && `: ${why}`}. Retrying`);
		this.isInStep = false;
		this.draw();
	}

	async enter() {
		const { room_id, kept: { user_key, host_key }, passcode, room, epoch, version } = this;
		const since = room ? { epoch, version } : undefined;
		this.isInStep = false;
		this.keep(); /* before it is sent: should the answer be lost, the seat is found again */
		const entered = this.wire.call("room.subscribe", { room_id, user_key, host_key, passcode, since, data: false });
		if (!room) {
			this.joinAgain(); /* in the same round trip */
		}
		try {
			this.entered = await entered;
			this.stage = "here";
			this.why = "";
			this.follow();
		} catch (refusal) {
			this.refused(refusal);
		}
	}

	refused({ code, sentence, retry_after_ms }) {
		if (code === "PASSCODE_REQUIRED") {
			this.why = this.passcode && "Wrong passcode.";
			this.stage = "passcode";
		} else if (["RATE_LIMITED", "UNAVAILABLE", "SERVER_ERROR"].includes(code)) {
			say(sentence);
			setTimeout(() => this.wire.isUp && this.enter(), retry_after_ms ?? RETRY_MS);
		} else if (code !== "LOST") {
			this.end(`${sentence}.`);
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
		this.wire.stop();
		tell(why);
	}

	notice(method, params) {
		NOTICES[method]?.(this, params);
		this.draw();
	}

	update(update) {
		if (this.apply(update)) {
			const { facts, lines } = tellNews(this.facts, this);
			this.facts = facts;
			lines.forEach(tell);
			this.follow();
		} else if (this.isInStep) {
			this.enter();
		}
	}

	/* The room or our way to it has changed: are we in step, and does a card wait for that? */
	follow() {
		const { epoch, version, you, pending, entered } = this;
		this.isInStep ||= epoch === entered?.epoch && version >= entered.version;
		if (this.isInStep && !you.username) {
			this.joinAgain();
		}
		if (pending?.version <= version) {
			this.pending = null;
		}
		this.sendVote();
		this.draw();
	}

	get ownVote() {
		return this.pending ? this.pending.vote : this.you.vote;
	}

	/* null takes it back */
	vote(vote) {
		this.pending = { vote, round: this.room.round, idempotency_key: randomKey() };
		this.sendVote();
		this.draw();
	}

	async sendVote() {
		const { pending, room_id, you } = this;
		if (!pending || pending.isSent || !this.isInStep || !you.username) {
			return;
		}
		const { vote, round, idempotency_key } = pending;
		if (round !== this.room.round) {
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

	request(method, params) {
		return this.wire.change(method, { room_id: this.room_id, ...params });
	}

	/* A refusal is said; there is no result then. */
	change(method, params) {
		return this.request(method, params).catch(sayRefusal);
	}

	async readRounds() {
		const page = await this.wire.call("round.list", { room_id: this.room_id }).catch(sayRefusal);
		this.rounds = page?.rounds ?? this.rounds;
		this.draw();
	}
}

const NOTICES = {
	"room.update": (m, update) => m.update(update),
	"room.you": (m, you) => {
		tellMine(m.you, you).forEach(tell);
		m.you = you;
	},
	"room.kicked": (m, { by, is_barred }) => {
		m.keep({ username: "" });
		m.end(`${by ? `${by} removed you` : "You were removed"} from the room${is_barred ? "; you are banned until a host unbans you" : ""}.`);
	},
	"room.deleted": (m) => m.end("The room was deleted."),
	"room.expired": (m) => m.end("The room has expired."),
	"room.expiring": () => say("The room is deleted soon if unused"),
	"room.nudged": (m, { by = "Someone" }) => {
		say(`${by} asks you to vote`);
		ring();
	},
	"room.reaction": (m, { user_id, word }) => {
		tell(`${m.users.get(user_id)?.username ?? "Someone"}: ${word}`);
		m.reactions.set(user_id, word);
		setTimeout(() => m.reactions.delete(user_id) && m.draw(), REACTION_MS);
	},
};

/* A fading tone and a shake, where the browser allows them. */
function ring() {
	const audio = new AudioContext(); /* its time starts at 0 */
	const tone = new OscillatorNode(audio);
	const volume = new GainNode(audio, { gain: 0.2 });
	volume.gain.setTargetAtTime(0, 0, 0.15);
	tone.connect(volume).connect(audio.destination);
	tone.start();
	tone.stop(0.7);
	tone.onended = () => audio.close();
	navigator.vibrate?.(200);
}

function reveal(m) {
	const { voters, voted } = m.votes;
	if (voted >= voters || confirm(`${voters - voted} of ${voters} have not voted. Reveal?`)) {
		m.change("room.set_revealed", { is_revealed: true });
	}
}

/* Votes that nobody would see are asked about first. */
function unlessLost(m, question, method, params) {
	const { room, votes: { voted } } = m;
	const lost = `${voted} ${voted === 1 ? "vote was" : "votes were"} not revealed.`;
	if (voted === 0 || room.is_revealed || confirm(`${question} ${lost}`)) {
		m.change(method, params);
	}
}

function next(m) {
	const hasStories = m.room.story_id || m.storyList.some(({ status }) => status === "todo");
	unlessLost(m, "Continue?", hasStories ? "story.next" : "room.reset");
}

export function selectStory(m, story) {
	unlessLost(m, `Vote on ${storyName(story)}?`, "story.select", { story_id: story.story_id });
}

/* Asks how long; `send` gets the minutes. */
function askMinutes(usual, send) {
	const minutes = parseFloat(prompt("Minutes", usual));
	if (minutes > 0) {
		send(minutes);
	}
}

/* A line a story: "PAY-101 Refund a payment https://..."; key and link may be missing. */
export async function addStories(m, text) {
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

/* Whoever dictates turns them off. */
export const hasShortcuts = () => recall("shortcuts") ?? true;

/* An action: place, key (the terminal's), right, label, what it does, when it makes sense, when it is the main one. */
const isHidden = ({ room }) => !room.is_revealed;
const hasName = ({ you }) => you.username;
const always = () => true;
const TABLE = [
	["round", "c", "reveal", "Stop the countdown", (m) => m.change("reveal.cancel", { token: m.room.countdown.token }),
		({ room }) => room.countdown],
	["round", "R", "reveal", "Reveal", reveal, (m) => isHidden(m) && m.votes.voted > 0, ({ votes }) => votes.voted >= votes.voters],
	["round", "=", "reset", ({ room }) => `Settle on ${room.result.suggestion}`,
		(m) => m.change("round.settle", { estimate: m.room.result.suggestion }),
		({ room }) => room.result?.suggestion && !room.outcome, always],
	["round", "V", "reset", "Vote again", (m) => m.change("round.again"), (m) => !isHidden(m)],
	["round", "N", "reset", ({ stories }) => (stories.size > 0 ? "Next story" : "Next round"), next, always, ({ room }) => room.outcome],
	["round", "U", "reset", "Undo the reset", (m) => m.change("round.undo_reset"), ({ room }) => room.can_undo],
	["round", "!", "signal", "Nudge", (m) => m.request("room.nudge").then(({ nudged }) => say(`Nudged ${nudged}`), sayRefusal),
		(m) => isHidden(m) && m.members.some((user) => m.counts(user) && !user.has_vote && !m.isMe(user))],
	["more", "t", "reset", ({ room }) => (room.timer ? "Stop the timer" : "Start a timer"), (m) => (m.room.timer
		? m.change("timer.stop") : askMinutes(5, (minutes) => m.change("timer.start", { seconds: Math.round(minutes * 60) })))],
	["more", "", "reset", ({ room }) => (room.pause_ends_at ? "End the break" : "Start a break"), (m) => (m.room.pause_ends_at
		? m.change("room.pause", { minutes: 0 }) : askMinutes(10, (minutes) => m.change("room.pause", { minutes: Math.ceil(minutes) })))],
	["more", "", "reset", "Clear all votes", (m) => unlessLost(m, "Clear all votes?", "room.reset"),
		(m) => isHidden(m) && m.votes.voted > 0],
	["more", "s", "read", ({ you }) => (you.role === "voter" ? "Spectate" : "Vote"),
		(m) => m.join(m.you.username, m.you.role === "voter" ? "spectator" : "voter").catch(sayRefusal), hasName],
	["more", "C", "read", "Become host again", (m) => m.change("room.claim_host", { host_key: m.kept.host_key }),
		(m) => m.kept.host_key && hasName(m) && !m.you.is_host],
	["more", "", "read", () => `Turn shortcuts ${hasShortcuts() ? "off" : "on"}`, (m) => {
		keep("shortcuts", !hasShortcuts());
		m.draw();
	}],
	["more", "q", "read", "Leave the room", leave],
	...REACTIONS.map((word) => ["react", "", "signal", word, (m) => m.change("room.react", { word })]),
];

/* What this member may do now, in one place or anywhere. */
export function actionsOf(m, at) {
	return TABLE.filter(([place, , right, , , when = always]) => (!at || place === at) && m.may(right) && when(m))
		.map(([, key, , label, run, , isMain]) => ({ key, label: label.call ? label(m) : label, run: () => run(m), isMain: isMain?.(m) }));
}
