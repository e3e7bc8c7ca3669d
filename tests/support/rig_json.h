/*
 * rig_json.h - members of JSON maps, for the files of the rig.
 */
#ifndef TESTS_SUPPORT_RIG_JSON_H
#define TESTS_SUPPORT_RIG_JSON_H

#include <jansson.h>

static inline const char *text_of(const json_t *map, const char *key)
{
	return json_string_value(json_object_get(map, key));
}

static inline json_int_t int_of(const json_t *map, const char *key)
{
	return json_integer_value(json_object_get(map, key));
}

static inline bool is_true(const json_t *map, const char *key)
{
	return json_is_true(json_object_get(map, key));
}

#endif
