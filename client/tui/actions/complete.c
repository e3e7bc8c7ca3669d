/*
 * complete.c - what a typed line could go on with: commands that are possible
 * now, then cards, members or decks, whatever the command takes.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include "proto/base/ascii.h"
#include "proto/deck.h"

static void complete_offer(struct completions *c, struct slice typed, const char *word)
{
	struct slice w = slice_str(word);
	if (w.len > 0 && c->n < COMPLETIONS_MAX && slice_starts(w, typed)) {
		c->word[c->n++] = w;
	}
}

void complete_offer_caseless(struct completions *c, struct slice typed, struct slice word)
{
	if (ascii_starts(word, typed) && word.len > 0 && c->n < COMPLETIONS_MAX) {
		c->word[c->n++] = word;
	}
}

static void complete_commands(const struct tui *t, const struct replica *room, struct slice typed,
			      struct completions *c)
{
	/* those of the view first */
	for (size_t i = 0; i < 2 * (size_t)ACTION_COUNT; i++) {
		enum action a = (enum action)(i % ACTION_COUNT);
		bool is_first = i < ACTION_COUNT;
		if (action_is_in(a, t->view) == is_first && action_is_possible(t, a, room)) {
			complete_offer(c, typed, action_rows[a].command);
		}
	}
}

/* The story by its key, or without one by its title, where that is all there is to say. */
static void complete_story(const struct replica *room, bool takes_line, struct slice typed,
			   struct completions *c)
{
	for (size_t i = 0; i < room->stories.n; i++) {
		const struct story_view *s = replica_story_at(room, i);
		if (s->key.len > 0 || !takes_line) {
			complete_offer_caseless(c, typed, s->key.len > 0 ? s->key : s->title);
		}
	}
}

/* A rule's name, then what it may be. */
static void complete_rule(struct completions *c, struct slice typed)
{
	for (size_t i = 0; i < RULES_N; i++) {
		struct slice name = slice_str(rules[i].field);
		if (typed.len > name.len && slice_starts(typed, name) &&
		    typed.data[name.len] == ' ') {
			struct slice value =
				slice_of(typed.data + name.len + 1, typed.len - name.len - 1);
			c->start += name.len + 1;
			for (size_t k = rule_words(&rules[i]); k-- > 0;) {
				complete_offer(c, value, rule_word(&rules[i], k));
			}
			return;
		}
		complete_offer(c, typed, rules[i].field);
	}
}

static void complete_choices(struct completions *c, struct slice typed, enum setting which)
{
	for (const char *const *word = setting_rows[which].choices; *word != NULL; word++) {
		complete_offer(c, typed, *word);
	}
}

/* A setting's name, then what there is to choose; or what saves them all. */
static void complete_setting(struct completions *c, struct slice typed)
{
	for (enum setting i = 0; i < SETTING_COUNT; i++) {
		struct slice name = slice_str(setting_rows[i].name);
		if (typed.len > name.len && slice_starts(typed, name) &&
		    typed.data[name.len] == ' ') {
			struct slice value =
				slice_of(typed.data + name.len + 1, typed.len - name.len - 1);
			c->start += name.len + 1;
			complete_choices(c, value, i);
			return;
		}
		complete_offer(c, typed, setting_rows[i].name);
	}
	complete_offer(c, typed, "--save");
}

void complete_notify(const struct tui *t, const struct replica *room, struct slice typed,
		     struct completions *c)
{
	(void)t, (void)room;
	complete_choices(c, typed, SETTING_NOTIFY);
}

static void complete_cards(const struct tui *t, const struct replica *room, struct slice typed,
			   struct completions *c)
{
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		complete_offer(c, typed, draw_label(t->signs, replica_card(room, i)));
	}
}

static void complete_decks(struct slice typed, struct completions *c)
{
	for (const struct deck_row *d = deck_rows; d->name != NULL; d++) {
		complete_offer(c, typed, d->name);
	}
}

void complete_timer(const struct tui *t, const struct replica *room, struct slice typed,
		    struct completions *c)
{
	(void)t, (void)room;
	complete_offer(c, typed, "stop");
}

static void complete_argument(const struct tui *t, const struct replica *room, enum action a,
			      struct slice typed, struct completions *c)
{
	enum takes takes = action_rows[a].takes;
	enum word_kind kind = action_word(a)->kind;
	if (action_rows[a].complete != NULL) {
		action_rows[a].complete(t, room, typed, c);
	} else if (kind == WORD_CARD) {
		complete_cards(t, room, typed, c);
	} else if (kind == WORD_DECK) {
		complete_decks(typed, c);
	} else if (action_takes_member(a)) {
		for (size_t i = 0; i < room->users.n; i++) {
			const struct user_view *m = replica_member_at(room, i);
			if (action_is_for(a, room, m)) {
				complete_offer(c, typed, m->username.data);
			}
		}
	} else if (takes == TAKES_STORY || takes == TAKES_TITLE) {
		complete_story(room, takes == TAKES_TITLE, typed, c);
	} else if (takes == TAKES_RECENT) {
		for (size_t i = 0; t->home != NULL && i < t->home->recent->n; i++) {
			complete_offer(c, typed, t->home->recent->rooms[i].room_id);
		}
	} else if (takes == TAKES_RULE) {
		complete_rule(c, typed);
	} else if (takes == TAKES_SETTING) {
		complete_setting(c, typed);
	}
}

void complete_line(const struct tui *t, const struct replica *room, struct completions *out)
{
	const struct line_editor *e = &t->prompt.line;
	size_t end_of_typed =
		e->is_offered ? 0 : e->cursor; /* what is typed replaces what is offered */
	*out = (struct completions){0};
	enum action a = t->prompt.action;
	if (a == ACTION_COMMAND) {
		size_t end = 0;
		while (end < e->cursor && e->text[end] != ' ') {
			end++;
		}
		if (end == e->cursor) {
			complete_commands(t, room, slice_of(e->text, end), out);
			return;
		}
		a = action_of_command(e->text, end);
		out->start = end + 1;
	}
	if (a != ACTION_COUNT) {
		struct slice typed =
			slice_of(e->text + out->start,
				 end_of_typed > out->start ? end_of_typed - out->start : 0);
		complete_argument(t, room, a, typed, out);
	}
}

void complete_apply(struct tui *t, const struct replica *room)
{
	struct completions c;
	complete_line(t, room, &c);
	if (c.n == 0) {
		return;
	}
	if (t->prompt.line.is_offered) {
		return; /* nothing of it was typed */
	}
	size_t common = c.word[0].len;
	for (size_t i = 1; i < c.n; i++) {
		size_t same = 0;
		while (same < common && same < c.word[i].len &&
		       c.word[i].data[same] == c.word[0].data[same]) {
			same++;
		}
		common = same;
	}
	/* Names may differ in the middle of a character. */
	while (common > 0 && common < c.word[0].len &&
	       ((unsigned char)c.word[0].data[common] & 0xc0) == 0x80) {
		common--;
	}
	line_editor_replace(&t->prompt.line, c.start, slice_of(c.word[0].data, common));
	if (c.n == 1 && t->prompt.action == ACTION_COMMAND && c.start == 0) {
		line_editor_insert(&t->prompt.line, SLICE(" "));
	}
}
