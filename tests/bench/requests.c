/*
 * requests.c - see requests.h.
 */
#include "tests/bench/requests.h"

#include <string.h>

#include "proto/base/format.h"
#include "tests/bench/machine.h"

#define PARAMS_BYTES 512

void requests_text(const char *answer, const char *field, char *out, size_t cap)
{
	char begin[64];
	size_t len = format_to(begin, sizeof(begin), "\"%s\":\"", field);
	const char *at = strstr(answer, begin);
	format_to(out, cap, "%.*s", at == NULL ? 0 : (int)strcspn(at + len, "\""),
		  at == NULL ? "" : at + len);
}

const char *requests_page(struct net_peer *who, const char *method, const char *params,
			  char cursor[REQUESTS_CURSOR_BYTES])
{
	char text[PARAMS_BYTES];
	if (cursor[0] == '\0') {
		format_to(text, sizeof(text), "{%s}", params);
	} else {
		format_to(text, sizeof(text), "{%s%s\"cursor\":\"%s\"}", params,
			  params[0] == '\0' ? "" : ",", cursor);
	}
	const char *answer = net_must(who, method, text);
	requests_text(answer, "cursor", cursor, REQUESTS_CURSOR_BYTES);
	return answer;
}

double requests_cpu_us(pid_t server, size_t n, void (*request)(void *arg, size_t i), void *arg)
{
	uint64_t before = machine_cpu_ns(server);
	for (size_t i = 0; i < n; i++) {
		request(arg, i);
	}
	return (double)(machine_cpu_ns(server) - before) / (double)n / 1e3;
}
