/*
 * list_page.h - building one page of a list: where it begins, how much fits into a message, where
 * the next one begins.
 */
#ifndef SERVER_DOMAIN_BASE_LIST_PAGE_H
#define SERVER_DOMAIN_BASE_LIST_PAGE_H

#include "proto/base/limits.h"
#include "server/domain/base/cursor.h"

/* The most bytes of the entries of a page, and the bytes of names and lengths of one entry. */
#define LIST_PAGE_BYTES	 (MAX_FRAME_BYTES - 4096)
#define LIST_ENTRY_BYTES 160

struct list_page {
	struct slice list;  /* the list, as in cursor.h */
	/* first the entry after which the page begins, then the last entry processed */
	struct place after;
	size_t limit, bytes;
	bool is_full; /* the message is full */
};

/*
 * Start a page.
 *
 * @list    in t->arena, or valid as long.
 * @cursor  and the limit: of the request. Without a limit, MAX_TEAM_PAGE.
 *
 * Returns false with t->fault if the cursor is of another list.
 */
static inline bool list_begin(struct txn *t, struct list_page *page, struct slice list, struct slice cursor,
			      bool with_limit, int64_t limit)
{
	*page = (struct list_page){.list = list, .limit = with_limit ? (size_t)limit : MAX_TEAM_PAGE};
	return cursor_read(t, list, cursor, &page->after);
}

/* Allocate n entries in t->arena; NULL with t->fault if memory is out. */
static inline void *list_entries(struct txn *t, size_t n, size_t entry_bytes)
{
	void *entries = arena_alloc(t->arena, (n + 1) * entry_bytes);
	if (entries == NULL) {
		(void)txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	return entries;
}

/*
 * Return whether an entry of so many bytes fits into the message; if not, the page ends before
 * it.
 */
static inline bool list_takes(struct list_page *page, size_t bytes)
{
	page->bytes += bytes;
	page->is_full = page->bytes > LIST_PAGE_BYTES;
	return !page->is_full;
}

/*
 * Return the cursor of the next page; empty: this was the last. @has_more: there are entries
 * after page->after, though the message is not full.
 */
static inline struct slice list_end(struct txn *t, const struct list_page *page, bool has_more)
{
	return page->is_full || has_more ? cursor_write(t, page->list, &page->after) : (struct slice){0};
}

#endif
