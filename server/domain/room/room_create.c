/*
 * room_create.c - room.create: deck, title, ids and host_key of a new room.
 *
 * A call with an idempotency_key derives its ids and the host_key from the key
 * and the caller, so that the same call leads to the same room again: nothing
 * needs to be stored to recognise it.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/deck.h"
#include "proto/link.h"
#include "proto/reaction.h"
#include "server/domain/base/policy_item.h"

enum fault_code room_plan(struct room_call *c, struct room_plan *plan)
{
	const struct room_create_params *p = c->params;
	const struct group_defaults_item *usual = c->facts == NULL ? NULL : c->facts->defaults;
	bool is_usual = usual != NULL && !p->with_deck && !p->with_valid_sizes;
	const struct slice *deck = p->with_deck ? &p->deck : NULL;
	const struct slices *cards = p->with_valid_sizes ? &p->valid_sizes : NULL;
	if (is_usual && usual->with_deck) {
		deck = &usual->deck;
	} else if (is_usual && usual->with_valid_sizes) {
		cards = &usual->valid_sizes;
	}
	enum err e = deck_choose(deck, cards, c->arena, &plan->deck, c->fault);
	if (e != OK) {
		return e == ERR_NOMEM ? room_out_of_memory(c) : c->fault->code;
	}
	if (p->with_group_id && !c->is_keyed) {
		return fault_set(
			c->fault, FAULT_FORBIDDEN,
			"only team members can create a room of the team; log in with a key");
	}
	plan->wants.group_id = p->group_id;
	plan->title = p->title;
	plan->link_template = p->link_template;
	plan->timer_seconds = p->timer_seconds;
	plan->reveal_in_seconds = p->reveal_in_seconds;
	plan->reactions = p->reactions;
	if (usual != NULL) {
		plan->link_template =
			p->with_link_template ? p->link_template : usual->link_template;
		plan->timer_seconds =
			p->with_timer_seconds ? p->timer_seconds : usual->timer_seconds;
		plan->reveal_in_seconds =
			p->with_reveal_in_seconds ? p->reveal_in_seconds : usual->reveal_in_seconds;
		plan->reactions = p->with_reactions ? p->reactions : usual->reactions;
	}
	plan->is_derived = p->with_idempotency_key;
	enum fault_code f = link_check_template(p->link_template, c->fault);
	return f != FAULT_NONE ? f : reactions_check(&p->reactions, c->fault);
}

void room_plan_ids(struct room_call *c, struct slice creator, size_t code_chars,
		   struct room_plan *plan)
{
	enum { CREATOR_BYTES_MAX = 96, ONCE_BYTES_MAX = 64 };
	const struct room_create_params *p = c->params;
	char text[CREATOR_BYTES_MAX + ONCE_BYTES_MAX + 1];
	unsigned char seed[SEED_BYTES];
	struct random derived;
	if (!plan->is_derived) {
		code_make(c->random, plan->room_id, code_chars);
		plan->host_key = key_make(c->random);
		return;
	}
	ASSERT_CMP(creator.len, <=, CREATOR_BYTES_MAX);
	ASSERT_CMP(p->idempotency_key.len, <=, ONCE_BYTES_MAX);
	memcpy(text, creator.data, creator.len);
	text[creator.len] = '#';
	memcpy(text + creator.len + 1, p->idempotency_key.data, p->idempotency_key.len);
	derive_bytes(c->server_key, "room.create",
		     slice_of(text, creator.len + 1 + p->idempotency_key.len), seed, sizeof(seed));
	random_seed(&derived, seed);
	/* Of one length, and cut: the key is the same for a short code and a long one. */
	code_make(&derived, plan->room_id, CODE_CHARS_MAX);
	plan->room_id[code_chars] = '\0';
	plan->host_key = key_make(&derived);
}

static struct key_text plan_key_hash(const struct room_call *c, const struct room_plan *plan)
{
	return room_hash_host_key(c->server_key, slice_of(plan->host_key.text, KEY_CHARS));
}

bool room_was_planned(const struct room *r, const struct room_call *c, const struct room_plan *plan)
{
	struct key_text hash = plan_key_hash(c, plan);
	return r != NULL && key_hash_eq(&r->host_key_hash, slice_of(hash.text, KEY_CHARS));
}

/* The rules of a group are those of people; without one nothing happens that was not asked for. */
static void room_begin_policy(struct room *r, const struct room_call *c)
{
	const struct room_create_params *p = c->params;
	const struct group_defaults_item *usual = c->facts == NULL ? NULL : c->facts->defaults;
	r->policy.auto_reveal = r->group_id[0] != '\0';
	if (usual != NULL && usual->with_policy) {
		policy_from_item(&usual->policy, &r->policy, &r->passcode_hash);
	}
	policy_change_by(&p->policy, c->server_key, &r->policy, &r->passcode_hash);
}

enum fault_code on_ROOM_CREATE(struct room **at, struct room_call *c, const struct room_plan *plan)
{
	struct room_create_result *result = c->result;
	if (*at != NULL && (*at)->is_deleted) {
		return fault_set(c->fault, FAULT_UNAVAILABLE,
				 "no room can be created now; try again");
	}
	/* A derived code is as short as any other: what stands there may have been made by another call. */
	if (*at != NULL && !room_was_planned(*at, c, plan)) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "that idempotency_key is in use; choose another");
	}
	if (*at != NULL && (*at)->created_on + MAX_ONCE_LIFE_MS <= c->wall_ms) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "that idempotency_key is more than a day old; choose another");
	}
	ASSERT(plan->wants.group_id.len == 0 || c->facts != NULL);
	if (plan->wants.group_id.len > 0 && c->facts->group_id.len == 0) {
		return fault_set_field(c->fault, FAULT_NOT_FOUND, "group_id",
				       "team not found; check its id");
	}
	if (*at == NULL) {
		struct room *r = room_create(plan->room_id, plan->title, plan->deck, c->wall_ms);
		if (r == NULL || !room_set_text(&r->link_template, plan->link_template) ||
		    !room_copy_texts(plan->reactions, &r->reactions)) {
			room_destroy(r);
			return room_out_of_memory(c);
		}
		r->host_key_hash = plan_key_hash(c, plan);
		r->epoch = room_make_epoch(c->random);
		if (plan->wants.group_id.len > 0) {
			(void)format_to(r->group_id, sizeof(r->group_id), "%.*s",
					(int)c->facts->group_id.len, c->facts->group_id.data);
		}
		room_begin_policy(r, c);
		r->timer_seconds = plan->timer_seconds;
		r->expires_at = c->wall_ms + room_life_ms(r, c->limits);
		if (plan->reveal_in_seconds > 0) {
			room_start_timer(r, c, plan->reveal_in_seconds, true);
		}
		*at = r;
		room_await_maker(*at, c->wall_ms, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	}
	/* The same call gets the same answer, with the deck it asked for, not the one that the room has now. */
	*result = (struct room_create_result){
		.room_id = slice_str((*at)->room_id),
		.host_key = slice_of(plan->host_key.text, KEY_CHARS),
		.valid_sizes = plan->deck,
	};
	return FAULT_NONE;
}
