/*
 * share_uv.c - server.share: listeners that the owner adds while the server runs,
 * and the addresses by which others reach it.
 *
 * Happy path: an address in numbers is listened on, at its port, or at 2937 or the
 * next one that is free; the answer has every address that leads here by TCP.
 * Asking for the same address again finds the listener that is there.
 * Failure: an answer with the reason; what listened before goes on.
 *
 * Names are not looked up: that would stop the loop for as long as it takes.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "server/net/event_loop_uv.h"

/* ---- listening ---- */

/* HOST, HOST:PORT or [IPV6]:PORT as an address; *has_port: it says which. */
static enum err share_parse(const char *text, struct address *out, bool *has_port,
			    struct errmsg *why)
{
	char url[SHARE_ADDRESS_BYTES_MAX + 8];
	struct in6_addr number;
	const char *close = strrchr(text, ']');
	*has_port = strchr(close == NULL ? text : close, ':') != NULL;
	(void)format_to(url, sizeof(url), "tls://%s", text);
	enum err e = address_parse(url, out, why);
	if (e == OK && inet_pton(AF_INET, out->host, &number) != 1 &&
	    inet_pton(AF_INET6, out->host, &number) != 1) {
		errmsg_set(why, "must be a number such as 192.0.2.7 or [2001:db8::7]; names are "
				"not looked up");
		e = ERR_INVALID;
	}
	return e;
}

/* What was asked for before, or listens there already. */
static bool share_is_there(const struct event_loop *loop, const char *text)
{
	const struct listeners *ls = &loop->listeners;
	for (size_t i = 0; i < ls->n; i++) {
		const char *name = ls->items[i].socket.name;
		if ((strncmp(name, "tls://", 6) == 0 && strcmp(name + 6, text) == 0) ||
		    (i >= ls->first_added &&
		     strcmp(loop->shares.asked[i - ls->first_added], text) == 0)) {
			return true;
		}
	}
	return false;
}

static enum err share_listen(struct event_loop *loop, const char *text, struct errmsg *why)
{
	struct listeners *ls = &loop->listeners;
	struct address at;
	struct listening socket;
	bool has_port;
	enum err e = share_parse(text, &at, &has_port, why);
	if (e != OK) {
		return e;
	}
	if (ls->n - ls->first_added == MAX_SERVER_ADDRESSES) {
		errmsg_set(why, "at most %d addresses can be added", MAX_SERVER_ADDRESSES);
		return ERR_TOO_LARGE;
	}
	if (loop->certificate == NULL) {
		e = loop->config.on_certificate(loop->config.on_arg, why);
	}
	if (e != OK) {
		return e;
	}
	long port = strtol(at.port, NULL, 10);
	for (int tries = has_port ? 1 : SHARE_PORTS_TRIED; tries > 0; tries--, port++) {
		(void)format_to(at.port, sizeof(at.port), "%ld", port);
		e = socket_listen(&at, 0, &socket, why);
		if (e != ERR_BUSY) {
			break;
		}
	}
	if (e != OK) {
		return e;
	}
	log_pair(loop->config.log, LOG_INFO, "shared", "address", socket.name);
	(void)format_to(loop->shares.asked[ls->n - ls->first_added], SHARE_ADDRESS_BYTES_MAX + 1,
			"%s", text);
	return listeners_add(loop, &socket, why);
}

/* ---- where that is ---- */

/* Addresses that others can use, a text each. */
struct share_addresses {
	char text[MAX_SERVER_ADDRESSES][SOCKET_NAME_BYTES_MAX];
	struct slice slices[MAX_SERVER_ADDRESSES];
	size_t n;
	bool has_tls;
};

static void share_say(const struct listening *l, struct share_addresses *out, const char *text)
{
	if (out->n < MAX_SERVER_ADDRESSES) {
		size_t scheme = strcspn(l->name, ":");
		(void)format_to(out->text[out->n], sizeof(out->text[0]), "%.*s://%s", (int)scheme,
				l->name, text);
		out->has_tls = out->has_tls || l->is_tls;
		out->slices[out->n] = slice_str(out->text[out->n]);
		out->n++;
	}
}

/* HOST:PORT of its name. */
static const char *share_host(const struct listening *l)
{
	return strstr(l->name, "://") + 3;
}

/* One for each address of this machine but loopback; that, where it has no other. */
static void share_say_all(const struct listening *l, struct share_addresses *out)
{
	uv_interface_address_t *all = NULL;
	int n = 0;
	char host[INET6_ADDRSTRLEN];
	char text[SOCKET_NAME_BYTES_MAX];
	const char *port = strrchr(l->name, ':') + 1;
	bool has_six = share_host(l)[0] == '[';
	size_t before = out->n;
	if (uv_interface_addresses(&all, &n) != 0) {
		n = 0;
	}
	for (int i = 0; i < n; i++) {
		const struct sockaddr_in6 *six = &all[i].address.address6;
		bool is_six = six->sin6_family == AF_INET6;
		if (all[i].is_internal != 0 || (is_six && !has_six) ||
		    (is_six && IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr))) {
			continue;
		}
		int failed = is_six ? uv_ip6_name(six, host, sizeof(host))
				    : uv_ip4_name(&all[i].address.address4, host, sizeof(host));
		(void)format_to(text, sizeof(text), is_six ? "[%s]:%s" : "%s:%s", host, port);
		if (failed == 0) {
			share_say(l, out, text);
		}
	}
	if (out->n == before) {
		(void)format_to(text, sizeof(text), "127.0.0.1:%s", port);
		share_say(l, out, text);
	}
	if (all != NULL) {
		uv_free_interface_addresses(all, n);
	}
}

/* Of clients, or of browsers. */
static void share_find_addresses(const struct event_loop *loop, bool is_web,
				 struct share_addresses *out)
{
	out->n = 0;
	for (size_t i = 0; i < loop->listeners.n; i++) {
		const struct listening *l = &loop->listeners.items[i].socket;
		if (l->is_web != is_web || l->is_unix || l->fd < 0) {
			continue;
		}
		if (l->is_any) {
			share_say_all(l, out);
		} else {
			share_say(l, out, share_host(l));
		}
	}
}

void share_tell_page(struct event_loop *loop)
{
	const struct web_origins *origins = loop->config.web_origins;
	struct share_addresses found = {.n = 0};
	char page[SOCKET_NAME_BYTES_MAX + 2];
	share_find_addresses(loop, true, &found);
	const char *origin = origins != NULL && origins->n > 0 ? origins->items[0].text
			     : found.n > 0		       ? found.text[0]
							       : NULL;
	if (found.n > 0 && origin != NULL) {
		(void)format_to(page, sizeof(page), "%s/", origin);
		server_set_web(loop->server, slice_str(page));
	}
}

/* ---- asked and answered ---- */

bool share_begin(struct event_loop *loop, const struct effect *fx)
{
	struct shares *all = &loop->shares;
	if (all->n == SHARES_WAITING_MAX) {
		return false;
	}
	struct share *share = &all->items[all->n++];
	*share = (struct share){.conn = fx->conn, .ticket = fx->ticket};
	(void)format_to(share->address, sizeof(share->address), "%.*s", (int)fx->address.len,
			fx->address.data == NULL ? "" : fx->address.data);
	return true;
}

static void share_answer(struct event_loop *loop, const struct share *share)
{
	struct share_addresses found = {.n = 0};
	struct fingerprint fingerprint = {""};
	struct errmsg why = {""};
	bool listens = share->address[0] != '\0';
	enum err e = OK;
	if (loop->phase != EVENT_LOOP_SERVING) {
		errmsg_set(&why, "the server is stopping");
		e = ERR_CLOSED;
	} else if (listens && !share_is_there(loop, share->address)) {
		e = share_listen(loop, share->address, &why);
	}
	share_find_addresses(loop, false, &found);
	if (found.has_tls) {
		tls_context_fingerprint(loop->certificate, &fingerprint);
	}
	struct event event = {
		.kind = EVENT_SHARED,
		.conn = share->conn,
		.ticket = share->ticket,
		.result = e,
		.bytes = slice_str(why.text),
		.addresses = {found.slices, found.n},
		.fingerprint = slice_str(fingerprint.text),
		.has_listener = listens,
	};
	event_loop_step(loop, &event);
}

void share_turn(struct event_loop *loop)
{
	struct shares *all = &loop->shares;
	for (size_t n = all->n; n > 0; n--) {
		const struct share share = all->items[0];
		memmove(all->items, all->items + 1, --all->n * sizeof(all->items[0]));
		share_answer(loop, &share);
	}
}
