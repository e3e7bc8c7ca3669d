/*
 * user_rate.h - how often users do things: token buckets by user and, of guests, by address.
 *
 * They live in memory, at most USER_RATES of them: one that has drained is
 * forgotten, and where there are too many the one that is known longest.
 */
#ifndef SERVER_CORE_USER_RATE_H
#define SERVER_CORE_USER_RATE_H

#include "server/core/rate_limit.h"

#define USER_RATE_WHO_BYTES 96

/* Whose, and of what: zeroed, then filled. */
struct user_rate_key {
	enum limit limit;
	char who[USER_RATE_WHO_BYTES];
};

struct user_rate {
	struct user_rate_key key;
	struct bucket bucket;
	UT_hash_handle hh;
};

/*
 * Take one of what `who` may do in the limit's period; 0, or how many ms to wait.
 * @who  at most USER_RATE_WHO_BYTES; longer ones are cut.
 * ERR_NOMEM.
 */
NODISCARD enum err user_rate_take(struct server *s, enum limit limit, struct slice who, int64_t *wait_ms);
/* Those that have drained. */
void user_rates_forget_quiet(struct server *s);
void user_rates_forget_all(struct server *s);

#endif
