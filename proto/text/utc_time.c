/*
 * utc_time.c - see utc_time.h.
 */
#include "proto/text/utc_time.h"

#include <stdbool.h>

#include "proto/base/format.h"

struct utc_moment {
	int64_t days; /* since 1970-01-01 */
	int year, month, day, hour, minute, second;
};

/* Year, month and day of a count of days since 1970-01-01, in the Gregorian calendar; years are
 * taken from March on, so that the leap day is their last. */
static void utc_date(int64_t days, int *year, int *month, int *day)
{
	int64_t since = days + 719468; /* since 0000-03-01 */
	int64_t era = since / 146097;
	int64_t of_era = since % 146097;
	int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
	int64_t march_month = (5 * of_year + 2) / 153;
	*day = (int)(of_year - (153 * march_month + 2) / 5 + 1);
	*month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
	*year = (int)(years + era * 400 + (*month <= 2));
}

/* False for what has no such form. */
static bool utc_split(int64_t at_ms, struct utc_moment *out)
{
	const int64_t last_ms = 253402300799999; /* the end of the year 9999 */
	if (at_ms <= 0 || at_ms > last_ms) {
		return false;
	}
	out->days = at_ms / 86400000;
	utc_date(out->days, &out->year, &out->month, &out->day);
	int s = (int)(at_ms / 1000 % 86400);
	out->hour = s / 3600;
	out->minute = s / 60 % 60;
	out->second = s % 60;
	return true;
}

const char *utc_time(int64_t at_ms, char out[UTC_TIME_CHARS + 1])
{
	struct utc_moment at;
	out[0] = '\0';
	if (utc_split(at_ms, &at)) {
		format_to(out, UTC_TIME_CHARS + 1, "%04d-%02d-%02dT%02d:%02d:%02dZ", at.year,
			  at.month, at.day, at.hour, at.minute, at.second);
	}
	return out;
}

const char *utc_time_http(int64_t at_ms, char out[UTC_TIME_HTTP_CHARS + 1])
{
	/* 1970 began on a Thursday. */
	static const char days[7][4] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct utc_moment at;
	out[0] = '\0';
	if (utc_split(at_ms, &at)) {
		format_to(out, UTC_TIME_HTTP_CHARS + 1, "%s, %02d %s %04d %02d:%02d:%02d GMT",
			  days[at.days % 7], at.day, months[at.month - 1], at.year, at.hour,
			  at.minute, at.second);
	}
	return out;
}
