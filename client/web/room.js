/* room.js - a copy of a room, one's place there, and what happens there in the sentences of plain mode. */
import { keep, recall, say, sayRefusal, tell } from "./dom.js";
import { randomKey, Wire } from "./wire.js";

const RETRY_MS = 2000;
const REACTION_MS = 4000;
export const CONFIDENCES = ["low", "medium", "high"];

export class Membership {
	epoch = 0;
	version = 0;
	room = null; /* before the first update */
	you = {};
	users = new Map();
	stories = new Map();
	story_votes = new Map(); /* on those that are open together, */
	own_votes = new Map(); /* and our own, by story_id */
	pending = new Map(); /* of those, what the server may not have yet; the table's has no story_id */
	left_votes = [];
	votes_n = 0;
	stage = "entering"; /* passcode, here, ended */
	isInStep = false; /* we have the room as it is */
	reactions = new Map(); /* words, by user_id */
	rounds = [];

	constructor(room_id, draw) {
		const kept = recall(`room.${room_id}`) ?? {};
		kept.user_key ??= randomKey();
		Object.assign(this, { room_id, draw, kept });
		this.wire = new Wire(this);
	}

	keep(changes) {
		Object.assign(this.kept, changes);
		keep(`room.${this.room_id}`, this.kept);
	}

	down(why) {
		tell(this.isInStep && `Connection lost${why && `: ${why}`}. Retrying`);
		this.isInStep = false;
		this.draw();
	}

	/* Subscribe, also after a lost connection. */
	async up() {
		const { room_id, kept: { user_key, host_key }, passcode, room } = this;
		this.isInStep = false;
		this.keep(); /* before it is sent: should the answer be lost, the seat is found again */
		const entered = this.wire.call("room.subscribe", { room_id, user_key, host_key, passcode, data: false });
		if (!room) {
			this.joinAgain(); /* in the same round trip */
		}
		try {
			await entered;
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
			setTimeout(() => this.wire.isUp && this.up(), retry_after_ms ?? RETRY_MS);
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

	/* The room or our way to it has changed. */
	follow() {
		const { version, you, pending } = this;
		pending.forEach((own, story_id) => own.version <= version && pending.delete(story_id));
		if (this.isInStep && !you.username) {
			this.joinAgain();
		}
		if (this.isInStep) {
			this.wire.sendWaiting();
		}
		this.draw();
	}

	/* Shown at once; it waits for a connection, while it can be voted on. null takes it back. */
	vote(vote, story_id) {
		const { pending, room: { round } } = this;
		const own = { vote };
		const isOver = () => (story_id ? !this.isOpen(this.stories.get(story_id)) : this.room.round !== round);
		const when = () => (isOver() || pending.get(story_id) !== own ? null : this.isInStep && Boolean(this.you.username));
		pending.set(story_id, own);
		this.request("room.vote", { story_id, vote }, when).then(({ version }) => (own.version = version), ({ sentence }) => {
			if (pending.get(story_id) === own) {
				pending.delete(story_id);
				say(!isOver() ? sentence : story_id ? "This story is closed" : "The next round has started. Vote again");
			}
		}).then(() => this.follow());
		this.draw();
	}

	request(method, params, when) {
		return this.wire.change(method, { room_id: this.room_id, ...params }, when);
	}

	/* A refusal is said; there is no result then. */
	change(method, params) {
		return this.request(method, params).catch(sayRefusal);
	}

	async readRounds() {
		const { rounds } = await this.wire.call("round.list", { room_id: this.room_id }).catch(sayRefusal) ?? this;
		this.rounds = rounds;
		this.draw();
	}

	/* ---- what is known ---- */

	/* false: it does not follow, and the room has to be asked for */
	apply(update) {
		const { epoch, since, version, full, room, by, votes_n } = update;
		if (!full && (epoch !== this.epoch || since !== this.version)) {
			return false;
		}
		if (full) {
			[this.users, this.stories, this.story_votes].forEach((map) => map.clear());
		}
		Object.assign(this, { epoch, version, by, room: room ?? this.room });
		update.gone?.forEach((user_id) => this.users.delete(user_id));
		if (update.votes_cleared || votes_n !== undefined) {
			this.votes_n = votes_n ?? 0;
			this.members.forEach((user) =>
				Object.assign(user, { has_vote: false, vote: null, comment: null, confidence: null, is_changed: false }));
		}
		update.users?.forEach((user) => this.users.set(user.user_id, { ...this.users.get(user.user_id), ...user }));
		update.stories?.forEach((story) => this.stories.set(story.story_id, story));
		update.story_votes?.forEach((votes) => this.story_votes.set(votes.story_id, votes));
		this.left_votes = [...(full || update.left_cleared ? [] : this.left_votes), ...(update.left_votes ?? [])];
		return true;
	}

	get members() {
		return [...this.users.values()];
	}

	isMe({ user_id }) {
		return user_id === this.you.user_id;
	}

	/* A person with a card, or a place for one. */
	isVoter({ username, role, is_bot, is_waiting }) {
		return username && role === "voter" && !is_bot && !is_waiting;
	}

	counts(user) {
		return this.isVoter({ ...user, is_bot: user.is_bot && !this.room.policy.bots_count });
	}

	isCounted(user) {
		return this.counts(user) && (user.is_connected || this.room.policy.keep_votes || this.room.policy.open_stories);
	}

	/* Away, and neither waited for nor in the result. */
	isAway(user) {
		const isHere = user.is_connected || this.isMe(user) || this.isCounted(user);
		return this.isVoter(user) && !isHere && !(this.room.is_revealed && user.has_vote);
	}

	get hidesVoters() {
		return this.room.policy.hide_who_voted && !this.room.is_revealed;
	}

	get missing() {
		return this.hidesVoters ? [] : this.members.filter((user) => this.isCounted(user) && !user.has_vote);
	}

	get votes() {
		const counted = this.members.filter((user) => (this.hidesVoters ? this.counts(user) : this.isCounted(user)));
		const voted = this.hidesVoters ? this.votes_n : counted.filter(({ has_vote }) => has_vote).length;
		return { voters: counted.length, voted };
	}

	/* Revealed; our own first, those of members who left last. */
	get openVotes() {
		const here = this.members.filter(({ vote }) => vote).sort((a, b) => this.isMe(b) - this.isMe(a));
		const left = this.left_votes.map((vote) => ({ ...vote, has_left: !this.users.get(vote.user_id)?.username }));
		return [...here, ...left];
	}

	get story() {
		return this.stories.get(this.room.story_id);
	}

	/* Ranks compare as bytes. */
	get storyList() {
		return [...this.stories.values()].filter(({ is_removed }) => !is_removed).sort((a, b) => (a.rank < b.rank ? -1 : 1));
	}

	/* Whether it is open beside the table's. */
	isOpen(story) {
		return this.room.policy.open_stories && story?.status === "todo" && !story.is_removed;
	}

	/* The votes on an open story, or with undefined on the table's, and our own. */
	ballot(story = this.story) {
		const { room: { policy, is_revealed, result, outcome }, you, pending } = this;
		const story_id = story === this.story ? undefined : story.story_id;
		const told = this.story_votes.get(story_id);
		const shown = story_id ? { ...told, ...this.own_votes.get(story_id), story_id, is_revealed: told?.revealed_at > 0 }
			: { ...you, is_revealed, result, outcome, votes: this.openVotes };
		const isFixed = shown.is_revealed && (policy.anonymous || !(story_id || policy.vote_after_reveal));
		const mayVote = you.username && you.role === "voter" && !isFixed;
		return { ...shown, ...pending.get(story_id), isPending: pending.has(story_id), mayVote };
	}

	/* Rights, as in proto/rights.c. */
	may(right) {
		const { is_host, is_waiting, username } = this.you;
		const { policy } = this.room;
		const shared = (who) => is_host || (who === "everyone" && username);
		const rights = {
			reveal: shared(policy.who_reveals),
			reset: shared(policy.who_resets),
			edit_stories: shared(policy.who_edits_stories),
			signal: shared("everyone"),
			lead: is_host,
		};
		return (!is_waiting || is_host) && rights[right];
	}
}

const NOTICES = {
	"room.update": (m, update) => {
		if (m.apply(update)) {
			m.isInStep ||= update.full;
			tellNews(m);
			m.follow();
		} else if (m.isInStep) {
			m.up();
		}
	},
	"room.you": (m, you) => {
		if (!m.you.is_waiting !== !you.is_waiting) {
			tell(you.is_waiting ? "You are in the lobby; a host must admit you." : "You were admitted.");
		}
		if (you.all_story_votes) {
			m.own_votes.clear();
		}
		you.story_votes?.forEach((own) => m.own_votes.set(own.story_id, own));
		m.you = you;
		if (m.room) {
			tellNews(m);
		}
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

function ring() {
	const audio = new AudioContext(); /* its time starts at 0 */
	const tone = new OscillatorNode(audio);
	tone.connect(new GainNode(audio, { gain: 0.1 })).connect(audio.destination);
	tone.start();
	tone.stop(0.3);
	tone.onended = () => audio.close();
	navigator.vibrate?.(200);
}

/* ---- what is told: what differs between two lists of facts ---- */

const clock = (at) => new Date(at).toTimeString().slice(0, 5);

/*
 * Facts are [what, value, sentence]: the sentence, or what makes it of the value before, is told when the
 * value changes; with `true` behind it also when the fact is new. `by` is whose doing it is.
 */
function factsOf(now, by) {
	const { room, you, users, stories, members, votes: { voted, voters }, hidesVoters: isHidden } = now;
	const { title, valid_sizes, policy, round, timer, pause_ends_at, phase, outcome, host_user_id, is_revealed } = room;
	const host = host_user_id ? users.get(host_user_id)?.username ?? "someone" : "Nobody";
	const cards = valid_sizes.join(" ");
	const isCounting = phase === "countdown";
	return [
		["title", title, by + (title ? `The room is called ${title}.` : "The room has no title now.")],
		["cards", cards, `${by}The cards are now ${cards}`],
		["own", you.vote, you.vote && `Your card is ${you.vote}.`],
		["withdrawn", you.is_withdrawn, you.is_withdrawn && `Your card ${you.vote} is not in the new deck. Vote again.`],
		["comment", you.comment, you.comment && `Your comment: ${you.comment}`],
		["rules", JSON.stringify(policy), `${by}The rules of the room have changed.`],
		...[...stories.values()].flatMap((story) => storyFacts(now, story)),
		["round", round, (old) => `${by}Round ${round} ${round > old ? "started" : "was restored"}.`],
		["story", `${room.story_id} ${round}`, target(now)],
		["timer", timer?.ends_at, by + (timer ? `A timer is running until ${clock(timer.ends_at)}${
			timer.reveal_at_zero ? ", and reveals at its end" : ""}.` : "The timer has ended.")],
		["pause", pause_ends_at, by + (pause_ends_at ? `There is a break until ${clock(pause_ends_at)}.` : "The break is over.")],
		...members.filter(({ username }) => username).flatMap((user) => memberFacts(now, voted, voters, user)),
		[`votes ${round}`, isHidden && voted, isHidden && `${voted} of ${voters} have voted.`, isHidden && voted > 0],
		[`countdown ${round}`, isCounting, isCounting ? "Everyone has voted. Revealing in a moment."
			: phase === "voting" && `${by}The countdown has stopped.`],
		["outcome", outcome, outcome && `${by}Settled on ${outcome}.`],
		["host", host_user_id, `${by}${host} is host.`],
		[`revealed ${round}`, is_revealed, is_revealed ? result(now) : `${by}The cards are hidden again.`, is_revealed],
	];
}

function storyFacts(now, story) {
	const { story_id, is_removed, estimate = null } = story;
	const name = storyName(story);
	const { is_revealed, result } = now.isOpen(story) && now.ballot(story);
	const own = now.own_votes.get(story_id)?.vote;
	return [
		[`own ${story_id}`, own, own && `Your card on ${name} is ${own}.`, true],
		[`shown ${story_id}`, is_revealed, is_revealed && `Revealed: ${name}. ${advice(result)}.`],
		[`story ${story_id}`, !is_removed && name, (old) => (is_removed ? `Story removed: ${name}`
			: old ? `Story ${old} is now called ${name}` : `Story ${old === false ? "restored" : "added"}: ${name}`), true],
		[`estimate ${story_id}`, estimate, estimate ? `Estimate of ${name}: ${estimate}` : `Estimate cleared: ${name}`],
	];
}

function memberFacts({ room: { round, host_user_id, policy }, you }, voted, voters, user) {
	const { user_id, username: name, role, is_bot, is_changed, vote, is_host, is_waiting, is_connected, has_vote = false } = user;
	const isTold = !policy.hide_who_voted && user_id !== you.user_id;
	return [
		[`member ${user_id}`, name, (old) => (old ? `${old} is now called ${name}.`
			: `${name} ${is_waiting ? "waits in the lobby" : role === "spectator" ? "joined as a spectator" : "joined"}.`), true],
		[`role ${user_id}`, role, `${name} is a ${role} now.`],
		[`here ${user_id}`, !is_connected, `${name} is ${is_connected ? "back" : "away"}.`],
		[`waiting ${user_id}`, !is_waiting, !is_waiting && `${name} was admitted.`],
		[`host ${user_id}`, !is_host, user_id !== host_user_id && `${name} is ${is_host ? "a co-host" : "not a host now"}.`],
		[`card ${user_id} ${round}`, vote, is_changed && `${name} has changed the vote to ${vote}.`],
		[`vote ${user_id} ${round}`, has_vote, isTold && (!has_vote ? `${name}'s vote was cleared.`
			: is_bot ? `${name}, a bot, has voted.` : `${name} has voted (${voted} of ${voters}).`), has_vote],
	];
}

function target({ story, room: { story_round } }) {
	return story && `Voting on: ${storyName(story)}${story_round > 1 ? `, vote ${story_round}` : ""}`;
}

/* What is new in the facts; all of it in short, if there are none of before. */
function tellNews(now) {
	const { room, room_id, users, by, you, facts: old } = now;
	const doer = by !== you.user_id && users.get(by)?.username;
	const all = factsOf(now, doer ? `${doer}: ` : "");
	const facts = now.facts = new Map(all);
	const namesOf = (map) => [...map].filter(([what]) => what.startsWith("member "));
	if (!old) {
		const names = namesOf(facts).map(([, name]) => name).join(", ");
		return [`Room ${room_id}${room.title ? `: ${room.title}` : ""}, round ${room.round}. ${names}`,
			target(now), you.vote && `Your card is ${you.vote}.`, room.is_revealed && result(now)].forEach(tell);
	}
	const isNew = ([what, value, , isSaid]) => (old.has(what) ? old.get(what) !== value : isSaid);
	namesOf(old).forEach(([what, name]) => tell(!facts.has(what) && `${name} left.`));
	all.filter(isNew).forEach(([what, , said]) => tell(said?.call ? said(old.get(what)) : said));
}

function result({ room, openVotes }) {
	const { cards, withdrawn, average, median, agreement_percent } = room.result;
	const votes = openVotes.filter(({ username }) => username);
	const shown = room.policy.anonymous ? cards.map(({ card, votes: n }) => `${n} x ${card}`)
		: votes.map(({ username, has_left, vote, confidence }) =>
			`${username}${has_left ? " (left)" : ""} ${vote}${confidence ? ` (${CONFIDENCES[confidence - 1]} confidence)` : ""}`);
	return [
		`Revealed: ${shown.join(", ") || "nobody has voted"}.`,
		...votes.map(({ username, comment }) => comment && `${username} commented: ${comment}.`),
		withdrawn && `${withdrawn} withdrawn.`,
		average !== undefined && `Average ${shortNumber(average)}, median ${shortNumber(median)}.`,
		cards.length > 0 && `Agreement ${agreement_percent}%. ${advice(room.result, null, votes.length > 0)}.`,
	].filter(Boolean).join(" ");
}

/* What to do about a result. Votes without names are nobody's to explain. */
export function advice(result, outcome, hasNames) {
	const { lowest, highest, votes, suggestion, is_unanimous, mode } = result;
	const speakers = [lowest, highest].filter((card) => hasNames && isOutlier(result, card));
	return outcome ? `${is_unanimous ? "All in favour, settled" : "Settled"} on ${outcome}`
		: is_unanimous ? `All ${votes} in favour of ${mode}`
		: suggestion ? `Suggested ${suggestion}`
		: speakers.length > 0 ? `Talk: ${speakers.join(" and ")} ${speakers.length > 1 ? "speak" : "speaks"} first`
		: lowest !== highest ? `Talk: from ${lowest} to ${highest}`
		: votes === 1 ? "A single vote" : votes > 0 ? "No clear suggestion" : "Nobody voted";
}

/* A card to talk about: an end of the votes that is neither suggested nor what most have. */
export function isOutlier({ lowest, highest, suggestion, cards }, card) {
	const votesOf = (other) => cards.find((row) => row.card === other)?.votes;
	const isMost = cards.every((row) => row.card === card || row.votes < votesOf(card));
	return [lowest, highest].includes(card) && lowest !== highest && card !== suggestion && !isMost;
}

const storyName = ({ key, title }) => (key ? `${key} ${title}` : title);

export const shortNumber = (value, decimals = 2) => Number(value.toFixed(decimals));
