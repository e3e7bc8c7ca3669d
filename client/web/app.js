/* app.js - what people see and do. Text is never markup. */
import { randomKey, Wire } from "./wire.js";

const { assign, entries } = Object;
const byId = (id) => document.getElementById(id);

/* No attributes. `key` tells siblings apart that come, go and move. */
const PROPERTIES = ["key", "onclick", "onsubmit", "oninput", "onchange", "ontoggle"];

/* "button.card.mine" is a tag and classes; then texts, elements, lists, properties. */
function el(name, ...parts) {
	const [tag, ...classes] = name.split(".");
	const node = document.createElement(tag);
	const set = ([what, value]) =>
		(PROPERTIES.includes(what) ? (node[what] = value) : isShown(value) && node.setAttribute(what, value));
	node.className = classes.join(" ");
	for (const part of parts.flat(Infinity).filter(isShown)) {
		part.constructor === Object ? entries(part).forEach(set) : node.append(part);
	}
	return node;
}

const isShown = (part) => part || part === 0;

/* From right to left, it must not turn its neighbours around. */
const theirs = (text) => el("bdi", text);

const unseen = (text) => el("span.unseen", text);

const button = (label, press, more) =>
	el("button", { type: "button", onclick: press, ...more }, label);

const field = (id, label, more, tag = "input") =>
	[el("label", { for: id }, label), el(tag, { id, dir: "auto", autocomplete: "off", ...more })];

function form(label, send, parts, other, more) {
	const onsubmit = (event) => {
		event.preventDefault();
		send(event.target.elements);
	};
	return el("form.panel", { onsubmit }, parts, el("p.actions", other, el("button.primary", more, label)));
}

/* Buttons are [label, what it does], the main one first. */
function lineForm(label, refusal, more, [first, enter], [second, other] = []) {
	const typed = () => byId("line").value.trim();
	const [title, input] = field("line", label, { required: true, ...more });
	return form(first, () => enter(typed()), [{ key: label }, el("h1", title), el("p.refusal", { role: "alert" }, refusal), input],
		second && button(second, () => other(typed())));
}

const nameForm = (why, ...buttons) =>
	lineForm("Your name", why, { value: recall("name"), autocomplete: "nickname" }, ...buttons);

/* An option is a value, or [value, label]. */
const choices = (label, options, chosen, choose, name = "span.choices") =>
	el(name, { role: "group", "aria-label": label }, options.map((option) => {
		const [value, text = value] = [option].flat();
		return button(text, () => choose(value), { key: `${value}`, "aria-pressed": `${value === chosen}` });
	}));

/* Make `old` the same as `now`; keep focus and what is typed. */
function morph(old, now) {
	if (old.nodeName === "#text") {
		old.data = now.data;
		return;
	}
	old.getAttributeNames().forEach((name) => now.hasAttribute(name) || name === "open" || old.removeAttribute(name)); /* its reader opens a <details> */
	[...now.attributes].forEach(({ name, value }) => old.setAttribute(name, value));
	PROPERTIES.forEach((name) => (old[name] = now[name]));
	const keyed = new Map([...old.childNodes].map((node) => [node.key, node]));
	const children = [...now.childNodes];
	const stay = new Set(children.map(({ key }) => key));
	keyed.forEach((node, key) => stay.has(key) || node.remove()); /* what moves loses the focus */
	children.forEach((child, i) => {
		const at = old.childNodes[i];
		const same = child.key ? keyed.get(child.key) : at;
		const isSame = same?.nodeName === child.nodeName && same.key === child.key;
		isSame && same === at || old.insertBefore(isSame ? same : child, at);
		isSame && morph(same, child);
	});
	while (old.childNodes[children.length]) {
		old.lastChild.remove();
	}
}

const SAID_MS = 6000;
const TOLD_LINES = 30;
let hiding;

function tell(line) {
	const log = byId("log");
	line && log.append(el("p", { dir: "auto" }, line));
	log.children[TOLD_LINES] && log.firstChild.remove();
}

function say(line) {
	const said = byId("said");
	tell(line);
	assign(said, { textContent: line, hidden: false });
	clearTimeout(hiding);
	hiding = setTimeout(() => (said.hidden = true), SAID_MS);
}

const sayWhy = ({ sentence }) => say(sentence);

function recall(name) {
	try {
		return JSON.parse(localStorage.getItem(`aye.${name}`));
	} catch {
		return null;
	}
}

function keep(name, value) {
	try {
		localStorage.setItem(`aye.${name}`, JSON.stringify(value));
	} catch { /* full, or forbidden */ }
}

/* ---- a room ---- */

const REACTION_MS = 4000;
const CONFIDENCES = ["low", "medium", "high"];

const put = (map, changed = []) => changed.forEach((one) => map.set(one.story_id, one));

class Membership {
	you = {};
	users = new Map();
	stories = new Map();
	story_votes = new Map(); /* on open stories */
	own_votes = new Map();
	pending = new Map(); /* not confirmed; the table's has no story_id */
	stage; /* passcode, here, ended */
	isInStep; /* we have the room as it is */
	reactions = new Map();
	rounds = [];
	draw = draw;

	constructor(room_id) {
		assign(this, { room_id, kept: { user_key: randomKey(), ...recall(`room.${room_id}`) } });
		this.wire = new Wire(this);
	}

	keep(changes) {
		assign(this.kept, changes);
		keep(`room.${this.room_id}`, this.kept);
	}

	down(why) {
		tell(this.isInStep && `Connection lost${why && `: ${why}`}. Retrying`);
		assign(this, { isInStep: false, wasLost: true });
		draw();
	}

	up() {
		const { room_id, kept: { user_key, host_key }, passcode } = this;
		this.isInStep = false;
		this.keep(); /* if the answer is lost, the seat is found again */
		const entered = this.wire.call("room.subscribe", { room_id, user_key, host_key, passcode, data: false });
		this.joinAgain();
		return entered.then(() => {
			tell(this.wasLost && "Connected again");
			assign(this, { stage: "here", why: "", wasLost: false });
			this.follow();
		}, (why) => this.refused(why));
	}

	refused({ code, sentence }) {
		if (code === "PASSCODE_REQUIRED") {
			assign(this, { stage: "passcode", why: this.passcode && "Wrong passcode." });
		} else if (code !== "LOST") {
			this.end(`${sentence}.`);
		}
		draw();
	}

	async join(username, role = "voter") {
		const joined = await this.request("room.join", { username, role }, () => this.wire.isOpen);
		this.keep({ username, role });
		joined.username === username || say(`${username} is taken; you are ${joined.username}`);
	}

	joinAgain() {
		const { kept: { username, role }, you } = this;
		if (username && !you.username) {
			this.joining ??= this.join(username, role).catch(({ sentence }) => {
				if (this.stage === "here") {
					this.keep({ username: "" });
					this.why = sentence;
				}
			}).then(() => {
				this.joining = null;
				draw();
			});
		}
	}

	end(why) {
		assign(this, { stage: "ended", why });
		this.wire.stop();
		tell(why);
	}

	notice(method, params) {
		NOTICES[method]?.(this, params);
		draw();
	}

	follow() {
		this.pending.forEach((own, story_id) => own.version <= this.version && this.pending.delete(story_id));
		this.isInStep && this.wire.sendWaiting();
		draw();
	}

	/* Shown at once, sent when it can be. null takes it back. */
	vote(vote, story_id) {
		const { pending, room: { round } } = this;
		const own = { vote };
		const isOver = () => (story_id ? !this.isOpen(this.stories.get(story_id)) : this.room.round !== round);
		const when = () => (isOver() || pending.get(story_id) !== own ? null : this.isInStep && !!this.you.username);
		pending.set(story_id, own);
		this.request("room.vote", { story_id, vote }, when).then(({ version }) => (own.version = version), ({ sentence }) => {
			if (pending.get(story_id) === own) {
				pending.delete(story_id);
				say(!isOver() ? sentence : story_id ? "This story is closed" : "The next round has started: vote again.");
			}
		}).then(() => this.follow());
		draw();
	}

	request(method, params, when) {
		return this.wire.change(method, { room_id: this.room_id, ...params }, when);
	}

	async change(method, params, question) {
		return (!question || confirm(question)) && this.request(method, params).catch(sayWhy);
	}

	async readRounds() {
		assign(this, await this.wire.call("round.list", { room_id: this.room_id }).catch(sayWhy));
		draw();
	}

	/* false: it does not follow, and the room has to be asked for */
	apply(update) {
		const { epoch, since, version, full, room, by, votes_n } = update;
		if (!full && (epoch !== this.epoch || since !== this.version)) {
			return false;
		}
		full && [this.users, this.stories, this.story_votes].forEach((map) => map.clear());
		assign(this, { epoch, version, by, room: room ?? this.room });
		update.gone?.forEach((user_id) => this.users.delete(user_id));
		if (update.votes_cleared || votes_n !== undefined) {
			this.votes_n = votes_n ?? 0;
			this.users.forEach((user) => assign(user, { has_vote: false, vote: null, comment: null, confidence: null, is_changed: false }));
		}
		update.users?.forEach((user) => this.users.set(user.user_id, { ...this.users.get(user.user_id), ...user }));
		put(this.stories, update.stories);
		put(this.story_votes, update.story_votes);
		this.left_votes = [...(full || update.left_cleared ? [] : this.left_votes), ...(update.left_votes ?? [])];
		this.derive(this.room);
		return true;
	}

	/* Ranks compare as bytes. */
	derive({ policy, story_id, is_revealed }) {
		const members = [...this.users.values()];
		const list = [...this.stories.values()].filter(({ is_removed }) => !is_removed).sort((a, b) => (a.rank < b.rank ? -1 : 1));
		const hidesVoters = policy.hide_who_voted && !is_revealed;
		assign(this, { policy, members, list, hidesVoters, named: members.filter(({ username }) => username), story: this.stories.get(story_id) });
		const voters = members.filter(hidesVoters ? this.counts : this.isCounted, this);
		this.missing = hidesVoters ? [] : voters.filter(({ has_vote }) => !has_vote);
		assign(this, { voters: voters.length, voted: hidesVoters ? this.votes_n : voters.length - this.missing.length });
		this.estimated = list.filter(({ estimate }) => estimate).length;
		this.open = list.filter(({ status, estimate }) => policy.open_stories && /todo|voting/.test(status) && !estimate);
	}

	isMe({ user_id }) {
		return user_id === this.you.user_id;
	}

	counts({ username, role, is_bot, is_waiting }) {
		return username && role === "voter" && (this.policy.bots_count || !is_bot) && !is_waiting;
	}

	isCounted(user) {
		return this.counts(user) && (user.is_connected || this.policy.keep_votes || this.policy.open_stories);
	}

	groupOf(user) {
		return user.is_waiting ? "Lobby" : user.is_bot ? "Bots" : user.role === "spectator" ? "Spectators"
			: user.is_connected || this.isMe(user) || this.isCounted(user) || (this.room.is_revealed && user.has_vote) ? "Seats" : "Away";
	}

	get openVotes() {
		return [...this.members.filter(({ vote }) => vote),
			...this.left_votes.map((vote) => ({ ...vote, has_left: !this.users.get(vote.user_id)?.username }))];
	}

	isOpen(story) {
		return this.policy.open_stories && story?.status === "todo" && !story.is_removed;
	}

	/* The votes on an open story; undefined: the table's. */
	ballot(story = this.story) {
		const { policy, you, pending } = this;
		const story_id = story === this.story ? undefined : story.story_id;
		const told = this.story_votes.get(story_id);
		const shown = story_id ? { ...told, ...this.own_votes.get(story_id), story_id, is_revealed: told?.revealed_at > 0 }
			: { ...this.room, ...you, story_id, votes: this.openVotes };
		const isFixed = shown.is_revealed && (policy.anonymous || !(story_id || policy.vote_after_reveal));
		const mayVote = you.username && you.role === "voter" && !isFixed && (story || !this.list.some(this.isOpen, this));
		return { ...shown, ...pending.get(story_id), isPending: pending.has(story_id), mayVote };
	}

	/* Open stories that lack our vote. */
	get awaited() {
		return this.open.filter((story) => {
			const { story_id, vote, is_revealed } = this.ballot(story);
			return !vote && (story_id || !is_revealed);
		});
	}

	/* Rights, as in proto/rights.c. */
	may(right) {
		const { you } = this;
		return you.is_host || ((this.policy[`who_${right}`] ?? right) === "everyone" && you.username && !you.is_waiting);
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
		tell(!m.you.is_waiting !== !you.is_waiting && (you.is_waiting ? "You are in the lobby; a host must admit you." : "You were admitted."));
		you.all_story_votes && m.own_votes.clear();
		put(m.own_votes, you.story_votes);
		m.you = you;
		m.room && tellNews(m);
	},
	"room.kicked": (m, { by, is_barred }) => {
		m.keep({ username: "" });
		m.end(`${by ? `${by} removed you` : "You were removed"} from the room${is_barred ? "; you are banned until a host unbans you" : ""}.`);
	},
	"room.deleted": (m) => m.end("The room was deleted."),
	"room.expired": (m) => m.end("The room has expired."),
	"room.expiring": ({ wire }, { expires_at }) => {
		const minutes = Math.round((expires_at - wire.now()) / 60000);
		say(`The room is deleted in ${minutes} minute${minutes === 1 ? "" : "s"} if unused.`);
	},
	"room.nudged": (m, { by = "Someone" }) => {
		say(`${by} asks you to vote.`);
		ring();
	},
	"room.reaction": (m, { user_id, word }) => {
		tell(`${m.users.get(user_id)?.username ?? "Someone"}: ${word}`);
		m.reactions.set(user_id, word);
		setTimeout(() => m.reactions.delete(user_id) && draw(), REACTION_MS);
	},
};

function ring() {
	const audio = new AudioContext();
	const tone = new OscillatorNode(audio);
	tone.connect(new GainNode(audio, { gain: 0.1 })).connect(audio.destination);
	tone.start();
	tone.stop(0.3);
	tone.onended = () => audio.close();
	navigator.vibrate?.(200);
}

/* ---- what is told ---- */

const storyName = ({ key, title }) => (key ? `${key} ${title}` : title);
const utc = (at) => new Date(at).toISOString();
const clock = (at) => `${utc(at).slice(11, 19)} UTC`;
let rules = {}; /* their sentences, once loaded */
const NAMED_MOST = 3;
const withdrawn = (vote) => `Your card ${vote} is not in the new deck. Vote again.`;
const sure = (confidence) => `${CONFIDENCES[confidence - 1]} confidence`;

/* [what, value, sentences or a function of the value before, those of no value]; "+": told also when new; "!": at first. */
function factsOf(now, by) {
	const { room, you, list, open, voted } = now;
	const { link_template: link, title, policy, round, timer, phase, outcome, host_user_id } = room;
	const cards = room.valid_sizes.join(" ");
	const isAgain = now.facts?.get("kept") === host_user_id;
	const own = [you, ...now.own_votes.values()].map(({ vote }) => vote).filter(Boolean).sort();
	const goesOn = phase === "voting";
	const each = (all, id, facts) => all.flatMap((one) => facts(now, one, by).map(([what, ...more]) => [`${what} ${one[id]}`, ...more]));
	return [
		["!room", true, `Room ${now.room_id}${title ? `: ${title}` : ""}, round ${round}, cards ${cards}`],
		["!stories", true, list[0] && `Stories: ${list.length}, ${now.estimated} with an estimate${open[0] ? `, ${open.length} open together` : ""}`],
		["link", link, `${by}Story links are now: ${link}`, `${by}Stories have no links of their own now.`],
		["title", title, `${by}The room is called ${title}.`, `${by}The room has no title now.`],
		["cards", cards, `${by}The cards are now ${cards}`],
		["round", round, (old) => `${by}Round ${round} ${round > old ? "started" : "was restored"}.`],
		...entries(rules).map(([rule, said]) => [rule, `${policy[rule]}`, by + said[policy[rule]]]),
		["quorum", `${policy.quorum}`, `${by}${policy.quorum || "All"} votes are needed to reveal now.`],
		...each([...now.stories.values()], "story_id", storyFacts),
		["!target", `${room.story_id} ${round}`, target(now)],
		["!timer", timer?.ends_at, () => by + timerLine(room), `${by}The timer has ended.`],
		["!break", room.pause_ends_at, () => `${by}There is a break until ${clock(room.pause_ends_at)}.`, `${by}The break is over.`],
		["!people", true, () => peopleLines(now)],
		...each(now.named, "user_id", memberFacts),
		[`!votes ${now.hidesVoters} ${round}`, `${voted}`, now.hidesVoters && `${voted} of ${now.voters} have voted.`],
		["!again", you.is_host_again, "You are host again."],
		["!own", you.vote, `Your card is ${you.vote}.`],
		["!withdrawn", goesOn && you.is_withdrawn, withdrawn(you.vote)],
		["!comment", you.comment, `Your comment: ${you.comment}`],
		["!sure", you.confidence, `You voted with ${sure(you.confidence)}.`],
		[`!progress ${round}`, you.username && `on ${own}`, (old) => !(old?.split(",").length > own.length) && progressOf(now)],
		[`countdown ${round}`, phase === "countdown", "Everyone has voted. Revealing in a moment.", goesOn && `${by}The countdown has stopped.`],
		[`armed ${round}`, room.is_armed, `${by}The last vote reveals at once.`, goesOn && "The last vote does not reveal at once now."],
		["outcome", outcome, `${by}Settled on ${outcome}.`],
		["kept", room.host_kept_for],
		["host", host_user_id, !(isAgain && host_user_id === you.user_id)
			&& `${by}${now.users.get(host_user_id)?.username ?? "someone"} is host${isAgain ? " again" : ""}.`, `${by}Nobody is host.`],
		[`!+revealed ${round}`, room.is_revealed, () => resultLines(now), `${by}The cards are hidden again.`],
	];
}

function peopleLines(now) {
	const { named } = now;
	const absent = named.filter((user) =>
		!(user.is_connected || user.is_host || user.is_waiting || user.has_vote || now.isCounted(user)));
	const away = absent[NAMED_MOST] ? absent : [];
	return [named.filter((user) => !away.includes(user)).map((user) => standing(now, user)),
		now.members[named.length] && `and ${now.members.length - named.length} without a name`, away[0] && `and ${away.length} away`];
}

const standing = ({ users, room }, user, away = user.user_id === room.host_user_id && users.get(room.host_kept_for)?.username) =>
	[user.username, user.is_host && `host${away ? ` until ${away} is back` : ""}`, user.is_bot && "a bot",
		user.role !== "voter" && user.role, user.is_waiting && "waits in the lobby", !user.is_connected && "away", user.has_vote && "has voted"]
		.filter(Boolean).join(", ");

/* Where votes stay, people have days. */
const timerLine = ({ timer: { ends_at, reveal_at_zero }, policy }) =>
	(reveal_at_zero && policy.keep_votes ? `Votes are revealed on ${utc(ends_at).slice(0, 10)} at ${clock(ends_at)}.`
		: `A timer is running until ${clock(ends_at)}${reveal_at_zero ? ", and reveals at its end" : ""}.`);

const target = ({ story, room: { story_round: n } }, end = ["st", "nd", "rd"][/1.$/.test(n) ? 9 : n % 10 - 1] ?? "th") =>
	story && `Voting on: ${storyName(story)}${n > 1 ? `, ${n}${end} vote` : ""}${story.description ? " (with a description)" : ""}`;

function storyFacts(now, story, by) {
	const { story_id, is_removed, estimate } = story;
	const { revealed_at, voted = 0, votes, result } = now.story_votes.get(story_id) ?? {};
	const name = storyName(story);
	const short = story.key || story.title;
	const isOpen = now.isOpen(story);
	const isRevealed = isOpen && revealed_at > 0;
	const own = isOpen && now.own_votes.get(story_id)?.vote;
	const was = now.facts?.get(`place ${story_id}`);
	return [
		["+story", !is_removed && name, (old) => (old ? `Story ${old} is now called ${name}`
			: `Story ${old === false ? "restored" : "added"}: ${name}`), `Story removed: ${name}`],
		["rank", !is_removed && story.rank, (old) => old && `Story moved: ${name}`],
		["estimate", estimate, was === "open" && !isOpen ? `${by}Settled:\t${short} on ${estimate}` : `Estimate of ${name}: ${estimate}`,
			`Estimate cleared: ${name}`],
		["place", isOpen ? "open" : story === now.story && "table"],
		["skipped", story.status === "skipped", `Story skipped: ${name}`],
		["voted", isOpen && !isRevealed && `${voted}`, (old) => old && votersLine(now, voted > old, `${short} (${voted} of ${now.voters})`)],
		["cards", isRevealed ? `shown ${votes?.map(({ vote }) => vote)}` : "",
			(old) => `${old ? "Votes were changed on" : "Revealed:"}\t${short}: ${summaryOf(now.policy, result)}`, isOpen && `${by}Hidden again:\t${short}`],
		["+own", own, was !== "table" && `You voted\t${own} on ${short}`],
	];
}

function votersLine(now, isMore, on) {
	const names = now.named.filter((user) => {
		const more = user.stories_voted - (now.facts.get(`on ${user.user_id}`) ?? 0);
		return !now.isMe(user) && (isMore ? more > 0 : more < 0);
	}).map(({ username }) => username);
	const who = names[NAMED_MOST] ? `${names.length} members` : new Intl.ListFormat("en-GB").format(names);
	const [hidden, deed] = isMore ? ["New votes", "voted"] : ["Votes were cleared", "retracted votes"];
	return now.policy.hide_who_voted ? `${hidden} on\t${on}` : who && `${who} ${deed} on\t${on}`;
}

const isNear = ({ suggestion, spread_steps }) => suggestion && !(spread_steps > 1);

const summaryOf = ({ quorum }, result, { votes, suggestion, lowest, highest, mode } = result) =>
	(!votes ? "no votes" : !isNear(result) ? (lowest ? `${lowest} to ${highest}` : `${mode}, most votes`)
		: `${suggestion}, ${votes < quorum ? `${votes} of ${quorum} needed` : "agreed"}`);

const progressOf = ({ list, open, awaited }, [next] = awaited) =>
	open[0] && `You have voted on ${open.length - awaited.length} of ${open.length} ${open[1] ? "stories" : "story"}${
		next ? `; next: ${next.key ? "" : `${list.indexOf(next) + 1}, `}${storyName(next)}` : ""}.`;

function memberFacts(now, user) {
	const { username: name, role, vote, is_host, is_waiting } = user;
	const isTold = !now.policy.hide_who_voted && !now.isMe(user);
	return [
		["+member", name, (old) => (old ? `${old} is now called ${name}.`
			: `${name} ${is_waiting ? "waits in the lobby" : role === "spectator" ? "joined as a spectator" : "joined"}.`)],
		["role", role, `${name} is a ${role} now.`],
		["on", user.stories_voted],
		["here", user.is_connected, `${name} is back.`, `${name} is away.`],
		["waiting", is_waiting, "", `${name} was admitted.`],
		["host", `${is_host}`, user.user_id !== now.room.host_user_id && `${name} is ${is_host ? "a co-host" : "not a host now"}.`],
		[`card ${now.room.round}`, vote, user.is_changed && `${name} has changed the vote to ${vote}.`],
		[`+vote ${now.room.round}`, user.has_vote, isTold && `${name}${user.is_bot ? ", a bot, has voted" : ` has voted (${now.voted} of ${now.voters})`}.`,
			isTold && `${name}'s vote was cleared.`],
	];
}

/* Lines that are the same up to a tab become one. */
function tellNews(now) {
	const { by, facts: old } = now;
	const doer = by !== now.you.user_id && now.users.get(by)?.username;
	const all = factsOf(now, doer ? `${doer}: ` : "");
	const facts = new Map(all);
	const isNew = ([what, value]) => (!old ? value && what[0] === "!" : old.has(what) ? old.get(what) !== value : value && what.includes("+"));
	const left = [...old ?? []].map(([what, name]) => what.startsWith("+member ") && !facts.has(what) && `${name} left.`);
	const news = all.filter(isNew).map(([what, value, said, none]) => (!value ? none : said?.call ? said(old?.get(what)) : said));
	const kindOf = (line) => /(?<=^Story )(added|removed|restored|moved)(?=: )|^.*(?=\t)/.exec(line)?.[0] ?? line;
	for (const [kind, lines] of entries(Object.groupBy([left, news].flat(Infinity).filter(Boolean), kindOf))) {
		const told = lines.map((line) => line.split("\t")[1]);
		const first = told.slice(0, NAMED_MOST).join(", ");
		const more = lines[NAMED_MOST] && (kind === "You voted" ? `${first} and ${lines.length - NAMED_MOST} more` : `${lines.length} stories`);
		told[0] ? tell(`${kind} ${more || first}.`) : more ? tell(`${more} were ${kind}.`) : lines.forEach(tell);
	}
	now.facts = facts;
}

function resultLines({ room: { result, policy: { anonymous, bots_count } }, openVotes }) {
	const { cards, is_unanimous, mode, suggestion } = result;
	const votes = openVotes.filter(({ username }) => username && !anonymous);
	const name = ({ username, has_left }) => `${username}${has_left ? " (left)" : ""}`;
	const shown = anonymous ? cards.map(({ card, votes: n }) => `${n} x ${card}`)
		: votes.map((each) => `${name(each)} ${each.vote}${each.confidence ? ` (${sure(each.confidence)})` : ""}`);
	const speakers = outliersOf(result).map((card) => `${card} by ${votes.filter(({ vote, is_bot }) => vote === card && (bots_count || !is_bot)).map(name).join(", ")}`);
	return [
		`Revealed: ${shown.join(", ") || "nobody has voted"}.`,
		...votes.map(({ username, comment }) => comment && `${username} commented: ${comment}`),
		...figuresOf(result),
		is_unanimous ? `All agree on ${mode}.` : suggestion ? `Suggested: ${suggestion}.`
			: !anonymous && speakers[0] && `To speak first: ${speakers.join("; ")}.`,
	];
}

const figuresOf = ({ cards, withdrawn, average, median, agreement_percent: agreement }) => [
	withdrawn && `${withdrawn} vote${withdrawn > 1 ? "s were" : " was"} withdrawn: not in the deck now.`,
	average !== undefined ? `Average ${+average.toPrecision(3)}, median ${+median.toPrecision(3)}, agreement ${agreement}%.`
		: cards[0] && `Agreement ${agreement}%.`,
];

function advice(result, outcome, hasNames) {
	const { lowest, highest, votes, is_unanimous } = result;
	const speakers = outliersOf(result);
	return outcome ? `${is_unanimous ? "All in favour, settled" : "Settled"} on ${outcome}`
		: is_unanimous ? `All ${votes} in favour of ${result.mode}`
		: result.suggestion ? `Suggested ${result.suggestion}`
		: hasNames && speakers[0] ? `Talk: ${speakers.join(" and ")} ${speakers[1] ? "speak" : "speaks"} first`
		: lowest !== highest ? `Talk: from ${lowest} to ${highest}`
		: votes > 1 ? "No clear suggestion" : votes ? "A single vote" : "Nobody voted";
}

/* Ends of the votes, neither suggested nor what most have. */
const outliersOf = ({ lowest, highest, suggestion, cards }, [first, second] = cards.toSorted((a, b) => b.votes - a.votes)) =>
	(lowest === highest ? [] : [lowest, highest].filter((card) => card !== suggestion && (first.votes === second.votes || card !== first.card)));

/* ---- what is seen ---- */

const SEATS_MOST = 60;
const NAMES_MOST = 5;

function drawRoom(m) {
	const { you } = m;
	if (m.stage === "passcode") {
		return lineForm("Passcode", m.why, { type: "password" }, ["Enter", (passcode) => m.up(assign(m, { passcode }))]);
	}
	const joining = !you.username && !m.kept.username && joinForm(m);
	if (you.is_waiting || !you.user_id || !m.room) { /* the form stays in its place */
		return joining ? [{ class: "room" }, el("div", joining)]
			: you.is_waiting && [el("h1", "You are in the lobby"), el("p", "Waiting for a host.")];
	}
	const ballot = m.ballot();
	const table = el("div", joining, drawStory(m), drawSeats(m), drawResult(m, ballot), drawButtons(m, ACTIONS.round),
		fold("More", drawButtons(m, [...reactions(m), ...ACTIONS.more])), drawHand(m, ballot));
	const lists = el("aside", drawStories(m), drawRounds(m));
	return [{ class: "room" }, m.policy.open_stories ? [lists, table] : [table, lists]];
}

function joinForm(m) {
	const joins = (role) => (username) => {
		keep("name", username);
		m.keep({ username, role });
		m.joinAgain();
		draw();
	};
	return nameForm(m.why || m.wire.why, ["Join", joins("voter")], ["Spectate", joins("spectator")]);
}

const drawStory = (m, { story, list, room } = m) => el("section.story",
	el("p.soft",
		story && `Story ${list.indexOf(story) + 1}/${list.length}`,
		room.story_round > 1 && ` · vote ${room.story_round}`,
		[["Timer", room.timer?.ends_at], ["Break:", room.pause_ends_at]].map(([what, at]) => at && [" ", el("span.pill", what, " ", left(at))])),
	el("h1", linkOf(m, story), theirs(story?.title ?? room.title ?? "Vote without a story")),
	descriptionOf(story));

const descriptionOf = (story) => story?.description && el("p.description", { dir: "auto", tabindex: 0 }, story.description);

function linkOf({ room }, { key, link } = {}) {
	const href = link || (key && room.link_template?.replace("{key}", encodeURIComponent(key)));
	const isLink = /^https?:\/\//i.test(href);
	return (key || href) && [el(isLink ? "a.key" : "span.key",
		isLink && { href, target: "_blank", rel: "noreferrer" }, theirs(key || "Link")), " "];
}

function left(ends_at) {
	shown.isTicking = true;
	const seconds = Math.max(0, Math.ceil((ends_at - shown.wire.now()) / 1000));
	const minutes = seconds / 60 | 0;
	return minutes < 120 ? `${minutes}:${String(seconds % 60).padStart(2, "0")}` : `${minutes / 60 | 0} h`;
}

/* `on`: for those who do not see where. */
const act = (right, label, on, run) => shown.may(right) && button([label, unseen(` ${on}`)], run);

const fold = (title, ...parts) => el("details", { key: title }, el("summary", title), parts);

const nameOf = (user) => (shown.isMe(user) ? "you" : theirs(user.username ?? "someone"));

const namesOf = (users, most = SEATS_MOST) => [
	users.slice(0, most).map((user, i) => [i > 0 && ", ", nameOf(user), user.has_left && " (left)", user.is_bot && [" ", user.vote]]),
	users.length > most && ` and ${users.length - most} more`,
];

function drawSeats(m) {
	const groups = Object.groupBy(new Set([...m.named.filter(m.isMe, m), ...m.missing, ...m.named]), (user) => m.groupOf(user));
	const line = (name, { user_id, username, is_waiting }, ...deeds) =>
		el(name, theirs(username), is_waiting && " waits in the lobby",
			deeds.map(([label, method]) => act("lead", label, username, () => m.change(method, { user_id }))));
	return el("section.seats", { "aria-label": "Members" },
		el("ul", groups.Seats?.slice(0, SEATS_MOST).map((user) => drawSeat(m, user))),
		drawStatus(m),
		groups.Lobby?.map((user) => line("p.lobby.pill.actions", user, ["Admit", "room.admit"], ["Reject", "room.reject"])),
		["Away", "Spectators", "Bots"].map((title) => groups[title] && el("p.soft", `${title}: `, namesOf(groups[title]))),
		m.may("lead") && fold("Members", m.named.filter((user) => !m.isMe(user) && !user.is_waiting).map((user) => line("p.actions", user,
			user.is_host ? ["End co-host", "room.unset_host"] : ["Make co-host", "room.set_host"], ["Remove", "room.kick"]))));
}

function drawSeat(m, user) {
	const isMe = m.isMe(user);
	const card = isMe && !m.room.is_revealed ? m.ballot().vote : user.vote;
	const isBack = !card && user.has_vote;
	const word = m.reactions.get(user.user_id);
	return el(`li.seat.${card ? "face" : isBack ? "back" : "none"}${isMe ? ".me" : ""}${user.is_connected ? "" : ".away"}`,
		{ key: user.user_id },
		el("span.card", card ?? unseen(isBack ? "voted" : "no card")),
		el("span.name", nameOf(user), user.is_host && [" ★", unseen("host")], !user.is_connected && " away"),
		word && el("span.reaction.pill", theirs(word)));
}

const drawStatus = ({ missing, voters, voted, room, policy: { quorum } }) =>
	(room.countdown ? el("p.status.good", "Revealing in ", left(room.countdown.ends_at).replace("0:0", ""))
		: !room.is_revealed && el(voted < voters ? "p.status" : "p.status.good",
			voters ? `${voted} of ${voters} voted` : "No voters yet",
			quorum > voted && `, ${quorum} needed`,
			room.is_armed && " · armed",
			missing[0] && [" · waiting for ", namesOf(missing, NAMES_MOST)]));

const drawResult = (m, { story_id, result, outcome, votes }) =>
	result && el("section", { key: "result", "aria-label": "Result" }, drawFigures(result, votes, outcome),
		m.may("resets") && el("div.actions", "Settle on", choices("Settle on", m.room.valid_sizes, outcome,
			(card) => m.change("round.settle", { story_id, estimate: card === outcome ? null : card }))));

function drawFigures(result, votes, outcome) {
	const { cards, lowest } = result;
	const named = votes.filter(({ user_id, is_bot }) => user_id && (!is_bot || result.votes === votes.length));
	const apart = outliersOf(result);
	const remarks = votes.filter(({ comment, confidence, is_changed }) => comment || confidence || is_changed);
	return [
		el(outcome || result.is_unanimous ? "p.advice.good" : result.suggestion ? "p.advice" : "p.advice.talk", advice(result, outcome, named[0])),
		el("p", figuresOf(result).filter(isShown).join(" ")),
		bars(cards.map(({ card, votes: n }) => [card, n, apart.includes(card), [
			namesOf(named.filter(({ vote }) => vote === card)),
			apart.includes(card) && el("em", card === lowest ? " lowest" : " highest",
				named[0] && (n === 1 ? ", speaks first" : ", speak first")),
		]])),
		remarks[0] && el("ul", remarks.map((vote) => remark(vote, 3, el("b", vote.vote), " ", nameOf(vote), vote.is_changed && ", changed"))),
	];
}

const remark = ({ confidence, comment }, most, ...start) =>
	el("li.prompt", start, confidence && `, confidence ${confidence}/${most}`, comment && [": ", theirs(comment)]);

const bars = (rows, max = Math.max(1, ...rows.map(([, n]) => n))) =>
	el("ol.bars", rows.map(([label, n, isApart, who]) => el(isApart ? "li.apart" : "li", el("b", theirs(label)),
		el("progress", { max, value: n, "aria-hidden": true }), el("b", n, unseen(n === 1 ? "vote" : "votes")), el("span", who))));

const drawButtons = (m, rows) => el("div.actions", actionsOf(m, rows).map(({ label, key, run, isMain }) =>
	button(label, run, { class: isMain && "primary", disabled: !m.wire.isUp, title: key && `Key ${key}` })));

function drawHand(m, ballot) {
	const { story_id, vote, comment, confidence, isPending } = ballot;
	if (!ballot.mayVote && document.activeElement.id !== "comment") { /* who writes, writes on */
		return !story_id && m.you.role === "spectator" && m.you.username && el("p.soft", "You are a spectator.");
	}
	const note = m.wire.link === "lost" ? `Not connected${vote ? `. Your ${vote} is ${isPending ? "sent on reconnect" : "kept"}` : ""}`
		: isPending ? "Not confirmed yet" : ballot.is_withdrawn && withdrawn(vote);
	const add = (fields) => m.change("room.vote", { story_id, vote, ...fields });
	const cards = choices("Your card", m.room.valid_sizes, vote, (card) => m.vote(card === vote ? null : card, story_id),
		`div.cards${isPending ? ".pending" : ""}`);
	const extras = el(`div.extras${vote ? "" : ".later"}`,
		m.policy.confidence && ["Confidence", choices("Confidence",
			CONFIDENCES.map((word, i) => [i + 1, word]), confidence, (n) => add({ confidence: n }))],
		el("input", { key: `of ${!vote}`, id: !story_id && "comment", "aria-label": "Comment on your vote", placeholder: "Comment, shown after the reveal",
			value: comment, dir: "auto", onchange: ({ target }) => add({ comment: target.value.trim() || null }) }),
		button("Retract", () => m.vote(null, story_id)));
	return story_id ? [cards, vote && extras]
		: [extras, el("section.hand", el("h2", "Your card", note && el("small", note)), cards)];
}

function drawStories(m) {
	const { list, open } = m;
	const sum = list.reduce((all, { estimate }) => all + (+estimate || 0), 0);
	const mayAdd = m.may("edits_stories");
	const add = ({ lines }) => addStories(m, lines.value).then(() => (lines.value = ""), sayWhy);
	return (list[0] || mayAdd) && el("section.panel",
		el("h2", "Stories", list[0] && el("small", open[0] && `you ${open.length - m.awaited.length} of ${open.length} · `,
			`${m.estimated} of ${list.length} estimated · sum ${+sum.toFixed(2)}`)),
		el("ol.stories", list.map((story) => drawStoryRow(m, story))),
		drawButtons(m, ACTIONS.stories),
		mayAdd && fold("Add stories", form("Add", add,
			field("lines", "One story a line; a key may come first, a link last", { rows: 4, required: true }, "textarea"))));
}

function drawStoryRow(m, story) {
	const { story_id, key, title, status } = story;
	const ballot = m.isOpen(story) && m.ballot(story);
	const { is_revealed, result, voted, vote } = ballot;
	const shown = is_revealed ? advice(result) : voted > 0 && `${voted} voted`;
	return el(story === m.story ? "li.current" : "li", { key: story_id }, el("details", { id: story_id, ontoggle: draw },
		el("summary", el("span.title", key && [el("span.key", theirs(key)), " "], theirs(title)),
			shown && el("span.soft", shown),
			vote && el("b.pill", unseen("your card "), vote),
			el("b", story.estimate ?? (/voting|skipped/.test(status) && status))),
		byId(story_id)?.open && [
			(story.link || m.room.link_template) && linkOf(m, story),
			descriptionOf(story),
			ballot && [drawHand(m, ballot), drawResult(m, ballot)],
			el("div.actions",
				shown && act("reveals", is_revealed ? "Hide" : "Reveal", title, () =>
					m.change("room.set_revealed", { story_id, is_revealed: !is_revealed })),
				story !== m.story && act("resets", "Vote", `on ${title}`, () => unlessLost(m, `Vote on ${title}?`, "story.select", { story_id })),
				act("edits_stories", "Edit", title, () => ask("Title", title, (text) => m.change("story.update", { story_id, title: text }))),
				act("edits_stories", "Remove", title, () => m.change("story.remove", { story_id }))),
		]));
}

const drawRounds = (m) => fold("Earlier rounds", { class: "panel", ontoggle: ({ target }) => target.open && m.readRounds() },
	m.rounds.map(({ n, key = "", story = "without a story", outcome, result, votes }) => el("details.round", { key: `round ${n}` },
		el("summary", `${n} `, theirs(`${key} ${story} `), el("b", outcome)),
		drawFigures(result, votes, outcome))));

/* ---- what can be done ---- */

const reveal = (m, missing = m.voters - m.voted) =>
	m.change("room.set_revealed", { is_revealed: true }, missing > 0 && `${missing} of ${m.voters} have not voted. Reveal?`);

const hidden = ({ room, voted }) => !room.is_revealed && voted;

const unlessLost = (m, question, method, params, n = hidden(m)) =>
	m.change(method, params, n && `${question} ${n} vote${n === 1 ? " is" : "s are"} not revealed.`);

const ask = (label, usual, send, text = prompt(label, usual)?.trim()) => text && send(text);

async function addStories(m, text) {
	for (const line of text.trim().split(/\s*\n\s*/)) {
		const [, key, title, link] = /^(?:([A-Z][A-Z0-9]*-\d+|#\d+):?\s+)?(.*?)(?:\s+(https?:\/\/\S+))?$/.exec(line);
		await m.request("story.add", { key, title, link });
	}
}

/* Who dictates turns them off. */
const hasShortcuts = () => recall("shortcuts") ?? true;

/* Key (the terminal's), right, label, act, when, when it is the main one: fields of the room or functions. */
const ACTIONS = {
	round: [
		["c", "reveals", "Stop the countdown", (m) => m.change("reveal.cancel", { token: m.room.countdown.token }), "countdown"],
		["R", "reveals", "Reveal", reveal, hidden, ({ voters, voted }) => voted >= voters],
		["=", "resets", ({ room }) => `Settle on ${room.result.suggestion}`,
			(m) => m.change("round.settle", { estimate: m.room.result.suggestion }), ({ room }) => room.result?.suggestion && !room.outcome, "result"],
		["V", "resets", "Vote again", "round.again", "is_revealed"],
		["N", "resets", ({ stories }) => (stories.size ? "Next story" : "Next round"), (m) => unlessLost(m, "Continue?",
			m.room.story_id || m.list.some(({ status }) => status === "todo") ? "story.next" : "room.reset"), "", "outcome"],
		["U", "resets", "Undo the reset", "round.undo_reset", "can_undo"],
		["!", "everyone", "Nudge", (m) => m.request("room.nudge").then(({ nudged }) => say(`Nudged ${nudged}`), sayWhy),
			(m) => !m.room.is_revealed && m.members.some((user) => m.counts(user) && !user.has_vote && !m.isMe(user))],
	],
	more: [
		["t", "resets", "Start a timer", (m) => ask("Minutes", 5, (minutes) =>
			m.change("timer.start", { seconds: Math.round(minutes * 60) })), ({ room }) => !room.timer],
		["t", "resets", "Stop the timer", "timer.stop", "timer"],
		["", "resets", "Start a break", (m) => ask("Minutes", 10, (minutes) =>
			m.change("room.pause", { minutes: Math.ceil(minutes) })), ({ room }) => !room.pause_ends_at],
		["", "resets", "End the break", (m) => m.change("room.pause", { minutes: 0 }), "pause_ends_at"],
		["", "resets", "Clear all votes", (m) => unlessLost(m, "Clear all votes?", "room.reset"), hidden],
		["", "lead", "Change the cards", (m) => ask("Cards", m.room.valid_sizes.join(" "),
			(text) => m.change("room.set_valid_sizes", { valid_sizes: text.split(/[\s,]+/) }))],
		["s", "", ({ you }) => (you.role === "voter" ? "Spectate" : "Vote"), (m) =>
			m.join(m.you.username, m.you.role === "voter" ? "spectator" : "voter").catch(sayWhy), ({ you }) => you.username],
		["C", "", "Become host again", (m) => m.change("room.claim_host", { host_key: m.kept.host_key }),
			({ kept, you }) => kept.host_key && you.username && !you.is_host],
		["", "", () => `Turn shortcuts ${hasShortcuts() ? "off" : "on"}`, () => draw(keep("shortcuts", !hasShortcuts()))],
		["q", "", "Leave the room", async (m) => {
			if (await m.change("room.leave", { if_last: true })) {
				m.keep({ username: "" });
				location.hash = "";
			}
		}],
	],
	stories: [["", "resets", "Settle all that agree", (m) => m.change("round.settle_agreed", {}, "Settle them all?"), (m) => m.open.map((story) => m.ballot(story))
		.some(({ story_id, result }) => story_id && result && isNear(result) && result.votes >= m.policy.quorum)]],
};

const reactions = ({ room }) => (room.reactions ?? [..."👍👎🎉😂🤔☕"]).map((word) =>
	["", "everyone", word, (m) => m.change("room.react", { word })]);

function actionsOf(m, rows = Object.values(ACTIONS).flat()) {
	const is = (when) => (when.call ? when(m) : m.room[when]);
	return rows.filter(([, right, , , when]) => (!right || m.may(right)) && (!when || is(when)))
		.map(([key, , label, run, , isMain]) =>
			({ key, label: label.call ? label(m) : label, run: () => (run.call ? run(m) : m.change(run)), isMain: isMain && is(isMain) }));
}

/* ---- questions ---- */

class Questions {
	stage; /* name, here, ended */
	answer = {};
	draw = draw;
	down = draw;

	constructor(question_id) {
		this.question_id = question_id;
		this.wire = new Wire(this);
	}

	up() {
		this.token ??= recall("session");
		return this.enter(this.token ? this.wire.call("session.resume", { token: this.token }) : Promise.reject({}), "");
	}

	enter(session, why) {
		return session.then((found) => {
			assign(this, found); /* user_name, a new token */
			keep("session", this.token);
			return this.read();
		}, (refusal) => this.refused(refusal, "name", why));
	}

	refused({ code, sentence }, stage, why = sentence) {
		draw(code === "LOST" || assign(this, { stage, why }));
	}

	login(user_name) {
		keep("name", user_name);
		const session = this.wire.change("session.login", { user_name, utc_offset_minutes: -new Date().getTimezoneOffset() });
		session.then(() => this.wire.change("subscription.create", { channel: "live", min_interval_minutes: 5 })).catch(() => {});
		this.enter(session);
	}

	notice(method) {
		method === "question.notice" && say("New question");
		this.read();
	}

	async read() {
		const { question_id, wire } = this;
		try {
			if (question_id === "inbox") {
				assign(this, await wire.call("question.list"));
			} else {
				await wire.call("question.watch", { question_id });
				assign(this, await wire.call("question.get", { question_id }));
			}
			this.stage = "here";
			draw();
		} catch (refusal) {
			this.refused(refusal, "ended");
		}
	}

	send(method, params, said) {
		this.wire.change(method, { question_id: this.question_id, ...params }).then(() => {
			say(said);
			this.read();
		}, sayWhy);
	}
}

const drawQuestions = (page, { stage, question, questions } = page) =>
	(stage === "name" ? nameForm(page.why || page.wire.why, ["Continue", (name) => page.login(name)])
		: stage === "here" && (question ? drawQuestion(page, question) : [
			el("h1", "Inbox"),
			el("p.soft", "You are ", theirs(page.user_name)),
			!questions[0] && el("p", "No questions for you."),
			el("ul.inbox", questions.map((q) => el("li", { key: q.question_id }, el("a.panel", { href: `#${q.question_id}` },
				el("span.soft", stateOf(q)), el("span.prompt", { dir: "auto" }, q.prompt))))),
		]));

const stateOf = ({ status, audience, required_responses, current_responses, expires_at }) =>
	`${audience[0]} · ${current_responses} of ${required_responses} answered · ${
		/OPEN|PARTIAL/.test(status) ? `${left(expires_at)} left` : status.toLowerCase()}`;

const drawQuestion = (page, q) => [
	el("p.soft", stateOf(q), q.asked_by && [" · from ", theirs(q.asked_by)]),
	el("h1.prompt", { dir: "auto" }, q.prompt),
	q.can_answer && drawForm(page, q),
	(q.is_answered || !q.can_answer) &&
		[el("p.status", q.is_answered ? "You have answered" : { mine: "Your question", ended: "This question is closed" }[q.why_not]), drawAnswers(q)],
	el("a", { href: "#inbox" }, "Inbox"),
];

function drawForm(page, { type, options, is_answered }, { answer } = page) {
	const set = (field) => (value) => {
		answer[field] = value === "" ? undefined : value;
		draw();
	};
	const typing = (label, field) =>
		({ "aria-label": label, placeholder: label, dir: "auto", oninput: ({ target }) => set(field)(target.value.trim()) });
	return form(is_answered ? "Change" : "Send", () => page.send("question.answer", answer, "Your answer was sent"), [
		type === "text" ? el("textarea", { rows: 6, ...typing("Your answer", "answer") })
			: choices("Your answer", options.map((option, i) => [i, theirs(option)]), answer.selected_option,
				set("selected_option"), "div.options"),
		el("div.extras", "Confidence", choices("Confidence", [1, 2, 3, 4, 5], answer.confidence, set("confidence")),
			el("input", typing("Comment", "comment"))),
	], !is_answered && button("Skip", () => page.send("question.skip", {}, "Skipped")), { disabled: !isShown(answer.answer ?? answer.selected_option) || !page.wire.isUp });
}

const drawAnswers = ({ summary = [], responses = [], options }) => el("section", { "aria-label": "Answers" },
	summary[0] && bars(summary.map(({ option, votes }) => [option, votes])),
	responses[0] && el("ul", responses.map((each) => remark(each, 5, theirs(each.answer ?? options[each.selected_option])))));

/* ---- the page ---- */

const TICK_MS = 250;
const INBOX_MS = 60000;
const DIGITS_APART_MS = 700;

let shown; /* Membership or Questions */
let drawing;

function fragmentOf(text) {
	const question = /q_(\w+)/i.exec(text)?.[1];
	const code = /(?:^\s*|#|join\s+)([0-9a-z]{6,16})\b/i.exec(text)?.[1];
	return question ? `q_${question.toUpperCase()}` : code?.toUpperCase();
}

/* No browser sends it: no proxy or log has it. */
function route() {
	const text = location.hash.slice(1);
	const id = fragmentOf(text) ?? text;
	shown?.wire.stop();
	shown = text ? new (/^(q_|inbox$)/.test(id) ? Questions : Membership)(id) : null;
	drawNow();
}

function draw() {
	clearTimeout(drawing);
	drawing = setTimeout(drawNow);
}

const drawNow = () => morph(byId("page"), el("div", { id: "page" }, drawHeader(shown ?? {}),
	el("main", shown ? drawShown(assign(shown, { isTicking: false })) : drawStart())));

const drawShown = ({ stage, why, room_id, wire }) =>
	(stage === "ended" ? [el("h1", why), room_id && button("Join again", () => location.reload())]
		: (room_id ? drawRoom : drawQuestions)(shown) || [el("h1", "Connecting"), el("p.soft", wire.why)]);

function drawHeader({ room, room_id, stage, wire }) {
	document.title = room?.title ? `${room.title} · aye` : "aye";
	return el("header",
		el("a.brand", { href: "#" }, "aye"),
		el("span.where", room?.title && [theirs(room.title), " · "], room_id && el("code", room_id)),
		wire && stage !== "ended" && el(`span.${wire.link}`, { role: "status" },
			{ live: "● live", lost: "× not connected", connecting: "○ connecting" }[wire.link]));
}

function drawStart() {
	const enter = ({ code }, fragment = fragmentOf(code.value)) =>
		(fragment ? location.hash = fragment : say("Enter a room code, such as K7QX3M"));
	return [
		el("h1", "All in favour say aye."),
		form("Join", enter, field("code", "Room code or link", { required: true })),
		form("Create", createRoom, [el("h2", "New room"), field("title", "Title")]),
		el("a", { href: "#inbox" }, "Questions for you"),
	];
}

function createRoom({ title }) {
	const wire = new Wire({
		up: () => wire.call("room.create", { title: title.value.trim() || null, policy: { auto_reveal: true } }, () => wire.isOpen).then(({ room_id, host_key }) => {
			keep(`room.${room_id}`, { host_key, username: recall("name") });
			location.hash = room_id;
		}, sayWhy).then(() => wire.stop()),
		down: (why) => say(why || "Not connected", wire.stop()),
	});
}

/* ---- the keyboard ---- */

let digits;
let digitsAt;

/* 1 and 3 are 13. A digit that no card has means the card at its place. */
function cardOfDigit(cards, digit, at) {
	const run = at - digitsAt < DIGITS_APART_MS ? digits + digit : digit;
	const placed = cards[(+digit + 9) % 10];
	digitsAt = at;
	digits = cards.some((card) => card.startsWith(run)) ? run : digit;
	return [digits, digit].find((label) => cards.includes(label)) ?? (/^\d$/.test(placed) ? undefined : placed);
}

function onKey(event, m = shown) {
	const { key, target } = event;
	event.repeat && key === "Enter" && !target.rows && event.preventDefault();
	if (key[1] || event.repeat || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, textarea") || !m?.room || !hasShortcuts()) {
		return;
	}
	const story = m.stories.get(target.closest(".stories li")?.key);
	const ballot = m.ballot(m.isOpen(story) ? story : undefined);
	const cards = ballot.mayVote ? m.room.valid_sizes : [];
	const card = /\d/.test(key) ? cardOfDigit(cards, key, event.timeStamp)
		: cards.find((each) => each.toLowerCase() === key.toLowerCase());
	const row = actionsOf(m).find((one) => one.key === key);
	if (card || (key === "-" && ballot.vote)) {
		m.vote(card ?? null, ballot.story_id);
	} else if (row && m.wire.isUp) {
		event.preventDefault();
		row.run();
	}
}

assign(window, {
	onload: () => import("./rules.js").then(({ RULES }) => (rules = RULES)),
	onhashchange: route,
	onkeydown: onKey,
	ononline: () => shown?.wire.connectNow(),
	onoffline: () => shown?.wire.lose({ sentence: "This device is offline" }),
});
addEventListener("click", (event) => event.detail > 1 && (event.preventDefault(), event.stopPropagation()), true); /* a double press is one */
setInterval(() => shown?.isTicking && draw(), TICK_MS);
setInterval(() => shown?.questions && shown.read(), INBOX_MS);
route();
