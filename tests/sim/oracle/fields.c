/*
 * fields.c - that each field of what is shown changes only by its row of field_rules.h: one without a row
 * fails, and so does one that changes while no call of its row was with the server.
 *
 * That is less than the features know of what they judge, and it is of all fields.
 */
#include "tests/sim/oracle/fields.h"

#include <string.h>

#include <msgpack.h>

#include "proto/base/assert.h"
#include "tests/sim/oracle/field_rules.h"

/* field_rules.h has the meanings. */
enum shown { SHOWN_FRAME, SHOWN_PARTS, SHOWN_FIXED, SHOWN_ASKED, SHOWN_ITSELF };

#define BY_MAX 24

struct field_rule {
	const struct record *record;
	const char *field;
	enum shown shown;
	enum method by[BY_MAX]; /* METHOD_COUNT behind the last */
};

#define FRAME(record, field) {&record_##record, #field, SHOWN_FRAME, {METHOD_COUNT}},
#define PARTS(record, field) {&record_##record, #field, SHOWN_PARTS, {METHOD_COUNT}},
#define FIXED(record, field) {&record_##record, #field, SHOWN_FIXED, {METHOD_COUNT}},
#define ASKED(record, field, ...) \
	{&record_##record, #field, SHOWN_ASKED, {__VA_ARGS__, METHOD_COUNT}},
#define ITSELF(record, field, why) {&record_##record, #field, SHOWN_ITSELF, {METHOD_COUNT}},
static const struct field_rule rules[] = {FIELD_RULES(FRAME, PARTS, FIXED, ASKED, ITSELF)};
#define RULES_N (sizeof(rules) / sizeof(rules[0]))

/* Whatever is sent without having been asked for: each with what is shown in it. */
static const struct record *const records[] = {
	&record_room_update, &record_room_view,	       &record_user_view,
	&record_story_view,  &record_session_update,   &record_group_update,
	&record_group_view,  &record_container_update, &record_container_entry,
	&record_item_view,   &record_question_update,  &record_question_view,
};
#define RECORDS_N (sizeof(records) / sizeof(records[0]))

static const struct field_rule *rule_of(const struct record *record, struct slice field)
{
	for (size_t i = 0; i < RULES_N; i++) {
		if (rules[i].record == record && slice_eq(slice_str(rules[i].field), field)) {
			return &rules[i];
		}
	}
	return NULL;
}

const char *fields_lack(void)
{
	static char lack[128];
	for (size_t r = 0; r < RECORDS_N; r++) {
		for (size_t i = 0; i < records[r]->n; i++) {
			const char *field = records[r]->fields[i].name;
			if (rule_of(records[r], slice_str(field)) == NULL) {
				(void)snprintf(lack, sizeof(lack), "%s.%s has no rule",
					       records[r]->name, field);
				return lack;
			}
		}
	}
	for (size_t i = 0; i < RULES_N; i++) {
		if (record_field(rules[i].record, slice_str(rules[i].field)) == NULL) {
			(void)snprintf(lack, sizeof(lack), "%s has no field %s",
				       rules[i].record->name, rules[i].field);
			return lack;
		}
	}
	return NULL;
}

/* ---- what was shown ---- */

/* The last that was shown of one thing. */
static struct shown_thing *thing_of(struct world *w, uint64_t key)
{
	struct shown_thing *thing = &w->shown[key % SIM_SHOWN_MAX];
	if (thing->key != key) { /* two in one place: the last of them is noted */
		*thing = (struct shown_thing){.key = key};
	}
	return thing;
}

static struct slice text_of(const msgpack_object *o)
{
	return o != NULL && o->type == MSGPACK_OBJECT_STR
		       ? slice_of(o->via.str.ptr, o->via.str.size)
		       : (struct slice){0};
}

static const msgpack_object *member_of(const msgpack_object *map, const char *name)
{
	for (size_t i = 0; map != NULL && map->type == MSGPACK_OBJECT_MAP && i < map->via.map.size;
	     i++) {
		if (slice_eq(text_of(&map->via.map.ptr[i].key), slice_str(name))) {
			return &map->via.map.ptr[i].val;
		}
	}
	return NULL;
}

/* What is false in part of a thing is left out of the whole of it. */
static uint64_t value_of(struct world *w, const msgpack_object *o)
{
	if (o == NULL || (o->type == MSGPACK_OBJECT_BOOLEAN && !o->via.boolean)) {
		return 0;
	}
	buf_clear(&w->scratch);
	rpc_write_object(&w->scratch, o);
	return sim_hash(SIM_HASH_START, w->scratch.data, w->scratch.len) | 1;
}

/* Such a call was with the server at some moment since then. */
static bool was_asked(const struct world *w, const struct field_rule *rule, int room, int64_t since)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		bool is_over = op->is_answered && !op->is_shadowed && op->answered_mono < since;
		for (size_t k = 0; op->is_delivered && !is_over && rule->by[k] != METHOD_COUNT;
		     k++) {
			if (op->method == rule->by[k] && (room < 0 || op->room == room)) {
				return true;
			}
		}
	}
	return false;
}

/* Whoever asked for a change of it did so after it was last shown: 0 where that was before the machine started again. */
static int64_t asked_since(const struct world *w, const struct shown_at *at,
			   const struct shown_thing *thing)
{
	return thing->mono > w->mono_ms ? 0 : thing->mono - at->slack_ms;
}

/* What is shown of one thing: a map whose members that are not there are absent, or, in part, as they were. */
static void thing_is(struct world *w, const struct shown_at *at, const struct record *record,
		     struct slice id, const msgpack_object *map, bool is_part)
{
	uint64_t key =
		sim_hash(sim_hash_u64(at->topic, (uint64_t)(uintptr_t)record->n), id.data, id.len);
	key = sim_hash(key, record->name, strlen(record->name));
	struct shown_thing *thing = thing_of(w, key);
	ASSERT_CMP(record->n, <=, SIM_SHOWN_FIELDS);
	/* The same is sent to many, to some of them late. */
	if (thing->is_known && thing->epoch == at->epoch && at->version <= thing->version) {
		return;
	}
	for (size_t i = 0; i < record->n; i++) {
		const char *field = record->fields[i].name;
		const struct field_rule *rule = rule_of(record, slice_str(field));
		const msgpack_object *o = member_of(map, field);
		uint64_t value = value_of(w, o);
		bool is_other =
			thing->is_known && !(o == NULL && is_part) && value != thing->values[i];
		bool is_judged = rule->shown == SHOWN_FIXED || rule->shown == SHOWN_ASKED;
		if (is_judged && thing->is_known && o != NULL &&
		    planted(w, BREAK_OTHER_FIELD, 50)) {
			is_other = true;
			rule = rule_of(&record_story_view, SLICE("item"));
		}
		if (is_other && is_judged && thing->epoch == at->epoch &&
		    !was_asked(w, rule, at->room, asked_since(w, at, thing))) {
			broken(w, CLAIM_RULES,
			       "%s.%s of %.*s changes, and nobody has asked for that", record->name,
			       field, (int)id.len, id.data);
		}
		thing->values[i] = o == NULL && is_part ? thing->values[i] : value;
	}
	thing->is_known = true;
	thing->epoch = at->epoch;
	thing->version = at->version;
	thing->mono = at->mono;
}

static void things_are(struct world *w, const struct shown_at *at, const struct record *record,
		       const char *id, const msgpack_object *list, bool is_part)
{
	for (size_t i = 0;
	     list != NULL && list->type == MSGPACK_OBJECT_ARRAY && i < list->via.array.size; i++) {
		const msgpack_object *one = &list->via.array.ptr[i];
		thing_is(w, at, record, text_of(member_of(one, id)), one, is_part);
	}
}

static int64_t number_of(const msgpack_object *o)
{
	return o != NULL && o->type == MSGPACK_OBJECT_POSITIVE_INTEGER ? (int64_t)o->via.u64 : 0;
}

/* When the version came about that an update follows, where that is known. */
static int64_t version_mono(const struct sim_room *r, const msgpack_object *map)
{
	int64_t version = number_of(member_of(map, "version"));
	bool is_known = r->mem->now.epoch == number_of(member_of(map, "epoch")) &&
			r->mem->now.version - version < SIM_HISTORY;
	return is_known ? r->mem->version_mono[version % SIM_HISTORY] : 0;
}

/* An answer may leave before what it says is shown where others take long to read. */
#define TOPIC_SLACK_MS 60000

/*
 * What is sent whole behind the answer to a watch was read after that was delivered, and maybe long before it leaves: the
 * earliest such time of those who still wait for that topic.
 */
static int64_t read_since(const struct world *w, struct slice id)
{
	int64_t since = w->mono_ms;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		bool is_watch = op->method == METHOD_CONTAINER_WATCH ||
				op->method == METHOD_GROUP_WATCH ||
				op->method == METHOD_QUESTION_WATCH;
		bool is_over = op->is_dead || (op->is_answered && op->answered_mono < w->mono_ms);
		if (is_watch && op->is_delivered && !is_over && op->delivered_mono < since &&
		    slice_eq(slice_str(op->text), id)) {
			since = op->delivered_mono;
		}
	}
	return since;
}

void fields_leave(struct world *w, enum notice notice, const struct msgpack_object *map)
{
	static const struct {
		enum notice notice;
		const char *id;
	} topics[] = {
		{NOTICE_ROOM_UPDATE, "room_id"},
		{NOTICE_GROUP_UPDATE, "group_id"},
		{NOTICE_CONTAINER_UPDATE, "container_id"},
		{NOTICE_QUESTION_UPDATE, "question_id"},
	};
	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++) {
		struct slice id = notice == topics[i].notice ? text_of(member_of(map, topics[i].id))
							     : (struct slice){0};
		struct shown_at at = {.room = -1, .mono = w->mono_ms, .slack_ms = TOPIC_SLACK_MS};
		at.topic = sim_hash(SIM_HASH_START, id.data, id.len);
		at.epoch = number_of(member_of(map, "epoch"));
		at.version = number_of(member_of(map, "version"));
		if (id.len == 0) {
			continue;
		}
		bool is_full = member_of(map, "full") != NULL;
		if (notice == NOTICE_ROOM_UPDATE) {
			at.room = room_of_id(w, id);
			at.mono = at.room < 0 ? 0 : version_mono(&w->rooms[at.room], map);
			at.slack_ms = 0;
		} else if (is_full) {
			at.mono = read_since(w, id);
		}
		if (member_of(map, "room") != NULL) {
			thing_is(w, &at, &record_room_view, id, member_of(map, "room"), false);
		}
		things_are(w, &at, &record_user_view, "user_id",
			   notice == NOTICE_ROOM_UPDATE ? member_of(map, "users") : NULL, !is_full);
		things_are(w, &at, &record_story_view, "story_id", member_of(map, "stories"),
			   false);
		things_are(w, &at, &record_item_view, "item_id", member_of(map, "items"), false);
		if (member_of(map, "group") != NULL) {
			thing_is(w, &at, &record_group_view, id, member_of(map, "group"), false);
		}
		if (member_of(map, "container") != NULL) {
			thing_is(w, &at, &record_container_entry, id, member_of(map, "container"),
				 false);
		}
		if (member_of(map, "question") != NULL) {
			thing_is(w, &at, &record_question_view, id, member_of(map, "question"),
				 false);
		}
	}
}
