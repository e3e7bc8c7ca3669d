/*
 * span.h - a span of time as people type it, for an option, a word or a line of its own.
 */
#ifndef CLIENT_ACTS_SPAN_H
#define CLIENT_ACTS_SPAN_H

#include <stdint.h>

#include "proto/base/err.h"

/* Seconds with up to three decimals as ms, 0.001 to about 11 days. ERR_INVALID. */
NODISCARD enum err span_parse_ms(const char *text, int64_t *ms);

/*
 * "90s", "5m", "1h" or "2d" as whole seconds, 1 to MAX_TIMER_SECONDS.
 * @bare  seconds of a number without a unit, and then 1:30 is one, too; 0: there is none. ERR_INVALID.
 */
NODISCARD enum err span_parse(const char *text, int64_t bare, int64_t *seconds);

/* As one types it: "90s", "24h", "30d". Returns out. */
#define SPAN_TEXT_BYTES 24
const char *span_text(int64_t seconds, char out[SPAN_TEXT_BYTES]);

#endif
