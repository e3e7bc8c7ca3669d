/*
 * list_page.h - a page of a list under way: where it begins, how much of it a message takes, where the next one begins.
 */
#ifndef SERVER_DOMAIN_BASE_LIST_PAGE_H
#define SERVER_DOMAIN_BASE_LIST_PAGE_H

#include "proto/base/limits.h"
#include "server/domain/base/cursor.h"

/* Most bytes that the entries of a page may have; names and lengths of one entry. */
#define LIST_PAGE_BYTES	 (MAX_FRAME_BYTES - 4096)
#define LIST_ENTRY_BYTES 160

struct list_page {
	struct slice list;  /* as cursor.h has it */
	struct place after; /* the entry behind which it begins, then the last that it has come to */
	size_t limit, bytes;
	bool is_full; /* the message takes no more entries */
};

/*
 * @list    in t->arena, or as long.
 * @cursor  and the limit: of the request. Without a limit, MAX_TEAM_PAGE.
 * False with t->fault where the cursor is of another list.
 */
static inline bool list_begin(struct txn *t, struct list_page *page, struct slice list, struct slice cursor,
			      bool with_limit, int64_t limit)
{
	*page = (struct list_page){.list = list, .limit = with_limit ? (size_t)limit : MAX_TEAM_PAGE};
	return cursor_read(t, list, cursor, &page->after);
}

/* Room for that many entries, in t->arena; NULL with t->fault where memory is out. */
static inline void *list_entries(struct txn *t, size_t n, size_t entry_bytes)
{
	void *entries = arena_alloc(t->arena, (n + 1) * entry_bytes);
	if (entries == NULL) {
		(void)txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	return entries;
}

/* Whether an entry of so many bytes goes into the message; where not, the page ends before it. */
static inline bool list_takes(struct list_page *page, size_t bytes)
{
	page->bytes += bytes;
	page->is_full = page->bytes > LIST_PAGE_BYTES;
	return !page->is_full;
}

/* The cursor of the next page. @has_more  behind page->after, though the message would take more. Empty: it was the last. */
static inline struct slice list_end(struct txn *t, const struct list_page *page, bool has_more)
{
	return page->is_full || has_more ? cursor_write(t, page->list, &page->after) : (struct slice){0};
}

#endif
