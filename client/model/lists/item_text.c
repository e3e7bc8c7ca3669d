/*
 * item_text.c - see item_text.h.
 */
#include "client/model/lists/item_text.h"

#include "proto/text/utc_time.h"

#include <string.h>

enum { DAY_CHARS = 10, DAY_S = 86400 };
static const int64_t DAY_MS = DAY_S * INT64_C(1000);

/* The digits of the pattern from the text: "dddd-dd-dd"; false where something else stands there. */
static bool item_read_digits(struct slice text, const char *pattern, int out[3])
{
	int at = 0;
	if (text.len != strlen(pattern)) {
		return false;
	}
	out[0] = out[1] = out[2] = 0;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (pattern[i] != 'd' ? c != pattern[i] : c < '0' || c > '9') {
			return false;
		}
		at += pattern[i] != 'd';
		out[at] = pattern[i] == 'd' ? out[at] * 10 + (c - '0') : out[at];
	}
	return true;
}

/* Days since 1970 of a date of the Gregorian calendar; a day that is not there is one of the next month. */
static int64_t item_days(int year, int month, int day)
{
	int64_t y =
		month > 2 ? year : year - 1; /* a year begins in March: its leap day is its last */
	int64_t m = month > 2 ? month - 3 : month + 9;
	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

bool item_read_expiry(struct slice text, int64_t *ms)
{
	char again[UTC_TIME_CHARS + 1];
	int date[3];
	int clock[3] = {0, 0, 0};
	struct slice day = slice_of(text.data, text.len < DAY_CHARS ? text.len : DAY_CHARS);
	struct slice time = slice_of(text.data + day.len, text.len - day.len);
	if (!item_read_digits(day, "dddd-dd-dd", date)) {
		return false;
	}
	if (time.len > 0) {
		bool is_utc = time.data[time.len - 1] == 'Z';
		bool is_behind = time.data[0] == 'T' || time.data[0] == ' ';
		time = slice_of(time.data + 1, time.len - 1 - (time.len > 1 && is_utc));
		if (!is_behind || (!item_read_digits(time, "dd:dd:dd", clock) &&
				   !item_read_digits(time, "dd:dd", clock))) {
			return false;
		}
	}
	int64_t at = item_days(date[0], date[1], date[2]) * DAY_S + clock[0] * 3600 +
		     clock[1] * 60 + clock[2];
	/* A month without that day gives another date. */
	bool is_there = at > 0 && date[1] >= 1 && date[1] <= 12 && clock[0] < 24 && clock[1] < 60 &&
			clock[2] < 60 && slice_starts(slice_str(utc_time(at * 1000, again)), day);
	if (is_there) {
		*ms = at * 1000;
	}
	return is_there;
}

const char *item_expiry(int64_t ms, char out[UTC_TIME_CHARS + 1])
{
	(void)utc_time(ms, out);
	if (ms % DAY_MS == 0) {
		out[DAY_CHARS] = '\0';
	}
	return out;
}
