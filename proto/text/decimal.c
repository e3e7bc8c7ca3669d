/*
 * decimal.c - see decimal.h.
 */
#include "proto/text/decimal.h"

#include <string.h>

int64_t decimal_front(struct slice text, int64_t max, size_t *digits)
{
	int64_t n = 0;
	size_t at = 0;
	for (; at < text.len && text.data[at] >= '0' && text.data[at] <= '9'; at++) {
		int64_t digit = text.data[at] - '0';
		/* Also where max is less than a digit. */
		n = n < 0 || digit > max || n > (max - digit) / 10 ? -1 : n * 10 + digit;
	}
	*digits = at;
	return at == 0 ? -1 : n;
}

bool decimal_read(struct slice text, int64_t min, int64_t max, int64_t *out)
{
	size_t digits;
	int64_t n = decimal_front(text, max, &digits);
	if (n < min || n < 0 || digits != text.len) {
		return false;
	}
	*out = n;
	return true;
}

size_t decimal_write(uint64_t number, char out[DECIMAL_BYTES_MAX])
{
	char digits[DECIMAL_BYTES_MAX];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	memcpy(out, digits + at, sizeof(digits) - at);
	return sizeof(digits) - at;
}
