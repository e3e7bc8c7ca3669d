/*
 * page_format.c - see page_format.h.
 */
#include "store/lmdb/page_format.h"

#include <string.h>

#include "proto/base/assert.h"
#include "store/key.h"

struct node_head {
	uint16_t low; /* of the data's size, or of the child's number */
	uint16_t high;
	uint16_t flags; /* a child's number continues in them */
	uint16_t key_bytes;
};

_Static_assert(sizeof(struct page_head) == 2 * sizeof(size_t), "as LMDB has it");
_Static_assert(sizeof(struct page_db) == 8 + 5 * sizeof(size_t), "as LMDB has it");
_Static_assert(sizeof(struct node_head) == 8, "as LMDB has it");

size_t page_nodes(const char *page)
{
	struct page_head head;
	memcpy(&head, page, sizeof(head));
	return (head.is.free.lower - sizeof(head)) / sizeof(uint16_t);
}

/* False where the node lies outside of the page's nodes, or ends outside of the page. */
static bool page_node_read(const struct page_kind *kind, const char *page, size_t i,
			   struct page_node *out, size_t *bytes)
{
	struct page_head head;
	struct node_head node;
	uint16_t at;
	memcpy(&head, page, sizeof(head));
	memcpy(&at, page + sizeof(head) + i * sizeof(at), sizeof(at));
	if (at < head.is.free.upper || at % 2 != 0 || at + sizeof(node) > kind->page_bytes) {
		return false;
	}
	memcpy(&node, page + at, sizeof(node));
	*out = (struct page_node){.flags = kind->is_leaf ? node.flags : 0,
				  .value_bytes = (size_t)node.high << 16 | node.low,
				  .key = slice_of(page + at + sizeof(node), node.key_bytes),
				  .value = page + at + sizeof(node) + node.key_bytes};
	out->child = out->value_bytes;
#if SIZE_MAX > UINT32_MAX
	out->child |= (size_t)node.flags << 32;
#endif
	size_t here = !kind->is_leaf		     ? 0
		      : (node.flags & NODE_BIG) != 0 ? sizeof(size_t)
						     : out->value_bytes;
	*bytes = sizeof(node) + node.key_bytes + here;
	if (*bytes > kind->page_bytes - at) {
		return false;
	}
	*bytes += *bytes % 2;
	return true;
}

struct page_node page_node(const struct page_kind *kind, const char *page, size_t i)
{
	struct page_node node = {.flags = 0};
	size_t bytes;
	bool is_sound = page_node_read(kind, page, i, &node, &bytes);
	ASSERT(is_sound);
	return node;
}

int page_compare_keys(bool has_number_keys, struct slice a, struct slice b)
{
	if (!has_number_keys) {
		return slice_cmp(a, b);
	}
	size_t x, y;
	memcpy(&x, a.data, sizeof(x));
	memcpy(&y, b.data, sizeof(y));
	return x < y ? -1 : x > y;
}

static bool page_key_is_possible(const struct page_kind *kind, struct slice key)
{
	return kind->has_number_keys ? key.len == sizeof(size_t)
				     : key.len > 0 && key.len <= KEY_BYTES_MAX;
}

const char *page_problem(const struct page_kind *kind, size_t pgno, const char *page)
{
	struct page_head head;
	struct slice before = {NULL, 0};
	size_t bytes = 0;
	memcpy(&head, page, sizeof(head));
	if (head.pgno != pgno) {
		return "is missing, or another page is in its place";
	}
	if (head.flags != (kind->is_leaf ? PAGE_LEAF : PAGE_BRANCH)) {
		return "is of another kind";
	}
	if (head.is.free.lower < sizeof(head) || head.is.free.lower % 2 != 0 ||
	    head.is.free.lower > head.is.free.upper || head.is.free.upper > kind->page_bytes ||
	    page_nodes(page) < (kind->is_leaf || kind->has_number_keys ? 1 : 2)) {
		return "its head is damaged";
	}
	for (size_t i = 0; i < page_nodes(page); i++) {
		struct page_node node;
		size_t more;
		if (!page_node_read(kind, page, i, &node, &more)) {
			return "a node is damaged";
		}
		bytes += more;
		if (!kind->is_leaf && i == 0) {
			continue; /* its key stands for everything below the next */
		}
		if (!page_key_is_possible(kind, node.key) ||
		    (before.data != NULL &&
		     page_compare_keys(kind->has_number_keys, before, node.key) >= 0)) {
			return "its keys are damaged";
		}
		before = node.key;
	}
	return bytes == kind->page_bytes - head.is.free.upper ? NULL : "its nodes are damaged";
}
