/*
 * methods.c - the rows of methods.h as tables, and looking a name up in them.
 */
#include "proto/methods.h"

const struct method_row method_rows[METHOD_COUNT] = {
#define METHOD_ROW(symbol, name_, who_, where_, effect_, params_, result_, help_)               \
	[METHOD_##symbol] = {(name_),		(who_), (where_), (effect_), &record_##params_, \
			     &record_##result_, (help_)},
	METHODS(METHOD_ROW)
#undef METHOD_ROW
};

const struct notice_row notice_rows[NOTICE_COUNT] = {
#define NOTICE_ROW(symbol, name_, rec_, help_) \
	[NOTICE_##symbol] = {(name_), &record_##rec_, (help_)},
	NOTICES(NOTICE_ROW)
#undef NOTICE_ROW
};

/*
 * A few dozen names: a length test throws nearly all of them out before any
 * byte is compared, which is cheaper than an index that would have to be built
 * and kept somewhere.
 */
#define METHOD_LEN(symbol, name_, who_, where_, effect_, params_, result_, help_) \
	[METHOD_##symbol] = sizeof(name_) - 1,
static const unsigned char method_lens[METHOD_COUNT] = {METHODS(METHOD_LEN)};
#undef METHOD_LEN

enum method method_find(struct slice name)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		if (method_lens[m] == name.len &&
		    memcmp(method_rows[m].name, name.data, name.len) == 0) {
			return (enum method)m;
		}
	}
	return METHOD_COUNT;
}

enum notice notice_find(struct slice name)
{
	for (int n = 0; n < NOTICE_COUNT; n++) {
		if (slice_eq(slice_str(notice_rows[n].name), name)) {
			return (enum notice)n;
		}
	}
	return NOTICE_COUNT;
}

const struct method_place method_places[WHERE_COUNT] = {
	[WHERE_USER_NAME] = {"USER_NAME:", "user_name"},
	[WHERE_QUESTION] = {"QUESTION:", "question_id"},
	[WHERE_GROUP] = {"GROUP:", "group_id"},
	[WHERE_INVITATION] = {"INVITATION:", "code"},
	[WHERE_CONTAINER] = {"CONTAINER:", "container_id"},
	[WHERE_ROOM] = {"ROOM:", "room_id"},
};
