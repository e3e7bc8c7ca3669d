/*
 * test_container_full.c - a container with as many items as one may have: watching it costs a page at a time, and what
 * is added, adjusted and removed is what it is in a small one.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/watch.h"

#include "proto/base/arena.h"

#define ITEMS	   MAX_CONTAINER_ITEMS
#define PLANT_EACH 1000

static void on_done(void *arg, enum err e, uint64_t version)
{
	(void)version;
	*(enum err *)arg = e;
}

static void commit(struct club *d, const struct store_op *ops, size_t n)
{
	enum err e = ERR_MORE;
	struct store_commit c = {.ops = ops, .n = n, .now_ms = d->r.wall_ms};
	assert_int_equal(store_commit(d->r.store, &c, on_done, &e), OK);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);
	assert_int_equal(e, OK);
}

/* The nth id, of letters that ids have, before all that are made by time. */
static void id_of(size_t n, char id[16])
{
	strcpy(id, "i_2222222222");
	for (size_t at = 11; n > 0; at--, n /= 8) {
		id[at] = (char)('2' + n % 8);
	}
}

/* As if so many had been added. */
static void plant(struct club *d)
{
	static char sks[PLANT_EACH][32], pk[64];
	struct store_op ops[PLANT_EACH];
	struct buf value = {.max = 4096};
	struct item_item item = {.created_on = 1,
				 .updated_on = 1,
				 .group_id = slice_str(d->group),
				 .name = SLICE("Login"),
				 .quantity = 300,
				 .with_quantity = true,
				 .category = SLICE("none"),
				 .created_at = 1,
				 .revision = 1};
	(void)snprintf(pk, sizeof(pk), "CONTAINER:%s", d->container);
	record_write(&record_item_item, &item, &value);
	for (size_t n = 0; n < ITEMS; n += PLANT_EACH) {
		for (size_t i = 0; i < PLANT_EACH; i++) {
			char id[16];
			id_of(n + i, id);
			(void)snprintf(sks[i], sizeof(sks[i]), "ITEM#%s", id);
			ops[i] = (struct store_op){.kind = STORE_PUT,
						   .pk = slice_str(pk),
						   .sk = slice_str(sks[i]),
						   .value = buf_slice(&value)};
		}
		commit(d, ops, PLANT_EACH);
	}
	struct container_item container = {.created_on = d->r.wall_ms,
					   .updated_on = d->r.wall_ms,
					   .container_name = SLICE("Backlog"),
					   .group_id = slice_str(d->group),
					   .version = ITEMS,
					   .items = ITEMS,
					   .with_items = true};
	buf_clear(&value);
	record_write(&record_container_item, &container, &value);
	struct store_op op = {.kind = STORE_PUT,
			      .pk = slice_str(pk),
			      .sk = SLICE("CONTAINER"),
			      .value = buf_slice(&value)};
	commit(d, &op, 1);
	buf_finish(&value);
}

/* Reads of the store for a request. */
static size_t reads_of(struct club *d, const char *method, const char *params)
{
	size_t before = d->r.loads;
	rig_must(d->ada.peer, method, "%s", params);
	return d->r.loads - before;
}

CLUB_TEST(test_a_full_container_is_watched_and_paged_as_a_small_one_is, d)
{
	char of[64], page_of[96], cursor[160] = "", last[32] = "", id[32];
	(void)snprintf(of, sizeof(of), "'container_id':'%s'", d->container);
	(void)snprintf(page_of, sizeof(page_of), "%s,'limit':100", of);
	size_t to_watch = reads_of(d, "container.watch", of);
	size_t to_list = reads_of(d, "item.list", page_of);
	plant(d);
	rig_must(d->ada.peer, "container.unwatch", "%s", of);
	rig_forget(d->ada.peer);
	assert_int_equal(reads_of(d, "container.watch", of), to_watch);
	assert_int_equal(reads_of(d, "item.list", page_of), to_list);
	const char *full = next_of(d->ada.peer, "container.update");
	assert_true(says(full, "'full':true"));
	assert_int_equal(rig_field_number(full, "items"), ITEMS);
	assert_false(says(full, "'items':["));
	assert_string_equal(rig_code(d->ada.peer, "item.add", "%s,'name':'x'", of),
			    "QUOTA_EXCEEDED");

	size_t listed = 0, pages = 0;
	do {
		rig_advance(&d->r, 100); /* a connection gets so many bytes a second, and no more */
		const char *page = cursor[0] == '\0' ? rig_must(d->ada.peer, "item.list", "%s", of)
						     : rig_must(d->ada.peer, "item.list",
								"%s,'cursor':'%s'", of, cursor);
		for (const char *at = page; (at = strstr(at, "'item_id':'")) != NULL; listed++) {
			at += strlen("'item_id':'");
			assert_true(strncmp(at, last, strlen("i_2222222222")) > 0);
			(void)snprintf(last, sizeof(last), "%.*s", (int)strcspn(at, "'"), at);
		}
		assert_int_equal(rig_field_number(page, "version"), ITEMS);
		cursor[0] = '\0';
		if (says(page, "'cursor'")) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
		}
		pages++;
	} while (cursor[0] != '\0');
	assert_int_equal(listed, ITEMS);
	assert_in_range(pages, ITEMS / MAX_TEAM_PAGE, ITEMS / 200); /* as many as a message takes */

	/* What is changed is sent, and nothing else. */
	id_of(ITEMS / 2, id);
	rig_forget(d->ada.peer);
	rig_must(d->ada.peer, "item.adjust", "%s,'item_id':'%s','by':'-0.5'", of, id);
	assert_true(says(next_of(d->ada.peer, "container.update"), "'quantity':'2.5'"));
	rig_must(d->ada.peer, "item.remove", "%s,'item_id':'%s'", of, id);
	rig_must(d->ada.peer, "item.add", "%s,'name':'x'", of);
	assert_string_equal(rig_code(d->ada.peer, "item.add", "%s,'name':'x'", of),
			    "QUOTA_EXCEEDED");
	assert_int_equal(rig_field_number(rig_must(d->ada.peer, "container.get", "%s", of),
					  "items"),
			 ITEMS);
}
