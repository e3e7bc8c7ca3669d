/*
 * containers.c - containers that are made, named, listed and deleted while others use them; that a group has
 * those it counts, a container the items it counts, and that of a deleted one all goes, whenever the server ends.
 */
#include "tests/sim/features/groups.h"

#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/assert.h"

/* ---- what is on the disk ---- */

const void *item_of_value(struct world *w, enum item_kind kind, struct slice value)
{
	void *item = NULL;
	struct fault fault;
	enum err e = item_decode(kind, value, RECORD_STRICT, &w->arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	return item;
}

static void id_of(char out[20], struct slice id)
{
	view_text(out, 20, id);
}

static bool group_is_deleted(struct world *w, const char *group_id)
{
	const struct table_row *row = find_row(w, ITEM_GROUP, group_id, "");
	return row == NULL || ((const struct group_item *)item_of_row(w, row))->is_deleted;
}

bool container_is_ending(struct world *w, const struct table_row *row)
{
	char group_id[20];
	const struct container_item *container = item_of_row(w, row);
	id_of(group_id, container->group_id);
	return container->is_deleted || group_is_deleted(w, group_id);
}

/* What an item_id says as a number. */
static int64_t number_of(struct slice item_id)
{
	int64_t n = 0;
	for (size_t i = 2; i < item_id.len; i++) {
		const char *letter = strchr(CODE_ALPHABET, item_id.data[i]);
		ASSERT(letter != NULL);
		n = n * (int64_t)(sizeof(CODE_ALPHABET) - 1) + (letter - CODE_ALPHABET);
	}
	return n;
}

static void container_holds(struct world *w, const struct table_row *row)
{
	char id[20], group_id[20];
	const struct container_item container = *(const struct container_item *)item_of_row(w, row);
	int64_t items = 0;
	int64_t unestimated = 0;
	id_of(id, pk_rest(row));
	id_of(group_id, container.group_id);
	TABLE_EACH (&w->table, ITEM_ITEM, other) {
		if (!slice_eq(row_pk(other), row_pk(row))) {
			continue;
		}
		const struct item_item *item = item_of_row(w, other);
		items++;
		unestimated += !item->with_quantity && item->unit.len == 0;
		if (!slice_eq(item->group_id, slice_str(group_id)) ||
		    number_of(sk_rest(other)) > container.last_item) {
			broken(w, CLAIM_RULES,
			       "an item of %s is of another group, or newer than "
			       "the last",
			       id);
		}
	}
	bool is_listed = find_row(w, ITEM_GROUP_CONTAINER, group_id, id) != NULL;
	if (items != container.items) {
		broken(w, CLAIM_RULES, "%s counts %lld items and has %lld", id,
		       (long long)container.items, (long long)items);
	} else if (!container.is_deleted && (unestimated != container.unestimated ||
					     (items > 0 && !container.with_unestimated))) {
		broken(w, CLAIM_RULES, "%s counts %lld items without an estimate and has %lld", id,
		       (long long)container.unestimated, (long long)unestimated);
	} else if (is_listed == container.is_deleted && !group_is_deleted(w, group_id)) {
		broken(w, CLAIM_RULES, "%s is %s, and its group %s", id,
		       container.is_deleted ? "deleted" : "there",
		       is_listed ? "has it" : "has it not");
	} else if (container.is_deleted != (container.expires_at > 0)) {
		broken(w, CLAIM_RULES, "the sweeper does not find %s", id);
	}
}

/* Each item is in a container, too. */
static void containers_hold(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_CONTAINER, row) {
		container_holds(w, row);
	}
	TABLE_EACH (&w->table, ITEM_ITEM, row) {
		char id[20];
		id_of(id, pk_rest(row));
		if (find_row(w, ITEM_CONTAINER, id, "") == NULL) {
			broken(w, CLAIM_RULES, "an item of %s outlasts it", id);
		}
	}
	TABLE_EACH (&w->table, ITEM_ITEM_KEY, row) {
		char id[20];
		id_of(id, pk_rest(row));
		if (find_row(w, ITEM_CONTAINER, id, "") == NULL) {
			broken(w, CLAIM_RULES, "a key of an item of %s outlasts it", id);
		}
	}
}

/* ---- commits ---- */

/* A container is marked before it goes, unless its group is, and what is marked stays so. */
static void containers_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		const struct table_row *row = table_find(&w->table, op->pk, op->sk);
		if (row == NULL || row->kind != ITEM_CONTAINER || op->kind == STORE_CHECK) {
			continue;
		}
		bool is_ending = container_is_ending(w, row);
		const struct container_item before =
			*(const struct container_item *)item_of_row(w, row);
		const struct container_item *after =
			op->kind == STORE_PUT ? item_of_value(w, ITEM_CONTAINER, op->value) : NULL;
		if (after == NULL ? !is_ending : before.is_deleted && !after->is_deleted) {
			broken(w, CLAIM_RULES,
			       "a container goes that was not deleted, or one "
			       "that was comes back");
		} else if (after != NULL && !after->is_deleted &&
			   (w->is_batched ? after->version <= before.version
					  : after->version != before.version + 1)) {
			broken(w, CLAIM_VERSIONS, "a container goes from version %lld to %lld",
			       (long long)before.version, (long long)after->version);
		}
	}
}

static void containers_after(struct world *w, const struct sim_commit *c)
{
	bool has_some = false;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		has_some = has_some || slice_starts(c->ops[i].pk, SLICE("CONTAINER:")) ||
			   slice_starts(c->ops[i].sk, SLICE("CONTAINER#"));
	}
	if (has_some) {
		containers_hold(w);
	}
}

static void containers_morning(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_CONTAINER, row) {
		if (container_is_ending(w, row)) {
			broken(w, CLAIM_LIVENESS, "a container was deleted and never goes");
		}
	}
}

/* ---- answers leave ---- */

bool is_surely_there(struct world *w, const struct op *op, const char *container_id)
{
	char group_id[20];
	const struct table_row *row = find_row(w, ITEM_CONTAINER, container_id, "");
	if (!was_there(w, op, row) || container_is_ending(w, row)) {
		return false;
	}
	id_of(group_id, ((const struct container_item *)item_of_row(w, row))->group_id);
	return is_surely_in(w, op, group_id);
}

/* A connection may send twice what it may in a second in a burst; what came before counts for as long as it is refilled. */
bool team_is_often(const struct world *w, const struct op *op)
{
	int64_t rate = w->config.limits[LIMIT_REQUESTS_PER_SECOND];
	int64_t n = 0;
	for (size_t i = 0; i < w->ops_n && n <= rate; i++) {
		n += w->ops[i].conn == op->conn && w->ops[i].is_delivered;
	}
	return n > rate;
}

bool team_watches_many(const struct world *w, const struct op *op)
{
	size_t n = 0;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		bool watches = other->method == METHOD_GROUP_WATCH ||
			       other->method == METHOD_CONTAINER_WATCH ||
			       other->method == METHOD_SESSION_WATCH ||
			       other->method == METHOD_QUESTION_WATCH;
		n += other->conn == op->conn && other->is_delivered && watches;
	}
	return n >= MAX_CONNECTION_TOPICS / 2;
}

bool team_may_refuse(const struct world *w, const struct op *op, enum fault_code code)
{
	const struct session *s = sender(w, op);
	return code == FAULT_UNAUTHENTICATED ||
	       (code == FAULT_RATE_LIMITED && team_is_often(w, op)) ||
	       (code == FAULT_UNAVAILABLE &&
		(op->faults_before != w->faults || w->node->is_stopping || w->commits != NULL ||
		 w->nodes_n > 1)) ||
	       (code == FAULT_TOO_LARGE && op->method == METHOD_CONTAINER_WATCH &&
		team_watches_many(w, op)) ||
	       (code == FAULT_FORBIDDEN && (s == NULL || !s->is_keyed || !op->is_settled));
}

/* op->text is the group of a call on one, op->target the container of one on that. */
static void containers_judge(struct world *w, struct conn *c, const struct op *op,
			     const struct fault *f)
{
	(void)c;
	bool is_there = op->target[0] != '\0' ? is_surely_there(w, op, op->target)
					      : is_surely_in(w, op, op->text);
	if (!team_may_refuse(w, op, f->code) && (f->code != FAULT_NOT_FOUND || is_there)) {
		broken(w, CLAIM_RULES, "%s of %s about %s%s is refused without a reason: %s",
		       method_rows[op->method].name, member_name(w, op->member), op->text,
		       op->target, fault_code_name(f->code));
	}
}

/* The result is in the arena, which is not reset. */
static void containers_granted(struct world *w, struct conn *c, const struct op *op,
			       const union method_result *result)
{
	(void)c;
	for (size_t i = 0;
	     op->method == METHOD_CONTAINER_LIST && i < result->CONTAINER_LIST.containers_n; i++) {
		char id[20];
		const struct container_entry *e = &result->CONTAINER_LIST.containers[i];
		id_of(id, e->container_id);
		const struct table_row *row = find_row(w, ITEM_CONTAINER, id, "");
		const struct container_item *item =
			row == NULL ? NULL
				    : item_of_value(w, ITEM_CONTAINER,
						    slice_of(row->value, row->value_len));
		if (item != NULL && e->version > item->version) {
			broken(w, CLAIM_DURABLE,
			       "%s is shown at version %lld, and on the disk at %lld", id,
			       (long long)e->version, (long long)item->version);
		}
	}
}

static const struct request containers_requests[] = {
	{.method = METHOD_CONTAINER_CREATE, .refused = containers_judge},
	{.method = METHOD_CONTAINER_GET, .refused = containers_judge},
	{.method = METHOD_CONTAINER_RENAME, .refused = containers_judge},
	{.method = METHOD_CONTAINER_DELETE, .refused = containers_judge},
	{.method = METHOD_CONTAINER_LIST, .refused = containers_judge},
	{.method = METHOD_ITEM_EXPIRING, .refused = containers_judge},
};

/* ---- acts ---- */

struct slice some_container(struct world *w, const struct conn *c, char out[20])
{
	const struct session *s = session_of_conn(w, c);
	bool is_own = s != NULL && dice_percent(&w->dice, 90);
	size_t n = 0;
	char group_id[20];
	id_of(out, SLICE(NO_CONTAINER));
	TABLE_EACH (&w->table, ITEM_CONTAINER, row) {
		id_of(group_id, ((const struct container_item *)item_of_row(w, row))->group_id);
		bool is_one = !is_own || find_row(w, ITEM_MEMBERSHIP, s->user_id, group_id) != NULL;
		if (is_one && dice_below(&w->dice, (uint32_t)++n) == 0) {
			id_of(out, pk_rest(row));
		}
	}
	return slice_str(out);
}

static void act_make_container(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct container_create_params p = {.group_id = some_group(w, c, &about)};
	(void)room;
	if (is_worth_it(w, c)) {
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_CONTAINER_CREATE, -1, &p, &about);
	}
}

static void act_delete_container(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct slice id = some_container(w, c, about.target);
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (dice_percent(&w->dice, 40)) {
		struct container_rename_params p = {.container_id = id,
						    .container_name = SLICE("Pantry")};
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_CONTAINER_RENAME, -1, &p, &about);
		return;
	}
	struct container_change_params p = {.container_id = id};
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_CONTAINER_DELETE, -1, &p, &about);
}

static void act_read_containers(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (dice_percent(&w->dice, 40)) {
		struct container_list_params p = {.group_id = some_group(w, c, &about),
						  .with_group_id = true,
						  .limit = dice_between(&w->dice, 1, 4),
						  .with_limit = true};
		send_op(w, c, METHOD_CONTAINER_LIST, -1, &p, &about);
	} else if (dice_percent(&w->dice, 50)) {
		struct item_expiring_params p = {.group_id = some_group(w, c, &about), .before = 5};
		send_op(w, c, METHOD_ITEM_EXPIRING, -1, &p, &about);
	} else {
		struct container_params p = {.container_id = some_container(w, c, about.target)};
		send_op(w, c, METHOD_CONTAINER_GET, -1, &p, &about);
	}
}

/* Now and then what was added to goes while others still add. */
static void containers_heard(struct world *w, struct conn *c, const struct op *op,
			     const union method_result *result)
{
	(void)result;
	if (w->is_calm || c->is_broken || !c->server_has || op->method != METHOD_ITEM_ADD) {
		return;
	}
	if (dice_percent(&w->dice, 8)) {
		act_delete_container(w, c, -1);
	} else if (dice_percent(&w->dice, 12)) {
		act_make_container(w, c, -1);
	} else if (dice_percent(&w->dice, 10)) {
		act_read_containers(w, c, -1);
	}
}

static const struct act containers_acts[] = {
	{3, act_make_container, false},
	{2, act_delete_container, false},
	{3, act_read_containers, false},
};

const struct feature feature_containers = {
	.name = "containers",
	FEATURE_ROWS(desk_acts, containers_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, containers_requests),
	.granted = containers_granted,
	.heard = containers_heard,
	.commit_before = containers_before,
	.commit_after = containers_after,
	.table = containers_hold,
	.morning = containers_morning,
};
