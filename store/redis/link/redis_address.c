/*
 * redis_address.c - redis://, redis+unix://, redis+sentinel:// and redis+cluster://, and rediss with TLS.
 */
#include "store/redis/link/redis_address.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/base/wipe.h"
#include "proto/text/decimal.h"
#include "proto/text/host_port.h"

enum scheme_kind {
	SCHEME_TCP,
	SCHEME_TLS,
	SCHEME_UNIX,
	SCHEME_SENTINEL,
	SCHEME_SENTINEL_TLS,
	SCHEME_CLUSTER,
	SCHEME_CLUSTER_TLS
};

static const struct scheme {
	struct slice prefix;
	enum scheme_kind kind;
} schemes[] = {
	{SLICE_INIT("redis://"), SCHEME_TCP},
	{SLICE_INIT("rediss://"), SCHEME_TLS},
	{SLICE_INIT("redis+unix://"), SCHEME_UNIX},
	{SLICE_INIT("redis+sentinel://"), SCHEME_SENTINEL},
	{SLICE_INIT("rediss+sentinel://"), SCHEME_SENTINEL_TLS},
	{SLICE_INIT("redis+cluster://"), SCHEME_CLUSTER},
	{SLICE_INIT("rediss+cluster://"), SCHEME_CLUSTER_TLS},
};

static const struct scheme *scheme_of(struct slice text)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (slice_starts(text, schemes[i].prefix)) {
			return &schemes[i];
		}
	}
	return NULL;
}

bool redis_address_is_one(const char *text)
{
	return scheme_of(slice_str(text)) != NULL;
}

/* ---- pieces ---- */

static enum err refuse(struct errmsg *why, const char *text)
{
	errmsg_set(why, "%s", text);
	return ERR_INVALID;
}

/* Take what precedes the first such character, and the character. Without one: everything. */
static struct slice cut(struct slice *text, char at)
{
	const char *end = text->len == 0 ? NULL : memchr(text->data, at, text->len);
	size_t len = end == NULL ? text->len : (size_t)(end - text->data);
	size_t used = end == NULL ? len : len + 1;
	struct slice before = slice_of(text->data, len);
	*text = slice_of(text->data + used, text->len - used);
	return before;
}

/* Where the text goes on behind the last such character; 0: there is none. */
static size_t behind_last(struct slice text, char c)
{
	size_t at = text.len;
	while (at > 0 && text.data[at - 1] != c) {
		at--;
	}
	return at;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	char lower = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
	const char *at = c == '\0' ? NULL : strchr(digits, lower);
	return at == NULL ? -1 : (int)(at - digits);
}

/* Decode %XX into a string of `size` bytes with its terminator; it may have no NUL of its own. */
static bool decode(struct slice text, char *out, size_t size)
{
	size_t len = 0;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c == '%') {
			int high = i + 2 < text.len ? hex_digit(text.data[i + 1]) : -1;
			int low = i + 2 < text.len ? hex_digit(text.data[i + 2]) : -1;
			if (high < 0 || low < 0) {
				return false;
			}
			c = (char)(high * 16 + low);
			i += 2;
		}
		if (c == '\0' || len + 1 >= size) {
			return false;
		}
		out[len++] = c;
	}
	out[len] = '\0';
	return true;
}

static bool is_number(struct slice text, int64_t max, int32_t *out)
{
	int64_t number;
	if (!decimal_read(text, 0, max, &number)) {
		return false;
	}
	*out = (int32_t)number;
	return true;
}

/* ---- settings ---- */

enum setting_kind { SETTING_NUMBER, SETTING_FLAG, SETTING_FILE, SETTING_USER };
enum {
	IN_TCP = 1 << SCHEME_TCP,
	IN_TLS = 1 << SCHEME_TLS | 1 << SCHEME_SENTINEL_TLS | 1 << SCHEME_CLUSTER_TLS,
	IN_UNIX = 1 << SCHEME_UNIX,
	IN_SENTINEL = 1 << SCHEME_SENTINEL | 1 << SCHEME_SENTINEL_TLS,
	IN_CLUSTER = 1 << SCHEME_CLUSTER | 1 << SCHEME_CLUSTER_TLS,
	IN_ALL = IN_TCP | IN_TLS | IN_UNIX | IN_SENTINEL | IN_CLUSTER
};

static const struct setting {
	const char *name;
	enum setting_kind kind;
	unsigned schemes;
	int32_t max; /* SETTING_NUMBER */
	size_t offset;
} settings[] = {
#define SETTING(name, kind, schemes, max, member)                                          \
	{                                                                                  \
		name, SETTING_##kind, schemes, max, offsetof(struct redis_address, member) \
	}
	SETTING("replicas", NUMBER, IN_ALL, REDIS_REPLICAS_MAX, replicas),
	SETTING("volatile", FLAG, IN_ALL, 0, is_volatile),
	SETTING("password_file", FILE, IN_ALL, 0, password_file),
	SETTING("db", NUMBER, IN_UNIX, REDIS_DATABASE_MAX, database),
	SETTING("ca", FILE, IN_TLS, 0, authorities),
	SETTING("cert", FILE, IN_TLS, 0, certificate),
	SETTING("key", FILE, IN_TLS, 0, key),
	SETTING("sentinel_user", USER, IN_SENTINEL, 0, sentinel_user),
	SETTING("sentinel_password_file", FILE, IN_SENTINEL, 0, sentinel_password_file),
#undef SETTING
};
#define SETTINGS_N (sizeof(settings) / sizeof(settings[0]))

static enum err setting_read(const struct setting *row, struct slice value,
			     struct redis_address *out, struct errmsg *why)
{
	char *member = (char *)out + row->offset;
	if (row->kind == SETTING_NUMBER) {
		if (!is_number(value, row->max, (int32_t *)(void *)member)) {
			errmsg_set(why, "%s= of a Redis address is a number from 0 to %d",
				   row->name, (int)row->max);
			return ERR_INVALID;
		}
		return OK;
	}
	if (row->kind == SETTING_FLAG) {
		bool is_set = slice_eq(value, SLICE("1"));
		if (!is_set && !slice_eq(value, SLICE("0"))) {
			errmsg_set(why, "%s= of a Redis address is 0 or 1", row->name);
			return ERR_INVALID;
		}
		*(bool *)(void *)member = is_set;
		return OK;
	}
	if (row->kind == SETTING_USER) {
		if (!decode(value, member, REDIS_USER_BYTES_MAX + 1) || member[0] == '\0') {
			errmsg_set(why, "%s= of a Redis address has 1 to %d bytes", row->name,
				   REDIS_USER_BYTES_MAX);
			return ERR_INVALID;
		}
		return OK;
	}
	if (!decode(value, member, REDIS_FILE_BYTES_MAX + 1) || member[0] != '/') {
		errmsg_set(why,
			   "%s= of a Redis address is the path of a file, which starts with / and "
			   "has at most %d bytes",
			   row->name, REDIS_FILE_BYTES_MAX);
		return ERR_INVALID;
	}
	return OK;
}

/* The names of all settings of the scheme, for people. */
static void settings_list(enum scheme_kind scheme, char *out, size_t cap)
{
	size_t len = 0;
	for (size_t i = 0; i < SETTINGS_N; i++) {
		if ((settings[i].schemes & 1U << scheme) != 0) {
			len += format_to(out + len, cap - len, len == 0 ? "%s" : ", %s",
					 settings[i].name);
		}
	}
}

static enum err settings_read(struct slice query, enum scheme_kind scheme,
			      struct redis_address *out, struct errmsg *why)
{
	unsigned seen = 0;
	while (query.len > 0) {
		struct slice value = cut(&query, '&');
		struct slice name = cut(&value, '=');
		size_t i = 0;
		while (i < SETTINGS_N && ((settings[i].schemes & 1U << scheme) == 0 ||
					  !slice_eq(name, slice_str(settings[i].name)))) {
			i++;
		}
		if (i == SETTINGS_N) {
			char names[192];
			settings_list(scheme, names, sizeof(names));
			errmsg_set(why,
				   "unknown setting after ? in the Redis address; there are %s",
				   names);
			return ERR_INVALID;
		}
		if ((seen & 1U << i) != 0) {
			errmsg_set(why, "%s= stands twice in the Redis address", settings[i].name);
			return ERR_INVALID;
		}
		seen |= 1U << i;
		enum err e = setting_read(&settings[i], value, out, why);
		if (e != OK) {
			return e;
		}
	}
	if ((out->certificate[0] == '\0') != (out->key[0] == '\0')) {
		return refuse(why, "cert= and key= of a Redis address go together");
	}
	if (out->password[0] != '\0' && out->password_file[0] != '\0') {
		return refuse(why, "the Redis address has a password and password_file=; "
				   "keep the file");
	}
	return OK;
}

/* ---- places ---- */

static bool is_host(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c <= ' ' || c > '~' || strchr("/?#[]@%", c) != NULL) {
			return false;
		}
	}
	return text.len > 0 && text.len <= REDIS_HOST_BYTES_MAX;
}

static enum err read_user(struct slice info, struct redis_address *out, struct errmsg *why)
{
	struct slice user = cut(&info, ':');
	if (!decode(user, out->user, sizeof(out->user)) ||
	    !decode(info, out->password, sizeof(out->password))) {
		errmsg_set(why,
			   "USER:PASSWORD of a Redis address have at most %d and %d bytes; write "
			   "everything but letters and digits in hex (%%40 for @)",
			   REDIS_USER_BYTES_MAX, REDIS_PASSWORD_BYTES_MAX);
		return ERR_INVALID;
	}
	return OK;
}

static enum err read_host(struct slice place, struct slice usual_port, struct redis_place *out,
			  struct errmsg *why)
{
	struct slice host;
	struct slice port;
	int32_t number = 0;
	bool is_good = host_port_split(place, &host, &port) && is_host(host);
	if (is_good && port.data == NULL) {
		port = usual_port;
	}
	if (!is_good || !is_number(port, 65535, &number) || number == 0) {
		return refuse(
			why, "a Redis address names HOST, HOST:PORT or [IPV6]:PORT, with a "
			     "port from 1 to 65535; in a password write everything but letters and "
			     "digits in hex (%40 for @)");
	}
	memcpy(out->host, host.data, host.len);
	out->host[host.len] = '\0';
	(void)format_to(out->port, sizeof(out->port), "%d", (int)number);
	return OK;
}

static bool is_name(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		if (!is_letter && !(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '_') {
			return false;
		}
	}
	return text.len > 0 && text.len <= REDIS_NAME_BYTES_MAX;
}

/* Hosts with commas between them. */
static enum err read_seeds(struct slice hosts, struct slice usual_port, struct redis_address *out,
			   struct errmsg *why)
{
	enum err e = OK;
	do {
		struct slice host = cut(&hosts, ',');
		if (out->seeds_n == REDIS_PLACES_MAX) {
			errmsg_set(why, "a Redis address names at most %d hosts", REDIS_PLACES_MAX);
			return ERR_INVALID;
		}
		e = read_host(host, usual_port, &out->seeds[out->seeds_n], why);
		out->seeds_n++;
	} while (e == OK && hosts.len > 0);
	return e;
}

/* NAME, at the end of what is before the hosts, and the hosts. */
static enum err read_sentinels(struct slice name, struct slice hosts, struct redis_address *out,
			       struct errmsg *why)
{
	if (!is_name(name)) {
		return refuse(why, "before the hosts of redis+sentinel:// comes NAME@, the name by "
				   "which Sentinel knows the master: letters, digits, . - _");
	}
	memcpy(out->name, name.data, name.len);
	return read_seeds(hosts, SLICE(REDIS_SENTINEL_PORT), out, why);
}

static enum err read_database(struct slice path, struct redis_address *out, struct errmsg *why)
{
	if (path.len > 0 && !is_number(path, REDIS_DATABASE_MAX, &out->database)) {
		errmsg_set(why,
			   "after the host of a Redis address comes /DATABASE, a number from 0 to "
			   "%d",
			   REDIS_DATABASE_MAX);
		return ERR_INVALID;
	}
	return OK;
}

static enum err read_path(struct slice path, struct redis_address *out, struct errmsg *why)
{
	if (!decode(path, out->path, sizeof(out->path)) || out->path[0] != '/' ||
	    out->path[1] == '\0') {
		errmsg_set(why,
			   "after redis+unix:// comes the path of the socket, such as "
			   "redis+unix:///run/redis/redis.sock, of at most %d bytes",
			   REDIS_PATH_BYTES_MAX);
		return ERR_INVALID;
	}
	return OK;
}

static void write_text(struct redis_address *a)
{
	bool has_colon = strchr(a->at.host, ':') != NULL;
	const char *scheme = a->is_tls ? "rediss" : "redis";
	if (a->is_cluster) {
		(void)format_to(a->text, sizeof(a->text), "%s+cluster://%s:%s", scheme,
				a->seeds[0].host, a->seeds[0].port);
	} else if (a->has_sentinels) {
		(void)format_to(a->text, sizeof(a->text), "%s+sentinel://%s/%d", scheme, a->name,
				(int)a->database);
	} else if (a->is_unix) {
		(void)format_to(a->text, sizeof(a->text),
				a->database == 0 ? "redis+unix://%s" : "redis+unix://%s?db=%d",
				a->path, (int)a->database);
	} else {
		(void)format_to(a->text, sizeof(a->text),
				has_colon ? "%s://[%s]:%s/%d" : "%s://%s:%s/%d", scheme, a->at.host,
				a->at.port, (int)a->database);
	}
}

bool redis_place_is(const struct redis_place *a, const struct redis_place *b)
{
	return strcmp(a->host, b->host) == 0 && strcmp(a->port, b->port) == 0;
}

void redis_address_of_server(const struct redis_address *a, const struct redis_place *at,
			     struct redis_address *out)
{
	struct redis_address found = *a;
	found.has_sentinels = false;
	found.is_cluster = false;
	found.at = *at;
	write_text(&found);
	*out = found;
	redis_address_finish(&found);
}

void redis_address_of_sentinel(const struct redis_address *a, size_t i, struct redis_address *out)
{
	struct redis_address found = {.at = a->seeds[i], .is_tls = a->is_tls};
	memcpy(found.user, a->sentinel_user, sizeof(found.user));
	memcpy(found.password, a->sentinel_password, sizeof(found.password));
	(void)format_to(found.text, sizeof(found.text), "the Sentinel at %s:%s", found.at.host,
			found.at.port);
	*out = found;
	redis_address_finish(&found);
}

enum err redis_address_parse(const char *text, struct redis_address *out, struct errmsg *why)
{
	struct slice rest = slice_str(text);
	const struct scheme *scheme = scheme_of(rest);
	struct redis_address found = {.replicas = REDIS_REPLICAS_UNSET};
	if (scheme == NULL) {
		return refuse(why,
			      "a Redis address is redis://HOST:6379/0, rediss://HOST with TLS, "
			      "redis+unix:///run/redis/redis.sock, "
			      "redis+sentinel://NAME@HOST,HOST,HOST or redis+cluster://HOST,HOST");
	}
	rest = slice_of(rest.data + scheme->prefix.len, rest.len - scheme->prefix.len);
	struct slice place = cut(&rest, '?');
	/* The user ends at the last @ before the path: a host has none. */
	struct slice path = place;
	struct slice authority = cut(&path, '/');
	size_t at = behind_last(authority, '@');
	struct slice user = slice_of(authority.data, at == 0 ? 0 : at - 1);
	struct slice host = slice_of(authority.data + at, authority.len - at);
	struct slice name = user;
	unsigned in = 1U << scheme->kind;
	found.is_tls = (in & IN_TLS) != 0;
	found.is_unix = (in & IN_UNIX) != 0;
	found.has_sentinels = (in & IN_SENTINEL) != 0;
	found.is_cluster = (in & IN_CLUSTER) != 0;
	if (found.has_sentinels) {
		size_t name_at = behind_last(user, '@');
		name = slice_of(user.data + name_at, user.len - name_at);
		user.len = name_at == 0 ? 0 : name_at - 1;
	}
	enum err e = read_user(user, &found, why);
	if (e == OK && found.is_unix) {
		/* With the slash that cut() has taken. */
		size_t len = host.len == 0 ? place.len - authority.len : 0;
		e = read_path(slice_of(place.data + place.len - len, len), &found, why);
	} else if (e == OK) {
		e = found.has_sentinels ? read_sentinels(name, host, &found, why)
		    : found.is_cluster	? read_seeds(host, SLICE(REDIS_DEFAULT_PORT), &found, why)
				       : read_host(host, SLICE(REDIS_DEFAULT_PORT), &found.at, why);
		e = e != OK ? e : read_database(path, &found, why);
		if (e == OK && found.is_cluster && found.database != 0) {
			e = refuse(why, "a cluster of Redis has no database but 0");
		}
	}
	e = e != OK ? e : settings_read(rest, scheme->kind, &found, why);
	if (e == OK) {
		write_text(&found);
		*out = found;
	}
	redis_address_finish(&found);
	return e;
}

static enum err set_password(char out[REDIS_PASSWORD_BYTES_MAX + 1], struct slice content,
			     struct errmsg *why)
{
	struct slice line = content;
	if (line.len > 0 && line.data[line.len - 1] == '\n') {
		line.len--;
		line.len -= line.len > 0 && line.data[line.len - 1] == '\r';
	}
	if (line.len == 0) {
		return refuse(why, "the password for Redis is empty");
	}
	if (line.len > REDIS_PASSWORD_BYTES_MAX || memchr(line.data, '\n', line.len) != NULL ||
	    memchr(line.data, '\0', line.len) != NULL) {
		errmsg_set(why, "the password for Redis is one line of at most %d bytes",
			   REDIS_PASSWORD_BYTES_MAX);
		return ERR_INVALID;
	}
	wipe(out, REDIS_PASSWORD_BYTES_MAX + 1);
	memcpy(out, line.data, line.len);
	return OK;
}

enum err redis_address_set_password(struct redis_address *a, struct slice content,
				    struct errmsg *why)
{
	return set_password(a->password, content, why);
}

enum err redis_address_set_sentinel_password(struct redis_address *a, struct slice content,
					     struct errmsg *why)
{
	return set_password(a->sentinel_password, content, why);
}

void redis_address_finish(struct redis_address *a)
{
	wipe(a, sizeof(*a));
}
