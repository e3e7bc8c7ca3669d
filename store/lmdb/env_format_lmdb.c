/*
 * env_format_lmdb.c - see env_format_lmdb.h.
 */
#include "store/lmdb/env_format_lmdb.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

#include "proto/format.h"

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
	long format = env_format_of(stamp);
	return format >= 1 && format <= ENV_FORMAT;
}

static enum err env_check_stamp(MDB_txn *txn, unsigned meta, const char *directory, long *format,
				struct errmsg *why)
{
	MDB_val key = {.mv_size = strlen("format"), .mv_data = (char[]){"format"}};
	MDB_val value;
	int code = mdb_get(txn, meta, &key, &value);
	if (code != MDB_SUCCESS || value.mv_size <= strlen(ENV_STAMP) ||
	    memcmp(value.mv_data, ENV_STAMP, strlen(ENV_STAMP)) != 0) {
		errmsg_set(why, "%s: data.mdb holds something else than our data", directory);
		return ERR_CORRUPT;
	}
	*format = env_format_of(slice_of(value.mv_data, value.mv_size));
	if (*format > ENV_FORMAT) {
		errmsg_set(why,
			   "%s: the data have format %ld, this program knows formats up to %d: use "
			   "a newer one",
			   directory, *format, ENV_FORMAT);
		return ERR_VERSION;
	}
	if (*format < 1) {
		errmsg_set(why, "%s: the data's format stamp is damaged", directory);
		return ERR_CORRUPT;
	}
	return OK;
}

static int env_put_stamp(MDB_txn *txn, unsigned meta)
{
	char text[64];
	size_t len = format_to(text, sizeof(text), ENV_STAMP "%d", ENV_FORMAT);
	MDB_val key = {.mv_size = strlen("format"), .mv_data = (char[]){"format"}};
	MDB_val value = {.mv_size = len, .mv_data = text};
	return mdb_put(txn, meta, &key, &value, 0);
}

/* What is new, or is about to be written in ways that older programs do not know, says so. */
static enum err env_settle_stamp(MDB_txn *txn, unsigned meta, const struct env_options *o,
				 bool is_new, struct errmsg *why)
{
	long format = 0;
	enum err e = is_new ? OK : env_check_stamp(txn, meta, o->directory, &format, why);
	if (e != OK || format == ENV_FORMAT || o->read_only) {
		return e;
	}
	int code = env_put_stamp(txn, meta);
	return code == MDB_SUCCESS ? OK : env_fail(why, o->directory, "open", code);
}

static int env_get_meta(MDB_txn *txn, unsigned meta, const char *name, MDB_val *value)
{
	char text[16];
	size_t len = format_to(text, sizeof(text), "%s", name);
	MDB_val key = {.mv_size = len, .mv_data = text};
	return mdb_get(txn, meta, &key, value);
}

/* Data without an owner are older, or were loaded: they get the owner that first opens them for writing. */
static enum err env_settle_owner(MDB_txn *txn, unsigned meta, const struct env_options *o,
				 struct errmsg *why)
{
	char name[] = "owner", bytes[ENV_OWNER_BYTES_MAX];
	MDB_val key = {.mv_size = strlen(name), .mv_data = name};
	MDB_val value;
	if (o->owner.len == 0 || o->owner.len > sizeof(bytes)) {
		return OK;
	}
	int code = env_get_meta(txn, meta, name, &value);
	if (code == MDB_SUCCESS && !slice_eq(slice_of(value.mv_data, value.mv_size), o->owner)) {
		errmsg_set(why,
			   "%s: server.key is not the one that these data were made with; put "
			   "back the one that is, from the same backup",
			   o->directory);
		return ERR_CONFLICT;
	}
	if (code == MDB_NOTFOUND && !o->read_only) {
		memcpy(bytes, o->owner.data, o->owner.len);
		value = (MDB_val){.mv_size = o->owner.len, .mv_data = bytes};
		code = mdb_put(txn, meta, &key, &value, 0);
	}
	return code == MDB_SUCCESS || code == MDB_NOTFOUND
		       ? OK
		       : env_fail(why, o->directory, "open", code);
}

static enum err env_read_lost(struct env *env, MDB_txn *txn, const struct env_options *o,
			      struct errmsg *why)
{
	MDB_val value;
	int code = env_get_meta(txn, env->dbi[KV_META], LOST_RANGES_NAME, &value);
	if (code == MDB_NOTFOUND) {
		return OK;
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	enum err e = lost_ranges_read(&env->lost, slice_of(value.mv_data, value.mv_size));
	if (e != OK) {
		errmsg_set(why, "%s: the list of what was lost is damaged", o->directory);
	}
	return e;
}

static enum err env_open_rest(struct env *env, MDB_txn *txn, const struct env_options *o,
			      struct errmsg *why)
{
	for (unsigned i = 0; i < KV_COUNT; i++) {
		int code = mdb_dbi_open(txn, env_db_names[i], o->read_only ? 0 : MDB_CREATE,
					&env->dbi[i]);
		if (code == MDB_NOTFOUND) {
			errmsg_set(why, "%s: database %s is missing", o->directory,
				   env_db_names[i]);
			return ERR_CORRUPT;
		}
		if (code != MDB_SUCCESS) {
			return env_fail(why, o->directory, env_db_names[i], code);
		}
	}
	return OK;
}

/* Within one transaction: is it ours, is it new, and which databases has it. */
static enum err env_open_databases(struct env *env, MDB_txn *txn, const struct env_options *o,
				   struct errmsg *why)
{
	MDB_stat stat;
	MDB_dbi names;
	int code = mdb_dbi_open(txn, NULL, 0, &names);
	if (code == MDB_SUCCESS) {
		code = mdb_stat(txn, names, &stat);
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	bool is_new = stat.ms_entries == 0 && !o->read_only;
	code = mdb_dbi_open(txn, env_db_names[KV_META], is_new ? MDB_CREATE : 0,
			    &env->dbi[KV_META]);
	if (code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE) {
		errmsg_set(why, "%s: data.mdb holds something else than our data", o->directory);
		return ERR_CORRUPT;
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	enum err e = env_settle_stamp(txn, env->dbi[KV_META], o, is_new, why);
	e = e == OK ? env_settle_owner(txn, env->dbi[KV_META], o, why) : e;
	e = e == OK ? env_read_lost(env, txn, o, why) : e;
	return e == OK ? env_open_rest(env, txn, o, why) : e;
}

enum err env_format_open(struct env *env, const struct env_options *o, struct errmsg *why)
{
	MDB_txn *txn;
	int code = mdb_txn_begin(env->mdb, NULL, o->read_only ? MDB_RDONLY : 0, &txn);
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	enum err e = env_open_databases(env, txn, o, why);
	if (e != OK) {
		mdb_txn_abort(txn);
		return e;
	}
	code = mdb_txn_commit(txn);
	return code == MDB_SUCCESS ? OK : env_fail(why, o->directory, "open", code);
}
