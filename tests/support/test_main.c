/*
 * test_main.c - the main() of a test program that has none.
 */
#include "tests/support/test.h"

int main(void)
{
	return test_run(NULL, NULL);
}
