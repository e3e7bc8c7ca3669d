/*
 * group_defaults.c - group.set_defaults: what new rooms of a group begin with: deck, policy, links,
 * times and reactions.
 */
#include "server/domain/team/team.h"

#include "proto/deck.h"
#include "proto/link.h"
#include "proto/reaction.h"
#include "server/domain/base/policy_item.h"
#include "server/domain/directory.h"

bool group_view_defaults(const struct group_item *group, struct group_defaults *out)
{
	const struct group_defaults_item *item = &group->defaults;
	struct policy policy;
	struct key_text passcode;
	*out = (struct group_defaults){.deck = item->deck,
				       .valid_sizes = item->valid_sizes,
				       .with_policy = item->with_policy,
				       .link_template = item->link_template,
				       .timer_seconds = item->timer_seconds,
				       .with_timer_seconds = item->timer_seconds > 0,
				       .reveal_in_seconds = item->reveal_in_seconds,
				       .with_reveal_in_seconds = item->reveal_in_seconds > 0,
				       .reactions = item->reactions};
	if (item->with_policy) {
		policy_from_item(&item->policy, &policy, &passcode);
		policy_to_view(&policy, &out->policy);
	}
	return group->with_defaults;
}

/* As room.create checks a deck; a preset is kept by its name. */
static enum err take_deck(struct txn *t, const struct group_set_defaults_params *p,
			  struct group_defaults_item *now)
{
	struct slices cards = {.n = 0};
	if (!p->with_deck && !p->with_valid_sizes) {
		return OK;
	}
	bool is_none = p->with_deck && p->deck.data == NULL && !p->with_valid_sizes;
	enum err e = is_none ? OK
			     : deck_choose(p->with_deck ? &p->deck : NULL,
					   p->with_valid_sizes ? &p->valid_sizes : NULL, t->arena,
					   &cards, &t->fault);
	if (e == OK) {
		now->deck = p->deck;
		now->with_deck = now->deck.len > 0;
		now->valid_sizes = p->with_valid_sizes ? cards : (struct slices){.n = 0};
		now->with_valid_sizes = p->with_valid_sizes;
	}
	return e;
}

/* As room.create takes them: nil, 0 and nothing take one away. */
static void take_others(const struct group_set_defaults_params *p, struct group_defaults_item *now)
{
	if (p->with_link_template) {
		now->link_template = p->link_template;
		now->with_link_template = p->link_template.len > 0;
	}
	if (p->with_timer_seconds) {
		now->timer_seconds = p->timer_seconds;
		now->with_timer_seconds = p->timer_seconds > 0;
	}
	if (p->with_reveal_in_seconds) {
		now->reveal_in_seconds = p->reveal_in_seconds;
		now->with_reveal_in_seconds = p->reveal_in_seconds > 0;
	}
	if (p->with_reactions) {
		now->reactions = p->reactions;
		now->with_reactions = p->reactions.n > 0;
	}
}

enum txn_step on_GROUP_SET_DEFAULTS(struct txn *t)
{
	const struct group_set_defaults_params *p = t->params;
	struct policy policy;
	struct key_text passcode;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_OWNER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	struct group_item now = *g.item;
	enum err e = take_deck(t, p, &now.defaults);
	if (e != OK) {
		return e == ERR_NOMEM
			       ? txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory")
			       : TXN_REFUSED;
	}
	if (link_check_template(p->link_template, &t->fault) != FAULT_NONE ||
	    reactions_check(&p->reactions, &t->fault) != FAULT_NONE) {
		return TXN_REFUSED;
	}
	take_others(p, &now.defaults);
	if (p->with_policy) {
		policy_from_item(&now.defaults.policy, &policy, &passcode);
		policy_change_by(&p->policy, t->server_key, &policy, &passcode);
		policy_to_item(&policy, &passcode, &now.defaults.policy);
		now.defaults.with_policy = true;
	}
	now.with_defaults = record_has_any(&record_group_defaults_item, &now.defaults);
	group_write(t, &g, now, (struct group_update){.with_group = true});
	return TXN_DONE;
}
