/*
 * quantity.c - see quantity.h.
 */
#include "proto/text/quantity.h"

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"

#define WHOLE_DIGITS_MAX 12

static const char too_much[] = "is more than 999999999999.99";
static const char too_fine[] = "has more than two decimals";

static bool is_wrong(const char **why, const char *what)
{
	*why = what;
	return false;
}

bool quantity_read(struct slice text, int64_t *hundredths, const char **why)
{
	static const char form[] = "is not a number like 12 or 0.5, with two decimals at most";
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
		return is_wrong(why, too_much);
	}
	if (decimals > 2) {
		return is_wrong(why, too_fine);
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

size_t quantity_of_number(double number, char out[QUANTITY_BYTES_MAX + 1], const char **why)
{
	const double most = (double)QUANTITY_MAX / 100.0;
	bool is_less = number < 0;
	double amount = is_less ? -number : number;
	if (!(amount <= most)) { /* so that what is no number is too much */
		*why = too_much;
		return 0;
	}
	int64_t hundredths = (int64_t)(amount * 100.0 + 0.5);
	if ((double)hundredths / 100.0 != amount) {
		*why = too_fine;
		return 0;
	}
	out[0] = '-';
	return is_less + quantity_write(hundredths, out + is_less);
}

bool quantity_is_estimate(bool has_quantity, struct slice unit)
{
	return !has_quantity || unit.len == 0 || slice_eq(unit, SLICE(QUANTITY_UNIT_OF_ESTIMATES));
}
