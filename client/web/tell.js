/* tell.js - what happens in a room, in the sentences of plain mode: what differs between two lists of facts. */
import { isOutlier, shortNumber, storyName } from "./replica.js";

const CONFIDENCES = ["", " (low confidence)", " (medium confidence)", " (high confidence)"];

/* "16:36" */
const clock = (at) => new Date(at).toTimeString().slice(0, 5);

/*
 * The facts: [what, value, sentence]. The sentence, or what makes it of the value before, is told when the
 * value changes; with `true` behind it also when the fact is new. `by` is before what is somebody's doing.
 */
function factsOf(now, by) {
	const { room, votes: { voted, voters }, hidesVoters: isHidden } = now;
	const { title, valid_sizes, policy, round, timer, pause_ends_at, phase, outcome, host_user_id, is_revealed } = room;
	const host = host_user_id ? now.users.get(host_user_id)?.username ?? "someone" : "Nobody";
	const cards = valid_sizes.join(" ");
	return [
		["title", title, by + (title ? `The room is called ${title}.` : "The room has no title now.")],
		["cards", cards, `${by}The cards are now ${cards}`],
		["rules", JSON.stringify(policy), `${by}The rules of the room have changed.`],
		...[...now.stories.values()].flatMap(storyFacts),
		["round", round, (old) => `${by}Round ${round} ${round > old ? "started" : "was restored"}.`],
		["story", `${room.story_id} ${round}`, target(now)],
		["timer", timer?.ends_at, by + (timer ? `A timer is running until ${clock(timer.ends_at)}${
			timer.reveal_at_zero ? ", and reveals at its end" : ""}.` : "The timer has ended.")],
		["pause", pause_ends_at, by + (pause_ends_at ? `There is a break until ${clock(pause_ends_at)}.` : "The break is over.")],
		...now.members.filter(({ username }) => username).flatMap((user) => memberFacts(now, voted, voters, user)),
		[`votes ${round}`, isHidden && voted, isHidden && `${voted} of ${voters} have voted.`, isHidden && voted > 0],
		[`countdown ${round}`, phase === "countdown", phase === "countdown" ? "Everyone has voted. Revealing in a moment."
			: phase === "voting" && `${by}The countdown has stopped.`],
		["outcome", outcome, outcome && `${by}Settled on ${outcome}.`],
		["host", host_user_id, `${by}${host} is host.`],
		[`revealed ${round}`, is_revealed, is_revealed ? result(now) : `${by}The cards are hidden again.`, is_revealed],
	];
}

function storyFacts(story) {
	const { story_id, is_removed, estimate = null } = story;
	const name = storyName(story);
	return [
		[`story ${story_id}`, !is_removed && name, (old) => (is_removed ? `Story removed: ${name}`
			: old ? `Story ${old} is now called ${name}` : `Story ${old === false ? "restored" : "added"}: ${name}`), true],
		[`estimate ${story_id}`, estimate, estimate ? `Estimate of ${name}: ${estimate}` : `Estimate cleared: ${name}`],
	];
}

function memberFacts({ room: { round, host_user_id, policy }, you }, voted, voters, user) {
	const { user_id, username: name, role, is_bot, is_changed, vote, is_host, is_waiting, is_connected, has_vote = false } = user;
	const isTold = !policy.hide_who_voted && user_id !== you.user_id;
	const has = is_bot ? `${name}, a bot, has voted.` : `${name} has voted (${voted} of ${voters}).`;
	return [
		[`member ${user_id}`, name, (old) => (old ? `${old} is now called ${name}.`
			: `${name} ${is_waiting ? "waits in the lobby" : role === "spectator" ? "joined as a spectator" : "joined"}.`), true],
		[`role ${user_id}`, role, `${name} is a ${role} now.`],
		[`here ${user_id}`, !is_connected, `${name} is ${is_connected ? "back" : "away"}.`],
		[`waiting ${user_id}`, !is_waiting, !is_waiting && `${name} was admitted.`],
		[`host ${user_id}`, !is_host, user_id !== host_user_id && `${name} is ${is_host ? "a co-host" : "not a host now"}.`],
		[`card ${user_id} ${round}`, vote, is_changed && `${name} has changed the vote to ${vote}.`],
		[`vote ${user_id} ${round}`, has_vote, isTold && (has_vote ? has : `${name}'s vote was cleared.`), has_vote],
	];
}

function target({ story, room: { story_round } }) {
	return story && `Voting on: ${storyName(story)}${story_round > 1 ? `, vote ${story_round}` : ""}`;
}

/* The facts, and what is new in them; all of it in short, if there are none of before. */
export function tellNews(old, now) {
	const { room, room_id, users, by, you } = now;
	const doer = by !== you.user_id && users.get(by)?.username;
	const all = factsOf(now, doer ? `${doer}: ` : "");
	const facts = new Map(all);
	const namesOf = (map) => [...map].filter(([what]) => what.startsWith("member "));
	if (!old) {
		const names = namesOf(facts).map(([, name]) => name).join(", ");
		return { facts, lines: [`Room ${room_id}${room.title ? `: ${room.title}` : ""}, round ${room.round}. ${names}`,
			target(now), room.is_revealed && result(now)] };
	}
	const isNew = ([what, value, , isSaid]) => (old.has(what) ? old.get(what) !== value : isSaid);
	const lines = all.filter(isNew).map(([what, , said]) => (said?.call ? said(old.get(what)) : said));
	const left = namesOf(old).filter(([what]) => !facts.has(what));
	return { facts, lines: [...left.map(([, name]) => `${name} left.`), ...lines] };
}

function result({ room, openVotes }) {
	const { cards, withdrawn, average, median, agreement_percent } = room.result;
	const votes = openVotes.filter(({ username }) => username);
	const shown = room.policy.anonymous ? cards.map(({ card, votes: n }) => `${n} x ${card}`)
		: votes.map(({ username, has_left, vote, confidence }) =>
			`${username}${has_left ? " (left)" : ""} ${vote}${CONFIDENCES[confidence ?? 0]}`);
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

/* What only we are told: our card as the server has it. */
export function tellMine(was, { is_waiting, vote, is_withdrawn, comment }) {
	return [
		!was.is_waiting && is_waiting && "You are in the lobby; a host must admit you.",
		was.is_waiting && !is_waiting && "You were admitted.",
		vote && vote !== was.vote && `Your card is ${vote}.`,
		is_withdrawn && !was.is_withdrawn && `Your card ${vote} is not in the new deck. Vote again.`,
		comment && comment !== was.comment && `Your comment: ${comment}`,
	];
}
