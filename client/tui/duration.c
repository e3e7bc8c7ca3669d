/*
 * duration.c - spans of time as people type and read them.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

enum { TIMING_DIGITS_MAX = 6 };

int64_t timing_left(int64_t now_ms, int64_t ends_at)
{
	return ends_at <= now_ms ? 0 : (ends_at - now_ms + 999) / 1000;
}

void timing_text(int64_t seconds, char *out, size_t cap)
{
	long long s = seconds;
	if (s >= 3600) {
		(void)format_to(out, cap, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	} else {
		(void)format_to(out, cap, "%lld:%02lld", s / 60, s % 60);
	}
}

/* Digits at *at; -1 where there are none, or too many. */
static int64_t timing_number(const char **at)
{
	int64_t n = 0;
	size_t digits = strspn(*at, "0123456789");
	if (digits == 0 || digits > TIMING_DIGITS_MAX) {
		return -1;
	}
	for (size_t i = 0; i < digits; i++) {
		n = n * 10 + (*at)[i] - '0';
	}
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
	} else if (*at == 's' || *at == 'm' || *at == 'h') {
		total = *at == 's' ? n : *at == 'm' ? n * 60 : n * 3600;
		at++;
	}
	at += strspn(at, " ");
	*reveals = *at == '!';
	at += *at == '!' ? 1 : 0;
	*seconds = total;
	return *at == '\0' && total >= 1 && total <= MAX_TIMER_SECONDS;
}
