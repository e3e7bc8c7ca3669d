/*
 * span.c - see span.h.
 */
#include "client/acts/span.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/text/decimal.h"

enum err span_parse_ms(const char *text, int64_t *ms)
{
	int64_t sum = 0;
	int digits = 0;
	int decimals = -1; /* none yet */
	for (const char *at = text; *at != '\0'; at++) {
		if (*at == '.' && decimals < 0) {
			decimals = 0;
		} else if (*at >= '0' && *at <= '9' && digits < 9 && decimals < 3) {
			sum = sum * 10 + (*at - '0');
			digits++;
			decimals += decimals >= 0;
		} else {
			return ERR_INVALID;
		}
	}
	for (int i = decimals < 0 ? 0 : decimals; i < 3; i++) {
		sum *= 10;
	}
	if (digits == 0 || sum == 0) {
		return ERR_INVALID;
	}
	*ms = sum;
	return OK;
}

enum err span_parse(const char *text, int64_t bare, int64_t *seconds)
{
	static const struct {
		char sign;
		int64_t seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	char digits[16] = "";
	int64_t rest; /* behind a colon */
	size_t len = strlen(text);
	int64_t unit = bare;
	int64_t ms;
	const char *colon = bare == 0 ? NULL : strchr(text, ':');
	if (colon != NULL) {
		struct slice minutes = slice_of(text, (size_t)(colon - text));
		bool is_one = decimal_read(minutes, 0, MAX_TIMER_SECONDS / 60, &ms) &&
			      decimal_read(slice_str(colon + 1), 0, 59, &rest) &&
			      ms * 60 + rest >= 1 && ms * 60 + rest <= MAX_TIMER_SECONDS;
		*seconds = is_one ? ms * 60 + rest : *seconds;
		return is_one ? OK : ERR_INVALID;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && len > 0; i++) {
		if (text[len - 1] == units[i].sign) {
			unit = units[i].seconds;
			len--;
			break;
		}
	}
	if (unit == 0 || len >= sizeof(digits)) {
		return ERR_INVALID;
	}
	memcpy(digits, text, len);
	if (span_parse_ms(digits, &ms) != OK || ms * unit / 1000 < 1 ||
	    ms * unit / 1000 > MAX_TIMER_SECONDS) {
		return ERR_INVALID;
	}
	*seconds = ms * unit / 1000;
	return OK;
}

const char *span_text(int64_t seconds, char out[SPAN_TEXT_BYTES])
{
	static const struct {
		int64_t seconds;
		char sign;
	} units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
	size_t i = 0;
	while (seconds % units[i].seconds != 0) {
		i++;
	}
	(void)format_to(out, SPAN_TEXT_BYTES, "%lld%c", (long long)(seconds / units[i].seconds),
			units[i].sign);
	return out;
}

/* From so many ms on it is counted in steps of that many, each so many of the unit. */
static const struct span_step {
	int64_t from_ms, step_ms, of_unit;
	const char *one, *many;
} span_steps[] = {
	{86400000, 86400000, 1, "day", "days"},
	{3600000, 3600000, 1, "h", "h"},
	{60000, 60000, 1, "min", "min"},
	{10000, 10000, 10, "s", "s"},
};

static const struct span_step *span_step_of(int64_t ms)
{
	for (size_t i = 0; i < sizeof(span_steps) / sizeof(span_steps[0]); i++) {
		if (ms >= span_steps[i].from_ms) {
			return &span_steps[i];
		}
	}
	return NULL;
}

const char *span_words(int64_t ms, char out[SPAN_WORDS_BYTES])
{
	const struct span_step *by = span_step_of(ms);
	out[0] = '\0';
	if (by == NULL) {
		return out;
	}
	int64_t n = ms / by->step_ms * by->of_unit;
	(void)format_to(out, SPAN_WORDS_BYTES, "%lld %s", (long long)n,
			n == 1 ? by->one : by->many);
	return out;
}

int64_t span_words_change_in(int64_t ms)
{
	const struct span_step *by = span_step_of(ms);
	return by == NULL ? 10000 - ms : by->step_ms - ms % by->step_ms;
}
