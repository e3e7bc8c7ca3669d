/*
 * room_app_create_uv.c - a room is made on home's connection, and gone into.
 */
#include "client/app/room_app_parts.h"

#include <string.h>

#include <sodium.h>

#include "client/model/memory.h"
#include "proto/format.h"
#include "proto/rpc.h"

static void room_app_home_made(struct room_app *app, const struct room_create_result *r)
{
	char room_id[CODE_CHARS_MAX + 1];
	char host_key[KEY_CHARS + 1];
	struct errmsg why = {""};
	(void)format_to(room_id, sizeof(room_id), "%.*s", (int)r->room_id.len, r->room_id.data);
	(void)format_to(host_key, sizeof(host_key), "%.*s", (int)r->host_key.len, r->host_key.data);
	enum err e =
		app->o->memory->choose(app->o->owner, NULL, room_id, host_key, &app->entry, &why);
	sodium_memzero(host_key, sizeof(host_key));
	if (e != OK) {
		room_app_home_stay(app, why.text[0] != '\0' ? why.text : err_text(e));
		return;
	}
	room_app_home_go(app);
	if (why.text[0] != '\0') {
		room_app_say(app, why.text);
	}
}

static void room_app_home_on_created(void *arg, uint32_t id, enum err e,
				     const struct msgpack_object *refusal,
				     const struct msgpack_object *result)
{
	struct room_app *app = arg;
	struct arena arena = {0};
	struct room_create_result r;
	struct fault f;
	(void)id;
	app->home.is_creating = false;
	room_app_say(app, "");
	if (e != OK) {
		room_app_answer(app, "The connection was lost on the way: try again");
	} else if (refusal != NULL) {
		rpc_read_fault(refusal, &f);
		room_app_answer_fault(app, &f);
	} else if (result == NULL || record_from_object(&record_room_create_result, result,
							RECORD_LENIENT, &arena, &r, &f) != OK) {
		room_app_answer(app, "The server's answer makes no sense");
	} else {
		room_app_home_made(app, &r);
	}
	arena_finish(&arena);
}

void room_app_home_create(struct room_app *app, struct request *r)
{
	if (app->follow != NULL) {
		room_app_home_settle(app);
	}
	if (app->home.link == NULL || !connection_is_up(app->home.link)) {
		room_app_answer(app, "No connection: try again in a moment");
		return;
	}
	struct buf params;
	unsigned char bytes[SEED_BYTES];
	randombytes_buf(bytes, sizeof(bytes));
	struct key_text once = key_from_bytes(bytes);
	request_fill_common(r, &(struct request_common){.idempotency_key = once.text});
	buf_init(&params, MAX_FRAME_BYTES);
	record_write(method_rows[r->method].params, r->params, &params);
	enum err e = params.error;
	if (e == OK) {
		e = connection_request(app->home.link, slice_str(method_rows[r->method].name),
				       buf_slice(&params), room_app_home_on_created, app, NULL);
	}
	buf_finish(&params);
	if (memory_check(e) != OK) {
		room_app_answer(app, err_text(e));
		return;
	}
	app->home.is_creating = true;
	room_app_say(app, "Making a room.");
}
