/*
 * redis_listed.c - see redis_listed.h.
 */
#include "store/redis/redis_listed.h"

#include <sodium.h>
#include <string.h>

#define LISTED_HASH_BYTES 16

static size_t listed_slot(struct slice index, struct slice member,
			  unsigned char hash[LISTED_HASH_BYTES])
{
	crypto_generichash_state state;
	unsigned char len = (unsigned char)index.len;
	(void)crypto_generichash_init(&state, NULL, 0, LISTED_HASH_BYTES);
	(void)crypto_generichash_update(&state, &len, 1);
	(void)crypto_generichash_update(&state, (const unsigned char *)index.data, index.len);
	(void)crypto_generichash_update(&state, (const unsigned char *)member.data, member.len);
	(void)crypto_generichash_final(&state, hash, LISTED_HASH_BYTES);
	return ((size_t)hash[0] << 8 | hash[1]) % REDIS_LISTED_SLOTS;
}

void redis_listed_enter(struct redis_listed *l, const char history[REDIS_HISTORY_BYTES])
{
	if (memcmp(l->history, history, sizeof(l->history)) != 0) {
		memset(l, 0, sizeof(*l));
		memcpy(l->history, history, sizeof(l->history));
	}
}

bool redis_listed_has(const struct redis_listed *l, struct slice index, struct slice member,
		      int64_t now_ms)
{
	unsigned char hash[LISTED_HASH_BYTES];
	size_t i = listed_slot(index, member, hash);
	return l->slots[i].at_ms > 0 && now_ms - l->slots[i].at_ms < REDIS_LISTED_MS &&
	       memcmp(l->slots[i].hash, hash, sizeof(hash)) == 0;
}

void redis_listed_note(struct redis_listed *l, struct slice index, struct slice member,
		       int64_t at_ms)
{
	unsigned char hash[LISTED_HASH_BYTES];
	size_t i = listed_slot(index, member, hash);
	memcpy(l->slots[i].hash, hash, sizeof(hash));
	l->slots[i].at_ms = at_ms;
}
