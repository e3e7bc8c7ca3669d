/*
 * env_format_lmdb.c - see env_format_lmdb.h.
 */
#include "store/lmdb/env_format_lmdb.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "store/base/index_fill.h"
#include "store/lmdb/txn_lmdb.h"

#define ENV_STAMP "aye table "

static const char *const env_db_names[] = {[KV_META] = "meta",
					   [KV_ITEMS] = "items",
					   [KV_TOKENS] = "tokens",
					   [KV_TOKEN_TIMES] = "token_times",
#define ENV_INDEX_NAME(symbol, name) [KV_INDEX + INDEX_##symbol] = "index:" name,
					   INDEXES(ENV_INDEX_NAME)
#undef ENV_INDEX_NAME
};

const char *env_db_name(unsigned db)
{
	return env_db_names[db];
}

/* The format of a stamp; 0 where it is none of ours. */
static long env_format_of(struct slice stamp)
{
	char text[64];
	if (stamp.len >= sizeof(text) || !slice_starts(stamp, SLICE(ENV_STAMP))) {
		return 0;
	}
	memcpy(text, stamp.data, stamp.len);
	text[stamp.len] = '\0';
	return strtol(text + strlen(ENV_STAMP), NULL, 10);
}

bool env_format_is_known(struct slice stamp)
{
	return env_format_of(stamp) == ENV_FORMAT;
}

/* New data get the stamp of this format. */
static enum err env_settle_stamp(struct kv *kv, const struct env_options *o, bool is_new,
				 struct errmsg *why)
{
	struct slice stamp;
	char text[64];
	if (is_new) {
		size_t len = format_to(text, sizeof(text), ENV_STAMP "%d", ENV_FORMAT);
		return kv_put(kv, KV_META, SLICE("format"), slice_of(text, len));
	}
	if (kv_get(kv, KV_META, SLICE("format"), &stamp) != OK || stamp.len <= strlen(ENV_STAMP) ||
	    !slice_starts(stamp, SLICE(ENV_STAMP))) {
		errmsg_set(why, "%s: data.mdb is not an aye data file", o->directory);
		return ERR_CORRUPT;
	}
	long format = env_format_of(stamp);
	if (format == ENV_FORMAT) {
		return OK;
	}
	if (format < 1) {
		errmsg_set(why, "%s: the data's format stamp is damaged", o->directory);
		return ERR_CORRUPT;
	}
	errmsg_set(why, "%s: the data have format %ld, this program supports format %d: use %s",
		   o->directory, format, ENV_FORMAT,
		   format > ENV_FORMAT ? "a newer one" : "an older one");
	return ERR_VERSION;
}

/* Data without an owner were loaded: they get the owner that first opens them for writing. */
static enum err env_settle_owner(struct kv *kv, const struct env_options *o, struct errmsg *why)
{
	struct slice owner;
	if (o->owner.len == 0 || o->owner.len > ENV_OWNER_BYTES_MAX) {
		return OK;
	}
	enum err e = kv_get(kv, KV_META, SLICE("owner"), &owner);
	if (e == OK && !slice_eq(owner, o->owner)) {
		errmsg_set(why,
			   "%s: server.key does not belong to these data; restore the one from the "
			   "same backup",
			   o->directory);
		return ERR_CONFLICT;
	}
	if (e != ERR_NOT_FOUND) {
		return e;
	}
	return o->read_only ? OK : kv_put(kv, KV_META, SLICE("owner"), o->owner);
}

/* An index may be newer than the data: its database is made then, or absent where they are only read. */
static enum err env_open_database(struct lmdb_txn *v, unsigned db, bool read_only)
{
	struct env *env = v->env;
	int code = mdb_dbi_open(v->txn, env_db_names[db], 0, &env->dbi[db]);
	if (code == MDB_NOTFOUND) {
		env->absent |= KV_BIT(db);
		code = read_only
			       ? MDB_SUCCESS
			       : mdb_dbi_open(v->txn, env_db_names[db], MDB_CREATE, &env->dbi[db]);
	}
	return env_err(code);
}

/* Data lack no other database; nor an index if they have one that we do not know: it may be its own, with its name altered. */
static enum err env_check_absent(const struct env *env, const struct env_options *o, size_t named,
				 struct errmsg *why)
{
	size_t known = 0;
	unsigned first = KV_COUNT;
	for (unsigned db = KV_COUNT; db-- > 0;) {
		bool is_absent = (env->absent & KV_BIT(db)) != 0;
		known += !is_absent;
		first = is_absent ? db : first;
	}
	if (first == KV_COUNT || (first >= KV_INDEX && named == known)) {
		return OK;
	}
	errmsg_set(why, "%s: database %s is missing", o->directory, env_db_names[first]);
	return ERR_CORRUPT;
}

/* Within one transaction: is it ours, is it new, and which databases has it. */
static enum err env_open_databases(struct lmdb_txn *v, const struct env_options *o,
				   struct errmsg *why)
{
	struct env *env = v->env;
	struct slice lost;
	MDB_stat stat;
	MDB_dbi names;
	int code = mdb_dbi_open(v->txn, NULL, 0, &names);
	if (code == MDB_SUCCESS) {
		code = mdb_stat(v->txn, names, &stat);
	}
	if (code != MDB_SUCCESS) {
		return env_err(code);
	}
	bool is_new = stat.ms_entries == 0 && !o->read_only;
	code = mdb_dbi_open(v->txn, env_db_names[KV_META], is_new ? MDB_CREATE : 0,
			    &env->dbi[KV_META]);
	if (code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE) {
		errmsg_set(why, "%s: data.mdb is not an aye data file", o->directory);
		return ERR_CORRUPT;
	}
	enum err e = env_err(code);
	e = e == OK ? env_settle_stamp(&v->kv, o, is_new, why) : e;
	e = e == OK ? env_settle_owner(&v->kv, o, why) : e;
	if (e == OK && kv_get(&v->kv, KV_META, SLICE(LOST_RANGES_NAME), &lost) == OK) {
		e = lost_ranges_read(&env->lost, lost);
		if (e != OK) {
			errmsg_set(why, "%s: the list of lost items is damaged", o->directory);
		}
	}
	for (unsigned i = 0; i < KV_COUNT && e == OK; i++) {
		e = env_open_database(v, i, o->read_only);
	}
	if (e == OK && o->read_only) {
		return env_check_absent(env, o, stat.ms_entries, why);
	}
	if (e == OK && !is_new && env->absent != 0) {
		e = index_fill(&v->kv, env->absent);
	}
	env->absent = 0;
	return e;
}

enum err env_format_open(struct env *env, const struct env_options *o, struct errmsg *why)
{
	struct lmdb_txn v;
	why->text[0] = '\0';
	enum err e = lmdb_txn_begin(&v, env, !o->read_only);
	if (e == OK) {
		e = env_open_databases(&v, o, why);
		if (e == OK) {
			e = lmdb_txn_commit(&v);
		} else {
			lmdb_txn_abort(&v);
		}
	}
	if (e != OK && why->text[0] == '\0') {
		errmsg_set(why, "%s: cannot open the data: %s", o->directory, err_text(e));
	}
	return e;
}
