/*
 * utc_time.c - see utc_time.h.
 */
#include "proto/text/utc_time.h"

#include "proto/base/format.h"

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

const char *utc_time(int64_t at_ms, char out[UTC_TIME_CHARS + 1])
{
	const int64_t last_ms = 253402300799999; /* the end of the year 9999 */
	int year;
	int month;
	int day;
	if (at_ms <= 0 || at_ms > last_ms) {
		out[0] = '\0';
		return out;
	}
	utc_date(at_ms / 86400000, &year, &month, &day);
	int s = (int)(at_ms / 1000 % 86400);
	format_to(out, UTC_TIME_CHARS + 1, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day,
		  s / 3600, s / 60 % 60, s % 60);
	return out;
}
