/*
 * limits.c - the rows of limits.h as a table.
 */
#include "proto/base/limits.h"

const struct limit_row limit_rows[LIMIT_COUNT] = {
#define LIMIT_ROW(symbol, name_, value_, unit_, changeable_, help_) \
	[LIMIT_##symbol] = {#name_, (value_), (unit_), (changeable_), (help_)},
	LIMITS(LIMIT_ROW)
#undef LIMIT_ROW
};
