/*
 * address.c - reads what --listen is given.
 */
#include "server/net/streams/address.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "proto/rpc.h"
#include "proto/text/host_port.h"

#define ADDRESS_LOOPBACK "127.0.0.1"
#define ADDRESS_ALL	 "0.0.0.0"

static const char *const address_schemes[2][2] = {{"tcp", "tls"}, {"http", "https"}};

const char *address_scheme(bool is_tls, bool is_web)
{
	return address_schemes[is_web][is_tls];
}

bool address_scheme_read(struct slice scheme, bool *is_tls, bool *is_web)
{
	for (unsigned i = 0; i < 4; i++) {
		if (slice_eq(scheme, slice_str(address_scheme(i % 2 == 1, i >= 2)))) {
			*is_tls = i % 2 == 1;
			*is_web = i >= 2;
			return true;
		}
	}
	return false;
}

static bool address_copy(char *out, size_t cap, struct slice text)
{
	if (text.len >= cap) {
		return false;
	}
	memcpy(out, text.data, text.len);
	out[text.len] = '\0';
	return true;
}

static bool address_is_printable(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];
		if (c < ' ' || c == 0x7f) {
			return false;
		}
	}
	return true;
}

static enum err address_parse_unix(struct slice path, struct address *out, struct errmsg *why)
{
	if (path.len == 0 || !address_is_printable(path)) {
		errmsg_set(why,
			   "a unix address is unix: and a path, such as unix:/run/aye/ayed.sock");
		return ERR_INVALID;
	}
	if (!address_copy(out->path, sizeof(out->path), path)) {
		errmsg_set(why, "the path has %zu bytes; use one of at most %d", path.len,
			   ADDRESS_PATH_BYTES_MAX);
		return ERR_INVALID;
	}
	out->kind = ADDRESS_UNIX;
	out->is_tls = false;
	out->is_web = false;
	return OK;
}

static bool address_port_is_good(const char *port)
{
	return *port != '\0' && port[strspn(port, "0123456789")] == '\0' &&
	       strtol(port, NULL, 10) <= 65535;
}

static enum err address_parse_tcp(struct slice text, struct address *out, struct errmsg *why)
{
	struct slice host;
	struct slice port;
	bool is_good = address_is_printable(text) && host_port_split(text, &host, &port);
	if (is_good && port.data == NULL) {
		port = out->is_web ? SLICE(WEB_PORT) : SLICE(RPC_PORT);
	}
	if (!is_good || !address_copy(out->host, sizeof(out->host), host) ||
	    !address_copy(out->port, sizeof(out->port), port) || !address_port_is_good(out->port)) {
		errmsg_set(why, "%s; port 0 picks any free port",
			   out->is_web
				   ? "a web address is http://HOST:PORT or https://HOST:PORT, such "
				     "as https://127.0.0.1:" WEB_PORT " or http://[::1]:" WEB_PORT
				   : "a TCP address is tcp://HOST:PORT or tls://HOST:PORT, such as "
				     "tls://127.0.0.1:" RPC_PORT " or tcp://[::1]:" RPC_PORT);
		return ERR_INVALID;
	}
	/* What is not encrypted is for this machine, unless an address says otherwise. */
	if (out->host[0] == '\0' && out->is_tls) {
		memcpy(out->host, ADDRESS_ALL, sizeof(ADDRESS_ALL));
	} else if (out->host[0] == '\0' || strcmp(out->host, "localhost") == 0) {
		memcpy(out->host, ADDRESS_LOOPBACK, sizeof(ADDRESS_LOOPBACK));
	}
	out->kind = ADDRESS_TCP;
	return OK;
}

enum err address_parse(const char *text, struct address *out, struct errmsg *why)
{
	struct slice all = slice_str(text);
	const char *behind = strstr(text, "://");
	if (slice_starts(all, SLICE("unix:"))) {
		return address_parse_unix(slice_of(text + 5, all.len - 5), out, why);
	}
	if (behind != NULL && address_scheme_read(slice_of(text, (size_t)(behind - text)),
						  &out->is_tls, &out->is_web)) {
		return address_parse_tcp(slice_str(behind + 3), out, why);
	}
	errmsg_set(why,
		   "an address starts with unix:, tcp://, tls://, http:// or https://, such as "
		   "unix:/run/aye/ayed.sock or tls://127.0.0.1:" RPC_PORT);
	return ERR_INVALID;
}

enum err address_parse_node(const char *text, struct address *out, struct errmsg *why)
{
	struct slice host;
	struct slice port;
	*out = (struct address){.kind = ADDRESS_TCP};
	bool is_good = address_is_printable(slice_str(text)) &&
		       host_port_split(slice_str(text), &host, &port) && port.data != NULL &&
		       address_copy(out->host, sizeof(out->host), host) &&
		       address_copy(out->port, sizeof(out->port), port) &&
		       address_port_is_good(out->port) && out->host[0] != '\0';
	if (!is_good) {
		errmsg_set(why, "it is HOST:PORT, such as 10.0.0.5:2939 or [2001:db8::5]:2939");
		return ERR_INVALID;
	}
	if (strcmp(out->host, "0.0.0.0") == 0 || strcmp(out->host, "::") == 0) {
		errmsg_set(why,
			   "other servers cannot connect to %s: name one address of this "
			   "machine",
			   out->host);
		return ERR_INVALID;
	}
	return OK;
}

void address_write_node(const struct address *a, char out[ADDRESS_NODE_CHARS + 1])
{
	bool is_ipv6 = strchr(a->host, ':') != NULL;
	(void)format_to(out, ADDRESS_NODE_CHARS + 1, "%s%s%s:%s", is_ipv6 ? "[" : "", a->host,
			is_ipv6 ? "]" : "", a->port);
}
