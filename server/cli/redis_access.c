/*
 * redis_access.c - reads the files that an address of Redis names.
 */
#include "server/cli/redis_access.h"

#include <stdlib.h>

#include "server/cli/data_dir.h"

static enum err access_password_file(struct redis_address *a, const char *path,
				     enum err (*set)(struct redis_address *a, struct slice content,
						     struct errmsg *why),
				     struct errmsg *why)
{
	struct buf content = {.max = 2 * DATA_DIR_FILE_BYTES_MAX};
	enum err e = data_dir_read_file(path, true, &content, why);
	if (e == OK && (e = set(a, buf_slice(&content), why)) != OK) {
		errmsg_prefix(why, path);
	}
	buf_finish(&content);
	return e;
}

static enum err access_password(struct redis_address *a, struct errmsg *why)
{
	const char *given = getenv(REDIS_PASSWORD_VARIABLE);
	if (a->password[0] != '\0') {
		return OK;
	}
	if (a->password_file[0] == '\0') {
		enum err e =
			given == NULL ? OK : redis_address_set_password(a, slice_str(given), why);
		if (e != OK) {
			errmsg_prefix(why, REDIS_PASSWORD_VARIABLE);
		}
		return e;
	}
	return access_password_file(a, a->password_file, redis_address_set_password, why);
}

/* Nothing of a file that is not named. */
static enum err access_read(const char *path, bool is_secret, struct buf *out, struct errmsg *why)
{
	return path[0] == '\0' ? OK : data_dir_read_file(path, is_secret, out, why);
}

static enum err access_tls(const struct redis_address *a, struct tls_context **tls,
			   struct errmsg *why)
{
	struct buf authorities = {.max = 2 * DATA_DIR_FILE_BYTES_MAX};
	struct buf certificate = {.max = 2 * DATA_DIR_FILE_BYTES_MAX};
	struct buf key = {.max = 2 * DATA_DIR_FILE_BYTES_MAX};
	enum err e = access_read(a->authorities, false, &authorities, why);
	e = e != OK ? e : access_read(a->certificate, false, &certificate, why);
	e = e != OK ? e : access_read(a->key, true, &key, why);
	/* An empty file is not the same as no file. */
	if (e == OK && ((a->authorities[0] != '\0' && authorities.len == 0) ||
			(a->certificate[0] != '\0' && certificate.len == 0))) {
		errmsg_set(why, "a file of ca= or cert= in the Redis address is empty");
		e = ERR_INVALID;
	}
	if (e == OK) {
		e = tls_context_trust(buf_slice(&authorities), buf_slice(&certificate),
				      buf_slice(&key), tls, why);
		if (e != OK) {
			errmsg_prefix(why, "ca=, cert= or key= of the Redis address");
		}
	}
	buf_finish(&authorities);
	buf_finish(&certificate);
	buf_finish(&key);
	return e;
}

enum err redis_access_complete(struct redis_address *a, struct tls_context **tls,
			       struct errmsg *why)
{
	enum err e = access_password(a, why);
	(void)unsetenv(REDIS_PASSWORD_VARIABLE);
	*tls = NULL;
	if (e == OK && a->sentinel_password_file[0] != '\0') {
		e = access_password_file(a, a->sentinel_password_file,
					 redis_address_set_sentinel_password, why);
	}
	if (e == OK && a->is_tls) {
		e = access_tls(a, tls, why);
	}
	return e;
}
