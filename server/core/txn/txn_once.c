/*
 * txn_once.c - repeats of a request with an idempotency_key.
 *
 * What a changing method answered is an item of its own, in the commit of the
 * change: neither is there without the other. A request with a key reads that
 * item first. Where it exists, its result is the answer; where it does not, the
 * commit expects that it still does not, so that of two at once one is the first
 * and the other runs again and finds it. What refuses commits nothing: on several nodes it looks for a
 * first result once more (once_looks_again()).
 *
 * Whose repeat it is: of a method that needs a login the user's, of any other
 * the peer's (the user of a unix socket, else the address), since a session may
 * be what the first call began. Caller and key are in the table as keyed hashes:
 * a caller with the key might be given a secret for it. The result is encrypted with
 * what is derived from both: a day long the table has what was answered, also of what has
 * been deleted meanwhile, and only who repeats the call can read it.
 *
 * A result that has a secret is not kept: the handler makes it again
 * (t->is_repeat) from what it wrote and what txn_make_key() derives.
 */
#include "server/core/txn/txn_priv.h"

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/base/wipe.h"
#include "proto/keys/seal.h"
#include "server/core/conns/rate_limit.h"

void once_begin(struct transaction *ta, const struct conn *c, struct slice key)
{
	enum { CALLER_BYTES = ADDRESS_NAME_BYTES + MAX_NAME_BYTES, KEY_BYTES = 64 };
	char text[CALLER_BYTES + 1 + KEY_BYTES];
	if (key.len == 0 || ta->row->effect != EFFECT_CHANGES) {
		return;
	}
	size_t len = request_is_of_user(ta->row)
			     ? format_to(text, CALLER_BYTES, "user %s", ta->txn.session->user_id)
			     : address_name(c, text, CALLER_BYTES);
	ta->once_pk = key_hash(ta->txn.server_key, "once caller", slice_of(text, len));
	ASSERT_CMP(key.len, <=, KEY_BYTES);
	text[len++] = '#';
	memcpy(text + len, key.data, key.len);
	len += key.len;
	ta->once_sk = key_hash(ta->txn.server_key, "once key", slice_of(text, len));
	ta->once = txn_join(ta, &ta->request, "", 0, slice_of(text, len));
}

struct key_text txn_make_key(struct txn *t, struct slice with)
{
	struct transaction *ta = transaction_of(t);
	unsigned char bytes[SEED_BYTES];
	if (ta->once.len == 0) {
		return key_make(t->random);
	}
	/* The end of `once` cannot be confused with the beginning of `with`: it is hashed first. */
	struct key_text once = key_hash(t->server_key, "once made", ta->once);
	struct slice input = txn_join(ta, &ta->made, once.text, KEY_CHARS, with);
	derive_bytes(t->server_key, ta->row->name, input, bytes, sizeof(bytes));
	return key_from_bytes(bytes);
}

/* With what the result is encrypted; the table has nothing that leads to it. */
static void once_key(const struct transaction *ta, unsigned char key[SEED_BYTES])
{
	derive_bytes(ta->txn.server_key, "once result", ta->once, key, SEED_BYTES);
}

static bool has_secret(const struct record *rec)
{
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		if ((f->flags & FIELD_SECRET) != 0 || (f->of != NULL && has_secret(f->of))) {
			return true;
		}
	}
	return false;
}

static enum txn_step once_answer(struct transaction *ta, const struct once_item *first)
{
	struct txn *t = &ta->txn;
	struct fault fault;
	if (!slice_eq(first->method, slice_str(ta->row->name))) {
		fault_field(&t->fault, "idempotency_key", "was used for another method");
		return TXN_REFUSED;
	}
	if (has_secret(ta->row->result)) {
		t->is_repeat = true;
		t->done_at = first->updated_on;
		return ta->run(t);
	}
	unsigned char key[SEED_BYTES];
	struct buf b = {.max = MAX_FRAME_BYTES};
	once_key(ta, key);
	enum err e = seal_open(key, first->sealed, &b);
	wipe(key, sizeof(key));
	if (e == OK) {
		e = record_from_bytes(ta->row->result, buf_slice(&b), RECORD_LENIENT, &ta->made,
				      t->result, &fault);
	}
	buf_finish(&b);
	if (e == ERR_NOMEM) {
		txn_lacks_memory(ta);
	}
	if (e != OK) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the first result cannot be read");
	}
	return TXN_DONE;
}

static void once_remember(struct transaction *ta)
{
	unsigned char key[SEED_BYTES];
	struct buf b = {.max = MAX_FRAME_BYTES}, sealed = {.max = SEALED_CHARS(MAX_FRAME_BYTES)};
	struct once_item item = {.method = slice_str(ta->row->name),
				 .result = SLICE("\xc0"),
				 .expires_at = ta->once_until};
	enum err e = OK;
	if (!has_secret(ta->row->result)) {
		once_key(ta, key);
		record_write(ta->row->result, ta->txn.result, &b);
		e = b.error != OK ? b.error : seal(key, ta->txn.random, buf_slice(&b), &sealed);
		wipe(key, sizeof(key));
		item.sealed = buf_slice(&sealed);
	}
	if (e == OK) {
		txn_put(&ta->txn, ITEM_DIRECTORY_ONCE, slice_str(ta->once_pk.text),
			slice_str(ta->once_sk.text), &item);
	} else {
		txn_lacks_memory(ta);
	}
	buf_finish(&b);
	buf_finish(&sealed);
}

void txn_keep_result(struct txn *t, int64_t until)
{
	struct transaction *ta = transaction_of(t);
	ta->once_until = until > ta->once_until ? until : ta->once_until;
}

enum txn_step once_run(struct transaction *ta)
{
	struct txn *t = &ta->txn;
	t->is_repeat = false;
	t->done_at = t->wall_ms;
	ta->once_until = t->wall_ms + MAX_ONCE_LIFE_MS;
	if (ta->once.len == 0) {
		return ta->run(t);
	}
	const struct once_item *first = txn_get(t, ITEM_DIRECTORY_ONCE, slice_str(ta->once_pk.text),
						slice_str(ta->once_sk.text));
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (first != NULL && first->expires_at > t->wall_ms) {
		return once_answer(ta, first);
	}
	enum txn_step step = ta->run(t);
	if (step == TXN_DONE && ta->failed == OK) {
		once_remember(ta);
	}
	ta->has_looked_again = ta->has_looked_again && step != TXN_DONE;
	return step;
}

bool once_looks_again(struct transaction *ta)
{
	struct slice pk, sk;
	if (ta->server->cluster == NULL || ta->once.len == 0 || ta->has_looked_again) {
		return false;
	}
	txn_item_key(ta, &ta->made, ITEM_DIRECTORY_ONCE, slice_str(ta->once_pk.text),
		     slice_str(ta->once_sk.text), &pk, &sk);
	struct live_item *item = live_item_find(ta->server, pk, sk);
	if (item != NULL) {
		live_item_forget(item);
	}
	ta->has_looked_again = true;
	return true;
}
