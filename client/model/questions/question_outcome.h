/*
 * question_outcome.h - the outcome of a question, for scripts that branch on it.
 *
 * Pure.
 */
#ifndef CLIENT_MODEL_QUESTIONS_QUESTION_OUTCOME_H
#define CLIENT_MODEL_QUESTIONS_QUESTION_OUTCOME_H

#include "proto/records/records.h"

enum question_outcome {
	OUTCOME_NONE_YET,   /* it is open */
	OUTCOME_ENOUGH,	    /* enough answers, and the expected option won, if one was expected */
	OUTCOME_UNEXPECTED, /* enough answers, but another option won, or none did */
	OUTCOME_EXPIRED,    /* too few answers in its time, so there is no result */
	OUTCOME_CANCELLED
};

/*
 * The index of the option that was typed: by its exact text, else ignoring case, else by its
 * number, from 1, else by a unique prefix. -1: none.
 */
int question_option(const struct slices *options, struct slice typed);

/* The option with the most votes; -1: no votes, a tie, or not known. */
int question_most(const struct question_view *q);

/* @expected  an option; -1: none. */
enum question_outcome question_outcome(const struct question_view *q, int expected);

#endif
