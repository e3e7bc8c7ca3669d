/*
 * reaction.c - which words are reactions.
 */
#include "proto/reaction.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/deck.h"
#include "proto/text/text.h"

bool reaction_is_word(struct slice text)
{
	return text.len > 0 && memchr(text.data, ' ', text.len) == NULL;
}

enum fault_code reactions_check(const struct slices *reactions, struct fault *fault)
{
	for (size_t i = 0; i < reactions->n; i++) {
		const struct slice word = reactions->items[i];
		const struct slices before = {reactions->items, i};
		size_t cells = text_cells(word);
		char field[32];
		format_to(field, sizeof(field), "reactions[%zu]", i);
		if (cells < 1 || cells > MAX_REACTION_CELLS) {
			fault_field(fault, field, "must be 1 to %d columns wide",
				    MAX_REACTION_CELLS);
			return fault_bounds(fault, FAULT_RULE_LENGTH, 1, MAX_REACTION_CELLS,
					    "cells");
		}
		if (!reaction_is_word(word)) {
			return fault_field(fault, field, "must be one word or emoji");
		}
		if (deck_find(before, word) >= 0) {
			return fault_field(fault, field, "is repeated");
		}
	}
	return FAULT_NONE;
}
