/* replica.js - a copy of a room, as its updates make it; who is waited for, and who may do what. */
export class Replica {
	epoch = 0;
	version = 0;
	room = null; /* room_view; null before the first update */
	you = {}; /* room_you */
	users = new Map();
	stories = new Map();
	left_votes = [];
	votes_n = 0;

	/* Apply a room.update; false: it does not follow, and the room has to be asked for. */
	apply(update) {
		const { epoch, since, version, full, room, by, votes_n } = update;
		if (!full && (epoch !== this.epoch || since !== this.version)) {
			return false;
		}
		if (full) {
			this.users.clear();
			this.stories.clear();
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
		return this.counts(user) && (user.is_connected || this.room.policy.keep_votes);
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

	/* The votes that lie open, our own first, those of members who left last. */
	get openVotes() {
		const here = this.members.filter(({ vote }) => vote).sort((a, b) => this.isMe(b) - this.isMe(a));
		const left = this.left_votes.map((vote) => ({ ...vote, has_left: !this.users.get(vote.user_id)?.username }));
		return [...here, ...left];
	}

	get story() {
		return this.stories.get(this.room.story_id);
	}

	/* Ranks compare as bytes, and are ASCII. */
	get storyList() {
		return [...this.stories.values()].filter(({ is_removed }) => !is_removed).sort((a, b) => (a.rank < b.rank ? -1 : 1));
	}

	/* Rights, as in proto/rights.c. */
	may(right) {
		const { is_host, is_waiting, username, role } = this.you;
		const { policy, is_revealed } = this.room;
		const shared = (who) => is_host || (who === "everyone" && username);
		const isOpen = is_revealed && (!policy.vote_after_reveal || policy.anonymous);
		const rights = {
			vote: username && role === "voter" && !isOpen,
			reveal: shared(policy.who_reveals),
			reset: shared(policy.who_resets),
			edit_stories: shared(policy.who_edits_stories),
			signal: shared("everyone"),
			lead: is_host,
			read: true,
		};
		return (!is_waiting || is_host) && rights[right];
	}
}

/* A card to talk about: an end of the votes that is neither suggested nor what most have. */
export function isOutlier({ lowest, highest, suggestion, cards }, card) {
	const votesOf = (other) => cards.find((row) => row.card === other)?.votes;
	const isMost = cards.every((row) => row.card === card || row.votes < votesOf(card));
	return [lowest, highest].includes(card) && lowest !== highest && card !== suggestion && !isMost;
}

/* "PAY-101 Show the balance" */
export const storyName = ({ key, title }) => (key ? `${key} ${title}` : title);

export const shortNumber = (value, decimals = 2) => Number(value.toFixed(decimals));
