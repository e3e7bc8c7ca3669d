/*
 * option_values.c - see option_values.h.
 */
#include "server/cli/option_values.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/slice.h"
#include "proto/text/decimal.h"

#define OPTION_BYTES_MAX  1000000000000000 /* far beyond any use, far below overflow */
#define OPTION_NUMBER_MAX 100000

bool option_bytes(const char *text, int64_t min, int64_t *out)
{
	static const char suffixes[] = "KMGT";
	size_t digits;
	int64_t number = decimal_front(slice_str(text), OPTION_BYTES_MAX, &digits);
	const char *unit = text + digits;
	const char *found = *unit == '\0' ? NULL : strchr(suffixes, *unit);
	int shift = found == NULL ? 0 : 10 * (int)(found - suffixes + 1);
	if (number < 0 || number > OPTION_BYTES_MAX >> shift || (*unit != '\0' && found == NULL) ||
	    (found != NULL && unit[1] != '\0' && strcmp(unit + 1, "iB") != 0) ||
	    number << shift < min) {
		return false;
	}
	*out = number << shift;
	return true;
}

bool option_time(const char *text, int64_t *out)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	size_t digits;
	int64_t number = decimal_front(slice_str(text), OPTION_NUMBER_MAX, &digits);
	for (size_t i = 0; number > 0 && i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].unit == text[digits] && text[digits + 1] == '\0') {
			*out = number * units[i].seconds;
			return true;
		}
	}
	return false;
}

bool option_mode(const char *text, mode_t *out)
{
	size_t n = strspn(text, "01234567");
	if (n == 0 || n > 4 || text[n] != '\0') {
		return false;
	}
	*out = (mode_t)strtoul(text, NULL, 8) & 0777;
	return true;
}
