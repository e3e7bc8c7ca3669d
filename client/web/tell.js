/*
 * tell.js - what happens in a room as sentences, for screen readers: those of plain mode
 * (client/acts/narrate.c). A room is a list of facts; what differs between two lists is news.
 */
import { isOutlier, shortNumber, storyName } from "./replica.js";

const CONFIDENCES = ["", " (low confidence)", " (medium confidence)", " (high confidence)"];

/* A flag of the policy: what is said when it is true, or "everyone", and when it is not. */
const FLAGS = {
	who_reveals: ["Everyone can reveal now.", "Only hosts can reveal now."],
	who_resets: ["Everyone can start rounds now.", "Only hosts can start rounds now."],
	who_edits_stories: ["Everyone can edit the stories now.", "Only hosts can edit the stories now."],
	auto_reveal: ["The cards are revealed automatically once everyone has voted.",
		"The cards stay hidden until someone reveals them."],
	vote_after_reveal: ["Votes can be changed after the reveal now.", "Votes cannot be changed after the reveal now."],
	anonymous: ["Results show no names now.", "Results show names now."],
	confidence: ["Votes can have a confidence now.", "Votes do not have a confidence now."],
	bots_count: ["Bots count now.", "Bots do not count now."],
	hide_who_voted: ["Only the number of votes is shown now.", "Members who have voted are shown now."],
	keep_votes: ["Votes are now kept until the round ends, even of members who leave.",
		"The vote of a member who leaves is now retracted after a minute."],
	lobby: ["Newcomers now wait in the lobby.", "Newcomers do not wait in a lobby now."],
	locked: ["The room is locked.", "The room is open again."],
	has_passcode: ["New members need a passcode now.", "New members do not need a passcode now."],
};

/* Facts that are somebody's doing. */
const DOINGS = ["title", "cards", "quorum", "round", "timer", "pause", "outcome", "host", ...Object.keys(FLAGS)];

/* "2nd" */
export function ordinal(n) {
	const ends = { one: "st", two: "nd", few: "rd", other: "th" };
	return n + ends[new Intl.PluralRules("en", { type: "ordinal" }).select(n)];
}

/* "16:36" */
const clock = (at) => new Date(at).toLocaleTimeString("en-GB", { timeStyle: "short" });

/*
 * The facts, in the order in which they are told: [what, value, sentence]. The sentence, or
 * what makes it of the value before, is told when the value changes; with `true` behind it also when
 * the fact is new.
 */
function factsOf(now) {
	const { room, story, votes, stories, users } = now;
	const { title, valid_sizes, policy, round, story_round, timer, pause_ends_at, phase, outcome } = room;
	const host = users.get(room.host_user_id)?.username ?? "someone";
	const again = story_round > 1 ? `, ${ordinal(story_round)} vote` : "";
	const atZero = timer?.reveal_at_zero ? ", and reveals at its end" : "";
	return [
		["title", title, title ? `The room is called ${title}.` : "The room has no title now."],
		["cards", valid_sizes.join(" "), `The cards are now ${valid_sizes.join(" ")}`],
		...Object.entries(FLAGS).map(([flag, [on, off]]) =>
			[flag, policy[flag], policy[flag] === true || policy[flag] === "everyone" ? on : off]),
		["quorum", policy.quorum, `${policy.quorum || "All"} votes are needed to reveal now.`],
		...[...stories.values()].flatMap(storyFacts),
		["round", round, (old) => `Round ${round} ${round > old ? "started" : "was restored"}.`],
		["story", story?.story_id + round, story && `Voting on: ${storyName(story)}${again}`],
		["timer", timer?.ends_at, timer ? `A timer is running until ${clock(timer.ends_at)}${atZero}.` : "The timer has ended."],
		["pause", pause_ends_at, pause_ends_at ? `There is a break until ${clock(pause_ends_at)}.` : "The break is over."],
		...now.members.flatMap((user) => memberFacts(now, user)),
		now.hidesVoters && [`votes ${round}`, votes.voted, `${votes.voted} of ${votes.voters} have voted.`],
		[`countdown ${round}`, phase === "countdown", phase === "countdown" ? "Everyone has voted. Revealing in a moment."
			: phase === "voting" && "The countdown has stopped."],
		["armed", room.is_armed, room.is_armed && "The last vote reveals at once."],
		["outcome", outcome, outcome && `Settled on ${outcome}.`],
		["host", room.host_user_id, `${room.host_user_id ? host : "Nobody"} is host.`],
		[`revealed ${round}`, room.is_revealed, room.is_revealed ? resultOf(now) : "The cards are hidden again.", room.is_revealed],
	].filter(Boolean);
}

function storyFacts(story) {
	const { story_id, is_removed, estimate, status } = story;
	const name = storyName(story);
	return [
		[story_id, Boolean(is_removed), `Story ${is_removed ? "removed" : "added"}: ${name}`, true],
		[`name ${story_id}`, name, (old) => `Story ${old} is now called ${name}`],
		[`estimate ${story_id}`, estimate ?? "", estimate ? `Estimate of ${name}: ${estimate}` : `Estimate cleared: ${name}`],
		[`skipped ${story_id}`, status === "skipped", status === "skipped" && `Story skipped: ${name}`],
	];
}

function memberFacts(now, user) {
	const { user_id, username: name, role, is_host, is_bot, is_waiting, is_connected, vote } = user;
	const { room: { round, host_user_id, policy }, votes: { voted, voters } } = now;
	const has_vote = Boolean(user.has_vote);
	const isSpectator = role === "spectator";
	const how = is_waiting ? "waits in the lobby" : isSpectator ? "joined as a spectator" : "joined";
	const has = is_bot ? `${name}, a bot, has voted.` : `${name} has voted (${voted} of ${voters}).`;
	return !name ? [] : [
		[user_id, true, `${name} ${how}.`, true],
		[`name ${user_id}`, name, (old) => `${old} is now called ${name}.`],
		[`role ${user_id}`, role, `${name} is a ${isSpectator ? "spectator" : "voter"} now.`],
		[`here ${user_id}`, Boolean(is_connected), `${name} is ${is_connected ? "back" : "away"}.`],
		[`waiting ${user_id}`, Boolean(is_waiting), !is_waiting && `${name} was admitted.`],
		user_id !== host_user_id && [`host ${user_id}`, Boolean(is_host), `${name} is ${is_host ? "a co-host" : "not a host now"}.`],
		[`card ${user_id} ${round}`, vote, user.is_changed && `${name} has changed the vote to ${vote}.`],
		!policy.hide_who_voted && !now.isMe(user) &&
			[`vote ${user_id} ${round}`, has_vote, has_vote ? has : `${name}'s vote was cleared.`, has_vote],
	].filter(Boolean);
}

/* What is new; all of it in short, if nothing was there before. */
export function tellNews(was, now) {
	const { room, members, users, by } = now;
	if (!was) {
		const names = members.map(({ username }) => username).filter(Boolean).join(", ");
		return [`Room ${room.title ?? ""}, round ${room.round}, cards ${room.valid_sizes.join(" ")}. ${names}.`,
			now.story && `Voting on: ${storyName(now.story)}`, room.is_revealed && resultOf(now)];
	}
	const old = new Map(factsOf(was).map(([what, value]) => [what, value]));
	const isNew = ([what, value, , isSaid]) => (old.has(what) ? old.get(what) !== value : isSaid);
	const left = was.members.filter(({ user_id, username }) => username && !users.get(user_id)?.username);
	const doer = by && by !== now.you.user_id && users.get(by)?.username;
	return [
		...left.map(({ username }) => `${username} left.`),
		...factsOf(now).filter(isNew).map(([what, , said]) => {
			const line = said?.call ? said(old.get(what)) : said;
			return line && (doer && DOINGS.includes(what) ? `${doer}: ${line}` : line);
		}),
	];
}

function resultOf({ room: { result, policy }, openVotes }) {
	const { cards, votes: n, withdrawn, average, median, agreement_percent } = result;
	const votes = openVotes.filter(({ username }) => username);
	const shown = policy.anonymous ? cards.map(({ card, votes: times }) => `${times} x ${card}`)
		: votes.map(({ username, has_left, vote, confidence }) =>
			`${username}${has_left ? " (left)" : ""} ${vote}${CONFIDENCES[confidence ?? 0]}`);
	return [
		`Revealed: ${shown.join(", ") || "nobody has voted"}.`,
		...votes.filter(({ comment }) => comment).map(({ username, comment }) => `${username} commented: ${comment}.`),
		withdrawn && `Votes withdrawn, not in the deck now: ${withdrawn}.`,
		average !== undefined && `Average ${shortNumber(average)}, median ${shortNumber(median)}.`,
		n > 0 && `Agreement ${agreement_percent}%. ${advice(result, votes.length > 0)}.`,
	].filter(Boolean).join(" ");
}

/* What to do about a result. Votes without names are nobody's to explain. */
export function advice(result, hasNames) {
	const { lowest, highest, votes, suggestion, is_unanimous, mode } = result;
	const speakers = [lowest, highest].filter((card) => hasNames && isOutlier(result, card));
	return is_unanimous ? `All ${votes} in favour of ${mode}`
		: suggestion ? `Suggested ${suggestion}`
		: speakers.length > 0 ? `Talk: ${speakers.join(" and ")} ${speakers.length > 1 ? "speak" : "speaks"} first`
		: lowest !== highest ? `Talk: from ${lowest} to ${highest}`
		: votes === 1 ? "A single vote" : "No clear suggestion";
}

/* What only we are told: our card as the server has it. */
export function tellMine(was, { is_waiting, vote, is_withdrawn, comment }) {
	return [
		was.user_id && was.is_waiting !== is_waiting &&
			(is_waiting ? "You are in the lobby; a host must admit you." : "You were admitted."),
		vote && vote !== was.vote && `Your card is ${vote}.`,
		is_withdrawn && !was.is_withdrawn && `Your card ${vote} is not in the new deck. Vote again.`,
		comment && comment !== was.comment && `Your comment: ${comment}`,
	];
}
