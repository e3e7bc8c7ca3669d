/*
 * question_outcome.h - what came of a question that was asked: for scripts that branch on it.
 *
 * Pure.
 */
#ifndef CLIENT_MODEL_QUESTIONS_QUESTION_OUTCOME_H
#define CLIENT_MODEL_QUESTIONS_QUESTION_OUTCOME_H

#include "proto/records/records.h"

enum question_outcome {
	OUTCOME_NONE_YET,   /* it is open */
	OUTCOME_ENOUGH,	    /* as many answered as were asked for; and most said what was expected, if anything was */
	OUTCOME_UNEXPECTED, /* as many answered, and most said something else, or no option has most */
	OUTCOME_EXPIRED,    /* too few answered in its time: that is no answer, whatever came */
	OUTCOME_CANCELLED
};

/*
 * The option that is meant: by its words, else by them in other letters (Yes, YES), else by its number, from 1, else the
 * only one that begins so. -1: none.
 */
int question_option(const struct slices *options, struct slice typed);

/* The option that more chose than any other; -1 where nobody chose, where two have as many, and where it is not known. */
int question_most(const struct question_view *q);

/* @expected  an option; -1: none. */
enum question_outcome question_outcome(const struct question_view *q, int expected);

#endif
