/*
 * fields.h - what was last shown of each thing that is followed, field by field.
 */
#ifndef TESTS_SIM_FIELDS_H
#define TESTS_SIM_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/methods.h"

struct msgpack_object;
struct world;

#define SIM_SHOWN_MAX	 4096
#define SIM_SHOWN_FIELDS 24

/* By a hash of what it is. */
struct shown_thing {
	uint64_t key;
	bool is_known;
	int64_t epoch, version;
	int64_t mono; /* when that came about */
	uint64_t values[SIM_SHOWN_FIELDS]; /* hashes; 0: absent */
};

/* An update. */
struct shown_at {
	uint64_t topic;
	int room; /* -1: none */
	int64_t epoch, version, mono, slack_ms;
};

/* A notification leaves. */
void fields_leave(struct world *w, enum notice notice, const struct msgpack_object *map);
/* The first field without a rule, or rule without a field, for a person; NULL: there is none. */
const char *fields_lack(void);

#endif
