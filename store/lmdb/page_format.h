/*
 * page_format.h - how LMDB lays out one page, and whether a page keeps to that.
 *
 * LMDB's data format 1 (0.9.x) on this machine: a head, 2-byte offsets growing up
 * from it, nodes growing down from the end. Nothing here reads files, follows a
 * page to another (pages_lmdb.h) or trusts a byte of what it is given.
 */
#ifndef STORE_LMDB_PAGE_FORMAT_H
#define STORE_LMDB_PAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"

#define PAGE_MAGIC	0xBEEFC0DEU
#define PAGE_FORMAT	1
#define PAGE_BYTES_MIN	256
#define PAGE_BYTES_MAX	65536
#define PAGE_FIRST	2 /* the two before it are the heads of the file */
#define PAGE_NO_ROOT	SIZE_MAX
#define PAGE_FREE_FLAGS 8 /* of the database of free pages: its keys are numbers */

enum { PAGE_BRANCH = 1, PAGE_LEAF = 2, PAGE_OVERFLOW = 4, PAGE_META = 8 };
enum { NODE_BIG = 1, NODE_DATABASE = 2 };

struct page_head {
	size_t pgno;
	uint16_t pad;
	uint16_t flags;
	union {
		struct {
			uint16_t lower;
			uint16_t upper;
		} free;
		uint32_t pages; /* of an overflow page, all together */
	} is;
};

/* A database, as the head of the file or a leaf of the list of databases describes it. */
struct page_db {
	uint32_t pad;
	uint16_t flags;
	uint16_t depth;
	size_t branches;
	size_t leaves;
	size_t overflows;
	size_t entries;
	size_t root;
};

/* The head of the file; behind a page_head, on each of the first two pages. */
struct page_meta {
	uint32_t magic;
	uint32_t format;
	size_t address;
	size_t map_bytes;
	struct page_db free;
	struct page_db main;
	size_t last_pgno;
	size_t txnid;
};

struct page_node {
	uint16_t flags;
	size_t child;
	size_t value_bytes;
	struct slice key;
	const char *value; /* on the page: the value, or the number of its first overflow page */
};

/* What has to be known to read a page. */
struct page_kind {
	size_t page_bytes;
	bool is_leaf;
	bool has_number_keys; /* of the database of free pages */
};

/* What is wrong with the page by itself; NULL: nothing. Static text that follows "page N of DATABASE: ". */
const char *page_problem(const struct page_kind *kind, size_t pgno, const char *page);

/* Of a page without a problem. */
size_t page_nodes(const char *page);
struct page_node page_node(const struct page_kind *kind, const char *page, size_t i);

/* The order of keys. */
int page_compare_keys(bool has_number_keys, struct slice a, struct slice b);

#endif
