/*
 * action_run.c - what each action does: an ask for the client, a question, or a
 * change of the screen. Nothing here touches the connection.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

/* ---- questions ---- */

static size_t act_others_here(const struct replica *room)
{
	size_t n = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		n += m->is_connected && !m->is_bot && !m->is_waiting && !tui_is_me(room, m) ? 1 : 0;
	}
	return n;
}

static const char *act_name_of(const struct replica *room, const char *user_id)
{
	const struct user_view *m = user_id == NULL ? NULL : replica_member(room, user_id);
	return m == NULL ? "them" : tui_name_of(room, m);
}

/* Open cards have been seen; hidden ones would go unseen. */
static bool act_ask_unseen(const struct replica *room, char *out, size_t cap)
{
	size_t voters = 0;
	size_t voted = 0;
	replica_count_votes(room, &voters, &voted);
	(void)format_to(out, cap, "Take back %zu unseen %s?", voted, voted == 1 ? "vote" : "votes");
	return voted > 0 && !room->room.is_revealed;
}

static bool act_ask_missing(const struct replica *room, char *out, size_t cap)
{
	size_t voters = 0;
	size_t voted = 0;
	replica_count_votes(room, &voters, &voted);
	(void)format_to(out, cap, "%zu of %zu have not voted. Reveal?", voters - voted, voters);
	return voted < voters;
}

static bool act_ask_leave(const struct replica *room, char *out, size_t cap)
{
	size_t others = act_others_here(room);
	(void)format_to(out, cap, "You host, and %zu %s here. Leave?", others,
			others == 1 ? "other is" : "others are");
	return room->you.is_host && others > 0;
}

/* The question to put before something that would be lost; false where nothing would. */
static bool act_question(const struct replica *room, enum action a, const char *arg, char *out,
			 size_t cap)
{
	switch (a) {
	case ACTION_REVEAL:
		return act_ask_missing(room, out, cap);
	case ACTION_NEXT:
	case ACTION_RESET:
	case ACTION_QUICK:
	case ACTION_SELECT:
		return act_ask_unseen(room, out, cap);
	case ACTION_KICK:
		(void)format_to(out, cap, "Remove %s from the room?", act_name_of(room, arg));
		return true;
	case ACTION_COHOST:
		(void)format_to(out, cap, "Make %s host beside you?", act_name_of(room, arg));
		return true;
	case ACTION_REJECT:
		(void)format_to(out, cap, "Turn %s away?", act_name_of(room, arg));
		return true;
	case ACTION_DELETE:
		(void)format_to(out, cap, "End this room for everybody?");
		return true;
	case ACTION_QUIT:
		return act_ask_leave(room, out, cap);
	default:
		return false;
	}
}

/* ---- doing ---- */

static struct ask act_vote(struct tui *t, const struct replica *room, const char *card)
{
	for (size_t i = 0; card != NULL && i < room->room.valid_sizes.n; i++) {
		if (strcmp(replica_card(room, i), card) == 0) {
			t->focus = i;
			t->choosing_round = 0;
			return tui_ask(t, ASK_VOTE, card);
		}
	}
	tui_reply(t, card == NULL ? "Which card?" : "There is no card %s", card);
	return (struct ask){0};
}

/* The neighbour it changes places with; none at the ends. */
static struct ask act_move(struct tui *t, const struct replica *room, size_t at, bool is_up)
{
	if (is_up ? at == 0 : at + 1 >= room->stories.n) {
		return (struct ask){0};
	}
	struct ask ask =
		tui_ask_story(t, ASK_MOVE_STORY, replica_story_at(room, at)->story_id.data,
			      replica_story_at(room, is_up ? at - 1 : at + 1)->story_id.data, NULL);
	ask.is_on = is_up;
	return ask;
}

static struct ask room_command_story(struct tui *t, const struct replica *room, enum action a)
{
	size_t at = stories_list_focus(t, room);
	const struct story_view *s = replica_story_at(room, at);
	switch (a) {
	case ACTION_UP:
	case ACTION_DOWN:
		return act_move(t, room, at, a == ACTION_UP);
	case ACTION_SKIP:
		return tui_ask_story(t, ASK_MARK_STORY, s->story_id.data, NULL,
				     s->status == STORY_SKIPPED ? "todo" : "skipped");
	case ACTION_SELECT:
		t->view = VIEW_ROOM;
		break;
	case ACTION_REMOVE:
		/* The line below takes its place. */
		t->story[0] = '\0';
		if (at + 1 < room->stories.n) {
			(void)format_to(t->story, sizeof(t->story), "%s",
					replica_story_at(room, at + 1)->story_id.data);
		}
		break;
	default:
		break;
	}
	return tui_ask_story(t, action_rows[a].asks, s->story_id.data, NULL, NULL);
}

/* On to a story where there is one to go to, else to another round of quick votes. */
static struct ask act_next(struct tui *t, const struct replica *room)
{
	bool has_story =
		room->room.story_id.data != NULL || stories_list_count(room, STORY_TODO) > 0;
	return tui_ask(t, has_story ? ASK_NEXT_STORY : ASK_RESET, NULL);
}

static struct ask act_rule(struct tui *t, const struct rule *rule, size_t value)
{
	struct ask ask = tui_ask_story(t, ASK_SET_SWITCH, NULL, rule->words[value], rule->field);
	ask.is_on = value == 1;
	return ask;
}

/* Which of its words that is; says which there are where it is none. */
static bool act_rule_word(struct tui *t, const struct rule *rule, const char *word, size_t *value)
{
	for (size_t i = 0; i < rule_words(rule); i++) {
		if (strcmp(word, rule->words[i]) == 0) {
			*value = i;
			return true;
		}
	}
	if (rule_words(rule) == 3) {
		tui_reply(t, "Say %s, %s or %s", rule->words[0], rule->words[1], rule->words[2]);
	} else if (strcmp(rule->words[1], "on") == 0) {
		tui_reply(t, "Say on or off");
	} else {
		tui_reply(t, "Say %s or %s", rule->words[0], rule->words[1]);
	}
	return false;
}

/* "lobby on", or the rule in focus where nothing is typed and it can be seen. */
static struct ask act_switch(struct tui *t, const struct replica *room, const char *line)
{
	const struct rule *rule = &rules[t->rule_at < RULES_N ? t->rule_at : 0];
	if (line == NULL && t->view != VIEW_POLICY) {
		tui_reply(t, "Say which rule, as in rule lobby on; rules shows them all");
		return (struct ask){0};
	}
	if (line == NULL) {
		return act_rule(t, rule, (rule_value(room, rule) + 1) % rule_words(rule));
	}
	size_t len = strcspn(line, " ");
	const char *value = line + len + strspn(line + len, " ");
	for (size_t i = 0; i < RULES_N; i++) {
		rule = &rules[i];
		if (!slice_eq(slice_str(rule->field), slice_of(line, len))) {
			continue;
		}
		size_t chosen = 0;
		return act_rule_word(t, rule, value, &chosen) ? act_rule(t, rule, chosen)
							      : (struct ask){0};
	}
	tui_reply(t, "There is no rule %.*s", (int)len, line);
	return (struct ask){0};
}

static struct ask room_command_open(struct tui *t, enum view_kind view)
{
	t->view = view;
	t->help_top = 0;
	t->panel_top = 0;
	t->round_at = 0;
	t->story[0] = '\0';
	return (struct ask){0};
}

static void act_mouse(struct tui *t)
{
	uint8_t *mouse = &t->settings.value[SETTING_MOUSE];
	*mouse = *mouse == MOUSE_ON ? MOUSE_OFF : MOUSE_ON;
	tui_reply(t, *mouse == MOUSE_ON ? "mouse is on; with Shift the terminal selects text"
					: "mouse is off");
}

static struct ask act_plain(struct tui *t, const struct replica *room, enum action a)
{
	struct ask ask;
	switch (a) {
	case ACTION_SPECTATE:
		ask = tui_ask(t, ASK_JOIN, room->you.username.data);
		ask.is_spectator = room->you.role == ROLE_VOTER;
		return ask;
	case ACTION_NEXT:
		return act_next(t, room);
	case ACTION_CANCEL:
		ask = tui_ask(t, ASK_CANCEL, NULL);
		ask.number = room->room.countdown.token;
		return ask;
	case ACTION_ARM:
		ask = tui_ask(t, ASK_ARM, NULL);
		ask.is_on = !room->room.is_armed;
		return ask;
	case ACTION_RESTORE:
		return tui_ask_story(t, ASK_RESTORE_STORY,
				     replica_story_at(room, room->stories.n + room->removed.n - 1)
					     ->story_id.data,
				     NULL, NULL);
	case ACTION_QUICK:
		return tui_ask_story(t, ASK_SELECT_STORY, NULL, NULL, NULL);
	case ACTION_STORIES:
		return room_command_open(t, VIEW_STORIES);
	case ACTION_POLICY:
		return room_command_open(t, VIEW_POLICY);
	case ACTION_HISTORY:
		(void)room_command_open(t, VIEW_HISTORY);
		return history_ask(t, room, NULL, 0);
	case ACTION_CHANGE:
		settings_change(t, 1);
		break;
	case ACTION_KEEP: /* the answer to whether to, on the way out */
		t->writing.leaves = true;
		return writing_save(t, room);
	case ACTION_MOUSE:
		act_mouse(t);
		break;
	case ACTION_HELP:
		return room_command_open(t, VIEW_HELP);
	case ACTION_BACK:
		return room_command_open(t, home_base(t));
	default:
		break;
	}
	if (action_rows[a].asks == ASK_NOTHING) {
		return (struct ask){0};
	}
	return tui_ask(t, action_rows[a].asks, NULL);
}

/* One suggestion needs no typing. */
static struct ask act_settle(struct tui *t, const struct replica *room)
{
	if (room->room.outcome.data == NULL && room->room.with_result &&
	    room->room.result.suggestion.data != NULL) {
		return tui_ask(t, ASK_SETTLE, room->room.result.suggestion.data);
	}
	act_open_line(t, room, ACTION_SETTLE);
	return (struct ask){0};
}

static struct ask act_member(struct tui *t, const struct replica *room, enum action a,
			     const char *arg)
{
	if (replica_member(room, arg) == NULL) {
		tui_reply(t, "They have left already");
		return (struct ask){0};
	}
	return tui_ask(t, action_rows[a].asks, arg);
}

/* What is written in several lines opens a page. */
static bool act_write(struct tui *t, const struct replica *room, enum action a)
{
	if (a == ACTION_NOTES) {
		writing_open(t, room, WRITING_NOTES, writing_key_here(t, room));
	} else if (a == ACTION_DESCRIBE) {
		writing_open(t, room, WRITING_DESCRIPTION,
			     replica_story_at(room, stories_list_focus(t, room))->story_id.data);
	}
	return a == ACTION_NOTES || a == ACTION_DESCRIBE;
}

static bool act_is_refused(struct tui *t, const struct replica *room, enum action a)
{
	return t->is_typed ? action_refusal_typed(a, room, t->reply, sizeof(t->reply))
			   : action_refusal(a, room, t->reply, sizeof(t->reply));
}

struct ask act_surely(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	if (act_is_refused(t, room, a)) {
		return (struct ask){0};
	}
	switch (action_rows[a].takes) {
	case TAKES_CARD:
		return act_vote(t, room, arg);
	case TAKES_SECRET:
	case TAKES_LINE:
	case TAKES_TITLE:
		if (a == ACTION_SETTLE && arg == NULL) {
			return act_settle(t, room);
		}
		if (arg == NULL && act_write(t, room, a)) {
			return (struct ask){0};
		}
		if (arg == NULL) {
			act_open_line(t, room, a);
			return (struct ask){0};
		}
		return act_line(t, room, a, arg);
	case TAKES_RULE:
		return act_switch(t, room, arg);
	case TAKES_RECENT:
		return home_act(t, a, arg);
	case TAKES_SETTING:
		return settings_act(t, arg);
	case TAKES_STORY:
		return room_command_story(t, room, a);
	case TAKES_WAITING:
	case TAKES_MEMBER:
		return act_member(t, room, a, arg);
	case TAKES_NOTHING:
		break;
	}
	return act_plain(t, room, a);
}

/* The only one who waits; NULL where there are several. */
static const char *act_only_waiting(const struct replica *room)
{
	const char *found = NULL;
	for (size_t i = 0; i < room->users.n; i++) {
		if (replica_member_at(room, i)->is_waiting) {
			if (found != NULL) {
				return NULL;
			}
			found = replica_member_at(room, i)->user_id.data;
		}
	}
	return found;
}

static bool act_asks(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	if (a == ACTION_QUIT && writing_is_unsaved(t)) {
		(void)format_to(t->question, sizeof(t->question),
				"What you wrote is not saved. Leave?");
		return true;
	}
	if (a == ACTION_FORGET) {
		home_question(t, arg, t->question, sizeof(t->question));
		return true;
	}
	if (a == ACTION_QUIT && t->held[0] != '\0') {
		(void)format_to(t->question, sizeof(t->question), "%s. Leave?", t->held);
		return true;
	}
	return act_question(room, a, arg, t->question, sizeof(t->question));
}

struct ask act(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	enum takes takes = action_rows[a].takes;
	if (act_is_refused(t, room, a)) {
		return (struct ask){0};
	}
	if (room->is_nowhere && home_refuses(t, a, arg)) {
		return (struct ask){0};
	}
	if (a == ACTION_FORGET && arg == NULL) {
		arg = home_focus(t)->room_id;
	}
	if (takes == TAKES_WAITING && arg == NULL) {
		arg = act_only_waiting(room);
	}
	if ((takes == TAKES_MEMBER || takes == TAKES_WAITING) && arg == NULL) {
		t->view = VIEW_PICK;
		t->pick_action = a;
		t->pick_at = 0;
		return (struct ask){0};
	}
	if (act_asks(t, room, a, arg)) {
		t->talk = TALK_CONFIRM;
		t->sure_action = a;
		(void)format_to(t->sure_arg, sizeof(t->sure_arg), "%s", arg == NULL ? "" : arg);
		return (struct ask){0};
	}
	return act_surely(t, room, a, arg);
}
