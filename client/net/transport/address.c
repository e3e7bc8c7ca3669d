/*
 * address.c - reads unix:/path, tcp://host:port, tls://host:port#fingerprint and
 * ssh://user@host:port/path.
 */
#include "client/net/transport/address.h"

#include <string.h>

#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/rpc.h"
#include "proto/text/decimal.h"

#define UNIX_PREFIX "unix:"
#define TCP_PREFIX  "tcp://"
#define TLS_PREFIX  "tls://"
#define SSH_PREFIX  "ssh://"

#define ADDRESS_NO_HOST "not a host"
#define ADDRESS_NO_PORT "a port is a number from 1 to 65535"

static enum err address_refuse(struct errmsg *why, const char *reason)
{
	errmsg_set(why,
		   "%s; an address is unix:/path, tls://host:port, tcp://host:port or "
		   "ssh://user@host",
		   reason);
	return ERR_INVALID;
}

static enum err address_parse_unix(const char *path, struct address *out, struct errmsg *why)
{
	size_t len = strlen(path);
	if (path[0] != '/') {
		return address_refuse(why, "the path of a unix socket starts with /");
	}
	if (len > ADDRESS_PATH_MAX) {
		errmsg_set(why, "the socket's path is %zu bytes long; at most %d", len,
			   ADDRESS_PATH_MAX);
		return ERR_INVALID;
	}
	out->is_unix = true;
	memcpy(out->path, path, len + 1);
	format_to(out->text, sizeof(out->text), UNIX_PREFIX "%s", path);
	return OK;
}

/* Split host:port; a colon inside brackets belongs to the host, and without brackets there is only
 * one. *port: NULL where there is none. */
static bool address_split(const char *text, const char **host, size_t *host_len, const char **port)
{
	const char *end;
	if (text[0] == '[') {
		end = strchr(text, ']');
		if (end == NULL || (end[1] != ':' && end[1] != '\0')) {
			return false;
		}
		*host = text + 1;
		*host_len = (size_t)(end - *host);
		*port = end[1] == ':' ? end + 2 : NULL;
		return true;
	}
	end = strchr(text, ':');
	*host = text;
	*host_len = end == NULL ? strlen(text) : (size_t)(end - text);
	*port = end == NULL ? NULL : end + 1;
	return true;
}

static bool address_is_host(const char *host, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (host[i] <= ' ' || host[i] > '~' || host[i] == '/' || host[i] == '[' ||
		    host[i] == ']') {
			return false;
		}
	}
	return len > 0 && len <= ADDRESS_HOST_MAX;
}

/* The text, from the parts. */
static void address_write(struct address *a)
{
	bool has_colon = strchr(a->host, ':') != NULL;
	format_to(a->text, sizeof(a->text), has_colon ? "%s[%s]:%s%s%s" : "%s%s:%s%s%s",
		  a->is_tls ? TLS_PREFIX : TCP_PREFIX, a->host, a->port,
		  a->fingerprint.text[0] == '\0' ? "" : "#", a->fingerprint.text);
}

static enum err address_parse_tcp(const char *rest, struct address *out, struct errmsg *why)
{
	const char *host;
	const char *port;
	size_t host_len;
	int64_t number;
	if (!address_split(rest, &host, &host_len, &port) || !address_is_host(host, host_len)) {
		return address_refuse(why, ADDRESS_NO_HOST);
	}
	port = port == NULL ? RPC_PORT : port;
	if (strlen(port) >= sizeof(out->port) ||
	    !decimal_read(slice_str(port), 1, 65535, &number)) {
		return address_refuse(why, ADDRESS_NO_PORT);
	}
	memcpy(out->host, host, host_len);
	memcpy(out->port, port, strlen(port) + 1);
	address_write(out);
	return OK;
}

/* What follows # is the fingerprint; nothing else has one in it. */
static enum err address_parse_tls(const char *rest, struct address *out, struct errmsg *why)
{
	char place[ADDRESS_TEXT_BYTES];
	const char *hash = strchr(rest, '#');
	size_t len = hash == NULL ? strlen(rest) : (size_t)(hash - rest);
	if (len >= sizeof(place)) {
		return address_refuse(why, ADDRESS_NO_HOST);
	}
	if (hash != NULL && !fingerprint_is_pin(slice_str(hash + 1))) {
		errmsg_set(why, "after # comes a fingerprint: SHA256: and 22 or 43 characters, as "
				"printed by `ayed fingerprint`");
		return ERR_INVALID;
	}
	memcpy(place, rest, len);
	place[len] = '\0';
	out->is_tls = true;
	if (hash != NULL) {
		(void)format_to(out->fingerprint.text, sizeof(out->fingerprint.text), "%s",
				hash + 1);
	}
	return address_parse_tcp(place, out, why);
}

/* Letters, digits and these: nothing that a shell, here or there, or ssh's own options take for
 * something else. */
static bool address_is_plain(const char *text, size_t len, const char *others)
{
	for (size_t i = 0; i < len; i++) {
		if (!ascii_is_alnum(text[i]) && strchr(others, text[i]) == NULL) {
			return false;
		}
	}
	return len > 0 && text[0] != '-';
}

static void address_write_ssh(struct address *a)
{
	bool has_colon = strchr(a->host, ':') != NULL;
	format_to(a->text, sizeof(a->text), has_colon ? "%s%s%s[%s]%s%s%s" : "%s%s%s%s%s%s%s",
		  SSH_PREFIX, a->user, a->user[0] == '\0' ? "" : "@", a->host,
		  a->port[0] == '\0' ? "" : ":", a->port, a->path);
}

/* The socket there; the user may have an @, as ssh has it. */
static enum err address_parse_ssh(const char *rest, struct address *out, struct errmsg *why)
{
	char place[ADDRESS_USER_MAX + ADDRESS_HOST_MAX + sizeof("@[]:65535")];
	const char *host;
	const char *port;
	size_t host_len;
	int64_t number = 0;
	size_t place_len = strcspn(rest, "/");
	const char *path = strcmp(rest + place_len, "/") == 0 ? "" : rest + place_len;
	size_t path_len = strlen(path);
	if (place_len >= sizeof(place)) {
		return address_refuse(why, ADDRESS_NO_HOST);
	}
	memcpy(place, rest, place_len);
	place[place_len] = '\0';
	const char *at = strrchr(place, '@');
	size_t user_len = at == NULL ? 0 : (size_t)(at - place);
	if (at != NULL &&
	    (user_len > ADDRESS_USER_MAX || !address_is_plain(place, user_len, "._-+@"))) {
		return address_refuse(why, "not a user name");
	}
	if (!address_split(at == NULL ? place : at + 1, &host, &host_len, &port) ||
	    host_len > ADDRESS_HOST_MAX || !address_is_plain(host, host_len, ".-_:%")) {
		return address_refuse(why, ADDRESS_NO_HOST);
	}
	if (port != NULL && !decimal_read(slice_str(port), 1, 65535, &number)) {
		return address_refuse(why, ADDRESS_NO_PORT);
	}
	if (path_len > ADDRESS_PATH_MAX ||
	    (path_len > 0 && !address_is_plain(path, path_len, "/._-+@:,=~"))) {
		errmsg_set(why,
			   "after the host comes a socket's path: at most %d characters, of "
			   "letters, digits and /._-+@:,=~",
			   ADDRESS_PATH_MAX);
		return ERR_INVALID;
	}
	out->is_ssh = true;
	memcpy(out->user, place, user_len);
	memcpy(out->host, host, host_len);
	memcpy(out->path, path, path_len);
	if (port != NULL) {
		format_to(out->port, sizeof(out->port), "%lld", (long long)number);
	}
	address_write_ssh(out);
	return OK;
}

void address_pin(struct address *a, const struct fingerprint *fingerprint)
{
	a->is_noted = a->is_noted || a->fingerprint.text[0] == '\0';
	a->fingerprint = *fingerprint;
	address_write(a);
}

enum err address_parse(const char *text, struct address *out, struct errmsg *why)
{
	struct address found = {0};
	enum err e;
	if (strncmp(text, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0) {
		e = address_parse_unix(text + strlen(UNIX_PREFIX), &found, why);
	} else if (strncmp(text, TCP_PREFIX, strlen(TCP_PREFIX)) == 0) {
		e = address_parse_tcp(text + strlen(TCP_PREFIX), &found, why);
	} else if (strncmp(text, TLS_PREFIX, strlen(TLS_PREFIX)) == 0) {
		e = address_parse_tls(text + strlen(TLS_PREFIX), &found, why);
	} else if (strncmp(text, SSH_PREFIX, strlen(SSH_PREFIX)) == 0) {
		e = address_parse_ssh(text + strlen(SSH_PREFIX), &found, why);
	} else {
		return address_refuse(why, "neither unix:, tls://, tcp:// nor ssh://");
	}
	if (e == OK) {
		*out = found;
	}
	return e;
}

void address_for_others(const struct address *a, char out[ADDRESS_TEXT_BYTES])
{
	struct address theirs = *a;
	theirs.user[0] = '\0';
	if (a->is_ssh) {
		address_write_ssh(&theirs);
	}
	memcpy(out, theirs.text, ADDRESS_TEXT_BYTES);
}

void address_canonical(const struct address *a, char out[ADDRESS_TEXT_BYTES])
{
	const char *port = a->port;
	bool has_colon = strchr(a->host, ':') != NULL;
	if (a->is_unix || a->is_ssh) {
		memcpy(out, a->text, ADDRESS_TEXT_BYTES);
		return;
	}
	if (a->fingerprint.text[0] != '\0') {
		format_to(out, ADDRESS_TEXT_BYTES, TLS_PREFIX "#%s", a->fingerprint.text);
		return;
	}
	while (port[0] == '0') {
		port++;
	}
	format_to(out, ADDRESS_TEXT_BYTES, has_colon ? "%s[%s]:%s" : "%s%s:%s",
		  a->is_tls ? TLS_PREFIX : TCP_PREFIX, a->host, port);
	for (char *c = out; *c != '\0'; c++) {
		*c = ascii_lower(*c);
	}
}
