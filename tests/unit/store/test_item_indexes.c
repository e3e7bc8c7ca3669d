/*
 * test_item_indexes.c - the indexes of containers and their items after random operations, once for each engine: whatever was
 * written, ItemsByExpiry lists the items of a group that expire, and ByExpiry the containers that are deleted.
 */
#include "fixture.h"

enum { CONTAINERS = 3, GROUPS = 2, ITEMS = 8, STEPS = 400 };

/* What the table should have. */
struct model {
	struct thing {
		bool exists;
		int group;
		int64_t expiry; /* of an item; of a container expires_at; 0: none */
	} items[CONTAINERS][ITEMS], containers[CONTAINERS];
};

static const char *const groups[GROUPS] = {"g_2222222222", "g_3333333333"};

static struct slice value_item(const struct thing *is)
{
	struct item_item item = {.created_on = NOW,
				 .updated_on = NOW,
				 .group_id = slice_str(groups[is->group]),
				 .name = SLICE("Rice"),
				 .category = SLICE("none"),
				 .expiry = is->expiry,
				 .created_at = NOW,
				 .revision = 1};
	return value_of(&record_item_item, &item);
}

static struct slice value_container(const struct thing *is)
{
	struct container_item item = {.created_on = NOW,
				      .updated_on = NOW,
				      .container_name = SLICE("Pantry"),
				      .group_id = slice_str(groups[is->group]),
				      .version = 1,
				      .is_deleted = is->expiry > 0,
				      .expires_at = is->expiry};
	return value_of(&record_container_item, &item);
}

/* How many entries the model has of a group's items, or with -1 of containers, and those of them below a time. */
static size_t expected(const struct model *m, int group, int64_t below)
{
	size_t n = 0;
	for (int c = 0; c < CONTAINERS; c++) {
		const struct thing *is = &m->containers[c];
		n += group < 0 && is->exists && is->expiry > 0 && is->expiry < below;
		for (int i = 0; group >= 0 && i < ITEMS; i++) {
			is = &m->items[c][i];
			n += is->exists && is->group == group && is->expiry > 0 &&
			     is->expiry < below;
		}
	}
	return n;
}

static void assert_indexes(struct fixture *f, const struct model *m)
{
	for (int group = -1; group < GROUPS; group++) {
		for (int64_t below = 2; below <= 10; below += 4) {
			struct store_query q = {
				.index = group < 0 ? INDEX_BY_EXPIRY : INDEX_ITEMS_BY_EXPIRY,
				.partition = slice_str(group < 0 ? "" : groups[group]),
				.to = below - 1,
				.limit = CONTAINERS * ITEMS,
			};
			struct answer a = query_of(f, &q);
			assert_int_equal(a.e, OK);
			assert_int_equal(a.n, expected(m, group, below));
		}
	}
}

/* One random write of an item or a container. */
static void change(struct fixture *f, struct model *m, struct random *random)
{
	char pk[32], sk[32] = "CONTAINER";
	int c = (int)(random_u64(random) % CONTAINERS);
	int i = (int)(random_u64(random) % (ITEMS + 1));
	struct thing *is = i == ITEMS ? &m->containers[c] : &m->items[c][i];
	format_to(pk, sizeof(pk), "CONTAINER:c_222222222%d", 2 + c);
	if (i < ITEMS) {
		format_to(sk, sizeof(sk), "ITEM#i_222222222%d", 2 + i % 8);
	}
	*is = (struct thing){
		.exists = random_u64(random) % 4 != 0,
		.group = (int)(random_u64(random) % GROUPS),
		.expiry = (int64_t)(random_u64(random) % 9),
	};
	struct store_op op = !is->exists ? op_of(STORE_DELETE, pk, sk)
			     : i < ITEMS ? op_put(pk, sk, value_item(is))
					 : op_put(pk, sk, value_container(is));
	assert_int_equal(commit_op(f, op).e, OK);
}

STORE_TEST(indexes_of_items_follow_every_change, f)
{
	static const unsigned char seed[SEED_BYTES] = "items and containers";
	struct random random;
	struct model m = {.containers = {{.exists = false}}};
	random_seed(&random, seed);
	for (int step = 1; step <= STEPS; step++) {
		change(f, &m, &random);
		if (step % 10 == 0) {
			assert_indexes(f, &m);
		}
	}
	if (f->engine->keeps) {
		fixture_reopen(f);
		assert_indexes(f, &m);
	}
}

/* A container goes with all that was in it, and out of the indexes. */
STORE_TEST(a_prefix_of_items_leaves_no_entries, f)
{
	struct thing is = {.exists = true, .group = 0, .expiry = 5};
	char sk[32];
	for (int i = 0; i < ITEMS; i++) {
		format_to(sk, sizeof(sk), "ITEM#i_222222222%d", 2 + i);
		assert_int_equal(
			commit_op(f, op_put("CONTAINER:c_2222222222", sk, value_item(&is))).e, OK);
	}
	struct store_query q = {.index = INDEX_ITEMS_BY_EXPIRY,
				.partition = slice_str(groups[0]),
				.to = INT64_MAX,
				.limit = 100};
	assert_int_equal(query_of(f, &q).n, ITEMS);
	assert_int_equal(
		commit_op(f, op_of(STORE_DELETE_PREFIX, "CONTAINER:c_2222222222", "ITEM#")).e, OK);
	assert_int_equal(query_of(f, &q).n, 0);
}
