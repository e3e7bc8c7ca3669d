/*
 * records.c - the descriptors of records.h, defined from its rows.
 */
#include "proto/records/records.h"

RECORDS(RECORD_DEFINE)

const struct record *const wire_records[] = {
#define RECORD_POINTER(rec) &record_##rec,
	RECORDS(RECORD_POINTER)
#undef RECORD_POINTER
		NULL,
};
