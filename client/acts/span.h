/*
 * span.h - a span of time as people type it.
 */
#ifndef CLIENT_ACTS_SPAN_H
#define CLIENT_ACTS_SPAN_H

#include <stdint.h>

#include "proto/base/err.h"

/*
 * Parse seconds with up to three decimals into ms, 0.001 s to about 11 days. ERR_INVALID otherwise.
 */
NODISCARD enum err span_parse_ms(const char *text, int64_t *ms);

/*
 * Parse "90s", "5m", "1h" or "2d" into whole seconds, 1 to MAX_TIMER_SECONDS. ERR_INVALID
 * otherwise.
 * @bare  the seconds per unit for a bare number, which also allows 1:30; 0: a unit is required.
 */
NODISCARD enum err span_parse(const char *text, int64_t bare, int64_t *seconds);

/* Write a span as it is typed: "90s", "24h", "30d". Returns out. */
#define SPAN_TEXT_BYTES 24
const char *span_text(int64_t seconds, char out[SPAN_TEXT_BYTES]);

/*
 * Write a span as it is read, coarsely, so that a screen seldom changes for it: "40 s", "12 min", "3 h", "2 days"; ""
 * below ten seconds. Returns out.
 */
#define SPAN_WORDS_BYTES 32
const char *span_words(int64_t ms, char out[SPAN_WORDS_BYTES]);
/* In how many ms that reads otherwise. */
int64_t span_words_change_in(int64_t ms);

#endif
