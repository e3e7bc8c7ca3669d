/*
 * pages_lmdb.c - see pages_lmdb.h.
 *
 * The free list comes first, so that a page in use that is also free is known
 * when the walk comes to it; then the list of databases; then each of those.
 */
#include "store/lmdb/pages_lmdb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "store/base/check.h"
#include "store/lmdb/env_format_lmdb.h"
#include "store/lmdb/page_format.h"

#define PAGES_DEPTH_MAX	  32
#define PAGES_AT_PROGRESS 4096 /* pages from one call of on_progress to the next */

/* Which keys a page may have; no bytes at all: unbounded. */
struct bounds {
	struct slice from;
	struct slice to;
};

enum tree { TREE_FREE, TREE_MAIN, TREE_OURS };

/*
 * Branches that were found sound, by the low bits of their number: while their snapshot is held
 * nobody writes there, and the ways to many items begin with the same ones.
 */
#define PAGES_KEPT 32
struct kept_page {
	size_t pgno; /* 0, which is a head: none */
	char *page;
};

struct walker {
	const struct pages_walk *walk;
	struct pages_report *report;
	size_t page_bytes;
	size_t file_pages;
	struct page_meta meta;
	size_t walked;		       /* pages */
	struct slice from;	       /* the least key that is meant */
	size_t at_most;		       /* entries from there; 0: everything */
	size_t taken;		       /* of them */
	unsigned char *seen;	       /* a bit for each page that is free or in use */
	char *levels[PAGES_DEPTH_MAX]; /* the page at each depth */
	struct kept_page *kept;	       /* PAGES_KEPT of them; NULL: none is kept */
	char *value;		       /* that lay on overflow pages */
	size_t value_capacity;
	enum tree tree;
	unsigned db; /* of TREE_OURS */
	struct page_db counted;
	struct page_db found[KV_COUNT];
	bool is_found[KV_COUNT];
	bool is_misnamed; /* one of the databases, by an alteration of the list */
	bool is_torn;	  /* some of this tree cannot be read */
	enum err e;	  /* that ends the walk */
};

/* ---- what is wrong ---- */

static const char *pages_tree_name(const struct walker *w)
{
	return w->tree == TREE_FREE   ? "free pages"
	       : w->tree == TREE_MAIN ? "databases"
				      : env_db_name(w->db);
}

static bool is_of_items(const struct walker *w)
{
	return w->tree == TREE_OURS && w->db == KV_ITEMS;
}

static void pages_report_line(struct walker *w, struct slice line)
{
	w->report->problems++;
	if (w->walk->on_problem != NULL) {
		w->walk->on_problem(w->walk->arg, line);
	}
}

static void pages_report_page(struct walker *w, size_t pgno, const struct bounds *b,
			      const char *what)
{
	char line[256], from[48], to[48];
	size_t len =
		format_to(line, sizeof(line), "page %zu of %s: %s", pgno, pages_tree_name(w), what);
	if (is_of_items(w)) {
		check_show_pk(from, sizeof(from), b->from);
		check_show_pk(to, sizeof(to), b->to);
		len += format_to(line + len, sizeof(line) - len, "; lost: %s%s%s%s",
				 from[0] == '\0' ? "everything" : "from ", from,
				 to[0] == '\0' ? " to the end" : " to ", to);
	}
	pages_report_line(w, slice_of(line, len));
}

/* Items between these keys are lost, where the tree is that of the items. */
static void pages_lose(struct walker *w, struct slice from, struct slice to, bool with_to)
{
	w->is_torn = true;
	if (is_of_items(w) && w->e == OK) {
		w->e = lost_ranges_add(&w->report->lost, from, to, with_to);
	}
}

/* What hangs on this page is lost: between these bounds. */
static void pages_damaged(struct walker *w, size_t pgno, const struct bounds *b, const char *what)
{
	pages_report_page(w, pgno, b, what);
	pages_lose(w, b->from, b->to, false);
}

/* ---- pages ---- */

static bool pages_read(struct walker *w, size_t pgno, size_t skip, char *out, size_t len)
{
	while (len > 0) {
		ssize_t n = pread(w->walk->fd, out, len, (off_t)(pgno * w->page_bytes + skip));
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return false;
		}
		out += n;
		skip += (size_t)n;
		len -= (size_t)n;
	}
	return true;
}

static bool pages_seen(const struct walker *w, size_t pgno)
{
	return w->seen != NULL && ((unsigned)w->seen[pgno / 8] >> (pgno % 8) & 1U) != 0;
}

static void pages_see(struct walker *w, size_t pgno)
{
	if (w->seen != NULL) {
		w->seen[pgno / 8] = (unsigned char)(w->seen[pgno / 8] | 1U << (pgno % 8));
	}
	if (w->walk->on_progress != NULL && ++w->walked % PAGES_AT_PROGRESS == 0) {
		w->walk->on_progress(w->walk->arg, w->walked, w->meta.last_pgno);
	}
}

static bool pages_are_there(const struct walker *w, size_t pgno, size_t n)
{
	return pgno >= PAGE_FIRST && pgno <= w->meta.last_pgno &&
	       n <= w->meta.last_pgno - pgno + 1 && pgno + n <= w->file_pages;
}

static struct page_kind page_kind_of(const struct walker *w, bool is_leaf)
{
	return (struct page_kind){w->page_bytes, is_leaf, w->tree == TREE_FREE};
}

static int pages_compare(const struct walker *w, struct slice a, struct slice b)
{
	return page_compare_keys(w->tree == TREE_FREE, a, b);
}

/* Whether the keys lie between those of the parent. Where not, either may be wrong: lost is all of both. */
static bool page_fits(struct walker *w, size_t pgno, const char *page, bool is_leaf,
		      const struct bounds *b)
{
	struct page_kind kind = page_kind_of(w, is_leaf);
	size_t n = page_nodes(page);
	if (!is_leaf && n == 1) {
		return true; /* one child, and the bounds are its own; only the free pages' tree may have that */
	}
	struct page_node first = page_node(&kind, page, is_leaf ? 0 : 1);
	struct page_node last = page_node(&kind, page, n - 1);
	bool is_low = b->from.len > 0 && pages_compare(w, first.key, b->from) < 0;
	bool is_high = b->to.len > 0 && pages_compare(w, last.key, b->to) >= 0;
	if (!is_low && !is_high) {
		return true;
	}
	pages_damaged(w, pgno, b, "its keys are not as expected");
	pages_lose(w, first.key, last.key, true);
	return false;
}

static bool page_recall(const struct walker *w, size_t pgno, char *page)
{
	if (w->kept == NULL || w->kept[pgno % PAGES_KEPT].pgno != pgno) {
		return false;
	}
	memcpy(page, w->kept[pgno % PAGES_KEPT].page, w->page_bytes);
	return true;
}

/* Without memory for it, it is read again the next time. */
static void page_keep(struct walker *w, size_t pgno, const char *page)
{
	if (w->kept == NULL) {
		return;
	}
	struct kept_page *k = &w->kept[pgno % PAGES_KEPT];
	if (k->page == NULL && (k->page = malloc(w->page_bytes)) == NULL) {
		return;
	}
	memcpy(k->page, page, w->page_bytes);
	k->pgno = pgno;
}

/* Read the page of this depth and check it; NULL where what hangs on it is lost. */
static const char *page_open(struct walker *w, size_t pgno, unsigned depth, bool is_leaf,
			     const struct bounds *b)
{
	if (depth >= PAGES_DEPTH_MAX || !pages_are_there(w, pgno, 1)) {
		pages_damaged(w, pgno, b, "lies outside the file");
		return NULL;
	}
	if (w->levels[depth] == NULL && (w->levels[depth] = malloc(w->page_bytes)) == NULL) {
		w->e = ERR_NOMEM;
		return NULL;
	}
	char *page = w->levels[depth];
	bool is_kept = !is_leaf && page_recall(w, pgno, page);
	if (!is_kept && !pages_read(w, pgno, 0, page, w->page_bytes)) {
		pages_damaged(w, pgno, b, "cannot be read");
		return NULL;
	}
	struct page_kind kind = page_kind_of(w, is_leaf);
	const char *problem = is_kept ? NULL : page_problem(&kind, pgno, page);
	if (problem == NULL && pages_seen(w, pgno)) {
		problem = "is in use twice, or free";
	}
	if (problem != NULL) {
		pages_damaged(w, pgno, b, problem);
		return NULL;
	}
	if (!page_fits(w, pgno, page, is_leaf, b)) {
		return NULL;
	}
	pages_see(w, pgno);
	if (!is_leaf && !is_kept) {
		page_keep(w, pgno, page);
	}
	return page;
}

/* ---- values ---- */

/* The value's own pages; the value is read only where it is needed. False where it is lost. */
static bool value_take(struct walker *w, const struct page_node *node, bool is_needed)
{
	struct page_head head;
	size_t n = (sizeof(head) + node->value_bytes + w->page_bytes - 1) / w->page_bytes, first;
	memcpy(&first, node->value, sizeof(first));
	if (!pages_are_there(w, first, n) ||
	    !pages_read(w, first, 0, (char *)&head, sizeof(head)) || head.pgno != first ||
	    head.flags != PAGE_OVERFLOW || head.is.pages != n) {
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		if (pages_seen(w, first + i)) {
			return false;
		}
	}
	for (size_t i = 0; i < n; i++) {
		pages_see(w, first + i);
	}
	w->counted.overflows += n;
	if (!is_needed) {
		return true;
	}
	if (node->value_bytes > w->value_capacity) {
		char *more = realloc(w->value, node->value_bytes);
		if (more == NULL) {
			w->e = ERR_NOMEM;
			return false;
		}
		w->value = more;
		w->value_capacity = node->value_bytes;
	}
	return pages_read(w, first, sizeof(head), w->value, node->value_bytes);
}

static void free_take(struct walker *w, size_t pgno, const struct bounds *b, struct slice value)
{
	size_t n = 0, before = SIZE_MAX;
	bool is_sound = value.len >= sizeof(n) && value.len % sizeof(n) == 0;
	if (is_sound) {
		memcpy(&n, value.data, sizeof(n));
		is_sound = n < value.len / sizeof(n);
	}
	for (size_t i = 1; i <= n && is_sound; i++) {
		size_t page;
		memcpy(&page, value.data + i * sizeof(page), sizeof(page));
		is_sound = page >= PAGE_FIRST && page <= w->meta.last_pgno && page < before &&
			   !pages_seen(w, page);
		before = page;
	}
	if (!is_sound) {
		pages_damaged(w, pgno, b, "lists pages that cannot be free");
		return;
	}
	for (size_t i = 1; i <= n; i++) {
		size_t page;
		memcpy(&page, value.data + i * sizeof(page), sizeof(page));
		pages_see(w, page);
	}
}

static void main_take(struct walker *w, size_t pgno, const struct bounds *b,
		      const struct page_node *node)
{
	if ((node->flags & NODE_DATABASE) == 0 || node->value_bytes != sizeof(struct page_db)) {
		pages_damaged(w, pgno, b, "names something that is not a database");
		return;
	}
	for (unsigned db = 0; db < KV_COUNT; db++) {
		if (slice_eq(node->key, slice_str(env_db_name(db)))) {
			memcpy(&w->found[db], node->value, sizeof(w->found[db]));
			w->is_found[db] = true;
			return;
		}
	}
	/* One of ours is missing then, and would be made anew, without what it had. */
	pages_report_page(w, pgno, b, "names a database that is not one of ours");
	w->is_misnamed = true;
}

static void leaf_entry(struct walker *w, size_t pgno, const struct bounds *b,
		       const struct page_node *node)
{
	bool wants_value = w->tree == TREE_FREE || w->walk->on_entry != NULL;
	struct slice value = slice_of(node->value, node->value_bytes);
	w->counted.entries++;
	if ((node->flags & NODE_BIG) != 0) {
		struct bounds alone = {node->key, node->key};
		if (!value_take(w, node, wants_value)) {
			pages_report_page(w, pgno, &alone, "a long value is damaged");
			pages_lose(w, node->key, node->key, true);
			return;
		}
		value = slice_of(w->value, node->value_bytes);
	}
	if (w->tree == TREE_FREE) {
		free_take(w, pgno, b, value);
	} else if (w->tree == TREE_MAIN) {
		main_take(w, pgno, b, node);
	} else if (w->walk->on_entry != NULL && w->e == OK) {
		w->e = w->walk->on_entry(w->walk->arg, w->db, node->key, value);
	}
}

/* ---- trees ---- */

static bool has_enough(const struct walker *w)
{
	return w->at_most > 0 && w->taken >= w->at_most;
}

/* The node with which a cursor begins that seeks the first key; n where that is on the next leaf. */
static size_t node_begin(const struct walker *w, const char *page, bool is_leaf)
{
	struct page_kind kind = page_kind_of(w, is_leaf);
	if (w->at_most == 0) {
		return 0;
	}
	/* How many lie before it; the first child has no key, and is where the others are not. */
	size_t low = is_leaf ? 0 : 1, high = page_nodes(page);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = pages_compare(w, page_node(&kind, page, middle).key, w->from);
		if (order < 0 || (order == 0 && !is_leaf)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return is_leaf ? low : low - 1;
}

static void leaf_walk(struct walker *w, size_t pgno, const char *page, const struct bounds *b)
{
	uint16_t allowed = w->tree == TREE_MAIN ? NODE_DATABASE : NODE_BIG;
	struct page_kind kind = page_kind_of(w, true);
	w->counted.leaves++;
	size_t n = page_nodes(page);
	for (size_t i = node_begin(w, page, true); i < n && w->e == OK && !has_enough(w); i++) {
		struct page_node node = page_node(&kind, page, i);
		w->taken++;
		if ((node.flags & ~allowed) != 0) {
			struct bounds alone = {node.key, node.key};
			pages_report_page(w, pgno, &alone, "a node is of no known kind");
			pages_lose(w, node.key, node.key, true);
			continue;
		}
		leaf_entry(w, pgno, b, &node);
	}
}

/* As deep as the tree says it is: at most PAGES_DEPTH_MAX. */
static void tree_walk(struct walker *w, size_t pgno, unsigned depth, const struct bounds *b)
{
	bool is_leaf = depth + 1U == w->counted.depth;
	const char *page = page_open(w, pgno, depth, is_leaf, b);
	if (page == NULL) {
		return;
	}
	if (is_leaf) {
		leaf_walk(w, pgno, page, b);
		return;
	}
	struct page_kind kind = page_kind_of(w, false);
	w->counted.branches++;
	size_t n = page_nodes(page);
	for (size_t i = node_begin(w, page, false); i < n && w->e == OK && !has_enough(w); i++) {
		struct page_node node = page_node(&kind, page, i);
		struct bounds child = {i == 0 ? b->from : node.key,
				       i + 1 == n ? b->to : page_node(&kind, page, i + 1).key};
		tree_walk(w, node.child, depth + 1, &child);
	}
}

static void tree_check(struct walker *w, enum tree tree, unsigned db, const struct page_db *says)
{
	static const struct bounds everything;
	if (w->e != OK) {
		return;
	}
	w->tree = tree;
	w->db = db;
	w->is_torn = false;
	w->counted = (struct page_db){.depth = says->depth};
	if (tree == TREE_OURS && says->flags != 0) {
		pages_damaged(w, says->root, &everything, "is of an unexpected kind");
	} else if (says->root == PAGE_NO_ROOT) {
		if (says->depth != 0 || says->entries != 0) {
			pages_damaged(w, says->root, &everything, "is missing");
		}
	} else if (says->depth == 0 || says->depth > PAGES_DEPTH_MAX) {
		pages_damaged(w, says->root, &everything, "is at an impossible depth");
	} else {
		tree_walk(w, says->root, 0, &everything);
	}
	const struct page_db *has = &w->counted;
	if (!w->is_torn && w->at_most == 0 &&
	    (says->entries != has->entries || says->leaves != has->leaves ||
	     says->branches != has->branches || says->overflows != has->overflows)) {
		char line[160];
		size_t len = format_to(line, sizeof(line), "database %s: %zu entries, expected %zu",
				       pages_tree_name(w), has->entries, says->entries);
		pages_report_line(w, slice_of(line, len));
	}
}

/* ---- the head ---- */

static bool head_read(struct walker *w, size_t pgno, struct page_meta *out)
{
	struct page_head head;
	return pages_read(w, pgno, 0, (char *)&head, sizeof(head)) &&
	       pages_read(w, pgno, sizeof(head), (char *)out, sizeof(*out)) && head.pgno == pgno &&
	       (head.flags & PAGE_META) != 0 && out->magic == PAGE_MAGIC &&
	       out->format == PAGE_FORMAT && out->free.pad == w->page_bytes &&
	       out->free.flags == PAGE_FREE_FLAGS && out->main.flags == 0;
}

static enum err walk_begin(struct walker *w)
{
	struct page_meta heads[2];
	struct stat st;
	uint32_t page_bytes;
	/* The size of a page is where the first head says it, whatever it is. */
	if (pread(w->walk->fd, &page_bytes, sizeof(page_bytes),
		  (off_t)(sizeof(struct page_head) + offsetof(struct page_meta, free))) !=
		    sizeof(page_bytes) ||
	    page_bytes < PAGE_BYTES_MIN || page_bytes > PAGE_BYTES_MAX ||
	    (page_bytes & (page_bytes - 1)) != 0) {
		return ERR_CORRUPT;
	}
	w->page_bytes = page_bytes;
	if (!head_read(w, 0, &heads[0]) || !head_read(w, 1, &heads[1])) {
		return ERR_CORRUPT;
	}
	size_t newest = heads[1].txnid > heads[0].txnid ? 1 : 0;
	size_t new_id = heads[newest].txnid, old_id = heads[1 - newest].txnid;
	if (w->walk->is_snapshot) {
		newest = heads[1].txnid == w->walk->txnid ? 1 : 0;
		if (heads[newest].txnid != w->walk->txnid) {
			return ERR_BUSY;
		}
	} else if ((new_id != 0 || old_id != 0) && (new_id != old_id + 1 || new_id % 2 != newest)) {
		return ERR_CORRUPT; /* transactions write the two heads in turn */
	}
	w->meta = heads[newest];
	if (fstat(w->walk->fd, &st) != 0) {
		return ERR_IO;
	}
	w->file_pages = (size_t)st.st_size / w->page_bytes;
	if (w->meta.last_pgno < 1 || w->meta.last_pgno >= SIZE_MAX / w->page_bytes / 2 ||
	    w->meta.last_pgno * w->page_bytes > w->meta.map_bytes) {
		return ERR_CORRUPT;
	}
	return OK;
}

static enum err walk_trees(struct walker *w)
{
	w->seen = calloc(w->meta.last_pgno / 8 + 1, 1);
	if (w->seen == NULL) {
		return ERR_NOMEM;
	}
	tree_check(w, TREE_FREE, 0, &w->meta.free);
	tree_check(w, TREE_MAIN, 0, &w->meta.main);
	if (w->e == OK && (w->is_torn || !w->is_found[KV_META] || !w->is_found[KV_ITEMS])) {
		return w->meta.main.entries == 0 ? OK : ERR_CORRUPT;
	}
	for (unsigned db = 0; db < KV_COUNT; db++) {
		if (w->is_found[db] && (db == KV_META || !w->walk->is_brief)) {
			tree_check(w, TREE_OURS, db, &w->found[db]);
			w->report->is_damaged[db] = w->is_torn;
		} else if (!w->is_found[db]) {
			w->report->is_damaged[db] = w->is_misnamed;
		}
	}
	return w->e != OK ? w->e : w->report->is_damaged[KV_META] ? ERR_CORRUPT : OK;
}

static void walk_finish(struct walker *w)
{
	for (size_t i = 0; i < PAGES_DEPTH_MAX; i++) {
		free(w->levels[i]);
	}
	free(w->value);
	free(w->seen);
}

enum err pages_walk(const struct pages_walk *walk, struct pages_report *report)
{
	struct walker w = {.walk = walk, .report = report, .e = OK};
	enum err e = walk_begin(&w);
	if (e == OK) {
		report->is_short = w.file_pages <= w.meta.last_pgno;
		if (walk->on_progress != NULL) {
			walk->on_progress(walk->arg, 0, w.meta.last_pgno);
		}
		e = walk_trees(&w);
		enum err merged = lost_ranges_merge(&report->lost);
		e = e == OK ? merged : e;
	}
	walk_finish(&w);
	return e;
}

/* ---- what a snapshot's readers come to ---- */

struct pages_checker {
	struct pages_walk walk;
	struct pages_report report;
	struct walker w;
	struct kept_page kept[PAGES_KEPT];
};

struct pages_checker *pages_checker_create(int fd)
{
	struct pages_checker *c = malloc(sizeof(*c));
	if (c != NULL) {
		*c = (struct pages_checker){.walk = {.fd = fd, .is_snapshot = true}};
		c->w = (struct walker){.walk = &c->walk, .report = &c->report, .kept = c->kept};
	}
	return c;
}

void pages_checker_destroy(struct pages_checker *c)
{
	if (c == NULL) {
		return;
	}
	for (size_t i = 0; i < PAGES_KEPT; i++) {
		free(c->kept[i].page);
	}
	walk_finish(&c->w);
	free(c);
}

/* What has become of the trees since the last time; what it says of lost items is not needed. */
static enum err checker_end(struct pages_checker *c)
{
	enum err e = c->w.e == OK && c->report.problems > 0 ? ERR_CORRUPT : c->w.e;
	lost_ranges_finish(&c->report.lost);
	c->report = (struct pages_report){.problems = 0};
	c->w.e = OK;
	c->w.at_most = 0;
	return e;
}

enum err pages_checker_begin(struct pages_checker *c, uint64_t txnid)
{
	struct walker *w = &c->w;
	for (size_t i = 0; i < PAGES_KEPT; i++) {
		c->kept[i].pgno = 0;
	}
	memset(w->is_found, 0, sizeof(w->is_found));
	c->walk.txnid = txnid;
	enum err e = walk_begin(w);
	if (e != OK) {
		return e;
	}
	tree_check(w, TREE_MAIN, 0, &w->meta.main);
	if (w->is_found[KV_META] && c->report.problems == 0) {
		tree_check(w, TREE_OURS, KV_META, &w->found[KV_META]);
	}
	return checker_end(c);
}

void pages_checker_report(struct pages_checker *c, pages_problem_cb *on_problem, void *arg)
{
	c->walk.on_problem = on_problem;
	c->walk.arg = arg;
}

enum err pages_check(struct pages_checker *c, unsigned db, struct slice from, size_t n)
{
	struct walker *w = &c->w;
	if (w->is_found[db]) {
		w->from = from;
		w->at_most = n;
		w->taken = 0;
		tree_check(w, TREE_OURS, db, &w->found[db]);
	}
	return checker_end(c);
}
