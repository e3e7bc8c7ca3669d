/*
 * share_uv.c - server.share: listeners that the owner adds while the server runs,
 * and the addresses by which others reach it.
 *
 * Happy path: an address in numbers is listened on, at its port, or at 2937 or the
 * next one that is free; the answer has every address that leads here by TCP.
 * Browsers get a listener of their own there, at 2938 or the next free port.
 * Asking for the same again finds the listeners that are there. Unsharing closes them
 * all; connections that came by them stay.
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

/* Clients are only let in by TLS. */
static const char *share_scheme(enum share_web web)
{
	return address_scheme(web != SHARE_WEB_HTTP, web != SHARE_WEB_NONE);
}

/*
 * HOST, HOST:PORT or [IPV6]:PORT as an address; *has_port: it says which. That is the port of
 * clients: browsers have another one, but for 0, which is any that is free.
 */
static enum err share_parse(const char *text, enum share_web web, struct address *out,
			    bool *has_port, struct errmsg *why)
{
	char url[SHARE_ADDRESS_BYTES_MAX + 16];
	struct in6_addr number;
	const char *close = strrchr(text, ']');
	*has_port = strchr(close == NULL ? text : close, ':') != NULL;
	(void)format_to(url, sizeof(url), "%s://%s", share_scheme(web), text);
	enum err e = address_parse(url, out, why);
	if (e == OK && inet_pton(AF_INET, out->host, &number) != 1 &&
	    inet_pton(AF_INET6, out->host, &number) != 1) {
		errmsg_set(why, "must be a number such as 192.0.2.7 or [2001:db8::7]; names are "
				"not looked up");
		e = ERR_INVALID;
	}
	if (e == OK && web != SHARE_WEB_NONE && *has_port && strcmp(out->port, "0") != 0) {
		(void)format_to(out->port, sizeof(out->port), "%s", WEB_PORT);
		*has_port = false;
	}
	return e;
}

/* The listener that was asked for so before, or listens there already; ls->n: none. */
static size_t share_find(const struct event_loop *loop, const char *text, enum share_web web)
{
	const struct listeners *ls = &loop->listeners;
	char name[SHARE_ADDRESS_BYTES_MAX + 16];
	size_t i = 0;
	(void)format_to(name, sizeof(name), "%s://%s", share_scheme(web), text);
	while (i < ls->n && (ls->items[i].socket.fd < 0 ||
			     (strcmp(ls->items[i].socket.name, name) != 0 &&
			      (i < ls->first_added ||
			       strcmp(loop->shares.asked[i - ls->first_added], name) != 0)))) {
		i++;
	}
	return i;
}

/* *listener: the index of the new one. */
static enum err share_listen(struct event_loop *loop, const char *text, enum share_web web,
			     size_t *listener, struct errmsg *why)
{
	struct listeners *ls = &loop->listeners;
	struct address at;
	struct listening socket;
	bool has_port;
	enum err e = share_parse(text, web, &at, &has_port, why);
	if (e != OK) {
		return e;
	}
	size_t next = listeners_next(ls);
	if (next == ls->first_added + MAX_SERVER_ADDRESSES) {
		errmsg_set(why, "at most %d addresses can be added", MAX_SERVER_ADDRESSES);
		return ERR_TOO_LARGE;
	}
	if (at.is_tls && loop->certificate == NULL) {
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
	*listener = next;
	(void)format_to(loop->shares.asked[next - ls->first_added], SHARE_ASKED_BYTES_MAX + 1,
			"%s://%s", share_scheme(web), text);
	return listeners_add(loop, &socket, why);
}

/* Find the listener or add it; *at: its index. */
static enum err share_open(struct event_loop *loop, const char *text, enum share_web web,
			   size_t *at, struct errmsg *why)
{
	*at = share_find(loop, text, web);
	return *at < loop->listeners.n ? OK : share_listen(loop, text, web, at, why);
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

static void share_say_listener(const struct listening *l, struct share_addresses *out)
{
	if (l->is_any && l->fd >= 0) {
		share_say_all(l, out);
	} else if (!l->is_any && !l->is_unix && l->fd >= 0) {
		share_say(l, out, share_host(l));
	}
}

/* Of clients: browsers have the page. */
static void share_find_addresses(const struct event_loop *loop, struct share_addresses *out)
{
	out->n = 0;
	for (size_t i = 0; i < loop->listeners.n; i++) {
		const struct listening *l = &loop->listeners.items[i].socket;
		if (!l->is_web && !l->is_node) {
			share_say_listener(l, out);
		}
	}
}

/* The listener of the page: that which was asked for last, else the first for browsers; NULL: none. */
static const struct listening *share_page(const struct event_loop *loop)
{
	const struct listeners *ls = &loop->listeners;
	size_t i = loop->shares.page;
	while (i < ls->n && (!ls->items[i].socket.is_web || ls->items[i].socket.fd < 0)) {
		i++;
	}
	return i < ls->n ? &ls->items[i].socket : NULL;
}

void share_tell_page(struct event_loop *loop)
{
	const struct web_origins *origins = loop->config.web_origins;
	const struct listening *page = share_page(loop);
	struct share_addresses found = {.n = 0};
	char address[SOCKET_NAME_BYTES_MAX + 2];
	if (page == NULL) {
		server_set_web(loop->server, (struct slice){0});
		return;
	}
	share_say_listener(page, &found);
	const char *origin = origins != NULL && origins->n > 0 ? origins->items[0].text
			     : found.n > 0		       ? found.text[0]
							       : NULL;
	if (origin != NULL) {
		(void)format_to(address, sizeof(address), "%s/", origin);
		server_set_web(loop->server, slice_str(address));
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
	*share = (struct share){.conn = fx->conn,
				.ticket = fx->ticket,
				.web = fx->web,
				.unshares = fx->unshares};
	(void)format_to(share->address, sizeof(share->address), "%.*s", (int)fx->address.len,
			fx->address.data == NULL ? "" : fx->address.data);
	return true;
}

/* For clients, and with `web` for browsers, who are then told of that page. */
static enum err share_perform(struct event_loop *loop, const struct share *share,
			      struct errmsg *why)
{
	size_t at;
	enum err e = share_open(loop, share->address, SHARE_WEB_NONE, &at, why);
	if (e == OK && share->web != SHARE_WEB_NONE) {
		e = share_open(loop, share->address, share->web, &at, why);
	}
	if (e == OK && share->web != SHARE_WEB_NONE) {
		loop->shares.page = at;
		share_tell_page(loop);
	}
	return e;
}

/* Those that were listened on before the first request stay. */
static void share_end(struct event_loop *loop)
{
	listeners_close(loop, loop->listeners.first_added);
	loop->shares.page = 0;
	share_tell_page(loop);
	log_pair(loop->config.log, LOG_INFO, "unshared", "reason", "server.share");
}

static void share_answer(struct event_loop *loop, const struct share *share)
{
	const struct listening *page;
	struct share_addresses found = {.n = 0};
	struct fingerprint fingerprint = {""};
	struct errmsg why = {""};
	bool listens = share->address[0] != '\0';
	enum err e = OK;
	if (loop->phase != EVENT_LOOP_SERVING) {
		errmsg_set(&why, "the server is stopping");
		e = ERR_CLOSED;
	} else if (listens) {
		e = share_perform(loop, share, &why);
	} else if (share->unshares) {
		share_end(loop);
	}
	share_find_addresses(loop, &found);
	page = share_page(loop);
	if (found.has_tls || (page != NULL && page->is_tls)) {
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
