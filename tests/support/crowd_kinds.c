/*
 * crowd_kinds.c - what members of a room, keepers of backlogs, people who ask and answer, and people who play change, and
 * how each is held to what the server said.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "tests/support/crowd_client.h"
#include "tests/support/test.h"

#define STORIES_MOST 100   /* of one member: a room has 500 */
#define ITEMS_MOST   20000 /* of one keeper: a container has 100,000 */
#define CARDS	     8

static unsigned draw(struct crowd *crowd, unsigned below)
{
	return (unsigned)rand_r(&crowd->random) % below;
}

/* ---- fates ---- */

void crowd_look_for_names(struct crowd *crowd, char kind, const char *text, unsigned char **seen)
{
	char begin[4] = {'"', kind, '\0', '\0'};
	for (const char *at = strstr(text, begin); at != NULL; at = strstr(at + 1, begin)) {
		unsigned place, number;
		if (sscanf(at + 2, "%u-%u\"", &place, &number) != 2) {
			continue;
		}
		assert_true(place < crowd->n && number < crowd->clients[place].made_n);
		if (crowd->clients[place].fates[number] == FATE_REFUSED) {
			fail_msg("%c%u-%u is there; it was refused as not made", kind, place,
				 number);
		}
		if (seen != NULL) {
			seen[place][number]++;
		}
	}
}

static void check_names(struct client *c, const unsigned char *seen)
{
	for (unsigned i = 0; i < c->made_n; i++) {
		bool must_be = c->fates[i] == FATE_MADE;
		if (c->fates[i] != FATE_UNNAMED && seen[i] != (must_be ? 1 : 0)) {
			fail_msg("%c%u-%u was %s, and is there %u times", c->kind->name, c->at, i,
				 must_be ? "made" : "not made", seen[i]);
		}
	}
}

/* ---- members of a room ---- */

static bool member_next(struct client *c, struct change *change)
{
	change->is_named = c->made_n % 16 == 0 && c->made_n / 16 < STORIES_MOST;
	change->card = c->is_silent ? -1 : (int)draw(c->crowd, CARDS);
	if (change->is_named) {
		change->method = "story.add";
		(void)format_to(change->params, PARAMS_BYTES,
				"\"room_id\":\"%s\",\"title\":\"s%u-%u\"", c->place, c->at,
				c->made_n);
	} else if (c->is_silent) {
		change->method = "room.join";
		(void)format_to(change->params, PARAMS_BYTES,
				"\"room_id\":\"%s\",\"username\":\"m%u, %u\"", c->place, c->at,
				c->made_n);
	} else {
		change->method = "room.vote";
		(void)format_to(change->params, PARAMS_BYTES, "\"room_id\":\"%s\",\"vote\":\"c%d\"",
				c->place, change->card);
	}
	return true;
}

static void member_made(struct client *c, const struct change *change, const char *json)
{
	(void)json;
	c->card = change->is_named ? c->card : change->card;
}

static void nothing_refused(struct client *c, const struct change *change)
{
	(void)c, (void)change;
}

static void member_check(struct client *c)
{
	char params[128];
	struct net_peer p;
	unsigned char *seen[CLIENTS_MAX] = {NULL};
	int card = -1;
	for (unsigned i = 0; i < c->crowd->n; i++) {
		seen[i] = calloc(c->crowd->clients[i].made_n + 1, 1);
		assert_non_null(seen[i]);
	}
	crowd_open(c, &p);
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"user_key\":\"%s\"}",
			c->place, c->proof);
	(void)net_request(&p, "room.subscribe", params);
	bool has_room = false, has_you = false;
	while (!has_room || !has_you) {
		const char *json = net_message(&p);
		assert_non_null(json);
		if (strstr(json, "\"room.update\"") != NULL && !has_room) {
			has_room = true;
			crowd_look_for_names(c->crowd, c->kind->name, json, seen);
		}
		const char *vote =
			strstr(json, "\"room.you\"") == NULL ? NULL : strstr(json, "\"vote\":");
		if (vote != NULL) {
			has_you = true;
			(void)sscanf(vote, "\"vote\":\"c%d\"", &card);
		}
	}
	if (card != c->card) {
		fail_msg("member %u has c%d; acknowledged last was c%d", c->at, card, c->card);
	}
	check_names(c, seen[c->at]);
	for (unsigned i = 0; i < c->crowd->n; i++) {
		free(seen[i]);
	}
	net_peer_close(&p);
}

/* ---- keepers of backlogs ---- */

static bool keeper_next(struct client *c, struct change *change)
{
	change->is_named = c->made_n % 2 == 0 && c->made_n / 2 < ITEMS_MOST;
	change->method = change->is_named ? "item.add" : "item.adjust";
	if (change->is_named) {
		(void)format_to(change->params, PARAMS_BYTES,
				"\"container_id\":\"%s\",\"name\":\"i%u-%u\"", c->place, c->at,
				c->made_n);
	} else {
		(void)format_to(change->params, PARAMS_BYTES,
				"\"container_id\":\"%s\",\"item_id\":\"%s\",\"by\":1", c->place,
				c->counter);
	}
	return true;
}

static void keeper_made(struct client *c, const struct change *change, const char *json)
{
	(void)json;
	c->counted += !change->is_named;
}

/* All pages of a list, by this method and these params, as one text. */
static void read_pages(struct client *c, const char *method, const char *params, struct buf *out)
{
	char cursor[160] = "";
	char asked[PARAMS_BYTES];
	do {
		bool is_first = cursor[0] == '\0';
		(void)format_to(asked, sizeof(asked), "{\"limit\":50%s%s%s%s%s}", params,
				is_first ? "" : ",\"cursor\":\"", cursor, is_first ? "" : "\"", "");
		const char *json = net_must(&c->peer, method, asked);
		assert_int_equal(buf_append(out, json, strlen(json)), OK);
		cursor[0] = '\0';
		if (strstr(json, "\"cursor\":\"") != NULL) {
			net_field(json, "cursor", cursor, sizeof(cursor));
		}
	} while (cursor[0] != '\0');
	assert_int_equal(buf_append(out, "", 1), OK);
}

static void check_list(struct client *c, const char *text)
{
	unsigned char *seen[CLIENTS_MAX] = {NULL};
	seen[c->at] = calloc(c->made_n + 1, 1);
	assert_non_null(seen[c->at]);
	crowd_look_for_names(c->crowd, c->kind->name, text, seen);
	check_names(c, seen[c->at]);
	free(seen[c->at]);
}

static void keeper_check(struct client *c)
{
	char params[96], counter[96];
	struct buf text = {.max = 64u << 20};
	(void)format_to(params, sizeof(params), ",\"container_id\":\"%s\"", c->place);
	read_pages(c, "item.list", params, &text);
	check_list(c, text.data);
	(void)format_to(counter, sizeof(counter), "\"quantity\":\"%lu\"", c->counted);
	if (strstr(text.data, counter) == NULL) {
		fail_msg("keeper %u counted to %lu, and the item did not", c->at, c->counted);
	}
	buf_finish(&text);
}

/* ---- who asks, and who answers ---- */

static bool asker_next(struct client *c, struct change *change)
{
	if (c->other->questions_n + c->n >= TO_ANSWER - UNDER_WAY) {
		return false;
	}
	change->is_named = true;
	change->method = "question.ask";
	(void)format_to(change->params, PARAMS_BYTES,
			"\"prompt\":\"q%u-%u\",\"type\":\"text\",\"min_responses\":1", c->at,
			c->made_n);
	return true;
}

static void asker_made(struct client *c, const struct change *change, const char *json)
{
	struct client *other = c->other;
	(void)change;
	assert_true(other->questions_n < TO_ANSWER);
	net_field(json, "question_id", other->questions[other->questions_n++], ID_BYTES);
}

static void asker_check(struct client *c)
{
	struct buf text = {.max = 64u << 20};
	read_pages(c, "question.mine", "", &text);
	check_list(c, text.data);
	buf_finish(&text);
}

static bool answerer_next(struct client *c, struct change *change)
{
	if (c->questions_n == 0) {
		return false;
	}
	memcpy(change->id, c->questions[--c->questions_n], ID_BYTES);
	change->method = "question.answer";
	(void)format_to(change->params, PARAMS_BYTES, "\"question_id\":\"%s\",\"answer\":\"Ada\"",
			change->id);
	return true;
}

static void answerer_made(struct client *c, const struct change *change, const char *json)
{
	(void)change, (void)json;
	c->counted++;
}

static void answerer_refused(struct client *c, const struct change *change)
{
	assert_true(c->questions_n < TO_ANSWER);
	memcpy(c->questions[c->questions_n++], change->id, ID_BYTES);
}

static void answerer_check(struct client *c)
{
	char total[64];
	(void)format_to(total, sizeof(total), "\"total_answers\":%lu", c->counted);
	const char *json = net_must(&c->peer, "stats.get", "{}");
	if (strstr(json, total) == NULL) {
		fail_msg("%lu answers were acknowledged: %s", c->counted, json);
	}
}

/* ---- who plays rounds, alone ---- */

struct player_step {
	const char *method;
	const char *field; /* has the card, if `has_card` */
	bool has_card;
};
static const struct player_step player_steps[] = {{"room.vote", ",\"vote\":\"", true},
						  {"room.set_revealed", ",\"is_revealed\":true",
						   false},
						  {"round.settle", ",\"estimate\":\"", true},
						  {"room.reset", "", false}};
#define PLAYER_STEPS (sizeof(player_steps) / sizeof(player_steps[0]))

/* One after the other, as each needs what the one before it did. */
static bool player_next(struct client *c, struct change *change)
{
	const struct player_step *step = &player_steps[c->step];
	char card[8] = "";
	if (c->n > 0) {
		return false;
	}
	if (step->has_card) {
		(void)format_to(card, sizeof(card), "c%u\"",
				(unsigned)(c->counted / PLAYER_STEPS) % CARDS);
	}
	change->method = step->method;
	(void)format_to(change->params, PARAMS_BYTES, "\"room_id\":\"%s\"%s%s", c->place,
			step->field, card);
	return true;
}

static void player_made(struct client *c, const struct change *change, const char *json)
{
	(void)change, (void)json;
	c->counted++;
	c->step = (c->step + 1) % PLAYER_STEPS;
}

/* The room is in the round that follows those that were played, and has the last of them in its history. */
static void player_check(struct client *c)
{
	char params[128], wanted[64];
	unsigned played = (unsigned)(c->counted / PLAYER_STEPS);
	struct net_peer p;
	crowd_open(c, &p);
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"user_key\":\"%s\"}",
			c->place, c->proof);
	(void)net_must(&p, "room.subscribe", params);
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\"}", c->place);
	const char *json = net_must(&p, "room.get", params);
	(void)format_to(wanted, sizeof(wanted), "\"round\":%u,", played + 1);
	if (strstr(json, wanted) == NULL) {
		fail_msg("%u rounds were played: %s", played, json);
	}
	(void)format_to(params, sizeof(params), "{\"room_id\":\"%s\",\"limit\":1}", c->place);
	json = net_must(&p, "round.list", params);
	(void)format_to(wanted, sizeof(wanted), "\"outcome\":\"c%u\"", (played - 1) % CARDS);
	if (c->step == 0 && played > 0 && strstr(json, wanted) == NULL) {
		fail_msg("the last round was settled with %s: %s", wanted, json);
	}
	net_peer_close(&p);
}

const struct client_kind crowd_member = {.next = member_next,
					 .on_made = member_made,
					 .on_refused = nothing_refused,
					 .name = 's',
					 .check = member_check,
					 .is_seated = true};
const struct client_kind crowd_player = {.next = player_next,
					 .on_made = player_made,
					 .on_refused = nothing_refused,
					 .name = 'p',
					 .check = player_check,
					 .is_seated = true};
const struct client_kind crowd_keeper = {.next = keeper_next,
					 .on_made = keeper_made,
					 .on_refused = nothing_refused,
					 .name = 'i',
					 .check = keeper_check,
					 .is_kept = true};
const struct client_kind crowd_asker = {.next = asker_next,
					.on_made = asker_made,
					.on_refused = nothing_refused,
					.name = 'q',
					.check = asker_check,
					.is_kept = true};
const struct client_kind crowd_answerer = {.next = answerer_next,
					   .on_made = answerer_made,
					   .on_refused = answerer_refused,
					   .name = 'a',
					   .check = answerer_check,
					   .is_kept = true};
