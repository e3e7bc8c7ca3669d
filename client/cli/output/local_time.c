/*
 * local_time.c - see local_time.h.
 */
#include "client/cli/output/local_time.h"

#include <time.h>

#include "proto/base/format.h"

const char *local_time(int64_t ms, enum local_form form, char out[LOCAL_TIME_BYTES])
{
	time_t at = (time_t)(ms / 1000);
	struct tm local;
	char day[12], clock[12];
	out[0] = '\0';
	if (localtime_r(&at, &local) == NULL || strftime(day, sizeof(day), "%F", &local) == 0 ||
	    strftime(clock, sizeof(clock), "%T", &local) == 0) {
		return out;
	}
	(void)format_to(out, LOCAL_TIME_BYTES, "%s%s%.*s",
			form == LOCAL_DAY || form == LOCAL_MINUTE ? day : "",
			form == LOCAL_MINUTE ? " " : "",
			form == LOCAL_DAY      ? 0
			: form == LOCAL_SECOND ? 8
					       : 5,
			clock);
	return out;
}
