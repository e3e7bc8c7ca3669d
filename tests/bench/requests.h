/*
 * requests.h - requests that a run makes one after the other, and what each costs the server.
 *
 * What is measured is the server's CPU, which neither other programs nor the disk's
 * mood change.
 */
#ifndef TESTS_BENCH_REQUESTS_H
#define TESTS_BENCH_REQUESTS_H

#include <sys/types.h>

#include "tests/support/net_kit.h"

#define REQUESTS_CURSOR_BYTES 160

/* The text of that field in an answer; "" where there is none. */
void requests_text(const char *answer, const char *field, char *out, size_t cap);

/*
 * A page of a list, as JSON: the one behind the last, or the first.
 *
 * @params  more of them, as JSON without the braces; "": none
 * @cursor  of the page that was read last, "" where that was none or the last; and of this one
 */
const char *requests_page(struct net_peer *who, const char *method, const char *params,
			  char cursor[REQUESTS_CURSOR_BYTES]);

/* Make n requests; microseconds of the server's CPU for each. @request  makes the i-th. */
double requests_cpu_us(pid_t server, size_t n, void (*request)(void *arg, size_t i), void *arg);

#endif
