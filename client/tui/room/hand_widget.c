/*
 * hand_widget.c - the cards one may put down, and the keys that do it.
 *
 * A digit means the card labelled with it. Digits that no card is labelled
 * with mean the card at that place (0 the tenth), and what is then left over
 * is dealt to the cards left over: with up to ten cards each has its key.
 * Where the key is not the label it stands below the card. Digits typed in a
 * row mean the card of that label: 1 votes 1, and 3 soon after it makes it 13.
 * A letter means the card that is that letter, whatever else its key would do.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"

enum {
	HAND_DIGITS = 10,
	HAND_FREE = -1,
	HAND_WIDE = 76,	   /* from here on cards lie wider apart: */
	HAND_WIDER_BY = 10 /* by a cell for so many more */
};

static int hand_label_digit(const char *card)
{
	return card[0] >= '0' && card[0] <= '9' && card[1] == '\0' ? card[0] - '0' : HAND_FREE;
}

/* The digit becomes the card's where both are free. */
static void hand_deal(int card_of[HAND_DIGITS], int digit, bool *has_key, size_t card)
{
	if (digit != HAND_FREE && !*has_key && card_of[digit] == HAND_FREE) {
		card_of[digit] = (int)card;
		*has_key = true;
	}
}

/* card_of[digit], HAND_FREE where the digit means nothing. */
static void hand_deal_keys(const struct slices *cards, int card_of[HAND_DIGITS])
{
	bool has_key[MAX_CARDS_MAX] = {false};
	size_t n = cards->n < MAX_CARDS_MAX ? cards->n : MAX_CARDS_MAX;
	for (int d = 0; d < HAND_DIGITS; d++) {
		card_of[d] = HAND_FREE;
	}
	for (size_t i = 0; i < n; i++) {
		hand_deal(card_of, hand_label_digit(cards->items[i].data), &has_key[i], i);
	}
	for (size_t i = 0; i < n && i < HAND_DIGITS; i++) {
		hand_deal(card_of, (int)(i + 1) % HAND_DIGITS, &has_key[i], i);
	}
	size_t i = 0;
	for (int k = HAND_DIGITS; k > 0; k--) {
		while (i < n && has_key[i]) {
			i++;
		}
		if (i < n) {
			hand_deal(card_of, k % HAND_DIGITS, &has_key[i], i);
		}
	}
}

/* The first card whose label is that, or begins so; HAND_FREE where there is none. */
static int hand_card_labelled(const struct slices *cards, const char *text, bool is_whole)
{
	for (size_t i = 0; i < cards->n; i++) {
		const char *label = cards->items[i].data;
		if (strncmp(label, text, strlen(text)) == 0 &&
		    (!is_whole || strlen(label) == strlen(text))) {
			return (int)i;
		}
	}
	return HAND_FREE;
}

int hand_type_digit(struct tui *t, const struct slices *cards, int digit)
{
	enum { DIGITS_APART_MS = 700 };
	int card_of[HAND_DIGITS];
	char *digits = t->table.digits;
	bool is_soon = t->now_ms != 0 && t->now_ms - t->table.digits_ms <= DIGITS_APART_MS;
	size_t n = is_soon ? strlen(digits) : 0;
	n = n + 1 < sizeof(t->table.digits) ? n : 0;
	digits[n] = (char)('0' + digit);
	digits[n + 1] = '\0';
	t->table.digits_ms = t->now_ms;
	int card = n > 0 ? hand_card_labelled(cards, digits, true) : HAND_FREE;
	if (card != HAND_FREE) {
		return card;
	}
	if (hand_card_labelled(cards, digits, false) == HAND_FREE) {
		digits[0] = (char)('0' + digit);
		digits[1] = '\0';
	}
	hand_deal_keys(cards, card_of);
	return card_of[digit];
}

char hand_key_of_card(const struct slices *cards, size_t card)
{
	int card_of[HAND_DIGITS];
	hand_deal_keys(cards, card_of);
	for (int d = 0; d < HAND_DIGITS; d++) {
		if (card_of[d] == (int)card) {
			return (char)('0' + d);
		}
	}
	return '\0';
}

bool hand_is_held(const struct replica *room)
{
	return room->you.username.data != NULL && room->you.role == ROLE_VOTER &&
	       room->room.valid_sizes.n > 0;
}

int hand_card_of_letter(const struct replica *room, int32_t key)
{
	enum { CASE_BIT = 'a' ^ 'A' };
	int32_t lower = key | CASE_BIT;
	if (lower < 'a' || lower > 'z' || !hand_is_held(room) || room_status_has_no_story(room)) {
		return HAND_FREE;
	}
	const char as_typed[] = {(char)key, '\0'};
	const char other_case[] = {(char)(key ^ CASE_BIT), '\0'};
	int card = hand_card_labelled(&room->room.valid_sizes, as_typed, true);
	return card != HAND_FREE ? card
				 : hand_card_labelled(&room->room.valid_sizes, other_case, true);
}

bool hand_has_letters(const struct replica *room)
{
	int32_t letter = 'a';
	while (letter <= 'z' && hand_card_of_letter(room, letter) == HAND_FREE) {
		letter++;
	}
	return letter <= 'z';
}

size_t hand_focus(const struct tui *t, const struct replica *room)
{
	size_t n = room->room.valid_sizes.n;
	return t->table.card < n ? t->table.card : n == 0 ? 0 : n - 1;
}

void hand_move(struct tui *t, const struct replica *room, int by)
{
	if (room->room.valid_sizes.n == 0) {
		return;
	}
	size_t last = room->room.valid_sizes.n - 1;
	size_t at = hand_focus(t, room);
	t->table.choosing_round = room->room.round;
	t->table.card = by < 0 ? (at == 0 ? last : at - 1) : (at == last ? 0 : at + 1);
}

static bool hand_has_hints(const struct slices *cards)
{
	for (size_t i = 0; i < cards->n; i++) {
		if (hand_label_digit(cards->items[i].data) == HAND_FREE &&
		    hand_key_of_card(cards, i) != '\0') {
			return true;
		}
	}
	return false;
}

int hand_rows(const struct replica *room, const struct grid *g, bool is_roomy)
{
	if (!hand_is_held(room)) {
		return 1;
	}
	if (is_roomy) {
		return 3;
	}
	return g->height >= 11 && hand_has_hints(&room->room.valid_sizes) ? 2 : 1;
}

/* What lies on the table as far as we know: 'm' ours, 'p' ours but not confirmed yet, 0 not ours.
 */
static char hand_state(const struct replica *room, size_t card)
{
	const char *own = replica_own_vote(room);
	if (own == NULL || strcmp(own, replica_card(room, card)) != 0) {
		return '\0';
	}
	return room->pending_vote != NULL ? 'p' : 'm';
}

bool hand_lies(const struct replica *room, size_t card)
{
	return hand_state(room, card) != '\0';
}

static int hand_least_cells(const struct signs *signs, const struct slices *cards)
{
	int widest = 1;
	for (size_t i = 0; i < cards->n; i++) {
		int cells = draw_cells(draw_label(signs, cards->items[i].data));
		widest = cells > widest ? cells : widest;
	}
	return widest + 2;
}

int hand_cells(const struct tui *t, const struct slices *cards)
{
	return hand_least_cells(t->signs, cards) * (int)cards->n;
}

/* Each card takes a place of the same width, so that nothing moves while one chooses. */
static int hand_place_cells(const struct signs *signs, const struct slices *cards, int width,
			    int gap_most)
{
	int least = hand_least_cells(signs, cards);
	int fair = width / (int)cards->n;
	return fair < least ? least : fair > least + gap_most ? least + gap_most : fair;
}

static void hand_draw_card(const struct signs *signs, const struct hand *hand, struct grid *g,
			   int x, int y, int place, size_t card, int hint_y)
{
	const char *label = hand->cards->items[card].data;
	const char *shown = draw_label(signs, label);
	int cells = draw_cells(shown);
	int left = x + (place - cells) / 2;
	char state = card == hand->own ? hand->own_state : '\0';
	bool has_focus = card == hand->focus;
	enum style style = state != '\0' ? STYLE_OWN : STYLE_TEXT;
	(void)grid_text(g, left, y, has_focus ? STYLE_CHOSEN : style, shown, cells);
	if (state != '\0') {
		(void)grid_text(g, left - 1, y, style, state == 'm' ? "[" : "(", 1);
		(void)grid_text(g, left + cells, y, style, state == 'm' ? "]" : ")", 1);
	}
	if (has_focus) {
		grid_cursor(g, left, y);
	}
	grid_mark(g, x, y, place, 1, (struct spot){SPOT_CARD, (uint32_t)list_key(label)});
	char key = hand_key_of_card(hand->cards, card);
	if (hint_y >= 0 && key != '\0' && hand_label_digit(label) == HAND_FREE) {
		const char text[] = {' ', key, ' ', '\0'};
		(void)grid_text(g, left + (cells - 1) / 2 - 1, hint_y, STYLE_STRONG, text, 3);
	}
}

/* As many as fit, the focused one among them; signs at the ends tell of more. */
static void hand_draw_cards(const struct tui *t, const struct hand *hand, struct grid *g, int x,
			    int y, int width, int hint_y)
{
	size_t n = hand->cards->n;
	int wider = width > HAND_WIDE ? (width - HAND_WIDE) / HAND_WIDER_BY : 0;
	int place = hand_place_cells(t->signs, hand->cards, width, hint_y > y ? 2 + wider : 0);
	size_t fit = width / place < 1 ? 1 : (size_t)(width / place);
	size_t first = 0;
	if (fit < n) {
		fit = (width - 2) / place < 1 ? 1 : (size_t)((width - 2) / place);
		size_t focus = hand->focus;
		first = focus < fit / 2 ? 0 : focus - fit / 2;
		first = first > n - fit ? n - fit : first;
		(void)grid_text(g, x, y, STYLE_DIM, first > 0 ? t->signs->more_left : "", 1);
		(void)grid_text(g, x + width - 1, y, STYLE_DIM,
				first + fit < n ? t->signs->more_right : "", 1);
		x++;
	}
	for (size_t i = 0; i < fit && first + i < n; i++) {
		hand_draw_card(t->signs, hand, g, x + (int)i * place, y, place, first + i, hint_y);
	}
}

void hand_draw_framed(const struct tui *t, const struct hand *hand, struct grid *g, int y)
{
	draw_box(g, 1, y, g->width - 2, 3, STYLE_DIM, &t->signs->frame);
	(void)grid_text(g, 3, y, STYLE_DIM, hand->title, -1);
	hand_draw_cards(t, hand, g, 3, y + 1, g->width - 6, y + 2);
}

void hand_draw_bare(const struct tui *t, const struct hand *hand, struct grid *g, int y, int rows)
{
	hand_draw_cards(t, hand, g, 0, y, g->width, rows == 2 ? y + 1 : -1);
}

void hand_draw(const struct tui *t, const struct replica *room, struct grid *g, int y,
	       bool is_roomy)
{
	if (!hand_is_held(room)) {
		const char *line = room->you.username.data == NULL
					   ? "Press n to choose a name and vote"
					   : "You are a spectator. s to vote";
		(void)draw_cut(g, 1, y, STYLE_DIM, line, g->width - 2, t->signs);
		return;
	}
	struct hand hand = {
		.cards = &room->room.valid_sizes,
		.focus = hand_focus(t, room),
		.own = room->room.valid_sizes.n,
		.title = " your card ",
	};
	for (size_t i = 0; i < hand.cards->n; i++) {
		if (hand_lies(room, i)) {
			hand.own = i;
			hand.own_state = hand_state(room, i);
		}
	}
	if (is_roomy) {
		hand_draw_framed(t, &hand, g, y);
	} else {
		hand_draw_bare(t, &hand, g, y, hand_rows(room, g, false));
	}
}
