/*
 * rank.c - fractions in base 62, written without the point.
 */
#include "server/domain/base/rank.h"

#include <string.h>

#include "proto/base/assert.h"

#define RANK_BASE   62
#define RANK_DIGITS 4 /* of a fresh numbering */
#define RANK_STRIDE 64

static const char rank_alphabet[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static int rank_digit(char c)
{
	const char *at = strchr(rank_alphabet, c);
	return c == '\0' || at == NULL ? 0 : (int)(at - rank_alphabet);
}

static struct rank rank_write(uint64_t number)
{
	struct rank r = {{0}};
	for (size_t i = RANK_DIGITS; i > 0; i--) {
		r.text[i - 1] = rank_alphabet[number % RANK_BASE];
		number /= RANK_BASE;
	}
	r.text[RANK_DIGITS] = rank_alphabet[RANK_BASE / 2]; /* so that it never ends in 0 */
	return r;
}

struct rank rank_nth(size_t n)
{
	ASSERT_CMP(n, <, 200000);
	return rank_write(((uint64_t)n + 1) * RANK_STRIDE);
}

/* Behind everything: count on from its first digits instead of halving what is left, which would
 * grow. */
static bool rank_behind(const struct rank *before, struct rank *out)
{
	uint64_t number = 0;
	size_t len = strlen(before->text);
	for (size_t i = 0; i < RANK_DIGITS; i++) {
		number = number * RANK_BASE + (uint64_t)(i < len ? rank_digit(before->text[i]) : 0);
	}
	if (number + RANK_STRIDE >= (uint64_t)RANK_BASE * RANK_BASE * RANK_BASE * RANK_BASE) {
		return false;
	}
	*out = rank_write(number + RANK_STRIDE);
	return true;
}

bool rank_between(const struct rank *before, const struct rank *after, struct rank *out)
{
	const char *a = before == NULL ? "" : before->text;
	const char *b = after == NULL ? NULL : after->text;
	size_t a_len = strlen(a);
	size_t b_len = b == NULL ? 0 : strlen(b);
	struct rank r = {{0}};
	if (b == NULL && before == NULL) {
		*out = rank_nth(0);
		return true;
	}
	if (b == NULL && rank_behind(before, out)) {
		return true;
	}
	for (size_t i = 0; i < RANK_CHARS_MAX; i++) {
		int low = i < a_len ? rank_digit(a[i]) : 0;
		int high = b == NULL ? RANK_BASE : i < b_len ? rank_digit(b[i]) : 0;
		int middle = (low + high) / 2;
		if (high > low && middle > low) {
			r.text[i] = rank_alphabet[middle];
			*out = r;
			return true;
		}
		r.text[i] = rank_alphabet[low];
		b = high > low ? NULL : b; /* from here on everything is below it */
	}
	return false;
}
