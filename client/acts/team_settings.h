/*
 * team_settings.h - what a team keeps for its new rooms, beside the rules: deck, links, times and
 * reactions.
 *
 * One row per setting; aye team settings and set, their completion, and the page of a team's rules
 * read these rows. The rules are those of a room (proto/records/policy.h).
 *
 * Pure.
 */
#ifndef CLIENT_ACTS_TEAM_SETTINGS_H
#define CLIENT_ACTS_TEAM_SETTINGS_H

#include <stdbool.h>

#include "client/acts/word.h"
#include "proto/records/records.h"

/*
 * Rows:  X(symbol, name, field, kind, none, label)
 *   name   what people type before the =
 *   field  of group.set_defaults and of group_defaults
 *   kind   how a value is read
 *   none   the value of a team that keeps none; typed, it takes the setting away
 *   label  on the page of rules
 */
#define TEAM_SETTINGS(X)                                                                           \
	X(DECK,   "deck",          "valid_sizes",       WORD_DECK,    "default", "Deck")            \
	X(LINKS,  "link_template", "link_template",     WORD_TEXT,    "none",    "Story links")     \
	X(TIMER,  "timer",         "timer_seconds",     WORD_SECONDS, "none",    "Timer")           \
	X(REVEAL, "reveal_in",     "reveal_in_seconds", WORD_SECONDS, "none",    "Reveal after creation") \
	X(REACTIONS, "reactions",  "reactions",         WORD_REACTIONS, "default", "Reactions")

enum team_setting {
#define TEAM_SETTING_ENUM(symbol, ...) TEAM_SETTING_##symbol,
	TEAM_SETTINGS(TEAM_SETTING_ENUM)
#undef TEAM_SETTING_ENUM
	TEAM_SETTINGS_N
};

struct team_setting_row {
	const char *name, *field;
	enum word_kind kind;
	const char *none, *label;
};
extern const struct team_setting_row team_settings[TEAM_SETTINGS_N];

/* The setting of that name; TEAM_SETTINGS_N: none has it. */
enum team_setting team_setting_find(struct slice name);

/* Write the value as it is typed. Returns out. */
enum { TEAM_SETTING_BYTES = MAX_CARDS_MAX * (MAX_CARD_BYTES + 1) + 1 };
const char *team_setting_text(enum team_setting s, const struct group_defaults *d,
			      char out[TEAM_SETTING_BYTES]);

/* What was typed for a setting does without it: nothing, "off" or the row's none. */
bool team_setting_is_none(enum team_setting s, const char *typed);

/*
 * Fill a group.set_defaults with what was typed: a value, or what does without it.
 * Returns false if it is no such value; why says what a valid one looks like, without a full stop.
 * What the server would refuse is in the request's fault.
 */
bool team_setting_fill(struct request *r, enum team_setting s, const char *typed,
		       char why[WORD_WHY_BYTES]);

/* The rules that new rooms of the team have: those it keeps, otherwise the defaults. */
void team_settings_rules(const struct group_defaults *d, struct policy_view *out);

#endif
