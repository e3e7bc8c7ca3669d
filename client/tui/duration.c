/*
 * duration.c - spans of time as people type and read them.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/decimal.h"
#include "proto/format.h"

enum { TIMING_MAX = 999999 };

int64_t timing_left(int64_t now_ms, int64_t ends_at)
{
	return ends_at <= now_ms ? 0 : (ends_at - now_ms + 999) / 1000;
}

int64_t timing_second_ends_in(int64_t now_ms, int64_t ends_at)
{
	return ends_at <= now_ms ? -1
				 : ends_at - now_ms - (timing_left(now_ms, ends_at) - 1) * 1000;
}

int64_t timing_sooner(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

void timing_text(int64_t seconds, char *out, size_t cap)
{
	long long s = seconds;
	if (s >= 86400) {
		(void)format_to(out, cap, "%lld d %lld h", s / 86400, s / 3600 % 24);
	} else if (s >= 3600) {
		(void)format_to(out, cap, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	} else {
		(void)format_to(out, cap, "%lld:%02lld", s / 60, s % 60);
	}
}

/* The number at *at, which goes behind it; -1 where there is none, or a larger one. */
static int64_t timing_number(const char **at)
{
	size_t digits;
	int64_t n = decimal_front(slice_str(*at), TIMING_MAX, &digits);
	*at += digits;
	return n;
}

bool timing_parse(const char *text, int64_t *seconds, bool *reveals)
{
	const char *at = text;
	int64_t n = timing_number(&at);
	int64_t total = n * 60; /* as on a kitchen timer */
	if (n < 0) {
		return false;
	}
	if (*at == ':') {
		at++;
		int64_t rest = timing_number(&at);
		if (rest < 0 || rest > 59) {
			return false;
		}
		total += rest;
	} else if (*at != '\0' && strchr("smhd", *at) != NULL) {
		total = *at == 's' ? n : *at == 'm' ? n * 60 : *at == 'h' ? n * 3600 : n * 86400;
		at++;
	}
	at += strspn(at, " ");
	*reveals = *at == '!';
	at += *at == '!' ? 1 : 0;
	*seconds = total;
	return *at == '\0' && total >= 1 && total <= MAX_TIMER_SECONDS;
}
