/*
 * main_serve.c - puts data, store, core and sockets together, in this order: of two
 * servers for the same data the later one fails before it touches a socket. Only a node listens for
 * other nodes before that: its key in the data says where.
 */
#include "server/cli/main_serve.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "proto/base/format.h"
#include "server/cli/data_dir.h"
#include "server/cli/limit_values.h"
#include "server/cli/process.h"
#include "server/cli/serve_store.h"
#include "server/net/event_loop.h"
#include "server/net/log.h"
#include "server/net/sd_notify.h"
#include "server/net/streams/socket.h"

#define SERVE_SOCKETS_MAX \
	(2 * LISTEN_MAX + 1) /* inherited ones, those of --listen, and for nodes */
#define SERVE_FILES_RESERVED \
	64 /* for the store, listeners, refusals, and what the library opens \
	    */
#define SERVE_CONNECTIONS_LEAST 16
_Static_assert(ADDRESS_NODE_CHARS <= NODE_ADDRESS_CHARS, "the config has room for it");

struct serving {
	const struct options *options;
	struct log log;
	struct server_config config;
	struct event_loop *loop;
	struct server *server;
	struct listening sockets[SERVE_SOCKETS_MAX];
	size_t sockets_n;
	struct listening for_nodes;   /* until it is the last of them */
	int64_t connections_possible; /* with the files that may be open */
	bool has_tls;
	struct fingerprint fingerprint; /* of the certificate in use, short */
};

/* ---- the parts ---- */

/* Read the certificate of tls:// addresses, and have new connections use it. */
static enum err serve_use_certificate(struct serving *sv, struct errmsg *why)
{
	const struct options *o = sv->options;
	struct tls_context *made = NULL;
	struct buf certificate;
	struct buf key;
	buf_init(&certificate, 2 * DATA_DIR_FILE_BYTES_MAX);
	buf_init(&key, 2 * DATA_DIR_FILE_BYTES_MAX);
	enum err e = OK;
	if (o->tls_cert == NULL && o->data == NULL) {
		errmsg_set(why,
			   "with --store a certificate has to be given: --tls-cert and --tls-key");
		e = ERR_INVALID;
	} else if (o->tls_cert == NULL) {
		e = data_dir_certificate(o->data, &key, why);
	} else {
		e = data_dir_read_file(o->tls_cert, false, &certificate, why);
		e = e != OK ? e : data_dir_read_file(o->tls_key, true, &key, why);
	}
	if (e == OK) {
		e = tls_context_serve(buf_slice(o->tls_cert == NULL ? &key : &certificate),
				      buf_slice(&key), &made, why);
	}
	if (e == OK && (e = tls_context_is_valid_now(made, why)) != OK) {
		tls_context_free(made);
	}
	if (e == OK) {
		tls_context_fingerprint(made, &sv->fingerprint);
		sv->fingerprint = fingerprint_shorten(&sv->fingerprint);
		e = event_loop_use_certificate(sv->loop, made);
	}
	if (key.data != NULL) {
		sodium_memzero(key.data, key.capacity);
	}
	buf_finish(&certificate);
	buf_finish(&key);
	return e;
}

/* The table's, over them those of the file, over them those of the command line; and never more connections than files. */
static enum err serve_limits(const struct serving *sv, int64_t out[LIMIT_COUNT], struct errmsg *why)
{
	const struct options *o = sv->options;
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		out[i] = limit_rows[i].value;
	}
	enum err e = o->limits_file == NULL ? OK : limit_values_read(o->limits_file, out, why);
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		out[i] = o->limits_given[i] ? o->limits[i] : out[i];
	}
	if (e == OK && out[LIMIT_CONNECTIONS] > sv->connections_possible) {
		struct log_line l;
		log_begin(&l, &sv->log, LOG_INFO, "connections_lowered");
		log_int(&l, "limit", out[LIMIT_CONNECTIONS]);
		log_int(&l, "possible", sv->connections_possible);
		log_str(&l, "reason", "open files");
		log_end(&l);
		out[LIMIT_CONNECTIONS] = sv->connections_possible;
	}
	return e;
}

static void serve_read_limits(struct serving *sv)
{
	int64_t limits[LIMIT_COUNT];
	struct errmsg why = {{0}};
	enum err e = serve_limits(sv, limits, &why);
	if (e == OK) {
		e = server_set_limits(sv->server, limits);
		errmsg_set(&why, "%s", err_text(e));
	}
	if (e != OK) {
		log_pair(&sv->log, LOG_ERROR, "limits_kept", "reason", why.text);
		return;
	}
	event_loop_use_limits(sv->loop, limits);
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (limits[i] != sv->config.limits[i]) {
			struct log_line l;
			log_begin(&l, &sv->log, LOG_INFO, "limit_changed");
			log_str(&l, "limit", limit_rows[i].name);
			log_int(&l, "from", sv->config.limits[i]);
			log_int(&l, "to", limits[i]);
			log_end(&l);
		}
	}
	memcpy(sv->config.limits, limits, sizeof(limits));
}

static void serve_read_certificate(struct serving *sv)
{
	struct errmsg why = {{0}};
	if (serve_use_certificate(sv, &why) == OK) {
		log_pair(&sv->log, LOG_INFO, "certificate_read", "fingerprint",
			 sv->fingerprint.text);
	} else {
		log_pair(&sv->log, LOG_ERROR, "certificate_kept", "reason", why.text);
	}
}

static void serve_on_hangup(void *arg)
{
	struct serving *sv = arg;
	sd_notify_reloading();
	if (sv->options->limits_file != NULL) {
		serve_read_limits(sv);
	}
	if (sv->has_tls) {
		serve_read_certificate(sv);
	}
	sd_notify_manager("READY=1");
}

static enum err serve_on_certificate(void *arg, struct errmsg *why)
{
	struct serving *sv = arg;
	enum err e = serve_use_certificate(sv, why);
	sv->has_tls = e == OK;
	return e;
}

static enum err serve_open_sockets(struct serving *sv, struct errmsg *why)
{
	enum err e = socket_inherit(sv->sockets, LISTEN_MAX, &sv->sockets_n, why);
	for (size_t i = 0; i < sv->sockets_n; i++) {
		sv->has_tls = sv->has_tls || sv->sockets[i].is_tls;
	}
	for (size_t i = 0; i < sv->options->listens_n; i++) {
		sv->has_tls = sv->has_tls || sv->options->listens[i].is_tls;
	}
	if (e == OK && sv->has_tls) {
		e = serve_use_certificate(sv, why);
	}
	for (size_t i = 0; i < sv->options->listens_n && e == OK; i++) {
		e = socket_listen(&sv->options->listens[i], sv->options->socket_mode,
				  &sv->sockets[sv->sockets_n], why);
		sv->sockets_n += e == OK ? 1 : 0;
	}
	if (e == OK && sv->sockets_n == 0) {
		errmsg_set(
			why,
			"no address to listen on; give --listen, or start it from a socket unit");
		e = ERR_INVALID;
	}
	for (size_t i = 0; i < sv->sockets_n && e == OK; i++) {
		const struct listening *l = &sv->sockets[i];
		if (l->is_web && l->is_exposed && !l->is_tls && !sv->options->insecure_web) {
			errmsg_set(why,
				   "%.100s is not encrypted, so everyone on the way can read and "
				   "change what is voted; use https://, or a reverse proxy and "
				   "http://127.0.0.1, or allow it with --insecure-web",
				   l->name);
			e = ERR_INVALID;
		} else if (l->is_exposed && !l->is_tls) {
			log_pair(&sv->log, LOG_WARN, "not_encrypted", "address",
				 sv->sockets[i].name);
		}
	}
	return e;
}

/* Where the other nodes bring their clients: behind all that the ready line names. */
static enum err serve_open_to_nodes(struct serving *sv, struct errmsg *why)
{
	struct listening *l = &sv->sockets[sv->sockets_n++];
	*l = sv->for_nodes;
	l->is_tls = true;
	l->is_node = true;
	if (!socket_watch_peer(l->fd)) {
		errmsg_set(why, "cannot use %s: the kernel finds no silent peers there", l->name);
		return ERR_IO;
	}
	enum err e = event_loop_use_nodes(sv->loop, sv->config.server_key);
	if (e != OK) {
		errmsg_set(why, "%s", err_text(e));
	}
	return e;
}

static enum err serve_size(struct serving *sv, struct errmsg *why)
{
	size_t files = process_raise_files();
	size_t reserved = SERVE_FILES_RESERVED + 2 * sv->options->listens_n;
	if (files < reserved + SERVE_CONNECTIONS_LEAST) {
		errmsg_set(why,
			   "only %zu files may be open, at least %zu are needed; raise `ulimit "
			   "-n`, or LimitNOFILE= of the service",
			   files, reserved + SERVE_CONNECTIONS_LEAST);
		return ERR_IO;
	}
	sv->connections_possible = (int64_t)(files - reserved);
	return OK;
}

/*
 * The number is another one in each run: others take what an earlier one had. They are told the port that the socket
 * has, as it may be any free one.
 */
static enum err serve_be_node(struct serving *sv, struct errmsg *why)
{
	const struct options *o = sv->options;
	struct server_config *config = &sv->config;
	struct address at = o->cluster_listen;
	enum err e = socket_listen(&at, 0, &sv->for_nodes, why);
	if (e != OK) {
		return e;
	}
	const char *port = strrchr(sv->for_nodes.name, ':') + 1;
	(void)format_to(at.port, sizeof(at.port), "%s", port);
	address_write_node(&at, config->node_address);
	while (config->node == 0) {
		randombytes_buf(&config->node, sizeof(config->node));
	}
	if (o->announce != NULL) {
		memcpy(config->node_announce, o->announce, strlen(o->announce));
	}
	return OK;
}

/* The event loop takes the store first, so that a failure after that is cleaned up in one place. */
static enum err serve_start(struct serving *sv, struct errmsg *why)
{
	const struct options *o = sv->options;
	struct server_config *config = &sv->config;
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_REALTIME, &now);
	server_config_defaults(config);
	config->has_kiosk = o->has_kiosk;
	config->kiosk_uid = o->kiosk_uid;
	config->has_command = o->notify_command != NULL;
	config->room_code_chars = (size_t)o->room_code_chars;
	config->now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
	randombytes_buf(config->seed, sizeof(config->seed));
	enum err e = serve_store_key(o, config->server_key, why);
	e = e != OK ? e : serve_size(sv, why);
	e = e != OK ? e : serve_limits(sv, config->limits, why);
	e = e == OK && o->is_node ? serve_be_node(sv, why) : e;
	struct event_loop_config loop_config = {
		.log = &sv->log,
		.limits = config->limits,
		.idle_exit_ms = o->idle_exit_s * 1000,
		.web_origins = &o->web_origins,
		.web_proxy = o->has_web_proxy ? &o->web_proxy : NULL,
		.notify_command = o->notify_command,
		.is_node = o->is_node,
		.watchdog_ms = sd_notify_watchdog_ms() / 2,
		.on_hangup = serve_on_hangup,
		.on_certificate = serve_on_certificate,
		.on_arg = sv,
	};
	e = e != OK ? e : event_loop_create(&loop_config, &sv->loop, why);
	if (e != OK) {
		return e;
	}
	struct store *store = NULL;
	const struct serve_store want = {o, &sv->log, sv->loop, config->server_key};
	e = serve_store_open(&want, &store, why);
	if (e != OK) {
		return e;
	}
	e = server_create(config, &sv->server);
	if (e != OK) {
		errmsg_set(why, "cannot start: %s", err_text(e));
		store_close(store);
		return e;
	}
	event_loop_attach(sv->loop, sv->server, store);
	e = serve_open_sockets(sv, why);
	e = e == OK && o->is_node ? serve_open_to_nodes(sv, why) : e;
	return e != OK ? e : event_loop_serve(sv->loop, sv->sockets, sv->sockets_n, why);
}

enum err serve(const struct options *o, struct errmsg *why)
{
	struct serving sv = {.options = o, .log = {.level = o->level, .fd = 2}};
	enum err e = serve_start(&sv, why);
	sodium_memzero(sv.config.server_key, sizeof(sv.config.server_key));
	sodium_memzero(sv.config.seed, sizeof(sv.config.seed));
	if (e == OK) {
		log_pair(&sv.log, LOG_INFO, "serving", "version", AYE_VERSION);
		/* One line, and nothing else ever, on stdout: the parent process waits for it.
		 * If stdout is closed, clients that connect find out that the server is ready. */
		(void)fputs("ready", stdout);
		for (size_t i = 0; i < sv.sockets_n && !sv.sockets[i].is_node; i++) {
			/* Nobody vouches for a certificate of our own: its fingerprint does, where the
			 * address may have one. */
			bool is_own = sv.sockets[i].is_tls && !sv.sockets[i].is_web &&
				      o->tls_cert == NULL;
			(void)printf(" %s%s%s", sv.sockets[i].name, is_own ? "#" : "",
				     is_own ? sv.fingerprint.text : "");
		}
		(void)putchar('\n');
		(void)fflush(stdout);
		sd_notify_manager("READY=1");
		if (event_loop_run(sv.loop) != EVENT_LOOP_STOPPED) {
			return ERR_CLOSED;
		}
	}
	event_loop_destroy(sv.loop);
	server_destroy(sv.server);
	for (size_t i = 0; i < sv.sockets_n; i++) {
		socket_close(&sv.sockets[i]);
	}
	if (e == OK) {
		log_pair(&sv.log, LOG_INFO, "stopped", "version", AYE_VERSION);
	}
	return e;
}
