/*
 * page_format.h - the layout of one page of LMDB, and checking it.
 *
 * LMDB's data format 1 (0.9.x) on this machine: a header, 2-byte offsets growing upwards after
 * it, nodes growing downwards from the end. Nothing here reads files, follows references between
 * pages (pages_lmdb.h) or trusts any byte of its input.
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
#define PAGE_FIRST	2 /* pages 0 and 1 are the meta pages of the file */
#define PAGE_NO_ROOT	SIZE_MAX
#define PAGE_FREE_FLAGS 8 /* of the database of free pages, whose keys are numbers */

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
		uint32_t pages; /* of an overflow page: the number of all its pages */
	} is;
};

/* A database, as described by a meta page or a leaf of the list of databases. */
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

/* A meta page, after the page_head; the first two pages are meta pages. */
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
	/* pointer into the page: the value, or the number of its first overflow page */
	const char *value;
};

/* What must be known to read a page. */
struct page_kind {
	size_t page_bytes;
	bool is_leaf;
	bool has_number_keys; /* of the database of free pages */
};

/*
 * Return the problem of a page by itself; NULL: none. Static text that follows "page N of
 * DATABASE: ".
 */
const char *page_problem(const struct page_kind *kind, size_t pgno, const char *page);

/* The number of nodes, and one of them, of a page without a problem. */
size_t page_nodes(const char *page);
struct page_node page_node(const struct page_kind *kind, const char *page, size_t i);

/* Compare keys in LMDB's order. */
int page_compare_keys(bool has_number_keys, struct slice a, struct slice b);

#endif
