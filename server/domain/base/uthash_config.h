/*
 * uthash_config.h - uthash as this module uses it: running out of memory is reported, not
 * fatal, and tables begin small, for most rooms have a few seats and no
 * remembered calls; they grow by themselves.
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
