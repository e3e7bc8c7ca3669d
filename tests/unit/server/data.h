/*
 * data.h - requests for the tests of shared data, so that each says what it is
 * about. Requests name a set of the rig's room; `more` is the rest of the
 * params.
 */
#ifndef TESTS_UNIT_SERVER_DATA_H
#define TESTS_UNIT_SERVER_DATA_H

#include <stdio.h>

#include <msgpack.h>

#include "proto/rpc.h"
#include "tests/unit/server/table.h"

#define DATA_PARAMS		 "'room_id':'%s','name':'%s'%s%s"
#define DATA_ARGS(p, name, more) (p)->rig->room_id, name, (more)[0] == '\0' ? "" : ",", more

static inline const char *data_must(struct rig_peer *p, const char *method, const char *name,
				    const char *more)
{
	return rig_must(p, method, DATA_PARAMS, DATA_ARGS(p, name, more));
}

static inline uint32_t data_send(struct rig_peer *p, const char *method, const char *name,
				 const char *more)
{
	return rig_send(p, method, DATA_PARAMS, DATA_ARGS(p, name, more));
}

static inline const char *data_refused(struct rig_peer *p, const char *method, const char *name,
				       const char *more)
{
	return rig_refused(p, method, DATA_PARAMS, DATA_ARGS(p, name, more));
}

/* "ok", or the code of the refusal and its field. */
static inline const char *data_code(struct rig_peer *p, const char *method, const char *name,
				    const char *more)
{
	return rig_code(p, method, DATA_PARAMS, DATA_ARGS(p, name, more));
}

static inline void data_set(struct rig_peer *p, const char *map, const char *key, const char *value)
{
	char more[512];
	(void)snprintf(more, sizeof(more), "'key':'%s','value':%s", key, value);
	(void)data_must(p, "map.set", map, more);
}

static inline void data_push(struct rig_peer *p, const char *list, const char *value)
{
	char more[512];
	(void)snprintf(more, sizeof(more), "'value':%s", value);
	(void)data_must(p, "list.push", list, more);
}

static inline void data_show(struct rig_peer *p, const char *presence, const char *value)
{
	char more[512];
	(void)snprintf(more, sizeof(more), "'value':%s", value);
	(void)data_must(p, "presence.set", presence, more);
}

/* A list with these values, one character each, pushed by the peer. */
static inline void data_fill(struct rig_peer *p, const char *list, const char *letters)
{
	(void)data_must(p, "list.create", list, "");
	for (; *letters != '\0'; letters++) {
		char value[4] = {'\'', *letters, '\''};
		data_push(p, list, value);
	}
}

/* ---- values that are too large for a line ---- */

static inline int data_pack_into(void *b, const char *bytes, size_t len)
{
	return buf_append(b, bytes, len) == OK ? 0 : -1;
}

static inline void data_pack_text(msgpack_packer *p, const char *text)
{
	msgpack_pack_str(p, strlen(text));
	msgpack_pack_str_body(p, text, strlen(text));
}

/* A text that packs to exactly that many bytes, 259 or more; the caller finishes it. */
static inline struct buf data_value_of(size_t len)
{
	struct buf b = {.max = SIZE_MAX / 2};
	msgpack_packer p;
	msgpack_packer_init(&p, &b, data_pack_into);
	msgpack_pack_str(&p, len - 3);
	while (b.len < len) {
		assert_int_equal(buf_append(&b, "v", 1), OK);
	}
	return b;
}

/* Lists in lists, `depth` levels. */
static inline struct buf data_value_deep(size_t depth)
{
	struct buf b = {.max = SIZE_MAX / 2};
	for (size_t i = 0; i < depth; i++) {
		assert_int_equal(buf_append(&b, i + 1 == depth ? "\x90" : "\x91", 1), OK);
	}
	return b;
}

/* Send a request whose value is packed already; key may be NULL. What became of it. */
static inline const char *data_raw(struct rig_peer *p, const char *method, const char *name,
				   const char *key, struct slice value)
{
	struct buf params = {.max = SIZE_MAX / 2};
	struct buf out = {.max = SIZE_MAX / 2};
	msgpack_packer packer;
	msgpack_packer_init(&packer, &params, data_pack_into);
	msgpack_pack_map(&packer, key == NULL ? 3 : 4);
	data_pack_text(&packer, "room_id");
	data_pack_text(&packer, p->rig->room_id);
	data_pack_text(&packer, "name");
	data_pack_text(&packer, name);
	if (key != NULL) {
		data_pack_text(&packer, "key");
		data_pack_text(&packer, key);
	}
	data_pack_text(&packer, "value");
	assert_int_equal(buf_append_slice(&params, value), OK);
	rpc_write_request_raw(&out, ++p->last_msgid, slice_str(method), buf_slice(&params));
	rig_bytes(p, buf_slice(&out));
	buf_finish(&params);
	buf_finish(&out);
	return rig_outcome(p, p->last_msgid);
}

#endif
