/*
 * login_items.c - the items of a session and of its user, as they are written
 * and read.
 *
 *   TOKEN:{hash}      the session
 *   USER_NAME:{name}  that the name has it; both end at the same time
 *   USER:{user_id}    who has a key, for ever
 */
#include "server/core/login_items.h"

#include "proto/text.h"

static struct slice join(struct arena *arena, const char *prefix, struct slice rest, bool *ok)
{
	size_t n = strlen(prefix);
	char *text = arena_alloc(arena, n + rest.len + 1);
	if (text == NULL) {
		*ok = false;
		return (struct slice){0};
	}
	memcpy(text, prefix, n);
	memcpy(text + n, rest.data, rest.len);
	return slice_of(text, n + rest.len);
}

struct slice login_token_pk(struct errand *er, const struct key_text *hash, bool *ok)
{
	return join(&er->arena, item_rows[ITEM_TOKEN].pk_prefix, slice_of(hash->text, KEY_CHARS),
		    ok);
}

struct slice login_name_pk(struct errand *er, const struct login *l, bool *ok)
{
	return join(&er->arena, item_rows[ITEM_USER_NAME].pk_prefix, slice_str(l->name_key), ok);
}

struct slice login_user_pk(struct errand *er, const struct login *l, bool *ok)
{
	return join(&er->arena, item_rows[ITEM_USER].pk_prefix, slice_str(l->user_id), ok);
}

static struct slice encode(struct errand *er, const struct record *rec, const void *item, bool *ok)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	record_write(rec, item, &b);
	*ok = *ok && b.error == OK;
	struct slice kept = *ok ? arena_copy(&er->arena, buf_slice(&b), ok) : (struct slice){0};
	buf_finish(&b);
	return kept;
}

struct store_op login_put_token(struct server *s, struct errand *er, enum store_expect expect,
				bool *ok)
{
	const struct login *l = er->login;
	struct token_item item = {
		.created_on = l->created_on,
		.updated_on = s->now.wall_ms,
		.user_id = slice_str(l->user_id),
		.user_name = slice_str(l->user_name),
		.name_key = slice_str(l->name_key),
		.expires_at = l->expires_at,
	};
	return (struct store_op){
		.kind = STORE_PUT,
		.expect = expect,
		.pk = login_token_pk(er, &l->token_hash, ok),
		.sk = slice_str(item_rows[ITEM_TOKEN].sk),
		.value = encode(er, &record_token_item, &item, ok),
	};
}

struct store_op login_put_name(struct server *s, struct errand *er, bool *ok)
{
	const struct login *l = er->login;
	struct user_name_item item = {
		.created_on = l->created_on,
		.updated_on = s->now.wall_ms,
		.user_id = slice_str(l->user_id),
		.token_hash = slice_of(l->token_hash.text, KEY_CHARS),
		.expires_at = l->expires_at,
	};
	return (struct store_op){
		.kind = STORE_PUT,
		.pk = login_name_pk(er, l, ok),
		.sk = slice_str(item_rows[ITEM_USER_NAME].sk),
		.value = encode(er, &record_user_name_item, &item, ok),
	};
}

struct store_op login_put_user(struct server *s, struct errand *er, bool *ok)
{
	const struct login *l = er->login;
	struct user_item item = {
		.created_on = er->user_created_on != 0 ? er->user_created_on : s->now.wall_ms,
		.updated_on = s->now.wall_ms,
		.user_name = slice_str(l->user_name),
		.public_key = slice_of(er->public_key, KEY_CHARS),
	};
	return (struct store_op){
		.kind = STORE_PUT,
		.pk = login_user_pk(er, l, ok),
		.sk = slice_str(item_rows[ITEM_USER].sk),
		.value = encode(er, &record_user_item, &item, ok),
	};
}

/* Where the session is gone, the name may be the next one's already. */
void login_delete(struct errand *er, const struct login *l, struct store_op ops[2], bool *ok)
{
	ops[0] = (struct store_op){.kind = STORE_DELETE,
				   .expect = STORE_EXPECT_PRESENT,
				   .pk = login_token_pk(er, &l->token_hash, ok),
				   .sk = slice_str(item_rows[ITEM_TOKEN].sk)};
	ops[1] = (struct store_op){.kind = STORE_DELETE,
				   .pk = login_name_pk(er, l, ok),
				   .sk = slice_str(item_rows[ITEM_USER_NAME].sk)};
}

/* The one item that the partition has, decoded into out; ERR_NOT_FOUND where there is none. */
enum err login_read_one(struct errand *er, const struct event *e, enum item_kind kind, void *out)
{
	struct fault fault;
	if (e->result != OK) {
		return e->result;
	}
	for (size_t i = 0; i < e->n; i++) {
		if (item_kind_of(e->items[i].pk, e->items[i].sk) == kind) {
			enum err r = record_from_bytes(item_rows[kind].record, e->items[i].value,
						       RECORD_LENIENT, &er->arena, out, &fault);
			return r == OK || r == ERR_NOMEM ? r : ERR_CORRUPT;
		}
	}
	return ERR_NOT_FOUND;
}
