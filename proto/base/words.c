/*
 * words.c - the tables of words.h, and looking a word up in one.
 */
#include "proto/base/words.h"

#include "proto/base/assert.h"

WORD_ENUMS(WORDS_DEFINE)

const struct words *const word_enums[] = {
#define WORDS_POINTER(name, otherwise) &words_##name,
	WORD_ENUMS(WORDS_POINTER)
#undef WORDS_POINTER
		NULL,
};

const char *words_text(const struct words *words, int value)
{
	ASSERT_CMP(value, >=, 0);
	ASSERT_CMP(value, <, words->n);
	return words->list[value].data;
}

int words_find(const struct words *words, struct slice word)
{
	for (int i = 0; i < words->n; i++) {
		if (slice_eq(words->list[i], word)) {
			return i;
		}
	}
	return -1;
}
