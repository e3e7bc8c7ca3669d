/*
 * points.h - what the oracle knows of people's points: a count of its own, from the answers
 * that are on the disk.
 */
#ifndef TESTS_SIM_POINTS_H
#define TESTS_SIM_POINTS_H

#include <stddef.h>
#include <stdint.h>

/* What a period of a board has: 0 a day, 1 a week, 2 all time. */
struct sim_tally {
	int64_t since; /* its first day, from the epoch */
	int64_t points, answers;
};

struct sim_person {
	char fingerprint[44];
	struct sim_tally tally[3]; /* by enum board_period */
	int64_t capped;		   /* of the day, without what streaks earned */
	int64_t streak, last_day;
};

/* What an answer earned. */
struct sim_earned {
	char response_id[20];
	int64_t points, total;
};

struct sim_points {
	struct sim_person *people;
	size_t people_n;
	size_t forgotten_n; /* who were deleted */
	struct sim_earned *earned;
	size_t earned_n;
	size_t boards_n; /* that were written */
};

#endif
