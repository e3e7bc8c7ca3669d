/*
 * records_data.h - the records of shared data: presences, maps and lists.
 *
 * A part of records.h. Uses its rows for shared fields.
 */
#ifndef PROTO_RECORDS_RECORDS_DATA_H
#define PROTO_RECORDS_RECORDS_DATA_H

#define F_DATA_NAME(F) F(TEXT, name, 0, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "Its name; any text without # and control characters")
#define F_DATA_CALL(F) F_MEMBER_CALL(F) F_DATA_NAME(F)
#define F_DATA_VALUE(F, flags) F(ANY, value, _, flags, 1, MAX_FRAME_BYTES, "UTF-8 text, finite numbers, booleans, nil, lists, maps with unique text keys; up to 16 KiB and 8 levels deep")
#define F_IF_REVISION(F) F(INT, if_revision, _, FIELD_OPT, 0, INT64_MAX, "Only if that is its revision now (0: only if it does not exist); otherwise CONFLICT with the current value")
#define F_ENTRY_ID(F) F(STR, entry_id, _, FIELD_REQ, 1, 64, "The entry")
#define F_NEW_ENTRY_ID(F) F(STR, entry_id, _, FIELD_OPT, 1, 64, "An entry_id chosen by the caller: letters, digits, - and _; CONFLICT if the list has it")
#define F_RANK(F, flags) F(STR, rank, _, flags, 1, 64, "In a list: order, compare as bytes")
#define F_BY(F) F(STR, by, _, FIELD_OPT | FIELD_ID, 1, 64, "user_id of who changed it last")
/* The version of the room at which a `get` result was taken. */
#define F_DATA_AS_OF(F)                                                                            \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "The room's epoch")                              \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "The room's version: later updates bring later changes")
#define F_REVISION(F) F(INT, revision, _, FIELD_REQ, 1, INT64_MAX, "Counts the changes of this entry")
#define RECORD_data_params(F) F_DATA_CALL(F) F_ONCE(F)
#define RECORD_data_get_params(F) F_DATA_CALL(F)
#define RECORD_presence_set_params(F)                                                              \
	F_DATA_CALL(F)                                                                             \
	F_DATA_VALUE(F, FIELD_REQ)                                                                 \
	F(INT, ttl_ms, _, FIELD_OPT, 1000, 3600000, "Deleted after this long without renewal")     \
	F_ONCE(F)
#define RECORD_presence_get_result(F)                                                              \
	F(ANY, entries, _, FIELD_REQ, 1, 16777216, "Map of user_id to value")                      \
	F_DATA_AS_OF(F)
#define RECORD_map_set_params(F)                                                                   \
	F_DATA_CALL(F)                                                                             \
	F(TEXT, key, 0, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "The key; any text without control characters") \
	F_DATA_VALUE(F, FIELD_REQ)                                                                 \
	F_IF_REVISION(F)                                                                           \
	F_ONCE(F)
#define RECORD_map_remove_params(F)                                                                \
	F_DATA_CALL(F)                                                                             \
	F(TEXT, key, 0, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "The key")                               \
	F_IF_REVISION(F)                                                                           \
	F_ONCE(F)
#define RECORD_revision_result(F)                                                                  \
	F_REVISION(F)                                                                              \
	F_VERSION(F)
#define RECORD_map_get_result(F)                                                                   \
	F(ANY, entries, _, FIELD_REQ, 1, 16777216, "Map of key to {value, revision, by?}")         \
	F_DATA_AS_OF(F)
#define RECORD_list_push_params(F)                                                                 \
	F_DATA_CALL(F)                                                                             \
	F_DATA_VALUE(F, FIELD_REQ)                                                                 \
	F_NEW_ENTRY_ID(F)                                                                          \
	F_ONCE(F)
#define RECORD_list_insert_params(F)                                                               \
	F_DATA_CALL(F)                                                                             \
	F_DATA_VALUE(F, FIELD_REQ)                                                                 \
	F_NEW_ENTRY_ID(F)                                                                          \
	F_PLACE(F, "entry_id")                                                                     \
	F_ONCE(F)
#define RECORD_list_set_params(F)                                                                  \
	F_DATA_CALL(F)                                                                             \
	F_ENTRY_ID(F)                                                                              \
	F_DATA_VALUE(F, FIELD_REQ)                                                                 \
	F_IF_REVISION(F)                                                                           \
	F_ONCE(F)
#define RECORD_list_move_params(F)                                                                 \
	F_DATA_CALL(F)                                                                             \
	F_ENTRY_ID(F)                                                                              \
	F_PLACE(F, "entry_id")                                                                     \
	F_IF_REVISION(F)                                                                           \
	F_ONCE(F)
#define RECORD_list_remove_params(F)                                                               \
	F_DATA_CALL(F)                                                                             \
	F_ENTRY_ID(F)                                                                              \
	F_IF_REVISION(F)                                                                           \
	F_ONCE(F)
#define RECORD_entry_result(F)                                                                     \
	F_ENTRY_ID(F)                                                                              \
	F_RANK(F, FIELD_REQ)                                                                       \
	F_REVISION(F)                                                                              \
	F_VERSION(F)
#define RECORD_list_entry(F)                                                                       \
	F_ENTRY_ID(F)                                                                              \
	F_RANK(F, FIELD_REQ)                                                                       \
	F_DATA_VALUE(F, FIELD_REQ)                                                                 \
	F_REVISION(F)                                                                              \
	F_BY(F)
#define RECORD_list_get_result(F)                                                                  \
	F(RECS, entries, list_entry, FIELD_REQ, 0, MAX_LIST_ENTRIES, "In order")                   \
	F_DATA_AS_OF(F)
#define RECORD_data_entry(F)                                                                       \
	F(STR, entry_id, _, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "user_id in a presence, key in a map, entry_id in a list") \
	F_RANK(F, FIELD_OPT)                                                                       \
	F_DATA_VALUE(F, FIELD_OPT)                                                                 \
	F(INT, revision, _, FIELD_OPT, 1, INT64_MAX, "In a map or list")                           \
	F(STR, by, _, FIELD_OPT | FIELD_ID, 1, 64, "In a map or list: user_id of who changed it last")        \
	F(BOOL, is_gone, _, FIELD_OPT, 0, 0, "It was removed")
#define RECORD_data_change(F)                                                                      \
	F(ENUM, kind, data_kind, FIELD_REQ, 0, WORDS_LAST(data_kind), "Its kind")                  \
	F_DATA_NAME(F)                                                                             \
	F(BOOL, is_gone, _, FIELD_OPT, 0, 0, "All of it was deleted")                              \
	F(RECS, entries, data_entry, FIELD_REQ, 0, 100000, "Those that changed, or all in a full update; without a value on the connection that set it")

/* Inner records first. */
#define DATA_RECORDS(X)                                                                            \
	X(data_params)                                                                             \
	X(data_get_params)                                                                         \
	X(presence_set_params)                                                                     \
	X(presence_get_result)                                                                     \
	X(map_set_params)                                                                          \
	X(map_remove_params)                                                                       \
	X(revision_result)                                                                         \
	X(map_get_result)                                                                          \
	X(list_push_params)                                                                        \
	X(list_insert_params)                                                                      \
	X(list_set_params)                                                                         \
	X(list_move_params)                                                                        \
	X(list_remove_params)                                                                      \
	X(entry_result)                                                                            \
	X(list_entry)                                                                              \
	X(list_get_result)                                                                         \
	X(data_entry)                                                                              \
	X(data_change)

#endif
