/*
 * quantity.c - see quantity.h.
 */
#include "proto/quantity.h"

#include "proto/assert.h"
#include "proto/decimal.h"
#include "proto/format.h"

#define WHOLE_DIGITS_MAX 12

static bool is_wrong(const char **why, const char *what)
{
	*why = what;
	return false;
}

bool quantity_read(struct slice text, int64_t *hundredths, const char **why)
{
	static const char form[] =
		"is no number like 12 or 0.5: digits, and a point with one or two more";
	size_t digits, decimals = 0;
	int64_t whole = decimal_front(text, QUANTITY_MAX / 100, &digits);
	int64_t part = 0;
	if (digits == 0) {
		return is_wrong(why, form);
	}
	if (text.len > digits) {
		struct slice rest = slice_of(text.data + digits + 1, text.len - digits - 1);
		part = decimal_front(rest, INT64_MAX, &decimals);
		if (text.data[digits] != '.' || decimals == 0 || decimals != rest.len) {
			return is_wrong(why, form);
		}
	}
	if (whole < 0 || digits > WHOLE_DIGITS_MAX) {
		return is_wrong(why, "is more than 999999999999.99");
	}
	if (decimals > 2) {
		return is_wrong(why, "has more than two decimals");
	}
	*hundredths = whole * 100 + (decimals == 1 ? part * 10 : part);
	return true;
}

bool quantity_read_change(struct slice text, int64_t *hundredths, const char **why)
{
	int64_t amount = 0;
	bool has_sign = text.len > 0 && (text.data[0] == '-' || text.data[0] == '+');
	struct slice number = has_sign ? slice_of(text.data + 1, text.len - 1) : text;
	if (!quantity_read(number, &amount, why)) {
		return false;
	}
	if (has_sign && amount == 0) {
		return is_wrong(why, "is 0, which has no sign");
	}
	*hundredths = has_sign && text.data[0] == '-' ? -amount : amount;
	return true;
}

size_t quantity_write(int64_t hundredths, char out[QUANTITY_BYTES_MAX + 1])
{
	ASSERT(hundredths >= 0 && hundredths <= QUANTITY_MAX);
	int decimals = (int)(hundredths % 100);
	size_t len = format_to(out, QUANTITY_BYTES_MAX + 1, "%lld", (long long)(hundredths / 100));
	if (decimals > 0) {
		len += format_to(out + len, QUANTITY_BYTES_MAX + 1 - len,
				 decimals % 10 == 0 ? ".%d" : ".%02d",
				 decimals % 10 == 0 ? decimals / 10 : decimals);
	}
	return len;
}
