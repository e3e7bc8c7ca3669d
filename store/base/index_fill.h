/*
 * index_fill.h - fill the indexes that data do not have yet: a program that knows a new index opens data of before.
 */
#ifndef STORE_INDEX_FILL_H
#define STORE_INDEX_FILL_H

#include "store/base/kv.h"

/*
 * Put the entries of all items into these databases, which are there and empty. Reads every item once. Items that are
 * damaged are not listed, as after a repair.
 *
 * @databases  bits of databases of indexes, as kv->absent.
 *
 * ERR_NOMEM, or an error of the engine.
 */
NODISCARD enum err index_fill(struct kv *kv, uint32_t databases);

#endif
