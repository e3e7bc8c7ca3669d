/*
 * watch.h - what the tests of group.watch and container.watch share: updates as they come, and their versions.
 */
#ifndef TESTS_UNIT_SERVER_WATCH_H
#define TESTS_UNIT_SERVER_WATCH_H

#include "tests/unit/server/club.h"

/* Where a watcher's copy stands. */
struct at {
	long long epoch, version;
};

static inline struct at at_of(const char *answer)
{
	return (struct at){rig_field_number(answer, "epoch"), rig_field_number(answer, "version")};
}

/* The next notification of that name, "" where there is none; others are forgotten. */
static inline const char *next_of(struct rig_peer *p, const char *name)
{
	const char *notice = rig_next(p);
	while (notice[0] != '\0' && !says(notice, name)) {
		notice = rig_next(p);
	}
	return notice;
}

/* The next one of that name follows that version and brings the next one, which *at becomes. */
static inline const char *follows(struct rig_peer *p, const char *name, struct at *at)
{
	const char *update = next_of(p, name);
	assert_true(says(update, name));
	assert_false(says(update, "'full'"));
	assert_int_equal(rig_field_number(update, "epoch"), at->epoch);
	assert_int_equal(rig_field_number(update, "since"), at->version);
	assert_int_equal(rig_field_number(update, "version"), at->version + 1);
	at->version++;
	return update;
}

#endif
