/*
 * reference.h - the wire of the reference server; see dialect_reference.c.
 */
#ifndef TESTS_BENCH_REFERENCE_H
#define TESTS_BENCH_REFERENCE_H

#include <stdint.h>

enum reference_kind { REFERENCE_JOIN = 1, REFERENCE_VOTE = 2 };

#define REFERENCE_BODY_BYTES_MAX 1024

struct reference_head {
	uint16_t kind;
	uint16_t len;
};

#endif
