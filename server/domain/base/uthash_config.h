/*
 * uthash_config.h - settings of uthash for the server: running out of memory is reported, not
 * fatal, and tables start small, because most rooms have a few seats and no stored results; they
 * grow when needed.
 */
#ifndef SERVER_DOMAIN_BASE_UTHASH_CONFIG_H
#define SERVER_DOMAIN_BASE_UTHASH_CONFIG_H

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#define HASH_INITIAL_NUM_BUCKETS      8U
#define HASH_INITIAL_NUM_BUCKETS_LOG2 3U

#endif
