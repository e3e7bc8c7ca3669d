/*
 * reply.c - see reply.h.
 */
#include "client/net/reply.h"

#include <string.h>

#include "client/model/memory.h"
#include "client/net/connection_uv.h"
#include "proto/records/record.h"
#include "proto/rpc.h"

void *reply_read_record(const struct record *record, const struct msgpack_object *o,
			struct arena *arena)
{
	struct fault ignored;
	void *out = memory_have(arena_alloc(arena, record->size + 1));
	memset(out, 0, record->size);
	bool is_nothing = o == NULL && record->n == 0;
	bool is_read = o != NULL && memory_check(record_from_object(record, o, RECORD_LENIENT,
								    arena, out, &ignored)) == OK;
	return is_nothing || is_read ? out : NULL;
}

/* What this program knows, and the server does not, came with a later version. */
static void reply_name_old_server(struct reply *r, const struct answer *a)
{
	if (r->fault.code == FAULT_UNKNOWN_METHOD && a->method != METHOD_COUNT) {
		fault_set(&r->fault, FAULT_UNKNOWN_METHOD,
			  "the server (%s) is too old for this aye (%s); ask its administrator to "
			  "upgrade it",
			  a->server, AYE_VERSION);
	}
}

void reply_read(struct reply *r, const struct answer *a, bool is_by_name, struct arena *arena)
{
	*r = (struct reply){.method = a->method, .error = a->e};
	r->value = a->refusal != NULL ? a->refusal : a->result;
	r->is_refused = a->e != OK || a->refusal != NULL;
	if (a->e != OK) {
		fault_set(&r->fault, FAULT_UNAVAILABLE,
			  "the connection was lost before the server answered; check before you "
			  "repeat it");
	} else if (a->refusal != NULL) {
		rpc_read_fault(a->refusal, arena, &r->fault);
		reply_name_old_server(r, a);
	} else if (!is_by_name) {
		r->result = reply_read_record(method_rows[a->method].result, a->result, arena);
	}
	if (!r->is_refused && !is_by_name && r->result == NULL) {
		r->error = ERR_PROTO;
		r->is_refused = true;
		fault_set(&r->fault, FAULT_UNAVAILABLE, REPLY_UNREADABLE);
	}
}

void reply_write(const struct reply *r, struct buf *out)
{
	if (r->value != NULL) {
		rpc_write_object(out, r->value);
	} else {
		(void)buf_append(out, "\xc0", 1);
	}
}
