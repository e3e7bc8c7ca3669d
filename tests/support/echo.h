/*
 * echo.h - a program for a terminal of terminal.h: it paints what it gets.
 *
 * Its rows: 0 "size 80x24", 1 the number of events and the last one in words
 * ("3 key 61", "4 elsewhere", a paste in hexadecimal), 2 wide and doubtful
 * text with an X in column 30. Keys that are not only shown are in echo.c.
 *
 * Ends with 0 after a q, 4 where the terminal shows no screens.
 */
#ifndef TESTS_SUPPORT_ECHO_H
#define TESTS_SUPPORT_ECHO_H

#include <stdbool.h>

/* A face that the width tables of the world disagree about. */
#define ECHO_DOUBTFUL "\xf0\x9f\xab\xa0"

struct echo_start {
	const char *term; /* the terminal's type */
	bool is_loud;	  /* its stderr is its terminal */
	int flooded;	  /* gets a byte when all frames of a flood have been made; -1: none does */
};

/* arg: a struct echo_start. */
int echo_run(void *arg);

#endif
