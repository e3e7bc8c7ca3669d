/*
 * list_page.h - pages of lists: where a page begins, how much fits into a message, and the cursor
 * of the next one.
 *
 * A cursor is accepted only for the list and the user it was made for, and clients learn nothing
 * from it: the entry at the end of a page may be one that they may not see.
 */
#ifndef SERVER_DOMAIN_BASE_LIST_PAGE_H
#define SERVER_DOMAIN_BASE_LIST_PAGE_H

#include "proto/base/limits.h"
#include "server/domain/txn.h"

/* ---- cursors ---- */

#define CURSOR_ID_BYTES_MAX 23

/*
 * The last entry of a page: its sort attribute and its id; empty id: before the first entry. An
 * id has at most CURSOR_ID_BYTES_MAX bytes (asserted).
 */
struct place {
	int64_t at;
	struct slice id;
};

/*
 * Return the cursor of the page after `place`, in t->arena.
 *
 * @list  identifies the list, with all parameters of the request that define it.
 */
struct slice cursor_write(struct txn *t, struct slice list, const struct place *place);

/*
 * Set *place from the cursor of a request, in t->arena; for an empty cursor, before the first
 * entry. Returns false with t->fault if the cursor was not made for this list and user.
 */
bool cursor_read(struct txn *t, struct slice list, struct slice cursor, struct place *place);

/*
 * Return the SK of an item of this kind after which a page continues, in t->arena; empty if the
 * rest of it is: from the beginning.
 */
struct slice place_sk(struct txn *t, enum item_kind kind, struct slice after);

/*
 * Combine two public ids, or only the first if the second is empty, into the id of a place:
 * without their prefixes, which would not fit.
 */
struct slice place_pair(struct txn *t, struct slice first, struct slice second);

/*
 * Return the nth of the two ids, 0 or 1, with its prefix of two bytes; empty if the place has
 * none.
 */
struct slice place_of_pair(struct txn *t, const struct place *place, const char *prefix, size_t nth);

/* ---- pages ---- */

/* The most bytes of the entries of a page, and the bytes of names and lengths of one entry. */
#define LIST_PAGE_BYTES	 (MAX_FRAME_BYTES - 4096)
#define LIST_ENTRY_BYTES 160

struct list_page {
	struct slice list;  /* the list, as in cursor_write() */
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
